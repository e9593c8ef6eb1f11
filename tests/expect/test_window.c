/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Halving the sampling interval changes no verdict: every figure that sample windows give is judged at a bound 5 %
   above and 5 % below what it is, over the whole run and over its last third, with windows of 10 s, 5 s and 2.5 s. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../sim/iot.h"
#include "expect/expect.h"
#include "sim/sim.h"

#define HALVINGS 3

static void run_with_window(struct result_run *run, int buckets, enum spec_detail detail, int64_t window_ns)
{
    struct spec sp;
    struct sim_end end;

    iot_spec(&sp, buckets, 900, 100);
    sp.detail = detail;
    sp.window_ns = window_ns;
    result_run_init(run);
    assert_int_equal(sim_run(&sp, NULL, run, &end), 0);
    assert_true(fabs(run->window_s - (double)window_ns / 1e9) < 1e-9);
    spec_free(&sp);
}

/* The verdict, "pass" or "fail", and the value; NULL where there is none to be had. */
static const char *verdict_of(const struct spec_expect *exp, const struct result_run *run, double *value)
{
    struct result_expectation out;
    struct expect_problem why;
    struct result res;
    const char *verdict;

    if (expect_judge(exp, run, &out, &why) != EXPECT_JUDGED)
        return NULL;
    *value = out.value;
    verdict = strcmp(out.verdict, "pass") == 0 ? "pass" : "fail";
    result_init(&res);
    res.expectations = malloc(sizeof out);
    assert_non_null(res.expectations);
    res.expectations[0] = out;
    res.expectations_len = 1;
    result_free(&res);
    return verdict;
}

/* Judged at both bounds with every window; returns 1 where the figure has a value. */
static size_t judge(const struct result_run *run, const char *metric, int64_t last_ns)
{
    size_t judged = 0;

    for (int above = 0; above < 2; above++) {
        struct spec_expect exp = {.name = (char *)(uintptr_t)"e", .metric = (char *)(uintptr_t)metric, .at_most = true,
                                  .bound = INFINITY, .last_ns = last_ns};
        const char *first, *other;
        double value = NAN, was;

        if (!verdict_of(&exp, &run[0], &was) || was == 0)
            return 0;
        exp.bound = was * (above ? 1.05 : 0.95);
        first = verdict_of(&exp, &run[0], &was);
        assert_string_equal(first, above ? "pass" : "fail");
        for (int k = 1; k < HALVINGS; k++) {
            other = verdict_of(&exp, &run[k], &value);
            if (!other || strcmp(other, first) != 0)
                fail_msg("%s <= %g: %s with %g, and with a window of %g s %s with %g", metric, exp.bound, first, was,
                         run[k].window_s, other ? other : "unjudged", value);
        }
        judged = 1;
    }
    return judged;
}

static void test_halving_changes_no_verdict(void **state)
{
    static const struct {
        int buckets;
        enum spec_detail detail;
    } cases[] = {{16, SPEC_DETAIL_WRITE}, {16, SPEC_DETAIL_TICK}, {24, SPEC_DETAIL_FLOW}, {0, SPEC_DETAIL_TICK}};

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct result_run run[HALVINGS];
        struct spec_figure fig;
        size_t judged = 0;

        for (int k = 0; k < HALVINGS; k++)
            run_with_window(&run[k], cases[c].buckets, cases[c].detail, 10 * SPEC_NS_PER_S >> k);
        for (size_t i = 0; spec_figure_at(SPEC_SCOPE_ALL, i, &fig); i++) {
            if (fig.over == SPEC_OVER_RUN)
                continue;
            judged += judge(run, fig.name, 0);
            judged += judge(run, fig.name, 300 * SPEC_NS_PER_S);
        }
        print_message("%d buckets, level %d: %zu figures judged\n", cases[c].buckets, (int)cases[c].detail, judged);
        assert_true(judged >= 10);
        for (int k = 0; k < HALVINGS; k++)
            result_run_free(&run[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_halving_changes_no_verdict)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
