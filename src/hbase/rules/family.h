/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a key and a family's settings make of the family's files. Pure functions of the scenario. */
#ifndef HBASE_RULES_FAMILY_H
#define HBASE_RULES_FAMILY_H

#include <stdbool.h>

#include "saltkey.h"
#include "spec/spec.h"

/* Whether rows that are neighbours in a file were written one after the other; else they are of one entity. */
bool family_rows_by_time(const struct saltkey_scheme *scheme);

/* Bytes of a compressed block over its bytes before: 1 without compression, what the family says, or what was
   recorded for its codec, encoding, values and the order of its rows (rules/compression.h). */
double family_compression_ratio(const struct saltkey_scheme *scheme, const struct spec_family *f);

#endif
