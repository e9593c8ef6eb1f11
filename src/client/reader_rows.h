/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table's rows as queries find them at a moment of a run, without keeping them: how many rows lie below
   a key, and the keys of the newest ones. Row keys come from the stream through the library's builder;
   counts from the law of the stream:

   - where rows of a bucket lie in the order of their writing (the key begins with the time, or with a
     running number), a key's rank is that of the stream's first row behind it, times its bucket's share;
   - elsewhere from a sorted sample of the stream's keys, and the rows of one entity from the entity's
     share of the stream.

   It is a scan_table (client/scan.h): ranges and merge run on it as on any table. */
#ifndef CLIENT_READER_ROWS_H
#define CLIENT_READER_ROWS_H

#include "client/scan.h"
#include "hbase/model/model.h"
#include "workload/keystream.h"

enum { READER_GRID = 4096 };

enum reader_order {
    READER_ORDER_UP,          /* later rows of a bucket have larger keys */
    READER_ORDER_DOWN,        /* smaller ones */
    READER_ORDER_OTHER
};

/* Numbers of a bucket's newest rows, newest first: rows of the stream, or reports of the entity. */
struct reader_newest {
    uint64_t *rows;
    size_t len, cap;
};

/* Rows of one entity, contiguous in each bucket: rows in [start, stop) are |rows| in all. */
struct reader_entity {
    bool set;
    struct saltkey_slice start, stop; /* natural keys */
    double rows;
    int bucket;               /* all of them there; -1: spread over the buckets */
    bool down;                /* the newest has the smallest key */
    uint64_t entity;
    int64_t to_ms;            /* its last report, and the time from one to the next */
    double every_ms;
};

struct reader_rows {
    struct model *model;
    const struct table *table;
    const struct keystream *keys;
    enum reader_order order;
    uint64_t horizon;         /* rows of the stream in the whole run */
    uint8_t *grid;            /* READER_GRID natural keys, sorted */
    uint16_t *grid_lens;
    size_t grid_len, slot;
    uint32_t buckets;
    double *share;            /* of each bucket */
    struct saltkey_keys starts; /* where buckets 1, 2 ... begin */
    struct scan_cell *cells[2]; /* of a row in the memstore, in a file */
    size_t cells_len;
    struct scan_shape shape[2];
    double row_bytes;         /* of a row's cells as KeyValues */
    /* the moment */
    uint64_t written;         /* the stream's rows below this are there */
    uint64_t *first;          /* buckets + 1: number of each bucket's first row */
    struct saltkey_keys splits;
    int *region;              /* ids in key order, splits.count + 1 of them */
    uint64_t *low;            /* rank of each region's start, and of the end */
    size_t regions_cap;
    struct reader_entity entity;
    struct reader_newest *newest; /* by bucket */
    uint64_t *newest_at;      /* number of each bucket's newest row */
    bool kept_known;          /* |newest| has the newest |kept| of the first |kept_of| rows of the stream */
    uint64_t kept, kept_of;
    uint8_t *slots;           /* keys handed to the merge */
    struct scan_table view;
};

/* 0 or an enum model_error. |keys| is the stream that writes the table, |horizon| its rows in the run. */
int reader_rows_init(struct reader_rows *rr, struct model *m, const struct table *t, const struct keystream *keys,
                     uint64_t horizon);
void reader_rows_free(struct reader_rows *rr);

/* Looks at the model as it is now: boundaries, rows written. To be called before anything is asked. */
int reader_rows_now(struct reader_rows *rr);

/* Rows whose event time lies before |ms| among those written. */
uint64_t reader_rows_before(const struct reader_rows *rr, int64_t ms);

/* Share of the rows that report of |entity|. */
double reader_entity_share(const struct arrivals *a, uint64_t entity);

/* Keeps the numbers of the newest |n| rows, so that the merge can have their keys: of all rows, or of
   rr->entity where it is set. 0 or a model_error. */
int reader_rows_keep_newest(struct reader_rows *rr, uint64_t n);
int reader_rows_keep_entity(struct reader_rows *rr, uint64_t n);

/* Puts a bucket's newest rows, which come newest first, in the order that the merge demands: rows of one
   millisecond lie in that of their keys. For rows that lie in the order of their writing. 0 or a model_error. */
int reader_newest_sort(const struct reader_rows *rr, struct reader_newest *nw);

/* Rows of a region in its memstore: active and snapshot. Files of all its families. */
uint64_t region_memstore_rows(const struct region *r);
uint32_t region_files(const struct region *r, size_t families);

/* The region's place in rr->region; SIZE_MAX where it isn't there. */
size_t reader_rows_region_of(const struct reader_rows *rr, struct saltkey_slice key);

#endif
