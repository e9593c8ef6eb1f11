/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A colour means the same in all pictures, and lines of one panel are told apart without colour, on both
   pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "chart/theme.h"
#include "make_result.h"

static void lay_out(const char *picture, struct result *res, struct layout *lay)
{
    struct make_options opt = make_defaults();
    opt.plan = true;
    make_result(&opt, res);
    layout_init(lay, &measurer_stub);
    chart_picture_by_name(picture)->layout(res, lay);
}

/* The scenario is blue, the unsalted run vermillion, a limit black and dashed; wherever they stand. */
static void test_meaning(void **state)
{
    static const struct { const char *picture, *begin; enum colour colour; bool dashed; } rules[] = {
        {"servers", "scenario.bar.", COLOUR_CHOSEN, false},     {"servers", "none.bar.", COLOUR_BASELINE, false},
        {"servers", "scenario.capacity.0", COLOUR_LIMIT, true}, {"servers", "none.capacity.0", COLOUR_LIMIT, true},
        {"writes", "rate.done", COLOUR_CHOSEN, false},          {"writes", "rate.none", COLOUR_BASELINE, true},
        {"writes", "latency.p99", COLOUR_CHOSEN, false},        {"writes", "latency.none", COLOUR_BASELINE, true},
        {"writes", "rug.split.", COLOUR_BASELINE, false},
        {"regions", "right.split.", COLOUR_BASELINE, false},    {"summary", "scenario.bar.", COLOUR_CHOSEN, false},
        {"summary", "scenario.capacity.0", COLOUR_LIMIT, true}, {"calibration", "scatter.equal.0", COLOUR_LIMIT, true},
        {"calibration", "ratio.equal.0", COLOUR_LIMIT, true},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        struct result res;
        struct layout lay;
        size_t met = 0;
        lay_out(rules[r].picture, &res, &lay);
        for (size_t i = 0; i < lay.len; i++) {
            const struct item *item = &lay.items[i];
            if (item->kind == ITEM_TEXT || strncmp(item->name, rules[r].begin, strlen(rules[r].begin)) != 0)
                continue;
            if (strcmp(rules[r].begin, "latency.p99") == 0 && strcmp(item->name, "latency.p99") != 0)
                continue;
            const enum colour colour = item->kind == ITEM_LINE || item->kind == ITEM_PATH ? item->line.colour : item->colour;
            met++;
            if (colour != rules[r].colour)
                fail_msg("%s of %s: colour %d", item->name, rules[r].picture, (int)colour);
            if (rules[r].dashed)
                assert_int_not_equal(item->line.dash, DASH_NONE);
        }
        if (met == 0)
            fail_msg("%s: no item %s", rules[r].picture, rules[r].begin);
        layout_free(&lay);
        result_free(&res);
    }
}

/* The word before the first dot names the panel. */
static bool one_panel(const struct item *a, const struct item *b)
{
    const size_t len = strcspn(a->name, ".");
    return strncmp(a->name, b->name, len + 1) == 0;
}

static void test_lines_in_grey(void **state)
{
    struct theme themes[2];
    size_t pairs = 0;
    (void)state;
    theme_light(&themes[0]);
    theme_dark(&themes[1]);
    for (const struct chart_picture *pic = chart_pictures; pic->name; pic++) {
        struct result res;
        struct layout lay;
        lay_out(pic->name, &res, &lay);
        for (size_t i = 0; i < lay.len; i++) {
            for (size_t j = 0; j < i; j++) {
                const struct item *a = &lay.items[i], *b = &lay.items[j];
                if (a->kind != ITEM_PATH || b->kind != ITEM_PATH || !one_panel(a, b))
                    continue;
                pairs++;
                if (a->line.dash != b->line.dash)
                    continue;
                for (int t = 0; t < 2; t++)
                    if (fabs(theme_lightness(themes[t].colours[a->line.colour]) -
                             theme_lightness(themes[t].colours[b->line.colour])) < 10)
                        fail_msg("%s: %s and %s look alike in grey on page %d", pic->name, a->name, b->name, t);
            }
        }
        layout_free(&lay);
        result_free(&res);
    }
    assert_true(pairs >= 5);
}

/* What a text stands on: the last filled box below its middle, else the page. */
static enum colour ground_of(const struct layout *lay, size_t text)
{
    const struct box at = lay->items[text].box;
    const double x = at.x + at.w / 2, y = at.y + at.h / 2;
    enum colour ground = COLOUR_PAGE;
    for (size_t i = 0; i < text; i++) {
        const struct item *item = &lay->items[i];
        if (item->kind == ITEM_RECT && x >= item->box.x && x <= item->box.x + item->box.w && y >= item->box.y &&
            y <= item->box.y + item->box.h)
            ground = item->colour;
    }
    return lay->items[text].halo ? COLOUR_PAGE : ground;
}

/* Whatever a picture draws with is seen: texts 4.5 to 1, lines and marks 3 to 1, on both pages. */
static void test_contrast_of_what_is_drawn(void **state)
{
    struct theme themes[2];
    (void)state;
    theme_light(&themes[0]);
    theme_dark(&themes[1]);
    for (const struct chart_picture *pic = chart_pictures; pic->name; pic++) {
        struct result res;
        struct layout lay;
        lay_out(pic->name, &res, &lay);
        for (size_t i = 0; i < lay.len; i++) {
            const struct item *item = &lay.items[i];
            const bool on_cells = item->line.colour == COLOUR_SKY || item->line.colour == COLOUR_MARK ||
                                  item->colour == COLOUR_SKY || item->colour == COLOUR_MARK;
            for (int t = 0; t < 2; t++) {
                const struct rgb *c = themes[t].colours;
                if (item->kind == ITEM_TEXT && theme_contrast(c[item->colour], c[ground_of(&lay, i)]) < 4.5)
                    fail_msg("%s: text %s, colour %d on %d, page %d", pic->name, item->name, (int)item->colour,
                             (int)ground_of(&lay, i), t);
                if ((item->kind == ITEM_PATH || item->kind == ITEM_LINE) && item->line.colour != COLOUR_GRID &&
                    item->line.colour != COLOUR_PAGE && !on_cells &&
                    theme_contrast(c[item->line.colour], c[COLOUR_PAGE]) < 3)
                    fail_msg("%s: line %s, colour %d, page %d", pic->name, item->name, (int)item->line.colour, t);
                if (item->kind == ITEM_MARK && !on_cells && theme_contrast(c[item->colour], c[COLOUR_PAGE]) < 3)
                    fail_msg("%s: mark %s", pic->name, item->name);
            }
        }
        layout_free(&lay);
        result_free(&res);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meaning), cmocka_unit_test(test_lines_in_grey),
        cmocka_unit_test(test_contrast_of_what_is_drawn),
    };
    return cmocka_run_group_tests_name("chart/meaning", tests, NULL, NULL);
}
