/* SPDX-License-Identifier: Apache-2.0 */
/* Split points from a sample of keys, crossed with buckets, and whether given points fit the keys. */
#include <stdio.h>

#include "internal.h"

static int no_memory(struct saltkey_keys *keys, struct saltkey_error *err)
{
    keys->count = keys->store_len = 0;
    return saltkey__fail(err, SALTKEY_ENOMEM, 0, "%s", saltkey_status_text(SALTKEY_ENOMEM));
}

int saltkey_split_quantiles(struct saltkey_keys *sample, uint32_t regions, struct saltkey_keys *keys,
                            struct saltkey_error *err)
{
    struct saltkey_slice before = {NULL, 0};
    uint32_t i;

    keys->count = keys->store_len = 0;
    if (saltkey__regions_fit(regions, err) < 0)
        return SALTKEY_ERANGE;
    if (sample->count < regions)
        return saltkey__fail(err, SALTKEY_EEMPTY, 0, "%lu keys can't be cut into %lu regions",
                             (unsigned long)sample->count, (unsigned long)regions);
    saltkey__sort(sample);
    for (i = 1; i < regions; i++) {
        struct saltkey_slice at = sample->at[(size_t)((uint64_t)sample->count * i / regions)];

        if (at.len == 0 || saltkey_compare(before, at) == 0)
            continue; /* a key that fills a whole region can't be cut */
        if (saltkey_keys_add(keys, at) < 0)
            return no_memory(keys, err);
        before = at;
    }
    return 0;
}

int saltkey_split_cross(const struct saltkey_salt *salt, const struct saltkey_keys *inner,
                        struct saltkey_keys *keys, struct saltkey_error *err)
{
    uint8_t prefix[SALTKEY__PREFIX_MAX];
    size_t mark = salt->prefix >= SALTKEY_PREFIX_HEX, i;
    uint64_t b;
    int rc;

    keys->count = keys->store_len = 0;
    if (salt->buckets > 65536)
        return saltkey__fail(err, SALTKEY_EBUCKETS, 0, "a region for each of %llu prefixes is too many",
                             (unsigned long long)salt->buckets);
    if (inner->count >= SALTKEY_REGIONS_MAX)
        return saltkey__regions_fit((uint64_t)inner->count + 1, err);
    if (saltkey__regions_fit(salt->buckets * (inner->count + 1), err) < 0)
        return SALTKEY_ERANGE;
    for (b = 0; b < salt->buckets; b++) {
        size_t n = saltkey__prefix_bytes(salt, b, prefix);

        if (b > 0 && saltkey_keys_add(keys, saltkey__slice(prefix, n - mark)) < 0)
            return no_memory(keys, err);
        for (i = 0; i < inner->count; i++) {
            uint8_t *room = saltkey__keys_room(keys, n + inner->at[i].len);

            if (!room)
                return no_memory(keys, err);
            memcpy(room, prefix, n);
            if (inner->at[i].len)
                memcpy(room + n, inner->at[i].bytes, inner->at[i].len);
            if (saltkey__keys_take(keys, n + inner->at[i].len) < 0)
                return no_memory(keys, err);
        }
    }
    rc = saltkey_keys_finish(keys, err);
    if (rc < 0)
        keys->count = keys->store_len = 0;
    return rc;
}

/* Names the fault, if there is one, from the regions' counts. */
static void judge(const uint64_t *counts, size_t regions, struct saltkey_fit *fit)
{
    size_t i;

    fit->regions = regions;
    for (i = 0; i < regions; i++) {
        fit->keys += counts[i];
        fit->empty += counts[i] == 0;
        if (counts[i] > counts[fit->fullest])
            fit->fullest = i;
    }
    if (fit->keys == 0)
        return;
    fit->largest_share = (double)counts[fit->fullest] / (double)fit->keys;
    if (regions > 1 && fit->empty + 1 == regions && fit->fullest + 1 == regions)
        fit->fault = SALTKEY_FIT_LAST_TAKES_ALL;
    else if (regions > 1 && fit->empty + 1 == regions)
        fit->fault = SALTKEY_FIT_ONE_TAKES_ALL;
    else if (regions > 1 && fit->empty * 2 >= regions)
        fit->fault = SALTKEY_FIT_WRONG_ALPHABET;
    else if (fit->empty)
        fit->fault = SALTKEY_FIT_EMPTY_REGIONS;
    else if (fit->largest_share * (double)regions > 2)
        fit->fault = SALTKEY_FIT_UNEVEN;
}

int saltkey_splits_fit(const struct saltkey_keys *splits, const struct saltkey_keys *rows, uint64_t *counts,
                       struct saltkey_fit *fit)
{
    size_t i;

    memset(fit, 0, sizeof(*fit));
    memset(counts, 0, (splits->count + 1) * sizeof(*counts));
    if (rows->count == 0)
        return SALTKEY_EEMPTY;
    for (i = 0; i < rows->count; i++)
        counts[saltkey_split_region(splits, rows->at[i])]++;
    judge(counts, splits->count + 1, fit);
    return 0;
}

/* What any bucket could hold, counted by the regions its whole range touches. */
int saltkey_splits_fit_salt(const struct saltkey_keys *splits, const struct saltkey_salt *salt, uint64_t *counts,
                            struct saltkey_fit *fit)
{
    uint8_t prefix[SALTKEY__PREFIX_MAX];
    uint64_t b;

    memset(fit, 0, sizeof(*fit));
    memset(counts, 0, (splits->count + 1) * sizeof(*counts));
    if (salt->buckets > 65536)
        return SALTKEY_EBUCKETS;
    for (b = 0; b < salt->buckets; b++) {
        size_t n = saltkey__prefix_bytes(salt, b, prefix), first, last;

        first = saltkey_split_region(splits, saltkey__slice(prefix, n));
        last = n ? splits->count : 0;
        while (n > 0 && prefix[n - 1] == 0xff)
            n--;
        if (n > 0) {
            struct saltkey_slice stop = saltkey__slice(prefix, n);

            prefix[n - 1]++;
            last = saltkey_split_region(splits, stop);
            if (last > first && saltkey_compare(splits->at[last - 1], stop) == 0)
                last--; /* the stop itself is outside */
        }
        for (; first <= last; first++)
            counts[first]++;
    }
    judge(counts, splits->count + 1, fit);
    return 0;
}

const char *saltkey_fit_text(enum saltkey_fit_fault fault)
{
    static const char *const texts[] = {
        [SALTKEY_FIT_OK] = "the keys fill all regions",
        [SALTKEY_FIT_ONE_TAKES_ALL] = "one region takes all keys: the points are of another alphabet",
        [SALTKEY_FIT_LAST_TAKES_ALL] = "the last region takes all keys: they sort behind every point",
        [SALTKEY_FIT_WRONG_ALPHABET] = "half of the regions or more stay empty: the points don't follow the keys' alphabet",
        [SALTKEY_FIT_EMPTY_REGIONS] = "some regions stay empty",
        [SALTKEY_FIT_UNEVEN] = "a region takes more than twice its share",
    };

    return (size_t)fault < sizeof(texts) / sizeof(texts[0]) ? texts[fault] : "unknown fault";
}
