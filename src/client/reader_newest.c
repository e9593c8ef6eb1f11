/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The newest rows in the order of their keys. */
#include <stdlib.h>

#include "client/reader_rows.h"

/* A kept row with its key, while the newest are put in order. */
struct newest_key {
    struct saltkey_slice key;
    uint64_t row;
    size_t at;                /* of equal keys the one that came first stays first */
};

static int newest_ascending(const void *a, const void *b)
{
    const struct newest_key *x = a, *y = b;
    const int c = saltkey_compare(x->key, y->key);

    return c != 0 ? c : (x->at > y->at) - (x->at < y->at);
}

static int newest_descending(const void *a, const void *b)
{
    const struct newest_key *x = a, *y = b;
    const int c = saltkey_compare(y->key, x->key);

    return c != 0 ? c : (x->at > y->at) - (x->at < y->at);
}

/* Rows of one millisecond come in the order of the stream and lie in that of their keys, which the merge
   demands: newest first becomes key order, falling where later rows have larger keys. Each key is built once. */
int reader_newest_sort(const struct reader_rows *rr, struct reader_newest *nw)
{
    int (*order)(const void *, const void *) = rr->order == READER_ORDER_DOWN ? newest_ascending : newest_descending;
    struct newest_key *keys = malloc((nw->len + 1) * sizeof *keys);
    uint8_t *bytes = malloc((nw->len + 1) * rr->slot);
    bool sorted = true;

    if (!keys || !bytes) {
        free(keys);
        free(bytes);
        return MODEL_NO_MEMORY;
    }
    for (size_t i = 0; i < nw->len; i++) {
        struct saltkey_buf key = {bytes + i * rr->slot, rr->slot, 0};

        keystream_key(rr->keys, nw->rows[i], &key);
        keys[i] = (struct newest_key){{key.bytes, key.len}, nw->rows[i], i};
        sorted = sorted && (i == 0 || order(&keys[i - 1], &keys[i]) < 0);
    }
    if (!sorted)
        qsort(keys, nw->len, sizeof *keys, order);
    for (size_t i = 0; i < nw->len; i++)
        nw->rows[i] = keys[i].row;
    free(keys);
    free(bytes);
    return 0;
}
