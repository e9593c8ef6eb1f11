/* SPDX-License-Identifier: Apache-2.0 */
/* Phoenix's row key of a typed primary key, as Phoenix 5.2.1 stores it: each column's bytes sort as
   its values; variable columns end with \x00; DESC inverts. The salt is over all that follows it. */
#include "internal.h"
#include "phoenix.h"

#define SIGN_BIT (UINT64_C(1) << 63)

/* IEEE bits to bytes that sort: Phoenix adds 1 so that no value is all zeros. All NaNs are one, as
   Double.doubleToLongBits makes them. */
static uint64_t ordered_bits(uint64_t bits, uint32_t width)
{
    uint64_t sign = UINT64_C(1) << (8 * width - 1);
    uint64_t infinite = width == 8 ? UINT64_C(0x7ff0000000000000) : 0x7f800000;

    if ((bits & (sign - 1)) > infinite)
        bits = width == 8 ? UINT64_C(0x7ff8000000000000) : 0x7fc00000;
    return (bits & sign ? ~bits : bits ^ sign) + 1;
}

/* UNSIGNED_FLOAT, UNSIGNED_DOUBLE: the bits as they are; what isn't a number can't be bound. -0.0 can. */
static int unsigned_bits(uint64_t bits, uint32_t width, uint64_t *out)
{
    uint64_t sign = UINT64_C(1) << (8 * width - 1);

    if ((bits & (sign - 1)) >= (width == 8 ? UINT64_C(0x7ff0000000000000) : 0x7f800000))
        return SALTKEY_ERANGE;
    if (bits > sign)
        return SALTKEY_ENEGATIVE;
    *out = bits;
    return 0;
}

static int real_bits(const struct saltkey_phoenix_column *c, const struct saltkey_value *v, uint64_t *out)
{
    uint64_t bits = v->number;
    uint32_t bits32;
    double real;
    float narrow;

    if (v->kind != SALTKEY_VALUE_REAL)
        return SALTKEY_EKIND;
    if (c->width == 4) {
        memcpy(&real, &v->number, sizeof(real));
        narrow = (float)real;
        memcpy(&bits32, &narrow, sizeof(bits32));
        bits = bits32;
    }
    if (c->type == SALTKEY_PHOENIX_UNSIGNED_FLOAT || c->type == SALTKEY_PHOENIX_UNSIGNED_DOUBLE)
        return unsigned_bits(bits, c->width, out);
    *out = ordered_bits(bits, c->width);
    if (c->width == 4)
        *out &= 0xffffffffU;
    return 0;
}

static int number_of(const struct saltkey_phoenix_column *c, const struct saltkey_value *v, uint64_t *n)
{
    uint32_t bits = 8 * c->width;

    switch (c->type) {
    case SALTKEY_PHOENIX_FLOAT: case SALTKEY_PHOENIX_DOUBLE:
    case SALTKEY_PHOENIX_UNSIGNED_FLOAT: case SALTKEY_PHOENIX_UNSIGNED_DOUBLE:
        return real_bits(c, v, n);
    case SALTKEY_PHOENIX_UNSIGNED_INT: case SALTKEY_PHOENIX_UNSIGNED_LONG: case SALTKEY_PHOENIX_UNSIGNED_DATE:
    case SALTKEY_PHOENIX_UNSIGNED_SMALLINT: case SALTKEY_PHOENIX_UNSIGNED_TINYINT: case SALTKEY_PHOENIX_UNSIGNED_TIME:
        return saltkey__unsigned(v, bits - 1, n);
    case SALTKEY_PHOENIX_UNSIGNED_TIMESTAMP:
        return saltkey__unsigned(v, 63, n);
    case SALTKEY_PHOENIX_BOOLEAN:
        return saltkey__unsigned(v, 1, n);
    case SALTKEY_PHOENIX_TIMESTAMP:
        bits = 64;
        break;
    default:
        break;
    }
    return saltkey__flipped(v, bits, n);
}

static int put_fixed(const struct saltkey_phoenix_column *c, const struct saltkey_value *v, uint8_t *at)
{
    uint64_t n = 0;
    size_t i;
    int rc;

    if (c->type == SALTKEY_PHOENIX_CHAR || c->type == SALTKEY_PHOENIX_BINARY) {
        if (v->kind != SALTKEY_VALUE_BYTES)
            return SALTKEY_EKIND;
        for (i = 0; c->type == SALTKEY_PHOENIX_CHAR && i < v->bytes.len; i++)
            if (v->bytes.bytes[i] >= 0x80)
                return SALTKEY_ERANGE;
        if (v->bytes.len > c->width)
            return SALTKEY_ETOOLONG;
        memset(at, c->type == SALTKEY_PHOENIX_CHAR ? ' ' : 0, c->width);
        memcpy(at, v->bytes.bytes, v->bytes.len);
        return 0;
    }
    rc = number_of(c, v, &n);
    /* Phoenix looks at the stored sign bit: no value of an unsigned type passes */
    if (rc == 0 && c->row_timestamp && !(n & SIGN_BIT))
        rc = SALTKEY_ENEGATIVE;
    if (rc < 0)
        return rc;
    if (c->width == 12) {
        saltkey__store(at, n, 8);
        saltkey__store(at + 8, v->nanos % 1000000, 4); /* nanoseconds within the millisecond */
    } else {
        saltkey__store(at, n, c->width);
    }
    return 0;
}

static bool is_null(const struct saltkey_value *v)
{
    return v->kind == SALTKEY_VALUE_NULL || (v->kind == SALTKEY_VALUE_BYTES && v->bytes.len == 0);
}

/* What a text counts against VARCHAR(n): UTF-16 units, as Java's String does; other bytes count themselves. */
static size_t units(struct saltkey_slice s, bool text)
{
    size_t n = 0, i;

    if (!text)
        return s.len;
    for (i = 0; i < s.len; i++)
        n += ((s.bytes[i] & 0xc0) != 0x80) + (s.bytes[i] >= 0xf0);
    return n;
}

/* A variable column that isn't null, without its separator. */
static int put_variable(const struct saltkey_phoenix_column *c, const struct saltkey_value *v, bool ends,
                        struct saltkey_buf *out)
{
    struct saltkey__decimal_size size = {c->most, c->scale, c->desc};
    size_t from = out->len;
    int rc;

    if (v->kind != SALTKEY_VALUE_BYTES)
        return SALTKEY_EKIND;
    if (c->type == SALTKEY_PHOENIX_DECIMAL) {
        rc = saltkey__decimal_append(v->bytes, size, out);
        /* -1E+124 to -9E+125 begin with the separator: such a row couldn't be read back */
        return rc < 0 ? rc : ends && out->bytes[from] == 0 ? SALTKEY_EDELIMITER : 0;
    }
    if (c->most && units(v->bytes, c->type == SALTKEY_PHOENIX_VARCHAR) > c->most)
        return SALTKEY_ETOOLONG;
    if (ends && memchr(v->bytes.bytes, 0, v->bytes.len))
        return SALTKEY_EDELIMITER;
    if (out->cap - out->len < v->bytes.len)
        return SALTKEY_ESPACE;
    memcpy(out->bytes + out->len, v->bytes.bytes, v->bytes.len);
    out->len += v->bytes.len;
    return 0;
}

/* Its separator: \xFF after a DESC value, last or not; else \x00 unless it is the last; a null in a
   DESC column takes \x00. */
int saltkey__phoenix_append(const struct saltkey_phoenix_column *c, const struct saltkey_value *v, bool last,
                            struct saltkey_buf *out)
{
    size_t from = out->len, i;
    bool null = is_null(v), variable = c->width == 0;
    bool mark = variable && (null ? !last : c->desc || !last);
    int rc = 0;

    if (null && (c->not_null || !variable))
        return SALTKEY_ENULL;
    if (!variable) {
        if (out->cap - out->len < c->width)
            return SALTKEY_ESPACE;
        rc = put_fixed(c, v, out->bytes + out->len);
        out->len += c->width;
    } else if (!null) {
        rc = put_variable(c, v, mark, out);
    }
    if (rc < 0)
        return rc;
    for (i = from; c->desc && i < out->len; i++)
        out->bytes[i] = (uint8_t)~out->bytes[i];
    if (mark && !null && c->desc && !c->not_null && out->bytes[from] == 0)
        return SALTKEY_EDELIMITER; /* it would be read as null */
    if (mark && out->len == out->cap)
        return SALTKEY_ESPACE;
    if (mark)
        out->bytes[out->len++] = c->desc && !null ? 0xff : 0;
    return 0;
}

static bool is_unsigned(enum saltkey_phoenix_type type)
{
    return strncmp(saltkey_phoenix_type_name(type), "UNSIGNED", 8) == 0;
}

static const char *why(int status, const struct saltkey_phoenix_column *c)
{
    switch (status) {
    case SALTKEY_ENULL: return "null or empty in a NOT NULL column (Phoenix error 218)";
    case SALTKEY_ETOOLONG: return "value longer than its column (Phoenix error 206)";
    case SALTKEY_ENEGATIVE:
        if (c->row_timestamp && is_unsigned(c->type))
            return "a ROW_TIMESTAMP of an unsigned type takes no value in Phoenix 5.2.1 (errors 201, 203)";
        return c->row_timestamp ? "negative ROW_TIMESTAMP (Phoenix error 201)" : "negative value (Phoenix error 203)";
    case SALTKEY_ERANGE: return c->type == SALTKEY_PHOENIX_CHAR ? "CHAR takes ASCII only (Phoenix error 201)"
                                                                : "number out of range";
    case SALTKEY_EUNSUPPORTED: return "Phoenix 5.2.1 stores a DESC value that it cuts to its scale as if it were ascending";
    default: return saltkey_status_text(status);
    }
}

/* Columns 0 .. n - 1. Phoenix converts all values before it looks for nulls: a value that doesn't fit
   is the error even where an earlier column is null. */
static int append_columns(const struct saltkey_phoenix *key, const struct saltkey_value *values, uint32_t n,
                          struct saltkey_buf *out, struct saltkey_error *err)
{
    uint32_t i, null_at = 0;

    for (i = 0; i < n; i++) {
        const struct saltkey_phoenix_column *c = &key->columns[i];
        int rc = saltkey__phoenix_append(c, &values[i], i + 1 == n, out);

        if (rc < 0 && rc != SALTKEY_ENULL)
            return saltkey__fail(err, rc, i + 1, "%s", why(rc, c));
        if (rc == SALTKEY_ENULL && !null_at)
            null_at = i + 1;
    }
    for (; i < key->n_columns && !null_at; i++)
        if (key->columns[i].not_null)
            null_at = i + 1;
    if (null_at)
        return saltkey__fail(err, SALTKEY_ENULL, null_at, "%s", why(SALTKEY_ENULL, &key->columns[null_at - 1]));
    return 0;
}

uint8_t saltkey__phoenix_bucket(const struct saltkey_phoenix *key, struct saltkey_slice natural)
{
    struct saltkey_mod mod;

    if (saltkey_mod_init(&mod, SALTKEY_ABS, key->buckets) < 0)
        return 0;
    return (uint8_t)saltkey_mod_bucket(&mod, saltkey_hash31(natural.bytes, natural.len));
}

int saltkey_phoenix_row(const struct saltkey_phoenix *key, const struct saltkey_value *values,
                        struct saltkey_buf *row, struct saltkey_error *err)
{
    struct saltkey_buf made = {row->bytes, row->cap, key->buckets > 0};
    uint32_t n = key->n_columns;
    int rc;

    if (row->cap < made.len)
        return saltkey__fail(err, SALTKEY_ESPACE, 0, "no room for the salt");
    while (n > 0 && is_null(&values[n - 1]))
        n--;
    if (n == 0 && key->buckets == 0) /* a salted table stores the salt byte alone */
        return saltkey__fail(err, SALTKEY_ENULL, 1, "all columns are null (Phoenix error 218)");
    rc = append_columns(key, values, n, &made, err);
    if (rc == 0 && key->buckets > 0)
        row->bytes[0] = saltkey__phoenix_bucket(key, saltkey__slice(row->bytes + 1, made.len - 1));
    if (rc == 0)
        row->len = made.len;
    return rc;
}

/* Bytes of the shortest row: a variable column counts its separator, save where it stands alone. */
static size_t shortest_row(const struct saltkey_phoenix *key)
{
    size_t n = 0;
    uint32_t i;

    for (i = 0; i < key->n_columns; i++)
        n += key->columns[i].width ? key->columns[i].width : key->n_columns > 1;
    return n + (key->buckets > 0);
}

int saltkey_phoenix_pad(const struct saltkey_phoenix *key, struct saltkey_keys *points,
                        struct saltkey_error *err)
{
    size_t shortest = shortest_row(key), i;
    struct saltkey_keys made;
    int rc = 0;

    saltkey_keys_init(&made, points->allocator);
    for (i = 0; rc == 0 && i < points->count; i++) {
        size_t len = points->at[i].len > shortest ? points->at[i].len : shortest;
        uint8_t *room = saltkey__keys_room(&made, len);

        if (!room) {
            rc = SALTKEY_ENOMEM;
            break;
        }
        memcpy(room, points->at[i].bytes, points->at[i].len);
        memset(room + points->at[i].len, 0, len - points->at[i].len);
        rc = saltkey__keys_take(&made, len);
    }
    if (rc == 0)
        rc = saltkey_keys_finish(&made, err);
    else
        saltkey__fail(err, rc, 0, "%s", saltkey_status_text(rc));
    if (rc < 0) {
        saltkey_keys_free(&made);
        return rc;
    }
    saltkey_keys_free(points);
    *points = made;
    return 0;
}

int saltkey_phoenix_splits(const struct saltkey_phoenix *key, struct saltkey_keys *keys,
                           struct saltkey_error *err)
{
    struct saltkey_salt salt;
    int rc;

    keys->count = keys->store_len = 0;
    if (key->buckets == 0)
        return 0;
    rc = saltkey_salt_parse("phoenix", key->buckets, &salt, err);
    if (rc == 0)
        rc = saltkey_split_buckets(&salt, 1, keys, err);
    if (rc == 0)
        rc = saltkey_phoenix_pad(key, keys, err);
    if (rc < 0)
        keys->count = keys->store_len = 0; /* not some points, not unpadded ones */
    return rc;
}
