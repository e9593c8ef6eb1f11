/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A region's side of a scan (HBase 2.6: RSRpcServices.scan, RegionScannerImpl, StoreScanner): which rows
   one RPC carries and why it ends there. Open, first next and close are one call; an RPC ends at the
   first of: caching rows, the limit, the size of the reply, the pread cut, the time limit, the end of
   the range or of the region. The end is known without one more RPC (the next row is peeked at), unless
   a size, pread or time limit falls on the very last row.

       struct scan_region s;
       scan_region_open(&s, &options, &rows, &part);
       do scan_region_rpc(&s, limit, &reply); while (reply.more_in_region && reply.more_results);

   The machine goes cell by cell, as the server does, so that replies may end inside a row; where rows
   have one shape, whole rows that can't meet a limit are jumped over by arithmetic, so that an RPC costs
   a few rows whatever it carries. Plain state, nothing is allocated. */
#ifndef HBASE_RULES_SCAN_REGION_H
#define HBASE_RULES_SCAN_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "hbase/rules/scan_cell.h"

enum scan_read_type {
    SCAN_READ_DEFAULT,        /* pread at first, stream after the pread cut */
    SCAN_READ_PREAD,
    SCAN_READ_STREAM
};

/* What a Scan asks for. Zero means HBase's default in every field but those of scan_options_init. */
struct scan_options {
    uint64_t caching;         /* results for each RPC; 0: no limit (hbase.client.scanner.caching) */
    uint64_t batch;           /* cells for each result; 0: whole rows */
    uint64_t max_result_bytes; /* hbase.client.scanner.max.result.size: 2,097,152 */
    uint64_t pread_max_bytes; /* hbase.storescanner.pread.max.bytes: 4 x BLOCKSIZE of the family */
    uint64_t heartbeat_cells; /* cells that a server looks at in half of the timeout; 0: never so many */
    uint64_t heartbeat_check_cells; /* hbase.cells.scanned.per.heartbeat.check: 10,000 */
    uint64_t lazy_seek_bytes; /* scan_lazy_seek_bytes of a scan that names its columns */
    enum scan_read_type read_type;
    bool reversed;
};
/* Defaults, for a family with this BLOCKSIZE (65,536). */
void scan_options_init(struct scan_options *o, uint32_t block_bytes);

/* A table's rows, numbered in key order. Row i's cells are |shape|, or shape_of(context, i). */
struct scan_rows {
    const struct scan_shape *shape;  /* of all rows; NULL: ask shape_of */
    const struct scan_shape *(*shape_of)(void *context, uint64_t row);
    bool (*filtered)(void *context, uint64_t row); /* dropped by a filter on its key; NULL: none is */
    void *context;
};

/* What of a region lies in the scan's range: rows first .. first + count - 1; |row_after| says that the
   region holds a row beyond them in the scan's direction (it is peeked at). */
struct scan_part {
    uint64_t first;
    uint64_t count;
    bool row_after;
};

struct scan_store {
    uint64_t read_bytes;      /* StoreScanner.bytesRead: each cell that was looked at, peeks too */
    bool pread;
    bool behind;              /* a limit ended the row before the next one was peeked at */
};

/* What a whole row does, one after another, when no limit is near. */
struct scan_row_cost {
    uint64_t results, cells, bytes, heap_bytes, client_heap_bytes, looked_at;
    uint64_t read_bytes[SCAN_FAMILIES_MAX];
    bool behind[SCAN_FAMILIES_MAX]; /* before it and after it */
};

struct scan_region {
    const struct scan_options *options;
    const struct scan_rows *rows;
    struct scan_part part;
    uint64_t done;            /* rows behind the scanner, in its direction */
    size_t cell;              /* next cell of the row under way */
    struct scan_store store[SCAN_FAMILIES_MAX];
    uint64_t looked_at;       /* cells since the scanner was opened */
    bool has_row_cost;
    struct scan_row_cost row_cost;
};

/* One RPC's reply. */
struct scan_reply {
    uint64_t rows;            /* that became whole with it */
    uint64_t results;         /* rows, parts of rows */
    uint64_t cells;
    uint64_t bytes;           /* ScanMetrics: sum of length + 4 */
    uint64_t heap_bytes;      /* what the size limit is compared with */
    uint64_t client_heap_bytes; /* of the result on the client */
    uint64_t looked_at;       /* cells that the server went over, skipped ones too */
    uint64_t rows_scanned;    /* ScanMetrics.countOfRowsScanned */
    uint64_t rows_filtered;
    uint64_t read_requests;   /* growth of the region's readRequestsCount: calls of nextRaw */
    bool heartbeat;           /* pread cut or time: the client gets the reply though it isn't full */
    bool more_in_region;
    bool more_results;        /* false once the limit is reached */
};

/* Opens a scanner on a region. All pointers are borrowed until the last RPC. */
void scan_region_open(struct scan_region *s, const struct scan_options *options, const struct scan_rows *rows,
                      const struct scan_part *part);

/* Runs one RPC. |limit| is what is left of Scan.setLimit; 0: none. */
void scan_region_rpc(struct scan_region *s, uint64_t limit, struct scan_reply *reply);

/* Rows of one cell after which a DEFAULT scan is cut and goes on as a stream (recorded: about half of
   4 x BLOCKSIZE, since each row is counted twice). */
uint64_t scan_pread_cut_rows(uint64_t pread_max_bytes, uint32_t key_value_bytes);

#endif
