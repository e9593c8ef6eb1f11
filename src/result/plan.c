/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/result.h"

static void lists_free(struct result_plan *plan)
{
    for (size_t i = 0; plan->candidates && i < plan->candidates_len; i++)
        free(plan->candidates[i].why_not);
    for (size_t i = 0; plan->query_costs && i < plan->query_costs_len; i++) {
        free(plan->query_costs[i].query);
        free(plan->query_costs[i].kind);
    }
    for (size_t i = 0; plan->gates && i < plan->gates_len; i++) {
        free(plan->gates[i].id);
        free(plan->gates[i].level);
        free(plan->gates[i].text);
        free(plan->gates[i].source);
        free(plan->gates[i].hint);
    }
    for (size_t i = 0; plan->variations && i < plan->variations_len; i++) {
        free(plan->variations[i].name);
        free(plan->variations[i].text);
    }
    for (size_t i = 0; plan->assumptions && i < plan->assumptions_len; i++) {
        free(plan->assumptions[i].text);
        free(plan->assumptions[i].source);
    }
    free(plan->candidates);
    free(plan->query_costs);
    free(plan->stages);
    free(plan->gates);
    free(plan->variations);
    free(plan->assumptions);
}

void result_plan_free(struct result_plan *plan)
{
    lists_free(plan);
    free(plan->answer);
    free(plan->reason);
    free(plan->targets);
    free(plan->smaller_why);
    free(plan->larger_why);
    free(plan->even_text);
    free(plan->rule_of_thumb);
    free(plan->breaks_first);
    free(plan->create);
    memset(plan, 0, sizeof *plan);
    plan->recommended_n = plan->smaller_n = plan->larger_n = plan->even_n = -1;
}

/* Below this share of the rows that other N return, a query's time isn't comparable. */
#define ALL_ROWS 0.9

bool result_cost_is_whole(const struct result_plan *plan, const struct result_query_cost *cost)
{
    double most = 0;

    for (size_t i = 0; i < plan->query_costs_len; i++) {
        const struct result_query_cost *other = &plan->query_costs[i];

        if (other->query && cost->query && strcmp(other->query, cost->query) == 0 && isfinite(other->rows_returned))
            most = fmax(most, other->rows_returned);
    }
    return !(cost->rows_returned < ALL_ROWS * most);
}

double result_plan_needed_per_s(const struct result_plan *plan)
{
    const double needed = plan->demand_per_s * (1 + plan->headroom);

    return needed > 0 && isfinite(needed) ? needed : (double)NAN;
}

double result_plan_bound(const struct result_plan *plan, const char *metric)
{
    double bound = (double)NAN;
    char word[64];

    snprintf(word, sizeof word, "%s <= ", metric);
    for (const char *at = plan->targets; at && (at = strstr(at, word)); at++)
        bound = fmin(bound, strtod(at + strlen(word), NULL));
    return bound;
}

const struct result_candidate *result_plan_chosen(const struct result_plan *plan)
{
    for (size_t i = 0; i < plan->candidates_len; i++)
        if (plan->candidates[i].n == plan->recommended_n)
            return &plan->candidates[i];
    return NULL;
}
