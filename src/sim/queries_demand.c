/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the writes ask of each server, where they come in calls: what clients were offered since the last
   look, in the proportions in which the regions got it. Clients whose server is full hold all their rows
   back, so that the proportions stay those of the keys. */
#include <stdlib.h>
#include <string.h>

#include "sim/queries.h"

/* The region's rows since the last look. */
static uint64_t since(const struct queries *q, int id)
{
    const uint64_t before = (size_t)id < q->writes_len ? q->writes[id] : 0;

    return q->model->regions[id]->writes - before;
}

static int note_writes(struct queries *q)
{
    const struct model *m = q->model;

    if (q->writes_len < m->regions_len) {
        uint64_t *more = realloc(q->writes, m->regions_len * sizeof *more);

        if (!more)
            return MODEL_NO_MEMORY;
        q->writes = more;
        q->writes_len = m->regions_len;
    }
    for (size_t i = 0; i < m->regions_len; i++)
        q->writes[i] = m->regions[i]->writes;
    return 0;
}

static uint64_t done_since(const struct queries *q)
{
    uint64_t n = 0;

    for (size_t i = 0; i < q->model->regions_len; i++)
        n += q->model->regions[i]->table >= 0 ? since(q, (int)i) : 0;
    return n;
}

int queries_note_demand(struct queries *q)
{
    struct model *m = q->model;
    const des_time now = des_now(m->cal);
    const double capacity = spec_write_capacity_per_s(m->spec) * des_time_to_s(now - q->demand_at);

    /* Where nothing was done since, the last proportions hold; before anything was, regions are alike. */
    const bool begun = q->writes_len > 0;

    if (q->settled || now <= q->demand_at || (begun && done_since(q) == 0))
        return 0;
    for (size_t s = 0; s < m->servers_len; s++)
        m->servers[s].write_demand = 0;
    for (size_t t = 0; t < m->tables_len; t++) {
        double offered = 0, done = 0;

        for (size_t i = 0; i < q->sources_len; i++)
            if (q->sources[i].table == (int)t)
                offered += (double)(arrivals_before(q->sources[i].keys->arrivals, now) -
                                    arrivals_before(q->sources[i].keys->arrivals, q->demand_at));
        for (size_t i = 0; i < m->tables[t].regions_len; i++)
            done += begun ? (double)since(q, m->tables[t].regions[i]) : 1;
        for (size_t i = 0; done > 0 && i < m->tables[t].regions_len; i++) {
            const struct region *r = m->regions[m->tables[t].regions[i]];

            m->servers[r->server].write_demand += offered * (begun ? (double)since(q, r->id) : 1) / done / capacity;
        }
    }
    q->demand_at = now;
    return note_writes(q);
}
