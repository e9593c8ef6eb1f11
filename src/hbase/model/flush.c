/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MemStoreFlusher: requests wait in a queue, a few threads write the snapshots, and after a flush
   follows a split or a compaction, never both. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/model/act.h"
#include "hbase/rules/memstore.h"

/* In a brief run a postponed flush is looked at so many times more rarely: every 4.5 s. */
#define BRIEF_RECHECK 5

struct flush_job {
    struct model *m;
    struct region *r;
    int server;
    struct hfile *file[SPEC_FAMILIES_MAX];
    enum flush_why why;
    struct periodic_call periodic;
    struct log_call log_call;
    uint64_t region_heap_bytes; /* of all stores as it began: what the size is compared with */
    uint64_t server_heap_bytes; /* of all regions, where the global limit asked; 0 */
    struct flush_job *next;
};

uint32_t region_most_files(const struct region *r, const struct table *t)
{
    size_t most = 0;

    for (size_t f = 0; f < t->families_len; f++)
        most = r->stores[f].files_len > most ? r->stores[f].files_len : most;
    return (uint32_t)most;
}

static void queue_region(struct model *m, struct server *s, int region)
{
    if (s->flush_queue_len == s->flush_queue_cap) {
        size_t cap = s->flush_queue_cap ? s->flush_queue_cap * 2 : 16;
        int *queue = realloc(s->flush_queue, cap * sizeof *queue);

        if (!queue) {
            model_fail(m, MODEL_NO_MEMORY);
            return;
        }
        s->flush_queue = queue;
        s->flush_queue_cap = cap;
    }
    s->flush_queue[s->flush_queue_len++] = region;
}

static bool region_has_no_edits(const struct model *m, const struct region *r)
{
    uint64_t cells = 0;

    for (size_t f = 0; f < m->tables[r->table].families_len; f++)
        cells += r->stores[f].active.cells;
    return cells == 0;
}

static void request_flush(struct model *m, struct region *r, enum flush_why why)
{
    struct server *s = &m->servers[r->server];

    if (r->flush_requested)
        return;
    r->flush_requested = true;
    r->flush_asked = des_now(m->cal);
    r->flush_postponed = false;
    r->flush_why = why;
    r->flush_delayed = DES_NEVER; /* MemStoreFlusher.requestFlush puts this one in its place */
    queue_region(m, s, r->id);
    server_try_flush(m, s);
}

void region_request_flush(struct model *m, struct region *r)
{
    request_flush(m, r, FLUSH_ASKED);
}

void region_request_log_flush(struct model *m, struct region *r, struct log_call call)
{
    if (!r->flush_requested)
        r->log_call = call;
    request_flush(m, r, FLUSH_FOR_LOG);
}

/* A file and the heap that it came from; |job| NULL: its region closes. */
struct flushed {
    const struct hfile *file;
    uint64_t heap_bytes;
    const struct flush_job *job;
};

static enum flush_why why_flushed(const struct flushed *f)
{
    return f->job ? f->job->why : FLUSH_CLOSING;
}

static const char *flush_rule(const struct flushed *f)
{
    switch (why_flushed(f)) {
    case FLUSH_ASKED: return "hbase.hregion.memstore.flush.size";
    case FLUSH_PERIODIC:
        return f->job->periodic.oldest_edit_s > 0 ? "hbase.regionserver.optionalcacheflushinterval"
                                                  : "hbase.regionserver.flush.per.changes";
    case FLUSH_FOR_LOG: return "hbase.regionserver.maxlogs";
    case FLUSH_FOR_PRESSURE: return "hbase.regionserver.global.memstore.size";
    case FLUSH_BY_HAND: return "asked for";
    case FLUSH_CLOSING: break;
    }
    return "region closes";
}

/* Why, and the beginning of the event's text. */
static void log_periodic(const struct model *m, struct result_event *e, const struct periodic_call *p, char *text,
                         size_t cap)
{
    if (p->oldest_edit_s > 0) {
        e->threshold = (double)m->spec->hbase.flush_interval_ns / 1e9;
        model_log_input(e, "oldest_edit_s", p->oldest_edit_s);
        snprintf(text, cap, "its oldest edit was %.0f s old, and a random delay of %.0f s has passed: ", p->oldest_edit_s,
                 p->delay_s);
    } else {
        e->threshold = m->spec->hbase.flush_per_changes;
        snprintf(text, cap, "%.0f edits since its last flush, and a random delay of %.0f s has passed: ", p->edits,
                 p->delay_s);
    }
    model_log_input(e, "edits", p->edits);
    model_log_input(e, "delay_s", p->delay_s);
}

static void log_forced(struct result_event *e, const struct log_call *call, char *text, size_t cap)
{
    e->threshold = call->most;
    model_log_input(e, "log_files", call->files);
    snprintf(text, cap, "%.0f log files were kept, more than %.0f: ", call->files, call->most);
}

/* The inputs of the rule that asked for it; |text|: the beginning of the event's. */
static void log_cause(struct result_event *e, const struct flush_job *job, char *text, size_t cap)
{
    const struct model *m = job->m;

    switch (job->why) {
    case FLUSH_ASKED:
        e->threshold = (double)m->tables[job->r->table].flush_bytes;
        model_log_input(e, "region_heap_bytes", (double)job->region_heap_bytes);
        break;
    case FLUSH_PERIODIC: log_periodic(m, e, &job->periodic, text, cap); break;
    case FLUSH_FOR_LOG: log_forced(e, &job->log_call, text, cap); break;
    case FLUSH_FOR_PRESSURE:
        e->threshold = (double)m->pressure.low_mark_bytes;
        model_log_input(e, "server_heap_bytes", (double)job->server_heap_bytes);
        break;
    case FLUSH_BY_HAND:
    case FLUSH_CLOSING: break;
    }
}

static void log_flush(struct model *m, const struct region *r, const struct flushed *f)
{
    struct result_event *e = model_log(m, "flush", r, flush_rule(f));
    char why[160] = "";

    if (!e)
        return;
    model_log_input(e, "heap_bytes", (double)f->heap_bytes);
    model_log_input(e, "file_bytes", (double)f->file->bytes);
    model_log_input(e, "cells", (double)f->file->cells);
    if (f->job)
        log_cause(e, f->job, why, sizeof why);
    model_log_text(e, "%sflushed %.1f MiB of heap into a file of %.1f MiB", why, (double)f->heap_bytes / 1048576.0,
                   (double)f->file->bytes / 1048576.0);
}

/* SequenceIdAccounting.startCacheFlush: the edits of the families that aren't taken stay what holds the log. */
static void note_log(const struct table *t, struct region *r, const bool *take)
{
    r->wal_from = r->wal_snapshot_from = UINT64_MAX;
    for (size_t f = 0; f < t->families_len; f++) {
        struct store *st = &r->stores[f];

        if (take[f]) {
            st->wal_snapshot_from = st->wal_from;
            st->wal_from = UINT64_MAX;
        }
        r->wal_from = st->wal_from < r->wal_from ? st->wal_from : r->wal_from;
        r->wal_snapshot_from = st->wal_snapshot_from < r->wal_snapshot_from ? st->wal_snapshot_from : r->wal_snapshot_from;
    }
}

/* Takes the snapshots of the chosen stores and computes their files; bytes to write, or -1. */
static double take_snapshots(struct model *m, struct region *r, const bool *take, struct hfile **file)
{
    struct table *t = &m->tables[r->table];
    const uint64_t seqid = r->next_seqid;
    double bytes = 0;

    r->next_seqid += 3;
    note_log(t, r, take);
    r->snapshot_taken = des_now(m->cal);
    for (size_t f = 0; f < t->families_len; f++) {
        file[f] = NULL;
        if (!take[f] || !store_snapshot(&r->stores[f]))
            continue;
        file[f] = store_write_snapshot(&r->stores[f], seqid, model_now_ms(m), des_now(m->cal));
        if (!file[f]) {
            model_fail(m, MODEL_NO_MEMORY);
            return -1;
        }
        bytes += (double)file[f]->bytes;
    }
    return bytes;
}

static void commit(struct model *m, struct region *r, struct hfile **file, const struct flush_job *job)
{
    struct table *t = &m->tables[r->table];
    struct server *s = &m->servers[r->server];

    const uint64_t before = region_heap_bytes(r, t);

    for (size_t f = 0; f < t->families_len; f++) {
        if (!file[f])
            continue;
        log_flush(m, r, &(struct flushed){file[f], r->stores[f].snapshot.heap_bytes, job});
        s->disk_bytes += (double)file[f]->bytes;
        if (store_commit(&r->stores[f], file[f]) != 0) {
            hfile_free(file[f]);
            model_fail(m, MODEL_NO_MEMORY);
            continue;
        }
        r->flushed_seqid = (int64_t)file[f]->max_seqid;
        model_observe(m, &(struct model_observation){.what = OBSERVED_FLUSH, .region = r, .family = f,
                                                     .file = file[f]});
    }
    pressure_lowered(s, r, before - region_heap_bytes(r, t));
    region_files_changed(r);
    r->wal_snapshot_from = UINT64_MAX;
    for (size_t f = 0; f < t->families_len; f++)
        r->stores[f].wal_snapshot_from = UINT64_MAX;
    r->flushes++;
    s->flushes++;
    m->flushes++;
}

static void forget_job(struct model *m, struct flush_job *job)
{
    struct flush_job **at = &m->flushes_running;

    while (*at && *at != job)
        at = &(*at)->next;
    if (*at)
        *at = job->next;
    free(job);
}

void flushes_free(struct model *m)
{
    while (m->flushes_running) {
        for (size_t f = 0; f < SPEC_FAMILIES_MAX; f++)
            hfile_free(m->flushes_running->file[f]);
        forget_job(m, m->flushes_running);
    }
}

/* Whether a store that was flushed needs compaction: then all stores are asked (HRegion.FlushResult). */
static bool flushed_into_crowd(const struct model *m, const struct region *r, struct hfile *const *file)
{
    const struct table *t = &m->tables[r->table];

    for (size_t f = 0; f < t->families_len; f++)
        if (file[f] && store_needs_compaction(t, &r->stores[f]))
            return true;
    return false;
}

static void flush_done(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct flush_job *job = self;
    struct model *m = job->m;
    struct region *r = job->r;
    struct server *s = &m->servers[job->server];
    const bool by_hand = job->why == FLUSH_BY_HAND;
    bool crowded;

    (void)cal;
    (void)arg;
    commit(m, r, job->file, job);
    crowded = flushed_into_crowd(m, r, job->file);
    forget_job(m, job);
    r->flushing = false;
    r->flush_requested = false;
    s->flushers_busy -= !by_hand;
    if (r->state == REGION_CLOSING)
        region_let_go(m, r);
    else if (r->state == REGION_OPEN && r->split_after_flush)
        region_split_flushed(m, r);
    else if (r->state == REGION_OPEN && !by_hand && region_request_split(m, r) == SPLIT_NO && crowded)
        region_request_compaction(m, r, COMPACTION_ASK_ALL);
    pressure_flushed(m, s);
    server_try_flush(m, s);
}

static void start_flush(struct model *m, struct region *r, enum flush_why why)
{
    struct table *t = &m->tables[r->table];
    struct flush_store stores[SPEC_FAMILIES_MAX];
    struct flush_job *job = calloc(1, sizeof *job);
    bool take[SPEC_FAMILIES_MAX];
    double bytes;

    if (!job) {
        model_fail(m, MODEL_NO_MEMORY);
        return;
    }
    for (size_t f = 0; f < t->families_len; f++) {
        stores[f].heap_bytes = store_heap_bytes(&r->stores[f]);
        stores[f].cells = r->stores[f].active.cells;
        stores[f].has_old_edits = periodic_store_is_old(m, &r->stores[f]);
    }
    flush_policy_select(&t->flush, stores, t->families_len, take);
    for (size_t f = 0; f < t->families_len; f++) {
        take[f] |= why == FLUSH_BY_HAND;
        /* HRegion.getSpecificStores: the families that the log named, no others. */
        if (why == FLUSH_FOR_LOG)
            take[f] = r->log_call.families >> f & 1;
    }
    job->why = why;
    job->periodic = r->periodic;
    job->log_call = r->log_call;
    job->server_heap_bytes = why == FLUSH_FOR_PRESSURE ? server_heap_bytes(m, &m->servers[r->server]) : 0;
    if (why != FLUSH_BY_HAND)
        r->flush_delayed = DES_NEVER;
    job->region_heap_bytes = region_heap_bytes(r, t);
    job->m = m;
    job->r = r;
    job->server = r->server;
    model_observe(m, &(struct model_observation){.what = OBSERVED_SNAPSHOT, .region = r});
    bytes = take_snapshots(m, r, take, job->file);
    if (bytes < 0) {
        free(job);
        return;
    }
    periodic_note_left(m, r);
    job->next = m->flushes_running;
    m->flushes_running = job;
    r->flushing = true;
    m->servers[r->server].flushers_busy += why != FLUSH_BY_HAND;
    if (disk_start(&m->servers[r->server].disk, bytes, (double)INFINITY,
                   (struct des_action){.run = flush_done, .self = job}) != 0)
        model_fail(m, MODEL_NO_MEMORY);
}

static void ask_again(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;
    struct region *r = m->regions[arg];

    (void)cal;
    if (!r->flush_requested || r->flushing || r->state != REGION_OPEN)
        return;
    queue_region(m, &m->servers[r->server], r->id);
    server_try_flush(m, &m->servers[r->server]);
}

static void log_postponed(struct model *m, const struct region *r, const struct flush_gate_input *in)
{
    struct result_event *e = model_log(m, "flush postponed", r, "hbase.hstore.blockingStoreFiles");

    if (!e)
        return;
    e->threshold = (double)in->blocking_store_files;
    model_log_input(e, "store_files", (double)in->store_files);
    model_log_input(e, "waited_s", (double)in->waited_us / 1e6);
    model_log_input(e, "blocking_wait_s", (double)in->blocking_wait_us / 1e6);
    model_log_text(e, "a store has %u files: the flush waits for a compaction, at most %.0f s", in->store_files,
                   (double)in->blocking_wait_us / 1e6);
}

/* MemStoreFlusher.flushRegion's gate: too many files make a flush wait. */
static bool may_flush(struct model *m, struct region *r)
{
    const struct spec_hbase *h = &m->spec->hbase;
    const des_time now = des_now(m->cal);
    struct flush_gate_input in = {
        .store_files = region_most_files(r, &m->tables[r->table]),
        .blocking_store_files = (uint32_t)h->blocking_store_files,
        .forced = false,
        .postponed_before = r->flush_postponed,
        .waited_us = (uint64_t)((now - r->flush_asked) / DES_US),
        .blocking_wait_us = (uint64_t)(h->blocking_wait_ns / DES_US),
    };
    const enum flush_gate gate = flush_gate(&in);

    if (gate == FLUSH_NOW)
        return true;
    /* CompactSplit.requestSplit refuses at regionSplitLimit and where files block: then a compaction. */
    if (gate == FLUSH_POSTPONE_FIRST && region_request_split(m, r) != SPLIT_BEGUN)
        region_request_compaction(m, r, COMPACTION_ASK_ALL);
    if (!r->flush_postponed && !(m->brief && r->postponed_once))
        log_postponed(m, r, &in);
    r->flush_postponed = r->postponed_once = true;
    des_after(m->cal, (m->brief ? BRIEF_RECHECK : 1) * (des_time)flush_recheck_us(in.blocking_wait_us) * DES_US,
              (struct des_action){.run = ask_again, .self = m, .arg = (uint64_t)r->id});
    return false;
}

void server_try_flush(struct model *m, struct server *s)
{
    if (s->pressure_wake && s->flushers_busy < m->spec->hbase.flusher_count && m->error == 0) {
        struct region *r = pressure_choose(m, s);

        s->pressure_wake = false;
        if (r)
            start_flush(m, r, FLUSH_FOR_PRESSURE);
    }
    while (s->flush_queue_len > 0 && s->flushers_busy < m->spec->hbase.flusher_count && m->error == 0) {
        struct region *r = m->regions[s->flush_queue[0]];

        s->flush_queue_len--;
        memmove(s->flush_queue, s->flush_queue + 1, s->flush_queue_len * sizeof *s->flush_queue);
        if (r->state != REGION_OPEN || r->server != s->index || r->flushing || !r->flush_requested)
            continue;
        if (may_flush(m, r))
            start_flush(m, r, r->flush_why);
    }
}

void region_flush_delayed(struct model *m, struct region *r)
{
    r->flush_delayed = DES_NEVER;
    if (r->flush_requested || r->flushing)
        return;
    if (region_has_no_edits(m, r)) {
        r->next_seqid++;
        return;
    }
    r->flush_requested = true;
    r->flush_why = FLUSH_PERIODIC;
    r->flush_postponed = false;
    queue_region(m, &m->servers[r->server], r->id);
    server_try_flush(m, &m->servers[r->server]);
}

void region_flush_by_hand(struct model *m, struct region *r, bool split)
{
    r->split_after_flush = split;
    if (r->flushing)
        return;
    if (!region_has_no_edits(m, r)) {
        start_flush(m, r, FLUSH_BY_HAND);
        return;
    }
    r->next_seqid++;
    if (split)
        region_split_flushed(m, r);
}

void region_flush_closing(struct model *m, struct region *r)
{
    bool take[SPEC_FAMILIES_MAX];
    struct hfile *file[SPEC_FAMILIES_MAX];
    uint64_t cells = 0;

    for (size_t f = 0; f < m->tables[r->table].families_len; f++) {
        take[f] = true;
        cells += r->stores[f].active.cells;
    }
    r->flush_requested = false;
    for (size_t f = 0; f < m->tables[r->table].families_len; f++)
        model_observe(m, &(struct model_observation){.what = OBSERVED_CLOSE, .region = r, .family = f});
    if (cells > 0 && take_snapshots(m, r, take, file) >= 0)
        commit(m, r, file, NULL);
}

void server_drop_flushes(struct model *m, struct server *s)
{
    s->flush_queue_len = 0;
    s->flushers_busy = 0;
    for (size_t i = 0; i < m->regions_len; i++)
        if (m->regions[i]->server == s->index)
            m->regions[i]->flush_requested = false;
}

/* The file of a flush that the server's death cut short comes first, as the log would replay it. */
void region_flush_recovered(struct model *m, struct region *r)
{
    struct flush_job *job = m->flushes_running;

    while (job && job->r != r)
        job = job->next;
    if (job) {
        commit(m, r, job->file, job);
        forget_job(m, job);
        r->flushing = false;
    }
    region_flush_closing(m, r);
}
