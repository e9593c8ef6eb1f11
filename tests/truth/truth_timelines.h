/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRUTH_TIMELINES_H
#define TRUTH_TIMELINES_H

#include "des/calendar.h"
#include "hbase/model/admin.h"
#include "hbase/model/call.h"
#include "result/result.h"
#include "spec/spec.h"
#include "truth_rules.h"

/* Recorded growth of a table, step by step, against the model: the model gets what the recording's
   header says, then the same batches, and after each the same rest (nothing queued or running). */

enum { TIMELINE_FAMILIES = 4, TIMELINE_TEXT = 8192, TIMELINE_FILES = 2048 };

struct timeline_family {
    char name[16];
    uint32_t value_bytes;
    uint64_t every;            /* a cell only in rows with i mod every == 0 */
};

/* What a recording's header says. */
struct timeline_settings {
    const struct truth_table *header;
    char stream_name[32], policy[64], qualifier[16];
    char table[16];            /* its length stands in links' names: the recording's label, "e2" */
    struct truth_stream stream;
    struct timeline_family family[TIMELINE_FAMILIES];
    size_t families;
    uint64_t rows, servers;
    uint64_t list_rows;        /* a step's Table.put(List) */
    uint64_t max_file_bytes, flush_bytes, site_flush_bytes;
    bool archive;              /* the discharger's work after each step */
    bool moved;                /* region j to server j mod servers after each step */
    int first_server;          /* where the only region begins; -1: anywhere */
    bool numbered;             /* flat-wide rows */
    uint64_t split_buckets;    /* pre-split at the bytes 1, 2, ... of so many buckets */
    enum spec_splits splits;   /* pre-split by this rule into |split_regions|; NONE: see split_buckets */
    uint64_t split_regions;
    int sample_keys;           /* 0: all */
    struct flush_policy_config flush;
    bool overall_files;
    bool close_bytes;          /* a CLOSE tells the store's bytes, too */
    bool nothing_whole;        /* small files are sampled as large ones are */
    des_time patience;         /* after a put; 0: until all is quiet */
};
/* The number behind |name|. */
uint64_t timeline_number(const struct truth_table *t, const char *name, uint64_t otherwise);
/* Reads what the recordings' headers have in common; |t| must outlive |s|. */
void timeline_read_settings(const struct truth_table *t, struct timeline_settings *s);
/* -1 where something is missing or isn't understood: the case has failed then, and the report says why. */
int timeline_check_settings(const struct timeline_settings *s, struct truth_report *r);
/* Ends the case as failed: |what| of the recording isn't understood. */
void timeline_refuse(struct truth_report *r, const char *what, const char *text);
/* Both tables of a case. False where one is missing: the case has failed then. */
bool timeline_read_pair(const char *base, const char *states, struct truth_table pair[2], struct truth_report *r);
/* Text behind |name| up to a blank, ';' or '}'; "" where absent. */
void timeline_word(const struct truth_table *t, const char *name, char *word, size_t cap);

struct timeline_event {
    char *key;                 /* region and family */
    char *text;                /* step, event, detail */
};
struct timeline_events {
    struct timeline_event *item;
    size_t len, cap;
};
void timeline_events_add(struct timeline_events *e, const char *key, const char *text);
void timeline_events_free(struct timeline_events *e);
/* Each store's events, in order. |text| of the n-th of both. */
void timeline_events_check(struct truth_report *r, struct timeline_events *real, struct timeline_events *ours);

struct timeline_place {
    int region, server;
};
struct timeline {
    const struct timeline_settings *s;
    char delimiter[32], restriction[32];
    struct spec spec;
    struct des_calendar *cal;
    struct result_run log;
    struct model *model;
    struct key_source source;
    struct timeline_events events;
    uint64_t step;             /* label of events: rows sent so far */
    struct timeline_place *place; /* the client's cache: where it found the table's regions last */
    size_t places;
    unsigned failed_actions;
};
/* Builds the cluster and its one table. 0, or -1. |source| is used as it is. */
int timeline_open(struct timeline *tl, const struct timeline_settings *s, const struct key_source *source);
void timeline_close(struct timeline *tl);

/* HBase's settings in the header (truth_settings.h), which are understood. */
/* -1 where a value isn't understood. */
int timeline_set_family(const struct truth_table *t, struct spec_family *f);
void timeline_set_table(const struct truth_table *t, struct timeline *tl);
/* Table.put(List) of the rows first .. first + count - 1. */
void timeline_put(struct timeline *tl, uint64_t first, uint64_t count);
/* The client's cache learns of all regions. */
void timeline_locate(struct timeline *tl);
/* Until nothing is queued or running, then the discharger where the settings say so. */
void timeline_settle(struct timeline *tl);
void timeline_move_all(struct timeline *tl);

void timeline_file_list(const struct store *st, const struct store_span *span, char *out, size_t cap);
void timeline_key(const struct spec_bytes *b, char *out, size_t cap);
void timeline_region_key(const struct region *r, const char *family, char *out, size_t cap);

/* Runs |one| for each base name in |dir| that ends in |suffix|, in order of names. */
struct timeline_folder {
    const char *dir, *suffix;
    void (*one)(const char *base, const char *name, struct truth_report *r);
};
void timeline_each(const struct timeline_folder *f, struct truth_report *r);

/* Rows and cells of the settings' stream; |s| must outlive it. */
struct key_source timeline_source(const struct timeline_settings *s);
/* Where the only region begins: a moved table's first event of note says it. */
int timeline_first_server(const struct truth_table *events, const struct timeline_settings *s);

/* What a recording last said of each store. */
struct timeline_known {
    const char *start, *end, *family;
    size_t row;
};
struct timeline_state {
    const struct truth_table *table;
    bool families;             /* the table has a column for the family */
    bool thinned;              /* steps that only fill memstores may be missing */
    size_t families_len;
    struct timeline_known *item;
    size_t len, cap, at;
    uint64_t step;
};
void timeline_state_advance(struct timeline_state *st, uint64_t step);
/* All live stores, each against what the recording last said of it. */
void timeline_state_check(struct truth_report *r, const struct timeline_state *st, const struct timeline *tl);
void timeline_state_free(struct timeline_state *st);
/* |families|: the events have a column for the family; else all are |family|'s. */
void timeline_read_events(const struct truth_table *t, bool families, const char *family, struct timeline_events *e);
void timeline_end_case(const struct truth_table *t, const struct truth_table *events, const struct timeline *tl,
                       struct truth_report *r);

void truth_families(const char *base, const char *name, struct truth_report *r);
void truth_operations(const char *base, const char *name, struct truth_report *r);
void truth_expiry(const char *base, const char *name, struct truth_report *r);
void truth_too_many_files(const char *base, const char *name, struct truth_report *r);
void truth_pressure(const char *base, const char *name, struct truth_report *r);
void truth_wide_rows(const char *base, const char *name, struct truth_report *r);
void truth_split_timelines(const char *base, const char *name, struct truth_report *r);

void truth_sampled_timelines(const char *base, const char *name, struct truth_report *r);
/* The first split with nothing kept whole: behind it the real run's own ties (files equal to a byte)
   would have to fall alike. */
void truth_thinned_timelines(const char *base, const char *name, struct truth_report *r);

#endif
