/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_WINNER_H
#define DES_WINNER_H

#include <stddef.h>
#include <stdint.h>

#include "des/key.h"

/* Tournament of keys: a leaf for each event that waits, each inner node holds the earlier of its
   two. To set a leaf replays its path, log2(leaves) comparisons without a branch that could be
   mispredicted, which is a heap's main cost: a heap with the same duties was slower at each size
   tried, 2 to 65,536 events. The calendar's event list. */
struct des_winner {
    struct des_entry *node; /* 1 is the winner, leaves + i the leaf i */
    uint32_t leaves;        /* a power of two; 0 before the first reserve */
};

/* At least |leaves| leaves; new ones hold never. DES_NO_MEMORY leaves it as it was. */
int des_winner_reserve(struct des_winner *w, uint32_t leaves);
void des_winner_free(struct des_winner *w);

static inline void des_winner_set(struct des_winner *w, uint32_t leaf, struct des_key key)
{
    struct des_entry *node = w->node;
    struct des_entry e = {key, leaf};
    size_t i = (size_t)w->leaves + leaf;

    node[i] = e;
    while (i > 1) {
        e = des_entry_first(e, node[i ^ 1]);
        i >>= 1;
        node[i] = e;
    }
}

static inline struct des_key des_winner_key(const struct des_winner *w, uint32_t leaf)
{
    return w->node[(size_t)w->leaves + leaf].key;
}

#endif
