/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_SPLIT_POLICY_H
#define HBASE_RULES_SPLIT_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When a region splits, where, and what the daughters get (HBase 2.6: *RegionSplitPolicy,
   RegionSplitRestriction, CompactSplit, HRegionFileSystem). Sizes are bytes, times microseconds. */

enum split_policy {
    SPLIT_STEPPING,                /* SteppingSplitPolicy, the default */
    SPLIT_INCREASING_TO_UPPER_BOUND,
    SPLIT_CONSTANT_SIZE,
    SPLIT_KEY_PREFIX,              /* KeyPrefixRegionSplitPolicy */
    SPLIT_DELIMITED_KEY_PREFIX,    /* DelimitedKeyPrefixRegionSplitPolicy */
    SPLIT_BUSY,                    /* BusyRegionSplitPolicy */
    SPLIT_DISABLED
};
/* HBase's class name without its package, and back (with or without package); -1 if unknown. */
const char *split_policy_name(enum split_policy p);
int split_policy_from_name(const char *name);

enum split_restriction { SPLIT_RESTRICT_NONE, SPLIT_RESTRICT_KEY_PREFIX, SPLIT_RESTRICT_DELIMITED };

struct split_policy_config {
    enum split_policy policy;
    uint64_t initial_bytes;        /* hbase.increasing.policy.initial.size; 0 = not set */
    uint64_t table_flush_bytes;    /* MEMSTORE_FLUSHSIZE of the table; 0 = not set */
    uint64_t site_flush_bytes;     /* hbase.hregion.memstore.flush.size of the site */
    uint64_t max_file_bytes;       /* this region's, with its jitter: split_max_file_bytes */
    bool overall_files;            /* hbase.hregion.split.overallfiles: false in 2.x */
    uint32_t prefix_bytes;         /* KeyPrefixRegionSplitPolicy.prefix_length; 0 = no cut */
    const uint8_t *delimiter;      /* DelimitedKeyPrefixRegionSplitPolicy.delimiter */
    size_t delimiter_bytes;        /* 0 = no cut */
    enum split_restriction restriction;
    uint32_t restriction_prefix_bytes;
    const uint8_t *restriction_delimiter;
    size_t restriction_delimiter_bytes;
    double busy_blocked_rate;      /* hbase.busy.policy.blockedRequests: 0.2 */
    uint64_t busy_min_age_us;      /* hbase.busy.policy.minAge: 600 s */
    uint64_t busy_window_us;       /* hbase.busy.policy.aggWindow: 300 s */
};
void split_policy_config_default(struct split_policy_config *c);

/* max file size with the jitter drawn at each open: M + trunc(M x (u - 0.5) x jitter), |u| uniform
   in [0, 1) (ConstantSizeRegionSplitPolicy.configureForRegion). */
uint64_t split_max_file_bytes(uint64_t max_file_bytes, double jitter, double u);

/* Twice the table's flush size, else twice the site's; or hbase.increasing.policy.initial.size. */
uint64_t split_initial_bytes(const struct split_policy_config *c);

/* Threshold in force with |regions| online regions of the table on this server, this one included.
   UINT64_MAX for SPLIT_DISABLED. */
uint64_t split_threshold_bytes(const struct split_policy_config *c, uint32_t regions);

/* Blocked requests of a region over a sliding window (BusyRegionSplitPolicy). The caller keeps it,
   one for each region, from the region's open on. */
struct split_busy_state {
    uint64_t window_start_us;
    uint64_t window_blocked, window_writes; /* counters at its start */
    double previous_rate;
};

struct split_input {
    const uint64_t *store_bytes;   /* each store's sum of file lengths (references: full parent length) */
    size_t stores;
    uint32_t regions_on_server;    /* online regions of this table on this server, this one included */
    bool has_references;           /* any store, live or compacted and not yet discharged */
    uint64_t now_us, open_us;      /* SPLIT_BUSY only */
    uint64_t blocked_requests, write_requests;
    struct split_busy_state *busy; /* updated for SPLIT_BUSY; may be NULL for the others */
};
struct split_verdict {
    bool split;
    bool busy;                     /* by the blocked rate, not by size */
    uint64_t size_bytes;           /* what was compared: largest store, or the sum (overall_files) */
    uint64_t threshold_bytes;
    double blocked_rate;
};
/* RegionSplitPolicy.shouldSplit: size > threshold (strict) of a region that can split. */
struct split_verdict split_should_split(const struct split_policy_config *c, const struct split_input *in);

/* RegionSplitPolicy.canSplit: no policy "disabled", no reference anywhere. Manual splits ask this too. */
bool split_can_split(const struct split_policy_config *c, bool has_references);

/* CompactSplit.requestSplit: regions of all tables on this server below regionSplitLimit (1,000) and
   every store with fewer files than blockingStoreFiles. */
bool split_request_passes(uint32_t regions_on_server, uint32_t region_split_limit,
                          uint32_t most_store_files, uint32_t blocking_store_files);

/* ---- where ---- */

struct split_file {
    uint64_t file_bytes;           /* as reported: a reference has its parent's full length */
    const uint8_t *mid_row, *first_row, *last_row;
    size_t mid_row_bytes, first_row_bytes, last_row_bytes; /* 0 cells: mid_row_bytes 0 */
    bool reference;
};
struct split_store {
    const struct split_file *files;  /* oldest first */
    size_t count;
};
enum split_refusal {
    SPLIT_POINT_FOUND = 0,
    SPLIT_POINT_NO_FILE = -1,
    SPLIT_POINT_REFERENCE = -2,    /* a store with a reference offers no key */
    SPLIT_POINT_ROW_AT_EDGE = -3,  /* midkey's row is the first or last row of the file */
    SPLIT_POINT_IS_START = -4,     /* cut to the region's start key: no split, and no compaction either */
    SPLIT_POINT_OUTSIDE = -5,
    SPLIT_POINT_DISABLED = -6
};
/* StoreUtils.getSplitPoint: midkey's row of the largest file, the oldest of equals. On success
   |file| is its index; its mid_row is the candidate. */
enum split_refusal split_store_point(const struct split_store *s, size_t *file);

struct split_point {
    const uint8_t *row;            /* points into the largest file's mid_row, cut by the policy */
    size_t row_bytes;
    size_t store, file;
    bool cut;                      /* by a prefix or delimiter */
};
/* RegionSplitPolicy.getSplitPoint + restriction + the checks of HRegion.checkSplit and of the master.
   The candidate of the largest store (first of equals) that has one. |start| with 0 bytes is open. */
struct split_bounds {
    const uint8_t *start, *end;
    size_t start_bytes, end_bytes;
};
enum split_refusal split_region_point(const struct split_policy_config *c, const struct split_store *stores,
                                      size_t n, const struct split_bounds *bounds, struct split_point *out);
/* A key given by hand (|io|->row), cut by the restriction and checked against the bounds: the master refuses
   the start key and anything outside. */
enum split_refusal split_point_by_hand(const struct split_policy_config *c, const struct split_bounds *bounds,
                                       struct split_point *io);
/* Length to which the policy and then the restriction cut a key (never longer than it was). A key given
   by hand is cut by the restriction only: |manual|. */
size_t split_cut_key(const struct split_policy_config *c, const uint8_t *key, size_t key_bytes, bool manual);

/* HRegionFileSystem.splitStoreFile: what each daughter gets of a file whose rows run from first to last. */
enum split_share { SPLIT_SHARE_NOTHING, SPLIT_SHARE_LINK, SPLIT_SHARE_REFERENCE };
struct split_shares {
    enum split_share bottom, top;
};
struct split_shares split_store_file(const struct split_file *f, const uint8_t *key, size_t key_bytes);
/* Entries that a reference reports: half of its file's. */
uint64_t split_reference_cells(uint64_t cells);

#endif
