/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a query costs in scans and regions, from the library's ranges laid over the model's regions. */
#ifndef SIM_QUERIES_H
#define SIM_QUERIES_H

#include "hbase/model/model.h"
#include "result/result.h"

/* Fills run->queries for each query of the spec. |last_ms| is the event time at the end of the run. */
int queries_fill(const struct model *m, int64_t last_ms, struct result_run *run);

#endif
