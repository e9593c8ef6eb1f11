/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions that become one (MergeTableRegionsProcedure): all close, and the merged one opens on the
   server of the lowest start key with references to all their files. */
#include <stdlib.h>
#include <string.h>

#include "hbase/model/act.h"

struct merge {
    struct model *m;
    struct region *parents[MERGE_MOST];
    size_t n, closed;
    int server;
    bool given_up;
    struct merge *next;
};

static void forget(struct model *m, struct merge *job)
{
    struct merge **at = &m->merges_running;

    while (*at && *at != job)
        at = &(*at)->next;
    if (*at)
        *at = job->next;
    free(job);
}

void merges_free(struct model *m)
{
    while (m->merges_running)
        forget(m, m->merges_running);
}

static int compare(const struct spec_bytes *a, const struct spec_bytes *b)
{
    const int d = memcmp(a->bytes, b->bytes, a->len < b->len ? a->len : b->len);

    return d != 0 ? d : (a->len > b->len) - (a->len < b->len);
}

void regions_merge(struct model *m, struct region *const *regions, size_t n, int server)
{
    struct merge *job = calloc(1, sizeof *job);

    if (!job) {
        model_fail(m, MODEL_NO_MEMORY);
        return;
    }
    job->m = m;
    job->n = n;
    job->server = server;
    job->next = m->merges_running;
    m->merges_running = job;
    for (size_t i = 0; i < n; i++)
        job->parents[i] = regions[i];
    for (size_t i = 0; i < n; i++)
        region_leave(m, job->parents[i], TRIP_MERGE);
}

static int take_files(struct model *m, const struct merge *job, struct region *d)
{
    const struct table *t = &m->tables[d->table];

    for (size_t f = 0; f < t->families_len; f++) {
        for (size_t p = 0; p < job->n; p++) {
            const struct store *from = &job->parents[p]->stores[f];

            for (size_t i = 0; i < from->files_len; i++) {
                struct hfile *file = storefile_merged(from->files[i]);

                if (!file)
                    return MODEL_NO_MEMORY;
                if (store_append(&d->stores[f], file) != 0) {
                    hfile_free(file);
                    return MODEL_NO_MEMORY;
                }
            }
        }
        store_sort(&d->stores[f]);
    }
    return 0;
}

static void log_merge(struct model *m, const struct merge *job, const struct region *d)
{
    struct result_event *e = model_log(m, "merge", d, "MergeTableRegionsProcedure");

    if (!e)
        return;
    model_log_input(e, "regions", (double)job->n);
    model_log_text(e, "%zu regions became one", job->n);
}

static void bury(struct model *m, struct region *r)
{
    region_bury(m, r);
    r->trip = TRIP_NONE;
    m->trips--;
    m->servers[r->server].regions--;
}

static void merged(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct merge *job = self;
    struct model *m = job->m;
    struct table *t = &m->tables[job->parents[0]->table];
    const struct region *low = job->parents[0], *high = job->parents[0];
    struct region *d;
    int rc;

    (void)cal;
    (void)arg;
    if (!m->servers[job->server].live)
        job->server = server_pick(m, job->server);
    d = job->server >= 0 ? model_add_region(m, t->index, job->server) : NULL;
    rc = d ? 0 : MODEL_NO_MEMORY;
    for (size_t i = 0; i < job->n && rc == 0; i++) {
        const struct region *p = job->parents[i];

        if (compare(&p->start, &low->start) < 0)
            low = p;
        if (high->end.len > 0 && (p->end.len == 0 || compare(&p->end, &high->end) > 0))
            high = p;
        d->next_seqid = p->next_seqid + 3 > d->next_seqid ? p->next_seqid + 3 : d->next_seqid;
    }
    if (rc == 0)
        rc = region_set_bounds(d, t, (struct saltkey_slice){low->start.bytes, low->start.len},
                               (struct saltkey_slice){high->end.bytes, high->end.len});
    if (rc == 0)
        rc = take_files(m, job, d);
    if (rc != 0) {
        model_fail(m, rc);
        return;
    }
    d->parent = low->id;
    d->merge_qualifier = true;
    table_replace_merged(m, t, low->id, d->id);
    for (size_t i = 0; i < job->n; i++) {
        table_remove(t, job->parents[i]->id);
        job->parents[i]->daughters[0] = job->parents[i]->daughters[1] = d->id;
        bury(m, job->parents[i]);
    }
    m->servers[job->server].regions++;
    m->merges++;
    chores_janitor(m);
    log_merge(m, job, d);
    forget(m, job);
    region_opened(m, d);
}

static struct merge *merge_of(const struct model *m, const struct region *r)
{
    for (struct merge *job = m->merges_running; job; job = job->next)
        for (size_t i = 0; i < job->n; i++)
            if (job->parents[i] == r)
                return job;
    return NULL;
}

void merge_region_closed(struct model *m, struct region *r, des_time outage)
{
    struct merge *job = merge_of(m, r);

    job->closed++;
    if (job->given_up)
        region_enable(m, r);
    else if (job->closed == job->n)
        des_after(m->cal, outage, (struct des_action){.run = merged, .self = job});
    if (job->given_up && job->closed == job->n)
        forget(m, job);
}

void merge_give_up(struct model *m, struct region *r)
{
    struct merge *job = merge_of(m, r);

    for (size_t i = 0; i < job->n && !job->given_up; i++)
        if (job->parents[i]->state == REGION_AWAY)
            region_enable(m, job->parents[i]);
    job->given_up = true;
    if (++job->closed == job->n)
        forget(m, job);
}
