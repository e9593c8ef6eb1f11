/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/references.h"

#include <math.h>

/* An index must be -1 (nothing) or below |len|. */
static void check(struct reader *rd, const char *name, int index, size_t len)
{
    if (rd->error || index == -1 || (index >= 0 && (size_t)index < len))
        return;
    size_t back = reader_down(rd, name, -1);
    reader_fault(rd, RESULT_READ_CONTENT, "%d points at nothing, there are %zu", index, len);
    reader_up(rd, back);
}

static void check_regions(struct reader *rd, const struct result_run *run)
{
    for (size_t i = 0; i < run->regions_len && !rd->error; i++) {
        const struct result_region *reg = &run->regions[i];
        size_t back = reader_down(rd, "regions", (long)i);
        if (reg->id != (int)i)
            reader_fault(rd, RESULT_READ_CONTENT, "id is %d, its place in the list is %zu", reg->id, i);
        check(rd, "table", reg->table, run->tables_len);
        check(rd, "parent", reg->parent, run->regions_len);
        check(rd, "server_start", reg->server_start, run->servers_len);
        check(rd, "server_end", reg->server_end, run->servers_len);
        reader_up(rd, back);
    }
}

static void check_events(struct reader *rd, const struct result_run *run)
{
    for (size_t i = 0; i < run->events_len && !rd->error; i++) {
        const struct result_event *ev = &run->events[i];
        size_t back = reader_down(rd, "events", (long)i);
        check(rd, "table", ev->table, run->tables_len);
        check(rd, "region", ev->region, run->regions_len);
        check(rd, "server", ev->server, run->servers_len);
        check(rd, "to_server", ev->to_server, run->servers_len);
        check(rd, "daughter_a", ev->daughter_a, run->regions_len);
        check(rd, "daughter_b", ev->daughter_b, run->regions_len);
        reader_up(rd, back);
    }
}

static void check_keyspace(struct reader *rd, const struct result_run *run)
{
    const struct result_keyspace *ks = &run->keyspace;
    if (!ks->rows)
        return;
    size_t back = reader_down(rd, "keyspace", -1);
    check(rd, "table", ks->table, run->tables_len);
    if (ks->table < 0)
        reader_fault(rd, RESULT_READ_CONTENT, "it has no table");
    if (ks->buckets < 1 || (size_t)ks->buckets > ks->rows)
        reader_fault(rd, RESULT_READ_CONTENT, "%d buckets can't share %zu rows", ks->buckets, ks->rows);
    for (size_t i = 0; i < ks->rows && !rd->error; i++) {
        if (!ks->edges[i])
            reader_fault(rd, RESULT_READ_CONTENT, "edges[%zu]: a text is expected", i);
        if (ks->row_bucket[i] < 0 || ks->row_bucket[i] >= ks->buckets ||
            (i > 0 && ks->row_bucket[i] < ks->row_bucket[i - 1]))
            reader_fault(rd, RESULT_READ_CONTENT, "row_bucket[%zu]: %d is out of order or range", i,
                         ks->row_bucket[i]);
    }
    for (size_t i = 0; i < ks->rows * ks->columns && !rd->error; i++) {
        check(rd, "server", ks->server[i], run->servers_len);
        if (ks->cells[i] < 0)
            reader_fault(rd, RESULT_READ_CONTENT, "cells[%zu][%zu]: a rate of 0 or more is expected", i / ks->columns,
                         i % ks->columns);
    }
    for (size_t i = 0; i < ks->columns && !rd->error; i++)
        if (!(ks->times_s[i] <= ks->times_s[i + 1]))
            reader_fault(rd, RESULT_READ_CONTENT, "times[%zu]: times must rise", i + 1);
    reader_up(rd, back);
}

/* A number that a picture's scale or place is made of. */
static void need(struct reader *rd, const char *name, double value, bool above_0)
{
    if (rd->error || (isfinite(value) && value >= 0 && (value > 0 || !above_0)))
        return;
    size_t back = reader_down(rd, name, -1);
    reader_fault(rd, RESULT_READ_CONTENT, above_0 ? "a number above 0 is needed" : "a number of 0 or more is needed");
    reader_up(rd, back);
}

static void check_needs(struct reader *rd, const struct result_run *run)
{
    if (!run->windows_len)
        return; /* a run that was never sampled has no picture */
    need(rd, "duration_s", run->duration_s, true);
    need(rd, "server_capacity_per_s", run->server_capacity_per_s, true);
    for (size_t i = 0; i < run->regions_len && !rd->error; i++) {
        const struct result_region *reg = &run->regions[i];
        size_t back = reader_down(rd, "regions", (long)i);
        if (!reg->start)
            reader_fault(rd, RESULT_READ_CONTENT, "its start key is missing");
        need(rd, "birth_s", reg->birth_s, false);
        need(rd, "writes", reg->writes, false);
        reader_up(rd, back);
    }
    for (size_t i = 0; i < run->windows_len && !rd->error; i++) {
        const struct result_window *win = &run->windows[i];
        size_t back = reader_down(rd, "timeline", (long)i);
        need(rd, "begin_s", win->begin_s, false);
        need(rd, "end_s", win->end_s, false);
        if (win->end_s < win->begin_s || (i > 0 && win->begin_s < run->windows[i - 1].begin_s))
            reader_fault(rd, RESULT_READ_CONTENT, "times must rise");
        for (size_t k = 0; k < run->servers_len; k++)
            need(rd, "server_writes", win->server_writes[k], false);
        reader_up(rd, back);
    }
}

void result_check_references(struct reader *rd, const struct result_run *run)
{
    check_regions(rd, run);
    check_events(rd, run);
    check_keyspace(rd, run);
    check_needs(rd, run);
}
