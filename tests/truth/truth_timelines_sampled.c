/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same timelines with the default number of keys kept: regions after each step, and how far each
   split key lies from the recorded one. The distance counts rows written so far between the two keys;
   one block or 1/512 of the largest file is allowed, whichever is more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_timelines.h"

/* A recorded split, or one of ours. */
struct cut {
    uint64_t step;
    uint8_t key[TRUTH_MAX_ROW];
    size_t len;
    uint64_t rows_in_file, blocks;
};

static size_t unhex(const char *hex, uint8_t *out)
{
    size_t n = 0;

    for (; hex[2 * n] && hex[2 * n + 1] && n < TRUTH_MAX_ROW; n++) {
        unsigned byte = 0;

        if (sscanf(hex + 2 * n, "%2x", &byte) != 1)
            break;
        out[n] = (uint8_t)byte;
    }
    return n;
}

static int compare(const uint8_t *a, size_t na, const uint8_t *b, size_t nb)
{
    const int c = memcmp(a, b, na < nb ? na : nb);

    return c != 0 ? c : (na > nb) - (na < nb);
}

static int by_step_and_key(const void *a, const void *b)
{
    const struct cut *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return compare(x->key, x->len, y->key, y->len);
}

static size_t read_cuts(const struct truth_table *t, struct cut *cuts, size_t cap)
{
    size_t n = 0;

    for (size_t i = 0; i < t->rows && n < cap; i++) {
        const char *largest = truth_cell(t, i, "largest_file"), *cells = strchr(largest, ':');
        struct cut *c = &cuts[n++];

        c->step = truth_number(t, i, "rows");
        c->len = unhex(truth_cell(t, i, "split_key"), c->key);
        c->blocks = truth_number(t, i, "blocks_predicted");
        c->rows_in_file = cells ? strtoull(cells + 1, NULL, 10) : 0;
    }
    qsort(cuts, n, sizeof *cuts, by_step_and_key);
    return n;
}

/* Our splits: regions that have died, with the step at which they did. */
static size_t take_cuts(const struct model *m, uint64_t step, size_t *seen, struct cut *cuts, size_t n)
{
    size_t dead = 0;

    for (size_t i = 0; i < m->regions_len; i++) {
        const struct region *g = m->regions[i];

        if (g->table != 0 || g->state != REGION_DEAD || seen[i])
            continue;
        seen[i] = 1;
        memset(&cuts[n + dead], 0, sizeof cuts[0]);
        cuts[n + dead].step = step;
        cuts[n + dead].len = g->split_key.len;
        memcpy(cuts[n + dead++].key, g->split_key.bytes, g->split_key.len);
    }
    return n + dead;
}

/* Rows among the first |step| with a key between the two. */
static uint64_t distance(const struct timeline_settings *s, const struct cut *a, const struct cut *b)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < a->step; i++) {
        uint8_t row[TRUTH_MAX_ROW];
        const size_t len = truth_row(&s->stream, i, row);

        n += (compare(row, len, a->key, a->len) < 0) != (compare(row, len, b->key, b->len) < 0);
    }
    return n;
}

/* Whether the first split's files hold one that is nearly, but not quite, as long as the largest: which
   of them is cut then hangs on bytes that no sample can tell. */
static bool nearly_tied(const struct truth_table *splits)
{
    uint64_t bytes[64], most = 0;
    size_t n = 0;

    if (splits->rows == 0)
        return false;
    for (const char *p = truth_cell(splits, 0, "parent_files"); p && n < 64; p = strchr(p, ',')) {
        p += *p == ',';
        bytes[n++] = strtoull(p, NULL, 10);
        most = bytes[n - 1] > most ? bytes[n - 1] : most;
    }
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != most && most - bytes[i] < 64)
            return true;
    return false;
}

static void check_cuts(struct truth_report *r, const struct timeline_settings *s, const struct cut *real,
                       const struct cut *ours, size_t n)
{
    double worst = 0;
    char text[64];

    for (size_t i = 0; i < n; i++) {
        const double block = real[i].blocks ? (double)real[i].rows_in_file / (double)real[i].blocks : 0;
        const double share = (double)real[i].rows_in_file / 512;
        const double off = (double)distance(s, &real[i], &ours[i]), band = block > share ? block : share;

        truth_check(r, "split at", (double)real[i].step, (double)ours[i].step, 0);
        truth_check(r, "rows between split keys", 0, off, band);
        if (band > 0 && off / band > worst)
            worst = off / band;
    }
    snprintf(text, sizeof text, "at most %.2f of it", worst);
    truth_case_end(r, s->nothing_whole ? "first split of 1,024 sampled keys" : "split keys, default sample", "0", text, "one block or 1/512 of the file");
}

/* 1 where the recording speaks of the region for the first time. */
static size_t first_line_of(const struct truth_table *t, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (strcmp(t->row[i][1], t->row[row][1]) == 0 && strcmp(t->row[i][2], t->row[row][2]) == 0)
            return 0;
    return 1;
}

static void run(const struct truth_table *splits, const struct truth_table *regions, const struct timeline_settings *s,
                struct timeline *tl, struct truth_report *r)
{
    static struct cut real[512], ours[4096];
    static size_t seen[4096];
    size_t n = read_cuts(splits, real, 512), got = 0, live = 0, row = 0;

    memset(seen, 0, sizeof seen);
    for (uint64_t sent = 0; sent < s->rows && tl->model->error == 0 && tl->model->regions_len < 4000; sent += s->list_rows) {
        const uint64_t left = s->rows - sent, list = left < s->list_rows ? left : s->list_rows;

        tl->step = sent + list;
        timeline_put(tl, sent, list);
        if (s->moved)
            timeline_move_all(tl);
        got = take_cuts(tl->model, tl->step, seen, ours, got);
        for (; row < regions->rows && strtoull(regions->row[row][0], NULL, 10) <= tl->step; row++)
            if (strcmp(regions->row[row][3], "gone") == 0)
                live--;
            else
                live += first_line_of(regions, row);
        if (s->nothing_whole && got > 0)
            break;
        truth_check(r, "regions", (double)live, (double)tl->model->tables[0].regions_len, 0);
    }
    qsort(ours, got, sizeof *ours, by_step_and_key);
    if (s->nothing_whole) {
        if (nearly_tied(splits))
            truth_case_end(r, "first split of 1,024 sampled keys", "-", "-", "not judged: files within 64 bytes");
        else
            check_cuts(r, s, real, ours, n && got ? 1 : 0);
        return;
    }
    truth_check(r, "splits", (double)n, (double)got, 0);
    truth_check(r, "model errors", 0, tl->model->error, 0);
    check_cuts(r, s, real, ours, n < got ? n : got);
}

static void judge(const char *base, const char *name, bool nothing_whole, struct truth_report *r)
{
    struct truth_table pair[2], splits;
    struct timeline_settings s;
    struct timeline tl;
    char path[8300];

    truth_case(r, name);
    if (!timeline_read_pair(base, ".regions.tsv", pair, r))
        return;
    snprintf(path, sizeof path, "%s.splits.tsv", base);
    timeline_read_settings(&pair[0], &s);
    if (truth_table_read(path, &splits) != 0) {
        timeline_refuse(r, "table", path);
    } else if (timeline_check_settings(&s, r) == 0) {
        const struct key_source source = timeline_source(&s);

        s.sample_keys = 1024;
        s.nothing_whole = nothing_whole;
        snprintf(s.table, sizeof s.table, "%.*s", (int)strcspn(name, "_"), name);
        s.first_server = timeline_first_server(&pair[1], &s);
        if (timeline_open(&tl, &s, &source) == 0)
            run(&splits, &pair[0], &s, &tl, r);
        else
            timeline_refuse(r, "settings of the model", "refused");
        timeline_close(&tl);
    }
    truth_table_free(&splits);
    truth_table_free(&pair[1]);
    truth_table_free(&pair[0]);
}

void truth_sampled_timelines(const char *base, const char *name, struct truth_report *r)
{
    judge(base, name, false, r);
}

void truth_thinned_timelines(const char *base, const char *name, struct truth_report *r)
{
    judge(base, name, true, r);
}
