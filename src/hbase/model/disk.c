/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/model/disk.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void disk_init(struct disk *d, struct des_calendar *cal, double bytes_per_s)
{
    memset(d, 0, sizeof *d);
    d->cal = cal;
    d->bytes_per_s = bytes_per_s;
}

void disk_free(struct disk *d)
{
    free(d->jobs);
    d->jobs = NULL;
    d->jobs_len = d->jobs_cap = 0;
}

static void advance(struct disk *d)
{
    const double s = des_time_to_s(des_now(d->cal) - d->last);

    for (size_t i = 0; i < d->jobs_len; i++)
        d->jobs[i].left_bytes -= d->jobs[i].rate_bytes_per_s * s;
    d->last = des_now(d->cal);
}

/* Max-min fair shares: jobs whose limit is below the equal share take it, the rest is divided. */
static void share(struct disk *d)
{
    double left = d->bytes_per_s;
    bool reads = d->reads_bytes_per_s > 0;
    size_t open = d->jobs_len + (reads ? 1 : 0);

    for (size_t i = 0; i < d->jobs_len; i++)
        d->jobs[i].rate_bytes_per_s = -1;
    for (bool again = true; again && open > 0;) {
        const double equal = left / (double)open;

        again = false;
        if (reads && d->reads_bytes_per_s < equal) {
            left -= d->reads_bytes_per_s;
            open--;
            reads = false;
            again = true;
            continue;
        }
        for (size_t i = 0; i < d->jobs_len; i++) {
            struct disk_job *j = &d->jobs[i];

            if (j->rate_bytes_per_s >= 0 || j->limit_bytes_per_s >= equal)
                continue;
            j->rate_bytes_per_s = j->limit_bytes_per_s;
            left -= j->limit_bytes_per_s;
            open--;
            again = true;
        }
    }
    for (size_t i = 0; i < d->jobs_len; i++)
        if (d->jobs[i].rate_bytes_per_s < 0)
            d->jobs[i].rate_bytes_per_s = left / (double)open;
}

static void job_ends(struct des_calendar *cal, void *self, uint64_t arg);

static void plan_next(struct disk *d)
{
    double first = (double)INFINITY;

    des_cancel(d->cal, d->next);
    for (size_t i = 0; i < d->jobs_len; i++) {
        const double s = d->jobs[i].left_bytes / d->jobs[i].rate_bytes_per_s;

        first = s < first ? s : first;
    }
    if (d->jobs_len > 0)
        d->next = des_after(d->cal, des_time_from_s(first > 0 ? first : 0),
                            (struct des_action){.run = job_ends, .self = d});
}

static void job_ends(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct disk *d = self;
    struct des_action done[16];
    size_t n = 0;

    (void)arg;
    advance(d);
    /* What is left after rounding to a nanosecond is less than a byte's worth. */
    for (size_t i = 0; i < d->jobs_len && n < 16;) {
        if (d->jobs[i].left_bytes > d->jobs[i].rate_bytes_per_s * 2e-9) {
            i++;
            continue;
        }
        done[n++] = d->jobs[i].done;
        d->jobs_len--;
        memmove(d->jobs + i, d->jobs + i + 1, (d->jobs_len - i) * sizeof *d->jobs);
    }
    share(d);
    plan_next(d);
    for (size_t i = 0; i < n; i++)
        done[i].run(cal, done[i].self, done[i].arg);
}

int disk_start(struct disk *d, double bytes, double limit_bytes_per_s, struct des_action done)
{
    advance(d);
    if (d->jobs_len == d->jobs_cap) {
        size_t cap = d->jobs_cap ? d->jobs_cap * 2 : 8;
        struct disk_job *jobs = realloc(d->jobs, cap * sizeof *jobs);

        if (!jobs)
            return -1;
        d->jobs = jobs;
        d->jobs_cap = cap;
    }
    d->jobs[d->jobs_len++] = (struct disk_job){bytes, limit_bytes_per_s, 0, done};
    share(d);
    plan_next(d);
    return 0;
}

void disk_set_reads(struct disk *d, double bytes_per_s)
{
    if (d->reads_bytes_per_s == bytes_per_s)
        return;
    advance(d);
    d->reads_bytes_per_s = bytes_per_s;
    share(d);
    plan_next(d);
}

double disk_share_bytes_per_s(const struct disk *d)
{
    return d->bytes_per_s / (double)(d->jobs_len + 1);
}

void disk_drop(struct disk *d)
{
    des_cancel(d->cal, d->next);
    d->jobs_len = 0;
}
