/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRUTH_END_TO_END_H
#define TRUTH_END_TO_END_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/spec.h"
#include "truth_rules.h"

/* A recorded cluster of six servers over four minutes: how it began, what happened, and the figures
   by which a simulator is judged. */

enum { E2E_SERVERS_MAX = 16, E2E_OUTAGES_MAX = 512, E2E_REST_S = 30, E2E_BALANCES_MAX = 64 };

/* What is compared; NaN where there is none. */
enum e2e_quantity {
    E2E_ROWS,
    E2E_FIRST_SPLIT_S,        /* request of the first split */
    E2E_FIRST_WAVE,           /* splits of regions of the start within 5 s of it */
    E2E_ROWS_A_FLUSH,         /* median over the flushes that no close asked for */
    E2E_FLUSHES,
    E2E_COMPACTIONS,
    E2E_REGIONS,
    E2E_SPLITS,
    E2E_HOT_RATIO,            /* largest / mean live server, mean over the windows */
    E2E_TAILS,                /* regions with 5 % of a window's rows, mean over the windows */
    E2E_MOVES,
    E2E_NEEDED,               /* ticks at which the balancer ran */
    E2E_SKIPPED,              /* ticks lost to regions in transition */
    E2E_FILLED_S,             /* first move to an added server, after it came */
    E2E_BACK_S,               /* last region of a lost server open again, after the death */
    E2E_QUANTITIES
};

struct e2e_figures {
    double value[E2E_QUANTITIES];
};

/* A decision as it was recorded. */
struct e2e_balance {
    double at_s, total;
    bool needed;
    char trigger[8];
    uint32_t counts[E2E_SERVERS_MAX];
    size_t counts_len;
};

struct e2e_outages {
    double s[E2E_OUTAGES_MAX];
    size_t len;
};

struct e2e_record {
    char name[160];           /* a-time.rep1 */
    char layout[32];          /* a-time */
    int servers;
    double end_s, batch_s, rate_per_s;
    struct e2e_figures figures;
    struct e2e_outages prepare, split, move, recover;
    struct e2e_balance balances[E2E_BALANCES_MAX];
    size_t balances_len;
    /* chores: time of their last run before the first write */
    double discharger_s[E2E_SERVERS_MAX], balancer_s, status_s;
    double discharger_period_s, balancer_period_s, status_period_s;
    double added_s, killed_s, noticed_s; /* NaN where nothing of the kind happened */
    int killed;
    struct truth_stream stream;
    char stream_name[32];
    struct spec spec;         /* all but the key file */
};

/* Reads DIR/NAME.state.tsv, .events.tsv and .windows.tsv. 0, or -1 with a reason. */
int e2e_read(const char *dir, const char *name, struct e2e_record *rec, char *reason, size_t cap);
void e2e_free(struct e2e_record *rec);

/* The natural rows of the stream as a file of binary keys; their width, or 0. */
size_t e2e_write_keys(const struct e2e_record *rec, const char *path);

/* The same run in the model, from the recorded start. 0, or -1. */
int e2e_run(const struct e2e_record *rec, const char *keys, size_t width, uint64_t seed, struct e2e_figures *out);

double e2e_median(double *v, size_t n);

#endif
