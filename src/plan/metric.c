/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures by their names, with intervals over the replications, and how they stand to a bound. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "des/interval.h"
#include "plan/trial.h"

static const struct {
    const char *name;
    size_t offset;
    bool placed;                      /* follows from the placement alone */
    bool even;                        /* is about evenness */
    bool count;
} metrics[] = {
#define METRIC(name, placed, even, count) {#name, offsetof(struct result_summary, name), placed, even, count}
    METRIC(hot_server_ratio, true, true, false),
    METRIC(hot_server_ratio_total, true, true, false),
    METRIC(hot_region_share, true, true, false),
    METRIC(hot_region_ratio, true, true, false),
    METRIC(write_tails, true, true, true),
    METRIC(effective_tails, true, true, false),
    METRIC(tails_per_server_max, true, true, true),
    METRIC(servers_idle, true, true, true),
    METRIC(max_write_rate_per_s, true, false, false),
    METRIC(regions_end, false, false, true),
    METRIC(splits, false, false, true),
    METRIC(write_p50_us, false, false, false),
    METRIC(write_p95_us, false, false, false),
    METRIC(write_p99_us, false, false, false),
    METRIC(write_p999_us, false, false, false),
    METRIC(writes_queued, false, false, true),
    METRIC(writes_rejected, false, false, true),
    METRIC(write_refusals, false, false, true),
#undef METRIC
};

#define METRICS (sizeof metrics / sizeof metrics[0])

static size_t metric_index(const char *name)
{
    size_t i = 0;

    while (i < METRICS && strcmp(metrics[i].name, name) != 0)
        i++;
    return i;
}

bool plan_metric(const struct result_summary *sum, const char *name, double *value)
{
    const size_t i = metric_index(name);

    if (i == METRICS)
        return false;
    memcpy(value, (const char *)sum + metrics[i].offset, sizeof *value);
    return true;
}

bool plan_needs_runs(const struct spec *sp)
{
    if (sp->events_len > 0 || sp->cluster.state_len > 0)
        return true;
    for (size_t i = 0; i < sp->streams_len; i++)
        if (sp->streams[i].keys_file)
            return true;
    for (size_t i = 0; i < sp->plan.targets_len; i++) {
        const size_t m = metric_index(sp->plan.targets[i].metric);

        if (m < METRICS && !metrics[m].placed)
            return true;
    }
    return false;
}

bool plan_target_waived(const struct plan_work *work, const struct plan_trial *trial, const struct spec_target *target)
{
    const size_t m = metric_index(target->metric);

    return work->one_server && trial->n <= 1 && m < METRICS && metrics[m].even;
}

/* A time that a query takes: QUERY.p99 and its like. */
static bool is_query_time(const char *metric)
{
    const char *dot = strrchr(metric, '.');

    return dot && dot[1] == 'p' && dot[2] >= '0' && dot[2] <= '9';
}

bool plan_asks_query_times(const struct spec *sp)
{
    for (size_t i = 0; i < sp->plan.targets_len; i++)
        if (is_query_time(sp->plan.targets[i].metric))
            return true;
    return false;
}

bool plan_figure(const struct plan_trial *trial, const char *metric, size_t size, struct result_figure *out)
{
    const struct plan_eval *eval = &trial->eval[size];
    struct des_interval in;
    double first, value, *x;
    bool same = true;
    int rc;

    if (strchr(metric, '.')) {
        if (!result_query_figure(&trial->probe, metric, &value) || isnan(value))
            return false;
        *out = (struct result_figure){value, value, value};
        return true;
    }
    if (size >= trial->evals || eval->reps == 0 || !plan_metric(&eval->rep[0], metric, &first) || isnan(first))
        return false;
    x = malloc(eval->reps * sizeof *x);
    if (!x)
        return false;
    for (size_t i = 0; i < eval->reps; i++) {
        plan_metric(&eval->rep[i], metric, &x[i]);
        same = same && x[i] == first;
    }
    rc = same ? 0 : des_summary(x, eval->reps, PLAN_CONFIDENCE, &in);
    free(x);
    if (rc != 0)
        return false;
    *out = same ? (struct result_figure){first, first, first} : (struct result_figure){in.mean, in.lo, in.hi};
    return true;
}

double plan_margin(const struct spec_target *target, double value)
{
    const double scale = target->bound != 0 ? fabs(target->bound) : 1;

    return (target->at_most ? target->bound - value : value - target->bound) / scale;
}

enum plan_stand plan_stands(const struct spec_target *target, const struct result_figure *fig)
{
    const size_t m = metric_index(target->metric);
    const bool exact = m == METRICS ? !is_query_time(target->metric) : metrics[m].count;
    const double margin = plan_margin(target, fig->mean);

    if (exact && fig->lo == fig->hi)
        return margin >= 0 ? PLAN_MET : PLAN_MISSED;
    if (!exact && fabs(margin) < PLAN_MARGIN_FLOOR)
        return PLAN_UNDECIDED;
    if (fig->lo <= target->bound && target->bound <= fig->hi)
        return PLAN_UNDECIDED;
    return margin >= 0 ? PLAN_MET : PLAN_MISSED;
}
