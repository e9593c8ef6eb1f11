/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the presets are. The program's own neighbourhood comes before the installed folder, so that
   a program that was just built shows the scenarios that belong to it. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/presets.h"
#include "scenario/suggest.h"

#define PATH_CAP 4096

static bool is_folder(const char *path)
{
    DIR *dir = opendir(path);

    if (dir)
        closedir(dir);
    return dir != NULL;
}

/* Folders beside the program: an installation that was moved, a build in the source tree, one
   beside it, and libtool's .libs below either. */
static bool folder_beside_program(char *path, size_t cap)
{
    static const struct {
        int up;
        const char *name;
    } beside[] = {{1, "share/saltplan/scenarios"}, {0, "scenarios"}, {1, "scenarios"}, {2, "scenarios"}};
    char program[PATH_CAP];
    ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);

    if (len <= 0)
        return false;
    program[len] = '\0';
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        int n, folder = (int)strlen(program);

        /* The link is absolute and has no "..": folders are left by cutting, so that messages name a plain path. */
        for (int up = 0; up <= beside[i].up && folder > 0; up++)
            while (folder > 0 && program[--folder] != '/')
                ;
        n = snprintf(path, cap, "%.*s/%s", folder, program, beside[i].name);
        if (n > 0 && (size_t)n < cap && is_folder(path))
            return true;
    }
    return false;
}

bool cli_preset_folder(char *path, size_t cap)
{
    const char *given = getenv("SALTPLAN_SCENARIOS");
    int n;

    if (given && given[0]) {
        n = snprintf(path, cap, "%s", given);
        return n > 0 && (size_t)n < cap && is_folder(path);
    }
    if (folder_beside_program(path, cap))
        return true;
    n = snprintf(path, cap, "%s", PKGDATADIR "/scenarios");
    return n > 0 && (size_t)n < cap && is_folder(path);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void cli_presets_free(struct cli_presets *prs)
{
    for (size_t i = 0; i < prs->len; i++)
        free(prs->names[i]);
    free(prs->names);
    memset(prs, 0, sizeof *prs);
}

static bool add_name(struct cli_presets *prs, const char *file)
{
    size_t len = strlen(file);
    char **all, *name;

    if (len <= 4 || strcmp(file + len - 4, ".ini") != 0 || file[0] == '.')
        return true;
    all = realloc(prs->names, (prs->len + 1) * sizeof *all);
    if (!all)
        return false;
    prs->names = all;
    name = malloc(len - 3);
    if (!name)
        return false;
    memcpy(name, file, len - 4);
    name[len - 4] = '\0';
    all[prs->len++] = name;
    return true;
}

enum cli_exit cli_presets_list(struct cli_presets *prs)
{
    struct dirent *entry;
    DIR *dir;
    bool good = true;

    memset(prs, 0, sizeof *prs);
    if (!cli_preset_folder(prs->folder, sizeof prs->folder)) {
        cli_error("the folder of the presets is missing");
        cli_hint("set SALTPLAN_SCENARIOS to a folder with scenarios");
        return CLI_FILE;
    }
    dir = opendir(prs->folder);
    while (dir && good && (entry = readdir(dir)))
        good = add_name(prs, entry->d_name);
    if (dir)
        closedir(dir);
    if (!good) {
        cli_presets_free(prs);
        return CLI_INTERNAL;
    }
    if (prs->len > 0)
        qsort(prs->names, prs->len, sizeof *prs->names, by_name);
    return CLI_DONE;
}

enum cli_exit cli_preset_path(const char *name, char *path, size_t cap)
{
    struct cli_presets prs;
    struct suggest best;
    enum cli_exit code = cli_presets_list(&prs);
    bool found = false;

    if (code != CLI_DONE)
        return code;
    suggest_begin(&best, name);
    for (size_t i = 0; i < prs.len; i++) {
        suggest_offer(&best, prs.names[i]);
        found |= strcmp(prs.names[i], name) == 0;
    }
    if (found) {
        snprintf(path, cap, "%s/%s.ini", prs.folder, name);
    } else if (best.name) {
        cli_error("unknown preset '%s'; did you mean '%s'?", name, best.name);
    } else {
        cli_error("unknown preset '%s'", name);
        cli_hint("saltplan presets lists them");
    }
    cli_presets_free(&prs);
    return found ? CLI_DONE : CLI_USAGE;
}
