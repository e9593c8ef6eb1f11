/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_COSTS_H
#define HBASE_BALANCE_COSTS_H

#include <stdbool.h>

#include "hbase/balance/skew.h"
#include "hbase/balance/state.h"

/* The cost functions of StochasticLoadBalancer 2.6.1 on one balance_state, kept up to date as it
   changes, and asked what an action would make of them. */
struct balance_costs {
    double multiplier[BALANCER_COSTS]; /* 0: not needed */
    double cost[BALANCER_COSTS];
    double total;
    float multiplier_sum;
    struct skew count;
    struct skew *tables;        /* one for each table */
    struct skew load[STATE_LOADS];
    double *sums[STATE_LOADS];  /* each server's load */
    /* The total of fractional loads lies so near a whole number that the order of the sum decides
       what getMinSkew makes of it: such a function is summed anew for each candidate. */
    bool touchy[STATE_LOADS];
    double locality; /* 1 - cost */
    double move_scale, move_limit;
};

/* Returns 0 or BALANCE_NO_MEMORY; then nothing is held. */
int balance_costs_init(struct balance_costs *c, const struct balance_state *st,
                       const struct balancer_options *options);

void balance_costs_free(struct balance_costs *c);

/* Total after |a|, or a figure not below c->total as soon as it is sure to be one: computeCost's
   order of functions and its early cut. */
double balance_costs_after(const struct balance_costs *c, const struct balance_state *st,
                           const struct balance_action *a);

/* Locality (1 - its cost) after |a|. */
double balance_costs_locality_after(const struct balance_costs *c, const struct balance_state *st,
                                    const struct balance_action *a);

/* Brings everything up to date after state_apply(|a|): the sums are taken anew, so that no rounding
   piles up; |locality| is what the function above said before. */
void balance_costs_update(struct balance_costs *c, const struct balance_state *st,
                          const struct balance_action *a, double locality);

/* Candidate generators in HBase's order and their weights: sums of unmultiplied costs. */
enum { GENERATOR_RANDOM = 0, GENERATOR_LOAD, GENERATOR_LOCALITY, GENERATOR_RACK, GENERATORS };

void balance_costs_weights(const struct balance_costs *c, double weight[GENERATORS]);

#endif
