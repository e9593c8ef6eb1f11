/* SPDX-License-Identifier: Apache-2.0 */
/* OpenTSDB's row: salt | metric UID | base time in seconds | tag UIDs. The salt skips the time, so
   a series stays in one bucket (RowKey.prefixKeyWithSalt, OpenTSDB 2.5). */
#include "internal.h"

#define HOUR 3600

/* Seconds of the hour: a time with any of the top 32 bits set is milliseconds; Java's remainder
   rounds a negative time toward zero. */
static uint32_t base_time(int64_t time)
{
    if ((uint64_t)time >> 32)
        time /= 1000;
    return (uint32_t)(uint64_t)(time - time % HOUR);
}

bool saltkey__all_zero(struct saltkey_slice s)
{
    size_t i;

    for (i = 0; i < s.len; i++)
        if (s.bytes[i])
            return false;
    return s.len > 0;
}

int saltkey_opentsdb_row(const struct saltkey_opentsdb *config, const struct saltkey_opentsdb_point *point,
                         struct saltkey_buf *row)
{
    size_t len = config->width + point->metric.len + 4 + point->tags.len, i;
    struct saltkey_part part;
    struct saltkey_mod mod;
    uint32_t bucket = 0;
    uint8_t *at = row->bytes;

    if (config->width > 8)
        return SALTKEY_ERANGE;
    if (saltkey_mod_init(&mod, SALTKEY_ABS, config->buckets) < 0)
        return SALTKEY_EBUCKETS;
    if (point->metric.len == 0)
        return SALTKEY_EEMPTY;
    if (row->cap < len)
        return SALTKEY_ESPACE;
    part = saltkey_part_join(saltkey_part_of(point->metric.bytes, point->metric.len),
                             saltkey_part_of(point->tags.bytes, point->tags.len));
    if (!saltkey__all_zero(point->metric)) /* a global annotation isn't salted */
        bucket = saltkey_mod_bucket(&mod, saltkey_part_hash(part));
    /* Java's shift of an int counts modulo 32: beyond 4 bytes the low ones repeat */
    for (i = 0; i < config->width; i++)
        *at++ = (uint8_t)(bucket >> (8 * (config->width - 1 - i) & 31));
    memcpy(at, point->metric.bytes, point->metric.len);
    saltkey__store(at + point->metric.len, base_time(point->time), 4);
    if (point->tags.len)
        memcpy(at + point->metric.len + 4, point->tags.bytes, point->tags.len);
    row->len = len;
    return 0;
}
