/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "cli/result_file.h"
#include "diff/diff.h"
#include "result/format.h"
#include "scenario/unit.h"

static const struct cli_option options[] = {
    {0, "band", "SHARE", "exit with 1 where a real change exceeds this share, as 5%"},
    {'o', "output", "DIR", "draw the pictures of A with B beside it there"},
    {0, NULL, NULL, NULL},
};

/* The ending of the name says what the number is. */
static const char *figure(const char *name, double value, char text[FORMAT_CAP])
{
    const size_t len = strlen(name);

    if (isnan(value))
        return strcpy(text, "-");
    if (len > 3 && strcmp(name + len - 3, "_us") == 0)
        return format_latency(value, text);
    if (len > 6 && strcmp(name + len - 6, "_per_s") == 0)
        return format_rate(value, text);
    if (len > 2 && strcmp(name + len - 2, "_s") == 0)
        return format_time(value, text);
    if (len > 6 && strcmp(name + len - 6, "_share") == 0)
        return format_percent(value, text);
    if (len > 6 && strcmp(name + len - 6, ".bytes") == 0)
        return format_bytes(value, text);
    return format_count(value, text);
}

static void print_change(const struct diff_change *c)
{
    char a[FORMAT_CAP], b[FORMAT_CAP], by[32] = "";

    if (isfinite(c->relative))
        snprintf(by, sizeof by, "%+.1f %%", 100 * c->relative);
    else if (!isnan(c->a) && !isnan(c->b))
        snprintf(by, sizeof by, "from 0");
    printf("%-5s  %-7s  %-26s %14s %14s  %9s\n", c->real ? "real" : "noise", diff_group_name(c->group), c->name,
           figure(c->name, c->a, a), figure(c->name, c->b, b), by);
}

static void print(const struct diff *d)
{
    size_t real = 0;

    for (size_t i = 0; i < d->len; i++) {
        print_change(&d->changes[i]);
        real += d->changes[i].real;
    }
    printf("%zu figures are the same, %zu differ: %zu real, %zu noise\n", d->same, d->len, real, d->len - real);
    if (d->same_scenario && !d->same_seed)
        printf("one scenario, two seeds: all that differs is chance, and this is its size\n");
    else if (d->same_scenario)
        printf("one scenario, one seed: %s\n", d->len ? "nothing may differ; the program changed, or a file it read"
                                                     : "nothing differs, as it must be");
    else if (!d->same_seed)
        printf("two seeds: placement is drawn anew, which makes lasting differences; take one seed\n");
}

/* A with B as its comparison. */
static enum cli_exit draw(struct result *a, struct result *b, const char *dir)
{
    struct result_run *kept = a->comparisons;
    const size_t kept_len = a->comparisons_len;
    char message[600] = "", *role = b->run.role, name[] = "twice";
    int rc;

    b->run.role = name;
    a->comparisons = &b->run;
    a->comparisons_len = 1;
    rc = chart_write_all(a, dir, message, sizeof message);
    a->comparisons = kept;
    a->comparisons_len = kept_len;
    b->run.role = role;
    if (message[0])
        cli_error("%s%s", rc == 0 ? "warning: " : "", message);
    return rc == 0 ? CLI_DONE : CLI_FILE;
}

/* What appeared, went away or grew from 0 exceeds every band. */
static enum cli_exit verdict(const struct diff *d, double band)
{
    for (size_t i = 0; i < d->len; i++) {
        if (d->changes[i].real && !(fabs(d->changes[i].relative) <= band))
            return CLI_NEGATIVE;
    }
    return CLI_DONE;
}

static enum cli_exit compare(const struct cli_args *args, const double *band, struct result *a, struct result *b)
{
    const char *dir = cli_option_text(args, "output");
    enum cli_exit code = CLI_DONE;
    struct diff d;

    if (diff_results(a, b, &d) != 0) {
        cli_error("out of memory");
        return CLI_INTERNAL;
    }
    print(&d);
    if (dir)
        code = draw(a, b, dir);
    if (code == CLI_DONE && band)
        code = verdict(&d, *band);
    diff_free(&d);
    return code;
}

static enum cli_exit run(const struct cli_args *args)
{
    const char *text = cli_option_text(args, "band");
    struct unit_problem why;
    char folder[RESULT_PATH_MAX];
    struct result a, b;
    double band = 0;
    enum cli_exit code;

    if (text && unit_read_real(UNIT_RATIO, text, strlen(text), &band, &why) != 0) {
        cli_error("--band %s: %s", text, why.message);
        return CLI_USAGE;
    }
    code = cli_read_result(args->operands[0], &a, folder);
    if (code != CLI_DONE)
        return code;
    code = cli_read_result(args->operands[1], &b, folder);
    if (code == CLI_DONE) {
        code = compare(args, text ? &band : NULL, &a, &b);
        result_free(&b);
    }
    result_free(&a);
    return code;
}

const struct cli_command cli_cmd_diff = {
    .name = "diff",
    .summary = "Compare two results: what changed, by how much, and whether it is more than chance",
    .operands = "A B",
    .examples = "  saltplan diff before/result.json after/result.json\n"
                "  saltplan diff before after --band 5%\n",
    .details = "A and B are result.json files, or folders that hold one; give both runs one seed. Real changes come\n"
               "first; within a group (load, clients, queries, regions) the largest stands first. A change of sample\n"
               "windows is real where the 99 % interval of the paired difference leaves out 0.\n"
               "A change under 0.05 % is called noise.\n"
               "Exit status: 0 done, 1 a real change exceeds --band (never without it), 2 wrong usage, 3 a file can't be read.\n",
    .options = options,
    .operands_min = 2,
    .operands_max = 2,
    .run = run,
};
