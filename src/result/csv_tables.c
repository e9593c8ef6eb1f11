/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CSV tables. Each begins with the run's role and buckets, so that the scenario and what it is
   compared with stand in one file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "result/csv.h"
#include "result/number.h"

static void begin_header(struct csv *csv)
{
    csv_text(csv, "role");
    csv_text(csv, "run_buckets");
}

static void begin_row(struct csv *csv, const struct result_run *run)
{
    csv_text(csv, run->role);
    csv_number(csv, run->buckets);
}

void result_csv_tables(const struct result *res, FILE *to)
{
    struct csv csv = {to, false};
    const struct result_run *run;
    begin_header(&csv);
    csv_header(&csv, result_table_fields);
    csv_end_row(&csv);
    for (size_t r = 0; (run = result_run_at(res, r)); r++) {
        for (size_t i = 0; i < run->tables_len; i++) {
            begin_row(&csv, run);
            csv_fields(&csv, result_table_fields, &run->tables[i]);
            csv_end_row(&csv);
        }
    }
}

void result_csv_regions(const struct result *res, FILE *to)
{
    struct csv csv = {to, false};
    const struct result_run *run;
    begin_header(&csv);
    csv_header(&csv, result_region_fields);
    csv_text(&csv, "table_name");
    csv_text(&csv, "server_start_name");
    csv_text(&csv, "server_end_name");
    csv_end_row(&csv);
    for (size_t r = 0; (run = result_run_at(res, r)); r++) {
        for (size_t i = 0; i < run->regions_len; i++) {
            const struct result_region *reg = &run->regions[i];
            begin_row(&csv, run);
            csv_fields(&csv, result_region_fields, reg);
            csv_text(&csv, result_table_name(run, reg->table));
            csv_text(&csv, result_server_name(run, reg->server_start));
            csv_text(&csv, result_server_name(run, reg->server_end));
            csv_end_row(&csv);
        }
    }
}

void result_csv_timeline(const struct result *res, FILE *to)
{
    struct csv csv = {to, false};
    const struct result_run *run;
    begin_header(&csv);
    csv_header(&csv, result_window_fields);
    csv_end_row(&csv);
    for (size_t r = 0; (run = result_run_at(res, r)); r++) {
        for (size_t i = 0; i < run->windows_len; i++) {
            begin_row(&csv, run);
            csv_fields(&csv, result_window_fields, &run->windows[i]);
            csv_end_row(&csv);
        }
    }
}

/* "name=value; name=value": the inputs of different rules differ, so they share one column. */
static void inputs_cell(struct csv *csv, const struct result_event *ev)
{
    char text[1024] = "", number[RESULT_NUMBER_CAP];
    size_t len = 0;
    for (size_t i = 0; ev->inputs && ev->inputs[i].name && len < sizeof text; i++) {
        result_number_text(ev->inputs[i].value, number);
        int used = snprintf(text + len, sizeof text - len, "%s%s=%s", i ? "; " : "", ev->inputs[i].name, number);
        len += used > 0 ? (size_t)used : 0;
    }
    csv_text(csv, text);
}

void result_csv_events(const struct result *res, FILE *to)
{
    struct csv csv = {to, false};
    const struct result_run *run;
    begin_header(&csv);
    csv_header(&csv, result_event_fields);
    csv_text(&csv, "inputs");
    csv_text(&csv, "server_name");
    csv_text(&csv, "to_server_name");
    csv_end_row(&csv);
    for (size_t r = 0; (run = result_run_at(res, r)); r++) {
        for (size_t i = 0; i < run->events_len; i++) {
            begin_row(&csv, run);
            csv_fields(&csv, result_event_fields, &run->events[i]);
            inputs_cell(&csv, &run->events[i]);
            csv_text(&csv, result_server_name(run, run->events[i].server));
            csv_text(&csv, result_server_name(run, run->events[i].to_server));
            csv_end_row(&csv);
        }
    }
}

void result_csv_queries(const struct result *res, FILE *to)
{
    struct csv csv = {to, false};
    const struct result_run *run;
    begin_header(&csv);
    csv_header(&csv, result_query_fields);
    csv_end_row(&csv);
    for (size_t r = 0; (run = result_run_at(res, r)); r++) {
        for (size_t i = 0; i < run->queries_len; i++) {
            begin_row(&csv, run);
            csv_fields(&csv, result_query_fields, &run->queries[i]);
            csv_end_row(&csv);
        }
    }
}

void result_csv_candidates(const struct result *res, FILE *to)
{
    struct csv csv = {to, false};
    csv_header(&csv, result_candidate_fields);
    csv_end_row(&csv);
    for (size_t i = 0; i < res->plan.candidates_len; i++) {
        csv_fields(&csv, result_candidate_fields, &res->plan.candidates[i]);
        csv_end_row(&csv);
    }
}

void result_csv_summary(const struct result *res, FILE *to)
{
    struct csv csv = {to, false};
    const struct result_run *run;
    begin_header(&csv);
    csv_text(&csv, "figure");
    csv_text(&csv, "value");
    csv_end_row(&csv);
    for (size_t r = 0; (run = result_run_at(res, r)); r++) {
        for (const struct result_field *f = result_summary_fields; f->name; f++) {
            begin_row(&csv, run);
            csv_text(&csv, f->name);
            csv_number(&csv, *(const double *)(const void *)((const char *)&run->summary + f->offset));
            csv_end_row(&csv);
        }
    }
}
