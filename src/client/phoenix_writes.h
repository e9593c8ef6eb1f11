/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a Phoenix client's upserts fall on regions (5.2.1, recorded): a commit is cut into batches of 100
   rows whatever its size, each batch is one call that is split by region, so that salting multiplies the
   regions' calls. Rows of a commit leave in the order of the client's hash map, not of the upserts. */
#ifndef CLIENT_PHOENIX_WRITES_H
#define CLIENT_PHOENIX_WRITES_H

#include <stddef.h>
#include <stdint.h>

#include "saltkey.h"

enum { PHOENIX_BATCH_ROWS = 100 };  /* phoenix.mutate.batchSize */

/* Order in which a commit's rows leave: order[k] is the index of the k-th. A row upserted twice leaves
   once, with its last content. Returns how many leave, or PHOENIX_NO_MEMORY (-1). |order| holds n. */
int64_t phoenix_commit_order(const struct saltkey_slice *rows, size_t n, size_t *order);

struct phoenix_region_writes {
    uint64_t calls;           /* batch-mutate calls */
    uint64_t mutations;
};

/* One commit: adds each region's calls and mutations to writes[0 .. splits->count]. Returns the client's
   batches, or PHOENIX_NO_MEMORY. */
int64_t phoenix_commit(const struct saltkey_keys *splits, const struct saltkey_slice *rows, size_t n,
                       uint32_t batch_rows, struct phoenix_region_writes *writes);

/* Batches of a stream of |rows| that is committed every |commit_rows|. */
uint64_t phoenix_client_batches(uint64_t rows, uint64_t commit_rows, uint32_t batch_rows);

/* Expected calls of all regions together where each row falls on any of |regions| alike (salted by the
   whole key, one region a bucket): a batch of b rows meets R (1 - (1 - 1/R)^b) of them. */
double phoenix_region_calls(uint64_t rows, uint64_t commit_rows, uint32_t batch_rows, uint32_t regions);

/* A global mutable index: two mutations a row (unverified before the data's write, verified after it),
   and each call to a data region makes its own calls to the index's regions, twice. The calls are
   expected ones, salted or not, as above; at most batches x data regions x 2 x index regions. */
uint64_t phoenix_index_mutations(uint64_t rows);
double phoenix_index_calls(uint64_t rows, uint64_t commit_rows, uint32_t batch_rows, uint32_t data_regions,
                           uint32_t index_regions);

#endif
