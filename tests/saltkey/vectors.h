/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One checker for each kind of vector file: it looks at one row and says whether the library
   gives the same. Used by check-vectors. */
#ifndef TESTS_SALTKEY_VECTORS_H
#define TESTS_SALTKEY_VECTORS_H

#include "tsv.h"

/* WAIT: the row speaks of something that isn't the library's. UNKNOWN: no check knows what it speaks of. */
enum verdict { ROW_PASS, ROW_FAIL, ROW_WAIT, ROW_UNKNOWN };

typedef enum verdict vector_check(const struct tsv *t, size_t row);

vector_check check_corpus, check_seed1_whole, check_seed1_device, check_phoenix_salt;
vector_check check_hbasewd, check_md5_4hex;
vector_check check_order_pairs, check_order_longs, check_reverse_timestamp;
vector_check check_prefix_stop, check_presplit, check_region_placement, check_scan_ranges;
vector_check check_merge, check_seed_examples;
vector_check check_murmur3, check_murmur2, check_jenkins, check_crc32, check_digests, check_xxh;
vector_check check_string_hash, check_salt_02x, check_bucket_04d, check_timeseries, check_composite;
vector_check check_reverse_domain, check_roundrobin, check_opentsdb, check_orderedbytes;
vector_check check_monthly_purge;

static inline enum verdict verdict_of(bool same)
{
    return same ? ROW_PASS : ROW_FAIL;
}

#endif
