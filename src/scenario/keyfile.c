/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of keys is read through once before anything is simulated: a line that is no key, or one
   that does not fit the table's layout, shall not be found after an hour. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "scenario/keys.h"
#include "spec/regular.h"

#define KEY_BYTES_MAX 32767 /* HConstants.MAX_ROW_LENGTH */

/* The tables that the keys go to, and where to complain. */
struct key_file {
    struct build *bld;
    const struct spec_stream *str;
    struct scenario_place at;
    struct saltkey_scheme *schemes;
    const char **tables;
    size_t len;
    uint8_t *key;                     /* KEY_BYTES_MAX */
};

static void complain(struct key_file *kf, size_t line, const char *what)
{
    const char *unit = kf->str->keys_format == SPEC_KEYS_BINARY ? " key " : "";

    diags_error(kf->bld->dgs, kf->at, "keys: %s:%s%zu: %s", kf->str->keys_name, unit, line, what);
}

/* Hexadecimal digits in either case; -1 if it is none. */
static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_hex(struct key_file *kf, const char *text, size_t len, size_t line, size_t *key_len)
{
    if (len % 2 != 0) {
        complain(kf, line, "an odd number of hexadecimal digits");
        return false;
    }
    for (size_t i = 0; i < len; i += 2) {
        int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);

        if (high < 0 || low < 0) {
            complain(kf, line, "not hexadecimal digits");
            return false;
        }
        kf->key[i / 2] = (uint8_t)(high * 16 + low);
    }
    *key_len = len / 2;
    return true;
}

static bool read_escaped(struct key_file *kf, const char *text, size_t len, size_t line, size_t *key_len)
{
    struct saltkey_buf key = {kf->key, KEY_BYTES_MAX, 0};
    struct saltkey_error err = {0};

    if (saltkey_to_bytes_binary_strict((struct saltkey_slice){(const uint8_t *)text, len}, &key, &err) < 0) {
        complain(kf, line, err.reason);
        return false;
    }
    *key_len = key.len;
    return true;
}

/* Whether the key fits the layout of each table. */
static bool check_key(struct key_file *kf, size_t key_len, size_t line)
{
    char what[160];

    for (size_t i = 0; i < kf->len; i++) {
        const struct saltkey_scheme *scheme = &kf->schemes[i];
        uint64_t bucket;

        if (scheme->layout.width > 0 && key_len != scheme->layout.width) {
            snprintf(what, sizeof what, "a key of %zu bytes; the key of table '%.60s' has %u", key_len, kf->tables[i],
                     (unsigned)scheme->layout.width);
            complain(kf, line, what);
            return false;
        }
        if (saltkey_bucket(scheme, (struct saltkey_slice){kf->key, key_len}, &bucket) == SALTKEY_EKEY) {
            snprintf(what, sizeof what, "the key does not fit the layout of table '%.60s'", kf->tables[i]);
            complain(kf, line, what);
            return false;
        }
    }
    return true;
}

/* One key a line; the first mistake ends the reading. Returns the number of keys, 0 on a mistake. */
static size_t read_lines(struct key_file *kf, FILE *in)
{
    char *text = NULL;
    size_t cap = 0, line = 0;
    ssize_t got;
    bool good = true;

    while (good && (got = getline(&text, &cap, in)) >= 0) {
        size_t len = (size_t)got, key_len = 0;

        line++;
        len -= len > 0 && text[len - 1] == '\n';
        len -= len > 0 && text[len - 1] == '\r';
        if (len == 0 || len > 4 * (size_t)KEY_BYTES_MAX) {
            complain(kf, line, len == 0 ? "an empty line is no key" : "longer than any row key");
            good = false;
        } else if (kf->str->keys_format == SPEC_KEYS_HEX && len > 2 * (size_t)KEY_BYTES_MAX) {
            complain(kf, line, "longer than any row key");
            good = false;
        } else {
            good = (kf->str->keys_format == SPEC_KEYS_HEX ? read_hex(kf, text, len, line, &key_len)
                                                          : read_escaped(kf, text, len, line, &key_len)) &&
                   check_key(kf, key_len, line);
        }
    }
    free(text);
    if (good && line == 0 && !ferror(in))
        diags_error(kf->bld->dgs, kf->at, "keys: %s: the file holds no key", kf->str->keys_name);
    return good ? line : 0;
}

static size_t read_binary(struct key_file *kf, FILE *in)
{
    const size_t width = (size_t)kf->str->keys_width;
    size_t keys = 0, got;

    while ((got = fread(kf->key, 1, width, in)) == width) {
        keys++;
        if (!check_key(kf, width, keys))
            return 0;
    }
    if (got > 0 && !ferror(in)) {
        char what[100];

        snprintf(what, sizeof what, "the file ends after %zu of %zu bytes of a key", got, width);
        complain(kf, keys + 1, what);
        return 0;
    }
    if (keys == 0 && !ferror(in))
        diags_error(kf->bld->dgs, kf->at, "keys: %s: the file holds no key", kf->str->keys_name);
    return keys;
}

static void read_file(struct key_file *kf)
{
    const char *reason;
    FILE *in = spec_open_regular(kf->str->keys_file, SPEC_KEYS_FILE_MAX, &reason);

    if (in) {
        errno = 0;
        if (kf->str->keys_format == SPEC_KEYS_BINARY)
            read_binary(kf, in);
        else
            read_lines(kf, in);
    }
    if (!in || ferror(in)) {
        kf->bld->dgs->unreadable++;
        diags_error(kf->bld->dgs, kf->at, "keys: %s: %s", kf->str->keys_name, in ? strerror(errno) : reason);
    }
    if (in)
        fclose(in);
}

void build_check_key_file(struct build *bld, const struct ini_section *section, const struct spec_stream *str)
{
    const struct spec *sp = &bld->sc->spec;
    struct key_file kf = {.bld = bld, .str = str, .at = build_place(section, "keys")};

    kf.schemes = calloc(str->tables_len + 1, sizeof *kf.schemes);
    kf.tables = calloc(str->tables_len + 1, sizeof *kf.tables);
    kf.key = malloc(KEY_BYTES_MAX);
    if (kf.schemes && kf.tables && kf.key) {
        for (size_t i = 0; i < str->tables_len; i++) {
            const struct spec_table *tab = spec_table_by_name(sp, str->tables[i]);
            const struct ini_section *sec = tab ? build_section(bld, "table", tab->name) : NULL;

            if (!sec || !key_scheme(sec, tab, &kf.schemes[kf.len]))
                continue;
            kf.tables[kf.len++] = tab->name;
        }
        read_file(&kf);
    } else {
        bld->no_memory = true;
    }
    free(kf.schemes);
    free(kf.tables);
    free(kf.key);
}
