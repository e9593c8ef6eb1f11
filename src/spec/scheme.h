/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's scheme (layout, salt, what the salt is computed over) that a table's words stand for. */
#ifndef SPEC_SCHEME_H
#define SPEC_SCHEME_H

#include "saltkey.h"
#include "spec/spec.h"

/* `buckets = none` makes the table unsalted whatever its salt says; a hashed prefix (md5hex) has no
   bucket count of its own. 0, or the library's status with its words in |err|. */
int spec_table_scheme(const struct spec_table *table, struct saltkey_scheme *scheme,
                      struct saltkey_error *err);

/* The table's split points as `splits =` says, into an initialised list that the caller frees:
   regions - 1 points, sorted. 0, or the library's status with its words in |err|. */
int spec_table_splits(const struct spec_table *table, const struct saltkey_scheme *scheme,
                      struct saltkey_keys *keys, struct saltkey_error *err);

/* A row's time stands in a field of a reversed timestamp, or one named ts, time or timestamp. */
bool spec_field_is_time(const struct saltkey_field *field);

/* Index of the first of these in the layout; -1: the key has none. */
int spec_time_field(const struct saltkey_layout *layout);

/* Time, or the sequence of a stream (a field named seq): no two rows of an entity have the same. */
bool spec_field_counts(const struct saltkey_field *field);

/* Whether it grows from row to row in the order of keys, up or down: it counts, and its digits, letters or labels
   aren't reversed. In front of a key it makes a write tail. */
bool spec_field_grows(const struct saltkey_field *field);

/* What a query by time, entity or both demands of the key, from |from_ms| up to |to_ms| where it is by time; a
   newest is of any time. Entity 0 stands for any entity. |w| has its buffers. 0, or the library's status. */
int spec_query_window(const struct saltkey_scheme *scheme, const struct spec_query *q, int64_t from_ms, int64_t to_ms,
                      struct saltkey_window *w);

/* A hashed prefix (the first digits of a digest) instead of a salt: so many values that the table
   isn't cut by them and nobody scans them one by one. */
static inline bool spec_scheme_hashed_prefix(const struct saltkey_scheme *scheme)
{
    return scheme->salt.hash == SALTKEY_HASH_MD5HEX || scheme->salt.hash == SALTKEY_HASH_SHA256HEX;
}

#endif
