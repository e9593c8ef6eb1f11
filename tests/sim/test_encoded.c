/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths of encoded files that are told from samples of their keys, beside those of all keys: layouts, salts,
   encodings, popularity and arrival, sample sizes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/sim.h"
#include "tests/sim/iot.h"

/* A table of small values and who writes to it: 5,000 rows/s. */
struct shape {
    const char *key, *salt, *salt_over;
    int buckets;
    int64_t entities;
    bool in_turn;             /* each every entities / 5,000 s; else drawn */
    double zipf;
};

static const struct shape shapes[] = {
    {"device:fixed(16) ts:be64", "none", "key", 0, 1000, false, 0},
    {"device:fixed(16) ts:be64", "none", "key", 0, 100000, false, 0},
    {"device:fixed(16) ts:be64", "none", "key", 0, 20000, true, 0},
    {"device:be32 ts:be64", "none", "key", 0, 20000, false, 0},
    {"device:fixed(16) ts:rts19", "none", "key", 0, 20000, false, 0},
    {"device:fixed(16) ts:be64", "arrays-hash floorMod", "key", 2, 20000, false, 0},
    {"device:fixed(16) ts:rts", "arrays-hash floorMod", "device", 2, 20000, false, 0},
    {"ts:be64 device:fixed(16)", "none", "key", 0, 1000, false, 0},
    {"ts:be64 device:fixed(16)", "none", "key", 0, 20000, true, 0},
    {"ts:be64 device:be32", "none", "key", 0, 20000, true, 0},
    {"ts:be64 device:fixed(16)", "arrays-hash floorMod", "key", 2, 20000, false, 0},
    {"ts:be64 device:fixed(16)", "arrays-hash floorMod", "key", 4, 20000, true, 0},
    {"ts:be64 device:fixed(16)", "arrays-hash floorMod", "ts", 2, 20000, true, 0},
    {"ts:be64 device:be32", "arrays-hash floorMod", "ts", 2, 20000, true, 0},
    {"ts:be64 device:fixed(16)", "arrays-hash floorMod", "device", 2, 20000, true, 0},
    {"ts:be64 device:fixed(16)", "md5 floorMod", "ts", 2, 20000, true, 0},
    {"device:be32 ts:be64", "none", "key", 0, 20000, false, 0.99},
};

static double bytes_a_cell(const struct shape *sh, enum spec_encoding encoding, int sample, enum spec_detail detail)
{
    struct spec sp;
    struct result_run r;
    struct sim_end end;
    double bytes = 0, cells = 0;

    iot_spec(&sp, sh->buckets, 60, 20);
    free(sp.tables->key);
    free(sp.tables->salt);
    free(sp.tables->salt_over);
    sp.tables->key = iot_copy(sh->key);
    sp.tables->salt = iot_copy(sh->salt);
    sp.tables->salt_over = iot_copy(sh->salt_over);
    sp.tables->families->encoding = encoding;
    if (sh->buckets == 0)
        sp.tables->splits = SPEC_SPLITS_NONE;
    sp.cluster.servers = 1;
    sp.streams->entities = sh->entities;
    sp.streams->rate_per_s = 5000;
    sp.streams->arrival = sh->in_turn ? SPEC_ARRIVAL_EVERY : SPEC_ARRIVAL_CONSTANT;
    sp.streams->every_ns = sh->entities * SPEC_NS_PER_S / 5000;
    if (sh->zipf > 0) {
        sp.streams->popularity = SPEC_POPULARITY_ZIPF;
        sp.streams->zipf_exponent = sh->zipf;
    }
    sp.hbase.memstore_flush_size_bytes = 8 << 20;
    sp.detail = detail;
    sp.sample_keys = sample;
    result_run_init(&r);
    assert_int_equal(sim_run(&sp, NULL, &r, &end), 0);
    for (size_t i = 0; i < r.events_len; i++) {
        if (strcmp(r.events[i].kind, "flush") != 0 || strcmp(r.events[i].rule, "hbase.hregion.memstore.flush.size") != 0)
            continue;
        bytes += result_event_input(&r.events[i], "file_bytes");
        cells += result_event_input(&r.events[i], "cells");
    }
    assert_true(cells > 100000);
    result_run_free(&r);
    spec_free(&sp);
    return bytes / cells;
}

/* 60,000 rows a file, of which 1,024 or 256 keys are kept: within 5 %, of values of 20 bytes. A key that is told from its
   neighbour in the sample alone makes the worst of these 30 % too long. Call by call: where a salted table's rows are told a
   tick at a time, some keys come twice, and a file of all keys has those once. */
static void lengths_from_samples_are_near(void **state)
{
    static const enum spec_encoding encodings[] = {SPEC_ENCODING_PREFIX, SPEC_ENCODING_FAST_DIFF};
    static const int samples[] = {1024, 256};
    double worst = 0;

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        for (size_t e = 0; e < 2; e++) {
            const double all = bytes_a_cell(&shapes[i], encodings[e], 0, SPEC_DETAIL_WRITE);

            for (size_t k = 0; k < 2; k++) {
                const double off = bytes_a_cell(&shapes[i], encodings[e], samples[k], SPEC_DETAIL_WRITE) / all - 1;

                if (fabs(off) > 0.05)
                    fail_msg("%s %s over %s, encoding %d, %d keys: %.2f bytes a cell, %.1f %% off", shapes[i].key,
                             shapes[i].salt, shapes[i].salt_over, (int)encodings[e], samples[k], all, 100 * off);
                worst = fmax(worst, fabs(off));
            }
        }
    }
    print_message("worst %.2f %%\n", 100 * worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_from_samples_are_near),
    };

    return cmocka_run_group_tests_name("encoded", tests, NULL, NULL);
}
