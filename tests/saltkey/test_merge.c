/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The merge against a sort by natural key. */
#include <stdlib.h>

#include "harness.h"

struct list {
    struct saltkey_row *rows;
    size_t n, at, most; /* most: rows a pull gives at once */
    int fail_at;        /* pull number that fails; 0: none */
    int pulls;
    uint8_t copy[64][40]; /* rows are handed out from here and overwritten by the next pull */
};

static int pull(void *context, struct saltkey_row *rows, size_t max)
{
    struct list *l = context;
    size_t i, k = l->n - l->at;

    if (++l->pulls == l->fail_at)
        return -5;
    if (k > max)
        k = max;
    if (k > l->most)
        k = l->most;
    memset(l->copy, 0xee, sizeof(l->copy));
    for (i = 0; i < k; i++) {
        rows[i] = l->rows[l->at++];
        memcpy(l->copy[i], rows[i].key.bytes, rows[i].key.len);
        rows[i].key.bytes = l->copy[i];
    }
    return (int)k;
}

static size_t skip;
static bool descending;

/* The order that a merge promises: natural key, then stream (in |user|'s list order). */
static int by_natural(const void *pa, const void *pb)
{
    const struct saltkey_row *a = pa, *b = pb;
    int c = saltkey_compare(slice(a->key.bytes + skip, a->key.len - skip),
                            slice(b->key.bytes + skip, b->key.len - skip));

    if (descending)
        c = -c;
    if (c == 0)
        c = (a->user > b->user) - (a->user < b->user);
    return c;
}

#define ROWS 400

struct pool {
    uint8_t bytes[ROWS][40];
    struct saltkey_row rows[ROWS];
    struct list lists[40];
    struct saltkey_source sources[40];
};

/* Lengths of natural keys in a round: all the same, all but a few, or any. */
struct lengths {
    size_t usual, others; /* one row of |others| has any length; 0: none */
};

static struct lengths random_lengths(struct seeded *r)
{
    static const size_t usual[] = {24, 24, 24, 23, 25, 8, 12, 1};
    static const size_t others[] = {0, 0, 0, 50, 1};
    struct lengths l = {usual[seeded_below(r, 8)], others[seeded_below(r, 5)]};

    return l;
}

/* Random rows over |n| streams; few distinct bytes, so that prefixes and ties are common. */
static size_t fill(struct pool *p, size_t n, struct seeded *r)
{
    size_t total = seeded_below(r, ROWS), i, k, at = 0;
    size_t per = total / n;
    struct lengths lengths = random_lengths(r);
    uint8_t usual = seeded_below(r, 3) ? 0 : 0xff; /* a key of \xff alone looks like no key at all */

    for (i = 0; i < n; i++) {
        size_t mine = i + 1 == n ? total - at : seeded_below(r, 2 * per + 1);

        if (mine > total - at)
            mine = total - at;
        p->lists[i].rows = &p->rows[at];
        p->lists[i].n = mine;
        p->lists[i].at = 0;
        p->lists[i].fail_at = p->lists[i].pulls = 0;
        p->lists[i].most = 1 + seeded_below(r, 64);
        p->sources[i].pull = pull;
        p->sources[i].context = &p->lists[i];
        for (k = 0; k < mine; k++) {
            struct saltkey_row *row = &p->rows[at + k];
            size_t len = skip + lengths.usual, b;

            if (lengths.others && seeded_below(r, lengths.others) == 0)
                len = skip + seeded_below(r, seeded_below(r, 2) ? 5 : 30);
            for (b = 0; b < len; b++)
                p->bytes[at + k][b] = b < skip ? (uint8_t)i : seeded_below(r, 30) ? usual : (uint8_t)seeded_next(r);
            row->key = slice(p->bytes[at + k], len);
            row->user = &p->lists[i];
        }
        qsort(&p->rows[at], mine, sizeof(p->rows[0]), by_natural);
        at += mine;
    }
    return at;
}

/* A row and the one before it. */
static bool same_natural(const struct saltkey_row *row)
{
    return saltkey_compare(slice(row[-1].key.bytes + skip, row[-1].key.len - skip),
                           slice(row->key.bytes + skip, row->key.len - skip)) == 0;
}

/* A million rows and more, in rounds. */
static void test_equals_sort(void **state)
{
    struct pool *p = malloc(sizeof(*p));
    struct saltkey_row *sorted = malloc(sizeof(p->rows));
    struct seeded r = {99};
    int round;

    (void)state;
    for (round = 0; round < 6000; round++) {
        size_t n = 1 + seeded_below(&r, 40), total, i, source;
        struct saltkey_merge_options o = {0, false, 0, 0, 0, 0, false, NULL, 0, false};
        struct saltkey_merge *m = NULL;
        struct saltkey_row row;
        uint64_t left, end;

        skip = o.skip = seeded_below(&r, 4);
        descending = o.reverse = seeded_below(&r, 2);
        o.batch = seeded_below(&r, 3) ? seeded_below(&r, 64) : 1;
        total = fill(p, n, &r);
        o.limit = seeded_below(&r, 3) ? 0 : 1 + seeded_below(&r, 100);
        o.offset = seeded_below(&r, 3) ? 0 : seeded_below(&r, 100);
        memcpy(sorted, p->rows, sizeof(p->rows));
        qsort(sorted, total, sizeof(*sorted), by_natural);
        left = o.offset < total ? total - o.offset : 0;
        end = o.limit && o.limit < left ? o.limit : left;
        assert_int_equal(saltkey_merge_open(p->sources, n, &o, &m), 0);
        for (i = 0; i < end; i++) {
            assert_int_equal(saltkey_merge_next(m, &row, &source), 1);
            assert_ptr_equal(row.user, sorted[o.offset + i].user);
            assert_ptr_equal(row.user, &p->lists[source]);
            assert_int_equal(saltkey_compare(row.key, sorted[o.offset + i].key), 0);
            assert_int_equal(saltkey_merge_is_duplicate(m), o.offset + i > 0 && same_natural(&sorted[o.offset + i]));
        }
        assert_int_equal(saltkey_merge_next(m, &row, NULL), 0);
        assert_int_equal(saltkey_merge_next(m, &row, NULL), 0);
        saltkey_merge_close(m);
    }
    free(sorted);
    free(p);
}

/* Streams that never end early: exactly log2 N comparisons a row. */
static int pull_counter(void *context, struct saltkey_row *rows, size_t max)
{
    struct {
        struct seeded r;
        uint8_t key[9];
    } *c = context;
    uint64_t v = 0;
    int i;

    (void)max;
    for (i = 1; i < 9; i++)
        v = v << 8 | c->key[i];
    v += 1 + seeded_below(&c->r, 1000);
    for (i = 8; i > 0; i--, v >>= 8)
        c->key[i] = (uint8_t)v;
    rows->key = slice(c->key, 9);
    return 1;
}

static void test_comparisons(void **state)
{
    static struct {
        struct seeded r;
        uint8_t key[9];
    } counters[256];
    static struct saltkey_source sources[256];
    size_t n, i;

    (void)state;
    for (n = 16; n <= 256; n *= 16) {
        struct saltkey_merge_options o = {1, false, 0, 0, 0, 1, false, NULL, 0, false};
        struct saltkey_merge *m = NULL;
        struct saltkey_row row;
        uint64_t begun;

        for (i = 0; i < n; i++) {
            memset(&counters[i], 0, sizeof(counters[i]));
            counters[i].r.state = i;
            sources[i].pull = pull_counter;
            sources[i].context = &counters[i];
        }
        assert_int_equal(saltkey_merge_open(sources, n, &o, &m), 0);
        assert_int_equal(saltkey_merge_next(m, &row, NULL), 1);
        begun = saltkey_merge_comparisons(m);
        assert_int_equal(begun, n - 1);
        for (i = 0; i < 10000; i++)
            assert_int_equal(saltkey_merge_next(m, &row, NULL), 1);
        assert_int_equal(saltkey_merge_comparisons(m) - begun, 10000 * (n == 16 ? 4 : 8));
        saltkey_merge_close(m);
    }
}

static void test_failures(void **state)
{
    static struct list a, b;
    struct saltkey_row rows[3] = {{slice("\0a", 2), NULL}, {slice("\0c", 2), NULL}, {slice("\0b", 2), NULL}};
    struct saltkey_source sources[2] = {{pull, &a}, {pull, &b}};
    struct saltkey_merge_options o = {1, false, 0, 0, 0, 0, false, NULL, 0, false};
    struct saltkey_merge *m = NULL;
    struct saltkey_row row;
    uint64_t line = 0;
    size_t source = 9, most;

    (void)state;
    for (most = 1; most <= 3; most++) {
        a = (struct list){rows, 1, 0, 3, 0, 0, {{0}}};
        b = (struct list){rows, 3, 0, most, 0, 0, {{0}}};
        assert_int_equal(saltkey_merge_open(sources, 2, &o, &m), 0);
        assert_int_equal(saltkey_merge_next(m, &row, NULL), 1);
        assert_int_equal(saltkey_merge_next(m, &row, NULL), 1);
        assert_int_equal(saltkey_merge_next(m, &row, NULL), 1);
        assert_int_equal(saltkey_merge_next(m, &row, NULL), SALTKEY_EORDER);
        assert_int_equal(saltkey_merge_next(m, &row, NULL), SALTKEY_EORDER);
        saltkey_merge_error(m, &source, &line);
        assert_int_equal(source, 1);
        assert_int_equal(line, 3);
        saltkey_merge_close(m);
    }
    a = (struct list){rows, 2, 0, 1, 2, 0, {{0}}};
    assert_int_equal(saltkey_merge_open(sources, 1, &o, &m), 0);
    assert_int_equal(saltkey_merge_next(m, &row, NULL), 1);
    assert_int_equal(saltkey_merge_next(m, &row, NULL), SALTKEY_ESOURCE);
    saltkey_merge_close(m);
    assert_int_equal(saltkey_merge_open(sources, 0, &o, &m), SALTKEY_ERANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_sort),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
