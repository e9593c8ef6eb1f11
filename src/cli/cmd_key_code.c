/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key encode, decode, salt: one row for the operands, or one for each line of standard input. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "cli/cmd_key.h"
#include "cli/cmd_key_phoenix.h"
#include "cli/cmd_key_table.h"

#define EXPLAIN_CAP 8192
#define NO_ROW "the row would be empty: HBase has no empty row key"
#define WRITERS_CHOICE "this salt isn't a function of the key: its writer chooses it"

/* What one run works with; the buffers hold the longest row. */
struct coder {
    struct key_table table;
    struct saltkey_phoenix phoenix; /* instead of the table, where it has columns */
    struct key_format format;
    bool explain;
    size_t line;                /* 0 while the operands are read */
    uint8_t *row, *natural, *texts;
    size_t texts_len;           /* of |texts| used by a row's text values */
};

/* `standard input:LINE: ` in front where a line is to blame. */
static enum cli_exit complain(const struct coder *c, const char *what, const char *reason)
{
    if (c->line > 0)
        cli_error("standard input:%zu: %s%s%s", c->line, what, what[0] ? ": " : "", reason);
    else
        cli_error("%s%s%s", what, what[0] ? ": " : "", reason);
    return CLI_USAGE;
}

static bool is_digits(const char *text)
{
    const char *digits = text + (text[0] == '-');

    return *digits && digits[strspn(digits, "0123456789")] == '\0';
}

static bool is_text(enum saltkey_kind kind)
{
    switch (kind) {
    case SALTKEY_FIXED: case SALTKEY_BYTES: case SALTKEY_TEXT: case SALTKEY_RAWTEXT: case SALTKEY_REVTEXT:
    case SALTKEY_REVLABELS: case SALTKEY_UUID: case SALTKEY_OB_TEXT: case SALTKEY_OB_BLOB:
        return true;
    default:
        return false;
    }
}

/* A field's value from its text; text goes through HBase's escapes into |c->texts|. */
static enum cli_exit read_value(struct coder *c, const struct saltkey_field *f, const char *text,
                                struct saltkey_value *v)
{
    struct saltkey_buf bytes = {c->texts + c->texts_len, KEY_BYTES_MAX - c->texts_len, 0};
    struct saltkey_error err = {0};
    char what[80];

    snprintf(what, sizeof what, "field '%s'", f->name);
    if (is_text(f->kind)) {
        /* text in UTF-8 is itself: only escapes need reading */
        if (!strchr(text, '\\') && strlen(text) <= bytes.cap) {
            *v = saltkey_text(text);
            return CLI_DONE;
        }
        if (saltkey_to_bytes_binary_strict((struct saltkey_slice){(const uint8_t *)text, strlen(text)}, &bytes,
                                           &err) < 0)
            return complain(c, what, err.reason);
        *v = saltkey_bytes(bytes.bytes, bytes.len);
        c->texts_len += bytes.len;
        return CLI_DONE;
    }
    if (f->kind == SALTKEY_OB_F64 ? key_read_real(text, v) : key_read_integer(text, v))
        return CLI_DONE;
    return complain(c, what, is_digits(text) ? saltkey_status_text(SALTKEY_ERANGE) : "not a number");
}

/* A built row to stdout. */
static enum cli_exit put_row(struct coder *c, struct saltkey_slice row)
{
    char reason[100];

    if (row.len == 0)
        return complain(c, "", NO_ROW);
    if (c->format.form == KEY_BINARY && row.len != c->format.width) { /* rows have no ends there */
        snprintf(reason, sizeof reason, "the row has %zu bytes, not the %zu of --format", row.len, c->format.width);
        return complain(c, "", reason);
    }
    key_print(c->format.form, row, stdout);
    if (c->format.form != KEY_BINARY)
        putchar('\n');
    return CLI_DONE;
}

static enum cli_exit wrong_count(struct coder *c, size_t n, uint32_t wanted)
{
    char reason[80];

    snprintf(reason, sizeof reason, "%zu values for %u fields", n, (unsigned)wanted);
    return complain(c, "", reason);
}

/* A Phoenix column in front of a reason. */
static enum cli_exit complain_column(const struct coder *c, size_t column, const char *reason)
{
    char what[80];

    if (column == 0 || column > c->phoenix.n_columns)
        return complain(c, "", reason);
    snprintf(what, sizeof what, "column %zu, %s", column,
             saltkey_phoenix_type_name(c->phoenix.columns[column - 1].type));
    return complain(c, what, reason);
}

static enum cli_exit encode_phoenix(struct coder *c, char *const *values, size_t n)
{
    struct saltkey_buf bytes = {c->texts, KEY_BYTES_MAX, 0}, row = {c->row, KEY_BYTES_MAX, 0};
    struct saltkey_value v[SALTKEY_FIELDS_MAX];
    struct saltkey_error err = {0};

    if (n != c->phoenix.n_columns)
        return wrong_count(c, n, c->phoenix.n_columns);
    for (size_t i = 0; i < n; i++) {
        const char *why = key_phoenix_value(&c->phoenix.columns[i], values[i], &bytes, &v[i]);

        if (why)
            return complain_column(c, i + 1, why);
    }
    if (saltkey_phoenix_row(&c->phoenix, v, &row, &err) < 0)
        return complain_column(c, err.column, err.reason);
    return put_row(c, (struct saltkey_slice){row.bytes, row.len});
}

/* |n| values to a row on stdout. */
static enum cli_exit encode_row(struct coder *c, char *const *values, size_t n)
{
    const struct saltkey_layout *l = &c->table.scheme.layout;
    struct saltkey_value v[SALTKEY_FIELDS_MAX];
    struct saltkey_buf row = {c->row, KEY_BYTES_MAX, 0};
    struct saltkey_error err = {0};

    if (c->phoenix.n_columns > 0)
        return encode_phoenix(c, values, n);
    if (n != l->n_fields)
        return wrong_count(c, n, l->n_fields);
    c->texts_len = 0;
    for (size_t i = 0; i < n; i++) {
        enum cli_exit code = read_value(c, &l->fields[i], values[i], &v[i]);

        if (code != CLI_DONE)
            return code;
    }
    if (c->table.scheme.salt.hash == SALTKEY_HASH_GIVEN)
        return complain(c, "", WRITERS_CHOICE);
    if (saltkey_salted(&c->table.scheme, v, &row, &err) < 0)
        return complain(c, "", err.reason[0] ? err.reason : saltkey_status_text(err.status));
    return put_row(c, (struct saltkey_slice){row.bytes, row.len});
}

/* A line's values, parted by tabs; the line is cut up. */
static enum cli_exit encode_line(struct coder *c, char *line, size_t len)
{
    char *values[SALTKEY_FIELDS_MAX + 1];
    size_t n = 0;

    if (memchr(line, '\0', len))
        return complain(c, "", "a byte 0: write it as \\x00");
    values[n++] = line;
    for (char *p = line; *p; p++) {
        if (*p != '\t')
            continue;
        *p = '\0';
        if (n <= SALTKEY_FIELDS_MAX)
            values[n++] = p + 1;
    }
    return encode_row(c, values, n);
}

static void print_value(const struct saltkey_field *f, const struct saltkey_value *v)
{
    double real;

    switch (v->kind) {
    case SALTKEY_VALUE_UINT:
        printf("%llu", (unsigned long long)v->number);
        break;
    case SALTKEY_VALUE_INT:
        printf("%lld", (long long)v->number);
        break;
    case SALTKEY_VALUE_REAL:
        memcpy(&real, &v->number, sizeof real);
        printf("%.17g", real);
        break;
    default:
        if (f->kind == SALTKEY_UUID && v->bytes.len == 16) {
            for (size_t i = 0; i < 16; i++)
                printf(i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", v->bytes.bytes[i]);
        } else {
            key_print(KEY_ESCAPED, v->bytes, stdout);
        }
        break;
    }
}

/* A salt that no writer of this scheme puts there: the same verdict as a salt that its key doesn't give. */
static enum cli_exit wrong_salt(struct coder *c)
{
    complain(c, "", "the row doesn't begin with a salt below N");
    return CLI_NEGATIVE;
}

static enum cli_exit decode_phoenix(struct coder *c, struct saltkey_slice row)
{
    const size_t cap = row.len * 128 + 192; /* what saltkey_phoenix_row_read asks for */
    struct saltkey_buf scratch = {malloc(cap), cap, 0};
    struct saltkey_value v[SALTKEY_FIELDS_MAX];
    struct saltkey_error err = {0};
    enum cli_exit code = CLI_DONE;
    char reason[200];
    int rc;

    if (!scratch.bytes)
        return CLI_INTERNAL;
    rc = saltkey_phoenix_row_read(&c->phoenix, row, v, &scratch, &err);
    if (rc < 0) {
        snprintf(reason, sizeof reason, "byte %zu of the row: %s", err.column, err.reason);
        code = complain(c, "", reason);
    } else if (rc == 1) {
        complain(c, "", "the row's salt isn't the one that its key gives");
        code = CLI_NEGATIVE;
    }
    for (uint32_t i = 0; code == CLI_DONE && i < c->phoenix.n_columns; i++) {
        if (c->explain)
            printf("%u %s%s ", (unsigned)i + 1, saltkey_phoenix_type_name(c->phoenix.columns[i].type),
                   c->phoenix.columns[i].desc ? " DESC" : "");
        else if (i > 0)
            putchar('\t');
        if (c->explain && v[i].kind == SALTKEY_VALUE_NULL)
            fputs("null", stdout);
        key_phoenix_print(&c->phoenix.columns[i], &v[i], stdout);
        if (c->explain)
            putchar('\n');
    }
    if (code == CLI_DONE && !c->explain)
        putchar('\n');
    free(scratch.bytes);
    return code;
}

static enum cli_exit decode_row(struct coder *c, struct saltkey_slice row)
{
    const struct saltkey_scheme *s = &c->table.scheme;
    struct saltkey_value v[SALTKEY_FIELDS_MAX];
    struct saltkey_error err = {0};
    uint64_t bucket = 0, again = 0;
    size_t skip = 0;
    struct saltkey_slice natural;
    struct saltkey_buf scratch = {c->texts, 2 * (size_t)KEY_BYTES_MAX, 0};
    char reason[200];

    if (saltkey_row_bucket(s, row, &bucket) < 0 || saltkey_row_skip(s, row, &skip) < 0)
        return wrong_salt(c);
    natural = (struct saltkey_slice){row.bytes + skip, row.len - skip};
    if (saltkey_natural_parse(&s->layout, natural, v, &scratch, &err) < 0) {
        snprintf(reason, sizeof reason, "byte %zu of the row: %s", err.column + skip, err.reason);
        return complain(c, "", reason);
    }
    if (saltkey_bucket(s, natural, &again) == 0 && again != bucket && s->salt.hash != SALTKEY_HASH_GIVEN) {
        snprintf(reason, sizeof reason, "the row's salt is %llu, its key gives %llu", (unsigned long long)bucket,
                 (unsigned long long)again);
        complain(c, "", reason);
        return CLI_NEGATIVE;
    }
    for (uint32_t i = 0; i < s->layout.n_fields; i++) {
        if (i > 0)
            putchar('\t');
        print_value(&s->layout.fields[i], &v[i]);
    }
    putchar('\n');
    return CLI_DONE;
}

static enum cli_exit explain_row(struct coder *c, struct saltkey_slice row)
{
    char text[EXPLAIN_CAP];
    struct saltkey_error err = {0};
    uint64_t bucket = 0;
    size_t skip = 0;

    if (saltkey_row_bucket(&c->table.scheme, row, &bucket) < 0 || saltkey_row_skip(&c->table.scheme, row, &skip) < 0)
        return wrong_salt(c);
    if (saltkey_explain(&c->table.scheme, row, text, sizeof text, &err) < 0) {
        char reason[200];

        snprintf(reason, sizeof reason, "byte %zu of the row: %s", err.column,
                 err.reason[0] ? err.reason : "too long to explain");
        return complain(c, "", reason);
    }
    fputs(text, stdout);
    return strstr(text, ", WRONG") ? CLI_NEGATIVE : CLI_DONE;
}

static enum cli_exit decode_one(struct coder *c, struct saltkey_slice row)
{
    if (c->phoenix.n_columns > 0)
        return decode_phoenix(c, row);
    return c->explain ? explain_row(c, row) : decode_row(c, row);
}

static enum cli_exit salt_row(struct coder *c, struct saltkey_slice natural)
{
    struct saltkey_buf row = {c->row, KEY_BYTES_MAX, 0};
    uint64_t bucket = 0;
    int rc = saltkey_bucket(&c->table.scheme, natural, &bucket);

    if (rc == 0)
        rc = saltkey_salt_natural(&c->table.scheme, natural, &row);
    if (rc == SALTKEY_EKEY)
        return complain(c, "", "the key doesn't fit the layout");
    if (rc == SALTKEY_EUNSUPPORTED)
        return complain(c, "", WRITERS_CHOICE);
    if (rc < 0)
        return complain(c, "", saltkey_status_text(rc));
    if (row.len == 0)
        return complain(c, "", NO_ROW);
    if (c->format.form != KEY_BINARY)
        printf("%llu\t", (unsigned long long)bucket);
    key_print(c->format.form, (struct saltkey_slice){row.bytes, row.len}, stdout);
    if (c->format.form != KEY_BINARY)
        putchar('\n');
    return CLI_DONE;
}

enum action { ENCODE, DECODE, SALT };

/* A key's text through to its action. */
static enum cli_exit take_key(struct coder *c, enum action action, const char *text, size_t len)
{
    struct saltkey_buf key = {c->natural, KEY_BYTES_MAX, 0};
    struct saltkey_error err = {0};
    struct saltkey_slice slice;
    char what[40] = "";

    if (len > KEY_TEXT_MAX)
        return complain(c, "", "longer than any row key of HBase");
    if (key_from_text(c->format.form, (struct saltkey_slice){(const uint8_t *)text, len}, &key, &err) < 0) {
        snprintf(what, sizeof what, "column %zu", err.column);
        return complain(c, what, err.reason);
    }
    slice = (struct saltkey_slice){key.bytes, key.len};
    if (action == SALT)
        return salt_row(c, slice);
    if (slice.len == 0)
        return complain(c, "", "an empty row: HBase has no empty row key");
    return decode_one(c, slice);
}

/* The worst of all rows; a bad one doesn't stop the reading, but a bad salt keeps its own status. */
static enum cli_exit take_lines(struct coder *c, enum action action)
{
    enum cli_exit worst = CLI_DONE;
    char *line = NULL;
    size_t cap = 0;
    ssize_t got;

    while (worst < CLI_USAGE && (got = getline(&line, &cap, stdin)) >= 0) {
        size_t len = (size_t)got;
        enum cli_exit code;

        c->line++;
        if (len > 0 && line[len - 1] == '\n') /* the end of a line, as DOS has it too */
            line[--len] = '\0';
        if (len > 0 && line[len - 1] == '\r')
            line[--len] = '\0';
        code = action == ENCODE ? encode_line(c, line, len) : take_key(c, action, line, len);
        worst = code > worst ? code : worst;
    }
    free(line);
    if (ferror(stdin)) {
        cli_error("standard input: %s", strerror(errno));
        return CLI_FILE;
    }
    return worst;
}

static enum cli_exit take_binary(struct coder *c, enum action action)
{
    enum cli_exit worst = CLI_DONE;
    size_t got = 0;

    while (worst < CLI_USAGE && (got = fread(c->natural, 1, c->format.width, stdin)) == c->format.width) {
        struct saltkey_slice slice = {c->natural, got};
        enum cli_exit code;

        c->line++;
        code = action == SALT ? salt_row(c, slice) : decode_one(c, slice);
        worst = code > worst ? code : worst;
    }
    if (worst < CLI_USAGE && got > 0) {
        c->line++;
        return complain(c, "", "the input ends inside a row");
    }
    return worst;
}

static enum cli_exit take_words(struct coder *c, enum action action, struct key_words words)
{
    enum cli_exit worst = CLI_DONE;

    if (action == ENCODE) {
        char **values = calloc(words.len + 1, sizeof *values);
        enum cli_exit code = CLI_INTERNAL;

        for (size_t i = 0; values && i < words.len; i++)
            memcpy(&values[i], &words.at[i], sizeof values[i]);
        if (values)
            code = encode_row(c, values, words.len);
        free(values);
        return code;
    }
    for (size_t i = 0; i < words.len && worst < CLI_USAGE; i++) {
        enum cli_exit code = take_key(c, action, words.at[i], strlen(words.at[i]));

        worst = code > worst ? code : worst;
    }
    return worst;
}

static enum cli_exit code_rows(const struct cli_args *args, enum action action, struct key_words words)
{
    const bool phoenix = cli_option_given(args, "phoenix");
    struct coder c = {.explain = cli_option_given(args, "explain")};
    enum cli_exit code = key_format_read(cli_option_text(args, "format"), &c.format);

    if (code == CLI_DONE && c.format.form == KEY_BINARY && words.len > 0 && action != ENCODE) {
        cli_error("binary keys are read from standard input only");
        code = CLI_USAGE;
    }
    if (code == CLI_DONE)
        code = key_stdin_once(args, words.len == 0);
    if (code == CLI_DONE)
        code = phoenix ? key_phoenix_open(args, &c.phoenix) : key_table_open(&c.table, args, action != SALT);
    if (code != CLI_DONE)
        return code;
    if (action != DECODE && !phoenix)
        key_table_warn(&c.table);
    c.row = malloc(KEY_BYTES_MAX);
    c.natural = malloc(KEY_BYTES_MAX);
    c.texts = malloc(2 * (size_t)KEY_BYTES_MAX);
    if (!c.row || !c.natural || !c.texts) {
        cli_error("not enough memory");
        code = CLI_INTERNAL;
    } else if (words.len > 0) {
        code = take_words(&c, action, words);
    } else {
        code = c.format.form == KEY_BINARY && action != ENCODE ? take_binary(&c, action) : take_lines(&c, action);
    }
    free(c.row);
    free(c.natural);
    free(c.texts);
    key_table_close(&c.table);
    return code;
}

enum cli_exit key_encode(const struct cli_args *args, struct key_words words)
{
    return code_rows(args, ENCODE, words);
}

enum cli_exit key_decode(const struct cli_args *args, struct key_words words)
{
    return code_rows(args, DECODE, words);
}

enum cli_exit key_salt(const struct cli_args *args, struct key_words words)
{
    return code_rows(args, SALT, words);
}
