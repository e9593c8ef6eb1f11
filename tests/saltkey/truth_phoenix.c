/* SPDX-License-Identifier: GPL-3.0-or-later */
/* truth_phoenix [DIR]: rows and region boundaries as Phoenix 5.2.1 stored them, against the library.
   A line a case: what, how many Phoenix has, how many of them are ours, the verdict. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phoenix_value.h"

static const char *const schemas[][2] = {
    {"a1", "CHAR(2)!, DATE!"}, {"a2", "VARCHAR!, DATE!"}, {"a3", "CHAR(2)!, TIMESTAMP!"},
    {"a4", "VARCHAR!, BIGINT!"}, {"a5", "DATE!, VARCHAR!"}, {"a6", "BIGINT!, INTEGER!"},
    {"a7", "VARCHAR!, TIMESTAMP!"}, {"b1", "BIGINT!"}, {"c1", "INTEGER!"}, {"c2", "SMALLINT!, TINYINT!"},
    {"d1", "VARCHAR, VARCHAR"}, {"d2", "VARCHAR, VARCHAR, VARCHAR"}, {"d3", "VARCHAR, BIGINT!, VARCHAR"},
    {"d4", "VARCHAR!"}, {"d5", "CHAR(8)!, VARCHAR"}, {"e1", "VARCHAR! DESC"}, {"e2", "BIGINT! DESC"},
    {"e3", "VARCHAR!, DATE! DESC"}, {"e4", "VARCHAR, VARCHAR DESC"}, {"e5", "VARCHAR DESC, VARCHAR"},
    {"e6", "VARCHAR DESC, VARCHAR DESC"}, {"e7", "VARCHAR! DESC, BIGINT! DESC"},
    {"e8", "INTEGER! DESC, TIMESTAMP! DESC"}, {"e9", "DECIMAL! DESC, VARCHAR"}, {"f1", "UNSIGNED_LONG!"},
    {"f2", "UNSIGNED_INT!, UNSIGNED_DATE!"}, {"f3", "DECIMAL!"}, {"f4", "DECIMAL!, INTEGER!"},
    {"f5", "BOOLEAN!, BIGINT!"}, {"f6", "BINARY(8)!"}, {"f7", "VARCHAR!, VARBINARY"},
    {"f8", "FLOAT!, DOUBLE!"}, {"f9", "TIME!, CHAR(8)!"}, {"f10", "VARBINARY"},
    {"f11", "BINARY(8)!, DATE! DESC"}, {"g1", "VARCHAR!, DATE! ROW_TIMESTAMP"},
    {"g2", "CHAR(2)!, BIGINT! ROW_TIMESTAMP"},
};
#define N_SCHEMAS (sizeof(schemas) / sizeof(schemas[0]))

static int bad;

static void say(const char *file, const char *what, size_t real, size_t ours)
{
    bool right = real == ours && real > 0;

    printf("phoenix %-22s %-34s real %5lu ours %5lu %s\n", file, what, (unsigned long)real,
           (unsigned long)ours, right ? "ok" : "DIFFERS");
    bad += !right;
}

static struct saltkey_slice used(struct saltkey_buf b)
{
    return (struct saltkey_slice){b.bytes, b.len};
}

/* A stored row read and built again is the same row, with the right salt. */
static bool rebuilds(const struct saltkey_phoenix *key, struct saltkey_slice row)
{
    struct saltkey_value v[SALTKEY_FIELDS_MAX];
    uint8_t room[65536], again[1024];
    struct saltkey_buf scratch = {room, sizeof(room), 0}, out = {again, sizeof(again), 0};
    bool right = false;

    return saltkey_phoenix_row_parse(key, row, v, &scratch, &right) == 0 && right &&
           saltkey_phoenix_row(key, v, &out, NULL) == 0 && saltkey_compare(used(out), row) == 0;
}

static bool key_as(const struct tsv *t, size_t row, const char *columns)
{
    const char *status = tsv_cell(t, row, "status");
    struct saltkey_phoenix key;
    struct saltkey_value v[SALTKEY_FIELDS_MAX];
    uint8_t bytes[SALTKEY_FIELDS_MAX][256], row_bytes[1024];
    struct saltkey_buf out = {row_bytes, sizeof(row_bytes), 0};
    struct saltkey_error err = {0, 0, ""};
    char values[1024];
    size_t n;
    int rc;

    snprintf(values, sizeof(values), "%s", tsv_cell(t, row, "values"));
    n = phoenix_values(values, v, bytes);
    if (saltkey_phoenix_parse(columns, (uint32_t)tsv_int(t, row, "salt_buckets"), &key, NULL) < 0 ||
        key.n_columns != n)
        return false;
    rc = saltkey_phoenix_row(&key, v, &out, &err);
    if (strncmp(status, "error-", 6) == 0)
        return phoenix_sql_code(rc, &key, err.column) == strtol(status + 6, NULL, 10);
    if (strcmp(status, "overwritten") == 0)
        return rc == 0 && rebuilds(&key, used(out));
    return rc == 0 && tsv_equal(tsv_cell(t, row, "rowkey_hex"), used(out)) && rebuilds(&key, used(out));
}

static void check_keys(const struct tsv *t)
{
    size_t s, i, known = 0;

    for (s = 0; s < N_SCHEMAS; s++) {
        size_t real = 0, ours = 0;

        for (i = 0; i < t->rows; i++)
            if (tsv_is(t, i, "schema", schemas[s][0])) {
                real++;
                ours += key_as(t, i, schemas[s][1]);
            }
        known += real;
        if (real)
            say("keys", schemas[s][1], real, ours);
    }
    say("keys", "rows of known schemas", t->rows, known);
}

static void check_min_value(const struct tsv *t)
{
    size_t i, ours = 0;

    for (i = 0; i < t->rows; i++) {
        uint8_t bytes[256], row_bytes[256];
        struct saltkey_slice in = tsv_hex(tsv_cell(t, i, "natural_key_hex"), bytes, sizeof(bytes));
        struct saltkey_value v = saltkey_bytes(in.bytes, in.len);
        struct saltkey_buf out = {row_bytes, sizeof(row_bytes), 0};
        struct saltkey_phoenix key;

        ours += saltkey_phoenix_parse("VARBINARY!", (uint32_t)tsv_int(t, i, "salt_buckets"), &key, NULL) == 0 &&
                saltkey_phoenix_row(&key, &v, &out, NULL) == 0 &&
                tsv_equal(tsv_cell(t, i, "rowkey_hex"), used(out)) &&
                out.bytes[0] == tsv_int(t, i, "salt_byte");
    }
    say("min-value-hash", "VARBINARY!", t->rows, ours);
}

/* Data rows and global indexes; a local index's rows lie under another row key's region. */
static void check_index(const struct tsv *t)
{
    static const struct {
        const char *table, *columns;
        uint32_t buckets;
    } tables[] = {{"VG4", "BIGINT!", 4}, {"VG4G", "DECIMAL, BIGINT!", 4}, {"VG4Z", "DECIMAL, BIGINT!", 0},
                  {"VG4E", "VARCHAR, DECIMAL, BIGINT!", 3}};
    size_t k, i;

    for (k = 0; k < sizeof(tables) / sizeof(tables[0]); k++) {
        size_t real = 0, ours = 0;
        struct saltkey_phoenix key;

        if (saltkey_phoenix_parse(tables[k].columns, tables[k].buckets, &key, NULL) < 0)
            return;
        for (i = 0; i < t->rows; i++) {
            uint8_t bytes[256];

            if (!tsv_is(t, i, "table", tables[k].table) || tsv_is(t, i, "family", "L#0"))
                continue;
            real++;
            ours += rebuilds(&key, tsv_hex(tsv_cell(t, i, "rowkey_hex"), bytes, sizeof(bytes)));
        }
        if (real)
            say("index-keys", tables[k].table, real, ours);
    }
}

/* "k CHAR(15), b VARCHAR nullable, d BIGINT": names and "nullable" are left out. */
static void columns_of(const char *pk, char *out, size_t cap)
{
    size_t len = 0;

    while (*pk) {
        const char *end = strchr(pk, ',');
        size_t n = end ? (size_t)(end - pk) : strlen(pk);
        char column[64], *blank, *nullable;

        snprintf(column, sizeof(column), "%.*s", (int)n, pk);
        nullable = strstr(column, " nullable");
        if (nullable)
            *nullable = '\0';
        blank = strchr(column, ' ');
        len += (size_t)snprintf(out + len, cap - len, "%s%s%s", len ? ", " : "", blank ? blank + 1 : column,
                                nullable ? "" : "!");
        pk = end ? end + 2 : pk + n;
    }
}

/* Region |index| of the table that the points make begins and ends as recorded. */
static bool region_as(const struct tsv *t, size_t row, const struct saltkey_keys *points)
{
    size_t index = (size_t)tsv_int(t, row, "region_index");
    struct saltkey_slice empty = {NULL, 0};

    return index <= points->count &&
           tsv_equal(tsv_cell(t, row, "start_key_hex"), index ? points->at[index - 1] : empty) &&
           tsv_equal(tsv_cell(t, row, "end_key_hex"), index < points->count ? points->at[index] : empty);
}

static void check_boundaries(const struct tsv *t)
{
    size_t i = 0;

    while (i < t->rows) {
        const char *pk = tsv_cell(t, i, "pk"), *n = tsv_cell(t, i, "salt_buckets");
        size_t real = 0, ours = 0;
        struct saltkey_phoenix key;
        struct saltkey_keys points;
        char columns[256], what[300];

        columns_of(pk, columns, sizeof(columns));
        snprintf(what, sizeof(what), "%s, N = %s", columns, n);
        saltkey_keys_init(&points, NULL);
        if (saltkey_phoenix_parse(columns, (uint32_t)strtoul(n, NULL, 10), &key, NULL) == 0)
            (void)saltkey_phoenix_splits(&key, &points, NULL);
        for (; i < t->rows && tsv_is(t, i, "pk", pk) && tsv_is(t, i, "salt_buckets", n); i++) {
            real++;
            ours += region_as(t, i, &points);
        }
        say("boundaries", what, real, real == points.count + 1 ? ours : 0);
        saltkey_keys_free(&points);
    }
}

/* Points of SPLIT ON in escape notation (a BIGINT key's literals are INTEGERs), or NULL for buckets;
   a view index has its buckets' bare bytes. */
static const struct {
    const char *table, *columns, *split_on;
    uint32_t buckets;
    bool bare;
} split_tables[] = {
    {"S1", "VARCHAR", "a,m", 4, false},
    {"S2", "VARCHAR", "\\x01,\\x01m,\\x02,\\x02m,\\x03,\\x03m", 4, false},
    {"S3", "VARCHAR", "a,m", 0, false},
    {"S4", "BIGINT", "\\x80\\x00\\x00d,\\x80\\x00\\x00\\xC8", 0, false},
    {"G4", "BIGINT", NULL, 4, false},
    {"G4_W", "DECIMAL, BIGINT!", NULL, 4, false},
    {"G4_W0", "DECIMAL, BIGINT!", NULL, 0, false},
    {"G4_V", "VARCHAR, BIGINT!", NULL, 4, false},
    {"G0_W", "DECIMAL, BIGINT!", NULL, 0, false},
    {"G0_W4", "DECIMAL, BIGINT!", NULL, 4, false},
    {"_IDX_G4", "SMALLINT!, DECIMAL, BIGINT!", NULL, 4, true},
};

static void check_split_on(const struct tsv *t)
{
    size_t k, i;

    for (k = 0; k < sizeof(split_tables) / sizeof(split_tables[0]); k++) {
        size_t real = 0, ours = 0;
        struct saltkey_phoenix key;
        struct saltkey_salt salt;
        struct saltkey_keys points;
        int rc = saltkey_phoenix_parse(split_tables[k].columns, split_tables[k].buckets, &key, NULL);

        saltkey_keys_init(&points, NULL);
        if (rc == 0 && split_tables[k].split_on) {
            rc = saltkey_split_list(split_tables[k].split_on, &points, NULL);
            if (rc == 0)
                rc = saltkey_phoenix_pad(&key, &points, NULL);
        } else if (rc == 0 && split_tables[k].bare) {
            rc = saltkey_salt_parse("phoenix", key.buckets, &salt, NULL);
            if (rc == 0)
                rc = saltkey_split_buckets(&salt, 1, &points, NULL);
        } else if (rc == 0) {
            rc = saltkey_phoenix_splits(&key, &points, NULL);
        }
        for (i = 0; i < t->rows; i++)
            if (tsv_is(t, i, "case", split_tables[k].table)) {
                real++;
                ours += rc == 0 && region_as(t, i, &points);
            }
        if (real)
            say("split-on-and-index", split_tables[k].table, real, ours);
        saltkey_keys_free(&points);
    }
}

static void check_file(const char *dir, const char *name, void (*check)(const struct tsv *))
{
    char path[4096];
    struct tsv t;

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    if (tsv_load(path, &t) < 0 || t.rows == 0) {
        printf("phoenix %s: can't be read, or is empty\n", name);
        bad++;
    } else {
        check(&t);
    }
    tsv_free(&t);
}

int main(int argc, char **argv)
{
    const char *srcdir = getenv("srcdir");
    char dir[2048];

    snprintf(dir, sizeof(dir), "%s%s", argc > 1 ? argv[1] : srcdir ? srcdir : ".",
             argc > 1 ? "" : "/tests/data/truth");
    check_file(dir, "phoenix-rowkeys/keys.tsv", check_keys);
    check_file(dir, "phoenix-rowkeys/min-value-hash.tsv", check_min_value);
    check_file(dir, "phoenix-rowkeys/index-keys.tsv", check_index);
    check_file(dir, "phoenix-regions/boundaries.tsv", check_boundaries);
    check_file(dir, "phoenix-regions/split-on-and-index.tsv", check_split_on);
    return bad ? 1 : 0;
}
