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

    for (open += open != NULL; open && *open && *open != ')' && len + 2 < sizeof(types); open++) {
        types[len++] = *open;
        if (*open == ',')
            types[len++] = ' ';
    }
    types[len] = '\0';
    rc = saltkey_phoenix_parse(types, n, &key, NULL);
    return rc < 0 ? rc : saltkey_phoenix_splits(&key, keys, NULL);
}

static int split_by_name(const char *algorithm, uint32_t n, struct saltkey_keys *keys)
{
    struct saltkey_salt salt;

    if (strcmp(algorithm, "HexStringSplit") == 0)
        return saltkey_split_hex_string(n, keys, NULL);
    if (strcmp(algorithm, "UniformSplit") == 0)
        return saltkey_split_uniform(n, keys, NULL);
    if (strcmp(algorithm, "DecimalStringSplit") == 0)
        return saltkey_split_decimal_string(n, keys, NULL);
    if (strncmp(algorithm, "salt-byte", 9) == 0) {
        int rc = saltkey_salt_parse("phoenix", n, &salt, NULL);
        return rc < 0 ? rc : saltkey_split_buckets(&salt, 1, keys, NULL);
    }
    if (strcmp(algorithm, "correct-02x-text") == 0) {
        int rc = saltkey_salt_parse("text02x", n, &salt, NULL);
        return rc < 0 ? rc : saltkey_split_buckets(&salt, 1, keys, NULL);
    }
    if (strncmp(algorithm, "phoenix-table(", 14) == 0)
        return split_phoenix(algorithm, n, keys);
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
        v = ROW_WAIT;
    else if (rc == 0 && n == 1)
        v = verdict_of(keys.count == 0);
    else if (rc == 0 && keys.count + 1 == n && strtoul(index, NULL, 10) < keys.count)
        v = verdict_of(tsv_equal(tsv_cell(t, row, "split_hex"), keys.at[strtoul(index, NULL, 10)]));
    saltkey_keys_free(&keys);
    return v;
}

static int splits_named(const char *name, struct saltkey_keys *keys)
{
    static const char list[] = "10,20,30,40,50,60,70,80,90,a0,b0,c0,d0,e0,f0";
    char text[256] = "";
    struct saltkey_salt salt;
    int i;

    if (strncmp(name, "playbook-list", 13) == 0)
        return saltkey_split_list(list, keys, NULL);
    if (strncmp(name, "HexStringSplit", 14) == 0)
        return saltkey_split_hex_string((uint32_t)strtoul(name + 14, NULL, 10), keys, NULL);
    if (strncmp(name, "UniformSplit", 12) == 0)
        return saltkey_split_uniform((uint32_t)strtoul(name + 12, NULL, 10), keys, NULL);
    if (strncmp(name, "salt-byte-", 10) == 0) {
        int rc = saltkey_salt_parse("phoenix", (uint32_t)strtoul(name + 10, NULL, 10), &salt, NULL);
        return rc < 0 ? rc : saltkey_split_buckets(&salt, 1, keys, NULL);
    }
    if (strncmp(name, "correct-02x-", 12) == 0) {
        for (i = 1; i < (int)strtoul(name + 12, NULL, 10); i++)
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%02x", i > 1 ? "," : "", i);
        return saltkey_split_list(text, keys, NULL);
    }
    return SALTKEY_EUNSUPPORTED;
}

enum verdict check_region_placement(const struct tsv *t, size_t row)
{
    uint8_t bytes[4096];
    struct saltkey_slice key = tsv_hex(tsv_cell(t, row, "key_hex"), bytes, sizeof(bytes));
    struct saltkey_keys keys;
    enum verdict v = ROW_FAIL;

    saltkey_keys_init(&keys, NULL);
    if (splits_named(tsv_cell(t, row, "splits_name"), &keys) == 0)
        v = verdict_of((long long)keys.count + 1 == tsv_int(t, row, "region_count") &&
                       (long long)saltkey_split_region(&keys, key) == tsv_int(t, row, "region_index"));
    saltkey_keys_free(&keys);
    return v;
}

