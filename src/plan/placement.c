/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/placement.h"

#include <math.h>
#include <stdlib.h>

#include "des/stream.h"
#include "hbase/balance/assign.h"
#include "sim/sim.h"

/* A region is a write tail when it takes at least this share of the mean of those written (design.md). */
#define TAIL_SHARE 0.1

static uint64_t draw(void *state)
{
    return des_u64(state);
}

/* A region that waits for its place. */
struct waiting {
    double rate;
    size_t region;
};

static int larger_first(const void *a, const void *b)
{
    const struct waiting *x = a, *y = b;

    if (x->rate != y->rate)
        return x->rate < y->rate ? 1 : -1;
    return x->region < y->region ? -1 : x->region > y->region;
}

/* What a balancer that weighs write load above all else comes near to. */
static int place_by_load(const struct plan_load *load, uint32_t servers, uint32_t *server)
{
    struct waiting *queue = malloc((load->regions_all + 1) * sizeof *queue);
    double *busy = calloc(servers, sizeof *busy);

    for (size_t r = 0; queue && busy && r < load->regions_all; r++)
        queue[r] = (struct waiting){load->rate[r], r};
    if (queue && busy)
        qsort(queue, load->regions_all, sizeof *queue, larger_first);
    for (size_t k = 0; queue && busy && k < load->regions_all; k++) {
        uint32_t least = 0;

        for (uint32_t s = 1; s < servers; s++)
            least = busy[s] < busy[least] ? s : least;
        server[queue[k].region] = least;
        busy[least] += queue[k].rate;
    }
    free(queue);
    free(busy);
    return queue && busy ? 0 : SIM_NO_MEMORY;
}

/* Server of each region. The draws come in the model's order: a hash for each server, the places of
   hbase:meta and hbase:namespace, then table after table. */
static int place(const struct spec *sp, const struct plan_load *load, uint64_t seed, uint32_t *server)
{
    const uint32_t n = (uint32_t)sp->cluster.servers;
    struct des_stream stream;
    const struct balance_draw draws = {draw, &stream};
    uint64_t *hash = malloc(n * sizeof *hash);
    uint32_t *list = malloc(n * sizeof *list);
    struct assign_servers servers = {list, n, NULL};
    size_t at = 0;
    int rc = hash && list ? 0 : SIM_NO_MEMORY;

    if (load->by_load) {
        free(hash);
        free(list);
        return rc == 0 ? place_by_load(load, n, server) : rc;
    }
    des_stream_init(&stream, seed, "placement");
    for (uint32_t i = 0; rc == 0 && i < n; i++) {
        hash[i] = des_u64(&stream);
        list[i] = i;
    }
    if (rc == 0) {
        assign_sort_servers(hash, list, n);
        des_uniform_u32(&stream, n);
        if (n > 1)
            des_uniform_u32(&stream, n - 1);
    }
    for (size_t t = 0; rc == 0 && t < load->tables; at += load->regions[t++])
        if (assign_create_table(&servers, &draws, load->regions[t], (uint32_t)sp->hbase.create_threads, server + at) != 0)
            rc = SIM_NO_MEMORY;
    free(hash);
    free(list);
    return rc;
}

int plan_place_servers(const struct spec *sp, const struct plan_load *load, uint64_t seed, double *rate)
{
    uint32_t *server = malloc((load->regions_all + 1) * sizeof *server);
    int rc = server ? place(sp, load, seed, server) : SIM_NO_MEMORY;

    for (int s = 0; rc == 0 && s < sp->cluster.servers; s++)
        rate[s] = 0;
    for (size_t r = 0; rc == 0 && r < load->regions_all; r++)
        rate[server[r]] += load->rate[r];
    free(server);
    return rc;
}

/* The hottest region of its table. */
static void region_figures(const struct plan_load *load, struct result_summary *sum)
{
    size_t at = 0;

    for (size_t t = 0; t < load->tables; at += load->regions[t++]) {
        double most = 0, all = 0;

        for (size_t r = 0; r < load->regions[t]; r++) {
            most = fmax(most, load->rate[at + r]);
            all += load->rate[at + r];
        }
        if (all > 0 && !(most / all <= sum->hot_region_share)) {
            sum->hot_region_share = most / all;
            sum->hot_region_ratio = most / all * (double)load->regions[t];
        }
    }
    sum->regions_start = sum->regions_end = (double)load->regions_all;
}

static void tail_figures(const struct plan_load *load, const uint32_t *server, size_t servers, double *tails,
                         struct result_summary *sum)
{
    double written = 0, all = 0, squares = 0;

    for (size_t r = 0; r < load->regions_all; r++) {
        written += load->rate[r] > 0;
        all += load->rate[r];
        squares += load->rate[r] * load->rate[r];
    }
    for (size_t s = 0; s < servers; s++)
        tails[s] = 0;
    sum->write_tails = sum->tails_per_server_max = sum->servers_idle = 0;
    for (size_t r = 0; r < load->regions_all; r++) {
        if (!(load->rate[r] > 0) || load->rate[r] < TAIL_SHARE * all / written)
            continue;
        sum->write_tails++;
        tails[server[r]]++;
    }
    for (size_t s = 0; s < servers; s++) {
        sum->tails_per_server_max = fmax(sum->tails_per_server_max, tails[s]);
        sum->servers_idle += tails[s] == 0;
    }
    sum->effective_tails = squares > 0 ? all * all / squares : (double)NAN;
}

int plan_place(const struct spec *sp, const struct plan_load *load, uint64_t seed, struct result_summary *out)
{
    const size_t servers = (size_t)sp->cluster.servers;
    uint32_t *server = malloc((load->regions_all + 1) * sizeof *server);
    double *each = calloc(2 * servers, sizeof *each), most = 0;
    struct result_summary sum;
    int rc = server && each ? place(sp, load, seed, server) : SIM_NO_MEMORY;

    if (rc == 0) {
        result_summary_init(&sum);
        for (size_t r = 0; r < load->regions_all; r++)
            each[server[r]] += load->rate[r];
        for (size_t s = 0; s < servers; s++)
            most = fmax(most, each[s]);
        if (load->rate_all > 0) {
            sum.hot_server_ratio = sum.hot_server_ratio_total = most * (double)servers / load->rate_all;
            sum.max_write_rate_per_s = spec_write_capacity_per_s(sp) * (double)servers / sum.hot_server_ratio;
        }
        region_figures(load, &sum);
        tail_figures(load, server, servers, each + servers, &sum);
        *out = sum;
    }
    free(server);
    free(each);
    return rc;
}
