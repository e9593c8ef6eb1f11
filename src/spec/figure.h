/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of result.json that an expectation may name: of what they are (scope), in what unit
   their bound is written, and how a stretch of time is made one number. The names are the result's
   own, read from its tables of fields, so that each number of it can be named. */
#ifndef SPEC_FIGURE_H
#define SPEC_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

enum spec_scope { SPEC_SCOPE_ALL, SPEC_SCOPE_SERVER, SPEC_SCOPE_TABLE, SPEC_SCOPE_REGION, SPEC_SCOPE_QUERY };

/* How a bound for it is written; the number is in the unit of the figure's name. */
enum spec_figure_unit {
    SPEC_FIGURE_NUMBER,
    SPEC_FIGURE_COUNT,
    SPEC_FIGURE_SHARE,                /* 0.3 or 30% */
    SPEC_FIGURE_US,                   /* written as a duration */
    SPEC_FIGURE_S,                    /* written as a duration */
    SPEC_FIGURE_BYTES,
    SPEC_FIGURE_RATE
};

/* How the sample windows of a stretch of time become one number. */
enum spec_figure_over {
    SPEC_OVER_RUN,                    /* known for the whole run only */
    SPEC_OVER_MEAN,                   /* weighted by time */
    SPEC_OVER_MEDIAN,                 /* weighted by time; the lower one of two */
    SPEC_OVER_MAX,
    SPEC_OVER_SUM
};

struct spec_figure {
    const char *name;
    enum spec_scope scope;
    enum spec_figure_unit unit;
    enum spec_figure_over over;
    const char *formula;              /* what one window's value is; NULL = the name says it */
};

/* The figure of that scope with that name (|len| bytes); false if there is none. Each number of
   the scope's struct in result/fields.h is one. The texts of |out| are static. */
bool spec_figure_find(enum spec_scope scope, const char *name, size_t len, struct spec_figure *out);

/* The scope's figures one after the other; false past the last one. */
bool spec_figure_at(enum spec_scope scope, size_t i, struct spec_figure *out);

/* "server", "table", ... */
const char *spec_scope_word(enum spec_scope scope);

#endif
