/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Salts of all kinds, decoding, explanations, warnings, fits, allocation failures. */
#include <stdlib.h>

#include "harness.h"

static uint64_t bucket_of(const char *salt, uint32_t n, const char *key, size_t len)
{
    struct saltkey_scheme s = scheme_of("k:text", salt, n, NULL);
    uint64_t b = 0;

    assert_int_equal(saltkey_bucket(&s, slice(key, len), &b), 0);
    return b;
}

static void test_old_hbasewd(void **state)
{
    uint64_t b;

    (void)state;
    /* 0x0102 = 258 = 12 x 21 + 6 */
    assert_int_equal(bucket_of("hbasewd-2011", 21, "\1\2", 2), 258 % 21);
    /* only the last eight bytes count; ff..ff is -1, whose remainder is the byte ff */
    assert_int_equal(bucket_of("hbasewd-2011", 21, "ab\0\0\0\0\0\0\1\2", 10), 258 % 21);
    b = bucket_of("hbasewd-2011", 21, "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
    assert_int_equal(b, 0xff);
    assert_int_equal(bucket_of("hbasewd", 16, "foo", 3), labs(saltkey_hash31("foo", 3)) % 16);
}

static void refuse_salt(const char *text, uint32_t n, int status, size_t column)
{
    struct saltkey_error err = {0, 0, ""};
    struct saltkey_salt s;

    if (saltkey_salt_parse(text, n, &s, &err) != status)
        fail_msg("'%s' gives status %d", text, err.status);
    assert_int_equal(err.column, column);
    assert_true(err.reason[0] != '\0');
}

static void test_refusals(void **state)
{
    (void)state;
    refuse_salt("text02x", 257, SALTKEY_EBUCKETS, 0);
    refuse_salt("text04d", 10001, SALTKEY_EBUCKETS, 0);
    refuse_salt("opentsdb 9", 20, SALTKEY_ETEXT, 10);
    refuse_salt("opentsdb 5", 257, SALTKEY_EBUCKETS, 0); /* the low byte comes first there */
    refuse_salt("opentsdb 1", 257, SALTKEY_EBUCKETS, 0);
    refuse_salt("roundrobin", 128, SALTKEY_EBUCKETS, 0);
    refuse_salt("random", 0, SALTKEY_EBUCKETS, 0);
    refuse_salt("murmur3", 16, SALTKEY_ETEXT, 8);
    refuse_salt("murmur3 unsigned seed x", 16, SALTKEY_ETEXT, 23);
    refuse_salt("murmur3 unsigned loose", 16, SALTKEY_ETEXT, 18);
    refuse_salt("murmur3 unsigned hex 10", 16, SALTKEY_ETEXT, 22);
    refuse_salt("crc32 unsigned bytes 5", 16, SALTKEY_ETEXT, 22);
    refuse_salt("phoenix loose", 16, SALTKEY_ETEXT, 9);
    refuse_salt("md5hex 9", 16, SALTKEY_ETEXT, 8);
    refuse_salt("", 16, SALTKEY_ETEXT, 1);
}

/* N is known to a random salt's reader, the bucket isn't. */
static void test_given(void **state)
{
    struct saltkey_scheme s = scheme_of("k:be32", "random", 16, NULL);
    struct saltkey_value v = saltkey_uint(5);
    struct saltkey_query point = {&v, 1, -1, NULL, NULL};
    uint8_t start[16], stop[16];
    struct saltkey_window w = {{start, 16, 0}, {stop, 16, 0}, false, false, false, 0, 0};
    uint64_t b;
    BUF(row, 16);

    (void)state;
    assert_int_equal(saltkey_salted(&s, &v, &row, NULL), SALTKEY_EUNSUPPORTED);
    assert_int_equal(saltkey_salted_as(&s, 16, &v, &row, NULL), SALTKEY_ERANGE);
    assert_int_equal(saltkey_salted_as(&s, 9, &v, &row, NULL), 0);
    assert_bytes(row, "\x09\0\0\0\x05");
    assert_int_equal(saltkey_row_bucket(&s, used(&row), &b), 0);
    assert_int_equal(b, 9);
    assert_int_equal(saltkey_window_query(&s, &point, &w, NULL), 0);
    assert_int_equal(w.scans, 16);
}

static void parse_fails(const char *layout, const char *key, size_t len, size_t byte)
{
    struct saltkey_layout l = layout_of(layout);
    struct saltkey_value v[SALTKEY_FIELDS_MAX];
    struct saltkey_error err = {0, 0, ""};
    BUF(scratch, 64);

    assert_int_equal(saltkey_natural_parse(&l, slice(key, len), v, &scratch, &err), SALTKEY_EKEY);
    if (err.column != byte)
        fail_msg("%s: byte %lu, not %lu (%s)", layout, (unsigned long)err.column, (unsigned long)byte, err.reason);
}

static void test_parse_refusals(void **state)
{
    (void)state;
    parse_fails("a:be32 b:be32", "1234567", 7, 8);
    parse_fails("a:be32", "12345", 5, 5);
    parse_fails("a:text b:be8", "abc", 3, 4);
    parse_fails("a:text+_ b:text", "abc", 3, 4);
    parse_fails("a:dec(3)", "1a2", 3, 1);
    parse_fails("a:be8 b:dec(3)", "x1a2", 4, 2);
    parse_fails("a:hex(2)", "FF", 2, 1);
    parse_fails("a:rts19", "9999999999999999999", 19, 1);
    parse_fails("a:num", "007", 3, 1);
    parse_fails("a:num", "-", 1, 1);
    parse_fails("a:num", "-0", 2, 1);
    parse_fails("a:dec(2)+_ b:be8", "12-x", 4, 3);
    parse_fails("a:ob-i32", "\x2a\0\0\0\0", 5, 1);
    parse_fails("a:ob-text", "\x34" "abc", 4, 5);
    parse_fails("a:ob-blob", "\x37\x80", 2, 3);
    parse_fails("a:revtext", "\xff", 1, 1);
    parse_fails("a:dec(20)", "99999999999999999999", 20, 1);
    parse_fails("a:text+_~\\ b:be8", "a\\_b", 4, 5);
}

static void test_escaped_text(void **state)
{
    struct saltkey_layout l = layout_of("salt a:text+_~\\ b:text");
    struct saltkey_value v[2] = {saltkey_text("x_y\\z"), saltkey_text("_tail")}, back[2];
    struct saltkey_error err;
    BUF(key, 64);
    BUF(scratch, 64);

    (void)state;
    assert_int_equal(saltkey_natural(&l, v, &key, NULL), 0);
    assert_bytes(key, "x\\_y\\\\z__tail");
    assert_int_equal(saltkey_natural_parse(&l, used(&key), back, &scratch, NULL), 0);
    assert_int_equal(saltkey_compare(back[0].bytes, v[0].bytes), 0);
    assert_int_equal(saltkey_compare(back[1].bytes, v[1].bytes), 0);
    assert_int_equal(saltkey_layout_parse("a:be8+_~x b:be8", &l, &err), SALTKEY_ETEXT);
    assert_int_equal(err.column, 8);
    assert_int_equal(saltkey_layout_parse("a:text+_~_ b:be8", &l, &err), SALTKEY_ETEXT);
    assert_int_equal(saltkey_layout_parse("a:text+_", &l, &err), SALTKEY_ETEXT);
    assert_int_equal(saltkey_layout_parse("a:text+ b:be8", &l, &err), SALTKEY_ETEXT);
    assert_int_equal(saltkey_layout_parse("a:text+\\xab b:be8", &l, &err), SALTKEY_ETEXT);
    assert_int_equal(saltkey_layout_parse("a:rts:desc", &l, &err), SALTKEY_ETEXT);
}

/* Inverted bytes reverse the order of the values, texts included. */
static void test_desc_order(void **state)
{
    struct saltkey_layout l = layout_of("a:text:desc b:i32:desc");
    const char *texts[] = {"", "a", "ab", "b", "ba"};
    struct saltkey_value v[2];
    BUF(before, 64);
    BUF(key, 64);
    size_t i;
    int n;

    (void)state;
    for (i = 5; i-- > 0;)
        for (n = 2; n >= -2; n--) {
            v[0] = saltkey_text(texts[i]);
            v[1] = saltkey_int(n);
            assert_int_equal(saltkey_natural(&l, v, &key, NULL), 0);
            assert_true(saltkey_compare(used(&before), used(&key)) < 0);
            memcpy(before.bytes, key.bytes, key.len);
            before.len = key.len;
        }
}

static void test_explain(void **state)
{
    struct saltkey_scheme s = scheme_of("ts:be64 device:fixed(16) id:uuid x:rts", "arrays-hash floorMod", 16, "device");
    struct saltkey_value v[4] = {saltkey_uint(1709856000000), saltkey_text("a91f"),
                                 saltkey_text("00112233-4455-6677-8899-aabbccddeeff"), saltkey_int(-5)};
    struct saltkey_error err;
    char text[512];
    BUF(row, 64);

    (void)state;
    assert_int_equal(saltkey_salted(&s, v, &row, NULL), 0);
    assert_int_equal(saltkey_explain(&s, used(&row), text, sizeof(text), NULL), 0);
    assert_non_null(strstr(text, " of 16\nts be64 = 1709856000000\ndevice fixed = a91f\n"
                                 "id uuid = 00112233-4455-6677-8899-aabbccddeeff\nx rts = -5\n"));
    row.bytes[0] ^= 1;
    assert_int_equal(saltkey_explain(&s, used(&row), text, sizeof(text), NULL), 0);
    assert_non_null(strstr(text, "WRONG: the key gives"));
    assert_int_equal(saltkey_explain(&s, used(&row), text, 20, NULL), SALTKEY_ESPACE);
    row.len = 30;
    assert_int_equal(saltkey_explain(&s, used(&row), text, sizeof(text), &err), SALTKEY_EKEY);
    assert_int_equal(err.column, 31);
}

static bool warns(const char *layout, const char *salt, uint32_t n, const char *word)
{
    struct saltkey_scheme s = scheme_of(layout, salt, n, NULL);
    const char *w;
    size_t i;

    for (i = 0; (w = saltkey_scheme_warning(&s, i)) != NULL; i++)
        if (strstr(w, word))
            return true;
    return false;
}

static void test_warnings(void **state)
{
    struct saltkey_scheme a = scheme_of("ts:be64 d:fixed(4)", "phoenix", 16, NULL);
    struct saltkey_scheme b = scheme_of("time:be64 dev:fixed(4)", "arrays-hash floorMod", 16, NULL);
    struct saltkey_scheme c = scheme_of("time:be64 dev:fixed(4)", "phoenix", 16, NULL);
    struct saltkey_scheme d = scheme_of("time:be64 dev:fixed(4)", "phoenix", 16, "dev");
    struct saltkey_scheme e = scheme_of("time:be64 dev:fixed(5)", "phoenix", 16, NULL);
    struct saltkey_scheme f = scheme_of("time:be64 dev:fixed(4)", "phoenix", 17, NULL);

    (void)state;
    assert_true(warns("k:be64", "arrays-hash floorMod", 62, "multiple of 31"));
    assert_false(warns("k:be64", "murmur3 floorMod", 62, "multiple of 31"));
    assert_true(warns("k:fixed(4)", "phoenix", 128, "power of two"));
    assert_false(warns("k:be64", "phoenix", 128, "power of two"));
    assert_true(warns("k:be64", "hbasewd", 3, "outside"));
    assert_true(warns("k:text", "text02x loose", 300, "width varies"));
    assert_true(warns("k:be64", "random", 16, "every bucket"));
    assert_true(warns("k:be64", "md5hex 4", 0, "known in full"));
    assert_true(warns("a:rawtext+_ b:text", "none", 0, "same row"));
    assert_true(warns("k:be64", "arrays-hash unsigned", 12, "floorMod or abs"));
    assert_false(warns("ts:be64 d:fixed(16)", "arrays-hash floorMod", 16, ""));
    assert_int_equal(saltkey_schemes_agree(&a, &c, NULL), 0);
    assert_true(saltkey_schemes_agree(&a, &b, NULL) < 0);
    assert_true(saltkey_schemes_agree(&a, &d, NULL) < 0);
    assert_true(saltkey_schemes_agree(&a, &e, NULL) < 0);
    assert_true(saltkey_schemes_agree(&a, &f, NULL) < 0);
}

static enum saltkey_fit_fault fit_of(const char *split, const char *before, unsigned n)
{
    struct saltkey_salt salt;
    struct saltkey_keys splits, rows;
    struct saltkey_fit fit;
    uint64_t counts[64];
    char row[32];
    unsigned i;

    assert_int_equal(saltkey_salt_parse("text02x", n > 16 ? 16 : n, &salt, NULL), 0);
    saltkey_keys_init(&splits, NULL);
    saltkey_keys_init(&rows, NULL);
    assert_int_equal(saltkey_split_parse(split, &salt, &splits, NULL), 0);
    for (i = 0; i < n; i++) {
        snprintf(row, sizeof(row), "%s%02x_user", before, i);
        assert_int_equal(saltkey_keys_add(&rows, slice(row, strlen(row))), 0);
    }
    assert_int_equal(saltkey_splits_fit(&splits, &rows, counts, &fit), 0);
    assert_int_equal(fit.keys, n);
    saltkey_keys_free(&splits);
    saltkey_keys_free(&rows);
    return fit.fault;
}

static void test_fits(void **state)
{
    struct saltkey_salt salt;
    struct saltkey_keys splits;
    struct saltkey_fit fit;
    uint64_t counts[64];

    (void)state;
    assert_int_equal(fit_of("buckets", "", 16), SALTKEY_FIT_OK);
    assert_int_equal(fit_of("HexStringSplit 16", "", 16), SALTKEY_FIT_ONE_TAKES_ALL);
    assert_int_equal(fit_of("HexStringSplit 16", "", 32), SALTKEY_FIT_WRONG_ALPHABET);
    assert_int_equal(fit_of("UniformSplit 4", "\xff", 16), SALTKEY_FIT_LAST_TAKES_ALL);
    assert_int_equal(fit_of("buckets", "", 15), SALTKEY_FIT_OK);
    assert_int_equal(fit_of("keys 01,02,03,99", "", 6), SALTKEY_FIT_EMPTY_REGIONS);
    assert_int_equal(fit_of("keys 01,02,03", "", 32), SALTKEY_FIT_UNEVEN);

    saltkey_keys_init(&splits, NULL);
    assert_int_equal(saltkey_salt_parse("phoenix", 16, &salt, NULL), 0);
    assert_int_equal(saltkey_split_buckets(&salt, 1, &splits, NULL), 0);
    assert_int_equal(saltkey_splits_fit_salt(&splits, &salt, counts, &fit), 0);
    assert_int_equal(fit.fault, SALTKEY_FIT_OK);
    assert_int_equal(fit.keys, 16);
    assert_int_equal(saltkey_split_uniform(32, &splits, NULL), 0);
    assert_int_equal(saltkey_splits_fit_salt(&splits, &salt, counts, &fit), 0);
    assert_int_equal(fit.fault, SALTKEY_FIT_WRONG_ALPHABET);
    assert_int_equal(fit.empty, 30);
    saltkey_keys_free(&splits);
}

static void test_quantiles(void **state)
{
    struct saltkey_keys sample, keys, rows;
    struct saltkey_fit fit;
    uint64_t counts[8];
    struct seeded r = {3};
    uint8_t row[2];
    int i;

    (void)state;
    saltkey_keys_init(&sample, NULL);
    saltkey_keys_init(&keys, NULL);
    saltkey_keys_init(&rows, NULL);
    for (i = 0; i < 4000; i++) {
        seeded_fill(&r, row, 2);
        row[0] &= 3; /* a narrow alphabet */
        assert_int_equal(saltkey_keys_add(i < 2000 ? &sample : &rows, slice(row, 2)), 0);
    }
    assert_int_equal(saltkey_split_quantiles(&sample, 8, &keys, NULL), 0);
    assert_int_equal(keys.count, 7);
    assert_int_equal(saltkey_splits_fit(&keys, &rows, counts, &fit), 0);
    assert_int_equal(fit.fault, SALTKEY_FIT_OK);
    assert_true(fit.largest_share < 0.2);
    assert_int_equal(saltkey_split_quantiles(&sample, 2001, &keys, NULL), SALTKEY_EEMPTY);
    assert_int_equal(saltkey_split_quantiles(&sample, 0, &keys, NULL), SALTKEY_ERANGE);
    saltkey_keys_free(&sample);
    saltkey_keys_free(&keys);
    saltkey_keys_free(&rows);
}

/* An allocator that fails once, at the n-th call, and counts what is held. */
struct faulty {
    size_t calls, fail_at;
    long held;
};

static void *faulty_resize(void *context, void *old, size_t size)
{
    struct faulty *f = context;
    void *p;

    if (size == 0) {
        f->held -= old != NULL;
        free(old);
        return NULL;
    }
    if (++f->calls == f->fail_at)
        return NULL;
    p = realloc(old, size);
    f->held += p && !old;
    return p;
}

struct long_keys {
    int left;
    uint8_t key[64];
};

static int pull_long(void *context, struct saltkey_row *rows, size_t max)
{
    struct long_keys *k = context;

    (void)max;
    if (k->left == 0)
        return 0;
    k->key[40] = (uint8_t)(200 - --k->left);
    rows->key = slice(k->key, 64);
    rows->user = NULL;
    return 1;
}

/* All that allocates; the first negative status, or 0. */
static int use_all(const struct saltkey_allocator *a)
{
    struct saltkey_keys keys, inner;
    struct saltkey_merge_options o;
    struct saltkey_merge *m = NULL;
    struct saltkey_phoenix key;
    struct saltkey_salt salt;
    struct saltkey_row row;
    struct long_keys streams[3] = {{20, {0}}, {20, {0}}, {20, {0}}};
    struct saltkey_source sources[3];
    int rc, i;

    memset(&o, 0, sizeof(o));
    o.allocator = a;
    o.batch = 1;
    for (i = 0; i < 3; i++)
        sources[i] = (struct saltkey_source){pull_long, &streams[i]};
    saltkey_keys_init(&keys, a);
    saltkey_keys_init(&inner, a);
    rc = saltkey_salt_parse("phoenix", 100, &salt, NULL);
    if (rc == 0)
        rc = saltkey_split_buckets(&salt, 3, &keys, NULL);
    if (rc == 0)
        rc = saltkey_split_uniform(300, &inner, NULL);
    if (rc == 0)
        rc = saltkey_split_cross(&salt, &inner, &keys, NULL);
    if (rc == 0)
        rc = saltkey_split_quantiles(&inner, 20, &keys, NULL);
    if (rc == 0)
        rc = saltkey_split_list("a,b,\\x00", &keys, NULL);
    if (rc == 0)
        rc = saltkey_split_file(slice("a\nb\n", 4), true, &keys, NULL);
    if (rc == 0)
        rc = saltkey_phoenix_parse("BIGINT!, CHAR(200)!", 100, &key, NULL);
    if (rc == 0)
        rc = saltkey_phoenix_splits(&key, &keys, NULL);
    if (rc == 0)
        rc = saltkey_merge_open(sources, 3, &o, &m);
    while (rc == 0 && (i = saltkey_merge_next(m, &row, NULL)) != 0)
        rc = i < 0 ? i : 0;
    saltkey_merge_close(m);
    saltkey_keys_free(&keys);
    saltkey_keys_free(&inner);
    return rc;
}

static void test_failing_allocations(void **state)
{
    struct faulty f = {0, 0, 0};
    struct saltkey_allocator a = {faulty_resize, &f};
    size_t n, calls;

    (void)state;
    assert_int_equal(use_all(&a), 0);
    assert_int_equal(f.held, 0);
    calls = f.calls;
    assert_true(calls > 30);
    for (n = 1; n <= calls; n++) {
        f.calls = 0;
        f.fail_at = n;
        assert_int_equal(use_all(&a), SALTKEY_ENOMEM);
        assert_int_equal(f.held, 0);
    }
}

/* Every preset opens, has a name, and builds a row that reads back. */
static void test_presets(void **state)
{
    struct saltkey_scheme s;
    struct saltkey_error err;
    struct saltkey_value v[3], back[3];
    const char *name;
    uint64_t bucket;
    size_t i, skip;
    uint32_t k;
    BUF(row, 128);
    BUF(scratch, 256);

    (void)state;
    for (i = 0; (name = saltkey_preset_name(i)) != NULL; i++) {
        assert_int_equal(saltkey_preset(name, 20, &s, NULL), 0);
        for (k = 0; k < s.layout.n_fields; k++) {
            enum saltkey_kind kind = s.layout.fields[k].kind;

            v[k] = kind == SALTKEY_BE32 || kind == SALTKEY_BE64 || kind == SALTKEY_NUM || kind == SALTKEY_RTS19
                       ? saltkey_uint(1700000000) : saltkey_text("abc");
        }
        assert_int_equal(saltkey_salted(&s, v, &row, NULL), 0);
        assert_int_equal(saltkey_row_skip(&s, used(&row), &skip), 0);
        assert_int_equal(saltkey_row_bucket(&s, used(&row), &bucket), 0);
        assert_int_equal(saltkey_natural_parse(&s.layout, slice(row.bytes + skip, row.len - skip), back, &scratch, NULL), 0);
        for (k = 0; k < s.layout.n_fields; k++)
            assert_int_equal(back[k].number, v[k].number);
    }
    assert_int_equal(i, 12);
    assert_int_equal(saltkey_preset("seed", 16, &s, &err), SALTKEY_ETEXT);
    assert_int_equal(saltkey_preset("telemetry", 257, &s, &err), SALTKEY_EBUCKETS);
}

static void test_months(void **state)
{
    uint32_t m = 0;

    (void)state;
    assert_int_equal(saltkey_month_cutoff(20240331, 31, &m), 0);
    assert_int_equal(m, 202402); /* 2024-02-29 */
    assert_int_equal(saltkey_month_cutoff(20240301, 1, &m), 0);
    assert_int_equal(m, 202402);
    assert_int_equal(saltkey_month_cutoff(20241301, 1, &m), SALTKEY_ERANGE);
    assert_int_equal(saltkey_month_of_table("logs_202400", "logs", &m), SALTKEY_ETEXT);
    assert_int_equal(saltkey_month_of_table("logs_2024011", "logs", &m), SALTKEY_ETEXT);
    assert_int_equal(saltkey_month_of_table("logs_202401", "logs", &m), 0);
    assert_int_equal(m, 202401);
}

static void test_newest(void **state)
{
    struct saltkey_scheme s = scheme_of("dev:be32 ts:be64", "phoenix", 4, NULL);
    struct saltkey_scheme r = scheme_of("dev:be32 ts:rts", "phoenix", 4, NULL);
    uint8_t start[16], stop[16];
    struct saltkey_range range = {{start, 16, 1}, {stop, 16, 2}, false};

    (void)state;
    assert_int_equal(saltkey_newest(&s, 1, 1), 1);
    assert_int_equal(saltkey_newest(&r, 1, 1), 0);
    assert_int_equal(saltkey_newest(&s, 1, 0), SALTKEY_EUNSUPPORTED);
    assert_int_equal(saltkey_newest(&s, 2, 1), SALTKEY_EFIELD);
    saltkey_range_reverse(&range);
    assert_true(range.start.bytes == stop && range.start.len == 2 && range.stop.len == 1);
}

static void test_phoenix_refusals(void **state)
{
    static const struct {
        const char *text;
        size_t column;
    } cases[] = {{"", 1}, {"BIGINTS", 1}, {"CHAR", 1}, {"BIGINT(8", 9}, {"CHAR(0)", 1},
                 {"BIGINT! UP", 9}, {"VARBINARY, BIGINT!", 12}, {"BIGINT, ", 9}};
    struct saltkey_phoenix key;
    struct saltkey_error err;
    struct saltkey_value v = saltkey_text("x");
    BUF(row, 9);
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (saltkey_phoenix_parse(cases[i].text, 4, &key, &err) != SALTKEY_ETEXT)
            fail_msg("'%s' is accepted", cases[i].text);
        assert_int_equal(err.column, cases[i].column);
    }
    assert_int_equal(saltkey_phoenix_parse("BIGINT", 257, &key, &err), SALTKEY_EBUCKETS);
    assert_int_equal(saltkey_phoenix_parse("BIGINT", 4, &key, &err), 0);
    assert_int_equal(saltkey_phoenix_row(&key, &v, &row, &err), SALTKEY_EKIND);
    v = saltkey_uint(1);
    row.cap = 8;
    assert_int_equal(saltkey_phoenix_row(&key, &v, &row, &err), SALTKEY_ESPACE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_old_hbasewd),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_given),         cmocka_unit_test(test_parse_refusals),
        cmocka_unit_test(test_escaped_text),  cmocka_unit_test(test_desc_order),
        cmocka_unit_test(test_explain),       cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_fits),          cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_failing_allocations), cmocka_unit_test(test_months),
        cmocka_unit_test(test_newest),        cmocka_unit_test(test_presets),
              cmocka_unit_test(test_phoenix_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
