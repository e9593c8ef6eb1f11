/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/model/store.h"

#include <stdlib.h>
#include <string.h>

#include "hbase/rules/memstore.h"

int store_init(struct store *st, const struct family_shape *shape, size_t key_max, struct sample_budget *budget)
{
    memset(st, 0, sizeof *st);
    st->shape = shape;
    st->oldest_edit = DES_NEVER;
    st->wal_from = st->wal_snapshot_from = UINT64_MAX;
    sample_builder_init(&st->active.sample, key_max, budget);
    sample_builder_init(&st->snapshot.sample, key_max, budget);
    return 0;
}

void store_free(struct store *st)
{
    for (size_t i = 0; i < st->files_len; i++)
        hfile_free(st->files[i]);
    free(st->files);
    free(st->waiting);
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

void store_expect(struct store *st, uint64_t flush_bytes)
{
    const uint64_t heap = row_heap_bytes(st->shape, st->active.sample.slot);

    st->active.sample.expected = st->snapshot.sample.expected = heap > 0 ? flush_bytes / heap : 0;
}

void store_add_rows(struct store *st, uint64_t rows, uint64_t len, uint64_t seqid)
{
    const struct family_shape *sh = st->shape;
    struct memstore *m = &st->active;

    if (len != st->row_len || st->row_heap == 0) {
        st->row_len = len;
        st->row_heap = row_heap_bytes(sh, len);
    }
    m->rows += rows;
    m->cells += rows * sh->columns;
    m->data_bytes += rows * (sh->fixed_data_bytes + len * sh->columns);
    m->heap_bytes += rows * st->row_heap;
    m->seqid_vint_bytes += rows * sh->columns * hfile_vint_bytes(seqid);
    m->row_bytes += rows * len;
}

void store_add_put(struct store *st, uint64_t len, const struct put_cells *p, uint64_t seqid)
{
    const struct family_shape *sh = st->shape;
    const bool row_marker = p->type == HFILE_TYPE_DELETE_FAMILY || p->type == HFILE_TYPE_DELETE_FAMILY_VERSION;
    const bool put = p->type == 0 || p->type == HFILE_TYPE_PUT;
    struct memstore *m = &st->active;

    if (p->cells == 0)
        return;
    for (uint32_t k = 0; k < p->cells; k++) {
        const struct hfile_column *c = &sh->column[sh->numbered ? 0 : p->column + k];
        const uint64_t data = memstore_cell_data_bytes(len, sh->name_bytes, row_marker ? 0 : c->qualifier_bytes,
                                                       put ? c->value_bytes : 0);

        m->data_bytes += data;
        m->heap_bytes += memstore_cell_heap_bytes(data);
    }
    m->rows++;
    m->cells += p->cells;
    m->seqid_vint_bytes += (uint64_t)p->cells * hfile_vint_bytes(seqid);
    m->row_bytes += len;
    store_add_times(st, p->timestamp_ms, p->timestamp_ms);
}

void store_add_times(struct store *st, uint64_t from_ms, uint64_t to_ms)
{
    struct memstore *m = &st->active;

    if (m->min_timestamp_ms == 0 || from_ms < m->min_timestamp_ms)
        m->min_timestamp_ms = from_ms;
    if (to_ms > m->max_timestamp_ms)
        m->max_timestamp_ms = to_ms;
}

uint64_t store_data_bytes(const struct store *st)
{
    return st->active.data_bytes + (st->has_snapshot ? st->snapshot.data_bytes : 0);
}

uint64_t store_bytes(const struct store *st)
{
    return st->files_bytes;
}

bool store_has_references(const struct store *st)
{
    for (size_t i = 0; i < st->files_len; i++)
        if (st->files[i]->reference)
            return true;
    return store_waiting_references(st) > 0;
}

size_t store_waiting_references(const struct store *st)
{
    size_t n = 0;

    for (size_t i = 0; i < st->waiting_len; i++)
        n += st->waiting[i].reference;
    return n;
}

static void memstore_clear(struct memstore *m)
{
    struct sample_builder keep = m->sample;

    sample_builder_clear(&keep);
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
    st->oldest_edit = DES_NEVER;
    st->edit_listed = false;
    return true;
}

struct hfile *store_write_snapshot(struct store *st, uint64_t seqid, uint64_t now_ms, des_time now)
{
    struct memstore *m = &st->snapshot;
    struct key_sample *sample = sample_sorted(&m->sample);
    struct sample_part part = {sample, 0, sample ? sample->n : 0};
    struct storefile_job job = {
        .shape = st->shape, .parts = &part, .parts_len = 1, .budget = m->sample.budget,
        .sums = {m->rows, m->cells, m->seqid_vint_bytes, m->row_bytes, m->min_timestamp_ms, m->max_timestamp_ms},
        .pass = {now_ms, false}, .now = now,
    };
    struct hfile *f = sample ? storefile_write(&job) : NULL;

    sample_unref(sample);
    if (f)
        f->max_seqid = seqid;
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
    file->name = st->names++;
    st->files[st->files_len++] = file;
    st->files_bytes += file->bytes;
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

static const struct waiting_file *waiting_by_name(const struct store *st, uint32_t name)
{
    for (size_t i = 0; i < st->waiting_len; i++)
        if (st->waiting[i].name == name)
            return &st->waiting[i];
    return NULL;
}

static bool has_name(const uint32_t *names, size_t n, uint32_t name)
{
    for (size_t i = 0; i < n; i++)
        if (names[i] == name)
            return true;
    return false;
}

/* Names that stand in the output's file info: its inputs, and of those that were compacted into them
   the ones that still wait (StoreFileWriter.toCompactionEventTrackerBytes). */
struct event_names {
    uint32_t *name, *bytes;
    size_t n;
};

static void add_name(struct event_names *e, uint32_t name, uint32_t bytes)
{
    if (has_name(e->name, e->n, name))
        return;
    e->name[e->n] = name;
    e->bytes[e->n++] = bytes;
}

static int event_names(const struct store *st, const struct store_span *span, struct event_names *e)
{
    const size_t most = span->count + st->waiting_len + 1;

    e->n = 0;
    e->name = malloc(most * sizeof *e->name);
    e->bytes = malloc(most * sizeof *e->bytes);
    if (!e->name || !e->bytes)
        return -1;
    for (size_t i = span->first; i < span->first + span->count; i++) {
        const struct hfile *in = st->files[i];

        add_name(e, in->name, in->name_bytes);
        for (size_t k = 0; k < in->inputs_len; k++) {
            const struct waiting_file *w = waiting_by_name(st, in->inputs[k]);

            if (w)
                add_name(e, w->name, w->name_bytes);
        }
    }
    return 0;
}

static uint64_t scaled(uint64_t n, double share)
{
    return share < 1 ? (uint64_t)((double)n * share + 0.5) : n;
}

static bool all_expired(const struct hfile *f, const struct retention_config *c, uint64_t now_ms)
{
    return c->min_versions == 0 && f->cells > 0 && retention_expired(c, now_ms, f->max_timestamp_ms);
}

/* What a rewrite leaves of a sampled file: cells past the time to live are dropped, taken as spread
   evenly over the file's time. Exact files count for themselves. */
static void add_sums(struct storefile_rows *s, const struct hfile *in, const struct retention_config *c,
                     uint64_t now_ms)
{
    const uint64_t cut = c->ttl_ms < now_ms && c->min_versions == 0 ? now_ms - c->ttl_ms : 0;
    uint64_t from = in->min_timestamp_ms;
    double share = 1;

    if (cut > from) {
        share = cut > in->max_timestamp_ms ? 0 : (double)(in->max_timestamp_ms - cut + 1) /
                                                     (double)(in->max_timestamp_ms - from + 1);
        from = cut;
    }
    if (share == 0 || in->rows == 0)
        return;
    if (s->rows == 0 || from < s->min_timestamp_ms)
        s->min_timestamp_ms = from;
    if (in->max_timestamp_ms > s->max_timestamp_ms)
        s->max_timestamp_ms = in->max_timestamp_ms;
    s->rows += scaled(in->rows, share);
    s->cells += scaled(in->cells, share);
    s->seqid_vint_bytes += scaled(in->seqid_vint_bytes, share);
    s->row_bytes += scaled(in->row_bytes, share);
}

struct hfile *store_write_compacted(const struct store *st, const struct store_span *span,
                                    uint64_t now_ms, des_time now)
{
    struct sample_part *parts = calloc(span->count, sizeof *parts);
    struct event_names e = {NULL, NULL, 0};
    struct storefile_job job = {.shape = st->shape, .parts = parts, .parts_len = span->count,
                                .budget = st->active.sample.budget,
                                .pass = {now_ms, span->count == st->files_len}, .now = now};
    struct hfile *f = NULL;

    if (parts && event_names(st, span, &e) == 0) {
        for (size_t i = 0; i < span->count; i++) {
            if (!all_expired(st->files[span->first + i], &st->shape->retention, now_ms))
                parts[i] = st->files[span->first + i]->part;
            add_sums(&job.sums, st->files[span->first + i], &st->shape->retention, now_ms);
        }
        job.inputs = (struct hfile_inputs){e.bytes, e.n};
        f = storefile_write(&job);
    }
    if (f) {
        f->inputs = e.name;
        f->inputs_len = e.n;
        f->max_seqid = st->files[span->first + span->count - 1]->max_seqid;
        e.name = NULL;
    }
    free(parts);
    free(e.name);
    free(e.bytes);
    return f;
}

/* The span's files are freed and their names wait. */
static int retire(struct store *st, const struct store_span *span)
{
    struct waiting_file *waiting = realloc(st->waiting, (st->waiting_len + span->count) * sizeof *waiting);

    if (!waiting)
        return -1;
    st->waiting = waiting;
    for (size_t i = span->first; i < span->first + span->count; i++) {
        struct hfile *in = st->files[i];

        waiting[st->waiting_len++] = (struct waiting_file){in->name, in->name_bytes, in->reference};
        st->files_bytes -= in->bytes;
        hfile_free(in);
    }
    return 0;
}

int store_drop(struct store *st, size_t i)
{
    if (retire(st, &(struct store_span){i, 1}) != 0)
        return -1;
    st->files_len--;
    memmove(st->files + i, st->files + i + 1, (st->files_len - i) * sizeof(*st->files));
    return 0;
}

int store_replace(struct store *st, const struct store_span *span, struct hfile *file)
{
    if (retire(st, span) != 0)
        return -1;
    file->name = st->names++;
    st->files[span->first] = file;
    st->files_bytes += file->bytes;
    memmove(st->files + span->first + 1, st->files + span->first + span->count,
            (st->files_len - span->first - span->count) * sizeof(*st->files));
    st->files_len -= span->count - 1;
    return 0;
}

void store_discharge(struct store *st)
{
    st->waiting_len = 0;
}

static bool before(const struct hfile *a, const struct hfile *b)
{
    return a->max_seqid != b->max_seqid ? a->max_seqid < b->max_seqid : a->bytes > b->bytes;
}

void store_sort(struct store *st)
{
    for (size_t i = 1; i < st->files_len; i++) {
        struct hfile *f = st->files[i];
        size_t k = i;

        for (; k > 0 && before(f, st->files[k - 1]); k--)
            st->files[k] = st->files[k - 1];
        st->files[k] = f;
    }
}
