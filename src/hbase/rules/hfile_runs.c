/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/hfile.h"
#include "hbase/rules/hfile_builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The layout from runs of rows of one shape. Bytes are doubles because a run may give means; with whole
   numbers everything is exact. A block's payload is the difference of the rounded sums at its ends, so
   that a mean never drifts. */

struct sums {
    double unencoded, encoded; /* without what a block adds at its ends */
};

struct block_start {
    uint64_t cell, row;
    bool inside_row;
};

struct feeder {
    struct hfile_builder b;
    const struct hfile_runs *in;
    struct sums *prefix;           /* of the run's columns: prefix[k] = the first k cells of a row */
    size_t prefix_capacity;
    struct block_start *block;
    size_t blocks, block_capacity;
    struct sums total;             /* since the file's start, payload of finished blocks included */
    double block_start_bytes;      /* encoded sum where the block began */
    struct sums filled;            /* what the block-full test sees */
    uint64_t block_cells;
    uint32_t block_key_bytes;
    /* the cell that comes next */
    const struct hfile_run *run;
    size_t column;
    uint64_t row, cell;
    bool counted;                  /* its row (or column) is in the bloom filter already */
};

static struct hfile_cell cell_of(const struct hfile_shape *s, size_t column)
{
    struct hfile_cell c;

    memset(&c, 0, sizeof c);
    c.row_bytes = s->row_bytes;
    c.family_bytes = s->family_bytes;
    c.qualifier_bytes = s->column[column].qualifier_bytes;
    c.value_bytes = s->column[column].value_bytes;
    c.timestamp_ms = UINT64_C(1) << 40; /* six bytes, as any time since 2004 */
    return c;
}

static uint32_t key_bytes(const struct hfile_shape *s, size_t column)
{
    return 12 + s->row_bytes + s->family_bytes + s->column[column].qualifier_bytes;
}

static double kv_bytes(const struct hfile_shape *s, size_t column)
{
    return 8.0 + key_bytes(s, column) + s->column[column].value_bytes;
}

static bool delta_encoded(enum hfile_encoding e)
{
    return e == HFILE_ENCODING_PREFIX || e == HFILE_ENCODING_DIFF || e == HFILE_ENCODING_FAST_DIFF;
}

/* One cell that is not the first of its block. */
static struct sums cell_sums(const struct feeder *f, size_t column)
{
    const struct hfile_shape *s = f->run->shape;
    enum hfile_encoding e = f->b.opt.encoding;
    double id = f->run->seqid_vint_bytes;
    struct sums r = {kv_bytes(s, column) + id, 0};

    r.encoded = delta_encoded(e) ? s->column[column].encoded_bytes + id : r.unencoded;
    if (column == 0)
        r.encoded += hfile_block_row_bytes(e);
    return r;
}

static int begin_run(struct feeder *f, const struct hfile_run *run)
{
    size_t n = run->shape->columns;

    f->run = run;
    f->column = 0;
    if (n + 1 > f->prefix_capacity) {
        struct sums *p = realloc(f->prefix, (n + 1) * sizeof *p);

        if (!p)
            return HFILE_NOMEM;
        f->prefix = p;
        f->prefix_capacity = n + 1;
    }
    f->prefix[0] = (struct sums){0, 0};
    for (size_t k = 0; k < n; k++) {
        struct sums c = cell_sums(f, k);

        f->prefix[k + 1].unencoded = f->prefix[k].unencoded + c.unencoded;
        f->prefix[k + 1].encoded = f->prefix[k].encoded + c.encoded;
        hfile_builder_cell(&f->b, (uint64_t)kv_bytes(run->shape, k), key_bytes(run->shape, k));
    }
    return 0;
}

static double prefix_of(const struct sums *s, bool encoded)
{
    return encoded ? s->encoded : s->unencoded;
}

/* Sum of |n| cells from the current column on. */
static double span(const struct feeder *f, uint64_t n, bool encoded)
{
    size_t columns = f->run->shape->columns;
    uint64_t end = f->column + n;

    if (columns == 1) /* the common case, without divisions */
        return (double)n * prefix_of(&f->prefix[1], encoded);
    return (double)(end / columns) * prefix_of(&f->prefix[columns], encoded) +
           prefix_of(&f->prefix[end % columns], encoded) - prefix_of(&f->prefix[f->column], encoded);
}

/* The fewest cells from the current column on that add at least |need| bytes. */
static uint64_t cells_for(const struct feeder *f, double need, bool encoded)
{
    size_t columns = f->run->shape->columns, lo = 0, hi = columns;
    double target = need + prefix_of(&f->prefix[f->column], encoded);
    double row = prefix_of(&f->prefix[columns], encoded), rows;

    if (need <= 0)
        return 0;
    rows = (double)(uint64_t)(target / row);
    if (columns == 1)
        return (uint64_t)rows + (rows * row < target);
    target -= rows * row;
    while (lo < hi) { /* the first k with prefix[k] >= target */
        size_t mid = lo + (hi - lo) / 2;

        if (prefix_of(&f->prefix[mid], encoded) >= target)
            hi = mid;
        else
            lo = mid + 1;
    }
    return (uint64_t)rows * columns + lo - f->column;
}

static uint64_t cells_until_full(const struct feeder *f)
{
    const struct hfile_options *o = &f->b.opt;
    uint64_t plain, encoded;

    if (o->encoded_block_ratio > 0)
        return cells_for(f, floor(o->block_bytes * o->encoded_block_ratio) - f->filled.encoded, true);
    plain = cells_for(f, o->block_bytes - f->filled.unencoded, false);
    if (o->encoding == HFILE_ENCODING_NONE)
        return plain;
    encoded = cells_for(f, o->block_bytes - f->filled.encoded, true);
    return plain < encoded ? plain : encoded;
}

static void bloom_add(struct feeder *f, uint64_t cells)
{
    const struct hfile_shape *s = f->run->shape;
    uint64_t rows = cells;

    if (f->b.opt.bloom == HFILE_BLOOM_ROW) {
        if (s->columns > 1)
            rows = (f->column + cells + s->columns - 1) / s->columns - (f->column + s->columns - 1) / s->columns;
        if (rows > 0 && f->counted)
            rows--;
        hfile_builder_bloom(&f->b, &f->b.bloom, rows, s->row_bytes);
    } else if (f->b.opt.bloom == HFILE_BLOOM_ROWCOL) {
        for (uint64_t i = f->counted ? 1 : 0; i < cells; i++) {
            size_t k = (size_t)((f->column + i) % s->columns);

            hfile_builder_bloom(&f->b, &f->b.bloom, 1, 12 + s->row_bytes + s->column[k].qualifier_bytes);
        }
    }
    if (cells > 0)
        f->counted = false;
}

static void advance(struct feeder *f, uint64_t cells)
{
    size_t columns = f->run->shape->columns;
    uint64_t end = f->column + cells;

    f->row += columns == 1 ? end : end / columns;
    f->column = columns == 1 ? 0 : (size_t)(end % columns);
    f->cell += cells;
    f->block_cells += cells;
}

static uint32_t index_key_bytes(const struct feeder *f)
{
    const struct hfile_shape *s = f->run->shape;
    const struct hfile_column *c = &s->column[f->column];

    if (f->cell == 0)
        return key_bytes(s, 0);
    if (f->column > 0)
        return 12 + s->row_bytes + s->family_bytes +
               (c->qualifier_separator_bytes ? c->qualifier_separator_bytes : c->qualifier_bytes);
    return 12 + (f->in->separator ? f->in->separator(f->in->arg, f->row) : s->row_bytes);
}

static int begin_block(struct feeder *f)
{
    enum hfile_encoding e = f->b.opt.encoding;
    struct sums c = cell_sums(f, f->column);

    if (f->blocks == f->block_capacity) {
        size_t capacity = f->block_capacity ? 2 * f->block_capacity : 64;
        struct block_start *p = realloc(f->block, capacity * sizeof *p);

        if (!p)
            return HFILE_NOMEM;
        f->block = p;
        f->block_capacity = capacity;
    }
    f->block[f->blocks++] = (struct block_start){f->cell, f->row, f->column > 0};
    f->block_key_bytes = index_key_bytes(f);
    if (delta_encoded(e)) {
        struct hfile_cell first = cell_of(f->run->shape, f->column);

        c.encoded = (double)hfile_encoded_cell_bytes(e, NULL, &first) + f->run->seqid_vint_bytes;
    } else if (f->column > 0) {
        c.encoded += hfile_block_row_bytes(e);
    }
    f->filled.unencoded = c.unencoded;
    f->filled.encoded = c.encoded + hfile_block_head_bytes(e);
    f->total.unencoded += c.unencoded;
    f->block_start_bytes = f->total.encoded;
    f->total.encoded += f->filled.encoded;
    f->block_cells = 0;
    bloom_add(f, 1);
    advance(f, 1);
    return 0;
}

static void end_block(struct feeder *f)
{
    f->total.encoded += hfile_block_tail_bytes(f->b.opt.encoding);
    hfile_builder_block(&f->b, (uint64_t)(llround(f->total.encoded) - llround(f->block_start_bytes)),
                        f->block_key_bytes);
    f->block_cells = 0;
}

static void add_cells(struct feeder *f, uint64_t n)
{
    double unencoded = span(f, n, false), encoded = span(f, n, true);

    f->filled.unencoded += unencoded;
    f->filled.encoded += encoded;
    f->total.unencoded += unencoded;
    f->total.encoded += encoded;
    bloom_add(f, n);
    advance(f, n);
}

static int feed_run(struct feeder *f, const struct hfile_run *run)
{
    uint64_t left = run->rows * run->shape->columns;

    if (left == 0)
        return 0;
    if (begin_run(f, run))
        return HFILE_NOMEM;
    while (left > 0) {
        uint64_t n = f->block_cells > 0 ? cells_until_full(f) : 0;

        if (f->block_cells > 0 && n == 0) {
            /* The next row is in the bloom filter before the block is found full. */
            bloom_add(f, 1);
            f->counted = f->column == 0 || f->b.opt.bloom == HFILE_BLOOM_ROWCOL;
            end_block(f);
        }
        if (n == 0) {
            if (begin_block(f))
                return HFILE_NOMEM;
            left--;
            continue;
        }
        if (n > left)
            n = left;
        add_cells(f, n);
        left -= n;
    }
    f->b.out.seqid_vint_bytes += (uint64_t)llround((double)(run->rows * run->shape->columns) * run->seqid_vint_bytes);
    return f->b.error;
}

static int check_runs(const struct hfile_runs *in)
{
    for (size_t i = 0; i < in->count; i++)
        if (!in->run[i].shape || in->run[i].shape->columns == 0 || in->run[i].seqid_vint_bytes < 0)
            return HFILE_INVALID;
    return 0;
}

static void fill_totals(struct feeder *f, struct hfile_layout *out)
{
    out->cells = f->cell;
    out->rows = f->row;
    out->unencoded_bytes = (uint64_t)llround(f->total.unencoded);
}

int hfile_layout_runs(const struct hfile_options *o, const struct hfile_runs *in, struct hfile_layout *out)
{
    struct feeder f;
    int rc;

    memset(&f, 0, sizeof f);
    f.in = in;
    rc = check_runs(in);
    if (rc == 0)
        rc = hfile_builder_init(&f.b, o);
    for (size_t i = 0; rc == 0 && i < in->count; i++)
        rc = feed_run(&f, &in->run[i]);
    if (rc == 0) {
        if (f.block_cells > 0)
            end_block(&f);
        fill_totals(&f, &f.b.out);
        rc = hfile_builder_finish(&f.b, &in->inputs);
    }
    if (rc == 0) {
        if (f.b.out.data_blocks > 0) {
            const struct block_start *mid = &f.block[f.b.out.mid_block];

            f.b.out.mid_cell = mid->cell;
            f.b.out.mid_row_index = mid->row;
            f.b.out.mid_inside_row = mid->inside_row;
        }
        *out = f.b.out;
        memset(&f.b.out, 0, sizeof f.b.out);
    }
    free(f.prefix);
    free(f.block);
    hfile_builder_free(&f.b);
    return rc;
}
