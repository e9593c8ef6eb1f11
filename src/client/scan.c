/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/scan.h"

#include <string.h>

void scan_cost_add(struct scan_cost *sum, const struct scan_cost *more)
{
    sum->scans += more->scans;
    sum->rpcs += more->rpcs;
    sum->close_rpcs += more->close_rpcs;
    sum->regions += more->regions;
    sum->rows_scanned += more->rows_scanned;
    sum->rows_filtered += more->rows_filtered;
    sum->rows_fetched += more->rows_fetched;
    sum->rows_returned += more->rows_returned;
    sum->bytes += more->bytes;
    sum->heap_bytes += more->heap_bytes;
    sum->looked_at += more->looked_at;
    sum->read_requests += more->read_requests;
    sum->heartbeats += more->heartbeats;
}

/* Number of rows before |key|, |after| counting the row of that very key with them. */
static uint64_t rank_of(const struct scan_table *t, struct saltkey_slice key, bool after)
{
    uint8_t bytes[1024];

    if (!after)
        return t->rank(t->context, key);
    /* The smallest key above |key| is |key| and a zero byte. */
    if (key.len >= sizeof bytes)
        return t->rank(t->context, key);
    memcpy(bytes, key.bytes, key.len);
    bytes[key.len] = 0;
    return t->rank(t->context, (struct saltkey_slice){bytes, key.len + 1});
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void set_range(struct scan_client *c)
{
    const struct scan_ends *e = &c->ends;
    const struct scan_table *t = c->table;

    if (e->reversed) {
        c->high = e->start.len > 0 ? rank_of(t, e->start, e->start_inclusive) : t->rows_count;
        c->low = e->stop.len > 0 ? rank_of(t, e->stop, !e->stop_inclusive) : 0;
    } else {
        c->low = e->start.len > 0 ? rank_of(t, e->start, !e->start_inclusive) : 0;
        c->high = e->stop.len > 0 ? rank_of(t, e->stop, e->stop_inclusive) : t->rows_count;
    }
    if (c->high < c->low)
        c->high = c->low;
}

void scan_client_open(struct scan_client *c, const struct scan_table *table, const struct scan_ends *ends,
                      const struct scan_options *options, uint64_t limit)
{
    memset(c, 0, sizeof *c);
    c->table = table;
    c->ends = *ends;
    c->options = *options;
    c->options.reversed = ends->reversed;
    c->limit_left = limit;
    c->cost.scans = 1;
    set_range(c);
}

static void open_region(struct scan_client *c)
{
    const struct scan_table *t = c->table;
    const struct saltkey_keys *splits = t->splits;
    uint64_t low = c->region > 0 ? t->rank(t->context, splits->at[c->region - 1]) : 0;
    uint64_t high = c->region < splits->count ? t->rank(t->context, splits->at[c->region]) : t->rows_count;
    const uint64_t from = larger(low, c->low), to = smaller(high, c->high);

    c->part.first = from;
    c->part.count = to > from ? to - from : 0;
    c->part.row_after = c->ends.reversed ? smaller(from, to) > low : larger(from, to) < high;
    scan_region_open(&c->at, &c->options, &t->rows, &c->part);
    c->in_region = true;
    c->cost.regions++;
}

/* Goes to the next region. False where there is none for this scan. */
static bool move_to_next_region(struct scan_client *c)
{
    if (!c->begun)
        c->region = scan_first_region(c->table->splits, &c->ends);
    else if (!scan_next_region(c->table->splits, &c->ends, c->region, &c->region))
        return false;
    c->begun = true;
    open_region(c);
    return true;
}

static void tell(const struct scan_client *c, const struct scan_reply *reply, bool opens, bool closes)
{
    const struct scan_rpc rpc = {c->scan, c->region, opens, closes, reply};

    if (c->on_rpc)
        c->on_rpc(c->on_rpc_context, &rpc);
}

static void call(struct scan_client *c, struct scan_reply *r)
{
    const bool opens = !c->held;

    scan_region_rpc(&c->at, c->limit_left, r);
    c->held = r->more_in_region && r->more_results;
    if (c->limit_left > 0)
        c->limit_left -= r->rows;
    c->cached += r->rows;
    c->cost.rpcs++;
    c->cost.rows_scanned += r->rows_scanned;
    c->cost.rows_filtered += r->rows_filtered;
    c->cost.rows_fetched += r->rows;
    c->cost.bytes += r->bytes;
    c->cost.heap_bytes += r->heap_bytes;
    c->cost.looked_at += r->looked_at;
    c->cost.read_requests += r->read_requests;
    c->cost.heartbeats += r->heartbeat;
    tell(c, r, opens, false);
}

/* ClientScanner.loadCache: over regions, until caching rows or a reply's size are there, the scan ends,
   or a heartbeat comes when the cache isn't empty. */
static void load_cache(struct scan_client *c)
{
    uint64_t results = 0, heap = 0;

    while (!c->finished) {
        struct scan_reply r;

        if (!c->in_region && !move_to_next_region(c)) {
            c->finished = true;
            break;
        }
        call(c, &r);
        results += c->options.batch > 0 ? r.results : r.rows;
        heap += r.client_heap_bytes;
        if (!r.more_results)
            c->finished = true;
        if (!r.more_in_region)
            c->in_region = false;
        if ((r.heartbeat && c->cached > 0) || (c->options.caching > 0 && results >= c->options.caching) ||
            heap >= c->options.max_result_bytes)
            break;
    }
}

uint64_t scan_client_fill(struct scan_client *c)
{
    while (c->cached == 0 && !c->finished)
        load_cache(c);
    return c->cached;
}

int scan_client_next(struct scan_client *c, uint64_t *row)
{
    const struct scan_rows *rows = &c->table->rows;

    if (scan_client_fill(c) == 0)
        return 0;
    for (;;) {
        const uint64_t at = c->ends.reversed ? c->high - 1 - c->next : c->low + c->next;

        c->next++;
        if (rows->filtered && rows->filtered(rows->context, at))
            continue;
        c->cached--;
        c->cost.rows_returned++;
        *row = at;
        return 1;
    }
}

void scan_client_run(struct scan_client *c)
{
    do {
        c->cost.rows_returned += c->cached;
        c->next += c->cached;
        c->cached = 0;
    } while (scan_client_fill(c) > 0);
}

void scan_client_close(struct scan_client *c)
{
    static const struct scan_reply nothing;

    if (c->held) {
        c->cost.rpcs++;
        c->cost.close_rpcs++;
        tell(c, &nothing, false, true);
    }
    c->held = false;
    c->finished = true;
}

void scan_get(const struct scan_shape *shape, struct scan_cost *cost)
{
    struct scan_cost get = {.rpcs = 1, .regions = 1, .read_requests = 1};

    for (size_t i = 0; shape && i < shape->cells_len; i++) {
        get.bytes += shape->cells[i].bytes + SCAN_CELL_LENGTH_BYTES;
        get.heap_bytes += shape->cells[i].heap_bytes;
        get.looked_at++;
    }
    if (shape)
        get.rows_scanned = get.rows_fetched = get.rows_returned = 1;
    scan_cost_add(cost, &get);
}
