/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs by the clock: each server's discharger and its reports to the master, the master's load
   samples and its balancer. A chore's ticks keep their base; a run may be late
   (JitterScheduledThreadPoolExecutorImpl, HBase 2.6). */
#include <stdlib.h>

#include "hbase/model/act.h"
#include "hbase/model/admin.h"

des_time chore_late(struct model *m, des_time period)
{
    return (des_time)(m->spec->server.chore_lateness * des_uniform(&m->streams.chores) * (double)period);
}

void chores_to_discharge(struct model *m, struct region *r)
{
    if (r->discharge_listed)
        return;
    if (m->to_discharge_len == m->to_discharge_cap) {
        size_t cap = m->to_discharge_cap ? m->to_discharge_cap * 2 : 64;
        int *list = realloc(m->to_discharge, cap * sizeof *list);

        if (!list) {
            model_fail(m, MODEL_NO_MEMORY);
            return;
        }
        m->to_discharge = list;
        m->to_discharge_cap = cap;
    }
    m->to_discharge[m->to_discharge_len++] = r->id;
    r->discharge_listed = true;
}

/* CompactedHFilesDischarger: all regions of the server that have something to discharge. */
static void discharge(struct des_calendar *cal, void *self, uint64_t server)
{
    struct model *m = self;
    size_t kept = 0;

    (void)cal;
    for (size_t i = 0; i < m->to_discharge_len; i++) {
        struct region *r = m->regions[m->to_discharge[i]];

        if (r->state != REGION_DEAD && (r->server != (int)server || r->state != REGION_OPEN)) {
            m->to_discharge[kept++] = r->id;
            continue;
        }
        r->discharge_listed = false;
        for (size_t f = 0; r->state == REGION_OPEN && f < m->tables[r->table].families_len; f++)
            store_discharge(&r->stores[f]);
    }
    m->to_discharge_len = kept;
}

static void discharger_tick(struct des_calendar *cal, void *self, uint64_t server)
{
    struct model *m = self;
    const struct server *s = &m->servers[server];
    const des_time period = m->spec->hbase.discharger_interval_ns;

    if (!s->live)
        return;
    des_after(cal, chore_late(m, period), (struct des_action){.run = discharge, .self = m, .arg = server});
    des_slot_set(cal, s->discharger_slot, des_now(cal) + period);
}

/* CompactionChecker: every 1,000th wake of 10 s (hbase.server.compactchecker.interval.multiplier x
   hbase.server.thread.wakefrequency). All servers' at once: they came up together. */
#define COMPACTION_CHECK (10000 * DES_S)

static void compaction_check_tick(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;

    (void)arg;
    for (size_t t = 0; t < m->tables_len; t++)
        for (size_t i = 0; i < m->tables[t].regions_len; i++) {
            struct region *r = m->regions[m->tables[t].regions[i]];

            if (des_now(m->cal) >= r->check_from && r->state == REGION_OPEN && m->servers[r->server].live)
                region_check_compaction(m, r);
        }
    des_slot_set(cal, m->compaction_check_slot, des_now(cal) + COMPACTION_CHECK);
}

static uint32_t whole_mb(uint64_t bytes)
{
    return bytes == 0 ? 0 : bytes < 1048576 ? 1 : (uint32_t)(bytes / 1048576);
}

static struct load_sample load_of(const struct model *m, const struct region *r)
{
    struct load_sample l = {0, 0, 0, 0};
    uint64_t data = 0, files = 0;

    for (size_t f = 0; r->table >= 0 && f < m->tables[r->table].families_len; f++) {
        data += store_data_bytes(&r->stores[f]);
        files += store_bytes(&r->stores[f]);
    }
    l.memstore_mb = whole_mb(data);
    l.storefile_mb = whole_mb(files) + (r->given ? (uint32_t)r->given->store_mb : 0);
    return l;
}

static void report_region(struct model *m, struct region *r)
{
    if (r->resized)
        r->report = load_of(m, r);
    r->report.write_requests = r->requests;
    r->report.read_requests = r->reads;
    r->resized = false;
    r->report_server = r->server;
    r->report_number = m->servers[r->server].reports;
}

/* RegionServerServices.tryRegionServerReport: what the server's open regions carry. */
static void report(struct model *m, struct server *s)
{
    struct region_walk walk = {0, 0, 0};

    s->reports++;
    for (struct region *r = region_walk_next(m, &walk); r; r = region_walk_next(m, &walk))
        if (r->server == s->index && r->state == REGION_OPEN)
            report_region(m, r);
}

static void report_tick(struct des_calendar *cal, void *self, uint64_t server)
{
    struct model *m = self;
    struct server *s = &m->servers[server];

    if (!s->live || m->brief)
        return;
    report(m, s);
    des_slot_set(cal, s->report_slot, des_now(cal) + m->spec->hbase.balance.msg_interval_ns);
}

void region_forget_load(struct region *r)
{
    free(r->load);
    r->load = NULL;
    r->load_steady = false;
}

/* A history of nothing but one and the same sample is put away, and comes back with the next other one: most regions
   of a long run are idle. */
void region_add_load(struct model *m, struct region *r, const struct load_sample *sample)
{
    const bool was_steady = r->load_steady;

    if (was_steady && load_sample_equal(&r->steady, sample))
        return;
    r->load_steady = false;
    if (!r->load && !(r->load = calloc(1, sizeof *r->load))) {
        model_fail(m, MODEL_NO_MEMORY);
        return;
    }
    for (unsigned i = 0; was_steady && i < LOAD_HISTORY_SAMPLES; i++)
        load_history_add(r->load, &r->steady);
    load_history_add(r->load, sample);
    if (load_history_is_steady(r->load)) {
        region_forget_load(r);
        r->load_steady = true;
        r->steady = *sample;
    }
}

void chores_sample_loads(struct model *m)
{
    struct region_walk walk = {0, 0, 0};

    /* In a brief run the servers report now. */
    for (size_t i = 0; m->brief && i < m->servers_len; i++)
        m->servers[i].reports += m->servers[i].live;
    for (struct region *r = region_walk_next(m, &walk); r; r = region_walk_next(m, &walk)) {
        if (m->brief && r->state == REGION_OPEN && m->servers[r->server].live)
            report_region(m, r);
        if (r->report_number > 0 && m->servers[r->report_server].known &&
            m->servers[r->report_server].reports == r->report_number)
            region_add_load(m, r, &r->report);
        else
            region_forget_load(r); /* StochasticLoadBalancer.updateRegionLoad drops who is missing */
    }
}

static void status_tick(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;

    (void)arg;
    if (m->brief)
        return; /* a run of years samples loads where the balancer looks at them */
    chores_sample_loads(m);
    des_slot_set(cal, m->status_slot, des_now(cal) + m->spec->hbase.balance.status_period_ns);
}

/* CatalogJanitor (hbase.catalogjanitor.interval). It comes only while something waits for it. */
#define CATALOG_JANITOR (300 * DES_S)

static void janitor(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;

    (void)cal;
    (void)arg;
    m->janitor_comes = false;
    model_catalog_janitor(m);
    for (size_t i = 0; i < m->regions_len; i++)
        if (m->regions[i]->merge_qualifier && m->regions[i]->state != REGION_DEAD)
            chores_janitor(m);
}

void chores_janitor(struct model *m)
{
    const des_time now = des_now(m->cal);

    if (m->janitor_comes)
        return;
    m->janitor_comes = true;
    des_at(m->cal, (now / CATALOG_JANITOR + 1) * CATALOG_JANITOR, (struct des_action){.run = janitor, .self = m});
}

static void balance_late(struct des_calendar *cal, void *self, uint64_t arg)
{
    (void)cal;
    (void)arg;
    balance_now(self);
}

static void balancer_tick(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;
    const des_time period = m->spec->hbase.balancer_period_ns;

    (void)arg;
    des_after(cal, chore_late(m, period), (struct des_action){.run = balance_late, .self = m});
    des_slot_set(cal, m->balancer_slot, des_now(cal) + period);
}

static des_time phase(struct des_stream *stream, des_time period)
{
    return (des_time)(des_uniform(stream) * (double)period);
}

/* Of [0, at). */
static des_time paused_before(const struct spec_server *sv, des_time phase, des_time at)
{
    const des_time since = at - phase;

    if (sv->gc_pause_ns == 0 || since <= 0)
        return 0;
    return since / sv->gc_every_ns * sv->gc_pause_ns +
           (since % sv->gc_every_ns < sv->gc_pause_ns ? since % sv->gc_every_ns : sv->gc_pause_ns);
}

des_time server_paused(const struct model *m, const struct server *s, des_time from, des_time to)
{
    const struct spec_server *sv = &m->spec->server;

    return paused_before(sv, s->gc_phase, to) - paused_before(sv, s->gc_phase, from);
}

des_time server_pause_left(const struct model *m, const struct server *s, des_time now)
{
    const struct spec_server *sv = &m->spec->server;
    const des_time into = sv->gc_pause_ns > 0 && now >= s->gc_phase ? (now - s->gc_phase) % sv->gc_every_ns : sv->gc_pause_ns;

    return into < sv->gc_pause_ns ? sv->gc_pause_ns - into : 0;
}

/* The whole process stands still: what its CPU was given ends so much later. */
static void gc_pause(struct des_calendar *cal, void *self, uint64_t server)
{
    struct model *m = self;
    struct server *s = &m->servers[server];
    const des_time now = des_now(cal);

    if (m->without_calls)
        return;
    if (s->live)
        s->cpu_free = (s->cpu_free > now ? s->cpu_free : now) + m->spec->server.gc_pause_ns;
    des_after(cal, m->spec->server.gc_every_ns, (struct des_action){.run = gc_pause, .self = m, .arg = server});
}

static void start_pauses(struct model *m)
{
    struct des_stream draws;

    if (m->spec->server.gc_pause_ns == 0)
        return;
    des_stream_init(&draws, m->spec->seed, "garbage collector");
    for (size_t i = 0; i < m->servers_len; i++) {
        m->servers[i].gc_phase = phase(&draws, m->spec->server.gc_every_ns);
        des_after(m->cal, m->servers[i].gc_phase, (struct des_action){.run = gc_pause, .self = m, .arg = i});
    }
}

void chores_start_server(struct model *m, struct server *s)
{
    const struct spec_hbase *h = &m->spec->hbase;
    const des_time now = des_now(m->cal);

    des_slot_set(m->cal, s->discharger_slot, now + phase(&m->streams.events, h->discharger_interval_ns));
    des_slot_set(m->cal, s->report_slot, now + phase(&m->streams.events, h->balance.msg_interval_ns));
}

void model_set_phase(struct model *m, enum model_chore chore, int server, des_time next)
{
    const uint32_t slot = chore == CHORE_DISCHARGER ? m->servers[server].discharger_slot
                          : chore == CHORE_REPORT   ? m->servers[server].report_slot
                          : chore == CHORE_STATUS   ? m->status_slot
                                                    : m->balancer_slot;

    des_slot_set(m->cal, slot, next);
}

int chores_start(struct model *m)
{
    const struct spec_hbase *h = &m->spec->hbase;
    int rc = 0;

    for (size_t i = 0; i < m->servers_len; i++) {
        struct server *s = &m->servers[i];

        rc |= des_slot_new(m->cal, (struct des_action){.run = discharger_tick, .self = m, .arg = i},
                           &s->discharger_slot);
        rc |= des_slot_new(m->cal, (struct des_action){.run = report_tick, .self = m, .arg = i}, &s->report_slot);
    }
    rc |= des_slot_new(m->cal, (struct des_action){.run = status_tick, .self = m}, &m->status_slot);
    rc |= des_slot_new(m->cal, (struct des_action){.run = balancer_tick, .self = m}, &m->balancer_slot);
    rc |= des_slot_new(m->cal, (struct des_action){.run = compaction_check_tick, .self = m},
                       &m->compaction_check_slot);
    rc |= periodic_start(m);
    if (rc != 0)
        return MODEL_NO_MEMORY;
    start_pauses(m);
    for (size_t i = 0; i < m->servers_len; i++)
        if (m->servers[i].live)
            des_slot_set(m->cal, m->servers[i].discharger_slot, phase(&m->streams.chores, h->discharger_interval_ns));
    for (size_t i = 0; i < m->servers_len; i++) {
        struct server *s = &m->servers[i];

        if (!s->live)
            continue;
        report(m, s);
        des_slot_set(m->cal, s->report_slot, phase(&m->streams.events, h->balance.msg_interval_ns));
    }
    des_slot_set(m->cal, m->status_slot, h->balance.status_period_ns);
    des_slot_set(m->cal, m->balancer_slot, h->balancer_period_ns);
    des_slot_set(m->cal, m->compaction_check_slot, phase(&m->streams.checks, COMPACTION_CHECK));
    return 0;
}
