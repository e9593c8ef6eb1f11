/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/scan_salted.h"

#include <stdlib.h>
#include <string.h>

/* One bucket's scan and its place in the merge. */
struct bucket_scan {
    struct scan_client client;
    size_t number;
    bool empty;               /* nothing can match: never opened */
};

static size_t key_capacity(const struct scan_salted *q)
{
    const size_t longest = q->window->start.len > q->window->stop.len ? q->window->start.len : q->window->stop.len;

    return q->scheme->salt.width + longest + 1;
}

int scan_salted_ends(const struct scan_salted *q, uint64_t i, struct saltkey_range *range, struct scan_ends *ends)
{
    const int rc = saltkey_window_range(q->scheme, q->window, i, range);
    struct saltkey_slice start, stop;

    if (rc != 0)
        return rc;
    if (range->empty)
        return 1;
    start = (struct saltkey_slice){range->start.bytes, range->start.len};
    stop = (struct saltkey_slice){range->stop.bytes, range->stop.len};
    *ends = q->reversed ? (struct scan_ends){stop, start, false, true, true}
                        : (struct scan_ends){start, stop, true, false, false};
    return 0;
}

static void open_scan(const struct scan_salted *q, size_t i, const struct scan_ends *ends, struct scan_client *c)
{
    scan_client_open(c, q->table, ends, q->options, q->limit_per_scan);
    c->scan = i;
    c->on_rpc = q->on_rpc;
    c->on_rpc_context = q->on_rpc_context;
}

int scan_salted_count(const struct scan_salted *q, struct scan_cost *cost)
{
    const size_t cap = key_capacity(q);
    uint8_t *keys = malloc(2 * cap);
    struct scan_cost sum = {0};
    int rc = keys ? 0 : SALTKEY_ENOMEM;

    for (uint64_t i = 0; rc >= 0 && i < q->window->scans; i++) {
        struct saltkey_range range = {{keys, cap, 0}, {keys + cap, cap, 0}, false};
        struct scan_client c;
        struct scan_ends ends;

        rc = scan_salted_ends(q, i, &range, &ends);
        if (rc != 0)
            continue;
        open_scan(q, i, &ends, &c);
        scan_client_run(&c);
        scan_cost_add(&sum, &c.cost);
    }
    free(keys);
    if (rc < 0)
        return rc;
    scan_cost_add(cost, &sum);
    return 0;
}

static int pull(void *context, struct saltkey_row *rows, size_t max)
{
    struct bucket_scan *b = context;
    const struct scan_table *t = b->client.table;
    uint64_t n, row;

    if (b->empty)
        return 0;
    n = scan_client_fill(&b->client);
    if (n > max)
        n = max;
    if (n > SCAN_SALTED_KEYS)
        n = SCAN_SALTED_KEYS;
    for (size_t i = 0; i < n; i++) {
        scan_client_next(&b->client, &row);
        rows[i].key = t->key(t->context, row, b->number * SCAN_SALTED_KEYS + i);
        rows[i].user = (void *)(uintptr_t)row;
    }
    return (int)n;
}

static int merge(const struct scan_salted *q, const struct saltkey_source *sources, scan_salted_row_fn *row_out,
                 void *context, uint64_t *merged)
{
    const struct saltkey_merge_options options = {.skip = q->scheme->salt.width, .limit = q->limit,
                                                  .batch = SCAN_SALTED_KEYS, .reverse = q->reversed};
    struct saltkey_merge *m;
    struct saltkey_row row;
    size_t source;
    int rc = saltkey_merge_open(sources, q->window->scans, &options, &m);

    if (rc != 0)
        return rc;
    while ((rc = saltkey_merge_next(m, &row, &source)) == 1) {
        ++*merged;
        if (row_out)
            row_out(context, (uintptr_t)row.user, source);
    }
    saltkey_merge_close(m);
    return rc;
}

int scan_salted_merge(const struct scan_salted *q, scan_salted_row_fn *row_out, void *context,
                      struct scan_cost *cost)
{
    const size_t cap = key_capacity(q), n = q->window->scans;
    struct bucket_scan *scans = calloc(n + 1, sizeof *scans);
    struct saltkey_source *sources = calloc(n + 1, sizeof *sources);
    uint8_t *keys = malloc(2 * cap * (n + 1));
    struct scan_cost sum = {0};
    uint64_t merged = 0;
    int rc = scans && sources && keys ? 0 : SALTKEY_ENOMEM;

    for (size_t i = 0; rc >= 0 && i < n; i++) {
        struct saltkey_range range = {{keys + 2 * i * cap, cap, 0}, {keys + (2 * i + 1) * cap, cap, 0}, false};
        struct scan_ends ends;

        rc = scan_salted_ends(q, i, &range, &ends);
        scans[i].number = i;
        scans[i].empty = rc == 1;
        if (rc == 0)
            open_scan(q, i, &ends, &scans[i].client);
        sources[i] = (struct saltkey_source){pull, &scans[i]};
    }
    if (rc >= 0)
        rc = merge(q, sources, row_out, context, &merged);
    for (size_t i = 0; rc >= 0 && i < n; i++) {
        if (scans[i].empty)
            continue;
        scan_client_close(&scans[i].client);
        scan_cost_add(&sum, &scans[i].client.cost);
    }
    if (rc >= 0) {
        sum.rows_returned = merged;
        scan_cost_add(cost, &sum);
    }
    free(keys);
    free(sources);
    free(scans);
    return rc < 0 ? rc : 0;
}
