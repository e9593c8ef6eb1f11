/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cluster and its load over the time that a plan looks ahead, N being fixed: a point a month,
   from the table's creation to the end of the growth. A plan without growth has the first point only. */
#ifndef PLAN_GROWTH_H
#define PLAN_GROWTH_H

#include <stddef.h>

#include "spec/spec.h"

#define PLAN_MONTH_S (365.0 * 86400 / 12)
#define PLAN_POINTS_MAX 61

struct plan_point {
    double at_s;
    int servers;
    size_t size;                      /* index in |sizes| */
    double rate_factor;               /* of the streams' rates at the start */
};

struct plan_growth {
    struct plan_point point[PLAN_POINTS_MAX];
    size_t points;
    int sizes[PLAN_POINTS_MAX];       /* numbers of servers that occur, in the order of their time */
    double factor_max[PLAN_POINTS_MAX]; /* largest rate factor while the cluster has that size */
    size_t sizes_len;
    double horizon_s;
};

void plan_growth_of(const struct spec *sp, struct plan_growth *out);

/* Smallest N that loads all servers alike at each size that the growth names: the least common
   multiple; -1 where that is above 256. */
int plan_even_n(const struct spec *sp);

#endif
