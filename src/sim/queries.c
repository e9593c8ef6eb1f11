/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/queries.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/scan_time.h"
#include "sim/queries_phoenix.h"
#include "spec/scheme.h"

#define KEY_MAX 1024
/* Retries a query that are worth a word. */
#define RETRIES_SAID 0.05

static char *copy_text(const char *s)
{
    char *p = malloc(strlen(s) + 1);

    return p ? strcpy(p, s) : NULL;
}

/* Regions that rows in [start, stop) may lie in; an exclusive stop on a boundary opens no further
   region (recorded). */
static size_t regions_of(const struct model *m, const struct table *t, const struct saltkey_range *range)
{
    size_t n = 0;

    if (range->empty)
        return 0;
    for (size_t i = 0; i < t->regions_len; i++) {
        const struct region *r = m->regions[t->regions[i]];
        const struct saltkey_slice start = {r->start.bytes, r->start.len}, end = {r->end.bytes, r->end.len};
        const struct saltkey_slice from = {range->start.bytes, range->start.len};
        const struct saltkey_slice to = {range->stop.bytes, range->stop.len};

        if (to.len > 0 && saltkey_compare(start, to) >= 0)
            continue;
        if (end.len > 0 && saltkey_compare(end, from) <= 0)
            continue;
        n++;
    }
    return n;
}

/* Scans and regions of one query, and whether rows must be filtered. */
static int lay_over(const struct model *m, const struct table *t, const struct spec_query *q,
                    int64_t last_ms, struct result_query *out)
{
    uint8_t start[KEY_MAX], stop[KEY_MAX], a[KEY_MAX], b[KEY_MAX];
    struct saltkey_window w;
    size_t regions = 0;
    int rc;

    memset(&w, 0, sizeof w);
    w.start = (struct saltkey_buf){start, sizeof start, 0};
    w.stop = (struct saltkey_buf){stop, sizeof stop, 0};
    switch (q->kind) {
    case SPEC_QUERY_GET:
    case SPEC_QUERY_MULTIGET:
        out->scans = 1;
        out->regions = 1;
        return 0;
    case SPEC_QUERY_RANGE:
    case SPEC_QUERY_HISTORY:
    case SPEC_QUERY_NEWEST:
        if (q->kind == SPEC_QUERY_NEWEST && !q->field) {
            rc = saltkey_window_prefix(&t->scheme, (struct saltkey_slice){NULL, 0}, &w);
            break;
        }
        rc = spec_query_window(&t->scheme, q, last_ms > q->window_ns / DES_MS ? last_ms - q->window_ns / DES_MS : 0, last_ms,
                               &w);
        break;
    case SPEC_QUERY_PREFIX:
        rc = saltkey_window_prefix(&t->scheme, (struct saltkey_slice){q->prefix.bytes, q->prefix.len}, &w);
        break;
    default:
        rc = saltkey_window_prefix(&t->scheme, (struct saltkey_slice){NULL, 0}, &w);
    }
    if (rc != 0)
        return rc;
    /* A hashed prefix has no order worth keeping: what isn't one prefix is one scan of the table. */
    if (spec_scheme_hashed_prefix(&t->scheme) && !w.one_bucket) {
        out->scans = 1;
        out->regions = (double)t->regions_len;
        return 0;
    }
    out->scans = (double)w.scans;
    if (q->kind == SPEC_QUERY_NEWEST) {
        out->regions = out->scans; /* each scan ends in the region where it begins */
        return 0;
    }
    for (uint64_t i = 0; i < w.scans; i++) {
        struct saltkey_range range = {.start = {a, sizeof a, 0}, .stop = {b, sizeof b, 0}};

        if (saltkey_window_range(&t->scheme, &w, i, &range) == 0)
            regions += regions_of(m, t, &range);
    }
    out->regions = (double)regions;
    return 0;
}

static char *kind_text(const struct spec_query *q)
{
    char text[160];
    size_t len = (size_t)snprintf(text, sizeof text, "%s", q->count ? "count " : "");
    const double s = (double)q->window_ns / 1e9;

    switch (q->kind) {
    case SPEC_QUERY_RANGE: snprintf(text + len, sizeof text - len, "range %.6gs", s); break;
    case SPEC_QUERY_NEWEST: snprintf(text + len, sizeof text - len, "newest %lld%s%.60s", (long long)q->newest,
                 q->field ? " " : "", q->field ? q->field : "");
        break;
    case SPEC_QUERY_MULTIGET:
        snprintf(text + len, sizeof text - len, "multiget %lld", (long long)q->newest);
        break;
    case SPEC_QUERY_GET: snprintf(text + len, sizeof text - len, "get"); break;
    case SPEC_QUERY_HISTORY: snprintf(text + len, sizeof text - len, "history %.60s %.6gs", q->field, s); break;
    case SPEC_QUERY_PREFIX: snprintf(text + len, sizeof text - len, "prefix"); break;
    default: snprintf(text + len, sizeof text - len, "full");
    }
    return copy_text(text);
}

static double us(const struct des_histogram *h, double p)
{
    uint64_t ns;

    return des_histogram_quantile(h, p, &ns) == DES_OK ? (double)ns / 1000 : (double)NAN;
}

/* What a user must know, one sentence after the other; NULL where there is nothing. |loses|: regions of the last bucket
   but one, by which Phoenix leaves the last one out; 0: it doesn't. */
static int note(const struct query_run *r, size_t loses, struct result_query *out)
{
    const struct spec_query *qry = r->reader.query;
    char text[800] = "";
    size_t len = 0;

    if (r->filtered)
        len += (size_t)snprintf(text + len, sizeof text - len, "not a range of this key: %.4g rows are read and filtered. ",
                                out->rows_scanned);
    if (qry->kind == SPEC_QUERY_NEWEST && r->reader.rows->written < (uint64_t)qry->newest)
        len += (size_t)snprintf(text + len, sizeof text - len, "the table has only %.4g rows. ",
                                (double)r->reader.rows->written);
    if (r->server_share >= 1)
        len += (size_t)snprintf(text + len, sizeof text - len,
                                "this query alone would take %.0f %% of its busiest server: at most %.3g/s. ",
                                100 * r->server_share, qry->rate_per_s / r->server_share);
    else if (r->asked > r->asked_n)
        len += (size_t)snprintf(text + len, sizeof text - len,
                                "with writes and other reads its busiest server is asked for %.0f %% of what it has: "
                                "%.3g/s come through, and waits grow. ",
                                100 * r->asked / r->asked_n, qry->rate_per_s * r->asked_n / r->asked);
    if (qry->kind == SPEC_QUERY_GET && r->reader.rows->keys->bucket_by == KEY_BUCKET_GIVEN && r->reader.rows->buckets > 1)
        len += (size_t)snprintf(text + len, sizeof text - len,
                                "the writer chooses the bucket, so a get asks all %u of them: a call for each server, %.3g in the "
                                "mean. ", (unsigned)r->reader.rows->buckets, out->rpcs);
    if (loses > 0)
        len += (size_t)snprintf(text + len, sizeof text - len,
                                "Phoenix up to 5.2.1 returns %.4g of its %.4g rows: PHOENIX-7580 leaves bucket %u out, as bucket %u has "
                                "%zu regions and the range ends before the last. ",
                                out->rows_returned * (1 - 1.0 / r->reader.rows->buckets), out->rows_returned,
                                (unsigned)r->reader.rows->buckets - 1, (unsigned)r->reader.rows->buckets - 2, loses);
    if (out->retries >= RETRIES_SAID)
        len += (size_t)snprintf(text + len, sizeof text - len,
                                "regions that moved or split were away: %.2g calls a query were sent again, each after a pause and a "
                                "look-up in hbase:meta, which makes %.2g RPCs more. ", out->retries, 2 * out->retries);
    if (len == 0)
        return 0;
    text[len - 1] = '\0';
    out->note = copy_text(text);
    return out->note ? 0 : MODEL_NO_MEMORY;
}

static int fill_run(const struct query_run *r, size_t loses, struct result_query *out)
{
    const double n = r->walks;

    if (!r->has_reader || n == 0)
        return 0;
    out->sampled = r->sampled;
    out->timed = (double)r->latency.count;
    out->rpcs = r->rpcs / n;
    out->rows_scanned = r->rows_scanned / n;
    out->rows_returned = r->rows_returned / n;
    out->bytes = r->bytes / n;
    out->p50_us = us(&r->latency, 0.5);
    out->p95_us = us(&r->latency, 0.95);
    out->p99_us = us(&r->latency, 0.99);
    out->p999_us = us(&r->latency, 0.999);
    if (r->alone.count > 0 && r->reader.query->threads == 0) {
        const size_t scans = (size_t)(r->scans / n + 0.5);

        out->independent_p50_us = us(&r->alone, scan_time_leaf_quantile(0.5, scans));
        out->independent_p95_us = us(&r->alone, scan_time_leaf_quantile(0.95, scans));
        out->independent_p99_us = us(&r->alone, scan_time_leaf_quantile(0.99, scans));
        out->independent_p999_us = us(&r->alone, scan_time_leaf_quantile(0.999, scans));
    }
    out->retries = out->timed > 0 ? r->retries / out->timed : (double)NAN;
    out->server_share = r->server_share;
    out->cache_hit_share = r->reader.hit;
    if (r->reader.query->reader != SPEC_READER_CORRECT) {
        out->scans = r->scans / n;
        out->regions = r->regions / n;
        out->rows_lost_share = r->rows_right > 0 ? 1 - r->rows_got / r->rows_right : 0;
    }
    return note(r, loses, out);
}

int queries_fill(const struct model *m, const struct queries *q, int64_t last_ms, struct result_run *run)
{
    const struct spec *sp = m->spec;

    run->queries = calloc(sp->queries_len + 1, sizeof *run->queries);
    if (!run->queries)
        return MODEL_NO_MEMORY;
    if (q->looks > 0)
        run->summary.reads_share = q->busiest / q->looks;
    for (size_t i = 0; i < sp->queries_len; i++) {
        const struct spec_query *qry = &sp->queries[i];
        struct result_query *out = &run->queries[i];
        const struct table *t = NULL;

        result_query_init(out);
        run->queries_len++;
        for (size_t k = 0; k < m->tables_len; k++)
            if (strcmp(m->tables[k].spec->name, qry->table) == 0)
                t = &m->tables[k];
        out->name = copy_text(qry->name);
        out->table = copy_text(qry->table);
        out->kind = kind_text(qry);
        if (!out->name || !out->table || !out->kind)
            return MODEL_NO_MEMORY;
        if (!t || lay_over(m, t, qry, last_ms, out) != 0)
            return MODEL_BROKEN;
        if (i < q->runs_len && fill_run(&q->runs[i], queries_phoenix_loses(m, t, qry, last_ms), out) != 0)
            return MODEL_NO_MEMORY;
    }
    return 0;
}
