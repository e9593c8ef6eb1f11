/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/theme.h"

#include <math.h>
#include <string.h>

static uint8_t channel(double value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : floor(value + 0.5));
}

struct rgb theme_cividis(double t)
{
    double r = -4.54 - t * (35.34 - t * (2381.73 - t * (6402.7 - t * (7024.72 - t * 2710.57))));
    double g = 32.49 + t * (170.73 + t * (52.82 - t * (131.46 - t * (176.58 - t * 67.37))));
    double b = 81.24 + t * (442.36 - t * (2482.43 - t * (6167.24 - t * (6614.94 - t * 2475.67))));
    return (struct rgb){channel(r), channel(g), channel(b)};
}

struct role {
    enum colour colour;
    struct rgb rgb;
};

static void put_roles(struct theme *theme, const struct role *roles, size_t len)
{
    memset(theme, 0, sizeof *theme);
    for (size_t i = 0; i < len; i++)
        theme->colours[roles[i].colour] = roles[i].rgb;
    for (int level = 0; level < CELL_OVER; level++)
        theme->colours[COLOUR_CELLS + level] = theme_cividis((double)level / (CELL_OVER - 1));
    theme->colours[COLOUR_CELLS + CELL_OVER] = (struct rgb){0xD5, 0x5E, 0x00};
}

void theme_light(struct theme *theme)
{
    static const struct role roles[] = {
        {COLOUR_PAGE, {0xFF, 0xFF, 0xFF}},
        {COLOUR_TITLE, {0x11, 0x11, 0x11}},
        {COLOUR_TEXT, {0x33, 0x33, 0x33}},
        {COLOUR_MUTED, {0x66, 0x66, 0x66}},
        {COLOUR_AXIS, {0x66, 0x66, 0x66}},
        {COLOUR_GRID, {0xE3, 0xE3, 0xE3}},
        {COLOUR_CHOSEN, {0x00, 0x72, 0xB2}},
        {COLOUR_CHOSEN_LIGHT, {0xB3, 0xD5, 0xE8}},
        {COLOUR_BASELINE, {0xD5, 0x5E, 0x00}},
        {COLOUR_BASELINE_LIGHT, {0xF2, 0xCE, 0xB3}},
        {COLOUR_BASELINE_TEXT, {0xA8, 0x4A, 0x00}},
        {COLOUR_OTHER, {0x88, 0x88, 0x88}},
        {COLOUR_OTHER_LIGHT, {0xD8, 0xD8, 0xD8}},
        {COLOUR_LIMIT, {0x00, 0x00, 0x00}},
        {COLOUR_GREEN, {0x00, 0x9E, 0x73}},
        {COLOUR_PURPLE, {0xCC, 0x79, 0xA7}},
        {COLOUR_ORANGE, {0xE6, 0x9F, 0x00}},
        {COLOUR_SKY, {0x56, 0xB4, 0xE9}},
        {COLOUR_YELLOW, {0xF0, 0xE4, 0x42}},
        {COLOUR_NO_DATA, {0xC8, 0xC8, 0xC8}},
        {COLOUR_MARK, {0xFF, 0xFF, 0xFF}},
        {COLOUR_FILL, {0x9F, 0xD3, 0xF2}},
        {COLOUR_FILL + 1, {0xF2, 0xCC, 0x7A}},
        {COLOUR_FILL + 2, {0x8C, 0xD3, 0xBC}},
        {COLOUR_FILL + 3, {0xF7, 0xF0, 0x9A}},
        {COLOUR_FILL + 4, {0xE6, 0xBC, 0xD3}},
        {COLOUR_FILL + 5, {0xB3, 0xC4, 0xE8}},
        {COLOUR_FILL + 6, {0xE8, 0xC2, 0xA0}},
        {COLOUR_FILL + 7, {0xD8, 0xD8, 0xD8}},
        {COLOUR_FILL_GREY, {0xE6, 0xE6, 0xE6}},
        {COLOUR_FILL_GREY + 1, {0xD0, 0xD0, 0xD0}},
        {COLOUR_FILL_GREY + 2, {0xBA, 0xBA, 0xBA}},
        {COLOUR_ON_BAR, {0x00, 0x00, 0x00}},
    };
    put_roles(theme, roles, sizeof roles / sizeof *roles);
}

void theme_dark(struct theme *theme)
{
    static const struct role roles[] = {
        {COLOUR_PAGE, {0x16, 0x18, 0x1B}},
        {COLOUR_TITLE, {0xF5, 0xF5, 0xF5}},
        {COLOUR_TEXT, {0xDD, 0xDD, 0xDD}},
        {COLOUR_MUTED, {0xA8, 0xA8, 0xA8}},
        {COLOUR_AXIS, {0x9A, 0x9A, 0x9A}},
        {COLOUR_GRID, {0x33, 0x36, 0x3A}},
        {COLOUR_CHOSEN, {0x5B, 0xB0, 0xE6}},
        {COLOUR_CHOSEN_LIGHT, {0x1D, 0x42, 0x5A}},
        {COLOUR_BASELINE, {0xF0, 0x7A, 0x2A}},
        {COLOUR_BASELINE_LIGHT, {0x5A, 0x30, 0x14}},
        {COLOUR_BASELINE_TEXT, {0xF5, 0x92, 0x50}},
        {COLOUR_OTHER, {0x90, 0x90, 0x90}},
        {COLOUR_OTHER_LIGHT, {0x44, 0x44, 0x44}},
        {COLOUR_LIMIT, {0xFF, 0xFF, 0xFF}},
        {COLOUR_GREEN, {0x2C, 0xC2, 0x98}},
        {COLOUR_PURPLE, {0xDB, 0x8F, 0xBA}},
        {COLOUR_ORANGE, {0xE6, 0x9F, 0x00}},
        {COLOUR_SKY, {0x56, 0xB4, 0xE9}},
        {COLOUR_YELLOW, {0xF0, 0xE4, 0x42}},
        {COLOUR_NO_DATA, {0x50, 0x50, 0x50}},
        {COLOUR_MARK, {0xFF, 0xFF, 0xFF}},
        {COLOUR_FILL, {0x1F, 0x4E, 0x6B}},
        {COLOUR_FILL + 1, {0x66, 0x4A, 0x0D}},
        {COLOUR_FILL + 2, {0x14, 0x5A, 0x46}},
        {COLOUR_FILL + 3, {0x5C, 0x58, 0x16}},
        {COLOUR_FILL + 4, {0x66, 0x3A, 0x54}},
        {COLOUR_FILL + 5, {0x34, 0x44, 0x6E}},
        {COLOUR_FILL + 6, {0x64, 0x3E, 0x20}},
        {COLOUR_FILL + 7, {0x4A, 0x4A, 0x4A}},
        {COLOUR_FILL_GREY, {0x2C, 0x2C, 0x2C}},
        {COLOUR_FILL_GREY + 1, {0x3C, 0x3C, 0x3C}},
        {COLOUR_FILL_GREY + 2, {0x54, 0x54, 0x54}},
        {COLOUR_ON_BAR, {0x00, 0x00, 0x00}},
    };
    put_roles(theme, roles, sizeof roles / sizeof *roles);
}

int theme_cell_level(double share, int octaves)
{
    if (!(share > exp2(-octaves)))
        return 0;
    if (share > 1.005) /* what a window's edge can add to a full server is no overload */
        return CELL_OVER;
    int level = 1 + (int)floor((log2(share) / octaves + 1) * (CELL_OVER - 1));
    return level >= CELL_OVER ? CELL_OVER - 1 : level;
}

int theme_cell_octaves(double most)
{
    int octaves = 6;
    while (octaves < 30 && most > 0 && most < exp2(-2.0 * octaves / 3))
        octaves += 3;
    return octaves;
}

static double linear(uint8_t value)
{
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(struct rgb colour)
{
    return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}

double theme_contrast(struct rgb a, struct rgb b)
{
    double la = luminance(a), lb = luminance(b);
    return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}

double theme_lightness(struct rgb colour)
{
    double y = luminance(colour);
    return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}
