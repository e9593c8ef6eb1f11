/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run says of the placement of its write tails: how long they were stacked, what the balancer
   did about it, and how much of its work was needed. Reads the run's windows and events. */
#ifndef SIM_PLACEMENT_H
#define SIM_PLACEMENT_H

#include <stdbool.h>

#include "result/result.h"

/* More tails on one server than an even spread over the live ones makes unavoidable. */
bool placement_stacked(const struct result_window *w);

/* Fills stacked_s, thrash and the counts of moves and of the balancer's runs. 0 or -1 without memory. */
int placement_fill(struct result_run *run);

/* Adds what a reader should know as diagnostics. 0 or -1 without memory. */
int placement_describe(const struct result_run *run, struct result *res);

#endif
