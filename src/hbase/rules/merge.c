/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/merge.h"

#include <string.h>

static int compare(const uint8_t *a, size_t na, const uint8_t *b, size_t nb)
{
    const size_t min = na < nb ? na : nb;
    const int d = min > 0 ? memcmp(a, b, min) : 0;

    return d != 0 ? d : (na > nb) - (na < nb);
}

static bool starts_at(const struct merge_region *r, const uint8_t *key, size_t bytes)
{
    return compare(r->start, r->start_bytes, key, bytes) == 0;
}

/* Walks from the lowest start key: each region's end must be another's start. */
static bool adjacent(const struct merge_region *r, size_t n, size_t first)
{
    size_t at = first;

    for (size_t k = 1; k < n; k++) {
        size_t next = 0;

        if (r[at].end_bytes == 0)
            return false;
        while (next < n && !starts_at(&r[next], r[at].end, r[at].end_bytes))
            next++;
        if (next == n)
            return false;
        at = next;
    }
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
    if (!forcible && !adjacent(r, n, lowest))
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
