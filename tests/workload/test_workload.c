/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "../sim/iot.h"
#include "workload/keystream.h"

/* ---- arrivals ---- */

static void test_every_is_evenly_phased(void **state)
{
    struct spec sp;
    struct arrivals a;

    (void)state;
    iot_spec(&sp, 16, 10, 100);
    assert_int_equal(arrivals_init(&a, sp.streams, 1), 0);
    /* 200,000 devices in 5 s: one each 25 us, each device once a period */
    assert_true(arrivals_time(&a, 0) == 0 && arrivals_time(&a, 1) == 25000);
    assert_true(arrivals_time(&a, 200000) == 5 * DES_S);
    assert_int_equal(arrivals_entity(&a, 200003), 3);
    assert_true(arrivals_before(&a, 0) == 0);
    assert_true(arrivals_before(&a, 1) == 1 && arrivals_before(&a, 25000) == 1 && arrivals_before(&a, 25001) == 2);
    assert_true(arrivals_before(&a, 10 * DES_S) == 400000);
    assert_true(arrivals_event_ms(&a, 40) == sp.streams->start_ms + 1);
    arrivals_free(&a);
    spec_free(&sp);
}

/* Rates that divide nothing: the n-th arrival is the floor of n / rate, without drift. */
static void test_constant_rates_do_not_drift(void **state)
{
    static const double rates[] = {0.1, 1, 3, 7.25, 999.9, 1001, 33333, 1e6 / 3, 1234567.891};
    struct spec sp;

    (void)state;
    iot_spec(&sp, 16, 10, 100);
    sp.streams->arrival = SPEC_ARRIVAL_CONSTANT;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        struct arrivals a;
        const uint64_t n = 5000000;
        double want = (double)n / rates[i], got;

        sp.streams->rate_per_s = rates[i];
        assert_int_equal(arrivals_init(&a, sp.streams, 1), 0);
        got = des_time_to_s(arrivals_time(&a, n));
        assert_true(fabs(got / want - 1) < 1e-6);
        for (uint64_t k = n; k < n + 1000; k++) {
            assert_true(arrivals_time(&a, k + 1) >= arrivals_time(&a, k));
            assert_true(arrivals_before(&a, arrivals_time(&a, k) + 1) > k);
        }
        arrivals_free(&a);
    }
    spec_free(&sp);
}

/* Share of each of the first entities among |n| rows. */
static double share_of(const struct arrivals *a, uint32_t entity, uint64_t n)
{
    uint64_t hits = 0;

    for (uint64_t i = 0; i < n; i++)
        hits += arrivals_entity(a, i) == entity;
    return (double)hits / (double)n;
}

static void test_hot_entities_take_their_share(void **state)
{
    struct spec sp;
    struct arrivals a;
    const uint64_t n = 200000;

    (void)state;
    iot_spec(&sp, 16, 10, 100);
    sp.streams->entities = 1000;
    sp.streams->popularity = SPEC_POPULARITY_HOT;
    sp.streams->hot_entities = 1;
    sp.streams->hot_share = 0.3;
    assert_int_equal(arrivals_init(&a, sp.streams, 7), 0);
    /* five standard deviations of a binomial */
    assert_true(fabs(share_of(&a, 0, n) - 0.3) < 5 * sqrt(0.3 * 0.7 / (double)n));
    assert_true(fabs(share_of(&a, 999, n) - 0.7 / 999) < 5 * sqrt(0.7 / 999 / (double)n));
    arrivals_free(&a);
    spec_free(&sp);
}

/* Zipf: the i-th most popular takes i^-s / H of all, and the draw is the same for the same row. */
static void test_zipf_has_its_law(void **state)
{
    struct spec sp;
    struct arrivals a;
    const uint64_t n = 300000;
    double h = 0, best = 0, second = 0;
    uint32_t *count;

    (void)state;
    iot_spec(&sp, 16, 10, 100);
    sp.streams->entities = 500;
    sp.streams->popularity = SPEC_POPULARITY_ZIPF;
    sp.streams->zipf_exponent = 0.99;
    assert_int_equal(arrivals_init(&a, sp.streams, 3), 0);
    for (int r = 1; r <= 500; r++)
        h += pow(r, -0.99);
    count = calloc(500, sizeof *count);
    assert_non_null(count);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t e = arrivals_entity(&a, i);

        assert_true(e < 500 && e == arrivals_entity(&a, i));
        count[e]++;
    }
    for (int e = 0; e < 500; e++) {
        const double share = (double)count[e] / (double)n;

        if (share > best) {
            second = best;
            best = share;
        } else if (share > second) {
            second = share;
        }
    }
    assert_true(fabs(best * h - 1) < 0.05);
    assert_true(fabs(second * h - pow(2, -0.99)) < 0.05);
    free(count);
    arrivals_free(&a);
    spec_free(&sp);
}

/* ---- key streams: the fast route equals the built key ---- */

static uint64_t prefix_of(const uint8_t *b, size_t len)
{
    uint64_t p = 0;

    for (size_t i = 0; i < 8; i++)
        p = p << 8 | (i < len ? b[i] : 0);
    return p;
}

static void route_equals_key(const char *layout, const char *salt, const char *over, int buckets)
{
    struct spec sp;
    struct arrivals a;
    struct keystream ks;
    struct saltkey_error err = {0, 0, ""};

    iot_spec(&sp, buckets, 10, 100);
    free(sp.tables->key);
    free(sp.tables->salt);
    free(sp.tables->salt_over);
    sp.tables->key = iot_copy(layout);
    sp.tables->salt = iot_copy(salt);
    sp.tables->salt_over = iot_copy(over);
    sp.streams->entities = 5000;
    assert_int_equal(arrivals_init(&a, sp.streams, 1), 0);
    if (keystream_init(&ks, sp.tables, &a, NULL, &err) != 0)
        fail_msg("%s: %s", layout, err.reason);
    for (uint64_t i = 0; i < 4000000; i += 1237) {
        uint8_t bytes[256];
        struct saltkey_buf row = {bytes, sizeof bytes, 0};
        struct key_route r;
        uint64_t bucket = 0;

        keystream_route(&ks, &i, 1, &r);
        assert_int_equal(keystream_key(&ks, i, &row), 0);
        assert_true(row.len <= ks.row_max && (!ks.row_fixed || row.len == ks.row_max));
        assert_true(r.prefix == prefix_of(bytes, row.len));
        if (ks.bucket_by != KEY_BUCKET_ONE)
            assert_int_equal(saltkey_row_bucket(&ks.scheme, (struct saltkey_slice){bytes, row.len}, &bucket), 0);
        assert_true(r.bucket == bucket);
    }
    keystream_free(&ks);
    arrivals_free(&a);
    spec_free(&sp);
}

static void test_routes_equal_keys(void **state)
{
    (void)state;
    route_equals_key("ts:be64 device:fixed(16)", "arrays-hash floorMod", "key", 16);
    route_equals_key("ts:be64 device:fixed(16)", "arrays-hash floorMod", "device", 12);
    route_equals_key("ts:be64 device:fixed(16)", "phoenix", "key", 31);
    route_equals_key("ts:be64 device:fixed(16)", "none", "key", 0);
    route_equals_key("device:fixed(16) ts:be64", "arrays-hash floorMod", "key", 256);
    route_equals_key("device:fixed(16) ts:be64", "md5hex 4", "device", 0);
    route_equals_key("device:be32 ts:rts", "arrays-hash floorMod", "device", 7);
    route_equals_key("ts:rts device:be32", "arrays-hash floorMod", "ts", 5);
    route_equals_key("seq:revdec(12)", "none", "key", 0);
    route_equals_key("seq:dec(12) ts:be64", "arrays-hash floorMod", "key", 16);
    route_equals_key("ts:i64 device:text", "arrays-hash floorMod", "key", 16);
    route_equals_key("device:be32 seq:be64", "phoenix", "key", 4);
    route_equals_key("ts:be64 device:fixed(16)", "random", "key", 16);
    route_equals_key("device:fixed(16) ts:be64", "roundrobin", "key", 9);
    route_equals_key("ts:be64 device:fixed(16)", "murmur3 unsigned", "key", 16);
}

/* ---- key files ---- */

static void write_file(const char *path, const void *bytes, size_t len)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static int read_text(const char *text, enum spec_key_format format, int width, struct keyfile *kf,
                     struct keyfile_error *err)
{
    char path[] = "test-keys-XXXXXX";
    const int fd = mkstemp(path);
    int rc;

    assert_true(fd >= 0);
    close(fd);
    write_file(path, text, strlen(text));
    rc = keyfile_read(path, format, width, kf, err);
    unlink(path);
    return rc;
}

static void test_key_files(void **state)
{
    struct keyfile kf;
    struct keyfile_error err;

    (void)state;
    assert_int_equal(read_text("a\\x00b\n\\xFFz\r\nplain", SPEC_KEYS_ESCAPED, 0, &kf, &err), 0);
    assert_int_equal(kf.count, 3);
    assert_int_equal(keyfile_key(&kf, 0).len, 3);
    assert_memory_equal(keyfile_key(&kf, 0).bytes, "a\0b", 3);
    assert_memory_equal(keyfile_key(&kf, 1).bytes, "\xFFz", 2);
    assert_int_equal(keyfile_key(&kf, 2).len, 5);
    assert_int_equal(kf.longest, 5);
    keyfile_free(&kf);
    assert_int_equal(read_text("00ff\nAb\n", SPEC_KEYS_HEX, 0, &kf, &err), 0);
    assert_memory_equal(keyfile_key(&kf, 1).bytes, "\xab", 1);
    keyfile_free(&kf);
    assert_int_equal(read_text("abcdef", SPEC_KEYS_BINARY, 3, &kf, &err), 0);
    assert_int_equal(kf.count, 2);
    assert_memory_equal(keyfile_key(&kf, 1).bytes, "def", 3);
    keyfile_free(&kf);
}

static void test_bad_key_files_name_the_line(void **state)
{
    struct keyfile kf;
    struct keyfile_error err;

    (void)state;
    assert_int_equal(read_text("a\n\\xab\n", SPEC_KEYS_ESCAPED, 0, &kf, &err), KEYFILE_BAD_LINE);
    assert_int_equal(err.line, 2);
    assert_int_equal(read_text("00\n0\n", SPEC_KEYS_HEX, 0, &kf, &err), KEYFILE_BAD_LINE);
    assert_int_equal(err.line, 2);
    assert_int_equal(read_text("00\n0g\n", SPEC_KEYS_HEX, 0, &kf, &err), KEYFILE_BAD_LINE);
    assert_non_null(strstr(err.reason, "column 2"));
    assert_int_equal(read_text("a\n\nb\n", SPEC_KEYS_ESCAPED, 0, &kf, &err), KEYFILE_BAD_LINE);
    assert_int_equal(err.line, 2);
    assert_int_equal(read_text("abcd", SPEC_KEYS_BINARY, 3, &kf, &err), KEYFILE_BAD_LINE);
    assert_int_equal(read_text("", SPEC_KEYS_ESCAPED, 0, &kf, &err), KEYFILE_BAD_LINE);
    assert_int_equal(keyfile_read("no/such/file", SPEC_KEYS_HEX, 0, &kf, &err), KEYFILE_CANT_READ);
    assert_int_equal(keyfile_read("/dev/zero", SPEC_KEYS_BINARY, 8, &kf, &err), KEYFILE_CANT_READ);
    assert_non_null(strstr(err.reason, "not a regular file"));
    assert_int_equal(keyfile_read("/", SPEC_KEYS_ESCAPED, 0, &kf, &err), KEYFILE_CANT_READ);
    assert_string_equal(err.reason, strerror(EISDIR));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_is_evenly_phased),
        cmocka_unit_test(test_constant_rates_do_not_drift),
        cmocka_unit_test(test_hot_entities_take_their_share),
        cmocka_unit_test(test_zipf_has_its_law),
        cmocka_unit_test(test_routes_equal_keys),
        cmocka_unit_test(test_key_files),
        cmocka_unit_test(test_bad_key_files_name_the_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
