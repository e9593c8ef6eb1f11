/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What came out of a run, as plain structs. The simulator fills it, result.json is its image
   (result/json.h), report and charts read nothing else. Numbers are SI base units, named.
   A double that has no value is NaN (null in JSON, left out of tables).

   Ownership: a result owns all that it points to; result_free releases it. Arrays grow through
   the result_add_ functions, which return the new zeroed element, or NULL without memory. */
#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RESULT_SCHEMA "saltplan/1"

/* One value of the scenario as it was resolved, base units, the unit in the key's name. */
struct result_setting {
    char *section;                    /* "cluster", "table telemetry" */
    char *key;                        /* "heap_bytes" */
    char *text;                       /* value as text, or NULL when it is a number */
    double number;
};

/* design.md section 4 gives each name's meaning. */
struct result_summary {
    double writes_offered, writes_done, writes_rejected, writes_queued; /* rows */
    double writes_buffered;           /* of the queued ones: in client buffers that aren't full yet */
    double write_refusals;            /* refused attempts, retried or not */
    double connection_losses;         /* calls to a dead server, or inside one that died */
    double hot_server_ratio, hot_server_ratio_total;
    double hot_region_share, hot_region_ratio;
    double write_tails, effective_tails, tails_per_server_max;
    double servers_idle;              /* servers without a write tail, median over the windows */
    double spread_at_s;               /* begin of the first window with hot_server_ratio 1.6 or less */
    double stacked_s;                 /* one server had more tails than an even spread makes unavoidable */
    double balancer_looked, balancer_ran; /* times the balancer's chore looked, and ran */
    double balancer_moves, balancer_moves_redundant; /* redundant: cycles between servers, to no effect */
    double regions_moved_again;       /* moved by the balancer more than once */
    double thrash;                    /* the worst server's back and forth: 2 is there and back once */
    double regions_start, regions_end; /* of the scenario's tables */
    double splits, flushes, compactions, moves;
    double regions_expired;           /* live at the end, and empty since all they had passed its TTL */
    double files_expired;             /* dropped whole, without a compaction, for their TTL */
    double write_p50_us, write_p95_us, write_p99_us, write_p999_us;
    double write_mean_us, write_max_us;
    double max_write_rate_per_s;      /* offered rate at which the hottest server saturates */
    double queue_age_max_s;           /* longest time that a row waited in its client */
    double reads_share;               /* what queries ask of the busiest server's processor, mean; NaN without queries */
    double windows, windows_joined, windows_empty;
};

struct result_server {
    char *name;                       /* "rs00" ... in the order of the server list */
    double writes;                    /* rows of the scenario's tables */
    double share;                     /* of all writes */
    double utilisation;               /* busy time / run */
    double up_s;                      /* how long it was live */
    double regions_start, regions_end; /* all regions, system and background included */
    double tails;                     /* write tails, median over the windows */
    double flushes, compactions, splits, moves_in, moves_out;
    double refusals;
    double disk_bytes;                /* written by flush and compaction */
};

struct result_table {
    char *name;
    int buckets;                      /* 0 = unsalted */
    char *layout;                     /* the key's line */
    char *salt;
    double writes, regions_start, regions_end, splits, flushes, compactions;
    double store_bytes, memstore_bytes;
};

/* A region from its birth to its death; split parents stay. */
struct result_region {
    int id;                           /* its index in regions[] */
    int table;                        /* index in tables[]; -1 for system and background regions */
    char *start, *end;                /* Bytes.toStringBinary; "" = open */
    int bucket;                       /* bucket of its start key; -1 where there is none */
    double birth_s, death_s;          /* death NaN while it lives */
    int parent;                       /* region id, -1 */
    int server_start, server_end;     /* index in servers[] */
    double writes;                    /* rows since birth, whatever server served them */
    double requests;                  /* HBase's own counter, which restarts with each open */
    double store_bytes, store_files;
    double memstore_bytes, memstore_heap_bytes; /* data size; heap as HBase's triggers count it */
    double flushes, compactions;
};

/* One sample window. */
struct result_window {
    double begin_s, end_s;
    double offered, done, rejected, queued; /* rows; queued at the window's end */
    double refusals;
    double hot_server_ratio, hot_region_share, hot_region_ratio;
    double write_tails, effective_tails, tails_per_server_max;
    double p50_us, p99_us, p999_us, max_us;
    double regions;                   /* alive at the end, of the scenario's tables */
    double flushes, compactions, splits, moves;
    double connection_losses;
    double servers;                   /* live ones, mean over the window */
    double blocked_s;                 /* region-seconds away, by split, move or a lost server */
    double *server_writes;            /* servers_len: rows that each server did */
    double *server_tails;             /* servers_len: write tails on each */
    bool joined;                      /* holds more than one sample window */
};

/* A named number that a decision looked at. */
struct result_input {
    const char *name;                 /* static text, the rule's own word */
    double value;
};

#define RESULT_INPUTS 20

/* A decision or happening, with the rule that made it. */
struct result_event {
    int id;                           /* index in events[] */
    double at_s;
    const char *kind;                 /* "flush" "split" "compaction" "move" "balancer" "refusal" ... */
    int table, region, server;        /* -1 where it does not apply */
    int to_server;                    /* of a move; -1 */
    int daughter_a, daughter_b;       /* region ids of a split; -1 */
    const char *rule;                 /* HBase's class or property; static text */
    struct result_input *inputs;      /* name NULL ends the list; NULL where there are none */
    double threshold;                 /* NaN where there is none */
    bool refused;                     /* by hand, and it came to nothing; only in the run that logged it, not in JSON */
    char *text;                       /* one sentence */
    char *files;                      /* of a compaction: the store's files when it was chosen, oldest first, bytes
                                         parted by blanks; r behind a reference, c behind one that another
                                         compaction held. NULL = not kept */
};

/* How far something is spread, beside what balls thrown into bins would give at the same counts. */
struct result_spread {
    char *name;                       /* "bucket" (rows), "tails_per_server", "regions_per_server" (counts),
                                         "hot_server_ratio"; rows and the ratio as multiples of an even share */
    double most, least;               /* the fullest and the emptiest; the one with nothing counts */
    char *most_at, *least_at;
    double expected, lo, hi;          /* of the fullest at random: mean, and 95 % of all throws */
    char *verdict;                    /* "even", "more even than chance", "beyond chance, by 0.04 %: no matter",
                                         "skewed, 46 % beyond chance" (chance/chance.h) */
};

struct result_query {
    char *name;
    char *table;
    char *kind;                       /* as the scenario says it */
    double scans, regions;            /* of one query; NaN = not known */
    double rpcs, rows_scanned, rows_returned, bytes, p50_us, p99_us;
    double p95_us, p999_us;
    double independent_p50_us, independent_p95_us, independent_p99_us, independent_p999_us; /* the slowest of as many
                                         scans if each took what it takes alone, independent of the others; NaN: one scan,
                                         or not all at once */
    double retries;                   /* of one query: calls that found their region away (moving, splitting); not among
                                         rpcs, and each has a look-up in hbase:meta behind it */
    double sampled;                   /* queries that went through the real ranges and merge */
    double timed;                     /* queries that were timed, drawn from those */
    double server_share;              /* of the processor of the busiest server for it; above 1: saturated */
    double cache_hit_share;           /* of its blocks, at the end */
    double rows_lost_share;           /* that a reader with a mistake doesn't get; NaN: it makes none */
    char *note;                       /* what a user must know of it; NULL */
};


/* The matrix of the first picture. Row r holds keys in [edges[r], edges[r+1]) of its bucket.
   Cells are rows/s; the server that held the row's keys in that window is beside it. */
struct result_keyspace {
    int table;
    size_t rows, columns;
    int buckets;                      /* blocks of rows: N, or 1 (unsalted or no bucket known) */
    char **edges;                     /* rows texts: the row's first key */
    int *row_bucket;                  /* rows */
    double *times_s;                  /* columns + 1 */
    double *cells;                    /* rows x columns, row-major, rows/s; NaN = no data */
    int *server;                      /* rows x columns, index in servers[]; -1 = not known */
};

/* One run. */
struct result_run {
    char *role;                       /* "scenario", "none", "twice" */
    int buckets;                      /* of the salted tables; 0 = none */
    char *detail;                     /* "write", "tick", "flow" */
    double duration_s, window_s;
    double server_capacity_per_s;     /* rows/s of one server */
    struct result_summary summary;
    struct result_server *servers;
    size_t servers_len;
    struct result_table *tables;
    size_t tables_len;
    struct result_region *regions;
    size_t regions_len, regions_cap;
    struct result_window *windows;
    size_t windows_len, windows_cap;
    struct result_event *events;
    size_t events_len, events_cap;
    struct result_query *queries;
    size_t queries_len;
    struct result_spread *spreads;
    size_t spreads_len;
    struct result_keyspace keyspace;
    char **texts;                     /* owned texts behind an event's |kind|, |rule| and input names */
    size_t texts_len, texts_cap;      /* (only a run that was read from a file has them) */
};

/* A figure with its 95 % interval; lo = hi = mean for a single run. */
struct result_figure {
    double mean, lo, hi;
};

struct result_candidate {
    int n;                            /* 0 = none */
    struct result_figure hot_server_ratio, max_write_rate_per_s, scan_p99_us, scan_rpcs, regions;
    struct result_figure scans, write_tails, servers_idle, hot_bucket_share;
    bool feasible;
    bool undecided;                   /* a figure lies on its target, or its interval holds it */
    double margin;                    /* smallest distance to a target, as a share of it; < 0: missed */
    double replications;              /* placements, or runs, behind each figure */
    double breaks_at_s;               /* of a plan with growth: when it first misses a target */
    double confirmed_ratio;           /* hot_server_ratio of the run that confirms it */
    char *why_not;                    /* NULL when feasible */
};

/* What one query costs with a candidate's N, from the run that timed it (result_query's words). */
struct result_query_cost {
    int n;                            /* 0 = none */
    char *query, *kind;
    double scans, rpcs, regions, rows_scanned, rows_returned;
    double p50_us, p95_us, p99_us, p999_us;
    double server_share;
    double independent_p50_us, independent_p95_us, independent_p99_us, independent_p999_us;
};

/* A rule of HBase, Phoenix or good practice that the plan was held against. */
struct result_gate {
    char *id;                         /* "memstore" */
    char *level;                      /* "ok", "warn", "stop" */
    char *text;                       /* the formula with its numbers */
    char *source;
    char *hint;                       /* what to set; NULL where nothing is wrong */
};

/* A candidate at one point of the growth. */
struct result_stage {
    int n;
    double at_s;                      /* from the table's creation */
    double servers, rate_per_s;
    double hot_server_ratio, max_write_rate_per_s;
    double headroom;                  /* max_write_rate_per_s / rate_per_s - 1 */
    bool meets;
};

/* What the answer would be if something were otherwise. */
struct result_variation {
    char *name;                       /* "rate x2" */
    int recommended_n;                /* -1 = nothing is feasible then */
    double hot_server_ratio;          /* of the plan's N in that case */
    double margin;                    /* of the plan's N in that case */
    double headroom;                  /* of the plan's N in that case: full at / offered - 1, at the start */
    char *text;
};

/* What the figures rest on. */
struct result_assumption {
    char *text, *source;
};

struct result_plan {
    bool present;
    int recommended_n;                /* -1 = nothing is feasible */
    char *answer;                     /* "salt", "no-salt", "salt-will-not-help", "layout", "none-feasible",
                                         "not-decided" (interrupted) */
    char *reason;                     /* one or two sentences */
    char *targets;                    /* as the scenario gives them */
    int smaller_n, larger_n;          /* candidates next to the recommended one; -1 = none */
    char *smaller_why, *larger_why;   /* why not these */
    int even_n;                       /* smallest N that loads all servers alike at every size; -1 = above 256 */
    char *even_text;                  /* what it costs */
    char *rule_of_thumb;              /* what the usual advice gives */
    char *breaks_first;               /* the target that a growing load misses first */
    double breaks_at_per_s;           /* and the rate at which it does */
    double demand_per_s;              /* rows/s that the streams offer at the start, at the peak of their daily curve */
    double headroom;
    double floor_per_s;               /* below this rate one server is enough */
    char *create;                     /* what to type for the recommended N: in the hbase shell, or in Phoenix for its tables */
    struct result_candidate *candidates;
    size_t candidates_len;
    struct result_query_cost *query_costs; /* of each candidate, in their order; none where nothing timed them */
    size_t query_costs_len;
    struct result_stage *stages;
    size_t stages_len;
    struct result_gate *gates;
    size_t gates_len;
    struct result_variation *variations;
    size_t variations_len;
    struct result_assumption *assumptions;
    size_t assumptions_len;
};

/* What came of one [expect NAME]. */
struct result_expectation {
    char *name;
    char *verdict;                    /* "pass", "fail", "known" (fails, as its issue says), "passes now" (so the
                                         issue is out of date) */
    char *metric, *scope, *window;    /* as the scenario says them */
    char *formula;                    /* how |value| was made */
    bool at_most;                     /* value <= bound; else >= */
    double bound, value;
    double begin_s, end_s;            /* of what was judged */
    double worst, worst_at_s;         /* the worst sample window, and where it begins; NaN = no windows */
    char *where;                      /* the server, table or region that is worst; NULL = none */
    double since_s;                   /* begin of the unbroken stretch of windows beyond the bound that holds the
                                         worst one; NaN = there is none */
    char *issue;                      /* NULL = none */
    char *text;                       /* all of it in one sentence */
};

struct result_layouts;

struct result_diagnostic {
    char *severity;                   /* "warning", "note" */
    char *id;                         /* "W-..." */
    char *text;
};

/* A figure of a real cluster, from |lo| to |hi| in several runs, and the model's. */
struct result_measurement {
    char *name;
    double lo, hi, simulated;
    bool own;                         /* simulated is this result's figure, not one of the table */
};

struct result {
    char *version;
    char *title;
    char *base_name;                  /* the scenario's, without folder and ending */
    uint64_t seed;
    bool partial;
    struct result_setting *scenario;
    size_t scenario_len;
    struct result_run run;
    struct result_run *comparisons;
    size_t comparisons_len;
    struct result_plan plan;
    struct result_expectation *expectations;
    size_t expectations_len;
    struct result_diagnostic *diagnostics;
    size_t diagnostics_len;
    struct result_measurement *measurements; /* beside what was measured (result/measured.h); not in result.json */
    size_t measurements_len;
    struct result_layouts *layouts;   /* other layouts of the key (result/layouts.h), NULL = none; not in result.json */
};

/* All numbers NaN or 0, all texts NULL, region and server references -1 where they are added. */
void result_init(struct result *res);
void result_free(struct result *res);

void result_run_init(struct result_run *run);
void result_run_free(struct result_run *run);

/* Releases what the plan owns and leaves it without any; result_free does it too. */
void result_plan_free(struct result_plan *plan);

/* Figures NaN, the rest 0: for the elements of arrays that the caller allocates. */
void result_candidate_init(struct result_candidate *cand);
void result_query_init(struct result_query *query);
void result_query_free(struct result_query *query);
void result_summary_init(struct result_summary *sum); /* all NaN */

/* A figure of one query by its name, as window.p99 (us), window.rpcs, latest.scans; false where the run has
   no such query or figure. */
bool result_query_figure(const struct result_run *run, const char *name, double *value);

/* The element returned is valid until the next one of its kind is added. */
struct result_region *result_add_region(struct result_run *run);
struct result_window *result_add_window(struct result_run *run); /* with arrays of servers_len */
struct result_event *result_add_event(struct result_run *run);

/* An input of an event by its name; NaN where it has none of that name. */
double result_event_input(const struct result_event *ev, const char *name);

/* One more input; |name| is static text, and there are RESULT_INPUTS at most. 0, or -1 without memory. */
int result_event_add_input(struct result_event *ev, const char *name, double value);

/* |text| as a text that lives as long as the run, each different one kept once; for kinds, rules
   and input names that are not static. NULL without memory. */
const char *result_keep_text(struct result_run *run, const char *text);

/* Rows x columns of an empty matrix (all cells NaN, all servers -1, times 0, edges NULL) in a run
   that has none yet; 0, or -1 without memory or where rows x columns overflows. */
int result_keyspace_alloc(struct result_keyspace *ks, size_t rows, size_t columns);

/* Bytes.toStringBinary texts compared as the bytes that they stand for, as HBase orders keys:
   below, equal to or above 0. */
int result_key_compare(const char *a, const char *b);

/* Whether the query returns as many rows with this N as with others: where servers don't keep up, there are fewer to
   return, and its time can't be compared. */
bool result_cost_is_whole(const struct result_plan *plan, const struct result_query_cost *cost);

/* rows/s that a candidate must carry: the streams' peak at the start and the headroom; NaN where it isn't known. */
double result_plan_needed_per_s(const struct result_plan *plan);

/* The tightest bound that the plan's targets put on |metric| ("hot_server_ratio", ".scans" of any query) with <=;
   NaN for none. */
double result_plan_bound(const struct result_plan *plan, const char *metric);

/* The candidate of the recommended N; NULL for none. */
const struct result_candidate *result_plan_chosen(const struct result_plan *plan);

/* The runs of a result in a fixed order: the scenario first; NULL behind the last one. */
const struct result_run *result_run_at(const struct result *res, size_t index);

/* The comparison of that role ("none", "twice"), or NULL. */
const struct result_run *result_comparison(const struct result *res, const char *role);

/* The name of a server or table of the run, NULL for an index that has none. */
const char *result_server_name(const struct result_run *run, int server);
const char *result_table_name(const struct result_run *run, int table);

/* What a run is called in reports and pictures: "16 buckets", "unsalted", or the words of a salt that
   has no buckets ("salt md5hex 4"). Returns |out|. */
#define RESULT_NAME_CAP 48
const char *result_run_name(const struct result_run *run, char out[RESULT_NAME_CAP]);

/* Whether the servers keep up: what waits beyond the clients' own buffers, or was given up, is at most a
   hundredth of what was offered, or of a run of seconds what comes in a tenth of a second and is in calls. */
bool result_keeps_up(const struct result_run *run);

/* Whether more than that waits. */
bool result_rows_wait(const struct result_run *run);

/* From this reads_share on, reads may be what holds writes up. */
#define RESULT_READS_MATTER 0.1

/* The query that asks most of a server; NULL where none asks for anything. */
const struct result_query *result_most_asked(const struct result_run *run);

/* Adds a diagnostic (printf format); 0, or -1 without memory. */
int result_add_diagnostic(struct result *res, const char *severity, const char *id, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Regions that tile the key space of |table| at time |at_s|: writes at most |cap| ids in key order
   (by the order of their start keys as given in regions[]), returns how many there are (more than
   |cap|: the first ones in the order of their ids). */
size_t result_regions_alive(const struct result_run *run, int table, double at_s, int *ids, size_t cap);

#endif
