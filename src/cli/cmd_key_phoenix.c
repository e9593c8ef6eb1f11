/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cmd_key_phoenix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum cli_exit key_phoenix_open(const struct cli_args *args, struct saltkey_phoenix *key)
{
    static const char *const others[] = {"key", "salt", "salt-over", "scenario", "table", "set"};
    const char *columns = cli_option_text(args, "phoenix"), *buckets = cli_option_text(args, "buckets");
    struct saltkey_error err = {0};
    unsigned long long n = 0;

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (cli_option_given(args, others[i])) {
            cli_error("--phoenix and --%s exclude each other", others[i]);
            cli_hint("--phoenix is the whole key; --buckets N is its SALT_BUCKETS");
            return CLI_USAGE;
        }
    }
    if (buckets && strcmp(buckets, "none") != 0 && !cli_whole_number(buckets, UINT32_MAX, &n)) {
        cli_error("--buckets: '%s' is no number of buckets", buckets);
        return CLI_USAGE;
    }
    if (saltkey_phoenix_parse(columns, (uint32_t)n, key, &err) == 0)
        return CLI_DONE;
    if (err.status == SALTKEY_EBUCKETS) {
        cli_error("--buckets: %s", err.reason);
    } else {
        cli_error("--phoenix: %s (column %zu of '%s')", err.reason, err.column, columns);
        cli_hint("'CHAR(2) NOT NULL, DATE NOT NULL DESC, VARCHAR', as CREATE TABLE has it; ! stands for NOT NULL");
    }
    return CLI_USAGE;
}

bool key_read_integer(const char *text, struct saltkey_value *v)
{
    const bool minus = text[0] == '-';
    unsigned long long n = 0;

    if (!cli_whole_number(text + minus, UINT64_MAX, &n) || (minus && n > UINT64_C(1) << 63))
        return false;
    *v = minus ? saltkey_int((int64_t)(0 - n)) : saltkey_uint(n);
    return true;
}

bool key_read_real(const char *text, struct saltkey_value *v)
{
    char *end;
    double x;

    errno = 0;
    x = strtod(text, &end);
    if (end == text || *end || (errno == ERANGE && (x > 1 || x < -1))) /* too small a number is its nearest */
        return false;
    *v = saltkey_real(x);
    return true;
}

/* MS or MS/NANOS; a bare MS has the nanoseconds of its milliseconds. */
static const char *read_timestamp(const char *text, struct saltkey_value *v)
{
    const char *slash = strchr(text, '/');
    char ms[32];
    unsigned long long nanos = 0;
    int64_t within;

    if (snprintf(ms, sizeof ms, "%.*s", (int)(slash ? (size_t)(slash - text) : strlen(text)), text) >= (int)sizeof ms ||
        !key_read_integer(ms, v))
        return "a TIMESTAMP is MILLISECONDS or MILLISECONDS/NANOS";
    if (slash && !cli_whole_number(slash + 1, 999999999, &nanos))
        return "nanoseconds of the second are 0 to 999999999";
    within = (int64_t)v->number % 1000;
    within = within < 0 ? within + 1000 : within;
    if (slash && (int64_t)(nanos / 1000000) != within)
        return "the nanoseconds of the second are of another millisecond";
    v->nanos = slash ? (uint32_t)nanos : (uint32_t)within * 1000000;
    return NULL;
}

static const char *read_text(const char *text, struct saltkey_buf *bytes, struct saltkey_value *v)
{
    static char why[200];
    struct saltkey_buf room = {bytes->bytes + bytes->len, bytes->cap - bytes->len, 0};
    struct saltkey_error err = {0};

    if (!strchr(text, '\\')) { /* text in UTF-8 is itself */
        *v = saltkey_text(text);
        return NULL;
    }
    if (saltkey_to_bytes_binary_strict((struct saltkey_slice){(const uint8_t *)text, strlen(text)}, &room, &err) < 0) {
        snprintf(why, sizeof why, "%s", err.reason);
        return why;
    }
    *v = saltkey_bytes(room.bytes, room.len);
    bytes->len += room.len;
    return NULL;
}

const char *key_phoenix_value(const struct saltkey_phoenix_column *c, const char *text, struct saltkey_buf *bytes,
                              struct saltkey_value *v)
{
    memset(v, 0, sizeof *v);
    v->kind = SALTKEY_VALUE_NULL;
    if (*text == '\0')
        return NULL;
    switch (c->type) {
    case SALTKEY_PHOENIX_VARCHAR: case SALTKEY_PHOENIX_CHAR: case SALTKEY_PHOENIX_VARBINARY:
    case SALTKEY_PHOENIX_BINARY:
        return read_text(text, bytes, v);
    case SALTKEY_PHOENIX_DECIMAL:
        *v = saltkey_text(text);
        return NULL;
    case SALTKEY_PHOENIX_BOOLEAN:
        *v = saltkey_uint(strcmp(text, "true") == 0);
        return v->number || strcmp(text, "false") == 0 ? NULL : "a BOOLEAN is true or false";
    case SALTKEY_PHOENIX_FLOAT: case SALTKEY_PHOENIX_DOUBLE:
    case SALTKEY_PHOENIX_UNSIGNED_FLOAT: case SALTKEY_PHOENIX_UNSIGNED_DOUBLE:
        return key_read_real(text, v) ? NULL : "not a number";
    case SALTKEY_PHOENIX_TIMESTAMP: case SALTKEY_PHOENIX_UNSIGNED_TIMESTAMP:
        return read_timestamp(text, v);
    default:
        return key_read_integer(text, v) ? NULL : "not a whole number";
    }
}

static void print_real(const struct saltkey_phoenix_column *c, const struct saltkey_value *v, FILE *out)
{
    double real;

    memcpy(&real, &v->number, sizeof real);
    fprintf(out, c->width == 4 ? "%.9g" : "%.17g", real);
}

void key_phoenix_print(const struct saltkey_phoenix_column *c, const struct saltkey_value *v, FILE *out)
{
    const bool timestamp = c->type == SALTKEY_PHOENIX_TIMESTAMP || c->type == SALTKEY_PHOENIX_UNSIGNED_TIMESTAMP;

    switch (v->kind) {
    case SALTKEY_VALUE_UINT:
        if (c->type == SALTKEY_PHOENIX_BOOLEAN)
            fputs(v->number ? "true" : "false", out);
        else
            fprintf(out, "%llu", (unsigned long long)v->number);
        break;
    case SALTKEY_VALUE_INT:
        fprintf(out, "%lld", (long long)v->number);
        break;
    case SALTKEY_VALUE_REAL:
        print_real(c, v, out);
        break;
    case SALTKEY_VALUE_BYTES:
        key_print(KEY_ESCAPED, v->bytes, out);
        break;
    default:
        break;
    }
    if (timestamp && v->nanos % 1000000)
        fprintf(out, "/%u", (unsigned)v->nanos);
}
