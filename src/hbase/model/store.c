/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/model/store.h"

#include <stdlib.h>
#include <string.h>

#include "hbase/rules/memstore.h"

int store_init(struct store *st, const struct family_shape *shape, size_t key_max, size_t sample_cap)
{
    memset(st, 0, sizeof *st);
    st->shape = shape;
    sample_builder_init(&st->active.sample, key_max, sample_cap);
    sample_builder_init(&st->snapshot.sample, key_max, sample_cap);
    return 0;
}

void hfile_free(struct hfile *f)
{
    if (!f)
        return;
    sample_unref(f->part.sample);
    free(f);
}

void store_free(struct store *st)
{
    for (size_t i = 0; i < st->files_len; i++)
        hfile_free(st->files[i]);
    free(st->files);
    free(st->waiting_names);
    sample_builder_free(&st->active.sample);
    sample_builder_free(&st->snapshot.sample);
    memset(st, 0, sizeof *st);
}

/* Heap of one row's cells, for a row of |len| bytes. */
static uint64_t row_heap_bytes(const struct family_shape *sh, uint64_t len)
{
    uint64_t heap = 0;

    for (size_t c = 0; c < sh->columns; c++)
        heap += memstore_cell_heap_bytes(memstore_cell_data_bytes(
            len, sh->name_bytes, sh->column[c].qualifier_bytes, sh->column[c].value_bytes));
    return heap;
}

void store_add_rows(struct store *st, uint64_t rows, uint64_t row_bytes, uint64_t seqid)
{
    const struct family_shape *sh = st->shape;
    struct memstore *m = &st->active;

    m->rows += rows;
    m->cells += rows * sh->columns;
    m->data_bytes += rows * sh->fixed_data_bytes + row_bytes * sh->columns;
    m->heap_bytes += rows * row_heap_bytes(sh, row_bytes / rows);
    m->seqid_vint_bytes += rows * sh->columns * hfile_vint_bytes(seqid);
    m->row_bytes += row_bytes;
}

uint64_t store_heap_bytes(const struct store *st)
{
    uint64_t heap = MEMSTORE_EMPTY_HEAP_BYTES + st->active.heap_bytes;

    if (st->has_snapshot)
        heap += st->snapshot.heap_bytes + MEMSTORE_SNAPSHOT_HEAP_BYTES;
    return heap;
}

uint64_t store_data_bytes(const struct store *st)
{
    return st->active.data_bytes + (st->has_snapshot ? st->snapshot.data_bytes : 0);
}

uint64_t store_bytes(const struct store *st)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < st->files_len; i++)
        sum += st->files[i]->bytes;
    return sum;
}

bool store_has_references(const struct store *st)
{
    for (size_t i = 0; i < st->files_len; i++)
        if (st->files[i]->reference)
            return true;
    return st->waiting_references > 0;
}

static void memstore_clear(struct memstore *m)
{
    struct sample_builder keep = m->sample;

    keep.n = 0;
    keep.rows = 0;
    keep.every = 1;
    memset(m, 0, sizeof *m);
    m->sample = keep;
}

bool store_snapshot(struct store *st)
{
    struct memstore swap = st->snapshot;

    if (st->active.cells == 0 || st->has_snapshot)
        return false;
    st->snapshot = st->active;
    st->active = swap;
    memstore_clear(&st->active);
    st->has_snapshot = true;
    return true;
}

/* Length of the index key of a block, for the layout: the separator of the two sampled neighbours,
   and a byte more for each factor of 256 between them, since real neighbours lie closer. */
struct separator_of {
    const struct sample_part *part;
    size_t at;
};

static uint32_t separator_bytes(void *arg, uint64_t row)
{
    struct separator_of *o = arg;
    const struct key_sample *s = o->part->sample;
    const uint64_t want = s->rank[o->part->lo] + row;
    const uint8_t *left, *right;
    size_t left_len, right_len, len;
    uint64_t gap;

    while (o->at + 1 < o->part->hi && s->rank[o->at] < want)
        o->at++;
    if (o->at == o->part->lo)
        return s->lens[o->at];
    left = sample_key(s, o->at - 1, &left_len);
    right = sample_key(s, o->at, &right_len);
    len = hfile_shortest_separator(left, left_len, right, right_len, NULL);
    for (gap = s->rank[o->at] - s->rank[o->at - 1]; gap >= 16 && len > 0; gap >>= 8)
        len++;
    if (len == 0 || len > right_len)
        len = right_len;
    return (uint32_t)len;
}

/* Lays the file out and takes over what the model needs of the layout. */
static int lay_out(struct hfile *f, const struct family_shape *sh, const struct hfile_inputs *inputs)
{
    struct hfile_shape shape = {0, sh->name_bytes, sh->column, sh->columns};
    struct hfile_run run = {&shape, f->rows, 0};
    struct separator_of sep = {&f->part, f->part.lo};
    struct hfile_runs runs = {&run, 1, separator_bytes, &sep, {NULL, 0}};
    struct hfile_layout layout;
    int rc;

    memset(&layout, 0, sizeof layout);
    shape.row_bytes = (uint32_t)((f->row_bytes + f->rows / 2) / f->rows);
    run.seqid_vint_bytes = (double)f->seqid_vint_bytes / (double)f->cells;
    if (inputs)
        runs.inputs = *inputs;
    if (!f->part.sample || f->part.hi == f->part.lo)
        runs.separator = NULL;
    rc = hfile_layout_runs(&sh->options, &runs, &layout);
    if (rc != 0)
        return rc;
    f->bytes = layout.file_bytes;
    f->data_blocks = layout.data_blocks;
    f->index_levels = layout.index_levels;
    f->mid_row_index = layout.mid_row_index;
    hfile_layout_free(&layout);
    return 0;
}

struct hfile *store_write_snapshot(struct store *st, uint64_t seqid, des_time now)
{
    struct memstore *m = &st->snapshot;
    struct hfile *f = calloc(1, sizeof *f);

    if (!f)
        return NULL;
    f->rows = m->rows;
    f->cells = m->cells;
    f->seqid_vint_bytes = m->seqid_vint_bytes;
    f->row_bytes = m->row_bytes;
    f->max_seqid = seqid;
    f->created = now;
    f->name_bytes = HFILE_NAME_BYTES;
    f->part.sample = sample_sorted(&m->sample);
    if (f->part.sample)
        f->part.hi = f->part.sample->n;
    if (!f->part.sample || lay_out(f, st->shape, NULL) != 0) {
        hfile_free(f);
        return NULL;
    }
    return f;
}

int store_append(struct store *st, struct hfile *file)
{
    if (st->files_len == st->files_cap) {
        size_t cap = st->files_cap ? st->files_cap * 2 : 8;
        struct hfile **files = realloc(st->files, cap * sizeof(*files));

        if (!files)
            return -1;
        st->files = files;
        st->files_cap = cap;
    }
    st->files[st->files_len++] = file;
    return 0;
}

int store_commit(struct store *st, struct hfile *file)
{
    if (store_append(st, file) != 0)
        return -1;
    memstore_clear(&st->snapshot);
    st->has_snapshot = false;
    return 0;
}

struct hfile *store_write_compacted(const struct store *st, size_t first, size_t count, size_t sample_cap,
                                    des_time now)
{
    struct sample_part *parts = calloc(count, sizeof *parts);
    uint32_t *names = malloc((count + st->waiting_names_len) * sizeof *names);
    struct hfile_inputs inputs = {names, count + st->waiting_names_len};
    struct hfile *f = calloc(1, sizeof *f);
    bool ok = parts && names && f;

    for (size_t i = 0; ok && i < count; i++) {
        const struct hfile *in = st->files[first + i];

        parts[i] = in->part;
        names[i] = in->name_bytes;
        f->rows += in->rows;
        f->cells += in->cells;
        f->seqid_vint_bytes += in->seqid_vint_bytes;
        f->row_bytes += in->row_bytes;
        if (in->max_seqid > f->max_seqid)
            f->max_seqid = in->max_seqid;
    }
    if (ok) {
        if (st->waiting_names_len > 0)
            memcpy(names + count, st->waiting_names, st->waiting_names_len * sizeof *names);
        f->created = now;
        f->name_bytes = HFILE_NAME_BYTES;
        f->part.sample = sample_merge(parts, count, sample_cap);
        ok = f->part.sample != NULL;
        if (ok)
            f->part.hi = f->part.sample->n;
        ok = ok && (f->rows == 0 || lay_out(f, st->shape, &inputs) == 0);
    }
    free(parts);
    free(names);
    if (!ok) {
        hfile_free(f);
        return NULL;
    }
    return f;
}

void store_replace(struct store *st, size_t first, size_t count, struct hfile *file)
{
    uint32_t *names = realloc(st->waiting_names, (st->waiting_names_len + count) * sizeof *names);

    for (size_t i = first; i < first + count; i++) {
        st->waiting_references += st->files[i]->reference;
        if (names)
            names[st->waiting_names_len++] = st->files[i]->name_bytes;
        hfile_free(st->files[i]);
    }
    if (names)
        st->waiting_names = names;
    st->files[first] = file;
    memmove(st->files + first + 1, st->files + first + count,
            (st->files_len - first - count) * sizeof(*st->files));
    st->files_len -= count - 1;
}

void store_discharge(struct store *st)
{
    st->waiting_references = 0;
    st->waiting_names_len = 0;
}

void store_split_file(const struct hfile *f, uint8_t *rows, size_t slot, struct split_file *out)
{
    const struct key_sample *s = f->part.sample;
    size_t i, len, left_len;
    const uint8_t *key, *left;

    memset(out, 0, sizeof *out);
    out->file_bytes = f->bytes;
    out->reference = f->reference;
    if (!s || f->part.hi == f->part.lo)
        return;
    key = sample_key(s, f->part.lo, &len);
    memcpy(rows + slot, key, len);
    out->first_row = rows + slot;
    out->first_row_bytes = len;
    key = sample_key(s, f->part.hi - 1, &len);
    memcpy(rows + 2 * slot, key, len);
    out->last_row = rows + 2 * slot;
    out->last_row_bytes = len;
    i = sample_index_of_row(&f->part, f->mid_row_index);
    if (i >= f->part.hi)
        i = f->part.hi - 1;
    key = sample_key(s, i, &len);
    out->mid_row = rows;
    if (i > f->part.lo) {
        left = sample_key(s, i - 1, &left_len);
        out->mid_row_bytes = hfile_shortest_separator(left, left_len, key, len, rows);
        if (out->mid_row_bytes > 0)
            return;
    }
    memcpy(rows, key, len);
    out->mid_row_bytes = len;
}

struct hfile *store_daughter_file(const struct hfile *f, const struct split_cut *cut_at, bool upper,
                                  bool *failed)
{
    const size_t cut = f->part.sample ? sample_lower_bound(&f->part, cut_at->key, cut_at->len) : 0;
    struct hfile *d;

    if (upper ? cut >= f->part.hi : cut <= f->part.lo)
        return NULL;
    d = malloc(sizeof *d);
    if (!d) {
        *failed = true;
        return NULL;
    }
    *d = *f;
    d->compacting = false;
    sample_ref(d->part.sample);
    if (upper)
        d->part.lo = cut > f->part.lo ? cut : f->part.lo;
    else
        d->part.hi = cut < f->part.hi ? cut : f->part.hi;
    d->reference = cut > f->part.lo && cut < f->part.hi;
    d->link = !d->reference;
    d->name_bytes = hfile_name_bytes(d->link || f->link, d->reference, cut_at->table_name_bytes);
    if (d->reference) {
        const double share = (double)sample_part_rows(&d->part) / (double)f->rows;

        d->rows = sample_part_rows(&d->part);
        d->cells = d->rows * (f->cells / f->rows);
        d->seqid_vint_bytes = (uint64_t)((double)f->seqid_vint_bytes * share + 0.5);
        d->row_bytes = (uint64_t)((double)f->row_bytes * share + 0.5);
    }
    return d;
}
