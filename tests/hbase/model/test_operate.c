/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an operator does to tables and regions in a run, at each level of detail. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "sim/sim.h"
#include "tests/sim/iot.h"

static const enum spec_detail levels[] = {SPEC_DETAIL_WRITE, SPEC_DETAIL_TICK, SPEC_DETAIL_FLOW};

static struct spec_bytes bytes_of(const char *key, size_t len)
{
    struct spec_bytes b = {iot_zeroed(len + 1), len};

    memcpy(b.bytes, key, len);
    return b;
}

static struct spec_event *add_event(struct spec *sp, double at_s, enum spec_event_kind kind)
{
    struct spec_event *ev = iot_event(sp, at_s, kind);

    ev->server = -1;
    ev->table = iot_copy("telemetry");
    return ev;
}

/* Four buckets on four servers; nothing splits or is compacted by itself. */
static void quiet(struct spec *sp, enum spec_detail detail)
{
    iot_spec(sp, 4, 900, 100);
    sp->detail = detail;
    sp->cluster.servers = 4;
    sp->streams->entities = 10000;
    sp->streams->every_ns = SPEC_NS_PER_S;
    sp->streams->rate_per_s = 10000;
    sp->hbase.memstore_flush_size_bytes = 16 << 20;
    sp->hbase.split_policy = SPEC_SPLIT_CONSTANT;
    sp->hbase.compaction_min = 100;
    sp->hbase.compaction_max = 100;
    sp->hbase.blocking_store_files = 1000;
    sp->hbase.compaction_ratio = 0;
    sp->hbase.balancer_period_ns = SPEC_NS_PER_S * 86400;
}

static void run_spec(const struct spec *sp, struct result_run *run)
{
    struct sim_end end;

    result_run_init(run);
    assert_int_equal(sim_run(sp, NULL, run, &end), 0);
    assert_true(run->summary.writes_offered ==
                run->summary.writes_done + run->summary.writes_rejected + run->summary.writes_queued);
    assert_true(run->summary.writes_queued < run->summary.writes_offered * 0.01);
}

static const struct result_event *find(const struct result_run *run, const char *kind, double at_s)
{
    for (size_t i = 0; i < run->events_len; i++)
        if (strcmp(run->events[i].kind, kind) == 0 && run->events[i].at_s >= at_s && run->events[i].at_s < at_s + 60)
            return &run->events[i];
    return NULL;
}

static const struct result_region *region_of(const struct result_run *run, const char *start)
{
    for (size_t i = 0; i < run->regions_len; i++)
        if (run->regions[i].table == 0 && isnan(run->regions[i].death_s) && strcmp(run->regions[i].start, start) == 0)
            return &run->regions[i];
    return NULL;
}

/* By hand at the midkey; one with a key; both daughters work on. */
static void splits_by_hand_cut_where_asked(void **state)
{
    (void)state;
    for (size_t d = 0; d < 3; d++) {
        struct spec sp;
        struct result_run run;
        struct spec_event *ev;

        quiet(&sp, levels[d]);
        add_event(&sp, 300, SPEC_EVENT_SPLIT)->key = bytes_of("\x01", 1);
        ev = add_event(&sp, 360, SPEC_EVENT_SPLIT);
        ev->key = bytes_of("\x02", 1);
        ev->other = bytes_of("\x02zz", 3);
        ev = add_event(&sp, 420, SPEC_EVENT_SPLIT);
        ev->key = bytes_of("\x03", 1);
        ev->other = bytes_of("\x03", 1);
        run_spec(&sp, &run);
        assert_true(run.summary.splits == 2);
        assert_true(run.summary.regions_end == 6);
        assert_non_null(region_of(&run, "\\x02zz"));
        assert_true(region_of(&run, "\\x02zz")->writes == 0);
        assert_non_null(strstr(find(&run, "split refused", 420)->text, "the key is the region's start key"));
        result_run_free(&run);
        spec_free(&sp);
    }
}

/* All rows are in the memstore, and fill less than a block once they are flushed: the flush that the split waits
   for brings no key either, and that is said. */
static void a_split_that_finds_no_key_after_its_flush_says_so(void **state)
{
    (void)state;
    for (size_t d = 0; d < 3; d++) {
        struct spec sp;
        struct result_run run;

        quiet(&sp, levels[d]);
        sp.streams->every_ns = SPEC_NS_PER_S * 1000;
        sp.streams->rate_per_s = 10;
        sp.streams->buffer_bytes = 1000;
        add_event(&sp, 60, SPEC_EVENT_SPLIT)->key = bytes_of("\x01", 1);
        run_spec(&sp, &run);
        assert_true(run.summary.splits == 0);
        assert_true(run.summary.regions_end == 4);
        assert_non_null(find(&run, "split refused", 59));
        assert_non_null(strstr(find(&run, "split refused", 59)->text, "first or last row of the file"));
        result_run_free(&run);
        spec_free(&sp);
    }
}

/* Two neighbours become one region, which takes the rows of both, those that waited too. */
static void merged_neighbours_take_the_rows_of_both(void **state)
{
    (void)state;
    for (size_t d = 0; d < 3; d++) {
        struct spec sp;
        struct result_run run;
        struct spec_event *ev;

        quiet(&sp, levels[d]);
        for (int k = 0; k < 3; k++) {
            ev = add_event(&sp, (double[]){300, 360, 800}[k], SPEC_EVENT_MERGE);
            ev->key = bytes_of(k == 1 ? "\x00" : "\x02", 1);
            ev->other = bytes_of((const char *[]){"\x03", "\x02", "\x01"}[k], 1);
        }
        run_spec(&sp, &run);
        assert_true(run.summary.regions_end == 2);
        assert_non_null(strstr(find(&run, "warning", 300)->text, "buckets 2 and 3 become one region"));
        assert_non_null(find(&run, "merge", 300));
        assert_non_null(strstr(find(&run, "merge refused", 360)->text, "they are no neighbours"));
        /* After the compaction of its references and the catalog janitor it may be merged again. */
        assert_non_null(find(&run, "merge", 800));
        assert_true(region_of(&run, "\\x01")->writes > 0);
        assert_null(region_of(&run, "\\x02"));
        result_run_free(&run);
        spec_free(&sp);
    }
}

/* A merged region that the janitor hasn't visited can't be merged. */
static void a_merged_region_waits_for_the_catalog_janitor(void **state)
{
    struct spec sp;
    struct result_run run;
    struct spec_event *ev;

    (void)state;
    quiet(&sp, SPEC_DETAIL_TICK);
    for (int k = 0; k < 2; k++) {
        ev = add_event(&sp, k ? 590 : 310, SPEC_EVENT_MERGE);
        ev->key = bytes_of(k ? "\x01" : "\x02", 1);
        ev->other = bytes_of(k ? "\x02" : "\x03", 1);
    }
    run_spec(&sp, &run);
    assert_non_null(strstr(find(&run, "merge refused", 580)->text, "catalog janitor"));
    result_run_free(&run);
    spec_free(&sp);
}

static double files_of(enum spec_event_kind kind, bool whole, double *flushes)
{
    struct spec sp;
    struct result_run run;
    struct spec_event *ev;
    double files = 0;

    quiet(&sp, SPEC_DETAIL_TICK);
    ev = add_event(&sp, 880, kind);
    ev->whole_table = whole;
    if (!whole)
        ev->key = bytes_of("\x02", 1);
    run_spec(&sp, &run);
    for (size_t i = 0; i < run.regions_len; i++)
        if (run.regions[i].table == 0)
            files += run.regions[i].store_files;
    *flushes = run.summary.flushes;
    result_run_free(&run);
    spec_free(&sp);
    return files;
}

static void upkeep_is_of_a_table_or_of_one_region(void **state)
{
    double flushes, more;
    const double before = files_of(SPEC_EVENT_BALANCE, true, &flushes);

    (void)state;
    assert_true(before > 40);
    assert_true(files_of(SPEC_EVENT_FLUSH, true, &more) == before + 4 && more == flushes + 4);
    assert_true(files_of(SPEC_EVENT_FLUSH, false, &more) == before + 1 && more == flushes + 1);
    assert_true(files_of(SPEC_EVENT_MAJOR_COMPACT, true, &more) < 4 * 3);
    assert_true(files_of(SPEC_EVENT_MAJOR_COMPACT, false, &more) < before * 0.8);
    assert_true(files_of(SPEC_EVENT_MAJOR_COMPACT, false, &more) > before * 0.7);
}

static size_t count(const struct result_run *run, const char *kind)
{
    size_t n = 0;

    for (size_t i = 0; i < run->events_len; i++)
        n += strcmp(run->events[i].kind, kind) == 0;
    return n;
}

/* It merges what together stays below the target, whatever bucket it belongs to, and says so. */
static void the_normalizer_merges_across_buckets_and_is_warned_of(void **state)
{
    (void)state;
    for (int off = 0; off < 2; off++) {
        struct spec sp;
        struct result_run run;

        quiet(&sp, SPEC_DETAIL_TICK);
        sp.tables->normalizer = off == 0;
        sp.tables->normalizer_target_bytes = INT64_C(10) << 30;
        sp.hbase.normalizer.merge_min_age_days = 0;
        run_spec(&sp, &run);
        assert_true(run.summary.regions_end == (off ? 4 : 1));
        assert_true(count(&run, "merge") == (off ? 0 : 1) && count(&run, "warning") == (off ? 0 : 1));
        if (!off)
            assert_non_null(strstr(find(&run, "normalizer", 300)->text, "merges 4 regions"));
        result_run_free(&run);
        spec_free(&sp);
    }
}

/* Regions are merged three days after their creation, not before. */
static void the_normalizer_leaves_young_regions_alone(void **state)
{
    struct spec sp;
    struct result_run run;
    const struct result_event *merge = NULL;

    (void)state;
    quiet(&sp, SPEC_DETAIL_FLOW);
    sp.duration_ns = 4 * 86400 * SPEC_NS_PER_S;
    sp.streams->every_ns = 1000 * SPEC_NS_PER_S;
    sp.streams->rate_per_s = 10;
    sp.tables->normalizer = true;
    sp.tables->normalizer_target_regions = 2;
    run_spec(&sp, &run);
    for (size_t i = 0; i < run.events_len && !merge; i++)
        if (strcmp(run.events[i].kind, "merge") == 0)
            merge = &run.events[i];
    assert_non_null(merge);
    assert_true(merge->at_s >= 3 * 86400 && merge->at_s < 3 * 86400 + 700);
    assert_true(run.summary.regions_end == 2);
    result_run_free(&run);
    spec_free(&sp);
}

static void the_normalizer_splits_above_twice_its_target(void **state)
{
    struct spec sp;
    struct result_run run;
    const struct result_event *e;

    (void)state;
    quiet(&sp, SPEC_DETAIL_TICK);
    sp.tables->normalizer = sp.tables->normalizer_no_merge = true;
    sp.tables->normalizer_target_bytes = 64 << 20;
    run_spec(&sp, &run);
    assert_true(run.summary.splits >= 4);
    e = find(&run, "normalizer", 599);
    assert_non_null(strstr(e->text, "more than twice the average of 64 MB"));
    assert_true(count(&run, "merge") == 0);
    result_run_free(&run);
    spec_free(&sp);
}

/* Entity-first keys: with the salt and the entity as its prefix a split never parts an entity's rows;
   with the salt alone it can't split, and the report says so. */
static void a_key_prefix_keeps_an_entity_together(void **state)
{
    (void)state;
    for (int bare = 0; bare < 2; bare++) {
        struct spec sp;
        struct result_run run;
        size_t cuts = 0;

        quiet(&sp, SPEC_DETAIL_TICK);
        free(sp.tables->key);
        free(sp.tables->salt_over);
        sp.tables->key = iot_copy("device:fixed(16) ts:be64");
        sp.tables->salt_over = iot_copy("device");
        sp.tables->own_split_policy = true;
        sp.tables->split_policy = SPEC_SPLIT_KEY_PREFIX;
        sp.tables->split_prefix_bytes = bare ? 1 : 17;
        run_spec(&sp, &run);
        for (size_t i = 0; i < run.regions_len; i++) {
            const char *start = run.regions[i].start;

            cuts += run.regions[i].parent >= 0 && strstr(start, "dev-") != NULL;
            if (strstr(start, "dev-"))
                assert_true(strlen(start) <= 4 + 16); /* the salt as \\x01, then the entity at most */
        }
        assert_true(bare ? cuts == 0 : cuts >= 4);
        assert_true((count(&run, "split refused") > 0) == (bare == 1));
        result_run_free(&run);
        spec_free(&sp);
    }
}

/* BusyRegionSplitPolicy: a region whose calls are refused splits though it is small. */
static void a_busy_region_splits_for_its_refusals(void **state)
{
    struct spec sp;
    struct result_run run;
    const struct result_event *e = NULL;

    (void)state;
    quiet(&sp, SPEC_DETAIL_WRITE);
    sp.streams->buffer_bytes = 0;
    sp.streams->entities = 2000;
    sp.tables->buckets = 0;
    sp.server.disk_bytes_per_s = 1e5; /* flushes take minutes */
    sp.hbase.split_policy = SPEC_SPLIT_BUSY;
    sp.hbase.increasing_initial_bytes = INT64_C(8) << 30;
    sp.hbase.memstore_flush_size_bytes = 4 << 20;
    sp.hbase.busy_min_age_ns = 60 * SPEC_NS_PER_S;
    sp.hbase.busy_window_ns = 30 * SPEC_NS_PER_S;
    result_run_init(&run);
    assert_int_equal(sim_run(&sp, NULL, &run, &(struct sim_end){0}), 0);
    for (size_t i = 0; i < run.events_len && !e; i++)
        if (strcmp(run.events[i].kind, "split") == 0)
            e = &run.events[i];
    assert_non_null(e);
    assert_non_null(strstr(e->text, "refused calls for each row written"));
    assert_true(e->at_s >= 60);
    result_run_free(&run);
    spec_free(&sp);
}

/* Two tables on one server: the cold one's few edits hold back old log files until they are flushed. */
static void too_many_log_files_flush_a_cold_region(void **state)
{
    (void)state;
    for (int limit = 0; limit < 2; limit++) {
        struct spec sp;
        struct result_run run;
        struct spec_stream *st;
        const struct result_event *e;

        quiet(&sp, SPEC_DETAIL_TICK);
        sp.cluster.servers = 1;
        sp.duration_ns = 600 * SPEC_NS_PER_S;
        sp.hbase.max_logs = limit ? 3 : 0;
        sp.streams->curve.growth_gain = 0;
        sp.streams = st = realloc(sp.streams, 2 * sizeof *st);
        memset(&st[1], 0, sizeof st[1]);
        sp.streams_len = 2;
        sp.tables = realloc(sp.tables, 2 * sizeof *sp.tables);
        sp.tables[1] = sp.tables[0];
        sp.tables[1].name = iot_copy("cold");
        sp.tables[1].key = iot_copy(sp.tables->key);
        sp.tables[1].salt = iot_copy("none");
        sp.tables[1].salt_over = iot_copy("key");
        sp.tables[1].buckets = 0;
        sp.tables[1].families = iot_zeroed(sizeof *sp.tables->families);
        *sp.tables[1].families = *sp.tables->families;
        sp.tables[1].families->name = iot_copy("d");
        sp.tables[1].families->columns = iot_zeroed(sizeof(struct spec_column));
        *sp.tables[1].families->columns = *sp.tables->families->columns;
        sp.tables[1].families->columns->qualifier = iot_copy("v");
        sp.tables_len = 2;
        st[1].name = iot_copy("seldom");
        st[1].tables = iot_zeroed(sizeof(char *));
        st[1].tables[0] = iot_copy("cold");
        st[1].tables_len = 1;
        st[1].entities = 10;
        st[1].arrival = SPEC_ARRIVAL_CONSTANT;
        st[1].rate_per_s = 1;
        st[1].clients = 1;
        st[1].start_ms = st->start_ms;
        run_spec(&sp, &run);
        e = NULL;
        for (size_t i = 0; i < run.events_len && !e; i++)
            if (strcmp(run.events[i].kind, "log flush") == 0)
                e = &run.events[i];
        assert_true((e != NULL) == (limit == 1));
        if (e) {
            assert_true(e->threshold == 3 && e->inputs[0].value == 4);
            assert_int_equal(e->table, 1);
            assert_true(run.tables[1].flushes >= 1);
        } else {
            assert_true(run.tables[1].flushes == 0);
        }
        result_run_free(&run);
        spec_free(&sp);
    }
}

/* Two families, of which only the large one is flushed for its size: the small one's old edits keep the log's files,
   and are what a forced flush takes, alone (SequenceIdAccounting.findLower, HRegion.getSpecificStores). */
static void too_many_log_files_flush_the_small_family_alone(void **state)
{
    struct spec sp;
    struct result_run run;
    struct spec_family *f;
    int forced = 0;

    (void)state;
    quiet(&sp, SPEC_DETAIL_TICK);
    sp.cluster.servers = 1;
    sp.duration_ns = 600 * SPEC_NS_PER_S;
    sp.hbase.max_logs = 3;
    sp.streams->curve.growth_gain = 0;
    sp.hbase.memstore_flush_size_bytes = 64 << 20; /* a share of 32 MiB, above the least of 16 MiB */
    sp.tables->buckets = 0;
    free(sp.tables->salt);
    sp.tables->salt = iot_copy("none");
    sp.tables->splits = SPEC_SPLITS_NONE;
    sp.tables->families = f = realloc(sp.tables->families, 2 * sizeof *f);
    f[0].columns->value_bytes = 4000;
    f[1] = f[0];
    f[1].name = iot_copy("s");
    f[1].columns = iot_zeroed(sizeof *f[1].columns);
    f[1].columns->qualifier = iot_copy("x");
    f[1].columns->value_bytes = 1;
    sp.tables->families_len = 2;
    run_spec(&sp, &run);
    for (size_t i = 0; i < run.events_len; i++) {
        const struct result_event *e = &run.events[i];

        if (strcmp(e->kind, "flush") != 0 || strcmp(e->rule, "hbase.regionserver.maxlogs") != 0)
            continue;
        /* 72 and at most 56 bytes for each of its cells; those of the large family take over 4,000. */
        assert_true(result_event_input(e, "heap_bytes") < 130 * result_event_input(e, "cells"));
        forced++;
    }
    assert_true(forced >= 1);
    result_run_free(&run);
    spec_free(&sp);
}

/* More one-row calls than 30 handlers and one queue of 300 hold: the rest is refused and comes back. */
static void a_full_call_queue_refuses_and_clients_come_back(void **state)
{
    struct spec sp;
    struct result_run run;

    (void)state;
    quiet(&sp, SPEC_DETAIL_WRITE);
    sp.duration_ns = 20 * SPEC_NS_PER_S;
    sp.cluster.servers = 1;
    sp.server.write_capacity_per_s = 2000;
    sp.streams->buffer_bytes = 0;
    sp.streams->arrival = SPEC_ARRIVAL_CONSTANT;
    sp.streams->curve.bursts[0] = (struct spec_burst){3, 2 * SPEC_NS_PER_S, 8 * SPEC_NS_PER_S};
    sp.streams->curve.bursts_len = 1;
    result_run_init(&run);
    assert_int_equal(sim_run(&sp, NULL, &run, &(struct sim_end){0}), 0);
    assert_true(run.summary.write_refusals > 1000);
    assert_true(run.summary.writes_offered ==
                run.summary.writes_done + run.summary.writes_rejected + run.summary.writes_queued);
    result_run_free(&run);
    sp.streams->rate_per_s = 600;
    result_run_init(&run);
    assert_int_equal(sim_run(&sp, NULL, &run, &(struct sim_end){0}), 0);
    assert_true(run.summary.write_refusals == 0);
    result_run_free(&run);
    spec_free(&sp);
}

/* Pauses of 200 ms each 10 s show in the tail of the latencies, and nowhere else. */
static void pauses_of_the_garbage_collector_hold_calls_up(void **state)
{
    double p50[2], most[2];

    (void)state;
    for (int on = 0; on < 2; on++) {
        struct spec sp;
        struct result_run run;

        quiet(&sp, SPEC_DETAIL_WRITE);
        sp.duration_ns = 60 * SPEC_NS_PER_S;
        sp.streams->buffer_bytes = 0;
        sp.streams->arrival = SPEC_ARRIVAL_CONSTANT;
        sp.server.gc_pause_ns = on ? 200 * 1000000 : 0;
        sp.server.gc_every_ns = 10 * SPEC_NS_PER_S;
        run_spec(&sp, &run);
        p50[on] = run.summary.write_p50_us;
        most[on] = run.summary.write_max_us;
        result_run_free(&run);
        spec_free(&sp);
    }
    assert_true(p50[1] < 1.05 * p50[0]);
    assert_true(most[0] < 100e3 && most[1] > 195e3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_by_hand_cut_where_asked),
        cmocka_unit_test(a_split_that_finds_no_key_after_its_flush_says_so),
        cmocka_unit_test(merged_neighbours_take_the_rows_of_both),
        cmocka_unit_test(a_merged_region_waits_for_the_catalog_janitor),
        cmocka_unit_test(upkeep_is_of_a_table_or_of_one_region),
        cmocka_unit_test(the_normalizer_merges_across_buckets_and_is_warned_of),
        cmocka_unit_test(the_normalizer_leaves_young_regions_alone),
        cmocka_unit_test(the_normalizer_splits_above_twice_its_target),
        cmocka_unit_test(a_key_prefix_keeps_an_entity_together),
        cmocka_unit_test(a_busy_region_splits_for_its_refusals),
        cmocka_unit_test(too_many_log_files_flush_a_cold_region),
        cmocka_unit_test(too_many_log_files_flush_the_small_family_alone),
        cmocka_unit_test(a_full_call_queue_refuses_and_clients_come_back),
        cmocka_unit_test(pauses_of_the_garbage_collector_hold_calls_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
