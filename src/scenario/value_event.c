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

static bool take_key(struct key_reader *rd, struct spec_event *ev, struct word wd)
{
    uint8_t bytes[ROW_MAX];
    struct saltkey_buf key = {bytes, sizeof bytes, 0};
    struct saltkey_error err;

    free(ev->key.bytes);
    ev->key = (struct spec_bytes){NULL, 0};
    if (wd.len > 0 &&
        saltkey_to_bytes_binary_strict((struct saltkey_slice){(const uint8_t *)wd.chars, wd.len}, &key, &err) < 0)
        return reader_error(rd, wd.at + (err.column ? err.column - 1 : 0), "%s", err.reason);
    ev->key.bytes = malloc(key.len + 1);
    if (!ev->key.bytes) {
        rd->no_memory = true;
        return false;
    }
    memcpy(ev->key.bytes, bytes, key.len);
    ev->key.len = key.len;
    return true;
}

/* `move telemetry,\x03 rs05` */
static bool read_move(struct key_reader *rd, struct spec_event *ev, struct words *wds)
{
    struct word wd, table, row;
    struct words rest;
    const char *comma;

    ev->kind = SPEC_EVENT_MOVE;
    ev->server = -1;
    if (!words_next(wds, &wd))
        return reader_error(rd, wd.at, "which region? Write it as TABLE,KEY");
    comma = memchr(wd.chars, ',', wd.len);
    if (!comma || comma == wd.chars)
        return reader_error(rd, wd.at, "'%.*s' names no region; write TABLE,KEY (TABLE, is the first one)",
                            (int)wd.len, wd.chars);
    table = (struct word){wd.chars, (size_t)(comma - wd.chars), wd.at};
    row = (struct word){comma + 1, wd.len - table.len - 1, wd.at + table.len + 1};
    if (!reader_copy(rd, table, &ev->table) || !take_key(rd, ev, row))
        return false;
    rest = *wds;
    if (words_rest(&rest).len == 0)
        return true;
    return read_server(rd, wds, &ev->server) && reader_end(rd, wds);
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
    static const char *const verbs[] = {"add", "lose", "drain", "restart", "rolling", "move", "balance", "balancer"};
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
        text_add(out, "move %s,", ev->table ? ev->table : "");
        write_key(&ev->key, out);
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
    }
    return true;
}
