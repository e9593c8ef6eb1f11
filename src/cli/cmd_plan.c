/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/outcome.h"
#include "plan/plan.h"

static const struct cli_option options[] = {
    {'o', "output", "DIR", "write report.txt, result.json, CSV tables and pictures there"},
    {0, "json", NULL, "print the result as JSON instead of the report"},
    {0, "jobs", "N", "candidates at the same time; 0 = one a processor"},
    {'q', "quiet", NULL, "no progress on the terminal"},
    {0, NULL, NULL, NULL},
};

static enum cli_exit run(const struct cli_args *args)
{
    struct outcome out;
    enum cli_exit code = outcome_open(args, &out);

    if (code == CLI_DONE && !out.scenario.spec.has_plan) {
        cli_error("%s has no [plan] section: nothing says which bucket counts to compare", args->operands[0]);
        cli_hint("add [plan] with candidates = none,1,8,12,16 and targets = hot_server_ratio <= 1.6");
        code = CLI_USAGE;
    }
    if (code == CLI_DONE) {
        const int rc = plan_run(&out.scenario.spec, out.jobs, &out.control, &out.result, &out.end);

        code = outcome_write(&out, rc);
        if ((code == CLI_DONE || code == CLI_NEGATIVE) && out.result.plan.recommended_n < 0)
            code = CLI_NEGATIVE;
    }
    outcome_close(&out);
    return code;
}

const struct cli_command cli_cmd_plan = {
    .name = "plan",
    .summary = "Choose the bucket count: run each candidate, compare, recommend the smallest that will do",
    .operands = "SCENARIO",
    .examples = "  saltplan plan preset:iot-telemetry\n"
                "  saltplan plan scenario.ini --servers 16 -o out\n"
                "  saltplan plan scenario.ini --set '[plan] candidates=none,8..32 x2'\n",
    .details = "Exit status: 0 a candidate is recommended and keeps the expectations, 1 not so, 2 wrong usage or\n"
               "scenario, 3 a file can't be read or written, 130 interrupted.\n",
    .options = options,
    .takes_scenario = true,
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
