/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How large a table's rows are, how long they stay, and what that makes of its regions over the years. */
#ifndef PLAN_VOLUME_H
#define PLAN_VOLUME_H

#include "plan/growth.h"
#include "spec/spec.h"

struct plan_row {
    double data_bytes, heap_bytes;    /* its cells: as written, and in the memstore */
    double disk_bytes;                /* compressed where the families are, without blocks' overhead */
    double largest_bytes;             /* of these in the largest family: what a split looks at */
    double kept_s;                    /* the longest TTL of its families; INFINITY = for ever */
};

void plan_row_of(const struct spec_table *table, struct plan_row *out);

/* Rows that are written from the start to |at_s|, of |rate_per_s| at the start and growing as the plan
   says; held at the last point's rate beyond it. */
double plan_rows_until(const struct plan_growth *growth, double rate_per_s, double at_s);

/* Regions that a table of |first| regions has after |rows| more rows: a time-first key leaves every
   region behind half full, another fills its halves again, to three quarters in the mean. TTL empties
   regions and takes none away (the normalizer merges no empty ones by default). */
double plan_regions_after(const struct spec *sp, const struct spec_table *table, double first, double rows);

#endif
