/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des_test.h"

#include <stdlib.h>
#include <string.h>

#include "des/histogram.h"
#include "des/stream.h"

#define HOUR_NS 3600000000000u

static uint64_t quantile(const struct des_histogram *h, double q)
{
    uint64_t value = 12345;

    assert_int_equal(des_histogram_quantile(h, q, &value), DES_OK);
    return value;
}

static void none_one_two(void **state)
{
    struct des_histogram h;
    uint64_t value = 77;
    double mean = 88;

    (void)state;
    assert_int_equal(des_histogram_init(&h, 7, HOUR_NS), DES_OK);
    assert_int_equal(des_histogram_quantile(&h, 0.5, &value), DES_TOO_FEW);
    assert_int_equal(des_histogram_mean(&h, &mean), DES_TOO_FEW);
    assert_true(value == 77 && mean == 88);
    assert_true(des_histogram_sum(&h) == 0);
    assert_int_equal(des_histogram_count_up_to(&h, 5), 0);

    des_histogram_record(&h, 1000001);
    for (double q = 0; q <= 1; q += 0.25)
        assert_int_equal(quantile(&h, q), 1000001);
    assert_int_equal(des_histogram_mean(&h, &mean), DES_OK);
    assert_true(mean == 1000001);
    assert_true(h.min == 1000001 && h.max == 1000001 && h.count == 1);

    des_histogram_record(&h, 3);
    assert_int_equal(quantile(&h, 0), 3);
    assert_int_equal(quantile(&h, 0.5), 3);
    assert_int_equal(quantile(&h, 0.5000001), 1000001);
    assert_int_equal(quantile(&h, 1), 1000001);
    assert_int_equal(des_histogram_count_up_to(&h, 3), 1);
    assert_int_equal(des_histogram_count_up_to(&h, 1000001), 2);

    des_histogram_clear(&h);
    assert_int_equal(des_histogram_quantile(&h, 0.5, &value), DES_TOO_FEW);
    des_histogram_record(&h, 5);
    assert_true(h.min == 5 && h.max == 5);
    des_histogram_free(&h);
    des_histogram_free(&h);
}

static void domains(void **state)
{
    struct des_histogram h = {.count = 99};
    struct des_histogram other;
    uint64_t value = 77;

    (void)state;
    assert_int_equal(des_histogram_init(&h, 0, 100), DES_DOMAIN);
    assert_int_equal(des_histogram_init(&h, 15, 100), DES_DOMAIN);
    assert_int_equal(h.count, 99);
    assert_int_equal(des_histogram_init(&h, 1, 0), DES_OK);
    des_histogram_record(&h, 0);
    des_histogram_record(&h, 1);
    assert_int_equal(quantile(&h, 0), 0);
    assert_int_equal(quantile(&h, 1), 1);
    assert_int_equal(des_histogram_quantile(&h, -0.001, &value), DES_DOMAIN);
    assert_int_equal(des_histogram_quantile(&h, 1.001, &value), DES_DOMAIN);
    assert_int_equal(des_histogram_quantile(&h, (double)NAN, &value), DES_DOMAIN);
    assert_int_equal(value, 77);
    assert_int_equal(des_histogram_init(&other, 2, 0), DES_OK);
    assert_int_equal(des_histogram_merge(&h, &other), DES_MISMATCH);
    des_histogram_free(&other);
    assert_int_equal(des_histogram_init(&other, 1, 1), DES_OK);
    assert_int_equal(des_histogram_merge(&h, &other), DES_MISMATCH);
    des_histogram_free(&other);
    des_histogram_free(&h);
}

/* Each precision over the whole of 64 bits: buckets join without gap or overlap, a value lies in
   its bucket, whose width is within the promised fraction. */
static void buckets_tile_the_range(void **state)
{
    struct des_stream st;

    (void)state;
    des_stream_init(&st, 1, "buckets");
    for (unsigned p = 1; p <= 14; p++) {
        struct des_histogram h;
        uint64_t least, most, next = 0;

        assert_int_equal(des_histogram_init(&h, p, UINT64_MAX), DES_OK);
        for (size_t i = 0; i < h.buckets; i++) {
            des_histogram_bounds(&h, i, &least, &most);
            assert_true(least == next);
            assert_true((most - least) >> 1 <= least >> (p + 1));
            assert_true(des_histogram_bucket(&h, least) == i);
            assert_true(des_histogram_bucket(&h, most) == i);
            next = most + 1;
        }
        assert_true(next == 0); /* the last ends at UINT64_MAX */
        for (int n = 0; n < 1000; n++) {
            const uint64_t v = des_u64(&st) >> des_uniform_u32(&st, 64);

            des_histogram_bounds(&h, des_histogram_bucket(&h, v), &least, &most);
            assert_true(least <= v && v <= most);
        }
        des_histogram_free(&h);
    }
}

static int by_u64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Quantiles of a wide sample against the sorted sample, at the promised bound. */
static void quantiles_within_the_bound(void **state)
{
    enum { N = 10007 };
    static uint64_t sample[N];
    struct des_stream st;

    (void)state;
    des_stream_init(&st, 1, "quantiles");
    for (unsigned p = 1; p <= 14; p++) {
        struct des_histogram h;
        double sum = 0, mean;

        assert_int_equal(des_histogram_init(&h, p, HOUR_NS), DES_OK);
        for (int i = 0; i < N; i++) {
            sample[i] = (uint64_t)exp(des_uniform(&st) * 28);
            sum += (double)sample[i];
            des_histogram_record(&h, sample[i]);
        }
        qsort(sample, N, sizeof *sample, by_u64);
        for (int k = 0; k <= 1000; k++) {
            const int rank = (k * N + 999) / 1000; /* ceil(k / 1000 x N) */
            const double truth = (double)sample[rank > 0 ? rank - 1 : 0];
            const double got = (double)quantile(&h, k / 1000.0);

            assert_near(got, truth, truth / (double)(2u << p));
        }
        assert_true(h.min == sample[0] && h.max == sample[N - 1] && h.count == N);
        assert_int_equal(quantile(&h, 0), sample[0]);
        assert_int_equal(quantile(&h, 1), sample[N - 1]);
        assert_int_equal(des_histogram_mean(&h, &mean), DES_OK);
        assert_near(mean, sum / N, 1e-9 * mean);
        des_histogram_free(&h);
    }
}

/* 1 ... 100, each in a bucket of its own: the rank of q = 7 % is 7, not 8. */
static void ranks_are_exact(void **state)
{
    struct des_histogram h;

    (void)state;
    assert_int_equal(des_histogram_init(&h, 7, 1000), DES_OK);
    for (uint64_t v = 1; v <= 100; v++)
        des_histogram_record(&h, v);
    for (uint64_t k = 1; k <= 100; k++) {
        assert_int_equal(quantile(&h, (double)k / 100), k);
        assert_int_equal(des_histogram_count_up_to(&h, k), k);
    }
    assert_int_equal(quantile(&h, 0.0701), 8);
    des_histogram_free(&h);
}

static void assert_same(const struct des_histogram *a, const struct des_histogram *b)
{
    assert_true(a->count == b->count && a->above == b->above && a->min == b->min &&
                a->max == b->max && a->sum_lo == b->sum_lo && a->sum_hi == b->sum_hi);
    assert_memory_equal(a->counts, b->counts, a->buckets * sizeof *a->counts);
}

static void weights_and_merges_are_as_single_records(void **state)
{
    struct des_histogram one, many, parts[2];
    struct des_stream st;

    (void)state;
    des_stream_init(&st, 1, "merge");
    assert_int_equal(des_histogram_init(&one, 5, 100000), DES_OK);
    assert_int_equal(des_histogram_init(&many, 5, 100000), DES_OK);
    assert_int_equal(des_histogram_init(&parts[0], 5, 100000), DES_OK);
    assert_int_equal(des_histogram_init(&parts[1], 5, 100000), DES_OK);
    for (int i = 0; i < 2000; i++) {
        const uint64_t v = des_uniform_u32(&st, 120000); /* some above the top */
        const uint32_t n = des_uniform_u32(&st, 4);

        for (uint32_t k = 0; k < n; k++)
            des_histogram_record(&one, v);
        des_histogram_record_n(&many, v, n);
        des_histogram_record_n(&parts[i % 2], v, n);
    }
    assert_same(&one, &many);
    assert_true(one.above > 0);
    des_histogram_clear(&many);
    assert_int_equal(des_histogram_merge(&many, &parts[0]), DES_OK);
    assert_int_equal(des_histogram_merge(&many, &parts[1]), DES_OK);
    assert_same(&one, &many);
    des_histogram_clear(&parts[1]);
    assert_int_equal(des_histogram_merge(&many, &parts[1]), DES_OK);
    assert_same(&one, &many);
    des_histogram_free(&one);
    des_histogram_free(&many);
    des_histogram_free(&parts[0]);
    des_histogram_free(&parts[1]);
}

static void above_the_top(void **state)
{
    struct des_histogram h;

    (void)state;
    assert_int_equal(des_histogram_init(&h, 7, 1000), DES_OK);
    des_histogram_record(&h, 1000);
    des_histogram_record(&h, 1001);
    des_histogram_record(&h, UINT64_MAX);
    assert_int_equal(h.above, 2);
    assert_int_equal(quantile(&h, 0.3), 1000);
    assert_true(quantile(&h, 0.5) == UINT64_MAX);
    assert_true(quantile(&h, 1) == UINT64_MAX);
    assert_int_equal(des_histogram_count_up_to(&h, 1000), 1);
    assert_int_equal(des_histogram_count_up_to(&h, 5000), 1);
    assert_int_equal(des_histogram_count_up_to(&h, UINT64_MAX), 3);
    des_histogram_free(&h);
}

/* Sums beyond 64 bits: (2^64 - 1) x 10, and a product of two large numbers. */
static void sum_is_exact(void **state)
{
    struct des_histogram h;

    (void)state;
    assert_int_equal(des_histogram_init(&h, 1, 100), DES_OK);
    for (int i = 0; i < 10; i++)
        des_histogram_record(&h, UINT64_MAX);
    assert_true(h.sum_hi == 9 && h.sum_lo == UINT64_MAX - 9);
    des_histogram_clear(&h);
    des_histogram_record_n(&h, UINT64_MAX, UINT64_MAX); /* 2^128 - 2^65 + 1 */
    assert_true(h.sum_hi == UINT64_MAX - 1 && h.sum_lo == 1);
    des_histogram_clear(&h);
    des_histogram_record_n(&h, 0x123456789abcdef0u, 0xfedcba9876543210u);
    assert_true(h.sum_hi == 0x121fa00ad77d7422u && h.sum_lo == 0x236d88fe5618cf00u);
    des_histogram_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_one_two),
        cmocka_unit_test(domains),
        cmocka_unit_test(buckets_tile_the_range),
        cmocka_unit_test(quantiles_within_the_bound),
        cmocka_unit_test(ranks_are_exact),
        cmocka_unit_test(weights_and_merges_are_as_single_records),
        cmocka_unit_test(above_the_top),
        cmocka_unit_test(sum_is_exact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
