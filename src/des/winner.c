/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des/winner.h"

#include <stdlib.h>

#include "des/error.h"

int des_winner_reserve(struct des_winner *w, uint32_t least)
{
    uint32_t leaves = w->leaves ? w->leaves : 2;
    struct des_entry *node;

    if (least <= w->leaves)
        return DES_OK;
    while (leaves < least) {
        if (leaves > UINT32_MAX / 4)
            return DES_NO_MEMORY;
        leaves *= 2;
    }
    node = malloc(2 * (size_t)leaves * sizeof *node);
    if (!node)
        return DES_NO_MEMORY;
    node[0] = (struct des_entry){des_key_never(), 0};
    for (uint32_t i = 0; i < leaves; i++) {
        node[(size_t)leaves + i].key = i < w->leaves ? des_winner_key(w, i) : des_key_never();
        node[(size_t)leaves + i].who = i;
    }
    for (size_t i = leaves - 1; i > 0; i--)
        node[i] = des_entry_first(node[2 * i], node[2 * i + 1]);
    free(w->node);
    w->node = node;
    w->leaves = leaves;
    return DES_OK;
}

void des_winner_free(struct des_winner *w)
{
    free(w->node);
    *w = (struct des_winner){0};
}
