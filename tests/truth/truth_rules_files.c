/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/compression.h"
#include "hbase/rules/memstore.h"

/* Length and inner layout of flushed files, by the writer and by the runs. */

/* -1 where a word isn't known. */
static int options_of(const struct truth_table *t, size_t i, struct hfile_options *o)
{
    const char *encoding = truth_cell(t, i, "encoding"), *bloom = truth_cell(t, i, "bloom");
    const int e = encoding ? hfile_encoding_from_name(encoding) : HFILE_ENCODING_NONE;

    hfile_options_default(o);
    o->encoding = e < 0 ? HFILE_ENCODING_NONE : (enum hfile_encoding)e;
    if (bloom && strcmp(bloom, "NONE") == 0)
        o->bloom = HFILE_BLOOM_NONE;
    if (bloom && strcmp(bloom, "ROWCOL") == 0)
        o->bloom = HFILE_BLOOM_ROWCOL;
    if (truth_cell(t, i, "blocksize"))
        o->block_bytes = (uint32_t)truth_number(t, i, "blocksize");
    if (truth_cell(t, i, "index_max"))
        o->index_block_bytes = (uint32_t)truth_number(t, i, "index_max");
    return e < 0 || (bloom && strcmp(bloom, "NONE") != 0 && strcmp(bloom, "ROW") != 0 && strcmp(bloom, "ROWCOL") != 0)
               ? -1 : 0;
}

static void check_if(struct truth_report *r, const struct truth_table *t, size_t i, const char *column,
                     uint64_t ours)
{
    if (truth_cell(t, i, column))
        truth_check(r, column, (double)truth_number(t, i, column), (double)ours, 0);
}

static void list_text(const struct hfile_inline_list *l, int kind, char *out, size_t cap)
{
    size_t k = 0;

    if (l->count == 0)
        snprintf(out, cap, "-");
    for (size_t i = 0; i < l->count && k < cap; i++) {
        const struct hfile_inline_block *b = &l->item[i];

        k += (size_t)snprintf(out + k, cap - k, "%s", i ? "," : "");
        if (kind != 'i' && k < cap)
            k += (size_t)snprintf(out + k, cap - k, "%" PRIu64 ":", b->after_data_block);
        if (k < cap)
            k += (size_t)snprintf(out + k, cap - k, "%" PRIu64 ":%" PRIu64 ":%" PRIu64, b->on_disk_bytes,
                                  b->payload_bytes, kind == 'b' ? (uint64_t)b->first_key_bytes : b->entries);
    }
}

static void check_list(struct truth_report *r, const struct truth_table *t, size_t i, const char *column,
                       const struct hfile_inline_list *l)
{
    const char *real = truth_cell(t, i, column);
    size_t cap = l->count * 64 + 16;
    char *ours;

    if (!real)
        return;
    ours = malloc(cap);
    if (!ours)
        return;
    list_text(l, column[0], ours, cap);
    truth_check_text(r, column, real, ours);
    free(ours);
}

/* Every column that speaks of the file, where the table has it. */
void truth_check_layout(struct truth_report *r, const struct truth_table *t, size_t i, const struct hfile_layout *l)
{
    char key[2 * TRUTH_MAX_ROW + 8];

    check_if(r, t, i, "file_bytes", l->file_bytes);
    check_if(r, t, i, "load_on_open_offset", l->load_on_open_offset);
    check_if(r, t, i, "file_info_offset", l->file_info_offset);
    check_if(r, t, i, "last_data_block_offset", l->last_data_block_offset);
    check_if(r, t, i, "file_cells", l->cells);
    check_if(r, t, i, "trailer_bytes", HFILE_TRAILER_BYTES);
    check_if(r, t, i, "data_blocks", l->data_blocks);
    check_if(r, t, i, "blocks", l->data_blocks);
    check_if(r, t, i, "data_disk_bytes", l->data_disk_bytes);
    check_if(r, t, i, "data_block_payload_bytes", l->data_payload_bytes);
    check_if(r, t, i, "index_levels", l->index_levels);
    check_if(r, t, i, "root_entries", l->root_entries);
    check_if(r, t, i, "root_index_entries", l->root_entries);
    check_if(r, t, i, "root_block_bytes", l->root_block_bytes);
    check_if(r, t, i, "bloom_total_bytes", l->bloom_total_bytes);
    check_if(r, t, i, "bloom_bytes", l->bloom_total_bytes);
    check_if(r, t, i, "bloom_keys", l->bloom_keys);
    check_if(r, t, i, "bloom_max_keys", l->bloom_max_keys);
    check_if(r, t, i, "bloom_hashes", l->bloom_hashes);
    check_if(r, t, i, "bloom_meta_block_bytes", l->bloom_meta_block_bytes);
    check_if(r, t, i, "file_info_block_bytes", l->file_info_block_bytes);
    check_if(r, t, i, "meta_index_block_bytes", l->meta_index_block_bytes);
    check_if(r, t, i, "uncompressed_index_bytes", l->uncompressed_index_bytes);
    check_if(r, t, i, "total_uncompressed_bytes", l->total_uncompressed_bytes);
    check_if(r, t, i, "seqid_vint_bytes", l->seqid_vint_bytes);
    check_if(r, t, i, "mid_block", l->mid_block);
    check_list(r, t, i, "leaf_blocks", &l->leaves);
    check_list(r, t, i, "intermediate_blocks", &l->intermediates);
    check_list(r, t, i, "bloom_chunks", &l->bloom_chunks);
    if (truth_cell(t, i, "midkey_row")) {
        truth_hex(l->mid_row, l->mid_row_bytes, key, sizeof key);
        truth_check_text(r, "midkey_row", truth_cell(t, i, "midkey_row"), key);
    }
}

/* The runs must say what the writer says. */
static void check_runs_equal(struct truth_report *r, const struct hfile_layout *w, const struct hfile_layout *f)
{
    truth_check(r, "runs: file_bytes", (double)w->file_bytes, (double)f->file_bytes, 0);
    truth_check(r, "runs: file_info_offset", (double)w->file_info_offset, (double)f->file_info_offset, 0);
    truth_check(r, "runs: data_blocks", (double)w->data_blocks, (double)f->data_blocks, 0);
    truth_check(r, "runs: index_levels", w->index_levels, f->index_levels, 0);
    truth_check(r, "runs: bloom_total_bytes", (double)w->bloom_total_bytes, (double)f->bloom_total_bytes, 0);
    truth_check(r, "runs: total_uncompressed_bytes", (double)w->total_uncompressed_bytes,
                (double)f->total_uncompressed_bytes, 0);
    truth_check(r, "runs: mid_cell", (double)w->mid_cell, (double)f->mid_cell, 0);
    truth_check(r, "runs: mid_row_index", (double)w->mid_row_index, (double)f->mid_row_index, 0);
    truth_check(r, "runs: mid_inside_row", w->mid_inside_row, f->mid_inside_row, 0);
}

static void judge_file(struct truth_report *r, const struct truth_table *t, size_t i,
                       const struct truth_rows *rows, const struct truth_shape *shape)
{
    struct hfile_options o;
    struct hfile_layout w, f;
    char real[32], ours[32];

    if (options_of(t, i, &o) != 0) {
        truth_check_text(r, "encoding and bloom", "understood", truth_cell(t, i, "encoding"));
        truth_case_end(r, "file_bytes", "-", "-", "exact");
        return;
    }
    if (truth_layout(&o, rows, shape, NULL, &w)) {
        truth_check_text(r, "layout", "made", "not made");
        truth_case_end(r, "file_bytes", "-", "-", "exact");
        return;
    }
    truth_check_layout(r, t, i, &w);
    if (o.encoding == HFILE_ENCODING_NONE && truth_layout_runs(&o, rows, shape, NULL, &f) == 0) {
        check_runs_equal(r, &w, &f);
        hfile_layout_free(&f);
    }
    snprintf(real, sizeof real, "%" PRIu64, truth_number(t, i, "file_bytes"));
    snprintf(ours, sizeof ours, "%" PRIu64, w.file_bytes);
    hfile_layout_free(&w);
    truth_case_end(r, "file_bytes", real, ours, "exact");
}

static void check_memstore(struct truth_report *r, const struct truth_table *t, size_t i,
                           const struct truth_shape *shape, size_t row_bytes)
{
    uint64_t rep = truth_number(t, i, "rep"), cells, kv;

    if (rep == 0)
        rep = 1;
    cells = truth_number(t, i, "rows") * shape->cells_per_row * rep;
    kv = memstore_cell_data_bytes(row_bytes, 1, shape->qualifier_bytes, shape->value_bytes);
    check_if(r, t, i, "L_bytes", kv);
    check_if(r, t, i, "heap_empty", memstore_store_heap_bytes(0, kv));
    check_if(r, t, i, "mem_data_bytes", cells * kv);
    check_if(r, t, i, "mem_heap_bytes", memstore_store_heap_bytes(cells, kv));
    check_if(r, t, i, "heap_after_flush", MEMSTORE_EMPTY_HEAP_BYTES);
    check_if(r, t, i, "pred_heap_per_cell", memstore_cell_heap_bytes(kv));
}

static void judge_row(struct truth_report *r, const struct truth_table *t, size_t i, uint64_t default_batch)
{
    const char *stream = truth_cell(t, i, "stream");
    struct truth_stream s = {stream, (uint32_t)truth_number(t, i, "N"), truth_comment_number(t, "D", 1000),
                             truth_comment_number(t, "step_ms", 10), 0};
    uint64_t rep = truth_number(t, i, "rep"), batch = truth_number(t, i, "batch");
    struct truth_range range = {0, truth_number(t, i, "rows"), 4, batch ? batch : default_batch};
    struct truth_shape shape = {1, (uint32_t)truth_number(t, i, "value_bytes"), 1, false, NULL};
    struct truth_rows rows;
    char name[128];

    if (s.n == 0)
        s.n = (uint32_t)truth_comment_number(t, "N", 16);
    if (truth_cell(t, i, "qual_bytes"))
        shape.qualifier_bytes = (uint32_t)truth_number(t, i, "qual_bytes");
    if (truth_cell(t, i, "cells_per_row"))
        shape.cells_per_row = (uint32_t)truth_number(t, i, "cells_per_row");
    if (rep > 1) /* only the last writing of each row is left */
        range.first_seqid += (rep - 1) * ((range.count + range.batch - 1) / range.batch);
    snprintf(name, sizeof name, "%s row %zu: %s %" PRIu64 " x %u x %u B", truth_cell(t, i, "case") ?
             truth_cell(t, i, "case") : "", i + 1, stream, range.count, shape.cells_per_row, shape.value_bytes);
    truth_case(r, name);
    if (truth_rows_make(&s, &range, &rows)) {
        truth_check_text(r, "stream", "known", "unknown");
        truth_case_end(r, "file_bytes", "-", "-", "exact");
        return;
    }
    check_memstore(r, t, i, &shape, rows.row_bytes);
    judge_file(r, t, i, &rows, &shape);
    truth_rows_free(&rows);
}

/* "batches of 5000 rows", "Table.put(List) of 1000 rows". */
static uint64_t header_batch(const struct truth_table *t)
{
    for (size_t i = 0; i < t->comments; i++) {
        const char *p = strstr(t->comment[i], "batches of "), *q = strstr(t->comment[i], "put(List) of ");
        const uint64_t n = p ? strtoull(p + strlen("batches of "), NULL, 10)
                             : q ? strtoull(q + strlen("put(List) of "), NULL, 10) : 0;

        if (n > 0)
            return n;
    }
    return 1000;
}

static void judge_files(const struct truth_table *t, void *r)
{
    for (size_t i = 0; i < t->rows; i++)
        judge_row(r, t, i, header_batch(t));
}

int truth_flush_sizes(const char *dir, struct truth_report *r)
{
    const int a = truth_each_table(dir, "shapes", judge_files, r), b = truth_each_table(dir, "series", judge_files, r);

    return a && b ? -1 : 0;
}

int truth_large_files(const char *dir, struct truth_report *r)
{
    return truth_each_table(dir, "files", judge_files, r);
}

int truth_midkey(const char *dir, struct truth_report *r)
{
    return truth_each_table(dir, "midkey", judge_files, r);
}
