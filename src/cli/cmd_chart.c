/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "cli/commands.h"
#include "cli/result_file.h"
#include "result/measured.h"
#include "scenario/suggest.h"

#define NAMES_MAX 32

static const struct cli_option options[] = {
    {'o', "output", "DIR", "write the pictures there; without it beside the result"},
    {0, "only", "NAME,...", "these pictures only"},
    {0, "format", "FORMAT,...", "png, svg or pdf; png by default"},
    {0, "scale", "FACTOR", "so many pixels for each of the page's, from 0.25 to 8: 2 for print and dense screens"},
    {0, "size", "WIDTHxHEIGHT", "the largest page of 16 x 9 that fits, instead of 1600x900"},
    {0, "theme", "light|dark", "colours for a white or a dark page"},
    {0, "measured", "FILE", "figures of a real cluster beside the model's, for the picture calibration"},
    {0, "dump-layout", NULL, "print what stands where on each page, draw nothing"},
    {0, NULL, NULL, NULL},
};

/* The pictures asked for: |list| is cut at its commas, |names| ends with NULL. */
static enum cli_exit read_names(char *list, const char *names[NAMES_MAX + 1])
{
    size_t len = 0;

    for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
        if (!chart_picture_by_name(name)) {
            char known[400] = "";
            struct suggest best;

            suggest_begin(&best, name);
            for (const struct chart_picture *pic = chart_pictures; pic->name; pic++) {
                suggest_offer(&best, pic->name);
                strncat(known, known[0] ? ", " : "", sizeof known - strlen(known) - 1);
                strncat(known, pic->name, sizeof known - strlen(known) - 1);
            }
            if (best.name)
                cli_error("--only: there is no picture '%s'; did you mean '%s'?", name, best.name);
            else
                cli_error("--only: there is no picture '%s'", name);
            cli_hint("the pictures are: %s", known);
            return CLI_USAGE;
        }
        if (len < NAMES_MAX)
            names[len++] = name;
    }
    names[len] = NULL;
    if (len == 0) {
        cli_error("--only: no picture is named");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

static enum cli_exit bad_value(const char *option, const char *text, const char *wanted)
{
    cli_error("--%s: '%s' is not %s", option, text, wanted);
    return CLI_USAGE;
}

static enum cli_exit read_formats(const char *text, struct chart_style *style)
{
    while (*text) {
        size_t len = strcspn(text, ",");
        bool known = false;

        for (int format = DRAW_PNG; format <= DRAW_PDF; format++) {
            if (strlen(chart_endings[format]) != len || strncmp(chart_endings[format], text, len) != 0)
                continue;
            style->formats[format] = known = true;
        }
        if (!known)
            return bad_value("format", text, "png, svg or pdf, or a list of them");
        text += len + (text[len] == ',');
    }
    return CLI_DONE;
}

/* A page of 16 x 9 inside |text|, as 1600x900. */
static enum cli_exit read_size(const char *text, double *zoom)
{
    double width, height;
    char *end;

    width = strtod(text, &end);
    if (end == text || *end != 'x')
        return bad_value("size", text, "a size such as 1600x900");
    text = end + 1;
    height = strtod(text, &end);
    if (end == text || *end != '\0' || !(width > 0 && height > 0))
        return bad_value("size", text, "a size such as 1600x900");
    *zoom *= width / PAGE_WIDTH < height / PAGE_HEIGHT ? width / PAGE_WIDTH : height / PAGE_HEIGHT;
    return CLI_DONE;
}

static enum cli_exit read_style(const struct cli_args *args, struct chart_style *style)
{
    const char *scale = cli_option_text(args, "scale"), *theme = cli_option_text(args, "theme");
    const char *size = cli_option_text(args, "size"), *format = cli_option_text(args, "format");
    char *end;

    style->zoom = 1;
    if (format && (!*format || read_formats(format, style) != CLI_DONE))
        return *format ? CLI_USAGE : bad_value("format", format, "png, svg or pdf");
    if (theme && strcmp(theme, "dark") != 0 && strcmp(theme, "light") != 0)
        return bad_value("theme", theme, "light or dark");
    style->dark = theme && strcmp(theme, "dark") == 0;
    if (scale) {
        style->zoom = strtod(scale, &end);
        if (end == scale || *end != '\0')
            return bad_value("scale", scale, "a number");
    }
    if (size && read_size(size, &style->zoom) != CLI_DONE)
        return CLI_USAGE;
    if (!(style->zoom >= 0.25 && style->zoom <= 8))
        return bad_value(size ? "size" : "scale", size ? size : scale, "between 0.25 and 8 times 1600x900");
    return CLI_DONE;
}

/* A picture that was asked for by name and can't be drawn is worth a word. */
static void say_missing(const struct result *res, const char *const *names)
{
    for (size_t i = 0; names && names[i]; i++)
        if (!chart_picture_by_name(names[i])->applies(res))
            cli_error("warning: %s: the result holds nothing for this picture", names[i]);
}

static enum cli_exit read_measured(const struct cli_args *args, struct result *res)
{
    const char *path = cli_option_text(args, "measured");
    char message[600] = "";
    int rc = path ? result_read_measured(path, res, message, sizeof message) : 0;

    if (rc == 0)
        return CLI_DONE;
    cli_error("%s", message);
    if (rc == -2)
        cli_hint("a line 'case,figure,measured,simulated' comes first; figure and measured are needed");
    return rc == -1 ? CLI_FILE : CLI_USAGE;
}

static enum cli_exit draw(const struct cli_args *args, const struct result *res, const char *folder,
                          const char *const *names)
{
    struct chart_job job = {.names = names};
    const char *dir = cli_option_text(args, "output");
    char message[600] = "";

    job.dir = dir ? dir : folder;
    if (read_style(args, &job.style) != CLI_DONE)
        return CLI_USAGE;
    say_missing(res, names);
    if (cli_option_given(args, "dump-layout")) {
        if (chart_dump(res, names, stdout) == 0 && fflush(stdout) == 0)
            return CLI_DONE;
        if (errno == EPIPE)
            return CLI_DONE;
        cli_error("standard output: %s", strerror(errno));
        return CLI_FILE;
    }
    if (chart_write(res, &job, message, sizeof message) != 0) {
        cli_error("%s", message);
        return CLI_FILE;
    }
    if (message[0])
        cli_error("warning: %s", message);
    return CLI_DONE;
}

static enum cli_exit run(const struct cli_args *args)
{
    const char *only = cli_option_text(args, "only"), *names[NAMES_MAX + 1] = {NULL};
    char folder[RESULT_PATH_MAX], *list = NULL;
    enum cli_exit code = CLI_DONE;
    struct result res;

    if (only) {
        list = malloc(strlen(only) + 1);
        if (!list) {
            cli_error("out of memory");
            return CLI_INTERNAL;
        }
        code = read_names(strcpy(list, only), names);
    }
    if (code == CLI_DONE && (code = cli_read_result(args->operands[0], &res, folder)) == CLI_DONE) {
        code = read_measured(args, &res);
        if (code == CLI_DONE)
            code = draw(args, &res, folder, only ? names : NULL);
        result_free(&res);
    }
    free(list);
    return code;
}

const struct cli_command cli_cmd_chart = {
    .name = "chart",
    .summary = "Draw the pictures of a result again, without simulating",
    .operands = "RESULT",
    .examples = "  saltplan chart out/result.json\n"
                "  saltplan chart out -o pictures --only keyspace,servers\n"
                "  saltplan chart out --format svg,pdf --theme dark\n"
                "  saltplan chart out --scale 2 --only summary\n"
                "  saltplan chart out --measured cluster.csv --only calibration\n",
    .details = "RESULT is a result.json, or the folder that holds one. Each picture is a page of 1600 x 900 with a\n"
               "CSV of its data beside it. SVG and PDF hold letters and lines, a PDF in points.\n"
               "Exit status: 0 done, 2 wrong usage, 3 a file can't be read or written.\n",
    .options = options,
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
