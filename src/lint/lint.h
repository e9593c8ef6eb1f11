/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges a table before it exists: its key, field by field, and its families, by rules that hold whatever the
   queries are. Nothing is simulated. The rules, one finding a field at most:

     variable-width-number  a number whose digits vary in length: 10 sorts before 9
     leading-monotone       the first field grows (or falls) with time, and nothing spreads it
     leading-few-values     the first field has fewer values than there are servers, or is named so
     leading-hot-value      one value of the first field brings more than a server's share of the rows
     personal-data          a field named as what identifies a person, in the clear
     families               more than three families
     wide-row               a row so large that regions, which never split inside a row, can't be cut well
     delimiter              a field that ends at a byte which its values may hold */
#ifndef LINT_LINT_H
#define LINT_LINT_H

#include "result/findings.h"
#include "spec/spec.h"

/* Appends what |table| of a checked |sp| has. 0, or -1 without memory or where its scheme can't be read. */
int lint_table(const struct spec *sp, const struct spec_table *table, struct result_findings *out);

#endif
