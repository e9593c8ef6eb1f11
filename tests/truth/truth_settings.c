/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/compression.h"

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

/* Of the site's line, what each program brings about by itself; the value, where only one is. */
static const struct {
    const char *name, *value;
} site[] = {
    {"hbase.client.retries.number", NULL},                /* nobody gives up */
    {"hbase.hfile.compaction.discharger.interval", NULL}, /* another line says when files are archived */
    {"hbase.hregion.max.filesize.jitter", "0.0"},
    {"hbase.hregion.memstore.flush.size", NULL},          /* read with the table's */
};

static const char site_line[] = "settings that differ from hbase-default.xml: ";

const char *truth_setting_name(size_t n, enum setting *what)
{
    if (n >= SETTINGS)
        return NULL;
    *what = known[n].what;
    return known[n].name;
}

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

static bool find(const struct truth_table *t, const char *name, char *value, size_t cap)
{
    const size_t n = strlen(name);

    value[0] = '\0';
    for (size_t i = 0; i < t->comments; i++)
        for (const char *p = t->comment[i]; (p = strstr(p, name)) != NULL; p += n)
            if (p[n] == '=' && p > t->comment[i] && strchr(" {;,", p[-1])) {
                take_value(p + n + 1, value, cap);
                return true;
            }
    return false;
}

void truth_setting_find(const struct truth_table *t, const char *name, char *value, size_t cap)
{
    find(t, name, value, cap);
}

static bool whole(const char *value)
{
    return value[0] && strlen(value) < 19 && value[strspn(value, "0123456789")] == '\0';
}

static bool real(const char *value)
{
    char *end;

    return strtod(value, &end) > 0 && *end == '\0';
}

static bool one_of(const char *value, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(value, *words) == 0)
            return true;
    return false;
}

static bool understood(enum setting what, const char *value)
{
    static const char *const truth[] = {"true", "false", NULL}, *const bloom[] = {"ROW", "ROWCOL", "NONE", NULL},
                      *const restriction[] = {"None", "KeyPrefix", "DelimitedKeyPrefix", NULL},
                      *const policy[] = {"RatioBasedCompactionPolicy", "ExploringCompactionPolicy", NULL};
    const char *dot = strrchr(value, '.');

    switch (what) {
    case COMPACTION_RATIO: return real(value);
    case COMPACTION_POLICY: return one_of(dot ? dot + 1 : value, policy);
    case OVERALL_FILES: return one_of(value, truth);
    case DELIMITER:
    case RESTRICTION_DELIMITER: return value[0] != '\0';
    case RESTRICTION_TYPE: return one_of(value, restriction);
    case ENCODING: return hfile_encoding_from_name(value) >= 0;
    case COMPRESSION: return strcmp(value, "NONE") == 0 || compression_from_name(value) >= 0;
    case BLOCK_SIZE: return whole(value) && strtoull(value, NULL, 10) > 0;
    case BLOOM: return one_of(value, bloom);
    default: return whole(value);
    }
}

static bool is_known(const char *name, size_t n)
{
    for (size_t k = 0; k < SETTINGS; k++)
        if (strlen(known[k].name) == n && memcmp(known[k].name, name, n) == 0)
            return true;
    return false;
}

static bool is_site(const char *name, size_t n)
{
    for (size_t k = 0; k < sizeof site / sizeof site[0]; k++)
        if (strlen(site[k].name) == n && memcmp(site[k].name, name, n) == 0) {
            char value[64];

            take_value(name + n + 1, value, sizeof value);
            return site[k].value ? strcmp(value, site[k].value) == 0 : whole(value);
        }
    return false;
}

static bool stranger_in_braces(const struct truth_table *t, char *word, size_t cap)
{
    for (size_t i = 0; i < t->comments; i++)
        for (const char *open = strchr(t->comment[i], '{'); open; open = strchr(open + 1, '{')) {
            const char *end = strchr(open, '}'), *at = open + 1;

            while (at && end && at < end) {
                const size_t n = strcspn(at, "=,}");

                at += strspn(at, " ");
                if (at[strcspn(at, "=,}")] == '=' && !is_known(at, strcspn(at, "="))) {
                    snprintf(word, cap, "%.*s", (int)strcspn(at, "=,}"), at);
                    return true;
                }
                at = strstr(at + (n < 1), ", ");
                at = at ? at + 2 : NULL;
            }
        }
    return false;
}

/* Parts of the line end at ';' and have a name and '=', or are words ("balancer off"). */
static bool stranger_of_the_site(const struct truth_table *t, char *word, size_t cap)
{
    for (size_t i = 0; i < t->comments; i++) {
        const char *at = strstr(t->comment[i], site_line);

        for (at = at ? at + strlen(site_line) : NULL; at && *at; at += strcspn(at, ";"), at += *at == ';') {
            const size_t n = strcspn(at += strspn(at, " "), "=; ");

            if (at[n] != '=' || is_known(at, n) || is_site(at, n))
                continue;
            snprintf(word, cap, "%.*s", (int)strcspn(at, "; "), at);
            return true;
        }
    }
    return false;
}

bool truth_setting_refused(const struct truth_table *t, bool applies, char *word, size_t cap)
{
    char value[128];

    if (stranger_in_braces(t, word, cap) || stranger_of_the_site(t, word, cap))
        return true;
    for (size_t k = 0; k < SETTINGS; k++)
        if (find(t, known[k].name, value, sizeof value) && !(applies && understood(known[k].what, value))) {
            snprintf(word, cap, "%s=%s", known[k].name, value);
            return true;
        }
    return false;
}
