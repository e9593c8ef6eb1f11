/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_balance_tsv.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *tsv_alloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

char *tsv_copy(const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(tsv_alloc(n, 1), text, n);
}

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long size;

    if (!f)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0) {
        text = tsv_alloc((size_t)size + 1, 1);
        if (fread(text, 1, (size_t)size, f) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    fclose(f);
    return text;
}

char *tsv_field(char **rest, char separator)
{
    char *field = *rest;
    if (!field)
        return NULL;
    char *end = strchr(field, separator);
    if (end)
        *end++ = '\0';
    *rest = end;
    return field;
}

static size_t count_of(const char *text, char c)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == c;
    return n;
}

int tsv_read(struct tsv *t, const char *path)
{
    *t = (struct tsv){.text = read_all(path)};
    if (!t->text)
        return -1;
    size_t lines = count_of(t->text, '\n') + 1;
    t->comment = tsv_alloc(lines, sizeof(*t->comment));
    t->row = tsv_alloc(lines, sizeof(*t->row));
    char *rest = t->text, *line;
    while ((line = tsv_field(&rest, '\n'))) {
        if (*line == '\0')
            continue;
        if (*line == '#') {
            t->comment[t->n_comments++] = line + 1;
            continue;
        }
        size_t n = count_of(line, '\t') + 1;
        if (t->n_rows == 0)
            t->n_columns = n;
        else if (n != t->n_columns) {
            tsv_free(t);
            return -2;
        }
        char **fields = t->row[t->n_rows++] = tsv_alloc(n, sizeof(*fields));
        for (size_t i = 0; i < n; i++)
            fields[i] = tsv_field(&line, '\t');
    }
    return 0;
}

void tsv_free(struct tsv *t)
{
    for (size_t i = 0; i < t->n_rows; i++)
        free(t->row[i]);
    free(t->row);
    free(t->comment);
    free(t->text);
    *t = (struct tsv){0};
}

size_t tsv_column(const struct tsv *t, const char *name)
{
    for (size_t i = 0; t->n_rows && i < t->n_columns; i++)
        if (strcmp(t->row[0][i], name) == 0)
            return i;
    fprintf(stderr, "no column %s\n", name);
    exit(1);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **tsv_list(const char *dir, const char *suffix)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    size_t n = 0, cap = 16;

    if (!d)
        return NULL;
    char **names = tsv_alloc(cap, sizeof(*names));
    while ((e = readdir(d))) {
        size_t length = strlen(e->d_name), tail = strlen(suffix);
        if (length <= tail || strcmp(e->d_name + length - tail, suffix) != 0)
            continue;
        if (n + 1 == cap) {
            names = realloc(names, (cap *= 2) * sizeof(*names));
            if (!names)
                exit(1);
        }
        names[n++] = tsv_copy(e->d_name);
    }
    closedir(d);
    names[n] = NULL;
    qsort(names, n, sizeof(*names), compare_names);
    return names;
}

void tsv_list_free(char **names)
{
    for (size_t i = 0; names && names[i]; i++)
        free(names[i]);
    free(names);
}

static void verdict(struct verdicts *v, const char *line, int held)
{
    if (held)
        v->held++;
    else
        v->missed++;
    if (!held || v->loud)
        printf("%s %s\n", line, held ? "ok" : "MISSED");
}

void verdict_number(struct verdicts *v, const char *what, double real, double ours, double band)
{
    char line[600];
    snprintf(line, sizeof(line), "%s: real %.10g ours %.10g difference %.3g band %.3g", what, real,
             ours, ours - real, band);
    verdict(v, line, fabs(ours - real) <= band);
}

void verdict_range(struct verdicts *v, const char *what, const double range[2], double ours)
{
    char line[600];
    double off = ours < range[0] ? ours - range[0] : ours > range[1] ? ours - range[1] : 0;
    snprintf(line, sizeof(line), "%s: real %.8g..%.8g ours %.8g difference %.3g band 0", what,
             range[0], range[1], ours, off);
    verdict(v, line, off == 0);
}

void verdict_text(struct verdicts *v, const char *what, const char *real, const char *ours)
{
    size_t n = strlen(what) + strlen(real) + strlen(ours) + 64;
    char *line = tsv_alloc(n, 1);
    int same = strcmp(real, ours) == 0;
    snprintf(line, n, "%s: real %s ours %s difference %s band none", what, real, ours,
             same ? "no" : "yes");
    verdict(v, line, same);
    free(line);
}

int verdict_end(const struct verdicts *v, const char *subject)
{
    if (v->held + v->missed == 0) {
        printf("%s: no case found\n", subject);
        return 1;
    }
    printf("%s: %zu of %zu quantities hold\n", subject, v->held, v->held + v->missed);
    return v->missed > 0;
}

uint64_t truth_splitmix(void *state)
{
    uint64_t z = *(uint64_t *)state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
