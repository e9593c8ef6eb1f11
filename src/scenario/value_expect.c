/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of [expect]. The table of options has them in the order scope, metric, bound: each needs
   what stands before it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/key.h"
#include "scenario/suggest.h"
#include "spec/spec.h"

static const enum unit_family families[] = {
    [SPEC_FIGURE_NUMBER] = UNIT_NUMBER, [SPEC_FIGURE_COUNT] = UNIT_COUNT, [SPEC_FIGURE_SHARE] = UNIT_RATIO,
    [SPEC_FIGURE_US] = UNIT_DURATION,   [SPEC_FIGURE_S] = UNIT_DURATION,  [SPEC_FIGURE_BYTES] = UNIT_BYTES,
    [SPEC_FIGURE_RATE] = UNIT_RATE,
};

/* A scope that could not be read: any figure will do, one mistake is one message. */
static bool is_lost(const struct spec_expect *exp)
{
    return exp->scope == SPEC_SCOPE_QUERY && !exp->scope_name;
}

bool read_expect_scope(struct key_reader *rd, void *target)
{
    static const char *const names[] = {"rs03", "telemetry", "telemetry,\\x03"};
    struct spec_expect *exp = target;
    struct words wds = words_of(rd->value);
    struct word wd, name;

    words_next(&wds, &wd);
    for (int s = SPEC_SCOPE_ALL; s < SPEC_SCOPE_QUERY; s++) {
        if (!word_is(wd, spec_scope_word((enum spec_scope)s)))
            continue;
        exp->scope = (enum spec_scope)s;
        name = words_rest(&wds);
        if (name.len == 0)
            return true;
        if (s == SPEC_SCOPE_ALL)
            return reader_error(rd, name.at, "'all' takes no name");
        if (s == SPEC_SCOPE_REGION && !memchr(name.chars, ',', name.len))
            return reader_error(rd, name.at, "'%.*s' names no region; write TABLE,KEY (TABLE, is the first one)",
                                (int)name.len, name.chars);
        return reader_copy(rd, name, &exp->scope_name);
    }
    exp->scope = SPEC_SCOPE_QUERY;
    reader_error(rd, wd.at, "unknown scope '%.*s'", (int)(wd.len < 60 ? wd.len : 60), wd.chars);
    diags_hint(rd->dgs, "write all, or one of: server %s, table %s, region %s (without a name: each)", names[0],
               names[1], names[2]);
    return false;
}

bool write_expect_scope(const void *target, size_t i, struct text *out)
{
    const struct spec_expect *exp = target;

    if (i > 0)
        return false;
    if (exp->scope == SPEC_SCOPE_QUERY)
        text_add(out, "all");
    else
        text_add(out, "%s%s%s", spec_scope_word(exp->scope), exp->scope_name ? " " : "",
                 exp->scope_name ? exp->scope_name : "");
    return true;
}

/* The figure in another scope, for the message. */
static bool elsewhere(const char *name, struct spec_figure *out)
{
    for (int s = SPEC_SCOPE_ALL; s <= SPEC_SCOPE_QUERY; s++) {
        if (spec_figure_find((enum spec_scope)s, name, strlen(name), out))
            return true;
    }
    return false;
}

static bool unknown_metric(struct key_reader *rd, const struct spec_expect *exp, struct word wd)
{
    struct spec_figure other, fig;
    struct suggest best;
    char name[60];
    bool found;

    snprintf(name, sizeof name, "%.*s", (int)wd.len, wd.chars);
    found = elsewhere(name, &other);
    if (found && other.scope == SPEC_SCOPE_QUERY)
        return reader_error(rd, wd.at, "'%s' is a figure of a query; write QUERY.%s", name, name);
    if (found) {
        reader_error(rd, wd.at, "'%s' is no figure of %s", name,
                     exp->scope == SPEC_SCOPE_ALL ? "the whole" : spec_scope_word(exp->scope));
        diags_hint(rd->dgs, "write scope = %s", spec_scope_word(other.scope));
        return false;
    }
    suggest_begin(&best, name);
    for (size_t i = 0; spec_figure_at(exp->scope, i, &fig); i++)
        suggest_offer(&best, fig.name);
    if (best.name)
        return reader_error(rd, wd.at, "unknown figure '%s'; did you mean '%s'?", name, best.name);
    reader_error(rd, wd.at, "unknown figure '%s'", name);
    diags_hint(rd->dgs, "saltplan explain expect.metric lists those of result.json that can be judged");
    return false;
}

static bool query_figure(struct word wd, struct spec_figure *out)
{
    char name[60];

    if (spec_figure_find(SPEC_SCOPE_QUERY, wd.chars, wd.len, out))
        return true;
    if (wd.len > 40)
        return false;
    snprintf(name, sizeof name, "%.*s_us", (int)wd.len, wd.chars); /* latest.p99 */
    return spec_figure_find(SPEC_SCOPE_QUERY, name, strlen(name), out);
}

static bool unknown_query_figure(struct key_reader *rd, struct word wd)
{
    char list[400] = "";
    struct spec_figure fig;
    size_t len = 0;

    for (size_t i = 0; spec_figure_at(SPEC_SCOPE_QUERY, i, &fig) && len < sizeof list; i++)
        len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", i ? ", " : "", fig.name);
    reader_error(rd, wd.at, "unknown figure '%.*s' of a query", (int)(wd.len < 60 ? wd.len : 60), wd.chars);
    diags_hint(rd->dgs, "there are %s", list);
    return false;
}

bool read_expect_metric(struct key_reader *rd, void *target)
{
    struct spec_expect *exp = target;
    struct words wds = words_of(rd->value);
    struct spec_figure fig;
    struct word wd, whole;
    const char *dot;
    bool known;

    words_next(&wds, &wd);
    if (!reader_end(rd, &wds))
        return false;
    dot = memchr(wd.chars, '.', wd.len);
    if (dot) {
        const struct word query = {wd.chars, (size_t)(dot - wd.chars), wd.at};
        const struct word figure = {dot + 1, wd.len - query.len - 1, wd.at + query.len + 1};

        known = query_figure(figure, &fig);
        if (!known)
            return unknown_query_figure(rd, figure);
        if (exp->scope != SPEC_SCOPE_ALL && !is_lost(exp))
            return reader_error(rd, wd.at, "a figure of a query has no scope");
        exp->scope = SPEC_SCOPE_QUERY;
        if (!reader_copy(rd, query, &exp->scope_name))
            return false;
    } else if (is_lost(exp)) {
        char name[60];

        snprintf(name, sizeof name, "%.*s", (int)wd.len, wd.chars);
        known = elsewhere(name, &fig);
    } else {
        known = spec_figure_find(exp->scope, wd.chars, wd.len, &fig);
    }
    if (!known)
        return unknown_metric(rd, exp, wd);
    whole = (struct word){fig.name, strlen(fig.name), 0};
    return reader_copy(rd, whole, &exp->metric);
}

static bool figure_of(const struct spec_expect *exp, struct spec_figure *out)
{
    if (!exp->metric)
        return false;
    return is_lost(exp) ? elsewhere(exp->metric, out)
                        : spec_figure_find(exp->scope, exp->metric, strlen(exp->metric), out);
}

bool write_expect_metric(const void *target, size_t i, struct text *out)
{
    const struct spec_expect *exp = target;

    if (i > 0)
        return false;
    text_add(out, "%s%s%s", exp->scope == SPEC_SCOPE_QUERY ? exp->scope_name : "",
             exp->scope == SPEC_SCOPE_QUERY ? "." : "", exp->metric);
    return true;
}

bool read_expect_bound(struct key_reader *rd, void *target)
{
    struct spec_expect *exp = target;
    struct words wds = words_of(rd->value);
    struct spec_figure fig;
    const bool known = figure_of(exp, &fig);
    struct word wd, number;
    int64_t whole;

    words_next(&wds, &wd);
    if (!word_is(wd, "<=") && !word_is(wd, ">=")) {
        reader_error(rd, wd.at, "a bound is written <= NUMBER or >= NUMBER");
        diags_hint(rd->dgs, "write bound = <= 1.6");
        return false;
    }
    exp->at_most = wd.chars[0] == '<';
    number = words_rest(&wds);
    if (number.len == 0)
        return reader_error(rd, number.at, "the number is missing");
    if (!known)
        return false; /* its unit is not known; that is said already */
    if (families[fig.unit] == UNIT_NUMBER || families[fig.unit] == UNIT_RATIO || families[fig.unit] == UNIT_RATE)
        return reader_real(rd, families[fig.unit], number, &exp->bound);
    if (!reader_whole(rd, families[fig.unit], number, &whole))
        return false;
    exp->bound = fig.unit == SPEC_FIGURE_US  ? (double)whole / 1e3
                 : fig.unit == SPEC_FIGURE_S ? (double)whole / 1e9
                                              : (double)whole;
    return true;
}

bool write_expect_bound(const void *target, size_t i, struct text *out)
{
    const struct spec_expect *exp = target;
    struct spec_figure fig;
    const bool known = figure_of(exp, &fig);
    char text[UNIT_TEXT_CAP];

    if (i > 0 || !known)
        return false;
    if (fig.unit == SPEC_FIGURE_US || fig.unit == SPEC_FIGURE_S)
        unit_write_whole(UNIT_DURATION, (int64_t)(exp->bound * (fig.unit == SPEC_FIGURE_US ? 1e3 : 1e9) + 0.5), text);
    else if (fig.unit == SPEC_FIGURE_BYTES || fig.unit == SPEC_FIGURE_COUNT)
        unit_write_whole(families[fig.unit], (int64_t)exp->bound, text);
    else
        unit_write_real(families[fig.unit], exp->bound, text);
    text_add(out, "%s %s", exp->at_most ? "<=" : ">=", text);
    return true;
}

static bool read_time(struct key_reader *rd, struct word wd, const char *what, int64_t *out)
{
    if (wd.len == 0)
        return reader_error(rd, wd.at, "the %s is missing", what);
    return reader_whole(rd, UNIT_DURATION, wd, out);
}

/* `all`, `last 1h`, `from 6h`, `from 6h to 8h` */
bool read_expect_window(struct key_reader *rd, void *target)
{
    struct spec_expect *exp = target;
    struct words wds = words_of(rd->value);
    struct word wd, time;

    words_next(&wds, &wd);
    if (word_is(wd, "all"))
        return reader_end(rd, &wds);
    if (word_is(wd, "last")) {
        words_next(&wds, &time);
        if (!read_time(rd, time, "length of time", &exp->last_ns))
            return false;
        return exp->last_ns > 0 ? reader_end(rd, &wds) : reader_error(rd, time.at, "a window of no length holds nothing");
    }
    if (!word_is(wd, "from"))
        return reader_error(rd, wd.at, "'%.*s' is no window; write all, last 1h, from 6h, or from 6h to 8h",
                            (int)(wd.len < 60 ? wd.len : 60), wd.chars);
    words_next(&wds, &time);
    if (!read_time(rd, time, "beginning", &exp->from_ns))
        return false;
    if (!words_next(&wds, &wd))
        return true;
    if (!word_is(wd, "to"))
        return reader_error(rd, wd.at, "expected 'to'");
    words_next(&wds, &time);
    if (!read_time(rd, time, "end", &exp->to_ns))
        return false;
    if (exp->to_ns <= exp->from_ns)
        return reader_error(rd, time.at, "the window ends before it begins");
    return reader_end(rd, &wds);
}

bool write_expect_window(const void *target, size_t i, struct text *out)
{
    const struct spec_expect *exp = target;
    char text[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    if (exp->last_ns > 0) {
        unit_write_whole(UNIT_DURATION, exp->last_ns, text);
        text_add(out, "last %s", text);
    } else if (exp->from_ns == 0 && exp->to_ns == 0) {
        text_add(out, "all");
    } else {
        unit_write_whole(UNIT_DURATION, exp->from_ns, text);
        text_add(out, "from %s", text);
        if (exp->to_ns > 0) {
            unit_write_whole(UNIT_DURATION, exp->to_ns, text);
            text_add(out, " to %s", text);
        }
    }
    return true;
}
