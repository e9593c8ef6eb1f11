/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scenario rests on: `preset = NAME` and `include = FILE` of [scenario]. Each is a scenario of
   its own; a key of the file that names it stands above it, a later include above an earlier one, and
   every include above the preset. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/build.h"
#include "scenario/file.h"
#include "scenario/suggest.h"

#define DEPTH_MAX 8
#define NAME_MAX_BYTES 100

static void lay_over(struct build *bld, struct ini_file *under, const struct ini_section *sec)
{
    struct ini_section *base = ini_find(under, sec->kind, sec->name);

    if (!base)
        base = ini_add_section(under, sec->kind, sec->name, sec->at);
    for (size_t i = 0; base && i < sec->entries_len; i++)
        ini_remove(base, sec->entries[i].key);
    for (size_t i = 0; base && i < sec->entries_len; i++) {
        struct ini_entry *entry = ini_add_entry(under, base, sec->entries[i].key, sec->entries[i].value);

        if (entry) {
            entry->key_at = sec->entries[i].key_at;
            entry->value_at = sec->entries[i].value_at;
        }
    }
    if (!base || under->no_memory) {
        bld->no_memory = true;
        return;
    }
    base->at = sec->at;
    base->double_section |= sec->double_section;
    base->bad_lines |= sec->bad_lines;
}

/* |over| on top of |under|; |over| is empty afterwards. */
static void merge(struct build *bld, struct ini_file *under, struct ini_file *over)
{
    for (size_t i = 0; i < over->sections_len && !bld->no_memory; i++)
        lay_over(bld, under, &over->sections[i]);
    under->bad_heads += over->bad_heads;
    ini_free(over);
}

static void rest_on(struct build *bld, struct ini_file *top, int depth);

/* Reads the file, and what it rests on, onto |base|. */
static void read_base(struct build *bld, const char *path, const struct ini_entry *entry, struct ini_file *base, int depth)
{
    struct ini_file one = {0};
    const char *reason = NULL, *kept = build_keep(bld, path);
    size_t len = 0;
    char *bytes;

    if (!kept)
        return;
    switch (file_read_regular(path, SCENARIO_FILE_MAX, &bytes, &len, &reason)) {
    case FILE_OK:
        break;
    case FILE_NO_MEMORY:
        bld->no_memory = true;
        return;
    default:
        diags_error(bld->dgs, entry->value_at, "%s: %s: %s", entry->key, path, reason);
        bld->dgs->unreadable++;
        return;
    }
    if (ini_read(kept, bytes, len, &one, bld->dgs) < 0)
        bld->no_memory = true;
    else
        rest_on(bld, &one, depth + 1);
    merge(bld, base, &one);
    free(bytes);
}

/* The preset's file does not exist: which one may be meant? */
static void unknown_preset(struct build *bld, const struct ini_entry *entry)
{
    DIR *dir = opendir(bld->presets);
    struct dirent *file;
    struct suggest best;
    char nearest[NAME_MAX_BYTES + 1] = "", name[NAME_MAX_BYTES + 1];

    suggest_begin(&best, entry->value);
    while (dir && (file = readdir(dir))) {
        const size_t len = strlen(file->d_name), before = best.name ? best.distance : SIZE_MAX;

        if (len <= 4 || len > NAME_MAX_BYTES || strcmp(file->d_name + len - 4, ".ini") != 0)
            continue;
        memcpy(name, file->d_name, len - 4);
        name[len - 4] = '\0';
        suggest_offer(&best, name);
        if (best.name && best.distance < before)
            strcpy(nearest, name);
    }
    if (dir)
        closedir(dir);
    if (nearest[0])
        diags_error(bld->dgs, entry->value_at, "unknown preset '%s'; did you mean '%s'?", entry->value, nearest);
    else
        diags_error(bld->dgs, entry->value_at, "unknown preset '%s'", entry->value);
    diags_hint(bld->dgs, "'saltplan presets' lists them");
}

static void read_preset(struct build *bld, const struct ini_entry *entry, struct ini_file *base, int depth)
{
    struct text path = {0};
    FILE *probe;

    if (!bld->presets) {
        diags_error(bld->dgs, entry->value_at, "the folder of the presets is not known");
        return;
    }
    if (entry->value[0] == '\0' || strpbrk(entry->value, "/.") || strlen(entry->value) > NAME_MAX_BYTES - 4) {
        diags_error(bld->dgs, entry->value_at, "'%s' is no preset's name", entry->value);
        diags_hint(bld->dgs, "'saltplan presets' lists them; another file is named by include = FILE");
        return;
    }
    text_add(&path, "%s/%s.ini", bld->presets, entry->value);
    if (path.failed) {
        bld->no_memory = true;
        return;
    }
    probe = fopen(path.chars, "rb");
    if (probe) {
        fclose(probe);
        read_base(bld, path.chars, entry, base, depth);
    } else {
        unknown_preset(bld, entry);
    }
    text_free(&path);
}

static void read_include(struct build *bld, const struct ini_entry *entry, struct ini_file *base, int depth)
{
    char *folder = build_folder_of(bld, entry->value_at), *path = NULL;

    if (folder)
        path = file_beside(folder, entry->value, strlen(entry->value));
    if (path)
        read_base(bld, path, entry, base, depth);
    else
        bld->no_memory = true;
    free(path);
    free(folder);
}

static void rest_on(struct build *bld, struct ini_file *top, int depth)
{
    struct ini_section *sec = ini_find(top, "scenario", "");
    const struct ini_entry *entry;
    struct ini_file base = {0};

    if (!sec)
        return;
    entry = ini_entry_find(sec, "preset", 0);
    if (!entry)
        entry = ini_entry_find(sec, "include", 0);
    if (!entry)
        return;
    if (depth >= DEPTH_MAX) {
        diags_error(bld->dgs, entry->value_at, "scenarios rest on each other more than %d deep: a circle?", DEPTH_MAX);
        return;
    }
    if (ini_entry_find(sec, "preset", 1))
        diags_error(bld->dgs, ini_entry_find(sec, "preset", 1)->key_at, "a scenario rests on one preset");
    if (strcmp(entry->key, "preset") == 0)
        read_preset(bld, entry, &base, depth);
    for (size_t i = 0; !bld->no_memory && (entry = ini_entry_find(sec, "include", i)); i++)
        read_include(bld, entry, &base, depth);
    ini_remove(sec, "preset");
    ini_remove(sec, "include");
    merge(bld, &base, top);
    *top = base;
}

bool build_include(struct build *bld)
{
    const size_t errors = bld->dgs->errors;

    rest_on(bld, &bld->ini, 0);
    return bld->dgs->errors == errors;
}

/* The rows of the table are read here, not into the spec: only an option's gets this far. */
bool read_basis(struct key_reader *rd, void *target)
{
    (void)target;
    return reader_error(rd, 0, "a %s is named in the scenario's file%s", rd->key->name,
                        strcmp(rd->key->name, "preset") == 0 ? ", or as the operand preset:NAME" : "");
}

bool write_basis(const void *target, size_t i, struct text *out)
{
    (void)target;
    (void)i;
    (void)out;
    return false;
}
