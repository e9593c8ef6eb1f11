/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrivals that aren't at even distances: each row's time is a function of its number alone, times never
   go back, counting is the inverse of timing, and the laws are what they are called. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/sim/iot.h"
#include "workload/arrivals.h"

#define HORIZON (2 * DES_DAY)

static void shaped(struct arrivals *a, struct spec *sp, des_time horizon)
{
    assert_int_equal(arrivals_init(a, sp->streams, sp->seed), 0);
    assert_int_equal(arrivals_shape_to(a, sp->streams, sp->seed, horizon), 0);
}

static void rate_of(struct spec *sp, double per_s, enum spec_arrival arrival)
{
    iot_spec(sp, 16, 60, 100);
    sp->streams->arrival = arrival;
    sp->streams->every_ns = 0;
    sp->streams->rate_per_s = per_s;
}

/* Times don't go back, and arrivals_before counts exactly those that lie before. */
static void check_inverse(const struct arrivals *a, des_time horizon)
{
    const uint64_t rows = arrivals_before(a, horizon);
    des_time last = -1;

    assert_true(rows > 1000);
    for (uint64_t i = 0; i < 20000 && i < rows; i++) {
        assert_true(arrivals_time(a, i) >= last);
        last = arrivals_time(a, i);
    }
    for (uint64_t k = 0; k < 2000; k++) {
        const uint64_t i = arrivals_mix(7, k) % rows;
        const des_time t = arrivals_time(a, i);
        const uint64_t before = arrivals_before(a, t);

        assert_true(before <= i);
        assert_true(arrivals_before(a, t + 1) > i || a->rows_max <= i);
        assert_true(before == 0 || arrivals_time(a, before - 1) < t);
        assert_true(arrivals_time(a, before) >= t);
    }
}

static void each_shape_is_its_own_inverse(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        struct spec sp;
        struct arrivals a;
        struct spec_curve *c;

        rate_of(&sp, 500, k & 1 ? SPEC_ARRIVAL_POISSON : SPEC_ARRIVAL_CONSTANT);
        c = &sp.streams->curve;
        if (k & 2) {
            c->day_swing = 1;
            c->day_peak_ns = 14 * DES_HOUR;
        }
        if (k & 4) {
            c->bursts[0] = (struct spec_burst){5, 2 * DES_MINUTE, DES_HOUR};
            c->bursts_len = 1;
            c->growth_gain = 0.1;
            c->growth_every_ns = DES_DAY;
        }
        if (k & 8) {
            sp.streams->from_ns = DES_HOUR;
            sp.streams->until_ns = 30 * DES_HOUR;
        }
        shaped(&a, &sp, HORIZON);
        check_inverse(&a, HORIZON);
        if (k & 8) {
            assert_true(arrivals_before(&a, DES_HOUR) == 0 && arrivals_time(&a, 0) >= DES_HOUR);
            assert_true(arrivals_before(&a, 30 * DES_HOUR) == arrivals_before(&a, HORIZON));
        }
        arrivals_free(&a);
        spec_free(&sp);
    }
}

/* Counts of disjoint spans of 10 ms, 1 s and 100 s: mean and variance of a Poisson law, without a
   correlation of neighbours; gaps are exponential (a quarter of them longer than ln 4 means). */
static void poisson_arrivals_are_poisson(void **state)
{
    static const des_time spans[] = {10 * DES_MS, DES_S, 100 * DES_S};
    struct spec sp;
    struct arrivals a;
    size_t longer = 0;

    (void)state;
    rate_of(&sp, 800, SPEC_ARRIVAL_POISSON);
    shaped(&a, &sp, HORIZON);
    for (size_t s = 0; s < 3; s++) {
        const double mean = 800 * (double)spans[s] / 1e9, n = 1600;
        double sum = 0, square = 0, cross = 0, before = 0;

        for (int k = 0; k < (int)n; k++) {
            const des_time from = k * spans[s];
            const double d = (double)(arrivals_before(&a, from + spans[s]) - arrivals_before(&a, from)) - mean;

            sum += d;
            square += d * d;
            cross += d * before;
            before = d;
        }
        assert_true(fabs(sum / n) < 4 * sqrt(mean / n));
        assert_true(fabs(square / n / mean - 1) < 4 * sqrt(2 / n));
        assert_true(fabs(cross / n / mean) < 4 / sqrt(n));
    }
    for (uint64_t i = 0; i < 40000; i++)
        longer += (double)(arrivals_time(&a, i + 1) - arrivals_time(&a, i)) > log(4) / 800 * 1e9;
    assert_true(fabs((double)longer - 10000) < 4 * sqrt(40000 * 0.25 * 0.75));
    arrivals_free(&a);
    spec_free(&sp);
}

static double rows_in(const struct arrivals *a, des_time from, des_time to)
{
    return (double)(arrivals_before(a, to) - arrivals_before(a, from));
}

static void the_day_swings_about_its_mean(void **state)
{
    struct spec sp;
    struct arrivals a;

    (void)state;
    rate_of(&sp, 1000, SPEC_ARRIVAL_CONSTANT);
    sp.streams->start_ms = 0;
    sp.streams->curve.day_swing = 0.5;
    sp.streams->curve.day_peak_ns = 14 * DES_HOUR;
    shaped(&a, &sp, HORIZON);
    assert_true(fabs(rows_in(&a, 0, DES_DAY) / 86.4e6 - 1) < 1e-4);
    assert_true(fabs(rows_in(&a, 14 * DES_HOUR - DES_MINUTE, 14 * DES_HOUR + DES_MINUTE) / 120e3 - 1.5) < 1e-3);
    assert_true(fabs(rows_in(&a, 2 * DES_HOUR - DES_MINUTE, 2 * DES_HOUR + DES_MINUTE) / 120e3 - 0.5) < 1e-3);
    assert_true(fabs(arrivals_rate(&a, 38 * DES_HOUR) - 1500) < 1);
    arrivals_free(&a);
    spec_free(&sp);
}

static void bursts_and_growth_come_on_top(void **state)
{
    struct spec sp;
    struct arrivals a;

    (void)state;
    rate_of(&sp, 1000, SPEC_ARRIVAL_CONSTANT);
    sp.streams->curve.bursts[0] = (struct spec_burst){5, 2 * DES_MINUTE, DES_HOUR};
    sp.streams->curve.bursts_len = 1;
    shaped(&a, &sp, HORIZON);
    assert_true(rows_in(&a, 0, DES_HOUR) == 3.6e6);
    assert_true(fabs(rows_in(&a, DES_HOUR, 2 * DES_HOUR) - (120 * 5000 + 3480 * 1000)) < 2);
    assert_true(fabs(rows_in(&a, 5 * DES_HOUR + DES_MINUTE, 5 * DES_HOUR + DES_MINUTE + DES_S) - 5000) < 3);
    arrivals_free(&a);
    sp.streams->curve.bursts_len = 0;
    sp.streams->curve.growth_factor = 3;
    sp.streams->curve.growth_in_ns = HORIZON;
    shaped(&a, &sp, HORIZON);
    assert_true(fabs(rows_in(&a, 0, HORIZON) / (2 * 172.8e6) - 1) < 1e-4);
    assert_true(fabs(rows_in(&a, HORIZON - DES_MINUTE, HORIZON) / 60e3 - 3) < 1e-2);
    arrivals_free(&a);
    spec_free(&sp);
}

/* A twentieth of the rows happened up to ten minutes before they came, the others when they came. */
static void late_rows_carry_an_earlier_time(void **state)
{
    struct spec sp;
    struct arrivals a;
    size_t late = 0;
    double sum = 0;

    (void)state;
    rate_of(&sp, 1000, SPEC_ARRIVAL_CONSTANT);
    sp.streams->late_share = 0.05;
    sp.streams->late_up_to_ns = 10 * DES_MINUTE;
    shaped(&a, &sp, HORIZON);
    for (uint64_t i = 0; i < 100000; i++) {
        const int64_t lag = a.start_ms + arrivals_time(&a, i) / DES_MS - arrivals_event_ms(&a, i);

        assert_true(lag >= 0 && lag <= 600000);
        late += lag > 0;
        sum += (double)lag;
    }
    assert_true(fabs((double)late - 5000) < 4 * sqrt(5000 * 0.95));
    assert_true(fabs(sum / (double)late - 300000) < 4 * 600000 / sqrt(12 * 5000));
    arrivals_free(&a);
    spec_free(&sp);
}

/* Row after row, in jumps and backwards: a cursor finds what arrivals_time finds. */
static void a_cursor_finds_the_same_times(void **state)
{
    for (int day = 0; day < 4; day++) {
        struct arrivals_cursor at = {.known = false};
        struct arrivals a;
        struct spec sp;

        (void)state;
        rate_of(&sp, day < 2 ? 1000 : 100000, day == 3 ? SPEC_ARRIVAL_CONSTANT : SPEC_ARRIVAL_POISSON);
        sp.streams->curve.day_swing = day % 2 ? 0.9 : 0;
        shaped(&a, &sp, day < 2 ? DES_HOUR : HORIZON);
        if (a.shape) {
            assert_int_equal(arrivals_gaps_random(&a), day != 3);
            for (uint64_t i = 0; i < 20000; i++)
                assert_int_equal(arrivals_time_on(&a, &at, i), arrivals_time(&a, i));
            for (uint64_t k = 0; k < 20000; k++) {
                const uint64_t i = arrivals_mix(3, k) % UINT64_C(30000000000);

                assert_int_equal(arrivals_time_on(&a, &at, i), arrivals_time(&a, i));
                assert_int_equal(arrivals_time_on(&a, &at, i + 1), arrivals_time(&a, i + 1));
            }
        }
        assert_true(a.shape != NULL);
        arrivals_free(&a);
        spec_free(&sp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_shape_is_its_own_inverse),
        cmocka_unit_test(poisson_arrivals_are_poisson),
        cmocka_unit_test(the_day_swings_about_its_mean),
        cmocka_unit_test(bursts_and_growth_come_on_top),
        cmocka_unit_test(late_rows_carry_an_earlier_time),
        cmocka_unit_test(a_cursor_finds_the_same_times),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
