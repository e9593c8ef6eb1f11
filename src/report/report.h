/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result in words and tables. The text is for people: at most 25 lines, the verdict last, and of a plan
   that timed its queries a table of their costs. What warns is never left out, though it takes more lines.
   The CSV files are for machines: all figures, one tidy table each. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "result/format.h"
#include "result/result.h"

#define REPORT_LINES 25
#define REPORT_COSTS_LINES 14           /* of the table of what queries cost */

/* Writes report.txt's text. 0, or -1 when the stream reported an error. */
int report_write_text(const struct result *res, FILE *to);

/* The last line of the text, without line feed: what was found, in one sentence. Returns the length
   that it has (as snprintf does). */
int report_verdict(const struct result *res, char *text, size_t cap);

/* A figure of a run that runs are compared by: its label and how it is written. */
struct report_figure {
    const char *label;
    const char *(*format)(double value, char text[FORMAT_CAP]);
    double (*value)(const struct result_run *run);
};

/* The figures of report.txt's comparison; ends with a NULL label. */
extern const struct report_figure report_figures[];

/* Whether any run of the result has it. */
bool report_figure_known(const struct result *res, const struct report_figure *fig);

/* |text| right-aligned in |width| letters (not bytes). */
void report_right(FILE *to, const char *text, int width);

/* One CSV table of the result: its file's name and its writer. */
struct report_table {
    const char *name;                 /* "regions.csv" */
    void (*write)(const struct result *res, FILE *to);
    bool only_plan;                   /* left out where the result has no plan */
};

/* All tables; the list ends with a NULL name. */
extern const struct report_table report_tables[];

/* Writes report.txt, result.json and the CSV tables into the folder |dir|, which is made where it is
   missing; each file appears whole or not at all. 0, or -1: |message| names the file and the reason. */
int report_write_all(const struct result *res, const char *dir, char *message, size_t cap);

#endif
