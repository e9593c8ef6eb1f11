/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Java's array hash by parts, exact remainders, shares of a hash. */
#include <stdlib.h>

#include "harness.h"

static void test_known(void **state)
{
    (void)state;
    assert_int_equal(saltkey_hash31("", 0), 1);
    assert_int_equal(saltkey_hash31("\x80", 1), 31 - 128);
    assert_int_equal(saltkey_hash31("\xff", 1), 30);
    assert_int_equal(saltkey_hash31("abc", 3), 126145);
}

static void test_parts_equal_plain(void **state)
{
    struct seeded r = {31};
    uint8_t bytes[64];
    int i;

    (void)state;
    for (i = 0; i < 200000; i++) {
        size_t len = seeded_below(&r, sizeof(bytes) + 1), a, b;
        struct saltkey_part p;

        seeded_fill(&r, bytes, len);
        a = seeded_below(&r, len + 1);
        b = a + seeded_below(&r, len - a + 1);
        p = saltkey_part_join(saltkey_part_of(bytes, a),
                              saltkey_part_join(saltkey_part_of(bytes + a, b - a),
                                                saltkey_part_of(bytes + b, len - b)));
        assert_int_equal(saltkey_part_hash(p), saltkey_hash31(bytes, len));
    }
}

/* The four families by the definitions, in 64 bits. */
static uint32_t plain(enum saltkey_remainder r, int32_t hash, int64_t n)
{
    int64_t h = hash;

    switch (r) {
    case SALTKEY_FLOOR:
        return (uint32_t)(((h % n) + n) % n);
    case SALTKEY_ABS:
        return (uint32_t)llabs(h % n);
    case SALTKEY_ABS_FIRST: /* Java: Math.abs(MIN_VALUE) is MIN_VALUE; the result is cast to a byte */
        return h == INT32_MIN ? (uint32_t)(h % n) & 0xff : (uint32_t)(llabs(h) % n);
    case SALTKEY_TRUNCATED:
        return h < 0 ? (uint32_t)(h % n) & 0xff : (uint32_t)(h % n);
    default:
        return (uint32_t)((uint32_t)hash % n);
    }
}

static void check_mod(uint32_t n, int32_t hash)
{
    int r;

    for (r = SALTKEY_FLOOR; r <= SALTKEY_TRUNCATED; r++) {
        struct saltkey_mod mod;

        assert_int_equal(saltkey_mod_init(&mod, (enum saltkey_remainder)r, n), 0);
        if (saltkey_mod_bucket(&mod, hash) != plain((enum saltkey_remainder)r, hash, n))
            fail_msg("remainder %d of %ld by %lu", r, (long)hash, (unsigned long)n);
    }
}

static void test_mod_exact(void **state)
{
    static const int32_t edges[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX};
    struct seeded r = {7};
    struct saltkey_mod mod;
    uint32_t n;
    int i;

    (void)state;
    for (n = 1; n <= 256; n++) {
        for (i = 0; i < 7; i++)
            check_mod(n, edges[i]);
        /* around multiples of n, where a quotient could be off by one */
        for (i = 0; i < 2000; i++) {
            uint32_t q = (uint32_t)seeded_below(&r, UINT64_C(0xffffffff) / n + 1);

            check_mod(n, (int32_t)(q * n));
            check_mod(n, (int32_t)(q * n - 1));
            check_mod(n, (int32_t)(q * n + 1));
        }
    }
    for (i = 0; i < 100000; i++)
        check_mod(1 + (uint32_t)seeded_below(&r, INT32_MAX), (int32_t)seeded_next(&r));
    check_mod(INT32_MAX, INT32_MIN);
    assert_int_equal(saltkey_mod_init(&mod, SALTKEY_FLOOR, 0), SALTKEY_EBUCKETS);
    assert_int_equal(saltkey_mod_init(&mod, SALTKEY_FLOOR, UINT32_C(1) << 31), SALTKEY_EBUCKETS);
}

static void check_shares(const struct saltkey_scheme *s, struct seeded *r)
{
    char text[17];
    struct saltkey_value v[3] = {saltkey_uint(seeded_next(r) >> 1),
                                 saltkey_uint(seeded_below(r, 100000)), saltkey_uint(0)};
    uint32_t share[3];
    uint64_t bucket;
    BUF(key, 64);
    size_t i;

    for (i = 0; i < 16; i++)
        text[i] = (char)(1 + seeded_below(r, 255));
    text[seeded_below(r, 17)] = '\0';
    v[2] = saltkey_text(text);
    assert_int_equal(saltkey_natural(&s->layout, v, &key, NULL), 0);
    assert_int_equal(saltkey_bucket(s, used(&key), &bucket), 0);
    for (i = 0; i < 3; i++)
        assert_int_equal(saltkey_hash_share(s, (uint32_t)i, &v[i], &share[i], NULL), 0);
    assert_int_equal(saltkey_mod_bucket(&s->salt.mod,
                                        (int32_t)(s->hash_base + share[0] + share[1] + share[2])),
                     bucket);
    assert_int_equal(saltkey_shares_bucket(s, share[0] + share[1], share[2]), bucket);
}

static void test_shares_equal_bytes(void **state)
{
    static const char *const over[] = {NULL, "a", "b", "c", "a c", "b c"};
    struct seeded r = {11};
    size_t o, i;

    (void)state;
    for (o = 0; o < sizeof(over) / sizeof(over[0]); o++) {
        struct saltkey_scheme s = scheme_of("a:rts b:dec(6) c:fixed(16)", "phoenix",
                                            (uint32_t)(1 + seeded_below(&r, 256)), over[o]);
        struct saltkey_scheme f = scheme_of("a:be64 b:revdec(6) c:fixed(16)", "arrays-hash floorMod",
                                            (uint32_t)(1 + seeded_below(&r, 256)), over[o]);

        for (i = 0; i < 5000; i++) {
            check_shares(&s, &r);
            check_shares(&f, &r);
        }
    }
}

static void test_no_shares(void **state)
{
    struct saltkey_scheme s = scheme_of("a:be64 b:text", "phoenix", 4, NULL);
    struct saltkey_scheme m = scheme_of("a:be64", "md5hex 4", 4, NULL);
    struct saltkey_value v = saltkey_uint(1);
    uint32_t share = 77;

    (void)state;
    assert_false(saltkey_has_shares(&s));
    assert_int_equal(saltkey_hash_share(&s, 0, &v, &share, NULL), SALTKEY_EUNSUPPORTED);
    assert_int_equal(saltkey_hash_share(&m, 0, &v, &share, NULL), SALTKEY_EUNSUPPORTED);
    assert_int_equal(share, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_parts_equal_plain),
        cmocka_unit_test(test_mod_exact),
        cmocka_unit_test(test_shares_equal_bytes),
        cmocka_unit_test(test_no_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
