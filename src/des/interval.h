/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_INTERVAL_H
#define DES_INTERVAL_H

#include <stddef.h>
#include <stdint.h>

#include "des/error.h"
#include "des/tally.h"

/* A mean with its confidence interval (Student's t). |confidence| is 0.95 or 0.99 or any other in
   (0, 1). */
struct des_interval {
    double mean, lo, hi;
};

/* Mean of independent replications, |n| figures. DES_TOO_FEW below two: one run has no interval.
   DES_DOMAIN for a confidence outside (0, 1) or a figure that isn't finite. */
int des_summary(const double *x, size_t n, double confidence, struct des_interval *out);

/* Mean of the differences x[i] - y[i] of two candidates run with the same seeds: with common
   random numbers much narrower than the difference of two summaries. */
int des_summary_paired(const double *x, const double *y, size_t n, double confidence,
                       struct des_interval *out);

/* From a tally of independent figures. */
int des_tally_interval(const struct des_tally *t, double confidence, struct des_interval *out);

/* Batch means, for one long run whose successive observations (waits in a queue) depend on each
   other: they are averaged in batches so long that the batches hardly do. The number of batches
   stays between 20 and 39 however long the run is; their length doubles each time there are 40.
   Observations of the last, unfinished batch wait and aren't in the interval. A quantity over
   time goes in as its mean of each window of equal length. A zeroed struct is empty and ready. */
#define DES_BATCHES_MAX 40
struct des_batches {
    double mean[DES_BATCHES_MAX];
    uint32_t batches;   /* finished ones */
    uint64_t length;    /* observations a batch; 0 stands for 1 */
    uint64_t in_open;   /* observations of the unfinished batch */
    double open_sum;    /* and their sum */
};

void des_batches_add(struct des_batches *b, double value);

/* DES_TOO_FEW before the 20th batch, DES_DOMAIN as above. */
int des_batches_interval(const struct des_batches *b, double confidence, struct des_interval *out);

/* Correlation of neighbouring batches: near 0 where the interval can be trusted, above 0.3 the run
   is too short. DES_TOO_FEW before the 20th batch or where all are equal. */
int des_batches_correlation(const struct des_batches *b, double *correlation);

#endif
