/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `saltplan splits`: a table's split points in the forms that HBase's tools take. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd_key_phoenix.h"
#include "cli/cmd_key_table.h"
#include "cli/cmd_splits_fit.h"
#include "cli/commands.h"
#include "emit/emit.h"
#include "result/atomic.h"
#include "scenario/suggest.h"
#include "spec/scheme.h"

#define FILE_MAX ((size_t)64 << 20)

static const struct cli_option options[] = {
    KEY_TABLE_OPTIONS,
    {0, "phoenix", "COLUMNS", "a Phoenix table with this primary key: points padded as its CREATE TABLE does"},
    {'p', "splits", "SPLITS", "buckets (default), 'buckets x R', 'UniformSplit R', 'keys A,B', 'file F' ..."},
    {0, "family", "NAME", "family of a table without a scenario: d"},
    {0, "fit", "FILE|salt", "instead: which share of the file's stored rows (or of the salt's buckets) each region gets"},
    {'f', "format", "FORM", "--fit's file and `quantiles`: escaped lines (default), hex lines, 'binary WIDTH'"},
    {'a', "as", "FORM", "splits-file (default), hex, regions, shell, regionsplitter, java, phoenix, opentsdb, ..."},
    {0, "splits-file", "NAME", "shell and java: name this file and list no keys"},
    {'o', "output", "FILE", "write there, not to standard output"},
    {0, NULL, NULL, NULL},
};

/* The keys of a SPLITS_FILE as HBase reads it, with a warning where that isn't what its writer meant. */
static enum cli_exit read_split_file(const char *path, struct saltkey_keys *keys)
{
    struct saltkey_error err = {0};
    FILE *in = fopen(path, "rb");
    uint8_t *bytes = in ? malloc(FILE_MAX) : NULL;
    size_t len = bytes ? fread(bytes, 1, FILE_MAX, in) : 0;
    enum cli_exit code = CLI_DONE;

    if (!in || !bytes || ferror(in)) {
        cli_error("%s: %s", path, strerror(errno));
        code = bytes || !in ? CLI_FILE : CLI_INTERNAL;
    } else if (len == FILE_MAX) {
        cli_error("%s: a split file of more than 64 MiB", path);
        code = CLI_FILE;
    } else if (saltkey_split_file((struct saltkey_slice){bytes, len}, true, keys, &err) < 0) {
        if (saltkey_split_file((struct saltkey_slice){bytes, len}, false, keys, NULL) == 0) {
            key_warning("%s:%zu: %s; HBase reads it otherwise than it looks", path, err.column, err.reason);
        } else {
            if (err.column > 0)
                cli_error("%s:%zu: %s", path, err.column, err.reason);
            else
                cli_error("%s: %s", path, err.reason);
            code = CLI_FILE;
        }
    }
    free(bytes);
    if (in)
        fclose(in);
    return code;
}

/* A number of regions behind the word that asks for one: as a scenario takes it. */
static bool regions_good(const char *text)
{
    static const struct {
        const char *word;
        int least;
    } words[] = {{"HexStringSplit", 2}, {"DecimalStringSplit", 2}, {"UniformSplit", 2}, {"md5hex", 2}, {"buckets x", 1}};
    unsigned long long n = 0;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t len = strlen(words[i].word);

        if (strncmp(text, words[i].word, len) != 0 || text[len] != ' ')
            continue;
        text += len + strspn(text + len, " ");
        if (cli_whole_number(text, SALTKEY_REGIONS_MAX, &n) && n >= (unsigned)words[i].least)
            return true;
        cli_error("--splits: '%s' is not a number of regions from %d to %d", text, words[i].least, SALTKEY_REGIONS_MAX);
        return false;
    }
    return true;
}

/* Words that RegionSplitter knows stay words, so that its command line can be written. */
static bool read_algorithm(const char *text, struct spec_table *t)
{
    static const struct {
        const char *word;
        enum spec_splits splits;
    } algorithms[] = {{"HexStringSplit ", SPEC_SPLITS_HEX},
                      {"DecimalStringSplit ", SPEC_SPLITS_DECIMAL},
                      {"UniformSplit ", SPEC_SPLITS_UNIFORM},
                      {"buckets x ", SPEC_SPLITS_BUCKETS}};
    unsigned long long n = 0;

    if (strcmp(text, "none") == 0) {
        t->splits = SPEC_SPLITS_NONE;
        return true;
    }
    t->splits_regions = 1;
    t->splits = SPEC_SPLITS_BUCKETS;
    if (strcmp(text, "buckets") == 0)
        return true;
    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
        size_t len = strlen(algorithms[i].word);

        if (strncmp(text, algorithms[i].word, len) != 0 ||
            !cli_whole_number(text + len, SALTKEY_REGIONS_MAX, &n) || n == 0)
            continue;
        t->splits = algorithms[i].splits;
        t->splits_regions = (int)n;
        return true;
    }
    return false;
}

/* A salt without buckets has nothing to split at them. */
static enum cli_exit check_buckets(const struct key_table *kt, const char *text, bool given)
{
    if (strncmp(text, "buckets", 7) != 0)
        return CLI_DONE;
    if (spec_scheme_hashed_prefix(&kt->scheme)) {
        cli_error("--splits: a hashed prefix has no buckets to split at");
        cli_hint("-p 'md5hex 16', or 'HexStringSplit 16'");
        return CLI_USAGE;
    }
    if (kt->scheme.salt.hash == SALTKEY_HASH_NONE && given) {
        cli_error("--splits: without a salt there are no buckets to split at");
        cli_hint("-s phoenix -n 16, or -p 'UniformSplit 16'");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

/* |keys| lives as long as the table whose split_keys it fills. */
static enum cli_exit lend_keys(struct spec_table *t, const struct saltkey_keys *keys, struct spec_bytes **borrowed)
{
    *borrowed = calloc(keys->count + 1, sizeof **borrowed);
    if (!*borrowed)
        return CLI_INTERNAL;
    for (size_t i = 0; i < keys->count; i++) {
        union { const uint8_t *from; uint8_t *to; } u = {keys->at[i].bytes};

        (*borrowed)[i] = (struct spec_bytes){u.to, keys->at[i].len};
    }
    t->splits = SPEC_SPLITS_KEYS;
    t->split_keys = *borrowed;
    t->split_keys_len = keys->count;
    return CLI_DONE;
}

static enum cli_exit read_splits(struct key_table *kt, const char *text, const struct key_format *format,
                                 struct saltkey_keys *keys, struct spec_bytes **borrowed)
{
    struct spec_table *t = &kt->own_table;
    struct saltkey_error err = {0};
    enum cli_exit code = CLI_DONE;

    if (!regions_good(text))
        return CLI_USAGE;
    if (read_algorithm(text, t))
        return CLI_DONE;
    if (strncmp(text, "file ", 5) == 0) {
        code = read_split_file(text + 5, keys);
    } else if (strncmp(text, "quantiles ", 10) == 0) {
        code = splits_quantiles(text + 10, format, keys);
    } else if (saltkey_split_parse(text, &kt->scheme.salt, keys, &err) < 0) {
        cli_error("--splits: %s", err.reason);
        code = CLI_USAGE;
    }
    return code == CLI_DONE ? lend_keys(t, keys, borrowed) : code;
}

/* The points of CREATE TABLE: of its SALT_BUCKETS, or those of SPLIT ON, padded to the shortest row. */
static enum cli_exit read_phoenix_splits(struct key_table *kt, const struct saltkey_phoenix *key, const char *text,
                                         struct saltkey_keys *keys, struct spec_bytes **borrowed)
{
    struct saltkey_error err = {0};
    enum cli_exit code = CLI_DONE;
    int rc = 0;

    if (strcmp(text, "buckets") == 0) {
        rc = saltkey_phoenix_splits(key, keys, &err);
    } else if (strncmp(text, "file ", 5) == 0 || strncmp(text, "keys ", 5) == 0) {
        if (text[0] == 'f')
            code = read_split_file(text + 5, keys);
        else
            rc = saltkey_split_parse(text, &kt->scheme.salt, keys, &err);
        if (code == CLI_DONE && rc == 0)
            rc = saltkey_phoenix_pad(key, keys, &err);
    } else {
        cli_error("--splits: CREATE TABLE splits at its SALT_BUCKETS or at listed keys: buckets, 'keys A,B' or 'file F'");
        return CLI_USAGE;
    }
    if (rc < 0) {
        cli_error("--splits: %s", err.reason);
        return CLI_USAGE;
    }
    return code == CLI_DONE ? lend_keys(&kt->own_table, keys, borrowed) : code;
}

static int write_hex(struct emit *em, FILE *out)
{
    for (size_t i = 0; i < em->splits.count; i++) {
        key_print(KEY_HEX, em->splits.at[i], out);
        fputc('\n', out);
    }
    return 0;
}

/* start <tab> end, a region a line; the table's ends are empty. */
static int write_regions(struct emit *em, FILE *out)
{
    for (size_t i = 0; i <= em->splits.count; i++) {
        if (i > 0)
            key_print(KEY_ESCAPED, em->splits.at[i - 1], out);
        fputc('\t', out);
        if (i < em->splits.count)
            key_print(KEY_ESCAPED, em->splits.at[i], out);
        fputc('\n', out);
    }
    return 0;
}

static const struct emit_target own_targets[] = {
    {"hex", "", "", write_hex},
    {"regions", "", "", write_regions},
};

static const struct emit_target *find_target(const char *name)
{
    const struct emit_target *t = emit_target_by_name(name);
    struct suggest best;

    for (size_t i = 0; i < sizeof own_targets / sizeof own_targets[0] && !t; i++) {
        if (strcmp(own_targets[i].name, name) == 0)
            t = &own_targets[i];
    }
    if (t)
        return t;
    suggest_begin(&best, name);
    for (const struct emit_target *e = emit_targets; e->name; e++)
        suggest_offer(&best, e->name);
    cli_error("--as: unknown form '%s'%s%s%s", name, best.name ? "; did you mean '" : "", best.name ? best.name : "",
              best.name ? "'?" : "");
    fputs("  hint: hex, regions", stderr);
    for (const struct emit_target *e = emit_targets; e->name; e++)
        fprintf(stderr, ", %s", e->name);
    fputc('\n', stderr);
    return NULL;
}

static enum cli_exit exit_of(int status)
{
    switch (status) {
    case EMIT_OK:
        return CLI_DONE;
    case EMIT_NO_MEMORY:
        return CLI_INTERNAL;
    default:
        return CLI_USAGE;
    }
}

/* To a file as a whole or to stdout; what can't be said leaves no half of it behind. */
static enum cli_exit write_target(struct emit *em, const struct emit_target *target, const char *path)
{
    struct atomic_file file;
    char *text = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&text, &len);
    int rc = memory ? target->write(em, memory) : EMIT_NO_MEMORY;
    enum cli_exit code = exit_of(rc);

    if (memory && fclose(memory) != 0)
        code = CLI_INTERNAL;
    if (rc < 0)
        cli_error("%s: %s", target->name, em->reason[0] ? em->reason : "not enough memory");
    if (code == CLI_DONE && !path) {
        fwrite(text, 1, len, stdout);
    } else if (code == CLI_DONE) {
        if (atomic_open(&file, path) != 0) {
            cli_error("%s", file.message);
            code = CLI_FILE;
        } else {
            fwrite(text, 1, len, file.stream);
            if (atomic_commit(&file) != 0) {
                cli_error("%s", file.message);
                code = CLI_FILE;
            }
        }
    }
    free(text);
    return code;
}

static enum cli_exit emit_table(const struct key_table *kt, const struct cli_args *args,
                                const struct emit_target *target, const struct key_format *format)
{
    struct emit em;
    enum cli_exit code;

    if (emit_open(&em, kt->spec, kt->table) < 0) {
        cli_error("%s", em.reason);
        return CLI_USAGE;
    }
    em.splits_file = cli_option_text(args, "splits-file");
    if (cli_option_given(args, "fit"))
        code = splits_fit(&em, cli_option_text(args, "fit"), format);
    else
        code = write_target(&em, target, cli_option_text(args, "output"));
    emit_close(&em);
    return code;
}

/* Whether the option's file is `-`. */
static bool reads_stdin(const char *text, const char *begin)
{
    const char *file = text ? strrchr(text, ' ') : NULL;

    return text && strncmp(text, begin, strlen(begin)) == 0 && strcmp(file ? file + 1 : text, "-") == 0;
}

static enum cli_exit open_phoenix(struct key_table *kt, struct saltkey_phoenix *key, const struct cli_args *args,
                                  const struct emit_target *target)
{
    enum cli_exit code = key_phoenix_open(args, key);

    if (code == CLI_DONE && strcmp(target->name, "phoenix") == 0) {
        cli_error("--as phoenix writes a CREATE TABLE from --key: --phoenix has its columns already");
        return CLI_USAGE;
    }
    return code == CLI_DONE ? key_table_open_phoenix(kt, args, key->buckets) : code;
}

static enum cli_exit run(const struct cli_args *args)
{
    const char *as = cli_option_text(args, "as"), *splits = cli_option_text(args, "splits");
    const struct emit_target *target = find_target(as ? as : "splits-file");
    const bool phoenix = cli_option_given(args, "phoenix");
    struct spec_bytes *borrowed = NULL;
    struct saltkey_phoenix key;
    struct key_format format;
    struct saltkey_keys keys;
    struct key_table kt;
    enum cli_exit code;

    if (!target || key_format_read(cli_option_text(args, "format"), &format) != CLI_DONE)
        return CLI_USAGE;
    if (splits && cli_option_given(args, "scenario")) {
        cli_error("--splits and --scenario exclude each other");
        cli_hint("change the scenario's value: --set '[table NAME] splits=%s'", splits);
        return CLI_USAGE;
    }
    code = key_stdin_once(args, reads_stdin(cli_option_text(args, "fit"), "") +
                                    reads_stdin(splits, "quantiles "));
    if (code == CLI_DONE && phoenix)
        code = open_phoenix(&kt, &key, args, target);
    else if (code == CLI_DONE)
        code = key_table_open(&kt, args, false);
    if (code != CLI_DONE)
        return code;
    saltkey_keys_init(&keys, NULL);
    if (phoenix)
        code = read_phoenix_splits(&kt, &key, splits ? splits : "buckets", &keys, &borrowed);
    else if (!kt.from_scenario)
        code = check_buckets(&kt, splits ? splits : "buckets", splits != NULL);
    if (!kt.from_scenario && !phoenix && code == CLI_DONE)
        code = read_splits(&kt, splits ? splits : "buckets", &format, &keys, &borrowed);
    if (code == CLI_DONE) {
        if (!phoenix)
            key_table_warn(&kt);
        code = emit_table(&kt, args, target, &format);
    }
    free(borrowed);
    saltkey_keys_free(&keys);
    key_table_close(&kt);
    return code;
}

const struct cli_command cli_cmd_splits = {
    .name = "splits",
    .summary = "A table's split points, as a SPLITS_FILE or in the words of other tools.",
    .operands = "",
    .examples = "  saltplan splits -s phoenix -n 16                       a SPLITS_FILE for 16 buckets\n"
                "  saltplan splits -s text02x -n 32 -p 'buckets x 4' -o splits.txt\n"
                "  saltplan splits --scenario preset:iot-telemetry -a shell\n"
                "  saltplan splits -p 'file old-splits.txt' -a regions    how HBase reads that file\n"
                "  saltplan splits -s text02x -n 16 -p 'HexStringSplit 16' --fit salt    do they fit each other?\n"
                "  saltplan splits --phoenix 'CHAR(2)!, BIGINT!' -n 16    as SALT_BUCKETS=16 cuts that table\n"
                "  saltplan splits -p 'quantiles 32 sample.txt' -o splits.txt\n",
    .details = "Forms: splits-file, hex, regions, shell (create), regionsplitter, java, phoenix, opentsdb, balancer,\n"
               "pe, ltt, ycsb (load tests with the scenario's numbers).\n"
               "--splits takes: buckets, 'buckets x R', none, 'HexStringSplit R', 'DecimalStringSplit R', 'UniformSplit R',\n"
               "'md5hex R', 'keys A,B', 'file FILE', 'quantiles R FILE' (R equal regions of a sample of stored rows).\n"
               "--fit exits with 1 when regions stay empty or one takes more than twice its share.\n",
    .options = options,
    .operands_min = 0,
    .operands_max = 0,
    .run = run,
};
