/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Special keys of [stream] and [query]. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saltkey.h"
#include "scenario/file.h"
#include "scenario/key.h"
#include "spec/spec.h"

#define MS INT64_C(1000000)
#define KEY_WIDTH_MAX 32767 /* HConstants.MAX_ROW_LENGTH */

static bool unexpected(struct key_reader *rd, struct word wd)
{
    if (wd.len == 0)
        reader_error(rd, wd.at, "something is missing");
    else
        reader_error(rd, wd.at, "'%.*s' is not expected here", (int)(wd.len < 60 ? wd.len : 60), wd.chars);
    diags_hint(rd->dgs, "write %s", rd->key->form);
    return false;
}

bool read_tables(struct key_reader *rd, void *target)
{
    struct spec_stream *str = target;
    struct words wds = words_of(rd->value);
    struct word wd;

    while (words_next_item(&wds, &wd)) {
        char **all;

        if (wd.len == 0 || memchr(wd.chars, ' ', wd.len) || memchr(wd.chars, '\t', wd.len))
            return unexpected(rd, wd);
        for (size_t i = 0; i < str->tables_len; i++) {
            if (word_is(wd, str->tables[i]))
                return reader_error(rd, wd.at, "the table '%s' stands twice", str->tables[i]);
        }
        all = realloc(str->tables, (str->tables_len + 1) * sizeof *all);
        if (!all) {
            rd->no_memory = true;
            return false;
        }
        str->tables = all;
        all[str->tables_len] = NULL;
        if (!reader_copy(rd, wd, &all[str->tables_len]))
            return false;
        str->tables_len++;
    }
    return true;
}

bool write_tables(const void *target, size_t i, struct text *out)
{
    const struct spec_stream *str = target;

    if (i > 0)
        return false;
    for (size_t k = 0; k < str->tables_len; k++)
        text_add(out, "%s%s", k > 0 ? ", " : "", str->tables[k]);
    return str->tables_len > 0;
}

bool read_entities(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    int64_t entities;

    if (!reader_whole(rd, UNIT_COUNT, words_rest(&wds), &entities) || !reader_in_bounds(rd, (double)entities))
        return false;
    ((struct spec_stream *)target)->entities = entities;
    return true;
}

bool write_entities(const void *target, size_t i, struct text *out)
{
    int64_t entities = ((const struct spec_stream *)target)->entities;
    char text[UNIT_TEXT_CAP];

    if (i > 0 || entities == 0)
        return false;
    unit_write_whole(UNIT_COUNT, entities, text);
    text_add(out, "%s", text);
    return true;
}

/* The rate of `every` follows from the entities, when all keys are read. */
static bool read_every(struct key_reader *rd, struct spec_stream *str, struct words *wds)
{
    struct word wd = words_rest(wds);
    int64_t every;

    if (!reader_whole(rd, UNIT_DURATION, wd, &every))
        return false;
    if (every == 0)
        return reader_error(rd, wd.at, "an interval of 0 is no arrival");
    str->arrival = SPEC_ARRIVAL_EVERY;
    str->every_ns = every;
    return true;
}

bool read_arrival(struct key_reader *rd, void *target)
{
    struct spec_stream *str = target;
    struct words wds = words_of(rd->value);
    struct word wd, rate, last;
    double per_s;
    bool poisson;

    words_next(&wds, &wd);
    if (word_is(wd, "every"))
        return read_every(rd, str, &wds);
    if (word_is(wd, "day")) {
        reader_error(rd, wd.at, "the day's curve has a key of its own");
        diags_hint(rd->dgs, "write arrival = 40k/s constant and curve = day 50%% peak 14h");
        return false;
    }
    wds = words_of(rd->value);
    rate = words_rest(&wds);
    last = rate;
    while (last.len > 0 && last.chars[last.len - 1] != ' ' && last.chars[last.len - 1] != '\t')
        last.len--;
    last.chars += last.len;
    last.at += last.len;
    last.len = rate.len - last.len;
    poisson = word_is(last, "poisson");
    if (poisson || word_is(last, "constant")) {
        rate.len -= last.len;
        while (rate.len > 0 && (rate.chars[rate.len - 1] == ' ' || rate.chars[rate.len - 1] == '\t'))
            rate.len--;
    }
    if (!reader_real(rd, UNIT_RATE, rate, &per_s)) {
        diags_hint(rd->dgs, "write %s", rd->key->form);
        return false;
    }
    if (!(per_s > 0))
        return reader_error(rd, rate.at, "a rate of 0 is no arrival");
    if (per_s < 1e-6 || per_s > 1e9)
        return reader_error(rd, rate.at, "a rate lies between one row in twelve days and 1G/s");
    str->arrival = poisson ? SPEC_ARRIVAL_POISSON : SPEC_ARRIVAL_CONSTANT;
    str->rate_per_s = per_s;
    return true;
}

bool write_arrival(const void *target, size_t i, struct text *out)
{
    const struct spec_stream *str = target;
    char text[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    if (str->arrival == SPEC_ARRIVAL_EVERY) {
        unit_write_whole(UNIT_DURATION, str->every_ns, text);
        text_add(out, "every %s", text);
    } else {
        unit_write_real(UNIT_RATE, str->rate_per_s, text);
        text_add(out, "%s %s", text, str->arrival == SPEC_ARRIVAL_POISSON ? "poisson" : "constant");
    }
    return true;
}

static bool read_zipf(struct key_reader *rd, struct spec_stream *str, struct words *wds)
{
    struct word wd = words_rest(wds);
    double exponent;

    if (!reader_real(rd, UNIT_NUMBER, wd, &exponent))
        return false;
    if (!(exponent > 0 && exponent <= 10))
        return reader_error(rd, wd.at, "the exponent is beyond 0 and at most 10");
    str->popularity = SPEC_POPULARITY_ZIPF;
    str->zipf_exponent = exponent;
    return true;
}

static bool read_hot(struct key_reader *rd, struct spec_stream *str, struct words *wds)
{
    struct word wd;
    int64_t entities;
    double share;

    if (!words_next(wds, &wd))
        return unexpected(rd, wd);
    if (!reader_whole(rd, UNIT_COUNT, wd, &entities))
        return false;
    if (entities == 0)
        return reader_error(rd, wd.at, "0 hot entities");
    wd = words_rest(wds);
    if (wd.len == 0)
        return unexpected(rd, wd);
    if (!reader_real(rd, UNIT_RATIO, wd, &share))
        return false;
    if (!(share > 0 && share <= 1))
        return reader_error(rd, wd.at, "a share is beyond 0 and at most 100%%");
    str->popularity = SPEC_POPULARITY_HOT;
    str->hot_entities = entities;
    str->hot_share = share;
    return true;
}

bool read_popularity(struct key_reader *rd, void *target)
{
    struct spec_stream *str = target;
    struct words wds = words_of(rd->value);
    struct word wd;

    words_next(&wds, &wd);
    if (word_is(wd, "zipf"))
        return read_zipf(rd, str, &wds);
    if (word_is(wd, "hot"))
        return read_hot(rd, str, &wds);
    if (!word_is(wd, "uniform"))
        return unexpected(rd, wd);
    str->popularity = SPEC_POPULARITY_UNIFORM;
    return reader_end(rd, &wds);
}

bool write_popularity(const void *target, size_t i, struct text *out)
{
    const struct spec_stream *str = target;
    char text[UNIT_TEXT_CAP], count[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    switch (str->popularity) {
    case SPEC_POPULARITY_UNIFORM:
        text_add(out, "uniform");
        break;
    case SPEC_POPULARITY_ZIPF:
        unit_write_real(UNIT_NUMBER, str->zipf_exponent, text);
        text_add(out, "zipf %s", text);
        break;
    case SPEC_POPULARITY_HOT:
        unit_write_whole(UNIT_COUNT, str->hot_entities, count);
        unit_write_real(UNIT_RATIO, str->hot_share, text);
        text_add(out, "hot %s %s", count, text);
        break;
    }
    return true;
}

bool read_clients(struct key_reader *rd, void *target)
{
    struct spec_stream *str = target;
    struct words wds = words_of(rd->value);
    struct word wd;
    int64_t clients, buffer = 0;

    words_next(&wds, &wd);
    if (!reader_whole(rd, UNIT_COUNT, wd, &clients))
        return false;
    if (clients < 1 || clients > 100000)
        return reader_error(rd, wd.at, "a number of clients is 1 to 100000");
    if (words_next(&wds, &wd)) {
        if (!word_is(wd, "buffered") && !word_is(wd, "unbuffered"))
            return unexpected(rd, wd);
        if (word_is(wd, "buffered")) {
            wd = words_rest(&wds);
            buffer = SPEC_BUFFER_SITE;
            if (wd.len > 0 && !reader_whole(rd, UNIT_BYTES, wd, &buffer))
                return false;
            if (buffer == 0)
                return reader_error(rd, wd.at, "a buffer of 0 bytes; write unbuffered");
        }
        if (!reader_end(rd, &wds))
            return false;
    }
    str->clients = (int)clients;
    str->buffer_bytes = buffer;
    return true;
}

bool write_clients(const void *target, size_t i, struct text *out)
{
    const struct spec_stream *str = target;
    char text[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    if (str->buffer_bytes > 0) {
        unit_write_whole(UNIT_BYTES, str->buffer_bytes, text);
        text_add(out, "%d buffered %s", str->clients, text);
    } else {
        text_add(out, "%d unbuffered", str->clients);
    }
    return true;
}

bool read_start(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct word wd = words_rest(&wds);
    long long ms;

    if (wd.len > 2 && memcmp(wd.chars + wd.len - 2, "ms", 2) == 0)
        wd.len -= 2;
    while (wd.len > 0 && wd.chars[wd.len - 1] == ' ')
        wd.len--;
    if (!word_number(wd, (long long)9e18, &ms))
        return reader_error(rd, wd.at, "'%.40s' is not a Unix time in milliseconds", rd->value);
    ((struct spec_stream *)target)->start_ms = ms;
    return true;
}

bool write_start(const void *target, size_t i, struct text *out)
{
    if (i > 0)
        return false;
    text_add(out, "%" PRId64 "ms", ((const struct spec_stream *)target)->start_ms);
    return true;
}

/* The file's name may hold blanks, so its format is read from the end. */
bool read_keys(struct key_reader *rd, void *target)
{
    struct spec_stream *str = target;
    struct words wds = words_of(rd->value);
    struct word all = words_rest(&wds), wd, last[2] = {{NULL, 0, 0}, {NULL, 0, 0}}, name = all;
    long long width = 0;
    enum spec_key_format format;
    char *path;

    wds = words_of(rd->value);
    while (words_next(&wds, &wd)) {
        last[0] = last[1];
        last[1] = wd;
    }
    if (last[0].len > 0 && word_is(last[1], "escaped")) {
        format = SPEC_KEYS_ESCAPED;
        name.len = last[1].at - all.at;
    } else if (last[0].len > 0 && word_is(last[1], "hex")) {
        format = SPEC_KEYS_HEX;
        name.len = last[1].at - all.at;
    } else if (word_is(last[0], "binary") && last[0].at > all.at) {
        format = SPEC_KEYS_BINARY;
        name.len = last[0].at - all.at;
        if (!word_number(last[1], KEY_WIDTH_MAX, &width) || width == 0)
            return reader_error(rd, last[1].at, "'%.*s' is not a width from 1 to %d", (int)last[1].len, last[1].chars,
                                KEY_WIDTH_MAX);
    } else {
        return unexpected(rd, last[1]);
    }
    while (name.len > 0 && (name.chars[name.len - 1] == ' ' || name.chars[name.len - 1] == '\t'))
        name.len--;
    path = file_beside(rd->folder, name.chars, name.len);
    if (!path) {
        rd->no_memory = true;
        return false;
    }
    free(str->keys_file);
    str->keys_file = path;
    str->keys_format = format;
    str->keys_width = (int)width;
    return reader_copy(rd, name, &str->keys_name);
}

bool write_keys(const void *target, size_t i, struct text *out)
{
    static const char *const formats[] = {"escaped", "hex", "binary"};
    const struct spec_stream *str = target;

    if (i > 0 || !str->keys_name)
        return false;
    text_add(out, "%s %s", str->keys_name, formats[str->keys_format]);
    if (str->keys_format == SPEC_KEYS_BINARY)
        text_add(out, " %d", str->keys_width);
    return true;
}
