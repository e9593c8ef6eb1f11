/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "balance_test.h"

#include <math.h>

#include "hbase/balance/moves.h"

static struct balancer_outcome run(const struct test_cluster *t, const struct balancer_options *o,
                                   uint64_t seed)
{
    struct test_draw d;
    struct balancer_outcome out;
    assert_int_equal(0, balancer_balance(&t->cluster, o, test_draw_init(&d, seed), &out));
    return out;
}

static struct balancer_options defaults(void)
{
    struct balancer_options o;
    balancer_options_init(&o);
    return o;
}

/* First answer: with default weights no write skew alone ever starts a run, however the writes lie,
   memstores growing with them; the most that it can bring is told. */
static void test_write_skew_never_starts_a_run(void **state)
{
    (void)state;
    struct balancer_options o = defaults();
    uint64_t seed = 5;

    for (int round = 0; round < 200; round++) {
        uint32_t servers = 2 + (uint32_t)(test_splitmix(&seed) % 30);
        uint32_t each = 1 + (uint32_t)(test_splitmix(&seed) % 12);
        struct test_cluster t;
        test_cluster_init(&t, servers, servers * each, servers);
        for (uint32_t i = 0; i < servers * each; i++) {
            int hot = round % 2 ? t.regions[i].server == 0 : test_splitmix(&seed) % 7 == 0;
            t.regions[i].write_rate = hot ? (double)(test_splitmix(&seed) % 100000) : 0;
            t.regions[i].memstore_rate = floor(t.regions[i].write_rate / 1000);
        }
        struct balancer_outcome out = run(&t, &o, 1);
        const struct balancer_decision *d = &out.decisions[0];
        assert_false(d->needed);
        assert_int_equal(d->gate, BALANCER_GATE_COST_BALANCED);
        assert_true(d->total <= 10 + 1e-9 && d->total < d->threshold * d->multiplier_sum);
        assert_int_equal(out.n_plans, 0);
        balancer_outcome_free(&out);
        test_cluster_free(&t);
    }
}

/* The stacks of truth/balancer on 12 servers x 48 regions. */
static void test_stacks_of_12x48(void **state)
{
    (void)state;
    static const struct {
        uint32_t servers, tails;
    } stacks[] = {{1, 4}, {2, 8}, {3, 12}};

    for (size_t i = 0; i < 3; i++) {
        struct balancer_options o = defaults();
        struct test_cluster t;
        test_cluster_init(&t, 12, 48, 12);
        test_heat(&t, stacks[i].servers, stacks[i].tails / stacks[i].servers, 50000);
        struct balancer_outcome out = run(&t, &o, 1);
        assert_false(out.decisions[0].needed);
        assert_true(out.decisions[0].total > 2.2 && out.decisions[0].total < 5.5);
        balancer_outcome_free(&out);
        /* forced, it looks and finds that a swap costs 14/48, more than it brings on three servers */
        o.min_cost_need_balance = (double)0.001f;
        out = run(&t, &o, 1);
        assert_true(out.decisions[0].needed);
        assert_int_equal(out.decisions[0].gate, BALANCER_GATE_COST);
        assert_int_equal(out.decisions[0].steps, 48 * 800 * 12);
        if (i == 2)
            assert_int_equal(out.n_plans, 0);
        balancer_outcome_free(&out);
        /* a weight of 50 starts it and cures it */
        o = defaults();
        o.multiplier[BALANCER_COST_WRITE] = 50;
        out = run(&t, &o, 1);
        assert_true(out.decisions[0].needed && out.decisions[0].multiplier_sum == 647);
        test_apply(&t, &out);
        uint32_t tails[12], most = 0;
        moves_hot_tails(&t.cluster, 0.5, tails);
        for (uint32_t s = 0; s < 12; s++)
            most = tails[s] > most ? tails[s] : most;
        assert_int_equal(most, 1);
        balancer_outcome_free(&out);
        test_cluster_free(&t);
    }
}

/* Second answer: an empty server is filled to the floor of the average, and the same run unstacks
   hot tails as far as each swap pays: nearly all of them on 200 regions, few on 16. */
static void test_empty_server(void **state)
{
    (void)state;
    static const struct {
        uint32_t regions, tails;
        double before, after_low, after_high;
    } cases[] = {{200, 16, 10.5, 1.2, 1.8}, {48, 4, 10.5, 2, 4}, {16, 1, 1.2, 1.2, 12}};

    for (size_t i = 0; i < 3; i++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            struct balancer_options o = defaults();
            struct test_cluster t;
            uint32_t counts[12], most = 0, floor_average = cases[i].regions / 12;
            double ratio;
            test_cluster_init(&t, 12, cases[i].regions, 11);
            test_heat(&t, 1, cases[i].tails, 50000);
            assert_int_equal(0, moves_hot_ratio(&t.cluster, &ratio));
            assert_true(ratio > cases[i].before);
            struct balancer_outcome out = run(&t, &o, seed);
            assert_int_equal(out.decisions[0].gate, BALANCER_GATE_IDLE_SERVER);
            test_apply(&t, &out);
            balancer_cluster_counts(&t.cluster, counts);
            for (uint32_t s = 0; s < 12; s++)
                most = counts[s] > most ? counts[s] : most;
            assert_in_range(counts[11], floor_average, floor_average + 1);
            assert_true(most <= floor_average + 1);
            assert_int_equal(0, moves_hot_ratio(&t.cluster, &ratio));
            assert_true(ratio >= cases[i].after_low && ratio <= cases[i].after_high);
            /* the cost of the moves was paid back */
            const struct balancer_decision *d = &out.decisions[0];
            assert_true(d->total_after < d->total);
            assert_true(fabs(d->cost_after[BALANCER_COST_MOVE] -
                             (double)out.n_plans / cases[i].regions) < 1e-12);
            balancer_outcome_free(&out);
            test_cluster_free(&t);
        }
    }
}

static void test_gates(void **state)
{
    (void)state;
    struct balancer_options o = defaults();
    struct test_cluster t;

    test_cluster_init(&t, 1, 10, 1);
    struct balancer_outcome out = run(&t, &o, 1);
    assert_int_equal(out.decisions[0].gate, BALANCER_GATE_FEW_SERVERS);
    balancer_outcome_free(&out);
    test_cluster_free(&t);

    test_cluster_init(&t, 3, 2, 2); /* a server without any, but nobody has two */
    out = run(&t, &o, 1);
    assert_int_not_equal(out.decisions[0].gate, BALANCER_GATE_IDLE_SERVER);
    balancer_outcome_free(&out);
    test_cluster_free(&t);

    test_cluster_init(&t, 4, 40, 4); /* 10 each, 8 to 12 allowed: 12 and 8 are not sloppy */
    t.regions[0].server = t.regions[4].server = 1;
    out = run(&t, &o, 1);
    assert_int_equal(out.decisions[0].count_floor, 8);
    assert_int_equal(out.decisions[0].count_ceil, 12);
    assert_int_equal(out.decisions[0].gate, BALANCER_GATE_COST);
    balancer_outcome_free(&out);
    t.regions[8].server = 1; /* 13 and 7 */
    out = run(&t, &o, 1);
    assert_int_equal(out.decisions[0].gate, BALANCER_GATE_SLOP);
    balancer_outcome_free(&out);
    o.slop = -1;
    out = run(&t, &o, 1);
    assert_int_equal(out.decisions[0].gate, BALANCER_GATE_COST);
    assert_int_equal(out.decisions[0].count_ceil, UINT32_MAX);
    balancer_outcome_free(&out);
    o.kind = BALANCER_OFF;
    out = run(&t, &o, 1);
    assert_int_equal(out.n_decisions, 0);
    balancer_outcome_free(&out);
    test_cluster_free(&t);
}

/* minCostNeedBalance: the weighted costs divided by the sum of the weights start a run from there on. */
static void test_least_cost(void **state)
{
    (void)state;
    for (int above = 0; above < 2; above++) {
        struct balancer_options o = defaults();
        struct balancer_outcome out;
        struct test_cluster t;

        test_cluster_init(&t, 12, 48, 12);
        test_heat(&t, 3, 4, 50000);
        assert_int_equal(0, balancer_decide(&t.cluster, &o, &out));
        assert_int_equal(out.decisions[0].gate, BALANCER_GATE_COST_BALANCED);
        o.min_cost_need_balance = out.decisions[0].total / out.decisions[0].multiplier_sum * (above ? 1.02 : 0.98);
        balancer_outcome_free(&out);
        assert_int_equal(0, balancer_decide(&t.cluster, &o, &out));
        assert_int_equal(out.decisions[0].gate, above ? BALANCER_GATE_COST_BALANCED : BALANCER_GATE_COST);
        assert_true(out.decisions[0].needed == !above);
        balancer_outcome_free(&out);
        test_cluster_free(&t);
    }
}

/* By table each table is a problem of its own: two tables that are each packed on half of the
   servers look level together, and are spread one after the other by table. */
static void test_by_table(void **state)
{
    (void)state;
    struct balancer_options o = defaults();
    struct test_cluster t;
    uint32_t count[2][8] = {{0}};

    test_cluster_init(&t, 8, 64, 8);
    t.cluster.n_tables = 3; /* the third has no region: no decision */
    for (uint32_t i = 0; i < 64; i++)
        t.regions[i].table = t.regions[i].server < 4;
    o.by_table = true;
    struct balancer_outcome out = run(&t, &o, 1);
    assert_int_equal(out.n_decisions, 2);
    for (int64_t d = 0; d < 2; d++) {
        assert_int_equal(out.decisions[d].table, d);
        assert_int_equal(out.decisions[d].gate, BALANCER_GATE_IDLE_SERVER);
        assert_int_equal(out.decisions[d].regions, 32);
        assert_int_equal(out.decisions[d].n_plans, 16);
    }
    assert_int_equal(out.decisions[1].first_plan, 16);
    test_apply(&t, &out);
    for (uint32_t i = 0; i < 64; i++)
        count[t.regions[i].table][t.regions[i].server]++;
    for (uint32_t s = 0; s < 8; s++)
        assert_true(count[0][s] == 4 && count[1][s] == 4);
    balancer_outcome_free(&out);
    test_cluster_free(&t);
}

/* No run moves more than max(regions x maxMovePercent, 600). */
static void test_most_moves(void **state)
{
    (void)state;
    struct balancer_options o = defaults();
    struct test_cluster t;

    test_cluster_init(&t, 4, 2000, 1);
    o.max_move_percent = (double)0.1f;
    struct balancer_outcome out = run(&t, &o, 1);
    assert_in_range(out.n_plans, 590, 600);
    /* a real master would not have got through: 4 servers of 500 regions take it 200 us a step */
    assert_int_equal(out.decisions[0].steps, 1000000);
    assert_in_range(out.decisions[0].steps_in_time, 100000, 200000);
    assert_in_range(out.decisions[0].accepted_in_time, 1, out.decisions[0].steps_accepted);
    balancer_outcome_free(&out);
    o.max_move_percent = (double)0.4f;
    out = run(&t, &o, 1);
    assert_in_range(out.n_plans, 790, 800);
    balancer_outcome_free(&out);
    test_cluster_free(&t);
}

static void random_cluster(struct test_cluster *t, uint64_t *seed, uint8_t *server_state)
{
    uint32_t servers = 3 + (uint32_t)(test_splitmix(seed) % 8);
    uint32_t n = (uint32_t)(test_splitmix(seed) % 60);

    test_cluster_init(t, servers, n, servers);
    t->cluster.n_tables = 4;
    for (uint32_t i = 0; i < n; i++) {
        struct balancer_region *r = &t->regions[i];
        r->server = (uint32_t)(test_splitmix(seed) % servers);
        r->table = (uint32_t)(test_splitmix(seed) % 4);
        r->write_rate = (double)(test_splitmix(seed) % 5000);
        r->region_id = (int64_t)(test_splitmix(seed) % 3);
        if (test_splitmix(seed) % 10 == 0)
            r->flags = BALANCER_REGION_OFFLINE;
    }
    for (uint32_t s = 0; s < servers; s++)
        server_state[s] = test_splitmix(seed) % 4 == 0
                              ? (uint8_t)(1 + test_splitmix(seed) % 2)
                              : (uint8_t)BALANCER_SERVER_LIVE;
    t->cluster.server_state = server_state;
}

static void check_plans(struct test_cluster *t, const struct balancer_outcome *out, int stochastic)
{
    uint8_t *seen = calloc(t->cluster.n_regions + 1, 1);
    assert_non_null(seen);
    for (size_t i = 0; i < out->n_plans; i++) {
        const struct balancer_plan *p = &out->plans[i];
        assert_true(p->region < t->cluster.n_regions);
        assert_int_equal(t->regions[p->region].server, p->from);
        assert_int_equal(t->cluster.server_state[p->from], BALANCER_SERVER_LIVE);
        assert_int_equal(t->cluster.server_state[p->to], BALANCER_SERVER_LIVE);
        assert_int_not_equal(p->from, p->to);
        assert_false(t->regions[p->region].flags & BALANCER_REGION_OFFLINE);
        if (stochastic)
            assert_false(seen[p->region]++);
    }
    size_t plans = 0;
    for (size_t i = 0; i < out->n_decisions; i++) {
        const struct balancer_decision *d = &out->decisions[i];
        assert_int_equal(d->first_plan, plans);
        plans += d->n_plans;
        if (!d->needed)
            assert_int_equal(d->n_plans, 0);
        if (stochastic && d->n_plans)
            assert_true(d->total_after < d->total);
    }
    assert_int_equal(plans, out->n_plans);
    free(seen);
}

/* Whatever the state: no plan touches a dead or draining server or a region out of view, counts are
   conserved, the same words give the same plans. */
static void test_plans_of_random_states(void **state)
{
    (void)state;
    uint64_t seed = 77;
    uint8_t server_state[16];

    for (int round = 0; round < 120; round++) {
        struct balancer_options o = defaults();
        struct test_cluster t;
        random_cluster(&t, &seed, server_state);
        o.kind = round % 2 ? BALANCER_SIMPLE : BALANCER_STOCHASTIC;
        o.by_table = round % 4 >= 2;
        o.max_steps = 20000;
        struct test_draw d;
        struct balancer_outcome out, again;
        test_draw_init(&d, (uint64_t)round);
        assert_int_equal(0, balancer_balance(&t.cluster, &o, &d.draw, &out));
        again = run(&t, &o, (uint64_t)round);
        assert_int_equal(out.n_plans, again.n_plans);
        for (size_t i = 0; i < out.n_plans; i++)
            assert_memory_equal(&out.plans[i], &again.plans[i], sizeof(out.plans[i]));
        check_plans(&t, &out, o.kind == BALANCER_STOCHASTIC);
        uint32_t before[16], after[16], sum_before = 0, sum_after = 0;
        balancer_cluster_counts(&t.cluster, before);
        test_apply(&t, &out);
        balancer_cluster_counts(&t.cluster, after);
        for (uint32_t s = 0; s < t.cluster.n_servers; s++) {
            sum_before += before[s];
            sum_after += after[s];
        }
        assert_int_equal(sum_before, sum_after);
        balancer_outcome_free(&out);
        balancer_outcome_free(&again);
        test_cluster_free(&t);
    }
}

/* A level state plans nothing, even if it is made to look. */
static void test_balanced_state_plans_nothing(void **state)
{
    (void)state;
    for (int by_table = 0; by_table < 2; by_table++) {
        struct balancer_options o = defaults();
        struct test_cluster t;
        test_cluster_init(&t, 6, 60, 6);
        t.cluster.n_tables = 2;
        for (uint32_t i = 0; i < 60; i++)
            t.regions[i].table = i < 30;
        o.min_cost_need_balance = 0;
        o.by_table = by_table;
        struct balancer_outcome out = run(&t, &o, 3);
        for (size_t i = 0; i < out.n_decisions; i++) {
            assert_true(out.decisions[i].needed); /* 0 >= 0 */
            assert_true(out.decisions[i].total == 0);
            assert_true(out.decisions[i].steps > 0 && out.decisions[i].steps_accepted == 0);
        }
        assert_int_equal(out.n_plans, 0);
        balancer_outcome_free(&out);
        o.kind = BALANCER_SIMPLE;
        out = run(&t, &o, 3);
        assert_int_equal(out.n_plans, 0);
        balancer_outcome_free(&out);
        test_cluster_free(&t);
    }
}

/* Blocks pull their regions home: twelve regions that all left their files behind. */
static void test_locality(void **state)
{
    (void)state;
    struct balancer_options o = defaults();
    struct balancer_block_share shares[24];
    struct test_cluster t;

    test_cluster_init(&t, 4, 24, 4);
    for (uint32_t i = 0; i < 24; i++)
        shares[i] = (struct balancer_block_share){i, (i + 1) % 4, 1};
    t.cluster.block_shares = shares;
    t.cluster.n_block_shares = 24;
    struct balancer_outcome out = run(&t, &o, 1);
    assert_true(out.decisions[0].cost[BALANCER_COST_SERVER_LOCALITY] == 1);
    assert_true(out.decisions[0].cost[BALANCER_COST_RACK_LOCALITY] == 0);
    assert_int_equal(out.decisions[0].gate, BALANCER_GATE_COST); /* 25 of 602 */
    test_apply(&t, &out);
    for (uint32_t i = 0; i < 24; i++)
        assert_int_equal(t.regions[i].server, (i + 1) % 4);
    assert_true(fabs(out.decisions[0].cost_after[BALANCER_COST_SERVER_LOCALITY]) < 1e-9);
    balancer_outcome_free(&out);
    test_cluster_free(&t);
}

static void test_bad_states(void **state)
{
    (void)state;
    struct balancer_options o = defaults();
    struct test_cluster t;
    struct test_draw d;
    struct balancer_outcome out = {.n_plans = 42};
    size_t at = 99;
    uint32_t twice[4] = {0, 1, 1, 3};

    test_draw_init(&d, 1);
    test_cluster_init(&t, 4, 8, 4);
    struct balancer_cluster good = t.cluster;
    t.regions[5].server = 4;
    assert_int_equal(BALANCE_BAD_SERVER, balancer_balance(&t.cluster, &o, &d.draw, &out));
    assert_int_equal(BALANCE_BAD_SERVER, balancer_cluster_check(&t.cluster, &at));
    assert_int_equal(at, 5);
    t.regions[5].server = 1;
    t.regions[6].table = 1;
    assert_int_equal(BALANCE_BAD_REGION, balancer_cluster_check(&t.cluster, &at));
    t.regions[6].table = 0;
    t.regions[7].write_rate = (double)NAN;
    assert_int_equal(BALANCE_BAD_REGION, balancer_cluster_check(&t.cluster, &at));
    t.regions[7].write_rate = -1;
    assert_int_equal(BALANCE_BAD_REGION, balancer_balance(&t.cluster, &o, &d.draw, &out));
    t.regions[7].write_rate = 0;
    t.cluster.replicas = 2;
    assert_int_equal(BALANCE_REPLICAS, balancer_balance(&t.cluster, &o, &d.draw, &out));
    t.cluster = good;
    t.cluster.n_servers = 0;
    assert_int_equal(BALANCE_BAD_SERVER, balancer_balance(&t.cluster, &o, &d.draw, &out));
    t.cluster = good;
    t.cluster.server_list = twice;
    assert_int_equal(BALANCE_BAD_SERVER, balancer_balance(&t.cluster, &o, &d.draw, &out));
    o.by_table = true;
    assert_int_equal(BALANCE_BAD_SERVER, balancer_balance(&t.cluster, &o, &d.draw, &out));
    assert_int_equal(out.n_plans, 42); /* untouched */
    test_cluster_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_skew_never_starts_a_run),
        cmocka_unit_test(test_stacks_of_12x48),
        cmocka_unit_test(test_empty_server),
        cmocka_unit_test(test_least_cost),
        cmocka_unit_test(test_gates),
        cmocka_unit_test(test_by_table),
        cmocka_unit_test(test_most_moves),
        cmocka_unit_test(test_plans_of_random_states),
        cmocka_unit_test(test_balanced_state_plans_nothing),
        cmocka_unit_test(test_locality),
        cmocka_unit_test(test_bad_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
