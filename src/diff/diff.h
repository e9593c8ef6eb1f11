/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two results side by side: which figures changed, by how much, and whether a change is more than
   chance. Runs of one scenario with two seeds differ by chance alone; the same scenario and seed must
   not differ at all. Otherwise a figure of sample windows is compared in ten stretches of time, paired
   (with one seed the arrivals are the same rows: common random numbers), and is real where the 99 %
   interval of the mean difference leaves out 0; a count of events is real beyond 2.58 standard
   deviations of the difference of two Poisson counts; what follows from the key scheme and the set-up
   (scans, regions at the start) is real wherever it differs. A change under 0.05 % counts as noise, but for one
   scenario and one seed. */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "result/result.h"

/* Real changes come first, group by group: what the servers carry, what clients wait for, what queries
   cost, and what the tables are made of. */
enum diff_group { DIFF_LOAD, DIFF_CLIENTS, DIFF_QUERIES, DIFF_REGIONS };

struct diff_change {
    char name[100];                   /* "hot_server_ratio", "latest.scans" */
    enum diff_group group;
    double a, b;
    double relative;                  /* (b - a) / |a|; INFINITY from 0 */
    bool real;                        /* else noise */
    double lo, hi;                    /* 99 % interval of the difference; NaN = another rule decided */
};

struct diff {
    struct diff_change *changes;      /* real ones first, then by group, then by size */
    size_t len;
    size_t same;                      /* figures that are equal in both */
    bool same_scenario, same_seed;
};

/* Compares the scenario's own runs. 0, or -1 without memory; diff_free releases it. */
int diff_results(const struct result *a, const struct result *b, struct diff *out);
void diff_free(struct diff *d);

const char *diff_group_name(enum diff_group group);

#endif
