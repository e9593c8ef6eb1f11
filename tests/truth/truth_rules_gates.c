/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/flush_policy.h"
#include "hbase/rules/memstore.h"
#include "hbase/rules/mutator.h"

/* When a region asks for a flush and when it refuses; what a put weighs in the client. */

struct writing {
    uint64_t rows, heap, data; /* before the batch that is refused */
    int64_t flush_rows;        /* rows when a flush was first asked for, -1 never */
    struct memstore_batch_outcome last;
};

/* Calls of |batch| rows until the first refusal. With |held| the first flush's snapshot is taken at the end
   of the batch that asked for it, and is never finished. */
static struct writing write_until_refused(struct memstore_batch b, uint64_t kv_bytes, uint64_t batch, bool held)
{
    struct writing w = {.flush_rows = -1, .heap = b.heap_bytes};

    for (;;) {
        b.heap_bytes = w.heap;
        w.last = memstore_apply_batch(&b, batch);
        if (w.last.refused)
            return w;
        w.rows += batch;
        w.heap += batch * b.row_heap_bytes;
        w.data += batch * kv_bytes;
        if (w.last.flush_requested && w.flush_rows < 0) {
            w.flush_rows = (int64_t)w.rows;
            if (held)
                w.heap += MEMSTORE_SNAPSHOT_HEAP_BYTES;
        }
    }
}

static void check_column(struct truth_report *r, const struct truth_table *t, size_t i, const char *column,
                         uint64_t ours)
{
    if (truth_cell(t, i, column))
        truth_check(r, column, strtod(truth_cell(t, i, column), NULL), (double)ours, 0);
}

static void judge_too_busy(struct truth_report *r, const struct truth_table *t, size_t i)
{
    uint64_t kv = truth_number(t, i, "L_bytes"), batch = truth_number(t, i, "batch");
    struct memstore_batch b = {.heap_bytes = MEMSTORE_EMPTY_HEAP_BYTES,
                               .flush_bytes = truth_number(t, i, "flush_size"),
                               .multiplier = (uint32_t)truth_number(t, i, "multiplier")};
    bool held = strcmp(truth_cell(t, i, "where"), "during") == 0;
    struct writing w;
    char name[128], ours[32];

    snprintf(name, sizeof name, "%s flush %s x %s, %s B in batches of %" PRIu64, truth_cell(t, i, "where"),
             truth_cell(t, i, "flush_size"), truth_cell(t, i, "multiplier"), truth_cell(t, i, "value_bytes"), batch);
    truth_case(r, name);
    check_column(r, t, i, "L_bytes", memstore_cell_data_bytes(12, 1, 1, truth_number(t, i, "value_bytes")));
    b.row_heap_bytes = memstore_cell_heap_bytes(kv);
    check_column(r, t, i, "heap_per_cell", b.row_heap_bytes);
    check_column(r, t, i, "limit", b.flush_bytes * b.multiplier);
    w = write_until_refused(b, kv, batch, held);
    truth_check(r, "rows_when_flush_requested", strtod(truth_cell(t, i, "rows_when_flush_requested"), NULL),
                (double)w.flush_rows, 0);
    check_column(r, t, i, "rows_ok_before_first_reject", w.rows);
    check_column(r, t, i, "heap_at_reject", w.heap);
    check_column(r, t, i, "data_at_reject", w.data);
    check_column(r, t, i, "rows_failed_in_batch", batch - w.last.rows_acknowledged);
    check_column(r, t, i, "rows_ok_in_that_batch", w.last.rows_acknowledged);
    check_column(r, t, i, "heap_after", w.heap + w.last.rows_applied * b.row_heap_bytes);
    check_column(r, t, i, "data_after", w.data + w.last.rows_applied * kv);
    check_column(r, t, i, "write_requests", w.rows + w.last.rows_counted);
    check_column(r, t, i, "blocked_requests", w.last.refused);
    check_column(r, t, i, "cells_in_memstore_after", w.rows + w.last.rows_applied);
    if (!held)
        truth_check(r, "memstore_rows_before_refusal", (double)w.rows,
                    (double)memstore_rows_before_refusal(&b, batch), 0);
    snprintf(ours, sizeof ours, "%" PRIu64, w.rows);
    truth_case_end(r, "rows before refusal", truth_cell(t, i, "rows_ok_before_first_reject"), ours, "exact");
}

static int judge_table(const char *dir, const char *file, struct truth_report *r,
                       void (*judge)(struct truth_report *, const struct truth_table *, size_t))
{
    struct truth_table t;
    char path[4200];

    snprintf(path, sizeof path, "%s/%s", dir, file);
    if (truth_table_read(path, &t))
        return -1;
    for (size_t i = 0; i < t.rows; i++)
        judge(r, &t, i);
    truth_table_free(&t);
    return 0;
}

static void judge_refusals(const struct truth_table *t, void *r)
{
    for (size_t i = 0; i < t->rows; i++)
        judge_too_busy(r, t, i);
}

int truth_too_busy(const char *dir, struct truth_report *r)
{
    return truth_each_table(dir, "toobusy", judge_refusals, r);
}

/* Calls that one thread's BufferedMutator makes of |rows| rows when all go to one region: a pass is made, and
   waited for, while the buffer is over its limit. */
static unsigned calls_to_one_region(const struct mutator_limits *l, uint64_t rows, uint64_t heap, uint64_t *first)
{
    uint64_t buffered = 0, written = 0;
    unsigned calls = 0;

    while (written < rows || buffered > 0) {
        struct mutator_pass pass = {0};
        struct mutator_target t = {0};

        if (written < rows && !mutator_must_submit(l, buffered * heap)) {
            buffered++;
            written++;
            continue;
        }
        while (t.server_rows < buffered && mutator_check_row(l, &pass, &t, heap) == MUTATOR_INCLUDE) {
            t.server_in_pass = t.region_in_pass = true;
            t.server_rows++;
            t.server_bytes += heap;
            pass.pass_bytes += heap;
            pass.servers_in_pass = 1;
        }
        buffered -= t.server_rows;
        if (calls++ == 0)
            *first = t.server_rows;
    }
    return calls;
}

static bool only_region(const struct truth_table *t, size_t i)
{
    size_t n = 0;

    for (size_t k = 0; k < t->rows; k++)
        n += strcmp(truth_cell(t, k, "case"), truth_cell(t, i, "case")) == 0 &&
             strcmp(truth_cell(t, k, "repeat"), truth_cell(t, i, "repeat")) == 0;
    return n == 1;
}

/* Put.heapSize; and where the buffer meets one region only, its calls. The recording's sizes show an odd cut now
   and then, so their number has a band of 2. */
static void judge_batches(struct truth_report *r, const struct truth_table *t, size_t i)
{
    uint64_t value = truth_number(t, i, "value_bytes"), cells = truth_number(t, i, "cells_per_row");
    const char *name = truth_cell(t, i, "case");
    struct mutator_column column[64];
    struct mutator_limits l;
    uint32_t family = 1;
    uint64_t row_bytes = strncmp(name, "salt", 4) == 0 ? 13 : 12, ours, first = 0;
    char text[32];

    if (cells > 64)
        return;
    for (uint64_t k = 0; k < cells; k++)
        column[k] = (struct mutator_column){1, (uint32_t)value, 0};
    ours = put_heap_bytes_columns(row_bytes, &family, column, (size_t)cells);
    truth_case(r, name);
    check_column(r, t, i, "put_heap_bytes", ours);
    mutator_limits_default(&l);
    l.write_buffer_bytes = truth_number(t, i, "write_buffer");
    if (only_region(t, i)) {
        unsigned calls = calls_to_one_region(&l, truth_number(t, i, "rows"), ours, &first);

        truth_check(r, "batches", (double)truth_number(t, i, "batches"), calls, 2);
        truth_check(r, "first batch", (double)truth_number(t, i, "batch_sizes"), (double)first, 0);
    }
    snprintf(text, sizeof text, "%" PRIu64, ours);
    truth_case_end(r, "put_heap_bytes", truth_cell(t, i, "put_heap_bytes"), text, "exact");
}

int truth_put_heap(const char *dir, struct truth_report *r)
{
    return judge_table(dir, "client_batches.tsv", r, judge_batches);
}
