/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to type elsewhere for the recommended N: `plan --emit TARGET`. */
#ifndef CLI_CMD_PLAN_EMIT_H
#define CLI_CMD_PLAN_EMIT_H

#include "cli/cli.h"
#include "result/result.h"
#include "spec/spec.h"

/* CLI_DONE, or CLI_USAGE with the list of targets. */
enum cli_exit plan_emit_check(const char *target);

/* Prints the text for each table that the plan is about. CLI_NEGATIVE where nothing is recommended;
   CLI_USAGE where a table has no such form. */
enum cli_exit plan_emit(const struct spec *sp, const struct result_plan *plan, const char *target);

/* The same for the hbase shell, into plan->create (left as it is where nothing is recommended or a
   table can't be written so). CLI_INTERNAL without memory. */
enum cli_exit plan_emit_create(const struct spec *sp, struct result_plan *plan);

#endif
