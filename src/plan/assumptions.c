/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan's figures rest on, each with where it comes from. */
#include <stdlib.h>

#include "plan/conclude.h"
#include "result/format.h"

static int add(struct result_plan *plan, const struct plan_text *text, const char *source)
{
    struct result_assumption *all = realloc(plan->assumptions, (plan->assumptions_len + 1) * sizeof *all), *a;

    if (!all)
        return SIM_NO_MEMORY;
    plan->assumptions = all;
    a = &all[plan->assumptions_len++];
    *a = (struct result_assumption){plan_copy_text(text->bytes), plan_copy_text(source)};
    return a->text && a->source ? 0 : SIM_NO_MEMORY;
}

static uint64_t sampled(const struct plan_keys *keys, uint64_t *total)
{
    uint64_t rows = 0;

    *total = 0;
    for (size_t i = 0; i < keys->len; i++) {
        rows += keys->pair[i].counts ? keys->pair[i].rows : 0;
        *total += keys->pair[i].total;
    }
    return rows;
}

/* Runs for replications, and how far they go. */
static void say_runs(struct plan_text *t, const struct spec *sp)
{
    char ran[FORMAT_CAP], all[FORMAT_CAP];
    struct spec run;

    plan_say(t, "each replication is a run of its own, as short as its detail allows");
    if (plan_run_spec(sp, PLAN_REPLICATION, &run) != 0)
        return;
    if (run.duration_ns < sp->duration_ns)
        plan_say(t, ": the first %s of %s", format_time((double)run.duration_ns / 1e9, ran),
                 format_time((double)sp->duration_ns / 1e9, all));
    spec_free(&run);
}

int plan_assumptions(struct plan_end *pe)
{
    const struct plan_work *work = pe->work;
    struct result_plan *plan = &pe->res->plan;
    struct plan_text t = {"", 0};
    uint64_t total, rows = sampled(work->keys, &total);
    int rc;

    plan_say(&t, "a server carries ");
    plan_say_value(&t, "write_rate_per_s", work->sp->server.write_capacity_per_s);
    if (work->sp->server.gc_pause_ns > 0) {
        plan_say(&t, ", less its pauses ");
        plan_say_value(&t, "write_rate_per_s", spec_write_capacity_per_s(work->sp));
    }
    rc = add(plan, &t, "[server] write_capacity; put your own measurement there (published: 15 to 50 k)");
    t = (struct plan_text){"", 0};
    if (rows > 0) {
        plan_say(&t, "bucket shares are exact counts of %llu of the run's %llu rows, hashed by libsaltkey",
                 (unsigned long long)rows, (unsigned long long)total);
        rc = rc == 0 ? add(plan, &t, "[stream], [table]") : rc;
        t = (struct plan_text){"", 0};
    }
    if (work->runs)
        say_runs(&t, work->sp);
    else
        plan_say(&t, "each replication is a placement: createTable deals N regions to S servers, floor or ceil of N / S "
                 "each, which ones is chance");
    rc = rc == 0 ? add(plan, &t, "CreateTableProcedure 2.6, recorded") : rc;
    t = (struct plan_text){"", 0};
    if (work->growth.points > 1) {
        plan_say(&t, "after servers are added the table's regions are spread over all of them again, as evenly as at "
                 "creation: HBase's balancer does that by the number of all regions, by table only where it is told to");
        rc = rc == 0 ? add(plan, &t, "StochasticLoadBalancer 2.6 (hbase.master.loadbalance.bytable)") : rc;
        t = (struct plan_text){"", 0};
    }
    plan_say(&t, "write load alone never starts the balancer: its weight of 5 stays below the 15.05 that a run needs, so "
             "that stacked tails stay stacked");
    return rc == 0 ? add(plan, &t, "StochasticLoadBalancer 2.6, recorded") : rc;
}
