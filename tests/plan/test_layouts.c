/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix of layouts: which query is a range of which key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../sim/iot.h"
#include "plan/layouts.h"
#include "report/layouts.h"

static const struct result_layout *layout(const struct result_layouts *all, const char *name)
{
    for (size_t i = 0; i < all->len; i++)
        if (strcmp(all->all[i].name, name) == 0)
            return &all->all[i];
    fail();
    return NULL;
}

static void expect_served(const struct result_layouts *all, const char *name, const char *query, double scans)
{
    const struct result_query *q = result_layout_query(layout(all, name), query);

    printf("%s, %s: %g scans, %g RPCs, %g rows of %g\n", name, query, q->scans, q->rpcs, q->rows_returned, q->rows_scanned);
    assert_int_equal(result_query_is_range(q), scans > 0);
    if (scans > 0)
        assert_true(q->scans == scans && q->rows_scanned == q->rows_returned);
    else
        assert_true(q->rows_scanned > 2 * q->rows_returned);
}

/* Half a minute of 200 devices that report each second. A window over all is a range where the time leads, in all
   buckets; one device's history where the device leads, in one. */
static void each_order_serves_its_queries(void **state)
{
    struct result_layouts all;
    struct sim_end end;
    struct spec sp;

    (void)state;
    iot_spec(&sp, 8, 30, 100);
    sp.streams[0].entities = 200;
    sp.streams[0].every_ns = SPEC_NS_PER_S;
    sp.streams[0].rate_per_s = 200;
    iot_query(&sp, "window", SPEC_QUERY_RANGE, 5 * SPEC_NS_PER_S);
    iot_query(&sp, "history", SPEC_QUERY_HISTORY, 10 * SPEC_NS_PER_S);
    sp.queries[1].field = iot_copy("device");
    assert_int_equal(plan_layouts(&sp, NULL, &all, &end), 0);
    assert_int_equal(all.len, 5);
    expect_served(&all, "as given", "window", 8);
    expect_served(&all, "as given", "history", 0);
    expect_served(&all, "entity first", "window", 0);
    expect_served(&all, "entity first", "history", 1);
    expect_served(&all, "entity, newest first", "history", 1);
    expect_served(&all, "hashed entity", "window", 0);
    expect_served(&all, "hashed entity", "history", 1);
    assert_string_equal(layout(&all, "entity, newest first")->key, "device:fixed(16) ts:rts");
    /* The own key and the first that serves the history, each row written to both. */
    expect_served(&all, "two tables", "window", 8);
    expect_served(&all, "two tables", "history", 1);
    assert_string_equal(layout(&all, "two tables")->key, "ts:be64 device:fixed(16) + device:fixed(16) ts:be64");
    assert_true(layout(&all, "two tables")->run.summary.writes_offered == 2 * layout(&all, "as given")->run.summary.writes_offered);
    result_layouts_free(&all);
    spec_free(&sp);
}

/* The layouts of that key, asked for single rows. */
static void layouts_of_key(const char *key, struct spec *sp, struct result_layouts *all)
{
    struct sim_end end;

    iot_spec(sp, 8, 5, 100);
    free(sp->tables[0].key);
    sp->tables[0].key = iot_copy(key);
    iot_query(sp, "row", SPEC_QUERY_GET, 0);
    assert_int_equal(plan_layouts(sp, NULL, all, &end), 0);
}

/* A key that is nothing but a number has no other order. */
static void one_field_has_one_layout(void **state)
{
    struct result_layouts all;
    struct spec sp;

    (void)state;
    layouts_of_key("seq:be64", &sp, &all);
    assert_int_equal(all.len, 1);
    result_layouts_free(&all);
    spec_free(&sp);
}

static int as_text(const struct result_layouts *all, FILE *to)
{
    return report_layouts(all, false, to);
}

static int as_markdown(const struct result_layouts *all, FILE *to)
{
    return report_layouts(all, true, to);
}

/* Whether |print| writes |words|. */
static bool prints(int (*print)(const struct result_layouts *, FILE *), const struct result_layouts *all, const char *words)
{
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);
    bool found;

    assert_non_null(to);
    assert_int_equal(print(all, to), 0);
    fclose(to);
    found = strstr(text, words) != NULL;
    if (!found)
        print_error("%s\n", text);
    free(text);
    return found;
}

/* An unsalted table that begins with the time, its device in text that ends at an underscore: the first is a matter
   of that layout alone, the second of all, and of none where the device comes last. */
static void each_layout_is_linted(void **state)
{
    struct result_layouts all;
    struct sim_end end;
    struct spec sp;

    (void)state;
    iot_spec(&sp, 0, 5, 100);
    free(sp.tables[0].key);
    sp.tables[0].key = iot_copy("ts:be64 device:text+_ seq:be64");
    iot_query(&sp, "row", SPEC_QUERY_GET, 0);
    assert_int_equal(plan_layouts(&sp, NULL, &all, &end), 0);
    assert_int_equal(layout(&all, "as given")->lint.len, 2);
    assert_int_equal(layout(&all, "time first")->lint.len, 1);
    assert_int_equal(layout(&all, "entity first")->lint.len, 1);
    assert_true(prints(as_text, &all, "ts: leading-monotone, in as given\n  why    it leads the key and grows"));
    assert_true(prints(as_text, &all, "device: delimiter, in all layouts\n"));
    assert_true(prints(as_markdown, &all, "| ts | leading-monotone | it leads"));
    assert_true(prints(result_layouts_csv, &all, ",leading-monotone ts; delimiter device\n"));
    assert_true(prints(result_layouts_csv, &all, ",delimiter device\n"));
    assert_true(prints(result_lint_csv, &all, "as given,ts:be64 device:text+_ seq:be64,ts,leading-monotone,"));
    assert_true(prints(result_layouts_json, &all, "\"rule\": \"leading-monotone\",\n          \"field\": \"ts\""));
    result_layouts_free(&all);
    spec_free(&sp);
    iot_spec(&sp, 8, 5, 100);
    iot_query(&sp, "row", SPEC_QUERY_GET, 0);
    assert_int_equal(plan_layouts(&sp, NULL, &all, &end), 0);
    assert_true(prints(as_text, &all, "\nnothing found in all layouts\n"));
    assert_true(prints(as_markdown, &all, "\nNothing found in all layouts.\n"));
    assert_true(prints(result_layouts_json, &all, "\"lint\": []"));
    result_layouts_free(&all);
    spec_free(&sp);
}

/* A key whose last text gets an end mark when it moves forward, and loses it when it moves back. */
static void end_marks_move_with_the_fields(void **state)
{
    struct result_layouts all;
    struct spec sp;

    (void)state;
    layouts_of_key("ts:num+_ seq:num+_ device:text", &sp, &all);
    assert_int_equal(all.len, 4);
    assert_string_equal(layout(&all, "entity first")->key, "seq:num+_ device:text ts:num");
    assert_non_null(strstr(layout(&all, "entity first")->salt, "over device"));
    result_layouts_free(&all);
    spec_free(&sp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_order_serves_its_queries),
        cmocka_unit_test(one_field_has_one_layout),
        cmocka_unit_test(each_layout_is_linted),
        cmocka_unit_test(end_marks_move_with_the_fields),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
