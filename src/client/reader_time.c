/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a query takes among everything else that its servers do. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/reader.h"

/* What is known of a server now holds for so long; a later call meets what some other moment had. */
#define KNOWN_NS 20e6
#define SLICE_NS 100e6

/* HConstants.RETRY_BACKOFF, times hbase.client.pause. */
static const int backoff[] = {1, 2, 3, 5, 10, 20, 40, 100, 100, 100, 100, 200, 200};

int reader_backlogs_init(struct reader_backlogs *b, size_t servers)
{
    memset(b, 0, sizeof *b);
    b->servers = servers;
    b->ns = calloc(READER_BACKLOGS * servers + 1, sizeof *b->ns);
    return b->ns ? 0 : MODEL_NO_MEMORY;
}

void reader_backlogs_free(struct reader_backlogs *b)
{
    free(b->ns);
    b->ns = NULL;
}

void reader_backlogs_take(struct reader_backlogs *b, const struct model *m)
{
    double *at = b->ns + b->next * b->servers;

    for (size_t s = 0; s < b->servers; s++)
        at[s] = read_backlog_ns(m, &m->servers[s]);
    b->next = (b->next + 1) % READER_BACKLOGS;
    b->len = b->len < READER_BACKLOGS ? b->len + 1 : READER_BACKLOGS;
}

/* The timing of one query. Times are ns after its beginning. */
struct timing {
    struct reader *rd;
    const struct reader_walk *walk;
    const struct reader_backlogs *backlogs;
    double *free_at;          /* servers: when they have done what the query itself gave them */
    uint64_t slices;          /* picks moments for what comes later */
    struct des_stream *draws;
    uint64_t retries;
};

/* The RPCs of each scan in their order. */
struct grouped {
    size_t *order;            /* of walk->rpcs */
    size_t *first;            /* scan s has order[first[s]] up to order[first[s + 1]] */
    size_t scans;
};

/* The writes' work before a call that reaches server |s| at |at|. The moment is the same for all servers,
   since a submission of writes meets them all at once. */
static double backlog_at(const struct timing *t, int s, double at)
{
    const struct model *m = t->rd->rows->model;
    size_t pick;

    if (at < KNOWN_NS || t->backlogs->len == 0)
        return fmax(0, read_backlog_ns(m, &m->servers[s]) - at);
    pick = (size_t)(arrivals_mix(t->slices, (uint64_t)(at / SLICE_NS)) % t->backlogs->len);
    return t->backlogs->ns[pick * t->backlogs->servers + (size_t)s];
}

/* A region that is away now: tries, each after its pause, until it is back. It was left at a random time
   of its trip. Each try but the first asks hbase:meta too. */
static double until_open(struct timing *t, const struct region *r)
{
    const struct spec *sp = t->rd->rows->model->spec;
    const double trip = (double)(r->trip == TRIP_MOVE ? sp->server.move_outage_ns : sp->server.split_outage_ns);
    const double back = des_uniform(t->draws) * trip;
    double at = 0;

    for (size_t i = 0; at < back && i < sizeof backoff / sizeof backoff[0]; i++, t->retries++)
        at += (double)backoff[i] * (double)sp->hbase.client_pause_ns + 2 * (double)sp->server.round_trip_ns;
    return at;
}

static double disk_ns(const struct timing *t, const struct read_rpc *rpc)
{
    const struct reader_rows *rr = t->rd->rows;
    const struct model *m = rr->model;
    const double block = (double)rr->table->spec->families[0].blocksize_bytes;
    const double missed = floor(read_blocks(rpc, rr->row_bytes, block) * (1 - t->rd->hit) +
                                des_uniform(t->draws));
    const double seeks = fmin(missed, rpc->gets > 0 || !rpc->opens ? fmax(1, rpc->gets) : fmax(1, rpc->files));

    if (missed <= 0)
        return 0;
    return seeks * (double)m->spec->server.disk_seek_ns +
           missed * block / disk_share_bytes_per_s(&m->servers[rpc->server].disk) * 1e9;
}

/* When the reply to |rpc|, sent at |at|, has arrived and its rows are looked at. */
static double reply_at(struct timing *t, const struct read_rpc *rpc, double at)
{
    const struct model *m = t->rd->rows->model;
    const struct spec_server *sv = &m->spec->server;
    const struct region *r = m->regions[rpc->region];
    const struct server *s = &m->servers[rpc->server];
    const double cpu = read_cpu_ns(sv, rpc);
    double begin;

    if (r->state != REGION_OPEN && r->state != REGION_DEAD)
        at += until_open(t, r);
    begin = at + backlog_at(t, rpc->server, at) + read_wait_ns(s, t->draws);
    begin = fmax(begin, t->free_at[rpc->server]);
    /* The server can begin the next call when it has done this one's share; the call itself has one core. */
    t->free_at[rpc->server] = begin + cpu;
    return begin + cpu * sv->read_cores + disk_ns(t, rpc) + (double)sv->round_trip_ns +
           (double)rpc->heap_bytes / sv->network_bytes_per_s * 1e9 + (double)rpc->rows * (double)sv->client_row_ns;
}

/* A scan that is running: its next RPC is sent at |at|. */
struct running {
    double at;
    size_t next, end;         /* of the grouped RPCs */
};

/* Lets the earliest of the running scans go on. */
static void sift(struct running *heap, size_t n, size_t i)
{
    for (;;) {
        size_t least = i;

        for (size_t c = 2 * i + 1; c <= 2 * i + 2 && c < n; c++)
            if (heap[c].at < heap[least].at)
                least = c;
        if (least == i)
            return;
        {
            const struct running swap = heap[i];

            heap[i] = heap[least];
            heap[least] = swap;
        }
        i = least;
    }
}

/* Counting sort, since a merge pulls from the scans in turn. |g->first| is all zero. */
static void group(const struct reader_walk *w, struct grouped *g)
{
    size_t sum = 0;

    for (size_t i = 0; i < w->rpcs_len; i++) {
        g->first[w->rpcs[i].scan + 1]++;
        g->scans = g->scans > w->rpcs[i].scan + 1u ? g->scans : w->rpcs[i].scan + 1u;
    }
    for (size_t s = 0; s <= g->scans; s++) {
        sum += g->first[s];
        g->first[s] = sum;
    }
    for (size_t i = 0; i < w->rpcs_len; i++)
        g->order[g->first[w->rpcs[i].scan]++] = i;
    for (size_t s = g->scans; s > 0; s--)
        g->first[s] = g->first[s - 1];
    g->first[0] = 0;
}

static double run(struct timing *t, const struct grouped *g, struct running *heap)
{
    const size_t threads = t->rd->query->threads > 0 ? (size_t)t->rd->query->threads : g->scans;
    size_t n = 0, waiting = 0;
    double end = 0;

    for (; waiting < g->scans && n < threads; waiting++)
        heap[n++] = (struct running){0, g->first[waiting], g->first[waiting + 1]};
    while (n > 0) {
        struct running *r = &heap[0];

        if (r->next < r->end) {
            r->at = reply_at(t, &t->walk->rpcs[g->order[r->next++]], r->at);
        } else if (waiting < g->scans) {
            end = fmax(end, r->at);
            *r = (struct running){r->at, g->first[waiting], g->first[waiting + 1]};
            waiting++;
        } else {
            end = fmax(end, r->at);
            heap[0] = heap[--n];
        }
        sift(heap, n, 0);
    }
    return end;
}

/* Some scans, each as if its sisters weren't there. */
static void time_alone(struct timing *t, const struct grouped *g, struct reader_times *out)
{
    const size_t n = g->scans < READER_ALONE ? g->scans : READER_ALONE;
    size_t s = g->scans > 1 ? (size_t)des_uniform_u64(t->draws, g->scans) : 0;

    out->alone_len = 0;
    for (size_t k = 0; g->scans > 1 && k < n; k++, s = (s + 1) % g->scans) {
        double at = 0;

        if (g->first[s] == g->first[s + 1])
            continue;
        for (size_t i = g->first[s]; i < g->first[s + 1]; i++)
            t->free_at[t->walk->rpcs[g->order[i]].server] = 0;
        for (size_t i = g->first[s]; i < g->first[s + 1]; i++)
            at = reply_at(t, &t->walk->rpcs[g->order[i]], at);
        out->alone_us[out->alone_len++] = at / 1000;
    }
}

int reader_time(struct reader *rd, const struct reader_walk *walk, const struct reader_backlogs *backlogs,
                struct reader_times *out)
{
    const size_t rpcs = walk->rpcs_len;
    struct timing t = {.rd = rd, .walk = walk, .backlogs = backlogs, .free_at = calloc(rd->rows->model->servers_len, sizeof(double)),
                       .slices = des_u64(&rd->draws), .draws = &rd->draws};
    struct grouped g = {malloc((rpcs + 1) * sizeof *g.order), NULL, 0};
    struct running *heap;
    size_t most = 0;
    int rc = MODEL_NO_MEMORY;

    for (size_t i = 0; i < rpcs; i++)
        most = most > walk->rpcs[i].scan ? most : walk->rpcs[i].scan;
    g.first = calloc(most + 3, sizeof *g.first);
    heap = malloc((most + 1) * sizeof *heap);
    if (t.free_at && g.order && g.first && heap) {
        group(walk, &g);
        out->us = run(&t, &g, heap) / 1000;
        out->retries = t.retries;
        t.draws = &rd->alone_draws;
        time_alone(&t, &g, out);
        rc = 0;
    }
    free(t.free_at);
    free(g.order);
    free(g.first);
    free(heap);
    return rc;
}
