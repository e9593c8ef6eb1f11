/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the echo says of the IoT scenario against what its run does. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../sim/iot.h"
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
    assert_int_equal(echo_fill(&sp, &e), 0);
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
    assert_int_equal(echo_fill(&sp, &e), 0);
    assert_true(e.first_split_s > 30 * 86400.0);
    sp.hbase.split_policy = SPEC_SPLIT_DISABLED;
    assert_int_equal(echo_fill(&sp, &e), 0);
    assert_true(isinf(e.first_split_s));
    sp.tables->buckets = 0;
    assert_int_equal(echo_fill(&sp, &e), 0);
    assert_true(e.tails == 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_echo_is_what_the_run_does),
        cmocka_unit_test(test_queries_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
