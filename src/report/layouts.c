/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/layouts.h"

#include <math.h>
#include <string.h>

#include "result/format.h"

/* One cell of a line, |width| wide in the text; negative: flush left. */
static void cell(FILE *to, bool markdown, int width, const char *text)
{
    if (markdown)
        fprintf(to, "| %s ", text);
    else
        fprintf(to, "%*s", width, text);
}

static void end_line(FILE *to, bool markdown)
{
    fputs(markdown ? "|\n" : "\n", to);
}

static const char *number(double value, char text[FORMAT_CAP])
{
    return isnan(value) ? "-" : format_count(value, text);
}

static void head(const char *query, bool markdown, FILE *to)
{
    static const char *const columns[] = {"scans", "RPCs", "rows a row", "p99", "of a server"};

    cell(to, markdown, -22, query);
    cell(to, markdown, -11, "served as");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        cell(to, markdown, i < 4 ? 12 : 13, columns[i]);
    end_line(to, markdown);
    if (markdown)
        fputs("|---|---|--:|--:|--:|--:|--:|\n", to);
}

static void line(const struct result_layout *l, const struct result_query *q, bool markdown, FILE *to)
{
    char text[FORMAT_CAP];

    cell(to, markdown, -22, l->name);
    cell(to, markdown, -11, result_query_is_range(q) ? "range" : "filter");
    cell(to, markdown, 12, number(q->scans, text));
    cell(to, markdown, 12, number(q->rpcs, text));
    cell(to, markdown, 12, q->rows_returned > 0 ? number(q->rows_scanned / q->rows_returned, text) : "-");
    cell(to, markdown, 12, isnan(q->p99_us) ? "-" : format_latency(q->p99_us, text));
    cell(to, markdown, 13, isnan(q->server_share) ? "-" : format_percent(q->server_share, text));
    end_line(to, markdown);
}

static void writes(const struct result_layouts *layouts, bool markdown, FILE *to)
{
    char text[FORMAT_CAP];

    cell(to, markdown, -22, "writes");
    cell(to, markdown, 12, "hot ratio");
    cell(to, markdown, 8, "tails");
    cell(to, markdown, -1, markdown ? "key" : "  key; salt");
    if (markdown)
        cell(to, markdown, 0, "salt");
    end_line(to, markdown);
    if (markdown)
        fputs("|---|--:|--:|---|---|\n", to);
    for (size_t i = 0; i < layouts->len; i++) {
        const struct result_layout *l = &layouts->all[i];

        cell(to, markdown, -22, l->name);
        cell(to, markdown, 12, isnan(l->run.summary.hot_server_ratio) ? "-"
                                   : format_ratio(l->run.summary.hot_server_ratio, text));
        cell(to, markdown, 8, number(l->run.summary.write_tails, text));
        if (markdown)
            fprintf(to, "| `%s` | %s ", l->key, l->salt);
        else
            fprintf(to, "  %s; %s", l->key, l->salt);
        end_line(to, markdown);
    }
}

static bool served(const struct result_layout *l)
{
    for (size_t i = 0; i < l->run.queries_len; i++)
        if (!result_query_is_range(&l->run.queries[i]))
            return false;
    return true;
}

/* Which layouts serve every query as a range. */
static void verdict(const struct result_layouts *layouts, FILE *to)
{
    size_t n = 0;

    for (size_t i = 0; i < layouts->len; i++) {
        if (served(&layouts->all[i]))
            fprintf(to, "%s%s%s", n++ ? "; " : "every query is a range of: ", layouts->all[i].name,
                    strcmp(layouts->all[i].name, "two tables") == 0 ? ", at twice the writes" : "");
    }
    fputs(n ? "\n" : "no layout serves every query as a range: two tables would, one for each order, at twice the writes\n",
          to);
}

/* The layouts that have the finding, or with NULL those that have none: "as given, time first". */
static void name_layouts(const struct result_layouts *layouts, const struct result_finding *f, char *text, size_t cap)
{
    size_t n = 0, len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < layouts->len && len < cap; i++) {
        const struct result_layout *l = &layouts->all[i];

        if (f ? result_findings_have(&l->lint, f) : l->lint.len == 0)
            len += (size_t)snprintf(text + len, cap - len, "%s%s", n++ ? "; " : "", l->name);
    }
    if (n == layouts->len)
        snprintf(text, cap, "all layouts");
}

static void finding(const struct result_layouts *layouts, const struct result_finding *f, bool markdown, FILE *to)
{
    char names[300];

    name_layouts(layouts, f, names, sizeof names);
    if (markdown)
        fprintf(to, "| %s | %s | %s | %s | %s |\n", f->field, f->rule, f->why, f->todo, names);
    else
        fprintf(to, "%s: %s, in %s\n  why    %s\n  to do  %s\n", f->field, f->rule, names, f->why, f->todo);
}

/* What is the matter with the keys and the families, whatever is asked: each finding once. */
static void lint(const struct result_layouts *layouts, bool markdown, FILE *to)
{
    char clean[300];
    size_t found = 0;

    fputs(markdown ? "\n## Lint\n\n" : "\nlint of the keys and families\n", to);
    for (size_t i = 0; i < layouts->len; i++) {
        for (size_t k = 0; k < layouts->all[i].lint.len; k++) {
            const struct result_finding *f = &layouts->all[i].lint.all[k];
            size_t before = 0;

            while (before < i && !result_findings_have(&layouts->all[before].lint, f))
                before++;
            if (before < i)
                continue;
            if (found++ == 0 && markdown)
                fputs("| field | rule | why | what to do | layouts |\n|---|---|---|---|---|\n", to);
            finding(layouts, f, markdown, to);
        }
    }
    name_layouts(layouts, NULL, clean, sizeof clean);
    if (clean[0])
        fprintf(to, markdown && found ? "\nNothing found in %s.\n" : markdown ? "Nothing found in %s.\n" : "nothing found in %s\n", clean);
}

int report_layouts(const struct result_layouts *layouts, bool markdown, FILE *to)
{
    fprintf(to, markdown ? "# Layouts of %s (%s)\n\n" : "layouts of table %s (%s)\n\n", layouts->table, layouts->scenario);
    writes(layouts, markdown, to);
    for (size_t k = 0; k < layouts->all[0].run.queries_len; k++) {
        const struct result_query *first = &layouts->all[0].run.queries[k];
        char name[200];

        snprintf(name, sizeof name, "%s, %s", first->name, first->kind);
        fprintf(to, markdown ? "\n## %s\n\n" : "\n%s\n", name);
        head("layout", markdown, to);
        for (size_t i = 0; i < layouts->len; i++) {
            const struct result_query *q = result_layout_query(&layouts->all[i], first->name);

            if (q)
                line(&layouts->all[i], q, markdown, to);
        }
    }
    lint(layouts, markdown, to);
    fputc('\n', to);
    verdict(layouts, to);
    return ferror(to) ? -1 : 0;
}
