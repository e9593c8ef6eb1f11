/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/frame.h"

#include <math.h>
#include <string.h>

#include "result/csv.h"
#include "result/format.h"
#include "result/layouts.h"

#define RING 13.0
#define RING_POINTS 33
#define PI 3.14159265358979323846

static const double SMALLER[] = {24, 22, 20};

/* One line, smaller where it must be; a text too long for that is broken at a blank into two. */
static void put_subtitle(struct layout *lay, const char *subtitle, double width)
{
    struct text_style style = {SIZE_SUBTITLE, COLOUR_MUTED, ANCHOR_START, false, false};
    char text[256], first[256];
    size_t fits = 0;
    while (style.size > 14 && layout_text_width(lay, subtitle, style.size, false) > width)
        style.size--;
    if (layout_text_width(lay, subtitle, style.size, false) <= width) {
        layout_text(lay, "subtitle", (struct point){PAGE_MARGIN, 92}, subtitle, style);
        return;
    }
    for (size_t i = 1; i < sizeof first && subtitle[i]; i++) {
        if (subtitle[i] != ' ')
            continue;
        snprintf(first, sizeof first, "%.*s", (int)i, subtitle);
        if (layout_text_width(lay, first, style.size, false) > width)
            break;
        fits = i;
    }
    snprintf(first, sizeof first, "%.*s", (int)fits, subtitle);
    if (fits)
        layout_text(lay, "subtitle", (struct point){PAGE_MARGIN, 89}, first, style);
    layout_shorten(lay, subtitle + fits + (fits ? 1 : 0), style, width, text);
    layout_text(lay, "subtitle.2", (struct point){PAGE_MARGIN, 108}, text, style);
}

void frame_title(struct layout *lay, const char *const *titles, const char *subtitle)
{
    double width = lay->page.w - 2 * PAGE_MARGIN;
    struct text_style style = {SIZE_TITLE, COLOUR_TITLE, ANCHOR_START, true, false};
    char text[256];
    size_t pick = 0;
    while (titles[pick + 1] && layout_text_width(lay, titles[pick], style.size, true) > width)
        pick++;
    for (size_t i = 0; i < 3 && layout_text_width(lay, titles[pick], style.size, true) > width; i++)
        style.size = SMALLER[i];
    layout_shorten(lay, titles[pick], style, width, text);
    layout_text(lay, "title", (struct point){PAGE_MARGIN, 64}, text, style);
    put_subtitle(lay, subtitle, width);
}

void frame_footer(struct layout *lay, const struct result *res)
{
    char text[400], cut[256];
    struct text_style style = {SIZE_FOOTER, COLOUR_MUTED, ANCHOR_START, false, false};
    const char *detail = res->run.detail;
    if (!detail && res->layouts && res->layouts->len > 0)
        detail = res->layouts->all[0].run.detail;
    snprintf(text, sizeof text, "%s, seed %llu, detail %s, saltplan %s%s%s%s", res->base_name ? res->base_name : "-",
             (unsigned long long)res->seed, detail ? detail : "-", res->version ? res->version : "-",
             lay->font_family ? ", " : "", lay->font_family ? lay->font_family : "",
             res->partial ? ", interrupted: partial result" : "");
    layout_shorten(lay, text, style, lay->page.w - 2 * PAGE_MARGIN, cut);
    layout_text(lay, "footer", (struct point){PAGE_MARGIN, lay->page.h - 16}, cut, style);
}

void frame_item_name(char out[40], const char *panel, const char *what, size_t i)
{
    snprintf(out, 40, "%.20s.%.12s.%zu", panel, what, i);
}

static void item_name(char out[40], const char *axis, const char *what, int i)
{
    frame_item_name(out, axis, what, (size_t)i);
}

size_t frame_before_after(const struct layout *lay, const struct result *res, const struct frame_margins *margins,
                          struct frame_panel panels[2])
{
    const struct result_run *none = result_comparison(res, "none");
    const double gap = 28, height = margins->bottom - margins->top;
    double width = lay->page.w - 2 * PAGE_MARGIN - margins->page_right, x = PAGE_MARGIN + margins->left;
    double half = floor((width - gap) / 2), around = margins->left + margins->right;
    if (!none) {
        panels[0] = (struct frame_panel){"right", &res->run, {x, margins->top, width - around, height}};
        return 1;
    }
    panels[0] = (struct frame_panel){"left", none, {x, margins->top, half - around, height}};
    panels[1] = (struct frame_panel){"right", &res->run, {x + half + gap, margins->top, half - around, height}};
    return 2;
}

void frame_x_axis(struct layout *lay, const struct axis *axis)
{
    struct ticks ticks;
    char name[40];
    double bottom = axis->box.y + axis->box.h;
    scale_ticks(&axis->scale, axis->target, &ticks);
    for (int i = 0; i < ticks.len; i++) {
        double x = floor(scale_at(&axis->scale, ticks.at[i].value));
        if (axis->grid) {
            item_name(name, axis->name, "grid", i);
            layout_line(lay, name, (struct point){x, axis->box.y}, (struct point){x, bottom},
                        (struct line_style){1, COLOUR_GRID, DASH_NONE, 1});
        }
        item_name(name, axis->name, "tick", i);
        layout_line(lay, name, (struct point){x, bottom}, (struct point){x, bottom + 5},
                    (struct line_style){1, COLOUR_AXIS, DASH_NONE, 1});
        item_name(name, axis->name, "label", i);
        layout_text_if_free(lay, name, (struct point){x, bottom + 19}, ticks.at[i].label,
                            (struct text_style){SIZE_TICK, COLOUR_TEXT, ANCHOR_MIDDLE, false, false});
    }
    item_name(name, axis->name, "line", 0);
    layout_line(lay, name, (struct point){axis->box.x, bottom}, (struct point){axis->box.x + axis->box.w, bottom},
                (struct line_style){1, COLOUR_AXIS, DASH_NONE, 1});
}

void frame_y_axis(struct layout *lay, const struct axis *axis)
{
    struct ticks ticks;
    char name[40];
    scale_ticks(&axis->scale, axis->target, &ticks);
    for (int i = 0; i < ticks.len; i++) {
        double y = floor(scale_at(&axis->scale, ticks.at[i].value));
        if (axis->grid) {
            item_name(name, axis->name, "grid", i);
            layout_line(lay, name, (struct point){axis->box.x, y}, (struct point){axis->box.x + axis->box.w, y},
                        (struct line_style){1, COLOUR_GRID, DASH_NONE, 1});
        }
        item_name(name, axis->name, "tick", i);
        layout_line(lay, name, (struct point){axis->box.x - 5, y}, (struct point){axis->box.x, y},
                    (struct line_style){1, COLOUR_AXIS, DASH_NONE, 1});
        item_name(name, axis->name, "label", i);
        layout_text_if_free(lay, name, (struct point){axis->box.x - 9, y + 4}, ticks.at[i].label,
                            (struct text_style){SIZE_TICK, COLOUR_TEXT, ANCHOR_END, false, false});
    }
}

void frame_label(struct layout *lay, const char *name, struct point at, const char *text)
{
    layout_text(lay, name, at, text, (struct text_style){SIZE_LABEL, COLOUR_TEXT, ANCHOR_START, false, false});
}

void frame_panel_title(struct layout *lay, const char *name, struct point at, const char *text, double width)
{
    char cut[256];
    struct text_style style = {SIZE_PANEL, COLOUR_TITLE, ANCHOR_START, true, false};
    for (double size = SIZE_PANEL; size > 13 && layout_text_width(lay, text, style.size, true) > width; size--)
        style.size = size - 1;
    layout_shorten(lay, text, style, width, cut);
    layout_text(lay, name, at, cut, style);
}

void frame_plural(double count, const char *word, char *out, size_t cap)
{
    char number[FORMAT_CAP];
    if (count == 0)
        snprintf(out, cap, "no %ss", word);
    else
        snprintf(out, cap, "%s %s%s", format_count(count, number), word, count == 1 ? "" : "s");
}

const char *frame_run_title(const struct result_run *run, char out[RESULT_NAME_CAP])
{
    result_run_name(run, out);
    if (out[0] >= 'a' && out[0] <= 'z')
        out[0] = (char)(out[0] - 'a' + 'A');
    return out;
}

void frame_ring(struct layout *lay, const char *name, struct point at, struct box plot)
{
    struct point ring[RING_POINTS];
    for (size_t i = 0; i < RING_POINTS; i++) {
        double angle = 2 * PI * (double)i / (RING_POINTS - 1);
        ring[i].x = fmin(fmax(at.x + RING * cos(angle), plot.x), plot.x + plot.w);
        ring[i].y = fmin(fmax(at.y + RING * sin(angle), plot.y), plot.y + plot.h);
    }
    layout_path(lay, name, ring, RING_POINTS, (struct line_style){3, COLOUR_CHOSEN, DASH_NONE, 1});
}

void frame_empty(struct layout *lay, const char *title, const char *why)
{
    const char *titles[] = {title, NULL};
    frame_title(lay, titles, why);
    layout_hatch(lay, "nothing", (struct box){PAGE_MARGIN, FRAME_TOP, lay->page.w - 2 * PAGE_MARGIN,
                                              FRAME_BOTTOM - FRAME_TOP});
}
