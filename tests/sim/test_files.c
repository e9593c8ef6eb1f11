/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a family's settings make of the files of a run: encodings, compression and bloom filters of their
   lengths, a time to live of how many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/sim.h"
#include "tests/sim/iot.h"

/* Bytes of all files after two minutes of 1,000 rows/s in four buckets. */
static double bytes_with(int sample, void (*set)(struct spec *sp))
{
    struct spec sp;
    struct result_run r;
    struct sim_end end;
    double bytes = 0;

    iot_spec(&sp, 4, 120, 20);
    sp.cluster.servers = 2;
    sp.streams->entities = 1000;
    sp.streams->every_ns = SPEC_NS_PER_S;
    sp.streams->rate_per_s = 1000;
    sp.streams->clients = 1;
    sp.hbase.memstore_flush_size_bytes = 1 << 20;
    sp.detail = SPEC_DETAIL_WRITE;
    sp.sample_keys = sample;
    if (set)
        set(&sp);
    result_run_init(&r);
    assert_int_equal(sim_run(&sp, NULL, &r, &end), 0);
    for (size_t i = 0; i < r.regions_len; i++)
        bytes += r.regions[i].store_bytes;
    if (!(bytes > 0 && r.summary.flushes > 4))
        fail_msg("%.0f bytes after %.0f flushes", bytes, r.summary.flushes);
    result_run_free(&r);
    spec_free(&sp);
    return bytes;
}

static void fast_diff(struct spec *sp) { sp->tables->families->encoding = SPEC_ENCODING_FAST_DIFF; }
static void prefix(struct spec *sp) { sp->tables->families->encoding = SPEC_ENCODING_PREFIX; }
static void diff(struct spec *sp) { sp->tables->families->encoding = SPEC_ENCODING_DIFF; }
static void rowcol(struct spec *sp)
{
    sp->tables->families->bloom_row = false;
    sp->tables->families->bloom_rowcol = true;
}
static void half(struct spec *sp)
{
    sp->tables->families->compression = SPEC_COMPRESSION_ZSTD;
    sp->tables->families->compression_ratio = 0.5;
}
static void zstd(struct spec *sp) { sp->tables->families->compression = SPEC_COMPRESSION_ZSTD; }

static void lengths_follow_the_family(void **state)
{
    const double plain = bytes_with(0, NULL);

    (void)state;
    assert_true(bytes_with(0, prefix) < 0.8 * plain);
    assert_true(bytes_with(0, diff) < bytes_with(0, prefix));
    assert_true(bytes_with(0, fast_diff) < 0.75 * plain);
    assert_true(bytes_with(0, rowcol) >= plain);
    assert_true(bytes_with(0, half) > 0.45 * plain && bytes_with(0, half) < 0.62 * plain);
    assert_true(bytes_with(0, zstd) < bytes_with(0, half));
}

/* A sample tells what the encoders find in common: within 3 % of the exact length. */
static void sampled_lengths_are_near(void **state)
{
    static void (*const ways[])(struct spec *) = {NULL, prefix, diff, fast_diff, half};

    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const double exact = bytes_with(0, ways[i]), sampled = bytes_with(64, ways[i]);

        if (sampled < 0.97 * exact || sampled > 1.03 * exact)
            fail_msg("way %zu: exact %.0f, sampled %.0f", i, exact, sampled);
    }
}

struct ttl_run {
    double bytes, files, expired_regions, expired_files;
};

/* Twelve hours of 200 rows/s with small regions, all older than half an hour being expired. */
static void run_ttl(enum spec_detail detail, int64_t ttl_ns, struct ttl_run *out)
{
    struct spec sp;
    struct result_run r;
    struct sim_end end;

    memset(out, 0, sizeof *out);
    iot_spec(&sp, 2, 12 * 3600, 100);
    sp.cluster.servers = 2;
    sp.streams->entities = 200;
    sp.streams->every_ns = SPEC_NS_PER_S;
    sp.streams->rate_per_s = 200;
    sp.hbase.memstore_flush_size_bytes = 4 << 20;
    sp.hbase.max_filesize_bytes = 16 << 20;
    sp.hbase.major_compaction_ns = 3600 * SPEC_NS_PER_S;
    sp.hbase.major_compaction_jitter = 0;
    sp.detail = detail;
    sp.tables->families->ttl_ns = ttl_ns;
    result_run_init(&r);
    assert_int_equal(sim_run(&sp, NULL, &r, &end), 0);
    for (size_t i = 0; i < r.regions_len; i++) {
        out->bytes += r.regions[i].store_bytes;
        out->files += r.regions[i].store_files;
    }
    out->expired_regions = r.summary.regions_expired;
    out->expired_files = r.summary.files_expired;
    result_run_free(&r);
    spec_free(&sp);
}

static void expired_cells_go_at_all_levels(void **state)
{
    static const enum spec_detail levels[] = {SPEC_DETAIL_WRITE, SPEC_DETAIL_TICK, SPEC_DETAIL_FLOW};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct ttl_run all, ttl;

        run_ttl(levels[i], 0, &all);
        run_ttl(levels[i], 1800 * SPEC_NS_PER_S, &ttl);
        assert_true(all.expired_regions < 1 && all.expired_files < 1);
        assert_true(ttl.expired_regions > 2);
        /* Half an hour, and what waits for its region's next major compaction: the check comes every 10,000 s. */
        if (ttl.bytes > 0.4 * all.bytes)
            fail_msg("level %zu: %.0f of %.0f bytes left", i, ttl.bytes, all.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_follow_the_family),
        cmocka_unit_test(sampled_lengths_are_near),
        cmocka_unit_test(expired_cells_go_at_all_levels),
    };

    return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
