/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps through parsed JSON and puts its values into structs by their field tables. The first
   fault is kept, with the path inside the JSON text ("comparisons[0].servers[3].writes"); after it
   all calls do nothing. */
#ifndef RESULT_JSON_READER_H
#define RESULT_JSON_READER_H

#include <jansson.h>
#include <stddef.h>

#include "result/fields.h"
#include "result/json.h"
#include "result/json_matrix.h"
#include "result/result.h"

struct reader {
    const char *path;                 /* of the file */
    char *message;                    /* the caller's; gets the first fault */
    size_t cap;
    char where[200];                  /* path inside the JSON text */
    int error;                        /* 0, or the first fault's enum result_read_error */
    const struct json_matrices *matrices; /* lifted out of the text; NULL = none */
};

void reader_fault(struct reader *rd, int error, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Steps down to |name|, or to name[index] for an index of 0 or more; returns what reader_up takes. */
size_t reader_down(struct reader *rd, const char *name, long index);
void reader_up(struct reader *rd, size_t back);

double reader_number(struct reader *rd, const json_t *value);      /* null = NaN */
int reader_integer(struct reader *rd, const json_t *value);
int reader_whole_number(struct reader *rd, double number); /* the same of a number */
char *reader_text(struct reader *rd, const json_t *value);         /* null = NULL; caller frees */
const char *reader_kept_text(struct reader *rd, const json_t *value, struct result_run *run);

/* The array |name| of |object|, or NULL where there is none. */
const json_t *reader_array(struct reader *rd, const json_t *object, const char *name);

/* A matrix of |name| in |object|, row by row: |rows| arrays of |columns| numbers, to |values| or, as whole numbers, to
   |integers|; the other is NULL. */
struct reader_matrix {
    const char *name;
    size_t rows, columns;
    double *values;
    int *integers;
};
void reader_matrix(struct reader *rd, const json_t *object, const struct reader_matrix *want);

/* Exactly |len| numbers of the array |name|. */
void reader_numbers(struct reader *rd, const json_t *object, const char *name, double *values, size_t len);

/* The fields that stand in |object|; others of the struct keep their values. */
void reader_fields(struct reader *rd, const json_t *object, const struct result_field *fields,
                   struct result_run *run, void *base);

/* A list of structs: |init| sets one zeroed element's defaults (NULL: none). */
struct reader_shape {
    const char *name;
    const struct result_field *fields;
    size_t size;
    void (*init)(void *item);
};

/* The list as a new array that the caller frees, also after a fault; NULL and |len| untouched
   where it is empty or missing. */
void *reader_list(struct reader *rd, const json_t *object, const struct reader_shape *shape,
                  struct result_run *run, size_t *len);

#endif
