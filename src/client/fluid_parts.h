/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What src/client/fluid.c and fluid_arrivals.c share: the rows that wait, by region, and the sources. */
#ifndef CLIENT_FLUID_PARTS_H
#define CLIENT_FLUID_PARTS_H

#include "client/fluid.h"

/* Rows that are routed together. */
#define FLUID_BATCH 4096

/* Rows of one step that wait for a region: |count| of the stream's rows [from, to). */
struct chunk {
    uint64_t from, to;
    uint64_t count;
    uint32_t source;
};

struct fluid_region {
    struct chunk *chunks;         /* a ring, oldest first */
    size_t first, len, cap;
    uint64_t rows;                /* in all chunks */
    uint64_t arrived;             /* in the present step */
    double carry;                 /* fractions of a row: of its share of the arrivals (flow) */
    double served;                /* the same of its share of a full server's capacity */
    double batches;               /* fractions of a batch that were not counted yet */
    bool listed;                  /* in fluid.waiting */
    uint32_t bucket;              /* the only one of stream |bucket_source| whose rows lie in it, as of ... */
    uint32_t bucket_source;
    uint64_t bucket_as_of;        /* this fluid.bucket_round; 0: there is none, or several */
};

struct fluid_source {
    struct fluid_input in;
    uint64_t next;                /* first row that the clients haven't handed over */
    uint64_t step_rows;           /* that they handed over in the present step */
    size_t row_bytes;             /* of each row; the mean where they differ */
    double rows_per_submission;
    uint64_t *bucket_rows;        /* of the rows sampled for bucket shares */
    uint64_t bucket_rows_all;
    struct { int region; double share; } *shares;
    size_t shares_len, shares_cap;
    uint64_t *counts;             /* of a step: rows of each bucket, then the bucket's region */
    struct key_route *routes;     /* BATCH of them */
    uint64_t *numbers;
    struct key_source keys;
    struct entity_list *lists;    /* by region id, where rows are found by their entity */
    size_t lists_cap;
};

/* Region that a row of the source lies in. */
int fluid_find_region(struct fluid *f, const struct fluid_source *s, uint64_t row, const struct key_route *r);

/* The region's part, made where there is none yet; NULL without memory (the model has then failed). */
struct fluid_region *fluid_region_of(struct fluid *f, int id);

/* All rows that the source's bucket has now lie in the region |id|. */
void fluid_note_bucket(struct fluid *f, int id, uint32_t source, uint32_t bucket);

/* The next row of the chunk at or behind *row that lies in the region |id|, from the chunk's begin where none follows;
   found by its entity, where the keys allow. False, and *row untouched, where they don't. */
bool fluid_row_of_region(struct fluid *f, const struct chunk *c, int id, uint64_t *row);
void fluid_entities_free(struct fluid_source *s);

/* Rows begin to wait for a region. */
void fluid_push(struct fluid *f, int id, const struct chunk *c);

/* Rows that a server which does nothing else writes in |span|. */
static inline double fluid_capacity(const struct fluid *f, des_time span)
{
    return des_time_to_s(span) * f->model->spec->server.write_capacity_per_s;
}

/* The same of one server in the step that ends |to|, with its pauses and beside its reads. */
double fluid_room(const struct fluid *f, size_t server, des_time to, des_time step);

/* The region takes writes now. */
bool fluid_can_write(const struct fluid *f, const struct region *g);

/* Finds the regions' shares anew where boundaries have changed (flow). */
void fluid_refresh_shares(struct fluid *f);

/* All rows that have arrived by |now|, and that the clients let through, begin to wait. */
void fluid_take_arrivals(struct fluid *f, des_time now);

/* First row that the source's clients hold back in a step that ends when the rows below |arrived| have
   arrived: |arrived| itself unless a region or server keeps buffered clients waiting. */
uint64_t fluid_admitted(struct fluid *f, uint32_t source, uint64_t arrived, des_time step);

/* What the rows that the clients are offered up to |now| ask of each server's processor. */
void fluid_note_demand(struct fluid *f, des_time now);

/* Rows of each bucket among so many that chance hardly shows (flow): once, the law doesn't change. |few|: as one of
   many runs, among a quarter of them. */
void fluid_count_buckets(struct fluid_source *s, bool few);

#endif
