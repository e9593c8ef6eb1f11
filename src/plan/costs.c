/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each query costs with each candidate, from the runs that timed them. */
#include <stdlib.h>

#include "plan/conclude.h"

static int add(struct result_plan *plan, const struct result_query_cost *cost)
{
    struct result_query_cost *all = realloc(plan->query_costs, (plan->query_costs_len + 1) * sizeof *all), *to;

    if (!all)
        return SIM_NO_MEMORY;
    plan->query_costs = all;
    to = &all[plan->query_costs_len];
    *to = *cost;
    to->query = plan_copy_text(cost->query ? cost->query : "");
    to->kind = plan_copy_text(cost->kind ? cost->kind : "");
    plan->query_costs_len++;
    return to->query && to->kind ? 0 : SIM_NO_MEMORY;
}

int plan_note_query_costs(const struct plan_trial *trial, struct result_plan *plan)
{
    int rc = 0;

    for (size_t i = 0; i < trial->probe.queries_len && rc == 0; i++) {
        const struct result_query *q = &trial->probe.queries[i];

        rc = add(plan, &(struct result_query_cost){trial->n, q->name, q->kind, q->scans, q->rpcs, q->regions,
                                                   q->rows_scanned, q->rows_returned, q->p50_us, q->p95_us, q->p99_us,
                                                   q->p999_us, q->server_share, q->independent_p50_us,
                                                   q->independent_p95_us, q->independent_p99_us, q->independent_p999_us});
    }
    return rc;
}

int plan_copy_query_costs(const struct result_plan *from, int n, struct result_plan *plan)
{
    int rc = 0;

    for (size_t i = 0; i < from->query_costs_len && rc == 0; i++)
        if (from->query_costs[i].n == n)
            rc = add(plan, &from->query_costs[i]);
    return rc;
}
