/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HBase's escape notation. */
#include "harness.h"

static void test_to_string(void **state)
{
    char text[64];
    uint8_t all[256];
    char long_text[1024];
    int i;

    (void)state;
    assert_int_equal(saltkey_to_string_binary(slice("a\\\x00\xff ~\x7f", 7), text, sizeof(text)), 19);
    assert_string_equal(text, "a\\x5C\\x00\\xFF ~\\x7F");
    /* a short buffer gets no half escape, and the whole length is told */
    assert_int_equal(saltkey_to_string_binary(slice("ab\xff" "c", 4), text, 5), 7);
    assert_string_equal(text, "ab");
    assert_int_equal(saltkey_to_string_binary(slice("ab", 2), text, 0), 2);
    for (i = 0; i < 256; i++)
        all[i] = (uint8_t)i;
    assert_int_equal(saltkey_to_string_binary(slice(all, 256), long_text, sizeof(long_text)),
                     94 + 162 * 4);
}

static void reads(const char *text, const char *bytes, size_t len)
{
    BUF(out, 64);

    assert_int_equal(saltkey_to_bytes_binary(slice(text, strlen(text)), &out, NULL), 0);
    assert_int_equal(out.len, len);
    assert_memory_equal(out.bytes, bytes, len);
}

static void test_to_bytes(void **state)
{
    (void)state;
    reads("a\\x00\\xFFb", "a\0\xff" "b", 4);
    reads("\\xab", "xab", 3);       /* not an escape for HBase */
    reads("\\xAg\\x01", "xAg\1", 4);
    reads("a\\b", "a\\b", 3);
    reads("\\", "\\", 1);
    reads("\\\\x01", "\\\1", 2);
    reads("\xc3\xa9", "\xe9", 1);                   /* U+00E9 */
    reads("\xe2\x82\xac", "\xac", 1);               /* U+20AC: the low byte */
    reads("\xf0\x9f\x98\x80", "\x3d\x00", 2);       /* d83d de00 */
}

static void strict(const char *text, int status, size_t column)
{
    struct saltkey_error err = {0, 0, ""};
    BUF(out, 8);

    out.len = 3;
    assert_int_equal(saltkey_to_bytes_binary_strict(slice(text, strlen(text)), &out, &err), status);
    assert_int_equal(err.column, column);
    assert_int_equal(out.len, 3);
}

static void test_strict(void **state)
{
    (void)state;
    strict("ab\\xab", SALTKEY_ETEXT, 3);
    strict("\\xZZ", SALTKEY_ETEXT, 1);
    strict("a\\", SALTKEY_ETEXT, 2);
    strict("a\\n", SALTKEY_ETEXT, 2);
    strict("a\\x1", SALTKEY_ETEXT, 2);
    strict("\xc3\xa9", SALTKEY_ETEXT, 1);
    strict("123456789", SALTKEY_ESPACE, 9);
}

static void test_broken(void **state)
{
    struct saltkey_error err;
    BUF(out, 8);

    (void)state;
    assert_int_equal(saltkey_to_bytes_binary(slice("a\\x", 3), &out, &err), SALTKEY_ETEXT);
    assert_int_equal(saltkey_to_bytes_binary(slice("\\x1", 3), &out, &err), SALTKEY_ETEXT);
    assert_int_equal(saltkey_to_bytes_binary(slice("a\xc3", 2), &out, &err), SALTKEY_EUTF8);
    assert_int_equal(err.column, 2);
    assert_int_equal(saltkey_to_bytes_binary(slice("\xed\xa0\x80", 3), &out, &err), SALTKEY_EUTF8);
    assert_int_equal(saltkey_to_bytes_binary(slice("\xc0\x80", 2), &out, &err), SALTKEY_EUTF8);
}

static void test_there_and_back(void **state)
{
    struct seeded r = {5};
    uint8_t bytes[32];
    char text[160];
    BUF(out, 32);
    int i;

    (void)state;
    for (i = 0; i < 100000; i++) {
        size_t len = seeded_below(&r, sizeof(bytes) + 1), n;

        seeded_fill(&r, bytes, len);
        n = saltkey_to_string_binary(slice(bytes, len), text, sizeof(text));
        assert_int_equal(saltkey_to_bytes_binary_strict(slice(text, n), &out, NULL), 0);
        assert_int_equal(saltkey_compare(used(&out), slice(bytes, len)), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_to_string), cmocka_unit_test(test_to_bytes),
        cmocka_unit_test(test_strict),    cmocka_unit_test(test_broken),
        cmocka_unit_test(test_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
