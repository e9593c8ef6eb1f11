/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/cost.h"
#include "cli/outcome.h"
#include "sim/sim.h"

static const struct cli_option options[] = {
    {'o', "output", "DIR", "write report.txt, result.json, CSV tables and pictures there"},
    {0, "json", NULL, "print the result as JSON instead of the report"},
    {0, "jobs", "N", "threads for the scenario and its comparisons; 0 = one a processor"},
    {'q', "quiet", NULL, "no progress on the terminal"},
    {0, NULL, NULL, NULL},
};

static enum cli_exit run(const struct cli_args *args)
{
    struct outcome out;
    enum cli_exit code = outcome_open(args, &out);

    if (code == CLI_DONE)
        code = outcome_introduce(&out);
    if (code == CLI_DONE) {
        if (!cli_option_given(args, "quiet"))
            cli_cost_announce(cli_scenario_name(args, 0), &out.scenario.spec);
        const int rc = sim_all(&out.scenario.spec, out.jobs, &out.control, &out.result, &out.end);

        code = outcome_write(&out, rc);
    }
    outcome_close(&out);
    return code;
}

const struct cli_command cli_cmd_sim = {
    .name = "sim",
    .summary = "Run a scenario: what happens to the table, its regions and its servers",
    .operands = "[SCENARIO]",
    .examples = "  saltplan sim preset:iot-telemetry -o out\n"
                "  saltplan sim scenario.ini --buckets 24 --expect 'hot_server_ratio <= 1.2 over last 1h'\n"
                "  saltplan sim scenario.ini --json | jq .summary.hot_server_ratio\n",
    .details = "Exit status: 0 done, 1 an expectation fails, 2 wrong usage or scenario, or an expectation that can't\n"
               "be judged, 3 a file can't be read or written,\n"
               "130 interrupted, 143 terminated, 129 hung up (what was simulated so far is written and says so).\n",
    .options = options,
    .takes_scenario = true,
    .operands_min = 0,
    .operands_max = 1,
    .run = run,
};
