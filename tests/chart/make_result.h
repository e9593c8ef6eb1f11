/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plausible results without a simulator, for the tests of JSON, report and charts: time-first keys,
   a table of N buckets on S servers, lone tails that split, and the same unsalted and with 2N. */
#ifndef TESTS_CHART_MAKE_RESULT_H
#define TESTS_CHART_MAKE_RESULT_H

#include "result/result.h"

struct make_options {
    int servers;
    int buckets;                      /* 0 = unsalted, no comparisons */
    double duration_s;
    int columns;                      /* sample windows */
    int rows;                         /* of the key space matrix, shared by the buckets */
    double rate_per_s;                /* offered */
    bool plan;
};

/* 16 buckets on 12 servers, two hours, 40 k rows/s, as in the worked example. */
struct make_options make_defaults(void);

/* Fills an uninitialised |res|; stops the program without memory. */
void make_result(const struct make_options *opt, struct result *res);

#endif
