/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same uneven rows at each level of detail: offered alike in each sample window, none lost. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/sim.h"
#include "tests/sim/iot.h"

static void levels_agree_on_uneven_arrivals(void **state)
{
    static const enum spec_detail levels[] = {SPEC_DETAIL_WRITE, SPEC_DETAIL_TICK, SPEC_DETAIL_FLOW};
    struct result_run run[3];

    (void)state;
    for (size_t d = 0; d < 3; d++) {
        struct spec sp;
        struct sim_end end;

        iot_spec(&sp, 16, 3600, 100);
        sp.detail = levels[d];
        sp.window_ns = 60 * SPEC_NS_PER_S;
        sp.streams->arrival = SPEC_ARRIVAL_POISSON;
        sp.streams->every_ns = 0;
        sp.streams->rate_per_s = 1500;
        sp.streams->curve.day_swing = 0.8;
        sp.streams->curve.bursts[0] = (struct spec_burst){4, 120 * SPEC_NS_PER_S, 600 * SPEC_NS_PER_S};
        sp.streams->curve.bursts_len = 1;
        sp.streams->late_share = 0.1;
        sp.streams->late_up_to_ns = 300 * SPEC_NS_PER_S;
        sp.streams->from_ns = 300 * SPEC_NS_PER_S;
        sp.streams->until_ns = 3300 * SPEC_NS_PER_S;
        result_run_init(&run[d]);
        assert_int_equal(sim_run(&sp, NULL, &run[d], &end), 0);
        assert_true(run[d].summary.writes_queued == 0);
        assert_true(run[d].summary.writes_done == run[d].summary.writes_offered);
        spec_free(&sp);
    }
    for (size_t d = 1; d < 3; d++) {
        assert_true(run[d].summary.writes_offered == run[0].summary.writes_offered);
        for (size_t w = 0; w < run[0].windows_len && w < run[d].windows_len; w++) {
            const struct result_window *a = &run[0].windows[w], *b = &run[d].windows[w];

            if (a->begin_s == b->begin_s && a->end_s == b->end_s)
                assert_true(a->offered == b->offered);
        }
        for (size_t t = 0; t < run[0].regions_len && t < run[d].regions_len; t++)
            assert_true(fabs(run[d].regions[t].writes - run[0].regions[t].writes) <=
                        (d == 1 ? 0.02 : 0.07) * run[0].regions[t].writes + 100);
    }
    assert_true(run[0].windows[run[0].windows_len - 1].offered == 0);
    for (size_t d = 0; d < 3; d++)
        result_run_free(&run[d]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels_agree_on_uneven_arrivals)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
