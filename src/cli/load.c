/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a command's operand and options to a checked scenario. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

#define PRESET "preset:"
#define PATH_CAP 4096

static const struct {
    const char *option;
    enum scenario_override_kind kind;
} override_options[] = {
    {"set", SCENARIO_SET},           {"property", SCENARIO_PROPERTY}, {"buckets", SCENARIO_BUCKETS},
    {"servers", SCENARIO_SERVERS},   {"rate", SCENARIO_RATE},         {"duration", SCENARIO_DURATION},
    {"seed", SCENARIO_SEED},         {"detail", SCENARIO_DETAIL},
    {"expect", SCENARIO_EXPECT},
};

static size_t overrides_of(const struct cli_args *args, struct scenario_override *out)
{
    size_t len = 0;

    for (size_t i = 0; i < args->given_len; i++) {
        for (size_t k = 0; k < sizeof override_options / sizeof override_options[0]; k++) {
            if (strcmp(args->given[i].option->name, override_options[k].option) != 0)
                continue;
            out[len].kind = override_options[k].kind;
            out[len++].text = args->given[i].text;
        }
    }
    return len;
}

static enum cli_exit exit_of(enum scenario_status status)
{
    switch (status) {
    case SCENARIO_OK:
        return CLI_DONE;
    case SCENARIO_INVALID:
        return CLI_USAGE;
    case SCENARIO_UNREADABLE:
        return CLI_FILE;
    case SCENARIO_NO_MEMORY:
        cli_error("not enough memory to read the scenario");
        break;
    }
    return CLI_INTERNAL;
}

enum cli_exit cli_load_scenario(const struct cli_args *args, size_t i, struct scenario *sc,
                                struct scenario_diags *dgs)
{
    struct scenario_diags own = {0};
    struct scenario_diags *list = dgs ? dgs : &own;
    struct scenario_override *overrides;
    const char *operand = args->operands[i];
    char path[PATH_CAP];
    enum cli_exit code;

    if (strncmp(operand, PRESET, strlen(PRESET)) == 0) {
        code = cli_preset_path(operand + strlen(PRESET), path, sizeof path);
        if (code != CLI_DONE)
            return code;
        operand = path;
    }
    overrides = calloc(args->given_len + 1, sizeof *overrides);
    if (!overrides)
        return exit_of(SCENARIO_NO_MEMORY);
    code = exit_of(scenario_load(operand, overrides, overrides_of(args, overrides), sc, list));
    free(overrides);
    cli_print_diags(list);
    diags_free(&own);
    return code;
}
