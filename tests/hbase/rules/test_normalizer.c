/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "hbase/rules/normalizer.h"
#include "hbase/rules/table_checker.h"

#define DAY_US UINT64_C(86400000000)

static size_t plans_of(const struct normalizer_config *c, const uint64_t *mb, size_t n, struct normalizer_plan *p)
{
    struct normalizer_region r[16] = {0};

    for (size_t i = 0; i < n; i++)
        r[i] = (struct normalizer_region){mb[i], 4 * DAY_US, (uint32_t)i, true};
    return normalizer_plans(c, r, n, p);
}

static void test_reported(void **state)
{
    (void)state;
    assert_int_equal(normalizer_reported_mb(0), 0);
    assert_int_equal(normalizer_reported_mb(1), 1);
    assert_int_equal(normalizer_reported_mb(1048575), 1);
    assert_int_equal(normalizer_reported_mb(2097151), 1);
    assert_int_equal(normalizer_reported_mb(2097152), 2);
}

static void test_plans(void **state)
{
    struct normalizer_config c;
    struct normalizer_plan p[32];

    (void)state;
    normalizer_config_default(&c);
    assert_int_equal(plans_of(&c, (const uint64_t[]){1, 1, 1, 9}, 4, p), 2);
    assert_true(p[0].split);
    assert_int_equal(p[0].first, 3);
    assert_false(p[1].split);
    assert_int_equal(p[1].first, 0);
    assert_int_equal(p[1].count, 3);
    assert_true(p[1].joins_buckets); /* the labels differ */
    /* equal sizes never merge, nor do empty regions by default, nor two regions */
    assert_int_equal(plans_of(&c, (const uint64_t[]){2, 2, 2, 2}, 4, p), 0);
    assert_int_equal(plans_of(&c, (const uint64_t[]){0, 0, 0, 0}, 4, p), 0);
    assert_int_equal(plans_of(&c, (const uint64_t[]){1, 4}, 2, p), 0);
    /* merge.min.region.count = 3: three regions are enough */
    assert_int_equal(plans_of(&c, (const uint64_t[]){1, 1, 5}, 3, p), 2);
    assert_int_equal(p[1].count, 2);
    c.merge_min_region_size_mb = 0;
    assert_int_equal(plans_of(&c, (const uint64_t[]){0, 0, 0, 0}, 4, p), 1);
    assert_int_equal(p[0].count, 4);
    c.merge_max_regions = 3;
    assert_int_equal(plans_of(&c, (const uint64_t[]){0, 0, 0, 0, 0, 0}, 6, p), 2);
    assert_int_equal(p[1].first, 3);
    c.split_enabled = false;
    c.merge_enabled = false;
    assert_int_equal(plans_of(&c, (const uint64_t[]){1, 1, 1, 9}, 4, p), 0);
}

static void test_age_and_state(void **state)
{
    struct normalizer_config c;
    struct normalizer_plan p[8];
    struct normalizer_region r[4] = {{1, 4 * DAY_US, 0, true}, {1, 2 * DAY_US, 0, true}, {1, 4 * DAY_US, 0, true},
                                     {9, 4 * DAY_US, 0, true}};

    (void)state;
    normalizer_config_default(&c);
    assert_int_equal(normalizer_plans(&c, r, 4, p), 1); /* the young one ends the run */
    r[1].age_us = 4 * DAY_US;
    assert_int_equal(normalizer_plans(&c, r, 4, p), 2);
    assert_false(p[1].joins_buckets);
    r[1].age_us = 3 * DAY_US; /* merge.min_region_age.days = 3: to the day */
    assert_int_equal(normalizer_plans(&c, r, 4, p), 2);
    r[1].age_us--;
    assert_int_equal(normalizer_plans(&c, r, 4, p), 1);
    r[1].age_us = 4 * DAY_US;
    r[3].open = false;
    r[0].open = false;
    assert_int_equal(normalizer_plans(&c, r, 4, p), 1);
    assert_int_equal(p[0].first, 1);
    c.target_region_size_mb = 5;
    assert_true(normalizer_average_mb(&c, r, 4) > 4.9);
    c.target_region_size_mb = 0;
    c.target_region_count = 6;
    assert_true(normalizer_average_mb(&c, r, 4) < 2.1);
}

static void test_sanity(void **state)
{
    struct table_family f[2] = {{"a", 65536, 0, 1, INT32_MAX, 0}, {"b", 65536, 0, 1, INT32_MAX, 0}};
    struct table_descriptor d;
    size_t which = 9;

    (void)state;
    table_descriptor_default(&d);
    d.families = f;
    assert_int_equal(table_check(&d, NULL), TABLE_NO_FAMILY);
    d.family_count = 2;
    assert_int_equal(table_check(&d, &which), TABLE_OK);
    assert_int_equal(which, 2);
    d.max_file_bytes = 2097151;
    assert_int_equal(table_check(&d, NULL), TABLE_MAX_FILESIZE_TOO_SMALL);
    d.sanity_checks = false;
    assert_int_equal(table_check(&d, NULL), TABLE_OK);
    d.sanity_checks = true;
    d.max_file_bytes = 2097152;
    d.flush_bytes = 1048575;
    assert_int_equal(table_check(&d, NULL), TABLE_FLUSH_SIZE_TOO_SMALL);
    d.flush_bytes = 0;
    d.site_flush_bytes = 1048575;
    assert_int_equal(table_check(&d, NULL), TABLE_FLUSH_SIZE_TOO_SMALL);
    d.site_flush_bytes = 1048576;
    f[1].ttl_s = 0;
    assert_int_equal(table_check(&d, &which), TABLE_TTL_NOT_POSITIVE);
    assert_int_equal(which, 1);
    f[1].ttl_s = 1;
    f[0].block_bytes = 1023;
    assert_int_equal(table_check(&d, &which), TABLE_BLOCKSIZE_OUT_OF_RANGE);
    f[0].block_bytes = 16 * 1024 * 1024;
    f[0].min_versions = -1;
    assert_int_equal(table_check(&d, &which), TABLE_MIN_VERSIONS_NEGATIVE);
    f[0].min_versions = 2;
    assert_int_equal(table_check(&d, &which), TABLE_VERSIONS_BELOW_MIN);
    f[0].min_versions = 0;
    f[0].replication = -1;
    assert_int_equal(table_check(&d, &which), TABLE_REPLICATION_NEGATIVE);
    f[0].replication = 0;
    f[1].name = "a";
    assert_int_equal(table_check(&d, &which), TABLE_DUPLICATE_FAMILY);
    for (int r = TABLE_OK; r <= TABLE_REPLICATION_NEGATIVE; r++)
        assert_true(strlen(table_rule_text((enum table_rule)r)) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reported),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_age_and_state),
        cmocka_unit_test(test_sanity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
