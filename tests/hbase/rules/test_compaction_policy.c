/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hbase/rules/compaction_policy.h"

#define DAY_US UINT64_C(86400000000)

static struct compaction_file files[32];

/* Sizes up to a 0, oldest first. */
static struct compaction_input input(const uint64_t *bytes)
{
    struct compaction_input in = {.files = files, .now_us = DAY_US, .ttl_ms = UINT64_MAX, .major_u = 0.5};

    for (; bytes[in.count]; in.count++)
        files[in.count] = (struct compaction_file){.file_bytes = bytes[in.count], .modified_us = 1};
    return in;
}

static void test_exploring(void **state)
{
    struct compaction_config c;
    struct compaction_request q;
    struct compaction_input in;

    (void)state;
    compaction_config_default(&c);
    in = input((const uint64_t[]){104506, 104506, 0});
    assert_int_equal(compaction_select(&c, &in).count, 0);
    in = input((const uint64_t[]){901106, 54637, 65004, 74933, 84788, 94647, 54637, 54637, 54637, 54637, 54637, 54637, 0});
    q = compaction_select(&c, &in);
    assert_int_equal(q.first, 1);
    assert_int_equal(q.count, 10);
    assert_false(q.all_files);
    /* out of ratio above the minimum size: one large file keeps aside */
    c.min_bytes = 100;
    in = input((const uint64_t[]){1000, 10, 10, 10, 0});
    q = compaction_select(&c, &in);
    assert_int_equal(q.first, 1);
    assert_int_equal(q.count, 3);
    /* nothing in ratio, and stuck: the window with the smallest sum */
    in = input((const uint64_t[]){100000, 10000, 1000, 100, 0});
    assert_int_equal(compaction_select(&c, &in).count, 0);
    c.blocking_store_files = 4;
    q = compaction_select(&c, &in);
    assert_int_equal(q.first, 1);
    assert_int_equal(q.count, 3);
    /* stuck: a later window replaces only what it betters by more than 5 % */
    c.min_bytes = UINT64_C(134217728);
    in = input((const uint64_t[]){100, 100, 100, 90, 0});
    assert_int_equal(compaction_select(&c, &in).first, 0);
    assert_int_equal(compaction_select(&c, &in).count, 3);
    in = input((const uint64_t[]){100, 100, 100, 80, 0});
    assert_int_equal(compaction_select(&c, &in).count, 4);
}

/* Together below min.size a run needs no ratio: 940 is more than 1.2 times the other 20. From it on it does. */
static void test_min_size(void **state)
{
    struct compaction_config c;
    struct compaction_input in = input((const uint64_t[]){940, 10, 10, 0});

    (void)state;
    compaction_config_default(&c);
    c.min_bytes = 961;
    assert_int_equal(compaction_select(&c, &in).count, 3);
    c.min_bytes = 960;
    assert_int_equal(compaction_select(&c, &in).count, 0);
}

/* ratio = 1.2: a file may be as large as 1.2 times the others together, and no larger. */
static void test_ratio(void **state)
{
    struct compaction_config c;
    struct compaction_input in;

    (void)state;
    compaction_config_default(&c);
    c.min_bytes = 1;
    in = input((const uint64_t[]){119, 50, 50, 0});
    assert_int_equal(compaction_select(&c, &in).count, 3);
    in = input((const uint64_t[]){121, 50, 50, 0});
    assert_int_equal(compaction_select(&c, &in).count, 0);
}

/* More bytes than the throttle go to the pool of large compactions. */
static void test_pool(void **state)
{
    struct compaction_config c;
    struct compaction_input in = input((const uint64_t[]){300, 300, 400, 0});

    (void)state;
    compaction_config_default(&c);
    c.throttle_bytes = 1000;
    assert_false(compaction_select(&c, &in).large);
    c.throttle_bytes = 999;
    assert_true(compaction_select(&c, &in).large);
}

static void test_second_request(void **state)
{
    struct compaction_config c;
    struct compaction_input in = input((const uint64_t[]){50, 50, 50, 50, 50, 50, 50, 0});
    struct compaction_request q;

    (void)state;
    compaction_config_default(&c);
    files[1].compacting = files[2].compacting = true;
    q = compaction_select(&c, &in); /* only files newer than the newest that compacts */
    assert_int_equal(q.first, 3);
    assert_int_equal(q.count, 4);
    files[5].compacting = true;
    assert_int_equal(compaction_select(&c, &in).count, 0);
}

static void test_ratio_based(void **state)
{
    struct compaction_config c;
    struct compaction_input in = input((const uint64_t[]){100000, 1000, 1000, 1000, 0});
    struct compaction_request q;

    (void)state;
    compaction_config_default(&c);
    c.policy = COMPACTION_RATIO_BASED;
    c.min_bytes = 10;
    q = compaction_select(&c, &in);
    assert_int_equal(q.first, 1);
    assert_int_equal(q.count, 3);
    in = input((const uint64_t[]){100000, 10000, 1000, 100, 0}); /* too few left once old ones are skipped */
    assert_int_equal(compaction_select(&c, &in).count, 0);
    c.ratio = 100; /* every file in ratio: all */
    assert_int_equal(compaction_select(&c, &in).count, 4);
}

static void test_references(void **state)
{
    struct compaction_config c;
    struct compaction_input in = input((const uint64_t[]){5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0});
    struct compaction_request q;

    (void)state;
    compaction_config_default(&c);
    files[3].reference = true;
    q = compaction_select(&c, &in);
    assert_true(q.after_split);
    assert_int_equal(q.count, 10); /* the oldest ten */
    assert_int_equal(q.priority, COMPACTION_PRIORITY_AFTER_SPLIT);
    in.count = 1;
    files[0].reference = true;
    q = compaction_select(&c, &in);
    assert_int_equal(q.count, 1);
    assert_true(q.all_files);
    assert_false(q.major);
    /* too large ones are left, but never a reference */
    in = input((const uint64_t[]){500, 500, 500, 5, 5, 5, 0});
    c.max_bytes = 100;
    q = compaction_select(&c, &in);
    assert_int_equal(q.first, 3);
    files[0].reference = true;
    assert_int_equal(compaction_select(&c, &in).count, 6);
}

static void test_major(void **state)
{
    struct compaction_config c;
    struct compaction_input in = input((const uint64_t[]){900, 5, 0});
    struct compaction_request q;

    (void)state;
    compaction_config_default(&c);
    assert_int_equal(compaction_major_age_us(&c, 0), 10 * DAY_US + DAY_US / 2);
    assert_int_equal(compaction_major_age_us(&c, 0.5), 7 * DAY_US);
    assert_int_equal(compaction_major_age_us(&c, 1), 3 * DAY_US + DAY_US / 2);
    in.now_us = 7 * DAY_US;
    assert_int_equal(compaction_select(&c, &in).count, 0);
    assert_false(compaction_major_is_due(&c, &in));
    in.now_us = 7 * DAY_US + 2;
    assert_true(compaction_major_is_due(&c, &in));
    q = compaction_select(&c, &in);
    assert_true(q.major);
    assert_int_equal(q.count, 2);
    in.count = 1; /* one file alone waits for its time to live */
    assert_int_equal(compaction_select(&c, &in).count, 0);
    in.ttl_ms = 1000;
    in.now_ms_epoch = 5000;
    files[0].min_timestamp_ms = 3999;
    assert_true(compaction_select(&c, &in).major);
    files[0].min_timestamp_ms = 4000;
    assert_int_equal(compaction_select(&c, &in).count, 0);
    c.major_period_us = 0;
    assert_int_equal(compaction_major_age_us(&c, 0.3), 0);
    in.force_major = true;
    q = compaction_select(&c, &in);
    assert_true(q.major);
    in = input((const uint64_t[]){5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0});
    in.force_major = true; /* 11 files: only the user gets a major compaction of them */
    assert_false(compaction_select(&c, &in).major);
    in.user = true;
    q = compaction_select(&c, &in);
    assert_true(q.major);
    assert_int_equal(q.count, 11);
    assert_int_equal(q.priority, COMPACTION_PRIORITY_USER);
}

static void test_expired(void **state)
{
    struct compaction_input in = input((const uint64_t[]){5, 5, 5, 5, 0});
    bool drop[4];

    (void)state;
    in.ttl_ms = 1000;
    in.now_ms_epoch = 10000;
    for (int i = 0; i < 4; i++)
        files[i].max_timestamp_ms = 8000;
    files[1].max_timestamp_ms = 9000;
    files[2].compacting = true;
    assert_int_equal(compaction_drop_expired(&in, drop), 1); /* never the newest, nor one that compacts */
    assert_true(drop[0] && !drop[1] && !drop[2] && !drop[3]);
    in.ttl_ms = UINT64_MAX;
    assert_int_equal(compaction_drop_expired(&in, drop), 0);
}

static void test_offpeak(void **state)
{
    struct compaction_config c;
    struct compaction_input in = input((const uint64_t[]){9000, 2500, 1000, 900, 0});
    struct compaction_request q;

    (void)state;
    compaction_config_default(&c);
    c.min_bytes = 1;
    q = compaction_select(&c, &in); /* 2500 > 1.2 x 1900 */
    assert_int_equal(q.count, 0);
    in.offpeak = true;
    q = compaction_select(&c, &in);
    assert_int_equal(q.count, 4);
    assert_false(q.offpeak); /* all files: not held for off-peak */
    files[0].file_bytes = 900000;
    q = compaction_select(&c, &in);
    assert_int_equal(q.first, 1);
    assert_true(q.offpeak);
}

static void test_queues(void **state)
{
    struct compaction_config c;

    (void)state;
    compaction_config_default(&c);
    assert_false(compaction_is_large(&c, UINT64_C(2684354560)));
    assert_true(compaction_is_large(&c, UINT64_C(2684354561)));
    assert_int_equal(compaction_store_priority(&c, 3), 13);
    assert_int_equal(compaction_store_priority(&c, 15), 2);
    assert_int_equal(compaction_store_priority(&c, 16), 0);
    assert_int_equal(compaction_store_priority(&c, 17), -1);
    assert_true(compaction_needed(&c, 3, 0));
    assert_false(compaction_needed(&c, 5, 3));
    assert_int_equal(compaction_follow_up(0, 0), COMPACTION_NEXT_AGAIN);
    assert_int_equal(compaction_follow_up(5, 0), COMPACTION_NEXT_SPLIT_ELSE_AGAIN);
    assert_int_equal(compaction_follow_up(5, 5), COMPACTION_NEXT_SPLIT_ELSE_NOTHING);
}

/* What the checker is told of the future: never due before, and due soon after, as long as the files stay. */
static void test_major_due_from(void **state)
{
    const uint64_t one[] = {100, 0}, two[] = {100, 100, 0}, ttl_ms[] = {UINT64_MAX, 30 * DAY_US / 1000};
    struct compaction_config c;

    (void)state;
    compaction_config_default(&c);
    for (int k = 0; k < 4; k++) {
        struct compaction_input in = input(k % 2 ? two : one);
        uint64_t from, first = UINT64_MAX;

        in.ttl_ms = ttl_ms[k / 2];
        in.now_us = 0;
        from = compaction_major_due_us(&c, &in);
        for (uint64_t minute = 0; minute < 60 * 1440 && first == UINT64_MAX; minute++) {
            in.now_us = minute * 60000000;
            in.now_ms_epoch = minute * 60000;
            if (compaction_major_is_due(&c, &in))
                first = in.now_us;
            else
                assert_true(compaction_major_due_us(&c, &in) == from);
        }
        assert_true(first >= from);
        assert_true(first == UINT64_MAX ? from == UINT64_MAX : first - from <= 60000000);
    }
}

static void test_throughput(void **state)
{
    struct compaction_throughput_config t;
    const uint64_t mib = 1048576;

    (void)state;
    compaction_throughput_config_default(&t);
    assert_true(compaction_pressure(3, 3, 16) <= 0);
    assert_true(fabs(compaction_pressure(16, 3, 16) - 1) < 1e-12);
    assert_true(fabs(compaction_throughput_bytes_per_s(&t, 0.5, false) - 75.0 * 1048576) < 1);
    assert_true(isinf(compaction_throughput_bytes_per_s(&t, 1.01, false)));
    assert_true(isinf(compaction_throughput_bytes_per_s(&t, 0, true)));
    /* below 50 MiB never slowed; 100 MiB at 50 MiB/s take 2 s, twice that where two share */
    assert_int_equal(compaction_duration_us(&t, 52428800, 49 * mib, 100000, 1), 100000);
    assert_int_equal(compaction_duration_us(&t, 52428800, 100 * mib, 100000, 1), 2000000);
    assert_int_equal(compaction_duration_us(&t, 52428800, 100 * mib, 100000, 2), 4000000);
    assert_int_equal(compaction_duration_us(&t, 52428800, 100 * mib, 9000000, 2), 9000000);
    assert_int_equal(compaction_duration_us(&t, (double)INFINITY, 100 * mib, 100000, 2), 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exploring),  cmocka_unit_test(test_second_request), cmocka_unit_test(test_ratio_based),
        cmocka_unit_test(test_references), cmocka_unit_test(test_major),          cmocka_unit_test(test_expired),
        cmocka_unit_test(test_min_size),   cmocka_unit_test(test_ratio),          cmocka_unit_test(test_pool),
        cmocka_unit_test(test_offpeak),    cmocka_unit_test(test_queues),         cmocka_unit_test(test_throughput),
        cmocka_unit_test(test_major_due_from),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
