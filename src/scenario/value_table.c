/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Special keys of [table]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saltkey.h"
#include "scenario/key.h"
#include "scenario/suggest.h"
#include "spec/spec.h"

#define SPLITS_FILE_MAX (64u << 20)
#define REGIONS_MAX SALTKEY_REGIONS_MAX
#define LINE_ROOM 100

bool read_buckets(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct word wd = words_rest(&wds);
    long long n = 0;

    if (!word_is(wd, "none")) {
        if (!word_number(wd, 1000000, &n))
            return reader_error(rd, 0, "'%.40s' is not a bucket count: a number, or none", rd->value);
        if (n > 256)
            return reader_error(rd, 0, "%lld buckets exceed the 256 values of a one-byte salt", n);
        if (n == 0) {
            reader_error(rd, 0, "0 buckets hold no row");
            diags_hint(rd->dgs, "write none for a table without a salt");
            return false;
        }
    }
    ((struct spec_table *)target)->buckets = (int)n;
    return true;
}

bool write_buckets(const void *target, size_t i, struct text *out)
{
    int n = ((const struct spec_table *)target)->buckets;

    if (i > 0)
        return false;
    if (n > 0)
        text_add(out, "%d", n);
    else
        text_add(out, "none");
    return true;
}

static bool add_split_key(struct spec_table *tab, struct saltkey_slice key)
{
    struct spec_bytes *all = realloc(tab->split_keys, (tab->split_keys_len + 1) * sizeof *all);
    uint8_t *bytes = malloc(key.len + 1);

    if (all)
        tab->split_keys = all;
    if (!all || !bytes) {
        free(bytes);
        return false;
    }
    memcpy(bytes, key.bytes, key.len);
    all[tab->split_keys_len].bytes = bytes;
    all[tab->split_keys_len++].len = key.len;
    return true;
}

/* `keys \x01,\x02`: what the line adds; order and doubles are looked at when all lines are in. */
static bool read_split_keys(struct key_reader *rd, struct spec_table *tab, struct words *wds)
{
    uint8_t bytes[256];
    struct word wd;

    while (words_next_item(wds, &wd)) {
        struct saltkey_buf key = {bytes, sizeof bytes, 0};
        struct saltkey_slice text = {(const uint8_t *)wd.chars, wd.len};
        struct saltkey_error err;

        if (wd.len == 0)
            return reader_error(rd, wd.at, "an empty split key");
        if (saltkey_to_bytes_binary_strict(text, &key, &err) < 0)
            return reader_error(rd, wd.at + (err.column ? err.column - 1 : 0), "%s", err.reason);
        if (!add_split_key(tab, (struct saltkey_slice){key.bytes, key.len})) {
            rd->no_memory = true;
            return false;
        }
    }
    tab->splits = SPEC_SPLITS_KEYS;
    tab->splits_regions = 1;
    return true;
}

static bool take_split_file(struct key_reader *rd, struct spec_table *tab, struct word name, struct saltkey_slice text)
{
    struct saltkey_keys keys;
    struct saltkey_error err = {0};
    bool good = false;

    saltkey_keys_init(&keys, NULL);
    if (saltkey_split_file(text, true, &keys, &err) < 0) {
        if (err.column > 0)
            reader_error(rd, name.at, "%.*s:%zu: %s", (int)name.len, name.chars, err.column, err.reason);
        else
            reader_error(rd, name.at, "%.*s: %s", (int)name.len, name.chars, err.reason);
        goto out;
    }
    for (size_t i = 0; i < keys.count; i++) {
        if (!add_split_key(tab, keys.at[i])) {
            rd->no_memory = true;
            goto out;
        }
    }
    good = reader_copy(rd, name, &tab->splits_file);
out:
    saltkey_keys_free(&keys);
    return good;
}

static bool read_split_file(struct key_reader *rd, struct spec_table *tab, struct words *wds)
{
    struct word name = words_rest(wds);
    char *bytes;
    size_t len;
    bool good;

    if (name.len == 0)
        return reader_error(rd, name.at, "the name of the split file is missing");
    if (!reader_file(rd, name, SPLITS_FILE_MAX, &bytes, &len))
        return false;
    good = take_split_file(rd, tab, name, (struct saltkey_slice){(const uint8_t *)bytes, len});
    free(bytes);
    tab->splits = SPEC_SPLITS_FILE;
    tab->splits_regions = 1;
    return good;
}

/* Words that a number of regions follows. */
static const struct {
    const char *word;
    enum spec_splits splits;
    long long min;
} split_words[] = {
    {"HexStringSplit", SPEC_SPLITS_HEX, 2},
    {"DecimalStringSplit", SPEC_SPLITS_DECIMAL, 2},
    {"UniformSplit", SPEC_SPLITS_UNIFORM, 2},
};

static bool read_regions(struct key_reader *rd, struct words *wds, long long min, int *out)
{
    struct word wd;
    long long number;

    if (!words_next(wds, &wd))
        return reader_error(rd, wd.at, "the number of regions is missing");
    if (!word_number(wd, REGIONS_MAX, &number) || number < min)
        return reader_error(rd, wd.at, "'%.*s' is not a number of regions from %lld to %d", (int)wd.len, wd.chars, min,
                            REGIONS_MAX);
    *out = (int)number;
    return reader_end(rd, wds);
}

static bool unknown_splits(struct key_reader *rd, struct word wd)
{
    static const char *const others[] = {"buckets", "none", "file", "keys"};
    struct suggest best;
    char word[80];

    snprintf(word, sizeof word, "%.*s", (int)wd.len, wd.chars);
    suggest_begin(&best, word);
    for (size_t i = 0; i < sizeof split_words / sizeof split_words[0]; i++)
        suggest_offer(&best, split_words[i].word);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        suggest_offer(&best, others[i]);
    if (best.name)
        return reader_error(rd, wd.at, "unknown word '%s'; did you mean '%s'?", word, best.name);
    reader_error(rd, wd.at, "unknown word '%s'", word);
    diags_hint(rd->dgs, "write %s", rd->key->form);
    return false;
}

bool read_splits(struct key_reader *rd, void *target)
{
    struct spec_table *tab = target;
    struct words wds = words_of(rd->value);
    struct word wd;
    int regions;

    words_next(&wds, &wd);
    if (rd->nth > 0 && (!word_is(wd, "keys") || tab->splits != SPEC_SPLITS_KEYS))
        return reader_error(rd, 0, "only lines of keys may be repeated");
    if (word_is(wd, "keys"))
        return read_split_keys(rd, tab, &wds);
    if (word_is(wd, "file"))
        return read_split_file(rd, tab, &wds);
    tab->splits_regions = 1;
    if (word_is(wd, "none")) {
        tab->splits = SPEC_SPLITS_NONE;
        return reader_end(rd, &wds);
    }
    if (word_is(wd, "buckets")) {
        tab->splits = SPEC_SPLITS_BUCKETS;
        if (!words_next(&wds, &wd))
            return true;
        return word_is(wd, "x") ? read_regions(rd, &wds, 1, &tab->splits_regions)
                                : reader_error(rd, wd.at, "expected 'x R', as buckets x 4");
    }
    for (size_t i = 0; i < sizeof split_words / sizeof split_words[0]; i++) {
        if (!word_is(wd, split_words[i].word))
            continue;
        if (!read_regions(rd, &wds, split_words[i].min, &regions))
            return false;
        tab->splits = split_words[i].splits;
        tab->splits_regions = regions;
        return true;
    }
    return unknown_splits(rd, wd);
}

void key_write_bytes(const struct spec_bytes *key, struct text *out)
{
    for (size_t i = 0; i < key->len; i++) {
        uint8_t c = key->bytes[i];

        if (c > 0x20 && c < 0x7f && !strchr("\\,;", c))
            text_add(out, "%c", c);
        else
            text_add(out, "\\x%02X", c);
    }
}

static bool write_split_keys(const struct spec_table *tab, size_t line, struct text *out)
{
    size_t k = 0;

    /* Lines are filled up to a room, so which keys stand on a line follows from those before. */
    for (size_t i = 0; k < tab->split_keys_len; i++) {
        text_clear(out);
        text_add(out, "keys ");
        do {
            key_write_bytes(&tab->split_keys[k++], out);
            if (k < tab->split_keys_len && out->len + 4 * tab->split_keys[k].len < LINE_ROOM)
                text_add(out, ",");
            else
                break;
        } while (!out->failed);
        if (i == line || out->failed)
            return true;
    }
    text_clear(out);
    return false;
}

bool write_splits(const void *target, size_t i, struct text *out)
{
    const struct spec_table *tab = target;

    if (tab->splits == SPEC_SPLITS_KEYS)
        return write_split_keys(tab, i, out);
    if (i > 0)
        return false;
    if (tab->splits == SPEC_SPLITS_FILE)
        text_add(out, "file %s", tab->splits_file ? tab->splits_file : "");
    else if (tab->splits == SPEC_SPLITS_NONE)
        text_add(out, "none");
    else if (tab->splits == SPEC_SPLITS_BUCKETS && tab->splits_regions <= 1)
        text_add(out, "buckets");
    else if (tab->splits == SPEC_SPLITS_BUCKETS)
        text_add(out, "buckets x %d", tab->splits_regions);
    for (size_t k = 0; k < sizeof split_words / sizeof split_words[0]; k++) {
        if (tab->splits == split_words[k].splits)
            text_add(out, "%s %d", split_words[k].word, tab->splits_regions);
    }
    return true;
}

bool read_table_bytes(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct word wd = words_rest(&wds);
    int64_t bytes = 0;

    if (!word_is(wd, "site") && (!reader_whole(rd, UNIT_BYTES, wd, &bytes) || !reader_in_bounds(rd, (double)bytes)))
        return false;
    memcpy((char *)target + rd->key->offset, &bytes, sizeof bytes);
    return true;
}

static bool write_table_bytes(int64_t bytes, size_t i, struct text *out)
{
    char text[UNIT_TEXT_CAP] = "site";

    if (i > 0)
        return false;
    if (bytes > 0)
        unit_write_whole(UNIT_BYTES, bytes, text);
    text_add(out, "%s", text);
    return true;
}

bool write_max_filesize(const void *target, size_t i, struct text *out)
{
    return write_table_bytes(((const struct spec_table *)target)->max_filesize_bytes, i, out);
}

bool write_flushsize(const void *target, size_t i, struct text *out)
{
    return write_table_bytes(((const struct spec_table *)target)->memstore_flush_size_bytes, i, out);
}
