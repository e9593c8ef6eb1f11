/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A store file written cell by cell from whole samples: the same order, the same cells
   left out and the same bytes as HBase's. */
#include <stdlib.h>
#include <string.h>

#include "hbase/model/storefile.h"

/* A cell of the row at hand, and the put that brought it. */
struct row_cell {
    struct retention_cell cell;
    size_t from;
};

struct writing {
    const struct storefile_job *job;
    struct hfile *f;
    struct hfile_writer *w;
    const struct sample_note **brought; /* the puts and deletes of the row at hand */
    size_t brought_len, brought_cap;
    struct row_cell *cells;
    struct retention_cell *bare;
    bool *keep;
    size_t cells_cap;
};

static uint32_t qualifier_of(const struct family_shape *sh, uint32_t column, uint8_t number[4],
                             const uint8_t **out)
{
    if (!sh->numbered) {
        *out = (const uint8_t *)sh->qualifier[column];
        return sh->column[column].qualifier_bytes;
    }
    for (int k = 0; k < 4; k++)
        number[k] = (uint8_t)(column >> (24 - 8 * k));
    *out = number;
    return 4;
}

static int append(struct writing *g, const uint8_t *row, size_t len, const struct retention_cell *cell)
{
    const struct family_shape *sh = g->job->shape;
    struct hfile *f = g->f;
    uint8_t number[4];
    struct hfile_cell c = {.row = row,
                           .row_bytes = (uint32_t)len,
                           .family_bytes = sh->name_bytes,
                           .timestamp_ms = cell->timestamp_ms,
                           .seqid = cell->seqid,
                           .type = cell->type,
                           .qualifier = (const uint8_t *)""};

    if (cell->column >= 0)
        c.qualifier_bytes = qualifier_of(sh, (uint32_t)cell->column, number, &c.qualifier);
    if (cell->type == HFILE_TYPE_PUT)
        c.value_bytes = sh->column[sh->numbered ? 0 : (size_t)cell->column].value_bytes;
    f->cells++;
    f->seqid_vint_bytes += hfile_vint_bytes(cell->seqid);
    if (f->cells == 1 || cell->timestamp_ms < f->min_timestamp_ms)
        f->min_timestamp_ms = cell->timestamp_ms;
    if (cell->timestamp_ms > f->max_timestamp_ms)
        f->max_timestamp_ms = cell->timestamp_ms;
    return hfile_writer_append(g->w, &c);
}

static int compare_cells(const void *a, const void *b)
{
    return retention_compare(&((const struct row_cell *)a)->cell, &((const struct row_cell *)b)->cell);
}

static int reserve_cells(struct writing *g, size_t n)
{
    if (n <= g->cells_cap)
        return 0;
    free(g->cells);
    free(g->bare);
    free(g->keep);
    g->cells = malloc(n * sizeof *g->cells);
    g->bare = malloc(n * sizeof *g->bare);
    g->keep = malloc(n * sizeof *g->keep);
    g->cells_cap = g->cells && g->bare && g->keep ? n : 0;
    return g->cells_cap ? 0 : -1;
}

/* The row's cells in the file's order, and which of them stay. */
static int order_cells(struct writing *g, size_t *n)
{
    size_t k = 0, total = 0;

    for (size_t i = 0; i < g->brought_len; i++)
        total += g->brought[i]->cells;
    if (reserve_cells(g, total) != 0)
        return -1;
    for (size_t i = 0; i < g->brought_len; i++) {
        const struct sample_note *note = g->brought[i];
        const bool row_marker =
            note->type == HFILE_TYPE_DELETE_FAMILY || note->type == HFILE_TYPE_DELETE_FAMILY_VERSION;

        for (uint32_t c = 0; c < note->cells; c++)
            g->cells[k++] = (struct row_cell){
                {row_marker ? -1 : (int64_t)note->column + c, note->timestamp_ms, note->seqid, note->type}, i};
    }
    qsort(g->cells, total, sizeof *g->cells, compare_cells);
    for (size_t i = 0; i < total; i++)
        g->bare[i] = g->cells[i].cell;
    retention_apply(&g->job->shape->retention, &g->job->pass, g->bare, total, g->keep);
    *n = total;
    return 0;
}

/* Writes the row's cells that stay, and remembers them: neighbouring columns of one put as one note. */
static int write_row(struct writing *g, const uint8_t *row, size_t len)
{
    struct key_sample *s = g->f->part.sample;
    size_t n = 0, last = SIZE_MAX;
    int rc = order_cells(g, &n);

    for (size_t i = 0; rc == 0 && i < n; i++) {
        const struct retention_cell *c = &g->bare[i];
        struct sample_note note = {c->seqid, c->timestamp_ms, c->column < 0 ? 0 : (uint32_t)c->column, 1, c->type};

        if (!g->keep[i])
            continue;
        rc = append(g, row, len, c);
        if (rc == 0 && last == g->cells[i].from && note.column > 0 &&
            s->notes[s->n - 1].column + s->notes[s->n - 1].cells == note.column) {
            s->notes[s->n - 1].cells++;
        } else if (rc == 0) {
            rc = sample_push(s, row, len, 1, &note);
            g->f->rows++;
            g->f->row_bytes += len;
        }
        last = g->cells[i].from;
    }
    return rc;
}

static int take_note(struct writing *g, const struct sample_note *note)
{
    if (g->brought_len == g->brought_cap) {
        const size_t cap = g->brought_cap ? g->brought_cap * 2 : 16;
        const struct sample_note **p = realloc(g->brought, cap * sizeof *p);

        if (!p)
            return -1;
        g->brought = p;
        g->brought_cap = cap;
    }
    g->brought[g->brought_len++] = note;
    return 0;
}

static bool same_row(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
    return a_len == b_len && memcmp(a, b, a_len) == 0;
}

/* Merges the parts, one row at a time. */
static int write_rows(struct writing *g, size_t *at)
{
    const struct sample_part *parts = g->job->parts;
    const size_t n = g->job->parts_len;
    const uint8_t *row = NULL;
    size_t row_len = 0;
    int rc = 0;

    for (size_t p = sample_smallest(parts, at, n); rc == 0 && p < n; p = sample_smallest(parts, at, n)) {
        size_t len;
        const uint8_t *key = sample_key(parts[p].sample, at[p], &len);

        if (row && !same_row(row, row_len, key, len)) {
            rc = write_row(g, row, row_len);
            g->brought_len = 0;
        }
        row = key;
        row_len = len;
        if (rc == 0)
            rc = take_note(g, &parts[p].sample->notes[at[p]]);
        at[p]++;
    }
    if (rc == 0 && row)
        rc = write_row(g, row, row_len);
    return rc;
}

static int take_layout(struct hfile *f, struct hfile_layout *l)
{
    f->bytes = l->file_bytes;
    f->data_blocks = l->data_blocks;
    f->index_levels = l->index_levels;
    f->mid_row = l->mid_row;
    f->mid_row_bytes = l->mid_row_bytes;
    l->mid_row = NULL;
    hfile_layout_free(l);
    return 0;
}

int exact_write(const struct storefile_job *job, struct hfile *f)
{
    struct writing g = {.job = job, .f = f};
    struct hfile_layout layout;
    size_t *at = malloc((job->parts_len + 1) * sizeof *at), keys = 0, slot = 1;
    int rc = 0;

    for (size_t p = 0; at && p < job->parts_len; p++) {
        at[p] = job->parts[p].lo;
        if (!job->parts[p].sample)
            continue;
        keys += job->parts[p].hi - job->parts[p].lo;
        slot = job->parts[p].sample->slot > slot ? job->parts[p].sample->slot : slot;
    }
    g.w = hfile_writer_new(&job->shape->options);
    f->part.sample = sample_new(keys, slot, job->budget);
    if (!at || !g.w || !f->part.sample)
        rc = -1;
    if (rc == 0)
        rc = write_rows(&g, at);
    if (rc == 0) {
        memset(&layout, 0, sizeof layout);
        rc = hfile_writer_finish(g.w, &job->inputs, &layout);
    }
    if (rc == 0)
        rc = take_layout(f, &layout);
    if (rc == 0)
        f->part.hi = f->part.sample->n;
    hfile_writer_del(g.w);
    free(g.brought);
    free(g.cells);
    free(g.bare);
    free(g.keep);
    free(at);
    return rc;
}
