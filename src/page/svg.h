/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture's layout (chart/layout.h) as SVG inside an HTML page. Colours are classes, f3 to fill and
   s3 to stroke with the colour of that number, so that the page's style decides on light and dark;
   letters are text that can be found and copied, held to their measured widths. */
#ifndef PAGE_SVG_H
#define PAGE_SVG_H

#include <stdio.h>

#include "chart/layout.h"
#include "chart/theme.h"

/* The rules for the classes: variables of both themes, and what uses them. */
void svg_style(FILE *to);

/* An empty drawing with the hatching that others refer to; once a page. */
void svg_definitions(FILE *to);

/* The drawing, named |label| for those who can't see it. 0, or -1 without memory. */
int svg_write(const struct layout *lay, const char *label, FILE *to);

#endif
