/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line. A command is one file cmd_NAME.c with one `const struct cli_command`, and one
   row in the table of commands.c; the dispatcher, the help texts and the completion come from
   there. Data goes to stdout, talk to stderr. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "scenario/scenario.h"

/* Exit status of the program. */
enum cli_exit {
    CLI_DONE = 0,                     /* and the verdict, where one was asked for, is positive */
    CLI_NEGATIVE = 1,                 /* the verdict is negative */
    CLI_USAGE = 2,                    /* usage or scenario error */
    CLI_FILE = 3,                     /* a file can't be read or written */
    CLI_INTERNAL = 4,                 /* internal failure, or no memory */
    CLI_HUNG_UP = 129,                /* 128 + the signal, as a shell says it */
    CLI_INTERRUPTED = 130,
    CLI_TERMINATED = 143
};

/* An option of a command. A row with name NULL ends a list. */
struct cli_option {
    char letter;                      /* 0 = none */
    const char *name;                 /* without the dashes */
    const char *argument;             /* "DIR"; NULL = takes none */
    const char *help;                 /* one line, no full stop */
};

struct cli_args;

struct cli_command {
    const char *name;
    const char *summary;              /* one line for the list of commands */
    const char *operands;             /* "SCENARIO", "" */
    const char *examples;             /* lines, each indented by two, ended by a newline */
    const char *details;              /* paragraphs under the options; NULL = none */
    const struct cli_option *options; /* its own; NULL = none */
    bool takes_scenario;              /* adds the options that change a scenario: --set -D ... */
    int operands_min, operands_max;   /* -1 = any number */
    enum cli_exit (*run)(const struct cli_args *args);
};

/* Ends with NULL. */
extern const struct cli_command *const cli_commands[];
extern const struct cli_option cli_scenario_options[];

/* An option as it was given; order is kept. */
struct cli_given {
    const struct cli_option *option;
    const char *text;                 /* NULL where it takes no argument */
};

struct cli_args {
    const struct cli_command *command;
    const char **operands;
    size_t operands_len;
    struct cli_given *given;
    size_t given_len;
};

/* Reads argv[1..] after the command's name; prints what is wrong. CLI_DONE, or CLI_USAGE,
   CLI_INTERNAL. cli_args_free releases it (not the texts, which are argv's). */
enum cli_exit cli_args_read(const struct cli_command *command, int argc, char **argv, struct cli_args *args);
void cli_args_free(struct cli_args *args);

/* Whether the option was given, and its last argument (NULL if not given). */
bool cli_option_given(const struct cli_args *args, const char *name);
const char *cli_option_text(const struct cli_args *args, const char *name);

/* Reads operand |i| as a scenario (FILE, - or preset:NAME; without operands what the options stand for) with the command line's overrides and
   prints its diagnostics, also into |*dgs| when that is not NULL (then the caller frees it).
   CLI_DONE: scenario_free is the caller's. */
enum cli_exit cli_load_scenario(const struct cli_args *args, size_t i, struct scenario *sc,
                                struct scenario_diags *dgs);

/* Operand |i| as messages name it; without operands the options stand for a scenario (cli/first.h). */
const char *cli_scenario_name(const struct cli_args *args, size_t i);

/* `saltplan: MESSAGE` on stderr, and `  hint: MESSAGE`. */
void cli_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void cli_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints at most 20 errors (all warnings) and then how many more there are. */
void cli_print_diags(const struct scenario_diags *dgs);

void cli_print_overview(void);
void cli_print_version(void);
void cli_print_help(const struct cli_command *command);
const struct cli_command *cli_command_by_name(const char *name);

/* The folder of the presets: the installed one, else the source tree's beside the program.
   Writes its path into |path|; false when there is none. */
bool cli_preset_folder(char *path, size_t cap);

/* Path of the preset |name|; prints what is wrong. */
enum cli_exit cli_preset_path(const char *name, char *path, size_t cap);

#endif
