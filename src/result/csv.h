/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV in tidy form: a header line, one observation a row, quoted as RFC 4180 says, rows end with a
   line feed, numbers with a dot, no value = empty cell. Columns are only ever appended to a table.
   Errors show in ferror of the stream. */
#ifndef RESULT_CSV_H
#define RESULT_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "result/fields.h"
#include "result/result.h"

struct csv {
    FILE *to;
    bool inside;                      /* a cell of the open row has been written */
};

void csv_text(struct csv *csv, const char *text);   /* NULL = empty */
void csv_number(struct csv *csv, double value);     /* NaN = empty */
void csv_end_row(struct csv *csv);

/* The names of |fields| as cells (a figure gives name_mean, name_lo, name_hi), and the values. */
void csv_header(struct csv *csv, const struct result_field *fields);
void csv_fields(struct csv *csv, const struct result_field *fields, const void *base);

/* The tables; each row begins with role and run_buckets. Report and chart both write some of them. */
void result_csv_servers(const struct result *res, FILE *to);    /* a row for each run and server */
void result_csv_tables(const struct result *res, FILE *to);
void result_csv_regions(const struct result *res, FILE *to);
void result_csv_timeline(const struct result *res, FILE *to);   /* a row for each run and window */
void result_csv_events(const struct result *res, FILE *to);
void result_csv_queries(const struct result *res, FILE *to);
void result_csv_candidates(const struct result *res, FILE *to); /* the plan's; no role */
void result_csv_summary(const struct result *res, FILE *to);    /* a row for each run and figure */

/* A row for each cell with writes, of the scenario and the unsalted run. Cells without writes, of
   which a matrix mostly consists, are left out. */
void result_csv_keyspace(const struct result *res, FILE *to);

#endif
