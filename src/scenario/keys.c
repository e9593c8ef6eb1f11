/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table's layout, salt and splits, as libsaltkey judges them. */
#include "scenario/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/scheme.h"

#define ROW_MAX 32767 /* HConstants.MAX_ROW_LENGTH */

/* The library's complaint about a text, at its column inside the value. */
static void complain(struct build *bld, const struct ini_section *sec, const char *key, const struct saltkey_error *err)
{
    struct scenario_place at = build_place(sec, key);
    const struct ini_entry *entry = ini_entry_find(sec, key, 0);

    if (at.line > 0 && err->column > 0)
        at.column += (int)err->column - 1;
    diags_error(bld->dgs, at, "%s: %s", key, err->reason);
    if (entry && strstr(entry->value, " #"))
        diags_hint(bld->dgs, "a comment after a value begins with ' ;', not with '#'");
}

/* Without buckets a salt leaves no trace; its words must be right all the same. */
static int parse_salt(const struct spec_table *tab, struct saltkey_salt *salt, struct saltkey_error *err)
{
    bool takes = spec_salt_takes_buckets(tab->salt);
    int status = saltkey_salt_parse(tab->salt, tab->buckets > 0 ? (uint32_t)tab->buckets : 1, salt, err);

    if (status == 0 && takes && tab->buckets == 0)
        return saltkey_salt_parse("none", 0, salt, err);
    return status;
}

bool key_scheme(const struct ini_section *sec, const struct spec_table *tab, struct saltkey_scheme *scheme)
{
    struct saltkey_layout layout;
    struct saltkey_salt salt;

    return tab->key && tab->salt && build_good(sec, "key") && build_good(sec, "salt") && build_good(sec, "buckets") &&
           saltkey_layout_parse(tab->key, &layout, NULL) == 0 && parse_salt(tab, &salt, NULL) == 0 &&
           saltkey_scheme_init(scheme, &layout, &salt, tab->salt_over, NULL) == 0;
}

enum field_role field_role(const struct saltkey_field *field)
{
    if (spec_field_is_time(field))
        return FIELD_ROLE_TIME;
    return strcmp(field->name, "seq") == 0 ? FIELD_ROLE_SEQUENCE : FIELD_ROLE_ENTITY;
}

bool key_has_role(const struct saltkey_layout *layout, enum field_role role)
{
    for (uint32_t i = 0; i < layout->n_fields; i++) {
        if (field_role(&layout->fields[i]) == role)
            return true;
    }
    return false;
}

/* `keys` lines in key order; createTable refuses doubles, and so do we. */
static void order_split_keys(struct build *bld, const struct ini_section *sec, struct spec_table *tab)
{
    struct saltkey_keys keys;
    struct saltkey_error err;
    size_t i = 0;

    saltkey_keys_init(&keys, NULL);
    while (i < tab->split_keys_len &&
           saltkey_keys_add(&keys, (struct saltkey_slice){tab->split_keys[i].bytes, tab->split_keys[i].len}) == 0)
        i++;
    if (i < tab->split_keys_len) {
        bld->no_memory = true;
    } else if (saltkey_keys_finish(&keys, &err) < 0) {
        err.column = 0;
        complain(bld, sec, "splits", &err);
    } else {
        for (i = 0; i < keys.count; i++) {
            uint8_t *bytes = realloc(tab->split_keys[i].bytes, keys.at[i].len + 1);

            if (!bytes) {
                bld->no_memory = true;
                break;
            }
            memcpy(bytes, keys.at[i].bytes, keys.at[i].len);
            tab->split_keys[i].bytes = bytes;
            tab->split_keys[i].len = keys.at[i].len;
        }
    }
    saltkey_keys_free(&keys);
}

/* The split points by the library: from the words, or those read from keys and file. */
static int split_points(const struct spec_table *tab, const struct saltkey_salt *salt, struct saltkey_keys *points,
                        struct saltkey_error *err)
{
    struct text words = {0};
    int status = 0;

    if (tab->splits == SPEC_SPLITS_KEYS || tab->splits == SPEC_SPLITS_FILE) {
        for (size_t i = 0; i < tab->split_keys_len && status == 0; i++)
            status = saltkey_keys_add(points,
                                      (struct saltkey_slice){tab->split_keys[i].bytes, tab->split_keys[i].len});
        if (status == 0 && points->count >= SALTKEY_REGIONS_MAX) {
            status = err->status = SALTKEY_ERANGE;
            snprintf(err->reason, sizeof err->reason, "%zu regions: a table is cut into 1 to %d", points->count + 1,
                     SALTKEY_REGIONS_MAX);
        }
        return status;
    }
    write_splits(tab, 0, &words);
    status = words.failed ? SALTKEY_ENOMEM : saltkey_split_parse(words.chars, salt, points, err);
    text_free(&words);
    return status;
}

/* The most common mistake with a salt: splits that cut where no bucket is. */
static void warn_unreachable(struct build *bld, const struct ini_section *sec, const struct saltkey_salt *salt,
                             const struct saltkey_keys *points)
{
    size_t beyond = 0;

    if (salt->prefix != SALTKEY_PREFIX_BYTES || salt->width != 1)
        return;
    for (size_t i = 0; i < points->count; i++)
        beyond += points->at[i].bytes[0] >= salt->buckets;
    if (beyond * 2 <= points->count)
        return;
    diags_warning(bld->dgs, build_place(sec, "splits"),
                  "%zu of %zu regions lie behind the last bucket's rows and never get one", beyond, points->count + 1);
    diags_hint(bld->dgs, "splits = buckets makes one region a bucket");
}

static void check_splits(struct build *bld, const struct ini_section *sec, struct spec_table *tab,
                         const struct saltkey_salt *salt)
{
    struct saltkey_keys points;
    struct saltkey_error err = {0};
    int status;

    if (!build_good(sec, "splits"))
        return;
    if (!spec_salt_takes_buckets(tab->salt) && salt->hash != SALTKEY_HASH_NONE && tab->splits == SPEC_SPLITS_BUCKETS) {
        diags_error(bld->dgs, build_place(sec, build_given(sec, "splits") ? "splits" : "salt"),
                    "a hashed prefix has no buckets to split at");
        diags_hint(bld->dgs, "write splits = HexStringSplit 16");
        return;
    }
    if (tab->splits == SPEC_SPLITS_KEYS)
        order_split_keys(bld, sec, tab);
    saltkey_keys_init(&points, NULL);
    status = split_points(tab, salt, &points, &err);
    if (status == SALTKEY_ENOMEM)
        bld->no_memory = true;
    else if (status < 0)
        complain(bld, sec, "splits", &err);
    else
        warn_unreachable(bld, sec, salt, &points);
    saltkey_keys_free(&points);
}

/* Whether the layout is a row key that HBase takes. */
static bool check_layout(struct build *bld, const struct ini_section *sec, const struct spec_table *tab,
                         struct saltkey_layout *layout)
{
    struct saltkey_error err = {0};
    uint64_t width = 0;

    if (!tab->key || !build_good(sec, "key"))
        return false;
    if (saltkey_layout_parse(tab->key, layout, &err) < 0) {
        complain(bld, sec, "key", &err);
        return false;
    }
    for (uint32_t i = 0; i < layout->n_fields; i++)
        width += layout->fields[i].width;
    if (width + 1 > ROW_MAX) {
        diags_error(bld->dgs, build_place(sec, "key"), "a row key of %llu bytes; HBase takes at most %d",
                    (unsigned long long)width, ROW_MAX);
        return false;
    }
    return true;
}

/* Whether any value of the field is text, whatever it holds. */
static bool is_text(const struct saltkey_field *field)
{
    switch (field->kind) {
    case SALTKEY_FIXED: case SALTKEY_TEXT: case SALTKEY_RAWTEXT: case SALTKEY_NUM: case SALTKEY_DEC: case SALTKEY_REVDEC:
    case SALTKEY_HEX: case SALTKEY_RTS19: case SALTKEY_REVTEXT: case SALTKEY_REVLABELS: case SALTKEY_OB_TEXT:
        return true;
    default:
        return false;
    }
}

/* String.hashCode is of a text: of bytes the library has none, and no key could be built. */
static bool check_text_hash(struct build *bld, const struct ini_section *sec, const struct spec_table *tab,
                            const struct saltkey_scheme *scheme)
{
    for (uint32_t i = 0; scheme->salt.hash == SALTKEY_HASH_STRING && i < scheme->layout.n_fields; i++) {
        const struct saltkey_field *field = &scheme->layout.fields[i];

        if (!(scheme->over & 1u << i) || is_text(field))
            continue;
        diags_error(bld->dgs, build_place(sec, "salt"), "%s hashes text, but the field '%s' is bytes", tab->salt, field->name);
        diags_hint(bld->dgs, "take arrays-hash floorMod, or salt_over = fields of text");
        return false;
    }
    return true;
}

void build_check_keys(struct build *bld, const struct ini_section *sec, struct spec_table *tab)
{
    struct saltkey_layout layout;
    struct saltkey_salt salt;
    struct saltkey_scheme scheme;
    struct saltkey_error err = {0};
    bool good = check_layout(bld, sec, tab, &layout), salted;

    if (!tab->salt || !build_good(sec, "salt") || !build_good(sec, "buckets"))
        return;
    if (parse_salt(tab, &salt, &err) < 0) {
        complain(bld, sec, err.status == SALTKEY_EBUCKETS ? "buckets" : "salt", &err);
        if (err.status == SALTKEY_ETEXT)
            diags_hint(bld->dgs, "saltplan explain salt lists the salts");
        return;
    }
    check_splits(bld, sec, tab, &salt);
    if (!build_good(sec, "salt_over"))
        return;
    salted = strcmp(tab->salt, "none") != 0;
    if (!salted && build_given(sec, "salt_over") && strcmp(tab->salt_over, "key") != 0)
        diags_error(bld->dgs, build_place(sec, "salt_over"), "salt_over, but the table has no salt");
    if (!good)
        return;
    if (saltkey_scheme_init(&scheme, &layout, &salt, tab->salt_over, &err) < 0) {
        complain(bld, sec, "salt_over", &err);
        diags_hint(bld->dgs, "the key's fields are: %s", tab->key);
        return;
    }
    if (!check_text_hash(bld, sec, tab, &scheme))
        return;
    key_check_streams(bld, sec, tab, &scheme);
    key_check_queries(bld, tab, &scheme);
}
