/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges that Phoenix up to 5.2.1 answers without the last bucket (PHOENIX-7580, recorded): a range with both ends
   leaves bucket N-1 out where bucket N-2 has several regions and the range ends before the last of them. */
#include <stdio.h>
#include <string.h>

#include "sim/queries_phoenix.h"
#include "spec/scheme.h"

#define KEY_MAX 1024

/* Regions that begin in bucket |b|, and the start of the last of them. */
static size_t regions_in(const struct model *m, const struct table *t, uint64_t b, struct saltkey_slice *last)
{
    uint8_t low[64], high[64];
    struct saltkey_buf from = {low, sizeof low, 0}, to = {high, sizeof high, 0};
    size_t n = 0;

    if (saltkey_salt_prefix(&t->scheme.salt, b, &from) != 0 || saltkey_salt_prefix(&t->scheme.salt, b + 1, &to) != 0)
        return 0;
    for (size_t i = 0; i < t->regions_len; i++) {
        const struct region *r = m->regions[t->regions[i]];
        const struct saltkey_slice start = {r->start.bytes, r->start.len};

        if (saltkey_compare(start, (struct saltkey_slice){low, from.len}) < 0 ||
            saltkey_compare(start, (struct saltkey_slice){high, to.len}) >= 0)
            continue;
        n++;
        if (n == 1 || saltkey_compare(start, *last) > 0)
            *last = start;
    }
    return n;
}

size_t queries_phoenix_loses(const struct model *m, const struct table *t, const struct spec_query *q, int64_t last_ms)
{
    const int version = m->spec->plan.phoenix_version ? m->spec->plan.phoenix_version : SPEC_PHOENIX(5, 2, 1);
    const uint64_t buckets = t->scheme.salt.buckets;
    const int64_t window_ms = q->window_ns / DES_MS;
    uint8_t start[KEY_MAX], stop[KEY_MAX], a[KEY_MAX], b[KEY_MAX];
    struct saltkey_window w = {.start = {start, sizeof start, 0}, .stop = {stop, sizeof stop, 0}};
    struct saltkey_range range = {.start = {a, sizeof a, 0}, .stop = {b, sizeof b, 0}};
    struct saltkey_slice last = {NULL, 0};
    size_t n;

    if (!t->spec->salt || strncmp(t->spec->salt, "phoenix", 7) != 0 || t->spec->buckets < 2 || version > SPEC_PHOENIX(5, 2, 1) ||
        (q->kind != SPEC_QUERY_RANGE && q->kind != SPEC_QUERY_HISTORY))
        return 0;
    n = regions_in(m, t, buckets - 2, &last);
    if (n < 2 || spec_query_window(&t->scheme, q, last_ms > window_ms ? last_ms - window_ms : 0, last_ms, &w) != 0 ||
        w.scans != buckets || w.filtered || saltkey_window_range(&t->scheme, &w, buckets - 2, &range) != 0 || range.empty)
        return 0;
    return saltkey_compare((struct saltkey_slice){range.stop.bytes, range.stop.len}, last) <= 0 ? n : 0;
}
