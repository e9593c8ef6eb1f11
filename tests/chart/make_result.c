/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "make_result.h"
#include "result/layouts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 20000.0

struct make_options make_defaults(void)
{
    return (struct make_options){12, 16, 7200, 240, 256, 40000, false};
}

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static char *text(const char *from)
{
    return need(strdup(from));
}

/* Splitmix64: tests have no business with the simulator's streams. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static char *key_text(int bucket, bool salted, double share)
{
    char out[80];
    unsigned ts = (unsigned)(share * 7200000.0);
    bool letter = bucket >= 0x20 && bucket < 0x7f && bucket != '\\'; /* as Bytes.toStringBinary writes it */
    int len = salted ? snprintf(out, sizeof out, letter ? "%c" : "\\x%02X", bucket) : 0;
    snprintf(out + len, sizeof out - (size_t)len, "\\x00\\x00\\x01\\x8B\\xCF\\x%02X\\x%02X\\x%02X",
             (ts >> 16) & 0xFF, (ts >> 8) & 0xFF, ts & 0xFF);
    return text(out);
}

static void add_servers(struct result_run *run, int servers)
{
    run->servers = need(calloc((size_t)servers, sizeof *run->servers));
    run->servers_len = (size_t)servers;
    for (int i = 0; i < servers; i++) {
        char name[24];
        snprintf(name, sizeof name, "rs%02d", i);
        run->servers[i].name = text(name);
    }
}

static void add_table(struct result_run *run, int buckets)
{
    run->tables = need(calloc(1, sizeof *run->tables));
    run->tables_len = 1;
    run->tables->name = text("telemetry");
    run->tables->buckets = buckets;
    run->tables->layout = text("ts:be64 device:fixed(16)");
    run->tables->salt = text(buckets ? "arrays-hash floorMod" : "none");
}

/* Each bucket's region on a server: as evenly as can be, random which. */
static void place(struct result_run *run, int buckets, uint64_t *random)
{
    int regions = buckets ? buckets : 1, servers = (int)run->servers_len;
    int *order = need(calloc((size_t)regions, sizeof *order));
    for (int i = 0; i < regions; i++) {
        int j = (int)(next(random) % (uint64_t)(i + 1));
        order[i] = order[j];
        order[j] = i;
    }
    for (int b = 0; b < regions; b++) {
        struct result_region *reg = need(result_add_region(run));
        char edge[16];
        reg->table = 0;
        reg->bucket = buckets ? b : -1;
        snprintf(edge, sizeof edge, "\\x%02X", (unsigned)b);
        reg->start = text(b ? edge : "");
        snprintf(edge, sizeof edge, "\\x%02X", (unsigned)(b + 1));
        reg->end = text(b + 1 < regions ? edge : "");
        reg->server_start = reg->server_end = order[b] % servers;
    }
    free(order);
}

static void add_split(struct result_run *run, int parent, double at_s, double share)
{
    int ids[2];
    for (int half = 0; half < 2; half++) {
        struct result_region *reg = need(result_add_region(run)), *old = &run->regions[parent];
        bool salted = old->bucket >= 0;
        ids[half] = reg->id;
        reg->table = 0;
        reg->bucket = old->bucket;
        reg->parent = parent;
        reg->birth_s = at_s;
        reg->start = half ? key_text(old->bucket, salted, share) : text(old->start);
        reg->end = half ? text(old->end) : key_text(old->bucket, salted, share);
        reg->server_start = reg->server_end = old->server_end;
    }
    run->regions[parent].death_s = at_s;
    struct result_event *ev = need(result_add_event(run));
    ev->at_s = at_s;
    ev->kind = "split";
    ev->table = 0;
    ev->region = parent;
    ev->server = run->regions[parent].server_end;
    ev->daughter_a = ids[0];
    ev->daughter_b = ids[1];
    ev->rule = "SteppingSplitPolicy";
    result_event_add_input(ev, "store_bytes", 270532608);
    result_event_add_input(ev, "regions_on_server", 1);
    ev->threshold = 268435456;
    ev->text = text("3 files of 258 MiB exceed 256 MiB, the only region of the table on its server");
}

/* Regions that are alone on their server split, then (unsalted) their last daughter again and again. */
static void add_splits(struct result_run *run, int buckets, double rate_per_s)
{
    double share_per_s = rate_per_s / (buckets ? buckets : 1), period_s = 258.0 * 1048576 / 150 / share_per_s;
    int first = (int)run->regions_len;
    for (int i = 0; i < first; i++) {
        int together = 0;
        for (int j = 0; j < first; j++)
            together += run->regions[j].server_end == run->regions[i].server_end;
        if (together > 1)
            continue;
        int parent = i;
        double at_s = period_s + i * 1.5;
        for (int n = 0; n < (buckets ? 1 : 6) && at_s < run->duration_s; n++, at_s += (n + 1) * 6 * period_s) {
            add_split(run, parent, at_s, at_s / run->duration_s * 0.5);
            parent = (int)run->regions_len - 1;
        }
    }
}

static int region_at(const struct result_run *run, const char *key, double at_s)
{
    int found = -1;
    for (size_t i = 0; i < run->regions_len; i++) {
        const struct result_region *reg = &run->regions[i];
        if (reg->birth_s > at_s || (!isnan(reg->death_s) && reg->death_s <= at_s))
            continue;
        if (result_key_compare(reg->start, key) <= 0 &&
            (!reg->end[0] || result_key_compare(key, reg->end) < 0))
            found = (int)i;
    }
    return found;
}

/* In each bucket the row that holds "now" takes all of its writes. */
static void add_keyspace(struct result_run *run, const struct make_options *opt, int buckets)
{
    struct result_keyspace *ks = &run->keyspace;
    int blocks = buckets ? buckets : 1, per = opt->rows / blocks < 1 ? 1 : opt->rows / blocks;
    if (result_keyspace_alloc(ks, (size_t)(per * blocks), (size_t)opt->columns) != 0)
        abort();
    ks->buckets = blocks;
    for (int c = 0; c <= opt->columns; c++)
        ks->times_s[c] = run->duration_s * c / opt->columns;
    for (int r = 0; r < per * blocks; r++) {
        ks->row_bucket[r] = r / per;
        ks->edges[r] = key_text(r / per, buckets > 0, (double)(r % per) / per);
    }
    double each = opt->rate_per_s / blocks;
    for (int r = 0; r < per * blocks; r++) {
        for (int c = 0; c < opt->columns; c++) {
            size_t cell = (size_t)r * (size_t)opt->columns + (size_t)c;
            int reg = region_at(run, ks->edges[r], ks->times_s[c]);
            ks->server[cell] = reg < 0 ? -1 : run->regions[reg].server_end;
            ks->cells[cell] = r % per == c * per / opt->columns ? fmin(each, CAPACITY) : 0;
        }
    }
}

static void add_windows(struct result_run *run, const struct make_options *opt, int buckets)
{
    const struct result_keyspace *ks = &run->keyspace;
    double step_s = run->duration_s / opt->columns, queued = 0;
    for (int c = 0; c < opt->columns; c++) {
        struct result_window *win = need(result_add_window(run));
        win->begin_s = c * step_s;
        win->end_s = (c + 1) * step_s;
        win->offered = opt->rate_per_s * step_s;
        double most = 0, share = 1.0 / (buckets ? buckets : 1);
        for (size_t r = 0; r < ks->rows; r++) {
            size_t cell = r * ks->columns + (size_t)c;
            if (!(ks->cells[cell] > 0))
                continue;
            double rows = ks->cells[cell] * step_s;
            win->done += rows;
            win->server_writes[ks->server[cell]] += rows;
            win->server_tails[ks->server[cell]] += 1;
        }
        for (size_t s = 0; s < run->servers_len; s++) {
            most = fmax(most, win->server_writes[s]);
            run->servers[s].writes += win->server_writes[s];
            win->tails_per_server_max = fmax(isnan(win->tails_per_server_max) ? 0 : win->tails_per_server_max,
                                             win->server_tails[s]);
            run->servers[s].tails = win->server_tails[s];
        }
        queued += win->offered - win->done;
        win->queued = queued;
        win->hot_server_ratio = most / (win->done / (double)run->servers_len);
        win->hot_region_share = share;
        win->hot_region_ratio = 1;
        win->write_tails = win->effective_tails = buckets ? buckets : 1;
        win->p50_us = 1100;
        win->p99_us = 2400 + 400 * sin(c * 0.7);
        win->p999_us = 9000 + (c % 24 == 10 ? 900000 : 0);
        win->max_us = win->p999_us * 1.2;
    }
}

static void count_events(struct result_run *run)
{
    for (size_t i = 0; i < run->events_len; i++)
        for (size_t w = 0; w < run->windows_len; w++)
            if (run->events[i].at_s >= run->windows[w].begin_s && run->events[i].at_s < run->windows[w].end_s) {
                run->windows[w].splits++;
                run->windows[w].blocked_s += 1;
            }
    for (size_t w = 0; w < run->windows_len; w++) {
        int ids[1];
        run->windows[w].regions = (double)result_regions_alive(run, 0, run->windows[w].end_s, ids, 1);
    }
}

static void sum_up(struct result_run *run, const struct make_options *opt, int buckets)
{
    struct result_summary *sum = &run->summary;
    int regions = buckets ? buckets : 1;
    double ratio = 0;
    for (size_t w = 0; w < run->windows_len; w++) {
        sum->writes_offered += run->windows[w].offered;
        sum->writes_done += run->windows[w].done;
        ratio += run->windows[w].hot_server_ratio / (double)run->windows_len;
    }
    sum->writes_queued = sum->writes_offered - sum->writes_done;
    sum->hot_server_ratio = ratio;
    sum->hot_server_ratio_total = ratio;
    sum->hot_region_share = 1.0 / regions;
    sum->hot_region_ratio = 1;
    sum->write_tails = sum->effective_tails = regions;
    sum->tails_per_server_max = run->windows[0].tails_per_server_max;
    sum->regions_start = regions;
    sum->splits = (double)run->events_len;
    sum->regions_end = regions + sum->splits;
    sum->write_p50_us = 1100;
    sum->write_p95_us = 1900;
    sum->write_p99_us = 2400;
    sum->write_p999_us = 9100;
    sum->write_mean_us = 1180.5;
    sum->write_max_us = 1090000;
    sum->max_write_rate_per_s = CAPACITY * (double)run->servers_len / ratio;
    sum->windows = opt->columns;
    sum->servers_idle = 0;
    for (size_t s = 0; s < run->servers_len; s++) {
        struct result_server *srv = &run->servers[s];
        srv->share = srv->writes / sum->writes_done;
        srv->utilisation = srv->writes / run->duration_s / CAPACITY;
        sum->servers_idle += srv->tails < 0.5;
    }
    run->tables->writes = sum->writes_done;
    run->tables->regions_start = sum->regions_start;
    run->tables->regions_end = sum->regions_end;
    run->tables->splits = sum->splits;
}

static void make_run(struct result_run *run, const struct make_options *opt, const char *role, int buckets)
{
    uint64_t random = 7;
    result_run_init(run);
    run->role = text(role);
    run->buckets = buckets;
    run->detail = text("write");
    run->duration_s = opt->duration_s;
    run->window_s = opt->duration_s / opt->columns;
    run->server_capacity_per_s = CAPACITY;
    add_servers(run, opt->servers);
    add_table(run, buckets);
    place(run, buckets, &random);
    add_splits(run, buckets, buckets ? opt->rate_per_s : fmin(opt->rate_per_s, CAPACITY));
    add_keyspace(run, opt, buckets);
    add_windows(run, opt, buckets);
    count_events(run);
    sum_up(run, opt, buckets);
    run->queries = need(calloc(1, sizeof *run->queries));
    run->queries_len = 1;
    result_query_init(run->queries);
    run->queries->name = text("window");
    run->queries->table = text("telemetry");
    run->queries->kind = text("range 5m");
    run->queries->scans = buckets ? buckets : 1;
    run->queries->regions = run->queries->scans;
}

static struct result_figure exactly(double value)
{
    return (struct result_figure){value, value, value};
}

/* What would change the answer: a case of each kind. */
static void add_variations(struct result_plan *plan)
{
    static const struct {
        const char *name;
        int n;
        double ratio, margin, headroom;
    } cases[] = {{"rate x2", 24, 1.5, -0.2, 1},  {"rate x0.5", 8, 1.5, 0.06, 7},     {"one server lost", 8, 1.4, 0.1, 2.6},
                 {"zipf", -1, 12, -6.5, -0.5},   {"scan budget halved", 0, 1.5, 0, 3}, {"no figures", 8, NAN, NAN, NAN}};
    plan->variations_len = sizeof cases / sizeof *cases;
    plan->variations = need(calloc(plan->variations_len, sizeof *plan->variations));
    for (size_t i = 0; i < plan->variations_len; i++)
        plan->variations[i] = (struct result_variation){text(cases[i].name), cases[i].n, cases[i].ratio, cases[i].margin,
                                                        cases[i].headroom, text("a case")};
}

/* Two queries: a range that gets dearer with N, and one whose rows are missing without a salt. */
static void add_query_costs(struct result_plan *plan)
{
    plan->query_costs = need(calloc(2 * plan->candidates_len, sizeof *plan->query_costs));
    for (size_t i = 0; i < plan->candidates_len; i++) {
        const double n = plan->candidates[i].n, scans = n > 1 ? n : 1;
        plan->query_costs[plan->query_costs_len++] =
            (struct result_query_cost){(int)n, text("latest"), text("newest 100"), scans, scans, scans, 100 * scans, 100,
                                       1000 + 50 * scans, 2000 + 90 * scans, 3000 + 100 * scans, 9000 + 200 * scans, 0.01,
                                       1500 + 60 * scans, 2500 + 90 * scans, 3500 + 100 * scans, 9500 + 200 * scans};
        plan->query_costs[plan->query_costs_len++] =
            (struct result_query_cost){(int)n, text("window"), text("range 5m"), scans, 1000, scans, n > 0 ? 12e6 : 3e5,
                                       n > 0 ? 12e6 : 3e5, 90e6 / scans, 95e6 / scans, 100e6 / scans, 120e6 / scans, 0.02,
                                       80e6 / scans, 85e6 / scans, 90e6 / scans, 100e6 / scans};
    }
}

static void add_plan(struct result_plan *plan, int servers)
{
    static const int n[] = {0, 1, 8, 12, 16, 24, 32, 48};
    plan->present = true;
    plan->recommended_n = 8;
    plan->demand_per_s = 40000;
    plan->smaller_n = 1;
    plan->smaller_why = text("hot_server_ratio is 12, target <= 1.6; max_write_rate_per_s is 20.0 k rows/s, target >= 40.0 k rows/s");
    plan->larger_n = 12;
    plan->larger_why = text("meets the targets too and loses for its price: 12 scans a query instead of 8");
    add_variations(plan);
    plan->reason = text("8 is the smallest that keeps hot_server_ratio <= 1.6; 12 would give each server one tail (1.00).");
    plan->targets = text("hot_server_ratio <= 1.6");
    plan->candidates_len = sizeof n / sizeof *n;
    plan->candidates = need(calloc(plan->candidates_len, sizeof *plan->candidates));
    for (size_t i = 0; i < plan->candidates_len; i++) {
        struct result_candidate *cand = &plan->candidates[i];
        int tails = n[i] ? n[i] : 1;
        double ratio = ceil((double)tails / servers) * servers / tails;
        result_candidate_init(cand);
        cand->n = n[i];
        cand->hot_server_ratio = exactly(ratio);
        cand->max_write_rate_per_s = exactly(CAPACITY * servers / ratio);
        cand->regions = exactly(tails + 8);
        cand->scans = cand->write_tails = exactly(tails);
        cand->servers_idle = exactly(tails < servers ? servers - tails : 0);
        cand->hot_bucket_share = exactly(1.0 / tails);
        cand->feasible = ratio <= 1.6;
        cand->why_not = cand->feasible ? NULL : text("hot_server_ratio 12 > 1.6");
    }
    add_query_costs(plan);
}

/* The table as it is, which serves one of two queries as a range, and one that serves both. */
static void add_layouts(struct result *res)
{
    struct result_layouts *all = res->layouts = need(calloc(1, sizeof *all));
    all->scenario = text("iot-telemetry");
    all->table = text("telemetry");
    all->all = need(calloc(2, sizeof *all->all));
    for (; all->len < 2; all->len++) {
        struct result_layout *l = &all->all[all->len];
        l->name = all->len ? "entity first" : "as given";
        l->key = text(all->len ? "device:fixed(16) ts:be64" : "ts:be64 device:fixed(16)");
        l->salt = text("arrays-hash floorMod over key, 16 buckets");
        result_run_init(&l->run);
        l->run.detail = text("flow");
        l->run.summary.write_tails = 16;
        l->run.summary.hot_server_ratio = 1.5;
        l->run.queries = need(calloc(2, sizeof *l->run.queries));
        for (; l->run.queries_len < 2; l->run.queries_len++) {
            struct result_query *q = &l->run.queries[l->run.queries_len];
            const bool first = l->run.queries_len == 0, filter = !first && all->len == 0;
            result_query_init(q);
            q->name = text(first ? "window" : "history");
            q->table = text("telemetry");
            q->kind = text(first ? "range 5m" : "history 1d");
            q->note = filter ? text("not a range of the key: all of the table is read") : NULL;
            q->scans = first || filter ? 16 : 1;
            q->rpcs = filter ? 90000 : 32;
            q->rows_scanned = filter ? 288e6 : 17280;
            q->rows_returned = 17280;
            q->p99_us = filter ? 210e6 : 12300;
            q->server_share = filter ? 1.3 : 0.02;
        }
    }
}

static void add_scenario(struct result *res, const struct make_options *opt)
{
    struct result_setting made[] = {
        {text("scenario"), text("duration_s"), NULL, opt->duration_s},
        {text("cluster"), text("servers"), NULL, opt->servers},
        {text("table telemetry"), text("key"), text("ts:be64 device:fixed(16)"), 0},
        {text("table telemetry"), text("buckets"), NULL, opt->buckets},
        {text("family telemetry/d"), text("column"), text("v:100"), 0},
        {text("family telemetry/d"), text("column"), text("q:4"), 0},
    };
    res->scenario = need(malloc(sizeof made));
    memcpy(res->scenario, made, sizeof made);
    res->scenario_len = sizeof made / sizeof *made;
}

/* As many figures of a real cluster as there are servers, in runs that differ, some with zeros. */
static void add_measurements(struct result *res, int servers)
{
    char name[60];
    res->measurements = need(calloc((size_t)servers, sizeof *res->measurements));
    for (int i = 0; i < servers; i++) {
        const double real = i % 7 == 6 ? 0 : exp2(i % 40);
        snprintf(name, sizeof name, "layout %d first_split_s_of_a_long_name", i);
        res->measurements[res->measurements_len++] =
            (struct result_measurement){text(name), real * 0.95, real * 1.05, real * (1 + 0.01 * (i % 13)), false};
    }
}

void make_result(const struct make_options *opt, struct result *res)
{
    char title[100];
    result_init(res);
    res->version = text("0.1.0");
    if (opt->buckets)
        snprintf(title, sizeof title, "IoT telemetry, %d buckets on %d servers", opt->buckets, opt->servers);
    else
        snprintf(title, sizeof title, "IoT telemetry, unsalted on %d servers", opt->servers);
    res->title = text(title);
    res->base_name = text("iot-telemetry");
    res->seed = 1;
    add_scenario(res, opt);
    make_run(&res->run, opt, "scenario", opt->buckets);
    if (opt->buckets) {
        res->comparisons = need(calloc(2, sizeof *res->comparisons));
        res->comparisons_len = 2;
        make_run(&res->comparisons[0], opt, "none", 0);
        make_run(&res->comparisons[1], opt, "twice", opt->buckets * 2 > 256 ? 256 : opt->buckets * 2);
    }
    if (opt->plan)
        add_plan(&res->plan, opt->servers);
    if (opt->plan)
        add_layouts(res);
    if (opt->plan)
        add_measurements(res, opt->servers);
}
