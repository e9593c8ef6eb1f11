/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CSV tables. Each begins with the run's role and buckets, so that the scenario and what it is
   compared with stand in one file. */
#include <math.h>
#include <string.h>

#include "report/report.h"
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

static void write_tables(const struct result *res, FILE *to)
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

static void write_regions(const struct result *res, FILE *to)
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

static void write_timeline(const struct result *res, FILE *to)
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
    for (size_t i = 0; i < RESULT_INPUTS && ev->inputs[i].name && len < sizeof text; i++) {
        result_number_text(ev->inputs[i].value, number);
        int used = snprintf(text + len, sizeof text - len, "%s%s=%s", i ? "; " : "", ev->inputs[i].name, number);
        len += used > 0 ? (size_t)used : 0;
    }
    csv_text(csv, text);
}

static void write_events(const struct result *res, FILE *to)
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

static void write_queries(const struct result *res, FILE *to)
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

static void write_candidates(const struct result *res, FILE *to)
{
    struct csv csv = {to, false};
    csv_header(&csv, result_candidate_fields);
    csv_end_row(&csv);
    for (size_t i = 0; i < res->plan.candidates_len; i++) {
        csv_fields(&csv, result_candidate_fields, &res->plan.candidates[i]);
        csv_end_row(&csv);
    }
}

const struct report_table report_tables[] = {
    {"servers.csv", result_csv_servers, false},
    {"tables.csv", write_tables, false},
    {"regions.csv", write_regions, false},
    {"timeline.csv", write_timeline, false},
    {"events.csv", write_events, false},
    {"queries.csv", write_queries, false},
    {"candidates.csv", write_candidates, true},
    {NULL, NULL, false}
};
