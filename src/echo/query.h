/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a query means before anything is simulated: whether the key serves it as a range, and how many servers'
   processors it wants at its rate. Arithmetic of rows and of the [server] section's times; nothing waits here. */
#ifndef ECHO_QUERY_H
#define ECHO_QUERY_H

#include <stdbool.h>

#include "spec/spec.h"

struct echo_query {
    bool is_range;            /* if not, rows are read that don't match, and filtered */
    double scans;             /* scanner opens */
    double rows;              /* that servers look at for one query, at the end of the run */
    double servers;           /* whole processors that it keeps busy at its rate */
};

/* 0, or -1 where the table's scheme can't be read or has no such field. */
int echo_query_fill(const struct spec *sp, const struct spec_query *q, struct echo_query *out);

/* Rows that the streams write to the table in a second; the most entities of one of them. */
double echo_rate(const struct spec *sp, const char *table, double *entities);

#endif
