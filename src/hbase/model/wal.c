/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The write-ahead log's files (AbstractFSWAL.rollWriter, findRegionsToForceFlush; LogRoller): rolled by
   size. A file is kept while a region has an edit in it that no flush has written; with more files than
   hbase.regionserver.maxlogs the regions that need the oldest one are asked to flush. */
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

/* Where the oldest edit that no flush has written lies in the log. */
static uint64_t oldest_edit(const struct model *m, const struct server *s)
{
    uint64_t oldest = s->wal_bytes;

    for (size_t t = 0; t < m->tables_len; t++)
        for (size_t i = 0; i < m->tables[t].regions_len; i++) {
            const struct region *r = m->regions[m->tables[t].regions[i]];
            const uint64_t from = r->wal_snapshot_from < r->wal_from ? r->wal_snapshot_from : r->wal_from;

            if (r->server == s->index && from < oldest)
                oldest = from;
        }
    return oldest;
}

void wal_roll(struct model *m, struct server *s)
{
    const struct wal_limits l =
        wal_limits(BLOCK_BYTES, MULTIPLIER, pressure_limits(m).limit_bytes, (uint32_t)m->spec->hbase.max_logs);
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
            region_request_log_flush(m, r, (struct log_call){(double)files, (double)l.max_logs});
        }
}
