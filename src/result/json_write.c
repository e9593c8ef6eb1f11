/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "result/fields.h"
#include "result/json.h"
#include "result/number.h"
#include "result/pattern.h"
#include "result/utf8.h"

/* Where the writer is. A list of objects has one object a line, everything below is on that line. */
struct writer {
    FILE *to;
    bool first;                       /* nothing stands yet in the open object or array */
    int depth;                        /* open objects and arrays */
    int line_depth;                   /* members of deeper ones share a line */
};

static void separate(struct writer *w)
{
    if (!w->first)
        fputc(',', w->to);
    if (w->depth > 0 && w->depth <= w->line_depth)
        fprintf(w->to, "\n%*s", 2 * w->depth, "");
    else if (!w->first)
        fputc(' ', w->to);
    w->first = false;
}

static void open_with(struct writer *w, char bracket)
{
    fputc(bracket, w->to);
    w->depth++;
    w->first = true;
}

static void close_with(struct writer *w, char bracket)
{
    bool empty = w->first;
    w->depth--;
    if (!empty && w->depth < w->line_depth)
        fprintf(w->to, "\n%*s", 2 * w->depth, "");
    fputc(bracket, w->to);
    w->first = false;
}

static void put_string(struct writer *w, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    fputc('"', w->to);
    while (*at) {
        size_t len = result_utf8_bytes(at);
        if (*at == '"' || *at == '\\')
            fprintf(w->to, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(w->to, "\\u%04x", *at);
        else if (len == 0)
            fputs("\xEF\xBF\xBD", w->to); /* U+FFFD */
        else
            fwrite(at, 1, len, w->to);
        at += len ? len : 1;
    }
    fputc('"', w->to);
}

static void key(struct writer *w, const char *name)
{
    separate(w);
    put_string(w, name);
    fputs(": ", w->to);
}

static void put_number(struct writer *w, double value)
{
    char text[RESULT_NUMBER_CAP];
    fwrite(text, 1, result_number_text(value, text), w->to);
}

static void put_text(struct writer *w, const char *text)
{
    if (text)
        put_string(w, text);
    else
        fputs("null", w->to);
}

static void put_figure(struct writer *w, const struct result_figure *fig)
{
    open_with(w, '{');
    key(w, "mean");
    put_number(w, fig->mean);
    key(w, "lo");
    put_number(w, fig->lo);
    key(w, "hi");
    put_number(w, fig->hi);
    close_with(w, '}');
}

static void put_fields(struct writer *w, const struct result_field *fields, const void *base)
{
    for (const struct result_field *f = fields; f->name; f++) {
        if (f->optional && !result_field_has_value(f, base))
            continue;
        const void *at = (const char *)base + f->offset;
        key(w, f->name);
        switch (f->kind) {
        case RESULT_NUMBER:
            put_number(w, *(const double *)at);
            break;
        case RESULT_INTEGER:
            put_number(w, *(const int *)at);
            break;
        case RESULT_FLAG:
            fputs(*(const bool *)at ? "true" : "false", w->to);
            break;
        case RESULT_TEXT:
        case RESULT_STATIC_TEXT:
            put_text(w, *(const char *const *)at);
            break;
        case RESULT_FIGURE:
            put_figure(w, at);
            break;
        }
    }
}

/* A named list of |len| structs of |size| bytes, one object a line. */
struct list {
    const char *name;
    const void *items;
    size_t len, size;
};

static void put_list(struct writer *w, struct list list, const struct result_field *fields)
{
    key(w, list.name);
    open_with(w, '[');
    for (size_t i = 0; i < list.len; i++) {
        separate(w);
        open_with(w, '{');
        put_fields(w, fields, (const char *)list.items + i * list.size);
        close_with(w, '}');
    }
    close_with(w, ']');
}

static void put_numbers(struct writer *w, const double *values, size_t len)
{
    open_with(w, '[');
    for (size_t i = 0; i < len; i++) {
        separate(w);
        put_number(w, values[i]);
    }
    close_with(w, ']');
}

static void put_integers(struct writer *w, const int *values, size_t len)
{
    open_with(w, '[');
    for (size_t i = 0; i < len; i++) {
        separate(w);
        fprintf(w->to, "%d", values[i]);
    }
    close_with(w, ']');
}

static void put_timeline(struct writer *w, const struct result_run *run)
{
    key(w, "timeline");
    open_with(w, '[');
    for (size_t i = 0; i < run->windows_len; i++) {
        const struct result_window *win = &run->windows[i];
        separate(w);
        open_with(w, '{');
        put_fields(w, result_window_fields, win);
        key(w, "server_writes");
        put_numbers(w, win->server_writes, run->servers_len);
        key(w, "server_tails");
        put_numbers(w, win->server_tails, run->servers_len);
        close_with(w, '}');
    }
    close_with(w, ']');
}

static void put_events(struct writer *w, const struct result_run *run)
{
    key(w, "events");
    open_with(w, '[');
    for (size_t i = 0; i < run->events_len; i++) {
        const struct result_event *ev = &run->events[i];
        separate(w);
        open_with(w, '{');
        put_fields(w, result_event_fields, ev);
        key(w, "inputs");
        open_with(w, '{');
        for (size_t j = 0; ev->inputs && ev->inputs[j].name; j++) {
            key(w, ev->inputs[j].name);
            put_number(w, ev->inputs[j].value);
        }
        close_with(w, '}');
        close_with(w, '}');
    }
    close_with(w, ']');
}

static void put_keyspace(struct writer *w, const struct result_keyspace *ks)
{
    key(w, "keyspace");
    open_with(w, '{');
    key(w, "table");
    fprintf(w->to, "%d", ks->table);
    key(w, "buckets");
    fprintf(w->to, "%d", ks->buckets);
    key(w, "edges");
    open_with(w, '[');
    for (size_t i = 0; i < ks->rows; i++) {
        separate(w);
        put_text(w, ks->edges[i]);
    }
    close_with(w, ']');
    key(w, "row_bucket");
    put_integers(w, ks->row_bucket, ks->rows);
    key(w, "times");
    put_numbers(w, ks->times_s, ks->columns + 1);
    w->line_depth++; /* a row of the matrix a line */
    key(w, "cells");
    open_with(w, '[');
    for (size_t i = 0; i < ks->rows; i++) {
        separate(w);
        put_numbers(w, ks->cells + i * ks->columns, ks->columns);
    }
    close_with(w, ']');
    key(w, "server");
    open_with(w, '[');
    for (size_t i = 0; i < ks->rows; i++) {
        separate(w);
        put_integers(w, ks->server + i * ks->columns, ks->columns);
    }
    close_with(w, ']');
    w->line_depth--;
    close_with(w, '}');
}

/* Computed here: it follows from the matrix, so a result does not carry it. */
static void put_pattern(struct writer *w, const struct result *res, const struct result_run *run)
{
    struct result_pattern pat;
    char text[400];
    if (result_pattern_find(run, &pat) != 0)
        return;
    key(w, "pattern");
    open_with(w, '{');
    key(w, "name");
    put_string(w, result_pattern_name(pat.kind));
    key(w, "edges");
    put_number(w, pat.edges);
    key(w, "share");
    put_number(w, pat.share);
    key(w, "key");
    put_text(w, pat.key);
    key(w, "change_s");
    put_number(w, pat.change_s);
    key(w, "change_factor");
    put_number(w, pat.factor);
    key(w, "moved_share");
    put_number(w, pat.moved);
    key(w, "period_s");
    put_number(w, pat.period_s);
    result_pattern_text(&pat, text, sizeof text);
    key(w, "text");
    put_string(w, text);
    result_pattern_cure(res, run, &pat, text, sizeof text);
    key(w, "cure");
    put_string(w, text);
    close_with(w, '}');
}

static void put_run(struct writer *w, const struct result *res, const struct result_run *run)
{
    put_fields(w, result_run_fields, run);
    key(w, "summary");
    open_with(w, '{');
    put_fields(w, result_summary_fields, &run->summary);
    close_with(w, '}');
    put_list(w, (struct list){"servers", run->servers, run->servers_len, sizeof *run->servers},
             result_server_fields);
    put_list(w, (struct list){"tables", run->tables, run->tables_len, sizeof *run->tables},
             result_table_fields);
    put_list(w, (struct list){"regions", run->regions, run->regions_len, sizeof *run->regions},
             result_region_fields);
    put_timeline(w, run);
    put_events(w, run);
    put_list(w, (struct list){"queries", run->queries, run->queries_len, sizeof *run->queries},
             result_query_fields);
    put_list(w, (struct list){"spreads", run->spreads, run->spreads_len, sizeof *run->spreads},
             result_spread_fields);
    if (run->keyspace.rows) {
        put_pattern(w, res, run);
        put_keyspace(w, &run->keyspace);
    }
}

static void put_setting(struct writer *w, const struct result_setting *set)
{
    if (set->text)
        put_string(w, set->text);
    else
        put_number(w, set->number);
}

/* A key that is given several times in a section becomes one array, in the given order. */
static void put_section(struct writer *w, const struct result *res, size_t begin)
{
    const char *section = res->scenario[begin].section;
    key(w, section);
    open_with(w, '{');
    for (size_t i = begin; i < res->scenario_len; i++) {
        const struct result_setting *set = &res->scenario[i];
        size_t before = 0, times = 0;
        for (size_t j = begin; j < res->scenario_len; j++) {
            const struct result_setting *other = &res->scenario[j];
            bool same = strcmp(other->section, section) == 0 && strcmp(other->key, set->key) == 0;
            times += same;
            before += same && j < i;
        }
        if (strcmp(set->section, section) != 0 || before > 0)
            continue;
        key(w, set->key);
        if (times > 1)
            open_with(w, '[');
        for (size_t j = i; j < res->scenario_len; j++) {
            const struct result_setting *other = &res->scenario[j];
            if (strcmp(other->section, section) != 0 || strcmp(other->key, set->key) != 0)
                continue;
            if (times > 1)
                separate(w);
            put_setting(w, other);
        }
        if (times > 1)
            close_with(w, ']');
    }
    close_with(w, '}');
}

static void put_scenario(struct writer *w, const struct result *res)
{
    key(w, "scenario");
    open_with(w, '{');
    for (size_t i = 0; i < res->scenario_len; i++) {
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++)
            seen = strcmp(res->scenario[j].section, res->scenario[i].section) == 0;
        if (!seen)
            put_section(w, res, i);
    }
    close_with(w, '}');
}

/* A seed that a reader of doubles would round is written as a text. */
static void put_seed(struct writer *w, uint64_t seed)
{
    const char *quote = seed > (UINT64_C(1) << 53) ? "\"" : "";
    key(w, "seed");
    fprintf(w->to, "%s%llu%s", quote, (unsigned long long)seed, quote);
}

static void put_plan(struct writer *w, const struct result_plan *plan)
{
    key(w, "plan");
    open_with(w, '{');
    put_fields(w, result_plan_fields, plan);
    w->line_depth++; /* a candidate a line */
    put_list(w, (struct list){"candidates", plan->candidates, plan->candidates_len,
                              sizeof *plan->candidates}, result_candidate_fields);
    if (plan->query_costs_len > 0)
        put_list(w, (struct list){"query_costs", plan->query_costs, plan->query_costs_len, sizeof *plan->query_costs},
                 result_query_cost_fields);
    put_list(w, (struct list){"stages", plan->stages, plan->stages_len, sizeof *plan->stages}, result_stage_fields);
    put_list(w, (struct list){"gates", plan->gates, plan->gates_len, sizeof *plan->gates}, result_gate_fields);
    put_list(w, (struct list){"variations", plan->variations, plan->variations_len, sizeof *plan->variations},
             result_variation_fields);
    put_list(w, (struct list){"assumptions", plan->assumptions, plan->assumptions_len, sizeof *plan->assumptions},
             result_assumption_fields);
    w->line_depth--;
    close_with(w, '}');
}

int result_write_json(const struct result *res, FILE *to)
{
    struct writer w = {.to = to, .first = true, .line_depth = 2};
    open_with(&w, '{');
    key(&w, "schema");
    put_string(&w, RESULT_SCHEMA);
    key(&w, "version");
    put_text(&w, res->version);
    key(&w, "title");
    put_text(&w, res->title);
    key(&w, "base_name");
    put_text(&w, res->base_name);
    put_scenario(&w, res);
    put_seed(&w, res->seed);
    key(&w, "partial");
    fputs(res->partial ? "true" : "false", to);
    put_run(&w, res, &res->run);
    put_list(&w, (struct list){"expectations", res->expectations, res->expectations_len,
                               sizeof *res->expectations}, result_expectation_fields);
    if (res->plan.present)
        put_plan(&w, &res->plan);
    put_list(&w, (struct list){"diagnostics", res->diagnostics, res->diagnostics_len,
                               sizeof *res->diagnostics}, result_diagnostic_fields);
    key(&w, "comparisons");
    open_with(&w, '[');
    for (size_t i = 0; i < res->comparisons_len; i++) {
        separate(&w);
        open_with(&w, '{');
        w.line_depth = 4;
        put_run(&w, res, &res->comparisons[i]);
        close_with(&w, '}');
        w.line_depth = 2;
    }
    close_with(&w, ']');
    close_with(&w, '}');
    fputc('\n', to);
    return ferror(to) ? -1 : 0;
}
