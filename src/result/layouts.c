/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/layouts.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/csv.h"

void result_layouts_free(struct result_layouts *layouts)
{
    for (size_t i = 0; i < layouts->len; i++) {
        free(layouts->all[i].key);
        free(layouts->all[i].salt);
        result_findings_free(&layouts->all[i].lint);
        result_run_free(&layouts->all[i].run);
    }
    free(layouts->all);
    free(layouts->scenario);
    free(layouts->table);
    memset(layouts, 0, sizeof *layouts);
}

const struct result_query *result_layout_query(const struct result_layout *layout, const char *name)
{
    for (size_t i = 0; i < layout->run.queries_len; i++)
        if (strcmp(layout->run.queries[i].name, name) == 0)
            return &layout->run.queries[i];
    return NULL;
}

bool result_query_is_range(const struct result_query *query)
{
    return !query->note || strncmp(query->note, "not a range", 11) != 0;
}

static double rows_per_row(const struct result_query *q)
{
    return q->rows_returned > 0 ? q->rows_scanned / q->rows_returned : (double)NAN;
}

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *query_json(const struct result_query *q)
{
    return json_pack("{s:s,s:s,s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:s*}", "name", q->name, "kind", q->kind, "range",
                     result_query_is_range(q), "scans", number(q->scans), "rpcs", number(q->rpcs), "rows_scanned",
                     number(q->rows_scanned), "rows_returned", number(q->rows_returned), "p50_us", number(q->p50_us),
                     "p99_us", number(q->p99_us), "server_share", number(q->server_share), "note", q->note);
}

static json_t *lint_json(const struct result_findings *lint)
{
    json_t *all = json_array();

    for (size_t i = 0; i < lint->len; i++)
        json_array_append_new(all, json_pack("{s:s,s:s,s:s,s:s}", "rule", lint->all[i].rule, "field", lint->all[i].field, "why",
                                             lint->all[i].why, "what_to_do", lint->all[i].todo));
    return all;
}

static json_t *layout_json(const struct result_layout *l)
{
    json_t *queries = json_array();

    for (size_t i = 0; i < l->run.queries_len; i++)
        json_array_append_new(queries, query_json(&l->run.queries[i]));
    return json_pack("{s:s,s:s,s:s,s:o,s:o,s:o,s:o,s:o}", "name", l->name, "key", l->key, "salt", l->salt,
                     "hot_server_ratio", number(l->run.summary.hot_server_ratio), "write_tails",
                     number(l->run.summary.write_tails), "max_write_rate_per_s",
                     number(l->run.summary.max_write_rate_per_s), "queries", queries, "lint", lint_json(&l->lint));
}

int result_layouts_json(const struct result_layouts *layouts, FILE *to)
{
    json_t *all = json_array(), *root;
    int rc;

    for (size_t i = 0; i < layouts->len; i++)
        json_array_append_new(all, layout_json(&layouts->all[i]));
    root = json_pack("{s:s,s:s,s:s,s:o}", "schema", "saltplan-layouts/1", "scenario", layouts->scenario, "table",
                     layouts->table, "layouts", all);
    if (!root)
        return -1;
    rc = json_dumpf(root, to, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(root);
    fputc('\n', to);
    return rc != 0 || ferror(to) ? -1 : 0;
}

/* "leading-monotone ts; delimiter device"; empty where nothing was found. */
static void lint_cell(struct csv *csv, const struct result_findings *lint)
{
    char text[1000] = "";
    size_t len = 0;

    for (size_t i = 0; i < lint->len && len + 200 < sizeof text; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s %.150s", i ? "; " : "", lint->all[i].rule, lint->all[i].field);
    csv_text(csv, text);
}

int result_lint_csv(const struct result_layouts *layouts, FILE *to)
{
    struct csv csv = {to, false};
    static const char *const columns[] = {"layout", "key", "field", "rule", "why", "what_to_do"};

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        csv_text(&csv, columns[i]);
    csv_end_row(&csv);
    for (size_t i = 0; i < layouts->len; i++) {
        for (size_t k = 0; k < layouts->all[i].lint.len; k++) {
            const struct result_finding *f = &layouts->all[i].lint.all[k];
            const char *const cells[] = {layouts->all[i].name, layouts->all[i].key, f->field, f->rule, f->why, f->todo};

            for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++)
                csv_text(&csv, cells[c]);
            csv_end_row(&csv);
        }
    }
    return ferror(to) ? -1 : 0;
}

int result_layouts_csv(const struct result_layouts *layouts, FILE *to)
{
    struct csv csv = {to, false};
    static const char *const columns[] = {"layout", "key", "salt", "hot_server_ratio", "write_tails", "range",
                                          "rows_read_per_row"};

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        csv_text(&csv, columns[i]);
    csv_header(&csv, result_query_fields);
    csv_text(&csv, "lint");
    csv_end_row(&csv);
    for (size_t i = 0; i < layouts->len; i++) {
        const struct result_layout *l = &layouts->all[i];

        for (size_t k = 0; k < l->run.queries_len; k++) {
            csv_text(&csv, l->name);
            csv_text(&csv, l->key);
            csv_text(&csv, l->salt);
            csv_number(&csv, l->run.summary.hot_server_ratio);
            csv_number(&csv, l->run.summary.write_tails);
            csv_text(&csv, result_query_is_range(&l->run.queries[k]) ? "yes" : "no");
            csv_number(&csv, rows_per_row(&l->run.queries[k]));
            csv_fields(&csv, result_query_fields, &l->run.queries[k]);
            lint_cell(&csv, &l->lint);
            csv_end_row(&csv);
        }
    }
    return ferror(to) ? -1 : 0;
}
