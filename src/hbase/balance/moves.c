/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/balance/moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Edges of the graph of moves, gathered by pair of servers; those of server s are
   edge[first[s]] ... edge[first[s + 1] - 1]. */
struct edge {
    uint32_t from, to;
    size_t count;
};

struct graph {
    struct edge *edge;
    size_t n_edges;
    size_t *first;
    size_t *next;   /* first edge of each server that may still lie on a cycle */
    size_t *path;   /* edges from the start of the walk to where it is */
    uint8_t *on_path;
};

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static struct edge *find_edge(const struct graph *g, uint32_t from, uint32_t to)
{
    struct edge key = {from, to, 0};
    return bsearch(&key, g->edge, g->n_edges, sizeof(key), compare_edges);
}

static void graph_fill(struct graph *g, const struct balancer_plan *moves, size_t n,
                       uint32_t n_servers)
{
    for (size_t i = 0; i < n; i++)
        g->edge[i] = (struct edge){moves[i].from, moves[i].to, 1};
    qsort(g->edge, n, sizeof(*g->edge), compare_edges);
    for (size_t i = 0; i < n; i++) {
        if (g->n_edges && compare_edges(&g->edge[g->n_edges - 1], &g->edge[i]) == 0)
            g->edge[g->n_edges - 1].count++;
        else
            g->edge[g->n_edges++] = g->edge[i];
    }
    for (size_t e = 0; e < g->n_edges; e++)
        g->first[g->edge[e].from + 1]++;
    for (uint32_t s = 0; s < n_servers; s++)
        g->first[s + 1] += g->first[s];
    memcpy(g->next, g->first, n_servers * sizeof(*g->next));
}

static size_t cancel_pairs(struct graph *g)
{
    size_t cancelled = 0;
    for (size_t e = 0; e < g->n_edges; e++) {
        struct edge *there = &g->edge[e], *back = find_edge(g, there->to, there->from);
        if (there == back) { /* a move to the same server */
            cancelled += there->count;
            there->count = 0;
        } else if (back && there->from < there->to) {
            size_t both = there->count < back->count ? there->count : back->count;
            there->count -= both;
            back->count -= both;
            cancelled += 2 * both;
        }
    }
    return cancelled;
}

/* Takes the cycle that ends the path at |server| out of the graph and steps back to |server|. */
static size_t cancel_cycle(struct graph *g, size_t *length, uint32_t server)
{
    size_t start = *length, least = SIZE_MAX;
    do {
        start--;
        if (g->edge[g->path[start]].count < least)
            least = g->edge[g->path[start]].count;
    } while (g->edge[g->path[start]].from != server);
    size_t cancelled = least * (*length - start);
    for (size_t i = start; i < *length; i++) {
        g->edge[g->path[i]].count -= least;
        if (i > start)
            g->on_path[g->edge[g->path[i]].from] = 0;
    }
    *length = start;
    return cancelled;
}

/* Walks on from |server| until no cycle can be reached from it. A server without a way out is left
   for good, and so is the edge to it. */
static size_t cancel_from(struct graph *g, uint32_t server)
{
    size_t length = 0, cancelled = 0;
    uint32_t at = server;

    g->on_path[at] = 1;
    for (;;) {
        size_t *e = &g->next[at];
        while (*e < g->first[at + 1] && g->edge[*e].count == 0)
            (*e)++;
        if (*e == g->first[at + 1]) {
            g->on_path[at] = 0;
            if (length == 0)
                return cancelled;
            at = g->edge[g->path[--length]].from;
            g->next[at]++;
            continue;
        }
        uint32_t to = g->edge[*e].to;
        g->path[length++] = *e;
        if (g->on_path[to])
            cancelled += cancel_cycle(g, &length, to);
        g->on_path[to] = 1;
        at = to;
    }
}

static int count_redundant(const struct balancer_plan *moves, size_t n, uint32_t n_servers,
                           size_t *redundant)
{
    struct graph g = {0};
    int error = BALANCE_NO_MEMORY;

    g.edge = malloc((n + 1) * sizeof(*g.edge));
    g.first = calloc((size_t)n_servers + 1, sizeof(*g.first));
    g.next = malloc(((size_t)n_servers + 1) * sizeof(*g.next));
    g.path = malloc(((size_t)n_servers + 1) * sizeof(*g.path));
    g.on_path = calloc((size_t)n_servers + 1, 1);
    if (g.edge && g.first && g.next && g.path && g.on_path) {
        graph_fill(&g, moves, n, n_servers);
        *redundant = cancel_pairs(&g);
        for (uint32_t s = 0; s < n_servers; s++)
            *redundant += cancel_from(&g, s);
        error = BALANCE_OK;
    }
    free(g.edge);
    free(g.first);
    free(g.next);
    free(g.path);
    free(g.on_path);
    return error;
}

static int compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

int moves_count(const struct balancer_plan *moves, size_t n, uint32_t n_servers,
                struct move_counts *counts)
{
    struct move_counts c = {.moves = n};

    for (size_t i = 0; i < n; i++)
        if (moves[i].from >= n_servers || moves[i].to >= n_servers)
            return BALANCE_BAD_SERVER;
    uint32_t *region = malloc((n + 1) * sizeof(*region));
    if (!region)
        return BALANCE_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        region[i] = moves[i].region;
    qsort(region, n, sizeof(*region), compare_u32);
    for (size_t i = 0; i < n; i++) {
        c.regions += i == 0 || region[i] != region[i - 1];
        c.regions_again += i > 0 && region[i] == region[i - 1] &&
                           (i == 1 || region[i - 1] != region[i - 2]);
    }
    free(region);
    int error = count_redundant(moves, n, n_servers, &c.redundant);
    if (error)
        return error;
    c.necessary = n - c.redundant;
    *counts = c;
    return BALANCE_OK;
}

double moves_thrash(const double *series, size_t n, double range)
{
    double up = 0, down = 0;
    for (size_t i = 1; i < n; i++) {
        if (series[i] > series[i - 1])
            up += series[i] - series[i - 1];
        else
            down += series[i - 1] - series[i];
    }
    return range > 0 ? 2 * (up < down ? up : down) / range : 0;
}

static bool is_live(const struct balancer_cluster *cluster, uint32_t server)
{
    return !cluster->server_state || cluster->server_state[server] != BALANCER_SERVER_DEAD;
}

static bool serves(const struct balancer_cluster *cluster, const struct balancer_region *r)
{
    return !(r->flags & BALANCER_REGION_OFFLINE) && is_live(cluster, r->server);
}

size_t moves_hot_tails(const struct balancer_cluster *cluster, double share, uint32_t *tails)
{
    double most = 0;
    size_t n = 0;

    memset(tails, 0, cluster->n_servers * sizeof(*tails));
    for (size_t i = 0; i < cluster->n_regions; i++)
        if (serves(cluster, &cluster->regions[i]) && cluster->regions[i].write_rate > most)
            most = cluster->regions[i].write_rate;
    for (size_t i = 0; i < cluster->n_regions && most > 0; i++) {
        const struct balancer_region *r = &cluster->regions[i];
        if (!serves(cluster, r) || r->write_rate < share * most)
            continue;
        tails[r->server]++;
        n++;
    }
    return n;
}

int moves_hot_ratio(const struct balancer_cluster *cluster, double *ratio)
{
    double *rate = calloc((size_t)cluster->n_servers + 1, sizeof(*rate));
    double most = 0, sum = 0;
    uint32_t live = 0;

    if (!rate)
        return BALANCE_NO_MEMORY;
    for (size_t i = 0; i < cluster->n_regions; i++)
        if (serves(cluster, &cluster->regions[i]))
            rate[cluster->regions[i].server] += cluster->regions[i].write_rate;
    for (uint32_t s = 0; s < cluster->n_servers; s++) {
        if (!is_live(cluster, s))
            continue;
        live++;
        sum += rate[s];
        if (rate[s] > most)
            most = rate[s];
    }
    free(rate);
    *ratio = sum > 0 ? most / (sum / live) : 0;
    return BALANCE_OK;
}

double moves_write_multiplier_needed(const struct balancer_decision *decision)
{
    double m = decision->multiplier[BALANCER_COST_WRITE];
    double cost = decision->cost[BALANCER_COST_WRITE];
    double other = decision->total - m * cost;
    double missing = decision->threshold * (decision->multiplier_sum - m) - other;

    if (missing <= 0)
        return 0;
    if (cost <= decision->threshold)
        return (double)INFINITY;
    return missing / (cost - decision->threshold);
}
