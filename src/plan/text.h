/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text of fixed room that sentences are added to; what doesn't fit is cut. */
#ifndef PLAN_TEXT_H
#define PLAN_TEXT_H

#include <stddef.h>

struct plan_text {
    char bytes[2048];
    size_t len;
};

void plan_say(struct plan_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A figure as its metric's name asks: "20.0 k rows/s" for ..._per_s, "33.2 ms" for ..._us, .p50 and .p99,
   else four digits. */
void plan_say_value(struct plan_text *t, const char *metric, double value);

/* "no salt", "N = 12". */
void plan_say_n(struct plan_text *t, int n);

/* A copy on the heap; NULL without memory. */
char *plan_copy_text(const char *s);

#endif
