/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_COMPRESSION_H
#define HBASE_RULES_COMPRESSION_H

#include <stdbool.h>

#include "hbase/rules/hfile.h"

/* Default compression ratios where a scenario gives none: compressed / encoded bytes of data blocks of
   decimal sensor text, as recorded from HBase 2.6.1's codecs. They hang on the value's length and on
   which cells lie beside each other. Feed hfile_options.compression_ratio. */
enum compression { COMPRESSION_NONE, COMPRESSION_GZ, COMPRESSION_SNAPPY, COMPRESSION_LZ4, COMPRESSION_ZSTD };

/* What neighbouring cells of a file have in common. */
enum compression_order {
    COMPRESSION_TIME_FIRST,    /* consecutive events, unsalted */
    COMPRESSION_SALTED_TIME,   /* time-first within salt buckets: every N-th event */
    COMPRESSION_ENTITY_FIRST,  /* events of one entity */
    COMPRESSION_HASHED_ENTITY  /* the same behind a hashed prefix in text */
};

struct compression_case {
    enum compression codec;
    enum hfile_encoding encoding;
    enum compression_order order;
    double value_bytes;        /* of a cell, mean; interpolated between 20, 100 and 1,000, held beyond */
    bool random_values;        /* values that don't compress: ciphertext, compressed already */
};
double compression_default_ratio(const struct compression_case *c);

const char *compression_name(enum compression c);
int compression_from_name(const char *name);     /* -1 if unknown */
const char *hfile_encoding_name(enum hfile_encoding e);
int hfile_encoding_from_name(const char *name);  /* -1 if unknown */

#endif
