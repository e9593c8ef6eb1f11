/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time of a balancer run with HBase's own number of steps: 12 servers x 200 regions (under 0.1 s) and
   1,000 servers x 200,000 regions (under 60 s and 1 GiB). Exit 1 where a limit is missed. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "hbase/balance/balancer.h"

static uint64_t splitmix(void *state)
{
    uint64_t z = *(uint64_t *)state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Counts even but for the last server, which is empty; hot tails, one in |hot_one_in| regions, on
   the first eighth of the servers; |tables| tables. */
static struct balancer_region *make_regions(uint32_t servers, uint32_t n, uint32_t tables,
                                            uint32_t hot_one_in)
{
    struct balancer_region *r = calloc(n, sizeof(*r));
    uint32_t hot_servers = servers / 8 ? servers / 8 : 1;
    for (uint32_t i = 0; r && i < n; i++) {
        r[i].server = i % (servers - 1);
        r[i].table = i / (servers - 1) % tables;
        r[i].key_order = i;
        r[i].storefile_mb = r[i].storefile_last_mb = 200;
        r[i].read_rate = 60;
        r[i].write_rate = r[i].server < hot_servers && i % hot_one_in < hot_one_in / 2 ? 30000 : 300;
        r[i].memstore_rate = r[i].write_rate / 1000;
    }
    return r;
}

static int run(uint32_t servers, uint32_t regions, uint32_t tables, double limit_s)
{
    struct balancer_region *r = make_regions(servers, regions, tables, 4);
    struct balancer_cluster cluster = {.regions = r,
                                       .n_regions = regions,
                                       .n_servers = servers,
                                       .n_tables = tables};
    struct balancer_options options;
    struct balancer_outcome out;
    struct rusage usage;
    uint64_t seed = 1;
    struct balance_draw draw = {splitmix, &seed};

    if (!r)
        return 1;
    balancer_options_init(&options);
    double start = now_s();
    int error = balancer_balance(&cluster, &options, &draw, &out);
    double took = now_s() - start;
    free(r);
    if (error)
        return 1;
    getrusage(RUSAGE_SELF, &usage);
    const struct balancer_decision *d = &out.decisions[0];
    printf("balancer %u servers x %u regions, %u tables: %.3f s (limit %g), %llu steps, %llu kept, "
           "%zu plans, %ld MiB\n",
           servers, regions, tables, took, limit_s, (unsigned long long)d->steps,
           (unsigned long long)d->steps_accepted, out.n_plans, usage.ru_maxrss / 1024);
    balancer_outcome_free(&out);
    return took > limit_s || usage.ru_maxrss > 1024 * 1024;
}

int main(void)
{
    int missed = run(12, 200, 1, 0.1);
    missed |= run(12, 200, 4, 0.1);
    return missed | run(1000, 200000, 200, 60);
}
