/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_COMPRESSION_H
#define HBASE_RULES_COMPRESSION_H

#include <stdint.h>

#include "hbase/rules/hfile.h"

/* Default compression ratios where a scenario gives none: compressed / encoded bytes of data blocks of
   decimal sensor text as recorded from HBase 2.6.1's codecs. They hang on the value's length. */
enum compression { COMPRESSION_NONE, COMPRESSION_GZ, COMPRESSION_SNAPPY, COMPRESSION_LZ4, COMPRESSION_ZSTD };

/* |random_values|: values that don't compress (ciphertext, already compressed). Interpolated between
   the recorded lengths 20, 100 and 1,000; held beyond them. */
double compression_default_ratio(enum compression c, enum hfile_encoding e, double value_bytes,
                                 int random_values);
const char *compression_name(enum compression c);
int compression_from_name(const char *name);     /* -1 if unknown */
const char *hfile_encoding_name(enum hfile_encoding e);
int hfile_encoding_from_name(const char *name);  /* -1 if unknown */

#endif
