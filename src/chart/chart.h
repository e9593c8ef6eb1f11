/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pictures of a result: files of 1600 x 900, each with a CSV of its data beside it. A picture
   is a function from a result to a layout; nothing here simulates or computes a figure that isn't in
   the result. */
#ifndef CHART_CHART_H
#define CHART_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include "chart/draw.h"
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

/* What chart_write makes; zeroed: PNG in light colours. */
struct chart_style {
    bool formats[3];                  /* by enum draw_format; none = PNG */
    bool dark;
    double zoom;                      /* 0 = 1 */
};

/* The ending of a format's files: "png". */
extern const char *const chart_endings[3];

struct chart_job {
    const char *dir;
    const char *const *names;         /* only these, ending with NULL; NULL = all */
    struct chart_style style;
};

/* Draws each picture that applies into the folder, which is made where it is missing. Files appear whole or not at all. 0, or -1:
   |message| names the file and the reason. On success |message| holds a warning (no DejaVu font)
   or is empty. */
int chart_write(const struct result *res, const struct chart_job *job, char *message, size_t cap);

/* All pictures as PNG. */
int chart_write_all(const struct result *res, const char *dir, char *message, size_t cap);

/* Prints each picture's layout as text, with letters of a fixed width: independent of fonts. A line "wrong ..."
   follows where texts touch each other or leave the page. */
int chart_dump(const struct result *res, const char *const *names, FILE *to);

#endif
