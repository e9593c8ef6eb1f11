/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of one run or plan, as plain structs: the cluster, its tables, the streams that
   write to them, the queries that read them, and what the planner shall decide. src/scenario
   fills it from an INI file; src/sim and src/plan only read it. It knows no file and no line.

   Ownership: everything that a spec points to belongs to it; spec_free releases all of it.
   spec_init sets every default, so a spec without a table is complete but for its tables.
   Units are in the names. Times are nanoseconds, sizes bytes, rates rows per second. */
#ifndef SPEC_SPEC_H
#define SPEC_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/figure.h"

#define SPEC_NS_PER_S INT64_C(1000000000)

/* How arrivals between events are treated (design: three levels). */
enum spec_detail { SPEC_DETAIL_AUTO, SPEC_DETAIL_WRITE, SPEC_DETAIL_TICK, SPEC_DETAIL_FLOW };

/* Rows up to which `auto` looks at each call, and at each row. */
#define SPEC_AUTO_WRITE_ROWS 3e8
#define SPEC_AUTO_TICK_ROWS 2e10

/* The level that `auto` stands for in a run of |rows|. */
enum spec_detail spec_detail_for(double rows);

/* Pairs of a stream and a table that one run takes. */
#define SPEC_WRITERS_MAX 64

/* Which further runs the pictures compare with. */
enum spec_compare { SPEC_COMPARE_NO = 0, SPEC_COMPARE_NONE = 1, SPEC_COMPARE_TWICE = 2 };

/* A row key, or any bytes that may hold zeros. */
struct spec_bytes {
    uint8_t *bytes;
    size_t len;
};

/* A line of a state file: a region as a master would see it. */
struct spec_state_region {
    int server;                       /* rsNN */
    char *table;                      /* a table of the scenario, hbase:meta, hbase:namespace, or another */
    struct spec_bytes start;
    double store_mb;
    double write_delta, read_delta;   /* growth of its counters from one load sample to the next */
    double memstore_mb[2];            /* in the older and the newer sample */
    int *local;                       /* servers that hold all its blocks; local_len 0 = not known */
    size_t local_len;
};

/* [cluster] */
struct spec_cluster {
    int servers;
    int64_t heap_bytes;               /* each RegionServer's Java heap */
    int background_regions_per_server; /* other tables' regions: they count for the balancer only */
    char *state_name;                 /* `state =` as the scenario has it; NULL = none */
    struct spec_state_region *state;  /* where the regions are at the start, and what they carried */
    size_t state_len;
};

/* [server]: the first machine model, one for all servers. */
struct spec_server {
    double write_capacity_per_s;      /* rows/s that one server's CPU carries */
    int64_t wal_sync_ns;              /* latency that a group commit adds to each call */
    double disk_bytes_per_s;          /* shared by flush and compaction */
    int64_t gc_pause_ns, gc_every_ns; /* the process stands still so long, so often; 0 = never */
    int64_t split_prepare_ns;         /* a region still serves so long after its split was asked for */
    int64_t split_outage_ns;          /* a splitting region is away for this long */
    int64_t move_outage_ns;           /* the same for a moved region */
    double chore_lateness;            /* chores run late by up to this share of their period */
    double wal_split_bytes_per_s;     /* what one task that splits a lost server's WAL reads */
    int64_t restart_ns;               /* a server that is restarted is down for this long */
    double read_capacity_per_s;       /* Gets or scan RPCs/s that one server's CPU carries, without their rows */
    double read_cores;                /* a read runs on one core: it takes so many times its share of the CPU */
    int64_t seek_ns;                  /* CPU of a seek in one file */
    int64_t scan_cell_ns;             /* CPU of a cell that a scan looks at */
    int64_t return_row_ns;            /* CPU of a row that goes into a reply */
    int64_t client_row_ns;            /* the client's time for a row that it receives */
    int64_t round_trip_ns;            /* latency of an RPC that finds an idle server; it takes no capacity */
    double network_bytes_per_s;       /* of replies */
    int64_t disk_seek_ns;             /* latency before a block comes from disk */
};

/* Region split policies by HBase's class names, without the RegionSplitPolicy suffix. */
enum spec_split_policy {
    SPEC_SPLIT_STEPPING,
    SPEC_SPLIT_INCREASING,
    SPEC_SPLIT_CONSTANT,
    SPEC_SPLIT_KEY_PREFIX,
    SPEC_SPLIT_DELIMITED_KEY_PREFIX,
    SPEC_SPLIT_BUSY,
    SPEC_SPLIT_DISABLED
};

/* hbase.master.loadbalancer.class */
enum spec_balancer { SPEC_BALANCER_STOCHASTIC, SPEC_BALANCER_SIMPLE, SPEC_BALANCER_OFF };

/* The balancers' properties; the comment names each without "hbase.master.balancer.stochastic." */
struct spec_balance {
    enum spec_balancer balancer;      /* hbase.master.loadbalancer.class */
    double region_count_cost;         /* regionCountCost */
    double move_cost;                 /* moveCost */
    double locality_cost;             /* localityCost */
    double table_skew_cost;           /* tableSkewCost */
    double read_request_cost;         /* readRequestCost */
    double write_request_cost;        /* writeRequestCost */
    double memstore_size_cost;        /* memstoreSizeCost */
    double storefile_size_cost;       /* storefileSizeCost */
    double min_cost_need_balance;     /* minCostNeedBalance */
    double max_move_percent;          /* maxMovePercent */
    int max_steps;                    /* maxSteps */
    int steps_per_region;             /* stepsPerRegion */
    bool run_max_steps;               /* runMaxSteps */
    int64_t max_running_ns;           /* maxRunningTime */
    bool by_table;                    /* hbase.master.loadbalance.bytable */
    double overall_slop;              /* hbase.regions.overallSlop; NaN = as hbase.regions.slop */
    int64_t max_balancing_ns;         /* hbase.balancer.max.balancing; -1 = the period */
    double max_rit_percent;           /* hbase.master.balancer.maxRitPercent */
    int64_t status_period_ns;         /* hbase.balancer.statusPeriod */
    int64_t msg_interval_ns;          /* hbase.regionserver.msginterval */
    int64_t dispatch_wait_ns;         /* hbase.assignment.dispatch.wait.msec */
    int dispatch_queue_max;           /* hbase.assignment.dispatch.wait.queue.max.size */
    bool scp_retain;                  /* hbase.master.scp.retain.assignment */
    bool separate_daughters; /* hbase.master.auto.separate.child.regions.after.split.enabled */
    int64_t session_timeout_ns;       /* zookeeper.session.timeout */
};

/* SimpleRegionNormalizer's properties; the comment names each without "hbase.normalizer." */
struct spec_normalizer {
    int64_t period_ns;                /* period */
    bool split, merge;                /* split.enabled, merge.enabled */
    int merge_min_regions;            /* merge.min.region.count */
    int merge_min_age_days;           /* merge.min_region_age.days */
    int merge_min_size_mb;            /* merge.min_region_size.mb */
};

/* [hbase]: HBase's properties, with 2.6's defaults. The comment names the property. */
struct spec_hbase {
    int64_t memstore_flush_size_bytes; /* hbase.hregion.memstore.flush.size */
    double memstore_block_multiplier;  /* hbase.hregion.memstore.block.multiplier */
    double global_memstore_size;       /* hbase.regionserver.global.memstore.size */
    double global_memstore_lower;      /* hbase.regionserver.global.memstore.size.lower.limit */
    int64_t max_filesize_bytes;        /* hbase.hregion.max.filesize */
    double max_filesize_jitter;        /* hbase.hregion.max.filesize.jitter */
    enum spec_split_policy split_policy; /* hbase.regionserver.region.split.policy */
    int region_split_limit;            /* hbase.regionserver.regionSplitLimit */
    int handler_count;                 /* hbase.regionserver.handler.count */
    int max_callqueue_length;          /* hbase.ipc.server.max.callqueue.length; 0 = 10 x handlers */
    int compaction_min;                /* hbase.hstore.compaction.min */
    int compaction_max;                /* hbase.hstore.compaction.max */
    double compaction_ratio;           /* hbase.hstore.compaction.ratio */
    int64_t compaction_min_size_bytes; /* hbase.hstore.compaction.min.size */
    int64_t compaction_max_size_bytes; /* hbase.hstore.compaction.max.size */
    int64_t major_compaction_ns;       /* hbase.hregion.majorcompaction; 0 = never by time */
    double major_compaction_jitter;    /* hbase.hregion.majorcompaction.jitter */
    double compaction_ratio_offpeak;   /* hbase.hstore.compaction.ratio.offpeak */
    int offpeak_start_hour, offpeak_end_hour; /* hbase.offpeak.start.hour, end.hour: 0 to 23, UTC; -1: none */
    int64_t compaction_lower_bytes_per_s, compaction_higher_bytes_per_s; /* ...compaction.throughput.lower.bound, higher */
    int64_t compaction_throttle_bytes; /* hbase.regionserver.thread.compaction.throttle */
    int blocking_store_files;          /* hbase.hstore.blockingStoreFiles */
    int64_t blocking_wait_ns;          /* hbase.hstore.blockingWaitTime */
    int flusher_count;                 /* hbase.hstore.flusher.count */
    int64_t flush_interval_ns;         /* hbase.regionserver.optionalcacheflushinterval; 0 = never */
    int flush_per_changes;             /* hbase.regionserver.flush.per.changes */
    int64_t flush_check_ns;            /* hbase.regionserver.flush.check.period */
    int flush_delay_range_s;           /* hbase.regionserver.periodicmemstoreflusher.rangeofdelayseconds */
    int64_t discharger_interval_ns;    /* hbase.hfile.compaction.discharger.interval */
    int64_t balancer_period_ns;        /* hbase.balancer.period */
    double regions_slop;               /* hbase.regions.slop */
    int64_t client_write_buffer_bytes; /* hbase.client.write.buffer */
    int64_t client_pause_ns;           /* hbase.client.pause */
    int client_retries;                /* hbase.client.retries.number */
    int create_threads;                /* hbase.hregion.open.and.init.threads.max */
    double block_cache_size;           /* hfile.block.cache.size: a share of the heap */
    double bloom_error_rate;           /* io.storefile.bloom.error.rate */
    int64_t scanner_caching;           /* hbase.client.scanner.caching */
    int64_t scanner_max_result_bytes;  /* hbase.client.scanner.max.result.size */
    int max_logs;                      /* hbase.regionserver.maxlogs; 0 = max(32, 2 x memstore limit / roll size) */
    int64_t increasing_initial_bytes;  /* hbase.increasing.policy.initial.size; 0 = not set */
    bool split_overall_files;          /* hbase.hregion.split.overallfiles */
    double busy_blocked_share;         /* hbase.busy.policy.blockedRequests */
    int64_t busy_min_age_ns;           /* hbase.busy.policy.minAge */
    int64_t busy_window_ns;            /* hbase.busy.policy.aggWindow */
    struct spec_normalizer normalizer;
    struct spec_balance balance;
};

/* One column of a family: `column = v:100`. */
struct spec_column {
    char *qualifier;
    int64_t value_bytes;
};

/* DATA_BLOCK_ENCODING and COMPRESSION, in the order of hbase/rules. */
enum spec_encoding {
    SPEC_ENCODING_NONE,
    SPEC_ENCODING_PREFIX,
    SPEC_ENCODING_DIFF,
    SPEC_ENCODING_FAST_DIFF,
    SPEC_ENCODING_ROW_INDEX_V1
};
enum spec_compression {
    SPEC_COMPRESSION_NONE,
    SPEC_COMPRESSION_GZ,
    SPEC_COMPRESSION_SNAPPY,
    SPEC_COMPRESSION_LZ4,
    SPEC_COMPRESSION_ZSTD
};

/* [family TABLE/NAME] */
struct spec_family {
    char *name;
    struct spec_column *columns;
    size_t columns_len;
    int64_t blocksize_bytes;          /* BLOCKSIZE */
    bool bloom_row;                   /* BLOOMFILTER => 'ROW' */
    bool bloom_rowcol;                /* BLOOMFILTER => 'ROWCOL'; neither: NONE */
    int64_t ttl_ns;                   /* TTL, whole seconds; 0 = forever */
    int versions;                     /* VERSIONS; 0 = 1 */
    enum spec_encoding encoding;
    enum spec_compression compression;
    double compression_ratio;         /* compressed / encoded bytes; 0 = as recorded of the codec */
};

/* HBase's names of an encoding, a compression and a family's bloom filter. */
const char *spec_encoding_name(enum spec_encoding e);
const char *spec_compression_name(enum spec_compression c);
const char *spec_bloom_name(const struct spec_family *f);

/* How the table is cut at its creation: the words of `splits =`. */
enum spec_splits {
    SPEC_SPLITS_BUCKETS,              /* one region a bucket, or R a bucket: `buckets x 4` */
    SPEC_SPLITS_NONE,
    SPEC_SPLITS_HEX,                  /* HexStringSplit R */
    SPEC_SPLITS_DECIMAL,              /* DecimalStringSplit R */
    SPEC_SPLITS_UNIFORM,              /* UniformSplit R */
    SPEC_SPLITS_FILE,                 /* `file splits.txt`: HBase's SPLITS_FILE */
    SPEC_SPLITS_KEYS                  /* `keys \x01,\x02` */
};

/* [table NAME] */
/* Of one table: the model keeps so many side by side in one region. */
#define SPEC_FAMILIES_MAX 32

struct spec_table {
    char *name;
    char *key;                        /* the layout line, as saltkey_layout_parse reads it */
    char *salt;                       /* the salt's words, as saltkey_salt_parse reads them; "none" */
    int buckets;                      /* N; 0 = none (unsalted) */
    char *salt_over;                  /* "key" or a field's name */
    enum spec_splits splits;
    int splits_regions;               /* R of the words above; 1 where it has none */
    struct spec_bytes *split_keys;    /* of `file` and `keys`, sorted and unique */
    size_t split_keys_len;
    char *splits_file;                /* the name of `file`, as the scenario has it; NULL = none */
    int64_t max_filesize_bytes;       /* MAX_FILESIZE; 0 = the site's */
    int64_t memstore_flush_size_bytes; /* MEMSTORE_FLUSHSIZE; 0 = the site's */
    bool own_split_policy;            /* SPLIT_POLICY; false = the site's */
    enum spec_split_policy split_policy;
    int split_prefix_bytes;           /* of KeyPrefix: prefix_length */
    struct spec_bytes split_delimiter; /* of DelimitedKeyPrefix */
    int64_t partition_ns;             /* a table of its own for each such span; 0 = one table */
    int64_t keep_ns;                  /* of a partition after its span; then it is dropped. 0 = kept */
    bool normalizer;                  /* NORMALIZATION_ENABLED */
    bool normalizer_no_split, normalizer_no_merge; /* hbase.normalizer.{split,merge}.enabled = false of the table */
    int64_t normalizer_target_bytes;  /* NORMALIZER_TARGET_REGION_SIZE_MB, whole MiB; 0 = not set */
    int normalizer_target_regions;    /* NORMALIZER_TARGET_REGION_COUNT; 0 = not set */
    struct spec_family *families;
    size_t families_len;
};

enum spec_popularity { SPEC_POPULARITY_UNIFORM, SPEC_POPULARITY_ZIPF, SPEC_POPULARITY_HOT };
enum spec_arrival { SPEC_ARRIVAL_EVERY, SPEC_ARRIVAL_CONSTANT, SPEC_ARRIVAL_POISSON };
/* While a scenario is read: a buffer of the site's size, hbase.client.write.buffer. */
#define SPEC_BUFFER_SITE (-1)
enum spec_key_format { SPEC_KEYS_ESCAPED, SPEC_KEYS_HEX, SPEC_KEYS_BINARY };

/* How a stream's rate moves about the given one: a day's curve, bursts, growth. */
#define SPEC_BURSTS_MAX 8
struct spec_burst {
    double factor;                    /* the rate is so many times itself ... */
    int64_t for_ns, every_ns;         /* ... for so long at the beginning of each period but the first */
};
struct spec_curve {
    double day_swing;                 /* 0.5: 50 % above the mean at the peak, 50 % below twelve hours later */
    int64_t day_peak_ns;              /* time of day (UTC of the event time) */
    struct spec_burst bursts[SPEC_BURSTS_MAX];
    size_t bursts_len;
    double growth_factor;             /* x2 in 1y: evenly, and on at this slope; 0 = none */
    int64_t growth_in_ns;
    double growth_gain;               /* +3% every 30d: compounds evenly; 0 = none */
    int64_t growth_every_ns;
    int64_t since_ns;                 /* the curve began so long before the stream: of a partition's */
};

/* [stream NAME]: who writes. Either entities and an arrival, or a file of keys and a rate. */
struct spec_stream {
    char *name;
    char **tables;                    /* names of the tables that get each row */
    size_t tables_len;
    int64_t entities;
    enum spec_arrival arrival;
    int64_t every_ns;                 /* of `every 5s`: one report an entity in this time */
    double rate_per_s;                /* rows/s; of `every`: entities / every */
    struct spec_curve curve;
    int64_t from_ns, until_ns;        /* it writes from .. until of the run; until 0 = to the end */
    double late_share;                /* so many of its rows ... */
    int64_t late_up_to_ns;            /* ... have an event time earlier than their arrival, by up to this much */
    enum spec_popularity popularity;
    double zipf_exponent;
    int64_t hot_entities;             /* of `hot 1 30%`: so many entities ... */
    double hot_share;                 /* ... take this share of the rows */
    int clients;                      /* writers, each with a buffer of its own */
    int64_t buffer_bytes;             /* heap size; 0 = unbuffered: one call a row */
    int64_t start_ms;                 /* event time of the first row, Unix milliseconds */
    char *keys_file;                  /* replay: rows' natural keys, NULL = generated; a path to open */
    char *keys_name;                  /* the same as the scenario has it */
    enum spec_key_format keys_format;
    int keys_width;                   /* bytes of a binary key */
};

enum spec_query_kind {
    SPEC_QUERY_RANGE,                 /* `range 5m`: the last five minutes */
    SPEC_QUERY_NEWEST,                /* `newest 100` */
    SPEC_QUERY_GET,
    SPEC_QUERY_HISTORY,               /* `history device 1d` */
    SPEC_QUERY_PREFIX,
    SPEC_QUERY_FULL,
    SPEC_QUERY_MULTIGET               /* `multiget 50`: rows anywhere, one RPC a server */
};

/* Readers that get something wrong: what they lose is the answer. */
enum spec_reader {
    SPEC_READER_CORRECT,
    SPEC_READER_ONE_BUCKET,           /* scans one bucket and forgets the others */
    SPEC_READER_NO_SALT,              /* its start and stop have no salt at all */
    SPEC_READER_LAST_MISSED,          /* all buckets but the last */
    SPEC_READER_OTHER_HASH            /* computes the bucket with another hash */
};

/* [query NAME] */
struct spec_query {
    char *name;
    char *table;
    enum spec_query_kind kind;
    int64_t window_ns;                /* of range and history */
    int64_t newest;                   /* rows of newest; of a multiget the rows asked for */
    char *field;                      /* of history and `newest 100 device`: the entity's field; NULL: of all */
    struct spec_bytes prefix;         /* of prefix */
    double rate_per_s;
    bool count;                       /* `count ...`: rows are counted on the servers, none comes back */
    bool stop_merge;                  /* of newest: scans have no limit, the merge stops and closes them */
    int threads;                      /* that run a query's scans; 0: one each */
    enum spec_reader reader;
};

enum spec_event_kind {
    SPEC_EVENT_ADD,                   /* `add server`, `add 3 servers` */
    SPEC_EVENT_LOSE,                  /* `lose server rs03`: it dies with its memstores */
    SPEC_EVENT_DRAIN,                 /* `drain rs03`: its regions move off, it takes no new ones */
    SPEC_EVENT_RESTART,               /* `restart rs03`: unload, restart, load again */
    SPEC_EVENT_ROLLING_RESTART,       /* the same for each server in turn */
    SPEC_EVENT_MOVE,                  /* `move telemetry,\x03 rs05` */
    SPEC_EVENT_BALANCE,               /* `balance`: a run now */
    SPEC_EVENT_BALANCER_ON,           /* `balancer on`: HBase's balance_switch */
    SPEC_EVENT_BALANCER_OFF,
    SPEC_EVENT_SPLIT,                 /* `split telemetry,\x03`, `split telemetry,\x03 \x03dev-7` */
    SPEC_EVENT_MERGE,                 /* `merge telemetry,\x03 telemetry,\x04` */
    SPEC_EVENT_FLUSH,                 /* `flush telemetry`, `flush telemetry,\x03` */
    SPEC_EVENT_COMPACT,
    SPEC_EVENT_MAJOR_COMPACT,
    SPEC_EVENT_CREATE_TABLE,          /* `create telemetry`: it doesn't exist before */
    SPEC_EVENT_DROP_TABLE             /* `drop telemetry`: disabled, and its files are gone */
};

/* [event NAME] */
struct spec_event {
    char *name;
    int64_t at_ns;
    enum spec_event_kind kind;
    int count;                        /* servers that are added */
    int server;                       /* rsNN; of a move the target, -1 = any other */
    char *table;                      /* of a move, and of what is done to a table or region */
    bool whole_table;                 /* of flush and compact: all regions */
    struct spec_bytes key;            /* the region that holds this row then */
    struct spec_bytes other;          /* of a split: where, empty = midkey; of a merge: the second region */
};

/* [expect NAME]: a bound that a figure of the run must keep. */
struct spec_expect {
    char *name;
    enum spec_scope scope;            /* a figure of a query has SPEC_SCOPE_QUERY */
    char *scope_name;                 /* server, table, `TABLE,KEY` or query; NULL = each: the worst one decides */
    char *metric;                     /* a name of spec_figures, without the query */
    bool at_most;                     /* <= ; else >= */
    double bound;                     /* in the unit of the metric's name */
    int64_t from_ns, to_ns;           /* of the run; to_ns 0 = its end */
    int64_t last_ns;                  /* `last 1h`; 0 = from_ns and to_ns count */
    char *issue;                      /* a failure that is known; NULL = none */
};

/* A bound that a figure must keep: `hot_server_ratio <= 1.6`. */
struct spec_target {
    char *metric;                     /* a name of result.json's summary, or QUERY.scans */
    bool at_most;                     /* <= ; else >= */
    double bound;                     /* in the unit of the metric's name: _us, _per_s */
};

/* `growth =`: the cluster and its load over the years, N being fixed. */
#define SPEC_GROWTH_STEPS 8
struct spec_growth {
    int servers[SPEC_GROWTH_STEPS];   /* 12 -> 16: reached at equal spans, servers added one by one between */
    size_t servers_len;               /* 0 = the cluster stays as it is */
    int64_t servers_in_ns;            /* when the last one is reached */
    double rate_factor;               /* rate x2 in 2y: evenly up to this factor; 1 = none */
    int64_t rate_in_ns;
    double rate_gain;                 /* rate +3% every 30d: so much more in each span; 0 = none */
    int64_t rate_every_ns;
};

/* [plan] */
#define SPEC_PHOENIX(major, minor, patch) ((major) * 10000 + (minor) * 100 + (patch))

struct spec_plan {
    int *candidates;                  /* bucket counts in the given order; 0 = none */
    size_t candidates_len;
    struct spec_target *targets;
    size_t targets_len;
    double headroom;                  /* room above the needed rate, as a share of it */
    int phoenix_version;              /* SPEC_PHOENIX(5, 2, 1); 0 = that */
    struct spec_growth growth;
};

struct spec {
    char *title;
    char *base_name;                  /* the scenario's file name without folder and .ini */
    uint64_t seed;
    int64_t duration_ns;
    int64_t window_ns;                /* sample window; 0 = spec_window_ns's rule */
    enum spec_detail detail;
    unsigned compare;                 /* SPEC_COMPARE_ bits */
    int sample_keys;                  /* keys kept of each memstore and file; 0 = all */
    struct spec_cluster cluster;
    struct spec_server server;
    struct spec_hbase hbase;
    struct spec_table *tables;
    size_t tables_len;
    struct spec_stream *streams;
    size_t streams_len;
    struct spec_query *queries;
    size_t queries_len;
    struct spec_event *events;        /* as the scenario has them, in any order of time */
    size_t events_len;
    struct spec_expect *expects;
    size_t expects_len;
    struct spec_plan plan;
    bool has_plan;
};

/* Sets every default; nothing is allocated. */
void spec_init(struct spec *sp);

/* Releases all that the spec owns and leaves it as spec_init does. */
void spec_free(struct spec *sp);

/* A deep copy into an uninitialised |to|; 0, or -1 without memory (|to| is then freed). */
int spec_copy(const struct spec *from, struct spec *to);

/* The same of one table or stream, which the caller (or the spec that it becomes part of) owns. */
int spec_table_copy(const struct spec_table *from, struct spec_table *to);
int spec_stream_copy(const struct spec_stream *from, struct spec_stream *to);
void spec_stream_free(struct spec_stream *stream);

/* The sample window of the run: [scenario] window, or 1/400 of the duration rounded up to one of
   1 2 5 10 15 30 s, 1 2 5 10 15 30 m, 1 2 6 12 h, 1 2 d; a run shorter than that is one window. */
int64_t spec_window_ns(const struct spec *sp);

/* Rows per second that a server which does nothing else writes in the long run: write_capacity without the share of the
   time that the garbage collector takes. */
double spec_write_capacity_per_s(const struct spec *sp);

/* Largest rate of the stream over its mean one: the top of the day with the bursts, without growth. */
double spec_stream_peak(const struct spec_stream *st);

/* Whether rows come otherwise than at even distances. */
bool spec_stream_is_uneven(const struct spec_stream *st);

/* The table of that name, or NULL. */
const struct spec_table *spec_table_by_name(const struct spec *sp, const char *name);

/* Whether the salt's words distribute over N buckets: true for all but "none" and the hashed
   prefix "md5hex D", which has no N. A table of such a salt with buckets = 0 is unsalted. */
bool spec_salt_takes_buckets(const char *salt);

/* The split policy in force: the table's, else the site's; its class name without the package. */
enum spec_split_policy spec_table_split_policy(const struct spec *sp, const struct spec_table *table);
const char *spec_split_policy_name(enum spec_split_policy policy);

/* Writes N into every table whose salt takes buckets; 0 makes it unsalted: `splits = buckets`
   then means one region. Returns the number of tables changed. */
size_t spec_set_buckets(struct spec *sp, int n);

/* One value of the scenario as it was resolved, base units, the unit in the key's name. The
   scenario fills the list; the simulator copies it into its result. */
struct spec_setting {
    char *section;                    /* "cluster", "table telemetry" */
    char *key;                        /* "heap_bytes" */
    char *text;                       /* value as text, or NULL when it is a number */
    double number;
};

struct spec_settings {
    struct spec_setting *items;
    size_t len;
};

/* Releases the list's parts and leaves it empty. */
void spec_settings_free(struct spec_settings *set);

#endif
