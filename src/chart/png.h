/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PNG of a finished picture. Up to 256 different colours make a palette image, a third of the bytes
   to compress; no time stamp and no text chunks, so equal pictures give equal bytes. */
#ifndef CHART_PNG_H
#define CHART_PNG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Pixels as 0x00RRGGBB, |stride| of them a row. */
struct pixels {
    const uint32_t *data;
    size_t width, height, stride;
};

/* 0, or -1 when memory or the stream failed. */
int png_write(const struct pixels *pixels, FILE *to);

#endif
