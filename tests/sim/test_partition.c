/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time-partitioned tables: the rows go where their month is, old months are dropped with their files. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "sim/sim.h"
#include "tests/sim/iot.h"

#define HOURS(n) ((n) * 3600 * SPEC_NS_PER_S)

static const struct result_table *table_of(const struct result_run *run, const char *name)
{
    for (size_t i = 0; i < run->tables_len; i++)
        if (strcmp(run->tables[i].name, name) == 0)
            return &run->tables[i];
    return NULL;
}

static const struct result_event *find(const struct result_run *run, const char *kind, size_t nth)
{
    for (size_t i = 0; i < run->events_len; i++)
        if (strcmp(run->events[i].kind, kind) == 0 && nth-- == 0)
            return &run->events[i];
    return NULL;
}

/* Beside a table that stays: both get the same number of rows, whatever the level. */
static void each_span_has_its_table(void **state)
{
    static const enum spec_detail levels[] = {SPEC_DETAIL_WRITE, SPEC_DETAIL_TICK, SPEC_DETAIL_FLOW};

    (void)state;
    for (size_t d = 0; d < 3; d++) {
        struct spec sp;
        struct result_run run;
        struct sim_end end;
        struct spec_table *t;
        double parts = 0;

        iot_spec(&sp, 4, 3600, 100);
        sp.detail = levels[d];
        sp.cluster.servers = 4;
        sp.streams->arrival = SPEC_ARRIVAL_CONSTANT;
        sp.streams->rate_per_s = 300;
        sp.streams->entities = 1000;
        sp.streams->curve.growth_factor = 2;
        sp.streams->curve.growth_in_ns = HOURS(1);
        sp.tables = t = realloc(sp.tables, 2 * sizeof *t);
        sp.tables_len = 2;
        t[1] = t[0];
        t[1].name = iot_copy("kept");
        t[1].key = iot_copy("device:fixed(16) ts:be64");
        t[1].salt = iot_copy("none");
        t[1].salt_over = iot_copy("key");
        t[1].buckets = 0;
        t[1].families = iot_zeroed(sizeof *t->families);
        *t[1].families = *t->families;
        t[1].families->name = iot_copy("d");
        t[1].families->columns = iot_zeroed(sizeof *t->families->columns);
        *t[1].families->columns = *t->families->columns;
        t[1].families->columns->qualifier = iot_copy("v");
        sp.streams->tables = realloc(sp.streams->tables, 2 * sizeof(char *));
        sp.streams->tables[1] = iot_copy("kept");
        sp.streams->tables_len = 2;
        t->partition_ns = HOURS(1) / 4;
        t->keep_ns = HOURS(1) / 8;
        result_run_init(&run);
        assert_int_equal(sim_run(&sp, NULL, &run, &end), 0);
        assert_true(run.summary.writes_offered == run.summary.writes_done + run.summary.writes_queued);
        assert_int_equal(run.tables_len, 5);
        for (int k = 1; k <= 4; k++) {
            char name[20];

            snprintf(name, sizeof name, "telemetry_%03d", k);
            assert_non_null(table_of(&run, name));
            parts += table_of(&run, name)->writes;
            assert_true(table_of(&run, name)->regions_end == (k <= 3 ? 0 : 4));
            assert_true(fabs(table_of(&run, name)->writes / (300 * 900 * (1 + (k - 0.5) / 4)) - 1) <
                        (k < 4 ? 0.02 : 0.06)); /* buffers that the end of the run finds half full */
        }
        assert_true(fabs(table_of(&run, "kept")->writes / parts - 1) < 0.02);
        assert_true(find(&run, "create table", 0)->at_s == 900 && find(&run, "create table", 2)->at_s == 2700);
        assert_true(fabs(find(&run, "drop table", 0)->at_s - 1350) < 5 && fabs(find(&run, "drop table", 1)->at_s - 2250) < 5);
        assert_null(find(&run, "drop table", 3));
        result_run_free(&run);
        spec_free(&sp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_span_has_its_table)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
