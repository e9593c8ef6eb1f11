/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "cli/cmd_plan_emit.h"
#include "cli/outcome.h"
#include "plan/layouts.h"
#include "plan/plan.h"
#include "report/layouts.h"
#include "report/plan.h"
#include "report/report.h"
#include "result/atomic.h"
#include "result/json.h"

#define SHARDS_MAX 10000

static const struct cli_option options[] = {
    {'o', "output", "DIR", "write report.txt, plan.md, result.json, CSV tables and pictures there; of --layouts layouts.png, "
     "layouts.csv and lint.csv"},
    {0, "json", NULL, "print the result as JSON instead of the report"},
    {0, "format", "FORMAT", "text (default), markdown: a page for a design review, json, or csv of --layouts"},
    {0, "emit", "TARGET", "print what to type for the recommended N instead: shell, splits-file, phoenix, ..."},
    {0, "layouts", NULL, "other layouts of the key instead: which serves which query as a range, at what cost, and what is "
     "known to be bad about each key"},
    {0, "latency", NULL, "a run of each candidate that times its queries: RPCs, p50 and p99 of each by N, and the "
     "picture latency"},
    {0, "shard", "I/N", "try every N-th candidate only, from the I-th on; --merge joins the results"},
    {0, "merge", NULL, "join the result.json files of all shards, given after the scenario"},
    {0, "jobs", "N", "candidates at the same time; 0 = one a processor"},
    {'q', "quiet", NULL, "no progress on the terminal"},
    {0, NULL, NULL, NULL},
};

static enum cli_exit read_shard(const struct cli_args *args, struct plan_options *opt)
{
    const char *text = cli_option_text(args, "shard");
    unsigned i = 0, n = 0;
    int end = 0;

    if (!text)
        return CLI_DONE;
    if (sscanf(text, "%5u/%5u%n", &i, &n, &end) != 2 || text[end] != '\0' || i < 1 || i > n || n > SHARDS_MAX) {
        cli_error("--shard %s: not a shard, as 1/4 to 4/4", text);
        return CLI_USAGE;
    }
    opt->shard = i;
    opt->shards = n;
    return CLI_DONE;
}

static enum cli_exit read_format(const struct cli_args *args, struct outcome *out)
{
    const char *text = cli_option_text(args, "format");

    if (!text || strcmp(text, "text") == 0)
        return CLI_DONE;
    if (strcmp(text, "markdown") == 0)
        out->print = report_write_markdown;
    else if (strcmp(text, "json") == 0)
        out->print = result_write_json;
    else if (strcmp(text, "csv") != 0 || !cli_option_given(args, "layouts")) {
        cli_error("--format %s: not a format: text, markdown or json", text);
        return CLI_USAGE;
    }
    return CLI_DONE;
}

static enum cli_exit check_use(const struct cli_args *args, const struct outcome *out, const struct plan_options *opt)
{
    const bool merge = cli_option_given(args, "merge");

    if (!out->scenario.spec.has_plan) {
        cli_error("%s has no [plan] section: nothing says which bucket counts to compare", cli_scenario_name(args, 0));
        cli_hint("add [plan] with candidates = none,1,8,12,16 and targets = hot_server_ratio <= 1.6");
        return CLI_USAGE;
    }
    if (opt->query_times && (merge || out->scenario.spec.queries_len == 0)) {
        cli_error(merge ? "--merge times nothing: give --latency to the shards"
                        : "--latency: %s has no [query] section, so there is nothing to time", cli_scenario_name(args, 0));
        return CLI_USAGE;
    }
    if (merge && opt->shards > 0) {
        cli_error("--merge and --shard exclude each other");
        return CLI_USAGE;
    }
    if (merge ? args->operands_len < 2 : args->operands_len > 1) {
        cli_error(merge ? "--merge needs the shards' result.json files after the scenario" : "one scenario is planned at a time");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

/* Reads the shards and joins them. */
static enum cli_exit merge_shards(const struct cli_args *args, const struct plan_options *opt, struct outcome *out, int *rc)
{
    const size_t n = args->operands_len - 1;
    struct result *shards = calloc(n, sizeof *shards);
    enum cli_exit code = shards ? CLI_DONE : CLI_INTERNAL;
    char message[400];
    size_t read = 0;

    while (code == CLI_DONE && read < n) {
        if (result_read_json(args->operands[read + 1], message, sizeof message, &shards[read]) == 0) {
            read++;
            continue;
        }
        cli_error("%s", message);
        code = CLI_FILE;
    }
    if (code == CLI_DONE)
        *rc = plan_merge(&out->scenario.spec, opt, &(struct plan_shards){shards, n}, &out->result, &out->end);
    for (size_t i = 0; i < read; i++)
        result_free(&shards[i]);
    free(shards);
    return code;
}

static int print_shard(const struct result *res, FILE *to)
{
    fprintf(to, "%zu candidates tried; join all shards with: saltplan plan SCENARIO --merge FILES\n",
            res->plan.candidates_len);
    return ferror(to) ? -1 : 0;
}

static enum cli_exit finish(const struct cli_args *args, const struct plan_options *opt, struct outcome *out, int rc)
{
    const char *target = cli_option_text(args, "emit");
    enum cli_exit code;

    if (opt->shards > 0 && rc == 0 && !out->result.partial && !out->print && !cli_option_given(args, "json"))
        out->print = print_shard;
    if (rc == 0 && opt->shards == 0 && plan_emit_create(&out->scenario.spec, &out->result.plan) != CLI_DONE) {
        cli_error("out of memory");
        return CLI_INTERNAL;
    }
    if (target && rc == 0 && out->result.partial) {
        cli_error("interrupted: nothing is decided, and nothing to emit");
        return outcome_interrupted();
    }
    if (target && rc == 0)
        return plan_emit(&out->scenario.spec, &out->result.plan, target);
    code = outcome_write(out, rc);
    if (code == CLI_DONE && opt->shards == 0 && out->result.plan.recommended_n < 0)
        code = CLI_NEGATIVE;
    return code;
}

static const char *const layouts_picture[] = {"layouts", NULL};

static enum cli_exit write_lint(const char *dir, const struct result_layouts *layouts)
{
    const size_t size = strlen(dir) + sizeof "/lint.csv";
    char *path = malloc(size);
    struct atomic_file file;
    bool good;

    if (!path)
        return CLI_INTERNAL;
    snprintf(path, size, "%s/lint.csv", dir);
    good = atomic_open(&file, path) == 0;
    free(path);
    if (good)
        result_lint_csv(layouts, file.stream);
    if (good && atomic_commit(&file) == 0)
        return CLI_DONE;
    cli_error("%s", file.message);
    return CLI_FILE;
}

/* layouts.png, layouts.csv and lint.csv, where a folder is named. */
static enum cli_exit draw_layouts(const struct cli_args *args, const struct result *res)
{
    const char *dir = cli_option_text(args, "output");
    char message[400] = "";

    if (dir && chart_write(res, &(struct chart_job){.dir = dir, .names = layouts_picture}, message, sizeof message) != 0) {
        cli_error("%s", message);
        return CLI_FILE;
    }
    if (message[0])
        cli_error("warning: %s", message);
    return dir ? write_lint(dir, res->layouts) : CLI_DONE;
}

/* --layouts: the matrix, in the format that was asked for. */
static enum cli_exit run_layouts(const struct cli_args *args, struct outcome *out)
{
    const char *format = cli_option_text(args, "format");
    const bool json = cli_option_given(args, "json") || (format && strcmp(format, "json") == 0);
    struct result *res = &out->result;
    int rc;

    if (out->scenario.spec.queries_len == 0) {
        cli_error("%s has no [query] section: nothing tells one layout from another", args->operands[0]);
        return CLI_USAGE;
    }
    if (cli_option_given(args, "emit") || cli_option_given(args, "latency") || cli_option_given(args, "shard") ||
        cli_option_given(args, "merge") || args->operands_len > 1) {
        cli_error("--layouts prints its table, as --format text, markdown, csv or json, and draws it with -o; "
                  "it takes no --emit, --latency, --shard, --merge or results");
        return CLI_USAGE;
    }
    res->layouts = calloc(1, sizeof *res->layouts);
    rc = res->layouts ? plan_layouts(&out->scenario.spec, &out->control, res->layouts, &out->end) : SIM_NO_MEMORY;
    if (rc != 0) {
        cli_error("%s", out->end.message[0] ? out->end.message : "out of memory");
        return CLI_INTERNAL;
    }
    if (out->end.partial) {
        cli_error("interrupted: not all layouts are simulated, so nothing is compared");
        return outcome_interrupted();
    }
    if ((json ? result_layouts_json(res->layouts, stdout)
         : format && strcmp(format, "csv") == 0 ? result_layouts_csv(res->layouts, stdout)
         : report_layouts(res->layouts, format && strcmp(format, "markdown") == 0, stdout)) != 0)
        return CLI_FILE;
    return draw_layouts(args, res);
}

static enum cli_exit run(const struct cli_args *args)
{
    struct outcome out;
    enum cli_exit code = outcome_open(args, &out);
    struct plan_options opt = {.jobs = out.jobs, .query_times = cli_option_given(args, "latency")};
    int rc = 0;

    if (code == CLI_DONE)
        code = read_shard(args, &opt);
    if (code == CLI_DONE)
        code = read_format(args, &out);
    if (code == CLI_DONE && cli_option_given(args, "layouts")) {
        code = run_layouts(args, &out);
        outcome_close(&out);
        return code;
    }
    if (code == CLI_DONE)
        code = check_use(args, &out, &opt);
    if (code == CLI_DONE && cli_option_given(args, "emit"))
        code = plan_emit_check(cli_option_text(args, "emit"));
    if (code == CLI_DONE)
        code = outcome_introduce(&out);
    if (code == CLI_DONE && cli_option_given(args, "merge"))
        code = merge_shards(args, &opt, &out, &rc);
    else if (code == CLI_DONE)
        rc = plan_run(&out.scenario.spec, &opt, &out.control, &out.result, &out.end);
    if (code == CLI_DONE)
        code = finish(args, &opt, &out, rc);
    outcome_close(&out);
    return code;
}

const struct cli_command cli_cmd_plan = {
    .name = "plan",
    .summary = "Choose the bucket count: try each candidate, compare, recommend the smallest that will do",
    .operands = "[SCENARIO [RESULT...]]",
    .examples = "  saltplan plan --servers 12 --write-rate 100k/s --row 1kB\n"
                "  saltplan plan preset:iot-telemetry\n"
                "  saltplan plan scenario.ini --servers 16 -o out\n"
                "  saltplan plan scenario.ini --format markdown >review.md\n"
                "  saltplan plan scenario.ini --emit shell | hbase shell -n\n"
                "  saltplan plan scenario.ini --set '[plan] growth=12 -> 16 servers in 2y'\n"
                "  saltplan plan scenario.ini --layouts --format markdown\n"
                "  saltplan plan scenario.ini --layouts -o out\n"
                "  saltplan plan scenario.ini --latency -o out\n"
                "  saltplan plan scenario.ini --shard 1/4 --json >1.json\n"
                "  saltplan plan scenario.ini --merge 1.json 2.json 3.json 4.json\n",
    .details = "The recommended N is run once more, for at most 300 million rows at the peak rate, unless events are in\n"
               "the scenario: where that is shorter than its duration, the note N-SHORTENED says so. What this run and\n"
               "the gates of level stop say against the N stands in the verdict, behind \"But\"; the exit status stays 0.\n"
               "Exit status: 0 a candidate is recommended, 1 none meets the targets (or none can help), 2 wrong\n"
               "usage or scenario, 3 a file can't be read or written, 130 interrupted, 143 terminated, 129 hung up.\n",
    .options = options,
    .takes_scenario = true,
    .operands_min = 0,
    .operands_max = -1,
    .run = run,
};
