/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "saltkey.h"
#include "sim/sim.h"
#include "workload/keystream.h"

#define ROWS UINT64_C(16384)

/* The sampled rows of one stream, of a fixed room each. */
struct rows {
    uint8_t *bytes;
    struct saltkey_slice *key;
    size_t len;
};

/* Random rows, the first half of them from the run's first half: neighbours may come from neighbouring
   entities and would look like a hot spot. */
static uint64_t pick(const struct plan_pair *pair, uint64_t most, uint64_t k)
{
    const uint64_t half = pair->total / 2, word = arrivals_mix(pair->arrivals.key ^ UINT64_C(0x5ca1ab1e), k);

    return k < most / 2 ? word % (half ? half : 1) : half + word % (pair->total - half);
}

static int build(const struct plan_pair *pair, const struct spec_table *table, struct rows *rows)
{
    const uint64_t most = pair->total < ROWS ? pair->total : ROWS;
    struct saltkey_error err = {0, 0, ""};
    struct keystream ks;
    int rc = keystream_init(&ks, table, &pair->arrivals, pair->has_file ? &pair->file : NULL, &err);

    if (rc != 0)
        return rc == KEYSTREAM_NO_MEMORY ? SIM_NO_MEMORY : SIM_BAD_SPEC;
    rows->bytes = malloc(most * (ks.row_max + 1));
    rows->key = malloc(most * sizeof *rows->key);
    if (!rows->bytes || !rows->key)
        rc = SIM_NO_MEMORY;
    for (uint64_t k = 0; k < most && rc == 0; k++) {
        uint8_t *at = rows->bytes + k * (ks.row_max + 1);
        struct saltkey_buf row = {at, ks.row_max, 0};

        if (keystream_key(&ks, pick(pair, most, k), &row) != 0)
            rc = SIM_BAD_SPEC;
        rows->key[k] = (struct saltkey_slice){at, row.len};
        rows->len++;
    }
    keystream_free(&ks);
    return rc;
}

static int by_key(const void *a, const void *b)
{
    return saltkey_compare(*(const struct saltkey_slice *)a, *(const struct saltkey_slice *)b);
}

/* The shortest beginning of |b| that still sorts above |a|. */
static size_t separator(struct saltkey_slice a, struct saltkey_slice b)
{
    size_t k = 0;

    while (k < a.len && k < b.len && a.bytes[k] == b.bytes[k])
        k++;
    return k < b.len ? k + 1 : b.len;
}

static int cut(struct rows *rows, uint32_t regions, struct saltkey_keys *cuts)
{
    const size_t half = rows->len / 2;
    int rc = 0;

    qsort(rows->key, half, sizeof *rows->key, by_key);
    for (uint32_t r = 1; r < regions && rc == 0; r++) {
        const size_t at = half * r / regions;
        struct saltkey_slice key = rows->key[at];

        if (at == 0)
            return SALTKEY_EDUPLICATE;
        key.len = separator(rows->key[at - 1], key);
        rc = saltkey_keys_add(cuts, key);
    }
    return rc == 0 ? saltkey_keys_finish(cuts, NULL) : rc;
}

static bool even(const struct rows *rows, const struct saltkey_keys *cuts)
{
    const size_t half = rows->len / 2, regions = cuts->count + 1;
    size_t *count = calloc(regions, sizeof *count), most = 0;

    for (size_t k = half; count && k < rows->len; k++) {
        const size_t r = saltkey_split_region(cuts, rows->key[k]);

        count[r]++;
        most = count[r] > most ? count[r] : most;
    }
    free(count);
    return most > 0 && (double)most * (double)regions <=
                           (PLAN_SPREAD_RATIO + 4 * sqrt(2 * (double)regions / (double)half)) * (double)(rows->len - half);
}

static int give_cuts(struct spec_table *table, const struct saltkey_keys *cuts)
{
    struct spec_bytes *to = calloc(cuts->count, sizeof *to);

    if (!to)
        return SIM_NO_MEMORY;
    table->split_keys = to;
    table->split_keys_len = cuts->count;
    table->splits = SPEC_SPLITS_KEYS;
    for (size_t i = 0; i < cuts->count; i++) {
        to[i].bytes = malloc(cuts->at[i].len);
        if (!to[i].bytes)
            return SIM_NO_MEMORY;
        memcpy(to[i].bytes, cuts->at[i].bytes, cuts->at[i].len);
        to[i].len = cuts->at[i].len;
    }
    return 0;
}

static int presplit_table(const struct plan_pair *pair, struct spec *sp, bool *found)
{
    const uint32_t regions = (uint32_t)sp->cluster.servers * PLAN_PRESPLIT_PER_SERVER;
    struct spec_table *table = &sp->tables[pair->table];
    struct saltkey_keys cuts;
    struct rows rows = {NULL, NULL, 0};
    int rc = build(pair, table, &rows);

    saltkey_keys_init(&cuts, NULL);
    /* Rows that repeat a key can't be cut between; that is no failure. */
    if (rc == 0 && regions > 1 && rows.len / 2 >= 4 * regions && cut(&rows, regions, &cuts) == 0 && even(&rows, &cuts)) {
        rc = give_cuts(table, &cuts);
        *found = rc == 0;
    }
    saltkey_keys_free(&cuts);
    free(rows.bytes);
    free(rows.key);
    return rc;
}

int plan_presplit(const struct plan_keys *keys, struct spec *sp, bool *found)
{
    int rc = 0;

    for (size_t i = 0; i < keys->len && rc == 0; i++) {
        const struct spec_table *table = &sp->tables[keys->pair[i].table];

        if (spec_salt_takes_buckets(table->salt) &&
            (table->splits == SPEC_SPLITS_NONE || table->splits == SPEC_SPLITS_BUCKETS))
            rc = presplit_table(&keys->pair[i], sp, found);
    }
    return rc;
}
