/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The key ranges that a Phoenix query's WHERE comes to (ScanRanges of 5.2.1): intervals of the natural
   key, or full salted keys of a point lookup. Not for other rooms. */
#ifndef CLIENT_PHOENIX_RANGES_H
#define CLIENT_PHOENIX_RANGES_H

#include "client/phoenix.h"

/* Bytes of a key at most; what the query and the regions give is kept shorter by the margin, so that a
   salt or a last byte can be added. Longer ones are refused. */
enum { PHOENIX_KEY_MAX = 512, PHOENIX_KEY_MARGIN = 16 };

struct phoenix_key {
    uint8_t bytes[PHOENIX_KEY_MAX];
    size_t len;
};

/* [low, high): an empty end is open. For a point lookup low is the salted key, high the key after it. */
struct phoenix_interval {
    struct phoenix_key low, high;
};

struct phoenix_ranges {
    struct phoenix_interval *at;
    size_t count, capacity;
    bool points;             /* full keys with their salts */
    bool skip_scan;
    bool everything;
    uint64_t slots_product;  /* ranges that EXPLAIN counts, without the buckets */
    bool all_single;
};

/* 0 or an error of phoenix.h. Free it. */
int phoenix_ranges_make(const struct phoenix_table *table, const struct phoenix_query *query,
                        struct phoenix_ranges *ranges);
void phoenix_ranges_free(struct phoenix_ranges *ranges);

static inline struct saltkey_slice phoenix_key_slice(const struct phoenix_key *k)
{
    return (struct saltkey_slice){k->bytes, k->len};
}

#endif
