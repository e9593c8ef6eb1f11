/* SPDX-License-Identifier: Apache-2.0 */
/* N sorted streams to one, in natural-key order: a loser tree whose nodes carry the first 24 bytes
   of each stream's natural key. For keys of up to 24 bytes a comparison is one subtraction with
   borrow over four words and the swap has no branch; rows are only looked at beyond that. */
#include "internal.h"

/* No compiler at hand makes the borrow chain from C. */
#if defined(__x86_64__) && defined(__LP64__) && defined(__GNUC__)
#define BORROW_CHAIN 1
#endif

#define BATCH 64
#define MOST (1U << 24) /* streams, and rows in all batches together */
#define AHEAD 8  /* rows of a stream that are fetched before their turn */
#define CACHED 24 /* bytes of a natural key in a node */

/* A stream's head as the tree sees it: 24 bytes of key padded with zeros, then its length + 1 (26 for
   all that is longer) and the stream, so that words alone give a total order for short keys.
   Reversed merges hold the complement of key and length; an ended stream all ones, which no row has. */
struct node {
    uint64_t word[4];
};

struct stream {
    struct saltkey_source source;
    struct saltkey_row *rows; /* the batch */
    size_t at, count;
    uint64_t taken;           /* rows of earlier batches */
    struct saltkey_slice natural; /* of the head row */
    bool ended;
};

struct saltkey_merge {
    struct saltkey_merge_options options;
    size_t n;
    uint64_t source_limit;
    struct stream *streams;
    struct node *heads;       /* each stream's head */
    uint32_t *tree;           /* streams that lost, at 1 .. n - 1 */
    uint32_t winner;
    struct node before;       /* the row handed out last */
    struct saltkey_row *rows; /* all batches */
    uint64_t handed, skipped, comparisons, duplicates;
    bool begun, pending, long_keys, duplicate;
    int failed;
    size_t failed_source;
    uint64_t failed_row;
    struct saltkey_buf before_key; /* of the row handed out last, where keys are long */
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
    return saltkey__slice(skip ? row.bytes + skip : row.bytes, row.len - skip);
}

static inline uint32_t leaf_of(const struct node *n)
{
    return (uint32_t)n->word[3];
}

/* Shorter than 25 bytes, or not (reversed: the complement). */
static inline bool is_long(const struct saltkey_merge *m, const struct node *n)
{
    uint32_t len = (uint32_t)(n->word[3] >> 32);

    return (m->options.reverse ? (uint32_t)~len : len) == CACHED + 2;
}

static inline uint64_t load_be64(const uint8_t *p)
{
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 | (uint64_t)p[3] << 32 |
           (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 | (uint64_t)p[6] << 8 | p[7];
}

/* Word by word: a copy through wide registers would wait for the narrow stores before it. */
static inline void copy_node(struct node *to, const struct node *from)
{
    to->word[0] = from->word[0];
    to->word[1] = from->word[1];
    to->word[2] = from->word[2];
    to->word[3] = from->word[3];
}

/* The head of |leaf| as a node; an ended stream comes after everything. */
static inline void make_node(const struct saltkey_merge *m, uint32_t leaf, struct node *n)
{
    const struct stream *s = &m->streams[leaf];
    uint64_t flip = m->options.reverse ? UINT64_MAX : 0;
    uint8_t padded[CACHED] = {0};
    const uint8_t *p = s->natural.bytes;
    uint32_t len = s->natural.len > CACHED ? CACHED + 2 : (uint32_t)s->natural.len + 1;

    if (SALTKEY_UNLIKELY(s->ended)) {
        n->word[0] = n->word[1] = n->word[2] = UINT64_MAX;
        n->word[3] = UINT64_C(0xffffffff00000000) | leaf;
        return;
    }
    if (SALTKEY_UNLIKELY(s->natural.len < CACHED)) {
        if (s->natural.len)
            memcpy(padded, p, s->natural.len);
        p = padded;
    }
    n->word[0] = load_be64(p) ^ flip;
    n->word[1] = load_be64(p + 8) ^ flip;
    n->word[2] = load_be64(p + 16) ^ flip;
    n->word[3] = (uint64_t)((uint32_t)flip ^ len) << 32 | leaf;
}

/* All ones where |t| comes before the four words, else 0: the borrow of a 256-bit subtraction. */
static inline uint64_t words_less(const struct node *t, uint64_t w0, uint64_t w1, uint64_t w2, uint64_t w3)
{
#ifdef BORROW_CHAIN
    uint64_t s;

    __asm__("cmpq %[w3], 24(%[t])\n\t"
            "movq 16(%[t]), %[s]\n\t"
            "sbbq %[w2], %[s]\n\t"
            "movq 8(%[t]), %[s]\n\t"
            "sbbq %[w1], %[s]\n\t"
            "movq (%[t]), %[s]\n\t"
            "sbbq %[w0], %[s]\n\t"
            "sbbq %[s], %[s]"
            : [s] "=&r"(s)
            : [t] "r"(t), [w0] "r"(w0), [w1] "r"(w1), [w2] "r"(w2), [w3] "r"(w3), "m"(*t)
            : "cc");
    return s;
#else
    bool less = t->word[3] < w3;

    less = (t->word[2] < w2) | ((t->word[2] == w2) & less);
    less = (t->word[1] < w1) | ((t->word[1] == w1) & less);
    less = (t->word[0] < w0) | ((t->word[0] == w0) & less);
    return 0 - (uint64_t)less;
#endif
}

static inline bool node_less(const struct node *a, const struct node *b)
{
    return words_less(a, b->word[0], b->word[1], b->word[2], b->word[3]) != 0;
}

static inline bool same_cached(const struct node *a, const struct node *b)
{
    return ((a->word[0] ^ b->word[0]) | (a->word[1] ^ b->word[1]) | (a->word[2] ^ b->word[2])) == 0;
}

/* The order where long keys occur: equal in 24 bytes, the rows decide, then the lower stream. */
static bool rows_less(const struct saltkey_merge *m, const struct node *a, const struct node *b)
{
    int c;

    if (!same_cached(a, b) || !is_long(m, a) || !is_long(m, b))
        return node_less(a, b);
    c = saltkey_compare(m->streams[leaf_of(a)].natural, m->streams[leaf_of(b)].natural);
    if (m->options.reverse)
        c = -c;
    return c < 0 || (c == 0 && leaf_of(a) < leaf_of(b));
}

static int fail(struct saltkey_merge *m, int status, size_t source, uint64_t row)
{
    m->failed = status;
    m->failed_source = source;
    m->failed_row = row;
    return status;
}

static int keep(struct saltkey_merge *m, struct saltkey_buf *room, struct saltkey_slice key)
{
    if (room->cap < key.len) {
        uint8_t *p = saltkey__resize(m->options.allocator, room->bytes, key.len * 2);

        if (!p)
            return SALTKEY_ENOMEM;
        room->bytes = p;
        room->cap = key.len * 2;
    }
    memcpy(room->bytes, key.bytes, key.len);
    room->len = key.len;
    return 0;
}

static int pull(struct saltkey_merge *m, uint32_t leaf)
{
    struct stream *s = &m->streams[leaf];
    uint64_t left = m->source_limit - s->taken - s->count;
    size_t max = left < m->options.batch ? (size_t)left : m->options.batch;
    int got = 0;

    s->taken += s->count;
    s->at = s->count = 0;
    if (max > 0)
        got = s->source.pull(s->source.context, s->rows, max);
    if (got < 0 || (size_t)got > max)
        return fail(m, SALTKEY_ESOURCE, leaf, s->taken + 1);
    s->count = (size_t)got;
    s->ended = got == 0;
    return 0;
}

/* Makes the next row of |leaf| its head. */
static inline int advance(struct saltkey_merge *m, uint32_t leaf)
{
    struct stream *s = &m->streams[leaf];

    if (++s->at >= s->count) {
        int rc = pull(m, leaf);

        if (rc < 0)
            return rc;
    }
    if (s->at + AHEAD < s->count)
        SALTKEY_PREFETCH(s->rows[s->at + AHEAD].key.bytes);
    if (!s->ended) {
        s->natural = natural_of(&m->options, s->rows[s->at].key);
        m->long_keys |= s->natural.len > CACHED;
    }
    make_node(m, leaf, &m->heads[leaf]);
    return 0;
}

/* Plays |leaf| from its place to the root; losers stay behind, the winner comes out. Which side wins
   can't be predicted: the choice is made by masks on words in registers. */
static void replay_short(struct saltkey_merge *m, uint32_t leaf)
{
    const struct node *heads = m->heads;
    uint64_t w0 = heads[leaf].word[0], w1 = heads[leaf].word[1], w2 = heads[leaf].word[2];
    uint64_t w3 = heads[leaf].word[3], played = 0;
    uint32_t *tree = m->tree;
    size_t i;

    for (i = (leaf + m->n) >> 1; i > 0; i >>= 1, played++) {
        uint32_t other = tree[i];
        const struct node *t = &heads[other];
        uint64_t up = words_less(t, w0, w1, w2, w3);

        tree[i] = other ^ ((other ^ (uint32_t)w3) & (uint32_t)up);
        w0 ^= (w0 ^ t->word[0]) & up;
        w1 ^= (w1 ^ t->word[1]) & up;
        w2 ^= (w2 ^ t->word[2]) & up;
        w3 ^= (w3 ^ t->word[3]) & up;
    }
    m->comparisons += played;
    m->winner = (uint32_t)w3;
}

static void replay_long(struct saltkey_merge *m, uint32_t leaf)
{
    size_t i;

    for (i = (leaf + m->n) >> 1; i > 0; i >>= 1) {
        uint32_t other = m->tree[i];

        if (rows_less(m, &m->heads[other], &m->heads[leaf])) {
            m->tree[i] = leaf;
            leaf = other;
        }
        m->comparisons++;
    }
    m->winner = leaf;
}

/* Fills the tree: the winner of each inner node moves up, its loser stays. */
static int begin(struct saltkey_merge *m)
{
    uint32_t *winners = m->tree + m->n; /* scratch: winners of nodes 1 .. 2n - 1 */
    size_t i;

    for (i = 0; i < m->n; i++) {
        int rc = advance(m, (uint32_t)i);

        if (rc < 0)
            return rc;
        winners[m->n + i] = (uint32_t)i;
    }
    for (i = m->n - 1; i > 0; i--) {
        uint32_t a = winners[2 * i], b = winners[2 * i + 1];
        bool left = rows_less(m, &m->heads[a], &m->heads[b]);

        winners[i] = left ? a : b;
        m->tree[i] = left ? b : a;
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

    if (n == 0 || n > MOST)
        return SALTKEY_ERANGE;
    m = saltkey__resize(allocator, NULL, sizeof(*m));
    if (!m)
        return SALTKEY_ENOMEM;
    memset(m, 0, sizeof(*m));
    m->options = options ? *options : plain;
    if (m->options.batch == 0)
        m->options.batch = BATCH;
    if (m->options.batch > MOST / n)
        m->options.batch = MOST / n;
    m->n = n;
    m->source_limit = m->options.source_limit;
    if (!m->source_limit) /* no stream can give more rows than are handed out, unless some are dropped */
        m->source_limit = m->options.limit && !m->options.drop_duplicates &&
                                  m->options.limit <= UINT64_MAX - m->options.offset
                              ? m->options.limit + m->options.offset : UINT64_MAX;
    m->streams = saltkey__resize(allocator, NULL, n * sizeof(*m->streams));
    m->heads = saltkey__resize(allocator, NULL, n * sizeof(*m->heads));
    m->tree = saltkey__resize(allocator, NULL, 3 * n * sizeof(*m->tree));
    m->rows = saltkey__resize(allocator, NULL, n * m->options.batch * sizeof(*m->rows));
    if (m->streams)
        memset(m->streams, 0, n * sizeof(*m->streams));
    if (!m->streams || !m->heads || !m->tree || !m->rows) {
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

/* The row handed out last and the winner now. A stream that isn't sorted shows here: its next row comes
   before the one just handed out, hence before all other heads, and so it has won. */
static int check_order(struct saltkey_merge *m)
{
    const struct node *now = &m->heads[m->winner], *b = &m->before;
    const struct stream *s = &m->streams[m->winner];
    bool back = words_less(now, b->word[0], b->word[1], b->word[2], b->word[3] & ~UINT64_C(0xffffffff)) != 0;
    bool same = same_cached(now, b) && now->word[3] >> 32 == b->word[3] >> 32;

    m->duplicate = same;
    if (SALTKEY_UNLIKELY(same) && is_long(m, now)) {
        int c = saltkey_compare(s->natural, saltkey__used(&m->before_key));

        m->duplicate = c == 0;
        back = m->options.reverse ? c > 0 : c < 0;
    }
    if (SALTKEY_UNLIKELY(back))
        return fail(m, SALTKEY_EORDER, m->winner, s->taken + s->at + 1);
    return 0;
}

/* Moves the winner's stream on, once its row has been handed out. */
static inline int step(struct saltkey_merge *m)
{
    int rc;

    if (!m->begun)
        return begin(m);
    if (!m->pending)
        return 0;
    m->pending = false;
    copy_node(&m->before, &m->heads[m->winner]);
    if (m->long_keys && is_long(m, &m->before) && keep(m, &m->before_key, m->streams[m->winner].natural) < 0)
        return fail(m, SALTKEY_ENOMEM, m->winner, 0);
    rc = advance(m, m->winner);
    if (rc < 0)
        return rc;
    if (m->long_keys)
        replay_long(m, m->winner);
    else
        replay_short(m, m->winner);
    return check_order(m);
}

int saltkey_merge_next(struct saltkey_merge *m, struct saltkey_row *row, size_t *source)
{
    if (m->failed)
        return m->failed;
    if (m->options.limit && m->handed == m->options.limit)
        return 0;
    for (;;) {
        uint32_t leaf;
        const struct stream *s;
        int rc = step(m);

        if (rc < 0)
            return rc;
        leaf = m->winner;
        s = &m->streams[leaf];
        if (s->ended)
            return 0;
        m->pending = true;
        m->duplicates += m->duplicate;
        if (m->duplicate && m->options.drop_duplicates)
            continue;
        if (m->skipped < m->options.offset) {
            m->skipped++;
            continue;
        }
        m->handed++;
        *row = s->rows[s->at];
        if (source)
            *source = leaf;
        return 1;
    }
}

bool saltkey_merge_is_duplicate(const struct saltkey_merge *m)
{
    return m->duplicate;
}

uint64_t saltkey_merge_duplicates(const struct saltkey_merge *m)
{
    return m->duplicates;
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

    if (!m)
        return;
    allocator = m->options.allocator;
    if (m->before_key.bytes)
        saltkey__resize(allocator, m->before_key.bytes, 0);
    if (m->streams)
        saltkey__resize(allocator, m->streams, 0);
    if (m->heads)
        saltkey__resize(allocator, m->heads, 0);
    if (m->tree)
        saltkey__resize(allocator, m->tree, 0);
    if (m->rows)
        saltkey__resize(allocator, m->rows, 0);
    saltkey__resize(allocator, m, 0);
}
