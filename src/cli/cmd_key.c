/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `saltplan key`: build, read and check row keys with the library that the simulator uses. */
#include "cli/cmd_key.h"

#include <string.h>

#include "cli/cmd_key_table.h"
#include "cli/commands.h"
#include "scenario/suggest.h"

static const struct {
    const char *name;
    enum cli_exit (*run)(const struct cli_args *args, struct key_words words);
} actions[] = {
    {"encode", key_encode}, {"decode", key_decode}, {"salt", key_salt},
    {"vectors", key_vectors}, {"verify", key_verify},
};

static const struct cli_option options[] = {
    KEY_TABLE_OPTIONS,
    {0, "phoenix", "COLUMNS", "encode, decode: a typed Phoenix key instead: 'CHAR(2)!, DATE!'; -n N is SALT_BUCKETS"},
    {'f', "format", "FORM", "keys are written as: escaped (HBase's \\xHH, default), hex, 'binary WIDTH'"},
    {0, "explain", NULL, "decode: a line a field, in words"},
    {0, "rows", NULL, "verify: the file has stored rows, salt in front, one a line"},
    {'o', "output", "DIR", "vectors: write vectors and the tests of other languages there"},
    {0, "json", NULL, "vectors: JSON on standard output, not TSV"},
    {0, NULL, NULL, NULL},
};

/* Options that not every action reads. */
static const struct {
    const char *option, *actions;
} read_by[] = {
    {"phoenix", "encode decode"}, {"explain", "decode"}, {"rows", "verify"}, {"output", "vectors"}, {"json", "vectors"},
    {"format", "encode decode salt verify"},
};

/* Whether the option is one that the action would leave unread. */
static bool has_unread(const struct cli_args *args, const char *action)
{
    for (size_t i = 0; i < sizeof read_by / sizeof read_by[0]; i++) {
        if (cli_option_given(args, read_by[i].option) && !strstr(read_by[i].actions, action)) {
            cli_error("--%s is not for %s", read_by[i].option, action);
            cli_hint("it is for: %s", read_by[i].actions);
            return true;
        }
    }
    return false;
}

static enum cli_exit run(const struct cli_args *args)
{
    struct key_words words = {args->operands + 1, args->operands_len - 1};
    struct suggest best;

    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        if (strcmp(args->operands[0], actions[i].name) == 0)
            return has_unread(args, actions[i].name) ? CLI_USAGE : actions[i].run(args, words);
    }
    suggest_begin(&best, args->operands[0]);
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        suggest_offer(&best, actions[i].name);
    if (best.name)
        cli_error("unknown action '%s'; did you mean '%s'?", args->operands[0], best.name);
    else
        cli_error("unknown action '%s'", args->operands[0]);
    cli_hint("encode, decode, salt, vectors or verify; saltplan key --help");
    return CLI_USAGE;
}

const struct cli_command cli_cmd_key = {
    .name = "key",
    .summary = "Build, read and check salted row keys, byte for byte as other writers do.",
    .operands = "encode|decode|salt|vectors|verify [VALUE...|KEY...|FILE]",
    .examples =
        "  saltplan key encode -k 'ts:be64 device:fixed(16)' -s 'arrays-hash floorMod' -n 16 \\\n"
        "    1700000000000 dev-000000000007\n"
        "  saltplan key decode --scenario preset:iot-telemetry --explain '\\x0A\\x00\\x00...'\n"
        "  saltplan key encode --phoenix 'CHAR(2)!, DATE!, VARCHAR DESC' -n 4 ab 1700000000000 x\n"
        "  saltplan key salt -s phoenix -n 16 -f hex < natural-keys.txt\n"
        "  saltplan key verify pairs.tsv -f hex          which scheme does that client follow?\n"
        "  saltplan key vectors --scenario scenario.ini -o vectors\n",
    .details =
        "encode   values of the fields, in the layout's order, to the stored row. Without operands: lines of\n"
        "         standard input, values parted by tabs.\n"
        "decode   stored rows to the fields' values, parted by tabs, so that encode reads them. A salt of N or\n"
        "         more, or one that the key doesn't give, is said, the other rows are read on: exit 1. Any other bad\n"
        "         line ends the run with 2; the rows before it have been written by then.\n"
        "salt     natural keys to `bucket <tab> stored row`.\n"
        "         --phoenix: dates and times are milliseconds, a TIMESTAMP is MS or MS/NANOS, an empty value is null.\n"
        "         With --format 'binary W' each row must have W bytes.\n"
        "vectors  pinned vectors of the scheme, for writers in other languages: TSV, or JSON with --json;\n"
        "         with -o DIR also short tests in Java, Python and Go that check them.\n"
        "verify   FILE has a natural key, a tab and the salt's number in each line (or stored rows, --rows).\n"
        "         With --salt: the first row that differs. Without: which schemes fit all rows; --buckets N\n"
        "         narrows the search, --key lets it try the fields one by one. Exit 1 when none fits.\n"
        "A value that begins with a minus sign goes behind `--`. Text values and keys are in HBase's escape\n"
        "notation (\\xHH, upper case).\n",
    .options = options,
    .takes_scenario = false,
    .operands_min = 1,
    .operands_max = -1,
    .run = run,
};
