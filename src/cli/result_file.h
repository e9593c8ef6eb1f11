/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result as an operand: a result.json, or the folder that `sim -o` wrote. */
#ifndef CLI_RESULT_FILE_H
#define CLI_RESULT_FILE_H

#include "cli/cli.h"
#include "result/result.h"

/* Reads it and prints what is wrong. CLI_DONE: result_free is the caller's. */
enum cli_exit cli_read_result(const char *operand, struct result *res);

#endif
