/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chores: the discharger of each server, the master's load samples, and the balancer with the
   execution of its plans, one move after the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/balance/balancer.h"
#include "hbase/model/act.h"

static uint64_t draw(void *state)
{
    return des_u64(state);
}

/* A chore's tick may run late by up to a share of its period; the ticks themselves stay on their base. */
static des_time late(struct model *m, des_time period)
{
    return (des_time)(m->spec->server.chore_lateness * des_uniform(&m->streams.chores) * (double)period);
}

/* ---- CompactedHFilesDischarger ---- */

static void discharge(struct des_calendar *cal, void *self, uint64_t server)
{
    struct model *m = self;

    (void)cal;
    for (size_t i = 0; i < m->regions_len; i++) {
        struct region *r = m->regions[i];

        if (r->table < 0 || r->server != (int)server || r->state != REGION_OPEN)
            continue;
        for (size_t f = 0; f < m->tables[r->table].families_len; f++)
            store_discharge(&r->stores[f]);
    }
}

static void discharger_tick(struct des_calendar *cal, void *self, uint64_t server)
{
    struct model *m = self;
    const des_time period = m->spec->hbase.discharger_interval_ns;

    des_after(cal, late(m, period), (struct des_action){.run = discharge, .self = m, .arg = server});
    des_after(cal, period, (struct des_action){.run = discharger_tick, .self = m, .arg = server});
}

/* ---- load samples ---- */

static uint32_t whole_mb(uint64_t bytes)
{
    return bytes == 0 ? 0 : bytes < 1048576 ? 1 : (uint32_t)(bytes / 1048576);
}

static void sample_loads(struct model *m)
{
    for (size_t i = 0; i < m->regions_len; i++) {
        struct region *r = m->regions[i];
        struct load_sample s = {r->requests, 0, 0, 0};
        uint64_t data = 0, files = 0;

        if (r->state == REGION_DEAD)
            continue;
        if (r->state == REGION_AWAY) {
            load_history_clear(&r->load);
            continue;
        }
        for (size_t f = 0; r->table >= 0 && f < m->tables[r->table].families_len; f++) {
            data += store_data_bytes(&r->stores[f]);
            files += store_bytes(&r->stores[f]);
        }
        s.memstore_mb = whole_mb(data);
        s.storefile_mb = whole_mb(files);
        load_history_add(&r->load, &s);
    }
}

static void status_tick(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;

    (void)arg;
    sample_loads(m);
    des_after(cal, m->balancer.status_period_us * DES_US,
              (struct des_action){.run = status_tick, .self = m});
}

/* ---- the balancer's view ---- */

/* Regions that are not split parents, in the order of their names: table, start key. System and
   background regions come first; hbase:meta is the very first region made. */
struct balancer_view {
    struct balancer_region *regions;
    int *ids;
    size_t n;
    uint8_t *server_state;
};

static void see_region(const struct model *m, struct balancer_view *v, const struct region *r)
{
    struct balancer_region *b = &v->regions[v->n];
    const struct load_rates rates = load_history_rates(&r->load);

    memset(b, 0, sizeof *b);
    b->table = r->table >= 0 ? (uint32_t)r->table + 3 : r->id < 2 ? (uint32_t)r->id : 2;
    b->server = (uint32_t)r->server;
    b->key_order = (uint32_t)v->n;
    if (r->table < 0 && r->id < 2)
        b->flags |= BALANCER_REGION_SYSTEM;
    if (r->id == 0)
        b->flags |= BALANCER_REGION_META;
    if (r->state != REGION_OPEN)
        b->flags |= BALANCER_REGION_OFFLINE;
    b->storefile_mb = rates.storefile_mb;
    b->storefile_last_mb = rates.storefile_last_mb;
    b->write_rate = rates.write_rate;
    b->read_rate = rates.read_rate;
    b->memstore_rate = rates.memstore_rate;
    v->ids[v->n++] = r->id;
    (void)m;
}

static int view_new(struct model *m, struct balancer_view *v, struct balancer_cluster *c)
{
    memset(v, 0, sizeof *v);
    v->regions = malloc((m->regions_len + 1) * sizeof *v->regions);
    v->ids = malloc((m->regions_len + 1) * sizeof *v->ids);
    v->server_state = calloc(m->servers_len, 1);
    if (!v->regions || !v->ids || !v->server_state)
        return MODEL_NO_MEMORY;
    for (size_t i = 0; i < m->regions_len; i++)
        if (m->regions[i]->table < 0)
            see_region(m, v, m->regions[i]);
    for (size_t t = 0; t < m->tables_len; t++)
        for (size_t i = 0; i < m->tables[t].regions_len; i++)
            see_region(m, v, m->regions[m->tables[t].regions[i]]);
    for (size_t s = 0; s < m->servers_len; s++)
        v->server_state[s] = m->servers[s].live ? BALANCER_SERVER_LIVE : BALANCER_SERVER_DEAD;
    memset(c, 0, sizeof *c);
    c->regions = v->regions;
    c->n_regions = v->n;
    c->server_state = v->server_state;
    c->server_list = m->server_list;
    c->n_servers = (uint32_t)m->servers_len;
    c->n_tables = (uint32_t)m->tables_len + 3;
    return 0;
}

static void view_free(struct balancer_view *v)
{
    free(v->regions);
    free(v->ids);
    free(v->server_state);
}

/* ---- a run and its plans ---- */

static void next_plan(struct model *m)
{
    while (m->plans_at < m->plans_len) {
        const struct balancer_plan p = m->plans[m->plans_at++];
        struct region *r = m->regions[p.region];
        struct result_event *e;

        /* AssignmentManager.balance: a plan whose region is gone, on its way or elsewhere is dropped. */
        if (r->state != REGION_OPEN || r->server != (int)p.from)
            continue;
        e = model_log(m, "move", r, "balancer plan");
        if (e) {
            e->to_server = (int)p.to;
            model_log_text(e, "the balancer moves %s region",
                           r->table < 0 ? "a system or background" : "a");
        }
        r->trip_to = (int)p.to;
        m->moving = r->id;
        region_leave(m, r, TRIP_MOVE);
        return;
    }
    m->moving = -1;
}

static void next_plan_later(struct des_calendar *cal, void *self, uint64_t arg)
{
    (void)cal;
    (void)arg;
    next_plan(self);
}

void balancer_region_back(struct model *m, struct region *r)
{
    if (m->moving != r->id)
        return;
    m->moving = -1;
    /* The master looks every 100 ms whether the last move has ended. */
    des_after(m->cal, 100 * DES_MS, (struct des_action){.run = next_plan_later, .self = m});
}

static void log_run(struct model *m, const struct balancer_decision *d)
{
    struct result_event *e = model_log(m, "balancer", NULL, balancer_gate_name(d->gate));

    if (!e)
        return;
    e->threshold = d->threshold;
    model_log_input(e, "regions", d->regions);
    model_log_input(e, "count_min", d->count_min);
    model_log_input(e, "count_max", d->count_max);
    model_log_input(e, "count_floor", d->count_floor);
    model_log_input(e, "count_ceil", d->count_ceil);
    model_log_input(e, "imbalance", d->imbalance);
    model_log_input(e, "total_cost", d->total);
    model_log_input(e, "write_cost", d->cost[BALANCER_COST_WRITE] * d->multiplier[BALANCER_COST_WRITE]);
    model_log_input(e, "moves_planned", (double)d->n_plans);
    if (d->needed)
        model_log_text(e, "runs (%s): counts %u to %u, %zu moves planned", balancer_gate_name(d->gate),
                       d->count_min, d->count_max, d->n_plans);
    else
        model_log_text(e, "does not run: imbalance %.4f is below %.3f, counts %u to %u within %u to %u",
                       d->imbalance, d->threshold, d->count_min, d->count_max, d->count_floor,
                       d->count_ceil);
}

static void run_balancer(struct model *m)
{
    struct balancer_view v;
    struct balancer_cluster cluster;
    struct balancer_outcome out = {0};
    const struct balance_draw draws = {draw, &m->streams.balancer};
    int rc = view_new(m, &v, &cluster);

    if (rc == 0 && balancer_balance(&cluster, &m->balancer, &draws, &out) != 0)
        rc = MODEL_NO_MEMORY;
    if (rc == 0) {
        for (size_t i = 0; i < out.n_decisions; i++)
            log_run(m, &out.decisions[i]);
        free(m->plans);
        m->plans = out.plans;
        m->plans_len = out.n_plans;
        m->plans_at = 0;
        out.plans = NULL;
        for (size_t i = 0; i < m->plans_len; i++)
            m->plans[i].region = (uint32_t)v.ids[m->plans[i].region];
        balancer_outcome_free(&out);
        next_plan(m);
    } else {
        model_fail(m, rc);
    }
    view_free(&v);
}

static void balance_now(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;
    const struct balancer_master master = {true, (uint32_t)m->trips, 0};

    (void)cal;
    (void)arg;
    if (m->plans_at < m->plans_len || m->moving >= 0)
        return; /* the chore's thread still executes the last run's plans */
    if (balancer_may_run(&master) != BALANCER_GATE_NONE) {
        struct result_event *e = model_log(m, "balancer", NULL, balancer_gate_name(balancer_may_run(&master)));

        if (e) {
            model_log_input(e, "regions_in_transition", (double)m->trips);
            model_log_text(e, "does not run: %zu regions in transition", m->trips);
        }
        return;
    }
    sample_loads(m);
    run_balancer(m);
}

static void balancer_tick(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;
    const des_time period = m->spec->hbase.balancer_period_ns;

    (void)arg;
    des_after(cal, late(m, period), (struct des_action){.run = balance_now, .self = m});
    des_after(cal, period, (struct des_action){.run = balancer_tick, .self = m});
}

int chores_start(struct model *m)
{
    const struct spec_hbase *h = &m->spec->hbase;

    for (size_t s = 0; s < m->servers_len; s++) {
        const double phase = des_uniform(&m->streams.chores);

        des_at(m->cal, (des_time)(phase * (double)h->discharger_interval_ns),
               (struct des_action){.run = discharger_tick, .self = m, .arg = (uint64_t)s});
    }
    des_at(m->cal, m->balancer.status_period_us * DES_US, (struct des_action){.run = status_tick, .self = m});
    if (m->servers_len > 1)
        des_at(m->cal, h->balancer_period_ns, (struct des_action){.run = balancer_tick, .self = m});
    return 0;
}
