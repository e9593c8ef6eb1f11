/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phoenix's keys against what Phoenix 5.2.1 itself made of the same schemas and values, and what a
   stored row may not look like. */
#include "harness.h"

#include "phoenix_value.h"

static void load(const char *name, struct tsv *t)
{
    const char *srcdir = getenv("srcdir");
    char path[4096];

    snprintf(path, sizeof(path), "%s/tests/data/saltkey/%s", srcdir ? srcdir : ".", name);
    if (tsv_load(path, t) < 0 || t->rows == 0)
        fail_msg("%s can't be read", path);
}

/* Phoenix creates the table, or its error's number is in our reason. */
static void test_schemas(void **state)
{
    struct saltkey_phoenix key;
    struct tsv t;
    size_t i;

    (void)state;
    load("phoenix-schemas.tsv", &t);
    for (i = 0; i < t.rows; i++) {
        const char *schema = tsv_cell(&t, i, "schema"), *error = tsv_cell(&t, i, "error");
        bool created = tsv_is(&t, i, "phoenix", "created") && tsv_is(&t, i, "ours", "-");
        struct saltkey_error err = {0, 0, ""};
        char number[32];
        int rc = saltkey_phoenix_parse(schema, (uint32_t)tsv_int(&t, i, "salt_buckets"), &key, &err);

        if ((rc == 0) != created)
            fail_msg("%s: Phoenix %s, ours %d %s", schema, tsv_cell(&t, i, "phoenix"), rc, err.reason);
        snprintf(number, sizeof(number), "error %s)", error);
        /* 201 and 6xx: words that aren't SQL */
        if (error[0] != '-' && strtol(error, NULL, 10) > 201 && error[0] != '6' && !strstr(err.reason, number))
            fail_msg("%s: Phoenix error %s, ours says %s", schema, error, err.reason);
        if (strcmp(error, "0") == 0 && !strstr(err.reason, "must be NOT NULL"))
            fail_msg("%s: ours says %s", schema, err.reason);
    }
    tsv_free(&t);
}

static bool rebuilds(const struct saltkey_phoenix *key, struct saltkey_slice row, struct saltkey_error *err)
{
    struct saltkey_value v[SALTKEY_FIELDS_MAX];
    uint8_t *room = malloc(row.len * 128 + 192), again[1024];
    struct saltkey_buf scratch = {room, row.len * 128 + 192, 0}, out = {again, sizeof(again), 0};
    int rc;
    bool same;

    assert_non_null(room);
    rc = saltkey_phoenix_row_read(key, row, v, &scratch, err);
    same = rc >= 0 && saltkey_phoenix_row(key, v, &out, err) == 0 && out.len == row.len &&
           memcmp(out.bytes + (key->buckets > 0), row.bytes + (key->buckets > 0), row.len - (key->buckets > 0)) == 0;
    same = same && (rc == 0) == (key->buckets == 0 || out.bytes[0] == row.bytes[0]);
    free(room);
    return same;
}

static void check_row(const struct tsv *t, size_t i)
{
    const char *schema = tsv_cell(t, i, "schema"), *want = tsv_cell(t, i, "rowkey_hex");
    uint8_t bytes[SALTKEY_FIELDS_MAX][256];
    struct saltkey_value v[SALTKEY_FIELDS_MAX];
    struct saltkey_error err = {0, 0, ""};
    struct saltkey_phoenix key;
    char values[1024];
    size_t n;
    int rc;
    BUF(row, 512);

    assert_int_equal(saltkey_phoenix_parse(schema, (uint32_t)tsv_int(t, i, "salt_buckets"), &key, NULL), 0);
    snprintf(values, sizeof(values), "%s", tsv_cell(t, i, "values"));
    n = phoenix_values(values, v, bytes);
    assert_int_equal(n, key.n_columns);
    rc = saltkey_phoenix_row(&key, v, &row, &err);
    if (strncmp(tsv_cell(t, i, "ours"), "refused", 7) == 0) {
        if (rc != SALTKEY_ERANGE && rc != SALTKEY_EDELIMITER && rc != SALTKEY_EUNSUPPORTED)
            fail_msg("%s %s: not refused (%d)", schema, tsv_cell(t, i, "values"), rc);
    } else if (strcmp(want, "error-number") == 0) {
        assert_int_equal(rc, SALTKEY_ERANGE);
    } else if (strncmp(want, "error-", 6) == 0) {
        if (phoenix_sql_code(rc, &key, err.column) != strtol(want + 6, NULL, 10) && !strstr(err.reason, want + 6))
            fail_msg("%s %s: Phoenix %s, ours %d %s", schema, tsv_cell(t, i, "values"), want, rc, err.reason);
    } else if (rc < 0 || !tsv_equal(want, used(&row))) {
        fail_msg("%s %s: Phoenix %s, ours %d, %lu bytes", schema, tsv_cell(t, i, "values"), want, rc,
                 (unsigned long)row.len);
    } else if (!rebuilds(&key, used(&row), &err)) {
        fail_msg("%s %s: %s isn't read back: %s", schema, tsv_cell(t, i, "values"), want, err.reason);
    }
}

static void test_rows(void **state)
{
    struct tsv t;
    size_t i;

    (void)state;
    load("phoenix-rows.tsv", &t);
    for (i = 0; i < t.rows; i++)
        check_row(&t, i);
    tsv_free(&t);
}

/* Rows that Phoenix doesn't write, and the byte that shows it. */
static void test_not_rows(void **state)
{
    static const struct {
        const char *schema, *row;
        uint32_t buckets;
        size_t byte;
    } cases[] = {
        {"VARCHAR DESC, VARCHAR DESC", "ffff", 0, 1}, {"VARCHAR DESC, VARCHAR DESC", "9effff", 0, 3},
        {"CHAR(2)!", "61c3", 0, 1},                   {"CHAR(2)!, CHAR(2)!", "6161c361", 0, 3},
        {"VARCHAR, VARCHAR", "-", 0, 1},              {"VARCHAR, VARCHAR", "6100", 0, 2},
        {"VARCHAR, VARCHAR", "00", 0, 1},             {"DECIMAL!", "c101013e", 0, 1},
        {"DECIMAL!", "b001", 0, 1},                   {"DECIMAL!", "c1020a01", 0, 4},
        {"DECIMAL!", "3e64", 0, 1},                   {"DECIMAL(10,2)!", "c1021802", 0, 4},
        {"BIGINT!, VARCHAR", "8000000000", 0, 6},     {"BIGINT!", "800000000000000501", 0, 9},
        {"BOOLEAN!", "02", 0, 1},                     {"TIMESTAMP!", "8000000000000005000f4240", 0, 1},
        {"UNSIGNED_INT!", "80000000", 0, 1},          {"VARCHAR!, BIGINT!", "008000000000000005", 0, 1},
        {"VARCHAR!, BIGINT!", "6162", 0, 3},          {"VARCHAR(2)!", "616263", 0, 1},
        {"BIGINT!", "048000000000000005", 4, 1},      {"DOUBLE!", "fff8000000000002", 0, 8},
        {"BIGINT!, VARCHAR DESC", "80000000000000059e", 0, 10},
        {"UNSIGNED_DOUBLE!", "bff8000000000000", 0, 1},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t bytes[64], room[8192];
        struct saltkey_buf scratch = {room, sizeof(room), 77};
        struct saltkey_slice row = tsv_hex(cases[i].row, bytes, sizeof(bytes));
        struct saltkey_value v[SALTKEY_FIELDS_MAX];
        struct saltkey_error err = {0, 0, ""};
        struct saltkey_phoenix key;
        int rc;

        assert_int_equal(saltkey_phoenix_parse(cases[i].schema, cases[i].buckets, &key, NULL), 0);
        rc = saltkey_phoenix_row_read(&key, row, v, &scratch, &err);
        if (rc != SALTKEY_EKEY || err.column != cases[i].byte)
            fail_msg("%s %s: %d, byte %lu: %s", cases[i].schema, cases[i].row, rc, (unsigned long)err.column, err.reason);
        assert_int_equal(scratch.len, 77);
        assert_int_equal(saltkey_phoenix_row_parse(&key, row, v, &scratch, NULL), SALTKEY_EKEY);
    }
}

/* Whatever is read encodes back to the same bytes. */
static void test_damaged_rows(void **state)
{
    struct seeded r = {6};
    size_t i, k, taken = 0;
    struct tsv t;

    (void)state;
    load("phoenix-rows.tsv", &t);
    for (i = 0; i < t.rows; i++) {
        struct saltkey_phoenix key;
        uint8_t bytes[256];
        struct saltkey_slice row;

        if (strncmp(tsv_cell(&t, i, "rowkey_hex"), "error", 5) == 0)
            continue;
        assert_int_equal(saltkey_phoenix_parse(tsv_cell(&t, i, "schema"), (uint32_t)tsv_int(&t, i, "salt_buckets"),
                                               &key, NULL), 0);
        for (k = 0; k < 60; k++) {
            static const uint8_t likely[] = {0, 1, 2, 0x66, 0x80, 0xff, 0x9e, 0x20};
            struct saltkey_value v[SALTKEY_FIELDS_MAX];
            uint8_t room[65536];
            struct saltkey_buf scratch = {room, sizeof(room), 0};
            size_t at;

            row = tsv_hex(tsv_cell(&t, i, "rowkey_hex"), bytes, sizeof(bytes));
            at = (size_t)seeded_below(&r, row.len);
            if (k % 3 == 0)
                row.len -= seeded_below(&r, row.len);
            else if (k % 3 == 1)
                bytes[row.len++] = likely[seeded_below(&r, 8)];
            if (k % 3 != 1 || k & 1)
                bytes[at] = seeded_below(&r, 2) ? likely[seeded_below(&r, 8)] : (uint8_t)seeded_next(&r);
            if (saltkey_phoenix_row_read(&key, row, v, &scratch, NULL) < 0)
                continue;
            taken++;
            if (!rebuilds(&key, row, NULL))
                fail_msg("%s, row %lu, case %lu", tsv_cell(&t, i, "schema"), (unsigned long)i + 1, (unsigned long)k);
        }
    }
    assert_true(taken > 1000);
    tsv_free(&t);
}

struct counted {
    size_t calls, fail_at;
};

static void *counted_resize(void *context, void *old, size_t size)
{
    struct counted *c = context;

    if (size && c->fail_at && ++c->calls == c->fail_at)
        return NULL;
    if (size)
        return realloc(old, size);
    free(old);
    return NULL;
}

/* Without memory there are no points, not the unpadded ones. */
static void test_splits_without_memory(void **state)
{
    struct saltkey_phoenix key;
    size_t n;

    (void)state;
    assert_int_equal(saltkey_phoenix_parse("BIGINT!, CHAR(20)!", 256, &key, NULL), 0);
    for (n = 1; n < 200; n++) {
        struct counted c = {0, n};
        struct saltkey_allocator a = {counted_resize, &c};
        struct saltkey_keys keys;
        int rc;

        saltkey_keys_init(&keys, &a);
        rc = saltkey_phoenix_splits(&key, &keys, NULL);
        if (rc < 0)
            assert_int_equal(keys.count, 0);
        else
            assert_int_equal(keys.count, 255);
        saltkey_keys_free(&keys);
        if (rc == 0)
            break;
        assert_int_equal(rc, SALTKEY_ENOMEM);
    }
    assert_in_range(n, 8, 199);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schemas),      cmocka_unit_test(test_rows),
        cmocka_unit_test(test_not_rows),     cmocka_unit_test(test_damaged_rows),
        cmocka_unit_test(test_splits_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
