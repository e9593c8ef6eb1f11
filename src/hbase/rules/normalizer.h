/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_NORMALIZER_H
#define HBASE_RULES_NORMALIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Plans of SimpleRegionNormalizer (HBase 2.6.1) for one table. It knows no salt bucket: a merge plan
   may join several, which normalizer_plan says where the caller marks the buckets. */

struct normalizer_config {
    bool split_enabled, merge_enabled;     /* hbase.normalizer.{split,merge}.enabled */
    uint32_t merge_min_region_count;       /* 3 */
    uint32_t merge_min_region_age_days;    /* 3 */
    uint64_t merge_min_region_size_mb;     /* 1 in force (hbase-default.xml) */
    uint32_t merge_max_regions;            /* merge_request_max_number_of_regions: 100 */
    int64_t target_region_size_mb;         /* NORMALIZER_TARGET_REGION_SIZE_MB; <= 0 not set */
    int32_t target_region_count;           /* NORMALIZER_TARGET_REGION_COUNT; <= 0 not set */
};
void normalizer_config_default(struct normalizer_config *c);

struct normalizer_region {
    uint64_t size_mb;                      /* as reported: normalizer_reported_mb */
    uint64_t age_us;                       /* since its creation */
    uint32_t bucket;                       /* any label; differing labels in one merge are warned of */
    bool open;
};
struct normalizer_plan {
    bool split;                            /* else merge of first .. first + count - 1 */
    bool joins_buckets;
    size_t first, count;
};

/* HRegionServer.roundSize: 0 for nothing, 1 below 1 MiB, else whole MiB. */
uint64_t normalizer_reported_mb(uint64_t bytes);
/* Target size, else total / target count, else the mean. */
double normalizer_average_mb(const struct normalizer_config *c, const struct normalizer_region *r, size_t n);
/* Splits first, then merges, each in key order. |plans| needs room for 2 n; returns their number. */
size_t normalizer_plans(const struct normalizer_config *c, const struct normalizer_region *r, size_t n,
                        struct normalizer_plan *plans);

#endif
