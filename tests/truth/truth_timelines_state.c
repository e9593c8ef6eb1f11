/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recording last said of each store, and the comparison of all live stores with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_timelines.h"

static bool same_store(const struct timeline_known *k, const char *start, const char *end, const char *family)
{
    return strcmp(k->start, start) == 0 && strcmp(k->end, end) == 0 && strcmp(k->family, family) == 0;
}

static void learn(struct timeline_state *st, size_t row)
{
    char **c = st->table->row[row];
    const char *family = st->families ? c[3] : "", *next = st->families ? c[4] : c[3];
    size_t i = 0;

    while (i < st->len && !same_store(&st->item[i], c[1], c[2], family))
        i++;
    if (strcmp(next, "gone") == 0) {
        if (i < st->len)
            st->item[i] = st->item[--st->len];
        return;
    }
    if (i == st->len && st->len == st->cap) {
        st->cap = st->cap ? 2 * st->cap : 16;
        st->item = realloc(st->item, st->cap * sizeof *st->item);
        if (!st->item)
            abort();
    }
    st->len += i == st->len;
    st->item[i] = (struct timeline_known){c[1], c[2], family, row};
}

void timeline_state_advance(struct timeline_state *st, uint64_t step)
{
    for (; st->at < st->table->rows && strtoull(st->table->row[st->at][0], NULL, 10) <= step; st->at++)
        learn(st, st->at);
    st->step = step;
}

static void check_number(struct truth_report *r, const struct timeline_state *st, size_t row, const char *column,
                         uint64_t ours)
{
    if (truth_cell(st->table, row, column))
        truth_check(r, column, (double)truth_number(st->table, row, column), (double)ours, 0);
}

static void check_store(struct truth_report *r, const struct timeline_state *st, size_t row, const struct region *g,
                        size_t family)
{
    const struct store *s = &g->stores[family];
    const struct store_span all = {0, s->files_len};
    uint64_t data = 0, heap = 0;
    char files[TIMELINE_FILES];

    timeline_file_list(s, &all, files, sizeof files);
    truth_check_text(r, "file_list", truth_cell(st->table, row, "file_list"), files);
    check_number(r, st, row, "files", s->files_len);
    check_number(r, st, row, "store_bytes", store_bytes(s));
    check_number(r, st, row, "has_references", store_has_references(s));
    check_number(r, st, row, "compacted_not_archived", s->waiting_len);
    check_number(r, st, row, "blocked_requests", g->blocked_requests);
    /* A thinned recording leaves out steps that only add to the memstore. */
    if (st->thinned && strtoull(st->table->row[row][0], NULL, 10) != st->step)
        return;
    for (size_t f = 0; f < st->families_len; f++) {
        data += store_data_bytes(&g->stores[f]);
        heap += store_heap_bytes(&g->stores[f]);
    }
    check_number(r, st, row, "mem_data_bytes", store_data_bytes(s));
    check_number(r, st, row, "mem_heap_bytes", store_heap_bytes(s));
    check_number(r, st, row, "store_mem_data_bytes", store_data_bytes(s));
    check_number(r, st, row, "store_mem_heap_bytes", store_heap_bytes(s));
    check_number(r, st, row, "region_mem_data_bytes", data);
    check_number(r, st, row, "region_mem_heap_bytes", heap);
    check_number(r, st, row, "write_requests", g->requests);
    check_number(r, st, row, "region_write_requests", g->requests);
}

void timeline_state_check(struct truth_report *r, const struct timeline_state *st, const struct timeline *tl)
{
    const struct table *table = &tl->model->tables[0];

    if (st->thinned && st->at == 0)
        return;
    truth_check(r, "stores", (double)st->len, (double)(table->regions_len * tl->s->families), 0);
    for (size_t i = 0; i < table->regions_len * tl->s->families; i++) {
        const struct region *g = tl->model->regions[table->regions[i / tl->s->families]];
        const size_t f = i % tl->s->families;
        const char *family = st->families ? tl->s->family[f].name : "";
        char start[160], end[160];
        size_t j = 0;

        timeline_key(&g->start, start, sizeof start);
        timeline_key(&g->end, end, sizeof end);
        while (j < st->len && !same_store(&st->item[j], start, end, family))
            j++;
        if (j == st->len) {
            char both[400];

            snprintf(both, sizeof both, "[%s, %s) %s", start, end, family);
            truth_check_text(r, "region", "no such region", both);
        } else {
            check_store(r, st, st->item[j].row, g, f);
        }
    }
}

void timeline_state_free(struct timeline_state *st)
{
    free(st->item);
    st->item = NULL;
    st->len = st->cap = 0;
}

/* The recorded events; |t| has a column for the family where |families|. */
void timeline_read_events(const struct truth_table *t, bool families, const char *family, struct timeline_events *e)
{
    char key[400], text[TIMELINE_TEXT];

    for (size_t i = 0; i < t->rows; i++) {
        char **c = t->row[i];

        snprintf(key, sizeof key, "%s %s %s", c[2], c[3], families ? c[4] : family);
        snprintf(text, sizeof text, "%s %s %s", c[0], c[1], families ? c[5] : c[4]);
        timeline_events_add(e, key, text);
    }
}

void timeline_end_case(const struct truth_table *t, const struct truth_table *events, const struct timeline *tl,
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
    truth_case_end(r, "stores after each step, their events", real, ours, "exact");
}
