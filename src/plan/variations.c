/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What would change the answer: the plan again with one thing otherwise, by placements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "des/pool.h"
#include "plan/conclude.h"

#define VARIED_SAMPLE 250000
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
} cases[] = {
    {"rate x2", rate_twice},          {"rate x0.5", rate_half},
    {"row bytes x2", row_twice},      {"one server lost", server_lost},
    {"zipf 0.99 instead of uniform", zipf}, {"scan budget halved", scans_half},
    {"service time +50 %", service_longer}, {"service time -50 %", service_shorter},
};

#define CASES (sizeof cases / sizeof cases[0])

struct varied {
    const struct plan_end *pe;
    struct result_variation found[CASES];
    bool made[CASES];
};

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
            }
            free(cand.why_not);
        }
        plan_trial_free(&trial);
    }
    var->recommended_n = best;
    return rc;
}

static int try_case(void *context, size_t i)
{
    struct varied *all = context;
    const struct plan_end *pe = all->pe;
    struct result_variation *var = &all->found[i];
    struct plan_keys keys;
    struct plan_work work;
    struct plan_text t = {"", 0};
    struct spec sp;
    int rc;

    *var = (struct result_variation){.recommended_n = -1, .hot_server_ratio = NAN, .margin = NAN};
    if (spec_copy(pe->work->sp, &sp) != 0)
        return SIM_NO_MEMORY;
    if (!cases[i].vary(&sp)) {
        spec_free(&sp);
        return 0;
    }
    rc = plan_keys_open(&sp, VARIED_SAMPLE, 1, &keys);
    if (rc == 0) {
        plan_work_of(&sp, &keys, pe->work->control, &work);
        rc = judge_all(&work, &pe->res->plan, pe->res->plan.recommended_n >= 0 ? pe->res->plan.recommended_n : pe->shown->n,
                       var);
    }
    plan_keys_close(&keys);
    spec_free(&sp);
    if (rc != 0)
        return rc;
    if (var->recommended_n < 0)
        plan_say(&t, "no candidate meets the targets then");
    else if (var->recommended_n == pe->res->plan.recommended_n)
        plan_say(&t, "the same answer");
    else
        plan_say_n(&t, var->recommended_n);
    var->name = plan_copy_text(cases[i].name);
    var->text = plan_copy_text(t.bytes);
    all->made[i] = true;
    return var->name && var->text ? 0 : SIM_NO_MEMORY;
}

int plan_variations(struct plan_end *pe)
{
    struct varied all = {.pe = pe};
    struct result_plan *plan = &pe->res->plan;
    int rc = des_pool_run(pe->jobs, CASES, try_case, &all);

    plan->variations = calloc(CASES, sizeof *plan->variations);
    for (size_t i = 0; i < CASES; i++) {
        if (rc == 0 && plan->variations && all.made[i]) {
            plan->variations[plan->variations_len++] = all.found[i];
        } else {
            free(all.found[i].name);
            free(all.found[i].text);
        }
    }
    return rc == 0 && !plan->variations ? SIM_NO_MEMORY : rc;
}
