/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan ranges: hand-made cases, then the property that counts: a row is inside a range exactly
   when its values match the question. */
#include "harness.h"

#define WINDOW(name)                                                                               \
    uint8_t name##_start[256], name##_stop[256];                                                   \
    struct saltkey_window name = {{name##_start, 256, 0}, {name##_stop, 256, 0},                   \
                                  false, false, false, 0, 0}
#define RANGE(name)                                                                                \
    uint8_t name##_start[256], name##_stop[256];                                                   \
    struct saltkey_range name = {{name##_start, 256, 0}, {name##_stop, 256, 0}, false}

static void test_leading(void **state)
{
    struct saltkey_scheme s = scheme_of("ts:be64 device:fixed(4)", "phoenix", 16, NULL);
    struct saltkey_value from = saltkey_uint(0x100), to = saltkey_uint(0x200);
    WINDOW(w);
    RANGE(r);

    (void)state;
    assert_int_equal(saltkey_window_leading(&s, &from, &to, &w, NULL), 0);
    assert_int_equal(w.scans, 16);
    assert_false(w.filtered);
    assert_int_equal(saltkey_window_range(&s, &w, 10, &r), 0);
    assert_bytes(r.start, "\x0a\0\0\0\0\0\0\1\0");
    assert_bytes(r.stop, "\x0a\0\0\0\0\0\0\2\0");
    assert_int_equal(saltkey_window_range(&s, &w, 16, &r), SALTKEY_ERANGE);

    assert_int_equal(saltkey_window_leading(&s, &from, NULL, &w, NULL), 0);
    assert_int_equal(saltkey_window_range(&s, &w, 15, &r), 0);
    assert_bytes(r.stop, "\x10");
    assert_int_equal(saltkey_window_leading(&s, NULL, NULL, &w, NULL), 0);
    assert_int_equal(saltkey_window_range(&s, &w, 0, &r), 0);
    assert_bytes(r.start, "\x00");
    assert_bytes(r.stop, "\x01");

    assert_int_equal(saltkey_window_leading(&s, &to, &from, &w, NULL), 0);
    assert_true(w.empty);
    assert_int_equal(w.scans, 0);
    assert_int_equal(saltkey_window_leading(&s, &to, &to, &w, NULL), 0);
    assert_true(w.empty);
    from = saltkey_int(-1);
    assert_int_equal(saltkey_window_leading(&s, &from, &to, &w, NULL), SALTKEY_ENEGATIVE);
}

static void test_last_bucket(void **state)
{
    struct saltkey_scheme s = scheme_of("k:text", "phoenix", 256, NULL);
    struct saltkey_scheme none = scheme_of("k:text", "none", 0, NULL);
    WINDOW(w);
    RANGE(r);

    (void)state;
    assert_int_equal(saltkey_window_prefix(&s, slice("\xff\xff", 2), &w), 0);
    assert_int_equal(saltkey_window_range(&s, &w, 255, &r), 0);
    assert_bytes(r.start, "\xff\xff\xff");
    assert_bytes(r.stop, ""); /* to the end of the table */
    assert_int_equal(saltkey_window_range(&s, &w, 254, &r), 0);
    assert_bytes(r.stop, "\xff");

    assert_int_equal(saltkey_window_prefix(&none, slice("ab", 2), &w), 0);
    assert_int_equal(w.scans, 1);
    assert_int_equal(saltkey_window_range(&none, &w, 0, &r), 0);
    assert_bytes(r.start, "ab");
    assert_bytes(r.stop, "ac");
    assert_int_equal(saltkey_window_keys(&none, slice("b", 1), slice("a", 1), &w), 0);
    assert_int_equal(w.scans, 0);
}

static void test_one_bucket(void **state)
{
    struct saltkey_scheme s = scheme_of("ts:be64 device:fixed(4)", "phoenix", 16, "device");
    struct saltkey_scheme whole = scheme_of("ts:be64 device:fixed(4)", "phoenix", 16, NULL);
    struct saltkey_value v[2] = {saltkey_uint(5), saltkey_text("abc")};
    struct saltkey_value from = saltkey_uint(1), to = saltkey_uint(2);
    struct saltkey_query history = {v, 2, 0, &from, &to}, point = {v, 3, -1, NULL, NULL};
    uint64_t bucket;
    WINDOW(w);
    RANGE(r);
    BUF(row, 64);

    (void)state;
    /* a device's history: one bucket, the window on time, other devices filtered out */
    assert_int_equal(saltkey_window_query(&s, &history, &w, NULL), 0);
    assert_int_equal(w.scans, 1);
    assert_true(w.one_bucket && w.filtered);
    assert_int_equal(saltkey_bucket(&s, slice("\0\0\0\0\0\0\0\5abc\0", 12), &bucket), 0);
    assert_int_equal(w.bucket, bucket);
    assert_int_equal(saltkey_window_query(&whole, &history, &w, NULL), 0);
    assert_int_equal(w.scans, 16);

    assert_int_equal(saltkey_window_query(&whole, &point, &w, NULL), 0);
    assert_int_equal(w.scans, 1);
    assert_false(w.filtered);
    assert_int_equal(saltkey_window_range(&whole, &w, 0, &r), 0);
    assert_int_equal(saltkey_salted(&whole, v, &row, NULL), 0);
    assert_int_equal(saltkey_compare(used(&r.start), used(&row)), 0);
    assert_int_equal(r.stop.len, row.len + 1);
}

static void test_reversed(void **state)
{
    struct saltkey_scheme s = scheme_of("ts:rts19", "none", 0, NULL);
    struct saltkey_value zero = saltkey_uint(0), ten = saltkey_uint(10), minus = saltkey_int(-1);
    WINDOW(w);

    (void)state;
    assert_int_equal(saltkey_window_leading(&s, &zero, &ten, &w, NULL), 0);
    assert_bytes(w.start, "9223372036854775798"); /* 9 */
    assert_bytes(w.stop, "9223372036854775808");  /* just past 0 */
    assert_int_equal(saltkey_window_leading(&s, &zero, &zero, &w, NULL), 0);
    assert_true(w.empty);
    assert_int_equal(saltkey_window_leading(&s, &minus, &ten, &w, NULL), SALTKEY_ENEGATIVE);
    s = scheme_of("ts:rts", "none", 0, NULL);
    assert_int_equal(saltkey_window_leading(&s, &zero, &ten, &w, NULL), 0);
    assert_bytes(w.start, "\x7f\xff\xff\xff\xff\xff\xff\xf6");
    assert_bytes(w.stop, "\x80\0\0\0\0\0\0\0");
    zero = saltkey_int(INT64_MIN);
    assert_int_equal(saltkey_window_leading(&s, &zero, NULL, &w, NULL), 0);
    assert_bytes(w.stop, "");
}

/* Which rows of a small world a question matches, counted by values and by ranges. */
struct world {
    const char *layout;
    unsigned values[3]; /* how many values each field takes; fields are numbers */
};

static struct saltkey_value number_for(enum saltkey_kind kind, uint64_t n)
{
    static char text[4][8];
    static int at;

    if (kind != SALTKEY_TEXT && kind != SALTKEY_FIXED)
        return saltkey_uint(n);
    at = (at + 1) & 3;
    text[at][0] = (char)('a' + n / 3);
    text[at][1] = n % 3 ? (char)(n % 3 == 1 ? 0x7f : 0x01) : '\0';
    text[at][2] = '\0';
    return saltkey_text(text[at]);
}

/* Order of two values as their texts or numbers sort. */
static int value_order(struct saltkey_value a, struct saltkey_value b)
{
    if (a.kind == SALTKEY_VALUE_BYTES)
        return saltkey_compare(a.bytes, b.bytes);
    return (a.number > b.number) - (a.number < b.number);
}

static bool inside(const struct saltkey_scheme *s, const struct saltkey_window *w,
                   struct saltkey_slice row, size_t *ranges)
{
    uint64_t i;

    *ranges = 0;
    for (i = 0; i < w->scans; i++) {
        RANGE(r);

        assert_int_equal(saltkey_window_range(s, w, i, &r), 0);
        *ranges += saltkey_compare(row, used(&r.start)) >= 0 &&
                   (r.stop.len == 0 || saltkey_compare(row, used(&r.stop)) < 0);
    }
    return *ranges > 0;
}

static void check_question(const struct saltkey_scheme *s, const unsigned values[3], struct seeded *r)
{
    struct saltkey_value equal[3], v[3], from, to;
    struct saltkey_query q = {equal, (uint32_t)seeded_below(r, 8), (int)seeded_below(r, 4) - 1, NULL, NULL};
    unsigned k[3], e[3], lo = 0, hi = 0, i;
    WINDOW(w);

    if (q.range_field >= 0)
        q.equal_fields &= ~(1U << q.range_field);
    for (i = 0; i < 3; i++)
        e[i] = (unsigned)seeded_below(r, values[i]);
    lo = (unsigned)seeded_below(r, 9);
    hi = (unsigned)seeded_below(r, 9);
    for (k[0] = 0; k[0] < values[0]; k[0]++)
        for (k[1] = 0; k[1] < values[1]; k[1]++)
            for (k[2] = 0; k[2] < values[2]; k[2]++) {
                bool match = true;
                size_t ranges;
                BUF(row, 64);

                for (i = 0; i < 3; i++) {
                    v[i] = number_for(s->layout.fields[i].kind, k[i]);
                    match = match && (!(q.equal_fields >> i & 1) || k[i] == e[i]);
                }
                assert_int_equal(saltkey_salted(s, v, &row, NULL), 0);
                for (i = 0; i < 3; i++)
                    equal[i] = number_for(s->layout.fields[i].kind, e[i]);
                if (q.range_field >= 0) {
                    enum saltkey_kind kind = s->layout.fields[q.range_field].kind;

                    from = number_for(kind, lo);
                    to = number_for(kind, hi);
                    q.from = lo & 1 ? &from : NULL;
                    q.to = hi & 1 ? &to : NULL;
                    v[0] = number_for(kind, k[q.range_field]);
                    match = match && (!q.from || value_order(v[0], from) >= 0) &&
                            (!q.to || value_order(v[0], to) < 0);
                }
                assert_int_equal(saltkey_window_query(s, &q, &w, NULL), 0);
                if (inside(s, &w, used(&row), &ranges) != match && !(w.filtered && !match))
                    fail_msg("%s: row is %s but should %s", s->layout.fields[0].name,
                             ranges ? "inside" : "outside", match ? "match" : "not match");
                assert_true(ranges <= 1);
            }
}

static void test_question_property(void **state)
{
    static const char *const layouts[] = {
        "a:be64 b:fixed(2) c:dec(3)", "a:rts b:text c:be8",   "a:text b:rts c:i32",
        "a:rts19 b:hex(2) c:text",    "a:revdec(2) b:i8 c:be16", "a:fixed(3) b:rts19 c:rts",
    };
    static const char *const salts[] = {"none", "phoenix", "arrays-hash floorMod", "arrays-hash unsigned"};
    static const char *const over[] = {NULL, "a", "b", "a c"};
    static const unsigned values[3] = {7, 6, 3};
    struct seeded r = {2024};
    int i;

    (void)state;
    for (i = 0; i < 600; i++) {
        struct saltkey_scheme s = scheme_of(layouts[seeded_below(&r, 6)], salts[seeded_below(&r, 4)],
                                            (uint32_t)(1 + seeded_below(&r, 6)),
                                            over[seeded_below(&r, 4)]);
        check_question(&s, values, &r);
    }
}

static void test_small_buffers(void **state)
{
    struct saltkey_scheme s = scheme_of("ts:be64 device:fixed(4)", "phoenix", 16, "device");
    struct saltkey_value v[2] = {saltkey_uint(5), saltkey_text("abc")};
    struct saltkey_query point = {v, 3, -1, NULL, NULL}, wrong = {v, 4, -1, NULL, NULL};
    uint8_t start[64], stop[64];
    size_t cap;

    (void)state;
    for (cap = 0; cap < 16; cap++) {
        struct saltkey_window w = {{start, cap, 0}, {stop, cap, 0}, false, false, false, 0, 0};
        int rc = saltkey_window_query(&s, &point, &w, NULL);

        assert_int_equal(rc, cap < 13 ? SALTKEY_ESPACE : 0);
        if (rc == 0) {
            struct saltkey_range r = {{start, cap, 0}, {stop, cap, 0}, false};
            assert_int_equal(saltkey_window_query(&s, &wrong, &w, NULL), SALTKEY_EFIELD);
            r.start.cap = 12;
            assert_int_equal(saltkey_window_range(&s, &w, 0, &r), SALTKEY_ESPACE);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leading),           cmocka_unit_test(test_last_bucket),
        cmocka_unit_test(test_one_bucket),        cmocka_unit_test(test_reversed),
        cmocka_unit_test(test_question_property), cmocka_unit_test(test_small_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
