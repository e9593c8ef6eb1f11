/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operand RESULT of commands that read one: a result.json, or the folder that `sim -o` wrote. */
#ifndef CLI_RESULT_FILE_H
#define CLI_RESULT_FILE_H

#include "cli/cli.h"
#include "result/result.h"

#define RESULT_PATH_MAX 4096

/* Reads it into |res| (the caller frees it when CLI_DONE) and names the folder that it lies in; prints
   what is wrong. */
enum cli_exit cli_read_result(const char *operand, struct result *res, char folder[RESULT_PATH_MAX]);

#endif
