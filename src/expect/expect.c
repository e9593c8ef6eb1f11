/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expect/expect.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect/track.h"
#include "result/fields.h"
#include "result/format.h"

#define TEXT_CAP 700

/* What is known of the verdict before it becomes texts. */
struct finding {
    double value, worst, worst_at_s, since_s;
    char where[160];
    size_t windows;                   /* that were judged; 0 = a figure of the whole run */
};

static int problem(struct expect_problem *why, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static int problem(struct expect_problem *why, const char *key, const char *fmt, ...)
{
    va_list args;

    why->key = key;
    va_start(args, fmt);
    vsnprintf(why->message, sizeof why->message, fmt, args);
    va_end(args);
    return EXPECT_UNJUDGED;
}

static const char *figure_text(const struct spec_figure *fig, double value, char text[FORMAT_CAP])
{
    switch (fig->unit) {
    case SPEC_FIGURE_SHARE:
        return format_percent(value, text);
    case SPEC_FIGURE_US:
        return format_latency(value, text);
    case SPEC_FIGURE_S:
        return format_time(value, text);
    case SPEC_FIGURE_BYTES:
        return format_bytes(value, text);
    case SPEC_FIGURE_RATE:
        return format_rate(value, text);
    case SPEC_FIGURE_COUNT:
        return format_count(value, text);
    case SPEC_FIGURE_NUMBER:
        break;
    }
    return format_digits(value, text);
}

static bool keeps(const struct spec_expect *exp, double value)
{
    return exp->at_most ? value <= exp->bound : value >= exp->bound;
}

/* Whether |a| is further beyond the bound than |b|. */
static bool is_worse(const struct spec_expect *exp, double a, double b)
{
    return isnan(b) || (exp->at_most ? a > b : a < b);
}

static void window_text(const struct spec_expect *exp, char *text, size_t cap)
{
    char a[FORMAT_CAP], b[FORMAT_CAP];

    if (exp->last_ns > 0)
        snprintf(text, cap, "last %s", format_time((double)exp->last_ns / 1e9, a));
    else if (exp->to_ns > 0)
        snprintf(text, cap, "from %s to %s", format_time((double)exp->from_ns / 1e9, a),
                 format_time((double)exp->to_ns / 1e9, b));
    else if (exp->from_ns > 0)
        snprintf(text, cap, "from %s", format_time((double)exp->from_ns / 1e9, a));
    else
        snprintf(text, cap, "all");
}

static void stretch(const struct spec_expect *exp, const struct result_run *run, double *begin_s, double *end_s)
{
    *begin_s = exp->last_ns > 0 ? run->duration_s - (double)exp->last_ns / 1e9 : (double)exp->from_ns / 1e9;
    *end_s = exp->to_ns > 0 ? (double)exp->to_ns / 1e9 : run->duration_s;
}

/* Rows written in the stretch, as far as the windows tell. */
static double load(const struct result_run *run, double begin_s, double end_s)
{
    double sum = 0;

    for (size_t i = 0; i < run->windows_len; i++) {
        const struct result_window *win = &run->windows[i];

        if (win->begin_s < end_s && win->end_s > begin_s)
            sum += win->done * (fmin(end_s, win->end_s) - fmax(begin_s, win->begin_s)) / (win->end_s - win->begin_s);
    }
    return sum;
}

/* One track against the bound; the finding keeps the worst of several. */
static void take_track(const struct spec_expect *exp, struct track *trk, const struct result_run *run,
                       struct finding *found)
{
    double begin_s, end_s, value;
    size_t windows, worst;

    stretch(exp, run, &begin_s, &end_s);
    windows = track_cut(trk, begin_s, end_s);
    value = windows > 0 ? track_value(trk) : (double)NAN;
    if (isnan(value) || !is_worse(exp, value, found->value))
        return;
    found->value = value;
    found->windows = windows;
    worst = track_worst(trk, exp->at_most);
    found->worst = trk->points[worst].value;
    found->worst_at_s = trk->points[worst].begin_s;
    found->since_s = trk->figure->over == SPEC_OVER_SUM ? (double)NAN
                                                        : track_since(trk, worst, exp->at_most, exp->bound);
    snprintf(found->where, sizeof found->where, "%s",
             trk->points[worst].server >= 0 ? run->servers[trk->points[worst].server].name : "");
}

static int named_server(const struct spec_expect *exp, const struct result_run *run)
{
    for (size_t s = 0; s < run->servers_len; s++) {
        if (strcmp(run->servers[s].name, exp->scope_name) == 0)
            return (int)s;
    }
    return -1;
}

static int judge_windows(const struct spec_expect *exp, const struct spec_figure *fig, const struct result_run *run,
                         struct finding *found)
{
    const bool servers = fig->scope == SPEC_SCOPE_SERVER;
    const int only = servers && exp->scope_name ? named_server(exp, run) : -1;

    for (int s = servers ? 0 : -1; s < (servers ? (int)run->servers_len : 0); s++) {
        struct track trk = {NULL, 0, NULL};

        if (only >= 0 && s != only)
            continue;
        if (track_make(fig, run, s, &trk) != 0)
            return EXPECT_NO_MEMORY;
        take_track(exp, &trk, run, found);
        free(trk.points);
    }
    return 0;
}

static void take_value(const struct spec_expect *exp, double value, const char *where, struct finding *found)
{
    if (isnan(value) || !is_worse(exp, value, found->value))
        return;
    found->value = value;
    snprintf(found->where, sizeof found->where, "%s", where);
}

/* Whether `TABLE,KEY` means that region: the one that holds the row at the end of the run. */
static bool is_region(const struct spec_expect *exp, const struct result_run *run, const struct result_region *reg)
{
    const char *comma = exp->scope_name ? strchr(exp->scope_name, ',') : NULL;
    const char *table = result_table_name(run, reg->table);

    if (!table)
        return false;
    if (!comma)
        return true;
    return isnan(reg->death_s) && strlen(table) == (size_t)(comma - exp->scope_name) &&
           strncmp(table, exp->scope_name, strlen(table)) == 0 &&
           (!reg->start || result_key_compare(reg->start, comma + 1) <= 0) &&
           (!reg->end || !reg->end[0] || result_key_compare(comma + 1, reg->end) < 0);
}

static void judge_regions(const struct spec_expect *exp, const struct spec_figure *fig, const struct result_run *run,
                          struct finding *found)
{
    char where[160];

    for (size_t i = 0; i < run->regions_len; i++) {
        const struct result_region *reg = &run->regions[i];

        if (!is_region(exp, run, reg))
            continue;
        snprintf(where, sizeof where, "%.60s,%.80s", result_table_name(run, reg->table), reg->start ? reg->start : "");
        take_value(exp, result_field_number(result_region_fields, fig->name, reg), where, found);
    }
}

static void judge_whole(const struct spec_expect *exp, const struct spec_figure *fig, const struct result_run *run,
                        struct finding *found)
{
    switch (fig->scope) {
    case SPEC_SCOPE_ALL:
        take_value(exp, result_field_number(result_summary_fields, fig->name, &run->summary), "", found);
        break;
    case SPEC_SCOPE_SERVER:
        for (size_t s = 0; s < run->servers_len; s++) {
            if (!exp->scope_name || strcmp(run->servers[s].name, exp->scope_name) == 0)
                take_value(exp, result_field_number(result_server_fields, fig->name, &run->servers[s]), run->servers[s].name,
                           found);
        }
        break;
    case SPEC_SCOPE_TABLE:
        for (size_t t = 0; t < run->tables_len; t++) {
            if (!exp->scope_name || strcmp(run->tables[t].name, exp->scope_name) == 0)
                take_value(exp, result_field_number(result_table_fields, fig->name, &run->tables[t]), run->tables[t].name,
                           found);
        }
        break;
    case SPEC_SCOPE_REGION:
        judge_regions(exp, fig, run, found);
        break;
    case SPEC_SCOPE_QUERY:
        for (size_t q = 0; q < run->queries_len; q++) {
            if (strcmp(run->queries[q].name, exp->scope_name) == 0)
                take_value(exp, result_field_number(result_query_fields, fig->name, &run->queries[q]), "", found);
        }
        break;
    }
}

static void formula(const struct spec_figure *fig, const struct finding *found, char *text, size_t cap)
{
    static const char *const over[] = {
        [SPEC_OVER_RUN] = "of the whole run", [SPEC_OVER_MEAN] = "mean over", [SPEC_OVER_MEDIAN] = "median over",
        [SPEC_OVER_MAX] = "worst of",         [SPEC_OVER_SUM] = "sum over",
    };

    if (fig->over == SPEC_OVER_RUN)
        snprintf(text, cap, "%s", over[fig->over]);
    else
        snprintf(text, cap, "%s %zu window%s%s%s", over[fig->over], found->windows, found->windows == 1 ? "" : "s",
                 fig->formula ? " of " : "", fig->formula ? fig->formula : "");
}

static const char *verdict_of(const struct spec_expect *exp, double value)
{
    if (keeps(exp, value))
        return exp->issue ? "passes now" : "pass";
    return exp->issue ? "known" : "fail";
}

static void sentence(const struct spec_expect *exp, const struct spec_figure *fig, const struct finding *found,
                     char text[TEXT_CAP])
{
    char value[FORMAT_CAP], bound[FORMAT_CAP], worst[FORMAT_CAP], at[FORMAT_CAP], since[FORMAT_CAP];
    char how[200], window[100];
    const bool good = keeps(exp, found->value);
    size_t len;

    formula(fig, found, how, sizeof how);
    window_text(exp, window, sizeof window);
    len = (size_t)snprintf(text, TEXT_CAP, "%s%s%s %s is %s%s %s", fig->scope == SPEC_SCOPE_QUERY ? exp->scope_name : "",
                           fig->scope == SPEC_SCOPE_QUERY ? "." : "", fig->name, figure_text(fig, found->value, value),
                           good ? "" : "not ", exp->at_most ? "<=" : ">=", figure_text(fig, exp->bound, bound));
    if (strcmp(window, "all") != 0)
        len += (size_t)snprintf(text + len, TEXT_CAP - len, " over %s", window);
    len += (size_t)snprintf(text + len, TEXT_CAP - len, " (%s)", how);
    if (found->windows > 0)
        len += (size_t)snprintf(text + len, TEXT_CAP - len, "; worst %s at %s", figure_text(fig, found->worst, worst),
                                format_time(found->worst_at_s, at));
    if (found->where[0])
        len += (size_t)snprintf(text + len, TEXT_CAP - len, "%s %s", found->windows > 0 ? " on" : "; at", found->where);
    if (!good && !isnan(found->since_s))
        len += (size_t)snprintf(text + len, TEXT_CAP - len, ", since %s", format_time(found->since_s, since));
    if (exp->issue)
        snprintf(text + len, TEXT_CAP - len, good ? "; but its issue says that it fails: %s" : "; issue: %s", exp->issue);
}

static char *copy(const char *text, bool *failed)
{
    char *made = text ? malloc(strlen(text) + 1) : NULL;

    if (text && !made)
        *failed = true;
    return made ? strcpy(made, text) : NULL;
}

static void release(struct result_expectation *out)
{
    free(out->name);
    free(out->verdict);
    free(out->metric);
    free(out->scope);
    free(out->window);
    free(out->formula);
    free(out->where);
    free(out->issue);
    free(out->text);
}

static int fill(const struct spec_expect *exp, const struct spec_figure *fig, const struct finding *found,
                struct result_expectation *out)
{
    char text[TEXT_CAP], how[200], window[100], scope[200], metric[120];
    bool failed = false;

    formula(fig, found, how, sizeof how);
    window_text(exp, window, sizeof window);
    sentence(exp, fig, found, text);
    snprintf(scope, sizeof scope, "%s%s%.180s", spec_scope_word(exp->scope), exp->scope_name ? " " : "",
             exp->scope_name ? exp->scope_name : "");
    snprintf(metric, sizeof metric, "%.60s%s%s", exp->scope == SPEC_SCOPE_QUERY ? exp->scope_name : "",
             exp->scope == SPEC_SCOPE_QUERY ? "." : "", fig->name);
    out->name = copy(exp->name, &failed);
    out->verdict = copy(verdict_of(exp, found->value), &failed);
    out->metric = copy(metric, &failed);
    out->scope = copy(scope, &failed);
    out->window = copy(window, &failed);
    out->formula = copy(how, &failed);
    out->where = copy(found->where[0] ? found->where : NULL, &failed);
    out->issue = copy(exp->issue, &failed);
    out->text = copy(text, &failed);
    out->at_most = exp->at_most;
    out->bound = exp->bound;
    out->value = found->value;
    out->worst = found->worst;
    out->worst_at_s = found->worst_at_s;
    out->since_s = keeps(exp, found->value) ? (double)NAN : found->since_s;
    if (failed)
        release(out);
    return failed ? EXPECT_NO_MEMORY : EXPECT_JUDGED;
}

/* Whether a windowed figure has a value in any window of the run: some have none at this level of detail. */
static bool has_samples(const struct spec_expect *exp, const struct spec_figure *fig, const struct result_run *run)
{
    struct spec_expect whole = *exp; /* shares what |exp| owns */
    struct finding found = {.value = NAN};

    whole.last_ns = whole.from_ns = whole.to_ns = 0;
    return judge_windows(&whole, fig, run, &found) == 0 && !isnan(found.value);
}

int expect_judge(const struct spec_expect *exp, const struct result_run *run, struct result_expectation *out,
                 struct expect_problem *why)
{
    struct spec_figure fig;
    struct finding found = {NAN, NAN, NAN, NAN, "", 0};
    struct result_expectation made = {.name = NULL};
    char a[FORMAT_CAP], b[FORMAT_CAP];
    int rc = 0;

    if (!spec_figure_find(exp->scope, exp->metric, strlen(exp->metric), &fig))
        return problem(why, "metric", "'%s' is no figure of this run", exp->metric);
    stretch(exp, run, &made.begin_s, &made.end_s);
    if (made.begin_s < 0 || made.end_s > run->duration_s || made.begin_s >= made.end_s)
        return problem(why, "window", "the run of %s does not hold the window", format_time(run->duration_s, a));
    if (exp->scope == SPEC_SCOPE_SERVER && exp->scope_name && named_server(exp, run) < 0)
        return problem(why, "scope", "the run has no server '%s'", exp->scope_name);
    if (load(run, made.begin_s, made.end_s) < 1)
        return problem(why, "window", "no row was written from %s to %s: there is nothing to judge",
                       format_time(made.begin_s, a), format_time(made.end_s, b));
    if (fig.over == SPEC_OVER_RUN)
        judge_whole(exp, &fig, run, &found);
    else
        rc = judge_windows(exp, &fig, run, &found);
    if (rc != 0)
        return rc;
    if (isnan(found.value) && fig.over != SPEC_OVER_RUN && has_samples(exp, &fig, run))
        return problem(why, "window", "%s has no sample from %s to %s: no window with enough writes lies there",
                       fig.name, format_time(made.begin_s, a), format_time(made.end_s, b));
    if (isnan(found.value) && fig.scope == SPEC_SCOPE_REGION && exp->scope_name)
        return problem(why, "scope", "the run has no region '%s'", exp->scope_name);
    if (isnan(found.value))
        return problem(why, "metric", "%s has no value in this run (detail %s)", fig.name,
                       run->detail ? run->detail : "not known");
    rc = fill(exp, &fig, &found, &made);
    if (rc == EXPECT_JUDGED)
        *out = made;
    return rc;
}

bool expect_is_good(const struct result_expectation *exp)
{
    return strcmp(exp->verdict, "pass") == 0 || strcmp(exp->verdict, "known") == 0;
}
