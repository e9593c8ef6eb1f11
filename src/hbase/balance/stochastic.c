/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "hbase/balance/run.h"
#include "hbase/balance/walk.h"

/* What needsBalance of StochasticLoadBalancer 2.6.1 looks at. The gate over replicas is never
   passed: they are refused before. */
static void decide(struct balancer_decision *d, const struct balance_state *st,
                   const struct balance_costs *c, const struct balancer_options *options)
{
    decision_counts(d, st->counts, st->n_servers, options->slop);
    memcpy(d->cost, c->cost, sizeof(d->cost));
    memcpy(d->cost_after, c->cost, sizeof(d->cost));
    memcpy(d->multiplier, c->multiplier, sizeof(d->multiplier));
    d->total = d->total_after = c->total;
    d->multiplier_sum = (double)c->multiplier_sum;
    d->imbalance = d->multiplier_sum > 0 ? d->total / d->multiplier_sum : 0;
    d->threshold = options->min_cost_need_balance;
    d->gate = balancer_gate_of(d, &d->needed);
}

static uint64_t walk_steps(const struct balance_state *st, const struct balancer_options *options)
{
    /* beyond 2^64 the product is far above any limit that can be set */
    double product =
        (double)st->n_regions * (double)options->steps_per_region * (double)st->n_servers;
    uint64_t steps = product < 0x1p63 ? (uint64_t)product : UINT64_C(1) << 63;
    bool take_limit = options->run_max_steps ? steps < options->max_steps
                                             : steps > options->max_steps;
    return take_limit ? options->max_steps : steps;
}

/* createRegionPlans: one for each region that ended elsewhere, in region order. */
static int list_plans(struct balance_run *run, const struct balance_state *st)
{
    for (uint32_t r = 0; r < st->n_regions; r++) {
        const struct state_region *region = &st->regions[r];
        if (region->server == region->initial)
            continue;
        struct balancer_plan *plan = outcome_plan(&run->out, &run->plans_cap);
        if (!plan)
            return BALANCE_NO_MEMORY;
        *plan = (struct balancer_plan){region->id, run->view.server[region->initial],
                                       run->view.server[region->server]};
    }
    return BALANCE_OK;
}

static int balance_slice(struct balance_run *run, struct balancer_decision *d,
                         struct balance_state *st, struct balance_costs *c)
{
    decide(d, st, c, run->options);
    if (!d->needed || !run->draw)
        return BALANCE_OK;
    double in_time = (double)run->options->max_running_us /
                     balancer_real_step_us(st->n_servers, st->n_regions);
    struct balance_walk_length length = {.steps = walk_steps(st, run->options)};
    length.watch = in_time < (double)length.steps ? (uint64_t)in_time : length.steps;
    int error = balance_walk(st, c, run->draw, &length);
    d->steps = length.steps;
    d->steps_accepted = length.accepted;
    d->steps_in_time = length.watch;
    d->accepted_in_time = length.accepted_by_watch;
    if (!error && c->total < d->total)
        error = list_plans(run, st);
    memcpy(d->cost_after, c->cost, sizeof(d->cost_after));
    d->total_after = c->total;
    d->n_plans = run->out.n_plans - d->first_plan;
    return error;
}

int balance_run_stochastic(struct balance_run *run)
{
    int error = BALANCE_OK;
    for (size_t s = 0; s < run->view.n_slices && !error; s++) {
        struct balance_state st;
        struct balance_costs c;
        if (run->view.by_table && run->view.first[s] == run->view.first[s + 1])
            continue; /* a table without an open region is not in the master's map */
        struct balancer_decision *d = outcome_decision(&run->out, &run->decisions_cap);
        if (!d)
            return BALANCE_NO_MEMORY;
        d->table = run->view.by_table ? (int64_t)s : BALANCER_ALL_TABLES;
        error = balance_state_init(&st, run->cluster, &run->view, s);
        if (error)
            break;
        error = balance_costs_init(&c, &st, run->options);
        if (!error) {
            error = balance_slice(run, d, &st, &c);
            balance_costs_free(&c);
        }
        balance_state_free(&st);
    }
    return error;
}
