/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A candidate against its targets, at every point of the growth. */
#include <math.h>
#include <string.h>

#include "plan/trial.h"

/* The worst that was found, and the words for it. */
struct finding {
    struct plan_text why;
    bool missed, undecided;
    double margin;
    double broken_at_s;
};

static void say_time(struct plan_text *t, double at_s)
{
    if (at_s > 0)
        plan_say(t, " from month %.0f on", at_s / PLAN_MONTH_S);
}

static void say_miss(struct finding *f, const struct spec_target *g, const struct result_figure *fig,
                     const struct plan_point *at)
{
    plan_say(&f->why, "%s%s is ", f->why.len ? "; " : "", g->metric);
    plan_say_value(&f->why, g->metric, fig->mean);
    plan_say(&f->why, ", target %s ", g->at_most ? "<=" : ">=");
    plan_say_value(&f->why, g->metric, g->bound);
    if (at->at_s > 0)
        plan_say(&f->why, " with %d servers", at->servers);
    say_time(&f->why, at->at_s);
}

static void say_undecided(struct finding *f, const struct spec_target *g, const struct result_figure *fig,
                          const struct plan_point *at)
{
    plan_say(&f->why, "%sundecided: %s is ", f->why.len ? "; " : "", g->metric);
    plan_say_value(&f->why, g->metric, fig->mean);
    if (fig->hi > fig->lo) {
        plan_say(&f->why, " (");
        plan_say_value(&f->why, g->metric, fig->lo);
        plan_say(&f->why, " to ");
        plan_say_value(&f->why, g->metric, fig->hi);
        plan_say(&f->why, ")");
    }
    plan_say(&f->why, ", on the target %s ", g->at_most ? "<=" : ">=");
    plan_say_value(&f->why, g->metric, g->bound);
    if (at->at_s > 0)
        plan_say(&f->why, " with %d servers", at->servers);
}

/* What one target gives over the points: the first certain miss, else the first point that decides nothing. */
struct stand_found {
    enum plan_stand stand;
    struct spec_target target;
    struct result_figure fig;
    const struct plan_point *at;
};

/* One target at one point; true where nothing more need be said of this target. A figure on its target doesn't
   end it: a later point may miss for certain. */
static bool look(const struct spec_target *g, const struct result_figure *fig, const struct plan_point *at,
                 struct stand_found *first, struct finding *f)
{
    const enum plan_stand stand = plan_stands(g, fig);

    f->margin = fmin(f->margin, plan_margin(g, fig->mean));
    if (stand == PLAN_MET || (stand == PLAN_UNDECIDED && first->stand == PLAN_UNDECIDED))
        return false;
    *first = (struct stand_found){stand, *g, *fig, at};
    return stand == PLAN_MISSED;
}

static void conclude_target(const struct stand_found *first, struct finding *f)
{
    if (first->stand == PLAN_MET)
        return;
    if (first->stand == PLAN_MISSED) {
        say_miss(f, &first->target, &first->fig, first->at);
        f->missed = true;
    } else {
        say_undecided(f, &first->target, &first->fig, first->at);
        f->undecided = true;
    }
    f->broken_at_s = fmin(f->broken_at_s, first->at->at_s);
}

static void look_at_target(const struct plan_work *work, const struct plan_trial *trial, const struct spec_target *g,
                           struct finding *f)
{
    struct stand_found first = {.stand = PLAN_MET};

    if (plan_target_waived(work, trial, g))
        return;
    for (size_t i = 0; i < work->growth.points; i++) {
        const struct plan_point *at = &work->growth.point[i];
        struct result_figure fig;

        if (!plan_figure(trial, g->metric, at->size, &fig)) {
            plan_say(&f->why, "%s%s has no value", f->why.len ? "; " : "", g->metric);
            f->missed = true;
            f->broken_at_s = 0;
            return;
        }
        if (look(g, &fig, at, &first, f))
            break;
    }
    conclude_target(&first, f);
}

static void look_at_demand(const struct plan_work *work, const struct plan_trial *trial, struct finding *f)
{
    struct stand_found first = {.stand = PLAN_MET};

    for (size_t i = 0; i < work->growth.points; i++) {
        const struct plan_point *at = &work->growth.point[i];
        const struct spec_target g = plan_demand_target(work, at);
        struct result_figure fig;

        if (plan_figure(trial, g.metric, at->size, &fig) && look(&g, &fig, at, &first, f))
            break;
    }
    conclude_target(&first, f);
}

static int say_cut(const struct plan_trial *trial, struct result_candidate *cand)
{
    struct plan_text t = {"", 0};

    plan_say(&t, "not decided: interrupted");
    if (trial->evals > 0 && trial->eval[0].reps > 0)
        plan_say(&t, " after %zu replications", trial->eval[trial->evals - 1].reps);
    cand->undecided = true;
    cand->feasible = false;
    cand->why_not = plan_copy_text(t.bytes);
    return cand->why_not ? 0 : SIM_NO_MEMORY;
}

int plan_judge(const struct plan_work *work, const struct plan_trial *trial, struct result_candidate *cand)
{
    struct finding f = {.margin = INFINITY, .broken_at_s = INFINITY};

    if (trial->cut)
        return say_cut(trial, cand);
    for (size_t i = 0; i < work->sp->plan.targets_len; i++)
        look_at_target(work, trial, &work->sp->plan.targets[i], &f);
    look_at_demand(work, trial, &f);
    cand->feasible = !f.missed && !f.undecided;
    cand->undecided = f.undecided && !f.missed;
    cand->margin = isfinite(f.margin) ? f.margin : (double)NAN;
    cand->breaks_at_s = work->growth.horizon_s > 0 && isfinite(f.broken_at_s) ? f.broken_at_s : (double)NAN;
    cand->why_not = NULL;
    if (!cand->feasible && !(cand->why_not = plan_copy_text(f.why.bytes)))
        return SIM_NO_MEMORY;
    return 0;
}

/* Of the first query that is not a get: the price that N has. */
static const struct result_query *reference_query(const struct result_run *run)
{
    for (size_t i = 0; i < run->queries_len; i++)
        if (strcmp(run->queries[i].kind, "get") != 0)
            return &run->queries[i];
    return NULL;
}

static void exactly(struct result_figure *fig, double value)
{
    *fig = (struct result_figure){value, value, value};
}

int plan_fill_candidate(const struct plan_work *work, const struct plan_trial *trial, struct result_candidate *cand)
{
    const struct result_query *query = reference_query(&trial->probe);

    result_candidate_init(cand);
    cand->n = trial->n;
    cand->replications = trial->evals > 0 ? (double)trial->eval[0].reps : 0;
    plan_figure(trial, "hot_server_ratio", 0, &cand->hot_server_ratio);
    plan_figure(trial, "max_write_rate_per_s", 0, &cand->max_write_rate_per_s);
    plan_figure(trial, "write_tails", 0, &cand->write_tails);
    plan_figure(trial, "servers_idle", 0, &cand->servers_idle);
    exactly(&cand->regions, (double)trial->load.regions_all);
    exactly(&cand->hot_bucket_share, trial->load.hot_bucket_share);
    if (query) {
        exactly(&cand->scans, query->scans);
        exactly(&cand->scan_rpcs, query->rpcs);
        exactly(&cand->scan_p99_us, query->p99_us);
    }
    return plan_judge(work, trial, cand);
}
