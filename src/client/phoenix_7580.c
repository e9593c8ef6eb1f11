/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "client/phoenix_ranges.h"
#include "client/phoenix_run.h"

/* Rows low .. high - 1. */
struct stretch {
    uint64_t low, high;
};

static uint64_t rank_of(const struct scan_table *t, struct saltkey_slice key)
{
    return t->rank(t->context, key);
}

static uint64_t passing(const struct scan_table *t, uint64_t low, uint64_t high)
{
    uint64_t n = 0;

    if (high <= low)
        return 0;
    if (!t->rows.filtered)
        return high - low;
    for (uint64_t i = low; i < high; i++)
        n += !t->rows.filtered(t->rows.context, i);
    return n;
}

static int by_low(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;

    return x->low < y->low ? -1 : x->low > y->low;
}

/* The rows that WHERE's key ranges mean, bucket by bucket. */
static int right_rows(const struct phoenix_run *run, struct stretch **out, size_t *n)
{
    const struct scan_table *t = run->rows;
    const uint32_t buckets = phoenix_buckets(run->table);
    struct phoenix_ranges r;
    struct stretch *s;
    int rc = phoenix_ranges_make(run->table, run->query, &r);
    const uint32_t copies = rc == 0 && buckets > 0 && !r.points ? buckets : 1;

    if (rc != 0)
        return rc;
    s = malloc((copies * r.count + 1) * sizeof *s);
    if (!s) {
        phoenix_ranges_free(&r);
        return PHOENIX_NO_MEMORY;
    }
    for (uint32_t b = 0; b < copies; b++)
        for (size_t i = 0; i < r.count; i++) {
            const struct phoenix_interval *p = &r.at[i];
            const size_t off = buckets > 0 && !r.points;
            struct phoenix_key low = {{(uint8_t)b}, off}, high = {{(uint8_t)b}, off};
            struct stretch *at = &s[b * r.count + i];

            memcpy(low.bytes + off, p->low.bytes, p->low.len);
            memcpy(high.bytes + off, p->high.bytes, p->high.len);
            low.len += p->low.len;
            high.len += p->high.len;
            if (off && p->high.len == 0)
                high.bytes[0]++;
            at->low = low.len > 0 ? rank_of(t, phoenix_key_slice(&low)) : 0;
            at->high = high.len == 0 || (off && p->high.len == 0 && b + 1 == buckets)
                           ? t->rows_count
                           : rank_of(t, phoenix_key_slice(&high));
        }
    *n = copies * r.count;
    *out = s;
    phoenix_ranges_free(&r);
    return 0;
}

static void scanned_rows(const struct phoenix_run *run, struct stretch *s)
{
    const struct scan_table *t = run->rows;

    for (size_t i = 0; i < run->plan->chunks; i++) {
        const struct phoenix_scan *scan = &run->plan->scans[i];

        s[i].low = scan->start.len > 0 ? rank_of(t, scan->start) : 0;
        s[i].high = scan->stop.len > 0 ? rank_of(t, scan->stop) : t->rows_count;
        if (scan->stop_inclusive && s[i].high < t->rows_count) {
            const struct saltkey_slice key = t->key(t->context, s[i].high, 0);

            s[i].high += saltkey_compare(key, scan->stop) == 0;
        }
    }
    if (run->plan->chunks > 0)
        qsort(s, run->plan->chunks, sizeof *s, by_low);
}

/* A scan that goes over a bucket's end isn't in key order, and the merge doesn't see it. */
static bool breaks_order(const struct phoenix_run *run)
{
    const struct phoenix_plan *p = run->plan;
    const struct scan_table *t = run->rows;

    if (!p->merge_sort || run->query->aggregate != PHOENIX_ROWS || run->query->order == PHOENIX_BY_OTHER)
        return false;
    for (size_t i = 0; i < p->chunks; i++) {
        const struct phoenix_scan *s = &p->scans[i];
        const uint64_t low = s->start.len > 0 ? rank_of(t, s->start) : 0;
        const uint64_t high = s->stop.len > 0 ? rank_of(t, s->stop) : t->rows_count;
        uint8_t first;

        if (s->stop_inclusive || high <= low + 1)
            continue;
        first = t->key(t->context, low, 0).bytes[0];
        if (first != t->key(t->context, high - 1, 1).bytes[0])
            return true;
    }
    return false;
}

/* Matching rows that at least one scan reads. Both lists are sorted; the scans may overlap. */
static uint64_t covered(const struct scan_table *t, const struct stretch *right, size_t n,
                        const struct stretch *scans, size_t m)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t from = right[i].low;

        for (size_t k = 0; k < m; k++) {
            const uint64_t a = scans[k].low > from ? scans[k].low : from;
            const uint64_t b = scans[k].high < right[i].high ? scans[k].high : right[i].high;

            if (b <= a)
                continue;
            sum += passing(t, a, b);
            from = b;
        }
    }
    return sum;
}

static uint64_t limited(const struct phoenix_query *q, uint64_t rows)
{
    rows = rows > q->offset ? rows - q->offset : 0;
    return q->limit > 0 && rows > q->limit ? q->limit : rows;
}

int phoenix_7580_check(const struct phoenix_run *run, struct phoenix_7580 *out)
{
    const struct phoenix_query *q = run->query;
    const size_t chunks = run->plan->chunks;
    struct stretch *right = NULL, *scans = malloc((chunks + 1) * sizeof *scans);
    uint64_t wanted = 0, read = 0, got;
    size_t n = 0;
    int rc = scans ? right_rows(run, &right, &n) : PHOENIX_NO_MEMORY;

    if (rc != 0)
        goto out;
    qsort(right, n, sizeof *right, by_low);
    scanned_rows(run, scans);
    for (size_t i = 0; i < n; i++)
        wanted += passing(run->rows, right[i].low, right[i].high);
    got = covered(run->rows, right, n, scans, chunks);
    /* A skip scan drops what lies between its ranges; any other scan hands out all that it covers. */
    if (run->plan->skip_scan)
        read = got;
    else
        for (size_t i = 0; i < chunks; i++)
            read += passing(run->rows, scans[i].low, scans[i].high);
    out->rows_right = limited(q, wanted);
    out->rows_returned = limited(q, read);
    out->rows_missed = wanted - got;
    out->rows_extra = read - got;
    out->order_broken = breaks_order(run);
    /* Without an order any LIMIT rows are right, as long as there are that many. */
    out->warns = (out->rows_missed > 0 || out->rows_extra > 0) &&
                 !(q->limit > 0 && q->order == PHOENIX_UNORDERED && !q->force_row_key_order && out->rows_extra == 0 &&
                   out->rows_returned == out->rows_right);
out:
    free(scans);
    free(right);
    return rc;
}
