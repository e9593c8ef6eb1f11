/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_COMPACTION_POLICY_H
#define HBASE_RULES_COMPACTION_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which files a compaction takes, in which pool and how fast (HBase 2.6: SortedCompactionPolicy,
   RatioBasedCompactionPolicy, ExploringCompactionPolicy, CompactSplit,
   PressureAwareCompactionThroughputController). Sizes are bytes, times microseconds. */

enum compaction_policy { COMPACTION_EXPLORING, COMPACTION_RATIO_BASED };

struct compaction_config {
    enum compaction_policy policy;
    uint32_t min_files;            /* hbase.hstore.compaction.min: 3, at least 2 */
    uint32_t max_files;            /* ...max: 10 */
    uint64_t min_bytes;            /* ...min.size: 128 MiB, whatever the flush size */
    uint64_t max_bytes;            /* ...max.size: UINT64_MAX = none */
    uint64_t max_bytes_offpeak;    /* ...max.size.offpeak; 0 = max_bytes */
    double ratio;                  /* ...ratio: 1.2 */
    double ratio_offpeak;          /* ...ratio.offpeak: 5.0 */
    uint32_t blocking_store_files; /* 16 */
    uint64_t throttle_bytes;       /* hbase.regionserver.thread.compaction.throttle: 2,684,354,560 */
    uint64_t major_period_us;      /* hbase.hregion.majorcompaction: 7 d; 0 = never by time */
    double major_jitter;           /* 0.5 */
};
void compaction_config_default(struct compaction_config *c);

struct compaction_file {
    uint64_t file_bytes;           /* as reported: a reference has its parent's full length */
    uint64_t max_timestamp_ms;     /* newest cell; UINT64_MAX for a file without cells */
    uint64_t min_timestamp_ms;     /* oldest cell */
    uint64_t modified_us;          /* when the file was written */
    bool reference;
    bool compacting;               /* held by a running or queued compaction */
    bool major;                    /* output of a compaction of all files with no file since */
};

struct compaction_input {
    const struct compaction_file *files; /* all of the store, oldest first */
    size_t count;
    bool offpeak;                  /* in off-peak hours and no other off-peak compaction runs */
    bool user;                     /* asked for by hand */
    bool force_major;
    uint64_t now_us;
    uint64_t now_ms_epoch;         /* for the time to live */
    uint64_t ttl_ms;               /* UINT64_MAX = forever */
    double major_u;                /* uniform in [0, 1) that HBase draws from the first file's name */
};
struct compaction_request {
    size_t first, count;           /* files first .. first + count - 1; 0 files: nothing to do */
    bool major;                    /* drops delete markers and expired cells of everything */
    bool all_files;
    bool after_split;              /* references taken: front of the queue */
    bool offpeak;
    uint64_t bytes;
    bool large;                    /* large pool: bytes > throttle */
    int32_t priority;
};
/* DefaultStoreFileManager.getUnneededFiles, asked before each selection (HStore.removeUnneededFiles):
   wholly expired files are dropped without a rewrite, whatever the minimum of files, but never the newest
   file. Only where hbase.store.delete.expired.storefile is true and MIN_VERSIONS 0. Sets drop[i] for
   each file and returns their number; the caller takes them out before it selects. */
size_t compaction_drop_expired(const struct compaction_input *in, bool *drop);

/* SortedCompactionPolicy.selectCompaction. count 0 where nothing qualifies. */
struct compaction_request compaction_select(const struct compaction_config *c, const struct compaction_input *in);

/* needsCompaction: files that no compaction holds >= min_files. */
bool compaction_needed(const struct compaction_config *c, size_t files, size_t compacting);

/* HStore.getCompactPriority: blocking - files; a value of 1 becomes 2 (1 is the user's). References don't count
   here: a compaction that leaves some behind (there were more than max files) asks for no other one. */
int32_t compaction_store_priority(const struct compaction_config *c, size_t files);
enum { COMPACTION_PRIORITY_USER = 1, COMPACTION_PRIORITY_AFTER_SPLIT = INT32_MIN + 1000 };

/* HStore.shouldPerformMajorCompaction of all files, as CompactionChecker asks it: old enough, and more than
   one file or something in it past the time to live. */
bool compaction_major_is_due(const struct compaction_config *c, const struct compaction_input *in);
/* The same files, left alone: not before this |in->now_us| will it be due, to the millisecond. UINT64_MAX = never. */
uint64_t compaction_major_due_us(const struct compaction_config *c, const struct compaction_input *in);
/* Age at which the oldest file brings a major compaction: period + jitter x (1 - 2 u); 0 = never. */
uint64_t compaction_major_age_us(const struct compaction_config *c, double u);

bool compaction_is_large(const struct compaction_config *c, uint64_t bytes);

/* After a compaction (CompactSplit.CompactionRunner): compact again at once, or ask for a split and, where
   none comes of it and the store is still over its limit, compact again. */
enum compaction_next {
    COMPACTION_NEXT_AGAIN,
    COMPACTION_NEXT_SPLIT_ELSE_AGAIN,
    COMPACTION_NEXT_SPLIT_ELSE_NOTHING
};
enum compaction_next compaction_follow_up(int32_t region_priority, int32_t store_priority);

/* ---- throughput ---- */
struct compaction_throughput_config {
    double lower_bytes_per_s;      /* hbase.hstore.compaction.throughput.lower.bound: 50 MiB/s */
    double higher_bytes_per_s;     /* ...higher.bound: 100 MiB/s */
    uint64_t tune_period_us;       /* 60 s */
};
void compaction_throughput_config_default(struct compaction_throughput_config *c);
/* Pressure of a store (HStore.getCompactionPressure); the server's is the largest. */
double compaction_pressure(size_t files, uint32_t min_files, uint32_t blocking_store_files);
/* Limit for all active compactions together; INFINITY above pressure 1 and off-peak. */
double compaction_throughput_bytes_per_s(const struct compaction_throughput_config *c, double pressure,
                                         bool offpeak);
/* Time that writing |bytes| (uncompressed cells) takes when |active| compactions share the limit and
   disk alone would take |io_us|: throttled only after each |lower bound| bytes. */
uint64_t compaction_duration_us(const struct compaction_throughput_config *c, double limit_bytes_per_s,
                                uint64_t bytes, uint64_t io_us, uint32_t active);

#endif
