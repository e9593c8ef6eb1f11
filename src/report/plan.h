/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan in words: lines for report.txt, and the page for a design review in Markdown. */
#ifndef REPORT_PLAN_H
#define REPORT_PLAN_H

#include <stdbool.h>
#include <stdio.h>

#include "result/result.h"

/* Neighbours, what breaks first, growth, gates that are not ok, what would change the answer: at most
   |most| lines. Returns how many were written. */
int report_plan_lines(const struct result *res, FILE *to, int most);

/* Where the plan timed its queries: RPCs, p50 and p99 of the first ones by N, for the candidates that are |shown|.
   Returns the lines written, 0 where nothing was timed. In Markdown all of them, |put| escapes names. */
int report_query_costs(const struct result_plan *plan, bool (*shown)(const struct result_plan *plan, size_t row), FILE *to);
void report_query_costs_markdown(const struct result_plan *plan, void (*put)(FILE *to, const char *text), FILE *to);

/* The page: verdict, candidates, growth, gates, what would change the answer, assumptions with their
   sources, pictures linked by the names that they have beside it. What stands in the result is
   escaped. 0, or -1 when the stream reported an error. */
int report_write_markdown(const struct result *res, FILE *to);

#endif
