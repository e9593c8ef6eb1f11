/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server whose memstores reach the global limit: flushes for pressure begin at the low mark, and where the
   disk is too slow for them, writes wait at the limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/sim.h"
#include "tests/sim/iot.h"

struct seen {
    unsigned for_pressure, blocked;
    double done, heap_most, refused;
};

static void run(double disk_bytes_per_s, struct seen *out)
{
    struct spec sp;
    struct result_run r;
    struct sim_end end;

    memset(out, 0, sizeof *out);
    iot_spec(&sp, 16, 120, 100);
    sp.detail = SPEC_DETAIL_WRITE;
    sp.cluster.servers = 4;
    sp.cluster.heap_bytes = INT64_C(256) << 20; /* limit 102 MiB for four regions of 128 MiB each */
    sp.server.disk_bytes_per_s = disk_bytes_per_s;
    result_run_init(&r);
    assert_int_equal(sim_run(&sp, NULL, &r, &end), 0);
    for (size_t i = 0; i < r.events_len; i++) {
        const struct result_event *e = &r.events[i];

        out->blocked += strcmp(e->kind, "updates blocked") == 0;
        if (strcmp(e->kind, "flush") == 0 && strcmp(e->rule, "hbase.regionserver.global.memstore.size") == 0)
            out->for_pressure++;
    }
    for (size_t i = 0; i < r.servers_len; i++) {
        double heap = 0;

        out->done += r.servers[i].writes;
        out->refused += r.servers[i].refusals;
        for (size_t k = 0; k < r.regions_len; k++)
            if (r.regions[k].server_end == (int)i && r.regions[k].table == 0)
                heap += r.regions[k].memstore_heap_bytes;
        out->heap_most = heap > out->heap_most ? heap : out->heap_most;
    }
    result_run_free(&r);
    spec_free(&sp);
}

static void test_a_fast_disk_only_flushes(void **state)
{
    struct seen fast;

    (void)state;
    run(1e9, &fast);
    assert_true(fast.for_pressure > 4);
    assert_int_equal(fast.blocked, 0);
    assert_true(fast.done > 0.98 * 40000 * 120);
}

static void test_a_slow_disk_blocks_writes(void **state)
{
    struct seen slow;
    const double limit = 0.4 * 256 * 1048576;

    (void)state;
    run(0.3e6, &slow);
    assert_true(slow.blocked > 0);
    assert_true(slow.done < 0.9 * 40000 * 120);
    assert_true(slow.heap_most < 1.1 * limit); /* calls under way when it was reached */
    assert_true(slow.refused < 1);             /* no region is at its own limit of 512 MiB */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_fast_disk_only_flushes),
        cmocka_unit_test(test_a_slow_disk_blocks_writes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
