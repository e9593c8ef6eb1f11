/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared parts of the programs that hold Phoenix's client against recordings of a real one: the recorded
   tables' rows and regions from their headers and layouts, the recorded SQL. */
#ifndef TRUTH_PHOENIX_H
#define TRUTH_PHOENIX_H

#include "client/phoenix_run.h"
#include "truth_reads.h"

/* ---- rows, from a header's "2000 rows: ts = T + i*S, dev = (i*M) mod D, v = ..." ---- */
struct phoenix_data {
    uint64_t rows, start_ms, step_ms, device_factor, devices;
    uint64_t value_mod;      /* v = 'v' + (i mod value_mod); 0 where v is something else */
};
/* 0, or -1 where the header doesn't say. */
int phoenix_data_read(const struct truth_table *t, struct phoenix_data *d);
uint64_t phoenix_data_ts(const struct phoenix_data *d, uint64_t event);
uint64_t phoenix_data_dev(const struct phoenix_data *d, uint64_t event);
void phoenix_data_value(const struct phoenix_data *d, uint64_t event, char *out, size_t cap);

/* ---- one recorded table ---- */
struct phoenix_case {
    char name[32];
    const struct phoenix_data *data;
    struct saltkey_scheme scheme;
    struct saltkey_keys splits, guideposts;
    struct sorted_rows rows;
    struct phoenix_table table;
    struct scan_cell cell;
    struct scan_shape shape;
};
/* |layout| is the recorded column, as "8 regions: each bucket's region split at event 1000". */
int phoenix_case_make(struct phoenix_case *c, const char *name, uint32_t buckets, const char *layout,
                      const struct phoenix_data *data);
void phoenix_case_free(struct phoenix_case *c);

/* ---- SQL of queries.tsv ---- */
enum { SQL_VALUES_MAX = 64, SQL_CONDITIONS_MAX = 8 };
enum sql_column { SQL_TS, SQL_DEV, SQL_V, SQL_ROW };  /* SQL_ROW: (ts, dev) */
struct sql_condition {
    enum sql_column column;
    char op[4];              /* = >= > <= <, IN for lists */
    uint64_t number[SQL_VALUES_MAX];
    size_t numbers;
    char text[64];           /* of v */
};
struct sql {
    struct sql_condition condition[SQL_CONDITIONS_MAX];
    size_t conditions;
    enum sql_column order[4];
    size_t orders;
    struct saltkey_value values[3][SQL_VALUES_MAX];
    struct phoenix_condition bound[2];
    char filter[256], order_text[128], group_text[64];
    bool filters[SQL_CONDITIONS_MAX]; /* conditions that aren't part of the key ranges */
    struct phoenix_query query;
};
/* 0, or -1 where the text isn't of the recorded kind. |sql| holds what the query points to. */
int sql_parse(const char *text, struct sql *sql);

/* Whether the row of |event| passes the conditions: all of them, or those that are filters only. */
bool sql_matches(const struct sql *sql, const struct phoenix_data *d, uint64_t event, bool all);
/* Order of two events by ORDER BY. */
int sql_compare(const struct sql *sql, const struct phoenix_data *d, uint64_t a, uint64_t b);

#endif
