/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_MOVES_H
#define HBASE_BALANCE_MOVES_H

#include <stddef.h>
#include <stdint.h>

#include "hbase/balance/balancer.h"

/* Counting what balancing did: useful and useless moves, thrash of a load, tails on a server. */

struct move_counts {
    size_t moves;
    size_t necessary;    /* left when cycles of the graph from -> to are cancelled */
    size_t redundant;    /* the others: they changed nothing in how many regions a server has */
    size_t regions;      /* regions moved at least once */
    size_t regions_again; /* of them, moved more than once */
};

/* Moves as a directed multigraph between servers: a cycle (A to B and back, or round three servers)
   leaves every server's count as it was, so its edges are redundant. Pairs there and back are
   cancelled first, then longer cycles as a walk in server order meets them; what is left has no
   cycle. Returns 0, BALANCE_NO_MEMORY or BALANCE_BAD_SERVER. */
int moves_count(const struct balancer_plan *moves, size_t n, uint32_t n_servers,
                struct move_counts *counts);

/* Thrash of a series (one server's load over time) in units of |range|, the span of that load over
   all servers and times: 0 for a monotone series, 2 for there and back over the whole range.
   With up and down the sums of the rises and falls: 2 x min(up, down) / range; 0 where range is. */
double moves_thrash(const double *series, size_t n, double range);

/* Regions with a write rate of at least |share| of the largest one's (offline ones aside), counted
   for each server into |tails| (n_servers values). Returns their number. */
size_t moves_hot_tails(const struct balancer_cluster *cluster, double share, uint32_t *tails);

/* Largest / mean of the servers' write rates; 0 where nothing is written. Dead servers don't count,
   draining ones do. Returns 0 or BALANCE_NO_MEMORY. */
int moves_hot_ratio(const struct balancer_cluster *cluster, double *ratio);

/* Smallest hbase.master.balancer.stochastic.writeRequestCost at which the cost gate would let a run
   start on this state, all else unchanged; infinite where none does. */
double moves_write_multiplier_needed(const struct balancer_decision *decision);

#endif
