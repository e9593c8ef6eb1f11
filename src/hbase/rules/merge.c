/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/merge.h"

#include <string.h>

static int compare(const uint8_t *a, size_t na, const uint8_t *b, size_t nb)
{
    const size_t min = na < nb ? na : nb;
    const int d = min > 0 ? memcmp(a, b, min) : 0;

    return d != 0 ? d : (na > nb) - (na < nb);
}

/* RegionInfo.isAdjacent and isOverlap of two regions of a table, |a| the one that starts first. */
static bool touches(const struct merge_region *a, const struct merge_region *b)
{
    if (compare(a->start, a->start_bytes, b->start, b->start_bytes) > 0)
        return touches(b, a);
    return a->end_bytes == 0 || compare(a->end, a->end_bytes, b->start, b->start_bytes) >= 0;
}

/* Each is held against the one before it in the request, not against its neighbour in key order: of three
   neighbours the middle one must not be named first or last. */
static bool adjacent(const struct merge_region *r, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (!touches(&r[i - 1], &r[i]))
            return false;
    return true;
}

enum merge_refusal merge_check(const struct merge_region *r, size_t n, bool forcible, size_t *first)
{
    size_t lowest = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            if (r[i].id == r[k].id)
                return MERGE_DUPLICATE;
        if (compare(r[i].start, r[i].start_bytes, r[lowest].start, r[lowest].start_bytes) < 0)
            lowest = i;
    }
    if (n < 2)
        return MERGE_TOO_FEW;
    if (!forcible && !adjacent(r, n))
        return MERGE_NOT_ADJACENT;
    for (size_t i = 0; i < n; i++) {
        if (r[i].merge_qualifier)
            return MERGE_QUALIFIER;
        if (!r[i].open)
            return MERGE_NOT_OPEN;
        if (r[i].has_references)
            return MERGE_REFERENCES;
    }
    *first = lowest;
    return MERGE_OK;
}
