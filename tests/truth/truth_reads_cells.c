/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_reads_cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/compression.h"

enum { FAMILY_BYTES = 1, QUALIFIER_BYTES = 3, CELLS_MAX = 128, FLUSHED_SEQID_BYTES = 1 };

/* What a recorded line says of its table and query. */
struct cells_case {
    uint64_t rows, cells_per_family, families, value_bytes, row_bytes, block_bytes;
    enum scan_from from;
    bool named_column;         /* one-column, last-column */
    bool last_column;
    uint64_t families_read;
};

/* Shapes of the rows: |plain| for all but those in which a block begins. */
struct shapes {
    struct scan_cell plain_cell[CELLS_MAX], seek_cell[CELLS_MAX];
    struct scan_shape plain, seek;
    uint64_t cells_per_row, cells_per_block;
};

static void cell_of(const struct cells_case *k, uint32_t family, bool passed_over, struct scan_cell *cell)
{
    cell->bytes = scan_key_value_bytes((uint32_t)k->row_bytes, FAMILY_BYTES, QUALIFIER_BYTES, (uint32_t)k->value_bytes);
    cell->heap_bytes = scan_heap_bytes(k->from, cell->bytes);
    cell->family = family;
    cell->passed_over = passed_over;
}

static void all_columns(const struct cells_case *k, struct shapes *s)
{
    size_t n = 0;

    for (uint32_t f = 0; f < k->families_read; f++)
        for (uint64_t c = 0; c < k->cells_per_family && n < CELLS_MAX; c++)
            cell_of(k, f, false, &s->plain_cell[n++]);
    s->plain = (struct scan_shape){s->plain_cell, n};
}

/* A named column: from the memstore the scan seeks from the family's first cell to it, from a file it
   passes over every cell between, unless the block has just begun. */
static void named_column(const struct cells_case *k, struct shapes *s)
{
    const uint64_t before = k->last_column ? k->cells_per_family - 1 : 0;
    size_t n = 0, m = 0;

    if (before > 0)
        cell_of(k, 0, true, &s->seek_cell[m++]);
    cell_of(k, 0, false, &s->seek_cell[m++]);
    for (uint64_t c = 0; c < before && n < CELLS_MAX - 1; c++)
        cell_of(k, 0, true, &s->plain_cell[n++]);
    cell_of(k, 0, false, &s->plain_cell[n++]);
    s->seek = (struct scan_shape){s->seek_cell, m};
    s->plain = k->from == SCAN_FROM_MEMSTORE ? s->seek : (struct scan_shape){s->plain_cell, n};
    s->cells_per_row = k->cells_per_family;
    s->cells_per_block = (k->block_bytes + s->plain.cells[0].bytes + FLUSHED_SEQID_BYTES - 1) /
                         (s->plain.cells[0].bytes + FLUSHED_SEQID_BYTES);
}

/* The row whose first cell is the first of its block seeks; a block that begins inside the row saves less
   and is left out. */
static const struct scan_shape *shape_of(void *context, uint64_t row)
{
    const struct shapes *s = context;
    const uint64_t first = row * s->cells_per_row, last = first + s->cells_per_row - 1;
    const uint64_t block = first / s->cells_per_block;

    if (first == block * s->cells_per_block || (last / s->cells_per_block > block))
        return &s->seek;
    return &s->plain;
}

static void read_case(const struct truth_table *t, size_t i, struct cells_case *k)
{
    const char *query = truth_cell(t, i, "query"), *encoding = truth_cell(t, i, "encoding");

    memset(k, 0, sizeof *k);
    k->rows = truth_number(t, i, "rows");
    k->cells_per_family = truth_number(t, i, "cells_per_family");
    k->families = truth_number(t, i, "families");
    k->value_bytes = truth_number(t, i, "L");
    k->row_bytes = truth_number(t, i, "klen");
    k->block_bytes = truth_number(t, i, "blocksize");
    k->from = strcmp(truth_cell(t, i, "state"), "mem") == 0
                  ? SCAN_FROM_MEMSTORE
                  : scan_from_encoding((enum hfile_encoding)hfile_encoding_from_name(encoding));
    k->last_column = strcmp(query, "last-column") == 0;
    k->named_column = k->last_column || strcmp(query, "one-column") == 0;
    k->families_read = k->named_column || strcmp(query, "one-family") == 0 ? 1 : k->families;
}

static void options_for(const struct cells_case *k, const struct scan_cell *cell, const char *query,
                        struct scan_options *o)
{
    unsigned kib;

    scan_options_init(o, (uint32_t)k->block_bytes);
    if (strstr(query, "pread"))
        o->read_type = SCAN_READ_PREAD;
    if (strstr(query, "stream"))
        o->read_type = SCAN_READ_STREAM;
    if (sscanf(query, "max%uk", &kib) == 1)
        o->max_result_bytes = (uint64_t)kib * 1024;
    if (k->named_column)
        o->lazy_seek_bytes = scan_lazy_seek_bytes(k->from, 0, FAMILY_BYTES, cell->bytes);
}

static uint64_t count_rank(void *context, struct saltkey_slice key)
{
    (void)context;
    (void)key;
    return 0; /* one region, whole table: nobody asks */
}

static void one_cells_row(struct verdicts *v, const struct truth_table *t, size_t i)
{
    const char *query = truth_cell(t, i, "query"), *list = truth_cell(t, i, "rows_per_reply");
    const struct saltkey_keys one_region = {0};
    struct truth_replies replies;
    struct cells_case k;
    struct shapes shapes;
    struct scan_options o;
    struct scan_client c;
    char group[100], where[200];
    const bool named_file = strcmp(truth_cell(t, i, "state"), "hfile") == 0;

    read_case(t, i, &k);
    if (k.named_column)
        named_column(&k, &shapes);
    else
        all_columns(&k, &shapes);
    {
        const struct scan_table table = {&one_region, count_rank, NULL, k.rows,
                                         {k.last_column && named_file ? NULL : &shapes.plain, shape_of, NULL, &shapes},
                                         NULL};
        const struct scan_ends ends = {{NULL, 0}, {NULL, 0}, true, false, strcmp(query, "reversed") == 0};

        options_for(&k, &shapes.plain_cell[0], query, &o);
        scan_client_open(&c, &table, &ends, &o, 0);
        truth_replies_init(&replies, list);
        c.on_rpc = truth_replies_list;
        c.on_rpc_context = &replies;
        scan_client_run(&c);
    }
    snprintf(group, sizeof group, "cells %s %s", query, truth_cell(t, i, "state"));
    snprintf(where, sizeof where, "%s", truth_cell(t, i, "table"));
    verdict_number(v, group, "rows", (double)truth_number(t, i, "rows_returned"), (double)c.cost.rows_returned, where);
    verdict_number(v, group, "rpcs", (double)truth_number(t, i, "sync_rpcs"), (double)c.cost.rpcs, where);
    verdict_number(v, group, "replies", (double)truth_number(t, i, "replies"), (double)replies.count, where);
    verdict_text(v, group, "rows_per_reply", list, replies.text, where);
}

void truth_reads_cells(struct verdicts *v, const char *dir)
{
    struct truth_table t;

    if (truth_reads_open(v, dir, "cells.tsv", &t) != 0)
        return;
    for (size_t i = 0; i < t.rows; i++)
        one_cells_row(v, &t, i);
    truth_table_free(&t);
}
