/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the hour and the throughput controller do to compactions: OffPeakHours, the ratio of off-peak hours, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/sim.h"
#include "tests/sim/iot.h"

/* One region; the run begins at 22:13:20 UTC and flushes 16 MiB of heap every ten seconds. */
static void one_region(struct spec *sp, double seconds)
{
    iot_spec(sp, 0, seconds, 100);
    sp->detail = SPEC_DETAIL_TICK;
    sp->cluster.servers = 1;
    sp->streams->arrival = SPEC_ARRIVAL_CONSTANT;
    sp->streams->rate_per_s = 7500;
    free(sp->tables->salt);
    sp->tables->salt = iot_copy("none");
    sp->tables->splits = SPEC_SPLITS_NONE;
    sp->hbase.split_policy = SPEC_SPLIT_DISABLED;
    sp->hbase.memstore_flush_size_bytes = 16 << 20;
    sp->hbase.blocking_store_files = 100000;
}

static void run_spec(struct spec *sp, struct result_run *run)
{
    struct sim_end end;

    result_run_init(run);
    assert_int_equal(sim_run(sp, NULL, run, &end), 0);
    spec_free(sp);
}

/* By day files of a like size are never within a tenth of the others; off-peak they are within five times. The hour
   ends 2,800 s after the run's begin. */
static void the_hour_chooses_the_ratio(void **state)
{
    static const struct {
        int from, to;
        bool before, after;   /* 23:00 */
    } rows[] = {{22, 23, true, false}, {23, 22, false, true}, {21, 0, true, true}, {0, 22, false, false},
                {-1, -1, false, false}, {22, 22, false, false}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct spec sp;
        struct result_run run;
        double seen[2] = {0, 0};

        one_region(&sp, 3600);
        sp.hbase.compaction_ratio = 0.1;
        sp.hbase.compaction_min_size_bytes = 0;
        sp.hbase.offpeak_start_hour = rows[i].from;
        sp.hbase.offpeak_end_hour = rows[i].to;
        run_spec(&sp, &run);
        for (size_t k = 0; k < run.events_len; k++) {
            const struct result_event *e = &run.events[k];

            if (strcmp(e->kind, "compaction") != 0 || result_event_input(e, "ratio") != 5)
                continue;
            seen[e->at_s > 2800 + 30]++; /* one that was chosen before may end after */
        }
        assert_true((seen[0] > 5) == rows[i].before && (seen[1] > 5) == rows[i].after);
        result_run_free(&run);
    }
}

/* Files of 16 MiB, several into one: at 1 MB/s a compaction of n bytes takes n microseconds and more. */
static void the_lower_bound_limits(void **state)
{
    double done[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct spec sp;
        struct result_run run;

        one_region(&sp, 1800);
        sp.hbase.compaction_lower_bytes_per_s = i > 0 ? 1000000 : 50 << 20;
        sp.hbase.compaction_higher_bytes_per_s = i > 0 ? 1000000 : 100 << 20;
        sp.hbase.offpeak_start_hour = i == 2 ? 22 : -1; /* no limit off-peak */
        sp.hbase.offpeak_end_hour = i == 2 ? 23 : -1;
        run_spec(&sp, &run);
        done[i] = 0;
        for (size_t k = 0; k < run.events_len; k++)
            if (strcmp(run.events[k].kind, "compaction") == 0)
                done[i] += result_event_input(&run.events[k], "out_bytes");
        result_run_free(&run);
    }
    /* Two threads, each at 1 MB/s, for half an hour. */
    assert_true(done[1] > 0 && done[1] < 2 * 1000000.0 * 1800);
    assert_true(done[0] > 2 * done[1] && done[2] > 2 * done[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hour_chooses_the_ratio),
        cmocka_unit_test(the_lower_bound_limits),
    };

    return cmocka_run_group_tests_name("offpeak", tests, NULL, NULL);
}
