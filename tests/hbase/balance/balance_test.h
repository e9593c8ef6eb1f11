/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_HBASE_BALANCE_TEST_H
#define TESTS_HBASE_BALANCE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "hbase/balance/balancer.h"

static inline uint64_t test_splitmix(void *state)
{
    uint64_t z = *(uint64_t *)state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A generator whose draws are counted. */
struct test_draw {
    uint64_t state;
    struct balance_draw draw;
};

static inline struct balance_draw *test_draw_init(struct test_draw *d, uint64_t seed)
{
    d->state = seed;
    d->draw = (struct balance_draw){test_splitmix, &d->state};
    return &d->draw;
}

/* A cluster whose arrays the test owns. */
struct test_cluster {
    struct balancer_cluster cluster;
    struct balancer_region *regions;
};

/* |n| regions of one table, region i on server i mod |spread|; the same load everywhere. */
static inline void test_cluster_init(struct test_cluster *t, uint32_t servers, uint32_t n,
                                     uint32_t spread)
{
    t->regions = calloc(n + 1, sizeof(*t->regions));
    assert_non_null(t->regions);
    for (uint32_t i = 0; i < n; i++) {
        t->regions[i].server = i % spread;
        t->regions[i].key_order = i;
        t->regions[i].storefile_mb = t->regions[i].storefile_last_mb = 200;
        t->regions[i].read_rate = 60;
        t->regions[i].write_rate = 500;
    }
    t->cluster = (struct balancer_cluster){
        .regions = t->regions, .n_regions = n, .n_servers = servers, .n_tables = 1};
}

static inline void test_cluster_free(struct test_cluster *t)
{
    free(t->regions);
}

/* |k| hot regions on each of the first |servers| servers. */
static inline void test_heat(struct test_cluster *t, uint32_t servers, uint32_t k, double rate)
{
    uint32_t *left = calloc(servers, sizeof(*left));
    assert_non_null(left);
    for (uint32_t s = 0; s < servers; s++)
        left[s] = k;
    for (size_t i = 0; i < t->cluster.n_regions; i++) {
        uint32_t s = t->regions[i].server;
        if (s < servers && left[s] > 0) {
            t->regions[i].write_rate = rate;
            left[s]--;
        }
    }
    free(left);
}

static inline void test_apply(struct test_cluster *t, const struct balancer_outcome *out)
{
    for (size_t i = 0; i < out->n_plans; i++) {
        assert_int_equal(t->regions[out->plans[i].region].server, out->plans[i].from);
        t->regions[out->plans[i].region].server = out->plans[i].to;
    }
}

#endif
