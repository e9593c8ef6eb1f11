/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on runs made by hand, where each number is plain, and the names of figures against the
   result's own. tests/cli/expect.transcript has the same through the program. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expect/expect.h"
#include "result/fields.h"

#define SERVERS 3

static char *copy(const char *s)
{
    char *p = malloc(strlen(s) + 1);

    assert_non_null(p);
    return strcpy(p, s);
}

/* |n| windows of 10 s: the hot ratio is |ratio[i]|; rs00 writes 100, rs01 200 and rs02 nothing. */
static void make_run(struct result_run *run, const double *ratio, size_t n)
{
    static const char *const names[] = {"rs00", "rs01", "rs02"};

    result_run_init(run);
    run->duration_s = 10 * (double)n;
    run->servers = calloc(SERVERS, sizeof *run->servers);
    assert_non_null(run->servers);
    run->servers_len = SERVERS;
    for (size_t s = 0; s < SERVERS; s++)
        run->servers[s].name = copy(names[s]);
    for (size_t i = 0; i < n; i++) {
        struct result_window *win = result_add_window(run);

        assert_non_null(win);
        win->begin_s = 10 * (double)i;
        win->end_s = win->begin_s + 10;
        win->done = 300;
        win->splits = 1;
        win->hot_server_ratio = ratio[i];
        win->server_writes[0] = 100;
        win->server_writes[1] = 200;
    }
}

static void drop(struct result_expectation *exp)
{
    struct result res;

    result_init(&res);
    res.expectations = malloc(sizeof *exp);
    assert_non_null(res.expectations);
    *res.expectations = *exp;
    res.expectations_len = 1;
    result_free(&res);
}

static struct spec_expect bound(const char *metric, double most)
{
    struct spec_expect exp = {.name = (char *)(uintptr_t)"e", .metric = (char *)(uintptr_t)metric, .at_most = true,
                              .bound = most};

    return exp;
}

static void test_says_value_where_and_since_when(void **state)
{
    static const double ratio[] = {1.0, 1.1, 1.5, NAN, 1.7, 1.6};
    struct spec_expect exp = bound("hot_server_ratio", 1.2);
    struct result_expectation out;
    struct expect_problem why;
    struct result_run run;

    (void)state;
    make_run(&run, ratio, 6);
    exp.last_ns = 20 * SPEC_NS_PER_S;
    assert_int_equal(expect_judge(&exp, &run, &out, &why), EXPECT_JUDGED);
    assert_string_equal(out.verdict, "fail");
    assert_true(fabs(out.value - 1.65) < 1e-12);
    assert_true(out.worst == 1.7 && out.worst_at_s == 40 && out.since_s == 20);
    assert_string_equal(out.where, "rs01");
    assert_true(out.begin_s == 40 && out.end_s == 60);
    drop(&out);
    exp.last_ns = 0;
    exp.to_ns = 20 * SPEC_NS_PER_S;
    assert_int_equal(expect_judge(&exp, &run, &out, &why), EXPECT_JUDGED);
    assert_string_equal(out.verdict, "pass");
    assert_true(fabs(out.value - 1.05) < 1e-12 && isnan(out.since_s));
    drop(&out);
    result_run_free(&run);
}

/* Sums take the part of a window that lies in the stretch. */
static void test_sums_take_parts_of_windows(void **state)
{
    static const double ratio[] = {1, 1, 1, 1};
    struct spec_expect exp = bound("splits", 2.5);
    struct result_expectation out;
    struct expect_problem why;
    struct result_run run;

    (void)state;
    make_run(&run, ratio, 4);
    exp.last_ns = 25 * SPEC_NS_PER_S;
    assert_int_equal(expect_judge(&exp, &run, &out, &why), EXPECT_JUDGED);
    assert_true(fabs(out.value - 2.5) < 1e-12);
    drop(&out);
    result_run_free(&run);
}

/* The server with nothing is judged too, and is the minimum. */
static void test_idle_server_is_the_minimum(void **state)
{
    static const double ratio[] = {2, 2};
    struct spec_expect exp = bound("writes", 1);
    struct result_expectation out;
    struct expect_problem why;
    struct result_run run;

    (void)state;
    make_run(&run, ratio, 2);
    exp.scope = SPEC_SCOPE_SERVER;
    exp.at_most = false;
    assert_int_equal(expect_judge(&exp, &run, &out, &why), EXPECT_JUDGED);
    assert_string_equal(out.verdict, "fail");
    assert_true(out.value == 0);
    assert_string_equal(out.where, "rs02");
    drop(&out);
    result_run_free(&run);
}

static void unjudged(const struct spec_expect *exp, const struct result_run *run, const char *key, const char *part)
{
    struct result_expectation out;
    struct expect_problem why;

    assert_int_equal(expect_judge(exp, run, &out, &why), EXPECT_UNJUDGED);
    assert_string_equal(why.key, key);
    assert_non_null(strstr(why.message, part));
}

static void test_nothing_passes_by_default(void **state)
{
    static const double ratio[] = {1, NAN, 1, 1};
    struct spec_expect exp = bound("hot_server_ratio", 99);
    struct result_run run;

    (void)state;
    make_run(&run, ratio, 4);
    exp.last_ns = 60 * SPEC_NS_PER_S;
    unjudged(&exp, &run, "window", "does not hold the window");
    exp.last_ns = 0;
    exp.from_ns = 10 * SPEC_NS_PER_S;
    exp.to_ns = 20 * SPEC_NS_PER_S;
    unjudged(&exp, &run, "window", "no sample");
    exp.to_ns = 14 * SPEC_NS_PER_S; /* less than half of any window */
    exp.from_ns = 11 * SPEC_NS_PER_S;
    unjudged(&exp, &run, "window", "no sample");
    exp = bound("write_p99_us", 99);
    unjudged(&exp, &run, "metric", "has no value");
    exp = bound("hot_server_rato", 99);
    unjudged(&exp, &run, "metric", "is no figure");
    exp = bound("writes", 99);
    exp.scope = SPEC_SCOPE_SERVER;
    exp.scope_name = (char *)(uintptr_t)"rs03";
    unjudged(&exp, &run, "scope", "no server");
    for (size_t i = 0; i < run.windows_len; i++)
        run.windows[i].done = 0;
    exp = bound("splits", 99);
    unjudged(&exp, &run, "window", "no row was written");
    result_run_free(&run);
}

static bool has(const struct result_field *fields, const char *name)
{
    for (const struct result_field *f = fields; f->name; f++)
        if (strcmp(f->name, name) == 0 && f->kind == RESULT_NUMBER)
            return true;
    return false;
}

/* Every figure that a scenario can name is a number of result.json, and every number of its summary
   can be named. */
static void test_figures_are_the_results(void **state)
{
    (void)state;
    for (const struct spec_figure *fig = spec_figures; fig->name; fig++) {
        const bool windows = fig->over != SPEC_OVER_RUN;
        const struct result_field *fields = fig->scope == SPEC_SCOPE_ALL      ? windows ? result_window_fields
                                                                                       : result_summary_fields
                                            : fig->scope == SPEC_SCOPE_SERVER ? result_server_fields
                                            : fig->scope == SPEC_SCOPE_TABLE  ? result_table_fields
                                            : fig->scope == SPEC_SCOPE_REGION ? result_region_fields
                                                                              : result_query_fields;

        if (!has(fields, fig->name))
            fail_msg("%s is no number of the result", fig->name);
    }
    for (const struct result_field *f = result_summary_fields; f->name; f++) {
        if (strncmp(f->name, "windows", strlen("windows")) == 0)
            continue;
        if (!spec_figure_find(SPEC_SCOPE_ALL, f->name, strlen(f->name)))
            fail_msg("summary.%s can't be named by an expectation", f->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_says_value_where_and_since_when),
        cmocka_unit_test(test_sums_take_parts_of_windows),
        cmocka_unit_test(test_idle_server_is_the_minimum),
        cmocka_unit_test(test_nothing_passes_by_default),
        cmocka_unit_test(test_figures_are_the_results),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
