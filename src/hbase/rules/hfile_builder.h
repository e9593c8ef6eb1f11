/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_HFILE_BUILDER_H
#define HBASE_RULES_HFILE_BUILDER_H

#include "hbase/rules/hfile.h"

/* What the two ways to a layout (hfile_writer, hfile_layout_runs) share: blocks come in, the layout
   comes out. Not for other rooms. */

struct hfile_bloom_builder {
    uint64_t capacity;        /* keys of a chunk; 0 = no bloom filter */
    uint64_t keys;
    uint64_t in_chunk;        /* keys of the chunk that is being filled */
    uint64_t written;         /* chunks written to the file so far */
    uint64_t meta_key_bytes;  /* sum of vint and first key of all chunks */
    uint64_t total_bytes, max_keys;
    uint64_t chunks;
    uint32_t hashes;
    uint32_t first_key_bytes; /* of the chunk that is being filled */
    uint32_t last_key_bytes;
    struct hfile_inline_list ready; /* full, waiting for the end of a data block */
    size_t ready_done;
};

struct hfile_builder {
    struct hfile_options opt;
    struct hfile_layout out;
    uint64_t offset;
    uint64_t leaf_entries, leaf_bytes, leaf_root_bytes; /* the leaf index block being filled */
    uint32_t leaf_first_key_bytes;
    uint32_t *root_key;       /* key lengths of root entries, once leaves are written */
    size_t root_count, root_capacity;
    struct hfile_bloom_builder bloom, delete_family;
    uint64_t biggest_cell_bytes;
    uint32_t biggest_key_bytes, last_key_bytes;
    int error;
};

/* Zeroes |b|. HFILE_INVALID where the options make no sense. */
int hfile_builder_init(struct hfile_builder *b, const struct hfile_options *o);
void hfile_builder_free(struct hfile_builder *b);

/* Adds |keys| keys of one length to a bloom filter; does nothing to one without capacity. */
void hfile_builder_bloom(struct hfile_builder *b, struct hfile_bloom_builder *f, uint64_t keys,
                         uint32_t key_bytes);
/* Ends a data block: |payload| as encoded, |key_bytes| of its index entry. Leaf index blocks and bloom
   chunks that are due follow it. */
void hfile_builder_block(struct hfile_builder *b, uint64_t payload, uint32_t key_bytes);
/* Remembers the biggest cell (the first of equals): its key stands in the file info. */
void hfile_builder_cell(struct hfile_builder *b, uint64_t kv_bytes, uint32_t key_bytes);
/* Writes what follows the last data block. Returns 0 or an error met on the way. */
int hfile_builder_finish(struct hfile_builder *b, const struct hfile_inputs *inputs);

/* Payload of the file info block. */
uint64_t hfile_info_bytes(const struct hfile_builder *b, const struct hfile_inputs *inputs);

int hfile_inline_push(struct hfile_inline_list *l, const struct hfile_inline_block *item);

/* True where a block with these bytes ends before the next cell (HFileWriterImpl.checkBlockBoundary). */
bool hfile_block_full(const struct hfile_options *o, double unencoded, double encoded);
/* Bytes that count as encoded in a block before its first cell, and those that come at its end. */
uint32_t hfile_block_head_bytes(enum hfile_encoding e);
uint32_t hfile_block_tail_bytes(enum hfile_encoding e);
/* Bytes that each row of a block adds beside its cells (ROW_INDEX_V1's offsets). */
uint32_t hfile_block_row_bytes(enum hfile_encoding e);

#endif
