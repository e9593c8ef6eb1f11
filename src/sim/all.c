/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario's own run and those beside it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "des/pool.h"
#include "result/format.h"
#include "sim/placement.h"
#include "sim/spread.h"
#include "sim/sim.h"

struct job {
    struct spec spec;
    struct result_run *run;
    struct sim_end end;
};

struct jobs {
    struct job job[3];
    size_t n;
    const struct sim_control *control;
};

static int run_job(void *context, size_t i)
{
    struct jobs *jobs = context;
    struct job *job = &jobs->job[i];
    /* Only the scenario's own run reports its progress. */
    struct sim_control quiet = {.stop = NULL};

    if (jobs->control)
        quiet.stop = jobs->control->stop;
    return sim_run(&job->spec, i == 0 && jobs->control ? jobs->control : &quiet, job->run, &job->end);
}

/* N of the first table whose salt takes buckets; 0 where nothing is salted so. */
static int buckets_of(const struct spec *sp)
{
    for (size_t i = 0; i < sp->tables_len; i++)
        if (sp->tables[i].buckets > 0 && spec_salt_takes_buckets(sp->tables[i].salt))
            return sp->tables[i].buckets;
    return 0;
}

static int add_comparison(struct jobs *jobs, const struct spec *sp, struct result *res, const char *role, int n)
{
    struct job *job = &jobs->job[jobs->n];

    job->run = &res->comparisons[res->comparisons_len];
    result_run_init(job->run);
    res->comparisons_len++;
    if (spec_copy(sp, &job->spec) != 0)
        return SIM_NO_MEMORY;
    jobs->n++;
    spec_set_buckets(&job->spec, n);
    job->run->role = malloc(strlen(role) + 1);
    if (!job->run->role)
        return SIM_NO_MEMORY;
    strcpy(job->run->role, role);
    return 0;
}

static int plan_jobs(struct jobs *jobs, const struct spec *sp, struct result *res)
{
    const int n = buckets_of(sp);
    int rc;

    if (spec_copy(sp, &jobs->job[0].spec) != 0)
        return SIM_NO_MEMORY;
    jobs->n = 1;
    jobs->job[0].run = &res->run;
    res->run.role = malloc(sizeof "scenario");
    res->comparisons = calloc(2, sizeof *res->comparisons);
    if (!res->run.role || !res->comparisons)
        return SIM_NO_MEMORY;
    strcpy(res->run.role, "scenario");
    if (n == 0)
        return 0;
    rc = sp->compare & SPEC_COMPARE_NONE ? add_comparison(jobs, sp, res, "none", 0) : 0;
    if (rc == 0 && sp->compare & SPEC_COMPARE_TWICE && 2 * n <= 256)
        rc = add_comparison(jobs, sp, res, "twice", 2 * n);
    return rc;
}

/* Rows that wait in the clients for less than this, in seconds of the rate, are nobody's trouble. */
#define WAIT_S 5

/* Trouble that is over at the end: when rows waited, how many at most, and how long. */
static int describe_wait(const struct result_run *run, struct result *res)
{
    const struct result_summary *s = &run->summary;
    const double some = s->writes_offered / run->duration_s * WAIT_S;
    double from = (double)NAN, to = 0, most = 0;
    char a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP], d[FORMAT_CAP];

    for (size_t i = 0; i < run->windows_len; i++) {
        const struct result_window *w = &run->windows[i];

        if (w->queued - s->writes_buffered <= some)
            continue;
        from = isnan(from) ? w->begin_s : from;
        to = w->end_s;
        most = fmax(most, w->queued);
    }
    if (isnan(from) || !result_keeps_up(run))
        return 0;
    return result_add_diagnostic(res, "warning", "W-WAITED",
                                 "between %s and %s of the run up to %s rows waited in the clients, the oldest %s",
                                 format_time(from, a), format_time(to, b), format_count(most, c),
                                 format_time(s->queue_age_max_s, d));
}

/* Refused events that are told one by one; the others are in events.csv. */
#define REFUSED_TOLD 5

/* What the scenario asked for and the cluster did not do. */
static int describe_refused(const struct result_run *run, struct result *res)
{
    char at[FORMAT_CAP];
    size_t n = 0;
    int rc = 0;

    for (size_t i = 0; i < run->events_len && rc == 0; i++) {
        const struct result_event *e = &run->events[i];

        if (!e->refused || !e->text)
            continue;
        if (n++ < REFUSED_TOLD)
            rc = result_add_diagnostic(res, "warning", "W-EVENT", "an [event] at %s came to nothing: %s",
                                       format_time(e->at_s, at), e->text);
    }
    if (rc == 0 && n > REFUSED_TOLD)
        rc = result_add_diagnostic(res, "warning", "W-EVENT", "%zu more [event]s came to nothing: see events.csv",
                                   n - REFUSED_TOLD);
    return rc;
}

static int describe_saturated(const struct result_run *run, struct result *res)
{
    const struct result_summary *s = &run->summary;
    const struct result_query *most = result_most_asked(run);
    const double carried = s->writes_done / run->duration_s * run->server_capacity_per_s / s->max_write_rate_per_s;
    char waiting[FORMAT_CAP], by[200], share[FORMAT_CAP];

    if (!(s->writes_done > 0) || !result_rows_wait(run))
        return 0;
    format_percent(s->writes_queued / s->writes_offered, waiting);
    snprintf(by, sizeof by, "the hottest server carries %.0f rows/s of its %.0f", carried, run->server_capacity_per_s);
    if (!(s->reads_share >= RESULT_READS_MATTER))
        return result_add_diagnostic(res, "warning", "W-SATURATED", "%s of the rows offered were still waiting in the "
                                     "clients at the end: %s", waiting, by);
    return result_add_diagnostic(res, "warning", "W-SATURATED", "%s of the rows offered were still waiting in the clients "
                                 "at the end: queries ask for %s of the busiest server%s%s; %s", waiting,
                                 format_percent(s->reads_share, share), most ? ", most of it " : "", most ? most->name : "", by);
}

/* A split a window for every fourth region that counts as a tail: most of them were written one after the other. */
static int describe_tails(const struct result_run *run, struct result *res)
{
    const struct result_summary *s = &run->summary;
    char window[FORMAT_CAP];

    if (!(s->windows > 0) || !(s->splits / s->windows >= s->write_tails / 4) || !(s->write_tails > 0))
        return 0;
    return result_add_diagnostic(res, "note", "N-TAILS", "a window of %s holds several regions of each tail, one after the "
                                 "other, and %.0f write tails counts them all: a shorter [scenario] window tells them apart",
                                 format_time(run->window_s, window), s->write_tails);
}

static int describe(const struct result_run *run, struct result *res)
{
    const struct result_summary *s = &run->summary;
    int rc = describe_refused(run, res);

    if (rc == 0)
        rc = describe_saturated(run, res);
    if (rc == 0)
        rc = describe_tails(run, res);
    if (rc == 0 && s->writes_rejected > 0)
        rc = result_add_diagnostic(res, "warning", "W-REJECTED", "clients gave up on %.0f rows", s->writes_rejected);
    if (rc == 0 && s->servers_idle > 0)
        rc = result_add_diagnostic(res, "note", "N-IDLE", "%.0f of %zu servers had no write tail", s->servers_idle,
                                   run->servers_len);
    if (rc == 0)
        rc = placement_describe(run, res);
    if (rc == 0)
        rc = spread_describe(run, res);
    return rc == 0 ? describe_wait(run, res) : rc;
}

int sim_all(const struct spec *sp, unsigned jobs_most, const struct sim_control *control, struct result *res,
            struct sim_end *end)
{
    struct jobs *jobs = calloc(1, sizeof *jobs);
    int rc;

    *end = (struct sim_end){false, ""};
    if (!jobs)
        return SIM_NO_MEMORY;
    jobs->control = control;
    rc = plan_jobs(jobs, sp, res);
    if (rc == 0)
        rc = des_pool_run(jobs_most, jobs->n, run_job, jobs);
    for (size_t i = 0; i < jobs->n; i++) {
        if (rc != 0 && end->message[0] == '\0')
            *end = jobs->job[i].end;
        res->partial |= jobs->job[i].end.partial;
        spec_free(&jobs->job[i].spec);
    }
    free(jobs);
    return rc == 0 ? describe(&res->run, res) : rc;
}
