/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "balance_test.h"

#include "hbase/balance/moves.h"

#include <math.h>

static struct move_counts count(const struct balancer_plan *moves, size_t n)
{
    struct move_counts c = {0};
    assert_int_equal(0, moves_count(moves, n, 16, &c));
    assert_int_equal(c.moves, n);
    assert_int_equal(c.necessary + c.redundant, n);
    return c;
}

static void test_cycles(void **state)
{
    (void)state;
    /* a cycle of three and one move more */
    static const struct balancer_plan three[] = {{0, 1, 2}, {1, 2, 3}, {2, 3, 1}, {3, 1, 2}};
    assert_int_equal(count(three, 4).redundant, 3);
    /* there and back */
    static const struct balancer_plan pair[] = {{0, 1, 2}, {0, 2, 1}, {1, 1, 2}};
    struct move_counts c = count(pair, 3);
    assert_int_equal(c.redundant, 2);
    assert_int_equal(c.regions, 2);
    assert_int_equal(c.regions_again, 1);
    /* no cycle: a fan and a chain */
    static const struct balancer_plan fan[] = {{0, 0, 1}, {1, 0, 2}, {2, 1, 2}, {3, 2, 5}};
    assert_int_equal(count(fan, 4).redundant, 0);
    /* two cycles that share a server, one of them walked twice */
    static const struct balancer_plan eight[] = {{0, 0, 1}, {1, 1, 2}, {2, 2, 0}, {3, 0, 1},
                                                 {4, 1, 2}, {5, 2, 0}, {6, 0, 4}, {7, 4, 5},
                                                 {8, 5, 0}, {9, 5, 7}};
    assert_int_equal(count(eight, 10).redundant, 9);
    /* the same region three times is one region that moved again */
    static const struct balancer_plan thrice[] = {{9, 0, 1}, {9, 1, 2}, {9, 2, 3}};
    c = count(thrice, 3);
    assert_int_equal(c.regions, 1);
    assert_int_equal(c.regions_again, 1);
    assert_int_equal(c.redundant, 0);
    assert_int_equal(count(NULL, 0).redundant, 0);
    static const struct balancer_plan bad[] = {{0, 0, 16}};
    struct move_counts untouched = {.moves = 77};
    assert_int_equal(BALANCE_BAD_SERVER, moves_count(bad, 1, 16, &untouched));
    assert_int_equal(untouched.moves, 77);
}

/* What is left has no cycle, and each server's net gain is kept: checked on random graphs, where a
   cycle-free rest means that no server can be reached from itself. */
static void test_random_graphs(void **state)
{
    (void)state;
    uint64_t seed = 11;

    for (int round = 0; round < 300; round++) {
        struct balancer_plan moves[40];
        int net[6] = {0};
        size_t n = test_splitmix(&seed) % 40;
        for (size_t i = 0; i < n; i++) {
            uint32_t from = (uint32_t)(test_splitmix(&seed) % 6);
            uint32_t to = (from + 1 + (uint32_t)(test_splitmix(&seed) % 5)) % 6;
            moves[i] = (struct balancer_plan){(uint32_t)i, from, to};
            net[from]--;
            net[to]++;
        }
        struct move_counts c = {0};
        assert_int_equal(0, moves_count(moves, n, 6, &c));
        size_t least = 0;
        for (int s = 0; s < 6; s++)
            least += net[s] > 0 ? (size_t)net[s] : 0;
        assert_true(c.necessary >= least); /* every net gain needs its moves */
        assert_true(c.necessary <= 5 * least); /* a rest without a cycle has paths of at most five */
    }
}

static void test_thrash(void **state)
{
    (void)state;
    static const double up[] = {0, 1, 1, 4, 10}, there[] = {0, 10, 0}, twice[] = {5, 10, 0, 10, 5};
    assert_true(moves_thrash(up, 5, 10) == 0);
    assert_true(moves_thrash(there, 3, 10) == 2);
    assert_true(fabs(moves_thrash(twice, 5, 10) - 3) < 1e-12);
    assert_true(moves_thrash(there, 3, 0) == 0);
    assert_true(moves_thrash(there, 0, 10) == 0);
}

static void test_tails(void **state)
{
    (void)state;
    struct test_cluster t;
    uint32_t tails[4];
    uint8_t states[4] = {0};
    double ratio;

    test_cluster_init(&t, 4, 8, 4);
    for (int i = 0; i < 8; i++)
        t.regions[i].write_rate = 0;
    assert_int_equal(0, moves_hot_tails(&t.cluster, 0.5, tails));
    assert_int_equal(0, moves_hot_ratio(&t.cluster, &ratio));
    assert_true(ratio == 0);
    t.regions[0].write_rate = t.regions[4].write_rate = 100;
    t.regions[1].write_rate = 60;
    t.regions[2].write_rate = 40;
    assert_int_equal(3, moves_hot_tails(&t.cluster, 0.5, tails));
    assert_int_equal(tails[0], 2);
    assert_int_equal(tails[1], 1);
    assert_int_equal(0, moves_hot_ratio(&t.cluster, &ratio));
    assert_true(fabs(ratio - 200 / 75.0) < 1e-12);
    states[3] = BALANCER_SERVER_DEAD;
    t.cluster.server_state = states;
    assert_int_equal(0, moves_hot_ratio(&t.cluster, &ratio));
    assert_true(fabs(ratio - 2) < 1e-12);
    t.regions[0].flags = BALANCER_REGION_OFFLINE;
    assert_int_equal(2, moves_hot_tails(&t.cluster, 0.5, tails));
    test_cluster_free(&t);
}

/* The figure that the report recommends is the edge of the gate itself. */
static void test_write_multiplier(void **state)
{
    (void)state;
    static const char name[] = "hbase.master.balancer.stochastic.writeRequestCost";
    struct test_cluster t;
    struct balancer_options o;
    struct balancer_outcome out;

    test_cluster_init(&t, 12, 48, 12);
    test_heat(&t, 1, 4, 100000);
    balancer_options_init(&o);
    assert_int_equal(0, balancer_decide(&t.cluster, &o, &out));
    assert_false(out.decisions[0].needed);
    double needed = moves_write_multiplier_needed(&out.decisions[0]);
    assert_in_range((int)needed, 6, 40);
    balancer_outcome_free(&out);
    for (int above = 0; above < 2; above++) {
        assert_int_equal(0, balancer_options_set(&o, name, needed * (above ? 1.001 : 0.999)));
        assert_int_equal(0, balancer_decide(&t.cluster, &o, &out));
        assert_int_equal(out.decisions[0].needed, above);
        balancer_outcome_free(&out);
    }
    for (uint32_t i = 0; i < 48; i++)
        t.regions[i].write_rate = 500;
    balancer_options_init(&o);
    assert_int_equal(0, balancer_decide(&t.cluster, &o, &out));
    assert_true(isinf(moves_write_multiplier_needed(&out.decisions[0])));
    balancer_outcome_free(&out);
    test_cluster_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cycles),        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_thrash),        cmocka_unit_test(test_tails),
        cmocka_unit_test(test_write_multiplier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
