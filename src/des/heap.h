/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_HEAP_H
#define DES_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include "des/key.h"

/* Binary heap of entries, the first on top; the calendar's store of events without a slot.

   The top may be taken out and its place left open (des_heap_open): most events schedule their
   successor, which then sinks from the open top, one pass instead of two. While open, the top's
   key is before all others, so that nothing rises past it. */
struct des_heap {
    struct des_entry *entry;
    size_t count; /* the open top included */
    size_t capacity;
    int open;
};

/* Room for |capacity| entries; DES_NO_MEMORY leaves it as it was. Zeroed is empty. */
int des_heap_reserve(struct des_heap *h, size_t capacity);
void des_heap_free(struct des_heap *h);

/* Puts |e| in; the caller has reserved. */
void des_heap_push(struct des_heap *h, struct des_entry e);

/* Opens the top of a heap that isn't empty and isn't open. */
static inline void des_heap_open(struct des_heap *h)
{
    h->entry[0].key.at = INT64_MIN;
    h->entry[0].key.order = 0;
    h->open = 1;
}

/* Fills the open top from the heap's end, if it is still open. */
void des_heap_close(struct des_heap *h);

/* Makes a heap of entries in any order. */
void des_heap_build(struct des_heap *h);

#endif
