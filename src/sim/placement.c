/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/placement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/balance/moves.h"

#define GATES_MAX 12

bool placement_stacked(const struct result_window *w)
{
    return w->servers >= 1 && w->tails_per_server_max > ceil(w->write_tails / floor(w->servers));
}

static bool is(const struct result_event *e, const char *kind)
{
    return strcmp(e->kind, kind) == 0;
}

static bool ran(const struct result_event *e)
{
    return strcmp(e->rule, "idle-server") == 0 || strcmp(e->rule, "slop") == 0 || strcmp(e->rule, "cost") == 0 ||
           strcmp(e->rule, "overall-slop") == 0;
}

/* The balancer's moves as edges between servers, and how often regions were moved. */
static int count_moves(struct result_run *run)
{
    struct result_summary *sum = &run->summary;
    struct balancer_plan *moves = malloc((run->events_len + 1) * sizeof *moves);
    struct move_counts counts = {0};
    size_t n = 0;
    int rc;

    if (!moves)
        return -1;
    for (size_t i = 0; i < run->events_len; i++) {
        const struct result_event *e = &run->events[i];

        if (is(e, "move") && e->to_server >= 0 && e->server >= 0 && strcmp(e->rule, "balancer plan") == 0)
            moves[n++] = (struct balancer_plan){(uint32_t)e->region, (uint32_t)e->server, (uint32_t)e->to_server};
    }
    rc = moves_count(moves, n, (uint32_t)run->servers_len, &counts);
    free(moves);
    if (rc != 0)
        return -1;
    sum->balancer_moves = (double)counts.moves;
    sum->balancer_moves_redundant = (double)counts.redundant;
    sum->regions_moved_again = (double)counts.regions_again;
    return 0;
}

/* The worst server's back and forth, in units of the widest span of any server's load. */
static int measure_thrash(struct result_run *run)
{
    double *series = malloc((run->windows_len + 1) * sizeof *series), low = INFINITY, high = 0;

    if (!series)
        return -1;
    run->summary.thrash = 0;
    for (size_t i = 0; i < run->windows_len; i++)
        for (size_t s = 0; s < run->servers_len; s++) {
            low = fmin(low, run->windows[i].server_writes[s]);
            high = fmax(high, run->windows[i].server_writes[s]);
        }
    for (size_t s = 0; s < run->servers_len; s++) {
        for (size_t i = 0; i < run->windows_len; i++)
            series[i] = run->windows[i].server_writes[s];
        run->summary.thrash = fmax(run->summary.thrash, moves_thrash(series, run->windows_len, high - low));
    }
    free(series);
    return 0;
}

int placement_fill(struct result_run *run)
{
    struct result_summary *sum = &run->summary;

    sum->stacked_s = sum->balancer_looked = sum->balancer_ran = 0;
    for (size_t i = 0; i < run->windows_len; i++)
        if (placement_stacked(&run->windows[i]))
            sum->stacked_s += run->windows[i].end_s - run->windows[i].begin_s;
    for (size_t i = 0; i < run->events_len; i++) {
        if (!is(&run->events[i], "balancer") || strcmp(run->events[i].rule, "hbase.balancer.max.balancing") == 0)
            continue;
        sum->balancer_looked++;
        sum->balancer_ran += ran(&run->events[i]);
    }
    if (count_moves(run) != 0)
        return -1;
    return measure_thrash(run);
}

/* "cost-balanced 21, slop 2": what decided, in the order of first appearance. */
static void list_gates(const struct result_run *run, char *text, size_t cap)
{
    const char *gates[GATES_MAX];
    size_t times[GATES_MAX], n = 0, len = 0;

    for (size_t i = 0; i < run->events_len; i++) {
        size_t k = 0;

        if (!is(&run->events[i], "balancer"))
            continue;
        while (k < n && strcmp(gates[k], run->events[i].rule) != 0)
            k++;
        if (k == n && n < GATES_MAX) {
            gates[n] = run->events[i].rule;
            times[n++] = 0;
        }
        if (k < n)
            times[k]++;
    }
    text[0] = '\0';
    for (size_t k = 0; k < n && len < cap; k++)
        len += (size_t)snprintf(text + len, cap - len, "%s%s %zu", k ? ", " : "", gates[k], times[k]);
}

static const struct result_event *last_decision(const struct result_run *run)
{
    for (size_t i = run->events_len; i-- > 0;)
        if (is(&run->events[i], "balancer") && isfinite(result_event_input(&run->events[i], "total_cost")))
            return &run->events[i];
    return NULL;
}

/* Which server, how long, why the balancer leaves it so, and what would part the tails. */
static int describe_stack(const struct result_run *run, struct result *res)
{
    const struct result_window *w = &run->windows[run->windows_len - 1];
    const struct result_event *d = last_decision(run);
    size_t most = 0;
    int rc;

    for (size_t s = 0; s < run->servers_len; s++)
        most = w->server_tails[s] > w->server_tails[most] ? s : most;
    rc = result_add_diagnostic(res, "warning", "W-STACKED",
                               "%s ends with %.0f of %.0f write tails; tails were stacked for %.0f s. The balancer ran %.0f "
                               "of %.0f times: %s", run->servers[most].name, w->server_tails[most], w->write_tails,
                               run->summary.stacked_s, run->summary.balancer_ran, run->summary.balancer_looked,
                               d && strcmp(d->rule, "cost-balanced") == 0
                                   ? "writes alone never reach its threshold; a run for another reason would part some"
                                   : "see events");
    for (size_t i = 0; rc == 0 && i < run->events_len; i++)
        if (is(&run->events[i], "cure") && run->events[i].text)
            rc = result_add_diagnostic(res, "note", "N-CURE", "%s", run->events[i].text);
    return rc;
}

int placement_describe(const struct result_run *run, struct result *res)
{
    char gates[200];
    int rc = 0;

    if (run->windows_len > 0 && placement_stacked(&run->windows[run->windows_len - 1]))
        rc = describe_stack(run, res);
    for (size_t i = 0; rc == 0 && i < run->events_len; i++)
        if (is(&run->events[i], "recovered"))
            rc = result_add_diagnostic(res, "note", "N-LOST", "%s was lost: its %.0f regions were away for %.0f s",
                                       run->servers[run->events[i].server].name,
                                       result_event_input(&run->events[i], "regions"),
                                       result_event_input(&run->events[i], "away_s"));
    if (rc == 0 && run->summary.balancer_moves > 0) {
        list_gates(run, gates, sizeof gates);
        rc = result_add_diagnostic(res, "note", "N-BALANCER",
                                   "the balancer ran %.0f of %.0f times (%s): %.0f moves, %.0f of them redundant",
                                   run->summary.balancer_ran, run->summary.balancer_looked, gates,
                                   run->summary.balancer_moves, run->summary.balancer_moves_redundant);
    }
    return rc;
}
