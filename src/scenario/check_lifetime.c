/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `partition =` of [table], and tables that events create or drop: nobody may write, read or do
   anything to a table that isn't there. */
#include <string.h>

#include "scenario/build.h"

bool read_partition(struct key_reader *rd, void *target)
{
    struct spec_table *tab = target;
    struct words wds = words_of(rd->value);
    struct word wd;

    tab->partition_ns = tab->keep_ns = 0;
    words_next(&wds, &wd);
    if (word_is(wd, "none"))
        return reader_end(rd, &wds);
    if (!word_is(wd, "every"))
        return reader_error(rd, wd.at, "write %s", rd->key->form);
    if (!words_next(&wds, &wd) || !reader_whole(rd, UNIT_DURATION, wd, &tab->partition_ns))
        return wd.len > 0 ? false : reader_error(rd, wd.at, "write %s", rd->key->form);
    if (tab->partition_ns < SPEC_NS_PER_S)
        return reader_error(rd, wd.at, "a partition spans a second at least");
    if (!words_next(&wds, &wd))
        return true;
    if (!word_is(wd, "keep"))
        return reader_error(rd, wd.at, "'%.*s' is not expected here", (int)(wd.len < 40 ? wd.len : 40), wd.chars);
    if (!words_next(&wds, &wd))
        return reader_error(rd, wd.at, "keep how long?");
    if (!reader_whole(rd, UNIT_DURATION, wd, &tab->keep_ns))
        return false;
    if (tab->keep_ns < SPEC_NS_PER_S)
        return reader_error(rd, wd.at, "a partition is kept for a second at least after its span");
    return reader_end(rd, &wds);
}

bool write_partition(const void *target, size_t i, struct text *out)
{
    const struct spec_table *tab = target;
    char text[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    if (tab->partition_ns == 0) {
        text_add(out, "none");
        return true;
    }
    unit_write_whole(UNIT_DURATION, tab->partition_ns, text);
    text_add(out, "every %s", text);
    if (tab->keep_ns > 0) {
        unit_write_whole(UNIT_DURATION, tab->keep_ns, text);
        text_add(out, " keep %s", text);
    }
    return true;
}

/* From when to when the events let the table be there. */
struct span {
    int64_t from, to;
    const struct ini_section *create, *drop;
};

static bool is_life(const struct spec_event *ev)
{
    return ev->kind == SPEC_EVENT_CREATE_TABLE || ev->kind == SPEC_EVENT_DROP_TABLE;
}

static struct span span_of(const struct build *bld, const char *table)
{
    struct span s = {0, INT64_MAX, NULL, NULL};

    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];
        const struct spec_event *ev;

        if (strcmp(sec->kind, "event") != 0 || sec->index == BUILD_NOWHERE || !build_good(sec, "do"))
            continue;
        ev = &bld->sc->spec.events[sec->index];
        if (!is_life(ev) || strcmp(ev->table, table) != 0)
            continue;
        if ((ev->kind == SPEC_EVENT_CREATE_TABLE ? s.create : s.drop) != NULL)
            diags_error(bld->dgs, build_place(sec, "do"), "do: a table is created and dropped once at most");
        if (ev->kind == SPEC_EVENT_CREATE_TABLE) {
            s.create = sec;
            s.from = ev->at_ns;
        } else {
            s.drop = sec;
            s.to = ev->at_ns;
        }
    }
    return s;
}

static void check_writers(struct build *bld, const char *table, const struct span *s)
{
    char place[100];

    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];
        const struct spec_stream *st;
        bool writes = false;

        if (strcmp(sec->kind, "stream") != 0 || sec->index == BUILD_NOWHERE)
            continue;
        st = &bld->sc->spec.streams[sec->index];
        for (size_t k = 0; k < st->tables_len; k++)
            writes |= strcmp(st->tables[k], table) == 0;
        if (writes && st->from_ns < s->from) {
            diags_error(bld->dgs, build_place(sec, "active"), "it writes to '%s' before the table is created (%s)", table,
                        build_place_text(s->create->at, place, sizeof place));
            diags_hint(bld->dgs, "add active = from ... to [stream %s]", st->name);
        }
        if (writes && s->drop && (st->until_ns == 0 || st->until_ns > s->to)) {
            diags_error(bld->dgs, build_place(sec, "active"), "it writes to '%s' after the table is dropped (%s)", table,
                        build_place_text(s->drop->at, place, sizeof place));
            diags_hint(bld->dgs, "add active = from 0s to ... to [stream %s]", st->name);
        }
    }
}

/* Queries and events name one table that is there all the time, or when the event comes. */
static void check_others(struct build *bld, const struct spec_table *tab, const struct span *s)
{
    const struct spec *sp = &bld->sc->spec;
    const bool changes = s->create || s->drop || tab->partition_ns > 0;

    for (size_t i = 0; i < bld->ini.sections_len && changes; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];

        if (sec->index == BUILD_NOWHERE)
            continue;
        if (strcmp(sec->kind, "query") == 0 && sp->queries[sec->index].table &&
            strcmp(sp->queries[sec->index].table, tab->name) == 0)
            diags_error(bld->dgs, build_place(sec, "table"), "queries of a table that comes and goes are not supported");
        if (strcmp(sec->kind, "event") != 0 || !build_good(sec, "do") || !sp->events[sec->index].table ||
            strcmp(sp->events[sec->index].table, tab->name) != 0)
            continue;
        if (tab->partition_ns > 0)
            diags_error(bld->dgs, build_place(sec, "do"), "do: '%s' is partitioned: its tables come and go by themselves",
                        tab->name);
        else if (!is_life(&sp->events[sec->index]) &&
                 (sp->events[sec->index].at_ns < s->from || sp->events[sec->index].at_ns >= s->to))
            diags_error(bld->dgs, build_place(sec, "do"), "do: the table '%s' isn't there at that time", tab->name);
    }
}

static void check_partitions(struct build *bld, const struct ini_section *sec, const struct spec_table *tab)
{
    const struct spec *sp = &bld->sc->spec;
    const int64_t parts = sp->duration_ns / (tab->partition_ns > 0 ? tab->partition_ns : INT64_MAX) + 1;
    int64_t pairs = 0;

    if (tab->partition_ns == 0)
        return;
    for (size_t i = 0; i < sp->streams_len; i++)
        for (size_t k = 0; k < sp->streams[i].tables_len; k++)
            pairs += strcmp(sp->streams[i].tables[k], tab->name) == 0 ? parts : 1;
    if (pairs > SPEC_WRITERS_MAX)
        diags_error(bld->dgs, build_place(sec, "partition"), "%lld partitions of all streams and tables; at most %d",
                    (long long)pairs, SPEC_WRITERS_MAX);
    for (size_t i = 0; i < sp->cluster.state_len; i++)
        if (strcmp(sp->cluster.state[i].table, tab->name) == 0) {
            diags_error(bld->dgs, build_place(sec, "partition"), "the cluster's state has regions of this table already");
            return;
        }
}

void build_check_lifetimes(struct build *bld)
{
    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];
        const struct spec_table *tab;
        struct span s;

        if (strcmp(sec->kind, "table") != 0 || sec->index == BUILD_NOWHERE || sec->double_section)
            continue;
        tab = &bld->sc->spec.tables[sec->index];
        s = span_of(bld, tab->name);
        if (s.create && s.drop && s.to <= s.from)
            diags_error(bld->dgs, build_place(s.drop, "at"), "'%s' is dropped before it is created", tab->name);
        check_writers(bld, tab->name, &s);
        check_others(bld, tab, &s);
        check_partitions(bld, sec, tab);
    }
}
