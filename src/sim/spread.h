/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the load spreads over the servers while regions split and the balancer runs: the hot server ratio
   after each of these, and where daughters go. Reads the run's windows and events. */
#ifndef SIM_SPREAD_H
#define SIM_SPREAD_H

#include "result/result.h"

/* At or below this hot server ratio a table counts as spread: the planner's default target. */
#define SPREAD_RATIO 1.6

/* Gives each split and each run of the balancer the ratio of the next window as an input, and fills
   spread_at_s. */
void spread_fill(struct result_run *run);

/* Adds what a reader should know as diagnostics. 0 or -1 without memory. */
int spread_describe(const struct result_run *run, struct result *res);

#endif
