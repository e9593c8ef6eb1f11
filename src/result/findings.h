/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a lint found in a table's layout: one finding a rule and field. */
#ifndef RESULT_FINDINGS_H
#define RESULT_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct result_finding {
    const char *rule;                 /* "leading-monotone"; static */
    char *field;                      /* of the key, a family, or a column; never NULL */
    char *why;                        /* what it leads to, with this scenario's numbers */
    char *todo;                       /* what to do about it */
};

struct result_findings {
    struct result_finding *all;
    size_t len;
};

/* Whether the list has that rule, field and reason. */
bool result_findings_have(const struct result_findings *list, const struct result_finding *f);

/* Appends copies of the three texts, unless the very finding is there; 0, or -1 without memory (then the list is as before). */
int result_findings_add(struct result_findings *list, const struct result_finding *words);
void result_findings_free(struct result_findings *list);

#endif
