/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_HFILE_H
#define HBASE_RULES_HFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The layout of an HFile (HBase 2.6, version 3.3: HFileWriterImpl, HFileBlockIndex,
   CompoundBloomFilterWriter, StoreFileWriter) without its bytes: where blocks end, how long
   everything is, which block the midkey comes from. Exact to the byte for compression NONE.
   Two ways to the same layout: hfile_writer takes every cell in order, hfile_layout_runs takes
   runs of rows of one shape and costs O(blocks). */

enum hfile_error { HFILE_NOMEM = -1, HFILE_INVALID = -2 };

enum hfile_encoding {
    HFILE_ENCODING_NONE,
    HFILE_ENCODING_PREFIX,
    HFILE_ENCODING_DIFF,
    HFILE_ENCODING_FAST_DIFF,
    HFILE_ENCODING_ROW_INDEX_V1
};
enum hfile_bloom { HFILE_BLOOM_ROW, HFILE_BLOOM_NONE, HFILE_BLOOM_ROWCOL };

enum {
    HFILE_HEADER_BYTES = 33,
    HFILE_CHECKSUM_BYTES = 4,            /* for each HFILE_CHECKSUM_SPAN_BYTES of header and data */
    HFILE_CHECKSUM_SPAN_BYTES = 16384,
    HFILE_TRAILER_BYTES = 4096,
    HFILE_NAME_BYTES = 32,
    HFILE_TYPE_PUT = 4,
    HFILE_TYPE_DELETE = 8,
    HFILE_TYPE_DELETE_FAMILY_VERSION = 10,
    HFILE_TYPE_DELETE_COLUMN = 12,
    HFILE_TYPE_DELETE_FAMILY = 14
};

struct hfile_options {
    enum hfile_encoding encoding;
    enum hfile_bloom bloom;
    uint32_t block_bytes;         /* BLOCKSIZE: 65,536 */
    uint32_t index_block_bytes;   /* hfile.index.block.max.size: 131,072 */
    uint32_t index_min_entries;   /* hfile.index.block.min.entries: 16 */
    uint32_t bloom_block_bytes;   /* io.storefile.bloom.block.size: 131,072 */
    double bloom_error_rate;      /* io.storefile.bloom.error.rate: 0.01 */
    double encoded_block_ratio;   /* hbase.writer.unified.encoded.blocksize.ratio: 0 */
    double compression_ratio;     /* compressed / encoded bytes of a data block: 1 without */
};
void hfile_options_default(struct hfile_options *o);

/* One cell. Rows must come in key order. A NULL qualifier stands for one that differs from its
   neighbour's in the last byte, a NULL value for one that differs from its neighbour's. */
struct hfile_cell {
    const uint8_t *row;
    const uint8_t *qualifier;
    const uint8_t *value;
    uint32_t row_bytes;
    uint32_t family_bytes;
    uint32_t qualifier_bytes;
    uint32_t value_bytes;
    uint64_t timestamp_ms;
    uint64_t seqid;
    uint8_t type;                 /* 0 counts as HFILE_TYPE_PUT */
};

struct hfile_inline_block {
    uint64_t after_data_block;    /* number of data blocks before it */
    uint64_t on_disk_bytes;
    uint64_t payload_bytes;
    uint64_t entries;             /* index entries, or keys of a bloom chunk */
    uint32_t first_key_bytes;
};
struct hfile_inline_list {
    struct hfile_inline_block *item;
    size_t count;
    size_t capacity;
};

struct hfile_layout {
    uint64_t file_bytes;
    uint64_t load_on_open_offset;
    uint64_t file_info_offset;
    uint64_t last_data_block_offset;   /* 0 also when there is none: see data_blocks */
    uint64_t cells;
    uint64_t rows;                     /* changes of row + 1 */
    uint64_t data_blocks;
    uint64_t data_disk_bytes;
    uint64_t data_payload_bytes;       /* as encoded, before compression, without headers */
    uint64_t unencoded_bytes;          /* sum of L + sequence id bytes */
    uint64_t seqid_vint_bytes;
    uint64_t total_uncompressed_bytes;
    uint64_t uncompressed_index_bytes; /* payloads of all index blocks */
    uint32_t index_levels;
    uint32_t root_entries;
    uint64_t root_block_bytes;
    uint64_t meta_index_block_bytes;
    uint64_t file_info_block_bytes;
    uint64_t bloom_meta_block_bytes;   /* general bloom; 0 without */
    uint64_t bloom_total_bytes;        /* payload of all chunks, folded */
    uint64_t bloom_keys;
    uint64_t bloom_max_keys;
    uint32_t bloom_hashes;
    uint64_t delete_family_cells;
    struct hfile_inline_list leaves, intermediates, bloom_chunks;

    /* Midkey: the index key of block N/2 (one level) or (N - 1)/2 (more). */
    uint64_t mid_block;
    uint64_t mid_cell;                 /* index of that block's first cell in the file */
    uint64_t mid_row_index;            /* index of that cell's row in the file */
    bool mid_inside_row;               /* the cell before it is of the same row: the key is that row */

    /* Rows, filled by hfile_writer only (hfile_layout_runs leaves them NULL). */
    uint8_t *mid_row, *first_row, *last_row;
    size_t mid_row_bytes, first_row_bytes, last_row_bytes;
};
void hfile_layout_free(struct hfile_layout *l); /* frees what |l| owns and zeroes it */

/* Names of a compaction's inputs stand in the output's file info (COMPACTION_EVENT_KEY), also those
   of inputs' inputs that still wait for the discharger. NULL and 0 for a flush. */
struct hfile_inputs {
    const uint32_t *name_bytes;
    size_t count;
};
/* Length of a file's name: plain 32; a reference 33 more than what it points to; a link
   66 + the table's name. */
uint32_t hfile_name_bytes(bool link, bool reference, uint32_t table_name_bytes);

struct hfile_writer;
/* NULL without memory or where the options make no sense (block or index size 0). */
struct hfile_writer *hfile_writer_new(const struct hfile_options *o);
void hfile_writer_del(struct hfile_writer *w);
/* Copies what it needs of |c|. HFILE_NOMEM, or HFILE_INVALID if the row sorts before the last one. */
int hfile_writer_append(struct hfile_writer *w, const struct hfile_cell *c);
/* Closes the file and fills |out| (owned by the caller from then on). The writer can only be deleted
   afterwards. */
int hfile_writer_finish(struct hfile_writer *w, const struct hfile_inputs *inputs,
                        struct hfile_layout *out);

/* ---- fast path: rows of one shape ---- */

struct hfile_column {                  /* one cell of each row of a shape */
    uint32_t qualifier_bytes;
    uint32_t value_bytes;
    uint32_t qualifier_separator_bytes; /* of the shortest separator to the qualifier before; 0 = its length */
    double encoded_bytes;              /* mean, where not the first of a block, without the sequence id;
                                          unused with NONE */
};
struct hfile_shape {
    uint32_t row_bytes;
    uint32_t family_bytes;
    const struct hfile_column *column; /* at least one, in qualifier order */
    size_t columns;
};
struct hfile_run {
    const struct hfile_shape *shape;
    uint64_t rows;
    double seqid_vint_bytes;           /* of each cell; a mean where ids are mixed */
};

/* Length of the shortest separator between the rows |row| - 1 and |row| (from 0) of the file, asked
   for once a block, in order. Block k's index key has that row and no family or qualifier. */
typedef uint32_t hfile_separator_fn(void *arg, uint64_t row);

struct hfile_runs {
    const struct hfile_run *run;       /* in key order */
    size_t count;
    hfile_separator_fn *separator;     /* NULL: as long as the row */
    void *arg;
    struct hfile_inputs inputs;
};
/* Fills |out| but for the rows; equal to the writer when the runs say the truth. O(blocks + runs). */
int hfile_layout_runs(const struct hfile_options *o, const struct hfile_runs *in,
                      struct hfile_layout *out);

/* ---- faster still: one run, no walk ---- */

struct hfile_estimate {
    uint64_t file_bytes, data_blocks, mid_block;
    uint64_t mid_row_index;            /* row that block |mid_block| begins with */
    uint32_t index_levels;
};
/* The layout of one run without walking its blocks: costs as many blocks as a row has columns (at most 256, else
   HFILE_INVALID), whatever the rows. Data blocks and the middle row are exact, the length but for the index
   (keys of the mean length): exact with one column, within 0.02 % of hfile_layout_runs else. For `flow`, where
   a file is one of millions. |separator_bytes| is the mean. A compaction's output is longer by its inputs'
   names (2 bytes more than each). */
int hfile_estimate(const struct hfile_options *o, const struct hfile_run *run, double separator_bytes,
                   struct hfile_estimate *out);

/* ---- small rules ---- */

/* Bytes of a sequence id (WritableUtils.writeVLong): 1 below 128, 2 below 256, 3 below 65,536, ... */
uint32_t hfile_vint_bytes(uint64_t v);
/* Sum over the ids from..to-1, each once. */
uint64_t hfile_vint_bytes_sum(uint64_t from, uint64_t to);
/* A block on disk: 33 + payload + 4 for each 16 KiB begun. */
uint64_t hfile_block_disk_bytes(uint64_t payload_bytes);

/* HFileWriterImpl.getMinimumMidpointArray: shortest key above |left| and not above |right|, never longer than
   |right|. Writes it to |out| (room for right_bytes; NULL to ask for the length only) and returns its
   length; 0 where the two are equal. */
size_t hfile_shortest_separator(const uint8_t *left, size_t left_bytes, const uint8_t *right,
                                size_t right_bytes, uint8_t *out);

/* Bytes that |c| takes in a data block after |prev| (NULL: first of its block), without its sequence
   id: the five DataBlockEncoders. */
uint64_t hfile_encoded_cell_bytes(enum hfile_encoding e, const struct hfile_cell *prev,
                                  const struct hfile_cell *c);

/* Keys that a bloom chunk of |block_bytes| takes (BloomFilterUtil): 109,306 with defaults. */
uint64_t hfile_bloom_capacity(uint32_t block_bytes, double error_rate, uint32_t *hashes);
/* Length of a chunk that holds |keys|, after folding; |max_keys| (may be NULL) folds with it. */
uint64_t hfile_bloom_folded_bytes(uint32_t block_bytes, uint64_t keys, uint64_t *max_keys);

#endif
