/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/result_file.h"
#include "page/page.h"
#include "report/report.h"
#include "result/atomic.h"

static const struct cli_option options[] = {
    {'o', "output", "FILE", "write the page there, - for standard output; without it report.html beside the result"},
    {0, "text", NULL, "print the text report instead"},
    {0, NULL, NULL, NULL},
};

static enum cli_exit to_stdout(const struct result *res, int (*write)(const struct result *res, FILE *to))
{
    if ((write(res, stdout) == 0 && fflush(stdout) == 0) || errno == EPIPE)
        return CLI_DONE;
    cli_error("standard output: %s", errno ? strerror(errno) : "the page could not be made");
    return CLI_FILE;
}

static enum cli_exit to_file(const struct result *res, const char *path)
{
    struct atomic_file file;

    if (atomic_open(&file, path) != 0) {
        cli_error("%s", file.message);
        return CLI_FILE;
    }
    if (page_write(res, file.stream) != 0 && !ferror(file.stream)) {
        atomic_discard(&file);
        cli_error("%s: no memory to make the page", path);
        return CLI_INTERNAL;
    }
    if (atomic_commit(&file) != 0) {
        cli_error("%s", file.message);
        return CLI_FILE;
    }
    printf("%s\n", path);
    return CLI_DONE;
}

static enum cli_exit run(const struct cli_args *args)
{
    const char *output = cli_option_text(args, "output");
    char folder[RESULT_PATH_MAX], path[RESULT_PATH_MAX + 16];
    struct result res;
    enum cli_exit code = cli_read_result(args->operands[0], &res, folder);

    if (code != CLI_DONE)
        return code;
    snprintf(path, sizeof path, "%s/report.html", folder);
    if (cli_option_given(args, "text"))
        code = to_stdout(&res, report_write_text);
    else if (output && strcmp(output, "-") == 0)
        code = to_stdout(&res, page_write);
    else
        code = to_file(&res, output ? output : path);
    result_free(&res);
    return code;
}

const struct cli_command cli_cmd_report = {
    .name = "report",
    .summary = "Make one HTML page of a result: verdict, pictures, tables, scenario",
    .operands = "RESULT",
    .examples = "  saltplan report out\n"
                "  saltplan report out/result.json -o review.html\n"
                "  saltplan report out --text\n",
    .details = "RESULT is a result.json, or the folder that holds one. The page needs no other file, no script and\n"
               "no network; it follows the reader's light or dark setting and prints on A4. Its path is printed.\n"
               "Exit status: 0 done, 2 wrong usage, 3 a file can't be read or written.\n",
    .options = options,
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
