/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_RETENTION_H
#define HBASE_RULES_RETENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which cells of a row a flush or a compaction writes again (HBase 2.6: CompactionScanQueryMatcher and its
   children, ScanDeleteTracker, ScanWildcardColumnTracker). */

struct retention_config {
    uint32_t max_versions;     /* VERSIONS: 1 */
    uint32_t min_versions;     /* MIN_VERSIONS: 0 */
    uint64_t ttl_ms;           /* TTL; UINT64_MAX = forever */
    bool keep_deleted_cells;   /* KEEP_DELETED_CELLS => TRUE */
};
void retention_config_default(struct retention_config *c);

/* What is asked for: a flush and a compaction of some files keep delete markers, one of all files
   (minor or major) drops them. */
struct retention_pass {
    uint64_t now_ms;           /* Unix time */
    bool drop_markers;
};

/* A cell of a row as the files order it: row markers (delete family) first, then by column; within a
   column newest timestamp first, at one timestamp markers before puts, then the newest id first. */
struct retention_cell {
    int64_t column;            /* -1: the row's markers */
    uint64_t timestamp_ms, seqid;
    uint8_t type;              /* HFILE_TYPE_ */
};
/* Below 0 where |a| comes before |b|. */
int retention_compare(const struct retention_cell *a, const struct retention_cell *b);

/* Sets keep[i] for each of the row's |n| cells and returns their number. */
size_t retention_apply(const struct retention_config *c, const struct retention_pass *pass,
                       const struct retention_cell *cells, size_t n, bool *keep);

/* Whether a cell of |timestamp_ms| is past the time to live. */
bool retention_expired(const struct retention_config *c, uint64_t now_ms, uint64_t timestamp_ms);

#endif
