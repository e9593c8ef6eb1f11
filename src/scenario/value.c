/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading and writing one value by its row's type. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/file.h"
#include "scenario/key.h"
#include "scenario/unit.h"

#define MS INT64_C(1000000)

bool reader_error(struct key_reader *rd, size_t at, const char *fmt, ...)
{
    struct scenario_place place = rd->at;
    char message[300];
    va_list ap;

    if (place.line > 0)
        place.column += (int)at;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    diags_error(rd->dgs, place, "%s: %s", rd->key->name, message);
    if (strstr(rd->value, " #"))
        diags_hint(rd->dgs, "a comment after a value begins with ' ;', not with '#'");
    return false;
}

bool reader_file(struct key_reader *rd, struct word name, size_t most, char **bytes, size_t *len)
{
    char *path = file_beside(rd->folder, name.chars, name.len);
    enum file_status status = FILE_NO_MEMORY;
    const char *reason;

    if (path)
        status = file_read_regular(path, most, bytes, len, &reason);
    free(path);
    if (status == FILE_NO_MEMORY) {
        rd->no_memory = true;
        return false;
    }
    if (status != FILE_OK) {
        rd->dgs->unreadable++;
        return reader_error(rd, name.at, "%.*s: %s", (int)name.len, name.chars, reason);
    }
    return true;
}

static bool unit_error(struct key_reader *rd, size_t at, const struct unit_problem *why)
{
    reader_error(rd, at + why->at, "%s", why->message);
    if (why->hint[0] && !strstr(rd->value, " #"))
        diags_hint(rd->dgs, "%s", why->hint);
    return false;
}

static enum unit_family family_of(enum key_type type)
{
    switch (type) {
    case KEY_BYTES:
        return UNIT_BYTES;
    case KEY_DURATION:
        return UNIT_DURATION;
    case KEY_RATE:
        return UNIT_RATE;
    case KEY_BYTE_RATE:
        return UNIT_BYTE_RATE;
    case KEY_RATIO:
        return UNIT_RATIO;
    case KEY_HBASE_FLOAT:
        return UNIT_NUMBER;
    default:
        return UNIT_COUNT;
    }
}

/* What the key's bounds are written in. */
static void write_bound(const struct scenario_key *key, double bound, char text[UNIT_TEXT_CAP])
{
    switch (key->type) {
    case KEY_RATE:
    case KEY_BYTE_RATE:
    case KEY_RATIO:
    case KEY_HBASE_FLOAT:
        unit_write_real(family_of(key->type), bound, text);
        break;
    case KEY_BYTES:
    case KEY_DURATION:
        unit_write_whole(family_of(key->type), (int64_t)bound, text);
        break;
    case KEY_HBASE_MS:
        snprintf(text, UNIT_TEXT_CAP, "%.0f", bound / (double)MS);
        break;
    default:
        if (strstr(key->name, "window"))
            unit_write_whole(UNIT_DURATION, (int64_t)bound, text);
        else
            snprintf(text, UNIT_TEXT_CAP, "%.0f", bound);
    }
}

static bool has_bounds(const struct scenario_key *key)
{
    return key->min < key->max;
}

void key_range(const struct scenario_key *key, struct text *out)
{
    char low[UNIT_TEXT_CAP], high[UNIT_TEXT_CAP];

    if (!has_bounds(key))
        return;
    write_bound(key, key->min, low);
    write_bound(key, key->max, high);
    if (key->min > 0 && key->min < 1e-6)
        text_add(out, "more than 0, at most %s", high);
    else if (key->max >= 9e18)
        text_add(out, "%s or more", low);
    else
        text_add(out, "%s to %s", low, high);
}

bool reader_in_bounds(struct key_reader *rd, double value)
{
    struct text range = {0};

    if (!has_bounds(rd->key) || (value >= rd->key->min && value <= rd->key->max))
        return true;
    key_range(rd->key, &range);
    rd->no_memory |= range.failed;
    reader_error(rd, 0, "'%.40s' is out of range: %s", rd->value, range.chars ? range.chars : "");
    text_free(&range);
    return false;
}

static bool read_whole(struct key_reader *rd, int64_t *out)
{
    struct unit_problem why;

    if (unit_read_whole(family_of(rd->key->type), rd->value, strlen(rd->value), out, &why) < 0)
        return unit_error(rd, 0, &why);
    return reader_in_bounds(rd, (double)*out);
}

static bool read_real(struct key_reader *rd, double *out)
{
    struct unit_problem why;
    double value;

    if (unit_read_real(family_of(rd->key->type), rd->value, strlen(rd->value), &value, &why) < 0)
        return unit_error(rd, 0, &why);
    if (!reader_in_bounds(rd, value))
        return false;
    *out = value;
    return true;
}

/* HBase reads bare numbers; one with a unit gets the bare one as a hint. */
static bool read_bare(struct key_reader *rd, int64_t scale, int64_t *out)
{
    struct words wds = words_of(rd->value);
    struct unit_problem why;
    long long number;
    int64_t amount;

    if (word_number(words_rest(&wds), INT64_MAX / scale, &number)) {
        *out = number * scale;
        return reader_in_bounds(rd, (double)*out);
    }
    reader_error(rd, 0, "'%.40s' is not a bare number, as HBase wants it", rd->value);
    if (scale > 1 && unit_read_whole(UNIT_DURATION, rd->value, strlen(rd->value), &amount, &why) == 0)
        diags_hint(rd->dgs, "write %" PRId64 ", milliseconds", amount / scale);
    else if (rd->key->type == KEY_HBASE_BYTES &&
             unit_read_whole(UNIT_BYTES, rd->value, strlen(rd->value), &amount, &why) == 0)
        diags_hint(rd->dgs, "write %" PRId64 ", bytes", amount);
    return false;
}

bool reader_whole(struct key_reader *rd, enum unit_family family, struct word wd, int64_t *out)
{
    struct unit_problem why;

    return unit_read_whole(family, wd.chars, wd.len, out, &why) == 0 || unit_error(rd, wd.at, &why);
}

bool reader_real(struct key_reader *rd, enum unit_family family, struct word wd, double *out)
{
    struct unit_problem why;

    return unit_read_real(family, wd.chars, wd.len, out, &why) == 0 || unit_error(rd, wd.at, &why);
}

bool reader_copy(struct key_reader *rd, struct word wd, char **out)
{
    char *copy = text_dup(wd.chars, wd.len);

    if (!copy) {
        rd->no_memory = true;
        return false;
    }
    free(*out);
    *out = copy;
    return true;
}

bool reader_end(struct key_reader *rd, struct words *wds)
{
    struct word wd = words_rest(wds);

    return wd.len == 0 || reader_error(rd, wd.at, "'%.*s' is not expected here; write %s", (int)wd.len, wd.chars,
                                       key_form(rd->key));
}

static bool read_seed(struct key_reader *rd, uint64_t *out)
{
    uint64_t number = 0;
    const char *c = rd->value;

    for (; *c >= '0' && *c <= '9'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');

        if (number > (UINT64_MAX - digit) / 10)
            return reader_error(rd, 0, "the seed is too large; at most %" PRIu64, UINT64_MAX);
        number = number * 10 + digit;
    }
    if (*c || c == rd->value)
        return reader_error(rd, (size_t)(c - rd->value), "a seed is a whole number without a sign");
    *out = number;
    return true;
}

bool read_text_line(struct key_reader *rd, void *target)
{
    const char *tab = strchr(rd->value, '\t');
    struct words wds;

    if (tab)
        return reader_error(rd, (size_t)(tab - rd->value), "a tab inside the text");
    wds = words_of(rd->value);
    return reader_copy(rd, words_rest(&wds), (char **)(void *)((char *)target + rd->key->offset));
}

/* Hadoop's Configuration.getBoolean takes these two words and nothing else. */
static bool read_bool(struct key_reader *rd, bool *out)
{
    bool yes = strcmp(rd->value, "true") == 0;

    if (!yes && strcmp(rd->value, "false") != 0)
        return reader_error(rd, 0, "'%.40s' is neither true nor false", rd->value);
    *out = yes;
    return true;
}

bool key_read(struct key_reader *rd, void *target)
{
    void *at = (char *)target + rd->key->offset;
    struct words wds;
    int64_t whole;
    int small;

    if (rd->value[0] == '\0' && rd->key->read != read_text_line)
        return reader_error(rd, 0, "no value");
    switch (rd->key->type) {
    case KEY_SPECIAL:
        return rd->key->read(rd, target);
    case KEY_TEXT:
        wds = words_of(rd->value);
        return reader_copy(rd, words_rest(&wds), at);
    case KEY_SEED:
        return read_seed(rd, at);
    case KEY_RATE:
    case KEY_BYTE_RATE:
    case KEY_RATIO:
    case KEY_HBASE_FLOAT:
        return read_real(rd, at);
    case KEY_HBASE_BYTES:
        return read_bare(rd, 1, at);
    case KEY_HBASE_MS:
        return read_bare(rd, MS, at);
    case KEY_HBASE_BOOL:
        return read_bool(rd, at);
    case KEY_INT:
    case KEY_HBASE_INT:
        if (!(rd->key->type == KEY_INT ? read_whole(rd, &whole) : read_bare(rd, 1, &whole)))
            return false;
        small = (int)whole;
        memcpy(at, &small, sizeof small);
        return true;
    default:
        return read_whole(rd, at);
    }
}

bool key_write(const struct scenario_key *key, const void *target, size_t i, struct text *out)
{
    const void *at = (const char *)target + key->offset;
    char text[UNIT_TEXT_CAP];

    if (key->type == KEY_SPECIAL && key->write)
        return key->write(target, i, out);
    if (i > 0)
        return false;
    switch (key->type) {
    case KEY_SPECIAL:
    case KEY_TEXT:
        if (!*(char *const *)at || !**(char *const *)at)
            return false;
        text_add(out, "%s", *(char *const *)at);
        return true;
    case KEY_SEED:
        text_add(out, "%" PRIu64, *(const uint64_t *)at);
        return true;
    case KEY_RATE:
    case KEY_BYTE_RATE:
    case KEY_RATIO:
    case KEY_HBASE_FLOAT:
        unit_write_real(family_of(key->type), *(const double *)at, text);
        break;
    case KEY_INT:
    case KEY_HBASE_INT:
        text_add(out, "%d", *(const int *)at);
        return true;
    case KEY_HBASE_BYTES:
        text_add(out, "%" PRId64, *(const int64_t *)at);
        return true;
    case KEY_HBASE_MS:
        text_add(out, "%" PRId64, *(const int64_t *)at / MS);
        return true;
    case KEY_HBASE_BOOL:
        text_add(out, "%s", *(const bool *)at ? "true" : "false");
        return true;
    default:
        unit_write_whole(family_of(key->type), *(const int64_t *)at, text);
    }
    text_add(out, "%s", text);
    return true;
}

const char *key_suffix(const struct scenario_key *key)
{
    switch (key->type) {
    case KEY_BYTES:
        return "_bytes";
    case KEY_DURATION:
        return "_s";
    case KEY_RATE:
        return "_per_s";
    case KEY_BYTE_RATE:
        return "_bytes_per_s";
    default:
        return "";
    }
}

bool key_number(const struct scenario_key *key, const void *target, double *out)
{
    const void *at = (const char *)target + key->offset;

    switch (key->type) {
    case KEY_INT:
    case KEY_HBASE_INT:
        *out = *(const int *)at;
        return true;
    case KEY_BYTES:
    case KEY_HBASE_BYTES:
        *out = (double)*(const int64_t *)at;
        return true;
    case KEY_DURATION:
        *out = (double)*(const int64_t *)at / 1e9;
        return true;
    case KEY_HBASE_MS:
        *out = (double)(*(const int64_t *)at / MS);
        return true;
    case KEY_RATE:
    case KEY_BYTE_RATE:
    case KEY_RATIO:
    case KEY_HBASE_FLOAT:
        *out = *(const double *)at;
        return true;
    default:
        return false;
    }
}

const char *key_form(const struct scenario_key *key)
{
    switch (key->type) {
    case KEY_SPECIAL:
    case KEY_TEXT:
        return key->form;
    case KEY_SEED:
        return "a whole number";
    case KEY_HBASE_INT:
        return "a bare number";
    case KEY_HBASE_BYTES:
        return "a bare number of bytes";
    case KEY_HBASE_MS:
        return "a bare number of milliseconds";
    case KEY_HBASE_FLOAT:
        return "a bare number, as 0.4";
    case KEY_HBASE_BOOL:
        return "true or false";
    default:
        return unit_family_example(family_of(key->type));
    }
}
