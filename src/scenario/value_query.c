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

static const struct {
    const char *word;
    enum spec_query_kind kind;
} kinds[] = {
    {"range", SPEC_QUERY_RANGE},     {"newest", SPEC_QUERY_NEWEST}, {"get", SPEC_QUERY_GET},
    {"history", SPEC_QUERY_HISTORY}, {"prefix", SPEC_QUERY_PREFIX}, {"full", SPEC_QUERY_FULL},
};

static bool read_window_of(struct key_reader *rd, struct word wd, int64_t *out)
{
    if (wd.len == 0)
        return reader_error(rd, wd.at, "the length of time is missing");
    if (!reader_whole(rd, UNIT_DURATION, wd, out))
        return false;
    return *out > 0 || reader_error(rd, wd.at, "a length of 0 holds no row");
}

static bool read_newest(struct key_reader *rd, struct word wd, struct spec_query *qry)
{
    int64_t rows;

    if (wd.len == 0)
        return reader_error(rd, wd.at, "the number of rows is missing");
    if (!reader_whole(rd, UNIT_COUNT, wd, &rows))
        return false;
    if (rows == 0)
        return reader_error(rd, wd.at, "newest 0 asks for no row");
    qry->newest = rows;
    return true;
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
        return read_newest(rd, words_rest(wds), qry);
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

bool read_query_kind(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct suggest best;
    struct word wd;
    char word[60];

    words_next(&wds, &wd);
    snprintf(word, sizeof word, "%.*s", (int)wd.len, wd.chars);
    suggest_begin(&best, word);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        suggest_offer(&best, kinds[i].word);
        if (!word_is(wd, kinds[i].word))
            continue;
        ((struct spec_query *)target)->kind = kinds[i].kind;
        return read_rest(rd, target, &wds);
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
    switch (qry->kind) {
    case SPEC_QUERY_RANGE:
        unit_write_whole(UNIT_DURATION, qry->window_ns, text);
        text_add(out, "range %s", text);
        break;
    case SPEC_QUERY_NEWEST:
        text_add(out, "newest %" PRId64, qry->newest);
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
