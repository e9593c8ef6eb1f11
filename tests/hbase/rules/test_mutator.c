/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hbase/rules/mutator.h"

static void test_put_heap(void **state)
{
    struct mutator_column c[10];
    uint32_t family[3] = {1, 1, 1};

    (void)state;
    assert_int_equal(put_heap_bytes(12, 1, 1, 100), 448);
    assert_int_equal(put_heap_bytes(12, 1, 1, 20), 368);
    assert_int_equal(put_heap_bytes(12, 1, 1, 1000), 1352);
    assert_int_equal(put_heap_bytes(12, 1, 1, 4000), 4352);
    for (int i = 0; i < 10; i++)
        c[i] = (struct mutator_column){1, 100, 0};
    assert_int_equal(put_heap_bytes_columns(12, family, c, 10), 2136);
    /* a second family adds its key, its list and the map's entry, and a list of two is 8 longer */
    c[1].family = 2;
    assert_int_equal(put_heap_bytes_columns(12, family, c, 2) - put_heap_bytes_columns(12, family, c, 1),
                     40 + 24 + 24 + 24 + 184);
    assert_int_equal(put_heap_bytes_columns(12, family, c, 0), 152);
}

static void test_buffer(void **state)
{
    /* heap of a put and the rows that fill 2 MiB: recorded */
    static const uint64_t heap[][2] = {{448, 4682}, {1352, 1552}, {2136, 982}, {4352, 482}};
    struct mutator_limits l;

    (void)state;
    mutator_limits_default(&l);
    for (size_t i = 0; i < sizeof heap / sizeof *heap; i++) {
        uint64_t n = mutator_rows_to_submit(&l, heap[i][0]);

        assert_int_equal(n, heap[i][1]);
        assert_true(mutator_must_submit(&l, n * heap[i][0]));
        assert_false(mutator_must_submit(&l, (n - 1) * heap[i][0]));
    }
    assert_false(mutator_must_submit(&l, 2097152));
}

static void test_checks(void **state)
{
    struct mutator_limits l;
    struct mutator_pass p = {0};
    struct mutator_target t = {0};

    (void)state;
    mutator_limits_default(&l);
    assert_int_equal(mutator_check_row(&l, &p, &t, 448), MUTATOR_INCLUDE);
    t.region_tasks_in_flight = 1;
    assert_int_equal(mutator_check_row(&l, &p, &t, 448), MUTATOR_SKIP);
    t.server_in_pass = t.region_in_pass = true; /* a region of this pass always goes with it */
    assert_int_equal(mutator_check_row(&l, &p, &t, 448), MUTATOR_INCLUDE);
    t.server_rows = 2048;
    assert_int_equal(mutator_check_row(&l, &p, &t, 448), MUTATOR_SKIP);
    t.server_rows = 2047;
    t.server_bytes = 4194304 - 447;
    assert_int_equal(mutator_check_row(&l, &p, &t, 448), MUTATOR_SKIP);
    t.server_bytes = 4194304 - 448;
    assert_int_equal(mutator_check_row(&l, &p, &t, 448), MUTATOR_INCLUDE);
    p.pass_bytes = 4194304;
    assert_int_equal(mutator_check_row(&l, &p, &t, 448), MUTATOR_END);
    p = (struct mutator_pass){0};
    t = (struct mutator_target){.server_tasks_in_flight = 2};
    assert_int_equal(mutator_check_row(&l, &p, &t, 448), MUTATOR_SKIP);
    t.server_tasks_in_flight = 1;
    p.tasks_in_flight = 99;
    assert_int_equal(mutator_check_row(&l, &p, &t, 448), MUTATOR_INCLUDE);
    p.servers_in_pass = 1;
    assert_int_equal(mutator_check_row(&l, &p, &t, 448), MUTATOR_SKIP);
    assert_true(mutator_must_wait(&l, 100));
    assert_false(mutator_must_wait(&l, 99));
    /* the first row for a server passes whatever its size */
    assert_int_equal(mutator_check_row(&l, &(struct mutator_pass){0}, &(struct mutator_target){0}, 9000000),
                     MUTATOR_INCLUDE);
}

static void test_backoff(void **state)
{
    static const uint64_t ms[] = {100, 200, 300, 500, 1000, 2000, 4000, 10000, 10000, 10000, 10000, 20000, 20000, 20000};

    (void)state;
    for (uint32_t i = 0; i < sizeof ms / sizeof *ms; i++)
        assert_int_equal(mutator_retry_pause_us(i + 1, 100000, 0), ms[i] * 1000);
    assert_in_range(mutator_retry_pause_us(1, 100000, 0.999), 100000, 101000);
    assert_false(mutator_gives_up(15, 15, UINT64_MAX, 100000));
    assert_false(mutator_gives_up(16, 15, 1000000, 100000));
    assert_true(mutator_gives_up(16, 15, UINT64_C(200000000), 100000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_put_heap),
        cmocka_unit_test(test_buffer),
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_backoff),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
