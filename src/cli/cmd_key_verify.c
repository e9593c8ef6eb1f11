/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key verify: another client's keys and salts against a scheme, or against all known ones. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd_key.h"
#include "cli/cmd_key_verify.h"

#define SHOWN_MAX 12
#define FILE_STEP ((size_t)1 << 20)
#define FILE_MAX ((size_t)4 << 30)

/* The file as a whole; its keys are decoded in place. */
struct pairs_file {
    const char *name;
    uint8_t *bytes;
    size_t len;
    struct verify_pair *rows;
    size_t rows_len, rows_cap;
};

static enum cli_exit read_file(struct pairs_file *f)
{
    FILE *in = strcmp(f->name, "-") == 0 ? stdin : fopen(f->name, "rb");
    size_t cap = 0, got = 1;

    while (in && got > 0) {
        if (f->len == cap) {
            uint8_t *more = realloc(f->bytes, cap + FILE_STEP + cap / 2);

            if (!more)
                break;
            f->bytes = more;
            cap += FILE_STEP + cap / 2;
        }
        got = fread(f->bytes + f->len, 1, cap - f->len, in);
        f->len += got;
        if (f->len > FILE_MAX) {
            cli_error("%s: more than 4 GiB, the most that is read", f->name);
            break;
        }
    }
    if (f->len > FILE_MAX) {
        got = 2;
    } else if (!in || ferror(in)) {
        cli_error("%s: %s", f->name, strerror(errno));
        got = 2;
    } else if (got > 0) {
        cli_error("%s: not enough memory", f->name);
    }
    if (in && in != stdin)
        fclose(in);
    return got == 0 ? CLI_DONE : got == 2 ? CLI_FILE : CLI_INTERNAL;
}

static enum cli_exit bad_line(const struct pairs_file *f, const char *reason)
{
    cli_error("%s:%zu: %s", f->name, f->rows_len + 1, reason);
    return CLI_FILE;
}

static bool room_for_row(struct pairs_file *f)
{
    size_t cap = f->rows_cap ? 2 * f->rows_cap : 1024;
    struct verify_pair *more;

    if (f->rows_len < f->rows_cap)
        return true;
    more = realloc(f->rows, cap * sizeof *more);
    if (!more)
        return false;
    f->rows = more;
    f->rows_cap = cap;
    return true;
}

/* One line: key, and unless |stored| a tab and the salt's number. */
static enum cli_exit take_line(struct pairs_file *f, size_t at, size_t len, enum key_form form, bool stored)
{
    struct saltkey_error err = {0};
    uint8_t *text = f->bytes + at, *tab = memchr(text, '\t', len);
    struct saltkey_buf key = {text, tab ? (size_t)(tab - text) : len, 0};
    struct verify_pair row = {.line = f->rows_len + 1};
    unsigned long long salt = 0;
    char number[24] = "";

    if (!room_for_row(f))
        return bad_line(f, "not enough memory");
    if (!stored && !tab)
        return bad_line(f, "a key, a tab and the salt's number are needed");
    if (!stored && len - (size_t)(tab + 1 - text) < sizeof number)
        memcpy(number, tab + 1, len - (size_t)(tab + 1 - text));
    if (!stored && !cli_whole_number(number, UINT32_MAX, &salt))
        return bad_line(f, "what follows the tab is no salt's number (0, 1, 2 ...)");
    /* decoding never writes ahead of what it reads */
    if (key_from_text(form, (struct saltkey_slice){text, key.cap}, &key, &err) < 0)
        return bad_line(f, err.reason);
    row.key = (struct saltkey_slice){key.bytes, key.len};
    row.salt = salt;
    f->rows[f->rows_len++] = row;
    return CLI_DONE;
}

static enum cli_exit read_pairs(struct pairs_file *f, enum key_form form, bool stored)
{
    enum cli_exit code = read_file(f);

    for (size_t at = 0; code == CLI_DONE && at < f->len;) {
        uint8_t *end = memchr(f->bytes + at, '\n', f->len - at);
        size_t next = end ? (size_t)(end - f->bytes) + 1 : f->len;
        size_t len = next - at - (end != NULL);

        code = take_line(f, at, len - (len > 0 && f->bytes[at + len - 1] == '\r'), form, stored);
        at = next;
    }
    if (code == CLI_DONE && f->rows_len == 0) {
        cli_error("%s: no row in it", f->name);
        code = CLI_FILE;
    }
    return code;
}

/* `first: FILE:LINE: key ..., theirs 3, ours 7` for a scheme that doesn't fit. */
static void print_first(const struct pairs_file *f, const struct saltkey_scheme *s, bool stored)
{
    for (size_t i = 0; i < f->rows_len; i++) {
        struct verify_answer a;

        if (verify_row(s, stored, &f->rows[i], &a))
            continue;
        printf("first difference: line %" PRIu64 ": %s ", f->rows[i].line, stored ? "row" : "key");
        key_print(KEY_ESCAPED, f->rows[i].key, stdout);
        if (a.misfit)
            puts(" doesn't fit the layout or the salt's form");
        else
            printf(": theirs %" PRIu64 ", ours %" PRIu64 "\n", a.theirs, a.ours);
        return;
    }
}

/* The scheme that the command line claims. */
static enum cli_exit check_claim(const struct pairs_file *f, const struct key_table *kt, bool stored)
{
    size_t wrong = 0;

    for (size_t i = 0; i < f->rows_len; i++) {
        struct verify_answer a;

        wrong += !verify_row(&kt->scheme, stored, &f->rows[i], &a);
    }
    if (wrong == 0) {
        printf("all %zu rows follow it\n", f->rows_len);
        return CLI_DONE;
    }
    printf("%zu of %zu rows differ\n", wrong, f->rows_len);
    print_first(f, &kt->scheme, stored);
    return CLI_NEGATIVE;
}

static void print_scheme(const struct verify *v, const struct verify_candidate *c)
{
    char words[VERIFY_WORDS_CAP];
    static const struct {
        const char *words, *preset;
    } presets[] = {{"arrays-hash abs", "phoenix"}, {"arrays-hash absFirst", "hbasewd"}, {"fold truncated", "hbasewd-2011"},
                   {"string-hash abs hex 2", "text02x"}, {"string-hash abs dec 4", "text04d"}};

    verify_words(c, words);
    fputs(words, stdout);
    if (c->salt.prefix != SALTKEY_PREFIX_HEX || strstr(words, "hex 2"))
        printf(", %" PRIu64 " buckets", c->salt.buckets);
    printf(", over %s", v->over_text[c->over]);
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        if (strcmp(words, presets[i].words) == 0)
            printf(" (%s)", presets[i].preset);
    }
    putchar('\n');
}

static enum cli_exit report(const struct pairs_file *f, struct verify *v)
{
    struct verify_candidate *best = &v->all[0];
    size_t same = 0;

    while (same < v->len && v->all[same].wrong == best->wrong)
        same++;
    if (best->wrong == 0) {
        if (same > 1)
            printf("all %zu rows follow each of %zu schemes, which these keys and this N don't tell apart:\n", f->rows_len,
                   same);
        else
            printf("all %zu rows follow ", f->rows_len);
        for (size_t i = 0; i < same && i < SHOWN_MAX; i++) {
            fputs(same > 1 ? "  " : "", stdout);
            print_scheme(v, &v->all[i]);
        }
        if (same > SHOWN_MAX)
            printf("  and %zu more\n", same - SHOWN_MAX);
        return CLI_DONE;
    }
    printf("no known scheme fits all %zu rows; the nearest, with %" PRIu64 " that differ:\n  ", f->rows_len,
           best->wrong);
    print_scheme(v, best);
    v->schemes[best->over].salt = best->salt;
    print_first(f, &v->schemes[best->over], v->stored_rows);
    if (best->wrong > f->rows_len / 2)
        puts("most rows differ: this isn't it; salts drawn at random or in turn look so");
    return CLI_NEGATIVE;
}

static enum cli_exit search(const struct pairs_file *f, const struct cli_args *args, bool stored)
{
    const char *layout_text = cli_option_text(args, "key"), *buckets = cli_option_text(args, "buckets");
    struct verify *v = calloc(1, sizeof *v);
    struct saltkey_layout layout;
    struct saltkey_error err = {0};
    unsigned long long n = 0;
    enum cli_exit code = CLI_USAGE;

    if (!v) {
        cli_error("not enough memory");
        return CLI_INTERNAL;
    }
    v->rows = f->rows;
    v->rows_len = f->rows_len;
    v->stored_rows = stored;
    if (buckets && (!cli_whole_number(buckets, UINT32_MAX, &n) || n == 0)) {
        cli_error("--buckets: '%s' is no number of buckets", buckets);
    } else if (saltkey_layout_parse(layout_text ? layout_text : "row:text", &layout, &err) < 0) {
        cli_error("--key: %s (column %zu of '%s')", err.reason, err.column, layout_text ? layout_text : "row:text");
    } else if (verify_search(v, &layout, n) < 0 || v->len == 0) {
        cli_error("not enough memory");
        code = CLI_INTERNAL;
    } else {
        code = report(f, v);
    }
    free(v->all);
    free(v);
    return code;
}

enum cli_exit key_verify(const struct cli_args *args, struct key_words words)
{
    const bool claim = cli_option_given(args, "salt") || cli_option_given(args, "scenario");
    const bool stored = cli_option_given(args, "rows");
    struct pairs_file f = {.name = words.len ? words.at[0] : "-"};
    struct key_format format;
    struct key_table kt;
    enum cli_exit code = key_format_read(cli_option_text(args, "format"), &format);

    if (words.len > 1 || (code == CLI_DONE && format.form == KEY_BINARY)) {
        cli_error(words.len > 1 ? "one FILE at a time" : "--format: pairs are lines, escaped or hex");
        code = CLI_USAGE;
    }
    if (code == CLI_DONE)
        code = key_stdin_once(args, strcmp(f.name, "-") == 0);
    if (code == CLI_DONE && claim)
        code = key_table_open(&kt, args, false);
    if (code != CLI_DONE)
        return code;
    code = read_pairs(&f, format.form, stored);
    if (code == CLI_DONE)
        code = claim ? check_claim(&f, &kt, stored) : search(&f, args, stored);
    if (claim)
        key_table_close(&kt);
    free(f.bytes);
    free(f.rows);
    return code;
}
