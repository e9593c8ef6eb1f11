/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_STATE_H
#define HBASE_BALANCE_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "hbase/balance/view.h"

/* The state that a walk changes (BalancerClusterState of HBase 2.6): regions and servers under
   indices of their own, regions numbered source server by source server. */

enum { STATE_READ = 0, STATE_WRITE, STATE_MEMSTORE, STATE_STOREFILE, STATE_LOADS };

enum { STATE_NONE = UINT32_MAX };

struct state_region {
    double load[STATE_LOADS];
    uint32_t id;      /* in the cluster */
    uint32_t table;   /* 0 in a by-table run */
    uint32_t server;  /* now */
    uint32_t initial; /* when the run began */
};

/* A server's regions in HBase's order: removed with a shift, added at the end, swapped in place. */
struct state_list {
    uint32_t *region;
    uint32_t count;
    uint32_t cap;
};

struct state_share {
    uint32_t server;
    double weighted_mb; /* newest store size x share, as Java floats */
};

struct balance_state {
    uint32_t n_servers;
    uint32_t n_regions;
    uint32_t n_tables;
    struct state_region *regions;
    struct state_list *lists;
    uint32_t *counts;       /* regions of each server */
    uint32_t *table_counts; /* [table * n_servers + server] */
    uint32_t moved;         /* regions that aren't where they began */
    /* Locality; all NULL and 0 where none is known. */
    struct state_share *shares;
    uint32_t *share_first; /* slice of |shares| for each region */
    uint32_t *most_local;  /* server with the largest share, ties and none: the first */
    double best_mb;        /* sum of the largest shares */
};

/* A proposal: |region| goes from |from| to |to|, and, in a swap, |back| the other way. */
struct balance_action {
    uint32_t from, to;
    uint32_t region;
    uint32_t back; /* or STATE_NONE */
};

/* Regions of slice |slice| of |view|. Returns 0 or BALANCE_NO_MEMORY; then nothing is held. */
int balance_state_init(struct balance_state *st, const struct balancer_cluster *cluster,
                       const struct balance_view *view, size_t slice);

void balance_state_free(struct balance_state *st);

/* How |moved| changes if |region| goes from |from| to |to|. */
static inline int32_t state_moved_delta(const struct state_region *region, uint32_t from,
                                        uint32_t to)
{
    return region->initial == to ? -1 : region->initial == from ? 1 : 0;
}

/* MB of |region| that lie on |server|. */
double state_local_mb(const struct balance_state *st, uint32_t region, uint32_t server);

/* Carries out |a|. Returns 0 or BALANCE_NO_MEMORY (then nothing changed). */
int state_apply(struct balance_state *st, const struct balance_action *a);

#endif
