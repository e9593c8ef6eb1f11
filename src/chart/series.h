/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines over time from a run's sample windows, and their labels at the right end. */
#ifndef CHART_SERIES_H
#define CHART_SERIES_H

#include "chart/layout.h"
#include "chart/scale.h"
#include "result/result.h"

/* A figure of a window, by its offset (offsetof(struct result_window, p99_us)), divided by |per|; with
   |per_s| also by the window's length. */
struct series {
    const char *name;                 /* of the item */
    const char *label;                /* at the line's end; NULL = none */
    size_t offset;
    double per;
    bool per_s;
    struct line_style style;
};

double series_value(const struct result_window *win, const struct series *ser);

/* Least and largest finite value, over 0 only with |positive|; false when there is none. */
bool series_range(const struct result_run *run, const struct series *ser, bool positive, double *lo, double *hi);

/* Draws it: one point a window, at its middle; where windows are left out the line breaks. With more
   than two windows a pixel column it becomes the envelope of each column's least and largest value,
   so that no peak vanishes. Returns the y of its last point, NaN for none. */
double series_draw(struct layout *lay, const struct result_run *run, const struct series *ser,
                   const struct scale *x, const struct scale *y);

/* A label at the end of a line; y moves where others are near. */
struct end_label {
    const char *text;
    double y;                         /* NaN = not shown */
    enum colour colour;
};

/* Puts the labels right of the plot |box|, pushed apart so that none touches another. */
void series_end_labels(struct layout *lay, const char *name, struct end_label *labels, size_t len, struct box box);

#endif
