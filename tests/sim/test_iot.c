/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main job's figures, each from HBase's recorded rules through the events of a run:
   truth/large-files gives the file lengths (three files of SALT-TIME24 rows of 100 bytes exceed
   256 MiB, of 80 bytes they don't), SteppingSplitPolicy and the placement give which tails split. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "iot.h"
#include "sim/sim.h"

static void run_spec(const struct spec *sp, struct result_run *run)
{
    struct sim_end end;

    result_run_init(run);
    assert_int_equal(sim_run(sp, NULL, run, &end), 0);
    assert_false(end.partial);
}

/* Flushes at the flush size of |region| before event |until|: those of a close are smaller. */
static size_t full_flushes(const struct result_run *run, int region, size_t until)
{
    size_t n = 0;

    for (size_t i = 0; i < until; i++) {
        const struct result_event *e = &run->events[i];

        n += strcmp(e->kind, "flush") == 0 && e->region == region && e->inputs[0].value > 0.99 * e->threshold;
    }
    return n;
}

/* writes offered = done + rejected + queued; regions sum to tables sum to servers; windows to all. */
static void assert_conserved(const struct result_run *run)
{
    const struct result_summary *s = &run->summary;
    double by_region = 0, by_server = 0, by_table = 0, by_window = 0, offered = 0;

    for (size_t i = 0; i < run->regions_len; i++)
        by_region += run->regions[i].writes;
    for (size_t i = 0; i < run->servers_len; i++)
        by_server += run->servers[i].writes;
    for (size_t i = 0; i < run->tables_len; i++)
        by_table += run->tables[i].writes;
    for (size_t i = 0; i < run->windows_len; i++) {
        by_window += run->windows[i].done;
        offered += run->windows[i].offered;
    }
    assert_true(s->writes_offered == s->writes_done + s->writes_rejected + s->writes_queued);
    assert_true(by_region == by_table && by_table == by_server && by_server == by_window);
    assert_true(offered == s->writes_offered);
    /* Rows inside a call at the end are in a region, but not yet answered. */
    assert_true(by_server >= s->writes_done && by_server <= s->writes_offered);
}

/* The eight tails that are alone on their server split, after |flushes| flushes each, and no other. */
static void lone_tails_split(int value_bytes, double seconds, size_t flushes)
{
    struct spec sp;
    struct result_run run;
    size_t splits = 0;

    iot_spec(&sp, 16, seconds, value_bytes);
    run_spec(&sp, &run);
    assert_conserved(&run);
    assert_true(run.summary.splits == 8);
    assert_true(run.summary.regions_start == 16 && run.summary.regions_end == 24);
    assert_true(run.summary.write_tails == 16);
    assert_true(fabs(run.summary.hot_server_ratio - 1.5) < 0.02);
    for (size_t i = 0; i < run.events_len; i++) {
        const struct result_event *e = &run.events[i];

        if (strcmp(e->kind, "split") != 0)
            continue;
        splits++;
        assert_int_equal(full_flushes(&run, e->region, i), flushes);
        assert_true(e->inputs[0].value > e->threshold);
        assert_int_equal(run.regions[e->daughter_a].parent, e->region);
        assert_int_equal(run.regions[e->daughter_b].parent, e->region);
        assert_true(e->daughter_a != e->daughter_b);
    }
    assert_int_equal(splits, 8);
    result_run_free(&run);
    spec_free(&sp);
}

static void test_v100_splits_after_third_flush(void **state)
{
    (void)state;
    lone_tails_split(100, 900, 3);
}

static void test_v80_splits_after_fourth_flush(void **state)
{
    (void)state;
    lone_tails_split(80, 1200, 4);
}

static void test_24_buckets_are_even(void **state)
{
    struct spec sp;
    struct result_run run;

    (void)state;
    iot_spec(&sp, 24, 900, 100);
    run_spec(&sp, &run);
    assert_conserved(&run);
    assert_true(run.summary.write_tails == 24);
    assert_true(fabs(run.summary.hot_server_ratio - 1.0) < 0.02);
    assert_true(run.summary.splits == 0);
    result_run_free(&run);
    spec_free(&sp);
}

/* One tail, one busy server, half of the rows done; the first split after the third flush at 90 s. */
static void test_unsalted_has_one_tail(void **state)
{
    struct spec sp;
    struct result_run run;
    double first = NAN;

    (void)state;
    iot_spec(&sp, 0, 600, 100);
    run_spec(&sp, &run);
    assert_conserved(&run);
    for (size_t i = 0; i < run.windows_len; i++) {
        const struct result_window *w = &run.windows[i];

        if (w->moves == 0 && !isnan(w->hot_server_ratio) && w->splits == 0)
            assert_true(fabs(w->hot_server_ratio - 12) < 1e-9);
        assert_true(w->write_tails >= 1 && w->write_tails <= 2); /* 2 where the tail changed hands */
    }
    assert_true(run.summary.write_tails == 1);
    assert_true(run.summary.hot_server_ratio >= 11.5);
    assert_true(fabs(run.summary.writes_done / run.summary.writes_offered - 0.5) < 0.02);
    assert_true(run.summary.writes_queued > 0.45 * run.summary.writes_offered);
    for (size_t i = 0; i < run.events_len && isnan(first); i++) {
        if (strcmp(run.events[i].kind, "split") != 0)
            continue;
        first = run.events[i].at_s;
        assert_int_equal(full_flushes(&run, run.events[i].region, i), 3);
        /* 257.5 MiB: 270,0xx,xxx bytes, within 0.1 % */
        assert_true(fabs(run.events[i].inputs[0].value / (257.5 * 1048576) - 1) < 0.001);
    }
    assert_true(fabs(first - 90) < 4);
    result_run_free(&run);
    spec_free(&sp);
}

/* Salt over the device, one device with 30 %: its bucket takes 0.3 + 0.7 / 16. */
static void test_hot_device_in_one_bucket(void **state)
{
    struct spec sp;
    struct result_run run;
    double bucket[16] = {0}, most = 0, all = 0;

    (void)state;
    iot_spec(&sp, 16, 200, 100);
    free(sp.tables->salt_over);
    sp.tables->salt_over = iot_copy("device");
    sp.streams->popularity = SPEC_POPULARITY_HOT;
    sp.streams->hot_entities = 1;
    sp.streams->hot_share = 0.3;
    run_spec(&sp, &run);
    assert_conserved(&run);
    for (size_t i = 0; i < run.regions_len; i++) {
        if (run.regions[i].table == 0)
            bucket[run.regions[i].bucket] += run.regions[i].writes;
        all += run.regions[i].writes;
    }
    for (size_t b = 0; b < 16; b++)
        most = fmax(most, bucket[b]);
    assert_true(fabs(most / all - 0.34375) < 0.005);
    result_run_free(&run);
    spec_free(&sp);
}

static void test_queries_count_scans_and_regions(void **state)
{
    struct spec sp;
    struct result_run run;

    (void)state;
    iot_spec(&sp, 16, 900, 100);
    iot_query(&sp, "window", SPEC_QUERY_RANGE, 60 * SPEC_NS_PER_S);
    iot_query(&sp, "all", SPEC_QUERY_FULL, 0);
    iot_query(&sp, "latest", SPEC_QUERY_NEWEST, 0);
    run_spec(&sp, &run);
    assert_int_equal(run.queries_len, 3);
    assert_true(run.queries[0].scans == 16 && run.queries[0].regions == 16);
    assert_true(run.queries[1].regions == 24);
    assert_true(run.queries[2].scans == 16);
    assert_true(run.queries[0].rpcs > 16 && run.queries[2].rpcs == 16 && run.queries[2].p99_us > 0);
    result_run_free(&run);
    sp.tables->buckets = 0;
    sp.duration_ns = 100 * SPEC_NS_PER_S;
    run_spec(&sp, &run);
    assert_true(run.queries[0].scans == 1);
    result_run_free(&run);
    spec_free(&sp);
}

/* Not cut at creation: the report says what splits and the balancer's runs did to the ratio, and that the
   balancer moved daughters away at its first period. */
static void test_spread_of_an_uncut_table_is_told(void **state)
{
    struct spec sp;
    struct result res;
    struct sim_end end;
    const char *steps = NULL, *daughters = NULL;

    (void)state;
    iot_spec(&sp, 16, 400, 100);
    sp.tables->splits = SPEC_SPLITS_NONE;
    sp.detail = SPEC_DETAIL_TICK;
    result_init(&res);
    assert_int_equal(sim_all(&sp, 1, NULL, &res, &end), 0);
    for (size_t i = 0; i < res.diagnostics_len; i++) {
        steps = strcmp(res.diagnostics[i].id, "N-SPREAD") == 0 ? res.diagnostics[i].text : steps;
        daughters = strcmp(res.diagnostics[i].id, "N-DAUGHTERS") == 0 ? res.diagnostics[i].text : daughters;
    }
    assert_non_null(steps);
    assert_non_null(strstr(steps, "12.00 at first"));
    assert_non_null(strstr(steps, "(balancer, 300 s)"));
    assert_non_null(strstr(steps, "not in this run"));
    assert_non_null(daughters);
    assert_non_null(strstr(daughters, "the balancer moved 1 of them, the first at 300 s (idle-server)"));
    assert_true(isnan(res.run.summary.spread_at_s));
    result_free(&res);
    spec_free(&sp);
}

/* The same where regions are small and the balancer runs often: the time of the first window at 1.6 or less is told,
   and each split and each run of the balancer that moved something has the ratio that followed. */
static void test_the_time_of_the_first_even_window_is_told(void **state)
{
    struct spec sp;
    struct result res;
    struct sim_end end;
    char first[40] = "no such window";
    const char *steps = NULL;
    size_t told = 0;

    (void)state;
    iot_spec(&sp, 16, 400, 100);
    sp.tables->splits = SPEC_SPLITS_NONE;
    sp.detail = SPEC_DETAIL_TICK;
    sp.cluster.servers = 4;
    sp.hbase.memstore_flush_size_bytes = 16 << 20;
    sp.hbase.max_filesize_bytes = 64 << 20;
    sp.hbase.balancer_period_ns = 60 * SPEC_NS_PER_S;
    result_init(&res);
    assert_int_equal(sim_all(&sp, 1, NULL, &res, &end), 0);
    for (size_t i = res.run.windows_len; i-- > 0;)
        if (res.run.windows[i].done > 0 && res.run.windows[i].hot_server_ratio <= 1.6)
            snprintf(first, sizeof first, "1.6 or less: first at %.0f s", res.run.windows[i].begin_s);
    for (size_t i = 0; i < res.diagnostics_len; i++)
        steps = strcmp(res.diagnostics[i].id, "N-SPREAD") == 0 ? res.diagnostics[i].text : steps;
    assert_non_null(steps);
    assert_non_null(strstr(steps, "4.00 at first"));
    assert_non_null(strstr(steps, first));
    assert_true(res.run.summary.spread_at_s > 60);
    for (size_t i = 0; i < res.run.events_len; i++) {
        const struct result_event *e = &res.run.events[i];
        const bool balanced = strcmp(e->kind, "balancer") == 0 && result_event_input(e, "moves_planned") > 0;

        if (e->at_s > 390 || (strcmp(e->kind, "split") != 0 && !balanced))
            continue;
        told++;
        assert_true(result_event_input(e, "hot_server_ratio_next") >= 1);
    }
    assert_true(told > 20);
    result_free(&res);
    spec_free(&sp);
}

/* The unsalted comparison sees the same rows: its offered count, and its keys' edge before a split. */
static void test_comparison_has_the_same_arrivals(void **state)
{
    struct spec sp;
    struct result res;
    struct sim_end end;

    (void)state;
    iot_spec(&sp, 16, 60, 100);
    sp.compare = SPEC_COMPARE_NONE | SPEC_COMPARE_TWICE;
    result_init(&res);
    assert_int_equal(sim_all(&sp, 2, NULL, &res, &end), 0);
    assert_int_equal(res.comparisons_len, 2);
    assert_string_equal(res.comparisons[0].role, "none");
    assert_string_equal(res.comparisons[1].role, "twice");
    assert_int_equal(res.comparisons[1].buckets, 32);
    assert_true(res.comparisons[0].summary.writes_offered == res.run.summary.writes_offered);
    /* One moving edge: what a window writes lies together and above what the last one wrote, but for
       a second or two that clients' buffers differ by: 32 of 512 rows. */
    {
        const struct result_keyspace *ks = &res.comparisons[0].keyspace;
        size_t last = 0;

        assert_int_equal(ks->buckets, 1);
        for (size_t c = 0; c < ks->columns; c++) {
            size_t lo = ks->rows, hi = 0;

            for (size_t r = 0; r < ks->rows; r++) {
                if (!(ks->cells[r * ks->columns + c] > 0))
                    continue;
                lo = r < lo ? r : lo;
                hi = r;
            }
            if (lo == ks->rows)
                continue;
            assert_true(lo + 32 >= last && hi < lo + 64);
            last = hi;
        }
        assert_true(last > ks->rows - 8);
    }
    result_free(&res);
    spec_free(&sp);
}

/* In flow a step ends where the next memstore fills, though a sample window is far longer: the lone tails
   split when they do at the other levels. */
static void test_flow_steps_are_not_windows(void **state)
{
    struct spec sp;
    struct result_run run;
    size_t splits = 0;

    (void)state;
    iot_spec(&sp, 16, 7200, 100);
    sp.detail = SPEC_DETAIL_FLOW;
    sp.window_ns = 3600 * SPEC_NS_PER_S;
    run_spec(&sp, &run);
    assert_true(run.summary.splits == 8 && run.summary.write_tails == 16);
    for (size_t i = 0; i < run.events_len; i++) {
        if (strcmp(run.events[i].kind, "split") != 0)
            continue;
        splits++;
        assert_true(fabs(run.events[i].at_s - 720) < 30);
    }
    assert_int_equal(splits, 8);
    result_run_free(&run);
    spec_free(&sp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_v100_splits_after_third_flush),
        cmocka_unit_test(test_v80_splits_after_fourth_flush),
        cmocka_unit_test(test_24_buckets_are_even),
        cmocka_unit_test(test_unsalted_has_one_tail),
        cmocka_unit_test(test_hot_device_in_one_bucket),
        cmocka_unit_test(test_queries_count_scans_and_regions),
        cmocka_unit_test(test_flow_steps_are_not_windows),
        cmocka_unit_test(test_spread_of_an_uncut_table_is_told),
        cmocka_unit_test(test_the_time_of_the_first_even_window_is_told),
        cmocka_unit_test(test_comparison_has_the_same_arrivals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
