/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run's headline figures, from its windows and totals. */
#ifndef SIM_SUMMARY_H
#define SIM_SUMMARY_H

#include "des/histogram.h"
#include "result/result.h"

/* Fills what follows from windows, servers and regions: ratios, tails, counts, the sustainable rate.
   A window that has too few rows to be judged carries NaN and is passed over. */
int summary_fill(struct result_run *run);

/* Fills the latency figures (ns in the histogram, us in the summary). */
void summary_latency(struct result_run *run, const struct des_histogram *h);

#endif
