/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a header's settings make of the model. timeline_check_settings has looked at their values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/compression.h"
#include "truth_settings.h"
#include "truth_timelines.h"

static int apply_family(struct spec_family *f, enum setting what, const char *value)
{
    int k;

    switch (what) {
    case ENCODING:
        k = hfile_encoding_from_name(value);
        f->encoding = k < 0 ? SPEC_ENCODING_NONE : (enum spec_encoding)k;
        return k < 0 ? -1 : 0;
    case COMPRESSION:
        k = strcmp(value, "NONE") == 0 ? 0 : compression_from_name(value);
        f->compression = k < 0 ? SPEC_COMPRESSION_NONE : (enum spec_compression)k;
        return k < 0 ? -1 : 0;
    case BLOCK_SIZE:
        f->blocksize_bytes = strtoll(value, NULL, 10);
        return f->blocksize_bytes > 0 ? 0 : -1;
    case BLOOM:
        f->bloom_row = strcmp(value, "ROW") == 0;
        f->bloom_rowcol = strcmp(value, "ROWCOL") == 0;
        return f->bloom_row || f->bloom_rowcol || strcmp(value, "NONE") == 0 ? 0 : -1;
    default:
        return 0;
    }
}

int timeline_set_family(const struct truth_table *t, struct spec_family *f)
{
    const char *name;
    enum setting what;
    char value[128];
    int rc = 0;

    for (size_t k = 0; t && (name = truth_setting_name(k, &what)) != NULL; k++) {
        truth_setting_find(t, name, value, sizeof value);
        if (value[0] && apply_family(f, what, value) != 0)
            rc = -1;
    }
    return rc;
}

static void keep(char *room, size_t cap, const char *value, const uint8_t **bytes, size_t *n)
{
    snprintf(room, cap, "%.*s", (int)cap - 1, value);
    *bytes = (const uint8_t *)room;
    *n = strlen(room);
}

static void apply_split(struct timeline *tl, struct split_policy_config *c, enum setting what, const char *value)
{
    const uint64_t n = strtoull(value, NULL, 10);

    switch (what) {
    case INITIAL_SIZE: c->initial_bytes = n; break;
    case OVERALL_FILES: c->overall_files = strcmp(value, "true") == 0; break;
    case PREFIX_LENGTH: c->prefix_bytes = (uint32_t)n; break;
    case DELIMITER:
        keep(tl->delimiter, sizeof tl->delimiter, value, &c->delimiter, &c->delimiter_bytes);
        break;
    case RESTRICTION_TYPE:
        if (strcmp(value, "KeyPrefix") == 0)
            c->restriction = SPLIT_RESTRICT_KEY_PREFIX;
        if (strcmp(value, "DelimitedKeyPrefix") == 0)
            c->restriction = SPLIT_RESTRICT_DELIMITED;
        break;
    case RESTRICTION_PREFIX: c->restriction_prefix_bytes = (uint32_t)n; break;
    case RESTRICTION_DELIMITER:
        keep(tl->restriction, sizeof tl->restriction, value, &c->restriction_delimiter,
             &c->restriction_delimiter_bytes);
        break;
    default: break;
    }
}

static void apply_compaction(struct compaction_config *c, enum setting what, const char *value)
{
    const uint64_t n = strtoull(value, NULL, 10);

    switch (what) {
    case COMPACTION_MIN: c->min_files = (uint32_t)n; break;
    case COMPACTION_MAX: c->max_files = (uint32_t)n; break;
    case COMPACTION_MIN_SIZE: c->min_bytes = n; break;
    case COMPACTION_MAX_SIZE: c->max_bytes = n; break;
    case COMPACTION_RATIO: c->ratio = strtod(value, NULL); break;
    case COMPACTION_POLICY:
        c->policy = strstr(value, "RatioBased") ? COMPACTION_RATIO_BASED : COMPACTION_EXPLORING;
        break;
    case BLOCKING_FILES: c->blocking_store_files = (uint32_t)n; break;
    case MAJOR_PERIOD: c->major_period_us = n * 1000; break;
    default: break;
    }
}

void timeline_set_table(const struct truth_table *t, struct timeline *tl)
{
    const char *name;
    enum setting what;
    char value[128];

    for (size_t k = 0; t && (name = truth_setting_name(k, &what)) != NULL; k++) {
        truth_setting_find(t, name, value, sizeof value);
        if (!value[0])
            continue;
        apply_split(tl, &tl->model->tables[0].split, what, value);
        apply_compaction(&tl->model->tables[0].compaction, what, value);
        if (what == BLOCK_MULTIPLIER)
            tl->spec.hbase.memstore_block_multiplier = strtod(value, NULL);
    }
}
