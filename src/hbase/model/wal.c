/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The write-ahead log's files (AbstractFSWAL.rollWriter, findRegionsToForceFlush; LogRoller): rolled by
   size. A file is kept while a store has an edit in it that no flush has written; with more files than
   hbase.regionserver.maxlogs the stores that need the oldest one are asked to flush, however small they are
   (SequenceIdAccounting.findLower names families; HRegion.flushcache takes them as they are named). */
#include <stdlib.h>

#include "hbase/model/act.h"

#define BLOCK_BYTES (UINT64_C(256) << 20) /* twice HDFS's block of 128 MiB */
#define MULTIPLIER 0.5

static void log_forced(struct model *m, const struct region *r, double files, double most)
{
    struct result_event *e = model_log(m, "log flush", r, "hbase.regionserver.maxlogs");

    if (!e)
        return;
    e->threshold = most;
    model_log_input(e, "log_files", files);
    model_log_input(e, "region_heap_bytes", (double)region_heap_bytes(r, &m->tables[r->table]));
    model_log_text(e, "%.0f log files are kept, more than %.0f: the region has edits in the oldest and is asked to flush "
                   "%.1f MiB", files, most, (double)region_heap_bytes(r, &m->tables[r->table]) / 1048576.0);
}

static uint64_t unflushed_from(const struct region *r)
{
    return r->wal_snapshot_from < r->wal_from ? r->wal_snapshot_from : r->wal_from;
}

/* Where the oldest edit that no flush has written lies in the log. Regions that were flushed, or have left, go from
   the list here: it stays as short as the edits are, however many regions the server has. */
static uint64_t oldest_edit(const struct model *m, struct server *s)
{
    uint64_t oldest = s->wal_bytes;
    size_t kept = 0;

    for (size_t i = 0; i < s->wal_regions_len; i++) {
        struct region *r = m->regions[s->wal_regions[i]];
        const uint64_t from = unflushed_from(r);

        if (r->wal_listed != s->index)
            continue;
        if (r->server != s->index || from == UINT64_MAX) {
            r->wal_listed = -1;
            continue;
        }
        oldest = from < oldest ? from : oldest;
        s->wal_regions[kept++] = r->id;
    }
    s->wal_regions_len = kept;
    return oldest;
}

static void list_region(struct model *m, struct server *s, struct region *r)
{
    if (r->wal_listed == s->index)
        return;
    if (s->wal_regions_len == s->wal_regions_cap) {
        const size_t cap = s->wal_regions_cap ? s->wal_regions_cap * 2 : 16;
        int *more = realloc(s->wal_regions, cap * sizeof *more);

        if (!more) {
            model_fail(m, MODEL_NO_MEMORY);
            return;
        }
        s->wal_regions = more;
        s->wal_regions_cap = cap;
    }
    s->wal_regions[s->wal_regions_len++] = r->id;
    r->wal_listed = s->index;
}

/* Families with an edit before |below| that is in no snapshot, as bits. */
static uint32_t families_before(const struct model *m, const struct region *r, uint64_t below)
{
    uint32_t bits = 0;

    _Static_assert(SPEC_FAMILIES_MAX <= 32, "one bit a family");
    for (size_t f = 0; f < m->tables[r->table].families_len; f++)
        bits |= r->stores[f].wal_from < below ? UINT32_C(1) << f : 0;
    return bits;
}

static void roll(struct model *m, struct server *s)
{
    const struct wal_limits l =
        wal_limits(BLOCK_BYTES, MULTIPLIER, m->pressure.limit_bytes, (uint32_t)m->spec->hbase.max_logs);
    const uint64_t oldest = oldest_edit(m, s) / l.roll_bytes * l.roll_bytes;
    const uint64_t files = (s->wal_bytes - oldest) / l.roll_bytes;

    s->wal_rolls_at = (s->wal_bytes / l.roll_bytes + 1) * l.roll_bytes;
    if (!wal_too_many_logs(&l, (uint32_t)files))
        return;
    for (size_t t = 0; t < m->tables_len; t++)
        for (size_t i = 0; i < m->tables[t].regions_len; i++) {
            struct region *r = m->regions[m->tables[t].regions[i]];

            if (r->server != s->index || r->state != REGION_OPEN || r->flush_requested ||
                r->wal_from >= oldest + l.roll_bytes)
                continue;
            s->wal_forced++;
            log_forced(m, r, (double)files, (double)l.max_logs);
            region_request_log_flush(m, r, (struct log_call){(double)files, (double)l.max_logs,
                                                             families_before(m, r, oldest + l.roll_bytes)});
        }
}

void wal_append(struct model *m, struct region *r, uint64_t bytes)
{
    struct server *s = &m->servers[r->server];

    for (size_t f = 0; f < m->tables[r->table].families_len; f++)
        if (r->stores[f].wal_from == UINT64_MAX && r->stores[f].active.cells > 0)
            r->stores[f].wal_from = s->wal_bytes;
    if (r->wal_from == UINT64_MAX) {
        r->wal_from = s->wal_bytes;
        list_region(m, s, r);
    }
    s->wal_bytes += bytes;
    if (s->wal_bytes >= s->wal_rolls_at)
        roll(m, s);
}
