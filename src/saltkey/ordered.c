/* SPDX-License-Identifier: Apache-2.0 */
/* HBase's OrderedBytes (org.apache.hadoop.hbase.util.OrderedBytes): a header byte for the type,
   then bytes that sort as the values do. The header constants are the code's, not its comment's. */
#include "internal.h"

#define HEADER_I8 0x29
#define HEADER_I16 0x2a
#define HEADER_I32 0x2b
#define HEADER_I64 0x2c
#define HEADER_F64 0x31
#define HEADER_TEXT 0x34
#define HEADER_BLOB 0x37
#define SIGN_BIT (UINT64_C(1) << 63)
#define CANONICAL_NAN UINT64_C(0x7ff8000000000000)

static uint8_t header_of(enum saltkey_kind kind)
{
    switch (kind) {
    case SALTKEY_OB_I8: return HEADER_I8;
    case SALTKEY_OB_I16: return HEADER_I16;
    case SALTKEY_OB_I32: return HEADER_I32;
    case SALTKEY_OB_I64: return HEADER_I64;
    case SALTKEY_OB_F64: return HEADER_F64;
    case SALTKEY_OB_TEXT: return HEADER_TEXT;
    default: return HEADER_BLOB;
    }
}

static bool is_nan(uint64_t bits)
{
    return (bits & ~SIGN_BIT) > UINT64_C(0x7ff0000000000000);
}

/* Positive: sign bit flipped; negative: all bits. NaN is made canonical and comes last. */
static uint64_t ordered_real(uint64_t bits)
{
    if (is_nan(bits))
        bits = CANONICAL_NAN;
    return bits & SIGN_BIT ? ~bits : bits ^ SIGN_BIT;
}

/* Seven bits a byte, the high bit set on all but the last. */
static int put_blob(struct saltkey_slice in, struct saltkey_buf *out)
{
    size_t n = (in.len * 8 + 6) / 7, i, bit = 0;

    if (in.len == 0)
        n = 0;
    if (out->cap - out->len < n + (in.len == 0))
        return SALTKEY_ESPACE;
    if (in.len == 0) {
        out->bytes[out->len++] = 0;
        return 0;
    }
    for (i = 0; i < n; i++, bit += 7) {
        uint32_t two = (uint32_t)in.bytes[bit / 8] << 8;

        if (bit / 8 + 1 < in.len)
            two |= in.bytes[bit / 8 + 1];
        out->bytes[out->len++] = (uint8_t)((two >> (9 - bit % 8) & 0x7f) | (i + 1 < n ? 0x80 : 0));
    }
    return 0;
}

int saltkey__ordered_append(const struct saltkey_field *f, const struct saltkey_value *v,
                            struct saltkey_buf *out)
{
    uint64_t n = 0;
    int rc = 0;

    if (out->cap - out->len < (f->width ? f->width : 1))
        return SALTKEY_ESPACE;
    if (f->kind >= SALTKEY_OB_TEXT) {
        if (v->kind != SALTKEY_VALUE_BYTES)
            return SALTKEY_EKIND;
        out->bytes[out->len++] = header_of(f->kind);
        if (f->kind == SALTKEY_OB_BLOB)
            return put_blob(v->bytes, out);
        if (v->bytes.len && memchr(v->bytes.bytes, 0, v->bytes.len))
            return SALTKEY_EDELIMITER;
        if (out->cap - out->len <= v->bytes.len)
            return SALTKEY_ESPACE;
        if (v->bytes.len)
            memcpy(out->bytes + out->len, v->bytes.bytes, v->bytes.len);
        out->len += v->bytes.len;
        out->bytes[out->len++] = 0;
        return 0;
    }
    if (f->kind == SALTKEY_OB_F64) {
        if (v->kind != SALTKEY_VALUE_REAL)
            return SALTKEY_EKIND;
        n = ordered_real(v->number);
    } else {
        rc = saltkey__flipped(v, 8 * (f->width - 1), &n);
    }
    if (rc < 0)
        return rc;
    out->bytes[out->len] = header_of(f->kind);
    saltkey__store(out->bytes + out->len + 1, n, f->width - 1);
    out->len += f->width;
    return 0;
}

size_t saltkey__ordered_length(const struct saltkey_field *f, struct saltkey_slice rest)
{
    uint8_t flip = f->desc ? 0xff : 0;
    size_t i;

    if (f->width)
        return f->width <= rest.len ? f->width : 0;
    for (i = 1; i < rest.len; i++) {
        uint8_t c = rest.bytes[i] ^ flip;

        if (f->kind == SALTKEY_OB_TEXT ? c == 0 : !(c & 0x80))
            return i + 1;
    }
    return 0;
}

static int parse_blob(struct saltkey_slice in, struct saltkey_buf *scratch, struct saltkey_slice *out)
{
    size_t n = in.len * 7 / 8, i;
    uint8_t *at = scratch->bytes + scratch->len;

    if (scratch->cap - scratch->len < n)
        return SALTKEY_ESPACE;
    memset(at, 0, n);
    for (i = 0; i < in.len; i++) {
        uint32_t seven = in.bytes[i] & 0x7f;
        size_t bit = i * 7, byte = bit / 8;
        uint32_t two = seven << (9 - bit % 8);

        if (byte < n)
            at[byte] |= (uint8_t)(two >> 8);
        else if (seven)
            return SALTKEY_EKEY;
        if (byte + 1 < n)
            at[byte + 1] |= (uint8_t)two;
        else if (byte + 1 == n && (two & 0xff))
            return SALTKEY_EKEY;
    }
    if (n && (n * 8 + 6) / 7 != in.len)
        return SALTKEY_EKEY;
    scratch->len += n;
    *out = saltkey__slice(at, n);
    return 0;
}

int saltkey__ordered_parse(const struct saltkey_field *f, struct saltkey_slice in,
                           struct saltkey_buf *scratch, struct saltkey_value *v)
{
    uint64_t n = 0;
    uint32_t i;

    if (in.len == 0 || in.bytes[0] != header_of(f->kind))
        return SALTKEY_EKEY;
    if (f->kind == SALTKEY_OB_TEXT) {
        *v = saltkey_bytes(in.bytes + 1, in.len - 2);
        return 0;
    }
    if (f->kind == SALTKEY_OB_BLOB) {
        v->kind = SALTKEY_VALUE_BYTES;
        v->number = 0;
        return parse_blob(saltkey__slice(in.bytes + 1, in.len - 1), scratch, &v->bytes);
    }
    for (i = 1; i < f->width; i++)
        n = n << 8 | in.bytes[i];
    if (f->kind == SALTKEY_OB_F64) {
        v->kind = SALTKEY_VALUE_REAL;
        v->number = n & SIGN_BIT ? n ^ SIGN_BIT : ~n;
        v->bytes = saltkey__slice(NULL, 0);
        return 0;
    }
    *v = saltkey_int(0);
    v->number = n - (UINT64_C(1) << (8 * (f->width - 1) - 1));
    return 0;
}
