/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the rows of a scenario go when its tables are created, for any bucket count. The rows of each
   stream are sampled once (all of them where they are few), hashed once and counted for every N from
   1 to 256 in that one pass; a candidate then only reads its counts. Where the salt's hash can't be
   computed by parts, or a bucket is cut further, the candidate's own keys are built and counted.
   Every key, hash and split point comes from libsaltkey. */
#ifndef PLAN_SHARES_H
#define PLAN_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/spec.h"
#include "workload/arrivals.h"
#include "workload/keyfile.h"

/* Rows of a stream that are looked at: at most so many for the pass over all N. */
#define PLAN_SAMPLE_ROWS UINT64_C(2000000)

/* A stream's rows in one of its tables. */
struct plan_pair {
    size_t stream, table;
    struct arrivals arrivals;
    struct keyfile file;
    bool has_file;
    uint64_t total;                   /* rows in the run */
    uint64_t rows;                    /* rows that were counted */
    uint64_t *counts;                 /* SALTKEY_COUNTS of them; NULL where the hash has no parts */
};

struct plan_keys {
    const struct spec *spec;          /* borrowed */
    struct plan_pair *pair;
    size_t len;
    uint64_t sample;                  /* most rows of a pair */
};

/* Samples and counts on |jobs| threads. |sp| must outlive it. 0, or SIM_NO_MEMORY, SIM_BAD_SPEC,
   SIM_BAD_FILE (enum sim_error). plan_keys_close in any case. */
int plan_keys_open(const struct spec *sp, uint64_t sample, unsigned jobs, struct plan_keys *keys);
void plan_keys_close(struct plan_keys *keys);

/* Row number of the |k|-th sampled row of |rows| ones: blocks of neighbouring rows, spread over the
   run, begun at random places; all rows in order where the sample is as large as the run. */
uint64_t plan_sample_row(const struct plan_pair *pair, uint64_t rows, uint64_t k);

/* Rows per second that each region takes, tables one after another in the spec's order and regions
   in key order. */
struct plan_load {
    size_t tables;
    size_t *regions;                  /* of each table */
    size_t regions_all;
    double *rate;                     /* regions_all values */
    double rate_all;
    bool by_load;                     /* to be placed largest first, each on the least loaded server */
    double hot_bucket_share;          /* of the first table that has buckets; NaN without one */
};

/* |sp| is the keys' spec with other bucket counts. plan_load_free in any case. */
int plan_load_open(const struct plan_keys *keys, const struct spec *sp, struct plan_load *load);
void plan_load_free(struct plan_load *load);

#endif
