/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_TALLY_H
#define DES_TALLY_H

#include <stdint.h>

#include "des/error.h"
#include "des/time.h"

/* Two running summaries in constant memory. A zeroed des_tally is empty and ready.
   Both keep mean and squared deviations by Welford's and West's updates, which lose no digits
   where the mean is far larger than the spread. */

/* Observations that count the same each. */
struct des_tally {
    uint64_t count;
    double mean; /* of those so far; 0 while empty */
    double m2;   /* sum of squared deviations from the mean */
    double min, max;
};

void des_tally_add(struct des_tally *t, double value);

/* As if all of |other| had been added to |t| too. */
void des_tally_merge(struct des_tally *t, const struct des_tally *other);

/* DES_TOO_FEW while empty. */
int des_tally_mean(const struct des_tally *t, double *mean);

/* Of the sample, divided by count - 1; DES_TOO_FEW below two. */
int des_tally_variance(const struct des_tally *t, double *variance);

/* A quantity that keeps its value until it is set anew (queue length, bytes in a memstore), each
   value weighted with the time that it lasted. */
struct des_timeavg {
    des_time start;   /* of the averaging */
    des_time last;    /* of the last change */
    double value;     /* since then */
    double integral;  /* of the value over time from start to last, in value x ns */
    double mean;      /* over start to last */
    double m2;        /* squared deviations x ns */
    double min, max;  /* of all values, those that lasted 0 ns too */
};

/* Starts (or starts again, forgetting a warm-up) at |now| with |value|. */
void des_timeavg_init(struct des_timeavg *t, des_time now, double value);

/* From |now| on the value is |value|. |now| not before the last change: DES_PAST otherwise. */
int des_timeavg_set(struct des_timeavg *t, des_time now, double value);

/* des_timeavg_set by a difference. */
int des_timeavg_add(struct des_timeavg *t, des_time now, double change);

/* Mean and variance over start to |now|, the variance divided by the whole time; DES_TOO_FEW
   where no time has passed, DES_PAST for now before the last change. */
int des_timeavg_mean(const struct des_timeavg *t, des_time now, double *mean);
int des_timeavg_variance(const struct des_timeavg *t, des_time now, double *variance);

#endif
