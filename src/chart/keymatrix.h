/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The key space matrix of a run as pixels: every bucket gets a band of equal height, inside it every
   row; columns are placed by time. Where several cells fall on one pixel the largest shows, so a
   narrow hot range never vanishes; rows that hold one key alone show the writes of all of them. Pure. */
#ifndef CHART_KEYMATRIX_H
#define CHART_KEYMATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/result.h"

/* Pixels, and the octaves of the colour scale (theme.h). */
struct keymatrix_size {
    size_t width, height;
    int octaves;
};

/* The largest cell as a share of one server's capacity; 0 for a matrix without writes. */
double keymatrix_most(const struct result_run *run);

/* width x height colours (enum colour), row-major; the caller frees it. Cells without data are
   hatched. Buckets with less than 6 pixels show one row each, their largest. NULL without memory.
   The matrix must have rows and columns. */
uint8_t *keymatrix_pixels(const struct result_run *run, struct keymatrix_size size);

/* The server that holds each pixel row in the last window, -1 unknown; the caller frees it. */
int *keymatrix_servers_by_pixel(const struct result_run *run, size_t height);

/* width x height colours: each pixel row in the colour of its server's load, as a share of one
   server's capacity, in the run's last window. */
uint8_t *keymatrix_server_strip(const struct result_run *run, struct keymatrix_size size);

/* Where a key (Bytes.toStringBinary) lies: 0 = top, 1 = bottom. */
double keymatrix_key_y(const struct result_keyspace *ks, const char *key);

/* The first bytes of a bucket's keys, as many (1 to 4) as tell it from its neighbours. */
void keymatrix_bucket_label(const struct result_keyspace *ks, int bucket, char out[40]);

/* Whether region |i| is the upper daughter of a split in the matrix's table: its start is the split key. */
bool keymatrix_is_upper_daughter(const struct result_run *run, size_t i);

#endif
