/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answers that are not a bucket count: no salt is needed, a salt will not help, N can't and the
   layout must. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/conclude.h"
#include "plan/volume.h"
#include "result/format.h"
#include "saltkey.h"
#include "spec/scheme.h"

#define KEY_MAX 1024

static int put(char **to, const struct plan_text *t)
{
    free(*to);
    *to = plan_copy_text(t->bytes);
    return *to ? 0 : SIM_NO_MEMORY;
}

static int answer(struct result_plan *plan, const char *word, const struct plan_text *reason)
{
    struct plan_text t = {"", 0};
    int rc;

    plan_say(&t, "%s", word);
    rc = put(&plan->answer, &t);
    return rc == 0 ? put(&plan->reason, reason) : rc;
}

/* Natural keys that a query of the last |window_ns| (of one entity, where it has a field) reads:
   false where that is all of them. */
static bool narrow(const struct spec_table *table, const struct spec_query *q)
{
    uint8_t start[KEY_MAX], stop[KEY_MAX];
    const int64_t from_ms = INT64_C(1700000000000);
    struct saltkey_scheme scheme;
    struct saltkey_window w;

    if (spec_table_scheme(table, &scheme, NULL) != 0)
        return true;
    memset(&w, 0, sizeof w);
    w.start = (struct saltkey_buf){start, sizeof start, 0};
    w.stop = (struct saltkey_buf){stop, sizeof stop, 0};
    if (spec_query_window(&scheme, q, from_ms, from_ms + 1 + q->window_ns / 1000000, &w) != 0)
        return true;
    if (spec_scheme_hashed_prefix(&scheme) && !w.one_bucket)
        return false;
    return w.start.len > 0 || w.stop.len > 0;
}

bool plan_layout_scans_all(const struct spec *sp, const char **name)
{
    bool any = false;

    for (size_t i = 0; i < sp->queries_len; i++) {
        const struct spec_query *q = &sp->queries[i];
        const struct spec_table *table = spec_table_by_name(sp, q->table);

        if (!table || (q->kind != SPEC_QUERY_RANGE && q->kind != SPEC_QUERY_HISTORY))
            continue;
        if (narrow(table, q))
            return false;
        *name = q->name;
        any = true;
    }
    return any;
}

/* No salt: because one server carries everything, or because the key is spread. */
static int say_no_salt(struct plan_end *pe, const struct plan_trial *none)
{
    const struct plan_work *work = pe->work;
    struct result_plan *plan = &pe->res->plan;
    struct plan_text t = {"", 0};
    char demand[FORMAT_CAP], floor_[FORMAT_CAP], full[FORMAT_CAP];

    if (work->one_server) {
        plan_say(&t, "no salt needed: one server carries the %s with room to spare (below the floor of %s, its capacity "
                 "of %s over %.3g); evenness does not matter at this rate, and each scan stays one scan.",
                 format_rate(work->demand_per_s, demand), format_rate(work->floor_per_s, floor_),
                 format_rate(spec_write_capacity_per_s(work->sp), full), 1 + fmax(work->sp->plan.headroom, 1));
    } else if (none && none->presplit) {
        plan_say(&t, "no salt needed: the key is spread over its table already. Cut the table into %zu regions at "
                 "quantiles of its keys (--emit shell writes them): hot server ratio %.2f with one scan a query.",
                 none->load.regions_all, pe->chosen->hot_server_ratio.mean);
    } else {
        return 0;
    }
    return answer(plan, "no-salt", &t);
}

/* Share of the largest bucket at N = 256, with the salt over |over|. */
static int largest_share(const struct plan_end *pe, const char *over, double *share)
{
    struct plan_load load;
    struct plan_keys keys;
    struct spec sp;
    int rc;

    if (spec_copy(pe->work->sp, &sp) != 0)
        return SIM_NO_MEMORY;
    spec_set_buckets(&sp, 256);
    for (size_t t = 0; t < sp.tables_len; t++) {
        sp.tables[t].splits = SPEC_SPLITS_BUCKETS;
        sp.tables[t].splits_regions = 1;
        if (!over)
            continue;
        free(sp.tables[t].salt_over);
        sp.tables[t].salt_over = plan_copy_text(over);
    }
    rc = plan_keys_open(&sp, 200000, 1, &keys);
    if (rc == 0) {
        rc = plan_load_open(&keys, &sp, &load);
        *share = rc == 0 ? load.hot_bucket_share : (double)NAN;
        plan_load_free(&load);
    }
    plan_keys_close(&keys);
    spec_free(&sp);
    return rc;
}

/* A share that no N mends: the largest bucket of 256 times the servers is what the hot server ratio
   can't fall below. */
static int say_skew(struct plan_end *pe, double bound, bool *said)
{
    const struct spec *sp = pe->work->sp;
    struct plan_text t = {"", 0};
    double as_is = NAN, over_key = NAN;
    int rc = largest_share(pe, NULL, &as_is);

    if (rc != 0 || isnan(as_is) || as_is * sp->cluster.servers <= bound)
        return rc;
    rc = largest_share(pe, "key", &over_key);
    if (rc != 0)
        return rc;
    *said = true;
    plan_say(&t, "a salt will not help: even with 256 buckets one bucket takes %.3g %% of the writes, so that no N gets "
             "the hot server ratio below %.2f on %d servers. ", 100 * as_is, as_is * sp->cluster.servers,
             sp->cluster.servers);
    if (over_key * sp->cluster.servers <= bound)
        plan_say(&t, "The salt is over a field in which one value is hot: with salt_over = key the largest of 256 "
                 "buckets takes %.3g %%; a history of one entity then needs N scans.", 100 * over_key);
    else
        plan_say(&t, "The rows themselves are hot: one key is written again and again. Split it (a counter into "
                 "shards that are summed when read), or buffer its updates in the client.");
    return answer(&pe->res->plan, "salt-will-not-help", &t);
}

/* Even perfectly even servers are too few. */
static int say_capacity(struct plan_end *pe, bool *said)
{
    const struct plan_work *work = pe->work;
    const double capacity = spec_write_capacity_per_s(work->sp);

    for (size_t i = 0; i < work->growth.points; i++) {
        const struct plan_point *at = &work->growth.point[i];
        const double needed = plan_demand_target(work, at).bound;
        char one[FORMAT_CAP], all[FORMAT_CAP], asked[FORMAT_CAP];
        struct plan_text t = {"", 0};

        if (needed <= capacity * at->servers)
            continue;
        plan_say(&t, "a salt will not help: the bottleneck is not the tail. %d server%s of %s %s full at %s when all are "
                 "loaded alike, and %s are needed", at->servers, at->servers == 1 ? "" : "s", format_rate(capacity, one),
                 at->servers == 1 ? "is" : "are", format_rate(capacity * at->servers, all), format_rate(needed, asked));
        if (at->at_s > 0)
            plan_say(&t, " in month %.0f", at->at_s / PLAN_MONTH_S);
        plan_say(&t, ". It takes %.0f servers, or rows that cost less.", ceil(needed / capacity));
        *said = true;
        return answer(&pe->res->plan, "salt-will-not-help", &t);
    }
    return 0;
}

/* The writes need an N that the queries' targets exclude. */
static int say_conflict(struct plan_end *pe, bool *said)
{
    const struct plan_work *work = pe->work;
    const struct result_plan *plan = &pe->res->plan;
    int writes_need = -1, reads_allow = -1;
    struct plan_text t = {"", 0};
    int rc = 0;

    for (size_t i = 0; i < plan->candidates_len; i++) {
        const struct plan_trial *trial = plan_trial_of(pe, plan->candidates[i].n, &rc);
        bool writes = true, reads = true;
        struct result_figure fig;

        if (!trial)
            return rc;
        for (size_t k = 0; k < work->sp->plan.targets_len; k++) {
            const struct spec_target *g = &work->sp->plan.targets[k];
            bool *what = strchr(g->metric, '.') ? &reads : &writes;

            for (size_t p = 0; p < work->growth.points; p++)
                *what &= plan_figure(trial, g->metric, work->growth.point[p].size, &fig) &&
                         plan_stands(g, &fig) == PLAN_MET;
        }
        for (size_t p = 0; p < work->growth.points; p++) {
            const struct spec_target g = plan_demand_target(work, &work->growth.point[p]);

            writes &= plan_figure(trial, g.metric, work->growth.point[p].size, &fig) && plan_stands(&g, &fig) == PLAN_MET;
        }
        if (writes && (writes_need < 0 || trial->n < writes_need))
            writes_need = trial->n;
        if (reads && trial->n > reads_allow)
            reads_allow = trial->n;
    }
    if (writes_need < 0 || reads_allow >= writes_need)
        return 0;
    *said = true;
    plan_say(&t, "the queries' targets exclude every N that the writes need: the writes need N = %d or more, ", writes_need);
    if (reads_allow >= 0) {
        plan_say(&t, "the queries allow ");
        plan_say_n(&t, reads_allow);
        plan_say(&t, " at most. ");
    } else {
        plan_say(&t, "the queries allow no candidate. ");
    }
    plan_say(&t, "Give the queries more scans, use fewer and larger servers, or put an entity in front of the time so "
             "that the question needs one bucket only.");
    return answer(&pe->res->plan, "none-feasible", &t);
}

/* Bound on evenness that the targets set; INFINITY without one. */
static double ratio_bound(const struct spec *sp)
{
    for (size_t i = 0; i < sp->plan.targets_len; i++)
        if (strcmp(sp->plan.targets[i].metric, "hot_server_ratio") == 0 && sp->plan.targets[i].at_most)
            return sp->plan.targets[i].bound;
    return INFINITY;
}

/* Evenness that the demand alone asks for, at its tightest. */
static double demand_bound(const struct plan_work *work)
{
    double bound = INFINITY;

    for (size_t i = 0; i < work->growth.points; i++) {
        const struct plan_point *at = &work->growth.point[i];

        bound = fmin(bound, spec_write_capacity_per_s(work->sp) * at->servers / plan_demand_target(work, at).bound);
    }
    return bound;
}

int plan_special(struct plan_end *pe)
{
    const struct spec *sp = pe->work->sp;
    const char *query = NULL;
    bool said = false;
    int rc = 0;

    if (plan_layout_scans_all(sp, &query)) {
        struct plan_text t = {"", 0};

        plan_say(&t, "N can't, the layout must: query %s and all others that ask for a part of the table read all of it "
                 "at any N, for what they ask for is not what the key begins with. Put the field that they ask for in "
                 "front, or keep a second table (an index) in their order.", query);
        pe->res->plan.recommended_n = -1;
        return answer(&pe->res->plan, "layout", &t);
    }
    if (pe->chosen && pe->chosen->n == 0) {
        const struct plan_trial *none = plan_trial_of(pe, 0, &rc);

        return none ? say_no_salt(pe, none) : rc;
    }
    if (pe->chosen)
        return 0;
    rc = say_capacity(pe, &said);
    if (rc == 0 && !said)
        rc = say_skew(pe, fmin(ratio_bound(sp), demand_bound(pe->work)), &said);
    if (rc == 0 && !said)
        rc = say_conflict(pe, &said);
    return rc;
}
