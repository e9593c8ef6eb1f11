/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From values to pixels, and which values deserve a label. Pure arithmetic, no drawing.

       struct scale x = scale_make(SCALE_TIME, 0, 7200, 100, 660);
       scale_at(&x, 3600)          -> 380
       scale_ticks(&x, 8, &ticks)  -> 0 15m 30m ... 2h

   Degenerate ranges (equal ends, NaN, infinite, a log scale from 0) are widened to a range that can
   be drawn, so nothing here loops or divides by 0. */
#ifndef CHART_SCALE_H
#define CHART_SCALE_H

#include <stdbool.h>

enum scale_kind {
    SCALE_LINEAR,
    SCALE_BYTES,                      /* linear, steps are powers of 2 */
    SCALE_TIME,                       /* linear, seconds, steps of clock and calendar */
    SCALE_LOG10,
    SCALE_LOG2,
    SCALE_PERCENTILE                  /* a share p below 1 at log10(1 / (1 - p)) */
};

struct scale {
    enum scale_kind kind;
    double lo, hi;                    /* domain */
    double from, to;                  /* pixels of lo and hi */
};

#define TICKS_MAX 32
#define TICK_LABEL_CAP 24

struct tick {
    double value;
    char label[TICK_LABEL_CAP];       /* UTF-8; equal decimals on all ticks of an axis */
};

struct ticks {
    struct tick at[TICKS_MAX];
    int len;                          /* rising, inside [lo, hi] */
};

struct scale scale_make(enum scale_kind kind, double lo, double hi, double from, double to);

/* Pixel of a value; NaN for NaN. Values outside the domain lie outside the pixels, but those that a
   log scale can't show (0 and below) lie on its low end. */
double scale_at(const struct scale *scale, double value);

/* Ticks that suit about |target| labels (2 to 16), all inside the domain. At least one, but for a
   log or percentile scale that holds no round value. */
void scale_ticks(const struct scale *scale, int target, struct ticks *ticks);

/* The domain widened to its outermost ticks, so that no data lies beyond the last label (linear and
   bytes; other kinds come back unchanged). */
struct scale scale_loose(const struct scale *scale, int target);

#endif
