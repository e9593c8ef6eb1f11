/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_TRUTH_BALANCE_TSV_H
#define TESTS_TRUTH_BALANCE_TSV_H

#include <stddef.h>

#include "hbase/balance/draw.h"

/* A recorded table: comment lines, a header line, rows, tabs between the fields. */
struct tsv {
    char *text;
    char **comment; /* lines that begin with #, without it */
    size_t n_comments;
    char ***row; /* row[0] is the header */
    size_t n_rows;
    size_t n_columns;
};

/* 0, -1 where the file can't be read, -2 where a row has not as many fields as the header. */
int tsv_read(struct tsv *t, const char *path);
void tsv_free(struct tsv *t);

/* Column by name; the program ends with a message where there is none. */
size_t tsv_column(const struct tsv *t, const char *name);

/* Sorted names of the files in |dir| that end in |suffix|, NULL at the end; NULL where there is no
   such folder. */
char **tsv_list(const char *dir, const char *suffix);
void tsv_list_free(char **names);

/* Like strtok at one character, with empty fields. */
char *tsv_field(char **rest, char separator);

void *tsv_alloc(size_t n, size_t size);
char *tsv_copy(const char *text);

/* Verdicts: one line a quantity: name, real, ours, difference, band, verdict. */
struct verdicts {
    size_t held, missed;
    int loud; /* also what held */
};

void verdict_number(struct verdicts *v, const char *what, double real, double ours, double band);
/* Holds where low - slack <= ours <= high + slack. */
void verdict_range(struct verdicts *v, const char *what, const double range[2], double ours);
void verdict_text(struct verdicts *v, const char *what, const char *real, const char *ours);
/* The last line; the program's exit status. */
int verdict_end(const struct verdicts *v, const char *subject);

/* splitmix64, |state| a uint64_t. */
uint64_t truth_splitmix(void *state);

#endif
