/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of merges. The rows of one case lie together: "in" rows are the streams, "out" rows what
   a reference made of them. Each "out" row is looked at alone; "in" rows must come out somewhere. */
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

struct feed {
    const struct tsv *t;
    size_t from, to; /* rows of the case */
    long long stream, next;
    uint8_t bytes[TSV_CELL];
};

static int pull(void *context, struct saltkey_row *rows, size_t max)
{
    struct feed *f = context;
    size_t i;

    (void)max;
    for (i = f->from; i < f->to; i++) {
        if (tsv_is(f->t, i, "kind", "in") && tsv_int(f->t, i, "stream") == f->stream &&
            tsv_int(f->t, i, "pos_in_stream") == f->next) {
            f->next++;
            rows->key = tsv_hex(tsv_cell(f->t, i, "rowkey_hex"), f->bytes, sizeof(f->bytes));
            rows->user = f;
            return 1;
        }
    }
    return 0;
}

/* Cases without recorded streams (a global sort is the reference): each "out" row is a stream. */
static int pull_one(void *context, struct saltkey_row *rows, size_t max)
{
    struct feed *f = context;

    (void)max;
    if (f->next++)
        return 0;
    rows->key = tsv_hex(tsv_cell(f->t, f->from, "rowkey_hex"), f->bytes, sizeof(f->bytes));
    rows->user = f;
    return 1;
}

struct merged {
    uint8_t row[TSV_CELL];
    size_t len, source;
    struct saltkey_slice natural;
};

static struct saltkey_merge_options options_for(const struct tsv *t, size_t row)
{
    struct saltkey_merge_options o;
    const char *note = tsv_cell(t, row, "note");
    const char *limit = strstr(note, "limit=");

    memset(&o, 0, sizeof(o));
    o.skip = (size_t)tsv_int(t, row, "strip");
    o.skip_through = strstr(note, "strip-at-first-underscore") != NULL;
    o.delimiter = '_';
    o.reverse = strstr(note, "reverse-scan") != NULL;
    o.limit = limit && strncmp(tsv_cell(t, row, "kind"), "out", 3) == 0 ? strtoull(limit + 6, NULL, 10) : 0;
    o.batch = 1;
    return o;
}

/* Runs the case's merge up to its |nth| row (from 0); false where it has fewer. */
static bool nth_merged(const struct saltkey_source *sources, size_t n,
                       const struct saltkey_merge_options *o, size_t nth, struct merged *out)
{
    struct saltkey_merge *m = NULL;
    struct saltkey_row row;
    size_t i;
    bool there = saltkey_merge_open(sources, n, o, &m) == 0;

    for (i = 0; there && i <= nth; i++)
        there = saltkey_merge_next(m, &row, &out->source) == 1;
    if (there) {
        memcpy(out->row, row.key.bytes, row.key.len);
        out->len = row.key.len;
    }
    saltkey_merge_close(m);
    return there;
}

static enum verdict check_out(const struct tsv *t, size_t row, const struct saltkey_source *sources,
                              size_t n)
{
    struct saltkey_merge_options o = options_for(t, row);
    size_t strip = (size_t)tsv_int(t, row, "strip");
    struct merged m;
    struct saltkey_slice got, natural;

    if (!nth_merged(sources, n, &o, (size_t)tsv_int(t, row, "order"), &m) || m.len < strip)
        return ROW_FAIL;
    got = (struct saltkey_slice){m.row, m.len};
    natural = (struct saltkey_slice){m.row + strip, m.len - strip};
    if (!tsv_equal(tsv_cell(t, row, "natural_hex"), natural))
        return ROW_FAIL;
    /* a Java heap's order of ties is unspecified: there only the natural key counts */
    if (strstr(tsv_cell(t, row, "note"), "ties:heap-order"))
        return ROW_PASS;
    return verdict_of(tsv_equal(tsv_cell(t, row, "rowkey_hex"), got) &&
                      (o.skip_through || (long long)m.source == tsv_int(t, row, "stream")));
}

/* An input row must appear once in the merge of all. */
static enum verdict check_in(const struct tsv *t, size_t row, const struct saltkey_source *sources,
                             size_t n)
{
    struct saltkey_merge_options o = options_for(t, row);
    struct saltkey_merge *m = NULL;
    struct saltkey_row got;
    size_t source, seen = 0;
    int rc = saltkey_merge_open(sources, n, &o, &m);

    while (rc >= 0 && (rc = saltkey_merge_next(m, &got, &source)) == 1)
        seen += (long long)source == tsv_int(t, row, "stream") &&
                tsv_equal(tsv_cell(t, row, "rowkey_hex"), got.key);
    saltkey_merge_close(m);
    if (tsv_is(t, row, "kind", "in-empty-stream"))
        return verdict_of(rc == 0 && seen == 0);
    return verdict_of(rc == 0 && seen == 1);
}

static void case_bounds(const struct tsv *t, size_t row, size_t *from, size_t *to)
{
    const char *name = tsv_cell(t, row, "case");

    for (*from = 0; !tsv_is(t, *from, "case", name); ++*from)
        continue;
    for (*to = *from; *to < t->rows && tsv_is(t, *to, "case", name); ++*to)
        continue;
}

enum verdict check_merge(const struct tsv *t, size_t row)
{
    size_t n = (size_t)tsv_int(t, row, "n_streams"), from, to, i;
    struct saltkey_source *sources;
    struct feed *feeds;
    enum verdict v = ROW_FAIL;
    bool recorded;

    case_bounds(t, row, &from, &to);
    recorded = tsv_int(t, from, "stream") >= 0 && !tsv_is(t, from, "kind", "out");
    if (!recorded)
        n = to - from;
    sources = calloc(n, sizeof(*sources));
    feeds = calloc(n, sizeof(*feeds));
    for (i = 0; sources && feeds && i < n; i++) {
        feeds[i].t = t;
        feeds[i].from = recorded ? from : from + (n - 1 - i); /* not in order already */
        feeds[i].to = to;
        feeds[i].stream = (long long)i;
        sources[i].pull = recorded ? pull : pull_one;
        sources[i].context = &feeds[i];
    }
    if (sources && feeds)
        v = strncmp(tsv_cell(t, row, "kind"), "out", 3) == 0 ? check_out(t, row, sources, n)
                                                             : check_in(t, row, sources, n);
    free(sources);
    free(feeds);
    return v;
}
