/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/svg.h"

#include <math.h>
#include <stdlib.h>

#include "chart/png.h"
#include "page/html.h"

static void put_variables(FILE *to, const struct theme *theme)
{
    fputs(":root{", to);
    for (int i = 0; i < COLOUR_CELLS; i++)
        fprintf(to, "--c%d:#%02x%02x%02x;", i, theme->colours[i].r, theme->colours[i].g, theme->colours[i].b);
    fputs("}\n", to);
}

void svg_style(FILE *to)
{
    struct theme theme;
    theme_light(&theme);
    put_variables(to, &theme);
    theme_dark(&theme);
    fputs("@media screen and (prefers-color-scheme:dark){", to);
    put_variables(to, &theme);
    fputs("}\n", to);
    for (int i = 0; i < COLOUR_CELLS; i++)
        fprintf(to, ".f%d{fill:var(--c%d)}.s%d{stroke:var(--c%d);fill:none}\n", i, i, i, i);
    theme_light(&theme); /* cells are alike in both */
    for (int i = COLOUR_CELLS; i < COLOUR_COUNT; i++)
        fprintf(to, ".f%d{fill:#%02x%02x%02x}\n", i, theme.colours[i].r, theme.colours[i].g, theme.colours[i].b);
    fputs("svg text{font-family:\"DejaVu Sans\",Verdana,sans-serif}svg .b{font-weight:bold}\n", to);
}

void svg_definitions(FILE *to)
{
    fprintf(to, "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><pattern id=\"hatch\" width=\"6\" "
            "height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" class=\"f%d\"></rect>"
            "<path d=\"M0 6 6 0\" class=\"s%d\"></path></pattern></defs></svg>\n", COLOUR_PAGE, COLOUR_NO_DATA);
}

/* Tenths of a pixel are enough. */
static void put_number(FILE *to, double value)
{
    double tenths = floor(value * 10 + 0.5);
    if (fmod(tenths, 10) == 0)
        fprintf(to, "%.0f", tenths / 10);
    else
        fprintf(to, "%.1f", tenths / 10);
}

static void put_point(FILE *to, char command, double x, double y)
{
    fputc(command, to);
    put_number(to, x);
    fputc(' ', to);
    put_number(to, y);
}

static void put_box(FILE *to, const struct box *box)
{
    const char *const names[] = {" x=\"", "\" y=\"", "\" width=\"", "\" height=\""};
    const double values[] = {box->x, box->y, box->w, box->h};
    for (int i = 0; i < 4; i++) {
        fputs(names[i], to);
        put_number(to, values[i]);
    }
    fputc('"', to);
}

static void put_text(FILE *to, const struct layout *lay, const struct item *item)
{
    if (item->halo) {
        struct box behind = {item->box.x - 2, item->box.y, item->box.w + 4, item->box.h};
        fprintf(to, "<rect class=\"f%d\"", COLOUR_PAGE);
        put_box(to, &behind);
        fputs("></rect>", to);
    }
    fprintf(to, "<text class=\"f%d%s\" x=\"", item->colour, item->bold ? " b" : "");
    put_number(to, item->at.x);
    fputs("\" y=\"", to);
    put_number(to, item->at.y);
    fprintf(to, "\" font-size=\"%.0f\" textLength=\"", item->size);
    put_number(to, layout_text_width(lay, item->text, item->size, item->bold));
    fputs("\" lengthAdjust=\"spacingAndGlyphs\">", to);
    html_text(to, item->text);
    fputs("</text>\n", to);
}

static void put_stroke(FILE *to, const struct line_style *style)
{
    static const char *const dashes[] = {NULL, "10 5", "5 4", "1.5 3.5"};
    fprintf(to, "\" class=\"s%d\" stroke-width=\"", style->colour);
    put_number(to, style->width);
    if (dashes[style->dash])
        fprintf(to, "\" stroke-dasharray=\"%s", dashes[style->dash]);
    if (style->alpha > 0 && style->alpha < 1)
        fprintf(to, "\" stroke-opacity=\"%.2f", style->alpha);
    fputs("\"></path>\n", to);
}

/* On pixel centres where it is upright or level, as draw.c has it. */
static void put_line(FILE *to, const struct item *item)
{
    double half = fmod(floor(item->line.width + 0.5), 2) == 1 ? 0.5 : 0;
    double dx = item->box.w == 0 ? half : 0, dy = item->box.h == 0 ? half : 0;
    fputs("<path d=\"", to);
    put_point(to, 'M', item->box.x + dx, item->box.y + dy);
    put_point(to, 'L', item->box.x + item->box.w + dx, item->box.y + item->box.h + dy);
    put_stroke(to, &item->line);
}

static void put_points(FILE *to, const struct item *item)
{
    bool open = false;
    fputs("<path d=\"", to);
    for (size_t i = 0; i < item->points_len; i++) {
        struct point p = item->points[i];
        bool none = isnan(p.x) || isnan(p.y);
        if (!none)
            put_point(to, open ? 'L' : 'M', p.x, p.y);
        open = !none;
    }
    if (item->kind == ITEM_PATH) {
        fputs("\" stroke-linejoin=\"round", to);
        put_stroke(to, &item->line);
    } else {
        fprintf(to, "Z\" class=\"f%d\" fill-opacity=\"%.2f\"></path>\n", item->line.colour,
                item->line.alpha > 0 ? item->line.alpha : 1);
    }
}

static void put_mark(FILE *to, const struct item *item)
{
    static const char *const shapes[] = {
        [MARK_CROSS] = "m-4-4 8 8m-8 0 8-8", [MARK_DOWN] = "m-4.5-3.5h9l-4.5 8z", [MARK_DIAMOND] = "m0-5 5 5-5 5-5-5z",
        [MARK_ARROW] = "m-5-4 10 4-10 4 2.5-4z", [MARK_CIRCLE] = "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
        [MARK_SQUARE] = "m-4-4h8v8h-8z",
    };
    fputs("<path d=\"", to);
    put_point(to, 'M', floor(item->at.x) + 0.5, floor(item->at.y) + 0.5);
    if (item->mark == MARK_CROSS)
        fprintf(to, "%s\" class=\"s%d\" stroke-width=\"1.6\"></path>\n", shapes[item->mark], item->colour);
    else
        fprintf(to, "%s\" class=\"f%d\"></path>\n", shapes[item->mark], item->colour);
}

/* A picture in the picture: a PNG of the cells. */
static int put_cells(FILE *to, const struct item *item)
{
    size_t width = (size_t)item->box.w, height = (size_t)item->box.h, len = 0;
    uint32_t *data = malloc(width * height * sizeof *data);
    char *bytes = NULL;
    struct theme theme;
    if (!data)
        return -1;
    theme_light(&theme);
    for (size_t i = 0; i < width * height; i++) {
        struct rgb c = theme.colours[item->levels[i]];
        data[i] = (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
    }
    FILE *memory = open_memstream(&bytes, &len);
    int rc = memory ? png_write(&(struct pixels){data, width, height, width, NULL, 0}, memory) : -1;
    if (memory && fclose(memory) != 0)
        rc = -1;
    free(data);
    if (rc == 0) {
        fputs("<image preserveAspectRatio=\"none\"", to);
        put_box(to, &item->box);
        fputs(" href=\"data:image/png;base64,", to);
        html_base64(to, bytes, len);
        fputs("\"></image>\n", to);
    }
    free(bytes);
    return rc;
}

static int put_item(FILE *to, const struct layout *lay, const struct item *item)
{
    switch (item->kind) {
    case ITEM_TEXT:
        put_text(to, lay, item);
        break;
    case ITEM_RECT:
        fprintf(to, "<rect class=\"f%d\"", item->colour);
        put_box(to, &item->box);
        fputs("></rect>\n", to);
        break;
    case ITEM_HATCH:
        fputs("<rect fill=\"url(#hatch)\"", to);
        put_box(to, &item->box);
        fputs("></rect>\n", to);
        break;
    case ITEM_LINE:
        put_line(to, item);
        break;
    case ITEM_PATH:
    case ITEM_AREA:
        put_points(to, item);
        break;
    case ITEM_CELLS:
        return put_cells(to, item);
    case ITEM_MARK:
        put_mark(to, item);
        break;
    }
    return 0;
}

int svg_write(const struct layout *lay, const char *label, FILE *to)
{
    int rc = lay->failed ? -1 : 0;
    fprintf(to, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", lay->page.w, lay->page.h);
    html_text(to, label);
    fputs("\">\n", to);
    for (size_t i = 0; i < lay->len && rc == 0; i++)
        rc = put_item(to, lay, &lay->items[i]);
    fputs("</svg>\n", to);
    return rc;
}
