/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table's key scheme as libsaltkey reads it, and what its fields carry. */
#ifndef SCENARIO_KEYS_H
#define SCENARIO_KEYS_H

#include <stdbool.h>

#include "saltkey.h"
#include "scenario/build.h"

/* What a field of the natural key carries. */
enum field_role { FIELD_ROLE_TIME, FIELD_ROLE_SEQUENCE, FIELD_ROLE_ENTITY };

enum field_role field_role(const struct saltkey_field *field);

/* Whether a field of that role is in the layout. */
bool key_has_role(const struct saltkey_layout *layout, enum field_role role);

/* The table's scheme, without messages: false where a part of it is wrong (which is then said by
   build_check_keys). Without buckets it is the unsalted one. */
bool key_scheme(const struct ini_section *section, const struct spec_table *tab, struct saltkey_scheme *scheme);

/* Whether the rows that generated streams bring fit the key's fields, and whether queries ask for
   what the key has. */
void key_check_streams(struct build *bld, const struct ini_section *section, const struct spec_table *tab,
                       const struct saltkey_scheme *scheme);
void key_check_queries(struct build *bld, const struct spec_table *tab, const struct saltkey_scheme *scheme);

#endif
