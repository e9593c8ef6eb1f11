/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What rows that lie next to each other in a file begin with alike, told from a sample of its keys: of 1,024
   among a million the sampled neighbours share less than the real ones. The keys that share a prefix with a
   sampled one tell how many rows of the file have it; of such a group all but the first have a neighbour
   inside it. Where too few keys are left to tell, a group shrinks by the share of keys that agree at the next
   byte, as if bytes didn't hang on each other: right for entities and times in any order, too short for rows of one
   millisecond whose entities report in turn. */
#ifndef HBASE_MODEL_NEIGHBOURS_H
#define HBASE_MODEL_NEIGHBOURS_H

#include <stddef.h>
#include <stdint.h>

#include "hbase/model/sample.h"

enum { NEIGHBOURS_KEY_MAX = 1024 };

struct neighbours {
    size_t len;               /* of the longest key */
    double at_least[NEIGHBOURS_KEY_MAX + 1]; /* probability that a row and the one before it share so many bytes */
};

/* |rows| of the file, of which |p| is a sample; of fewer than two keys nothing is shared. 0, or -1 without memory. */
int neighbours_of(const struct sample_part *p, uint64_t rows, struct neighbours *out);

#endif
