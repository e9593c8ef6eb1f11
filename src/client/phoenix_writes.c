/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/phoenix_writes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/phoenix.h"

/* A row's place in java.util.HashMap. */
struct place {
    uint32_t hash;            /* of ImmutableBytesPtr: Arrays.hashCode over the whole row, then spread */
    uint32_t bin;
    size_t row;
};

static int by_hash(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* A bin keeps the order of insertion, also when the map grows. */
static int by_bin(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->bin != y->bin)
        return x->bin < y->bin ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static bool same_key(struct saltkey_slice a, struct saltkey_slice b)
{
    return saltkey_compare(a, b) == 0;
}

/* Keeps the first place of each key: a second upsert doesn't move it. */
static size_t drop_repeats(const struct saltkey_slice *rows, struct place *p, size_t n)
{
    size_t kept = 0;

    qsort(p, n, sizeof *p, by_hash);
    for (size_t i = 0; i < n; i++) {
        bool seen = false;

        for (size_t k = kept; k-- > 0 && p[k].hash == p[i].hash;)
            seen |= same_key(rows[p[k].row], rows[p[i].row]);
        if (!seen)
            p[kept++] = p[i];
    }
    return kept;
}

int64_t phoenix_commit_order(const struct saltkey_slice *rows, size_t n, size_t *order)
{
    struct place *p = malloc((n + 1) * sizeof *p);
    uint64_t capacity = 16;
    size_t kept;

    if (!p)
        return PHOENIX_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const uint32_t h = (uint32_t)saltkey_hash31(rows[i].bytes, rows[i].len);

        p[i] = (struct place){h ^ (h >> 16), 0, i};
    }
    kept = drop_repeats(rows, p, n);
    while (kept > capacity / 4 * 3)
        capacity *= 2;
    for (size_t i = 0; i < kept; i++)
        p[i].bin = p[i].hash & (uint32_t)(capacity - 1);
    qsort(p, kept, sizeof *p, by_bin);
    for (size_t i = 0; i < kept; i++)
        order[i] = p[i].row;
    free(p);
    return (int64_t)kept;
}

int64_t phoenix_commit(const struct saltkey_keys *splits, const struct saltkey_slice *rows, size_t n,
                       uint32_t batch_rows, struct phoenix_region_writes *writes)
{
    const size_t regions = splits->count + 1;
    size_t *order = malloc((n + 1) * sizeof *order);
    uint64_t *last = calloc(regions, sizeof *last); /* number of the batch that came last, from 1 */
    uint64_t batch = 0;
    int64_t kept = order && last ? phoenix_commit_order(rows, n, order) : PHOENIX_NO_MEMORY;

    for (int64_t k = 0; k < kept; k++) {
        const size_t region = saltkey_split_region(splits, rows[order[k]]);

        batch = (uint64_t)k / batch_rows + 1;
        writes[region].calls += last[region] != batch;
        writes[region].mutations++;
        last[region] = batch;
    }
    free(last);
    free(order);
    return kept < 0 ? kept : (int64_t)batch;
}

uint64_t phoenix_client_batches(uint64_t rows, uint64_t commit_rows, uint32_t batch_rows)
{
    const uint64_t rest = rows % commit_rows;

    return rows / commit_rows * ((commit_rows + batch_rows - 1) / batch_rows) + (rest + batch_rows - 1) / batch_rows;
}

static double batch_calls(double batch_rows, uint32_t regions)
{
    return regions > 1 ? regions * -expm1(batch_rows * log1p(-1.0 / regions)) : 1;
}

static double commit_calls(uint64_t rows, uint32_t batch_rows, uint32_t regions)
{
    const uint64_t rest = rows % batch_rows;

    return (double)(rows / batch_rows) * batch_calls(batch_rows, regions) +
           (rest > 0 ? batch_calls((double)rest, regions) : 0);
}

double phoenix_region_calls(uint64_t rows, uint64_t commit_rows, uint32_t batch_rows, uint32_t regions)
{
    return (double)(rows / commit_rows) * commit_calls(commit_rows, batch_rows, regions) +
           commit_calls(rows % commit_rows, batch_rows, regions);
}

uint64_t phoenix_index_mutations(uint64_t rows)
{
    return 2 * rows;
}

double phoenix_index_calls(uint64_t rows, uint64_t commit_rows, uint32_t batch_rows, uint32_t data_regions,
                           uint32_t index_regions)
{
    const double data_calls = phoenix_region_calls(rows, commit_rows, batch_rows, data_regions);

    return data_calls > 0 ? 2 * data_calls * batch_calls((double)rows / data_calls, index_regions) : 0;
}
