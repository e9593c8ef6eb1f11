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
