/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded timelines of one-region tables against the model: every region after every step, every
   event of every store. Usage: truth_timelines DIR. Exit status 1 when a value is off. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_timelines.h"

/* The recording's last word on each region. */
struct known {
    char *start, *end;
    size_t row;
};

struct known_list {
    struct known *item;
    size_t len, cap;
};

static void learn(struct known_list *k, const struct truth_table *t, size_t row)
{
    char *start = t->row[row][1], *end = t->row[row][2];
    size_t i = 0;

    while (i < k->len && (strcmp(k->item[i].start, start) != 0 || strcmp(k->item[i].end, end) != 0))
        i++;
    if (strcmp(t->row[row][3], "gone") == 0) {
        if (i < k->len)
            k->item[i] = k->item[--k->len];
        return;
    }
    if (i == k->len && k->len == k->cap) {
        k->cap = k->cap ? 2 * k->cap : 16;
        k->item = realloc(k->item, k->cap * sizeof *k->item);
        if (!k->item)
            abort();
    }
    k->len += i == k->len;
    k->item[i] = (struct known){start, end, row};
}

static void check_number(struct truth_report *r, const struct truth_table *t, size_t row, const char *column,
                         uint64_t ours)
{
    if (truth_cell(t, row, column))
        truth_check(r, column, (double)truth_number(t, row, column), (double)ours, 0);
}

static void check_region(struct truth_report *r, const struct truth_table *t, size_t row, const struct region *g)
{
    const struct store *st = &g->stores[0];
    const struct store_span all = {0, st->files_len};
    char files[TIMELINE_FILES];

    timeline_file_list(st, &all, files, sizeof files);
    check_number(r, t, row, "mem_data_bytes", store_data_bytes(st));
    check_number(r, t, row, "mem_heap_bytes", store_heap_bytes(st));
    check_number(r, t, row, "files", st->files_len);
    check_number(r, t, row, "store_bytes", store_bytes(st));
    truth_check_text(r, "file_list", truth_cell(t, row, "file_list"), files);
    check_number(r, t, row, "compacted_not_archived", st->waiting_len);
    check_number(r, t, row, "has_references", store_has_references(st));
    check_number(r, t, row, "write_requests", g->requests);
    check_number(r, t, row, "blocked_requests", g->blocked_requests);
}

/* All live regions, each against what the recording last said of it. */
static void check_step(struct truth_report *r, const struct truth_table *t, const struct known_list *k,
                       const struct timeline *tl)
{
    const struct table *table = &tl->model->tables[0];

    truth_check(r, "regions", (double)k->len, (double)table->regions_len, 0);
    for (size_t i = 0; i < table->regions_len; i++) {
        const struct region *g = tl->model->regions[table->regions[i]];
        char start[160], end[160];
        size_t j = 0;

        timeline_key(&g->start, start, sizeof start);
        timeline_key(&g->end, end, sizeof end);
        while (j < k->len && (strcmp(k->item[j].start, start) != 0 || strcmp(k->item[j].end, end) != 0))
            j++;
        if (j == k->len) {
            char both[400];

            snprintf(both, sizeof both, "[%s, %s)", start, end);
            truth_check_text(r, "region", "no such region", both);
        } else {
            check_region(r, t, k->item[j].row, g);
        }
    }
}

static void read_events(const struct truth_table *t, const char *family, struct timeline_events *e)
{
    char key[400], text[TIMELINE_TEXT];

    for (size_t i = 0; i < t->rows; i++) {
        char **c = t->row[i];

        snprintf(key, sizeof key, "%s %s %s", c[2], c[3], family);
        snprintf(text, sizeof text, "%s %s %s", c[0], c[1], c[4]);
        timeline_events_add(e, key, text);
    }
}

static void run_steps(const struct truth_table *t, const struct timeline_settings *s, struct timeline *tl,
                      struct truth_report *r)
{
    struct known_list k = {NULL, 0, 0};
    size_t row = 0;

    for (uint64_t sent = 0; sent < s->rows && tl->model->error == 0; sent += 1000) {
        tl->step = sent + 1000;
        timeline_put(tl, sent, 1000);
        if (s->moved)
            timeline_move_all(tl);
        for (; row < t->rows && strtoull(t->row[row][0], NULL, 10) <= tl->step; row++)
            learn(&k, t, row);
        check_step(r, t, &k, tl);
    }
    truth_check(r, "model errors", 0, tl->model->error, 0);
    truth_check(r, "refused region batches", 0, tl->failed_actions, 0);
    free(k.item);
}

static void end_case(const struct truth_table *t, const struct truth_table *events, const struct timeline *tl,
                     struct truth_report *r)
{
    char real[64], ours[64];
    size_t live = 0;

    for (size_t i = 0; i < events->rows; i++)
        live += strcmp(events->row[i][1], "OPEN") == 0;
    snprintf(real, sizeof real, "%zu events %zu opens %zu states", events->rows, live, t->rows);
    live = 0;
    for (size_t i = 0; i < tl->events.len; i++)
        live += strstr(tl->events.item[i].text, " OPEN ") != NULL;
    snprintf(ours, sizeof ours, "%zu events %zu opens", tl->events.len, live);
    truth_case_end(r, "regions after each step; each store's events", real, ours, "exact");
}

void truth_split_timelines(const char *base, const char *name, struct truth_report *r)
{
    struct truth_table t, events;
    struct timeline_settings s;
    struct timeline tl;
    struct timeline_events real = {NULL, 0, 0};
    struct key_source source;
    char path[8300];

    truth_case(r, name);
    snprintf(path, sizeof path, "%s.regions.tsv", base);
    if (truth_table_read(path, &t) != 0)
        return;
    snprintf(path, sizeof path, "%s.events.tsv", base);
    if (truth_table_read(path, &events) != 0) {
        truth_table_free(&t);
        return;
    }
    if (timeline_read_header(&t, &s) == 0) {
        snprintf(s.table, sizeof s.table, "%.*s", (int)strcspn(name, "_"), name);
        source = timeline_source(&s);
        s.first_server = timeline_first_server(&events, &s);
        if (timeline_open(&tl, &s, &source) == 0) {
            run_steps(&t, &s, &tl, r);
            read_events(&events, s.family[0].name, &real);
            timeline_events_check(r, &real, &tl.events);
            end_case(&t, &events, &tl, r);
        } else {
            truth_check_text(r, "model", "begins", "does not");
            truth_case_end(r, "model", "-", "-", "exact");
        }
        timeline_close(&tl);
    }
    timeline_events_free(&real);
    truth_table_free(&events);
    truth_table_free(&t);
}

int main(int argc, char **argv)
{
    static const char *const folders[] = {"split-timelines", "split-timelines-salted"};
    void (*const ways[])(const char *, const char *, struct truth_report *) = {
        truth_split_timelines, truth_sampled_timelines, truth_thinned_timelines};
    struct truth_report r = {0};
    char dir[4096];

    if (argc != 2) {
        fprintf(stderr, "usage: %s DIR\n", argv[0]);
        return 2;
    }
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
        for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
            snprintf(dir, sizeof dir, "%s/%s", argv[1], folders[i]);
            r.folder = folders[i];
            timeline_each(&(struct timeline_folder){dir, ".regions.tsv", ways[k]}, &r);
        }
    printf("timelines: %u cases, %u failed, %u values\n", r.cases, r.failed, r.values);
    return r.cases == 0 || r.failed > 0;
}
