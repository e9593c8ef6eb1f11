/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_reads_cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scans and gets against recordings of a real HBase. Usage: truth_reads DIR, with DIR laid out as
   tests/data/truth. Exit status 1 when a value is off or nothing was found. */

enum { TABLES_MAX = 64, BLOCK_BYTES = 65536 };

struct recorded_table {
    char name[64];
    struct truth_stream stream;
    uint32_t value_bytes, row_bytes;
    struct sorted_rows rows;
    struct saltkey_keys splits;
    char state[16];
};

struct recorded {
    struct recorded_table table[TABLES_MAX];
    size_t count;
};

static size_t make_row(void *context, uint64_t i, uint8_t *row)
{
    return truth_row(context, i, row);
}

static struct recorded_table *find_table(struct recorded *r, const char *name)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->table[i].name, name) == 0)
            return &r->table[i];
    return NULL;
}

/* Tables' streams and rows; D and step_ms stand in the header of |params|. */
static int read_tables(const struct truth_table *t, const struct truth_table *params, struct recorded *r)
{
    for (size_t i = 0; i < t->rows && r->count < TABLES_MAX; i++) {
        struct recorded_table *k = &r->table[r->count++];

        snprintf(k->name, sizeof k->name, "%s", truth_cell(t, i, "table"));
        k->stream = (struct truth_stream){truth_cell(t, i, "stream"), (uint32_t)truth_number(t, i, "N"),
                                          truth_comment_number(params, "D", 1000),
                                          truth_comment_number(params, "step_ms", 1000), 0};
        k->value_bytes = (uint32_t)truth_number(t, i, "L");
        saltkey_keys_init(&k->splits, NULL);
        if (sorted_rows_make(&k->rows, truth_number(t, i, "rows"), make_row, &k->stream) != 0)
            return -1;
        k->row_bytes = (uint32_t)k->rows.key[0].len;
    }
    return 0;
}

static void read_regions(const struct truth_table *t, struct recorded *r, struct verdicts *v)
{
    for (size_t i = 0; i < t->rows; i++) {
        struct recorded_table *k = find_table(r, truth_cell(t, i, "table"));
        uint8_t start[64], end[64];
        const size_t n = truth_unhex(truth_cell(t, i, "start"), start, sizeof start);
        const size_t m = truth_unhex(truth_cell(t, i, "end"), end, sizeof end);
        uint64_t low, high;

        if (!k)
            continue;
        if (n > 0)
            saltkey_keys_add(&k->splits, (struct saltkey_slice){start, n});
        low = n > 0 ? sorted_rows_rank(&k->rows, (struct saltkey_slice){start, n}) : 0;
        high = m > 0 ? sorted_rows_rank(&k->rows, (struct saltkey_slice){end, m}) : k->rows.count;
        verdict_number(v, k->name, "rows of the regions", (double)truth_number(t, i, "rows"), (double)(high - low),
                       truth_cell(t, i, "start"));
    }
    for (size_t i = 0; i < r->count; i++)
        if (r->table[i].splits.count > 0)
            saltkey_keys_finish(&r->table[i].splits, NULL);
}

/* One-cell rows, as the recordings have them: family d, qualifier v. */
static struct scan_table table_of(const struct recorded_table *k, const char *state, struct scan_cell *cell,
                                  struct scan_shape *shape)
{
    const enum scan_from from = strcmp(state, "mem") == 0 ? SCAN_FROM_MEMSTORE : SCAN_FROM_HFILE;

    memset(cell, 0, sizeof *cell);
    cell->bytes = scan_key_value_bytes(k->row_bytes, 1, 1, k->value_bytes);
    cell->heap_bytes = scan_heap_bytes(from, cell->bytes);
    *shape = (struct scan_shape){cell, 1};
    return (struct scan_table){&k->splits, sorted_rows_rank, sorted_rows_key, k->rows.count,
                               {shape, NULL, NULL, NULL}, (void *)(uintptr_t)&k->rows};
}

static uint64_t number_or(const char *text, uint64_t otherwise)
{
    return text[0] == '-' ? otherwise : strtoull(text, NULL, 10);
}

static void options_of(const char *read_type, uint64_t caching, uint64_t max_result, struct scan_options *o)
{
    scan_options_init(o, BLOCK_BYTES);
    o->caching = caching;
    if (max_result > 0)
        o->max_result_bytes = max_result;
    o->read_type = *read_type == 'P'   ? SCAN_READ_PREAD
                   : *read_type == 'S' ? SCAN_READ_STREAM
                                       : SCAN_READ_DEFAULT;
}

struct region_requests {
    uint64_t of[256];
};

static void count_requests(void *context, const struct scan_rpc *rpc)
{
    struct region_requests *r = context;

    if (rpc->region < 256)
        r->of[rpc->region] += rpc->reply->read_requests;
}

/* The recorded "0:12,3:4" and ours in the same words: regions without requests left out. */
static void requests_text(const struct region_requests *r, char *out, size_t cap)
{
    size_t n = 0;

    out[0] = '\0';
    for (size_t i = 0; i < 256; i++)
        if (r->of[i] > 0 && n < cap)
            n += (size_t)snprintf(out + n, cap - n, "%s%zu:%llu", n ? "," : "", i, (unsigned long long)r->of[i]);
    if (n == 0)
        snprintf(out, cap, "-");
}

/* A filter on the key's tail: "row[9..]=dev610" keeps rows whose bytes from 9 on are the device's. */
struct tail_filter {
    const struct sorted_rows *rows;
    size_t offset;
    uint32_t device;
};

static bool tail_differs(void *context, uint64_t row)
{
    const struct tail_filter *f = context;
    const struct saltkey_slice k = f->rows->key[row];
    uint32_t device = 0;

    for (size_t i = f->offset; i < k.len; i++)
        device = device << 8 | k.bytes[i];
    return device != f->device;
}

static void run_get(const struct scan_table *table, struct saltkey_slice row, struct scan_cost *cost,
                    struct region_requests *requests)
{
    const uint64_t at = table->rank(table->context, row);
    const bool found = at < table->rows_count && saltkey_compare(table->key(table->context, at, 0), row) == 0;

    memset(cost, 0, sizeof *cost);
    scan_get(found ? table->rows.shape : NULL, cost);
    requests->of[saltkey_split_region(table->splits, row)] += cost->read_requests;
}

static void run_scan(struct scan_client *c, int64_t take, struct region_requests *requests)
{
    uint64_t row;

    c->on_rpc = count_requests;
    c->on_rpc_context = requests;
    if (take < 0) {
        scan_client_run(c);
    } else {
        for (int64_t i = 0; i < take && scan_client_next(c, &row) == 1; i++)
            ;
        scan_client_close(c);
    }
}

static void judge_scan(struct verdicts *v, const struct truth_table *t, size_t i, const struct scan_cost *cost,
                       const struct region_requests *requests)
{
    const char *query = truth_cell(t, i, "query"), *table = truth_cell(t, i, "table");
    const bool get = strncmp(query, "get-", 4) == 0;
    char where[200], ours[1024];

    snprintf(where, sizeof where, "%s qid %s bucket %s", table, truth_cell(t, i, "qid"), truth_cell(t, i, "bucket"));
    verdict_number(v, query, "rpcs", (double)truth_number(t, i, "rpcs"), (double)cost->rpcs, where);
    verdict_number(v, query, "regions", (double)truth_number(t, i, "regions"), (double)cost->regions, where);
    if (!get) {
        verdict_number(v, query, "rows_scanned", (double)truth_number(t, i, "rows_scanned"),
                       (double)cost->rows_scanned, where);
        verdict_number(v, query, "rows_filtered", (double)truth_number(t, i, "rows_filtered"),
                       (double)cost->rows_filtered, where);
    }
    verdict_number(v, query, "rows_returned", (double)truth_number(t, i, "rows_returned"),
                   (double)cost->rows_returned, where);
    if (!get)
        verdict_number(v, query, "bytes_results", (double)truth_number(t, i, "bytes_results"), (double)cost->bytes,
                       where);
    requests_text(requests, ours, sizeof ours);
    verdict_text(v, query, "read_req_by_region", truth_cell(t, i, "read_req_by_region"), ours, where);
}

static void one_scan(struct verdicts *v, struct recorded *r, const struct truth_table *t, size_t i)
{
    const struct recorded_table *k = find_table(r, truth_cell(t, i, "table"));
    const char *filter = truth_cell(t, i, "filter"), *take = truth_cell(t, i, "take");
    uint8_t start[64], stop[64];
    struct scan_cell cell;
    struct scan_shape shape;
    struct scan_table table;
    struct scan_options o;
    struct scan_client c;
    struct region_requests requests = {{0}};
    struct tail_filter tail;
    unsigned device, offset;
    struct scan_ends e = {{start, truth_unhex(truth_cell(t, i, "start"), start, sizeof start)},
                          {stop, truth_unhex(truth_cell(t, i, "stop"), stop, sizeof stop)},
                          truth_number(t, i, "start_incl") != 0, truth_number(t, i, "stop_incl") != 0,
                          truth_number(t, i, "reversed") != 0};

    if (!k) {
        verdict_text(v, truth_cell(t, i, "query"), "table", truth_cell(t, i, "table"), "unknown", "tables.tsv");
        return;
    }
    table = table_of(k, truth_cell(t, i, "state"), &cell, &shape);
    options_of(truth_cell(t, i, "readtype"), number_or(truth_cell(t, i, "caching"), 0),
               number_or(truth_cell(t, i, "maxres"), 0), &o);
    if (sscanf(filter, "row[%u..]=dev%u", &offset, &device) == 2) {
        tail = (struct tail_filter){&k->rows, offset, device};
        table.rows.filtered = tail_differs;
        table.rows.context = &tail;
    } else if (strcmp(filter, "-") != 0) {
        return; /* filters that change cells aren't modelled */
    }
    if (strncmp(truth_cell(t, i, "query"), "get-", 4) == 0) {
        run_get(&table, e.start, &c.cost, &requests);
    } else {
        scan_client_open(&c, &table, &e, &o, number_or(truth_cell(t, i, "limit"), 0));
        run_scan(&c, take[0] == '-' ? -1 : atoll(take), &requests);
    }
    judge_scan(v, t, i, &c.cost, &requests);
}

static void one_batches_row(struct verdicts *v, struct recorded *r, const struct truth_table *t, size_t i)
{
    const struct recorded_table *k = find_table(r, truth_cell(t, i, "table"));
    const char *caching = truth_cell(t, i, "caching");
    uint8_t start[64], stop[64];
    struct scan_ends e = {{start, truth_unhex(truth_cell(t, i, "start"), start, sizeof start)},
                          {stop, truth_unhex(truth_cell(t, i, "stop"), stop, sizeof stop)}, true, false, false};
    struct truth_replies replies;
    struct scan_cell cell;
    struct scan_shape shape;
    struct scan_table table;
    struct scan_options o;
    struct scan_client c;
    char group[100];

    if (!k)
        return;
    table = table_of(k, truth_cell(t, i, "state"), &cell, &shape);
    options_of(truth_cell(t, i, "readtype"), strcmp(caching, "default") == 0 ? 0 : number_or(caching, 0), 0, &o);
    scan_client_open(&c, &table, &e, &o, number_or(truth_cell(t, i, "limit"), 0));
    truth_replies_init(&replies, truth_cell(t, i, "rows_per_reply"));
    c.on_rpc = truth_replies_list;
    c.on_rpc_context = &replies;
    scan_client_run(&c);
    snprintf(group, sizeof group, "batches %s %s", truth_cell(t, i, "query"), truth_cell(t, i, "readtype"));
    verdict_number(v, group, "replies", (double)truth_number(t, i, "replies"), (double)replies.count, k->name);
    verdict_text(v, group, "rows_per_reply", truth_cell(t, i, "rows_per_reply"), replies.text, k->name);
}

static void each_row(struct verdicts *v, struct recorded *r, const char *dir, const char *kind,
                     void (*one)(struct verdicts *, struct recorded *, const struct truth_table *, size_t))
{
    char name[64];

    /* A table for each length of value that tables.tsv names. */
    for (size_t i = 0; i < r->count; i++) {
        struct truth_table t;
        bool seen = false;

        for (size_t k = 0; k < i; k++)
            seen |= r->table[k].value_bytes == r->table[i].value_bytes;
        if (seen)
            continue;
        snprintf(name, sizeof name, "%s-L%u.tsv", kind, r->table[i].value_bytes);
        if (truth_reads_open(v, dir, name, &t) != 0)
            continue;
        for (size_t k = 0; k < t.rows; k++)
            one(v, r, &t, k);
        truth_table_free(&t);
    }
}

static void free_recorded(struct recorded *r)
{
    for (size_t i = 0; i < r->count; i++) {
        sorted_rows_free(&r->table[i].rows);
        saltkey_keys_free(&r->table[i].splits);
    }
}

static void run_streams(struct verdicts *v, const char *dir)
{
    static struct recorded r;
    struct truth_table tables, regions, scans;
    char name[64];

    if (truth_reads_open(v, dir, "tables.tsv", &tables) != 0)
        return;
    snprintf(name, sizeof name, "scans-L%s.tsv", tables.rows > 0 ? truth_cell(&tables, 0, "L") : "");
    if (truth_reads_open(v, dir, name, &scans) == 0) {
        if (read_tables(&tables, &scans, &r) == 0 && truth_reads_open(v, dir, "regions.tsv", &regions) == 0) {
            read_regions(&regions, &r, v);
            each_row(v, &r, dir, "scans", one_scan);
            each_row(v, &r, dir, "batches", one_batches_row);
            truth_table_free(&regions);
        }
        truth_table_free(&scans);
    }
    free_recorded(&r);
    truth_table_free(&tables);
}

int main(int argc, char **argv)
{
    struct verdicts v = {.folder = "reads"};
    unsigned cases = 0, failed;

    if (argc != 2) {
        fprintf(stderr, "usage: %s DIR\n", argv[0]);
        return 2;
    }
    printf("folder\tcase\tquantity\treal\tours\tdifference\tband\tvalues\tverdict\n");
    run_streams(&v, argv[1]);
    truth_reads_cells(&v, argv[1]);
    failed = verdicts_print(&v, &cases);
    printf("reads: %u cases, %u failed, %u tables absent\n", cases, failed, v.absent);
    if (cases == 0)
        printf("reads: no case found: FAIL\n");
    return failed > 0 || cases == 0;
}
