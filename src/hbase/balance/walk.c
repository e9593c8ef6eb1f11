/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/balance/walk.h"

static void take_weights(struct balance_proposer *p, const struct balance_costs *c)
{
    double weight[GENERATORS];
    balance_costs_weights(c, weight);
    balance_proposer_weights(p, weight);
}

/* Carries |a| out and keeps it if the sums taken anew agree that it lowers the total: the quick
   figure may be off by some 1e-9. */
static int try_to_keep(struct balance_state *st, struct balance_costs *c,
                       const struct balance_action *a, bool *kept)
{
    double before = c->total, locality = c->locality;
    double locality_after = balance_costs_locality_after(c, st, a);

    if (state_apply(st, a))
        return BALANCE_NO_MEMORY;
    balance_costs_update(c, st, a, locality_after);
    *kept = c->total < before;
    if (*kept)
        return BALANCE_OK;
    struct balance_action undo = {a->to, a->from, a->region, a->back};
    if (state_apply(st, &undo))
        return BALANCE_NO_MEMORY;
    balance_costs_update(c, st, &undo, locality);
    return BALANCE_OK;
}

int balance_walk(struct balance_state *st, struct balance_costs *c,
                 const struct balance_draw *draw, struct balance_walk_length *length)
{
    struct balance_proposer p;
    struct balance_action a;
    int error = balance_proposer_init(&p, st, draw);

    if (error)
        return error;
    length->accepted = length->accepted_by_watch = 0;
    take_weights(&p, c);
    for (uint64_t step = 0; step < length->steps && !error; step++) {
        bool kept = false;
        if (!balance_propose(&p, &a) || !(balance_costs_after(c, st, &a) < c->total))
            continue;
        error = try_to_keep(st, c, &a, &kept);
        if (kept) {
            take_weights(&p, c);
            length->accepted++;
            length->accepted_by_watch += step < length->watch;
        }
    }
    balance_proposer_free(&p);
    return error;
}
