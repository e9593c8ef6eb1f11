/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/model/storefile.h"

#include <stdlib.h>
#include <string.h>

void hfile_free(struct hfile *f)
{
    if (!f)
        return;
    sample_unref(f->part.sample);
    free(f->mid_row);
    free(f->inputs);
    free(f);
}

/* Length of a block's index key, for the layout: the shortest separator of sampled neighbours, and a byte
   more for each factor of 256 between them, since real neighbours lie closer. The mean over the file, so
   that files alike come out equally long: which of them is the largest decides where a region is cut. */
static uint32_t mean_separator_bytes(const struct sample_part *p)
{
    const struct key_sample *s = p->sample;
    const size_t n = p->hi - p->lo;
    uint64_t sum = 0;

    if (n < 2)
        return n == 1 ? s->lens[p->lo] : 0;
    for (size_t i = p->lo + 1; i < p->hi; i++) {
        size_t left_len, right_len, len;
        const uint8_t *left = sample_key(s, i - 1, &left_len), *right = sample_key(s, i, &right_len);

        len = hfile_shortest_separator(left, left_len, right, right_len, NULL);
        for (uint64_t gap = s->rank[i] - s->rank[i - 1]; gap >= 16 && len > 0; gap >>= 8)
            len++;
        sum += len == 0 || len > right_len ? right_len : len;
    }
    return (uint32_t)((sum + (n - 1) / 2) / (n - 1));
}

static uint32_t separator_bytes(void *arg, uint64_t row)
{
    (void)row;
    return *(const uint32_t *)arg;
}

/* The midkey's row: the separator of the two sampled keys around the middle block's first row. */
static int set_mid_row(struct hfile *f, uint64_t row)
{
    const struct key_sample *s = f->part.sample;
    size_t i = sample_index_of_row(&f->part, row), len, left_len;
    const uint8_t *key, *left;

    if (i >= f->part.hi)
        i = f->part.hi - 1;
    key = sample_key(s, i, &len);
    f->mid_row = malloc(len + 1);
    if (!f->mid_row)
        return -1;
    if (i > f->part.lo) {
        left = sample_key(s, i - 1, &left_len);
        f->mid_row_bytes = hfile_shortest_separator(left, left_len, key, len, f->mid_row);
        if (f->mid_row_bytes > 0)
            return 0;
    }
    memcpy(f->mid_row, key, len);
    f->mid_row_bytes = len;
    return 0;
}

/* The same without a walk over the blocks, for runs that make millions of files. */
static int lay_out_coarse(struct hfile *f, const struct storefile_job *job, const struct hfile_run *run,
                          uint32_t separator)
{
    struct hfile_estimate e;
    const int rc = hfile_estimate(&job->shape->options, run, separator, &e);

    if (rc != 0)
        return rc;
    f->bytes = e.file_bytes;
    for (size_t i = 0; i < job->inputs.count; i++)
        f->bytes += job->inputs.name_bytes[i] + 2;
    f->data_blocks = e.data_blocks;
    f->index_levels = e.index_levels;
    return f->part.hi > f->part.lo ? set_mid_row(f, e.mid_row_index) : 0;
}

/* Lays the file out from its sample and takes over what the model needs of the layout. */
static int lay_out(struct hfile *f, const struct storefile_job *job)
{
    const struct family_shape *sh = job->shape;
    struct hfile_shape shape = {0, sh->name_bytes, sh->column, sh->columns};
    struct hfile_run run = {&shape, f->rows, 0};
    uint32_t sep = mean_separator_bytes(&f->part);
    struct hfile_runs runs = {&run, 1, separator_bytes, &sep, job->inputs};
    struct hfile_layout layout;
    int rc;

    memset(&layout, 0, sizeof layout);
    if (f->rows == 0)
        runs.count = 0;
    if (f->rows > 0) {
        shape.row_bytes = (uint32_t)((f->row_bytes + f->rows / 2) / f->rows);
        run.seqid_vint_bytes = (double)f->seqid_vint_bytes / (double)f->cells;
        if (job->budget->whole_rows == 0)
            return lay_out_coarse(f, job, &run, sep);
    }
    rc = hfile_layout_runs(&sh->options, &runs, &layout);
    if (rc != 0)
        return rc;
    f->bytes = layout.file_bytes;
    f->data_blocks = layout.data_blocks;
    f->index_levels = layout.index_levels;
    if (f->part.hi > f->part.lo)
        rc = set_mid_row(f, layout.mid_row_index);
    hfile_layout_free(&layout);
    return rc;
}

/* Where cells were dropped the keys stand for fewer rows. */
static void fit_ranks(struct key_sample *s, uint64_t rows)
{
    if (s->rows == rows || s->rows == 0)
        return;
    for (size_t i = 0; i < s->n; i++)
        s->rank[i] = (uint64_t)((double)s->rank[i] / (double)s->rows * (double)rows);
    s->rows = s->rank[s->n] = rows;
}

static int write_sampled(const struct storefile_job *job, struct hfile *f)
{
    f->rows = job->sums.rows;
    f->cells = job->sums.cells;
    f->seqid_vint_bytes = job->sums.seqid_vint_bytes;
    f->row_bytes = job->sums.row_bytes;
    f->min_timestamp_ms = job->sums.min_timestamp_ms;
    f->max_timestamp_ms = job->sums.max_timestamp_ms;
    f->part.sample = sample_merge(job->parts, job->parts_len, job->budget->cap);
    if (!f->part.sample)
        return -1;
    f->part.hi = f->part.sample->n;
    fit_ranks(f->part.sample, f->rows);
    return lay_out(f, job);
}

static bool all_whole(const struct storefile_job *job)
{
    size_t keys = job->budget->keys;

    for (size_t p = 0; p < job->parts_len; p++) {
        if (!job->parts[p].sample)
            continue;
        if (!job->parts[p].sample->budget)
            return false;
        keys += job->parts[p].hi - job->parts[p].lo;
    }
    return keys <= job->budget->keys_most;
}

struct hfile *storefile_write(const struct storefile_job *job)
{
    struct hfile *f = calloc(1, sizeof *f);
    int rc = -1;

    if (!f)
        return NULL;
    f->created = job->now;
    f->name_bytes = HFILE_NAME_BYTES;
    rc = all_whole(job) ? exact_write(job, f) : write_sampled(job, f);
    f->reported_cells = f->cells;
    if (rc != 0) {
        hfile_free(f);
        return NULL;
    }
    return f;
}

void storefile_view(const struct hfile *f, struct split_file *out)
{
    const struct key_sample *s = f->part.sample;

    memset(out, 0, sizeof *out);
    out->file_bytes = f->bytes;
    out->reference = f->reference;
    if (!s || f->part.hi == f->part.lo)
        return;
    out->first_row = sample_key(s, f->part.lo, &out->first_row_bytes);
    out->last_row = sample_key(s, f->part.hi - 1, &out->last_row_bytes);
    out->mid_row = f->mid_row;
    out->mid_row_bytes = f->mid_row_bytes;
}

/* Another name for the same bytes; nothing of the old store's bookkeeping goes with it. */
static struct hfile *pointer_to(const struct hfile *f)
{
    struct hfile *d = malloc(sizeof *d);

    if (!d)
        return NULL;
    *d = *f;
    d->compacting = false;
    d->inputs = NULL;
    d->inputs_len = 0;
    d->mid_row = malloc(f->mid_row_bytes + 1);
    if (!d->mid_row) {
        free(d);
        return NULL;
    }
    if (f->mid_row_bytes > 0)
        memcpy(d->mid_row, f->mid_row, f->mid_row_bytes);
    sample_ref(d->part.sample);
    return d;
}

/* Counts what the part holds: exactly from the notes, else by its share of the rows. */
static void count_part(struct hfile *d, const struct hfile *f)
{
    const struct key_sample *s = d->part.sample;
    double share;

    d->rows = sample_part_rows(&d->part);
    if (!s->budget) {
        share = f->rows > 0 ? (double)d->rows / (double)f->rows : 0;
        d->cells = (uint64_t)((double)f->cells * share + 0.5);
        d->seqid_vint_bytes = (uint64_t)((double)f->seqid_vint_bytes * share + 0.5);
        d->row_bytes = (uint64_t)((double)f->row_bytes * share + 0.5);
        return;
    }
    d->cells = d->seqid_vint_bytes = d->row_bytes = 0;
    for (size_t i = d->part.lo; i < d->part.hi; i++) {
        d->cells += s->notes[i].cells;
        d->seqid_vint_bytes += (uint64_t)s->notes[i].cells * hfile_vint_bytes(s->notes[i].seqid);
        d->row_bytes += s->lens[i];
    }
}

struct hfile *storefile_daughter(const struct hfile *f, const struct split_cut *cut_at, bool upper,
                                 bool *failed)
{
    struct split_file view;
    struct split_shares shares;
    enum split_share share;
    size_t cut;
    struct hfile *d;

    storefile_view(f, &view);
    shares = split_store_file(&view, cut_at->key, cut_at->len);
    share = upper ? shares.top : shares.bottom;
    if (share == SPLIT_SHARE_NOTHING)
        return NULL;
    d = pointer_to(f);
    if (!d) {
        *failed = true;
        return NULL;
    }
    d->reference = share == SPLIT_SHARE_REFERENCE;
    d->link = share == SPLIT_SHARE_LINK;
    d->name_bytes = hfile_name_bytes(d->link || f->link, d->reference, cut_at->table_name_bytes);
    if (!d->reference)
        return d;
    cut = sample_lower_bound(&f->part, cut_at->key, cut_at->len);
    /* HStoreFile: a top half counts as one newer than its file. */
    d->max_seqid += upper;
    if (upper)
        d->part.lo = cut;
    else
        d->part.hi = cut;
    d->reported_cells = split_reference_cells(f->reported_cells);
    count_part(d, f);
    return d;
}

struct hfile *storefile_merged(const struct hfile *f)
{
    struct hfile *d = pointer_to(f);

    if (!d)
        return NULL;
    d->reference = true;
    d->link = false;
    d->max_seqid++;
    d->name_bytes = f->name_bytes + hfile_name_bytes(false, true, 0) - HFILE_NAME_BYTES;
    d->reported_cells = split_reference_cells(f->reported_cells);
    return d;
}
