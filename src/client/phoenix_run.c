/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/phoenix_run.h"

#include <stdlib.h>
#include <string.h>

/* A scan of the plan that is under way. */
struct stream {
    struct scan_client client;
    bool opened, ended;
    uint64_t head;            /* the row that it offers next */
};

struct work {
    const struct phoenix_run *run;
    struct stream *stream;
    size_t count;
    uint64_t skip, left;      /* of OFFSET and of LIMIT or what the application reads */
    uint64_t returned;
};

static void open_stream(struct work *w, size_t i)
{
    const struct phoenix_plan *p = w->run->plan;
    const struct phoenix_scan *s = &p->scans[i];
    struct scan_ends e = {s->start, s->stop, s->start_inclusive, s->stop_inclusive, false};
    struct scan_options o;

    if (w->stream[i].opened)
        return;
    scan_options_init(&o, 65536);
    o.read_type = SCAN_READ_STREAM;
    o.caching = w->run->fetch_rows;
    if (p->reverse)
        e = (struct scan_ends){s->stop, s->start, s->stop_inclusive, s->start_inclusive, true};
    scan_client_open(&w->stream[i].client, w->run->rows, &e, &o, p->page_rows);
    w->stream[i].client.scan = i;
    if (w->run->query->aggregate == PHOENIX_ROWS && w->run->query->order != PHOENIX_BY_OTHER) {
        w->stream[i].client.on_rpc = w->run->on_rpc;
        w->stream[i].client.on_rpc_context = w->run->on_rpc_context;
    }
    scan_client_fill(&w->stream[i].client);
    w->stream[i].opened = true;
}

/* The one reply of a scan whose rows the server sorts or aggregates. */
static void tell_one_reply(const struct work *w, size_t i, uint64_t rows)
{
    const struct scan_client *c = &w->stream[i].client;
    const struct scan_reply reply = {.rows = rows, .results = rows, .looked_at = c->cost.looked_at,
                                     .rows_scanned = c->cost.rows_scanned, .rows_filtered = c->cost.rows_filtered,
                                     .read_requests = c->cost.read_requests, .more_results = true};
    const struct scan_rpc rpc = {i, c->region, true, false, &reply};

    if (w->run->on_rpc)
        w->run->on_rpc(w->run->on_rpc_context, &rpc);
}

/* Makes the stream's next row its head; false at its end. */
static bool advance(struct work *w, size_t i)
{
    struct stream *s = &w->stream[i];

    open_stream(w, i);
    if (!s->ended && scan_client_next(&s->client, &s->head) != 1)
        s->ended = true;
    return !s->ended;
}

static void hand_out(struct work *w, uint64_t row)
{
    if (w->skip > 0) {
        w->skip--;
        return;
    }
    w->left--;
    w->returned++;
    if (w->run->row)
        w->run->row(w->run->context, row);
}

/* One scan after the other, the last first where the order is reversed. */
static void run_in_turn(struct work *w)
{
    for (size_t k = 0; k < w->count && w->left > 0; k++) {
        const size_t i = w->run->plan->reverse ? w->count - 1 - k : k;

        while (w->left > 0 && advance(w, i))
            hand_out(w, w->stream[i].head);
    }
}

/* A row from each scan in turn; a finished one drops out. */
static void run_round_robin(struct work *w)
{
    for (bool any = true; any && w->left > 0;) {
        any = false;
        for (size_t i = 0; i < w->count && w->left > 0; i++) {
            if (!advance(w, i))
                continue;
            any = true;
            hand_out(w, w->stream[i].head);
        }
    }
}

/* A group of scans, read one after the other. */
struct group {
    size_t at, left;          /* the scan that is being read; how many there are from it on */
    bool ended;
};

static bool advance_group(struct work *w, struct group *g)
{
    while (!g->ended && !advance(w, g->at)) {
        g->at = w->run->plan->reverse ? g->at - 1 : g->at + 1;
        g->ended = --g->left == 0;
    }
    return !g->ended;
}

static struct group group_of(const struct phoenix_plan *p, size_t number)
{
    size_t first = 0, n = 0;

    while (first < p->chunks && p->scans[first].group < number)
        first++;
    while (first + n < p->chunks && p->scans[first + n].group == number)
        n++;
    return (struct group){p->reverse ? first + n - 1 : first, n, n == 0};
}

static struct saltkey_slice natural(const struct work *w, const struct group *g)
{
    const struct scan_table *t = w->run->rows;
    const size_t salt = w->run->table->scheme->salt.width;
    const struct saltkey_slice key = t->key(t->context, w->stream[g->at].head, g->at);

    return (struct saltkey_slice){key.bytes + salt, key.len - salt};
}

/* MergeSortRowKeyResultIterator over the groups: the smallest head, ties to the first. Written out and
   not the library's merge because Phoenix doesn't mind a scan that covers several buckets and isn't in
   order. */
static int run_merge(struct work *w)
{
    const struct phoenix_plan *p = w->run->plan;
    struct group *group = calloc(p->ways + 1, sizeof *group);

    if (!group)
        return PHOENIX_NO_MEMORY;
    for (size_t i = 0; i < p->ways; i++) {
        group[i] = group_of(p, i);
        advance_group(w, &group[i]);
    }
    while (w->left > 0) {
        size_t best = p->ways;

        for (size_t i = 0; i < p->ways; i++) {
            int c;

            if (group[i].ended)
                continue;
            c = best < p->ways ? saltkey_compare(natural(w, &group[i]), natural(w, &group[best])) : -1;
            if (best == p->ways || (p->reverse ? c > 0 : c < 0))
                best = i;
        }
        if (best == p->ways)
            break;
        hand_out(w, w->stream[group[best].at].head);
        if (w->left > 0)
            advance_group(w, &group[best]);
    }
    free(group);
    return 0;
}

struct best_rows {
    uint64_t *at;
    size_t count, cap;
};

static void insert(const struct phoenix_run *run, struct best_rows *b, uint64_t row)
{
    size_t i = b->count;

    if (b->count == b->cap && (b->cap == 0 || run->compare(run->context, row, b->at[b->count - 1]) >= 0))
        return;
    if (b->count < b->cap)
        b->count++;
    else
        i--;
    for (; i > 0 && run->compare(run->context, row, b->at[i - 1]) < 0; i--)
        b->at[i] = b->at[i - 1];
    b->at[i] = row;
}

/* Servers sort, each scan sends its first LIMIT rows in one reply. */
static int run_sorted(struct work *w, struct phoenix_cost *cost)
{
    const struct phoenix_run *run = w->run;
    struct best_rows best = {NULL, 0, w->skip + w->left};
    uint64_t scanned = 0;

    if (best.cap > run->rows->rows_count || best.cap < w->left)
        best.cap = run->rows->rows_count;
    best.at = malloc((best.cap + 1) * sizeof *best.at);
    if (!best.at)
        return PHOENIX_NO_MEMORY;
    for (size_t i = 0; i < w->count; i++) {
        uint64_t rows = 0;

        for (; advance(w, i); rows++)
            insert(run, &best, w->stream[i].head);
        scanned += w->stream[i].client.cost.rows_scanned;
        if (run->query->limit > 0 && rows > run->query->limit)
            rows = run->query->limit;
        cost->scan.rows_fetched += rows;
        tell_one_reply(w, i, rows);
    }
    for (size_t i = 0; i < best.count && w->left > 0; i++)
        hand_out(w, best.at[i]);
    free(best.at);
    cost->scan.scans = cost->scan.rpcs = cost->scan.regions = cost->next_calls = w->count;
    cost->scan.rows_scanned = scanned;
    return 0;
}

static void run_aggregate(struct work *w, struct phoenix_cost *cost)
{
    for (size_t i = 0; i < w->count; i++) {
        open_stream(w, i);
        scan_client_run(&w->stream[i].client);
        tell_one_reply(w, i, 1);
        cost->scan.rows_scanned += w->stream[i].client.cost.rows_scanned;
        cost->scan.rows_filtered += w->stream[i].client.cost.rows_filtered;
    }
    cost->scan.scans = cost->scan.rpcs = cost->scan.regions = cost->next_calls = w->count;
    cost->scan.rows_fetched = w->count;
    w->returned = w->run->query->aggregate == PHOENIX_ONE_ROW;
}

static void add_costs(struct work *w, struct phoenix_cost *cost)
{
    for (size_t i = 0; i < w->count; i++) {
        if (!w->stream[i].opened)
            continue;
        cost->next_calls += w->stream[i].client.cost.rpcs;
        scan_client_close(&w->stream[i].client);
        scan_cost_add(&cost->scan, &w->stream[i].client.cost);
    }
}

/* Parallel scans all fetch their first batch at once; where ORDER BY names the key, only the first scan
   of each group does. */
static void open_at_once(struct work *w)
{
    const struct phoenix_plan *p = w->run->plan;
    const bool first_only = w->run->query->order != PHOENIX_UNORDERED;

    for (size_t i = 0; i < w->count && !p->serial; i++) {
        const size_t before = p->reverse ? i + 1 : i - 1;

        if (!first_only || before >= w->count || p->scans[before].group != p->scans[i].group)
            open_stream(w, i);
    }
}

int phoenix_run(const struct phoenix_run *run, struct phoenix_cost *cost)
{
    const struct phoenix_query *q = run->query;
    struct work w = {run, calloc(run->plan->chunks + 1, sizeof *w.stream), run->plan->chunks, q->offset, UINT64_MAX, 0};
    int rc = 0;

    if (!w.stream)
        return PHOENIX_NO_MEMORY;
    memset(cost, 0, sizeof *cost);
    if (q->limit > 0)
        w.left = q->limit;
    if (run->consume > 0 && run->consume < w.left)
        w.left = run->consume;
    if (q->aggregate != PHOENIX_ROWS) {
        run_aggregate(&w, cost);
    } else if (q->order == PHOENIX_BY_OTHER) {
        rc = run_sorted(&w, cost);
    } else {
        open_at_once(&w);
        if (run->plan->merge_sort)
            rc = run_merge(&w);
        else if (run->plan->round_robin && !run->plan->serial)
            run_round_robin(&w);
        else
            run_in_turn(&w);
        add_costs(&w, cost);
    }
    cost->scan.rows_returned = w.returned;
    free(w.stream);
    return rc;
}
