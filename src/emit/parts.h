/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the targets share; for this room only. */
#ifndef EMIT_PARTS_H
#define EMIT_PARTS_H

#include <stdbool.h>

#include "emit/emit.h"

/* Fills |em->reason| and returns |status|. */
int emit_fail(struct emit *em, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

bool emit_salted(const struct emit *em);
size_t emit_regions(const struct emit *em);

/* Whether Phoenix itself would compute the same salt. */
bool emit_phoenix_salt(const struct emit *em);

/* Whether Phoenix has types for the key's fields. */
bool emit_phoenix_fits(const struct emit *em);

/* The SPLITS_FILE to name, |name| filled if it is the default one; NULL: list the keys inline. */
const char *emit_splits_name(struct emit *em, char *name, size_t cap);

/* A comment line on scheme and regions, |mark| ("#") in front. */
void emit_about(struct emit *em, const char *mark, FILE *out);

#endif
