/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/summary.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Middle value; the lower one of two, so that a count stays a count. NaN without values. */
static double median(double *v, size_t n)
{
    if (n == 0)
        return NAN;
    qsort(v, n, sizeof *v, ascending);
    return v[(n - 1) / 2];
}

struct mean {
    double sum;
    size_t n;
};

static void add(struct mean *m, double v)
{
    if (isnan(v))
        return;
    m->sum += v;
    m->n++;
}

static double mean_of(const struct mean *m)
{
    return m->n > 0 ? m->sum / (double)m->n : (double)NAN;
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
    struct mean ratio = {0, 0}, share = {0, 0}, region = {0, 0};

    for (size_t i = 0; i < run->windows_len; i++) {
        const struct result_window *w = &run->windows[i];

        add(&ratio, w->hot_server_ratio);
        add(&share, w->hot_region_share);
        add(&region, w->hot_region_ratio);
    }
    sum->hot_server_ratio = mean_of(&ratio);
    sum->hot_region_share = mean_of(&share);
    sum->hot_region_ratio = mean_of(&region);
}

static int fill_medians(struct result_run *run)
{
    struct result_summary *sum = &run->summary;
    double *v = malloc((run->windows_len + 1) * sizeof *v);
    size_t n = 0;

    if (!v)
        return -1;
#define MEDIAN(target, value)                                                                                \
    n = 0;                                                                                                   \
    for (size_t i = 0; i < run->windows_len; i++) {                                                          \
        const struct result_window *w = &run->windows[i];                                                    \
        if (!isnan(w->hot_server_ratio))                                                                     \
            v[n++] = (value);                                                                                \
    }                                                                                                        \
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
    /* The hottest server takes ratio / servers of all writes: it is full at this offered rate. */
    sum->max_write_rate_per_s = run->server_capacity_per_s * servers / sum->hot_server_ratio;
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
