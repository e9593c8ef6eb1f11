/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laws, each on a million seeded cases. */
#include <stdlib.h>

#include "harness.h"

#define CASES 1000000

/* A value that its field takes, and room for its bytes. */
static struct saltkey_value random_value(const struct saltkey_field *f, struct seeded *r, uint8_t *room)
{
    uint64_t n = seeded_next(r) >> seeded_below(r, 64), p = 1;
    uint32_t digits = f->width < 19 ? f->width : 19, i;
    size_t len = seeded_below(r, 12);
    double real;

    switch (f->kind) {
    case SALTKEY_BE8: case SALTKEY_BE16: case SALTKEY_BE24: case SALTKEY_BE32:
        return saltkey_uint(n & ((UINT64_C(1) << (8 * f->width)) - 1));
    case SALTKEY_BE64:
        return saltkey_uint(n);
    case SALTKEY_I8: case SALTKEY_OB_I8: return saltkey_int((int8_t)n);
    case SALTKEY_I16: case SALTKEY_OB_I16: return saltkey_int((int16_t)n);
    case SALTKEY_I32: case SALTKEY_OB_I32: return saltkey_int((int32_t)n);
    case SALTKEY_I64: case SALTKEY_OB_I64: case SALTKEY_RTS: case SALTKEY_NUM:
        return saltkey_int((int64_t)(seeded_below(r, 2) ? n : 0 - n));
    case SALTKEY_RTS19:
        return saltkey_uint(n >> 1);
    case SALTKEY_DEC: case SALTKEY_REVDEC:
        for (i = 0; i < digits; i++)
            p *= 10;
        return saltkey_uint(n % p);
    case SALTKEY_HEX:
        return saltkey_uint(f->width < 16 ? n & ((UINT64_C(1) << (4 * f->width)) - 1) : n);
    case SALTKEY_OB_F64:
        memcpy(&real, &n, sizeof(real));
        return saltkey_real(real == real ? real : 1.5);
    case SALTKEY_BYTES: case SALTKEY_UUID:
        seeded_fill(r, room, f->width);
        return saltkey_bytes(room, f->width);
    case SALTKEY_OB_BLOB:
        seeded_fill(r, room, len);
        return saltkey_bytes(room, len);
    default: /* text: ASCII and a few code points of two bytes, never zero */
        if (f->kind == SALTKEY_FIXED && len > f->width)
            len = f->width;
        for (i = 0; i + 1 < len; i++)
            if (seeded_below(r, 4) == 0 && f->kind != SALTKEY_FIXED) {
                room[i++] = 0xc3;
                room[i] = (uint8_t)(0x80 + seeded_below(r, 64));
            } else {
                room[i] = (uint8_t)('.' + seeded_below(r, 60));
            }
        if (i > len)
            i = (uint32_t)len;
        return saltkey_bytes(room, i);
    }
}

static bool same_value(const struct saltkey_value *a, const struct saltkey_value *b)
{
    if (a->kind == SALTKEY_VALUE_BYTES)
        return b->kind == SALTKEY_VALUE_BYTES && saltkey_compare(a->bytes, b->bytes) == 0;
    return b->kind != SALTKEY_VALUE_BYTES && a->number == b->number;
}

static const char *const kinds[] = {
    "be8", "be16", "be24", "be32", "be64", "i8", "i16", "i32", "i64", "fixed(9)", "bytes(5)", "text", "num",
    "dec(7)", "revdec(19)", "hex(16)", "rts", "rts19", "revtext", "revlabels", "uuid", "ob-i8", "ob-i16",
    "ob-i32", "ob-i64", "ob-f64", "ob-text", "ob-blob",
};
#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void random_layout(struct seeded *r, struct saltkey_layout *layout)
{
    size_t n = 1 + seeded_below(r, 5), i, at = 0;
    char text[256];

    for (i = 0; i < n; i++) {
        const char *kind = kinds[seeded_below(r, N_KINDS)];
        const char *desc = seeded_below(r, 4) == 0 && strncmp(kind, "rts", 3) != 0 ? ":desc" : "";
        const char *mark = "";

        if (i + 1 < n && strcmp(kind, "text") == 0 && seeded_below(r, 2))
            mark = seeded_below(r, 2) ? "+/~," : "+\\x01~.";
        else if (i + 1 < n && seeded_below(r, 6) == 0)
            mark = "+\\x02";
        at += (size_t)snprintf(text + at, sizeof(text) - at, "f%d:%s%s%s ", (int)i, kind, desc, mark);
    }
    assert_int_equal(saltkey_layout_parse(text, layout, NULL), 0);
}

static void test_decode_encode(void **state)
{
    struct seeded r = {1};
    struct saltkey_layout layout;
    int i;

    (void)state;
    for (i = 0; i < CASES; i++) {
        struct saltkey_value v[SALTKEY_FIELDS_MAX], back[SALTKEY_FIELDS_MAX];
        uint8_t room[SALTKEY_FIELDS_MAX][64], scratch_bytes[1024];
        struct saltkey_buf scratch = {scratch_bytes, sizeof(scratch_bytes), 0};
        uint32_t k;
        BUF(key, 512);

        if (i % 20 == 0)
            random_layout(&r, &layout);
        for (k = 0; k < layout.n_fields; k++)
            v[k] = random_value(&layout.fields[k], &r, room[k]);
        assert_int_equal(saltkey_natural(&layout, v, &key, NULL), 0);
        if (layout.width)
            assert_int_equal(key.len, layout.width);
        assert_int_equal(saltkey_natural_parse(&layout, used(&key), back, &scratch, NULL), 0);
        for (k = 0; k < layout.n_fields; k++)
            if (!same_value(&v[k], &back[k]))
                fail_msg("case %d: field %u (%s) comes back as another value", i, (unsigned)k,
                         saltkey_kind_name(layout.fields[k].kind));
    }
}

static void test_hash_batch_equals_plain(void **state)
{
    enum { MOST = 64 };
    uint8_t *bytes = malloc(MOST * 300);
    int32_t hashes[MOST];
    struct seeded r = {2};
    size_t done = 0;

    (void)state;
    while (done < CASES) {
        struct saltkey_batch batch;
        size_t i, room;

        batch.len = seeded_below(&r, seeded_below(&r, 8) ? 40 : 280);
        batch.stride = batch.len + seeded_below(&r, 20);
        batch.n = 1 + seeded_below(&r, MOST);
        room = (batch.n - 1) * batch.stride + batch.len;
        /* the batch ends where the block ends: a load beyond it is found by the sanitizer */
        batch.bytes = realloc(bytes, room + 1);
        assert_non_null(batch.bytes);
        bytes = (uint8_t *)(uintptr_t)batch.bytes;
        seeded_fill(&r, bytes, room + 1);
        batch.bytes++;
        saltkey_hash31_batch(&batch, hashes);
        for (i = 0; i < batch.n; i++)
            assert_int_equal(hashes[i], saltkey_hash31(batch.bytes + i * batch.stride, batch.len));
        done += batch.n;
    }
    free(bytes);
}

static void test_mod_batch_equals_plain(void **state)
{
    int32_t hashes[37];
    uint32_t buckets[37];
    struct seeded r = {3};
    size_t done, i;

    (void)state;
    for (done = 0; done < CASES; done += 37) {
        static const enum saltkey_remainder rules[] = {SALTKEY_FLOOR, SALTKEY_ABS, SALTKEY_UNSIGNED};
        struct saltkey_mod mod;
        uint32_t n = seeded_below(&r, 4) ? 1 + (uint32_t)seeded_below(&r, 256) : 1 + (uint32_t)seeded_below(&r, INT32_MAX);

        assert_int_equal(saltkey_mod_init(&mod, rules[seeded_below(&r, 3)], n), 0);
        for (i = 0; i < 37; i++)
            hashes[i] = seeded_below(&r, 8) ? (int32_t)seeded_next(&r) : (int32_t)(INT32_MIN + (int64_t)seeded_below(&r, 3));
        saltkey_mod_batch(&mod, hashes, 37, buckets);
        for (i = 0; i < 37; i++)
            assert_int_equal(buckets[i], saltkey_mod_bucket(&mod, hashes[i]));
    }
}

static void test_counts_equal_plain(void **state)
{
    enum { KEYS = 5003 }; /* x 256 values of N */
    static const enum saltkey_remainder rules[] = {SALTKEY_FLOOR, SALTKEY_ABS, SALTKEY_UNSIGNED};
    static int32_t hashes[KEYS];
    static uint64_t counts[SALTKEY_COUNTS], plain[SALTKEY_COUNTS];
    struct seeded r = {4};
    size_t i, k;
    uint32_t n;

    (void)state;
    for (k = 0; k < 3; k++) {
        memset(counts, 0, sizeof(counts));
        memset(plain, 0, sizeof(plain));
        for (i = 0; i < KEYS; i++)
            hashes[i] = i ? (int32_t)seeded_next(&r) : INT32_MIN;
        for (n = 1; n <= 256; n++) {
            struct saltkey_mod mod;

            assert_int_equal(saltkey_mod_init(&mod, rules[k], n), 0);
            for (i = 0; i < KEYS; i++)
                plain[saltkey_counts_at(n, saltkey_mod_bucket(&mod, hashes[i]))]++;
        }
        saltkey_count_buckets(rules[k], hashes, 1000, counts);
        saltkey_count_buckets(rules[k], hashes + 1000, KEYS - 1000, counts);
        assert_memory_equal(counts, plain, sizeof(plain));
    }
}

/* A row lies in exactly one range of a full window, and it is that of its bucket. */
static void test_one_range(void **state)
{
    static const char *const salts[] = {"phoenix", "arrays-hash floorMod", "text02x", "murmur3 unsigned hex 3",
                                        "crc32 unsigned bytes 2", "opentsdb 5", "text04d", "xxh3 unsigned"};
    struct seeded r = {5};
    struct saltkey_slice all = {NULL, 0};
    size_t done;

    (void)state;
    for (done = 0; done < CASES;) {
        struct saltkey_scheme s = scheme_of("a:text b:be32", salts[seeded_below(&r, 8)],
                                            1 + (uint32_t)seeded_below(&r, seeded_below(&r, 2) ? 256 : 20), "a");
        uint8_t window_bytes[2][8], range_bytes[256][2][16];
        struct saltkey_window w = {{window_bytes[0], 8, 0}, {window_bytes[1], 8, 0}, false, false, false, 0, 0};
        struct saltkey_range ranges[256];
        uint64_t i, k;

        assert_int_equal(saltkey_window_prefix(&s, all, &w), 0);
        assert_int_equal(w.scans, s.salt.buckets);
        for (i = 0; i < w.scans; i++) {
            ranges[i].start = (struct saltkey_buf){range_bytes[i][0], 16, 0};
            ranges[i].stop = (struct saltkey_buf){range_bytes[i][1], 16, 0};
            assert_int_equal(saltkey_window_range(&s, &w, i, &ranges[i]), 0);
        }
        for (k = 0; k < 2000; k++, done++) {
            uint8_t text[8];
            struct saltkey_value v[2] = {saltkey_text(""), saltkey_uint(seeded_next(&r) & 0xffffffffU)};
            uint64_t bucket, in = 0, at = 0;
            BUF(row, 64);

            for (i = 0; i < 8; i++)
                text[i] = (uint8_t)(1 + seeded_below(&r, 127));
            v[0] = saltkey_bytes(text, seeded_below(&r, 9));
            assert_int_equal(saltkey_salted(&s, v, &row, NULL), 0);
            assert_int_equal(saltkey_row_bucket(&s, used(&row), &bucket), 0);
            for (i = 0; i < w.scans; i++)
                if (saltkey_compare(used(&row), used(&ranges[i].start)) >= 0 &&
                    (ranges[i].stop.len == 0 || saltkey_compare(used(&row), used(&ranges[i].stop)) < 0)) {
                    in++;
                    at = i;
                }
            assert_int_equal(in, 1);
            assert_int_equal(at, bucket);
        }
    }
}

static void check_ascending(const struct saltkey_keys *keys, size_t *points)
{
    size_t i;

    for (i = 1; i < keys->count; i++)
        assert_true(saltkey_compare(keys->at[i - 1], keys->at[i]) < 0);
    if (keys->count)
        assert_true(keys->at[0].len > 0);
    *points += keys->count;
}

/* Points ascend, are unique, not empty, and as many as asked for. */
static void test_splits_ascend(void **state)
{
    static const char *const salts[] = {"phoenix", "text02x", "text04d", "md5hex 2", "none", "opentsdb 6"};
    struct seeded r = {6};
    struct saltkey_keys keys, inner;
    size_t points = 0;

    (void)state;
    saltkey_keys_init(&keys, NULL);
    saltkey_keys_init(&inner, NULL);
    while (points < CASES) {
        uint32_t n = 1 + (uint32_t)seeded_below(&r, seeded_below(&r, 9) ? 256 : 60000);
        uint32_t ranges = 1 + (uint32_t)seeded_below(&r, 300);
        struct saltkey_salt salt;

        assert_int_equal(saltkey_split_hex_string(n, &keys, NULL), 0);
        assert_int_equal(keys.count, n - 1);
        check_ascending(&keys, &points);
        assert_int_equal(saltkey_split_decimal_string(n, &keys, NULL), 0);
        assert_int_equal(keys.count, n - 1);
        check_ascending(&keys, &points);
        assert_int_equal(saltkey_split_uniform(n, &keys, NULL), 0);
        assert_int_equal(keys.count, n - 1);
        check_ascending(&keys, &points);
        assert_int_equal(saltkey_split_hex_prefix(n, 4, &keys, NULL), 0);
        assert_int_equal(keys.count, n - 1);
        check_ascending(&keys, &points);
        assert_int_equal(saltkey_salt_parse(salts[seeded_below(&r, 6)], n > 256 ? 256 : n, &salt, NULL), 0);
        assert_int_equal(saltkey_split_buckets(&salt, ranges, &keys, NULL), 0);
        assert_int_equal(keys.count, salt.buckets * ranges - 1);
        check_ascending(&keys, &points);
        assert_int_equal(saltkey_split_uniform(ranges, &inner, NULL), 0);
        assert_int_equal(saltkey_split_cross(&salt, &inner, &keys, NULL), 0);
        assert_int_equal(keys.count, salt.buckets * ranges - 1);
        check_ascending(&keys, &points);
    }
    saltkey_keys_free(&keys);
    saltkey_keys_free(&inner);
}

/* Phoenix rows too: read and built again. */
static void test_phoenix_there_and_back(void **state)
{
    struct saltkey_phoenix key;
    struct seeded r = {7};
    int i;

    (void)state;
    assert_int_equal(saltkey_phoenix_parse("VARCHAR DESC, BIGINT!, DECIMAL, DOUBLE! DESC, VARCHAR", 16, &key, NULL), 0);
    for (i = 0; i < CASES / 4; i++) {
        struct saltkey_value v[5], back[5];
        uint8_t room[2048];
        char decimal[32], text[16];
        struct saltkey_buf scratch = {room, sizeof(room), 0};
        double real = (double)(int64_t)seeded_next(&r) / (double)(1 + seeded_below(&r, 1000));
        bool right = false;
        uint32_t k;
        BUF(row, 256);

        /* as Java prints a plain decimal, in the shortest form */
        snprintf(decimal, sizeof(decimal), "%s%lu.%lu7", seeded_below(&r, 2) ? "-" : "",
                 (unsigned long)seeded_below(&r, 100000), (unsigned long)seeded_below(&r, 1000));
        snprintf(text, sizeof(text), "t%lu", (unsigned long)seeded_below(&r, 1000000));
        v[0] = seeded_below(&r, 3) ? saltkey_text(text) : saltkey_text("");
        v[1] = saltkey_int((int64_t)seeded_next(&r));
        v[2] = seeded_below(&r, 3) ? saltkey_text(decimal) : saltkey_text("");
        v[3] = saltkey_real(real);
        v[4] = seeded_below(&r, 3) ? saltkey_text(text) : saltkey_text("");
        assert_int_equal(saltkey_phoenix_row(&key, v, &row, NULL), 0);
        assert_int_equal(saltkey_phoenix_row_parse(&key, used(&row), back, &scratch, &right), 0);
        assert_true(right);
        for (k = 0; k < 5; k++)
            if (back[k].kind == SALTKEY_VALUE_NULL)
                assert_int_equal(v[k].bytes.len, 0);
            else
                assert_true(same_value(&v[k], &back[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode_encode),          cmocka_unit_test(test_hash_batch_equals_plain),
        cmocka_unit_test(test_mod_batch_equals_plain), cmocka_unit_test(test_counts_equal_plain),
        cmocka_unit_test(test_one_range),              cmocka_unit_test(test_splits_ascend),
        cmocka_unit_test(test_phoenix_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
