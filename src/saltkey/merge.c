/* SPDX-License-Identifier: Apache-2.0 */
/* N sorted streams to one, in natural-key order: a loser tree over nodes that carry the first 24 bytes
   of each stream's natural key. For keys of up to 24 bytes a comparison is a subtraction with borrow
   over a few words and the swap has no branch; rows are only looked at beyond that. What a row costs
   is the way from one winner to the next: so each stream's next node is made ready a row ahead. */
#include "internal.h"

/* No compiler at hand makes the borrow chain from C. */
#if defined(__x86_64__) && defined(__LP64__) && defined(__GNUC__)
#define BORROW_CHAIN 1
#endif

#define BATCH 64
#define MOST (1U << 24) /* streams, and rows in all batches together */
#define AHEAD 8   /* rows of a stream that are fetched before their turn */
#define LINE 64   /* bytes of a cache line */
#define CACHED 24 /* bytes of a natural key in a node */

/* A stream's head as the tree sees it: 24 bytes of key padded with zeros, then its length + 1 (26 for
   all that is longer) and the stream, so that words alone give a total order for short keys.
   Reversed merges hold the complement of key and length; an ended stream all ones, which no row has. */
struct node {
    uint64_t word[4];
};

/* A stream. The nodes of its head and of the row behind it (where that is in the batch already) share
   a cache line: that is all that other streams' turns look at. */
struct leaf {
    _Alignas(LINE) struct node head;
    struct node next;
    struct saltkey_row *at, *end; /* the head's row, and the batch's end */
    struct saltkey_row *rows;     /* the batch */
    size_t place;                 /* in the tree: n .. 2n - 1 */
    struct saltkey_source source;
    uint64_t taken;               /* rows of earlier batches */
    bool ended;
};

struct saltkey_merge {
    struct saltkey_merge_options options;
    size_t n;
    uint64_t source_limit, left, to_skip; /* rows still to hand out, and to leave out before */
    struct leaf *leaves;
    void *leaves_room;        /* where they were allocated: before the first whole line */
    struct leaf **tree;       /* streams that lost, at 1 .. n - 1 */
    struct leaf *winner;
    struct node before;       /* the row handed out last, as of a stream above all */
    struct saltkey_row *rows; /* all batches */
    size_t length;            /* of the natural keys so far, while |mixed| is false */
    uint64_t comparisons, duplicates;
    bool begun, pending, duplicate;
    bool unsalted;            /* a row was seen that doesn't hold its salt */
    bool mixed;               /* three words don't tell all keys apart: other lengths, or all ones */
    bool long_keys;           /* nor do four */
    int failed;
    size_t failed_source;
    uint64_t failed_row;
    struct saltkey_buf before_key; /* of the row handed out last, where keys are long */
};

/* Whether the row isn't as long as its salt, or has no end of one. */
static bool lacks_salt(const struct saltkey_merge_options *o, struct saltkey_slice row)
{
    return o->skip_through ? row.len == 0 || !memchr(row.bytes, o->delimiter, row.len) : row.len < o->skip;
}

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

/* A natural key that isn't as long as a node has room for, or not as long as those before. */
static struct saltkey_slice fit_key(struct saltkey_merge *m, struct saltkey_slice natural, uint8_t *padded)
{
    m->mixed |= (m->length != SIZE_MAX && natural.len != m->length) || natural.len > CACHED;
    m->length = natural.len;
    m->long_keys |= natural.len > CACHED;
    if (natural.len >= CACHED)
        return natural;
    memset(padded, 0, CACHED);
    if (natural.len)
        memcpy(padded, natural.bytes, natural.len);
    return saltkey__slice(padded, CACHED);
}

/* A row's natural key as a node of |l|. */
static inline void make_node(struct saltkey_merge *m, const struct leaf *l, const struct saltkey_row *row, struct node *n)
{
    uint64_t flip = m->options.reverse ? UINT64_MAX : 0;
    struct saltkey_slice key = row->key;
    uint8_t padded[CACHED];
    uint32_t len;

    if (SALTKEY_UNLIKELY(m->options.skip_through || m->options.skip > key.len)) {
        key = natural_of(&m->options, key);
        m->unsalted |= key.len == 0 && lacks_salt(&m->options, row->key);
    } else if (m->options.skip) {
        key = saltkey__slice(key.bytes + m->options.skip, key.len - m->options.skip);
    }
    len = key.len > CACHED ? CACHED + 2 : (uint32_t)key.len + 1;
    if (SALTKEY_UNLIKELY(key.len != CACHED || key.len != m->length))
        key = fit_key(m, key, padded);
    n->word[0] = load_be64(key.bytes) ^ flip;
    n->word[1] = load_be64(key.bytes + 8) ^ flip;
    n->word[2] = load_be64(key.bytes + 16) ^ flip;
    n->word[3] = (uint64_t)((uint32_t)flip ^ len) << 32 | (uint32_t)(l - m->leaves);
    if (SALTKEY_UNLIKELY(n->word[0] == UINT64_MAX)) /* looks like an ended stream */
        m->mixed = true;
}

/* Whether |t| comes before the four words: the borrow of a 256-bit subtraction. */
static inline bool words_less(const struct node *t, uint64_t w0, uint64_t w1, uint64_t w2, uint64_t w3)
{
#ifdef BORROW_CHAIN
    uint64_t s;
    bool less;

    __asm__("cmpq %[w3], 24(%[t])\n\t"
            "movq 16(%[t]), %[s]\n\t"
            "sbbq %[w2], %[s]\n\t"
            "movq 8(%[t]), %[s]\n\t"
            "sbbq %[w1], %[s]\n\t"
            "movq (%[t]), %[s]\n\t"
            "sbbq %[w0], %[s]\n\t"
            "setc %[less]"
            : [s] "=&r"(s), [less] "=r"(less)
            : [t] "r"(t), [w0] "r"(w0), [w1] "r"(w1), [w2] "r"(w2), [w3] "r"(w3), "m"(*t)
            : "cc");
    return less;
#else
    bool less = t->word[3] < w3;

    less = (t->word[2] < w2) | ((t->word[2] == w2) & less);
    less = (t->word[1] < w1) | ((t->word[1] == w1) & less);
    return (t->word[0] < w0) | ((t->word[0] == w0) & less);
#endif
}

static inline bool same_cached(const struct node *a, const struct node *b)
{
    return ((a->word[0] ^ b->word[0]) | (a->word[1] ^ b->word[1]) | (a->word[2] ^ b->word[2])) == 0;
}

static struct saltkey_slice head_key(const struct saltkey_merge *m, const struct leaf *l)
{
    return natural_of(&m->options, l->at->key);
}

/* The order where long keys occur: equal in 24 bytes, the rows decide, then the lower stream. */
static bool rows_less(const struct saltkey_merge *m, const struct leaf *a, const struct leaf *b)
{
    const struct node *w = &b->head;
    int c;

    if (!same_cached(&a->head, w) || !is_long(m, &a->head) || !is_long(m, w))
        return words_less(&a->head, w->word[0], w->word[1], w->word[2], w->word[3]);
    c = saltkey_compare(head_key(m, a), head_key(m, b));
    if (m->options.reverse)
        c = -c;
    return c < 0 || (c == 0 && a < b);
}

static int fail(struct saltkey_merge *m, int status, const struct leaf *l, uint64_t row)
{
    m->failed = status;
    m->failed_source = (size_t)(l - m->leaves);
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

/* Makes ready what the stream shows next. */
static inline void look_ahead(struct saltkey_merge *m, struct leaf *l)
{
    if (l->end - l->at > AHEAD)
        SALTKEY_PREFETCH(l->at[AHEAD].key.bytes);
    if (l->end - l->at > 1)
        make_node(m, l, l->at + 1, &l->next);
}

/* The stream's next batch: its first row is |next| then. An ended stream comes after everything. */
static int pull(struct saltkey_merge *m, struct leaf *l)
{
    size_t had = (size_t)(l->end - l->rows), max = m->options.batch, k;
    uint64_t left = m->source_limit - l->taken - had;
    int got = 0;

    l->taken += had;
    l->at = l->end = l->rows;
    if (left < max)
        max = (size_t)left;
    if (max > 0)
        got = l->source.pull(l->source.context, l->rows, max);
    if (got < 0 || (size_t)got > max)
        return fail(m, SALTKEY_ESOURCE, l, l->taken + 1);
    l->end = l->rows + got;
    l->ended = got == 0;
    if (l->ended) {
        l->next.word[0] = l->next.word[1] = l->next.word[2] = UINT64_MAX;
        l->next.word[3] = UINT64_C(0xffffffff00000000) | (uint32_t)(l - m->leaves);
        return 0;
    }
    for (k = 1; k <= AHEAD && k < (size_t)got; k++)
        SALTKEY_PREFETCH(l->rows[k].key.bytes);
    make_node(m, l, l->rows, &l->next);
    return 0;
}

/* Plays the stream from its place to the root; losers stay behind, the winner comes out. Which side
   wins can't be predicted: so nothing branches on it, and the lesser one's words move up in registers.
   Where keys are of one length, three words and the side that a stream comes from are the order: the
   left one's streams are the lower ones. False where the winner's key isn't above the one before. */
static inline bool replay_even(struct saltkey_merge *m, struct leaf *l)
{
    uint64_t w0 = l->next.word[0], w1 = l->next.word[1], w2 = l->next.word[2];
    struct leaf **tree = m->tree, *winner = l;
    size_t at = l->place;
    uint64_t played = 0;

    while (at > 1) {
#ifdef BORROW_CHAIN
        struct leaf *other, *loser = winner;
        uint64_t s;

        __asm__("shrq %[at]\n\t" /* carry: from the right, so the other one wins a tie */
                "movq (%[tree],%[at],8), %[other]\n\t"
                "movq 16(%[other]), %[s]\n\t"
                "sbbq %[w2], %[s]\n\t"
                "movq 8(%[other]), %[s]\n\t"
                "sbbq %[w1], %[s]\n\t"
                "movq (%[other]), %[s]\n\t"
                "sbbq %[w0], %[s]\n\t"
                "cmovcq 16(%[other]), %[w2]\n\t"
                "cmovcq 8(%[other]), %[w1]\n\t"
                "cmovcq (%[other]), %[w0]\n\t"
                "cmovcq %[other], %[winner]\n\t"
                "cmovncq %[other], %[loser]\n\t"
                "movq %[loser], (%[tree],%[at],8)"
                : [s] "=&r"(s), [w0] "+&r"(w0), [w1] "+&r"(w1), [w2] "+&r"(w2), [winner] "+&r"(winner),
                  [loser] "+&r"(loser), [other] "=&r"(other), [at] "+&r"(at)
                : [tree] "r"(tree)
                : "cc", "memory");
#else
        bool less = at & 1;
        struct leaf *other = tree[at >>= 1], *both[2] = {other, winner};
        const struct node *t = &other->head;
        uint64_t up;

        less = (t->word[2] < w2) | ((t->word[2] == w2) & less);
        less = (t->word[1] < w1) | ((t->word[1] == w1) & less);
        less = (t->word[0] < w0) | ((t->word[0] == w0) & less);
        up = 0 - (uint64_t)less;
        w0 ^= (w0 ^ t->word[0]) & up;
        w1 ^= (w1 ^ t->word[1]) & up;
        w2 ^= (w2 ^ t->word[2]) & up;
        tree[at] = both[less];
        winner = both[!less];
#endif
        played++;
    }
    m->comparisons += played;
    m->winner = winner;
    return words_less(&m->before, w0, w1, w2, winner->head.word[3]);
}

/* The same where keys differ in length: four words are the order. */
static bool replay_mixed(struct saltkey_merge *m, struct leaf *l)
{
    uint64_t w0 = l->head.word[0], w1 = l->head.word[1], w2 = l->head.word[2], w3 = l->head.word[3];
    size_t at;

    for (at = l->place >> 1; at > 0; at >>= 1) {
        struct leaf *both[2] = {m->tree[at], l};
        const struct node *t = &both[0]->head;
        bool less = words_less(t, w0, w1, w2, w3);
        uint64_t up = 0 - (uint64_t)less;

        w0 ^= (w0 ^ t->word[0]) & up;
        w1 ^= (w1 ^ t->word[1]) & up;
        w2 ^= (w2 ^ t->word[2]) & up;
        w3 ^= (w3 ^ t->word[3]) & up;
        m->tree[at] = both[less];
        l = both[!less];
        m->comparisons++;
    }
    m->winner = l;
    return words_less(&m->before, w0, w1, w2, w3);
}

static bool replay_long(struct saltkey_merge *m, struct leaf *l)
{
    const struct node *now, *b = &m->before;
    size_t at;

    for (at = l->place >> 1; at > 0; at >>= 1) {
        struct leaf *other = m->tree[at];

        if (rows_less(m, other, l)) {
            m->tree[at] = l;
            l = other;
        }
        m->comparisons++;
    }
    m->winner = l;
    now = &l->head;
    return !(same_cached(now, b) && is_long(m, now) && is_long(m, b)) &&
           words_less(b, now->word[0], now->word[1], now->word[2], now->word[3]);
}

/* Fills the tree: the winner of each inner node moves up, its loser stays. */
static int begin(struct saltkey_merge *m)
{
    struct leaf **winners = m->tree + m->n; /* scratch: winners of nodes 1 .. 2n - 1 */
    size_t i;

    for (i = 0; i < m->n; i++) {
        struct leaf *l = &m->leaves[i];
        int rc = pull(m, l);

        if (rc < 0)
            return rc;
        copy_node(&l->head, &l->next);
        look_ahead(m, l);
        winners[l->place] = l;
    }
    for (i = m->n - 1; i > 0; i--) {
        struct leaf *a = winners[2 * i], *b = winners[2 * i + 1];
        bool left = rows_less(m, a, b);

        winners[i] = left ? a : b;
        m->tree[i] = left ? b : a;
        m->comparisons++;
    }
    m->winner = winners[1];
    m->begun = true;
    return 0;
}

/* The tree's lowest level may be partly filled: its places come first, so that from left to right
   the streams stand in their order. */
static void place_leaves(struct saltkey_merge *m, const struct saltkey_source *sources)
{
    size_t lowest = 1, i;

    while (lowest < m->n)
        lowest *= 2;
    memset(m->leaves, 0, m->n * sizeof(*m->leaves));
    for (i = 0; i < m->n; i++) {
        struct leaf *l = &m->leaves[i];

        l->place = i + lowest < 2 * m->n ? i + lowest : i + lowest - m->n;
        l->source = sources[i];
        l->at = l->end = l->rows = m->rows + i * m->options.batch;
    }
}

int saltkey_merge_open(const struct saltkey_source *sources, size_t n,
                       const struct saltkey_merge_options *options, struct saltkey_merge **merge)
{
    static const struct saltkey_merge_options plain;
    const struct saltkey_allocator *allocator = options ? options->allocator : NULL;
    struct saltkey_merge *m;

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
    m->length = SIZE_MAX;
    m->left = m->options.limit ? m->options.limit : UINT64_MAX;
    m->to_skip = m->options.offset;
    m->source_limit = m->options.source_limit;
    if (!m->source_limit) /* no stream can give more rows than are handed out, unless some are dropped */
        m->source_limit = m->options.limit && !m->options.drop_duplicates &&
                                  m->options.limit <= UINT64_MAX - m->options.offset
                              ? m->options.limit + m->options.offset : UINT64_MAX;
    m->leaves_room = saltkey__resize(allocator, NULL, n * sizeof(*m->leaves) + LINE);
    m->tree = saltkey__resize(allocator, NULL, 3 * n * sizeof(*m->tree));
    m->rows = saltkey__resize(allocator, NULL, n * m->options.batch * sizeof(*m->rows));
    if (!m->leaves_room || !m->tree || !m->rows) {
        saltkey_merge_close(m);
        return SALTKEY_ENOMEM;
    }
    m->leaves = (struct leaf *)(void *)((uint8_t *)m->leaves_room + LINE - (uintptr_t)m->leaves_room % LINE);
    place_leaves(m, sources);
    *merge = m;
    return 0;
}

/* Of the stream's head, from 1. */
static uint64_t row_number(const struct leaf *l)
{
    return l->taken + (uint64_t)(l->at - l->rows) + 1;
}

/* The winner's key isn't above that of the row handed out last: it is the same, or the stream isn't
   sorted. Such a stream shows here: its next row comes before the one just handed out, hence before
   all other heads, and so it has won. */
static int look_back(struct saltkey_merge *m)
{
    const struct leaf *l = m->winner;
    const struct node *now = &l->head, *b = &m->before;
    bool same = same_cached(now, b) && now->word[3] >> 32 == b->word[3] >> 32, back = !same;

    m->duplicate = same;
    if (same && is_long(m, now)) {
        int c = saltkey_compare(head_key(m, l), saltkey__used(&m->before_key));

        m->duplicate = c == 0;
        back = m->options.reverse ? c > 0 : c < 0;
    }
    if (back)
        return fail(m, lacks_salt(&m->options, l->at->key) ? SALTKEY_EKEY : SALTKEY_EORDER, l, row_number(l));
    m->duplicates += m->duplicate;
    return 0;
}

/* Moves the winner's stream on, once its row has been handed out. */
static inline int step(struct saltkey_merge *m)
{
    struct leaf *l = m->winner;
    bool above;

    if (SALTKEY_UNLIKELY(!m->begun))
        return begin(m);
    if (SALTKEY_UNLIKELY(!m->pending))
        return 0;
    m->pending = m->duplicate = false;
    copy_node(&m->before, &l->head);
    m->before.word[3] |= 0xffffffff;
    if (m->long_keys && is_long(m, &m->before) && keep(m, &m->before_key, head_key(m, l)) < 0)
        return fail(m, SALTKEY_ENOMEM, l, 0);
    if (SALTKEY_UNLIKELY(++l->at >= l->end) && pull(m, l) < 0)
        return m->failed;
    copy_node(&l->head, &l->next);
    if (SALTKEY_UNLIKELY(m->mixed))
        above = m->long_keys ? replay_long(m, l) : replay_mixed(m, l);
    else
        above = replay_even(m, l);
    look_ahead(m, l);
    return SALTKEY_UNLIKELY(!above) ? look_back(m) : 0;
}

int saltkey_merge_next(struct saltkey_merge *m, struct saltkey_row *row, size_t *source)
{
    const struct leaf *l;

    if (SALTKEY_UNLIKELY(m->failed || m->left == 0))
        return m->failed;
    for (;;) {
        int rc = step(m);

        if (SALTKEY_UNLIKELY(rc < 0))
            return rc;
        l = m->winner;
        if (SALTKEY_UNLIKELY(l->ended))
            return 0;
        if (SALTKEY_UNLIKELY(m->unsalted) && lacks_salt(&m->options, l->at->key))
            return fail(m, SALTKEY_EKEY, l, row_number(l));
        m->pending = true;
        if (SALTKEY_UNLIKELY(m->duplicate) && m->options.drop_duplicates)
            continue;
        if (SALTKEY_UNLIKELY(m->to_skip > 0)) {
            m->to_skip--;
            continue;
        }
        break;
    }
    m->left--;
    *row = *l->at;
    if (source)
        *source = (size_t)(l - m->leaves);
    return 1;
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
    if (m->leaves_room)
        saltkey__resize(allocator, m->leaves_room, 0);
    if (m->tree)
        saltkey__resize(allocator, m->tree, 0);
    if (m->rows)
        saltkey__resize(allocator, m->rows, 0);
    saltkey__resize(allocator, m, 0);
}
