/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spec/spec.h"
#include "tests/spec/failing.h"

static char *text(const char *from)
{
    char *to = malloc(strlen(from) + 1);

    assert_non_null(to);
    return strcpy(to, from);
}

static void *zeroed(size_t n, size_t size)
{
    void *all = calloc(n, size);

    assert_non_null(all);
    return all;
}

static struct spec_bytes bytes(const char *from, size_t len)
{
    struct spec_bytes made = {zeroed(len, 1), len};

    memcpy(made.bytes, from, len);
    return made;
}

/* A spec in which every pointer points to something. */
static void fill(struct spec *sp)
{
    spec_init(sp);
    sp->title = text("title");
    sp->base_name = text("base");
    sp->tables = zeroed(2, sizeof *sp->tables);
    sp->tables_len = 2;
    for (int i = 0; i < 2; i++) {
        struct spec_table *tab = &sp->tables[i];

        tab->name = text(i ? "b" : "a");
        tab->key = text("ts:be64");
        tab->salt = text(i ? "none" : "phoenix");
        tab->buckets = i ? 0 : 16;
        tab->salt_over = text("key");
        tab->split_keys = zeroed(1, sizeof *tab->split_keys);
        tab->split_keys_len = 1;
        tab->split_keys[0] = bytes("\x00\x01", 2);
        tab->splits_file = text("splits.txt");
        tab->families = zeroed(1, sizeof *tab->families);
        tab->families_len = 1;
        tab->families[0].name = text("d");
        tab->families[0].columns = zeroed(1, sizeof *tab->families[0].columns);
        tab->families[0].columns_len = 1;
        tab->families[0].columns[0].qualifier = text("v");
        tab->families[0].columns[0].value_bytes = 100;
    }
    sp->streams = zeroed(1, sizeof *sp->streams);
    sp->streams_len = 1;
    sp->streams[0].name = text("s");
    sp->streams[0].tables = zeroed(1, sizeof *sp->streams[0].tables);
    sp->streams[0].tables_len = 1;
    sp->streams[0].tables[0] = text("a");
    sp->streams[0].keys_file = text("dir/keys");
    sp->streams[0].keys_name = text("keys");
    sp->queries = zeroed(1, sizeof *sp->queries);
    sp->queries_len = 1;
    sp->queries[0].name = text("q");
    sp->queries[0].table = text("a");
    sp->queries[0].field = text("device");
    sp->queries[0].prefix = bytes("\x00", 1);
    sp->plan.candidates = zeroed(2, sizeof *sp->plan.candidates);
    sp->plan.candidates_len = 2;
    sp->plan.candidates[1] = 8;
    sp->plan.targets = zeroed(1, sizeof *sp->plan.targets);
    sp->plan.targets_len = 1;
    sp->plan.targets[0].metric = text("hot_server_ratio");
    sp->plan.targets[0].bound = 1.6;
}

static void defaults_are_hbase_2_6(void **state)
{
    struct spec sp;

    (void)state;
    spec_init(&sp);
    assert_int_equal(sp.seed, 1);
    assert_int_equal(sp.hbase.memstore_flush_size_bytes, 134217728);
    assert_int_equal(sp.hbase.max_filesize_bytes, INT64_C(10737418240));
    assert_int_equal(sp.hbase.blocking_store_files, 16);
    assert_int_equal(sp.hbase.discharger_interval_ns, 120 * SPEC_NS_PER_S);
    assert_int_equal(sp.hbase.balancer_period_ns, 300 * SPEC_NS_PER_S);
    assert_int_equal(sp.hbase.client_write_buffer_bytes, 2097152);
    assert_true(sp.hbase.global_memstore_size > 0.399 && sp.hbase.global_memstore_size < 0.401);
    assert_null(sp.tables);
    spec_free(&sp);
}

static void copy_is_deep(void **state)
{
    struct spec sp, copy;

    (void)state;
    fill(&sp);
    assert_int_equal(spec_copy(&sp, &copy), 0);
    sp.title[0] = 'X';
    sp.tables[0].families[0].columns[0].qualifier[0] = 'X';
    sp.tables[0].split_keys[0].bytes[0] = 'X';
    sp.streams[0].tables[0][0] = 'X';
    sp.plan.candidates[1] = 99;
    sp.plan.targets[0].metric[0] = 'X';
    spec_free(&sp);
    assert_string_equal(copy.title, "title");
    assert_string_equal(copy.base_name, "base");
    assert_string_equal(copy.tables[0].families[0].columns[0].qualifier, "v");
    assert_int_equal(copy.tables[0].families[0].columns[0].value_bytes, 100);
    assert_memory_equal(copy.tables[0].split_keys[0].bytes, "\x00\x01", 2);
    assert_string_equal(copy.tables[1].splits_file, "splits.txt");
    assert_string_equal(copy.streams[0].tables[0], "a");
    assert_string_equal(copy.streams[0].keys_file, "dir/keys");
    assert_string_equal(copy.queries[0].field, "device");
    assert_int_equal(copy.queries[0].prefix.len, 1);
    assert_int_equal(copy.plan.candidates[1], 8);
    assert_string_equal(copy.plan.targets[0].metric, "hot_server_ratio");
    spec_free(&copy);
    assert_null(copy.title);
}

static void copy_survives_each_failing_allocation(void **state)
{
    struct spec sp, copy;
    long n = 0;

    (void)state;
    fill(&sp);
    do {
        int status;

        failing_at(++n);
        status = spec_copy(&sp, &copy);
        assert_int_equal(status, failing_done() ? -1 : 0);
        if (failing_done())
            assert_null(copy.title);
    } while (failing_done());
    failing_at(0);
    assert_true(n > 30);
    spec_free(&copy);
    spec_free(&sp);
}

static void window_rounds_up_to_a_clock_step(void **state)
{
    static const struct {
        int64_t duration_s, window_s;
    } rows[] = {
        {1, 1},           {400, 1},         {401, 2},           {7200, 30},   {6000, 15},      {3600, 10},
        {86400, 300},     {30 * 86400, 7200}, {365 * 86400, 86400}, {730 * 86400, 172800}, {100 * 365 * 86400LL, 172800},
    };
    struct spec sp;

    (void)state;
    spec_init(&sp);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sp.duration_ns = rows[i].duration_s * SPEC_NS_PER_S;
        assert_int_equal(spec_window_ns(&sp), rows[i].window_s * SPEC_NS_PER_S);
    }
    sp.duration_ns = SPEC_NS_PER_S / 4;
    assert_int_equal(spec_window_ns(&sp), SPEC_NS_PER_S / 4);
    sp.window_ns = 7 * SPEC_NS_PER_S;
    assert_int_equal(spec_window_ns(&sp), 7 * SPEC_NS_PER_S);
}

static void buckets_go_to_salted_tables_only(void **state)
{
    struct spec sp;

    (void)state;
    fill(&sp);
    assert_int_equal(spec_set_buckets(&sp, 24), 1);
    assert_int_equal(sp.tables[0].buckets, 24);
    assert_int_equal(sp.tables[1].buckets, 0);
    assert_int_equal(spec_set_buckets(&sp, 0), 1);
    assert_int_equal(sp.tables[0].buckets, 0);
    free(sp.tables[0].salt);
    sp.tables[0].salt = text("md5hex 4");
    assert_int_equal(spec_set_buckets(&sp, 24), 0);
    assert_non_null(spec_table_by_name(&sp, "b"));
    assert_null(spec_table_by_name(&sp, "c"));
    spec_free(&sp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_hbase_2_6),
        cmocka_unit_test(copy_is_deep),
        cmocka_unit_test(copy_survives_each_failing_allocation),
        cmocka_unit_test(window_rounds_up_to_a_clock_step),
        cmocka_unit_test(buckets_go_to_salted_tables_only),
    };

    return cmocka_run_group_tests_name("spec", tests, NULL, NULL);
}
