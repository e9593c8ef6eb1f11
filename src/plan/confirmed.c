/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run of the recommended N says against it, and the gates that stop it: into the verdict's sentence and
   among the warnings. The placements know writes alone; the run has queries, splits and moves too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/conclude.h"
#include "result/format.h"

#define HEAVY 0.5                     /* of its busiest server: what such a query asks for is worth a word */

static int say_shortfall(struct result *res, struct plan_text *but)
{
    const struct result_summary *sum = &res->run.summary;
    const struct result_query *query = result_most_asked(&res->run);
    struct plan_text t = {"", 0};
    char done[FORMAT_CAP], offered[FORMAT_CAP], share[FORMAT_CAP];

    plan_say(&t, "its own run does not carry the load: %s of %s rows are done (%s)", format_count(sum->writes_done, done),
             format_count(sum->writes_offered, offered), format_percent(sum->writes_done / sum->writes_offered, share));
    if (query && query->server_share >= HEAVY)
        plan_say(&t, "; query %s alone asks for %.0f %% of its busiest server", query->name, 100 * query->server_share);
    plan_say(but, "%s%s", but->len ? "; " : "", t.bytes);
    return result_add_diagnostic(res, "warning", "W-SATURATED", "N = %d: %s", res->plan.recommended_n, t.bytes);
}

/* The run's one value against the target; false where it meets it, lies on it or doesn't know it. */
static bool misses(const struct plan_end *pe, const struct spec_target *g, double *value)
{
    const struct result_run *run = &pe->res->run;

    if (plan_target_waived(pe->work, pe->shown, g) ||
        !(strchr(g->metric, '.') ? result_query_figure(run, g->metric, value) : plan_metric(&run->summary, g->metric, value)) ||
        !isfinite(*value))
        return false;
    return plan_stands(g, &(struct result_figure){*value, *value, *value}) == PLAN_MISSED;
}

static int say_misses(struct plan_end *pe, const struct spec_target *g, struct plan_text *but)
{
    struct plan_text t = {"", 0};
    double value;

    if (!misses(pe, g, &value))
        return 0;
    plan_say(&t, "its own run misses the target: %s is ", g->metric);
    plan_say_value(&t, g->metric, value);
    plan_say(&t, ", target %s ", g->at_most ? "<=" : ">=");
    plan_say_value(&t, g->metric, g->bound);
    plan_say(but, "%s%s", but->len ? "; " : "", t.bytes);
    return result_add_diagnostic(pe->res, "warning", "W-UNCONFIRMED", "N = %d: %s", pe->res->plan.recommended_n, t.bytes);
}

static void say_stops(const struct result_plan *plan, struct plan_text *but)
{
    for (size_t i = 0; i < plan->gates_len; i++)
        if (strcmp(plan->gates[i].level, "stop") == 0)
            plan_say(but, "%sgate %s: %s", but->len ? "; " : "", plan->gates[i].id, plan->gates[i].text);
}

/* A run that is shorter than the scenario says what it leaves out. */
static int say_shortened(struct plan_end *pe)
{
    const double run_s = pe->res->run.duration_s, all_s = (double)pe->work->sp->duration_ns / 1e9;
    const struct spec *sp = pe->work->sp;
    const bool events = sp->events_len > 0, cut = run_s < all_s;
    const bool by_shares = sp->detail == SPEC_DETAIL_AUTO && strcmp(pe->res->run.detail, "flow") == 0;
    char run[FORMAT_CAP], all[FORMAT_CAP], n[FORMAT_CAP] = "none";
    struct plan_text t = {"", 0};

    if (pe->shown->n > 0)
        snprintf(n, sizeof n, "%d", pe->shown->n);
    if (events && by_shares)
        plan_say(&t, "goes by shares (flow)%s", cut ? " and " : "");
    if (cut)
        plan_say(&t, "is %s of %s", format_time(run_s, run), format_time(all_s, all));
    if (t.len == 0)
        return 0;
    plan_say(&t, ", to spare time: %s; sim --buckets %s %s",
             !events ? "later splits, moves and curves are not in it"
             : cut   ? "all events are in it, later splits and moves are not" : "all events are in it",
             n, cut ? "runs it whole" : "--detail tick counts each row");
    return result_add_diagnostic(pe->res, "note", "N-SHORTENED", "the run of N = %s %s", n, t.bytes);
}

int plan_confirmed(struct plan_end *pe)
{
    struct result_plan *plan = &pe->res->plan;
    const struct spec *sp = pe->work->sp;
    struct plan_text but = {"", 0}, all = {"", 0};
    bool carries = true, meets;
    int rc = 0;

    if (plan->recommended_n < 0)
        return say_shortened(pe) == 0 ? 0 : SIM_NO_MEMORY;
    if (pe->res->run.summary.writes_done > 0 && !result_keeps_up(&pe->res->run)) {
        carries = false;
        rc = say_shortfall(pe->res, &but);
    }
    for (size_t i = 0; i < sp->plan.targets_len && rc == 0; i++)
        rc = say_misses(pe, &sp->plan.targets[i], &but);
    if (rc == 0)
        rc = say_shortened(pe);
    meets = but.len == 0;
    say_stops(plan, &but);
    if (rc != 0 || but.len == 0)
        return rc == 0 ? 0 : SIM_NO_MEMORY;
    if (!meets && strcmp(plan->answer, "salt") == 0)
        plan_say_choice(&all, pe, carries ? PLAN_PLACED : PLAN_SHORT);
    else
        plan_say(&all, "%s", plan->reason);
    plan_say(&all, " But: %s.", but.bytes);
    free(plan->reason);
    plan->reason = plan_copy_text(all.bytes);
    return plan->reason ? 0 : SIM_NO_MEMORY;
}
