/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sim and plan share: a loaded scenario, the run's control (interrupts, progress on a terminal),
   the result and where it goes. */
#ifndef CLI_OUTCOME_H
#define CLI_OUTCOME_H

#include <stdio.h>

#include "cli/cli.h"
#include "result/result.h"
#include "sim/sim.h"

struct outcome {
    const struct cli_args *args;
    struct scenario scenario;
    bool loaded;
    struct sim_control control;
    struct result result;
    unsigned jobs;
    bool progress_shown;
    int (*print)(const struct result *res, FILE *to); /* instead of the report or --json; NULL = these */
    struct sim_end end;
};

/* Reads options and scenario; prints what is wrong. outcome_close in any case. */
enum cli_exit outcome_open(const struct cli_args *args, struct outcome *out);

/* Prints the scenario that options alone stand for, before its report; nothing for other scenarios or formats. */
enum cli_exit outcome_introduce(const struct outcome *out);

/* After the run ended with |rc|: prints the report or the JSON, writes the folder of -o. */
enum cli_exit outcome_write(struct outcome *out, int rc);

/* The exit status of a run that was asked to stop: by SIGTERM, SIGHUP, or else SIGINT. */
enum cli_exit outcome_interrupted(void);
void outcome_close(struct outcome *out);

#endif
