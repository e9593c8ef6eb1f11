/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "balance_test.h"

#include "hbase/balance/load.h"
#include "hbase/balance/options.h"

#include <math.h>

static void add(struct load_history *h, uint64_t write, uint64_t read, uint32_t mem, uint32_t store)
{
    load_history_add(h, &(struct load_sample){write, read, mem, store});
}

static void test_rates(void **state)
{
    (void)state;
    struct load_history h = {0};
    struct load_rates r = load_history_rates(&h);

    assert_true(r.write_rate == 0 && r.storefile_mb == 0 && r.storefile_last_mb == 0);
    add(&h, 1000, 5, 3, 100);
    r = load_history_rates(&h); /* one sample: no rate, but a size */
    assert_true(r.write_rate == 0 && r.memstore_rate == 0 && r.storefile_mb == 100);
    add(&h, 1600, 5, 10, 101);
    r = load_history_rates(&h);
    assert_true(r.write_rate == 600 && r.read_rate == 0 && r.memstore_rate == 7);
    assert_true(r.storefile_mb == 100.5 && r.storefile_last_mb == 101);
    add(&h, 200, 9, 4, 110); /* moved: counters restart; flushed: what is left counts */
    r = load_history_rates(&h);
    assert_true(r.write_rate == (600 + 200) / 2.0 && r.read_rate == 4 / 2.0);
    assert_true(r.memstore_rate == (7 + 4) / 2.0);
    load_history_clear(&h);
    r = load_history_rates(&h);
    assert_true(r.write_rate == 0 && r.storefile_mb == 0);
}

/* The newest 15 samples: after many more, only they tell. */
static void test_fifteen_samples(void **state)
{
    (void)state;
    struct load_history h = {0};

    for (uint64_t i = 0; i < 40; i++)
        add(&h, i * i, 0, 0, (uint32_t)i);
    struct load_rates r = load_history_rates(&h);
    assert_int_equal(h.count, 15);
    assert_true(fabs(r.write_rate - (39.0 * 39 - 25 * 25) / 14) < 1e-12);
    assert_true(fabs(r.storefile_mb - 32) < 1e-12);
    assert_true(r.storefile_last_mb == 39);
}

static void test_options(void **state)
{
    (void)state;
    struct balancer_options o;
    size_t n;
    const struct balancer_property *p = balancer_properties(&n);
    enum balancer_kind kind;
    double sum = 0;

    balancer_options_init(&o);
    for (int k = 0; k < BALANCER_COSTS; k++)
        if (k != BALANCER_COST_PRIMARY_REGION_COUNT && k != BALANCER_COST_REPLICA_HOST &&
            k != BALANCER_COST_REPLICA_RACK)
            sum += o.multiplier[k];
    assert_true(sum == 602);
    assert_true(o.slop == (double)0.2f && o.min_cost_need_balance == (double)0.025f);
    assert_true(isnan(o.overall_slop));
    assert_int_equal(o.period_us, 300000000);
    assert_int_equal(o.max_steps, 1000000);
    for (size_t i = 0; i < n; i++) {
        double value = isnan(p[i].value) ? 0 : p[i].value;
        assert_int_equal(0, balancer_options_set(&o, p[i].name, value));
        assert_int_equal(BALANCE_BAD_OPTION, balancer_options_set(&o, p[i].name, p[i].max * 2 + 1));
        assert_int_equal(BALANCE_BAD_OPTION, balancer_options_set(&o, p[i].name, (double)NAN));
    }
    assert_int_equal(
        0, balancer_options_set(&o, "hbase.master.balancer.stochastic.writeRequestCost", 50));
    assert_true(o.multiplier[BALANCER_COST_WRITE] == 50);
    assert_int_equal(0, balancer_options_set(&o, "hbase.master.loadbalance.bytable", 1));
    assert_true(o.by_table);
    assert_int_equal(BALANCE_BAD_OPTION,
                     balancer_options_set(&o, "hbase.master.loadbalance.bytable", 0.5));
    assert_int_equal(BALANCE_BAD_OPTION, balancer_options_set(&o, "hbase.nonsense", 1));
    assert_int_equal(0, balancer_kind_parse("org.apache.hadoop.hbase.master.balancer."
                                            "SimpleLoadBalancer", &kind));
    assert_int_equal(kind, BALANCER_SIMPLE);
    assert_int_equal(0, balancer_kind_parse("off", &kind));
    assert_int_equal(kind, BALANCER_OFF);
    assert_int_equal(BALANCE_BAD_OPTION, balancer_kind_parse("FavoredStochasticBalancer", &kind));
    assert_string_equal(balancer_cost_name(BALANCER_COST_WRITE), "WriteRequest");
}

static void test_pace(void **state)
{
    (void)state;
    struct balancer_options o;

    balancer_options_init(&o);
    assert_int_equal(balancer_plan_interval_us(&o, 7), 42857000);
    assert_int_equal(balancer_plan_interval_us(&o, 0), 0);
    o.max_balancing_us = 1000000;
    assert_int_equal(balancer_plan_interval_us(&o, 3), 333000);
    assert_int_equal(balancer_max_in_transition(&o, 200), 200);
    o.max_rit_percent = 0.001;
    assert_int_equal(balancer_max_in_transition(&o, 200), 1);
    o.max_rit_percent = 0.1;
    assert_int_equal(balancer_max_in_transition(&o, 57), 5);
}

static void test_preconditions(void **state)
{
    (void)state;
    assert_int_equal(BALANCER_GATE_NONE, balancer_may_run(&(struct balancer_master){true, 0, 0}));
    assert_int_equal(BALANCER_GATE_SWITCH,
                     balancer_may_run(&(struct balancer_master){false, 1, 1}));
    assert_int_equal(BALANCER_GATE_TRANSITION,
                     balancer_may_run(&(struct balancer_master){true, 1, 1}));
    assert_int_equal(BALANCER_GATE_DEAD_SERVERS,
                     balancer_may_run(&(struct balancer_master){true, 0, 1}));
    for (int g = BALANCER_GATE_NONE; g <= BALANCER_GATE_OVERALL; g++)
        assert_string_not_equal(balancer_gate_name(g), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_fifteen_samples),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_pace),
        cmocka_unit_test(test_preconditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
