/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The periodic flusher: regions that are written seldom, or in very many edits. Cells of 100 bytes, 176 of heap. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/sim.h"
#include "tests/sim/iot.h"

#define OLD "hbase.regionserver.optionalcacheflushinterval"
#define MANY "hbase.regionserver.flush.per.changes"
#define CHECK_S 10.0
#define DELAY_S 300.0
#define MOST 16

/* One table of one region. */
static void one_region(struct spec *sp, double seconds, double rate)
{
    iot_one_region(sp, seconds, rate);
    sp->streams->buffer_bytes = 0; /* a sequence id a row */
}

/* A region's flushes with their rules. */
struct seen {
    size_t len;
    double at_s[MOST], heap_bytes[MOST];
    char rule[MOST][64];
    double in_all;
};

static void run(struct spec *sp, struct seen *out)
{
    struct result_run r;
    struct sim_end end;

    memset(out, 0, sizeof *out);
    result_run_init(&r);
    assert_int_equal(sim_run(sp, NULL, &r, &end), 0);
    for (size_t i = 0; i < r.events_len; i++) {
        const struct result_event *e = &r.events[i];

        if (strcmp(e->kind, "flush") != 0 || out->len == MOST)
            continue;
        out->at_s[out->len] = e->at_s;
        out->heap_bytes[out->len] = result_event_input(e, "heap_bytes");
        strncpy(out->rule[out->len++], e->rule, sizeof out->rule[0] - 1);
        if (strcmp(e->rule, OLD) == 0) {
            assert_true(e->threshold == (double)sp->hbase.flush_interval_ns / 1e9);
            assert_true(result_event_input(e, "oldest_edit_s") > e->threshold);
            assert_true(result_event_input(e, "oldest_edit_s") <= e->threshold + CHECK_S);
            assert_true(result_event_input(e, "delay_s") >= 0 &&
                        result_event_input(e, "delay_s") < sp->hbase.flush_delay_range_s);
            assert_non_null(strstr(e->text, "s old"));
        }
    }
    for (size_t i = 0; i < r.servers_len; i++)
        out->in_all += r.servers[i].flushes;
    result_run_free(&r);
    spec_free(sp);
}

/* The first edit after a flush waits for an hour, for the chore, and for the delay. */
static void test_a_cold_region_flushes_hourly(void **state)
{
    static const enum spec_detail details[] = {SPEC_DETAIL_WRITE, SPEC_DETAIL_TICK};
    double delays = 0;

    (void)state;
    for (int seed = 1; seed <= 10; seed++) {
        struct spec sp;
        struct seen seen;
        double before = 0;

        one_region(&sp, 4 * 3600, 1);
        sp.detail = details[seed % 2];
        sp.seed = (uint64_t)seed;
        run(&sp, &seen);
        assert_int_equal(seen.len, 3);
        for (size_t i = 0; i < seen.len; i++) {
            const double waited = seen.at_s[i] - before;

            assert_string_equal(seen.rule[i], OLD);
            assert_true(waited > 3600 && waited < 3602 + CHECK_S + DELAY_S);
            assert_true(fabs(seen.heap_bytes[i] / 176 - waited) < 3);
            delays += waited - 3600;
            before = seen.at_s[i];
        }
    }
    /* Thirty uniform draws: half of the chore's period and of the range, give or take. */
    assert_true(fabs(delays / 30 - (CHECK_S + DELAY_S) / 2) < 50);
}

/* In flow steps are as long as an hour: as many flushes all the same. */
static void test_flow_flushes_as_often(void **state)
{
    struct spec sp;
    struct seen seen;

    (void)state;
    one_region(&sp, 20 * 86400.0, 1);
    sp.detail = SPEC_DETAIL_FLOW;
    run(&sp, &seen);
    assert_true(fabs(seen.in_all / (20 * 86400.0 / (3600 + 1 + (CHECK_S + DELAY_S) / 2)) - 1) < 0.02);
}

static void test_off_and_other_intervals(void **state)
{
    struct spec sp;
    struct seen seen;

    (void)state;
    one_region(&sp, 4 * 3600, 1);
    sp.hbase.flush_interval_ns = 0;
    run(&sp, &seen);
    assert_true(seen.in_all == 0);
    one_region(&sp, 1000, 1);
    sp.hbase.flush_interval_ns = 600 * SPEC_NS_PER_S;
    sp.hbase.flush_delay_range_s = 1;
    run(&sp, &seen);
    assert_int_equal(seen.len, 1);
    assert_true(seen.at_s[0] > 600 && seen.at_s[0] < 600 + 2 + CHECK_S + 1);
}

/* HRegion compares with the last flush since the region opened: the first one has another reason. */
static void test_many_edits(void **state)
{
    struct spec sp;
    struct seen seen;

    (void)state;
    one_region(&sp, 1100, 10);
    sp.hbase.flush_interval_ns = 600 * SPEC_NS_PER_S;
    sp.hbase.flush_delay_range_s = 1;
    sp.hbase.flush_per_changes = 2000;
    run(&sp, &seen);
    assert_int_equal(seen.len, 3);
    assert_string_equal(seen.rule[0], OLD);
    for (size_t i = 1; i < seen.len; i++) {
        const double waited = seen.at_s[i] - seen.at_s[i - 1];

        assert_string_equal(seen.rule[i], MANY);
        assert_true(waited > 199 && waited < 201 + CHECK_S + 1);
    }
}

static void test_a_hot_region_never(void **state)
{
    struct spec sp;
    struct seen seen;

    (void)state;
    one_region(&sp, 7500, 3000);
    sp.hbase.split_policy = SPEC_SPLIT_DISABLED;
    run(&sp, &seen);
    assert_true(seen.len > 12);
    for (size_t i = 0; i < seen.len; i++)
        assert_string_equal(seen.rule[i], "hbase.hregion.memstore.flush.size");
}

/* The large family is flushed every quarter of an hour for its size; the small one alone for its age. */
static void test_a_family_that_is_left_behind(void **state)
{
    struct spec sp;
    struct seen seen;
    size_t old = 0;

    (void)state;
    one_region(&sp, 2 * 3600, 110);
    sp.hbase.split_policy = SPEC_SPLIT_DISABLED;
    sp.tables->families_len = 2;
    sp.tables->families = realloc(sp.tables->families, 2 * sizeof *sp.tables->families);
    sp.tables->families[1] = sp.tables->families[0];
    sp.tables->families[1].name = iot_copy("e");
    sp.tables->families[1].columns = iot_zeroed(sizeof *sp.tables->families->columns);
    sp.tables->families[1].columns->qualifier = iot_copy("v");
    sp.tables->families[1].columns->value_bytes = 1;
    sp.tables->families[0].columns->value_bytes = 966;
    run(&sp, &seen);
    for (size_t i = 0; i < seen.len; i++) {
        if (strcmp(seen.rule[i], OLD) != 0)
            continue;
        old++;
        assert_true(seen.at_s[i] > 3600 && seen.at_s[i] < 3602 + CHECK_S + DELAY_S);
        assert_true(fabs(seen.heap_bytes[i] / (110 * 112) - seen.at_s[i]) < 5);
    }
    assert_int_equal(old, 1);
    assert_true(seen.len >= 7);
}

/* Flushes every 4,000 s, and no compaction for the number of files. CompactionChecker looks every 10,000 s and rewrites
   all files the first time that it finds one older than 15,000 s: none is at 40,000 s, or with major compactions off. */
static void test_old_files_are_rewritten(void **state)
{
    static const struct {
        int64_t period_s;
        bool rewritten;
    } cases[] = {{15000, true}, {40000, false}, {0, false}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct result_event *major = NULL;
        struct result_run r;
        struct sim_end end;
        struct spec sp;

        one_region(&sp, 32000, 1);
        sp.hbase.flush_interval_ns = 4000 * SPEC_NS_PER_S;
        sp.hbase.flush_delay_range_s = 0;
        sp.hbase.compaction_min = 10;
        sp.hbase.major_compaction_ns = cases[k].period_s * SPEC_NS_PER_S;
        sp.hbase.major_compaction_jitter = 0;
        result_run_init(&r);
        assert_int_equal(sim_run(&sp, NULL, &r, &end), 0);
        for (size_t i = 0; i < r.events_len; i++)
            if (strcmp(r.events[i].kind, "compaction") == 0 && !major)
                major = &r.events[i];
        assert_true((major != NULL) == cases[k].rewritten);
        if (major) {
            assert_true(result_event_input(major, "oldest_age_s") > 15000 && result_event_input(major, "oldest_age_s") <= 25000);
            assert_true(result_event_input(major, "files") == floor(major->at_s / 4005));
            assert_true(result_event_input(major, "files_left") == 1);
        }
        result_run_free(&r);
        spec_free(&sp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cold_region_flushes_hourly), cmocka_unit_test(test_flow_flushes_as_often),
        cmocka_unit_test(test_off_and_other_intervals),      cmocka_unit_test(test_many_edits),
        cmocka_unit_test(test_a_hot_region_never),           cmocka_unit_test(test_a_family_that_is_left_behind),
        cmocka_unit_test(test_old_files_are_rewritten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
