/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/spread.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Steps that the note lists; the rest is in the events. */
#define STEPS_MOST 4
/* A ratio that has changed by less than this share is the same. */
#define SAME 0.1

static bool is(const struct result_event *e, const char *kind)
{
    return strcmp(e->kind, kind) == 0;
}

static double input(const struct result_event *e, const char *name)
{
    for (size_t i = 0; i < RESULT_INPUTS && e->inputs[i].name; i++)
        if (strcmp(e->inputs[i].name, name) == 0)
            return e->inputs[i].value;
    return (double)NAN;
}

/* A split, or a run of the balancer that moves something. */
static bool spreads(const struct result_event *e)
{
    return is(e, "split") || (is(e, "balancer") && input(e, "moves_planned") > 0);
}

/* Ratio of the first window that begins at |at_s| or later and has writes. */
static double ratio_from(const struct result_run *run, double at_s)
{
    for (size_t i = 0; i < run->windows_len; i++)
        if (run->windows[i].begin_s >= at_s && run->windows[i].done > 0)
            return run->windows[i].hot_server_ratio;
    return (double)NAN;
}

void spread_fill(struct result_run *run)
{
    run->summary.spread_at_s = (double)NAN;
    for (size_t i = run->windows_len; i-- > 0; )
        if (run->windows[i].done > 0 && run->windows[i].hot_server_ratio <= SPREAD_RATIO)
            run->summary.spread_at_s = run->windows[i].begin_s;
    for (size_t i = 0; i < run->events_len; i++) {
        struct result_event *e = &run->events[i];
        size_t k = 0;

        if (!spreads(e))
            continue;
        while (k < RESULT_INPUTS && e->inputs[k].name)
            k++;
        if (k < RESULT_INPUTS)
            e->inputs[k] = (struct result_input){"hot_server_ratio_next", ratio_from(run, e->at_s)};
    }
}

/* "12.00 at first, 6.75 (balancer, 300 s), ...": a step for each split or run that changed the ratio. */
static void list_steps(const struct result_run *run, char *text, size_t cap)
{
    double last = ratio_from(run, 0);
    size_t len = (size_t)snprintf(text, cap, "%.2f at first", last), steps = 0, more = 0;

    for (size_t i = 0; i < run->events_len; i++) {
        const double next = input(&run->events[i], "hot_server_ratio_next");

        if (isnan(next) || fabs(next - last) < SAME * last)
            continue;
        last = next;
        if (steps++ >= STEPS_MOST)
            more++;
        else if (len < cap)
            len += (size_t)snprintf(text + len, cap - len, ", %.2f (%s, %.0f s)", next,
                                    is(&run->events[i], "split") ? "split" : "balancer", run->events[i].at_s);
    }
    if (more > 0 && len < cap)
        snprintf(text + len, cap - len, ", %zu more in events[]", more);
}

static int describe_steps(const struct result_run *run, struct result *res)
{
    char steps[600], when[60] = "not in this run";

    list_steps(run, steps, sizeof steps);
    if (!isnan(run->summary.spread_at_s))
        snprintf(when, sizeof when, "first at %.0f s", run->summary.spread_at_s);
    return result_add_diagnostic(res, "note", "N-SPREAD", "hot server ratio %s; %.1f or less: %s", steps, SPREAD_RATIO,
                                 when);
}

/* Region |id| was born by a split of the run. */
static bool is_daughter(const struct result_run *run, int id)
{
    for (size_t i = 0; i < run->events_len; i++)
        if (is(&run->events[i], "split") && (run->events[i].daughter_a == id || run->events[i].daughter_b == id))
            return true;
    return false;
}

static int describe_daughters(const struct result_run *run, struct result *res)
{
    const struct result_event *decision = NULL;
    const char *gate = "", *tails = "";
    double most = 0, first_s = (double)NAN;
    size_t moved = 0;

    for (size_t i = 0; i < run->windows_len; i++)
        most = fmax(most, run->windows[i].write_tails);
    for (size_t i = 0; i < run->events_len; i++) {
        const struct result_event *e = &run->events[i];

        if (is(e, "balancer"))
            decision = e;
        if (!is(e, "move") || strcmp(e->rule, "balancer plan") != 0 || !is_daughter(run, e->region))
            continue;
        if (moved++ == 0) {
            first_s = e->at_s;
            gate = decision ? decision->rule : "";
        }
    }
    if (most == 1)
        tails = "one write tail at all times; ";
    if (moved == 0)
        return result_add_diagnostic(res, "note", "N-DAUGHTERS",
                                     "%sthe daughters of %.0f splits opened on their parents' servers and stayed there",
                                     tails, run->summary.splits);
    return result_add_diagnostic(res, "note", "N-DAUGHTERS",
                                 "%sthe daughters of %.0f splits opened on their parents' servers; the balancer moved %zu "
                                 "of them, the first at %.0f s (%s)", tails, run->summary.splits, moved, first_s, gate);
}

int spread_describe(const struct result_run *run, struct result *res)
{
    int rc = 0;

    if (run->summary.splits > 0 && ratio_from(run, 0) > SPREAD_RATIO) {
        rc = describe_steps(run, res);
        if (rc == 0)
            rc = describe_daughters(run, res);
    }
    return rc;
}
