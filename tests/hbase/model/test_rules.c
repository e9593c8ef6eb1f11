/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules that came with this room: what a rewrite keeps, which regions merge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hbase/rules/hfile.h"
#include "hbase/rules/merge.h"
#include "hbase/rules/retention.h"

static void expect(const struct retention_config *c, bool drop_markers, const struct retention_cell *cells,
                   const char *keep)
{
    const struct retention_pass pass = {10000, drop_markers};
    const size_t n = strlen(keep);
    bool kept[16];

    for (size_t i = 1; i < n; i++)
        assert_true(retention_compare(&cells[i - 1], &cells[i]) < 0);
    retention_apply(c, &pass, cells, n, kept);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(kept[i], keep[i] == 'x');
}

static void test_versions(void **state)
{
    const struct retention_cell cells[] = {{0, 300, 9, 4}, {0, 300, 5, 4}, {0, 200, 4, 4}, {0, 100, 3, 4}, {1, 50, 3, 4}};
    struct retention_config c;

    (void)state;
    retention_config_default(&c);
    expect(&c, false, cells, "x---x");
    c.max_versions = 2;
    expect(&c, false, cells, "x-x-x"); /* one timestamp counts once */
}

static void test_markers(void **state)
{
    const struct retention_cell row[] = {{-1, 150, 8, HFILE_TYPE_DELETE_FAMILY}, {0, 200, 9, 4}, {0, 150, 4, 4}, {1, 100, 4, 4}};
    const struct retention_cell column[] = {{0, 200, 9, 4}, {0, 150, 8, HFILE_TYPE_DELETE_COLUMN}, {0, 150, 4, 4}, {1, 100, 4, 4}};
    const struct retention_cell version[] = {{0, 200, 8, HFILE_TYPE_DELETE}, {0, 200, 4, 4}, {0, 100, 3, 4}};
    struct retention_config c;

    (void)state;
    retention_config_default(&c);
    c.max_versions = 3;
    expect(&c, false, row, "xx--");
    expect(&c, true, row, "-x--");
    expect(&c, false, column, "xx-x");
    expect(&c, true, column, "x--x");
    expect(&c, true, version, "--x");
    c.keep_deleted_cells = true;
    expect(&c, true, row, "xxxx");
}

static void test_time_to_live(void **state)
{
    const struct retention_cell cells[] = {{0, 9500, 9, 4}, {0, 8999, 5, 4}, {1, 9000, 4, 4}, {2, 10, 4, 4}};
    struct retention_config c;

    (void)state;
    retention_config_default(&c);
    c.max_versions = 5;
    c.ttl_ms = 1000;
    expect(&c, false, cells, "x-x-");
    c.min_versions = 1;
    expect(&c, false, cells, "x-xx");
    assert_false(retention_expired(&c, 10000, 9000));
    assert_true(retention_expired(&c, 10000, 8999));
}

static void test_merge(void **state)
{
    const uint8_t a[] = {1}, b[] = {2}, d[] = {3};
    struct merge_region r[] = {
        {.id = 2, .start = b, .start_bytes = 1, .end = d, .end_bytes = 1, .open = true},
        {.id = 1, .start = a, .start_bytes = 1, .end = b, .end_bytes = 1, .open = true},
        {.id = 3, .start = d, .start_bytes = 1, .open = true},
    };
    const struct merge_region in_order[] = {r[1], r[0], r[2]}, backward[] = {r[2], r[0], r[1]};
    size_t first = 9;

    (void)state;
    assert_int_equal(merge_check(r, 2, false, &first), MERGE_OK);
    assert_int_equal(first, 1);
    assert_int_equal(merge_check(r, 3, false, &first), MERGE_NOT_ADJACENT); /* 2, 1, 3 */
    assert_int_equal(merge_check(in_order, 3, false, &first), MERGE_OK);
    assert_int_equal(first, 0);
    assert_int_equal(merge_check(backward, 3, false, &first), MERGE_OK);
    assert_int_equal(first, 2);
    assert_int_equal(merge_check(r, 1, false, &first), MERGE_TOO_FEW);
    assert_int_equal(merge_check(r + 1, 2, false, &first), MERGE_NOT_ADJACENT);
    assert_int_equal(merge_check(r + 1, 2, true, &first), MERGE_OK);
    r[0].has_references = true;
    assert_int_equal(merge_check(r, 2, false, &first), MERGE_REFERENCES);
    r[0].merge_qualifier = true;
    assert_int_equal(merge_check(r, 2, false, &first), MERGE_QUALIFIER);
    r[1].id = 2;
    assert_int_equal(merge_check(r, 2, false, &first), MERGE_DUPLICATE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_time_to_live),
        cmocka_unit_test(test_merge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
