/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `growth =` of [plan]: steps of servers, and a rate that grows evenly or compounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/key.h"
#include "spec/spec.h"

#define SERVERS_MAX 10000
#define FACTOR_MAX 1000

static bool wrong_form(struct key_reader *rd, size_t at)
{
    reader_error(rd, at, "growth is written A -> B servers in TIME, rate xFACTOR in TIME, or rate +SHARE every TIME");
    diags_hint(rd->dgs, "as growth = 12 -> 16 servers in 2y, rate +3%% every 30d");
    return false;
}

static bool expect_word(struct key_reader *rd, struct words *wds, const char *word)
{
    struct word wd;

    if (words_next(wds, &wd) && word_is(wd, word))
        return true;
    return wrong_form(rd, wd.at);
}

/* A span of time that ends the item. */
static bool read_span(struct key_reader *rd, struct words *wds, size_t base, int64_t *out)
{
    struct word wd, rest;
    int64_t ns;

    if (!words_next(wds, &wd))
        return wrong_form(rd, base + wd.at);
    wd.at += base;
    if (!reader_whole(rd, UNIT_DURATION, wd, &ns))
        return false;
    if (ns <= 0)
        return reader_error(rd, wd.at, "growth needs a span of time above 0");
    rest = words_rest(wds);
    if (rest.len > 0)
        return wrong_form(rd, base + rest.at);
    *out = ns;
    return true;
}

static bool server_count(struct key_reader *rd, struct word wd, int *out)
{
    long long n;

    if (!word_number(wd, SERVERS_MAX, &n))
        return reader_error(rd, wd.at, "'%.*s' is not a number of servers", (int)(wd.len < 40 ? wd.len : 40), wd.chars);
    if (n < 1)
        return reader_error(rd, wd.at, "a cluster can't shrink below one server");
    *out = (int)n;
    return true;
}

/* `12 -> 14 -> 16 servers in 2y` */
static bool read_servers(struct key_reader *rd, struct words wds, size_t base, struct spec_growth *grow)
{
    struct spec_growth found = *grow;
    struct word wd;

    if (grow->servers_len > 0)
        return reader_error(rd, base, "growth gives the servers twice");
    for (;;) {
        if (!words_next(&wds, &wd))
            return wrong_form(rd, base + wd.at);
        wd.at += base;
        if (found.servers_len == SPEC_GROWTH_STEPS)
            return reader_error(rd, wd.at, "at most %d steps of servers", SPEC_GROWTH_STEPS);
        if (!server_count(rd, wd, &found.servers[found.servers_len]))
            return false;
        found.servers_len++;
        if (!words_next(&wds, &wd))
            return wrong_form(rd, base + wd.at);
        if (word_is(wd, "servers"))
            break;
        if (!word_is(wd, "->"))
            return wrong_form(rd, base + wd.at);
    }
    if (found.servers_len < 2 || !expect_word(rd, &wds, "in"))
        return found.servers_len < 2 ? wrong_form(rd, base) : false;
    if (!read_span(rd, &wds, base, &found.servers_in_ns))
        return false;
    *grow = found;
    return true;
}

/* `rate x2 in 2y`, `rate +3% every 30d`; "rate" is read. */
static bool read_rate(struct key_reader *rd, struct words wds, size_t base, struct spec_growth *grow)
{
    struct word wd, number;
    double value;

    if (!words_next(&wds, &wd) || wd.len < 2 || (wd.chars[0] != 'x' && wd.chars[0] != '+'))
        return wrong_form(rd, base + wd.at);
    number = (struct word){wd.chars + 1, wd.len - 1, base + wd.at + 1};
    if (!reader_real(rd, wd.chars[0] == 'x' ? UNIT_NUMBER : UNIT_RATIO, number, &value))
        return false;
    if (!(value > 0) || value > FACTOR_MAX)
        return reader_error(rd, number.at, "growth of the rate is above 0 and at most %d", FACTOR_MAX);
    if (wd.chars[0] == 'x') {
        if (grow->rate_factor > 0)
            return reader_error(rd, base, "growth gives the rate's factor twice");
        if (!expect_word(rd, &wds, "in") || !read_span(rd, &wds, base, &grow->rate_in_ns))
            return false;
        grow->rate_factor = value;
        return true;
    }
    if (grow->rate_gain > 0)
        return reader_error(rd, base, "growth gives the rate's gain twice");
    if (!expect_word(rd, &wds, "every") || !read_span(rd, &wds, base, &grow->rate_every_ns))
        return false;
    grow->rate_gain = value;
    return true;
}

bool read_growth(struct key_reader *rd, void *target)
{
    struct spec_plan *plan = target;
    struct spec_growth *grow = &plan->growth;
    struct words wds = words_of(rd->value);
    struct word item;

    while (words_next_item(&wds, &item)) {
        char *text = text_dup(item.chars, item.len);
        struct words inner;
        struct word first;
        bool good;

        if (!text) {
            rd->no_memory = true;
            return false;
        }
        inner = words_of(text);
        if (!words_next(&inner, &first))
            good = wrong_form(rd, item.at);
        else if (word_is(first, "rate"))
            good = read_rate(rd, inner, item.at, grow);
        else
            good = read_servers(rd, words_of(text), item.at, grow);
        free(text);
        if (!good)
            return false;
    }
    return true;
}

bool write_growth(const void *target, size_t i, struct text *out)
{
    const struct spec_growth *grow = &((const struct spec_plan *)target)->growth;
    char number[UNIT_TEXT_CAP], span[UNIT_TEXT_CAP];
    size_t line = 0;

    if (grow->servers_len > 0 && line++ == i) {
        for (size_t k = 0; k < grow->servers_len; k++)
            text_add(out, "%s%d", k ? " -> " : "", grow->servers[k]);
        unit_write_whole(UNIT_DURATION, grow->servers_in_ns, span);
        text_add(out, " servers in %s", span);
        return true;
    }
    if (grow->rate_factor > 0 && line++ == i) {
        unit_write_real(UNIT_NUMBER, grow->rate_factor, number);
        unit_write_whole(UNIT_DURATION, grow->rate_in_ns, span);
        text_add(out, "rate x%s in %s", number, span);
        return true;
    }
    if (grow->rate_gain > 0 && line++ == i) {
        unit_write_real(UNIT_RATIO, grow->rate_gain, number);
        unit_write_whole(UNIT_DURATION, grow->rate_every_ns, span);
        text_add(out, "rate +%s every %s", number, span);
        return true;
    }
    return false;
}

bool read_phoenix_version(struct key_reader *rd, void *target)
{
    unsigned part[3];
    int end = 0;

    if (sscanf(rd->value, "%2u.%2u.%2u%n", &part[0], &part[1], &part[2], &end) != 3 || rd->value[end] != '\0' ||
        strspn(rd->value, "0123456789.") != (size_t)end)
        return reader_error(rd, 0, "not a version of Phoenix, as 5.2.1");
    ((struct spec_plan *)target)->phoenix_version = (int)SPEC_PHOENIX(part[0], part[1], part[2]);
    return true;
}

bool write_phoenix_version(const void *target, size_t i, struct text *out)
{
    const int v = ((const struct spec_plan *)target)->phoenix_version;

    if (i > 0)
        return false;
    text_add(out, "%d.%d.%d", v / 10000, v / 100 % 100, v % 100);
    return true;
}
