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

bool model_move(struct model *m, struct region *r, int server)
{
    if (r->state != REGION_OPEN || r->trip != TRIP_NONE || r->server == server)
        return false;
    r->trip_to = server;
    region_leave(m, r, TRIP_MOVE);
    return true;
}
