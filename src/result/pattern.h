/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which pattern a run's key space matrix shows, and what helps against it. A pure function of the
   result: pictures put the name into their titles, result.json has it beside the matrix.

   Where the writes go comes first, for that is what a salt mends; how they change with time is the
   kind only where the place is no trouble, and is told beside it otherwise. */
#ifndef RESULT_PATTERN_H
#define RESULT_PATTERN_H

#include <stddef.h>

#include "result/result.h"

enum result_pattern_kind {
    PATTERN_NONE,                     /* nothing was written, or no matrix */
    PATTERN_EVEN,                     /* all key ranges take their share all the time */
    PATTERN_SEQUENTIAL,               /* one edge moves through the key space */
    PATTERN_EDGES,                    /* several edges do */
    PATTERN_HOT_RANGE,                /* few neighbouring ranges take much of the writes, all the time */
    PATTERN_HOT_KEY,                  /* one row does */
    PATTERN_PERIODIC,                 /* rate or place comes back after a period */
    PATTERN_CHANGE,                   /* rate or place jumps once */
    PATTERN_UNEVEN                    /* a bucket takes far more than its share, or none of these */
};

/* A double without value is NaN. */
struct result_pattern {
    enum result_pattern_kind kind;
    int edges;                        /* edges that move at a time; 0 = none */
    double share;                     /* of the writes: of the hot key or range, the strongest edge, or, where
                                         they are uneven, the fullest bucket */
    double times;                     /* that share over a fair one, of the fullest bucket */
    const char *key;                  /* the hot range's first row key, NULL; lives as long as the run */
    double change_s;                  /* when rate or place jumps */
    double factor;                    /* rate after the jump / before */
    double moved;                     /* share of the writes that go elsewhere after it */
    double period_s;
};

/* 0, or -1 without memory (then the pattern is PATTERN_NONE). */
int result_pattern_find(const struct result_run *run, struct result_pattern *pat);

/* "sequential", "moving edges", "hot range" ...: the name in result.json. */
const char *result_pattern_name(enum result_pattern_kind kind);

/* The name with its number, for a title: "16 moving edges", "hot key". Returns |out|. */
#define RESULT_PATTERN_CAP 48
const char *result_pattern_title(const struct result_pattern *pat, char out[RESULT_PATTERN_CAP]);

/* What is seen, in one sentence, and what to do about it, in another. Return the length (snprintf). Where |res| has a
   plan, what helps against moving edges is what the plan recommends. */
int result_pattern_text(const struct result_pattern *pat, char *out, size_t cap);
int result_pattern_cure(const struct result *res, const struct result_run *run, const struct result_pattern *pat, char *out,
                        size_t cap);

#endif
