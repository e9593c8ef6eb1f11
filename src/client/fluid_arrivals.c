/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrivals of the levels `tick` (each row counted) and `flow` (shares of the regions). */
#include <stdlib.h>
#include <string.h>

#include "client/fluid_parts.h"

/* Rows whose regions give the shares of `flow`. */
#define SHARE_ROWS 65536
#define BUCKET_ROWS 2000000
#define BUCKET_ROWS_FEW 500000

/* ---- arrivals, row by row (tick) ---- */

/* Counts the source's rows [from, to) by region. The regions' scratch holds the counts meanwhile. */
static void count_rows(struct fluid *f, uint32_t source, uint64_t from, uint64_t to)
{
    struct fluid_source *s = &f->sources[source];
    struct model *m = f->model;
    size_t touched = 0;

    s->shares_len = 0;
    for (uint64_t at = from; at < to; at += FLUID_BATCH) {
        const size_t n = to - at < FLUID_BATCH ? (size_t)(to - at) : FLUID_BATCH;

        for (size_t k = 0; k < n; k++)
            s->numbers[k] = at + k;
        keystream_route(s->in.keys, s->numbers, n, s->routes);
        for (size_t k = 0; k < n; k++) {
            const int id = fluid_find_region(f, s, s->numbers[k], &s->routes[k]);

            if (m->regions[id]->scratch++ == 0 && touched < s->shares_cap)
                s->shares[touched++].region = id;
        }
    }
    s->shares_len = touched;
    for (size_t k = 0; k < touched; k++) {
        struct region *r = m->regions[s->shares[k].region];

        s->shares[k].share = (double)r->scratch / (double)(to - from);
        fluid_push(f, r->id, &(struct chunk){from, to, r->scratch, source});
        r->scratch = 0;
    }
}

/* ---- arrivals by shares (flow) ---- */

static int add_share(struct fluid_source *s, int region, double share)
{
    for (size_t i = 0; i < s->shares_len; i++) {
        if (s->shares[i].region == region) {
            s->shares[i].share += share;
            return 0;
        }
    }
    if (s->shares_len == s->shares_cap)
        return MODEL_NO_MEMORY;
    s->shares[s->shares_len].region = region;
    s->shares[s->shares_len++].share = share;
    return 0;
}

void fluid_count_buckets(struct fluid_source *s, bool few)
{
    const struct arrivals *a = s->in.arrivals;
    uint64_t n = a->in_turn ? a->entities : few ? BUCKET_ROWS_FEW : BUCKET_ROWS;

    if (n < 65536)
        n = 65536 / n * n;
    n = n < BUCKET_ROWS ? n : BUCKET_ROWS;
    n = n < a->rows_max ? n : a->rows_max;
    s->bucket_rows_all = n;
    if (keystream_count(s->in.keys, 0, n, s->bucket_rows))
        return;
    for (uint64_t at = 0; at < n; at += FLUID_BATCH) {
        const size_t len = n - at < FLUID_BATCH ? (size_t)(n - at) : FLUID_BATCH;

        for (size_t k = 0; k < len; k++)
            s->numbers[k] = at + k;
        keystream_route(s->in.keys, s->numbers, len, s->routes);
        for (size_t k = 0; k < len; k++)
            s->bucket_rows[s->routes[k].bucket]++;
    }
}

/* Keys that begin with the time: all rows of a bucket go where its next row goes. */
static void shares_of_buckets(struct fluid *f, struct fluid_source *s)
{
    const uint32_t source = (uint32_t)(s - f->sources);
    const uint32_t buckets = keystream_buckets(s->in.keys);
    uint32_t left = 0;
    uint8_t *seen = calloc(buckets, 1);

    if (!seen) {
        model_fail(f->model, MODEL_NO_MEMORY);
        return;
    }
    for (uint32_t b = 0; b < buckets; b++)
        left += s->bucket_rows[b] > 0;
    for (uint64_t at = s->next; left > 0 && at < s->next + BUCKET_ROWS; at += 256) {
        for (size_t k = 0; k < 256; k++)
            s->numbers[k] = at + k;
        keystream_route(s->in.keys, s->numbers, 256, s->routes);
        for (size_t k = 0; k < 256; k++) {
            const uint32_t b = s->routes[k].bucket;
            int id;

            if (seen[b])
                continue;
            seen[b] = 1;
            left--;
            id = fluid_find_region(f, s, s->numbers[k], &s->routes[k]);
            fluid_note_bucket(f, id, source, b);
            add_share(s, id, (double)s->bucket_rows[b] / (double)s->bucket_rows_all);
        }
    }
    free(seen);
}

/* Other keys: from rows of the near future, spread so that every entity may come. */
static void shares_of_rows(struct fluid *f, struct fluid_source *s)
{
    const struct arrivals *a = s->in.arrivals;
    const uint64_t step = a->in_turn && a->entities > SHARE_ROWS ? a->entities / SHARE_ROWS + 1 : 1;
    uint64_t n = a->in_turn && a->entities < SHARE_ROWS ? a->entities * (SHARE_ROWS / a->entities) : SHARE_ROWS;
    const uint64_t base = s->next;

    if (a->rows_max != UINT64_MAX && base + n * step > a->rows_max)
        n = (a->rows_max - base) / step;
    for (uint64_t at = 0; at < n; at += FLUID_BATCH) {
        const size_t len = n - at < FLUID_BATCH ? (size_t)(n - at) : FLUID_BATCH;

        for (size_t k = 0; k < len; k++)
            s->numbers[k] = base + (at + k) * step;
        keystream_route(s->in.keys, s->numbers, len, s->routes);
        for (size_t k = 0; k < len; k++) {
            struct region *r = f->model->regions[fluid_find_region(f, s, s->numbers[k], &s->routes[k])];

            r->scratch++;
        }
    }
    for (size_t i = 0; i < f->model->tables[s->in.table].regions_len; i++) {
        struct region *r = f->model->regions[f->model->tables[s->in.table].regions[i]];

        if (r->scratch > 0 && s->shares_len < s->shares_cap) {
            s->shares[s->shares_len].region = r->id;
            s->shares[s->shares_len++].share = (double)r->scratch / (double)n;
        }
        r->scratch = 0;
    }
}

static int room_for_shares(struct fluid *f)
{
    for (size_t i = 0; i < f->sources_len; i++) {
        struct fluid_source *s = &f->sources[i];
        const size_t need = f->model->tables[s->in.table].regions_len + 16 +
                            keystream_buckets(s->in.keys);
        void *more;

        if (s->shares_cap >= need)
            continue;
        more = realloc(s->shares, 2 * need * sizeof *s->shares);
        if (!more)
            return MODEL_NO_MEMORY;
        s->shares = more;
        s->shares_cap = 2 * need;
    }
    return 0;
}

static uint64_t boundaries(const struct fluid *f)
{
    uint64_t n = f->model->splits;

    for (size_t i = 0; i < f->model->tables_len; i++)
        n = n * 31 + f->model->tables[i].regions_len;
    return n;
}

static void find_shares(struct fluid *f)
{
    f->bucket_round++;
    for (size_t i = 0; i < f->sources_len; i++) {
        struct fluid_source *s = &f->sources[i];

        s->shares_len = 0;
        if (f->model->tables[s->in.table].regions_len == 0)
            continue; /* not created yet, or dropped */
        if (s->in.keys->first_known && s->in.keys->first_by == KEY_ROLE_TIME && s->in.arrivals->late_below == 0)
            shares_of_buckets(f, s);
        else
            shares_of_rows(f, s);
    }
    f->boundaries = boundaries(f);
}

static void spread_rows(struct fluid *f, uint32_t source, uint64_t from, uint64_t to)
{
    struct fluid_source *s = &f->sources[source];
    uint64_t left = to - from;

    for (size_t i = 0; i < s->shares_len && left > 0; i++) {
        struct fluid_region *r = fluid_region_of(f, s->shares[i].region);
        uint64_t n;

        if (!r)
            return;
        r->carry += s->shares[i].share * (double)(to - from);
        n = i + 1 == s->shares_len ? left : (uint64_t)(r->carry > 0 ? r->carry : 0);
        n = n < left ? n : left;
        r->carry -= (double)n;
        left -= n;
        fluid_push(f, s->shares[i].region, &(struct chunk){from, to, n, source});
    }
}

/* Keys that begin with the time: counted by bucket, where all rows of a bucket in this step lie in one
   region. False where that isn't so, or can't be told without the whole keys. */
static bool count_by_bucket(struct fluid *f, uint32_t source, uint64_t from, uint64_t to)
{
    struct fluid_source *s = &f->sources[source];
    const uint32_t buckets = keystream_buckets(s->in.keys);
    struct table *t = &f->model->tables[s->in.table];

    if (!s->counts && !(s->counts = calloc(2 * (size_t)buckets, sizeof *s->counts)))
        return false;
    memset(s->counts, 0, 2 * (size_t)buckets * sizeof *s->counts);
    if (!s->in.keys->first_known || s->in.keys->first_by != KEY_ROLE_TIME)
        return false;
    for (uint32_t b = 0; b < buckets; b++) {
        const uint64_t lo = keystream_prefix_at(s->in.keys, from, b), hi = keystream_prefix_at(s->in.keys, to - 1, b);
        const int first = table_find(t, lo < hi ? lo : hi), last = table_find(t, lo < hi ? hi : lo);

        if (first < 0 || first != last)
            return false;
        s->counts[buckets + b] = (uint64_t)first;
    }
    if (!keystream_count(s->in.keys, from, to, s->counts))
        return false;
    f->bucket_round++;
    for (uint32_t b = 0; b < buckets; b++)
        fluid_note_bucket(f, (int)s->counts[buckets + b], source, b);
    s->shares_len = 0;
    for (uint32_t b = 0; b < buckets; b++) {
        const int region = (int)s->counts[buckets + b];

        fluid_push(f, region, &(struct chunk){from, to, s->counts[b], source});
        s->shares[s->shares_len].region = region;
        s->shares[s->shares_len++].share = (double)s->counts[b] / (double)(to - from);
    }
    return true;
}

void fluid_refresh_shares(struct fluid *f)
{
    if (room_for_shares(f) != 0)
        model_fail(f->model, MODEL_NO_MEMORY);
    else if (f->flow && f->boundaries != boundaries(f))
        find_shares(f);
}

void fluid_take_arrivals(struct fluid *f, des_time now)
{
    fluid_refresh_shares(f);
    if (f->model->error != 0)
        return;
    for (size_t i = 0; i < f->sources_len; i++) {
        struct fluid_source *s = &f->sources[i];
        const uint64_t arrived = arrivals_before(s->in.arrivals, now);
        const uint64_t to = fluid_admitted(f, (uint32_t)i, arrived, now - f->last);

        if (to < arrived && now - arrivals_time(s->in.arrivals, to) > f->oldest_wait)
            f->oldest_wait = now - arrivals_time(s->in.arrivals, to);
        s->step_rows = to > s->next ? to - s->next : 0;
        if (s->step_rows == 0)
            continue;
        if (f->flow)
            spread_rows(f, (uint32_t)i, s->next, to);
        else if (!count_by_bucket(f, (uint32_t)i, s->next, to))
            count_rows(f, (uint32_t)i, s->next, to);
        s->next = to;
    }
}
