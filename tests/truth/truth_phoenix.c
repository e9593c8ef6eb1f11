/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_phoenix_rpcs.h"

/* Phoenix's plans, scans, order of rows, losses and writes against recordings of a real one. Usage:
   truth_phoenix DIR, with DIR laid out as tests/data/truth. Exit status 1 when a value is off or nothing
   was found. */

enum { CASES_MAX = 64, QUERIES_MAX = 128 };

struct named_sql {
    char name[64];
    struct sql sql;
};

struct recordings {
    struct verdicts *v;
    const char *dir;
    struct phoenix_data data;
    struct phoenix_case *cases[CASES_MAX];
    size_t cases_len;
    struct named_sql query[QUERIES_MAX];
    size_t queries_len;
};

/* What came back, as order.tsv has it. */
struct returned {
    const struct phoenix_case *c;
    const struct sql *sql;
    char first_rows[1024], first_buckets[256];
    size_t rows_listed, rows_max, runs_listed;
    uint64_t rows, runs, last_event;
    int bucket;
    bool ascending, descending;
};

struct outcome {
    struct phoenix_plan plan;
    struct phoenix_cost cost;
    struct phoenix_7580 bug;
    struct returned rows;
    bool opened[1024];       /* by the number of the scan */
};

static void note_scan(void *context, const struct scan_rpc *rpc)
{
    struct outcome *o = context;

    if (rpc->scan < 1024)
        o->opened[rpc->scan] = true;
}

static void take_row(void *context, uint64_t row)
{
    struct returned *r = context;
    const uint64_t event = r->c->rows.event[row];
    const bool salted = phoenix_buckets(&r->c->table) > 0;
    const int bucket = salted ? r->c->rows.key[row].bytes[0] : -1;

    if (r->rows_listed < r->rows_max) {
        const size_t n = strlen(r->first_rows);

        snprintf(r->first_rows + n, sizeof r->first_rows - n, "%s%llu", n ? "," : "", (unsigned long long)event);
        r->rows_listed++;
    }
    if (salted && (r->rows == 0 || bucket != r->bucket)) {
        const size_t n = strlen(r->first_buckets);

        r->runs++;
        if (r->runs_listed++ < 20)
            snprintf(r->first_buckets + n, sizeof r->first_buckets - n, "%s%d", n ? "," : "", bucket);
    }
    if (r->rows > 0) {
        r->ascending &= event >= r->last_event;
        r->descending &= event <= r->last_event;
    }
    r->bucket = bucket;
    r->last_event = event;
    r->rows++;
}

static int compare_rows(void *context, uint64_t a, uint64_t b)
{
    const struct returned *r = context;

    return sql_compare(r->sql, r->c->data, r->c->rows.event[a], r->c->rows.event[b]);
}

struct row_filter {
    const struct phoenix_case *c;
    const struct sql *sql;
    bool all;
};

static bool dropped(void *context, uint64_t row)
{
    const struct row_filter *f = context;

    return !sql_matches(f->sql, f->c->data, f->c->rows.event[row], f->all);
}

/* Plans and runs one query. |consume| and |fetch_rows| as in struct phoenix_run. */
static int run_query(struct phoenix_case *c, struct sql *sql, bool force, uint64_t consume, uint64_t fetch_rows,
                     struct outcome *o)
{
    struct row_filter filter = {c, sql, false};
    struct scan_table rows = {&c->splits, sorted_rows_rank, sorted_rows_key, c->rows.count,
                              {&c->shape, NULL, NULL, NULL}, &c->rows};
    struct phoenix_run run = {&c->table, &sql->query, &o->plan, &rows, fetch_rows, consume, compare_rows, take_row,
                              &o->rows, note_scan, o};
    int rc;

    memset(o, 0, sizeof *o);
    o->rows = (struct returned){.c = c, .sql = sql, .rows_max = 20, .ascending = true, .descending = true};
    sql->query.force_row_key_order = force;
    rc = phoenix_plan_make(&c->table, &sql->query, &o->plan);
    if (rc != 0)
        return rc;
    filter.all = o->plan.skip_scan;
    if (sql->query.filter || filter.all) {
        rows.rows.filtered = dropped;
        rows.rows.context = &filter;
    }
    rc = phoenix_run(&run, &o->cost);
    return rc != 0 ? rc : phoenix_7580_check(&run, &o->bug);
}

static struct phoenix_case *case_of(struct recordings *r, const struct truth_table *t, size_t i)
{
    const char *name = truth_cell(t, i, "table"), *layout = truth_cell(t, i, "layout");
    struct phoenix_case *c;

    for (size_t k = 0; k < r->cases_len; k++)
        if (strcmp(r->cases[k]->name, name) == 0)
            return r->cases[k];
    if (r->cases_len == CASES_MAX)
        return NULL;
    c = calloc(1, sizeof *c);
    if (!c || phoenix_case_make(c, name, (uint32_t)truth_number(t, i, "salt_buckets"), layout ? layout : "",
                                &r->data) != 0) {
        free(c);
        return NULL;
    }
    r->cases[r->cases_len++] = c;
    return c;
}

static struct sql *query_of(struct recordings *r, const char *name)
{
    for (size_t i = 0; i < r->queries_len; i++)
        if (strcmp(r->query[i].name, name) == 0)
            return &r->query[i].sql;
    return NULL;
}

static int read_queries(struct recordings *r)
{
    const char *folder = r->v->folder;
    struct truth_table t;
    int rc;

    /* The queries of both folders stand in phoenix-reads. */
    r->v->folder = "phoenix-reads";
    rc = truth_reads_open(r->v, r->dir, "queries.tsv", &t);
    r->v->folder = folder;
    if (rc != 0)
        return -1;
    for (size_t i = 0; i < t.rows && r->queries_len < QUERIES_MAX; i++) {
        struct named_sql *q = &r->query[r->queries_len];

        snprintf(q->name, sizeof q->name, "%s", truth_cell(&t, i, "query"));
        if (sql_parse(truth_cell(&t, i, "sql"), &q->sql) == 0)
            r->queries_len++;
        else
            verdict_text(r->v, q->name, "SQL", truth_cell(&t, i, "sql"), "not read", "queries.tsv");
    }
    truth_table_free(&t);
    return 0;
}

/* A recorded row's table and query, run. False (and counted as off) where the query isn't known. */
static bool run_row(struct recordings *r, const struct truth_table *t, size_t i, struct outcome *o)
{
    struct phoenix_case *c = case_of(r, t, i);
    struct sql *sql = query_of(r, truth_cell(t, i, "query"));

    if (c && sql && run_query(c, sql, strcmp(truth_cell(t, i, "force_rowkeyorder"), "true") == 0, 0, 0, o) == 0)
        return true;
    verdict_text(r->v, truth_cell(t, i, "query"), "query", "known", "unknown", truth_cell(t, i, "table"));
    return false;
}

static void where_of(const struct truth_table *t, size_t i, char *out, size_t cap)
{
    snprintf(out, cap, "%s %s force=%s", truth_cell(t, i, "table"), truth_cell(t, i, "query"),
             truth_cell(t, i, "force_rowkeyorder"));
}

/* Scans of an 8-chunk plan with guideposts: their keys are where full scans begin inside a region. */
static void add_guideposts(struct recordings *r)
{
    struct truth_table t;

    if (truth_reads_open(r->v, r->dir, "scans.tsv", &t) != 0)
        return;
    for (size_t i = 0; i < t.rows; i++) {
        struct phoenix_case *c;
        uint8_t key[64], region[64];
        const size_t n = truth_unhex(truth_cell(&t, i, "scan_start_hex"), key, sizeof key);
        const size_t m = truth_unhex(truth_cell(&t, i, "region_start_hex"), region, sizeof region);

        if (!strstr(truth_cell(&t, i, "layout"), "GUIDE_POSTS") || strcmp(truth_cell(&t, i, "query"), "full") != 0)
            continue;
        c = case_of(r, &t, i);
        if (c && n > 0 && (n != m || memcmp(key, region, n) != 0))
            saltkey_keys_add(&c->guideposts, (struct saltkey_slice){key, n});
    }
    for (size_t k = 0; k < r->cases_len; k++)
        if (r->cases[k]->guideposts.count > 0 && saltkey_keys_finish(&r->cases[k]->guideposts, NULL) == 0)
            r->cases[k]->table.guideposts = &r->cases[k]->guideposts;
    truth_table_free(&t);
}

/* ---- explain.tsv ---- */

struct lines {
    char line[16][512];
    size_t count;
};

static void keep_line(void *context, const char *line)
{
    struct lines *l = context;

    if (l->count < 16)
        snprintf(l->line[l->count++], sizeof l->line[0], "%s", line);
}

/* Cuts " n ROWS m BYTES": an estimate from statistics, which aren't made here. */
static void cut_estimate(char *line)
{
    char *rows = strstr(line, " ROWS "), *bytes = strstr(line, " BYTES "), *from = strstr(line, "-CHUNK ");

    if (rows && bytes && from)
        memmove(from + strlen("-CHUNK "), bytes + strlen(" BYTES "), strlen(bytes + strlen(" BYTES ")) + 1);
}

static bool same_plan(const struct truth_table *t, size_t a, size_t b)
{
    static const char *const key[] = {"table", "force_rowkeyorder", "query"};

    for (size_t k = 0; k < 3; k++)
        if (strcmp(truth_cell(t, a, key[k]), truth_cell(t, b, key[k])) != 0)
            return false;
    return true;
}

static void judge_plan(struct recordings *r, const struct truth_table *t, size_t first, size_t n)
{
    struct phoenix_case *c = case_of(r, t, first);
    struct sql *sql = query_of(r, truth_cell(t, first, "query"));
    struct lines ours = {.count = 0};
    struct outcome o;
    char where[128], group[100];

    if (!run_row(r, t, first, &o))
        return;
    where_of(t, first, where, sizeof where);
    snprintf(group, sizeof group, "%s", truth_cell(t, first, "query"));
    phoenix_plan_text(&c->table, &sql->query, &o.plan, keep_line, &ours);
    verdict_number(r->v, group, "lines of the plan", (double)n, (double)ours.count, where);
    for (size_t i = 0; i < n && i < ours.count; i++) {
        char real[512];

        snprintf(real, sizeof real, "%s", truth_cell(t, first + i, "plan"));
        if (c->table.guideposts && o.plan.estimated_rows == 0)
            cut_estimate(real);
        verdict_text(r->v, group, "plan", real, ours.line[i], where);
    }
    phoenix_plan_free(&o.plan);
}

static void judge_explain(struct recordings *r)
{
    struct truth_table t;

    if (truth_reads_open(r->v, r->dir, "explain.tsv", &t) != 0)
        return;
    for (size_t i = 0, n; i < t.rows; i += n) {
        for (n = 1; i + n < t.rows && same_plan(&t, i, i + n); n++)
            ;
        judge_plan(r, &t, i, n);
    }
    truth_table_free(&t);
}

/* ---- metrics.tsv, order.tsv ---- */

static uint64_t groups_of(struct recordings *r, const struct sql *sql)
{
    uint64_t seen[256] = {0}, n = 0;
    const bool by_value = strcmp(sql->group_text, "V") == 0;
    const uint64_t mod = by_value ? r->data.value_mod : r->data.devices;

    if (sql->query.aggregate == PHOENIX_GROUPS_BY_KEY)
        return r->data.rows;
    for (uint64_t i = 0; i < r->data.rows; i++) {
        const uint64_t value = by_value ? i % mod : phoenix_data_dev(&r->data, i);

        if (value < 256 && !seen[value]++)
            n++;
    }
    return n;
}

static void judge_metrics(struct recordings *r, bool losing)
{
    struct truth_table t;

    if (truth_reads_open(r->v, r->dir, "metrics.tsv", &t) != 0)
        return;
    for (size_t i = 0; i < t.rows; i++) {
        const char *query = truth_cell(&t, i, "query");
        const struct sql *sql = query_of(r, query);
        const uint64_t rows = truth_number(&t, i, "rows");
        struct outcome o;
        char where[128];
        bool groups;

        if (!run_row(r, &t, i, &o))
            continue;
        where_of(&t, i, where, sizeof where);
        groups = sql->query.aggregate == PHOENIX_GROUPS || sql->query.aggregate == PHOENIX_GROUPS_BY_KEY;
        verdict_number(r->v, query, "rows", (double)rows,
                       (double)(groups ? groups_of(r, sql) : o.cost.scan.rows_returned), where);
        verdict_number(r->v, query, "scanner_opens", (double)truth_number(&t, i, "scanner_opens"),
                       (double)o.cost.scan.scans, where);
        verdict_number(r->v, query, "scan_nexts", (double)truth_number(&t, i, "scan_nexts"), (double)o.cost.next_calls,
                       where);
        verdict_number(r->v, query, "gets", (double)truth_number(&t, i, "gets"), 0, where);
        if (sql->query.aggregate == PHOENIX_ROWS) {
            verdict_number(r->v, query, "rows predicted with the bug", (double)rows, (double)o.bug.rows_returned,
                           where);
            if (!losing || rows != o.bug.rows_right)
                verdict_number(r->v, query, "warning of PHOENIX-7580", rows != o.bug.rows_right, o.bug.warns, where);
        } else if (!losing) {
            verdict_number(r->v, query, "warning of PHOENIX-7580", 0, o.bug.warns, where);
        }
        phoenix_plan_free(&o.plan);
    }
    truth_table_free(&t);
}

/* Whether the recorded rows of a query in key order are the right ones: those of the same table with one
   region for each bucket. */
static void judge_key_order(struct recordings *r, const struct truth_table *t, size_t i, const struct outcome *o)
{
    const char *query = truth_cell(t, i, "query");
    const struct phoenix_query *q = &query_of(r, query)->query;
    struct phoenix_case plain;
    struct outcome right;
    char where[128];

    if (!o->plan.merge_sort)
        return;
    where_of(t, i, where, sizeof where);
    if (q->limit == 0)
        verdict_number(r->v, query, "key order broken", strcmp(truth_cell(t, i, "ordered"), "no") == 0,
                       o->bug.order_broken, where);
    if (o->bug.order_broken ||
        phoenix_case_make(&plain, "plain", (uint32_t)truth_number(t, i, "salt_buckets"), "", &r->data) != 0)
        return;
    if (run_query(&plain, query_of(r, query), q->force_row_key_order, 0, 0, &right) == 0) {
        verdict_number(r->v, query, "warning of PHOENIX-7580 in key order",
                       strcmp(truth_cell(t, i, "first_rows"), right.rows.first_rows) != 0, o->bug.warns, where);
        phoenix_plan_free(&right.plan);
    }
    phoenix_case_free(&plain);
}

static void judge_order(struct recordings *r)
{
    struct truth_table t;

    if (truth_reads_open(r->v, r->dir, "order.tsv", &t) != 0)
        return;
    for (size_t i = 0; i < t.rows; i++) {
        const char *query = truth_cell(&t, i, "query"), *layout = truth_cell(&t, i, "layout");
        const struct sql *sql = query_of(r, query);
        const uint64_t rows = truth_number(&t, i, "rows");
        struct outcome o;
        char where[128];
        const char *ordered;

        if (!run_row(r, &t, i, &o))
            continue;
        where_of(&t, i, where, sizeof where);
        if (sql->query.aggregate != PHOENIX_ROWS || (strstr(layout, "GUIDE_POSTS") && o.plan.round_robin)) {
            phoenix_plan_free(&o.plan);
            continue; /* guideposts' round robin isn't told by the recording */
        }
        ordered = rows <= 1 ? "-" : o.rows.ascending ? "asc" : o.rows.descending ? "desc" : "no";
        verdict_text(r->v, query, "ordered", truth_cell(&t, i, "ordered"), ordered, where);
        verdict_number(r->v, query, "bucket_runs", (double)truth_number(&t, i, "bucket_runs"), (double)o.rows.runs,
                       where);
        verdict_text(r->v, query, "first_rows", truth_cell(&t, i, "first_rows"), o.rows.first_rows, where);
        if (phoenix_buckets(&o.rows.c->table) > 0)
            verdict_text(r->v, query, "first_buckets", truth_cell(&t, i, "first_buckets"), o.rows.first_buckets,
                         where);
        if (sql->query.order != PHOENIX_BY_OTHER)
            judge_key_order(r, &t, i, &o);
        phoenix_plan_free(&o.plan);
    }
    truth_table_free(&t);
}

/* ---- scans.tsv: the scanners that were opened ---- */

static void hex_or_dash(struct saltkey_slice s, char *out)
{
    snprintf(out, 3, "-");
    for (size_t i = 0; i < s.len; i++)
        snprintf(out + 2 * i, 3, "%02x", s.bytes[i]);
}

static void scan_text(const struct phoenix_plan *p, const struct phoenix_scan *s, char *out, size_t cap)
{
    char a[256], b[256];

    hex_or_dash(p->reverse ? s->stop : s->start, a);
    hex_or_dash(p->reverse ? s->start : s->stop, b);
    snprintf(out, cap, "%s %s %s %s %s", a, (p->reverse ? s->stop_inclusive : s->start_inclusive) ? "i" : "x", b,
             (p->reverse ? s->start_inclusive : s->stop_inclusive) ? "i" : "x", p->reverse ? "rev" : "fwd");
}

static bool recorded_scan(const struct truth_table *t, size_t first, const char *force, const char *ours)
{
    for (size_t i = 0; i < t->rows; i++) {
        const char *f = truth_cell(t, i, "force_rowkeyorder");
        char real[512];

        if (strcmp(truth_cell(t, i, "table"), truth_cell(t, first, "table")) != 0 ||
            strcmp(truth_cell(t, i, "query"), truth_cell(t, first, "query")) != 0 ||
            (strcmp(f, "both") != 0 && strcmp(force, "both") != 0 && strcmp(f, force) != 0))
            continue;
        snprintf(real, sizeof real, "%s %s %s %s %s", truth_cell(t, i, "scan_start_hex"),
                 truth_cell(t, i, "start_incl"), truth_cell(t, i, "scan_stop_hex"), truth_cell(t, i, "stop_incl"),
                 truth_cell(t, i, "direction"));
        if (strcmp(real, ours) == 0)
            return true;
    }
    return false;
}

static void judge_scans_of(struct recordings *r, const struct truth_table *t, size_t first, size_t n)
{
    const char *query = truth_cell(t, first, "query"), *force = truth_cell(t, first, "force_rowkeyorder");
    struct outcome o;
    char where[128];
    size_t opened;

    if (!run_row(r, t, first, &o))
        return;
    where_of(t, first, where, sizeof where);
    opened = o.cost.scan.scans;
    verdict_number(r->v, query, "scans", (double)n, (double)opened, where);
    for (size_t i = 0; i < o.plan.chunks && i < 1024; i++) {
        char ours[600];

        if (!o.opened[i])
            continue;
        scan_text(&o.plan, &o.plan.scans[i], ours, sizeof ours);
        verdict_text(r->v, query, "scan's ends", ours, recorded_scan(t, first, force, ours) ? ours : "not recorded",
                     where);
    }
    phoenix_plan_free(&o.plan);
}

static void judge_scans(struct recordings *r)
{
    struct truth_table t;

    if (truth_reads_open(r->v, r->dir, "scans.tsv", &t) != 0)
        return;
    for (size_t i = 0, n; i < t.rows; i += n) {
        for (n = 1; i + n < t.rows && same_plan(&t, i, i + n); n++)
            ;
        judge_scans_of(r, &t, i, n);
    }
    truth_table_free(&t);
}

static void free_cases(struct recordings *r)
{
    for (size_t i = 0; i < r->cases_len; i++) {
        phoenix_case_free(r->cases[i]);
        free(r->cases[i]);
    }
    r->cases_len = 0;
}

static unsigned run_folder(const char *dir, const char *folder, bool losing, unsigned *cases, unsigned *absent)
{
    static struct recordings r;
    struct verdicts v = {.folder = folder};
    struct truth_table t;
    unsigned failed;

    memset(&r, 0, sizeof r);
    r.v = &v;
    r.dir = dir;
    if (truth_reads_open(&v, dir, "metrics.tsv", &t) == 0) {
        if (phoenix_data_read(&t, &r.data) == 0 && read_queries(&r) == 0) {
            add_guideposts(&r);
            judge_explain(&r);
            judge_metrics(&r, losing);
            judge_order(&r);
            judge_scans(&r);
        }
        if (!losing)
            truth_phoenix_rpcs(&v, dir);
        truth_table_free(&t);
    }
    failed = verdicts_print(&v, cases);
    *absent += v.absent;
    free_cases(&r);
    return failed;
}

int main(int argc, char **argv)
{
    unsigned cases = 0, failed = 0, absent = 0;

    if (argc != 2) {
        fprintf(stderr, "usage: %s DIR\n", argv[0]);
        return 2;
    }
    printf("folder\tcase\tquantity\treal\tours\tdifference\tband\tvalues\tverdict\n");
    failed += run_folder(argv[1], "phoenix-reads", false, &cases, &absent);
    failed += run_folder(argv[1], "phoenix-bug7580", true, &cases, &absent);
    printf("phoenix: %u cases, %u failed, %u tables absent\n", cases, failed, absent);
    if (cases == 0)
        printf("phoenix: no case found: FAIL\n");
    return failed > 0 || cases == 0;
}
