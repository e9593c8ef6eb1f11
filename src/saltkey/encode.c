/* SPDX-License-Identifier: Apache-2.0 */
/* Field values to the natural key's bytes. */
#include "internal.h"

#define SIGN_BIT (UINT64_C(1) << 63)

static int misfit(struct saltkey_error *err, int status, uint32_t field,
                  const struct saltkey_field *f, const char *why)
{
    return saltkey__fail(err, status, field + 1, "field '%s': %s", f->name, why);
}

/* An unsigned number below 2^bits. */
static int unsigned_of(const struct saltkey_value *v, uint32_t bits, uint64_t *out)
{
    if (v->kind == SALTKEY_VALUE_BYTES)
        return SALTKEY_EKIND;
    if (v->kind == SALTKEY_VALUE_INT && v->number >= SIGN_BIT)
        return SALTKEY_ENEGATIVE;
    if (bits < 64 && v->number >> bits)
        return SALTKEY_ERANGE;
    *out = v->number;
    return 0;
}

/* A signed number of |bits| bits, with its sign bit flipped: bytes sort as numbers. */
static int flipped_of(const struct saltkey_value *v, uint32_t bits, uint64_t *out)
{
    uint64_t biased;

    if (v->kind == SALTKEY_VALUE_BYTES)
        return SALTKEY_EKIND;
    if (v->kind == SALTKEY_VALUE_UINT && v->number >= SIGN_BIT)
        return SALTKEY_ERANGE;
    biased = v->number + (UINT64_C(1) << (bits - 1));
    if (bits < 64 && biased >> bits)
        return SALTKEY_ERANGE;
    *out = biased;
    return 0;
}

/* Writes |width| digits, zeros in front. */
static int digits_of(uint64_t n, uint32_t base, uint32_t width, uint8_t *at)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t i;

    for (i = width; i-- > 0;) {
        at[i] = (uint8_t)digits[n % base];
        n /= base;
    }
    return n ? SALTKEY_ERANGE : 0;
}

static void reverse_bytes(uint8_t *at, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n / 2; i++) {
        uint8_t c = at[i];
        at[i] = at[n - 1 - i];
        at[n - 1 - i] = c;
    }
}

static int put_number(const struct saltkey_field *f, const struct saltkey_value *v, uint8_t *at)
{
    uint64_t n = 0;
    int rc;

    switch (f->kind) {
    case SALTKEY_I8: case SALTKEY_I16: case SALTKEY_I32: case SALTKEY_I64:
        rc = flipped_of(v, 8 * f->width, &n);
        break;
    case SALTKEY_RTS:
        /* 2^63 - 1 - ts is ts xor 2^63 - 1, the flipped form's complement: nothing overflows */
        rc = flipped_of(v, 64, &n);
        n = ~n;
        break;
    case SALTKEY_RTS19:
        rc = unsigned_of(v, 63, &n);
        n ^= SIGN_BIT - 1;
        return rc < 0 ? rc : digits_of(n, 10, f->width, at);
    case SALTKEY_DEC: case SALTKEY_REVDEC: case SALTKEY_HEX:
        rc = unsigned_of(v, 64, &n);
        if (rc == 0)
            rc = digits_of(n, f->kind == SALTKEY_HEX ? 16 : 10, f->width, at);
        if (rc == 0 && f->kind == SALTKEY_REVDEC)
            reverse_bytes(at, f->width);
        return rc;
    default:
        rc = unsigned_of(v, 8 * f->width, &n);
        break;
    }
    if (rc == 0)
        saltkey__store(at, n, f->width);
    return rc;
}

static int append_text(const struct saltkey_layout *layout, uint32_t field, struct saltkey_slice text,
                       struct saltkey_buf *out)
{
    size_t mark = field + 1 < layout->n_fields;

    if (mark && text.len && memchr(text.bytes, 0, text.len))
        return SALTKEY_EDELIMITER;
    if (out->cap - out->len < text.len || out->cap - out->len - text.len < mark)
        return SALTKEY_ESPACE;
    if (text.len)
        memcpy(out->bytes + out->len, text.bytes, text.len);
    out->len += text.len;
    if (mark)
        out->bytes[out->len++] = 0;
    return 0;
}

static int append_value(const struct saltkey_layout *layout, uint32_t field,
                        const struct saltkey_value *v, struct saltkey_buf *out)
{
    const struct saltkey_field *f = &layout->fields[field];
    uint8_t *at = out->bytes + out->len;
    int rc = 0;

    if (f->kind == SALTKEY_TEXT || f->kind == SALTKEY_FIXED) {
        if (v->kind != SALTKEY_VALUE_BYTES)
            return SALTKEY_EKIND;
        if (f->kind == SALTKEY_TEXT)
            return append_text(layout, field, v->bytes, out);
        if (v->bytes.len > f->width)
            return SALTKEY_ETOOLONG;
    }
    if (out->cap - out->len < f->width)
        return SALTKEY_ESPACE;
    if (f->kind == SALTKEY_FIXED) {
        if (v->bytes.len)
            memcpy(at, v->bytes.bytes, v->bytes.len);
        memset(at + v->bytes.len, 0, f->width - v->bytes.len);
    } else {
        rc = put_number(f, v, at);
    }
    if (rc == 0)
        out->len += f->width;
    return rc;
}

static const char *why(int status, const struct saltkey_field *f)
{
    switch (status) {
    case SALTKEY_EKIND:
        return f->kind == SALTKEY_TEXT || f->kind == SALTKEY_FIXED ? "needs text, not a number"
                                                                   : "needs a number, not text";
    case SALTKEY_EDELIMITER:
        return "text holds the byte \\x00 that ends it";
    case SALTKEY_ENEGATIVE:
        return f->kind == SALTKEY_RTS19 ? "a negative time has no text form in order"
                                        : "negative value in an unsigned field";
    default:
        return saltkey_status_text(status);
    }
}

int saltkey__append_field(const struct saltkey_layout *layout, uint32_t field,
                          const struct saltkey_value *value, struct saltkey_buf *out,
                          struct saltkey_error *err)
{
    const struct saltkey_field *f = &layout->fields[field];
    int rc = append_value(layout, field, value, out);

    return rc < 0 ? misfit(err, rc, field, f, why(rc, f)) : 0;
}

int saltkey_field_encode(const struct saltkey_layout *layout, uint32_t field,
                         const struct saltkey_value *value, struct saltkey_buf *out,
                         struct saltkey_error *err)
{
    struct saltkey_buf made = {out->bytes, out->cap, 0};
    int rc;

    if (field >= layout->n_fields)
        return saltkey__fail(err, SALTKEY_EFIELD, field + 1, "the layout has %u fields",
                             (unsigned)layout->n_fields);
    rc = saltkey__append_field(layout, field, value, &made, err);
    if (rc == 0)
        out->len = made.len;
    return rc;
}

int saltkey_natural(const struct saltkey_layout *layout, const struct saltkey_value *values,
                    struct saltkey_buf *key, struct saltkey_error *err)
{
    struct saltkey_buf made = {key->bytes, key->cap, 0};
    uint32_t i;

    for (i = 0; i < layout->n_fields; i++) {
        int rc = saltkey__append_field(layout, i, &values[i], &made, err);
        if (rc < 0)
            return rc;
    }
    key->len = made.len;
    return 0;
}

int saltkey__locate(const struct saltkey_layout *layout, struct saltkey_slice natural,
                    struct saltkey_slice *fields, struct saltkey_error *err)
{
    size_t at = 0;
    uint32_t i;

    for (i = 0; i < layout->n_fields; i++) {
        const struct saltkey_field *f = &layout->fields[i];
        const uint8_t *from = natural.bytes + at, *end;
        size_t left = natural.len - at;

        if (f->kind == SALTKEY_TEXT && i + 1 < layout->n_fields) {
            end = left ? memchr(from, 0, left) : NULL;
            if (!end)
                return saltkey__fail(err, SALTKEY_EKEY, natural.len + 1,
                                     "field '%s' has no end mark", f->name);
            fields[i] = saltkey__slice(from, (size_t)(end - from));
            at += fields[i].len + 1;
            continue;
        }
        if (f->width > left)
            return saltkey__fail(err, SALTKEY_EKEY, natural.len + 1, "key ends inside field '%s'",
                                 f->name);
        fields[i] = saltkey__slice(from, f->kind == SALTKEY_TEXT ? left : f->width);
        at += fields[i].len;
    }
    if (at != natural.len)
        return saltkey__fail(err, SALTKEY_EKEY, at + 1, "%lu bytes behind the last field",
                             (unsigned long)(natural.len - at));
    return 0;
}
