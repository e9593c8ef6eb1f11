/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A region that has grown too large: asked after a flush or a compaction (CompactSplit.requestSplit),
   carried out by closing it, cutting its files in two and opening both daughters where it was. */
#include <stdlib.h>
#include <string.h>

#include "hbase/balance/assign.h"
#include "hbase/model/act.h"

/* Online regions of the table on the region's server, itself included. */
static uint32_t regions_beside(const struct model *m, const struct region *r)
{
    const struct table *t = &m->tables[r->table];

    return (size_t)r->server < t->open_on_len ? t->open_on[r->server] : 0;
}

/* The region as the policies see it. */
struct split_view {
    struct split_file *files;
    struct split_store stores[SPEC_FAMILIES_MAX];
    uint64_t bytes[SPEC_FAMILIES_MAX];
    size_t most_files;
    bool references;
};

/* Their sizes alone: most often that is enough. */
static void look_at_sizes(const struct model *m, const struct region *r, struct split_view *v)
{
    const struct table *t = &m->tables[r->table];

    memset(v, 0, sizeof *v);
    for (size_t f = 0; f < t->families_len; f++) {
        const struct store *st = &r->stores[f];

        v->bytes[f] = store_bytes(st);
        v->references |= store_has_references(st);
        v->most_files = st->files_len > v->most_files ? st->files_len : v->most_files;
    }
}

/* Their files, behind the sizes. */
static int look_at_files(const struct model *m, const struct region *r, struct split_view *v)
{
    const struct table *t = &m->tables[r->table];
    size_t files = 0, at = 0;

    for (size_t f = 0; f < t->families_len; f++)
        files += r->stores[f].files_len;
    v->files = calloc(files + 1, sizeof *v->files);
    if (!v->files)
        return MODEL_NO_MEMORY;
    for (size_t f = 0; f < t->families_len; f++) {
        const struct store *st = &r->stores[f];

        v->stores[f].files = v->files + at;
        v->stores[f].count = st->files_len;
        for (size_t i = 0; i < st->files_len; i++, at++)
            storefile_view(st->files[i], &v->files[at]);
    }
    return 0;
}

static void log_split(struct model *m, struct region *r, const struct split_verdict *verdict,
                      uint32_t beside)
{
    const struct table *t = &m->tables[r->table];
    const bool by_hand = verdict->threshold_bytes == 0;
    struct result_event *e = model_log(m, "split", r, by_hand ? "by hand" : split_policy_name(t->split.policy));
    char key[256];

    if (!e)
        return;
    r->split_event = e->id;
    saltkey_to_string_binary((struct saltkey_slice){r->split_key.bytes, r->split_key.len}, key, sizeof key);
    if (by_hand) {
        model_log_text(e, "asked for; cut at %s", key);
        return;
    }
    e->threshold = (double)verdict->threshold_bytes;
    model_log_input(e, "store_bytes", (double)verdict->size_bytes);
    model_log_input(e, "regions_of_table_on_server", beside);
    model_log_input(e, "files", (double)r->stores[0].files_len);
    model_log_input(e, "flush_bytes", (double)t->flush_bytes);
    model_log_input(e, "max_file_bytes", (double)r->max_file_bytes);
    if (verdict->busy) {
        model_log_input(e, "blocked_rate", verdict->blocked_rate);
        model_log_text(e, "%.3g refused calls for each row written reach %.3g; cut at %s", verdict->blocked_rate,
                       t->split.busy_blocked_rate, key);
        return;
    }
    model_log_text(e, "store of %.1f MiB exceeds %.1f MiB with %u region%s of the table on its server; cut at %s",
                   (double)verdict->size_bytes / 1048576.0, (double)verdict->threshold_bytes / 1048576.0,
                   beside, beside == 1 ? "" : "s", key);
}

/* Once for each time that the region opened. */
static void log_refused(struct model *m, struct region *r, enum split_refusal why, const struct split_verdict *verdict)
{
    struct result_event *e;

    if (r->refusal_told || (why != SPLIT_POINT_IS_START && why != SPLIT_POINT_ROW_AT_EDGE))
        return;
    r->refusal_told = true;
    e = model_log(m, "split refused", r, split_policy_name(m->tables[r->table].split.policy));
    if (!e)
        return;
    e->threshold = (double)verdict->threshold_bytes;
    model_log_input(e, "store_bytes", (double)verdict->size_bytes);
    model_log_text(e, why == SPLIT_POINT_IS_START
                       ? "the split key is cut to the region's start key: neither split nor compaction follows, its "
                         "files pile up"
                       : "the middle key's row is the first or last row of its file: a row is never split, the region "
                         "grows on");
}

static enum split_answer begin(struct model *m, struct region *r, const struct split_point *point,
                               const struct split_verdict *verdict, uint32_t beside)
{
    r->split_key.bytes = malloc(point->row_bytes);
    if (!r->split_key.bytes) {
        model_fail(m, MODEL_NO_MEMORY);
        return SPLIT_NO;
    }
    memcpy(r->split_key.bytes, point->row, point->row_bytes);
    r->split_key.len = point->row_bytes;
    log_split(m, r, verdict, beside);
    region_prepare_split(m, r);
    return SPLIT_BEGUN;
}

enum split_answer region_request_split(struct model *m, struct region *r)
{
    const struct table *t = &m->tables[r->table];
    const struct spec_hbase *h = &m->spec->hbase;
    const uint32_t beside = regions_beside(m, r);
    const struct split_bounds bounds = {r->start.bytes, r->end.bytes, r->start.len, r->end.len};
    struct split_policy_config c = t->split;
    struct split_view v;
    struct split_verdict verdict;
    struct split_point point;
    enum split_answer answer = SPLIT_NO;
    enum split_refusal refusal;

    if (r->state != REGION_OPEN || r->trip != TRIP_NONE)
        return SPLIT_NO;
    look_at_sizes(m, r, &v);
    c.max_file_bytes = r->max_file_bytes;
    verdict = split_should_split(&c, &(struct split_input){.store_bytes = v.bytes,
                                                           .stores = t->families_len,
                                                           .regions_on_server = beside,
                                                           .has_references = v.references,
                                                           .now_us = (uint64_t)(des_now(m->cal) / DES_US),
                                                           .open_us = (uint64_t)(r->opened / DES_US),
                                                           .blocked_requests = r->blocked_requests,
                                                           .write_requests = r->requests,
                                                           .busy = &r->busy});
    if (!verdict.split || look_at_files(m, r, &v) != 0)
        goto out;
    refusal = split_region_point(&c, v.stores, t->families_len, &bounds, &point);
    if (refusal == SPLIT_POINT_IS_START)
        answer = SPLIT_STUCK;
    if (refusal != SPLIT_POINT_FOUND) {
        log_refused(m, r, refusal, &verdict);
        goto out;
    }
    answer = SPLIT_STUCK;
    if (!split_request_passes((uint32_t)m->servers[r->server].regions, (uint32_t)h->region_split_limit,
                              (uint32_t)v.most_files, (uint32_t)h->blocking_store_files))
        goto out;
    answer = begin(m, r, &point, &verdict, beside);
out:
    free(v.files);
    return answer;
}

bool region_has_references(const struct model *m, const struct region *r)
{
    for (size_t f = 0; r->table >= 0 && r->state != REGION_DEAD && f < m->tables[r->table].families_len; f++)
        if (store_has_references(&r->stores[f]))
            return true;
    return false;
}

/* HRegion.checkSplit(force): the key that the files say, without a look at their size. */
static enum split_refusal point_by_hand(struct model *m, struct region *r, struct saltkey_slice key)
{
    const struct table *t = &m->tables[r->table];
    const struct split_bounds bounds = {r->start.bytes, r->end.bytes, r->start.len, r->end.len};
    const struct split_verdict verdict = {.split = true};
    struct split_view v;
    struct split_point point = {.row = key.bytes, .row_bytes = key.len};
    enum split_refusal why = SPLIT_POINT_FOUND;

    look_at_sizes(m, r, &v);
    if (look_at_files(m, r, &v) != 0)
        return SPLIT_POINT_NO_FILE;
    if (!split_can_split(&t->split, v.references))
        why = v.references ? SPLIT_POINT_REFERENCE : SPLIT_POINT_DISABLED;
    else if (key.len > 0)
        why = split_point_by_hand(&t->split, &bounds, &point);
    else
        why = split_region_point(&t->split, v.stores, t->families_len, &bounds, &point);
    if (why == SPLIT_POINT_FOUND)
        begin(m, r, &point, &verdict, regions_beside(m, r));
    free(v.files);
    return why;
}

/* RSRpcServices.getRegionInfo: without a key it flushes what there is and asks once more; a refusal is then told behind
   the flush (region_split_flushed). */
enum split_refusal region_split_by_hand(struct model *m, struct region *r, struct saltkey_slice key)
{
    const enum split_refusal why = point_by_hand(m, r, key);
    uint64_t cells = 0;

    if (why == SPLIT_POINT_FOUND || key.len > 0)
        return why;
    for (size_t f = 0; f < m->tables[r->table].families_len; f++)
        cells += r->stores[f].active.cells;
    region_flush_by_hand(m, r, cells > 0);
    return cells > 0 ? SPLIT_POINT_FOUND : why;
}

void region_split_flushed(struct model *m, struct region *r)
{
    enum split_refusal why = SPLIT_POINT_DISABLED;

    r->split_after_flush = false;
    if (r->trip == TRIP_NONE)
        why = point_by_hand(m, r, (struct saltkey_slice){NULL, 0});
    if (why != SPLIT_POINT_FOUND)
        region_split_refused(m, r, why);
}

/* Gives a daughter its part of each of the parent's files. */
static int take_files(struct model *m, const struct region *parent, struct region *d, bool upper)
{
    struct table *t = &m->tables[parent->table];
    const struct split_cut cut = {parent->split_key.bytes, parent->split_key.len,
                                  t->families[0].table_name_bytes};

    for (size_t f = 0; f < t->families_len; f++) {
        for (size_t i = 0; i < parent->stores[f].files_len; i++) {
            bool failed = false;
            struct hfile *file = storefile_daughter(parent->stores[f].files[i], &cut, upper, &failed);

            if (failed || (file && store_append(&d->stores[f], file) != 0))
                return MODEL_NO_MEMORY;
        }
    }
    return 0;
}

static uint64_t draw(void *state)
{
    return des_u64(state);
}

void region_split_done(struct model *m, struct region *r)
{
    struct table *t = &m->tables[r->table];
    struct server *s = &m->servers[r->server];
    const struct saltkey_slice start = {r->start.bytes, r->start.len}, end = {r->end.bytes, r->end.len};
    const struct saltkey_slice cut = {r->split_key.bytes, r->split_key.len};
    const struct assign_servers targets = {m->targets, (uint32_t)m->targets_len, NULL};
    const struct balance_draw draws = {draw, &m->streams.placement};
    uint32_t on[2];
    int rc = assign_split_daughters(&targets, &draws, (uint32_t)r->server,
                                    m->spec->hbase.balance.separate_daughters, on);

    for (int k = 0; k < 2 && rc == 0; k++) {
        struct region *d = model_add_region(m, r->table, (int)on[k]);

        if (!d) {
            rc = MODEL_NO_MEMORY;
            break;
        }
        d->parent = r->id;
        d->next_seqid = r->next_seqid + 3;
        r->daughters[k] = d->id;
        rc = region_set_bounds(d, t, k == 0 ? start : cut, k == 0 ? cut : end);
        if (rc == 0)
            rc = take_files(m, r, d, k == 1);
    }
    if (rc == 0)
        rc = table_replace(m, t, r->id, r->daughters);
    if (rc != 0) {
        model_fail(m, rc);
        return;
    }
    if (r->split_event >= 0) {
        m->log->events[r->split_event].daughter_a = r->daughters[0];
        m->log->events[r->split_event].daughter_b = r->daughters[1];
    }
    region_bury(m, r);
    s->regions--;
    for (int k = 0; k < 2; k++)
        m->servers[on[k]].regions++;
    s->splits++;
    m->splits++;
    for (int k = 0; k < 2; k++)
        region_opened(m, m->regions[r->daughters[k]]);
}
