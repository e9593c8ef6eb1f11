/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/balance/balancer.h"

#include <stdlib.h>

#include "hbase/balance/run.h"

const char *balancer_gate_name(enum balancer_gate gate)
{
    switch (gate) {
    case BALANCER_GATE_NONE:
        return "none";
    case BALANCER_GATE_SWITCH:
        return "switch";
    case BALANCER_GATE_TRANSITION:
        return "regions-in-transition";
    case BALANCER_GATE_DEAD_SERVERS:
        return "dead-servers";
    case BALANCER_GATE_FEW_SERVERS:
        return "few-servers";
    case BALANCER_GATE_IDLE_SERVER:
        return "idle-server";
    case BALANCER_GATE_SLOP:
        return "slop";
    case BALANCER_GATE_COST:
        return "cost";
    case BALANCER_GATE_COST_BALANCED:
        return "cost-balanced";
    case BALANCER_GATE_COUNTS_BALANCED:
        return "counts-balanced";
    case BALANCER_GATE_OVERALL:
        return "overall-slop";
    }
    return "?";
}

enum balancer_gate balancer_may_run(const struct balancer_master *master)
{
    if (!master->switched_on)
        return BALANCER_GATE_SWITCH;
    if (master->regions_in_transition > 0)
        return BALANCER_GATE_TRANSITION;
    if (master->dead_servers_in_progress > 0)
        return BALANCER_GATE_DEAD_SERVERS;
    return BALANCER_GATE_NONE;
}

static int run_balancer(const struct balancer_cluster *cluster,
                        const struct balancer_options *options, const struct balance_draw *draw,
                        struct balancer_outcome *out)
{
    struct balance_run run = {.cluster = cluster, .options = options, .draw = draw};
    int error = balance_view_init(&run.view, cluster, options->by_table);

    if (error)
        return error;
    if (options->kind == BALANCER_STOCHASTIC)
        error = balance_run_stochastic(&run);
    else if (options->kind == BALANCER_SIMPLE)
        error = balance_run_simple(&run);
    balance_view_free(&run.view);
    if (error)
        balancer_outcome_free(&run.out);
    else
        *out = run.out;
    return error;
}

int balancer_balance(const struct balancer_cluster *cluster, const struct balancer_options *options,
                     const struct balance_draw *draw, struct balancer_outcome *out)
{
    return run_balancer(cluster, options, draw, out);
}

int balancer_decide(const struct balancer_cluster *cluster, const struct balancer_options *options,
                    struct balancer_outcome *out)
{
    return run_balancer(cluster, options, NULL, out);
}

void balancer_outcome_free(struct balancer_outcome *out)
{
    free(out->decisions);
    free(out->plans);
    *out = (struct balancer_outcome){0};
}

double balancer_real_step_us(uint32_t servers, uint32_t regions)
{
    return servers ? 0.5 + 0.4 * regions / servers + 0.03 * servers : 0;
}

int64_t balancer_plan_interval_us(const struct balancer_options *options, size_t n_plans)
{
    int64_t all_us = options->max_balancing_us < 0 ? options->period_us : options->max_balancing_us;
    /* HBase divides whole milliseconds */
    return n_plans ? all_us / 1000 / (int64_t)n_plans * 1000 : 0;
}

uint32_t balancer_max_in_transition(const struct balancer_options *options, size_t n_regions)
{
    double most = (double)n_regions * options->max_rit_percent;
    return most < 1 ? 1 : (uint32_t)most;
}

static enum balancer_gate gate_of(const struct balancer_decision *d)
{
    if (d->servers < 2)
        return BALANCER_GATE_FEW_SERVERS;
    if (!d->simple && !(d->multiplier_sum > 0))
        return BALANCER_GATE_COST_BALANCED;
    if (decision_idle_server(d))
        return BALANCER_GATE_IDLE_SERVER;
    if (decision_sloppy_server(d))
        return BALANCER_GATE_SLOP;
    if (d->simple)
        return d->overall_most > d->overall_ceil || d->overall_least < d->overall_floor ? BALANCER_GATE_OVERALL
                                                                                       : BALANCER_GATE_COUNTS_BALANCED;
    return d->imbalance < d->threshold ? BALANCER_GATE_COST_BALANCED : BALANCER_GATE_COST;
}

enum balancer_gate balancer_gate_of(const struct balancer_decision *d, bool *needed)
{
    const enum balancer_gate gate = gate_of(d);

    *needed = gate == BALANCER_GATE_IDLE_SERVER || gate == BALANCER_GATE_SLOP || gate == BALANCER_GATE_COST ||
              gate == BALANCER_GATE_OVERALL;
    return gate;
}
