/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "diff/diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "des/interval.h"
#include "result/fields.h"

#define BATCHES 10
#define CONFIDENCE 0.99
#define DEVIATIONS 2.576                /* of a normal law at 99 % */
#define TOO_SMALL 5e-4                  /* a change that is printed as 0.0 % */

/* How a figure's change is judged. */
enum judge {
    BY_WINDOWS,                       /* |window| of the sample windows, paired */
    BY_COUNT,                         /* a number of independent events */
    BY_SETUP                          /* no chance in it */
};

static const struct {
    const char *name;                 /* in the summary */
    enum diff_group group;
    enum judge judge;
    const char *window;               /* BY_WINDOWS: the windows' figure that it is made of */
} figures[] = {
    {"hot_server_ratio", DIFF_LOAD, BY_WINDOWS, "hot_server_ratio"},
    {"hot_server_ratio_total", DIFF_LOAD, BY_WINDOWS, "hot_server_ratio"},
    {"max_write_rate_per_s", DIFF_LOAD, BY_WINDOWS, "hot_server_ratio"},
    {"tails_per_server_max", DIFF_LOAD, BY_WINDOWS, "tails_per_server_max"},
    {"hot_region_share", DIFF_LOAD, BY_WINDOWS, "hot_region_share"},
    {"hot_region_ratio", DIFF_LOAD, BY_WINDOWS, "hot_region_ratio"},
    {"write_tails", DIFF_LOAD, BY_WINDOWS, "write_tails"},
    {"effective_tails", DIFF_LOAD, BY_WINDOWS, "effective_tails"},
    {"servers_idle", DIFF_LOAD, BY_WINDOWS, "hot_server_ratio"},
    {"writes_offered", DIFF_CLIENTS, BY_WINDOWS, "offered"},
    {"writes_done", DIFF_CLIENTS, BY_WINDOWS, "done"},
    {"writes_rejected", DIFF_CLIENTS, BY_WINDOWS, "rejected"},
    {"writes_queued", DIFF_CLIENTS, BY_WINDOWS, "queued"},
    {"writes_buffered", DIFF_CLIENTS, BY_WINDOWS, "queued"},
    {"write_refusals", DIFF_CLIENTS, BY_WINDOWS, "refusals"},
    {"connection_losses", DIFF_CLIENTS, BY_COUNT, NULL},
    {"write_p50_us", DIFF_CLIENTS, BY_WINDOWS, "p50_us"},
    {"write_mean_us", DIFF_CLIENTS, BY_WINDOWS, "p50_us"},
    {"write_p95_us", DIFF_CLIENTS, BY_WINDOWS, "p99_us"},
    {"write_p99_us", DIFF_CLIENTS, BY_WINDOWS, "p99_us"},
    {"write_p999_us", DIFF_CLIENTS, BY_WINDOWS, "p999_us"},
    {"write_max_us", DIFF_CLIENTS, BY_WINDOWS, "max_us"},
    {"queue_age_max_s", DIFF_CLIENTS, BY_WINDOWS, "queued"},
    {"regions_start", DIFF_REGIONS, BY_SETUP, NULL},
    {"regions_end", DIFF_REGIONS, BY_WINDOWS, "regions"},
    {"splits", DIFF_REGIONS, BY_COUNT, NULL},
    {"flushes", DIFF_REGIONS, BY_COUNT, NULL},
    {"compactions", DIFF_REGIONS, BY_COUNT, NULL},
    {"moves", DIFF_REGIONS, BY_COUNT, NULL},
    {"balancer_ran", DIFF_REGIONS, BY_COUNT, NULL},
    {"balancer_moves_redundant", DIFF_REGIONS, BY_COUNT, NULL},
    {"regions_moved_again", DIFF_REGIONS, BY_COUNT, NULL},
};

#define FIGURES (sizeof figures / sizeof figures[0])

const char *diff_group_name(enum diff_group group)
{
    static const char *const names[] = {"load", "clients", "queries", "regions"};

    return names[group];
}

static bool is_seed(const struct result_setting *set)
{
    return strcmp(set->section, "scenario") == 0 && strcmp(set->key, "seed") == 0;
}

static bool same_setting(const struct result_setting *a, const struct result_setting *b)
{
    if (strcmp(a->section, b->section) != 0 || strcmp(a->key, b->key) != 0 || !a->text != !b->text)
        return false;
    return is_seed(a) || (a->text ? strcmp(a->text, b->text) == 0 : a->number == b->number);
}

static bool same_scenario(const struct result *a, const struct result *b)
{
    if (a->scenario_len != b->scenario_len || a->scenario_len == 0)
        return false;
    for (size_t i = 0; i < a->scenario_len; i++) {
        if (!same_setting(&a->scenario[i], &b->scenario[i]))
            return false;
    }
    return true;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The mean of |n| values; of percentiles the median, which one outage does not move. */
static double middle(double *v, size_t n, bool percentile)
{
    double sum = 0;

    if (n == 0)
        return NAN;
    if (percentile) {
        qsort(v, n, sizeof *v, ascending);
        return v[n / 2];
    }
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    return sum / (double)n;
}

/* The middle of a windows' figure in ten stretches of |length_s|; NaN where one has no value. -1
   without memory. */
static int stretches(const struct result_run *run, const char *name, double length_s, double mean[BATCHES])
{
    const bool percentile = name[0] == 'p' && strstr(name, "_us");
    double *v = malloc((run->windows_len + 1) * sizeof *v);

    if (!v)
        return -1;
    for (int k = 0; k < BATCHES; k++) {
        size_t n = 0;

        for (size_t i = 0; i < run->windows_len; i++) {
            const struct result_window *win = &run->windows[i];

            if ((int)((win->begin_s + win->end_s) / 2 / length_s) == k)
                v[n++] = result_field_number(result_window_fields, name, win);
            n -= n > 0 && isnan(v[n - 1]);
        }
        mean[k] = middle(v, n, percentile);
    }
    free(v);
    return 0;
}

static int judge_windows(const struct result_run *a, const struct result_run *b, const char *name,
                         struct diff_change *c)
{
    const double length_s = fmin(a->duration_s, b->duration_s) / BATCHES;
    double of_a[BATCHES], of_b[BATCHES];
    struct des_interval interval;
    size_t n = 0;

    if (stretches(a, name, length_s, of_a) != 0 || stretches(b, name, length_s, of_b) != 0)
        return -1;
    for (size_t k = 0; k < BATCHES; k++) {
        if (isnan(of_a[k]) || isnan(of_b[k]))
            continue;
        of_a[n] = of_a[k];
        of_b[n++] = of_b[k];
    }
    if (des_summary_paired(of_b, of_a, n, CONFIDENCE, &interval) != DES_OK)
        return 0; /* too short to tell: noise */
    c->lo = interval.lo;
    c->hi = interval.hi;
    c->real = interval.lo > 0 || interval.hi < 0;
    return 0;
}

/* 0, or -1 without memory. */
static int judge(const struct result *a, const struct result *b, const struct diff *d, size_t figure,
                 struct diff_change *c)
{
    if (d->same_scenario) {
        c->real = d->same_seed;
        return 0;
    }
    switch (figures[figure].judge) {
    case BY_WINDOWS:
        return judge_windows(&a->run, &b->run, figures[figure].window, c);
    case BY_COUNT:
        c->real = fabs(c->b - c->a) > DEVIATIONS * sqrt(c->a + c->b);
        break;
    case BY_SETUP:
        c->real = true;
        break;
    }
    return 0;
}

static struct diff_change *add(struct diff *d, const char *name, enum diff_group group, double a, double b)
{
    struct diff_change *c = &d->changes[d->len];

    if (isnan(a) && isnan(b))
        return NULL;
    if (a == b) {
        d->same++;
        return NULL;
    }
    d->len++;
    *c = (struct diff_change){.group = group, .a = a, .b = b, .lo = NAN, .hi = NAN};
    snprintf(c->name, sizeof c->name, "%s", name);
    c->relative = a != 0 ? (b - a) / fabs(a) : copysign(INFINITY, b - a);
    return c;
}

static void compare_queries(const struct result *a, const struct result *b, struct diff *d)
{
    static const char *const of_query[] = {"scans", "regions", "rpcs", "rows_scanned", "bytes", "p50_us", "p99_us"};

    for (size_t i = 0; i < a->run.queries_len; i++) {
        const struct result_query *qa = &a->run.queries[i], *qb = NULL;

        for (size_t k = 0; k < b->run.queries_len; k++) {
            if (strcmp(b->run.queries[k].name, qa->name) == 0)
                qb = &b->run.queries[k];
        }
        for (size_t f = 0; qb && f < sizeof of_query / sizeof of_query[0]; f++) {
            char name[100];
            struct diff_change *c;

            snprintf(name, sizeof name, "%.60s.%s", qa->name, of_query[f]);
            c = add(d, name, DIFF_QUERIES, result_field_number(result_query_fields, of_query[f], qa),
                    result_field_number(result_query_fields, of_query[f], qb));
            if (c)
                c->real = d->same_scenario ? d->same_seed : !(fabs(c->relative) < TOO_SMALL);
        }
    }
}

/* The size of a change as a sorting key: the ratio of the two, whichever way; coarse, so that a figure
   and one that follows from it stay in the order of the list. */
static double size_of(const struct diff_change *c)
{
    if (isnan(c->a) || isnan(c->b) || c->a <= 0 || c->b <= 0)
        return 1e9;
    return floor(fabs(log(c->b / c->a)) * 20 + 0.5);
}

static bool comes_before(const struct diff_change *x, const struct diff_change *y)
{
    if (x->real != y->real)
        return x->real;
    if (x->group != y->group)
        return x->group < y->group;
    return size_of(x) > size_of(y);
}

/* A stable sort of a short list. */
static void sort(struct diff *d)
{
    for (size_t i = 1; i < d->len; i++) {
        const struct diff_change moving = d->changes[i];
        size_t k = i;

        for (; k > 0 && comes_before(&moving, &d->changes[k - 1]); k--)
            d->changes[k] = d->changes[k - 1];
        d->changes[k] = moving;
    }
}

int diff_results(const struct result *a, const struct result *b, struct diff *out)
{
    struct diff d = {.same_scenario = same_scenario(a, b), .same_seed = a->seed == b->seed};

    d.changes = calloc(FIGURES + 7 * a->run.queries_len + 1, sizeof *d.changes);
    if (!d.changes)
        return -1;
    for (size_t i = 0; i < FIGURES; i++) {
        struct diff_change *c = add(&d, figures[i].name, figures[i].group,
                                    result_field_number(result_summary_fields, figures[i].name, &a->run.summary),
                                    result_field_number(result_summary_fields, figures[i].name, &b->run.summary));

        if (c && judge(a, b, &d, i, c) != 0) {
            free(d.changes);
            return -1;
        }
        /* With one scenario and one seed nothing may differ at all. */
        if (c && !d.same_scenario && fabs(c->relative) < TOO_SMALL)
            c->real = false;
    }
    compare_queries(a, b, &d);
    sort(&d);
    *out = d;
    return 0;
}

void diff_free(struct diff *d)
{
    free(d->changes);
    memset(d, 0, sizeof *d);
}
