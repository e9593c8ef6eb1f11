/* SPDX-License-Identifier: Apache-2.0 */
/* Many keys at once: Java's array hash of eight keys a step, and bucket counts for all N in one
   pass. AVX2 is chosen at run time; the scalar code gives the same. */
#include "internal.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_AVX2_CODE 1
#include <immintrin.h>
#endif

#define CHUNKS_MAX 8 /* of 32 bytes: longer keys take the scalar way */
#define BLOCK 2048   /* hashes that are counted together, so that they stay in the first cache */

static void hash_each(const struct saltkey_batch *keys, size_t from, int32_t *hashes)
{
    size_t i;

    for (i = from; i < keys->n; i++)
        hashes[i] = saltkey_hash31(keys->bytes + i * keys->stride, keys->len);
}

#ifdef HAVE_AVX2_CODE
static bool have_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

/* 31^e mod 2^32; 31 is odd, so negative powers exist: 31 x 0xbdef7bdf = 1. */
static uint32_t power31(ptrdiff_t e)
{
    uint32_t square = e < 0 ? 0xbdef7bdfU : 31, p = 1;

    for (e = e < 0 ? -e : e; e > 0; e /= 2, square *= square)
        if (e % 2)
            p *= square;
    return p;
}

/* Sums of the eight accumulators, one a lane. */
__attribute__((target("avx2"))) static inline __m256i sum_lanes(const __m256i *a)
{
    __m256i b0 = _mm256_hadd_epi32(_mm256_hadd_epi32(a[0], a[1]), _mm256_hadd_epi32(a[2], a[3]));
    __m256i b1 = _mm256_hadd_epi32(_mm256_hadd_epi32(a[4], a[5]), _mm256_hadd_epi32(a[6], a[7]));

    return _mm256_add_epi32(_mm256_permute2x128_si256(b0, b1, 0x20), _mm256_permute2x128_si256(b0, b1, 0x31));
}

/* hash = 31^len + the sum of b(i) x 31^(len - 1 - i). Four bytes are joined by 31^3, 31^2, 31, 1; each
   group of four then has one weight, a negative power where the key ends pairs it. */
struct weights {
    __m256i group[CHUNKS_MAX], last_pairs, pairs, quads;
    size_t chunks;
    int32_t base;
};

__attribute__((target("avx2"))) static void make_weights(size_t len, struct weights *w)
{
    uint32_t group[8], weight = power31((ptrdiff_t)len - 4), down = power31(-4);
    uint8_t pairs[32];
    size_t c, k;

    w->chunks = (len + 31) / 32;
    w->base = (int32_t)power31((ptrdiff_t)len);
    w->pairs = _mm256_set1_epi16(31 | 1 << 8);
    w->quads = _mm256_set1_epi32(961 | 1 << 16);
    for (c = 0; c < w->chunks; c++) {
        for (k = 0; k < 8; k++, weight *= down)
            group[k] = weight;
        memcpy(&w->group[c], group, sizeof(group));
    }
    for (k = 0; k < 32; k++)
        pairs[k] = (w->chunks - 1) * 32 + k >= len ? 0 : k % 2 ? 1 : 31;
    memcpy(&w->last_pairs, pairs, sizeof(pairs));
}

__attribute__((target("avx2"))) static inline __m256i load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

__attribute__((target("avx2"))) static inline __m256i chunk_sum(const struct weights *w, __m256i pairs,
                                                                const uint8_t *p, size_t c)
{
    return _mm256_mullo_epi32(_mm256_madd_epi16(_mm256_maddubs_epi16(pairs, load(p)), w->quads), w->group[c]);
}

/* One key's eight partial sums. */
__attribute__((target("avx2"))) static inline __m256i key_sum(const struct weights *w, const uint8_t *p)
{
    __m256i sum = chunk_sum(w, w->last_pairs, p + (w->chunks - 1) * 32, w->chunks - 1);
    size_t c;

    for (c = 0; c + 1 < w->chunks; c++)
        sum = _mm256_add_epi32(sum, chunk_sum(w, w->pairs, p + c * 32, c));
    return sum;
}

__attribute__((target("avx2"))) static inline void hash_eight(const struct weights *w, const uint8_t *p,
                                                              size_t stride, int32_t *hashes)
{
    __m256i sums[8];

    sums[0] = key_sum(w, p);
    sums[1] = key_sum(w, p + stride);
    sums[2] = key_sum(w, p + 2 * stride);
    sums[3] = key_sum(w, p + 3 * stride);
    sums[4] = key_sum(w, p + 4 * stride);
    sums[5] = key_sum(w, p + 5 * stride);
    sums[6] = key_sum(w, p + 6 * stride);
    sums[7] = key_sum(w, p + 7 * stride);
    _mm256_storeu_si256((__m256i *)(void *)hashes,
                        _mm256_add_epi32(sum_lanes(sums), _mm256_set1_epi32(w->base)));
}

/* Loads take whole 32 bytes: keys whose load would leave the batch are left to the scalar loop.
   Returns how many were hashed. */
__attribute__((target("avx2"))) static size_t hash_avx2(const struct saltkey_batch *keys, int32_t *hashes)
{
    size_t safe = keys->n, i, beyond;
    struct weights w;

    make_weights(keys->len, &w);
    beyond = w.chunks * 32 - keys->len;
    while (safe > 0 && (keys->n - safe) * keys->stride < beyond)
        safe--;
    if (w.chunks == 1) {
        struct weights one = w;

        one.chunks = 1; /* known to the compiler: the loop over chunks goes away */
        for (i = 0; i + 8 <= safe; i += 8)
            hash_eight(&one, keys->bytes + i * keys->stride, keys->stride, hashes + i);
        return i;
    }
    for (i = 0; i + 8 <= safe; i += 8)
        hash_eight(&w, keys->bytes + i * keys->stride, keys->stride, hashes + i);
    return i;
}
#endif

void saltkey_hash31_batch(const struct saltkey_batch *keys, int32_t *hashes)
{
    size_t done = 0;

#ifdef HAVE_AVX2_CODE
    if (keys->n >= 8 && keys->len > 0 && keys->len <= 32 * CHUNKS_MAX && keys->stride >= keys->len && have_avx2())
        done = hash_avx2(keys, hashes);
#endif
    hash_each(keys, done, hashes);
}

static void buckets_scalar(const struct saltkey_mod *mod, const int32_t *hashes, size_t from, size_t n,
                           uint32_t *buckets)
{
    size_t i;

    for (i = from; i < n; i++) {
        switch (mod->remainder) {
        case SALTKEY_FLOOR: buckets[i] = saltkey_mod_floor(mod, hashes[i]); break;
        case SALTKEY_UNSIGNED: buckets[i] = saltkey_mod_unsigned(mod, hashes[i]); break;
        default: buckets[i] = saltkey_mod_abs(mod, hashes[i]); break;
        }
    }
}

#ifdef HAVE_AVX2_CODE
/* saltkey_mod_small for eight values up to 2^31. */
__attribute__((target("avx2"))) static inline __m256i mod_small8(__m256i a, __m256i magic, __m128i shift,
                                                                 __m256i n)
{
    __m256i even = _mm256_srl_epi64(_mm256_mul_epu32(a, magic), shift);
    __m256i odd = _mm256_srl_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), magic), shift);
    __m256i q = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);

    return _mm256_sub_epi32(a, _mm256_mullo_epi32(q, n));
}

__attribute__((target("avx2"))) static size_t buckets_avx2(const struct saltkey_mod *mod, const int32_t *hashes,
                                                           size_t n, uint32_t *buckets)
{
    const __m256i magic = _mm256_set1_epi32((int32_t)mod->magic), count = _mm256_set1_epi32((int32_t)mod->n);
    const __m256i low31 = _mm256_set1_epi32(0x7fffffff), half = _mm256_set1_epi32((int32_t)mod->half);
    const __m128i shift = _mm_cvtsi32_si128(mod->shift);
    size_t i;

    for (i = 0; i + 8 <= n; i += 8) {
        __m256i h = _mm256_loadu_si256((const __m256i *)(const void *)(hashes + i));
        __m256i sign = _mm256_srai_epi32(h, 31), r;

        if (mod->remainder == SALTKEY_FLOOR) {
            r = mod_small8(_mm256_xor_si256(h, sign), magic, shift, count);
            r = _mm256_add_epi32(_mm256_xor_si256(r, sign), _mm256_and_si256(count, sign));
        } else if (mod->remainder == SALTKEY_UNSIGNED) {
            r = mod_small8(_mm256_and_si256(h, low31), magic, shift, count);
            r = _mm256_add_epi32(r, _mm256_and_si256(half, sign));
            /* r < 2n < 2^31 here: a signed comparison serves */
            r = _mm256_sub_epi32(r, _mm256_andnot_si256(_mm256_cmpgt_epi32(count, r), count));
        } else {
            r = mod_small8(_mm256_abs_epi32(h), magic, shift, count);
        }
        _mm256_storeu_si256((__m256i *)(void *)(buckets + i), r);
    }
    return i;
}
#endif

void saltkey_mod_batch(const struct saltkey_mod *mod, const int32_t *hashes, size_t n, uint32_t *buckets)
{
    size_t done = 0;

#ifdef HAVE_AVX2_CODE
    if (mod->n < 1U << 30 && have_avx2())
        done = buckets_avx2(mod, hashes, n, buckets);
#endif
    buckets_scalar(mod, hashes, done, n, buckets);
}

/* One N over a block: four banks, so that a bucket that repeats doesn't wait for its own store. */
static void count_block(const struct saltkey_mod *mod, const int32_t *hashes, size_t n, uint64_t *counts)
{
    uint32_t buckets[BLOCK], banks[4][256];
    size_t i;

    memset(banks, 0, sizeof(banks));
    saltkey_mod_batch(mod, hashes, n, buckets);
    for (i = 0; i + 4 <= n; i += 4) {
        banks[0][buckets[i]]++;
        banks[1][buckets[i + 1]]++;
        banks[2][buckets[i + 2]]++;
        banks[3][buckets[i + 3]]++;
    }
    for (; i < n; i++)
        banks[0][buckets[i]]++;
    for (i = 0; i < mod->n; i++)
        counts[i] += (uint64_t)banks[0][i] + banks[1][i] + banks[2][i] + banks[3][i];
}

/* Each N up to 128 has a multiple M above it: h mod N is (h mod M) mod N, for all remainders here. */
static void fold_counts(const uint64_t *above, uint64_t *counts)
{
    uint32_t n, bucket;

    for (n = 1; n <= 128; n++) {
        uint32_t m = n * (256 / n);
        const uint64_t *from = above + saltkey_counts_at(m, 0);

        for (bucket = 0; bucket < m; bucket++)
            counts[saltkey_counts_at(n, bucket % n)] += from[bucket];
    }
}

void saltkey_count_buckets(enum saltkey_remainder remainder, const int32_t *hashes, size_t n,
                           uint64_t *counts)
{
    uint64_t above[SALTKEY_COUNTS];
    size_t at;
    uint32_t k;

    memset(above, 0, sizeof(above));
    for (at = 0; at < n; at += BLOCK) {
        size_t block = n - at < BLOCK ? n - at : BLOCK;

        for (k = 129; k <= 256; k++) {
            struct saltkey_mod mod;

            if (saltkey_mod_init(&mod, remainder, k) < 0)
                return;
            count_block(&mod, hashes + at, block, above + saltkey_counts_at(k, 0));
        }
    }
    for (at = saltkey_counts_at(129, 0); at < SALTKEY_COUNTS; at++)
        counts[at] += above[at];
    fold_counts(above, counts);
}
