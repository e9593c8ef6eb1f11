/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the regions of freshly created tables sit, and what that makes of a load: the same pure
   functions and the same draws as a run of that seed, so that replication i says what the run with
   des_replication_seed(seed, i) begins with. A split leaves both daughters on their server, so the
   shares of the servers stay until a balancer moves something. */
#ifndef PLAN_PLACEMENT_H
#define PLAN_PLACEMENT_H

#include "plan/shares.h"
#include "result/result.h"

/* Places the tables of |load| on |sp|'s servers with the draws of |seed| and fills those figures of
   the summary that follow: ratios, shares, tails, idle servers, the rate that the hottest server
   carries, regions. The others are NaN. 0 or SIM_NO_MEMORY. */
int plan_place(const struct spec *sp, const struct plan_load *load, uint64_t seed, struct result_summary *sum);

/* Rows per second of each server instead, |servers| values. */
int plan_place_servers(const struct spec *sp, const struct plan_load *load, uint64_t seed, double *rate);

#endif
