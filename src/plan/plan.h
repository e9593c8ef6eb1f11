/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which bucket count: tries each candidate of a scenario's [plan] over many placements, at every size
   that the cluster will have, and recommends the smallest that meets all targets all the way; with the
   reasons against its neighbours, gates, what would change the answer, and what a growing load breaks
   first. Where no salt is needed, where none will help and where the layout must change, it says so.

   The same scenario and seed give the same result on any number of threads, and in any number of
   shards joined by plan_merge. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "result/result.h"
#include "sim/sim.h"
#include "spec/spec.h"

/* How the work is cut. Zeros: one thread a processor, all of it. */
struct plan_options {
    unsigned jobs;
    unsigned shard, shards;           /* candidates i with i mod shards = shard - 1; shards 0 = all */
    bool query_times;                 /* times the queries of each candidate, also where no target asks for it */
    bool no_variations;               /* leaves out what would change the answer */
};

/* Fills res->plan (a candidate for each of sp->plan's, in that order) and res->run with a run of the
   recommended one, or of the scenario's own N where none is feasible. |res| was initialised by
   result_init. A shard fills its candidates only and decides nothing. Where |control|'s stop ends it
   early, nothing is decided and res->partial is set. 0 or an enum sim_error, |end| then tells. */
int plan_run(const struct spec *sp, const struct plan_options *options, const struct sim_control *control,
             struct result *res, struct sim_end *end);

struct plan_shards {
    const struct result *result;
    size_t len;
};

/* The same from the candidates that the shards of the same scenario found, in any order; the shards
   stay the caller's. SIM_BAD_SPEC where they don't make up the whole, |end| says why. */
int plan_merge(const struct spec *sp, const struct plan_options *options, const struct plan_shards *shards,
               struct result *res, struct sim_end *end);

/* The scenario with a result's recommended N (or its cuts, where no salt is needed), for src/emit.
   0, SIM_NO_MEMORY, or SIM_BAD_SPEC where nothing is recommended. spec_free is the caller's. */
int plan_recommended_spec(const struct spec *sp, const struct result_plan *plan, struct spec *out);

#endif
