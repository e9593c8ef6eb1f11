/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRUTH_RULES_H
#define TRUTH_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hbase/rules/hfile.h"

/* Shared parts of the programs that hold HBase's rules against recordings of a real one: reading the
   recorded tables, making the recorded key streams, printing verdicts. */

/* ---- tables: tab-separated, '#' comments, one header line ---- */
struct truth_table {
    char *text;
    char **comment;          /* comment lines before the header */
    size_t comments;
    char **column;           /* names, cut at the first '(' */
    size_t columns;
    char ***row;             /* row[i][k]; missing cells are "" */
    size_t rows;
    size_t header_line;
};
/* 0, -1 not readable, -2 no memory or no header. */
int truth_table_read(const char *path, struct truth_table *t);
void truth_table_free(struct truth_table *t);
struct truth_report;
/* Names in DIR that begin and end so, sorted: the order of a folder is nobody's. All to be freed, and the list. */
size_t truth_names(const char *dir, const char *prefix, const char *suffix, char ***names);
/* Each table DIR/PREFIX*.tsv, in order of names: further rows may lie beside the first ones. One that can't be read
   is a failed case. 0, or -1 where there is none. */
int truth_each_table(const char *dir, const char *prefix, void (*judge)(const struct truth_table *t, void *report),
                     struct truth_report *r);
/* Cell by column name; NULL where the table has no such column. */
const char *truth_cell(const struct truth_table *t, size_t row, const char *column);
/* The same as a number; 0 where it is absent or no number. */
uint64_t truth_number(const struct truth_table *t, size_t row, const char *column);
/* Number behind "name=" in any comment line, else |otherwise|. */
uint64_t truth_comment_number(const struct truth_table *t, const char *name, uint64_t otherwise);

/* ---- key streams ---- */
struct truth_stream {
    const char *name;        /* TIME, DEV, SALT-TIME, SALT-TIME24, ... */
    uint32_t n;              /* buckets of salted streams */
    uint64_t devices, step_ms, hot;
};
enum { TRUTH_MAX_ROW = 64 };
uint64_t truth_timestamp(const struct truth_stream *s, uint64_t i);
/* Row of event |i|; returns its length, 0 for an unknown stream. */
size_t truth_row(const struct truth_stream *s, uint64_t i, uint8_t row[TRUTH_MAX_ROW]);
void truth_formula_value(uint64_t i, uint8_t *value, size_t bytes);
/* Decimal text of slowly moving channels, cut to |bytes|. */
void truth_sensor_value(const struct truth_stream *s, uint64_t i, uint8_t *value, size_t bytes);

/* A set of events with their rows, sorted by row. */
struct truth_rows {
    uint8_t *row;            /* count x row_bytes */
    size_t row_bytes, count;
    uint64_t *event, *seqid; /* by sorted position */
    uint64_t *timestamp;
};
/* Events first .. first + count - 1; the sequence id of event i is |first_seqid| + (i - first) / batch. */
struct truth_range {
    uint64_t first, count, first_seqid, batch;
};
int truth_rows_make(const struct truth_stream *s, const struct truth_range *r, struct truth_rows *out);
void truth_rows_free(struct truth_rows *r);

struct truth_shape {
    uint32_t qualifier_bytes, value_bytes, cells_per_row;
    bool value_unknown;      /* never equal to its neighbour's */
    const struct truth_stream *sensor; /* sensor text of this stream; NULL and known: the formula's value */
};
/* Lays the rows out with the cell writer. */
int truth_layout(const struct hfile_options *o, const struct truth_rows *rows, const struct truth_shape *shape,
                 const struct hfile_inputs *inputs, struct hfile_layout *out);
/* The same through the runs; separators from the rows. NONE only gives the same bytes. */
int truth_layout_runs(const struct hfile_options *o, const struct truth_rows *rows,
                      const struct truth_shape *shape, const struct hfile_inputs *inputs,
                      struct hfile_layout *out);

/* ---- verdicts ---- */
struct truth_report {
    unsigned cases, failed, values;
    const char *folder;
    /* the case being judged */
    char name[160];
    unsigned case_values, case_failed;
};
void truth_case(struct truth_report *r, const char *name);
/* Counts a value of the case and prints it when it is off by more than |band| (0: exact). */
void truth_check(struct truth_report *r, const char *quantity, double real, double ours, double band);
void truth_check_text(struct truth_report *r, const char *quantity, const char *real, const char *ours);
/* Prints the case's line, with its leading quantity. */
void truth_case_end(struct truth_report *r, const char *quantity, const char *real, const char *ours,
                    const char *band);
/* A case that fails: the table at |path| can't be read. */
void truth_unreadable(struct truth_report *r, const char *path);
void truth_hex(const uint8_t *row, size_t n, char *out, size_t cap);

/* Each returns 0, or -1 where the folder has no such table. */
int truth_flush_sizes(const char *dir, struct truth_report *r);
int truth_large_files(const char *dir, struct truth_report *r);
int truth_midkey(const char *dir, struct truth_report *r);
int truth_default_flush(const char *dir, struct truth_report *r);
int truth_selection(const char *dir, struct truth_report *r);
int truth_too_busy(const char *dir, struct truth_report *r);
int truth_normalizer(const char *dir, struct truth_report *r);
int truth_encodings(const char *dir, struct truth_report *r);
int truth_hfiles(const char *dir, struct truth_report *r);
int truth_split_keys(const char *dir, struct truth_report *r);
int truth_put_heap(const char *dir, struct truth_report *r);
/* Compares every column of row |i| that speaks of a file with |l|. */
void truth_check_layout(struct truth_report *r, const struct truth_table *t, size_t i, const struct hfile_layout *l);

#endif
