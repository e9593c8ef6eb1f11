/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands, each defined in its own file cmd_NAME.c. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cli.h"

extern const struct cli_command cli_cmd_sim;
extern const struct cli_command cli_cmd_plan;
extern const struct cli_command cli_cmd_migrate;
extern const struct cli_command cli_cmd_check;
extern const struct cli_command cli_cmd_show;
extern const struct cli_command cli_cmd_explain;
extern const struct cli_command cli_cmd_chart;
extern const struct cli_command cli_cmd_why;
extern const struct cli_command cli_cmd_diff;
extern const struct cli_command cli_cmd_report;
extern const struct cli_command cli_cmd_presets;
extern const struct cli_command cli_cmd_completion;
extern const struct cli_command cli_cmd_key;
extern const struct cli_command cli_cmd_splits;
extern const struct cli_command cli_cmd_merge;

#endif
