/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/split_policy.h"

#include <string.h>

static const char *const policy_name[] = {
    [SPLIT_STEPPING] = "SteppingSplitPolicy",
    [SPLIT_INCREASING_TO_UPPER_BOUND] = "IncreasingToUpperBoundRegionSplitPolicy",
    [SPLIT_CONSTANT_SIZE] = "ConstantSizeRegionSplitPolicy",
    [SPLIT_KEY_PREFIX] = "KeyPrefixRegionSplitPolicy",
    [SPLIT_DELIMITED_KEY_PREFIX] = "DelimitedKeyPrefixRegionSplitPolicy",
    [SPLIT_BUSY] = "BusyRegionSplitPolicy",
    [SPLIT_DISABLED] = "DisabledRegionSplitPolicy",
};

const char *split_policy_name(enum split_policy p)
{
    return policy_name[p];
}

int split_policy_from_name(const char *name)
{
    const char *dot = strrchr(name, '.');

    if (dot)
        name = dot + 1;
    for (size_t i = 0; i < sizeof policy_name / sizeof *policy_name; i++)
        if (strcmp(name, policy_name[i]) == 0)
            return (int)i;
    return -1;
}

void split_policy_config_default(struct split_policy_config *c)
{
    memset(c, 0, sizeof *c);
    c->policy = SPLIT_STEPPING;
    c->site_flush_bytes = UINT64_C(134217728);
    c->max_file_bytes = UINT64_C(10737418240);
    c->busy_blocked_rate = 0.2;
    c->busy_min_age_us = UINT64_C(600000000);
    c->busy_window_us = UINT64_C(300000000);
}

uint64_t split_max_file_bytes(uint64_t max_file_bytes, double jitter, double u)
{
    double rate = (u - 0.5) * jitter;
    int64_t more = (int64_t)((double)max_file_bytes * rate); /* cut towards zero, as a cast in Java */

    return more >= 0 ? max_file_bytes + (uint64_t)more : max_file_bytes - (uint64_t)-more;
}

uint64_t split_initial_bytes(const struct split_policy_config *c)
{
    if (c->initial_bytes > 0)
        return c->initial_bytes;
    return 2 * (c->table_flush_bytes > 0 ? c->table_flush_bytes : c->site_flush_bytes);
}

static uint64_t increasing_threshold(const struct split_policy_config *c, uint32_t regions)
{
    uint64_t initial = split_initial_bytes(c), cube = (uint64_t)regions * regions * regions;

    if (regions == 0 || regions > 100 || initial > c->max_file_bytes / cube)
        return c->max_file_bytes;
    return initial * cube;
}

uint64_t split_threshold_bytes(const struct split_policy_config *c, uint32_t regions)
{
    switch (c->policy) {
    case SPLIT_STEPPING:
        /* Not held to the maximum: one region alone splits at twice the flush size even where the
           maximum is less. */
        return regions == 1 ? split_initial_bytes(c) : c->max_file_bytes;
    case SPLIT_INCREASING_TO_UPPER_BOUND:
    case SPLIT_KEY_PREFIX:
    case SPLIT_DELIMITED_KEY_PREFIX:
    case SPLIT_BUSY:
        return increasing_threshold(c, regions);
    case SPLIT_CONSTANT_SIZE:
        return c->max_file_bytes;
    case SPLIT_DISABLED:
        break;
    }
    return UINT64_MAX;
}

bool split_can_split(const struct split_policy_config *c, bool has_references)
{
    return c->policy != SPLIT_DISABLED && !has_references;
}

static uint64_t compared_bytes(const struct split_policy_config *c, const struct split_input *in)
{
    uint64_t sum = 0, largest = 0;

    for (size_t i = 0; i < in->stores; i++) {
        sum += in->store_bytes[i];
        if (in->store_bytes[i] > largest)
            largest = in->store_bytes[i];
    }
    return c->overall_files ? sum : largest;
}

/* BusyRegionSplitPolicy.updateRate. Blocked counts calls and writes counts rows, as in HBase. */
static double busy_rate(const struct split_policy_config *c, const struct split_input *in)
{
    struct split_busy_state *b = in->busy;
    double rate = (double)(in->blocked_requests - b->window_blocked) /
                  ((double)(in->write_requests - b->window_writes) + 0.00001);
    double slice = (double)(in->now_us - b->window_start_us) / (double)c->busy_window_us;

    if (in->now_us - b->window_start_us >= c->busy_window_us) {
        b->previous_rate = rate;
        b->window_start_us = in->now_us;
        b->window_blocked = in->blocked_requests;
        b->window_writes = in->write_requests;
        return rate;
    }
    if (in->now_us - in->open_us >= c->busy_window_us)
        return (1 - slice) * b->previous_rate + slice * rate;
    return 0;
}

struct split_verdict split_should_split(const struct split_policy_config *c, const struct split_input *in)
{
    struct split_verdict v = {0};
    double limit = c->busy_blocked_rate;

    v.size_bytes = compared_bytes(c, in);
    v.threshold_bytes = split_threshold_bytes(c, in->regions_on_server);
    if (c->policy == SPLIT_BUSY && in->busy)
        v.blocked_rate = busy_rate(c, in);
    if (!split_can_split(c, in->has_references))
        return v;
    v.split = v.size_bytes > v.threshold_bytes;
    if (v.split || c->policy != SPLIT_BUSY || !in->busy)
        return v;
    if (limit < 0.00001 || limit > 0.99999)
        limit = 0.2;
    if (in->now_us - in->open_us >= c->busy_min_age_us && v.blocked_rate >= limit)
        v.split = v.busy = true;
    return v;
}

bool split_request_passes(uint32_t regions_on_server, uint32_t region_split_limit,
                          uint32_t most_store_files, uint32_t blocking_store_files)
{
    return regions_on_server < region_split_limit && most_store_files < blocking_store_files;
}
