/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture before it is drawn: what stands where on the page, in pixels from the top left corner.
   A picture's function (keyspace.h, ...) puts items in, in the order of painting; draw.h paints
   them, layout_dump prints them, layout_check proves that no text is cut or covers another one.
   Nothing here knows cairo: the width of a text comes from a measurer, which tests replace.

       struct layout lay;
       layout_init(&lay, &measurer);
       layout_text(&lay, "title", (struct point){40, 64}, "16 buckets ...", style);
       ...
       layout_free(&lay);

   Without memory an item is dropped and |failed| is set. Texts are copied; bytes that are no UTF-8
   and control characters become '?'. */
#ifndef CHART_LAYOUT_H
#define CHART_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "chart/theme.h"

#define PAGE_WIDTH 1600.0
#define PAGE_HEIGHT 900.0
#define PAGE_MARGIN 40.0

struct point {
    double x, y;
};

struct box {
    double x, y, w, h;
};

/* Width in pixels that |text| advances by. */
struct measurer {
    double (*advance)(void *context, const char *text, double size, bool bold);
    void *context;
};

/* A measurer without fonts: 0.62 of the size a letter, 0.70 bold (DejaVu Sans's average). */
extern const struct measurer measurer_stub;

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct text_style {
    double size;
    enum colour colour;
    enum anchor anchor;
    bool bold;
    bool halo;                        /* on a patch of the page's colour */
};

enum dash { DASH_NONE, DASH_LONG, DASH_SHORT, DASH_DOTS };

struct line_style {
    double width;
    enum colour colour;
    enum dash dash;
    double alpha;                     /* 0 = 1 = opaque */
};

enum mark { MARK_CROSS, MARK_DOWN, MARK_DIAMOND, MARK_ARROW, MARK_CIRCLE, MARK_SQUARE };

enum item_kind { ITEM_TEXT, ITEM_RECT, ITEM_HATCH, ITEM_LINE, ITEM_PATH, ITEM_AREA, ITEM_CELLS, ITEM_MARK };

struct item {
    enum item_kind kind;
    char name[40];                    /* "left.x.tick.3" */
    struct box box;                   /* of a text: what its letters may touch; of a line: w, h may be negative */
    enum colour colour;
    char *text;
    struct point at;                  /* a text's baseline start */
    double size;
    bool bold, halo;
    struct line_style line;
    enum mark mark;
    struct point *points;             /* of path and area; NaN breaks a path */
    size_t points_len;
    uint8_t *levels;                  /* of cells: box.w x box.h colours, row-major (enum colour) */
};

struct layout {
    struct box page;
    const struct measurer *measurer;
    const char *font_family;          /* for the footer; NULL = none is named */
    struct item *items;
    size_t len, cap;
    bool failed;
};

void layout_init(struct layout *lay, const struct measurer *measurer);
void layout_free(struct layout *lay);

double layout_text_width(const struct layout *lay, const char *text, double size, bool bold);

void layout_text(struct layout *lay, const char *name, struct point baseline, const char *text,
                 struct text_style style);

/* The same where it fits: not when it would leave the page or touch a text that stands already.
   True when it was put. */
bool layout_text_if_free(struct layout *lay, const char *name, struct point baseline, const char *text,
                         struct text_style style);

/* |text| cut with an ellipsis so that it takes at most |width|; copied into |out|. */
void layout_shorten(const struct layout *lay, const char *text, struct text_style style, double width,
                    char out[256]);

void layout_rect(struct layout *lay, const char *name, struct box box, enum colour colour);
void layout_hatch(struct layout *lay, const char *name, struct box box);
void layout_line(struct layout *lay, const char *name, struct point from, struct point to,
                 struct line_style style);
void layout_mark(struct layout *lay, const char *name, struct point at, enum mark mark, enum colour colour);

/* A line through |len| points, which are copied; a NaN breaks it. */
void layout_path(struct layout *lay, const char *name, const struct point *points, size_t len,
                 struct line_style style);

/* The closed area of |len| points, filled. */
void layout_area(struct layout *lay, const char *name, const struct point *points, size_t len,
                 struct line_style style);

/* A picture of colours, one byte a pixel, box.w x box.h of them; it takes |levels| over (malloc). */
void layout_cells(struct layout *lay, const char *name, struct box box, uint8_t *levels);

/* One line an item: kind, name, box, what is in it. */
void layout_dump(const struct layout *lay, FILE *to);

/* 0 when each text lies inside the page, none touches another, no line runs through one, and all numbers are
   finite; else -1 with a sentence. */
int layout_check(const struct layout *lay, char *message, size_t cap);

#endif
