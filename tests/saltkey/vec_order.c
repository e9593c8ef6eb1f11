/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of orders: comparisons, signed numbers, reversed times, prefix successors. */
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

enum verdict check_order_pairs(const struct tsv *t, size_t row)
{
    uint8_t a[TSV_CELL], b[TSV_CELL];
    struct saltkey_slice sa = tsv_hex(tsv_cell(t, row, "a_hex"), a, sizeof(a));
    struct saltkey_slice sb = tsv_hex(tsv_cell(t, row, "b_hex"), b, sizeof(b));

    return verdict_of(saltkey_compare(sa, sb) == tsv_int(t, row, "unsigned_sign") &&
                      saltkey_compare(sb, sa) == -tsv_int(t, row, "unsigned_sign"));
}

static struct saltkey_buf encoded(const char *layout_text, struct saltkey_value v, uint8_t *bytes)
{
    struct saltkey_buf out = {bytes, 64, 0};
    struct saltkey_layout layout;

    if (saltkey_layout_parse(layout_text, &layout, NULL) < 0 ||
        saltkey_natural(&layout, &v, &out, NULL) < 0)
        out.len = 0;
    return out;
}

static struct saltkey_slice used(struct saltkey_buf b)
{
    return (struct saltkey_slice){b.bytes, b.len};
}

/* Encodes both numbers; the first must have the given bytes, both the given order. */
static bool pair_as(const struct tsv *t, size_t row, const char *layout, const char *const column[2])
{
    long long a = tsv_int(t, row, "a_i64"), b = tsv_int(t, row, "b_i64");
    bool raw = strcmp(layout, "x:be64") == 0;
    uint8_t bytes_a[64], bytes_b[64];
    struct saltkey_buf ea = encoded(layout, raw ? saltkey_uint((uint64_t)a) : saltkey_int(a), bytes_a);
    struct saltkey_buf eb = encoded(layout, raw ? saltkey_uint((uint64_t)b) : saltkey_int(b), bytes_b);

    return tsv_equal(tsv_cell(t, row, column[0]), used(ea)) &&
           saltkey_compare(used(ea), used(eb)) == tsv_int(t, row, column[1]);
}

enum verdict check_order_longs(const struct tsv *t, size_t row)
{
    static const char *const raw[] = {"a_be_hex", "raw_be_sign"};
    static const char *const flip[] = {"a_flip_hex", "flip_sign"};
    static const char *const reversed[] = {"a_reversed_be_hex", "reversed_be_sign"};
    static const char *const ascending[] = {"a_orderedbytes_asc_hex", "ob_asc_sign"};
    static const char *const descending[] = {"a_orderedbytes_desc_hex", "ob_desc_sign"};

    return verdict_of(pair_as(t, row, "x:be64", raw) && pair_as(t, row, "x:i64", flip) &&
                      pair_as(t, row, "x:rts", reversed) && pair_as(t, row, "x:ob-i64", ascending) &&
                      pair_as(t, row, "x:ob-i64:desc", descending));
}

enum verdict check_reverse_timestamp(const struct tsv *t, size_t row)
{
    long long ts = tsv_int(t, row, "timestamp");
    struct saltkey_value v = saltkey_int(ts);
    uint8_t bytes[64];
    struct saltkey_buf out = encoded("ts:rts", v, bytes);

    if (!tsv_equal(tsv_cell(t, row, "be8_hex"), used(out)))
        return ROW_FAIL;
    out = encoded("ts:rts19", v, bytes);
    if (ts < 0) /* the text form of a negative time is out of order: refused */
        return verdict_of(out.len == 0);
    return verdict_of((long long)out.len == tsv_int(t, row, "text_len") &&
                      tsv_equal(tsv_cell(t, row, "text19_hex"), used(out)));
}

enum verdict check_prefix_stop(const struct tsv *t, size_t row)
{
    uint8_t bytes[TSV_CELL], stop_bytes[TSV_CELL];
    struct saltkey_slice prefix = tsv_hex(tsv_cell(t, row, "prefix_hex"), bytes, sizeof(bytes));
    struct saltkey_buf stop = {stop_bytes, sizeof(stop_bytes), 0};

    return verdict_of(saltkey_prefix_stop(prefix, &stop) == 0 &&
                      tsv_equal(tsv_cell(t, row, "hbase_stop_hex"), used(stop)));
}
