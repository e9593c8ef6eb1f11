/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/balance/skew.h"

#include <math.h>

static const double COST_EPSILON = 0.0001;

double skew_min(double total, double n)
{
    double mean = total / n, min;
    if (n > total) {
        min = (n - total) * mean * mean + (1 - mean) * (1 - mean) * total;
    } else {
        double high = trunc(total - floor(mean) * n), low = trunc(n - high);
        min = high * (ceil(mean) - mean) * (ceil(mean) - mean) +
              low * (mean - floor(mean)) * (mean - floor(mean));
    }
    return sqrt(min);
}

double skew_max(double total, double n)
{
    double mean = total / n;
    return sqrt((total - mean) * (total - mean) + (n - 1) * mean * mean);
}

double skew_scale(double min, double max, double value)
{
    if (max <= min || value <= min || fabs(max - min) <= COST_EPSILON ||
        fabs(value - min) <= COST_EPSILON)
        return 0;
    double scaled = (value - min) / (max - min);
    return scaled > 1 ? 1 : scaled;
}

double skew_cost_of(const struct skew *s, double squares)
{
    return skew_scale(s->min, s->max, sqrt(squares));
}

static void skew_bounds(struct skew *s, double total, double n)
{
    s->mean = total / n;
    s->min = skew_min(total, n);
    s->max = skew_max(total, n);
    s->squares = 0;
}

void skew_fill(struct skew *s, const double *x, uint32_t n)
{
    double total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += x[i];
    skew_bounds(s, total, n);
    for (uint32_t i = 0; i < n; i++)
        s->squares += (s->mean - x[i]) * (s->mean - x[i]);
    s->cost = skew_cost_of(s, s->squares);
}

void skew_fill_counts(struct skew *s, const uint32_t *x, uint32_t n)
{
    double total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += x[i];
    skew_bounds(s, total, n);
    for (uint32_t i = 0; i < n; i++)
        s->squares += (s->mean - x[i]) * (s->mean - x[i]);
    s->cost = skew_cost_of(s, s->squares);
}
