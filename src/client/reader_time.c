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
static double until_open(const struct timing *t, const struct region *r)
{
    const struct spec *sp = t->rd->rows->model->spec;
    const double trip = (double)(r->trip == TRIP_MOVE ? sp->server.move_outage_ns : sp->server.split_outage_ns);
    const double back = des_uniform(&t->rd->draws) * trip;
    double at = 0;

    for (size_t i = 0; at < back && i < sizeof backoff / sizeof backoff[0]; i++)
        at += (double)backoff[i] * (double)sp->hbase.client_pause_ns + 2 * (double)sp->server.round_trip_ns;
    return at;
}

static double disk_ns(const struct timing *t, const struct read_rpc *rpc)
{
    const struct reader_rows *rr = t->rd->rows;
    const struct model *m = rr->model;
    const double block = (double)rr->table->spec->families[0].blocksize_bytes;
    const double missed = floor(read_blocks(rpc, rr->row_bytes, block) * (1 - t->rd->hit) +
                                des_uniform(&t->rd->draws));
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
    begin = at + backlog_at(t, rpc->server, at) + read_wait_ns(s, &t->rd->draws);
    begin = fmax(begin, t->free_at[rpc->server]);
    /* The server can begin the next call when it has done this one's share; the call itself has one core. */
    t->free_at[rpc->server] = begin + cpu;
    return begin + cpu * sv->read_cores + disk_ns(t, rpc) + (double)sv->round_trip_ns +
           (double)rpc->heap_bytes / sv->network_bytes_per_s * 1e9 + (double)rpc->rows * (double)sv->client_row_ns;
}

/* A scan that is running: its next RPC is sent at |at|. */
struct running {
    double at;
    size_t next, end;         /* of walk->rpcs in the order of |order| */
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

/* The RPCs of each scan in their order: counting sort, since a merge pulls from the scans in turn. */
static size_t group(const struct reader_walk *w, size_t *order, size_t *first)
{
    size_t scans = 0, sum = 0;

    for (size_t i = 0; i < w->rpcs_len; i++) {
        first[w->rpcs[i].scan + 1]++;
        scans = scans > w->rpcs[i].scan + 1u ? scans : w->rpcs[i].scan + 1u;
    }
    for (size_t s = 0; s <= scans; s++) {
        sum += first[s];
        first[s] = sum;
    }
    for (size_t i = 0; i < w->rpcs_len; i++)
        order[first[w->rpcs[i].scan]++] = i;
    for (size_t s = scans; s > 0; s--)
        first[s] = first[s - 1];
    first[0] = 0;
    return scans;
}

static double run(struct timing *t, const size_t *order, const size_t *first, size_t scans, struct running *heap)
{
    const size_t threads = t->rd->query->threads > 0 ? (size_t)t->rd->query->threads : scans;
    size_t n = 0, waiting = 0;
    double end = 0;

    for (; waiting < scans && n < threads; waiting++)
        heap[n++] = (struct running){0, first[waiting], first[waiting + 1]};
    while (n > 0) {
        struct running *r = &heap[0];

        if (r->next < r->end) {
            r->at = reply_at(t, &t->walk->rpcs[order[r->next++]], r->at);
        } else if (waiting < scans) {
            end = fmax(end, r->at);
            *r = (struct running){r->at, first[waiting], first[waiting + 1]};
            waiting++;
        } else {
            end = fmax(end, r->at);
            heap[0] = heap[--n];
        }
        sift(heap, n, 0);
    }
    return end;
}

double reader_time_us(struct reader *rd, const struct reader_walk *walk, const struct reader_backlogs *backlogs)
{
    const size_t rpcs = walk->rpcs_len;
    struct timing t = {rd, walk, backlogs, calloc(rd->rows->model->servers_len, sizeof(double)), des_u64(&rd->draws)};
    size_t *order = malloc((rpcs + 1) * sizeof *order), most = 0, scans;
    size_t *first;
    struct running *heap;
    double ns = -1;

    for (size_t i = 0; i < rpcs; i++)
        most = most > walk->rpcs[i].scan ? most : walk->rpcs[i].scan;
    first = calloc(most + 3, sizeof *first);
    heap = malloc((most + 1) * sizeof *heap);
    if (t.free_at && order && first && heap) {
        scans = group(walk, order, first);
        ns = run(&t, order, first, scans, heap);
    }
    free(t.free_at);
    free(order);
    free(first);
    free(heap);
    return ns < 0 ? ns : ns / 1000;
}
