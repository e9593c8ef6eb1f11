/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A region on its way: it closes (no new calls, those inside end, its memstore is flushed), is away
   for the outage that the scenario gives, and opens again: itself elsewhere after a move, two
   daughters on the same server after a split. */
#include "hbase/model/act.h"

#include <stdlib.h>
#include <string.h>

static void back(struct des_calendar *cal, void *self, uint64_t arg);

des_time region_outage(struct model *m, enum region_trip trip)
{
    const struct spec_server *sv = &m->spec->server;

    if (m->outages.draw)
        return m->outages.draw(m->outages.context, trip);
    return trip == TRIP_SPLIT || trip == TRIP_MERGE ? sv->split_outage_ns : sv->move_outage_ns;
}

static void closed(struct model *m, struct region *r)
{
    const des_time outage = region_outage(m, r->trip);

    if (r->table >= 0) {
        region_flush_closing(m, r);
        m->away_s += des_time_to_s(outage);
    }
    region_enter(m, r, REGION_AWAY);
    if (r->trip == TRIP_DISABLE) {
        region_enter(m, r, REGION_DISABLED);
        r->trip = TRIP_NONE;
        m->trips--;
        return;
    }
    if (r->trip == TRIP_MERGE) {
        merge_region_closed(m, r, outage);
        return;
    }
    des_after(m->cal, outage, (struct des_action){.run = back, .self = m, .arg = (uint64_t)r->id});
}

/* Keeps the table's count of open regions on each server. */
static void count_open(struct model *m, struct region *r, bool open)
{
    struct table *t = &m->tables[r->table];

    if (r->counted_on >= 0)
        t->open_on[r->counted_on]--;
    r->counted_on = -1;
    if (!open)
        return;
    if (t->open_on_len < m->servers_len) {
        uint32_t *more = realloc(t->open_on, m->servers_len * sizeof *more);

        if (!more) {
            model_fail(m, MODEL_NO_MEMORY);
            return;
        }
        memset(more + t->open_on_len, 0, (m->servers_len - t->open_on_len) * sizeof *more);
        t->open_on = more;
        t->open_on_len = m->servers_len;
    }
    t->open_on[r->server]++;
    r->counted_on = r->server;
}

void region_enter(struct model *m, struct region *r, enum region_state state)
{
    if (r->table >= 0)
        count_open(m, r, state == REGION_OPEN);
    r->state = state;
    m->placement++;
    if (state == REGION_DEAD)
        region_forget_load(r);
}

static void close_region(struct model *m, struct region *r)
{
    region_enter(m, r, REGION_CLOSING);
    if (r->table >= 0)
        region_abort_compactions(m, r);
    region_let_go(m, r);
}

void region_leave(struct model *m, struct region *r, enum region_trip trip)
{
    r->trip = trip;
    m->trips++;
    close_region(m, r);
}

static void prepared(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;
    struct region *r = m->regions[arg];

    (void)cal;
    if (r->state == REGION_OPEN && r->trip == TRIP_SPLIT) /* else its server died meanwhile */
        close_region(m, r);
}

void region_prepare_split(struct model *m, struct region *r)
{
    const des_time wait = m->outages.prepare ? m->outages.prepare(m->outages.context)
                                             : m->spec->server.split_prepare_ns;

    r->trip = TRIP_SPLIT;
    m->trips++;
    des_after(m->cal, wait, (struct des_action){.run = prepared, .self = m, .arg = (uint64_t)r->id});
}

void region_let_go(struct model *m, struct region *r)
{
    if (r->calls_inside > 0 || r->flushing)
        return;
    closed(m, r);
}

void region_trip_ends(struct model *m, struct region *r)
{
    if (r->trip == TRIP_MERGE)
        merge_give_up(m, r);
    m->trips--;
    r->trip = TRIP_NONE;
    free(r->split_key.bytes);
    r->split_key = (struct spec_bytes){NULL, 0};
}

/* Where it would open is dead: a daughter opens on another server, a move ends on another one. */
static bool must_turn(struct model *m, struct region *r)
{
    const bool stays = r->trip == TRIP_SPLIT || r->trip == TRIP_ENABLE;
    const int target = stays ? r->server : r->trip_to;
    int other;

    if (m->servers[target].live)
        return false;
    other = server_pick(m, target);
    if (other >= 0 && stays) {
        m->servers[r->server].regions--;
        m->servers[other].regions++;
        r->server = other;
        if (region_stay(r, des_now(m->cal), other) != 0)
            model_fail(m, MODEL_NO_MEMORY);
    } else if (other >= 0) {
        r->trip_to = other;
    }
    des_after(m->cal, region_outage(m, TRIP_MOVE),
              (struct des_action){.run = back, .self = m, .arg = (uint64_t)r->id});
    return true;
}

void region_enable(struct model *m, struct region *r)
{
    m->trips += r->trip == TRIP_NONE;
    r->trip = TRIP_ENABLE;
    region_enter(m, r, REGION_AWAY);
    des_after(m->cal, m->spec->server.move_outage_ns,
              (struct des_action){.run = back, .self = m, .arg = (uint64_t)r->id});
}

/* It opens where it was, and a close archives what the discharger would have. */
static void enable_done(struct model *m, struct region *r)
{
    r->next_seqid += 3;
    for (size_t f = 0; f < m->tables[r->table].families_len; f++)
        store_discharge(&r->stores[f]);
    region_opened(m, r);
}

static void move_done(struct model *m, struct region *r)
{
    struct server *from = &m->servers[r->server], *to = &m->servers[r->trip_to];

    from->regions--;
    from->moves_out++;
    to->regions++;
    to->moves_in++;
    m->moves++;
    r->server = r->trip_to;
    r->next_seqid += 3;
    if (region_stay(r, des_now(m->cal), r->server) != 0)
        model_fail(m, MODEL_NO_MEMORY);
    /* A close archives what the discharger would have: no reference waits after a move. */
    if (r->table >= 0)
        for (size_t f = 0; f < m->tables[r->table].families_len; f++)
            store_discharge(&r->stores[f]);
    region_opened(m, r);
}

static void back(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;
    struct region *r = m->regions[arg];
    const enum region_trip trip = r->trip;

    (void)cal;
    if (must_turn(m, r))
        return;
    m->trips--;
    r->trip = TRIP_NONE;
    if (trip == TRIP_SPLIT)
        region_split_done(m, r);
    else if (trip == TRIP_ENABLE)
        enable_done(m, r);
    else
        move_done(m, r);
}

void region_opened(struct model *m, struct region *r)
{
    region_enter(m, r, REGION_OPEN);
    r->opened = des_now(m->cal);
    r->requests = r->reads = r->blocked_requests = 0;
    r->busy = (struct split_busy_state){.window_start_us = (uint64_t)(r->opened / DES_US)};
    r->flushed_seqid = -1;
    r->flush_delayed = DES_NEVER;
    r->refusal_told = false;
    if (r->table < 0)
        return;
    m->servers[r->server].heap_bound_bytes += region_heap_bytes(r, &m->tables[r->table]);
    r->max_file_bytes = split_max_file_bytes(m->tables[r->table].split.max_file_bytes,
                                             m->spec->hbase.max_filesize_jitter,
                                             des_uniform(&m->streams.jitter));
    for (size_t f = 0; f < m->tables[r->table].families_len; f++)
        model_observe(m, &(struct model_observation){.what = OBSERVED_OPEN, .region = r, .family = f});
    region_request_compaction(m, r, COMPACTION_ASK_OPENING);
}
