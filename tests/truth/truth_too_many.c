/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A store with more files than blockingStoreFiles: its next flush is postponed for blockingWaitTime, writes go on
   up to the refusal limit. Recorded with compactions held off; rows, files and heap are exact, the wait is not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/memstore.h"
#include "truth_timelines.h"

struct shape {
    unsigned blocking, value_bytes, batch, multiplier;
    double flush_mib;
};

/* More than any recorded store took before it refused. */
#define ROWS_MOST (100 * UINT64_C(1000000))

static struct region *only_region(const struct timeline *tl)
{
    return tl->model->regions[tl->model->tables[0].regions[0]];
}

/* Until no flush is asked for, but no longer than |most|. */
static double wait_for_flush(struct timeline *tl, des_time most)
{
    const des_time from = des_now(tl->cal), step = 10 * DES_MS;

    while (only_region(tl)->flush_requested && des_now(tl->cal) - from < most)
        des_run(tl->cal, des_now(tl->cal) + step);
    return (double)(des_now(tl->cal) - from) / (double)DES_MS;
}

static void check_line(const struct truth_table *t, size_t i, const struct timeline *tl, uint64_t rows,
                       struct truth_report *r)
{
    const struct region *g = only_region(tl);

    truth_check(r, "rows_ok", (double)truth_number(t, i, "rows_ok"), (double)rows, 0);
    truth_check(r, "store_files", (double)truth_number(t, i, "store_files"), (double)g->stores[0].files_len, 0);
    truth_check(r, "mem_heap_bytes", (double)truth_number(t, i, "mem_heap_bytes"),
                (double)store_heap_bytes(&g->stores[0]), 0);
    truth_check(r, "flush_requested", (double)truth_number(t, i, "flush_requested"), g->flush_requested, 0);
    truth_check(r, "blocked_requests", (double)truth_number(t, i, "blocked_requests"), (double)g->blocked_requests, 0);
}

/* Lines first .. end - 1 are one case's. */
static void play(const struct truth_table *t, size_t first, size_t end, struct timeline *tl, unsigned batch,
                 struct truth_report *r)
{
    uint64_t rows = 0;
    bool postponed = false;

    for (size_t i = first; i < end && tl->model->error == 0;) {
        const char *result = truth_cell(t, i, "result");

        if (strcmp(result, "gate_opened") == 0) {
            const double real = (double)truth_number(t, i, "ms");

            truth_check(r, "wait after the refusal, ms", real, wait_for_flush(tl, 3600 * DES_S), 0.1 * real);
            check_line(t, i++, tl, rows, r);
            continue;
        }
        timeline_put(tl, rows, batch);
        if (tl->failed_actions > 0) {
            truth_check_text(r, "result", result, "reject");
            tl->failed_actions = 0;
            check_line(t, i++, tl, rows, r);
            continue;
        }
        rows += batch;
        if (!only_region(tl)->flush_requested && only_region(tl)->stores[0].active.cells > 0)
            continue; /* only batches that ask for a flush have a line */
        if (!postponed)
            wait_for_flush(tl, 1500 * DES_MS);
        postponed = only_region(tl)->flush_requested;
        truth_check_text(r, "result", result, "ok");
        check_line(t, i++, tl, rows, r);
        if (rows > ROWS_MOST) {
            truth_check(r, "rows_ok where the model gave up", (double)truth_number(t, i, "rows_ok"), (double)rows, 0);
            break;
        }
    }
    truth_check(r, "model errors", 0, tl->model->error, 0);
}

static size_t run_case(const struct truth_table *t, size_t first, struct truth_report *r)
{
    const char *name = t->row[first][0];
    const struct truth_stream stream = {"TIME", 1, truth_comment_number(t, "D", 1000), truth_comment_number(t, "step_ms", 10), 0};
    struct timeline_settings s = {.policy = "DisabledRegionSplitPolicy", .qualifier = "v", .table = "t", .stream = stream,
                                  .families = 1, .servers = 1, .max_file_bytes = UINT64_C(10) << 30,
                                  .archive = true, .first_server = -1};
    const struct key_source source = timeline_source(&s);
    struct shape c;
    struct timeline tl;
    size_t end = first;
    char text[64];

    while (end < t->rows && strcmp(t->row[end][0], name) == 0)
        end++;
    truth_case(r, name);
    if (sscanf(name, "block%u_v%u_b%u_fl%lf_x%u", &c.blocking, &c.value_bytes, &c.batch, &c.flush_mib, &c.multiplier) != 5 ||
        c.batch == 0 || c.value_bytes == 0 || c.flush_mib <= 0) {
        timeline_refuse(r, "name of the case", name);
        return end;
    }
    snprintf(s.family[0].name, sizeof s.family[0].name, "d");
    s.family[0].value_bytes = c.value_bytes;
    s.family[0].every = 1;
    s.patience = DES_MS + (des_time)c.batch * 5 * DES_US; /* ample for the call, short beside blockingWaitTime */
    s.site_flush_bytes = s.flush_bytes = (uint64_t)(c.flush_mib * 1048576);
    s.flush = (struct flush_policy_config){FLUSH_ALL_LARGE_STORES, s.flush_bytes, 0, UINT64_C(16) << 20};
    if (timeline_open(&tl, &s, &source) == 0) {
        tl.spec.hbase.blocking_store_files = (int)c.blocking;
        tl.spec.hbase.blocking_wait_ns = (int64_t)timeline_number(t, "blockingWaitTime=", 90000) * 1000000;
        tl.spec.hbase.memstore_block_multiplier = c.multiplier;
        tl.model->tables[0].compaction.min_files = (uint32_t)timeline_number(t, "compaction.min=", 100);
        tl.model->tables[0].compaction.blocking_store_files = c.blocking;
        play(t, first, end, &tl, c.batch, r);
    } else {
        truth_check_text(r, "model", "begins", "does not");
    }
    snprintf(text, sizeof text, "%zu lines", end - first);
    truth_case_end(r, "rows, files and heap of each line", text, text, "exact; the wait 10 %");
    timeline_close(&tl);
    return end;
}

void truth_too_many_files(const char *base, const char *name, struct truth_report *r)
{
    struct truth_table t;
    char path[8300];

    snprintf(path, sizeof path, "%stoo_many_files.tsv", base);
    truth_case(r, name[0] ? name : "too_many_files");
    if (truth_table_read(path, &t) != 0) {
        timeline_refuse(r, "table", path);
        return;
    }
    if (t.rows == 0)
        timeline_refuse(r, "lines of the table", "none");
    for (size_t i = 0; i < t.rows;)
        i = run_case(&t, i, r);
    truth_table_free(&t);
}
