/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a read costs its server, in closed forms: processor, blocks, files, cache, waits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "hbase/model/read.h"
#include "spec/spec.h"

static void near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fmax(1, fabs(b))))
        fail_msg("%.15g is not %.15g", a, b);
}

/* 20,000 calls/s are 50 us each; a seek 10 us; a cell that is looked at and a row that is returned 0.5 us each. */
static void test_processor(void **state)
{
    struct spec sp;
    struct read_rpc rpc = {.gets = 1, .file_reads = 2};

    (void)state;
    spec_init(&sp);
    near(read_cpu_ns(&sp.server, &rpc), 50000 + 2 * 10000);
    rpc = (struct read_rpc){.gets = 3, .file_reads = 1.5};
    near(read_cpu_ns(&sp.server, &rpc), 3 * 50000 + 15000);
    rpc = (struct read_rpc){.opens = true, .files = 4, .cells = 1000, .rows = 200};
    near(read_cpu_ns(&sp.server, &rpc), 50000 + 4 * 10000 + 1000 * 500 + 200 * 500);
    rpc.opens = false; /* its scanner stands where the call before left it */
    near(read_cpu_ns(&sp.server, &rpc), 50000 + 1000 * 500 + 200 * 500);
    rpc.closes = true;
    near(read_cpu_ns(&sp.server, &rpc), 50000);
    spec_free(&sp);
}

static void test_blocks(void **state)
{
    struct read_rpc rpc = {.opens = true, .files = 4, .file_rows = 1024};

    (void)state;
    near(read_blocks(&rpc, 128, 65536), 4 + 2);
    rpc.opens = false;
    near(read_blocks(&rpc, 128, 65536), 2);
    rpc.closes = true;
    near(read_blocks(&rpc, 128, 65536), 0);
    rpc = (struct read_rpc){.gets = 2, .file_reads = 2.5};
    near(read_blocks(&rpc, 128, 65536), 2.5);
}

/* The row's own file, and one in a hundred of the others. */
static void test_bloom_filter(void **state)
{
    (void)state;
    near(read_get_files(5, false, true, 0.01), 1 + 4 * 0.01);
    near(read_get_files(5, true, true, 0.01), 5 * 0.01);
    near(read_get_files(5, false, false, 0.01), 5);
    near(read_get_files(5, true, false, 0.01), 5);
    near(read_get_files(0, false, true, 0.01), 0);
}

static void test_cache(void **state)
{
    struct cache_class two[2] = {{100, 1, 0, false, 0}, {100, 1, 0.1, false, 0}};
    struct cache_class golden[2] = {{100, 2, 0, false, 0}, {100, 1, 0, false, 0}};
    struct cache_class scan[2] = {{80, 1, 0, false, 0}, {150, 1, 0, true, 0}};

    (void)state;
    /* all of it fits: only what is fresh is missed */
    read_cache_hits(200, two, 2);
    near(two[0].hit, 1);
    near(two[1].hit, 0.9);
    /* half of it fits, each half as often asked for */
    read_cache_hits(100, two, 2);
    near(two[0].hit, 0.5);
    near(two[1].hit, 0.45);
    /* one twice as often as the other: with x of the rarer gone x^2 of the other is, and x^2 + x = 1 */
    read_cache_hits(100, golden, 2);
    near(golden[0].hit, (sqrt(5) - 1) / 2);
    near(golden[1].hit, (3 - sqrt(5)) / 2);
    /* a pass over more than there is room for leaves half of the cache to the rest */
    read_cache_hits(100, scan, 2);
    near(scan[0].hit, 50.0 / 80);
    near(scan[1].hit, 0);
    scan[1].bytes = 20;
    read_cache_hits(100, scan, 2);
    near(scan[0].hit, 1);
    near(scan[1].hit, 1);
}

/* Half of each millisecond is spent on the writes of four regions in turn, 125 us each. */
static void test_backlog(void **state)
{
    static const struct {
        double at_us, left_us;
    } rows[] = {{0, 125}, {100, 25}, {125, 125}, {499, 1}, {500, 0}, {999, 0}, {1010, 115}};
    struct spec sp;
    struct server s;
    struct model m;

    (void)state;
    memset(&m, 0, sizeof m);
    memset(&s, 0, sizeof s);
    spec_init(&sp);
    m.spec = &sp;
    m.cal = des_calendar_new();
    assert_non_null(m.cal);
    near(read_backlog_ns(&m, &s), 0);
    s.cpu_free = 70 * DES_US; /* calls: until the processor is through */
    near(read_backlog_ns(&m, &s), 70000);
    s.cpu_free = 0;
    m.without_calls = true;
    m.submission_ns = 1e6;
    s.write_share = 0.5;
    s.write_regions = 4;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(des_run(m.cal, (des_time)rows[i].at_us * DES_US), 0);
        near(read_backlog_ns(&m, &s), rows[i].left_us * 1000);
    }
    /* At 1,010 us: a full server, whose clients wait for 2 ms of rows, a quarter of it by call; then a pause too,
       that began 5 us ago. */
    s.write_left_ns = 2e6;
    near(read_backlog_ns(&m, &s), 500000);
    sp.server.gc_pause_ns = 100 * DES_US;
    sp.server.gc_every_ns = DES_MS;
    s.gc_phase = 5 * DES_US;
    near(read_backlog_ns(&m, &s), 595000);
    spec_free(&sp);
    des_calendar_free(m.cal);
}

/* Reads hold the processor for half of the time: every second one waits, 100 us in the mean. */
static void test_wait(void **state)
{
    enum { N = 100000 };
    struct des_stream draws;
    struct server s;
    double sum = 0, waited = 0;

    (void)state;
    memset(&s, 0, sizeof s);
    des_stream_init(&draws, 1, "test");
    near(read_wait_ns(&s, &draws), 0);
    s.read_share = 0.5;
    s.read_residual_ns = 50000;
    for (int i = 0; i < N; i++) {
        const double ns = read_wait_ns(&s, &draws);

        sum += ns;
        waited += ns > 0;
    }
    /* four standard errors: 0.25 / N for the share, (2 x 0.5 - 0.25) of the mean's square for the sum */
    assert_true(fabs(waited / N - 0.5) < 4 * 0.5 / sqrt(N));
    assert_true(fabs(sum / N / 50000 - 1) < 4 * sqrt(3.0 / N));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_processor), cmocka_unit_test(test_blocks),  cmocka_unit_test(test_bloom_filter),
        cmocka_unit_test(test_cache),     cmocka_unit_test(test_backlog), cmocka_unit_test(test_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
