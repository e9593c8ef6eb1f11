/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What would change a plan's answer: a row for each case, the largest effect on top, bars from the
   plan as it is to the plan in that case. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/pictures.h"
#include "result/csv.h"
#include "result/fields.h"
#include "result/format.h"

#define ROWS_MAX 24
#define NAMES_WIDTH 250.0
#define PLOT_TOP 176.0
#define PLOT_BOTTOM 800.0
#define PLOT_WIDTH 480.0
#define PLOT_GAP 56.0

bool tornado_applies(const struct result *res)
{
    return res->plan.present && res->plan.variations_len > 0;
}

void tornado_csv(const struct result *res, FILE *to)
{
    struct csv csv = {to, false};
    csv_header(&csv, result_variation_fields);
    csv_end_row(&csv);
    for (size_t i = 0; i < res->plan.variations_len; i++) {
        csv_fields(&csv, result_variation_fields, &res->plan.variations[i]);
        csv_end_row(&csv);
    }
}

/* One of the two columns: a figure of each case, and that of the plan as it is. */
struct column {
    const char *name, *title;
    size_t offset;
    double base;                      /* NaN = not known */
    double scale, plus;               /* shown is scale x (value + plus) */
    const char *(*format)(double value, char text[FORMAT_CAP]);
    struct box box;
    struct scale x;
};

static double value_of(const struct result_variation *var, const struct column *col)
{
    return *(const double *)(const void *)((const char *)var + col->offset);
}

/* The plan's own N where one is recommended, else the one that was run. */
static const struct result_candidate *shown_candidate(const struct result *res)
{
    int n = res->plan.recommended_n >= 0 ? res->plan.recommended_n : res->run.buckets;
    for (size_t i = 0; i < res->plan.candidates_len; i++)
        if (res->plan.candidates[i].n == n)
            return &res->plan.candidates[i];
    return NULL;
}

static double effect(const struct result *res, const struct result_variation *var, const struct column columns[2])
{
    double most = 0;
    for (size_t c = 0; c < 2; c++) {
        double change = fabs(value_of(var, &columns[c]) - columns[c].base);
        most = isfinite(change) ? fmax(most, change) : most;
    }
    return var->recommended_n != res->plan.recommended_n ? 1e9 + most : most;
}

/* Rows by their effect, what changes the answer first; equal ones stay in the plan's order. */
static size_t sort_rows(const struct result *res, const struct column columns[2],
                        const struct result_variation *rows[ROWS_MAX])
{
    size_t len = 0;
    for (size_t i = 0; i < res->plan.variations_len && len < ROWS_MAX; i++) {
        const struct result_variation *var = &res->plan.variations[i];
        size_t at = len++;
        while (at > 0 && effect(res, rows[at - 1], columns) < effect(res, var, columns)) {
            rows[at] = rows[at - 1];
            at--;
        }
        rows[at] = var;
    }
    return len;
}

/* Pixel of a value. */
static double x_of(const struct column *col, double value)
{
    return scale_at(&col->x, col->scale * (value + col->plus));
}

static void set_scale(struct column *col, const struct result_plan *plan)
{
    double lo = 0, hi = isfinite(col->base) ? fmax(0, col->scale * (col->base + col->plus)) : 0;
    if (isfinite(col->base))
        lo = fmin(0, col->scale * (col->base + col->plus));
    for (size_t i = 0; i < plan->variations_len; i++) {
        double value = col->scale * (value_of(&plan->variations[i], col) + col->plus);
        lo = isfinite(value) ? fmin(lo, value) : lo;
        hi = isfinite(value) ? fmax(hi, value) : hi;
    }
    double room = (hi - lo) * 0.16 + 0.01 * col->scale;
    col->x = scale_make(SCALE_LINEAR, lo - (lo < 0 ? room : 0), hi + room, col->box.x, col->box.x + col->box.w);
}

static void put_bar(struct layout *lay, const struct column *col, const struct result_variation *var, size_t row, double y)
{
    char name[40], text[FORMAT_CAP];
    double value = value_of(var, col), from = x_of(col, isfinite(col->base) ? col->base : 0), to = x_of(col, value);
    if (!isfinite(to))
        return;
    bool worse = to < from;
    frame_item_name(name, col->name, "bar", row);
    if (fabs(to - from) >= 1.5)
        layout_rect(lay, name, (struct box){fmin(from, to), y - 9, fabs(to - from), 18}, worse ? COLOUR_BASELINE : COLOUR_CHOSEN);
    else
        layout_mark(lay, name, (struct point){from, y}, MARK_CIRCLE, COLOUR_OTHER);
    frame_item_name(name, col->name, "value", row);
    layout_text_if_free(lay, name, (struct point){to + (worse ? -7 : 9), y + 4}, col->format(value + col->plus, text),
                        (struct text_style){SIZE_TICK, COLOUR_TEXT, worse ? ANCHOR_END : ANCHOR_START, false, true});
}

static void put_upright(struct layout *lay, const struct column *col, const char *what, double at, enum dash dash)
{
    char name[40];
    double x = floor(x_of(col, at));
    if (!(x >= col->box.x && x <= col->box.x + col->box.w))
        return;
    frame_item_name(name, col->name, what, 0);
    layout_line(lay, name, (struct point){x, col->box.y}, (struct point){x, col->box.y + col->box.h},
                (struct line_style){2, dash == DASH_NONE ? COLOUR_AXIS : COLOUR_LIMIT, dash, 1});
}

static void put_column(struct layout *lay, const struct column *col)
{
    char name[40];
    struct axis axis = {col->name, col->box, col->x, 6, true};
    frame_item_name(name, col->name, "title", 0);
    frame_panel_title(lay, name, (struct point){col->box.x, col->box.y - 14}, col->title, col->box.w);
    frame_x_axis(lay, &axis);
    put_upright(lay, col, "limit", 0, DASH_LONG);
    put_upright(lay, col, "base", col->base, DASH_NONE);
}

static void put_answer(struct layout *lay, const struct result_plan *plan, const struct result_variation *var, size_t row,
                       struct point at)
{
    char name[40], text[48];
    bool same = var->recommended_n == plan->recommended_n;
    if (var->recommended_n < 0)
        strcpy(text, "none will do");
    else if (var->recommended_n == 0)
        strcpy(text, "no salt");
    else
        snprintf(text, sizeof text, "N = %d", var->recommended_n);
    frame_item_name(name, "answer", "n", row);
    layout_text_if_free(lay, name, at, text,
                        (struct text_style){SIZE_LABEL, same ? COLOUR_MUTED : COLOUR_BASELINE_TEXT, ANCHOR_START, !same, false});
}

static void put_title(struct layout *lay, const struct result_plan *plan, size_t same)
{
    char full[200], shorter[100], what[40];
    if (plan->recommended_n > 0)
        snprintf(what, sizeof what, "N = %d", plan->recommended_n);
    else
        strcpy(what, plan->recommended_n == 0 ? "no salt" : "no candidate");
    snprintf(full, sizeof full, "What would change the answer: %s stays right in %zu of %zu cases", what, same,
             plan->variations_len);
    snprintf(shorter, sizeof shorter, "%zu of %zu cases give the same N", same, plan->variations_len);
    const char *titles[] = {full, shorter, NULL};
    frame_title(lay, titles, "The plan again with one thing otherwise. Solid line: the plan as it is; dashed: where a target is "
                "missed, or the hottest server full.");
}

void tornado_layout(const struct result *res, struct layout *lay)
{
    const struct result_plan *plan = &res->plan;
    const struct result_variation *rows[ROWS_MAX];
    const struct result_candidate *cand = shown_candidate(res);
    size_t same = 0;
    if (!tornado_applies(res)) {
        frame_empty(lay, "What would change the answer: no data", "The result has no cases: saltplan plan tries them.");
        frame_footer(lay, res);
        return;
    }
    double left = PAGE_MARGIN + NAMES_WIDTH, height = PLOT_BOTTOM - PLOT_TOP;
    struct column columns[2] = {
        {"margin", "distance to the nearest target, %", offsetof(struct result_variation, margin),
         cand ? cand->margin : (double)NAN, 100, 0, format_percent, {left, PLOT_TOP, PLOT_WIDTH, height}, {SCALE_LINEAR, 0, 1, 0, 1}},
        {"room", "the hottest server is full at, times the load", offsetof(struct result_variation, headroom),
         cand ? cand->max_write_rate_per_s.mean / plan->demand_per_s - 1 : (double)NAN, 1, 1, format_ratio,
         {left + PLOT_WIDTH + PLOT_GAP, PLOT_TOP, PLOT_WIDTH, height}, {SCALE_LINEAR, 0, 1, 0, 1}},
    };
    for (size_t i = 0; i < plan->variations_len; i++)
        same += plan->variations[i].recommended_n == plan->recommended_n;
    put_title(lay, plan, same);
    for (size_t c = 0; c < 2; c++) {
        set_scale(&columns[c], plan);
        put_column(lay, &columns[c]);
    }
    frame_panel_title(lay, "answer.title", (struct point){left + 2 * PLOT_WIDTH + PLOT_GAP + 32, PLOT_TOP - 14},
                      "recommended then", PAGE_WIDTH - PAGE_MARGIN - (left + 2 * PLOT_WIDTH + PLOT_GAP + 32));
    size_t len = sort_rows(res, columns, rows);
    for (size_t i = 0; i < len; i++) {
        double y = PLOT_TOP + height * ((double)i + 0.5) / (double)len;
        struct text_style style = {SIZE_LABEL, COLOUR_TEXT, ANCHOR_END, false, false};
        char name[40], text[256];
        frame_item_name(name, "case", "name", i);
        layout_shorten(lay, rows[i]->name ? rows[i]->name : "-", style, NAMES_WIDTH - 24, text);
        layout_text_if_free(lay, name, (struct point){left - 24, y + 4}, text, style);
        for (size_t c = 0; c < 2; c++)
            put_bar(lay, &columns[c], rows[i], i, y);
        put_answer(lay, plan, rows[i], i, (struct point){left + 2 * PLOT_WIDTH + PLOT_GAP + 32, y + 4});
    }
    frame_footer(lay, res);
}
