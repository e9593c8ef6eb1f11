/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/memstore_pressure.h"

struct memstore_pressure_limits memstore_pressure_limits(uint64_t max_heap_bytes, double global_size,
                                                         double lower_limit)
{
    struct memstore_pressure_limits l;
    /* HBase multiplies in single precision: on a heap of gigabytes that is up to some hundred bytes. */
    float limit = (float)max_heap_bytes * (float)global_size, low;

    l.limit_bytes = (uint64_t)limit;
    low = (float)l.limit_bytes * (float)lower_limit;
    l.low_mark_bytes = (uint64_t)low;
    return l;
}

enum memstore_pressure memstore_pressure(const struct memstore_pressure_limits *l, uint64_t total_heap_bytes)
{
    if (total_heap_bytes >= l->limit_bytes)
        return MEMSTORE_PRESSURE_LIMIT;
    return total_heap_bytes >= l->low_mark_bytes ? MEMSTORE_PRESSURE_LOW_MARK : MEMSTORE_PRESSURE_NONE;
}

ptrdiff_t memstore_pressure_choose(const struct memstore_pressure_region *r, size_t n,
                                   uint32_t blocking_store_files)
{
    ptrdiff_t biggest = -1, flushable = -1;

    for (size_t i = 0; i < n; i++) {
        if (r[i].flushing)
            continue;
        if (biggest < 0 || r[i].heap_bytes > r[biggest].heap_bytes)
            biggest = (ptrdiff_t)i;
        if (r[i].most_store_files > blocking_store_files)
            continue;
        if (flushable < 0 || r[i].heap_bytes > r[flushable].heap_bytes)
            flushable = (ptrdiff_t)i;
    }
    if (biggest < 0 || flushable < 0)
        return biggest;
    return r[biggest].heap_bytes > 2 * r[flushable].heap_bytes ? biggest : flushable;
}

struct wal_limits wal_limits(uint64_t block_bytes, double multiplier, uint64_t memstore_limit_bytes,
                             uint32_t max_logs)
{
    struct wal_limits l;
    uint64_t many;

    l.roll_bytes = (uint64_t)((double)block_bytes * multiplier);
    l.roll_period_us = UINT64_C(3600000000);
    many = l.roll_bytes > 0 ? 2 * memstore_limit_bytes / l.roll_bytes : 0;
    if (many > INT32_MAX)
        many = INT32_MAX;
    l.max_logs = max_logs > 0 ? max_logs : many > 32 ? (uint32_t)many : 32;
    return l;
}

bool wal_roll_due(const struct wal_limits *l, uint64_t wal_bytes, uint64_t age_us)
{
    return wal_bytes > l->roll_bytes || age_us > l->roll_period_us;
}

bool wal_too_many_logs(const struct wal_limits *l, uint32_t rolled_files)
{
    return rolled_files > l->max_logs;
}

bool wal_region_in_oldest(uint64_t region_oldest_unflushed_seqid, uint64_t wal_highest_seqid_of_region)
{
    return region_oldest_unflushed_seqid <= wal_highest_seqid_of_region;
}
