/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "client/phoenix_run.h"
#include "client/phoenix_writes.h"
#include "client/scan_salted.h"

/* Every n-th allocation fails once: the call says so, leaks nothing and works again afterwards. */
static long fail_at = -1;

static bool fails(void)
{
    return fail_at >= 0 && fail_at-- == 0;
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t m);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t m);
void *__wrap_realloc(void *p, size_t n);

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t m)
{
    return fails() ? NULL : __real_calloc(n, m);
}

void *__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
}

static struct saltkey_scheme scheme;
static struct saltkey_keys splits;
static const struct saltkey_slice no_rows_key;

static uint64_t rank_of(void *context, struct saltkey_slice key)
{
    (void)context;
    (void)key;
    return 0;
}

static struct saltkey_slice key_of(void *context, uint64_t row, size_t slot)
{
    (void)context;
    (void)row;
    (void)slot;
    return no_rows_key;
}

static const struct scan_cell cell = {48, 96, 0, false};
static const struct scan_shape shape = {&cell, 1};
static const struct scan_table empty = {&splits, rank_of, key_of, 0, {&shape, NULL, NULL, NULL}, NULL};

static int setup(void **state)
{
    struct saltkey_layout l;
    struct saltkey_salt salt;

    (void)state;
    saltkey_layout_parse("ts:i64 dev:i32", &l, NULL);
    saltkey_salt_parse("phoenix", 32, &salt, NULL);
    saltkey_scheme_init(&scheme, &l, &salt, NULL, NULL);
    saltkey_keys_init(&splits, NULL);
    return saltkey_split_buckets(&salt, 1, &splits, NULL);
}

static int teardown(void **state)
{
    (void)state;
    saltkey_keys_free(&splits);
    return 0;
}

static int plan_and_run(void)
{
    const struct saltkey_value low = saltkey_int(1000), high = saltkey_int(2000);
    const struct phoenix_condition where[2] = {{PHOENIX_RANGE, NULL, 0, &low, &high, true, false}, {.bound = PHOENIX_ANY}};
    const struct phoenix_table t = {"T", &scheme, &splits, NULL, 123, UINT64_C(10) << 30};
    const struct phoenix_query q = {.conditions = where, .order = PHOENIX_BY_KEY, .limit = 5};
    struct phoenix_plan plan;
    struct phoenix_cost cost;
    struct phoenix_7580 bug;
    const struct phoenix_run run = {.table = &t, .query = &q, .plan = &plan, .rows = &empty};
    int rc = phoenix_plan_make(&t, &q, &plan);

    if (rc != 0)
        return rc;
    rc = phoenix_run(&run, &cost);
    if (rc == 0)
        rc = phoenix_7580_check(&run, &bug);
    phoenix_plan_free(&plan);
    return rc;
}

static int commit(void)
{
    static const uint8_t key[] = {3, 1, 2};
    const struct saltkey_slice row = {key, sizeof key};
    struct phoenix_region_writes w[32] = {{0, 0}};

    return phoenix_commit(&splits, &row, 1, PHOENIX_BATCH_ROWS, w) < 0 ? -1 : 0;
}

static int merge(void)
{
    uint8_t start[32], stop[32];
    struct saltkey_window window = {.start = {start, sizeof start, 0}, .stop = {stop, sizeof stop, 0}};
    struct scan_options o;
    struct scan_cost cost = {0};
    const struct scan_salted q = {.scheme = &scheme, .window = &window, .table = &empty, .options = &o, .limit = 10};
    int rc = saltkey_window_prefix(&scheme, (struct saltkey_slice){NULL, 0}, &window);

    scan_options_init(&o, 65536);
    if (rc == 0)
        rc = scan_salted_merge(&q, NULL, NULL, &cost);
    return rc != 0 ? rc : scan_salted_count(&q, &cost);
}

static void each_allocation_fails_once(void **state)
{
    int (*const work[])(void) = {plan_and_run, commit, merge};

    (void)state;
    for (size_t k = 0; k < sizeof work / sizeof *work; k++) {
        long n = 0;

        for (;; n++) {
            int rc;

            fail_at = n;
            rc = work[k]();
            if (fail_at >= 0) {
                fail_at = -1;
                assert_int_equal(rc, 0);
                break;
            }
            assert_true(rc < 0);
        }
        assert_true(n > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails_once)};

    return cmocka_run_group_tests(tests, setup, teardown);
}
