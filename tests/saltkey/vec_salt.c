/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of salts and salted rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

/* Plain bytes as a one-field layout. */
static bool scheme_of(const char *layout_text, const char *salt_text, uint32_t n, const char *over,
                      struct saltkey_scheme *scheme)
{
    struct saltkey_layout layout;
    struct saltkey_salt salt;

    return saltkey_layout_parse(layout_text, &layout, NULL) == 0 &&
           saltkey_salt_parse(salt_text, n, &salt, NULL) == 0 &&
           saltkey_scheme_init(scheme, &layout, &salt, over, NULL) == 0;
}

enum verdict check_corpus(const struct tsv *t, size_t row)
{
    uint8_t bytes[8192];
    struct saltkey_slice in = tsv_hex(tsv_cell(t, row, "input_hex"), bytes, sizeof(bytes));
    struct saltkey_part p = saltkey_part_of(in.bytes, in.len);
    int32_t h = saltkey_hash31(in.bytes, in.len);

    return verdict_of(in.len == (size_t)tsv_int(t, row, "len") &&
                      h == tsv_int(t, row, "arrays_hashcode") &&
                      saltkey_part_hash(p) == tsv_int(t, row, "bytes_hashcode"));
}

static bool salted_as(const struct tsv *t, size_t row, const struct saltkey_scheme *scheme,
                      struct saltkey_slice natural)
{
    uint8_t bytes[8192];
    struct saltkey_buf out = {bytes, sizeof(bytes), 0};
    uint64_t bucket = 0;

    return saltkey_bucket(scheme, natural, &bucket) == 0 &&
           (long long)bucket == tsv_int(t, row, "salt") &&
           saltkey_salt_natural(scheme, natural, &out) == 0 &&
           tsv_equal(tsv_cell(t, row, "rowkey_hex"),
                     (struct saltkey_slice){out.bytes, out.len});
}

static enum verdict check_bytes_salt(const struct tsv *t, size_t row, const char *salt)
{
    uint8_t bytes[8192];
    struct saltkey_slice in = tsv_hex(tsv_cell(t, row, "input_hex"), bytes, sizeof(bytes));
    struct saltkey_scheme scheme;

    if (!scheme_of("key:text", salt, (uint32_t)tsv_int(t, row, "N"), NULL, &scheme))
        return ROW_FAIL;
    return verdict_of(saltkey_hash31(in.bytes, in.len) == tsv_int(t, row, "hash_i32") &&
                      salted_as(t, row, &scheme, in));
}

enum verdict check_seed1_whole(const struct tsv *t, size_t row)
{
    return check_bytes_salt(t, row, "arrays-hash floorMod");
}

enum verdict check_phoenix_salt(const struct tsv *t, size_t row)
{
    uint8_t bytes[8192];
    struct saltkey_slice in = tsv_hex(tsv_cell(t, row, "input_hex"), bytes, sizeof(bytes));
    struct saltkey_scheme other;
    uint64_t bucket = 0;

    if (!scheme_of("key:text", "arrays-hash floorMod", (uint32_t)tsv_int(t, row, "N"), NULL, &other) ||
        saltkey_bucket(&other, in, &bucket) < 0 || (long long)bucket != tsv_int(t, row, "seed1_salt"))
        return ROW_FAIL;
    return check_bytes_salt(t, row, "phoenix");
}

enum verdict check_hbasewd(const struct tsv *t, size_t row)
{
    return check_bytes_salt(t, row, "arrays-hash absFirst");
}

/* The slice that is salted, as a layout: what lies before it, the slice, what lies behind. */
static void sliced_layout(long long off, long long len, long long total, char *text, size_t cap)
{
    char before[32] = "", behind[32] = "";

    if (off > 0)
        snprintf(before, sizeof(before), "a:fixed(%lld) ", off);
    if (total > off + len)
        snprintf(behind, sizeof(behind), " c:fixed(%lld)", total - off - len);
    snprintf(text, cap, "%sb:fixed(%lld)%s", before, len, behind);
}

enum verdict check_seed1_device(const struct tsv *t, size_t row)
{
    uint8_t natural_bytes[256], device_bytes[64], out_bytes[256];
    struct saltkey_slice natural =
        tsv_hex(tsv_cell(t, row, "natural_hex"), natural_bytes, sizeof(natural_bytes));
    struct saltkey_slice device =
        tsv_hex(tsv_cell(t, row, "device_hex"), device_bytes, sizeof(device_bytes));
    struct saltkey_buf out = {out_bytes, sizeof(out_bytes), 0};
    uint32_t n = (uint32_t)tsv_int(t, row, "N"), ts = 0, dev = 0;
    struct saltkey_value v[2];
    struct saltkey_scheme scheme;
    char layout[96];

    v[0] = saltkey_uint((uint64_t)tsv_int(t, row, "millis"));
    v[1] = saltkey_bytes(device.bytes, device.len);
    if (saltkey_preset("telemetry-by-device", n, &scheme, NULL) < 0 ||
        saltkey_salted(&scheme, v, &out, NULL) < 0 ||
        !tsv_equal(tsv_cell(t, row, "rowkey_hex"), (struct saltkey_slice){out.bytes, out.len}))
        return ROW_FAIL;
    if (saltkey_hash_share(&scheme, 0, &v[0], &ts, NULL) < 0 ||
        saltkey_hash_share(&scheme, 1, &v[1], &dev, NULL) < 0 ||
        saltkey_shares_bucket(&scheme, ts, dev) != tsv_int(t, row, "salt") ||
        (int32_t)(scheme.hash_base + ts + dev) != tsv_int(t, row, "hash_i32"))
        return ROW_FAIL;
    sliced_layout(tsv_int(t, row, "salt_off"), tsv_int(t, row, "salt_len"), (long long)natural.len,
                  layout, sizeof(layout));
    if (!scheme_of(layout, "arrays-hash floorMod", n, "b", &scheme))
        return ROW_FAIL;
    return verdict_of(salted_as(t, row, &scheme, natural));
}

enum verdict check_md5_4hex(const struct tsv *t, size_t row)
{
    uint8_t bytes[8192], user_bytes[TSV_CELL], out_bytes[8192];
    struct saltkey_slice base = tsv_hex(tsv_cell(t, row, "base_utf8_hex"), bytes, sizeof(bytes));
    struct saltkey_slice user =
        tsv_hex(tsv_cell(t, row, "user_id_utf8_hex"), user_bytes, sizeof(user_bytes));
    struct saltkey_buf out = {out_bytes, sizeof(out_bytes), 0};
    struct saltkey_scheme scheme;
    const char *ts = tsv_cell(t, row, "timestamp");

    if (base.len != user.len + 1 + strlen(ts) || memcmp(base.bytes, user.bytes, user.len) != 0 ||
        base.bytes[user.len] != '_' || memcmp(base.bytes + user.len + 1, ts, strlen(ts)) != 0)
        return ROW_FAIL;
    return verdict_of(scheme_of("key:text", "md5hex 4", 0, NULL, &scheme) &&
                      saltkey_salt_natural(&scheme, base, &out) == 0 &&
                      tsv_equal(tsv_cell(t, row, "rowkey_hex"),
                                (struct saltkey_slice){out.bytes, out.len}) &&
                      memcmp(out.bytes, tsv_cell(t, row, "md5_hex"), 4) == 0);
}
