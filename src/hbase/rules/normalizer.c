/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/normalizer.h"

#include <string.h>

void normalizer_config_default(struct normalizer_config *c)
{
    memset(c, 0, sizeof *c);
    c->split_enabled = true;
    c->merge_enabled = true;
    c->merge_min_region_count = 3;
    c->merge_min_region_age_days = 3;
    c->merge_min_region_size_mb = 1;
    c->merge_max_regions = 100;
}

uint64_t normalizer_reported_mb(uint64_t bytes)
{
    if (bytes == 0)
        return 0;
    return bytes < 1048576 ? 1 : bytes / 1048576;
}

double normalizer_average_mb(const struct normalizer_config *c, const struct normalizer_region *r, size_t n)
{
    uint64_t total = 0;

    if (c->target_region_size_mb > 0)
        return (double)c->target_region_size_mb;
    for (size_t i = 0; i < n; i++)
        total += r[i].size_mb;
    if (c->target_region_count > 0)
        return (double)total / c->target_region_count;
    return n > 0 ? (double)total / (double)n : 0;
}

static bool may_merge(const struct normalizer_config *c, const struct normalizer_region *r)
{
    uint64_t age_us = c->merge_min_region_age_days * UINT64_C(86400000000);

    return r->open && r->age_us >= age_us && r->size_mb >= c->merge_min_region_size_mb;
}

static bool joins(const struct normalizer_plan *p, uint64_t sum_mb, uint64_t size_mb, uint64_t average_mb)
{
    return p->count == 0 || (p->count == 1 && sum_mb == 0) || size_mb == 0 || sum_mb + size_mb <= average_mb;
}

/* SimpleRegionNormalizer.computeMergeNormalizationPlans: runs of neighbours, in key order. */
static size_t merge_plans(const struct normalizer_config *c, const struct normalizer_region *r, size_t n,
                          struct normalizer_plan *plans)
{
    uint64_t average = (uint64_t)normalizer_average_mb(c, r, n);
    size_t count = 0, i = 0;

    if (n < c->merge_min_region_count || average < c->merge_min_region_size_mb)
        return 0;
    while (i < n) {
        struct normalizer_plan p = {.first = i};
        uint64_t sum = 0;

        while (i < n && p.count < c->merge_max_regions && may_merge(c, &r[i]) && joins(&p, sum, r[i].size_mb, average)) {
            sum += r[i].size_mb;
            if (p.count > 0 && r[i].bucket != r[i - 1].bucket)
                p.joins_buckets = true;
            p.count++;
            i++;
        }
        if (p.count > 1)
            plans[count++] = p;
        if (p.count == 0)
            i++;
    }
    return count;
}

size_t normalizer_plans(const struct normalizer_config *c, const struct normalizer_region *r, size_t n,
                        struct normalizer_plan *plans)
{
    double average = normalizer_average_mb(c, r, n);
    size_t count = 0;

    for (size_t i = 0; c->split_enabled && i < n; i++)
        if (r[i].open && (double)r[i].size_mb > 2 * average)
            plans[count++] = (struct normalizer_plan){.split = true, .first = i, .count = 1};
    if (c->merge_enabled)
        count += merge_plans(c, r, n, plans + count);
    return count;
}
