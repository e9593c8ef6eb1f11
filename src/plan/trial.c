/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "des/stream.h"
#include "plan/placement.h"
#include "plan/spread.h"

/* What a run of each purpose may cost in rows that are looked at one by one. */
#define PROBE_ROWS 20000.0
#define WRITE_ROWS 1e6
#define TICK_ROWS 20e6
#define FLOW_ROWS 20e9
#define ROWS_LEAST 200.0
/* A run with events goes on for so long behind the last one, which is what the balancer needs. */
#define BEHIND_SHARE 0.1
#define BEHIND_S 3600.0
#define DAY_NS (INT64_C(86400) * SPEC_NS_PER_S)
/* A probe that times queries lasts so long where the scenario does: splits and compactions have their share of it. */
#define PROBE_LEAST_NS (INT64_C(7200) * SPEC_NS_PER_S)

/* At the top of the day, with its bursts: that is what must be carried. */
static double rate_of(const struct spec *sp)
{
    double rate = 0;

    for (size_t i = 0; i < sp->streams_len; i++)
        rate += sp->streams[i].rate_per_s * spec_stream_peak(&sp->streams[i]) * (double)sp->streams[i].tables_len;
    return rate;
}

/* Latencies need each call; all else is counted. */
static bool asks_latency(const struct spec *sp)
{
    for (size_t i = 0; i < sp->plan.targets_len; i++)
        if (strncmp(sp->plan.targets[i].metric, "write_p", 7) == 0)
            return true;
    return false;
}

static bool from_file(const struct spec *sp)
{
    for (size_t i = 0; i < sp->streams_len; i++)
        if (sp->streams[i].keys_file)
            return true;
    return false;
}

static enum spec_detail detail_for(const struct spec *sp, enum plan_purpose purpose)
{
    if (purpose == PLAN_CONFIRM)
        return SPEC_DETAIL_TICK;
    if (asks_latency(sp))
        return SPEC_DETAIL_WRITE;
    return from_file(sp) ? SPEC_DETAIL_TICK : SPEC_DETAIL_FLOW;
}

/* Length of a probe that times queries: what they look back on is there for half of it. */
static int64_t probe_ns(const struct spec *sp)
{
    int64_t longest = PROBE_LEAST_NS;

    for (size_t i = 0; i < sp->queries_len; i++)
        if (2 * sp->queries[i].window_ns > longest)
            longest = 2 * sp->queries[i].window_ns;
    return longest < sp->duration_ns ? longest : sp->duration_ns;
}

/* In a shortened run what would happen later happens at its end. */
static void end_events(struct spec *out)
{
    for (size_t i = 0; i < out->events_len; i++)
        if (out->events[i].at_ns >= out->duration_ns)
            out->events[i].at_ns = out->duration_ns - 1;
}

/* A probe that times queries goes by shares: its cost doesn't hang on the rate. */
int plan_timing_spec(const struct spec *sp, struct spec *out)
{
    if (spec_copy(sp, out) != 0)
        return SIM_NO_MEMORY;
    if (sp->detail == SPEC_DETAIL_AUTO)
        out->detail = SPEC_DETAIL_FLOW;
    out->duration_ns = probe_ns(sp);
    end_events(out);
    return 0;
}

/* Rows of a run that costs a fraction of a second. */
static double cheap_rows(enum spec_detail detail)
{
    return detail == SPEC_DETAIL_WRITE ? WRITE_ROWS : detail == SPEC_DETAIL_TICK ? TICK_ROWS : FLOW_ROWS;
}

/* The last moment at which the scenario changes anything: an event, a stream's begin or end, a whole day of a curve. */
static int64_t last_change_ns(const struct spec *sp)
{
    int64_t last = 0;

    for (size_t i = 0; i < sp->events_len; i++)
        last = sp->events[i].at_ns > last ? sp->events[i].at_ns : last;
    for (size_t i = 0; i < sp->streams_len; i++) {
        const struct spec_stream *st = &sp->streams[i];

        last = st->from_ns > last ? st->from_ns : last;
        last = st->until_ns > last ? st->until_ns : last;
        if (spec_stream_peak(st) > 1 && last < DAY_NS)
            last = DAY_NS;
    }
    return last;
}

/* What happens during the run has to be in it. Where that makes more rows than a confirming run may look at one by
   one, it goes by shares; and by shares it ends some time behind the last change, where it is long. */
static void run_with_events(const struct spec *sp, enum plan_purpose purpose, struct spec *out)
{
    const double all_s = (double)sp->duration_ns / 1e9, rate = fmax(rate_of(sp), 1e-9);
    const double last_s = (double)last_change_ns(sp) / 1e9, s = fmax(FLOW_ROWS / rate, last_s * (1 + BEHIND_SHARE) + BEHIND_S);

    if (purpose == PLAN_CONFIRM && sp->detail == SPEC_DETAIL_AUTO && all_s * rate > PLAN_CONFIRM_ROWS && !from_file(sp))
        out->detail = SPEC_DETAIL_FLOW;
    if (out->detail == SPEC_DETAIL_FLOW && s < all_s)
        out->duration_ns = (int64_t)(ceil(s) * 1e9);
}

int plan_run_spec(const struct spec *sp, enum plan_purpose purpose, struct spec *out)
{
    const enum spec_detail detail = sp->detail != SPEC_DETAIL_AUTO ? sp->detail : detail_for(sp, purpose);
    const double most = purpose == PLAN_PROBE ? PROBE_ROWS
                        : detail == SPEC_DETAIL_WRITE && purpose == PLAN_REPLICATION ? WRITE_ROWS : PLAN_CONFIRM_ROWS;
    const double s = fmax(most, ROWS_LEAST) / fmax(rate_of(sp), 1e-9);
    bool events = false;

    if (spec_copy(sp, out) != 0)
        return SIM_NO_MEMORY;
    out->detail = detail;
    for (size_t i = 0; i < sp->events_len; i++)
        events = events || sp->events[i].at_ns > 0;
    if (purpose != PLAN_PROBE && events) {
        run_with_events(sp, purpose, out);
        return 0;
    }
    if (s >= (double)sp->duration_ns / 1e9 || (purpose == PLAN_REPLICATION && detail == SPEC_DETAIL_FLOW))
        return 0;
    out->duration_ns = (int64_t)fmax(1e6, ceil(s) * 1e9);
    for (size_t i = 0; i < out->streams_len; i++) /* a stretch of it in which all write, at the given rates */
        out->streams[i].from_ns = out->streams[i].until_ns = 0;
    if (purpose == PLAN_PROBE)
        end_events(out);
    return 0;
}

void plan_work_of(const struct spec *sp, const struct plan_keys *keys, const struct sim_control *control,
                  struct plan_work *work)
{
    double most = 0;

    *work = (struct plan_work){.sp = sp, .keys = keys, .control = control};
    plan_growth_of(sp, &work->growth);
    work->runs = plan_needs_runs(sp);
    work->probes = sp->queries_len > 0;
    work->times = plan_asks_query_times(sp);
    work->demand_per_s = rate_of(sp);
    /* One server is enough when it carries everything in half its time, or with the headroom asked for. */
    work->floor_per_s = spec_write_capacity_per_s(sp) / (1 + fmax(sp->plan.headroom, 1));
    for (size_t i = 0; i < work->growth.points; i++)
        most = fmax(most, work->demand_per_s * work->growth.point[i].rate_factor);
    work->one_server = most <= work->floor_per_s;
}

struct spec_target plan_demand_target(const struct plan_work *work, const struct plan_point *point)
{
    static char metric[] = "max_write_rate_per_s";

    return (struct spec_target){metric, false, work->demand_per_s * point->rate_factor * (1 + work->sp->plan.headroom)};
}

/* Whether the interval is as narrow as the figure's distance to its bound needs it. */
static bool settled(const struct spec_target *target, const struct result_figure *fig)
{
    const double half = (fig->hi - fig->lo) / 2;
    const double distance = fabs(fig->mean - target->bound), floor_ = PLAN_MARGIN_FLOOR * fabs(target->bound);

    return half < fmax(distance, floor_);
}

static bool all_settled(const struct plan_work *work, const struct plan_trial *trial, size_t size)
{
    struct result_figure fig;

    for (size_t i = 0; i < work->sp->plan.targets_len; i++)
        if (plan_figure(trial, work->sp->plan.targets[i].metric, size, &fig) &&
            !settled(&work->sp->plan.targets[i], &fig))
            return false;
    for (size_t i = 0; i < work->growth.points; i++) {
        const struct spec_target demand = plan_demand_target(work, &work->growth.point[i]);

        if (work->growth.point[i].size == size && plan_figure(trial, demand.metric, size, &fig) && !settled(&demand, &fig))
            return false;
    }
    return true;
}

static int run_once(const struct plan_work *work, const struct spec *sp, uint64_t seed, struct plan_trial *trial,
                    struct result_summary *sum)
{
    const struct sim_control quiet = {.stop = work->control ? work->control->stop : NULL, .summary_only = true};
    struct result_run run;
    struct spec copy;
    int rc = plan_run_spec(sp, PLAN_REPLICATION, &copy);

    if (rc != 0)
        return rc;
    copy.seed = seed;
    result_run_init(&run);
    rc = sim_run(&copy, &quiet, &run, &trial->end);
    *sum = run.summary;
    result_run_free(&run);
    spec_free(&copy);
    return rc;
}

bool plan_stopped(const struct plan_work *work)
{
    return sim_asked_to_stop(work->control);
}

/* How many replications there are at least and at most, and how many more are made at once. */
struct extent {
    size_t least, step, most;
};

static struct extent extent_of(const struct plan_work *work, const struct spec *sp)
{
    const struct extent placements = {PLAN_REPLICATIONS_MIN, PLAN_REPLICATIONS_STEP, PLAN_REPLICATIONS_MAX};
    struct extent e = {PLAN_RUNS_MIN, PLAN_RUNS_STEP, PLAN_RUNS_MAX};
    struct spec run;

    if (!work->runs)
        return placements;
    if (plan_run_spec(sp, PLAN_REPLICATION, &run) == 0) {
        const double part = cheap_rows(run.detail) / fmax(rate_of(sp) * (double)run.duration_ns / 1e9, 1);

        if (part < 1) {
            e.least = (size_t)fmax(PLAN_RUNS_LEAST, PLAN_RUNS_MIN * part);
            e.step = 1;
            e.most = (size_t)fmax(PLAN_RUNS_LEAST, PLAN_RUNS_MAX * part);
        }
        spec_free(&run);
    }
    return e;
}

/* One size of the cluster: replications until every target is settled. */
static int evaluate(const struct plan_work *work, struct plan_trial *trial, size_t size)
{
    const struct extent e = extent_of(work, &trial->spec);
    struct plan_eval *eval = &trial->eval[size];
    const int servers = trial->spec.cluster.servers;
    int rc = 0;

    eval->servers = work->growth.sizes[size];
    eval->rep = calloc(e.most, sizeof *eval->rep);
    if (!eval->rep)
        return SIM_NO_MEMORY;
    trial->evals = size + 1;
    trial->spec.cluster.servers = eval->servers;
    while (rc == 0 && eval->reps < e.most) {
        const uint64_t seed = des_replication_seed(work->sp->seed, eval->reps);
        struct result_summary *sum = &eval->rep[eval->reps];

        if (plan_stopped(work)) {
            trial->cut = true;
            break;
        }
        rc = work->runs ? run_once(work, &trial->spec, seed, trial, sum)
                        : plan_place(&trial->spec, &trial->load, seed, sum);
        eval->reps += rc == 0;
        if (eval->reps >= e.least && (eval->reps - e.least) % e.step == 0 && all_settled(work, trial, size))
            break;
    }
    trial->spec.cluster.servers = servers;
    return rc;
}

static int probe(const struct plan_work *work, struct plan_trial *trial)
{
    const struct sim_control quiet = {.stop = work->control ? work->control->stop : NULL, .no_reads = work->probe_counts};
    struct spec copy;
    int rc = work->times ? plan_timing_spec(&trial->spec, &copy) : plan_run_spec(&trial->spec, PLAN_PROBE, &copy);

    if (rc == 0) {
        rc = sim_run(&copy, &quiet, &trial->probe, &trial->end);
        spec_free(&copy);
    }
    return rc;
}

int plan_try(const struct plan_work *work, int n, struct plan_trial *trial)
{
    int rc = 0;

    memset(trial, 0, sizeof *trial);
    trial->n = n;
    result_run_init(&trial->probe);
    if (spec_copy(work->sp, &trial->spec) != 0)
        return SIM_NO_MEMORY;
    trial->copied = true;
    spec_set_buckets(&trial->spec, n);
    if (n == 0)
        rc = plan_presplit(work->keys, &trial->spec, &trial->presplit);
    if (rc == 0)
        rc = plan_load_open(work->keys, &trial->spec, &trial->load);
    trial->load.by_load = work->by_load;
    if (rc == 0 && work->probes)
        rc = probe(work, trial);
    for (size_t s = 0; s < work->growth.sizes_len && rc == 0; s++)
        rc = evaluate(work, trial, s);
    return rc;
}

void plan_trial_free(struct plan_trial *trial)
{
    for (size_t s = 0; s < trial->evals; s++)
        free(trial->eval[s].rep);
    result_run_free(&trial->probe);
    plan_load_free(&trial->load);
    if (trial->copied)
        spec_free(&trial->spec);
    trial->copied = false;
    trial->evals = 0;
}
