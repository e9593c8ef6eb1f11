/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every decision that the presets log is asked again of the pure function that took it, from the
   logged inputs alone, after a trip through result.json: the answer must be the same. A changed input
   must change it. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "result/json.h"
#include "scenario/scenario.h"
#include "sim/sim.h"
#include "why/why.h"

#define KINDS 8

static const char *const kinds[] = {"split", "flush", "compaction", "balancer", "refusal", "flush postponed", "log flush",
                                    "updates blocked"};

struct asked {
    size_t same[KINDS], other[KINDS];
    size_t log_flushes, pressure_flushes; /* of |same|, by their rule */
};

static size_t kind_of(const char *kind)
{
    size_t k = 0;

    while (k < sizeof kinds / sizeof kinds[0] && strcmp(kinds[k], kind) != 0)
        k++;
    return k;
}

static void ask_all(const struct result_run *run, const char *name, struct asked *sum)
{
    char text[200];

    for (size_t i = 0; i < run->events_len; i++) {
        const struct result_event *ev = &run->events[i];
        const enum why_answer answer = why_ask(ev, text, sizeof text);

        assert_non_null(ev->rule);
        if (answer == WHY_DIFFERENT)
            fail_msg("%s: event %d (%s, %s) asked again: %s", name, ev->id, ev->kind, ev->rule, text);
        if (answer == WHY_SAME && strcmp(ev->kind, "flush") == 0) {
            sum->log_flushes += strcmp(ev->rule, "hbase.regionserver.maxlogs") == 0;
            sum->pressure_flushes += strcmp(ev->rule, "hbase.regionserver.global.memstore.size") == 0;
        }
        if (kind_of(ev->kind) < KINDS)
            (answer == WHY_SAME ? sum->same : sum->other)[kind_of(ev->kind)]++;
    }
}

/* Through the file, as `saltplan why` has it. */
static void reread(const struct result *res, struct result *again)
{
    char path[] = "/tmp/test_why-XXXXXX", message[200];
    const int fd = mkstemp(path);
    FILE *to;

    assert_true(fd >= 0);
    to = fdopen(fd, "w");
    assert_non_null(to);
    assert_int_equal(result_write_json(res, to), 0);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(result_read_json(path, message, sizeof message, again), 0);
    unlink(path);
}

static void run_scenario(const char *path, const struct scenario_override *changes, size_t len, struct asked *sum)
{
    struct scenario_diags dgs = {0};
    struct scenario sc;
    struct result res, again;
    struct sim_end end;

    assert_int_equal(scenario_load(path, changes, len, &sc, &dgs), SCENARIO_OK);
    result_init(&res);
    assert_int_equal(sim_all(&sc.spec, 1, NULL, &res, &end), 0);
    reread(&res, &again);
    ask_all(&again.run, path, sum);
    assert_int_equal(again.run.events_len, res.run.events_len);
    result_free(&again);
    result_free(&res);
    scenario_free(&sc);
    diags_free(&dgs);
}

static const char *folder(void)
{
    static char path[1024];
    const char *src = getenv("srcdir");

    snprintf(path, sizeof path, "%s/scenarios", src ? src : ".");
    return path;
}

static void test_presets(void **state)
{
    static const struct scenario_override changes[] = {
        {SCENARIO_SET, "[scenario] compare=no"}};
    struct asked sum = {{0}, {0}, 0, 0};
    DIR *dir = opendir(folder());
    struct dirent *entry;
    size_t n = 0;

    (void)state;
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        char path[1400];
        const char *dot = strrchr(entry->d_name, '.');

        if (!dot || strcmp(dot, ".ini") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder(), entry->d_name);
        run_scenario(path, changes, sizeof changes / sizeof changes[0], &sum);
        n++;
    }
    closedir(dir);
    assert_true(n >= 5);
    for (size_t k = 0; k < 4; k++) {
        print_message("%s: %zu asked again, %zu were no decisions\n", kinds[k], sum.same[k], sum.other[k]);
        assert_true(sum.same[k] > 0);
    }
}

/* A flush size far below what the rate needs, on a slow disk. */
static void test_overload(void **state)
{
    static const struct scenario_override changes[] = {
        {SCENARIO_DURATION, "60s"},
        {SCENARIO_DETAIL, "write"},
        {SCENARIO_SET, "[scenario] compare=no"},
        {SCENARIO_SET, "[server] disk=600kB/s"},
        {SCENARIO_PROPERTY, "hbase.hregion.memstore.flush.size=1048576"},
        {SCENARIO_PROPERTY, "hbase.hstore.blockingStoreFiles=3"},
        {SCENARIO_BUCKETS, "12"}};
    struct asked sum = {{0}, {0}, 0, 0};
    char path[1400];

    (void)state;
    snprintf(path, sizeof path, "%s/iot-telemetry.ini", folder());
    run_scenario(path, changes, sizeof changes / sizeof changes[0], &sum);
    assert_true(sum.same[4] > 0 && sum.same[5] > 0);
}

/* A flush size that no region reaches: the log, or the server's limit, asks for the flushes. */
static void test_forced(void **state)
{
    static const struct scenario_override log[] = {
        {SCENARIO_DURATION, "15m"},
        {SCENARIO_DETAIL, "tick"},
        {SCENARIO_SET, "[scenario] compare=no"},
        {SCENARIO_PROPERTY, "hbase.hregion.memstore.flush.size=1000000000"},
        {SCENARIO_PROPERTY, "hbase.regionserver.maxlogs=3"}};
    static const struct scenario_override limit[] = {
        {SCENARIO_DURATION, "3m"},
        {SCENARIO_DETAIL, "write"},
        {SCENARIO_SET, "[scenario] compare=no"},
        {SCENARIO_SET, "[cluster] heap=256MiB"},
        {SCENARIO_SET, "[server] disk=1MB/s"}};
    struct asked sum = {{0}, {0}, 0, 0};
    char path[1400];

    (void)state;
    snprintf(path, sizeof path, "%s/iot-telemetry.ini", folder());
    run_scenario(path, log, sizeof log / sizeof log[0], &sum);
    assert_true(sum.same[6] > 0 && sum.log_flushes > 0);
    run_scenario(path, limit, sizeof limit / sizeof limit[0], &sum);
    assert_true(sum.same[7] > 0 && sum.pressure_flushes > 0);
}

static struct result_event event(const char *kind, const char *rule, double threshold)
{
    struct result_event ev;

    memset(&ev, 0, sizeof ev);
    ev.kind = kind;
    ev.rule = rule;
    ev.threshold = threshold;
    return ev;
}

static void test_a_changed_input_changes_the_answer(void **state)
{
    static char files[] = "90647390 22640139 90729220", two[] = "90647390 22640139c 90729220";
    struct result_event ev;
    char text[200];

    (void)state;
    ev = event("split", "SteppingSplitPolicy", 268435456);
    ev.inputs[0] = (struct result_input){"store_bytes", 268435457};
    ev.inputs[1] = (struct result_input){"regions_of_table_on_server", 1};
    ev.inputs[2] = (struct result_input){"flush_bytes", 134217728};
    ev.inputs[3] = (struct result_input){"max_file_bytes", 10737418240.0};
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_SAME);
    ev.inputs[0].value--;
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_DIFFERENT);
    ev.inputs[0].value = 1e12;
    ev.inputs[1].value = 2;
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_DIFFERENT);
    ev = event("flush", "hbase.hregion.memstore.flush.size", 1000);
    ev.inputs[0] = (struct result_input){"region_heap_bytes", 1001};
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_SAME);
    ev.inputs[0].value = 1000;
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_DIFFERENT);
    ev = event("flush", "hbase.regionserver.maxlogs", 3);
    ev.inputs[0] = (struct result_input){"log_files", 4};
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_SAME);
    ev.inputs[0].value = 3;
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_DIFFERENT);
    ev = event("flush", "hbase.regionserver.global.memstore.size", 1000);
    ev.inputs[0] = (struct result_input){"server_heap_bytes", 1000};
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_SAME);
    ev.inputs[0].value = 999;
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_DIFFERENT);
    ev = event("updates blocked", "hbase.regionserver.global.memstore.size", 1000);
    ev.inputs[0] = (struct result_input){"heap_bytes", 1000};
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_SAME);
    ev.inputs[0].value = 999;
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_DIFFERENT);
    ev = event("compaction", "ExploringCompactionPolicy", 3);
    ev.files = files;
    ev.inputs[0] = (struct result_input){"files", 3};
    ev.inputs[1] = (struct result_input){"first", 0};
    ev.inputs[2] = (struct result_input){"max_files", 10};
    ev.inputs[3] = (struct result_input){"min_bytes", 134217728};
    ev.inputs[4] = (struct result_input){"ratio", 1.2};
    ev.inputs[5] = (struct result_input){"blocking_store_files", 16};
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_SAME);
    ev.inputs[4].value = 0.5;
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_DIFFERENT);
    ev.inputs[4].value = 1.2;
    ev.files = two;
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_DIFFERENT);
    ev = event("balancer", "cost-balanced", 0.025);
    ev.inputs[0] = (struct result_input){"servers", 2};
    ev.inputs[1] = (struct result_input){"count_min", 4};
    ev.inputs[2] = (struct result_input){"count_max", 5};
    ev.inputs[3] = (struct result_input){"count_ceil", 5};
    ev.inputs[4] = (struct result_input){"imbalance", 0.024};
    ev.inputs[5] = (struct result_input){"multiplier_sum", 602};
    ev.inputs[6] = (struct result_input){"moves_planned", 0};
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_SAME);
    ev.inputs[2].value = 6;
    assert_int_equal(why_ask(&ev, text, sizeof text), WHY_DIFFERENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_overload),
        cmocka_unit_test(test_forced),
        cmocka_unit_test(test_a_changed_input_changes_the_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
