/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What would part write tails that share a server: a weight at which the balancer would see them,
   balancing by table, or moves by hand. Each is tried on the cluster as it stands, on a copy of the
   balancer's stream. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/balance/balancer.h"
#include "hbase/balance/moves.h"
#include "hbase/model/act.h"

/* A region with this share of the hottest one's writes is a tail. */
#define TAIL_SHARE 0.1
#define MOVES_MAX 8

static uint64_t draw(void *state)
{
    return des_u64(state);
}

/* Hot ratio with the plans carried out. */
static int ratio_after(const struct balancer_cluster *c, const struct balancer_plan *plans, size_t n, double *ratio)
{
    struct balancer_cluster after = *c;
    struct balancer_region *regions = malloc((c->n_regions + 1) * sizeof *regions);
    int rc;

    if (!regions)
        return MODEL_NO_MEMORY;
    memcpy(regions, c->regions, c->n_regions * sizeof *regions);
    for (size_t i = 0; i < n; i++)
        regions[plans[i].region].server = plans[i].to;
    after.regions = regions;
    rc = moves_hot_ratio(&after, ratio);
    free(regions);
    return rc == 0 ? 0 : MODEL_NO_MEMORY;
}

/* Runs the balancer with other options and tells what it would do. */
static int try_options(struct model *m, const struct model_view *v, const struct balancer_options *o,
                       const char *property, const char *value)
{
    struct des_stream stream = m->streams.balancer;
    const struct balance_draw draws = {draw, &stream};
    struct balancer_outcome out = {0};
    struct result_event *e;
    double before = 0, after = 0;
    int rc = balancer_balance(&v->cluster, o, &draws, &out) == 0 ? 0 : MODEL_NO_MEMORY;

    if (rc == 0)
        rc = ratio_after(&v->cluster, NULL, 0, &before);
    if (rc == 0)
        rc = ratio_after(&v->cluster, out.plans, out.n_plans, &after);
    if (rc == 0 && out.n_plans > 0 && after < 0.95 * before) {
        e = model_log(m, "cure", NULL, property);
        if (e) {
            model_log_input(e, "hot_ratio", before);
            model_log_input(e, "hot_ratio_after", after);
            model_log_input(e, "moves_planned", (double)out.n_plans);
            model_log_text(e, "-D %s=%s: the next run makes %zu moves, hot ratio %.2f to %.2f", property, value,
                           out.n_plans, before, after);
        }
    }
    balancer_outcome_free(&out);
    return rc;
}

static int try_weight(struct model *m, const struct model_view *v)
{
    static const char property[] = "hbase.master.balancer.stochastic.writeRequestCost";
    struct balancer_options o = m->balancer;
    struct balancer_outcome out = {0};
    char value[32];
    double needed = (double)INFINITY;
    int n;

    if (balancer_decide(&v->cluster, &o, &out) != 0)
        return MODEL_NO_MEMORY;
    if (out.n_decisions > 0)
        needed = moves_write_multiplier_needed(&out.decisions[0]);
    balancer_outcome_free(&out);
    if (!isfinite(needed) || needed <= o.multiplier[BALANCER_COST_WRITE])
        return 0;
    needed = ceil(needed * 1.02);
    n = snprintf(value, sizeof value, "%.0f", needed);
    o.multiplier[BALANCER_COST_WRITE] = needed;
    return n > 0 ? try_options(m, v, &o, property, value) : 0;
}

static int try_by_table(struct model *m, const struct model_view *v)
{
    struct balancer_options o = m->balancer;

    if (o.by_table)
        return 0;
    o.by_table = true;
    return try_options(m, v, &o, "hbase.master.loadbalance.bytable", "true");
}

/* From the server with most tails to the one with fewest, until they differ by one at most. */
static size_t part_tails(const struct model_view *v, uint32_t *tails, struct balancer_plan *plans)
{
    const struct balancer_cluster *c = &v->cluster;
    struct balancer_region *regions = v->regions;
    double hottest = 0;
    size_t n = 0;

    for (size_t i = 0; i < c->n_regions; i++)
        hottest = fmax(hottest, regions[i].write_rate);
    while (n < MOVES_MAX) {
        uint32_t most = 0, least = UINT32_MAX;
        size_t i = 0;

        for (uint32_t s = 0; s < c->n_servers; s++) {
            if (c->server_state[s] != BALANCER_SERVER_LIVE)
                continue;
            most = tails[s] > tails[most] ? s : most;
            least = least == UINT32_MAX || tails[s] < tails[least] ? s : least;
        }
        if (least == UINT32_MAX || tails[most] < tails[least] + 2)
            break;
        while (regions[i].server != most || regions[i].write_rate < TAIL_SHARE * hottest ||
               (regions[i].flags & BALANCER_REGION_OFFLINE))
            i++;
        plans[n++] = (struct balancer_plan){(uint32_t)i, most, least};
        regions[i].server = least;
        tails[most]--;
        tails[least]++;
    }
    return n;
}

static int try_moves(struct model *m, struct model_view *v)
{
    uint32_t *tails = calloc(v->cluster.n_servers, sizeof *tails);
    struct balancer_plan plans[MOVES_MAX];
    size_t n;

    if (!tails)
        return MODEL_NO_MEMORY;
    moves_hot_tails(&v->cluster, TAIL_SHARE, tails);
    n = part_tails(v, tails, plans);
    free(tails);
    for (size_t i = 0; i < n; i++) {
        const struct region *r = m->regions[v->ids[plans[i].region]];
        struct result_event *e = model_log(m, "cure", r, "move");
        char key[300];

        if (!e || r->table < 0)
            continue;
        saltkey_to_string_binary((struct saltkey_slice){r->start.bytes, r->start.len}, key, sizeof key);
        e->server = (int)plans[i].from;
        e->to_server = (int)plans[i].to;
        model_log_text(e, "hbase> move 'ENCODED', 'rs%02u' for the region %s,%.80s (it is on rs%02u)", plans[i].to,
                       m->tables[r->table].spec->name, key, plans[i].from);
    }
    return 0;
}

int model_log_cures(struct model *m)
{
    struct model_view v;
    int rc = model_view_new(m, &v);

    if (rc != 0)
        return rc;
    if (m->balancer.kind == BALANCER_STOCHASTIC)
        rc = try_weight(m, &v);
    if (rc == 0 && m->balancer.kind != BALANCER_OFF)
        rc = try_by_table(m, &v);
    if (rc == 0)
        rc = try_moves(m, &v);
    model_view_free(&v);
    return rc;
}
