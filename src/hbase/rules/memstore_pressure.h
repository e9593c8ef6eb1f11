/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_MEMSTORE_PRESSURE_H
#define HBASE_RULES_MEMSTORE_PRESSURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Global memstore limits of a region server and the WAL's own limit (HBase 2.6: MemorySizeUtil,
   RegionServerAccounting, MemStoreFlusher, AbstractFSWAL). */

struct memstore_pressure_limits {
    uint64_t limit_bytes;    /* floor(max heap x hbase.regionserver.global.memstore.size) */
    uint64_t low_mark_bytes; /* limit x hbase.regionserver.global.memstore.size.lower.limit */
};
struct memstore_pressure_limits memstore_pressure_limits(uint64_t max_heap_bytes, double global_size,
                                                         double lower_limit);

enum memstore_pressure {
    MEMSTORE_PRESSURE_NONE,
    MEMSTORE_PRESSURE_LOW_MARK, /* wake a flusher, writes go on */
    MEMSTORE_PRESSURE_LIMIT     /* handlers wait until below the limit */
};
/* Asked before each region batch; |total| is heap of all regions, system ones too. */
enum memstore_pressure memstore_pressure(const struct memstore_pressure_limits *l, uint64_t total_heap_bytes);

struct memstore_pressure_region {
    uint64_t heap_bytes;
    uint32_t most_store_files;
    bool flushing;           /* writes disabled or a flush of it runs: not a candidate */
};
/* MemStoreFlusher.flushOneForGlobalPressure: the biggest with at most |blocking_store_files| files,
   unless the biggest of all has more than twice its heap. Returns its index, -1 with no candidate. */
ptrdiff_t memstore_pressure_choose(const struct memstore_pressure_region *r, size_t n,
                                   uint32_t blocking_store_files);

/* ---- WAL ---- */
struct wal_limits {
    uint64_t roll_bytes;     /* multiplier x block size: 128 MiB by default */
    uint64_t roll_period_us; /* 1 h */
    uint32_t max_logs;
};
/* |block_bytes| = hbase.regionserver.hlog.blocksize (twice the HDFS block by default), |multiplier| =
   hbase.regionserver.logroll.multiplier (0.5), |max_logs| = hbase.regionserver.maxlogs or 0:
   then max(32, floor(2 x global memstore limit / roll size)). */
struct wal_limits wal_limits(uint64_t block_bytes, double multiplier, uint64_t memstore_limit_bytes,
                             uint32_t max_logs);
bool wal_roll_due(const struct wal_limits *l, uint64_t wal_bytes, uint64_t age_us);
/* After a roll: with more rolled files than max_logs, the regions with unflushed edits in the OLDEST are
   asked to flush. */
bool wal_too_many_logs(const struct wal_limits *l, uint32_t rolled_files);
bool wal_region_in_oldest(uint64_t region_oldest_unflushed_seqid, uint64_t wal_highest_seqid_of_region);

#endif
