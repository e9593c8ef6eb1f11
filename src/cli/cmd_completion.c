/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion scripts, written from the tables of commands, options and keys. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/topics.h"
#include "scenario/key.h"

static void print_names(const struct cli_option *opt)
{
    for (; opt && opt->name; opt++)
        printf(" --%s", opt->name);
}

static void print_property_names(void)
{
    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        if (strcmp(key->section, "hbase") == 0)
            printf(" %s=", key->name);
    }
}

static void print_key_names(void)
{
    for (const struct scenario_section_kind *kind = scenario_sections; kind->kind; kind++)
        printf(" %s", kind->kind);
    for (const struct scenario_key *key = scenario_keys; key->section; key++)
        printf(" %s.%s", key->section, key->name);
    for (const struct cli_topic *topic = cli_topics; topic->word; topic++)
        printf(" %s", topic->word);
}

static void print_bash(void)
{
    fputs("# bash completion for saltplan\n"
          "_saltplan() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        words='", stdout);
    for (size_t i = 0; cli_commands[i]; i++)
        printf("%s%s", i > 0 ? " " : "", cli_commands[i]->name);
    fputs(" --help --version'\n"
          "    elif [ \"$prev\" = -D ] || [ \"$prev\" = --property ]; then\n"
          "        compopt -o nospace\n"
          "        words='", stdout);
    print_property_names();
    fputs("'\n"
          "    else\n"
          "        case ${COMP_WORDS[1]} in\n", stdout);
    for (size_t i = 0; cli_commands[i]; i++) {
        const struct cli_command *cmd = cli_commands[i];

        printf("        %s) words='--help", cmd->name);
        print_names(cmd->options);
        if (cmd->takes_scenario)
            print_names(cli_scenario_options);
        if (strcmp(cmd->name, "explain") == 0)
            print_key_names();
        if (strcmp(cmd->name, "completion") == 0)
            fputs(" bash zsh fish", stdout);
        if (strcmp(cmd->name, "presets") == 0)
            fputs(" show", stdout);
        fputs("' ;;\n", stdout);
    }
    fputs("        esac\n"
          "        case $prev in\n"
          "        show) [ \"${COMP_WORDS[1]}\" = presets ] &&\n"
          "            words=$(saltplan presets 2>/dev/null | cut -d ' ' -f 1) ;;\n"
          "        esac\n"
          "    fi\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    [ ${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- \"$cur\"))\n"
          "}\n"
          "complete -o filenames -F _saltplan saltplan\n", stdout);
}

static void print_zsh(void)
{
    fputs("#compdef saltplan\n"
          "autoload -U +X bashcompinit && bashcompinit\n", stdout);
    print_bash();
}

/* A text inside fish's single quotes. */
static void print_quoted(const char *text)
{
    fputc('\'', stdout);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', stdout);
        fputc(*text, stdout);
    }
    fputc('\'', stdout);
}

static void print_fish_options(const char *command, const struct cli_option *opt)
{
    for (; opt && opt->name; opt++) {
        printf("complete -c saltplan -n '__fish_seen_subcommand_from %s' -l %s", command, opt->name);
        if (opt->letter)
            printf(" -s %c", opt->letter);
        printf("%s -d ", opt->argument ? " -r" : "");
        print_quoted(opt->help);
        fputc('\n', stdout);
    }
}

static void print_fish(void)
{
    fputs("# fish completion for saltplan\n", stdout);
    for (size_t i = 0; cli_commands[i]; i++) {
        printf("complete -c saltplan -n __fish_use_subcommand -a %s -d ", cli_commands[i]->name);
        print_quoted(cli_commands[i]->summary);
        fputc('\n', stdout);
        print_fish_options(cli_commands[i]->name, cli_commands[i]->options);
        if (cli_commands[i]->takes_scenario)
            print_fish_options(cli_commands[i]->name, cli_scenario_options);
    }
    fputs("complete -c saltplan -n '__fish_seen_subcommand_from explain' -a '", stdout);
    print_key_names();
    fputs("'\n", stdout);
}

static enum cli_exit run(const struct cli_args *args)
{
    const char *shell = args->operands[0];

    if (strcmp(shell, "bash") == 0) {
        print_bash();
    } else if (strcmp(shell, "zsh") == 0) {
        print_zsh();
    } else if (strcmp(shell, "fish") == 0) {
        print_fish();
    } else {
        cli_error("unknown shell '%s'; bash, zsh or fish", shell);
        return CLI_USAGE;
    }
    return CLI_DONE;
}

const struct cli_command cli_cmd_completion = {
    .name = "completion",
    .summary = "Print a completion script for a shell",
    .operands = "bash|zsh|fish",
    .examples = "  . <(saltplan completion bash)\n"
                "  saltplan completion fish > ~/.config/fish/completions/saltplan.fish\n",
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
