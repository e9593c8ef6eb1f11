/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "scenario/ini.h"
#include "scenario/key.h"

static const struct cli_option options[] = {
    {0, "origin", NULL, "say of each value where it comes from"},
    {0, NULL, NULL, NULL},
};

#define COMMENT_COLUMN_MAX 78

/* Columns of the section that begins at value |i|: its longest key, and its longest line that is
   not overlong. */
static void measure(const struct scenario *sc, size_t i, int *key_width, int *line_width)
{
    const char *section = sc->values[i].section;
    size_t width = 0, line = 0;

    for (size_t k = i; k < sc->values_len && strcmp(sc->values[k].section, section) == 0; k++) {
        size_t len = strlen(sc->values[k].key->name);

        width = len > width ? len : width;
    }
    for (size_t k = i; k < sc->values_len && strcmp(sc->values[k].section, section) == 0; k++) {
        size_t len = width + 3 + strlen(sc->values[k].text);

        if (len > line && len <= COMMENT_COLUMN_MAX)
            line = len;
    }
    *key_width = (int)width;
    *line_width = (int)line;
}

/* "iot-telemetry.ini:17": the file without its folder, so that two places print the same. */
static void print_origin(const struct scenario_place *at, char *from, size_t cap)
{
    const char *slash = at->file ? strrchr(at->file, '/') : NULL;

    if (at->file && at->line > 0)
        snprintf(from, cap, "%s:%d", slash ? slash + 1 : at->file, at->line);
    else
        snprintf(from, cap, "%s", at->file ? at->file : "default");
}

static void print_value(const struct scenario_value *value, int key_width, int line_width, bool origin)
{
    char from[160];
    int len = key_width + 3 + (int)strlen(value->text);

    print_origin(&value->place, from, sizeof from);
    /* A line must not outgrow what is read back; its origin then stands before it. */
    if (origin && (len > line_width ? len : line_width) + 4 + (int)strlen(from) > INI_LINE_MAX) {
        printf("; %s\n", from);
        origin = false;
    }
    printf("%-*s = %s", key_width, value->key->name, value->text);
    if (origin)
        printf("%*s ; %s", line_width > len ? line_width - len : 0, "", from);
    fputc('\n', stdout);
}

static enum cli_exit run(const struct cli_args *args)
{
    struct scenario sc;
    enum cli_exit code = cli_load_scenario(args, 0, &sc, NULL);
    const char *section = "";
    int key_width = 0, line_width = 0;

    if (code != CLI_DONE)
        return code;
    for (size_t i = 0; i < sc.values_len; i++) {
        const struct scenario_value *value = &sc.values[i];

        if (strcmp(section, value->section) != 0) {
            printf("%s[%s]\n", i > 0 ? "\n" : "", value->section);
            section = value->section;
            measure(&sc, i, &key_width, &line_width);
        }
        print_value(value, key_width, line_width, cli_option_given(args, "origin"));
    }
    scenario_free(&sc);
    return CLI_DONE;
}

const struct cli_command cli_cmd_show = {
    .name = "show",
    .summary = "Print the resolved scenario: every value, defaults included, as a scenario again",
    .operands = "[SCENARIO]",
    .examples = "  saltplan show scenario.ini --origin\n"
                "  saltplan show preset:iot-telemetry --buckets 24 > mine.ini\n"
                "  saltplan show --servers 12 --write-rate 240k/s --row 1kB\n",
    .options = options,
    .takes_scenario = true,
    .operands_min = 0,
    .operands_max = 1,
    .run = run,
};
