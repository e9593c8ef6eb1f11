/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../chart/make_result.h"
#include "result/json.h"

static char *written(const struct result *res, size_t *len)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, len);
    assert_non_null(to);
    assert_int_equal(result_write_json(res, to), 0);
    assert_int_equal(fclose(to), 0);
    return text;
}

static int read_text(const char *text, size_t len, char *message, struct result *res)
{
    char path[] = "/tmp/saltplan-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, len), (ssize_t)len);
    close(fd);
    int rc = result_read_json(path, message, 300, res);
    unlink(path);
    return rc;
}

static void round_trip(const struct result *res)
{
    struct result again;
    char message[300] = "";
    size_t len, len_again;
    char *text = written(res, &len);
    int rc = read_text(text, len, message, &again);
    if (rc != 0)
        fail_msg("%d: %s", rc, message);
    char *text_again = written(&again, &len_again);
    assert_int_equal(len, len_again);
    assert_string_equal(text, text_again);
    assert_int_equal(again.run.regions_len, res->run.regions_len);
    assert_int_equal(again.run.windows_len, res->run.windows_len);
    assert_int_equal(again.run.events_len, res->run.events_len);
    assert_int_equal(again.comparisons_len, res->comparisons_len);
    assert_int_equal(again.plan.present, res->plan.present);
    assert_int_equal(again.scenario_len, res->scenario_len);
    assert_true(again.seed == res->seed);
    free(text);
    free(text_again);
    result_free(&again);
}

/* Bit for bit the same doubles, not only the same text. */
static void test_values_survive(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res, again;
    char message[300] = "";
    size_t len;
    opt.plan = true;
    make_result(&opt, &res);
    res.run.summary.hot_server_ratio = 0.1 + 0.2;
    res.run.summary.write_mean_us = 1.0 / 3.0;
    res.run.summary.write_max_us = 4.9406564584124654e-324;
    res.run.summary.writes_offered = 1.7976931348623157e308;
    res.run.summary.queue_age_max_s = (double)NAN;
    struct result_stage lacking = {.n = 8, .rate_per_s = 90000, .max_write_rate_per_s = 45000, .headroom = -0.5};
    free(res.plan.stages);
    res.plan.stages = malloc(sizeof lacking);
    assert_non_null(res.plan.stages);
    res.plan.stages[0] = lacking;
    res.plan.stages_len = 1;
    char *text = written(&res, &len);
    assert_int_equal(read_text(text, len, message, &again), 0);
    assert_memory_equal(&again.run.summary.writes_done, &res.run.summary.writes_done,
                        sizeof(struct result_summary) - offsetof(struct result_summary, writes_done) -
                            4 * sizeof(double));
    assert_true(again.run.summary.hot_server_ratio == 0.1 + 0.2);
    assert_true(again.run.summary.write_max_us == 4.9406564584124654e-324);
    assert_true(again.run.summary.writes_offered == 1.7976931348623157e308);
    assert_true(isnan(again.run.summary.queue_age_max_s));
    assert_true(again.plan.stages_len == 1 && again.plan.stages[0].headroom == -0.5);
    for (size_t i = 0; i < res.run.keyspace.rows * res.run.keyspace.columns; i++) {
        assert_true(again.run.keyspace.cells[i] == res.run.keyspace.cells[i]);
        assert_int_equal(again.run.keyspace.server[i], res.run.keyspace.server[i]);
    }
    const struct result_event *ev = &again.run.events[0], *old = &res.run.events[0];
    assert_string_equal(ev->kind, old->kind);
    assert_string_equal(ev->rule, old->rule);
    assert_string_equal(ev->inputs[1].name, "regions_on_server");
    assert_true(ev->inputs[0].value == old->inputs[0].value);
    assert_null(ev->inputs[2].name);
    assert_int_equal(ev->to_server, -1);
    assert_string_equal(again.run.regions[3].start, res.run.regions[3].start);
    assert_true(isnan(again.run.regions[again.run.regions_len - 1].death_s));
    assert_true(isnan(again.plan.candidates[0].scan_p99_us.mean));
    assert_true(again.plan.candidates[2].hot_server_ratio.hi == 1.5);
    assert_int_equal(again.plan.query_costs_len, res.plan.query_costs_len);
    assert_string_equal(again.plan.query_costs[5].query, "window");
    assert_string_equal(again.plan.query_costs[5].kind, "range 5m");
    assert_int_equal(again.plan.query_costs[5].n, 8);
    assert_true(again.plan.query_costs[5].p99_us == 12.5e6 && again.plan.query_costs[5].p999_us == 15e6);
    assert_true(again.plan.query_costs[5].independent_p50_us == 10e6 && again.plan.query_costs[5].independent_p999_us == 12.5e6);
    assert_string_equal(again.scenario[5].text, "q:4");
    free(text);
    result_free(&res);
    result_free(&again);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const struct make_options cases[] = {
        {12, 16, 7200, 240, 256, 40000, true}, {3, 0, 10, 10, 64, 100, false},
        {100, 256, 63072000, 365, 256, 1e6, true}, {1, 1, 60, 1, 1, 10, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result res;
        make_result(&cases[i], &res);
        assert_int_equal(result_add_diagnostic(&res, "note", "W-TEST", "a \"quoted\"\n%s", "\x01 \xff \xc3\xa9"), 0);
        round_trip(&res);
        result_free(&res);
    }
}

static void test_empty_result(void **state)
{
    (void)state;
    struct result res;
    result_init(&res);
    res.seed = UINT64_MAX;
    round_trip(&res);
    result_free(&res);
}

/* NaN is null where the field must stand, and absent where it may be missing. */
static void test_absent_and_null(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    size_t len;
    make_result(&opt, &res);
    res.run.summary.queue_age_max_s = (double)NAN;
    res.run.keyspace.cells[0] = (double)INFINITY;
    char *text = written(&res, &len);
    assert_non_null(strstr(text, "\"queue_age_max_s\": null"));
    assert_null(strstr(text, "\"p99_us\": null"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    json_error_t error;
    json_t *top = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    assert_non_null(top);
    json_t *query = json_array_get(json_object_get(top, "queries"), 0);
    assert_null(json_object_get(query, "rpcs"));
    assert_true(json_number_value(json_object_get(query, "scans")) == 16);
    json_t *column = json_object_get(json_object_get(json_object_get(top, "scenario"), "family telemetry/d"), "column");
    assert_int_equal(json_array_size(column), 2);
    json_t *first_row = json_array_get(json_object_get(json_object_get(top, "keyspace"), "cells"), 0);
    assert_true(json_is_null(json_array_get(first_row, 0)));
    assert_string_equal(json_string_value(json_object_get(json_array_get(json_object_get(top, "comparisons"), 0), "role")),
                        "none");
    json_decref(top);
    free(text);
    result_free(&res);
}

static void expect_failure(const char *text, int error, const char *part)
{
    struct result res;
    char message[300] = "";
    memset(&res, 0x5A, sizeof res);
    int rc = read_text(text, strlen(text), message, &res);
    if (rc != error || !strstr(message, part))
        fail_msg("%s\n  gave %d: %s\n  expected %d with '%s'", text, rc, message, error, part);
    for (size_t i = 0; i < sizeof res; i++)
        assert_int_equal(((unsigned char *)&res)[i], 0x5A);
}

#define TOP "{\"schema\": \"saltplan/1\", \"servers\": [{\"name\": \"rs00\"}], \"tables\": [{\"name\": \"t\"}], "
#define RUN "\"duration_s\": 1, \"server_capacity_per_s\": 9, "
#define LISTS "\"regions\": [], \"timeline\": [], \"events\": []"
#define SUMMARY "\"summary\": {\"writes_offered\": 1, \"writes_done\": 1, \"writes_rejected\": 0, \"writes_queued\": 0, " \
    "\"hot_server_ratio\": null, \"write_tails\": 1}"
#define SAMPLED "\"timeline\": [{\"begin_s\": 0, \"end_s\": 1, \"server_writes\": [0], \"server_tails\": [0]}]"

static void test_malformed(void **state)
{
    (void)state;
    expect_failure("{\n  \"schema\": \"saltplan/1\",\n  }", RESULT_READ_SYNTAX, "line 3, column 3");
    expect_failure("", RESULT_READ_SYNTAX, "line 1");
    expect_failure("[1]", RESULT_READ_SCHEMA, "not a result");
    expect_failure("{\"schema\": \"saltplan/2\"}", RESULT_READ_SCHEMA, "\"saltplan/2\", this version reads \"saltplan/1\"");
    expect_failure("{\"schema\": \"saltplan/1\", \"schema\": 1}", RESULT_READ_SYNTAX, "duplicate");
    expect_failure(TOP "\"summary\": {\"splits\": \"8\"}}", RESULT_READ_CONTENT, "summary.splits: a number");
    expect_failure(TOP "\"summary\": 3}", RESULT_READ_CONTENT, "summary: an object");
    expect_failure(TOP "\"partial\": 3}", RESULT_READ_CONTENT, "partial: true or false");
    expect_failure(TOP "\"server_capacity_per_s\": -1}", RESULT_READ_CONTENT, "server_capacity_per_s: a number of 0");
    expect_failure(TOP "\"summary\": {\"write_refusals\": -1}}", RESULT_READ_CONTENT, "summary.write_refusals: a number of 0");
    expect_failure(TOP "\"plan\": {\"candidates\": [{\"n\": 1, \"regions\": {\"mean\": -1}}]}}", RESULT_READ_CONTENT,
                   "plan.candidates[0].regions: a mean of 0");
    expect_failure(TOP SAMPLED "}", RESULT_READ_CONTENT, "duration_s: a number above 0");
    expect_failure(TOP "\"duration_s\": 1, " SAMPLED "}", RESULT_READ_CONTENT, "server_capacity_per_s: a number above 0");
    expect_failure(TOP RUN SAMPLED ", \"regions\": [{\"id\": 0, \"writes\": 1}]}", RESULT_READ_CONTENT,
                   "regions[0]: its start key");
    expect_failure(TOP RUN SAMPLED ", \"regions\": [{\"id\": 0, \"start\": \"\", \"writes\": null}]}", RESULT_READ_CONTENT,
                   "regions[0].writes: a number of 0");
    expect_failure(TOP RUN "\"timeline\": [{\"begin_s\": 2, \"end_s\": 1, \"server_writes\": [0], \"server_tails\": [0]}]}",
                   RESULT_READ_CONTENT, "timeline[0]: times must rise");
    expect_failure(TOP RUN "\"timeline\": [{\"begin_s\": 0, \"end_s\": null, \"server_writes\": [0], \"server_tails\": [0]}]}",
                   RESULT_READ_CONTENT, "timeline[0].end_s: a number of 0");
    expect_failure(TOP "\"queries\": 3}", RESULT_READ_CONTENT, "queries: an array");
    expect_failure(TOP "\"regions\": [{\"id\": 0, \"server_end\": 1}]}", RESULT_READ_CONTENT,
                   "regions[0].server_end: 1 points at nothing, there are 1");
    expect_failure(TOP "\"regions\": [{\"id\": 7}]}", RESULT_READ_CONTENT, "regions[0]: id is 7");
    expect_failure(TOP "\"regions\": [{\"id\": 0.5}]}", RESULT_READ_CONTENT, "regions[0].id: a whole number");
    expect_failure(TOP "\"events\": [{\"id\": 0, \"region\": -2}]}", RESULT_READ_CONTENT, "events[0].region: -2");
    expect_failure(TOP "\"timeline\": [{\"server_writes\": [1, 2], \"server_tails\": [1]}]}", RESULT_READ_CONTENT,
                   "timeline[0].server_writes: 1 numbers are expected, not 2");
    expect_failure(TOP "\"keyspace\": {\"table\": 0, \"buckets\": 2, \"edges\": [\"\"], \"row_bucket\": [0], "
                   "\"times\": [0, 1], \"cells\": [[1]], \"server\": [[0]]}}", RESULT_READ_CONTENT, "2 buckets");
    expect_failure(TOP "\"keyspace\": {\"table\": 0, \"buckets\": 1, \"edges\": [\"\"], \"row_bucket\": [0], "
                   "\"times\": [1, 0], \"cells\": [[1]], \"server\": [[0]]}}", RESULT_READ_CONTENT, "times must rise");
    expect_failure(TOP "\"keyspace\": {\"table\": 0, \"buckets\": 1, \"edges\": [\"\"], \"row_bucket\": [0], "
                   "\"times\": [0, 1], \"cells\": [[1, 2]], \"server\": [[0]]}}", RESULT_READ_CONTENT, "row 0: 1 values");
    expect_failure(TOP "\"comparisons\": [{\"servers\": [{\"name\": 4}]}]}", RESULT_READ_CONTENT,
                   "comparisons[0].servers[0].name: a text");
    expect_failure(TOP "\"plan\": {\"candidates\": [{\"n\": 1, \"scans\": 3}]}}", RESULT_READ_CONTENT,
                   "plan.candidates[0].scans: an object");
}

/* A result from which a part was taken says which, and nothing is made up for it. */
static void test_missing_parts(void **state)
{
    (void)state;
    struct result res;
    char message[300] = "";
    const char *whole = TOP SUMMARY ", " LISTS ", \"queries\": []}";

    assert_int_equal(read_text(whole, strlen(whole), message, &res), 0);
    result_free(&res);
    expect_failure("{\"schema\": \"saltplan/1\"}", RESULT_READ_CONTENT, "\"summary\" is missing");
    expect_failure(TOP LISTS ", \"queries\": []}", RESULT_READ_CONTENT, "\"summary\" is missing");
    expect_failure(TOP SUMMARY ", " LISTS "}", RESULT_READ_CONTENT, "\"queries\" is missing");
    expect_failure(TOP LISTS ", \"queries\": [], \"summary\": {\"writes_offered\": 1}}", RESULT_READ_CONTENT,
                   "summary: \"writes_done\" is missing");
    expect_failure(TOP SUMMARY ", " LISTS ", \"queries\": [], \"comparisons\": [{}]}", RESULT_READ_CONTENT,
                   "comparisons[0]: \"summary\" is missing");
}

static void test_missing_file(void **state)
{
    (void)state;
    struct result res;
    char message[300] = "";
    assert_int_equal(result_read_json("/nowhere/result.json", message, sizeof message, &res), RESULT_READ_FILE);
    assert_string_equal(message, "/nowhere/result.json: can't be opened: No such file or directory");
    assert_int_equal(result_read_json("/tmp", message, sizeof message, &res), RESULT_READ_FILE);
}

/* A text cut off anywhere is refused with a message, never half accepted. */
static void test_truncated(void **state)
{
    (void)state;
    static const struct make_options small = {3, 4, 60, 6, 8, 1000, true};
    struct result res, again;
    size_t len;
    make_result(&small, &res);
    char *text = written(&res, &len);
    for (size_t cut = 0; cut < len - 2; cut += 97) {
        char message[300] = "";
        assert_int_equal(read_text(text, cut, message, &again), RESULT_READ_SYNTAX);
        assert_non_null(strstr(message, "line "));
    }
    free(text);
    result_free(&res);
}

static void test_unknown_fields_pass(void **state)
{
    (void)state;
    struct result res;
    char message[300] = "";
    const char *text = TOP LISTS ", \"queries\": [], \"later\": {\"a\": [1]}, \"summary\": {\"splits\": 8, \"new_figure\": {}, "
                       "\"writes_offered\": 1, \"writes_done\": 1, \"writes_rejected\": 0, \"writes_queued\": 0, "
                       "\"hot_server_ratio\": null, \"write_tails\": 1}}";
    assert_int_equal(read_text(text, strlen(text), message, &res), 0);
    assert_true(res.run.summary.splits == 8);
    assert_true(isnan(res.run.summary.hot_server_ratio));
    result_free(&res);
}

/* A disk that fills up is reported by the writer's return value or by the commit. */
static void test_write_error(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    FILE *to = fopen("/dev/full", "w");
    if (!to)
        skip();
    make_result(&opt, &res);
    assert_int_equal(result_write_json(&res, to), -1);
    fclose(to);
    result_free(&res);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_survive),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_empty_result),
        cmocka_unit_test(test_absent_and_null),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_missing_parts),
        cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_unknown_fields_pass),
        cmocka_unit_test(test_write_error),
    };
    return cmocka_run_group_tests_name("result/json", tests, NULL, NULL);
}
