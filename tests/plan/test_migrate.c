/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changing N: what moves, what holds, what is cheaper; and the months of a growth. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "iot_plan.h"
#include "plan/growth.h"
#include "hbase/rules/compression.h"
#include "plan/migrate.h"
#include "plan/volume.h"

static struct plan_migration migrate(const struct spec *sp, int from, int to)
{
    const struct plan_migrate_ask ask = {.from = from, .to = to, .age_s = 86400, .retention_s = INFINITY};
    struct plan_migration m;

    assert_int_equal(plan_migrate(sp, &ask, &m), 0);
    return m;
}

/* Published pairs (issue 1244 of OpenTSDB, the reference values): 5 to 10 moves half, 5 to 15 two
   thirds, 16 to 20 leaves a fifth, 16 to 17 a seventeenth; for each remainder. */
static void share_of_rows_that_move(void **state)
{
    static const struct {
        int from, to;
        double moved;
    } pairs[] = {{5, 10, 1.0 / 2}, {5, 15, 2.0 / 3}, {16, 20, 4.0 / 5}, {16, 17, 16.0 / 17}, {12, 16, 3.0 / 4}, {16, 16, 0}};
    static const char *const salts[] = {"arrays-hash floorMod", "phoenix", "murmur3 unsigned"};

    (void)state;
    for (size_t s = 0; s < 3; s++) {
        struct spec sp;

        iot_spec(&sp, 16, 5, 100);
        free(sp.tables->salt);
        sp.tables->salt = iot_copy(salts[s]);
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
            const struct plan_migration m = migrate(&sp, pairs[i].from, pairs[i].to);

            assert_true(fabs(m.moved - pairs[i].moved) < 0.01);
            assert_true(fabs(m.moved_formula - pairs[i].moved) < 1e-9);
            assert_int_equal(m.splits_hold, pairs[i].to % pairs[i].from == 0 && pairs[i].to > pairs[i].from);
        }
        spec_free(&sp);
    }
}

/* Nothing changes: no row moves, by the sample and by the formula. */
static void nothing_to_change(void **state)
{
    static const int counts[] = {0, 1, 16};
    struct spec sp;

    (void)state;
    iot_spec(&sp, 16, 5, 100);
    for (size_t i = 0; i < 3; i++) {
        const struct plan_migration m = migrate(&sp, counts[i], counts[i]);

        assert_true(m.moved == 0 && m.moved_formula == 0 && m.dont);
    }
    spec_free(&sp);
}

/* A table grows by what it is written with in the mean; while two are written the servers must carry the peak. */
static void peak_is_what_must_be_carried(void **state)
{
    struct plan_migration even, day;
    struct spec sp;

    (void)state;
    iot_spec(&sp, 16, 5, 100);
    even = migrate(&sp, 16, 24);
    sp.streams[0].curve.day_swing = 0.5;
    day = migrate(&sp, 16, 24);
    assert_true(spec_stream_peak(&sp.streams[0]) > 1.1);
    assert_true(fabs(day.size_bytes / even.size_bytes - 1) < 1e-9);
    assert_true(fabs(day.dual_rate_per_s / even.dual_rate_per_s - spec_stream_peak(&sp.streams[0])) < 1e-9);
    assert_true(fabs(day.dual_load / even.dual_load - spec_stream_peak(&sp.streams[0])) < 1e-9);
    spec_free(&sp);
}

static void volume_and_time(void **state)
{
    struct spec sp;
    struct plan_migration m;

    (void)state;
    iot_spec(&sp, 16, 5, 100);
    m = migrate(&sp, 16, 24);
    assert_true(m.row_bytes == 20 + 25 + 1 + 1 + 100);
    assert_true(fabs(m.size_bytes - 40000 * 86400.0 * m.row_bytes) < 1);
    assert_true(fabs(m.copy_s - m.size_bytes / (12 * 25e6)) < 1);
    assert_true(fabs(m.disk_share - 0.5) < 1e-9);
    assert_true(m.regions == 24);
    assert_true(m.hfiles == 24 * ceil(m.size_bytes / 24 / 10737418240.0));
    assert_true(fabs(m.ratio_from - 1.5) < 0.02 && fabs(m.ratio_to - 1) < 0.02);
    assert_true(fabs(m.dual_load - 40000 * 2.5 / 12 / 20000) < 0.01);
    spec_free(&sp);
}

/* What is on disk: compressed, and no older than the TTL unless the ask says otherwise. */
static void volume_of_what_is_kept(void **state)
{
    struct plan_migrate_ask ask = {.from = 16, .to = 24, .age_s = 30 * 86400};
    struct spec sp;
    struct plan_migration m;

    (void)state;
    iot_spec(&sp, 16, 5, 100);
    sp.tables->families->compression = SPEC_COMPRESSION_ZSTD;
    sp.tables->families->compression_ratio = 0.4;
    sp.tables->families->ttl_ns = 7 * INT64_C(86400) * SPEC_NS_PER_S;
    assert_int_equal(plan_migrate(&sp, &ask, &m), 0);
    assert_true(fabs(m.row_bytes - 0.4 * 147) < 1e-9);
    assert_true(m.retention_s == 7 * 86400);
    assert_true(fabs(m.rows - 40000 * 7 * 86400.0) < 1);
    ask.retention_s = 86400;
    assert_int_equal(plan_migrate(&sp, &ask, &m), 0);
    assert_true(fabs(m.rows - 40000 * 86400.0) < 1);
    spec_free(&sp);
}

/* The ratio that was recorded for rows in that order: a sequence in front is as orderly as a time, unless its digits
   are reversed, and a key that begins with the entity packs its time away. */
static void order_of_rows_decides_the_ratio(void **state)
{
    static const struct {
        const char *key;
        enum compression_order order;
    } rows[] = {
        {"ts:be64 device:fixed(16)", COMPRESSION_SALTED_TIME}, {"seq:be64 device:fixed(16)", COMPRESSION_SALTED_TIME},
        {"device:fixed(16) ts:be64", COMPRESSION_ENTITY_FIRST}, {"seq:revdec(12)", COMPRESSION_ENTITY_FIRST},
    };
    struct plan_migrate_ask ask = {.from = 16, .to = 24, .retention_s = 86400};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compression_case c = {.codec = COMPRESSION_ZSTD, .encoding = HFILE_ENCODING_NONE, .order = rows[i].order,
                                     .value_bytes = 100};
        struct plan_migration plain, packed;
        struct spec sp;

        iot_spec(&sp, 16, 5, 100);
        free(sp.tables->key);
        sp.tables->key = strdup(rows[i].key);
        assert_int_equal(plan_migrate(&sp, &ask, &plain), 0);
        sp.tables->families->compression = SPEC_COMPRESSION_ZSTD;
        assert_int_equal(plan_migrate(&sp, &ask, &packed), 0);
        assert_true(fabs(packed.row_bytes / plain.row_bytes - compression_default_ratio(&c)) < 1e-9);
        spec_free(&sp);
    }
}

/* Rows of a growth: 40,000/s doubling evenly in a year are 1.5 times as many in that year. */
static void rows_of_a_growth(void **state)
{
    const double year = 365 * 86400.0;
    struct plan_growth g;
    struct spec sp;

    (void)state;
    iot_spec(&sp, 16, 5, 100);
    plan_growth_of(&sp, &g);
    assert_true(fabs(plan_rows_until(&g, 40000, year) - 40000 * year) < 1);
    sp.plan.growth.rate_factor = 2;
    sp.plan.growth.rate_in_ns = (int64_t)(year * 1e9);
    plan_growth_of(&sp, &g);
    assert_true(fabs(plan_rows_until(&g, 40000, year) / (40000 * year) - 1.5) < 1e-6);
    assert_true(fabs(plan_rows_until(&g, 40000, year / 2) / (40000 * year) - 0.625) < 1e-6);
    assert_true(fabs(plan_rows_until(&g, 40000, 2 * year) / (40000 * year) - 3.5) < 1e-6);
    spec_free(&sp);
}

/* 100 GiB of a time-first key are 20 half-full regions of 10 GiB; entity-first ones fill up again. */
static void regions_left_behind(void **state)
{
    struct spec sp;
    const double rows = 100 * 1073741824.0 / 147 + 1;

    (void)state;
    iot_spec(&sp, 16, 5, 100);
    assert_true(plan_regions_after(&sp, sp.tables, 16, rows) == 16 + 20);
    free(sp.tables->key);
    sp.tables->key = iot_copy("device:fixed(16) ts:be64");
    assert_true(plan_regions_after(&sp, sp.tables, 16, rows) == 16 + 13);
    sp.tables->own_split_policy = true;
    sp.tables->split_policy = SPEC_SPLIT_DISABLED;
    assert_true(plan_regions_after(&sp, sp.tables, 16, rows) == 16);
    spec_free(&sp);
}

static void cheaper_than_moving(void **state)
{
    struct spec sp;
    struct plan_migration m;

    (void)state;
    iot_spec(&sp, 16, 5, 100);
    m = migrate(&sp, 16, 24); /* 16 are even on 16 servers */
    assert_true(m.dont && m.even_servers == 16);
    assert_non_null(strstr(m.advice, "add 4 servers instead"));
    m = migrate(&sp, 12, 24); /* even already */
    assert_true(m.dont);
    m = migrate(&sp, 20, 24); /* 20 servers would be too many */
    assert_false(m.dont);
    spec_free(&sp);
}

static void months_of_a_growth(void **state)
{
    struct spec sp;
    struct plan_growth g;

    (void)state;
    iot_spec(&sp, 16, 5, 100);
    plan_growth_of(&sp, &g);
    assert_int_equal(g.points, 1);
    iot_grow(&sp, 16, 2);
    sp.plan.growth.rate_factor = 2;
    sp.plan.growth.rate_in_ns = (int64_t)(365 * 86400 * 1e9);
    plan_growth_of(&sp, &g);
    assert_int_equal(g.points, 25);
    assert_int_equal(g.sizes_len, 5);
    assert_int_equal(g.point[0].servers, 12);
    assert_int_equal(g.point[5].servers, 12);
    assert_int_equal(g.point[6].servers, 13);
    assert_int_equal(g.point[23].servers, 15);
    assert_int_equal(g.point[24].servers, 16);
    assert_true(fabs(g.point[6].rate_factor - 1.5) < 1e-9 && fabs(g.point[24].rate_factor - 2) < 1e-9);
    assert_int_equal(plan_even_n(&sp), 48);
    sp.plan.growth.servers[1] = 23;
    assert_int_equal(plan_even_n(&sp), -1);
    sp.plan.growth.servers[1] = 10; /* one that shrinks */
    plan_growth_of(&sp, &g);
    assert_int_equal(g.point[11].servers, 12);
    assert_int_equal(g.point[12].servers, 11);
    assert_int_equal(g.point[24].servers, 10);
    spec_free(&sp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(share_of_rows_that_move),
        cmocka_unit_test(volume_and_time),
        cmocka_unit_test(nothing_to_change),
        cmocka_unit_test(peak_is_what_must_be_carried),
        cmocka_unit_test(volume_of_what_is_kept),
        cmocka_unit_test(order_of_rows_decides_the_ratio),
        cmocka_unit_test(rows_of_a_growth),
        cmocka_unit_test(regions_left_behind),
        cmocka_unit_test(cheaper_than_moving),
        cmocka_unit_test(months_of_a_growth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
