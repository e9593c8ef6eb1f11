/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "report/plan.h"
#include "report/report.h"
#include "result/format.h"

#define MONTH_S (365.0 * 86400 / 12)

/* Text of a scenario inside a table or a paragraph: nothing in it may end the cell, begin markup or a
   tag. */
static void put(FILE *to, const char *text)
{
    for (const char *at = text ? text : "-"; *at; at++) {
        const unsigned char c = (unsigned char)*at;

        if (c < 0x20)
            fputc(' ', to);
        else if (c == '<')
            fputs("&lt;", to);
        else if (c == '>')
            fputs("&gt;", to);
        else if (c == '&')
            fputs("&amp;", to);
        else if (strchr("\\`*_|[]#", c))
            fprintf(to, "\\%c", c);
        else
            fputc(c, to);
    }
}

static void put_n(FILE *to, int n)
{
    if (n < 0)
        fputs("none is feasible", to);
    else if (n == 0)
        fputs("no salt", to);
    else
        fprintf(to, "%d", n);
}

/* "1.50 (1.49 to 1.51)"; the interval only where it is wider than the figure's last digit. */
static void put_figure(FILE *to, const struct result_figure *fig, const char *(*format)(double, char[FORMAT_CAP]))
{
    char mean[FORMAT_CAP], lo[FORMAT_CAP], hi[FORMAT_CAP];

    fputs(format(fig->mean, mean), to);
    format(fig->lo, lo);
    format(fig->hi, hi);
    if (strcmp(lo, hi) != 0)
        fprintf(to, " (%s to %s)", lo, hi);
}

static void head(const struct result *res, FILE *to)
{
    char text[4096];
    const struct result_plan *plan = &res->plan;

    fputs("# ", to);
    put(to, res->title);
    fputs("\n\n", to);
    report_verdict(res, text, sizeof text);
    fputs("**", to);
    put(to, text);
    fputs("**\n\n", to);
    fputs("Scenario ", to);
    put(to, res->base_name);
    fprintf(to, ", seed %llu, saltplan ", (unsigned long long)res->seed);
    put(to, res->version);
    fputs(". Targets: ", to);
    put(to, plan->targets && plan->targets[0] ? plan->targets : "none");
    fputs(".\n\n", to);
}

static void reason_line(FILE *to, const char *label, int n, const char *why)
{
    if (!why)
        return;
    fprintf(to, "- %s", label);
    if (n >= 0) {
        fputs(" ", to);
        put_n(to, n);
    }
    fputs(": ", to);
    put(to, why);
    fputs("\n", to);
}

static void reasons(const struct result_plan *plan, FILE *to)
{
    reason_line(to, "Why not the next smaller,", plan->smaller_n, plan->smaller_n >= 0 ? plan->smaller_why : NULL);
    reason_line(to, "Why not the next larger,", plan->larger_n, plan->larger_n >= 0 ? plan->larger_why : NULL);
    reason_line(to, "What a growing load breaks first", -1, plan->breaks_first);
    reason_line(to, "Even at every size", -1, plan->even_text);
    reason_line(to, "The usual advice", -1, plan->rule_of_thumb);
    fputs("\n", to);
}

/* What the run of the plan's N says: warnings, notes, and its queries that have one. */
static void run_notes(const struct result *res, FILE *to)
{
    size_t said = 0;

    for (size_t i = 0; i < res->diagnostics_len; i++, said++) {
        fputs("- ", to);
        put(to, res->diagnostics[i].severity);
        fputs(": ", to);
        put(to, res->diagnostics[i].text);
        fputs("\n", to);
    }
    for (size_t i = 0; i < res->run.queries_len; i++) {
        if (!res->run.queries[i].note)
            continue;
        said++;
        fputs("- query ", to);
        put(to, res->run.queries[i].name);
        fputs(": ", to);
        put(to, res->run.queries[i].note);
        fputs("\n", to);
    }
    if (said > 0)
        fputs("\n", to);
}

static void candidates(const struct result_plan *plan, FILE *to)
{
    char text[FORMAT_CAP];

    fputs("## Candidates\n\n| N | hot server ratio | full at | write tails | idle servers | scans a query | regions | "
          "margin | |\n|---|---|---|---|---|---|---|---|---|\n", to);
    for (size_t i = 0; i < plan->candidates_len; i++) {
        const struct result_candidate *c = &plan->candidates[i];

        fputs("| ", to);
        put_n(to, c->n);
        fputs(" | ", to);
        put_figure(to, &c->hot_server_ratio, format_ratio);
        fputs(" | ", to);
        put_figure(to, &c->max_write_rate_per_s, format_rate);
        fputs(" | ", to);
        put_figure(to, &c->write_tails, format_count);
        fputs(" | ", to);
        put_figure(to, &c->servers_idle, format_count);
        fputs(" | ", to);
        put_figure(to, &c->scans, format_count);
        fputs(" | ", to);
        put_figure(to, &c->regions, format_count);
        if (isfinite(c->margin))
            fprintf(to, " | %.0f %%", 100 * c->margin);
        else
            fputs(" | -", to);
        fputs(" | ", to);
        put(to, c->n == plan->recommended_n ? "recommended" : c->feasible ? "meets" : c->why_not);
        fputs(" |\n", to);
    }
    if (plan->candidates_len > 0)
        fprintf(to, "\nFigures are means over %s to a candidate, 95 %% intervals in brackets.\n\n",
                plan->candidates[0].replications > 1 ? "20 and more placements" : format_count(plan->candidates[0].replications, text));
}

static void growth(const struct result_plan *plan, FILE *to)
{
    char rate[FORMAT_CAP], full[FORMAT_CAP], ratio[FORMAT_CAP], room[FORMAT_CAP];

    if (plan->stages_len == 0)
        return;
    fputs("## Growth\n\n| N | month | servers | load | hot server ratio | full at | room | |\n|---|---|---|---|---|---|---|---|\n", to);
    for (size_t i = 0; i < plan->stages_len; i++) {
        const struct result_stage *st = &plan->stages[i];

        fputs("| ", to);
        put_n(to, st->n);
        fprintf(to, " | %.0f | %.0f | %s | %s | %s | %s | %s |\n", st->at_s / MONTH_S, st->servers,
                format_rate(st->rate_per_s, rate), format_ratio(st->hot_server_ratio, ratio),
                format_rate(st->max_write_rate_per_s, full), format_percent(st->headroom, room),
                st->meets ? "meets" : "misses a target");
    }
    fputs("\n", to);
}

static void gates(const struct result_plan *plan, FILE *to)
{
    if (plan->gates_len == 0)
        return;
    fputs("## Gates\n\n| | gate | numbers | what to set | source |\n|---|---|---|---|---|\n", to);
    for (size_t i = 0; i < plan->gates_len; i++) {
        const struct result_gate *g = &plan->gates[i];
        const char *cells[] = {g->level, g->id, g->text, g->hint ? g->hint : "", g->source};

        for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
            fputs("| ", to);
            put(to, cells[k]);
            fputs(" ", to);
        }
        fputs("|\n", to);
    }
    fputs("\n", to);
}

static void variations(const struct result_plan *plan, FILE *to)
{
    char ratio[FORMAT_CAP];

    if (plan->variations_len == 0)
        return;
    fputs("## What would change the answer\n\n| if | recommended N | hot server ratio of this plan's N | its margin | |\n"
          "|---|---|---|---|---|\n", to);
    for (size_t i = 0; i < plan->variations_len; i++) {
        const struct result_variation *var = &plan->variations[i];

        fputs("| ", to);
        put(to, var->name);
        fputs(" | ", to);
        put_n(to, var->recommended_n);
        fprintf(to, " | %s | ", format_ratio(var->hot_server_ratio, ratio));
        if (isfinite(var->margin))
            fprintf(to, "%.0f %%", 100 * var->margin);
        fputs(" | ", to);
        put(to, var->text);
        fputs(" |\n", to);
    }
    fputs("\n", to);
}

static void assumptions(const struct result_plan *plan, FILE *to)
{
    if (plan->assumptions_len == 0)
        return;
    fputs("## Assumptions\n\n", to);
    for (size_t i = 0; i < plan->assumptions_len; i++) {
        fputs("- ", to);
        put(to, plan->assumptions[i].text);
        fputs(" (", to);
        put(to, plan->assumptions[i].source);
        fputs(")\n", to);
    }
    fputs("\n", to);
}

/* An indented block of code: nothing in it can end it. */
static void commands(const struct result_plan *plan, FILE *to)
{
    const char *at = plan->create;

    if (!at || !*at)
        return;
    fputs("## What to type\n\n", to);
    while (*at) {
        const size_t len = strcspn(at, "\n");

        fprintf(to, "    %.*s\n", (int)len, at);
        at += len + (at[len] == '\n');
    }
    fputs("\n", to);
}

int report_write_markdown(const struct result *res, FILE *to)
{
    head(res, to);
    reasons(&res->plan, to);
    run_notes(res, to);
    candidates(&res->plan, to);
    report_query_costs_markdown(&res->plan, put, to);
    growth(&res->plan, to);
    gates(&res->plan, to);
    variations(&res->plan, to);
    assumptions(&res->plan, to);
    commands(&res->plan, to);
    fputs("## Pictures\n\n![choosing N](choice.png)\n\n![candidates](plan.png)\n\n", to);
    if (res->plan.query_costs_len > 0)
        fputs("![latency of queries](latency.png)\n\n", to);
    if (res->plan.variations_len > 0)
        fputs("![what would change the answer](tornado.png)\n\n", to);
    fputs("![writes](writes.png)\n\n![key space](keyspace.png)\n", to);
    return ferror(to) ? -1 : 0;
}
