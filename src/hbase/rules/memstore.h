/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_MEMSTORE_H
#define HBASE_RULES_MEMSTORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a cell weighs and when a region flushes or refuses (HBase 2.6: DefaultMemStore, Segment,
   HRegion). All sizes are bytes. "Data" is what the metrics report (memStoreSize), "heap" is what
   every trigger compares. Constants are those of a JVM with compressed oops (heap below 32 GiB). */

enum {
    MEMSTORE_KV_FIXED_BYTES = 20,     /* lengths, timestamp, type: KeyValue's fixed part */
    MEMSTORE_CELL_FIXED_BYTES = 72,   /* skip list entry 40 + KeyValue object 32 */
    MEMSTORE_EMPTY_HEAP_BYTES = 256,  /* of each store, also when it holds nothing */
    MEMSTORE_SNAPSHOT_HEAP_BYTES = 240, /* added while a snapshot is being flushed */
    MEMSTORE_MINIBATCH_ROWS = 20000   /* hbase.regionserver.minibatch.size */
};

/* Length L of the serialised KeyValue: 20 + row + family + qualifier + value (no tags). */
uint64_t memstore_cell_data_bytes(uint64_t row, uint64_t family, uint64_t qualifier, uint64_t value);

/* Heap of one cell of length L = |kv_bytes|: 72 + L rounded up to 8. */
uint64_t memstore_cell_heap_bytes(uint64_t kv_bytes);

/* Heap of a store that holds |cells| cells of length |kv_bytes|: 256 + cells x heap of a cell.
   Stores of mixed cells add their cells' heap to MEMSTORE_EMPTY_HEAP_BYTES themselves. */
uint64_t memstore_store_heap_bytes(uint64_t cells, uint64_t kv_bytes);

/* Heap of a region: the sum over its stores of active heap (each with its 256), and for each store
   whose snapshot is being flushed the snapshot's cells and 240. */
struct memstore_size {
    uint64_t active_heap_bytes;   /* with the 256 */
    uint64_t snapshot_heap_bytes; /* cells of the snapshot only, 0 when none */
    bool has_snapshot;
};
uint64_t memstore_region_heap_bytes(const struct memstore_size *stores, size_t n);

/* Asked at the end of each mini-batch (HRegion.doMiniBatchMutate -> isFlushSize): heap > flush size. */
bool memstore_flush_due(uint64_t region_heap_bytes, uint64_t flush_bytes);

/* Asked before each mini-batch (HRegion.checkResources): heap > flush size x multiplier means
   RegionTooBusyException. 4 is the default of hbase.hregion.memstore.block.multiplier. */
bool memstore_too_busy(uint64_t region_heap_bytes, uint64_t flush_bytes, uint32_t multiplier);

/* What happens to one region's rows of one call, with all rows of one size. The client is told that
   all rows failed as soon as one mini-batch is refused; the rows of earlier mini-batches stay. */
struct memstore_batch {
    uint64_t heap_bytes;         /* of the region before the call */
    uint64_t flush_bytes;
    uint32_t multiplier;
    uint64_t row_heap_bytes;     /* heap that one row adds, all its cells */
    uint64_t minibatch_rows;     /* 0 for MEMSTORE_MINIBATCH_ROWS */
};
struct memstore_batch_outcome {
    uint64_t rows_applied;       /* in the memstore */
    uint64_t rows_acknowledged;  /* that the client counts as written: all or none */
    uint64_t rows_counted;       /* that writeRequestsCount grows by: all, unless refused at once */
    bool refused;                /* blockedRequestsCount + 1 */
    bool flush_requested;        /* a mini-batch ended above the flush size, or one was refused */
};
struct memstore_batch_outcome memstore_apply_batch(const struct memstore_batch *b, uint64_t rows);

/* Rows of one size that fit before the first refusal, sent one call of |batch_rows| after another. */
uint64_t memstore_rows_before_refusal(const struct memstore_batch *b, uint64_t batch_rows);

#endif
