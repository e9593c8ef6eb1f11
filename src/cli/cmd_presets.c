/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/presets.h"

static enum cli_exit list(void)
{
    struct cli_presets prs;
    enum cli_exit code = cli_presets_list(&prs);

    if (code != CLI_DONE)
        return code;
    for (size_t i = 0; i < prs.len; i++) {
        struct scenario_diags dgs = {0};
        struct scenario sc;
        char path[4400];

        snprintf(path, sizeof path, "%s/%s.ini", prs.folder, prs.names[i]);
        if (scenario_load(path, NULL, 0, &sc, &dgs) == SCENARIO_OK)
            printf("%-24s  %s\n", prs.names[i], sc.spec.title ? sc.spec.title : "");
        else
            printf("%-24s  (not a scenario of this version)\n", prs.names[i]);
        scenario_free(&sc);
        diags_free(&dgs);
    }
    cli_presets_free(&prs);
    return CLI_DONE;
}

static enum cli_exit show(const char *name)
{
    char path[4400], bytes[4096];
    enum cli_exit code = cli_preset_path(name, path, sizeof path);
    size_t got;
    FILE *in;

    if (code != CLI_DONE)
        return code;
    in = fopen(path, "rb");
    while (in && (got = fread(bytes, 1, sizeof bytes, in)) > 0)
        fwrite(bytes, 1, got, stdout);
    if (!in || ferror(in)) {
        cli_error("%s: %s", path, strerror(errno));
        code = CLI_FILE;
    }
    if (in)
        fclose(in);
    return code;
}

static enum cli_exit run(const struct cli_args *args)
{
    if (args->operands_len == 0)
        return list();
    if (strcmp(args->operands[0], "show") != 0) {
        cli_error("'%s' is not expected here", args->operands[0]);
        cli_hint("saltplan presets show NAME");
        return CLI_USAGE;
    }
    if (args->operands_len < 2) {
        cli_error("'presets show' needs a preset's name");
        cli_hint("saltplan presets lists them");
        return CLI_USAGE;
    }
    return show(args->operands[1]);
}

const struct cli_command cli_cmd_presets = {
    .name = "presets",
    .summary = "List the scenarios that come with the program, or print one with its comments",
    .operands = "[show NAME]",
    .examples = "  saltplan presets\n"
                "  saltplan presets show iot-telemetry > mine.ini\n"
                "  saltplan sim preset:iot-telemetry -o out\n",
    .operands_min = 0,
    .operands_max = 2,
    .run = run,
};
