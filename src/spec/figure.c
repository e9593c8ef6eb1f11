/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spec/figure.h"

#include <string.h>

#define RUN(scope, unit, name) {#name, SPEC_SCOPE_##scope, SPEC_FIGURE_##unit, SPEC_OVER_RUN, NULL}

const struct spec_figure spec_figures[] = {
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

    RUN(ALL, COUNT, writes_offered), RUN(ALL, COUNT, writes_done), RUN(ALL, COUNT, writes_rejected),
    RUN(ALL, COUNT, writes_queued), RUN(ALL, COUNT, writes_buffered),
    RUN(ALL, COUNT, write_refusals), RUN(ALL, NUMBER, hot_server_ratio_total),
    RUN(ALL, NUMBER, servers_idle), RUN(ALL, S, spread_at_s), RUN(ALL, S, stacked_s), RUN(ALL, COUNT, balancer_looked),
    RUN(ALL, COUNT, balancer_ran), RUN(ALL, COUNT, balancer_moves), RUN(ALL, COUNT, balancer_moves_redundant),
    RUN(ALL, COUNT, regions_moved_again), RUN(ALL, NUMBER, thrash), RUN(ALL, COUNT, regions_start),
    RUN(ALL, COUNT, regions_end), RUN(ALL, US, write_p50_us), RUN(ALL, US, write_p95_us), RUN(ALL, US, write_p99_us),
    RUN(ALL, US, write_p999_us), RUN(ALL, US, write_mean_us), RUN(ALL, US, write_max_us),
    RUN(ALL, RATE, max_write_rate_per_s), RUN(ALL, S, queue_age_max_s),

    {"writes", SPEC_SCOPE_SERVER, SPEC_FIGURE_COUNT, SPEC_OVER_SUM, "rows that the server did"},
    {"tails", SPEC_SCOPE_SERVER, SPEC_FIGURE_NUMBER, SPEC_OVER_MEDIAN, "write tails on the server"},
    RUN(SERVER, SHARE, share), RUN(SERVER, SHARE, utilisation), RUN(SERVER, S, up_s),
    RUN(SERVER, COUNT, regions_start), RUN(SERVER, COUNT, regions_end), RUN(SERVER, COUNT, flushes),
    RUN(SERVER, COUNT, compactions), RUN(SERVER, COUNT, splits), RUN(SERVER, COUNT, moves_in),
    RUN(SERVER, COUNT, moves_out), RUN(SERVER, COUNT, refusals), RUN(SERVER, BYTES, disk_bytes),

    RUN(TABLE, COUNT, writes), RUN(TABLE, COUNT, regions_start), RUN(TABLE, COUNT, regions_end),
    RUN(TABLE, COUNT, splits), RUN(TABLE, COUNT, flushes), RUN(TABLE, COUNT, compactions),
    RUN(TABLE, BYTES, store_bytes), RUN(TABLE, BYTES, memstore_bytes),

    RUN(REGION, COUNT, writes), RUN(REGION, COUNT, requests), RUN(REGION, BYTES, store_bytes),
    RUN(REGION, COUNT, store_files), RUN(REGION, BYTES, memstore_bytes), RUN(REGION, COUNT, flushes),
    RUN(REGION, COUNT, compactions),

    RUN(QUERY, COUNT, scans), RUN(QUERY, COUNT, regions), RUN(QUERY, COUNT, rpcs), RUN(QUERY, COUNT, rows_scanned),
    RUN(QUERY, COUNT, rows_returned), RUN(QUERY, BYTES, bytes), RUN(QUERY, US, p50_us), RUN(QUERY, US, p99_us),
    {NULL, SPEC_SCOPE_ALL, SPEC_FIGURE_NUMBER, SPEC_OVER_RUN, NULL},
};

const struct spec_figure *spec_figure_find(enum spec_scope scope, const char *name, size_t len)
{
    for (const struct spec_figure *fig = spec_figures; fig->name; fig++) {
        if (fig->scope == scope && strlen(fig->name) == len && strncmp(fig->name, name, len) == 0)
            return fig;
    }
    return NULL;
}

const char *spec_scope_word(enum spec_scope scope)
{
    static const char *const words[] = {"all", "server", "table", "region", "query"};

    return words[scope];
}
