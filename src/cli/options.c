/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of a command through getopt_long. Its taste for abbreviations is refused: a script that
   says --dur would break the day another option begins the same way. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "scenario/suggest.h"

#define OPTIONS_MAX 40
#define LETTERS_MAX (2 * OPTIONS_MAX + 3)
/* getopt_long returns FIRST_LONG + row for a long option without a letter. */
#define FIRST_LONG 1000

/* The rows of a command as getopt_long wants them. */
struct option_rows {
    const struct cli_option *rows[OPTIONS_MAX];
    size_t len;
    struct option longs[OPTIONS_MAX + 1];
    char letters[LETTERS_MAX];
};

static void rows_add(struct option_rows *all, const struct cli_option *opt)
{
    size_t at = strlen(all->letters);

    for (; opt && opt->name && all->len < OPTIONS_MAX; opt++) {
        struct option *lng = &all->longs[all->len];

        lng->name = opt->name;
        lng->has_arg = opt->argument ? required_argument : no_argument;
        lng->flag = NULL;
        lng->val = FIRST_LONG + (int)all->len;
        all->rows[all->len++] = opt;
        if (opt->letter) {
            all->letters[at++] = opt->letter;
            if (opt->argument)
                all->letters[at++] = ':';
        }
    }
    all->letters[at] = '\0';
}

static void say_unknown(const struct option_rows *all, const char *word)
{
    const char *name = word + strspn(word, "-");
    struct suggest best = {0};
    char typed[80];
    size_t len = strcspn(name, "=");

    if (len >= sizeof typed)
        len = sizeof typed - 1;
    memcpy(typed, name, len);
    typed[len] = '\0';
    suggest_begin(&best, typed);
    for (size_t i = 0; i < all->len; i++) {
        suggest_offer(&best, all->rows[i]->name);
        if (strncmp(all->rows[i]->name, typed, len) == 0 && !best.name)
            best.name = all->rows[i]->name;
    }
    if (word[0] == '-' && word[1] != '-')
        cli_error("unknown option '%s'", word);
    else if (best.name)
        cli_error("unknown option '--%s'; did you mean '--%s'?", typed, best.name);
    else
        cli_error("unknown option '--%s'", typed);
}

/* Whether argv's long option was written out in full; getopt_long takes any clear beginning. */
static bool spelled_out(char **argv, const struct cli_option *opt)
{
    for (int back = 1; back <= 2 && optind - back >= 0; back++) {
        const char *word = argv[optind - back];
        size_t len;

        if (word[0] != '-' || word[1] != '-')
            continue;
        len = strcspn(word + 2, "=");
        if (back == 2 && (!opt->argument || word[2 + len] == '='))
            continue;
        if (len == strlen(opt->name) && strncmp(word + 2, opt->name, len) == 0)
            return true;
    }
    return false;
}

static const struct cli_option *row_of(const struct option_rows *all, int code)
{
    if (code >= FIRST_LONG)
        return all->rows[code - FIRST_LONG];
    for (size_t i = 0; i < all->len; i++) {
        if (all->rows[i]->letter == code)
            return all->rows[i];
    }
    return NULL;
}

/* One answer of getopt_long; false when it is an error, which is then printed. */
static bool take(const struct option_rows *all, int code, char **argv, struct cli_args *args)
{
    const struct cli_option *opt = row_of(all, code);

    if (code == 1) {
        args->operands[args->operands_len++] = optarg;
        return true;
    }
    if (code == ':') {
        cli_error("option '%s' needs an argument", argv[optind - 1]);
        return false;
    }
    if (!opt || (code >= FIRST_LONG && !spelled_out(argv, opt))) {
        char letter[3] = {'-', (char)optopt, '\0'};
        const char *word = argv[optind - 1];

        if (opt && opt->argument && !(word[0] == '-' && word[1] == '-') && optind >= 2)
            word = argv[optind - 2];
        say_unknown(all, !opt && optopt > 0 && optopt < FIRST_LONG ? letter : word);
        return false;
    }
    args->given[args->given_len].option = opt;
    args->given[args->given_len++].text = opt->argument ? optarg : NULL;
    return true;
}

static bool operands_fit(const struct cli_args *args)
{
    const struct cli_command *cmd = args->command;

    if (args->operands_len < (size_t)cmd->operands_min) {
        cli_error("'%s' needs %s", cmd->name, cmd->operands);
        cli_hint("saltplan %s --help", cmd->name);
        return false;
    }
    if (cmd->operands_max >= 0 && args->operands_len > (size_t)cmd->operands_max) {
        cli_error("unexpected operand '%s'", args->operands[cmd->operands_max]);
        cli_hint("saltplan %s --help", cmd->name);
        return false;
    }
    return true;
}

enum cli_exit cli_args_read(const struct cli_command *command, int argc, char **argv, struct cli_args *args)
{
    struct option_rows all = {.letters = "-:"};
    int code;

    memset(args, 0, sizeof *args);
    args->command = command;
    args->operands = calloc((size_t)argc + 1, sizeof *args->operands);
    args->given = calloc((size_t)argc + 1, sizeof *args->given);
    if (!args->operands || !args->given) {
        cli_args_free(args);
        return CLI_INTERNAL;
    }
    rows_add(&all, command->options);
    if (command->takes_scenario)
        rows_add(&all, cli_scenario_options);
    opterr = 0;
    optind = 1;
    while ((code = getopt_long(argc, argv, all.letters, all.longs, NULL)) != -1) {
        if (!take(&all, code, argv, args)) {
            cli_args_free(args);
            return CLI_USAGE;
        }
    }
    while (optind < argc)
        args->operands[args->operands_len++] = argv[optind++];
    if (!operands_fit(args)) {
        cli_args_free(args);
        return CLI_USAGE;
    }
    return CLI_DONE;
}

void cli_args_free(struct cli_args *args)
{
    free(args->operands);
    free(args->given);
    memset(args, 0, sizeof *args);
}

bool cli_option_given(const struct cli_args *args, const char *name)
{
    for (size_t i = 0; i < args->given_len; i++) {
        if (strcmp(args->given[i].option->name, name) == 0)
            return true;
    }
    return false;
}

const char *cli_option_text(const struct cli_args *args, const char *name)
{
    const char *text = NULL;

    for (size_t i = 0; i < args->given_len; i++) {
        if (strcmp(args->given[i].option->name, name) == 0)
            text = args->given[i].text;
    }
    return text;
}
