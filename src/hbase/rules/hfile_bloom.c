/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/hfile.h"
#include "hbase/rules/hfile_builder.h"

#include <math.h>
#include <stddef.h>

enum { BLOOM_MAX_FOLD = 7 }; /* io.storefile.bloom.max.fold: chunks are multiples of 2^7 bytes */

static uint64_t foldable_bytes(uint32_t block_bytes)
{
    uint64_t n = block_bytes, mask = (1u << BLOOM_MAX_FOLD) - 1;

    return (n & mask) ? ((n >> BLOOM_MAX_FOLD) + 1) << BLOOM_MAX_FOLD : n;
}

/* BloomFilterUtil.createBySize: the ideal number of keys gives the number of hashes (from a quotient
   cut to a whole number), and that gives the keys again. */
uint64_t hfile_bloom_capacity(uint32_t block_bytes, double error_rate, uint32_t *hashes)
{
    uint64_t bits = foldable_bytes(block_bytes) * 8;
    double log2_squared = log(2) * log(2);
    uint64_t ideal = (uint64_t)((double)bits * (log2_squared / -log(error_rate)));
    uint32_t n;

    if (ideal == 0)
        ideal = 1;
    n = (uint32_t)ceil(log(2) * (double)(bits / ideal));
    if (n == 0)
        n = 1;
    if (hashes)
        *hashes = n;
    return (uint64_t)(-(double)bits / n * log(1 - exp(log(error_rate) / n)));
}

/* BloomFilterChunk.compactBloom. */
uint64_t hfile_bloom_folded_bytes(uint32_t block_bytes, uint64_t keys, uint64_t *max_keys)
{
    uint64_t b = foldable_bytes(block_bytes), m = max_keys ? *max_keys : 0;

    if (!max_keys)
        m = hfile_bloom_capacity(block_bytes, 0.01, NULL);
    while (keys > 0 && (b & 1) == 0 && m > 2 * keys) {
        b >>= 1;
        m >>= 1;
    }
    if (max_keys)
        *max_keys = m;
    return b;
}

void hfile_builder_bloom(struct hfile_builder *b, struct hfile_bloom_builder *f, uint64_t keys,
                         uint32_t key_bytes)
{
    if (f->capacity == 0 || keys == 0)
        return;
    f->keys += keys;
    f->last_key_bytes = key_bytes;
    while (keys > 0) {
        uint64_t room = f->capacity - f->in_chunk, take = keys < room ? keys : room;

        if (f->in_chunk == 0)
            f->first_key_bytes = key_bytes;
        f->in_chunk += take;
        keys -= take;
        if (f->in_chunk == f->capacity) {
            struct hfile_inline_block chunk = {.entries = f->capacity, .first_key_bytes = f->first_key_bytes};

            if (hfile_inline_push(&f->ready, &chunk))
                b->error = HFILE_NOMEM;
            f->in_chunk = 0;
        }
    }
}
