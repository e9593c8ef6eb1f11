/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/compaction_policy.h"

#include <math.h>

void compaction_throughput_config_default(struct compaction_throughput_config *c)
{
    c->lower_bytes_per_s = 52428800;
    c->higher_bytes_per_s = 104857600;
    c->tune_period_us = 60000000;
}

double compaction_pressure(size_t files, uint32_t min_files, uint32_t blocking_store_files)
{
    if (files <= min_files)
        return 0;
    /* A store whose limit is not above its minimum has no scale: always pressed (DefaultStoreFileManager). */
    if (blocking_store_files <= min_files)
        return 2;
    return (double)(files - min_files) / (double)(blocking_store_files - min_files);
}

double compaction_throughput_bytes_per_s(const struct compaction_throughput_config *c, double pressure,
                                         bool offpeak)
{
    if (pressure > 1 || offpeak)
        return (double)INFINITY;
    return c->lower_bytes_per_s + (c->higher_bytes_per_s - c->lower_bytes_per_s) * pressure;
}

uint64_t compaction_duration_us(const struct compaction_throughput_config *c, double limit_bytes_per_s,
                                uint64_t bytes, uint64_t io_us, uint32_t active)
{
    double step = c->lower_bytes_per_s, throttled, us;

    if (isinf(limit_bytes_per_s) || step <= 0)
        return io_us;
    /* Looked at only after each |step| bytes written: what is left over is never slowed. */
    throttled = floor((double)bytes / step) * step;
    us = throttled * 1e6 * (active > 0 ? active : 1) / limit_bytes_per_s;
    if (bytes > 0)
        us += (double)io_us * (((double)bytes - throttled) / (double)bytes);
    return us > (double)io_us ? (uint64_t)llround(us) : io_us;
}
