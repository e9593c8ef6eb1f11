/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "cli/commands.h"
#include "scenario/unit.h"

static const struct cli_option options[] = {
    {'q', "quiet", NULL, "say nothing about a good scenario"},
    {0, "strict", NULL, "exit with 1 when there are warnings"},
    {0, NULL, NULL, NULL},
};

/* One line that shows what was understood. */
static void print_good(const char *operand, const struct spec *sp)
{
    char duration[UNIT_TEXT_CAP], rate[UNIT_TEXT_CAP], rows[UNIT_TEXT_CAP];
    double per_s = 0, all;

    for (size_t i = 0; i < sp->streams_len; i++)
        per_s += sp->streams[i].rate_per_s;
    unit_write_whole(UNIT_DURATION, sp->duration_ns, duration);
    unit_write_real(UNIT_RATE, per_s, rate);
    all = per_s * (double)sp->duration_ns / (double)SPEC_NS_PER_S;
    unit_write_whole(UNIT_COUNT, all < 9e18 ? (int64_t)(all + 0.5) : INT64_MAX, rows);
    printf("%s: good; servers %d, tables %zu, streams %zu, queries %zu; %s rows in %s, %s\n", operand,
           sp->cluster.servers, sp->tables_len, sp->streams_len, sp->queries_len, rows, duration, rate);
}

static enum cli_exit run(const struct cli_args *args)
{
    enum cli_exit worst = CLI_DONE;

    for (size_t i = 0; i < args->operands_len; i++) {
        struct scenario_diags dgs = {0};
        struct scenario sc;
        enum cli_exit code = cli_load_scenario(args, i, &sc, &dgs);

        if (code == CLI_DONE && !cli_option_given(args, "quiet"))
            print_good(args->operands[i], &sc.spec);
        if (code == CLI_DONE && dgs.len > 0 && cli_option_given(args, "strict"))
            worst = worst > CLI_NEGATIVE ? worst : CLI_NEGATIVE;
        if (code == CLI_DONE)
            scenario_free(&sc);
        worst = worst > code ? worst : code;
        diags_free(&dgs);
    }
    return worst;
}

const struct cli_command cli_cmd_check = {
    .name = "check",
    .summary = "Read a scenario and say all that is wrong with it; nothing is simulated",
    .operands = "SCENARIO...",
    .examples = "  saltplan check scenario.ini\n"
                "  saltplan check scenario.ini --set '[table telemetry] buckets=24'\n",
    .details = "Exit status: 0 good, 1 warnings with --strict, 2 errors, 3 a file can't be read.\n",
    .options = options,
    .takes_scenario = true,
    .operands_min = 1,
    .operands_max = -1,
    .run = run,
};
