/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_LOAD_H
#define HBASE_BALANCE_LOAD_H

#include <stdbool.h>
#include <stdint.h>

/* A region's load as the master remembers it (the deque of BalancerRegionLoad in
   StochasticLoadBalancer.loads, HBase 2.6): the newest 15 samples. A sample is taken every
   hbase.balancer.statusPeriod (60 s, ClusterStatusChore) and once in every balancer run. A region
   that is missing from one sample loses its history (load_history_clear), daughters and merged
   regions begin with none; a move keeps it, though the counters restart. */
enum { LOAD_HISTORY_SAMPLES = 15 };

struct load_sample {
    uint64_t write_requests; /* since the region was opened on its server */
    uint64_t read_requests;
    uint32_t memstore_mb; /* whole MB, as reported */
    uint32_t storefile_mb;
};

/* A ring. All bytes zero is the empty history. */
struct load_history {
    uint8_t oldest;
    uint8_t count;
    uint8_t same; /* newest samples that are equal: what doesn't change is told without a walk */
    struct load_sample samples[LOAD_HISTORY_SAMPLES];
};

/* What the cost functions make of a history. */
struct load_rates {
    double write_rate; /* mean over consecutive samples of the counter's growth; not by time */
    double read_rate;
    double memstore_rate; /* MB; a flush counts what is left as growth */
    double storefile_mb;  /* plain mean of the samples */
    double storefile_last_mb;
};

void load_history_clear(struct load_history *history);

/* Adds a sample; the oldest of 15 goes. */
void load_history_add(struct load_history *history, const struct load_sample *sample);

bool load_sample_equal(const struct load_sample *a, const struct load_sample *b);

/* It has as many samples as it can, all of them alike. */
bool load_history_is_steady(const struct load_history *history);

/* What the cost functions make of a history of such samples. */
struct load_rates load_sample_rates(const struct load_sample *sample);

/* CostFromRegionLoadAsRateFunction and StoreFileCostFunction, HBase 2.6: growth from one sample to
   the next is cur - prev, or cur where the counter fell (reset); 0 with fewer than 2 samples. */
struct load_rates load_history_rates(const struct load_history *history);

#endif
