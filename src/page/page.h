/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result as one HTML page that needs nothing else: no script, no font, no file beside it. Its
   pictures are inline SVG whose colours follow the reader's light or dark setting, and black on
   white on paper (A4). Equal results give equal bytes. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <stdio.h>

#include "result/result.h"

/* 0, or -1 when memory or the stream failed (errno tells for the stream). */
int page_write(const struct result *res, FILE *to);

#endif
