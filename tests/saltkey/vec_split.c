/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of split points, of the regions that keys fall into, and of scan ranges. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

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

/* The bounds of bucket |b| are what the row says. */
static bool range_as(const struct tsv *t, size_t row, const struct saltkey_scheme *scheme,
                     const struct saltkey_window *window)
{
    uint8_t start[4096], stop[4096];
    struct saltkey_range range = {{start, sizeof(start), 0}, {stop, sizeof(stop), 0}, false};

    return saltkey_window_range(scheme, window, (uint64_t)tsv_int(t, row, "bucket"), &range) == 0 &&
           tsv_equal(tsv_cell(t, row, "start_hex"), (struct saltkey_slice){start, range.start.len}) &&
           tsv_equal(tsv_cell(t, row, "stop_hex"), (struct saltkey_slice){stop, range.stop.len});
}

static bool scheme_for(const char *layout_text, const char *salt_text, uint32_t n,
                       struct saltkey_scheme *scheme)
{
    struct saltkey_layout layout;
    struct saltkey_salt salt;

    return saltkey_layout_parse(layout_text, &layout, NULL) == 0 &&
           saltkey_salt_parse(salt_text, n, &salt, NULL) == 0 &&
           saltkey_scheme_init(scheme, &layout, &salt, NULL, NULL) == 0;
}

enum verdict check_scan_ranges(const struct tsv *t, size_t row)
{
    uint8_t start[4096], stop[4096], from_bytes[4096], to_bytes[4096];
    struct saltkey_window w = {{start, sizeof(start), 0}, {stop, sizeof(stop), 0},
                               false, false, false, 0, 0};
    uint32_t n = (uint32_t)tsv_int(t, row, "N");
    const char *scheme_name = tsv_cell(t, row, "scheme");
    struct saltkey_scheme scheme;

    if (strcmp(scheme_name, "seed1-scanRange") == 0) {
        struct saltkey_value from = saltkey_int(tsv_int(t, row, "from"));
        struct saltkey_value to = saltkey_int(tsv_int(t, row, "to"));

        return verdict_of(scheme_for("ts:be64 device:fixed(16)", "arrays-hash floorMod", n, &scheme) &&
                          saltkey_window_leading(&scheme, &from, &to, &w, NULL) == 0 &&
                          range_as(t, row, &scheme, &w));
    }
    if (strcmp(scheme_name, "hbasewd-intervals") == 0) {
        struct saltkey_slice from = tsv_hex(tsv_cell(t, row, "from"), from_bytes, sizeof(from_bytes));
        struct saltkey_slice to = tsv_hex(tsv_cell(t, row, "to"), to_bytes, sizeof(to_bytes));

        return verdict_of(scheme_for("key:text", "arrays-hash absFirst", n, &scheme) &&
                          saltkey_window_keys(&scheme, from, to, &w) == 0 &&
                          range_as(t, row, &scheme, &w));
    }
    return ROW_WAIT;
}
