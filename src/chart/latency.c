/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latency of each query against N, where the plan timed them, and beside it the slowest of as many independent
   draws of one scan's time. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/pictures.h"
#include "chart/series.h"
#include "result/csv.h"
#include "result/format.h"

#define QUERIES_MAX 6
#define POINTS_MAX 300
#define LEFT 84.0
#define RIGHT 84.0
#define TOP 160.0
#define BOTTOM 806.0
#define GAP_Y 76.0

struct latency {
    const struct result_plan *plan;
    const char *query[QUERIES_MAX];
    size_t shown;
    bool cut;                         /* there are more queries */
    double none;                      /* where N = 0 stands on the axis */
    double lo_n, hi_n;
};

/* The lines of a panel. */
enum figure { P999, P99, P95, P50, FREE99, FREE50, FIGURES };
static const struct figure_words {
    const char *name, *label;
    size_t offset;
    struct line_style style;
} figure_words[FIGURES] = {
#define MEMBER(member) offsetof(struct result_query_cost, member)
    [P999] = {"p999", "p99.9", MEMBER(p999_us), {1.5, COLOUR_CHOSEN, DASH_LONG, 1}},
    [P99] = {"p99", "p99", MEMBER(p99_us), {3, COLOUR_CHOSEN, DASH_NONE, 1}},
    [P95] = {"p95", "p95", MEMBER(p95_us), {1.5, COLOUR_CHOSEN, DASH_DOTS, 1}},
    [P50] = {"p50", "p50", MEMBER(p50_us), {2, COLOUR_CHOSEN, DASH_SHORT, 1}},
    [FREE99] = {"free99", "p99 indep.", MEMBER(independent_p99_us), {1.25, COLOUR_TEXT, DASH_NONE, 1}},
    [FREE50] = {"free50", "p50 indep.", MEMBER(independent_p50_us), {1.25, COLOUR_TEXT, DASH_SHORT, 1}},
#undef MEMBER
};

static bool is_time(double us)
{
    return isfinite(us) && us > 0;
}

bool latency_applies(const struct result *res)
{
    for (size_t i = 0; res->plan.present && i < res->plan.query_costs_len; i++)
        if (is_time(res->plan.query_costs[i].p99_us))
            return true;
    return false;
}

void latency_csv(const struct result *res, FILE *to)
{
    struct csv csv = {to, false};
    csv_header(&csv, result_query_cost_fields);
    csv_end_row(&csv);
    for (size_t i = 0; i < res->plan.query_costs_len; i++) {
        csv_fields(&csv, result_query_cost_fields, &res->plan.query_costs[i]);
        csv_end_row(&csv);
    }
}

static bool is_of(const struct result_query_cost *cost, const char *query)
{
    return cost->query && strcmp(cost->query, query) == 0;
}

/* The time that the targets allow for |figure| of |query|, in us; NaN for none. The plan writes "window.p99 <= 30.0 s". */
static double target_of(const struct result_plan *plan, const char *query, const char *figure)
{
    static const struct { const char *unit; double us; } units[] = {{"ms", 1e3}, {"s", 1e6}};
    char wanted[200];
    double bound = (double)NAN;
    snprintf(wanted, sizeof wanted, "%.150s.%s <= ", query, figure);
    for (const char *at = plan->targets; at && (at = strstr(at, wanted)); at++) {
        char *end;
        double us = strtod(at + strlen(wanted), &end);
        if (at > plan->targets && at[-1] != ' ')
            continue;
        end += strspn(end, " ");
        for (size_t u = 0; u < 2; u++)
            if (strncmp(end, units[u].unit, strlen(units[u].unit)) == 0) {
                us *= units[u].us;
                break;
            }
        bound = fmin(bound, us);
    }
    return bound;
}

static double figure_of(const struct result_query_cost *cost, enum figure f)
{
    /* One scan is its own slowest. */
    const enum figure of = f < FREE99 || cost->scans > 1 ? f : f == FREE99 ? P99 : P50;
    double us;
    memcpy(&us, (const char *)cost + figure_words[of].offset, sizeof us);
    return us;
}

static void take_query(struct latency *lat, const char *query)
{
    for (size_t k = 0; k < lat->shown; k++)
        if (strcmp(lat->query[k], query) == 0)
            return;
    if (lat->shown < QUERIES_MAX)
        lat->query[lat->shown++] = query;
    else
        lat->cut = true;
}

static void look_through(struct latency *lat)
{
    const struct result_plan *plan = lat->plan;
    for (size_t i = 0; i < plan->query_costs_len; i++) {
        const struct result_query_cost *cost = &plan->query_costs[i];
        if (!cost->query || !is_time(cost->p99_us))
            continue;
        take_query(lat, cost->query);
        if (cost->n > 0)
            lat->lo_n = fmin(lat->lo_n, cost->n);
        lat->hi_n = fmax(lat->hi_n, cost->n);
    }
    lat->lo_n = isfinite(lat->lo_n) ? lat->lo_n : 2;
    lat->hi_n = fmax(lat->hi_n, lat->lo_n);
    lat->none = lat->lo_n / 2;
    for (size_t i = 0; i < plan->query_costs_len; i++)
        if (plan->query_costs[i].n <= 0)
            lat->lo_n = lat->none;
}

/* One query's panel. */
struct panel {
    char name[8];                     /* "q0" */
    const char *query;
    struct box box;
    struct scale x, y;
};

/* Whether scans were also timed alone: a result of an earlier version has none. */
static bool has_free(const struct latency *lat, const char *query)
{
    for (size_t i = 0; i < lat->plan->query_costs_len; i++)
        if (is_of(&lat->plan->query_costs[i], query) && lat->plan->query_costs[i].scans > 1 &&
            is_time(lat->plan->query_costs[i].independent_p99_us))
            return true;
    return false;
}

/* Least and largest time of the panel: its lines, and the targets' bounds. */
static void time_range(const struct latency *lat, const char *query, double *lo, double *hi)
{
    static const char *const figures[] = {"p50", "p99"};
    *lo = INFINITY;
    *hi = 0;
    for (size_t i = 0; i < lat->plan->query_costs_len; i++) {
        for (enum figure f = 0; f < FIGURES; f++) {
            const double us = is_of(&lat->plan->query_costs[i], query) ? figure_of(&lat->plan->query_costs[i], f) : 0;
            *lo = is_time(us) ? fmin(*lo, us) : *lo;
            *hi = is_time(us) ? fmax(*hi, us) : *hi;
        }
    }
    for (size_t f = 0; f < 2; f++) {
        const double us = target_of(lat->plan, query, figures[f]);
        *lo = is_time(us) ? fmin(*lo, us) : *lo;
        *hi = is_time(us) ? fmax(*hi, us) : *hi;
    }
}

static double x_of(const struct latency *lat, const struct panel *pn, int n)
{
    return floor(scale_at(&pn->x, n > 0 ? n : lat->none));
}

/* "10 ms": round values without decimals. */
static void time_label(double us, char text[FORMAT_CAP])
{
    snprintf(text, FORMAT_CAP, us >= 1e9 ? "%.0f%s" : "%.3g%s", us >= 1e6 ? us / 1e6 : us >= 1e3 ? us / 1e3 : us,
             us >= 1e6 ? " s" : us >= 1e3 ? " ms" : " \xC2\xB5s");
}

static void put_axes(struct layout *lay, const struct latency *lat, const struct panel *pn)
{
    const double bottom = pn->box.y + pn->box.h, right = pn->box.x + pn->box.w;
    const struct line_style grid = {1, COLOUR_GRID, DASH_NONE, 1}, axis = {1, COLOUR_AXIS, DASH_NONE, 1};
    char name[40], text[FORMAT_CAP] = "none";
    struct ticks ticks;
    scale_ticks(&pn->y, 7, &ticks);
    for (int i = 0; i < ticks.len; i++) {
        double y = floor(scale_at(&pn->y, ticks.at[i].value));
        frame_item_name(name, pn->name, "y.grid", (size_t)i);
        layout_line(lay, name, (struct point){pn->box.x, y}, (struct point){right, y}, grid);
        time_label(ticks.at[i].value, text);
        frame_item_name(name, pn->name, "y.label", (size_t)i);
        layout_text_if_free(lay, name, (struct point){pn->box.x - 9, y + 4}, text,
                            (struct text_style){SIZE_TICK, COLOUR_TEXT, ANCHOR_END, false, false});
    }
    frame_item_name(name, pn->name, "x.line", 0);
    layout_line(lay, name, (struct point){pn->box.x, bottom}, (struct point){right, bottom}, axis);
    for (size_t i = 0; i < lat->plan->query_costs_len; i++) {
        const struct result_query_cost *cost = &lat->plan->query_costs[i];
        const double x = x_of(lat, pn, cost->n);
        const bool chosen = cost->n == lat->plan->recommended_n;
        if (!is_of(cost, pn->query))
            continue;
        frame_item_name(name, pn->name, "x.tick", i);
        layout_line(lay, name, (struct point){x, bottom}, (struct point){x, bottom + 5}, axis);
        snprintf(text, sizeof text, cost->n > 0 ? "%d" : "none", cost->n);
        frame_item_name(name, pn->name, "x.label", i);
        layout_text_if_free(lay, name, (struct point){x, bottom + 20}, text,
                            (struct text_style){SIZE_LABEL, chosen ? COLOUR_CHOSEN : COLOUR_TEXT, ANCHOR_MIDDLE, chosen, false});
    }
}

/* The line of a figure over N; returns the y of its last point, NaN for none. */
static double put_line(struct layout *lay, const struct latency *lat, const struct panel *pn, enum figure f)
{
    struct point points[POINTS_MAX];
    char name[40];
    double last = (double)NAN;
    size_t len = 0;
    for (size_t i = 0; i < lat->plan->query_costs_len && len < POINTS_MAX; i++) {
        const struct result_query_cost *cost = &lat->plan->query_costs[i];
        const double us = figure_of(cost, f);
        if (!is_of(cost, pn->query))
            continue;
        points[len] = (struct point){x_of(lat, pn, cost->n), (double)NAN};
        if (is_time(us) && result_cost_is_whole(lat->plan, cost))
            points[len].y = last = scale_at(&pn->y, us);
        len++;
    }
    snprintf(name, sizeof name, "%s.%s", pn->name, figure_words[f].name);
    if (len > 1)
        layout_path(lay, name, points, len, figure_words[f].style);
    return last;
}

/* A mark for each N, or for the chosen one, with its time where that has room. */
static void put_points(struct layout *lay, const struct latency *lat, const struct panel *pn, bool p99, bool chosen)
{
    char name[40], text[FORMAT_CAP];
    for (size_t i = 0; i < lat->plan->query_costs_len; i++) {
        const struct result_query_cost *cost = &lat->plan->query_costs[i];
        const bool whole = result_cost_is_whole(lat->plan, cost);
        const double us = figure_of(cost, p99 ? P99 : P50);
        if (!is_of(cost, pn->query) || !is_time(us) || chosen != (cost->n == lat->plan->recommended_n))
            continue;
        const struct point at = {x_of(lat, pn, cost->n), scale_at(&pn->y, us)};
        frame_item_name(name, pn->name, p99 ? "p99.point" : "p50.point", i);
        layout_mark(lay, name, at, whole ? MARK_CIRCLE : MARK_CROSS, whole ? COLOUR_CHOSEN : COLOUR_OTHER);
        if (chosen && p99) {
            snprintf(name, sizeof name, "ring_%s", pn->name);
            frame_ring(lay, name, at, pn->box);
        }
        frame_item_name(name, pn->name, p99 ? "p99.time" : "p50.time", i);
        layout_text_if_free(lay, name, (struct point){at.x, at.y + (p99 ? -17 : 24)}, format_latency(us, text),
                            (struct text_style){SIZE_TICK, chosen && p99 ? COLOUR_CHOSEN : COLOUR_TEXT, ANCHOR_MIDDLE,
                                                chosen && p99, true});
    }
}

/* How far |y| is from the figure's first (else its last) point. */
static double room_at(const struct latency *lat, const struct panel *pn, bool first, bool p99, double y)
{
    double room = pn->box.h;
    for (size_t i = 0; i < lat->plan->query_costs_len; i++) {
        const struct result_query_cost *cost = &lat->plan->query_costs[i];
        if (!is_of(cost, pn->query) || !is_time(figure_of(cost, p99 ? P99 : P50)))
            continue;
        room = fabs(scale_at(&pn->y, figure_of(cost, p99 ? P99 : P50)) - y);
        if (first)
            break;
    }
    return room;
}

/* The time that a target allows, as a line; its text at the end that the figure is further from. */
static void put_target(struct layout *lay, const struct latency *lat, const struct panel *pn, bool p99, bool words)
{
    const char *figure = p99 ? "p99" : "p50";
    const double us = target_of(lat->plan, pn->query, figure), y = is_time(us) ? floor(scale_at(&pn->y, us)) : 0;
    char name[40], text[60], number[FORMAT_CAP];
    if (!(y >= pn->box.y && y <= pn->box.y + pn->box.h))
        return;
    frame_item_name(name, pn->name, words ? "target.text" : "target", p99);
    if (!words) {
        layout_line(lay, name, (struct point){pn->box.x, y}, (struct point){pn->box.x + pn->box.w, y},
                    (struct line_style){2, COLOUR_LIMIT, DASH_LONG, 1});
        return;
    }
    const bool left = room_at(lat, pn, true, p99, y) > room_at(lat, pn, false, p99, y);
    const double x = left ? pn->box.x + 6 : pn->box.x + pn->box.w - 6;
    snprintf(text, sizeof text, "target: %s at most %s", figure, format_latency(us, number));
    for (int side = 0; side < 2; side++) /* above the line, else below it */
        if (layout_text_if_free(lay, name, (struct point){x, side == 0 ? y - 7 : y + 17}, text,
                                (struct text_style){SIZE_TICK, COLOUR_TITLE, left ? ANCHOR_START : ANCHOR_END, false, true}))
            break;
}

static void put_panel(struct layout *lay, const struct latency *lat, size_t k, struct box box)
{
    const bool free = has_free(lat, lat->query[k]);
    double lo_us, hi_us;
    time_range(lat, lat->query[k], &lo_us, &hi_us);
    const double room = fmax(1.8, pow(hi_us / lo_us, 0.06)); /* a ring fits between a point and the axis */
    struct panel pn = {"", lat->query[k], box, scale_make(SCALE_LOG2, lat->lo_n / 1.25, lat->hi_n * 1.25, box.x, box.x + box.w),
                       scale_make(SCALE_LOG10, lo_us / room, fmin(hi_us * room, 1e306), box.y + box.h, box.y)};
    struct end_label ends[FIGURES];
    const char *kind = NULL;
    char name[40], title[300];
    for (size_t i = 0; i < lat->plan->query_costs_len && !kind; i++)
        kind = is_of(&lat->plan->query_costs[i], pn.query) ? lat->plan->query_costs[i].kind : NULL;
    snprintf(pn.name, sizeof pn.name, "q%zu", k);
    snprintf(title, sizeof title, "%.120s%s%.60s", pn.query, kind && kind[0] ? ": " : "", kind ? kind : "");
    frame_item_name(name, pn.name, "title", 0);
    frame_panel_title(lay, name, (struct point){box.x - LEFT + 24, box.y - 14}, title, box.w + LEFT - 24);
    put_axes(lay, lat, &pn);
    for (int p99 = 0; p99 < 2; p99++)
        put_target(lay, lat, &pn, p99, false);
    for (size_t f = 0; f < FIGURES; f++) { /* the thin independent ones lie on top */
        const bool shown = free || f < FREE99;
        ends[f] = (struct end_label){figure_words[f].label, shown ? put_line(lay, lat, &pn, (enum figure)f) : (double)NAN,
                                     f < FREE99 ? COLOUR_CHOSEN : COLOUR_TEXT};
    }
    put_points(lay, lat, &pn, true, true); /* what was chosen gets its words first */
    for (int p99 = 0; p99 < 2; p99++)
        put_target(lay, lat, &pn, p99, true);
    put_points(lay, lat, &pn, true, false);
    put_points(lay, lat, &pn, false, true);
    put_points(lay, lat, &pn, false, false);
    series_end_labels(lay, pn.name, ends, FIGURES, box);
}

static const char *n_text(int n, char text[16])
{
    snprintf(text, 16, n > 0 ? "N = %d" : "no salt", n);
    return text;
}

/* Of the query that is slowest with the chosen N (with none: with any): its time, and the fastest N. */
static void put_title(struct layout *lay, const struct latency *lat)
{
    const struct result_plan *plan = lat->plan;
    const struct result_query_cost *slow = NULL, *fast = NULL;
    char text[400], shorter[120], said[16], other[16], slowest[FORMAT_CAP], fastest[FORMAT_CAP];
    bool some = false, free = false;
    for (size_t i = 0; i < plan->query_costs_len; i++) {
        const struct result_query_cost *cost = &plan->query_costs[i];
        if (!cost->query || !is_time(cost->p99_us))
            continue;
        some |= !result_cost_is_whole(plan, cost);
        if ((plan->recommended_n < 0 || cost->n == plan->recommended_n) && (!slow || cost->p99_us > slow->p99_us))
            slow = cost;
    }
    for (size_t i = 0; slow && i < plan->query_costs_len; i++) {
        const struct result_query_cost *cost = &plan->query_costs[i];
        if (is_of(cost, slow->query) && is_time(cost->p99_us) && result_cost_is_whole(plan, cost) && (!fast || cost->p99_us < fast->p99_us))
            fast = cost;
    }
    strcpy(text, "Latency of queries against N");
    strcpy(shorter, text);
    if (slow && fast) {
        const char *salt = n_text(slow->n, said);
        format_latency(slow->p99_us, slowest);
        if (slow == fast)
            snprintf(text, sizeof text, "With %s %.60s takes %s at p99, the shortest of all candidates", salt, slow->query, slowest);
        else
            snprintf(text, sizeof text, "With %s %.60s takes %s at p99; with %s, the fastest, %s", salt, slow->query, slowest,
                     n_text(fast->n, other), format_latency(fast->p99_us, fastest));
        snprintf(shorter, sizeof shorter, "With %s p99 is %s", salt, slowest);
    }
    const char *titles[] = {text, shorter, NULL};
    char about[400];
    for (size_t k = 0; k < lat->shown; k++)
        free |= has_free(lat, lat->query[k]);
    snprintf(about, sizeof about, "Time of one query over N, both axes logarithmic; ringed: the recommended N.%s%s%s",
             free ? " Indep.: the slowest of N independent draws of a scan's time." : "",
             some ? " Cross: servers don't keep up, fewer rows come back." : "",
             lat->cut ? " More queries stand in latency.csv." : "");
    frame_title(lay, titles, about);
}

void latency_layout(const struct result *res, struct layout *lay)
{
    struct latency lat = {.plan = &res->plan, .lo_n = INFINITY};
    if (!latency_applies(res)) {
        frame_empty(lay, "Latency of queries against N: no data", "The plan timed no query: saltplan plan --latency does.");
        frame_footer(lay, res);
        return;
    }
    look_through(&lat);
    put_title(lay, &lat);
    const size_t columns = lat.shown <= 3 ? (lat.shown ? lat.shown : 1) : lat.shown == 4 ? 2 : 3, rows = lat.shown > 3 ? 2 : 1;
    const double width = (lay->page.w - 2 * PAGE_MARGIN) / (double)columns;
    const double height = (BOTTOM - TOP - GAP_Y * (double)(rows - 1)) / (double)rows;
    for (size_t k = 0; k < lat.shown; k++)
        put_panel(lay, &lat, k, (struct box){PAGE_MARGIN + LEFT + width * (double)(k % columns) - 20,
                                             TOP + (height + GAP_Y) * (double)(k / columns), width - LEFT - RIGHT + 20, height});
    layout_text_if_free(lay, "x.title", (struct point){lay->page.w / 2, BOTTOM + 42}, "N buckets",
                        (struct text_style){SIZE_LABEL, COLOUR_TEXT, ANCHOR_MIDDLE, false, false});
    frame_footer(lay, res);
}
