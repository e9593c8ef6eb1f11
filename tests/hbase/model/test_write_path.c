/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a reviewer can hold a run of the write path to, one test a check. Cells of 100 bytes: rows of 12,
   family and qualifier of one, 66 of value, and HBase's 20; 176 bytes of heap each. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "hbase/model/call.h"
#include "sim/sim.h"
#include "tests/sim/iot.h"

#define MIB 1048576.0
#define FLUSH (128 * MIB)
#define CELL_HEAP 176.0
#define CELL_DATA 100.0

/* One table of one region, keys that grow with time, nobody else. */
static void one_region(struct spec *sp, double seconds, double rate)
{
    iot_one_region(sp, seconds, rate);
    sp->hbase.balancer_period_ns = 86400 * SPEC_NS_PER_S;
    sp->server.write_capacity_per_s = 100000;
}

static void run_spec(const struct spec *sp, const struct sim_control *control, struct result_run *run)
{
    struct sim_end end;

    result_run_init(run);
    assert_int_equal(sim_run(sp, control, run, &end), 0);
}

static const struct result_event *find(const struct result_run *run, const char *kind, size_t nth)
{
    for (size_t i = 0; i < run->events_len; i++)
        if (strcmp(run->events[i].kind, kind) == 0 && nth-- == 0)
            return &run->events[i];
    return NULL;
}

static int child(const struct result_run *run, int parent, int nth)
{
    for (size_t i = 0; i < run->regions_len; i++)
        if (run->regions[i].parent == parent && nth-- == 0)
            return (int)i;
    return -1;
}

/* The time in a stored row's first eight bytes, from HBase's notation of its beginning. */
static double ms_of_key(const char *text)
{
    uint64_t ms = 0;
    int bytes = 0;

    for (; *text && bytes < 8; bytes++) {
        unsigned byte = (unsigned char)*text;

        if (text[0] == '\\' && text[1] == 'x' && sscanf(text + 2, "%2x", &byte) == 1)
            text += 3;
        text++;
        ms = ms << 8 | byte;
    }
    return (double)(ms << 8 * (8 - bytes));
}

/* Four flushes of about 76 MB, and the first three in one file by then: the key is a shortened separator
   near the middle of that file, not of the region. */
static void the_first_split_follows_the_fourth_flush_and_cuts_the_largest_file(void **state)
{
    struct spec sp;
    struct result_run run;
    const struct result_event *split;
    const double rate = 40000, flush_s = FLUSH / CELL_HEAP / rate;
    size_t flushes = 0;
    double middle_s;
    int upper;

    (void)state;
    one_region(&sp, 90, rate);
    run_spec(&sp, NULL, &run);
    split = find(&run, "split", 0);
    assert_non_null(split);
    for (size_t i = 0; i < run.events_len && &run.events[i] != split; i++) {
        const struct result_event *e = &run.events[i];

        if (strcmp(e->kind, "flush") != 0)
            continue;
        flushes++;
        assert_true(fabs(result_event_input(e, "file_bytes") / (FLUSH * CELL_DATA / CELL_HEAP) - 1) < 0.06);
    }
    assert_int_equal(flushes, 4);
    assert_true(result_event_input(split, "files") == 2);
    assert_true(split->threshold == 2 * FLUSH);
    upper = child(&run, split->region, 1);
    middle_s = (ms_of_key(run.regions[upper].start) - (double)sp.streams->start_ms) / 1000;
    assert_true(fabs(middle_s - 1.5 * flush_s) < 0.03 * flush_s);
    assert_true(strlen(run.regions[upper].start) < 8 * 4); /* shorter than eight bytes written out */
    result_run_free(&run);
    spec_free(&sp);
}

/* Neither daughter splits below the maximum size while both are on one server; one that is moved to a
   server without a region of the table splits at twice the flush size. */
static void daughters_split_no_more_until_one_is_moved(void **state)
{
    (void)state;
    for (int moved = 0; moved < 2; moved++) {
        struct spec sp;
        struct result_run run;
        const struct result_event *split;
        int lower, upper;

        one_region(&sp, 500, 40000);
        if (moved) {
            sp.events = iot_zeroed(sizeof *sp.events);
            sp.events_len = 1;
            *sp.events = (struct spec_event){.at_ns = 400 * SPEC_NS_PER_S, .kind = SPEC_EVENT_MOVE, .server = -1};
            sp.events->table = iot_copy("telemetry");
            sp.events->key = (struct spec_bytes){iot_zeroed(2), 1};
            sp.events->key.bytes[0] = 0xff; /* the last region */
        }
        run_spec(&sp, NULL, &run);
        split = find(&run, "split", 0);
        lower = child(&run, split->region, 0);
        upper = child(&run, split->region, 1);
        assert_int_equal(run.regions[lower].server_start, run.regions[split->region].server_end);
        assert_int_equal(run.regions[upper].server_start, run.regions[split->region].server_end);
        if (moved) {
            assert_true(run.summary.splits >= 2);
            assert_int_equal(find(&run, "split", 1)->region, upper);
            assert_true(find(&run, "split", 1)->at_s > 400);
            assert_true(find(&run, "split", 1)->threshold == 2 * FLUSH);
        } else {
            assert_true(run.summary.splits == 1);
            assert_true(run.regions[upper].store_bytes > 4 * 2 * FLUSH);
        }
        result_run_free(&run);
        spec_free(&sp);
    }
}

/* Only the upper daughter takes writes; the lower one keeps its files, and the upper one's next threshold
   is the maximum file size, two regions of the table being there. */
static void growing_keys_leave_the_lower_daughter_alone(void **state)
{
    struct spec sp;
    struct result_run run;
    const struct result_event *first, *second;
    int lower, upper;

    (void)state;
    one_region(&sp, 300, 40000);
    sp.hbase.max_filesize_bytes = INT64_C(600) << 20;
    sp.hbase.max_filesize_jitter = 0;
    run_spec(&sp, NULL, &run);
    first = find(&run, "split", 0);
    second = find(&run, "split", 1);
    lower = child(&run, first->region, 0);
    upper = child(&run, first->region, 1);
    assert_true(run.regions[lower].writes == 0 && run.regions[lower].store_bytes > 0.9 * FLUSH * CELL_DATA / CELL_HEAP);
    assert_true(isnan(run.regions[lower].death_s));
    assert_int_equal(second->region, upper);
    assert_true(second->threshold == 600 * MIB && result_event_input(second, "regions_of_table_on_server") == 2);
    assert_true(run.regions[upper].writes > 4e6);
    result_run_free(&run);
    spec_free(&sp);
}

struct counted {
    uint64_t calls, rows, most, of_2048;
};

static void written(void *context, const struct call *call, const struct region_action *action)
{
    struct counted *c = context;

    assert_int_equal(call->actions_len, 1);
    c->calls++;
    c->rows += action->rows;
    c->most = action->rows > c->most ? action->rows : c->most;
    c->of_2048 += action->rows == 2048;
}

static void built(void *context, struct model *m)
{
    model_set_tap(m, (struct model_tap){written, context});
}

/* All buffered puts for one server: 2,048 rows in one call. The write counter counts rows. */
static void a_hotspot_writer_sends_2048_rows_a_call(void **state)
{
    struct spec sp;
    struct result_run run;
    struct counted c = {0, 0, 0, 0};
    const struct sim_control control = {.context = &c, .built = built};
    double requests = 0;

    (void)state;
    one_region(&sp, 30, 40000);
    sp.detail = SPEC_DETAIL_WRITE;
    run_spec(&sp, &control, &run);
    for (size_t i = 0; i < run.regions_len; i++)
        requests += run.regions[i].table == 0 ? run.regions[i].requests : 0;
    assert_true(requests == (double)c.rows && c.rows == (uint64_t)run.summary.writes_done);
    assert_true(c.most == 2048 && (double)c.of_2048 > 0.95 * (double)c.calls);
    assert_true(fabs((double)c.calls - (double)c.rows / 2048) < 20);
    result_run_free(&run);
    spec_free(&sp);
}

/* A region whose flush can't keep up refuses at four flush sizes of heap, 290 MiB of data, while the
   server as a whole is far from its limit; clients pause and come back. */
static void an_overloaded_region_refuses_long_before_the_server_blocks(void **state)
{
    struct spec sp;
    struct result_run run;
    const struct result_event *e;

    (void)state;
    one_region(&sp, 120, 80000);
    sp.detail = SPEC_DETAIL_WRITE;
    sp.server.disk_bytes_per_s = 1e6;
    run_spec(&sp, NULL, &run);
    e = find(&run, "refusal", 0);
    assert_non_null(e);
    assert_true(e->threshold == 4 * FLUSH);
    assert_true(result_event_input(e, "region_heap_bytes") > 4 * FLUSH);
    assert_true(result_event_input(e, "region_heap_bytes") * CELL_DATA / CELL_HEAP / MIB < 291 + 8);
    assert_true(fabs(e->at_s - 4 * FLUSH / CELL_HEAP / 80000) < 3);
    assert_null(find(&run, "updates blocked", 0));
    assert_true(run.summary.write_refusals > 8);
    assert_true(run.summary.writes_done + run.summary.writes_queued + run.summary.writes_rejected ==
                run.summary.writes_offered);
    result_run_free(&run);
    spec_free(&sp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_split_follows_the_fourth_flush_and_cuts_the_largest_file),
        cmocka_unit_test(daughters_split_no_more_until_one_is_moved),
        cmocka_unit_test(growing_keys_leave_the_lower_daughter_alone),
        cmocka_unit_test(a_hotspot_writer_sends_2048_rows_a_call),
        cmocka_unit_test(an_overloaded_region_refuses_long_before_the_server_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
