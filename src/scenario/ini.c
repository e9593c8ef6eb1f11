/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lists of sections and entries; ini_lines.c fills them. */
#include "scenario/ini.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/text.h"

static void entry_free(struct ini_entry *entry)
{
    free(entry->key);
    free(entry->value);
}

void ini_free(struct ini_file *ini)
{
    for (size_t i = 0; i < ini->sections_len; i++) {
        struct ini_section *sec = &ini->sections[i];

        free(sec->kind);
        free(sec->name);
        for (size_t k = 0; k < sec->entries_len; k++)
            entry_free(&sec->entries[k]);
        free(sec->entries);
    }
    free(ini->sections);
    memset(ini, 0, sizeof *ini);
}

struct ini_section *ini_find(const struct ini_file *ini, const char *kind, const char *name)
{
    for (size_t i = 0; i < ini->sections_len; i++) {
        if (strcmp(ini->sections[i].kind, kind) == 0 && strcmp(ini->sections[i].name, name) == 0)
            return &ini->sections[i];
    }
    return NULL;
}

struct ini_entry *ini_entry_find(const struct ini_section *section, const char *key, size_t n)
{
    for (size_t i = 0; i < section->entries_len; i++) {
        if (strcmp(section->entries[i].key, key) == 0 && n-- == 0)
            return &section->entries[i];
    }
    return NULL;
}

/* Room for one more element of |size|; the new place is zeroed. */
static void *grown(void *items, size_t len, size_t *cap, size_t size)
{
    if (len == *cap) {
        size_t more = *cap ? 2 * *cap : 8;
        void *larger = realloc(items, more * size);

        if (!larger)
            return NULL;
        *cap = more;
        items = larger;
    }
    memset((char *)items + len * size, 0, size);
    return items;
}

struct ini_section *ini_add_section(struct ini_file *ini, const char *kind, const char *name,
                                    struct scenario_place at)
{
    struct ini_section *sec;
    void *all = grown(ini->sections, ini->sections_len, &ini->sections_cap, sizeof *ini->sections);

    if (all) {
        ini->sections = all;
        sec = &ini->sections[ini->sections_len];
        sec->kind = text_dup(kind, strlen(kind));
        sec->name = text_dup(name, strlen(name));
        sec->at = at;
        if (sec->kind && sec->name) {
            ini->sections_len++;
            return sec;
        }
        free(sec->kind);
        free(sec->name);
    }
    ini->no_memory = true;
    return NULL;
}

struct ini_entry *ini_add_entry(struct ini_file *ini, struct ini_section *section, const char *key,
                                const char *value)
{
    struct ini_entry *entry;
    void *all = grown(section->entries, section->entries_len, &section->entries_cap, sizeof *section->entries);

    if (all) {
        section->entries = all;
        entry = &section->entries[section->entries_len];
        entry->key = text_dup(key, strlen(key));
        entry->value = text_dup(value, strlen(value));
        if (entry->key && entry->value) {
            section->entries_len++;
            return entry;
        }
        entry_free(entry);
    }
    ini->no_memory = true;
    return NULL;
}

void ini_remove(struct ini_section *section, const char *key)
{
    size_t kept = 0;

    for (size_t i = 0; i < section->entries_len; i++) {
        if (strcmp(section->entries[i].key, key) == 0)
            entry_free(&section->entries[i]);
        else
            section->entries[kept++] = section->entries[i];
    }
    section->entries_len = kept;
}

static size_t copy_word(const char *text, size_t len, size_t i, char *word)
{
    size_t n = 0;

    while (i < len && (text[i] == ' ' || text[i] == '\t'))
        i++;
    while (i < len && text[i] != ' ' && text[i] != '\t' && n < INI_SECTION_MAX)
        word[n++] = text[i++];
    word[n] = '\0';
    return i;
}

bool ini_split_header(const char *text, size_t len, char *kind, char *name)
{
    char more[INI_SECTION_MAX + 1];
    size_t i = copy_word(text, len, 0, kind);

    i = copy_word(text, len, i, name);
    copy_word(text, len, i, more);
    return kind[0] != '\0' && more[0] == '\0';
}

const char *ini_header(const struct ini_section *section, char *text)
{
    snprintf(text, INI_SECTION_MAX + 4, "[%s%s%s]", section->kind, section->name[0] ? " " : "", section->name);
    return text;
}
