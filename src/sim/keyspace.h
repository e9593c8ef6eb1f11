/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix of the first picture: which part of the key space took how many writes, when, and on
   which server. While the run goes, every k-th written row of one table is kept with its window;
   at the end the rows of each bucket are cut into quantiles. */
#ifndef SIM_KEYSPACE_H
#define SIM_KEYSPACE_H

#include <stddef.h>
#include <stdint.h>

#include "hbase/model/call.h"
#include "result/result.h"

struct keyspace_row;

struct keyspace {
    struct model *model;
    int table;
    uint64_t every;           /* every so many written rows is kept */
    uint64_t seen, taken;
    uint64_t next;            /* number of the next row to keep */
    uint8_t *rows;            /* records of |size| bytes */
    size_t size, rows_len, rows_cap;
    uint32_t window;          /* the present one */
    int error;
};

/* |expected| rows are to be kept as about |samples|. */
void keyspace_init(struct keyspace *ks, struct model *m, int table, uint64_t expected, uint64_t samples);
void keyspace_free(struct keyspace *ks);

/* The tap for model_set_tap. */
struct model_tap keyspace_tap(struct keyspace *ks);

/* Fills run->keyspace from the samples; the run's windows and the model's regions are final. */
int keyspace_finish(struct keyspace *ks, struct result_run *run);

#endif
