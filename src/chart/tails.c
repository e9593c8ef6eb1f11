/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/pictures.h"
#include "result/csv.h"
#include "result/format.h"

#define PLOT_TOP 168.0
#define PLOT_BOTTOM 804.0
#define BAR_WIDTH 110.0
#define TAILS_SHOWN 5                 /* colours: 0 1 2 3 4 and more, unless most servers have more */

bool tails_applies(const struct result *res)
{
    return res->run.windows_len > 0 && res->run.servers_len > 0 && res->run.duration_s > 0;
}

/* The largest count that is drawn. */
static double most_of(const struct result_run *run)
{
    double most = 0;
    for (size_t w = 0; w < run->windows_len; w++)
        for (size_t s = 0; s < run->servers_len; s++)
            if (isfinite(run->windows[w].server_tails[s]))
                most = fmax(most, run->windows[w].server_tails[s]);
    return most;
}

/* "at most 2 on one server"; where the median window has fewer, that too. */
static const char *fullest_text(const struct result_run *run, char text[100])
{
    const double most = most_of(run), usual = run->summary.tails_per_server_max;
    char a[FORMAT_CAP], b[FORMAT_CAP];
    if (usual < most)
        snprintf(text, 100, "on the fullest %s, at times %s", format_count(usual, a), format_count(most, b));
    else
        snprintf(text, 100, "at most %s on one server", format_count(most, a));
    return text;
}

/* The colour scale: so many tails a colour, such that the largest count has one of its own. */
static double step_of(double most)
{
    return most <= TAILS_SHOWN - 1 ? 1 : ceil(most / (TAILS_SHOWN - 1));
}

static uint8_t colour_of(double tails, double step)
{
    static const int levels[TAILS_SHOWN] = {0, 18, 30, 40, CELL_OVER - 1};
    double bin = ceil(tails / step);
    int i = isfinite(bin) && bin > 0 ? bin < TAILS_SHOWN ? (int)bin : TAILS_SHOWN - 1 : 0;
    return (uint8_t)(COLOUR_CELLS + levels[i]);
}

static const struct result_window *window_at(const struct result_run *run, double at_s, size_t *w)
{
    while (*w + 1 < run->windows_len && run->windows[*w].end_s <= at_s)
        (*w)++;
    const struct result_window *win = &run->windows[*w];
    return win->begin_s <= at_s && at_s < win->end_s ? win : NULL;
}

/* A column of pixels for each window in its middle, a row of them for each server. */
static uint8_t *pixels_of(const struct frame_panel *pn, double step)
{
    size_t width = (size_t)pn->plot.w, height = (size_t)pn->plot.h, servers = pn->run->servers_len, w = 0;
    uint8_t *out = malloc(width * height);
    for (size_t x = 0; out && x < width; x++) {
        const struct result_window *win = window_at(pn->run, ((double)x + 0.5) * pn->run->duration_s / (double)width, &w);
        for (size_t y = 0; y < height; y++) {
            size_t s = y * servers / height;
            bool line = y > 0 && height >= servers * 4 && s != (y - 1) * servers / height;
            uint8_t none = (x + y) % 6 ? COLOUR_PAGE : COLOUR_NO_DATA;
            out[y * width + x] = line ? COLOUR_MARK : win ? colour_of(win->server_tails[s], step) : none;
        }
    }
    return out;
}

static void put_server_names(struct layout *lay, const struct frame_panel *pn)
{
    size_t servers = pn->run->servers_len;
    struct text_style left = {SIZE_TICK, COLOUR_TEXT, ANCHOR_END, false, false}, right = left;
    char name[40], text[256], count[FORMAT_CAP];
    right.anchor = ANCHOR_START;
    for (size_t s = 0; s < servers; s++) {
        double y = pn->plot.y + ((double)s + 0.5) * pn->plot.h / (double)servers + 4;
        frame_item_name(name, pn->name, "server", s);
        layout_shorten(lay, pn->run->servers[s].name ? pn->run->servers[s].name : "-", left, 54, text);
        if (!layout_text_if_free(lay, name, (struct point){pn->plot.x - 7, y}, text, left))
            continue;
        frame_item_name(name, pn->name, "tails", s);
        layout_text_if_free(lay, name, (struct point){pn->plot.x + pn->plot.w + 7, y},
                            format_count(pn->run->servers[s].tails, count), right);
    }
}

static void put_panel(struct layout *lay, const struct frame_panel *pn, double step)
{
    const struct result_summary *sum = &pn->run->summary;
    char name[40], text[200], run[RESULT_NAME_CAP], tails[60], most[100];
    uint8_t *levels = pn->run->windows_len && pn->run->servers_len ? pixels_of(pn, step) : NULL;
    frame_plural(sum->write_tails, "write tail", tails, sizeof tails);
    snprintf(text, sizeof text, "%s: %s, %s", result_run_name(pn->run, run), tails, fullest_text(pn->run, most));
    frame_item_name(name, pn->name, "title", 0);
    frame_panel_title(lay, name, (struct point){pn->plot.x, PLOT_TOP - 28}, text, pn->plot.w);
    if (!levels) {
        layout_hatch(lay, "nothing", pn->plot);
        return;
    }
    frame_item_name(name, pn->name, "cells", 0);
    layout_cells(lay, name, pn->plot, levels);
    put_server_names(lay, pn);
    frame_item_name(name, pn->name, "median", 0);
    layout_text_if_free(lay, name, (struct point){pn->plot.x + pn->plot.w + 34, PLOT_TOP - 8}, "median",
                        (struct text_style){SIZE_TICK, COLOUR_MUTED, ANCHOR_END, false, false});
    frame_item_name(name, pn->name, "x", 0);
    struct axis axis = {name, pn->plot, scale_make(SCALE_TIME, 0, pn->run->duration_s, pn->plot.x, pn->plot.x + pn->plot.w),
                        pn->plot.w > 800 ? 10 : 6, false};
    frame_x_axis(lay, &axis);
}

/* As many colours as are drawn. */
static void put_key(struct layout *lay, double step, double most)
{
    double x = lay->page.w - PAGE_MARGIN - BAR_WIDTH + 14;
    struct text_style style = {SIZE_TICK, COLOUR_TEXT, ANCHOR_START, false, false};
    char name[40], text[80], first[FORMAT_CAP], last[FORMAT_CAP];
    layout_text(lay, "key.title.0", (struct point){x, PLOT_TOP + 10}, "write tails", style);
    layout_text(lay, "key.title.1", (struct point){x, PLOT_TOP + 26}, "on a server", style);
    for (int i = 0; i < TAILS_SHOWN && (i < 2 || step * (i - 1) < most); i++) {
        double y = PLOT_TOP + 44 + 26 * i, from = step * (i - 1) + 1, to = step * i;
        frame_item_name(name, "key", "box", (size_t)i);
        layout_rect(lay, name, (struct box){x, y, 20, 18}, (enum colour)colour_of(step * i, step));
        if (i == 0)
            strcpy(text, "0, idle");
        else if (step <= 1)
            snprintf(text, sizeof text, "%d", i);
        else
            snprintf(text, sizeof text, "%s to %s", format_count(from, first), format_count(to, last));
        frame_item_name(name, "key", "label", (size_t)i);
        layout_text_if_free(lay, name, (struct point){x + 28, y + 14}, text, style);
    }
}

static void put_title(struct layout *lay, const struct result *res)
{
    const struct result_run *run = &res->run;
    char full[300], shorter[200], tails[60], most[100], without[60] = "none is idle", carry[40] = "none carries";
    double fair = run->summary.write_tails / (double)run->servers_len;
    double idle = run->summary.servers_idle; /* of the median window, as the reports say */
    bool ever = false;
    size_t stacked = 0;
    for (size_t s = 0; s < run->servers_len; s++) {
        stacked += isfinite(fair) && run->servers[s].tails > ceil(fair - 1e-9) - 0.5 && run->servers[s].tails > fair + 1e-9;
        for (size_t w = 0; w < run->windows_len && !ever; w++)
            ever = run->windows[w].server_tails[s] < 0.5;
    }
    frame_plural(run->summary.write_tails, "write tail", tails, sizeof tails);
    snprintf(shorter, sizeof shorter, "%s on %zu servers: %s", tails, run->servers_len, fullest_text(run, most));
    if (idle >= 0.5)
        snprintf(without, sizeof without, "%.0f %s idle", idle, idle < 1.5 ? "is" : "are");
    else if (ever)
        strcpy(without, "none is idle for long");
    if (stacked)
        snprintf(carry, sizeof carry, "%zu carr%s", stacked, stacked == 1 ? "ies" : "y");
    snprintf(full, sizeof full, "%s on %zu servers: %s more than a fair share, %s", tails, run->servers_len, carry, without);
    const char *titles[] = {full, shorter, NULL};
    frame_title(lay, titles, "Write tails on each server over time: a tail is a region that takes at least a tenth of the "
                             "mean of those written. Bright servers do more than others.");
}

void tails_layout(const struct result *res, struct layout *lay)
{
    static const struct frame_margins margins = {PLOT_TOP, PLOT_BOTTOM, 60, 36, BAR_WIDTH};
    struct frame_panel panels[2];
    if (!tails_applies(res)) {
        frame_empty(lay, "Write tails on servers: no data", "The run was too short for one sample window.");
        frame_footer(lay, res);
        return;
    }
    const struct result_run *none = result_comparison(res, "none");
    const double most = fmax(most_of(&res->run), none ? most_of(none) : 0), step = step_of(most);
    size_t len = frame_before_after(lay, res, &margins, panels);
    put_title(lay, res);
    for (size_t i = 0; i < len; i++)
        put_panel(lay, &panels[i], step);
    put_key(lay, step, most);
    frame_footer(lay, res);
}

void tails_csv(const struct result *res, FILE *to)
{
    static const char *const header[] = {"role", "run_buckets", "begin_s", "end_s", "server", "writes", "tails"};
    struct csv csv = {to, false};
    const struct result_run *run;
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        csv_text(&csv, header[i]);
    csv_end_row(&csv);
    for (size_t r = 0; (run = result_run_at(res, r)); r++) {
        if (run->role && strcmp(run->role, "twice") == 0)
            continue;
        for (size_t w = 0; w < run->windows_len; w++) {
            for (size_t s = 0; s < run->servers_len; s++) {
                csv_text(&csv, run->role);
                csv_number(&csv, run->buckets);
                csv_number(&csv, run->windows[w].begin_s);
                csv_number(&csv, run->windows[w].end_s);
                csv_text(&csv, run->servers[s].name);
                csv_number(&csv, run->windows[w].server_writes[s]);
                csv_number(&csv, run->windows[w].server_tails[s]);
                csv_end_row(&csv);
            }
        }
    }
}
