/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/keymatrix.h"
#include "chart/pictures.h"
#include "result/csv.h"
#include "result/format.h"

#define PLOT_TOP 168.0
#define PLOT_BOTTOM 804.0
#define LABEL_WIDTH 52.0
#define SIZE_WIDTH 74.0
#define COLOURED_SERVERS 8
#define EDGES_MAX 1200                /* more regions are drawn without edges and marks */
#define MARKS_MAX 80

bool regions_applies(const struct result *res)
{
    return res->run.keyspace.rows > 0 && res->run.regions_len > 0 && res->run.duration_s > 0;
}

/* A region's box while one server held it. */
struct stay {
    double from_s, to_s, top, bottom; /* top and bottom: parts of the key space */
    int server;
};

static enum colour fill_of(const struct result_run *run, int server)
{
    if (server < 0)
        return COLOUR_PAGE;
    if (run->servers_len <= COLOURED_SERVERS)
        return (enum colour)(COLOUR_FILL + server);
    return (enum colour)(COLOUR_FILL_GREY + server % 3);
}

static void put_stay(struct layout *lay, const struct frame_panel *pn, const struct stay *st, size_t i)
{
    double per_s = pn->plot.w / pn->run->duration_s;
    double x0 = floor(pn->plot.x + fmax(0, st->from_s) * per_s);
    double x1 = floor(pn->plot.x + fmin(pn->run->duration_s, st->to_s) * per_s);
    double y0 = floor(pn->plot.y + st->top * pn->plot.h), y1 = floor(pn->plot.y + st->bottom * pn->plot.h);
    const char *server = result_server_name(pn->run, st->server);
    struct text_style style = {SIZE_TICK, COLOUR_TEXT, ANCHOR_START, false, false};
    char name[40], cut[256];
    if (!(x1 > x0) || !(y1 > y0))
        return;
    frame_item_name(name, pn->name, "stay", i);
    layout_rect(lay, name, (struct box){x0, y0, x1 - x0, y1 - y0}, fill_of(pn->run, st->server));
    if (pn->run->regions_len > EDGES_MAX)
        return;
    frame_item_name(name, pn->name, "edge", i);
    if (y1 - y0 >= 3)
        layout_line(lay, name, (struct point){x0, y0}, (struct point){x1, y0},
                    (struct line_style){1, COLOUR_AXIS, DASH_NONE, 1});
    layout_line(lay, name, (struct point){x0, y0}, (struct point){x0, y1},
                (struct line_style){1, COLOUR_AXIS, DASH_NONE, 1});
    frame_item_name(name, pn->name, "holds", i);
    if (!server || y1 - y0 < 15 || x1 - x0 < 24)
        return;
    layout_shorten(lay, server, style, x1 - x0 - 13, cut);
    if (strcmp(cut, server) == 0)
        layout_text_if_free(lay, name, (struct point){x0 + 9, (y0 + y1) / 2 + 4}, cut, style);
}

/* Where a region lies in the key space: its parts of the whole, from the top. */
static void place_of(const struct result_keyspace *ks, const struct result_region *reg, double *top, double *bottom)
{
    *top = reg->start && reg->start[0] ? keymatrix_key_y(ks, reg->start) : 0;
    *bottom = reg->end && reg->end[0] ? keymatrix_key_y(ks, reg->end) : 1;
}

/* The events of kind "move" among many others: indices of a run's events. */
struct moves {
    size_t *events;
    size_t len;
};

static struct moves find_moves(const struct result_run *run)
{
    struct moves moves = {NULL, 0};
    for (int fill = 0; fill < 2; fill++) {
        moves.len = 0;
        for (size_t i = 0; i < run->events_len; i++) {
            if (!run->events[i].kind || strcmp(run->events[i].kind, "move") != 0)
                continue;
            if (fill)
                moves.events[moves.len] = i;
            moves.len++;
        }
        if (!fill)
            moves.events = malloc((moves.len + 1) * sizeof *moves.events);
        if (!moves.events)
            return (struct moves){NULL, 0};
    }
    return moves;
}

/* One box a stay: the moves cut a region's life. */
static void put_region(struct layout *lay, const struct frame_panel *pn, const struct result_region *reg,
                       const struct moves *moves)
{
    const struct result_run *run = pn->run;
    struct stay st = {.from_s = reg->birth_s, .server = reg->server_start};
    double death_s = isfinite(reg->death_s) ? reg->death_s : run->duration_s;
    place_of(&run->keyspace, reg, &st.top, &st.bottom);
    for (size_t i = 0; i < moves->len; i++) {
        const struct result_event *ev = &run->events[moves->events[i]];
        if (ev->region != reg->id || !(ev->at_s >= st.from_s))
            continue;
        st.to_s = ev->at_s;
        put_stay(lay, pn, &st, (size_t)reg->id);
        st.from_s = ev->at_s;
        st.server = ev->to_server;
    }
    st.to_s = death_s;
    put_stay(lay, pn, &st, (size_t)reg->id);
}

static void put_mark(struct layout *lay, const struct frame_panel *pn, struct point at, bool split, size_t i)
{
    char name[40];
    if (!(at.x >= pn->plot.x + 5 && at.x <= pn->plot.x + pn->plot.w - 5 && at.y >= pn->plot.y + 5 &&
          at.y <= pn->plot.y + pn->plot.h - 5))
        return;
    frame_item_name(name, pn->name, split ? "split" : "move", i);
    layout_mark(lay, name, at, split ? MARK_CROSS : MARK_ARROW, split ? COLOUR_BASELINE : COLOUR_CHOSEN);
}

static void put_marks(struct layout *lay, const struct frame_panel *pn)
{
    const struct result_run *run = pn->run;
    double top, bottom, per_s = pn->plot.w / run->duration_s;
    size_t drawn = 0;
    for (size_t i = 0; i < run->regions_len && drawn < MARKS_MAX; i++) {
        if (!keymatrix_is_upper_daughter(run, i))
            continue;
        place_of(&run->keyspace, &run->regions[i], &top, &bottom);
        put_mark(lay, pn, (struct point){pn->plot.x + run->regions[i].birth_s * per_s, pn->plot.y + top * pn->plot.h},
                 true, drawn++);
    }
    for (size_t i = 0; i < run->events_len && drawn < 2 * MARKS_MAX; i++) {
        const struct result_event *ev = &run->events[i];
        if (!ev->kind || strcmp(ev->kind, "move") != 0 || ev->region < 0 ||
            run->regions[ev->region].table != run->keyspace.table)
            continue;
        place_of(&run->keyspace, &run->regions[ev->region], &top, &bottom);
        put_mark(lay, pn, (struct point){pn->plot.x + ev->at_s * per_s, pn->plot.y + (top + bottom) / 2 * pn->plot.h},
                 false, drawn++);
    }
}

/* What was written and isn't in a file yet counts too, or a young table would seem empty. */
static double held_in_memory(const struct result_region *reg)
{
    return isfinite(reg->memstore_bytes) ? reg->memstore_bytes : 0;
}

static void put_sizes(struct layout *lay, const struct frame_panel *pn)
{
    const struct result_run *run = pn->run;
    char name[40], text[FORMAT_CAP];
    for (size_t i = 0; i < run->regions_len; i++) {
        const struct result_region *reg = &run->regions[i];
        if (reg->table != run->keyspace.table || isfinite(reg->death_s))
            continue;
        double top, bottom;
        place_of(&run->keyspace, reg, &top, &bottom);
        if ((bottom - top) * pn->plot.h < 9)
            continue;
        frame_item_name(name, pn->name, "size", i);
        layout_text_if_free(lay, name, (struct point){pn->plot.x + pn->plot.w + 7,
                                                      pn->plot.y + (top + bottom) / 2 * pn->plot.h + 4},
                            format_bytes(reg->store_bytes + held_in_memory(reg), text),
                            (struct text_style){SIZE_TICK, COLOUR_TEXT, ANCHOR_START, false, false});
    }
}

static void put_panel(struct layout *lay, const struct frame_panel *pn)
{
    const struct result_run *run = pn->run;
    char name[40], text[200], run_name[RESULT_NAME_CAP], splits[40], moved[40], regions[40];
    frame_plural(run->summary.regions_start, "region", regions, sizeof regions);
    frame_plural(run->summary.splits, "split", splits, sizeof splits);
    frame_plural(run->summary.moves, "move", moved, sizeof moved);
    snprintf(text, sizeof text, "%s: %s at the start, %.0f at the end, %s, %s", result_run_name(run, run_name), regions,
             run->summary.regions_end, splits, moved);
    frame_item_name(name, pn->name, "title", 0);
    frame_panel_title(lay, name, (struct point){pn->plot.x, PLOT_TOP - 28}, text, pn->plot.w + SIZE_WIDTH);
    if (run->keyspace.rows == 0 || !(run->duration_s > 0)) {
        layout_hatch(lay, pn->name, pn->plot);
        return;
    }
    frame_item_name(name, pn->name, "size.title", 0);
    layout_text_if_free(lay, name, (struct point){pn->plot.x + pn->plot.w + SIZE_WIDTH - 4, PLOT_TOP - 8}, "size at the end",
                        (struct text_style){SIZE_TICK, COLOUR_MUTED, ANCHOR_END, false, false});
    struct moves moves = find_moves(run);
    if (!moves.events)
        lay->failed = true;
    for (size_t i = 0; i < run->regions_len; i++)
        if (run->regions[i].table == run->keyspace.table)
            put_region(lay, pn, &run->regions[i], &moves);
    free(moves.events);
    put_marks(lay, pn);
    put_sizes(lay, pn);
    keyspace_bucket_labels(lay, pn);
    frame_item_name(name, pn->name, "x", 0);
    struct axis axis = {name, pn->plot, scale_make(SCALE_TIME, 0, run->duration_s, pn->plot.x, pn->plot.x + pn->plot.w),
                        pn->plot.w > 800 ? 10 : 6, false};
    frame_x_axis(lay, &axis);
}

static void put_title(struct layout *lay, const struct result *res)
{
    const struct result_run *run = &res->run;
    char full[300], shorter[200], subtitle[300], name[RESULT_NAME_CAP], size[FORMAT_CAP], regions[40], splits[40];
    double largest = 0;
    for (size_t i = 0; i < run->regions_len; i++)
        if (run->regions[i].table == run->keyspace.table && !isfinite(run->regions[i].death_s))
            largest = fmax(largest, run->regions[i].store_bytes + held_in_memory(&run->regions[i]));
    result_run_name(run, name);
    frame_plural(run->summary.regions_start, "region", regions, sizeof regions);
    frame_plural(run->summary.splits, "split", splits, sizeof splits);
    snprintf(shorter, sizeof shorter, "%s: from %s to %.0f", frame_run_title(run, name), regions,
             run->summary.regions_end);
    if (run->summary.splits == 0)
        snprintf(full, sizeof full, "%s: %s at the start and at the end, the largest ends at %s", frame_run_title(run, name),
                 regions, format_bytes(largest, size));
    else
        snprintf(full, sizeof full, "%s: from %s to %.0f by %s, the largest ends at %s", frame_run_title(run, name),
                 regions, run->summary.regions_end, splits, format_bytes(largest, size));
    snprintf(subtitle, sizeof subtitle, "Each region from its birth on, in key order; %s. Vermillion cross: a split. Blue "
             "arrow: a move to another server.", run->servers_len <= COLOURED_SERVERS ? "a colour for each server"
             : "the name is its server, shades only tell neighbours apart");
    const char *titles[] = {full, shorter, NULL};
    frame_title(lay, titles, subtitle);
}

void regions_layout(const struct result *res, struct layout *lay)
{
    static const struct frame_margins margins = {PLOT_TOP, PLOT_BOTTOM, LABEL_WIDTH, SIZE_WIDTH, 0};
    struct frame_panel panels[2];
    if (!regions_applies(res)) {
        frame_empty(lay, "Regions over time: no data", "The result has no regions, or no sample window.");
        frame_footer(lay, res);
        return;
    }
    size_t len = frame_before_after(lay, res, &margins, panels);
    put_title(lay, res);
    for (size_t i = 0; i < len; i++)
        put_panel(lay, &panels[i]);
    frame_footer(lay, res);
}
