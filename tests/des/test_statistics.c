/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des_test.h"

#include <gsl/gsl_randist.h>

#include "des/interval.h"
#include "des/stream.h"
#include "des/tally.h"

static void tally_of_none_one_two(void **state)
{
    struct des_tally t = {0};
    double x = 77;

    (void)state;
    assert_int_equal(des_tally_mean(&t, &x), DES_TOO_FEW);
    assert_int_equal(des_tally_variance(&t, &x), DES_TOO_FEW);
    des_tally_add(&t, -2.385);
    assert_int_equal(des_tally_variance(&t, &x), DES_TOO_FEW);
    assert_true(x == 77);
    assert_int_equal(des_tally_mean(&t, &x), DES_OK);
    assert_true(x == -2.385 && t.min == -2.385 && t.max == -2.385);
    des_tally_add(&t, 1.615);
    assert_int_equal(des_tally_mean(&t, &x), DES_OK);
    assert_near(x, -0.385, 1e-15);
    assert_int_equal(des_tally_variance(&t, &x), DES_OK);
    assert_near(x, 8, 1e-14); /* 2 x 2^2 / (2 - 1) */
    assert_true(t.min == -2.385 && t.max == 1.615);
}

/* 0 ... n - 1 with an offset that eats the digits of a sum of squares: variance n (n + 1) / 12. */
static void tally_keeps_digits(void **state)
{
    struct des_tally t = {0};
    double x;

    (void)state;
    for (int i = 0; i < 1000; i++)
        des_tally_add(&t, 1e9 + i);
    assert_int_equal(des_tally_mean(&t, &x), DES_OK);
    assert_near(x, 1e9 + 499.5, 1e-6);
    assert_int_equal(des_tally_variance(&t, &x), DES_OK);
    assert_near(x, 1000.0 * 1001 / 12, 1e-2);
}

static void merged_tallies_are_one(void **state)
{
    struct des_tally all = {0}, part[3] = {{0}}, merged = {0};
    struct des_stream st;

    (void)state;
    des_stream_init(&st, 1, "tally");
    for (int i = 0; i < 1000; i++) {
        const double v = 1000 + des_exponential(&st);

        des_tally_add(&all, v);
        des_tally_add(&part[i < 10], v); /* uneven, and the third stays empty */
    }
    for (int i = 2; i >= 0; i--)
        des_tally_merge(&merged, &part[i]);
    assert_int_equal(merged.count, 1000);
    assert_near(merged.mean, all.mean, 1e-10);
    assert_near(merged.m2, all.m2, 1e-7);
    assert_true(merged.min == all.min && merged.max == all.max);
}

/* Weighted with time, not with the number of changes: 0 for 1 ns and 10 for 3 ns. */
static void time_weights(void **state)
{
    struct des_timeavg t;
    double x = 77;

    (void)state;
    des_timeavg_init(&t, 100, 0);
    assert_int_equal(des_timeavg_mean(&t, 100, &x), DES_TOO_FEW);
    assert_int_equal(des_timeavg_variance(&t, 100, &x), DES_TOO_FEW);
    assert_true(x == 77);
    assert_int_equal(des_timeavg_mean(&t, 101, &x), DES_OK);
    assert_true(x == 0);
    assert_int_equal(des_timeavg_set(&t, 101, 50), DES_OK); /* lasts 0 ns */
    assert_int_equal(des_timeavg_add(&t, 101, -40), DES_OK);
    assert_int_equal(des_timeavg_mean(&t, 104, &x), DES_OK);
    assert_near(x, 7.5, 1e-14);
    assert_int_equal(des_timeavg_variance(&t, 104, &x), DES_OK);
    assert_near(x, (1 * 7.5 * 7.5 + 3 * 2.5 * 2.5) / 4, 1e-13);
    assert_true(t.min == 0 && t.max == 50);
    /* a change to the same value changes nothing */
    assert_int_equal(des_timeavg_set(&t, 103, 10), DES_OK);
    assert_int_equal(des_timeavg_variance(&t, 104, &x), DES_OK);
    assert_near(x, 18.75, 1e-13);
    assert_int_equal(des_timeavg_set(&t, 102, 3), DES_PAST);
    assert_int_equal(des_timeavg_mean(&t, 102, &x), DES_PAST);
    assert_true(t.value == 10);
    des_timeavg_init(&t, 104, t.value); /* the warm-up is forgotten */
    assert_int_equal(des_timeavg_mean(&t, 105, &x), DES_OK);
    assert_true(x == 10 && t.min == 10);
}

static void time_weights_keep_digits(void **state)
{
    struct des_timeavg t;
    double x;

    (void)state;
    des_timeavg_init(&t, 0, 1e12);
    for (int i = 0; i < 1000; i++) /* a quarter of the time 1 more */
        des_timeavg_set(&t, i * 4 * DES_HOUR + (i % 2 ? 0 : 2 * DES_HOUR), 1e12 + (i % 2));
    assert_int_equal(des_timeavg_variance(&t, 4000 * DES_HOUR, &x), DES_OK);
    assert_within(x, 0.18, 0.26);
}

/* Student's t from the printed tables: 12.706 for 1 and 2.262 for 9 degrees of freedom at 95 %,
   3.250 for 9 at 99 %. */
static void intervals_have_students_width(void **state)
{
    const double two[] = {1, 3};
    double ten[10];
    struct des_interval iv = {7, 7, 7};

    (void)state;
    assert_int_equal(des_summary(two, 0, 0.95, &iv), DES_TOO_FEW);
    assert_int_equal(des_summary(two, 1, 0.95, &iv), DES_TOO_FEW);
    assert_int_equal(des_summary(two, 2, 0, &iv), DES_DOMAIN);
    assert_int_equal(des_summary(two, 2, 1, &iv), DES_DOMAIN);
    assert_int_equal(des_summary((const double[]){1, (double)NAN}, 2, 0.95, &iv), DES_DOMAIN);
    assert_int_equal(des_summary((const double[]){1, (double)INFINITY}, 2, 0.95, &iv), DES_DOMAIN);
    assert_true(iv.mean == 7 && iv.lo == 7 && iv.hi == 7);
    assert_int_equal(des_summary(two, 2, 0.95, &iv), DES_OK);
    assert_near(iv.mean, 2, 1e-15);
    assert_near(iv.hi - iv.mean, 12.706, 0.0005);
    assert_near(iv.mean - iv.lo, 12.706, 0.0005);
    for (int i = 0; i < 10; i++)
        ten[i] = 5 + (i % 2 ? 1 : -1); /* variance 10 / 9 */
    assert_int_equal(des_summary(ten, 10, 0.95, &iv), DES_OK);
    assert_near(iv.hi - 5, 2.262 / 3, 0.0005);
    assert_int_equal(des_summary(ten, 10, 0.99, &iv), DES_OK);
    assert_near(iv.hi - 5, 3.250 / 3, 0.0005);
    ten[0] = 6;
    for (int i = 0; i < 10; i++)
        ten[i] = 3.25;
    assert_int_equal(des_summary(ten, 10, 0.95, &iv), DES_OK);
    assert_true(iv.lo == 3.25 && iv.hi == 3.25);
}

/* A 90 % interval holds the mean 90 times in 100. */
static void intervals_cover(void **state)
{
    enum { TIMES = 10000 };
    struct des_stream st;
    gsl_rng rng = des_stream_gsl(&st);
    int held = 0;

    (void)state;
    des_stream_init(&st, 1, "cover");
    for (int n = 0; n < TIMES; n++) {
        struct des_interval iv;
        double x[5];

        for (int i = 0; i < 5; i++)
            x[i] = 3 + gsl_ran_gaussian(&rng, 2);
        assert_int_equal(des_summary(x, 5, 0.9, &iv), DES_OK);
        held += iv.lo <= 3 && 3 <= iv.hi;
    }
    assert_near(held, TIMES * 0.9, 2.6 * sqrt(TIMES * 0.09));
}

static void pairs_share_their_noise(void **state)
{
    struct des_stream st;
    struct des_interval ix, iy, paired;
    double x[20], y[20];

    (void)state;
    des_stream_init(&st, 1, "pairs");
    for (int i = 0; i < 20; i++) {
        const double common = 100 * des_uniform(&st);

        x[i] = common + 2 + des_uniform(&st);
        y[i] = common + des_uniform(&st);
    }
    assert_int_equal(des_summary(x, 20, 0.95, &ix), DES_OK);
    assert_int_equal(des_summary(y, 20, 0.95, &iy), DES_OK);
    assert_int_equal(des_summary_paired(x, y, 20, 0.95, &paired), DES_OK);
    assert_true(ix.lo < iy.hi); /* each by itself tells nothing */
    assert_true(paired.lo > 0 && paired.lo <= 2 && paired.hi >= 2);
}

static void batches_keep_their_number(void **state)
{
    struct des_batches b = {.batches = 0};
    struct des_interval iv = {7, 7, 7};
    double sum = 0, correlation = 7;
    uint64_t whole = 0;

    (void)state;
    for (uint64_t n = 1; n <= 100000; n++) {
        double in_batches = 0;

        des_batches_add(&b, (double)(n * n % 1009));
        sum += (double)(n * n % 1009);
        if (n < 20) {
            assert_int_equal(des_batches_interval(&b, 0.95, &iv), DES_TOO_FEW);
            assert_int_equal(des_batches_correlation(&b, &correlation), DES_TOO_FEW);
            continue;
        }
        assert_within(b.batches, 20, 39);
        assert_true(b.batches * b.length + b.in_open == n);
        for (uint32_t i = 0; i < b.batches; i++)
            in_batches += b.mean[i] * (double)b.length;
        assert_near(in_batches + b.open_sum, sum, 1e-9 * sum);
        whole += b.in_open == 0;
    }
    assert_true(whole > 20);
    assert_int_equal(des_batches_interval(&b, 0.95, &iv), DES_OK);
    assert_near(iv.mean, sum / 100000, 20);

    b = (struct des_batches){.batches = 0};
    for (int i = 0; i < 30; i++)
        des_batches_add(&b, 4);
    assert_int_equal(des_batches_correlation(&b, &correlation), DES_TOO_FEW);
    assert_true(correlation == 7);
}

/* x' = 0.9 x + noise: single observations pretend to be 19 times as many as they are worth; the
   batches' intervals hold the mean about as often as they say. */
static void batches_cover_where_observations_depend(void **state)
{
    enum { TIMES = 400, LENGTH = 20000 };
    struct des_stream st;
    gsl_rng rng = des_stream_gsl(&st);
    int held = 0, naive_held = 0;
    double correlations = 0;

    (void)state;
    des_stream_init(&st, 1, "depend");
    for (int n = 0; n < TIMES; n++) {
        struct des_batches b = {.batches = 0};
        struct des_tally naive = {0};
        struct des_interval iv;
        double x = gsl_ran_gaussian_ziggurat(&rng, 1 / sqrt(1 - 0.81)), r;

        for (int i = 0; i < LENGTH; i++) {
            x = 0.9 * x + gsl_ran_gaussian_ziggurat(&rng, 1);
            des_batches_add(&b, x);
            des_tally_add(&naive, x);
        }
        assert_int_equal(des_batches_interval(&b, 0.95, &iv), DES_OK);
        held += iv.lo <= 0 && 0 <= iv.hi;
        assert_int_equal(des_tally_interval(&naive, 0.95, &iv), DES_OK);
        naive_held += iv.lo <= 0 && 0 <= iv.hi;
        assert_int_equal(des_batches_correlation(&b, &r), DES_OK);
        correlations += r;
    }
    assert_within(held, TIMES * 0.95 - 2.6 * sqrt(TIMES * 0.0475) - TIMES * 0.01,
                  TIMES * 0.95 + 2.6 * sqrt(TIMES * 0.0475));
    assert_true(naive_held < TIMES * 0.5); /* theory: 0.35 */
    assert_near(correlations / TIMES, 0, 0.08);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tally_of_none_one_two),
        cmocka_unit_test(tally_keeps_digits),
        cmocka_unit_test(merged_tallies_are_one),
        cmocka_unit_test(time_weights),
        cmocka_unit_test(time_weights_keep_digits),
        cmocka_unit_test(intervals_have_students_width),
        cmocka_unit_test(intervals_cover),
        cmocka_unit_test(pairs_share_their_noise),
        cmocka_unit_test(batches_keep_their_number),
        cmocka_unit_test(batches_cover_where_observations_depend),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
