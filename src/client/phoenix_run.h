/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A Phoenix plan carried out on a table's rows: the order in which rows come back and what it costs, and
   the warning of PHOENIX-7580. Phoenix's region scanner hands out one cell a row and is never cut to go
   from pread to stream (recorded). */
#ifndef CLIENT_PHOENIX_RUN_H
#define CLIENT_PHOENIX_RUN_H

#include "client/phoenix.h"
#include "client/scan.h"

/* Heap of a cell in a reply of Phoenix's scanner: a KeyValue with an array of its own. */
static inline uint32_t phoenix_heap_bytes(uint32_t key_value_bytes)
{
    return scan_client_heap_bytes(key_value_bytes);
}

struct phoenix_run {
    const struct phoenix_table *table;
    const struct phoenix_query *query;
    const struct phoenix_plan *plan;
    const struct scan_table *rows;  /* rows.filtered: what WHERE drops beside the key ranges; key is needed
                                       where the plan merges, with slots below the plan's chunks */
    uint64_t fetch_rows;      /* Statement.setFetchSize; 0: no limit */
    uint64_t consume;         /* rows after which the application closes; 0: all */
    int (*compare)(void *context, uint64_t a, uint64_t b); /* of ORDER BY other than the key */
    void (*row)(void *context, uint64_t row); /* each row in the order of its return; NULL */
    void *context;
    scan_rpc_fn *on_rpc;      /* each RPC, for whoever prices it; of an aggregate or a server's sort one for
                                 each scan. May be NULL */
    void *on_rpc_context;
};

struct phoenix_cost {
    struct scan_cost scan;    /* scans: scanners opened; rows_returned: to the application */
    uint64_t next_calls;      /* RPCs without the closes */
};

/* Runs the plan. Of an aggregate each scan's one reply is counted, and one row where all are one group;
   groups aren't formed. 0 or PHOENIX_NO_MEMORY. */
int phoenix_run(const struct phoenix_run *run, struct phoenix_cost *cost);

/* PHOENIX-7580 (in 5.2.1; apache/phoenix pull requests 2109, 2113, 2114): a query with both ends bound
   looks its regions up bucket by bucket; the last piece is open and loses the last bucket when bucket
   N - 2 has several regions and the range doesn't reach the last of them: the normal state of a salted
   table of times that has grown. Regions that span buckets give doubled and foreign rows too. */
struct phoenix_7580 {
    bool warns;               /* the answer is wrong, or may be (an ORDER BY with LIMIT misses a bucket) */
    bool order_broken;        /* rows should come in key order, but a merged scan covers several buckets */
    uint64_t rows_right;      /* that the query should return */
    uint64_t rows_returned;   /* that it does */
    uint64_t rows_missed;     /* matching rows that no scan reads */
    uint64_t rows_extra;      /* read twice, or foreign */
};

/* What the query on this table loses. 0 or an error of phoenix.h. */
int phoenix_7580_check(const struct phoenix_run *run, struct phoenix_7580 *out);

#endif
