/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/pictures.h"
#include "result/csv.h"
#include "result/format.h"

#define PLOT_TOP 184.0
#define PLOT_BOTTOM 804.0
#define NAME_WIDTH 64.0
#define GAP 36.0
#define PANELS_MAX 3
#define NAMED_PITCH 14.0              /* bars closer than this carry no names */
#define BAR_PART 0.78                 /* of the pitch */
#define SERVER_HEIGHT 56.0            /* at most */

struct panel {
    const char *name;
    const struct result_run *run;
    enum colour colour;
    struct box plot;
    struct scale x;
    double *rates;                    /* rows/s, falling */
    int *order;                       /* servers in that order */
    double moment;                    /* what the hottest server of a moment does, over the windows; NaN: none is drawn */
};

bool servers_applies(const struct result *res)
{
    return res->run.servers_len > 0 && res->run.duration_s > 0;
}

static void item_name(char out[40], const struct panel *pn, const char *what, size_t i)
{
    snprintf(out, 40, "%s.%s.%zu", pn->name, what, i);
}

/* A scenario without any salt is drawn as what it is: the baseline. */
static enum colour colour_of(const struct result_run *run)
{
    char name[RESULT_NAME_CAP];
    return strcmp(result_run_name(run, name), "unsalted") == 0 ? COLOUR_BASELINE : COLOUR_CHOSEN;
}

/* The fair share: the mean of the servers that lived, over the run; without windows all count. */
static double mean_rate(const struct panel *pn)
{
    const struct result_run *run = pn->run;
    double sum = 0, fair = 0, seen = 0;
    for (size_t i = 0; i < run->servers_len; i++)
        sum += pn->rates[i];
    for (size_t w = 0; w < run->windows_len; w++) {
        const struct result_window *win = &run->windows[w];
        double all = 0;
        for (size_t i = 0; i < run->servers_len; i++)
            all += win->server_writes[i] > 0 ? win->server_writes[i] : 0;
        fair += all / (win->servers >= 1 ? win->servers : (double)run->servers_len);
        seen += all;
    }
    if (fair > 0 && isfinite(seen)) /* rows outside of all windows as those inside */
        return fair / seen * sum;
    return run->servers_len ? sum / (double)run->servers_len : 0;
}

/* Insertion sort: stable, and there are at most some hundred servers. */
static int sort_servers(struct panel *pn)
{
    size_t len = pn->run->servers_len;
    pn->rates = malloc((len ? len : 1) * sizeof *pn->rates);
    pn->order = malloc((len ? len : 1) * sizeof *pn->order);
    if (!pn->rates || !pn->order)
        return -1;
    for (size_t i = 0; i < len; i++) {
        double rate = pn->run->servers[i].writes / pn->run->duration_s;
        size_t at = i;
        rate = isfinite(rate) && rate > 0 ? rate : 0;
        for (; at > 0 && pn->rates[at - 1] < rate; at--) {
            pn->rates[at] = pn->rates[at - 1];
            pn->order[at] = pn->order[at - 1];
        }
        pn->rates[at] = rate;
        pn->order[at] = (int)i;
    }
    pn->moment = pn->run->summary.hot_server_ratio * mean_rate(pn);
    return 0;
}

static size_t count_busy(const struct panel *pn)
{
    size_t busy = 0;
    while (busy < pn->run->servers_len && pn->rates[busy] > 0)
        busy++;
    return busy;
}

/* Rows of a panel: the servers, and above them the hottest of each moment. */
static size_t rows_of(const struct result_run *run)
{
    return run->servers_len + 1;
}

static double pitch_of(const struct panel *pn)
{
    return pn->plot.h / (double)rows_of(pn->run);
}

/* Where the row of the |i|-th server begins. */
static double top_of(const struct panel *pn, size_t i)
{
    return pn->plot.y + (double)(i + 1) * pitch_of(pn);
}

struct bar {
    double rate_per_s, y;             /* y: of its figure's baseline */
    bool pale;
};

/* A bar's figure: rate and factor of the fair share, inside the bar's end where outside is no room. */
static void put_figure(struct layout *lay, const struct panel *pn, const char *name, struct bar bar)
{
    double end = scale_at(&pn->x, bar.rate_per_s), mean = mean_rate(pn);
    struct text_style style = {SIZE_TICK, COLOUR_TEXT, ANCHOR_START, false, true};
    char text[80], rate[FORMAT_CAP], ratio[FORMAT_CAP];
    snprintf(text, sizeof text, "%s  %s", format_rate(bar.rate_per_s, rate), format_ratio(bar.rate_per_s / mean, ratio));
    double width = layout_text_width(lay, text, style.size, false);
    if (end + 6 + width > pn->plot.x + pn->plot.w) {
        if (pitch_of(pn) * BAR_PART < 13)
            return; /* too thin a bar to write on */
        const double fair = scale_at(&pn->x, mean);
        style.anchor = ANCHOR_END;
        if (!bar.pale && (fair < end - 8 - width || fair > end - 4)) { /* else a patch keeps it clear of the line */
            style.colour = pn->colour == COLOUR_CHOSEN ? COLOUR_PAGE : COLOUR_ON_BAR;
            style.halo = false;
        }
        end -= 12;
    }
    layout_text_if_free(lay, name, (struct point){end + 6, bar.y}, text, style);
}

static void put_bar_label(struct layout *lay, const struct panel *pn, size_t i, double y)
{
    char name[40];
    item_name(name, pn, "figure", i);
    if (pn->rates[i] > 0)
        put_figure(lay, pn, name, (struct bar){pn->rates[i], y, false});
    else
        layout_text_if_free(lay, name, (struct point){pn->plot.x + 5, y}, "no writes",
                            (struct text_style){SIZE_TICK, COLOUR_MUTED, ANCHOR_START, false, true});
}

static enum colour pale_of(enum colour colour)
{
    return colour == COLOUR_CHOSEN ? COLOUR_CHOSEN_LIGHT : colour == COLOUR_BASELINE ? COLOUR_BASELINE_LIGHT : COLOUR_OTHER_LIGHT;
}

static bool has_moment(const struct panel *pn)
{
    return pn->moment > 0 && isfinite(pn->moment) && pn->moment <= pn->x.hi;
}

/* The hottest server of each moment: more than any did in the whole run where the place wanders. */
static void put_moment(struct layout *lay, const struct panel *pn)
{
    double pitch = pitch_of(pn), bar = floor(fmax(pitch * BAR_PART, 1)), y = floor(pn->plot.y + (pitch - bar) / 2);
    char name[40];
    item_name(name, pn, "moment", 0);
    layout_rect(lay, name, (struct box){pn->plot.x, y, fmax(1, scale_at(&pn->x, pn->moment) - pn->plot.x), bar}, pale_of(pn->colour));
}

static void put_moment_label(struct layout *lay, const struct panel *pn)
{
    double y = floor(pn->plot.y + pitch_of(pn) / 2) + 4;
    char name[40];
    item_name(name, pn, "moment.name", 0);
    layout_text_if_free(lay, name, (struct point){pn->plot.x - 7, y}, "hottest",
                        (struct text_style){SIZE_TICK, COLOUR_MUTED, ANCHOR_END, false, false});
    item_name(name, pn, "moment.figure", 0);
    put_figure(lay, pn, name, (struct bar){pn->moment, y, true});
}

static void put_bars(struct layout *lay, const struct panel *pn)
{
    double pitch = pitch_of(pn), bar = floor(fmax(pitch * BAR_PART, 1));
    char name[40];
    for (size_t i = 0; i < pn->run->servers_len && pn->rates[i] > 0; i++) {
        double y = floor(top_of(pn, i) + (pitch - bar) / 2), end = scale_at(&pn->x, pn->rates[i]);
        item_name(name, pn, "bar", i);
        layout_rect(lay, name, (struct box){pn->plot.x, y, fmax(1, end - pn->plot.x), bar}, pn->colour);
    }
}

static void put_names(struct layout *lay, const struct panel *pn)
{
    size_t len = pn->run->servers_len, busy = count_busy(pn);
    struct text_style style = {SIZE_TICK, COLOUR_TEXT, ANCHOR_END, false, false};
    double pitch = pitch_of(pn);
    char name[40], text[256];
    for (size_t i = 0; i < len && (pitch >= NAMED_PITCH || i == 0); i++) {
        double middle = floor(top_of(pn, i) + 0.5 * pitch) + 4;
        item_name(name, pn, "server", i);
        layout_shorten(lay, pn->run->servers[pn->order[i]].name ? pn->run->servers[pn->order[i]].name : "-", style,
                       NAME_WIDTH - 8, text);
        layout_text_if_free(lay, name, (struct point){pn->plot.x - 7, middle}, text, style);
        put_bar_label(lay, pn, i, middle);
    }
    if (pitch < NAMED_PITCH && busy < len) {
        double top = top_of(pn, busy);
        snprintf(text, sizeof text, "%zu servers without writes", len - busy);
        item_name(name, pn, "idle", 0);
        layout_text_if_free(lay, name, (struct point){pn->plot.x + 8, fmin(fmax(top + 20, pn->plot.y + 40), pn->plot.y + pn->plot.h - 4)},
                            text, (struct text_style){SIZE_LABEL, COLOUR_MUTED, ANCHOR_START, false, true});
    }
}

/* A line over all bars at |value|, and its text above, which may stand on the other's line. */
static void put_limit(struct layout *lay, const struct panel *pn, double value, bool capacity)
{
    double row = pn->plot.y - (capacity ? 22 : 7), x = scale_at(&pn->x, value);
    char name[40];
    item_name(name, pn, capacity ? "capacity" : "fair", 0);
    layout_line(lay, name, (struct point){x, row + 3}, (struct point){x, pn->plot.y + pn->plot.h},
                (struct line_style){capacity ? 2 : 1.5, capacity ? COLOUR_LIMIT : COLOUR_OTHER, capacity ? DASH_LONG : DASH_SHORT, 1});
}

static void put_limit_label(struct layout *lay, const struct panel *pn, double value, bool capacity, const char *text)
{
    struct text_style label = {SIZE_TICK, capacity ? COLOUR_TITLE : COLOUR_MUTED, ANCHOR_MIDDLE, false, true};
    double width = layout_text_width(lay, text, label.size, false), row = pn->plot.y - (capacity ? 22 : 7);
    double left = pn->plot.x + width / 2, right = pn->plot.x + pn->plot.w - width / 2;
    char name[40];
    item_name(name, pn, capacity ? "capacity.label" : "fair.label", 0);
    layout_text_if_free(lay, name, (struct point){fmin(fmax(scale_at(&pn->x, fmin(value, pn->x.hi)), left), right), row}, text, label);
}

static void put_limits(struct layout *lay, const struct panel *pn)
{
    double capacity = pn->run->server_capacity_per_s, mean = mean_rate(pn);
    const bool has_mean = mean > 0 && isfinite(mean), has_capacity = capacity > 0 && isfinite(capacity), beyond = capacity > pn->x.hi;
    char text[120], rate[FORMAT_CAP];
    if (has_mean)
        put_limit(lay, pn, mean, false);
    if (has_capacity && !beyond)
        put_limit(lay, pn, capacity, true);
    snprintf(text, sizeof text, "one server's capacity %s%s", format_rate(capacity, rate), beyond ? ", beyond the axis" : "");
    if (has_capacity)
        put_limit_label(lay, pn, capacity, true, text);
    snprintf(text, sizeof text, "fair share %s", format_rate(mean, rate));
    if (has_mean)
        put_limit_label(lay, pn, mean, false, text);
}

static void put_panel(struct layout *lay, const struct panel *pn)
{
    const struct result_summary *sum = &pn->run->summary;
    char name[40], text[300], run[RESULT_NAME_CAP], ratio[FORMAT_CAP];
    size_t idle = pn->run->servers_len - count_busy(pn);
    snprintf(text, sizeof text, "%s: hottest %s", result_run_name(pn->run, run), format_ratio(sum->hot_server_ratio, ratio));
    if (idle)
        snprintf(text + strlen(text), sizeof text - strlen(text), ", %zu get%s no writes", idle, idle == 1 ? "s" : "");
    item_name(name, pn, "title", 0);
    frame_panel_title(lay, name, (struct point){pn->plot.x, pn->plot.y - 44}, text, pn->plot.w);
    item_name(name, pn, "x", 0);
    struct axis axis = {name, pn->plot, pn->x, 5, true};
    frame_x_axis(lay, &axis);
    if (has_moment(pn))
        put_moment(lay, pn);
    put_bars(lay, pn);
    put_limits(lay, pn);
    if (has_moment(pn))
        put_moment_label(lay, pn);
    put_names(lay, pn);
}

/* One axis for all panels: to the capacity, unless the loads are far below it. */
static double axis_end(const struct panel *panels, size_t len)
{
    double most = 0, capacity = panels[0].run->server_capacity_per_s;
    for (size_t i = 0; i < len; i++) {
        most = fmax(most, panels[i].run->servers_len ? panels[i].rates[0] : 0);
        most = isfinite(panels[i].moment) ? fmax(most, panels[i].moment) : most;
    }
    if (isfinite(capacity) && most > capacity / 12)
        return fmax(most, capacity) * 1.04;
    return most > 0 ? most * 1.2 : 1;
}

static void put_title(struct layout *lay, const struct result *res, const struct result_run *none)
{
    const struct result_run *run = &res->run, *twice = result_comparison(res, "twice");
    char full[300], shorter[300], subtitle[300], name[RESULT_NAME_CAP], a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP], more[80] = "";
    format_ratio(run->summary.hot_server_ratio, a);
    result_run_name(run, name);
    if (twice && twice->buckets != run->buckets)
        snprintf(more, sizeof more, ", %d buckets %s", twice->buckets, format_ratio(twice->summary.hot_server_ratio, c));
    if (none)
        snprintf(full, sizeof full, "%s: the hottest of %zu servers does %s the mean; unsalted %s%s", name,
                 run->servers_len, a, format_ratio(none->summary.hot_server_ratio, b), more);
    else
        snprintf(full, sizeof full, "%s: the hottest of %zu servers does %s the mean", frame_run_title(run, name),
                 run->servers_len, a);
    snprintf(shorter, sizeof shorter, "%s: the hottest server does %s the mean%s%s", name, a, none ? "; unsalted " : "",
             none ? b : "");
    snprintf(subtitle, sizeof subtitle, "Rows/s of each server over the whole run, sorted, and the factor of the mean. Pale: the "
             "hottest one of each moment, by the mean of its factor.");
    if (!isfinite(run->summary.hot_server_ratio)) {
        snprintf(full, sizeof full, "%s: no row was written", frame_run_title(run, name));
        strcpy(shorter, full);
    }
    const char *titles[] = {full, shorter, NULL};
    frame_title(lay, titles, subtitle);
}

static size_t collect(const struct result *res, struct panel panels[PANELS_MAX])
{
    const struct result_run *none = result_comparison(res, "none"), *twice = result_comparison(res, "twice");
    size_t len = 0;
    if (none && none->servers_len)
        panels[len++] = (struct panel){.name = "none", .run = none, .colour = COLOUR_BASELINE};
    panels[len++] = (struct panel){.name = "scenario", .run = &res->run,
                                   .colour = colour_of(&res->run)};
    if (twice && twice->servers_len)
        panels[len++] = (struct panel){.name = "twice", .run = twice, .colour = COLOUR_OTHER};
    return len;
}

void servers_panel(struct layout *lay, const struct result *res, struct box area)
{
    double width = area.w - NAME_WIDTH, x = area.x + NAME_WIDTH;
    struct panel panel = {.name = "scenario", .run = &res->run, .colour = colour_of(&res->run)};
    panel.plot = (struct box){x, area.y, width, fmin(area.h, SERVER_HEIGHT * (double)rows_of(&res->run))};
    if (sort_servers(&panel) != 0) {
        lay->failed = true;
    } else {
        panel.x = scale_make(SCALE_LINEAR, 0, axis_end(&panel, 1), x, x + width);
        put_panel(lay, &panel);
    }
    free(panel.rates);
    free(panel.order);
}

void servers_layout(const struct result *res, struct layout *lay)
{
    struct panel panels[PANELS_MAX];
    if (!servers_applies(res)) {
        frame_empty(lay, "Load by server: no data", "The result has no servers.");
        frame_footer(lay, res);
        return;
    }
    size_t len = collect(res, panels);
    double width = floor((lay->page.w - 2 * PAGE_MARGIN - GAP * (double)(len - 1)) / (double)len);
    for (size_t i = 0; i < len; i++)
        if (sort_servers(&panels[i]) != 0)
            lay->failed = true;
    put_title(lay, res, result_comparison(res, "none"));
    for (size_t i = 0; i < len && !lay->failed; i++) {
        double x = PAGE_MARGIN + (width + GAP) * (double)i + NAME_WIDTH;
        double height = fmin(PLOT_BOTTOM - PLOT_TOP, SERVER_HEIGHT * (double)rows_of(panels[i].run));
        panels[i].plot = (struct box){x, PLOT_TOP, width - NAME_WIDTH, height};
        panels[i].x = scale_make(SCALE_LINEAR, 0, axis_end(panels, len), x, x + width - NAME_WIDTH);
        put_panel(lay, &panels[i]);
    }
    for (size_t i = 0; i < len; i++) {
        free(panels[i].rates);
        free(panels[i].order);
    }
    frame_footer(lay, res);
}
