/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `state` of [cluster]: a file that says where the regions are. Tab-separated values under a line
   that names the columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/key.h"
#include "spec/spec.h"

#define STATE_FILE_MAX ((size_t)256 << 20)
#define COLUMNS_MAX 32

enum column {
    COLUMN_SERVER, COLUMN_TABLE, COLUMN_START, COLUMN_STORE, COLUMN_WRITES, COLUMN_READS, COLUMN_MEMSTORE_1,
    COLUMN_MEMSTORE_2, COLUMN_LOCAL, COLUMN_OTHER
};

static const char *const column_names[] = {
    [COLUMN_SERVER] = "server", [COLUMN_TABLE] = "table", [COLUMN_START] = "start", [COLUMN_STORE] = "store_mb",
    [COLUMN_WRITES] = "write_delta", [COLUMN_READS] = "read_delta", [COLUMN_MEMSTORE_1] = "mem_mb_1",
    [COLUMN_MEMSTORE_2] = "mem_mb_2", [COLUMN_LOCAL] = "local",
};

struct state_file {
    struct key_reader *rd;
    struct spec_cluster *cl;
    struct word name;
    size_t line;
    enum column columns[COLUMNS_MAX];
    size_t columns_len;
    size_t cap;
};

static bool complain(struct state_file *sf, const char *what)
{
    return reader_error(sf->rd, sf->name.at, "%.*s:%zu: %s", (int)sf->name.len, sf->name.chars, sf->line, what);
}

/* The next field of a line; false at its end. */
static bool next_field(const char **at, const char *end, struct word *out)
{
    const char *tab;

    if (!*at)
        return false;
    tab = memchr(*at, '\t', (size_t)(end - *at));
    *out = (struct word){*at, (size_t)((tab ? tab : end) - *at), 0};
    *at = tab ? tab + 1 : NULL;
    return true;
}

static bool read_columns(struct state_file *sf, const char *line, const char *end)
{
    bool seen[COLUMN_OTHER] = {false};
    struct word wd;

    while (next_field(&line, end, &wd)) {
        enum column c = 0;

        if (sf->columns_len == COLUMNS_MAX)
            return complain(sf, "too many columns");
        while (c < COLUMN_OTHER && !word_is(wd, column_names[c]))
            c++;
        if (c < COLUMN_OTHER && seen[c])
            return complain(sf, "a column stands twice");
        if (c < COLUMN_OTHER)
            seen[c] = true;
        sf->columns[sf->columns_len++] = c;
    }
    if (!seen[COLUMN_SERVER] || !seen[COLUMN_TABLE] || !seen[COLUMN_START])
        return complain(sf, "the first line must name the columns server, table and start");
    return true;
}

static bool server_number(struct word wd, int *out)
{
    const struct word number = {wd.chars + 2, wd.len - 2, 0};
    long long n;

    if (wd.len < 4 || strncmp(wd.chars, "rs", 2) != 0 || !word_number(number, 99999, &n))
        return false;
    *out = (int)n;
    return true;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Hexadecimal digits; "-" is the empty key. */
static bool start_key(struct state_file *sf, struct word wd, struct spec_bytes *out)
{
    if (word_is(wd, "-") || wd.len == 0)
        return true;
    out->bytes = malloc(wd.len / 2 + 1);
    if (!out->bytes) {
        sf->rd->no_memory = true;
        return false;
    }
    for (size_t i = 0; i + 1 < wd.len; i += 2) {
        if (digit(wd.chars[i]) < 0 || digit(wd.chars[i + 1]) < 0)
            return complain(sf, "a start key is written in hexadecimal digits, or as -");
        out->bytes[out->len++] = (uint8_t)(digit(wd.chars[i]) * 16 + digit(wd.chars[i + 1]));
    }
    return wd.len % 2 == 0 || complain(sf, "an odd number of hexadecimal digits");
}

static bool number(struct state_file *sf, struct word wd, double *out)
{
    struct unit_problem why;

    if (unit_read_real(UNIT_NUMBER, wd.chars, wd.len, out, &why) < 0)
        return complain(sf, "a number is expected");
    return true;
}

static bool local_servers(struct state_file *sf, struct word wd, struct spec_state_region *r)
{
    if (word_is(wd, "-"))
        return true;
    r->local = malloc((wd.len / 4 + 1) * sizeof *r->local);
    if (!r->local) {
        sf->rd->no_memory = true;
        return false;
    }
    for (const char *at = wd.chars, *end = wd.chars + wd.len; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const struct word one = {at, (size_t)((comma ? comma : end) - at), 0};

        if (!server_number(one, &r->local[r->local_len]))
            return complain(sf, "local names servers as rs00,rs01, or is -");
        r->local_len++;
        at = comma ? comma + 1 : end;
    }
    return true;
}

static bool take_field(struct state_file *sf, struct spec_state_region *r, enum column c, struct word wd)
{
    switch (c) {
    case COLUMN_SERVER:
        return server_number(wd, &r->server) || complain(sf, "a server is written as rs00");
    case COLUMN_TABLE:
        return wd.len > 0 ? reader_copy(sf->rd, wd, &r->table) : complain(sf, "the table's name is missing");
    case COLUMN_START:
        return start_key(sf, wd, &r->start);
    case COLUMN_STORE:
        return number(sf, wd, &r->store_mb);
    case COLUMN_WRITES:
        return number(sf, wd, &r->write_delta);
    case COLUMN_READS:
        return number(sf, wd, &r->read_delta);
    case COLUMN_MEMSTORE_1:
        return number(sf, wd, &r->memstore_mb[0]);
    case COLUMN_MEMSTORE_2:
        return number(sf, wd, &r->memstore_mb[1]);
    case COLUMN_LOCAL:
        return local_servers(sf, wd, r);
    case COLUMN_OTHER:
        break;
    }
    return true;
}

static bool read_region(struct state_file *sf, const char *line, const char *end)
{
    struct spec_cluster *cl = sf->cl;
    struct spec_state_region *r;
    struct word wd;
    size_t c = 0;

    if (cl->state_len == sf->cap) {
        const size_t cap = sf->cap ? sf->cap * 2 : 64;
        struct spec_state_region *all = realloc(cl->state, cap * sizeof *all);

        if (!all) {
            sf->rd->no_memory = true;
            return false;
        }
        cl->state = all;
        sf->cap = cap;
    }
    r = &cl->state[cl->state_len++];
    memset(r, 0, sizeof *r);
    while (next_field(&line, end, &wd)) {
        if (c == sf->columns_len)
            return complain(sf, "more values than columns");
        if (!take_field(sf, r, sf->columns[c++], wd))
            return false;
    }
    return c == sf->columns_len || complain(sf, "fewer values than columns");
}

static bool read_lines(struct state_file *sf, const char *bytes, size_t len)
{
    const char *end = bytes + len;

    for (const char *line = bytes; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const char *next = stop ? stop + 1 : end;

        if (!stop)
            stop = end;
        if (stop > line && stop[-1] == '\r')
            stop--;
        sf->line++;
        if (stop > line && *line != '#' &&
            !(sf->columns_len == 0 ? read_columns(sf, line, stop) : read_region(sf, line, stop)))
            return false;
        line = next;
    }
    return sf->cl->state_len > 0 || complain(sf, "the file has no region");
}

bool read_state(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct state_file sf = {.rd = rd, .cl = target, .name = words_rest(&wds)};
    char *bytes;
    size_t len;
    bool good;

    if (!reader_file(rd, sf.name, STATE_FILE_MAX, &bytes, &len))
        return false;
    good = read_lines(&sf, bytes, len);
    free(bytes);
    return good && reader_copy(rd, sf.name, &sf.cl->state_name);
}

bool write_state(const void *target, size_t i, struct text *out)
{
    const struct spec_cluster *cl = target;

    if (i > 0 || !cl->state_name)
        return false;
    text_add(out, "%s", cl->state_name);
    return true;
}
