/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/retention.h"

#include <string.h>

#include "hbase/rules/hfile.h"

void retention_config_default(struct retention_config *c)
{
    memset(c, 0, sizeof *c);
    c->max_versions = 1;
    c->ttl_ms = UINT64_MAX;
}

bool retention_expired(const struct retention_config *c, uint64_t now_ms, uint64_t timestamp_ms)
{
    return c->ttl_ms < now_ms && timestamp_ms < now_ms - c->ttl_ms;
}

int retention_compare(const struct retention_cell *a, const struct retention_cell *b)
{
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    if (a->timestamp_ms != b->timestamp_ms)
        return a->timestamp_ms > b->timestamp_ms ? -1 : 1;
    if (a->type != b->type)
        return a->type > b->type ? -1 : 1;
    return (a->seqid < b->seqid) - (a->seqid > b->seqid);
}

/* ScanDeleteTracker: the markers met so far in this row and column. */
struct deletes {
    bool family, column;
    uint64_t family_ms, column_ms;
    const struct retention_cell *version;        /* of this column: the marker of one version */
    const struct retention_cell *family_version;
};

static void track(struct deletes *d, const struct retention_cell *c)
{
    if (c->type == HFILE_TYPE_DELETE_FAMILY && (!d->family || c->timestamp_ms > d->family_ms)) {
        d->family = true;
        d->family_ms = c->timestamp_ms;
    } else if (c->type == HFILE_TYPE_DELETE_COLUMN && !d->column) {
        d->column = true;
        d->column_ms = c->timestamp_ms;
    } else if (c->type == HFILE_TYPE_DELETE) {
        d->version = c;
    } else if (c->type == HFILE_TYPE_DELETE_FAMILY_VERSION) {
        d->family_version = c;
    }
}

static bool deleted(const struct deletes *d, const struct retention_cell *c)
{
    return (d->family && c->timestamp_ms <= d->family_ms) ||
           (d->column && c->timestamp_ms <= d->column_ms) ||
           (d->version && d->version->timestamp_ms == c->timestamp_ms) ||
           (d->family_version && d->family_version->timestamp_ms == c->timestamp_ms);
}

static bool is_marker(const struct retention_cell *c)
{
    return c->type != HFILE_TYPE_PUT;
}

static bool same_version(const struct retention_cell *a, const struct retention_cell *b)
{
    return a->column == b->column && a->timestamp_ms == b->timestamp_ms && a->type == b->type;
}

size_t retention_apply(const struct retention_config *c, const struct retention_pass *pass,
                       const struct retention_cell *cells, size_t n, bool *keep)
{
    struct deletes d = {0};
    size_t kept = 0;
    uint32_t versions = 0;

    for (size_t i = 0; i < n; i++) {
        const struct retention_cell *cell = &cells[i];
        const bool expired = retention_expired(c, pass->now_ms, cell->timestamp_ms);

        if (i > 0 && cell->column != cells[i - 1].column) {
            d.column = false;
            d.version = NULL;
            versions = 0;
        }
        keep[i] = false;
        if (expired && c->min_versions == 0)
            continue;
        if (is_marker(cell)) {
            if (!c->keep_deleted_cells)
                track(&d, cell);
            keep[i] = !pass->drop_markers || c->keep_deleted_cells;
        } else if (!deleted(&d, cell) && !(i > 0 && same_version(cell, &cells[i - 1]))) {
            versions++;
            keep[i] = versions <= c->max_versions && (!expired || versions <= c->min_versions);
        }
        kept += keep[i];
    }
    return kept;
}
