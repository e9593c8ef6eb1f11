/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded run once more in the model: from its placement, settings, chore phases and outages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "des/stream.h"
#include "hbase/model/model.h"
#include "hbase/rules/mutator.h"
#include "sim/sim.h"
#include "truth_end_to_end.h"

/* What the run's callbacks need and gather. */
struct replay {
    const struct e2e_record *rec;
    struct model *model;
    struct des_stream draws;
    double shift_s;           /* the model's writer sends a batch when its last row has come */
    uint64_t *seen;           /* rows of each region at the last window */
    size_t seen_len;
    double tails, windows;
};

size_t e2e_write_keys(const struct e2e_record *rec, const char *path)
{
    const uint64_t rows = (uint64_t)(rec->rate_per_s * rec->end_s + 0.5);
    uint8_t row[TRUTH_MAX_ROW];
    size_t width = 0;
    FILE *f = fopen(path, "wb");

    if (!f)
        return 0;
    for (uint64_t i = 0; i < rows; i++) {
        width = truth_row(&rec->stream, i, row);
        if (fwrite(row, 1, width, f) != width)
            width = 0;
    }
    return fclose(f) == 0 ? width : 0;
}

static des_time outage(void *context, enum region_trip trip)
{
    struct replay *rp = context;
    const struct e2e_outages *o = trip == TRIP_SPLIT ? &rp->rec->split
                                  : trip == TRIP_MOVE ? &rp->rec->move : &rp->rec->recover;

    if (o->len == 0)
        return trip == TRIP_SPLIT ? 1350 * DES_MS : 370 * DES_MS;
    return des_time_from_s(o->s[des_uniform_u32(&rp->draws, (uint32_t)o->len)]);
}

static des_time prepare(void *context)
{
    struct replay *rp = context;
    const struct e2e_outages *o = &rp->rec->prepare;

    return o->len > 0 ? des_time_from_s(o->s[des_uniform_u32(&rp->draws, (uint32_t)o->len)]) : 100 * DES_MS;
}

/* The first run of a chore whose last one was seen at |last|, itself late by up to a tenth of its period. */
static des_time next_run(struct replay *rp, double last, double period)
{
    double at = last - 0.1 * period * des_uniform(&rp->draws) + rp->shift_s;

    while (at < 0)
        at += period;
    return des_time_from_s(at);
}

static void built(void *context, struct model *m)
{
    struct replay *rp = context;
    const struct e2e_record *rec = rp->rec;

    rp->model = m;
    m->outages = (struct model_outages){outage, prepare, rp};
    for (int s = 0; s < rec->servers; s++)
        model_set_phase(m, CHORE_DISCHARGER, s, next_run(rp, rec->discharger_s[s], rec->discharger_period_s));
    model_set_phase(m, CHORE_STATUS, 0, next_run(rp, rec->status_s, rec->status_period_s));
    model_set_phase(m, CHORE_BALANCER, 0, next_run(rp, rec->balancer_s, rec->balancer_period_s));
}

/* Regions with at least 5 % of the window's rows. */
static void window_over(void *context, double share)
{
    struct replay *rp = context;
    const struct model *m = rp->model;
    uint64_t sum = 0;

    (void)share;
    if (des_now(m->cal) > des_time_from_s(rp->rec->end_s))
        return;
    if (m->regions_len > rp->seen_len) {
        rp->seen = realloc(rp->seen, m->regions_len * sizeof *rp->seen);
        if (!rp->seen)
            abort();
        memset(rp->seen + rp->seen_len, 0, (m->regions_len - rp->seen_len) * sizeof *rp->seen);
        rp->seen_len = m->regions_len;
    }
    for (size_t i = 0; i < m->regions_len; i++)
        sum += m->regions[i]->writes - rp->seen[i];
    for (size_t i = 0; i < m->regions_len; i++) {
        const uint64_t n = m->regions[i]->writes - rp->seen[i];

        rp->tails += n > 0 && (double)n >= 0.05 * (double)sum;
        rp->seen[i] = m->regions[i]->writes;
    }
    rp->windows += sum > 0;
}

static int add_events(const struct e2e_record *rec, double shift_s, struct spec *sp)
{
    size_t n = 0;

    sp->events = calloc(2, sizeof *sp->events);
    if (!sp->events)
        return -1;
    if (!isnan(rec->added_s))
        sp->events[n++] = (struct spec_event){.at_ns = des_time_from_s(rec->added_s + shift_s), .kind = SPEC_EVENT_ADD,
                                              .count = 1, .server = -1};
    if (!isnan(rec->killed_s)) {
        sp->events[n++] = (struct spec_event){.at_ns = des_time_from_s(rec->killed_s + shift_s),
                                              .kind = SPEC_EVENT_LOSE, .server = rec->killed};
        sp->hbase.balance.session_timeout_ns = des_time_from_s(rec->noticed_s - rec->killed_s);
    }
    sp->events_len = n;
    return 0;
}

/* Table.put(List) of a batch: one client whose buffer is full with the batch's last row. */
static int add_writer(const struct e2e_record *rec, const char *keys, size_t width, struct spec *sp)
{
    const struct spec_table *t = &sp->tables[0];
    const size_t prefix = strncmp(t->salt, "md5hex", 6) == 0 ? 5 : t->buckets > 0 ? 1 : 0;
    const uint32_t family = 1;
    const struct mutator_column column = {1, (uint32_t)t->families[0].columns[0].value_bytes, 0};
    const uint64_t heap = put_heap_bytes_columns(width + prefix, &family, &column, 1);
    struct spec_stream *s = calloc(1, sizeof *s);

    if (!s)
        return -1;
    sp->streams = s;
    sp->streams_len = 1;
    s->tables = calloc(1, sizeof *s->tables);
    s->name = malloc(sizeof "w");
    s->keys_file = malloc(strlen(keys) + 1);
    if (!s->tables || !s->name || !s->keys_file)
        return -1;
    strcpy(s->name, "w");
    strcpy(s->keys_file, keys);
    s->tables[0] = malloc(sizeof "t");
    if (!s->tables[0])
        return -1;
    strcpy(s->tables[0], "t");
    s->tables_len = 1;
    s->entities = 1;
    s->arrival = SPEC_ARRIVAL_CONSTANT;
    s->rate_per_s = rec->rate_per_s;
    s->clients = 1;
    s->buffer_bytes = (int64_t)(heap * (uint64_t)(rec->rate_per_s * rec->batch_s - 1));
    s->start_ms = INT64_C(1700000000000);
    s->keys_format = SPEC_KEYS_BINARY;
    s->keys_width = (int)width;
    return 0;
}

static void count_balancer(const struct result_event *e, double *v)
{
    if (strcmp(e->rule, "regions-in-transition") == 0 || strcmp(e->rule, "dead-servers") == 0)
        v[E2E_SKIPPED]++;
    else
        v[E2E_NEEDED] += strcmp(e->rule, "idle-server") == 0 || strcmp(e->rule, "slop") == 0 ||
                         strcmp(e->rule, "cost") == 0;
}

static void count_events(const struct replay *rp, const struct result_run *run, double *v)
{
    double flushed[4096];
    size_t flushes = 0;

    for (size_t i = 0; i < run->events_len; i++) {
        const struct result_event *e = &run->events[i];
        const double at = e->at_s - rp->shift_s;

        if (at > rp->rec->end_s)
            break;
        if (strcmp(e->kind, "flush") == 0) {
            v[E2E_FLUSHES]++;
            if (result_event_input(e, "heap_bytes") > e->threshold && flushes < 4096)
                flushed[flushes++] = result_event_input(e, "cells");
        } else if (strcmp(e->kind, "compaction") == 0) {
            v[E2E_COMPACTIONS]++;
        } else if (strcmp(e->kind, "split") == 0) {
            v[E2E_SPLITS]++;
            if (isnan(v[E2E_FIRST_SPLIT_S]))
                v[E2E_FIRST_SPLIT_S] = at;
            v[E2E_FIRST_WAVE] += at < v[E2E_FIRST_SPLIT_S] + 5 && run->regions[e->region].parent < 0;
        } else if (strcmp(e->kind, "move") == 0) {
            v[E2E_MOVES] += e->table >= 0;
            if (e->to_server == rp->rec->servers && isnan(v[E2E_FILLED_S]))
                v[E2E_FILLED_S] = at - rp->rec->added_s;
        } else if (strcmp(e->kind, "balancer") == 0) {
            count_balancer(e, v);
        } else if (strcmp(e->kind, "recovered") == 0) {
            v[E2E_BACK_S] = at - rp->rec->killed_s;
        }
    }
    v[E2E_ROWS_A_FLUSH] = e2e_median(flushed, flushes);
}

static void look_at_windows(const struct e2e_record *rec, const struct result_run *run, double *v)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < run->windows_len && run->windows[i].end_s <= rec->end_s; i++) {
        if (!isnan(run->windows[i].hot_server_ratio)) {
            sum += run->windows[i].hot_server_ratio;
            n++;
        }
        v[E2E_REGIONS] = run->windows[i].regions;
    }
    v[E2E_HOT_RATIO] = n > 0 ? sum / n : (double)NAN;
}

int e2e_run(const struct e2e_record *rec, const char *keys, size_t width, uint64_t seed, struct e2e_figures *out)
{
    struct replay rp = {.rec = rec, .shift_s = rec->batch_s - 1 / rec->rate_per_s};
    const struct sim_control control = {.progress = window_over, .context = &rp, .built = built};
    struct sim_end end = {false, ""};
    struct result_run run;
    struct spec sp;
    int rc;

    result_run_init(&run);
    if (spec_copy(&rec->spec, &sp) != 0)
        return -1;
    sp.seed = seed;
    des_stream_init(&rp.draws, seed, "truth");
    rc = add_events(rec, rp.shift_s, &sp);
    if (rc == 0)
        rc = add_writer(rec, keys, width, &sp);
    if (rc == 0)
        rc = sim_run(&sp, &control, &run, &end);
    if (rc == 0) {
        memset(out, 0, sizeof *out);
        out->value[E2E_FIRST_SPLIT_S] = out->value[E2E_FILLED_S] = out->value[E2E_BACK_S] = (double)NAN;
        count_events(&rp, &run, out->value);
        for (size_t i = 0; i < run.regions_len; i++)
            out->value[E2E_ROWS] += run.regions[i].writes;
        look_at_windows(rec, &run, out->value);
        out->value[E2E_TAILS] = rp.windows > 0 ? rp.tails / rp.windows : (double)NAN;
    } else {
        fprintf(stderr, "%s: %s\n", rec->name, end.message);
    }
    free(rp.seen);
    result_run_free(&run);
    spec_free(&sp);
    return rc;
}
