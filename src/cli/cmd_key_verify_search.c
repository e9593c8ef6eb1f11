/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search behind `key verify`: every known hash, remainder, input and N against pairs of key and
   salt. A sample of the rows sorts out nearly all; the rest see every row. */
#include "cli/cmd_key_verify.h"

#include <stdlib.h>
#include <string.h>

#define N_MOST 256           /* N is tried up to here where --buckets doesn't say */
#define SUBSETS_OF 4         /* up to so many fields every choice of them is tried, else each alone */
#define SAMPLE 64            /* rows, evenly spaced, that every candidate sees */
#define SLACK 2              /* more differing rows than the best in the sample are forgiven */

static const char *const hashes[] = {
    "arrays-hash", "string-hash", "murmur3", "murmur", "murmur2", "jenkins", "crc32", "crc32c", "md5",
    "sha256", "xxh32", "xxh64", "xxh3", "murmur3 seed 0", "murmur seed 0", "murmur2 seed 0", "jenkins seed 0",
    "fold",
};
static const char *const remainders[] = {"floorMod", "abs", "absFirst", "unsigned", "truncated"};
/* How the salt stands in a stored row; beside a key it is a number, and the narrowest will do. */
static const char *const prefixes[] = {"bytes 1", "hex 2", "dec 4", "bytes 4"};
static const char *const digests[] = {"md5hex 1", "md5hex 2", "md5hex 3", "md5hex 4", "md5hex 8",
                                      "sha256hex 1", "sha256hex 2", "sha256hex 4", "sha256hex 8"};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define DIGEST 255           /* in |hash|: |remainder| is a row of digests */

void verify_words(const struct verify_candidate *c, char text[VERIFY_WORDS_CAP])
{
    const char *hash, *seed;

    if (c->hash == DIGEST) {
        snprintf(text, VERIFY_WORDS_CAP, "%s", digests[c->remainder]);
        return;
    }
    hash = hashes[c->hash];
    seed = strchr(hash, ' ');
    snprintf(text, VERIFY_WORDS_CAP, "%.*s %s%s%s%s", (int)strcspn(hash, " "), hash, remainders[c->remainder],
             seed ? seed : "", c->prefix == 0 ? "" : " ", c->prefix == 0 ? "" : prefixes[c->prefix]);
}

static bool add(struct verify *v, const struct verify_candidate *c)
{
    if (v->len == v->cap) {
        size_t cap = v->cap ? 2 * v->cap : 4096;
        struct verify_candidate *more = realloc(v->all, cap * sizeof *more);

        if (!more)
            return false;
        v->all = more;
        v->cap = cap;
    }
    v->all[v->len++] = *c;
    return true;
}

/* A salt over each choice of fields. A form that doesn't hold so large an N is passed by. */
static bool add_salt(struct verify *v, struct verify_candidate c, uint64_t n)
{
    char words[VERIFY_WORDS_CAP];

    verify_words(&c, words);
    if (saltkey_salt_parse(words, (uint32_t)n, &c.salt, NULL) < 0)
        return true;
    for (size_t o = 0; o < v->over_len; o++) {
        c.over = (uint8_t)o;
        if (!add(v, &c))
            return false;
    }
    return true;
}

static bool add_hash(struct verify *v, size_t hash, uint64_t n_from, uint64_t n_to)
{
    for (size_t r = 0; r < COUNT(remainders); r++) {
        for (uint64_t n = n_from; n <= n_to; n++) {
            for (size_t p = 0; p < COUNT(prefixes); p++) {
                struct verify_candidate c = {.hash = (uint8_t)hash, .remainder = (uint8_t)r, .prefix = (uint8_t)p};

                if (!v->stored_rows && p != (n > 256 ? COUNT(prefixes) - 1 : 0))
                    continue;
                if (!add_salt(v, c, n))
                    return false;
            }
        }
    }
    return true;
}

static bool add_candidates(struct verify *v, uint64_t buckets)
{
    uint64_t from = buckets, to = buckets;

    if (buckets == 0) {
        /* beyond a byte N is more than the largest salt; within one a flawed remainder may exceed N */
        from = 1;
        for (size_t i = 0; i < v->rows_len && !v->stored_rows; i++)
            from = v->rows[i].salt >= N_MOST && v->rows[i].salt >= from ? v->rows[i].salt + 1 : from;
        to = from > 1 ? from + N_MOST : N_MOST;
    }
    for (size_t h = 0; h < COUNT(hashes); h++) {
        if (!add_hash(v, h, from, to))
            return false;
    }
    for (size_t d = 0; d < COUNT(digests); d++) {
        if (!add_salt(v, (struct verify_candidate){.hash = DIGEST, .remainder = (uint8_t)d}, 0))
            return false;
    }
    return true;
}

static void add_over(struct verify *v, const struct saltkey_layout *l, uint32_t fields)
{
    struct saltkey_salt any;
    char *text = v->over_text[v->over_len];
    size_t at = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < l->n_fields; i++) {
        if (fields >> i & 1)
            at += (size_t)snprintf(text + at, VERIFY_OVER_CAP - at, "%s%s", at ? " " : "", l->fields[i].name);
    }
    if (saltkey_salt_parse("arrays-hash floorMod", 16, &any, NULL) < 0 ||
        saltkey_scheme_init(&v->schemes[v->over_len], l, &any, fields ? text : NULL, NULL) < 0)
        return;
    if (!fields)
        snprintf(text, VERIFY_OVER_CAP, "key");
    v->over_len++;
}

static void fill_overs(struct verify *v, const struct saltkey_layout *l)
{
    add_over(v, l, 0);
    if (l->n_fields <= SUBSETS_OF) {
        for (uint32_t f = 1; f < (UINT32_C(1) << l->n_fields) - 1; f++)
            add_over(v, l, f);
    } else {
        for (uint32_t i = 0; i < l->n_fields && v->over_len < VERIFY_OVERS; i++)
            add_over(v, l, UINT32_C(1) << i);
    }
}

bool verify_row(const struct saltkey_scheme *s, bool stored, const struct verify_pair *pair, struct verify_answer *a)
{
    struct saltkey_slice key = pair->key;
    size_t skip = 0;

    *a = (struct verify_answer){.theirs = pair->salt};
    if (stored) {
        if (saltkey_row_skip(s, key, &skip) < 0 || saltkey_row_bucket(s, key, &a->theirs) < 0) {
            a->misfit = true;
            return false;
        }
        key = (struct saltkey_slice){key.bytes + skip, key.len - skip};
    }
    a->misfit = saltkey_bucket(s, key, &a->ours) < 0;
    return !a->misfit && a->theirs == a->ours;
}

/* Rows at a stride of |step| that differ, counted up to |most| + 1. */
static uint64_t count_wrong(struct verify *v, const struct verify_candidate *c, size_t step, uint64_t most)
{
    struct saltkey_scheme *s = &v->schemes[c->over];
    struct verify_answer a;
    uint64_t wrong = 0;

    s->salt = c->salt;
    for (size_t i = 0; i < v->rows_len && wrong <= most; i += step)
        wrong += !verify_row(s, v->stored_rows, &v->rows[i], &a);
    return wrong;
}

/* Leaves those that differ in at most |SLACK| rows more than the best. */
static void sieve(struct verify *v, size_t step)
{
    uint64_t best = v->rows_len;
    size_t kept = 0;

    for (size_t i = 0; i < v->len; i++) {
        v->all[i].wrong = count_wrong(v, &v->all[i], step, best + SLACK);
        best = v->all[i].wrong < best ? v->all[i].wrong : best;
    }
    for (size_t i = 0; i < v->len; i++) {
        if (v->all[i].wrong <= best + SLACK)
            v->all[kept++] = v->all[i];
    }
    v->len = kept;
}

/* The fewest differing rows first, then in the order of the tables. */
static int by_wrong(const void *a, const void *b)
{
    const struct verify_candidate *x = a, *y = b;

    if (x->wrong != y->wrong)
        return x->wrong < y->wrong ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

int verify_search(struct verify *v, const struct saltkey_layout *layout, uint64_t buckets)
{
    size_t step = v->rows_len > SAMPLE ? v->rows_len / SAMPLE : 1;

    fill_overs(v, layout);
    if (!add_candidates(v, buckets))
        return -1;
    for (size_t i = 0; i < v->len; i++)
        v->all[i].order = i;
    sieve(v, step);
    if (step > 1)
        sieve(v, 1);
    if (v->len > 1)
        qsort(v->all, v->len, sizeof *v->all, by_wrong);
    return 0;
}
