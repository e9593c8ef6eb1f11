/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tsv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long size = -1;

    if (!f)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0)
        text = malloc((size_t)size + 1);
    if (text) {
        if (fread(text, 1, (size_t)size, f) != (size_t)size) {
            free(text);
            text = NULL;
        } else {
            text[size] = '\0';
        }
    }
    fclose(f);
    return text;
}

static size_t count(const char *text, char c)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == c;
    return n;
}

int tsv_load(const char *path, struct tsv *t)
{
    char *at, *head;
    size_t lines, row = 0;

    memset(t, 0, sizeof(*t));
    t->text = read_all(path);
    if (!t->text)
        return -1;
    lines = count(t->text, '\n') + 1;
    head = t->text;
    while (*head == '#' && strchr(head, '\n'))
        head = strchr(head, '\n') + 1;
    for (at = head; *at && *at != '\n'; at++)
        t->columns += *at == '\t';
    t->columns++;
    t->cells = calloc(lines * t->columns, sizeof(*t->cells));
    if (!t->cells)
        return -1;
    for (at = head; *at; row++) {
        char *end = strchr(at, '\n');
        size_t i;

        if (end)
            *end = '\0';
        if (count(at, '\t') + 1 != t->columns)
            return -1;
        for (i = 0; i < t->columns; i++) {
            char *tab = strchr(at, '\t');

            t->cells[row * t->columns + i] = at;
            if (tab)
                *tab = '\0';
            at = tab ? tab + 1 : at + strlen(at);
        }
        at = end ? end + 1 : at;
    }
    t->rows = row ? row - 1 : 0;
    return 0;
}

void tsv_free(struct tsv *t)
{
    free(t->cells);
    free(t->text);
    memset(t, 0, sizeof(*t));
}

static struct tsv_trap *trap;

void tsv_set_trap(struct tsv_trap *new_trap)
{
    trap = new_trap;
}

static void give_up(const char *what, const char *which)
{
    if (!trap) {
        fprintf(stderr, "%s%s\n", what, which);
        exit(1);
    }
    snprintf(trap->why, sizeof(trap->why), "%s%s", what, which);
    longjmp(trap->back, 1);
}

static const char *find_cell(const struct tsv *t, size_t row, const char *column)
{
    size_t i;

    for (i = 0; i < t->columns; i++)
        if (strcmp(t->cells[i], column) == 0)
            return t->cells[(row + 1) * t->columns + i];
    return NULL;
}

bool tsv_has(const struct tsv *t, const char *column)
{
    return t->rows > 0 && find_cell(t, 0, column);
}

const char *tsv_cell(const struct tsv *t, size_t row, const char *column)
{
    const char *cell = find_cell(t, row, column);

    if (!cell)
        give_up("no column ", column);
    return cell;
}

long long tsv_int(const struct tsv *t, size_t row, const char *column)
{
    return strtoll(tsv_cell(t, row, column), NULL, 10);
}

bool tsv_is(const struct tsv *t, size_t row, const char *column, const char *text)
{
    return strcmp(tsv_cell(t, row, column), text) == 0;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

struct saltkey_slice tsv_hex(const char *cell, uint8_t *bytes, size_t cap)
{
    struct saltkey_slice s = {bytes, 0};

    if (strcmp(cell, "-") == 0)
        return s;
    for (; *cell; cell += 2) {
        int hi = digit(cell[0]), lo = cell[1] ? digit(cell[1]) : -1;

        if (hi < 0 || lo < 0)
            give_up("not hexadecimal from here on: ", cell);
        if (s.len == cap)
            give_up("a cell has more bytes than a row key can have", "");
        bytes[s.len++] = (uint8_t)(hi << 4 | lo);
    }
    return s;
}

bool tsv_equal(const char *cell, struct saltkey_slice bytes)
{
    uint8_t want[TSV_CELL];
    struct saltkey_slice w = tsv_hex(cell, want, sizeof(want));

    return saltkey_compare(w, bytes) == 0;
}
