/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_VIEW_H
#define HBASE_BALANCE_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "hbase/balance/balancer.h"

enum { VIEW_NONE = UINT32_MAX };

/* What the master hands to a balancer (RegionStates.getAssignmentsForBalancer): live servers and
   their open regions, source server by source server, for each table or all together. */
struct balance_view {
    uint32_t *server;  /* live servers in the order of the run, n_servers of them */
    uint32_t *hash;    /* the same in hash order (positions in |server|) */
    uint32_t *position; /* of each of the cluster's servers in |server|, or VIEW_NONE */
    uint32_t n_servers;
    uint32_t *region; /* the cluster's regions in view, n_regions of them */
    size_t n_regions;
    size_t *first; /* slice s of |region| is [first[s], first[s + 1]) */
    size_t n_slices; /* 1, or the number of tables by table */
    int by_table;
};

/* Returns 0 or a negative enum balance_error; then nothing is held. */
int balance_view_init(struct balance_view *view, const struct balancer_cluster *cluster,
                      int by_table);

void balance_view_free(struct balance_view *view);

/* Room for one more decision or plan in |out|; |cap| belongs to the caller. */
struct balancer_decision *outcome_decision(struct balancer_outcome *out, size_t *cap);
struct balancer_plan *outcome_plan(struct balancer_outcome *out, size_t *cap);

/* Gates that look at counts only. |count| holds n values. */
void decision_counts(struct balancer_decision *d, const uint32_t *count, uint32_t n, double slop);
int decision_idle_server(const struct balancer_decision *d);
int decision_sloppy_server(const struct balancer_decision *d);

#endif
