/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Families, and rows that are too large for regions that never split inside one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hbase/rules/memstore.h"
#include "lint/subject.h"
#include "result/format.h"
#include "spec/scheme.h"

#define FAMILIES_GOOD 3
#define ROWS_A_REGION 8.0             /* fewer and a region is cut far from its middle */
#define TEXT_FIELD_BYTES 16           /* of a field whose width varies */
#define YEAR_S 31536000.0

static void families(struct lint_subject *s, double flush_bytes)
{
    const struct spec_table *t = s->table;
    char names[80] = "", each[FORMAT_CAP], all[FORMAT_CAP];
    size_t len = 0;

    if (t->families_len <= FAMILIES_GOOD)
        return;
    for (size_t i = 0; i < t->families_len && len < sizeof names - 8; i++)
        len += (size_t)snprintf(names + len, sizeof names - len, "%s%.12s", i ? "," : "", t->families[i].name);
    if (len >= sizeof names - 8)
        strcpy(names + sizeof names - 9, ",...");
    lint_add(s, (struct lint_words){"families", names,
             "two or three: columns that are read together belong in one family; short names, they stand in "
             "each cell"},
             "%zu families share one flush size: a region is flushed when their sum reaches %s, into files of %s and less, "
             "so that there are %.0f times as many to compact", t->families_len, format_bytes(flush_bytes, all),
             format_bytes(flush_bytes / (double)t->families_len, each), (double)t->families_len);
}

/* Versions of a cell that are kept: of a key with the time in it each write is a row of its own. */
static double versions_of(const struct lint_subject *s, const struct spec_family *f)
{
    const double ttl_s = f->ttl_ns > 0 ? (double)f->ttl_ns / 1e9 : YEAR_S;
    const double written = s->entities > 0 ? s->rate_per_s / s->entities * ttl_s : 1;

    for (uint32_t i = 0; i < s->scheme.layout.n_fields; i++)
        if (spec_field_counts(&s->scheme.layout.fields[i]))
            return 1;
    return fmax(1, fmin(f->versions > 0 ? f->versions : 1, written));
}

static void wide(struct lint_subject *s, double flush_bytes, double region_bytes)
{
    const struct saltkey_scheme *k = &s->scheme;
    const uint64_t key = k->salt.width + (k->layout.width > 0 ? k->layout.width : TEXT_FIELD_BYTES * k->layout.n_fields);
    double bytes = 0, most = 0, versions = 1;
    char widest[100] = "", row[FORMAT_CAP], limit[FORMAT_CAP], rows[FORMAT_CAP];

    for (size_t f = 0; f < s->table->families_len; f++) {
        const struct spec_family *fam = &s->table->families[f];
        const double kept = versions_of(s, fam);

        for (size_t c = 0; c < fam->columns_len; c++) {
            const double cell = kept * (double)memstore_cell_data_bytes(key, strlen(fam->name), strlen(fam->columns[c].qualifier),
                                                                        (uint64_t)fam->columns[c].value_bytes);

            bytes += cell;
            if (cell > most)
                snprintf(widest, sizeof widest, "%.40s:%.40s", fam->name, fam->columns[c].qualifier);
            most = fmax(most, cell);
            versions = fmax(versions, kept);
        }
    }
    if (bytes < flush_bytes && bytes * ROWS_A_REGION < region_bytes)
        return;
    format_bytes(bytes, row);
    format_count(floor(region_bytes / bytes), rows);
    if (versions > 1)
        lint_add(s, (struct lint_words){"wide-row", widest,
                 "the time in the key, so that each write is a row of its own, or fewer VERSIONS or a TTL"},
                 "a row is written again and again and keeps up to %.6g versions, %s: HBase never splits inside a row, a region of "
                 "%s holds %s of them", versions, row, format_bytes(region_bytes, limit), rows);
    else
        lint_add(s, (struct lint_words){"wide-row", widest,
                 "fewer or smaller columns a row: a piece of the time or a part number goes into the key, large "
                 "values go to files"},
                 "a row is %s%s: HBase never splits inside a row, a region of %s holds %s of them", row,
                 bytes >= flush_bytes ? ", a flush of its own" : "", format_bytes(region_bytes, limit), rows);
}

void lint_rows(struct lint_subject *s)
{
    const struct spec_table *t = s->table;
    const double flush = (double)(t->memstore_flush_size_bytes ? t->memstore_flush_size_bytes : s->sp->hbase.memstore_flush_size_bytes);

    families(s, flush);
    wide(s, flush, (double)(t->max_filesize_bytes ? t->max_filesize_bytes : s->sp->hbase.max_filesize_bytes));
}
