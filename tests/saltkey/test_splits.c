/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Split points. */
#include <stdlib.h>

#include "harness.h"

static struct saltkey_salt salt_of(const char *text, uint32_t n)
{
    struct saltkey_salt s;

    assert_int_equal(saltkey_salt_parse(text, n, &s, NULL), 0);
    return s;
}

/* The list's points in escape notation, parted by commas. */
static const char *as_text(const struct saltkey_keys *keys)
{
    static char text[1024];
    size_t i, n = 0;

    text[0] = '\0';
    for (i = 0; i < keys->count; i++) {
        if (i)
            text[n++] = ',';
        n += saltkey_to_string_binary(keys->at[i], text + n, sizeof(text) - n);
    }
    return text;
}

static void expect(const char *split, struct saltkey_salt salt, const char *points)
{
    struct saltkey_keys keys;

    saltkey_keys_init(&keys, NULL);
    assert_int_equal(saltkey_split_parse(split, &salt, &keys, NULL), 0);
    assert_string_equal(as_text(&keys), points);
    saltkey_keys_free(&keys);
}

static void test_parse(void **state)
{
    struct saltkey_salt salt = salt_of("phoenix", 4), md5 = salt_of("md5hex 4", 0);

    (void)state;
    expect("none", salt, "");
    expect("buckets", salt, "\\x01,\\x02,\\x03");
    expect("buckets", salt_of("phoenix", 1), "");
    expect("buckets x 2", salt_of("phoenix", 2), "\\x00\\x80,\\x01,\\x01\\x80");
    expect("buckets x 3", salt_of("none", 0), "UU,\\xAA\\xAA");
    expect("HexStringSplit 4", salt, "40000000,80000000,c0000000");
    expect("HexStringSplit 10", salt, "19999999,33333332,4ccccccb,66666664,7ffffffd,99999996,"
                                      "b333332f,ccccccc8,e6666661");
    expect("DecimalStringSplit 3", salt, "33333333,66666666");
    expect("UniformSplit 2", salt, "\\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x00");
    expect("UniformSplit 1", salt, "");
    expect("md5hex 4", md5, "4,8,c");
    expect("md5hex 3", md5, "5555,aaaa");
    expect("keys b, a,\\x2C", salt, ",,a,b");
}

static void refuse(const char *split, struct saltkey_salt salt, int status, size_t column)
{
    struct saltkey_keys keys;
    struct saltkey_error err = {0, 0, ""};

    saltkey_keys_init(&keys, NULL);
    assert_int_equal(saltkey_split_parse(split, &salt, &keys, &err), status);
    assert_int_equal(err.column, column);
    assert_int_equal(keys.count, 0);
    saltkey_keys_free(&keys);
}

static void test_refusals(void **state)
{
    struct saltkey_salt salt = salt_of("phoenix", 4);

    (void)state;
    refuse("", salt, SALTKEY_ETEXT, 1);
    refuse("halves", salt, SALTKEY_ETEXT, 1);
    refuse("none of them", salt, SALTKEY_ETEXT, 1);
    refuse("buckets 4", salt, SALTKEY_ETEXT, 9);
    refuse("buckets x", salt, SALTKEY_ETEXT, 10);
    refuse("buckets x 0", salt, SALTKEY_ETEXT, 11);
    refuse("HexStringSplit", salt, SALTKEY_ETEXT, 15);
    refuse("HexStringSplit 4 5", salt, SALTKEY_ETEXT, 18);
    refuse("DecimalStringSplit 100000001", salt, SALTKEY_ERANGE, 0);
    refuse("keys a,,b", salt, SALTKEY_EEMPTY, 8);
    refuse("keys a,b\\xab", salt, SALTKEY_ETEXT, 9);
    refuse("keys a,b,a", salt, SALTKEY_EDUPLICATE, 0);
    refuse("md5hex 4", salt, SALTKEY_EUNSUPPORTED, 1);
    refuse("buckets", salt_of("md5hex 8", 0), SALTKEY_EBUCKETS, 0);
    refuse("buckets x 25001", salt, SALTKEY_ERANGE, 0);
    refuse("HexStringSplit 100001", salt, SALTKEY_ERANGE, 0);
    refuse("UniformSplit 4294967295", salt, SALTKEY_ERANGE, 0);
    refuse("md5hex 100001", salt_of("md5hex 8", 0), SALTKEY_ERANGE, 0);
}

static void test_file(void **state)
{
    static const char good[] = "m\n\\x01\r\n\\xab\nz";
    static const char hole[] = "m\n\nz\n";
    struct saltkey_keys keys;
    struct saltkey_error err;

    (void)state;
    saltkey_keys_init(&keys, NULL);
    assert_int_equal(saltkey_split_file(slice(good, sizeof(good) - 1), false, &keys, NULL), 0);
    assert_string_equal(as_text(&keys), "\\x01,m,xab,z"); /* as HBase reads the lower-case escape */
    assert_int_equal(saltkey_split_file(slice(good, sizeof(good) - 1), true, &keys, &err), SALTKEY_ETEXT);
    assert_int_equal(err.column, 3);
    assert_int_equal(saltkey_split_file(slice(hole, sizeof(hole) - 1), false, &keys, &err), SALTKEY_EEMPTY);
    assert_int_equal(err.column, 2);
    assert_int_equal(saltkey_split_file(slice("", 0), false, &keys, &err), SALTKEY_EEMPTY);
    saltkey_keys_free(&keys);
}

/* The most regions are cut, one more isn't, wherever the points come from. */
static void test_most_regions(void **state)
{
    struct saltkey_salt salt = salt_of("phoenix", 10);
    struct saltkey_keys inner, keys;
    char *text = malloc(9 * SALTKEY_REGIONS_MAX + 1);
    uint32_t i;

    (void)state;
    assert_non_null(text);
    saltkey_keys_init(&inner, NULL);
    saltkey_keys_init(&keys, NULL);
    assert_int_equal(saltkey_split_parse("buckets x 10000", &salt, &keys, NULL), 0);
    assert_int_equal(keys.count, SALTKEY_REGIONS_MAX - 1);
    for (i = 0; i < SALTKEY_REGIONS_MAX; i++)
        sprintf(text + 9 * i, "%08lu\n", (unsigned long)i);
    assert_int_equal(saltkey_split_file(slice(text, 9 * (SALTKEY_REGIONS_MAX - 1)), true, &keys, NULL), 0);
    assert_int_equal(saltkey_split_file(slice(text, 9 * SALTKEY_REGIONS_MAX), true, &keys, NULL), SALTKEY_ERANGE);
    assert_int_equal(keys.count, 0);
    for (i = 1; i < 10000; i++) {
        uint8_t key[2] = {(uint8_t)(i >> 8), (uint8_t)i};

        assert_int_equal(saltkey_keys_add(&inner, slice(key, 2)), 0);
    }
    assert_int_equal(saltkey_split_cross(&salt, &inner, &keys, NULL), 0);
    assert_int_equal(keys.count, SALTKEY_REGIONS_MAX - 1);
    assert_int_equal(saltkey_keys_add(&inner, slice("\xff", 1)), 0);
    assert_int_equal(saltkey_split_cross(&salt, &inner, &keys, NULL), SALTKEY_ERANGE);
    saltkey_keys_free(&inner);
    saltkey_keys_free(&keys);
    free(text);
}

/* Every byte-salted row lies in the region that its bucket and range say. */
static void test_regions(void **state)
{
    struct saltkey_salt salt = salt_of("phoenix", 16);
    struct saltkey_keys keys;
    unsigned b, i;

    (void)state;
    saltkey_keys_init(&keys, NULL);
    assert_int_equal(saltkey_split_buckets(&salt, 4, &keys, NULL), 0);
    assert_int_equal(keys.count, 63);
    for (b = 0; b < 16; b++)
        for (i = 0; i < 256; i++) {
            uint8_t row[3] = {(uint8_t)b, (uint8_t)i, 7};
            assert_int_equal(saltkey_split_region(&keys, slice(row, 3)), b * 4 + i / 64);
        }
    saltkey_keys_free(&keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_most_regions),
        cmocka_unit_test(test_regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
