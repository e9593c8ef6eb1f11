/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a key is spread over its table already, without any salt: then it needs cuts, not a salt. */
#ifndef PLAN_SPREAD_H
#define PLAN_SPREAD_H

#include "plan/shares.h"

/* Regions that an unsalted table is cut into for each server. */
#define PLAN_PRESPLIT_PER_SERVER 2

/* For the unsalted tables of |sp| that begin as one region: cuts at quantiles of the first half of
   the sampled rows. Where the second half then falls into these regions evenly (none above
   PLAN_SPREAD_RATIO times the mean, and what chance adds), the table gets these cuts as its `splits = keys ...`, and
   |*found| is set. 0 or an enum sim_error. */
#define PLAN_SPREAD_RATIO 1.25
int plan_presplit(const struct plan_keys *keys, struct spec *sp, bool *found);

#endif
