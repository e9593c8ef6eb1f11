/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRUTH_SETTINGS_H
#define TRUTH_SETTINGS_H

#include "truth_rules.h"

/* HBase's settings in a recording's header: table and family values in braces, "{name=value, name=value}",
   and the site's on the line of those that differ from the defaults. A setting or value that isn't known here
   must be refused: a run without it would be another run. */

enum setting {
    COMPACTION_MIN,
    COMPACTION_MAX,
    COMPACTION_MIN_SIZE,
    COMPACTION_MAX_SIZE,
    COMPACTION_RATIO,
    COMPACTION_POLICY,
    BLOCKING_FILES,
    MAJOR_PERIOD,
    INITIAL_SIZE,
    OVERALL_FILES,
    BLOCK_MULTIPLIER,
    PREFIX_LENGTH,
    DELIMITER,
    RESTRICTION_TYPE,
    RESTRICTION_PREFIX,
    RESTRICTION_DELIMITER,
    ENCODING,
    COMPRESSION,
    BLOCK_SIZE,
    BLOOM,
    LOWER_BOUND,               /* truth_timelines_shapes.c reads the last two */
    LOWER_BOUND_MIN
};

/* The name of the n-th setting, and what it sets; NULL behind the last one. */
const char *truth_setting_name(size_t n, enum setting *what);
/* The value of |name|; "" where the header doesn't say. */
void truth_setting_find(const struct truth_table *t, const char *name, char *value, size_t cap);
/* Whether the header has a setting whose name or value isn't understood, or, where nobody |applies| them, one of those
   above; |word| says which. */
bool truth_setting_refused(const struct truth_table *t, bool applies, char *word, size_t cap);

#endif
