/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each query costs with each N, as a table; in the text only the first queries, side by side. */
#include <math.h>
#include <string.h>

#include "report/plan.h"
#include "report/report.h"
#include "result/format.h"

#define QUERIES_MAX 3

static const struct result_query_cost *cost_of(const struct result_plan *plan, int n, const char *query)
{
    for (size_t i = 0; i < plan->query_costs_len; i++)
        if (plan->query_costs[i].n == n && plan->query_costs[i].query && strcmp(plan->query_costs[i].query, query) == 0)
            return &plan->query_costs[i];
    return NULL;
}

/* Names of the queries in their order; returns how many there are, |most| of which are named. */
static size_t names_of(const struct result_plan *plan, const struct result_query_cost **first, size_t most)
{
    size_t n = 0;

    for (size_t i = 0; i < plan->query_costs_len; i++) {
        if (plan->query_costs[i].n != plan->query_costs[0].n)
            break;
        if (n < most)
            first[n] = &plan->query_costs[i];
        n++;
    }
    return n;
}

static const char *time_of(double us, char text[FORMAT_CAP])
{
    return isfinite(us) ? format_latency(us, text) : "-";
}

static void cells(const struct result_plan *plan, const struct result_query_cost *c, bool last, FILE *to)
{
    char text[FORMAT_CAP];

    report_right(to, c && isfinite(c->rpcs) ? format_count(c->rpcs, text) : "-", 11);
    report_right(to, c ? time_of(c->p50_us, text) : "-", 10);
    report_right(to, c ? time_of(c->p99_us, text) : "-", 10);
    fputs(c && !result_cost_is_whole(plan, c) ? "*" : last ? "" : " ", to);
}

int report_query_costs(const struct result_plan *plan, bool (*shown)(const struct result_plan *plan, size_t row), FILE *to)
{
    const struct result_query_cost *first[QUERIES_MAX];
    const size_t all = names_of(plan, first, QUERIES_MAX), n = all < QUERIES_MAX ? all : QUERIES_MAX;
    bool short_of_rows = false;
    int lines = 2;

    if (n == 0)
        return 0;
    fprintf(to, "%6s", "");
    for (size_t q = 0; q < n; q++) {
        char name[120];

        snprintf(name, sizeof name, "%.14s, %.14s", first[q]->query, first[q]->kind ? first[q]->kind : "");
        report_right(to, name, q ? 32 : 31);
    }
    fprintf(to, "\n%6s", "N");
    for (size_t q = 0; q < n; q++)
        fprintf(to, "%*s%10s%10s", q ? 12 : 11, "RPCs", "p50", "p99");
    for (size_t i = 0; i < plan->candidates_len; i++) {
        char name[16];

        if (!shown(plan, i))
            continue;
        snprintf(name, sizeof name, plan->candidates[i].n > 0 ? "%d" : "none", plan->candidates[i].n);
        fprintf(to, "\n%6s", name);
        for (size_t q = 0; q < n; q++) {
            const struct result_query_cost *c = cost_of(plan, plan->candidates[i].n, first[q]->query);

            cells(plan, c, q + 1 == n, to);
            short_of_rows |= c && !result_cost_is_whole(plan, c);
        }
        lines++;
    }
    fputc('\n', to);
    if (short_of_rows || n < all) {
        fprintf(to, "%6s %s%s%s\n", "", short_of_rows ? "* fewer rows come back: the servers don't keep up" : "",
                short_of_rows && n < all ? "; " : "", n < all ? "more queries in latency.csv" : "");
        lines++;
    }
    return lines;
}

static void markdown_row(const struct result_plan *plan, const struct result_query_cost *q, FILE *to)
{
    char a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP], d[FORMAT_CAP];

    fprintf(to, q->n > 0 ? " | %d" : " | no salt", q->n);
    fprintf(to, " | %s | %s | %s | %s%s", format_count(q->scans, a), format_count(q->rpcs, b), format_count(q->rows_scanned, c),
            format_count(q->rows_returned, d), result_cost_is_whole(plan, q) ? "" : ", too few");
    fprintf(to, " | %s | %s | %s | %s", time_of(q->p50_us, a), time_of(q->p95_us, b), time_of(q->p99_us, c), time_of(q->p999_us, d));
    fprintf(to, " | %s |\n", time_of(q->independent_p99_us, a));
}

void report_query_costs_markdown(const struct result_plan *plan, void (*put)(FILE *to, const char *text), FILE *to)
{
    const struct result_query_cost *none[1];
    const size_t queries = names_of(plan, none, 0);

    if (queries == 0)
        return;
    fputs("## What N costs the queries\n\n| query | N | scans | RPCs | rows read | rows returned | p50 | p95 | p99 | p99.9 | "
          "p99 if independent |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", to);
    for (size_t k = 0; k < queries; k++) {
        for (size_t i = 0; i < plan->query_costs_len; i++) {
            const struct result_query_cost *q = &plan->query_costs[i];

            if (strcmp(q->query ? q->query : "", plan->query_costs[k].query ? plan->query_costs[k].query : "") != 0)
                continue;
            fputs("| ", to);
            put(to, q->query);
            fputs(", ", to);
            put(to, q->kind);
            markdown_row(plan, q, to);
        }
    }
    fputs("\nTimes are of one query among everything else that the servers do. The last column is the slowest of as many "
          "independent draws of one scan's time: what the p99 has beyond it comes from scans that meet on a server. Where too few "
          "rows return, servers don't keep up with the writes, and the time can't be compared.\n\n", to);
}
