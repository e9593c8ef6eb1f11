/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all pictures share: a title that states the finding, a subtitle that says what is drawn, a
   footer with the origin, axes with ticks outside the plot box.

       title                                             size 26, at y 66
       subtitle, one line or two                         size 16 to 14, to y 108
       ... the picture's own area: FRAME_TOP to FRAME_BOTTOM ...
       footer                                            size 11, at y 884 */
#ifndef CHART_FRAME_H
#define CHART_FRAME_H

#include "chart/layout.h"
#include "chart/scale.h"
#include "result/result.h"

#define FRAME_TOP 112.0
#define FRAME_BOTTOM 856.0

/* The first of |titles| (ends with NULL) that fits in full size; else the last one, smaller or
   shortened. */
void frame_title(struct layout *lay, const char *const *titles, const char *subtitle);

/* Scenario, seed, version, detail, font. */
void frame_footer(struct layout *lay, const struct result *res);

/* An axis of the plot |box|. |name| begins the names of its items ("left.x"). */
struct axis {
    const char *name;
    struct box box;
    struct scale scale;
    int target;                       /* wanted number of labels */
    bool grid;
};

/* Below the box; labels that would touch another are left out, their ticks stand. */
void frame_x_axis(struct layout *lay, const struct axis *axis);

/* Left of the box; the scale's |from| is the bottom. */
void frame_y_axis(struct layout *lay, const struct axis *axis);

/* A text in the size of labels, tick labels or panel titles, at its start. */
void frame_label(struct layout *lay, const char *name, struct point at, const char *text);
void frame_panel_title(struct layout *lay, const char *name, struct point at, const char *text, double width);

/* "1 write tail", "16 write tails", "no write tails". */
void frame_plural(double count, const char *word, char *out, size_t cap);

/* The run's name (result_run_name) as a sentence begins: "Unsalted". Returns |out|. */
const char *frame_run_title(const struct result_run *run, char out[RESULT_NAME_CAP]);

/* One panel of a picture: its plot box, axes and labels stand around it. |name| begins the names of
   its items. */
struct frame_panel {
    const char *name;                 /* "left", "right" */
    const struct result_run *run;
    struct box plot;
};

/* Room around each plot of a before-and-after page, and what the page keeps at its right. */
struct frame_margins {
    double top, bottom, left, right, page_right;
};

/* Splits the page: the unsalted run at the left where |res| has one, the scenario at the right; else
   the scenario alone. Returns the number of panels. */
size_t frame_before_after(const struct layout *lay, const struct result *res, const struct frame_margins *margins,
                          struct frame_panel panels[2]);

/* "left.server.3" into |out|. */
void frame_item_name(char out[40], const char *panel, const char *what, size_t i);

/* A ring around the mark of what was chosen, kept inside |plot| so that it runs through no label of an axis. */
void frame_ring(struct layout *lay, const char *name, struct point at, struct box plot);

/* The whole page says why there is nothing to see. */
void frame_empty(struct layout *lay, const char *title, const char *why);

#endif
