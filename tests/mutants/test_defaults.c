/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every default of [hbase] against HBase 2.6's own: hbase-default.xml, or the constant in the class where
   the file doesn't have the property. Written down here a second time on purpose. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "hbase/balance/balancer.h"
#include "hbase/rules/merge.h"
#include "spec/spec.h"

#define WHOLE(member, value) {#member, (double)sp.hbase.member, (double)(value)}
#define REAL(member, value) {#member, sp.hbase.member, (value)}
#define MS SPEC_NS_PER_S / 1000

static void test_defaults(void **state)
{
    struct spec sp;

    (void)state;
    spec_init(&sp);
    const struct {
        const char *name;
        double is, must;
    } rows[] = {
        WHOLE(memstore_flush_size_bytes, 134217728),       /* hbase.hregion.memstore.flush.size */
        REAL(memstore_block_multiplier, 4),                /* hbase.hregion.memstore.block.multiplier */
        REAL(global_memstore_size, 0.4),                   /* hbase.regionserver.global.memstore.size */
        REAL(global_memstore_lower, 0.95),                 /* ....size.lower.limit */
        WHOLE(max_filesize_bytes, 10737418240),            /* hbase.hregion.max.filesize */
        REAL(max_filesize_jitter, 0.25),                   /* ConstantSizeRegionSplitPolicy */
        WHOLE(region_split_limit, 1000),                   /* hbase.regionserver.regionSplitLimit */
        WHOLE(handler_count, 30),                          /* hbase.regionserver.handler.count */
        WHOLE(compaction_min, 3),                          /* hbase.hstore.compaction.min */
        WHOLE(compaction_max, 10),                         /* ....max */
        REAL(compaction_ratio, 1.2),                       /* ....ratio */
        REAL(compaction_ratio_offpeak, 5.0),               /* ....ratio.offpeak */
        WHOLE(offpeak_start_hour, -1),                     /* hbase.offpeak.start.hour */
        WHOLE(offpeak_end_hour, -1),                       /* hbase.offpeak.end.hour */
        WHOLE(compaction_lower_bytes_per_s, 52428800),     /* hbase.hstore.compaction.throughput.lower.bound */
        WHOLE(compaction_higher_bytes_per_s, 104857600),   /* ....higher.bound */
        WHOLE(compaction_min_size_bytes, 134217728),       /* ....min.size */
        WHOLE(compaction_max_size_bytes, 9223372036854775807.0), /* ....max.size */
        WHOLE(major_compaction_ns, 604800000.0 * MS),      /* hbase.hregion.majorcompaction */
        REAL(major_compaction_jitter, 0.5),                /* ....jitter */
        WHOLE(compaction_throttle_bytes, 2684354560),      /* hbase.regionserver.thread.compaction.throttle */
        WHOLE(blocking_store_files, 16),                   /* hbase.hstore.blockingStoreFiles */
        WHOLE(blocking_wait_ns, 90000.0 * MS),             /* hbase.hstore.blockingWaitTime */
        WHOLE(flusher_count, 2),                           /* hbase.hstore.flusher.count */
        WHOLE(flush_interval_ns, 3600000.0 * MS),          /* hbase.regionserver.optionalcacheflushinterval */
        WHOLE(flush_per_changes, 30000000),                /* hbase.regionserver.flush.per.changes */
        WHOLE(flush_check_ns, 10000.0 * MS),               /* hbase.regionserver.flush.check.period */
        WHOLE(flush_delay_range_s, 300),                   /* ....periodicmemstoreflusher.rangeofdelayseconds */
        WHOLE(discharger_interval_ns, 120000.0 * MS),      /* hbase.hfile.compaction.discharger.interval */
        WHOLE(balancer_period_ns, 300000.0 * MS),          /* hbase.balancer.period */
        REAL(regions_slop, 0.2),                           /* hbase.regions.slop */
        WHOLE(client_write_buffer_bytes, 2097152),         /* hbase.client.write.buffer */
        WHOLE(client_pause_ns, 100.0 * MS),                /* hbase.client.pause */
        WHOLE(client_retries, 15),                         /* hbase.client.retries.number */
        WHOLE(create_threads, 16),                         /* ModifyRegionUtils.getRegionOpenAndInitThreadPool */
        REAL(block_cache_size, 0.4),                       /* hfile.block.cache.size */
        REAL(bloom_error_rate, 0.01),                      /* io.storefile.bloom.error.rate */
        WHOLE(scanner_caching, 2147483647),                /* hbase.client.scanner.caching */
        WHOLE(scanner_max_result_bytes, 2097152),          /* hbase.client.scanner.max.result.size */
        REAL(balance.region_count_cost, 500),              /* the balancer's weights: its cost functions */
        REAL(balance.move_cost, 7),
        REAL(balance.locality_cost, 25),
        REAL(balance.table_skew_cost, 35),
        REAL(balance.read_request_cost, 5),
        REAL(balance.write_request_cost, 5),
        REAL(balance.memstore_size_cost, 5),
        REAL(balance.storefile_size_cost, 5),
        REAL(balance.min_cost_need_balance, 0.025),        /* StochasticLoadBalancer */
        REAL(balance.max_move_percent, 1),
        WHOLE(balance.max_steps, 1000000),
        WHOLE(balance.steps_per_region, 800),
        WHOLE(balance.max_running_ns, 30000.0 * MS),
        WHOLE(balance.max_balancing_ns, -1),               /* hbase.balancer.max.balancing: as the period */
        REAL(balance.max_rit_percent, 1),
        WHOLE(balance.status_period_ns, 60000.0 * MS),     /* hbase.balancer.statusPeriod */
        WHOLE(balance.msg_interval_ns, 3000.0 * MS),       /* hbase.regionserver.msginterval */
        WHOLE(balance.dispatch_wait_ns, 150.0 * MS),       /* hbase.assignment.dispatch.wait.msec */
        WHOLE(balance.dispatch_queue_max, 100),
        WHOLE(balance.session_timeout_ns, 90000.0 * MS),   /* zookeeper.session.timeout */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].is != rows[i].must)
            fail_msg("%s is %.17g, HBase 2.6 has %.17g", rows[i].name, rows[i].is, rows[i].must);
    }
    assert_int_equal(sp.hbase.split_policy, SPEC_SPLIT_STEPPING);
    assert_int_equal(sp.hbase.balance.balancer, SPEC_BALANCER_STOCHASTIC);
    assert_true(isnan(sp.hbase.balance.overall_slop));
    assert_false(sp.hbase.balance.by_table || sp.hbase.balance.run_max_steps || sp.hbase.balance.separate_daughters);
    spec_free(&sp);
}

/* The balancer's own defaults, and its cost gate to the last digit: at the minimum it runs, below it doesn't. */
static void test_balancer(void **state)
{
    struct balancer_options o;
    struct balancer_decision d = {.servers = 3, .regions = 30, .count_min = 9, .count_max = 11, .count_ceil = 12,
                                  .count_floor = 8, .multiplier_sum = 602, .imbalance = 0.025, .threshold = 0.025};
    bool needed;

    (void)state;
    balancer_options_init(&o);
    assert_true(fabs(o.slop - 0.2) < 1e-6 && o.steps_per_region == 800 && o.max_rit_percent == 1);
    assert_true(fabs(o.min_cost_need_balance - 0.025) < 1e-9);
    assert_true(o.multiplier[BALANCER_COST_WRITE] == 5 && o.multiplier[BALANCER_COST_REGION_COUNT] == 500);
    assert_int_equal(balancer_gate_of(&d, &needed), BALANCER_GATE_COST);
    assert_true(needed);
    d.imbalance = 0.0249;
    assert_int_equal(balancer_gate_of(&d, &needed), BALANCER_GATE_COST_BALANCED);
    assert_false(needed);
    o.max_rit_percent = 0.1;
    assert_int_equal(balancer_max_in_transition(&o, 300), 30);
    assert_true(balancer_plan_interval_us(&o, 10) > 0);
}

/* Regions that don't touch merge by force only. */
static void test_merge(void **state)
{
    static const uint8_t b[] = "b", c[] = "c";
    const struct merge_region apart[2] = {{.id = 1, .end = b, .end_bytes = 1, .open = true},
                                          {.id = 2, .start = c, .start_bytes = 1, .open = true}};
    size_t first;

    (void)state;
    assert_int_equal(merge_check(apart, 2, false, &first), MERGE_NOT_ADJACENT);
    assert_int_equal(merge_check(apart, 2, true, &first), MERGE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_balancer),
        cmocka_unit_test(test_merge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
