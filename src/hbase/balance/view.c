/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/balance/view.h"

#include <math.h>
#include <stdlib.h>

static int is_live(const struct balancer_cluster *cluster, uint32_t server)
{
    return !cluster->server_state || cluster->server_state[server] == BALANCER_SERVER_LIVE;
}

static int in_view(const struct balancer_cluster *cluster, const struct balancer_region *r)
{
    return !(r->flags & BALANCER_REGION_OFFLINE) && is_live(cluster, r->server);
}

/* Order of the run into |server|, hash order into |hash|. A list that names a server twice is
   refused: it would lose another one's regions without a word. */
static int view_servers(struct balance_view *view, const struct balancer_cluster *cluster)
{
    const uint32_t *list = cluster->server_list;
    uint32_t *position = view->position, n = 0;

    for (uint32_t s = 0; s < cluster->n_servers; s++)
        position[s] = VIEW_NONE;
    for (uint32_t i = 0; list && i < cluster->n_servers; i++) {
        if (position[list[i]] != VIEW_NONE)
            return BALANCE_BAD_SERVER;
        position[list[i]] = i;
    }
    for (uint32_t i = 0; i < cluster->n_servers; i++) {
        uint32_t s = view->by_table && list ? list[i] : i;
        position[s] = VIEW_NONE;
        if (!is_live(cluster, s))
            continue;
        position[s] = view->n_servers;
        view->server[view->n_servers++] = s;
    }
    for (uint32_t i = 0; i < cluster->n_servers; i++) {
        uint32_t s = list ? list[i] : i;
        if (position[s] != VIEW_NONE)
            view->hash[n++] = position[s];
    }
    return BALANCE_OK;
}

/* Counting sort by server, then, by table, by table: both keep the order of the array. */
static void view_regions(struct balance_view *view, const struct balancer_cluster *cluster,
                         size_t *at, uint32_t *by_server)
{
    const struct balancer_region *regions = cluster->regions;

    for (size_t i = 0; i < cluster->n_regions; i++)
        if (in_view(cluster, &regions[i]))
            at[view->position[regions[i].server] + 1]++;
    for (uint32_t s = 0; s < view->n_servers; s++)
        at[s + 1] += at[s];
    for (size_t i = 0; i < cluster->n_regions; i++)
        if (in_view(cluster, &regions[i]))
            by_server[at[view->position[regions[i].server]]++] = (uint32_t)i;

    size_t *first = view->first;
    for (size_t i = 0; i < view->n_regions; i++)
        first[(view->by_table ? regions[by_server[i]].table : 0) + 1]++;
    for (size_t s = 0; s < view->n_slices; s++)
        first[s + 1] += first[s];
    for (size_t i = view->n_regions; i-- > 0;) {
        size_t slice = view->by_table ? regions[by_server[i]].table : 0;
        view->region[--first[slice + 1]] = by_server[i];
    }
    for (size_t s = 0; s < view->n_slices; s++)
        first[s] = first[s + 1];
    first[view->n_slices] = view->n_regions;
}

int balance_view_init(struct balance_view *view, const struct balancer_cluster *cluster,
                      int by_table)
{
    int error = balancer_cluster_check(cluster, NULL);
    if (error)
        return error;
    *view = (struct balance_view){.by_table = by_table};
    view->n_slices = by_table ? cluster->n_tables : 1;
    for (size_t i = 0; i < cluster->n_regions; i++)
        view->n_regions += in_view(cluster, &cluster->regions[i]) ? 1 : 0;
    view->server = malloc(cluster->n_servers * sizeof(*view->server));
    view->hash = malloc(cluster->n_servers * sizeof(*view->hash));
    view->position = malloc(cluster->n_servers * sizeof(*view->position));
    view->region = malloc((view->n_regions + 1) * sizeof(*view->region));
    view->first = calloc(view->n_slices + 1, sizeof(*view->first));
    size_t *at = calloc((size_t)cluster->n_servers + 1, sizeof(*at));
    uint32_t *by_server = malloc((view->n_regions + 1) * sizeof(*by_server));
    error = BALANCE_NO_MEMORY;
    if (view->server && view->hash && view->position && view->region && view->first && at &&
        by_server)
        error = view_servers(view, cluster);
    if (!error)
        view_regions(view, cluster, at, by_server);
    else
        balance_view_free(view);
    free(at);
    free(by_server);
    return error;
}

void balance_view_free(struct balance_view *view)
{
    free(view->server);
    free(view->hash);
    free(view->position);
    free(view->region);
    free(view->first);
    *view = (struct balance_view){0};
}

struct balancer_decision *outcome_decision(struct balancer_outcome *out, size_t *cap)
{
    if (out->n_decisions == *cap) {
        size_t room = *cap ? 2 * *cap : 1;
        void *more = realloc(out->decisions, room * sizeof(*out->decisions));
        if (!more)
            return NULL;
        out->decisions = more;
        *cap = room;
    }
    struct balancer_decision *d = &out->decisions[out->n_decisions++];
    *d = (struct balancer_decision){.first_plan = out->n_plans};
    return d;
}

struct balancer_plan *outcome_plan(struct balancer_outcome *out, size_t *cap)
{
    if (out->n_plans == *cap) {
        size_t room = *cap ? 2 * *cap : 64;
        void *more = realloc(out->plans, room * sizeof(*out->plans));
        if (!more)
            return NULL;
        out->plans = more;
        *cap = room;
    }
    return &out->plans[out->n_plans++];
}

/* ClusterLoadState and sloppyRegionServerExist: floats, as HBase computes them. */
void decision_counts(struct balancer_decision *d, const uint32_t *count, uint32_t n, double slop)
{
    d->servers = n;
    d->regions = 0;
    d->count_min = UINT32_MAX;
    d->count_max = 0;
    for (uint32_t s = 0; s < n; s++) {
        d->regions += count[s];
        if (count[s] < d->count_min)
            d->count_min = count[s];
        if (count[s] > d->count_max)
            d->count_max = count[s];
    }
    if (n == 0)
        d->count_min = 0;
    d->count_floor = 0;
    d->count_ceil = UINT32_MAX;
    if (slop >= 0 && n > 0) {
        float average = (float)d->regions / (float)n, s = (float)slop;
        double lowest = floor((double)(average * (1 - s)));
        double highest = ceil((double)(average * (1 + s)));
        d->count_floor = lowest > 0 ? (uint32_t)lowest : 0;
        d->count_ceil = highest < UINT32_MAX ? (uint32_t)highest : UINT32_MAX;
    }
}

int decision_idle_server(const struct balancer_decision *d)
{
    return d->count_min == 0 && d->count_max > 1;
}

int decision_sloppy_server(const struct balancer_decision *d)
{
    return d->count_max > d->count_ceil || d->count_min < d->count_floor;
}
