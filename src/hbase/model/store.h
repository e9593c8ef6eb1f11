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
#include "hbase/model/storefile.h"
#include "hbase/rules/memstore.h"

/* What one put (or delete) brings to a family; type 0 is a put. */
struct put_cells {
    uint64_t timestamp_ms;
    uint32_t column;                /* number of the first cell's column */
    uint32_t cells;                 /* 0: nothing */
    uint8_t type;                   /* HFILE_TYPE_ */
};

/* What a memstore or its snapshot holds. */
struct memstore {
    uint64_t rows, cells;
    uint64_t data_bytes;
    uint64_t heap_bytes;            /* of the cells; the store's own 256 bytes are not in it */
    uint64_t seqid_vint_bytes;
    uint64_t row_bytes;
    uint64_t min_timestamp_ms, max_timestamp_ms; /* 0: not known */
    struct sample_builder sample;
};

/* A file that was compacted away and waits for the discharger. */
struct waiting_file {
    uint32_t name, name_bytes;
    bool reference;
};

struct store {
    const struct family_shape *shape;
    struct memstore active;
    struct memstore snapshot;
    uint64_t row_len, row_heap;     /* the last length asked for, and the heap of such a row's cells */
    bool has_snapshot;
    des_time oldest_edit;           /* that is in no snapshot; DES_NEVER */
    bool edit_listed;               /* it waits in the periodic flusher's list */
    uint64_t wal_from, wal_snapshot_from; /* where its oldest unflushed edit lies in its server's log, and its
                                       snapshot's (SequenceIdAccounting keeps them by family); UINT64_MAX */
    struct hfile **files;           /* oldest first */
    size_t files_len, files_cap;
    uint64_t files_bytes;           /* of all files, as reported */
    struct waiting_file *waiting;
    size_t waiting_len;
    uint32_t names;                 /* files that this store ever had */
};

int store_init(struct store *st, const struct family_shape *shape, size_t key_max, struct sample_budget *budget);
void store_free(struct store *st);

/* So many bytes of heap are flushed at a time: how many rows a memstore will see. */
void store_expect(struct store *st, uint64_t flush_bytes);

/* |rows| rows of |len| bytes each came in under one sequence id. The sample isn't touched. */
void store_add_rows(struct store *st, uint64_t rows, uint64_t len, uint64_t seqid);

/* One put of a row of |len| bytes that brings |p| alone. */
void store_add_put(struct store *st, uint64_t len, const struct put_cells *p, uint64_t seqid);

/* Event times of the rows that came in, where the sample doesn't keep them. */
void store_add_times(struct store *st, uint64_t from_ms, uint64_t to_ms);

/* Heap as every trigger of HBase sees it: 256 + cells, and a snapshot's with its 240. */
static inline uint64_t store_heap_bytes(const struct store *st)
{
    return MEMSTORE_EMPTY_HEAP_BYTES + st->active.heap_bytes +
           (st->has_snapshot ? st->snapshot.heap_bytes + MEMSTORE_SNAPSHOT_HEAP_BYTES : 0);
}

/* Data size as HBase reports it, the snapshot included. */
uint64_t store_data_bytes(const struct store *st);

/* Sum of the files' reported lengths (HStore.getSize). */
uint64_t store_bytes(const struct store *st);

/* Files that hold references, live or waiting for the discharger. */
bool store_has_references(const struct store *st);

/* The active memstore becomes the snapshot. Nothing where it is empty: false. */
bool store_snapshot(struct store *st);

/* The file that the snapshot makes (owned by the caller until store_commit). NULL without memory. */
struct hfile *store_write_snapshot(struct store *st, uint64_t seqid, uint64_t now_ms, des_time now);

/* Appends the flushed file and forgets the snapshot. */
int store_commit(struct store *st, struct hfile *file);

/* Files [first, first + count) of a store. */
struct store_span {
    size_t first, count;
};

/* A new file of what the span holds; its files stay. NULL without memory. */
struct hfile *store_write_compacted(const struct store *st, const struct store_span *span,
                                    uint64_t now_ms, des_time now);

/* Puts |file| in the span's place; its files are freed but wait, by name, for the discharger. */
int store_replace(struct store *st, const struct store_span *span, struct hfile *file);

/* Takes file |i| out without writing it again; it waits for the discharger. 0, or -1 without memory. */
int store_drop(struct store *st, size_t i);

/* References that wait for the discharger. */
size_t store_waiting_references(const struct store *st);

/* The chore's work: nothing waits any longer. */
void store_discharge(struct store *st);

/* By sequence id, then the longest first (StoreFileComparators.SEQ_ID). */
void store_sort(struct store *st);

/* Takes the file over, as the newest. */
int store_append(struct store *st, struct hfile *file);

#endif
