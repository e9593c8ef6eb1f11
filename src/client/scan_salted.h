/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A query over a salted table: one scan for each bucket, over the library's ranges, and the library's
   merge on what comes back (an unsalted table is the case of one scan). How many threads run the scans
   is no matter here: the RPCs are the same; on_rpc tells which scan each belongs to, for whoever times
   them.

   A reader who wants the newest K rows either gives each scan that limit, or stops the merge after K
   rows and closes; the second has a full reply from each bucket and pays N closes. */
#ifndef CLIENT_SCAN_SALTED_H
#define CLIENT_SCAN_SALTED_H

#include "client/scan.h"

/* Keys that the merge holds of each scan at a time: table->key is called with slots below
   scans x SCAN_SALTED_KEYS. */
enum { SCAN_SALTED_KEYS = 16 };

struct scan_salted {
    const struct saltkey_scheme *scheme;
    const struct saltkey_window *window;   /* saltkey_window_query and its kin */
    const struct scan_table *table;
    const struct scan_options *options;
    bool reversed;
    uint64_t limit_per_scan;  /* Scan.setLimit of each; 0: none */
    uint64_t limit;           /* rows after which the reader stops; 0: all */
    scan_rpc_fn *on_rpc;      /* may be NULL */
    void *on_rpc_context;
};

/* Ends of scan |i| as a client would set them: for a reversed scan from the range's stop, left out, down
   to its start. The buffers of |range| hold the bytes. 1 where nothing can match (no scan), 0, or a
   saltkey_status. */
int scan_salted_ends(const struct scan_salted *q, uint64_t i, struct saltkey_range *range, struct scan_ends *ends);

/* Runs every scan to its end or its own limit, without looking at a key: O(RPCs) where rows have one
   shape. |limit| counts for nothing. 0 or a saltkey_status. */
int scan_salted_count(const struct scan_salted *q, struct scan_cost *cost);

/* Runs the scans through the merge, in the order of natural keys, until |limit| rows or the end, and
   closes them. |row_out| (or NULL) gets each row's number and its scan. rows_returned counts the merged
   rows. 0 or a saltkey_status: SALTKEY_ENOMEM, SALTKEY_EORDER where rows of a bucket aren't sorted. */
typedef void scan_salted_row_fn(void *context, uint64_t row, size_t scan);
int scan_salted_merge(const struct scan_salted *q, scan_salted_row_fn *row_out, void *context,
                      struct scan_cost *cost);

#endif
