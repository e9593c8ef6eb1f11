/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cluster as the master shows it to a balancer (RegionStates.getAssignmentsForBalancer). Regions
   come in the order of their names: system and other tables, then the scenario's by start key. A
   lost server that isn't noticed yet looks as if nothing had happened. */
#include <stdlib.h>
#include <string.h>

#include "hbase/model/act.h"

static bool looks_open(const struct model *m, const struct region *r)
{
    if (r->state == REGION_OPEN)
        return true;
    return r->trip == TRIP_RECOVER && m->servers[r->server].known && !m->servers[r->server].live;
}

static void see_region(const struct model *m, struct model_view *v, const struct region *r)
{
    struct balancer_cluster *c = &v->cluster;
    struct balancer_region *b = &v->regions[c->n_regions];
    const struct load_rates rates = r->load_steady ? load_sample_rates(&r->steady)
                                    : r->load      ? load_history_rates(r->load)
                                                   : (struct load_rates){0};
    const size_t others = 3 + m->others_len;

    if (r->hidden)
        return;
    memset(b, 0, sizeof *b);
    b->table = (uint32_t)(r->table >= 0 ? others + (size_t)r->table : (size_t)r->other);
    b->server = (uint32_t)r->server;
    b->key_order = (uint32_t)c->n_regions;
    b->region_id = (int64_t)(m->epoch_ms + (uint64_t)(r->born / DES_MS));
    if (r->table < 0 && r->other < 2)
        b->flags |= BALANCER_REGION_SYSTEM;
    if (r->table < 0 && r->other == 0)
        b->flags |= BALANCER_REGION_META;
    if (!looks_open(m, r))
        b->flags |= BALANCER_REGION_OFFLINE;
    b->storefile_mb = rates.storefile_mb;
    b->storefile_last_mb = rates.storefile_last_mb;
    b->write_rate = rates.write_rate;
    b->read_rate = rates.read_rate;
    b->memstore_rate = rates.memstore_rate;
    /* Where its blocks lie is known from the state file, until it has written them anew. */
    for (size_t k = 0; r->given && r->compactions == 0 && k < r->given->local_len; k++)
        v->shares[c->n_block_shares++] =
            (struct balancer_block_share){(uint32_t)c->n_regions, (uint32_t)r->given->local[k], 1};
    v->ids[c->n_regions++] = r->id;
}

int model_view_new(const struct model *m, struct model_view *v)
{
    struct balancer_cluster *c = &v->cluster;
    size_t shares = 0;

    memset(v, 0, sizeof *v);
    for (size_t i = 0; i < m->spec->cluster.state_len; i++)
        shares += m->spec->cluster.state[i].local_len;
    v->regions = malloc((m->regions_len + 1) * sizeof *v->regions);
    v->ids = malloc((m->regions_len + 1) * sizeof *v->ids);
    v->shares = malloc((shares + 1) * sizeof *v->shares);
    v->server_state = calloc(m->servers_len, 1);
    if (!v->regions || !v->ids || !v->shares || !v->server_state) {
        model_view_free(v);
        return MODEL_NO_MEMORY;
    }
    for (size_t i = 0; i < m->regions_len; i++)
        if (m->regions[i]->table < 0)
            see_region(m, v, m->regions[i]);
    for (size_t t = 0; t < m->tables_len; t++)
        for (size_t i = 0; i < m->tables[t].regions_len; i++)
            see_region(m, v, m->regions[m->tables[t].regions[i]]);
    for (size_t s = 0; s < m->servers_len; s++)
        v->server_state[s] = !m->servers[s].known      ? BALANCER_SERVER_DEAD
                             : m->servers[s].draining  ? BALANCER_SERVER_DRAINING
                                                       : BALANCER_SERVER_LIVE;
    c->regions = v->regions;
    c->server_state = v->server_state;
    c->server_list = m->server_list;
    c->n_servers = (uint32_t)m->servers_len;
    c->n_tables = (uint32_t)(3 + m->others_len + m->tables_len);
    c->block_shares = c->n_block_shares > 0 ? v->shares : NULL;
    return 0;
}

void model_view_free(struct model_view *v)
{
    free(v->regions);
    free(v->ids);
    free(v->shares);
    free(v->server_state);
}
