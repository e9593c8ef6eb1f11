/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/hfile.h"

#include <string.h>

/* Lengths that the DataBlockEncoders write (HBase 2.6: PrefixKeyDeltaEncoder, DiffKeyDeltaEncoder,
   FastDiffDeltaEncoder, RowIndexEncoderV1), cell by cell. */

static uint64_t key_bytes(const struct hfile_cell *c)
{
    return 12 + (uint64_t)c->row_bytes + c->family_bytes + c->qualifier_bytes;
}

/* ByteBufferUtils.putCompressedInt: seven bits a byte. */
static uint32_t compressed_int_bytes(uint64_t v)
{
    uint32_t n = 1;

    for (; v >= 128; v >>= 7)
        n++;
    return n;
}

/* ByteBufferUtils.longFitsIn: bytes of a non-negative number. */
static uint32_t long_fits_in(uint64_t v)
{
    uint32_t n = 1;

    for (; v >= 256; v >>= 8)
        n++;
    return n;
}

static uint32_t common_prefix(const uint8_t *a, uint32_t na, const uint8_t *b, uint32_t nb)
{
    uint32_t min = na < nb ? na : nb, n = 0;

    while (n < min && a[n] == b[n])
        n++;
    return n;
}

static uint32_t common_timestamp_bytes(uint64_t a, uint64_t b)
{
    uint64_t x = a ^ b;
    uint32_t n = 8;

    for (; x > 0; x >>= 8)
        n--;
    return n;
}

static uint8_t type_of(const struct hfile_cell *c)
{
    return c->type ? c->type : HFILE_TYPE_PUT;
}

static uint32_t common_qualifier(const struct hfile_cell *a, const struct hfile_cell *b)
{
    uint32_t min = a->qualifier_bytes < b->qualifier_bytes ? a->qualifier_bytes : b->qualifier_bytes;

    if (a->qualifier && b->qualifier)
        return common_prefix(a->qualifier, a->qualifier_bytes, b->qualifier, b->qualifier_bytes);
    return min > 0 ? min - 1 : 0;
}

/* PrivateCellUtil.findCommonPrefixInFlatKey. The family is the same in the whole file, so it counts as
   common once the rows are equal. */
static uint32_t common_key_prefix(const struct hfile_cell *prev, const struct hfile_cell *c,
                                  bool with_timestamp)
{
    uint32_t n = 2, rows, qual, ts;

    if (prev->row_bytes != c->row_bytes)
        return (prev->row_bytes >> 8) == (c->row_bytes >> 8) ? 1 : 0;
    rows = common_prefix(prev->row, prev->row_bytes, c->row, c->row_bytes);
    n += rows;
    if (rows != c->row_bytes)
        return n;
    n += 1 + c->family_bytes;
    qual = common_qualifier(prev, c);
    n += qual;
    if (!with_timestamp || qual != prev->qualifier_bytes || qual != c->qualifier_bytes)
        return n;
    ts = common_timestamp_bytes(prev->timestamp_ms, c->timestamp_ms);
    n += ts;
    if (ts == 8 && type_of(prev) == type_of(c))
        n++;
    return n;
}

/* What is left of row and qualifier when |common| bytes of the flat key are shared; the family is
   never written again. */
static uint64_t rest_of_row_and_qualifier(const struct hfile_cell *c, uint32_t common)
{
    uint64_t row_part = 2 + (uint64_t)c->row_bytes;

    if (common < row_part)
        return row_part - common + c->qualifier_bytes;
    return row_part + 1 + c->family_bytes + c->qualifier_bytes - common;
}

static uint64_t prefix_bytes(const struct hfile_cell *prev, const struct hfile_cell *c)
{
    uint64_t key = key_bytes(c);
    uint32_t common = prev ? common_key_prefix(prev, c, true) : 0;

    return compressed_int_bytes(key - common) + compressed_int_bytes(c->value_bytes) +
           compressed_int_bytes(common) + key - common + c->value_bytes;
}

static uint64_t diff_bytes(const struct hfile_cell *prev, const struct hfile_cell *c)
{
    uint64_t key = key_bytes(c), n = 1, diff; /* the flag byte */
    uint32_t fits = long_fits_in(c->timestamp_ms), common;

    if (!prev)
        return n + 1 + c->family_bytes + compressed_int_bytes(key) + compressed_int_bytes(c->value_bytes) +
               compressed_int_bytes(0) + 2 + c->row_bytes + c->qualifier_bytes + fits + 1 + c->value_bytes;
    common = common_key_prefix(prev, c, false);
    if (key != key_bytes(prev))
        n += compressed_int_bytes(key);
    if (c->value_bytes != prev->value_bytes)
        n += compressed_int_bytes(c->value_bytes);
    n += compressed_int_bytes(common) + rest_of_row_and_qualifier(c, common);
    diff = prev->timestamp_ms > c->timestamp_ms ? prev->timestamp_ms - c->timestamp_ms
                                                : c->timestamp_ms - prev->timestamp_ms;
    n += long_fits_in(diff) < fits ? long_fits_in(diff) : fits;
    if (type_of(prev) != type_of(c))
        n++;
    return n + c->value_bytes;
}

static bool same_value(const struct hfile_cell *a, const struct hfile_cell *b)
{
    if (a->value_bytes != b->value_bytes)
        return false;
    if (a->value_bytes == 0)
        return true;
    return a->value && b->value && memcmp(a->value, b->value, a->value_bytes) == 0;
}

static uint64_t fast_diff_bytes(const struct hfile_cell *prev, const struct hfile_cell *c)
{
    uint64_t key = key_bytes(c), n = 1; /* the flag byte */
    uint32_t common, ts;

    if (!prev)
        return n + compressed_int_bytes(key) + compressed_int_bytes(c->value_bytes) +
               compressed_int_bytes(0) + key + c->value_bytes;
    common = common_key_prefix(prev, c, false);
    if (key != key_bytes(prev))
        n += compressed_int_bytes(key);
    if (c->value_bytes != prev->value_bytes)
        n += compressed_int_bytes(c->value_bytes);
    n += compressed_int_bytes(common) + rest_of_row_and_qualifier(c, common);
    ts = common_timestamp_bytes(prev->timestamp_ms, c->timestamp_ms);
    n += 8 - (ts < 7 ? ts : 7); /* three bits of the flag: at most seven are shared */
    if (type_of(prev) != type_of(c))
        n++;
    return same_value(prev, c) ? n : n + c->value_bytes;
}

uint64_t hfile_encoded_cell_bytes(enum hfile_encoding e, const struct hfile_cell *prev,
                                  const struct hfile_cell *c)
{
    switch (e) {
    case HFILE_ENCODING_PREFIX:
        return prefix_bytes(prev, c);
    case HFILE_ENCODING_DIFF:
        return diff_bytes(prev, c);
    case HFILE_ENCODING_FAST_DIFF:
        return fast_diff_bytes(prev, c);
    case HFILE_ENCODING_NONE:
    case HFILE_ENCODING_ROW_INDEX_V1:
        break;
    }
    return 8 + key_bytes(c) + c->value_bytes;
}
