/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hbase/model/sample.h"

static const struct sample_note note = {7, 0, 0, 1, 4};

/* Keys of 8 bytes, big-endian. */
static void put(struct sample_builder *b, uint64_t v)
{
    uint8_t key[8];

    if (sample_builder_skip(b) > 0) {
        sample_builder_pass(b, 1);
        return;
    }
    for (int k = 0; k < 8; k++)
        key[k] = (uint8_t)(v >> (56 - 8 * k));
    assert_int_equal(sample_builder_add(b, key, sizeof key, &note), 0);
}

static uint64_t value(const struct key_sample *s, size_t i)
{
    uint64_t v = 0;
    size_t len;
    const uint8_t *key = sample_key(s, i, &len);

    for (size_t k = 0; k < len; k++)
        v = v << 8 | key[k];
    return v;
}

static void test_small_is_whole_and_sorted(void **state)
{
    struct sample_budget budget;
    struct sample_builder b;
    struct key_sample *s;

    (void)state;
    sample_budget_init(&budget, 16);
    sample_builder_init(&b, 8, &budget);
    for (uint64_t i = 0; i < 100; i++)
        put(&b, i * 37 % 101);
    assert_int_equal(budget.keys, 100);
    s = sample_sorted(&b);
    assert_non_null(s);
    assert_non_null(s->notes);
    assert_int_equal(s->n, 100);
    for (size_t i = 1; i < s->n; i++)
        assert_true(value(s, i - 1) < value(s, i));
    for (size_t i = 0; i <= s->n; i++)
        assert_int_equal(s->rank[i], i);
    assert_int_equal(budget.keys, 100);
    sample_unref(s);
    assert_int_equal(budget.keys, 0);
    sample_builder_free(&b);
}

/* A stream whose keys have a period of a power of two must not be sampled at one phase of it. */
static void test_large_is_thinned_without_bias(void **state)
{
    struct sample_budget budget;
    struct sample_builder b;
    struct key_sample *s;
    size_t of_phase[16] = {0};

    (void)state;
    sample_budget_init(&budget, 1024);
    sample_builder_init(&b, 8, &budget);
    for (uint64_t i = 0; i < 300000; i++)
        put(&b, i % 16 << 32 | i);
    assert_false(b.whole);
    assert_int_equal(budget.keys, 0);
    s = sample_sorted(&b);
    assert_non_null(s);
    assert_null(s->notes);
    assert_in_range(s->n, 512, 1024);
    assert_int_equal(s->rows, 300000);
    for (size_t i = 0; i < s->n; i++)
        of_phase[value(s, i) >> 32]++;
    for (size_t p = 0; p < 16; p++) /* one in 16, give or take a third */
        assert_in_range(of_phase[p] * 16, s->n * 2 / 3, s->n * 4 / 3);
    sample_unref(s);
    sample_builder_free(&b);
}

/* Ranks of sampled keys lie within two strides of the truth. */
static void test_ranks_of_a_thinned_sample(void **state)
{
    struct sample_budget budget;
    struct sample_builder b;
    struct key_sample *s;
    const uint64_t rows = 200003;

    (void)state;
    sample_budget_init(&budget, 1024);
    sample_builder_init(&b, 8, &budget);
    for (uint64_t i = 0; i < rows; i++)
        put(&b, i * UINT64_C(7919) % rows);
    s = sample_sorted(&b);
    assert_non_null(s);
    for (size_t i = 0; i < s->n; i++) {
        const double off = (double)s->rank[i] - (double)value(s, i);

        assert_true(off < (double)rows / 40 && off > -(double)rows / 40);
    }
    sample_unref(s);
    sample_builder_free(&b);
}

static void test_merge_keeps_rows_and_order(void **state)
{
    struct sample_budget budget;
    struct sample_builder b;
    struct sample_part part[3];
    struct key_sample *m;

    (void)state;
    sample_budget_init(&budget, 64);
    sample_builder_init(&b, 8, &budget);
    for (uint64_t p = 0; p < 3; p++) {
        for (uint64_t i = 0; i < 1000; i++)
            put(&b, 3 * i + p);
        part[p].sample = sample_sorted(&b);
        assert_non_null(part[p].sample);
        part[p].lo = 0;
        part[p].hi = part[p].sample->n;
    }
    part[1].lo = part[1].hi / 2; /* as a reference would have it */
    m = sample_merge(part, 3, 64);
    assert_non_null(m);
    assert_true(m->n <= 64);
    assert_int_equal(m->rows, 2000 + sample_part_rows(&part[1]));
    for (size_t i = 1; i < m->n; i++) {
        assert_true(value(m, i - 1) <= value(m, i));
        assert_true(m->rank[i - 1] < m->rank[i]);
    }
    for (size_t p = 0; p < 3; p++)
        sample_unref(part[p].sample);
    sample_unref(m);
    sample_builder_free(&b);
}

static void test_bounds(void **state)
{
    struct sample_budget budget;
    struct sample_builder b;
    struct sample_part p;
    const uint8_t below[1] = {0}, at[8] = {0, 0, 0, 0, 0, 0, 0, 10}, above[1] = {1};

    (void)state;
    sample_budget_init(&budget, 64);
    sample_builder_init(&b, 8, &budget);
    for (uint64_t i = 1; i <= 20; i++)
        put(&b, i * 2);
    p.sample = sample_sorted(&b);
    assert_non_null(p.sample);
    p.lo = 0;
    p.hi = p.sample->n;
    assert_int_equal(sample_lower_bound(&p, below, 1), 0);
    assert_int_equal(sample_lower_bound(&p, at, 8), 4);
    assert_int_equal(sample_lower_bound(&p, above, 1), 20);
    assert_int_equal(sample_index_of_row(&p, 7), 7);
    p.lo = 5;
    assert_int_equal(sample_index_of_row(&p, 7), 12);
    assert_int_equal(sample_part_rows(&p), 15);
    sample_unref(p.sample);
    sample_builder_free(&b);
}

/* Beyond the model's budget nothing more is kept whole. */
static void test_budget(void **state)
{
    struct sample_budget budget;
    struct sample_builder a, b;

    (void)state;
    sample_budget_init(&budget, 16);
    budget.keys_most = 60;
    sample_builder_init(&a, 8, &budget);
    sample_builder_init(&b, 8, &budget);
    for (uint64_t i = 0; i < 40; i++)
        put(&a, i);
    for (uint64_t i = 0; i < 40; i++)
        put(&b, i);
    assert_true(a.whole);
    assert_false(b.whole);
    assert_int_equal(budget.keys, 40);
    sample_builder_free(&a);
    sample_builder_free(&b);
    assert_int_equal(budget.keys, 0);
    sample_budget_init(&budget, 0);
    assert_int_equal(budget.keys_most, SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_is_whole_and_sorted),
        cmocka_unit_test(test_large_is_thinned_without_bias),
        cmocka_unit_test(test_ranks_of_a_thinned_sample),
        cmocka_unit_test(test_merge_keeps_rows_and_order),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
