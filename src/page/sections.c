/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/sections.h"

#include <math.h>
#include <string.h>

#include "page/html.h"
#include "report/report.h"
#include "result/format.h"
#include "result/number.h"
#include "result/pattern.h"

#define RUNS_MAX 3
#define EVENTS_MAX 100
#define SERVERS_MAX 60

static const char *count(double value, char text[FORMAT_CAP])
{
    return format_count(value, text);
}

void section_numbers(const struct result *res, FILE *to)
{
    char names[RUNS_MAX][RESULT_NAME_CAP + 1], text[FORMAT_CAP];
    const char *heads[RUNS_MAX + 2] = {""};
    size_t runs = 0;
    if (!res->run.servers_len)
        return;
    for (; runs < RUNS_MAX && result_run_at(res, runs); runs++) {
        names[runs][0] = '#';
        result_run_name(result_run_at(res, runs), names[runs] + 1);
        heads[runs + 1] = names[runs];
    }
    html_element(to, "h2", NULL, "Numbers");
    html_table_open(to, heads);
    for (const struct report_figure *fig = report_figures; fig->label; fig++) {
        if (!report_figure_known(res, fig))
            continue;
        fputs("<tr><th scope=\"row\">", to);
        html_text(to, fig->label);
        fputs("</th>", to);
        for (size_t i = 0; i < runs; i++)
            html_cell(to, fig->format(fig->value(result_run_at(res, i)), text), true);
        fputs("</tr>\n", to);
    }
    html_table_close(to);
}

void section_patterns(const struct result *res, FILE *to)
{
    static const char *const heads[] = {"run", "pattern", "what is seen", "what helps", NULL};
    if (!res->run.keyspace.rows)
        return;
    html_element(to, "h2", NULL, "Where the writes go");
    html_table_open(to, heads);
    for (size_t i = 0; result_run_at(res, i); i++) {
        const struct result_run *run = result_run_at(res, i);
        struct result_pattern pat;
        char text[400], name[RESULT_NAME_CAP], title[RESULT_PATTERN_CAP];
        if (result_pattern_find(run, &pat) != 0)
            continue;
        fputs("<tr>", to);
        html_cell(to, result_run_name(run, name), false);
        html_cell(to, result_pattern_title(&pat, title), false);
        result_pattern_text(&pat, text, sizeof text);
        html_cell(to, text, false);
        result_pattern_cure(res, run, &pat, text, sizeof text);
        html_cell(to, text, false);
        fputs("</tr>\n", to);
    }
    html_table_close(to);
}

/* "1.50x", with its interval where the plan ran several times. */
static void figure_cell(FILE *to, const struct result_figure *fig, const char *(*format)(double, char[FORMAT_CAP]))
{
    char mean[FORMAT_CAP], lo[FORMAT_CAP], hi[FORMAT_CAP], text[3 * FORMAT_CAP + 16];
    format(fig->mean, mean);
    if (isfinite(fig->lo) && isfinite(fig->hi) && strcmp(format(fig->lo, lo), format(fig->hi, hi)) != 0)
        snprintf(text, sizeof text, "%s (%s to %s)", mean, lo, hi);
    else
        snprintf(text, sizeof text, "%s", mean);
    html_cell(to, text, true);
}

void section_candidates(const struct result *res, FILE *to)
{
    static const char *const heads[] = {"#N", "#hot server ratio", "#saturates at", "#write tails", "#idle servers",
                                        "#scans", "#regions", "", NULL};
    const struct result_plan *plan = &res->plan;
    char text[FORMAT_CAP];
    if (!plan->present)
        return;
    html_element(to, "h2", NULL, "Candidates");
    if (plan->targets)
        html_element(to, "p", NULL, plan->targets);
    html_table_open(to, heads);
    for (size_t i = 0; i < plan->candidates_len; i++) {
        const struct result_candidate *cand = &plan->candidates[i];
        bool chosen = cand->n == plan->recommended_n;
        fputs(chosen ? "<tr class=\"chosen\">" : "<tr>", to);
        html_cell(to, cand->n ? count(cand->n, text) : "none", true);
        figure_cell(to, &cand->hot_server_ratio, format_ratio);
        figure_cell(to, &cand->max_write_rate_per_s, format_rate);
        figure_cell(to, &cand->write_tails, format_count);
        figure_cell(to, &cand->servers_idle, format_count);
        figure_cell(to, &cand->scans, format_count);
        figure_cell(to, &cand->regions, format_count);
        html_cell(to, chosen ? "recommended" : cand->feasible ? "meets the targets" : cand->why_not ? cand->why_not :
                  "does not meet the targets", false);
        fputs("</tr>\n", to);
    }
    html_table_close(to);
}

void section_queries(const struct result *res, FILE *to)
{
    static const char *const heads[] = {"query", "table", "kind", "#scans", "#regions", "#RPCs", "#rows read",
                                        "#rows returned", "#p50", "#p99", NULL};
    char text[FORMAT_CAP];
    if (!res->run.queries_len)
        return;
    html_element(to, "h2", NULL, "Queries");
    html_table_open(to, heads);
    for (size_t i = 0; i < res->run.queries_len; i++) {
        const struct result_query *query = &res->run.queries[i];
        fputs("<tr>", to);
        html_cell(to, query->name, false);
        html_cell(to, query->table, false);
        html_cell(to, query->kind, false);
        html_cell(to, count(query->scans, text), true);
        html_cell(to, count(query->regions, text), true);
        html_cell(to, count(query->rpcs, text), true);
        html_cell(to, count(query->rows_scanned, text), true);
        html_cell(to, count(query->rows_returned, text), true);
        html_cell(to, format_latency(query->p50_us, text), true);
        html_cell(to, format_latency(query->p99_us, text), true);
        fputs("</tr>\n", to);
    }
    html_table_close(to);
}

void section_servers(const struct result *res, FILE *to)
{
    static const char *const heads[] = {"server", "#share of the writes", "#busy", "#write tails", "#regions at the end",
                                        "#flushes", "#compactions", "#splits", "#moves in", "#moves out", NULL};
    const struct result_run *run = &res->run;
    char text[FORMAT_CAP];
    if (!run->servers_len || run->servers_len > SERVERS_MAX)
        return;
    html_element(to, "h2", NULL, "Servers");
    html_table_open(to, heads);
    for (size_t i = 0; i < run->servers_len; i++) {
        const struct result_server *srv = &run->servers[i];
        fputs("<tr>", to);
        html_cell(to, srv->name, false);
        html_cell(to, format_percent(srv->share, text), true);
        html_cell(to, format_percent(srv->utilisation, text), true);
        const double counts[] = {srv->tails, srv->regions_end, srv->flushes, srv->compactions, srv->splits,
                                 srv->moves_in, srv->moves_out};
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            html_cell(to, count(counts[c], text), true);
        fputs("</tr>\n", to);
    }
    html_table_close(to);
}

/* Flushes and compactions are the daily bread: counted in the numbers, listed in events.csv. */
static bool event_is_shown(const struct result_event *ev)
{
    return ev->kind && strcmp(ev->kind, "flush") != 0 && strcmp(ev->kind, "compaction") != 0;
}

void section_events(const struct result *res, FILE *to)
{
    static const char *const heads[] = {"#at", "what", "table", "server", "rule", "why", NULL};
    const struct result_run *run = &res->run;
    size_t shown = 0, all = 0;
    char text[FORMAT_CAP];
    for (size_t i = 0; i < run->events_len; i++)
        all += event_is_shown(&run->events[i]);
    if (all == 0)
        return;
    html_element(to, "h2", NULL, "Events");
    html_table_open(to, heads);
    for (size_t i = 0; i < run->events_len && shown < EVENTS_MAX; i++) {
        const struct result_event *ev = &run->events[i];
        const char *table = result_table_name(run, ev->table), *server = result_server_name(run, ev->server);
        if (!event_is_shown(ev))
            continue;
        shown++;
        fputs("<tr>", to);
        html_cell(to, format_time(ev->at_s, text), true);
        html_cell(to, ev->kind, false);
        html_cell(to, table ? table : "", false);
        html_cell(to, server ? server : "", false);
        html_cell(to, ev->rule ? ev->rule : "", false);
        html_cell(to, ev->text ? ev->text : "", false);
        fputs("</tr>\n", to);
    }
    html_table_close(to);
    if (shown < all)
        fprintf(to, "<p>The first %zu of %zu; the rest, and every flush and compaction, is in events.csv.</p>\n", shown, all);
}

void section_notes(const struct result *res, FILE *to)
{
    char rate[FORMAT_CAP];
    html_element(to, "h2", NULL, "Assumptions and notes");
    fputs("<ul>\n", to);
    fprintf(to, "<li>Each server is one queue that carries %s; latencies follow from this figure and the disk's, which the "
            "scenario states. Compare candidates by them, promise none of them.</li>\n",
            format_rate(res->run.server_capacity_per_s, rate));
    fputs("<li>Regions, memstores, files, splits, placement and the balancer follow HBase 2.6's rules; what is modelled "
          "and how close it comes stands in doc/fidelity.md.</li>\n", to);
    for (size_t i = 0; i < res->diagnostics_len; i++) {
        fprintf(to, "<li>");
        html_text(to, res->diagnostics[i].severity);
        fputs(": ", to);
        html_text(to, res->diagnostics[i].text);
        fputs("</li>\n", to);
    }
    fputs("</ul>\n", to);
}

void section_scenario(const struct result *res, FILE *to)
{
    static const char *const heads[] = {"section", "key", "value", NULL};
    if (!res->scenario_len)
        return;
    html_element(to, "h2", NULL, "Scenario as it was resolved");
    fputs("<details><summary>All values in base units; seed ", to);
    fprintf(to, "%llu</summary>\n", (unsigned long long)res->seed);
    html_table_open(to, heads);
    for (size_t i = 0; i < res->scenario_len; i++) {
        const struct result_setting *set = &res->scenario[i];
        char number[RESULT_NUMBER_CAP + 1];
        bool same = i > 0 && strcmp(set->section, res->scenario[i - 1].section) == 0;
        number[result_number_text(set->number, number)] = '\0';
        fputs("<tr>", to);
        html_cell(to, same ? "" : set->section, false);
        html_cell(to, set->key, false);
        html_cell(to, set->text ? set->text : number, false);
        fputs("</tr>\n", to);
    }
    html_table_close(to);
    fputs("</details>\n", to);
}
