/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which N, why not its neighbours, and what a growing load breaks first. */
#include <math.h>
#include <stdlib.h>

#include "plan/conclude.h"

const struct result_candidate *plan_smallest(const struct result_candidate *cand, size_t len)
{
    const struct result_candidate *best = NULL;

    for (size_t i = 0; i < len; i++)
        if (cand[i].feasible && (!best || cand[i].n < best->n))
            best = &cand[i];
    return best;
}

/* The candidate next to |n|, below or above. */
static const struct result_candidate *neighbour(const struct result_plan *plan, int n, bool above, bool feasible)
{
    const struct result_candidate *best = NULL;

    for (size_t i = 0; i < plan->candidates_len; i++) {
        const struct result_candidate *c = &plan->candidates[i];

        if ((above ? c->n <= n : c->n >= n) || (feasible && !c->feasible))
            continue;
        if (!best || (above ? c->n < best->n : c->n > best->n))
            best = c;
    }
    return best;
}

static void target_text(struct plan_text *t, const struct spec_target *g)
{
    plan_say(t, "%s %s ", g->metric, g->at_most ? "<=" : ">=");
    plan_say_value(t, g->metric, g->bound);
}

static void say_targets(struct plan_text *t, const struct spec *sp, const char *between)
{
    for (size_t i = 0; i < sp->plan.targets_len; i++) {
        plan_say(t, "%s", i ? between : "");
        target_text(t, &sp->plan.targets[i]);
    }
}

static void say_rate(struct plan_text *t, double per_s)
{
    plan_say_value(t, "max_write_rate_per_s", per_s);
}

/* The next candidate that is more even by a twentieth: what a larger N would buy. */
static const struct result_candidate *more_even(const struct result_plan *plan, const struct result_candidate *than)
{
    const struct result_candidate *best = NULL;

    for (size_t i = 0; i < plan->candidates_len; i++) {
        const struct result_candidate *c = &plan->candidates[i];

        if (c->n > than->n && c->feasible && c->hot_server_ratio.mean < than->hot_server_ratio.mean - 0.05 &&
            (!best || c->n < best->n))
            best = c;
    }
    return best;
}

void plan_say_choice(struct plan_text *t, const struct plan_end *pe, enum plan_confirmation by)
{
    const struct result_candidate *c = pe->chosen;
    const struct spec *sp = pe->work->sp;
    const struct result_candidate *more = more_even(&pe->res->plan, c);

    plan_say(t, "the smallest candidate %s ", by == PLAN_CHOSEN ? "that meets" : "whose placements meet");
    say_targets(t, sp, " and ");
    if (sp->plan.targets_len > 0)
        plan_say(t, " and ");
    plan_say(t, "%s%s", by == PLAN_CHOSEN ? "carries the load" : by == PLAN_PLACED ? "carry the load" : "have room for the writes alone",
             pe->work->growth.points > 1 ? " to the end of the growth" : "");
    if (sp->plan.headroom > 0)
        plan_say(t, " with %.3g %% headroom", 100 * sp->plan.headroom);
    plan_say(t, ": hot server ratio %.2f", c->hot_server_ratio.mean);
    if (c->servers_idle.mean > 0)
        plan_say(t, " with %.3g of %d servers without a write tail", c->servers_idle.mean, sp->cluster.servers);
    plan_say(t, ", full at ");
    say_rate(t, c->max_write_rate_per_s.mean);
    plan_say(t, ".");
    if (!more)
        return;
    plan_say(t, " N = %d would bring %.2f and ", more->n, more->hot_server_ratio.mean);
    say_rate(t, more->max_write_rate_per_s.mean);
    if (!isnan(more->scans.mean) && !isnan(c->scans.mean))
        plan_say(t, ", for %.0f scans a query instead of %.0f", more->scans.mean, c->scans.mean);
    plan_say(t, ".");
}

static int put(char **to, const struct plan_text *t)
{
    free(*to);
    *to = plan_copy_text(t->bytes);
    return *to ? 0 : SIM_NO_MEMORY;
}

static int say_neighbours(struct plan_end *pe, const struct result_candidate *c)
{
    struct result_plan *plan = &pe->res->plan;
    const struct result_candidate *below = neighbour(plan, c->n, false, false);
    const struct result_candidate *above = neighbour(plan, c->n, true, true);
    struct plan_text t = {"", 0};
    int rc = 0;

    if (below) {
        plan->smaller_n = below->n;
        plan_say(&t, "%s", below->why_not ? below->why_not : "");
        rc = put(&plan->smaller_why, &t);
    }
    if (!above)
        above = neighbour(plan, c->n, true, false);
    if (!above || rc != 0)
        return rc;
    t = (struct plan_text){"", 0};
    plan->larger_n = above->n;
    if (!above->feasible) {
        plan_say(&t, "%s", above->why_not ? above->why_not : "");
        return put(&plan->larger_why, &t);
    }
    plan_say(&t, "meets the targets too (hot server ratio %.2f, full at ", above->hot_server_ratio.mean);
    say_rate(&t, above->max_write_rate_per_s.mean);
    if (above->regions.mean > c->regions.mean)
        plan_say(&t, ") and loses for its price:");
    else
        plan_say(&t, ") and loses for bringing nothing");
    if (!isnan(above->scans.mean) && !isnan(c->scans.mean) && above->scans.mean > c->scans.mean)
        plan_say(&t, " %.0f scans a query instead of %.0f,", above->scans.mean, c->scans.mean);
    if (above->regions.mean > c->regions.mean)
        plan_say(&t, " %.0f regions instead of %.0f", above->regions.mean, c->regions.mean);
    return put(&plan->larger_why, &t);
}

static bool has_peak(const struct spec *sp)
{
    for (size_t i = 0; i < sp->streams_len; i++)
        if (spec_stream_peak(&sp->streams[i]) > 1)
            return true;
    return false;
}

/* The load that a growing stream breaks the plan with: the demand's own target, for evenness doesn't
   hang on the rate. */
static int say_first_break(struct plan_end *pe)
{
    const struct plan_work *work = pe->work;
    const struct plan_point *last = &work->growth.point[work->growth.points - 1];
    struct result_plan *plan = &pe->res->plan;
    struct plan_text t = {"", 0};
    struct result_figure fig;

    if (!plan_figure(pe->shown, "max_write_rate_per_s", last->size, &fig))
        return 0;
    plan->breaks_at_per_s = fig.mean / (1 + work->sp->plan.headroom);
    plan_say(&t, "max_write_rate_per_s: the hottest of %d servers is full at ", last->servers);
    say_rate(&t, fig.mean);
    if (work->sp->plan.headroom > 0) {
        plan_say(&t, ", with %.3g %% headroom that is a load of ", 100 * work->sp->plan.headroom);
        say_rate(&t, plan->breaks_at_per_s);
    }
    plan_say(&t, ", %.3g times that of the start%s", plan->breaks_at_per_s / work->demand_per_s,
             has_peak(work->sp) ? " at its peak" : "");
    return put(&plan->breaks_first, &t);
}

int plan_rule_of_thumb_n(const struct spec *sp)
{
    int n = 1;

    while (n < sp->cluster.servers && n < 256)
        n *= 2;
    return n;
}

/* The rule that is told most. */
static int say_rule_of_thumb(struct plan_end *pe)
{
    const int servers = pe->work->sp->cluster.servers, n = plan_rule_of_thumb_n(pe->work->sp);
    struct plan_text t = {"", 0};
    struct result_figure fig;
    const struct plan_trial *trial;
    int rc = 0;

    trial = plan_trial_of(pe, n, &rc);
    if (!trial)
        return rc;
    plan_say(&t, "one to two times the %d servers, rounded to a power of two, gives N = %d", servers, n);
    if (plan_figure(trial, "hot_server_ratio", 0, &fig))
        plan_say(&t, ": hot server ratio %.2f", fig.mean);
    return put(&pe->res->plan.rule_of_thumb, &t);
}

static int say_even(struct plan_end *pe)
{
    struct result_plan *plan = &pe->res->plan;
    const struct plan_growth *g = &pe->work->growth;
    const struct spec_growth *named = &pe->work->sp->plan.growth;
    struct plan_text t = {"", 0};
    const struct plan_trial *trial;
    struct result_figure first, last;
    int rc = 0;

    plan->even_n = plan_even_n(pe->work->sp);
    if (plan->even_n < 0) {
        plan_say(&t, "no N up to 256 is a multiple of every number of servers that the growth names");
        return put(&plan->even_text, &t);
    }
    trial = plan_trial_of(pe, plan->even_n, &rc);
    if (!trial)
        return rc;
    plan_figure(trial, "hot_server_ratio", 0, &first);
    plan_say(&t, "N = %d is flat at %d", plan->even_n, pe->work->sp->cluster.servers);
    for (size_t i = 1; i < named->servers_len; i++)
        plan_say(&t, "%s%d", i + 1 == named->servers_len ? " and " : ", ", named->servers[i]);
    plan_say(&t, " servers (hot server ratio %.2f", first.mean);
    if (g->points > 1 && plan_figure(trial, "hot_server_ratio", g->point[g->points - 1].size, &last))
        plan_say(&t, " and %.2f", last.mean);
    plan_say(&t, ")");
    if (trial->probe.queries_len > 0 && pe->chosen && !isnan(pe->chosen->scans.mean) && plan->even_n != pe->chosen->n) {
        plan_say(&t, " and costs %d scans a query; ", plan->even_n);
        plan_say_n(&t, pe->chosen->n);
        plan_say(&t, " meets the targets with %.0f", pe->chosen->scans.mean);
    }
    return put(&plan->even_text, &t);
}

/* Nothing is feasible: which target stands in the way, how near the best comes, and what could change. */
static void say_refusal(struct plan_text *t, const struct plan_end *pe)
{
    const struct result_plan *plan = &pe->res->plan;
    const struct result_candidate *best = NULL;

    for (size_t i = 0; i < plan->candidates_len; i++) {
        const struct result_candidate *c = &plan->candidates[i];

        if (!best || c->margin > best->margin ||
            (c->margin == best->margin && c->hot_server_ratio.mean < best->hot_server_ratio.mean))
            best = c;
    }
    plan_say(t, "no candidate meets all targets");
    if (best) {
        plan_say(t, "; the nearest one, ");
        plan_say_n(t, best->n);
        plan_say(t, ", has a hot server ratio of %.2f (%s)", best->hot_server_ratio.mean,
                 best->why_not ? best->why_not : "");
    }
    plan_say(t, ". Offer larger candidates or multiples of the %d servers, salt over a field that varies more, "
             "or relax the target.", pe->work->sp->cluster.servers);
}

int plan_verdict(struct plan_end *pe)
{
    struct result_plan *plan = &pe->res->plan;
    struct plan_text reason = {"", 0}, targets = {"", 0}, answer = {"", 0};
    int rc;

    plan->recommended_n = pe->chosen ? pe->chosen->n : -1;
    plan->demand_per_s = pe->work->demand_per_s;
    plan->headroom = pe->work->sp->plan.headroom;
    plan->floor_per_s = pe->work->floor_per_s;
    say_targets(&targets, pe->work->sp, ", ");
    if (pe->chosen)
        plan_say_choice(&reason, pe, PLAN_CHOSEN);
    else
        say_refusal(&reason, pe);
    plan_say(&answer, "%s", !pe->chosen ? "none-feasible" : pe->chosen->n > 0 ? "salt" : "no-salt");
    rc = put(&plan->reason, &reason);
    if (rc == 0)
        rc = put(&plan->targets, &targets);
    if (rc == 0)
        rc = put(&plan->answer, &answer);
    if (rc == 0 && pe->chosen)
        rc = say_neighbours(pe, pe->chosen);
    if (rc == 0 && pe->chosen)
        rc = say_first_break(pe);
    if (rc == 0)
        rc = say_rule_of_thumb(pe);
    return rc == 0 ? say_even(pe) : rc;
}

int plan_interrupted(struct plan_end *pe)
{
    struct result_plan *plan = &pe->res->plan;
    struct plan_text reason = {"", 0}, answer = {"not-decided", sizeof "not-decided" - 1};
    const struct result_candidate *so_far = plan_smallest(plan->candidates, plan->candidates_len);
    size_t decided = 0;
    int rc;

    for (size_t i = 0; i < plan->candidates_len; i++)
        decided += plan->candidates[i].feasible || !plan->candidates[i].undecided;
    plan_say(&reason, "not decided: interrupted. %zu of %zu candidates were judged", decided, plan->candidates_len);
    if (so_far) {
        plan_say(&reason, "; of these ");
        plan_say_n(&reason, so_far->n);
        plan_say(&reason, " is the smallest that meets the targets, and no run has confirmed it");
    }
    plan_say(&reason, ".");
    plan->recommended_n = plan->smaller_n = plan->larger_n = -1;
    pe->res->partial = pe->end->partial = true;
    rc = put(&plan->reason, &reason);
    return rc == 0 ? put(&plan->answer, &answer) : rc;
}

static struct result_stage *add_stage(struct result_plan *plan)
{
    struct result_stage *all = realloc(plan->stages, (plan->stages_len + 1) * sizeof *all);

    if (!all)
        return NULL;
    plan->stages = all;
    return &all[plan->stages_len++];
}

static bool meets_at(const struct plan_work *work, const struct plan_trial *trial, const struct plan_point *at)
{
    const struct spec_target demand = plan_demand_target(work, at);
    struct result_figure fig;

    for (size_t i = 0; i < work->sp->plan.targets_len; i++) {
        const struct spec_target *g = &work->sp->plan.targets[i];

        if (!plan_target_waived(work, trial, g) &&
            (!plan_figure(trial, g->metric, at->size, &fig) || plan_stands(g, &fig) != PLAN_MET))
            return false;
    }
    return plan_figure(trial, demand.metric, at->size, &fig) && plan_stands(&demand, &fig) == PLAN_MET;
}

/* One N over the months: every point where servers are added, and the two ends. */
static int stages_of(struct plan_end *pe, const struct plan_trial *trial)
{
    const struct plan_growth *g = &pe->work->growth;

    for (size_t i = 0; i < g->points; i++) {
        const struct plan_point *at = &g->point[i];
        struct result_figure ratio = {NAN, NAN, NAN}, rate = {NAN, NAN, NAN};
        struct result_stage *st;

        if (i > 0 && i + 1 < g->points && at->servers == g->point[i - 1].servers && i % 6 != 0)
            continue;
        st = add_stage(&pe->res->plan);
        if (!st)
            return SIM_NO_MEMORY;
        plan_figure(trial, "hot_server_ratio", at->size, &ratio);
        plan_figure(trial, "max_write_rate_per_s", at->size, &rate);
        *st = (struct result_stage){trial->n, at->at_s, at->servers, pe->work->demand_per_s * at->rate_factor,
                                    ratio.mean, rate.mean, 0, meets_at(pe->work, trial, at)};
        st->headroom = st->max_write_rate_per_s / st->rate_per_s - 1;
    }
    return 0;
}

int plan_stages(struct plan_end *pe)
{
    const struct result_plan *plan = &pe->res->plan;
    const int wanted[] = {pe->shown->n, plan->smaller_n, plan->larger_n, plan->even_n};
    int rc = 0;

    if (pe->work->growth.points < 2)
        return 0;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && rc == 0; i++) {
        bool before = wanted[i] < 0;
        const struct plan_trial *trial;

        for (size_t k = 0; k < i; k++)
            before |= wanted[k] == wanted[i];
        if (before)
            continue;
        trial = plan_trial_of(pe, wanted[i], &rc);
        if (trial)
            rc = stages_of(pe, trial);
    }
    return rc;
}
