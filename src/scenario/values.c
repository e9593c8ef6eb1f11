/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The resolved scenario as lists: in the INI's words with origins, and in base units. */
#include <stdlib.h>
#include <string.h>

#include "scenario/build.h"
#include "scenario/key.h"
#include "scenario/scenario.h"

static bool add_value(struct build *bld, struct scenario_value value, const char *section, const char *text)
{
    struct scenario *sc = bld->sc;
    struct scenario_value *all = realloc(sc->values, (sc->values_len + 1) * sizeof *all);

    if (all)
        sc->values = all;
    value.section = text_dup(section, strlen(section));
    value.text = text_dup(text, strlen(text));
    if (!all || !value.section || !value.text) {
        free(value.section);
        free(value.text);
        bld->no_memory = true;
        return false;
    }
    all[sc->values_len++] = value;
    return true;
}

/* Where line |i| of a key's canonical text comes from: the entry of the same number, else the first. */
static struct scenario_place origin(const struct ini_section *sec, const char *key, size_t i)
{
    struct scenario_place none = {NULL, 0, 0};
    const struct ini_entry *entry = ini_entry_find(sec, key, i);

    if (!entry)
        entry = ini_entry_find(sec, key, 0);
    return entry ? entry->value_at : none;
}

static void list_section(struct build *bld, const struct ini_section *sec)
{
    const void *target = build_target(&bld->sc->spec, sec);
    struct text line = {0}, header = {0};

    text_add(&header, "%s%s%s", sec->kind, sec->name[0] ? " " : "", sec->name);
    for (const struct scenario_key *key = scenario_keys; key->section && !bld->no_memory; key++) {
        if (strcmp(key->section, sec->kind) != 0)
            continue;
        for (size_t i = 0;; i++) {
            struct scenario_value value = {.key = key, .place = origin(sec, key->name, i)};

            value.is_number = key_number(key, target, &value.number);
            text_clear(&line);
            if (!key_write(key, target, i, &line))
                break;
            if (line.failed || header.failed)
                bld->no_memory = true;
            else
                add_value(bld, value, header.chars, line.chars);
            if (bld->no_memory)
                break;
        }
    }
    bld->no_memory |= line.failed || header.failed;
    text_free(&line);
    text_free(&header);
}

/* The families of a table follow it, whatever their place in the file. */
static void list_families(struct build *bld, size_t table)
{
    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];

        if (strcmp(sec->kind, "family") == 0 && sec->index >> 16 == table)
            list_section(bld, sec);
    }
}

void build_values(struct build *bld)
{
    for (const struct scenario_section_kind *kind = scenario_sections; kind->kind; kind++) {
        struct ini_section absent = {.kind = NULL};
        char name[INI_SECTION_MAX + 1] = "";
        size_t found = 0;

        if (strcmp(kind->kind, "family") == 0)
            continue;
        for (size_t i = 0; i < bld->ini.sections_len; i++) {
            if (strcmp(bld->ini.sections[i].kind, kind->kind) != 0)
                continue;
            found++;
            list_section(bld, &bld->ini.sections[i]);
            if (strcmp(kind->kind, "table") == 0)
                list_families(bld, bld->ini.sections[i].index);
        }
        if (found > 0 || kind->names != SECTION_ALONE || strcmp(kind->kind, "plan") == 0)
            continue;
        memcpy(name, kind->kind, strlen(kind->kind));
        absent.kind = name;
        absent.name = name + strlen(name);
        list_section(bld, &absent);
    }
}

/* Special keys whose text is a number with a unit. */
static const struct {
    const char *name, *suffix;
    enum unit_family family;
} numbers[] = {
    {"buckets", "", UNIT_COUNT},
    {"entities", "", UNIT_COUNT},
    {"max_filesize", "_bytes", UNIT_BYTES},
    {"memstore_flushsize", "_bytes", UNIT_BYTES},
    {"hbase.ipc.server.max.callqueue.length", "", UNIT_COUNT},
};

static void special_number(const struct scenario_value *value, const char **suffix, double *number, bool *found)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct unit_problem why;
        int64_t whole;

        if (strcmp(numbers[i].name, value->key->name) != 0 ||
            unit_read_whole(numbers[i].family, value->text, strlen(value->text), &whole, &why) < 0)
            continue;
        *suffix = numbers[i].suffix;
        *number = (double)whole;
        *found = true;
    }
}

static int fill(struct spec_setting *set, const struct scenario_value *value)
{
    const char *suffix = key_suffix(value->key);
    struct text key = {0};
    bool number = value->is_number;

    set->number = value->number;
    if (!number)
        special_number(value, &suffix, &set->number, &number);
    text_add(&key, "%s%s", value->key->name, number ? suffix : "");
    set->key = key.chars;
    set->section = text_dup(value->section, strlen(value->section));
    set->text = number ? NULL : text_dup(value->text, strlen(value->text));
    return key.failed || !set->section || (!number && !set->text) ? -1 : 0;
}

/* Lines of a key that repeats become one text. */
static int extend(struct spec_setting *set, const char *text)
{
    struct text both = {0};

    text_add(&both, "%s, %s", set->text, text);
    if (both.failed) {
        text_free(&both);
        return -1;
    }
    free(set->text);
    set->text = both.chars;
    return 0;
}

/* `auto` says nothing to a reader of results; the length in force does. */
static int resolved_window(const struct scenario *sc, struct spec_setting *set)
{
    char *key = text_dup("window_s", strlen("window_s"));

    if (!key)
        return -1;
    free(set->key);
    free(set->text);
    set->key = key;
    set->text = NULL;
    set->number = (double)spec_window_ns(&sc->spec) / (double)SPEC_NS_PER_S;
    return 0;
}

int scenario_settings(const struct scenario *sc, struct spec_settings *set)
{
    struct spec_settings made = {calloc(sc->values_len + 1, sizeof *made.items), 0};

    if (!made.items)
        return -1;
    for (size_t i = 0; i < sc->values_len; i++) {
        const struct scenario_value *value = &sc->values[i];
        struct spec_setting *last = made.len > 0 ? &made.items[made.len - 1] : NULL;
        int status;

        if (last && last->text && value->key->repeats && strcmp(last->section, value->section) == 0 &&
            strcmp(last->key, value->key->name) == 0)
            status = extend(last, value->text);
        else
            status = fill(&made.items[made.len++], value);
        if (status == 0 && strcmp(value->key->name, "window") == 0 &&
            strcmp(value->key->section, "scenario") == 0)
            status = resolved_window(sc, &made.items[made.len - 1]);
        if (status < 0) {
            spec_settings_free(&made);
            return -1;
        }
    }
    *set = made;
    return 0;
}
