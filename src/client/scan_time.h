/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a query of several scans takes, from how long each scan does: one after the other, all at
   once, or from a pool of threads that take the scans in order. The times themselves are the servers'
   matter: scans of one query that meet on a server wait for each other there, and then aren't
   independent. */
#ifndef CLIENT_SCAN_TIME_H
#define CLIENT_SCAN_TIME_H

#include <stddef.h>

/* Time until the last scan is done. |threads|: 0 for one each, 1 for serial. Negative where there is no
   memory for the pool (only with 2 <= threads < n). */
double scan_time_us(const double *scan_us, size_t n, size_t threads);

/* The quantile of one scan's time that is the |p| quantile of the slowest of n independent ones:
   p^(1/n). What the picture draws beside the real, dependent one. */
double scan_time_leaf_quantile(double p, size_t n);

#endif
