/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../chart/make_result.h"
#include "report/report.h"
#include "result/format.h"

static char *text_of(const struct result *res)
{
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);
    assert_non_null(to);
    assert_int_equal(report_write_text(res, to), 0);
    fclose(to);
    return text;
}

/* Counts the lines and gives the last one. */
static int lines_of(const char *text, const char **last)
{
    int lines = 0;
    for (const char *at = text; *at;) {
        const char *end = strchr(at, '\n');
        assert_non_null(end);
        *last = at;
        lines++;
        at = end + 1;
    }
    return lines;
}

static void check_page(const struct result *res)
{
    const char *last = NULL;
    char *text = text_of(res);
    int lines = lines_of(text, &last);
    const int most = REPORT_LINES + (res->plan.query_costs_len > 0 ? REPORT_COSTS_LINES : 0);
    if (lines > most || strncmp(last, "verdict: ", 9) != 0)
        fail_msg("%d lines, the last: %s\n%s", lines, last, text);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
}

static void test_lines(void **state)
{
    (void)state;
    static const struct make_options cases[] = {
        {12, 16, 7200, 240, 256, 40000, false}, {12, 16, 7200, 240, 256, 40000, true},
        {3, 0, 10, 10, 64, 100, false}, {100, 256, 63072000, 365, 256, 1e6, true}, {1, 1, 60, 1, 1, 10, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result res;
        make_result(&cases[i], &res);
        check_page(&res);
        for (int n = 0; n < 30; n++)
            assert_int_equal(result_add_diagnostic(&res, "note", "N-TEST", "line\nfeeds\nin a text %d", n), 0);
        check_page(&res);
        result_free(&res);
    }
    struct result empty;
    result_init(&empty);
    check_page(&empty);
}

static void expect_part(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

static void test_says_the_facts(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    make_result(&opt, &res);
    char *text = text_of(&res);
    expect_part(text, "IoT telemetry, 16 buckets on 12 servers\niot-telemetry, seed 1, 2h in windows of 30s");
    expect_part(text, "     16 buckets       unsalted     32 buckets\n");
    expect_part(text, "hot server ratio                    1.50x          12.0x          1.12x\n");
    expect_part(text, "done of offered                     100 %         50.0 %          100 %\n");
    expect_part(text, "queued at the end, rows                 0          144 M              0\n");
    expect_part(text, "288 M offered = 288 M done + 0 rejected + 0 queued");
    expect_part(text, "splits    8, at 12m07s, 12m09s, 12m10s, 12m15s, 12m18s, 12m19s, 12m22s, 12m24s\n");
    expect_part(text, "query     window, range 5m: 16 scans (unsalted: 1 scan)");
    expect_part(text, "verdict: keeps up with 40.0 k rows/s on 16 write tails; the hottest server does 1.50x its share");
    free(text);
    result_free(&res);
    opt.buckets = 0;
    make_result(&opt, &res);
    text = text_of(&res);
    expect_part(text, "verdict: does not keep up. 20.0 k rows/s of 40.0 k rows/s are done, 144 M rows queued, none rejected; "
                      "1 write tail, the hottest server does 12.0x its share");
    free(text);
    result_free(&res);
}

/* However full the page is: what warns stands on it, what doesn't is counted. */
static void test_warnings_are_never_hidden(void **state)
{
    (void)state;
    for (int plan = 0; plan < 2; plan++) {
        struct make_options opt = make_defaults();
        struct result res;
        char part[120];
        opt.plan = plan;
        make_result(&opt, &res);
        struct result_query *more = realloc(res.run.queries, (res.run.queries_len + 30) * sizeof *more);
        assert_non_null(more);
        res.run.queries = more;
        more += res.run.queries_len;
        memset(more, 0, 30 * sizeof *more);
        res.run.queries_len += 30;
        for (int n = 0; n < 30; n++) {
            assert_int_equal(result_add_diagnostic(&res, "note", "N-TEST", "a note %d", n), 0);
            assert_int_equal(result_add_diagnostic(&res, "warning", "W-TEST", "a warning %d.", n), 0);
            struct result_query *query = &more[n];
            snprintf(part, sizeof part, "query-%d", n);
            query->name = strdup(part);
            query->kind = strdup("full");
            query->scans = 1;
            query->rpcs = query->p99_us = (double)NAN;
            query->rows_lost_share = n == 17 ? 0.01 : (double)NAN;
            if (n == 23)
                query->note = strdup("this query alone would take 130 % of its busiest server");
        }
        char *text = text_of(&res);
        for (int n = 0; n < 30; n++) {
            snprintf(part, sizeof part, "\nwarning   a warning %d.\n", n);
            expect_part(text, part);
        }
        expect_part(text, "\nquery     query-17, full: 1 scan, loses 1 % of the rows\n");
        expect_part(text, "this query alone would take 130 % of its busiest server\n");
        assert_null(strstr(text, "query-20"));
        assert_null(strstr(text, "a note 20"));
        free(text);
        result_free(&res);
    }
}

/* Equal times stand once; of many the first ones and the last. */
static void test_split_times(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    make_result(&opt, &res);
    for (size_t i = 0; i < res.run.events_len; i++)
        res.run.events[i].at_s = i < 7 ? 720.1 + 0.01 * (double)i : 900;
    char *text = text_of(&res);
    expect_part(text, "splits    8, at 12m (7), 15m\n");
    free(text);
    for (int i = 0; i < 100; i++) {
        struct result_event *ev = result_add_event(&res.run);
        assert_non_null(ev);
        ev->kind = "split";
        ev->at_s = 1000 + 10 * i;
    }
    text = text_of(&res);
    expect_part(text, "splits    108, at 12m (7), 15m, 16m40s, ");
    expect_part(text, " ... 33m10s\n");
    free(text);
    result_free(&res);
}

static void test_plan_table(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    opt.plan = true;
    make_result(&opt, &res);
    char *text = text_of(&res);
    expect_part(text, "     N  hot ratio    saturates at   tails    idle   scans  regions   hot_server_ratio <= 1.6\n");
    expect_part(text, "\n  none      12.0x   20.0 k rows/s       1      11       1        9   hot_server_ratio 12 > 1.6\n");
    expect_part(text, "\n     8      1.50x    160 k rows/s       8       4       8       16   recommended\n");
    expect_part(text, "\nverdict: N = 8: 8 is the smallest");
    free(text);
    res.plan.recommended_n = -1;
    text = text_of(&res);
    expect_part(text, "\nverdict: no candidate meets the targets.");
    free(text);
    result_free(&res);
}

/* 64 candidates: the recommended row and its neighbours stand, the others are pointed to. */
static void test_many_candidates(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    opt.plan = true;
    make_result(&opt, &res);
    for (size_t i = 0; i < res.plan.candidates_len; i++)
        free(res.plan.candidates[i].why_not);
    free(res.plan.candidates);
    res.plan.candidates_len = 65;
    res.plan.candidates = calloc(65, sizeof *res.plan.candidates);
    assert_non_null(res.plan.candidates);
    for (int i = 0; i < 65; i++) {
        result_candidate_init(&res.plan.candidates[i]);
        res.plan.candidates[i].n = i;
    }
    static const int recommended[] = {-1, 0, 1, 5, 32, 63, 64};
    for (size_t i = 0; i < sizeof recommended / sizeof *recommended; i++) {
        res.plan.recommended_n = recommended[i];
        check_page(&res);
        char *text = text_of(&res);
        if (recommended[i] >= 0)
            expect_part(text, "   recommended\n");
        expect_part(text, "55 more in candidates.csv");
        free(text);
    }
    result_free(&res);
}

static void expect_format(const char *(*format)(double, char *), double value, const char *expected)
{
    char text[FORMAT_CAP];
    assert_string_equal(format(value, text), expected);
}

static void test_formats(void **state)
{
    (void)state;
    expect_format(format_count, 16, "16");
    expect_format(format_count, 0, "0");
    expect_format(format_count, 9999, "9999");
    expect_format(format_count, 288000000, "288 M");
    expect_format(format_count, 999600, "1.00 M");
    expect_format(format_count, 12.7, "12.7");
    expect_format(format_count, (double)NAN, "-");
    expect_format(format_count, 1e30, "1.00e+15 P");
    expect_format(format_ratio, 1.499, "1.50x");
    expect_format(format_ratio, 9.999, "10.0x");
    expect_format(format_ratio, 0.3440, "0.344x");
    expect_format(format_rate, 40000, "40.0 k rows/s");
    expect_format(format_percent, 0.125, "12.5 %");
    expect_format(format_percent, 1, "100 %");
    expect_format(format_bytes, 270532608, "258 MiB");
    expect_format(format_bytes, 1023.9, "1.00 KiB");
    expect_format(format_latency, 850, "850 \xC2\xB5s");
    expect_format(format_latency, 2400, "2.40 ms");
    expect_format(format_latency, 1090000, "1.09 s");
    expect_format(format_time, 0, "0s");
    expect_format(format_time, 0.002, "2.00ms");
    expect_format(format_time, 0.25, "250ms");
    expect_format(format_time, 0.9999, "1s");
    expect_format(format_time, 1.5, "1.5s");
    expect_format(format_time, 45, "45s");
    expect_format(format_time, 59.6, "1m");
    expect_format(format_time, 725, "12m05s");
    expect_format(format_time, 7200, "2h");
    expect_format(format_time, 5400, "1h30m");
    expect_format(format_time, 273600, "3d04h");
    expect_format(format_time, 63072000, "2y");
    expect_format(format_time, 31622400, "1y001d");
    expect_format(format_time, -1, "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_says_the_facts),
        cmocka_unit_test(test_warnings_are_never_hidden), cmocka_unit_test(test_split_times),
        cmocka_unit_test(test_plan_table),
        cmocka_unit_test(test_many_candidates),
        cmocka_unit_test(test_formats),
    };
    return cmocka_run_group_tests_name("report/text", tests, NULL, NULL);
}
