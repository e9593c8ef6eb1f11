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

static int fixed_value(const struct saltkey_phoenix_column *c, struct saltkey_slice in, struct saltkey_value *v)
{
    uint32_t width = c->type == SALTKEY_PHOENIX_TIMESTAMP ? 8 : c->width;
    uint64_t n;

    switch (c->type) {
    case SALTKEY_PHOENIX_CHAR:
        while (in.len && in.bytes[in.len - 1] == ' ')
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
    case SALTKEY_PHOENIX_UNSIGNED_INT: case SALTKEY_PHOENIX_UNSIGNED_LONG: case SALTKEY_PHOENIX_UNSIGNED_DATE:
        *v = saltkey_uint(n);
        return n >> (8 * width - 1) ? SALTKEY_EKEY : 0;
    default:
        *v = saltkey_int(0);
        v->number = n - (UINT64_C(1) << (8 * width - 1));
        break;
    }
    if (c->type == SALTKEY_PHOENIX_TIMESTAMP) {
        int64_t ms = (int64_t)v->number % 1000;
        uint64_t within = load(saltkey__slice(in.bytes + 8, 4), 4);

        if (within >= 1000000)
            return SALTKEY_EKEY;
        v->nanos = (uint32_t)(ms < 0 ? ms + 1000 : ms) * 1000000 + (uint32_t)within;
    }
    return 0;
}

/* One column from the start of |rest|; what is left stays in it. */
static int parse_column(const struct saltkey_phoenix_column *c, bool last, struct saltkey_slice *rest,
                        struct saltkey_buf *scratch, struct saltkey_value *v)
{
    struct saltkey_slice in = *rest, plain;
    const uint8_t *end = NULL;
    uint8_t mark = c->desc ? 0xff : 0;
    int rc;

    if (c->width) {
        if (rest->len < c->width)
            return SALTKEY_EKEY;
        in.len = c->width;
        rc = plain_copy(c, in, scratch, &plain);
        rest->bytes += in.len;
        rest->len -= in.len;
        return rc < 0 ? rc : fixed_value(c, plain, v);
    }
    if (rest->len && rest->bytes[0] == 0 && !(last && !c->desc)) { /* null, another column follows */
        rest->bytes++;
        rest->len--;
        v->kind = SALTKEY_VALUE_NULL;
        return rest->len ? 0 : SALTKEY_EKEY;
    }
    if (c->desc || !last)
        end = memchr(in.bytes, mark, in.len);
    if (!end && c->desc)
        return SALTKEY_EKEY;
    in.len = end ? (size_t)(end - in.bytes) : in.len;
    rest->bytes += in.len + (end != NULL);
    rest->len -= in.len + (end != NULL);
    if (!c->desc && end && rest->len == 0)
        return SALTKEY_EKEY; /* a separator with nothing behind it would have been cut */
    rc = plain_copy(c, in, scratch, &plain);
    if (rc == 0 && c->type == SALTKEY_PHOENIX_DECIMAL)
        rc = saltkey__decimal_parse(plain, scratch, &plain);
    *v = saltkey_bytes(plain.bytes, plain.len);
    return rc;
}

int saltkey_phoenix_row_parse(const struct saltkey_phoenix *key, struct saltkey_slice row,
                              struct saltkey_value *values, struct saltkey_buf *scratch, bool *salted_right)
{
    struct saltkey_value made[SALTKEY_FIELDS_MAX];
    struct saltkey_buf room = {scratch->bytes, scratch->cap, 0};
    struct saltkey_slice rest = row;
    struct saltkey_mod mod;
    bool right = true;
    uint32_t i;

    memset(made, 0, sizeof(made));
    if (key->buckets > 0) {
        if (row.len < 1 || row.bytes[0] >= key->buckets || saltkey_mod_init(&mod, SALTKEY_ABS, key->buckets) < 0)
            return SALTKEY_EKEY;
        rest = saltkey__slice(row.bytes + 1, row.len - 1);
        right = saltkey_mod_bucket(&mod, saltkey_hash31(rest.bytes, rest.len)) == row.bytes[0];
    }
    for (i = 0; i < key->n_columns; i++) {
        const struct saltkey_phoenix_column *c = &key->columns[i];
        int rc;

        if (rest.len == 0) { /* trailing nulls were cut */
            if (c->width || c->not_null)
                return SALTKEY_EKEY;
            made[i].kind = SALTKEY_VALUE_NULL;
            continue;
        }
        rc = parse_column(c, i + 1 == key->n_columns, &rest, &room, &made[i]);
        if (rc < 0)
            return rc;
    }
    if (rest.len)
        return SALTKEY_EKEY;
    memcpy(values, made, key->n_columns * sizeof(*values));
    scratch->len = room.len;
    if (salted_right)
        *salted_right = right;
    return 0;
}
