/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_rules.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t n = 0, capacity = 0;

    if (!f)
        return NULL;
    for (;;) {
        size_t got;

        if (n + 65536 + 1 > capacity) {
            char *p;

            capacity = 2 * capacity + 65536 + 1;
            p = realloc(text, capacity);
            if (!p) {
                free(text);
                fclose(f);
                return NULL;
            }
            text = p;
        }
        got = fread(text + n, 1, 65536, f);
        n += got;
        if (got == 0)
            break;
    }
    fclose(f);
    text[n] = '\0';
    return text;
}

static size_t split_tabs(char *line, char **out, size_t cap)
{
    size_t n = 0;

    while (n < cap) {
        out[n++] = line;
        line = strchr(line, '\t');
        if (!line)
            break;
        *line++ = '\0';
    }
    return n;
}

static int set_header(struct truth_table *t, char *line)
{
    size_t n = 1;

    for (const char *p = line; *p; p++)
        n += *p == '\t';
    t->column = calloc(n, sizeof *t->column);
    if (!t->column)
        return -2;
    t->columns = split_tabs(line, t->column, n);
    for (size_t k = 0; k < n; k++) {
        char *open = strchr(t->column[k], '(');

        if (open && open != t->column[k])
            *open = '\0';
    }
    return 0;
}

static int add_row(struct truth_table *t, char *line)
{
    static char empty[1] = "";
    char **cells = calloc(t->columns, sizeof *cells), ***rows;
    size_t n;

    if (!cells)
        return -2;
    rows = realloc(t->row, (t->rows + 1) * sizeof *rows);
    if (!rows) {
        free(cells);
        return -2;
    }
    t->row = rows;
    n = split_tabs(line, cells, t->columns);
    for (; n < t->columns; n++)
        cells[n] = empty;
    t->row[t->rows++] = cells;
    return 0;
}

static int add_comment(struct truth_table *t, char *line)
{
    char **p = realloc(t->comment, (t->comments + 1) * sizeof *p);

    if (!p)
        return -2;
    t->comment = p;
    t->comment[t->comments++] = line;
    return 0;
}

int truth_table_read(const char *path, struct truth_table *t)
{
    int rc = 0;

    memset(t, 0, sizeof *t);
    t->text = read_all(path);
    if (!t->text)
        return -1;
    for (char *line = t->text; line && *line && rc == 0;) {
        char *next = strchr(line, '\n');

        if (next)
            *next++ = '\0';
        if (*line == '#')
            rc = add_comment(t, line);
        else if (*line != '\0')
            rc = t->column ? add_row(t, line) : set_header(t, line);
        line = next;
    }
    if (rc == 0 && !t->column)
        rc = -2;
    if (rc)
        truth_table_free(t);
    return rc;
}

void truth_table_free(struct truth_table *t)
{
    for (size_t i = 0; i < t->rows; i++)
        free(t->row[i]);
    free(t->row);
    free(t->column);
    free(t->comment);
    free(t->text);
    memset(t, 0, sizeof *t);
}

const char *truth_cell(const struct truth_table *t, size_t row, const char *column)
{
    for (size_t k = 0; k < t->columns; k++)
        if (strcmp(t->column[k], column) == 0)
            return t->row[row][k];
    return NULL;
}

uint64_t truth_number(const struct truth_table *t, size_t row, const char *column)
{
    const char *s = truth_cell(t, row, column);

    return s ? strtoull(s, NULL, 10) : 0;
}

uint64_t truth_comment_number(const struct truth_table *t, const char *name, uint64_t otherwise)
{
    for (size_t i = 0; i < t->comments; i++) {
        size_t n = strlen(name);

        for (const char *p = t->comment[i]; (p = strstr(p, name)) != NULL; p += n)
            if (p[n] == '=' && p[n + 1] >= '0' && p[n + 1] <= '9' && (p[-1] == ' ' || p[-1] == '#'))
                return strtoull(p + n + 1, NULL, 10);
    }
    return otherwise;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t truth_names(const char *dir, const char *prefix, const char *suffix, char ***names)
{
    const size_t head = strlen(prefix), tail = strlen(suffix);
    char **name = NULL;
    struct dirent *e;
    size_t n = 0;
    DIR *d = opendir(dir);

    while (d && (e = readdir(d)) != NULL) {
        const size_t len = strlen(e->d_name);
        char **more;

        if (len < head + tail || strncmp(e->d_name, prefix, head) != 0 || strcmp(e->d_name + len - tail, suffix) != 0)
            continue;
        more = realloc(name, (n + 1) * sizeof *name);
        if (!more || !(more[n] = malloc(len + 1)))
            abort();
        name = more;
        memcpy(name[n++], e->d_name, len + 1);
    }
    if (d)
        closedir(d);
    if (n > 0)
        qsort(name, n, sizeof *name, by_name);
    *names = name;
    return n;
}
