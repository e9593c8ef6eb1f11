/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_BALANCER_H
#define HBASE_BALANCE_BALANCER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hbase/balance/cluster.h"
#include "hbase/balance/draw.h"
#include "hbase/balance/options.h"

/* One run of a balancer: state in, decisions and plans out. No clock: when it runs, how old the
   samples are and how long a move takes is the caller's. The same cluster, options and random
   words give the same plans.

       struct balancer_outcome out;
       if (balancer_may_run(&master) == BALANCER_GATE_NONE &&
           balancer_balance(&cluster, &options, &draw, &out) == 0) {
           ... out.decisions, out.plans ...
           balancer_outcome_free(&out);
       }
*/

/* What decided. */
enum balancer_gate {
    BALANCER_GATE_NONE = 0,        /* nothing stands in the way (balancer_may_run only) */
    BALANCER_GATE_SWITCH,          /* no: balance_switch false, or balancer off */
    BALANCER_GATE_TRANSITION,      /* no: a region is in transition */
    BALANCER_GATE_DEAD_SERVERS,    /* no: a dead server is still processed */
    BALANCER_GATE_FEW_SERVERS,     /* no: fewer than two servers */
    BALANCER_GATE_IDLE_SERVER,     /* yes: one server has no region and one has several */
    BALANCER_GATE_SLOP,            /* yes: a count outside average x (1 -+ slop) */
    BALANCER_GATE_COST,            /* yes: imbalance >= minCostNeedBalance */
    BALANCER_GATE_COST_BALANCED,   /* no: imbalance < minCostNeedBalance */
    BALANCER_GATE_COUNTS_BALANCED, /* no (Simple): counts within slop */
    BALANCER_GATE_OVERALL          /* yes (Simple, by table): the sum over all tables is sloppy */
};

/* A short name for logs and JSON: "idle-server", "slop", "cost", ... */
const char *balancer_gate_name(enum balancer_gate gate);

/* HMaster.balance's preconditions (HBase 2.6). */
struct balancer_master {
    bool switched_on;
    uint32_t regions_in_transition;
    uint32_t dead_servers_in_progress;
};

/* The first precondition that fails, or BALANCER_GATE_NONE. */
enum balancer_gate balancer_may_run(const struct balancer_master *master);

enum { BALANCER_ALL_TABLES = -1 };

/* One call of balanceTable: the whole ensemble, or one table in by-table mode. */
struct balancer_decision {
    int64_t table; /* BALANCER_ALL_TABLES or the table's index */
    bool needed;
    enum balancer_gate gate;
    uint32_t servers;
    uint32_t regions;
    uint32_t count_min, count_max;     /* regions of the least and most loaded server */
    uint32_t count_floor, count_ceil;  /* what slop allows; 0 and UINT32_MAX without slop */
    double cost[BALANCER_COSTS];       /* unmultiplied, before the walk; 0 where not needed */
    double cost_after[BALANCER_COSTS]; /* after it; equal to |cost| where it didn't run */
    double multiplier[BALANCER_COSTS]; /* in force; 0 where the function is not needed */
    double total, total_after;         /* sums of multiplier x cost */
    double multiplier_sum;
    double imbalance; /* total / multiplier_sum */
    double threshold; /* minCostNeedBalance */
    bool simple;      /* SimpleLoadBalancer's: no costs, but the sums over all tables */
    double overall_least, overall_most;  /* regions of all tables of the least and most loaded server */
    double overall_floor, overall_ceil;  /* what slop allows of these */
    /* Steps of the walk, null actions included, and how many were kept. A real master stops after
       maxRunningTime however far it is; here steps alone decide. Where its cut would have come is an
       estimate (balancer_real_step_us); it lost something if kept steps came later. */
    uint64_t steps, steps_accepted;
    uint64_t steps_in_time, accepted_in_time;
    size_t first_plan, n_plans; /* slice of the outcome's plans */
};

/* needsBalance as a function of what a decision looked at (servers, counts, imbalance, threshold,
   multiplier_sum, or the overall figures): the gate, and whether it says yes. */
enum balancer_gate balancer_gate_of(const struct balancer_decision *d, bool *needed);

struct balancer_plan {
    uint32_t region;
    uint32_t from;
    uint32_t to;
};

/* Plans in the order of execution. Owned arrays: balancer_outcome_free. */
struct balancer_outcome {
    struct balancer_decision *decisions;
    size_t n_decisions;
    struct balancer_plan *plans;
    size_t n_plans;
};

/* Runs the balancer that options->kind names (off: no decision, no plan). Returns 0 or a negative
   enum balance_error; on failure |out| is untouched. */
int balancer_balance(const struct balancer_cluster *cluster, const struct balancer_options *options,
                     const struct balance_draw *draw, struct balancer_outcome *out);

/* needsBalance alone: the decisions without a walk, no plan, nothing drawn. */
int balancer_decide(const struct balancer_cluster *cluster, const struct balancer_options *options,
                    struct balancer_outcome *out);

void balancer_outcome_free(struct balancer_outcome *out);

/* What a step costs a real master, us: it sums the loads of two servers twice and walks over all
   servers for each cost function. Fitted to the least loaded repeats of truth/balancer (0.4 us for
   each region of a server); good to a factor of two or three, on some other machine more. */
double balancer_real_step_us(uint32_t servers, uint32_t regions);

/* Pace of HMaster.executeRegionPlansWithThrottling: plan k (from 1) is submitted, then the master
   waits until start + k x interval or until nothing is in transition, whichever is first. */
int64_t balancer_plan_interval_us(const struct balancer_options *options, size_t n_plans);

/* Most regions that a run may have in transition at once (maxRitPercent), at least 1. */
uint32_t balancer_max_in_transition(const struct balancer_options *options, size_t n_regions);

#endif
