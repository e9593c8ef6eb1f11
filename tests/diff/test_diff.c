/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two cases on the IoT scenario: two seeds are noise everywhere, 16 against 24 buckets
   puts the hot ratio first. And a change that hides in the noise of its windows is not called real. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../sim/iot.h"
#include "diff/diff.h"
#include "sim/sim.h"

static void add_setting(struct result *res, const char *section, const char *key, double number)
{
    struct result_setting *all = realloc(res->scenario, (res->scenario_len + 1) * sizeof *all);

    assert_non_null(all);
    res->scenario = all;
    all[res->scenario_len++] = (struct result_setting){iot_copy(section), iot_copy(key), NULL, number};
}

static void run_iot(struct result *res, int buckets, uint64_t seed)
{
    struct spec sp;
    struct sim_end end;

    iot_spec(&sp, buckets, 600, 100);
    sp.seed = seed;
    sp.detail = SPEC_DETAIL_TICK;
    result_init(res);
    res->seed = seed;
    add_setting(res, "scenario", "seed", (double)seed);
    add_setting(res, "table telemetry", "buckets", buckets);
    assert_int_equal(sim_all(&sp, 1, NULL, res, &end), 0);
    spec_free(&sp);
}

static void test_two_seeds_are_noise(void **state)
{
    struct result a, b;
    struct diff d;

    (void)state;
    run_iot(&a, 16, 1);
    run_iot(&b, 16, 2);
    assert_int_equal(diff_results(&a, &b, &d), 0);
    assert_true(d.same_scenario && !d.same_seed && d.len > 0);
    for (size_t i = 0; i < d.len; i++)
        assert_false(d.changes[i].real);
    diff_free(&d);
    result_free(&b);
    run_iot(&b, 16, 1);
    assert_int_equal(diff_results(&a, &b, &d), 0);
    assert_int_equal(d.len, 0);
    diff_free(&d);
    /* One figure more, in the same scenario with the same seed: that is no chance. */
    b.run.summary.flushes++;
    assert_int_equal(diff_results(&a, &b, &d), 0);
    assert_true(d.len == 1 && d.changes[0].real);
    diff_free(&d);
    result_free(&a);
    result_free(&b);
}

static void test_more_buckets_put_the_hot_ratio_first(void **state)
{
    struct result a, b;
    struct diff d;

    (void)state;
    run_iot(&a, 16, 1);
    run_iot(&b, 24, 1);
    assert_int_equal(diff_results(&a, &b, &d), 0);
    assert_false(d.same_scenario);
    assert_string_equal(d.changes[0].name, "hot_server_ratio");
    assert_true(d.changes[0].real);
    assert_true(fabs(d.changes[0].relative + 1.0 / 3) < 0.01);
    assert_true(d.changes[0].hi < -0.45 && d.changes[0].lo > -0.55);
    diff_free(&d);
    result_free(&a);
    result_free(&b);
}

/* 100 windows whose ratio is 1.5 + |shift| with a scatter of +- 0.1. */
static void make(struct result *res, double shift, unsigned phase, double splits)
{
    double sum = 0;

    result_init(res);
    res->run.duration_s = 1000;
    for (unsigned i = 0; i < 100; i++) {
        struct result_window *win = result_add_window(&res->run);

        assert_non_null(win);
        win->begin_s = 10.0 * i;
        win->end_s = win->begin_s + 10;
        win->hot_server_ratio = 1.5 + shift + 0.02 * ((double)((i * 7919 + phase * 104729) % 11) - 5);
        sum += win->hot_server_ratio;
    }
    res->run.summary.hot_server_ratio = sum / 100;
    res->run.summary.splits = splits;
}

static bool is_real(const struct diff *d, const char *name)
{
    for (size_t i = 0; i < d->len; i++)
        if (strcmp(d->changes[i].name, name) == 0)
            return d->changes[i].real;
    fail_msg("%s does not differ", name);
    return false;
}

static void test_scatter_is_no_change(void **state)
{
    struct result a, b;
    struct diff d;

    (void)state;
    make(&a, 0, 0, 10);
    make(&b, 0.001, 3, 13);
    assert_int_equal(diff_results(&a, &b, &d), 0);
    assert_false(is_real(&d, "hot_server_ratio"));
    assert_false(is_real(&d, "splits"));
    diff_free(&d);
    result_free(&b);
    make(&b, 0.1, 3, 40);
    assert_int_equal(diff_results(&a, &b, &d), 0);
    assert_true(is_real(&d, "hot_server_ratio"));
    assert_true(is_real(&d, "splits"));
    diff_free(&d);
    result_free(&a);
    result_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_seeds_are_noise),
        cmocka_unit_test(test_more_buckets_put_the_hot_ratio_first),
        cmocka_unit_test(test_scatter_is_no_change),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
