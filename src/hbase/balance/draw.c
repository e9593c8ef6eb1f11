/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/balance/draw.h"

void balance_draw_shuffle(const struct balance_draw *d, uint32_t *values, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = balance_draw_below(d, (uint32_t)i);
        uint32_t swap = values[i - 1];
        values[i - 1] = values[j];
        values[j] = swap;
    }
}
