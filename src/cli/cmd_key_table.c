/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cmd_key_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "spec/scheme.h"

#define ANY_KEY "row:text"
#define BUCKETS_MAX 1000000

void key_warning(const char *fmt, ...)
{
    va_list ap;

    fputs("saltplan: warning: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

bool cli_whole_number(const char *text, unsigned long long max, unsigned long long *out)
{
    unsigned long long n = 0;

    if (*text == '\0')
        return false;
    for (; *text; text++) {
        const unsigned digit = (unsigned)*text - '0';

        if (digit > 9 || digit > max || n > (max - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *out = n;
    return true;
}

static enum cli_exit find_table(struct key_table *kt, const char *name)
{
    const struct spec *sp = &kt->sc.spec;

    kt->spec = sp;
    if (name) {
        kt->table = spec_table_by_name(sp, name);
        if (!kt->table)
            cli_error("the scenario has no table '%s'", name);
    } else if (sp->tables_len == 1) {
        kt->table = &sp->tables[0];
    } else {
        cli_error("the scenario has %zu tables: name one by --table", sp->tables_len);
    }
    return kt->table ? CLI_DONE : CLI_USAGE;
}

enum cli_exit key_stdin_once(const struct cli_args *args, size_t others)
{
    const char *file = cli_option_text(args, "scenario");

    if (others + (file && strcmp(file, "-") == 0) <= 1)
        return CLI_DONE;
    cli_error("standard input can be read once only");
    return CLI_USAGE;
}

static enum cli_exit open_scenario(struct key_table *kt, const struct cli_args *args, const char *file)
{
    static const char *const flags[] = {"key", "salt", "salt-over"};
    struct cli_args with = *args;
    enum cli_exit code;

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (cli_option_given(args, flags[i])) {
            cli_error("--%s and --scenario exclude each other", flags[i]);
            cli_hint("change the scenario's value: --set '[table NAME] ...'");
            return CLI_USAGE;
        }
    }
    with.operands = &file;
    with.operands_len = 1;
    code = cli_load_scenario(&with, 0, &kt->sc, NULL);
    if (code != CLI_DONE)
        return code;
    kt->from_scenario = true;
    return find_table(kt, cli_option_text(args, "table"));
}

/* The command line's words are kept in a spec's struct, which never frees them. */
static char *word(const struct cli_args *args, const char *option, const char *otherwise)
{
    const char *text = cli_option_text(args, option);
    union { const char *given; char *kept; } u = {text ? text : otherwise};

    return u.kept;
}

/* What would be left unread where there is no salt, or no scenario, to read it for. */
static enum cli_exit check_flags(const struct spec_table *t, const struct cli_args *args)
{
    const bool takes = strcmp(t->salt, "none") != 0 && spec_salt_takes_buckets(t->salt);
    const bool salted = strcmp(t->salt, "none") != 0;

    if (!cli_option_given(args, "buckets") && takes) {
        cli_error("salt '%s' needs --buckets N", t->salt);
        return CLI_USAGE;
    }
    if (t->buckets > 0 && !takes) {
        if (cli_option_given(args, "salt"))
            cli_error("--buckets: the salt '%s' takes none", t->salt);
        else
            cli_error("--buckets needs --salt");
        cli_hint("--salt phoenix, or another that takes buckets: saltplan explain salt");
        return CLI_USAGE;
    }
    if (cli_option_given(args, "salt-over") && !salted) {
        cli_error("--salt-over needs --salt");
        return CLI_USAGE;
    }
    if (cli_option_given(args, "set")) {
        cli_error("--set needs --scenario");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

/* The spec around a table that the command line describes. */
static void own_table(struct key_table *kt, const struct cli_args *args)
{
    kt->own_family.name = word(args, "family", "d");
    kt->own_family.bloom_row = true;
    kt->own_table.families = &kt->own_family;
    kt->own_table.families_len = 1;
    spec_init(&kt->own_spec);
    kt->spec = &kt->own_spec;
    kt->table = &kt->own_table;
}

static enum cli_exit open_flags(struct key_table *kt, const struct cli_args *args, bool need_key)
{
    const char *buckets = cli_option_text(args, "buckets");
    struct spec_table *t = &kt->own_table;
    unsigned long long n = 0;

    if (need_key && !cli_option_given(args, "key")) {
        cli_error("the key's layout is missing");
        cli_hint("--key 'ts:be64 device:fixed(16)', or --scenario FILE");
        return CLI_USAGE;
    }
    t->name = word(args, "table", "t1");
    t->key = word(args, "key", ANY_KEY);
    t->salt = word(args, "salt", "none");
    t->salt_over = word(args, "salt-over", "key");
    if (buckets && strcmp(buckets, "none") != 0 && !cli_whole_number(buckets, BUCKETS_MAX, &n)) {
        cli_error("--buckets: '%s' is no number of buckets", buckets);
        return CLI_USAGE;
    }
    if (buckets && n == 0 && strcmp(buckets, "none") != 0) {
        cli_error("--buckets: N is at least 1; 'none' is the word for no salt");
        return CLI_USAGE;
    }
    t->buckets = (int)n;
    if (check_flags(t, args) != CLI_DONE)
        return CLI_USAGE;
    own_table(kt, args);
    return CLI_DONE;
}

/* Names the option that holds what the library refused. */
static enum cli_exit refuse(const struct key_table *kt, const struct saltkey_error *err)
{
    struct saltkey_layout layout;
    struct saltkey_salt salt;
    struct saltkey_phoenix columns;
    struct saltkey_error again = {0};
    const bool flags = !kt->from_scenario;

    if (saltkey_layout_parse(kt->table->key, &layout, &again) < 0) {
        cli_error("%s: %s (column %zu of '%s')", flags ? "--key" : "key", again.reason, again.column, kt->table->key);
        if (saltkey_phoenix_parse(kt->table->key, 0, &columns, NULL) == 0)
            cli_hint("these are Phoenix's columns: saltplan key encode --phoenix '%s'", kt->table->key);
    } else if (saltkey_salt_parse(kt->table->salt, (uint32_t)kt->table->buckets, &salt, &again) < 0) {
        cli_error("%s: %s", flags ? (again.status == SALTKEY_EBUCKETS ? "--buckets" : "--salt") : "salt", again.reason);
        if (again.status == SALTKEY_ETEXT)
            cli_hint("saltplan explain salt lists the salts");
    } else {
        cli_error("%s: %s", flags ? "--salt-over" : "salt_over", err->reason);
    }
    return CLI_USAGE;
}

enum cli_exit key_table_open(struct key_table *kt, const struct cli_args *args, bool need_key)
{
    const char *file = cli_option_text(args, "scenario");
    struct saltkey_error err = {0};
    enum cli_exit code;

    memset(kt, 0, sizeof *kt);
    code = file ? open_scenario(kt, args, file) : open_flags(kt, args, need_key);
    if (code == CLI_DONE && spec_table_scheme(kt->table, &kt->scheme, &err) < 0)
        code = refuse(kt, &err);
    if (code != CLI_DONE)
        key_table_close(kt);
    return code;
}

enum cli_exit key_table_open_phoenix(struct key_table *kt, const struct cli_args *args, uint32_t buckets)
{
    static char key[] = ANY_KEY, none[] = "none", phoenix[] = "phoenix", over[] = "key";
    struct saltkey_error err = {0};

    memset(kt, 0, sizeof *kt);
    kt->own_table.name = word(args, "table", "t1");
    kt->own_table.key = key;
    kt->own_table.salt = buckets > 0 ? phoenix : none;
    kt->own_table.salt_over = over;
    kt->own_table.buckets = (int)buckets;
    own_table(kt, args);
    return spec_table_scheme(kt->table, &kt->scheme, &err) < 0 ? refuse(kt, &err) : CLI_DONE;
}

void key_table_close(struct key_table *kt)
{
    if (kt->from_scenario)
        scenario_free(&kt->sc);
    kt->from_scenario = false;
}

void key_table_warn(const struct key_table *kt)
{
    struct saltkey_scheme s = kt->scheme;
    const char *text;

    /* nothing is known of a key without a layout, so it isn't text either */
    if (strcmp(kt->table->key, ANY_KEY) == 0)
        s.layout.fields[0].kind = SALTKEY_BYTES;
    for (size_t i = 0; (text = saltkey_scheme_warning(&s, i)); i++)
        key_warning("%s", text);
}

enum cli_exit key_format_read(const char *text, struct key_format *format)
{
    unsigned long long width = 0;

    memset(format, 0, sizeof *format);
    if (!text || strcmp(text, "escaped") == 0)
        return CLI_DONE;
    if (strcmp(text, "hex") == 0) {
        format->form = KEY_HEX;
        return CLI_DONE;
    }
    if (strncmp(text, "binary ", 7) == 0 && cli_whole_number(text + 7, KEY_BYTES_MAX, &width) && width > 0) {
        format->form = KEY_BINARY;
        format->width = (size_t)width;
        return CLI_DONE;
    }
    cli_error("--format: '%s' is none of escaped, hex, 'binary WIDTH'", text);
    return CLI_USAGE;
}

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int fail(struct saltkey_error *err, int status, size_t column, const char *reason)
{
    err->status = status;
    err->column = column;
    snprintf(err->reason, sizeof err->reason, "%s", reason);
    return status;
}

int key_from_text(enum key_form form, struct saltkey_slice text, struct saltkey_buf *key,
                  struct saltkey_error *err)
{
    if (form == KEY_ESCAPED) {
        int rc = saltkey_to_bytes_binary_strict(text, key, err);

        return rc == SALTKEY_ESPACE ? fail(err, rc, err->column, "longer than any row key of HBase") : rc;
    }
    if (text.len % 2 != 0)
        return fail(err, SALTKEY_ETEXT, text.len, "an odd number of hexadecimal digits");
    if (text.len / 2 > key->cap)
        return fail(err, SALTKEY_ESPACE, 1, "longer than any row key of HBase");
    for (size_t i = 0; i < text.len; i += 2) {
        int high = hex_digit(text.bytes[i]), low = hex_digit(text.bytes[i + 1]);

        if (high < 0 || low < 0)
            return fail(err, SALTKEY_ETEXT, i + 1, "not a hexadecimal digit");
        key->bytes[i / 2] = (uint8_t)(high * 16 + low);
    }
    key->len = text.len / 2;
    return 0;
}

void key_print(enum key_form form, struct saltkey_slice key, FILE *out)
{
    if (form == KEY_BINARY) {
        fwrite(key.bytes, 1, key.len, out);
        return;
    }
    for (size_t i = 0; i < key.len; i++) {
        char one[5];

        if (form == KEY_HEX) {
            fprintf(out, "%02x", key.bytes[i]);
        } else {
            saltkey_to_string_binary((struct saltkey_slice){key.bytes + i, 1}, one, sizeof one);
            fputs(one, out);
        }
    }
}
