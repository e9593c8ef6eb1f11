/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_QUERIES_PHOENIX_H
#define SIM_QUERIES_PHOENIX_H

#include "hbase/model/model.h"

/* Whether Phoenix up to 5.2.1 leaves the last bucket's rows out of a query that ends at |last_ms|, as the table lies
   now: the number of regions of the bucket before it, by which it does; 0 where all rows come. A history is asked of
   the first entity. */
size_t queries_phoenix_loses(const struct model *m, const struct table *t, const struct spec_query *q, int64_t last_ms);

#endif
