/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/scan_salted.h"
#include "spec/scheme.h"

#define KEY_MAX 1024
/* Half of the scanner's timeout: a server answers then, whatever it has found. */
#define HEARTBEAT_NS 30e9
/* Newest rows that are built for a merge, at most. */
#define NEWEST_MOST UINT64_C(2000000)

/* What a query looks for. */
struct plan {
    struct saltkey_window window;
    uint8_t start[KEY_MAX], stop[KEY_MAX];
    bool filtered;            /* read all of the window and drop what doesn't match */
    bool whole_table;         /* one scan of everything, no window */
    double matches;           /* rows that a filtered one returns ... */
    double among;             /* ... of so many in its ranges */
    double most_cells;        /* a filtered one stops in each scan after so many rows; INFINITY */
    uint64_t entity;
    bool merge;               /* newest in key order */
    bool reversed;
};

struct read_rpc *reader_walk_add(struct reader_walk *w)
{
    if (w->rpcs_len == w->rpcs_cap) {
        const size_t cap = w->rpcs_cap ? w->rpcs_cap * 2 : 64;
        struct read_rpc *more = realloc(w->rpcs, cap * sizeof *more);

        if (!more)
            return NULL;
        w->rpcs = more;
        w->rpcs_cap = cap;
    }
    memset(&w->rpcs[w->rpcs_len], 0, sizeof *w->rpcs);
    return &w->rpcs[w->rpcs_len++];
}

/* ---- scans: each reply as a call ---- */

struct listener {
    struct reader *rd;
    struct reader_walk *walk;
    const struct scan_salted *q;
    bool from_newest;         /* rows come newest first */
    size_t scan;              /* the present visit's */
    uint64_t mem_left, file_left; /* rows of the present visit */
    int error;
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Begins a visit of a region: how many of the rows that the scan may read there are in the memstore. */
static void visit(struct listener *l, const struct scan_rpc *rpc)
{
    const struct reader_rows *rr = l->rd->rows;
    uint8_t a[KEY_MAX], b[KEY_MAX];
    struct saltkey_range range = {{a, sizeof a, 0}, {b, sizeof b, 0}, false};
    struct scan_ends ends;
    uint64_t low = rr->low[rpc->region], high = rr->low[rpc->region + 1];
    const uint64_t region_rows = high - low;
    uint64_t mem = smaller(region_memstore_rows(rr->model->regions[rr->region[rpc->region]]), region_rows);
    uint64_t from = 0, to = rr->written;

    if (l->q && scan_salted_ends(l->q, rpc->scan, &range, &ends) == 0) {
        const struct saltkey_slice lo = {range.start.bytes, range.start.len}, hi = {range.stop.bytes, range.stop.len};

        from = lo.len ? rr->view.rank(rr->view.context, lo) : 0;
        to = hi.len ? rr->view.rank(rr->view.context, hi) : rr->written;
    }
    from = from > low ? from : low;
    to = smaller(to, high);
    to = to > from ? to : from;
    if (rr->order == READER_ORDER_OTHER)
        mem = (uint64_t)((double)mem / (double)(region_rows ? region_rows : 1) * (double)(to - from) + 0.5);
    else if (rr->order == READER_ORDER_UP)
        mem = high - mem < from ? to - from : to > high - mem ? to - (high - mem) : 0;
    else
        mem = low + mem > to ? to - from : low + mem > from ? low + mem - from : 0;
    l->mem_left = mem;
    l->file_left = to - from - mem;
}

/* Of |n| rows that are read next, those that lie in files. */
static uint64_t from_files(struct listener *l, uint64_t n)
{
    uint64_t mem, file;

    if (l->from_newest) {
        mem = smaller(n, l->mem_left);
        file = smaller(n - mem, l->file_left);
    } else {
        file = smaller(n, l->file_left);
        mem = smaller(n - file, l->mem_left);
    }
    l->mem_left -= mem;
    l->file_left -= file;
    return file;
}

static void on_rpc(void *context, const struct scan_rpc *rpc)
{
    struct listener *l = context;
    struct reader_rows *rr = l->rd->rows;
    const struct region *r = rr->model->regions[rr->region[rpc->region]];
    struct read_rpc *out = reader_walk_add(l->walk);

    if (!out) {
        l->error = MODEL_NO_MEMORY;
        return;
    }
    if (rpc->opens)
        visit(l, rpc);
    out->scan = (uint32_t)rpc->scan;
    out->region = r->id;
    out->server = r->server;
    out->opens = rpc->opens;
    out->closes = rpc->closes;
    out->files = region_files(r, rr->table->families_len);
    out->cells = rpc->reply->looked_at;
    out->rows = rpc->reply->rows;
    out->file_rows = from_files(l, rpc->reply->rows);
    out->heap_bytes = rpc->reply->heap_bytes;
    if (rpc->scan < l->rd->scans_cap)
        l->rd->scan_rows[rpc->scan] += rpc->reply->rows;
}

/* ---- filters and counts: the server goes over all rows and returns few ---- */

/* A region's part of a scan of which |returned| rows come back. */
static int pass_over(struct listener *l, const struct scan_rpc *open, uint64_t rows, double returned)
{
    struct reader *rd = l->rd;
    const struct reader_rows *rr = rd->rows;
    const double cells = (double)rows * (double)rr->cells_len;
    const double cut = rd->query->count ? 0 : cells > (double)scan_pread_cut_rows(rd->options.pread_max_bytes,
                                                                                 rr->cells[1][0].bytes);
    const double time = floor(cells * (double)rr->model->spec->server.scan_cell_ns / HEARTBEAT_NS);
    const double size = floor(returned * (rr->row_bytes + 38 * (double)rr->cells_len) /
                              (double)rd->options.max_result_bytes);
    const size_t n = (size_t)(1 + cut + (rd->query->count ? 0 : time + size));
    const struct scan_reply nothing = {0};
    const struct region *r = rr->model->regions[rr->region[open->region]];

    visit(l, &(struct scan_rpc){open->scan, open->region, true, false, &nothing});
    for (size_t k = 0; k < n; k++) {
        struct read_rpc *out = reader_walk_add(l->walk);
        const uint64_t looked = rows / n + (k < rows % n);

        if (!out)
            return MODEL_NO_MEMORY;
        *out = (struct read_rpc){.scan = (uint32_t)open->scan, .region = r->id, .server = r->server, .opens = k == 0,
                                 .files = region_files(r, rr->table->families_len),
                                 .cells = looked * rr->cells_len, .file_rows = from_files(l, looked),
                                 .rows = (uint64_t)(returned / (double)n)};
    }
    l->walk->cost.rpcs += n;
    l->walk->cost.regions++;
    l->walk->cost.rows_scanned += rows;
    l->walk->cost.looked_at += (uint64_t)cells;
    return 0;
}

static int filter_scan(struct listener *l, const struct plan *p, size_t scan, const struct scan_ends *ends)
{
    struct reader_rows *rr = l->rd->rows;
    const struct scan_table *t = &rr->view;
    const uint64_t lo = ends->start.len ? t->rank(t->context, ends->start) : 0;
    const uint64_t hi = ends->stop.len ? t->rank(t->context, ends->stop) : rr->written;
    size_t region = scan_first_region(&rr->splits, ends);
    double left = p->most_cells;
    int rc = 0;

    do {
        const uint64_t from = lo > rr->low[region] ? lo : rr->low[region];
        const uint64_t to = smaller(hi, rr->low[region + 1]);
        uint64_t rows = to > from ? to - from : 0;

        rows = (double)rows > left ? (uint64_t)left : rows;
        left -= (double)rows;
        l->rd->scan_rows[scan] += rows;
        rc = pass_over(l, &(struct scan_rpc){scan, region, true, false, NULL}, rows,
                       l->rd->query->count ? 1 : p->matches * fmin(1, (double)rows / fmax(1, p->among)));
    } while (rc == 0 && left > 0 && scan_next_region(&rr->splits, ends, region, &region));
    l->walk->cost.scans++;
    return rc;
}

/* ---- what a query looks for ---- */

static int time_of(const struct reader_rows *rr)
{
    return rr->keys->time_field;
}

static int fill_window(struct reader *rd, struct plan *p)
{
    const struct spec_query *q = rd->query;
    const struct reader_rows *rr = rd->rows;
    const struct saltkey_scheme *scheme = &rr->keys->scheme;
    const int64_t to_ms = rr->keys->arrivals->start_ms + rd->now / DES_MS;
    struct saltkey_value values[SALTKEY_FIELDS_MAX];
    char text[SALTKEY_FIELDS_MAX][64];
    struct saltkey_value from = saltkey_int(to_ms - q->window_ns / DES_MS), to = saltkey_int(to_ms);
    const bool by_time = q->kind == SPEC_QUERY_RANGE || q->kind == SPEC_QUERY_HISTORY;
    struct saltkey_query ask = {values, 0, by_time ? time_of(rr) : -1, by_time ? &from : NULL, by_time ? &to : NULL};

    if (q->kind == SPEC_QUERY_PREFIX)
        return saltkey_window_prefix(scheme, (struct saltkey_slice){q->prefix.bytes, q->prefix.len}, &p->window);
    if (q->kind == SPEC_QUERY_FULL || (q->kind == SPEC_QUERY_NEWEST && !q->field))
        return saltkey_window_prefix(scheme, (struct saltkey_slice){NULL, 0}, &p->window);
    if (q->field) {
        const struct keystream_report report = {p->entity, 0, to_ms};
        const int f = saltkey_layout_find(&scheme->layout, q->field);

        if (f < 0)
            return SALTKEY_EFIELD;
        keystream_report_values(rr->keys, &report, values, text);
        ask.equal_fields = 1u << f;
    }
    return saltkey_window_query(scheme, &ask, &p->window, NULL);
}

/* Rows of the entity that the query asks for, in its time. */
static double entity_rows(const struct reader *rd, const struct plan *p)
{
    const struct reader_rows *rr = rd->rows;
    const int64_t to_ms = rr->keys->arrivals->start_ms + rd->now / DES_MS;
    const uint64_t before = rd->query->kind == SPEC_QUERY_HISTORY
                                ? reader_rows_before(rr, to_ms - rd->query->window_ns / DES_MS) : 0;

    return (double)(rr->written - before) * reader_entity_share(rr->keys->arrivals, p->entity);
}

static double time_rows(const struct reader *rd)
{
    const struct reader_rows *rr = rd->rows;
    const int64_t to_ms = rr->keys->arrivals->start_ms + rd->now / DES_MS;

    return (double)(rr->written - reader_rows_before(rr, to_ms - rd->query->window_ns / DES_MS));
}

/* Rows that one bucket's scan must look at until its filter has passed K: K / share. */
static double cells_until(const struct reader *rd, const struct plan *p)
{
    const double share = reader_entity_share(rd->rows->keys->arrivals, p->entity);

    return share > 0 ? (double)rd->query->newest / share : (double)INFINITY;
}

/* The range is the entity's: of its time, or, where another field stands before the time, of all its rows. */
static void set_entity(struct reader *rd, const struct plan *p)
{
    struct reader_entity *e = &rd->rows->entity;
    const struct saltkey_field *f = &rd->rows->keys->scheme.layout.fields[time_of(rd->rows)];

    e->set = true;
    e->start = (struct saltkey_slice){p->window.start.bytes, p->window.start.len};
    e->stop = (struct saltkey_slice){p->window.stop.bytes, p->window.stop.len};
    e->rows = p->filtered ? (double)rd->rows->written * reader_entity_share(rd->rows->keys->arrivals, p->entity) : entity_rows(rd, p);
    e->bucket = p->window.one_bucket && rd->rows->buckets > 1 ? (int)p->window.bucket : -1;
    e->entity = p->entity;
    e->to_ms = rd->rows->keys->arrivals->start_ms + rd->now / DES_MS;
    e->every_ms = 1e-6 * (double)rd->rows->keys->arrivals->num / (double)rd->rows->keys->arrivals->den /
                  fmax(1e-12, reader_entity_share(rd->rows->keys->arrivals, p->entity));
    e->down = f->kind == SALTKEY_RTS || f->kind == SALTKEY_RTS19;
}

static int make_plan(struct reader *rd, struct plan *p)
{
    const struct spec_query *q = rd->query;
    const struct reader_rows *rr = rd->rows;
    const struct saltkey_scheme *scheme = &rr->keys->scheme;
    const int time = time_of(rr);
    int rc, way;

    memset(p, 0, sizeof *p);
    p->window.start = (struct saltkey_buf){p->start, sizeof p->start, 0};
    p->window.stop = (struct saltkey_buf){p->stop, sizeof p->stop, 0};
    p->most_cells = (double)INFINITY;
    p->entity = des_uniform_u64(&rd->draws, rr->keys->arrivals->entities ? rr->keys->arrivals->entities : 1);
    rc = fill_window(rd, p);
    if (rc != 0)
        return MODEL_BROKEN;
    p->filtered = p->window.filtered;
    p->whole_table = spec_scheme_hashed_prefix(scheme) && !p->window.one_bucket;
    p->filtered |= p->whole_table && q->kind != SPEC_QUERY_FULL;
    if (q->kind == SPEC_QUERY_RANGE)
        p->matches = time_rows(rd);
    else if (q->field)
        p->matches = entity_rows(rd, p);
    else
        p->matches = (double)rr->written;
    if (q->kind == SPEC_QUERY_NEWEST) {
        const int f = q->field ? saltkey_layout_find(&scheme->layout, q->field) : -1;

        way = time < 0 ? -1 : saltkey_newest(scheme, (uint32_t)time, f < 0 ? 0 : 1u << f);
        p->merge = way >= 0 && !p->filtered && (q->field || rr->order != READER_ORDER_OTHER);
        p->reversed = way == 1;
        p->filtered |= !p->merge;
        p->matches = fmin(p->matches, (double)q->newest);
        /* Time order, another filter: each scan goes back until it has found its K. */
        if (!p->merge && q->field && rr->order != READER_ORDER_OTHER)
            p->most_cells = cells_until(rd, p);
    }
    if (q->field && (!p->filtered || saltkey_layout_find(&scheme->layout, q->field) == 0) && !p->whole_table && time >= 0 &&
        rr->order == READER_ORDER_OTHER)
        set_entity(rd, p);
    return 0;
}

/* ---- scans of the plan, with the reader's mistake ---- */

/* Whether a reader that makes its mistake opens scan |i|. */
static bool opened(struct reader *rd, const struct plan *p, uint64_t i)
{
    switch (rd->query->reader) {
    case SPEC_READER_ONE_BUCKET:
        return i == 0;
    case SPEC_READER_LAST_MISSED:
        return p->window.scans == 1 ? p->window.bucket + 1 < rd->rows->buckets : i + 1 < p->window.scans;
    case SPEC_READER_NO_SALT:
        return false;
    case SPEC_READER_OTHER_HASH:
        /* Another hash hits the right one of N buckets once in N times. */
        return p->window.scans > 1 || des_uniform_u64(&rd->draws, rd->rows->buckets) == 0;
    default:
        return true;
    }
}

static int room_for_scans(struct reader *rd, size_t n)
{
    if (rd->scans_cap < n) {
        uint64_t *more = realloc(rd->scan_rows, n * sizeof *more);

        if (!more)
            return MODEL_NO_MEMORY;
        rd->scan_rows = more;
        rd->scans_cap = n;
    }
    memset(rd->scan_rows, 0, rd->scans_cap * sizeof *rd->scan_rows);
    return 0;
}

/* Ends of the filtered scan |i|; false: it has no rows. Forward, though a newest goes backwards: the regions and
   rows are the same. */
static bool filtered_ends(const struct listener *l, const struct plan *p, uint64_t i, struct saltkey_range *range,
                          struct scan_ends *ends)
{
    struct scan_salted forward = *l->q;

    *ends = (struct scan_ends){{NULL, 0}, {NULL, 0}, true, false, false};
    forward.reversed = false;
    return p->whole_table || scan_salted_ends(&forward, i, range, ends) == 0;
}

static int run_filtered(struct listener *l, struct plan *p)
{
    const uint64_t n = p->whole_table ? 1 : p->window.scans;
    const struct scan_table *t = &l->rd->rows->view;
    uint8_t a[KEY_MAX], b[KEY_MAX];
    struct saltkey_range range = {{a, sizeof a, 0}, {b, sizeof b, 0}, false};
    struct scan_ends ends;
    int rc = 0;

    for (uint64_t i = 0; i < n; i++)
        if (filtered_ends(l, p, i, &range, &ends))
            p->among += (double)((ends.stop.len ? t->rank(t->context, ends.stop) : l->rd->rows->written) -
                                 (ends.start.len ? t->rank(t->context, ends.start) : 0));
    for (uint64_t i = 0; rc == 0 && i < n; i++)
        if (filtered_ends(l, p, i, &range, &ends))
            rc = filter_scan(l, p, (size_t)i, &ends);
    if (l->rd->query->count)
        l->walk->cost.rows_returned = 1;
    else
        l->walk->cost.rows_returned = (uint64_t)(p->matches + 0.5);
    l->walk->cost.rows_fetched = l->walk->cost.rows_returned;
    l->walk->cost.bytes = (uint64_t)((double)l->walk->cost.rows_returned *
                                     (l->rd->rows->row_bytes + 4.0 * (double)l->rd->rows->cells_len));
    return rc;
}

/* Rows for the merge: so many that no bucket runs out before it has its K. */
static int keep_rows(struct reader *rd)
{
    const uint64_t k = (uint64_t)rd->query->newest, n = rd->rows->buckets;
    const uint64_t want = 4 * (k + 32 * n) + 1024;

    if (rd->query->field && rd->rows->entity.set)
        return reader_rows_keep_entity(rd->rows, smaller(want, (uint64_t)rd->rows->entity.rows + 1));
    return reader_rows_keep_newest(rd->rows, smaller(want, NEWEST_MOST));
}

struct by_scan {
    uint64_t *rows;
    size_t len;
};

static void count_row(void *context, uint64_t row, size_t scan)
{
    struct by_scan *b = context;

    (void)row;
    if (scan < b->len)
        b->rows[scan]++;
}

static int run_scans(struct listener *l, const struct plan *p)
{
    struct reader *rd = l->rd;
    struct scan_salted q = *l->q;
    int rc;

    if (!p->merge)
        return scan_salted_count(&q, &l->walk->cost);
    rc = keep_rows(rd);
    if (rc != 0)
        return rc;
    memset(rd->scan_rows, 0, rd->scans_cap * sizeof *rd->scan_rows);
    {
        /* The merged rows by scan; the replies' rows were counted too and aren't wanted. */
        struct by_scan *by = &(struct by_scan){calloc(rd->scans_cap, sizeof(uint64_t)), rd->scans_cap};

        if (!by->rows)
            return MODEL_NO_MEMORY;
        rc = scan_salted_merge(&q, count_row, by, &l->walk->cost);
        memcpy(rd->scan_rows, by->rows, by->len * sizeof *by->rows);
        free(by->rows);
    }
    return rc;
}

/* Scans of the walk that the reader's mistake leaves out, and what it lost. */
static void apply_mistake(struct reader *rd, const struct plan *p, struct reader_walk *w)
{
    size_t kept = 0;
    bool *open = calloc(rd->scans_cap + 1, sizeof *open);

    if (!open)
        return;
    for (size_t i = 0; i < rd->scans_cap; i++) {
        open[i] = rd->query->reader == SPEC_READER_CORRECT || rd->rows->buckets == 1 || opened(rd, p, i);
        w->rows_right += (double)rd->scan_rows[i];
        w->rows_got += open[i] ? (double)rd->scan_rows[i] : 0;
    }
    if (w->rows_got < w->rows_right || rd->query->reader == SPEC_READER_NO_SALT) {
        const double got = w->rows_right > 0 ? w->rows_got / w->rows_right : 1;
        uint64_t regions = 0, scans = 0, scanned = 0;

        for (size_t i = 0; i < w->rpcs_len; i++) {
            if (!open[w->rpcs[i].scan])
                continue;
            regions += w->rpcs[i].opens;
            scans = scans > w->rpcs[i].scan ? scans : w->rpcs[i].scan;
            scanned += w->rpcs[i].cells / rd->rows->cells_len;
            w->rpcs[kept++] = w->rpcs[i];
        }
        w->rpcs_len = kept;
        w->cost.rpcs = kept;
        w->cost.regions = regions;
        w->cost.rows_scanned = smaller(scanned, w->cost.rows_scanned);
        w->cost.scans = 0;
        for (size_t i = 0; i < rd->scans_cap; i++)
            w->cost.scans += open[i] && i < p->window.scans;
        /* A newest that reads one bucket still hands out K rows, but not the newest ones. */
        if (rd->query->kind != SPEC_QUERY_NEWEST && !rd->query->count)
            w->cost.rows_returned = (uint64_t)((double)w->cost.rows_returned * got + 0.5);
        w->cost.bytes = (uint64_t)((double)w->cost.bytes * got + 0.5);
    }
    free(open);
}

/* A reader that leaves the salt away looks where no row of the salted table should be. */
static int scan_unsalted(struct listener *l, const struct plan *p)
{
    const struct scan_ends ends = {{p->window.start.bytes, p->window.start.len},
                                   {p->window.stop.bytes, p->window.stop.len}, true, false, false};
    struct scan_client c;

    l->walk->rpcs_len = 0;
    l->walk->cost = (struct scan_cost){0};
    l->walk->rows_got = 0;
    l->q = NULL;
    scan_client_open(&c, &l->rd->rows->view, &ends, &l->rd->options, 0);
    c.on_rpc = on_rpc;
    c.on_rpc_context = l;
    scan_client_run(&c);
    l->walk->cost = c.cost;
    return l->error;
}

static int walk_scans(struct reader *rd, struct reader_walk *w)
{
    const struct spec_query *q = rd->query;
    struct scan_salted ask = {&rd->rows->keys->scheme, NULL, &rd->rows->view, &rd->options, false, 0, 0, on_rpc, NULL};
    struct listener l = {rd, w, &ask, false, 0, 0, 0, 0};
    struct plan p;
    int rc = make_plan(rd, &p);

    if (rc != 0 || room_for_scans(rd, p.window.scans + 1) != 0)
        return rc != 0 ? rc : MODEL_NO_MEMORY;
    ask.window = &p.window;
    ask.on_rpc_context = &l;
    ask.reversed = p.reversed;
    if (p.merge) {
        ask.limit = (uint64_t)q->newest;
        ask.limit_per_scan = q->stop_merge ? 0 : (uint64_t)q->newest;
        rd->rows->view.rows.shape = &rd->rows->shape[0];
        l.from_newest = true;
    } else {
        rd->rows->view.rows.shape = &rd->rows->shape[1];
        l.from_newest = rd->rows->order == READER_ORDER_DOWN;
    }
    w->filtered = p.filtered;
    rc = p.filtered || p.whole_table || q->count ? run_filtered(&l, &p) : run_scans(&l, &p);
    if (rc == 0)
        rc = l.error;
    if (rc == 0)
        apply_mistake(rd, &p, w);
    if (rc == 0 && q->reader == SPEC_READER_NO_SALT && rd->rows->buckets > 1 && !p.whole_table)
        rc = scan_unsalted(&l, &p);
    w->scans = w->cost.scans;
    return rc < 0 && rc != MODEL_NO_MEMORY ? MODEL_BROKEN : rc;
}

static int walk_once(struct reader *rd, struct reader_walk *w)
{
    const struct spec_query *q = rd->query;
    const int64_t n = q->kind == SPEC_QUERY_GET ? 1 : q->newest;
    int rc = 0;

    w->rpcs_len = 0;
    w->cost = (struct scan_cost){0};
    w->filtered = false;
    w->rows_right = w->rows_got = 0;
    if (q->kind != SPEC_QUERY_GET && q->kind != SPEC_QUERY_MULTIGET)
        return walk_scans(rd, w);
    for (int64_t k = 0; rc == 0 && k < n; k++)
        rc = reader_get(rd, w);
    w->scans = w->rpcs_len;
    w->cost.scans = w->rpcs_len;
    return rc;
}

int reader_walk(struct reader *rd, struct reader_walk *w)
{
    const int rc = walk_once(rd, w);

    rd->rows->entity.set = false; /* the next one's ranks are of all rows again */
    return rc;
}

void reader_walk_free(struct reader_walk *w)
{
    free(w->rpcs);
    memset(w, 0, sizeof *w);
}

int reader_init(struct reader *rd, struct reader_rows *rows, const struct spec_query *query, uint64_t seed)
{
    const struct spec_hbase *h = &rows->model->spec->hbase;
    char name[128] = "queries ";

    memset(rd, 0, sizeof *rd);
    rd->rows = rows;
    rd->query = query;
    strncat(name, query->name ? query->name : "", sizeof name - strlen(name) - 1);
    des_stream_init(&rd->draws, seed, name);
    strncat(name, " alone", sizeof name - strlen(name) - 1);
    des_stream_init(&rd->alone_draws, seed, name);
    scan_options_init(&rd->options, (uint32_t)rows->table->spec->families[0].blocksize_bytes);
    rd->options.caching = h->scanner_caching < INT32_MAX ? (uint64_t)h->scanner_caching : 0;
    rd->options.max_result_bytes = (uint64_t)h->scanner_max_result_bytes;
    return 0;
}

void reader_free(struct reader *rd)
{
    free(rd->scan_rows);
    memset(rd, 0, sizeof *rd);
}
