/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tab-separated files of vectors: comment lines (#), one header line, bytes as lower-case hexadecimal digits, "-" for
   an empty byte string. A table owns its text; cells live as long as it does. */
#ifndef TESTS_SALTKEY_TSV_H
#define TESTS_SALTKEY_TSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "saltkey.h"

struct tsv {
    char *text;
    char **cells;      /* rows x columns; row 0 is the header */
    size_t columns, rows; /* rows without the header */
};

/* 0, or -1 where the file can't be read or a line has another number of columns. */
int tsv_load(const char *path, struct tsv *t);
void tsv_free(struct tsv *t);
/* The cell of a row (from 0) by its column's name; NULL where the column is missing. */
const char *tsv_cell(const struct tsv *t, size_t row, const char *column);
long long tsv_int(const struct tsv *t, size_t row, const char *column);
bool tsv_is(const struct tsv *t, size_t row, const char *column, const char *text);

/* A cell's bytes, in a buffer of |cap| bytes; aborts the program where it isn't hexadecimal. */
struct saltkey_slice tsv_hex(const char *cell, uint8_t *bytes, size_t cap);
/* True where |bytes| are what the cell says. */
bool tsv_equal(const char *cell, struct saltkey_slice bytes);

#endif
