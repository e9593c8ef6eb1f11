/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing N: what a query costs against the write rate that the table sustains, a point for each N. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/pictures.h"
#include "result/format.h"

#define WHY_WIDTH 560.0

static const struct box PLOT = {130, 150, 1390, 640};

static bool has_cost(const struct result_plan *plan)
{
    for (size_t i = 0; i < plan->candidates_len; i++)
        if (!isfinite(plan->candidates[i].scans.mean))
            return false;
    return true;
}

bool choice_applies(const struct result *res)
{
    return res->plan.present && res->plan.candidates_len > 0;
}

/* What the page hangs on: both scales, and the bounds. */
struct choice {
    const struct result_plan *plan;
    bool scans;                       /* the price is scans a query; else regions */
    double demand, most_scans;        /* NaN = not asked */
    double ratio, even_enough;        /* bound on the hot server ratio, and the rate that goes with it; NaN = not asked */
    struct scale x, y;
};

static double cost_of(const struct choice *ch, const struct result_candidate *cand)
{
    return ch->scans ? cand->scans.mean : cand->regions.mean;
}

/* What all servers carry together: a candidate's ratio times its rate is the same for all. */
static double carried(const struct result_plan *plan)
{
    for (size_t i = 0; i < plan->candidates_len; i++) {
        double all = plan->candidates[i].hot_server_ratio.mean * plan->candidates[i].max_write_rate_per_s.mean;
        if (isfinite(all))
            return all;
    }
    return NAN;
}

static void set_scales(struct choice *ch)
{
    double lo = INFINITY, hi = 0, top = isfinite(ch->demand) ? ch->demand : 0;
    for (size_t i = 0; i < ch->plan->candidates_len; i++) {
        const struct result_candidate *cand = &ch->plan->candidates[i];
        const double upper = fmax(cand->max_write_rate_per_s.mean, cand->max_write_rate_per_s.hi);
        double cost = cost_of(ch, cand);
        lo = isfinite(cost) ? fmin(lo, cost) : lo;
        hi = isfinite(cost) ? fmax(hi, cost) : hi;
        top = isfinite(upper) ? fmax(top, upper) : top;
    }
    lo = fmax(isfinite(lo) ? lo : 1, 0.5);
    hi = fmax(hi, lo);
    if (isfinite(ch->most_scans))
        hi = fmax(hi, ch->most_scans);
    ch->x = scale_make(hi / lo >= 8 ? SCALE_LOG2 : SCALE_LINEAR, lo / 1.35, hi * 1.35, PLOT.x, PLOT.x + PLOT.w);
    ch->y = scale_make(SCALE_LINEAR, 0, top > 0 ? top * 1.12 : 1, PLOT.y + PLOT.h, PLOT.y);
}

static void put_level(struct layout *lay, const struct choice *ch, const char *name, double rate, const char *text)
{
    char item[40];
    double y = floor(scale_at(&ch->y, rate));
    if (!(y > PLOT.y && y < PLOT.y + PLOT.h))
        return;
    frame_item_name(item, name, "line", 0);
    layout_line(lay, item, (struct point){PLOT.x, y}, (struct point){PLOT.x + PLOT.w, y},
                (struct line_style){2, COLOUR_LIMIT, DASH_LONG, 1});
    frame_item_name(item, name, "label", 0);
    layout_text_if_free(lay, item, (struct point){PLOT.x + 8, y - 8}, text,
                        (struct text_style){SIZE_TICK, COLOUR_TITLE, ANCHOR_START, false, true});
}

/* Where a target is missed: below the demand or the rate of the least evenness, right of the most scans. */
static void put_bounds(struct layout *lay, const struct choice *ch)
{
    char text[80], number[FORMAT_CAP];
    const struct text_style style = {SIZE_TICK, COLOUR_TITLE, ANCHOR_START, false, true};
    double y = floor(scale_at(&ch->y, fmax(ch->demand, ch->even_enough)));
    double x = floor(scale_at(&ch->x, ch->most_scans));
    if (y > PLOT.y && y < PLOT.y + PLOT.h)
        layout_hatch(lay, "rate.missed", (struct box){PLOT.x, y, PLOT.w, PLOT.y + PLOT.h - y});
    snprintf(text, sizeof text, "needed %s", format_rate(ch->demand, number));
    put_level(lay, ch, "demand", ch->demand, text);
    snprintf(text, sizeof text, "hot server ratio %s at the start", format_ratio(ch->ratio, number));
    put_level(lay, ch, "ratio", ch->even_enough, text);
    if (x > PLOT.x && x < PLOT.x + PLOT.w) {
        layout_hatch(lay, "scans.missed", (struct box){x, PLOT.y, PLOT.x + PLOT.w - x, PLOT.h});
        layout_line(lay, "scans.line", (struct point){x, PLOT.y}, (struct point){x, PLOT.y + PLOT.h},
                    (struct line_style){2, COLOUR_LIMIT, DASH_LONG, 1});
        snprintf(text, sizeof text, "at most %s scans", format_count(ch->most_scans, number));
        layout_text_if_free(lay, "scans.label", (struct point){x + 8, PLOT.y + 18}, text, style);
    }
}

static struct point place_of(const struct choice *ch, const struct result_candidate *cand)
{
    return (struct point){floor(scale_at(&ch->x, cost_of(ch, cand))), scale_at(&ch->y, cand->max_write_rate_per_s.mean)};
}

static bool inside(struct point at)
{
    return at.x >= PLOT.x && at.x <= PLOT.x + PLOT.w && at.y >= PLOT.y && at.y <= PLOT.y + PLOT.h;
}

static void put_point(struct layout *lay, const struct choice *ch, size_t i)
{
    const struct result_candidate *cand = &ch->plan->candidates[i];
    const struct point at = place_of(ch, cand);
    const bool chosen = cand->n == ch->plan->recommended_n;
    const enum colour colour = chosen || cand->feasible ? COLOUR_CHOSEN : COLOUR_OTHER;
    double low = scale_at(&ch->y, cand->max_write_rate_per_s.lo), high = scale_at(&ch->y, cand->max_write_rate_per_s.hi);
    char name[40];
    if (!inside(at))
        return;
    frame_item_name(name, "n", "range", i);
    if (inside((struct point){at.x, low}) && inside((struct point){at.x, high}) && fabs(low - high) > 2)
        layout_line(lay, name, (struct point){at.x, low}, (struct point){at.x, high},
                    (struct line_style){2, colour, DASH_NONE, 1});
    frame_item_name(name, "n", "point", i);
    layout_mark(lay, name, at, cand->feasible || chosen ? MARK_CIRCLE : MARK_CROSS, colour);
    if (chosen)
        frame_ring(lay, "ring", at, PLOT);
}

/* The label at the first of some places around the point that is free. */
static bool put_label(struct layout *lay, const char *name, struct point at, const char *text, struct text_style style)
{
    static const struct {
        double dx, dy;
        enum anchor anchor;
    } places[] = {{0, -18, ANCHOR_MIDDLE}, {0, 28, ANCHOR_MIDDLE}, {18, 5, ANCHOR_START}, {-18, 5, ANCHOR_END},
                  {16, -18, ANCHOR_START}, {16, 28, ANCHOR_START}, {-16, -18, ANCHOR_END}, {-16, 28, ANCHOR_END}};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        const double width = layout_text_width(lay, text, style.size, style.bold);
        const double x = at.x + places[k].dx;
        const double left = places[k].anchor == ANCHOR_START ? x : places[k].anchor == ANCHOR_END ? x - width : x - width / 2;
        if (left < PLOT.x || left + width > PLOT.x + PLOT.w)
            continue;
        style.anchor = places[k].anchor;
        if (layout_text_if_free(lay, name, (struct point){at.x + places[k].dx, at.y + places[k].dy}, text, style))
            return true;
    }
    return false;
}

static void put_names(struct layout *lay, const struct choice *ch)
{
    for (size_t pass = 0; pass < 2; pass++) /* the chosen one's first */
        for (size_t i = 0; i < ch->plan->candidates_len; i++) {
            const struct result_candidate *cand = &ch->plan->candidates[i];
            const struct point at = place_of(ch, cand);
            const bool chosen = cand->n == ch->plan->recommended_n;
            char name[40], text[24] = "none";
            if (chosen != (pass == 0) || !inside(at))
                continue;
            if (cand->n > 0)
                snprintf(text, sizeof text, "%d", cand->n);
            frame_item_name(name, "n", "name", i);
            put_label(lay, name, at, text, (struct text_style){SIZE_LABEL, chosen ? COLOUR_CHOSEN : COLOUR_TEXT, ANCHOR_MIDDLE,
                                                               chosen, true});
        }
}

/* The price of one that would do, the first target that another misses: the whole reason is in the report. */
static void why_text(const struct choice *ch, const struct result_candidate *other, const char *why, char text[400])
{
    const struct result_candidate *chosen = result_plan_chosen(ch->plan);
    char of[24] = "none";
    if (other->n > 0)
        snprintf(of, sizeof of, "%d", other->n);
    if (other->feasible && chosen)
        snprintf(text, 400, "%s will do too, with %.0f %s instead of %.0f", of, cost_of(ch, other),
                 ch->scans ? "scans a query" : "regions", cost_of(ch, chosen));
    else
        snprintf(text, 400, "why not %s: %.*s", of, (int)strcspn(why, ";"), why);
}

/* Why not the neighbour |n|: beside its point, or not at all where that has no room. */
static void put_why(struct layout *lay, const struct choice *ch, const char *name, int n, const char *why)
{
    const struct text_style style = {SIZE_TICK, COLOUR_MUTED, ANCHOR_START, false, true};
    char text[400], cut[256];
    for (size_t i = 0; why && n >= 0 && i < ch->plan->candidates_len; i++) {
        struct point at = place_of(ch, &ch->plan->candidates[i]);
        if (ch->plan->candidates[i].n != n || !inside(at))
            continue;
        why_text(ch, &ch->plan->candidates[i], why, text);
        layout_shorten(lay, text, style, WHY_WIDTH, cut);
        put_label(lay, name, at, cut, style);
    }
}

static void put_title(struct layout *lay, const struct choice *ch)
{
    const char *titles[] = {NULL, NULL};
    const struct result_candidate *chosen = result_plan_chosen(ch->plan);
    char text[300], full[FORMAT_CAP], needed[FORMAT_CAP], cost[FORMAT_CAP];
    if (!chosen) {
        snprintf(text, sizeof text, "Choosing N: none of %zu candidates meets all targets", ch->plan->candidates_len);
    } else {
        format_rate(chosen->max_write_rate_per_s.mean, full);
        format_rate(ch->demand, needed);
        frame_plural(cost_of(ch, chosen), ch->scans ? "scan" : "region", cost, sizeof cost);
        if (chosen->n == 0)
            snprintf(text, sizeof text, "Choosing N: no salt is needed, full at %s, needed %s", full, needed);
        else
            snprintf(text, sizeof text, "Choosing N: %d is the smallest that will do, full at %s, needed %s, for %s%s", chosen->n,
                     full, needed, cost, ch->scans ? " a query" : "");
    }
    titles[0] = text;
    frame_title(lay, titles, "The write rate that the table sustains against what a query costs, a point for each N; hatched: "
                "a target is missed at the start; crosses: one is missed, at the start or later.");
}

void choice_layout(const struct result *res, struct layout *lay)
{
    const struct result_plan *plan = &res->plan;
    if (!choice_applies(res)) {
        frame_empty(lay, "Choosing N: no data", "The result has no plan: saltplan plan makes one.");
        frame_footer(lay, res);
        return;
    }
    struct choice ch = {plan, has_cost(plan), result_plan_needed_per_s(plan), result_plan_bound(plan, ".scans"),
                        result_plan_bound(plan, "hot_server_ratio"), NAN, {SCALE_LINEAR, 0, 1, 0, 1},
                        {SCALE_LINEAR, 0, 1, 0, 1}};
    ch.even_enough = carried(plan) / ch.ratio;
    set_scales(&ch);
    put_title(lay, &ch);
    struct axis x = {"x", PLOT, ch.x, 8, true}, y = {"y", PLOT, ch.y, 6, true};
    frame_label(lay, "y.title", (struct point){PLOT.x - 76, PLOT.y - 14}, "rows/s at which the hottest server is full");
    frame_x_axis(lay, &x);
    frame_y_axis(lay, &y);
    put_bounds(lay, &ch);
    for (size_t i = 0; i < plan->candidates_len; i++)
        put_point(lay, &ch, i);
    put_names(lay, &ch);
    put_why(lay, &ch, "smaller.why", plan->smaller_n, plan->smaller_why);
    put_why(lay, &ch, "larger.why", plan->larger_n, plan->larger_why);
    layout_text_if_free(lay, "x.title", (struct point){PLOT.x + PLOT.w / 2, PLOT.y + PLOT.h + 44},
                        ch.scans ? "scanner opens for one query" : "regions at creation",
                        (struct text_style){SIZE_LABEL, COLOUR_TEXT, ANCHOR_MIDDLE, false, false});
    frame_footer(lay, res);
}
