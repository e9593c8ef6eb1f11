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

/* Of the progress that is shown: how far the candidates' trials bring it. */
#define TRIED_SHARE 0.3

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
        control->progress(control->context, TRIED_SHARE * (double)(i + 1) / (double)all->len);
    return rc;
}

/* N that the scenario itself has. */
static int own_n(const struct spec *sp)
{
    for (size_t t = 0; t < sp->tables_len; t++)
        if (spec_salt_takes_buckets(sp->tables[t].salt))
            return sp->tables[t].buckets;
    return 0;
}

/* Candidates of this shard; behind them, where the whole is tried, what the verdict compares with. */
static int *own_candidates(const struct spec *sp, const struct plan_options *opt, size_t *len, size_t *tried)
{
    const int beside[] = {plan_rule_of_thumb_n(sp), plan_even_n(sp), own_n(sp)};
    int *n = malloc((sp->plan.candidates_len + MORE_TRIALS) * sizeof *n);

    *len = 0;
    for (size_t i = 0; n && i < sp->plan.candidates_len; i++)
        if (opt->shards == 0 || i % opt->shards == opt->shard - 1)
            n[(*len)++] = sp->plan.candidates[i];
    *tried = *len;
    for (size_t i = 0; n && opt->shards == 0 && i < sizeof beside / sizeof beside[0]; i++) {
        bool known = beside[i] < 0;

        for (size_t k = 0; k < *tried; k++)
            known |= n[k] == beside[i];
        if (!known)
            n[(*tried)++] = beside[i];
    }
    return n;
}

/* Tries the candidates, |*candidates| of them, and what is compared with them. */
static int try_candidates(const struct plan_work *work, const struct plan_options *opt, struct plan_set *set,
                          size_t *candidates, struct sim_end *end)
{
    size_t len = 0;
    int *n = own_candidates(work->sp, opt, candidates, &len), rc = SIM_NO_MEMORY;
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

static int fill_candidates(const struct plan_work *work, const struct plan_set *set, size_t len, struct result *res)
{
    int rc = 0;

    res->plan.present = true;
    res->plan.candidates = calloc(len + 1, sizeof *res->plan.candidates);
    if (!res->plan.candidates)
        return SIM_NO_MEMORY;
    for (size_t i = 0; i < len && rc == 0; i++) {
        rc = plan_fill_candidate(work, &set->trial[i], &res->plan.candidates[i]);
        res->plan.candidates_len++;
        if (rc == 0 && work->times && !set->trial[i].cut)
            rc = plan_note_query_costs(&set->trial[i], &res->plan);
    }
    return rc;
}

/* ---- the finalists' runs, and the cases ---- */

/* The recommended N in a run of its own, the pictures' source, and beside it the neighbour that comes
   next: both check what the placements say. The cases go along, so that no processor waits for the
   longer run. */
struct finals {
    const struct plan_end *pe;
    const struct plan_trial *trial[2];
    size_t len;
    struct result_run other;          /* of the second */
    struct sim_end end[2];
    struct plan_varied varied;
};

static void final_progress(void *context, double share)
{
    const struct sim_control *control = ((const struct finals *)context)->pe->work->control;

    control->progress(control->context, TRIED_SHARE + (1 - TRIED_SHARE) * share);
}

static int run_final(struct finals *all, size_t i)
{
    const struct sim_control *control = all->pe->work->control;
    struct sim_control own = {.stop = control ? control->stop : NULL, .context = all};
    struct spec copy;
    int rc = plan_run_spec(&all->trial[i]->spec, PLAN_CONFIRM, &copy);

    if (rc != 0)
        return rc;
    if (i == 0 && control && control->progress)
        own.progress = final_progress;
    rc = sim_run(&copy, &own, i == 0 ? &all->pe->res->run : &all->other, &all->end[i]);
    spec_free(&copy);
    return rc;
}

static int final_or_case(void *context, size_t i)
{
    struct finals *all = context;

    return i < all->len ? run_final(all, i) : plan_try_case(&all->varied, i - all->len);
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

static int confirm(struct plan_end *pe, bool cases)
{
    const struct result_plan *plan = &pe->res->plan;
    const int beside = plan->larger_n >= 0 ? plan->larger_n : plan->smaller_n;
    struct finals all = {.pe = pe, .trial = {pe->shown, NULL}, .len = 1, .varied = {.pe = pe}};
    struct result *res = pe->res;
    int rc = 0;

    if (pe->chosen && beside >= 0) {
        all.trial[1] = plan_trial_of(pe, beside, &rc);
        if (!all.trial[1])
            return rc;
        all.len = 2;
    }
    result_run_init(&all.other);
    rc = des_pool_run(pe->jobs, all.len + (cases ? PLAN_CASES : 0), final_or_case, &all);
    for (size_t i = 0; i < 2; i++) {
        if (rc != 0 && pe->end->message[0] == '\0')
            *pe->end = all.end[i];
        res->partial |= all.end[i].partial;
        pe->end->partial |= all.end[i].partial;
    }
    rc = plan_keep_cases(&all.varied, rc);
    free(res->run.role);
    res->run.role = plan_copy_text("scenario");
    if (rc == 0 && !plan_stopped(pe->work))
        rc = plan_confirmed(pe);
    if (rc == 0)
        rc = note_final(res, pe->shown->n, res->run.summary.hot_server_ratio);
    if (rc == 0 && all.trial[1])
        rc = note_final(res, beside, all.other.summary.hot_server_ratio);
    result_run_free(&all.other);
    return rc == 0 && !res->run.role ? SIM_NO_MEMORY : rc;
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
    if (rc == 0)
        rc = confirm(pe, !opt->no_variations && !pe->work->runs && !plan_asks_query_times(pe->work->sp));
    return rc == 0 && plan_stopped(pe->work) ? plan_interrupted(pe) : rc;
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
    size_t candidates = 0;
    int rc = plan_keys_open(sp, PLAN_SAMPLE_ROWS, opt->jobs, &keys);

    *end = (struct sim_end){false, ""};
    plan_work_of(sp, &keys, control, &work);
    work.times |= opt->query_times;
    if (rc == 0)
        rc = try_candidates(&work, opt, &pe.set, &candidates, end);
    if (rc == 0)
        rc = fill_candidates(&work, &pe.set, candidates, res);
    if (rc == 0 && plan_stopped(&work))
        rc = plan_interrupted(&pe);
    else if (rc == 0 && opt->shards == 0)
        rc = conclude(&pe, opt);
    if (rc == SIM_BAD_SPEC && end->message[0] == '\0')
        snprintf(end->message, sizeof end->message, "a row's key can't be built: its salt's hash doesn't take these bytes");
    set_free(&pe.set);
    plan_keys_close(&keys);
    return rc;
}

/* ---- shards ---- */

static const struct result_candidate *find_candidate(const struct result *shards, size_t n, int wanted,
                                                     const struct result_plan **of)
{
    for (size_t s = 0; s < n; s++) {
        *of = &shards[s].plan;
        for (size_t i = 0; i < shards[s].plan.candidates_len; i++)
            if (shards[s].plan.candidates[i].n == wanted)
                return &shards[s].plan.candidates[i];
    }
    return NULL;
}

/* Whether the shard was made with other settings than those of |res|; says which. */
static bool other_setting(const struct result *shard, const struct result *res, char *message, size_t cap)
{
    const size_t len = shard->scenario_len < res->scenario_len ? shard->scenario_len : res->scenario_len;

    for (size_t i = 0; i < len; i++) {
        const struct result_setting *a = &shard->scenario[i], *b = &res->scenario[i];

        if (strcmp(a->section, b->section) == 0 && strcmp(a->key, b->key) == 0 && !a->text == !b->text &&
            (a->text ? strcmp(a->text, b->text) == 0 : a->number == b->number || (isnan(a->number) && isnan(b->number))))
            continue;
        snprintf(message, cap, "a shard was made with another [%s] %s: all need the same options", b->section, b->key);
        return true;
    }
    if (shard->scenario_len != res->scenario_len)
        snprintf(message, cap, "a shard was made with other settings: all need the same options");
    return shard->scenario_len != res->scenario_len;
}

/* Whether shard |s| is one of this plan's; if not, |end| says why. */
static bool joins(const struct result *shards, size_t s, const struct result *res, struct sim_end *end)
{
    const struct result *shard = &shards[s];

    if (!shard->plan.present)
        snprintf(end->message, sizeof end->message, "result %zu is no plan's: --merge joins what plan --shard I/N --json "
                 "or -o wrote", s + 1);
    else if (shard->seed != res->seed || !shard->base_name || !res->base_name || strcmp(shard->base_name, res->base_name) != 0)
        snprintf(end->message, sizeof end->message, "shard %zu is of another scenario or seed", s + 1);
    else if (shard->partial)
        snprintf(end->message, sizeof end->message, "shard %zu was interrupted: run it again", s + 1);
    else
        return !other_setting(shard, res, end->message, sizeof end->message);
    return false;
}

static int join(const struct spec *sp, const struct result *shards, size_t n, struct result *res, struct sim_end *end)
{
    struct result_plan *plan = &res->plan;

    for (size_t s = 0; s < n; s++)
        if (!joins(shards, s, res, end))
            return SIM_BAD_SPEC;
    plan->present = true;
    plan->candidates = calloc(sp->plan.candidates_len + 1, sizeof *plan->candidates);
    if (!plan->candidates)
        return SIM_NO_MEMORY;
    for (size_t i = 0; i < sp->plan.candidates_len; i++) {
        const struct result_plan *of = NULL;
        const struct result_candidate *from = find_candidate(shards, n, sp->plan.candidates[i], &of);
        struct result_candidate *to = &plan->candidates[plan->candidates_len];

        if (!from) {
            snprintf(end->message, sizeof end->message, "no shard has the candidate N = %d", sp->plan.candidates[i]);
            return SIM_BAD_SPEC;
        }
        *to = *from;
        to->why_not = from->why_not ? plan_copy_text(from->why_not) : NULL;
        plan->candidates_len++;
        if ((from->why_not && !to->why_not) || plan_copy_query_costs(of, from->n, plan) != 0)
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
    work.times |= res->plan.query_costs_len > 0;
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
