/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrivals that are not at even distances. A row's even time is laid over two maps: Poisson gaps (the
   beginnings of blocks of rows are kept; inside a block times are halved down by draws from a counter, so
   that row i alone tells its time), and the stream's rate over time (pieces of even rate). */
#ifndef WORKLOAD_ARRIVALS_SHAPE_H
#define WORKLOAD_ARRIVALS_SHAPE_H

#include "workload/arrivals.h"

void arrivals_shape_free(struct arrivals_shape *sh);

/* arrivals_before for a->shape. */
uint64_t arrivals_before_shaped(const struct arrivals *a, des_time t);

#endif
