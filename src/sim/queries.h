/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queries of a run. While it goes, each query is asked at some thousand random moments: how long it
   takes then, and what it costs. The shapes (ranges, calls, merge) come from a pool of queries that went
   through the library's ranges and merge on the table as it is: at least 200 for each kind and epoch of
   the placement, and one more at every fourth moment; the others are drawn from the pool. All that are
   not timed are there as the load that they put on processors, disks and read counters. */
#ifndef SIM_QUERIES_H
#define SIM_QUERIES_H

#include "client/reader.h"
#include "des/histogram.h"
#include "hbase/model/model.h"
#include "result/result.h"

enum {
    QUERIES_POOL = 200,       /* walks that are kept, and are made anew at each epoch */
    QUERIES_MOMENTS = 2000,   /* at which each query is timed */
    QUERIES_LOAD_POOL = 8,    /* the same where queries are a load alone */
    QUERIES_LOAD_MOMENTS = 64
};

/* A stream's keys as written to a table. */
struct queries_source {
    const struct keystream *keys;
    int table;
    uint64_t rows;            /* of the whole run */
};

/* A query's figures so far. */
struct query_run {
    struct reader reader;
    bool has_reader;          /* its table is written by a stream */
    struct reader_walk *pool;
    size_t pool_len, next;
    bool warm;                /* the table holds what the query asks for: figures count */
    double sampled;           /* walks that were made since it is warm */
    double walks;             /* drawn of them: sums over these follow */
    double scans, regions, rpcs, rows_scanned, rows_returned, bytes;
    double rows_right, rows_got;
    bool filtered;
    double server_share;
    bool *on;                 /* by server: it has a part of this query's load */
    double asked, asked_n;    /* of its busiest server's processor, by reads and writes: sum, looks */
    struct des_histogram latency; /* ns */
    struct des_histogram alone; /* ns: of its scans, each without its sisters */
    double retries;           /* of the timed queries, in all */
};

struct queries {
    struct model *model;
    des_time end, step;
    size_t pool_most;         /* QUERIES_POOL, or less for a load alone */
    uint64_t load_every;      /* so many moments: the load is found anew */
    bool load_only;
    const des_time *settled;  /* of writers without calls: up to when rows are there; NULL */
    struct reader_rows *rows; /* of each table that is read */
    size_t rows_len;
    struct query_run *runs;
    size_t runs_len;
    struct reader_backlogs backlogs;
    struct des_stream moments;
    uint64_t moment, epoch;
    des_time epoch_at;        /* when pools were last made anew */
    des_time epoch_least;     /* epochs that are shorter are taken together */
    uint32_t slot;
    double *cpu, *cpu2, *disk; /* by server, for sums */
    double busiest, looks;    /* what all reads ask of the server that they ask most of: sum, looks */
    struct queries_source *sources;
    size_t sources_len;
    uint64_t *writes;         /* by region, when the demand of the writes was last found */
    size_t writes_len;
    des_time demand_at;
};

struct queries_setup {
    const struct queries_source *sources;
    size_t sources_len;
    const des_time *settled;  /* as in struct queries */
    bool coarse;              /* the level `flow`, whose epochs are short and many */
    bool load_only;           /* nobody reads the figures: no query is timed, and few walks tell the load */
};

/* 0 or a model_error. Nothing happens without queries. */
int queries_init(struct queries *q, struct model *m, const struct queries_setup *setup);
void queries_start(struct queries *q, des_time end);
void queries_free(struct queries *q);

/* Finds what the writes ask of each server's processor, where they come in calls. 0 or a model_error. */
int queries_note_demand(struct queries *q);

/* Scans and regions of each query as the tables lie now, and the figures of the run. |last_ms| is the
   event time of now. 0 or a model_error. */
int queries_fill(const struct model *m, const struct queries *q, int64_t last_ms, struct result_run *run);

#endif
