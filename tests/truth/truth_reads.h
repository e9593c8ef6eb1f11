/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared parts of the programs that hold scans and Phoenix's reads against recordings of real ones:
   tables of recorded columns, sorted rows, verdicts. */
#ifndef TRUTH_READS_H
#define TRUTH_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/scan.h"
#include "truth_rules.h"

/* ---- verdicts: a line for each group of recorded rows and quantity ---- */
struct verdict {
    char group[120];
    char quantity[48];
    uint64_t values, equal;
    double real, ours;       /* sums over the group */
    bool near;               /* judged within a hundredth */
    char first_off[256];     /* where it is off first */
};
struct verdicts {
    const char *folder;
    struct verdict *item;
    size_t count, capacity;
    unsigned absent;         /* folders or tables that weren't there */
};
/* Adds one compared value to its group's line. |where| names the recorded row. */
void verdict_number(struct verdicts *v, const char *group, const char *quantity, double real, double ours,
                    const char *where);
/* The same where |ours| is an expectation: within a hundredth of the real one. */
void verdict_near(struct verdicts *v, const char *group, const char *quantity, double real, double ours,
                  const char *where);
void verdict_text(struct verdicts *v, const char *group, const char *quantity, const char *real,
                  const char *ours, const char *where);
/* Prints all lines and empties the list; returns how many failed and adds the lines to |cases|. */
unsigned verdicts_print(struct verdicts *v, unsigned *cases);
void verdicts_absent(struct verdicts *v, const char *what);

/* Reads DIR/FOLDER/NAME; -1 with the absence said where it can't be read. */
int truth_reads_open(struct verdicts *v, const char *dir, const char *name, struct truth_table *t);

/* ---- sorted rows of one length or of many ---- */
struct sorted_rows {
    uint8_t *bytes;
    struct saltkey_slice *key;
    uint64_t *event;         /* number of the event that made the row */
    uint64_t count;
};
/* |make| writes row |i|'s key (at most 64 bytes) and returns its length. 0, or -1 without memory. */
int sorted_rows_make(struct sorted_rows *r, uint64_t count, size_t (*make)(void *, uint64_t, uint8_t *),
                     void *context);
void sorted_rows_free(struct sorted_rows *r);
/* Callbacks of a scan_table; |context| is a struct sorted_rows. */
uint64_t sorted_rows_rank(void *context, struct saltkey_slice key);
struct saltkey_slice sorted_rows_key(void *context, uint64_t row, size_t slot);

/* ---- replies as the asynchronous client saw them: "2222,7786,h" ---- */
struct truth_replies {
    char text[2048];
    size_t len, listed, max;
    uint64_t count;          /* replies with whole rows */
};
/* Lists as many replies as |recorded| has entries. */
void truth_replies_init(struct truth_replies *r, const char *recorded);
/* A scan_rpc_fn: |context| is a struct truth_replies. */
void truth_replies_list(void *context, const struct scan_rpc *rpc);

/* Hexadecimal text ("-": nothing) to bytes; returns the length. */
size_t truth_unhex(const char *text, uint8_t *bytes, size_t cap);

#endif
