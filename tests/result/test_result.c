/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../chart/make_result.h"
#include "result/number.h"

static void test_key_order(void **state)
{
    (void)state;
    static const char *const rising[] = {"", "\\x00", "\\x00\\x00", "\\x00A", "\\x01", "0", "A", "A\\x00", "\\x5C", "a",
                                         "\\x7F", "\\x80", "\\xFF", "\\xFF\\xFF"};
    size_t len = sizeof rising / sizeof *rising;
    for (size_t i = 0; i < len; i++)
        for (size_t j = 0; j < len; j++) {
            int order = result_key_compare(rising[i], rising[j]);
            assert_int_equal(order < 0 ? -1 : order > 0, i < j ? -1 : i > j);
        }
    assert_int_equal(result_key_compare("\\x41", "A"), 0);
    assert_int_equal(result_key_compare("\\xZZ", "\\xZZ"), 0);
    assert_true(result_key_compare("\\x5B", "\\x") < 0);
}

/* At any time the living regions tile the key space: each ends where the next begins. */
static void test_regions_alive(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    int ids[64];
    make_result(&opt, &res);
    const struct result_run *runs[] = {&res.run, &res.comparisons[0]};
    for (size_t r = 0; r < 2; r++) {
        for (double at_s = 0; at_s <= opt.duration_s; at_s += 37) {
            size_t len = result_regions_alive(runs[r], 0, at_s, ids, 64);
            assert_true(len >= 1 && len <= 64);
            assert_string_equal(runs[r]->regions[ids[0]].start, "");
            assert_string_equal(runs[r]->regions[ids[len - 1]].end, "");
            for (size_t i = 1; i < len; i++)
                assert_string_equal(runs[r]->regions[ids[i]].start, runs[r]->regions[ids[i - 1]].end);
        }
    }
    assert_int_equal(result_regions_alive(&res.run, 0, 7200, ids, 3), res.run.summary.regions_end);
    assert_int_equal(result_regions_alive(&res.run, -1, 0, ids, 3), 0);
    result_free(&res);
}

static void test_growth_keeps_elements(void **state)
{
    (void)state;
    struct result_run run;
    result_run_init(&run);
    run.servers_len = 0;
    for (int i = 0; i < 1000; i++) {
        struct result_region *reg = result_add_region(&run);
        struct result_event *ev = result_add_event(&run);
        struct result_window *win = result_add_window(&run);
        assert_non_null(reg);
        assert_non_null(ev);
        assert_non_null(win);
        assert_int_equal(reg->id, i);
        assert_int_equal(reg->server_end, -1);
        assert_int_equal(ev->daughter_b, -1);
        assert_true(isnan(reg->death_s));
        assert_true(isnan(ev->threshold));
        assert_true(isnan(win->p99_us));
        reg->writes = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_true(run.regions[i].writes == i);
    assert_ptr_equal(result_keep_text(&run, "split"), result_keep_text(&run, "split"));
    result_run_free(&run);
    assert_int_equal(run.regions_len, 0);
}

static void test_keyspace_overflow(void **state)
{
    (void)state;
    struct result_keyspace ks = {0};
    assert_int_equal(result_keyspace_alloc(&ks, SIZE_MAX / 4, 16), -1);
    assert_int_equal(result_keyspace_alloc(&ks, 4, SIZE_MAX / 8), -1);
    assert_null(ks.cells);
}

static void expect_name(struct result_run *run, int buckets, const char *salt, const char *expected)
{
    char name[RESULT_NAME_CAP], copy[80];
    snprintf(copy, sizeof copy, "%s", salt);
    char *old = run->tables[0].salt;
    run->tables[0].salt = copy;
    run->buckets = buckets;
    assert_string_equal(result_run_name(run, name), expected);
    run->tables[0].salt = old;
}

static void test_names(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    make_result(&opt, &res);
    expect_name(&res.run, 16, "phoenix", "16 buckets");
    expect_name(&res.run, 1, "phoenix", "1 bucket");
    expect_name(&res.run, 0, "none", "unsalted");
    expect_name(&res.run, 0, "md5hex 4", "salt md5hex 4");
    expect_name(&res.comparisons[0], 0, "md5hex 4", "unsalted");
    assert_string_equal(result_comparison(&res, "twice")->role, "twice");
    assert_null(result_comparison(&res, "thrice"));
    assert_null(result_run_at(&res, 3));
    assert_null(result_server_name(&res.run, 12));
    assert_string_equal(result_server_name(&res.run, 11), "rs11");
    assert_null(result_table_name(&res.run, -1));
    result_free(&res);
}

static void expect_number(double value, const char *expected)
{
    char text[RESULT_NUMBER_CAP];
    assert_int_equal(result_number_text(value, text), strlen(expected));
    assert_string_equal(text, expected);
}

static void test_numbers(void **state)
{
    (void)state;
    expect_number(0, "0");
    expect_number(-0.0, "0");
    expect_number(1.5, "1.5");
    expect_number(0.1, "0.1");
    expect_number(0.1 + 0.2, "0.30000000000000004");
    expect_number(288000000, "288000000");
    expect_number(9007199254740991.0, "9007199254740991");
    expect_number(1e300, "1e+300");
    expect_number(-2.5e-7, "-2.5e-07");
    expect_number((double)NAN, "null");
    expect_number(-(double)INFINITY, "null");
    uint64_t random = 99;
    for (int i = 0; i < 100000; i++) {
        char text[RESULT_NUMBER_CAP];
        double value;
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memcpy(&value, &random, sizeof value);
        if (!isfinite(value))
            continue;
        result_number_text(value, text);
        assert_true(strtod(text, NULL) == value);
    }
}

/* What printf writes in Germany or Iran becomes a dot; a real locale is tried where there is one. */
static void test_numbers_have_dots(void **state)
{
    (void)state;
    char text[RESULT_NUMBER_CAP];
    result_number_dot("-1,5e-07", text);
    assert_string_equal(text, "-1.5e-07");
    result_number_dot("1\xD9\xAB" "25", text);
    assert_string_equal(text, "1.25");
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!setlocale(LC_ALL, names[i]))
            continue;
        expect_number(1234567.25, "1234567.25");
        expect_number(0.1 + 0.2, "0.30000000000000004");
        setlocale(LC_ALL, "C");
        return;
    }
    print_message("no locale with a decimal comma is installed: only the replacement was tried\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key_order),
        cmocka_unit_test(test_regions_alive),
        cmocka_unit_test(test_growth_keeps_elements),
        cmocka_unit_test(test_keyspace_overflow),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_numbers_have_dots),
    };
    return cmocka_run_group_tests_name("result/result", tests, NULL, NULL);
}
