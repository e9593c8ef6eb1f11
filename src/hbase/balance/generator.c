/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "hbase/balance/walk.h"

/* Two independent uniform integers below |n| and |m| from one word. */
static void draw_two(const struct balance_draw *d, uint32_t n, uint32_t m, uint32_t out[2])
{
    uint64_t word = d->next(d->state);
    out[0] = (uint32_t)(((word >> 32) * n) >> 32);
    out[1] = (uint32_t)(((word & 0xffffffffu) * m) >> 32);
}

int balance_proposer_init(struct balance_proposer *p, const struct balance_state *st,
                          const struct balance_draw *draw)
{
    *p = (struct balance_proposer){.st = st, .draw = draw, .stale = true};
    p->most = malloc(2 * ((size_t)st->n_servers + 1) * sizeof(*p->most));
    if (!p->most)
        return BALANCE_NO_MEMORY;
    p->least = p->most + st->n_servers;
    return BALANCE_OK;
}

void balance_proposer_free(struct balance_proposer *p)
{
    free(p->most);
    *p = (struct balance_proposer){0};
}

static double cumulate(double share[GENERATORS])
{
    double sum = 0;
    for (int i = 0; i < GENERATORS; i++)
        share[i] = sum += share[i];
    for (int i = 0; sum > 0 && i < GENERATORS; i++)
        share[i] /= sum;
    return sum;
}

void balance_proposer_weights(struct balance_proposer *p, const double weight[GENERATORS])
{
    for (int i = 0; i < GENERATORS; i++)
        p->base[i] = weight[i];
    cumulate(p->base);
    for (int i = 0; i < GENERATORS; i++)
        p->share[i] = p->base[i];
    p->stale = true;
}

/* getRandomGenerator of 2.6.1. It overwrites the weights with their cumulative shares, and only an
   action that is tried restores them: after a null action the shares are cumulated once more. */
static int pick_generator(const struct balance_proposer *p, double u)
{
    if (!(p->share[GENERATORS - 1] > 0))
        return GENERATOR_RANDOM;
    for (int i = 0; i < GENERATORS; i++)
        if (u <= p->share[i])
            return i;
    return GENERATORS - 1;
}

/* CandidateGenerator.pickRandomRegions: the fuller side (|b| on a tie) always gives, the other in
   half of the cases. */
static bool pick_regions(const struct balance_proposer *p, uint32_t a, uint32_t b, bool both,
                         struct balance_action *action)
{
    const struct state_list *la = &p->st->lists[a], *lb = &p->st->lists[b];
    uint32_t at[2];

    if (la->count <= lb->count) {
        const struct state_list *swap = la;
        la = lb;
        lb = swap;
        uint32_t server = a;
        a = b;
        b = server;
    }
    if (la->count == 0)
        return false;
    draw_two(p->draw, la->count, lb->count, at);
    action->from = a;
    action->to = b;
    action->region = la->region[at[0]];
    action->back = both && lb->count ? lb->region[at[1]] : STATE_NONE;
    return true;
}

static bool generate_random(const struct balance_proposer *p, bool both,
                            struct balance_action *action)
{
    uint32_t s[2];
    draw_two(p->draw, p->st->n_servers, p->st->n_servers - 1, s);
    s[1] += s[1] >= s[0];
    return pick_regions(p, s[0], s[1], both, action);
}

static void find_extremes(struct balance_proposer *p)
{
    const uint32_t *counts = p->st->counts;
    uint32_t most = counts[0], least = counts[0];

    p->n_most = p->n_least = 0;
    for (uint32_t s = 0; s < p->st->n_servers; s++) {
        if (counts[s] > most)
            most = counts[s], p->n_most = 0;
        if (counts[s] < least)
            least = counts[s], p->n_least = 0;
        if (counts[s] == most)
            p->most[p->n_most++] = s;
        if (counts[s] == least)
            p->least[p->n_least++] = s;
    }
    p->stale = false;
}

/* LoadCandidateGenerator: from one of the fullest servers to one of the emptiest others. */
static bool generate_load(struct balance_proposer *p, bool both, struct balance_action *action)
{
    uint32_t s[2];

    if (p->stale)
        find_extremes(p);
    bool level = p->most[0] == p->least[0]; /* all counts are equal: both lists hold everyone */
    draw_two(p->draw, p->n_most, p->n_least - (level ? 1 : 0), s);
    if (level)
        s[1] += s[1] >= s[0];
    return pick_regions(p, p->most[s[0]], p->least[s[1]], both, action);
}

/* A region of |to| that may go to |from| in exchange without a loss of locality. */
static uint32_t find_exchange(const struct balance_proposer *p, uint32_t region, uint32_t from,
                              uint32_t to)
{
    const struct balance_state *st = p->st;
    const struct state_list *list = &st->lists[to];
    double gain = state_local_mb(st, region, to) - state_local_mb(st, region, from);

    if (list->count == 0)
        return STATE_NONE;
    uint32_t start = balance_draw_below(p->draw, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t at = start + i < list->count ? start + i : start + i - list->count;
        uint32_t other = list->region[at];
        if (gain + (state_local_mb(st, other, from) - state_local_mb(st, other, to)) >= 0)
            return other;
    }
    return STATE_NONE;
}

/* LocalityBasedCandidateGenerator: from a random region on, the first that is not where most of its
   blocks are and can go there. Without known locality that place is server 0 for every region. */
static bool generate_locality(const struct balance_proposer *p, struct balance_action *action)
{
    const struct balance_state *st = p->st;

    if (st->n_regions == 0)
        return false;
    uint32_t start = balance_draw_below(p->draw, st->n_regions);
    for (uint32_t i = 0; i < st->n_regions; i++) {
        uint32_t r = start + i < st->n_regions ? start + i : start + i - st->n_regions;
        uint32_t from = st->regions[r].server, to = st->most_local ? st->most_local[r] : 0;
        if (from == to)
            continue;
        *action = (struct balance_action){from, to, r, STATE_NONE};
        if (st->counts[to] < st->n_regions / st->n_servers)
            return true;
        action->back = find_exchange(p, r, from, to);
        if (action->back != STATE_NONE)
            return true;
    }
    return false;
}

bool balance_propose(struct balance_proposer *p, struct balance_action *a)
{
    uint64_t word = p->draw->next(p->draw->state);
    bool both = word & 1, found;

    switch (pick_generator(p, (double)(word >> 11) * 0x1p-53)) {
    case GENERATOR_LOAD:
        found = generate_load(p, both, a);
        break;
    case GENERATOR_LOCALITY:
        found = generate_locality(p, a);
        break;
    default: /* the rack generator finds no replica and asks the random one */
        found = generate_random(p, both, a);
        break;
    }
    if (found)
        for (int i = 0; i < GENERATORS; i++)
            p->share[i] = p->base[i];
    else
        cumulate(p->share);
    return found;
}
