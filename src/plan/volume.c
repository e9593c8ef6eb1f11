/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/volume.h"

#include <math.h>
#include <string.h>

#include "hbase/rules/family.h"
#include "hbase/rules/memstore.h"
#include "spec/scheme.h"

#define ROW_BYTES_UNKNOWN 40

/* Rows that come in the order of their keys leave each region half full behind them. */
static bool grows(const struct spec_table *table)
{
    struct saltkey_scheme scheme;

    return spec_table_scheme(table, &scheme, NULL) == 0 && spec_field_grows(&scheme.layout.fields[0]);
}

void plan_row_of(const struct spec_table *table, struct plan_row *out)
{
    struct saltkey_scheme scheme;
    const bool known = spec_table_scheme(table, &scheme, NULL) == 0;
    uint64_t row = ROW_BYTES_UNKNOWN;

    *out = (struct plan_row){0};
    if (known && scheme.layout.width > 0)
        row = scheme.layout.width + scheme.salt.width;
    for (size_t f = 0; f < table->families_len; f++) {
        const struct spec_family *fam = &table->families[f];
        double bytes = 0;

        for (size_t c = 0; c < fam->columns_len; c++) {
            const uint64_t len = memstore_cell_data_bytes(row, strlen(fam->name), strlen(fam->columns[c].qualifier),
                                                          (uint64_t)fam->columns[c].value_bytes);

            bytes += (double)len;
            out->heap_bytes += (double)memstore_cell_heap_bytes(len);
        }
        out->data_bytes += bytes;
        bytes *= known ? family_compression_ratio(&scheme, fam) : 1;
        out->disk_bytes += bytes;
        out->largest_bytes = fmax(out->largest_bytes, bytes);
        out->kept_s = fmax(out->kept_s, fam->ttl_ns > 0 ? (double)fam->ttl_ns / 1e9 : INFINITY);
    }
}

double plan_rows_until(const struct plan_growth *growth, double rate_per_s, double at_s)
{
    const struct plan_point *last = &growth->point[growth->points - 1];
    double rows = 0;

    for (size_t i = 1; i < growth->points; i++) {
        const struct plan_point *a = &growth->point[i - 1], *b = &growth->point[i];
        const double span = fmin(b->at_s, at_s) - a->at_s;

        if (span > 0)
            rows += rate_per_s * span * (a->rate_factor + (b->rate_factor - a->rate_factor) * span / (b->at_s - a->at_s) / 2);
    }
    return rows + rate_per_s * last->rate_factor * fmax(0, at_s - last->at_s);
}

double plan_regions_after(const struct spec *sp, const struct spec_table *table, double first, double rows)
{
    const double file = (double)(table->max_filesize_bytes ? table->max_filesize_bytes : sp->hbase.max_filesize_bytes);
    const double left = grows(table) ? 0.5 : 0.75;
    struct plan_row row;

    if (spec_table_split_policy(sp, table) == SPEC_SPLIT_DISABLED)
        return first;
    plan_row_of(table, &row);
    return first + floor(rows * row.largest_bytes / (left * file));
}
