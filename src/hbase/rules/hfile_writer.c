/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/hfile.h"
#include "hbase/rules/hfile_builder.h"

#include <stdlib.h>
#include <string.h>

struct bytes {
    uint8_t *data;
    size_t count, capacity;
};

struct block_start {
    uint64_t cell, row;
    size_t key_offset, key_bytes; /* the row of its index key, in the pool */
    bool inside_row;
};

struct hfile_writer {
    struct hfile_builder b;
    struct hfile_cell last;            /* points into the three buffers below */
    struct bytes row, qualifier, value;
    struct bytes pool;
    struct block_start *block;
    size_t blocks, block_capacity;
    uint64_t block_cells, unencoded, encoded;
    uint32_t block_key_bytes;
    bool row_marked;                   /* the row's delete-family marker is in its filter */
};

static int bytes_reserve(struct bytes *b, size_t n)
{
    size_t capacity = b->capacity ? b->capacity : 64;
    uint8_t *p;

    if (n <= b->capacity)
        return 0;
    while (capacity < n)
        capacity *= 2;
    p = realloc(b->data, capacity);
    if (!p)
        return HFILE_NOMEM;
    b->data = p;
    b->capacity = capacity;
    return 0;
}

static int bytes_set(struct bytes *b, const uint8_t *data, size_t n)
{
    if (bytes_reserve(b, n))
        return HFILE_NOMEM;
    if (n > 0)
        memcpy(b->data, data, n);
    b->count = n;
    return 0;
}

struct hfile_writer *hfile_writer_new(const struct hfile_options *o)
{
    struct hfile_writer *w = calloc(1, sizeof *w);

    if (w && hfile_builder_init(&w->b, o)) {
        hfile_writer_del(w);
        w = NULL;
    }
    return w;
}

void hfile_writer_del(struct hfile_writer *w)
{
    if (!w)
        return;
    hfile_builder_free(&w->b);
    free(w->row.data);
    free(w->qualifier.data);
    free(w->value.data);
    free(w->pool.data);
    free(w->block);
    free(w);
}

static int compare_rows(const struct hfile_cell *a, const struct hfile_cell *b)
{
    uint32_t min = a->row_bytes < b->row_bytes ? a->row_bytes : b->row_bytes;
    int d = min > 0 ? memcmp(a->row, b->row, min) : 0;

    if (d != 0)
        return d;
    return (a->row_bytes > b->row_bytes) - (a->row_bytes < b->row_bytes);
}

static bool same_qualifier(const struct hfile_cell *a, const struct hfile_cell *b)
{
    if (!a->qualifier || !b->qualifier || a->qualifier_bytes != b->qualifier_bytes)
        return false;
    return a->qualifier_bytes == 0 || memcmp(a->qualifier, b->qualifier, a->qualifier_bytes) == 0;
}

static uint32_t full_key_bytes(const struct hfile_cell *c)
{
    return 12 + c->row_bytes + c->family_bytes + c->qualifier_bytes;
}

/* HFileWriterImpl.getMidpoint: the index key before a block. Between rows it is the separator alone,
   without family and qualifier; inside a row the row with the qualifiers' separator. */
static uint32_t index_key_bytes(const struct hfile_cell *prev, const struct hfile_cell *c, bool new_row)
{
    size_t n;

    if (!prev)
        return full_key_bytes(c);
    if (new_row)
        return 12 + (uint32_t)hfile_shortest_separator(prev->row, prev->row_bytes, c->row, c->row_bytes, NULL);
    if (!prev->qualifier || !c->qualifier)
        return full_key_bytes(c);
    n = hfile_shortest_separator(prev->qualifier, prev->qualifier_bytes, c->qualifier, c->qualifier_bytes, NULL);
    return n == 0 ? full_key_bytes(c) : 12 + c->row_bytes + c->family_bytes + (uint32_t)n;
}

static int begin_block(struct hfile_writer *w, const struct hfile_cell *c, bool new_row)
{
    const struct hfile_cell *prev = w->b.out.cells > 0 ? &w->last : NULL;
    struct block_start *s;
    size_t n = c->row_bytes;

    if (w->blocks == w->block_capacity) {
        size_t capacity = w->block_capacity ? 2 * w->block_capacity : 16;
        struct block_start *p = realloc(w->block, capacity * sizeof *p);

        if (!p)
            return HFILE_NOMEM;
        w->block = p;
        w->block_capacity = capacity;
    }
    if (bytes_reserve(&w->pool, w->pool.count + c->row_bytes + 1))
        return HFILE_NOMEM;
    s = &w->block[w->blocks];
    s->cell = w->b.out.cells;
    s->row = w->b.out.rows - 1;
    s->inside_row = !new_row;
    s->key_offset = w->pool.count;
    if (prev && new_row)
        n = hfile_shortest_separator(prev->row, prev->row_bytes, c->row, c->row_bytes,
                                     w->pool.data + w->pool.count);
    else if (n > 0)
        memcpy(w->pool.data + w->pool.count, c->row, n);
    s->key_bytes = n;
    w->pool.count += n;
    w->blocks++;
    w->block_key_bytes = index_key_bytes(prev, c, new_row);
    w->block_cells = 0;
    w->unencoded = 0;
    w->encoded = hfile_block_head_bytes(w->b.opt.encoding);
    return 0;
}

static void end_block(struct hfile_writer *w)
{
    hfile_builder_block(&w->b, w->encoded + hfile_block_tail_bytes(w->b.opt.encoding), w->block_key_bytes);
    w->block_cells = 0;
}

static void add_to_blooms(struct hfile_writer *w, const struct hfile_cell *c, bool new_row, bool new_column)
{
    struct hfile_builder *b = &w->b;

    if (b->opt.bloom == HFILE_BLOOM_ROW && new_row)
        hfile_builder_bloom(b, &b->bloom, 1, c->row_bytes);
    if (b->opt.bloom == HFILE_BLOOM_ROWCOL && new_column)
        hfile_builder_bloom(b, &b->bloom, 1, 12 + c->row_bytes + c->qualifier_bytes);
    if (new_row)
        w->row_marked = false;
    if (c->type == HFILE_TYPE_DELETE_FAMILY || c->type == HFILE_TYPE_DELETE_FAMILY_VERSION) {
        if (!w->row_marked)
            hfile_builder_bloom(b, &b->delete_family, 1, c->row_bytes);
        w->row_marked = true;
        b->out.delete_family_cells++;
    }
}

static void add_to_block(struct hfile_writer *w, const struct hfile_cell *c, bool new_row)
{
    struct hfile_builder *b = &w->b;
    uint32_t id = hfile_vint_bytes(c->seqid);
    uint64_t kv = 8 + (uint64_t)full_key_bytes(c) + c->value_bytes;

    w->unencoded += kv + id;
    w->encoded += id + hfile_encoded_cell_bytes(b->opt.encoding, w->block_cells > 0 ? &w->last : NULL, c);
    if (new_row || w->block_cells == 0)
        w->encoded += hfile_block_row_bytes(b->opt.encoding);
    w->block_cells++;
    b->out.cells++;
    b->out.unencoded_bytes += kv + id;
    b->out.seqid_vint_bytes += id;
    hfile_builder_cell(b, kv, full_key_bytes(c));
}

static int keep_last(struct hfile_writer *w, const struct hfile_cell *c)
{
    if (bytes_set(&w->row, c->row, c->row_bytes))
        return HFILE_NOMEM;
    if (c->qualifier && bytes_set(&w->qualifier, c->qualifier, c->qualifier_bytes))
        return HFILE_NOMEM;
    if (c->value && w->b.opt.encoding == HFILE_ENCODING_FAST_DIFF && bytes_set(&w->value, c->value, c->value_bytes))
        return HFILE_NOMEM;
    w->last = *c;
    w->last.row = w->row.data;
    if (c->qualifier)
        w->last.qualifier = w->qualifier.data;
    if (c->value)
        w->last.value = w->b.opt.encoding == HFILE_ENCODING_FAST_DIFF ? w->value.data : NULL;
    return 0;
}

int hfile_writer_append(struct hfile_writer *w, const struct hfile_cell *c)
{
    struct hfile_layout *out = &w->b.out;
    bool first = out->cells == 0;
    int order = first ? -1 : compare_rows(&w->last, c);
    bool new_row = order < 0;

    if (order > 0)
        return HFILE_INVALID;
    if (first) {
        out->first_row = malloc((size_t)c->row_bytes + 1);
        if (!out->first_row)
            return HFILE_NOMEM;
        if (c->row_bytes > 0)
            memcpy(out->first_row, c->row, c->row_bytes);
        out->first_row_bytes = c->row_bytes;
    }
    /* The bloom filter takes the row before the block is tested (StoreFileWriter.append). */
    add_to_blooms(w, c, new_row, new_row || !same_qualifier(&w->last, c));
    if (w->block_cells > 0 && hfile_block_full(&w->b.opt, (double)w->unencoded, (double)w->encoded))
        end_block(w);
    if (new_row)
        out->rows++;
    if (w->block_cells == 0 && begin_block(w, c, new_row))
        return HFILE_NOMEM;
    add_to_block(w, c, new_row);
    if (keep_last(w, c))
        return HFILE_NOMEM;
    return w->b.error;
}

static int copy_row(const uint8_t *from, size_t n, uint8_t **to, size_t *to_bytes)
{
    *to = malloc(n + 1);
    if (!*to)
        return HFILE_NOMEM;
    if (n > 0)
        memcpy(*to, from, n);
    *to_bytes = n;
    return 0;
}

int hfile_writer_finish(struct hfile_writer *w, const struct hfile_inputs *inputs, struct hfile_layout *out)
{
    struct hfile_layout *l = &w->b.out;
    int rc;

    if (w->block_cells > 0)
        end_block(w);
    rc = hfile_builder_finish(&w->b, inputs);
    if (rc == 0 && l->data_blocks > 0) {
        const struct block_start *mid = &w->block[l->mid_block];

        l->mid_cell = mid->cell;
        l->mid_row_index = mid->row;
        l->mid_inside_row = mid->inside_row;
        rc = copy_row(w->pool.data + mid->key_offset, mid->key_bytes, &l->mid_row, &l->mid_row_bytes);
        if (rc == 0)
            rc = copy_row(w->row.data, w->last.row_bytes, &l->last_row, &l->last_row_bytes);
    }
    if (rc == 0) {
        *out = *l;
        memset(l, 0, sizeof *l);
    }
    return rc;
}
