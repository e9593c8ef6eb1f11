/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "balance_test.h"

#include "hbase/balance/moves.h"

static struct balancer_outcome run(const struct test_cluster *t, bool by_table, uint64_t seed)
{
    struct balancer_options o;
    struct test_draw d;
    struct balancer_outcome out;

    balancer_options_init(&o);
    o.kind = BALANCER_SIMPLE;
    o.by_table = by_table;
    assert_int_equal(0, balancer_balance(&t->cluster, &o, test_draw_init(&d, seed), &out));
    return out;
}

static void spread(const struct test_cluster *t, uint32_t *least, uint32_t *most)
{
    uint32_t counts[64];
    balancer_cluster_counts(&t->cluster, counts);
    *least = *most = counts[0];
    for (uint32_t s = 1; s < t->cluster.n_servers; s++) {
        *least = counts[s] < *least ? counts[s] : *least;
        *most = counts[s] > *most ? counts[s] : *most;
    }
}

/* Whatever the start, a run that happens ends with every server at floor or ceil of the average. */
static void test_ends_level(void **state)
{
    (void)state;
    uint64_t seed = 19;

    for (int round = 0; round < 200; round++) {
        struct test_cluster t;
        uint32_t servers = 2 + (uint32_t)(test_splitmix(&seed) % 14), least, most;
        uint32_t n = (uint32_t)(test_splitmix(&seed) % 120);
        uint32_t home = 1 + (uint32_t)(test_splitmix(&seed) % servers);
        test_cluster_init(&t, servers, n, servers);
        for (uint32_t i = 0; i < n; i++)
            t.regions[i].server = (uint32_t)(test_splitmix(&seed) % home);
        struct balancer_outcome out = run(&t, false, (uint64_t)round);
        assert_int_equal(out.n_decisions, 1);
        test_apply(&t, &out);
        spread(&t, &least, &most);
        if (out.decisions[0].needed)
            assert_true(least >= n / servers && most <= (n + servers - 1) / servers);
        else
            assert_int_equal(out.n_plans, 0);
        balancer_outcome_free(&out);
        test_cluster_free(&t);
    }
}

/* Counts alone: a stack of hot tails on level counts stays, and so does one beside a server that is
   filled. */
static void test_stacks_stay(void **state)
{
    (void)state;
    struct test_cluster t;
    uint32_t tails[12];

    test_cluster_init(&t, 12, 48, 12);
    test_heat(&t, 1, 4, 1e6);
    struct balancer_outcome out = run(&t, false, 1);
    assert_int_equal(out.decisions[0].gate, BALANCER_GATE_COUNTS_BALANCED);
    balancer_outcome_free(&out);
    test_cluster_free(&t);
    test_cluster_init(&t, 12, 48, 11);
    test_heat(&t, 1, 4, 1e6);
    for (uint32_t i = 0; i < 48; i++)
        t.regions[i].region_id = i; /* the fifth of server 0, which is cold, is the youngest */
    out = run(&t, false, 1);
    assert_int_equal(out.decisions[0].gate, BALANCER_GATE_IDLE_SERVER);
    assert_int_equal(out.n_plans, 4);
    test_apply(&t, &out);
    moves_hot_tails(&t.cluster, 0.5, tails);
    assert_int_equal(tails[0], 4);
    balancer_outcome_free(&out);
    test_cluster_free(&t);
}

/* The youngest regions leave first, and hbase:meta is not taken by the second pass. */
static void test_who_leaves(void **state)
{
    (void)state;
    struct test_cluster t;

    test_cluster_init(&t, 2, 6, 1);
    for (uint32_t i = 0; i < 6; i++)
        t.regions[i].region_id = i == 2 || i == 4 ? 2000 : 1000;
    struct balancer_outcome out = run(&t, false, 1);
    assert_int_equal(out.n_plans, 3);
    assert_int_equal(out.plans[0].region, 0); /* ordered by key; 2 and 4 are the young ones */
    assert_int_equal(out.plans[1].region, 2);
    assert_int_equal(out.plans[2].region, 4);
    balancer_outcome_free(&out);
    test_cluster_free(&t);

    test_cluster_init(&t, 3, 4, 2); /* 2, 2, 0: one from the fullest with the last name */
    t.regions[1].flags = BALANCER_REGION_META;
    out = run(&t, false, 1);
    assert_true(out.n_plans >= 1);
    assert_int_equal(out.plans[0].region, 0);
    assert_int_equal(out.plans[0].to, 2);
    balancer_outcome_free(&out);
    test_cluster_free(&t);
}

/* Tables that are each level but pile up over all tables: the overall check starts the run. */
static void test_overall(void **state)
{
    (void)state;
    struct test_cluster t;
    uint32_t least, most;

    test_cluster_init(&t, 4, 20, 2);
    t.cluster.n_tables = 10;
    for (uint32_t i = 0; i < 20; i++) {
        t.regions[i].table = i / 2; /* two regions a table, always on servers 0 and 1 */
        t.regions[i].server = i % 2;
    }
    struct balancer_outcome out = run(&t, true, 1);
    assert_int_equal(out.n_decisions, 10);
    assert_int_equal(out.decisions[0].gate, BALANCER_GATE_OVERALL);
    test_apply(&t, &out);
    spread(&t, &least, &most);
    assert_true(least >= 4 && most <= 6);
    for (uint32_t i = 0; i < 20; i += 2)
        assert_int_not_equal(t.regions[i].server, t.regions[i + 1].server);
    balancer_outcome_free(&out);
    test_cluster_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_level),
        cmocka_unit_test(test_stacks_stay),
        cmocka_unit_test(test_who_leaves),
        cmocka_unit_test(test_overall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
