/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which bucket count: runs the scenario once for each candidate, reads the deciding figures from
   each run, and recommends the smallest candidate that meets all targets. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "result/result.h"
#include "sim/sim.h"
#include "spec/spec.h"

/* Fills res->plan (a candidate for each of sp->plan's, in that order) and res->run with the run of
   the recommended one, or of the scenario's own N where none is feasible. |res| was initialised by
   result_init. |jobs| candidates run at the same time. 0 or an enum sim_error, |end| then tells. */
int plan_run(const struct spec *sp, unsigned jobs, const struct sim_control *control, struct result *res,
             struct sim_end *end);

/* Value of a figure of the summary by its name in result.json; false for an unknown name. */
bool plan_metric(const struct result_summary *sum, const char *name, double *value);

#endif
