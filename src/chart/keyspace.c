/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/keymatrix.h"
#include "chart/pictures.h"
#include "result/csv.h"
#include "result/format.h"
#include "result/pattern.h"

#define PLOT_TOP 168.0
#define PLOT_BOTTOM 804.0
#define LABEL_WIDTH 52.0              /* bucket labels left of a plot */
#define SERVER_WIDTH 74.0             /* strip and names right of it */
#define STRIP_WIDTH 12.0
#define BAR_WIDTH 120.0               /* the colour bar's place at the right */
#define LABELS_MAX 16
#define MARKS_MAX 60                  /* more splits are drawn as lines only */
#define LINES_MAX 400

bool keyspace_applies(const struct result *res)
{
    return res->run.keyspace.rows > 0 && res->run.keyspace.columns > 0;
}

static void put_cells(struct layout *lay, const struct frame_panel *pn, int octaves)
{
    char name[40];
    uint8_t *levels = keymatrix_pixels(
        pn->run, (struct keymatrix_size){(size_t)pn->plot.w, (size_t)pn->plot.h, octaves});
    if (!levels) {
        lay->failed = true;
        return;
    }
    frame_item_name(name, pn->name, "cells", 0);
    layout_cells(lay, name, pn->plot, levels);
}

/* At most LABELS_MAX buckets by the first bytes of their keys. */
void keyspace_bucket_labels(struct layout *lay, const struct frame_panel *pn)
{
    const struct result_keyspace *ks = &pn->run->keyspace;
    size_t buckets = (size_t)ks->buckets, step = (buckets + LABELS_MAX - 1) / LABELS_MAX;
    struct text_style style = {SIZE_TICK, COLOUR_TEXT, ANCHOR_END, false, false};
    char name[40], text[40];
    if (buckets == 1) {
        layout_text(lay, "low", (struct point){pn->plot.x - 8, pn->plot.y + 12}, "first key", style);
        layout_text(lay, "high", (struct point){pn->plot.x - 8, pn->plot.y + pn->plot.h - 4}, "last key", style);
        return;
    }
    for (size_t b = 0; b < buckets; b += step) {
        double y = pn->plot.y + ((double)b + 0.5) * pn->plot.h / (double)buckets;
        frame_item_name(name, pn->name, "bucket", b);
        keymatrix_bucket_label(ks, (int)b, text);
        layout_text_if_free(lay, name, (struct point){pn->plot.x - 8, y + 4}, text, style);
    }
}

/* Names of the servers that hold the rows at the end; equal neighbours share one name. */
static void put_servers(struct layout *lay, const struct frame_panel *pn, int octaves)
{
    size_t height = (size_t)pn->plot.h, begin = 0, bands = 0;
    struct text_style style = {SIZE_TICK, COLOUR_TEXT, ANCHOR_START, false, false};
    double x = pn->plot.x + pn->plot.w + 6;
    char name[40], text[256];
    uint8_t *levels = keymatrix_server_strip(pn->run, (struct keymatrix_size){(size_t)STRIP_WIDTH, height, octaves});
    int *servers = keymatrix_servers_by_pixel(pn->run, height);
    if (!levels || !servers) {
        lay->failed = true;
        free(levels);
        free(servers);
        return;
    }
    frame_item_name(name, pn->name, "strip", 0);
    layout_cells(lay, name, (struct box){x, pn->plot.y, STRIP_WIDTH, pn->plot.h}, levels);
    for (size_t y = 1; y <= height; y++) {
        if (y < height && servers[y] == servers[begin])
            continue;
        const char *server = result_server_name(pn->run, servers[begin]);
        if (server && y - begin >= 8) {
            frame_item_name(name, pn->name, "server", bands++);
            layout_shorten(lay, server, style, SERVER_WIDTH - STRIP_WIDTH - 12, text);
            layout_text_if_free(lay, name, (struct point){x + STRIP_WIDTH + 5, pn->plot.y + (double)(begin + y) / 2 + 4},
                                text, style);
        }
        begin = y;
    }
    free(servers);
}

static size_t count_splits(const struct result_run *run)
{
    size_t splits = 0;
    for (size_t i = 0; i < run->regions_len; i++)
        splits += keymatrix_is_upper_daughter(run, i);
    return splits;
}

static void put_splits(struct layout *lay, const struct frame_panel *pn)
{
    const struct result_run *run = pn->run;
    const struct result_keyspace *ks = &run->keyspace;
    struct scale x = scale_make(SCALE_TIME, ks->times_s[0], ks->times_s[ks->columns], pn->plot.x,
                                pn->plot.x + pn->plot.w);
    size_t splits = count_splits(run);
    char name[40];
    for (size_t i = 0; i < run->regions_len && splits <= LINES_MAX; i++) {
        const struct result_region *reg = &run->regions[i];
        if (!keymatrix_is_upper_daughter(run, i))
            continue;
        double at_x = scale_at(&x, reg->birth_s), y = pn->plot.y + keymatrix_key_y(ks, reg->start) * pn->plot.h;
        if (!(at_x >= pn->plot.x && at_x <= x.to && y >= pn->plot.y && y <= pn->plot.y + pn->plot.h))
            continue;
        frame_item_name(name, pn->name, "border", i);
        layout_line(lay, name, (struct point){at_x, y}, (struct point){x.to, y},
                    (struct line_style){1, COLOUR_SKY, DASH_NONE, 1});
        frame_item_name(name, pn->name, "split", i);
        if (splits <= MARKS_MAX && at_x + 5 < x.to && y - 5 > pn->plot.y)
            layout_mark(lay, name, (struct point){at_x, y}, MARK_CROSS, COLOUR_SKY);
    }
}

void keyspace_panel(struct layout *lay, const struct frame_panel *pn, int octaves)
{
    const struct result_keyspace *ks = &pn->run->keyspace;
    const struct result_summary *sum = &pn->run->summary;
    if (ks->rows == 0 || ks->columns == 0) {
        layout_hatch(lay, pn->name, pn->plot);
        return;
    }
    char name[40], text[300], run_name[RESULT_NAME_CAP], tails[48], rate[FORMAT_CAP], splits[48];
    frame_plural(sum->write_tails, "write tail", tails, sizeof tails);
    frame_plural((double)count_splits(pn->run), "split", splits, sizeof splits);
    snprintf(text, sizeof text, "%s: %s, %s done, %s", result_run_name(pn->run, run_name), tails,
             format_rate(sum->writes_done / pn->run->duration_s, rate), splits);
    frame_item_name(name, pn->name, "title", 0);
    frame_panel_title(lay, name, (struct point){pn->plot.x, pn->plot.y - 28}, text, pn->plot.w + SERVER_WIDTH);
    frame_item_name(name, pn->name, "y", 0);
    layout_text(lay, name, (struct point){pn->plot.x - LABEL_WIDTH, pn->plot.y - 8},
                ks->buckets > 1 ? "bucket, each in key order" : "row keys in order",
                (struct text_style){SIZE_TICK, COLOUR_MUTED, ANCHOR_START, false, false});
    frame_item_name(name, pn->name, "who", 0);
    layout_text(lay, name, (struct point){pn->plot.x + pn->plot.w + SERVER_WIDTH - 8, pn->plot.y - 8}, "server at the end",
                (struct text_style){SIZE_TICK, COLOUR_MUTED, ANCHOR_END, false, false});
    put_cells(lay, pn, octaves);
    put_splits(lay, pn);
    keyspace_bucket_labels(lay, pn);
    put_servers(lay, pn, octaves);
    frame_item_name(name, pn->name, "x", 0);
    struct axis axis = {name, pn->plot, scale_make(SCALE_TIME, ks->times_s[0], ks->times_s[ks->columns], pn->plot.x,
                                                   pn->plot.x + pn->plot.w), pn->plot.w > 800 ? 10 : 6, false};
    frame_x_axis(lay, &axis);
}

static void put_small(struct layout *lay, const char *name, struct point at, const char *text)
{
    struct text_style style = {SIZE_TICK, COLOUR_TEXT, ANCHOR_START, false, false};
    char cut[256];
    layout_shorten(lay, text, style, lay->page.w - at.x - 8, cut);
    layout_text(lay, name, at, cut, style);
}

/* The scale's low end at the bottom, 1 near the top, above it the colour of overload. */
static void put_colour_bar(struct layout *lay, const struct result_run *run, int octaves)
{
    double x = lay->page.w - PAGE_MARGIN - BAR_WIDTH + 14;
    double top = PLOT_TOP + 76, height = 48 * 7, bottom = top + height;
    char name[40], text[64], rate[FORMAT_CAP];
    uint8_t *levels = malloc((size_t)height * 14);
    if (!levels) {
        lay->failed = true;
        return;
    }
    for (size_t y = 0; y < (size_t)height; y++)
        memset(levels + y * 14, COLOUR_CELLS + CELL_OVER - 1 - (int)(y / 7), 14);
    layout_cells(lay, "bar.cells", (struct box){x, top, 14, height}, levels);
    layout_rect(lay, "bar.over", (struct box){x, top - 22, 14, 18}, COLOUR_CELLS + CELL_OVER);
    put_small(lay, "bar.over.label", (struct point){x + 22, top - 8}, "above 1");
    for (int i = 0; i < 4; i++) {
        double y = bottom - height * i / 3;
        snprintf(name, sizeof name, "bar.label.%d", i);
        snprintf(text, sizeof text, i == 3 ? "1" : "1/%.0f", exp2(octaves * (1 - i / 3.0)));
        layout_line(lay, "bar.tick", (struct point){x + 14, y}, (struct point){x + 18, y},
                    (struct line_style){1, COLOUR_AXIS, DASH_NONE, 1});
        put_small(lay, name, (struct point){x + 22, y + (i == 3 ? 9 : 4)}, text);
    }
    put_small(lay, "bar.title.0", (struct point){x, PLOT_TOP + 4}, "writes as a share");
    put_small(lay, "bar.title.1", (struct point){x, PLOT_TOP + 20}, "of one server:");
    snprintf(text, sizeof text, "1 = %s", format_rate(run->server_capacity_per_s, rate));
    put_small(lay, "bar.title.2", (struct point){x, PLOT_TOP + 36}, text);
    put_small(lay, "bar.low", (struct point){x, bottom + 20}, "darkest: less,");
    put_small(lay, "bar.low.1", (struct point){x, bottom + 36}, "or no writes");
}

/* The pattern's name for a title. */
static struct result_pattern pattern_title(struct layout *lay, const struct result_run *run, char name[RESULT_PATTERN_CAP])
{
    struct result_pattern pat;
    if (result_pattern_find(run, &pat) != 0)
        lay->failed = true;
    result_pattern_title(&pat, name);
    return pat;
}

static void put_title(struct layout *lay, const struct result *res, const struct result_run *none)
{
    const struct result_run *run = &res->run;
    char full[300], shorter[300], subtitle[700], name[RESULT_NAME_CAP], ratio[FORMAT_CAP], before[FORMAT_CAP],
        rate[FORMAT_CAP], pattern[RESULT_PATTERN_CAP], seen[260];
    const char *table = result_table_name(run, run->keyspace.table);
    const struct result_pattern pat = pattern_title(lay, run, pattern);
    result_pattern_cure(res, run, &pat, seen, sizeof seen);
    format_ratio(run->summary.hot_server_ratio, ratio);
    frame_run_title(run, name);
    if (none) {
        char was[RESULT_PATTERN_CAP];
        pattern_title(lay, none, was);
        format_ratio(none->summary.hot_server_ratio, before);
        snprintf(full, sizeof full, "%s: %s, hottest server %s its share; unsalted: %s, %s", name, pattern, ratio, was,
                 before);
        snprintf(shorter, sizeof shorter, "%s: %s, hottest %s; unsalted: %s, %s", name, pattern, ratio, was, before);
    } else {
        snprintf(full, sizeof full, "%s: %s, the hottest server does %s its fair share and %s are done", name, pattern,
                 ratio, format_rate(run->summary.writes_done / run->duration_s, rate));
        snprintf(shorter, sizeof shorter, "%s: %s, hottest server %s its share", name, pattern, ratio);
    }
    if (pat.kind == PATTERN_NONE) {
        snprintf(full, sizeof full, "%s: no row was written", name);
        strcpy(shorter, full);
    }
    snprintf(subtitle, sizeof subtitle, "Writes to %.60s: key ranges down, time across; blue: a region split and its border. %s",
             table ? table : "the table", seen);
    const char *titles[] = {full, shorter, NULL};
    frame_title(lay, titles, subtitle);
}

void keyspace_layout(const struct result *res, struct layout *lay)
{
    static const struct frame_margins margins = {PLOT_TOP, PLOT_BOTTOM, LABEL_WIDTH, SERVER_WIDTH, BAR_WIDTH};
    struct frame_panel panels[2];
    if (!keyspace_applies(res)) {
        frame_empty(lay, "Key space over time: no data", "The run was too short for one sample window.");
        frame_footer(lay, res);
        return;
    }
    size_t len = frame_before_after(lay, res, &margins, panels);
    int octaves = theme_cell_octaves(keymatrix_most(&res->run));
    put_title(lay, res, result_comparison(res, "none"));
    for (size_t i = 0; i < len; i++)
        keyspace_panel(lay, &panels[i], octaves);
    put_colour_bar(lay, &res->run, octaves);
    frame_footer(lay, res);
}
