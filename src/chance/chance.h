/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What chance alone would give: balls thrown into bins, each bin alike. A spread (rows a bucket, tails
   or regions a server) is called even or skewed against that range, not by eye. */
#ifndef CHANCE_CHANCE_H
#define CHANCE_CHANCE_H

#include "result/result.h"

/* The fullest of |bins| bins after |balls| balls: mean, and the range that holds 95 % of all throws.
   0, or -1 where there is no bin or no ball, or without memory. Exact for up to 512 balls; beyond,
   bins count as independent (binomial, normal from 1,000 balls a bin). */
struct chance_range {
    double mean, lo, hi;
};
int chance_fullest(double balls, double bins, struct chance_range *out);

/* A fullest bin that is beyond chance's range by less than this share of it is no matter to an operator. */
#define CHANCE_NO_MATTER 0.01

/* Fills the run's spreads from its regions, servers and summary: rows a bucket, write tails and
   regions a server, hot server ratio. 0, or -1 without memory. */
int chance_fill(struct result_run *run);

#endif
