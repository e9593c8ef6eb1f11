/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/model/sample.h"

#include <stdlib.h>
#include <string.h>

void sample_budget_init(struct sample_budget *b, size_t cap)
{
    const bool all = cap == 0;

    b->cap = all ? SIZE_MAX : cap < 2 ? 2 : cap + cap % 2;
    b->builder_cap = all ? SIZE_MAX : SAMPLE_BUILDER_CAPS * b->cap;
    b->whole_rows = all ? SIZE_MAX : SAMPLE_WHOLE_CAPS * b->cap;
    b->keys = 0;
    b->keys_most = all ? SIZE_MAX : SAMPLE_WHOLE_KEYS;
}

void sample_budget_coarse(struct sample_budget *b, size_t cap, bool in_order)
{
    sample_budget_init(b, cap);
    if (in_order && b->builder_cap > SAMPLE_IN_ORDER_KEYS)
        b->builder_cap = SAMPLE_IN_ORDER_KEYS;
    b->whole_rows = 0;
}

void sample_budget_in_order(struct sample_budget *b)
{
    if (b->cap != SIZE_MAX)
        b->builder_cap = b->whole_rows = b->cap;
}

/* A place in a stretch of 2 to |log2| rows for the |i|-th one: multiples of the golden ratio. */
static uint64_t place(uint64_t i, unsigned log2)
{
    return log2 == 0 ? 0 : (i * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - log2);
}

/* The next stretch's row; |done| stretches have theirs. */
static void plan_next(struct sample_builder *b, uint64_t done)
{
    b->next = (done << b->every_log2) + place(done, b->every_log2);
}

void sample_builder_init(struct sample_builder *b, size_t slot, struct sample_budget *budget)
{
    memset(b, 0, sizeof *b);
    b->slot = slot;
    b->budget = budget;
    b->whole = budget->whole_rows > 0;
    b->every_log2 = 0;
}

/* Where millions of memstores are made, one whose like was flushed long before it was full keeps few keys. */
static size_t cap_of(const struct sample_builder *b)
{
    const size_t cap = b->budget->builder_cap;

    return b->small && cap > SAMPLE_IN_ORDER_KEYS ? SAMPLE_IN_ORDER_KEYS : cap;
}

void sample_builder_clear(struct sample_builder *b)
{
    if (b->rows > 0) { /* not once more of what is empty already */
        b->small = b->budget->whole_rows == 0 && b->rows < b->expected / 8;
        b->every_log2 = b->whole || b->every_log2 < 2 ? 0 : b->every_log2 - 1;
    }
    if (b->whole)
        b->budget->keys -= b->n;
    b->whole = b->budget->whole_rows > 0;
    b->n = 0;
    b->rows = b->next = 0;
    if (b->whole)
        b->every_log2 = 0;
    if (b->every_log2 > 0)
        plan_next(b, 0);
}

void sample_builder_free(struct sample_builder *b)
{
    if (b->budget)
        sample_builder_clear(b);
    free(b->keys);
    free(b->lens);
    free(b->notes);
    b->keys = NULL;
    b->lens = NULL;
    b->notes = NULL;
    b->n = b->room = 0;
}

/* Keeps one key of every two and doubles the stretch. */
static void halve(struct sample_builder *b)
{
    for (size_t i = 0; 2 * i < b->n; i++) {
        const size_t from = 2 * i + (2 * i + 1 < b->n ? place(i, 1) : 0);

        memmove(b->keys + i * b->slot, b->keys + from * b->slot, b->slot);
        b->lens[i] = b->lens[from];
    }
    b->n = (b->n + 1) / 2;
    b->every_log2++;
    plan_next(b, b->n);
}

static int resize(struct sample_builder *b, size_t room)
{
    uint8_t *keys = realloc(b->keys, room * b->slot);
    uint16_t *lens;

    if (!keys)
        return -1;
    b->keys = keys;
    lens = realloc(b->lens, room * sizeof *lens);
    if (!lens)
        return -1;
    b->lens = lens;
    if (b->whole) {
        struct sample_note *notes = realloc(b->notes, room * sizeof *notes);

        if (!notes)
            return -1;
        b->notes = notes;
    }
    b->room = room;
    return 0;
}

/* A memstore's first slots: one that stays small costs little. */
static size_t first_room(const struct sample_builder *b)
{
    return !b->whole && b->budget->builder_cap < 64 ? b->budget->builder_cap : 64;
}

/* No longer whole: thinned out to the cap, and its memory with it. */
static int thin(struct sample_builder *b)
{
    b->budget->keys -= b->n;
    b->whole = false;
    free(b->notes);
    b->notes = NULL;
    while (b->n >= b->budget->builder_cap || b->expected >> b->every_log2 > b->budget->builder_cap)
        halve(b);
    return resize(b, b->n < 32 ? 64 : 2 * b->n);
}

int sample_builder_add(struct sample_builder *b, const uint8_t *key, size_t len,
                       const struct sample_note *note)
{
    if ((b->n == b->room || (b->whole && !b->notes)) &&
        resize(b, b->room && (b->notes || !b->whole) ? b->room * 2 : first_room(b)) != 0)
        return -1;
    memcpy(b->keys + b->n * b->slot, key, len);
    b->lens[b->n] = (uint16_t)len;
    b->rows++;
    if (!b->whole) {
        plan_next(b, ++b->n);
        if (b->n >= cap_of(b))
            halve(b);
        return 0;
    }
    b->notes[b->n++] = *note;
    b->next++;
    b->budget->keys++;
    if (b->n >= b->budget->whole_rows || b->budget->keys >= b->budget->keys_most)
        return thin(b);
    return 0;
}

struct order {
    const uint8_t *keys;
    const uint16_t *lens;
    size_t slot;
};

static int compare(const struct order *o, uint32_t a, uint32_t b)
{
    const size_t la = o->lens[a], lb = o->lens[b];
    const int c = memcmp(o->keys + a * o->slot, o->keys + b * o->slot, la < lb ? la : lb);

    if (c != 0)
        return c;
    if (la != lb)
        return la < lb ? -1 : 1;
    return a < b ? -1 : a > b; /* equal rows stay in the order of their arrival */
}

/* Merge sort of indices: keys arrive nearly sorted, and qsort takes no context. */
static void sort_indices(const struct order *o, uint32_t *ids, uint32_t *spare, size_t n)
{
    size_t half = n / 2, i = 0, j = half, k = 0;

    if (n < 2)
        return;
    sort_indices(o, ids, spare, half);
    sort_indices(o, ids + half, spare, n - half);
    if (compare(o, ids[half - 1], ids[half]) <= 0)
        return;
    memcpy(spare, ids, half * sizeof *ids);
    while (i < half && j < n) {
        if (compare(o, spare[i], ids[j]) <= 0)
            ids[k++] = spare[i++];
        else
            ids[k++] = ids[j++];
    }
    memcpy(ids + k, spare + i, (half - i) * sizeof *ids);
}

static int reserve(struct key_sample *s, size_t room)
{
    uint8_t *keys = realloc(s->keys, room * s->slot + 1);
    uint16_t *lens;
    uint64_t *rank;

    if (!keys)
        return -1;
    s->keys = keys;
    lens = realloc(s->lens, (room + 1) * sizeof *lens);
    if (!lens)
        return -1;
    s->lens = lens;
    rank = realloc(s->rank, (room + 1) * sizeof *rank);
    if (!rank)
        return -1;
    s->rank = rank;
    if (s->budget) {
        struct sample_note *p = realloc(s->notes, (room + 1) * sizeof *p);

        if (!p)
            return -1;
        s->notes = p;
    }
    s->room = room;
    return 0;
}

struct key_sample *sample_new(size_t n, size_t slot, struct sample_budget *budget)
{
    struct key_sample *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->refs = 1;
    s->slot = slot;
    s->budget = budget;
    if (reserve(s, n) != 0) {
        sample_unref(s);
        return NULL;
    }
    s->rank[0] = 0;
    return s;
}

int sample_push(struct key_sample *s, const uint8_t *key, size_t len, uint64_t weight,
                const struct sample_note *note)
{
    if (s->n == s->room && reserve(s, s->room * 2 + 16) != 0)
        return -1;
    memcpy(s->keys + s->n * s->slot, key, len);
    s->lens[s->n] = (uint16_t)len;
    if (s->budget) {
        s->notes[s->n] = *note;
        s->budget->keys++;
    }
    s->rank[s->n++] = s->rows;
    s->rows += weight;
    s->rank[s->n] = s->rows;
    return 0;
}

struct key_sample *sample_sorted(struct sample_builder *b)
{
    const struct order o = {b->keys, b->lens, b->slot};
    const size_t most = b->whole ? SIZE_MAX : b->budget->cap, n = b->n < most ? b->n : most;
    struct key_sample *s = sample_new(n, b->slot, b->whole ? b->budget : NULL);
    uint32_t *ids = malloc((2 * b->n + 1) * sizeof *ids);

    if (!s || !ids) {
        free(ids);
        sample_unref(s);
        return NULL;
    }
    for (size_t i = 0; i < b->n; i++)
        ids[i] = (uint32_t)i;
    sort_indices(&o, ids, ids + b->n, b->n);
    for (size_t i = 0; i < n; i++) {
        const size_t from = i * b->n / n;

        memcpy(s->keys + i * s->slot, b->keys + ids[from] * b->slot, b->slot);
        s->lens[i] = b->lens[ids[from]];
        if (s->budget)
            s->notes[i] = b->notes[ids[from]];
        s->rank[i] = (uint64_t)((double)b->rows * (double)from / (double)b->n);
    }
    s->n = n;
    s->rows = s->rank[n] = b->rows;
    free(ids);
    if (s->budget)
        s->budget->keys += s->n;
    sample_builder_free(b); /* most memstores of a long run aren't written again */
    return s;
}

struct key_sample *sample_ref(struct key_sample *s)
{
    if (s)
        s->refs++;
    return s;
}

void sample_unref(struct key_sample *s)
{
    if (!s || --s->refs > 0)
        return;
    if (s->budget)
        s->budget->keys -= s->n;
    free(s->keys);
    free(s->lens);
    free(s->notes);
    free(s->rank);
    free(s);
}

static int compare_key(const struct key_sample *s, size_t i, const uint8_t *key, size_t len)
{
    const size_t n = s->lens[i];
    const int c = memcmp(s->keys + i * s->slot, key, n < len ? n : len);

    return c != 0 ? c : (n > len) - (n < len);
}

size_t sample_lower_bound(const struct sample_part *p, const uint8_t *key, size_t len)
{
    size_t lo = p->lo, hi = p->hi;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (compare_key(p->sample, mid, key, len) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

size_t sample_index_of_row(const struct sample_part *p, uint64_t row)
{
    const struct key_sample *s = p->sample;
    const uint64_t want = s->rank[p->lo] + row;
    size_t lo = p->lo, hi = p->hi;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (s->rank[mid] < want)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

size_t sample_smallest(const struct sample_part *parts, const size_t *at, size_t n)
{
    size_t best = n;

    for (size_t p = 0; p < n; p++) {
        size_t len;
        const uint8_t *key;

        if (!parts[p].sample || at[p] >= parts[p].hi)
            continue;
        if (best == n) {
            best = p;
            continue;
        }
        key = sample_key(parts[best].sample, at[best], &len);
        if (compare_key(parts[p].sample, at[p], key, len) < 0)
            best = p;
    }
    return best;
}

/* Rows that key |i| of the part stands for. */
static uint64_t weight(const struct sample_part *p, size_t i)
{
    return p->sample->rank[i + 1] - p->sample->rank[i];
}

struct key_sample *sample_merge(const struct sample_part *parts, size_t n, size_t cap)
{
    struct key_sample *out;
    size_t total = 0, slot = 1, *at = malloc((n + 1) * sizeof *at);
    uint64_t rows = 0, before = 0;
    double step;

    for (size_t p = 0; at && p < n; p++) {
        at[p] = parts[p].lo;
        if (!parts[p].sample)
            continue;
        total += parts[p].hi - parts[p].lo;
        rows += sample_part_rows(&parts[p]);
        slot = parts[p].sample->slot > slot ? parts[p].sample->slot : slot;
    }
    out = at ? sample_new(total < cap ? total : cap, slot, NULL) : NULL;
    if (!out) {
        free(at);
        return NULL;
    }
    /* Over the cap, the keys nearest to evenly spaced ranks are kept. */
    step = total <= cap ? 0 : (double)rows / (double)cap;
    for (size_t p = sample_smallest(parts, at, n); p < n; p = sample_smallest(parts, at, n)) {
        const size_t i = at[p]++;

        if ((double)before >= step * (double)out->n && out->n < cap && out->n < total) {
            size_t len;
            const uint8_t *key = sample_key(parts[p].sample, i, &len);

            memcpy(out->keys + out->n * slot, key, len);
            out->lens[out->n] = (uint16_t)len;
            out->rank[out->n++] = before;
        }
        before += weight(&parts[p], i);
    }
    out->rows = out->rank[out->n] = rows;
    free(at);
    return out;
}
