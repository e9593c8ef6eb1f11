/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/memstore.h"

uint64_t memstore_cell_data_bytes(uint64_t row, uint64_t family, uint64_t qualifier, uint64_t value)
{
    return MEMSTORE_KV_FIXED_BYTES + row + family + qualifier + value;
}

uint64_t memstore_cell_heap_bytes(uint64_t kv_bytes)
{
    return MEMSTORE_CELL_FIXED_BYTES + ((kv_bytes + 7) & ~UINT64_C(7));
}

uint64_t memstore_store_heap_bytes(uint64_t cells, uint64_t kv_bytes)
{
    return MEMSTORE_EMPTY_HEAP_BYTES + cells * memstore_cell_heap_bytes(kv_bytes);
}

uint64_t memstore_region_heap_bytes(const struct memstore_size *stores, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += stores[i].active_heap_bytes;
        if (stores[i].has_snapshot)
            sum += stores[i].snapshot_heap_bytes + MEMSTORE_SNAPSHOT_HEAP_BYTES;
    }
    return sum;
}

bool memstore_flush_due(uint64_t region_heap_bytes, uint64_t flush_bytes)
{
    return region_heap_bytes > flush_bytes;
}

bool memstore_too_busy(uint64_t region_heap_bytes, uint64_t flush_bytes, uint32_t multiplier)
{
    return region_heap_bytes > flush_bytes * multiplier;
}

struct memstore_batch_outcome memstore_apply_batch(const struct memstore_batch *b, uint64_t rows)
{
    struct memstore_batch_outcome out = {0};
    uint64_t mini = b->minibatch_rows ? b->minibatch_rows : MEMSTORE_MINIBATCH_ROWS, heap = b->heap_bytes;

    while (out.rows_applied < rows) {
        uint64_t n = rows - out.rows_applied;

        if (memstore_too_busy(heap, b->flush_bytes, b->multiplier)) {
            out.refused = true;
            out.flush_requested = true;
            break;
        }
        /* Counted once, as a whole, when the first gate is passed (HRegion.batchMutate). */
        out.rows_counted = rows;
        if (n > mini)
            n = mini;
        heap += n * b->row_heap_bytes;
        out.rows_applied += n;
        if (memstore_flush_due(heap, b->flush_bytes))
            out.flush_requested = true;
    }
    out.rows_acknowledged = out.refused ? 0 : rows;
    return out;
}

uint64_t memstore_rows_before_refusal(const struct memstore_batch *b, uint64_t batch_rows)
{
    uint64_t limit = b->flush_bytes * b->multiplier, room, fit, mini;

    mini = b->minibatch_rows ? b->minibatch_rows : MEMSTORE_MINIBATCH_ROWS;
    if (b->heap_bytes > limit || batch_rows == 0 || b->row_heap_bytes == 0)
        return 0;
    room = limit - b->heap_bytes;
    fit = room / b->row_heap_bytes; /* with these rows the heap is still not above the limit */
    if (batch_rows <= mini)
        return (fit / batch_rows + 1) * batch_rows;
    /* A longer call is tested again before each mini-batch; it passes whole or not at all. */
    for (uint64_t done = 0;; done += batch_rows) {
        uint64_t last = (batch_rows - 1) / mini * mini; /* rows before its last test */

        if (done + last > fit)
            return done;
    }
}
