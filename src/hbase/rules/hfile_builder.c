/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/hfile_builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    INDEX_ENTRY_BYTES = 12,   /* offset 8, size 4 */
    MIDKEY_BYTES = 16,        /* of a root that has levels below it */
    BLOOM_META_BYTES = 41,    /* version, sizes, counts; the comparator's empty name */
    BLOOM_CHUNK_BYTES = 12,   /* of each chunk in the meta: offset 8, size 4 */
    ROWCOL_COMPARATOR_BYTES = 42, /* org.apache.hadoop.hbase.CellComparatorImpl */
    MAX_INDEX_LEVELS = 16
};

int hfile_inline_push(struct hfile_inline_list *l, const struct hfile_inline_block *item)
{
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 8;
        struct hfile_inline_block *p = realloc(l->item, capacity * sizeof *p);

        if (!p)
            return HFILE_NOMEM;
        l->item = p;
        l->capacity = capacity;
    }
    l->item[l->count++] = *item;
    return 0;
}

static int root_push(struct hfile_builder *b, uint32_t key_bytes)
{
    if (b->root_count == b->root_capacity) {
        size_t capacity = b->root_capacity ? 2 * b->root_capacity : 16;
        uint32_t *p = realloc(b->root_key, capacity * sizeof *p);

        if (!p)
            return HFILE_NOMEM;
        b->root_key = p;
        b->root_capacity = capacity;
    }
    b->root_key[b->root_count++] = key_bytes;
    return 0;
}

/* BloomFilterFactory: a look-up by row and column asks twice, so each chunk must err less. */
static double chunk_error_rate(const struct hfile_options *o)
{
    return o->bloom == HFILE_BLOOM_ROWCOL ? 1 - sqrt(1 - o->bloom_error_rate) : o->bloom_error_rate;
}

int hfile_builder_init(struct hfile_builder *b, const struct hfile_options *o)
{
    memset(b, 0, sizeof *b);
    b->opt = *o;
    if (o->block_bytes == 0 || o->index_block_bytes == 0 || o->compression_ratio <= 0)
        return HFILE_INVALID;
    if (o->bloom_block_bytes == 0 || o->bloom_error_rate <= 0 || o->bloom_error_rate >= 1)
        return HFILE_INVALID;
    if (o->bloom != HFILE_BLOOM_NONE)
        b->bloom.capacity =
            hfile_bloom_capacity(o->bloom_block_bytes, chunk_error_rate(o), &b->bloom.hashes);
    /* StoreFileWriter: delete-family markers have a filter of their own unless the general one is ROWCOL. */
    if (o->bloom != HFILE_BLOOM_ROWCOL)
        b->delete_family.capacity =
            hfile_bloom_capacity(o->bloom_block_bytes, o->bloom_error_rate, &b->delete_family.hashes);
    b->out.index_levels = 1;
    return 0;
}

void hfile_builder_free(struct hfile_builder *b)
{
    hfile_layout_free(&b->out);
    free(b->root_key);
    free(b->bloom.ready.item);
    free(b->delete_family.ready.item);
    memset(b, 0, sizeof *b);
}

bool hfile_block_full(const struct hfile_options *o, double unencoded, double encoded)
{
    double limit = o->block_bytes;

    if (o->encoded_block_ratio > 0)
        return encoded >= floor(limit * o->encoded_block_ratio);
    return unencoded >= limit || encoded >= limit;
}

/* Of a block's head (the encoding's id and, but for ROW_INDEX_V1, the unencoded length) the test for a full
   block sees only ROW_INDEX_V1's id; the rest is added at the end. */
uint32_t hfile_block_head_bytes(enum hfile_encoding e)
{
    return e == HFILE_ENCODING_ROW_INDEX_V1 ? 2 : 0;
}

uint32_t hfile_block_tail_bytes(enum hfile_encoding e)
{
    switch (e) {
    case HFILE_ENCODING_NONE:
        return 0;
    case HFILE_ENCODING_ROW_INDEX_V1:
        return 8; /* number of rows, length of the cells */
    default:
        return 6;
    }
}

uint32_t hfile_block_row_bytes(enum hfile_encoding e)
{
    return e == HFILE_ENCODING_ROW_INDEX_V1 ? 4 : 0;
}

static uint64_t root_entry_bytes(uint32_t key_bytes)
{
    return INDEX_ENTRY_BYTES + hfile_vint_bytes(key_bytes) + key_bytes;
}

static uint64_t nonroot_block_bytes(uint64_t entries, uint64_t bytes)
{
    return 4 + 4 * (entries + 1) + bytes;
}

/* Any block of the file but the data blocks: moves the offset on. */
static void add_block(struct hfile_builder *b, uint64_t payload)
{
    b->offset += hfile_block_disk_bytes(payload);
}

static void write_leaf(struct hfile_builder *b)
{
    uint64_t payload = nonroot_block_bytes(b->leaf_entries, b->leaf_bytes);
    struct hfile_inline_block leaf = {.after_data_block = b->out.data_blocks,
                                      .on_disk_bytes = hfile_block_disk_bytes(payload),
                                      .payload_bytes = payload,
                                      .entries = b->leaf_entries,
                                      .first_key_bytes = b->leaf_first_key_bytes};

    if (hfile_inline_push(&b->out.leaves, &leaf) || root_push(b, b->leaf_first_key_bytes))
        b->error = HFILE_NOMEM;
    add_block(b, payload);
    b->out.total_uncompressed_bytes += HFILE_HEADER_BYTES + payload;
    b->out.uncompressed_index_bytes += payload;
    b->leaf_entries = 0;
    b->leaf_bytes = 0;
    b->leaf_root_bytes = 0;
}

static void write_chunk(struct hfile_builder *b, struct hfile_bloom_builder *f, uint64_t keys,
                        uint32_t first_key_bytes)
{
    uint64_t max_keys = f->capacity;
    uint64_t payload = hfile_bloom_folded_bytes(b->opt.bloom_block_bytes, keys, &max_keys);
    struct hfile_inline_block chunk = {.after_data_block = b->out.data_blocks,
                                       .on_disk_bytes = hfile_block_disk_bytes(payload),
                                       .payload_bytes = payload,
                                       .entries = keys,
                                       .first_key_bytes = first_key_bytes};

    if (f == &b->bloom && hfile_inline_push(&b->out.bloom_chunks, &chunk))
        b->error = HFILE_NOMEM;
    add_block(b, payload);
    b->out.total_uncompressed_bytes += HFILE_HEADER_BYTES + payload;
    f->chunks++;
    f->total_bytes += payload;
    f->max_keys += max_keys;
    f->meta_key_bytes += hfile_vint_bytes(first_key_bytes) + first_key_bytes;
}

static void write_ready_chunks(struct hfile_builder *b, struct hfile_bloom_builder *f, bool closing)
{
    for (; f->ready_done < f->ready.count; f->ready_done++)
        write_chunk(b, f, f->ready.item[f->ready_done].entries, f->ready.item[f->ready_done].first_key_bytes);
    if (closing && f->in_chunk > 0) {
        write_chunk(b, f, f->in_chunk, f->first_key_bytes);
        f->in_chunk = 0;
    }
}

void hfile_builder_block(struct hfile_builder *b, uint64_t payload, uint32_t key_bytes)
{
    uint64_t stored = payload, on_disk;

    /* HFileWriterImpl asks for a full leaf between two data blocks, not behind the last one: entries that fill a
       leaf with the file's last block are still the root's. */
    if (nonroot_block_bytes(b->leaf_entries, b->leaf_bytes) >= b->opt.index_block_bytes && b->leaf_entries > 0)
        write_leaf(b);
    if (b->opt.compression_ratio < 1 || b->opt.compression_ratio > 1)
        stored = (uint64_t)llround((double)payload * b->opt.compression_ratio);
    on_disk = hfile_block_disk_bytes(stored);
    b->out.last_data_block_offset = b->offset;
    b->out.data_blocks++;
    b->out.data_disk_bytes += on_disk;
    b->out.data_payload_bytes += payload;
    b->out.total_uncompressed_bytes += HFILE_HEADER_BYTES + payload;
    b->offset += on_disk;
    if (b->leaf_entries++ == 0)
        b->leaf_first_key_bytes = key_bytes;
    b->leaf_bytes += INDEX_ENTRY_BYTES + key_bytes;
    b->leaf_root_bytes += root_entry_bytes(key_bytes);
    write_ready_chunks(b, &b->bloom, false);
    write_ready_chunks(b, &b->delete_family, false);
}

void hfile_builder_cell(struct hfile_builder *b, uint64_t kv_bytes, uint32_t key_bytes)
{
    if (kv_bytes > b->biggest_cell_bytes) {
        b->biggest_cell_bytes = kv_bytes;
        b->biggest_key_bytes = key_bytes;
    }
    b->last_key_bytes = key_bytes;
}

static uint64_t root_bytes(const struct hfile_builder *b)
{
    uint64_t n = 0;

    for (size_t i = 0; i < b->root_count; i++)
        n += root_entry_bytes(b->root_key[i]);
    return n;
}

static void write_intermediate(struct hfile_builder *b, size_t from, size_t to)
{
    uint64_t bytes = 0, payload;
    struct hfile_inline_block block = {.after_data_block = b->out.data_blocks, .entries = to - from};

    for (size_t i = from; i < to; i++)
        bytes += INDEX_ENTRY_BYTES + (uint64_t)b->root_key[i];
    payload = nonroot_block_bytes(to - from, bytes);
    block.payload_bytes = payload;
    block.on_disk_bytes = hfile_block_disk_bytes(payload);
    block.first_key_bytes = b->root_key[from];
    if (hfile_inline_push(&b->out.intermediates, &block))
        b->error = HFILE_NOMEM;
    add_block(b, payload);
    b->out.uncompressed_index_bytes += payload;
}

/* HFileBlockIndex.writeIntermediateLevel. The 16 entries that a block must have are counted from the
   level's start, so only the first block is held to them (HBASE-16288). */
static void add_level(struct hfile_builder *b)
{
    size_t from = 0, parents = 0;
    uint64_t bytes = 0;

    for (size_t i = 0; i < b->root_count; i++) {
        bytes += root_entry_bytes(b->root_key[i]);
        if ((i >= b->opt.index_min_entries && bytes >= b->opt.index_block_bytes) || i + 1 == b->root_count) {
            write_intermediate(b, from, i + 1);
            b->root_key[parents++] = b->root_key[from];
            from = i + 1;
            bytes = 0;
        }
    }
    b->root_count = parents;
}

static void write_root(struct hfile_builder *b)
{
    uint64_t payload;

    if (b->root_count == 0) {
        payload = b->leaf_root_bytes;
        b->out.root_entries = (uint32_t)b->leaf_entries;
    } else {
        b->out.index_levels = 2;
        while (root_bytes(b) > b->opt.index_block_bytes && b->root_count > b->opt.index_min_entries &&
               b->out.index_levels < MAX_INDEX_LEVELS) {
            add_level(b);
            b->out.index_levels++;
        }
        payload = root_bytes(b) + MIDKEY_BYTES;
        b->out.root_entries = (uint32_t)b->root_count;
    }
    b->out.load_on_open_offset = b->offset;
    b->out.root_block_bytes = hfile_block_disk_bytes(payload);
    b->out.uncompressed_index_bytes += payload;
    add_block(b, payload);
}

static uint64_t write_bloom_meta(struct hfile_builder *b, const struct hfile_bloom_builder *f, bool rowcol)
{
    uint64_t payload = BLOOM_META_BYTES + BLOOM_CHUNK_BYTES * f->chunks + f->meta_key_bytes;

    if (f->keys == 0)
        return 0;
    if (rowcol)
        payload += ROWCOL_COMPARATOR_BYTES;
    add_block(b, payload);
    b->out.total_uncompressed_bytes += HFILE_HEADER_BYTES + payload;
    return hfile_block_disk_bytes(payload);
}

int hfile_builder_finish(struct hfile_builder *b, const struct hfile_inputs *inputs)
{
    struct hfile_layout *out = &b->out;
    uint64_t info;

    if (b->root_count > 0 && b->leaf_entries > 0)
        write_leaf(b);
    write_ready_chunks(b, &b->bloom, true);
    write_ready_chunks(b, &b->delete_family, true);
    write_root(b);
    out->meta_index_block_bytes = hfile_block_disk_bytes(0);
    add_block(b, 0);
    out->file_info_offset = b->offset;
    info = hfile_info_bytes(b, inputs);
    out->file_info_block_bytes = hfile_block_disk_bytes(info);
    add_block(b, info);
    out->total_uncompressed_bytes += 2 * HFILE_HEADER_BYTES + info + HFILE_TRAILER_BYTES;
    out->bloom_meta_block_bytes = write_bloom_meta(b, &b->bloom, b->opt.bloom == HFILE_BLOOM_ROWCOL);
    write_bloom_meta(b, &b->delete_family, false);
    out->file_bytes = b->offset + HFILE_TRAILER_BYTES;
    out->bloom_keys = b->bloom.keys;
    out->bloom_max_keys = b->bloom.max_keys;
    out->bloom_total_bytes = b->bloom.total_bytes;
    out->bloom_hashes = b->bloom.keys > 0 ? b->bloom.hashes : 0;
    if (out->data_blocks > 0)
        out->mid_block = out->index_levels > 1 ? (out->data_blocks - 1) / 2 : out->data_blocks / 2;
    return b->error;
}
