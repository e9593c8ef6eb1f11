/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/scan_regions.h"

size_t scan_first_region(const struct saltkey_keys *splits, const struct scan_ends *ends)
{
    size_t region;

    if (ends->start.len == 0)
        return ends->reversed ? splits->count : 0;
    region = saltkey_split_region(splits, ends->start);
    if (ends->reversed && !ends->start_inclusive && region > 0 &&
        saltkey_compare(splits->at[region - 1], ends->start) == 0)
        region--;
    return region;
}

bool scan_next_region(const struct saltkey_keys *splits, const struct scan_ends *ends, size_t region,
                      size_t *next)
{
    if (ends->reversed) {
        if (region == 0)
            return false;
        if (ends->stop.len > 0 && saltkey_compare(splits->at[region - 1], ends->stop) <= 0)
            return false;
        *next = region - 1;
        return true;
    }
    if (region == splits->count)
        return false;
    if (ends->stop.len > 0) {
        const int c = saltkey_compare(splits->at[region], ends->stop);

        if (c > 0 || (c == 0 && !ends->stop_inclusive))
            return false;
    }
    *next = region + 1;
    return true;
}

size_t scan_region_count(const struct saltkey_keys *splits, const struct scan_ends *ends)
{
    size_t n = 1;

    for (size_t region = scan_first_region(splits, ends); scan_next_region(splits, ends, region, &region);)
        n++;
    return n;
}
