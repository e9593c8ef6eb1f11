/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planted fault of `make random-trial`: the upper daughter of a split begins one above the cut, so that the row
   at the cut is nobody's. */
#include <stdlib.h>

#include "hbase/model/act.h"

int __real_region_set_bounds(struct region *r, const struct table *t, struct saltkey_slice start, struct saltkey_slice end);
int __wrap_region_set_bounds(struct region *r, const struct table *t, struct saltkey_slice start, struct saltkey_slice end);

/* Cut keys of splits; those of the creation have no parent. */
int __wrap_region_set_bounds(struct region *r, const struct table *t, struct saltkey_slice start, struct saltkey_slice end)
{
    const int rc = __real_region_set_bounds(r, t, start, end);

    if (rc == 0 && getenv("SALTPLAN_TRIAL") && r->parent >= 0 && r->start.len > 0 && r->start.bytes[r->start.len - 1] < 255)
        r->start.bytes[r->start.len - 1]++;
    return rc;
}
