/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A client's scan of one range (HBase 2.6's ClientScanner) and its Get: RPCs, regions, rows, bytes, as
   ScanMetrics counts them. The table is plain: split points, a count of rows below any key, the rows'
   shapes. Regions are read one after the other; a region visited costs an RPC also when empty; a client
   that stops before the end without a limit pays one RPC to close.

       struct scan_client c;
       scan_client_open(&c, &table, &ends, &options, limit);
       while (scan_client_next(&c, &row) == 1) ...     (or scan_client_run(&c), which hands out nothing)
       scan_client_close(&c);
       c.cost.rpcs ...

   Nothing is allocated. Ends are keys of fewer than 1,024 bytes. */
#ifndef CLIENT_SCAN_H
#define CLIENT_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "hbase/rules/scan_region.h"
#include "hbase/rules/scan_regions.h"

/* A table as a scan sees it. Rows are numbered in key order. All borrowed. */
struct scan_table {
    const struct saltkey_keys *splits;
    uint64_t (*rank)(void *context, struct saltkey_slice key); /* rows with smaller keys */
    /* Key of a row, valid until the next call with the same |slot|; needed only by who wants keys.
       NULL where the table counts only. */
    struct saltkey_slice (*key)(void *context, uint64_t row, size_t slot);
    uint64_t rows_count;
    struct scan_rows rows;
    void *context;            /* of rank and key */
};

/* One RPC, for whoever prices it. */
struct scan_rpc {
    size_t scan;              /* number of the scan within its query */
    size_t region;
    bool opens;               /* the first in its region: seeks in every file */
    bool closes;              /* only a close */
    const struct scan_reply *reply; /* all zero for a close */
};

struct scan_cost {
    uint64_t scans;           /* scanners asked for by the application */
    uint64_t rpcs;
    uint64_t close_rpcs;      /* of them: closes of a client that stopped early */
    uint64_t regions;         /* ScanMetrics.countOfRegions: visits */
    uint64_t rows_scanned, rows_filtered;
    uint64_t rows_fetched;    /* came over the network, whole */
    uint64_t rows_returned;   /* were handed to the application */
    uint64_t bytes;           /* ScanMetrics.countOfBytesInResults */
    uint64_t heap_bytes;      /* of the replies, on the servers */
    uint64_t looked_at;       /* cells that servers went over */
    uint64_t read_requests;   /* growth of the regions' counters */
    uint64_t heartbeats;
};
void scan_cost_add(struct scan_cost *sum, const struct scan_cost *more);

/* Called after each RPC. */
typedef void scan_rpc_fn(void *context, const struct scan_rpc *rpc);

struct scan_client {
    const struct scan_table *table;
    struct scan_ends ends;
    struct scan_options options;
    uint64_t limit_left;      /* 0: no limit */
    struct scan_region at;
    struct scan_part part;
    size_t region;
    bool begun, in_region, finished;
    bool held;                /* the server holds a scanner for us */
    uint64_t cached;          /* rows fetched and not handed out */
    uint64_t next;            /* how many rows of the range were handed out or skipped by a filter */
    uint64_t low, high;       /* rows of the whole range: low .. high - 1 */
    struct scan_cost cost;
    scan_rpc_fn *on_rpc;      /* may be set after opening; NULL: nobody listens */
    void *on_rpc_context;
    size_t scan;              /* number that on_rpc is told */
};

/* Opens a scan of |ends|. |limit| is Scan.setLimit, 0: none. The table is borrowed, the ends' bytes
   too, the options are copied. |options|->reversed is set from the ends. No RPC yet. */
void scan_client_open(struct scan_client *c, const struct scan_table *table, const struct scan_ends *ends,
                      const struct scan_options *options, uint64_t limit);

/* Next row's number: 1, or 0 at the end. */
int scan_client_next(struct scan_client *c, uint64_t *row);

/* Fetches all that is left. O(RPCs) where rows have one shape. */
void scan_client_run(struct scan_client *c);

/* Fetches until the cache holds a row or the end is reached; returns the rows in the cache. */
uint64_t scan_client_fill(struct scan_client *c);

/* Closes: one more RPC if the server still holds the scanner. */
void scan_client_close(struct scan_client *c);

/* A Get of one row: 1 RPC, 1 read request, found or not. |shape| is the row's, NULL where it is absent. */
void scan_get(const struct scan_shape *shape, struct scan_cost *cost);

#endif
