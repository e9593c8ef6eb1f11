/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/measured.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/fields.h"

#define LINE_CAP 1000
#define NEAR 0.02

enum column { COLUMN_CASE, COLUMN_FIGURE, COLUMN_MEASURED, COLUMN_SIMULATED, COLUMNS };

static const char *const NAMES[COLUMNS] = {"case", "figure", "measured", "simulated"};

struct table {
    const char *path;
    int line;
    char separator;
    int at[COLUMNS];                  /* of each column; -1 = absent */
    struct result *res;
    char *message;
    size_t cap;
};

double result_measured_ratio(const struct result_measurement *ms)
{
    const double middle = (ms->lo + ms->hi) / 2;

    if (middle == 0 && ms->simulated == 0)
        return 1;
    return middle > 0 && ms->simulated > 0 ? ms->simulated / middle : (double)NAN;
}

bool result_measured_inside(const struct result_measurement *ms)
{
    return ms->simulated >= ms->lo - NEAR * fabs(ms->lo) && ms->simulated <= ms->hi + NEAR * fabs(ms->hi);
}

static int complain(const struct table *tab, const char *what, const char *word)
{
    snprintf(tab->message, tab->cap, "%s:%d: %s%s%.60s%s", tab->path, tab->line, what, word ? " '" : "", word ? word : "",
             word ? "'" : "");
    return -2;
}

/* Cuts the line at its separators; the number of cells. */
static size_t cells_of(char *line, char separator, char *cells[], size_t most)
{
    size_t len = 0;

    for (char *at = line; at && len < most;) {
        char *next = strchr(at, separator);

        cells[len++] = at;
        if (next)
            *next++ = '\0';
        at = next;
    }
    return len;
}

static bool read_number(const char *text, double *value, const char **end)
{
    char *stop;

    *value = strtod(text, &stop);
    *end = stop;
    return stop > text && isfinite(*value);
}

static int read_header(struct table *tab, char *line)
{
    char *cells[32];

    tab->separator = strchr(line, '\t') ? '\t' : ',';
    for (int c = 0; c < COLUMNS; c++)
        tab->at[c] = -1;
    for (size_t i = 0, len = cells_of(line, tab->separator, cells, 32); i < len; i++)
        for (int c = 0; c < COLUMNS; c++)
            if (strcmp(cells[i], NAMES[c]) == 0)
                tab->at[c] = (int)i;
    if (tab->at[COLUMN_FIGURE] < 0 || tab->at[COLUMN_MEASURED] < 0)
        return complain(tab, "the first line must name the columns figure and measured", NULL);
    return 0;
}

/* The result's own figure. */
static bool figure_of(const struct result *res, const char *name, double *value)
{
    if (!result_field_find(result_summary_fields, name))
        return result_query_figure(&res->run, name, value);
    *value = result_field_number(result_summary_fields, name, &res->run.summary);
    return isfinite(*value);
}

static int read_range(const struct table *tab, const char *text, struct result_measurement *ms)
{
    const char *end;

    if (!read_number(text, &ms->lo, &end))
        return complain(tab, "measured is no number or range LO..HI:", text);
    ms->hi = ms->lo;
    /* strtod takes "31." of "31..33": the range's dots are what is left, and one of them. */
    if (strncmp(end, "..", 2) == 0 ? !read_number(end + 2, &ms->hi, &end) :
        end[0] == '.' && end[-1] == '.' && !read_number(end + 1, &ms->hi, &end))
        return complain(tab, "measured is no number or range LO..HI:", text);
    if (*end != '\0' || ms->hi < ms->lo)
        return complain(tab, "measured is no number or range LO..HI:", text);
    return 0;
}

static int add(const struct table *tab, const char *group, const char *figure, struct result_measurement ms)
{
    struct result *res = tab->res;
    struct result_measurement *all;
    const size_t len = strlen(group) + strlen(figure) + 2;

    if (res->measurements_len >= MEASUREMENTS_MAX)
        return complain(tab, "more lines than a picture can show", NULL);
    all = realloc(res->measurements, (res->measurements_len + 1) * sizeof *all);
    if (all)
        res->measurements = all;
    ms.name = all ? malloc(len) : NULL;
    if (!ms.name)
        return complain(tab, "not enough memory", NULL);
    snprintf(ms.name, len, "%s%s%s", group, group[0] ? " " : "", figure);
    all[res->measurements_len++] = ms;
    return 0;
}

static int read_line(struct table *tab, char *line)
{
    char *cells[32], empty[1] = "", *of[COLUMNS];
    const size_t len = cells_of(line, tab->separator, cells, 32);
    struct result_measurement ms = {NULL, 0, 0, (double)NAN, false};
    const char *end;

    for (int c = 0; c < COLUMNS; c++)
        of[c] = tab->at[c] >= 0 && (size_t)tab->at[c] < len ? cells[tab->at[c]] : empty;
    if (of[COLUMN_FIGURE][0] == '\0')
        return complain(tab, "no figure is named", NULL);
    if (read_range(tab, of[COLUMN_MEASURED], &ms) != 0)
        return -2;
    if (of[COLUMN_SIMULATED][0] == '\0') {
        if (!figure_of(tab->res, of[COLUMN_FIGURE], &ms.simulated))
            return complain(tab, "the result has no figure", of[COLUMN_FIGURE]);
        ms.own = true;
    } else if (!read_number(of[COLUMN_SIMULATED], &ms.simulated, &end) || *end != '\0') {
        return complain(tab, "simulated is no number:", of[COLUMN_SIMULATED]);
    }
    return add(tab, of[COLUMN_CASE], of[COLUMN_FIGURE], ms);
}

int result_read_measured(const char *path, struct result *res, char *message, size_t cap)
{
    struct table tab = {.path = path, .res = res, .message = message, .cap = cap};
    char line[LINE_CAP];
    bool header = false;
    FILE *from = fopen(path, "rb");
    int rc = 0;

    if (!from) {
        snprintf(message, cap, "%s: %s", path, strerror(errno));
        return -1;
    }
    while (rc == 0 && fgets(line, sizeof line, from)) {
        const size_t len = strcspn(line, "\r\n");

        tab.line++;
        if (len + 1 == sizeof line)
            rc = complain(&tab, "the line is too long", NULL);
        line[len] = '\0';
        if (rc != 0 || len == 0 || line[0] == '#')
            continue;
        rc = header ? read_line(&tab, line) : read_header(&tab, line);
        header = true;
    }
    if (rc == 0 && ferror(from)) {
        snprintf(message, cap, "%s: %s", path, strerror(errno));
        rc = -1;
    }
    fclose(from);
    return rc == 0 && res->measurements_len == 0 ? complain(&tab, "nothing was measured", NULL) : rc;
}
