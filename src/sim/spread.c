/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/spread.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps that the note lists; the rest is in the events. */
#define STEPS_MOST 4
/* A ratio that has changed by less than this share is the same. */
#define SAME 0.1

static bool is(const struct result_event *e, const char *kind)
{
    return strcmp(e->kind, kind) == 0;
}

/* A split, or a run of the balancer that moves something. */
static bool spreads(const struct result_event *e)
{
    return is(e, "split") || (is(e, "balancer") && result_event_input(e, "moves_planned") > 0);
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

        if (spreads(e))
            result_event_add_input(e, "hot_server_ratio_next", ratio_from(run, e->at_s));
    }
}

/* "12.00 at first, 6.75 (balancer, 300 s), ...": a step for each split or run that changed the ratio. */
static void list_steps(const struct result_run *run, char *text, size_t cap)
{
    double last = ratio_from(run, 0);
    size_t len = (size_t)snprintf(text, cap, "%.2f at first", last), steps = 0, more = 0;

    for (size_t i = 0; i < run->events_len; i++) {
        const double next = result_event_input(&run->events[i], "hot_server_ratio_next");

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

/* Moves of daughters by the balancer, and the first of them with the gate that let it run. */
struct daughter_moves {
    size_t moves;
    double first_s;
    const char *gate;
};

/* 0 or -1 without memory. */
static int count_daughter_moves(const struct result_run *run, struct daughter_moves *out)
{
    bool *daughter = calloc(run->regions_len + 1, sizeof *daughter);
    const char *gate = "";

    *out = (struct daughter_moves){0, (double)NAN, ""};
    if (!daughter)
        return -1;
    for (size_t i = 0; i < run->events_len; i++) {
        const struct result_event *e = &run->events[i];

        if (is(e, "split") && e->daughter_a >= 0) /* else it was still under way at the end */
            daughter[e->daughter_a] = daughter[e->daughter_b] = true;
        else if (is(e, "balancer"))
            gate = e->rule;
        else if (is(e, "move") && strcmp(e->rule, "balancer plan") == 0 && daughter[e->region] && out->moves++ == 0)
            *out = (struct daughter_moves){1, e->at_s, gate};
    }
    free(daughter);
    return 0;
}

static int describe_daughters(const struct result_run *run, struct result *res)
{
    struct daughter_moves moved;
    const char *tails = "";
    double most = 0;

    if (count_daughter_moves(run, &moved) != 0)
        return -1;
    for (size_t i = 0; i < run->windows_len; i++)
        most = fmax(most, run->windows[i].write_tails);
    if (most == 1)
        tails = "one write tail at all times; ";
    if (moved.moves == 0)
        return result_add_diagnostic(res, "note", "N-DAUGHTERS",
                                     "%sthe daughters of %.0f splits opened on their parents' servers and stayed there",
                                     tails, run->summary.splits);
    return result_add_diagnostic(res, "note", "N-DAUGHTERS",
                                 "%sthe daughters of %.0f splits opened on their parents' servers; the balancer moved %zu "
                                 "of them, the first at %.0f s (%s)", tails, run->summary.splits, moved.moves, moved.first_s,
                                 moved.gate);
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
