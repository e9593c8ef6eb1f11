/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "hbase/rules/compression.h"
#include "hbase/rules/hfile.h"

static void be(uint8_t *out, uint64_t v, int n)
{
    for (int i = n - 1; i >= 0; i--, v >>= 8)
        out[i] = (uint8_t)v;
}

static void test_vint(void **state)
{
    static const uint64_t c[][2] = {{0, 1}, {127, 1}, {128, 2}, {255, 2}, {256, 3}, {65535, 3}, {65536, 4}, {1 << 24, 5}};
    uint64_t sum = 0;

    (void)state;
    for (size_t i = 0; i < sizeof c / sizeof *c; i++)
        assert_int_equal(hfile_vint_bytes(c[i][0]), c[i][1]);
    assert_int_equal(hfile_vint_bytes(UINT64_MAX), 9);
    for (uint64_t v = 100; v < 70000; v++)
        sum += hfile_vint_bytes(v);
    assert_int_equal(hfile_vint_bytes_sum(100, 70000), sum);
    assert_int_equal(hfile_vint_bytes_sum(5, 5), 0);
}

static void test_separator(void **state)
{
    /* left, right, separator: hbase-write-path.md 12.1 */
    static const char *const c[][3] = {
        {"row-0009", "row-0010", "row-001"}, {"user123", "user157", "user13"}, {"00000499", "00000500", "000005"},
        {"a", "c", "b"},                     {"a", "b", "b"},                  {"same", "same", ""},
    };
    uint8_t out[32];

    (void)state;
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        size_t n = hfile_shortest_separator((const uint8_t *)c[i][0], strlen(c[i][0]), (const uint8_t *)c[i][1],
                                            strlen(c[i][1]), out);

        assert_int_equal(n, strlen(c[i][2]));
        assert_memory_equal(out, c[i][2], n);
    }
    assert_int_equal(hfile_shortest_separator((const uint8_t *)"ab", 2, (const uint8_t *)"abc", 3, out), 3);
    assert_memory_equal(out, "ab\0", 3);
}

static void test_bloom(void **state)
{
    /* keys, folded bytes: large-files */
    static const uint64_t c[][2] = {{1, 2},         {54652, 65536}, {54653, 131072}, {27326, 32768},
                                    {27327, 65536}, {109306, 131072}};
    uint32_t hashes = 0;

    (void)state;
    assert_int_equal(hfile_bloom_capacity(131072, 0.01, &hashes), 109306);
    assert_int_equal(hashes, 7);
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        uint64_t m = 109306;

        assert_int_equal(hfile_bloom_folded_bytes(131072, c[i][0], &m), c[i][1]);
        assert_int_equal(m, 109306 / (131072 / c[i][1]));
    }
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(hfile_name_bytes(false, false, 5), 32);
    assert_int_equal(hfile_name_bytes(false, true, 5), 65);
    assert_int_equal(hfile_name_bytes(true, false, 5), 71);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(compression_from_name(compression_name((enum compression)i)), i);
        assert_int_equal(hfile_encoding_from_name(hfile_encoding_name((enum hfile_encoding)i)), i);
    }
    assert_int_equal(compression_from_name("BROTLI"), -1);
}

static void test_default_ratio(void **state)
{
    struct compression_case c = {COMPRESSION_GZ, HFILE_ENCODING_FAST_DIFF, COMPRESSION_SALTED_TIME, 100, false};
    double at_100 = compression_default_ratio(&c), at_20, between;

    (void)state;
    assert_true(at_100 > 0.39 && at_100 < 0.42); /* 44.8 of 111.1 bytes a cell */
    c.value_bytes = 20;
    at_20 = compression_default_ratio(&c);
    c.value_bytes = 5;
    assert_true(compression_default_ratio(&c) >= at_20 && compression_default_ratio(&c) <= at_20);
    c.value_bytes = 45;
    between = compression_default_ratio(&c);
    assert_true(between < at_20 && between > at_100);
    c.random_values = true;
    c.value_bytes = 5000;
    assert_true(compression_default_ratio(&c) > 0.99);
    c.codec = COMPRESSION_NONE;
    assert_true(compression_default_ratio(&c) >= 1 && compression_default_ratio(&c) <= 1);
}

/* Files of the recordings wide-rows and expiry: cells of one row each Put, markers, no cells at all. */
static uint64_t wide_file(uint64_t rows, uint32_t cells_per_row)
{
    struct hfile_options o;
    struct hfile_writer *w;
    struct hfile_layout l = {0};
    uint64_t bytes;

    hfile_options_default(&o);
    w = hfile_writer_new(&o);
    assert_non_null(w);
    for (uint64_t r = 0; r < rows; r++)
        for (uint32_t k = 0; k < cells_per_row; k++) {
            uint8_t row[8], qualifier[4];
            struct hfile_cell c = {.row = row, .row_bytes = 8, .family_bytes = 1, .qualifier = qualifier,
                                   .qualifier_bytes = 4, .value_bytes = 100, .seqid = 4};

            be(row, UINT64_C(1700002800000) + r * 3600000, 8);
            be(qualifier, k, 4);
            assert_int_equal(hfile_writer_append(w, &c), 0);
        }
    assert_int_equal(hfile_writer_finish(w, NULL, &l), 0);
    hfile_writer_del(w);
    bytes = l.file_bytes;
    assert_int_equal(l.rows, rows);
    hfile_layout_free(&l);
    return bytes;
}

static uint64_t marker_file(uint8_t type, uint64_t every)
{
    struct hfile_options o;
    struct hfile_writer *w;
    struct hfile_layout l = {0};
    uint64_t bytes;

    hfile_options_default(&o);
    w = hfile_writer_new(&o);
    assert_non_null(w);
    for (uint64_t i = 0; i < 2000; i++) {
        uint8_t row[12];
        bool marker = i % 10 == 0;
        struct hfile_cell c = {.row = row, .row_bytes = 12, .family_bytes = 1, .qualifier = (const uint8_t *)"v",
                               .qualifier_bytes = marker && type == HFILE_TYPE_DELETE_FAMILY ? 0 : 1,
                               .value_bytes = marker ? 0 : 100, .seqid = 4, .type = marker ? type : 0};

        if (!marker && every > 1)
            continue;
        be(row, UINT64_C(1700000000000) + 10 * i, 8);
        be(row + 8, (((i * UINT64_C(2654435761)) & UINT32_MAX) >> 8) % 1000, 4);
        assert_int_equal(hfile_writer_append(w, &c), 0);
    }
    assert_int_equal(hfile_writer_finish(w, NULL, &l), 0);
    hfile_writer_del(w);
    bytes = l.file_bytes;
    hfile_layout_free(&l);
    return bytes;
}

static uint64_t empty_file(const struct hfile_inputs *inputs)
{
    struct hfile_options o;
    struct hfile_runs in = {0};
    struct hfile_layout l = {0};
    uint64_t bytes;

    hfile_options_default(&o);
    if (inputs)
        in.inputs = *inputs;
    assert_int_equal(hfile_layout_runs(&o, &in, &l), 0);
    bytes = l.file_bytes;
    assert_int_equal(l.data_blocks, 0);
    hfile_layout_free(&l);
    return bytes;
}

static void test_recorded(void **state)
{
    static const uint32_t one[] = {32};
    struct hfile_inputs inputs = {one, 1};

    (void)state;
    assert_int_equal(wide_file(6, 1000), 810062);
    assert_int_equal(wide_file(1, 6000), 810056);
    assert_int_equal(marker_file(HFILE_TYPE_DELETE_FAMILY, 1), 259534);
    assert_int_equal(marker_file(HFILE_TYPE_DELETE_FAMILY, 10), 12422);
    assert_int_equal(marker_file(HFILE_TYPE_DELETE_COLUMN, 10), 12229);
    assert_int_equal(empty_file(NULL), 4558);
    assert_int_equal(empty_file(&inputs), 4592);
}

static void test_encoded_cells(void **state)
{
    struct hfile_cell a = {.row = (const uint8_t *)"row1", .row_bytes = 4, .family_bytes = 1,
                           .qualifier = (const uint8_t *)"a", .qualifier_bytes = 1, .value = (const uint8_t *)"12345",
                           .value_bytes = 5, .timestamp_ms = UINT64_C(1700000000000)};
    struct hfile_cell b = a, c = a;

    (void)state;
    b.qualifier = (const uint8_t *)"b";
    b.value = (const uint8_t *)"54321";
    c.row = (const uint8_t *)"row2";
    c.timestamp_ms++;
    assert_int_equal(hfile_encoded_cell_bytes(HFILE_ENCODING_NONE, NULL, &a), 31);
    assert_int_equal(hfile_encoded_cell_bytes(HFILE_ENCODING_FAST_DIFF, NULL, &a), 4 + 18 + 5);
    /* flag, common length, qualifier, one timestamp byte though all eight are equal, value */
    assert_int_equal(hfile_encoded_cell_bytes(HFILE_ENCODING_FAST_DIFF, &a, &b), 1 + 1 + 1 + 1 + 5);
    b.value = a.value; /* the same value isn't written again */
    assert_int_equal(hfile_encoded_cell_bytes(HFILE_ENCODING_FAST_DIFF, &a, &b), 1 + 1 + 1 + 1);
    /* another row: its last byte and the qualifier */
    assert_int_equal(hfile_encoded_cell_bytes(HFILE_ENCODING_FAST_DIFF, &a, &c), 1 + 1 + 1 + 1 + 1);
    assert_int_equal(hfile_encoded_cell_bytes(HFILE_ENCODING_DIFF, &a, &c), 1 + 1 + 1 + 1 + 1 + 5);
    /* PREFIX writes the key from the first byte that differs: row, family and its length, qualifier, time, type */
    assert_int_equal(hfile_encoded_cell_bytes(HFILE_ENCODING_PREFIX, &a, &c), 3 + 1 + 1 + 1 + 1 + 8 + 1 + 5);
    b.row_bytes = 3; /* even the row's length differs */
    assert_int_equal(hfile_encoded_cell_bytes(HFILE_ENCODING_PREFIX, &a, &b), 3 + 17 - 1 + 5);
    b = a;
    b.value_bytes = 4;
    b.type = HFILE_TYPE_DELETE;
    assert_int_equal(hfile_encoded_cell_bytes(HFILE_ENCODING_FAST_DIFF, &a, &b), 1 + 1 + 1 + 0 + 1 + 1 + 4);
}

/* Only the first intermediate index block takes 17 entries, whatever the limit (HBASE-16288). */
static void test_intermediate_levels(void **state)
{
    struct hfile_column column = {1, 20, 0, 0};
    struct hfile_shape shape = {9, 1, &column, 1};
    struct hfile_run run = {&shape, 40, 1};
    struct hfile_runs in = {.run = &run, .count = 1};
    struct hfile_layout l = {0};
    struct hfile_options o;

    (void)state;
    hfile_options_default(&o);
    o.block_bytes = 50; /* a block for each cell */
    o.index_block_bytes = 64; /* a leaf for every two blocks */
    assert_int_equal(hfile_layout_runs(&o, &in, &l), 0);
    assert_int_equal(l.data_blocks, 40);
    assert_int_equal(l.leaves.count, 20);
    assert_int_equal(l.intermediates.count, 3);
    assert_int_equal(l.intermediates.item[0].entries, 17);
    assert_int_equal(l.intermediates.item[1].entries, 2);
    assert_int_equal(l.intermediates.item[2].entries, 1);
    assert_int_equal(l.index_levels, 3);
    assert_int_equal(l.mid_block, 19);
    hfile_layout_free(&l);
}

static void test_misuse(void **state)
{
    struct hfile_options o;
    struct hfile_writer *w;
    struct hfile_layout l = {0};
    struct hfile_cell c = {.row = (const uint8_t *)"b", .row_bytes = 1, .family_bytes = 1, .value_bytes = 1};
    struct hfile_run run = {NULL, 1, 1};
    struct hfile_runs in = {.run = &run, .count = 1};

    (void)state;
    hfile_options_default(&o);
    w = hfile_writer_new(&o);
    assert_int_equal(hfile_writer_append(w, &c), 0);
    c.row = (const uint8_t *)"a";
    assert_int_equal(hfile_writer_append(w, &c), HFILE_INVALID);
    hfile_writer_del(w);
    assert_int_equal(hfile_layout_runs(&o, &in, &l), HFILE_INVALID);
    o.block_bytes = 0;
    assert_null(hfile_writer_new(&o));
    hfile_writer_del(NULL);
}

/* ---- the runs against the writer, on shapes drawn with a fixed seed ---- */

struct draw {
    uint64_t x;
};

static uint64_t draw(struct draw *d, uint64_t n)
{
    d->x = d->x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (d->x >> 33) % n;
}

enum { MAX_COLUMNS = 6, MAX_RUNS = 4000, ROW_BYTES = 10 };

struct drawn {
    struct hfile_options o;
    struct hfile_column column[MAX_RUNS][MAX_COLUMNS];
    struct hfile_shape shape[MAX_RUNS];
    struct hfile_run run[MAX_RUNS];
    uint8_t row[MAX_RUNS][ROW_BYTES];
    size_t rows;
};

static uint32_t separator(void *arg, uint64_t row)
{
    const struct drawn *t = arg;

    return (uint32_t)hfile_shortest_separator(t->row[row - 1], ROW_BYTES, t->row[row], ROW_BYTES, NULL);
}

static void draw_options(struct draw *d, struct hfile_options *o)
{
    hfile_options_default(o);
    o->encoding = (enum hfile_encoding)draw(d, 5);
    o->bloom = (enum hfile_bloom)draw(d, 3);
    o->block_bytes = (uint32_t)(300 + draw(d, 4000));
    o->index_block_bytes = (uint32_t)(60 + draw(d, 1000));
    o->bloom_block_bytes = (uint32_t)(128 * (1 + draw(d, 4)));
    if (draw(d, 3) == 0)
        o->encoded_block_ratio = 0.25 + 0.25 * (double)draw(d, 4);
}

/* Each row is a run of its own, so that its encoded bytes are exact. The row's cells go to the writer as well. */
static void draw_row(struct draw *d, struct drawn *t, struct hfile_writer *w, struct hfile_cell *prev)
{
    size_t i = t->rows++;
    uint64_t id = draw(d, 300), columns = 1 + draw(d, MAX_COLUMNS);

    t->shape[i] = (struct hfile_shape){ROW_BYTES, 1, t->column[i], (size_t)columns};
    t->run[i] = (struct hfile_run){&t->shape[i], 1, hfile_vint_bytes(id)};
    for (uint32_t k = 0; k < columns; k++) {
        static uint8_t qualifier[2][4];
        struct hfile_cell c = {.row = t->row[i], .row_bytes = ROW_BYTES, .family_bytes = 1,
                               .qualifier = qualifier[k % 2], .qualifier_bytes = 4, .timestamp_ms = UINT64_C(1) << 40,
                               .value_bytes = (uint32_t)draw(d, 200), .seqid = id};

        memcpy(qualifier[k % 2], "qua", 3);
        qualifier[k % 2][3] = (uint8_t)('a' + k);
        t->column[i][k] = (struct hfile_column){4, c.value_bytes, 4,
                                                (double)hfile_encoded_cell_bytes(t->o.encoding, i + k > 0 ? prev : NULL, &c)};
        assert_int_equal(hfile_writer_append(w, &c), 0);
        *prev = c;
    }
}

static void compare(const struct hfile_layout *a, const struct hfile_layout *b)
{
    assert_int_equal(a->cells, b->cells);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->data_blocks, b->data_blocks);
    assert_int_equal(a->data_payload_bytes, b->data_payload_bytes);
    assert_int_equal(a->data_disk_bytes, b->data_disk_bytes);
    assert_int_equal(a->unencoded_bytes, b->unencoded_bytes);
    assert_int_equal(a->seqid_vint_bytes, b->seqid_vint_bytes);
    assert_int_equal(a->bloom_keys, b->bloom_keys);
    assert_int_equal(a->bloom_total_bytes, b->bloom_total_bytes);
    assert_int_equal(a->bloom_chunks.count, b->bloom_chunks.count);
    for (size_t i = 0; i < a->bloom_chunks.count; i++)
        assert_int_equal(a->bloom_chunks.item[i].after_data_block, b->bloom_chunks.item[i].after_data_block);
    assert_int_equal(a->leaves.count, b->leaves.count);
    assert_int_equal(a->index_levels, b->index_levels);
    assert_int_equal(a->uncompressed_index_bytes, b->uncompressed_index_bytes);
    assert_int_equal(a->mid_cell, b->mid_cell);
    assert_int_equal(a->mid_row_index, b->mid_row_index);
    assert_int_equal(a->mid_inside_row, b->mid_inside_row);
    assert_int_equal(a->file_bytes, b->file_bytes);
}

static void test_runs_equal_writer(void **state)
{
    static struct drawn t;
    struct draw d = {20250101};

    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        struct hfile_runs in = {.run = t.run, .separator = separator, .arg = &t};
        struct hfile_layout a = {0}, b = {0};
        struct hfile_cell prev = {0};
        struct hfile_writer *w;
        uint64_t key = 0, rows = 1 + draw(&d, trial < 100 ? 200 : MAX_RUNS - 1);

        draw_options(&d, &t.o);
        t.rows = 0;
        w = hfile_writer_new(&t.o);
        assert_non_null(w);
        for (uint64_t i = 0; i < rows; i++) {
            key += 1 + draw(&d, 1 << draw(&d, 20));
            be(t.row[i], key, ROW_BYTES);
            draw_row(&d, &t, w, &prev);
        }
        in.count = t.rows;
        assert_int_equal(hfile_writer_finish(w, NULL, &a), 0);
        assert_int_equal(hfile_layout_runs(&t.o, &in, &b), 0);
        compare(&a, &b);
        assert_memory_equal(a.first_row, t.row[0], ROW_BYTES);
        assert_memory_equal(a.last_row, t.row[t.rows - 1], ROW_BYTES);
        hfile_writer_del(w);
        hfile_layout_free(&a);
        hfile_layout_free(&b);
    }
}

/* Long runs must equal the same rows given one by one. */
static void test_long_runs(void **state)
{
    static struct drawn t;
    struct draw d = {7};

    (void)state;
    for (int trial = 0; trial < 300; trial++) {
        struct hfile_run run;
        struct hfile_runs one = {.run = t.run}, all = {.run = &run, .count = 1};
        struct hfile_layout a = {0}, b = {0};
        size_t columns = (size_t)(1 + draw(&d, MAX_COLUMNS)), rows = (size_t)(1 + draw(&d, MAX_RUNS - 1));

        draw_options(&d, &t.o);
        for (size_t k = 0; k < columns; k++)
            t.column[0][k] = (struct hfile_column){(uint32_t)draw(&d, 9), (uint32_t)draw(&d, 300), 0,
                                                   20 + (double)draw(&d, 100)};
        t.shape[0] = (struct hfile_shape){ROW_BYTES, 1, t.column[0], columns};
        run = (struct hfile_run){&t.shape[0], rows, 1 + (double)draw(&d, 3)};
        for (size_t i = 0; i < rows; i++)
            t.run[i] = (struct hfile_run){&t.shape[0], 1, run.seqid_vint_bytes};
        one.count = rows;
        assert_int_equal(hfile_layout_runs(&t.o, &one, &a), 0);
        assert_int_equal(hfile_layout_runs(&t.o, &all, &b), 0);
        compare(&a, &b);
        hfile_layout_free(&a);
        hfile_layout_free(&b);
    }
}

/* A mean sequence id in place of the real ones moves nothing by more than a rounding. */
static void test_mean_ids(void **state)
{
    struct hfile_column column = {1, 100, 0, 0};
    struct hfile_shape shape = {12, 1, &column, 1};
    struct hfile_run parts[2] = {{&shape, 300000, 2}, {&shape, 346000, 3}};
    struct hfile_run whole = {&shape, 646000, (300000 * 2 + 346000 * 3) / 646000.0};
    struct hfile_runs a = {.run = parts, .count = 2}, b = {.run = &whole, .count = 1};
    struct hfile_layout x = {0}, y = {0};
    struct hfile_options o;

    (void)state;
    hfile_options_default(&o);
    assert_int_equal(hfile_layout_runs(&o, &a, &x), 0);
    assert_int_equal(hfile_layout_runs(&o, &b, &y), 0);
    assert_int_equal(x.data_payload_bytes, y.data_payload_bytes);
    assert_in_range(y.file_bytes, x.file_bytes - 300, x.file_bytes + 300);
    hfile_layout_free(&x);
    hfile_layout_free(&y);
}

static uint32_t nine(void *arg, uint64_t row)
{
    (void)arg;
    (void)row;
    return 9;
}

static void check_estimate(struct drawn *t, uint64_t rows, uint64_t columns, double band)
{
    struct hfile_run run = {&t->shape[0], rows, 2};
    struct hfile_runs in = {.run = &run, .count = 1, .separator = nine};
    struct hfile_layout l = {0};
    struct hfile_estimate e;
    double off;

    assert_int_equal(hfile_layout_runs(&t->o, &in, &l), 0);
    assert_int_equal(hfile_estimate(&t->o, &run, 9, &e), 0);
    off = (double)e.file_bytes - (double)l.file_bytes;
    if (off < 0)
        off = -off;
    if (off > band * (double)l.file_bytes)
        fail_msg("%g rows x %g columns, encoding %d, block %u: estimate %g, file %g", (double)rows, (double)columns,
                 (int)t->o.encoding, t->o.block_bytes, (double)e.file_bytes, (double)l.file_bytes);
    if (band < 1e-9) {
        assert_int_equal(e.data_blocks, l.data_blocks);
        assert_int_equal(e.index_levels, l.index_levels);
    }
    if (l.index_levels == e.index_levels)
        assert_int_equal(e.mid_row_index, l.mid_row_index);
    hfile_layout_free(&l);
}

static void test_estimate(void **state)
{
    static struct drawn t;
    struct draw d = {99};

    (void)state;
    for (int trial = 0; trial < 400; trial++) {
        uint64_t columns = trial < 200 ? 1 : 1 + draw(&d, MAX_COLUMNS), cell = 0, rows;

        hfile_options_default(&t.o);
        t.o.encoding = (enum hfile_encoding)draw(&d, 5);
        t.o.bloom = (enum hfile_bloom)draw(&d, 3);
        t.o.block_bytes = 4096u << draw(&d, 5);
        for (uint64_t k = 0; k < columns; k++) {
            t.column[0][k] = (struct hfile_column){3, (uint32_t)(20 + draw(&d, 300)), 0, 0};
            t.column[0][k].encoded_bytes = 10 + t.column[0][k].value_bytes;
            cell += 60 + t.column[0][k].value_bytes;
        }
        t.shape[0] = (struct hfile_shape){25, 1, t.column[0], (size_t)columns};
        rows = (10 + draw(&d, 3000)) * t.o.block_bytes / cell + 1;
        check_estimate(&t, rows, columns, columns == 1 ? 0 : 0.0002);
    }
    check_estimate(&t, 0, 1, 0);
    check_estimate(&t, 1, 1, 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vint),     cmocka_unit_test(test_separator),         cmocka_unit_test(test_bloom),
        cmocka_unit_test(test_names),    cmocka_unit_test(test_default_ratio),     cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_misuse),   cmocka_unit_test(test_runs_equal_writer), cmocka_unit_test(test_long_runs),
        cmocka_unit_test(test_mean_ids), cmocka_unit_test(test_encoded_cells),
        cmocka_unit_test(test_intermediate_levels), cmocka_unit_test(test_estimate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
