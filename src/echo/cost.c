/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "echo/cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "saltkey.h"
#include "spec/scheme.h"

/* Rows a second at the level `tick`: entities in turn; drawn for each row; with random gaps; with built keys. */
#define TICK_IN_TURN 150e6
#define TICK_DRAWN 40e6
#define TICK_POISSON 20e6
#define TICK_BUILT 8e6
/* At `write`: rows of buffers, calls of one row. */
#define WRITE_BUFFERED 40e6
#define WRITE_CALLS 6e6
/* A flush with its share of the compactions and splits, and a query that is asked at some thousand moments. */
#define FLUSH_S 60e-6
#define QUERY_S 0.8
#define BEGIN_S 0.1

double echo_cost_rows(const struct spec *sp)
{
    double rows = 0;

    for (size_t i = 0; i < sp->streams_len; i++)
        rows += sp->streams[i].rate_per_s * (double)sp->duration_ns / (double)SPEC_NS_PER_S *
                (double)sp->streams[i].tables_len;
    return rows;
}

enum spec_detail echo_cost_detail(const struct spec *sp)
{
    return sp->detail != SPEC_DETAIL_AUTO ? sp->detail : spec_detail_for(echo_cost_rows(sp));
}

const char *echo_cost_detail_name(enum spec_detail detail)
{
    return detail == SPEC_DETAIL_WRITE ? "write" : detail == SPEC_DETAIL_TICK ? "tick" : "flow";
}

/* Whether a row's key must be built to know its bucket. */
static bool is_built(const struct spec *sp, const char *name)
{
    struct saltkey_scheme scheme;

    for (size_t t = 0; t < sp->tables_len; t++)
        if (strcmp(sp->tables[t].name, name) == 0)
            return spec_table_scheme(&sp->tables[t], &scheme, NULL) == 0 && scheme.salt.hash != SALTKEY_HASH_NONE &&
                   !saltkey_has_shares(&scheme);
    return false;
}

static double rows_per_s(const struct spec *sp, const struct spec_stream *st, const char *table, enum spec_detail detail)
{
    if (detail == SPEC_DETAIL_WRITE)
        return st->buffer_bytes > 0 ? WRITE_BUFFERED : WRITE_CALLS;
    if (st->keys_file || is_built(sp, table))
        return TICK_BUILT;
    if (st->arrival == SPEC_ARRIVAL_POISSON)
        return TICK_POISSON;
    return st->arrival == SPEC_ARRIVAL_EVERY && st->popularity == SPEC_POPULARITY_UNIFORM ? TICK_IN_TURN : TICK_DRAWN;
}

double echo_cost_s(const struct spec *sp, const struct echo *echo, enum spec_detail detail)
{
    const double run_s = (double)sp->duration_ns / (double)SPEC_NS_PER_S;
    double s = BEGIN_S + QUERY_S * (double)sp->queries_len;

    if (isfinite(echo->first_flush_s) && echo->first_flush_s > 0)
        s += FLUSH_S * fmax(echo->tails, 1) * run_s / echo->first_flush_s;
    for (size_t i = 0; i < sp->streams_len && detail != SPEC_DETAIL_FLOW; i++)
        for (size_t t = 0; t < sp->streams[i].tables_len; t++)
            s += sp->streams[i].rate_per_s * run_s / rows_per_s(sp, &sp->streams[i], sp->streams[i].tables[t], detail);
    return s;
}

const char *echo_cost_text(double s, char *text)
{
    static const struct { double unit; const char *name; } units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    size_t u = 0;
    double n, power;

    if (s < 1) {
        snprintf(text, ECHO_COST_CAP, "under 1 s");
        return text;
    }
    while (u < 3 && s < units[u].unit)
        u++;
    n = s / units[u].unit;
    power = pow(10, floor(log10(n)));
    snprintf(text, ECHO_COST_CAP, "about %.0f %s", fmin(floor(n / power + 0.5) * power, 1e9), units[u].name);
    return text;
}
