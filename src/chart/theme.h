/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours and sizes by what they mean; a colour has the same meaning in all pictures. Categories
   are Okabe and Ito's eight colours, cells cividis (Nunez, Anderton, Renslow 2018), both safe for
   colour-blind readers; cividis also prints in grey. */
#ifndef CHART_THEME_H
#define CHART_THEME_H

#include <stdint.h>

#define CELL_LEVELS 50                /* 0: below the scale; 1 to 48: from its low end to 1; 49: above 1 */
#define CELL_OVER (CELL_LEVELS - 1)

enum colour {
    COLOUR_PAGE,
    COLOUR_TITLE,
    COLOUR_TEXT,
    COLOUR_MUTED,                     /* subtitles, footers */
    COLOUR_AXIS,
    COLOUR_GRID,
    COLOUR_CHOSEN,                    /* the scenario, the chosen N: blue */
    COLOUR_CHOSEN_LIGHT,              /* the same as a broad fill */
    COLOUR_BASELINE,                  /* unsalted: vermillion */
    COLOUR_BASELINE_LIGHT,
    COLOUR_BASELINE_TEXT,             /* the same for letters, which need more contrast */
    COLOUR_OTHER,                     /* anything else: grey */
    COLOUR_OTHER_LIGHT,
    COLOUR_LIMIT,                     /* capacities and targets: black, dashed */
    COLOUR_GREEN,                     /* further series */
    COLOUR_PURPLE,
    COLOUR_ORANGE,                    /* fills only: too light for lines */
    COLOUR_SKY,
    COLOUR_YELLOW,
    COLOUR_NO_DATA,                   /* hatched */
    COLOUR_MARK,                      /* on cells: white */
    COLOUR_FILL,                      /* eight fills for servers: light, always with a dark edge */
    COLOUR_FILL_GREY = COLOUR_FILL + 8, /* three, where there are more servers */
    COLOUR_ON_BAR = COLOUR_FILL_GREY + 3, /* letters on a vermillion or grey bar: dark on both pages */
    COLOUR_CELLS = 34,                /* CELL_LEVELS colours follow */
    COLOUR_COUNT = COLOUR_CELLS + CELL_LEVELS
};

struct rgb {
    uint8_t r, g, b;
};

struct theme {
    struct rgb colours[COLOUR_COUNT];
};

/* The light theme: a white page. */
void theme_light(struct theme *theme);

/* The same roles on a dark page. Cells keep their colours: a figure looks alike in both. */
void theme_dark(struct theme *theme);

/* Cividis at t of 0 to 1, by the polynomial of d3-scale-chromatic (ISC licence). */
struct rgb theme_cividis(double t);

/* The level of a cell: its rate as a share of one server's capacity, on a log2 scale of so many
   octaves below 1 (6: from 1/64). */
int theme_cell_level(double share, int octaves);

/* Octaves that show a picture whose largest share is |most|: 6, or as many more as put it above the
   lowest third, where it is told from nothing. The top stays 1, so a bright cell always means a full server. */
int theme_cell_octaves(double most);

/* Contrast of two colours as WCAG 2 defines it, 1 to 21. */
double theme_contrast(struct rgb a, struct rgb b);

/* CIE L* of a colour, 0 to 100. */
double theme_lightness(struct rgb colour);

/* Text sizes in pixels. */
#define SIZE_TITLE 26.0
#define SIZE_SUBTITLE 16.0
#define SIZE_PANEL 16.0
#define SIZE_LABEL 13.0
#define SIZE_TICK 12.0
#define SIZE_FOOTER 11.0

#endif
