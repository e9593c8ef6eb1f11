/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The PNG files themselves: size, colours at computed places, the same bytes twice. Never a whole
   picture against a stored one: fonts differ between machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chart/chart.h"
#include "chart/draw.h"
#include "chart/keymatrix.h"
#include "chart/png.h"
#include "make_result.h"

/* A decoded picture. */
struct decoded {
    png_image image;
    unsigned char *rgb;
};

static void decode(const char *bytes, size_t len, struct decoded *out)
{
    memset(&out->image, 0, sizeof out->image);
    out->image.version = PNG_IMAGE_VERSION;
    assert_true(png_image_begin_read_from_memory(&out->image, bytes, len));
    out->image.format = PNG_FORMAT_RGB;
    out->rgb = malloc(PNG_IMAGE_SIZE(out->image));
    assert_non_null(out->rgb);
    assert_true(png_image_finish_read(&out->image, NULL, out->rgb, 0, NULL));
}

static bool near(const struct decoded *pic, size_t x, size_t y, struct rgb c)
{
    const unsigned char *at = pic->rgb + 3 * (y * pic->image.width + x);
    return abs(at[0] - c.r) <= 8 && abs(at[1] - c.g) <= 8 && abs(at[2] - c.b) <= 8;
}

static char *drawn(const struct result *res, const char *name, size_t *len)
{
    struct canvas *canvas = canvas_open();
    struct layout lay;
    struct theme theme;
    char *bytes = NULL, message[300];
    assert_non_null(canvas);
    theme_light(&theme);
    layout_init(&lay, canvas_measurer(canvas));
    lay.font_family = canvas_font_family(canvas);
    chart_picture_by_name(name)->layout(res, &lay);
    if (layout_check(&lay, message, sizeof message) != 0)
        fail_msg("%s with the real font: %s", name, message);
    FILE *to = open_memstream(&bytes, len);
    assert_int_equal(canvas_write_png(canvas, &lay, &theme, to), 0);
    fclose(to);
    layout_free(&lay);
    canvas_close(canvas);
    return bytes;
}

static void test_every_picture(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    opt.plan = true;
    make_result(&opt, &res);
    for (const struct chart_picture *pic = chart_pictures; pic->name; pic++) {
        struct decoded image;
        size_t len, again_len, white = 0;
        char *bytes = drawn(&res, pic->name, &len), *again = drawn(&res, pic->name, &again_len);
        assert_int_equal(len, again_len);
        assert_memory_equal(bytes, again, len);
        decode(bytes, len, &image);
        assert_int_equal(image.image.width, 1600);
        assert_int_equal(image.image.height, 900);
        assert_int_equal(bytes[25], PNG_COLOR_TYPE_PALETTE);
        for (size_t i = 0; i < 1600 * 900; i++)
            white += image.rgb[3 * i] == 255 && image.rgb[3 * i + 1] == 255 && image.rgb[3 * i + 2] == 255;
        assert_in_range(white, 1600 * 900 / 20, 1600 * 900 / 100 * 98);
        free(image.rgb);
        free(bytes);
        free(again);
    }
    result_free(&res);
}

/* Where the moving edge is, the panels have the colour of its share; elsewhere the darkest. */
static void test_cell_colours(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    struct layout lay;
    struct theme theme;
    struct decoded image;
    size_t len;
    make_result(&opt, &res);
    theme_light(&theme);
    char *bytes = drawn(&res, "keyspace", &len);
    decode(bytes, len, &image);
    layout_init(&lay, &measurer_stub);
    chart_picture_by_name("keyspace")->layout(&res, &lay);
    const struct { const char *name; int blocks; double share; } panels[] = {
        {"left.cells.0", 1, 1.0}, {"right.cells.0", 16, 2500.0 / 20000}};
    for (size_t p = 0; p < 2; p++) {
        struct box box = {0, 0, 0, 0};
        for (size_t i = 0; i < lay.len; i++)
            if (strcmp(lay.items[i].name, panels[p].name) == 0)
                box = lay.items[i].box;
        assert_true(box.w > 0);
        struct rgb edge = theme.colours[COLOUR_CELLS + theme_cell_level(panels[p].share, 6)];
        double part = 0.73; /* the edge has come as far down as time has gone across */
        int per = 256 / panels[p].blocks;
        double row = (floor(part * per) + 0.5) / per / panels[p].blocks;
        assert_true(near(&image, (size_t)(box.x + part * box.w), (size_t)(box.y + row * box.h), edge));
        assert_true(near(&image, (size_t)(box.x + 0.4 * box.w), (size_t)(box.y + row * box.h), theme.colours[COLOUR_CELLS]));
    }
    assert_true(near(&image, 5, 5, theme.colours[COLOUR_PAGE]));
    free(image.rgb);
    free(bytes);
    layout_free(&lay);
    result_free(&res);
}

static void test_no_data_is_hatched(void **state)
{
    (void)state;
    struct make_options opt = {3, 4, 60, 6, 8, 1000, false};
    struct result res;
    size_t hatched = 0, page = 0;
    make_result(&opt, &res);
    for (size_t i = 0; i < 12; i++)
        res.run.keyspace.cells[i] = (double)NAN; /* the two rows of bucket 0 */
    uint8_t *levels = keymatrix_pixels(&res.run, (struct keymatrix_size){60, 80, 6});
    assert_non_null(levels);
    for (size_t i = 0; i < 60 * 20; i++) {
        hatched += levels[i] == COLOUR_NO_DATA;
        page += levels[i] == COLOUR_PAGE;
    }
    assert_int_equal(hatched + page, 60 * 20);
    assert_true(hatched > 100 && page > 600);
    for (size_t i = 60 * 22; i < 60 * 38; i++)
        assert_true(levels[i] >= COLOUR_CELLS);
    free(levels);
    result_free(&res);
}

/* However few pixels there are, a hot cell shows. */
static void test_hot_cells_never_vanish(void **state)
{
    (void)state;
    struct make_options opt = {12, 16, 7200, 1000, 1600, 0, false};
    struct result res;
    make_result(&opt, &res);
    struct result_keyspace *ks = &res.run.keyspace;
    for (size_t i = 0; i < 400; i++) {
        size_t cell = (i * 7919u * 13u + i) % (ks->rows * ks->columns);
        size_t hot = 0;
        ks->cells[cell] = 20000;
        struct keymatrix_size size = {37 + i % 300, 50 + i % 411, 6};
        uint8_t *levels = keymatrix_pixels(&res.run, size);
        assert_non_null(levels);
        for (size_t p = 0; p < size.width * size.height; p++)
            hot += levels[p] == COLOUR_CELLS + CELL_OVER - 1;
        assert_true(hot >= 1);
        ks->cells[cell] = 0;
        free(levels);
    }
    result_free(&res);
}

static void test_png_modes(void **state)
{
    (void)state;
    static const size_t colours[] = {1, 2, 255, 256, 257, 4000};
    uint32_t *data = malloc(100 * 50 * sizeof *data), named[] = {0x123456, 0x0072B2};
    assert_non_null(data);
    for (size_t c = 0; c < sizeof colours / sizeof *colours; c++) {
        struct decoded image;
        char *bytes = NULL;
        size_t len;
        for (size_t i = 0; i < 100 * 50; i++)
            data[i] = 0xFF000000 | (i % colours[c] == 0 ? 0x123456 : (uint32_t)(i % colours[c]) * 4099u);
        FILE *to = open_memstream(&bytes, &len);
        assert_int_equal(png_write(&(struct pixels){data, 100, 50, 100, named, 2}, to), 0);
        fclose(to);
        decode(bytes, len, &image);
        for (size_t i = 0; i < 100 * 50; i++) {
            struct rgb c1 = {(uint8_t)(data[i] >> 16), (uint8_t)(data[i] >> 8), (uint8_t)data[i]};
            const unsigned char *at = image.rgb + 3 * i;
            bool exact = at[0] == c1.r && at[1] == c1.g && at[2] == c1.b;
            bool may_round = colours[c] > 256 && (data[i] & 0xFFFFFF) != 0x123456;
            assert_true(exact || (may_round && near(&image, i % 100, i / 100, c1)));
        }
        free(image.rgb);
        free(bytes);
    }
    free(data);
}

static void test_files(void **state)
{
    (void)state;
    char dir[] = "/tmp/saltplan-chart-XXXXXX", path[200], message[300] = "x";
    static const char *const only[] = {"keyspace", NULL};
    struct make_options opt = {3, 4, 60, 6, 8, 1000, false};
    struct result res;
    make_result(&opt, &res);
    assert_non_null(mkdtemp(dir));
    assert_int_equal(chart_write(&res, &(struct chart_job){.dir = dir, .names = only}, message, sizeof message), 0);
    const char *const names[] = {"keyspace.png", "keyspace.csv"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        assert_int_equal(access(path, R_OK), 0);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(dir), 0);
    assert_int_equal(chart_write(&res, &(struct chart_job){.dir = "/dev/null/x", .names = only}, message, sizeof message), -1);
    assert_non_null(strstr(message, "/dev/null/x: can't be created"));
    result_free(&res);
}

/* One page drawn as |how| says; the caller frees it. */
static char *written(const struct layout *lay, struct canvas *canvas, struct drawing how, size_t *len)
{
    char *bytes = NULL;
    FILE *to = open_memstream(&bytes, len);
    assert_int_equal(canvas_write(canvas, lay, &how, to), 0);
    fclose(to);
    return bytes;
}

static void test_formats(void **state)
{
    struct make_options opt = make_defaults();
    struct canvas *canvas = canvas_open();
    struct theme light, dark;
    struct result res;
    struct layout lay;
    (void)state;
    make_result(&opt, &res);
    theme_light(&light);
    theme_dark(&dark);
    layout_init(&lay, canvas_measurer(canvas));
    chart_picture_by_name("summary")->layout(&res, &lay);
    const struct { struct drawing how; const char *begin; } cases[] = {
        {{DRAW_SVG, 1, &light}, "<?xml"}, {{DRAW_PDF, 1, &dark}, "%PDF-"}, {{DRAW_PNG, 2, &dark}, "\x89PNG"},
        {{DRAW_PNG, 0.5, &light}, "\x89PNG"}, {{DRAW_PNG, 1, &light}, "\x89PNG"}};
    for (size_t i = 0; i < 5; i++) {
        size_t len, again_len;
        char *bytes = written(&lay, canvas, cases[i].how, &len), *again = written(&lay, canvas, cases[i].how, &again_len);
        assert_memory_equal(bytes, cases[i].begin, strlen(cases[i].begin));
        if (i != 0) { /* cairo counts the surfaces of an SVG in its ids */
            assert_int_equal(len, again_len);
            assert_memory_equal(bytes, again, len);
        }
        if (cases[i].how.format == DRAW_PNG) {
            struct decoded image;
            decode(bytes, len, &image);
            assert_int_equal(image.image.width, (unsigned)(1600 * cases[i].how.zoom));
            assert_int_equal(image.image.height, (unsigned)(900 * cases[i].how.zoom));
            assert_true(near(&image, 3, 3, cases[i].how.theme->colours[COLOUR_PAGE]));
            free(image.rgb);
        }
        free(bytes);
        free(again);
    }
    layout_free(&lay);
    canvas_close(canvas);
    result_free(&res);
}

/* Letters stand out from the page in both themes, but for those that stand on a bar. */
static void test_letters_contrast(void **state)
{
    struct make_options opt = make_defaults();
    struct theme themes[2];
    struct result res;
    (void)state;
    opt.plan = true;
    make_result(&opt, &res);
    theme_light(&themes[0]);
    theme_dark(&themes[1]);
    for (const struct chart_picture *pic = chart_pictures; pic->name; pic++) {
        struct layout lay;
        layout_init(&lay, &measurer_stub);
        pic->layout(&res, &lay);
        for (size_t i = 0; i < lay.len; i++) {
            const struct item *item = &lay.items[i];
            for (int t = 0; t < 2 && item->kind == ITEM_TEXT; t++) {
                enum colour ground = item->colour == COLOUR_PAGE     ? COLOUR_CHOSEN
                                     : item->colour == COLOUR_ON_BAR ? COLOUR_BASELINE
                                                                     : COLOUR_PAGE;
                if (theme_contrast(themes[t].colours[item->colour], themes[t].colours[ground]) < 4.5)
                    fail_msg("%s: %s is too faint in theme %d", pic->name, item->name, t);
            }
        }
        layout_free(&lay);
    }
    result_free(&res);
}

static int pin_fonts(void **state)
{
    char path[2000], here[1000] = "";
    const char *srcdir = getenv("srcdir");
    (void)state;
    srcdir = srcdir ? srcdir : "..";
    if (srcdir[0] != '/' && !getcwd(here, sizeof here)) /* fontconfig looks for relative names elsewhere */
        return -1;
    snprintf(path, sizeof path, "%s/%s/tests/chart/fonts.conf", here, srcdir);
    return access(path, R_OK) == 0 ? setenv("FONTCONFIG_FILE", path, 1) : -1;
}

/* cairo and fontconfig keep caches that a leak checker would count. */
static int drop_caches(void **state)
{
    (void)state;
    cairo_debug_reset_static_data();
    FcFini();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_picture),
        cmocka_unit_test(test_cell_colours),
        cmocka_unit_test(test_no_data_is_hatched),
        cmocka_unit_test(test_hot_cells_never_vanish),
        cmocka_unit_test(test_png_modes),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_letters_contrast),
    };
    return cmocka_run_group_tests_name("chart/draw", tests, pin_fonts, drop_caches);
}
