/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_OPTIONS_H
#define HBASE_BALANCE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The balancer's settings under HBase's own property names, with the defaults of 2.6.1. */

enum balancer_kind {
    BALANCER_STOCHASTIC = 0,
    BALANCER_SIMPLE,
    BALANCER_OFF
};

/* The cost functions of StochasticLoadBalancer 2.6.1 in the order in which it sums them. */
enum balancer_cost {
    BALANCER_COST_REGION_COUNT = 0,
    BALANCER_COST_PRIMARY_REGION_COUNT, /* needed with replicas only */
    BALANCER_COST_MOVE,
    BALANCER_COST_SERVER_LOCALITY,
    BALANCER_COST_RACK_LOCALITY,
    BALANCER_COST_TABLE_SKEW,
    BALANCER_COST_REPLICA_HOST, /* needed with replicas only */
    BALANCER_COST_REPLICA_RACK, /* needed with replicas only */
    BALANCER_COST_READ,
    BALANCER_COST_WRITE,
    BALANCER_COST_MEMSTORE,
    BALANCER_COST_STOREFILE,
    BALANCER_COSTS
};

struct balancer_options {
    enum balancer_kind kind;
    double multiplier[BALANCER_COSTS];
    double move_cost_offpeak;    /* multiplier of the move cost in off-peak hours */
    bool offpeak;                /* it is an off-peak hour: the caller holds the clock */
    bool by_table;               /* hbase.master.loadbalance.bytable */
    bool run_max_steps;          /* maximum instead of minimum of the two step limits */
    double slop;                 /* hbase.regions.slop; negative: no slop gate */
    double overall_slop;         /* hbase.regions.overallSlop (Simple); NaN: as |slop| */
    double min_cost_need_balance;
    double max_move_percent;     /* share of the regions that one run may move, at least 600 */
    uint64_t max_steps;
    uint64_t steps_per_region;
    int64_t max_running_us;      /* recorded, never acted on: see balancer_decision.steps */
    int64_t period_us;           /* hbase.balancer.period */
    int64_t max_balancing_us;    /* hbase.balancer.max.balancing; negative: as |period_us| */
    double max_rit_percent;      /* hbase.master.balancer.maxRitPercent */
    int64_t status_period_us;    /* hbase.balancer.statusPeriod */
};

/* A row of the table of properties; |value| is what 2.6.1 has without a setting. */
struct balancer_property {
    const char *name;
    const char *what; /* one line of help */
    double value;
    double min, max;  /* both included */
    size_t offset;    /* in struct balancer_options */
    enum { BALANCER_DOUBLE, BALANCER_FLOAT, BALANCER_UINT, BALANCER_BOOL, BALANCER_MS } type;
};

/* The table; |count| receives its length. Times are in ms there, as HBase reads them. */
const struct balancer_property *balancer_properties(size_t *count);

void balancer_options_init(struct balancer_options *options);

/* Sets one property by its full name. BALANCER_FLOAT rounds to a Java float first, since HBase
   reads it so. Returns 0 or BALANCE_BAD_OPTION. */
int balancer_options_set(struct balancer_options *options, const char *name, double value);

/* "StochasticLoadBalancer" (with or without its package), "SimpleLoadBalancer", "off". */
int balancer_kind_parse(const char *text, enum balancer_kind *kind);

/* "RegionCountSkew", "WriteRequest", ... : the name of the cost function without its suffix. */
const char *balancer_cost_name(enum balancer_cost cost);

#endif
