/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server's disk: its bandwidth is shared equally by the jobs that write or read (flushes and
   compactions), each at most at its own limit. A fluid model: a job's end is known until another
   job joins or leaves, then all ends are computed again. */
#ifndef HBASE_MODEL_DISK_H
#define HBASE_MODEL_DISK_H

#include <stddef.h>

#include "des/calendar.h"

struct disk_job {
    double left_bytes;
    double limit_bytes_per_s; /* INFINITY: none */
    double rate_bytes_per_s;  /* in force now */
    struct des_action done;   /* run when the last byte is done */
};

struct disk {
    struct des_calendar *cal;
    double bytes_per_s;
    double reads_bytes_per_s; /* what queries ask of it, one more party to the shares */
    struct disk_job *jobs;
    size_t jobs_len, jobs_cap;
    des_time last;            /* up to when the jobs are advanced */
    struct des_event next;
};

void disk_init(struct disk *d, struct des_calendar *cal, double bytes_per_s);
void disk_free(struct disk *d);

/* A job of |bytes|; |done| runs once. 0, or -1 without memory. */
int disk_start(struct disk *d, double bytes, double limit_bytes_per_s, struct des_action done);

/* Queries read so much from now on, as far as their share allows. */
void disk_set_reads(struct disk *d, double bytes_per_s);

/* What one more party would get. */
double disk_share_bytes_per_s(const struct disk *d);

/* All jobs are gone; none of their actions will run. */
void disk_drop(struct disk *d);

#endif
