/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_phoenix.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int phoenix_data_read(const struct truth_table *t, struct phoenix_data *d)
{
    memset(d, 0, sizeof *d);
    for (size_t i = 0; i < t->comments; i++) {
        const char *p = strstr(t->comment[i], " rows: ts = ");
        unsigned long long start, step, factor, devices, mod;

        if (!p || sscanf(p, " rows: ts = %llu + i*%llu, dev = (i*%llu) mod %llu", &start, &step, &factor, &devices) != 4)
            continue;
        while (p > t->comment[i] && isdigit((unsigned char)p[-1]))
            p--;
        d->rows = strtoull(p, NULL, 10);
        d->start_ms = start;
        d->step_ms = step;
        d->device_factor = factor;
        d->devices = devices;
        p = strstr(p, "v = 'v' + (i mod ");
        if (p && sscanf(p, "v = 'v' + (i mod %llu)", &mod) == 1)
            d->value_mod = mod;
        return 0;
    }
    return -1;
}

uint64_t phoenix_data_ts(const struct phoenix_data *d, uint64_t event)
{
    return d->start_ms + event * d->step_ms;
}

uint64_t phoenix_data_dev(const struct phoenix_data *d, uint64_t event)
{
    return event * d->device_factor % d->devices;
}

void phoenix_data_value(const struct phoenix_data *d, uint64_t event, char *out, size_t cap)
{
    snprintf(out, cap, "v%llu", (unsigned long long)(d->value_mod ? event % d->value_mod : 0));
}

/* A row as Phoenix writes it, by hand: salt, then ts and dev with their sign bits flipped. */
static size_t make_row(void *context, uint64_t i, uint8_t *row)
{
    const struct phoenix_case *c = context;
    const uint64_t ts = phoenix_data_ts(c->data, i) ^ (UINT64_C(1) << 63);
    const uint32_t dev = (uint32_t)phoenix_data_dev(c->data, i) ^ (UINT32_C(1) << 31);
    const uint32_t n = phoenix_buckets(&c->table);
    const size_t off = n > 0;
    uint32_t hash = 1;

    for (int k = 0; k < 8; k++)
        row[off + (size_t)k] = (uint8_t)(ts >> (56 - 8 * k));
    for (int k = 0; k < 4; k++)
        row[off + 8 + (size_t)k] = (uint8_t)(dev >> (24 - 8 * k));
    if (n > 0) {
        for (size_t k = 0; k < 12; k++)
            hash = 31 * hash + (uint32_t)(int32_t)(int8_t)row[1 + k];
        row[0] = (uint8_t)labs((long)((int32_t)hash) % (long)n);
    }
    return off + 12;
}

static void add_split(struct phoenix_case *c, uint32_t bucket, uint64_t event)
{
    uint8_t row[16] = {0}, key[16] = {0};
    const size_t off = phoenix_buckets(&c->table) > 0;

    make_row(c, event, row);
    memcpy(key + off, row + off, 8); /* the time; the device stays at zero bytes */
    if (off)
        key[0] = (uint8_t)bucket;
    saltkey_keys_add(&c->splits, (struct saltkey_slice){key, off + 12});
}

static void make_splits(struct phoenix_case *c, const char *layout)
{
    const uint32_t n = phoenix_buckets(&c->table);
    const char *at = strstr(layout, "at event"), *only = strstr(layout, "only bucket ");
    uint8_t start[13] = {0};

    if (!strstr(layout, "merged"))
        for (uint32_t b = 1; b < n; b++) {
            start[0] = (uint8_t)b;
            saltkey_keys_add(&c->splits, (struct saltkey_slice){start, sizeof start});
        }
    while (at && *at && !isdigit((unsigned char)*at))
        at++;
    while (at && isdigit((unsigned char)*at)) {
        char *end;
        const uint64_t event = strtoull(at, &end, 10);

        for (uint32_t b = 0; b < (n > 0 ? n : 1); b++)
            if (!only || strtoul(only + strlen("only bucket "), NULL, 10) == b)
                add_split(c, b, event);
        for (at = end; *at == ',' || *at == ' '; at++)
            ;
    }
    if (c->splits.count > 0)
        saltkey_keys_finish(&c->splits, NULL);
}

int phoenix_case_make(struct phoenix_case *c, const char *name, uint32_t buckets, const char *layout,
                      const struct phoenix_data *data)
{
    static const struct phoenix_column columns[] = {{"V", 0}};
    struct saltkey_layout l;
    struct saltkey_salt salt;

    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "%s", name);
    c->data = data;
    saltkey_keys_init(&c->splits, NULL);
    saltkey_keys_init(&c->guideposts, NULL);
    if (saltkey_layout_parse("ts:i64 dev:i32", &l, NULL) != 0 ||
        saltkey_salt_parse(buckets ? "phoenix" : "none", buckets, &salt, NULL) != 0 ||
        saltkey_scheme_init(&c->scheme, &l, &salt, NULL, NULL) != 0)
        return -1;
    c->table = (struct phoenix_table){c->name, &c->scheme, &c->splits, NULL,
                                      phoenix_row_estimate_bytes(12 + (buckets > 0), columns, 1), UINT64_C(10) << 30};
    make_splits(c, layout);
    c->cell.bytes = 48;
    c->cell.heap_bytes = phoenix_heap_bytes(48);
    c->shape = (struct scan_shape){&c->cell, 1};
    return sorted_rows_make(&c->rows, data->rows, make_row, c);
}

void phoenix_case_free(struct phoenix_case *c)
{
    saltkey_keys_free(&c->splits);
    saltkey_keys_free(&c->guideposts);
    sorted_rows_free(&c->rows);
}
