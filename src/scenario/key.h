/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of options: one row for each key of the INI file. Parsing, checking, defaults,
   overrides, explain, show, the man page's KEYS section and completion come from it; adding a key
   is adding a row (and, for a key with words of its own, a reader and a writer). */
#ifndef SCENARIO_KEY_H
#define SCENARIO_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "scenario/diag.h"
#include "scenario/text.h"
#include "scenario/unit.h"
#include "spec/spec.h"

enum key_type {
    KEY_TEXT,                         /* char *, owned by the spec */
    KEY_INT,                          /* int: a count */
    KEY_SEED,                         /* uint64_t: digits only */
    KEY_BYTES,                        /* int64_t */
    KEY_DURATION,                     /* int64_t, nanoseconds */
    KEY_RATE,                         /* double, per second */
    KEY_BYTE_RATE,                    /* double, bytes per second */
    KEY_RATIO,                        /* double */
    KEY_HBASE_INT,                    /* int, a bare number */
    KEY_HBASE_BYTES,                  /* int64_t, a bare number of bytes */
    KEY_HBASE_MS,                     /* int64_t nanoseconds, a bare number of milliseconds */
    KEY_HBASE_FLOAT,                  /* double */
    KEY_HBASE_BOOL,                   /* bool: true or false */
    KEY_SPECIAL                       /* |read| and |write| know it */
};

/* How many names follow the section's kind. */
enum section_names {
    SECTION_ALONE,                    /* [cluster] */
    SECTION_NAMED,                    /* [table telemetry] */
    SECTION_PAIR                      /* [family telemetry/d] */
};

struct scenario_section_kind {
    const char *kind;
    enum section_names names;
    const char *help;                 /* one sentence */
    const char *source;               /* where its defaults come from */
};

struct key_reader;

struct scenario_key {
    const char *section;              /* the section's kind */
    const char *name;
    enum key_type type;
    size_t offset;                    /* of the value in the section's struct */
    double min, max;                  /* base units; both 0: no bounds */
    const char *dflt;                 /* as the INI would say it; "" = not set; NULL = must be given */
    const char *help;                 /* one sentence: what it means */
    const char *more;                 /* further sentences for explain; NULL = none */
    const char *form;                 /* of a special key or a text: what its value looks like */
    bool repeats;                     /* may stand several times: its values add up */
    const char *since;                /* version that brought it */
    bool (*read)(struct key_reader *rd, void *target);
    /* Line |i| (from 0) of the key's canonical text; false when there is none. */
    bool (*write)(const void *target, size_t i, struct text *out);
};

extern const struct scenario_section_kind scenario_sections[]; /* kind NULL ends */
extern const struct scenario_key scenario_keys[];              /* section NULL ends */

const struct scenario_section_kind *scenario_section_kind(const char *kind);
const struct scenario_key *scenario_key_find(const char *section, const char *name);

/* The sentence about a section or key that a later version brings (key NULL: the section itself);
   NULL when it is none. */
const char *scenario_not_yet(const char *section, const char *key);

/* Whether HBase has a property of that name that no row models; and, for suggestions, the i-th
   name of that list (NULL at its end). */
bool hbase_property_known(const char *name);
const char *hbase_property_name(size_t i);

/* One value on its way from text to spec. */
struct key_reader {
    const struct scenario_key *key;
    const char *section;              /* "table telemetry", for messages */
    const char *value;
    size_t nth;                       /* of the values of a key that repeats, from 0 */
    struct scenario_place at;         /* of the value's first byte */
    const char *folder;               /* where files are sought that the scenario names: "dir/" or "" */
    struct scenario_diags *dgs;
    bool no_memory;
};

/* An error at byte |at| of the value; returns false. */
bool reader_error(struct key_reader *rd, size_t at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Reads the value into the section's struct and checks the row's bounds. */
bool key_read(struct key_reader *rd, void *target);

/* The i-th line of its canonical text; false when it has none (it is not set). */
bool key_write(const struct scenario_key *key, const void *target, size_t i, struct text *out);

/* Base unit of the key's number as a name's ending ("_bytes"), "" for none; and the number, where
   the key has one: false for words. */
const char *key_suffix(const struct scenario_key *key);
bool key_number(const struct scenario_key *key, const void *target, double *out);

/* What a value looks like ("bytes, as 16GiB"), and its range in words ("1 to 256"; "" = none). */
const char *key_form(const struct scenario_key *key);
void key_range(const struct scenario_key *key, struct text *out);

/* An amount of a unit family inside a special key's value; bounds are the caller's. */
bool reader_whole(struct key_reader *rd, enum unit_family family, struct word wd, int64_t *out);
bool reader_real(struct key_reader *rd, enum unit_family family, struct word wd, double *out);

/* The bytes of the regular file that the word names beside the scenario, at most |most|, into |*bytes|, which the
   caller frees. False after an error; then there is nothing to free. */
bool reader_file(struct key_reader *rd, struct word name, size_t most, char **bytes, size_t *len);

/* A copy of the word into |*out| (whose old text is freed); false without memory. */
bool reader_copy(struct key_reader *rd, struct word wd, char **out);

/* A split policy by its class name, with or without its package. */
bool reader_split_policy(struct key_reader *rd, struct word wd, enum spec_split_policy *out);

/* Bytes in HBase's notation, with what an INI line or a list can't hold as escapes too. */
void key_write_bytes(const struct spec_bytes *key, struct text *out);

/* Nothing may follow: an error about what does. */
bool reader_end(struct key_reader *rd, struct words *wds);

/* Whether |number| keeps the row's bounds; an error if not. */
bool reader_in_bounds(struct key_reader *rd, double number);

/* Readers and writers of special keys. */
bool read_text_line(struct key_reader *rd, void *target);
bool read_basis(struct key_reader *rd, void *target);
bool write_basis(const void *target, size_t i, struct text *out);
bool read_compare(struct key_reader *rd, void *target);
bool write_compare(const void *target, size_t i, struct text *out);
bool read_window(struct key_reader *rd, void *target);
bool write_window(const void *target, size_t i, struct text *out);
bool read_detail(struct key_reader *rd, void *target);
bool write_detail(const void *target, size_t i, struct text *out);
bool read_background(struct key_reader *rd, void *target);
bool write_background(const void *target, size_t i, struct text *out);
bool read_gc_pause(struct key_reader *rd, void *target);
bool write_gc_pause(const void *target, size_t i, struct text *out);
bool read_split_policy(struct key_reader *rd, void *target);
bool write_split_policy(const void *target, size_t i, struct text *out);
bool read_hour(struct key_reader *rd, void *target);
bool write_offpeak_start(const void *target, size_t i, struct text *out);
bool write_offpeak_end(const void *target, size_t i, struct text *out);
bool read_callqueue(struct key_reader *rd, void *target);
bool write_callqueue(const void *target, size_t i, struct text *out);
bool read_buckets(struct key_reader *rd, void *target);
bool write_buckets(const void *target, size_t i, struct text *out);
bool read_splits(struct key_reader *rd, void *target);
bool write_splits(const void *target, size_t i, struct text *out);
bool read_table_bytes(struct key_reader *rd, void *target);
bool write_max_filesize(const void *target, size_t i, struct text *out);
bool write_flushsize(const void *target, size_t i, struct text *out);
bool read_table_split_policy(struct key_reader *rd, void *target);
bool write_table_split_policy(const void *target, size_t i, struct text *out);
bool read_partition(struct key_reader *rd, void *target);
bool write_partition(const void *target, size_t i, struct text *out);
bool read_normalizer(struct key_reader *rd, void *target);
bool write_normalizer(const void *target, size_t i, struct text *out);
bool read_column(struct key_reader *rd, void *target);
bool write_column(const void *target, size_t i, struct text *out);
bool read_bloom(struct key_reader *rd, void *target);
bool write_bloom(const void *target, size_t i, struct text *out);
bool read_ttl(struct key_reader *rd, void *target);
bool write_ttl(const void *target, size_t i, struct text *out);
bool read_encoding(struct key_reader *rd, void *target);
bool write_encoding(const void *target, size_t i, struct text *out);
bool read_compression(struct key_reader *rd, void *target);
bool write_compression(const void *target, size_t i, struct text *out);
bool read_sample(struct key_reader *rd, void *target);
bool write_sample(const void *target, size_t i, struct text *out);
bool read_tables(struct key_reader *rd, void *target);
bool write_tables(const void *target, size_t i, struct text *out);
bool read_entities(struct key_reader *rd, void *target);
bool write_entities(const void *target, size_t i, struct text *out);
bool read_arrival(struct key_reader *rd, void *target);
bool write_arrival(const void *target, size_t i, struct text *out);
bool read_popularity(struct key_reader *rd, void *target);
bool write_popularity(const void *target, size_t i, struct text *out);
bool read_curve(struct key_reader *rd, void *target);
bool write_curve(const void *target, size_t i, struct text *out);
bool read_bursts(struct key_reader *rd, void *target);
bool write_bursts(const void *target, size_t i, struct text *out);
bool read_stream_growth(struct key_reader *rd, void *target);
bool write_stream_growth(const void *target, size_t i, struct text *out);
bool read_active(struct key_reader *rd, void *target);
bool write_active(const void *target, size_t i, struct text *out);
bool read_late(struct key_reader *rd, void *target);
bool write_late(const void *target, size_t i, struct text *out);
bool read_clients(struct key_reader *rd, void *target);
bool write_clients(const void *target, size_t i, struct text *out);
bool read_start(struct key_reader *rd, void *target);
bool write_start(const void *target, size_t i, struct text *out);
bool read_keys(struct key_reader *rd, void *target);
bool write_keys(const void *target, size_t i, struct text *out);
bool read_query_threads(struct key_reader *rd, void *target);
bool write_query_threads(const void *target, size_t i, struct text *out);
bool read_query_stop(struct key_reader *rd, void *target);
bool write_query_stop(const void *target, size_t i, struct text *out);
bool read_query_reader(struct key_reader *rd, void *target);
bool write_query_reader(const void *target, size_t i, struct text *out);
bool read_query_kind(struct key_reader *rd, void *target);
bool write_query_kind(const void *target, size_t i, struct text *out);
bool read_candidates(struct key_reader *rd, void *target);
bool write_candidates(const void *target, size_t i, struct text *out);
bool read_targets(struct key_reader *rd, void *target);
bool write_targets(const void *target, size_t i, struct text *out);
bool read_phoenix_version(struct key_reader *rd, void *target);
bool write_phoenix_version(const void *target, size_t i, struct text *out);
bool read_growth(struct key_reader *rd, void *target);
bool write_growth(const void *target, size_t i, struct text *out);

bool read_state(struct key_reader *rd, void *target);
bool write_state(const void *target, size_t i, struct text *out);
bool read_balancer(struct key_reader *rd, void *target);
bool write_balancer(const void *target, size_t i, struct text *out);
bool read_slop(struct key_reader *rd, void *target);
bool write_slop(const void *target, size_t i, struct text *out);
bool read_overall_slop(struct key_reader *rd, void *target);
bool write_overall_slop(const void *target, size_t i, struct text *out);
bool read_max_balancing(struct key_reader *rd, void *target);
bool write_max_balancing(const void *target, size_t i, struct text *out);
bool read_expect_scope(struct key_reader *rd, void *target);
bool write_expect_scope(const void *target, size_t i, struct text *out);
bool read_expect_metric(struct key_reader *rd, void *target);
bool write_expect_metric(const void *target, size_t i, struct text *out);
bool read_expect_bound(struct key_reader *rd, void *target);
bool write_expect_bound(const void *target, size_t i, struct text *out);
bool read_expect_window(struct key_reader *rd, void *target);
bool write_expect_window(const void *target, size_t i, struct text *out);
bool read_event_do(struct key_reader *rd, void *target);
bool write_event_do(const void *target, size_t i, struct text *out);

#endif
