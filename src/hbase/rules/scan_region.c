/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/scan_region.h"

#include <string.h>

/* An RPC under way (ScannerContext). */
struct rpc {
    struct scan_reply *reply;
    uint64_t limit, caching;
    uint64_t batch_cells;     /* of the result under way */
    bool return_now;          /* a store asked to be read as a stream, or time is up */
};

enum row_end { ROW_WHOLE, ROW_PART };

void scan_options_init(struct scan_options *o, uint32_t block_bytes)
{
    memset(o, 0, sizeof *o);
    o->max_result_bytes = 2097152;
    o->pread_max_bytes = 4 * (uint64_t)block_bytes;
    o->heartbeat_check_cells = 10000;
}

uint64_t scan_pread_cut_rows(uint64_t pread_max_bytes, uint32_t key_value_bytes)
{
    return pread_max_bytes / 2 / (key_value_bytes + SCAN_CELL_LENGTH_BYTES) + 1;
}

static uint64_t row_number(const struct scan_region *s, uint64_t k)
{
    return s->options->reversed ? s->part.first + s->part.count - 1 - k : s->part.first + k;
}

static const struct scan_shape *shape_at(const struct scan_region *s, uint64_t k)
{
    return s->rows->shape ? s->rows->shape : s->rows->shape_of(s->rows->context, row_number(s, k));
}

static bool row_exists(const struct scan_region *s, uint64_t k)
{
    return k < s->part.count || (k == s->part.count && s->part.row_after);
}

static bool size_reached(const struct scan_region *s, const struct rpc *c)
{
    return c->reply->heap_bytes >= s->options->max_result_bytes;
}

static bool batch_reached(const struct scan_region *s, const struct rpc *c)
{
    return s->options->batch > 0 && c->batch_cells >= s->options->batch;
}

/* StoreScanner's check before each look: time is asked for at every so many cells, and always once the
   pread sum is exceeded. */
static bool must_return(struct scan_region *s, struct rpc *c, const struct scan_store *store)
{
    const struct scan_options *o = s->options;

    if (store->pread && store->read_bytes > o->pread_max_bytes && o->read_type == SCAN_READ_DEFAULT)
        return c->return_now;
    if (o->heartbeat_cells > 0 && s->looked_at % o->heartbeat_check_cells == 0 &&
        c->reply->looked_at >= o->heartbeat_cells)
        c->return_now = true;
    return o->heartbeat_cells > 0 && c->return_now;
}

static void look(struct scan_region *s, struct rpc *c, const struct scan_cell *cell)
{
    struct scan_store *store = &s->store[cell->family];

    store->read_bytes += cell->bytes + SCAN_CELL_LENGTH_BYTES;
    if (store->pread && s->options->read_type == SCAN_READ_DEFAULT &&
        store->read_bytes > s->options->pread_max_bytes)
        c->return_now = true;
}

static void include(struct scan_reply *r, const struct scan_cell *cell)
{
    r->cells++;
    r->bytes += cell->bytes + SCAN_CELL_LENGTH_BYTES;
    r->client_heap_bytes += scan_client_heap_bytes(cell->bytes);
    r->heap_bytes += cell->heap_bytes;
}

static const struct scan_cell *first_of_family(const struct scan_shape *shape, uint32_t family)
{
    for (size_t i = 0; i < shape->cells_len; i++)
        if (shape->cells[i].family == family)
            return &shape->cells[i];
    return NULL;
}

static void pass_cell(struct scan_region *s, struct rpc *c)
{
    s->looked_at++;
    c->reply->looked_at++;
}

/* One StoreScanner.next from the current cell on: the rest of the row in this family, then a look at
   the next row's first cell. Where a limit came before that look, the matcher still holds the old row,
   and the next call does nothing but look at the new one. |skip|: a filtered row, for which no limit
   counts. */
static void store_next(struct scan_region *s, struct rpc *c, const struct scan_shape *shape, bool skip)
{
    const uint32_t family = shape->cells[s->cell].family;
    struct scan_store *store = &s->store[family];
    const struct scan_cell *next;

    if (store->behind) {
        if (skip || !must_return(s, c, store)) {
            store->behind = false;
            look(s, c, &shape->cells[s->cell]);
        }
        return;
    }
    while (s->cell < shape->cells_len && shape->cells[s->cell].family == family) {
        const struct scan_cell *cell = &shape->cells[s->cell];

        if (!skip && must_return(s, c, store))
            return;
        look(s, c, cell);
        pass_cell(s, c);
        s->cell++;
        if (skip || cell->passed_over)
            continue;
        include(c->reply, cell);
        c->batch_cells++;
        if (batch_reached(s, c) || size_reached(s, c)) {
            store->behind = s->cell == shape->cells_len || shape->cells[s->cell].family != family;
            return;
        }
    }
    if (!row_exists(s, s->done + 1))
        return;
    if (!skip && must_return(s, c, store)) {
        store->behind = true;
        return;
    }
    next = first_of_family(shape_at(s, s->done + 1), family);
    if (next)
        look(s, c, next);
}

/* RegionScannerImpl.populateResult: the stores one after the other until the row or a limit ends. */
static enum row_end populate(struct scan_region *s, struct rpc *c, const struct scan_shape *shape)
{
    for (;;) {
        store_next(s, c, shape, false);
        if (s->cell == shape->cells_len)
            return ROW_WHOLE;
        if (batch_reached(s, c) || size_reached(s, c) || c->return_now)
            return ROW_PART;
    }
}

static void pass_row(struct scan_region *s, struct rpc *c)
{
    s->done++;
    s->cell = 0;
    c->reply->rows_scanned++;
}

/* Rows that a filter drops by their keys, up to the first that it doesn't. True where the call ends on
   them without a result: the pread cut or the time limit came while they were skipped. */
static bool skip_filtered(struct scan_region *s, struct rpc *c)
{
    if (!s->rows->filtered || s->cell > 0)
        return false;
    while (s->done < s->part.count && s->rows->filtered(s->rows->context, row_number(s, s->done))) {
        const struct scan_shape *shape = shape_at(s, s->done);

        while (s->cell < shape->cells_len)
            store_next(s, c, shape, true);
        pass_row(s, c);
        c->reply->rows_filtered++;
        if (s->options->heartbeat_cells > 0 && c->reply->looked_at >= s->options->heartbeat_cells)
            c->return_now = true;
        if (c->return_now)
            return true;
    }
    return false;
}

/* RegionScanner.nextRaw. Sets |more|: the call doesn't know yet that nothing follows. */
static void next_raw(struct scan_region *s, struct rpc *c, bool *more)
{
    struct scan_reply *r = c->reply;
    enum row_end end;

    r->read_requests++;
    c->batch_cells = 0;
    *more = true;
    if (skip_filtered(s, c))
        return;
    if (s->done >= s->part.count) {
        *more = false;
        return;
    }
    end = populate(s, c, shape_at(s, s->done));
    r->results += c->batch_cells > 0;
    if (end == ROW_WHOLE) {
        pass_row(s, c);
        r->rows++;
    }
    if (!batch_reached(s, c) && !size_reached(s, c) && !c->return_now)
        *more = s->done < s->part.count;
}

/* What one whole row costs away from all limits, measured on the machine itself: the second of two. */
static void measure_row(struct scan_region *s)
{
    struct scan_options free_run = *s->options;
    struct scan_region probe = *s;
    struct scan_reply first, both = {0};
    struct scan_row_cost *cost = &s->row_cost;
    struct rpc c = {&both, 0, UINT64_MAX, 0, false};
    bool more;

    free_run.max_result_bytes = UINT64_MAX;
    free_run.read_type = SCAN_READ_PREAD;
    free_run.heartbeat_cells = 0;
    probe.options = &free_run;
    probe.done = 0;
    probe.cell = 0;
    memset(probe.store, 0, sizeof probe.store);
    while (probe.done == 0)
        next_raw(&probe, &c, &more);
    first = both;
    for (size_t f = 0; f < SCAN_FAMILIES_MAX; f++)
        cost->read_bytes[f] = 0 - probe.store[f].read_bytes;
    while (probe.done == 1)
        next_raw(&probe, &c, &more);
    cost->results = both.results - first.results;
    cost->bytes = both.bytes - first.bytes;
    cost->heap_bytes = both.heap_bytes - first.heap_bytes;
    cost->cells = both.cells - first.cells;
    cost->client_heap_bytes = both.client_heap_bytes - first.client_heap_bytes;
    cost->looked_at = both.looked_at - first.looked_at;
    for (size_t f = 0; f < SCAN_FAMILIES_MAX; f++) {
        cost->read_bytes[f] += probe.store[f].read_bytes;
        cost->behind[f] = probe.store[f].behind;
    }
    s->has_row_cost = true;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* How many rows of |each| fit below |room| without touching it. */
static uint64_t below(uint64_t room, uint64_t used, uint64_t each)
{
    return room <= used || each == 0 ? (each == 0 ? UINT64_MAX : 0) : (room - used - 1) / each;
}

/* Jumps over whole rows, of which none can meet a limit. */
static void jump(struct scan_region *s, struct rpc *c)
{
    const struct scan_options *o = s->options;
    const struct scan_row_cost *row = &s->row_cost;
    struct scan_reply *r = c->reply;
    uint64_t n = s->part.count - s->done;

    if (s->cell > 0 || s->rows->filtered || n < 3 || c->return_now)
        return;
    if (!s->has_row_cost)
        measure_row(s);
    for (size_t f = 0; f < SCAN_FAMILIES_MAX; f++)
        if (s->store[f].behind != row->behind[f])
            return;
    n = least(n - 2, below(c->caching, r->results, row->results));
    n = least(n, below(o->max_result_bytes, r->heap_bytes, row->heap_bytes));
    if (c->limit > 0)
        n = least(n, below(c->limit, r->rows, 1));
    if (o->heartbeat_cells > 0)
        n = least(n, below(o->heartbeat_cells, r->looked_at, row->looked_at));
    for (size_t f = 0; f < SCAN_FAMILIES_MAX; f++)
        if (s->store[f].pread && o->read_type == SCAN_READ_DEFAULT)
            n = least(n, below(o->pread_max_bytes, s->store[f].read_bytes, row->read_bytes[f]));
    for (size_t f = 0; f < SCAN_FAMILIES_MAX; f++)
        s->store[f].read_bytes += n * row->read_bytes[f];
    s->done += n;
    s->looked_at += n * row->looked_at;
    r->rows += n;
    r->rows_scanned += n;
    r->results += n * row->results;
    r->read_requests += n * row->results;
    r->cells += n * row->cells;
    r->looked_at += n * row->looked_at;
    r->bytes += n * row->bytes;
    r->client_heap_bytes += n * row->client_heap_bytes;
    r->heap_bytes += n * row->heap_bytes;
}

/* StoreScanner.trySwitchToStreamRead, after the reply was sent. */
static void shipped(struct scan_region *s)
{
    for (size_t f = 0; f < SCAN_FAMILIES_MAX; f++)
        if (s->store[f].pread && s->options->read_type == SCAN_READ_DEFAULT &&
            s->store[f].read_bytes >= s->options->pread_max_bytes)
            s->store[f].pread = false;
}

void scan_region_open(struct scan_region *s, const struct scan_options *options, const struct scan_rows *rows,
                      const struct scan_part *part)
{
    memset(s, 0, sizeof *s);
    s->options = options;
    s->rows = rows;
    s->part = *part;
    for (size_t f = 0; f < SCAN_FAMILIES_MAX; f++)
        s->store[f] = (struct scan_store){options->lazy_seek_bytes, options->read_type != SCAN_READ_STREAM, false};
}

void scan_region_rpc(struct scan_region *s, uint64_t limit, struct scan_reply *reply)
{
    struct rpc c = {reply, limit, s->options->caching ? s->options->caching : UINT64_MAX, 0, false};
    bool more = true;

    memset(reply, 0, sizeof *reply);
    reply->more_results = true;
    while (reply->results < c.caching) {
        if (s->rows->shape)
            jump(s, &c);
        next_raw(s, &c, &more);
        if (limit > 0 && reply->rows >= limit) {
            reply->more_results = false;
            break;
        }
        if (!more || size_reached(s, &c) || c.return_now)
            break;
    }
    reply->more_in_region = more;
    reply->heartbeat = more && reply->more_results && c.return_now;
    shipped(s);
}
