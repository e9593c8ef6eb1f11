/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of split points, of the regions that keys fall into, and of scan ranges. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

/* `phoenix-table(BIGINT,VARCHAR)`: the points of CREATE TABLE. */
static int split_phoenix(const char *algorithm, uint32_t n, struct saltkey_keys *keys)
{
    const char *open = strchr(algorithm, '(');
    struct saltkey_phoenix key;
    char types[256];
    size_t len = 0;
    int rc;

    for (open += open != NULL; open && *open && open[1] && len + 3 < sizeof(types); open++) { /* up to the last ')' */
        if (*open == ',')
            types[len++] = '!';
        types[len++] = *open;
    }
    types[len++] = '!';
    types[len] = '\0';
    rc = saltkey_phoenix_parse(types, n, &key, NULL);
    return rc < 0 ? rc : saltkey_phoenix_splits(&key, keys, NULL);
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* The N behind a name, as in `HexStringSplit16`, or where there is none |n|. */
static uint32_t count_behind(const char *name, const char *what, uint32_t n)
{
    const char *digits = begins(name, what) ? name + strlen(what) : "";

    return *digits >= '0' && *digits <= '9' ? (uint32_t)strtoul(digits, NULL, 10) : n;
}

static int split_buckets(const char *salt_text, uint32_t n, struct saltkey_keys *keys)
{
    struct saltkey_salt salt;
    int rc = saltkey_salt_parse(salt_text, n, &salt, NULL);

    return rc < 0 ? rc : saltkey_split_buckets(&salt, 1, keys, NULL);
}

/* The split points that a vector's name stands for. */
static int split_by_name(const char *name, uint32_t n, struct saltkey_keys *keys)
{
    if (begins(name, "playbook-list"))
        return saltkey_split_list("10,20,30,40,50,60,70,80,90,a0,b0,c0,d0,e0,f0", keys, NULL);
    if (begins(name, "HexStringSplit"))
        return saltkey_split_hex_string(count_behind(name, "HexStringSplit", n), keys, NULL);
    if (begins(name, "UniformSplit"))
        return saltkey_split_uniform(count_behind(name, "UniformSplit", n), keys, NULL);
    if (begins(name, "DecimalStringSplit"))
        return saltkey_split_decimal_string(count_behind(name, "DecimalStringSplit", n), keys, NULL);
    if (begins(name, "salt-byte"))
        return split_buckets("phoenix", count_behind(name, "salt-byte-", n), keys);
    if (begins(name, "correct-02x"))
        return split_buckets("text02x", count_behind(name, "correct-02x-", n), keys);
    if (begins(name, "correct-04d"))
        return split_buckets("text04d", count_behind(name, "correct-04d-", n), keys);
    if (begins(name, "opentsdb"))
        return split_buckets("opentsdb", count_behind(name, "opentsdb-", n), keys);
    if (begins(name, "phoenix-table("))
        return split_phoenix(name, n, keys);
    return SALTKEY_EUNSUPPORTED;
}

enum verdict check_presplit(const struct tsv *t, size_t row)
{
    uint32_t n = (uint32_t)tsv_int(t, row, "N");
    const char *index = tsv_cell(t, row, "index");
    struct saltkey_keys keys;
    enum verdict v = ROW_FAIL;
    int rc;

    saltkey_keys_init(&keys, NULL);
    rc = split_by_name(tsv_cell(t, row, "algo"), n, &keys);
    if (rc == SALTKEY_EUNSUPPORTED)
        v = ROW_UNKNOWN;
    else if (rc == 0 && n == 1)
        v = verdict_of(keys.count == 0);
    else if (rc == 0 && keys.count + 1 == n && strtoul(index, NULL, 10) < keys.count)
        v = verdict_of(tsv_equal(tsv_cell(t, row, "split_hex"), keys.at[strtoul(index, NULL, 10)]));
    saltkey_keys_free(&keys);
    return v;
}

enum verdict check_region_placement(const struct tsv *t, size_t row)
{
    uint8_t bytes[TSV_CELL];
    struct saltkey_slice key = tsv_hex(tsv_cell(t, row, "key_hex"), bytes, sizeof(bytes));
    struct saltkey_keys keys;
    enum verdict v = ROW_FAIL;

    saltkey_keys_init(&keys, NULL);
    if (split_by_name(tsv_cell(t, row, "splits_name"), (uint32_t)tsv_int(t, row, "region_count"), &keys) == 0)
        v = verdict_of((long long)keys.count + 1 == tsv_int(t, row, "region_count") &&
                       (long long)saltkey_split_region(&keys, key) == tsv_int(t, row, "region_index"));
    saltkey_keys_free(&keys);
    return v;
}

