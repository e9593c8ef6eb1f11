/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/reader_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/scan_salted.h"

/* Rows whose buckets give the buckets' shares. */
#define SHARE_ROWS UINT64_C(262144)

static struct saltkey_slice grid_key(const struct reader_rows *rr, size_t i)
{
    return (struct saltkey_slice){rr->grid + i * rr->slot, rr->grid_lens[i]};
}

/* Natural key of the stream's row |i|: the stored row without its salt. |bytes| has rr->slot bytes. */
static struct saltkey_slice natural_of(const struct reader_rows *rr, uint64_t i, uint8_t *bytes)
{
    struct saltkey_buf row = {bytes, rr->slot, 0};
    size_t skip = 0;

    if (keystream_key(rr->keys, i, &row) != 0)
        return (struct saltkey_slice){bytes, 0};
    if (rr->buckets > 1)
        skip = rr->keys->scheme.salt.width;
    return (struct saltkey_slice){bytes + skip, row.len - skip};
}

static int ascending(const void *a, const void *b)
{
    const struct saltkey_slice *x = a, *y = b;

    return saltkey_compare(*x, *y);
}

/* The grid in key order, where the keys aren't in the order of the rows. */
static int sort_grid(struct reader_rows *rr)
{
    struct saltkey_slice *at = malloc(rr->grid_len * sizeof *at);
    uint8_t *grid = malloc(rr->grid_len * rr->slot);
    uint16_t *lens = malloc(rr->grid_len * sizeof *lens);
    int rc = at && grid && lens ? 0 : MODEL_NO_MEMORY;

    if (rc == 0) {
        for (size_t i = 0; i < rr->grid_len; i++)
            at[i] = grid_key(rr, i);
        qsort(at, rr->grid_len, sizeof *at, ascending);
        for (size_t i = 0; i < rr->grid_len; i++) {
            memcpy(grid + i * rr->slot, at[i].bytes, at[i].len);
            lens[i] = (uint16_t)at[i].len;
        }
        free(rr->grid);
        free(rr->grid_lens);
        rr->grid = grid;
        rr->grid_lens = lens;
        grid = NULL;
        lens = NULL;
    }
    free(grid);
    free(lens);
    free(at);
    return rc;
}

static uint64_t grid_row(const struct reader_rows *rr, size_t i)
{
    return (uint64_t)((double)i * (double)rr->horizon / (double)rr->grid_len);
}

static int fill_grid(struct reader_rows *rr)
{
    bool up = true, down = true;

    rr->grid_len = rr->horizon < READER_GRID ? (size_t)rr->horizon : READER_GRID;
    rr->grid = malloc((rr->grid_len + 1) * rr->slot);
    rr->grid_lens = malloc((rr->grid_len + 1) * sizeof *rr->grid_lens);
    if (!rr->grid || !rr->grid_lens)
        return MODEL_NO_MEMORY;
    for (size_t i = 0; i < rr->grid_len; i++) {
        uint8_t *bytes = rr->grid + i * rr->slot;
        const struct saltkey_slice key = natural_of(rr, grid_row(rr, i), bytes);

        memmove(bytes, key.bytes, key.len);
        rr->grid_lens[i] = (uint16_t)key.len;
        if (i > 0) {
            const int c = saltkey_compare(grid_key(rr, i - 1), grid_key(rr, i));

            up = up && c <= 0;
            down = down && c >= 0;
        }
    }
    rr->order = up && rr->grid_len > 1 ? READER_ORDER_UP : down && rr->grid_len > 1 ? READER_ORDER_DOWN
                                                                                    : READER_ORDER_OTHER;
    return rr->order == READER_ORDER_OTHER ? sort_grid(rr) : 0;
}

static int fill_shares(struct reader_rows *rr)
{
    const uint64_t n = rr->horizon < SHARE_ROWS ? rr->horizon : SHARE_ROWS;
    const double step = (double)rr->horizon / (double)(n ? n : 1);
    uint64_t numbers[256];
    struct key_route routes[256];

    for (uint64_t at = 0; at < n; at += 256) {
        const size_t len = n - at < 256 ? (size_t)(n - at) : 256;

        for (size_t k = 0; k < len; k++)
            numbers[k] = (uint64_t)((double)(at + k) * step);
        keystream_route(rr->keys, numbers, len, routes);
        for (size_t k = 0; k < len; k++)
            rr->share[routes[k].bucket % rr->buckets] += 1 / (double)n;
    }
    return 0;
}

/* Where buckets 1, 2 ... begin: the library's ranges of everything. */
static int fill_starts(struct reader_rows *rr)
{
    uint8_t bytes[64];

    for (uint32_t b = 1; b < rr->buckets; b++) {
        struct saltkey_buf out = {bytes, sizeof bytes, 0};

        if (saltkey_salt_prefix(&rr->keys->scheme.salt, b, &out) != 0)
            return MODEL_BROKEN;
        if (saltkey_keys_add(&rr->starts, (struct saltkey_slice){bytes, out.len}) != 0)
            return MODEL_NO_MEMORY;
    }
    return 0;
}

/* A row's cells, from the memstore (0) and from a file (1). */
static int fill_shapes(struct reader_rows *rr)
{
    const struct table *t = rr->table;
    size_t at = 0;

    for (size_t f = 0; f < t->families_len; f++)
        rr->cells_len += t->families[f].columns;
    for (size_t w = 0; w < 2; w++) {
        rr->cells[w] = calloc(rr->cells_len + 1, sizeof *rr->cells[w]);
        if (!rr->cells[w])
            return MODEL_NO_MEMORY;
        at = 0;
        rr->row_bytes = 0;
        for (size_t f = 0; f < t->families_len; f++) {
            for (size_t c = 0; c < t->families[f].columns; c++) {
                const struct hfile_column *col = &t->families[f].column[c];
                const uint32_t bytes = scan_key_value_bytes((uint32_t)rr->keys->row_max, t->families[f].name_bytes,
                                                            col->qualifier_bytes, col->value_bytes);

                rr->cells[w][at++] = (struct scan_cell){
                    bytes, scan_heap_bytes(w == 0 ? SCAN_FROM_MEMSTORE : SCAN_FROM_HFILE, bytes),
                    (uint32_t)(f < SCAN_FAMILIES_MAX ? f : SCAN_FAMILIES_MAX - 1), false};
                rr->row_bytes += bytes;
            }
        }
        rr->shape[w] = (struct scan_shape){rr->cells[w], rr->cells_len};
    }
    return rr->cells_len > 0 ? 0 : MODEL_BROKEN;
}

/* ---- ranks ---- */

/* Rows of the stream whose natural key lies before |key| in the order of writing. */
static uint64_t stream_rank(const struct reader_rows *rr, struct saltkey_slice key)
{
    const bool down = rr->order == READER_ORDER_DOWN;
    uint8_t bytes[1024];
    uint64_t from, to;
    size_t lo = 0, hi = rr->grid_len;

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        const int c = saltkey_compare(grid_key(rr, mid), key);

        if (down ? c >= 0 : c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == 0)
        return 0;
    from = grid_row(rr, lo - 1) + 1;
    to = lo < rr->grid_len ? grid_row(rr, lo) : rr->horizon;
    while (from < to) {
        const uint64_t mid = from + (to - from) / 2;
        const int c = saltkey_compare(natural_of(rr, mid, bytes), key);

        if (down ? c >= 0 : c < 0)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

static uint64_t rows_of(const struct reader_rows *rr, uint32_t b)
{
    return rr->first[b + 1] - rr->first[b];
}

static uint64_t sample_rank(const struct reader_rows *rr, uint32_t b, struct saltkey_slice natural)
{
    size_t lo = 0, hi = rr->grid_len;

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;

        if (saltkey_compare(grid_key(rr, mid), natural) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return (uint64_t)((double)lo / (double)(rr->grid_len ? rr->grid_len : 1) * (double)rows_of(rr, b));
}

static bool same(struct saltkey_slice a, struct saltkey_slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.bytes, b.bytes, a.len) == 0);
}

/* Rows of the entity in bucket |b|, rounded so that they add up. */
static uint64_t entity_rows(const struct reader_rows *rr, uint32_t b)
{
    const struct reader_entity *e = &rr->entity;
    double before = 0;
    uint64_t n;

    if (e->bucket >= 0) {
        /* The bucket's share was sampled, the entity's is exact: it has no more than its bucket. */
        n = (uint32_t)e->bucket == b || rr->buckets == 1 ? (uint64_t)(e->rows + 0.5) : 0;
        return n < rows_of(rr, b) ? n : rows_of(rr, b);
    }
    for (uint32_t k = 0; k < b; k++)
        before += rr->share[k];
    n = (uint64_t)(e->rows * (before + rr->share[b]) + 0.5) - (uint64_t)(e->rows * before + 0.5);
    return n < rows_of(rr, b) ? n : rows_of(rr, b);
}

/* Rows of bucket |b| with natural keys below |natural|. */
static uint64_t bucket_rank(const struct reader_rows *rr, uint32_t b, struct saltkey_slice natural)
{
    const uint64_t all = rows_of(rr, b);
    uint64_t n;

    if (natural.len == 0)
        return 0;
    if (rr->entity.set && (same(natural, rr->entity.start) || same(natural, rr->entity.stop))) {
        const uint64_t mine = entity_rows(rr, b), start = sample_rank(rr, b, rr->entity.start);
        const uint64_t from = start + mine > all ? all - (mine < all ? mine : all) : start;

        return same(natural, rr->entity.start) ? from : from + mine;
    }
    if (rr->order == READER_ORDER_OTHER)
        return sample_rank(rr, b, natural);
    n = stream_rank(rr, natural);
    n = n < rr->written ? n : rr->written;
    n = (uint64_t)((double)n * rr->share[b]);
    n = n < all ? n : all;
    return rr->order == READER_ORDER_UP ? n : all - n;
}

/* Bucket whose part of the key space holds |key|. */
static uint32_t bucket_of(const struct reader_rows *rr, struct saltkey_slice key)
{
    return (uint32_t)saltkey_split_region(&rr->starts, key);
}

static uint64_t rank_of_key(const struct reader_rows *rr, struct saltkey_slice key)
{
    const uint32_t b = bucket_of(rr, key);
    const size_t skip = rr->buckets > 1 ? rr->keys->scheme.salt.width : 0;
    uint8_t salt[64];
    struct saltkey_buf prefix = {salt, sizeof salt, 0};
    struct saltkey_slice natural = {key.bytes + (key.len < skip ? key.len : skip), key.len > skip ? key.len - skip : 0};

    /* Behind the bucket's last possible row: where the last bucket's range ends. */
    if (skip > 0 && saltkey_salt_prefix(&rr->keys->scheme.salt, b, &prefix) == 0 &&
        memcmp(key.bytes, salt, key.len < prefix.len ? key.len : prefix.len) > 0)
        return rr->first[b + 1];
    return rr->first[b] + bucket_rank(rr, b, natural);
}

static uint64_t view_rank(void *context, struct saltkey_slice key)
{
    const struct reader_rows *rr = context;

    /* A region's start: known. The scan hands the very bytes of the splits. */
    if (rr->splits.count > 0 && key.bytes >= rr->splits.store && key.bytes < rr->splits.store + rr->splits.store_len) {
        const size_t i = saltkey_split_region(&rr->splits, key);

        if (i > 0 && rr->splits.at[i - 1].bytes == key.bytes)
            return rr->low[i];
    }
    return rank_of_key(rr, key);
}

/* ---- the newest rows' keys ---- */

/* The stored row of the entity's |k|-th last report. */
static int report_key(const struct reader_rows *rr, uint64_t k, struct saltkey_buf *row)
{
    const struct reader_entity *e = &rr->entity;
    const struct keystream_report report = {e->entity, rr->written > k ? rr->written - 1 - k : 0,
                                            e->to_ms - 1 - (int64_t)((double)k * e->every_ms)};
    struct saltkey_value values[SALTKEY_FIELDS_MAX];
    char text[SALTKEY_FIELDS_MAX][64];

    keystream_report_values(rr->keys, &report, values, text);
    return saltkey_salted(&rr->keys->scheme, values, row, NULL);
}

/* A key for a row of bucket |b| that is older than all that were kept: the merge only looks ahead to it, and
   it must not come before them. */
static void oldest_key(const struct reader_rows *rr, uint32_t b, bool down, struct saltkey_buf *row)
{
    if (rr->buckets > 1)
        saltkey_salt_prefix(&rr->keys->scheme.salt, b, row);
    if (down) {
        memset(row->bytes + row->len, 0xff, row->cap - row->len);
        row->len = row->cap;
    }
}

static struct saltkey_slice view_key(void *context, uint64_t row, size_t slot)
{
    struct reader_rows *rr = context;
    struct saltkey_buf out = {rr->slots + slot * rr->slot, rr->slot, 0};
    const struct reader_newest *nw;
    uint32_t b = 0;
    uint64_t i;
    bool down;

    while (b + 1 < rr->buckets && row >= rr->first[b + 1])
        b++;
    nw = &rr->newest[b];
    down = rr->entity.set ? rr->entity.down : rr->order == READER_ORDER_DOWN;
    i = down ? row - rr->newest_at[b] : rr->newest_at[b] - row;
    if (i < nw->len) {
        if (rr->entity.set)
            report_key(rr, nw->rows[i], &out);
        else
            keystream_key(rr->keys, nw->rows[i], &out);
    } else {
        oldest_key(rr, b, down, &out);
    }
    return (struct saltkey_slice){out.bytes, out.len};
}

static int keep(struct reader_rows *rr, uint32_t b, uint64_t row)
{
    struct reader_newest *nw = &rr->newest[b];

    if (nw->len == nw->cap) {
        const size_t cap = nw->cap ? nw->cap * 2 : 64;
        uint64_t *rows = realloc(nw->rows, cap * sizeof *rows);

        if (!rows)
            return MODEL_NO_MEMORY;
        nw->rows = rows;
        nw->cap = cap;
    }
    nw->rows[nw->len++] = row;
    return 0;
}

int reader_rows_keep_newest(struct reader_rows *rr, uint64_t n)
{
    uint64_t numbers[256];
    struct key_route routes[256];

    n = n < rr->written ? n : rr->written;
    if (rr->kept_known && rr->kept == n && rr->kept_of == rr->written)
        return 0;
    rr->kept_known = false;
    for (uint32_t b = 0; b < rr->buckets; b++) {
        rr->newest[b].len = 0;
        rr->newest_at[b] = rr->order == READER_ORDER_DOWN || rows_of(rr, b) == 0 ? rr->first[b] : rr->first[b + 1] - 1;
    }
    for (uint64_t k = 0; k < n; k += 256) {
        const size_t len = n - k < 256 ? (size_t)(n - k) : 256;

        for (size_t i = 0; i < len; i++)
            numbers[i] = rr->written - 1 - k - i;
        keystream_route(rr->keys, numbers, len, routes);
        for (size_t i = 0; i < len; i++)
            if (keep(rr, routes[i].bucket % rr->buckets, numbers[i]) != 0)
                return MODEL_NO_MEMORY;
    }
    for (uint32_t b = 0; b < rr->buckets && rr->order != READER_ORDER_OTHER; b++)
        if (reader_newest_sort(rr, &rr->newest[b]) != 0)
            return MODEL_NO_MEMORY;
    rr->kept_known = true;
    rr->kept = n;
    rr->kept_of = rr->written;
    return 0;
}

int reader_rows_keep_entity(struct reader_rows *rr, uint64_t n)
{
    uint8_t bytes[1024];

    rr->kept_known = false;
    for (uint32_t b = 0; b < rr->buckets; b++) {
        const uint64_t low = rr->first[b] + bucket_rank(rr, b, rr->entity.start), mine = entity_rows(rr, b);

        rr->newest[b].len = 0;
        rr->newest_at[b] = rr->entity.down || mine == 0 ? low : low + mine - 1;
    }
    for (uint64_t k = 0; k < n; k++) {
        struct saltkey_buf row = {bytes, sizeof bytes, 0};
        uint64_t b = 0;

        if (report_key(rr, k, &row) != 0)
            return 0;
        if (rr->buckets > 1)
            saltkey_row_bucket(&rr->keys->scheme, (struct saltkey_slice){bytes, row.len}, &b);
        if (keep(rr, (uint32_t)b % rr->buckets, k) != 0)
            return MODEL_NO_MEMORY;
    }
    return 0;
}

/* ---- the moment ---- */

uint64_t region_memstore_rows(const struct region *r)
{
    return r->stores ? r->stores[0].active.rows + (r->stores[0].has_snapshot ? r->stores[0].snapshot.rows : 0) : 0;
}

uint32_t region_files(const struct region *r, size_t families)
{
    size_t n = 0;

    for (size_t f = 0; r->stores && f < families; f++)
        n += r->stores[f].files_len;
    return (uint32_t)n;
}

static int take_regions(struct reader_rows *rr)
{
    const struct table *t = rr->table;

    if (rr->regions_cap < t->regions_len + 1) {
        const size_t cap = 2 * t->regions_len + 16;
        int *ids = realloc(rr->region, cap * sizeof *ids);
        uint64_t *low;

        if (!ids)
            return MODEL_NO_MEMORY;
        rr->region = ids;
        low = realloc(rr->low, (cap + 1) * sizeof *low);
        if (!low)
            return MODEL_NO_MEMORY;
        rr->low = low;
        rr->regions_cap = cap;
    }
    saltkey_keys_free(&rr->splits);
    saltkey_keys_init(&rr->splits, NULL);
    for (size_t i = 0; i < t->regions_len; i++) {
        const struct region *r = rr->model->regions[t->regions[i]];

        rr->region[i] = r->id;
        if (i > 0 && saltkey_keys_add(&rr->splits, (struct saltkey_slice){r->start.bytes, r->start.len}) != 0)
            return MODEL_NO_MEMORY;
    }
    return 0;
}

int reader_rows_now(struct reader_rows *rr)
{
    uint64_t written = 0;
    double sum = 0;

    for (size_t i = 0; i < rr->model->regions_len; i++)
        if (rr->model->regions[i]->table == rr->table->index)
            written += rr->model->regions[i]->writes;
    rr->written = written < rr->horizon ? written : rr->horizon;
    rr->first[0] = 0;
    for (uint32_t b = 0; b < rr->buckets; b++) {
        sum += rr->share[b];
        rr->first[b + 1] = b + 1 == rr->buckets ? rr->written : (uint64_t)((double)rr->written * sum);
    }
    if (take_regions(rr) != 0)
        return MODEL_NO_MEMORY;
    rr->low[0] = 0;
    for (size_t i = 1; i <= rr->splits.count; i++)
        rr->low[i] = rank_of_key(rr, rr->splits.at[i - 1]);
    rr->low[rr->splits.count + 1] = rr->written;
    rr->view = (struct scan_table){&rr->splits, view_rank, view_key, rr->written, {&rr->shape[1], NULL, NULL, NULL}, rr};
    return 0;
}

size_t reader_rows_region_of(const struct reader_rows *rr, struct saltkey_slice key)
{
    return saltkey_split_region(&rr->splits, key);
}

uint64_t reader_rows_before(const struct reader_rows *rr, int64_t ms)
{
    const struct arrivals *a = rr->keys->arrivals;
    const uint64_t n = arrivals_before(a, (ms - a->start_ms) * DES_MS);

    return n < rr->written ? n : rr->written;
}

double reader_entity_share(const struct arrivals *a, uint64_t entity)
{
    if (a->popularity == SPEC_POPULARITY_HOT) {
        const double hot = (double)a->hot_below * 0x1p-64;

        return entity < a->hot_entities ? hot / (double)a->hot_entities
                                        : (1 - hot) / (double)(a->entities - a->hot_entities);
    }
    if (a->popularity == SPEC_POPULARITY_ZIPF) {
        double own = (double)a->alias_below[entity] * 0x1p-32;

        for (uint64_t e = 0; e < a->entities; e++)
            if (a->alias[e] == entity && e != entity)
                own += 1 - (double)a->alias_below[e] * 0x1p-32;
        return own / (double)a->entities;
    }
    return 1 / (double)a->entities;
}

int reader_rows_init(struct reader_rows *rr, struct model *m, const struct table *t, const struct keystream *keys,
                     uint64_t horizon)
{
    int rc;

    memset(rr, 0, sizeof *rr);
    rr->model = m;
    rr->table = t;
    rr->keys = keys;
    rr->horizon = horizon;
    rr->slot = keys->row_max + 1;
    rr->buckets = keystream_buckets(keys);
    saltkey_keys_init(&rr->starts, NULL);
    saltkey_keys_init(&rr->splits, NULL);
    rr->share = calloc(rr->buckets, sizeof *rr->share);
    rr->first = calloc(rr->buckets + 1, sizeof *rr->first);
    rr->newest = calloc(rr->buckets, sizeof *rr->newest);
    rr->newest_at = calloc(rr->buckets, sizeof *rr->newest_at);
    rr->slots = malloc((size_t)rr->buckets * SCAN_SALTED_KEYS * rr->slot);
    rc = rr->share && rr->first && rr->newest && rr->newest_at && rr->slots ? 0 : MODEL_NO_MEMORY;
    rc = rc == 0 && rr->slot > 1024 ? MODEL_BROKEN : rc;
    rc = rc == 0 ? fill_starts(rr) : rc;
    rc = rc == 0 ? fill_grid(rr) : rc;
    rc = rc == 0 ? fill_shares(rr) : rc;
    rc = rc == 0 ? fill_shapes(rr) : rc;
    if (rc != 0)
        reader_rows_free(rr);
    return rc;
}

void reader_rows_free(struct reader_rows *rr)
{
    for (uint32_t b = 0; rr->newest && b < rr->buckets; b++)
        free(rr->newest[b].rows);
    saltkey_keys_free(&rr->starts);
    saltkey_keys_free(&rr->splits);
    free(rr->grid);
    free(rr->grid_lens);
    free(rr->share);
    free(rr->cells[0]);
    free(rr->cells[1]);
    free(rr->first);
    free(rr->region);
    free(rr->low);
    free(rr->newest);
    free(rr->newest_at);
    free(rr->slots);
    memset(rr, 0, sizeof *rr);
}
