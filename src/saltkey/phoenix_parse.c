/* SPDX-License-Identifier: Apache-2.0 */
/* A stored Phoenix row back to its columns' values. */
#include "internal.h"
#include "phoenix.h"

/* Copies |in|, inverted for a DESC column, into |scratch|. */
static int plain_copy(const struct saltkey_phoenix_column *c, struct saltkey_slice in,
                      struct saltkey_buf *scratch, struct saltkey_slice *out)
{
    uint8_t *at = scratch->bytes + scratch->len, flip = c->desc ? 0xff : 0;
    size_t i;

    if (scratch->cap - scratch->len < in.len)
        return SALTKEY_ESPACE;
    for (i = 0; i < in.len; i++)
        at[i] = in.bytes[i] ^ flip;
    scratch->len += in.len;
    *out = saltkey__slice(at, in.len);
    return 0;
}

static uint64_t load(struct saltkey_slice s, size_t n)
{
    uint64_t v = 0;
    size_t i;

    for (i = 0; i < n; i++)
        v = v << 8 | s.bytes[i];
    return v;
}

static struct saltkey_value real_of(uint64_t n, uint32_t width)
{
    uint64_t sign = UINT64_C(1) << (8 * width - 1), bits;
    uint32_t bits32;
    float narrow;

    n--;
    bits = n & sign ? n ^ sign : ~n;
    if (width == 4) {
        bits32 = (uint32_t)bits;
        memcpy(&narrow, &bits32, sizeof(narrow));
        return saltkey_real((double)narrow);
    }
    {
        struct saltkey_value v = saltkey_real(0);
        v.number = bits;
        return v;
    }
}

/* The bits as they are. */
static struct saltkey_value plain_real_of(uint64_t n, uint32_t width)
{
    struct saltkey_value v = saltkey_real(0);
    uint32_t bits32 = (uint32_t)n;
    float narrow;

    v.number = n;
    if (width == 8)
        return v;
    memcpy(&narrow, &bits32, sizeof(narrow));
    return saltkey_real((double)narrow);
}

static int fixed_value(const struct saltkey_phoenix_column *c, struct saltkey_slice in, struct saltkey_value *v)
{
    uint32_t width = c->width == 12 ? 8 : c->width; /* a TIMESTAMP's milliseconds */
    uint64_t n;

    switch (c->type) {
    case SALTKEY_PHOENIX_CHAR:
        while (in.len > 1 && in.bytes[in.len - 1] == ' ') /* an empty text would be null */
            in.len--;
        *v = saltkey_bytes(in.bytes, in.len);
        return 0;
    case SALTKEY_PHOENIX_BINARY:
        *v = saltkey_bytes(in.bytes, in.len);
        return 0;
    default:
        n = load(in, width);
        break;
    }
    switch (c->type) {
    case SALTKEY_PHOENIX_FLOAT: case SALTKEY_PHOENIX_DOUBLE:
        *v = real_of(n, width);
        return 0;
    case SALTKEY_PHOENIX_BOOLEAN:
        *v = saltkey_uint(n);
        return n > 1 ? SALTKEY_EKEY : 0;
    case SALTKEY_PHOENIX_UNSIGNED_FLOAT: case SALTKEY_PHOENIX_UNSIGNED_DOUBLE:
        *v = plain_real_of(n, width);
        return 0;
    case SALTKEY_PHOENIX_UNSIGNED_INT: case SALTKEY_PHOENIX_UNSIGNED_LONG: case SALTKEY_PHOENIX_UNSIGNED_DATE:
    case SALTKEY_PHOENIX_UNSIGNED_SMALLINT: case SALTKEY_PHOENIX_UNSIGNED_TINYINT: case SALTKEY_PHOENIX_UNSIGNED_TIME:
    case SALTKEY_PHOENIX_UNSIGNED_TIMESTAMP:
        *v = saltkey_uint(n);
        break;
    default:
        *v = saltkey_int(0);
        v->number = n - (UINT64_C(1) << (8 * width - 1));
        break;
    }
    if (c->width == 12) { /* texts have returned above */
        int64_t ms = (int64_t)v->number % 1000;
        uint64_t within = load(saltkey__slice(in.bytes + 8, 4), 4);

        if (within >= 1000000)
            return SALTKEY_EKEY;
        v->nanos = (uint32_t)(ms < 0 ? ms + 1000 : ms) * 1000000 + (uint32_t)within;
    }
    return 0;
}

/* Bytes of the column at the start of |rest|, its separator included; negative where they aren't all
   there. */
static ptrdiff_t column_length(const struct saltkey_phoenix_column *c, bool last, struct saltkey_slice rest)
{
    const uint8_t *end;

    if (c->width)
        return rest.len < c->width ? -1 : (ptrdiff_t)c->width;
    if (last && !c->desc)
        return (ptrdiff_t)rest.len;
    if (rest.bytes[0] == 0 && !c->not_null) /* null, another column follows */
        return 1;
    end = memchr(rest.bytes, c->desc ? 0xff : 0, rest.len);
    if (!end && c->desc)
        return -1;
    return end ? end - rest.bytes + 1 : (ptrdiff_t)rest.len;
}

/* The value of a column's bytes, separator included. */
static int column_value(const struct saltkey_phoenix_column *c, bool last, struct saltkey_slice in,
                        struct saltkey_buf *scratch, struct saltkey_value *v)
{
    bool ends = !c->width && (c->desc || !last);
    struct saltkey_slice plain;
    int rc;

    if (ends && !c->not_null && in.len == 1 && in.bytes[0] == 0) {
        v->kind = SALTKEY_VALUE_NULL;
        return 0;
    }
    if (ends && in.bytes[in.len - 1] == (c->desc ? 0xff : 0))
        in.len--;
    rc = plain_copy(c, in, scratch, &plain);
    if (rc < 0 || c->width)
        return rc < 0 ? rc : fixed_value(c, plain, v);
    if (c->type == SALTKEY_PHOENIX_DECIMAL)
        rc = saltkey__decimal_parse(plain, scratch, &plain);
    *v = saltkey_bytes(plain.bytes, plain.len);
    return rc;
}

/* Whether Phoenix writes this value so: 0, or the first byte (from 1) that it writes otherwise.
   |scratch|: room behind what is used. */
static int first_other(const struct saltkey_phoenix_column *c, bool last, const struct saltkey_value *v,
                       struct saltkey_slice in, const struct saltkey_buf *scratch)
{
    struct saltkey_buf again = {scratch->bytes + scratch->len, scratch->cap - scratch->len, 0};
    size_t i;
    int rc = saltkey__phoenix_append(c, v, last, &again);

    if (rc < 0)
        return rc;
    for (i = 0; i < again.len && i < in.len; i++)
        if (again.bytes[i] != in.bytes[i])
            break;
    return i == again.len && i == in.len ? 0 : (int)i + 1;
}

static int misfit(struct saltkey_error *err, size_t byte, uint32_t column, const struct saltkey_phoenix_column *c,
                  const char *why)
{
    return saltkey__fail(err, SALTKEY_EKEY, byte, "column %u, %s: %s", (unsigned)column + 1,
                         saltkey_phoenix_type_name(c->type), why);
}

/* A row while it is read. */
struct reading {
    const struct saltkey_phoenix *key;
    struct saltkey_slice row;
    size_t at; /* bytes read so far */
    struct saltkey_buf scratch;
};

static int read_column(struct reading *r, uint32_t i, struct saltkey_value *v, struct saltkey_error *err)
{
    const struct saltkey_phoenix_column *c = &r->key->columns[i];
    struct saltkey_slice rest = {r->row.bytes + r->at, r->row.len - r->at};
    bool last = i + 1 == r->key->n_columns;
    ptrdiff_t len;
    int rc;

    if (rest.len == 0) { /* trailing nulls were cut */
        v->kind = SALTKEY_VALUE_NULL;
        return c->width || c->not_null ? misfit(err, r->row.len + 1, i, c, "the row ends before it") : 0;
    }
    len = column_length(c, last, rest);
    if (len < 0)
        return misfit(err, r->row.len + 1, i, c, "the row ends inside it");
    rest.len = (size_t)len;
    rc = column_value(c, last, rest, &r->scratch, v);
    if (rc == SALTKEY_EKEY)
        return misfit(err, r->at + 1, i, c, "bytes of no such value");
    if (rc < 0)
        return saltkey__fail(err, rc, 0, "%s", saltkey_status_text(rc));
    rc = first_other(c, r->at + rest.len == r->row.len, v, rest, &r->scratch);
    if (rc == SALTKEY_ESPACE)
        return saltkey__fail(err, rc, 0, "%s", saltkey_status_text(rc));
    if (rc < 0)
        return misfit(err, r->at + 1, i, c, rc == SALTKEY_ENULL ? "it is NOT NULL" : saltkey_status_text(rc));
    if (rc > 0)
        return misfit(err, r->at + (size_t)rc, i, c, "Phoenix writes this value otherwise");
    r->at += rest.len;
    return 0;
}

int saltkey_phoenix_row_read(const struct saltkey_phoenix *key, struct saltkey_slice row,
                             struct saltkey_value *values, struct saltkey_buf *scratch,
                             struct saltkey_error *err)
{
    struct saltkey_value made[SALTKEY_FIELDS_MAX];
    struct reading r = {key, row, key->buckets > 0, {scratch->bytes, scratch->cap, 0}};
    int wrong_salt = 0;
    uint32_t i;

    memset(made, 0, sizeof(made));
    if (row.len == 0)
        return saltkey__fail(err, SALTKEY_EKEY, 1, "the row is empty");
    if (key->buckets > 0) {
        if (row.bytes[0] >= key->buckets)
            return saltkey__fail(err, SALTKEY_EKEY, 1, "the salt is %u: buckets are 0 to %u", row.bytes[0],
                                 (unsigned)key->buckets - 1);
        wrong_salt = saltkey__phoenix_bucket(key, saltkey__slice(row.bytes + 1, row.len - 1)) != row.bytes[0];
    }
    for (i = 0; i < key->n_columns; i++) {
        int rc = read_column(&r, i, &made[i], err);

        if (rc < 0)
            return rc;
    }
    if (r.at < row.len)
        return saltkey__fail(err, SALTKEY_EKEY, r.at + 1, "%lu bytes behind the last column",
                             (unsigned long)(row.len - r.at));
    memcpy(values, made, key->n_columns * sizeof(*values));
    scratch->len = r.scratch.len;
    return wrong_salt;
}

int saltkey_phoenix_row_parse(const struct saltkey_phoenix *key, struct saltkey_slice row,
                              struct saltkey_value *values, struct saltkey_buf *scratch, bool *salted_right)
{
    int rc = saltkey_phoenix_row_read(key, row, values, scratch, NULL);

    if (rc < 0)
        return rc;
    if (salted_right)
        *salted_right = rc == 0;
    return 0;
}
