/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The balancer's runs and the execution of their plans (HMaster.balance,
   executeRegionPlansWithThrottling, HBase 2.6). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/balance/balancer.h"
#include "hbase/balance/moves.h"
#include "hbase/model/act.h"

/* The master looks so often whether the last moves have ended. */
#define LOOK_AGAIN (100 * DES_MS)
/* A region with this share of the hottest one's writes is a tail. */
#define TAIL_SHARE 0.1

static uint64_t draw(void *state)
{
    return des_u64(state);
}

static void set(struct balancer_options *o, const char *name, double value)
{
    balancer_options_set(o, name, value); /* the scenario has checked the range; floats are rounded here */
}

#define SLB "hbase.master.balancer.stochastic."

void balance_options(const struct spec_hbase *h, struct balancer_options *o)
{
    const struct spec_balance *b = &h->balance;

    balancer_options_init(o);
    o->kind = b->balancer == SPEC_BALANCER_SIMPLE ? BALANCER_SIMPLE
              : b->balancer == SPEC_BALANCER_OFF  ? BALANCER_OFF
                                                  : BALANCER_STOCHASTIC;
    set(o, SLB "regionCountCost", b->region_count_cost);
    set(o, SLB "moveCost", b->move_cost);
    set(o, SLB "localityCost", b->locality_cost);
    set(o, SLB "tableSkewCost", b->table_skew_cost);
    set(o, SLB "readRequestCost", b->read_request_cost);
    set(o, SLB "writeRequestCost", b->write_request_cost);
    set(o, SLB "memstoreSizeCost", b->memstore_size_cost);
    set(o, SLB "storefileSizeCost", b->storefile_size_cost);
    set(o, SLB "minCostNeedBalance", b->min_cost_need_balance);
    set(o, SLB "maxMovePercent", b->max_move_percent);
    set(o, SLB "maxSteps", b->max_steps);
    set(o, SLB "stepsPerRegion", b->steps_per_region);
    set(o, SLB "runMaxSteps", b->run_max_steps);
    set(o, "hbase.regions.slop", h->regions_slop);
    if (!isnan(b->overall_slop))
        set(o, "hbase.regions.overallSlop", b->overall_slop);
    set(o, "hbase.master.balancer.maxRitPercent", b->max_rit_percent);
    o->by_table = b->by_table;
    o->max_running_us = b->max_running_ns / DES_US;
    o->period_us = h->balancer_period_ns / DES_US;
    o->max_balancing_us = b->max_balancing_ns < 0 ? -1 : b->max_balancing_ns / DES_US;
    o->status_period_us = b->status_period_ns / DES_US;
}

/* ---- execution ---- */

static void go_on(struct model *m);

static void look_again(struct des_calendar *cal, void *self, uint64_t arg)
{
    (void)cal;
    (void)arg;
    go_on(self);
}

/* AssignmentManager.balance: a plan whose region is gone, on its way or elsewhere is dropped. */
static bool submit(struct model *m, const struct balancer_plan *p)
{
    struct region *r = m->regions[p->region];
    struct result_event *e;

    if (r->state != REGION_OPEN || r->trip != TRIP_NONE || r->server != (int)p->from || !m->servers[p->to].known)
        return false;
    e = model_log(m, "move", r, "balancer plan");
    if (e) {
        e->to_server = (int)p->to;
        model_log_text(e, "the balancer moves %s region", r->table < 0 ? "a system or background" : "a");
    }
    r->trip_to = (int)p->to;
    region_leave(m, r, TRIP_MOVE);
    return true;
}

static void cut_off(struct model *m)
{
    struct plan_execution *x = &m->execution;
    struct result_event *e = model_log(m, "balancer", NULL, "hbase.balancer.max.balancing");

    if (e) {
        model_log_input(e, "moves_planned", (double)x->len);
        model_log_input(e, "moves_started", (double)x->at);
        model_log_text(e, "stops after %.0f s: %zu of %zu moves are left for the next run",
                       des_time_to_s(x->cutoff - x->begin), x->len - x->at, x->len);
    }
    x->at = x->len;
}

static void go_on(struct model *m)
{
    struct plan_execution *x = &m->execution;

    while (x->at < x->len) {
        const des_time now = des_now(m->cal);

        if (x->at > 0) {
            const des_time next = x->begin + (des_time)x->at * x->interval;

            if ((now < next && m->trips > 0) || (m->trips >= x->most_in_transition && now <= x->cutoff)) {
                des_after(m->cal, LOOK_AGAIN, (struct des_action){.run = look_again, .self = m});
                return;
            }
            if (now > x->cutoff) {
                cut_off(m);
                break;
            }
        }
        submit(m, &x->plans[x->at++]);
    }
    x->busy = false;
}

/* ---- a run ---- */

/* What the run's moves would do to the writes' spread, and how they lie now. */
struct writes_view {
    double ratio, ratio_after;
    uint32_t tails_max;
    size_t tails;
};

static int look_at_writes(const struct model_view *v, const struct balancer_outcome *out, struct writes_view *w)
{
    const struct balancer_cluster *c = &v->cluster;
    struct balancer_cluster after = *c;
    struct balancer_region *regions = malloc((c->n_regions + 1) * sizeof *regions);
    uint32_t *tails = calloc(c->n_servers, sizeof *tails);
    int rc = regions && tails ? moves_hot_ratio(c, &w->ratio) : -1;

    if (rc == 0) {
        memcpy(regions, c->regions, c->n_regions * sizeof *regions);
        for (size_t i = 0; i < out->n_plans; i++)
            regions[out->plans[i].region].server = out->plans[i].to;
        after.regions = regions;
        rc = moves_hot_ratio(&after, &w->ratio_after);
        w->tails = moves_hot_tails(c, TAIL_SHARE, tails);
        for (uint32_t s = 0; s < c->n_servers; s++)
            w->tails_max = tails[s] > w->tails_max ? tails[s] : w->tails_max;
    }
    free(regions);
    free(tails);
    return rc == 0 ? 0 : MODEL_NO_MEMORY;
}

static void say_why(struct result_event *e, const struct balancer_decision *d, const struct writes_view *w)
{
    const char *gate = balancer_gate_name(d->gate);
    const uint32_t fair = d->servers ? (uint32_t)((w->tails + d->servers - 1) / d->servers) : 0;
    const double needed = moves_write_multiplier_needed(d);

    if (d->needed && d->steps > d->steps_in_time)
        model_log_text(e, "runs (%s): counts %u to %u, %zu moves planned, hot ratio %.2f to %.2f; a real master's time "
                       "limit would end the walk at about step %llu of %llu", gate, d->count_min, d->count_max,
                       d->n_plans, w->ratio, w->ratio_after, (unsigned long long)d->steps_in_time,
                       (unsigned long long)d->steps);
    else if (d->needed)
        model_log_text(e, "runs (%s): counts %u to %u, %zu moves planned, hot ratio %.2f to %.2f", gate, d->count_min,
                       d->count_max, d->n_plans, w->ratio, w->ratio_after);
    else if (d->gate != BALANCER_GATE_COST_BALANCED)
        model_log_text(e, "does not run (%s): counts %u to %u", gate, d->count_min, d->count_max);
    else if (w->tails_max > fair && isfinite(needed))
        model_log_text(e, "does not run: cost %.2f of the %.2f needed, counts %u to %u; %u tails share a server, and "
                       "writeRequestCost would have to be %.1f for that to start a run", d->total,
                       d->threshold * d->multiplier_sum, d->count_min, d->count_max, w->tails_max, needed);
    else
        model_log_text(e, "does not run: cost %.2f of the %.2f needed, counts %u to %u within %u to %u", d->total,
                       d->threshold * d->multiplier_sum, d->count_min, d->count_max, d->count_floor, d->count_ceil);
}

static void log_run(struct model *m, const struct balancer_decision *d, const struct writes_view *w)
{
    struct result_event *e = model_log(m, "balancer", NULL, balancer_gate_name(d->gate));

    if (!e)
        return;
    e->threshold = d->threshold;
    if (d->table >= 0 && (size_t)d->table >= 3 + m->others_len)
        e->table = (int)((size_t)d->table - 3 - m->others_len);
    model_log_input(e, "servers", d->servers);
    model_log_input(e, "regions", d->regions);
    model_log_input(e, "count_min", d->count_min);
    model_log_input(e, "count_max", d->count_max);
    model_log_input(e, "count_floor", d->count_floor);
    model_log_input(e, "count_ceil", d->count_ceil);
    model_log_input(e, "imbalance", d->imbalance);
    model_log_input(e, "multiplier_sum", d->multiplier_sum);
    if (d->simple) {
        model_log_input(e, "overall_least", d->overall_least);
        model_log_input(e, "overall_most", d->overall_most);
        model_log_input(e, "overall_floor", d->overall_floor);
        model_log_input(e, "overall_ceil", d->overall_ceil);
    }
    model_log_input(e, "total_cost", d->total);
    model_log_input(e, "write_cost", d->cost[BALANCER_COST_WRITE] * d->multiplier[BALANCER_COST_WRITE]);
    model_log_input(e, "read_cost", d->cost[BALANCER_COST_READ] * d->multiplier[BALANCER_COST_READ]);
    model_log_input(e, "hot_ratio", w->ratio);
    model_log_input(e, "hot_ratio_after", w->ratio_after);
    model_log_input(e, "tails_per_server_max", w->tails_max);
    model_log_input(e, "moves_planned", (double)d->n_plans);
    say_why(e, d, w);
}

static void execute(struct model *m, struct balancer_outcome *out, const struct model_view *v)
{
    struct plan_execution *x = &m->execution;
    const int64_t all_us = m->balancer.max_balancing_us < 0 ? m->balancer.period_us : m->balancer.max_balancing_us;

    free(x->plans);
    *x = (struct plan_execution){.plans = out->plans, .len = out->n_plans, .begin = des_now(m->cal)};
    out->plans = NULL;
    for (size_t i = 0; i < x->len; i++)
        x->plans[i].region = (uint32_t)v->ids[x->plans[i].region];
    x->interval = balancer_plan_interval_us(&m->balancer, x->len) * DES_US;
    x->cutoff = x->begin + all_us * DES_US;
    x->most_in_transition = balancer_max_in_transition(&m->balancer, v->cluster.n_regions);
    x->busy = true;
    go_on(m);
}

static void run(struct model *m)
{
    struct model_view v;
    struct balancer_outcome out = {0};
    struct writes_view writes = {0};
    const struct balance_draw draws = {draw, &m->streams.balancer};
    int rc = model_view_new(m, &v);

    if (rc != 0) {
        model_fail(m, rc);
        return;
    }
    m->balancer.offpeak = model_offpeak(m);
    rc = balancer_balance(&v.cluster, &m->balancer, &draws, &out);
    if (rc == 0)
        rc = look_at_writes(&v, &out, &writes);
    if (rc == 0) {
        for (size_t i = 0; i < out.n_decisions; i++)
            log_run(m, &out.decisions[i], &writes);
        execute(m, &out, &v);
    } else {
        model_fail(m, rc == BALANCE_NO_MEMORY ? MODEL_NO_MEMORY : MODEL_BROKEN);
    }
    balancer_outcome_free(&out);
    model_view_free(&v);
}

/* In a brief run the balancer looks at an unchanged cluster only so often. */
#define BRIEF_REST (12 * DES_HOUR)

/* And at a changing one four times a sample window, the finest that its result tells, at least hourly. */
static des_time brief_pause(const struct model *m)
{
    const des_time quarter = spec_window_ns(m->spec) / 4;

    return quarter < DES_HOUR ? quarter : DES_HOUR;
}

void balance_now(struct model *m)
{
    const struct balancer_master master = {m->balancer_on && m->balancer.kind != BALANCER_OFF, (uint32_t)m->trips,
                                           m->dead_in_progress};
    const enum balancer_gate gate = balancer_may_run(&master);
    struct result_event *e;

    if (m->execution.busy)
        return; /* the chore's thread still executes the last run's plans */
    if (m->brief && m->balanced_as_of > 0 && des_now(m->cal) - m->balanced_at < brief_pause(m))
        return;
    if (gate == BALANCER_GATE_NONE) {
        /* Where nothing has moved or split since a run that found nothing to do, loads are what they were. */
        if (m->brief && m->balanced_as_of == m->placement && des_now(m->cal) - m->balanced_at < BRIEF_REST)
            return;
        chores_sample_loads(m);
        run(m);
        m->balanced_as_of = m->placement;
        m->balanced_at = des_now(m->cal);
        return;
    }
    if (m->balancer.kind == BALANCER_OFF)
        return;
    e = model_log(m, "balancer", NULL, balancer_gate_name(gate));
    if (!e)
        return;
    model_log_input(e, "switched_on", master.switched_on);
    model_log_input(e, "regions_in_transition", (double)m->trips);
    model_log_input(e, "dead_servers", (double)m->dead_in_progress);
    if (gate == BALANCER_GATE_SWITCH)
        model_log_text(e, "does not run: it is switched off");
    else
        model_log_text(e, "does not run: %zu regions in transition, %u dead servers in progress", m->trips,
                       m->dead_in_progress);
}
