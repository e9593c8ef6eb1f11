/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/utf8.h"

/* What a line of DejaVu Sans takes above and below its baseline, in parts of its size. Ink stays
   within 0.76 and 0.24 for all letters that occur. */
#define ASCENT 0.80
#define DESCENT 0.24

static size_t letter_bytes(const char *text)
{
    size_t len = 1;
    while (((unsigned char)text[len] & 0xC0) == 0x80)
        len++;
    return len;
}

static double stub_advance(void *context, const char *text, double size, bool bold)
{
    double letters = 0;
    (void)context;
    for (const char *at = text; *at; at += letter_bytes(at))
        letters++;
    return letters * size * (bold ? 0.70 : 0.62);
}

const struct measurer measurer_stub = {stub_advance, NULL};

void layout_init(struct layout *lay, const struct measurer *measurer)
{
    memset(lay, 0, sizeof *lay);
    lay->page = (struct box){0, 0, PAGE_WIDTH, PAGE_HEIGHT};
    lay->measurer = measurer;
}

void layout_free(struct layout *lay)
{
    for (size_t i = 0; i < lay->len; i++) {
        free(lay->items[i].text);
        free(lay->items[i].points);
        free(lay->items[i].levels);
    }
    free(lay->items);
    memset(lay, 0, sizeof *lay);
}

static struct item *add(struct layout *lay, enum item_kind kind, const char *name, struct box box)
{
    if (lay->len == lay->cap) {
        size_t cap = lay->cap ? lay->cap * 2 : 256;
        struct item *bigger = realloc(lay->items, cap * sizeof *bigger);
        if (!bigger) {
            lay->failed = true;
            return NULL;
        }
        lay->items = bigger;
        lay->cap = cap;
    }
    struct item *item = &lay->items[lay->len++];
    memset(item, 0, sizeof *item);
    item->kind = kind;
    snprintf(item->name, sizeof item->name, "%s", name);
    item->box = box;
    return item;
}

/* Bytes of the UTF-8 letter at |text|; 0 where it is none that may be printed. */
static size_t printable(const unsigned char *text)
{
    bool control = text[0] < 0x20 || text[0] == 0x7F || (text[0] == 0xC2 && text[1] < 0xA0);
    return control ? 0 : result_utf8_bytes(text);
}

static char *clean_copy(const char *text)
{
    char *copy = malloc(strlen(text) + 1), *to = copy;
    const unsigned char *at = (const unsigned char *)text;
    while (copy && *at) {
        size_t len = printable(at);
        if (len)
            memcpy(to, at, len);
        else
            *to = '?';
        to += len ? len : 1;
        at += len ? len : 1;
    }
    if (copy)
        *to = '\0';
    return copy;
}

double layout_text_width(const struct layout *lay, const char *text, double size, bool bold)
{
    return lay->measurer->advance(lay->measurer->context, text, size, bold);
}

static struct box text_box(const struct layout *lay, struct point baseline, const char *text, struct text_style style)
{
    double width = layout_text_width(lay, text, style.size, style.bold);
    double part = style.anchor == ANCHOR_START ? 0 : style.anchor == ANCHOR_MIDDLE ? 0.5 : 1;
    double x = floor(baseline.x - width * part + 0.5), y = floor(baseline.y + 0.5);
    return (struct box){x, y - ASCENT * style.size, width, (ASCENT + DESCENT) * style.size};
}

static void put_text(struct layout *lay, const char *name, char *text, struct box box, struct text_style style)
{
    struct item *item = add(lay, ITEM_TEXT, name, box);
    if (!item) {
        free(text);
        return;
    }
    item->text = text;
    item->at = (struct point){box.x, box.y + ASCENT * style.size};
    item->size = style.size;
    item->bold = style.bold;
    item->halo = style.halo;
    item->colour = style.colour;
}

void layout_text(struct layout *lay, const char *name, struct point baseline, const char *text,
                 struct text_style style)
{
    char *copy = clean_copy(text);
    if (!copy)
        lay->failed = true;
    else
        put_text(lay, name, copy, text_box(lay, baseline, copy, style), style);
}

static bool apart(struct box a, struct box b)
{
    return a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
}

static bool inside(struct box a, struct box page)
{
    return a.x >= page.x && a.y >= page.y && a.x + a.w <= page.x + page.w && a.y + a.h <= page.y + page.h;
}

bool layout_text_if_free(struct layout *lay, const char *name, struct point baseline, const char *text,
                         struct text_style style)
{
    char *copy = clean_copy(text);
    if (!copy) {
        lay->failed = true;
        return false;
    }
    struct box box = text_box(lay, baseline, copy, style), wider = {box.x - 4, box.y, box.w + 8, box.h};
    bool free_place = inside(box, lay->page);
    for (size_t i = 0; i < lay->len && free_place; i++)
        free_place = lay->items[i].kind != ITEM_TEXT || apart(wider, lay->items[i].box);
    if (free_place)
        put_text(lay, name, copy, box, style);
    else
        free(copy);
    return free_place;
}

void layout_shorten(const struct layout *lay, const char *text, struct text_style style, double width, char out[256])
{
    size_t len = 0;
    snprintf(out, 250, "%s", text);
    if (strlen(text) < 250 && layout_text_width(lay, text, style.size, style.bold) <= width)
        return;
    for (const char *at = text; *at; at += letter_bytes(at)) {
        size_t next = (size_t)(at - text) + letter_bytes(at);
        char part[256];
        if (next > 240)
            break;
        snprintf(part, sizeof part, "%.*s\xE2\x80\xA6", (int)next, text);
        if (layout_text_width(lay, part, style.size, style.bold) > width)
            break;
        len = next;
    }
    while (len > 0 && text[len - 1] == ' ')
        len--;
    snprintf(out, 256, "%.*s\xE2\x80\xA6", (int)len, text);
}

void layout_rect(struct layout *lay, const char *name, struct box box, enum colour colour)
{
    struct item *item = add(lay, ITEM_RECT, name, box);
    if (item)
        item->colour = colour;
}

void layout_hatch(struct layout *lay, const char *name, struct box box)
{
    struct item *item = add(lay, ITEM_HATCH, name, box);
    if (item)
        item->colour = COLOUR_NO_DATA;
}

void layout_line(struct layout *lay, const char *name, struct point from, struct point to,
                 struct line_style style)
{
    struct item *item = add(lay, ITEM_LINE, name, (struct box){from.x, from.y, to.x - from.x, to.y - from.y});
    if (!item)
        return;
    item->colour = style.colour;
    item->line = style;
}

void layout_mark(struct layout *lay, const char *name, struct point at, enum mark mark, enum colour colour)
{
    struct item *item = add(lay, ITEM_MARK, name, (struct box){at.x - 5, at.y - 5, 10, 10});
    if (!item)
        return;
    item->at = at;
    item->mark = mark;
    item->colour = colour;
}

static void add_points(struct layout *lay, struct item *item, const struct point *points, size_t len)
{
    struct box box = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    double right = (double)NAN, bottom = (double)NAN;
    item->points = malloc((len ? len : 1) * sizeof *points);
    if (!item->points) {
        lay->failed = true;
        return;
    }
    memcpy(item->points, points, len * sizeof *points);
    item->points_len = len;
    for (size_t i = 0; i < len; i++) {
        if (isnan(points[i].x) || isnan(points[i].y))
            continue;
        box.x = fmin(box.x, points[i].x);
        box.y = fmin(box.y, points[i].y);
        right = fmax(right, points[i].x);
        bottom = fmax(bottom, points[i].y);
    }
    item->box = isnan(box.x) ? (struct box){0, 0, 0, 0} : (struct box){box.x, box.y, right - box.x, bottom - box.y};
}

void layout_path(struct layout *lay, const char *name, const struct point *points, size_t len,
                 struct line_style style)
{
    struct item *item = add(lay, ITEM_PATH, name, (struct box){0, 0, 0, 0});
    if (!item)
        return;
    item->colour = style.colour;
    item->line = style;
    add_points(lay, item, points, len);
}

void layout_area(struct layout *lay, const char *name, const struct point *points, size_t len,
                 struct line_style style)
{
    layout_path(lay, name, points, len, style);
    if (lay->len && lay->items[lay->len - 1].kind == ITEM_PATH)
        lay->items[lay->len - 1].kind = ITEM_AREA;
}

void layout_cells(struct layout *lay, const char *name, struct box box, uint8_t *levels)
{
    struct item *item = add(lay, ITEM_CELLS, name, box);
    if (!item)
        free(levels);
    else
        item->levels = levels;
}

static const char *const KINDS[] = {"text", "rect", "hatch", "line", "path", "area", "cells", "mark"};

void layout_dump(const struct layout *lay, FILE *to)
{
    for (size_t i = 0; i < lay->len; i++) {
        const struct item *item = &lay->items[i];
        fprintf(to, "%s %s %.1f %.1f %.1f %.1f", KINDS[item->kind], item->name, item->box.x, item->box.y, item->box.w,
                item->box.h);
        if (item->kind == ITEM_TEXT)
            fprintf(to, " %.0f%s \"%s\"", item->size, item->bold ? "b" : "", item->text);
        if (item->kind == ITEM_PATH || item->kind == ITEM_AREA)
            fprintf(to, " %zu points", item->points_len);
        fputc('\n', to);
    }
}

static bool finite_box(struct box box)
{
    return isfinite(box.x) && isfinite(box.y) && isfinite(box.w) && isfinite(box.h);
}

/* Whether the stroke from |a| to |b| meets the box (Liang and Barsky's clipping). */
static bool stroke_meets(struct point a, struct point b, struct box box)
{
    const double dx = b.x - a.x, dy = b.y - a.y;
    const double p[] = {-dx, dx, -dy, dy}, q[] = {a.x - box.x, box.x + box.w - a.x, a.y - box.y, box.y + box.h - a.y};
    double from = 0, to = 1;
    if (!isfinite(a.x + a.y + b.x + b.y))
        return false;
    for (int i = 0; i < 4; i++) {
        if (p[i] == 0 && q[i] <= 0)
            return false;
        if (p[i] < 0)
            from = fmax(from, q[i] / p[i]);
        if (p[i] > 0)
            to = fmin(to, q[i] / p[i]);
    }
    return from < to;
}

/* The letters themselves: a stroke may touch the room that a text keeps. */
static struct box ink_of(const struct item *text)
{
    const double above = 0.08 * text->size, below = 0.2 * text->size;
    return (struct box){text->box.x + 1, text->box.y + above, fmax(text->box.w - 2, 0), text->box.h - above - below};
}

static bool crosses(const struct item *stroke, const struct item *text)
{
    const struct box ink = ink_of(text), line = stroke->box;
    if (stroke->kind == ITEM_LINE)
        return stroke_meets((struct point){line.x, line.y}, (struct point){line.x + line.w, line.y + line.h}, ink);
    for (size_t i = 1; stroke->kind == ITEM_PATH && i < stroke->points_len; i++)
        if (stroke_meets(stroke->points[i - 1], stroke->points[i], ink))
            return true;
    return false;
}

/* The first line that runs through the letters of text |i|: one that is painted over them, or under them where
   no patch of the page's colour hides it. Grid lines may run under a text. */
static const struct item *line_through(const struct layout *lay, size_t i)
{
    const struct item *text = &lay->items[i];
    for (size_t j = 0; j < lay->len; j++) {
        const struct item *stroke = &lay->items[j];
        if ((stroke->kind != ITEM_LINE && stroke->kind != ITEM_PATH) || !crosses(stroke, text))
            continue;
        if (j > i || (!text->halo && stroke->line.colour != COLOUR_GRID))
            return stroke;
    }
    return NULL;
}

int layout_check(const struct layout *lay, char *message, size_t cap)
{
    const struct item *through;
    for (size_t i = 0; i < lay->len; i++) {
        const struct item *a = &lay->items[i];
        if (!finite_box(a->box)) {
            snprintf(message, cap, "%s: its place is no number", a->name);
            return -1;
        }
        struct box rest = {fmin(a->box.x, a->box.x + a->box.w), fmin(a->box.y, a->box.y + a->box.h), fabs(a->box.w),
                           fabs(a->box.h)};
        if (!inside(rest, lay->page)) {
            snprintf(message, cap, "%s leaves the page: %.1f %.1f %.1f %.1f %.80s", a->name, a->box.x, a->box.y,
                     a->box.w, a->box.h, a->text ? a->text : "");
            return -1;
        }
        if (a->kind == ITEM_TEXT && (through = line_through(lay, i))) {
            snprintf(message, cap, "%s runs through %s '%.60s'", through->name, a->name, a->text);
            return -1;
        }
        for (size_t j = 0; a->kind == ITEM_TEXT && j < i; j++) {
            const struct item *b = &lay->items[j];
            if (b->kind != ITEM_TEXT || apart(a->box, b->box))
                continue;
            snprintf(message, cap, "%s '%.60s' touches %s '%.60s'", a->name, a->text, b->name, b->text);
            return -1;
        }
    }
    if (lay->failed)
        snprintf(message, cap, "no memory");
    return lay->failed ? -1 : 0;
}
