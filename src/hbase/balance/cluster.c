/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/balance/cluster.h"

#include <math.h>
#include <string.h>

static int is_load(double x)
{
    return isfinite(x) && x >= 0;
}

static int region_check(const struct balancer_cluster *cluster, const struct balancer_region *r)
{
    if (r->table >= cluster->n_tables)
        return BALANCE_BAD_REGION;
    if (r->server >= cluster->n_servers)
        return BALANCE_BAD_SERVER;
    if (!is_load(r->storefile_mb) || !is_load(r->storefile_last_mb) || !is_load(r->write_rate) ||
        !is_load(r->read_rate) || !is_load(r->memstore_rate))
        return BALANCE_BAD_REGION;
    return BALANCE_OK;
}

int balancer_cluster_check(const struct balancer_cluster *cluster, size_t *at)
{
    size_t where = 0;
    int error = cluster->replicas > 1 ? BALANCE_REPLICAS
                : cluster->n_servers == 0 ? BALANCE_BAD_SERVER
                                          : BALANCE_OK;
    for (uint32_t i = 0; !error && cluster->server_list && i < cluster->n_servers; i++) {
        error = cluster->server_list[i] < cluster->n_servers ? BALANCE_OK : BALANCE_BAD_SERVER;
        where = i;
    }
    if (!error && cluster->n_regions >= UINT32_MAX)
        error = BALANCE_BAD_REGION;
    for (size_t i = 0; !error && i < cluster->n_regions; i++) {
        error = region_check(cluster, &cluster->regions[i]);
        where = i;
    }
    for (size_t i = 0; !error && i < cluster->n_block_shares; i++) {
        const struct balancer_block_share *b = &cluster->block_shares[i];
        where = i;
        if (b->region >= cluster->n_regions || !(b->share >= 0 && b->share <= 1) ||
            (i && b->region < b[-1].region))
            error = BALANCE_BAD_REGION;
        else if (b->server >= cluster->n_servers)
            error = BALANCE_BAD_SERVER;
    }
    if (error && at)
        *at = where;
    return error;
}

void balancer_cluster_counts(const struct balancer_cluster *cluster, uint32_t *counts)
{
    memset(counts, 0, cluster->n_servers * sizeof(*counts));
    for (size_t i = 0; i < cluster->n_regions; i++) {
        const struct balancer_region *r = &cluster->regions[i];
        int seen = !cluster->server_state ||
                   cluster->server_state[r->server] == BALANCER_SERVER_LIVE;
        if (seen && !(r->flags & BALANCER_REGION_OFFLINE))
            counts[r->server]++;
    }
}
