/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Phoenix 5.2.1's client makes of a query: which scans it opens, in what groups, in what order rows
   come back, and the plan that EXPLAIN prints (recorded; ParallelIterators' base class
   BaseResultIterators, ScanRanges, ScanPlan, AggregatePlan, ExplainTable).

   A query on a salted table is N scans, or none of the things one expects of N scans: LIMIT without
   ORDER BY is one task that reads bucket 0 first; a full key is one scan of one row (never a Get) with
   its salt computed by the client; an IN of full keys is one skip scan for each piece that holds a key.

       struct phoenix_plan plan;
       if (phoenix_plan_make(&table, &query, &plan) == 0) {
           phoenix_plan_text(&table, &query, &plan, print_line, NULL);
           phoenix_plan_free(&plan);
       } */
#ifndef CLIENT_PHOENIX_H
#define CLIENT_PHOENIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "saltkey.h"

enum { PHOENIX_NO_MEMORY = -1, PHOENIX_BAD_QUERY = -2 };

struct phoenix_table {
    const char *name;
    const struct saltkey_scheme *scheme;   /* salt `phoenix` or `none`; fields are the key columns */
    const struct saltkey_keys *splits;     /* region starts but the first */
    const struct saltkey_keys *guideposts; /* of UPDATE STATISTICS, sorted; NULL: none */
    uint64_t row_estimate_bytes;           /* phoenix_row_estimate_bytes */
    uint64_t max_file_bytes;               /* hbase.hregion.max.filesize: 10 GiB */
};

/* SchemaUtil.estimateRowSize: a key value for each column that isn't of the key and one for the row
   itself. |value_bytes| of a column is its fixed width, or 0 for a varying one (taken as 50). */
struct phoenix_column {
    const char *name;
    uint32_t value_bytes;
};
uint64_t phoenix_row_estimate_bytes(uint32_t key_bytes, const struct phoenix_column *columns, size_t n);

/* What WHERE says of one key column. */
enum phoenix_bound { PHOENIX_ANY, PHOENIX_VALUES, PHOENIX_RANGE };
struct phoenix_condition {
    enum phoenix_bound bound;
    const struct saltkey_value *values;    /* = or IN: ascending */
    size_t values_len;
    const struct saltkey_value *lower, *upper; /* NULL: open */
    bool lower_inclusive, upper_inclusive;
};

enum phoenix_order { PHOENIX_UNORDERED, PHOENIX_BY_KEY, PHOENIX_BY_KEY_DESC, PHOENIX_BY_OTHER };
enum phoenix_aggregate { PHOENIX_ROWS, PHOENIX_ONE_ROW, PHOENIX_GROUPS, PHOENIX_GROUPS_BY_KEY };

struct phoenix_query {
    const struct phoenix_condition *conditions; /* one for each key column; NULL: none */
    const struct saltkey_value *keys;      /* (a, b) IN ((..), ..): full keys, columns in order, ascending */
    size_t keys_len;                       /* number of keys, not of values; 0: none */
    const char *filter;                    /* rest of WHERE as the plan prints it ("V = 'v7'"); NULL */
    bool filter_on_key;                    /* it speaks of a key column: a salted table shows its buckets */
    enum phoenix_order order;              /* a prefix of the key counts as the key */
    const char *order_text;                /* "V, DEV, TS", of PHOENIX_BY_OTHER */
    enum phoenix_aggregate aggregate;
    const char *group_text;                /* "DEV" */
    bool first_key_only;                   /* no column beside the key's is needed */
    uint64_t limit, offset;                /* 0: none */
    bool force_row_key_order;              /* phoenix.query.force.rowkeyorder */
};

/* One scan; its keys' bytes are the plan's. An empty stop is the table's end. */
struct phoenix_scan {
    struct saltkey_slice start, stop;
    bool start_inclusive, stop_inclusive;  /* as for a forward scan */
    bool ends_region;                      /* up to the end of its region's part of the range */
    size_t group;                          /* groups run in parallel, scans of one after the other */
};

struct phoenix_plan {
    struct phoenix_scan *scans;            /* in key order */
    size_t chunks;                         /* their number: the plan's n-CHUNK */
    size_t ways;                           /* groups: m-WAY */
    bool point_lookup, skip_scan, full_scan;
    bool serial;                           /* one task opens the scans one after the other until LIMIT is full */
    bool round_robin;                      /* a row from each scan in turn */
    bool merge_sort;
    bool reverse;
    bool offset_on_server;
    uint64_t page_rows;                    /* PageFilter of each scan: LIMIT + OFFSET; 0: none */
    uint64_t point_keys;                   /* keys of a point lookup */
    uint64_t skip_ranges;                  /* key ranges of a skip scan, times the buckets */
    bool skip_keys;                        /* all of them are single keys */
    uint64_t estimated_rows;               /* 0 without an estimate */
    size_t regions_looked_up;
    uint8_t *bytes;                        /* of all keys */
    size_t bytes_len, bytes_cap, scans_cap;
};

/* Fills |plan|; free it. 0, PHOENIX_NO_MEMORY, or PHOENIX_BAD_QUERY where a value doesn't fit its column
   or the table isn't Phoenix's. */
int phoenix_plan_make(const struct phoenix_table *table, const struct phoenix_query *query,
                      struct phoenix_plan *plan);
void phoenix_plan_free(struct phoenix_plan *plan);

/* EXPLAIN's lines, one call each. Estimates from statistics aren't made: with guideposts a query without
   LIMIT prints none. */
typedef void phoenix_line_fn(void *context, const char *line);
void phoenix_plan_text(const struct phoenix_table *table, const struct phoenix_query *query,
                       const struct phoenix_plan *plan, phoenix_line_fn *line, void *context);

/* Buckets of a salted table, 0 of an unsalted one. */
static inline uint32_t phoenix_buckets(const struct phoenix_table *table)
{
    return table->scheme->salt.width > 0 ? (uint32_t)table->scheme->salt.buckets : 0;
}

#endif
