/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/compression.h"

/* Bytes by block encoding and compression. Without compression everything is exact. With it the data
   blocks' bytes must come within 3 % by the default ratios, and the file within 3 % by the recorded one. */

static const double band = 0.03;

static enum compression_order order_of(const char *stream)
{
    if (strncmp(stream, "SALT-TIME", 9) == 0)
        return COMPRESSION_SALTED_TIME;
    if (strcmp(stream, "HEX-MD5") == 0)
        return COMPRESSION_HASHED_ENTITY;
    if (strcmp(stream, "DEV") == 0 || strcmp(stream, "SALT-DEV") == 0)
        return COMPRESSION_ENTITY_FIRST;
    return COMPRESSION_TIME_FIRST;
}

static struct truth_stream stream_of(const struct truth_table *t, size_t i)
{
    return (struct truth_stream){truth_cell(t, i, "stream"), (uint32_t)truth_number(t, i, "N"), truth_number(t, i, "D"),
                                 truth_number(t, i, "step_ms"), 0};
}

static void check_file(struct truth_report *r, const struct truth_table *t, size_t i, const struct hfile_layout *l,
                       bool plain)
{
    double file = (double)truth_number(t, i, "file_bytes");

    truth_check(r, "unencoded_bytes", (double)truth_number(t, i, "unencoded_bytes"), (double)l->unencoded_bytes, 0);
    truth_check(r, "data_blocks", (double)truth_number(t, i, "data_blocks"), (double)l->data_blocks, 0);
    truth_check(r, "data_uncompressed_bytes", (double)truth_number(t, i, "data_uncompressed_bytes"),
                (double)l->data_payload_bytes, 0);
    if (plain)
        truth_check(r, "data_bytes", (double)truth_number(t, i, "data_bytes"), (double)l->data_disk_bytes, 0);
    truth_check(r, "file_bytes", file, (double)l->file_bytes, plain ? 0 : band * file);
}

/* The ratio that the recorded data section has: its payload over the encoded bytes. */
static double recorded_ratio(const struct truth_table *t, size_t i)
{
    double blocks = (double)truth_number(t, i, "data_blocks"), data = (double)truth_number(t, i, "data_bytes");
    double payload = data - blocks * (HFILE_HEADER_BYTES + HFILE_CHECKSUM_BYTES);

    payload -= HFILE_CHECKSUM_BYTES * (double)(uint64_t)(payload / HFILE_CHECKSUM_SPAN_BYTES);
    return payload / (double)truth_number(t, i, "data_uncompressed_bytes");
}

static void check_default(struct truth_report *r, const struct truth_table *t, size_t i, struct hfile_options *o,
                          const struct truth_rows *rows, const struct truth_shape *shape)
{
    struct compression_case c = {.encoding = o->encoding, .value_bytes = shape->value_bytes};
    struct hfile_layout l;
    double data = (double)truth_number(t, i, "data_bytes");

    c.codec = (enum compression)compression_from_name(truth_cell(t, i, "compression"));
    c.order = order_of(truth_cell(t, i, "stream"));
    c.random_values = strcmp(truth_cell(t, i, "value_kind"), "random") == 0;
    o->compression_ratio = compression_default_ratio(&c);
    if (truth_layout(o, rows, shape, NULL, &l) == 0) {
        truth_check(r, "data_bytes by default ratio", data, (double)l.data_disk_bytes, band * data);
        hfile_layout_free(&l);
    }
}

static void judge_size(struct truth_report *r, const struct truth_table *t, size_t i)
{
    struct truth_shape shape = {1, (uint32_t)truth_number(t, i, "value_bytes"), 1, false, NULL};
    const char *codec = truth_cell(t, i, "compression"), *kind = truth_cell(t, i, "value_kind");
    bool plain = strcmp(codec, "NONE") == 0;
    int encoding = hfile_encoding_from_name(truth_cell(t, i, "encoding"));
    struct truth_stream s = stream_of(t, i);
    struct truth_range range = {0, truth_number(t, i, "cells"), 4, 1000};
    struct hfile_options o;
    struct hfile_layout l;
    struct truth_rows rows;
    char name[160], ours[32] = "-";

    snprintf(name, sizeof name, "%s %s %u B %s %s", truth_cell(t, i, "stream"), kind, shape.value_bytes,
             truth_cell(t, i, "encoding"), codec);
    truth_case(r, name);
    hfile_options_default(&o);
    o.encoding = encoding < 0 ? HFILE_ENCODING_NONE : (enum hfile_encoding)encoding;
    if (!plain)
        o.compression_ratio = recorded_ratio(t, i);
    shape.value_unknown = strcmp(kind, "random") == 0;
    if (strcmp(kind, "sensor") == 0)
        shape.sensor = &s;
    if (encoding < 0 || truth_rows_make(&s, &range, &rows)) {
        truth_check_text(r, "stream and encoding", "known", "unknown");
    } else {
        if (truth_layout(&o, &rows, &shape, NULL, &l) == 0) {
            check_file(r, t, i, &l, plain);
            snprintf(ours, sizeof ours, "%" PRIu64, l.file_bytes);
            hfile_layout_free(&l);
        }
        if (!plain && strcmp(kind, "formula") != 0)
            check_default(r, t, i, &o, &rows, &shape);
        truth_rows_free(&rows);
    }
    truth_case_end(r, "file_bytes", truth_cell(t, i, "file_bytes"), ours, plain ? "exact" : "3 %");
}

/* Where blocks end. A file of the first cells up to a recorded block's last one must end with that block, and
   one cell more must begin the next. The predicator by the previous block's compression is not modelled; its
   files are counted aloud. */
struct blocks {
    struct truth_rows rows;
    uint64_t cells, payload, unencoded; /* of the file's blocks so far */
    unsigned left;
};

static void check_prefix(struct truth_report *r, const struct hfile_options *o, const struct truth_shape *shape,
                         struct blocks *b, uint64_t block)
{
    struct truth_rows part = b->rows;
    struct hfile_layout l;

    part.count = (size_t)b->cells;
    if (truth_layout(o, &part, shape, NULL, &l) == 0) {
        truth_check(r, "blocks up to here", (double)block + 1, (double)l.data_blocks, 0);
        truth_check(r, "encoded_bytes up to here", (double)b->payload, (double)l.data_payload_bytes, 0);
        truth_check(r, "unencoded_bytes up to here", (double)b->unencoded, (double)l.unencoded_bytes, 0);
        hfile_layout_free(&l);
    }
    part.count++;
    if (part.count <= b->rows.count && truth_layout(o, &part, shape, NULL, &l) == 0) {
        truth_check(r, "blocks with one cell more", (double)block + 2, (double)l.data_blocks, 0);
        hfile_layout_free(&l);
    }
}

static void judge_block(struct truth_report *r, const struct truth_table *t, size_t i, struct blocks *b)
{
    struct truth_shape shape = {1, (uint32_t)truth_number(t, i, "value_bytes"), 1, false, NULL};
    int encoding = hfile_encoding_from_name(truth_cell(t, i, "encoding"));
    uint64_t block = truth_number(t, i, "block");
    struct hfile_options o;
    struct hfile_layout l;
    char name[160];

    snprintf(name, sizeof name, "block %" PRIu64 " %s %u B %s %s ratio %s", block, truth_cell(t, i, "stream"),
             shape.value_bytes, truth_cell(t, i, "encoding"), truth_cell(t, i, "compression"), truth_cell(t, i, "ratio"));
    truth_case(r, name);
    hfile_options_default(&o);
    o.encoding = encoding < 0 ? HFILE_ENCODING_NONE : (enum hfile_encoding)encoding;
    o.block_bytes = (uint32_t)truth_number(t, i, "blocksize");
    o.encoded_block_ratio = strtod(truth_cell(t, i, "ratio"), NULL);
    if (block == 0)
        b->cells = b->payload = b->unencoded = 0;
    b->cells += truth_number(t, i, "cells");
    b->payload += truth_number(t, i, "encoded_bytes");
    b->unencoded += truth_number(t, i, "unencoded_bytes");
    check_prefix(r, &o, &shape, b, block);
    if (block == 0 && truth_layout(&o, &b->rows, &shape, NULL, &l) == 0) {
        truth_check(r, "blocks_in_file", (double)truth_number(t, i, "blocks_in_file"), (double)l.data_blocks, 0);
        hfile_layout_free(&l);
    }
    truth_case_end(r, "cells", truth_cell(t, i, "cells"), "as recorded", "exact");
}

static void judge_blocks(struct truth_report *r, const struct truth_table *t)
{
    struct blocks b = {.left = 0};

    for (size_t i = 0; i < t->rows; i++) {
        struct truth_stream s = stream_of(t, i);
        struct truth_range range = {0, 4000, 4, 4000};

        if (strcmp(truth_cell(t, i, "predicate"), "default") != 0) {
            b.left += truth_number(t, i, "block") == 0;
            continue;
        }
        if (truth_rows_make(&s, &range, &b.rows))
            continue;
        judge_block(r, t, i, &b);
        truth_rows_free(&b.rows);
    }
    if (b.left > 0)
        printf("%s\t%u files with another predicator than the default: not modelled, not judged\n", r->folder, b.left);
}

int truth_encodings(const char *dir, struct truth_report *r)
{
    struct truth_table t;
    char path[4200];
    int found = -1;

    snprintf(path, sizeof path, "%s/sizes.tsv", dir);
    if (truth_table_read(path, &t) == 0) {
        for (size_t i = 0; i < t.rows; i++)
            judge_size(r, &t, i);
        truth_table_free(&t);
        found = 0;
    }
    snprintf(path, sizeof path, "%s/blocks.tsv", dir);
    if (truth_table_read(path, &t) == 0) {
        judge_blocks(r, &t);
        truth_table_free(&t);
        found = 0;
    }
    return found;
}
