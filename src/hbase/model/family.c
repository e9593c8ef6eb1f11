/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a family's settings make of its cells and files. */
#include <stdlib.h>
#include <string.h>

#include "hbase/model/act.h"
#include "hbase/rules/family.h"
#include "hbase/rules/memstore.h"
#include "spec/scheme.h"

/* Puts a column in its place among the |n| that are there: cells lie in qualifier order. */
static void insert_column(struct family_shape *sh, size_t n, const struct spec_column *c)
{
    while (n > 0 && strcmp(sh->qualifier[n - 1], c->qualifier) > 0) {
        sh->qualifier[n] = sh->qualifier[n - 1];
        sh->column[n] = sh->column[n - 1];
        n--;
    }
    sh->qualifier[n] = c->qualifier;
    memset(&sh->column[n], 0, sizeof sh->column[n]);
    sh->column[n].qualifier_bytes = (uint32_t)strlen(c->qualifier);
    sh->column[n].value_bytes = (uint32_t)c->value_bytes;
}

/* Time between two rows of one entity, of the slowest stream that writes to the table. */
static uint64_t entity_period_ms(const struct model *m, const struct spec_table *table)
{
    double most = 0;

    for (size_t i = 0; i < m->spec->streams_len; i++) {
        const struct spec_stream *st = &m->spec->streams[i];

        for (size_t k = 0; k < st->tables_len; k++)
            if (strcmp(st->tables[k], table->name) == 0 && st->entities > 0 && st->rate_per_s > 0 &&
                (double)st->entities / st->rate_per_s > most)
                most = (double)st->entities / st->rate_per_s;
    }
    return (uint64_t)(most * 1000);
}

/* Base of the digits in which an entity's number stands there; 0: in none, or not in order. */
static double base_of(const struct saltkey_field *f)
{
    switch (f->kind) {
    case SALTKEY_FIXED:
    case SALTKEY_DEC: return 10;
    case SALTKEY_HEX: return 16;
    case SALTKEY_BE32:
    case SALTKEY_BE64:
    case SALTKEY_I32:
    case SALTKEY_I64: return 256;
    default: return 0;
    }
}

/* Bytes of an entity's text, dev- and twelve digits; what follows in a fixed(n) is padding. */
#define ENTITY_TEXT_BYTES 16

/* A key of a time and an entity, written by one stream whose entities report in turn: those of one moment follow each
   other, and where the entity is salted a bucket gets every so-manyth. */
static struct entities_in_turn turn_of(const struct model *m, const struct table *t)
{
    const struct saltkey_layout *l = &t->scheme.layout;
    struct entities_in_turn turn = {.apart = 1, .ms_apart = 1};
    const struct saltkey_field *entity = &l->fields[1];
    int writers = 0;

    for (size_t i = 0; i < m->spec->streams_len; i++) {
        const struct spec_stream *st = &m->spec->streams[i];

        for (size_t k = 0; k < st->tables_len; k++)
            if (strcmp(st->tables[k], t->spec->name) == 0)
                writers += st->arrival == SPEC_ARRIVAL_EVERY && st->popularity == SPEC_POPULARITY_UNIFORM &&
                                   !st->keys_file && st->late_share <= 0 ? 1 : 2;
    }
    if (writers != 1 || l->n_fields != 2 || !family_rows_by_time(&t->scheme) || spec_time_field(l) != 0 ||
        !entity->fixed_offset || entity->width == 0 || entity->desc || base_of(entity) == 0)
        return turn;
    turn.from = t->scheme.salt.width + entity->offset;
    turn.to = turn.from + (entity->kind == SALTKEY_FIXED && entity->width > ENTITY_TEXT_BYTES ? ENTITY_TEXT_BYTES
                                                                                              : entity->width);
    turn.base = base_of(entity);
    /* A salt over the time alone keeps a moment's rows in one bucket, and gives each bucket every so-manyth moment. */
    if (t->spec->buckets > 1 && t->scheme.over >> 1 & 1)
        turn.apart = t->spec->buckets;
    else if (t->spec->buckets > 1)
        turn.ms_apart = t->spec->buckets;
    turn.even = turn.ms_apart > 1 || t->scheme.salt.hash == SALTKEY_HASH_NONE ||
                t->scheme.salt.hash == SALTKEY_HASH_ARRAYS;
    return turn;
}

static void fill_options(const struct model *m, const struct table *t, struct family_shape *sh,
                         const struct spec_family *f)
{
    hfile_options_default(&sh->options);
    sh->options.block_bytes = (uint32_t)f->blocksize_bytes;
    sh->options.bloom = f->bloom_row ? HFILE_BLOOM_ROW : f->bloom_rowcol ? HFILE_BLOOM_ROWCOL : HFILE_BLOOM_NONE;
    sh->options.encoding = (enum hfile_encoding)f->encoding;
    sh->options.compression_ratio = family_compression_ratio(&t->scheme, f);
    retention_config_default(&sh->retention);
    sh->retention.max_versions = f->versions > 0 ? (uint32_t)f->versions : 1;
    if (f->ttl_ns > 0)
        sh->retention.ttl_ms = (uint64_t)(f->ttl_ns / DES_MS);
    if (!family_rows_by_time(&t->scheme))
        sh->neighbour_ms = entity_period_ms(m, t->spec);
    sh->turn = turn_of(m, t);
}

int family_fill(const struct model *m, struct table *t, size_t family)
{
    const struct spec_family *f = &t->spec->families[family];
    struct family_shape *sh = &t->families[family];

    sh->name_bytes = (uint32_t)strlen(f->name);
    sh->table_name_bytes = (uint32_t)strlen(t->spec->name);
    sh->columns = f->columns_len;
    sh->column = calloc(f->columns_len, sizeof *sh->column);
    sh->qualifier = calloc(f->columns_len, sizeof *sh->qualifier);
    if (!sh->column || !sh->qualifier)
        return MODEL_NO_MEMORY;
    for (size_t c = 0; c < f->columns_len; c++)
        insert_column(sh, c, &f->columns[c]);
    for (size_t c = 0; c < f->columns_len; c++) {
        if (c > 0)
            sh->column[c].qualifier_separator_bytes = (uint32_t)hfile_shortest_separator(
                (const uint8_t *)sh->qualifier[c - 1], sh->column[c - 1].qualifier_bytes,
                (const uint8_t *)sh->qualifier[c], sh->column[c].qualifier_bytes, NULL);
        sh->fixed_data_bytes += memstore_cell_data_bytes(0, sh->name_bytes, sh->column[c].qualifier_bytes,
                                                         sh->column[c].value_bytes);
    }
    fill_options(m, t, sh, f);
    return 0;
}

void family_free(struct family_shape *sh)
{
    free(sh->column);
    free(sh->qualifier);
}
