/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_MERGE_H
#define HBASE_RULES_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which regions may be merged (MergeTableRegionsProcedure, HBase 2.6). */

struct merge_region {
    uint64_t id;                   /* equal ids: the same region twice */
    const uint8_t *start, *end;
    size_t start_bytes, end_bytes; /* 0: open */
    bool open;
    bool has_references;           /* live, or compacted and not yet discharged */
    bool merge_qualifier;          /* merged, and the catalog janitor hasn't cleaned up since */
};

enum merge_refusal {
    MERGE_OK = 0,
    MERGE_TOO_FEW = -1,            /* fewer than two */
    MERGE_DUPLICATE = -2,
    MERGE_NOT_ADJACENT = -3,       /* and not forcible */
    MERGE_QUALIFIER = -4,
    MERGE_NOT_OPEN = -5,
    MERGE_REFERENCES = -6          /* "is not mergeable" */
};

/* Regions in the request's order: unless forcible, each must touch or overlap the one named before it (1, 2, 3
   and 3, 2, 1 pass, 2, 1, 3 doesn't). The merged region opens on the server of the one with the lowest start
   key, whose index goes to |first|. */
enum merge_refusal merge_check(const struct merge_region *r, size_t n, bool forcible, size_t *first);

#endif
