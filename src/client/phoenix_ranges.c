/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/phoenix_ranges.h"

#include <stdlib.h>
#include <string.h>

static struct phoenix_interval *push(struct phoenix_ranges *r)
{
    struct phoenix_interval *p;

    if (r->count == r->capacity) {
        const size_t more = r->capacity ? 2 * r->capacity : 4;

        p = realloc(r->at, more * sizeof *p);
        if (!p)
            return NULL;
        r->at = p;
        r->capacity = more;
    }
    p = &r->at[r->count++];
    memset(p, 0, sizeof *p);
    return p;
}

static int append_field(const struct saltkey_layout *l, uint32_t field, const struct saltkey_value *v,
                        struct phoenix_key *key)
{
    struct saltkey_buf out = {key->bytes + key->len, PHOENIX_KEY_MAX - PHOENIX_KEY_MARGIN - key->len, 0};

    if (saltkey_field_encode(l, field, v, &out, NULL) != 0)
        return PHOENIX_BAD_QUERY;
    key->len += out.len;
    return 0;
}

/* ByteUtil.nextKey: the first key above all that begin with this one. */
static void next_prefix(struct phoenix_key *key)
{
    struct saltkey_buf stop = {key->bytes, sizeof key->bytes, 0};
    uint8_t copy[PHOENIX_KEY_MAX];
    const size_t len = key->len;

    memcpy(copy, key->bytes, len);
    if (saltkey_prefix_stop((struct saltkey_slice){copy, len}, &stop) == 0)
        key->len = stop.len;
}

static int by_low(const void *a, const void *b)
{
    const struct phoenix_interval *x = a, *y = b;

    return saltkey_compare(phoenix_key_slice(&x->low), phoenix_key_slice(&y->low));
}

static int point_keys(const struct phoenix_table *t, const struct saltkey_value *keys, size_t n,
                      struct phoenix_ranges *r)
{
    const uint32_t fields = t->scheme->layout.n_fields;

    for (size_t i = 0; i < n; i++) {
        struct phoenix_interval *p = push(r);
        struct saltkey_buf row;

        if (!p)
            return PHOENIX_NO_MEMORY;
        row = (struct saltkey_buf){p->low.bytes, PHOENIX_KEY_MAX - PHOENIX_KEY_MARGIN, 0};
        if (saltkey_salted(t->scheme, keys + i * fields, &row, NULL) != 0)
            return PHOENIX_BAD_QUERY;
        p->low.len = row.len;
        p->high = p->low;
        p->high.bytes[p->high.len++] = 0;
    }
    qsort(r->at, r->count, sizeof *r->at, by_low);
    r->points = true;
    r->skip_scan = n > 1;
    return 0;
}

/* Number of leading key columns that WHERE binds. */
static uint32_t bound_columns(const struct phoenix_table *t, const struct phoenix_query *q)
{
    uint32_t n = 0;

    while (q->conditions && n < t->scheme->layout.n_fields && q->conditions[n].bound != PHOENIX_ANY)
        n++;
    return n;
}

/* Every column by = or IN: the keys are the product of the values. */
static int product_keys(const struct phoenix_table *t, const struct phoenix_query *q, struct phoenix_ranges *r)
{
    const uint32_t fields = t->scheme->layout.n_fields;
    struct saltkey_value *keys;
    size_t n = 1;
    int rc;

    for (uint32_t f = 0; f < fields; f++)
        n *= q->conditions[f].values_len;
    keys = calloc(n * fields + 1, sizeof *keys);
    if (!keys)
        return PHOENIX_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        size_t rest = i;

        for (uint32_t f = fields; f-- > 0;) {
            keys[i * fields + f] = q->conditions[f].values[rest % q->conditions[f].values_len];
            rest /= q->conditions[f].values_len;
        }
    }
    rc = point_keys(t, keys, n, r);
    free(keys);
    return rc;
}

/* Ends of a range on the last bound column behind |prefix|. */
static int range_ends(const struct saltkey_layout *l, uint32_t field, const struct phoenix_condition *c,
                      struct phoenix_interval *p)
{
    const struct phoenix_key prefix = p->low;

    p->high = prefix;
    if (c->lower) {
        if (append_field(l, field, c->lower, &p->low) != 0)
            return PHOENIX_BAD_QUERY;
        if (!c->lower_inclusive)
            next_prefix(&p->low);
    }
    if (c->upper) {
        if (append_field(l, field, c->upper, &p->high) != 0)
            return PHOENIX_BAD_QUERY;
        if (c->upper_inclusive)
            next_prefix(&p->high);
    } else if (p->high.len > 0) {
        next_prefix(&p->high);
    }
    return 0;
}

/* The intervals of the natural key: the product of the values of the leading columns, then a range. What
   follows a range narrows its lower end only (a skip scan's filter does the rest). */
static int intervals(const struct phoenix_table *t, const struct phoenix_query *q, uint32_t bound,
                     struct phoenix_ranges *r)
{
    const struct saltkey_layout *l = &t->scheme->layout;
    uint32_t lead = 0;
    size_t n = 1;

    while (lead < bound && q->conditions[lead].bound == PHOENIX_VALUES)
        n *= q->conditions[lead++].values_len;
    for (size_t i = 0; i < n; i++) {
        struct phoenix_interval *p = push(r);
        size_t stride = n, rest = i;

        if (!p)
            return PHOENIX_NO_MEMORY;
        for (uint32_t f = 0; f < lead; f++) {
            stride /= q->conditions[f].values_len;
            if (append_field(l, f, &q->conditions[f].values[rest / stride], &p->low) != 0)
                return PHOENIX_BAD_QUERY;
            rest %= stride;
        }
        if (lead == bound) {
            p->high = p->low;
            next_prefix(&p->high);
            continue;
        }
        if (range_ends(l, lead, &q->conditions[lead], p) != 0)
            return PHOENIX_BAD_QUERY;
        for (uint32_t f = lead + 1; f < bound && q->conditions[lead].lower && q->conditions[lead].lower_inclusive &&
                                    q->conditions[f].bound == PHOENIX_VALUES; f++)
            if (append_field(l, f, &q->conditions[f].values[0], &p->low) != 0)
                return PHOENIX_BAD_QUERY;
    }
    return 0;
}

/* ScanRanges.useSkipScanFilter: several ranges in a column, or a column bound behind a range. */
static void count_slots(const struct phoenix_query *q, uint32_t bound, struct phoenix_ranges *r)
{
    bool range_seen = false;

    r->slots_product = 1;
    r->all_single = true;
    for (uint32_t f = 0; f < bound; f++) {
        const struct phoenix_condition *c = &q->conditions[f];
        const size_t n = c->bound == PHOENIX_VALUES ? c->values_len : 1;

        r->skip_scan |= n > 1 || range_seen;
        range_seen |= c->bound == PHOENIX_RANGE;
        r->slots_product *= n;
    }
    r->all_single = !range_seen;
}

int phoenix_ranges_make(const struct phoenix_table *table, const struct phoenix_query *query,
                        struct phoenix_ranges *ranges)
{
    const uint32_t fields = table->scheme->layout.n_fields, bound = bound_columns(table, query);
    bool full = bound == fields;
    int rc = 0;

    memset(ranges, 0, sizeof *ranges);
    for (uint32_t f = 0; f < bound; f++)
        full &= query->conditions[f].bound == PHOENIX_VALUES;
    if (query->keys_len > 0) {
        rc = point_keys(table, query->keys, query->keys_len, ranges);
    } else if (full) {
        rc = product_keys(table, query, ranges);
    } else if (bound > 0) {
        count_slots(query, bound, ranges);
        rc = intervals(table, query, bound, ranges);
    } else {
        ranges->everything = true;
        rc = push(ranges) ? 0 : PHOENIX_NO_MEMORY;
    }
    if (rc != 0)
        phoenix_ranges_free(ranges);
    return rc;
}

void phoenix_ranges_free(struct phoenix_ranges *ranges)
{
    free(ranges->at);
    memset(ranges, 0, sizeof *ranges);
}
