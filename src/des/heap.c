/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des/heap.h"

#include <stdlib.h>

#include "des/error.h"

int des_heap_reserve(struct des_heap *h, size_t capacity)
{
    struct des_entry *grown;

    if (capacity <= h->capacity)
        return DES_OK;
    if (capacity < 2 * h->capacity)
        capacity = 2 * h->capacity;
    if (capacity < 16)
        capacity = 16;
    if (capacity > SIZE_MAX / sizeof *grown)
        return DES_NO_MEMORY;
    grown = realloc(h->entry, capacity * sizeof *grown);
    if (!grown)
        return DES_NO_MEMORY;
    h->entry = grown;
    h->capacity = capacity;
    return DES_OK;
}

void des_heap_free(struct des_heap *h)
{
    free(h->entry);
    *h = (struct des_heap){0};
}

static void rise(struct des_entry *entry, size_t i, struct des_entry e)
{
    while (i > 0) {
        const size_t parent = (i - 1) / 2;

        if (!des_key_before(e.key, entry[parent].key))
            break;
        entry[i] = entry[parent];
        i = parent;
    }
    entry[i] = e;
}

/* Puts |e| at |i|, or below. The vacancy goes down to a leaf first and the entry rises from there:
   the way down then has a length that can be predicted, and a late entry (a successor usually is
   one) hardly rises. */
static void sink(struct des_entry *entry, size_t count, size_t i, struct des_entry e)
{
    const size_t from = i;
    size_t child;

    while ((child = 2 * i + 2) < count) {
        child -= (size_t)des_key_before(entry[child - 1].key, entry[child].key);
        entry[i] = entry[child];
        i = child;
    }
    if (child == count) {
        entry[i] = entry[child - 1];
        i = child - 1;
    }
    while (i > from) {
        const size_t parent = (i - 1) / 2;

        if (parent < from || !des_key_before(e.key, entry[parent].key))
            break;
        entry[i] = entry[parent];
        i = parent;
    }
    entry[i] = e;
}

void des_heap_push(struct des_heap *h, struct des_entry e)
{
    if (h->open) {
        h->open = 0;
        sink(h->entry, h->count, 0, e);
    } else {
        rise(h->entry, h->count++, e);
    }
}

void des_heap_close(struct des_heap *h)
{
    if (!h->open)
        return;
    h->open = 0;
    if (--h->count > 0)
        sink(h->entry, h->count, 0, h->entry[h->count]);
}

void des_heap_build(struct des_heap *h)
{
    for (size_t i = h->count / 2; i-- > 0;)
        sink(h->entry, h->count, i, h->entry[i]);
}
