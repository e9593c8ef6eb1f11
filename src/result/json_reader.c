/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/json_reader.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a difference of sums may be below nothing. */
#define ROUNDING 1e-6

void reader_fault(struct reader *rd, int error, const char *fmt, ...)
{
    if (rd->error)
        return;
    rd->error = error;
    if (!rd->cap)
        return;
    int used = snprintf(rd->message, rd->cap, "%s: %s%s", rd->path, rd->where, rd->where[0] ? ": " : "");
    if (used < 0 || (size_t)used >= rd->cap)
        return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(rd->message + used, rd->cap - (size_t)used, fmt, args);
    va_end(args);
}

size_t reader_down(struct reader *rd, const char *name, long index)
{
    size_t len = strlen(rd->where);
    if (rd->error)
        return len; /* the message stands */
    char *end = rd->where + len;
    size_t room = sizeof rd->where - len;
    const char *dot = len && name[0] ? "." : "";
    if (index < 0)
        snprintf(end, room, "%s%s", dot, name);
    else
        snprintf(end, room, "%s%s[%ld]", dot, name, index);
    return len;
}

void reader_up(struct reader *rd, size_t len)
{
    rd->where[len] = '\0';
}

double reader_number(struct reader *rd, const json_t *value)
{
    if (json_is_null(value))
        return (double)NAN;
    if (!json_is_number(value)) {
        reader_fault(rd, RESULT_READ_CONTENT, "a number is expected");
        return (double)NAN;
    }
    return json_number_value(value);
}

int reader_integer(struct reader *rd, const json_t *value)
{
    return reader_whole_number(rd, reader_number(rd, value));
}

int reader_whole_number(struct reader *rd, double number)
{
    if (!(number >= INT_MIN && number <= INT_MAX) || floor(number) != number) {
        reader_fault(rd, RESULT_READ_CONTENT, "a whole number is expected");
        return 0;
    }
    return (int)number;
}

char *reader_text(struct reader *rd, const json_t *value)
{
    if (json_is_null(value))
        return NULL;
    if (!json_is_string(value)) {
        reader_fault(rd, RESULT_READ_CONTENT, "a text is expected");
        return NULL;
    }
    char *copy = strdup(json_string_value(value));
    if (!copy)
        reader_fault(rd, RESULT_READ_MEMORY, "no memory");
    return copy;
}

const char *reader_kept_text(struct reader *rd, const json_t *value, struct result_run *run)
{
    if (json_is_null(value))
        return NULL;
    if (!json_is_string(value)) {
        reader_fault(rd, RESULT_READ_CONTENT, "a text is expected");
        return NULL;
    }
    const char *kept = result_keep_text(run, json_string_value(value));
    if (!kept)
        reader_fault(rd, RESULT_READ_MEMORY, "no memory");
    return kept;
}

static void read_figure(struct reader *rd, const json_t *value, struct result_figure *fig)
{
    if (!json_is_object(value)) {
        reader_fault(rd, RESULT_READ_CONTENT, "an object of mean, lo and hi is expected");
        return;
    }
    fig->mean = reader_number(rd, json_object_get(value, "mean") ? json_object_get(value, "mean") : json_null());
    if (fig->mean < -ROUNDING)
        reader_fault(rd, RESULT_READ_CONTENT, "a mean of 0 or more is expected");
    fig->lo = reader_number(rd, json_object_get(value, "lo") ? json_object_get(value, "lo") : json_null());
    fig->hi = reader_number(rd, json_object_get(value, "hi") ? json_object_get(value, "hi") : json_null());
}

static void read_field(struct reader *rd, const struct result_field *f, const json_t *value,
                       struct result_run *run, void *at)
{
    size_t back = reader_down(rd, f->name, -1);
    switch (f->kind) {
    case RESULT_NUMBER:
        *(double *)at = reader_number(rd, value);
        /* counts, times, shares and rates; what may be missing (an event's threshold) has any sign */
        if (!f->optional && *(double *)at < -ROUNDING)
            reader_fault(rd, RESULT_READ_CONTENT, "a number of 0 or more is expected");
        break;
    case RESULT_INTEGER:
        *(int *)at = reader_integer(rd, value);
        break;
    case RESULT_FLAG:
        if (!json_is_boolean(value))
            reader_fault(rd, RESULT_READ_CONTENT, "true or false is expected");
        *(bool *)at = json_is_true(value);
        break;
    case RESULT_TEXT:
        free(*(char **)at);
        *(char **)at = reader_text(rd, value);
        break;
    case RESULT_STATIC_TEXT:
        *(const char **)at = reader_kept_text(rd, value, run);
        break;
    case RESULT_FIGURE:
        read_figure(rd, value, at);
        break;
    }
    reader_up(rd, back);
}

void reader_fields(struct reader *rd, const json_t *object, const struct result_field *fields,
                        struct result_run *run, void *base)
{
    if (!json_is_object(object)) {
        reader_fault(rd, RESULT_READ_CONTENT, "an object is expected");
        return;
    }
    for (const struct result_field *f = fields; f->name && !rd->error; f++) {
        const json_t *value = json_object_get(object, f->name);
        if (value)
            read_field(rd, f, value, run, (char *)base + f->offset);
    }
}

const json_t *reader_array(struct reader *rd, const json_t *object, const char *name)
{
    const json_t *array = json_object_get(object, name);
    if (!array || json_is_null(array))
        return NULL;
    if (json_is_array(array))
        return array;
    size_t back = reader_down(rd, name, -1);
    reader_fault(rd, RESULT_READ_CONTENT, "an array is expected");
    reader_up(rd, back);
    return NULL;
}

void *reader_list(struct reader *rd, const json_t *object, const struct reader_shape *shape,
                       struct result_run *run, size_t *len)
{
    const json_t *array = reader_array(rd, object, shape->name);
    size_t count = array ? json_array_size(array) : 0;
    if (!count)
        return NULL;
    char *items = calloc(count, shape->size);
    if (!items) {
        reader_fault(rd, RESULT_READ_MEMORY, "no memory");
        return NULL;
    }
    *len = count;
    for (size_t i = 0; i < count; i++) {
        if (shape->init)
            shape->init(items + i * shape->size);
    }
    for (size_t i = 0; i < count && !rd->error; i++) {
        size_t back = reader_down(rd, shape->name, (long)i);
        reader_fields(rd, json_array_get(array, i), shape->fields, run, items + i * shape->size);
        reader_up(rd, back);
    }
    return items;
}

static void put_value(struct reader *rd, const struct reader_matrix *want, size_t at, double number)
{
    if (want->values)
        want->values[at] = number;
    else
        want->integers[at] = reader_whole_number(rd, number);
}

/* One that was lifted out of the text. */
static void copy_matrix(struct reader *rd, const struct reader_matrix *want, const struct json_matrix *lifted)
{
    if (lifted->rows != want->rows || lifted->columns != want->columns) {
        reader_fault(rd, RESULT_READ_CONTENT, "%zu rows of %zu values are expected", want->rows, want->columns);
        return;
    }
    if (want->values)
        memcpy(want->values, lifted->values, want->rows * want->columns * sizeof *want->values);
    for (size_t i = 0; !want->values && i < want->rows * want->columns && !rd->error; i++)
        want->integers[i] = reader_whole_number(rd, lifted->values[i]);
}

void reader_matrix(struct reader *rd, const json_t *object, const struct reader_matrix *want)
{
    const json_t *value = json_object_get(object, want->name);
    const struct json_matrix *lifted = json_is_string(value) && rd->matrices
                                           ? json_matrices_find(rd->matrices, json_string_value(value)) : NULL;
    const json_t *array = lifted ? NULL : reader_array(rd, object, want->name);
    size_t back = reader_down(rd, want->name, -1);
    if (lifted)
        copy_matrix(rd, want, lifted);
    else if (!array || json_array_size(array) != want->rows)
        reader_fault(rd, RESULT_READ_CONTENT, "%zu rows of %zu values are expected", want->rows, want->columns);
    for (size_t r = 0; array && r < want->rows && !rd->error; r++) {
        const json_t *line = json_array_get(array, r);
        if (!json_is_array(line) || json_array_size(line) != want->columns)
            reader_fault(rd, RESULT_READ_CONTENT, "row %zu: %zu values are expected", r, want->columns);
        for (size_t c = 0; c < want->columns && !rd->error; c++)
            put_value(rd, want, r * want->columns + c, reader_number(rd, json_array_get(line, c)));
    }
    reader_up(rd, back);
}

void reader_numbers(struct reader *rd, const json_t *object, const char *name, double *values, size_t len)
{
    const json_t *array = reader_array(rd, object, name);
    size_t back = reader_down(rd, name, -1);
    if (!array || json_array_size(array) != len)
        reader_fault(rd, RESULT_READ_CONTENT, "%zu numbers are expected, not %zu", len,
              array ? json_array_size(array) : 0);
    for (size_t i = 0; i < len && !rd->error; i++)
        values[i] = reader_number(rd, json_array_get(array, i));
    reader_up(rd, back);
}

