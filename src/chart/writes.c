/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/pictures.h"
#include "chart/series.h"
#include "result/csv.h"
#include "result/format.h"

#define PLOT_LEFT 112.0
#define PLOT_WIDTH 1290.0
#define RATE_TOP 148.0
#define RATE_HEIGHT 128.0
#define LATENCY_TOP 322.0
#define LATENCY_HEIGHT 366.0
#define RUG_TOP 712.0
#define RUG_ROW 24.0
#define MARKS_MAX 40                  /* more events of a kind are drawn as fine strokes */

#define WINDOW(member) offsetof(struct result_window, member)

static const struct series OFFERED = {"rate.offered", "offered", WINDOW(offered), 1, true,
                                      {2, COLOUR_OTHER, DASH_SHORT, 1}};
static const struct series DONE = {"rate.done", "done", WINDOW(done), 1, true, {2, COLOUR_CHOSEN, DASH_NONE, 1}};
static const struct series NONE_DONE = {"rate.none", "done, unsalted", WINDOW(done), 1, true,
                                        {2, COLOUR_BASELINE, DASH_LONG, 1}};
static const struct series P50 = {"latency.p50", "p50", WINDOW(p50_us), 1000, false, {1.5, COLOUR_GREEN, DASH_DOTS, 1}};
static const struct series P99 = {"latency.p99", "p99", WINDOW(p99_us), 1000, false, {2, COLOUR_CHOSEN, DASH_NONE, 1}};
static const struct series P999 = {"latency.p999", "p99.9", WINDOW(p999_us), 1000, false,
                                   {1.5, COLOUR_LIMIT, DASH_SHORT, 1}};
static const struct series NONE_P99 = {"latency.none", "p99, unsalted", WINDOW(p99_us), 1000, false,
                                       {2, COLOUR_BASELINE, DASH_LONG, 1}};

bool writes_applies(const struct result *res)
{
    return res->run.windows_len > 0 && res->run.duration_s > 0;
}

static struct scale time_scale(const struct result_run *run)
{
    return scale_make(SCALE_TIME, 0, run->duration_s, PLOT_LEFT, PLOT_LEFT + PLOT_WIDTH);
}

/* The largest of several series, for a common axis. */
static bool common_range(const struct result_run *run, const struct series *const *list, double *lo, double *hi)
{
    bool any = false;
    for (size_t i = 0; list[i]; i++) {
        double least, most;
        if (!series_range(run, list[i], true, &least, &most))
            continue;
        *lo = any ? fmin(*lo, least) : least;
        *hi = any ? fmax(*hi, most) : most;
        any = true;
    }
    return any;
}

/* Windows in which a region was away behind everything else. */
static void put_blocked(struct layout *lay, const struct result_run *run, struct box box)
{
    struct scale x = time_scale(run);
    for (size_t i = 0; i < run->windows_len; i++) {
        const struct result_window *win = &run->windows[i];
        char name[40];
        if (!(win->blocked_s > 0))
            continue;
        double from = scale_at(&x, win->begin_s), to = fmax(scale_at(&x, win->end_s), from + 1);
        frame_item_name(name, "latency", "away", i);
        if (from >= box.x && to <= box.x + box.w + 0.5)
            layout_rect(lay, name, (struct box){from, box.y, to - from, box.h}, COLOUR_BASELINE_LIGHT);
    }
}

static void put_rates(struct layout *lay, const struct result *res, const struct result_run *none, struct box box)
{
    static const struct series *const list[] = {&OFFERED, &DONE, NULL};
    struct scale x = time_scale(&res->run), y;
    double lo = 0, hi = 1;
    common_range(&res->run, list, &lo, &hi);
    y = scale_make(SCALE_LINEAR, 0, hi * 1.08, box.y + box.h, box.y);
    struct axis axis = {"rate.y", box, y, box.h > RATE_HEIGHT ? 8 : 4, true};
    frame_y_axis(lay, &axis);
    struct end_label labels[3] = {{OFFERED.label, (double)NAN, COLOUR_MUTED}, {DONE.label, (double)NAN, COLOUR_CHOSEN},
                                  {NONE_DONE.label, (double)NAN, COLOUR_BASELINE_TEXT}};
    labels[0].y = series_draw(lay, &res->run, &OFFERED, &x, &y);
    labels[2].y = none ? series_draw(lay, none, &NONE_DONE, &x, &y) : (double)NAN;
    labels[1].y = series_draw(lay, &res->run, &DONE, &x, &y);
    series_end_labels(lay, "rate", labels, 3, box);
    frame_label(lay, "rate.title", (struct point){PLOT_LEFT - 72, RATE_TOP - 14}, "rows/s, mean of each window");
}

/* A run that counts rows knows no latency: its rates get the room, and a label says why. */
static bool has_latency(const struct result *res, const struct result_run *none)
{
    static const struct series *const list[] = {&P50, &P99, &P999, NULL}, *const before[] = {&NONE_P99, NULL};
    double lo, hi;
    return common_range(&res->run, list, &lo, &hi) || (none && common_range(none, before, &lo, &hi));
}

static void put_rates_alone(struct layout *lay, const struct result *res, const struct result_run *none)
{
    const struct box box = {PLOT_LEFT, RATE_TOP, PLOT_WIDTH, LATENCY_TOP + LATENCY_HEIGHT - RATE_TOP};
    char text[200];
    put_blocked(lay, &res->run, box);
    put_rates(lay, res, none, box);
    snprintf(text, sizeof text, "detail %s counts rows and knows no latencies; --detail write does", res->run.detail ? res->run.detail : "-");
    layout_text(lay, "latency.why.0", (struct point){PLOT_LEFT + PLOT_WIDTH, RATE_TOP - 14}, text,
                (struct text_style){SIZE_LABEL, COLOUR_MUTED, ANCHOR_END, false, false});
}

static void put_latency(struct layout *lay, const struct result *res, const struct result_run *none)
{
    static const struct series *const list[] = {&P50, &P99, &P999, NULL}, *const before[] = {&NONE_P99, NULL};
    struct box box = {PLOT_LEFT, LATENCY_TOP, PLOT_WIDTH, LATENCY_HEIGHT};
    struct scale x = time_scale(&res->run), y;
    double lo = 1, hi = 1000, none_lo, none_hi;
    bool any = common_range(&res->run, list, &lo, &hi), none_any = none && common_range(none, before, &none_lo, &none_hi);
    if (none_any) {
        lo = any ? fmin(lo, none_lo) : none_lo;
        hi = any ? fmax(hi, none_hi) : none_hi;
    }
    y = scale_make(SCALE_LOG10, fmax(lo / 1.5, hi / 1e9), hi * 1.5, box.y + box.h, box.y);
    put_blocked(lay, &res->run, box);
    struct axis axis = {"latency.y", box, y, 6, true};
    frame_y_axis(lay, &axis);
    struct end_label labels[4] = {{P50.label, (double)NAN, COLOUR_TEXT}, {P99.label, (double)NAN, COLOUR_CHOSEN},
                                  {P999.label, (double)NAN, COLOUR_LIMIT}, {NONE_P99.label, (double)NAN, COLOUR_BASELINE_TEXT}};
    labels[3].y = none ? series_draw(lay, none, &NONE_P99, &x, &y) : (double)NAN;
    labels[0].y = series_draw(lay, &res->run, &P50, &x, &y);
    labels[2].y = series_draw(lay, &res->run, &P999, &x, &y);
    labels[1].y = series_draw(lay, &res->run, &P99, &x, &y);
    series_end_labels(lay, "latency", labels, 4, box);
    frame_label(lay, "latency.title", (struct point){PLOT_LEFT - 72, LATENCY_TOP - 14},
                "latency of a write in ms, log scale, from the hand-over of a call to its reply");
}

/* One row of the rug: the events of a kind. */
struct rug {
    const char *kind, *label;
    enum mark mark;
    enum colour colour;
};

static const struct rug RUGS[] = {
    {"flush", "flush", MARK_DOWN, COLOUR_GREEN},
    {"compaction", "compaction", MARK_DIAMOND, COLOUR_OTHER},
    {"split", "split", MARK_CROSS, COLOUR_BASELINE},
    {"move", "move", MARK_ARROW, COLOUR_CHOSEN},
    {"server", "server", MARK_CROSS, COLOUR_TEXT}, /* lost, added, drained, restarted; drawn where there are any */
};

static bool in_rug(const struct result_event *ev, const struct rug *rug)
{
    if (!ev->kind)
        return false;
    return strcmp(rug->kind, "server") == 0 ? strstr(ev->kind, "server") != NULL : strcmp(ev->kind, rug->kind) == 0;
}

static size_t put_rug(struct layout *lay, const struct result_run *run, const struct rug *rug, double y)
{
    struct scale x = time_scale(run);
    size_t len = 0, drawn = 0;
    double last = -10;
    char name[40];
    for (size_t i = 0; i < run->events_len; i++)
        len += in_rug(&run->events[i], rug);
    for (size_t i = 0; i < run->events_len; i++) {
        const struct result_event *ev = &run->events[i];
        double at = scale_at(&x, ev->at_s);
        if (!in_rug(ev, rug) || !(at >= PLOT_LEFT && at <= PLOT_LEFT + PLOT_WIDTH))
            continue;
        if (fabs(at - last) < (len > MARKS_MAX ? 1 : 3))
            continue; /* they would lie on each other */
        last = at;
        frame_item_name(name, "rug", rug->kind, drawn++);
        if (len > MARKS_MAX)
            layout_line(lay, name, (struct point){at, y - 6}, (struct point){at, y + 6},
                        (struct line_style){1, rug->colour, DASH_NONE, 1});
        else
            layout_mark(lay, name, (struct point){at, y}, rug->mark, rug->colour);
    }
    return len;
}

/* Where events aren't listed one by one: a stroke in each window that had some. */
static void put_counted(struct layout *lay, const struct result_run *run, const struct rug *rug, double y)
{
    struct scale x = time_scale(run);
    double last = -10;
    char name[40];
    for (size_t i = 0; i < run->windows_len; i++) {
        const struct result_window *win = &run->windows[i];
        const double at = floor(scale_at(&x, (win->begin_s + win->end_s) / 2)) + 0.5;
        const double count = strcmp(rug->kind, "flush") == 0 ? win->flushes : strcmp(rug->kind, "compaction") == 0 ? win->compactions
                             : strcmp(rug->kind, "split") == 0 ? win->splits : win->moves;
        if (!(count > 0) || at - last < 1 || !(at >= PLOT_LEFT && at <= PLOT_LEFT + PLOT_WIDTH))
            continue;
        last = at;
        frame_item_name(name, "rug", rug->kind, i);
        layout_line(lay, name, (struct point){at, y - 6}, (struct point){at, y + 6}, (struct line_style){1, rug->colour, DASH_NONE, 1});
    }
}

/* How many there were: what the run counted, also where it listed no times of them. */
static double count_of(const struct result_run *run, const struct rug *rug)
{
    const struct {
        const char *kind;
        double count;
    } counts[] = {{"flush", run->summary.flushes}, {"compaction", run->summary.compactions}, {"split", run->summary.splits},
                  {"move", run->summary.moves}};
    double listed = 0;
    for (size_t i = 0; i < run->events_len; i++)
        listed += in_rug(&run->events[i], rug);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (strcmp(rug->kind, counts[i].kind) == 0 && counts[i].count > listed)
            return counts[i].count;
    return listed;
}

static void put_rugs(struct layout *lay, const struct result_run *run)
{
    size_t len = sizeof RUGS / sizeof *RUGS - 1;
    char name[40], text[60], count[FORMAT_CAP];
    for (size_t i = 0; i < run->events_len; i++)
        if (in_rug(&run->events[i], &RUGS[len])) {
            len++;
            break;
        }
    for (size_t i = 0; i < len; i++) {
        double y = RUG_TOP + RUG_ROW * ((double)i + 0.5);
        const size_t drawn = put_rug(lay, run, &RUGS[i], y);
        const double events = count_of(run, &RUGS[i]);
        if (!drawn && events > 0)
            put_counted(lay, run, &RUGS[i], y);
        frame_item_name(name, "rug", "label", i);
        snprintf(text, sizeof text, "%s", RUGS[i].label);
        layout_text(lay, name, (struct point){PLOT_LEFT - 9, y + 4}, text,
                    (struct text_style){SIZE_TICK, COLOUR_TEXT, ANCHOR_END, false, false});
        frame_item_name(name, "rug", "count", i);
        layout_text(lay, name, (struct point){PLOT_LEFT + PLOT_WIDTH + 8, y + 4}, format_count(events, count),
                    (struct text_style){SIZE_TICK, COLOUR_TEXT, ANCHOR_START, false, false});
    }
    struct axis axis = {"time", {PLOT_LEFT, RUG_TOP, PLOT_WIDTH, RUG_ROW * (double)len + 4}, time_scale(run), 10, false};
    frame_x_axis(lay, &axis);
}

static const char SUBTITLE[] = "Writes over time. Bands: windows in which a region was away, by a split, a move or a lost server. "
                               "Below: what the servers did meanwhile, with its number in the run.";

#define DENT 0.9                      /* of what is offered: below it a window's writes are held up */

/* The longest stretch of windows whose writes are held up. */
struct dent {
    double from_s, to_s;
    double least_per_s;               /* rows/s of its slowest window */
};

static struct dent find_dent(const struct result_run *run)
{
    struct dent best = {0, 0, 0}, now = {0, 0, 0};
    bool inside = false;
    for (size_t i = 0; i < run->windows_len; i++) {
        const struct result_window *win = &run->windows[i];
        const double rate = win->done / (win->end_s - win->begin_s);
        if (!(win->done < DENT * win->offered)) {
            inside = false;
            continue;
        }
        if (!inside)
            now = (struct dent){win->begin_s, win->end_s, rate};
        inside = true;
        now.to_s = win->end_s;
        now.least_per_s = fmin(now.least_per_s, rate);
        if (now.to_s - now.from_s > best.to_s - best.from_s)
            best = now;
    }
    return best;
}

/* Writes that stood still for a part of the run, which its totals don't show. */
static bool put_dent_title(struct layout *lay, const struct result_run *run)
{
    const struct result_summary *sum = &run->summary;
    const struct dent dent = find_dent(run);
    const double length_s = dent.to_s - dent.from_s;
    char full[400], shorter[300], name[RESULT_NAME_CAP], a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP], d[FORMAT_CAP], e[FORMAT_CAP];
    if (!(length_s > 0) || length_s > run->duration_s / 2 || !(sum->writes_done >= DENT * sum->writes_offered))
        return false;
    format_rate(sum->writes_offered / run->duration_s, b);
    format_rate(dent.least_per_s, c);
    format_time(length_s, d);
    if (dent.from_s > 0)
        snprintf(shorter, sizeof shorter, "%s: at %s writes fall from %s to %s for %s", frame_run_title(run, name),
                 format_time(dent.from_s, a), b, c, d);
    else
        snprintf(shorter, sizeof shorter, "%s: in the first %s as few as %s of %s are done", frame_run_title(run, name), d, c, b);
    snprintf(full, sizeof full, "%s, a row waits %s", shorter, format_time(sum->queue_age_max_s, e));
    const char *titles[] = {isfinite(sum->queue_age_max_s) && sum->queue_age_max_s > 0 ? full : shorter, shorter, NULL};
    frame_title(lay, titles, SUBTITLE);
    return true;
}

/* Without latencies the rates are what there is to say. */
static void put_rate_title(struct layout *lay, const struct result *res, const struct result_run *none)
{
    const struct result_summary *sum = &res->run.summary;
    char full[400], shorter[300], name[RESULT_NAME_CAP], a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP];
    if (put_dent_title(lay, &res->run))
        return;
    snprintf(shorter, sizeof shorter, "%s: %s of the writes are done as they come", frame_run_title(&res->run, name),
             format_percent(sum->writes_done / sum->writes_offered, a));
    snprintf(full, sizeof full, "%s: %s of %s are done%s%s", name, format_rate(sum->writes_done / res->run.duration_s, a),
             format_rate(sum->writes_offered / res->run.duration_s, b), none ? "; unsalted " : "",
             none ? format_rate(none->summary.writes_done / res->run.duration_s, c) : "");
    const char *titles[] = {full, shorter, NULL};
    frame_title(lay, titles, SUBTITLE);
}

static void put_title(struct layout *lay, const struct result *res, const struct result_run *none)
{
    const struct result_summary *sum = &res->run.summary;
    char full[400], shorter[300], before[80] = "", name[RESULT_NAME_CAP], a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP], d[FORMAT_CAP];
    double worst_s = (double)NAN, worst = 0;
    for (size_t i = 0; i < res->run.windows_len; i++) {
        if (res->run.windows[i].p99_us > worst) {
            worst = res->run.windows[i].p99_us;
            worst_s = res->run.windows[i].begin_s;
        }
    }
    result_run_name(&res->run, name);
    if (none)
        snprintf(before, sizeof before, "; unsalted %s", format_latency(none->summary.write_p99_us, d));
    if (!isfinite(sum->write_p99_us)) {
        put_rate_title(lay, res, none);
        return;
    }
    format_latency(sum->write_p99_us, a);
    snprintf(shorter, sizeof shorter, "%s: 99 %% of the writes take at most %s%s", frame_run_title(&res->run, name), a,
             before);
    if (isnan(worst_s))
        strcpy(full, shorter);
    else
        snprintf(full, sizeof full, "%s: p99 of a write is %s, %s in the worst window at %s%s",
                 frame_run_title(&res->run, name), a, format_latency(worst, b), format_time(worst_s, c), before);
    const char *titles[] = {full, shorter, NULL};
    frame_title(lay, titles, SUBTITLE);
}

void writes_layout(const struct result *res, struct layout *lay)
{
    const struct result_run *none = result_comparison(res, "none");
    if (!writes_applies(res)) {
        frame_empty(lay, "Writes over time: no data", "The run was too short for one sample window.");
        frame_footer(lay, res);
        return;
    }
    put_title(lay, res, none);
    if (has_latency(res, none)) {
        put_rates(lay, res, none, (struct box){PLOT_LEFT, RATE_TOP, PLOT_WIDTH, RATE_HEIGHT});
        put_latency(lay, res, none);
    } else {
        put_rates_alone(lay, res, none);
    }
    put_rugs(lay, &res->run);
    frame_footer(lay, res);
}
