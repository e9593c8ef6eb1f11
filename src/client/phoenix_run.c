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
    scan_client_fill(&w->stream[i].client);
    w->stream[i].opened = true;
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

static struct saltkey_slice natural(const struct work *w, size_t i)
{
    const struct scan_table *t = w->run->rows;
    const size_t salt = w->run->table->scheme->salt.width;
    const struct saltkey_slice key = t->key(t->context, w->stream[i].head, i);

    return (struct saltkey_slice){key.bytes + salt, key.len - salt};
}

/* MergeSortRowKeyResultIterator: the smallest head, ties to the first scan. Written out and not the
   library's merge because Phoenix doesn't mind a scan that covers several buckets and isn't in order. */
static void run_merge(struct work *w)
{
    for (size_t i = 0; i < w->count; i++)
        advance(w, i);
    while (w->left > 0) {
        size_t best = w->count;

        for (size_t i = 0; i < w->count; i++) {
            int c;

            if (w->stream[i].ended)
                continue;
            c = best < w->count ? saltkey_compare(natural(w, i), natural(w, best)) : -1;
            if (best == w->count || (w->run->plan->reverse ? c > 0 : c < 0))
                best = i;
        }
        if (best == w->count)
            break;
        hand_out(w, w->stream[best].head);
        if (w->left > 0)
            advance(w, best);
    }
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
        cost->scan.rows_fetched += run->query->limit > 0 && rows > run->query->limit ? run->query->limit : rows;
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
        for (size_t i = 0; i < w.count && !run->plan->serial; i++)
            open_stream(&w, i);
        if (run->plan->merge_sort)
            run_merge(&w);
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
