/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/png.h"

#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PALETTE_MAX 256
#define HASH_SIZE 1024
#define EMPTY UINT32_MAX

/* Colours in the order of their first appearance, found by hashing. */
struct palette {
    uint32_t colours[PALETTE_MAX];
    size_t len;
    uint32_t keys[HASH_SIZE];
    uint8_t index[HASH_SIZE];
};

/* The slot of |colour|; it may be empty. */
static size_t slot_of(const struct palette *pal, uint32_t colour)
{
    size_t slot = (colour * UINT32_C(2654435761)) >> 22;
    while (pal->keys[slot] != colour && pal->keys[slot] != EMPTY)
        slot = (slot + 1) % HASH_SIZE;
    return slot;
}

/* The index of |colour|, which is added where it is new; -1 when the palette is full. */
static int index_of(struct palette *pal, uint32_t colour)
{
    size_t slot = slot_of(pal, colour);
    if (pal->keys[slot] != EMPTY)
        return pal->index[slot];
    if (pal->len == PALETTE_MAX)
        return -1;
    pal->keys[slot] = colour;
    pal->index[slot] = (uint8_t)pal->len;
    pal->colours[pal->len] = colour;
    return (int)pal->len++;
}

/* Each channel to the nearest of 16 steps: 0, 17, 34 ... 255. */
static uint32_t rounded(uint32_t colour)
{
    uint32_t out = 0;
    for (unsigned shift = 0; shift < 24; shift += 8)
        out |= (((colour >> shift & 0xFF) * 15 + 127) / 255 * 17) << shift;
    return out;
}

/* Each pixel's index into |pal|; NULL when there are too many colours, or no memory. */
static uint8_t *indexed(const struct pixels *px, struct palette *pal, bool round)
{
    uint8_t *out = malloc(px->width * px->height);
    uint32_t last = EMPTY;
    int index = 0;
    for (size_t i = 0; i < HASH_SIZE; i++)
        pal->keys[i] = EMPTY;
    pal->len = 0;
    for (size_t i = 0; round && i < px->named_len; i++)
        index_of(pal, px->named[i]);
    for (size_t y = 0; out && y < px->height; y++) {
        const uint32_t *row = px->data + y * px->stride;
        for (size_t x = 0; x < px->width; x++) {
            uint32_t colour = row[x] & 0xFFFFFF;
            if (colour != last) {
                last = colour;
                bool named = pal->keys[slot_of(pal, colour)] != EMPTY;
                index = index_of(pal, round && !named ? rounded(colour) : colour);
                if (index < 0) {
                    free(out);
                    return NULL;
                }
            }
            out[y * px->width + x] = (uint8_t)index;
        }
    }
    return out;
}

static void to_rgb(const uint32_t *row, size_t width, uint8_t *out)
{
    for (size_t x = 0; x < width; x++) {
        out[3 * x] = (uint8_t)(row[x] >> 16);
        out[3 * x + 1] = (uint8_t)(row[x] >> 8);
        out[3 * x + 2] = (uint8_t)row[x];
    }
}

static void write_palette(png_structp png, png_infop info, const struct palette *pal)
{
    png_color colours[PALETTE_MAX];
    for (size_t i = 0; i < pal->len; i++)
        colours[i] = (png_color){(png_byte)(pal->colours[i] >> 16), (png_byte)(pal->colours[i] >> 8),
                                 (png_byte)pal->colours[i]};
    png_set_PLTE(png, info, colours, (int)pal->len);
}

struct job {
    const struct pixels *px;
    const struct palette *palette;    /* NULL = RGB */
    uint8_t *work;                    /* indices of all pixels, or room for one RGB row */
    FILE *to;
};

static void write_image(png_structp png, png_infop info, const struct job *job)
{
    const struct pixels *px = job->px;
    uint8_t *work = job->work;
    bool palette = job->palette != NULL;
    png_set_IHDR(png, info, (png_uint_32)px->width, (png_uint_32)px->height, 8,
                 palette ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (palette)
        write_palette(png, info, job->palette);
    /* Flat areas repeat row by row: palette rows compress best unfiltered, RGB with "up". */
    png_set_filter(png, 0, palette ? PNG_FILTER_NONE : PNG_FILTER_UP);
    png_set_compression_level(png, palette ? 6 : 4);
    png_write_info(png, info);
    for (size_t y = 0; y < px->height; y++) {
        if (palette) {
            png_write_row(png, work + y * px->width);
        } else {
            to_rgb(px->data + y * px->stride, px->width, work);
            png_write_row(png, work);
        }
    }
    png_write_end(png, info);
}

static void quiet(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* libpng leaves by longjmp; nothing here changes after setjmp. */
static int guarded(png_structp png, png_infop info, const struct job *job)
{
    if (setjmp(png_jmpbuf(png)) != 0)
        return -1;
    png_init_io(png, job->to);
    write_image(png, info, job);
    return 0;
}

int png_write(const struct pixels *px, FILE *to)
{
    struct palette *pal = malloc(sizeof *pal);
    struct job job = {px, NULL, pal ? indexed(px, pal, false) : NULL, to};
    if (pal && !job.work)
        job.work = indexed(px, pal, true);
    if (job.work)
        job.palette = pal;
    else
        job.work = malloc(px->width * 3);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, quiet);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    int rc = info && job.work ? guarded(png, info, &job) : -1;
    png_destroy_write_struct(&png, &info);
    free(job.work);
    free(pal);
    return rc == 0 && !ferror(to) ? 0 : -1;
}
