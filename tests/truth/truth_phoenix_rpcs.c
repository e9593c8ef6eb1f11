/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_phoenix_rpcs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGIONS_MAX = 512, FIRST_ROWS = 12 };

struct seen {
    const struct phoenix_case *c;
    char first_rows[512];
    size_t listed;
    uint64_t rows, last;
    bool ascending;
    uint64_t nexts[REGIONS_MAX];
};

static void take_row(void *context, uint64_t row)
{
    struct seen *s = context;
    const uint64_t event = s->c->rows.event[row];
    const size_t n = strlen(s->first_rows);

    if (s->listed++ < FIRST_ROWS)
        snprintf(s->first_rows + n, sizeof s->first_rows - n, "%s%llu", n ? "," : "", (unsigned long long)event);
    s->ascending &= s->rows == 0 || event >= s->last;
    s->last = event;
    s->rows++;
}

static void count_next(void *context, const struct scan_rpc *rpc)
{
    struct seen *s = context;

    if (rpc->region < REGIONS_MAX && !rpc->closes)
        s->nexts[rpc->region]++;
}

static uint64_t least_of(const char *list)
{
    uint64_t least = UINT64_MAX;

    while (*list) {
        char *end;
        const uint64_t n = strtoull(list, &end, 10);

        if (end == list)
            break;
        least = n < least ? n : least;
        list = *end == ',' ? end + 1 : end;
    }
    return least == UINT64_MAX ? 0 : least;
}

/* The SQL behind a name: "range-5000" is that many events from the first returned one on. */
static int sql_of(const struct truth_table *t, size_t i, const struct phoenix_data *d, struct sql *sql)
{
    const char *query = truth_cell(t, i, "query");
    unsigned long long n;
    char text[256];

    if (sscanf(query, "range-%llu", &n) == 1) {
        const uint64_t from = phoenix_data_ts(d, least_of(truth_cell(t, i, "first_rows")));

        snprintf(text, sizeof text, "SELECT ts,dev,v FROM $T WHERE ts>=%llu AND ts<%llu", (unsigned long long)from,
                 (unsigned long long)(from + n * d->step_ms));
    } else if (sscanf(query, "limit-%llu", &n) == 1) {
        snprintf(text, sizeof text, "SELECT ts,dev,v FROM $T LIMIT %llu", n);
    } else if (sscanf(query, "order-pk-limit-%llu", &n) == 1) {
        snprintf(text, sizeof text, "SELECT ts,dev,v FROM $T ORDER BY ts, dev LIMIT %llu", n);
    } else if (strcmp(query, "order-pk") == 0) {
        snprintf(text, sizeof text, "SELECT ts,dev,v FROM $T ORDER BY ts, dev");
    } else if (strcmp(query, "count") == 0) {
        snprintf(text, sizeof text, "SELECT COUNT(*) FROM $T");
    } else if (strcmp(query, "full") == 0) {
        snprintf(text, sizeof text, "SELECT ts,dev,v FROM $T");
    } else {
        return -1; /* filter-dev: its requests aren't explained by the recording either */
    }
    return sql_parse(text, sql);
}

/* Length of a row's one cell: the recorded bytes of the table's full scan, less its length field. */
static uint32_t cell_bytes(const struct truth_table *t, size_t row)
{
    for (size_t i = 0; i < t->rows; i++)
        if (strcmp(truth_cell(t, i, "table"), truth_cell(t, row, "table")) == 0 &&
            strcmp(truth_cell(t, i, "query"), "full") == 0 && truth_number(t, i, "scan_bytes") > 0)
            return (uint32_t)(truth_number(t, i, "scan_bytes") / truth_number(t, i, "rows")) - SCAN_CELL_LENGTH_BYTES;
    return 0;
}

static void nexts_text(const struct seen *s, size_t regions, char *out, size_t cap)
{
    size_t n = 0;

    for (size_t i = 0; i < regions && n < cap; i++)
        n += (size_t)snprintf(out + n, cap - n, "%s%llu", i ? "," : "", (unsigned long long)s->nexts[i]);
}

static void judge(struct verdicts *v, const struct truth_table *t, size_t i, const struct phoenix_run *run,
                  const struct phoenix_cost *cost, const struct seen *s)
{
    const uint64_t calls = truth_number(t, i, "count_rpc_calls"), rows = truth_number(t, i, "rows");
    const bool shuffled = truth_number(t, i, "fetch_size") > 0 && run->plan->round_robin && run->plan->chunks > 1;
    char where[160], group[100], nexts[4096];

    snprintf(group, sizeof group, "1 kB %s", truth_cell(t, i, "query"));
    snprintf(where, sizeof where, "%s force=%s fetch %s consume %s", truth_cell(t, i, "table"),
             truth_cell(t, i, "force_rowkeyorder"), truth_cell(t, i, "fetch_size"), truth_cell(t, i, "consume"));
    verdict_number(v, group, "rows", (double)rows, (double)cost->scan.rows_returned, where);
    verdict_number(v, group, "scanner_opens", (double)truth_number(t, i, "scanner_opens"), (double)cost->scan.scans,
                   where);
    verdict_number(v, group, "scan_nexts", (double)truth_number(t, i, "scan_nexts"), (double)cost->next_calls, where);
    nexts_text(s, run->table->splits->count + 1, nexts, sizeof nexts);
    verdict_text(v, group, "per_region_nexts", truth_cell(t, i, "per_region_nexts"), nexts, where);
    if (calls > 0)
        verdict_number(v, group, "count_rpc_calls", (double)calls, (double)cost->scan.rpcs, where);
    if (run->query->aggregate != PHOENIX_ROWS)
        return;
    verdict_number(v, group, "read_requests", (double)truth_number(t, i, "read_requests"),
                   (double)cost->scan.read_requests, where);
    if (calls > 0)
        verdict_number(v, group, "scan_bytes", (double)truth_number(t, i, "scan_bytes"), (double)cost->scan.bytes, where);
    verdict_text(v, group, "ordered", truth_cell(t, i, "ordered"), s->ascending ? "asc" : "no", where);
    if (!shuffled)
        verdict_text(v, group, "first_rows", truth_cell(t, i, "first_rows"), s->first_rows, where);
}

static void one_row(struct verdicts *v, const struct truth_table *t, size_t i, const struct phoenix_data *d)
{
    const int64_t consume = atoll(truth_cell(t, i, "consume"));
    static struct sql sql;
    static struct seen seen;
    struct phoenix_case c;
    struct phoenix_plan plan;
    struct phoenix_cost cost;

    if (sql_of(t, i, d, &sql) != 0)
        return;
    if (phoenix_case_make(&c, truth_cell(t, i, "table"), (uint32_t)truth_number(t, i, "salt_buckets"), "", d) != 0)
        return;
    c.cell.bytes = cell_bytes(t, i);
    c.cell.heap_bytes = phoenix_heap_bytes(c.cell.bytes);
    seen = (struct seen){.c = &c, .ascending = true};
    sql.query.force_row_key_order = strcmp(truth_cell(t, i, "force_rowkeyorder"), "true") == 0;
    if (phoenix_plan_make(&c.table, &sql.query, &plan) == 0) {
        const struct scan_table rows = {&c.splits, sorted_rows_rank, sorted_rows_key, c.rows.count,
                                        {&c.shape, NULL, NULL, NULL}, &c.rows};
        const struct phoenix_run run = {&c.table, &sql.query, &plan, &rows, truth_number(t, i, "fetch_size"),
                                        consume > 0 ? (uint64_t)consume : 0, NULL, take_row, &seen, count_next, &seen};

        if (phoenix_run(&run, &cost) == 0)
            judge(v, t, i, &run, &cost, &seen);
        phoenix_plan_free(&plan);
    }
    phoenix_case_free(&c);
}

void truth_phoenix_rpcs(struct verdicts *v, const char *dir)
{
    struct phoenix_data d;
    struct truth_table t;

    if (truth_reads_open(v, dir, "rpcs-1kb.tsv", &t) != 0)
        return;
    if (phoenix_data_read(&t, &d) == 0)
        for (size_t i = 0; i < t.rows; i++)
            one_row(v, &t, i, &d);
    truth_table_free(&t);
}
