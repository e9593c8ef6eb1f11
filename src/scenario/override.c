/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line's changes, written into the lists that the INI file filled. What they set has
   the option as its place. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/build.h"
#include "scenario/suggest.h"

static struct scenario_place option_place(struct build *bld, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static struct scenario_place option_place(struct build *bld, const char *fmt, ...)
{
    struct scenario_place at = {NULL, 0, 0};
    char text[400];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    at.file = build_keep(bld, text);
    return at;
}

/* Puts the value in the key's place. A key that repeats loses what the file says, and gathers
   what the command line says. */
static void put(struct build *bld, struct ini_section *sec, const char *key, const char *value,
                struct scenario_place at)
{
    const struct scenario_key *row = scenario_key_find(sec->kind, key);
    const struct ini_entry *old = ini_entry_find(sec, key, 0);
    struct ini_entry *entry;

    if (old && (!row || !row->repeats || old->value_at.line > 0))
        ini_remove(sec, key);
    entry = ini_add_entry(&bld->ini, sec, key, value);
    if (!entry) {
        bld->no_memory = true;
        return;
    }
    entry->key_at = entry->value_at = at;
}

static struct ini_section *section_alone(struct build *bld, const char *kind, struct scenario_place at)
{
    struct ini_section *sec = ini_find(&bld->ini, kind, "");

    if (!sec)
        sec = ini_add_section(&bld->ini, kind, "", at);
    if (!sec)
        bld->no_memory = true;
    return sec;
}

/* The section that --set names: one of the file, or one without a name, which is then made. */
static struct ini_section *section_named(struct build *bld, const struct ini_section *wanted,
                                         struct scenario_place at)
{
    const struct scenario_section_kind *kind = scenario_section_kind(wanted->kind);
    struct ini_section *sec = ini_find(&bld->ini, wanted->kind, wanted->name);
    char header[INI_SECTION_MAX + 4];
    struct suggest best;

    if (sec)
        return sec;
    if (!kind || (kind->names == SECTION_ALONE && !wanted->name[0]))
        return section_alone(bld, wanted->kind, at);
    suggest_begin(&best, wanted->name);
    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        if (strcmp(bld->ini.sections[i].kind, wanted->kind) == 0)
            suggest_offer(&best, bld->ini.sections[i].name);
    }
    if (best.name)
        diags_error(bld->dgs, at, "the scenario has no section %s; did you mean [%s %s]?", ini_header(wanted, header),
                    wanted->kind, best.name);
    else
        diags_error(bld->dgs, at, "the scenario has no section %s", ini_header(wanted, header));
    return NULL;
}

/* `[table telemetry] buckets=24` is read as two lines of INI, by the INI reader. */
static void take_set(struct build *bld, const char *text, struct scenario_place at)
{
    struct ini_file ini;
    struct scenario_diags own = {0};
    struct text lines = {0};
    const char *close = strchr(text, ']');

    if (text[0] != '[' || !close) {
        diags_error(bld->dgs, at, "expected a section in brackets first");
        diags_hint(bld->dgs, "write --set '[table telemetry] buckets=24'");
        return;
    }
    if (strpbrk(text, ";\n\r")) {
        diags_error(bld->dgs, at, strchr(text, ';') ? "a ';' begins a comment and can't be part of a value"
                                                    : "a line end can't be part of a value");
        diags_hint(bld->dgs, "inside a row key write \\x3B for ';'");
        return;
    }
    text_add(&lines, "%.*s\n%s\n", (int)(close + 1 - text), text, close + 1);
    if (lines.failed || ini_read(at.file, lines.chars, lines.len, &ini, &own) < 0) {
        bld->no_memory = true;
    } else if (own.len > 0) {
        diags_error(bld->dgs, at, "%s", own.items[0].message);
        if (own.items[0].hint)
            diags_hint(bld->dgs, "%s", own.items[0].hint);
    } else if (ini.sections_len == 1 && ini.sections[0].entries_len == 1) {
        struct ini_section *sec = section_named(bld, &ini.sections[0], at);

        if (sec)
            put(bld, sec, ini.sections[0].entries[0].key, ini.sections[0].entries[0].value, at);
    } else {
        diags_error(bld->dgs, at, "expected one KEY=VALUE after the section");
    }
    if (!lines.failed)
        ini_free(&ini);
    text_free(&lines);
    diags_free(&own);
}

/* Hadoop's way: -D name=value. */
static void take_property(struct build *bld, const char *text, struct scenario_place at)
{
    const char *equal = strchr(text, '=');
    struct ini_section *sec;
    char *name;

    if (!equal || equal == text) {
        diags_error(bld->dgs, at, "expected NAME=VALUE");
        return;
    }
    sec = section_alone(bld, "hbase", at);
    name = text_dup(text, (size_t)(equal - text));
    if (sec && name)
        put(bld, sec, name, equal + 1, at);
    else
        bld->no_memory = true;
    free(name);
}

/* --buckets goes to every table with a salt that has buckets. */
static void take_buckets(struct build *bld, const char *text, struct scenario_place at)
{
    size_t tables = 0;

    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        struct ini_section *sec = &bld->ini.sections[i];
        const struct ini_entry *salt = ini_entry_find(sec, "salt", 0);

        if (strcmp(sec->kind, "table") != 0 || !salt || !spec_salt_takes_buckets(salt->value))
            continue;
        put(bld, sec, "buckets", text, at);
        tables++;
    }
    if (tables == 0) {
        diags_error(bld->dgs, at, "no table has a salt with buckets");
        diags_hint(bld->dgs, "add --set '[table NAME] salt=arrays-hash floorMod'");
    }
}

/* --rate says how many rows come in all: `every` becomes a constant rate. */
static void take_rate(struct build *bld, const char *text, struct scenario_place at)
{
    struct ini_section *stream = NULL;

    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        if (strcmp(bld->ini.sections[i].kind, "stream") != 0)
            continue;
        if (stream) {
            diags_error(bld->dgs, at, "the scenario has several streams");
            diags_hint(bld->dgs, "write --set '[stream %s] arrival=%s constant'", stream->name, text);
            return;
        }
        stream = &bld->ini.sections[i];
    }
    if (!stream) {
        diags_error(bld->dgs, at, "the scenario has no stream");
        return;
    }
    put(bld, stream, "arrival", text, at);
}

/* One part of an --expect as an entry of its section. */
static void put_part(struct build *bld, struct ini_section *sec, const char *key, struct word part)
{
    char *value = text_dup(part.chars, part.len);

    if (value)
        put(bld, sec, key, value, sec->at);
    else
        bld->no_memory = true;
    free(value);
}

/* Where |mark| parts |text|, blanks around it; the text's end if nowhere. */
static size_t part_at(const char *text, const char *mark)
{
    const char *found = strstr(text, mark);

    return found ? (size_t)(found - text) : strlen(text);
}

/* `hot_server_ratio <= 1.2 over last 1h`, `writes >= 1 of server rs03`: a section [expect option-1]. */
static void take_expect(struct build *bld, const char *text, struct scenario_place at)
{
    const size_t sign = strcspn(text, "<>="), over = part_at(text, " over "), of = part_at(text, " of ");
    const size_t end = of < over ? of : over;
    struct ini_section *sec;
    char name[40];
    int n = 1;

    if (sign == 0 || text[sign] == '\0' || sign > end) {
        diags_error(bld->dgs, at, "an expectation is written FIGURE <= BOUND, as hot_server_ratio <= 1.6 over last 1h");
        return;
    }
    do
        snprintf(name, sizeof name, "option-%d", n++);
    while (ini_find(&bld->ini, "expect", name));
    sec = ini_add_section(&bld->ini, "expect", name, at);
    if (!sec) {
        bld->no_memory = true;
        return;
    }
    put_part(bld, sec, "metric", (struct word){text, text[sign - 1] == ' ' ? sign - 1 : sign, 0});
    put_part(bld, sec, "bound", (struct word){text + sign, end - sign, 0});
    if (text[of] != '\0')
        put_part(bld, sec, "scope", (struct word){text + of + 4, (over > of ? over : strlen(text)) - of - 4, 0});
    if (text[over] != '\0')
        put_part(bld, sec, "window", (struct word){text + over + 6, (of > over ? of : strlen(text)) - over - 6, 0});
}

/* --row: one column of that size in the scenario's one family. */
static void take_row(struct build *bld, const char *text, struct scenario_place at)
{
    struct ini_section *family = NULL;
    struct text column = {0};

    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        if (strcmp(bld->ini.sections[i].kind, "family") != 0)
            continue;
        if (family) {
            diags_error(bld->dgs, at, "the scenario has several column families");
            diags_hint(bld->dgs, "write --set '[family %s] column=v:%s'", family->name, text);
            return;
        }
        family = &bld->ini.sections[i];
    }
    if (!family) {
        diags_error(bld->dgs, at, "the scenario has no column family");
        return;
    }
    text_add(&column, "v:%s", text);
    ini_remove(family, "column");
    if (column.failed)
        bld->no_memory = true;
    else
        put(bld, family, "column", column.chars, at);
    text_free(&column);
}

static void take_plain(struct build *bld, const char *kind, const char *key, const char *text,
                       struct scenario_place at)
{
    struct ini_section *sec = section_alone(bld, kind, at);

    if (sec)
        put(bld, sec, key, text, at);
}

static void take(struct build *bld, const struct scenario_override *ovr)
{
    switch (ovr->kind) {
    case SCENARIO_SET:
        take_set(bld, ovr->text, option_place(bld, "--set '%s'", ovr->text));
        break;
    case SCENARIO_PROPERTY:
        take_property(bld, ovr->text, option_place(bld, "-D %s", ovr->text));
        break;
    case SCENARIO_BUCKETS:
        take_buckets(bld, ovr->text, option_place(bld, "--buckets %s", ovr->text));
        break;
    case SCENARIO_EXPECT:
        take_expect(bld, ovr->text, option_place(bld, "--expect '%s'", ovr->text));
        break;
    case SCENARIO_RATE:
        take_rate(bld, ovr->text, option_place(bld, "--rate %s", ovr->text));
        break;
    case SCENARIO_SERVERS:
        take_plain(bld, "cluster", "servers", ovr->text, option_place(bld, "--servers %s", ovr->text));
        break;
    case SCENARIO_DURATION:
        take_plain(bld, "scenario", "duration", ovr->text, option_place(bld, "--duration %s", ovr->text));
        break;
    case SCENARIO_SEED:
        take_plain(bld, "scenario", "seed", ovr->text, option_place(bld, "--seed %s", ovr->text));
        break;
    case SCENARIO_DETAIL:
        take_plain(bld, "scenario", "detail", ovr->text, option_place(bld, "--detail %s", ovr->text));
        break;
    case SCENARIO_ROW:
        take_row(bld, ovr->text, option_place(bld, "--row %s", ovr->text));
        break;
    case SCENARIO_PRESETS:
        break;
    }
}

/* A control character would reach messages, reports and pictures. */
static bool is_plain(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            return false;
    }
    return true;
}

void build_override(struct build *bld, const struct scenario_override *overrides, size_t len)
{
    for (size_t i = 0; i < len && !bld->no_memory; i++) {
        if (overrides[i].kind == SCENARIO_PRESETS || is_plain(overrides[i].text))
            take(bld, &overrides[i]);
        else
            diags_error(bld->dgs, option_place(bld, "command line"), "a control character in an option's argument");
    }
}
