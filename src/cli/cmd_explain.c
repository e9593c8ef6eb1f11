/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/topics.h"
#include "scenario/key.h"
#include "scenario/suggest.h"

#define LINE_WIDTH 78

static const struct cli_option options[] = {
    {0, "man", NULL, "all keys as the KEYS section of the manual page"},
    {0, NULL, NULL, NULL},
};

/* Prints the paragraph, wrapped, with |indent| before each line but the first. */
static void print_wrapped(const char *text, int column, int indent)
{
    while (*text) {
        size_t len = strcspn(text, " \n");

        if (column > indent && column + 1 + (int)len > LINE_WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        if (column > indent) {
            fputc(' ', stdout);
            column++;
        }
        fwrite(text, 1, len, stdout);
        column += (int)len;
        text += len;
        if (*text == '\n') {
            printf("\n%*s", indent, "");
            column = indent;
        }
        text += *text != '\0';
    }
    fputc('\n', stdout);
}

static void print_field(const char *name, const char *text)
{
    const int indent = 11;

    printf("  %-9s", name);
    print_wrapped(text, indent, indent);
}

static void print_key(const struct scenario_key *key)
{
    struct text range = {0};
    const char *dflt = !key->dflt ? "none: it must be given" : key->dflt[0] ? key->dflt : "not set";

    printf("[%s] %s\n", key->section, key->name);
    print_field("meaning", key->help);
    print_field("value", key_form(key));
    print_field("default", dflt);
    key_range(key, &range);
    if (range.chars && !range.failed)
        print_field("range", range.chars);
    text_free(&range);
    if (key->repeats)
        print_field("repeats", "may stand on several lines; their values add up");
    print_field("source", key->dflt && key->dflt[0] ? scenario_section_kind(key->section)->source : "the user");
    print_field("since", key->since);
    if (key->more)
        print_field("more", key->more);
}

static void print_section(const struct scenario_section_kind *kind)
{
    const char *form = kind->names == SECTION_ALONE ? "" : kind->names == SECTION_NAMED ? " NAME" : " TABLE/NAME";

    printf("[%s%s]  %s\n", kind->kind, form, kind->help);
    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        if (strcmp(key->section, kind->kind) != 0)
            continue;
        if (strlen(key->name) > 16)
            printf("  %s\n%20s", key->name, "");
        else
            printf("  %-18s", key->name);
        print_wrapped(key->help, 20, 20);
    }
}

/* A roff line: backslashes doubled, no line begins with a control character. */
static void print_roff(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\\')
            fputs("\\e", stdout);
        else if (*c == '-')
            fputs("\\-", stdout);
        else if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n'))
            printf("\\&%c", *c);
        else
            fputc(*c, stdout);
    }
}

static void print_man(void)
{
    fputs(".SH KEYS\n", stdout);
    for (const struct scenario_section_kind *kind = scenario_sections; kind->kind; kind++) {
        printf(".SS [%s%s]\n", kind->kind,
               kind->names == SECTION_ALONE ? "" : kind->names == SECTION_NAMED ? " NAME" : " TABLE/NAME");
        print_roff(kind->help);
        fputc('\n', stdout);
        for (const struct scenario_key *key = scenario_keys; key->section; key++) {
            struct text range = {0};

            if (strcmp(key->section, kind->kind) != 0)
                continue;
            fputs(".TP\n.B ", stdout);
            print_roff(key->name);
            fputc('\n', stdout);
            print_roff(key->help);
            fputs("\nValue: ", stdout);
            print_roff(key_form(key));
            key_range(key, &range);
            if (range.chars && !range.failed) {
                fputs("; ", stdout);
                print_roff(range.chars);
            }
            text_free(&range);
            fputs(".\nDefault: ", stdout);
            print_roff(!key->dflt ? "none, it must be given" : key->dflt[0] ? key->dflt : "not set");
            fputs(".\n", stdout);
            if (key->more) {
                print_roff(key->more);
                fputc('\n', stdout);
            }
        }
    }
}

/* Keys that the word names: KEY, SECTION.KEY or "[SECTION] KEY". How many there are. */
static size_t explain_keys(const char *word)
{
    size_t found = 0;

    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        char dotted[120], bracketed[120];

        snprintf(dotted, sizeof dotted, "%s.%s", key->section, key->name);
        snprintf(bracketed, sizeof bracketed, "[%s] %s", key->section, key->name);
        if (strcmp(word, key->name) != 0 && strcmp(word, dotted) != 0 && strcmp(word, bracketed) != 0)
            continue;
        if (found++ > 0)
            fputc('\n', stdout);
        print_key(key);
    }
    return found;
}

/* Words of reports that are no keys: figures, gates, codes. How many there are. */
static size_t explain_topics(const char *word, bool first)
{
    size_t found = 0;

    for (const struct cli_topic *topic = cli_topics; topic->word; topic++) {
        if (strcmp(topic->word, word) != 0)
            continue;
        printf("%s%s (%s)\n", found++ > 0 || !first ? "\n" : "", word,
               strcmp(topic->kind, "figure") == 0 ? "figure of result.json"
               : strcmp(topic->kind, "gate") == 0 ? "gate of a plan"
               : strcmp(topic->kind, "code") == 0 ? "code of a diagnostic" : "word of reports");
        print_field("meaning", topic->text);
        if (topic->where)
            print_field("where", topic->where);
    }
    return found;
}

/* The words of one kind in a paragraph. */
static void list_topics(const char *kind, const char *title)
{
    struct text words = {0};

    for (const struct cli_topic *topic = cli_topics; topic->word; topic++)
        if (strcmp(topic->kind, kind) == 0)
            text_add(&words, "%s%s", words.chars ? " " : "", topic->word);
    printf("\n%s\n  ", title);
    if (words.chars && !words.failed)
        print_wrapped(words.chars, 2, 2);
    text_free(&words);
}

static enum cli_exit unknown(const char *word)
{
    const char *dot = strchr(word, '.'), *later;
    char section[40];
    struct suggest best, dotted;

    later = scenario_not_yet(word, NULL);
    if (!later && dot && (size_t)(dot - word) < sizeof section) {
        snprintf(section, sizeof section, "%.*s", (int)(dot - word), word);
        later = scenario_not_yet(section, dot + 1);
    }
    if (later) {
        cli_error("'%s' is not yet supported by this version (%s)", word, later);
        return CLI_USAGE;
    }
    if (hbase_property_known(word)) {
        cli_error("%s is a property of HBase that this version does not model", word);
        return CLI_USAGE;
    }
    suggest_begin(&best, word);
    suggest_begin(&dotted, dot ? dot + 1 : word);
    for (const struct scenario_section_kind *kind = scenario_sections; kind->kind; kind++)
        suggest_offer(&best, kind->kind);
    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        suggest_offer(&best, key->name);
        suggest_offer(&dotted, key->name);
    }
    for (const struct cli_topic *topic = cli_topics; topic->word; topic++)
        suggest_offer(&best, topic->word);
    if (best.name || dotted.name)
        cli_error("unknown word '%s'; did you mean '%s'?", word, best.name ? best.name : dotted.name);
    else
        cli_error("unknown word '%s'", word);
    cli_hint("saltplan explain lists them all");
    return CLI_USAGE;
}

static enum cli_exit run(const struct cli_args *args)
{
    const struct scenario_section_kind *kind;

    if (cli_option_given(args, "man")) {
        print_man();
        return CLI_DONE;
    }
    if (args->operands_len == 0) {
        for (kind = scenario_sections; kind->kind; kind++) {
            if (kind != scenario_sections)
                fputc('\n', stdout);
            print_section(kind);
        }
        list_topics("figure", "Figures of result.json and of [expect], [plan] targets and reports:");
        list_topics("gate", "Gates of a plan:");
        list_topics("code", "Codes of diagnostics:");
        list_topics("word", "Words of reports:");
        return CLI_DONE;
    }
    for (size_t i = 0; i < args->operands_len; i++) {
        size_t found = 0;

        if (i > 0)
            fputc('\n', stdout);
        kind = scenario_section_kind(args->operands[i]);
        if (kind)
            print_section(kind);
        else
            found = explain_keys(args->operands[i]);
        if (explain_topics(args->operands[i], !kind && found == 0) + found == 0 && !kind)
            return unknown(args->operands[i]);
    }
    return CLI_DONE;
}

const struct cli_command cli_cmd_explain = {
    .name = "explain",
    .summary = "Explain a key, a figure, a gate or a code",
    .operands = "[KEY|SECTION|FIGURE|GATE|CODE]...",
    .examples = "  saltplan explain buckets\n"
                "  saltplan explain table.key\n"
                "  saltplan explain hbase\n"
                "  saltplan explain hot_server_ratio W-STACKED\n",
    .details = "Without a word it lists all of them.\n",
    .options = options,
    .operands_min = 0,
    .operands_max = -1,
    .run = run,
};
