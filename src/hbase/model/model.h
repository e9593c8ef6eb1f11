/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cluster at work: RegionServers, tables, regions and what happens to them. The handlers of this
   room hold the clock and move the state; what is decided comes from the pure functions of
   hbase/rules and hbase/balance. Clients reach it through model_send (call.h) and are answered
   through a callback; what happens is written into a result_run as it happens.

   Nothing here is for two threads at once; two models share nothing. */
#ifndef HBASE_MODEL_MODEL_H
#define HBASE_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "des/calendar.h"
#include "des/stream.h"
#include "hbase/balance/load.h"
#include "hbase/balance/options.h"
#include "hbase/model/disk.h"
#include "hbase/model/store.h"
#include "hbase/rules/compaction_policy.h"
#include "hbase/rules/flush_policy.h"
#include "hbase/rules/memstore_pressure.h"
#include "hbase/rules/split_policy.h"
#include "result/result.h"
#include "saltkey.h"
#include "spec/spec.h"

enum model_error {
    MODEL_OK = 0,
    MODEL_NO_MEMORY = -1,
    MODEL_BAD_SPLITS = -2,    /* the library refused the split points */
    MODEL_BROKEN = -3         /* an invariant doesn't hold: a fault of the program */
};

enum region_state {
    REGION_OPEN,
    REGION_CLOSING,           /* refuses new calls, waits for those inside */
    REGION_AWAY,              /* closed: a split or a move is under way */
    REGION_DISABLED,          /* closed with its table */
    REGION_DEAD               /* a split parent */
};

enum region_trip {
    TRIP_NONE,
    TRIP_SPLIT,
    TRIP_MOVE,
    TRIP_MERGE,
    TRIP_DISABLE,             /* with its table */
    TRIP_ENABLE,
    TRIP_RECOVER              /* its server was lost: away until it is open on another one */
};

/* Regions that one merge may join. */
enum { MERGE_MOST = 100 };

/* Where a region was, from when on. */
struct region_stay {
    des_time from;
    int server;
};

/* What the chore saw as it asked for a region's flush (HRegion.shouldFlush). */
struct periodic_call {
    double oldest_edit_s;     /* age; 0: no store has an old one */
    double edits;             /* sequence ids since the last flush; 0: it wasn't flushed since it opened */
    double delay_s;
};

/* What the log saw as it asked for a region's flush (AbstractFSWAL.findRegionsToForceFlush). */
struct log_call {
    double files, most;       /* rolled ones that are kept, and how many may be */
    uint32_t families;        /* bits: those with edits in the oldest one */
};

/* What asked for a flush. The first three wait for a flusher in the server's queue. */
enum flush_why {
    FLUSH_ASKED,              /* by a flusher, for the region's own size */
    FLUSH_PERIODIC,           /* by a flusher, for old edits or many */
    FLUSH_FOR_LOG,            /* by a flusher, for too many files of the log */
    FLUSH_FOR_PRESSURE,       /* by a flusher, for the server's global limit */
    FLUSH_BY_HAND,            /* no flusher's; nothing follows it */
    FLUSH_CLOSING             /* before a split, a move or the end of its server */
};

struct region {
    /* What the master's chores ask of every region comes first: most regions of a long run are idle. */
    int id;                   /* index in model.regions and in result_run.regions */
    int table;                /* index in model.tables; -1: system or background */
    int server;
    enum region_state state;
    enum region_trip trip;
    int other;                /* table < 0: which other table, 0 hbase:meta, 1 hbase:namespace, 2 ... */
    bool hidden;              /* hbase:meta or hbase:namespace that the state file doesn't have */
    bool resized;             /* its memstores or files have changed since |report| */
    bool load_steady;         /* |load| would hold as many samples as it can, all of them |steady| */
    des_time born;
    des_time check_from;      /* until then the compaction checker finds nothing in its files */
    uint64_t requests;        /* HBase's counter: restarts with each open */
    uint64_t reads;           /* HBase's counter of read requests */
    struct load_sample report; /* what its server last told the master */
    int report_server;
    uint64_t report_number;   /* of that server's reports; 0: never in one */
    struct load_sample steady;
    struct load_history *load; /* owned; NULL: nothing known yet, or steady */
    const struct spec_state_region *given; /* its line of the state file; NULL */
    uint64_t flushes, compactions;
    int counted_on;           /* its server in table.open_on; -1 */
    struct spec_bytes start, end; /* end.len 0: to the end of the table */
    uint64_t start_prefix;    /* first 8 bytes, padded with zeros */
    uint64_t end_prefix;      /* the same; UINT64_MAX where open */
    int bucket;               /* of the start key; -1 */
    int parent;
    struct store *stores;     /* one a family */
    uint64_t next_seqid;
    uint64_t max_file_bytes;  /* MAX_FILESIZE with this open's jitter */
    bool flush_requested;     /* queued, or running */
    bool flushing;
    bool flush_postponed;     /* by too many store files */
    bool postponed_once;      /* once at least since its birth */
    bool refusal_told;        /* that it should split and can't, since it opened */
    bool split_after_flush;   /* asked for by hand without a key, and no file could tell one */
    bool merge_qualifier;     /* merged, and the catalog janitor hasn't run since */
    int64_t flushed_seqid;    /* of the last flush since it opened; -1 */
    des_time flush_asked;
    enum flush_why flush_why; /* of the flush that is asked for: as |periodic| or |log_call| has it */
    struct periodic_call periodic;
    struct log_call log_call;
    des_time flush_delayed;   /* until then; DES_NEVER */
    des_time snapshot_taken;  /* of the last flush; 0 */
    bool changes_listed;      /* the chore looks at its edits next time */
    uint64_t calls_inside;    /* region actions between their gate and their memstore */
    int trip_to;              /* server of a move */
    struct spec_bytes split_key;
    int daughters[2];         /* of a merge both are the merged region */
    int split_event;          /* in the log: that began its split; -1 */
    des_time opened, died;
    uint64_t writes;          /* rows since birth */
    uint64_t writes_seen;     /* at the last sample window */
    uint64_t blocked_requests;
    struct split_busy_state busy; /* since it opened */
    uint64_t refused_at_flush; /* 1 + flushes at its last refusal; 0 = never */
    des_time lost_at;         /* since when its lost server holds it; DES_NEVER */
    uint64_t wal_from, wal_snapshot_from; /* the least of its stores' */
    int wal_listed;           /* server in whose list of regions with unflushed edits it is; -1 */
    struct region_stay *stays;
    size_t stays_len, stays_cap;
    bool discharge_listed;
    bool expired;             /* its cells were all past their time to live once */
    uint32_t scratch;         /* the client's, while it groups rows */
};

/* The last region found for a bucket and the prefixes strictly inside it. */
struct table_hint {
    uint64_t lo, hi;
    int region;
};

struct table {
    int index;
    const struct spec_table *spec;
    struct saltkey_scheme scheme; /* as keystream has it */
    struct family_shape *families;
    size_t families_len;
    int *regions;             /* ids of the live regions in key order */
    uint64_t *prefixes;       /* their start prefixes */
    size_t regions_len, regions_cap;
    struct table_hint *hints; /* one a bucket */
    uint32_t buckets;
    size_t key_max;           /* longest row in bytes */
    struct split_policy_config split;
    struct compaction_config compaction;
    struct flush_policy_config flush;
    uint64_t flush_bytes;
    uint64_t wal_row_bytes;   /* of a row in the write-ahead log, about */
    uint32_t *open_on;        /* by server: its open regions there */
    size_t open_on_len;
};

struct call;
struct region_action;
struct compaction_job;
struct flush_job;
struct merge;

/* A store that waits for a compaction. */
struct compaction_entry {
    int region;
    uint32_t family;
    bool user, major;         /* asked for by hand */
};

struct server {
    int index;
    bool live;
    bool known;               /* the master takes it for live */
    bool draining;
    des_time gc_phase;        /* when its garbage collector stands still first */
    bool joined;              /* it was live at some time */
    des_time up_from;         /* of a live one */
    double up_s, up_seen_s;   /* before that; and at the last sample window */
    uint64_t list_hash;       /* its place in the master's list */
    des_time cpu_free;        /* when the CPU has done all that it was given */
    double cpu_busy_s;
    double read_share;        /* of the CPU, that queries take at most READ_SHARE_MOST of (read.h) */
    double read_demand;       /* of the CPU, that queries ask for: 1 and more where they alone saturate it */
    double write_demand;      /* the same of the writes that clients are offered; 0 until it is known */
    double read_residual_ns;  /* what is left, on average, of a read that holds the CPU */
    double write_share;       /* of the CPU, in the last step of a writer without calls */
    int write_regions;        /* that were written in it */
    double write_left_ns;     /* work of its rows that the step left */
    int handlers_busy;
    struct call *queue_head, *queue_tail;
    int queue_len;
    struct call *running;     /* calls that hold a handler */
    struct call *syncing_head, *syncing_tail; /* those of them whose rows are with the CPU or the WAL, as they end */
    uint32_t sync_slot;       /* when the head's WAL sync ends */
    uint64_t wal_bytes;       /* written so far */
    uint64_t wal_rolls_at;    /* at so many bytes the log is rolled */
    uint64_t wal_forced;      /* flushes that too many log files asked for */
    int *wal_regions;         /* ids of those with unflushed edits here, some that have none any more */
    size_t wal_regions_len, wal_regions_cap;
    uint64_t reports;         /* to the master */
    uint32_t discharger_slot, report_slot;
    struct disk disk;
    int *flush_queue;         /* region ids, first in first out */
    size_t flush_queue_len, flush_queue_cap;
    int flushers_busy;
    uint64_t heap_bound_bytes; /* at least the heap of all its memstores */
    uint64_t other_heap_bytes; /* of regions that aren't modelled */
    bool pressure_wake;       /* a flusher shall look after the global limit */
    des_time held_since;      /* handlers wait at the global limit; DES_NEVER */
    double held_s;            /* how long they did in all */
    struct compaction_entry *compaction_queue; /* the most urgent is looked for */
    size_t compaction_queue_len, compaction_queue_cap;
    bool small_busy, large_busy;
    int regions;              /* all that are here, system and background too */
    uint64_t writes, writes_seen;
    uint64_t flushes, compactions, splits, moves_in, moves_out, refusals;
    double disk_bytes;
};

/* Counters as they stood at the last sample window. */
struct model_counts {
    uint64_t flushes, compactions, splits, moves, refusals, connection_losses;
};

struct model_streams {
    struct des_stream placement, jitter, balancer, chores, events, checks, normalizer, flusher;
};

/* A store's oldest unflushed edit, as it came in; out of date where the store has another one by now. */
struct old_edit {
    des_time at;
    int region;
    uint32_t family;
};

/* PeriodicMemStoreFlusher: one list for all servers. All wait equally long, so the oldest is due first. */
struct periodic_flusher {
    struct old_edit *edits;   /* [first, end), the oldest first */
    size_t first, end, cap;
    uint32_t slot;            /* its next run that may find something */
    des_time phase;
};

/* Execution of a balancer run's plans (HMaster.executeRegionPlansWithThrottling, HBase 2.6). */
struct plan_execution {
    struct balancer_plan *plans;
    size_t len, at;
    des_time begin, interval, cutoff;
    size_t most_in_transition;
    bool busy;                /* the chore's thread is at it */
};

/* How long a region is away, where the scenario's fixed times are not wanted. */
struct model_outages {
    des_time (*draw)(void *context, enum region_trip trip);
    des_time (*prepare)(void *context); /* from the request of a split to the close */
    void *context;
};

struct operation;
struct recovery;

/* What a coprocessor on the table would see (HBase's RegionObserver). */
enum model_observed {
    OBSERVED_OPEN,
    OBSERVED_SNAPSHOT,        /* before the snapshots of a flush, once a region */
    OBSERVED_FLUSH,           /* |file| joins the store */
    OBSERVED_SELECT,          /* |span| goes into a compaction */
    OBSERVED_COMPACT,         /* |file| takes the place of |span| */
    OBSERVED_CLOSE            /* before the flush of a close */
};

struct model_observation {
    enum model_observed what;
    const struct region *region;
    size_t family;
    const struct hfile *file;
    struct store_span span;
    bool all_files, major, after_split;
    int32_t priority;
};

struct model_observer {
    void (*observe)(void *context, const struct model_observation *o);
    void *context;
};

struct model {
    const struct spec *spec;
    struct des_calendar *cal;
    struct result_run *log;
    struct server *servers;
    size_t servers_len;
    uint32_t *server_list;    /* all servers in the order of the master's list */
    uint32_t *targets;        /* of them, those that may get regions */
    size_t targets_len;
    char **others;            /* names of the state file's other tables */
    size_t others_len;
    struct table *tables;
    size_t tables_len;
    struct region **regions;  /* by id */
    size_t regions_len, regions_cap;
    size_t other_regions;     /* the first of them, which are of none of the tables */
    struct model_streams streams;
    struct balancer_options balancer;
    struct sample_budget samples; /* keys kept of memstores and files */
    double row_ns;            /* CPU time of a row */
    bool without_calls;       /* writers are a fluid: pauses of the garbage collector are looked up, not events */
    struct memstore_pressure_limits pressure; /* of each server */
    double submission_ns;     /* of writers without calls: from one submission of their buffers to the next */
    struct compaction_job *compactions_running;
    struct flush_job *flushes_running;
    struct merge *merges_running;
    bool janitor_comes;       /* its next run is in the calendar */
    bool compactions_off;     /* compactionSwitch */
    void (*tap_written)(void *context, const struct call *call, const struct region_action *action);
    void *tap_context;
    struct model_observer observer;
    uint64_t epoch_ms;        /* Unix time of the run's beginning */
    uint64_t splits, merges, flushes, compactions, moves, refusals;
    uint64_t files_expired;   /* dropped whole, for their time to live */
    double bytes_expired;
    struct model_counts seen;
    double away_s;            /* region-seconds away since the last sample window */
    size_t trips;             /* regions on a trip now */
    struct plan_execution execution;
    bool balancer_on;         /* balance_switch */
    uint32_t dead_in_progress; /* lost servers whose regions aren't all back */
    uint32_t status_slot, balancer_slot, compaction_check_slot;
    des_time window_begin;
    uint64_t connection_losses;
    struct model_outages outages;
    struct operation *operations; /* restarts under way */
    struct recovery *recoveries;
    uint64_t balanced_as_of;  /* model.placement at the balancer's last run, and when that was */
    des_time balanced_at;
    uint64_t placement;       /* changes of any region's state or server so far */
    int *to_discharge;        /* regions with compacted files that wait for the discharger */
    size_t to_discharge_len, to_discharge_cap;
    struct periodic_flusher periodic;
    bool brief;               /* the log leaves out flushes and compactions: only their counts */
    int error;                /* first failure; sticks and stops the calendar */
};

/* Builds servers, system and background regions, and creates each table as HBase does.
   |row_max| has the longest stored row of each table in bytes.
   |log| must be initialised; its servers[], tables[] and regions[] are filled from here on.
   |sp| and |cal| stay the caller's and must outlive the model. 0 or an enum model_error. */
int model_new(const struct spec *sp, const size_t *row_max, struct des_calendar *cal,
              struct result_run *log, struct model **out);
void model_free(struct model *m);

/* Stops the run with |error|. */
void model_fail(struct model *m, int error);

/* A key of the row that a client asks about; used when the prefix alone doesn't decide. */
struct key_source {
    int (*key)(const void *context, uint64_t row, struct saltkey_buf *out);
    const void *context;
    /* What the row brings to a family; NULL: a put of all its columns. |out| is zeroed. */
    void (*cells)(const void *context, uint64_t row, size_t family, struct put_cells *out);
};

/* Id of the region of |t| whose rows may begin with |prefix| (8 bytes), -1 where a region begins with
   just these: then only the whole key tells. */
static inline int table_find(const struct table *t, uint64_t prefix)
{
    const uint64_t *at = t->prefixes;
    size_t n = t->regions_len;

    while (n > 1) {
        const size_t half = n / 2;

        at = at[half] <= prefix ? at + half : at;
        n -= half;
    }
    return *at < prefix ? t->regions[at - t->prefixes] : -1;
}

/* Id of the region of |t| that a row lies in, from the key itself. */
int table_locate_slow(struct model *m, struct table *t, const struct key_source *source, uint64_t row,
                      uint32_t bucket);

/* The same from the first 8 bytes of the row, where they decide: the last region found for its
   bucket, else a search over the regions' first 8 bytes. Only a row that shares them with a border
   is built. */
static inline int table_locate(struct model *m, struct table *t, uint64_t prefix, uint32_t bucket,
                               const struct key_source *source, uint64_t row)
{
    struct table_hint *h = &t->hints[bucket];
    const uint64_t *at = t->prefixes;
    size_t n = t->regions_len;

    if (prefix > h->lo && prefix < h->hi)
        return h->region;
    while (n > 1) {
        const size_t half = n / 2;

        at = at[half] <= prefix ? at + half : at;
        n -= half;
    }
    if (*at < prefix) {
        const size_t i = (size_t)(at - t->prefixes);

        h->lo = *at;
        h->hi = i + 1 < t->regions_len ? at[1] : UINT64_MAX;
        h->region = t->regions[i];
        return h->region;
    }
    return table_locate_slow(m, t, source, row, bucket);
}

/* Heap of all stores of a region, as HBase's triggers see it. */
static inline uint64_t region_heap_bytes(const struct region *r, const struct table *t)
{
    uint64_t sum = 0;

    for (size_t f = 0; f < t->families_len; f++)
        sum += store_heap_bytes(&r->stores[f]);
    return sum;
}

/* Region of |t| that holds |key|. */
int table_region_of(const struct model *m, const struct table *t, const uint8_t *key, size_t len);

/* Closes the sample window that began at |begin|: adds it to the log with all that depends on the
   model (the caller adds what clients know). NULL without memory. */
struct result_window *model_window(struct model *m, des_time begin, des_time end);

/* How long in [from, to) the server's garbage collector lets nothing run, and for how long from |now| on it goes on. */
des_time server_paused(const struct model *m, const struct server *s, des_time from, des_time to);
des_time server_pause_left(const struct model *m, const struct server *s, des_time now);

/* Reads of hbase:meta, by clients that look for a region. */
void model_meta_read(struct model *m, uint64_t lookups);

/* Live servers, those that the master still takes for live though they are lost not included. */
size_t model_live_servers(const struct model *m);

/* When a chore runs next, instead of the phase that was drawn: for comparisons with a real cluster. */
enum model_chore { CHORE_DISCHARGER, CHORE_REPORT, CHORE_STATUS, CHORE_BALANCER };
void model_set_phase(struct model *m, enum model_chore chore, int server, des_time next);

/* Logs what would part tails that share a server, as events of the kind "cure". */
int model_log_cures(struct model *m);

/* Copies final figures into the log: regions, servers, tables, counts. */
int model_finish(struct model *m, des_time end);

/* Checks what must always hold: each live region on one server, boundaries tile each table, rows of
   regions sum to servers. 0 or MODEL_BROKEN. */
int model_check(const struct model *m);

#endif
