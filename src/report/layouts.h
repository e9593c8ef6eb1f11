/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix of layouts as text or in Markdown: what the writes make of each, then a table for each query. Rows a
   row: rows that servers read for one that is returned. Of a server: what the query asks of its busiest server's
   processor at the scenario's rate; beyond 100 % its p99 only says that it doesn't fit. */
#ifndef REPORT_LAYOUTS_H
#define REPORT_LAYOUTS_H

#include <stdbool.h>
#include <stdio.h>

#include "result/layouts.h"

/* 0, or -1 when the stream reported an error. */
int report_layouts(const struct result_layouts *layouts, bool markdown, FILE *to);

#endif
