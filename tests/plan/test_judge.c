/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules by which a candidate is judged, each alone: figure against target, margin, demand, and what is asked of
   one server. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "plan/trial.h"

static void near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fmax(1, fabs(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

static struct spec_target target(const char *metric, bool at_most, double bound)
{
    static char name[64];

    strcpy(name, metric);
    return (struct spec_target){name, at_most, bound};
}

/* Within 1 % of the bound, or with the bound inside its interval, a figure decides nothing. */
static void test_stands(void **state)
{
    static const struct {
        double mean, lo, hi;
        enum plan_stand most, least;  /* at most 1.6, at least 1.6 */
    } rows[] = {
        {1.55, 1.55, 1.55, PLAN_MET, PLAN_MISSED},         {1.65, 1.65, 1.65, PLAN_MISSED, PLAN_MET},
        {1.61, 1.61, 1.61, PLAN_UNDECIDED, PLAN_UNDECIDED}, {1.59, 1.59, 1.59, PLAN_UNDECIDED, PLAN_UNDECIDED},
        {1.5, 1.4, 1.6, PLAN_UNDECIDED, PLAN_UNDECIDED},   {1.5, 1.41, 1.59, PLAN_MET, PLAN_MISSED},
        {1.7, 1.6, 1.8, PLAN_UNDECIDED, PLAN_UNDECIDED},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct result_figure fig = {rows[i].mean, rows[i].lo, rows[i].hi};
        struct spec_target t = target("hot_server_ratio", true, 1.6);

        assert_int_equal(plan_stands(&t, &fig), rows[i].most);
        t.at_most = false;
        assert_int_equal(plan_stands(&t, &fig), rows[i].least);
    }
}

/* Counts are exact: on the bound they meet it. */
static void test_counts_stand_on_their_bound(void **state)
{
    struct spec_target t = target("servers_idle", true, 4);

    (void)state;
    assert_int_equal(plan_stands(&t, &(struct result_figure){4, 4, 4}), PLAN_MET);
    assert_int_equal(plan_stands(&t, &(struct result_figure){5, 5, 5}), PLAN_MISSED);
    t = target("window.scans", true, 16);
    assert_int_equal(plan_stands(&t, &(struct result_figure){16, 16, 16}), PLAN_MET);
    assert_int_equal(plan_stands(&t, &(struct result_figure){17, 17, 17}), PLAN_MISSED);
}

static void test_margin(void **state)
{
    struct spec_target t = target("hot_server_ratio", true, 1.6);

    (void)state;
    near(plan_margin(&t, 1.2), 0.25);
    near(plan_margin(&t, 2), -0.25);
    t = target("max_write_rate_per_s", false, 40000);
    near(plan_margin(&t, 20000), -0.5);
    near(plan_margin(&t, 60000), 0.5);
    t = target("servers_idle", true, 0);
    near(plan_margin(&t, 3), -3);
}

/* 40,000 rows/s with 30 % of headroom ask for 52,000, and for 104,000 once the load has doubled. */
static void test_demand(void **state)
{
    struct spec sp;
    struct plan_work work = {.sp = &sp, .demand_per_s = 40000};
    struct spec_target t;

    (void)state;
    spec_init(&sp);
    t = plan_demand_target(&work, &(struct plan_point){.rate_factor = 1});
    near(t.bound, 40000);
    assert_false(t.at_most);
    assert_string_equal(t.metric, "max_write_rate_per_s");
    sp.plan.headroom = 0.3;
    near(plan_demand_target(&work, &(struct plan_point){.rate_factor = 1}).bound, 52000);
    near(plan_demand_target(&work, &(struct plan_point){.rate_factor = 2}).bound, 104000);
    spec_free(&sp);
}

/* Evenness isn't asked for where one server carries all and there is one bucket at most. */
static void test_one_server(void **state)
{
    struct plan_work work = {.one_server = true};
    struct plan_trial trial = {.n = 0};
    struct spec_target even = target("hot_server_ratio", true, 1.6);

    (void)state;
    assert_true(plan_target_waived(&work, &trial, &even));
    trial.n = 1;
    assert_true(plan_target_waived(&work, &trial, &even));
    trial.n = 2;
    assert_false(plan_target_waived(&work, &trial, &even));
    trial.n = 1;
    work.one_server = false;
    assert_false(plan_target_waived(&work, &trial, &even));
    work.one_server = true;
    even = target("max_write_rate_per_s", false, 1);
    assert_false(plan_target_waived(&work, &trial, &even));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stands), cmocka_unit_test(test_counts_stand_on_their_bound), cmocka_unit_test(test_margin),
        cmocka_unit_test(test_demand), cmocka_unit_test(test_one_server),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
