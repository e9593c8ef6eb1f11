/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A store file: what a flush or a compaction wrote, or what a split left of it as a reference or a link.
   Its length is HBase's to the byte where every key is kept (exact.c writes it cell by cell), else laid
   out from a sample of the keys. */
#ifndef HBASE_MODEL_STOREFILE_H
#define HBASE_MODEL_STOREFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "des/time.h"
#include "hbase/model/sample.h"
#include "hbase/rules/hfile.h"
#include "hbase/rules/retention.h"
#include "hbase/rules/split_policy.h"

/* What each row adds to a store, the same for all rows of a table but for the row's length. */
struct family_shape {
    uint32_t name_bytes;
    size_t columns;
    struct hfile_column *column;    /* in qualifier order, owned by the table */
    const char **qualifier;         /* their names; the strings are the spec's */
    bool numbered;                  /* a flat-wide row: cell k has the qualifier be32(k), sizes of column 0 */
    uint32_t table_name_bytes;      /* a link's file name holds it */
    uint64_t fixed_data_bytes;      /* data size of a row's cells without the row keys in them */
    struct hfile_options options;
    struct retention_config retention;
    struct entities_in_turn {       /* rows by time whose entities report one after the other; to 0: they don't */
        uint32_t from, to;          /* where the entity's number stands in a row */
        double base, apart;         /* of its digits; from a row's number to that of the region's next */
        double ms_apart;            /* from a millisecond with rows to the region's next, where only the time is salted */
        bool even;                  /* a millisecond has its rows evenly: unsalted, salted by the time alone, or neighbours'
                                       hashes are neighbours */
    } turn;
    uint64_t neighbour_ms;          /* between neighbouring rows of a file; 0: as their event times lie */
};

struct hfile {
    uint64_t bytes;                 /* as reported: a reference has its parent's full length */
    uint64_t rows, cells;
    uint64_t reported_cells;        /* as HBase tells: a reference has half its parent's */
    uint64_t seqid_vint_bytes;      /* of all cells */
    uint64_t max_seqid;
    uint64_t row_bytes;             /* sum of the row keys' lengths */
    uint64_t min_timestamp_ms, max_timestamp_ms;
    struct sample_part part;        /* the keys inside */
    uint8_t *mid_row;               /* row of the midkey; NULL: a file without cells */
    size_t mid_row_bytes;
    uint64_t data_blocks;
    uint32_t index_levels;
    uint32_t name;                  /* its number within the store */
    uint32_t name_bytes;
    uint32_t *inputs;               /* names that its file info lists as compacted into it */
    size_t inputs_len;
    bool reference;
    bool link;
    bool compacting;
    bool major;
    des_time created;
};

/* Sums over the rows that a file is written from. */
struct storefile_rows {
    uint64_t rows, cells, seqid_vint_bytes, row_bytes;
    uint64_t min_timestamp_ms, max_timestamp_ms;
};

struct storefile_job {
    const struct family_shape *shape;
    const struct sample_part *parts;
    size_t parts_len;
    struct sample_budget *budget;
    struct storefile_rows sums;     /* of all parts; exact files count for themselves */
    struct hfile_inputs inputs;
    struct retention_pass pass;
    des_time now;
};

/* Writes what the parts hold: exactly where all of them are whole and the budget allows another of the
   kind. NULL without memory. */
struct hfile *storefile_write(const struct storefile_job *job);
void hfile_free(struct hfile *f);

/* exact.c: the same cell by cell, of whole samples. 0, or -1 without memory. */
int exact_write(const struct storefile_job *job, struct hfile *f);

/* A file as a split sees it; the rows stay the file's. */
void storefile_view(const struct hfile *f, struct split_file *out);

/* Where a region is cut. */
struct split_cut {
    const uint8_t *key;
    size_t len;
    uint32_t table_name_bytes;
};

/* What a daughter gets of |f|: the lower or the upper part, as a reference, a link, or nothing
   (NULL). Sets *failed without memory. */
struct hfile *storefile_daughter(const struct hfile *f, const struct split_cut *cut_at, bool upper,
                                 bool *failed);

/* What a merged region gets of |f|: a reference to all of it. NULL without memory. */
struct hfile *storefile_merged(const struct hfile *f);

#endif
