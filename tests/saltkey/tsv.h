/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tab-separated files of vectors: comment lines (#), one header line, bytes as lower-case hexadecimal digits, "-" for
   an empty byte string. A table owns its text; cells live as long as it does. */
#ifndef TESTS_SALTKEY_TSV_H
#define TESTS_SALTKEY_TSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include "saltkey.h"

/* Room for a cell's bytes: twice what a row key of HBase can have. */
#define TSV_CELL 65536

struct tsv {
    char *text;
    char **cells;      /* rows x columns; row 0 is the header */
    size_t columns, rows; /* rows without the header */
};

/* 0, or -1 where the file can't be read or a line has another number of columns. */
int tsv_load(const char *path, struct tsv *t);
void tsv_free(struct tsv *t);

/* A row that can't be looked at (no such column, a cell that isn't hexadecimal or is too long) jumps to
   |back|, with the reason in |why|; without a trap the program ends. NULL takes the trap away. */
struct tsv_trap {
    jmp_buf back;
    char why[128];
};
void tsv_set_trap(struct tsv_trap *trap);

bool tsv_has(const struct tsv *t, const char *column);
/* The cell of a row (from 0) by its column's name, which has to be there. */
const char *tsv_cell(const struct tsv *t, size_t row, const char *column);
long long tsv_int(const struct tsv *t, size_t row, const char *column);
bool tsv_is(const struct tsv *t, size_t row, const char *column, const char *text);

/* A cell's bytes, in a buffer of |cap| bytes. */
struct saltkey_slice tsv_hex(const char *cell, uint8_t *bytes, size_t cap);
/* True where |bytes| are what the cell says. */
bool tsv_equal(const char *cell, struct saltkey_slice bytes);

#endif
