/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writers without calls: the levels of detail `tick` and `flow`. Time goes in steps; in each step the
   rows that arrived are counted by region and each server does as many of those that wait for it as
   its capacity allows, all regions in proportion (a fluid). Everything behind (memstores, flushes,
   compactions, splits, the balancer) is the model's, as in `write`.

   In `tick` each row's bucket and region are exact; steps are 100 ms. In `flow` no row is looked at:
   a region's share of the arrivals comes from the stream's law, found from sampled rows whenever
   boundaries change, and a step lasts until the next memstore is full. Keys for samples are built from
   rows of the stream in both. There are no calls, so there is no latency and nothing is refused for
   a full queue; rows of a region that is away or too busy wait. Buffered clients wait for the last
   answer to what they sent, as in `write`: a region that is slow or away holds up all their rows. */
#ifndef CLIENT_FLUID_H
#define CLIENT_FLUID_H

#include <stdbool.h>
#include <stdint.h>

#include "hbase/model/call.h"
#include "workload/keystream.h"

struct fluid_region;
struct fluid_source;

/* A stream and one of the tables that it writes to. All borrowed. */
struct fluid_input {
    const struct arrivals *arrivals;
    const struct keystream *keys;
    const struct spec_stream *stream;
    int table;
};

struct fluid {
    struct model *model;
    bool flow;
    des_time end;
    des_time last;                /* up to when arrivals are counted */
    des_time longest;             /* longest step: a sample window ends on a step */
    struct fluid_source *sources;
    size_t sources_len;
    struct fluid_region *regions; /* by region id */
    size_t regions_cap;
    int *waiting;                 /* ids of regions with rows that wait */
    size_t waiting_len, waiting_cap;
    double *demand;               /* by server, of the present step */
    double *part, *held;          /* by server, of one source: share of its rows, and those that wait */
    bool *blocked;                /* by server: its memstores are at the global limit */
    des_time oldest_wait;         /* longest time from a row's arrival to its handing over */
    uint32_t slot;
    uint64_t bucket_round;        /* of the notes which buckets lie in a region */
    uint64_t boundaries;          /* the model's count when shares were last found */
    uint64_t done;
    uint64_t steps;
    bool few_counts;              /* flow: the buckets' shares from fewer rows (fluid_count_buckets); set before fluid_start */
};

/* 0 or an enum model_error. |window| is the sample window. */
int fluid_init(struct fluid *f, struct model *m, const struct fluid_input *inputs, size_t n, des_time window);
void fluid_start(struct fluid *f, des_time end, bool flow);
void fluid_free(struct fluid *f);

/* Counts and serves up to |now|: to be called at the end of each sample window. */
void fluid_settle(struct fluid *f, des_time now);

/* Rows that have arrived by |now|, for all tables that get them. */
uint64_t fluid_offered(const struct fluid *f, des_time now);

#endif
