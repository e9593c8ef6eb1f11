/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys that a stream writes to one table: row i of the stream, salted and laid out as the table
   says. Every byte and every bucket comes from libsaltkey; what is kept here are its shares of the
   hash (one an entity), so that the bucket of a row costs a few operations.

   Which value a field takes follows from its name and kind: a field named ts, time or timestamp, or
   of kind rts or rts19, takes the row's event time in milliseconds; a field named seq the row's
   number; any other the entity (the integer in number kinds, `dev-` and twelve digits in text).

   Read-only after keystream_init, so threads may share it. */
#ifndef WORKLOAD_KEYSTREAM_H
#define WORKLOAD_KEYSTREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "saltkey.h"
#include "spec/spec.h"
#include "workload/arrivals.h"
#include "workload/keyfile.h"

enum key_role { KEY_ROLE_TIME, KEY_ROLE_SEQUENCE, KEY_ROLE_ENTITY };

/* How the bucket of a row is found. */
enum key_bucket_by {
    KEY_BUCKET_ONE,     /* unsalted */
    KEY_BUCKET_SHARES,  /* hash by parts */
    KEY_BUCKET_ENTITY,  /* the salt is over the entity alone: a table */
    KEY_BUCKET_GIVEN,   /* random, roundrobin: drawn for the row, or in turn */
    KEY_BUCKET_BUILD    /* from the built key */
};

/* A row on its way to a region: enough to find the region in nearly all cases. */
struct key_route {
    uint64_t prefix;    /* first 8 bytes of the stored row, big-endian, padded with zeros */
    uint32_t bucket;
};

struct keystream {
    const struct arrivals *arrivals;  /* borrowed */
    const struct keyfile *file;       /* borrowed; NULL = generated */
    struct saltkey_scheme scheme;
    enum key_role role[SALTKEY_FIELDS_MAX];
    enum key_bucket_by bucket_by;
    enum key_role first_by;           /* what the first 8 bytes of the row follow from, besides the salt */
    bool first_known;                 /* they follow from one role alone */
    bool by_parts;                    /* routes are put together from what is kept here, not from built keys */
    uint32_t *entity_share;           /* entities values, or NULL */
    uint32_t time_share[256];         /* of a millisecond's place in its block of 256, besides the block's */
    bool time_by_blocks;              /* they hold for each block */
    uint32_t *entity_bucket;
    uint64_t *entity_word;            /* an entity's first bytes behind the salt, as the low bytes */
    int time_field;                   /* index of the (first) time field; -1 */
    uint64_t given_key;               /* of the counter-based draws of a random salt; 0: in turn */
    uint64_t *salt_prefix;            /* a bucket's salt as the top bytes of a word */
    uint32_t salt_prefixes;
    size_t row_max;                   /* longest stored row in bytes */
    bool row_fixed;                   /* all rows have row_max bytes */
};

enum { KEYSTREAM_NO_MEMORY = -1, KEYSTREAM_BAD_KEY = -2 };

/* |table| was checked by src/scenario; where the library still refuses, |err| has its words. */
int keystream_init(struct keystream *ks, const struct spec_table *table,
                   const struct arrivals *arrivals, const struct keyfile *file,
                   struct saltkey_error *err);
void keystream_free(struct keystream *ks);

/* What the last route found of the time, for callers that ask row by row. All zeros: nothing yet. */
struct keystream_clock {
    bool known;
    int64_t block;
    uint64_t word;
    uint32_t share;
};

/* The same as keystream_route; |clock| is the caller's, for one keystream. */
void keystream_route_on(const struct keystream *ks, struct keystream_clock *clock, const uint64_t *rows, size_t n,
                        struct key_route *out);

/* Routes of |n| rows of the stream. */
void keystream_route(const struct keystream *ks, const uint64_t *rows, size_t n,
                     struct key_route *out);

/* Counts the stream's rows [from, to) by bucket, added to by_bucket[0 .. buckets - 1]. False, and nothing
   counted, where the rows don't begin with the time or a bucket needs the whole key. */
bool keystream_count(const struct keystream *ks, uint64_t from, uint64_t to, uint64_t *by_bucket);

/* The first row at or behind *row and before |end| that lies in |bucket|, for streams whose rows begin with
   the time and whose buckets need no whole key. False, and *row untouched, where there is none. */
bool keystream_next_of(const struct keystream *ks, uint32_t bucket, uint64_t end, uint64_t *row);

/* Whether a row's route follows from its entity alone, and entities report in turn: row i is of entity i mod entities. */
bool keystream_by_entity(const struct keystream *ks);

/* Whether keystream_count and keystream_next_of can tell. */
bool keystream_counts(const struct keystream *ks);

/* The parts of a row's bucket: what a writer with a salt of its own gives row |i|; what the fields besides
   the entity bring to the hash at |ms|; whether a hashed field follows from the row's number. */
uint32_t keystream_given_bucket(const struct keystream *ks, uint64_t i);
uint32_t keystream_other_shares(const struct keystream *ks, uint64_t i, int64_t ms);
bool keystream_hashes_sequence(const struct keystream *ks);

/* First 8 bytes of a row of bucket |b| at row |i|'s time, for streams whose rows begin with the time. */
uint64_t keystream_prefix_at(const struct keystream *ks, uint64_t i, uint32_t b);

/* The stored row of row |i|: row->cap at least ks->row_max. 0, or the library's error. */
int keystream_key(const struct keystream *ks, uint64_t i, struct saltkey_buf *row);

/* The natural key's field values of row |i|; texts lie in |text| (64 bytes a field). */
void keystream_values(const struct keystream *ks, uint64_t i, struct saltkey_value *values,
                      char text[][64]);

/* The same of a row that reports of |entity| at |ms| and is the |number|-th. */
struct keystream_report {
    uint64_t entity, number;
    int64_t ms;
};
void keystream_report_values(const struct keystream *ks, const struct keystream_report *report,
                             struct saltkey_value *values, char text[][64]);

/* Buckets, 1 for an unsalted table. */
static inline uint32_t keystream_buckets(const struct keystream *ks)
{
    return ks->bucket_by == KEY_BUCKET_ONE ? 1 : (uint32_t)ks->scheme.salt.buckets;
}

#endif
