/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands, and the help texts that follow from it. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

const struct cli_command *const cli_commands[] = {
    &cli_cmd_sim,
    &cli_cmd_plan,
    &cli_cmd_migrate,
    &cli_cmd_key,
    &cli_cmd_splits,
    &cli_cmd_merge,
    &cli_cmd_chart,
    &cli_cmd_report,
    &cli_cmd_check,
    &cli_cmd_show,
    &cli_cmd_explain,
    &cli_cmd_why,
    &cli_cmd_diff,
    &cli_cmd_presets,
    &cli_cmd_completion,
    NULL,
};

const struct cli_option cli_scenario_options[] = {
    {0, "set", "'[SECTION] KEY=VALUE'", "change one value, in the scenario's own words; repeatable"},
    {'D', "property", "NAME=VALUE", "set a property of HBase, as its own tools take it; repeatable"},
    {0, "buckets", "N|none", "bucket count of every salted table"},
    {0, "servers", "N", "number of RegionServers"},
    {0, "rate", "RATE", "rows per second of the one stream, as 40k/s; --write-rate is the same"},
    {0, "write-rate", "RATE", "rows per second of the one stream"},
    {0, "row", "SIZE", "one value of that size in each row, as 1kB"},
    {0, "duration", "TIME", "simulated time, as 2h"},
    {0, "seed", "N", "seed of all random streams"},
    {0, "expect", "EXPR", "a bound to judge, as 'hot_server_ratio <= 1.6 over last 1h'; repeatable"},
    {0, "detail", "LEVEL", "auto, write, tick or flow: how finely arrivals are simulated"},
    {0, NULL, NULL, NULL},
};

const struct cli_command *cli_command_by_name(const char *name)
{
    for (size_t i = 0; cli_commands[i]; i++) {
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    }
    return NULL;
}

/* Twelve lines: what it is for, two examples, the commands, where to read on. */
void cli_print_overview(void)
{
    size_t column = 0;

    fputs("saltplan: simulate an HBase table with salted row keys, and choose its bucket count\n"
          "Try it:\n"
          "  saltplan plan --servers 12 --write-rate 100k/s --row 1kB    which bucket count, and why\n"
          "  saltplan sim preset:iot-telemetry -o out    what happens, hour by hour, with pictures\n"
          "\n"
          "Commands:\n",
          stdout);
    for (size_t i = 0; cli_commands[i]; i++) {
        const char *name = cli_commands[i]->name;

        if (column > 0 && column + 1 + strlen(name) > 80) {
            fputc('\n', stdout);
            column = 0;
        }
        column += (size_t)printf(column > 0 ? " %s" : "  %s", name);
    }
    fputs("\n\n"
          "saltplan COMMAND --help shows a command's options, examples first.\n"
          "saltplan presets lists scenarios to begin with; saltplan explain lists their keys.\n"
          "Exit: 0 done, 1 verdict negative, 2 usage or scenario, 3 file, 4 failure, 130 stopped.\n",
          stdout);
}

static void print_options(const struct cli_option *opt)
{
    for (; opt && opt->name; opt++) {
        char left[64];

        snprintf(left, sizeof left, "%c%c%s --%s%s%s", opt->letter ? '-' : ' ', opt->letter ? opt->letter : ' ',
                 opt->letter ? "," : " ", opt->name, opt->argument ? " " : "", opt->argument ? opt->argument : "");
        if (strlen(left) > 29)
            printf("  %s\n  %29s  %s\n", left, "", opt->help);
        else
            printf("  %-29s  %s\n", left, opt->help);
    }
}

void cli_print_help(const struct cli_command *command)
{
    bool operands = command->operands[0] != '\0';

    printf("%s\n\nExamples:\n%s\nUsage: saltplan %s [OPTIONS]%s%s\n", command->summary, command->examples,
           command->name, operands ? " " : "", command->operands);
    if (command->options) {
        fputs("\nOptions:\n", stdout);
        print_options(command->options);
    }
    if (command->takes_scenario) {
        fputs("\nOptions that change the scenario (a FILE, - for standard input, or preset:NAME; without one the\n"
              "scenario that --servers, --write-rate and --row stand for):\n", stdout);
        print_options(cli_scenario_options);
    }
    if (command->details)
        printf("\n%s", command->details);
}
