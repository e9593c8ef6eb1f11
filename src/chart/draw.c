/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/draw.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include "chart/png.h"

#define FAMILY "DejaVu Sans"
#define FONTS_MAX 24

/* A font at one size, kept: looking it up again for each text is slow. */
struct sized_font {
    double size, zoom;
    bool bold;
    cairo_scaled_font_t *font;
};

struct canvas {
    cairo_surface_t *surface;
    cairo_t *cr;
    cairo_font_options_t *options;
    double zoom;                      /* device pixels of one of the page's */
    bool vector;
    struct sized_font fonts[FONTS_MAX];
    size_t fonts_len;
    struct measurer measurer;
    char family[64];
};

static cairo_scaled_font_t *make_font(struct canvas *canvas, double size, bool bold, double zoom)
{
    cairo_matrix_t font_matrix, page;
    cairo_matrix_init_scale(&font_matrix, size, size);
    cairo_matrix_init_scale(&page, zoom, zoom);
    cairo_font_face_t *face = cairo_toy_font_face_create(
        FAMILY, CAIRO_FONT_SLANT_NORMAL, bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_scaled_font_t *font = cairo_scaled_font_create(face, &font_matrix, &page, canvas->options);
    cairo_font_face_destroy(face);
    return font;
}

static cairo_scaled_font_t *font_of(struct canvas *canvas, double size, bool bold, double zoom)
{
    for (size_t i = 0; i < canvas->fonts_len; i++)
        if (canvas->fonts[i].size == size && canvas->fonts[i].bold == bold && canvas->fonts[i].zoom == zoom)
            return canvas->fonts[i].font;
    if (canvas->fonts_len == FONTS_MAX) { /* more sizes than pictures use: the oldest goes */
        cairo_scaled_font_destroy(canvas->fonts[0].font);
        memmove(canvas->fonts, canvas->fonts + 1, (FONTS_MAX - 1) * sizeof *canvas->fonts);
        canvas->fonts_len--;
    }
    cairo_scaled_font_t *font = make_font(canvas, size, bold, zoom);
    canvas->fonts[canvas->fonts_len++] = (struct sized_font){size, zoom, bold, font};
    return font;
}

static double advance(void *context, const char *text, double size, bool bold)
{
    cairo_text_extents_t extents;
    cairo_scaled_font_text_extents(font_of(context, size, bold, 1), text, &extents);
    return extents.x_advance;
}

/* Which font really stands behind the name: cairo substitutes silently. */
static void find_family(struct canvas *canvas)
{
    cairo_scaled_font_t *font = font_of(canvas, SIZE_TICK, false, 1);
    strcpy(canvas->family, "none");
    if (cairo_scaled_font_get_type(font) != CAIRO_FONT_TYPE_FT)
        return;
    FT_Face face = cairo_ft_scaled_font_lock_face(font);
    if (face && face->family_name)
        snprintf(canvas->family, sizeof canvas->family, "%s", face->family_name);
    cairo_ft_scaled_font_unlock_face(font);
}

struct canvas *canvas_open(void)
{
    struct canvas *canvas = calloc(1, sizeof *canvas);
    if (!canvas)
        return NULL;
    canvas->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)PAGE_WIDTH, (int)PAGE_HEIGHT);
    canvas->cr = cairo_create(canvas->surface);
    canvas->options = cairo_font_options_create();
    cairo_font_options_set_antialias(canvas->options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(canvas->options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics(canvas->options, CAIRO_HINT_METRICS_ON);
    canvas->measurer = (struct measurer){advance, canvas};
    canvas->zoom = 1;
    if (cairo_status(canvas->cr) != CAIRO_STATUS_SUCCESS) {
        canvas_close(canvas);
        return NULL;
    }
    find_family(canvas);
    return canvas;
}

void canvas_close(struct canvas *canvas)
{
    if (!canvas)
        return;
    for (size_t i = 0; i < canvas->fonts_len; i++)
        cairo_scaled_font_destroy(canvas->fonts[i].font);
    cairo_font_options_destroy(canvas->options);
    cairo_destroy(canvas->cr);
    cairo_surface_destroy(canvas->surface);
    free(canvas);
}

const struct measurer *canvas_measurer(struct canvas *canvas)
{
    return &canvas->measurer;
}

const char *canvas_font_family(const struct canvas *canvas)
{
    return canvas->family;
}

static void set_colour(cairo_t *cr, const struct theme *theme, enum colour colour, double alpha)
{
    struct rgb c = theme->colours[colour];
    cairo_set_source_rgba(cr, c.r / 255.0, c.g / 255.0, c.b / 255.0, alpha > 0 ? alpha : 1);
}

static void draw_text(struct canvas *canvas, const struct theme *theme, const struct item *item)
{
    cairo_t *cr = canvas->cr;
    if (item->halo) {
        set_colour(cr, theme, COLOUR_PAGE, 1);
        cairo_rectangle(cr, floor(item->box.x - 2), floor(item->box.y), ceil(item->box.w + 4), ceil(item->box.h));
        cairo_fill(cr);
    }
    set_colour(cr, theme, item->colour, 1);
    cairo_set_scaled_font(cr, font_of(canvas, item->size, item->bold, canvas->zoom));
    cairo_move_to(cr, floor(item->at.x + 0.5), floor(item->at.y + 0.5));
    cairo_show_text(cr, item->text);
}

static void set_line(cairo_t *cr, const struct theme *theme, const struct line_style *style)
{
    static const double dashes[][2] = {{0, 0}, {10, 5}, {5, 4}, {1.5, 3.5}};
    set_colour(cr, theme, style->colour, style->alpha);
    cairo_set_line_width(cr, style->width);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_dash(cr, dashes[style->dash], style->dash == DASH_NONE ? 0 : 2, 0);
}

/* Lines of odd width lie on pixel centres, so that an upright one takes whole pixels. */
static double snapped(double value, double width)
{
    return fmod(floor(width + 0.5), 2) == 1 ? floor(value) + 0.5 : floor(value + 0.5);
}

static void draw_line(cairo_t *cr, const struct theme *theme, const struct item *item)
{
    double x0 = item->box.x, y0 = item->box.y, x1 = x0 + item->box.w, y1 = y0 + item->box.h, width = item->line.width;
    set_line(cr, theme, &item->line);
    if (item->box.w == 0)
        x0 = x1 = snapped(x0, width);
    if (item->box.h == 0)
        y0 = y1 = snapped(y0, width);
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
    cairo_stroke(cr);
}

static void trace_points(cairo_t *cr, const struct item *item)
{
    bool open = false;
    for (size_t i = 0; i < item->points_len; i++) {
        struct point p = item->points[i];
        if (isnan(p.x) || isnan(p.y))
            open = false;
        else if (open)
            cairo_line_to(cr, p.x, p.y);
        else
            cairo_move_to(cr, p.x, p.y);
        open = !isnan(p.x) && !isnan(p.y);
    }
}

static void draw_path(cairo_t *cr, const struct theme *theme, const struct item *item)
{
    set_line(cr, theme, &item->line);
    trace_points(cr, item);
    if (item->kind == ITEM_PATH) {
        cairo_stroke(cr);
        return;
    }
    cairo_close_path(cr);
    cairo_fill(cr);
}

static void draw_rect(cairo_t *cr, const struct theme *theme, const struct item *item)
{
    double x0 = floor(item->box.x + 0.5), y0 = floor(item->box.y + 0.5);
    double x1 = floor(item->box.x + item->box.w + 0.5), y1 = floor(item->box.y + item->box.h + 0.5);
    set_colour(cr, theme, item->colour, 1);
    cairo_rectangle(cr, x0, y0, x1 - x0, y1 - y0);
    cairo_fill(cr);
}

static void draw_hatch(cairo_t *cr, const struct theme *theme, const struct item *item)
{
    cairo_save(cr);
    cairo_rectangle(cr, floor(item->box.x), floor(item->box.y), ceil(item->box.w), ceil(item->box.h));
    cairo_clip(cr);
    set_colour(cr, theme, COLOUR_PAGE, 1);
    cairo_paint(cr);
    set_line(cr, theme, &(struct line_style){1, COLOUR_NO_DATA, DASH_NONE, 1});
    double top = item->box.y, bottom = item->box.y + item->box.h;
    for (double x = item->box.x - item->box.h; x < item->box.x + item->box.w; x += 6) {
        cairo_move_to(cr, x, bottom);
        cairo_line_to(cr, x + item->box.h, top);
    }
    cairo_stroke(cr);
    cairo_restore(cr);
}

static void draw_mark(cairo_t *cr, const struct theme *theme, const struct item *item)
{
    static const struct point shapes[][4] = {
        [MARK_DOWN] = {{-4.5, -3.5}, {4.5, -3.5}, {0, 4.5}, {-4.5, -3.5}},
        [MARK_DIAMOND] = {{0, -5}, {5, 0}, {0, 5}, {-5, 0}},
        [MARK_ARROW] = {{-5, -4}, {5, 0}, {-5, 4}, {-2.5, 0}},
        [MARK_SQUARE] = {{-4, -4}, {4, -4}, {4, 4}, {-4, 4}},
    };
    double x = floor(item->at.x) + 0.5, y = floor(item->at.y) + 0.5;
    set_line(cr, theme, &(struct line_style){1.6, item->colour, DASH_NONE, 1});
    if (item->mark == MARK_CROSS) {
        cairo_move_to(cr, x - 4, y - 4);
        cairo_line_to(cr, x + 4, y + 4);
        cairo_move_to(cr, x - 4, y + 4);
        cairo_line_to(cr, x + 4, y - 4);
        cairo_stroke(cr);
        return;
    }
    if (item->mark == MARK_CIRCLE) {
        cairo_arc(cr, x, y, 4.5, 0, 6.283185307179586);
    } else {
        for (size_t i = 0; i < 4; i++)
            cairo_line_to(cr, x + shapes[item->mark][i].x, y + shapes[item->mark][i].y);
        cairo_close_path(cr);
    }
    cairo_fill(cr);
}

static void pack_colours(const struct theme *theme, uint32_t colours[COLOUR_COUNT])
{
    for (size_t i = 0; i < COLOUR_COUNT; i++) {
        struct rgb c = theme->colours[i];
        colours[i] = (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
    }
}

static void fill_cells(const struct theme *theme, const struct item *item, uint32_t *to, size_t stride)
{
    size_t width = (size_t)item->box.w, height = (size_t)item->box.h;
    uint32_t colours[COLOUR_COUNT];
    pack_colours(theme, colours);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            to[y * stride + x] = colours[item->levels[y * width + x]];
}

/* A small picture that is enlarged without smoothing: on paper and on enlarged pages. */
static void draw_cells_as_picture(struct canvas *canvas, const struct theme *theme, const struct item *item)
{
    cairo_t *cr = canvas->cr;
    cairo_surface_t *cells = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)item->box.w, (int)item->box.h);
    if (cairo_surface_status(cells) == CAIRO_STATUS_SUCCESS) {
        fill_cells(theme, item, (uint32_t *)(void *)cairo_image_surface_get_data(cells),
                   (size_t)cairo_image_surface_get_stride(cells) / sizeof(uint32_t));
        cairo_surface_mark_dirty(cells);
    }
    cairo_save(cr);
    cairo_set_source_surface(cr, cells, item->box.x, item->box.y);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_rectangle(cr, item->box.x, item->box.y, item->box.w, item->box.h);
    cairo_fill(cr);
    cairo_restore(cr);
    cairo_surface_destroy(cells);
}

/* One pixel a cell, straight into the surface: no seams, no smoothing, and fast. */
static void draw_cells(struct canvas *canvas, const struct theme *theme, const struct item *item)
{
    if (item->box.x < 0 || item->box.y < 0 || item->box.x + item->box.w > PAGE_WIDTH ||
        item->box.y + item->box.h > PAGE_HEIGHT)
        return;
    if (canvas->vector || canvas->zoom != 1) {
        draw_cells_as_picture(canvas, theme, item);
        return;
    }
    cairo_surface_flush(canvas->surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(canvas->surface) / sizeof(uint32_t);
    uint32_t *data = (uint32_t *)(void *)cairo_image_surface_get_data(canvas->surface);
    fill_cells(theme, item, data + (size_t)item->box.y * stride + (size_t)item->box.x, stride);
    cairo_surface_mark_dirty(canvas->surface);
}

static void draw_item(struct canvas *canvas, const struct theme *theme, const struct item *item)
{
    cairo_new_path(canvas->cr); /* a text leaves a point behind, which the next line would start from */
    switch (item->kind) {
    case ITEM_TEXT:
        draw_text(canvas, theme, item);
        break;
    case ITEM_RECT:
        draw_rect(canvas->cr, theme, item);
        break;
    case ITEM_HATCH:
        draw_hatch(canvas->cr, theme, item);
        break;
    case ITEM_LINE:
        draw_line(canvas->cr, theme, item);
        break;
    case ITEM_PATH:
    case ITEM_AREA:
        draw_path(canvas->cr, theme, item);
        break;
    case ITEM_CELLS:
        draw_cells(canvas, theme, item);
        break;
    case ITEM_MARK:
        draw_mark(canvas->cr, theme, item);
        break;
    }
}

/* The whole page. */
static int paint(struct canvas *canvas, const struct layout *lay, const struct theme *theme)
{
    set_colour(canvas->cr, theme, COLOUR_PAGE, 1);
    cairo_paint(canvas->cr);
    for (size_t i = 0; i < lay->len; i++)
        draw_item(canvas, theme, &lay->items[i]);
    cairo_surface_flush(canvas->surface);
    return lay->failed || cairo_status(canvas->cr) != CAIRO_STATUS_SUCCESS ? -1 : 0;
}

/* An image surface of so many device pixels for each of the page's, instead of the present one. */
static int resize(struct canvas *canvas, double zoom)
{
    if (zoom == canvas->zoom)
        return 0;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)floor(PAGE_WIDTH * zoom + 0.5),
                                                          (int)floor(PAGE_HEIGHT * zoom + 0.5));
    cairo_t *cr = cairo_create(surface);
    if (cairo_status(cr) != CAIRO_STATUS_SUCCESS) {
        cairo_destroy(cr);
        cairo_surface_destroy(surface);
        return -1;
    }
    cairo_destroy(canvas->cr);
    cairo_surface_destroy(canvas->surface);
    cairo_scale(cr, zoom, zoom);
    canvas->cr = cr;
    canvas->surface = surface;
    canvas->zoom = zoom;
    return 0;
}

static int write_png(struct canvas *canvas, const struct layout *lay, const struct theme *theme, FILE *to)
{
    uint32_t named[COLOUR_COUNT];
    if (paint(canvas, lay, theme) != 0)
        return -1;
    pack_colours(theme, named);
    struct pixels pixels = {
        (const uint32_t *)(const void *)cairo_image_surface_get_data(canvas->surface),
        (size_t)cairo_image_surface_get_width(canvas->surface), (size_t)cairo_image_surface_get_height(canvas->surface),
        (size_t)cairo_image_surface_get_stride(canvas->surface) / sizeof(uint32_t), named, COLOUR_COUNT};
    return png_write(&pixels, to);
}

static cairo_status_t to_file(void *context, const unsigned char *bytes, unsigned int len)
{
    return fwrite(bytes, 1, len, context) == len ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* A point of paper is a pixel of the page; a PDF has a fixed date, so that equal pictures stay equal. */
static int write_vector(struct canvas *canvas, const struct layout *lay, const struct drawing *how, FILE *to)
{
    struct canvas sheet = *canvas;    /* shares the fonts */
    double width = PAGE_WIDTH * how->zoom, height = PAGE_HEIGHT * how->zoom;
    if (how->format == DRAW_SVG) {
        sheet.surface = cairo_svg_surface_create_for_stream(to_file, to, width, height);
    } else {
        sheet.surface = cairo_pdf_surface_create_for_stream(to_file, to, width, height);
        cairo_pdf_surface_set_metadata(sheet.surface, CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
    }
    sheet.cr = cairo_create(sheet.surface);
    sheet.vector = true;
    sheet.zoom = how->zoom;
    cairo_scale(sheet.cr, how->zoom, how->zoom);
    int rc = paint(&sheet, lay, how->theme);
    cairo_destroy(sheet.cr);
    cairo_surface_finish(sheet.surface);
    if (cairo_surface_status(sheet.surface) != CAIRO_STATUS_SUCCESS)
        rc = -1;
    cairo_surface_destroy(sheet.surface);
    memcpy(canvas->fonts, sheet.fonts, sizeof canvas->fonts);
    canvas->fonts_len = sheet.fonts_len;
    return rc;
}

int canvas_write(struct canvas *canvas, const struct layout *lay, const struct drawing *how, FILE *to)
{
    if (how->format != DRAW_PNG)
        return write_vector(canvas, lay, how, to);
    if (resize(canvas, how->zoom) != 0)
        return -1;
    return write_png(canvas, lay, how->theme, to);
}

int canvas_write_png(struct canvas *canvas, const struct layout *lay, const struct theme *theme, FILE *to)
{
    return canvas_write(canvas, lay, &(struct drawing){DRAW_PNG, 1, theme}, to);
}
