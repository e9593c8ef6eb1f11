/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/phoenix.h"
#include "client/phoenix_writes.h"
#include "truth_reads.h"

/* Phoenix's upserts by region against recordings of a real one. Usage: truth_phoenix_writes DIR. Exit
   status 1 when a value is off or nothing was found. */

enum { SLICES = 10, REGIONS_MAX = 512 };

struct stream {
    uint64_t rows, commit_rows, start_ms, step_ms, devices;
    char key;                 /* W: ts, dev; H: host, ts; X: with an index */
};

struct table {
    const char *name;
    struct saltkey_scheme scheme;
    struct saltkey_keys splits;
    struct phoenix_region_writes slice[SLICES][REGIONS_MAX];
};

static void read_stream(const struct truth_table *t, size_t i, struct stream *s)
{
    const char *text = truth_cell(t, i, "case");
    unsigned long long start, step, n;

    memset(s, 0, sizeof *s);
    s->key = truth_cell(t, i, "table")[0];
    s->devices = truth_comment_number(t, "D", 1000);
    for (size_t k = 0; k < t->comments; k++) {
        const char *p = strstr(t->comment[k], "ts(i) = "), *c = strstr(t->comment[k], "commit every ");

        if (p && sscanf(p, "ts(i) = %llu + i*%llu", &start, &step) == 2) {
            s->start_ms = start;
            s->step_ms = step;
        }
        if (c && sscanf(c, "commit every %llu", &n) == 1)
            s->commit_rows = n;
        if (sscanf(t->comment[k], "# %llu rows", &n) == 1)
            s->rows = n;
    }
    if (sscanf(text, "%llu rows", &n) == 1)
        s->rows = n;
    text = strstr(text, "commit every ");
    if (text && sscanf(text, "commit every %llu", &n) == 1)
        s->commit_rows = n;
}

static int make_scheme(const struct stream *s, uint32_t buckets, struct saltkey_scheme *scheme)
{
    struct saltkey_layout l;
    struct saltkey_salt salt;

    return saltkey_layout_parse(s->key == 'H' ? "host:fixed(3) ts:i64" : "ts:i64 dev:i32", &l, NULL) != 0 ||
                   saltkey_salt_parse(buckets ? "phoenix" : "none", buckets, &salt, NULL) != 0
               ? -1
               : saltkey_scheme_init(scheme, &l, &salt, NULL, NULL);
}

static size_t make_row(const struct stream *s, const struct saltkey_scheme *scheme, uint64_t i, uint8_t *row)
{
    const uint64_t dev = (((i * UINT64_C(2654435761)) & UINT32_MAX) >> 8) % s->devices;
    const struct saltkey_value ts = saltkey_int((int64_t)(s->start_ms + i * s->step_ms));
    struct saltkey_buf out = {row, TRUTH_MAX_ROW, 0};
    struct saltkey_value v[2] = {ts, saltkey_int((int64_t)dev)};
    char host[16];

    if (s->key == 'H') {
        snprintf(host, sizeof host, "h%02u", (unsigned)(dev % 20));
        v[0] = saltkey_text(host);
        v[1] = ts;
    }
    return saltkey_salted(scheme, v, &out, NULL) == 0 ? out.len : 0;
}

static int run_commits(const struct stream *s, struct table *k)
{
    uint8_t *bytes = malloc(s->commit_rows * TRUTH_MAX_ROW + 1);
    struct saltkey_slice *rows = malloc((s->commit_rows + 1) * sizeof *rows);
    int rc = bytes && rows && s->commit_rows > 0 ? 0 : -1;

    for (uint64_t at = 0; rc == 0 && at < s->rows; at += s->commit_rows) {
        const uint64_t n = s->rows - at < s->commit_rows ? s->rows - at : s->commit_rows;

        for (uint64_t i = 0; i < n; i++) {
            rows[i].bytes = bytes + i * TRUTH_MAX_ROW;
            rows[i].len = make_row(s, &k->scheme, at + i, bytes + i * TRUTH_MAX_ROW);
        }
        rc = phoenix_commit(&k->splits, rows, n, PHOENIX_BATCH_ROWS, k->slice[at * SLICES / s->rows]) < 0;
    }
    free(rows);
    free(bytes);
    return rc;
}

/* Rows first .. first + n - 1 of the file are one recorded table's. */
static size_t rows_of_table(const struct truth_table *t, size_t first)
{
    size_t n = 1;

    while (first + n < t->rows && strcmp(truth_cell(t, first, "table"), truth_cell(t, first + n, "table")) == 0)
        n++;
    return n;
}

static uint32_t regions_of(const struct truth_table *t, size_t first, size_t n, const char *table,
                           struct saltkey_keys *splits)
{
    uint32_t regions = 0;

    for (size_t i = first; i < first + n; i++) {
        uint8_t key[64];
        size_t len;

        if (strcmp(truth_cell(t, i, "slice"), "total-rows") != 0 || strcmp(truth_cell(t, i, "region_table"), table) != 0)
            continue;
        regions++;
        len = truth_unhex(truth_cell(t, i, "region_start_hex"), key, sizeof key);
        if (splits && len > 0)
            saltkey_keys_add(splits, (struct saltkey_slice){key, len});
    }
    if (splits && splits->count > 0)
        saltkey_keys_finish(splits, NULL);
    return regions;
}

static void judge_regions(struct verdicts *v, const struct truth_table *t, size_t first, size_t n,
                          const struct table *k)
{
    for (size_t i = first; i < first + n; i++) {
        const uint64_t region = truth_number(t, i, "region_index");
        const bool total = strcmp(truth_cell(t, i, "slice"), "total-rows") == 0;
        struct phoenix_region_writes w = {0, 0};
        char where[64];

        if (region >= REGIONS_MAX)
            continue;
        snprintf(where, sizeof where, "%s slice %s region %llu", k->name, truth_cell(t, i, "slice"),
                 (unsigned long long)region);
        for (size_t s = 0; s < SLICES; s++)
            if (total || s == truth_number(t, i, "slice")) {
                w.calls += k->slice[s][region].calls;
                w.mutations += k->slice[s][region].mutations;
            }
        verdict_number(v, k->name, total ? "rows" : "write_requests", (double)truth_number(t, i, "write_requests"),
                       (double)w.mutations, where);
        if (!total)
            verdict_number(v, k->name, "batches", (double)truth_number(t, i, "batches"), (double)w.calls, where);
    }
}

/* A table with a global index: the rule's totals. */
static void judge_index(struct verdicts *v, const struct truth_table *t, size_t first, size_t n,
                        const struct stream *s)
{
    const char *data = truth_cell(t, first, "table");
    char index[64];
    uint32_t data_regions, index_regions;
    uint64_t sums[2][2] = {{0, 0}, {0, 0}};

    snprintf(index, sizeof index, "%.60sI", data);
    data_regions = regions_of(t, first, n, data, NULL);
    index_regions = regions_of(t, first, n, index, NULL);
    for (size_t i = first; i < first + n; i++) {
        const bool of_index = strcmp(truth_cell(t, i, "region_table"), index) == 0;

        if (strcmp(truth_cell(t, i, "slice"), "total-rows") == 0)
            continue;
        sums[of_index][0] += truth_number(t, i, "batches");
        sums[of_index][1] += truth_number(t, i, "mutations");
    }
    /* The keys of these rows aren't told: the expected calls, within a hundredth. */
    verdict_near(v, data, "batches", (double)sums[0][0],
                 phoenix_region_calls(s->rows, s->commit_rows, PHOENIX_BATCH_ROWS, data_regions), data);
    verdict_number(v, data, "mutations", (double)sums[0][1], (double)s->rows, data);
    verdict_near(v, data, "index batches", (double)sums[1][0],
                 phoenix_index_calls(s->rows, s->commit_rows, PHOENIX_BATCH_ROWS, data_regions, index_regions), index);
    verdict_number(v, data, "index mutations", (double)sums[1][1], (double)phoenix_index_mutations(s->rows), index);
}

static void judge_table(struct verdicts *v, const struct truth_table *t, size_t first, size_t n)
{
    struct table *k = calloc(1, sizeof *k);
    struct stream s;

    if (!k)
        return;
    read_stream(t, first, &s);
    k->name = truth_cell(t, first, "table");
    saltkey_keys_init(&k->splits, NULL);
    if (s.key == 'X') {
        judge_index(v, t, first, n, &s);
    } else if (make_scheme(&s, (uint32_t)truth_number(t, first, "salt_buckets"), &k->scheme) == 0) {
        regions_of(t, first, n, k->name, &k->splits);
        if (k->splits.count < REGIONS_MAX && run_commits(&s, k) == 0)
            judge_regions(v, t, first, n, k);
        else
            verdict_text(v, k->name, "commits", "run", "not run", "regions.tsv");
    }
    saltkey_keys_free(&k->splits);
    free(k);
}

int main(int argc, char **argv)
{
    struct verdicts v = {.folder = "phoenix-writes"};
    struct truth_table t;
    unsigned cases = 0, failed;

    if (argc != 2) {
        fprintf(stderr, "usage: %s DIR\n", argv[0]);
        return 2;
    }
    printf("folder\tcase\tquantity\treal\tours\tdifference\tband\tvalues\tverdict\n");
    if (truth_reads_open(&v, argv[1], "regions.tsv", &t) == 0) {
        for (size_t i = 0, n; i < t.rows; i += n) {
            n = rows_of_table(&t, i);
            judge_table(&v, &t, i, n);
        }
        truth_table_free(&t);
    }
    failed = verdicts_print(&v, &cases);
    printf("phoenix-writes: %u cases, %u failed, %u tables absent\n", cases, failed, v.absent);
    if (cases == 0)
        printf("phoenix-writes: no case found: FAIL\n");
    return failed > 0 || cases == 0;
}
