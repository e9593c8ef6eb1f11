/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `kind` of [query]. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saltkey.h"
#include "scenario/key.h"
#include "scenario/suggest.h"
#include "spec/spec.h"

#define PREFIX_MAX 256
/* Rows of a newest or a multiget. */
#define ROWS_MAX 1000000

static const struct {
    const char *word;
    enum spec_query_kind kind;
} kinds[] = {
    {"range", SPEC_QUERY_RANGE},     {"newest", SPEC_QUERY_NEWEST}, {"get", SPEC_QUERY_GET},
    {"history", SPEC_QUERY_HISTORY}, {"prefix", SPEC_QUERY_PREFIX}, {"full", SPEC_QUERY_FULL},
    {"multiget", SPEC_QUERY_MULTIGET},
};

static bool read_window_of(struct key_reader *rd, struct word wd, int64_t *out)
{
    if (wd.len == 0)
        return reader_error(rd, wd.at, "the length of time is missing");
    if (!reader_whole(rd, UNIT_DURATION, wd, out))
        return false;
    return *out > 0 || reader_error(rd, wd.at, "a length of 0 holds no row");
}

/* `newest 100`, `newest 100 device`, `multiget 50`. */
static bool read_rows(struct key_reader *rd, struct words *wds, struct spec_query *qry)
{
    const bool newest = qry->kind == SPEC_QUERY_NEWEST;
    struct word wd;
    int64_t rows;

    if (!words_next(wds, &wd))
        return reader_error(rd, wd.at, "the number of rows is missing");
    if (!reader_whole(rd, UNIT_COUNT, wd, &rows))
        return false;
    if (rows == 0)
        return reader_error(rd, wd.at, "%s 0 asks for no row", newest ? "newest" : "multiget");
    if (rows > ROWS_MAX)
        return reader_error(rd, wd.at, "at most %d rows", ROWS_MAX);
    qry->newest = rows;
    if (newest && words_next(wds, &wd) && !reader_copy(rd, wd, &qry->field))
        return false;
    return reader_end(rd, wds);
}

static bool read_prefix(struct key_reader *rd, struct word wd, struct spec_query *qry)
{
    uint8_t bytes[PREFIX_MAX];
    struct saltkey_buf key = {bytes, sizeof bytes, 0};
    struct saltkey_error err;

    if (wd.len == 0)
        return reader_error(rd, wd.at, "the prefix is missing");
    if (saltkey_to_bytes_binary_strict((struct saltkey_slice){(const uint8_t *)wd.chars, wd.len}, &key, &err) < 0)
        return reader_error(rd, wd.at + (err.column ? err.column - 1 : 0), "%s", err.reason);
    free(qry->prefix.bytes);
    qry->prefix.len = 0;
    qry->prefix.bytes = malloc(key.len + 1);
    if (!qry->prefix.bytes) {
        rd->no_memory = true;
        return false;
    }
    memcpy(qry->prefix.bytes, bytes, key.len);
    qry->prefix.len = key.len;
    return true;
}

static bool read_rest(struct key_reader *rd, struct spec_query *qry, struct words *wds)
{
    struct word wd;

    switch (qry->kind) {
    case SPEC_QUERY_RANGE:
        return read_window_of(rd, words_rest(wds), &qry->window_ns);
    case SPEC_QUERY_NEWEST:
    case SPEC_QUERY_MULTIGET:
        return read_rows(rd, wds, qry);
    case SPEC_QUERY_HISTORY:
        if (!words_next(wds, &wd))
            return reader_error(rd, wd.at, "the entity's field is missing, as history device 1d");
        return reader_copy(rd, wd, &qry->field) && read_window_of(rd, words_rest(wds), &qry->window_ns);
    case SPEC_QUERY_PREFIX:
        return read_prefix(rd, words_rest(wds), qry);
    default:
        return reader_end(rd, wds);
    }
}

static bool countable(enum spec_query_kind kind)
{
    return kind == SPEC_QUERY_RANGE || kind == SPEC_QUERY_HISTORY || kind == SPEC_QUERY_PREFIX ||
           kind == SPEC_QUERY_FULL;
}

bool read_query_kind(struct key_reader *rd, void *target)
{
    struct spec_query *qry = target;
    struct words wds = words_of(rd->value);
    struct suggest best;
    struct word wd;
    char word[60];

    words_next(&wds, &wd);
    qry->count = word_is(wd, "count");
    if (qry->count && !words_next(&wds, &wd))
        return reader_error(rd, wd.at, "count of what? count full, count range 5m");
    snprintf(word, sizeof word, "%.*s", (int)wd.len, wd.chars);
    suggest_begin(&best, word);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        suggest_offer(&best, kinds[i].word);
        if (!word_is(wd, kinds[i].word))
            continue;
        if (qry->count && !countable(kinds[i].kind))
            return reader_error(rd, wd.at, "%s can't be counted", word);
        qry->kind = kinds[i].kind;
        return read_rest(rd, qry, &wds);
    }
    if (best.name)
        return reader_error(rd, wd.at, "unknown kind '%s'; did you mean '%s'?", word, best.name);
    reader_error(rd, wd.at, "unknown kind '%s'", word);
    diags_hint(rd->dgs, "write %s", rd->key->form);
    return false;
}

static void write_prefix(const struct spec_bytes *prefix, struct text *out)
{
    text_add(out, "prefix ");
    for (size_t i = 0; i < prefix->len; i++) {
        uint8_t c = prefix->bytes[i];

        if (c > 0x20 && c < 0x7f && c != '\\' && c != ';')
            text_add(out, "%c", c);
        else
            text_add(out, "\\x%02X", c);
    }
}

bool write_query_kind(const void *target, size_t i, struct text *out)
{
    const struct spec_query *qry = target;
    char text[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    text_add(out, "%s", qry->count ? "count " : "");
    switch (qry->kind) {
    case SPEC_QUERY_RANGE:
        unit_write_whole(UNIT_DURATION, qry->window_ns, text);
        text_add(out, "range %s", text);
        break;
    case SPEC_QUERY_NEWEST:
        text_add(out, "newest %" PRId64 "%s%s", qry->newest, qry->field ? " " : "", qry->field ? qry->field : "");
        break;
    case SPEC_QUERY_MULTIGET:
        text_add(out, "multiget %" PRId64, qry->newest);
        break;
    case SPEC_QUERY_GET:
        text_add(out, "get");
        break;
    case SPEC_QUERY_HISTORY:
        unit_write_whole(UNIT_DURATION, qry->window_ns, text);
        text_add(out, "history %s %s", qry->field ? qry->field : "", text);
        break;
    case SPEC_QUERY_PREFIX:
        write_prefix(&qry->prefix, out);
        break;
    case SPEC_QUERY_FULL:
        text_add(out, "full");
        break;
    }
    return true;
}

bool read_query_threads(struct key_reader *rd, void *target)
{
    int *threads = &((struct spec_query *)target)->threads;
    struct words wds = words_of(rd->value);
    struct word wd;
    long long n;

    words_next(&wds, &wd);
    if (word_is(wd, "all"))
        *threads = 0;
    else if (word_is(wd, "serial"))
        *threads = 1;
    else if (word_number(wd, 10000, &n) && n >= 1)
        *threads = (int)n;
    else
        return reader_error(rd, wd.at, "'%.*s' is neither all, serial, nor a number from 1 to 10000", (int)wd.len,
                            wd.chars);
    return reader_end(rd, &wds);
}

bool write_query_threads(const void *target, size_t i, struct text *out)
{
    const int threads = ((const struct spec_query *)target)->threads;

    if (i > 0)
        return false;
    if (threads > 1)
        text_add(out, "%d", threads);
    else
        text_add(out, threads == 1 ? "serial" : "all");
    return true;
}

bool read_query_stop(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct word wd;

    words_next(&wds, &wd);
    if (!word_is(wd, "limit") && !word_is(wd, "merge"))
        return reader_error(rd, wd.at, "'%.*s' is neither limit nor merge", (int)wd.len, wd.chars);
    ((struct spec_query *)target)->stop_merge = word_is(wd, "merge");
    return reader_end(rd, &wds);
}

bool write_query_stop(const void *target, size_t i, struct text *out)
{
    if (i == 0)
        text_add(out, ((const struct spec_query *)target)->stop_merge ? "merge" : "limit");
    return i == 0;
}

/* By enum spec_reader. */
static const char *const readers[] = {"correct", "one bucket", "no salt", "last missed", "other hash"};

bool read_query_reader(struct key_reader *rd, void *target)
{
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        if (strcmp(rd->value, readers[i]) == 0) {
            ((struct spec_query *)target)->reader = (enum spec_reader)i;
            return true;
        }
    }
    return reader_error(rd, 0, "unknown reader '%.60s': correct, one bucket, no salt, last missed, or other hash",
                        rd->value);
}

bool write_query_reader(const void *target, size_t i, struct text *out)
{
    if (i == 0)
        text_add(out, "%s", readers[((const struct spec_query *)target)->reader]);
    return i == 0;
}
