/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/hfile.h"

#include <stdlib.h>
#include <string.h>

void hfile_options_default(struct hfile_options *o)
{
    memset(o, 0, sizeof *o);
    o->encoding = HFILE_ENCODING_NONE;
    o->bloom = HFILE_BLOOM_ROW;
    o->block_bytes = 65536;
    o->index_block_bytes = 131072;
    o->index_min_entries = 16;
    o->bloom_block_bytes = 131072;
    o->bloom_error_rate = 0.01;
    o->encoded_block_ratio = 0;
    o->compression_ratio = 1;
}

void hfile_layout_free(struct hfile_layout *l)
{
    free(l->leaves.item);
    free(l->intermediates.item);
    free(l->bloom_chunks.item);
    free(l->mid_row);
    free(l->first_row);
    free(l->last_row);
    memset(l, 0, sizeof *l);
}

uint32_t hfile_name_bytes(bool link, bool reference, uint32_t table_name_bytes)
{
    uint32_t n = HFILE_NAME_BYTES;

    if (link)
        n = 66 + table_name_bytes;
    /* A reference is the file's name, a dot and the parent region's encoded name. */
    return reference ? n + 33 : n;
}

uint32_t hfile_vint_bytes(uint64_t v)
{
    uint32_t n = 1;

    if (v < 128)
        return 1;
    for (; v > 0; v >>= 8)
        n++;
    return n;
}

uint64_t hfile_vint_bytes_sum(uint64_t from, uint64_t to)
{
    uint64_t sum = 0;

    while (from < to) {
        uint32_t n = hfile_vint_bytes(from);
        uint64_t next = n == 1 ? 128 : n == 9 ? UINT64_MAX : UINT64_C(1) << (8 * (n - 1));

        if (next > to)
            next = to;
        sum += (next - from) * n;
        from = next;
    }
    return sum;
}

uint64_t hfile_block_disk_bytes(uint64_t payload_bytes)
{
    uint64_t n = HFILE_HEADER_BYTES + payload_bytes;

    return n + HFILE_CHECKSUM_BYTES * ((n + HFILE_CHECKSUM_SPAN_BYTES - 1) / HFILE_CHECKSUM_SPAN_BYTES);
}

size_t hfile_shortest_separator(const uint8_t *left, size_t left_bytes, const uint8_t *right,
                                size_t right_bytes, uint8_t *out)
{
    size_t min = left_bytes < right_bytes ? left_bytes : right_bytes, d = 0;

    while (d < min && left[d] == right[d])
        d++;
    if (d == right_bytes) /* equal, or out of order */
        return 0;
    if (out) {
        if (d > 0)
            memcpy(out, left, d);
        /* left is a prefix of right: left and a zero byte; else the first differing byte plus one. */
        out[d] = d == left_bytes ? 0 : (uint8_t)(left[d] + 1);
    }
    return d + 1;
}
