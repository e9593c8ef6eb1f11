/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_WINNER_H
#define DES_WINNER_H

#include <stddef.h>
#include <stdint.h>

#include "des/key.h"

/* Tournament of slots: a leaf a slot, each inner node holds the earlier of its two. Moving a slot
   replays its path, log2(slots) comparisons without a branch that could be mispredicted, which is
   why a slot costs a third of a heap's event. The calendar's store of slots. */
struct des_winner {
    struct des_entry *node; /* 1 is the winner, leaves + s the leaf of slot s */
    uint32_t leaves;        /* a power of two; 0 before the first reserve */
};

/* Leaves for |slots| slots; new ones are unset. DES_NO_MEMORY leaves it as it was. */
int des_winner_reserve(struct des_winner *w, uint32_t slots);
void des_winner_free(struct des_winner *w);

/* Sets slot |slot|'s key. */
static inline void des_winner_set(struct des_winner *w, uint32_t slot, struct des_key key)
{
    struct des_entry *node = w->node;
    struct des_entry e = {key, slot};
    size_t i = (size_t)w->leaves + slot;

    node[i] = e;
    while (i > 1) {
        e = des_entry_first(e, node[i ^ 1]);
        i >>= 1;
        node[i] = e;
    }
}

static inline struct des_key des_winner_key(const struct des_winner *w, uint32_t slot)
{
    return w->node[(size_t)w->leaves + slot].key;
}

#endif
