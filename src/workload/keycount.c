/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows that begin with the time, counted by bucket or sought by it: the innermost loops of the levels
   `tick` and `flow`. Buckets come from libsaltkey, many at a time. */
#include <string.h>

#include "workload/keystream.h"

/* Rows that are hashed and counted together. */
#define BLOCK 2048
/* Counters side by side, so that a bucket that repeats doesn't wait for its own store. */
#define BANKS 4
#define BANK_BUCKETS 256

bool keystream_counts(const struct keystream *ks)
{
    if (!ks->first_known || ks->first_by != KEY_ROLE_TIME || ks->arrivals->late_below > 0 ||
        keystream_hashes_sequence(ks))
        return false;
    return ks->bucket_by == KEY_BUCKET_ONE || (ks->salt_prefix && ks->bucket_by != KEY_BUCKET_BUILD);
}

/* The first row behind those of row |i|'s millisecond, |end| at most. */
static uint64_t next_ms(const struct arrivals *a, struct arrivals_cursor *at, uint64_t i, uint64_t end)
{
    des_time ms_end;
    uint64_t next;

    if (arrivals_gaps_random(a)) {
        ms_end = (arrivals_time_on(a, at, i) / DES_MS + 1) * DES_MS;
        do
            i++;
        while (i < end && arrivals_time_on(a, at, i) < ms_end);
        return i;
    }
    next = arrivals_before(a, (arrivals_time(a, i) / DES_MS + 1) * DES_MS);
    return next < end ? next : end;
}

/* What the time brings to the hash: a block of 256 ms is asked of the library once. */
struct clock {
    int64_t block;
    uint32_t share;
};

static uint32_t share_at(const struct keystream *ks, struct clock *c, uint64_t i)
{
    const int64_t ms = arrivals_event_ms(ks->arrivals, i), block = ms & ~(int64_t)255;

    if (!ks->time_by_blocks)
        return keystream_other_shares(ks, i, ms);
    if (block != c->block)
        *c = (struct clock){block, keystream_other_shares(ks, i, block)};
    return c->share + ks->time_share[ms & 255];
}

/* Bucket of row |i|, where |share| is what the fields besides the entity bring to the hash. */
static inline uint32_t bucket_of(const struct keystream *ks, uint64_t i, uint32_t share)
{
    switch (ks->bucket_by) {
    case KEY_BUCKET_SHARES:
        return saltkey_shares_bucket(&ks->scheme, ks->entity_share[arrivals_entity(ks->arrivals, i)], share);
    case KEY_BUCKET_ENTITY: return ks->entity_bucket[arrivals_entity(ks->arrivals, i)];
    case KEY_BUCKET_GIVEN: return keystream_given_bucket(ks, i);
    default: return 0;
    }
}

/* The first of the bucket's rows in [*row, end), all of one millisecond, whose entities report in turn. */
static bool next_in_turn(const struct keystream *ks, uint32_t bucket, uint32_t share, uint64_t end, uint64_t *row)
{
    const uint64_t entities = ks->arrivals->entities;
    uint64_t e = *row % entities;

    for (uint64_t i = *row; i < end; i++) {
        if (saltkey_shares_bucket(&ks->scheme, ks->entity_share[e], share) == bucket) {
            *row = i;
            return true;
        }
        e = e + 1 < entities ? e + 1 : 0;
    }
    return false;
}

bool keystream_next_of(const struct keystream *ks, uint32_t bucket, uint64_t end, uint64_t *row)
{
    const bool by_shares = ks->bucket_by == KEY_BUCKET_SHARES, in_turn = by_shares && ks->arrivals->in_turn;
    struct clock clock = {INT64_MIN, 0};
    struct arrivals_cursor at;

    at.known = false;
    at.piece = 0;
    if (!keystream_counts(ks))
        return false;
    for (uint64_t i = *row; i < end;) {
        const uint32_t share = by_shares ? share_at(ks, &clock, i) : 0;
        const uint64_t ms_end = by_shares ? next_ms(ks->arrivals, &at, i, end) : end;

        if (in_turn && next_in_turn(ks, bucket, share, ms_end, &i)) {
            *row = i;
            return true;
        }
        for (; i < ms_end && !in_turn; i++) {
            if (bucket_of(ks, i, share) == bucket) {
                *row = i;
                return true;
            }
        }
        i = ms_end;
    }
    return false;
}

/* Hashes that wait to be counted. */
struct block {
    const struct keystream *ks;
    uint64_t *by_bucket;
    size_t n;
    int32_t hash[BLOCK];
    uint32_t bucket[BLOCK];
    uint32_t bank[BANKS][BANK_BUCKETS];
};

/* The batch knows no stray buckets: remainders that have them go one by one. */
static void reduce(struct block *b)
{
    const struct saltkey_mod *mod = &b->ks->scheme.salt.mod;

    if (mod->remainder != SALTKEY_ABS_FIRST && mod->remainder != SALTKEY_TRUNCATED) {
        saltkey_mod_batch(mod, b->hash, b->n, b->bucket);
        return;
    }
    for (size_t k = 0; k < b->n; k++)
        b->bucket[k] = saltkey_mod_bucket(mod, b->hash[k]);
}

static void count_block(struct block *b)
{
    const size_t buckets = keystream_buckets(b->ks);
    size_t k = 0;

    reduce(b);
    if (buckets <= BANK_BUCKETS) {
        for (size_t bank = 0; bank < BANKS; bank++)
            memset(b->bank[bank], 0, buckets * sizeof b->bank[bank][0]);
        for (; k + BANKS <= b->n; k += BANKS)
            for (size_t bank = 0; bank < BANKS; bank++)
                b->bank[bank][b->bucket[k + bank]]++;
        for (size_t bank = 0; bank < BANKS; bank++)
            for (size_t i = 0; i < buckets; i++)
                b->by_bucket[i] += b->bank[bank][i];
    }
    for (; k < b->n; k++)
        b->by_bucket[b->bucket[k]]++;
    b->n = 0;
}

/* Rows [from, to) of one millisecond. */
static void add_rows(struct block *b, uint64_t from, uint64_t to, uint32_t share)
{
    const struct keystream *ks = b->ks;
    const struct arrivals *a = ks->arrivals;
    const uint32_t base = ks->scheme.hash_base + share;

    while (from < to) {
        const uint64_t e = a->in_turn ? from % a->entities : 0;
        const uint64_t turn = a->in_turn ? a->entities - e : to - from;
        size_t len = to - from < turn ? (size_t)(to - from) : (size_t)turn;

        len = len < BLOCK - b->n ? len : BLOCK - b->n;
        for (size_t k = 0; k < len && a->in_turn; k++)
            b->hash[b->n + k] = (int32_t)(base + ks->entity_share[e + k]);
        for (size_t k = 0; k < len && !a->in_turn; k++)
            b->hash[b->n + k] = (int32_t)(base + ks->entity_share[arrivals_draw_entity(a, from + k)]);
        from += len;
        b->n += len;
        if (b->n == BLOCK)
            count_block(b);
    }
}

static void count_by_shares(const struct keystream *ks, uint64_t from, uint64_t to, uint64_t *by_bucket)
{
    struct clock clock = {INT64_MIN, 0};
    struct arrivals_cursor at;
    struct block b;

    at.known = false;
    at.piece = 0;
    b.ks = ks;
    b.by_bucket = by_bucket;
    b.n = 0;
    while (from < to) {
        const uint64_t end = next_ms(ks->arrivals, &at, from, to);

        add_rows(&b, from, end, share_at(ks, &clock, from));
        from = end;
    }
    count_block(&b);
}

bool keystream_count(const struct keystream *ks, uint64_t from, uint64_t to, uint64_t *by_bucket)
{
    if (!keystream_counts(ks))
        return false;
    if (ks->bucket_by == KEY_BUCKET_ONE)
        by_bucket[0] += to - from;
    else if (ks->bucket_by == KEY_BUCKET_SHARES)
        count_by_shares(ks, from, to, by_bucket);
    else
        for (uint64_t i = from; i < to; i++)
            by_bucket[bucket_of(ks, i, 0)]++;
    return true;
}
