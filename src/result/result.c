/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/layouts.h"

static void figure_init(struct result_figure *fig)
{
    fig->mean = fig->lo = fig->hi = (double)NAN;
}

void result_candidate_init(struct result_candidate *cand)
{
    memset(cand, 0, sizeof *cand);
    figure_init(&cand->hot_server_ratio);
    figure_init(&cand->max_write_rate_per_s);
    figure_init(&cand->scan_p99_us);
    figure_init(&cand->scan_rpcs);
    figure_init(&cand->regions);
    figure_init(&cand->scans);
    figure_init(&cand->write_tails);
    figure_init(&cand->servers_idle);
    figure_init(&cand->hot_bucket_share);
    cand->margin = cand->breaks_at_s = cand->confirmed_ratio = (double)NAN;
}

void result_summary_init(struct result_summary *sum)
{
    /* It holds nothing but doubles. */
    for (size_t i = 0; i < sizeof *sum / sizeof(double); i++)
        ((double *)(void *)sum)[i] = (double)NAN;
}

void result_query_init(struct result_query *query)
{
    memset(query, 0, sizeof *query);
    query->scans = query->regions = query->rpcs = (double)NAN;
    query->rows_scanned = query->rows_returned = query->bytes = (double)NAN;
    query->p50_us = query->p95_us = query->p99_us = query->p999_us = (double)NAN;
    query->sampled = query->timed = query->server_share = (double)NAN;
    query->cache_hit_share = query->rows_lost_share = query->retries = (double)NAN;
    query->independent_p50_us = query->independent_p95_us = (double)NAN;
    query->independent_p99_us = query->independent_p999_us = (double)NAN;
}

static const struct {
    const char *name;
    size_t offset;
} query_figures[] = {
#define FIGURE(name, member) {name, offsetof(struct result_query, member)}
    FIGURE("scans", scans),     FIGURE("rpcs", rpcs),       FIGURE("regions", regions), FIGURE("p50", p50_us),
    FIGURE("p95", p95_us),      FIGURE("p99", p99_us),      FIGURE("p999", p999_us),
    FIGURE("rows_scanned", rows_scanned),
#undef FIGURE
};

bool result_query_figure(const struct result_run *run, const char *name, double *value)
{
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot && i < run->queries_len; i++) {
        const struct result_query *q = &run->queries[i];

        if (strlen(q->name) != (size_t)(dot - name) || memcmp(q->name, name, (size_t)(dot - name)) != 0)
            continue;
        for (size_t k = 0; k < sizeof query_figures / sizeof query_figures[0]; k++) {
            if (strcmp(query_figures[k].name, dot + 1) != 0)
                continue;
            memcpy(value, (const char *)q + query_figures[k].offset, sizeof *value);
            return true;
        }
    }
    return false;
}

void result_run_init(struct result_run *run)
{
    memset(run, 0, sizeof *run);
    struct result_summary *sum = &run->summary;
    run->server_capacity_per_s = (double)NAN;
    sum->hot_server_ratio = sum->hot_server_ratio_total = (double)NAN;
    sum->hot_region_share = sum->hot_region_ratio = (double)NAN;
    sum->write_tails = sum->effective_tails = sum->tails_per_server_max = sum->servers_idle = (double)NAN;
    sum->write_p50_us = sum->write_p95_us = sum->write_p99_us = sum->write_p999_us = (double)NAN;
    sum->write_mean_us = sum->write_max_us = (double)NAN;
    sum->max_write_rate_per_s = sum->queue_age_max_s = (double)NAN;
}

void result_init(struct result *res)
{
    memset(res, 0, sizeof *res);
    result_run_init(&res->run);
    res->plan.recommended_n = res->plan.smaller_n = res->plan.larger_n = res->plan.even_n = -1;
    res->plan.breaks_at_per_s = res->plan.demand_per_s = res->plan.floor_per_s = (double)NAN;
}

static void keyspace_free(struct result_keyspace *ks)
{
    for (size_t i = 0; ks->edges && i < ks->rows; i++)
        free(ks->edges[i]);
    free(ks->edges);
    free(ks->row_bucket);
    free(ks->times_s);
    free(ks->cells);
    free(ks->server);
}

static void tables_free(struct result_run *run)
{
    for (size_t i = 0; run->tables && i < run->tables_len; i++) {
        free(run->tables[i].name);
        free(run->tables[i].layout);
        free(run->tables[i].salt);
    }
    free(run->tables);
}

void result_query_free(struct result_query *query)
{
    free(query->name);
    free(query->table);
    free(query->kind);
    free(query->note);
}

static void queries_free(struct result_run *run)
{
    for (size_t i = 0; run->queries && i < run->queries_len; i++)
        result_query_free(&run->queries[i]);
    for (size_t i = 0; i < run->spreads_len; i++) {
        free(run->spreads[i].name);
        free(run->spreads[i].most_at);
        free(run->spreads[i].least_at);
        free(run->spreads[i].verdict);
    }
    free(run->spreads);
    free(run->queries);
}

void result_run_free(struct result_run *run)
{
    for (size_t i = 0; run->servers && i < run->servers_len; i++)
        free(run->servers[i].name);
    free(run->servers);
    for (size_t i = 0; i < run->regions_len; i++) {
        free(run->regions[i].start);
        free(run->regions[i].end);
    }
    free(run->regions);
    for (size_t i = 0; i < run->windows_len; i++) {
        free(run->windows[i].server_writes);
        free(run->windows[i].server_tails);
    }
    free(run->windows);
    for (size_t i = 0; i < run->events_len; i++) {
        free(run->events[i].text);
        free(run->events[i].files);
    }
    free(run->events);
    for (size_t i = 0; i < run->texts_len; i++)
        free(run->texts[i]);
    free(run->texts);
    tables_free(run);
    queries_free(run);
    keyspace_free(&run->keyspace);
    free(run->role);
    free(run->detail);
    result_run_init(run);
}

static void expectation_free(struct result_expectation *exp)
{
    free(exp->name);
    free(exp->verdict);
    free(exp->metric);
    free(exp->scope);
    free(exp->window);
    free(exp->formula);
    free(exp->where);
    free(exp->issue);
    free(exp->text);
}

void result_free(struct result *res)
{
    free(res->version);
    free(res->title);
    free(res->base_name);
    for (size_t i = 0; res->scenario && i < res->scenario_len; i++) {
        free(res->scenario[i].section);
        free(res->scenario[i].key);
        free(res->scenario[i].text);
    }
    free(res->scenario);
    result_run_free(&res->run);
    for (size_t i = 0; res->comparisons && i < res->comparisons_len; i++)
        result_run_free(&res->comparisons[i]);
    free(res->comparisons);
    result_plan_free(&res->plan);
    for (size_t i = 0; i < res->expectations_len; i++)
        expectation_free(&res->expectations[i]);
    free(res->expectations);
    for (size_t i = 0; i < res->diagnostics_len; i++) {
        free(res->diagnostics[i].severity);
        free(res->diagnostics[i].id);
        free(res->diagnostics[i].text);
    }
    free(res->diagnostics);
    if (res->layouts)
        result_layouts_free(res->layouts);
    free(res->layouts);
    for (size_t i = 0; i < res->measurements_len; i++)
        free(res->measurements[i].name);
    free(res->measurements);
    result_init(res);
}

/* Room for one more of |size| bytes behind |len|; NULL without memory, the old array stays. */
static void *grow(void *array, size_t len, size_t *cap, size_t size)
{
    if (len < *cap)
        return array;
    size_t more = *cap ? *cap * 2 : 64;
    if (more < *cap || more > SIZE_MAX / size)
        return NULL;
    void *bigger = realloc(array, more * size);
    if (bigger)
        *cap = more;
    return bigger;
}

struct result_region *result_add_region(struct result_run *run)
{
    void *array = grow(run->regions, run->regions_len, &run->regions_cap, sizeof *run->regions);
    if (!array)
        return NULL;
    run->regions = array;
    struct result_region *reg = &run->regions[run->regions_len];
    memset(reg, 0, sizeof *reg);
    reg->id = (int)run->regions_len++;
    reg->table = reg->bucket = reg->parent = reg->server_start = reg->server_end = -1;
    reg->death_s = (double)NAN;
    return reg;
}

struct result_window *result_add_window(struct result_run *run)
{
    void *array = grow(run->windows, run->windows_len, &run->windows_cap, sizeof *run->windows);
    if (!array)
        return NULL;
    run->windows = array;
    struct result_window *win = &run->windows[run->windows_len];
    memset(win, 0, sizeof *win);
    size_t servers = run->servers_len ? run->servers_len : 1;
    win->server_writes = calloc(servers, sizeof *win->server_writes);
    win->server_tails = calloc(servers, sizeof *win->server_tails);
    if (!win->server_writes || !win->server_tails) {
        free(win->server_writes);
        free(win->server_tails);
        return NULL;
    }
    win->hot_server_ratio = win->hot_region_share = win->hot_region_ratio = (double)NAN;
    win->write_tails = win->effective_tails = win->tails_per_server_max = (double)NAN;
    win->p50_us = win->p99_us = win->p999_us = win->max_us = (double)NAN;
    run->windows_len++;
    return win;
}

struct result_event *result_add_event(struct result_run *run)
{
    void *array = grow(run->events, run->events_len, &run->events_cap, sizeof *run->events);
    if (!array)
        return NULL;
    run->events = array;
    struct result_event *ev = &run->events[run->events_len];
    memset(ev, 0, sizeof *ev);
    ev->id = (int)run->events_len++;
    ev->table = ev->region = ev->server = ev->to_server = ev->daughter_a = ev->daughter_b = -1;
    ev->threshold = (double)NAN;
    return ev;
}

const char *result_keep_text(struct result_run *run, const char *text)
{
    for (size_t i = 0; i < run->texts_len; i++)
        if (strcmp(run->texts[i], text) == 0)
            return run->texts[i];
    void *array = grow(run->texts, run->texts_len, &run->texts_cap, sizeof *run->texts);
    if (!array)
        return NULL;
    run->texts = array;
    char *copy = strdup(text);
    if (copy)
        run->texts[run->texts_len++] = copy;
    return copy;
}

int result_keyspace_alloc(struct result_keyspace *ks, size_t rows, size_t columns)
{
    if (columns > SIZE_MAX / sizeof(double) - 1 || (columns && rows > SIZE_MAX / sizeof(double) / columns))
        return -1;
    size_t cells = rows > 0 && columns > 0 ? rows * columns : 1;
    struct result_keyspace made = {.table = ks->table, .rows = rows, .columns = columns, .buckets = 1};
    made.edges = calloc(rows ? rows : 1, sizeof *made.edges);
    made.row_bucket = calloc(rows ? rows : 1, sizeof *made.row_bucket);
    made.times_s = calloc(columns + 1, sizeof *made.times_s);
    made.cells = malloc(cells * sizeof *made.cells);
    made.server = malloc(cells * sizeof *made.server);
    if (!made.edges || !made.row_bucket || !made.times_s || !made.cells || !made.server) {
        keyspace_free(&made);
        return -1;
    }
    for (size_t i = 0; i < cells; i++) {
        made.cells[i] = (double)NAN;
        made.server[i] = -1;
    }
    *ks = made;
    return 0;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/* The next byte of a toStringBinary text, -1 at its end. */
static int next_byte(const char **text)
{
    const char *at = *text;
    if (!*at)
        return -1;
    if (at[0] == '\\' && at[1] == 'x' && hex_digit(at[2]) >= 0 && hex_digit(at[3]) >= 0) {
        *text = at + 4;
        return hex_digit(at[2]) * 16 + hex_digit(at[3]);
    }
    *text = at + 1;
    return (unsigned char)at[0];
}

int result_key_compare(const char *a, const char *b)
{
    for (;;) {
        int byte_a = next_byte(&a), byte_b = next_byte(&b);
        if (byte_a != byte_b)
            return byte_a < byte_b ? -1 : 1;
        if (byte_a < 0)
            return 0;
    }
}

const struct result_run *result_run_at(const struct result *res, size_t index)
{
    if (index == 0)
        return &res->run;
    return index <= res->comparisons_len ? &res->comparisons[index - 1] : NULL;
}

const struct result_run *result_comparison(const struct result *res, const char *role)
{
    for (size_t i = 0; i < res->comparisons_len; i++)
        if (res->comparisons[i].role && strcmp(res->comparisons[i].role, role) == 0)
            return &res->comparisons[i];
    return NULL;
}

const char *result_server_name(const struct result_run *run, int server)
{
    return server >= 0 && (size_t)server < run->servers_len ? run->servers[server].name : NULL;
}

const char *result_table_name(const struct result_run *run, int table)
{
    return table >= 0 && (size_t)table < run->tables_len ? run->tables[table].name : NULL;
}

const char *result_run_name(const struct result_run *run, char out[RESULT_NAME_CAP])
{
    const char *salt = NULL;
    for (size_t i = 0; i < run->tables_len && !salt; i++)
        if (run->tables[i].salt && run->tables[i].salt[0] && strcmp(run->tables[i].salt, "none") != 0)
            salt = run->tables[i].salt;
    bool unsalted = !salt || (run->role && strcmp(run->role, "none") == 0);
    if (run->buckets > 0)
        snprintf(out, RESULT_NAME_CAP, "%d bucket%s", run->buckets, run->buckets == 1 ? "" : "s");
    else if (unsalted)
        strcpy(out, "unsalted");
    else
        snprintf(out, RESULT_NAME_CAP, "salt %.40s", salt);
    return out;
}

int result_add_diagnostic(struct result *res, const char *severity, const char *id, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    struct result_diagnostic *array =
        realloc(res->diagnostics, (res->diagnostics_len + 1) * sizeof *array);
    if (!array)
        return -1;
    res->diagnostics = array;
    struct result_diagnostic made = {strdup(severity), strdup(id), strdup(text)};
    if (!made.severity || !made.id || !made.text) {
        free(made.severity);
        free(made.id);
        free(made.text);
        return -1;
    }
    array[res->diagnostics_len++] = made;
    return 0;
}

/* Heap sort of region ids by (start key, id): qsort has no room for the run, and no recursion. */
static bool region_before(const struct result_run *run, int a, int b)
{
    const char *start_a = run->regions[a].start ? run->regions[a].start : "";
    const char *start_b = run->regions[b].start ? run->regions[b].start : "";
    int order = result_key_compare(start_a, start_b);
    return order < 0 || (order == 0 && a < b);
}

static void sift_down(const struct result_run *run, int *ids, size_t root, size_t len)
{
    for (size_t child; (child = 2 * root + 1) < len; root = child) {
        if (child + 1 < len && region_before(run, ids[child], ids[child + 1]))
            child++;
        if (!region_before(run, ids[root], ids[child]))
            return;
        int swap = ids[root];
        ids[root] = ids[child];
        ids[child] = swap;
    }
}

static void sort_regions(const struct result_run *run, int *ids, size_t len)
{
    for (size_t i = len / 2; i-- > 0;)
        sift_down(run, ids, i, len);
    for (size_t i = len; i-- > 1;) {
        int last = ids[0];
        ids[0] = ids[i];
        ids[i] = last;
        sift_down(run, ids, 0, i);
    }
}

size_t result_regions_alive(const struct result_run *run, int table, double at_s, int *ids, size_t cap)
{
    size_t alive = 0;
    for (size_t i = 0; i < run->regions_len; i++) {
        const struct result_region *reg = &run->regions[i];
        bool dead = !isnan(reg->death_s) && reg->death_s <= at_s;
        if (reg->table != table || reg->birth_s > at_s || dead)
            continue;
        if (alive < cap)
            ids[alive] = (int)i;
        alive++;
    }
    sort_regions(run, ids, alive < cap ? alive : cap);
    return alive;
}

double result_event_input(const struct result_event *ev, const char *name)
{
    for (size_t i = 0; i < RESULT_INPUTS && ev->inputs[i].name; i++)
        if (strcmp(ev->inputs[i].name, name) == 0)
            return ev->inputs[i].value;
    return (double)NAN;
}

void result_event_add_input(struct result_event *ev, const char *name, double value)
{
    size_t i = 0;
    while (i < RESULT_INPUTS && ev->inputs[i].name)
        i++;
    if (i < RESULT_INPUTS)
        ev->inputs[i] = (struct result_input){name, value};
}
