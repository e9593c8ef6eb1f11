/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a recorded stream is written in a scenario: natural key, salt, and what is salted. */
static const struct truth_way ways[] = {
    {"TIME", "TIME", "ts:be64 dev:be32", "none", "key"},
    {"DEV", "DEV", "dev:be32 ts:be64", "none", "key"},
    {"SALT-TIME", "TIME", "ts:be64 dev:be32", "arrays-hash floorMod", "key"},
    {"SALT-DEV", "TIME", "ts:be64 dev:be32", "arrays-hash floorMod", "dev"},
    {"HEX-MD5", "TIME", "ts:be64 dev:be32", "md5hex 4", "dev"},
    {"REV", "REV", "seq:revdec(12)", "none", "key"},
    {"SEQ", "SEQ", "seq:dec(12)", "none", "key"},
    {"REV-TIME", "REV-TIME", "ts:rts dev:be32", "none", "key"},
    {"TIME24", "TIME24", "ts:be64 dev:be32 seq:dec(12)", "none", "key"},
    {"SALT-TIME24", "TIME24", "ts:be64 dev:be32 seq:dec(12)", "arrays-hash floorMod", "key"},
    {"TIME64", "TIME64", "ts:be64 dev:be32 seq:dec(12) rest:fixed(40)", "none", "key"},
    {"SALT-TIME64", "TIME64", "ts:be64 dev:be32 seq:dec(12) rest:fixed(40)", "arrays-hash floorMod", "key"},
};

const struct truth_way *truth_way_of(const char *stream)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (strcmp(ways[i].stream, stream) == 0)
            return &ways[i];
    return NULL;
}

char *truth_copy(const char *s)
{
    char *p = malloc(strlen(s) + 1);

    if (!p)
        abort();
    return strcpy(p, s);
}

void truth_replay_stream(struct spec *sp, const char *path, size_t width, double rate_per_s)
{
    struct spec_stream *s = calloc(1, sizeof *s);

    if (!s || !(s->tables = calloc(1, sizeof *s->tables)))
        abort();
    sp->streams = s;
    sp->streams_len = 1;
    s->name = truth_copy("recorded");
    s->tables[0] = truth_copy("t");
    s->tables_len = 1;
    s->entities = 1;
    s->arrival = SPEC_ARRIVAL_CONSTANT;
    s->rate_per_s = rate_per_s;
    s->clients = 1;
    s->buffer_bytes = 2097152;
    s->keys_file = truth_copy(path);
    s->keys_format = SPEC_KEYS_BINARY;
    s->keys_width = (int)width;
}

struct spec_table *truth_replay_table(struct spec *sp, const struct truth_table *t, const struct truth_way *way,
                                      const char *family, const char *qualifier)
{
    struct spec_table *table = calloc(1, sizeof *table);
    struct spec_family *f = calloc(1, sizeof *f);

    if (!table || !f || !(f->columns = calloc(1, sizeof *f->columns)))
        abort();
    sp->tables = table;
    sp->tables_len = 1;
    table->name = truth_copy("t");
    table->key = truth_copy(way->layout);
    table->salt = truth_copy(way->salt);
    table->salt_over = truth_copy(way->over);
    if (strstr(way->salt, "arrays"))
        table->buckets = (int)truth_comment_number(t, "N", 1);
    table->splits = SPEC_SPLITS_NONE;
    table->splits_regions = 1;
    table->families = f;
    table->families_len = 1;
    f->name = truth_copy(family);
    f->blocksize_bytes = 65536;
    f->bloom_row = true;
    f->columns_len = 1;
    f->columns->qualifier = truth_copy(qualifier);
    f->columns->value_bytes = (int64_t)truth_comment_number(t, "value_bytes", 0);
    return table;
}

size_t truth_write_keys(const struct truth_table *t, const struct truth_way *way, const char *path)
{
    const struct truth_stream stream = {way->natural, 1, truth_comment_number(t, "D", 1),
                                        truth_comment_number(t, "step_ms", 1),
                                        truth_comment_number(t, "H", 0)};
    const uint64_t rows = truth_comment_number(t, "rows", 0);
    uint8_t row[TRUTH_MAX_ROW];
    size_t width = 0;
    bool whole = true;
    FILE *f = fopen(path, "wb");

    if (!f)
        return 0;
    for (uint64_t i = 0; i < rows && whole; i++) {
        width = truth_row(&stream, i, row);
        whole = fwrite(row, 1, width, f) == width;
    }
    return fclose(f) == 0 && whole ? width : 0;
}

