/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/hfile.h"
#include "hbase/rules/hfile_builder.h"

#include <math.h>
#include <string.h>

/* A file's length without walking its blocks. What a block holds depends only on the column that it begins
   with, so the blocks of one run repeat after at most as many as there are columns. */

enum { MAX_COLUMNS = 256 };

struct shape_sums {
    const struct hfile_options *o;
    const struct hfile_run *run;
    double separator_bytes;
    double row_plain, row_encoded; /* of a whole row inside a block */
};

/* What some blocks in a row come to. */
struct totals {
    double blocks, cells, disk, keys;
};

static bool delta_encoded(const struct hfile_options *o)
{
    return o->encoding != HFILE_ENCODING_NONE && o->encoding != HFILE_ENCODING_ROW_INDEX_V1;
}

static uint32_t key_bytes(const struct hfile_shape *s, size_t k)
{
    return 12 + s->row_bytes + s->family_bytes + s->column[k].qualifier_bytes;
}

static double plain_bytes(const struct shape_sums *z, size_t k)
{
    const struct hfile_shape *s = z->run->shape;

    return 8.0 + key_bytes(s, k) + s->column[k].value_bytes + z->run->seqid_vint_bytes;
}

static double encoded_bytes(const struct shape_sums *z, size_t k)
{
    double row = k == 0 ? hfile_block_row_bytes(z->o->encoding) : 0;

    if (!delta_encoded(z->o))
        return plain_bytes(z, k) + row;
    return z->run->shape->column[k].encoded_bytes + z->run->seqid_vint_bytes;
}

static double first_bytes(const struct shape_sums *z, size_t k)
{
    const struct hfile_shape *s = z->run->shape;
    struct hfile_cell c = {.row_bytes = s->row_bytes,
                           .family_bytes = s->family_bytes,
                           .qualifier_bytes = s->column[k].qualifier_bytes,
                           .value_bytes = s->column[k].value_bytes,
                           .timestamp_ms = UINT64_C(1) << 40};

    if (!delta_encoded(z->o))
        return plain_bytes(z, k) + hfile_block_row_bytes(z->o->encoding);
    return (double)hfile_encoded_cell_bytes(z->o->encoding, NULL, &c) + z->run->seqid_vint_bytes;
}

/* Whole rows that surely fit before the block is full. */
static double rows_that_fit(const struct shape_sums *z, double plain, double encoded)
{
    double limit = z->o->block_bytes, rows;

    if (z->o->encoded_block_ratio > 0)
        rows = (floor(limit * z->o->encoded_block_ratio) - encoded) / z->row_encoded;
    else
        rows = fmin((limit - plain) / z->row_plain, (limit - encoded) / z->row_encoded);
    rows = ceil(rows) - 1;
    return rows > 0 ? rows : 0;
}

/* Adds the block that begins with |column|, of at most |left| cells; returns the next one's column. */
static size_t add_block(const struct shape_sums *z, size_t column, double left, struct totals *t)
{
    const struct hfile_shape *s = z->run->shape;
    double plain = plain_bytes(z, column), head = hfile_block_head_bytes(z->o->encoding);
    double encoded = head + first_bytes(z, column), cells = 1, rows;
    size_t k = (column + 1) % s->columns;

    rows = fmin(rows_that_fit(z, plain, encoded), floor((left - cells) / (double)s->columns));
    cells += rows * (double)s->columns;
    plain += rows * z->row_plain;
    encoded += rows * z->row_encoded;
    while (cells < left && !hfile_block_full(z->o, plain, encoded)) {
        plain += plain_bytes(z, k);
        encoded += encoded_bytes(z, k);
        cells++;
        k = (k + 1) % s->columns;
    }
    encoded += hfile_block_tail_bytes(z->o->encoding);
    t->blocks++;
    t->cells += cells;
    t->disk += (double)hfile_block_disk_bytes((uint64_t)llround(encoded * z->o->compression_ratio));
    if (column == 0)
        t->keys += 12 + z->separator_bytes;
    else if (s->column[column].qualifier_separator_bytes > 0)
        t->keys += 12 + s->row_bytes + s->family_bytes + s->column[column].qualifier_separator_bytes;
    else
        t->keys += key_bytes(s, column);
    return k;
}

/* The blocks of the run's first |cells| cells, at most |blocks|: up to the first column met again block by
   block, whole turns at once, then the rest. */
static struct totals walk(const struct shape_sums *z, double cells, double blocks)
{
    struct totals t = {0}, at[MAX_COLUMNS];
    bool seen[MAX_COLUMNS] = {false};
    size_t column = 0;

    while (t.cells < cells && t.blocks < blocks && !seen[column]) {
        seen[column] = true;
        at[column] = t;
        column = add_block(z, column, cells - t.cells, &t);
    }
    if (t.cells < cells && t.blocks < blocks) {
        struct totals from = at[column], to = t;
        double turns = floor(fmin((cells - to.cells) / (to.cells - from.cells),
                                  (blocks - to.blocks) / (to.blocks - from.blocks)));

        t.blocks += turns * (to.blocks - from.blocks);
        t.cells += turns * (to.cells - from.cells);
        t.disk += turns * (to.disk - from.disk);
        t.keys += turns * (to.keys - from.keys);
    }
    while (t.cells < cells && t.blocks < blocks)
        column = add_block(z, column, cells - t.cells, &t);
    return t;
}

static double disk_bytes(double payload)
{
    return (double)hfile_block_disk_bytes((uint64_t)llround(payload));
}

/* Bytes of all index blocks, as if all keys but the first were of the mean length; sets the levels. */
static double index_bytes(const struct hfile_options *o, const struct totals *t, uint32_t first_key, uint32_t *levels)
{
    double key = t->blocks > 0 ? t->keys / t->blocks : 0, extra = first_key - key;
    double leaf = ceil((o->index_block_bytes - 8.0) / (16 + key)), n, sum, tail;

    *levels = 1;
    if (t->blocks <= 0)
        return disk_bytes(0);
    if (t->blocks <= leaf) /* the last block's entry alone fills no leaf: see hfile_builder_block */
        return disk_bytes(t->blocks * (13 + key) + extra);
    *levels = 2;
    n = floor(t->blocks / leaf);
    tail = t->blocks - n * leaf;
    sum = n * disk_bytes(8 + leaf * (16 + key)) + extra;
    if (tail > 0) {
        sum += disk_bytes(8 + tail * (16 + key));
        n++;
    }
    while (n * (13 + key) > o->index_block_bytes && n > o->index_min_entries && *levels < 16) {
        double parents = ceil(n / ceil(o->index_block_bytes / (13 + key)));

        sum += parents * disk_bytes(8 + n / parents * (16 + key));
        n = parents;
        ++*levels;
    }
    return sum + disk_bytes(n * (13 + key) + extra + 16);
}

static double bloom_bytes(const struct hfile_builder *b)
{
    uint64_t keys = b->bloom.keys, full = keys / b->bloom.capacity, rest = keys % b->bloom.capacity;
    uint64_t max_keys = b->bloom.capacity;
    double sum = (double)full * disk_bytes(b->opt.bloom_block_bytes), chunks = (double)full + (rest > 0);

    if (rest > 0)
        sum += disk_bytes((double)hfile_bloom_folded_bytes(b->opt.bloom_block_bytes, rest, &max_keys));
    return sum + disk_bytes(41 + (b->opt.bloom == HFILE_BLOOM_ROWCOL ? 42 : 0) +
                            chunks * (13.0 + b->bloom.last_key_bytes));
}

/* Bloom filter, meta index, file info and trailer. */
static double rest_of_file(struct hfile_builder *b, const struct hfile_run *run)
{
    const struct hfile_shape *s = run->shape;
    double bytes = disk_bytes(0) + HFILE_TRAILER_BYTES;

    b->out.cells = run->rows * s->columns;
    for (size_t k = 0; k < s->columns; k++)
        hfile_builder_cell(b, 8 + (uint64_t)key_bytes(s, k) + s->column[k].value_bytes, key_bytes(s, k));
    if (b->opt.bloom != HFILE_BLOOM_NONE && run->rows > 0) {
        bool rowcol = b->opt.bloom == HFILE_BLOOM_ROWCOL;

        b->bloom.keys = rowcol ? b->out.cells : run->rows;
        b->bloom.last_key_bytes = rowcol ? b->last_key_bytes - s->family_bytes : s->row_bytes;
        bytes += bloom_bytes(b);
    }
    return bytes + disk_bytes((double)hfile_info_bytes(b, NULL));
}

int hfile_estimate(const struct hfile_options *o, const struct hfile_run *run, double separator_bytes,
                   struct hfile_estimate *out)
{
    struct shape_sums z = {.o = o, .run = run, .separator_bytes = separator_bytes};
    struct hfile_estimate e = {0};
    struct hfile_builder b;
    struct totals t;
    double cells;
    int rc;

    if (!run->shape || run->shape->columns == 0 || run->shape->columns > MAX_COLUMNS)
        return HFILE_INVALID;
    rc = hfile_builder_init(&b, o); /* allocates nothing */
    if (rc)
        return rc;
    for (size_t k = 0; k < run->shape->columns; k++) {
        z.row_plain += plain_bytes(&z, k);
        z.row_encoded += encoded_bytes(&z, k);
    }
    cells = (double)run->rows * (double)run->shape->columns;
    t = walk(&z, cells, cells);
    e.data_blocks = (uint64_t)t.blocks;
    e.file_bytes = (uint64_t)llround(t.disk + index_bytes(o, &t, key_bytes(run->shape, 0), &e.index_levels) +
                                     rest_of_file(&b, run));
    if (e.data_blocks > 0) {
        e.mid_block = e.index_levels > 1 ? (e.data_blocks - 1) / 2 : e.data_blocks / 2;
        e.mid_row_index = (uint64_t)walk(&z, cells, (double)e.mid_block).cells / run->shape->columns;
    }
    *out = e;
    return 0;
}
