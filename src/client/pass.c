/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/pass.h"

#include <stdlib.h>
#include <string.h>

void call_free(struct writer_call *wc)
{
    if (wc->actions != &wc->one_action)
        free(wc->actions);
    if (wc->own_rows != &wc->one_row)
        free(wc->own_rows);
    free(wc);
}

static void link_call(struct writer *w, struct writer_call *wc)
{
    wc->prev = NULL;
    wc->next = w->under_way;
    if (w->under_way)
        w->under_way->prev = wc;
    w->under_way = wc;
}

static void unlink_call(struct writer *w, struct writer_call *wc)
{
    if (wc->prev)
        wc->prev->next = wc->next;
    else
        w->under_way = wc->next;
    if (wc->next)
        wc->next->prev = wc->prev;
}

/* What stays with a call however often it is used. */
static struct writer_call *call_make(struct writer *w, size_t actions)
{
    struct writer_call *wc = calloc(1, sizeof *wc);

    if (wc)
        wc->actions = actions == 1 ? &wc->one_action : calloc(actions, sizeof *wc->actions);
    if (!wc || !wc->actions) {
        free(wc);
        model_fail(w->model, MODEL_NO_MEMORY);
        return NULL;
    }
    wc->call.table = w->table;
    wc->call.actions = wc->actions;
    wc->call.source = w->source;
    wc->call.row_bytes = w->keys->row_fixed ? w->keys->row_max : 0;
    wc->call.replied = call_replied;
    wc->call.client = wc;
    if (actions == 1) {
        wc->older = w->ones;
        w->ones = wc;
    } else {
        link_call(w, wc);
    }
    return wc;
}

struct writer_call *call_new(struct client *c, int server, size_t actions)
{
    struct writer *w = c->w;
    struct writer_call *wc = actions == 1 ? w->spare : NULL;

    if (wc)
        w->spare = wc->next;
    else
        wc = call_make(w, actions);
    if (!wc)
        return NULL;
    wc->client = c;
    wc->tries = 0;
    wc->call.server = server;
    wc->call.actions_len = 0;
    return wc;
}

void call_drop(struct writer_call *wc)
{
    struct writer *w = wc->client->w;

    if (wc->own_rows != &wc->one_row)
        free(wc->own_rows);
    wc->own_rows = NULL;
    if (wc->actions == &wc->one_action) {
        wc->next = w->spare;
        w->spare = wc;
    } else {
        unlink_call(w, wc);
        call_free(wc);
    }
}

/* ---- grouping rows by region and server ---- */

/* Adds |region| to the pass's list once; its scratch then holds its place from 1 on. */
static int touch(struct client *c, size_t *touched, int region)
{
    if (*touched == c->touched_cap) {
        size_t cap = c->touched_cap * 2;
        int *list = realloc(c->touched, cap * sizeof *list);

        if (!list)
            return MODEL_NO_MEMORY;
        c->touched = list;
        c->touched_cap = cap;
    }
    c->touched[(*touched)++] = region;
    return 0;
}

/* By server, then in key order. */
static bool before(const struct model *m, int a, int b)
{
    const struct region *x = m->regions[a], *y = m->regions[b];

    if (x->server != y->server)
        return x->server < y->server;
    if (x->start_prefix != y->start_prefix)
        return x->start_prefix < y->start_prefix;
    return a < b;
}

static void sort_touched(const struct model *m, int *list, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const int x = list[i];
        size_t k = i;

        for (; k > 0 && before(m, x, list[k - 1]); k--)
            list[k] = list[k - 1];
        list[k] = x;
    }
}

/* Groups |n| rows whose regions are in c->region (-1: not in this pass) into |sorted| and one call a
   server. The calls come back in a list in the order of the servers. */
struct writer_call *pass_group(struct client *c, const uint64_t *rows, size_t n, uint64_t *sorted)
{
    struct model *m = c->w->model;
    struct writer_call *first = NULL, **last = &first, *wc = NULL;
    size_t touched = 0, at = 0, k = 0;

    for (size_t i = 0; i < n; i++) {
        if (c->region[i] < 0)
            continue;
        if (m->regions[c->region[i]]->scratch++ == 0 && touch(c, &touched, c->region[i]) != 0) {
            model_fail(m, MODEL_NO_MEMORY);
            return NULL;
        }
    }
    sort_touched(m, c->touched, touched);
    while (k < touched) {
        const int server = m->regions[c->touched[k]]->server;
        const size_t from = k;
        size_t to = k;

        while (to < touched && m->regions[c->touched[to]]->server == server)
            to++;
        wc = call_new(c, server, to - from);
        if (!wc)
            return first;
        wc->call.rows = sorted;
        wc->grouped = NULL;
        *last = wc;
        last = &wc->grouped;
        for (; k < to; k++) {
            struct region *r = m->regions[c->touched[k]];

            wc->actions[wc->call.actions_len++] =
                (struct region_action){r->id, r->scratch, at, ANSWER_NONE};
            at += r->scratch;
            r->scratch = (uint32_t)(at - r->scratch); /* now: where its next row goes */
        }
    }
    for (size_t i = 0; i < n; i++)
        if (c->region[i] >= 0)
            sorted[m->regions[c->region[i]]->scratch++] = rows[i];
    for (k = 0; k < touched; k++)
        m->regions[c->touched[k]]->scratch = 0;
    return first;
}

/* Finds each row's region in the client's view of the table, which is up to date: a stale location
   costs a refused call in any case, since the region is away then. */
void pass_locate(struct client *c, const uint64_t *rows, size_t n)
{
    struct writer *w = c->w;
    struct table *t = &w->model->tables[w->table];

    keystream_route_on(w->keys, &c->clock, rows, n, c->routes);
    for (size_t i = 0; i < n; i++)
        c->region[i] = table_locate(w->model, t, c->routes[i].prefix, c->routes[i].bucket, &w->source, rows[i]);
}

/* SimpleRequestController's pass over the buffer: rows beyond a server's limits stay for the next. */
void pass_choose(struct client *c)
{
    struct writer *w = c->w;
    struct model *m = w->model;
    const uint64_t heap = w->put_heap_bytes;
    struct mutator_pass pass = {0, 0, 0};
    size_t i = 0;

    memset(c->server_rows, 0, m->servers_len * sizeof *c->server_rows);
    for (; i < c->rows_len; i++) {
        const int s = m->regions[c->region[i]]->server;
        const struct mutator_target target = {c->server_rows[s] > 0, false, c->server_rows[s] * heap,
                                              c->server_rows[s], 0, 0};
        const enum mutator_check check = mutator_check_row(&w->limits, &pass, &target, heap);

        if (check == MUTATOR_END)
            break;
        if (check == MUTATOR_SKIP) {
            c->region[i] = -1;
            continue;
        }
        pass.servers_in_pass += c->server_rows[s] == 0;
        c->server_rows[s]++;
        pass.pass_bytes += heap;
    }
    for (; i < c->rows_len; i++)
        c->region[i] = -1;
}

/* What isn't in the pass stays in the buffer, in order. */
void pass_keep_rest(struct client *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->rows_len; i++)
        if (c->region[i] < 0)
            c->rows[kept++] = c->rows[i];
    c->rows_len = kept;
}
