/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CompactSplit's compactions: a queue a server, one small and one large thread. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/model/act.h"

struct compaction_job {
    struct model *m;
    struct region *r;
    int server;
    size_t family;
    struct hfile *first;      /* finds the files again: others may have joined behind them */
    size_t count;
    struct hfile *out;
    double in_bytes;
    bool large;
    bool references, all_files, major;
    int32_t priority;
    bool aborted;
    bool user, force_major;
    size_t at;                /* of |first| when it was chosen */
    double oldest_age_s;      /* of the store's files then */
    char *seen;               /* the files as the policy saw them; result_event.files. NULL = not logged */
    struct compaction_job *next;
};

static void try_compact(struct model *m, struct server *s);

static size_t files_compacting(const struct store *st)
{
    size_t n = 0;

    for (size_t i = 0; i < st->files_len; i++)
        n += st->files[i]->compacting;
    return n;
}

static bool has_live_references(const struct store *st)
{
    for (size_t i = 0; i < st->files_len; i++)
        if (st->files[i]->reference)
            return true;
    return false;
}

bool store_needs_compaction(const struct table *t, const struct store *st)
{
    return compaction_needed(&t->compaction, st->files_len, files_compacting(st));
}

static bool asks_for(const struct table *t, const struct store *st, enum compaction_ask ask)
{
    switch (ask) {
    case COMPACTION_ASK_NEEDED: return store_needs_compaction(t, st);
    case COMPACTION_ASK_OPENING: return store_needs_compaction(t, st) || has_live_references(st);
    default: return true;
    }
}

static bool is_queued(const struct server *s, const struct compaction_entry *e)
{
    for (size_t i = 0; i < s->compaction_queue_len; i++) {
        const struct compaction_entry *q = &s->compaction_queue[i];

        if (q->region == e->region && q->family == e->family && q->user == e->user && q->major == e->major)
            return true;
    }
    return false;
}

void region_request_compaction(struct model *m, struct region *r, enum compaction_ask ask)
{
    struct table *t = &m->tables[r->table];
    struct server *s = &m->servers[r->server];

    for (size_t f = 0; f < t->families_len && !m->compactions_off; f++) {
        const struct store *st = &r->stores[f];
        const struct compaction_entry entry = {r->id, (uint32_t)f, ask == COMPACTION_ASK_USER || ask == COMPACTION_ASK_MAJOR,
                                               ask == COMPACTION_ASK_MAJOR};

        if (!asks_for(t, st, ask) || is_queued(s, &entry))
            continue;
        if (s->compaction_queue_len == s->compaction_queue_cap) {
            size_t cap = s->compaction_queue_cap ? s->compaction_queue_cap * 2 : 16;
            struct compaction_entry *queue = realloc(s->compaction_queue, cap * sizeof *queue);

            if (!queue) {
                model_fail(m, MODEL_NO_MEMORY);
                return;
            }
            s->compaction_queue = queue;
            s->compaction_queue_cap = cap;
        }
        s->compaction_queue[s->compaction_queue_len++] = entry;
    }
    try_compact(m, s);
}

void region_abort_compactions(struct model *m, struct region *r)
{
    for (struct compaction_job *job = m->compactions_running; job; job = job->next)
        if (job->r == r)
            job->aborted = true;
    for (size_t f = 0; f < m->tables[r->table].families_len; f++)
        for (size_t i = 0; i < r->stores[f].files_len; i++)
            r->stores[f].files[i]->compacting = false;
}

void server_drop_compactions(struct model *m, struct server *s)
{
    struct compaction_job **at = &m->compactions_running;

    while (*at) {
        struct compaction_job *job = *at;

        if (job->server != s->index) {
            at = &job->next;
            continue;
        }
        if (!job->aborted)
            region_abort_compactions(m, job->r);
        *at = job->next;
        hfile_free(job->out);
        free(job->seen);
        free(job);
    }
    s->compaction_queue_len = 0;
    s->small_busy = s->large_busy = false;
}

static void log_compaction(struct model *m, struct compaction_job *job, size_t left)
{
    const struct compaction_config *c = &m->tables[job->r->table].compaction;
    struct result_event *e = model_log(m, "compaction", job->r,
                                       job->references ? "references first" : "ExploringCompactionPolicy");

    if (!e)
        return;
    model_log_input(e, "files", (double)job->count);
    model_log_input(e, "in_bytes", job->in_bytes);
    model_log_input(e, "out_bytes", (double)job->out->bytes);
    model_log_input(e, "files_left", (double)left);
    model_log_input(e, "first", (double)job->at);
    model_log_input(e, "max_files", c->max_files);
    model_log_input(e, "min_bytes", (double)c->min_bytes);
    if (c->max_bytes < INT64_MAX) /* HBase's default is no limit */
        model_log_input(e, "max_bytes", (double)c->max_bytes);
    model_log_input(e, "ratio", c->ratio);
    model_log_input(e, "blocking_store_files", c->blocking_store_files);
    model_log_input(e, "user", job->user);
    model_log_input(e, "force_major", job->force_major);
    model_log_input(e, "oldest_age_s", job->oldest_age_s);
    e->threshold = (double)c->min_files;
    e->files = job->seen;
    job->seen = NULL;
    model_log_text(e, "compacted %zu files into one of %.1f MiB", job->count,
                   (double)job->out->bytes / 1048576.0);
}

bool region_is_empty(const struct model *m, const struct region *r)
{
    for (size_t f = 0; f < m->tables[r->table].families_len; f++) {
        const struct store *st = &r->stores[f];

        if (st->active.cells > 0 || st->has_snapshot)
            return false;
        for (size_t i = 0; i < st->files_len; i++)
            if (st->files[i]->cells > 0)
                return false;
    }
    return true;
}

/* What a region had has expired: it stays, empty, until somebody merges it. */
static void log_emptied(struct model *m, struct region *r)
{
    struct result_event *e;

    if (!region_is_empty(m, r) || r->expired)
        return;
    r->expired = true;
    e = model_log(m, "emptied", r, "TTL");
    if (e)
        model_log_text(e, "all its cells have expired; the region stays, empty");
}

static void forget_job(struct model *m, struct compaction_job *job)
{
    struct compaction_job **at = &m->compactions_running;

    while (*at && *at != job)
        at = &(*at)->next;
    if (*at)
        *at = job->next;
    free(job->seen);
    free(job);
}

void compactions_free(struct model *m)
{
    while (m->compactions_running) {
        hfile_free(m->compactions_running->out);
        forget_job(m, m->compactions_running);
    }
}

/* Swaps the files, then looks for what is next: another compaction of a crowded store, else a split. */
static void finish_job(struct model *m, struct compaction_job *job)
{
    struct region *r = job->r;
    struct table *t = &m->tables[r->table];
    struct store *st = &r->stores[job->family];
    struct server *s = &m->servers[job->server];
    size_t first = 0;
    int32_t priority;

    while (first < st->files_len && st->files[first] != job->first)
        first++;
    if (first + job->count > st->files_len) {
        model_fail(m, MODEL_BROKEN);
        return;
    }
    log_compaction(m, job, st->files_len - job->count + 1);
    if (store_replace(st, &(struct store_span){first, job->count}, job->out) != 0) {
        model_fail(m, MODEL_NO_MEMORY);
        hfile_free(job->out);
        return;
    }
    region_files_changed(r);
    job->out->major = job->all_files;
    chores_to_discharge(m, r);
    if (job->out->cells == 0)
        log_emptied(m, r);
    else
        r->expired = false;
    model_observe(m, &(struct model_observation){.what = OBSERVED_COMPACT, .region = r, .family = job->family,
                                                 .file = job->out, .span = {first, job->count},
                                                 .all_files = job->all_files, .major = job->major,
                                                 .after_split = job->references, .priority = job->priority});
    r->next_seqid++;
    r->compactions++;
    s->compactions++;
    m->compactions++;
    s->disk_bytes += (double)job->out->bytes;
    priority = compaction_store_priority(&t->compaction, st->files_len);
    if (compaction_follow_up(priority, priority) == COMPACTION_NEXT_AGAIN)
        region_request_compaction(m, r, COMPACTION_ASK_ALL);
    else
        region_request_split(m, r);
}

static void compaction_done(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct compaction_job *job = self;
    struct model *m = job->m;
    struct server *s = &m->servers[job->server];

    (void)cal;
    (void)arg;
    if (job->large)
        s->large_busy = false;
    else
        s->small_busy = false;
    if (job->aborted)
        hfile_free(job->out);
    else
        finish_job(m, job);
    forget_job(m, job);
    try_compact(m, s);
}

/* Bytes/s that the throughput controller lets this job move, reads counted with the writes. */
static double job_limit(const struct model *m, const struct compaction_job *job, const struct store *st)
{
    struct compaction_throughput_config c;
    const double out = (double)job->out->bytes;
    double limit;

    (void)m;
    compaction_throughput_config_default(&c);
    limit = compaction_throughput_bytes_per_s(
        &c, compaction_pressure(st->files_len, 3, FLUSH_BLOCKING_STORE_FILES), false);
    if (out <= c.lower_bytes_per_s)
        return (double)INFINITY; /* looked at only after each lower bound of bytes */
    return limit * (job->in_bytes + out) / out;
}

/* Uniform in [0, 1) from a file's name, as HBase seeds the jitter of major compactions: the same file gives
   the same age each time. */
static double jitter_of(const struct region *r, const struct hfile *f)
{
    uint64_t z = ((uint64_t)r->id << 32 | f->name) + UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* The store as the policy sees it; |files| has room for all. */
static struct compaction_input view_store(const struct model *m, const struct compaction_entry *entry,
                                          struct compaction_file *files)
{
    const struct region *r = m->regions[entry->region];
    const struct store *st = &r->stores[entry->family];

    for (size_t i = 0; i < st->files_len; i++) {
        const struct hfile *f = st->files[i];

        files[i] = (struct compaction_file){.file_bytes = f->bytes,
                                            .max_timestamp_ms = f->cells > 0 ? f->max_timestamp_ms : UINT64_MAX,
                                            .min_timestamp_ms = f->cells > 0 ? f->min_timestamp_ms : UINT64_MAX,
                                            .modified_us = (uint64_t)(f->created / DES_US),
                                            .reference = f->reference,
                                            .compacting = f->compacting,
                                            .major = f->major};
    }
    return (struct compaction_input){.files = files,
                                     .count = st->files_len,
                                     .now_us = (uint64_t)(des_now(m->cal) / DES_US),
                                     .now_ms_epoch = model_now_ms(m),
                                     .user = entry->user,
                                     .force_major = entry->major,
                                     .ttl_ms = st->shape->retention.ttl_ms,
                                     .major_u = st->files_len > 0 ? jitter_of(r, st->files[0]) : 0.5};
}

/* HStore.removeUnneededFiles: files of nothing but expired cells go before any selection. */
static int drop_expired(struct model *m, const struct compaction_entry *entry, struct compaction_file *files)
{
    const struct compaction_input in = view_store(m, entry, files);
    struct region *r = m->regions[entry->region];
    struct store *st = &r->stores[entry->family];
    bool *drop;
    int rc = 0;

    if (in.ttl_ms == UINT64_MAX || st->shape->retention.min_versions > 0)
        return 0;
    drop = calloc(st->files_len + 1, sizeof *drop);
    if (!drop)
        return -1;
    if (compaction_drop_expired(&in, drop) > 0) {
        for (size_t i = st->files_len; i-- > 0 && rc == 0;) {
            if (!drop[i])
                continue;
            m->files_expired++;
            m->bytes_expired += (double)st->files[i]->bytes;
            rc = store_drop(st, i);
        }
        region_files_changed(r);
        chores_to_discharge(m, r);
    }
    free(drop);
    return rc;
}

/* HStore.requestCompaction. count 0 where nothing is chosen. -1 without memory. */
static int choose(struct model *m, const struct table *t, const struct compaction_entry *entry,
                  struct compaction_request *req)
{
    const struct store *st = &m->regions[entry->region]->stores[entry->family];
    struct compaction_file *files = calloc(st->files_len + 1, sizeof *files);
    struct compaction_input in;
    int rc = files ? drop_expired(m, entry, files) : -1;

    if (rc == 0) {
        in = view_store(m, entry, files);
        *req = compaction_select(&t->compaction, &in);
    }
    free(files);
    return rc;
}

/* CompactionChecker's question about one store. */
struct store_age {
    bool due;                 /* for a major compaction */
    des_time from;            /* not before, as long as the files stay */
};

static struct store_age age_of(struct model *m, const struct compaction_entry *entry)
{
    const struct region *r = m->regions[entry->region];
    const struct compaction_config *c = &m->tables[r->table].compaction;
    const struct store *st = &r->stores[entry->family];
    struct compaction_file few[8], *files = few;
    struct store_age age = {false, DES_NEVER};
    struct compaction_input in;
    uint64_t due_us;

    if (st->files_len == 0)
        return age;
    if (st->files_len > sizeof few / sizeof few[0])
        files = malloc(st->files_len * sizeof *files);
    if (!files) {
        model_fail(m, MODEL_NO_MEMORY);
        return age;
    }
    in = view_store(m, entry, files);
    due_us = compaction_major_due_us(c, &in);
    age.due = compaction_major_is_due(c, &in);
    if (due_us < (uint64_t)(DES_NEVER / DES_US))
        age.from = (des_time)due_us * DES_US;
    if (files != few)
        free(files);
    return age;
}

/* Each store has but the empty file that the last cells to expire left: nothing is ever due. */
static bool has_expired_whole(const struct table *t, const struct region *r)
{
    for (size_t f = 0; f < t->families_len; f++)
        if (!r->expired || r->stores[f].files_len > 1)
            return false;
    return true;
}

/* As long as its files stay, a region that needs nothing isn't looked at before something may be due. Those of a
   running compaction count as free: whatever becomes of it, the region needs nothing earlier. */
void region_check_compaction(struct model *m, struct region *r)
{
    const struct table *t = &m->tables[r->table];
    const bool over = has_expired_whole(t, r);
    des_time from = DES_NEVER;
    bool needed = false;

    for (size_t f = 0; f < t->families_len && !needed && !over; f++) {
        const struct store_age age = age_of(m, &(struct compaction_entry){r->id, (uint32_t)f, false, false});

        needed = store_needs_compaction(t, &r->stores[f]) || age.due;
        from = compaction_needed(&t->compaction, r->stores[f].files_len, 0) ? 0 : age.from < from ? age.from : from;
    }
    if (needed)
        region_request_compaction(m, r, COMPACTION_ASK_ALL);
    else
        r->check_from = from;
}

/* What the policy saw, for the log. 0, or -1 without memory. */
static int remember(const struct model *m, const struct store *st, struct compaction_job *job)
{
    des_time oldest = des_now(m->cal);
    size_t len = 0;

    if (m->brief)
        return 0;
    job->seen = malloc(st->files_len * 24 + 1);
    if (!job->seen)
        return -1;
    job->seen[0] = '\0';
    for (size_t i = 0; i < st->files_len; i++) {
        const struct hfile *f = st->files[i];

        len += (size_t)sprintf(job->seen + len, "%s%llu%s%s", i ? " " : "", (unsigned long long)f->bytes,
                               f->reference ? "r" : "", f->compacting ? "c" : "");
        oldest = f->created < oldest ? f->created : oldest;
    }
    job->oldest_age_s = des_time_to_s(des_now(m->cal) - oldest);
    return 0;
}

/* Writes the output and takes the thread and the disk; it joins the store when the disk is done. */
static int run_job(struct model *m, struct server *s, struct compaction_job *job, size_t first)
{
    struct store *st = &job->r->stores[job->family];

    job->out = store_write_compacted(st, &(struct store_span){first, job->count}, model_now_ms(m), des_now(m->cal));
    if (!job->out)
        return -1;
    job->next = m->compactions_running;
    m->compactions_running = job;
    for (size_t i = first; i < first + job->count; i++) {
        st->files[i]->compacting = true;
        job->in_bytes += (double)st->files[i]->cells / (double)(job->out->cells ? job->out->cells : 1) *
                         (double)job->out->bytes;
    }
    if (job->large)
        s->large_busy = true;
    else
        s->small_busy = true;
    if (disk_start(&s->disk, job->in_bytes + (double)job->out->bytes, job_limit(m, job, st),
                   (struct des_action){.run = compaction_done, .self = job}) != 0)
        model_fail(m, MODEL_NO_MEMORY);
    return 0;
}

/* Starts the compaction that |entry| asks for, if its store still has one to do and the thread for
   its size is free. True when the entry is used up. */
static bool start_job(struct model *m, struct server *s, const struct compaction_entry *entry)
{
    struct region *r = m->regions[entry->region];
    struct table *t = &m->tables[r->table];
    struct store *st = &r->stores[entry->family];
    struct compaction_request req;
    struct compaction_job *job;

    if (r->state != REGION_OPEN || r->server != s->index)
        return true;
    job = calloc(1, sizeof *job);
    if (!job || choose(m, t, entry, &req) != 0) {
        free(job);
        model_fail(m, MODEL_NO_MEMORY);
        return true;
    }
    if (req.count > 0 && (req.large ? s->large_busy : s->small_busy && s->large_busy)) {
        free(job);
        return false;
    }
    model_observe(m, &(struct model_observation){.what = OBSERVED_SELECT, .region = r, .family = entry->family,
                                                 .span = {req.first, req.count}});
    if (req.count == 0) {
        free(job);
        return true;
    }
    *job = (struct compaction_job){.m = m, .r = r, .server = s->index, .family = entry->family,
                                   .first = st->files[req.first], .count = req.count,
                                   .large = req.large || s->small_busy, .references = req.after_split,
                                   .all_files = req.all_files, .major = req.major, .priority = req.priority,
                                   .at = req.first, .user = entry->user, .force_major = entry->major};
    if (remember(m, st, job) != 0 || run_job(m, s, job, req.first) != 0) {
        free(job->seen);
        free(job);
        model_fail(m, MODEL_NO_MEMORY);
    }
    return true;
}

/* Index of the most urgent entry: smallest priority, the oldest of equals. */
static size_t most_urgent(const struct model *m, const struct server *s)
{
    size_t best = 0;
    int32_t best_priority = INT32_MAX;

    for (size_t i = 0; i < s->compaction_queue_len; i++) {
        const struct compaction_entry *entry = &s->compaction_queue[i];
        const struct region *r = m->regions[entry->region];
        const struct store *st = r->stores ? &r->stores[entry->family] : NULL; /* a dead region's is gone */
        int32_t p = COMPACTION_PRIORITY_USER;

        if (!entry->user)
            p = compaction_store_priority(&m->tables[r->table].compaction, st ? st->files_len : 0);
        if (p < best_priority) {
            best_priority = p;
            best = i;
        }
    }
    return best;
}

static void try_compact(struct model *m, struct server *s)
{
    while (s->compaction_queue_len > 0 && !(s->small_busy && s->large_busy) && m->error == 0) {
        const size_t i = most_urgent(m, s);
        const struct compaction_entry entry = s->compaction_queue[i];

        if (!start_job(m, s, &entry))
            return;
        s->compaction_queue_len--;
        memmove(s->compaction_queue + i, s->compaction_queue + i + 1,
                (s->compaction_queue_len - i) * sizeof *s->compaction_queue);
    }
}
