/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First contact: a scenario from --servers, --write-rate and --row alone, without a file. */
#ifndef CLI_FIRST_H
#define CLI_FIRST_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/cli.h"

/* The name that messages and reports give it. */
#define FIRST_NAME "first-contact"

/* Whether the command line stands for a scenario of its own: it names no operand. */
bool cli_first_asked(const struct cli_args *args);

/* Whether it says enough for one; prints what is missing. */
enum cli_exit cli_first_check(const struct cli_args *args);

/* The scenario as a text that the options change further; NULL without memory, the caller frees it. */
char *cli_first_text(const struct cli_args *args);

/* The same with the options' values in it, to be kept as a file: then the options are not needed. */
int cli_first_print(const struct cli_args *args, FILE *to);

#endif
