/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/model/storefile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/model/neighbours.h"

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

static bool delta_encoded(const struct family_shape *sh)
{
    return sh->options.encoding != HFILE_ENCODING_NONE && sh->options.encoding != HFILE_ENCODING_ROW_INDEX_V1;
}

/* Timestamps of two neighbours, the |i|-th of TIMES examples: rows by time follow each other; of others the same entity
   reports again after its period, or one begins where another ends. */
#define TIMES 16
static void example_times(const struct hfile *f, const struct family_shape *sh, size_t i, uint64_t time[2])
{
    const uint64_t span = f->max_timestamp_ms - f->min_timestamp_ms;
    const double u = ((double)i + 0.5) / TIMES, each = sh->neighbour_ms > 0 ? (double)span / (double)sh->neighbour_ms : 0;
    const double same = each > 0 ? 1 + expm1(-each) / each : 0;

    const double at = fmod(0.5 + 0.618034 * (double)i, 1) * (double)span;

    time[0] = f->min_timestamp_ms + (uint64_t)at;
    if (sh->neighbour_ms == 0)
        time[1] = f->min_timestamp_ms + (uint64_t)(at - log(u) * (double)span / (double)f->rows);
    else if (u < same)
        time[1] = time[0] + sh->neighbour_ms;
    else
        time[1] = f->min_timestamp_ms + (uint64_t)(fmod(0.5 + 0.754878 * (double)i, 1) * (double)span);
}

/* Two cells of neighbours that share |alike| bytes of a row of |len|. */
struct cell_pair {
    uint8_t *rows;
    uint32_t len;
    struct hfile_cell cell[2];
};

static double encoded_bytes(const struct family_shape *sh, struct cell_pair *p, uint32_t alike, const uint64_t time[2])
{
    memset(p->rows, 0, 2 * (size_t)(p->len + 1));
    if (alike < p->len)
        p->rows[p->len + 1 + alike] = 1;
    p->cell[0].row = p->rows;
    p->cell[1].row = p->rows + p->len + 1;
    p->cell[0].timestamp_ms = time[0];
    p->cell[1].timestamp_ms = time[1];
    return (double)hfile_encoded_cell_bytes(sh->options.encoding, &p->cell[0], &p->cell[1]);
}

/* Rows of one millisecond are neighbours in their number; of two a few apart: they differ in the digit of |base|^k
   with the probability apart / base^k. */
static void take_turns(const struct hfile *f, const struct entities_in_turn *turn, struct neighbours *law)
{
    const double each_ms =
        turn->ms_apart * (double)f->rows / ((double)(f->max_timestamp_ms - f->min_timestamp_ms) + 1);
    double apart = turn->apart;

    if (turn->to > 0 && turn->from <= law->len && turn->even)
        law->at_least[turn->from] = each_ms > 1 ? 1 - 1 / each_ms : 0;
    for (size_t l = turn->to; l > turn->from && l <= law->len; l--, apart /= turn->base)
        law->at_least[l] = law->at_least[turn->from] *
                           (turn->apart > 1 ? 1 + apart * expm1(-1 / apart) : apart < 1 ? 1 - apart : 0);
    for (size_t l = (size_t)turn->to + 1; turn->to > 0 && l <= law->len; l++)
        law->at_least[l] = law->at_least[turn->to];
}

/* Mean over what neighbours share, and over their times: the encoders store the two one behind the other. -1 without
   memory. */
static double encoded_first(const struct hfile *f, const struct family_shape *sh, struct cell_pair *p)
{
    struct neighbours law;
    uint64_t time[2] = {f->min_timestamp_ms, f->min_timestamp_ms};
    double mean = 0, still, beyond = 0;

    if (neighbours_of(&f->part, f->rows, &law) != 0)
        return -1;
    take_turns(f, &sh->turn, &law);
    for (uint32_t l = 0; l <= p->len; l++) {
        const double more = l < p->len && l < law.len ? law.at_least[l + 1] : 0;

        mean += (law.at_least[l] - more) * encoded_bytes(sh, p, l, time);
        if (l == law.len)
            break;
    }
    still = encoded_bytes(sh, p, 0, time);
    for (size_t i = 0; i < TIMES; i++) {
        example_times(f, sh, i, time);
        beyond += encoded_bytes(sh, p, 0, time) - still;
    }
    return mean + beyond / TIMES;
}

/* What the encoders make of each column's cell: within a row against the column before, for the first
   one against the last column of the row before. |column| has the family's columns. 0, or -1 without memory. */
static int encode_columns(const struct hfile *f, const struct family_shape *sh, struct hfile_column *column)
{
    struct cell_pair p = {.len = (uint32_t)((f->row_bytes + f->rows / 2) / f->rows)};
    const uint64_t time[2] = {f->min_timestamp_ms, f->min_timestamp_ms};

    int rc = 0;

    p.rows = calloc(2, p.len + 1);
    if (!p.rows)
        return -1;
    for (size_t k = 0; k < sh->columns && rc == 0; k++) {
        const size_t of[2] = {k > 0 ? k - 1 : sh->columns - 1, k};

        for (int i = 0; i < 2; i++)
            p.cell[i] = (struct hfile_cell){
                .row_bytes = p.len, .family_bytes = sh->name_bytes, .qualifier = (const uint8_t *)sh->qualifier[of[i]],
                .qualifier_bytes = sh->column[of[i]].qualifier_bytes, .value_bytes = sh->column[of[i]].value_bytes};
        column[k] = sh->column[k];
        column[k].encoded_bytes = k > 0 ? encoded_bytes(sh, &p, p.len, time) : encoded_first(f, sh, &p);
        rc = column[k].encoded_bytes < 0 ? -1 : 0;
    }
    free(p.rows);
    return rc;
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

static int lay_out_runs(struct hfile *f, const struct storefile_job *job, const struct hfile_run *run,
                        uint32_t separator)
{
    struct hfile_runs runs = {run, f->rows > 0, separator_bytes, &separator, job->inputs};
    struct hfile_layout layout;
    int rc;

    memset(&layout, 0, sizeof layout);
    rc = hfile_layout_runs(&job->shape->options, &runs, &layout);
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

/* Lays the file out from its sample and takes over what the model needs of the layout. */
static int lay_out(struct hfile *f, const struct storefile_job *job)
{
    const struct family_shape *sh = job->shape;
    struct hfile_shape shape = {0, sh->name_bytes, sh->column, sh->columns};
    struct hfile_run run = {&shape, f->rows, 0};
    const uint32_t separator = mean_separator_bytes(&f->part);
    struct hfile_column *encoded = NULL;
    int rc = 0;

    if (f->rows == 0)
        return lay_out_runs(f, job, &run, separator);
    shape.row_bytes = (uint32_t)((f->row_bytes + f->rows / 2) / f->rows);
    run.seqid_vint_bytes = (double)f->seqid_vint_bytes / (double)f->cells;
    if (delta_encoded(sh)) {
        encoded = malloc(sh->columns * sizeof *encoded);
        rc = encoded ? encode_columns(f, sh, encoded) : -1;
        shape.column = encoded;
    }
    if (rc == 0)
        rc = job->budget->whole_rows == 0 ? lay_out_coarse(f, job, &run, separator)
                                          : lay_out_runs(f, job, &run, separator);
    free(encoded);
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
