/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hbase/rules/flush_policy.h"
#include "hbase/rules/memstore.h"
#include "hbase/rules/memstore_pressure.h"

#define MIB (UINT64_C(1) << 20)

static void test_cell_sizes(void **state)
{
    /* row, qualifier, value; L and heap: recorded flush-sizes, hbase-write-path.md section 6 */
    static const struct {
        uint64_t row, qualifier, value, kv, heap;
    } c[] = {
        {12, 1, 100, 134, 208}, {12, 1, 20, 54, 128}, {13, 8, 250, 292, 368}, {64, 1, 4000, 4086, 4160},
    };

    (void)state;
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        assert_int_equal(memstore_cell_data_bytes(c[i].row, 1, c[i].qualifier, c[i].value), c[i].kv);
        assert_int_equal(memstore_cell_heap_bytes(c[i].kv), c[i].heap);
    }
    assert_int_equal(memstore_cell_heap_bytes(100), 176);
    assert_int_equal(memstore_cell_heap_bytes(1000), 1072);
    assert_int_equal(memstore_store_heap_bytes(0, 134), 256);
    assert_int_equal(memstore_store_heap_bytes(3000, 134), 624256);
}

static void test_region_sum(void **state)
{
    struct memstore_size s[3] = {{256, 0, false}, {256, 0, false}, {256, 0, false}};

    (void)state;
    assert_int_equal(memstore_region_heap_bytes(s, 3), 768); /* three empty families */
    s[1].active_heap_bytes = 256 + 10 * 208;
    s[2].has_snapshot = true;
    s[2].snapshot_heap_bytes = 100 * 208;
    assert_int_equal(memstore_region_heap_bytes(s, 3), 768 + 2080 + 240 + 20800);
}

static void test_flush_is_strict(void **state)
{
    (void)state;
    /* 5,040 rows of 100 bytes are 1 MiB exactly and don't flush; one more does */
    assert_int_equal(memstore_store_heap_bytes(5040, 134), MIB);
    assert_false(memstore_flush_due(memstore_store_heap_bytes(5040, 134), MIB));
    assert_true(memstore_flush_due(memstore_store_heap_bytes(5041, 134), MIB));
    assert_false(memstore_too_busy(4 * MIB, MIB, 4));
    assert_true(memstore_too_busy(4 * MIB + 1, MIB, 4));
}

static void test_batches(void **state)
{
    struct memstore_batch b = {256, MIB, 4, 208, 0};
    struct memstore_batch_outcome o;

    (void)state;
    assert_int_equal(memstore_rows_before_refusal(&b, 1), 20164);
    assert_int_equal(memstore_rows_before_refusal(&b, 100), 20200);
    assert_int_equal(memstore_rows_before_refusal(&b, 50000), 0);
    b.multiplier = 2;
    assert_int_equal(memstore_rows_before_refusal(&b, 1), 10082);
    /* a call of 50,000 rows: two mini-batches are in, the client hears of none, all are counted */
    b.multiplier = 4;
    o = memstore_apply_batch(&b, 50000);
    assert_true(o.refused);
    assert_int_equal(o.rows_applied, 40000);
    assert_int_equal(o.rows_acknowledged, 0);
    assert_int_equal(o.rows_counted, 50000);
    /* refused at once: nothing in, nothing counted */
    b.heap_bytes = 4 * MIB + 8;
    o = memstore_apply_batch(&b, 100);
    assert_true(o.refused);
    assert_true(o.flush_requested);
    assert_int_equal(o.rows_applied, 0);
    assert_int_equal(o.rows_counted, 0);
    b.heap_bytes = 256;
    o = memstore_apply_batch(&b, 5040);
    assert_false(o.flush_requested);
    o = memstore_apply_batch(&b, 5041);
    assert_true(o.flush_requested);
    assert_int_equal(o.rows_acknowledged, 5041);
}

static void test_flush_selection(void **state)
{
    struct flush_policy_config c = {FLUSH_ALL_LARGE_STORES, MIB, 0, 16 * MIB};
    struct flush_store s[3] = {{900000, 100, false}, {200000, 100, false}, {256, 0, false}};
    bool take[3];

    (void)state;
    /* below 16 MiB no store is large, so every store with cells goes */
    assert_int_equal(flush_policy_lower_bound_bytes(&c, 3), 16 * MIB);
    assert_int_equal(flush_policy_select(&c, s, 3, take), 2);
    assert_true(take[0] && take[1] && !take[2]);
    c.lower_bound_min_bytes = 131072;
    assert_int_equal(flush_policy_lower_bound_bytes(&c, 3), MIB / 3);
    assert_int_equal(flush_policy_select(&c, s, 3, take), 1);
    assert_true(take[0] && !take[1]);
    c.lower_bound_min_bytes = 899999; /* above the share: strict too, and with none large all go */
    assert_int_equal(flush_policy_select(&c, s, 3, take), 1);
    assert_true(take[0] && !take[1]);
    c.lower_bound_min_bytes = 900000;
    assert_int_equal(flush_policy_select(&c, s, 3, take), 2);
    c.lower_bound_bytes = 199999;
    assert_int_equal(flush_policy_select(&c, s, 3, take), 2);
    c.lower_bound_bytes = 200000; /* strict */
    assert_int_equal(flush_policy_select(&c, s, 3, take), 1);
    s[1].has_old_edits = true;
    assert_int_equal(flush_policy_select(&c, s, 3, take), 2);
    s[1].has_old_edits = false;
    c.policy = FLUSH_ALL_STORES;
    assert_int_equal(flush_policy_select(&c, s, 3, take), 2);
    c = (struct flush_policy_config){FLUSH_ALL_LARGE_STORES, 128 * MIB, 0, 16 * MIB};
    assert_int_equal(flush_policy_lower_bound_bytes(&c, 4), 32 * MIB);
    assert_int_equal(flush_policy_lower_bound_bytes(&c, 20), 16 * MIB);
    assert_int_equal(flush_policy_select(&c, s, 1, take), 1);
}

static void test_flush_gate(void **state)
{
    struct flush_gate_input in = {16, 16, false, false, 0, FLUSH_BLOCKING_WAIT_US};

    (void)state;
    assert_int_equal(flush_gate(&in), FLUSH_NOW);
    in.store_files = 17;
    assert_int_equal(flush_gate(&in), FLUSH_POSTPONE_FIRST);
    in.postponed_before = true;
    assert_int_equal(flush_gate(&in), FLUSH_POSTPONE);
    in.waited_us = 90000001;
    assert_int_equal(flush_gate(&in), FLUSH_NOW);
    in.waited_us = 0;
    in.forced = true;
    assert_int_equal(flush_gate(&in), FLUSH_NOW);
    assert_int_equal(flush_recheck_us(FLUSH_BLOCKING_WAIT_US), 900000);
    assert_true(flush_needs_compaction(3, 0, 3));
    assert_false(flush_needs_compaction(5, 3, 3));
}

static void test_periodic(void **state)
{
    const uint64_t hour = UINT64_C(3600000000);
    struct flush_periodic_input in = {hour + 1, hour, 10, hour, 30000000};

    (void)state;
    assert_true(flush_periodic_due(&in));
    in.last_flush_age_us = hour - 1;
    assert_false(flush_periodic_due(&in));
    in.edits_since_flush = 30000001;
    assert_true(flush_periodic_due(&in));
    in = (struct flush_periodic_input){hour, 2 * hour, 10, hour, 30000000};
    assert_false(flush_periodic_due(&in));
    assert_int_equal(flush_periodic_delay_us(0.5, 300000000), 150000000);
}

static void test_pressure(void **state)
{
    struct memstore_pressure_limits l = memstore_pressure_limits(UINT64_C(2147483648), 0.011719, 0.95);
    /* recorded: 20.2 MB with 20 files against 1.2 MB: taken; 7.8 MB with 20 files against 5.4 MB: left */
    struct memstore_pressure_region r[3] = {{20200000, 20, false}, {1200000, 2, false}, {900000, 1, false}};

    (void)state;
    assert_int_equal(l.limit_bytes, 25166360); /* both recorded */
    assert_int_equal(l.low_mark_bytes, 23908042);
    assert_int_equal(memstore_pressure_limits(UINT64_C(2147483648), 0.003906, 0.95).low_mark_bytes, 7968667);
    assert_int_equal(memstore_pressure(&l, 23908041), MEMSTORE_PRESSURE_NONE);
    assert_int_equal(memstore_pressure(&l, 23908042), MEMSTORE_PRESSURE_LOW_MARK);
    assert_int_equal(memstore_pressure(&l, 25166359), MEMSTORE_PRESSURE_LOW_MARK);
    assert_int_equal(memstore_pressure(&l, 25166360), MEMSTORE_PRESSURE_LIMIT);
    assert_int_equal(memstore_pressure_choose(r, 3, 16), 0);
    r[0].heap_bytes = 7800000;
    r[1].heap_bytes = 5400000;
    assert_int_equal(memstore_pressure_choose(r, 3, 16), 1);
    r[0].heap_bytes = 10800000; /* exactly twice: still the other */
    assert_int_equal(memstore_pressure_choose(r, 3, 16), 1);
    r[0].heap_bytes++;
    assert_int_equal(memstore_pressure_choose(r, 3, 16), 0);
    r[1].most_store_files = r[2].most_store_files = 17; /* all over the gate: the biggest */
    assert_int_equal(memstore_pressure_choose(r, 3, 16), 0);
    r[0].flushing = true;
    assert_int_equal(memstore_pressure_choose(r, 3, 16), 1);
    r[1].flushing = r[2].flushing = true;
    assert_int_equal(memstore_pressure_choose(r, 3, 16), -1);
}

static void test_wal(void **state)
{
    struct wal_limits l = wal_limits(256 * MIB, 0.5, 1638 * MIB, 0);

    (void)state;
    assert_int_equal(l.roll_bytes, 128 * MIB);
    assert_int_equal(l.max_logs, 32); /* 25 would do for 1.6 GiB */
    assert_int_equal(wal_limits(256 * MIB, 0.5, 12800 * MIB, 0).max_logs, 200);
    assert_int_equal(wal_limits(256 * MIB, 0.5, 12800 * MIB, 64).max_logs, 64);
    assert_false(wal_roll_due(&l, 128 * MIB, 0));
    assert_true(wal_roll_due(&l, 128 * MIB + 1, 0));
    assert_true(wal_roll_due(&l, 1, UINT64_C(3600000001)));
    assert_false(wal_too_many_logs(&l, 32));
    assert_true(wal_too_many_logs(&l, 33));
    assert_true(wal_region_in_oldest(10, 10));
    assert_false(wal_region_in_oldest(11, 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cell_sizes),     cmocka_unit_test(test_region_sum),
        cmocka_unit_test(test_flush_is_strict), cmocka_unit_test(test_batches),
        cmocka_unit_test(test_flush_selection), cmocka_unit_test(test_flush_gate),
        cmocka_unit_test(test_periodic),       cmocka_unit_test(test_pressure),
        cmocka_unit_test(test_wal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
