/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A region on its way: it closes (no new calls, those inside end, its memstore is flushed), is away
   for the outage that the scenario gives, and opens again: itself elsewhere after a move, two
   daughters on the same server after a split. */
#include "hbase/model/act.h"

static void back(struct des_calendar *cal, void *self, uint64_t arg);

static void closed(struct model *m, struct region *r)
{
    const struct spec_server *sv = &m->spec->server;
    const des_time outage = r->trip == TRIP_SPLIT || r->trip == TRIP_MERGE ? sv->split_outage_ns : sv->move_outage_ns;

    region_flush_closing(m, r);
    r->state = REGION_AWAY;
    if (r->trip == TRIP_DISABLE) {
        r->state = REGION_DISABLED;
        r->trip = TRIP_NONE;
        m->trips--;
        return;
    }
    m->away_s += des_time_to_s(outage);
    if (r->trip == TRIP_MERGE) {
        merge_region_closed(m, r, outage);
        return;
    }
    des_after(m->cal, outage, (struct des_action){.run = back, .self = m, .arg = (uint64_t)r->id});
}

void region_leave(struct model *m, struct region *r, enum region_trip trip)
{
    r->trip = trip;
    r->state = REGION_CLOSING;
    m->trips++;
    if (r->table >= 0)
        region_abort_compactions(m, r);
    region_let_go(m, r);
}

void region_let_go(struct model *m, struct region *r)
{
    if (r->calls_inside > 0 || r->flushing)
        return;
    if (r->table >= 0) {
        closed(m, r);
        return;
    }
    r->state = REGION_AWAY;
    des_after(m->cal, m->spec->server.move_outage_ns,
              (struct des_action){.run = back, .self = m, .arg = (uint64_t)r->id});
}

void region_enable(struct model *m, struct region *r)
{
    r->trip = TRIP_ENABLE;
    r->state = REGION_AWAY;
    m->trips++;
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
    m->trips--;
    r->trip = TRIP_NONE;
    if (trip == TRIP_SPLIT)
        region_split_done(m, r);
    else if (trip == TRIP_ENABLE)
        enable_done(m, r);
    else
        move_done(m, r);
    balancer_region_back(m, r);
}

void region_opened(struct model *m, struct region *r)
{
    r->state = REGION_OPEN;
    r->opened = des_now(m->cal);
    r->requests = 0;
    r->flushed_seqid = -1;
    if (r->table < 0)
        return;
    r->max_file_bytes = split_max_file_bytes(m->tables[r->table].split.max_file_bytes,
                                             m->spec->hbase.max_filesize_jitter,
                                             des_uniform(&m->streams.jitter));
    for (size_t f = 0; f < m->tables[r->table].families_len; f++)
        model_observe(m, &(struct model_observation){.what = OBSERVED_OPEN, .region = r, .family = f});
    region_request_compaction(m, r, COMPACTION_ASK_OPENING);
}
