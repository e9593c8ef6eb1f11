/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/scenario.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/build.h"
#include "scenario/file.h"
#include "scenario/key.h"

const char *build_keep(struct build *bld, const char *text)
{
    struct scenario *sc = bld->sc;
    char *copy = text_dup(text, strlen(text));
    char **all = realloc(sc->places, (sc->places_len + 1) * sizeof *all);

    if (all)
        sc->places = all;
    if (!all || !copy) {
        free(copy);
        bld->no_memory = true;
        return NULL;
    }
    all[sc->places_len++] = copy;
    return copy;
}

void scenario_free(struct scenario *sc)
{
    spec_free(&sc->spec);
    for (size_t i = 0; i < sc->values_len; i++) {
        free(sc->values[i].section);
        free(sc->values[i].text);
    }
    free(sc->values);
    for (size_t i = 0; i < sc->places_len; i++)
        free(sc->places[i]);
    free(sc->places);
    memset(sc, 0, sizeof *sc);
    spec_init(&sc->spec);
}

/* The file's name without folder and ending; what comes from a pipe is "scenario". */
static char *base_name(const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    size_t len = strlen(base);

    if (strcmp(base, "-") == 0 || len == 0)
        return text_dup("scenario", strlen("scenario"));
    if (len > 4 && strcmp(base + len - 4, ".ini") == 0)
        len -= 4;
    return text_dup(base, len);
}

static char *folder_of(const char *name)
{
    const char *slash = strrchr(name, '/');

    return text_dup(name, slash ? (size_t)(slash - name + 1) : 0);
}

char *build_folder_of(const struct build *bld, struct scenario_place at)
{
    /* A name on the command line, or in the scenario itself. */
    if (!at.file || at.line == 0 || strcmp(at.file, bld->file) == 0)
        return text_dup(bld->folder, strlen(bld->folder));
    return folder_of(at.file);
}

static enum scenario_status build_all(struct build *bld, const struct scenario_text *text,
                                      const struct scenario_override *overrides, size_t overrides_len)
{
    bool whole;

    if (ini_read(bld->file, text->bytes, text->len, &bld->ini, bld->dgs) < 0)
        return SCENARIO_NO_MEMORY;
    for (size_t i = 0; i < overrides_len; i++)
        bld->presets = overrides[i].kind == SCENARIO_PRESETS ? overrides[i].text : bld->presets;
    whole = build_include(bld);
    if (bld->no_memory || bld->ini.no_memory)
        return SCENARIO_NO_MEMORY;
    if (whole)
        build_override(bld, overrides, overrides_len);
    if (whole && !bld->no_memory)
        build_resolve(bld);
    if (whole && !bld->no_memory)
        build_check(bld);
    if (!bld->no_memory && bld->dgs->errors == 0)
        build_values(bld);
    diags_sort(bld->dgs);
    if (bld->no_memory || bld->ini.no_memory || bld->dgs->no_memory)
        return SCENARIO_NO_MEMORY;
    if (bld->dgs->errors > 0)
        return bld->dgs->errors > bld->dgs->unreadable ? SCENARIO_INVALID : SCENARIO_UNREADABLE;
    return SCENARIO_OK;
}

enum scenario_status scenario_parse(const struct scenario_text *text, const struct scenario_override *overrides,
                                    size_t overrides_len, struct scenario *sc, struct scenario_diags *dgs)
{
    const char *name = strcmp(text->name, "-") == 0 ? "standard input" : text->name;
    char *folder = folder_of(text->name);
    struct build bld = {.sc = sc, .dgs = dgs, .folder = folder};
    enum scenario_status status = SCENARIO_NO_MEMORY;

    memset(sc, 0, sizeof *sc);
    spec_init(&sc->spec);
    bld.file = build_keep(&bld, name);
    sc->spec.base_name = base_name(text->name);
    if (folder && bld.file && sc->spec.base_name)
        status = build_all(&bld, text, overrides, overrides_len);
    ini_free(&bld.ini);
    free(folder);
    if (status != SCENARIO_OK)
        scenario_free(sc);
    return status;
}

enum scenario_status scenario_load(const char *path, const struct scenario_override *overrides,
                                   size_t overrides_len, struct scenario *sc, struct scenario_diags *dgs)
{
    struct scenario_place at = {strcmp(path, "-") == 0 ? "standard input" : path, 0, 0};
    struct scenario_text text = {.name = path};
    enum scenario_status status;
    char *bytes;

    memset(sc, 0, sizeof *sc);
    spec_init(&sc->spec);
    switch (file_read(path, SCENARIO_FILE_MAX, &bytes, &text.len)) {
    case FILE_OK:
        break;
    case FILE_TOO_LARGE:
        diags_error(dgs, at, "larger than any scenario (4 MiB)");
        return SCENARIO_INVALID;
    case FILE_NO_MEMORY:
        return SCENARIO_NO_MEMORY;
    default:
        diags_error(dgs, at, "%s", strerror(errno));
        return SCENARIO_UNREADABLE;
    }
    text.bytes = bytes;
    status = scenario_parse(&text, overrides, overrides_len, sc, dgs);
    free(bytes);
    return status;
}
