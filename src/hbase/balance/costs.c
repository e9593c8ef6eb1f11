/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/balance/costs.h"

#include <math.h>
#include <stdlib.h>

static const double DEFAULT_MAX_MOVES = 600;
static const double VETO = 1000000;

static const enum balancer_cost load_cost[STATE_LOADS] = {
    BALANCER_COST_READ, BALANCER_COST_WRITE, BALANCER_COST_MEMSTORE, BALANCER_COST_STOREFILE};

static void fill_multipliers(struct balance_costs *c, const struct balancer_options *options)
{
    c->multiplier_sum = 0;
    for (int i = 0; i < BALANCER_COSTS; i++) {
        double m = options->multiplier[i];
        if (i == BALANCER_COST_MOVE && options->offpeak)
            m = options->move_cost_offpeak;
        if (i == BALANCER_COST_PRIMARY_REGION_COUNT || i == BALANCER_COST_REPLICA_HOST ||
            i == BALANCER_COST_REPLICA_RACK || m <= 0)
            m = 0;
        c->multiplier[i] = m;
        c->multiplier_sum += (float)m;
    }
}

static double server_sum(const struct balance_state *st, int load, uint32_t server)
{
    const struct state_list *list = &st->lists[server];
    double sum = 0;
    for (uint32_t i = 0; i < list->count; i++)
        sum += st->regions[list->region[i]].load[load];
    return sum;
}

static bool is_touchy(const struct balance_state *st, int load, double total)
{
    double whole = nearbyint(total);
    if (fabs(total - whole) > 1e-12 * (total > 1 ? total : 1))
        return false;
    for (uint32_t r = 0; r < st->n_regions; r++)
        if (st->regions[r].load[load] != nearbyint(st->regions[r].load[load]))
            return true;
    return false;
}

static double move_cost(const struct balance_costs *c, double moved)
{
    return moved > c->move_limit ? VETO : skew_scale(0, c->move_scale, moved);
}

static double tables_cost(const struct balance_costs *c, const struct balance_state *st)
{
    double sum = 0;
    for (uint32_t t = 0; t < st->n_tables; t++)
        sum += c->tables[t].cost;
    return sum;
}

static double total_of(const struct balance_costs *c)
{
    double total = 0;
    for (int i = 0; i < BALANCER_COSTS; i++)
        if (c->multiplier[i] > 0)
            total += c->multiplier[i] * c->cost[i];
    return total;
}

static void collect(struct balance_costs *c, const struct balance_state *st)
{
    c->cost[BALANCER_COST_REGION_COUNT] = c->count.cost;
    c->cost[BALANCER_COST_MOVE] = move_cost(c, st->moved);
    c->cost[BALANCER_COST_SERVER_LOCALITY] = 1 - c->locality;
    c->cost[BALANCER_COST_TABLE_SKEW] = tables_cost(c, st);
    for (int k = 0; k < STATE_LOADS; k++)
        c->cost[load_cost[k]] = c->load[k].cost;
    for (int i = 0; i < BALANCER_COSTS; i++)
        if (c->multiplier[i] <= 0)
            c->cost[i] = 0;
    c->total = total_of(c);
}

int balance_costs_init(struct balance_costs *c, const struct balance_state *st,
                       const struct balancer_options *options)
{
    *c = (struct balance_costs){0};
    fill_multipliers(c, options);
    c->tables = malloc(((size_t)st->n_tables + 1) * sizeof(*c->tables));
    double *sums = malloc(((size_t)st->n_servers * STATE_LOADS + 1) * sizeof(*sums));
    if (!c->tables || !sums) {
        free(c->tables);
        free(sums);
        return BALANCE_NO_MEMORY;
    }
    skew_fill_counts(&c->count, st->counts, st->n_servers);
    for (uint32_t t = 0; t < st->n_tables; t++)
        skew_fill_counts(&c->tables[t], &st->table_counts[(size_t)t * st->n_servers],
                         st->n_servers);
    for (int k = 0; k < STATE_LOADS; k++) {
        c->sums[k] = sums + (size_t)k * st->n_servers;
        double total = 0;
        for (uint32_t s = 0; s < st->n_servers; s++)
            total += c->sums[k][s] = server_sum(st, k, s);
        skew_fill(&c->load[k], c->sums[k], st->n_servers);
        c->touchy[k] = is_touchy(st, k, total);
    }
    double local = 0;
    for (uint32_t r = 0; st->best_mb > 0 && r < st->n_regions; r++)
        local += state_local_mb(st, r, st->regions[r].server);
    c->locality = st->best_mb > 0 ? local / st->best_mb : 1;
    double share = trunc((double)((float)st->n_regions * (float)options->max_move_percent));
    c->move_limit = share > DEFAULT_MAX_MOVES ? share : DEFAULT_MAX_MOVES;
    c->move_scale = st->n_regions < c->move_limit ? st->n_regions : c->move_limit;
    collect(c, st);
    return BALANCE_OK;
}

void balance_costs_free(struct balance_costs *c)
{
    free(c->tables);
    free(c->sums[0]);
    *c = (struct balance_costs){0};
}

static double count_after(const struct skew *s, const uint32_t *counts,
                          const struct balance_action *a)
{
    double from = counts[a->from], to = counts[a->to];
    return skew_cost_of(s, skew_squares_after(s, from, from - 1, to, to + 1));
}

static double tables_after(const struct balance_costs *c, const struct balance_state *st,
                           const struct balance_action *a)
{
    double cost = c->cost[BALANCER_COST_TABLE_SKEW];
    uint32_t t = st->regions[a->region].table, n = st->n_servers;

    if (a->back != STATE_NONE) {
        uint32_t u = st->regions[a->back].table;
        if (u == t)
            return cost;
        struct balance_action there = {a->to, a->from, a->back, STATE_NONE};
        cost += count_after(&c->tables[u], &st->table_counts[(size_t)u * n], &there) -
                c->tables[u].cost;
    }
    return cost + count_after(&c->tables[t], &st->table_counts[(size_t)t * n], a) -
           c->tables[t].cost;
}

/* Sum of one server's list as state_apply would leave it. */
static double server_sum_after(const struct balance_state *st, int load, uint32_t server,
                               const struct balance_action *a)
{
    const struct state_list *list = &st->lists[server];
    uint32_t out = server == a->from ? a->region : a->back;
    uint32_t in = server == a->from ? a->back : a->region;
    bool swap = a->back != STATE_NONE;
    double sum = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t r = list->region[i];
        if (r != out)
            sum += st->regions[r].load[load];
        else if (swap)
            sum += st->regions[in].load[load];
    }
    if (!swap && in != STATE_NONE)
        sum += st->regions[in].load[load];
    return sum;
}

static double touchy_after(const struct balance_costs *c, const struct balance_state *st, int load,
                           const struct balance_action *a)
{
    double *x = c->sums[load], from = x[a->from], to = x[a->to];
    struct skew s;

    x[a->from] = server_sum_after(st, load, a->from, a);
    x[a->to] = server_sum_after(st, load, a->to, a);
    skew_fill(&s, x, st->n_servers);
    x[a->from] = from;
    x[a->to] = to;
    return s.cost;
}

static double load_after(const struct balance_costs *c, const struct balance_state *st, int load,
                         const struct balance_action *a)
{
    const struct skew *s = &c->load[load];
    double gain = -st->regions[a->region].load[load];

    if (a->back != STATE_NONE)
        gain += st->regions[a->back].load[load];
    if (gain == 0)
        return s->cost;
    if (c->touchy[load])
        return touchy_after(c, st, load, a);
    double from = c->sums[load][a->from], to = c->sums[load][a->to];
    return skew_cost_of(s, skew_squares_after(s, from, from + gain, to, to - gain));
}

double balance_costs_locality_after(const struct balance_costs *c, const struct balance_state *st,
                                    const struct balance_action *a)
{
    if (st->best_mb <= 0)
        return c->locality;
    double locality = c->locality + (state_local_mb(st, a->region, a->to) -
                                     state_local_mb(st, a->region, a->from)) /
                                        st->best_mb;
    if (a->back != STATE_NONE)
        locality += (state_local_mb(st, a->back, a->from) - state_local_mb(st, a->back, a->to)) /
                    st->best_mb;
    return locality;
}

double balance_costs_after(const struct balance_costs *c, const struct balance_state *st,
                           const struct balance_action *a)
{
    const double *m = c->multiplier;
    bool swap = a->back != STATE_NONE;
    double total = 0;

    if (m[BALANCER_COST_REGION_COUNT] > 0)
        total += m[BALANCER_COST_REGION_COUNT] *
                 (swap ? c->count.cost : count_after(&c->count, st->counts, a));
    if (m[BALANCER_COST_MOVE] > 0) {
        int64_t moved = (int64_t)st->moved +
                        state_moved_delta(&st->regions[a->region], a->from, a->to);
        if (swap)
            moved += state_moved_delta(&st->regions[a->back], a->to, a->from);
        total += m[BALANCER_COST_MOVE] * move_cost(c, (double)moved);
    }
    if (total > c->total)
        return total;
    if (m[BALANCER_COST_SERVER_LOCALITY] > 0)
        total += m[BALANCER_COST_SERVER_LOCALITY] * (1 - balance_costs_locality_after(c, st, a));
    if (m[BALANCER_COST_TABLE_SKEW] > 0)
        total += m[BALANCER_COST_TABLE_SKEW] * tables_after(c, st, a);
    for (int k = 0; k < STATE_LOADS && total <= c->total; k++)
        if (m[load_cost[k]] > 0)
            total += m[load_cost[k]] * load_after(c, st, k, a);
    return total;
}

void balance_costs_update(struct balance_costs *c, const struct balance_state *st,
                          const struct balance_action *a, double locality)
{
    uint32_t n = st->n_servers, t = st->regions[a->region].table;

    skew_fill_counts(&c->count, st->counts, n);
    skew_fill_counts(&c->tables[t], &st->table_counts[(size_t)t * n], n);
    if (a->back != STATE_NONE) {
        uint32_t u = st->regions[a->back].table;
        skew_fill_counts(&c->tables[u], &st->table_counts[(size_t)u * n], n);
    }
    for (int k = 0; k < STATE_LOADS; k++) {
        c->sums[k][a->from] = server_sum(st, k, a->from);
        c->sums[k][a->to] = server_sum(st, k, a->to);
        skew_fill(&c->load[k], c->sums[k], n);
    }
    c->locality = locality;
    collect(c, st);
}

void balance_costs_weights(const struct balance_costs *c, double weight[GENERATORS])
{
    weight[GENERATOR_RANDOM] = c->cost[BALANCER_COST_MOVE] + c->cost[BALANCER_COST_TABLE_SKEW] +
                               c->cost[BALANCER_COST_READ] + c->cost[BALANCER_COST_WRITE] +
                               c->cost[BALANCER_COST_MEMSTORE] + c->cost[BALANCER_COST_STOREFILE];
    weight[GENERATOR_LOAD] = c->cost[BALANCER_COST_REGION_COUNT];
    weight[GENERATOR_LOCALITY] =
        c->cost[BALANCER_COST_SERVER_LOCALITY] + c->cost[BALANCER_COST_RACK_LOCALITY];
    weight[GENERATOR_RACK] = 0;
}
