/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From sections and entries to the spec, row by row of the table of options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/build.h"
#include "scenario/suggest.h"

#define HINT_KEYS_MAX 10

static bool is_kind(const struct ini_section *section, const char *kind)
{
    return strcmp(section->kind, kind) == 0;
}

void *build_target(struct spec *sp, const struct ini_section *section)
{
    if (section->index == BUILD_NOWHERE)
        return NULL;
    if (is_kind(section, "scenario"))
        return sp;
    if (is_kind(section, "cluster"))
        return &sp->cluster;
    if (is_kind(section, "server"))
        return &sp->server;
    if (is_kind(section, "hbase"))
        return &sp->hbase;
    if (is_kind(section, "plan"))
        return &sp->plan;
    if (is_kind(section, "table"))
        return &sp->tables[section->index];
    if (is_kind(section, "stream"))
        return &sp->streams[section->index];
    if (is_kind(section, "query"))
        return &sp->queries[section->index];
    if (is_kind(section, "event"))
        return &sp->events[section->index];
    if (is_kind(section, "expect"))
        return &sp->expects[section->index];
    /* A family: its table's number and its own share the index. */
    return &sp->tables[section->index >> 16].families[section->index & 0xffff];
}

static bool legal_name(const char *name, const char *also)
{
    for (const char *c = name; *c; c++) {
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || strchr(also, *c)))
            return false;
    }
    return name[0] != '\0';
}

/* [family TABLE/NAME]: the text before and behind the slash. */
static bool family_words(const char *pair, char *table, const char **family)
{
    const char *slash = strrchr(pair, '/');

    if (!slash || slash == pair || slash[1] == '\0')
        return false;
    memcpy(table, pair, (size_t)(slash - pair));
    table[slash - pair] = '\0';
    *family = slash + 1;
    return true;
}

static void unknown_section(struct build *bld, const struct ini_section *sec)
{
    const char *later = scenario_not_yet(sec->kind, NULL);
    struct suggest best;

    if (later) {
        diags_error(bld->dgs, sec->at, "[%s] is not yet supported by this version (%s)", sec->kind, later);
        return;
    }
    suggest_begin(&best, sec->kind);
    for (const struct scenario_section_kind *kind = scenario_sections; kind->kind; kind++)
        suggest_offer(&best, kind->kind);
    if (best.name)
        diags_error(bld->dgs, sec->at, "unknown section [%s]; did you mean [%s]?", sec->kind, best.name);
    else
        diags_error(bld->dgs, sec->at, "unknown section [%s]", sec->kind);
    if (!best.name)
        diags_hint(bld->dgs, "sections are: scenario cluster server hbase table family stream query event expect plan");
}

/* Whether the section's head makes sense by itself. */
static bool check_head(struct build *bld, const struct ini_section *sec)
{
    const struct scenario_section_kind *kind = scenario_section_kind(sec->kind);
    char table[INI_SECTION_MAX + 1];
    const char *family;

    if (!kind) {
        unknown_section(bld, sec);
        return false;
    }
    if (kind->names == SECTION_ALONE && sec->name[0]) {
        diags_error(bld->dgs, sec->at, "[%s] takes no name", sec->kind);
        return false;
    }
    if (kind->names != SECTION_ALONE && !sec->name[0]) {
        diags_error(bld->dgs, sec->at, "[%s] needs a name", sec->kind);
        diags_hint(bld->dgs, kind->names == SECTION_PAIR ? "write [%s TABLE/NAME]" : "write [%s NAME]", sec->kind);
        return false;
    }
    if (kind->names == SECTION_PAIR && !family_words(sec->name, table, &family)) {
        diags_error(bld->dgs, sec->at, "[%s %s] names no table", sec->kind, sec->name);
        diags_hint(bld->dgs, "write [%s TABLE/NAME]", sec->kind);
        return false;
    }
    if (kind->names != SECTION_ALONE && !legal_name(sec->name, is_kind(sec, "table")    ? "_-.:"
                                                               : is_kind(sec, "family") ? "_-.:/"
                                                                                        : "_-")) {
        diags_error(bld->dgs, sec->at, "'%s' is no name for a %s", sec->name, sec->kind);
        diags_hint(bld->dgs, "names are made of letters, digits, '_' and '-'");
        return false;
    }
    return true;
}

static size_t count_kind(const struct ini_file *ini, const char *kind)
{
    size_t n = 0;

    for (size_t i = 0; i < ini->sections_len; i++)
        n += is_kind(&ini->sections[i], kind) && ini->sections[i].index != BUILD_NOWHERE;
    return n;
}

static void *zeroed(struct build *bld, size_t len, size_t size)
{
    void *all = len > 0 ? calloc(len, size) : NULL;

    if (len > 0 && !all)
        bld->no_memory = true;
    return all;
}

static char *named(struct build *bld, const char *name)
{
    char *copy = text_dup(name, strlen(name));

    if (!copy)
        bld->no_memory = true;
    return copy;
}

/* Tables, streams and queries get their elements; families wait for their tables. */
static void place_sections(struct build *bld)
{
    struct spec *sp = &bld->sc->spec;
    size_t tables = count_kind(&bld->ini, "table"), streams = count_kind(&bld->ini, "stream");
    size_t queries = count_kind(&bld->ini, "query"), events = count_kind(&bld->ini, "event");
    size_t expects = count_kind(&bld->ini, "expect");

    sp->tables = zeroed(bld, tables, sizeof *sp->tables);
    sp->streams = zeroed(bld, streams, sizeof *sp->streams);
    sp->queries = zeroed(bld, queries, sizeof *sp->queries);
    sp->events = zeroed(bld, events, sizeof *sp->events);
    sp->expects = zeroed(bld, expects, sizeof *sp->expects);
    if (bld->no_memory)
        return;
    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        struct ini_section *sec = &bld->ini.sections[i];

        if (sec->index == BUILD_NOWHERE)
            continue;
        if (is_kind(sec, "table")) {
            sec->index = sp->tables_len++;
            sp->tables[sec->index].name = named(bld, sec->name);
        } else if (is_kind(sec, "stream")) {
            sec->index = sp->streams_len++;
            sp->streams[sec->index].name = named(bld, sec->name);
        } else if (is_kind(sec, "query")) {
            sec->index = sp->queries_len++;
            sp->queries[sec->index].name = named(bld, sec->name);
        } else if (is_kind(sec, "event")) {
            sec->index = sp->events_len++;
            sp->events[sec->index].name = named(bld, sec->name);
            sp->events[sec->index].server = -1;
        } else if (is_kind(sec, "expect")) {
            sec->index = sp->expects_len++;
            sp->expects[sec->index].name = named(bld, sec->name);
        } else if (is_kind(sec, "plan")) {
            sp->has_plan = true;
        }
    }
}

bool build_lost_table(const struct build *bld, const char *name)
{
    if (bld->ini.bad_heads > 0)
        return true;
    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        if (bld->ini.sections[i].index == BUILD_NOWHERE && strcmp(bld->ini.sections[i].name, name) == 0)
            return true;
    }
    return false;
}

static void unknown_table(struct build *bld, struct scenario_place at, const char *name)
{
    struct suggest best;

    if (build_lost_table(bld, name))
        return;
    suggest_begin(&best, name);
    for (size_t i = 0; i < bld->sc->spec.tables_len; i++)
        suggest_offer(&best, bld->sc->spec.tables[i].name);
    if (best.name)
        diags_error(bld->dgs, at, "unknown table '%s'; did you mean '%s'?", name, best.name);
    else
        diags_error(bld->dgs, at, "unknown table '%s'", name);
}

static void place_family(struct build *bld, struct ini_section *sec)
{
    struct spec *sp = &bld->sc->spec;
    char table[INI_SECTION_MAX + 1];
    const char *family;
    struct spec_table *tab;
    struct spec_family *all;
    size_t t = 0;

    family_words(sec->name, table, &family);
    while (t < sp->tables_len && strcmp(sp->tables[t].name, table) != 0)
        t++;
    if (t == sp->tables_len) {
        unknown_table(bld, sec->at, table);
        sec->index = BUILD_NOWHERE;
        return;
    }
    tab = &sp->tables[t];
    all = realloc(tab->families, (tab->families_len + 1) * sizeof *all);
    if (!all) {
        bld->no_memory = true;
        return;
    }
    tab->families = all;
    memset(&all[tab->families_len], 0, sizeof *all);
    all[tab->families_len].name = named(bld, family);
    sec->index = t << 16 | tab->families_len++;
}

/* "[table] needs 'key'" and the like, for the section's head. */
static void missing(struct build *bld, const struct ini_section *sec, const struct scenario_key *key)
{
    char header[INI_SECTION_MAX + 4];

    if (sec->double_section || sec->bad_lines)
        return; /* it may stand there, or on a line that could not be read */
    diags_error(bld->dgs, sec->at, "section %s needs the key '%s'", ini_header(sec, header), key->name);
    diags_hint(bld->dgs, "add '%s = ...': %s", key->name, key_form(key));
}

static bool read_one(struct build *bld, const struct scenario_key *key, void *target, struct ini_entry *entry,
                     size_t nth)
{
    struct key_reader rd = {.key = key, .value = entry ? entry->value : key->dflt, .nth = nth,
                            .folder = bld->folder, .dgs = bld->dgs};
    char *folder = NULL;
    bool good;

    if (entry) {
        rd.at = entry->value_at;
        rd.folder = folder = build_folder_of(bld, rd.at);
    }
    if (entry && !folder) {
        bld->no_memory = true;
        return false;
    }
    good = key_read(&rd, target);
    bld->no_memory |= rd.no_memory;
    free(folder);
    return good;
}

static void read_key(struct build *bld, struct ini_section *sec, const struct scenario_key *key, void *target)
{
    struct ini_entry *entry = ini_entry_find(sec, key->name, 0), *more;
    char place[80];

    if (!entry) {
        if (!key->dflt)
            missing(bld, sec, key);
        else if (key->dflt[0])
            read_one(bld, key, target, NULL, 0);
        return;
    }
    entry->bad = !read_one(bld, key, target, entry, 0);
    for (size_t n = 1; (more = ini_entry_find(sec, key->name, n)); n++) {
        if (key->repeats) {
            more->bad = !read_one(bld, key, target, more, n);
            continue;
        }
        diags_error(bld->dgs, more->key_at, "'%s' stands already at %s", key->name,
                    build_place_text(entry->key_at, place, sizeof place));
    }
}

/* A section that the file does not have, with all its keys at their defaults. */
static void default_section(struct build *bld, const char *kind)
{
    struct ini_section none = {.kind = NULL};

    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        char name[INI_SECTION_MAX + 1];
        struct ini_section sec = none;
        void *target;

        if (strcmp(key->section, kind) != 0)
            continue;
        snprintf(name, sizeof name, "%s", kind);
        sec.kind = name;
        target = build_target(&bld->sc->spec, &sec);
        if (!key->dflt && bld->odd_heads > 0)
            continue;
        if (!key->dflt) {
            diags_error(bld->dgs, (struct scenario_place){bld->file, 0, 0}, "section [%s] needs the key '%s'", kind,
                        key->name);
            diags_hint(bld->dgs, "add '%s = ...': %s", key->name, key_form(key));
        } else if (key->dflt[0]) {
            read_one(bld, key, target, NULL, 0);
        }
    }
}

/* Where else a key of that name lives; NULL if nowhere. */
static const char *other_section(const char *kind, const char *name)
{
    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        if (strcmp(key->section, kind) != 0 && strcmp(key->name, name) == 0)
            return key->section;
    }
    return NULL;
}

static void unknown_property(struct build *bld, const struct ini_entry *entry)
{
    struct suggest best, beyond;
    const char *name;

    if (hbase_property_known(entry->key)) {
        diags_error(bld->dgs, entry->key_at, "%s is a property of HBase that this version does not model", entry->key);
        diags_hint(bld->dgs, "remove it; 'saltplan explain hbase' lists those that are modelled");
        return;
    }
    suggest_begin(&best, entry->key);
    suggest_begin(&beyond, entry->key);
    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        if (strcmp(key->section, "hbase") == 0)
            suggest_offer(&best, key->name);
    }
    for (size_t i = 0; (name = hbase_property_name(i)); i++)
        suggest_offer(&beyond, name);
    if (best.name && best.distance <= beyond.distance)
        diags_error(bld->dgs, entry->key_at, "unknown property '%s'; did you mean '%s'?", entry->key, best.name);
    else if (beyond.name)
        diags_error(bld->dgs, entry->key_at, "unknown property '%s'; '%s' is one, but is not modelled", entry->key,
                    beyond.name);
    else
        diags_error(bld->dgs, entry->key_at, "unknown property '%s'", entry->key);
    if (!best.name || best.distance > beyond.distance)
        diags_hint(bld->dgs, "'saltplan explain hbase' lists those that are modelled");
}

/* The keys of a section with few of them. */
static void hint_keys(struct build *bld, const char *kind)
{
    struct text list = {0};
    size_t n = 0;

    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        if (strcmp(key->section, kind) == 0)
            text_add(&list, "%s%s", n++ > 0 ? ", " : "", key->name);
    }
    if (n > 0 && n <= HINT_KEYS_MAX && !list.failed)
        diags_hint(bld->dgs, "keys in [%s] are: %s", kind, list.chars);
    bld->no_memory |= list.failed;
    text_free(&list);
}

static void unknown_key(struct build *bld, const struct ini_section *sec, const struct ini_entry *entry)
{
    const char *later = scenario_not_yet(sec->kind, entry->key), *other;
    struct suggest here, there;

    if (later) {
        diags_error(bld->dgs, entry->key_at, "'%s' in [%s] is not yet supported by this version (%s)", entry->key,
                    sec->kind, later);
        return;
    }
    if (is_kind(sec, "hbase")) {
        unknown_property(bld, entry);
        return;
    }
    other = other_section(sec->kind, entry->key);
    suggest_begin(&here, entry->key);
    suggest_begin(&there, entry->key);
    for (const struct scenario_key *key = scenario_keys; key->section; key++)
        suggest_offer(strcmp(key->section, sec->kind) == 0 ? &here : &there, key->name);
    if (here.name)
        diags_error(bld->dgs, entry->key_at, "unknown key '%s' in [%s]; did you mean '%s'?", entry->key, sec->kind,
                    here.name);
    else if (other)
        diags_error(bld->dgs, entry->key_at, "unknown key '%s' in [%s]; it belongs to [%s]", entry->key, sec->kind,
                    other);
    else if (there.name)
        diags_error(bld->dgs, entry->key_at, "unknown key '%s' in [%s]; did you mean '%s' of [%s]?", entry->key,
                    sec->kind, there.name, other_section(sec->kind, there.name));
    else
        diags_error(bld->dgs, entry->key_at, "unknown key '%s' in [%s]", entry->key, sec->kind);
    if (!here.name)
        hint_keys(bld, sec->kind);
}

static void read_section(struct build *bld, struct ini_section *sec)
{
    void *target = build_target(&bld->sc->spec, sec);
    char header[INI_SECTION_MAX + 4];

    for (size_t i = 0; i < sec->entries_len; i++) {
        if (!scenario_key_find(sec->kind, sec->entries[i].key))
            unknown_key(bld, sec, &sec->entries[i]);
    }
    if (sec->entries_len == 0) {
        if (!sec->bad_lines && !sec->double_section) {
            diags_error(bld->dgs, sec->at, "section %s holds no key", ini_header(sec, header));
            diags_hint(bld->dgs, "remove it, or give it its keys");
        }
        return;
    }
    if (!target)
        return;
    for (const struct scenario_key *key = scenario_keys; key->section && !bld->no_memory; key++) {
        if (is_kind(sec, key->section))
            read_key(bld, sec, key, target);
    }
}

/* Values that follow from others, once all are read. */
static void finish(struct spec *sp)
{
    if (sp->hbase.max_callqueue_length == 0)
        sp->hbase.max_callqueue_length = 10 * sp->hbase.handler_count;
    for (size_t i = 0; i < sp->streams_len; i++) {
        struct spec_stream *str = &sp->streams[i];

        if (str->buffer_bytes == SPEC_BUFFER_SITE)
            str->buffer_bytes = sp->hbase.client_write_buffer_bytes;
        if (str->arrival == SPEC_ARRIVAL_EVERY && str->every_ns > 0)
            str->rate_per_s = (double)str->entities / ((double)str->every_ns / 1e9);
    }
}

void build_resolve(struct build *bld)
{
    static const char *const always[] = {"scenario", "cluster", "server", "hbase"};
    struct ini_file *ini = &bld->ini;

    bld->odd_heads = ini->bad_heads;
    for (size_t i = 0; i < ini->sections_len; i++) {
        struct ini_section *sec = &ini->sections[i];

        sec->index = check_head(bld, sec) ? 0 : BUILD_NOWHERE;
        bld->odd_heads += sec->index == BUILD_NOWHERE && !scenario_not_yet(sec->kind, NULL);
    }
    place_sections(bld);
    for (size_t i = 0; i < ini->sections_len && !bld->no_memory; i++) {
        if (is_kind(&ini->sections[i], "family") && ini->sections[i].index != BUILD_NOWHERE)
            place_family(bld, &ini->sections[i]);
    }
    for (size_t i = 0; i < ini->sections_len && !bld->no_memory; i++) {
        if (scenario_section_kind(ini->sections[i].kind))
            read_section(bld, &ini->sections[i]);
    }
    for (size_t i = 0; i < sizeof always / sizeof always[0] && !bld->no_memory; i++) {
        if (!ini_find(ini, always[i], ""))
            default_section(bld, always[i]);
    }
    finish(&bld->sc->spec);
}
