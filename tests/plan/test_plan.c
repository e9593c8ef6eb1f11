/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../sim/iot.h"
#include "plan/plan.h"

static void set_plan(struct spec *sp, const int *n, size_t len, double bound)
{
    sp->has_plan = true;
    sp->plan.candidates = calloc(len, sizeof *sp->plan.candidates);
    sp->plan.targets = calloc(1, sizeof *sp->plan.targets);
    assert_non_null(sp->plan.candidates);
    assert_non_null(sp->plan.targets);
    memcpy(sp->plan.candidates, n, len * sizeof *n);
    sp->plan.candidates_len = len;
    sp->plan.targets_len = 1;
    sp->plan.targets->metric = iot_copy("hot_server_ratio");
    sp->plan.targets->at_most = true;
    sp->plan.targets->bound = bound;
}

static int run(const struct spec *sp, unsigned jobs, struct result *res)
{
    const struct plan_options options = {.jobs = jobs};
    struct sim_end end;

    return plan_run(sp, &options, NULL, res, &end);
}

static const struct result_candidate *candidate(const struct result *res, int n)
{
    size_t i = 0;

    while (i < res->plan.candidates_len && res->plan.candidates[i].n != n)
        i++;
    assert_true(i < res->plan.candidates_len);
    return &res->plan.candidates[i];
}

/* 12 servers: 8 meets 1.6 with four idle servers, 12 and 24 are even, 16 stacks tails like 8. */
static void test_smallest_that_meets_the_target(void **state)
{
    static const int n[] = {0, 1, 8, 12, 16, 24};
    struct spec sp;
    struct result res;

    (void)state;
    iot_spec(&sp, 16, 120, 100);
    iot_query(&sp, "window", SPEC_QUERY_RANGE, 60 * SPEC_NS_PER_S);
    set_plan(&sp, n, sizeof n / sizeof n[0], 1.6);
    result_init(&res);
    assert_int_equal(run(&sp, 2, &res), 0);
    assert_int_equal(res.plan.recommended_n, 8);
    assert_true(fabs(candidate(&res, 0)->hot_server_ratio.mean - 12) < 0.01);
    assert_true(fabs(candidate(&res, 1)->hot_server_ratio.mean - 12) < 0.01);
    assert_true(fabs(candidate(&res, 8)->hot_server_ratio.mean - 1.5) < 0.02);
    assert_true(fabs(candidate(&res, 12)->hot_server_ratio.mean - 1) < 0.02);
    assert_true(fabs(candidate(&res, 16)->hot_server_ratio.mean - 1.5) < 0.02);
    assert_true(fabs(candidate(&res, 24)->hot_server_ratio.mean - 1) < 0.02);
    assert_true(candidate(&res, 8)->servers_idle.mean == 4);
    assert_true(candidate(&res, 16)->scans.mean == 16 && candidate(&res, 0)->scans.mean == 1);
    assert_false(candidate(&res, 1)->feasible);
    assert_non_null(strstr(candidate(&res, 1)->why_not, "hot_server_ratio is 12"));
    assert_non_null(strstr(res.plan.reason, "4 of 12 servers without a write tail"));
    assert_non_null(strstr(res.plan.reason, "N = 12 would bring 1.0"));
    assert_int_equal(res.run.buckets, 8);
    result_free(&res);
    spec_free(&sp);
}

/* A hot device under a salt over the device: its bucket has 0.34 of all, so N = 16 isn't 1.5. */
static void test_entity_salt_moves_sixteen_away(void **state)
{
    static const int n[] = {16};
    struct spec sp;
    struct result res;

    (void)state;
    iot_spec(&sp, 16, 120, 100);
    free(sp.tables->salt_over);
    sp.tables->salt_over = iot_copy("device");
    sp.streams->popularity = SPEC_POPULARITY_HOT;
    sp.streams->hot_entities = 1;
    sp.streams->hot_share = 0.3;
    set_plan(&sp, n, 1, 1.6);
    result_init(&res);
    assert_int_equal(run(&sp, 1, &res), 0);
    assert_true(candidate(&res, 16)->hot_server_ratio.mean > 12 * 0.343);
    assert_true(fabs(candidate(&res, 16)->hot_bucket_share.mean - 0.34375) < 0.005);
    assert_int_equal(res.plan.recommended_n, -1);
    assert_string_equal(res.plan.answer, "salt-will-not-help");
    assert_non_null(strstr(res.plan.reason, "with salt_over = key the largest of 256 buckets takes 0.4"));
    result_free(&res);
    spec_free(&sp);
}

static void test_same_result_on_one_and_two_threads(void **state)
{
    static const int n[] = {8, 12, 16};
    struct spec sp;
    double figure[2][3];

    (void)state;
    iot_spec(&sp, 16, 60, 100);
    set_plan(&sp, n, 3, 1.6);
    for (unsigned jobs = 1; jobs <= 2; jobs++) {
        struct result res;

        result_init(&res);
        assert_int_equal(run(&sp, jobs, &res), 0);
        for (size_t i = 0; i < 3; i++)
            figure[jobs - 1][i] = res.plan.candidates[i].hot_server_ratio.mean;
        result_free(&res);
    }
    assert_memory_equal(figure[0], figure[1], sizeof figure[0]);
    spec_free(&sp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smallest_that_meets_the_target),
        cmocka_unit_test(test_entity_salt_moves_sixteen_away),
        cmocka_unit_test(test_same_result_on_one_and_two_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
