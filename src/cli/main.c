/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "scenario/suggest.h"

/* What stdout could not take is an error (a full disk), but for a reader that went away. */
static enum cli_exit finish(enum cli_exit code)
{
    bool failed = ferror(stdout) != 0;

    if ((fflush(stdout) != 0 || failed) && errno != EPIPE) {
        cli_error("standard output: %s", errno ? strerror(errno) : "write error");
        return CLI_FILE;
    }
    return code;
}

static enum cli_exit unknown_command(const char *name)
{
    struct suggest best;

    suggest_begin(&best, name);
    for (size_t i = 0; cli_commands[i]; i++)
        suggest_offer(&best, cli_commands[i]->name);
    if (best.name)
        cli_error("unknown command '%s'; did you mean '%s'?", name, best.name);
    else
        cli_error("unknown command '%s'", name);
    cli_hint("saltplan without arguments lists the commands");
    return CLI_USAGE;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    }
    return false;
}

static enum cli_exit run(const struct cli_command *command, int argc, char **argv)
{
    struct cli_args args;
    enum cli_exit code;

    if (asks_for_help(argc, argv)) {
        cli_print_help(command);
        return CLI_DONE;
    }
    code = cli_args_read(command, argc, argv, &args);
    if (code != CLI_DONE)
        return code;
    code = command->run(&args);
    cli_args_free(&args);
    return code;
}

int main(int argc, char **argv)
{
    const struct cli_command *command;

    gsl_set_error_handler_off();
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        command = argc > 2 ? cli_command_by_name(argv[2]) : NULL;
        if (command)
            cli_print_help(command);
        else
            cli_print_overview();
        return finish(CLI_DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        cli_print_version();
        return finish(CLI_DONE);
    }
    command = cli_command_by_name(argv[1]);
    if (!command)
        return finish(unknown_command(argv[1]));
    return finish(run(command, argc - 1, argv + 1));
}
