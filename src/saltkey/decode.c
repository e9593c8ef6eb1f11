/* SPDX-License-Identifier: Apache-2.0 */
/* A natural key's bytes back to field values. */
#include "internal.h"

#define SIGN_BIT (UINT64_C(1) << 63)

/* Length of a marked text up to its mark; -1 where there is none. */
static ptrdiff_t marked_length(const struct saltkey_field *f, struct saltkey_slice rest)
{
    uint8_t escape = f->desc ? (uint8_t)~f->escape : f->escape;
    const uint8_t *end;
    size_t i;

    if (!f->escaped) {
        end = rest.len ? memchr(rest.bytes, f->mark, rest.len) : NULL;
        return end ? end - rest.bytes : -1;
    }
    for (i = 0; i < rest.len; i++) {
        if (rest.bytes[i] == f->mark)
            return (ptrdiff_t)i;
        i += rest.bytes[i] == escape;
    }
    return -1;
}

/* Length of one field's bytes without its mark; -1 where the key doesn't hold it. */
static ptrdiff_t field_length(const struct saltkey_field *f, struct saltkey_slice rest)
{
    size_t n;

    if (saltkey__needs_mark(f->kind))
        return f->marked ? marked_length(f, rest) : (ptrdiff_t)rest.len;
    if (f->kind >= SALTKEY_OB_I8) {
        n = saltkey__ordered_length(f, rest);
        return n ? (ptrdiff_t)n : -1;
    }
    return f->width <= rest.len ? (ptrdiff_t)f->width : -1;
}

int saltkey__locate(const struct saltkey_layout *layout, struct saltkey_slice natural,
                    struct saltkey_slice *fields, struct saltkey_error *err)
{
    static const uint8_t nothing[1];
    size_t at = 0;
    uint32_t i;

    if (!natural.bytes)
        natural.bytes = nothing; /* an empty key may come as NULL */
    for (i = 0; i < layout->n_fields; i++) {
        const struct saltkey_field *f = &layout->fields[i];
        struct saltkey_slice rest = {natural.bytes + at, natural.len - at};
        ptrdiff_t len;

        len = field_length(f, rest);
        if (len < 0)
            return saltkey__fail(err, SALTKEY_EKEY, natural.len + 1, "the key ends inside field '%s'",
                                 f->name);
        fields[i] = saltkey__slice(rest.bytes, (size_t)len);
        at += (size_t)len;
        if (f->marked && (at == natural.len || natural.bytes[at] != f->mark))
            return saltkey__fail(err, SALTKEY_EKEY, at + 1, "field '%s' isn't followed by its mark",
                                 f->name);
        at += f->marked;
    }
    if (at != natural.len)
        return saltkey__fail(err, SALTKEY_EKEY, at + 1, "%lu bytes behind the last field",
                             (unsigned long)(natural.len - at));
    return 0;
}

/* Digits in |base|; |back|: last digit first. */
static int parse_digits(struct saltkey_slice in, uint32_t base, bool back, uint64_t *out)
{
    uint64_t n = 0;
    size_t i;

    for (i = 0; i < in.len; i++) {
        uint8_t c = in.bytes[back ? in.len - 1 - i : i];
        uint32_t d = c >= '0' && c <= '9' ? c - 48U : c >= 'a' && c <= 'f' ? c - 87U : 99;

        if (d >= base || n > (UINT64_MAX - d) / base)
            return SALTKEY_EKEY;
        n = n * base + d;
    }
    *out = n;
    return 0;
}

/* A number as Java prints it: no plus, no "-0", zeros in front only up to |width|. */
static int parse_num(struct saltkey_slice in, size_t width, struct saltkey_value *v)
{
    bool minus = in.len > 0 && in.bytes[0] == '-';
    struct saltkey_slice digits = {in.bytes + minus, in.len - minus};
    uint64_t n = 0;

    if (digits.len == 0 || in.len < width || parse_digits(digits, 10, false, &n) < 0 || n > SIGN_BIT ||
        (n == SIGN_BIT && !minus))
        return SALTKEY_EKEY;
    if ((digits.bytes[0] == '0' && digits.len > 1 && in.len > width) || (minus && n == 0))
        return SALTKEY_EKEY;
    *v = saltkey_int(0);
    v->number = minus ? 0 - n : n;
    return 0;
}

static int parse_number(const struct saltkey_field *f, struct saltkey_slice in, struct saltkey_value *v)
{
    uint64_t n = 0;
    size_t i;
    int rc = 0;

    switch (f->kind) {
    case SALTKEY_DEC: case SALTKEY_REVDEC: case SALTKEY_HEX: case SALTKEY_RTS19:
        rc = parse_digits(in, f->kind == SALTKEY_HEX ? 16 : 10, f->kind == SALTKEY_REVDEC, &n);
        if (rc == 0 && f->kind == SALTKEY_RTS19)
            rc = n & SIGN_BIT ? SALTKEY_EKEY : 0;
        *v = saltkey_uint(f->kind == SALTKEY_RTS19 ? n ^ (SIGN_BIT - 1) : n);
        return rc;
    default:
        break;
    }
    for (i = 0; i < in.len; i++)
        n = n << 8 | in.bytes[i];
    if (f->kind == SALTKEY_RTS)
        n ^= SIGN_BIT - 1;
    else if (f->kind >= SALTKEY_I8 && f->kind <= SALTKEY_I64)
        n -= UINT64_C(1) << (8 * f->width - 1);
    *v = f->kind >= SALTKEY_I8 ? saltkey_int(0) : saltkey_uint(0);
    v->number = n;
    return 0;
}

static struct saltkey_slice without_padding(struct saltkey_slice in)
{
    while (in.len && in.bytes[in.len - 1] == 0)
        in.len--;
    return in;
}

/* Room in |scratch| for a changed copy of |in|. */
static int copy_in(struct saltkey_buf *scratch, struct saltkey_slice in, uint8_t **at)
{
    if (scratch->cap - scratch->len < in.len)
        return SALTKEY_ESPACE;
    *at = scratch->bytes + scratch->len;
    if (in.len)
        memcpy(*at, in.bytes, in.len);
    scratch->len += in.len;
    return 0;
}

static int unescape(const struct saltkey_field *f, struct saltkey_buf *scratch, struct saltkey_slice *text)
{
    uint8_t *at = NULL;
    size_t i, n = 0;
    int rc = copy_in(scratch, *text, &at);

    if (rc < 0)
        return rc;
    for (i = 0; i < text->len; i++) {
        i += at[i] == f->escape;
        if (i == text->len)
            return SALTKEY_EKEY;
        at[n++] = at[i];
    }
    scratch->len -= text->len - n;
    *text = saltkey__slice(at, n);
    return 0;
}

static int parse_text(const struct saltkey_field *f, struct saltkey_slice in, struct saltkey_buf *scratch,
                      struct saltkey_value *v)
{
    uint8_t *at = NULL;
    int rc = 0;

    if (f->kind == SALTKEY_NUM)
        return parse_num(in, f->digits, v);
    if (f->escaped)
        rc = unescape(f, scratch, &in);
    if (rc == 0 && (f->kind == SALTKEY_REVTEXT || f->kind == SALTKEY_REVLABELS)) {
        rc = copy_in(scratch, in, &at);
        if (rc == 0)
            rc = saltkey__reverse_text(f->kind, at, in.len);
        if (rc == SALTKEY_EUTF8)
            rc = SALTKEY_EKEY;
        in.bytes = at;
    }
    *v = saltkey_bytes(in.bytes, in.len);
    return rc;
}

static int parse_field(const struct saltkey_field *f, struct saltkey_slice in, struct saltkey_buf *scratch,
                       struct saltkey_value *v)
{
    uint8_t *at = NULL;
    size_t i;

    if (f->desc) {
        int rc = copy_in(scratch, in, &at);

        if (rc < 0)
            return rc;
        for (i = 0; i < in.len; i++)
            at[i] = (uint8_t)~at[i];
        in.bytes = at;
    }
    if (f->kind >= SALTKEY_OB_I8)
        return saltkey__ordered_parse(f, in, scratch, v);
    if (saltkey__needs_mark(f->kind))
        return parse_text(f, in, scratch, v);
    if (f->kind == SALTKEY_FIXED)
        in = without_padding(in);
    if (f->kind == SALTKEY_FIXED || f->kind == SALTKEY_BYTES || f->kind == SALTKEY_UUID) {
        *v = saltkey_bytes(in.bytes, in.len);
        return 0;
    }
    return parse_number(f, in, v);
}

int saltkey_natural_parse(const struct saltkey_layout *layout, struct saltkey_slice natural,
                          struct saltkey_value *values, struct saltkey_buf *scratch,
                          struct saltkey_error *err)
{
    struct saltkey_slice fields[SALTKEY_FIELDS_MAX];
    struct saltkey_value made[SALTKEY_FIELDS_MAX];
    struct saltkey_buf room = {scratch->bytes, scratch->cap, 0};
    uint32_t i;
    int rc = saltkey__locate(layout, natural, fields, err);

    for (i = 0; rc == 0 && i < layout->n_fields; i++) {
        size_t at = natural.len ? (size_t)(fields[i].bytes - natural.bytes) : 0;

        rc = parse_field(&layout->fields[i], fields[i], &room, &made[i]);
        if (rc < 0)
            saltkey__fail(err, rc, at + 1, "field '%s': %s", layout->fields[i].name,
                          rc == SALTKEY_EKEY ? "bytes of another kind" : saltkey_status_text(rc));
    }
    if (rc < 0)
        return rc;
    memcpy(values, made, layout->n_fields * sizeof(*values));
    scratch->len = room.len;
    return 0;
}
