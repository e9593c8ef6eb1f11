/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_WALK_H
#define HBASE_BALANCE_WALK_H

#include "hbase/balance/costs.h"

/* Proposes actions as StochasticLoadBalancer's candidate generators do. */
struct balance_proposer {
    const struct balance_state *st;
    const struct balance_draw *draw;
    double base[GENERATORS];  /* cumulative shares after the last action that changed something */
    double share[GENERATORS]; /* in force: HBase sums them up once more after a null action */
    uint32_t *most, *least;   /* servers with the most and fewest regions, for the load generator */
    uint32_t n_most, n_least;
    bool stale;
};

int balance_proposer_init(struct balance_proposer *p, const struct balance_state *st,
                          const struct balance_draw *draw);
void balance_proposer_free(struct balance_proposer *p);

/* Takes new weights (after each action that was kept). */
void balance_proposer_weights(struct balance_proposer *p, const double weight[GENERATORS]);

/* The next proposal into |a|; false for a null action. */
bool balance_propose(struct balance_proposer *p, struct balance_action *a);

/* How long a walk is, and what became of it. */
struct balance_walk_length {
    uint64_t steps;
    uint64_t watch;             /* a step at which somebody looks */
    uint64_t accepted;          /* proposals kept */
    uint64_t accepted_by_watch; /* of them, before step |watch| */
};

/* balanceTable's walk: so many proposals, each kept if it lowers the total strictly. Returns 0 or
   BALANCE_NO_MEMORY. */
int balance_walk(struct balance_state *st, struct balance_costs *c,
                 const struct balance_draw *draw, struct balance_walk_length *length);

#endif
