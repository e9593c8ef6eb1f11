/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/references.h"

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
    for (size_t i = 0; i < ks->rows * ks->columns && !rd->error; i++)
        check(rd, "server", ks->server[i], run->servers_len);
    for (size_t i = 0; i < ks->columns && !rd->error; i++)
        if (!(ks->times_s[i] <= ks->times_s[i + 1]))
            reader_fault(rd, RESULT_READ_CONTENT, "times[%zu]: times must rise", i + 1);
    reader_up(rd, back);
}

void result_check_references(struct reader *rd, const struct result_run *run)
{
    check_regions(rd, run);
    check_events(rd, run);
    check_keyspace(rd, run);
}
