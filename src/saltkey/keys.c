/* SPDX-License-Identifier: Apache-2.0 */
/* A growing list of keys: split points, samples. */
#include <stdlib.h>

#include "internal.h"

void saltkey_keys_init(struct saltkey_keys *keys, const struct saltkey_allocator *allocator)
{
    memset(keys, 0, sizeof(*keys));
    keys->allocator = allocator;
}

void saltkey_keys_free(struct saltkey_keys *keys)
{
    if (keys->at)
        saltkey__resize(keys->allocator, keys->at, 0);
    if (keys->store)
        saltkey__resize(keys->allocator, keys->store, 0);
    saltkey_keys_init(keys, keys->allocator);
}

static int grow_index(struct saltkey_keys *keys)
{
    size_t cap = keys->at_cap ? keys->at_cap * 2 : 16;
    struct saltkey_slice *at;

    if (cap > SIZE_MAX / sizeof(*at))
        return SALTKEY_ENOMEM;
    at = saltkey__resize(keys->allocator, keys->at, cap * sizeof(*at));
    if (!at)
        return SALTKEY_ENOMEM;
    keys->at = at;
    keys->at_cap = cap;
    return 0;
}

static int grow_store(struct saltkey_keys *keys, size_t need)
{
    size_t cap = keys->store_cap ? keys->store_cap : 256, at = 0, i;
    uint8_t *store;

    while (cap < need) {
        if (cap > SIZE_MAX / 2)
            return SALTKEY_ENOMEM;
        cap *= 2;
    }
    store = saltkey__resize(keys->allocator, keys->store, cap);
    if (!store)
        return SALTKEY_ENOMEM;
    /* while a list grows its keys lie one behind the other in the order of |at| */
    for (i = 0; i < keys->count; i++) {
        keys->at[i].bytes = store + at;
        at += keys->at[i].len;
    }
    keys->store = store;
    keys->store_cap = cap;
    return 0;
}

/* Room for |n| more bytes in the store; NULL without memory. */
uint8_t *saltkey__keys_room(struct saltkey_keys *keys, size_t n)
{
    if (n > SIZE_MAX - keys->store_len)
        return NULL;
    if ((!keys->store || keys->store_cap - keys->store_len < n) &&
        grow_store(keys, keys->store_len + n) < 0)
        return NULL;
    return keys->store + keys->store_len;
}

/* Makes the first |len| bytes of the room the next key. */
int saltkey__keys_take(struct saltkey_keys *keys, size_t len)
{
    if (keys->count == keys->at_cap && grow_index(keys) < 0)
        return SALTKEY_ENOMEM;
    keys->at[keys->count++] = saltkey__slice(keys->store + keys->store_len, len);
    keys->store_len += len;
    return 0;
}

int saltkey_keys_add(struct saltkey_keys *keys, struct saltkey_slice key)
{
    uint8_t *room = saltkey__keys_room(keys, key.len);

    if (!room)
        return SALTKEY_ENOMEM;
    if (key.len)
        memcpy(room, key.bytes, key.len);
    return saltkey__keys_take(keys, key.len);
}

static int by_key(const void *a, const void *b)
{
    return saltkey_compare(*(const struct saltkey_slice *)a, *(const struct saltkey_slice *)b);
}

void saltkey__sort(struct saltkey_keys *keys)
{
    if (keys->count)
        qsort(keys->at, keys->count, sizeof(*keys->at), by_key);
}

int saltkey_keys_finish(struct saltkey_keys *keys, struct saltkey_error *err)
{
    char text[64];
    size_t i;

    if (keys->count == 0)
        return 0;
    saltkey__sort(keys);
    if (keys->at[0].len == 0)
        return saltkey__fail(err, SALTKEY_EEMPTY, 0, "an empty split point");
    for (i = 1; i < keys->count; i++)
        if (saltkey_compare(keys->at[i - 1], keys->at[i]) == 0) {
            saltkey_to_string_binary(keys->at[i], text, sizeof(text));
            return saltkey__fail(err, SALTKEY_EDUPLICATE, 0, "split point %s is there twice", text);
        }
    return 0;
}

size_t saltkey_split_region(const struct saltkey_keys *splits, struct saltkey_slice row)
{
    size_t low = 0, high = splits->count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (saltkey_compare(splits->at[mid], row) <= 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}
