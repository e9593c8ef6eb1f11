/* SPDX-License-Identifier: Apache-2.0 */
/* Field values to the natural key's bytes. */
#include "internal.h"

#define SIGN_BIT (UINT64_C(1) << 63)

static bool is_number(const struct saltkey_value *v)
{
    return v->kind == SALTKEY_VALUE_UINT || v->kind == SALTKEY_VALUE_INT;
}

/* An unsigned number below 2^bits. */
int saltkey__unsigned(const struct saltkey_value *v, uint32_t bits, uint64_t *out)
{
    if (!is_number(v))
        return SALTKEY_EKIND;
    if (v->kind == SALTKEY_VALUE_INT && v->number >= SIGN_BIT)
        return SALTKEY_ENEGATIVE;
    if (bits < 64 && v->number >> bits)
        return SALTKEY_ERANGE;
    *out = v->number;
    return 0;
}

/* A signed number of |bits| bits, with its sign bit flipped: bytes sort as numbers. */
int saltkey__flipped(const struct saltkey_value *v, uint32_t bits, uint64_t *out)
{
    uint64_t biased;

    if (!is_number(v))
        return SALTKEY_EKIND;
    if (v->kind == SALTKEY_VALUE_UINT && v->number >= SIGN_BIT)
        return SALTKEY_ERANGE;
    biased = v->number + (UINT64_C(1) << (bits - 1));
    if (bits < 64 && biased >> bits)
        return SALTKEY_ERANGE;
    *out = biased;
    return 0;
}

/* Writes |width| digits, zeros in front. Each base by itself: a division by a constant is a multiplication, and keys
   of digits are mostly this. */
static int hex_digits_of(uint64_t n, uint32_t width, uint8_t *at)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t i;

    for (i = width; i-- > 0; n >>= 4)
        at[i] = (uint8_t)digits[n & 15];
    return n ? SALTKEY_ERANGE : 0;
}

static int dec_digits_of(uint64_t n, uint32_t width, uint8_t *at)
{
    uint32_t i;

    for (i = width; i-- > 0; n /= 10)
        at[i] = (uint8_t)('0' + n % 10);
    return n ? SALTKEY_ERANGE : 0;
}

static void reverse_bytes(uint8_t *at, size_t n)
{
    size_t i;

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
        rc = saltkey__flipped(v, 8 * f->width, &n);
        break;
    case SALTKEY_RTS:
        /* 2^63 - 1 - ts is ts xor 2^63 - 1, the flipped form's complement: nothing overflows */
        rc = saltkey__flipped(v, 64, &n);
        n = ~n;
        break;
    case SALTKEY_RTS19:
        rc = saltkey__unsigned(v, 63, &n);
        n ^= SIGN_BIT - 1;
        return rc < 0 ? rc : dec_digits_of(n, f->width, at);
    case SALTKEY_DEC: case SALTKEY_REVDEC: case SALTKEY_HEX:
        rc = saltkey__unsigned(v, 64, &n);
        if (rc == 0)
            rc = f->kind == SALTKEY_HEX ? hex_digits_of(n, f->width, at) : dec_digits_of(n, f->width, at);
        if (rc == 0 && f->kind == SALTKEY_REVDEC)
            reverse_bytes(at, f->width);
        return rc;
    default:
        rc = saltkey__unsigned(v, 8 * f->width, &n);
        break;
    }
    if (rc == 0)
        saltkey__store(at, n, f->width);
    return rc;
}

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* 8-4-4-4-12 hexadecimal digits, or 16 bytes. */
static int put_uuid(struct saltkey_slice text, uint8_t *at)
{
    size_t i, n = 0;

    if (text.len == 16) {
        memcpy(at, text.bytes, 16);
        return 0;
    }
    if (text.len != 36)
        return SALTKEY_ERANGE;
    for (i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        int d = hex_digit(text.bytes[i]);

        if (dash ? text.bytes[i] != '-' : d < 0)
            return SALTKEY_ERANGE;
        if (!dash) {
            at[n / 2] = (uint8_t)(n & 1 ? at[n / 2] | d : d << 4);
            n++;
        }
    }
    return 0;
}

static int put_fixed(const struct saltkey_field *f, const struct saltkey_value *v, uint8_t *at)
{
    if (v->kind != SALTKEY_VALUE_BYTES)
        return SALTKEY_EKIND;
    if (f->kind == SALTKEY_UUID)
        return put_uuid(v->bytes, at);
    if (v->bytes.len > f->width)
        return SALTKEY_ETOOLONG;
    if (f->kind == SALTKEY_BYTES && v->bytes.len != f->width)
        return SALTKEY_ERANGE;
    if (v->bytes.len)
        memcpy(at, v->bytes.bytes, v->bytes.len);
    memset(at + v->bytes.len, 0, f->width - v->bytes.len);
    return 0;
}

/* A number as Java's %d, or with |digits| its %0nd, has it: at most 20 characters, the sign counted. */
static int print_number(const struct saltkey_value *v, uint8_t digits, uint8_t *at, size_t *len)
{
    bool minus = v->kind == SALTKEY_VALUE_INT && v->number >= SIGN_BIT;
    uint64_t n = minus ? 0 - v->number : v->number;
    size_t k = 0;

    if (!is_number(v))
        return SALTKEY_EKIND;
    if (v->kind == SALTKEY_VALUE_UINT && v->number >= SIGN_BIT)
        return SALTKEY_ERANGE;
    do {
        at[k++] = (uint8_t)('0' + n % 10);
        n /= 10;
    } while (n || k + minus < digits);
    if (minus)
        at[k++] = '-';
    reverse_bytes(at, k);
    *len = k;
    return 0;
}

/* Reverses what lies between dots, or each code point's bytes; the caller then reverses all. */
int saltkey__reverse_text(enum saltkey_kind kind, uint8_t *at, size_t n)
{
    size_t from = 0;

    while (from < n) {
        size_t len;
        uint32_t cp;

        if (kind == SALTKEY_REVLABELS) {
            const uint8_t *dot = memchr(at + from, '.', n - from);
            len = dot ? (size_t)(dot - at) - from : n - from;
        } else {
            len = saltkey__utf8(saltkey__slice(at + from, n - from), &cp);
            if (len == 0)
                return SALTKEY_EUTF8;
        }
        reverse_bytes(at + from, len);
        from += len + (kind == SALTKEY_REVLABELS);
    }
    reverse_bytes(at, n);
    return 0;
}

/* Copies text, each mark and escape with the escape in front. */
static int put_escaped(const struct saltkey_field *f, struct saltkey_slice text, struct saltkey_buf *out)
{
    uint8_t mark = f->desc ? (uint8_t)~f->mark : f->mark;
    size_t i;

    for (i = 0; i < text.len; i++) {
        bool special = text.bytes[i] == mark || text.bytes[i] == f->escape;

        if (out->cap - out->len < 1U + special)
            return SALTKEY_ESPACE;
        if (special)
            out->bytes[out->len++] = f->escape;
        out->bytes[out->len++] = text.bytes[i];
    }
    return 0;
}

/* Text of any length, without its mark. */
static int put_text(const struct saltkey_field *f, const struct saltkey_value *v, struct saltkey_buf *out)
{
    uint8_t mark = f->desc ? (uint8_t)~f->mark : f->mark, digits[24];
    struct saltkey_slice text = v->bytes;
    int rc = 0;

    if (f->kind == SALTKEY_NUM) {
        rc = print_number(v, f->digits, digits, &text.len);
        text.bytes = digits;
    } else if (v->kind != SALTKEY_VALUE_BYTES) {
        rc = SALTKEY_EKIND;
    }
    if (rc < 0)
        return rc;
    if (f->escaped)
        return put_escaped(f, text, out);
    if (f->marked && f->kind != SALTKEY_RAWTEXT && text.len && memchr(text.bytes, mark, text.len))
        return SALTKEY_EDELIMITER;
    if (out->cap - out->len < text.len)
        return SALTKEY_ESPACE;
    if (text.len)
        memcpy(out->bytes + out->len, text.bytes, text.len);
    if (f->kind == SALTKEY_REVTEXT || f->kind == SALTKEY_REVLABELS)
        rc = saltkey__reverse_text(f->kind, out->bytes + out->len, text.len);
    out->len += text.len;
    return rc;
}

static int append_value(const struct saltkey_field *f, const struct saltkey_value *v, struct saltkey_buf *out)
{
    struct saltkey_buf made = *out;
    uint8_t *at = out->len ? out->bytes + out->len : out->bytes;
    size_t i;
    int rc;

    if (f->kind >= SALTKEY_OB_I8) {
        rc = saltkey__ordered_append(f, v, &made);
    } else if (saltkey__needs_mark(f->kind)) {
        rc = put_text(f, v, &made);
    } else if (out->cap - out->len < f->width) {
        rc = SALTKEY_ESPACE;
    } else {
        bool bytes = f->kind == SALTKEY_FIXED || f->kind == SALTKEY_BYTES || f->kind == SALTKEY_UUID;

        rc = bytes ? put_fixed(f, v, at) : put_number(f, v, at);
        made.len += f->width;
    }
    if (rc == 0 && f->desc)
        for (i = out->len; i < made.len; i++)
            made.bytes[i] = (uint8_t)~made.bytes[i];
    if (rc == 0 && f->marked) {
        if (made.len == made.cap)
            return SALTKEY_ESPACE;
        made.bytes[made.len++] = f->mark;
    }
    if (rc == 0)
        *out = made;
    return rc;
}

static const char *why(int status, const struct saltkey_field *f)
{
    bool text = saltkey__needs_mark(f->kind) ? f->kind != SALTKEY_NUM
                                             : f->kind == SALTKEY_FIXED || f->kind == SALTKEY_BYTES ||
                                                   f->kind == SALTKEY_UUID || f->kind >= SALTKEY_OB_TEXT;

    switch (status) {
    case SALTKEY_EKIND:
        return text ? "needs text, not a number" : "needs a number, not text";
    case SALTKEY_EDELIMITER:
        return "text holds the byte that ends the field";
    case SALTKEY_ENEGATIVE:
        return f->kind == SALTKEY_RTS19 ? "a negative time has no text form in order"
                                        : "negative value in an unsigned field";
    case SALTKEY_ERANGE:
        if (f->kind == SALTKEY_UUID)
            return "not a uuid: 16 bytes or 8-4-4-4-12 hexadecimal digits";
        return f->kind == SALTKEY_BYTES ? "needs exactly its width in bytes" : "number out of range";
    default:
        return saltkey_status_text(status);
    }
}

int saltkey__append_field(const struct saltkey_layout *layout, uint32_t field,
                          const struct saltkey_value *value, struct saltkey_buf *out,
                          struct saltkey_error *err)
{
    const struct saltkey_field *f = &layout->fields[field];
    int rc = append_value(f, value, out);

    return rc < 0 ? saltkey__fail(err, rc, field + 1, "field '%s': %s", f->name, why(rc, f)) : 0;
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

int saltkey__natural(const struct saltkey_layout *layout, const struct saltkey_value *values,
                     struct saltkey_buf *key, struct saltkey_slice *fields, struct saltkey_error *err)
{
    uint32_t i;

    key->len = 0;
    for (i = 0; i < layout->n_fields; i++) {
        size_t from = key->len;
        int rc = saltkey__append_field(layout, i, &values[i], key, err);

        if (rc < 0)
            return rc;
        fields[i] = saltkey__slice(from ? key->bytes + from : key->bytes, key->len - from - layout->fields[i].marked);
    }
    return 0;
}

int saltkey_natural(const struct saltkey_layout *layout, const struct saltkey_value *values,
                    struct saltkey_buf *key, struct saltkey_error *err)
{
    struct saltkey_buf made = {key->bytes, key->cap, 0};
    struct saltkey_slice fields[SALTKEY_FIELDS_MAX];
    int rc = saltkey__natural(layout, values, &made, fields, err);

    if (rc == 0)
        key->len = made.len;
    return rc;
}
