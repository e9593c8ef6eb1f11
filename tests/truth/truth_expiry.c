/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded deletes, versions and times to live: what is left in the files after each step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/retention.h"
#include "truth_timelines.h"

#define BASE UINT64_C(1700000000000)

/* What the next call writes. */
struct writing {
    const struct timeline_settings *s;
    struct timeline *tl;
    char what[32];             /* "put", or what is deleted */
    uint64_t offset_ms;        /* behind base + i */
    char age[16];              /* "", "now", "ages", "alive", "dead", "old" */
    uint64_t every;
};

static uint64_t row_number(const struct writing *w, uint64_t i)
{
    return i * w->every;
}

static int key_of(const void *context, uint64_t i, struct saltkey_buf *out)
{
    const struct writing *w = context;

    out->len = truth_row(&w->s->stream, row_number(w, i), out->bytes);
    return out->len > 0 ? 0 : -1;
}

static uint64_t timestamp(const struct writing *w, uint64_t i)
{
    const uint64_t now = w->tl->model->epoch_ms + (uint64_t)(des_now(w->tl->cal) / DES_MS);

    if (strcmp(w->age, "now") == 0)
        return now;
    if (strcmp(w->age, "ages") == 0)
        return now - (i % 10 * 20000 + 5000) * 1000;
    if (strcmp(w->age, "alive") == 0)
        return now - 5000 * 1000;
    if (strcmp(w->age, "dead") == 0)
        return now - 105000 * 1000;
    if (strcmp(w->age, "old") == 0)
        return now - UINT64_C(200000) * 1000 + w->offset_ms;
    return BASE + i + w->offset_ms;
}

static void cells_of(const void *context, uint64_t i, size_t family, struct put_cells *out)
{
    const struct writing *w = context;

    (void)family;
    out->cells = 1;
    out->timestamp_ms = timestamp(w, row_number(w, i));
    if (strcmp(w->what, "row") == 0 || strcmp(w->what, "row_at_ts") == 0)
        out->type = HFILE_TYPE_DELETE_FAMILY;
    else if (strcmp(w->what, "columns") == 0)
        out->type = HFILE_TYPE_DELETE_COLUMN;
    else if (strcmp(w->what, "column") == 0)
        out->type = HFILE_TYPE_DELETE;
}

/* "put 0..2000 round 3 at base+i+1000*3", "put 4000..4500 at now", "put 0..2000 age 200000 s - 1" */
static bool do_put(struct timeline *tl, struct writing *w, const char *action)
{
    const uint64_t from = strtoull(action + 4, NULL, 10), to = strtoull(strstr(action, "..") + 2, NULL, 10);
    const char *at;

    snprintf(w->what, sizeof w->what, "put");
    w->every = 1;
    w->offset_ms = 0;
    w->age[0] = '\0';
    if ((at = strstr(action, "base+i+1000*")) != NULL)
        w->offset_ms = 1000 * strtoull(at + 12, NULL, 10);
    else if ((at = strstr(action, "round ")) != NULL)
        w->offset_ms = 1000 * strtoull(at + 6, NULL, 10);
    else if (strstr(action, "base+i-1"))
        w->offset_ms = (uint64_t)-1;
    else if (strstr(action, "at now"))
        snprintf(w->age, sizeof w->age, "now");
    else if (strstr(action, "ages as said"))
        snprintf(w->age, sizeof w->age, "ages");
    else if (strstr(action, "all alive"))
        snprintf(w->age, sizeof w->age, "alive");
    else if (strstr(action, "all dead"))
        snprintf(w->age, sizeof w->age, "dead");
    else if ((at = strstr(action, " s - ")) != NULL) {
        snprintf(w->age, sizeof w->age, "old");
        w->offset_ms = strtoull(at + 5, NULL, 10);
    } else if (!strstr(action, "at base+i"))
        return false;
    timeline_put(tl, from, to - from);
    return true;
}

/* "delete row of 0..2000 every 10": a marker has the present time but where it names one cell. */
static bool do_delete(struct timeline *tl, struct writing *w, const char *action)
{
    static const char *const kinds[] = {"row", "columns", "column", "row_at_ts"};
    bool known = false;
    uint64_t from, to;

    if (!strstr(action, " of ") || !strstr(action, "..") || !strstr(action, "every "))
        return false;
    from = strtoull(strstr(action, " of ") + 4, NULL, 10);
    to = strtoull(strstr(action, "..") + 2, NULL, 10);

    snprintf(w->what, sizeof w->what, "%.*s", (int)strcspn(action + 7, " "), action + 7);
    w->every = strtoull(strstr(action, "every ") + 6, NULL, 10);
    w->offset_ms = 0;
    snprintf(w->age, sizeof w->age, "%s",
             strcmp(w->what, "column") == 0 || strcmp(w->what, "row_at_ts") == 0 ? "" : "now");
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        known |= strcmp(w->what, kinds[k]) == 0;
    if (known)
        timeline_put(tl, from / w->every, (to - from + w->every - 1) / w->every);
    return known;
}

/* False where the words aren't understood. */
static bool perform(struct timeline *tl, struct writing *w, const char *action)
{
    bool known = true;
    struct region *r = tl->model->regions[tl->model->tables[0].regions[0]];

    if (strncmp(action, "put ", 4) == 0)
        known = do_put(tl, w, action);
    else if (strncmp(action, "delete ", 7) == 0)
        known = do_delete(tl, w, action);
    else if (strcmp(action, "flush") == 0)
        model_flush(tl->model, r);
    else if (strncmp(action, "compact", 7) == 0)
        model_compact(tl->model, r, false);
    else if (strncmp(action, "major", 5) == 0)
        model_compact(tl->model, r, true);
    else if (strncmp(action, "waited ", 7) == 0)
        des_run(tl->cal, des_now(tl->cal) + (des_time)strtoull(action + 7, NULL, 10) * DES_S);
    else
        known = false;
    timeline_settle(tl);
    return known;
}

static void file_text(const struct hfile *f, char *out, size_t cap)
{
    const struct key_sample *s = f->part.sample;
    unsigned long long put = 0, family = 0, column = 0, version = 0, rows = 0;

    for (size_t i = f->part.lo; i < f->part.hi; i++) {
        const struct sample_note *n = &s->notes[i];
        size_t len, before_len;
        const uint8_t *key = sample_key(s, i, &len);
        const uint8_t *before = i > f->part.lo ? sample_key(s, i - 1, &before_len) : NULL;

        rows += !before || before_len != len || memcmp(before, key, len) != 0;
        put += n->type == HFILE_TYPE_PUT ? n->cells : 0;
        family += n->type == HFILE_TYPE_DELETE_FAMILY ? n->cells : 0;
        column += n->type == HFILE_TYPE_DELETE_COLUMN ? n->cells : 0;
        version += n->type == HFILE_TYPE_DELETE ? n->cells : 0;
    }
    snprintf(out, cap, "%llu:%llu[put=%llu,delfam=%llu,delcol=%llu,del=%llu,rows=%llu]", (unsigned long long)f->bytes,
             (unsigned long long)f->cells, put, family, column, version, rows);
}

/* Cells that a client sees: all files and the memstore through a compaction that nobody keeps. */
static uint64_t visible(const struct timeline *tl, struct store *st)
{
    struct family_shape shape = *st->shape;
    struct sample_part parts[64];
    struct sample_builder copy;
    struct storefile_job job = {.shape = &shape, .parts = parts, .budget = st->active.sample.budget,
                                .pass = {tl->model->epoch_ms + (uint64_t)(des_now(tl->cal) / DES_MS), true}};
    const struct sample_builder *b = &st->active.sample;
    struct hfile *f;
    uint64_t n = 0;

    shape.retention.keep_deleted_cells = false;
    sample_builder_init(&copy, b->slot, b->budget);
    for (size_t i = 0; i < b->n; i++)
        if (sample_builder_add(&copy, b->keys + i * b->slot, b->lens[i], &b->notes[i]) != 0)
            abort();
    for (size_t i = 0; i < st->files_len && i < 63; i++)
        parts[job.parts_len++] = st->files[i]->part;
    parts[job.parts_len].sample = sample_sorted(&copy);
    parts[job.parts_len].lo = 0;
    parts[job.parts_len].hi = parts[job.parts_len].sample->n;
    job.parts_len++;
    f = storefile_write(&job);
    if (f)
        n = f->cells;
    hfile_free(f);
    sample_unref(parts[job.parts_len - 1].sample);
    sample_builder_free(&copy);
    return n;
}

static void check_step(const struct truth_table *t, size_t row, const struct timeline *tl, struct truth_report *r)
{
    const struct region *g = tl->model->regions[tl->model->tables[0].regions[0]];
    struct store *st = &g->stores[0];
    char text[TIMELINE_TEXT] = "-", one[200];
    size_t k = 0;

    for (size_t i = 0; i < st->files_len && k < sizeof text; i++) {
        file_text(st->files[i], one, sizeof one);
        k += (size_t)snprintf(text + k, sizeof text - k, "%s%s", i > 0 ? " " : "", one);
    }
    truth_check(r, "mem_data_bytes", (double)truth_number(t, row, "mem_data_bytes"), (double)store_data_bytes(st), 0);
    truth_check(r, "mem_heap_bytes", (double)truth_number(t, row, "mem_heap_bytes"), (double)store_heap_bytes(st), 0);
    truth_check(r, "files", (double)truth_number(t, row, "files"), (double)st->files_len, 0);
    truth_check(r, "store_bytes", (double)truth_number(t, row, "store_bytes"), (double)store_bytes(st), 0);
    truth_check_text(r, truth_cell(t, row, "action"), truth_cell(t, row, "file_list"), text);
    truth_check(r, "visible_cells", (double)truth_number(t, row, "visible_cells"), (double)visible(tl, st), 0);
}

static uint64_t number_in(const char *text, const char *name, uint64_t otherwise)
{
    const char *at = strstr(text, name);

    return at ? strtoull(at + strlen(name), NULL, 10) : otherwise;
}

static void set_family(const char *said, struct model *m)
{
    struct table *t = &m->tables[0];
    struct retention_config *c = &t->families[0].retention;
    const uint64_t ttl_s = number_in(said, ": TTL ", 0);
    const char *versions = strstr(said, " VERSIONS ");

    m->epoch_ms = BASE + UINT64_C(10000000000);
    c->max_versions = versions ? (uint32_t)strtoul(versions + 10, NULL, 10) : 1;
    c->min_versions = (uint32_t)number_in(said, "MIN_VERSIONS ", 0);
    c->keep_deleted_cells = strstr(said, "KEEP_DELETED_CELLS=TRUE") != NULL;
    if (ttl_s > 0)
        c->ttl_ms = ttl_s * 1000;
    t->compaction.max_bytes = number_in(said, "compaction.max.size (family value ", t->compaction.max_bytes);
}

static const char *said_of(const struct truth_table *t, const char *name)
{
    for (size_t i = 0; i < t->comments; i++) {
        const char *c = t->comment[i];
        const size_t n = strlen(name);

        if (strncmp(c, "# case ", 7) == 0 && strncmp(c + 7, name, n) == 0 && c[7 + n] == ':')
            return c + 7 + n;
    }
    return NULL;
}

static size_t run_case(const struct truth_table *t, size_t row, const struct timeline_settings *s,
                       struct truth_report *r)
{
    const char *name = t->row[row][0], *said = said_of(t, name);
    struct timeline tl;
    struct writing w = {.s = s, .tl = &tl, .every = 1};
    const struct key_source source = {.key = key_of, .context = &w, .cells = cells_of};
    const size_t begin = row;
    char steps[64];

    truth_case(r, name);
    if (!said || strstr(said, "KEEP_DELETED_CELLS=TTL") || timeline_open(&tl, s, &source) != 0) {
        timeline_refuse(r, "case", "no line describes it");
        while (row < t->rows && strcmp(t->row[row][0], name) == 0)
            row++;
        return row;
    }
    set_family(said, tl.model);
    for (; row < t->rows && strcmp(t->row[row][0], name) == 0; row++) {
        if (!perform(&tl, &w, truth_cell(t, row, "action")))
            truth_check_text(r, "action", "understood", truth_cell(t, row, "action"));
        check_step(t, row, &tl, r);
    }
    truth_check(r, "model errors", 0, tl.model->error, 0);
    snprintf(steps, sizeof steps, "%zu steps", row - begin);
    truth_case_end(r, "memstore, files by cell type, visible cells", steps, steps, "exact");
    timeline_close(&tl);
    return row;
}

void truth_expiry(const char *base, const char *name, struct truth_report *r)
{
    struct truth_table t;
    struct timeline_settings s;
    char path[8300];

    (void)name;
    snprintf(path, sizeof path, "%s.tsv", base);
    if (truth_table_read(path, &t) != 0)
        return;
    memset(&s, 0, sizeof s);
    snprintf(s.stream_name, sizeof s.stream_name, "TIME");
    s.stream = (struct truth_stream){s.stream_name, 1, truth_comment_number(&t, "D", 1000),
                                     truth_comment_number(&t, "step_ms", 10), 0};
    snprintf(s.qualifier, sizeof s.qualifier, "v");
    snprintf(s.family[0].name, sizeof s.family[0].name, "d");
    snprintf(s.table, sizeof s.table, "t");
    snprintf(s.policy, sizeof s.policy, "SteppingSplitPolicy");
    s.family[0].value_bytes = (uint32_t)timeline_number(&t, "values of ", 100);
    s.family[0].every = 1;
    s.families = 1;
    s.servers = 1;
    s.site_flush_bytes = s.flush_bytes = UINT64_C(128) << 20;
    s.max_file_bytes = UINT64_C(10) << 30;
    s.flush = (struct flush_policy_config){FLUSH_ALL_LARGE_STORES, s.flush_bytes, 0, UINT64_C(16) << 20};
    s.archive = true;
    s.first_server = -1;
    for (size_t row = 0; row < t.rows;)
        row = run_case(&t, row, &s, r);
    truth_table_free(&t);
}
