/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cmd_merge_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)256 << 10)
#define LINE_MAX_BYTES ((size_t)64 << 20)

enum cli_exit merge_file_open(struct merge_file *f, const char *name, const struct key_format *format)
{
    f->name = strcmp(name, "-") == 0 ? "standard input" : name;
    f->format = *format;
    f->stream = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
    if (!f->stream) {
        cli_error("%s: %s", name, strerror(errno));
        return CLI_FILE;
    }
    f->cap = BLOCK_BYTES;
    f->through = -1;
    f->block = malloc(f->cap);
    if (!f->block) {
        cli_error("not enough memory");
        return CLI_INTERNAL;
    }
    return CLI_DONE;
}

void merge_file_close(struct merge_file *f)
{
    if (f->stream && f->stream != stdin)
        fclose(f->stream);
    free(f->block);
    free(f->lines);
    free(f->keys);
}

/* What stands in a line is to blame; |column| 0: all of it. */
static int refuse(struct merge_file *f, uint64_t line, size_t column, const char *reason)
{
    if (column > 0 && f->format.form != KEY_BINARY)
        cli_error("%s:%llu:%zu: %s", f->name, (unsigned long long)line, column, reason);
    else
        cli_error("%s:%llu: %s", f->name, (unsigned long long)line, reason);
    f->failed = CLI_USAGE;
    return -1;
}

static int fail(struct merge_file *f, enum cli_exit code, uint64_t line, const char *reason)
{
    if (line > 0)
        cli_error("%s:%llu: %s", f->name, (unsigned long long)line, reason);
    else
        cli_error("%s: %s", f->name, reason);
    f->failed = code;
    return -1;
}

/* Moves what is left to the block's front and reads more behind it. 0, or -1. */
static int refill(struct merge_file *f)
{
    size_t got;

    memmove(f->block, f->block + f->start, f->end - f->start);
    f->end -= f->start;
    f->start = 0;
    if (f->end == f->cap) {
        char *more = f->cap < LINE_MAX_BYTES ? realloc(f->block, 2 * f->cap) : NULL;

        if (!more)
            return fail(f, CLI_FILE, f->count + 1, "a line of more than 64 MiB, or no memory for it");
        f->block = more;
        f->cap *= 2;
    }
    got = fread(f->block + f->end, 1, f->cap - f->end, f->stream);
    if (ferror(f->stream))
        return fail(f, CLI_FILE, 0, strerror(errno));
    f->eof = got < f->cap - f->end;
    f->end += got;
    return 0;
}

/* Length of the row at |f->start| with its line end; 0 where the block doesn't hold all of it. */
static size_t whole_row(const struct merge_file *f, size_t at)
{
    const char *end;

    if (f->format.form == KEY_BINARY)
        return f->end - at >= f->format.width ? f->format.width : 0;
    if (at == f->end)
        return 0;
    end = memchr(f->block + at, '\n', f->end - at);
    if (!end)
        return f->eof ? f->end - at : 0;
    return (size_t)(end - f->block) - at + 1;
}

static int make_room(struct merge_file *f, size_t max)
{
    if (f->lines_cap < max) {
        struct merge_line *lines = realloc(f->lines, max * sizeof *lines);

        if (!lines)
            return fail(f, CLI_INTERNAL, 0, "not enough memory");
        f->lines = lines;
        f->lines_cap = max;
    }
    if (f->keys_cap < f->cap) { /* a key is never longer than its text */
        uint8_t *keys = realloc(f->keys, f->cap);

        if (!keys)
            return fail(f, CLI_INTERNAL, 0, "not enough memory");
        f->keys = keys;
        f->keys_cap = f->cap;
    }
    return 0;
}

/* The key of a line: its own bytes where nothing is escaped. */
static int read_key(struct merge_file *f, const struct merge_line *line, struct saltkey_slice *key)
{
    struct saltkey_slice text = {(const uint8_t *)line->text, line->key_len};
    struct saltkey_buf to = {f->keys + f->keys_len, f->keys_cap - f->keys_len, 0};
    struct saltkey_error err = {0};

    if (line->key_len == 0)
        return refuse(f, line->number, 1, "an empty key");
    if (key_from_text(f->format.form, text, &to, &err) < 0)
        return refuse(f, line->number, err.column, err.reason);
    if (to.len > KEY_BYTES_MAX)
        return refuse(f, line->number, 1, "longer than any row key of HBase");
    f->keys_len += to.len;
    *key = (struct saltkey_slice){to.bytes, to.len};
    return 0;
}

/* Fills one row from |len| bytes of the block; |len| has the line's end. */
static int take(struct merge_file *f, size_t len, struct merge_line *line, struct saltkey_row *row)
{
    const char *text = f->block + f->start, *tab;
    size_t skip = 0;

    f->start += len;
    line->number = ++f->count;
    line->text = text;
    row->user = line;
    if (f->format.form == KEY_BINARY) {
        line->len = line->key_len = len;
        row->key = (struct saltkey_slice){(const uint8_t *)text, len};
    } else {
        line->len = len - (text[len - 1] == '\n'); /* the end of a line, as DOS has it too */
        line->len -= line->len > 0 && text[line->len - 1] == '\r';
        tab = memchr(text, '\t', line->len);
        line->key_len = tab ? (size_t)(tab - text) : line->len;
        if (read_key(f, line, &row->key) < 0)
            return -1;
    }
    if (f->scheme && saltkey_row_skip(f->scheme, row->key, &skip) < 0)
        return refuse(f, line->number, 1, "the row doesn't begin with this salt");
    if (row->key.len < f->skip)
        return refuse(f, line->number, line->key_len + 1, "the row is shorter than its salt");
    if (f->through >= 0 && !memchr(row->key.bytes, f->through, row->key.len))
        return refuse(f, line->number, line->key_len + 1, "no end of a salt in the row");
    return 0;
}

int merge_file_pull(void *context, struct saltkey_row *rows, size_t max)
{
    struct merge_file *f = context;
    size_t n = 0, len;

    if (f->failed != CLI_DONE || make_room(f, max) < 0)
        return -1;
    f->keys_len = 0;
    while (whole_row(f, f->start) == 0 && !f->eof) {
        if (refill(f) < 0 || make_room(f, max) < 0)
            return -1;
    }
    while (n < max && (len = whole_row(f, f->start)) > 0) {
        if (take(f, len, &f->lines[n], &rows[n]) < 0)
            return -1;
        n++;
    }
    if (n == 0 && f->end > f->start)
        return refuse(f, f->count + 1, 0, "the file ends inside a row");
    return (int)n;
}
