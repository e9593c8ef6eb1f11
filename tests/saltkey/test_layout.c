/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout lines, field values, rows. */
#include "harness.h"

static void test_parse(void **state)
{
    struct saltkey_layout l = layout_of("ts:be64 device:fixed(16)");

    (void)state;
    assert_int_equal(l.n_fields, 2);
    assert_int_equal(l.width, 24);
    assert_string_equal(l.fields[1].name, "device");
    assert_int_equal(l.fields[1].kind, SALTKEY_FIXED);
    assert_int_equal(l.fields[1].offset, 8);
    assert_true(l.fields[1].fixed_offset);
    assert_int_equal(saltkey_layout_find(&l, "device"), 1);
    assert_int_equal(saltkey_layout_find(&l, "dev"), SALTKEY_EFIELD);
    assert_string_equal(saltkey_kind_name(SALTKEY_RTS19), "rts19");

    l = layout_of("  a:dec(5)\tname:text  b:rts19 ");
    assert_int_equal(l.width, 0);
    assert_true(l.fields[1].fixed_offset);
    assert_false(l.fields[2].fixed_offset);
    assert_int_equal(l.fields[2].width, 19);
}

static void test_parse_errors(void **state)
{
    static const struct {
        const char *text;
        size_t column;
    } cases[] = {
        {"", 1}, {"ts", 1}, {":be64", 1}, {"a:be64 b:be63", 10}, {"a:fixed", 8}, {"a:fixed(", 9},
        {"a:fixed()", 9}, {"a:fixed(0)", 9}, {"a:fixed(32768)", 9}, {"a:be64(8)", 7},
        {"a:dec(21)", 7}, {"a:hex(17)", 7}, {"a:be64 a:be64", 8}, {"a$:be64", 2},
        {"a:dec(99999999999999999999)", 7}, {"a:fixed(1)x", 11},
        {"a23456789012345678901234567890123:be64", 1},
        {"a:i8 b:i8 c:i8 d:i8 e:i8 f:i8 g:i8 h:i8 i:i8 j:i8 k:i8 l:i8 m:i8 n:i8 o:i8 p:i8 q:i8", 81},
    };
    struct saltkey_layout before = layout_of("x:be32"), l = before;
    struct saltkey_error err;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(saltkey_layout_parse(cases[i].text, &l, &err), SALTKEY_ETEXT);
        if (err.column != cases[i].column)
            fail_msg("%s: column %lu, not %lu", cases[i].text, (unsigned long)err.column,
                     (unsigned long)cases[i].column);
        assert_true(err.reason[0] != '\0');
        assert_memory_equal(&l, &before, sizeof(l));
    }
}

static void test_kinds(void **state)
{
    struct saltkey_layout l = layout_of("a:be8 b:be16 c:be32 d:be64 e:i8 f:i16 g:i32 h:i64 i:fixed(3) "
                                        "j:text k:dec(4) l:revdec(4) m:hex(4) n:rts o:rts19 p:text");
    struct saltkey_value v[16] = {
        saltkey_uint(1), saltkey_uint(2), saltkey_uint(3), saltkey_int(4), saltkey_int(-1),
        saltkey_int(-2), saltkey_int(3), saltkey_int(INT64_MIN), saltkey_text("x"),
        saltkey_text("ab"), saltkey_uint(12), saltkey_uint(12), saltkey_uint(0xbeef),
        saltkey_int(-1), saltkey_int(1), saltkey_bytes("\0z", 2)};
    BUF(key, 128);

    (void)state;
    assert_int_equal(saltkey_natural(&l, v, &key, NULL), 0);
    assert_bytes(key, "\x01" "\x00\x02" "\x00\x00\x00\x03" "\x00\x00\x00\x00\x00\x00\x00\x04"
                 "\x7f" "\x7f\xfe" "\x80\x00\x00\x03" "\x00\x00\x00\x00\x00\x00\x00\x00"
                 "x\x00\x00" "ab\x00" "0012" "2100" "beef" "\x80\x00\x00\x00\x00\x00\x00\x00"
                 "9223372036854775806" "\x00z");
}

static void refuse(const char *layout, struct saltkey_value v, int status)
{
    struct saltkey_layout l = layout_of(layout);
    struct saltkey_value values[2] = {v, saltkey_uint(0)};
    struct saltkey_error err;
    BUF(key, 64);

    key.len = 7;
    assert_int_equal(saltkey_natural(&l, values, &key, &err), status);
    assert_int_equal(err.status, status);
    assert_int_equal(err.column, 1);
    assert_int_equal(key.len, 7);
}

static void test_misfits(void **state)
{
    (void)state;
    refuse("a:be8", saltkey_uint(256), SALTKEY_ERANGE);
    refuse("a:be32", saltkey_uint(UINT64_C(1) << 32), SALTKEY_ERANGE);
    refuse("a:be64", saltkey_int(-1), SALTKEY_ENEGATIVE);
    refuse("a:i8", saltkey_int(128), SALTKEY_ERANGE);
    refuse("a:i8", saltkey_int(-129), SALTKEY_ERANGE);
    refuse("a:i64", saltkey_uint(UINT64_C(1) << 63), SALTKEY_ERANGE);
    refuse("a:fixed(2)", saltkey_text("abc"), SALTKEY_ETOOLONG);
    refuse("a:fixed(2)", saltkey_uint(1), SALTKEY_EKIND);
    refuse("a:be64", saltkey_text("1"), SALTKEY_EKIND);
    refuse("a:text b:be8", saltkey_bytes("a\0b", 3), SALTKEY_EDELIMITER);
    refuse("a:dec(3)", saltkey_uint(1000), SALTKEY_ERANGE);
    refuse("a:dec(3)", saltkey_int(-1), SALTKEY_ENEGATIVE);
    refuse("a:hex(2)", saltkey_uint(256), SALTKEY_ERANGE);
    refuse("a:rts19", saltkey_int(-1), SALTKEY_ENEGATIVE);
    refuse("a:rts", saltkey_uint(UINT64_C(1) << 63), SALTKEY_ERANGE);
    refuse("a:fixed(65)", saltkey_text("a"), SALTKEY_ESPACE);
}

static void test_rows(void **state)
{
    struct saltkey_scheme s = scheme_of("ts:be64 device:fixed(16)", "arrays-hash floorMod", 16, NULL);
    struct saltkey_scheme md5 = scheme_of("device:be32 ts:be64", "md5hex 4", 0, "device");
    struct saltkey_value v[2] = {saltkey_uint(1709856000000), saltkey_text("a91f000000000001")};
    struct saltkey_value w[2] = {saltkey_uint(1), saltkey_uint(2)};
    uint64_t bucket = 99, again = 98;
    BUF(row, 64);

    (void)state;
    assert_int_equal(saltkey_salted(&s, v, &row, NULL), 0);
    assert_int_equal(row.len, 25);
    assert_int_equal(saltkey_bucket(&s, slice(row.bytes + 1, 24), &bucket), 0);
    assert_int_equal(saltkey_row_bucket(&s, used(&row), &again), 0);
    assert_int_equal(bucket, again);
    assert_int_equal(row.bytes[0], bucket);
    row.bytes[0] = 16;
    assert_int_equal(saltkey_row_bucket(&s, used(&row), &again), SALTKEY_EKEY);

    /* md5 of 00000001 begins with f1450306 */
    assert_int_equal(saltkey_salted(&md5, w, &row, NULL), 0);
    assert_bytes(row, "f145_\0\0\0\x01\0\0\0\0\0\0\0\x02");
    assert_int_equal(saltkey_row_bucket(&md5, used(&row), &bucket), 0);
    assert_int_equal(bucket, 0xf145);
    row.cap = 16;
    assert_int_equal(saltkey_salted(&md5, w, &row, NULL), SALTKEY_ESPACE);
}

/* A salt over one field doesn't see the others, wherever they are. */
static void test_over_field(void **state)
{
    struct saltkey_scheme s = scheme_of("name:text ts:be64 tail:text", "phoenix", 7, "name");
    struct saltkey_scheme plain = scheme_of("name:text", "phoenix", 7, NULL);
    struct saltkey_value v[3] = {saltkey_text("sensor"), saltkey_uint(1), saltkey_text("x")};
    uint64_t a, b;
    BUF(key, 64);

    (void)state;
    assert_int_equal(saltkey_natural(&s.layout, v, &key, NULL), 0);
    assert_int_equal(saltkey_bucket(&s, used(&key), &a), 0);
    assert_int_equal(saltkey_bucket(&plain, slice("sensor", 6), &b), 0);
    assert_int_equal(a, b);
    assert_int_equal(saltkey_bucket(&s, slice("sensor", 6), &a), SALTKEY_EKEY);
    assert_int_equal(saltkey_bucket(&s, slice("sensor\0\1", 8), &a), SALTKEY_EKEY);
}

static void test_salt_texts(void **state)
{
    struct saltkey_layout l = layout_of("ts:be64 device:fixed(16)");
    struct saltkey_scheme scheme;
    struct saltkey_error err;
    struct saltkey_salt s;

    (void)state;
    assert_int_equal(saltkey_salt_parse("phoenix", 256, &s, NULL), 0);
    assert_int_equal(s.width, 1);
    assert_int_equal(s.buckets, 256);
    assert_int_equal(saltkey_salt_parse("phoenix", 257, &s, &err), SALTKEY_EBUCKETS);
    assert_int_equal(saltkey_salt_parse("phoenix", 0, &s, &err), SALTKEY_EBUCKETS);
    assert_int_equal(saltkey_salt_parse("phoenix 3", 16, &s, &err), SALTKEY_ETEXT);
    assert_int_equal(err.column, 9);
    assert_int_equal(saltkey_salt_parse("arrays-hash mod", 16, &s, &err), SALTKEY_ETEXT);
    assert_int_equal(err.column, 13);
    assert_int_equal(saltkey_salt_parse("md5hex", 16, &s, &err), SALTKEY_ETEXT);
    assert_int_equal(saltkey_salt_parse("md5hex 0", 16, &s, &err), SALTKEY_ETEXT);
    assert_int_equal(saltkey_salt_parse("nonce", 16, &s, &err), SALTKEY_ETEXT);
    assert_int_equal(saltkey_salt_parse("none", 0, &s, &err), 0);
    assert_int_equal(s.width, 0);
    assert_int_equal(saltkey_scheme_init(&scheme, &l, &s, "ts devise", &err), SALTKEY_EFIELD);
    assert_int_equal(err.column, 4);
    assert_int_equal(saltkey_scheme_init(&scheme, &l, &s, "key ts", &err), SALTKEY_ETEXT);
    assert_int_equal(saltkey_scheme_init(&scheme, &l, &s, " ", &err), SALTKEY_ETEXT);
    assert_int_equal(saltkey_scheme_init(&scheme, &l, &s, "key", &err), 0);
    assert_int_equal(scheme.over, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),      cmocka_unit_test(test_parse_errors),
        cmocka_unit_test(test_kinds),      cmocka_unit_test(test_misfits),
        cmocka_unit_test(test_rows),       cmocka_unit_test(test_over_field),
        cmocka_unit_test(test_salt_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
