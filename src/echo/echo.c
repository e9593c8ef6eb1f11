/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "echo/echo.h"

#include <math.h>
#include <string.h>

#include "echo/query.h"
#include "hbase/rules/memstore.h"
#include "saltkey.h"
#include "spec/scheme.h"

#define TEXT_FIELD_BYTES 16           /* of a field whose width varies: an entity's text */
#define SEQID_BYTES 3                 /* of a cell in a file: its sequence id, as a vint */
#define BLOOM_BYTES 1.25              /* of a row in a file: ten bits */

/* One table as the load sees it. */
struct seen {
    double rows_per_s;
    double row_bytes, row_heap_bytes;
    double store_bytes;               /* file bytes of a row in its largest family */
    double tails, regions;
    double hottest;                   /* share of its hottest region; an even one where none stands out */
    double tail_per_s;                /* rows that this region gets done, at most what its server can do */
};

static double regions_of(const struct spec_table *tab)
{
    switch (tab->splits) {
    case SPEC_SPLITS_BUCKETS:
        return (tab->buckets > 0 ? tab->buckets : 1) * (double)(tab->splits_regions > 0 ? tab->splits_regions : 1);
    case SPEC_SPLITS_NONE:
        return 1;
    case SPEC_SPLITS_FILE:
    case SPEC_SPLITS_KEYS:
        return (double)tab->split_keys_len + 1;
    default:
        return tab->splits_regions;
    }
}

static int look(const struct spec *sp, const struct spec_table *tab, struct seen *out)
{
    struct saltkey_scheme scheme;
    struct saltkey_error err;
    double entities;
    uint64_t key;

    if (spec_table_scheme(tab, &scheme, &err) != 0)
        return -1;
    *out = (struct seen){.rows_per_s = echo_rate(sp, tab->name, &entities)};
    key = (spec_salt_takes_buckets(tab->salt) && tab->buckets == 0 ? 0 : scheme.salt.width) +
          (scheme.layout.width > 0 ? scheme.layout.width : TEXT_FIELD_BYTES * scheme.layout.n_fields);
    for (size_t f = 0; f < tab->families_len; f++) {
        double bytes = 0, file = tab->families[f].bloom_row ? BLOOM_BYTES : 0;

        for (size_t c = 0; c < tab->families[f].columns_len; c++) {
            const struct spec_column *col = &tab->families[f].columns[c];
            const uint64_t kv = memstore_cell_data_bytes(key, strlen(tab->families[f].name), strlen(col->qualifier),
                                                         (uint64_t)col->value_bytes);

            bytes += (double)kv;
            file += (double)kv + SEQID_BYTES;
            out->row_heap_bytes += (double)memstore_cell_heap_bytes(kv);
        }
        out->row_bytes += bytes;
        out->store_bytes = fmax(out->store_bytes, file);
    }
    out->regions = regions_of(tab);
    out->tails = out->regions;
    if (spec_field_grows(&scheme.layout.fields[0]) && !spec_scheme_hashed_prefix(&scheme))
        out->tails = fmin(out->regions, tab->buckets > 0 ? tab->buckets : 1);
    return 0;
}

static double flush_size(const struct spec *sp, const struct spec_table *tab)
{
    return (double)(tab->memstore_flush_size_bytes ? tab->memstore_flush_size_bytes : sp->hbase.memstore_flush_size_bytes);
}

/* Tails on the server that has most of them. */
static double most_tails(const struct spec *sp, const struct seen *see)
{
    return ceil(see->tails / sp->cluster.servers);
}

/* Rows per second that are asked of the server with the hottest region. */
static double busiest_per_s(const struct spec *sp, const struct seen *see)
{
    return see->rows_per_s * (see->hottest + (most_tails(sp, see) - 1) * fmin(see->hottest, 1 / see->tails));
}

/* A share that a region has beyond five standard deviations of the sample, and 10 %. */
static bool stands_out(double share, double even)
{
    return share > 1.1 * even + 5 * sqrt(even / ECHO_SAMPLED_ROWS); /* never for NaN */
}

static void look_at_hottest(const struct spec *sp, double hottest, struct seen *see)
{
    double asked;

    see->hottest = 1 / see->tails;
    if (stands_out(hottest, see->hottest))
        see->hottest = hottest;
    asked = busiest_per_s(sp, see);
    see->tail_per_s = see->rows_per_s * see->hottest * fmin(1, asked > 0 ? spec_write_capacity_per_s(sp) / asked : 1);
}

/* Seconds from one flush of the hottest region to the next: until it is full, or an edit is too old. */
static double flush_after(const struct spec *sp, const struct spec_table *tab, const struct seen *see, bool *by_age)
{
    const double full_s = flush_size(sp, tab) / (see->tail_per_s * see->row_heap_bytes);
    const double age_s = sp->hbase.flush_interval_ns > 0
                             ? (double)sp->hbase.flush_interval_ns / 1e9 + (double)sp->hbase.flush_delay_range_s / 2
                             : INFINITY;

    *by_age = age_s < full_s;
    return fmin(full_s, age_s);
}

/* Seconds to the first split of a table whose emptiest server holds |beside| of its regions: it is
   looked at after each flush. */
static double split_after(const struct spec *sp, const struct spec_table *tab, const struct seen *see, double flush_s)
{
    const double flush = flush_size(sp, tab);
    const double most = (double)(tab->max_filesize_bytes ? tab->max_filesize_bytes : sp->hbase.max_filesize_bytes);
    const double beside = fmax(1, floor(see->regions / sp->cluster.servers));
    const double file = flush_s * see->tail_per_s * see->store_bytes;
    double limit = most;

    switch (sp->hbase.split_policy) {
    case SPEC_SPLIT_DISABLED:
        return INFINITY;
    case SPEC_SPLIT_CONSTANT:
        break;
    case SPEC_SPLIT_STEPPING:
        limit = beside <= 1 ? 2 * flush : most;
        break;
    default:
        limit = fmin(most, 2 * flush * beside * beside * beside);
    }
    return flush_s * (floor(limit / file) + 1);
}

int echo_fill(const struct spec *sp, const double *hottest, struct echo *out)
{
    struct echo made = {.first_flush_s = INFINITY, .first_split_s = INFINITY};
    const double servers = sp->cluster.servers;

    for (size_t t = 0; t < sp->tables_len; t++) {
        const struct spec_table *tab = &sp->tables[t];
        struct seen see;
        double flush_s;
        bool by_age;

        if (look(sp, tab, &see) != 0)
            return -1;
        look_at_hottest(sp, hottest ? hottest[t] : (double)NAN, &see);
        made.rows_per_s += see.rows_per_s;
        made.bytes_per_s += see.rows_per_s * see.row_bytes;
        made.tails += see.tails;
        made.busiest += busiest_per_s(sp, &see) / spec_write_capacity_per_s(sp);
        if (see.hottest > 1 / see.tails)
            made.hottest = fmax(made.hottest, see.hottest);
        if (!(see.rows_per_s > 0) || !(see.row_heap_bytes > 0))
            continue;
        flush_s = flush_after(sp, tab, &see, &by_age);
        made.memstore_bytes += most_tails(sp, &see) * fmin(flush_size(sp, tab), flush_s * see.tail_per_s * see.row_heap_bytes);
        if (flush_s < made.first_flush_s) {
            made.first_flush_s = flush_s;
            made.by_age = by_age;
        }
        made.first_split_s = fmin(made.first_split_s, split_after(sp, tab, &see, flush_s));
    }
    made.per_server_rows_per_s = made.rows_per_s / servers;
    made.per_server_bytes_per_s = made.bytes_per_s / servers;
    made.memstore_limit_bytes = (double)sp->cluster.heap_bytes * sp->hbase.global_memstore_size;
    *out = made;
    return 0;
}
