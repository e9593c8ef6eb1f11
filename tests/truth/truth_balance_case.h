/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_TRUTH_BALANCE_CASE_H
#define TESTS_TRUTH_BALANCE_CASE_H

#include "hbase/balance/balancer.h"
#include "truth_balance_tsv.h"

/* A recorded cluster state, truth/balancer/cases and cases-live. */
struct truth_case {
    struct tsv tsv;
    struct balancer_cluster cluster;
    struct balancer_region *regions;
    struct balancer_block_share *shares;
    char **label;       /* region as plans name it: its index, or its start key */
    char *table[64];    /* names */
    uint32_t *hash_order;
    double hot_from;    /* write rate from which a region counts as hot: half the largest */
};

/* Both return 0, or -1 and a message on stderr. |servers| is the size of the live cluster. */
int truth_case_read(struct truth_case *c, const char *path);
int truth_case_read_live(struct truth_case *c, const char *path, uint32_t servers);
void truth_case_free(struct truth_case *c);

/* Index of a table by name, or UINT32_MAX. */
uint32_t truth_case_table(const struct truth_case *c, const char *name);

/* Default options with the recorded settings {name=value, ...} or "-". 0 or -1. */
int truth_options(struct balancer_options *options, const char *conf);

#endif
