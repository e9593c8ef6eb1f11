/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `saltplan merge`: sorted files of salted rows, one a bucket, to natural order. */
#include "cli/cmd_merge_file.h"
#include "cli/cmd_key_table.h"
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>

static const struct cli_option options[] = {
    KEY_TABLE_OPTIONS,
    {0, "skip", "BYTES", "the salt's width, instead of a scheme"},
    {0, "skip-through", "CHAR", "the salt ends with the first CHAR of a row, as in '7_'"},
    {'f', "format", "FORM", "escaped lines (default), hex lines, 'binary WIDTH' without line ends"},
    {0, "limit", "ROWS", "write at most so many rows"},
    {0, "offset", "ROWS", "leave out the first rows"},
    {'r', "reverse", NULL, "the files descend, and so does the output"},
    {0, "strip", NULL, "write the natural keys, without their salt"},
    {0, "duplicates", "keep|drop|refuse", "rows of equal natural key from several files; keep is the default"},
    {0, NULL, NULL, NULL},
};

enum duplicates { KEEP, DROP, REFUSE };

struct merging {
    struct saltkey_merge_options options;
    struct saltkey_scheme scheme;          /* where one was given: its skip of each row */
    bool has_scheme;
    struct key_format format;
    bool strip;
    enum duplicates duplicates;
    struct merge_file *files;
    size_t files_len;
    uint8_t *last;                         /* natural key of the row before, for duplicates */
    size_t last_len, last_source;
    bool has_last;
    uint64_t dropped;
    uint64_t offset, limit, seen, written; /* counted here: dropped rows don't count */
};

static bool read_count(const struct cli_args *args, const char *option, uint64_t *out)
{
    const char *text = cli_option_text(args, option);
    unsigned long long n = 0;

    if (text && !cli_whole_number(text, UINT64_MAX, &n)) {
        cli_error("--%s: '%s' is no number of rows", option, text);
        return false;
    }
    *out = n;
    return true;
}

/* The salt's end: --skip, --skip-through, or the scheme's. */
static enum cli_exit read_skip(struct merging *m, const struct cli_args *args)
{
    const char *skip = cli_option_text(args, "skip"), *through = cli_option_text(args, "skip-through");
    const bool scheme = cli_option_given(args, "salt") || cli_option_given(args, "scenario");
    unsigned long long n = 0;
    struct key_table kt;
    enum cli_exit code;

    static const char *const ends[] = {"salt", "scenario", "skip", "skip-through"};
    const char *first = NULL;

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (!cli_option_given(args, ends[i]))
            continue;
        if (first) {
            cli_error("--%s and --%s exclude each other: each says where the salt ends", first, ends[i]);
            return CLI_USAGE;
        }
        first = ends[i];
    }
    if (!first) {
        cli_error("where does the salt end? give one of --salt, --scenario, --skip, --skip-through");
        return CLI_USAGE;
    }
    if (!scheme && cli_option_given(args, "buckets")) {
        cli_error("--buckets needs --salt");
        return CLI_USAGE;
    }
    if (skip && !cli_whole_number(skip, KEY_BYTES_MAX, &n)) {
        cli_error("--skip: '%s' is no number of bytes", skip);
        return CLI_USAGE;
    }
    if (through && strlen(through) != 1) {
        cli_error("--skip-through: one character is needed");
        return CLI_USAGE;
    }
    m->options.skip = (size_t)n;
    m->options.skip_through = through != NULL;
    m->options.delimiter = through ? (uint8_t)through[0] : 0;
    if (!scheme)
        return CLI_DONE;
    code = key_table_open(&kt, args, false);
    if (code != CLI_DONE)
        return code;
    m->scheme = kt.scheme;
    m->has_scheme = true;
    m->options.skip = kt.scheme.salt.width;
    if (kt.scheme.salt.loose) {
        m->options.skip_through = true;
        m->options.delimiter = '_';
    }
    key_table_close(&kt);
    return CLI_DONE;
}

static enum cli_exit read_options(struct merging *m, const struct cli_args *args)
{
    const char *dups = cli_option_text(args, "duplicates");
    enum cli_exit code = key_format_read(cli_option_text(args, "format"), &m->format);

    if (code == CLI_DONE)
        code = read_skip(m, args);
    if (code != CLI_DONE)
        return code;
    if (!read_count(args, "limit", &m->limit) || !read_count(args, "offset", &m->offset))
        return CLI_USAGE;
    if (cli_option_given(args, "limit") && m->limit == 0) {
        cli_error("--limit: at least 1 row");
        return CLI_USAGE;
    }
    m->options.reverse = cli_option_given(args, "reverse");
    m->strip = cli_option_given(args, "strip");
    if (dups && strcmp(dups, "keep") != 0 && strcmp(dups, "drop") != 0 && strcmp(dups, "refuse") != 0) {
        cli_error("--duplicates: '%s' is none of keep, drop, refuse", dups);
        return CLI_USAGE;
    }
    m->duplicates = !dups || dups[0] == 'k' ? KEEP : dups[0] == 'd' ? DROP : REFUSE;
    return CLI_DONE;
}

/* What the merge compares: the row without its salt. */
static struct saltkey_slice natural_of(const struct merging *m, struct saltkey_slice row)
{
    size_t skip = m->options.skip;

    if (m->options.skip_through) {
        const uint8_t *end = memchr(row.bytes, m->options.delimiter, row.len);

        skip = end ? (size_t)(end - row.bytes) + 1 : row.len;
    }
    skip = skip < row.len ? skip : row.len;
    return (struct saltkey_slice){row.bytes + skip, row.len - skip};
}

static void remember(struct merging *m, struct saltkey_slice natural, size_t source)
{
    if (m->duplicates == KEEP)
        return;
    memcpy(m->last, natural.bytes, natural.len);
    m->last_len = natural.len;
    m->last_source = source;
    m->has_last = true;
}

static void write_row(const struct merging *m, const struct saltkey_row *row)
{
    const struct merge_line *line = row->user;
    struct saltkey_slice natural;

    if (!m->strip) {
        fwrite(line->text, 1, line->len, stdout);
    } else {
        natural = natural_of(m, row->key);
        key_print(m->format.form, natural, stdout);
        fwrite(line->text + line->key_len, 1, line->len - line->key_len, stdout);
    }
    if (m->format.form != KEY_BINARY)
        putchar('\n');
}

/* One merged row: a duplicate is dropped or refused, rows before the offset are left out. */
static enum cli_exit take_row(struct merging *m, const struct saltkey_row *row, size_t source)
{
    struct saltkey_slice natural = natural_of(m, row->key);

    if (m->has_last && natural.len == m->last_len && memcmp(natural.bytes, m->last, natural.len) == 0) {
        const struct merge_line *line = row->user;

        if (m->duplicates == REFUSE) {
            cli_error("%s:%llu: the same natural key is in %s", m->files[source].name, (unsigned long long)line->number,
                      m->files[m->last_source].name);
            return CLI_NEGATIVE;
        }
        m->dropped++;
        return CLI_DONE;
    }
    remember(m, natural, source);
    if (m->seen++ < m->offset)
        return CLI_DONE;
    write_row(m, row);
    m->written++;
    return CLI_DONE;
}

/* Why a merge stopped. A source's own failure has been printed by its file. */
static enum cli_exit explain_failure(const struct merging *m, const struct saltkey_merge *merge, int rc)
{
    size_t source = 0;
    uint64_t row = 0;

    if (rc == SALTKEY_ENOMEM) {
        cli_error("not enough memory");
        return CLI_INTERNAL;
    }
    saltkey_merge_error(merge, &source, &row);
    if (rc != SALTKEY_EORDER)
        return m->files[source].failed == CLI_DONE ? CLI_INTERNAL : m->files[source].failed;
    cli_error("%s:%llu: not sorted: this row belongs before the one above it", m->files[source].name,
              (unsigned long long)row);
    cli_hint("each file has the rows of one bucket, sorted as HBase does%s", m->options.reverse ? ", last first" : "");
    return CLI_USAGE;
}

static enum cli_exit merge_all(struct merging *m)
{
    struct saltkey_source *sources = calloc(m->files_len, sizeof *sources);
    struct saltkey_merge *merge = NULL;
    struct saltkey_row row;
    enum cli_exit code = CLI_DONE;
    size_t source = 0;
    int rc = SALTKEY_ENOMEM;

    for (size_t i = 0; sources && i < m->files_len; i++)
        sources[i] = (struct saltkey_source){merge_file_pull, &m->files[i]};
    if (sources)
        rc = saltkey_merge_open(sources, m->files_len, &m->options, &merge);
    while (rc >= 0 && code == CLI_DONE && (m->limit == 0 || m->written < m->limit) && !ferror(stdout)) {
        rc = saltkey_merge_next(merge, &row, &source);
        if (rc != 1)
            break;
        code = take_row(m, &row, source);
    }
    if (rc < 0)
        code = explain_failure(m, merge, rc);
    if (m->dropped > 0)
        key_warning("%llu rows of equal natural key dropped", (unsigned long long)m->dropped);
    saltkey_merge_close(merge);
    free(sources);
    return code;
}

static enum cli_exit run(const struct cli_args *args)
{
    struct merging m = {0};
    size_t from_stdin = 0;
    enum cli_exit code;

    for (size_t i = 0; i < args->operands_len; i++)
        from_stdin += strcmp(args->operands[i], "-") == 0;
    code = key_stdin_once(args, from_stdin);
    if (code == CLI_DONE)
        code = read_options(&m, args);
    if (code != CLI_DONE)
        return code;
    m.files_len = args->operands_len;
    m.files = calloc(m.files_len, sizeof *m.files);
    m.last = malloc(KEY_BYTES_MAX);
    if (!m.files || !m.last)
        code = CLI_INTERNAL;
    for (size_t i = 0; i < m.files_len && code == CLI_DONE; i++) {
        code = merge_file_open(&m.files[i], args->operands[i], &m.format);
        if (m.has_scheme) {
            m.files[i].scheme = &m.scheme;
        } else {
            m.files[i].skip = m.options.skip;
            m.files[i].through = m.options.skip_through ? m.options.delimiter : -1;
        }
    }
    if (code == CLI_DONE)
        code = merge_all(&m);
    for (size_t i = 0; m.files && i < m.files_len; i++)
        merge_file_close(&m.files[i]);
    free(m.files);
    free(m.last);
    return code;
}

const struct cli_command cli_cmd_merge = {
    .name = "merge",
    .summary = "Merge sorted files of salted rows into natural-key order, as sort -m would if it could skip the salt.",
    .operands = "FILE...",
    .examples = "  saltplan merge -s phoenix -n 16 bucket-*.txt          rows in HBase's \\xHH notation, one a line\n"
                "  saltplan merge -s text02x -n 8 --strip b0 b1 b2       natural keys only\n"
                "  saltplan merge --skip 1 -f 'binary 25' --limit 100 part-* > newest.bin\n",
    .details = "Each file has the rows of one bucket (- is standard input). What follows a tab in a line goes with its\n"
               "key. Equal keys come in the order of the files. A file that isn't sorted is refused, its line named.\n"
               "Exit status: 1 a duplicate with --duplicates refuse, 2 a line isn't a row or isn't sorted, 3 a file can't\n"
               "be read. Rows before a bad line have been written by then.\n",
    .options = options,
    .operands_min = 1,
    .operands_max = -1,
    .run = run,
};
