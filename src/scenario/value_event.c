/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `do` of [event]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saltkey.h"
#include "scenario/key.h"
#include "scenario/suggest.h"
#include "spec/spec.h"

#define ROW_MAX 1024
#define SERVERS_ADDED_MAX 10000

/* rs05 */
static bool read_server(struct key_reader *rd, struct words *wds, int *out)
{
    struct word wd, number;
    long long n;

    if (!words_next(wds, &wd))
        return reader_error(rd, wd.at, "which server? Write it as rs00");
    number = (struct word){wd.chars + 2, wd.len - 2, wd.at + 2};
    if (wd.len < 4 || strncmp(wd.chars, "rs", 2) != 0 || !word_number(number, 99999, &n))
        return reader_error(rd, wd.at, "'%.*s' is no server; they are rs00, rs01, ...", (int)wd.len, wd.chars);
    *out = (int)n;
    return true;
}

static bool take_key(struct key_reader *rd, struct spec_bytes *to, struct word wd)
{
    uint8_t bytes[ROW_MAX];
    struct saltkey_buf key = {bytes, sizeof bytes, 0};
    struct saltkey_error err;

    free(to->bytes);
    *to = (struct spec_bytes){NULL, 0};
    if (wd.len > 0 &&
        saltkey_to_bytes_binary_strict((struct saltkey_slice){(const uint8_t *)wd.chars, wd.len}, &key, &err) < 0)
        return reader_error(rd, wd.at + (err.column ? err.column - 1 : 0), "%s", err.reason);
    to->bytes = malloc(key.len + 1);
    if (!to->bytes) {
        rd->no_memory = true;
        return false;
    }
    memcpy(to->bytes, bytes, key.len);
    to->len = key.len;
    return true;
}

/* TABLE,KEY: a region by a row in it. */
static bool read_region(struct key_reader *rd, struct words *wds, char **table, struct spec_bytes *key)
{
    struct word wd, name, row;
    const char *comma;

    if (!words_next(wds, &wd))
        return reader_error(rd, wd.at, "which region? Write it as TABLE,KEY");
    comma = memchr(wd.chars, ',', wd.len);
    if (!comma || comma == wd.chars)
        return reader_error(rd, wd.at, "'%.*s' names no region; write TABLE,KEY (TABLE, is the first one)",
                            (int)wd.len, wd.chars);
    name = (struct word){wd.chars, (size_t)(comma - wd.chars), wd.at};
    row = (struct word){comma + 1, wd.len - name.len - 1, wd.at + name.len + 1};
    return reader_copy(rd, name, table) && take_key(rd, key, row);
}

static bool at_end(const struct words *wds)
{
    struct words rest = *wds;

    return words_rest(&rest).len == 0;
}

/* `move telemetry,\x03 rs05` */
static bool read_move(struct key_reader *rd, struct spec_event *ev, struct words *wds)
{
    ev->kind = SPEC_EVENT_MOVE;
    ev->server = -1;
    if (!read_region(rd, wds, &ev->table, &ev->key))
        return false;
    return at_end(wds) || (read_server(rd, wds, &ev->server) && reader_end(rd, wds));
}

/* `split telemetry,\x03`, or with the key to cut at behind it */
static bool read_split(struct key_reader *rd, struct spec_event *ev, struct words *wds)
{
    struct word wd;

    ev->kind = SPEC_EVENT_SPLIT;
    if (!read_region(rd, wds, &ev->table, &ev->key))
        return false;
    if (!words_next(wds, &wd))
        return true;
    return take_key(rd, &ev->other, wd) && reader_end(rd, wds);
}

/* `merge telemetry,\x03 telemetry,\x04` */
static bool read_merge(struct key_reader *rd, struct spec_event *ev, struct words *wds)
{
    struct words second;
    struct word wd;
    char *table = NULL;
    bool good;

    ev->kind = SPEC_EVENT_MERGE;
    if (!read_region(rd, wds, &ev->table, &ev->key))
        return false;
    second = *wds;
    if (!words_next(&second, &wd))
        return reader_error(rd, wd.at, "with which region? Write merge TABLE,KEY TABLE,KEY");
    good = read_region(rd, wds, &table, &ev->other);
    if (good && strcmp(table, ev->table) != 0)
        good = reader_error(rd, wd.at, "regions of two tables can't be merged");
    free(table);
    return good && reader_end(rd, wds);
}

/* `flush telemetry`, `flush telemetry,\x03`; the same for compactions. */
static bool read_upkeep(struct key_reader *rd, struct spec_event *ev, struct words *wds, enum spec_event_kind kind)
{
    struct words first = *wds;
    struct word wd;

    ev->kind = kind;
    if (!words_next(&first, &wd))
        return reader_error(rd, wd.at, "which table or region? Write TABLE, or TABLE,KEY");
    ev->whole_table = !memchr(wd.chars, ',', wd.len);
    if (!ev->whole_table)
        return read_region(rd, wds, &ev->table, &ev->key) && reader_end(rd, wds);
    *wds = first;
    return reader_copy(rd, wd, &ev->table) && reader_end(rd, wds);
}

/* `create telemetry`, `drop telemetry` */
static bool read_lifetime(struct key_reader *rd, struct spec_event *ev, struct words *wds, enum spec_event_kind kind)
{
    struct word wd;

    ev->kind = kind;
    ev->whole_table = true;
    if (!words_next(wds, &wd))
        return reader_error(rd, wd.at, "which table?");
    return reader_copy(rd, wd, &ev->table) && reader_end(rd, wds);
}

/* `add server`, `add 3 servers` */
static bool read_add(struct key_reader *rd, struct spec_event *ev, struct words *wds)
{
    struct word wd;
    int64_t n = 1;

    ev->kind = SPEC_EVENT_ADD;
    words_next(wds, &wd);
    if (wd.len > 0 && wd.chars[0] >= '0' && wd.chars[0] <= '9') {
        if (!reader_whole(rd, UNIT_COUNT, wd, &n))
            return false;
        if (n < 1 || n > SERVERS_ADDED_MAX)
            return reader_error(rd, wd.at, "1 to %d servers can be added at once", SERVERS_ADDED_MAX);
        words_next(wds, &wd);
    }
    if (!word_is(wd, "server") && !word_is(wd, "servers"))
        return reader_error(rd, wd.at, "add what? Write add server");
    ev->count = (int)n;
    return reader_end(rd, wds);
}

static bool read_named(struct key_reader *rd, struct spec_event *ev, struct words *wds, enum spec_event_kind kind)
{
    struct word wd;

    ev->kind = kind;
    if (kind == SPEC_EVENT_LOSE && (!words_next(wds, &wd) || !word_is(wd, "server")))
        return reader_error(rd, wd.at, "lose what? Write lose server rs00");
    return read_server(rd, wds, &ev->server) && reader_end(rd, wds);
}

/* `balancer on` or `off`; the word before is read. */
static bool read_switch(struct key_reader *rd, struct spec_event *ev, struct words *wds)
{
    struct word wd;

    words_next(wds, &wd);
    if (!word_is(wd, "on") && !word_is(wd, "off"))
        return reader_error(rd, wd.at, "write balancer on, or balancer off");
    ev->kind = word_is(wd, "on") ? SPEC_EVENT_BALANCER_ON : SPEC_EVENT_BALANCER_OFF;
    return reader_end(rd, wds);
}

static bool read_rolling(struct key_reader *rd, struct spec_event *ev, struct words *wds)
{
    struct word wd;

    ev->kind = SPEC_EVENT_ROLLING_RESTART;
    words_next(wds, &wd);
    if (!word_is(wd, "restart"))
        return reader_error(rd, wd.at, "write rolling restart");
    return reader_end(rd, wds);
}

static bool unknown(struct key_reader *rd, struct word wd)
{
    static const char *const verbs[] = {"add", "lose", "drain", "restart", "rolling", "move", "balance", "balancer",
                                        "split", "merge", "flush", "compact", "major_compact", "create", "drop"};
    struct suggest best;
    char word[60];

    snprintf(word, sizeof word, "%.*s", (int)wd.len, wd.chars);
    suggest_begin(&best, word);
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        suggest_offer(&best, verbs[i]);
    if (best.name)
        return reader_error(rd, wd.at, "unknown happening '%s'; did you mean '%s'?", word, best.name);
    reader_error(rd, wd.at, "unknown happening '%s'", word);
    diags_hint(rd->dgs, "write %s", rd->key->form);
    return false;
}

bool read_event_do(struct key_reader *rd, void *target)
{
    struct spec_event *ev = target;
    struct words wds = words_of(rd->value);
    struct word wd;

    words_next(&wds, &wd);
    if (word_is(wd, "add"))
        return read_add(rd, ev, &wds);
    if (word_is(wd, "lose"))
        return read_named(rd, ev, &wds, SPEC_EVENT_LOSE);
    if (word_is(wd, "drain"))
        return read_named(rd, ev, &wds, SPEC_EVENT_DRAIN);
    if (word_is(wd, "restart"))
        return read_named(rd, ev, &wds, SPEC_EVENT_RESTART);
    if (word_is(wd, "rolling"))
        return read_rolling(rd, ev, &wds);
    if (word_is(wd, "move"))
        return read_move(rd, ev, &wds);
    if (word_is(wd, "split"))
        return read_split(rd, ev, &wds);
    if (word_is(wd, "merge"))
        return read_merge(rd, ev, &wds);
    if (word_is(wd, "flush"))
        return read_upkeep(rd, ev, &wds, SPEC_EVENT_FLUSH);
    if (word_is(wd, "compact"))
        return read_upkeep(rd, ev, &wds, SPEC_EVENT_COMPACT);
    if (word_is(wd, "major_compact"))
        return read_upkeep(rd, ev, &wds, SPEC_EVENT_MAJOR_COMPACT);
    if (word_is(wd, "create") || word_is(wd, "drop"))
        return read_lifetime(rd, ev, &wds, word_is(wd, "create") ? SPEC_EVENT_CREATE_TABLE : SPEC_EVENT_DROP_TABLE);
    if (word_is(wd, "balancer"))
        return read_switch(rd, ev, &wds);
    if (!word_is(wd, "balance"))
        return unknown(rd, wd);
    ev->kind = SPEC_EVENT_BALANCE;
    return reader_end(rd, &wds);
}

static void write_key(const struct spec_bytes *key, struct text *out)
{
    for (size_t i = 0; i < key->len; i++) {
        const uint8_t c = key->bytes[i];

        if (c > 0x20 && c < 0x7f && c != '\\' && c != ';')
            text_add(out, "%c", c);
        else
            text_add(out, "\\x%02X", c);
    }
}

static void write_region(const struct spec_event *ev, const struct spec_bytes *key, struct text *out)
{
    text_add(out, " %s", ev->table ? ev->table : "");
    if (ev->whole_table)
        return;
    text_add(out, ",");
    write_key(key, out);
}

/* What is done to regions. */
static void write_upkeep(const struct spec_event *ev, struct text *out)
{
    text_add(out, "%s", ev->kind == SPEC_EVENT_SPLIT     ? "split"
                        : ev->kind == SPEC_EVENT_MERGE   ? "merge"
                        : ev->kind == SPEC_EVENT_FLUSH   ? "flush"
                        : ev->kind == SPEC_EVENT_COMPACT ? "compact"
                        : ev->kind == SPEC_EVENT_CREATE_TABLE ? "create"
                        : ev->kind == SPEC_EVENT_DROP_TABLE   ? "drop"
                                                         : "major_compact");
    write_region(ev, &ev->key, out);
    if (ev->kind == SPEC_EVENT_MERGE) {
        write_region(ev, &ev->other, out);
    } else if (ev->kind == SPEC_EVENT_SPLIT && ev->other.len > 0) {
        text_add(out, " ");
        write_key(&ev->other, out);
    }
}

bool write_event_do(const void *target, size_t i, struct text *out)
{
    const struct spec_event *ev = target;

    if (i > 0)
        return false;
    switch (ev->kind) {
    case SPEC_EVENT_ADD:
        if (ev->count > 1)
            text_add(out, "add %d servers", ev->count);
        else
            text_add(out, "add server");
        break;
    case SPEC_EVENT_LOSE:
        text_add(out, "lose server rs%02d", ev->server);
        break;
    case SPEC_EVENT_DRAIN:
        text_add(out, "drain rs%02d", ev->server);
        break;
    case SPEC_EVENT_RESTART:
        text_add(out, "restart rs%02d", ev->server);
        break;
    case SPEC_EVENT_ROLLING_RESTART:
        text_add(out, "rolling restart");
        break;
    case SPEC_EVENT_MOVE:
        text_add(out, "move");
        write_region(ev, &ev->key, out);
        if (ev->server >= 0)
            text_add(out, " rs%02d", ev->server);
        break;
    case SPEC_EVENT_BALANCE:
        text_add(out, "balance");
        break;
    case SPEC_EVENT_BALANCER_ON:
        text_add(out, "balancer on");
        break;
    case SPEC_EVENT_BALANCER_OFF:
        text_add(out, "balancer off");
        break;
    default:
        write_upkeep(ev, out);
        break;
    }
    return true;
}
