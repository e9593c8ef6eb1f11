/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_TABLE_CHECKER_H
#define HBASE_RULES_TABLE_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What HBase refuses at create or alter (TableDescriptorChecker.sanityCheck, HBase 2.6). */

struct table_family {
    const char *name;
    uint32_t block_bytes;
    int64_t min_versions, max_versions;
    int64_t ttl_s;
    int64_t replication;       /* DFS_REPLICATION; 0 = default */
};
struct table_descriptor {
    int64_t max_file_bytes;    /* MAX_FILESIZE; <= 0 = the site's */
    int64_t flush_bytes;       /* MEMSTORE_FLUSHSIZE; <= 0 = the site's */
    int64_t site_max_file_bytes, site_flush_bytes;
    int64_t max_file_limit_bytes; /* hbase.hregion.max.filesize.limit: 2 MiB */
    int64_t flush_limit_bytes;    /* hbase.hregion.memstore.flush.size.limit: 1 MiB */
    const struct table_family *families;
    size_t family_count;
    bool sanity_checks;        /* hbase.table.sanity.checks */
};
void table_descriptor_default(struct table_descriptor *d);

enum table_rule {
    TABLE_OK = 0,
    TABLE_MAX_FILESIZE_TOO_SMALL,
    TABLE_FLUSH_SIZE_TOO_SMALL,
    TABLE_NO_FAMILY,
    TABLE_DUPLICATE_FAMILY,
    TABLE_TTL_NOT_POSITIVE,
    TABLE_BLOCKSIZE_OUT_OF_RANGE,  /* 1 KiB to 16 MiB */
    TABLE_MIN_VERSIONS_NEGATIVE,
    TABLE_VERSIONS_BELOW_MIN,
    TABLE_REPLICATION_NEGATIVE
};
/* First rule broken, in HBase's order; |family| (may be NULL) is the family it concerns, else the count. */
enum table_rule table_check(const struct table_descriptor *d, size_t *family);
/* One sentence in plain words, with the name of the setting. */
const char *table_rule_text(enum table_rule r);

#endif
