/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which layout of the key serves which query as a range, and at what cost. */
#include <math.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/pictures.h"
#include "result/format.h"
#include "result/layouts.h"

#define ROWS_MAX 6
#define COLUMNS_MAX 6
#define NAMES_WIDTH 420.0
#define TOP 182.0
#define BOTTOM 822.0
#define ROW_MOST 140.0
#define GAP 6.0
#define LINE 20.0

bool layouts_applies(const struct result *res)
{
    return res->layouts && res->layouts->len > 0 && res->layouts->all[0].run.queries_len > 0;
}

void layouts_csv(const struct result *res, FILE *to)
{
    if (res->layouts)
        result_layouts_csv(res->layouts, to);
}

/* The matrix on the page. */
struct matrix {
    const struct result_layouts *of;
    const struct result_query *queries; /* those of the table's own layout head the columns */
    size_t queries_len;               /* all of them */
    size_t rows, columns;             /* shown */
    double width, height;             /* of a cell and its gap */
};

static struct box cell_box(const struct matrix *mx, size_t row, size_t column)
{
    return (struct box){PAGE_MARGIN + NAMES_WIDTH + mx->width * (double)column, TOP + mx->height * (double)row,
                        mx->width - GAP, mx->height - GAP};
}

static double rows_per_row(const struct result_query *q)
{
    return q->rows_returned > 0 ? q->rows_scanned / q->rows_returned : (double)NAN;
}

/* The first of two texts that fits into |at|'s width, else the second cut; its baseline begins at |at|. */
static void put_line(struct layout *lay, const char *name, struct box at, const char *const texts[2], struct text_style style)
{
    char cut[256];
    const size_t pick = layout_text_width(lay, texts[0], style.size, style.bold) <= at.w ? 0 : 1;
    layout_shorten(lay, texts[pick], style, at.w, cut);
    layout_text_if_free(lay, name, (struct point){at.x, at.y}, cut, style);
}

/* Lines 1 to 3 of a cell, a longer and a shorter text of each. */
static void say_cell(const struct result_query *q, char lines[3][2][100])
{
    char a[FORMAT_CAP], b[FORMAT_CAP];
    const double reads = rows_per_row(q);
    snprintf(lines[0][0], 100, "%s scan%s, %s RPCs", format_count(q->scans, a), q->scans == 1 ? "" : "s",
             format_count(q->rpcs, b));
    snprintf(lines[0][1], 100, "%s scan%s", a, q->scans == 1 ? "" : "s");
    if (isfinite(reads)) {
        snprintf(lines[1][0], 100, "%s row%s read per row returned", format_count(reads, a), reads == 1 ? "" : "s");
        snprintf(lines[1][1], 100, "%s rows a row", a);
    } else {
        strcpy(lines[1][0], "no rows returned");
        strcpy(lines[1][1], "no rows");
    }
    const char *p99 = isfinite(q->p99_us) ? format_latency(q->p99_us, a) : "-";
    if (q->server_share >= 1 && isfinite(q->server_share)) /* more than there is */
        snprintf(lines[2][0], 100, "p99 %s; asks for %s a server", p99, format_ratio(q->server_share, b));
    else if (q->server_share >= 0.001 && isfinite(q->server_share))
        snprintf(lines[2][0], 100, "p99 %s; %s of a server", p99, format_percent(q->server_share, b));
    else
        snprintf(lines[2][0], 100, "p99 %s%s", p99, isfinite(q->server_share) ? "; under 0.1 % of a server" : "");
    snprintf(lines[2][1], 100, "p99 %s", p99);
}

static void put_cell(struct layout *lay, const struct matrix *mx, size_t row, size_t column)
{
    const struct result_query *q = result_layout_query(&mx->of->all[row], mx->queries[column].name);
    const struct box box = cell_box(mx, row, column);
    const size_t number = row * COLUMNS_MAX + column;
    char name[40], lines[3][2][100];
    frame_item_name(name, "cell", "box", number);
    if (!q) {
        layout_hatch(lay, name, box);
        return;
    }
    const bool range = result_query_is_range(q);
    const double x = box.x + 12, top = box.y + (box.h - 3 * LINE) / 2 + 4;
    struct text_style style = {SIZE_PANEL, COLOUR_TITLE, ANCHOR_START, true, false};
    layout_rect(lay, name, box, range ? COLOUR_CHOSEN_LIGHT : COLOUR_BASELINE_LIGHT);
    frame_item_name(name, "cell", "served", number);
    put_line(lay, name, (struct box){x, top, box.w - 20, 0}, range ? (const char *const[]){"range of the key", "range"}
                                                      : (const char *const[]){"full scan with filter", "full scan"},
             style);
    style.bold = false;
    style.size = SIZE_LABEL;
    say_cell(q, lines);
    for (size_t i = 0; i < 3; i++) {
        static const char *const what[] = {"scans", "rows", "p99"};
        frame_item_name(name, "cell", what[i], number);
        put_line(lay, name, (struct box){x, top + LINE * (double)(i + 1), box.w - 20, 0},
                 (const char *const[]){lines[i][0], lines[i][1]}, style);
    }
}

/* The layout's name, key, salt and what its writes come to, left of its cells. */
static void put_name(struct layout *lay, const struct matrix *mx, size_t row)
{
    const struct result_layout *l = &mx->of->all[row];
    const struct box box = cell_box(mx, row, 0);
    const double top = box.y + (box.h - 3 * LINE) / 2 + 4, width = NAMES_WIDTH - 24;
    struct text_style style = {SIZE_PANEL, row == 0 ? COLOUR_CHOSEN : COLOUR_TITLE, ANCHOR_START, true, false};
    char name[40], tails[60], writes[160], ratio[FORMAT_CAP];
    frame_plural(l->run.summary.write_tails, "write tail", tails, sizeof tails);
    if (isfinite(l->run.summary.hot_server_ratio))
        snprintf(writes, sizeof writes, "%s; hottest server %s of the mean", tails,
                 format_ratio(l->run.summary.hot_server_ratio, ratio));
    else
        snprintf(writes, sizeof writes, "%s", tails);
    const char *const texts[] = {row == 0 ? "this table's own layout" : l->name, l->key, l->salt, writes};
    static const char *const what[] = {"name", "key", "salt", "writes"};
    for (size_t i = 0; i < 4; i++) {
        const char *text = texts[i] ? texts[i] : "-";
        frame_item_name(name, "layout", what[i], row);
        put_line(lay, name, (struct box){PAGE_MARGIN + 8, top + LINE * (double)i, width, 0}, (const char *const[]){text, text},
                 style);
        style = (struct text_style){SIZE_LABEL, i == 2 ? COLOUR_TEXT : COLOUR_MUTED, ANCHOR_START, false, false};
    }
}

/* A frame around the table's own row. */
static void put_own(struct layout *lay, const struct matrix *mx)
{
    const struct box first = cell_box(mx, 0, 0), last = cell_box(mx, 0, mx->columns - 1);
    const double left = PAGE_MARGIN - 4, right = last.x + last.w + 4, top = first.y - 4, bottom = first.y + first.h + 4;
    const struct point corners[] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}};
    layout_path(lay, "own", corners, 5, (struct line_style){3, COLOUR_CHOSEN, DASH_NONE, 1});
}

static void put_heads(struct layout *lay, const struct matrix *mx)
{
    for (size_t k = 0; k < mx->columns; k++) {
        const struct box box = cell_box(mx, 0, k);
        const char *kind = mx->queries[k].kind ? mx->queries[k].kind : "";
        char name[40], cut[256];
        struct text_style style = {SIZE_TICK, COLOUR_TEXT, ANCHOR_START, false, false};
        frame_item_name(name, "query", "name", k);
        frame_panel_title(lay, name, (struct point){box.x, TOP - 32}, mx->queries[k].name ? mx->queries[k].name : "-", box.w - 8);
        frame_item_name(name, "query", "kind", k);
        layout_shorten(lay, kind, style, box.w - 8, cut);
        layout_text_if_free(lay, name, (struct point){box.x, TOP - 14}, cut, style);
    }
}

static void put_key(struct layout *lay)
{
    const double y = BOTTOM + 10;
    layout_rect(lay, "key.range", (struct box){PAGE_MARGIN, y, 22, 14}, COLOUR_CHOSEN_LIGHT);
    frame_label(lay, "key.range.label", (struct point){PAGE_MARGIN + 30, y + 12}, "a range of the key");
    layout_rect(lay, "key.filter", (struct box){PAGE_MARGIN + 240, y, 22, 14}, COLOUR_BASELINE_LIGHT);
    frame_label(lay, "key.filter.label", (struct point){PAGE_MARGIN + 270, y + 12}, "all of the table is read and filtered");
}

/* How many queries the layout serves as ranges. */
static size_t ranges_of(const struct matrix *mx, size_t row)
{
    size_t n = 0;
    for (size_t k = 0; k < mx->queries_len; k++) {
        const struct result_query *q = result_layout_query(&mx->of->all[row], mx->queries[k].name);
        n += q && result_query_is_range(q);
    }
    return n;
}

/* The most that a query of the layout reads for a row that it returns. */
static double most_read(const struct matrix *mx, size_t row)
{
    double most = 0;
    for (size_t k = 0; k < mx->of->all[row].run.queries_len; k++) {
        const double reads = rows_per_row(&mx->of->all[row].run.queries[k]);
        most = isfinite(reads) ? fmax(most, reads) : most;
    }
    return most;
}

static void put_title(struct layout *lay, const struct matrix *mx)
{
    const size_t all = mx->queries_len, own = ranges_of(mx, 0);
    size_t best = 0, most = own;
    char text[300], shorter[120], about[300], reads[FORMAT_CAP], other[FORMAT_CAP];
    double others = 0;
    for (size_t i = 1; i < mx->of->len; i++)
        if (ranges_of(mx, i) > most)
            most = ranges_of(mx, best = i);
    for (size_t i = 1; i < mx->of->len; i++)
        others = fmax(others, most_read(mx, i));
    format_count(others, other);
    format_count(most_read(mx, 0), reads);
    if (best > 0 && all == 1)
        snprintf(text, sizeof text, "Key %s makes the query a range; with the own key it reads %s rows for one returned",
                 mx->of->all[best].name, reads);
    else if (best > 0)
        snprintf(text, sizeof text, strcmp(mx->of->all[best].name, "two tables") == 0
                 ? "With %s %zu of %zu queries are ranges; own key: %zu, up to %s rows for one"
                 : "Key %s: %zu of %zu queries are ranges; own key: %zu, up to %s rows for one",
                 mx->of->all[best].name, most, all, own, reads);
    else if (own == all && all == 1)
        snprintf(text, sizeof text, "The query is a range of the own key; other keys read up to %s rows for one returned", other);
    else if (own == all)
        snprintf(text, sizeof text, "Own key: %zu of %zu queries are ranges, up to %s rows read for one returned; other keys %s", own, all, reads,
                 other);
    else if (all == 1)
        snprintf(text, sizeof text, "The query is a range of none of these keys; the own reads %s rows for one returned", reads);
    else
        snprintf(text, sizeof text, "No key makes more than %zu of %zu queries ranges; own key: up to %s rows read for one", most, all,
                 reads);
    snprintf(shorter, sizeof shorter, "Ranges: own key %zu of %zu queries, best %zu", own, all, most);
    snprintf(about, sizeof about, "Table %.60s: layouts of the key (rows) against its queries (columns). Framed: the table as it is.%s",
             mx->of->table ? mx->of->table : "-", mx->columns < all ? " More queries stand in layouts.csv." : "");
    const char *titles[] = {text, shorter, NULL};
    frame_title(lay, titles, about);
}

void layouts_layout(const struct result *res, struct layout *lay)
{
    if (!layouts_applies(res)) {
        frame_empty(lay, "Layouts against queries: no data", "saltplan plan --layouts -o DIR draws it from other layouts of the key.");
        frame_footer(lay, res);
        return;
    }
    struct matrix mx = {.of = res->layouts, .queries = res->layouts->all[0].run.queries,
                        .queries_len = res->layouts->all[0].run.queries_len};
    mx.rows = mx.of->len < ROWS_MAX ? mx.of->len : ROWS_MAX;
    mx.columns = mx.queries_len < COLUMNS_MAX ? mx.queries_len : COLUMNS_MAX;
    mx.width = floor((lay->page.w - 2 * PAGE_MARGIN - NAMES_WIDTH + GAP) / (double)mx.columns);
    mx.height = floor(fmin(ROW_MOST, (BOTTOM - TOP) / (double)mx.rows));
    put_title(lay, &mx);
    put_heads(lay, &mx);
    for (size_t row = 0; row < mx.rows; row++) {
        put_name(lay, &mx, row);
        for (size_t column = 0; column < mx.columns; column++)
            put_cell(lay, &mx, row, column);
    }
    put_own(lay, &mx);
    put_key(lay);
    frame_footer(lay, res);
}
