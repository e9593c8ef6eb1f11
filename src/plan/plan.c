/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "des/pool.h"

struct trial {
    struct spec spec;
    struct result_run run;
    int n;
    bool copied;
    struct sim_end end;
};

struct trials {
    struct trial *trial;
    size_t len;
    const struct sim_control *control;
};

/* Appends to a text of fixed room; what doesn't fit is cut. */
struct text {
    char bytes[1024];
    size_t len;
};

static void say(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(struct text *t, const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(t->bytes + t->len, sizeof t->bytes - t->len, fmt, ap);
    va_end(ap);
    if (n > 0)
        t->len = t->len + (size_t)n < sizeof t->bytes ? t->len + (size_t)n : sizeof t->bytes - 1;
}

static char *copy(const char *s)
{
    char *p = malloc(strlen(s) + 1);

    return p ? strcpy(p, s) : NULL;
}

static void name_n(struct text *t, int n)
{
    if (n == 0)
        say(t, "no salt");
    else
        say(t, "N = %d", n);
}

static int run_trial(void *context, size_t i)
{
    struct trials *all = context;
    struct trial *t = &all->trial[i];
    const struct sim_control quiet = {.stop = all->control ? all->control->stop : NULL};
    int rc = sim_run(&t->spec, &quiet, &t->run, &t->end);

    if (all->control && all->control->progress)
        all->control->progress(all->control->context, (double)(i + 1) / (double)all->len);
    return rc;
}

static struct result_figure figure(double v)
{
    return (struct result_figure){v, v, v};
}

/* Writes of the largest bucket: of the regions' writes, summed by bucket. */
static double hot_bucket_share(const struct result_run *run)
{
    double most = 0, total = 0, *sum;
    const int n = run->buckets;

    if (n < 1 || !(sum = calloc((size_t)n, sizeof *sum)))
        return NAN;
    for (size_t i = 0; i < run->regions_len; i++) {
        const struct result_region *r = &run->regions[i];

        if (r->table != 0 || r->bucket < 0 || r->bucket >= n)
            continue;
        sum[r->bucket] += r->writes;
        total += r->writes;
        most = fmax(most, sum[r->bucket]);
    }
    free(sum);
    return total > 0 ? most / total : (double)NAN;
}

/* Scans of the first query that is not a get: the price that N has. */
static double reference_scans(const struct result_run *run)
{
    for (size_t i = 0; i < run->queries_len; i++)
        if (strcmp(run->queries[i].kind, "get") != 0)
            return run->queries[i].scans;
    return NAN;
}

static void target_text(struct text *t, const struct spec_target *g)
{
    say(t, "%s %s %.6g", g->metric, g->at_most ? "<=" : ">=", g->bound);
}

/* Which targets the run misses, in words; empty when it meets them all. */
static void judge(const struct spec_plan *plan, const struct result_run *run, struct text *why)
{
    for (size_t i = 0; i < plan->targets_len; i++) {
        const struct spec_target *g = &plan->targets[i];
        double v;

        if (!plan_metric(&run->summary, g->metric, &v) || isnan(v)) {
            say(why, "%s%s has no value", why->len ? "; " : "", g->metric);
        } else if (g->at_most ? v > g->bound : v < g->bound) {
            say(why, "%s%s is %.4g, target %s %.6g", why->len ? "; " : "", g->metric, v,
                g->at_most ? "<=" : ">=", g->bound);
        }
    }
}

static int fill_candidate(const struct spec_plan *plan, const struct trial *t, struct result_candidate *c)
{
    const struct result_summary *s = &t->run.summary;
    struct text why = {"", 0};

    result_candidate_init(c);
    c->n = t->n;
    c->hot_server_ratio = figure(s->hot_server_ratio);
    c->max_write_rate_per_s = figure(s->max_write_rate_per_s);
    c->regions = figure(s->regions_end);
    c->scans = figure(reference_scans(&t->run));
    c->write_tails = figure(s->write_tails);
    c->servers_idle = figure(s->servers_idle);
    c->hot_bucket_share = figure(hot_bucket_share(&t->run));
    judge(plan, &t->run, &why);
    c->feasible = why.len == 0;
    if (!c->feasible && !(c->why_not = copy(why.bytes)))
        return SIM_NO_MEMORY;
    return 0;
}

static void name_idle_servers(struct text *t, const struct result_run *run)
{
    size_t named = 0;

    for (size_t s = 0; s < run->servers_len; s++) {
        if (run->servers[s].tails > 0)
            continue;
        say(t, "%s%s", named++ ? ", " : " (", run->servers[s].name);
        if (named == 8) {
            say(t, ", ...");
            break;
        }
    }
    if (named > 0)
        say(t, ")");
}

/* The next candidate that is better by more than a twentieth: what a larger N would buy. */
static const struct result_candidate *better(const struct result_plan *plan, const struct result_candidate *than)
{
    const struct result_candidate *best = NULL;

    for (size_t i = 0; i < plan->candidates_len; i++) {
        const struct result_candidate *c = &plan->candidates[i];

        if (c->n > than->n && c->feasible &&
            c->hot_server_ratio.mean < than->hot_server_ratio.mean - 0.05 && (!best || c->n < best->n))
            best = c;
    }
    return best;
}

static void explain_choice(struct text *t, const struct spec *sp, const struct result_plan *plan,
                           const struct result_candidate *c, const struct result_run *run)
{
    const struct result_candidate *more = better(plan, c);

    say(t, "the smallest candidate that meets ");
    for (size_t i = 0; i < sp->plan.targets_len; i++) {
        say(t, "%s", i ? " and " : "");
        target_text(t, &sp->plan.targets[i]);
    }
    say(t, ": hot server ratio %.2f", c->hot_server_ratio.mean);
    if (c->servers_idle.mean > 0) {
        say(t, " with %.0f of %zu servers without a write tail", c->servers_idle.mean, run->servers_len);
        name_idle_servers(t, run);
    }
    say(t, ", full at %.3g k rows/s.", c->max_write_rate_per_s.mean / 1000);
    if (!more)
        return;
    say(t, " N = %d would bring %.2f and %.3g k rows/s", more->n, more->hot_server_ratio.mean,
        more->max_write_rate_per_s.mean / 1000);
    if (!isnan(more->scans.mean) && !isnan(c->scans.mean))
        say(t, ", for %.0f scans a range read instead of %.0f", more->scans.mean, c->scans.mean);
    say(t, ".");
}

/* Nothing is feasible: which target stands in the way, how near the best comes, and what could change. */
static void explain_refusal(struct text *t, const struct spec *sp, const struct result_plan *plan)
{
    const struct result_candidate *best = NULL;

    for (size_t i = 0; i < plan->candidates_len; i++)
        if (!best || plan->candidates[i].hot_server_ratio.mean < best->hot_server_ratio.mean)
            best = &plan->candidates[i];
    say(t, "no candidate meets all targets");
    if (best) {
        say(t, "; the most even one, ");
        name_n(t, best->n);
        say(t, ", gives a hot server ratio of %.2f (%s)", best->hot_server_ratio.mean,
            best->why_not ? best->why_not : "");
    }
    say(t, ". Offer larger candidates or multiples of the %d servers, salt over a field that varies more, "
           "or relax the target.", sp->cluster.servers);
}

static int decide(const struct spec *sp, struct trials *all, struct result *res)
{
    struct result_plan *plan = &res->plan;
    const struct result_candidate *chosen = NULL;
    struct text reason = {"", 0}, targets = {"", 0};
    size_t at = 0;

    for (size_t i = 0; i < plan->candidates_len; i++) {
        if (plan->candidates[i].feasible && (!chosen || plan->candidates[i].n < chosen->n)) {
            chosen = &plan->candidates[i];
            at = i;
        }
    }
    for (size_t i = 0; i < sp->plan.targets_len; i++) {
        say(&targets, "%s", i ? ", " : "");
        target_text(&targets, &sp->plan.targets[i]);
    }
    plan->recommended_n = chosen ? chosen->n : -1;
    if (chosen)
        explain_choice(&reason, sp, plan, chosen, &all->trial[at].run);
    else
        explain_refusal(&reason, sp, plan);
    plan->reason = copy(reason.bytes);
    plan->targets = copy(targets.bytes);
    if (!plan->reason || !plan->targets)
        return SIM_NO_MEMORY;
    for (size_t i = 0; !chosen && i < all->len; i++)
        for (size_t t = 0; t < sp->tables_len; t++)
            if (sp->tables[t].buckets == all->trial[i].n)
                at = i;
    res->run = all->trial[at].run;
    result_run_init(&all->trial[at].run);
    res->run.role = copy("scenario");
    return res->run.role ? 0 : SIM_NO_MEMORY;
}

static int plan_trials(const struct spec *sp, struct trials *all)
{
    all->len = sp->plan.candidates_len;
    all->trial = calloc(all->len, sizeof *all->trial);
    if (!all->trial)
        return SIM_NO_MEMORY;
    for (size_t i = 0; i < all->len; i++) {
        struct trial *t = &all->trial[i];

        result_run_init(&t->run);
        if (spec_copy(sp, &t->spec) != 0)
            return SIM_NO_MEMORY;
        t->copied = true;
        t->n = sp->plan.candidates[i];
        spec_set_buckets(&t->spec, t->n);
    }
    return 0;
}

int plan_run(const struct spec *sp, unsigned jobs, const struct sim_control *control, struct result *res,
             struct sim_end *end)
{
    struct trials all = {NULL, 0, control};
    int rc = plan_trials(sp, &all);

    *end = (struct sim_end){false, ""};
    if (rc == 0)
        rc = des_pool_run(jobs, all.len, run_trial, &all);
    if (rc == 0) {
        res->plan.present = true;
        res->plan.candidates = calloc(all.len, sizeof *res->plan.candidates);
        if (!res->plan.candidates)
            rc = SIM_NO_MEMORY;
    }
    for (size_t i = 0; rc == 0 && i < all.len; i++) {
        rc = fill_candidate(&sp->plan, &all.trial[i], &res->plan.candidates[i]);
        res->plan.candidates_len++;
        res->partial |= all.trial[i].end.partial;
    }
    if (rc == 0)
        rc = decide(sp, &all, res);
    for (size_t i = 0; i < all.len; i++) {
        if (rc != 0 && end->message[0] == '\0')
            *end = all.trial[i].end;
        result_run_free(&all.trial[i].run);
        if (all.trial[i].copied)
            spec_free(&all.trial[i].spec);
    }
    free(all.trial);
    return rc;
}
