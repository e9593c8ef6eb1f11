/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A store: one family of one region, its memstore and its files. The sizes are HBase's to the byte
   (hbase/rules/memstore.h, hfile.h); the keys are samples. */
#ifndef HBASE_MODEL_STORE_H
#define HBASE_MODEL_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "des/time.h"
#include "hbase/model/sample.h"
#include "hbase/rules/hfile.h"
#include "hbase/rules/split_policy.h"

/* What each row adds to a store, the same for all rows of a table but for the row's length. */
struct family_shape {
    uint32_t name_bytes;
    size_t columns;
    struct hfile_column *column;    /* in qualifier order, owned by the table */
    uint32_t table_name_bytes;      /* a link's file name holds it */
    uint64_t fixed_data_bytes;      /* data size of a row's cells without the row keys in them */
    struct hfile_options options;
};

/* A file on disk. */
struct hfile {
    uint64_t bytes;                 /* as reported: a reference has its parent's full length */
    uint64_t rows, cells;
    uint64_t seqid_vint_bytes;      /* of all cells */
    uint64_t max_seqid;
    uint64_t row_bytes;             /* sum of the row keys' lengths */
    struct sample_part part;        /* the keys inside */
    uint64_t data_blocks;
    uint64_t mid_row_index;         /* row of the middle block's first cell */
    uint32_t index_levels;
    uint32_t name_bytes;
    bool reference;
    bool link;
    bool compacting;
    des_time created;
};

/* What a memstore or its snapshot holds. */
struct memstore {
    uint64_t rows, cells;
    uint64_t data_bytes;
    uint64_t heap_bytes;            /* of the cells; the store's own 256 bytes are not in it */
    uint64_t seqid_vint_bytes;
    uint64_t row_bytes;
    struct sample_builder sample;
};

struct store {
    const struct family_shape *shape;
    struct memstore active;
    struct memstore snapshot;
    bool has_snapshot;
    struct hfile **files;           /* oldest first */
    size_t files_len, files_cap;
    size_t waiting_references;      /* compacted away, not yet discharged */
    uint32_t *waiting_names;        /* lengths of the names of all files that wait for the discharger */
    size_t waiting_names_len;
};

int store_init(struct store *st, const struct family_shape *shape, size_t key_max, size_t sample_cap);
void store_free(struct store *st);

/* |rows| rows of |row_bytes| in all came in under one sequence id. The sample isn't touched. */
void store_add_rows(struct store *st, uint64_t rows, uint64_t row_bytes, uint64_t seqid);

/* Heap as every trigger of HBase sees it: 256 + cells, and a snapshot's with its 240. */
uint64_t store_heap_bytes(const struct store *st);

/* Data size as HBase reports it, the snapshot included. */
uint64_t store_data_bytes(const struct store *st);

/* Sum of the files' reported lengths (HStore.getSize). */
uint64_t store_bytes(const struct store *st);

/* Files that hold references, live or waiting for the discharger. */
bool store_has_references(const struct store *st);

/* The active memstore becomes the snapshot. Nothing where it is empty: false. */
bool store_snapshot(struct store *st);

/* Length of the file that the snapshot makes, and the file itself (owned by the caller until
   store_commit). NULL without memory. */
struct hfile *store_write_snapshot(struct store *st, uint64_t seqid, des_time now);

/* Appends the flushed file and forgets the snapshot. */
int store_commit(struct store *st, struct hfile *file);

/* A new file of what files [first, first + count) hold; they stay. NULL without memory. */
struct hfile *store_write_compacted(const struct store *st, size_t first, size_t count, size_t sample_cap,
                                    des_time now);

/* Puts |file| in the place of [first, first + count), which are freed; references among them wait for
   the discharger. */
void store_replace(struct store *st, size_t first, size_t count, struct hfile *file);

/* The chore's work: nothing waits any longer. */
void store_discharge(struct store *st);

int store_append(struct store *st, struct hfile *file);
void hfile_free(struct hfile *f);

/* A file as a split sees it, its rows written into |rows| (3 slots of |slot| bytes, owned by the
   caller: middle, first, last). */
void store_split_file(const struct hfile *f, uint8_t *rows, size_t slot, struct split_file *out);

/* Where a region is cut. */
struct split_cut {
    const uint8_t *key;
    size_t len;
    uint32_t table_name_bytes;
};

/* What a daughter gets of |f|: the lower or the upper part, as a reference, a link, or nothing
   (NULL). Sets *failed without memory. */
struct hfile *store_daughter_file(const struct hfile *f, const struct split_cut *cut_at, bool upper,
                                  bool *failed);

#endif
