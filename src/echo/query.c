/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "echo/query.h"

#include <math.h>
#include <string.h>

#include "spec/scheme.h"

#define KEY_MAX 1024

double echo_rate(const struct spec *sp, const char *table, double *entities)
{
    double rate = 0;

    *entities = 1;
    for (size_t i = 0; i < sp->streams_len; i++) {
        for (size_t k = 0; k < sp->streams[i].tables_len; k++) {
            if (strcmp(sp->streams[i].tables[k], table) == 0) {
                rate += sp->streams[i].rate_per_s;
                *entities = fmax(*entities, (double)sp->streams[i].entities);
            }
        }
    }
    return rate;
}

/* Rows that servers look at for one query at the end of the run; |leads|: the entity's field is the key's first,
   |scanned| of the table's buckets are scanned. */
static double rows_of(const struct spec *sp, const struct spec_query *q, const struct echo_query *e, bool leads, double scanned)
{
    double entities;
    const double rate = echo_rate(sp, q->table, &entities), all = rate * (double)sp->duration_ns / 1e9;
    const double window = fmin(all, rate * (double)q->window_ns / 1e9);

    if (!e->is_range && leads) /* another field stands between entity and time: all rows of the entity are read */
        return all / entities;
    switch (q->kind) {
    case SPEC_QUERY_GET:
        return 1;
    case SPEC_QUERY_MULTIGET:
        return (double)q->newest;
    case SPEC_QUERY_RANGE:
        return e->is_range ? window : all;
    case SPEC_QUERY_HISTORY: /* filtered where the time leads: all rows of its window in the buckets that are scanned */
        return e->is_range ? window / entities : window * scanned;
    case SPEC_QUERY_NEWEST:
        return e->is_range ? fmin(all, (double)q->newest * e->scans)
               : q->field  ? fmin(all, (double)q->newest * entities) : all;
    default:
        return all;
    }
}

int echo_query_fill(const struct spec *sp, const struct spec_query *q, struct echo_query *out)
{
    const struct spec_table *t = spec_table_by_name(sp, q->table);
    uint8_t start[KEY_MAX], stop[KEY_MAX];
    struct saltkey_scheme scheme;
    struct saltkey_window w = {.start = {start, sizeof start, 0}, .stop = {stop, sizeof stop, 0}};
    double cells = 0, cpu_ns;

    if (!t || spec_table_scheme(t, &scheme, NULL) != 0)
        return -1;
    *out = (struct echo_query){true, 1, 0, 0};
    if ((q->kind == SPEC_QUERY_RANGE || q->kind == SPEC_QUERY_HISTORY || (q->kind == SPEC_QUERY_NEWEST && q->field))) {
        if (spec_query_window(&scheme, q, 1000, 2000, &w) != 0) /* any time */
            return -1;
        out->is_range = !w.filtered && (w.one_bucket || !spec_scheme_hashed_prefix(&scheme));
        out->scans = spec_scheme_hashed_prefix(&scheme) && !w.one_bucket ? 1 : (double)w.scans;
    } else if (q->kind != SPEC_QUERY_GET && q->kind != SPEC_QUERY_MULTIGET) {
        out->scans = t->buckets > 0 && !spec_scheme_hashed_prefix(&scheme) ? (double)t->buckets : 1;
    }
    if (q->kind == SPEC_QUERY_NEWEST) {
        const int time = spec_time_field(&scheme.layout), f = q->field ? saltkey_layout_find(&scheme.layout, q->field) : -1;

        out->is_range &= time >= 0 && saltkey_newest(&scheme, (uint32_t)time, f < 0 ? 0 : 1u << f) >= 0;
    }
    for (size_t f = 0; f < t->families_len; f++)
        cells += (double)t->families[f].columns_len;
    out->rows = rows_of(sp, q, out, q->field && saltkey_layout_find(&scheme.layout, q->field) == 0,
                        t->buckets > 1 ? fmin(1, out->scans / t->buckets) : 1);
    cpu_ns = out->scans * 1e9 / sp->server.read_capacity_per_s +
             out->rows * (cells * (double)sp->server.scan_cell_ns + (double)sp->server.return_row_ns);
    out->servers = q->rate_per_s * cpu_ns / 1e9;
    return 0;
}
