/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges the expectations of a scenario against a run. The verdict is on one number: what the
   figure's sample windows give over the judged stretch (mean, median, worst or sum, as spec/figure.h
   says), so that halving the sampling interval changes none. A sample window belongs to the stretch
   when at least half of it lies inside; sums take the part that does.

   Nothing passes by default: without a sample, without any row written, or where the run holds no
   value, there is no verdict but a problem, with the key of [expect] that is to blame. */
#ifndef EXPECT_EXPECT_H
#define EXPECT_EXPECT_H

#include "result/result.h"
#include "spec/spec.h"

enum expect_status { EXPECT_JUDGED = 0, EXPECT_UNJUDGED = -1, EXPECT_NO_MEMORY = -2 };

struct expect_problem {
    const char *key;                  /* "metric", "scope", "window": static text */
    char message[240];
};

/* Judges one expectation. EXPECT_JUDGED: |*out| is filled and the caller's (result_free releases
   those of a result). EXPECT_UNJUDGED: |*why| says what is missing. */
int expect_judge(const struct spec_expect *exp, const struct result_run *run, struct result_expectation *out,
                 struct expect_problem *why);

/* Whether the verdict lets the run count as good: "pass", or "known". */
bool expect_is_good(const struct result_expectation *exp);

#endif
