/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server's global memstore limit (RegionServerAccounting, MemStoreFlusher.reclaimMemStoreMemory): at the
   low mark a flusher is woken and takes one region after the other until the sum is below it; at the
   limit handlers wait. */
#include <stdlib.h>

#include "hbase/model/act.h"
#include "hbase/model/call.h"

static bool counts_here(const struct region *r, const struct server *s)
{
    return r->table >= 0 && r->server == s->index && (r->state == REGION_OPEN || r->state == REGION_CLOSING);
}

uint64_t server_heap_bytes(const struct model *m, const struct server *s)
{
    uint64_t sum = s->other_heap_bytes;

    for (size_t t = 0; t < m->tables_len; t++)
        for (size_t i = 0; i < m->tables[t].regions_len; i++) {
            const struct region *r = m->regions[m->tables[t].regions[i]];

            if (counts_here(r, s))
                sum += region_heap_bytes(r, &m->tables[t]);
        }
    return sum;
}

void pressure_lowered(struct server *s, const struct region *r, uint64_t heap_bytes)
{
    if (counts_here(r, s))
        s->heap_bound_bytes -= heap_bytes < s->heap_bound_bytes ? heap_bytes : s->heap_bound_bytes;
}

/* The sum is computed only where its upper bound reaches the low mark: closes and moves lower it without
   telling. */
static enum memstore_pressure look(const struct model *m, struct server *s)
{
    if (s->heap_bound_bytes < m->pressure.low_mark_bytes)
        return MEMSTORE_PRESSURE_NONE;
    s->heap_bound_bytes = server_heap_bytes(m, s);
    return memstore_pressure(&m->pressure, s->heap_bound_bytes);
}

enum memstore_pressure pressure_wake(struct model *m, struct server *s)
{
    const enum memstore_pressure p = look(m, s);

    if (p == MEMSTORE_PRESSURE_NONE)
        return p;
    s->pressure_wake = true;
    server_try_flush(m, s);
    return p;
}

static void log_blocked(struct model *m, const struct server *s)
{
    struct result_event *e = model_log(m, "updates blocked", NULL, "hbase.regionserver.global.memstore.size");

    if (!e)
        return;
    e->server = s->index;
    e->threshold = (double)m->pressure.limit_bytes;
    model_log_input(e, "heap_bytes", (double)s->heap_bound_bytes);
    model_log_text(e, "memstores of the server have reached %.0f MiB: writes wait for a flush",
                   e->threshold / 1048576.0);
}

bool pressure_holds(struct model *m, struct server *s)
{
    if (pressure_wake(m, s) != MEMSTORE_PRESSURE_LIMIT)
        return false;
    if (s->held_since == DES_NEVER) {
        s->held_since = des_now(m->cal);
        log_blocked(m, s);
    }
    return true;
}

bool model_blocks_updates(struct model *m, int server)
{
    return pressure_holds(m, &m->servers[server]);
}

static void log_held(struct model *m, struct server *s)
{
    struct result_event *e = model_log(m, "updates resumed", NULL, "hbase.regionserver.global.memstore.size");
    const double held_s = des_time_to_s(des_now(m->cal) - s->held_since);

    s->held_s += held_s;
    s->held_since = DES_NEVER;
    if (!e)
        return;
    e->server = s->index;
    e->threshold = (double)m->pressure.limit_bytes;
    model_log_input(e, "blocked_s", held_s);
    model_log_text(e, "writes had waited %.3f s for a flush", held_s);
}

void pressure_flushed(struct model *m, struct server *s)
{
    const enum memstore_pressure p = look(m, s);

    s->pressure_wake = p != MEMSTORE_PRESSURE_NONE;
    if (p == MEMSTORE_PRESSURE_LIMIT || s->held_since == DES_NEVER)
        return;
    log_held(m, s);
    server_release_calls(m, s);
}

/* A flush would write something. MemStoreFlusher leaves alone what has nothing ("no flushable region"):
   else it would flush empty regions without end while full ones are being written. */
static bool has_cells(const struct region *r, const struct table *t)
{
    for (size_t f = 0; f < t->families_len; f++)
        if (r->stores[f].active.cells > 0)
            return true;
    return false;
}

/* MemStoreFlusher.flushOneForGlobalPressure; NULL where no region can be flushed now. */
struct region *pressure_choose(struct model *m, struct server *s)
{
    struct memstore_pressure_region *in;
    int *ids;
    size_t n = 0, most = 0;
    ptrdiff_t chosen = -1;
    struct region *r = NULL;

    if (look(m, s) == MEMSTORE_PRESSURE_NONE)
        return NULL;
    for (size_t t = 0; t < m->tables_len; t++)
        most += m->tables[t].regions_len;
    in = malloc((most + 1) * sizeof *in);
    ids = malloc((most + 1) * sizeof *ids);
    for (size_t t = 0; in && ids && t < m->tables_len; t++)
        for (size_t i = 0; i < m->tables[t].regions_len; i++) {
            const struct region *o = m->regions[m->tables[t].regions[i]];

            if (o->server != s->index || o->state != REGION_OPEN || !has_cells(o, &m->tables[t]))
                continue;
            in[n] = (struct memstore_pressure_region){region_heap_bytes(o, &m->tables[t]),
                                                      region_most_files(o, &m->tables[t]), o->flushing};
            ids[n++] = o->id;
        }
    if (!in || !ids)
        model_fail(m, MODEL_NO_MEMORY);
    else
        chosen = memstore_pressure_choose(in, n, (uint32_t)m->spec->hbase.blocking_store_files);
    if (chosen >= 0)
        r = m->regions[ids[chosen]];
    free(in);
    free(ids);
    return r;
}
