/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/keymatrix.h"
#include "chart/pictures.h"
#include "result/csv.h"
#include "result/format.h"

#define KEYS_TOP 168.0
#define KEYS_BOTTOM 470.0
#define LOW_TOP 560.0
#define LOW_BOTTOM 832.0
#define LEFT_WIDTH 470.0
#define FOURTH_LEFT 590.0
#define FOURTH_WIDTH 416.0
#define TABLE_LEFT 1050.0
#define RUNS_MAX 3

bool summary_applies(const struct result *res)
{
    return keyspace_applies(res) && res->run.servers_len > 0 && res->run.duration_s > 0;
}

/* A line of the table of numbers. */
struct row {
    const char *label;
    const char *(*format)(double value, char text[FORMAT_CAP]);
    double (*figure)(const struct result_run *run);
};

static double tails(const struct result_run *run) { return run->summary.write_tails; }
static double ratio(const struct result_run *run) { return run->summary.hot_server_ratio; }
static double idle(const struct result_run *run) { return run->summary.servers_idle; }
static double capacity(const struct result_run *run) { return run->summary.max_write_rate_per_s; }
static double done(const struct result_run *run) { return run->summary.writes_done / run->summary.writes_offered; }
static double p99(const struct result_run *run) { return run->summary.write_p99_us; }
static double regions(const struct result_run *run) { return run->summary.regions_end; }
static double splits(const struct result_run *run) { return run->summary.splits; }
static double scans(const struct result_run *run) { return run->queries_len ? run->queries[0].scans : (double)NAN; }

static const struct row ROWS[] = {
    {"write tails", format_count, tails},
    {"hot server ratio", format_ratio, ratio},
    {"servers without a tail", format_count, idle},
    {"hottest server full at", format_rate, capacity},
    {"writes done of offered", format_percent, done},
    {"p99 of a write", format_latency, p99},
    {"regions at the end", format_count, regions},
    {"splits", format_count, splits},
    {"scans of a query", format_count, scans},
};

static bool is_known(const struct result *res, const struct row *row)
{
    const struct result_run *run;
    for (size_t i = 0; i < RUNS_MAX && (run = result_run_at(res, i)); i++)
        if (!isnan(row->figure(run)))
            return true;
    return false;
}

static void put_table(struct layout *lay, const struct result *res)
{
    double right = lay->page.w - PAGE_MARGIN, width = 112;
    const struct result_run *run;
    char name[40], text[FORMAT_CAP], run_text[RESULT_NAME_CAP];
    struct text_style label = {SIZE_LABEL, COLOUR_TEXT, ANCHOR_START, false, false}, figure = label;
    const struct row *shown[sizeof ROWS / sizeof *ROWS];
    size_t runs = 0, rows = 0;
    figure.anchor = ANCHOR_END;
    while (runs < RUNS_MAX && result_run_at(res, runs))
        runs++;
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++)
        if (is_known(res, &ROWS[r]))
            shown[rows++] = &ROWS[r];
    for (size_t c = 0; c < runs && (run = result_run_at(res, c)); c++) {
        double x = right - width * (double)(runs - 1 - c);
        figure.bold = c == 0;
        frame_item_name(name, "table", "run", c);
        layout_text(lay, name, (struct point){x, LOW_TOP - 4}, result_run_name(run, run_text), figure);
        for (size_t r = 0; r < rows; r++) {
            frame_item_name(name, "table", "figure", r * RUNS_MAX + c);
            layout_text_if_free(lay, name, (struct point){x, LOW_TOP + 26 + 28 * (double)r},
                                shown[r]->format(shown[r]->figure(run), text), figure);
        }
    }
    for (size_t r = 0; r < rows; r++) {
        double y = LOW_TOP + 26 + 28 * (double)r;
        frame_item_name(name, "table", "label", r);
        layout_text_if_free(lay, name, (struct point){TABLE_LEFT, y}, shown[r]->label, label);
        frame_item_name(name, "table", "line", r);
        layout_line(lay, name, (struct point){TABLE_LEFT, y - 19}, (struct point){right, y - 19},
                    (struct line_style){1, COLOUR_GRID, DASH_NONE, 1});
    }
}

static void put_title(struct layout *lay, const struct result *res)
{
    const struct result_summary *sum = &res->run.summary;
    const struct result_run *none = result_comparison(res, "none");
    bool keeps_up = result_keeps_up(&res->run);
    char full[400], shorter[300], subtitle[500], name[RESULT_NAME_CAP], a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP], d[FORMAT_CAP];
    frame_run_title(&res->run, name);
    format_rate(sum->writes_offered / res->run.duration_s, a);
    format_rate(sum->writes_done / res->run.duration_s, b);
    format_rate(sum->max_write_rate_per_s, c);
    snprintf(shorter, sizeof shorter, "%s: %s of %s are done", name, b, a);
    if (keeps_up && none)
        snprintf(full, sizeof full, "%s carry %s with room up to %s; unsalted stops at %s", name, a, c,
                 format_rate(none->summary.max_write_rate_per_s, d));
    else if (keeps_up)
        snprintf(full, sizeof full, "%s: %s are carried, with room up to %s", name, a, c);
    else if (!(sum->writes_done > 0))
        snprintf(full, sizeof full, "%s: no row was written in this run", name);
    else
        snprintf(full, sizeof full, "%s: only %s of %s are done, the hottest server is full", name, b, a);
    if (res->plan.present && res->plan.reason)
        snprintf(subtitle, sizeof subtitle, "%s", res->plan.reason);
    else
        snprintf(subtitle, sizeof subtitle, "%.200s. In the key space dark is idle and yellow is one full server; a blue "
                 "cross is a region split.", res->title ? res->title : "");
    const char *titles[] = {full, shorter, NULL};
    frame_title(lay, titles, subtitle);
}

void summary_layout(const struct result *res, struct layout *lay)
{
    static const struct frame_margins margins = {KEYS_TOP, KEYS_BOTTOM, 52, 74, 0};
    struct frame_panel panels[2];
    if (!summary_applies(res)) {
        frame_empty(lay, "Summary: no data", "The run was too short for one sample window.");
        frame_footer(lay, res);
        return;
    }
    put_title(lay, res);
    size_t len = frame_before_after(lay, res, &margins, panels);
    int octaves = theme_cell_octaves(keymatrix_most(&res->run));
    for (size_t i = 0; i < len; i++)
        keyspace_panel(lay, &panels[i], octaves);
    servers_panel(lay, res, (struct box){PAGE_MARGIN, LOW_TOP, LEFT_WIDTH, LOW_BOTTOM - LOW_TOP});
    summary_panel(lay, res, (struct box){FOURTH_LEFT, LOW_TOP, FOURTH_WIDTH, LOW_BOTTOM - LOW_TOP});
    put_table(lay, res);
    frame_footer(lay, res);
}
