/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The servers: all that the run will ever have, those that join later included, and which of them
   the master hands regions to. */
#include <stdio.h>
#include <stdlib.h>

#include "hbase/balance/assign.h"
#include "hbase/model/act.h"

static uint64_t draw(void *state)
{
    return des_u64(state);
}

void servers_refresh(struct model *m)
{
    m->targets_len = 0;
    for (size_t i = 0; i < m->servers_len; i++) {
        const struct server *s = &m->servers[m->server_list[i]];

        if (s->known && !s->draining)
            m->targets[m->targets_len++] = m->server_list[i];
    }
}

size_t model_live_servers(const struct model *m)
{
    size_t n = 0;

    for (size_t s = 0; s < m->servers_len; s++)
        n += m->servers[s].live;
    return n;
}

double server_up_s(const struct server *s, des_time now)
{
    return s->up_s + (s->live ? des_time_to_s(now - s->up_from) : 0);
}

void server_up(struct model *m, struct server *s)
{
    s->live = s->known = s->joined = true;
    s->up_from = des_now(m->cal);
    s->cpu_free = s->up_from;
    servers_refresh(m);
}

void server_down(struct model *m, struct server *s)
{
    s->up_s = server_up_s(s, des_now(m->cal));
    s->live = s->known = false;
    server_drop_calls(m, s);
    servers_refresh(m);
}

int server_pick(struct model *m, int but)
{
    const struct balance_draw draws = {draw, &m->streams.events};
    uint32_t *list = malloc((m->targets_len + 1) * sizeof *list), pick = 0, n = 0;
    int rc;

    if (!list) {
        model_fail(m, MODEL_NO_MEMORY);
        return -1;
    }
    for (size_t i = 0; i < m->targets_len; i++)
        if ((int)m->targets[i] != but && m->servers[m->targets[i]].live)
            list[n++] = m->targets[i];
    rc = n > 0 ? assign_random(&(struct assign_servers){list, n, NULL}, &draws, &pick) : -1;
    free(list);
    return rc == 0 ? (int)pick : -1;
}

/* Each server draws its place in the master's list; those that join later from a stream of their
   own, so that the others' don't depend on them. */
int servers_add(struct model *m)
{
    const size_t first = (size_t)m->spec->cluster.servers;
    uint64_t *hash;

    m->servers_len = first;
    for (size_t i = 0; i < m->spec->events_len; i++)
        if (m->spec->events[i].kind == SPEC_EVENT_ADD)
            m->servers_len += (size_t)m->spec->events[i].count;
    m->servers = calloc(m->servers_len, sizeof *m->servers);
    m->server_list = malloc(m->servers_len * sizeof *m->server_list);
    m->targets = malloc(m->servers_len * sizeof *m->targets);
    hash = malloc(m->servers_len * sizeof *hash);
    if (!m->servers || !m->server_list || !m->targets || !hash) {
        free(hash);
        return MODEL_NO_MEMORY;
    }
    for (size_t i = 0; i < m->servers_len; i++) {
        struct server *s = &m->servers[i];

        s->index = (int)i;
        s->held_since = DES_NEVER;
        s->live = s->known = s->joined = i < first;
        s->list_hash = des_u64(i < first ? &m->streams.placement : &m->streams.events);
        disk_init(&s->disk, m->cal, m->spec->server.disk_bytes_per_s);
        if (server_init_calls(m, s) != 0) {
            free(hash);
            return MODEL_NO_MEMORY;
        }
        m->server_list[i] = (uint32_t)i;
        hash[i] = s->list_hash;
    }
    assign_sort_servers(hash, m->server_list, m->servers_len);
    free(hash);
    servers_refresh(m);
    return 0;
}
