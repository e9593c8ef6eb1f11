/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that come and go during a run: CreateTableProcedure at a given time; disable and
   DeleteTableProcedure, which wait until no region of the table is on its way. */
#include <stdlib.h>
#include <string.h>

#include "hbase/model/act.h"
#include "hbase/model/admin.h"

#define LOOK_AGAIN (100 * DES_MS)

bool table_comes_later(const struct model *m, const struct table *t)
{
    for (size_t i = 0; i < m->spec->events_len; i++)
        if (m->spec->events[i].kind == SPEC_EVENT_CREATE_TABLE && strcmp(m->spec->events[i].table, t->spec->name) == 0)
            return true;
    return false;
}

static struct result_event *log_table(struct model *m, const struct table *t, const char *kind, const char *rule)
{
    struct result_event *e = model_log(m, kind, NULL, rule);

    if (e)
        e->table = t->index;
    return e;
}

void table_created(struct model *m, struct table *t)
{
    struct result_event *e;
    const int rc = table_place(m, t);

    if (rc != 0) {
        model_fail(m, rc);
        return;
    }
    e = log_table(m, t, "create table", "CreateTableProcedure");
    if (e)
        model_log_text(e, "%s is created with %zu region%s", t->spec->name, t->regions_len, t->regions_len == 1 ? "" : "s");
}

static void bury(struct model *m, struct table *t, double *bytes)
{
    for (size_t i = 0; i < t->regions_len; i++) {
        struct region *r = m->regions[t->regions[i]];

        for (size_t f = 0; f < t->families_len; f++)
            *bytes += (double)store_bytes(&r->stores[f]);
        region_bury(m, r);
        m->servers[r->server].regions--;
    }
    memset(t->hints, 0, t->buckets * sizeof *t->hints);
    t->regions_len = 0;
}

static void drop(struct des_calendar *cal, void *self, uint64_t table)
{
    struct model *m = self;
    struct table *t = &m->tables[table];
    struct result_event *e;
    const size_t regions = t->regions_len;
    double bytes = 0;
    bool all = true;

    for (size_t i = 0; i < t->regions_len; i++) {
        struct region *r = m->regions[t->regions[i]];

        if (r->state == REGION_OPEN && r->trip == TRIP_NONE)
            region_leave(m, r, TRIP_DISABLE);
        all &= r->state == REGION_DISABLED;
    }
    if (!all) {
        des_after(cal, LOOK_AGAIN, (struct des_action){.run = drop, .self = m, .arg = table});
        return;
    }
    bury(m, t, &bytes);
    e = log_table(m, t, "drop table", "DeleteTableProcedure");
    if (!e)
        return;
    model_log_input(e, "regions", (double)regions);
    model_log_input(e, "store_bytes", bytes);
    model_log_text(e, "%s is dropped: %zu region%s, %.1f MiB of files", t->spec->name, regions, regions == 1 ? "" : "s",
                   bytes / 1048576.0);
}

void table_dropped(struct model *m, struct table *t)
{
    drop(m->cal, m, (uint64_t)t->index);
}
