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
    exp = bound("p99_us", 99); /* no window of the run has it */
    exp.last_ns = 20 * SPEC_NS_PER_S;
    unjudged(&exp, &run, "metric", "has no value");
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

static const struct result_field *const fields_of[] = {result_summary_fields, result_server_fields, result_table_fields,
                                                       result_region_fields, result_query_fields};

/* Every figure that a scenario can name is a number of result.json, and every number there of the
   summary, a server, table, region or query can be named and found by walking. */
static void test_figures_are_the_results(void **state)
{
    struct spec_figure fig, again;

    (void)state;
    for (int s = SPEC_SCOPE_ALL; s <= SPEC_SCOPE_QUERY; s++) {
        for (size_t i = 0; spec_figure_at((enum spec_scope)s, i, &fig); i++) {
            const bool windows = s == SPEC_SCOPE_ALL && fig.over != SPEC_OVER_RUN;

            if (!has(windows ? result_window_fields : fields_of[s], fig.name))
                fail_msg("%s is no number of the result", fig.name);
            assert_true(spec_figure_find((enum spec_scope)s, fig.name, strlen(fig.name), &again));
            assert_true(again.unit == fig.unit && again.over == fig.over);
        }
        for (const struct result_field *f = fields_of[s]; f->name; f++) {
            if (f->kind == RESULT_NUMBER && !spec_figure_find((enum spec_scope)s, f->name, strlen(f->name), &fig))
                fail_msg("%s of a %s can't be named by an expectation", f->name, spec_scope_word((enum spec_scope)s));
        }
    }
}

/* The unit in which a bound is written follows from the name. */
static void test_units_follow_from_names(void **state)
{
    static const struct {
        enum spec_scope scope;
        const char *name;
        enum spec_figure_unit unit;
    } cases[] = {
        {SPEC_SCOPE_ALL, "regions_expired", SPEC_FIGURE_COUNT},   {SPEC_SCOPE_ALL, "max_write_rate_per_s", SPEC_FIGURE_RATE},
        {SPEC_SCOPE_ALL, "queue_age_max_s", SPEC_FIGURE_S},       {SPEC_SCOPE_ALL, "write_p99_us", SPEC_FIGURE_US},
        {SPEC_SCOPE_SERVER, "share", SPEC_FIGURE_SHARE},          {SPEC_SCOPE_SERVER, "disk_bytes", SPEC_FIGURE_BYTES},
        {SPEC_SCOPE_ALL, "hot_server_ratio_total", SPEC_FIGURE_NUMBER}, {SPEC_SCOPE_QUERY, "bytes", SPEC_FIGURE_BYTES},
        {SPEC_SCOPE_QUERY, "cache_hit_share", SPEC_FIGURE_SHARE}, {SPEC_SCOPE_ALL, "writes_done", SPEC_FIGURE_COUNT},
    };
    struct spec_figure fig;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(spec_figure_find(cases[i].scope, cases[i].name, strlen(cases[i].name), &fig));
        assert_int_equal(fig.unit, cases[i].unit);
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
        cmocka_unit_test(test_units_follow_from_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
