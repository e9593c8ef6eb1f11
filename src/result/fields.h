/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of each struct of a result, as tables in the order in which result.json has them.
   The JSON writer, its reader and the CSV writers all walk these, so a field is added by adding
   one row here and one member to result.h. A table ends with a NULL name. */
#ifndef RESULT_FIELDS_H
#define RESULT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

enum result_field_kind {
    RESULT_NUMBER,                    /* double; NaN = no value */
    RESULT_INTEGER,                   /* int; optional: -1 = no value */
    RESULT_FLAG,                      /* bool */
    RESULT_TEXT,                      /* char *, owned by the struct; NULL = no value */
    RESULT_STATIC_TEXT,               /* const char *, kept by the run when it was read */
    RESULT_FIGURE                     /* struct result_figure */
};

struct result_field {
    const char *name;
    enum result_field_kind kind;
    bool optional;                    /* left out of JSON where it has no value, else null */
    size_t offset;
};

extern const struct result_field result_run_fields[];
extern const struct result_field result_summary_fields[];
extern const struct result_field result_server_fields[];
extern const struct result_field result_table_fields[];
extern const struct result_field result_region_fields[];
extern const struct result_field result_window_fields[];
extern const struct result_field result_event_fields[];
extern const struct result_field result_query_fields[];
extern const struct result_field result_spread_fields[];
extern const struct result_field result_candidate_fields[];
extern const struct result_field result_query_cost_fields[];
extern const struct result_field result_plan_fields[];
extern const struct result_field result_expectation_fields[];
extern const struct result_field result_gate_fields[];
extern const struct result_field result_stage_fields[];
extern const struct result_field result_variation_fields[];
extern const struct result_field result_assumption_fields[];
extern const struct result_field result_diagnostic_fields[];

/* The number of that name among |fields|; NULL without one. */
const struct result_field *result_field_find(const struct result_field *fields, const char *name);

/* Its value in the struct at |base|; NaN without one. */
double result_field_number(const struct result_field *fields, const char *name, const void *base);

/* Whether the field of the struct at |base| has a value (see enum result_field_kind). */
bool result_field_has_value(const struct result_field *field, const void *base);

#endif
