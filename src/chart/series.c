/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/series.h"

#include <math.h>
#include <stdlib.h>

#include "chart/frame.h"

double series_value(const struct result_window *win, const struct series *ser)
{
    double value = *(const double *)(const void *)((const char *)win + ser->offset) / ser->per;
    double length_s = win->end_s - win->begin_s;
    if (ser->per_s)
        value = length_s > 0 ? value / length_s : (double)NAN;
    return isfinite(value) ? value : (double)NAN;
}

bool series_range(const struct result_run *run, const struct series *ser, bool positive, double *lo, double *hi)
{
    double least = (double)NAN, most = (double)NAN;
    for (size_t i = 0; i < run->windows_len; i++) {
        double value = series_value(&run->windows[i], ser);
        if (isnan(value) || (positive && value <= 0))
            continue;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    if (isnan(most))
        return false;
    *lo = least;
    *hi = most;
    return true;
}

/* Points of a path under way. */
struct trace {
    struct point *points;
    size_t len;
};

static void add(struct trace *tr, double x, double y)
{
    tr->points[tr->len++] = (struct point){x, y};
}

static double clamp(double y, const struct scale *scale)
{
    double top = fmin(scale->from, scale->to), bottom = fmax(scale->from, scale->to);
    return isnan(y) ? y : fmin(fmax(y, top), bottom);
}

/* Upright strokes from the least to the largest value of each pixel column. */
static void trace_envelope(struct trace *tr, const struct result_run *run, const struct series *ser,
                           const struct scale *x, const struct scale *y)
{
    for (size_t i = 0; i < run->windows_len;) {
        double column = floor(scale_at(x, run->windows[i].begin_s)), least = (double)NAN, most = (double)NAN;
        for (; i < run->windows_len && floor(scale_at(x, run->windows[i].begin_s)) == column; i++) {
            double value = series_value(&run->windows[i], ser);
            least = fmin(least, value);
            most = fmax(most, value);
        }
        add(tr, column + 0.5, clamp(scale_at(y, least), y));
        add(tr, column + 0.5, clamp(scale_at(y, most), y));
    }
}

static void trace_windows(struct trace *tr, const struct result_run *run, const struct series *ser,
                          const struct scale *x, const struct scale *y)
{
    for (size_t i = 0; i < run->windows_len; i++) {
        const struct result_window *win = &run->windows[i];
        if (i > 0 && win->begin_s > run->windows[i - 1].end_s + 1e-9 * win->begin_s)
            add(tr, (double)NAN, (double)NAN);
        add(tr, scale_at(x, (win->begin_s + win->end_s) / 2), clamp(scale_at(y, series_value(win, ser)), y));
    }
}

double series_draw(struct layout *lay, const struct result_run *run, const struct series *ser,
                   const struct scale *x, const struct scale *y)
{
    struct trace tr = {malloc((2 * run->windows_len + 1) * sizeof *tr.points), 0};
    double last = (double)NAN;
    if (!tr.points) {
        lay->failed = true;
        return last;
    }
    if ((double)run->windows_len > 2 * fabs(x->to - x->from))
        trace_envelope(&tr, run, ser, x, y);
    else
        trace_windows(&tr, run, ser, x, y);
    if (tr.len > 0)
        layout_path(lay, ser->name, tr.points, tr.len, ser->style);
    for (size_t i = 0; i < tr.len; i++)
        last = isnan(tr.points[i].y) ? last : tr.points[i].y;
    free(tr.points);
    return last;
}

static void sort_labels(struct end_label *labels, size_t len)
{
    for (size_t i = 1; i < len; i++) {
        struct end_label moved = labels[i];
        size_t at = i;
        for (; at > 0 && labels[at - 1].y > moved.y; at--)
            labels[at] = labels[at - 1];
        labels[at] = moved;
    }
}

/* From the top down each keeps its distance from the one above; then from the bottom up, so that the
   last ones come back into the box. */
static void push_apart(struct end_label *labels, size_t len, double top, double bottom)
{
    const double distance = 16;
    for (size_t i = 0; i < len; i++)
        labels[i].y = fmax(labels[i].y, i ? labels[i - 1].y + distance : top);
    for (size_t i = len; i-- > 0;)
        labels[i].y = fmin(labels[i].y, i + 1 < len ? labels[i + 1].y - distance : bottom);
}

void series_end_labels(struct layout *lay, const char *name, struct end_label *labels, size_t len, struct box box)
{
    size_t shown = 0;
    for (size_t i = 0; i < len; i++)
        if (!isnan(labels[i].y) && labels[i].text)
            labels[shown++] = labels[i];
    sort_labels(labels, shown);
    push_apart(labels, shown, box.y + 6, box.y + box.h);
    for (size_t i = 0; i < shown; i++) {
        char item[40], cut[256];
        struct text_style style = {SIZE_LABEL, labels[i].colour, ANCHOR_START, false, false};
        double x = box.x + box.w + 8;
        frame_item_name(item, name, "end", i);
        layout_shorten(lay, labels[i].text, style, lay->page.w - x - 8, cut);
        layout_text_if_free(lay, item, (struct point){x, labels[i].y + 4}, cut, style);
    }
}
