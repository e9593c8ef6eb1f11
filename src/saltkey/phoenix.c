/* SPDX-License-Identifier: Apache-2.0 */
/* Phoenix's row key of a typed primary key, as Phoenix 5.2.1 stores it: each column's bytes sort as
   its values; variable columns end with \x00; DESC inverts. The salt is over all that follows it. */
#include "internal.h"
#include "phoenix.h"

#define SIGN_BIT (UINT64_C(1) << 63)

static const struct {
    const char *name;
    uint32_t width; /* 0: varies, or the argument says */
    bool argument;
} types[] = {
    [SALTKEY_PHOENIX_VARCHAR] = {"VARCHAR", 0, false},
    [SALTKEY_PHOENIX_CHAR] = {"CHAR", 0, true},
    [SALTKEY_PHOENIX_VARBINARY] = {"VARBINARY", 0, false},
    [SALTKEY_PHOENIX_BINARY] = {"BINARY", 0, true},
    [SALTKEY_PHOENIX_DECIMAL] = {"DECIMAL", 0, false},
    [SALTKEY_PHOENIX_BIGINT] = {"BIGINT", 8, false},
    [SALTKEY_PHOENIX_INTEGER] = {"INTEGER", 4, false},
    [SALTKEY_PHOENIX_SMALLINT] = {"SMALLINT", 2, false},
    [SALTKEY_PHOENIX_TINYINT] = {"TINYINT", 1, false},
    [SALTKEY_PHOENIX_UNSIGNED_LONG] = {"UNSIGNED_LONG", 8, false},
    [SALTKEY_PHOENIX_UNSIGNED_INT] = {"UNSIGNED_INT", 4, false},
    [SALTKEY_PHOENIX_UNSIGNED_DATE] = {"UNSIGNED_DATE", 8, false},
    [SALTKEY_PHOENIX_DATE] = {"DATE", 8, false},
    [SALTKEY_PHOENIX_TIME] = {"TIME", 8, false},
    [SALTKEY_PHOENIX_TIMESTAMP] = {"TIMESTAMP", 12, false},
    [SALTKEY_PHOENIX_BOOLEAN] = {"BOOLEAN", 1, false},
    [SALTKEY_PHOENIX_FLOAT] = {"FLOAT", 4, false},
    [SALTKEY_PHOENIX_DOUBLE] = {"DOUBLE", 8, false},
};

#define N_TYPES (sizeof(types) / sizeof(types[0]))

/* A type's word, its width in brackets, `!`. */
static int read_type(const struct saltkey_scan *scan, struct saltkey_slice word,
                     struct saltkey_phoenix_column *c, struct saltkey_error *err)
{
    size_t column = saltkey__column(scan, word), i;
    const uint8_t *open;
    uint64_t width = 0;

    if (word.len && word.bytes[word.len - 1] == '!') {
        c->not_null = true;
        word.len--;
    }
    open = word.len ? memchr(word.bytes, '(', word.len) : NULL;
    if (open && word.bytes[word.len - 1] == ')') {
        struct saltkey_slice arg = {open + 1, (size_t)(word.bytes + word.len - open) - 2};

        if (!saltkey__number(arg, 32767, &width) || width == 0)
            return saltkey__fail(err, SALTKEY_ETEXT, column, "a width is a number from 1 to 32767");
        word.len = (size_t)(open - word.bytes);
    }
    for (i = 0; i < N_TYPES; i++)
        if (saltkey__is(word, types[i].name)) {
            if (types[i].argument != (width > 0))
                return saltkey__fail(err, SALTKEY_ETEXT, column, "%s %s a width", types[i].name,
                                     width ? "takes no" : "needs");
            c->type = (enum saltkey_phoenix_type)i;
            c->width = width ? (uint32_t)width : types[i].width;
            return 0;
        }
    return saltkey__fail(err, SALTKEY_ETEXT, column, "unknown Phoenix type '%.*s'", (int)word.len,
                         (const char *)word.bytes);
}

/* One column's text between commas: TYPE[(n)][!] [DESC] [ROW_TIMESTAMP]. */
static int read_column(struct saltkey_scan *scan, struct saltkey_phoenix_column *c, struct saltkey_error *err)
{
    struct saltkey_slice word = saltkey__word(scan);
    bool last = false;
    int rc;

    memset(c, 0, sizeof(*c));
    if (word.len && word.bytes[word.len - 1] == ',') {
        word.len--;
        last = true;
    }
    rc = read_type(scan, word, c, err);
    while (rc == 0 && !last) {
        word = saltkey__word(scan);
        if (word.len && word.bytes[word.len - 1] == ',') {
            word.len--;
            last = true;
        }
        if (word.len == 0)
            break;
        if (saltkey__is(word, "DESC"))
            c->desc = true;
        else if (saltkey__is(word, "ROW_TIMESTAMP"))
            c->row_timestamp = true;
        else
            rc = saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word), "unexpected '%.*s'",
                               (int)word.len, (const char *)word.bytes);
    }
    return rc;
}

int saltkey_phoenix_parse(const char *text, uint32_t buckets, struct saltkey_phoenix *key,
                          struct saltkey_error *err)
{
    struct saltkey_scan scan = {text, text};
    struct saltkey_phoenix made;
    int rc;

    memset(&made, 0, sizeof(made));
    made.buckets = buckets;
    if (buckets > 256)
        return saltkey__fail(err, SALTKEY_EBUCKETS, 0,
                             "SALT_BUCKETS is 0 (no salt) to 256 (Phoenix error 1021)");
    do {
        struct saltkey_phoenix_column *c = &made.columns[made.n_columns];

        if (made.n_columns == SALTKEY_FIELDS_MAX)
            return saltkey__fail(err, SALTKEY_ETEXT, (size_t)(scan.at - text) + 1, "more than %d columns",
                                 SALTKEY_FIELDS_MAX);
        rc = read_column(&scan, c, err);
        if (rc < 0)
            return rc;
        if (made.n_columns && made.columns[made.n_columns - 1].type == SALTKEY_PHOENIX_VARBINARY)
            return saltkey__fail(err, SALTKEY_ETEXT, (size_t)(scan.at - text) + 1,
                                 "VARBINARY must be the last column");
        made.n_columns++;
        while (*scan.at == ' ' || *scan.at == '\t')
            scan.at++;
    } while (*scan.at);
    if (made.n_columns == 1) /* PRIMARY KEY on one column means NOT NULL */
        made.columns[0].not_null = true;
    *key = made;
    return 0;
}

/* IEEE bits to bytes that sort: Phoenix adds 1 so that no value is all zeros. */
static uint64_t ordered_bits(uint64_t bits, uint32_t width)
{
    uint64_t sign = UINT64_C(1) << (8 * width - 1);

    return (bits & sign ? ~bits : bits ^ sign) + 1;
}

static int real_bits(const struct saltkey_value *v, uint32_t width, uint64_t *out)
{
    uint32_t bits32;
    double real;
    float narrow;

    if (v->kind != SALTKEY_VALUE_REAL)
        return SALTKEY_EKIND;
    if (width == 8) {
        *out = ordered_bits(v->number, 8);
        return 0;
    }
    memcpy(&real, &v->number, sizeof(real));
    narrow = (float)real;
    memcpy(&bits32, &narrow, sizeof(bits32));
    *out = ordered_bits(bits32, 4) & 0xffffffffU;
    return 0;
}

static int number_of(const struct saltkey_phoenix_column *c, const struct saltkey_value *v, uint64_t *n)
{
    uint32_t bits = 8 * c->width;

    switch (c->type) {
    case SALTKEY_PHOENIX_FLOAT: case SALTKEY_PHOENIX_DOUBLE:
        return real_bits(v, c->width, n);
    case SALTKEY_PHOENIX_UNSIGNED_INT: case SALTKEY_PHOENIX_UNSIGNED_LONG: case SALTKEY_PHOENIX_UNSIGNED_DATE:
        return saltkey__unsigned(v, bits - 1, n);
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
    if (rc == 0 && c->row_timestamp && !(n & SIGN_BIT) && c->type != SALTKEY_PHOENIX_UNSIGNED_LONG &&
        c->type != SALTKEY_PHOENIX_UNSIGNED_DATE)
        rc = SALTKEY_ENEGATIVE;
    if (rc < 0)
        return rc;
    if (c->type == SALTKEY_PHOENIX_TIMESTAMP) {
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

/* A variable column that isn't null, without its separator. */
static int put_variable(const struct saltkey_phoenix_column *c, const struct saltkey_value *v, bool ends,
                        struct saltkey_buf *out)
{
    if (v->kind != SALTKEY_VALUE_BYTES)
        return SALTKEY_EKIND;
    if (c->type == SALTKEY_PHOENIX_DECIMAL)
        return saltkey__decimal_append(v->bytes, out);
    if (ends && memchr(v->bytes.bytes, 0, v->bytes.len))
        return SALTKEY_EDELIMITER;
    if (out->cap - out->len < v->bytes.len)
        return SALTKEY_ESPACE;
    memcpy(out->bytes + out->len, v->bytes.bytes, v->bytes.len);
    out->len += v->bytes.len;
    return 0;
}

/* One column; |last|: no later one has a value. Its separator: \xFF after a DESC value, last or not;
   else \x00 unless it is the last; a null in a DESC column takes \x00. */
static int append_column(const struct saltkey_phoenix_column *c, const struct saltkey_value *v, bool last,
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
    if (mark && out->len == out->cap)
        return SALTKEY_ESPACE;
    if (mark)
        out->bytes[out->len++] = c->desc && !null ? 0xff : 0;
    return 0;
}

static const char *why(int status, const struct saltkey_phoenix_column *c)
{
    switch (status) {
    case SALTKEY_ENULL: return "null or empty in a NOT NULL column (Phoenix error 218)";
    case SALTKEY_ETOOLONG: return "value longer than its column (Phoenix error 206)";
    case SALTKEY_ENEGATIVE: return c->row_timestamp ? "negative ROW_TIMESTAMP (Phoenix error 201)"
                                                    : "negative value (Phoenix error 203)";
    case SALTKEY_ERANGE: return c->type == SALTKEY_PHOENIX_CHAR ? "CHAR takes ASCII only (Phoenix error 201)"
                                                                : "number out of range";
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
        int rc = append_column(c, &values[i], i + 1 == n, out);

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

int saltkey_phoenix_row(const struct saltkey_phoenix *key, const struct saltkey_value *values,
                        struct saltkey_buf *row, struct saltkey_error *err)
{
    struct saltkey_buf made = {row->bytes, row->cap, key->buckets > 0};
    struct saltkey_mod mod;
    uint32_t n = key->n_columns;
    int rc;

    if (row->cap < made.len)
        return saltkey__fail(err, SALTKEY_ESPACE, 0, "no room for the salt");
    while (n > 0 && is_null(&values[n - 1]))
        n--;
    if (n == 0 && key->buckets == 0) /* a salted table stores the salt byte alone */
        return saltkey__fail(err, SALTKEY_ENULL, 1, "all columns are null (Phoenix error 218)");
    rc = append_columns(key, values, n, &made, err);
    if (rc == 0 && key->buckets > 0) {
        rc = saltkey_mod_init(&mod, SALTKEY_ABS, key->buckets);
        row->bytes[0] = (uint8_t)saltkey_mod_bucket(&mod, saltkey_hash31(row->bytes + 1, made.len - 1));
    }
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
    return rc < 0 ? rc : saltkey_phoenix_pad(key, keys, err);
}
