/* SPDX-License-Identifier: Apache-2.0 */
/* N sorted streams to one, in natural-key order: a loser tree whose nodes carry the first 16
   bytes of each stream's natural key, so that a comparison seldom looks at a row. */
#include "internal.h"

#define BATCH 64

/* A stream's head as the tree sees it. Reversed merges hold the complement of the bytes. */
struct node {
    uint64_t high, low;
    uint32_t leaf;
};

struct stream {
    struct saltkey_source source;
    struct saltkey_row *rows; /* the batch */
    size_t at, count;
    uint64_t taken;           /* rows of earlier batches */
    struct saltkey_slice natural; /* of the head row */
    struct saltkey_buf last;  /* the last row's natural key, kept over a pull */
    bool ended;
};

struct saltkey_merge {
    struct saltkey_merge_options options;
    size_t n;
    struct stream *streams;
    struct node *tree;        /* losers at 1 .. n - 1 */
    struct node winner;
    struct saltkey_row *rows; /* all batches */
    uint64_t handed, skipped, comparisons;
    bool begun, pending;
    int failed;
    size_t failed_source;
    uint64_t failed_row;
};

static struct saltkey_slice natural_of(const struct saltkey_merge_options *o, struct saltkey_slice row)
{
    size_t skip = o->skip;

    if (o->skip_through) {
        const uint8_t *d = row.len ? memchr(row.bytes, o->delimiter, row.len) : NULL;
        skip = d ? (size_t)(d - row.bytes) + 1 : row.len;
    }
    if (skip > row.len)
        skip = row.len;
    return saltkey__slice(row.bytes + skip, row.len - skip);
}

static uint64_t load_be64(const uint8_t *p)
{
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 | (uint64_t)p[3] << 32 |
           (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 | (uint64_t)p[6] << 8 | p[7];
}

/* The head of |leaf| as a node; an ended stream comes after everything. */
static struct node make_node(const struct saltkey_merge *m, uint32_t leaf)
{
    const struct stream *s = &m->streams[leaf];
    struct node n = {UINT64_MAX, UINT64_MAX, leaf};
    uint8_t padded[16] = {0};
    const uint8_t *p = s->natural.bytes;

    if (s->ended)
        return n;
    if (SALTKEY_UNLIKELY(s->natural.len < 16)) {
        if (s->natural.len)
            memcpy(padded, p, s->natural.len);
        p = padded;
    }
    n.high = load_be64(p);
    n.low = load_be64(p + 8);
    if (m->options.reverse) {
        n.high = ~n.high;
        n.low = ~n.low;
    }
    return n;
}

/* The same 16 bytes: the whole rows decide, then the lower stream. */
static bool tied_less(const struct saltkey_merge *m, uint32_t a, uint32_t b)
{
    const struct stream *s = &m->streams[a], *t = &m->streams[b];
    int c;

    if (s->ended || t->ended)
        return s->ended == t->ended ? a < b : !s->ended;
    c = saltkey_compare(s->natural, t->natural);
    if (m->options.reverse)
        c = -c;
    return c < 0 || (c == 0 && a < b);
}

static bool node_less(const struct saltkey_merge *m, const struct node *a, const struct node *b)
{
    if (SALTKEY_UNLIKELY((a->high == b->high) & (a->low == b->low)))
        return tied_less(m, a->leaf, b->leaf);
    return (a->high < b->high) | ((a->high == b->high) & (a->low < b->low));
}

static int fail(struct saltkey_merge *m, int status, size_t source, uint64_t row)
{
    m->failed = status;
    m->failed_source = source;
    m->failed_row = row;
    return status;
}

/* Keeps the natural key of the row that a pull is about to take away. */
static int keep_last(struct saltkey_merge *m, struct stream *s)
{
    if (s->last.cap < s->natural.len) {
        size_t cap = s->natural.len * 2;
        uint8_t *p = saltkey__resize(m->options.allocator, s->last.bytes, cap);

        if (!p)
            return SALTKEY_ENOMEM;
        s->last.bytes = p;
        s->last.cap = cap;
    }
    if (s->natural.len)
        memcpy(s->last.bytes, s->natural.bytes, s->natural.len);
    s->last.len = s->natural.len;
    s->natural = saltkey__used(&s->last);
    return 0;
}

static int pull(struct saltkey_merge *m, uint32_t leaf)
{
    struct stream *s = &m->streams[leaf];
    size_t max = m->options.batch;
    int got, rc;

    rc = s->count ? keep_last(m, s) : 0;
    if (rc < 0)
        return fail(m, rc, leaf, s->taken + s->at);
    s->taken += s->count;
    s->at = s->count = 0;
    got = s->source.pull(s->source.context, s->rows, max);
    if (got < 0 || (size_t)got > max)
        return fail(m, SALTKEY_ESOURCE, leaf, s->taken + 1);
    s->count = (size_t)got;
    s->ended = got == 0;
    return 0;
}

/* The next head of |leaf|; it may not sort before the one it follows. */
static int advance(struct saltkey_merge *m, uint32_t leaf)
{
    struct stream *s = &m->streams[leaf];
    struct saltkey_slice before = s->natural;
    bool first = s->taken + s->count == 0;
    int c;

    s->at++;
    if (s->at >= s->count) {
        int rc = pull(m, leaf);

        if (rc < 0)
            return rc;
        if (s->ended)
            return 0;
        before = s->natural;
    }
    s->natural = natural_of(&m->options, s->rows[s->at].key);
    if (first)
        return 0;
    c = saltkey_compare(before, s->natural);
    if (m->options.reverse ? c < 0 : c > 0)
        return fail(m, SALTKEY_EORDER, leaf, s->taken + s->at + 1);
    return 0;
}

/* Plays |node| from its leaf to the root; losers stay behind, the winner comes out. */
static void replay(struct saltkey_merge *m, struct node node)
{
    size_t i;

    for (i = (node.leaf + m->n) >> 1; i > 0; i >>= 1) {
        struct node *t = &m->tree[i];
        struct node a = *t, b = node;
        bool up = node_less(m, &a, &b);

        t->high = up ? b.high : a.high;
        t->low = up ? b.low : a.low;
        t->leaf = up ? b.leaf : a.leaf;
        node.high = up ? a.high : b.high;
        node.low = up ? a.low : b.low;
        node.leaf = up ? a.leaf : b.leaf;
        m->comparisons++;
    }
    m->winner = node;
}

/* Fills the tree: the winner of each inner node moves up, its loser stays. */
static int begin(struct saltkey_merge *m)
{
    struct node *winners = m->tree + m->n; /* scratch: winners of nodes 1 .. 2n - 1 */
    size_t i;

    for (i = 0; i < m->n; i++) {
        int rc = advance(m, (uint32_t)i);

        if (rc < 0)
            return rc;
        winners[m->n + i] = make_node(m, (uint32_t)i);
    }
    for (i = m->n - 1; i > 0; i--) {
        const struct node *a = &winners[2 * i], *b = &winners[2 * i + 1];
        bool left = node_less(m, a, b);

        winners[i] = left ? *a : *b;
        m->tree[i] = left ? *b : *a;
        m->comparisons++;
    }
    m->winner = winners[1];
    m->begun = true;
    return 0;
}

int saltkey_merge_open(const struct saltkey_source *sources, size_t n,
                       const struct saltkey_merge_options *options, struct saltkey_merge **merge)
{
    static const struct saltkey_merge_options plain;
    const struct saltkey_allocator *allocator = options ? options->allocator : NULL;
    struct saltkey_merge *m;
    size_t i;

    if (n == 0 || n > 1U << 24)
        return SALTKEY_ERANGE;
    m = saltkey__resize(allocator, NULL, sizeof(*m));
    if (!m)
        return SALTKEY_ENOMEM;
    memset(m, 0, sizeof(*m));
    m->options = options ? *options : plain;
    if (m->options.batch == 0)
        m->options.batch = BATCH;
    if (m->options.batch > 1U << 20)
        m->options.batch = 1U << 20;
    m->n = n;
    m->streams = saltkey__resize(allocator, NULL, n * sizeof(*m->streams));
    m->tree = saltkey__resize(allocator, NULL, 3 * n * sizeof(*m->tree));
    m->rows = saltkey__resize(allocator, NULL, n * m->options.batch * sizeof(*m->rows));
    if (m->streams)
        memset(m->streams, 0, n * sizeof(*m->streams));
    if (!m->streams || !m->tree || !m->rows) {
        saltkey_merge_close(m);
        return SALTKEY_ENOMEM;
    }
    for (i = 0; i < n; i++) {
        m->streams[i].source = sources[i];
        m->streams[i].rows = m->rows + i * m->options.batch;
    }
    *merge = m;
    return 0;
}

/* Moves the winner's stream on, once its row has been handed out. */
static int step(struct saltkey_merge *m)
{
    int rc;

    if (!m->begun)
        return begin(m);
    if (!m->pending)
        return 0;
    m->pending = false;
    rc = advance(m, m->winner.leaf);
    if (rc < 0)
        return rc;
    replay(m, make_node(m, m->winner.leaf));
    return 0;
}

int saltkey_merge_next(struct saltkey_merge *m, struct saltkey_row *row, size_t *source)
{
    if (m->failed)
        return m->failed;
    if (m->options.limit && m->handed == m->options.limit)
        return 0;
    for (;;) {
        const struct stream *s;
        int rc = step(m);

        if (rc < 0)
            return rc;
        s = &m->streams[m->winner.leaf];
        if (s->ended)
            return 0;
        m->pending = true;
        if (m->skipped < m->options.offset) {
            m->skipped++;
            continue;
        }
        m->handed++;
        *row = s->rows[s->at];
        if (source)
            *source = m->winner.leaf;
        return 1;
    }
}

void saltkey_merge_error(const struct saltkey_merge *m, size_t *source, uint64_t *row)
{
    *source = m->failed_source;
    *row = m->failed_row;
}

uint64_t saltkey_merge_comparisons(const struct saltkey_merge *m)
{
    return m->comparisons;
}

void saltkey_merge_close(struct saltkey_merge *m)
{
    const struct saltkey_allocator *allocator;
    size_t i;

    if (!m)
        return;
    allocator = m->options.allocator;
    for (i = 0; m->streams && i < m->n; i++)
        if (m->streams[i].last.bytes)
            saltkey__resize(allocator, m->streams[i].last.bytes, 0);
    if (m->streams)
        saltkey__resize(allocator, m->streams, 0);
    if (m->tree)
        saltkey__resize(allocator, m->tree, 0);
    if (m->rows)
        saltkey__resize(allocator, m->rows, 0);
    saltkey__resize(allocator, m, 0);
}
