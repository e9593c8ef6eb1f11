/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/model/sample.h"

#include <stdlib.h>
#include <string.h>

void sample_builder_init(struct sample_builder *b, size_t slot, size_t cap)
{
    memset(b, 0, sizeof *b);
    b->slot = slot;
    b->cap = cap < 2 ? 2 : cap;
    b->every = 1;
}

void sample_builder_free(struct sample_builder *b)
{
    free(b->keys);
    free(b->lens);
    free(b->notes);
    b->keys = NULL;
    b->lens = NULL;
    b->notes = NULL;
    b->n = b->room = 0;
}

/* Drops every other key and doubles the stride; what stays are the rows at multiples of it. */
static void halve(struct sample_builder *b)
{
    for (size_t i = 0; 2 * i < b->n; i++) {
        memcpy(b->keys + i * b->slot, b->keys + 2 * i * b->slot, b->slot);
        b->lens[i] = b->lens[2 * i];
    }
    b->n = (b->n + 1) / 2;
    b->every *= 2;
}

static int grow(struct sample_builder *b)
{
    const size_t room = b->room ? b->room * 2 : 64;
    uint8_t *keys = realloc(b->keys, room * b->slot);
    uint16_t *lens;

    if (!keys)
        return -1;
    b->keys = keys;
    lens = realloc(b->lens, room * sizeof *lens);
    if (!lens)
        return -1;
    b->lens = lens;
    if (b->cap == SAMPLE_ALL) {
        struct sample_note *notes = realloc(b->notes, room * sizeof *notes);

        if (!notes)
            return -1;
        b->notes = notes;
    }
    b->room = room;
    return 0;
}

int sample_builder_add(struct sample_builder *b, const uint8_t *key, size_t len,
                       const struct sample_note *note)
{
    if (b->n == b->room && grow(b) != 0)
        return -1;
    memcpy(b->keys + b->n * b->slot, key, len);
    if (b->notes)
        b->notes[b->n] = *note;
    b->lens[b->n++] = (uint16_t)len;
    b->rows++;
    if (b->n >= b->cap)
        halve(b);
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

static int reserve(struct key_sample *s, size_t room, bool notes)
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
    if (notes) {
        struct sample_note *p = realloc(s->notes, (room + 1) * sizeof *p);

        if (!p)
            return -1;
        s->notes = p;
    }
    s->room = room;
    return 0;
}

struct key_sample *sample_new(size_t n, size_t slot, bool notes)
{
    struct key_sample *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->refs = 1;
    s->slot = slot;
    if (reserve(s, n, notes) != 0) {
        sample_unref(s);
        return NULL;
    }
    s->rank[0] = 0;
    return s;
}

int sample_push(struct key_sample *s, const uint8_t *key, size_t len, uint64_t weight,
                const struct sample_note *note)
{
    if (s->n == s->room && reserve(s, s->room * 2 + 16, s->notes != NULL) != 0)
        return -1;
    memcpy(s->keys + s->n * s->slot, key, len);
    s->lens[s->n] = (uint16_t)len;
    if (s->notes)
        s->notes[s->n] = *note;
    s->rank[s->n++] = s->rows;
    s->rows += weight;
    s->rank[s->n] = s->rows;
    return 0;
}

struct key_sample *sample_sorted(struct sample_builder *b)
{
    const struct order o = {b->keys, b->lens, b->slot};
    struct key_sample *s = sample_new(b->n, b->slot, b->notes != NULL);
    uint32_t *ids = malloc((2 * b->n + 1) * sizeof *ids);

    if (!s || !ids) {
        free(ids);
        sample_unref(s);
        return NULL;
    }
    for (size_t i = 0; i < b->n; i++)
        ids[i] = (uint32_t)i;
    sort_indices(&o, ids, ids + b->n, b->n);
    for (size_t i = 0; i < b->n; i++) {
        memcpy(s->keys + i * s->slot, b->keys + ids[i] * b->slot, b->slot);
        s->lens[i] = b->lens[ids[i]];
        if (s->notes)
            s->notes[i] = b->notes[ids[i]];
        s->rank[i] = (uint64_t)((double)b->rows * (double)i / (double)b->n);
    }
    s->n = b->n;
    s->rows = s->rank[b->n] = b->rows;
    free(ids);
    b->n = 0;
    b->rows = 0;
    b->every = 1;
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
    out = at ? sample_new(total < cap ? total : cap, slot, false) : NULL;
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
