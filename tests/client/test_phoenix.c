/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/phoenix_run.h"
#include "client/phoenix_writes.h"

enum { EVENTS = 4000 };

struct fixture {
    struct saltkey_scheme scheme;
    struct saltkey_keys splits, rows;
    struct phoenix_table table;
    struct scan_cell cell;
    struct scan_shape shape;
};

static struct saltkey_value ts(uint64_t event)
{
    return saltkey_int(1700000000000 + (int64_t)event * 1000);
}

static void add_split(struct fixture *f, uint32_t bucket, uint64_t event)
{
    const struct saltkey_value v = ts(event);
    uint8_t key[13] = {(uint8_t)bucket};
    struct saltkey_buf field = {key + 1, 12, 0};

    if (event > 0)
        assert_int_equal(saltkey_field_encode(&f->scheme.layout, 0, &v, &field, NULL), 0);
    saltkey_keys_add(&f->splits, (struct saltkey_slice){key, sizeof key});
}

/* N buckets, each split at |split_event| (0: not) if its bit is set. */
static void make(struct fixture *f, uint32_t buckets, uint64_t split_event, uint32_t split_buckets)
{
    struct saltkey_layout l;
    struct saltkey_salt salt;

    memset(f, 0, sizeof *f);
    assert_int_equal(saltkey_layout_parse("ts:i64 dev:i32", &l, NULL), 0);
    assert_int_equal(saltkey_salt_parse("phoenix", buckets, &salt, NULL), 0);
    assert_int_equal(saltkey_scheme_init(&f->scheme, &l, &salt, NULL, NULL), 0);
    saltkey_keys_init(&f->splits, NULL);
    saltkey_keys_init(&f->rows, NULL);
    for (uint32_t b = 0; b < buckets; b++) {
        if (b > 0)
            add_split(f, b, 0);
        if (split_event > 0 && (split_buckets >> b & 1))
            add_split(f, b, split_event);
    }
    saltkey_keys_finish(&f->splits, NULL);
    for (uint64_t i = 0; i < EVENTS; i++) {
        const struct saltkey_value v[2] = {ts(i), saltkey_int((int64_t)(i % 31))};
        uint8_t bytes[16];
        struct saltkey_buf row = {bytes, sizeof bytes, 0};

        assert_int_equal(saltkey_salted(&f->scheme, v, &row, NULL), 0);
        saltkey_keys_add(&f->rows, (struct saltkey_slice){bytes, row.len});
    }
    saltkey_keys_finish(&f->rows, NULL);
    f->cell.bytes = 48;
    f->cell.heap_bytes = phoenix_heap_bytes(48);
    f->shape = (struct scan_shape){&f->cell, 1};
    f->table = (struct phoenix_table){"T", &f->scheme, &f->splits, NULL, 123, UINT64_C(10) << 30};
}

static void end(struct fixture *f)
{
    saltkey_keys_free(&f->splits);
    saltkey_keys_free(&f->rows);
}

static uint64_t rank_of(void *context, struct saltkey_slice key)
{
    const struct fixture *f = context;
    size_t low = 0, high = f->rows.count;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;

        if (saltkey_compare(f->rows.at[mid], key) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static struct saltkey_slice key_of(void *context, uint64_t row, size_t slot)
{
    const struct fixture *f = context;

    (void)slot;
    return f->rows.at[row];
}

struct answer {
    struct phoenix_plan plan;
    struct phoenix_cost cost;
    struct phoenix_7580 bug;
};

static void ask(struct fixture *f, const struct phoenix_query *q, struct answer *a)
{
    const struct scan_table rows = {&f->splits, rank_of, key_of, f->rows.count, {&f->shape, NULL, NULL, NULL}, f};
    const struct phoenix_run run = {.table = &f->table, .query = q, .plan = &a->plan, .rows = &rows};

    assert_int_equal(phoenix_plan_make(&f->table, q, &a->plan), 0);
    assert_int_equal(phoenix_run(&run, &a->cost), 0);
    assert_int_equal(phoenix_7580_check(&run, &a->bug), 0);
    phoenix_plan_free(&a->plan);
}

/* A bounded range loses the last bucket exactly when bucket N - 2 is split and the range ends before the
   split; a bucket split elsewhere, an open end or a range that reaches the last region does no harm. */
static void the_last_bucket_is_lost(void **state)
{
    const struct saltkey_value from = ts(1000), to = ts(1400);

    (void)state;
    for (uint32_t n = 2; n <= 16; n *= 2)
        for (uint32_t split = 0; split < n; split++) {
            struct phoenix_condition where[2] = {{PHOENIX_RANGE, NULL, 0, &from, &to, true, false},
                                                 {.bound = PHOENIX_ANY}};
            struct phoenix_query q = {.conditions = where};
            struct fixture f;
            struct answer a;
            const bool lost = split == n - 2;

            make(&f, n, 2000, 1u << split);
            ask(&f, &q, &a);
            assert_int_equal(a.bug.warns, lost);
            assert_int_equal(a.bug.rows_right, 400);
            assert_int_equal(a.cost.scan.scans, lost ? n - 1 : n);
            assert_int_equal(a.cost.scan.rows_returned, a.bug.rows_returned);
            assert_int_equal(a.bug.rows_returned + a.bug.rows_missed, 400);
            assert_true(lost == (a.bug.rows_missed > 0));
            where[0].upper = NULL;
            ask(&f, &q, &a);
            assert_false(a.bug.warns);
            assert_int_equal(a.cost.scan.rows_returned, EVENTS - 1000);
            end(&f);
            make(&f, n, 1200, 1u << split);
            where[0].upper = &to;
            ask(&f, &q, &a);
            assert_false(a.bug.warns);
            assert_int_equal(a.cost.scan.scans, n + 1);
            assert_int_equal(a.cost.scan.rows_returned, 400);
            end(&f);
        }
}

static void limits_and_their_price(void **state)
{
    struct phoenix_query q = {.limit = 10};
    struct fixture f;
    struct answer a;

    (void)state;
    make(&f, 16, 0, 0);
    ask(&f, &q, &a); /* serial: bucket 0 alone */
    assert_int_equal(a.cost.scan.scans, 1);
    assert_int_equal(a.cost.scan.rows_fetched, 10);
    q.order = PHOENIX_BY_KEY_DESC;
    ask(&f, &q, &a);
    assert_int_equal(a.cost.scan.scans, 16);
    assert_int_equal(a.cost.scan.rows_fetched, 160);
    assert_int_equal(a.cost.scan.rows_returned, 10);
    q.order = PHOENIX_UNORDERED;
    q.force_row_key_order = true;
    ask(&f, &q, &a);
    assert_int_equal(a.cost.scan.scans, 16);
    assert_int_equal(a.cost.scan.rows_fetched, 160);
    end(&f);
}

static void a_full_key_is_one_scan_of_one_row(void **state)
{
    const struct saltkey_value when = ts(77), device = saltkey_int(77 % 31);
    const struct phoenix_condition where[2] = {{.bound = PHOENIX_VALUES, .values = &when, .values_len = 1},
                                               {.bound = PHOENIX_VALUES, .values = &device, .values_len = 1}};
    const struct phoenix_query q = {.conditions = where};
    struct fixture f;
    struct answer a;

    (void)state;
    make(&f, 8, 0, 0);
    ask(&f, &q, &a);
    assert_int_equal(a.cost.scan.scans, 1);
    assert_int_equal(a.cost.scan.rpcs, 1);
    assert_int_equal(a.cost.scan.rows_returned, 1);
    end(&f);
}

/* Every commit leaves whole, in an order of its own; the calls agree with N (1 - (1 - 1/N)^100). */
static void commits_by_region(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 32; n *= 4) {
        struct fixture f;
        struct phoenix_region_writes w[32] = {{0, 0}};
        size_t order[1000];
        bool seen[1000] = {false};
        uint64_t calls = 0, mutations = 0;
        double expected = phoenix_region_calls(EVENTS, 1000, PHOENIX_BATCH_ROWS, n);

        make(&f, n, 0, 0);
        assert_int_equal(phoenix_commit_order(f.rows.at, 1000, order), 1000);
        for (size_t i = 0; i < 1000; i++) {
            assert_false(seen[order[i]]);
            seen[order[i]] = true;
        }
        for (size_t c = 0; c < EVENTS / 1000; c++) {
            struct saltkey_slice rows[1000];

            for (size_t i = 0; i < 1000; i++) {
                const uint64_t event = c * 1000 + i;
                const struct saltkey_value v[2] = {ts(event), saltkey_int((int64_t)(event % 31))};
                static uint8_t bytes[1000][16];
                struct saltkey_buf row = {bytes[i], 16, 0};

                saltkey_salted(&f.scheme, v, &row, NULL);
                rows[i] = (struct saltkey_slice){bytes[i], row.len};
            }
            assert_int_equal(phoenix_commit(&f.splits, rows, 1000, PHOENIX_BATCH_ROWS, w), 10);
        }
        for (uint32_t r = 0; r < n; r++) {
            calls += w[r].calls;
            mutations += w[r].mutations;
        }
        assert_int_equal(mutations, EVENTS);
        assert_true(fabs((double)calls - expected) <= 0.03 * expected);
        end(&f);
    }
    assert_int_equal(phoenix_client_batches(50000, 1000, 100), 500);
    assert_int_equal(phoenix_client_batches(250, 100, 100), 3);
    assert_float_equal(phoenix_index_calls(10000, 1000, 100, 1, 1), 200, 1e-9);
}

static void a_row_upserted_twice_leaves_once(void **state)
{
    const uint8_t a[] = "a", b[] = "b";
    const struct saltkey_slice rows[] = {{a, 1}, {b, 1}, {a, 1}, {a, 1}};
    size_t order[4];

    (void)state;
    assert_int_equal(phoenix_commit_order(rows, 4, order), 2);
    assert_int_equal(phoenix_commit_order(rows, 0, order), 0);
}

static void values_that_do_not_fit_are_refused(void **state)
{
    const struct saltkey_value text = saltkey_text("noon");
    const struct phoenix_condition where[2] = {{.bound = PHOENIX_VALUES, .values = &text, .values_len = 1},
                                               {.bound = PHOENIX_ANY}};
    const struct phoenix_query q = {.conditions = where};
    struct phoenix_plan plan;
    struct fixture f;

    (void)state;
    make(&f, 4, 0, 0);
    assert_int_equal(phoenix_plan_make(&f.table, &q, &plan), PHOENIX_BAD_QUERY);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_bucket_is_lost),
        cmocka_unit_test(limits_and_their_price),
        cmocka_unit_test(a_full_key_is_one_scan_of_one_row),
        cmocka_unit_test(commits_by_region),
        cmocka_unit_test(a_row_upserted_twice_leaves_once),
        cmocka_unit_test(values_that_do_not_fit_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
