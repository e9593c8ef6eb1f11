/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_TEST_H
#define DES_TEST_H

/* cmocka with the headers that it wants before it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_near(actual, expected, tolerance) \
    do { \
        const double near_a = (actual), near_e = (expected), near_t = (tolerance); \
        if (!(fabs(near_a - near_e) <= near_t)) \
            fail_msg("%.17g is not within %g of %.17g", near_a, near_t, near_e); \
    } while (0)

#define assert_within(actual, least, most) \
    do { \
        const double in_a = (actual), in_l = (least), in_m = (most); \
        if (!(in_a >= in_l && in_a <= in_m)) \
            fail_msg("%.17g is not in %.17g ... %.17g", in_a, in_l, in_m); \
    } while (0)

#endif
