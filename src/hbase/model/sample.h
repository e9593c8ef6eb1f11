/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sorted sample of the row keys inside a memstore or a file, each key with its rank among all
   rows, so that split points, references and block boundaries can be told without keeping every
   row. Small ones are kept whole: every row with a note of its cells, so that files are exact to the
   byte. How much may be kept so is the model's budget.

   A sample_builder collects rows in the order of their arrival: all of them at first, then one of every
   k, k doubling whenever the cap is reached; k begins at what the rows that are expected call for. Which of the k is spread evenly, so that streams with a
   period of their own (entities that report in turn) are sampled without bias. sample_sorted turns it into a key_sample, which is immutable and shared by
   reference count (a split's daughters keep their parent's). */
#ifndef HBASE_MODEL_SAMPLE_H
#define HBASE_MODEL_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many keys a model keeps. */
struct sample_budget {
    size_t cap;             /* of a file that isn't kept whole */
    size_t builder_cap;     /* of such a memstore: rows in no order need more to tell ranks */
    size_t whole_rows;      /* rows up to which a memstore is kept whole */
    size_t keys, keys_most; /* of all that is kept whole: now, and at most */
};

enum { SAMPLE_WHOLE_KEYS = 262144, SAMPLE_WHOLE_CAPS = 8, SAMPLE_BUILDER_CAPS = 4, SAMPLE_IN_ORDER_KEYS = 4 };

/* |cap| keys each, and what is small whole; 0: everything whole. */
void sample_budget_init(struct sample_budget *b, size_t cap);

/* |cap| keys each and nothing whole; a builder begins with nearly the stride that it had come to when it
   was last emptied. For runs that make millions of files. |in_order|: rows come in the order of their keys
   within a region, so that a memstore's are told by a few (its file is a small part of those that split). */
void sample_budget_coarse(struct sample_budget *b, size_t cap, bool in_order);

/* For runs whose rows come in the order of their keys within a region: the cap is enough to tell a
   memstore's ranks, and only small ones are kept whole. Nothing where everything is kept. */
void sample_budget_in_order(struct sample_budget *b);

/* What is known of a row of a whole sample: the cells that one put (or delete) brought. */
struct sample_note {
    uint64_t seqid;
    uint64_t timestamp_ms;
    uint32_t column;        /* the first cell's number in the family */
    uint32_t cells;
    uint8_t type;           /* HFILE_TYPE_ */
};

struct sample_builder {
    uint8_t *keys;          /* n slots of |slot| bytes */
    uint16_t *lens;
    struct sample_note *notes; /* while whole */
    bool small;             /* the one before was flushed with few rows */
    bool whole;
    size_t n, room;
    size_t slot;            /* bytes of a slot: the longest row */
    struct sample_budget *budget;
    uint64_t rows;          /* rows seen */
    unsigned every_log2;    /* one of 2 to this power is kept */
    uint64_t next;          /* number of the next row to keep */
    uint64_t expected;      /* rows that it will see; 0 = not known */
};

/* |slot| >= 1; nothing is allocated yet. |budget| is shared and must outlive it. */
void sample_builder_init(struct sample_builder *b, size_t slot, struct sample_budget *budget);
void sample_builder_free(struct sample_builder *b);
/* Forgets all rows and begins anew. */
void sample_builder_clear(struct sample_builder *b);

/* Rows that may pass before the next one must be given to sample_builder_add. */
static inline uint64_t sample_builder_skip(const struct sample_builder *b)
{
    return b->next - b->rows;
}

/* Counts |rows| rows that are not kept: at most sample_builder_skip of them. */
static inline void sample_builder_pass(struct sample_builder *b, uint64_t rows)
{
    b->rows += rows;
}

/* Keeps one row, of at most |slot| bytes, and its note while whole. 0, or -1 without memory. */
int sample_builder_add(struct sample_builder *b, const uint8_t *key, size_t len,
                       const struct sample_note *note);

/* Sorted keys at known ranks. */
struct key_sample {
    uint32_t refs;
    size_t n, slot, room;
    uint64_t rows;          /* rows that the sample stands for */
    uint8_t *keys;
    uint16_t *lens;
    struct sample_note *notes; /* of each key where it is whole, else NULL */
    struct sample_budget *budget; /* of a whole one */
    uint64_t *rank;         /* n + 1 values: rows before key i; rank[n] = rows */
};

/* An empty one with room for |n| keys of |slot| bytes; whole where a budget is given. NULL without
   memory. */
struct key_sample *sample_new(size_t n, size_t slot, struct sample_budget *budget);
/* Appends a key behind the last, for |weight| rows. 0, or -1 without memory. */
int sample_push(struct key_sample *s, const uint8_t *key, size_t len, uint64_t weight,
                const struct sample_note *note);

/* The builder's keys in order, at most the cap of them where it isn't whole; the builder is emptied.
   NULL without memory. */
struct key_sample *sample_sorted(struct sample_builder *b);
struct key_sample *sample_ref(struct key_sample *s);
void sample_unref(struct key_sample *s);

/* A stretch [lo, hi) of a sample: what a file or a reference holds of it. */
struct sample_part {
    struct key_sample *sample;  /* NULL: nothing */
    size_t lo, hi;
};

static inline uint64_t sample_part_rows(const struct sample_part *p)
{
    return p->sample ? p->sample->rank[p->hi] - p->sample->rank[p->lo] : 0;
}

static inline const uint8_t *sample_key(const struct key_sample *s, size_t i, size_t *len)
{
    *len = s->lens[i];
    return s->keys + i * s->slot;
}

/* First index in [lo, hi) whose key is not below |key|; hi if none. */
size_t sample_lower_bound(const struct sample_part *p, const uint8_t *key, size_t len);

/* The part whose next key, |at| its index, is smallest, the first among equals; |n| when all are at
   their ends. */
size_t sample_smallest(const struct sample_part *parts, const size_t *at, size_t n);

/* Merges parts into one sample of at most |cap| keys, without notes. NULL without memory. */
struct key_sample *sample_merge(const struct sample_part *parts, size_t n, size_t cap);

/* Index of the sampled key that stands for row |row| (from 0) of the part: the first one whose rank
   is not below it, at least lo + 1 when row > 0. */
size_t sample_index_of_row(const struct sample_part *p, uint64_t row);

#endif
