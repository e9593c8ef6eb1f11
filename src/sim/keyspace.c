/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/keyspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of the matrix in all, as far as buckets allow; each bucket has the same number. */
#define MATRIX_ROWS 512
/* More buckets than this (a hashed prefix) are drawn as one block. */
#define MATRIX_BUCKETS 256

struct keyspace_row {
    uint32_t window;
    uint16_t bucket;
    uint16_t len;
    uint8_t key[];
};

void keyspace_init(struct keyspace *ks, struct model *m, int table, uint64_t expected, uint64_t samples)
{
    memset(ks, 0, sizeof *ks);
    ks->model = m;
    ks->table = table;
    ks->every = expected / samples + 1;
    ks->size = (sizeof(struct keyspace_row) + m->tables[table].key_max + 3) / 4 * 4;
}

void keyspace_free(struct keyspace *ks)
{
    free(ks->rows);
    ks->rows = NULL;
}

static uint32_t blocks(const struct keyspace *ks)
{
    const uint32_t n = ks->model->tables[ks->table].buckets;

    return n <= MATRIX_BUCKETS ? n : 1;
}

static int keep(struct keyspace *ks, const uint8_t *key, size_t len)
{
    struct keyspace_row *row;
    uint64_t bucket = 0;

    if (ks->rows_len == ks->rows_cap) {
        size_t cap = ks->rows_cap ? ks->rows_cap * 2 : 4096;
        uint8_t *rows = realloc(ks->rows, cap * ks->size);

        if (!rows)
            return MODEL_NO_MEMORY;
        ks->rows = rows;
        ks->rows_cap = cap;
    }
    row = (struct keyspace_row *)(void *)(ks->rows + ks->rows_len++ * ks->size);
    if (blocks(ks) > 1)
        saltkey_row_bucket(&ks->model->tables[ks->table].scheme, (struct saltkey_slice){key, len}, &bucket);
    row->window = ks->window;
    row->bucket = (uint16_t)bucket;
    row->len = (uint16_t)len;
    memcpy(row->key, key, len);
    return 0;
}

/* One row of each stretch of |every|; which one wanders by the golden ratio, so that streams whose
   entities report in turn are sampled without bias. */
static void plan_next(struct keyspace *ks)
{
    const uint64_t i = ++ks->taken;
    const double place = (double)((i * UINT64_C(0x9e3779b97f4a7c15)) >> 11) * 0x1p-53;

    ks->next = i * ks->every + (uint64_t)(place * (double)ks->every);
}

static void written(void *context, const struct call *call, const struct region_action *a)
{
    struct keyspace *ks = context;
    uint8_t bytes[1024];

    if (call->table != ks->table)
        return;
    for (; ks->next < ks->seen + a->rows; plan_next(ks)) {
        const uint64_t at = ks->next - ks->seen;
        struct saltkey_buf row = {bytes, sizeof bytes, 0};
        int rc = call->source.key(call->source.context, call_row(call, a->first + at), &row);

        if (rc == 0)
            rc = keep(ks, row.bytes, row.len);
        if (rc != 0)
            model_fail(ks->model, rc);
    }
    ks->seen += a->rows;
}

struct model_tap keyspace_tap(struct keyspace *ks)
{
    return (struct model_tap){written, ks};
}

static int by_bucket_and_key(const void *a, const void *b)
{
    const struct keyspace_row *x = *(struct keyspace_row *const *)a, *y = *(struct keyspace_row *const *)b;
    int c;

    if (x->bucket != y->bucket)
        return x->bucket < y->bucket ? -1 : 1;
    c = memcmp(x->key, y->key, x->len < y->len ? x->len : y->len);
    return c != 0 ? c : (x->len > y->len) - (x->len < y->len);
}

static char *key_text(const uint8_t *key, size_t len)
{
    const struct saltkey_slice s = {key, len};
    const size_t n = saltkey_to_string_binary(s, NULL, 0);
    char *text = malloc(n + 1);

    if (text)
        saltkey_to_string_binary(s, text, n + 1);
    return text;
}

/* Server of the region that held |key| in the middle of each window. A region is in place from its
   birth to its death, its daughters after it. */
static void fill_servers(const struct keyspace *ks, const struct result_run *run, const uint8_t *key,
                         size_t len, int *server)
{
    const struct model *m = ks->model;

    for (size_t i = 0; i < m->regions_len; i++) {
        const struct region *r = m->regions[i];
        const size_t a = r->start.len < len ? r->start.len : len, b = r->end.len < len ? r->end.len : len;
        int below, above;

        if (r->table != ks->table)
            continue;
        below = a ? memcmp(r->start.bytes, key, a) : 0;
        above = b ? memcmp(r->end.bytes, key, b) : 0;
        if (below > 0 || (below == 0 && r->start.len > len))
            continue;
        if (r->end.len > 0 && (above < 0 || (above == 0 && r->end.len <= len)))
            continue;
        for (size_t w = 0; w < run->windows_len; w++) {
            const des_time mid = des_time_from_s((run->windows[w].begin_s + run->windows[w].end_s) / 2);

            if (mid < r->born || (r->state == REGION_DEAD && mid >= r->died))
                continue;
            for (size_t k = 0; k < r->stays_len && r->stays[k].from <= mid; k++)
                server[w] = r->stays[k].server;
        }
    }
}

/* One bucket's sorted samples, and the rows of the matrix that they are cut into. */
struct block {
    struct keyspace_row **rows;
    size_t from, to;          /* the samples rows[from, to) */
    size_t first, per;        /* matrix rows first .. first + per - 1 */
};

static int fill_block(const struct keyspace *ks, struct result_run *run, const struct block *b)
{
    struct keyspace_row **rows = b->rows;
    const size_t from = b->from, to = b->to, first = b->first, per = b->per;
    struct result_keyspace *out = &run->keyspace;

    for (size_t q = 0; q < per; q++) {
        const size_t lo = from + (to - from) * q / per, hi = from + (to - from) * (q + 1) / per;
        const size_t row = first + q;
        uint8_t prefix[16];
        struct saltkey_buf buf = {prefix, sizeof prefix, 0};
        const uint8_t *key = prefix;
        size_t len;

        if (from < to) {
            key = rows[lo < to ? lo : to - 1]->key;
            len = rows[lo < to ? lo : to - 1]->len;
        } else {
            saltkey_salt_prefix(&ks->model->tables[ks->table].scheme.salt, (uint64_t)(first / per), &buf);
            len = buf.len;
        }
        out->row_bucket[row] = (int)(first / per);
        out->edges[row] = key_text(key, len);
        if (!out->edges[row])
            return MODEL_NO_MEMORY;
        for (size_t w = 0; w < out->columns; w++)
            out->cells[row * out->columns + w] = 0;
        for (size_t i = lo; i < hi; i++)
            if (rows[i]->window < out->columns)
                out->cells[row * out->columns + rows[i]->window]++;
        fill_servers(ks, run, key, len, out->server + row * out->columns);
    }
    return 0;
}

/* Samples to rows/s: a window's samples stand for the rows that were written in it. */
static void scale_cells(struct result_run *run)
{
    struct result_keyspace *out = &run->keyspace;

    for (size_t w = 0; w < out->columns; w++) {
        const struct result_window *win = &run->windows[w];
        double sum = 0;

        for (size_t r = 0; r < out->rows; r++)
            sum += out->cells[r * out->columns + w];
        for (size_t r = 0; r < out->rows && sum > 0; r++)
            out->cells[r * out->columns + w] *= win->done / sum / (win->end_s - win->begin_s);
    }
}

int keyspace_finish(struct keyspace *ks, struct result_run *run)
{
    const uint32_t n_blocks = blocks(ks);
    const size_t per = n_blocks < MATRIX_ROWS ? MATRIX_ROWS / n_blocks : 1;
    struct keyspace_row **rows = malloc((ks->rows_len + 1) * sizeof(*rows));
    size_t at = 0;
    int rc = 0;

    if (!rows || result_keyspace_alloc(&run->keyspace, n_blocks * per, run->windows_len) != 0) {
        free(rows);
        return MODEL_NO_MEMORY;
    }
    for (size_t i = 0; i < ks->rows_len; i++)
        rows[i] = (struct keyspace_row *)(void *)(ks->rows + i * ks->size);
    qsort(rows, ks->rows_len, sizeof(*rows), by_bucket_and_key);
    run->keyspace.table = ks->table;
    run->keyspace.buckets = (int)n_blocks;
    for (size_t w = 0; w < run->windows_len; w++)
        run->keyspace.times_s[w] = run->windows[w].begin_s;
    run->keyspace.times_s[run->windows_len] = run->windows_len ? run->windows[run->windows_len - 1].end_s : 0;
    for (uint32_t b = 0; b < n_blocks && rc == 0; b++) {
        const size_t from = at;

        while (at < ks->rows_len && rows[at]->bucket == b)
            at++;
        rc = fill_block(ks, run, &(struct block){rows, from, at, b * per, per});
    }
    scale_cells(run);
    free(rows);
    return rc;
}
