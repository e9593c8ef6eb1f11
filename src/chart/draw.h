/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paints a layout with cairo. One canvas serves any number of pictures, since finding the fonts is
   the dearest part. Texts are DejaVu Sans; where fontconfig finds another family the pictures stay
   legible, and |family| says which it was. */
#ifndef CHART_DRAW_H
#define CHART_DRAW_H

#include <stdbool.h>
#include <stdio.h>

#include "chart/layout.h"
#include "chart/theme.h"

struct canvas;

/* A canvas of the page's size; NULL without memory. */
struct canvas *canvas_open(void);
void canvas_close(struct canvas *canvas);

/* The measurer that goes with it; valid as long as the canvas. */
const struct measurer *canvas_measurer(struct canvas *canvas);

/* The family that texts are drawn in: "DejaVu Sans", or what stood in for it; "none" where cairo
   fell back to its own strokes. */
const char *canvas_font_family(const struct canvas *canvas);

enum draw_format { DRAW_PNG, DRAW_SVG, DRAW_PDF };

/* How a page becomes a file: |zoom| pixels (of PNG) or points for each of the page's, above 0. */
struct drawing {
    enum draw_format format;
    double zoom;
    const struct theme *theme;
};

/* Paints |lay| and writes it; all formats go through the same code. 0, or -1 when memory or the stream
   failed. */
int canvas_write(struct canvas *canvas, const struct layout *lay, const struct drawing *how, FILE *to);

/* As PNG, a pixel for a pixel. */
int canvas_write_png(struct canvas *canvas, const struct layout *lay, const struct theme *theme, FILE *to);

#endif
