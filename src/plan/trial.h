/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A candidate under trial: the scenario with its N, the load that this makes of the streams, and its
   figures at each size that the cluster will have, from as many replications as the targets need.

   A replication is a placement (plan/placement.h) where nothing else moves the figures that are asked
   for, and a run where something does: events, a given state, keys from a file, targets that only a
   run knows. plan_needs_runs tells which. */
#ifndef PLAN_TRIAL_H
#define PLAN_TRIAL_H

#include "plan/growth.h"
#include "plan/shares.h"
#include "plan/text.h"
#include "result/result.h"
#include "sim/sim.h"

#define PLAN_REPLICATIONS_MIN 20
#define PLAN_REPLICATIONS_STEP 10
#define PLAN_REPLICATIONS_MAX 400     /* of placements */
#define PLAN_RUNS_MIN 10              /* of runs, each of which costs as much as hundreds of placements */
#define PLAN_RUNS_STEP 5
#define PLAN_RUNS_MAX 30
#define PLAN_RUNS_LEAST 3             /* of long ones: an interval of three is wide, and what it leaves open isn't called good */
#define PLAN_CONFIDENCE 0.95

/* A figure closer to its bound than this share of it is undecided, and no more replications are made
   to find out: the machine model is not that good. Counts are exact and have no such floor. */
#define PLAN_MARGIN_FLOOR 0.01

/* What a run of the planner is for; it decides on detail and length. */
enum plan_purpose {
    PLAN_PROBE,                       /* what one query opens: the shortest run there is */
    PLAN_REPLICATION,
    PLAN_CONFIRM                      /* the finalists */
};

/* Rows at the peak rate after which the run that confirms is cut. */
#define PLAN_CONFIRM_ROWS 300e6

/* A spec for such a run, a copy with other detail and duration. 0 or SIM_NO_MEMORY. */
int plan_run_spec(const struct spec *sp, enum plan_purpose purpose, struct spec *out);

/* The same for a run that times queries: by shares, long enough for what they look back on. */
int plan_timing_spec(const struct spec *sp, struct spec *out);

bool plan_needs_runs(const struct spec *sp);

/* A target is the time of a query: probes are runs that are long enough to ask it. */
bool plan_asks_query_times(const struct spec *sp);

/* A candidate's figures with one number of servers. */
struct plan_eval {
    int servers;
    struct result_summary *rep;
    size_t reps;
};

struct plan_trial {
    int n;
    struct spec spec;
    bool copied;
    bool presplit;                    /* unsalted, cut at quantiles of its keys: they are spread already */
    struct plan_load load;
    struct result_run probe;
    struct plan_eval eval[PLAN_POINTS_MAX];
    size_t evals;
    bool cut;                         /* the plan was interrupted before the figures were settled */
    struct sim_end end;
};

/* All that a plan works on. */
struct plan_work {
    const struct spec *sp;
    const struct plan_keys *keys;
    struct plan_growth growth;
    bool runs;                        /* replications are runs */
    bool probes;                      /* a probing run tells what queries open */
    bool probe_counts;                /* and no more than that: neither times nor blocks */
    bool times;                       /* the probing run is long enough to time them */
    bool by_load;                     /* regions sit as a balancer by write load would have them */
    double demand_per_s;              /* of all streams at the start, at their peak */
    double floor_per_s;               /* one server is enough below this */
    bool one_server;                  /* and the demand stays below it to the end */
    const struct sim_control *control;
};

/* Streams' rates, growth, floor; |keys| must be open. */
void plan_work_of(const struct spec *sp, const struct plan_keys *keys, const struct sim_control *control,
                  struct plan_work *work);

/* Whether the caller wants the plan to end now. */
bool plan_stopped(const struct plan_work *work);

/* Tries |n|: fills the trial, which plan_trial_free releases in any case. 0 or an enum sim_error. */
int plan_try(const struct plan_work *work, int n, struct plan_trial *trial);
void plan_trial_free(struct plan_trial *trial);

/* Value of a figure of the summary by its name in result.json; false for an unknown name. */
bool plan_metric(const struct result_summary *sum, const char *name, double *value);

/* A figure of the trial, of the summary or of a query (QUERY.scans), at size |size|, with its
   interval; false where it has none. A figure that is the same in all replications has lo = hi. */
bool plan_figure(const struct plan_trial *trial, const char *metric, size_t size, struct result_figure *out);

/* How a figure stands to a bound. */
enum plan_stand { PLAN_MET, PLAN_MISSED, PLAN_UNDECIDED };
enum plan_stand plan_stands(const struct spec_target *target, const struct result_figure *fig);

/* Distance to the bound as a share of it; below 0: missed. */
double plan_margin(const struct spec_target *target, double value);

/* The demand of a point as a target: max_write_rate_per_s >= demand with headroom. */
struct spec_target plan_demand_target(const struct plan_work *work, const struct plan_point *point);

/* Whether the target is about evenness, which doesn't matter while one server carries everything. */
bool plan_target_waived(const struct plan_work *work, const struct plan_trial *trial, const struct spec_target *target);

/* All targets at all points of the growth, into |cand|: feasible, undecided, margin, when it breaks
   and why_not. 0 or SIM_NO_MEMORY. */
int plan_judge(const struct plan_work *work, const struct plan_trial *trial, struct result_candidate *cand);

/* The candidate's figures at the start, then plan_judge. */
int plan_fill_candidate(const struct plan_work *work, const struct plan_trial *trial, struct result_candidate *cand);

#endif
