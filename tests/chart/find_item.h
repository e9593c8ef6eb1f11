/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The items of a layout by their names. */
#ifndef TESTS_CHART_FIND_ITEM_H
#define TESTS_CHART_FIND_ITEM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/layout.h"

/* The first of that name; NULL: none. */
static inline const struct item *look_for(const struct layout *lay, const char *name)
{
    for (size_t i = 0; i < lay->len; i++)
        if (strcmp(lay->items[i].name, name) == 0)
            return &lay->items[i];
    return NULL;
}

/* One that must be there. */
static inline const struct item *find(const struct layout *lay, const char *name)
{
    const struct item *item = look_for(lay, name);

    if (item)
        return item;
    fprintf(stderr, "no item %s\n", name);
    abort(); /* a failed assertion returns as far as a compiler can tell */
}

#endif
