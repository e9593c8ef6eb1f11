/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What buffered clients let through, at the levels `tick` and `flow`. A client's submission goes to all
   its regions, and the client waits until the last of them has answered (writer.c): so one region that
   is slow or away holds up the rows of all others. Of a stream's rows, in the order of their arrival,
   the oldest that is unanswered and the newest that was handed over are at most the clients'
   submissions apart. */
#include <math.h>

#include "client/fluid_parts.h"
#include "hbase/model/read.h"

/* Rows of the source among those that wait for the region. */
static uint64_t own_rows(const struct fluid_region *r, uint32_t source)
{
    uint64_t n = 0;

    for (size_t i = 0; i < r->len; i++) {
        const struct chunk *c = &r->chunks[(r->first + i) % r->cap];

        n += c->source == source ? c->count : 0;
    }
    return n;
}

/* Number of the oldest row of the source that waits for the region; UINT64_MAX: none does. */
static uint64_t oldest_row(const struct fluid_region *r, uint32_t source)
{
    uint64_t oldest = UINT64_MAX;

    for (size_t i = 0; i < r->len; i++) {
        const struct chunk *c = &r->chunks[(r->first + i) % r->cap];

        if (c->source == source && c->count > 0 && c->from < oldest)
            oldest = c->from;
    }
    return oldest;
}

/* A region that isn't answering: the clients get as far as their submissions reach beyond its oldest row. */
static double by_stuck(struct fluid *f, uint32_t source, double window)
{
    const struct fluid_source *s = &f->sources[source];
    double most = INFINITY;

    for (size_t i = 0; i < f->waiting_len; i++) {
        const int id = f->waiting[i];
        uint64_t oldest;

        if (f->regions[id].rows == 0 || fluid_can_write(f, f->model->regions[id]))
            continue;
        oldest = oldest_row(&f->regions[id], source);
        if (oldest != UINT64_MAX)
            most = fmin(most, (double)oldest + window - (double)s->next);
    }
    return most;
}

/* Server that has the region, or its first daughter's; -1: none. */
static int server_of(const struct model *m, int id)
{
    while (m->regions[id]->state == REGION_DEAD && m->regions[id]->daughters[0] >= 0)
        id = m->regions[id]->daughters[0];
    return m->regions[id]->state == REGION_OPEN ? m->regions[id]->server : -1;
}

/* A server that is full: of its part of the rows, no more than one submission of each client stays
   unanswered at the end of the step. */
static double by_servers(struct fluid *f, uint32_t source, double window, des_time step)
{
    const struct fluid_source *s = &f->sources[source];
    const struct model *m = f->model;
    double most = INFINITY;

    for (size_t i = 0; i < m->servers_len; i++)
        f->part[i] = f->held[i] = 0;
    for (size_t i = 0; i < s->shares_len; i++) {
        const int server = server_of(m, s->shares[i].region);

        if (server >= 0)
            f->part[server] += s->shares[i].share;
    }
    for (size_t i = 0; i < f->waiting_len; i++) {
        const struct region *g = m->regions[f->waiting[i]];

        if (f->regions[g->id].rows > 0 && fluid_can_write(f, g))
            f->held[g->server] += (double)own_rows(&f->regions[g->id], source);
    }
    for (size_t i = 0; i < m->servers_len; i++)
        if (f->part[i] > 0)
            most = fmin(most, window + (fluid_room(f, i, f->last + step, step) - f->held[i]) / f->part[i]);
    return most;
}

uint64_t fluid_admitted(struct fluid *f, uint32_t source, uint64_t arrived, des_time step)
{
    const struct fluid_source *s = &f->sources[source];
    const double window = s->rows_per_submission * s->in.stream->clients;
    const double room = fluid_capacity(f, step);
    double most;

    if (s->in.stream->buffer_bytes <= 0 || arrived <= s->next)
        return arrived;
    /* Nothing waits, and one server could do it all. */
    if (f->waiting_len == 0 && f->model->spec->server.gc_pause_ns == 0 && (double)(arrived - s->next) <= window + room)
        return arrived;
    most = fmin(by_stuck(f, source, window), by_servers(f, source, window, step));
    if (most >= (double)(arrived - s->next))
        return arrived;
    return s->next + (most > 0 ? (uint64_t)most : 0);
}

void fluid_note_demand(struct fluid *f, des_time now)
{
    struct model *m = f->model;
    const double all = spec_write_capacity_per_s(m->spec) * des_time_to_s(now - f->last);

    for (size_t i = 0; i < m->servers_len; i++)
        m->servers[i].write_demand = 0;
    for (size_t k = 0; k < f->sources_len; k++) {
        const struct fluid_source *s = &f->sources[k];
        const double offered = (double)(arrivals_before(s->in.arrivals, now) - arrivals_before(s->in.arrivals, f->last));

        for (size_t i = 0; i < s->shares_len; i++) {
            const int server = server_of(m, s->shares[i].region);

            if (server >= 0)
                m->servers[server].write_demand += offered * s->shares[i].share / all;
        }
    }
}
