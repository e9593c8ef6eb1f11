/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments that have no meaning are refused, and the one metric that OpenTSDB doesn't salt. */
#include "harness.h"

/* OpenTSDB's global annotations: the preset, the salt in a layout, and its own row builder agree. */
static void test_zero_metric(void **state)
{
    static const char *const layouts[] = {"metric:bytes(3) base:be32 tags:text", "metric:bytes(3) base:be32 tags:bytes(6)",
                                          "metric:be24 base:be32 tags:bytes(6)"};
    size_t i, k;

    (void)state;
    for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
        for (k = 0; k < 2; k++) {
            struct saltkey_scheme s = scheme_of(layouts[i], "opentsdb", 20, "metric tags");
            struct saltkey_scheme plain = scheme_of(layouts[i], "arrays-hash abs", 20, "metric tags");
            struct saltkey_value v[3] = {saltkey_bytes(k ? "\0\0\1" : "\0\0\0", 3), saltkey_uint(3600), saltkey_text("abcdef")};
            struct saltkey_query q = {v, 7, -1, NULL, NULL};
            struct saltkey_opentsdb config = {1, 20};
            struct saltkey_opentsdb_point point = {slice(k ? "\0\0\1" : "\0\0\0", 3), slice("abcdef", 6), 3600};
            uint8_t start[64], stop[64];
            struct saltkey_window w = {{start, 64, 0}, {stop, 64, 0}, false, false, false, 0, 0};
            uint64_t bucket = 99;
            BUF(row, 64);
            BUF(theirs, 64);
            BUF(salted, 64);

            if (i == 2)
                v[0] = saltkey_uint(k);
            assert_int_equal(saltkey_salted(&s, v, &row, NULL), 0);
            assert_int_equal(saltkey_opentsdb_row(&config, &point, &theirs), 0);
            assert_int_equal(saltkey_compare(used(&row), used(&theirs)), 0);
            assert_int_equal(saltkey_bucket(&s, slice(row.bytes + 1, row.len - 1), &bucket), 0);
            assert_int_equal(bucket, row.bytes[0]);
            assert_int_equal(saltkey_salt_natural(&s, slice(row.bytes + 1, row.len - 1), &salted), 0);
            assert_int_equal(saltkey_compare(used(&salted), used(&row)), 0);
            assert_int_equal(saltkey_window_query(&s, &q, &w, NULL), 0);
            assert_true(w.one_bucket && w.bucket == bucket);
            if (k == 0)
                assert_int_equal(bucket, 0);
            assert_false(saltkey_has_shares(&s));
            assert_true(saltkey_schemes_agree(&s, &plain, NULL) < 0);
            assert_int_equal(saltkey_salted(&plain, v, &salted, NULL), 0);
            assert_int_equal(saltkey_compare(used(&salted), used(&row)) == 0, k == 1);
        }
}

static void test_zero_metric_preset(void **state)
{
    struct saltkey_value v[3] = {saltkey_bytes("\0\0\0", 3), saltkey_uint(3600), saltkey_text("abcdef")};
    struct saltkey_scheme s;
    BUF(row, 64);

    (void)state;
    assert_int_equal(saltkey_preset("opentsdb", 20, &s, NULL), 0);
    assert_int_equal(saltkey_salted(&s, v, &row, NULL), 0);
    assert_bytes(row, "\0\0\0\0\0\0\x0e\x10" "abcdef");
}

static void test_months(void **state)
{
    static const struct {
        uint32_t today, days, month;
    } cases[] = {{20240229, 0, 202402}, {20000229, 31, 200001}, {10101, 0, 101}, {10131, 30, 101}, {99991231, 0, 999912},
                 {99991231, 3652058, 101}};
    static const uint32_t no_days[] = {0, 101, 20230229, 20260230, 20260431, 20261301, 20260100, 99991232, 100000101, 21000229,
                                       UINT32_MAX};
    uint32_t m = 7;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(saltkey_month_cutoff(cases[i].today, cases[i].days, &m), 0);
        assert_int_equal(m, cases[i].month);
    }
    m = 7;
    for (i = 0; i < sizeof(no_days) / sizeof(no_days[0]); i++)
        assert_int_equal(saltkey_month_cutoff(no_days[i], 1, &m), SALTKEY_ERANGE);
    assert_int_equal(saltkey_month_cutoff(10101, 1, &m), SALTKEY_ERANGE);
    assert_int_equal(saltkey_month_cutoff(10101, 400, &m), SALTKEY_ERANGE);
    assert_int_equal(saltkey_month_cutoff(99991231, UINT32_MAX, &m), SALTKEY_ERANGE);
    assert_int_equal(m, 7);
}

static void test_seeds(void **state)
{
    static const char *const refused[] = {"murmur3 floorMod seed 99999999999", "murmur floorMod seed 4294967296",
                                          "murmur2 floorMod seed -2147483649", "jenkins floorMod seed 4294967296",
                                          "xxh32 floorMod seed 4294967296", "arrays-hash floorMod seed 1",
                                          "crc32 floorMod seed 1", "md5 floorMod seed 0"};
    struct saltkey_salt a, b;
    struct saltkey_error err;
    int64_t h = 5;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        if (saltkey_salt_parse(refused[i], 16, &a, &err) != SALTKEY_ETEXT)
            fail_msg("'%s' is accepted", refused[i]);
        assert_true(err.column > 10);
    }
    assert_int_equal(saltkey_salt_parse("murmur3 floorMod seed 4294967295", 16, &a, NULL), 0);
    assert_int_equal(saltkey_salt_parse("murmur3 floorMod seed -1", 16, &b, NULL), 0);
    assert_int_equal(a.seed, -1);
    assert_int_equal(a.seed, b.seed);
    assert_int_equal(saltkey_salt_parse("xxh64 floorMod seed 99999999999", 16, &a, NULL), 0);
    assert_int_equal(a.seed, 99999999999);
    assert_int_equal(saltkey_hash_of(SALTKEY_HASH_MURMUR3, 99999999999, slice("a", 1), &h), SALTKEY_ERANGE);
    assert_int_equal(h, 5);
}

static void test_remainders(void **state)
{
    static uint64_t counts[SALTKEY_COUNTS];
    struct saltkey_mod mod = {7, 7, 7, 7, 7};
    int32_t hash = 5;
    size_t i;

    (void)state;
    assert_int_equal(saltkey_mod_init(&mod, (enum saltkey_remainder)77, 16), SALTKEY_EUNSUPPORTED);
    assert_int_equal(saltkey_mod_init(&mod, (enum saltkey_remainder)-1, 16), SALTKEY_EUNSUPPORTED);
    assert_int_equal(mod.n, 7);
    saltkey_count_buckets((enum saltkey_remainder)77, &hash, 1, counts);
    for (i = 0; i < SALTKEY_COUNTS; i++)
        assert_int_equal(counts[i], 0);
}

static void test_chosen_bucket(void **state)
{
    struct saltkey_scheme s = scheme_of("k:be32", "phoenix", 16, NULL), none = scheme_of("k:be32", "none", 0, NULL);
    struct saltkey_value v = saltkey_uint(5);
    struct saltkey_error err;
    BUF(row, 16);

    (void)state;
    assert_int_equal(saltkey_salted_as(&s, 3, &v, &row, &err), SALTKEY_EUNSUPPORTED);
    assert_int_equal(saltkey_salted_as(&none, 0, &v, &row, &err), SALTKEY_EUNSUPPORTED);
    assert_int_equal(row.len, 0);
}

struct texts {
    const char *const *at;
    size_t left;
};

static int pull_text(void *context, struct saltkey_row *rows, size_t max)
{
    struct texts *t = context;
    size_t i;

    for (i = 0; i < max && t->left; i++, t->left--, t->at++)
        rows[i] = (struct saltkey_row){slice(*t->at, strlen(*t->at)), NULL};
    return (int)i;
}

/* Merges two streams; how many rows came out, and what then was wrong. */
static void check_merge(struct saltkey_merge_options o, const char *const *a, size_t n, size_t good, uint64_t bad_row)
{
    static const char *const other[] = {"1_a", "1_b", "1_z"}, *const down[] = {"1_z", "1_b", "1_a"};
    size_t batch;

    for (batch = 1; batch <= 64; batch *= 8) {
        struct texts t[2] = {{a, n}, {o.reverse ? down : other, 3}};
        struct saltkey_source sources[2] = {{pull_text, &t[0]}, {pull_text, &t[1]}};
        struct saltkey_merge *m = NULL;
        struct saltkey_row row;
        size_t source = 9, i;
        uint64_t at = 9;

        o.batch = batch;
        assert_int_equal(saltkey_merge_open(sources, 2, &o, &m), 0);
        for (i = 0; i < good; i++)
            assert_int_equal(saltkey_merge_next(m, &row, NULL), 1);
        assert_int_equal(saltkey_merge_next(m, &row, NULL), SALTKEY_EKEY);
        assert_int_equal(saltkey_merge_next(m, &row, NULL), SALTKEY_EKEY);
        saltkey_merge_error(m, &source, &at);
        assert_int_equal(source, 0);
        assert_int_equal(at, bad_row);
        saltkey_merge_close(m);
    }
}

static void test_rows_without_salt(void **state)
{
    static const char *const first[] = {"0", "0_c"}, *const middle[] = {"0_a", "0_c", "0", "0_d"};
    static const char *const last[] = {"0_y", "0_c", "0"}, *const empty[] = {""};
    struct saltkey_merge_options skip = {2, false, 0, 0, 0, 0, false, NULL, 0, false};
    struct saltkey_merge_options through = {0, true, '_', 0, 0, 0, false, NULL, 0, false};
    struct saltkey_merge_options down = {2, false, 0, 0, 0, 0, true, NULL, 0, false};
    struct saltkey_merge_options drop = {2, false, 0, 0, 0, 0, false, NULL, 0, true};

    (void)state;
    check_merge(skip, first, 2, 0, 1);
    check_merge(through, first, 2, 0, 1);
    check_merge(through, empty, 1, 0, 1);
    check_merge(skip, middle, 4, 4, 3);
    check_merge(through, middle, 4, 4, 3);
    check_merge(drop, middle, 4, 3, 3);
    check_merge(down, last, 3, 5, 3);
    down.skip = 0;
    down.skip_through = true;
    down.delimiter = '_';
    check_merge(down, last, 3, 5, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero_metric), cmocka_unit_test(test_zero_metric_preset), cmocka_unit_test(test_months),
        cmocka_unit_test(test_seeds),       cmocka_unit_test(test_remainders),         cmocka_unit_test(test_chosen_bucket),
        cmocka_unit_test(test_rows_without_salt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
