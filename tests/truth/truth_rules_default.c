/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/compaction_policy.h"
#include "hbase/rules/memstore.h"
#include "hbase/rules/split_policy.h"

/* One region with HBase's defaults, written list by list up to its first split: flushes, the compaction of three
   and the daughters, by the rules alone. */

enum { LIST_ROWS = 1000, MAX_STORE_FILES = 16 };

struct file {
    uint64_t first, count;         /* events */
    struct hfile_layout layout;
};

struct region {
    const struct truth_table *t;
    struct truth_report *r;
    size_t at;                     /* the next row of the table */
    const char *name;
    struct truth_stream s;
    struct truth_shape shape;
    struct hfile_options o;
    uint64_t kv_bytes, cell_heap;
    uint64_t *list_id;             /* sequence id of each list */
    size_t lists, capacity;
    uint64_t next_id, heap, flushed;
    struct file file[MAX_STORE_FILES];
    size_t files;
};

static bool at_event(const struct region *g, const char *event)
{
    return g->at < g->t->rows && strcmp(truth_cell(g->t, g->at, "case"), g->name) == 0 &&
           strcmp(truth_cell(g->t, g->at, "event"), event) == 0;
}

static int lay_out(const struct region *g, struct file *f, const struct hfile_inputs *inputs, const struct split_point *cut,
                   bool top)
{
    struct truth_range range = {f->first, f->count, 0, 1};
    struct truth_rows rows, part;
    size_t from = 0, to;
    int rc;

    if (truth_rows_make(&g->s, &range, &rows))
        return -1;
    for (size_t i = 0; i < rows.count; i++)
        rows.seqid[i] = g->list_id[rows.event[i] / LIST_ROWS];
    to = rows.count;
    if (cut) {
        size_t k = 0;

        while (k < rows.count && memcmp(rows.row + k * rows.row_bytes, cut->row, cut->row_bytes) < 0)
            k++;
        if (top)
            from = k;
        else
            to = k;
    }
    part = rows;
    part.row += from * rows.row_bytes;
    part.event += from;
    part.seqid += from;
    part.timestamp += from;
    part.count = to - from;
    rc = truth_layout(&g->o, &part, &g->shape, inputs, &f->layout);
    truth_rows_free(&rows);
    return rc;
}

static uint64_t store_bytes(const struct region *g)
{
    uint64_t n = 0;

    for (size_t i = 0; i < g->files; i++)
        n += g->file[i].layout.file_bytes;
    return n;
}

static void judge_flush(struct region *g, uint64_t before, uint64_t rows)
{
    struct truth_report *r = g->r;
    char name[96], ours[32];
    const struct file *f = &g->file[g->files - 1];

    snprintf(name, sizeof name, "%s %s %u B flush at %" PRIu64 " rows", g->name, g->s.name, g->shape.value_bytes, rows);
    truth_case(r, name);
    snprintf(ours, sizeof ours, "%" PRIu64, f->layout.file_bytes);
    if (!at_event(g, "flush")) {
        truth_check_text(r, "event", g->at < g->t->rows ? truth_cell(g->t, g->at, "event") : "none", "flush");
        truth_case_end(r, "file_bytes", "-", ours, "exact");
        return;
    }
    truth_check(r, "rows_total", (double)truth_number(g->t, g->at, "rows_total"), (double)rows, 0);
    truth_check(r, "heap_before_list", (double)truth_number(g->t, g->at, "heap_before_list"), (double)before, 0);
    truth_check(r, "heap_at_request", (double)truth_number(g->t, g->at, "heap_at_request"), (double)g->heap, 0);
    truth_check(r, "data_at_request", (double)truth_number(g->t, g->at, "data_at_request"),
                (double)(f->count * g->kv_bytes), 0);
    truth_check(r, "store_bytes", (double)truth_number(g->t, g->at, "store_bytes"), (double)store_bytes(g), 0);
    truth_check(r, "MAX_SEQ_ID_KEY", (double)truth_number(g->t, g->at, "MAX_SEQ_ID_KEY"), (double)g->next_id, 0);
    truth_check_layout(r, g->t, g->at, &f->layout);
    truth_case_end(r, "file_bytes", truth_cell(g->t, g->at, "file_bytes"), ours, "exact");
    g->at++;
}

static int flush(struct region *g, uint64_t before, uint64_t rows)
{
    struct file *f = &g->file[g->files];

    if (g->files == MAX_STORE_FILES)
        return -1;
    *f = (struct file){.first = g->flushed, .count = rows - g->flushed};
    if (lay_out(g, f, NULL, NULL, false))
        return -1;
    g->files++;
    judge_flush(g, before, rows);
    g->next_id += 3;
    g->flushed = rows;
    g->heap = MEMSTORE_EMPTY_HEAP_BYTES;
    return 0;
}

static int compact(struct region *g, const struct compaction_request *q)
{
    uint32_t names[MAX_STORE_FILES];
    struct hfile_inputs inputs = {names, q->count};
    struct file f = {.first = g->file[q->first].first};
    char name[96], ours[32];

    for (size_t i = 0; i < q->count; i++) {
        names[i] = hfile_name_bytes(false, false, 0);
        f.count += g->file[q->first + i].count;
    }
    if (lay_out(g, &f, &inputs, NULL, false))
        return -1;
    g->next_id++;
    snprintf(name, sizeof name, "%s compaction of %zu", g->name, q->count);
    truth_case(g->r, name);
    snprintf(ours, sizeof ours, "%" PRIu64, f.layout.file_bytes);
    if (at_event(g, "compact")) {
        truth_check_layout(g->r, g->t, g->at, &f.layout);
        truth_case_end(g->r, "file_bytes", truth_cell(g->t, g->at, "file_bytes"), ours, "exact");
        g->at++;
    } else {
        truth_check_text(g->r, "event", "no compaction", "compact");
        truth_case_end(g->r, "file_bytes", "-", ours, "exact");
    }
    for (size_t i = 0; i < q->count; i++)
        hfile_layout_free(&g->file[q->first + i].layout);
    g->file[q->first] = f;
    for (size_t i = q->first + 1; i + q->count - 1 < g->files; i++)
        g->file[i] = g->file[i + q->count - 1];
    g->files -= q->count - 1;
    return 0;
}

/* A daughter's references and links, compacted into one file: its length and cells. */
static int daughter(const struct region *g, const struct split_file *files, const struct split_point *p, bool top,
                    struct hfile_layout *out)
{
    uint32_t names[MAX_STORE_FILES];
    struct hfile_inputs inputs = {names, 0};
    struct file f = {0};

    for (size_t i = 0; i < g->files; i++) {
        struct split_shares s = split_store_file(&files[i], p->row, p->row_bytes);
        enum split_share mine = top ? s.top : s.bottom;

        if (mine == SPLIT_SHARE_NOTHING)
            continue;
        if (f.count == 0)
            f.first = g->file[i].first;
        f.count += g->file[i].count;
        /* A link's name holds the table's, which the recording calls as the case. */
        names[inputs.count++] = hfile_name_bytes(mine == SPLIT_SHARE_LINK, mine == SPLIT_SHARE_REFERENCE,
                                                 (uint32_t)strlen(g->name));
    }
    if (lay_out(g, &f, &inputs, p, top))
        return -1;
    *out = f.layout;
    return 0;
}

static void judge_split(struct region *g, const struct split_file *files, const struct split_point *p)
{
    struct hfile_layout bottom = {0}, top = {0};
    char name[96], key[160] = "split_key=", ours[160] = "-";

    truth_hex(p->row, p->row_bytes, key + 10, sizeof key - 10);
    snprintf(name, sizeof name, "%s split", g->name);
    truth_case(g->r, name);
    if (!at_event(g, "split")) {
        truth_check_text(g->r, "event", "no split", "split");
        truth_case_end(g->r, "split_key", "-", key, "exact");
        return;
    }
    truth_check_text(g->r, "split_key", truth_cell(g->t, g->at, "file_bytes"), key);
    if (daughter(g, files, p, false, &bottom) == 0 && daughter(g, files, p, true, &top) == 0)
        snprintf(ours, sizeof ours, "%" PRIu64 ":%" PRIu64 " | %" PRIu64 ":%" PRIu64, bottom.file_bytes, bottom.cells,
                 top.file_bytes, top.cells);
    hfile_layout_free(&bottom);
    hfile_layout_free(&top);
    truth_check_text(g->r, "daughters' files", truth_cell(g->t, g->at, "files_after"), ours);
    truth_case_end(g->r, "split_key", truth_cell(g->t, g->at, "file_bytes"), key, "exact");
    g->at++;
}

static int after_flush(struct region *g, bool *split)
{
    struct split_file sf[MAX_STORE_FILES] = {0};
    struct compaction_file cf[MAX_STORE_FILES] = {0};
    struct split_store store = {sf, g->files};
    struct split_policy_config policy;
    struct compaction_config config;
    uint64_t bytes = store_bytes(g);
    struct split_input in = {.store_bytes = &bytes, .stores = 1, .regions_on_server = 1};
    struct compaction_input ci = {.files = cf, .count = g->files, .now_us = 1, .ttl_ms = UINT64_MAX};
    struct split_bounds bounds = {0};
    struct split_point point;
    struct compaction_request q;

    split_policy_config_default(&policy);
    compaction_config_default(&config);
    for (size_t i = 0; i < g->files; i++) {
        const struct hfile_layout *l = &g->file[i].layout;

        sf[i] = (struct split_file){l->file_bytes, l->mid_row, l->first_row, l->last_row, l->mid_row_bytes,
                                    l->first_row_bytes, l->last_row_bytes, false};
        cf[i] = (struct compaction_file){.file_bytes = l->file_bytes, .modified_us = 1};
    }
    if (split_should_split(&policy, &in).split &&
        split_region_point(&policy, &store, 1, &bounds, &point) == SPLIT_POINT_FOUND) {
        judge_split(g, sf, &point);
        *split = true;
        return 0;
    }
    q = compaction_select(&config, &ci);
    return q.count > 0 ? compact(g, &q) : 0;
}

static int run(struct region *g)
{
    bool split = false;
    int rc = 0;

    for (uint64_t rows = LIST_ROWS; rc == 0 && !split && g->at < g->t->rows &&
                                    strcmp(truth_cell(g->t, g->at, "case"), g->name) == 0; rows += LIST_ROWS) {
        uint64_t before = g->heap;

        if (g->lists == g->capacity) {
            size_t capacity = g->capacity ? 2 * g->capacity : 1024;
            uint64_t *p = realloc(g->list_id, capacity * sizeof *p);

            if (!p)
                return -1;
            g->list_id = p;
            g->capacity = capacity;
        }
        g->list_id[g->lists++] = g->next_id++;
        g->heap += LIST_ROWS * g->cell_heap;
        if (memstore_flush_due(g->heap, 134217728)) {
            rc = flush(g, before, rows);
            if (rc == 0)
                rc = after_flush(g, &split);
        }
        if (rows > 100 * UINT64_C(1000000))
            rc = -1;
    }
    return rc;
}

static size_t judge_case(const struct truth_table *t, size_t i, struct truth_report *r)
{
    struct region g = {.t = t, .r = r, .at = i, .name = truth_cell(t, i, "case")};
    uint8_t row[TRUTH_MAX_ROW];
    size_t next;

    g.s = (struct truth_stream){truth_cell(t, i, "stream"), (uint32_t)truth_comment_number(t, "N", 16),
                                truth_comment_number(t, "D", 1000), truth_comment_number(t, "step_ms", 10), 0};
    g.shape = (struct truth_shape){1, (uint32_t)truth_number(t, i, "value_bytes"), 1, false, NULL};
    hfile_options_default(&g.o);
    if (strcmp(truth_cell(t, i, "encoding"), "FAST_DIFF") == 0)
        g.o.encoding = HFILE_ENCODING_FAST_DIFF;
    g.kv_bytes = memstore_cell_data_bytes(truth_row(&g.s, 0, row), 1, 1, g.shape.value_bytes);
    g.cell_heap = memstore_cell_heap_bytes(g.kv_bytes);
    g.next_id = 4;
    g.heap = MEMSTORE_EMPTY_HEAP_BYTES;
    if (run(&g)) {
        truth_case(r, g.name);
        truth_check_text(r, "run", "done", "failed");
        truth_case_end(r, "run", "done", "failed", "exact");
    }
    for (next = i; next < t->rows && strcmp(truth_cell(t, next, "case"), g.name) == 0;)
        next++;
    if (g.at < next) {
        truth_case(r, g.name);
        truth_check(r, "events left over", 0, (double)(next - g.at), 0);
        truth_case_end(r, "events", "all", "some missing", "exact");
    }
    for (size_t k = 0; k < g.files; k++)
        hfile_layout_free(&g.file[k].layout);
    free(g.list_id);
    return next;
}

int truth_default_flush(const char *dir, struct truth_report *r)
{
    struct truth_table t;
    char path[4200];

    snprintf(path, sizeof path, "%s/default-flush.tsv", dir);
    if (truth_table_read(path, &t))
        return -1;
    for (size_t i = 0; i < t.rows;)
        i = judge_case(&t, i, r);
    truth_table_free(&t);
    return 0;
}
