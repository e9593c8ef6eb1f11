/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/compression.h"

/* Small real HFiles, as HBase's own reader lists them block by block: flushes of puts and compactions of such.
   Of a compressed file, and of one whose cells carry a tag, the blocks and keys are judged, not the bytes on disk.
   Files with deletes are counted aloud. */

enum {
    MAX_HFILES = 100,
    TTL_TAG_BYTES = 13 /* of a cell with Put.setTTL: length of all tags 2, of this one 2, its type 1, the time 8 */
};

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
    return !strstr(line, "deletes=");
}

/* -1 where a word isn't known. */
static int options_of(const char *line, struct hfile_options *o)
{
    char text[64];
    int encoding = HFILE_ENCODING_NONE;

    hfile_options_default(o);
    if (word_of(line, " encoding=", text, sizeof text))
        encoding = hfile_encoding_from_name(text);
    if (word_of(line, "bloom=", text, sizeof text)) {
        if (strcmp(text, "NONE") == 0)
            o->bloom = HFILE_BLOOM_NONE;
        else if (strcmp(text, "ROWCOL") == 0)
            o->bloom = HFILE_BLOOM_ROWCOL;
        else if (strcmp(text, "ROW") != 0)
            return -1;
    }
    o->encoding = encoding < 0 ? HFILE_ENCODING_NONE : (enum hfile_encoding)encoding;
    o->block_bytes = (uint32_t)number_of(line, "blocksize=", 65536);
    o->index_block_bytes = (uint32_t)number_of(line, "hfile.index.block.max.size=", 131072);
    o->bloom_block_bytes = (uint32_t)number_of(line, "io.storefile.bloom.block.size=", 131072);
    return encoding < 0 ? -1 : 0;
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

static void check_file(struct truth_report *r, const struct truth_table *t, const struct hfile_layout *l, bool blocks_only)
{
    char key[2 * TRUTH_MAX_ROW + 8];
    uint64_t blocks = 0;

    for (size_t i = 0; i < t->rows; i++)
        blocks += strcmp(t->row[i][0], "data") == 0;
    truth_check(r, "data blocks", (double)blocks, (double)l->data_blocks, 0);
    check_trailer(r, t, "uncompressed_data_index_bytes", l->uncompressed_index_bytes);
    check_trailer(r, t, "data_index_count", l->root_entries);
    check_trailer(r, t, "entry_count", l->cells);
    check_trailer(r, t, "num_data_index_levels", l->index_levels);
    if (!blocks_only) {
        check_trailer(r, t, "total_uncompressed_bytes", l->total_uncompressed_bytes);
        check_trailer(r, t, "file_bytes", l->file_bytes);
        check_trailer(r, t, "file_info_offset", l->file_info_offset);
        check_trailer(r, t, "load_on_open_offset", l->load_on_open_offset);
        if (l->data_blocks > 0)
            check_trailer(r, t, "last_data_block_offset", l->last_data_block_offset);
    }
    if (value_of(t, "reader", "midkey_row")) {
        truth_hex(l->mid_row, l->mid_row_bytes, key, sizeof key);
        truth_check_text(r, "midkey_row", value_of(t, "reader", "midkey_row"), key);
        truth_hex(l->last_row, l->last_row_bytes, key, sizeof key);
        truth_check_text(r, "last_row", value_of(t, "reader", "last_row"), key);
    }
}

/* The rows come in equal parts, one a flush; a flush takes three sequence ids. */
static void number_cells(struct truth_rows *rows, uint64_t flushes, uint64_t batch)
{
    const uint64_t part = (rows->count + flushes - 1) / flushes, lists = (part + batch - 1) / batch;

    for (size_t i = 0; i < rows->count; i++)
        rows->seqid[i] = 4 + rows->event[i] / part * (lists + 3) + rows->event[i] % part / batch;
}

static void judge(struct truth_report *r, const struct truth_table *t, const char *name, const char *line)
{
    char stream[64] = "", ours[32] = "-";
    struct truth_stream s = {stream, (uint32_t)number_of(line, " N=", 0), number_of(line, " D=", 1000),
                             number_of(line, " step_ms=", 10), number_of(line, " H=", 0)};
    struct truth_range range = {0, number_of(line, "rows=", 0), 4, number_of(line, "batches of ", 1000)};
    struct truth_shape shape = {1, (uint32_t)number_of(line, "value_bytes=", 0),
                                (uint32_t)number_of(line, "cells_per_row=", 1), false, NULL};
    const char *compaction = strstr(line, " flushes and a ");
    const bool tagged = strstr(line, "TTL") != NULL;
    const bool blocks_only = tagged || !strstr(line, "compression=NONE");
    uint32_t names[64];
    struct hfile_inputs inputs = {names, 0};
    struct hfile_options o;
    struct hfile_layout l;
    struct truth_rows rows;

    word_of(line, "stream=", stream, sizeof stream);
    if (strstr(line, "(qualifiers be32"))
        shape.qualifier_bytes = 4;
    if (tagged)
        shape.value_bytes += TTL_TAG_BYTES;
    truth_case(r, name);
    if (options_of(line, &o) != 0 || (!compaction && !strstr(line, "one flush"))) {
        truth_check_text(r, "settings", "understood", line);
    } else if (truth_rows_make(&s, &range, &rows) == 0) {
        const char *entries = value_of(t, "trailer", "entry_count");

        if (entries && strcmp(entries, "0") == 0) /* all had expired at the flush */
            rows.count = 0;
        if (compaction) {
            while (compaction > line && compaction[-1] >= '0' && compaction[-1] <= '9')
                compaction--;
            while (inputs.count < strtoull(compaction, NULL, 10) && inputs.count < 64)
                names[inputs.count++] = hfile_name_bytes(false, false, 0);
            number_cells(&rows, inputs.count, range.batch);
        }
        if (truth_layout(&o, &rows, &shape, compaction ? &inputs : NULL, &l) == 0) {
            check_file(r, t, &l, blocks_only);
            snprintf(ours, sizeof ours, "%" PRIu64, l.file_bytes);
            hfile_layout_free(&l);
        } else {
            truth_check_text(r, "layout", "made", "refused or no memory");
        }
        truth_rows_free(&rows);
    } else {
        truth_check_text(r, "stream", "understood", stream);
    }
    truth_case_end(r, "file_bytes", value_of(t, "trailer", "file_bytes"), ours, blocks_only ? "blocks and keys only" : "exact");
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
        printf("%s\t%u files with deletes: not judged\n", r->folder, left);
    return found;
}
