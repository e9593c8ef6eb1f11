/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/pictures.h"
#include "result/format.h"

#define PLOT_LEFT 120.0
#define PLOT_WIDTH 1320.0
#define PLOT_TOP 156.0
#define PLOT_HEIGHT 184.0
#define PLOT_GAP 50.0

bool plan_applies(const struct result *res)
{
    return res->plan.present && res->plan.candidates_len > 0;
}

/* A figure of the candidates, and the limit that it must keep. */
struct measure {
    const char *name, *title;
    size_t offset;
    bool logarithmic;
    double limit;                     /* NaN = none */
    const char *limit_label, *below_label; /* right of its line; "" = none */
    const char *(*format)(double value, char text[FORMAT_CAP]);
};

static const struct result_figure *figure_of(const struct result_candidate *cand, const struct measure *ms)
{
    return (const struct result_figure *)(const void *)((const char *)cand + ms->offset);
}

static double x_of(const struct result_plan *plan, size_t i)
{
    return PLOT_LEFT + PLOT_WIDTH * ((double)i + 0.5) / (double)plan->candidates_len;
}

/* The axis holds all figures and the limit. */
static struct scale y_scale(const struct result_plan *plan, const struct measure *ms, struct box box)
{
    double lo = ms->logarithmic ? ms->limit : 0, hi = ms->limit;
    for (size_t i = 0; i < plan->candidates_len; i++) {
        const struct result_figure *fig = figure_of(&plan->candidates[i], ms);
        const double values[] = {fig->mean, fig->lo, fig->hi};
        for (size_t v = 0; v < 3; v++) {
            lo = isfinite(values[v]) ? fmin(lo, values[v]) : lo;
            hi = isfinite(values[v]) ? fmax(hi, values[v]) : hi;
        }
    }
    if (ms->logarithmic)
        return scale_make(SCALE_LOG10, lo / 1.3, hi * 1.3, box.y + box.h, box.y);
    return scale_make(SCALE_LINEAR, 0, isfinite(hi) ? hi * 1.12 : 1, box.y + box.h, box.y);
}

/* The mean as a circle, the interval as an upright stroke where it is no point. */
static void put_points(struct layout *lay, const struct result_plan *plan, const struct measure *ms, const struct scale *y)
{
    char name[40], text[FORMAT_CAP];
    for (size_t i = 0; i < plan->candidates_len; i++) {
        const struct result_candidate *cand = &plan->candidates[i];
        const struct result_figure *fig = figure_of(cand, ms);
        bool chosen = cand->n == plan->recommended_n;
        enum colour colour = chosen || cand->feasible ? COLOUR_CHOSEN : COLOUR_OTHER;
        double x = floor(x_of(plan, i)), at = scale_at(y, fig->mean);
        if (!(at >= y->to && at <= y->from))
            continue;
        double low = scale_at(y, fig->lo), high = scale_at(y, fig->hi);
        frame_item_name(name, ms->name, "range", i);
        const bool range = low <= y->from + 1 && high >= y->to - 1 && isfinite(low - high) && fabs(low - high) > 2;
        if (range)
            layout_line(lay, name, (struct point){x, low}, (struct point){x, high},
                        (struct line_style){2, colour, DASH_NONE, 1});
        frame_item_name(name, ms->name, "point", i);
        layout_mark(lay, name, (struct point){x, at}, cand->feasible || chosen ? MARK_CIRCLE : MARK_CROSS, colour);
        frame_item_name(name, ms->name, "figure", i);
        /* The figure stands clear of the stroke and of the limit's line: below them if need be. */
        const double limit = scale_at(y, ms->limit), top = range ? fmin(at, high) : at, bottom = range ? fmax(at, low) : at;
        const bool meets = limit < top && limit > top - 10 - SIZE_TICK, below = meets && bottom + 24 < y->from;
        layout_text_if_free(lay, name, (struct point){x, below ? bottom + 20 : top - 10}, ms->format(fig->mean, text),
                            (struct text_style){SIZE_TICK, chosen ? COLOUR_TITLE : COLOUR_TEXT, ANCHOR_MIDDLE, chosen, !chosen || (meets && !below)});
    }
}

static void put_limit(struct layout *lay, const struct measure *ms, const struct scale *y)
{
    char name[40];
    double at = scale_at(y, ms->limit);
    if (!(at >= y->to && at <= y->from))
        return;
    frame_item_name(name, ms->name, "limit", 0);
    layout_line(lay, name, (struct point){PLOT_LEFT, at}, (struct point){PLOT_LEFT + PLOT_WIDTH, at},
                (struct line_style){2, COLOUR_LIMIT, DASH_LONG, 1});
    frame_item_name(name, ms->name, "limit.label", 0);
    layout_text_if_free(lay, name, (struct point){PLOT_LEFT + PLOT_WIDTH + 8, at + 4}, ms->limit_label,
                        (struct text_style){SIZE_TICK, COLOUR_TITLE, ANCHOR_START, false, false});
    frame_item_name(name, ms->name, "limit.below", 0);
    if (ms->below_label[0])
        layout_text_if_free(lay, name, (struct point){PLOT_LEFT + PLOT_WIDTH + 8, at + 20}, ms->below_label,
                            (struct text_style){SIZE_TICK, COLOUR_MUTED, ANCHOR_START, false, false});
}

static void put_panel(struct layout *lay, const struct result_plan *plan, const struct measure *ms, size_t row)
{
    struct box box = {PLOT_LEFT, PLOT_TOP + (PLOT_HEIGHT + PLOT_GAP) * (double)row, PLOT_WIDTH, PLOT_HEIGHT};
    struct scale y = y_scale(plan, ms, box);
    char name[40];
    frame_item_name(name, ms->name, "title", 0);
    frame_label(lay, name, (struct point){PLOT_LEFT - 76, box.y - 14}, ms->title);
    for (size_t i = 0; i < plan->candidates_len; i++) { /* the chosen N's column, behind all */
        double width = fmin(PLOT_WIDTH / (double)plan->candidates_len, 90);
        frame_item_name(name, ms->name, "chosen", i);
        if (plan->candidates[i].n == plan->recommended_n)
            layout_rect(lay, name, (struct box){x_of(plan, i) - width / 2, box.y, width, box.h}, COLOUR_CHOSEN_LIGHT);
    }
    frame_item_name(name, ms->name, "y", 0);
    struct axis axis = {name, box, y, 4, true};
    frame_y_axis(lay, &axis);
    frame_item_name(name, ms->name, "base", 0);
    layout_line(lay, name, (struct point){box.x, box.y + box.h}, (struct point){box.x + box.w, box.y + box.h},
                (struct line_style){1, COLOUR_AXIS, DASH_NONE, 1});
    put_limit(lay, ms, &y);
    put_points(lay, plan, ms, &y);
}

static void put_candidates(struct layout *lay, const struct result_plan *plan)
{
    char name[40], text[FORMAT_CAP];
    double y = PLOT_TOP + 3 * PLOT_HEIGHT + 2 * PLOT_GAP + 19;
    for (size_t i = 0; i < plan->candidates_len; i++) {
        const struct result_candidate *cand = &plan->candidates[i];
        bool chosen = cand->n == plan->recommended_n;
        if (cand->n > 0)
            snprintf(text, sizeof text, "%d", cand->n);
        else
            strcpy(text, "none");
        frame_item_name(name, "n", "label", i);
        layout_text_if_free(lay, name, (struct point){x_of(plan, i), y}, text,
                            (struct text_style){SIZE_LABEL, chosen ? COLOUR_CHOSEN : COLOUR_TEXT, ANCHOR_MIDDLE, chosen, false});
    }
    layout_text_if_free(lay, "n.title", (struct point){PLOT_LEFT + PLOT_WIDTH + 8, y}, "N buckets",
                        (struct text_style){SIZE_TICK, COLOUR_MUTED, ANCHOR_START, false, false});
}

static void put_title(struct layout *lay, const struct result *res)
{
    const struct result_plan *plan = &res->plan;
    const char *targets = plan->targets ? plan->targets : "the targets";
    char full[400], shorter[100];
    if (plan->recommended_n < 0) {
        strcpy(shorter, "No candidate meets the targets");
        snprintf(full, sizeof full, "No candidate meets %s", targets);
    } else if (plan->recommended_n == 0) {
        strcpy(shorter, "No salt is needed");
        snprintf(full, sizeof full, "No salt is needed: unsalted meets %s", targets);
    } else {
        snprintf(shorter, sizeof shorter, "N = %d is recommended", plan->recommended_n);
        snprintf(full, sizeof full, "N = %d is the smallest that meets %s", plan->recommended_n, targets);
    }
    const char *titles[] = {full, shorter, NULL};
    frame_title(lay, titles, plan->reason ? plan->reason : "Each figure against the number of buckets.");
}

/* What the marks mean. */
static void put_key(struct layout *lay)
{
    double y = PLOT_TOP + 3 * PLOT_HEIGHT + 2 * PLOT_GAP + 44;
    layout_mark(lay, "key.meets", (struct point){PLOT_LEFT + 6, y - 4}, MARK_CIRCLE, COLOUR_CHOSEN);
    frame_label(lay, "key.meets.label", (struct point){PLOT_LEFT + 18, y}, "meets the targets");
    layout_mark(lay, "key.fails", (struct point){PLOT_LEFT + 246, y - 4}, MARK_CROSS, COLOUR_OTHER);
    frame_label(lay, "key.fails.label", (struct point){PLOT_LEFT + 258, y}, "does not");
    layout_line(lay, "key.range", (struct point){PLOT_LEFT + 406, y - 11}, (struct point){PLOT_LEFT + 406, y + 2},
                (struct line_style){2, COLOUR_CHOSEN, DASH_NONE, 1});
    frame_label(lay, "key.range.label", (struct point){PLOT_LEFT + 418, y}, "95 % interval, where it is wider than the mark");
}

void plan_layout(const struct result *res, struct layout *lay)
{
    const struct result_plan *plan = &res->plan;
    char target[60], asked[60], mean[60] = "", text[FORMAT_CAP];
    if (!plan_applies(res)) {
        frame_empty(lay, "Choosing N: no data", "The result has no plan: saltplan plan makes one.");
        frame_footer(lay, res);
        return;
    }
    const double needed = result_plan_needed_per_s(plan), offered = res->run.summary.writes_offered / res->run.duration_s;
    const double bound = result_plan_bound(plan, "hot_server_ratio");
    snprintf(target, sizeof target, "target %s", format_count(bound, text));
    snprintf(asked, sizeof asked, "needed %s", format_count(needed, text));
    if (isfinite(offered) && offered < 0.995 * needed) /* a peak, or headroom */
        snprintf(mean, sizeof mean, "mean %s", format_count(offered, text));
    const struct measure measures[] = {
        {"ratio", "hot server ratio: the largest server's writes over the mean, log scale",
         offsetof(struct result_candidate, hot_server_ratio), true, bound, target, "", format_ratio},
        {"capacity", "rows/s at which the hottest server is full", offsetof(struct result_candidate, max_write_rate_per_s),
         false, needed, asked, mean, format_count},
        {"scans", "scanner opens for one query", offsetof(struct result_candidate, scans), false, (double)NAN, "", "", format_count},
    };
    put_title(lay, res);
    for (size_t i = 0; i < 3; i++)
        put_panel(lay, plan, &measures[i], i);
    put_candidates(lay, plan);
    put_key(lay);
    frame_footer(lay, res);
}
