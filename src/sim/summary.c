/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/summary.h"

#include <math.h>
#include <stdlib.h>

/* A window's value and how long the window is. */
struct weighed {
    double value, length_s;
};

static int ascending(const void *a, const void *b)
{
    const double x = ((const struct weighed *)a)->value, y = ((const struct weighed *)b)->value;

    return (x > y) - (x < y);
}

/* Value that half of the time lies at or below, so that a count stays a count. NaN without values. */
static double median(struct weighed *v, size_t n)
{
    double all = 0, below = 0;
    size_t i = 0;

    if (n == 0)
        return NAN;
    qsort(v, n, sizeof *v, ascending);
    for (size_t k = 0; k < n; k++)
        all += v[k].length_s;
    /* Lengths of equal windows differ in their last bits. */
    while (i + 1 < n && (below += v[i].length_s) < 0.5 * all * (1 - 1e-9))
        i++;
    return v[i].value;
}

struct mean {
    double sum, length_s;
};

static double length_of(const struct result_window *w)
{
    return w->end_s - w->begin_s;
}

static void add(struct mean *m, double v, double length_s)
{
    if (isnan(v))
        return;
    m->sum += v * length_s;
    m->length_s += length_s;
}

static double mean_of(const struct mean *m)
{
    return m->length_s > 0 ? m->sum / m->length_s : (double)NAN;
}

static double idle_servers(const struct result_run *run, const struct result_window *w)
{
    double idle = 0;

    for (size_t s = 0; s < run->servers_len; s++)
        idle += w->server_tails[s] == 0;
    /* Servers that weren't there had no tail either. */
    idle -= (double)run->servers_len - ceil(w->servers);
    return idle > 0 ? idle : 0;
}

static void fill_means(struct result_run *run)
{
    struct result_summary *sum = &run->summary;
    struct mean ratio = {0, 0}, share = {0, 0}, region = {0, 0}, hottest = {0, 0};

    for (size_t i = 0; i < run->windows_len; i++) {
        const struct result_window *w = &run->windows[i];

        add(&ratio, w->hot_server_ratio, length_of(w));
        add(&share, w->hot_region_share, length_of(w));
        add(&region, w->hot_region_ratio, length_of(w));
        add(&hottest, w->hot_server_ratio / w->servers, length_of(w));
    }
    sum->hot_server_ratio = mean_of(&ratio);
    sum->hot_region_share = mean_of(&share);
    sum->hot_region_ratio = mean_of(&region);
    /* The hottest server takes ratio / servers of all writes, of the servers that there were then: it is
       full at this offered rate. */
    sum->max_write_rate_per_s = run->server_capacity_per_s / mean_of(&hottest);
}

static int fill_medians(struct result_run *run)
{
    struct result_summary *sum = &run->summary;
    struct weighed *v = malloc((run->windows_len + 1) * sizeof *v);
    size_t n = 0;

    if (!v)
        return -1;
#define MEDIAN(target, value)                                                                               \
    n = 0;                                                                                                  \
    for (size_t i = 0; i < run->windows_len; i++) {                                                         \
        const struct result_window *w = &run->windows[i];                                                   \
        if (!isnan(w->hot_server_ratio))                                                                    \
            v[n++] = (struct weighed){(value), length_of(w)};                                               \
    }                                                                                                       \
    (target) = median(v, n)

    MEDIAN(sum->write_tails, w->write_tails);
    MEDIAN(sum->effective_tails, w->effective_tails);
    MEDIAN(sum->tails_per_server_max, w->tails_per_server_max);
    MEDIAN(sum->servers_idle, idle_servers(run, w));
    for (size_t s = 0; s < run->servers_len; s++) {
        MEDIAN(run->servers[s].tails, w->server_tails[s]);
    }
#undef MEDIAN
    free(v);
    return 0;
}

int summary_fill(struct result_run *run)
{
    struct result_summary *sum = &run->summary;
    double most = 0, total = 0, up_s = 0, servers;

    fill_means(run);
    if (fill_medians(run) != 0)
        return -1;
    for (size_t s = 0; s < run->servers_len; s++) {
        most = fmax(most, run->servers[s].writes);
        total += run->servers[s].writes;
        up_s += run->servers[s].up_s;
    }
    servers = run->duration_s > 0 ? up_s / run->duration_s : (double)run->servers_len;
    sum->hot_server_ratio_total = total > 0 ? most * servers / total : (double)NAN;
    sum->regions_start = sum->regions_end = sum->splits = 0;
    for (size_t t = 0; t < run->tables_len; t++) {
        sum->regions_start += run->tables[t].regions_start;
        sum->regions_end += run->tables[t].regions_end;
    }
    sum->flushes = sum->compactions = sum->moves = 0;
    for (size_t s = 0; s < run->servers_len; s++) {
        sum->splits += run->servers[s].splits;
        sum->flushes += run->servers[s].flushes;
        sum->compactions += run->servers[s].compactions;
        sum->moves += run->servers[s].moves_in;
    }
    return 0;
}

static double quantile_us(const struct des_histogram *h, double q)
{
    uint64_t ns;

    return des_histogram_quantile(h, q, &ns) == DES_OK ? (double)ns / 1000.0 : (double)NAN;
}

void summary_latency(struct result_run *run, const struct des_histogram *h)
{
    struct result_summary *sum = &run->summary;
    double mean;

    sum->write_p50_us = quantile_us(h, 0.5);
    sum->write_p95_us = quantile_us(h, 0.95);
    sum->write_p99_us = quantile_us(h, 0.99);
    sum->write_p999_us = quantile_us(h, 0.999);
    sum->write_max_us = quantile_us(h, 1);
    sum->write_mean_us = des_histogram_mean(h, &mean) == DES_OK ? mean / 1000.0 : (double)NAN;
}
