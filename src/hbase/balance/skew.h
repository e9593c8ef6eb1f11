/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_SKEW_H
#define HBASE_BALANCE_SKEW_H

#include <stdint.h>

/* DoubleArrayCost of HBase 2.6.1: how unevenly a quantity is spread over the servers, 0 (as even as
   whole units allow) to 1 (all on one server). The walk asks what a move would make of it far more
   often than it moves, so the sum of squared deviations from the mean is kept: a candidate is then
   judged in O(1) instead of O(servers). */
struct skew {
    double mean;
    double min;
    double max;
    double squares; /* sum of squared deviations from |mean| */
    double cost;
};

/* DoubleArrayCost.getMinSkew: the deviation when whole units are spread as evenly as can be. With a
   rounding trait that is kept: a total just below a whole number loses one unit. */
double skew_min(double total, double n);

/* DoubleArrayCost.getMaxSkew: the deviation when all is on one server. */
double skew_max(double total, double n);

/* CostFunction.scale with its epsilon of 0.0001. */
double skew_scale(double min, double max, double value);

/* Sums |n| values in index order, as HBase does, and fills |s|. */
void skew_fill(struct skew *s, const double *x, uint32_t n);

/* The same for counts. */
void skew_fill_counts(struct skew *s, const uint32_t *x, uint32_t n);

/* Sum of squares after one server went from |a| to |a2| and another from |b| to |b2|; the total
   must stay. Never negative. */
static inline double skew_squares_after(const struct skew *s, double a, double a2, double b,
                                        double b2)
{
    double da = a - s->mean, da2 = a2 - s->mean, db = b - s->mean, db2 = b2 - s->mean;
    double squares = s->squares + (da2 * da2 - da * da) + (db2 * db2 - db * db);
    return squares > 0 ? squares : 0;
}

/* Cost for a sum of squares. */
double skew_cost_of(const struct skew *s, double squares);

#endif
