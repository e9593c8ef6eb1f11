/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/scan_time.h"

#include <math.h>
#include <stdlib.h>

/* The pool: each thread takes the next scan when it is free. */
static double pool_us(const double *scan_us, size_t n, size_t threads)
{
    double *free_at = calloc(threads, sizeof *free_at), last = 0;

    if (!free_at)
        return -1;
    for (size_t i = 0; i < n; i++) {
        size_t first = 0;

        for (size_t k = 1; k < threads; k++)
            if (free_at[k] < free_at[first])
                first = k;
        free_at[first] += scan_us[i];
        last = fmax(last, free_at[first]);
    }
    free(free_at);
    return last;
}

double scan_time_us(const double *scan_us, size_t n, size_t threads)
{
    double sum = 0, slowest = 0;

    for (size_t i = 0; i < n; i++) {
        sum += scan_us[i];
        slowest = fmax(slowest, scan_us[i]);
    }
    if (threads == 1)
        return sum;
    return threads == 0 || threads >= n ? slowest : pool_us(scan_us, n, threads);
}

double scan_time_leaf_quantile(double p, size_t n)
{
    return n > 0 ? pow(p, 1.0 / (double)n) : p;
}
