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

/* The longest key of the section that begins at value |i|, for the column of the '='. */
static int key_width(const struct scenario *sc, size_t i)
{
    const char *section = sc->values[i].section;
    size_t width = 0;

    for (; i < sc->values_len && strcmp(sc->values[i].section, section) == 0; i++) {
        size_t len = strlen(sc->values[i].key->name);

        width = len > width ? len : width;
    }
    return (int)width;
}

static void print_value(const struct scenario_value *value, int width, bool origin)
{
    const struct scenario_place *at = &value->place;
    char from[160] = "default";
    size_t len = (size_t)width + 3 + strlen(value->text);

    if (at->file && at->line > 0)
        snprintf(from, sizeof from, "%s:%d", at->file, at->line);
    else if (at->file)
        snprintf(from, sizeof from, "%s", at->file);
    /* A line must not outgrow what is read back; its origin then stands before it. */
    if (origin && len + 3 + strlen(from) > INI_LINE_MAX) {
        printf("; %s\n", from);
        origin = false;
    }
    printf("%-*s = %s", width, value->key->name, value->text);
    if (origin)
        printf("%*s; %s", len < 46 ? (int)(46 - len) : 2, "", from);
    fputc('\n', stdout);
}

static enum cli_exit run(const struct cli_args *args)
{
    struct scenario sc;
    enum cli_exit code = cli_load_scenario(args, 0, &sc, NULL);
    const char *section = "";
    int width = 0;

    if (code != CLI_DONE)
        return code;
    for (size_t i = 0; i < sc.values_len; i++) {
        const struct scenario_value *value = &sc.values[i];

        if (strcmp(section, value->section) != 0) {
            printf("%s[%s]\n", i > 0 ? "\n" : "", value->section);
            section = value->section;
            width = key_width(&sc, i);
        }
        print_value(value, width, cli_option_given(args, "origin"));
    }
    scenario_free(&sc);
    return CLI_DONE;
}

const struct cli_command cli_cmd_show = {
    .name = "show",
    .summary = "Print the resolved scenario: every value, defaults included, as a scenario again",
    .operands = "SCENARIO",
    .examples = "  saltplan show scenario.ini --origin\n"
                "  saltplan show preset:iot-telemetry --buckets 24 > mine.ini\n",
    .options = options,
    .takes_scenario = true,
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
