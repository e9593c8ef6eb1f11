/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure over a run's sample windows, as the judge needs it: each window's value and who had it. */
#ifndef EXPECT_TRACK_H
#define EXPECT_TRACK_H

#include "result/result.h"
#include "spec/figure.h"

struct track_point {
    double begin_s, end_s;
    double value;                     /* NaN = no sample */
    int server;                       /* who had it; -1 = nobody in particular */
    double inside_s;                  /* seconds of it that lie in the judged stretch */
};

struct track {
    struct track_point *points;      /* one a window of the run */
    size_t len;
    const struct spec_figure *figure;
};

/* The values of |figure| (of |server|, where its scope is a server). 0, or -1 without memory; the
   caller frees points. */
int track_make(const struct spec_figure *figure, const struct result_run *run, int server, struct track *out);

/* Marks what lies in [begin_s, end_s). Returns how many windows with a value belong to it. */
size_t track_cut(struct track *trk, double begin_s, double end_s);

/* The stretch's one number by the figure's rule; NaN without a sample, or without memory. */
double track_value(const struct track *trk);

/* Index of the worst window of the stretch (the largest value if |at_most|, else the smallest; of
   equals the first); len without a sample. */
size_t track_worst(const struct track *trk, bool at_most);

/* Begin of the unbroken stretch of windows beyond the bound around window |at|, seconds. */
double track_since(const struct track *trk, size_t at, bool at_most, double bound);

/* Whether a window belongs to the judged stretch. */
bool track_counts(const struct track_point *pt);

#endif
