/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart/ticks.h"

#define RANGE_MAX 1e300
#define LOG_DECADES 3                 /* shown below the top where a log range has no low end */

/* Both ends finite, rising, and far enough apart for doubles to tell ticks from each other. */
static void make_drawable(double *lo, double *hi)
{
    if (!isfinite(*lo) || fabs(*lo) > RANGE_MAX)
        *lo = *lo > 0 && !isnan(*lo) ? RANGE_MAX : *lo < 0 ? -RANGE_MAX : 0;
    if (!isfinite(*hi) || fabs(*hi) > RANGE_MAX)
        *hi = *hi < 0 ? -RANGE_MAX : *hi > 0 ? RANGE_MAX : *lo;
    if (*hi < *lo) {
        double swap = *lo;
        *lo = *hi;
        *hi = swap;
    }
    double size = fmax(fabs(*lo), fabs(*hi));
    if (*hi - *lo > size * 1e-9 && *hi - *lo > 1e-290)
        return;
    if (size < 1e-290) { /* all zero */
        *lo = 0;
        *hi = 1;
    } else if (*lo >= 0) {
        *lo = 0;
        *hi = size * 2 <= RANGE_MAX ? size * 2 : RANGE_MAX;
    } else {
        *hi = size;
        *lo = -size;
    }
}

static void make_logarithmic(double *lo, double *hi)
{
    if (!(*hi > 0) || !isfinite(*hi))
        *hi = *lo > 0 && isfinite(*lo) ? *lo : 1;
    *hi = fmin(fmax(*hi, 1e-290), RANGE_MAX);
    if (!(*lo > 0) || !isfinite(*lo) || *lo > *hi)
        *lo = *hi / pow(10, LOG_DECADES);
    if (*lo < 1e-300)
        *lo = 1e-300;
    if (*hi / *lo < 1.0001) {
        *lo = *lo / 2;
        *hi = *hi * 2;
    }
}

struct scale scale_make(enum scale_kind kind, double lo, double hi, double from, double to)
{
    switch (kind) {
    case SCALE_LOG10:
    case SCALE_LOG2:
        make_logarithmic(&lo, &hi);
        break;
    case SCALE_PERCENTILE:
        lo = lo >= 0 && lo < 1 ? lo : 0;
        lo = fmin(lo, 0.999999);
        hi = hi > lo + (1 - lo) / 1000 && hi < 1 ? hi : 1 - (1 - lo) / 1000;
        break;
    case SCALE_LINEAR:
    case SCALE_BYTES:
    case SCALE_TIME:
        make_drawable(&lo, &hi);
        break;
    }
    return (struct scale){kind, lo, hi, from, to};
}

static double straight(enum scale_kind kind, double value)
{
    if (kind == SCALE_LOG10 || kind == SCALE_LOG2)
        return log10(value);
    if (kind == SCALE_PERCENTILE)
        return -log10(1 - value);
    return value;
}

double scale_at(const struct scale *scale, double value)
{
    bool logarithmic = scale->kind == SCALE_LOG10 || scale->kind == SCALE_LOG2;
    if (isnan(value))
        return value;
    if (logarithmic && value <= 0)
        return scale->from;
    if (scale->kind == SCALE_PERCENTILE && value >= 1)
        return scale->to;
    double lo = straight(scale->kind, scale->lo), hi = straight(scale->kind, scale->hi);
    /* halved, so that a range of twice 1e300 does not overflow */
    double part = (straight(scale->kind, value) / 2 - lo / 2) / (hi / 2 - lo / 2);
    return scale->from + part * (scale->to - scale->from);
}

void scale_ticks(const struct scale *scale, int target, struct ticks *ticks)
{
    target = target < 2 ? 2 : target > 16 ? 16 : target;
    ticks->len = 0;
    switch (scale->kind) {
    case SCALE_LINEAR:
        ticks_linear(scale->lo, scale->hi, target, ticks);
        break;
    case SCALE_BYTES:
        ticks_bytes(scale->lo, scale->hi, target, ticks);
        break;
    case SCALE_TIME:
        ticks_time(scale->lo, scale->hi, target, ticks);
        break;
    case SCALE_LOG10:
        ticks_log10(scale->lo, scale->hi, target, ticks);
        break;
    case SCALE_LOG2:
        ticks_log2(scale->lo, scale->hi, target, ticks);
        break;
    case SCALE_PERCENTILE:
        ticks_percentile(scale->lo, scale->hi, ticks);
        break;
    }
}

struct scale scale_loose(const struct scale *scale, int target)
{
    struct ticks ticks;
    struct scale loose = *scale;
    if (scale->kind != SCALE_LINEAR && scale->kind != SCALE_BYTES)
        return loose;
    scale_ticks(scale, target, &ticks);
    if (ticks.len < 2)
        return loose;
    double step = ticks.at[1].value - ticks.at[0].value;
    double slack = step * 1e-9;
    if (ticks.at[0].value > loose.lo + slack)
        loose.lo = ticks.at[0].value - step;
    if (ticks.at[ticks.len - 1].value < loose.hi - slack)
        loose.hi = ticks.at[ticks.len - 1].value + step;
    return loose;
}
