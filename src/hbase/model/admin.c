/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/model/admin.h"

#include "hbase/model/act.h"

bool model_quiet(const struct model *m)
{
    if (m->trips > 0 || m->flushes_running || m->compactions_running)
        return false;
    for (size_t s = 0; s < m->servers_len; s++) {
        const struct server *sv = &m->servers[s];

        if (sv->handlers_busy > 0 || sv->queue_len > 0 || sv->flush_queue_len > 0 || sv->compaction_queue_len > 0)
            return false;
    }
    for (size_t i = 0; i < m->regions_len; i++)
        if (m->regions[i]->flush_requested && m->regions[i]->state == REGION_OPEN)
            return false;
    return true;
}

void model_discharge(struct model *m)
{
    for (size_t i = 0; i < m->regions_len; i++) {
        struct region *r = m->regions[i];

        for (size_t f = 0; r->table >= 0 && r->state == REGION_OPEN && f < m->tables[r->table].families_len; f++)
            store_discharge(&r->stores[f]);
    }
}

void model_catalog_janitor(struct model *m)
{
    for (size_t i = 0; i < m->regions_len; i++)
        if (m->regions[i]->merge_qualifier && !region_has_references(m, m->regions[i]))
            m->regions[i]->merge_qualifier = false;
}

bool model_move(struct model *m, struct region *r, int server)
{
    if (r->state != REGION_OPEN || r->trip != TRIP_NONE || r->server == server)
        return false;
    r->trip_to = server;
    region_leave(m, r, TRIP_MOVE);
    return true;
}

void model_flush(struct model *m, struct region *r)
{
    if (r->state == REGION_OPEN)
        region_flush_by_hand(m, r, false);
}

void model_compact(struct model *m, struct region *r, bool major)
{
    if (r->state == REGION_OPEN)
        region_request_compaction(m, r, major ? COMPACTION_ASK_MAJOR : COMPACTION_ASK_USER);
}

void model_compaction_switch(struct model *m, bool on)
{
    m->compactions_off = !on;
}

enum split_refusal model_split(struct model *m, struct region *r, struct saltkey_slice key)
{
    if (r->state != REGION_OPEN || r->trip != TRIP_NONE)
        return SPLIT_POINT_DISABLED;
    return region_split_by_hand(m, r, key);
}

enum merge_refusal model_merge(struct model *m, struct region *const *regions, size_t n, bool forcible)
{
    struct merge_region in[MERGE_MOST];
    enum merge_refusal why;
    size_t first = 0;

    if (n > MERGE_MOST)
        return MERGE_TOO_FEW;
    for (size_t i = 0; i < n; i++) {
        const struct region *r = regions[i];

        in[i] = (struct merge_region){(uint64_t)r->id, r->start.bytes, r->end.bytes, r->start.len, r->end.len,
                                      r->state == REGION_OPEN && r->trip == TRIP_NONE, region_has_references(m, r),
                                      r->merge_qualifier};
    }
    why = merge_check(in, n, forcible, &first);
    if (why == MERGE_OK)
        regions_merge(m, regions, n, regions[first]->server);
    return why;
}

void model_disable_table(struct model *m, struct table *t)
{
    for (size_t i = 0; i < t->regions_len; i++)
        if (m->regions[t->regions[i]]->state == REGION_OPEN)
            region_leave(m, m->regions[t->regions[i]], TRIP_DISABLE);
}

void model_enable_table(struct model *m, struct table *t)
{
    for (size_t i = 0; i < t->regions_len; i++)
        if (m->regions[t->regions[i]]->state == REGION_DISABLED)
            region_enable(m, m->regions[t->regions[i]]);
}
