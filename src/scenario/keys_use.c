/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What streams put into a key's fields, and what queries ask of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/keys.h"
#include "scenario/unit.h"

#define ENTITY_TEXT_BYTES 16 /* dev- and twelve digits */

/* The largest value that a stream puts into a field. */
struct largest {
    const struct ini_section *stream;
    char entity[32], time[32], row[32]; /* as text fields have them */
    int64_t last_entity, last_ms, last_row;
};

static bool is_text(const struct saltkey_field *field)
{
    return field->kind == SALTKEY_FIXED || field->kind == SALTKEY_TEXT;
}

static struct saltkey_value value_of(const struct saltkey_field *field, const struct largest *most)
{
    switch (field_role(field)) {
    case FIELD_ROLE_TIME:
        return is_text(field) ? saltkey_text(most->time) : saltkey_uint((uint64_t)most->last_ms);
    case FIELD_ROLE_SEQUENCE:
        return is_text(field) ? saltkey_text(most->row) : saltkey_uint((uint64_t)most->last_row);
    default:
        return is_text(field) ? saltkey_text(most->entity) : saltkey_uint((uint64_t)most->last_entity);
    }
}

/* The column of field |number| (from 1) in the layout's line. */
static struct scenario_place place_of_field(const struct ini_section *sec, size_t number)
{
    struct scenario_place at = build_place(sec, "key");
    const struct ini_entry *entry = ini_entry_find(sec, "key", 0);
    struct words wds = words_of(entry ? entry->value : "");
    struct word wd;

    while (number > 0 && words_next(&wds, &wd))
        number--;
    if (entry && at.line > 0 && number == 0)
        at.column += (int)wd.at;
    return at;
}

static void say_misfit(struct build *bld, const struct ini_section *sec, const struct saltkey_field *field,
                       const struct saltkey_error *err, const struct largest *most)
{
    static const char *const carried[] = {"event time", "running number", "entity"};
    struct saltkey_value value = value_of(field, most);
    char text[40], place[100];

    if (value.kind == SALTKEY_VALUE_BYTES)
        snprintf(text, sizeof text, "%.*s", (int)value.bytes.len, (const char *)value.bytes.bytes);
    else
        snprintf(text, sizeof text, "%" PRIu64, value.number);
    diags_error(bld->dgs, place_of_field(sec, err->column), "the %s %s of [stream %s] (%s) does not fit: %s",
                carried[field_role(field)], text, most->stream->name, build_place_text(most->stream->at, place, sizeof place),
                err->reason);
    if (field_role(field) == FIELD_ROLE_ENTITY && is_text(field))
        diags_hint(bld->dgs, "an entity in a text is dev- and twelve digits: %d bytes", ENTITY_TEXT_BYTES);
    else
        diags_hint(bld->dgs, "saltplan explain table.key says what a field carries");
}

static void check_stream(struct build *bld, const struct ini_section *sec, const struct ini_section *stream,
                         const struct saltkey_scheme *scheme)
{
    const struct spec *sp = &bld->sc->spec;
    const struct spec_stream *str = &sp->streams[stream->index];
    const struct saltkey_layout *layout = &scheme->layout;
    struct saltkey_value values[SALTKEY_FIELDS_MAX];
    struct largest most = {.stream = stream, .last_entity = str->entities - 1};
    struct saltkey_buf key = {0};
    struct saltkey_error err = {0};
    double rows = str->rate_per_s * (double)sp->duration_ns / 1e9;

    most.last_ms = str->start_ms > INT64_MAX - sp->duration_ns / 1000000 ? INT64_MAX
                                                                         : str->start_ms + sp->duration_ns / 1000000;
    most.last_row = rows < 9e18 ? (int64_t)rows : INT64_MAX;
    snprintf(most.entity, sizeof most.entity, "dev-%012" PRId64, most.last_entity);
    snprintf(most.time, sizeof most.time, "%012" PRId64, most.last_ms);
    snprintf(most.row, sizeof most.row, "%012" PRId64, most.last_row);
    for (uint32_t i = 0; i < layout->n_fields; i++) {
        key.cap += layout->fields[i].width + sizeof most.entity + 1;
        values[i] = value_of(&layout->fields[i], &most);
    }
    key.bytes = malloc(key.cap);
    if (!key.bytes) {
        bld->no_memory = true;
        return;
    }
    if (saltkey_natural(layout, values, &key, &err) < 0 && err.column >= 1 && err.column <= layout->n_fields)
        say_misfit(bld, sec, &layout->fields[err.column - 1], &err, &most);
    free(key.bytes);
}

void key_check_streams(struct build *bld, const struct ini_section *sec, const struct spec_table *tab,
                       const struct saltkey_scheme *scheme)
{
    const struct spec *sp = &bld->sc->spec;

    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        const struct ini_section *stream = &bld->ini.sections[i];
        const struct spec_stream *str;

        if (strcmp(stream->kind, "stream") != 0 || stream->index == BUILD_NOWHERE)
            continue;
        str = &sp->streams[stream->index];
        if (build_given(stream, "keys") || !build_given(stream, "entities") || !build_good(stream, "entities") ||
            !build_good(stream, "arrival") || !build_good(stream, "start"))
            continue;
        for (size_t k = 0; k < str->tables_len; k++) {
            if (strcmp(str->tables[k], tab->name) == 0)
                check_stream(bld, sec, stream, scheme);
        }
    }
}

/* A window that reaches behind the first row, or more rows than there will be, reads what there is: worth a word, not
   a refusal. */
static void check_length(struct build *bld, struct scenario_place at, const struct spec_query *qry)
{
    const struct spec *sp = &bld->sc->spec;
    char asked[UNIT_TEXT_CAP], there[UNIT_TEXT_CAP];
    double rows = 0;

    if ((qry->kind == SPEC_QUERY_RANGE || qry->kind == SPEC_QUERY_HISTORY) && qry->window_ns > sp->duration_ns) {
        unit_write_whole(UNIT_DURATION, qry->window_ns, asked);
        unit_write_whole(UNIT_DURATION, sp->duration_ns, there);
        diags_warning(bld->dgs, at, "the window is longer than the data: %s of a run of %s", asked, there);
        diags_hint(bld->dgs, "it reads all there is; lengthen the run, duration = %s and more, or shorten the window", asked);
    }
    if (qry->kind != SPEC_QUERY_NEWEST && qry->kind != SPEC_QUERY_MULTIGET)
        return;
    for (size_t i = 0; i < sp->streams_len; i++)
        for (size_t k = 0; k < sp->streams[i].tables_len; k++)
            if (strcmp(sp->streams[i].tables[k], qry->table) == 0)
                rows += sp->streams[i].rate_per_s * (double)sp->duration_ns / 1e9 /
                        (double)(qry->field && sp->streams[i].entities > 0 ? sp->streams[i].entities : 1);
    if (rows > 0 && (double)qry->newest > rows)
        diags_warning(bld->dgs, at, "%" PRId64 " rows are asked for, but the run brings %.6g%s", qry->newest, rows,
                      qry->field ? " to an entity in the mean" : "");
}

/* A mistake that this table can't make. */
static void check_mistake(struct build *bld, const struct ini_section *sec, const struct spec_query *qry,
                          const struct saltkey_scheme *scheme)
{
    if (qry->reader != SPEC_READER_CORRECT && build_given(sec, "reader") && build_good(sec, "reader") &&
        scheme->salt.hash == SALTKEY_HASH_NONE)
        diags_warning(bld->dgs, build_place(sec, "reader"), "the table has no salt that the reader could get wrong");
    if (qry->stop_merge && qry->kind != SPEC_QUERY_NEWEST && build_given(sec, "stop") && build_good(sec, "stop"))
        diags_error(bld->dgs, build_place(sec, "stop"), "only newest stops early; this query reads to its end");
}

/* `range`, `newest` and `history` go by the event time; `history` by an entity too. */
static void check_query(struct build *bld, const struct ini_section *sec, const struct spec_table *tab,
                        const struct saltkey_scheme *scheme)
{
    const struct spec_query *qry = &bld->sc->spec.queries[sec->index];
    const struct saltkey_layout *layout = &scheme->layout;
    struct scenario_place at = build_place(sec, "kind");
    int field;

    if (qry->kind == SPEC_QUERY_PREFIX && layout->width > 0 && qry->prefix.len > layout->width)
        diags_error(bld->dgs, at, "a prefix of %zu bytes, but the natural key has %u", qry->prefix.len,
                    (unsigned)layout->width);
    if ((qry->kind == SPEC_QUERY_RANGE || qry->kind == SPEC_QUERY_NEWEST || qry->kind == SPEC_QUERY_HISTORY) &&
        !key_has_role(layout, FIELD_ROLE_TIME)) {
        diags_error(bld->dgs, at, "the query goes by time, but the key of '%s' has no field with the event time",
                    tab->name);
        diags_hint(bld->dgs, "a field named ts, time or timestamp, or of kind rts, carries it: %s", tab->key);
        return;
    }
    check_length(bld, at, qry);
    check_mistake(bld, sec, qry, scheme);
    if ((qry->kind != SPEC_QUERY_HISTORY && qry->kind != SPEC_QUERY_NEWEST) || !qry->field)
        return;
    field = saltkey_layout_find(layout, qry->field);
    if (at.line > 0)
        at.column += (int)(strstr(strchr(ini_entry_find(sec, "kind", 0)->value, ' '), qry->field) -
                           ini_entry_find(sec, "kind", 0)->value);
    if (field < 0) {
        diags_error(bld->dgs, at, "unknown field '%s'; the key of '%s' is %s", qry->field, tab->name, tab->key);
    } else if (field_role(&layout->fields[field]) != FIELD_ROLE_ENTITY) {
        diags_error(bld->dgs, at, "the field '%s' carries no entity", qry->field);
        diags_hint(bld->dgs, "saltplan explain table.key says what a field carries");
    }
}

void key_check_queries(struct build *bld, const struct spec_table *tab, const struct saltkey_scheme *scheme)
{
    const struct spec *sp = &bld->sc->spec;

    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];

        if (strcmp(sec->kind, "query") != 0 || sec->index == BUILD_NOWHERE || !build_given(sec, "kind") ||
            !build_good(sec, "kind") || !sp->queries[sec->index].table)
            continue;
        if (strcmp(sp->queries[sec->index].table, tab->name) == 0)
            check_query(bld, sec, tab, scheme);
    }
}
