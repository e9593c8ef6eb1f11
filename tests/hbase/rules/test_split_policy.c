/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "hbase/rules/split_policy.h"

#define MIB (UINT64_C(1) << 20)

static void test_thresholds(void **state)
{
    const uint64_t gib = 1024 * MIB, max = 10 * gib;
    /* policy, regions of the table on the server, threshold: hbase-write-path.md 11.4 */
    const struct {
        enum split_policy policy;
        uint32_t regions;
        uint64_t threshold;
    } c[] = {
        {SPLIT_STEPPING, 1, 256 * MIB},
        {SPLIT_STEPPING, 2, max},
        {SPLIT_STEPPING, 0, max},
        {SPLIT_CONSTANT_SIZE, 1, max},
        {SPLIT_INCREASING_TO_UPPER_BOUND, 1, 256 * MIB},
        {SPLIT_INCREASING_TO_UPPER_BOUND, 2, 2 * gib},
        {SPLIT_INCREASING_TO_UPPER_BOUND, 3, 27 * 256 * MIB},
        {SPLIT_INCREASING_TO_UPPER_BOUND, 4, max},
        {SPLIT_INCREASING_TO_UPPER_BOUND, 0, max},
        {SPLIT_INCREASING_TO_UPPER_BOUND, 101, max},
        {SPLIT_KEY_PREFIX, 1, 256 * MIB},
        {SPLIT_DELIMITED_KEY_PREFIX, 2, 2 * gib},
        {SPLIT_BUSY, 2, 2 * gib},
        {SPLIT_DISABLED, 1, UINT64_MAX},
    };
    struct split_policy_config p;

    (void)state;
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        split_policy_config_default(&p);
        p.policy = c[i].policy;
        assert_int_equal(split_threshold_bytes(&p, c[i].regions), c[i].threshold);
    }
    split_policy_config_default(&p);
    p.table_flush_bytes = MIB;
    p.max_file_bytes = MIB;
    assert_int_equal(split_threshold_bytes(&p, 1), 2 * MIB); /* not held to the maximum */
    p.policy = SPLIT_INCREASING_TO_UPPER_BOUND;
    assert_int_equal(split_threshold_bytes(&p, 1), MIB);
    p.initial_bytes = 5;
    assert_int_equal(split_initial_bytes(&p), 5);
}

static void test_jitter(void **state)
{
    const uint64_t max = UINT64_C(10737418240);

    (void)state;
    assert_int_equal(split_max_file_bytes(max, 0.25, 0), max - max / 8);
    assert_int_equal(split_max_file_bytes(max, 0.25, 0.5), max);
    assert_in_range(split_max_file_bytes(max, 0.25, 0.9999999), max, max + max / 8);
    assert_int_equal(split_max_file_bytes(max, 0, 0.3), max);
}

static void test_should_split(void **state)
{
    struct split_policy_config c;
    uint64_t stores[2] = {268435456, 1000};
    struct split_input in = {.store_bytes = stores, .stores = 2, .regions_on_server = 1};

    (void)state;
    split_policy_config_default(&c);
    assert_false(split_should_split(&c, &in).split); /* strict */
    c.overall_files = true;
    assert_true(split_should_split(&c, &in).split);
    assert_int_equal(split_should_split(&c, &in).size_bytes, 268436456);
    c.overall_files = false;
    stores[0]++;
    assert_true(split_should_split(&c, &in).split);
    in.has_references = true;
    assert_false(split_should_split(&c, &in).split);
    assert_false(split_can_split(&c, true));
    in.has_references = false;
    c.policy = SPLIT_CONSTANT_SIZE;
    c.max_file_bytes = stores[0] = 1000; /* the maximum itself doesn't split, a byte more does */
    assert_false(split_should_split(&c, &in).split);
    stores[0]++;
    assert_true(split_should_split(&c, &in).split);
    c.policy = SPLIT_DISABLED;
    assert_false(split_should_split(&c, &in).split);
    assert_false(split_can_split(&c, false));
    assert_true(split_request_passes(999, 1000, 15, 16));
    assert_false(split_request_passes(1000, 1000, 15, 16));
    assert_false(split_request_passes(10, 1000, 16, 16));
}

static void test_busy(void **state)
{
    struct split_policy_config c;
    struct split_busy_state b = {0};
    uint64_t store = 1000, s = 1000000;
    struct split_input in = {.store_bytes = &store, .stores = 1, .regions_on_server = 1, .busy = &b};

    (void)state;
    split_policy_config_default(&c);
    c.policy = SPLIT_BUSY;
    in.now_us = 200 * s; /* younger than a window: no rate */
    in.blocked_requests = 500;
    in.write_requests = 1000;
    assert_true(split_should_split(&c, &in).blocked_rate < 1e-9);
    in.now_us = 300 * s; /* a whole window: its own rate, which is kept */
    assert_true(split_should_split(&c, &in).blocked_rate > 0.499);
    assert_false(split_should_split(&c, &in).split); /* not yet 600 s old */
    in.now_us = 450 * s; /* half a window without a refusal: half of the old rate */
    in.write_requests = 2000;
    assert_true(split_should_split(&c, &in).blocked_rate > 0.249);
    in.now_us = 599 * s;
    in.blocked_requests = 1500;
    assert_false(split_should_split(&c, &in).split);
    in.now_us = 600 * s;
    assert_true(split_should_split(&c, &in).busy);
    in.has_references = true;
    assert_false(split_should_split(&c, &in).split);
}

/* hbase.busy.policy.blockedRequests = 0.2: 199 of 1,000 are too few, 201 are enough. */
static void test_busy_rate(void **state)
{
    struct split_policy_config c;
    uint64_t store = 1000;

    (void)state;
    split_policy_config_default(&c);
    c.policy = SPLIT_BUSY;
    for (uint64_t blocked = 199; blocked <= 201; blocked += 2) {
        struct split_busy_state b = {0};
        struct split_input in = {.store_bytes = &store, .stores = 1, .regions_on_server = 1, .busy = &b};

        in.now_us = UINT64_C(600000000);
        in.blocked_requests = blocked;
        in.write_requests = 1000;
        assert_true(split_should_split(&c, &in).busy == (blocked > 200));
    }
}

#define ROW(x) (const uint8_t *)(x), sizeof(x) - 1

static struct split_file file_of(uint64_t bytes, const char *mid, const char *first, const char *last)
{
    struct split_file f = {.file_bytes = bytes,
                           .mid_row = (const uint8_t *)mid,
                           .first_row = (const uint8_t *)first,
                           .last_row = (const uint8_t *)last,
                           .mid_row_bytes = strlen(mid),
                           .first_row_bytes = strlen(first),
                           .last_row_bytes = strlen(last)};

    return f;
}

static void test_point(void **state)
{
    struct split_file a[3] = {file_of(100, "d", "a", "k"), file_of(300, "m", "b", "z"), file_of(300, "n", "c", "z")};
    struct split_file b[1] = {file_of(500, "q", "a", "z")};
    struct split_store s[2] = {{a, 3}, {b, 1}};
    struct split_bounds all = {0};
    struct split_policy_config c;
    struct split_point p = {0};
    size_t file = 9;

    (void)state;
    split_policy_config_default(&c);
    assert_int_equal(split_store_point(&s[0], &file), SPLIT_POINT_FOUND);
    assert_int_equal(file, 1); /* the older of two equals */
    /* the larger store, not the larger file */
    assert_int_equal(split_region_point(&c, s, 2, &all, &p), SPLIT_POINT_FOUND);
    assert_int_equal(p.store, 0);
    assert_memory_equal(p.row, "m", p.row_bytes);
    a[1] = file_of(300, "b", "b", "z");
    assert_int_equal(split_store_point(&s[0], &file), SPLIT_POINT_ROW_AT_EDGE);
    assert_int_equal(split_region_point(&c, s, 2, &all, &p), SPLIT_POINT_FOUND);
    assert_int_equal(p.store, 1); /* the other store has a key */
    assert_int_equal(split_region_point(&c, s, 1, &all, &p), SPLIT_POINT_ROW_AT_EDGE);
    a[1] = file_of(300, "z", "b", "z");
    assert_int_equal(split_store_point(&s[0], &file), SPLIT_POINT_ROW_AT_EDGE);
    a[0].reference = true;
    assert_int_equal(split_store_point(&s[0], &file), SPLIT_POINT_REFERENCE);
    assert_int_equal(split_region_point(&c, s, 0, &all, &p), SPLIT_POINT_NO_FILE);
    c.policy = SPLIT_DISABLED;
    assert_int_equal(split_region_point(&c, s, 2, &all, &p), SPLIT_POINT_DISABLED);
}

static void test_cut(void **state)
{
    struct split_file f[1] = {file_of(500, "ab_cd", "aa", "zz")};
    struct split_store s = {f, 1};
    struct split_bounds b = {0};
    struct split_policy_config c;
    struct split_point p = {0};

    (void)state;
    split_policy_config_default(&c);
    c.policy = SPLIT_KEY_PREFIX;
    c.prefix_bytes = 2;
    assert_int_equal(split_region_point(&c, &s, 1, &b, &p), SPLIT_POINT_FOUND);
    assert_int_equal(p.row_bytes, 2);
    assert_true(p.cut);
    b.start = (const uint8_t *)"ab";
    b.start_bytes = 2;
    assert_int_equal(split_region_point(&c, &s, 1, &b, &p), SPLIT_POINT_IS_START);
    c.prefix_bytes = 9; /* longer than the key: untouched */
    assert_int_equal(split_region_point(&c, &s, 1, &b, &p), SPLIT_POINT_FOUND);
    assert_false(p.cut);
    c.policy = SPLIT_DELIMITED_KEY_PREFIX;
    c.delimiter = (const uint8_t *)"_";
    c.delimiter_bytes = 1;
    assert_int_equal(split_cut_key(&c, ROW("ab_cd"), false), 2);
    assert_int_equal(split_cut_key(&c, ROW("abcd"), false), 4);
    assert_int_equal(split_cut_key(&c, ROW("ab_cd"), true), 5); /* by hand: not the policy */
    c.restriction = SPLIT_RESTRICT_KEY_PREFIX;
    c.restriction_prefix_bytes = 1;
    assert_int_equal(split_cut_key(&c, ROW("ab_cd"), true), 1);
    c.restriction = SPLIT_RESTRICT_DELIMITED;
    c.restriction_delimiter = (const uint8_t *)"cd";
    c.restriction_delimiter_bytes = 2;
    assert_int_equal(split_cut_key(&c, ROW("ab_cd"), true), 3);
    split_policy_config_default(&c);
    b.start = (const uint8_t *)"b";
    b.start_bytes = 1;
    assert_int_equal(split_region_point(&c, &s, 1, &b, &p), SPLIT_POINT_OUTSIDE);
}

static void test_store_file(void **state)
{
    struct split_file f = file_of(500, "m", "d", "p");
    /* key, bottom, top */
    static const struct {
        const char *key;
        enum split_share bottom, top;
    } c[] = {
        {"c", SPLIT_SHARE_NOTHING, SPLIT_SHARE_LINK},
        {"d", SPLIT_SHARE_NOTHING, SPLIT_SHARE_LINK},
        {"da", SPLIT_SHARE_REFERENCE, SPLIT_SHARE_REFERENCE},
        {"p", SPLIT_SHARE_REFERENCE, SPLIT_SHARE_REFERENCE},
        {"pa", SPLIT_SHARE_LINK, SPLIT_SHARE_NOTHING},
    };

    (void)state;
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        struct split_shares s = split_store_file(&f, (const uint8_t *)c[i].key, strlen(c[i].key));

        assert_int_equal(s.bottom, c[i].bottom);
        assert_int_equal(s.top, c[i].top);
    }
    f.first_row_bytes = f.last_row_bytes = 0;
    assert_int_equal(split_store_file(&f, ROW("d")).top, SPLIT_SHARE_NOTHING);
    assert_int_equal(split_reference_cells(1001), 500);
}

static void test_names(void **state)
{
    (void)state;
    for (int i = SPLIT_STEPPING; i <= SPLIT_DISABLED; i++)
        assert_int_equal(split_policy_from_name(split_policy_name((enum split_policy)i)), i);
    assert_int_equal(split_policy_from_name("org.apache.hadoop.hbase.regionserver.KeyPrefixRegionSplitPolicy"),
                     SPLIT_KEY_PREFIX);
    assert_int_equal(split_policy_from_name("Stepping"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thresholds), cmocka_unit_test(test_jitter), cmocka_unit_test(test_should_split),
        cmocka_unit_test(test_busy),       cmocka_unit_test(test_busy_rate), cmocka_unit_test(test_point),
        cmocka_unit_test(test_cut),        cmocka_unit_test(test_store_file), cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
