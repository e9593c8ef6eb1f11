/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_rules.h"

#include <math.h>
#include <md5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The recordings' key streams, made here from their formulas and not by the library, so that an error
   of the library can't hide itself. */

static void be(uint8_t *out, uint64_t v, int n)
{
    for (int i = n - 1; i >= 0; i--, v >>= 8)
        out[i] = (uint8_t)v;
}

static uint64_t device(const struct truth_stream *s, uint64_t i)
{
    if (s->hot > 0 && i % 10 < s->hot)
        return 7;
    return ((((i * UINT64_C(2654435761)) & UINT32_MAX) >> 8)) % s->devices;
}

uint64_t truth_timestamp(const struct truth_stream *s, uint64_t i)
{
    return UINT64_C(1700000000000) + i * s->step_ms;
}

static uint8_t floor_mod_hash31(const uint8_t *p, size_t n, uint32_t buckets)
{
    uint32_t h = 1;
    int64_t m;

    for (size_t i = 0; i < n; i++)
        h = 31 * h + (uint32_t)(int32_t)(int8_t)p[i];
    m = (int64_t)(int32_t)h % (int64_t)buckets;
    return (uint8_t)(m < 0 ? m + buckets : m);
}

static size_t put_time(const struct truth_stream *s, uint64_t i, uint8_t *out)
{
    be(out, truth_timestamp(s, i), 8);
    be(out + 8, device(s, i), 4);
    return 12;
}

static void put_digits(uint64_t i, uint8_t *out, bool reversed)
{
    for (int k = 0; k < 12; k++, i /= 10)
        out[reversed ? k : 11 - k] = (uint8_t)('0' + i % 10);
}

static size_t put_time24(const struct truth_stream *s, uint64_t i, uint8_t *out)
{
    put_time(s, i, out);
    put_digits(i, out + 12, false);
    return 24;
}

static size_t put_salted(const struct truth_stream *s, uint64_t i, uint8_t *out)
{
    size_t n;
    uint8_t dev[4];

    if (strcmp(s->name, "SALT-TIME24") == 0) {
        n = put_time24(s, i, out + 1);
        out[0] = floor_mod_hash31(out + 1, n, s->n);
        return n + 1;
    }
    n = put_time(s, i, out + 1);
    be(dev, device(s, i), 4);
    out[0] = strcmp(s->name, "SALT-DEV") == 0 ? floor_mod_hash31(dev, 4, s->n) : floor_mod_hash31(out + 1, n, s->n);
    return n + 1;
}

static size_t put_hex_md5(const struct truth_stream *s, uint64_t i, uint8_t *out)
{
    static const char hex[] = "0123456789abcdef";
    uint8_t dev[4], digest[MD5_DIGEST_LENGTH];
    MD5_CTX ctx;

    be(dev, device(s, i), 4);
    MD5Init(&ctx);
    MD5Update(&ctx, dev, sizeof dev);
    MD5Final(digest, &ctx);
    for (int k = 0; k < 4; k++)
        out[k] = (uint8_t)hex[(digest[k / 2] >> (k % 2 ? 0 : 4)) & 15];
    out[4] = '_';
    return 5 + put_time(s, i, out + 5);
}

size_t truth_row(const struct truth_stream *s, uint64_t i, uint8_t row[TRUTH_MAX_ROW])
{
    if (strcmp(s->name, "TIME") == 0)
        return put_time(s, i, row);
    if (strcmp(s->name, "TIME24") == 0)
        return put_time24(s, i, row);
    if (strcmp(s->name, "TIME64") == 0) {
        put_time24(s, i, row);
        for (uint64_t j = 0; j < 40; j++)
            row[24 + j] = (uint8_t)(i * 7 + j * 13);
        return 64;
    }
    if (strcmp(s->name, "DEV") == 0) {
        be(row, device(s, i), 4);
        be(row + 4, truth_timestamp(s, i), 8);
        return 12;
    }
    if (strncmp(s->name, "SALT-", 5) == 0)
        return put_salted(s, i, row);
    if (strcmp(s->name, "HEX-MD5") == 0)
        return put_hex_md5(s, i, row);
    if (strcmp(s->name, "REV") == 0 || strcmp(s->name, "SEQ") == 0) {
        put_digits(i, row, s->name[0] == 'R');
        return 12;
    }
    if (strcmp(s->name, "REV-TIME") == 0) {
        be(row, (UINT64_C(1) << 63) - 1 - truth_timestamp(s, i), 8);
        be(row + 8, device(s, i), 4);
        return 12;
    }
    return 0;
}

void truth_formula_value(uint64_t i, uint8_t *value, size_t bytes)
{
    for (size_t j = 0; j < bytes; j++)
        value[j] = (uint8_t)((i * 31 + j * 17) ^ (i >> 8));
}

void truth_sensor_value(const struct truth_stream *s, uint64_t i, uint8_t *value, size_t bytes)
{
    double t = (double)truth_timestamp(s, i) / 1000;
    size_t k = 0;

    for (int c = 0; k < bytes; c++) {
        char text[32];
        double v = 20 + 5 * sin(2 * acos(-1) * t / 3600 + 0.37 * (double)device(s, i) + c) + 0.01 * c;
        size_t n = (size_t)snprintf(text, sizeof text, "%s%.3f", c ? "," : "", v);

        if (n > bytes - k)
            n = bytes - k;
        memcpy(value + k, text, n);
        k += n;
    }
}

/* While it is sorted, a row is kept with its event behind it: |stride| bytes each. */
static size_t sort_bytes;

static int by_row(const void *a, const void *b)
{
    return memcmp(a, b, sort_bytes);
}

static bool fill(const struct truth_stream *s, const struct truth_range *r, uint8_t *u, size_t stride)
{
    bool sorted = true;

    for (uint64_t i = 0; i < r->count; i++) {
        uint8_t row[TRUTH_MAX_ROW], *p = u + i * stride;
        uint64_t event = r->first + i;

        truth_row(s, event, row);
        memcpy(p, row, sort_bytes);
        memcpy(p + stride - sizeof event, &event, sizeof event);
        if (i > 0 && sorted && memcmp(p - stride, p, sort_bytes) > 0)
            sorted = false;
    }
    return sorted;
}

int truth_rows_make(const struct truth_stream *s, const struct truth_range *r, struct truth_rows *out)
{
    size_t n = (size_t)r->count, room = n ? n : 1, stride;
    uint8_t first[TRUTH_MAX_ROW], *u;

    memset(out, 0, sizeof *out);
    out->row_bytes = truth_row(s, r->first, first);
    stride = out->row_bytes + sizeof(uint64_t);
    u = malloc(room * stride);
    out->event = malloc(room * sizeof *out->event);
    out->seqid = malloc(room * sizeof *out->seqid);
    out->timestamp = malloc(room * sizeof *out->timestamp);
    out->row = malloc(room * (out->row_bytes + 1));
    if (!u || !out->event || !out->seqid || !out->timestamp || !out->row || out->row_bytes == 0) {
        free(u);
        truth_rows_free(out);
        return -1;
    }
    sort_bytes = out->row_bytes;
    if (!fill(s, r, u, stride))
        qsort(u, n, stride, by_row);
    for (size_t i = 0; i < n; i++) {
        memcpy(out->row + i * out->row_bytes, u + i * stride, out->row_bytes);
        memcpy(&out->event[i], u + i * stride + out->row_bytes, sizeof *out->event);
        out->seqid[i] = r->first_seqid + (out->event[i] - r->first) / r->batch;
        out->timestamp[i] = truth_timestamp(s, out->event[i]);
    }
    out->count = n;
    free(u);
    return 0;
}

void truth_rows_free(struct truth_rows *r)
{
    free(r->row);
    free(r->event);
    free(r->seqid);
    free(r->timestamp);
    memset(r, 0, sizeof *r);
}

static size_t put_qualifier(const struct truth_shape *shape, uint32_t k, uint8_t *out)
{
    if (shape->cells_per_row == 1 && shape->qualifier_bytes == 1) {
        out[0] = 'v';
        return 1;
    }
    if (shape->qualifier_bytes == 1) {
        out[0] = (uint8_t)('0' + k);
        return 1;
    }
    if (shape->qualifier_bytes == 4) {
        be(out, k, 4);
        return 4;
    }
    memcpy(out, "qual000", 7);
    out[7] = (uint8_t)('0' + k);
    return 8;
}

int truth_layout(const struct hfile_options *o, const struct truth_rows *rows, const struct truth_shape *shape,
                 const struct hfile_inputs *inputs, struct hfile_layout *out)
{
    struct hfile_writer *w = hfile_writer_new(o);
    uint8_t *value = malloc(shape->value_bytes + 1), qualifier[8];
    int rc = w && value ? 0 : HFILE_NOMEM;
    bool values = o->encoding == HFILE_ENCODING_FAST_DIFF && !shape->value_unknown; /* the others never look */

    for (size_t i = 0; rc == 0 && i < rows->count; i++) {
        struct hfile_cell c = {.row = rows->row + i * rows->row_bytes,
                               .row_bytes = (uint32_t)rows->row_bytes,
                               .family_bytes = 1,
                               .qualifier = qualifier,
                               .value = values ? value : NULL,
                               .value_bytes = shape->value_bytes,
                               .timestamp_ms = rows->timestamp[i],
                               .seqid = rows->seqid[i]};

        if (values && shape->sensor)
            truth_sensor_value(shape->sensor, rows->event[i], value, shape->value_bytes);
        else if (values)
            truth_formula_value(rows->event[i], value, shape->value_bytes);
        for (uint32_t k = 0; rc == 0 && k < shape->cells_per_row; k++) {
            c.qualifier_bytes = (uint32_t)put_qualifier(shape, k, qualifier);
            rc = hfile_writer_append(w, &c);
        }
    }
    if (rc == 0)
        rc = hfile_writer_finish(w, inputs, out);
    hfile_writer_del(w);
    free(value);
    return rc;
}

static uint32_t separator(void *arg, uint64_t row)
{
    const struct truth_rows *r = arg;
    const uint8_t *p = r->row + (row - 1) * r->row_bytes;

    return (uint32_t)hfile_shortest_separator(p, r->row_bytes, p + r->row_bytes, r->row_bytes, NULL);
}

int truth_layout_runs(const struct hfile_options *o, const struct truth_rows *rows,
                      const struct truth_shape *shape, const struct hfile_inputs *inputs,
                      struct hfile_layout *out)
{
    struct hfile_column column[10];
    struct hfile_shape s = {(uint32_t)rows->row_bytes, 1, column, shape->cells_per_row};
    struct hfile_run *run = malloc((rows->count + 1) * sizeof *run);
    struct hfile_runs in = {.run = run, .separator = separator};
    int rc;

    if (!run || shape->cells_per_row > 10) {
        free(run);
        return HFILE_NOMEM;
    }
    for (uint32_t k = 0; k < shape->cells_per_row; k++)
        column[k] = (struct hfile_column){shape->qualifier_bytes, shape->value_bytes, 0, 0};
    for (size_t i = 0; i < rows->count; i++) {
        uint32_t id = hfile_vint_bytes(rows->seqid[i]);

        if (in.count == 0 || (uint32_t)run[in.count - 1].seqid_vint_bytes != id)
            run[in.count++] = (struct hfile_run){&s, 0, id};
        run[in.count - 1].rows++;
    }
    in.arg = (void *)(uintptr_t)rows;
    if (inputs)
        in.inputs = *inputs;
    rc = hfile_layout_runs(o, &in, out);
    free(run);
    return rc;
}
