/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/phoenix.h"

#include <stdlib.h>
#include <string.h>

#include "client/phoenix_ranges.h"

/* The walk that cuts a query's range into scans (BaseResultIterators.getParallelScans). */
struct cutter {
    const struct phoenix_table *table;
    const struct phoenix_ranges *ranges;
    struct phoenix_plan *plan;
    uint32_t buckets;         /* 0: unsalted */
    size_t postfix_zeros;     /* what pads a bucket's byte to the shortest row */
    bool new_group_for_each;  /* results aren't in row key order */
    int error;
};

uint64_t phoenix_row_estimate_bytes(uint32_t key_bytes, const struct phoenix_column *columns, size_t n)
{
    enum { STRUCTURE = 8 + 2 + 1 + 8 + 1, FAMILY = 1, EMPTY_QUALIFIER = 4, VARYING_VALUE = 50 };
    uint64_t sum = STRUCTURE + key_bytes + FAMILY + EMPTY_QUALIFIER;

    for (size_t i = 0; i < n; i++)
        sum += STRUCTURE + key_bytes + FAMILY + strlen(columns[i].name) +
               (columns[i].value_bytes > 0 ? columns[i].value_bytes : VARYING_VALUE);
    return sum;
}

static int copy_key(struct phoenix_plan *p, struct saltkey_slice key, size_t *offset)
{
    if (p->bytes_len + key.len > p->bytes_cap) {
        const size_t cap = 2 * p->bytes_cap + key.len + 256;
        uint8_t *bytes = realloc(p->bytes, cap);

        if (!bytes)
            return PHOENIX_NO_MEMORY;
        p->bytes = bytes;
        p->bytes_cap = cap;
    }
    if (key.len > 0)
        memcpy(p->bytes + p->bytes_len, key.bytes, key.len);
    *offset = p->bytes_len;
    p->bytes_len += key.len;
    return 0;
}

static struct saltkey_slice slice(const uint8_t *bytes, size_t len)
{
    return (struct saltkey_slice){bytes, len};
}

/* Until all scans are there their keys are offsets into the plan's bytes, which may still move. */
static void add_scan(struct cutter *c, struct saltkey_slice start, struct saltkey_slice stop, bool ends_region)
{
    struct phoenix_plan *p = c->plan;
    struct phoenix_scan *last, *s;
    size_t a, b;

    if (p->chunks == p->scans_cap) {
        const size_t cap = 2 * p->scans_cap + 16;

        s = realloc(p->scans, cap * sizeof *s);
        if (!s) {
            c->error = PHOENIX_NO_MEMORY;
            return;
        }
        p->scans = s;
        p->scans_cap = cap;
    }
    if (copy_key(p, start, &a) != 0 || copy_key(p, stop, &b) != 0) {
        c->error = PHOENIX_NO_MEMORY;
        return;
    }
    last = p->chunks > 0 ? &p->scans[p->chunks - 1] : NULL;
    s = &p->scans[p->chunks++];
    *s = (struct phoenix_scan){{NULL, start.len}, {NULL, stop.len}, true, false, ends_region, 0};
    if (last) {
        const uint8_t before = last->start.len > 0 ? p->bytes[a - last->stop.len - last->start.len] : 0;
        const uint8_t now = start.len > 0 ? p->bytes[a] : 0;

        s->group = last->group + (c->new_group_for_each || (c->buckets > 0 && (last->ends_region || before != now)));
    }
}

static void settle(struct phoenix_plan *p)
{
    size_t at = 0;

    for (size_t i = 0; i < p->chunks; i++) {
        p->scans[i].start.bytes = p->bytes + at;
        at += p->scans[i].start.len;
        p->scans[i].stop.bytes = p->bytes + at;
        at += p->scans[i].stop.len;
    }
    p->ways = p->chunks > 0 ? p->scans[p->chunks - 1].group + 1 : 0;
}

static int compare(const struct phoenix_key *a, struct saltkey_slice b)
{
    return saltkey_compare(phoenix_key_slice(a), b);
}

/* Full keys within [from, to): one skip scan from the first to behind the last. */
static void cut_points(struct cutter *c, struct saltkey_slice from, struct saltkey_slice to, bool ends_region)
{
    const struct phoenix_ranges *r = c->ranges;
    size_t first = 0, after;

    while (first < r->count && compare(&r->at[first].low, from) < 0)
        first++;
    after = first;
    while (after < r->count && (to.len == 0 || compare(&r->at[after].low, to) < 0))
        after++;
    if (after > first)
        add_scan(c, phoenix_key_slice(&r->at[first].low), phoenix_key_slice(&r->at[after - 1].high), ends_region);
}

static struct saltkey_slice tail(struct saltkey_slice key, size_t skip)
{
    return key.len > skip ? slice(key.bytes + skip, key.len - skip) : slice(NULL, 0);
}

static void add_prefixed(struct cutter *c, uint8_t salt, const struct saltkey_slice ends[2],
                         const struct saltkey_slice piece[2], bool ends_region)
{
    struct phoenix_key key[2];

    for (int i = 0; i < 2; i++) {
        const size_t off = c->buckets > 0;

        key[i].len = 0;
        if (ends[i].len == 0) {
            memcpy(key[i].bytes, piece[i].len ? piece[i].bytes : (const uint8_t *)"", piece[i].len);
            key[i].len = piece[i].len;
            continue;
        }
        if (off)
            key[i].bytes[0] = salt;
        memcpy(key[i].bytes + off, ends[i].bytes, ends[i].len);
        key[i].len = off + ends[i].len;
    }
    if (piece[1].len > 0 && compare(&key[1], piece[1]) > 0) {
        memcpy(key[1].bytes, piece[1].bytes, piece[1].len);
        key[1].len = piece[1].len;
    }
    add_scan(c, phoenix_key_slice(&key[0]), phoenix_key_slice(&key[1]), ends_region);
}

/* The part of the query's ranges within the piece, compared without the salt (ScanRanges.intersectScan
   of one bucket). A piece whose end isn't in its start's bucket counts as open. */
static void cut_ranges(struct cutter *c, struct saltkey_slice from, struct saltkey_slice to, bool ends_region)
{
    const struct phoenix_ranges *r = c->ranges;
    const size_t off = c->buckets > 0;
    const uint8_t salt = off && from.len > 0 ? from.bytes[0] : 0;
    const struct saltkey_slice open = {NULL, 0}, piece[2] = {from, to};
    const bool crosses = off && (to.len == 0 || to.bytes[0] != salt);
    struct saltkey_slice low = phoenix_key_slice(&r->at[0].low), high = phoenix_key_slice(&r->at[r->count - 1].high);
    const struct saltkey_slice a = tail(from, off), b = crosses ? open : tail(to, off);
    size_t first = 0, last = r->count;

    if (to.len > 0 && saltkey_compare(from, to) >= 0)
        return;
    if (low.len == 0 || (a.len > 0 && saltkey_compare(low, a) < 0))
        low = a;
    if (high.len == 0 || (b.len > 0 && saltkey_compare(high, b) > 0))
        high = b;
    if (high.len > 0 && saltkey_compare(low, high) >= 0)
        return;
    while (first < r->count && r->at[first].high.len > 0 && compare(&r->at[first].high, low) <= 0)
        first++;
    while (last > first && high.len > 0 && compare(&r->at[last - 1].low, high) >= 0)
        last--;
    if (last == first)
        return;
    if (compare(&r->at[first].low, low) > 0)
        low = phoenix_key_slice(&r->at[first].low);
    if (r->at[last - 1].high.len > 0 && (high.len == 0 || compare(&r->at[last - 1].high, high) < 0))
        high = phoenix_key_slice(&r->at[last - 1].high);
    add_prefixed(c, salt, (const struct saltkey_slice[2]){low, high}, piece, ends_region);
}

static void cut_one(struct cutter *c, struct saltkey_slice from, struct saltkey_slice to, bool ends_region)
{
    if (c->ranges->points)
        cut_points(c, from, to, ends_region);
    else
        cut_ranges(c, from, to, ends_region);
}

/* Cuts a piece at the buckets within it. An empty end compares as the smallest key, so that a piece that
   is open to the right isn't cut: this is where PHOENIX-7580 loses the last bucket. */
static void cut_piece(struct cutter *c, struct saltkey_slice from, struct saltkey_slice to, bool ends_region)
{
    uint8_t next[2][PHOENIX_KEY_MAX];
    int turn = 0;

    if (c->buckets == 0) {
        cut_one(c, from, to, ends_region);
        return;
    }
    for (;;) {
        const uint32_t bucket = from.len > 0 ? from.bytes[0] : 0;
        const size_t len = 1 + c->postfix_zeros;

        memset(next[turn], 0, len);
        next[turn][0] = (uint8_t)(bucket + 1);
        if ((from.len > 0 && bucket + 1 >= c->buckets) || saltkey_compare(to, slice(next[turn], len)) <= 0)
            break;
        cut_one(c, from, slice(next[turn], 1), false);
        from = slice(next[turn], len);
        turn = !turn;
    }
    cut_one(c, from, to, ends_region);
}

struct region_list {
    size_t *at, count, capacity;
};

static struct saltkey_slice region_end(const struct phoenix_table *t, size_t region)
{
    return region < t->splits->count ? t->splits->at[region] : slice(NULL, 0);
}

/* Regions that rows in [from, to) may lie in; an empty end is open. */
static int look_up(const struct phoenix_table *t, struct saltkey_slice from, struct saltkey_slice to,
                   struct region_list *l)
{
    size_t region = from.len > 0 ? saltkey_split_region(t->splits, from) : 0;

    for (;; region++) {
        if (l->count == l->capacity) {
            const size_t cap = 2 * l->capacity + 64;
            size_t *p = realloc(l->at, cap * sizeof *p);

            if (!p)
                return PHOENIX_NO_MEMORY;
            l->at = p;
            l->capacity = cap;
        }
        l->at[l->count++] = region;
        if (region == t->splits->count || (to.len > 0 && saltkey_compare(t->splits->at[region], to) >= 0))
            return 0;
    }
}

/* A salted query with both ends looks its regions up bucket by bucket; one with an open end takes all. */
static int look_up_salted(const struct cutter *c, struct region_list *l)
{
    const struct phoenix_key *low = &c->ranges->at[0].low, *high = &c->ranges->at[c->ranges->count - 1].high;
    struct phoenix_key from, to;
    int rc = 0;

    if (c->ranges->points || low->len == 0 || high->len == 0)
        return look_up(c->table, slice(NULL, 0), slice(NULL, 0), l);
    memcpy(from.bytes + 1, low->bytes, low->len);
    memcpy(to.bytes + 1, high->bytes, high->len);
    from.len = 1 + low->len;
    to.len = 1 + high->len;
    for (uint32_t b = 0; rc == 0 && b < c->buckets; b++) {
        from.bytes[0] = to.bytes[0] = (uint8_t)b;
        rc = look_up(c->table, phoenix_key_slice(&from), phoenix_key_slice(&to), l);
    }
    return rc;
}

static void cut_regions(struct cutter *c, const struct region_list *l, bool use_guideposts)
{
    const struct phoenix_ranges *r = c->ranges;
    const bool salted = c->buckets > 0;
    const struct saltkey_keys *gps = use_guideposts ? c->table->guideposts : NULL;
    struct saltkey_slice current = salted ? slice(NULL, 0) : phoenix_key_slice(&r->at[0].low);
    const struct saltkey_slice stop = salted ? slice(NULL, 0) : phoenix_key_slice(&r->at[r->count - 1].high);
    size_t g = 0;

    while (gps && g < gps->count && saltkey_compare(current, gps->at[g]) >= 0)
        g++;
    for (size_t i = 0; i < l->count; i++) {
        const struct saltkey_slice end = i + 1 == l->count ? stop : region_end(c->table, l->at[i]);

        for (; gps && g < gps->count && (end.len == 0 || saltkey_compare(gps->at[g], end) <= 0); g++) {
            cut_piece(c, current, gps->at[g], end.len > 0 && saltkey_compare(gps->at[g], end) == 0);
            current = gps->at[g];
        }
        cut_piece(c, current, end, true);
        current = end;
    }
}

static void decide(const struct phoenix_table *t, const struct phoenix_query *q, const struct phoenix_ranges *r,
                   struct phoenix_plan *p)
{
    const bool salted = phoenix_buckets(t) > 0, rows = q->aggregate == PHOENIX_ROWS;
    const bool in_key_order = rows && (q->order == PHOENIX_BY_KEY || q->order == PHOENIX_BY_KEY_DESC ||
                                       q->force_row_key_order);

    p->point_lookup = r->points;
    p->point_keys = r->points ? r->count : 0;
    p->skip_scan = r->skip_scan;
    p->full_scan = r->everything && !(salted && q->filter_on_key);
    p->skip_ranges = r->slots_product * (salted ? phoenix_buckets(t) : 1);
    p->skip_keys = r->all_single;
    p->reverse = rows && q->order == PHOENIX_BY_KEY_DESC;
    p->page_rows = rows && q->order != PHOENIX_BY_OTHER && q->limit > 0 ? q->limit + q->offset : 0;
    p->offset_on_server = q->offset > 0 && rows && q->order == PHOENIX_UNORDERED && !(salted && in_key_order);
    p->round_robin = rows && q->order == PHOENIX_UNORDERED && !q->force_row_key_order;
    p->merge_sort = rows ? q->order == PHOENIX_BY_OTHER || (salted && in_key_order)
                         : q->aggregate == PHOENIX_GROUPS || (q->aggregate == PHOENIX_GROUPS_BY_KEY && salted);
    /* Serial below a fifth of the largest region, and only where no filter hides how much is read. */
    p->serial = p->page_rows > 0 && !q->filter && !r->skip_scan && !(salted && in_key_order) &&
                (double)p->page_rows * (double)t->row_estimate_bytes < 0.2 * (double)t->max_file_bytes;
}

static void estimate(const struct phoenix_query *q, const struct phoenix_ranges *r, struct phoenix_plan *p)
{
    const uint64_t paged = p->page_rows * (p->serial ? 1 : p->ways);

    if (r->points)
        p->estimated_rows = paged > 0 && paged < r->count ? paged : r->count;
    else if (!q->filter)
        p->estimated_rows = paged;
}

static int cut(struct cutter *c, const struct phoenix_query *q)
{
    const struct phoenix_ranges *r = c->ranges;
    struct region_list l = {NULL, 0, 0};
    int rc;

    if (r->points && r->count == 1) {
        add_scan(c, phoenix_key_slice(&r->at[0].low), phoenix_key_slice(&r->at[0].low), true);
        if (c->error == 0)
            c->plan->scans[0].stop_inclusive = q->aggregate == PHOENIX_ROWS;
        c->plan->regions_looked_up = 1;
        return c->error;
    }
    rc = c->buckets > 0 ? look_up_salted(c, &l)
                        : look_up(c->table, phoenix_key_slice(&r->at[0].low),
                                  phoenix_key_slice(&r->at[r->count - 1].high), &l);
    if (rc == 0) {
        c->plan->regions_looked_up = l.count;
        cut_regions(c, &l, !c->plan->serial);
        rc = c->error;
    }
    free(l.at);
    return rc;
}

static bool keys_fit(const struct saltkey_keys *keys)
{
    for (size_t i = 0; keys && i < keys->count; i++)
        if (keys->at[i].len > PHOENIX_KEY_MAX - PHOENIX_KEY_MARGIN)
            return false;
    return true;
}

int phoenix_plan_make(const struct phoenix_table *table, const struct phoenix_query *query,
                      struct phoenix_plan *plan)
{
    struct phoenix_ranges ranges;
    struct cutter c = {table, &ranges, plan, phoenix_buckets(table), 0,
                       query->order == PHOENIX_BY_OTHER || query->aggregate == PHOENIX_GROUPS, 0};
    int rc = phoenix_ranges_make(table, query, &ranges);

    if (rc != 0)
        return rc;
    memset(plan, 0, sizeof *plan);
    for (uint32_t f = 0; f < table->scheme->layout.n_fields; f++)
        c.postfix_zeros += table->scheme->layout.fields[f].width;
    if (c.postfix_zeros > PHOENIX_KEY_MAX - PHOENIX_KEY_MARGIN || !keys_fit(table->splits) ||
        !keys_fit(table->guideposts))
        rc = PHOENIX_BAD_QUERY;
    decide(table, query, &ranges, plan);
    if (rc == 0)
        rc = cut(&c, query);
    if (rc == 0) {
        settle(plan);
        estimate(query, &ranges, plan);
    } else {
        phoenix_plan_free(plan);
    }
    phoenix_ranges_free(&ranges);
    return rc;
}

void phoenix_plan_free(struct phoenix_plan *plan)
{
    free(plan->scans);
    free(plan->bytes);
    memset(plan, 0, sizeof *plan);
}
