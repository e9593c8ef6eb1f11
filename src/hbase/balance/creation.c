/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "hbase/balance/assign.h"

/* Order in which the directories of a new table's regions are finished. CreateTableProcedure makes
   them in a pool of threads and takes them as they are done (ModifyRegionUtils.createRegions, HBase
   2.6), so the order is the scheduler's. Recorded on a machine of two cores (truth/placement): the
   first tasks end almost shuffled; later ones come in runs, for a thread that has the processor
   often takes the next task too, while the others wait in turn with theirs.

   So: two threads run, the others wait in a queue. One of the two, with even odds, finishes its task
   and takes the next one; then it goes to the end of the queue with probability |yield| and the
   first of the queue runs instead; once in a while it is another one, so that every order which the
   pool allows can come out. |yield| is drawn for each table, for the recorded orders differ far more
   from table to table than one figure would make them. The threads begin in a shuffled order with a
   slight lead for the early ones. The figures were fitted to the rank correlation and to the share
   of neighbours side by side of 215 recorded orders, N = 4 to 300, means and spreads; nothing in
   HBase sets them. */
static const double YIELD_MIN = 0.4, YIELD_MAX = 1.0;
static const double OUT_OF_TURN = 0.02;
static const double LEAD = 0.2; /* of the last thread's start, in units of the shuffle's width */
enum { RUNNING = 2 };

struct pool {
    uint32_t *task; /* ring of waiting threads' tasks */
    uint32_t size;
    uint32_t first, waiting;
};

static uint32_t pool_take(struct pool *p, const struct balance_draw *draw)
{
    uint32_t at = 0;
    if (balance_draw_unit(draw) < OUT_OF_TURN)
        at = balance_draw_below(draw, p->waiting);
    uint32_t task = p->task[(p->first + at) % p->size];
    for (; at > 0; at--)
        p->task[(p->first + at) % p->size] = p->task[(p->first + at - 1) % p->size];
    p->first = p->first + 1 < p->size ? p->first + 1 : 0;
    p->waiting--;
    return task;
}

static void pool_add(struct pool *p, uint32_t task)
{
    p->task[(p->first + p->waiting++) % p->size] = task;
}

/* Fills the queue with tasks 0 ... size - 1 in the order in which the threads get going. */
static void pool_start(struct pool *p, const struct balance_draw *draw, double *key)
{
    for (uint32_t j = 0; j < p->size; j++) {
        double start = j * LEAD / p->size + balance_draw_unit(draw);
        uint32_t at = j;
        for (; at > 0 && key[at - 1] > start; at--) {
            key[at] = key[at - 1];
            p->task[at] = p->task[at - 1];
        }
        key[at] = start;
        p->task[at] = j;
    }
    p->first = 0;
    p->waiting = p->size;
}

static void run_tasks(struct pool *p, const struct balance_draw *draw, size_t n, uint32_t *order)
{
    double yield = YIELD_MIN + (YIELD_MAX - YIELD_MIN) * balance_draw_unit(draw);
    uint32_t running[RUNNING], n_running = 0, next = p->size;

    while (n_running < RUNNING && p->waiting > 0)
        running[n_running++] = pool_take(p, draw);
    for (size_t done = 0; done < n; done++) {
        uint32_t i = balance_draw_below(draw, n_running);
        order[done] = running[i];
        if (next < n) {
            running[i] = next++;
            if (p->waiting > 0 && balance_draw_unit(draw) < yield) {
                uint32_t later = running[i];
                running[i] = pool_take(p, draw);
                pool_add(p, later);
            }
        } else if (p->waiting > 0) {
            running[i] = pool_take(p, draw);
        } else {
            running[i] = running[--n_running];
        }
    }
}

int assign_creation_order(const struct balance_draw *draw, size_t n, uint32_t pool,
                          uint32_t *order)
{
    struct pool p = {.size = pool < n ? pool : (uint32_t)n};

    if (p.size < 2) {
        for (size_t i = 0; i < n; i++)
            order[i] = (uint32_t)i;
        return BALANCE_OK;
    }
    p.task = malloc(p.size * sizeof(*p.task));
    double *key = malloc(p.size * sizeof(*key));
    if (p.task && key) {
        pool_start(&p, draw, key);
        run_tasks(&p, draw, n, order);
    }
    int error = p.task && key ? BALANCE_OK : BALANCE_NO_MEMORY;
    free(p.task);
    free(key);
    return error;
}
