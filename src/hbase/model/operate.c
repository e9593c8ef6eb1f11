/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario's [event]s: what an operator does, and what befalls the cluster. A restart follows
   bin/graceful_stop.sh: the balancer off, regions moved off one by one, the server restarted, the
   same regions moved back, the balancer as it was. */
#include <stdlib.h>
#include <string.h>

#include "hbase/balance/assign.h"
#include "hbase/model/act.h"
#include "hbase/model/admin.h"

#define LOOK_AGAIN (100 * DES_MS)

enum phase { PHASE_UNLOAD, PHASE_DOWN, PHASE_LOAD };

struct operation {
    struct model *m;
    bool rolling;
    bool balancer_was_on, was_draining;
    enum phase phase;
    int server;
    des_time begun;
    int *regions;             /* ids that it had, in the order in which they left */
    size_t len, cap, at;
    int moving;               /* id; -1 */
    struct operation *next;
};

static void step(struct des_calendar *cal, void *self, uint64_t arg);

static uint64_t draw(void *state)
{
    return des_u64(state);
}

static struct result_event *log_server(struct model *m, const char *kind, int server, const char *rule)
{
    struct result_event *e = model_log(m, kind, NULL, rule);

    if (e)
        e->server = server;
    return e;
}

/* The event tells of what the scenario asked for and didn't get; NULL where it isn't logged. */
static void refuse(struct result_event *e, const char *what, const char *why)
{
    if (!e)
        return;
    e->refused = true;
    model_log_text(e, "not %s by hand: %s", what, why);
}

/* Begins a move; false where the region can't leave now. */
static bool move(struct model *m, struct region *r, int to, const char *rule, const char *why)
{
    struct result_event *e;

    if (r->state != REGION_OPEN || r->trip != TRIP_NONE || r->server == to || to < 0)
        return false;
    e = model_log(m, "move", r, rule);
    if (e) {
        e->to_server = to;
        model_log_text(e, "%s", why);
    }
    r->trip_to = to;
    region_leave(m, r, TRIP_MOVE);
    return true;
}

/* ---- restarts ---- */

static int next_server(const struct model *m, int after)
{
    for (int s = after + 1; s < (int)m->servers_len; s++)
        if (m->servers[s].live)
            return s;
    return -1;
}

static int remember(struct operation *op, int region)
{
    if (op->len == op->cap) {
        const size_t cap = op->cap ? op->cap * 2 : 64;
        int *all = realloc(op->regions, cap * sizeof *all);

        if (!all)
            return -1;
        op->regions = all;
        op->cap = cap;
    }
    op->regions[op->len++] = region;
    return 0;
}

static void begin_server(struct operation *op, int server)
{
    struct result_event *e = log_server(op->m, "restart", server, "graceful_stop.sh");

    op->phase = PHASE_UNLOAD;
    op->server = server;
    op->len = op->at = 0;
    op->moving = -1;
    op->begun = des_now(op->m->cal);
    op->was_draining = op->m->servers[server].draining;
    op->m->servers[server].draining = true;
    servers_refresh(op->m);
    if (e)
        model_log_text(e, "its %d region%s off one by one, then it restarts",
                       op->m->servers[server].regions, op->m->servers[server].regions == 1 ? " moves" : "s move");
}

static void forget(struct operation *op)
{
    struct operation **at = &op->m->operations;

    while (*at != op)
        at = &(*at)->next;
    *at = op->next;
    free(op->regions);
    free(op);
}

void operations_free(struct model *m)
{
    while (m->operations)
        forget(m->operations);
}

/* All is done for this server; the next one, or the end. False at the end. */
static bool end_server(struct operation *op)
{
    struct model *m = op->m;
    struct result_event *e = log_server(m, "restarted", op->server, "graceful_stop.sh");
    const int next = op->rolling ? next_server(m, op->server) : -1;

    if (e) {
        model_log_input(e, "took_s", des_time_to_s(des_now(m->cal) - op->begun));
        model_log_text(e, "is back with its regions, after %.0f s", des_time_to_s(des_now(m->cal) - op->begun));
    }
    if (next >= 0) {
        begin_server(op, next);
        return true;
    }
    m->balancer_on = op->balancer_was_on;
    forget(op);
    return false;
}

/* True when the server has no region any more. */
static bool unload(struct operation *op)
{
    struct model *m = op->m;
    bool left = false;

    for (size_t i = 0; i < m->regions_len; i++) {
        struct region *r = m->regions[i];

        if (r->server != op->server || r->state == REGION_DEAD)
            continue;
        left = true;
        if (move(m, r, server_pick(m, op->server), "RegionMover", "moves off a server that is restarted")) {
            op->moving = r->id;
            if (remember(op, r->id) != 0)
                model_fail(m, MODEL_NO_MEMORY);
            return false;
        }
    }
    return !left;
}

static bool load(struct operation *op)
{
    struct model *m = op->m;

    while (op->at < op->len) {
        struct region *r = m->regions[op->regions[op->at++]];

        if (move(m, r, op->server, "RegionMover", "moves back to the restarted server")) {
            op->moving = r->id;
            return false;
        }
    }
    return true;
}

static void up_again(struct operation *op)
{
    struct server *s = &op->m->servers[op->server];

    s->draining = op->was_draining;
    server_up(op->m, s);
    chores_start_server(op->m, s);
    op->phase = PHASE_LOAD;
}

static void step(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct operation *op = self;
    struct model *m = op->m;
    des_time wait = LOOK_AGAIN;

    (void)arg;
    if (op->moving >= 0 && m->regions[op->moving]->trip != TRIP_NONE) {
        des_after(cal, wait, (struct des_action){.run = step, .self = op});
        return;
    }
    op->moving = -1;
    /* It may have been lost meanwhile: then nothing is left to restart. */
    if (op->phase != PHASE_DOWN && !m->servers[op->server].live) {
        if (!end_server(op))
            return;
    } else if (op->phase == PHASE_DOWN) {
        up_again(op);
    } else if (op->phase == PHASE_UNLOAD && unload(op)) {
        op->phase = PHASE_DOWN;
        server_down(m, &m->servers[op->server]);
        wait = m->spec->server.restart_ns;
    } else if (op->phase == PHASE_LOAD && load(op)) {
        if (!end_server(op))
            return;
    }
    des_after(cal, wait, (struct des_action){.run = step, .self = op});
}

static void restart(struct model *m, int server, bool rolling)
{
    struct operation *op = calloc(1, sizeof *op);

    if (!op) {
        model_fail(m, MODEL_NO_MEMORY);
        return;
    }
    op->m = m;
    op->rolling = rolling;
    op->balancer_was_on = m->balancer_on;
    op->next = m->operations;
    m->operations = op;
    m->balancer_on = false;
    begin_server(op, rolling ? next_server(m, -1) : server);
    step(m->cal, op, 0);
}

/* ---- the other events ---- */

static void add(struct model *m, int count)
{
    for (int k = 0; k < count; k++) {
        size_t n = 0;
        struct result_event *e;

        while (m->servers[n].joined)
            n++;
        server_up(m, &m->servers[n]);
        chores_start_server(m, &m->servers[n]);
        e = log_server(m, "add server", (int)n, "scenario");
        if (e)
            model_log_text(e, "joins without a region; the balancer's next run fills it");
    }
}

/* HMaster.decommissionRegionServers with offload: all at once, round robin over the others. What is
   in transition then is looked at again. */
static void drain(struct des_calendar *cal, void *self, uint64_t server)
{
    struct model *m = self;
    const struct balance_draw draws = {draw, &m->streams.events};
    const struct assign_servers targets = {m->targets, (uint32_t)m->targets_len, NULL};
    const size_t n = m->regions_len;
    uint32_t *to = malloc((n + 1) * sizeof *to);
    size_t at = 0;
    bool left = false;

    if (!to || assign_round_robin(&targets, &draws, n, to) != 0) {
        free(to);
        model_fail(m, MODEL_NO_MEMORY);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct region *r = m->regions[i];

        if (r->server != (int)server || r->state == REGION_DEAD)
            continue;
        left = true;
        at += move(m, r, (int)to[at], "decommission_regionservers", "moves off a drained server");
    }
    free(to);
    if (left && m->servers[server].live)
        des_after(cal, DES_S, (struct des_action){.run = drain, .self = m, .arg = server});
}

static void begin_drain(struct model *m, int server)
{
    struct result_event *e = log_server(m, "drain", server, "decommission_regionservers");

    if (e)
        model_log_text(e, "its %d region%s off, and it takes no new ones", m->servers[server].regions,
                       m->servers[server].regions == 1 ? " moves" : "s move");
    m->servers[server].draining = true;
    servers_refresh(m);
    drain(m->cal, m, (uint64_t)server);
}

static struct table *table_of(struct model *m, const struct spec_event *ev)
{
    struct table *t = m->tables;

    while (strcmp(t->spec->name, ev->table) != 0)
        t++;
    return t;
}

static struct region *region_of(struct model *m, const struct spec_event *ev, const struct spec_bytes *key)
{
    return m->regions[table_region_of(m, table_of(m, ev), key->bytes, key->len)];
}

static void move_region(struct model *m, const struct spec_event *ev)
{
    struct region *r = region_of(m, ev, &ev->key);
    int to = ev->server;

    if (to < 0)
        to = server_pick(m, r->server);
    if (move(m, r, to, "scenario", "moved by hand"))
        return;
    refuse(model_log(m, "move", r, "scenario"), "moved", r->server == to ? "it is there already" : "it is in transition");
}

/* ---- what is done to tables and regions ---- */

void region_split_refused(struct model *m, const struct region *r, enum split_refusal rc)
{
    static const char *const why[] = {"", "it has no file that tells a key", "it has references that aren't compacted and discharged yet",
                                      "the middle key's row is the first or last row of the file",
                                      "the key is the region's start key", "the key lies outside the region",
                                      "its split policy allows none, or it is in transition"};

    refuse(model_log(m, "split refused", r, "by hand"), "split", why[-rc]);
}

static void split(struct model *m, const struct spec_event *ev)
{
    struct region *r = region_of(m, ev, &ev->key);
    const enum split_refusal rc = model_split(m, r, (struct saltkey_slice){ev->other.bytes, ev->other.len});

    if (rc != SPLIT_POINT_FOUND) /* else the split is an event of its own */
        region_split_refused(m, r, rc);
}

void region_warn_buckets(struct model *m, const struct region *low, const struct region *high)
{
    struct result_event *e = model_log(m, "warning", low, "merge across buckets");

    if (e)
        model_log_text(e, "buckets %d and %d become one region: their tails share a server, and a later split cuts "
                       "where the middle key lies, not at the border", low->bucket, high->bucket);
}

static void merge(struct model *m, const struct spec_event *ev)
{
    static const char *const why[] = {"", "it takes two regions", "both rows lie in one region", "they are no neighbours",
                                      "one was merged, and the catalog janitor hasn't cleaned up since",
                                      "one is in transition", "one has references"};
    struct region *both[2] = {region_of(m, ev, &ev->key), region_of(m, ev, &ev->other)};
    const bool buckets = both[0]->bucket != both[1]->bucket;
    const enum merge_refusal rc = model_merge(m, both, 2, false);

    if (rc != MERGE_OK)
        refuse(model_log(m, "merge refused", both[0], "MergeTableRegionsProcedure"), "merged", why[-rc]);
    else if (buckets)
        region_warn_buckets(m, both[0], both[1]);
}

static void upkeep(struct model *m, const struct spec_event *ev)
{
    struct table *t = table_of(m, ev);
    const struct region *only = ev->whole_table ? NULL : region_of(m, ev, &ev->key);

    for (size_t i = 0; i < t->regions_len; i++) {
        struct region *r = m->regions[t->regions[i]];

        if (only && r != only)
            continue;
        if (ev->kind == SPEC_EVENT_FLUSH)
            model_flush(m, r);
        else
            model_compact(m, r, ev->kind == SPEC_EVENT_MAJOR_COMPACT);
    }
}

static void flip(struct model *m, bool on)
{
    struct result_event *e = model_log(m, "balancer switch", NULL, "balance_switch");

    m->balancer_on = on;
    for (struct operation *op = m->operations; op; op = op->next)
        op->balancer_was_on = on;
    if (e)
        model_log_text(e, "the balancer is switched %s", on ? "on" : "off");
}

static void lose(struct model *m, int server)
{
    if (m->servers[server].live)
        server_crash(m, &m->servers[server]);
    else
        refuse(log_server(m, "lose refused", server, "scenario"), "lost", "it isn't there");
}

static void happen(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;
    const struct spec_event *ev = &m->spec->events[arg];

    (void)cal;
    switch (ev->kind) {
    case SPEC_EVENT_ADD:
        add(m, ev->count);
        break;
    case SPEC_EVENT_LOSE:
        lose(m, ev->server);
        break;
    case SPEC_EVENT_DRAIN:
        begin_drain(m, ev->server);
        break;
    case SPEC_EVENT_RESTART:
        restart(m, ev->server, false);
        break;
    case SPEC_EVENT_ROLLING_RESTART:
        restart(m, -1, true);
        break;
    case SPEC_EVENT_MOVE:
        move_region(m, ev);
        break;
    case SPEC_EVENT_BALANCE:
        balance_now(m);
        break;
    case SPEC_EVENT_BALANCER_ON:
    case SPEC_EVENT_BALANCER_OFF:
        flip(m, ev->kind == SPEC_EVENT_BALANCER_ON);
        break;
    case SPEC_EVENT_SPLIT:
        split(m, ev);
        break;
    case SPEC_EVENT_MERGE:
        merge(m, ev);
        break;
    case SPEC_EVENT_FLUSH:
    case SPEC_EVENT_COMPACT:
    case SPEC_EVENT_MAJOR_COMPACT:
        upkeep(m, ev);
        break;
    case SPEC_EVENT_CREATE_TABLE:
        table_created(m, table_of(m, ev));
        break;
    case SPEC_EVENT_DROP_TABLE:
        table_dropped(m, table_of(m, ev));
        break;
    }
}

int operations_start(struct model *m)
{
    for (size_t i = 0; i < m->spec->events_len; i++)
        des_at(m->cal, m->spec->events[i].at_ns, (struct des_action){.run = happen, .self = m, .arg = i});
    return 0;
}
