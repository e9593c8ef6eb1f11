/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "result/format.h"
#include "result/pattern.h"

static const char *const NAMES[] = {
    [PATTERN_NONE] = "none", [PATTERN_EVEN] = "even", [PATTERN_SEQUENTIAL] = "sequential",
    [PATTERN_EDGES] = "moving edges", [PATTERN_HOT_RANGE] = "hot range", [PATTERN_HOT_KEY] = "hot key",
    [PATTERN_PERIODIC] = "periodic", [PATTERN_CHANGE] = "sudden change", [PATTERN_UNEVEN] = "uneven",
};

const char *result_pattern_name(enum result_pattern_kind kind)
{
    return NAMES[kind];
}

const char *result_pattern_title(const struct result_pattern *pat, char out[RESULT_PATTERN_CAP])
{
    if (pat->kind == PATTERN_EDGES)
        snprintf(out, RESULT_PATTERN_CAP, "%d moving edges", pat->edges);
    else
        snprintf(out, RESULT_PATTERN_CAP, "%s", NAMES[pat->kind]);
    return out;
}

/* How rate and place change, as a clause behind the sentence; "" where they don't. */
static void time_clause(const struct result_pattern *pat, char *out, size_t cap)
{
    char a[FORMAT_CAP], b[FORMAT_CAP];
    out[0] = '\0';
    if (pat->kind != PATTERN_CHANGE && !isnan(pat->change_s))
        snprintf(out, cap, "; at %s the rate jumps to %s", format_time(pat->change_s, a), format_ratio(pat->factor, b));
    else if (pat->kind != PATTERN_PERIODIC && !isnan(pat->period_s))
        snprintf(out, cap, "; the rate comes and goes with a period of %s", format_time(pat->period_s, a));
}

static void change_sentence(const struct result_pattern *pat, char *out, size_t cap)
{
    char a[FORMAT_CAP], b[FORMAT_CAP];
    if (!isnan(pat->moved))
        snprintf(out, cap, "at %s %s of the writes go to other key ranges at once", format_time(pat->change_s, a),
                 format_percent(pat->moved, b));
    else
        snprintf(out, cap, "at %s the rate jumps to %s of what it was", format_time(pat->change_s, a),
                 format_ratio(pat->factor, b));
}

/* Whether the strongest of several edges takes far more than its share. */
static bool edge_is_hot(const struct result_pattern *pat)
{
    return pat->kind == PATTERN_EDGES && pat->share > 2.0 / pat->edges && pat->share > 0.1;
}

int result_pattern_text(const struct result_pattern *pat, char *out, size_t cap)
{
    char seen[256] = "", clause[120], a[FORMAT_CAP], b[FORMAT_CAP];
    time_clause(pat, clause, sizeof clause);
    switch (pat->kind) {
    case PATTERN_NONE:
        snprintf(seen, sizeof seen, "nothing was written");
        break;
    case PATTERN_EVEN:
        snprintf(seen, sizeof seen, "the writes spread evenly over the key space");
        break;
    case PATTERN_SEQUENTIAL:
        snprintf(seen, sizeof seen, "one edge moves through the key space and takes %s of the writes",
                 format_percent(pat->share, a));
        break;
    case PATTERN_EDGES:
        snprintf(seen, sizeof seen, "%d edges move through the key space, the strongest takes %s of the writes",
                 pat->edges, format_percent(pat->share, a));
        break;
    case PATTERN_HOT_RANGE:
        snprintf(seen, sizeof seen, "one key range, from '%.80s' on, takes %s of the writes all the time",
                 pat->key ? pat->key : "", format_percent(pat->share, a));
        break;
    case PATTERN_HOT_KEY:
        snprintf(seen, sizeof seen, "one row key, '%.80s', takes %s of the writes", pat->key ? pat->key : "",
                 format_percent(pat->share, a));
        break;
    case PATTERN_PERIODIC:
        snprintf(seen, sizeof seen, "the writes come and go with a period of %s", format_time(pat->period_s, b));
        break;
    case PATTERN_CHANGE:
        change_sentence(pat, seen, sizeof seen);
        break;
    case PATTERN_UNEVEN:
        if (isnan(pat->share))
            snprintf(seen, sizeof seen, "some key ranges take more than others, none of them most");
        else
            snprintf(seen, sizeof seen, "the fullest bucket takes %s of the writes, %s its share",
                     format_percent(pat->share, a), format_ratio(pat->times, b));
        break;
    }
    return snprintf(out, cap, "%s%s.", seen, clause);
}

/* The plan has weighed evenness against its price: its answer stands, and of the edges is said what they leave. */
static int planned_cure(const struct result_plan *plan, const struct result_run *run, const struct result_pattern *pat, char *out,
                        size_t cap)
{
    const int n = plan->recommended_n, servers = (int)run->servers_len;
    char flat[80] = "";
    if (n < 0)
        return snprintf(out, cap, "No N of the plan meets its targets: its verdict says why.");
    if (n == 0)
        return snprintf(out, cap, "The plan needs no salt: unsalted meets its targets.");
    if (pat->kind == PATTERN_SEQUENTIAL)
        return snprintf(out, cap, "Put a salt in front of the key: the plan recommends N = %d.", n);
    if (run->buckets != n)
        return snprintf(out, cap, "The plan recommends N = %d.", n);
    if (plan->even_n > 0 && plan->even_n != n)
        snprintf(flat, sizeof flat, ", N = %d would be flat", plan->even_n);
    if (pat->edges < servers)
        return snprintf(out, cap, "N = %d meets the plan's targets, though %d edges can't occupy %d servers%s.", n, pat->edges, servers,
                        flat);
    return snprintf(out, cap, "N = %d meets the plan's targets%s.", n, flat);
}

/* Whether one server carries it all in half of its time: no salt is needed then. */
static bool has_room(const struct result_run *run)
{
    const double offered = run->summary.writes_offered / run->duration_s;
    return offered > 0 && result_keeps_up(run) && run->summary.max_write_rate_per_s >= 2 * offered;
}

/* Edges that each have a bucket: whether they have a region and a place each. */
static int edges_cure(const struct result_run *run, const struct result_pattern *pat, char *out, size_t cap)
{
    const int servers = (int)run->servers_len;
    const double fair = servers > 0 ? ceil((double)pat->edges / servers) : INFINITY, most = run->summary.tails_per_server_max;
    char a[FORMAT_CAP];
    if (edge_is_hot(pat))
        return snprintf(out, cap, "More buckets don't divide the strong edge: salt over more of the key, so that "
                        "what writes %s is spread too.", format_percent(pat->share, a));
    if (run->summary.write_tails < 0.75 * pat->edges)
        return snprintf(out, cap, "The edges share %s regions for most of the run: cut the table at its buckets' borders when it is "
                        "created.", format_count(run->summary.write_tails, a));
    if (most > fair)
        return snprintf(out, cap, "%s of the edges lie on one server, %.0f would be fair: let the balancer spread each table's regions "
                        "(hbase.master.loadbalance.bytable), or move some.", format_count(most, a), fair);
    if (pat->edges < servers)
        return snprintf(out, cap, "%d edges can't occupy %d servers: as many buckets as servers spread them most evenly; "
                        "saltplan plan says whether that is worth its scans.", pat->edges, servers);
    return snprintf(out, cap, "Nothing is to be cured while the edges lie on different servers; a multiple of the "
                    "%d servers spreads them most evenly.", servers);
}

int result_pattern_cure(const struct result *res, const struct result_run *run, const struct result_pattern *pat, char *out,
                        size_t cap)
{
    const bool planned = res->plan.present && !(res->plan.answer && strcmp(res->plan.answer, "not-decided") == 0);
    if (planned && (pat->kind == PATTERN_SEQUENTIAL || (pat->kind == PATTERN_EDGES && !edge_is_hot(pat))))
        return planned_cure(&res->plan, run, pat, out, cap);
    switch (pat->kind) {
    case PATTERN_SEQUENTIAL:
        if (has_room(run))
            return snprintf(out, cap, "One server carries it with room to spare: nothing is to be cured at this rate; with a salt, "
                            "N buckets make N edges.");
        return snprintf(out, cap, "Put a salt in front of the key: N buckets make N edges, which N servers can share.");
    case PATTERN_EDGES:
        return edges_cure(run, pat, out, cap);
    case PATTERN_HOT_RANGE:
        return snprintf(out, cap, "Put split points inside the hot range, or a salt over the whole key in front of it.");
    case PATTERN_HOT_KEY:
        return snprintf(out, cap, "No salt and no split divides a single row: spread it over several rows that are "
                        "summed up when read, or gather its writes in the client.");
    case PATTERN_PERIODIC:
        return snprintf(out, cap, "Judge capacity by the peak of a period, not by the mean.");
    case PATTERN_CHANGE:
        return snprintf(out, cap, "Find what began then; judge capacity by the time after it.");
    case PATTERN_EVEN:
        return snprintf(out, cap, "Nothing is to be cured: the key spreads its writes by itself or by its salt.");
    case PATTERN_UNEVEN:
        if (!isnan(pat->share))
            return snprintf(out, cap, "What one entity writes stays in one bucket: salt over more of the key, or give the "
                            "busiest entities several keys.");
        return snprintf(out, cap, "Compare the regions' shares in regions.csv with the split points.");
    case PATTERN_NONE:
        break;
    }
    return snprintf(out, cap, "Nothing is to be cured.");
}
