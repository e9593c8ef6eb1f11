/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A caller-owned list of diagnostics: what is wrong with a scenario, where, and what to do.
   The scenario reader only adds to it; the command line prints it. Lines and columns count from
   1, columns in bytes (a tab is one). A place on the command line has line 0: its file is then
   the option as it was typed. */
#ifndef SCENARIO_DIAG_H
#define SCENARIO_DIAG_H

#include <stdbool.h>
#include <stddef.h>

enum scenario_severity { SCENARIO_ERROR, SCENARIO_WARNING };

/* Where a value stands. |file| is owned by whoever made the place. */
struct scenario_place {
    const char *file;                 /* as given, or the option's text; NULL = a default */
    int line;                         /* 0 = no line: the command line or a default */
    int column;
};

struct scenario_diag {
    enum scenario_severity severity;
    char *file;                       /* NULL when the scenario as a whole is meant */
    int line, column;
    char *message;                    /* lower case, no full stop */
    char *hint;                       /* what to do; NULL = none */
};

struct scenario_diags {
    struct scenario_diag *items;
    size_t len, cap;
    size_t errors;                    /* items of severity SCENARIO_ERROR */
    size_t unreadable;                /* of these: files that can't be read */
    bool no_memory;                   /* an item was lost */
};

/* The list begins as all zeros. diags_free releases it and leaves it empty. */
void diags_free(struct scenario_diags *dgs);

/* Adds an error or a warning with a message of printf's format. Without memory the list says so
   in no_memory and counts the error all the same. */
void diags_error(struct scenario_diags *dgs, struct scenario_place at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void diags_warning(struct scenario_diags *dgs, struct scenario_place at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Gives the newest item a hint; a second one replaces the first. */
void diags_hint(struct scenario_diags *dgs, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Orders the list by line and column; what has no line comes last. Equal places keep their order. */
void diags_sort(struct scenario_diags *dgs);

#endif
