/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/balance/run.h"

/* SimpleLoadBalancer of HBase 2.6: counts alone. Servers are positions in view->server. */

/* A region that leaves its server for one yet to be found. */
struct shed {
    uint32_t region;
    uint32_t from;
    uint32_t key_order;
};

struct simple_server {
    uint32_t *regions; /* slice of |regions| below, in the order in which they are shed */
    uint32_t load;     /* before the run */
    uint32_t next;     /* first region of the list that has not been shed */
    int32_t added;     /* regions won minus regions lost so far */
    uint32_t wants;    /* still missing to the minimum, while the first pass deals out */
};

struct simple {
    struct balance_run *run;
    uint32_t n;
    struct simple_server *servers;
    uint32_t *regions;
    uint32_t *names;     /* servers in the order of their names */
    uint32_t *by_load;   /* servers, ascending by load, ties by name */
    uint32_t *wanting;   /* servers below the minimum, shuffled */
    /* Load of all tables: kept from table to table, as HBase does. */
    uint32_t *overall;   /* servers in the order of the list: hash order, then sorted by each run */
    int64_t *overall_load;
    float overall_average;
    struct shed *queue;  /* sorted by source and key; the first |head| are taken */
    size_t head, tail;
    size_t first_plan;
    uint32_t min, max;
};

static int simple_init(struct simple *b, struct balance_run *run)
{
    uint32_t n = run->view.n_servers;
    size_t regions = run->view.n_regions;

    *b = (struct simple){.run = run, .n = n};
    b->servers = malloc((n + 1) * sizeof(*b->servers));
    b->regions = malloc((regions + 1) * sizeof(*b->regions));
    b->names = malloc((n + 1) * sizeof(*b->names));
    b->by_load = malloc((n + 1) * sizeof(*b->by_load));
    b->wanting = malloc((n + 1) * sizeof(*b->wanting));
    b->overall = malloc((n + 1) * sizeof(*b->overall));
    b->overall_load = calloc(n + 1, sizeof(*b->overall_load));
    b->queue = malloc((regions + n + 1) * sizeof(*b->queue));
    if (!b->servers || !b->regions || !b->names || !b->by_load || !b->wanting || !b->overall ||
        !b->overall_load || !b->queue)
        return BALANCE_NO_MEMORY;
    for (size_t i = 0; i < regions; i++)
        b->overall_load[run->view.position[run->cluster->regions[run->view.region[i]].server]]++;
    for (uint32_t i = 0; i < n; i++)
        b->overall[i] = run->view.hash[i];
    uint32_t named = 0;
    for (uint32_t s = 0; s < run->cluster->n_servers; s++)
        if (run->view.position[s] != VIEW_NONE)
            b->names[named++] = run->view.position[s];
    b->overall_average = n ? (float)regions / (float)n : 0;
    return BALANCE_OK;
}

static void simple_free(struct simple *b)
{
    free(b->servers);
    free(b->regions);
    free(b->names);
    free(b->by_load);
    free(b->wanting);
    free(b->overall);
    free(b->overall_load);
    free(b->queue);
}

/* The regions of one slice, server by server. */
static void fill_servers(struct simple *b, size_t slice)
{
    const struct balance_view *view = &b->run->view;
    uint32_t *next = b->regions;

    memset(b->servers, 0, b->n * sizeof(*b->servers));
    for (uint32_t s = 0; s < b->n; s++)
        b->servers[s].regions = next;
    uint32_t last = UINT32_MAX;
    for (size_t i = view->first[slice]; i < view->first[slice + 1]; i++) {
        uint32_t region = view->region[i];
        uint32_t s = view->position[b->run->cluster->regions[region].server];
        if (s != last)
            b->servers[s].regions = next;
        last = s;
        *next++ = region;
        b->servers[s].load++;
    }
}

/* Servers by load, ties by name: counting, so that it is stable. */
static void sort_by_load(struct simple *b, uint32_t most, uint32_t *count)
{
    memset(count, 0, ((size_t)most + 2) * sizeof(*count));
    for (uint32_t s = 0; s < b->n; s++)
        count[b->servers[s].load + 1]++;
    for (uint32_t l = 0; l <= most; l++)
        count[l + 1] += count[l];
    for (uint32_t i = 0; i < b->n; i++)
        b->by_load[count[b->servers[b->names[i]].load]++] = b->names[i];
}

static int compare_shed(const void *a, const void *b)
{
    const struct shed *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->key_order > y->key_order) - (x->key_order < y->key_order);
}

/* Puts a region of position |s| into the queue; its order is by the names of the servers. */
static void shed_region(struct simple *b, uint32_t s, uint32_t region)
{
    b->queue[b->tail++] = (struct shed){region, b->run->view.server[s],
                                        b->run->cluster->regions[region].key_order};
}

static void sort_queue(struct simple *b)
{
    qsort(b->queue + b->head, b->tail - b->head, sizeof(*b->queue), compare_shed);
}

/* addRegionPlan: the first of the queue goes to |s|. */
static int give_first(struct simple *b, uint32_t s)
{
    struct balancer_plan *plan = outcome_plan(&b->run->out, &b->run->plans_cap);
    if (!plan)
        return BALANCE_NO_MEMORY;
    const struct shed *first = &b->queue[b->head++];
    *plan = (struct balancer_plan){first->region, first->from, b->run->view.server[s]};
    return BALANCE_OK;
}

/* Youngest first; a stable insertion sort, for the ids are mostly equal. */
static void sort_youngest_first(const struct balancer_region *all, uint32_t *regions, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        uint32_t region = regions[i], at = i;
        for (; at > 0 && all[regions[at - 1]].region_id < all[region].region_id; at--)
            regions[at] = regions[at - 1];
        regions[at] = region;
    }
}

/* First walk: the fullest servers shed what they have above the maximum. */
static void shed_surplus(struct simple *b)
{
    for (uint32_t i = b->n; i-- > 0;) {
        struct simple_server *s = &b->servers[b->by_load[i]];
        if (s->load <= b->max)
            continue;
        sort_youngest_first(b->run->cluster->regions, s->regions, s->load);
        for (uint32_t k = 0; k < s->load - b->max; k++)
            shed_region(b, b->by_load[i], s->regions[k]);
        s->next = s->load - b->max;
        s->added = -(int32_t)s->next;
    }
    sort_queue(b);
}

/* Second walk: shuffled servers below the minimum take one in turn, there and back again.
   Returns what they still miss, or a negative error. */
static int64_t deal_to_minimum(struct simple *b, uint32_t regions)
{
    uint32_t n = 0;
    int64_t room = (int64_t)regions - b->min, missing = 0;

    for (uint32_t i = 0; i < b->n && room != 0; i++) {
        struct simple_server *s = &b->servers[b->by_load[i]];
        if (s->load >= b->min)
            continue;
        s->wants = b->min - s->load;
        room -= s->wants;
        b->wanting[n++] = b->by_load[i];
    }
    balance_draw_shuffle(b->run->draw, b->wanting, n);
    int step = 1;
    for (bool dealt = true; dealt && b->head < b->tail; step = -step) {
        dealt = false;
        for (uint32_t i = 0; i < n && b->head < b->tail; i++) {
            uint32_t at = b->wanting[step > 0 ? i : n - 1 - i];
            struct simple_server *s = &b->servers[at];
            if (s->wants == 0)
                continue;
            if (give_first(b, at))
                return BALANCE_NO_MEMORY;
            s->wants--;
            s->added++;
            dealt = true;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        missing += b->servers[b->wanting[i]].wants;
    return missing;
}

/* Third walk: one more from each of the fullest until nothing is missing, then everybody is filled
   to the minimum. */
static int fill_missing(struct simple *b, int64_t missing)
{
    const struct balancer_region *all = b->run->cluster->regions;

    for (uint32_t i = b->n; missing > 0 && i-- > 0;) {
        struct simple_server *s = &b->servers[b->by_load[i]];
        if (s->next >= s->load)
            break;
        uint32_t region = s->regions[s->next];
        if (all[region].flags & BALANCER_REGION_META)
            continue;
        shed_region(b, b->by_load[i], region);
        s->added--;
        s->next++;
        missing--;
    }
    sort_queue(b);
    for (uint32_t i = 0; i < b->n && b->servers[b->by_load[i]].load < b->min; i++) {
        struct simple_server *s = &b->servers[b->by_load[i]];
        while ((int64_t)s->load + s->added < b->min && b->head < b->tail) {
            if (give_first(b, b->by_load[i]))
                return BALANCE_NO_MEMORY;
            s->added++;
        }
    }
    return BALANCE_OK;
}

/* Each server at the maximum offers one region. False where a count makes no sense: HBase then
   leaves the table as it is. */
static bool peel(struct simple *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t at = b->overall[i];
        struct simple_server *s = &b->servers[at];
        int64_t now = (int64_t)s->load + s->added;

        b->overall_load[at] += s->added;
        if (now == b->max) {
            if (s->next >= s->load)
                continue;
            shed_region(b, at, s->regions[s->next]);
            b->overall_load[at]--;
        } else if (now > b->max || now < b->min) {
            return false;
        }
    }
    return true;
}

static void sort_overall(struct simple *b)
{
    for (uint32_t i = 1; i < b->n; i++) {
        uint32_t server = b->overall[i], at = i;
        for (; at > 0 && b->overall_load[b->overall[at - 1]] > b->overall_load[server]; at--)
            b->overall[at] = b->overall[at - 1];
        b->overall[at] = server;
    }
}

/* A plan into the server that the newest plan leaves is sent on to where that one goes, and the
   newest falls away. */
static void join_chain(struct simple *b, size_t n_before)
{
    struct balancer_outcome *out = &b->run->out;
    struct balancer_plan newest = out->plans[out->n_plans - 1];

    for (size_t i = n_before; i-- > b->first_plan;)
        if (out->plans[i].to == newest.from) {
            out->plans[i].to = newest.to;
            out->n_plans--;
            return;
        }
}

/* balanceOverall: what is left goes to the servers with the fewest regions over all tables. */
static int balance_overall(struct simple *b)
{
    size_t n_before = b->run->out.n_plans;
    uint32_t *sources = b->wanting; /* how often a server is a source in the queue */
    size_t kept = b->head;

    if (!peel(b))
        return BALANCE_OK;
    sort_queue(b);
    sort_overall(b);
    size_t length = b->tail - b->head;
    if (length > b->n)
        length = b->n;
    memset(sources, 0, b->n * sizeof(*sources));
    uint32_t *rank = b->by_load;
    for (uint32_t i = 0; i < b->n; i++)
        rank[b->overall[i]] = i;
    /* a server that is among the takers keeps the first region that it offers */
    for (size_t i = b->head; i < b->tail; i++) {
        uint32_t at = b->run->view.position[b->queue[i].from];
        if (++sources[at] == 1 && rank[at] < length)
            b->overall_load[at]++;
        else
            b->queue[kept++] = b->queue[i];
    }
    b->tail = kept;
    for (size_t i = 0; i < length && b->head < b->tail; i++) {
        uint32_t at = b->overall[i];
        if (sources[at])
            continue;
        if (give_first(b, at))
            return BALANCE_NO_MEMORY;
        b->overall_load[at]++;
        join_chain(b, n_before);
    }
    return BALANCE_OK;
}

static void decide(struct simple *b, struct balancer_decision *d, const uint32_t *counts)
{
    const struct balancer_options *options = b->run->options;
    float slop = (float)(isnan(options->overall_slop) ? options->slop : options->overall_slop);
    int64_t most = 0, least = INT64_MAX;

    decision_counts(d, counts, b->n, options->slop);
    for (uint32_t s = 0; s < b->n; s++) {
        most = b->overall_load[s] > most ? b->overall_load[s] : most;
        least = b->overall_load[s] < least ? b->overall_load[s] : least;
    }
    d->simple = true;
    d->overall_least = (double)least;
    d->overall_most = (double)most;
    d->overall_floor = floor((double)(b->overall_average * (1 - slop)));
    d->overall_ceil = ceil((double)(b->overall_average * (1 + slop)));
    d->gate = balancer_gate_of(d, &d->needed);
}

static int balance_table(struct simple *b, struct balancer_decision *d, uint32_t *scratch)
{
    float average = (float)d->regions / (float)b->n;

    b->min = (uint32_t)average;
    b->max = (uint32_t)ceil((double)average);
    b->head = b->tail = 0;
    b->first_plan = b->run->out.n_plans;
    sort_by_load(b, d->count_max, scratch);
    shed_surplus(b);
    int64_t missing = deal_to_minimum(b, d->regions);
    if (missing < 0)
        return (int)missing;
    int error = fill_missing(b, missing);
    if (!error && b->min != b->max)
        error = balance_overall(b);
    d->n_plans = b->run->out.n_plans - d->first_plan;
    return error;
}

int balance_run_simple(struct balance_run *run)
{
    struct simple b;
    uint32_t *scratch = malloc((run->view.n_regions + run->view.n_servers + 2) * sizeof(*scratch));
    int error = simple_init(&b, run);

    if (!scratch)
        error = BALANCE_NO_MEMORY;
    for (size_t slice = 0; slice < run->view.n_slices && !error; slice++) {
        if (run->view.by_table && run->view.first[slice] == run->view.first[slice + 1])
            continue;
        struct balancer_decision *d = outcome_decision(&run->out, &run->decisions_cap);
        if (!d) {
            error = BALANCE_NO_MEMORY;
            break;
        }
        d->table = run->view.by_table ? (int64_t)slice : BALANCER_ALL_TABLES;
        fill_servers(&b, slice);
        for (uint32_t s = 0; s < b.n; s++)
            scratch[s] = b.servers[s].load;
        decide(&b, d, scratch);
        if (d->needed && run->draw)
            error = balance_table(&b, d, scratch);
    }
    free(scratch);
    simple_free(&b);
    return error;
}
