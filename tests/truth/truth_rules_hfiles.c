/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Small real HFiles, as HBase's own reader lists them block by block. Judged are plain flushes of puts; files with
   tags, deletes, compression or several flushes are counted aloud. */

enum { MAX_HFILES = 100 };

static bool word_of(const char *line, const char *name, char *out, size_t cap)
{
    const char *p = strstr(line, name);
    size_t n = 0;

    if (!p)
        return false;
    for (p += strlen(name); p[n] && p[n] != ' ' && p[n] != ';' && n + 1 < cap; n++)
        out[n] = p[n];
    out[n] = '\0';
    return true;
}

static uint64_t number_of(const char *line, const char *name, uint64_t otherwise)
{
    char text[64];

    return word_of(line, name, text, sizeof text) ? strtoull(text, NULL, 10) : otherwise;
}

static bool judged(const char *line)
{
    return strstr(line, "compression=NONE") && strstr(line, "one flush") && !strstr(line, "deletes=") &&
           !strstr(line, "TTL") && number_of(line, "cells_per_row=", 1) == 1;
}

static void options_of(const char *line, struct hfile_options *o)
{
    char text[64];

    hfile_options_default(o);
    if (word_of(line, " encoding=", text, sizeof text) && strcmp(text, "FAST_DIFF") == 0)
        o->encoding = HFILE_ENCODING_FAST_DIFF;
    if (word_of(line, "bloom=", text, sizeof text)) {
        if (strcmp(text, "NONE") == 0)
            o->bloom = HFILE_BLOOM_NONE;
        if (strcmp(text, "ROWCOL") == 0)
            o->bloom = HFILE_BLOOM_ROWCOL;
    }
    o->block_bytes = (uint32_t)number_of(line, "blocksize=", 65536);
    o->index_block_bytes = (uint32_t)number_of(line, "hfile.index.block.max.size=", 131072);
    o->bloom_block_bytes = (uint32_t)number_of(line, "io.storefile.bloom.block.size=", 131072);
}

static const char *value_of(const struct truth_table *t, const char *kind, const char *name)
{
    for (size_t i = 0; i < t->rows; i++)
        if (strcmp(t->row[i][0], kind) == 0 && strcmp(t->row[i][1], name) == 0)
            return t->row[i][2];
    return NULL;
}

static void check_trailer(struct truth_report *r, const struct truth_table *t, const char *name, uint64_t ours)
{
    const char *real = value_of(t, "trailer", name);

    if (real)
        truth_check(r, name, strtod(real, NULL), (double)ours, 0);
}

static void check_file(struct truth_report *r, const struct truth_table *t, const struct hfile_layout *l)
{
    char key[2 * TRUTH_MAX_ROW + 8];

    check_trailer(r, t, "file_bytes", l->file_bytes);
    check_trailer(r, t, "file_info_offset", l->file_info_offset);
    check_trailer(r, t, "load_on_open_offset", l->load_on_open_offset);
    check_trailer(r, t, "uncompressed_data_index_bytes", l->uncompressed_index_bytes);
    check_trailer(r, t, "total_uncompressed_bytes", l->total_uncompressed_bytes);
    check_trailer(r, t, "data_index_count", l->root_entries);
    check_trailer(r, t, "entry_count", l->cells);
    check_trailer(r, t, "num_data_index_levels", l->index_levels);
    if (l->data_blocks > 0)
        check_trailer(r, t, "last_data_block_offset", l->last_data_block_offset);
    if (value_of(t, "reader", "midkey_row")) {
        truth_hex(l->mid_row, l->mid_row_bytes, key, sizeof key);
        truth_check_text(r, "midkey_row", value_of(t, "reader", "midkey_row"), key);
        truth_hex(l->last_row, l->last_row_bytes, key, sizeof key);
        truth_check_text(r, "last_row", value_of(t, "reader", "last_row"), key);
    }
}

static void judge(struct truth_report *r, const struct truth_table *t, const char *name, const char *line)
{
    char stream[64] = "", ours[32] = "-";
    struct truth_stream s = {stream, (uint32_t)number_of(line, " N=", 0), number_of(line, " D=", 1000),
                             number_of(line, " step_ms=", 10), number_of(line, " H=", 0)};
    struct truth_range range = {0, number_of(line, "rows=", 0), 4, number_of(line, "batches of ", 1000)};
    struct truth_shape shape = {1, (uint32_t)number_of(line, "value_bytes=", 0), 1, false, NULL};
    struct hfile_options o;
    struct hfile_layout l;
    struct truth_rows rows;

    word_of(line, "stream=", stream, sizeof stream);
    options_of(line, &o);
    truth_case(r, name);
    if (truth_rows_make(&s, &range, &rows) == 0) {
        if (truth_layout(&o, &rows, &shape, NULL, &l) == 0) {
            check_file(r, t, &l);
            snprintf(ours, sizeof ours, "%" PRIu64, l.file_bytes);
            hfile_layout_free(&l);
        }
        truth_rows_free(&rows);
    }
    truth_case_end(r, "file_bytes", value_of(t, "trailer", "file_bytes"), ours, "exact");
}

int truth_hfiles(const char *dir, struct truth_report *r)
{
    unsigned left = 0;
    int found = -1;

    for (int i = 0; i < 2 * MAX_HFILES; i++) {
        struct truth_table t;
        char name[16], path[4200];
        const char *line = NULL;

        snprintf(name, sizeof name, "%c%02d", i < MAX_HFILES ? 'h' : 'x', i % MAX_HFILES);
        snprintf(path, sizeof path, "%s/%s.tsv", dir, name);
        if (truth_table_read(path, &t))
            continue;
        for (size_t k = 0; k < t.comments; k++)
            if (strstr(t.comment[k], "stream="))
                line = t.comment[k];
        if (line && judged(line))
            judge(r, &t, name, line);
        else
            left++;
        found = 0;
        truth_table_free(&t);
    }
    if (left > 0)
        printf("%s\t%u files with tags, deletes, compression or several flushes: not judged\n", r->folder, left);
    return found;
}
