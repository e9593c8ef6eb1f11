/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "des/pool.h"
#include "saltkey.h"
#include "sim/sim.h"
#include "spec/scheme.h"
#include "workload/keystream.h"

#define BLOCK UINT64_C(4096)
#define CHUNKS 16
/* Rows whose keys are built whole, or routed by tables of entities. */
#define BUILT_ROWS UINT64_C(65536)
#define ROUTED_ROWS UINT64_C(1000000)

static size_t table_index(const struct spec *sp, const char *name)
{
    size_t i = 0;

    while (i < sp->tables_len && strcmp(sp->tables[i].name, name) != 0)
        i++;
    return i;
}

uint64_t plan_sample_row(const struct plan_pair *pair, uint64_t rows, uint64_t k)
{
    const uint64_t blocks = (rows + BLOCK - 1) / BLOCK, block = k / BLOCK, span = pair->total / (blocks ? blocks : 1);

    if (rows >= pair->total)
        return k;
    return block * span + (span > BLOCK ? arrivals_mix(pair->arrivals.key, block) % (span - BLOCK) : 0) + k % BLOCK;
}

/* What the hash of a row is made of: a part of its entity and a part of its other fields. */
struct parts {
    struct keystream keys;
    struct arrivals in_turn;          /* row e reports of entity e */
    uint32_t *entity;
    bool by_row;                      /* the other part changes with each row, not with the millisecond */
};

static uint32_t other_part(const struct parts *p, const struct arrivals *arrivals, uint64_t row)
{
    struct saltkey_value v[SALTKEY_FIELDS_MAX];
    struct keystream ks = p->keys;
    char text[SALTKEY_FIELDS_MAX][64];
    uint32_t sum = 0, share;

    ks.arrivals = arrivals;
    keystream_values(&ks, row, v, text);
    for (uint32_t f = 0; f < ks.scheme.layout.n_fields; f++)
        if (ks.role[f] != KEY_ROLE_ENTITY && saltkey_hash_share(&ks.scheme, f, &v[f], &share, NULL) == 0)
            sum += share;
    return sum;
}

static int entity_parts(struct parts *p)
{
    struct saltkey_value v[SALTKEY_FIELDS_MAX];
    char text[SALTKEY_FIELDS_MAX][64];
    const struct saltkey_layout *l = &p->keys.scheme.layout;

    p->entity = malloc(p->in_turn.entities * sizeof *p->entity);
    if (!p->entity)
        return SIM_NO_MEMORY;
    for (uint64_t e = 0; e < p->in_turn.entities; e++) {
        uint32_t sum = 0, share;

        keystream_values(&p->keys, e, v, text);
        for (uint32_t f = 0; f < l->n_fields; f++)
            if (p->keys.role[f] == KEY_ROLE_ENTITY && saltkey_hash_share(&p->keys.scheme, f, &v[f], &share, NULL) == 0)
                sum += share;
        p->entity[e] = sum;
    }
    return 0;
}

/* 1 where the hash of this table's rows can be put together from parts. */
static int parts_open(const struct spec *sp, const struct plan_pair *pair, struct parts *p)
{
    struct spec_table table = sp->tables[pair->table];
    struct saltkey_error err = {0, 0, ""};
    int rc;

    memset(p, 0, sizeof *p);
    if (pair->has_file || !table.salt || !spec_salt_takes_buckets(table.salt))
        return 0;
    table.buckets = 2; /* any: the hash doesn't depend on it */
    p->in_turn = pair->arrivals;
    p->in_turn.in_turn = true;
    rc = keystream_init(&p->keys, &table, &p->in_turn, NULL, &err);
    if (rc != 0)
        return rc == KEYSTREAM_NO_MEMORY ? SIM_NO_MEMORY : SIM_BAD_SPEC;
    if (p->keys.scheme.salt.hash != SALTKEY_HASH_ARRAYS || !saltkey_has_shares(&p->keys.scheme) ||
        (p->keys.bucket_by != KEY_BUCKET_SHARES && p->keys.bucket_by != KEY_BUCKET_ENTITY)) {
        keystream_free(&p->keys);
        return 0;
    }
    for (uint32_t f = 0; f < p->keys.scheme.layout.n_fields; f++)
        p->by_row |= p->keys.role[f] == KEY_ROLE_SEQUENCE;
    rc = entity_parts(p);
    if (rc != 0) {
        keystream_free(&p->keys);
        free(p->entity);
    }
    return rc == 0 ? 1 : rc;
}

/* One pass: each chunk counts its rows for all N, then the chunks are added up. */
struct pass {
    const struct plan_pair *pair;
    const struct parts *parts;
    uint64_t *counts[CHUNKS];
};

static int count_chunk(void *context, size_t c)
{
    struct pass *pass = context;
    const struct plan_pair *pair = pass->pair;
    const struct parts *p = pass->parts;
    const uint64_t blocks = (pair->rows + BLOCK - 1) / BLOCK;
    int32_t hash[BLOCK];
    int64_t last_ms = INT64_MIN;
    uint32_t other = 0;

    for (uint64_t b = blocks * c / CHUNKS; b < blocks * (c + 1) / CHUNKS; b++) {
        const uint64_t end = (b + 1) * BLOCK < pair->rows ? BLOCK : pair->rows - b * BLOCK;

        for (uint64_t k = 0; k < end; k++) {
            const uint64_t row = plan_sample_row(pair, pair->rows, b * BLOCK + k);
            const int64_t ms = arrivals_event_ms(&pair->arrivals, row);

            if (ms != last_ms || p->by_row)
                other = other_part(p, &pair->arrivals, row);
            last_ms = ms;
            hash[k] = (int32_t)(p->keys.scheme.hash_base + p->entity[arrivals_entity(&pair->arrivals, row)] + other);
        }
        saltkey_count_buckets((enum saltkey_remainder)p->keys.scheme.salt.mod.remainder, hash, end, pass->counts[c]);
    }
    return 0;
}

static int count_all(struct plan_pair *pair, const struct parts *parts, unsigned jobs)
{
    struct pass pass = {pair, parts, {NULL}};
    int rc = 0;

    for (size_t c = 0; c < CHUNKS && rc == 0; c++)
        if (!(pass.counts[c] = calloc(SALTKEY_COUNTS, sizeof *pass.counts[c])))
            rc = SIM_NO_MEMORY;
    if (rc == 0)
        rc = des_pool_run(jobs, CHUNKS, count_chunk, &pass);
    for (size_t c = 1; c < CHUNKS && rc == 0; c++)
        for (size_t i = 0; i < SALTKEY_COUNTS; i++)
            pass.counts[0][i] += pass.counts[c][i];
    if (rc == 0) {
        pair->counts = pass.counts[0];
        pass.counts[0] = NULL;
    }
    for (size_t c = 0; c < CHUNKS; c++)
        free(pass.counts[c]);
    return rc;
}

static int open_pair(struct plan_keys *keys, size_t stream, size_t table, unsigned jobs)
{
    const struct spec_stream *st = &keys->spec->streams[stream];
    struct plan_pair *pair = &keys->pair[keys->len];
    struct keyfile_error ferr;
    struct parts parts;
    int rc;

    memset(pair, 0, sizeof *pair);
    pair->stream = stream;
    pair->table = table;
    if (table == keys->spec->tables_len || arrivals_init(&pair->arrivals, st, keys->spec->seed) != 0)
        return SIM_BAD_SPEC;
    keys->len++;
    if (st->keys_file) {
        if (keyfile_read(st->keys_file, st->keys_format, st->keys_width, &pair->file, &ferr) != 0)
            return SIM_BAD_FILE;
        pair->has_file = true;
        pair->arrivals.rows_max = pair->file.count;
    }
    pair->total = arrivals_before(&pair->arrivals, keys->spec->duration_ns);
    if (pair->total == 0)
        pair->total = 1;
    pair->rows = pair->total < keys->sample ? pair->total : keys->sample;
    rc = parts_open(keys->spec, pair, &parts);
    if (rc != 1)
        return rc;
    rc = count_all(pair, &parts, jobs);
    keystream_free(&parts.keys);
    free(parts.entity);
    return rc;
}

int plan_keys_open(const struct spec *sp, uint64_t sample, unsigned jobs, struct plan_keys *keys)
{
    size_t most = 0;
    int rc = 0;

    *keys = (struct plan_keys){sp, NULL, 0, sample};
    for (size_t s = 0; s < sp->streams_len; s++)
        most += sp->streams[s].tables_len;
    keys->pair = calloc(most + 1, sizeof *keys->pair);
    if (!keys->pair)
        return SIM_NO_MEMORY;
    for (size_t s = 0; s < sp->streams_len && rc == 0; s++)
        for (size_t t = 0; t < sp->streams[s].tables_len && rc == 0; t++)
            rc = open_pair(keys, s, table_index(sp, sp->streams[s].tables[t]), jobs);
    return rc;
}

void plan_keys_close(struct plan_keys *keys)
{
    for (size_t i = 0; i < keys->len; i++) {
        arrivals_free(&keys->pair[i].arrivals);
        if (keys->pair[i].has_file)
            keyfile_free(&keys->pair[i].file);
        free(keys->pair[i].counts);
    }
    free(keys->pair);
    keys->pair = NULL;
    keys->len = 0;
}

/* ---- a candidate's load ---- */

/* A table with its bucket count, its regions, and where the counts of its rows go. */
struct shape {
    const struct spec_table *table;
    struct saltkey_scheme scheme;
    struct saltkey_keys splits;
    double *rate;                     /* a value a region */
    double *bucket_rate;              /* a value a bucket, or NULL */
    bool plain;                       /* region = bucket */
};

static int build_rows(const struct plan_pair *pair, struct keystream *ks, struct shape *sh, double rate)
{
    const uint64_t most = pair->total < BUILT_ROWS ? pair->total : BUILT_ROWS;
    uint8_t *bytes = malloc(ks->row_max + 1);
    struct saltkey_buf row = {bytes, ks->row_max, 0};
    uint64_t bucket;

    if (!bytes)
        return SIM_NO_MEMORY;
    for (uint64_t k = 0; k < most; k++) {
        struct saltkey_slice key;

        if (keystream_key(ks, plan_sample_row(pair, most, k), &row) != 0) {
            free(bytes);
            return SIM_BAD_SPEC;
        }
        key = (struct saltkey_slice){bytes, row.len};
        sh->rate[saltkey_split_region(&sh->splits, key)] += rate / (double)most;
        if (sh->bucket_rate && saltkey_row_bucket(&sh->scheme, key, &bucket) == 0)
            sh->bucket_rate[bucket] += rate / (double)most;
    }
    free(bytes);
    return 0;
}

static void route_rows(const struct plan_pair *pair, struct keystream *ks, struct shape *sh, double rate)
{
    const uint64_t most = pair->total < ROUTED_ROWS ? pair->total : ROUTED_ROWS;
    struct key_route route[256];
    uint64_t rows[256];

    for (uint64_t k = 0; k < most; k += 256) {
        const size_t n = most - k < 256 ? (size_t)(most - k) : 256;

        for (size_t i = 0; i < n; i++)
            rows[i] = plan_sample_row(pair, most, k + i);
        keystream_route(ks, rows, n, route);
        for (size_t i = 0; i < n; i++) {
            sh->rate[route[i].bucket] += rate / (double)most;
            sh->bucket_rate[route[i].bucket] += rate / (double)most;
        }
    }
}

static int add_pair(const struct plan_keys *keys, const struct plan_pair *pair, struct shape *sh)
{
    const double rate = keys->spec->streams[pair->stream].rate_per_s;
    const uint32_t n = (uint32_t)sh->scheme.salt.buckets;
    struct saltkey_error err = {0, 0, ""};
    struct keystream ks;
    int rc = 0;

    if (sh->plain && pair->counts) {
        for (uint32_t b = 0; b < n; b++) {
            const double share = (double)pair->counts[saltkey_counts_at(n, b)] / (double)pair->rows;

            sh->rate[b] += rate * share;
            sh->bucket_rate[b] += rate * share;
        }
        return 0;
    }
    rc = keystream_init(&ks, sh->table, &pair->arrivals, pair->has_file ? &pair->file : NULL, &err);
    if (rc != 0)
        return rc == KEYSTREAM_NO_MEMORY ? SIM_NO_MEMORY : SIM_BAD_SPEC;
    if (sh->splits.count == 0 && !sh->bucket_rate)
        sh->rate[0] += rate;
    else if (sh->plain && (ks.bucket_by == KEY_BUCKET_ENTITY || ks.bucket_by == KEY_BUCKET_GIVEN))
        route_rows(pair, &ks, sh, rate);
    else
        rc = build_rows(pair, &ks, sh, rate);
    keystream_free(&ks);
    return rc;
}

static int shape_open(const struct spec_table *table, struct shape *sh)
{
    memset(sh, 0, sizeof *sh);
    saltkey_keys_init(&sh->splits, NULL);
    sh->table = table;
    if (spec_table_scheme(table, &sh->scheme, NULL) != 0 ||
        spec_table_splits(table, &sh->scheme, &sh->splits, NULL) != 0)
        return SIM_BAD_SPEC;
    if (sh->scheme.salt.hash != SALTKEY_HASH_NONE && !spec_scheme_hashed_prefix(&sh->scheme))
        sh->bucket_rate = calloc(sh->scheme.salt.buckets + 1, sizeof *sh->bucket_rate);
    sh->rate = calloc(sh->splits.count + 1, sizeof *sh->rate);
    sh->plain = sh->bucket_rate && table->splits == SPEC_SPLITS_BUCKETS && table->splits_regions <= 1;
    return sh->rate && (sh->bucket_rate || sh->scheme.salt.hash == SALTKEY_HASH_NONE ||
                        spec_scheme_hashed_prefix(&sh->scheme)) ? 0 : SIM_NO_MEMORY;
}

static void shape_close(struct shape *sh)
{
    saltkey_keys_free(&sh->splits);
    free(sh->rate);
    free(sh->bucket_rate);
}

static int take_shape(struct plan_load *load, size_t t, const struct shape *sh)
{
    const size_t regions = sh->splits.count + 1;
    double *rate = realloc(load->rate, (load->regions_all + regions) * sizeof *rate), most = 0, sum = 0;

    if (!rate)
        return SIM_NO_MEMORY;
    load->rate = rate;
    load->regions[t] = regions;
    for (size_t r = 0; r < regions; r++) {
        rate[load->regions_all + r] = sh->rate[r];
        load->rate_all += sh->rate[r];
    }
    load->regions_all += regions;
    for (uint64_t b = 0; sh->bucket_rate && b < sh->scheme.salt.buckets; b++) {
        most = fmax(most, sh->bucket_rate[b]);
        sum += sh->bucket_rate[b];
    }
    if (sum > 0 && isnan(load->hot_bucket_share))
        load->hot_bucket_share = most / sum;
    return 0;
}

int plan_load_open(const struct plan_keys *keys, const struct spec *sp, struct plan_load *load)
{
    int rc = 0;

    *load = (struct plan_load){.tables = sp->tables_len, .hot_bucket_share = NAN};
    load->regions = calloc(sp->tables_len + 1, sizeof *load->regions);
    if (!load->regions)
        return SIM_NO_MEMORY;
    for (size_t t = 0; t < sp->tables_len && rc == 0; t++) {
        struct shape sh;

        rc = shape_open(&sp->tables[t], &sh);
        for (size_t i = 0; i < keys->len && rc == 0; i++)
            if (keys->pair[i].table == t)
                rc = add_pair(keys, &keys->pair[i], &sh);
        if (rc == 0)
            rc = take_shape(load, t, &sh);
        shape_close(&sh);
    }
    return rc;
}

void plan_load_free(struct plan_load *load)
{
    free(load->regions);
    free(load->rate);
    *load = (struct plan_load){0};
}
