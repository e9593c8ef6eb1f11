/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded tables of other shapes: several families, and rows of thousands of cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_timelines.h"

/* "value bytes by family: a=100 b=10 c=400 (only rows with i mod 4 == 0);" */
static void read_families(const struct truth_table *t, struct timeline_settings *s)
{
    const char *at = NULL;

    for (size_t i = 0; i < t->comments && !at; i++)
        at = strstr(t->comment[i], "value bytes by family: ");
    s->families = 0;
    if (!at)
        return;
    for (at += strlen("value bytes by family:"); *at == ' ' && s->families < TIMELINE_FAMILIES;) {
        struct timeline_family *f = &s->family[s->families];
        const char *equals = strchr(at, '=');
        char *end;

        if (at[1] == '(') {
            s->family[s->families - 1].every = strtoull(strstr(at, "mod ") + 4, NULL, 10);
            at = strchr(at, ')') + 1;
            continue;
        }
        if (!equals)
            return;
        snprintf(f->name, sizeof f->name, "%.*s", (int)(equals - at - 1), at + 1);
        f->value_bytes = (uint32_t)strtoul(equals + 1, &end, 10);
        f->every = 1;
        s->families++;
        at = end;
    }
}

/* False where the policy isn't known. */
static bool read_flush(const struct truth_table *t, struct timeline_settings *s)
{
    char word[64], policy[64];

    timeline_word(t, "flush policy=", policy, sizeof policy);
    if (strcmp(policy, "FlushAllStoresPolicy") == 0)
        s->flush.policy = FLUSH_ALL_STORES;
    else if (strcmp(policy, "FlushNonSloppyStoresFirstPolicy") == 0)
        s->flush.policy = FLUSH_NON_SLOPPY_STORES_FIRST;
    else if (policy[0] && strcmp(policy, "default") != 0 && strcmp(policy, "FlushAllLargeStoresPolicy") != 0)
        return false;
    s->flush.lower_bound_bytes = timeline_number(t, "size.lower.bound=", 0);
    s->flush.lower_bound_min_bytes = timeline_number(t, "size.lower.bound.min=", s->flush.lower_bound_min_bytes);
    timeline_word(t, "overallfiles=", word, sizeof word);
    s->overall_files = strcmp(word, "true") == 0;
    return true;
}

static void check_bound(const struct truth_table *t, const struct timeline_settings *s, struct truth_report *r)
{
    const uint64_t bound = timeline_number(t, "lower bound in force ", 0);

    if (bound > 0)
        truth_check(r, "lower bound", (double)bound,
                    (double)flush_policy_lower_bound_bytes(&s->flush, s->families), 0);
}

/* Steps that end after |ends| rows or cells; row numbers run on. */
struct steps {
    const uint64_t *rows, *label;
    size_t n;
};

static void run_case(const struct truth_table pair[2], const struct timeline_settings *s,
                     const struct key_source *source, const struct steps *steps, struct truth_report *r)
{
    const struct truth_table *t = &pair[0], *events = &pair[1];
    struct timeline_state state = {.table = t, .families_len = s->families, .thinned = true,
                                   .families = !s->numbered};
    struct timeline_events real = {NULL, 0, 0};
    struct timeline tl;
    uint64_t sent = 0;

    if (timeline_open(&tl, s, source) == 0) {
        for (size_t i = 0; i < steps->n && tl.model->error == 0; i++) {
            tl.step = steps->label[i];
            timeline_put(&tl, sent, steps->rows[i]);
            sent += steps->rows[i];
            timeline_state_advance(&state, tl.step);
            timeline_state_check(r, &state, &tl);
        }
        truth_check(r, "model errors", 0, tl.model->error, 0);
        truth_check(r, "refused region batches", 0, tl.failed_actions, 0);
        timeline_read_events(events, true, "", &real);
        timeline_events_check(r, &real, &tl.events);
        timeline_end_case(t, events, &tl, r);
    } else {
        timeline_refuse(r, "settings of the model", "refused");
    }
    timeline_state_free(&state);
    timeline_events_free(&real);
    timeline_close(&tl);
}

void truth_families(const char *base, const char *name, struct truth_report *r)
{
    struct truth_table pair[2];
    const struct truth_table *t = &pair[0];
    struct timeline_settings s;
    bool known;

    truth_case(r, name);
    if (!timeline_read_pair(base, ".stores.tsv", pair, r))
        return;
    timeline_read_settings(t, &s);
    if (timeline_check_settings(&s, r) == 0) {
        const struct key_source source = timeline_source(&s);
        const size_t n = (size_t)((s.rows + s.list_rows - 1) / s.list_rows);
        uint64_t *rows = calloc(n + 1, sizeof *rows), *label = calloc(n + 1, sizeof *label);

        if (!rows || !label)
            abort();
        for (size_t i = 0; i < n; i++) {
            rows[i] = i + 1 < n ? s.list_rows : s.rows - s.list_rows * i;
            label[i] = s.list_rows * i + rows[i];
        }
        read_families(t, &s);
        known = read_flush(t, &s);
        s.close_bytes = true;
        snprintf(s.table, sizeof s.table, "tt");
        check_bound(t, &s, r);
        if (!known) {
            timeline_word(t, "flush policy=", s.policy, sizeof s.policy);
            timeline_refuse(r, "flush policy", s.policy);
        }
        if (known && s.families > 0)
            run_case(pair, &s, &source, &(struct steps){rows, label, n}, r);
        else if (known)
            timeline_refuse(r, "value bytes by family", "absent");
        free(rows);
        free(label);
    }
    truth_table_free(&pair[1]);
    truth_table_free(&pair[0]);
}

/* A put of a wide row: |cells| cells from |first| on. */
struct wide_put {
    uint64_t row, first, cells, before; /* cells of all rows before */
};

struct wide_table {
    struct wide_put *put;
    size_t n;
};

static int wide_key(const void *context, uint64_t i, struct saltkey_buf *out)
{
    const struct wide_table *w = context;
    const uint64_t v = UINT64_C(1700002800000) + w->put[i].row * 3600000;

    for (int k = 0; k < 8; k++)
        out->bytes[k] = (uint8_t)(v >> (56 - 8 * k));
    out->len = 8;
    return 0;
}

static void wide_cells(const void *context, uint64_t i, size_t family, struct put_cells *out)
{
    const struct wide_table *w = context;

    (void)family;
    out->column = (uint32_t)w->put[i].first;
    out->cells = (uint32_t)w->put[i].cells;
    out->timestamp_ms = UINT64_C(1700000000000) + w->put[i].before + w->put[i].first;
}

/* "cells per row: 2000,30000,2000;" or "1000,1000,... (50 rows);" */
static void read_wide(const struct truth_table *t, struct wide_table *w)
{
    const char *at = NULL;
    uint64_t cells = 0, rows = UINT64_MAX, before = 0;

    memset(w, 0, sizeof *w);
    for (size_t i = 0; i < t->comments && !at; i++)
        at = strstr(t->comment[i], "cells per row: ");
    if (!at)
        return;
    at += strlen("cells per row: ");
    if (memchr(at, '(', strcspn(at, ";")))
        rows = strtoull(strchr(at, '(') + 1, NULL, 10);
    for (uint64_t row = 0; row < rows; row++) {
        if (*at >= '0' && *at <= '9') {
            char *end;

            cells = strtoull(at, &end, 10);
            at = end + (*end == ',');
        } else if (rows == UINT64_MAX) {
            return;
        }
        for (uint64_t first = 0; first < cells; first += 1000) {
            w->put = realloc(w->put, (w->n + 1) * sizeof *w->put);
            if (!w->put)
                abort();
            w->put[w->n++] = (struct wide_put){row, first, cells - first < 1000 ? cells - first : 1000, before};
        }
        before += cells;
    }
}

void truth_wide_rows(const char *base, const char *name, struct truth_report *r)
{
    struct truth_table pair[2];
    struct timeline_settings s;
    struct wide_table w;

    truth_case(r, name);
    if (!timeline_read_pair(base, ".regions.tsv", pair, r))
        return;
    read_wide(&pair[0], &w);
    timeline_read_settings(&pair[0], &s);
    snprintf(s.family[0].name, sizeof s.family[0].name, "d");
    snprintf(s.table, sizeof s.table, "tt");
    s.numbered = s.close_bytes = true;
    s.stream.name = "TIME"; /* the rows are the wide table's */
    s.rows = w.n;
    if (timeline_check_settings(&s, r) == 0) {
        const struct key_source source = {.key = wide_key, .context = &w, .cells = wide_cells};
        uint64_t *rows = calloc(w.n, sizeof *rows), *label = calloc(w.n, sizeof *label);

        if (!rows || !label)
            abort();
        for (size_t i = 0; i < w.n; i++) {
            rows[i] = 1;
            label[i] = (i > 0 ? label[i - 1] : 0) + w.put[i].cells;
        }
        run_case(pair, &s, &source, &(struct steps){rows, label, w.n}, r);
        free(rows);
        free(label);
    }
    free(w.put);
    truth_table_free(&pair[1]);
    truth_table_free(&pair[0]);
}
