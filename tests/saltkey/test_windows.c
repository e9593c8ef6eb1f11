/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows by brute force: random layouts of every kind of field, with and without marks, up and down, under
   random salts and questions. A row that matches lies in exactly one range; while nothing is said to need a
   filter, no other row lies in one. */
#include "harness.h"

#define FIELDS 3
#define ROWS 24

/* Values a kind is tried with: numbers, texts or reals. */
struct pool {
    const char *kind;
    enum { NUMBERS, TEXTS, REALS } of;
    int64_t numbers[8];
    size_t n;
};

static const struct pool pools[] = {
    {"be8", NUMBERS, {0, 1, 2, 127, 128, 254, 255}, 7},
    {"be16", NUMBERS, {0, 1, 255, 256, 65535}, 5},
    {"be24", NUMBERS, {0, 1, 255, 65536, 16777215}, 5},
    {"be32", NUMBERS, {0, 1, 255, 256, 4294967295}, 5},
    {"be64", NUMBERS, {0, 1, 255, 256, INT64_MAX}, 5},
    {"i8", NUMBERS, {-128, -1, 0, 1, 127}, 5},
    {"i16", NUMBERS, {-32768, -1, 0, 255, 32767}, 5},
    {"i32", NUMBERS, {INT32_MIN, -1, 0, 1, INT32_MAX}, 5},
    {"i64", NUMBERS, {INT64_MIN, -1, 0, 1, INT64_MAX}, 5},
    {"rts", NUMBERS, {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX}, 6},
    {"rts19", NUMBERS, {0, 1, 2, 1700000000000, INT64_MAX}, 5},
    {"dec(3)", NUMBERS, {0, 1, 9, 10, 99, 100, 999}, 7},
    {"hex(2)", NUMBERS, {0, 1, 15, 16, 127, 255}, 6},
    {"revdec(3)", NUMBERS, {0, 1, 10, 100, 999}, 5},
    {"num", NUMBERS, {-10, -1, 0, 1, 9, 10, 99, 100}, 8},
    {"num(4)", NUMBERS, {-10, -1, 0, 9, 10, 9999, 10000}, 7},
    {"ob-i8", NUMBERS, {-128, -1, 0, 1, 127}, 5},
    {"ob-i16", NUMBERS, {-32768, -1, 0, 1, 32767}, 5},
    {"ob-i32", NUMBERS, {INT32_MIN, -1, 0, 1, INT32_MAX}, 5},
    {"ob-i64", NUMBERS, {INT64_MIN, -1, 0, 5, INT64_MAX}, 5},
    {"ob-f64", REALS, {0}, 6},
    {"fixed(3)", TEXTS, {0}, 8},
    {"bytes(2)", TEXTS, {0}, 0}, /* those of two bytes only: drawn by trying */
    {"text", TEXTS, {0}, 14},
    {"rawtext", TEXTS, {0}, 14},
    {"revtext", TEXTS, {0}, 14},
    {"revlabels", TEXTS, {0}, 14},
    {"uuid", TEXTS, {0}, 0},
    {"ob-text", TEXTS, {0}, 14},
    {"ob-blob", TEXTS, {0}, 14},
};
#define N_POOLS (sizeof(pools) / sizeof(pools[0]))

static const char *const texts[] = {"", "a", "aa", "ab", "abc", "ac", "b", "ba", "a!", "~", "a~", "\xc3\xa9", "a\x7f", "a_"};
static const char *const pairs[] = {"aa", "ab", "ba", "\x01\xff", "\xff\xff"};
static const char *const uuids[] = {"0000000000000000", "0000000000000001", "abcdefghijklmnop", "abcdefghijklmnoq",
                                    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"};
static const double reals[] = {-1e300, -1.5, 0.0, 5e-324, 1.0, 1e300};

static struct saltkey_value draw(const struct pool *p, struct seeded *r)
{
    if (p->of == REALS)
        return saltkey_real(reals[seeded_below(r, 6)]);
    if (p->of == NUMBERS) {
        int64_t n = p->numbers[seeded_below(r, p->n)];

        return n < 0 || seeded_below(r, 2) ? saltkey_int(n) : saltkey_uint((uint64_t)n);
    }
    if (p->n == 0)
        return saltkey_text(p->kind[0] == 'b' ? pairs[seeded_below(r, 5)] : uuids[seeded_below(r, 5)]);
    return saltkey_text(texts[seeded_below(r, p->n)]);
}

static int order(struct saltkey_value a, struct saltkey_value b)
{
    double x, y;

    if (a.kind == SALTKEY_VALUE_BYTES)
        return saltkey_compare(a.bytes, b.bytes);
    if (a.kind == SALTKEY_VALUE_REAL) {
        memcpy(&x, &a.number, sizeof(x));
        memcpy(&y, &b.number, sizeof(y));
        return (x > y) - (x < y);
    }
    return ((int64_t)a.number > (int64_t)b.number) - ((int64_t)a.number < (int64_t)b.number);
}

struct world {
    struct saltkey_scheme scheme;
    const struct pool *pools[FIELDS];
    uint32_t n;
    char text[256];
};

static void draw_layout(struct seeded *r, struct world *w)
{
    static const char *const marks[] = {"", "", "+_", "+\\x00", "+_~\\", "+\\x00~\\", "+~"};
    size_t len = 0;
    uint32_t i;

    w->n = 1 + (uint32_t)seeded_below(r, FIELDS);
    for (i = 0; i < w->n; i++) {
        const char *mark = i + 1 < w->n ? marks[seeded_below(r, 7)] : "";
        const char *kind;

        w->pools[i] = &pools[seeded_below(r, N_POOLS)];
        kind = w->pools[i]->kind;
        if (strchr(mark, '~') && strcmp(kind, "text") != 0)
            mark = "+|";
        len += (size_t)snprintf(w->text + len, sizeof(w->text) - len, "%sf%u:%s%s%s", i ? " " : "", (unsigned)i, kind,
                                strncmp(kind, "rts", 3) != 0 && seeded_below(r, 3) == 0 ? ":desc" : "", mark);
    }
}

static void draw_world(struct seeded *r, struct world *w)
{
    static const char *const salts[] = {"none", "phoenix", "arrays-hash floorMod", "murmur3 floorMod", "md5hex 1",
                                        "crc32 floorMod hex 2", "arrays-hash unsigned dec 3"};
    static const uint32_t ns[] = {1, 2, 3, 16, 255, 256};
    static const char *const overs[] = {"key", "f0", "f1", "f0..f1"};
    struct saltkey_layout layout;
    struct saltkey_salt salt;

    draw_layout(r, w);
    if (saltkey_layout_parse(w->text, &layout, NULL) < 0)
        fail_msg("'%s' is refused", w->text);
    assert_int_equal(saltkey_salt_parse(salts[seeded_below(r, 7)], ns[seeded_below(r, 6)], &salt, NULL), 0);
    assert_int_equal(saltkey_scheme_init(&w->scheme, &layout, &salt, overs[seeded_below(r, w->n > 1 ? 4 : 2)], NULL), 0);
}

struct question {
    struct saltkey_value equal[FIELDS], from, to;
    struct saltkey_query query;
};

static void draw_question(struct seeded *r, const struct world *w, struct question *q)
{
    uint32_t i, field = (uint32_t)seeded_below(r, w->n);

    memset(&q->query, 0, sizeof(q->query));
    q->query.equal = q->equal;
    for (i = 0; i < w->n; i++) {
        q->equal[i] = draw(w->pools[i], r);
        if (seeded_below(r, 10) < (i == 0 ? 6 : 3))
            q->query.equal_fields |= 1U << i;
    }
    q->query.range_field = -1;
    if (seeded_below(r, 10) < 2)
        return;
    if (seeded_below(r, 4)) /* most often the field behind those that are fixed: the interesting case */
        for (field = 0; field + 1 < w->n && q->query.equal_fields >> field & 1; field++)
            continue;
    q->query.equal_fields &= ~(1U << field);
    q->query.range_field = (int)field;
    q->from = draw(w->pools[field], r);
    q->to = draw(w->pools[field], r);
    q->query.from = seeded_below(r, 4) ? &q->from : NULL;
    q->query.to = seeded_below(r, 4) ? &q->to : NULL;
}

static bool matches(const struct world *w, const struct question *q, const struct saltkey_value *v)
{
    uint32_t i;

    for (i = 0; i < w->n; i++)
        if (q->query.equal_fields >> i & 1 && order(v[i], q->equal[i]) != 0)
            return false;
    if (q->query.range_field < 0)
        return true;
    v += q->query.range_field;
    return (!q->query.from || order(*v, q->from) >= 0) && (!q->query.to || order(*v, q->to) < 0);
}

static size_t ranges_with(const struct world *w, const struct saltkey_window *window, struct saltkey_slice row)
{
    size_t n = 0;
    uint64_t i;

    for (i = 0; i < window->scans; i++) {
        uint8_t start[256], stop[256];
        struct saltkey_range range = {{start, sizeof(start), 0}, {stop, sizeof(stop), 0}, false};

        assert_int_equal(saltkey_window_range(&w->scheme, window, i, &range), 0);
        n += !range.empty && saltkey_compare(row, used(&range.start)) >= 0 &&
             (range.stop.len == 0 || saltkey_compare(row, used(&range.stop)) < 0);
    }
    return n;
}

/* How many rows of one world decided something. */
static size_t check_rows(struct seeded *r, const struct world *w, const struct question *q,
                         const struct saltkey_window *window)
{
    size_t k, decided = 0;

    for (k = 0; k < ROWS; k++) {
        struct saltkey_value v[FIELDS];
        size_t hits;
        uint32_t i;
        BUF(row, 256);

        for (i = 0; i < w->n; i++)
            v[i] = q->query.equal_fields >> i & 1 && seeded_below(r, 3) ? q->equal[i] : draw(w->pools[i], r);
        if (saltkey_salted(&w->scheme, v, &row, NULL) < 0)
            continue; /* a mark inside a text */
        hits = ranges_with(w, window, used(&row));
        decided++;
        if (matches(w, q, v) ? hits != 1 : hits > 1 || (hits && !window->filtered))
            fail_msg("'%s', salt width %u, row %lu: matches %d, lies in %lu ranges, filtered %d, range on %d", w->text,
                     (unsigned)w->scheme.salt.width, (unsigned long)k, matches(w, q, v), (unsigned long)hits,
                     window->filtered, q->query.range_field);
    }
    return decided;
}

static void test_every_question(void **state)
{
    struct seeded r = {2026};
    size_t decided = 0, unfiltered = 0;
    uint32_t i;

    (void)state;
    for (i = 0; i < 40000; i++) {
        struct world w;
        struct question q;
        uint8_t start[256], stop[256];
        struct saltkey_window window = {{start, 256, 0}, {stop, 256, 0}, false, false, false, 0, 0};

        draw_world(&r, &w);
        draw_question(&r, &w, &q);
        if (q.query.equal_fields == 0 && q.query.range_field == 0 && seeded_below(&r, 2)) {
            if (saltkey_window_leading(&w.scheme, q.query.from, q.query.to, &window, NULL) < 0)
                continue;
        } else if (saltkey_window_query(&w.scheme, &q.query, &window, NULL) < 0) {
            continue; /* a mark inside a text */
        }
        unfiltered += !window.filtered;
        decided += check_rows(&r, &w, &q, &window);
    }
    assert_true(decided > 500000);
    assert_true(unfiltered > 15000);
}

/* Where saltkey_newest says how, rows that agree in the fields before the time sort by it. */
static void test_every_newest(void **state)
{
    struct seeded r = {31};
    size_t supported = 0;
    uint32_t i;

    (void)state;
    for (i = 0; i < 40000; i++) {
        struct saltkey_value a[FIELDS], b[FIELDS];
        struct world w;
        uint32_t time, k;
        int way, by_key;
        BUF(x, 256);
        BUF(y, 256);

        draw_world(&r, &w);
        time = (uint32_t)seeded_below(&r, w.n);
        way = saltkey_newest(&w.scheme, time, (1U << time) - 1);
        if (way < 0)
            continue;
        for (k = 0; k < w.n; k++) {
            a[k] = draw(w.pools[k], &r);
            b[k] = k < time ? a[k] : draw(w.pools[k], &r);
        }
        if (saltkey_natural(&w.scheme.layout, a, &x, NULL) < 0 || saltkey_natural(&w.scheme.layout, b, &y, NULL) < 0)
            continue;
        supported++;
        by_key = saltkey_compare(used(&x), used(&y));
        if (order(a[time], b[time]) != 0 && order(a[time], b[time]) != (way == 1 ? by_key : -by_key))
            fail_msg("'%s', field %u: way %d, values %d, keys %d", w.text, (unsigned)time, way,
                     order(a[time], b[time]), by_key);
    }
    assert_true(supported > 15000);
}

/* The cases that were wrong once. */
static void test_once_wrong(void **state)
{
    struct saltkey_scheme blob = scheme_of("b:ob-blob", "none", 0, NULL), desc = scheme_of("t:text:desc", "none", 0, NULL);
    struct saltkey_scheme two = scheme_of("a:text", "phoenix", 4, NULL);
    struct saltkey_value from = saltkey_text("a"), to = saltkey_text("b"), empty = saltkey_text("");
    uint8_t start[64], stop[64];
    struct saltkey_window w = {{start, 64, 0}, {stop, 64, 0}, false, false, false, 0, 0};

    (void)state;
    assert_int_equal(saltkey_window_leading(&blob, &from, &to, &w, NULL), 0);
    assert_true(w.filtered && w.start.len == 0 && w.stop.len == 0);
    assert_int_equal(saltkey_newest(&blob, 0, 0), SALTKEY_EUNSUPPORTED);
    assert_int_equal(saltkey_window_leading(&desc, &from, &to, &w, NULL), 0);
    assert_true(w.filtered && w.start.len == 0 && w.stop.len == 0);
    assert_int_equal(saltkey_newest(&desc, 0, 0), SALTKEY_EUNSUPPORTED);
    assert_int_equal(saltkey_window_leading(&two, &to, &empty, &w, NULL), 0);
    assert_true(w.empty && w.scans == 0);
    assert_int_equal(saltkey_window_leading(&two, NULL, &empty, &w, NULL), 0);
    assert_true(w.empty && w.scans == 0);
    assert_int_equal(saltkey_window_leading(&two, &empty, NULL, &w, NULL), 0);
    assert_true(!w.empty && w.scans == 4);
    assert_int_equal(saltkey_newest(&two, 32, 0), SALTKEY_EFIELD);
    assert_int_equal(saltkey_newest(&two, UINT32_MAX, 0), SALTKEY_EFIELD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_once_wrong), cmocka_unit_test(test_every_question), cmocka_unit_test(test_every_newest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
