/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/pictures.h"
#include "result/csv.h"
#include "result/format.h"
#include "result/measured.h"

#define TOP 176.0
#define BOTTOM 812.0
#define LEFT 112.0
#define LEFT_WIDTH 560.0
#define RIGHT 960.0
#define RIGHT_WIDTH 500.0
#define ROWS_MAX 36                   /* more figures: the furthest off are named */

bool calibration_applies(const struct result *res)
{
    return res->measurements_len > 0;
}

/* A figure with its distance from the diagonal, in powers of two. */
struct point_of {
    const struct result_measurement *ms;
    double ratio, off;
};

static int furthest_first(const void *a, const void *b)
{
    const struct point_of *x = a, *y = b;
    if (x->off != y->off)
        return x->off < y->off ? 1 : -1;
    return strcmp(x->ms->name, y->ms->name);
}

/* The figures that have a ratio, sorted; the caller frees them. |*inside| counts among all. */
static struct point_of *points_of(const struct result *res, size_t *len, size_t *inside)
{
    struct point_of *pts = calloc(res->measurements_len + 1, sizeof *pts);
    *len = *inside = 0;
    for (size_t i = 0; pts && i < res->measurements_len; i++) {
        const struct result_measurement *ms = &res->measurements[i];
        const double ratio = result_measured_ratio(ms);
        *inside += result_measured_inside(ms);
        if (isfinite(ratio))
            pts[(*len)++] = (struct point_of){ms, ratio, fabs(log2(ratio))};
    }
    if (pts)
        qsort(pts, *len, sizeof *pts, furthest_first);
    return pts;
}

/* Both axes alike, so that the diagonal is where model and cluster agree. */
static void put_scatter(struct layout *lay, const struct point_of *pts, size_t len)
{
    const struct box box = {LEFT, TOP, LEFT_WIDTH, BOTTOM - TOP};
    double lo = (double)INFINITY, hi = 0;
    char name[40];
    for (size_t i = 0; i < len; i++) {
        if (!(pts[i].ms->simulated > 0 && pts[i].ms->hi > 0))
            continue;
        lo = fmin(lo, fmin(pts[i].ms->simulated, pts[i].ms->lo > 0 ? pts[i].ms->lo : pts[i].ms->hi));
        hi = fmax(hi, fmax(pts[i].ms->simulated, pts[i].ms->hi));
    }
    if (!(hi > 0 && isfinite(hi)))
        lo = hi = 1;
    const struct scale x = scale_make(SCALE_LOG10, lo / 1.6, hi * 1.6, box.x, box.x + box.w);
    const struct scale y = scale_make(SCALE_LOG10, lo / 1.6, hi * 1.6, box.y + box.h, box.y);
    frame_x_axis(lay, &(struct axis){"scatter.x", box, x, 8, true});
    frame_y_axis(lay, &(struct axis){"scatter.y", box, y, 8, true});
    layout_line(lay, "scatter.equal.0", (struct point){box.x, box.y + box.h}, (struct point){box.x + box.w, box.y},
                (struct line_style){2, COLOUR_LIMIT, DASH_LONG, 1});
    for (size_t i = 0; i < len; i++) {
        const struct result_measurement *ms = pts[i].ms;
        const bool good = result_measured_inside(ms);
        const struct point at = {floor(scale_at(&x, (ms->lo + ms->hi) / 2)), floor(scale_at(&y, ms->simulated))};
        if (!(ms->simulated > 0 && ms->hi > 0))
            continue;
        frame_item_name(name, "scatter", "point", i);
        layout_mark(lay, name, at, good ? MARK_CIRCLE : MARK_CROSS, good ? COLOUR_CHOSEN : COLOUR_BASELINE);
    }
    frame_label(lay, "scatter.y.title", (struct point){LEFT - 72, TOP - 14}, "simulated, log scale, each figure in its own unit");
    layout_text(lay, "scatter.x.title", (struct point){LEFT + LEFT_WIDTH, BOTTOM + 38}, "measured, log scale",
                (struct text_style){SIZE_LABEL, COLOUR_TEXT, ANCHOR_END, false, false});
}

/* One figure: its name, the spread of the runs as a stroke, the model's mark. */
static void put_row(struct layout *lay, const struct point_of *pt, const struct scale *x, double y, size_t i)
{
    const struct result_measurement *ms = pt->ms;
    const bool good = result_measured_inside(ms);
    const enum colour colour = good ? COLOUR_CHOSEN : COLOUR_BASELINE;
    const struct text_style style = {SIZE_TICK, COLOUR_TEXT, ANCHOR_END, false, false};
    const double low = ms->hi > 0 ? ms->simulated / ms->hi : (double)NAN, high = ms->lo > 0 ? ms->simulated / ms->lo : (double)NAN;
    char name[40], text[256], figure[FORMAT_CAP];
    layout_shorten(lay, ms->name, style, RIGHT - 24 - (LEFT + LEFT_WIDTH + 40), text);
    frame_item_name(name, "ratio", "name", i);
    layout_text(lay, name, (struct point){RIGHT - 12, y + 4}, text, style);
    frame_item_name(name, "ratio", "range", i);
    if (low > 0 && isfinite(high) && high > low)
        layout_line(lay, name, (struct point){fmax(scale_at(x, low), x->from), y}, (struct point){fmin(scale_at(x, high), x->to), y},
                    (struct line_style){2, colour, DASH_NONE, 1});
    frame_item_name(name, "ratio", "point", i);
    layout_mark(lay, name, (struct point){floor(fmin(fmax(scale_at(x, pt->ratio), x->from), x->to)), y},
                good ? MARK_CIRCLE : MARK_CROSS, colour);
    frame_item_name(name, "ratio", "figure", i);
    layout_text(lay, name, (struct point){RIGHT + RIGHT_WIDTH + 12, y + 4}, format_ratio(pt->ratio, figure),
                (struct text_style){SIZE_TICK, good ? COLOUR_TEXT : COLOUR_BASELINE_TEXT, ANCHOR_START, !good, false});
}

/* Factors that a reader knows; those that lie too near each other lose their label, not their tick. */
static void put_ratio_axis(struct layout *lay, const struct scale *x, struct box box)
{
    static const double factors[] = {1, 0.5, 2, 0.8, 1.25, 0.9, 1.1, 0.2, 5, 0.1, 10, 0.05, 20, 0.95, 1.05};
    const double bottom = box.y + box.h;
    char name[40], text[FORMAT_CAP];
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        const double at = floor(scale_at(x, factors[i]));
        if (!(at >= x->from && at <= x->to))
            continue;
        frame_item_name(name, "ratio", "grid", i);
        layout_line(lay, name, (struct point){at, box.y}, (struct point){at, bottom + 5}, (struct line_style){1, COLOUR_GRID, DASH_NONE, 1});
        frame_item_name(name, "ratio", "label", i);
        layout_text_if_free(lay, name, (struct point){at, bottom + 19}, format_ratio(factors[i], text),
                            (struct text_style){SIZE_TICK, COLOUR_TEXT, ANCHOR_MIDDLE, false, false});
    }
    layout_line(lay, "ratio.axis.0", (struct point){box.x, bottom}, (struct point){box.x + box.w, bottom},
                (struct line_style){1, COLOUR_AXIS, DASH_NONE, 1});
}

static void put_ratios(struct layout *lay, const struct point_of *pts, size_t len)
{
    const size_t rows = len < ROWS_MAX ? len : ROWS_MAX;
    const struct box box = {RIGHT, TOP, RIGHT_WIDTH, BOTTOM - TOP};
    const double most = len > 0 && isfinite(pts[0].off) ? fmin(fmax(pts[0].off * 1.15, 0.2), 6) : 1;
    const struct scale ratio = scale_make(SCALE_LOG10, exp2(-most), exp2(most), box.x, box.x + box.w);
    const double step = fmin(26, box.h / (double)(rows > 0 ? rows : 1));
    char text[80];
    put_ratio_axis(lay, &ratio, box);
    layout_line(lay, "ratio.equal.0", (struct point){scale_at(&ratio, 1), box.y}, (struct point){scale_at(&ratio, 1), box.y + box.h},
                (struct line_style){2, COLOUR_LIMIT, DASH_LONG, 1});
    for (size_t i = 0; i < rows; i++)
        put_row(lay, &pts[i], &ratio, floor(box.y + step * ((double)i + 0.5)), i);
    snprintf(text, sizeof text, "simulated / measured, log scale%s", len > rows ? "; the furthest off of all" : "");
    frame_label(lay, "ratio.title", (struct point){RIGHT, TOP - 14}, text);
    layout_text(lay, "key.text.0", (struct point){RIGHT, BOTTOM + 38}, "circle: inside what was measured (2 %); cross: outside",
                (struct text_style){SIZE_TICK, COLOUR_TEXT, ANCHOR_START, false, false});
}

static void put_title(struct layout *lay, const struct result *res, const struct point_of *pts, size_t len, size_t inside)
{
    char full[400], shorter[200], subtitle[300], a[FORMAT_CAP], b[FORMAT_CAP];
    const double median = len > 0 ? pts[len / 2].off : (double)NAN;
    snprintf(shorter, sizeof shorter, "Model against measurement: %zu of %zu figures lie inside what was measured", inside,
             res->measurements_len);
    if (len == 0)
        snprintf(full, sizeof full, "%s", shorter);
    else
        snprintf(full, sizeof full, "%zu of %zu figures inside what was measured; half within %s, furthest off %s",
                 inside, res->measurements_len, format_percent(exp2(median) - 1, a), format_percent(exp2(pts[0].off) - 1, b));
    snprintf(subtitle, sizeof subtitle, "Model against measurement. A stroke is the spread of several measured runs.");
    if (len < res->measurements_len)
        snprintf(subtitle + strlen(subtitle), sizeof subtitle - strlen(subtitle), " %zu with a zero on one side alone %s not drawn.",
                 res->measurements_len - len, res->measurements_len - len == 1 ? "is" : "are");
    const char *titles[] = {full, shorter, NULL};
    frame_title(lay, titles, subtitle);
}

/* Which run it was belongs to the page only where figures are that run's. */
static void put_footer(struct layout *lay, const struct result *res)
{
    const struct text_style style = {SIZE_FOOTER, COLOUR_MUTED, ANCHOR_START, false, false};
    char text[200];
    for (size_t i = 0; i < res->measurements_len; i++) {
        if (res->measurements[i].own) {
            frame_footer(lay, res);
            return;
        }
    }
    snprintf(text, sizeof text, "all figures as the table of --measured gives them, saltplan %.40s%s%.80s", res->version ? res->version : "-",
             lay->font_family ? ", " : "", lay->font_family ? lay->font_family : "");
    layout_text(lay, "footer", (struct point){PAGE_MARGIN, lay->page.h - 16}, text, style);
}

void calibration_layout(const struct result *res, struct layout *lay)
{
    size_t len, inside;
    struct point_of *pts = points_of(res, &len, &inside);
    if (!pts)
        lay->failed = true;
    if (!pts || !calibration_applies(res)) {
        frame_empty(lay, "Model against measurement: no data", "chart --measured FILE brings figures of a real cluster.");
    } else {
        put_title(lay, res, pts, len, inside);
        put_scatter(lay, pts, len);
        put_ratios(lay, pts, len);
    }
    put_footer(lay, res);
    free(pts);
}

void calibration_csv(const struct result *res, FILE *to)
{
    static const char *const header[] = {"figure", "measured_lo", "measured_hi", "simulated", "ratio", "inside"};
    struct csv csv = {to, false};
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        csv_text(&csv, header[i]);
    csv_end_row(&csv);
    for (size_t i = 0; i < res->measurements_len; i++) {
        const struct result_measurement *ms = &res->measurements[i];
        csv_text(&csv, ms->name);
        csv_number(&csv, ms->lo);
        csv_number(&csv, ms->hi);
        csv_number(&csv, ms->simulated);
        csv_number(&csv, result_measured_ratio(ms));
        csv_number(&csv, result_measured_inside(ms));
        csv_end_row(&csv);
    }
}
