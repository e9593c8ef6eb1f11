/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/sim.h"

#include "chance/chance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/fluid.h"
#include "client/writer.h"
#include "sim/keyspace.h"
#include "sim/partition.h"
#include "sim/placement.h"
#include "sim/spread.h"
#include "sim/queries.h"
#include "sim/summary.h"

/* Rows kept of a sample window for the key space picture. */
#define KEYSPACE_SAMPLES 1024
#define KEYSPACE_FLOW_SAMPLES 512
/* A window counts when it has at least this many writes a server. */
#define WINDOW_WRITES 1000
/* The rest at the end with fewer of them counts all the same when it is this share of the run. */
#define REST_SHARE 0.1
/* Keys kept of each memstore and file in `flow`, where millions of them are made. */
#define FLOW_SAMPLE 32

/* A stream as it is read by all tables that it writes to. */
struct stream_run {
    struct arrivals arrivals;
    struct keyfile file;
    bool has_file;
};

/* One run's parts. */
struct sim {
    const struct spec *spec;
    const struct sim_control *control;
    struct result_run *run;
    struct des_calendar *cal;
    struct model *model;
    struct stream_run *streams;
    struct keystream keys[SPEC_WRITERS_MAX];
    size_t keys_len;
    struct writer writers[SPEC_WRITERS_MAX]; /* of the level `write` */
    size_t writers_len;
    struct fluid fluid;       /* of `tick` and `flow` */
    bool is_fluid;
    struct des_histogram latency, window; /* of all writers: the run, the present window */
    int writer_table[SPEC_WRITERS_MAX];
    size_t *row_max;
    struct keyspace keyspace;
    struct queries queries;
    struct sim_end *end;
    /* sample windows */
    des_time window_begin;
    uint64_t done_before, offered_before, rejected_before;
    size_t joined;
};

static int say(struct sim *s, int rc, const char *what)
{
    snprintf(s->end->message, sizeof s->end->message, "%s", what);
    return rc;
}

static int table_index(const struct spec *sp, const char *name)
{
    for (size_t i = 0; i < sp->tables_len; i++)
        if (strcmp(sp->tables[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int open_stream(struct sim *s, const struct spec_stream *st, struct stream_run *run)
{
    struct keyfile_error err;
    char text[320];

    if (arrivals_init(&run->arrivals, st, s->spec->seed) != 0 ||
        arrivals_shape_to(&run->arrivals, st, s->spec->seed, s->spec->duration_ns) != 0)
        return say(s, SIM_BAD_SPEC, "a stream's rate or number of entities is out of range");
    if (!st->keys_file)
        return 0;
    if (keyfile_read(st->keys_file, st->keys_format, st->keys_width, &run->file, &err) != 0) {
        if (err.line > 0)
            snprintf(text, sizeof text, "%.80s:%zu: %s", st->keys_file, err.line, err.reason);
        else
            snprintf(text, sizeof text, "%.80s: %s", st->keys_file, err.reason);
        return say(s, SIM_BAD_FILE, text);
    }
    run->has_file = true;
    if (run->file.count < run->arrivals.rows_max)
        run->arrivals.rows_max = run->file.count;
    return 0;
}

/* The keys of each stream for each of its tables, and each table's longest row. */
static int open_keys(struct sim *s)
{
    const struct spec *sp = s->spec;
    int rc = 0;

    s->streams = calloc(sp->streams_len, sizeof *s->streams);
    s->row_max = calloc(sp->tables_len, sizeof *s->row_max);
    if (!s->streams || !s->row_max)
        return say(s, SIM_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < sp->streams_len && rc == 0; i++) {
        const struct spec_stream *st = &sp->streams[i];

        rc = open_stream(s, st, &s->streams[i]);
        for (size_t k = 0; k < st->tables_len && rc == 0; k++) {
            const int t = table_index(sp, st->tables[k]);
            struct saltkey_error err = {0, 0, ""};
            struct keystream *ks = &s->keys[s->keys_len];

            if (t < 0 || s->keys_len == SPEC_WRITERS_MAX)
                return say(s, SIM_BAD_SPEC, t < 0 ? "a stream names an unknown table" : "too many streams");
            if (keystream_init(ks, &sp->tables[t], &s->streams[i].arrivals,
                               s->streams[i].has_file ? &s->streams[i].file : NULL, &err) != 0)
                return say(s, SIM_BAD_SPEC, err.reason[0] ? err.reason : "a stream's keys don't fit its table");
            s->writer_table[s->keys_len++] = t;
            if (ks->row_max > s->row_max[t])
                s->row_max[t] = ks->row_max;
        }
    }
    for (size_t t = 0; t < sp->tables_len; t++)
        if (s->row_max[t] == 0)
            s->row_max[t] = 256; /* nobody writes there */
    return rc;
}

static int open_writers(struct sim *s)
{
    const struct spec *sp = s->spec;
    size_t at = 0;

    for (size_t i = 0; i < sp->streams_len; i++) {
        for (size_t k = 0; k < sp->streams[i].tables_len; k++, at++) {
            const struct writer_setup setup = {s->model, &s->streams[i].arrivals, &s->keys[at],
                                               &sp->streams[i], s->writer_table[at], sp->duration_ns,
                                               sp->seed};

            if (writer_init(&s->writers[at], &setup) != 0)
                return say(s, SIM_NO_MEMORY, "out of memory");
            s->writers_len++;
        }
    }
    return 0;
}

static int open_fluid(struct sim *s)
{
    struct fluid_input inputs[SPEC_WRITERS_MAX];
    const struct spec *sp = s->spec;
    size_t at = 0;

    for (size_t i = 0; i < sp->streams_len; i++)
        for (size_t k = 0; k < sp->streams[i].tables_len; k++, at++)
            inputs[at] = (struct fluid_input){&s->streams[i].arrivals, &s->keys[at], &sp->streams[i],
                                              s->writer_table[at]};
    if (fluid_init(&s->fluid, s->model, inputs, at, spec_window_ns(sp)) != 0)
        return say(s, SIM_NO_MEMORY, "out of memory");
    s->is_fluid = true;
    return 0;
}

static int open_queries(struct sim *s, bool coarse)
{
    struct queries_source sources[SPEC_WRITERS_MAX];
    const struct spec *sp = s->spec;
    size_t at = 0;

    if (s->control && s->control->no_reads)
        return 0;
    for (size_t i = 0; i < sp->streams_len; i++)
        for (size_t k = 0; k < sp->streams[i].tables_len; k++, at++)
            sources[at] = (struct queries_source){&s->keys[at], s->writer_table[at],
                                                  arrivals_before(&s->streams[i].arrivals, sp->duration_ns)};
    if (queries_init(&s->queries, s->model,
                     &(struct queries_setup){sources, at, s->is_fluid ? &s->fluid.last : NULL, coarse,
                                             s->control && s->control->summary_only}) != 0)
        return say(s, SIM_NO_MEMORY, "out of memory");
    queries_start(&s->queries, sp->duration_ns);
    return 0;
}

/* All keys begin with the time: those of a region come in their order. */
static bool keys_in_order(const struct sim *s)
{
    for (size_t i = 0; i < s->keys_len; i++)
        if (!s->keys[i].first_known || s->keys[i].first_by != KEY_ROLE_TIME)
            return false;
    return true;
}

/* Lets the writers of the run's level begin. */
static int start(struct sim *s, enum spec_detail detail)
{
    int rc;

    if (detail == SPEC_DETAIL_WRITE) {
        rc = open_writers(s);
        for (size_t i = 0; rc == 0 && i < s->writers_len; i++)
            writer_start(&s->writers[i]);
        return rc == 0 ? open_queries(s, false) : rc;
    }
    rc = open_fluid(s);
    if (rc == 0) {
        s->model->brief = detail == SPEC_DETAIL_FLOW;
        if (detail == SPEC_DETAIL_TICK && keys_in_order(s))
            sample_budget_in_order(&s->model->samples);
        if (detail == SPEC_DETAIL_FLOW)
            sample_budget_coarse(&s->model->samples, FLOW_SAMPLE, keys_in_order(s));
        s->fluid.few_counts = s->control && s->control->summary_only;
        fluid_start(&s->fluid, s->spec->duration_ns, detail == SPEC_DETAIL_FLOW);
        rc = open_queries(s, detail == SPEC_DETAIL_FLOW);
    }
    return rc;
}

static uint64_t sum_done(const struct sim *s)
{
    uint64_t n = s->fluid.done;

    for (size_t i = 0; i < s->writers_len; i++)
        n += s->writers[i].done;
    return n;
}

static uint64_t sum_rejected(const struct sim *s)
{
    uint64_t n = 0;

    for (size_t i = 0; i < s->writers_len; i++)
        n += s->writers[i].rejected;
    return n;
}

static uint64_t sum_offered(const struct sim *s, des_time now)
{
    uint64_t n = s->is_fluid ? fluid_offered(&s->fluid, now) : 0;

    for (size_t i = 0; i < s->writers_len; i++)
        n += writer_offered(&s->writers[i], now);
    return n;
}

static double us(const struct des_histogram *h, double q)
{
    uint64_t ns;

    return des_histogram_quantile(h, q, &ns) == DES_OK ? (double)ns / 1000.0 : (double)NAN;
}

/* What the clients know of the window that ends now. */
static int window_of_clients(struct sim *s, struct result_window *w, des_time now)
{
    const uint64_t done = sum_done(s), offered = sum_offered(s, now), rejected = sum_rejected(s);

    w->offered = (double)(offered - s->offered_before);
    w->rejected = (double)(rejected - s->rejected_before);
    w->queued = (double)(offered - done - rejected);
    s->offered_before = offered;
    s->rejected_before = rejected;
    s->done_before = done;
    des_histogram_clear(&s->window);
    for (size_t i = 0; i < s->writers_len; i++)
        writer_take_window(&s->writers[i], &s->window);
    w->p50_us = us(&s->window, 0.5);
    w->p99_us = us(&s->window, 0.99);
    w->p999_us = us(&s->window, 0.999);
    w->max_us = us(&s->window, 1);
    return 0;
}

/* Ends a sample window: joined to the next when it has too few writes to be judged, unless the run
   ends here. */
static int sample(struct sim *s, des_time now, bool last)
{
    const uint64_t done = sum_done(s) - s->done_before;
    const bool enough = done >= (uint64_t)WINDOW_WRITES * model_live_servers(s->model);
    struct result_window *w;

    if (!enough && !last) {
        s->joined++;
        return 0;
    }
    if (now == s->window_begin)
        return 0;
    w = model_window(s->model, s->window_begin, now);
    if (!w)
        return SIM_NO_MEMORY;
    w->joined = s->joined > 0;
    s->run->summary.windows++;
    s->run->summary.windows_joined += (double)s->joined;
    if (done == 0)
        s->run->summary.windows_empty++;
    /* A short rest at the end is shown but not judged, unless it is all there is. */
    if (!enough && s->run->windows_len > 1 && (double)(now - s->window_begin) < REST_SHARE * (double)now)
        w->hot_server_ratio = w->hot_region_share = w->hot_region_ratio = NAN;
    s->joined = 0;
    s->window_begin = now;
    s->keyspace.window = (uint32_t)s->run->windows_len;
    return window_of_clients(s, w, now);
}

static int check_model(struct sim *s)
{
    return model_check(s->model) == 0 ? 0 : say(s, SIM_BROKEN, "the model broke one of its invariants");
}

/* A window of a long run takes a while: someone who asks it to stop is heard so often in each. */
#define HEARD 64

/* To the end of a window, or until asked to stop: the run is partial then. */
static int run_window(struct sim *s, des_time until)
{
    const des_time from = des_now(s->cal);

    for (int k = 1; k <= HEARD; k++) {
        if (sim_asked_to_stop(s->control)) {
            s->end->partial = true;
            break;
        }
        if (des_run(s->cal, k < HEARD ? from + (until - from) / HEARD * k : until) != DES_OK)
            return say(s, s->model->error == MODEL_BROKEN ? SIM_BROKEN : SIM_NO_MEMORY,
                       s->model->error == MODEL_BROKEN ? "the model broke one of its invariants" : "out of memory");
    }
    if (s->is_fluid)
        fluid_settle(&s->fluid, des_now(s->cal));
    return 0;
}

/* Lets the clock go, window by window. */
static int go(struct sim *s)
{
    const des_time end = s->spec->duration_ns, step = spec_window_ns(s->spec);
    int rc = 0;

    for (des_time t = step; rc == 0; t += step) {
        const des_time until = t < end ? t : end;

        rc = run_window(s, until);
        if (rc != 0 || s->end->partial)
            break;
        rc = sample(s, until, until == end);
#ifdef SALTPLAN_DEBUG
        if (rc == 0)
            rc = check_model(s);
#endif
        if (s->control && s->control->progress)
            s->control->progress(s->control->context, (double)until / (double)end);
        if (until == end)
            break;
    }
    if (rc == 0 && s->end->partial)
        rc = sample(s, des_now(s->cal), true);
    return rc == 0 ? check_model(s) : rc;
}

/* Totals, latency, queries, the key space: all that is known at the end. */
static int finish(struct sim *s)
{
    struct result_summary *sum = &s->run->summary;
    const des_time now = des_now(s->cal);
    des_time oldest = 0;
    int rc;

    s->run->duration_s = des_time_to_s(now);
    sum->writes_offered = (double)sum_offered(s, now);
    sum->writes_done = (double)sum_done(s);
    sum->writes_rejected = (double)sum_rejected(s);
    sum->writes_queued = sum->writes_offered - sum->writes_done - sum->writes_rejected;
    sum->writes_buffered = 0;
    for (size_t i = 0; i < s->writers_len; i++)
        sum->writes_buffered += (double)writer_buffered(&s->writers[i], now);
    sum->write_refusals = (double)s->model->refusals;
    sum->connection_losses = (double)s->model->connection_losses;
    for (size_t i = 0; i < s->writers_len; i++) {
        writer_take_window(&s->writers[i], NULL);
        des_histogram_merge(&s->latency, &s->writers[i].latency);
        oldest = s->writers[i].oldest_wait > oldest ? s->writers[i].oldest_wait : oldest;
    }
    sum->queue_age_max_s = des_time_to_s(s->is_fluid ? s->fluid.oldest_wait : oldest);
    summary_latency(s->run, &s->latency);
    rc = s->run->windows_len > 0 && placement_stacked(&s->run->windows[s->run->windows_len - 1])
             ? model_log_cures(s->model) : 0;
    if (rc == 0)
        rc = model_finish(s->model, now);
    if (rc == 0)
        rc = summary_fill(s->run);
    if (rc == 0)
        rc = placement_fill(s->run);
    if (rc == 0)
        spread_fill(s->run);
    if (rc == 0)
        rc = chance_fill(s->run) == 0 ? 0 : SIM_NO_MEMORY;
    if (rc == 0)
        rc = queries_fill(s->model, &s->queries, s->streams[0].arrivals.start_ms + now / DES_MS, s->run);
    if (rc == 0)
        rc = keyspace_finish(&s->keyspace, s->run);
    return rc == 0 ? 0 : rc == MODEL_BROKEN ? say(s, SIM_BROKEN, "a query doesn't fit its table")
                                            : say(s, SIM_NO_MEMORY, "out of memory");
}

/* The level that `auto` stands for, by the rows that the run has. */
static enum spec_detail detail_of(const struct sim *s)
{
    double rows = 0;

    if (s->spec->detail != SPEC_DETAIL_AUTO)
        return s->spec->detail;
    for (size_t i = 0; i < s->spec->streams_len; i++)
        rows += (double)arrivals_before(&s->streams[i].arrivals, s->spec->duration_ns) *
                (double)s->spec->streams[i].tables_len;
    return spec_detail_for(rows);
}

static int name_detail(struct sim *s, enum spec_detail detail)
{
    const char *name = detail == SPEC_DETAIL_WRITE ? "write" : detail == SPEC_DETAIL_TICK ? "tick" : "flow";

    s->run->detail = malloc(strlen(name) + 1);
    if (!s->run->detail)
        return say(s, SIM_NO_MEMORY, "out of memory");
    strcpy(s->run->detail, name);
    return 0;
}

static int run_name(struct sim *s)
{
    struct result_run *run = s->run;

    run->window_s = des_time_to_s(spec_window_ns(s->spec));
    run->server_capacity_per_s = spec_write_capacity_per_s(s->spec);
    run->summary.windows = run->summary.windows_joined = run->summary.windows_empty = 0;
    for (size_t i = 0; i < s->spec->tables_len; i++)
        if (run->buckets == 0)
            run->buckets = s->spec->tables[i].buckets;
    return 0;
}

static void sim_free(struct sim *s)
{
    for (size_t i = 0; i < s->writers_len; i++)
        writer_free(&s->writers[i]);
    if (s->is_fluid)
        fluid_free(&s->fluid);
    des_histogram_free(&s->latency);
    des_histogram_free(&s->window);
    keyspace_free(&s->keyspace);
    queries_free(&s->queries);
    model_free(s->model);
    des_calendar_free(s->cal);
    for (size_t i = 0; i < s->keys_len; i++)
        keystream_free(&s->keys[i]);
    for (size_t i = 0; s->streams && i < s->spec->streams_len; i++) {
        arrivals_free(&s->streams[i].arrivals);
        if (s->streams[i].has_file)
            keyfile_free(&s->streams[i].file);
    }
    free(s->streams);
    free(s->row_max);
    free(s);
}

static int run_spec(const struct spec *sp, const struct sim_control *control, struct result_run *run,
                    struct sim_end *end)
{
    struct sim *s = calloc(1, sizeof *s);
    enum spec_detail detail = SPEC_DETAIL_WRITE;
    uint64_t windows;
    int rc;

    *end = (struct sim_end){false, ""};
    if (!s)
        return SIM_NO_MEMORY;
    *s = (struct sim){.spec = sp, .control = control, .run = run, .end = end};
    rc = run_name(s);
    if (rc == 0)
        rc = open_keys(s);
    if (rc == 0) {
        detail = detail_of(s);
        rc = name_detail(s, detail);
    }
    if (rc == 0 && !(s->cal = des_calendar_new()))
        rc = say(s, SIM_NO_MEMORY, "out of memory");
    if (rc == 0) {
        const int m = model_new(sp, s->row_max, s->cal, run, &s->model);

        if (m != 0)
            rc = m == MODEL_BAD_SPLITS ? say(s, SIM_BAD_SPEC, "a table's split points make no sense")
                                       : say(s, SIM_NO_MEMORY, "out of memory");
    }
    if (rc == 0 && (des_histogram_init(&s->latency, WRITER_PRECISION, WRITER_LATENCY_MOST) != 0 ||
                    des_histogram_init(&s->window, WRITER_PRECISION, WRITER_LATENCY_MOST) != 0))
        rc = say(s, SIM_NO_MEMORY, "out of memory");
    if (rc == 0)
        rc = start(s, detail);
    if (rc == 0) {
        windows = (uint64_t)(sp->duration_ns / spec_window_ns(sp)) + 1;
        keyspace_init(&s->keyspace, s->model, s->writer_table[0], sum_offered(s, sp->duration_ns),
                      windows * (detail == SPEC_DETAIL_FLOW ? KEYSPACE_FLOW_SAMPLES : KEYSPACE_SAMPLES));
        if (!control || !control->summary_only)
            model_set_tap(s->model, keyspace_tap(&s->keyspace));
        if (control && control->built)
            control->built(control->context, s->model);
        rc = go(s);
    }
    if (rc == 0)
        rc = finish(s);
    sim_free(s);
    return rc;
}

int sim_run(const struct spec *sp, const struct sim_control *control, struct result_run *run,
            struct sim_end *end)
{
    struct spec parts;
    int rc = SIM_NO_MEMORY;

    if (!partition_wanted(sp))
        return run_spec(sp, control, run, end);
    *end = (struct sim_end){false, "out of memory"};
    if (partition_expand(sp, &parts) == 0)
        rc = run_spec(&parts, control, run, end);
    spec_free(&parts);
    return rc;
}
