/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/scan_time.h"
#include "des/stream.h"

static void serial_parallel_and_a_pool(void **state)
{
    const double us[] = {5, 1, 4, 2, 3};

    (void)state;
    assert_float_equal(scan_time_us(us, 5, 1), 15, 1e-9);
    assert_float_equal(scan_time_us(us, 5, 0), 5, 1e-9);
    assert_float_equal(scan_time_us(us, 5, 8), 5, 1e-9);
    /* 5 | 1 4 2, then 3 on the first that is free (at 5) */
    assert_float_equal(scan_time_us(us, 5, 2), 8, 1e-9);
    assert_float_equal(scan_time_us(us, 0, 0), 0, 1e-9);
}

/* P(max of N <= t) = F(t)^N where servers don't share: the share of draws below the leaf's quantile lies
   within the binomial's 99 % band. */
static void the_slowest_of_n_independent_draws(void **state)
{
    static const double quantile[] = {0.5, 0.9, 0.99};
    struct des_stream s;
    enum { DRAWS = 20000 };

    (void)state;
    des_stream_init(&s, 11, "service");
    for (size_t n = 1; n <= 64; n *= 4) {
        unsigned below[3] = {0, 0, 0};

        for (int i = 0; i < DRAWS; i++) {
            double us[64], slowest;

            for (size_t k = 0; k < n; k++)
                us[k] = -log(des_uniform_pos(&s));
            slowest = scan_time_us(us, n, 0);
            for (int q = 0; q < 3; q++)
                below[q] += slowest <= -log1p(-scan_time_leaf_quantile(quantile[q], n));
        }
        for (int q = 0; q < 3; q++) {
            const double p = quantile[q], sd = sqrt(p * (1 - p) / DRAWS);

            assert_true(fabs((double)below[q] / DRAWS - p) <= 2.576 * sd);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serial_parallel_and_a_pool),
        cmocka_unit_test(the_slowest_of_n_independent_draws),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
