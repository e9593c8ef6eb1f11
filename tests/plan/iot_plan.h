/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The IoT scenario with a plan, for tests that vary it. */
#ifndef TESTS_PLAN_IOT_PLAN_H
#define TESTS_PLAN_IOT_PLAN_H

#include "../sim/iot.h"
#include "plan/plan.h"

static inline void iot_candidates(struct spec *sp, const int *n, size_t len)
{
    sp->has_plan = true;
    sp->plan.candidates = iot_zeroed(len * sizeof *n);
    memcpy(sp->plan.candidates, n, len * sizeof *n);
    sp->plan.candidates_len = len;
}

static inline void iot_target(struct spec *sp, const char *metric, bool at_most, double bound)
{
    struct spec_target *t = realloc(sp->plan.targets, (sp->plan.targets_len + 1) * sizeof *t);

    if (!t)
        abort();
    sp->plan.targets = t;
    t[sp->plan.targets_len++] = (struct spec_target){iot_copy(metric), at_most, bound};
}

/* The preset's own plan over a run of |seconds|: none,1,8,12,16,24,32,48 and hot_server_ratio <= 1.6. */
static inline void iot_preset(struct spec *sp, double seconds)
{
    static const int n[] = {0, 1, 8, 12, 16, 24, 32, 48};

    iot_spec(sp, 16, seconds, 100);
    iot_query(sp, "window", SPEC_QUERY_RANGE, 60 * SPEC_NS_PER_S);
    iot_candidates(sp, n, sizeof n / sizeof n[0]);
    iot_target(sp, "hot_server_ratio", true, 1.6);
}

static inline void iot_grow(struct spec *sp, int to, double years)
{
    sp->plan.growth.servers[0] = sp->cluster.servers;
    sp->plan.growth.servers[1] = to;
    sp->plan.growth.servers_len = 2;
    sp->plan.growth.servers_in_ns = (int64_t)(years * 365 * 86400 * 1e9);
}

static inline int iot_plan(const struct spec *sp, unsigned jobs, struct result *res)
{
    const struct plan_options options = {.jobs = jobs, .no_variations = true};
    struct sim_end end;

    result_init(res);
    return plan_run(sp, &options, NULL, res, &end);
}

static inline const struct result_candidate *iot_candidate(const struct result *res, int n)
{
    for (size_t i = 0; i < res->plan.candidates_len; i++)
        if (res->plan.candidates[i].n == n)
            return &res->plan.candidates[i];
    abort();
}

#endif
