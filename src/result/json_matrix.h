/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Large matrices of numbers, taken out of a JSON text before it is parsed: jansson makes an object of each value, and
   the key space has a million. An array of equally long arrays that hold only numbers and nulls is lifted out; in the
   text a word stands for it. Anything else, also what is no JSON, stays for jansson and its messages.

       json_matrices_lift(&found, text, &len);
       ... parse, and where a value is such a word: json_matrices_find(&found, word) ...
       json_matrices_free(&found); */
#ifndef RESULT_JSON_MATRIX_H
#define RESULT_JSON_MATRIX_H

#include <stddef.h>

struct json_matrix {
    double *values;                   /* rows x columns, row-major; null is NaN */
    size_t rows, columns;
};

struct json_matrices {
    struct json_matrix *all;
    size_t len;
};

/* Lifts what there is out of |text|, |*len| bytes that are changed in place and become fewer; line feeds stay, so that a
   parser counts lines as before. 0, or -1 without memory: then |text| is as it was or still means the same. */
int json_matrices_lift(struct json_matrices *found, char *text, size_t *len);

/* The matrix that |word| stands for; NULL for any other word. */
const struct json_matrix *json_matrices_find(const struct json_matrices *found, const char *word);

void json_matrices_free(struct json_matrices *found);

#endif
