/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spec/figure.h"

#include <string.h>

#include "result/fields.h"

/* Those that each sample window has, and how a stretch of windows is made one number. */
static const struct spec_figure windowed[] = {
    {"hot_server_ratio", SPEC_SCOPE_ALL, SPEC_FIGURE_NUMBER, SPEC_OVER_MEAN,
     "largest server's writes / mean of all live servers"},
    {"hot_region_share", SPEC_SCOPE_ALL, SPEC_FIGURE_SHARE, SPEC_OVER_MEAN,
     "largest region's writes / its table's"},
    {"hot_region_ratio", SPEC_SCOPE_ALL, SPEC_FIGURE_NUMBER, SPEC_OVER_MEAN,
     "largest region's share x regions of its table"},
    {"write_tails", SPEC_SCOPE_ALL, SPEC_FIGURE_NUMBER, SPEC_OVER_MEDIAN,
     "regions that took at least a tenth of the mean of those written"},
    {"effective_tails", SPEC_SCOPE_ALL, SPEC_FIGURE_NUMBER, SPEC_OVER_MEDIAN, "1 / sum of squared shares of regions"},
    {"tails_per_server_max", SPEC_SCOPE_ALL, SPEC_FIGURE_NUMBER, SPEC_OVER_MEDIAN, "most write tails on one server"},
    {"servers", SPEC_SCOPE_ALL, SPEC_FIGURE_NUMBER, SPEC_OVER_MEAN, "live servers"},
    {"offered", SPEC_SCOPE_ALL, SPEC_FIGURE_COUNT, SPEC_OVER_SUM, NULL},
    {"done", SPEC_SCOPE_ALL, SPEC_FIGURE_COUNT, SPEC_OVER_SUM, NULL},
    {"rejected", SPEC_SCOPE_ALL, SPEC_FIGURE_COUNT, SPEC_OVER_SUM, NULL},
    {"refusals", SPEC_SCOPE_ALL, SPEC_FIGURE_COUNT, SPEC_OVER_SUM, NULL},
    {"connection_losses", SPEC_SCOPE_ALL, SPEC_FIGURE_COUNT, SPEC_OVER_SUM, NULL},
    {"flushes", SPEC_SCOPE_ALL, SPEC_FIGURE_COUNT, SPEC_OVER_SUM, NULL},
    {"compactions", SPEC_SCOPE_ALL, SPEC_FIGURE_COUNT, SPEC_OVER_SUM, NULL},
    {"splits", SPEC_SCOPE_ALL, SPEC_FIGURE_COUNT, SPEC_OVER_SUM, NULL},
    {"moves", SPEC_SCOPE_ALL, SPEC_FIGURE_COUNT, SPEC_OVER_SUM, NULL},
    {"blocked_s", SPEC_SCOPE_ALL, SPEC_FIGURE_S, SPEC_OVER_SUM, "region-seconds away, by split, move or a lost server"},
    {"queued", SPEC_SCOPE_ALL, SPEC_FIGURE_COUNT, SPEC_OVER_MAX, "rows that wait in clients at a window's end"},
    {"regions", SPEC_SCOPE_ALL, SPEC_FIGURE_COUNT, SPEC_OVER_MAX, "regions alive at a window's end"},
    {"p50_us", SPEC_SCOPE_ALL, SPEC_FIGURE_US, SPEC_OVER_MAX, "median time of a write"},
    {"p99_us", SPEC_SCOPE_ALL, SPEC_FIGURE_US, SPEC_OVER_MAX, "99th percentile of a write's time"},
    {"p999_us", SPEC_SCOPE_ALL, SPEC_FIGURE_US, SPEC_OVER_MAX, "99.9th percentile of a write's time"},
    {"max_us", SPEC_SCOPE_ALL, SPEC_FIGURE_US, SPEC_OVER_MAX, "longest time of a write"},
    {"writes", SPEC_SCOPE_SERVER, SPEC_FIGURE_COUNT, SPEC_OVER_SUM, "rows that the server did"},
    {"tails", SPEC_SCOPE_SERVER, SPEC_FIGURE_NUMBER, SPEC_OVER_MEDIAN, "write tails on the server"},
};
#define WINDOWED (sizeof windowed / sizeof windowed[0])

static const struct result_field *const fields_of[] = {
    [SPEC_SCOPE_ALL] = result_summary_fields,   [SPEC_SCOPE_SERVER] = result_server_fields,
    [SPEC_SCOPE_TABLE] = result_table_fields,   [SPEC_SCOPE_REGION] = result_region_fields,
    [SPEC_SCOPE_QUERY] = result_query_fields,
};

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);

    return n >= m && strcmp(name + n - m, end) == 0;
}

/* Names carry their units; what carries none is a count, but for a few that are means or medians. */
static enum spec_figure_unit unit_of(const char *name)
{
    static const struct {
        const char *end;
        enum spec_figure_unit unit;
    } ends[] = {
        {"_per_s", SPEC_FIGURE_RATE},     {"_us", SPEC_FIGURE_US},        {"_s", SPEC_FIGURE_S},
        {"bytes", SPEC_FIGURE_BYTES},     {"share", SPEC_FIGURE_SHARE},   {"utilisation", SPEC_FIGURE_SHARE},
        {"ratio", SPEC_FIGURE_NUMBER},    {"ratio_total", SPEC_FIGURE_NUMBER}, {"tails", SPEC_FIGURE_NUMBER},
        {"idle", SPEC_FIGURE_NUMBER},     {"thrash", SPEC_FIGURE_NUMBER},
    };

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (ends_with(name, ends[i].end))
            return ends[i].unit;
    }
    return SPEC_FIGURE_COUNT;
}

static const struct spec_figure *windowed_find(enum spec_scope scope, const char *name, size_t len)
{
    for (size_t i = 0; i < WINDOWED; i++) {
        if (windowed[i].scope == scope && strlen(windowed[i].name) == len && strncmp(windowed[i].name, name, len) == 0)
            return &windowed[i];
    }
    return NULL;
}

static void of_run(enum spec_scope scope, const char *name, struct spec_figure *out)
{
    *out = (struct spec_figure){name, scope, unit_of(name), SPEC_OVER_RUN, NULL};
}

bool spec_figure_find(enum spec_scope scope, const char *name, size_t len, struct spec_figure *out)
{
    const struct spec_figure *fig = windowed_find(scope, name, len);

    if (fig) {
        *out = *fig;
        return true;
    }
    for (const struct result_field *f = fields_of[scope]; f->name; f++) {
        if (f->kind != RESULT_NUMBER || strlen(f->name) != len || strncmp(f->name, name, len) != 0)
            continue;
        of_run(scope, f->name, out);
        return true;
    }
    return false;
}

bool spec_figure_at(enum spec_scope scope, size_t i, struct spec_figure *out)
{
    for (size_t k = 0; k < WINDOWED; k++) {
        if (windowed[k].scope != scope || i-- > 0)
            continue;
        *out = windowed[k];
        return true;
    }
    for (const struct result_field *f = fields_of[scope]; f->name; f++) {
        if (f->kind != RESULT_NUMBER || windowed_find(scope, f->name, strlen(f->name)) || i-- > 0)
            continue;
        of_run(scope, f->name, out);
        return true;
    }
    return false;
}

const char *spec_scope_word(enum spec_scope scope)
{
    static const char *const words[] = {"all", "server", "table", "region", "query"};

    return words[scope];
}
