/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a command's operand and options to a checked scenario. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/first.h"

#define PRESET "preset:"
#define PATH_CAP 4096

static const struct {
    const char *option;
    enum scenario_override_kind kind;
} override_options[] = {
    {"set", SCENARIO_SET},           {"property", SCENARIO_PROPERTY}, {"buckets", SCENARIO_BUCKETS},
    {"servers", SCENARIO_SERVERS},   {"rate", SCENARIO_RATE},         {"duration", SCENARIO_DURATION},
    {"seed", SCENARIO_SEED},         {"detail", SCENARIO_DETAIL},
    {"expect", SCENARIO_EXPECT},     {"write-rate", SCENARIO_RATE},   {"row", SCENARIO_ROW},
};

/* |presets| is where `preset = NAME` looks; "" = nowhere. */
static size_t overrides_of(const struct cli_args *args, const char *presets, struct scenario_override *out)
{
    size_t len = 0;

    if (presets[0]) {
        out[len].kind = SCENARIO_PRESETS;
        out[len++].text = presets;
    }

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

/* The scenario that options alone stand for. */
static enum scenario_status load_first(const struct cli_args *args, const struct scenario_override *overrides, size_t len,
                                       struct scenario *sc, struct scenario_diags *list)
{
    char *bytes = cli_first_text(args);
    struct scenario_text text = {FIRST_NAME, bytes, bytes ? strlen(bytes) : 0};
    enum scenario_status status = bytes ? scenario_parse(&text, overrides, len, sc, list) : SCENARIO_NO_MEMORY;

    free(bytes);
    return status;
}

const char *cli_scenario_name(const struct cli_args *args, size_t i)
{
    return i < args->operands_len ? args->operands[i] : FIRST_NAME;
}

enum cli_exit cli_load_scenario(const struct cli_args *args, size_t i, struct scenario *sc,
                                struct scenario_diags *dgs)
{
    struct scenario_diags own = {0};
    struct scenario_diags *list = dgs ? dgs : &own;
    struct scenario_override *overrides;
    const char *operand = cli_scenario_name(args, i);
    char path[PATH_CAP], presets[PATH_CAP] = "";
    enum cli_exit code = cli_first_asked(args) ? cli_first_check(args) : CLI_DONE;
    size_t len;

    if (code == CLI_DONE && !cli_first_asked(args) && strncmp(operand, PRESET, strlen(PRESET)) == 0) {
        code = cli_preset_path(operand + strlen(PRESET), path, sizeof path);
        operand = path;
    }
    if (code != CLI_DONE)
        return code;
    overrides = calloc(args->given_len + 2, sizeof *overrides);
    if (!overrides)
        return exit_of(SCENARIO_NO_MEMORY);
    if (!cli_preset_folder(presets, sizeof presets))
        presets[0] = '\0';
    len = overrides_of(args, presets, overrides);
    code = exit_of(cli_first_asked(args) ? load_first(args, overrides, len, sc, list)
                                         : scenario_load(operand, overrides, len, sc, list));
    free(overrides);
    cli_print_diags(list);
    diags_free(&own);
    return code;
}
