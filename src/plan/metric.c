/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>
#include <string.h>

#include "plan/plan.h"

static const struct {
    const char *name;
    size_t offset;
} metrics[] = {
#define METRIC(name) {#name, offsetof(struct result_summary, name)}
    METRIC(hot_server_ratio),  METRIC(hot_server_ratio_total), METRIC(hot_region_share),
    METRIC(hot_region_ratio),  METRIC(write_tails),            METRIC(effective_tails),
    METRIC(tails_per_server_max), METRIC(regions_end),         METRIC(splits),
    METRIC(write_p50_us),      METRIC(write_p95_us),           METRIC(write_p99_us),
    METRIC(write_p999_us),     METRIC(max_write_rate_per_s),   METRIC(writes_queued),
    METRIC(writes_rejected),   METRIC(write_refusals),
#undef METRIC
};

bool plan_metric(const struct result_summary *sum, const char *name, double *value)
{
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
        if (strcmp(metrics[i].name, name) != 0)
            continue;
        memcpy(value, (const char *)sum + metrics[i].offset, sizeof *value);
        return true;
    }
    return false;
}
