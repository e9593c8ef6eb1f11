/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which regions a scan visits, one after the other (HBase 2.6: ClientScanner, ConnectionUtils.
   noMoreResultsForScan, ReversedScannerCallable). A table's regions are given by their split points, as
   the library makes them: region i begins at point i - 1. */
#ifndef HBASE_RULES_SCAN_REGIONS_H
#define HBASE_RULES_SCAN_REGIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "saltkey.h"

/* A Scan's two ends. An empty start is the table's first (reversed: last) row, an empty stop the other
   end. A reversed scan starts at the higher row. */
struct scan_ends {
    struct saltkey_slice start, stop;
    bool start_inclusive, stop_inclusive;
    bool reversed;
};

/* The region that the scan opens first. A reversed scan that excludes its start opens the region
   before when the start is a boundary. */
size_t scan_first_region(const struct saltkey_keys *splits, const struct scan_ends *ends);

/* True, with the next region in |next|, where the client goes on after |region|. An exclusive stop on a
   boundary ends the scan before it, an inclusive one doesn't. */
bool scan_next_region(const struct saltkey_keys *splits, const struct scan_ends *ends, size_t region,
                      size_t *next);

/* Number of regions that a scan to its end visits. */
size_t scan_region_count(const struct saltkey_keys *splits, const struct scan_ends *ends);

#endif
