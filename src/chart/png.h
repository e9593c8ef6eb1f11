/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PNG of a finished picture. It becomes a palette image (a third of the bytes to compress) when its
   colours are at most 256, or are so once the shades between the named colours, that is the smoothed
   edges of letters, are rounded to 16 steps a channel. No time stamp and no text chunks: equal
   pictures give equal bytes. */
#ifndef CHART_PNG_H
#define CHART_PNG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Pixels as 0x00RRGGBB, |stride| of them a row. */
struct pixels {
    const uint32_t *data;
    size_t width, height, stride;
    const uint32_t *named;            /* colours that are never rounded */
    size_t named_len;                 /* at most 128 */
};

/* 0, or -1 when memory or the stream failed. */
int png_write(const struct pixels *pixels, FILE *to);

#endif
