/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HBase's settings in a recording's header: table and family values in braces, "{name=value, name=value}",
   and the site's on the line of those that differ from the defaults. A table or family value that isn't
   known here must be refused: a run without it would be another run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/compression.h"
#include "truth_timelines.h"

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

static const struct {
    const char *name;
    enum setting what;
} known[] = {
    {"hbase.hstore.compaction.min", COMPACTION_MIN},
    {"hbase.hstore.compactionThreshold", COMPACTION_MIN},
    {"hbase.hstore.compaction.max", COMPACTION_MAX},
    {"hbase.hstore.compaction.min.size", COMPACTION_MIN_SIZE},
    {"hbase.hstore.compaction.max.size", COMPACTION_MAX_SIZE},
    {"hbase.hstore.compaction.ratio", COMPACTION_RATIO},
    {"hbase.hstore.defaultengine.compactionpolicy.class", COMPACTION_POLICY},
    {"hbase.hstore.blockingStoreFiles", BLOCKING_FILES},
    {"hbase.hregion.majorcompaction", MAJOR_PERIOD},
    {"hbase.increasing.policy.initial.size", INITIAL_SIZE},
    {"hbase.hregion.split.overallfiles", OVERALL_FILES},
    {"hbase.hregion.memstore.block.multiplier", BLOCK_MULTIPLIER},
    {"KeyPrefixRegionSplitPolicy.prefix_length", PREFIX_LENGTH},
    {"prefix_split_key_policy.prefix_length", PREFIX_LENGTH},
    {"DelimitedKeyPrefixRegionSplitPolicy.delimiter", DELIMITER},
    {"hbase.regionserver.region.split_restriction.type", RESTRICTION_TYPE},
    {"hbase.regionserver.region.split_restriction.prefix_length", RESTRICTION_PREFIX},
    {"hbase.regionserver.region.split_restriction.delimiter", RESTRICTION_DELIMITER},
    {"DATA_BLOCK_ENCODING", ENCODING},
    {"encoding", ENCODING},
    {"COMPRESSION", COMPRESSION},
    {"compression", COMPRESSION},
    {"BLOCKSIZE", BLOCK_SIZE},
    {"blocksize", BLOCK_SIZE},
    {"BLOOMFILTER", BLOOM},
    {"bloom", BLOOM},
    {"hbase.hregion.percolumnfamilyflush.size.lower.bound", LOWER_BOUND},
    {"hbase.hregion.percolumnfamilyflush.size.lower.bound.min", LOWER_BOUND_MIN},
};

enum { SETTINGS = sizeof known / sizeof known[0] };

/* A value ends where the next begins or the braces end. A delimiter may be any byte. */
static void take_value(const char *at, char *value, size_t cap)
{
    size_t n = *at ? 1 : 0;

    if (*at == ' ' || *at == ';' || *at == ',')
        n = at[1] && !strchr(" ;,}", at[1]) ? 0 : n;
    else
        n = strcspn(at, " ;,}");
    snprintf(value, cap, "%.*s", (int)n, at);
}

/* The value of |name|, "" where the header doesn't say. */
static void find(const struct truth_table *t, const char *name, char *value, size_t cap)
{
    const size_t n = strlen(name);

    value[0] = '\0';
    for (size_t i = 0; i < t->comments; i++)
        for (const char *p = t->comment[i]; (p = strstr(p, name)) != NULL; p += n)
            if (p[n] == '=' && p > t->comment[i] && strchr(" {;,", p[-1])) {
                take_value(p + n + 1, value, cap);
                return;
            }
}

static bool is_known(const char *name, size_t n)
{
    for (size_t k = 0; k < SETTINGS; k++)
        if (strlen(known[k].name) == n && memcmp(known[k].name, name, n) == 0)
            return true;
    return false;
}

bool timeline_setting_unknown(const struct truth_table *t, char *name, size_t cap)
{
    for (size_t i = 0; i < t->comments; i++)
        for (const char *open = strchr(t->comment[i], '{'); open; open = strchr(open + 1, '{')) {
            const char *end = strchr(open, '}'), *at = open + 1;

            while (at && end && at < end) {
                const size_t n = strcspn(at, "=,}");

                at += strspn(at, " ");
                if (at[strcspn(at, "=,}")] == '=' && !is_known(at, strcspn(at, "="))) {
                    snprintf(name, cap, "%.*s", (int)strcspn(at, "=,}"), at);
                    return true;
                }
                at = strstr(at + (n < 1), ", ");
                at = at ? at + 2 : NULL;
            }
        }
    return false;
}

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
    char value[128];
    int rc = 0;

    for (size_t k = 0; t && k < SETTINGS; k++) {
        find(t, known[k].name, value, sizeof value);
        if (value[0] && apply_family(f, known[k].what, value) != 0)
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
    char value[128];

    for (size_t k = 0; t && k < SETTINGS; k++) {
        find(t, known[k].name, value, sizeof value);
        if (!value[0])
            continue;
        apply_split(tl, &tl->model->tables[0].split, known[k].what, value);
        apply_compaction(&tl->model->tables[0].compaction, known[k].what, value);
        if (known[k].what == BLOCK_MULTIPLIER)
            tl->spec.hbase.memstore_block_multiplier = strtod(value, NULL);
    }
}
