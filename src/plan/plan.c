/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "des/pool.h"
#include "plan/conclude.h"
#include "plan/spread.h"

/* Trials beyond the candidates: the even N, the rule of thumb's, the scenario's own. */
#define MORE_TRIALS 8
#define RECOMMENDED_SAMPLE 200000

static unsigned threads(unsigned jobs)
{
    return jobs > 0 ? jobs : des_pool_processors();
}

/* ---- candidates ---- */

struct field_of_trials {
    const struct plan_work *work;
    struct plan_trial *trial;
    const int *n;
    size_t len;
};

static int try_one(void *context, size_t i)
{
    struct field_of_trials *all = context;
    const struct sim_control *control = all->work->control;
    const int rc = plan_try(all->work, all->n[i], &all->trial[i]);

    if (control && control->progress)
        control->progress(control->context, 0.9 * (double)(i + 1) / (double)all->len);
    return rc;
}

/* Candidates of this shard. */
static int *own_candidates(const struct spec *sp, const struct plan_options *opt, size_t *len)
{
    int *n = malloc((sp->plan.candidates_len + 1) * sizeof *n);

    *len = 0;
    for (size_t i = 0; n && i < sp->plan.candidates_len; i++)
        if (opt->shards == 0 || i % opt->shards == opt->shard - 1)
            n[(*len)++] = sp->plan.candidates[i];
    return n;
}

static int try_candidates(const struct plan_work *work, const struct plan_options *opt, struct plan_set *set,
                          struct sim_end *end)
{
    size_t len = 0;
    int *n = own_candidates(work->sp, opt, &len), rc = SIM_NO_MEMORY;
    struct field_of_trials all = {work, NULL, n, len};

    set->cap = len + MORE_TRIALS;
    set->trial = calloc(set->cap, sizeof *set->trial);
    if (n && set->trial) {
        all.trial = set->trial;
        rc = des_pool_run(opt->jobs, len, try_one, &all);
        set->len = len;
    }
    for (size_t i = 0; i < set->len && rc != 0; i++)
        if (end->message[0] == '\0')
            *end = set->trial[i].end;
    free(n);
    return rc;
}

const struct plan_trial *plan_trial_of(struct plan_end *pe, int n, int *rc)
{
    struct plan_trial *t;

    for (size_t i = 0; i < pe->set.len; i++)
        if (pe->set.trial[i].n == n)
            return &pe->set.trial[i];
    if (pe->set.len == pe->set.cap) {
        *rc = SIM_NO_MEMORY;
        return NULL;
    }
    t = &pe->set.trial[pe->set.len++];
    *rc = plan_try(pe->work, n, t);
    if (*rc != 0 && pe->end->message[0] == '\0')
        *pe->end = t->end;
    return *rc == 0 ? t : NULL;
}

static int fill_candidates(const struct plan_work *work, const struct plan_set *set, struct result *res)
{
    int rc = 0;

    res->plan.present = true;
    res->plan.candidates = calloc(set->len + 1, sizeof *res->plan.candidates);
    if (!res->plan.candidates)
        return SIM_NO_MEMORY;
    for (size_t i = 0; i < set->len && rc == 0; i++) {
        rc = plan_fill_candidate(work, &set->trial[i], &res->plan.candidates[i]);
        res->plan.candidates_len++;
    }
    return rc;
}

/* ---- the finalists' runs ---- */

/* The recommended N in a run of its own, the pictures' source, and beside it the neighbour that comes
   next: both check what the placements say. */
struct finals {
    const struct plan_end *pe;
    const struct plan_trial *trial[2];
    struct result_run other;          /* of the second */
    struct sim_end end[2];
};

static int run_final(void *context, size_t i)
{
    struct finals *all = context;
    const struct sim_control *control = all->pe->work->control;
    const struct sim_control quiet = {.stop = control ? control->stop : NULL};
    struct spec copy;
    int rc = plan_run_spec(&all->trial[i]->spec, PLAN_CONFIRM, &copy);

    if (rc != 0)
        return rc;
    rc = sim_run(&copy, i == 0 && control ? control : &quiet, i == 0 ? &all->pe->res->run : &all->other, &all->end[i]);
    spec_free(&copy);
    return rc;
}

/* Notes the run's ratio beside that of the placements, and says so where splits and moves made another. */
static int note_final(struct result *res, int n, double ratio)
{
    for (size_t i = 0; i < res->plan.candidates_len; i++) {
        struct result_candidate *c = &res->plan.candidates[i];

        if (c->n != n)
            continue;
        c->confirmed_ratio = ratio;
        if (fabs(ratio - c->hot_server_ratio.mean) > 0.05 * c->hot_server_ratio.mean &&
            (ratio < c->hot_server_ratio.lo || ratio > c->hot_server_ratio.hi))
            return result_add_diagnostic(res, "warning", "W-MOVED",
                                         "a run with N = %d has a hot server ratio of %.2f where the placements have %.2f: "
                                         "splits, moves or the balancer changed it", n, ratio, c->hot_server_ratio.mean);
    }
    return 0;
}

static int confirm(struct plan_end *pe)
{
    const struct result_plan *plan = &pe->res->plan;
    const int beside = plan->larger_n >= 0 ? plan->larger_n : plan->smaller_n;
    struct finals all = {.pe = pe, .trial = {pe->shown, NULL}};
    struct result *res = pe->res;
    int rc = 0;

    if (pe->chosen && beside >= 0 && !(all.trial[1] = plan_trial_of(pe, beside, &rc)))
        return rc;
    result_run_init(&all.other);
    rc = des_pool_run(pe->jobs, all.trial[1] ? 2 : 1, run_final, &all);
    for (size_t i = 0; i < 2; i++) {
        if (rc != 0 && pe->end->message[0] == '\0')
            *pe->end = all.end[i];
        res->partial |= all.end[i].partial;
        pe->end->partial |= all.end[i].partial;
    }
    free(res->run.role);
    res->run.role = plan_copy_text("scenario");
    if (rc == 0)
        rc = note_final(res, pe->shown->n, res->run.summary.hot_server_ratio);
    if (rc == 0 && all.trial[1])
        rc = note_final(res, beside, all.other.summary.hot_server_ratio);
    result_run_free(&all.other);
    return rc == 0 && !res->run.role ? SIM_NO_MEMORY : rc;
}

/* N that the scenario itself has. */
static int own_n(const struct spec *sp)
{
    for (size_t t = 0; t < sp->tables_len; t++)
        if (spec_salt_takes_buckets(sp->tables[t].salt))
            return sp->tables[t].buckets;
    return 0;
}

static int conclude(struct plan_end *pe, const struct plan_options *opt)
{
    const struct result_plan *plan = &pe->res->plan;
    int rc = 0;

    pe->jobs = threads(opt->jobs);
    pe->chosen = plan_smallest(plan->candidates, plan->candidates_len);
    pe->shown = plan_trial_of(pe, pe->chosen ? pe->chosen->n : own_n(pe->work->sp), &rc);
    if (!pe->shown)
        return rc;
    rc = plan_verdict(pe);
    if (rc == 0)
        rc = plan_special(pe);
    if (rc == 0)
        rc = plan_stages(pe);
    if (rc == 0)
        rc = plan_gates(pe);
    if (rc == 0)
        rc = plan_assumptions(pe);
    if (rc == 0 && !opt->no_variations && !pe->work->runs)
        rc = plan_variations(pe);
    return rc == 0 ? confirm(pe) : rc;
}

static void set_free(struct plan_set *set)
{
    for (size_t i = 0; i < set->len; i++)
        plan_trial_free(&set->trial[i]);
    free(set->trial);
}

int plan_run(const struct spec *sp, const struct plan_options *opt, const struct sim_control *control,
             struct result *res, struct sim_end *end)
{
    struct plan_keys keys;
    struct plan_work work;
    struct plan_end pe = {.work = &work, .res = res, .end = end};
    int rc = plan_keys_open(sp, PLAN_SAMPLE_ROWS, opt->jobs, &keys);

    *end = (struct sim_end){false, ""};
    plan_work_of(sp, &keys, control, &work);
    if (rc == 0)
        rc = try_candidates(&work, opt, &pe.set, end);
    if (rc == 0)
        rc = fill_candidates(&work, &pe.set, res);
    if (rc == 0 && control && control->stop && *control->stop)
        res->partial = true;
    if (rc == 0 && opt->shards > 0)
        res->partial = true;
    else if (rc == 0)
        rc = conclude(&pe, opt);
    set_free(&pe.set);
    plan_keys_close(&keys);
    return rc;
}

/* ---- shards ---- */

static const struct result_candidate *find_candidate(const struct result *shards, size_t n, int wanted)
{
    for (size_t s = 0; s < n; s++)
        for (size_t i = 0; i < shards[s].plan.candidates_len; i++)
            if (shards[s].plan.candidates[i].n == wanted)
                return &shards[s].plan.candidates[i];
    return NULL;
}

static int join(const struct spec *sp, const struct result *shards, size_t n, struct result *res, struct sim_end *end)
{
    struct result_plan *plan = &res->plan;

    for (size_t s = 0; s < n; s++)
        if (shards[s].seed != res->seed || !shards[s].base_name || !res->base_name ||
            strcmp(shards[s].base_name, res->base_name) != 0) {
            snprintf(end->message, sizeof end->message, "shard %zu is of another scenario or seed", s + 1);
            return SIM_BAD_SPEC;
        }
    plan->present = true;
    plan->candidates = calloc(sp->plan.candidates_len + 1, sizeof *plan->candidates);
    if (!plan->candidates)
        return SIM_NO_MEMORY;
    for (size_t i = 0; i < sp->plan.candidates_len; i++) {
        const struct result_candidate *from = find_candidate(shards, n, sp->plan.candidates[i]);
        struct result_candidate *to = &plan->candidates[plan->candidates_len];

        if (!from) {
            snprintf(end->message, sizeof end->message, "no shard has the candidate N = %d", sp->plan.candidates[i]);
            return SIM_BAD_SPEC;
        }
        *to = *from;
        to->why_not = from->why_not ? plan_copy_text(from->why_not) : NULL;
        plan->candidates_len++;
        if (from->why_not && !to->why_not)
            return SIM_NO_MEMORY;
    }
    return 0;
}

int plan_merge(const struct spec *sp, const struct plan_options *opt, const struct plan_shards *shards,
               struct result *res, struct sim_end *end)
{
    struct plan_keys keys;
    struct plan_work work;
    struct plan_end pe = {.work = &work, .res = res, .end = end};
    int rc;

    *end = (struct sim_end){false, ""};
    rc = plan_keys_open(sp, PLAN_SAMPLE_ROWS, opt->jobs, &keys);
    plan_work_of(sp, &keys, NULL, &work);
    if (rc == 0)
        rc = join(sp, shards->result, shards->len, res, end);
    pe.set.cap = sp->plan.candidates_len + MORE_TRIALS;
    pe.set.trial = calloc(pe.set.cap, sizeof *pe.set.trial);
    if (rc == 0)
        rc = pe.set.trial ? conclude(&pe, opt) : SIM_NO_MEMORY;
    set_free(&pe.set);
    plan_keys_close(&keys);
    return rc;
}

int plan_recommended_spec(const struct spec *sp, const struct result_plan *plan, struct spec *out)
{
    struct plan_keys keys;
    bool presplit = false;
    int rc;

    if (plan->recommended_n < 0)
        return SIM_BAD_SPEC;
    if (spec_copy(sp, out) != 0)
        return SIM_NO_MEMORY;
    spec_set_buckets(out, plan->recommended_n);
    if (plan->recommended_n > 0)
        return 0;
    rc = plan_keys_open(sp, RECOMMENDED_SAMPLE, 1, &keys);
    if (rc == 0)
        rc = plan_presplit(&keys, out, &presplit);
    plan_keys_close(&keys);
    if (rc != 0)
        spec_free(out);
    return rc;
}
