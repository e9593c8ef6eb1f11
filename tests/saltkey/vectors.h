/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One checker for each kind of vector file: it looks at one row and says whether the library
   gives the same. Used by check-vectors. */
#ifndef TESTS_SALTKEY_VECTORS_H
#define TESTS_SALTKEY_VECTORS_H

#include "tsv.h"

enum verdict { ROW_PASS, ROW_FAIL, ROW_WAIT }; /* WAIT: for a part that isn't there yet */

typedef enum verdict vector_check(const struct tsv *t, size_t row);

vector_check check_corpus, check_seed1_whole, check_seed1_device, check_phoenix_salt;
vector_check check_hbasewd, check_md5_4hex;
vector_check check_order_pairs, check_order_longs, check_reverse_timestamp;
vector_check check_prefix_stop, check_presplit, check_region_placement, check_scan_ranges;
vector_check check_merge, check_waiting;

static inline enum verdict verdict_of(bool same)
{
    return same ? ROW_PASS : ROW_FAIL;
}

#endif
