/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/json_matrix.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD "@matrix "
#define WORD_CAP 40                   /* with quotes and any number */
#define SMALL 4096                    /* bytes of text: less is no hurry */
#define EXACT_DIGITS 15               /* a whole number of so many is exact as a double */

/* A text that is walked through, and the values that it has brought. */
struct walk {
    const char *at, *end;
    double *values;
    size_t len, cap;
    bool no_memory;
};

static void skip_space(struct walk *w)
{
    while (w->at < w->end && (*w->at == ' ' || *w->at == '\n' || *w->at == '\t' || *w->at == '\r'))
        w->at++;
}

static bool take(struct walk *w, char letter)
{
    skip_space(w);
    if (w->at == w->end || *w->at != letter)
        return false;
    w->at++;
    return true;
}

static bool is_digit(const struct walk *w)
{
    return w->at < w->end && *w->at >= '0' && *w->at <= '9';
}

/* Digits are summed up in |whole| while that stays exact; their number. */
static int take_digits(struct walk *w, uint64_t *whole, int before)
{
    int digits = 0;
    for (; is_digit(w); w->at++, digits++)
        if (before + digits < EXACT_DIGITS)
            *whole = *whole * 10 + (uint64_t)(*w->at - '0');
    return digits;
}

/* A number by JSON's grammar. Few digits without an exponent are exact by one division (both operands are), the others
   are strtod's. */
static bool take_number(struct walk *w, double *value)
{
    static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char *begin = w->at;
    const bool negative = w->at < w->end && *w->at == '-';
    uint64_t whole = 0;
    int after = 0;
    bool power = false;
    w->at += negative;
    const char *first = w->at;
    const int before = take_digits(w, &whole, 0);
    if (before == 0 || (before > 1 && *first == '0'))
        return false;
    if (w->at < w->end && *w->at == '.') {
        w->at++;
        after = take_digits(w, &whole, before);
        if (after == 0)
            return false;
    }
    if (w->at < w->end && (*w->at == 'e' || *w->at == 'E')) {
        power = true;
        w->at++;
        w->at += w->at < w->end && (*w->at == '+' || *w->at == '-');
        if (!is_digit(w))
            return false;
        while (is_digit(w))
            w->at++;
    }
    if (w->at == w->end) /* strtod must find an end */
        return false;
    if (power || before + after > EXACT_DIGITS)
        *value = strtod(begin, NULL);
    else
        *value = (negative ? -(double)whole : (double)whole) / tens[after];
    return isfinite(*value);
}

static bool take_value(struct walk *w)
{
    double value;
    skip_space(w);
    if (w->end - w->at >= 4 && memcmp(w->at, "null", 4) == 0) {
        w->at += 4;
        value = (double)NAN;
    } else if (!take_number(w, &value)) {
        return false;
    }
    if (w->len == w->cap) {
        const size_t cap = w->cap ? w->cap * 2 : 4096;
        double *bigger = realloc(w->values, cap * sizeof *bigger);
        w->no_memory = !bigger;
        if (!bigger)
            return false;
        w->values = bigger;
        w->cap = cap;
    }
    w->values[w->len++] = value;
    return true;
}

/* The array of arrays that begins at w->at. */
static bool take_matrix(struct walk *w, struct json_matrix *out)
{
    *out = (struct json_matrix){NULL, 0, 0};
    if (!take(w, '['))
        return false;
    do {
        const size_t begin = w->len;
        if (!take(w, '['))
            return false;
        do {
            if (!take_value(w))
                return false;
        } while (take(w, ','));
        if (!take(w, ']') || (out->rows > 0 && w->len - begin != out->columns))
            return false;
        out->columns = w->len - begin;
        out->rows++;
    } while (take(w, ','));
    return take(w, ']');
}

static int keep(struct json_matrices *found, struct json_matrix matrix)
{
    struct json_matrix *bigger = realloc(found->all, (found->len + 1) * sizeof *bigger);
    if (!bigger)
        return -1;
    found->all = bigger;
    found->all[found->len++] = matrix;
    return 0;
}

/* Behind the string that begins at |at|. */
static const char *behind_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\' && at + 1 < end;
    return at < end ? at + 1 : end;
}

static size_t count_lines(const char *from, const char *end)
{
    size_t lines = 0;
    for (; from < end && (from = memchr(from, '\n', (size_t)(end - from))); from++)
        lines++;
    return lines;
}

/* Whether the text has a word of ours already: then nothing can stand for a matrix. */
static bool has_word(const char *text, size_t len)
{
    for (const char *at = text; (at = memchr(at, '@', len - (size_t)(at - text))); at++)
        if (len - (size_t)(at - text) >= strlen(WORD) && memcmp(at, WORD, strlen(WORD)) == 0)
            return true;
    return false;
}

int json_matrices_lift(struct json_matrices *found, char *text, size_t *len)
{
    const char *at = text, *end = text + *len;
    char *to = text;
    int rc = 0;
    *found = (struct json_matrices){NULL, 0};
    if (has_word(text, *len))
        return 0;
    while (at < end) {
        if (*at == '"') {
            const char *next = behind_string(at, end);
            memmove(to, at, (size_t)(next - at));
            to += next - at;
            at = next;
            continue;
        }
        if (*at == '[' && rc == 0) {
            struct walk w = {.at = at, .end = end};
            struct json_matrix matrix;
            const bool taken = take_matrix(&w, &matrix);
            const size_t span = (size_t)(w.at - at), lines = count_lines(at, w.at);
            matrix.values = w.values;
            if (taken && span >= SMALL && span - lines >= WORD_CAP) {
                rc = keep(found, matrix);
                if (rc == 0) {
                    to += snprintf(to, WORD_CAP, "\"" WORD "%zu\"", found->len - 1);
                    memset(to, '\n', lines);
                    to += lines;
                    at = w.at;
                    continue;
                }
            }
            rc = rc || w.no_memory ? -1 : 0;
            free(w.values);
        }
        *to++ = *at++;
    }
    *len = (size_t)(to - text);
    return rc;
}

const struct json_matrix *json_matrices_find(const struct json_matrices *found, const char *word)
{
    char *end;
    if (strncmp(word, WORD, strlen(WORD)) != 0)
        return NULL;
    const unsigned long index = strtoul(word + strlen(WORD), &end, 10);
    return index < found->len ? &found->all[index] : NULL;
}

void json_matrices_free(struct json_matrices *found)
{
    for (size_t i = 0; i < found->len; i++)
        free(found->all[i].values);
    free(found->all);
    *found = (struct json_matrices){NULL, 0};
}
