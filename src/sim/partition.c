/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool partition_wanted(const struct spec *sp)
{
    for (size_t i = 0; i < sp->tables_len; i++)
        if (sp->tables[i].partition_ns > 0)
            return true;
    return false;
}

/* NAME_002; NULL without memory. */
static char *name_of(const char *base, size_t part)
{
    const size_t cap = strlen(base) + 24;
    char *name = malloc(cap);

    if (name)
        snprintf(name, cap, "%s_%03zu", base, part + 1);
    return name;
}

/* Room for one more element; its bytes are zero. */
static void *grow(void *array, size_t *len, size_t size)
{
    char *all = realloc(array, (*len + 1) * size);

    if (all)
        memset(all + *len * size, 0, size);
    return all;
}

static int add_event(struct spec *out, enum spec_event_kind kind, int64_t at_ns, const char *table)
{
    struct spec_event *all = grow(out->events, &out->events_len, sizeof *all), *ev;

    if (!all)
        return -1;
    out->events = all;
    ev = &all[out->events_len++];
    *ev = (struct spec_event){.at_ns = at_ns, .kind = kind, .server = -1, .whole_table = true};
    ev->name = name_of(kind == SPEC_EVENT_CREATE_TABLE ? "create" : "drop", out->events_len);
    ev->table = malloc(strlen(table) + 1);
    if (!ev->name || !ev->table)
        return -1;
    strcpy(ev->table, table);
    return 0;
}

/* What is left of the stream's active time inside the part; false where that is nothing. */
static bool clip(const struct spec *sp, struct spec_stream *st, int64_t from, int64_t to)
{
    const int64_t begin = st->from_ns, end = st->until_ns > 0 ? st->until_ns : sp->duration_ns;

    st->from_ns = from > begin ? from : begin;
    st->until_ns = to < end ? to : end;
    st->curve.since_ns = st->from_ns - begin;
    return st->from_ns < st->until_ns;
}

/* The streams of |sp| that write to |table|, for one part of it. */
static int add_streams(const struct spec *sp, struct spec *out, const char *table, const struct spec_table *part, size_t k)
{
    const int64_t from = (int64_t)k * part->partition_ns;

    for (size_t i = 0; i < sp->streams_len; i++) {
        struct spec_stream clipped = sp->streams[i], *all, *st;
        bool writes = false;

        for (size_t j = 0; j < clipped.tables_len; j++)
            writes |= strcmp(clipped.tables[j], table) == 0;
        if (!writes || !clip(sp, &clipped, from, from + part->partition_ns))
            continue;
        all = grow(out->streams, &out->streams_len, sizeof *all);
        if (!all)
            return -1;
        out->streams = all;
        st = &all[out->streams_len];
        if (spec_stream_copy(&clipped, st) != 0)
            return -1;
        out->streams_len++;
        for (size_t j = 0; j < st->tables_len; j++)
            free(st->tables[j]);
        st->tables_len = 1;
        free(st->name);
        st->name = name_of(clipped.name, k);
        st->tables[0] = malloc(strlen(part->name) + 1);
        if (!st->tables[0])
            st->tables_len = 0;
        if (!st->name || !st->tables[0])
            return -1;
        strcpy(st->tables[0], part->name);
    }
    return 0;
}

/* Takes |table| out of the streams that |sp| had; one without a table left goes. */
static void drop_from_streams(struct spec *out, const char *table)
{
    size_t kept = 0;

    for (size_t i = 0; i < out->streams_len; i++) {
        struct spec_stream *st = &out->streams[i];
        size_t left = 0;

        for (size_t j = 0; j < st->tables_len; j++) {
            if (strcmp(st->tables[j], table) == 0)
                free(st->tables[j]);
            else
                st->tables[left++] = st->tables[j];
        }
        st->tables_len = left;
        if (left > 0) {
            out->streams[kept++] = *st;
            continue;
        }
        spec_stream_free(st);
    }
    out->streams_len = kept;
}

static int add_part(const struct spec *sp, struct spec *out, size_t table, size_t k)
{
    const struct spec_table *from = &sp->tables[table];
    const int64_t begin = (int64_t)k * from->partition_ns, end = begin + from->partition_ns;
    struct spec_table *part;

    if (k == 0) {
        part = &out->tables[table];
    } else {
        struct spec_table *all = grow(out->tables, &out->tables_len, sizeof *all);

        if (!all)
            return -1;
        out->tables = all;
        part = &all[out->tables_len];
        if (spec_table_copy(from, part) != 0)
            return -1;
        out->tables_len++;
    }
    free(part->name);
    part->name = name_of(from->name, k);
    if (!part->name || (k > 0 && add_event(out, SPEC_EVENT_CREATE_TABLE, begin, part->name) != 0) ||
        add_streams(sp, out, from->name, part, k) != 0)
        return -1;
    part->partition_ns = 0;
    if (from->keep_ns > 0 && end + from->keep_ns < sp->duration_ns)
        return add_event(out, SPEC_EVENT_DROP_TABLE, end + from->keep_ns, part->name);
    return 0;
}

int partition_expand(const struct spec *sp, struct spec *out)
{
    if (spec_copy(sp, out) != 0)
        return -1;
    for (size_t t = 0; t < sp->tables_len; t++) {
        if (sp->tables[t].partition_ns == 0)
            continue;
        drop_from_streams(out, sp->tables[t].name);
        for (size_t k = 0; (int64_t)k * sp->tables[t].partition_ns < sp->duration_ns; k++)
            if (add_part(sp, out, t, k) != 0)
                return -1;
    }
    return 0;
}
