/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "chart/theme.h"

/* Cividis gets lighter all the way, nearly evenly: it prints in grey. */
static void test_cividis_lightness(void **state)
{
    (void)state;
    static const double known[] = {13.4, 21.5, 28.8, 36.6, 44.6, 52.1, 59.2, 67.1, 75.3, 83.8, 91.8};
    double last = -1;
    for (int i = 0; i <= 255; i++) {
        double lightness = theme_lightness(theme_cividis(i / 255.0));
        assert_true(lightness > last - 0.35); /* eight bits a channel step back by a hair */
        last = fmax(last, lightness);
    }
    for (int i = 0; i <= 10; i++)
        assert_true(fabs(theme_lightness(theme_cividis(i / 10.0)) - known[i]) < 0.6);
    struct theme theme;
    theme_light(&theme);
    for (int level = 1; level < CELL_OVER; level++)
        assert_true(theme_lightness(theme.colours[COLOUR_CELLS + level]) >
                    theme_lightness(theme.colours[COLOUR_CELLS + level - 1]));
}

static void test_contrast(void **state)
{
    (void)state;
    struct theme themes[2];
    theme_light(&themes[0]);
    theme_dark(&themes[1]);
    assert_true(fabs(theme_contrast(themes[0].colours[COLOUR_PAGE], (struct rgb){0, 0, 0}) - 21) < 0.01);
    static const enum colour texts[] = {COLOUR_TITLE, COLOUR_TEXT, COLOUR_MUTED, COLOUR_CHOSEN, COLOUR_BASELINE_TEXT};
    static const enum colour lines[] = {COLOUR_CHOSEN, COLOUR_BASELINE, COLOUR_LIMIT, COLOUR_GREEN, COLOUR_OTHER, COLOUR_AXIS};
    for (int t = 0; t < 2; t++) {
        const struct rgb *colours = themes[t].colours;
        for (int i = 0; i < 5; i++)
            assert_true(theme_contrast(colours[COLOUR_PAGE], colours[texts[i]]) >= 4.5);
        for (int i = 0; i < 6; i++)
            assert_true(theme_contrast(colours[COLOUR_PAGE], colours[lines[i]]) >= 3.0);
        for (int i = 0; i < 11; i++) /* a server's name on its fill */
            assert_true(theme_contrast(colours[COLOUR_FILL + i], colours[COLOUR_TEXT]) >= 4.5);
        /* split marks are seen on cold cells */
        assert_true(theme_contrast(colours[COLOUR_SKY], colours[COLOUR_CELLS]) >= 4.5);
    }
    for (int level = 0; level < CELL_LEVELS; level++) /* a cell means the same in both */
        assert_true(theme_contrast(themes[0].colours[COLOUR_CELLS + level], themes[1].colours[COLOUR_CELLS + level]) < 1.0001);
}

/* Lines that stand beside each other are told apart without colour: by lightness, or by their dashes. */
static void test_grey(void **state)
{
    (void)state;
    struct theme themes[2];
    theme_light(&themes[0]);
    theme_dark(&themes[1]);
    for (int t = 0; t < 2; t++) {
        const struct rgb *colours = themes[t].colours;
        double page = theme_lightness(colours[COLOUR_PAGE]);
        for (int c = COLOUR_TITLE; c <= COLOUR_BASELINE; c++)
            if (c != COLOUR_GRID && c != COLOUR_CHOSEN_LIGHT)
                assert_true(fabs(theme_lightness(colours[c]) - page) > 30);
        assert_true(fabs(theme_lightness(colours[COLOUR_CELLS]) - theme_lightness(colours[COLOUR_CELLS + CELL_OVER - 1])) > 70);
        for (int i = 1; i < 3; i++)
            assert_true(fabs(theme_lightness(colours[COLOUR_FILL_GREY + i]) - theme_lightness(colours[COLOUR_FILL_GREY + i - 1])) > 5);
    }
}

static void test_levels(void **state)
{
    (void)state;
    assert_int_equal(theme_cell_level(0, 6), 0);
    assert_int_equal(theme_cell_level((double)NAN, 6), 0);
    assert_int_equal(theme_cell_level(1.0 / 64, 6), 0);
    assert_int_equal(theme_cell_level(1.0 / 63, 6), 1);
    assert_int_equal(theme_cell_level(0.125, 6), 25);
    assert_int_equal(theme_cell_level(1, 6), CELL_OVER - 1);
    assert_int_equal(theme_cell_level(1.004, 6), CELL_OVER - 1);
    assert_int_equal(theme_cell_level(1.01, 6), CELL_OVER);
    assert_int_equal(theme_cell_level((double)INFINITY, 6), CELL_OVER);
    for (int octaves = 6; octaves <= 30; octaves += 3) {
        int last = 0;
        for (double share = 1e-10; share < 4; share *= 1.01) {
            int level = theme_cell_level(share, octaves);
            assert_in_range(level, last, CELL_OVER);
            last = level;
        }
    }
    assert_int_equal(theme_cell_octaves(1), 6);
    assert_int_equal(theme_cell_octaves(1.0 / 16), 6);
    assert_int_equal(theme_cell_octaves(1.0 / 17), 9);
    for (double most = 1; most > 1e-5; most /= 1.7) /* what is there is seen */
        assert_true(theme_cell_level(most, theme_cell_octaves(most)) >= CELL_OVER / 3);
    assert_int_equal(theme_cell_octaves(0), 6);
    assert_int_equal(theme_cell_octaves(1e-300), 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cividis_lightness),
        cmocka_unit_test(test_contrast),
        cmocka_unit_test(test_grey),
        cmocka_unit_test(test_levels),
    };
    return cmocka_run_group_tests_name("chart/theme", tests, NULL, NULL);
}
