/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An application that reads: one [query] of a scenario. reader_walk runs the query once through the
   library's ranges, the scanner's protocol and the merge, on the table as it is (reader_rows.h), and
   leaves its calls; reader_time says how long such a query takes now, on servers that others use too.

   What the key can't serve as a range (the time in a key that begins with the device) is read whole and
   filtered; |filtered| says so. */
#ifndef CLIENT_READER_H
#define CLIENT_READER_H

#include "client/reader_rows.h"
#include "des/stream.h"
#include "hbase/model/read.h"

/* One query's calls, scan by scan and in their order, and what they bring. */
struct reader_walk {
    struct read_rpc *rpcs;
    size_t rpcs_len, rpcs_cap;
    struct scan_cost cost;
    size_t scans;             /* opened; RPCs of gets to several servers count as scans of one call */
    bool filtered;
    double rows_right;        /* rows that a reader without its mistake would have got */
    double rows_got;          /* of them, those that this one got */
};

struct reader {
    struct reader_rows *rows;
    const struct spec_query *query;
    des_time now;             /* of the run: event times end here */
    struct des_stream draws;  /* which row, which entity */
    struct des_stream alone_draws; /* of scans that are timed alone */
    struct scan_options options;
    uint64_t *scan_rows;      /* of the last walk: rows by scan */
    size_t scans_cap;
    double hit;               /* of the block cache, for this query's blocks */
};

/* 0 or a model_error. |rows| is borrowed, and shared by the queries of a table. */
int reader_init(struct reader *rd, struct reader_rows *rows, const struct spec_query *query, uint64_t seed);
void reader_free(struct reader *rd);

/* Runs the query once, |walk| is filled anew (its memory is used again). reader_rows_now was called.
   0 or a model_error. */
int reader_walk(struct reader *rd, struct reader_walk *walk);
void reader_walk_free(struct reader_walk *walk);

/* Parts of reader_walk: one more call, all zero (NULL without memory); a Get of a row anywhere. */
struct read_rpc *reader_walk_add(struct reader_walk *walk);
int reader_get(struct reader *rd, struct reader_walk *walk);

/* The servers' backlogs at some moments, each a vector: what a call meets that comes later than now. */
enum { READER_BACKLOGS = 64 };
struct reader_backlogs {
    double *ns;               /* READER_BACKLOGS vectors of |servers| */
    size_t servers, len, next;
};
int reader_backlogs_init(struct reader_backlogs *b, size_t servers);
void reader_backlogs_free(struct reader_backlogs *b);
/* Looks at all servers now. */
void reader_backlogs_take(struct reader_backlogs *b, const struct model *m);

/* How long a query took, and some of its scans alone. */
enum { READER_ALONE = 16 };
struct reader_times {
    double us;
    uint64_t retries;         /* calls that found their region away, each with one to hbase:meta before the next try */
    double alone_us[READER_ALONE];
    size_t alone_len;         /* 0 where there is one scan */
};

/* Times the query that |walk| stands for, if it begins now: its scans run one after the other, all at once, or from
   a pool of threads; scans that meet on a server wait for each other; each RPC waits behind the writes that the
   server has, behind other reads, and for blocks from disk. A region that is away is tried again with HBase's
   pauses. What a scan takes without its sisters is drawn from a stream of its own. 0 or MODEL_NO_MEMORY. */
int reader_time(struct reader *rd, const struct reader_walk *walk, const struct reader_backlogs *backlogs,
                struct reader_times *out);

#endif
