/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What would change the answer: the plan again with one thing otherwise, by placements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/conclude.h"

#define VARIED_SAMPLE 250000          /* where other keys come: as the popularity changes */
#define ZIPF_EXPONENT 0.99

/* Changes a copy of the scenario; false where the case makes no sense for it. */
typedef bool vary(struct spec *sp);

static void scale_rate(struct spec *sp, double factor)
{
    for (size_t i = 0; i < sp->streams_len; i++) {
        sp->streams[i].rate_per_s *= factor;
        sp->streams[i].every_ns = (int64_t)((double)sp->streams[i].every_ns / factor);
    }
}

static bool rate_twice(struct spec *sp)
{
    scale_rate(sp, 2);
    return true;
}

static bool rate_half(struct spec *sp)
{
    scale_rate(sp, 0.5);
    return true;
}

/* A row of twice the bytes: service time is taken as half fixed, half by the byte. */
static bool row_twice(struct spec *sp)
{
    for (size_t t = 0; t < sp->tables_len; t++)
        for (size_t f = 0; f < sp->tables[t].families_len; f++)
            for (size_t c = 0; c < sp->tables[t].families[f].columns_len; c++)
                sp->tables[t].families[f].columns[c].value_bytes *= 2;
    sp->server.write_capacity_per_s /= 1.5;
    return true;
}

static bool server_lost(struct spec *sp)
{
    struct spec_growth *g = &sp->plan.growth;

    for (size_t i = 0; i < g->servers_len; i++)
        if (g->servers[i] < 2)
            return false;
    for (size_t i = 0; i < g->servers_len; i++)
        g->servers[i]--;
    return --sp->cluster.servers > 0;
}

static bool zipf(struct spec *sp)
{
    bool changed = false;

    for (size_t i = 0; i < sp->streams_len; i++) {
        if (sp->streams[i].keys_file || sp->streams[i].popularity != SPEC_POPULARITY_UNIFORM)
            continue;
        sp->streams[i].popularity = SPEC_POPULARITY_ZIPF;
        sp->streams[i].zipf_exponent = ZIPF_EXPONENT;
        changed = true;
    }
    return changed;
}

static bool scans_half(struct spec *sp)
{
    bool changed = false;

    for (size_t i = 0; i < sp->plan.targets_len; i++) {
        if (!strchr(sp->plan.targets[i].metric, '.') || !sp->plan.targets[i].at_most)
            continue;
        sp->plan.targets[i].bound /= 2;
        changed = true;
    }
    return changed;
}

/* Nothing of the scenario: the placements differ. */
static bool as_it_is(struct spec *sp)
{
    (void)sp;
    return true;
}

static bool service_longer(struct spec *sp)
{
    sp->server.write_capacity_per_s /= 1.5;
    return true;
}

static bool service_shorter(struct spec *sp)
{
    sp->server.write_capacity_per_s /= 0.5;
    return true;
}

static const struct {
    const char *name;
    vary *vary;
    bool other_keys, by_load;
} cases[] = {
    {"rate x2", rate_twice, false, false},
    {"rate x0.5", rate_half, false, false},
    {"row bytes x2", row_twice, false, false},
    {"one server lost", server_lost, false, false},
    {"zipf 0.99 instead of uniform", zipf, true, false},
    {"scan budget halved", scans_half, false, false},
    {"balancer by write load", as_it_is, false, true},
    {"service time +50 %", service_longer, false, false},
    {"service time -50 %", service_shorter, false, false},
};

_Static_assert(sizeof cases / sizeof cases[0] == PLAN_CASES, "a row for each case");

static int judge_all(const struct plan_work *work, const struct result_plan *plan, int shown, struct result_variation *var)
{
    int rc = 0, best = -1;

    for (size_t i = 0; i < plan->candidates_len && rc == 0; i++) {
        struct plan_trial trial;
        struct result_candidate cand;

        rc = plan_try(work, plan->candidates[i].n, &trial);
        if (rc == 0)
            rc = plan_fill_candidate(work, &trial, &cand);
        if (rc == 0) {
            if (cand.feasible && (best < 0 || cand.n < best))
                best = cand.n;
            if (cand.n == shown) {
                var->hot_server_ratio = cand.hot_server_ratio.mean;
                var->margin = cand.margin;
                var->headroom = cand.max_write_rate_per_s.mean / work->demand_per_s - 1;
            }
            free(cand.why_not);
        }
        plan_trial_free(&trial);
    }
    var->recommended_n = best;
    return rc;
}

/* What queries open is asked only where a target hangs on it, and no more of it than that target needs. */
static void probes_for(const struct spec *sp, struct plan_work *work)
{
    work->probes = false;
    work->probe_counts = true;
    for (size_t i = 0; i < sp->plan.targets_len; i++) {
        const char *dot = strrchr(sp->plan.targets[i].metric, '.');

        work->probes |= dot != NULL;
        work->probe_counts &= !dot || strcmp(dot, ".scans") == 0 || strcmp(dot, ".regions") == 0;
    }
}

/* The case's plan; it shares the keys that were counted where the case leaves them as they are. */
static int judge_case(const struct plan_end *pe, size_t i, const struct spec *sp, struct result_variation *var)
{
    struct plan_keys own, shared = *pe->work->keys;
    const struct plan_keys *keys = &shared;
    struct plan_work work;
    int rc = 0;

    shared.spec = sp;
    if (cases[i].other_keys) {
        rc = plan_keys_open(sp, VARIED_SAMPLE, 1, &own);
        keys = &own;
    }
    if (rc == 0) {
        plan_work_of(sp, keys, pe->work->control, &work);
        work.by_load = cases[i].by_load;
        probes_for(sp, &work);
        rc = judge_all(&work, &pe->res->plan, pe->shown->n, var);
    }
    if (cases[i].other_keys)
        plan_keys_close(&own);
    return rc;
}

int plan_try_case(struct plan_varied *all, size_t i)
{
    const struct plan_end *pe = all->pe;
    struct result_variation *var = &all->found[i];
    struct plan_text t = {"", 0};
    struct spec sp;
    int rc = 0;

    *var = (struct result_variation){.recommended_n = -1, .hot_server_ratio = NAN, .margin = NAN, .headroom = NAN};
    if (plan_stopped(pe->work))
        return 0;
    if (spec_copy(pe->work->sp, &sp) != 0)
        return SIM_NO_MEMORY;
    all->made[i] = cases[i].vary(&sp);
    if (all->made[i])
        rc = judge_case(pe, i, &sp, var);
    spec_free(&sp);
    if (!all->made[i] || rc != 0)
        return rc;
    if (var->recommended_n < 0)
        plan_say(&t, "no candidate meets the targets then");
    else if (var->recommended_n == pe->res->plan.recommended_n)
        plan_say(&t, "the same answer");
    else
        plan_say_n(&t, var->recommended_n);
    var->name = plan_copy_text(cases[i].name);
    var->text = plan_copy_text(t.bytes);
    return var->name && var->text ? 0 : SIM_NO_MEMORY;
}

int plan_keep_cases(struct plan_varied *all, int rc)
{
    struct result_plan *plan = &all->pe->res->plan;

    if (rc == 0)
        plan->variations = calloc(PLAN_CASES, sizeof *plan->variations);
    for (size_t i = 0; i < PLAN_CASES; i++) {
        if (plan->variations && all->made[i] && !plan_stopped(all->pe->work)) {
            plan->variations[plan->variations_len++] = all->found[i];
        } else {
            free(all->found[i].name);
            free(all->found[i].text);
        }
    }
    return rc == 0 && !plan->variations ? SIM_NO_MEMORY : rc;
}
