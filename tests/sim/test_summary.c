/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run's summary and its notes say where the run is out of the ordinary. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "iot.h"
#include "sim/sim.h"

static struct spec_event *add_event(struct spec *sp, double at_s, enum spec_event_kind kind)
{
    struct spec_event *ev = iot_event(sp, at_s, kind);

    ev->name = iot_copy("e");
    return ev;
}

static void set_row(struct spec_bytes *row, unsigned char byte)
{
    row->bytes = iot_zeroed(1);
    row->bytes[0] = byte;
    row->len = 1;
}

/* With 10,000 servers more no window has 1,000 writes a server any longer: all that follows is one rest,
   and it is nine tenths of the run. */
static void test_thin_rest_counts(void **state)
{
    struct spec sp;
    struct result_run run;
    struct sim_end end;

    (void)state;
    iot_spec(&sp, 8, 600, 100);
    sp.cluster.servers = 4;
    sp.detail = SPEC_DETAIL_TICK;
    sp.streams->rate_per_s = 4000;
    sp.streams->arrival = SPEC_ARRIVAL_CONSTANT;
    add_event(&sp, 60, SPEC_EVENT_ADD)->count = 10000;
    result_run_init(&run);
    assert_int_equal(sim_run(&sp, NULL, &run, &end), 0);
    assert_true(run.summary.hot_server_ratio > 1000);
    assert_true(run.summary.max_write_rate_per_s <= run.summary.write_tails * sp.server.write_capacity_per_s);
    assert_true(run.summary.max_write_rate_per_s > 3 * sp.server.write_capacity_per_s);
    assert_true(run.summary.servers_idle > 9000);
    result_run_free(&run);
    spec_free(&sp);
}

static size_t told(const struct result *res, const char *code, const char *text)
{
    size_t n = 0;

    for (size_t i = 0; i < res->diagnostics_len; i++)
        n += strcmp(res->diagnostics[i].id, code) == 0 && strstr(res->diagnostics[i].text, text);
    return n;
}

/* Two splits at one key, a merge of regions that are no neighbours, the loss of a lost server. */
static void test_refused_events_are_told(void **state)
{
    struct spec sp;
    struct result res;
    struct sim_end end;
    struct spec_event *e;

    (void)state;
    iot_spec(&sp, 8, 120, 100);
    sp.detail = SPEC_DETAIL_TICK;
    for (int i = 0; i < 2; i++) {
        e = add_event(&sp, 30, SPEC_EVENT_SPLIT);
        e->table = iot_copy("telemetry");
        set_row(&e->key, 3);
        set_row(&e->other, 3);
    }
    e = add_event(&sp, 40, SPEC_EVENT_MERGE);
    e->table = iot_copy("telemetry");
    set_row(&e->key, 3);
    set_row(&e->other, 5);
    add_event(&sp, 50, SPEC_EVENT_LOSE)->server = 11;
    add_event(&sp, 60, SPEC_EVENT_LOSE)->server = 11;
    result_init(&res);
    assert_int_equal(sim_all(&sp, 1, NULL, &res, &end), 0);
    assert_int_equal(told(&res, "W-EVENT", "at 30s came to nothing: not split by hand: the key is the region's start key"), 2);
    assert_int_equal(told(&res, "W-EVENT", "at 40s came to nothing: not merged by hand: they are no neighbours"), 1);
    assert_int_equal(told(&res, "W-EVENT", "at 1m came to nothing: not lost by hand"), 1);
    assert_int_equal(told(&res, "W-EVENT", ""), 4);
    result_free(&res);
    spec_free(&sp);
}

/* The writes alone fit easily; the query asks for more than a server has. */
static void test_reads_are_named(void **state)
{
    struct spec sp;
    struct result res;
    struct sim_end end;

    (void)state;
    iot_spec(&sp, 12, 600, 100);
    sp.detail = SPEC_DETAIL_TICK;
    sp.streams->rate_per_s = 100000;
    sp.streams->arrival = SPEC_ARRIVAL_CONSTANT;
    iot_query(&sp, "lately", SPEC_QUERY_RANGE, 300 * SPEC_NS_PER_S);
    sp.queries->rate_per_s = 10;
    result_init(&res);
    assert_int_equal(sim_all(&sp, 1, NULL, &res, &end), 0);
    assert_false(result_keeps_up(&res.run));
    assert_true(res.run.summary.max_write_rate_per_s > 200000);
    assert_true(res.run.summary.reads_share > 1);
    assert_int_equal(told(&res, "W-SATURATED", "of the busiest server, most of it lately; the hottest server carries"), 1);
    result_free(&res);
    spec_free(&sp);
}

/* In one second most rows are in buffers and calls: that is no overload; three times what one server takes is. */
static void test_a_second_is_judged_fairly(void **state)
{
    static const int buckets[] = {16, 0};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct spec sp;
        struct result res;
        struct sim_end end;

        iot_spec(&sp, buckets[i], 1, 100);
        sp.detail = SPEC_DETAIL_WRITE;
        sp.server.write_capacity_per_s = buckets[i] ? 20000 : 10000;
        result_init(&res);
        assert_int_equal(sim_all(&sp, 1, NULL, &res, &end), 0);
        assert_true(res.run.summary.writes_queued > 0.2 * res.run.summary.writes_offered);
        assert_int_equal(result_keeps_up(&res.run), buckets[i] > 0);
        assert_int_equal(told(&res, "W-SATURATED", ""), buckets[i] == 0);
        result_free(&res);
        spec_free(&sp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin_rest_counts),
        cmocka_unit_test(test_refused_events_are_told),
        cmocka_unit_test(test_reads_are_named),
        cmocka_unit_test(test_a_second_is_judged_fairly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
