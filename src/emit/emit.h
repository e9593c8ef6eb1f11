/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to type elsewhere for a table of a scenario: the hbase shell's `create`, a SPLITS_FILE, a
   RegionSplitter call, Java, Phoenix DDL, OpenTSDB's settings, the balancer's commands, and load
   tests (hbase pe, hbase ltt, YCSB) with the scenario's numbers filled in.

       struct emit em;
       if (emit_open(&em, &spec, &spec.tables[0]) == 0) {
           rc = emit_shell(&em, out);                em.reason says why where rc < 0
           emit_close(&em);
       }

   Keys are written in HBase's escape notation with quotes escaped too, names in quotes of the
   language that reads them, so that no byte of either can end its quotes. Nothing but the caller's
   stream is written to; its errors are the caller's to look for (ferror). Not thread-safe on one
   struct emit. */
#ifndef EMIT_EMIT_H
#define EMIT_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "saltkey.h"
#include "spec/spec.h"

enum emit_status {
    EMIT_OK = 0,
    EMIT_INVALID = -1,   /* the table's words or names can't be used with any HBase */
    EMIT_UNFIT = -2,     /* this target has no way to say it; |reason| says what has */
    EMIT_NO_MEMORY = -3
};

/* The most split keys that `create` and Java list inline; more go to a SPLITS_FILE. */
#define EMIT_SPLITS_INLINE 64

struct emit {
    const struct spec *spec;
    const struct spec_table *table;
    struct saltkey_scheme scheme;
    struct saltkey_keys splits;
    const char *splits_file;   /* the file that `create` and Java name; NULL: TABLE-splits.txt where
                                  the keys are too many for a line. The caller's text. */
    char reason[256];
};

/* Computes scheme and split keys of |table|, one of |sp|'s or a copy with another N. Both must live
   until emit_close. EMIT_INVALID for names that HBase refuses and for splits that can't be computed. */
int emit_open(struct emit *em, const struct spec *sp, const struct spec_table *table);
void emit_close(struct emit *em);

/* A SPLITS_FILE: a key a line, as Bytes.toBytesBinary reads it (HBase 2.6's admin.rb). */
int emit_splits_file(struct emit *em, FILE *out);

/* `create` with the table's attributes, and its splits inline or by SPLITS_FILE. */
int emit_shell(struct emit *em, FILE *out);

/* The RegionSplitter tool's command line; EMIT_UNFIT unless one of its algorithms makes the splits. */
int emit_region_splitter(struct emit *em, FILE *out);

/* A Java class that creates the table and builds a row's salt (HBase client 2.x). */
int emit_java(struct emit *em, FILE *out);

/* CREATE TABLE with SALT_BUCKETS; EMIT_UNFIT where Phoenix has no type with a field's bytes. */
int emit_phoenix(struct emit *em, FILE *out);

/* Whether the table is Phoenix's: it salts the rows, and has types for the key. */
bool emit_is_phoenix(const struct emit *em);

/* The statement that its writers make it with: emit_phoenix for such a table, else emit_shell. */
int emit_own(struct emit *em, FILE *out);

/* A table's name in Phoenix's SQL; -1, and nothing written, where that can't quote it. */
int emit_sql_table(const char *table, FILE *out);

/* " WHERE ..." for the rows older than |time_ms| (a number, or a word that stands for one), bounded on one side alone
   (PHOENIX-7580); nothing where the key has no time in binary. */
void emit_sql_older(const struct emit *em, const char *time_ms, FILE *out);

/* opentsdb.conf's lines; EMIT_UNFIT unless the salt is `opentsdb`. */
int emit_opentsdb(struct emit *em, FILE *out);

/* Commands of the hbase shell to look at the placement and to run the balancer. */
int emit_balancer(struct emit *em, FILE *out);

/* One region to move, by names as the cluster prints them: the encoded name (32 digits) and
   `host,port,startcode`. */
struct emit_move {
    const char *encoded_region;
    const char *server;
};

/* `move` commands; EMIT_INVALID for a name of another form, and then nothing was written. */
int emit_moves(struct emit *em, const struct emit_move *moves, size_t n, FILE *out);

/* Load tests for a real cluster. PE and LTT write to tables of their own beside this one. */
int emit_pe(struct emit *em, FILE *out);
int emit_ltt(struct emit *em, FILE *out);
int emit_ycsb(struct emit *em, FILE *out);

/* Everything above that writes one text, by name: "shell", "splits-file", ... A row with name NULL
   ends the list. */
struct emit_target {
    const char *name;
    const char *file;          /* end of a file name for it: "create.rb" */
    const char *summary;
    int (*write)(struct emit *em, FILE *out);
};
extern const struct emit_target emit_targets[];

/* NULL where there is none of that name. */
const struct emit_target *emit_target_by_name(const char *name);

#endif
