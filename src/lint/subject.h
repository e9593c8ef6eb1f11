/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the room: a table as its rules see it. */
#ifndef LINT_SUBJECT_H
#define LINT_SUBJECT_H

#include <stdbool.h>

#include "result/findings.h"
#include "saltkey.h"
#include "spec/spec.h"

struct lint_subject {
    const struct spec *sp;
    const struct spec_table *table;
    struct saltkey_scheme scheme;
    double rate_per_s;                /* of all streams that write to it */
    double entities;                  /* most of a stream; 0: keys come from files only */
    double hot_share;                 /* of the most written entity, of all rows; 0 = not known */
    struct result_findings *out;
    int rc;
};

/* Adds a finding; a failure stays in |s->rc|. */
struct lint_words {
    const char *rule, *field, *todo;
};
void lint_add(struct lint_subject *s, struct lint_words words, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The rules of names (numbers, few values, persons), of one field. */
bool lint_named_number(const char *name);
bool lint_named_few(const char *name);
bool lint_named_person(const char *name);

void lint_leading(struct lint_subject *s);
void lint_rows(struct lint_subject *s);

#endif
