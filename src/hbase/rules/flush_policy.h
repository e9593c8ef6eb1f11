/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_FLUSH_POLICY_H
#define HBASE_RULES_FLUSH_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which stores a flush takes, when it waits, and what follows it (HBase 2.6: Flush*Policy,
   MemStoreFlusher, HRegion.shouldFlush). Times are microseconds. */

enum flush_policy {
    FLUSH_ALL_LARGE_STORES,        /* FlushAllLargeStoresPolicy, the default */
    FLUSH_ALL_STORES,              /* FlushAllStoresPolicy */
    FLUSH_NON_SLOPPY_STORES_FIRST  /* FlushNonSloppyStoresFirstPolicy: as the default without sloppy stores */
};

struct flush_policy_config {
    enum flush_policy policy;
    uint64_t flush_bytes;            /* the table's, else the site's flush size */
    uint64_t lower_bound_bytes;      /* ...percolumnfamilyflush.size.lower.bound of the table; 0 = not set */
    uint64_t lower_bound_min_bytes;  /* ...size.lower.bound.min; 16 MiB by default */
};

struct flush_store {
    uint64_t heap_bytes;             /* with the 256 of an empty store */
    uint64_t cells;
    bool has_old_edits;              /* oldest edit over an hour, or 30 M sequence ids behind */
};

/* Heap above which a store counts as large: the table's value, else
   max(flush size / families, lower_bound_min). */
uint64_t flush_policy_lower_bound_bytes(const struct flush_policy_config *c, size_t families);

/* Sets take[i] for each store to flush and returns their number (stores without a cell are never
   counted: they make no file). One family is always taken. */
size_t flush_policy_select(const struct flush_policy_config *c, const struct flush_store *stores,
                           size_t n, bool *take);

enum {
    FLUSH_BLOCKING_STORE_FILES = 16,           /* hbase.hstore.blockingStoreFiles */
    FLUSH_BLOCKING_WAIT_US = 90000000          /* hbase.hstore.blockingWaitTime */
};

/* MemStoreFlusher.flushRegion: what to do with a request for a region whose fullest store has
   |store_files| files. Forced (pressure) flushes never wait. */
enum flush_gate {
    FLUSH_NOW,
    FLUSH_POSTPONE_FIRST,   /* ask for a split, else a compaction, and come back */
    FLUSH_POSTPONE          /* come back after flush_recheck_us */
};
struct flush_gate_input {
    uint32_t store_files;           /* the most that one store has */
    uint32_t blocking_store_files;
    bool forced;
    bool postponed_before;
    uint64_t waited_us;             /* since the request entered the queue */
    uint64_t blocking_wait_us;
};
enum flush_gate flush_gate(const struct flush_gate_input *in);
bool flush_too_many_files(uint32_t store_files, uint32_t blocking_store_files);
uint64_t flush_recheck_us(uint64_t blocking_wait_us); /* a hundredth of the wait: 900 ms */

/* After a flush by the flusher: a split if the region should split and has a key (or should split
   and its policy cut the key to the start key: then nothing at all), else compaction where a
   flushed store has at least |min_files| files that no compaction holds. */
bool flush_needs_compaction(uint32_t store_files, uint32_t files_compacting, uint32_t min_files);

/* PeriodicMemStoreFlusher, asked every hbase.regionserver.flush.check.period. */
struct flush_periodic_input {
    uint64_t oldest_edit_age_us;     /* of the region's oldest unflushed edit; 0 = none */
    uint64_t last_flush_age_us;      /* of the store that was flushed longest ago */
    uint64_t edits_since_flush;
    uint64_t interval_us;            /* hbase.regionserver.optionalcacheflushinterval: 1 h */
    uint64_t per_changes;            /* hbase.regionserver.flush.per.changes: 30,000,000 */
};
bool flush_periodic_due(const struct flush_periodic_input *in);
/* Delay of such a flush for a uniform |u| in [0, 1): 0 to 300 s. */
uint64_t flush_periodic_delay_us(double u, uint64_t range_us);

#endif
