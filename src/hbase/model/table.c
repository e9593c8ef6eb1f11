/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table: its shape, its regions in key order, and which of them a row lies in. */
#include <stdlib.h>
#include <string.h>

#include "hbase/balance/assign.h"
#include "hbase/model/act.h"
#include "spec/scheme.h"

static uint64_t prefix_of(const uint8_t *bytes, size_t len)
{
    uint64_t p = 0;

    for (size_t k = 0; k < 8; k++)
        p = p << 8 | (k < len ? bytes[k] : 0);
    return p;
}

static int copy_bytes(struct spec_bytes *to, struct saltkey_slice from)
{
    to->bytes = malloc(from.len + 1);
    if (!to->bytes)
        return MODEL_NO_MEMORY;
    if (from.len > 0)
        memcpy(to->bytes, from.bytes, from.len);
    to->len = from.len;
    return 0;
}

int region_set_bounds(struct region *r, const struct table *t, struct saltkey_slice start,
                      struct saltkey_slice end)
{
    uint64_t bucket = 0;

    if (copy_bytes(&r->start, start) != 0 || copy_bytes(&r->end, end) != 0)
        return MODEL_NO_MEMORY;
    r->start_prefix = prefix_of(start.bytes, start.len);
    r->end_prefix = end.len ? prefix_of(end.bytes, end.len) : UINT64_MAX;
    r->bucket = -1;
    if (t->scheme.salt.hash == SALTKEY_HASH_NONE)
        return 0;
    if (start.len == 0)
        r->bucket = 0;
    else if (saltkey_row_bucket(&t->scheme, start, &bucket) == 0)
        r->bucket = (int)bucket;
    return 0;
}

static int compare(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
    const int c = memcmp(a, b, a_len < b_len ? a_len : b_len);

    return c != 0 ? c : (a_len > b_len) - (a_len < b_len);
}

/* Index in t->regions of the last region whose start is not above |key|. */
static size_t index_of(const struct model *m, const struct table *t, const uint8_t *key, size_t len)
{
    const uint64_t prefix = prefix_of(key, len);
    size_t lo = 0, hi = t->regions_len;

    while (hi - lo > 1) {
        const size_t mid = lo + (hi - lo) / 2;
        const struct region *r = m->regions[t->regions[mid]];
        bool below;

        if (t->prefixes[mid] != prefix)
            below = t->prefixes[mid] < prefix;
        else
            below = compare(r->start.bytes, r->start.len, key, len) <= 0;
        if (below)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

int table_region_of(const struct model *m, const struct table *t, const uint8_t *key, size_t len)
{
    return t->regions[index_of(m, t, key, len)];
}

int table_locate_slow(struct model *m, struct table *t, const struct key_source *source, uint64_t row,
                      uint32_t bucket)
{
    uint8_t bytes[1024];
    struct saltkey_buf key = {bytes, sizeof bytes, 0};
    struct region *r;

    if (source->key(source->context, row, &key) != 0) {
        model_fail(m, MODEL_BROKEN);
        return t->regions[0];
    }
    r = m->regions[table_region_of(m, t, key.bytes, key.len)];
    t->hints[bucket] = (struct table_hint){r->start_prefix, r->end_prefix, r->id};
    return r->id;
}

static void forget_hints(struct table *t, int id)
{
    for (uint32_t b = 0; b < t->buckets; b++)
        if (t->hints[b].region == id)
            t->hints[b] = (struct table_hint){0, 0, id};
}

void table_replace_merged(struct model *m, struct table *t, int old, int merged)
{
    for (size_t i = 0; i < t->regions_len; i++)
        if (t->regions[i] == old) {
            t->regions[i] = merged;
            t->prefixes[i] = m->regions[merged]->start_prefix;
        }
    forget_hints(t, old);
}

void table_remove(struct table *t, int id)
{
    size_t at = 0;

    while (at < t->regions_len && t->regions[at] != id)
        at++;
    if (at == t->regions_len)
        return;
    t->regions_len--;
    memmove(t->regions + at, t->regions + at + 1, (t->regions_len - at) * sizeof *t->regions);
    memmove(t->prefixes + at, t->prefixes + at + 1, (t->regions_len - at) * sizeof *t->prefixes);
    forget_hints(t, id);
}

int table_replace(struct model *m, struct table *t, int old, const int daughters[2])
{
    size_t at = 0;

    if (t->regions_len + 1 > t->regions_cap) {
        size_t cap = t->regions_cap * 2 + 2;
        int *regions = realloc(t->regions, cap * sizeof *regions);
        uint64_t *prefixes;

        if (!regions)
            return MODEL_NO_MEMORY;
        t->regions = regions;
        prefixes = realloc(t->prefixes, cap * sizeof *prefixes);
        if (!prefixes)
            return MODEL_NO_MEMORY;
        t->prefixes = prefixes;
        t->regions_cap = cap;
    }
    while (at < t->regions_len && t->regions[at] != old)
        at++;
    if (at == t->regions_len)
        return MODEL_BROKEN;
    memmove(t->regions + at + 1, t->regions + at, (t->regions_len - at) * sizeof *t->regions);
    memmove(t->prefixes + at + 1, t->prefixes + at, (t->regions_len - at) * sizeof *t->prefixes);
    t->regions_len++;
    for (size_t k = 0; k < 2; k++) {
        t->regions[at + k] = daughters[k];
        t->prefixes[at + k] = m->regions[daughters[k]]->start_prefix;
    }
    forget_hints(t, old);
    return 0;
}

static enum split_policy policy_of(enum spec_split_policy p)
{
    switch (p) {
    case SPEC_SPLIT_INCREASING: return SPLIT_INCREASING_TO_UPPER_BOUND;
    case SPEC_SPLIT_CONSTANT: return SPLIT_CONSTANT_SIZE;
    case SPEC_SPLIT_KEY_PREFIX: return SPLIT_KEY_PREFIX;
    case SPEC_SPLIT_DELIMITED_KEY_PREFIX: return SPLIT_DELIMITED_KEY_PREFIX;
    case SPEC_SPLIT_BUSY: return SPLIT_BUSY;
    case SPEC_SPLIT_DISABLED: return SPLIT_DISABLED;
    default: return SPLIT_STEPPING;
    }
}

static void fill_rules(struct model *m, struct table *t)
{
    const struct spec_hbase *h = &m->spec->hbase;
    const struct spec_table *sp = t->spec;

    for (size_t f = 0; f < t->families_len; f++)
        t->wal_row_bytes += t->families[f].fixed_data_bytes + t->families[f].columns * t->key_max;
    t->flush_bytes = (uint64_t)(sp->memstore_flush_size_bytes ? sp->memstore_flush_size_bytes
                                                              : h->memstore_flush_size_bytes);
    t->flush = (struct flush_policy_config){FLUSH_ALL_LARGE_STORES, t->flush_bytes, 0, UINT64_C(16) << 20};
    split_policy_config_default(&t->split);
    t->split.policy = policy_of(spec_table_split_policy(m->spec, sp));
    t->split.prefix_bytes = (uint32_t)sp->split_prefix_bytes;
    t->split.delimiter = sp->split_delimiter.bytes;
    t->split.delimiter_bytes = sp->split_delimiter.len;
    t->split.initial_bytes = (uint64_t)h->increasing_initial_bytes;
    t->split.overall_files = h->split_overall_files;
    t->split.busy_blocked_rate = h->busy_blocked_share;
    t->split.busy_min_age_us = (uint64_t)(h->busy_min_age_ns / DES_US);
    t->split.busy_window_us = (uint64_t)(h->busy_window_ns / DES_US);
    t->split.table_flush_bytes = (uint64_t)sp->memstore_flush_size_bytes;
    t->split.site_flush_bytes = (uint64_t)h->memstore_flush_size_bytes;
    t->split.max_file_bytes = (uint64_t)(sp->max_filesize_bytes ? sp->max_filesize_bytes : h->max_filesize_bytes);
    compaction_config_default(&t->compaction);
    t->compaction.min_files = (uint32_t)h->compaction_min;
    t->compaction.max_files = (uint32_t)h->compaction_max;
    t->compaction.ratio = h->compaction_ratio;
    t->compaction.ratio_offpeak = h->compaction_ratio_offpeak;
    t->compaction.min_bytes = (uint64_t)h->compaction_min_size_bytes;
    t->compaction.max_bytes = (uint64_t)h->compaction_max_size_bytes;
    t->compaction.blocking_store_files = (uint32_t)h->blocking_store_files;
    t->compaction.major_period_us = (uint64_t)(h->major_compaction_ns / DES_US);
    t->compaction.major_jitter = h->major_compaction_jitter;
    t->compaction.throttle_bytes = (uint64_t)h->compaction_throttle_bytes;
}

static uint64_t draw(void *state)
{
    return des_u64(state);
}

/* CreateTableProcedure: all regions in one round-robin over the master's list of servers. */
static int place(struct model *m, struct table *t, const struct saltkey_keys *keys)
{
    const struct balance_draw draws = {draw, &m->streams.placement};
    const size_t n = keys->count + 1;
    uint32_t *server = malloc(n * sizeof *server);
    struct assign_servers list = {m->targets, (uint32_t)m->targets_len, NULL};
    int rc = server ? assign_create_table(&list, &draws, n, (uint32_t)m->spec->hbase.create_threads, server)
                    : MODEL_NO_MEMORY;

    t->regions = malloc(n * sizeof *t->regions);
    t->prefixes = malloc(n * sizeof *t->prefixes);
    t->regions_cap = n;
    if (!t->regions || !t->prefixes)
        rc = MODEL_NO_MEMORY;
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct region *r = model_add_region(m, t->index, (int)server[i]);
        const struct saltkey_slice open = {NULL, 0};

        if (!r) {
            rc = MODEL_NO_MEMORY;
            break;
        }
        rc = region_set_bounds(r, t, i ? keys->at[i - 1] : open, i < keys->count ? keys->at[i] : open);
        t->regions[i] = r->id;
        t->prefixes[i] = r->start_prefix;
        t->regions_len++;
        m->servers[server[i]].regions++;
        region_opened(m, r);
    }
    free(server);
    return rc;
}

int table_create(struct model *m, struct table *t, const struct spec_table *spec)
{
    int rc = 0;

    t->spec = spec;
    t->families_len = spec->families_len;
    t->families = calloc(spec->families_len, sizeof *t->families);
    t->hints = calloc(t->buckets, sizeof *t->hints);
    if (!t->families || !t->hints)
        return MODEL_NO_MEMORY;
    for (size_t f = 0; f < spec->families_len && rc == 0; f++)
        rc = family_fill(m, t, f);
    fill_rules(m, t);
    if (rc == 0 && table_comes_later(m, t))
        return 0;
    if (rc == 0 && state_has_table(m, spec->name))
        return state_create_table(m, t);
    return rc == 0 ? table_place(m, t) : rc;
}

int table_place(struct model *m, struct table *t)
{
    struct saltkey_keys keys;
    int rc;

    saltkey_keys_init(&keys, NULL);
    rc = spec_table_splits(t->spec, &t->scheme, &keys, NULL) == 0 ? place(m, t, &keys) : MODEL_BAD_SPLITS;
    saltkey_keys_free(&keys);
    return rc;
}

void table_free(struct table *t)
{
    for (size_t f = 0; t->families && f < t->families_len; f++)
        family_free(&t->families[f]);
    free(t->families);
    free(t->regions);
    free(t->prefixes);
    free(t->hints);
    free(t->open_on);
}
