/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a cell weighs in a scan (HBase 2.6, recorded): its length as a KeyValue, what it adds to the
   result's bytes and to the pread sum, and its heap size in a reply, which depends on where the
   server read it from. A row is a shape: its cells in the order in which they are read. Rows of one
   shape are counted by arithmetic. */
#ifndef HBASE_RULES_SCAN_CELL_H
#define HBASE_RULES_SCAN_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hbase/rules/hfile.h"

/* Where a server finds a cell. */
enum scan_from {
    SCAN_FROM_MEMSTORE,
    SCAN_FROM_HFILE,          /* NONE; ROW_INDEX_V1 is read as the same class (source, not recorded) */
    SCAN_FROM_ENCODED_HFILE   /* PREFIX, DIFF, FAST_DIFF */
};
enum scan_from scan_from_encoding(enum hfile_encoding encoding);

/* What each cell adds to ScanMetrics' bytes and to the pread sum beside its length (the length's own
   four bytes, PrivateCellUtil.estimatedSerializedSizeOf). */
enum { SCAN_CELL_LENGTH_BYTES = 4 };

/* Length of a KeyValue without tags. */
static inline uint32_t scan_key_value_bytes(uint32_t row_bytes, uint32_t family_bytes, uint32_t qualifier_bytes,
                                            uint32_t value_bytes)
{
    return 8 + 2 + row_bytes + 1 + family_bytes + qualifier_bytes + 8 + 1 + value_bytes;
}

/* Cell.heapSize on the server: memstore (length + 32) rounded up to 8, plain HFile length + 38,
   encoded HFile length + 100. */
uint32_t scan_heap_bytes(enum scan_from from, uint32_t key_value_bytes);

/* The same once the client has it in its cache, or wherever a KeyValue has an array of its own
   (KeyValue.heapSize with ClassSize's array header). */
static inline uint32_t scan_client_heap_bytes(uint32_t key_value_bytes)
{
    return 32 + ((16 + key_value_bytes + 7) & ~7u);
}

struct scan_cell {
    uint32_t bytes;           /* as a KeyValue */
    uint32_t heap_bytes;      /* in a reply */
    uint32_t family;          /* 0, 1, ... in the order of their names; no smaller than the cell's before */
    bool passed_over;         /* looked at and left: not a column that the scan names */
};

enum { SCAN_FAMILIES_MAX = 8 };

/* Bytes that the pread sum holds before the first look in a region where a scan names its columns and
   reads files: the place-holder of the lazy seek (a key of the start row without a qualifier), and the
   first cell once more. 0 otherwise. Recorded as 97 to 128 bytes for cells of 80. */
uint64_t scan_lazy_seek_bytes(enum scan_from from, uint32_t start_row_bytes, uint32_t family_bytes,
                              uint32_t first_key_value_bytes);

/* One row's cells, those that are looked at: of a scan that names columns, the named ones and before them
   what the server passes over (from the memstore the family's first cell; from a file each cell, save
   in the first row of a block: there it seeks). Each family that is scanned has a cell in each row. Borrowed by whoever scans. */
struct scan_shape {
    const struct scan_cell *cells;
    size_t cells_len;         /* at least 1 */
};

#endif
