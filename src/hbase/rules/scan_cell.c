/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/scan_cell.h"

enum scan_from scan_from_encoding(enum hfile_encoding encoding)
{
    switch (encoding) {
    case HFILE_ENCODING_PREFIX:
    case HFILE_ENCODING_DIFF:
    case HFILE_ENCODING_FAST_DIFF:
        return SCAN_FROM_ENCODED_HFILE;
    default:
        return SCAN_FROM_HFILE;
    }
}

uint32_t scan_heap_bytes(enum scan_from from, uint32_t key_value_bytes)
{
    switch (from) {
    case SCAN_FROM_MEMSTORE:
        return (key_value_bytes + 32 + 7) & ~7u;
    case SCAN_FROM_ENCODED_HFILE:
        return key_value_bytes + 100;
    default:
        return key_value_bytes + 38;
    }
}

uint64_t scan_lazy_seek_bytes(enum scan_from from, uint32_t start_row_bytes, uint32_t family_bytes,
                              uint32_t first_key_value_bytes)
{
    if (from == SCAN_FROM_MEMSTORE)
        return 0;
    return scan_key_value_bytes(start_row_bytes, family_bytes, 0, 0) + SCAN_CELL_LENGTH_BYTES +
           first_key_value_bytes + SCAN_CELL_LENGTH_BYTES;
}
