/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded global memstore pressure on one server: at which row each flush comes, and of which region.
   Exact are the rows to one batch and the number of flushes with one flusher thread; which region it is
   among those within a batch of each other is not, and a second flusher may take one more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/model/act.h"
#include "hbase/rules/memstore.h"
#include "truth_timelines.h"

enum { MOST = 512 };

struct flush {
    uint64_t step;
    char region[8];
    double heap, files;
};

struct watch {
    struct timeline *tl;
    struct flush flush[MOST];
    size_t n;
};

static void observe(void *context, const struct model_observation *o)
{
    struct watch *w = context;
    struct flush *f = &w->flush[w->n];
    const struct table *t = &w->tl->model->tables[0];

    if (o->what != OBSERVED_SNAPSHOT || w->n == MOST)
        return;
    f->step = w->tl->step;
    timeline_key(&o->region->start, f->region, sizeof f->region);
    f->heap = (double)region_heap_bytes(o->region, t);
    f->files = region_most_files(o->region, t);
    w->n++;
}

static double number_behind(const struct truth_table *t, const char *name)
{
    char word[64];

    timeline_word(t, name, word, sizeof word);
    return strtod(word, NULL);
}

static void read_settings(const struct truth_table *t, struct timeline_settings *s)
{
    memset(s, 0, sizeof *s);
    timeline_word(t, "stream=", s->stream_name, sizeof s->stream_name);
    s->stream = (struct truth_stream){s->stream_name, (uint32_t)truth_comment_number(t, "N", 1),
                                      truth_comment_number(t, "D", 1), truth_comment_number(t, "step_ms", 1),
                                      truth_comment_number(t, "H", 0)};
    snprintf(s->qualifier, sizeof s->qualifier, "v");
    snprintf(s->policy, sizeof s->policy, "SteppingSplitPolicy");
    snprintf(s->table, sizeof s->table, "t");
    snprintf(s->family[0].name, sizeof s->family[0].name, "d");
    s->family[0].value_bytes = (uint32_t)truth_comment_number(t, "value_bytes", 0);
    s->family[0].every = 1;
    s->families = s->servers = 1;
    s->split_buckets = timeline_number(t, "table of ", 1);
    s->site_flush_bytes = s->flush_bytes = timeline_number(t, "flush size ", 128) << 20;
    s->max_file_bytes = UINT64_C(10) << 30;
    s->flush = (struct flush_policy_config){FLUSH_ALL_LARGE_STORES, s->flush_bytes, 0, UINT64_C(16) << 20};
    s->archive = true;
    s->first_server = -1;
    s->sample_keys = 1024;
}

/* What the model learns of the server beside the table; |tl|'s spec is its own. */
static void set_server(const struct truth_table *t, struct timeline *tl)
{
    struct model *m = tl->model;
    struct spec_hbase *h = &tl->spec.hbase;
    const double heap = number_behind(t, "max heap "), size = number_behind(t, "global.memstore.size ");
    const uint64_t base = timeline_number(t, "before the first put ", 0);
    const size_t small = (size_t)timeline_number(t, "region 00 starts with ", 0);
    struct store *st = &m->regions[m->tables[0].regions[0]]->stores[0];

    tl->spec.cluster.heap_bytes = (int64_t)heap;
    h->global_memstore_size = size;
    h->blocking_store_files = (int)timeline_number(t, "blockingStoreFiles=", 16);
    h->flusher_count = (int)timeline_number(t, "hbase.hstore.flusher.count=", 2);
    m->tables[0].compaction.min_files = (uint32_t)timeline_number(t, "compaction.min=", 3);
    m->tables[0].compaction.blocking_store_files = (uint32_t)h->blocking_store_files;
    m->pressure = memstore_pressure_limits((uint64_t)heap, size, h->global_memstore_lower);
    m->servers[0].other_heap_bytes = base - m->tables[0].regions_len * MEMSTORE_EMPTY_HEAP_BYTES;
    m->servers[0].heap_bound_bytes = base;
    for (size_t i = 0; i < small; i++) {
        struct hfile *f = calloc(1, sizeof *f);

        if (!f || store_append(st, f) != 0)
            abort();
        f->bytes = 5000;
        f->name_bytes = HFILE_NAME_BYTES;
    }
}

static size_t read_flushes(const struct truth_table *t, struct flush *list, uint64_t *last)
{
    size_t n = 0;

    for (size_t i = 0; i < t->rows; i++) {
        *last = truth_number(t, i, "rows");
        if (strcmp(t->row[i][1], "FLUSH") != 0 || n == MOST)
            continue;
        list[n].step = *last;
        snprintf(list[n].region, sizeof list[n].region, "%s", t->row[i][2]);
        list[n].heap = (double)truth_number(t, i, "region_heap_at_flush");
        list[n++].files = (double)truth_number(t, i, "region_files_at_flush");
    }
    return n;
}

/* Flushes of one crossing are one: those of the same or the next batch. */
static size_t crossings(const struct flush *list, size_t n, uint64_t batch, uint64_t *step)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        if (k == 0 || list[i].step > list[i - 1].step + batch)
            step[k++] = list[i].step;
    return k;
}

static void judge(const struct flush *real, size_t n, const struct watch *w, uint64_t batch, bool one_flusher,
                  struct truth_report *r)
{
    uint64_t a[MOST], b[MOST];
    const size_t ka = crossings(real, n, batch, a), kb = crossings(w->flush, w->n, batch, b);
    size_t same = 0;
    char text[64], ours[64];

    if (one_flusher)
        truth_check(r, "flushes", (double)n, (double)w->n, 0);
    truth_check(r, "crossings", (double)ka, (double)kb, 0);
    for (size_t i = 0; i < ka && i < kb; i++)
        truth_check(r, "rows at a crossing", (double)a[i], (double)b[i], (double)batch);
    for (size_t i = 0; i < n && i < w->n; i++)
        same += strcmp(real[i].region, w->flush[i].region) == 0;
    snprintf(text, sizeof text, "%zu flushes, %zu crossings", n, ka);
    snprintf(ours, sizeof ours, "%zu flushes, %zu crossings, %zu of the same region", w->n, kb, same);
    truth_case_end(r, "rows of each flush for global pressure", text, ours, "one batch");
}

void truth_pressure(const char *base, const char *name, struct truth_report *r)
{
    static struct watch w;
    static struct flush real[MOST];
    struct truth_table t;
    struct timeline_settings s;
    struct timeline tl;
    struct key_source source;
    char path[8300];
    uint64_t last = 0, batch;
    size_t n;

    truth_case(r, name);
    snprintf(path, sizeof path, "%s.tsv", base);
    if (truth_table_read(path, &t) != 0) {
        timeline_refuse(r, "table", path);
        return;
    }
    read_settings(&t, &s);
    batch = timeline_number(&t, "Table.put(List) of ", 500);
    n = read_flushes(&t, real, &last);
    source = timeline_source(&s);
    memset(&w, 0, sizeof w);
    w.tl = &tl;
    if (timeline_open(&tl, &s, &source) == 0) {
        set_server(&t, &tl);
        tl.model->observer = (struct model_observer){observe, &w};
        for (uint64_t sent = 0; sent < last && tl.model->error == 0; sent += batch) {
            tl.step = sent + batch;
            timeline_put(&tl, sent, batch);
        }
        truth_check(r, "model errors", 0, tl.model->error, 0);
    } else {
        truth_check_text(r, "model", "begins", "does not");
    }
    judge(real, n, &w, batch, tl.spec.hbase.flusher_count == 1, r);
    timeline_close(&tl);
    truth_table_free(&t);
}
