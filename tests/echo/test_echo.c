/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the echo says of the IoT scenario against what its run does. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../sim/iot.h"
#include "echo/cost.h"
#include "echo/echo.h"
#include "echo/query.h"
#include "sim/sim.h"

static void test_echo_is_what_the_run_does(void **state)
{
    struct spec sp;
    struct echo e;
    struct result_run run;
    struct sim_end end;
    double flush_s = NAN, split_s = NAN;

    (void)state;
    iot_spec(&sp, 16, 900, 100);
    sp.detail = SPEC_DETAIL_TICK;
    assert_int_equal(echo_fill(&sp, NULL, &e), 0);
    result_run_init(&run);
    assert_int_equal(sim_run(&sp, NULL, &run, &end), 0);
    for (size_t i = run.events_len; i-- > 0;) {
        if (strcmp(run.events[i].kind, "flush") == 0)
            flush_s = run.events[i].at_s;
        if (strcmp(run.events[i].kind, "split") == 0)
            split_s = run.events[i].at_s;
    }
    assert_true(fabs(e.rows_per_s / (run.summary.writes_offered / 900) - 1) < 0.01);
    assert_true(fabs(e.per_server_rows_per_s * 12 / e.rows_per_s - 1) < 1e-12);
    assert_true(e.tails == 16);
    assert_true(fabs(e.busiest - 0.25) < 1e-12);
    /* The flush itself takes a second on the disk, with its neighbours'. */
    assert_true(e.first_flush_s <= flush_s && e.first_flush_s > 0.97 * flush_s);
    assert_true(e.first_split_s <= split_s && e.first_split_s > 0.97 * split_s);
    result_run_free(&run);
    sp.streams->rate_per_s = 10;
    assert_int_equal(echo_fill(&sp, NULL, &e), 0);
    assert_true(e.first_split_s > 30 * 86400.0);
    sp.hbase.split_policy = SPEC_SPLIT_DISABLED;
    assert_int_equal(echo_fill(&sp, NULL, &e), 0);
    assert_true(isinf(e.first_split_s));
    sp.tables->buckets = 0;
    assert_int_equal(echo_fill(&sp, NULL, &e), 0);
    assert_true(e.tails == 1);
    spec_free(&sp);
}

/* A region that takes a third of the rows fills so much faster, and makes its server so much busier; one within a
   sample's scatter of the even share doesn't count, and a server does no more than it can. */
static void test_hot_region(void **state)
{
    const double hot = 0.345, scatter = 1.1 / 16, unknown = NAN;
    struct spec sp;
    struct echo even, e;

    (void)state;
    iot_spec(&sp, 16, 900, 100);
    assert_int_equal(echo_fill(&sp, NULL, &even), 0);
    assert_true(even.hottest == 0 && !even.by_age);
    assert_int_equal(echo_fill(&sp, &unknown, &e), 0);
    assert_true(e.first_flush_s == even.first_flush_s && e.busiest == even.busiest);
    assert_int_equal(echo_fill(&sp, &scatter, &e), 0);
    assert_true(e.first_flush_s == even.first_flush_s && e.hottest == 0);
    assert_int_equal(echo_fill(&sp, &hot, &e), 0);
    assert_true(e.hottest == hot);
    assert_true(fabs(e.busiest - 2 * (hot + 1.0 / 16)) < 1e-12); /* 40,000 of 20,000 rows/s, two tails */
    assert_true(fabs(e.first_flush_s * hot * 16 / even.first_flush_s - 1) < 1e-12);
    assert_true(e.first_split_s < even.first_split_s / 5);
    sp.server.write_capacity_per_s = 40000 * (hot + 1.0 / 16) / 2; /* half of what is asked of the busiest */
    assert_int_equal(echo_fill(&sp, &hot, &e), 0);
    assert_true(fabs(e.busiest - 2) < 1e-12);
    assert_true(fabs(e.first_flush_s * hot * 16 / even.first_flush_s - 2) < 1e-12);
    spec_free(&sp);
}

/* 10 rows/s don't fill a memstore within the hour after which an edit is too old; 150 s is the mean delay then. */
static void test_flush_by_age(void **state)
{
    struct spec sp;
    struct echo e;

    (void)state;
    iot_spec(&sp, 16, 900, 100);
    sp.streams->rate_per_s = 10;
    assert_int_equal(echo_fill(&sp, NULL, &e), 0);
    assert_true(e.by_age && e.first_flush_s == 3600 + 150);
    assert_true(e.memstore_bytes < 2 * 1048576.0); /* two tails of 2,344 rows */
    sp.hbase.flush_interval_ns = 0;
    assert_int_equal(echo_fill(&sp, NULL, &e), 0);
    assert_true(!e.by_age && e.first_flush_s > 86400 && e.memstore_bytes == 256 * 1048576.0);
    spec_free(&sp);
}

/* A window of five minutes of 40,000 rows/s: 12 M rows of 500 + 500 ns, 12 s of a server, twice a second 24 of them. A
   key that begins with the device reads the whole quarter of an hour, 36 M rows, for it and for the newest of all. */
static void test_queries_are_counted(void **state)
{
    struct spec sp;
    struct echo_query e;

    (void)state;
    iot_spec(&sp, 16, 900, 100);
    iot_query(&sp, "window", SPEC_QUERY_RANGE, 300 * SPEC_NS_PER_S);
    iot_query(&sp, "latest", SPEC_QUERY_NEWEST, 0);
    iot_query(&sp, "history", SPEC_QUERY_HISTORY, 60 * SPEC_NS_PER_S);
    sp.queries[2].field = iot_copy("device");
    sp.queries[0].rate_per_s = 2;
    sp.server.read_capacity_per_s = 20000;
    sp.server.scan_cell_ns = sp.server.return_row_ns = 500;
    assert_int_equal(echo_query_fill(&sp, &sp.queries[0], &e), 0);
    assert_true(e.is_range && e.scans == 16 && e.rows == 12e6 && fabs(e.servers - 24) < 0.01);
    assert_int_equal(echo_query_fill(&sp, &sp.queries[1], &e), 0);
    assert_true(e.is_range && e.scans == 16 && e.rows == 1600);
    assert_int_equal(echo_query_fill(&sp, &sp.queries[2], &e), 0);
    assert_true(!e.is_range && e.rows == 2.4e6);
    free(sp.tables[0].salt_over);
    sp.tables[0].salt_over = iot_copy("device"); /* one bucket of 16, with all devices that it holds */
    assert_int_equal(echo_query_fill(&sp, &sp.queries[2], &e), 0);
    assert_true(!e.is_range && e.scans == 1 && e.rows == 2.4e6 / 16);
    free(sp.tables[0].key);
    sp.tables[0].key = iot_copy("device:fixed(16) seq:be64 ts:be64"); /* all of a device's 180 rows, in its bucket */
    assert_int_equal(echo_query_fill(&sp, &sp.queries[2], &e), 0);
    assert_true(!e.is_range && e.scans == 1 && e.rows == 180);
    free(sp.tables[0].key);
    free(sp.tables[0].salt_over);
    sp.tables[0].key = iot_copy("device:fixed(16) ts:be64");
    sp.tables[0].salt_over = iot_copy("device");
    assert_int_equal(echo_query_fill(&sp, &sp.queries[0], &e), 0);
    assert_true(!e.is_range && e.rows == 36e6);
    assert_int_equal(echo_query_fill(&sp, &sp.queries[1], &e), 0);
    assert_true(!e.is_range && e.rows == 36e6);
    assert_int_equal(echo_query_fill(&sp, &sp.queries[2], &e), 0);
    assert_true(e.is_range && e.scans == 1 && e.rows == 12);
    spec_free(&sp);
}

/* What is dear stays dear: write before tick before flow, drawn entities before entities in turn, twice as long for
   twice the rows; and one digit of it is told. */
static void test_cost(void **state)
{
    static const struct { double s; const char *text; } told[] = {
        {0.3, "under 1 s"}, {1.4, "about 1 s"}, {16, "about 20 s"}, {59, "about 60 s"}, {90, "about 2 min"},
        {500, "about 8 min"}, {7300, "about 2 h"}, {3e6, "about 30 d"},
    };
    struct spec sp;
    struct echo e;
    double write_s, tick_s, flow_s;
    char text[ECHO_COST_CAP];

    (void)state;
    iot_spec(&sp, 16, 86400, 100);
    assert_int_equal(echo_fill(&sp, NULL, &e), 0);
    assert_true(echo_cost_rows(&sp) == 40000 * 86400.0);
    write_s = echo_cost_s(&sp, &e, SPEC_DETAIL_WRITE);
    tick_s = echo_cost_s(&sp, &e, SPEC_DETAIL_TICK);
    flow_s = echo_cost_s(&sp, &e, SPEC_DETAIL_FLOW);
    assert_true(write_s > tick_s && tick_s > 3 * flow_s);
    sp.streams->popularity = SPEC_POPULARITY_ZIPF;
    assert_true(echo_cost_s(&sp, &e, SPEC_DETAIL_TICK) > 2 * tick_s);
    assert_true(echo_cost_s(&sp, &e, SPEC_DETAIL_FLOW) == flow_s);
    sp.streams->buffer_bytes = 0;
    assert_true(echo_cost_s(&sp, &e, SPEC_DETAIL_WRITE) > 3 * write_s);
    sp.detail = SPEC_DETAIL_AUTO;
    assert_int_equal(echo_cost_detail(&sp), spec_detail_for(40000 * 86400.0));
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        assert_string_equal(echo_cost_text(told[i].s, text), told[i].text);
    spec_free(&sp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_echo_is_what_the_run_does),
        cmocka_unit_test(test_hot_region),
        cmocka_unit_test(test_flush_by_age),
        cmocka_unit_test(test_queries_are_counted),
        cmocka_unit_test(test_cost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
