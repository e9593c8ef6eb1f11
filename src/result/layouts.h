/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix of layouts: what each query of a scenario costs with the key laid out in other ways, and what
   the writes make of it. Each layout is a run of its own. */
#ifndef RESULT_LAYOUTS_H
#define RESULT_LAYOUTS_H

#include <stdio.h>

#include "result/findings.h"
#include "result/result.h"

struct result_layout {
    const char *name;         /* "time first"; static */
    char *key;                /* the layout line */
    char *salt;               /* in words, what it is over and N: "arrays-hash floorMod over key, 16 buckets" */
    struct result_findings lint; /* what is the matter with it whatever is asked */
    struct result_run run;    /* its queries are those of the table alone */
};

struct result_layouts {
    char *scenario;           /* base name */
    char *table;
    struct result_layout *all; /* the scenario's own is the first */
    size_t len;
};

void result_layouts_free(struct result_layouts *layouts);

/* The layout's query of that name; NULL where it has none. */
const struct result_query *result_layout_query(const struct result_layout *layout, const char *name);

/* Whether the query is a range of this layout's key; if not, it is read whole and filtered. */
bool result_query_is_range(const struct result_query *query);

/* One JSON object; one CSV row for each layout and query, with the names of what the lint found; one for each
   finding. 0, or -1 when the stream reported an error. */
int result_layouts_json(const struct result_layouts *layouts, FILE *to);
int result_layouts_csv(const struct result_layouts *layouts, FILE *to);
int result_lint_csv(const struct result_layouts *layouts, FILE *to);

#endif
