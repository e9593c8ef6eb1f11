/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pictures of a result: PNG files of 1600 x 900, each with a CSV of its data beside it. A picture
   is a function from a result to a layout; nothing here simulates or computes a figure that isn't in
   the result. */
#ifndef CHART_CHART_H
#define CHART_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include "chart/layout.h"
#include "result/result.h"

struct chart_picture {
    const char *name;                 /* "keyspace": keyspace.png, keyspace.csv */
    const char *about;                /* one line for the help */
    void (*layout)(const struct result *res, struct layout *lay);
    void (*csv)(const struct result *res, FILE *to);
    bool (*applies)(const struct result *res); /* false: the result has nothing for it */
};

/* All pictures, in the order of a design review; ends with a NULL name. */
extern const struct chart_picture chart_pictures[];

/* The picture of that name, or NULL. */
const struct chart_picture *chart_picture_by_name(const char *name);

/* Draws each picture that applies into the folder |dir| (made where it is missing): only those of
   |names|, a list ending with NULL, or all for NULL. Files appear whole or not at all. 0, or -1:
   |message| names the file and the reason. On success |message| holds a warning (no DejaVu font)
   or is empty. */
int chart_write(const struct result *res, const char *dir, const char *const *names, char *message, size_t cap);

/* All pictures. */
int chart_write_all(const struct result *res, const char *dir, char *message, size_t cap);

/* Prints each picture's layout as text, with letters of a fixed width: independent of fonts. */
int chart_dump(const struct result *res, const char *const *names, FILE *to);

#endif
