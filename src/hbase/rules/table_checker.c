/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/table_checker.h"

#include <string.h>

void table_descriptor_default(struct table_descriptor *d)
{
    memset(d, 0, sizeof *d);
    d->site_max_file_bytes = INT64_C(10737418240);
    d->site_flush_bytes = 134217728;
    d->max_file_limit_bytes = 2097152;
    d->flush_limit_bytes = 1048576;
    d->sanity_checks = true;
}

static enum table_rule check_family(const struct table_family *f)
{
    if (f->ttl_s <= 0)
        return TABLE_TTL_NOT_POSITIVE;
    if (f->block_bytes < 1024 || f->block_bytes > 16 * 1024 * 1024)
        return TABLE_BLOCKSIZE_OUT_OF_RANGE;
    if (f->min_versions < 0)
        return TABLE_MIN_VERSIONS_NEGATIVE;
    if (f->min_versions > f->max_versions)
        return TABLE_VERSIONS_BELOW_MIN;
    if (f->replication < 0)
        return TABLE_REPLICATION_NEGATIVE;
    return TABLE_OK;
}

static bool duplicate(const struct table_descriptor *d, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (d->families[k].name && d->families[i].name && strcmp(d->families[k].name, d->families[i].name) == 0)
            return true;
    return false;
}

static enum table_rule check(const struct table_descriptor *d, size_t *family)
{
    int64_t max_file = d->max_file_bytes > 0 ? d->max_file_bytes : d->site_max_file_bytes;
    int64_t flush = d->flush_bytes > 0 ? d->flush_bytes : d->site_flush_bytes;

    *family = d->family_count;
    if (max_file < d->max_file_limit_bytes)
        return TABLE_MAX_FILESIZE_TOO_SMALL;
    if (flush < d->flush_limit_bytes)
        return TABLE_FLUSH_SIZE_TOO_SMALL;
    if (d->family_count == 0)
        return TABLE_NO_FAMILY;
    for (size_t i = 0; i < d->family_count; i++) {
        enum table_rule r = check_family(&d->families[i]);

        *family = i;
        if (r != TABLE_OK)
            return r;
        if (duplicate(d, i))
            return TABLE_DUPLICATE_FAMILY;
    }
    *family = d->family_count;
    return TABLE_OK;
}

enum table_rule table_check(const struct table_descriptor *d, size_t *family)
{
    size_t which = d->family_count;
    enum table_rule r = d->sanity_checks ? check(d, &which) : TABLE_OK;

    if (family)
        *family = which;
    return r;
}

const char *table_rule_text(enum table_rule r)
{
    switch (r) {
    case TABLE_OK:
        return "nothing wrong";
    case TABLE_MAX_FILESIZE_TOO_SMALL:
        return "MAX_FILESIZE (or hbase.hregion.max.filesize) is below hbase.hregion.max.filesize.limit: HBase "
               "refuses the table";
    case TABLE_FLUSH_SIZE_TOO_SMALL:
        return "MEMSTORE_FLUSHSIZE (or hbase.hregion.memstore.flush.size) is below "
               "hbase.hregion.memstore.flush.size.limit: HBase refuses the table";
    case TABLE_NO_FAMILY:
        return "a table needs at least one column family";
    case TABLE_DUPLICATE_FAMILY:
        return "two column families have the same name";
    case TABLE_TTL_NOT_POSITIVE:
        return "TTL must be positive";
    case TABLE_BLOCKSIZE_OUT_OF_RANGE:
        return "BLOCKSIZE must be between 1 KiB and 16 MiB";
    case TABLE_MIN_VERSIONS_NEGATIVE:
        return "MIN_VERSIONS must not be negative";
    case TABLE_VERSIONS_BELOW_MIN:
        return "MIN_VERSIONS must not exceed VERSIONS";
    case TABLE_REPLICATION_NEGATIVE:
        return "DFS_REPLICATION must not be negative";
    }
    return "unknown rule";
}
