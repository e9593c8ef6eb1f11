/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cluster that begins as a state file has it: regions on given servers, with two samples of load
   behind them. What their old files hold is not known: their sizes count for the balancer alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/model/act.h"

/* Counters of the older sample: only their growth counts. */
#define COUNTER_BASE 1000

bool state_has_table(const struct model *m, const char *name)
{
    for (size_t i = 0; i < m->spec->cluster.state_len; i++)
        if (strcmp(m->spec->cluster.state[i].table, name) == 0)
            return true;
    return false;
}

static void take_load(struct model *m, struct region *r, const struct spec_state_region *given)
{
    const uint32_t files = (uint32_t)given->store_mb;
    const struct load_sample older = {COUNTER_BASE, COUNTER_BASE, (uint32_t)given->memstore_mb[0], files};
    const struct load_sample newer = {COUNTER_BASE + (uint64_t)given->write_delta,
                                      COUNTER_BASE + (uint64_t)given->read_delta, (uint32_t)given->memstore_mb[1],
                                      files};

    r->given = given;
    region_add_load(m, r, &older);
    region_add_load(m, r, &newer);
}

/* Index of another table's name; -1 without memory. */
static int other_table(struct model *m, const char *name)
{
    char **all;

    for (size_t i = 0; i < m->others_len; i++)
        if (strcmp(m->others[i], name) == 0)
            return (int)i;
    all = realloc(m->others, (m->others_len + 1) * sizeof *all);
    if (!all)
        return -1;
    m->others = all;
    all[m->others_len] = malloc(strlen(name) + 1);
    if (!all[m->others_len])
        return -1;
    strcpy(all[m->others_len], name);
    return (int)m->others_len++;
}

/* hbase:meta and hbase:namespace are where the file has them, or nowhere; regions of tables that
   the scenario doesn't have stay the balancer's alone. */
int state_add_others(struct model *m)
{
    static const char *const system[] = {"hbase:meta", "hbase:namespace"};
    const struct spec_cluster *cl = &m->spec->cluster;

    if (cl->state_len == 0)
        return 0;
    for (int k = 0; k < 2; k++) {
        m->regions[k]->hidden = true;
        m->servers[m->regions[k]->server].regions--;
        m->regions[k]->server = -1;
    }
    for (size_t i = 0; i < cl->state_len; i++) {
        const struct spec_state_region *given = &cl->state[i];
        struct region *r = NULL;

        if (spec_table_by_name(m->spec, given->table))
            continue;
        for (int k = 0; k < 2; k++)
            if (strcmp(given->table, system[k]) == 0)
                r = m->regions[k];
        if (r) {
            r->hidden = false;
            r->server = r->stays[0].server = given->server;
        } else {
            const int other = other_table(m, given->table);

            r = other >= 0 ? model_add_region(m, -1, given->server) : NULL;
            if (!r)
                return MODEL_NO_MEMORY;
            r->other = 3 + other;
        }
        m->servers[given->server].regions++;
        take_load(m, r, given);
    }
    return 0;
}

static int by_start(const void *a, const void *b)
{
    const struct spec_bytes *x = &(*(const struct spec_state_region *const *)a)->start;
    const struct spec_bytes *y = &(*(const struct spec_state_region *const *)b)->start;
    const size_t n = x->len < y->len ? x->len : y->len;
    const int c = n > 0 ? memcmp(x->bytes, y->bytes, n) : 0;

    return c != 0 ? c : (x->len > y->len) - (x->len < y->len);
}

static int add_regions(struct model *m, struct table *t, const struct spec_state_region **at, size_t n)
{
    const struct saltkey_slice open = {NULL, 0};

    for (size_t i = 0; i < n; i++) {
        const struct saltkey_slice start = {at[i]->start.bytes, at[i]->start.len};
        const struct saltkey_slice end = i + 1 < n ? (struct saltkey_slice){at[i + 1]->start.bytes, at[i + 1]->start.len}
                                                   : open;
        struct region *r;
        int rc;

        if (i > 0 && by_start(&at[i - 1], &at[i]) == 0)
            return MODEL_BAD_SPLITS;
        r = model_add_region(m, t->index, at[i]->server);
        rc = r ? region_set_bounds(r, t, start, end) : MODEL_NO_MEMORY;
        if (rc != 0)
            return rc;
        t->regions[i] = r->id;
        t->prefixes[i] = r->start_prefix;
        t->regions_len++;
        m->servers[r->server].regions++;
        take_load(m, r, at[i]);
        region_opened(m, r);
    }
    return 0;
}

int state_create_table(struct model *m, struct table *t)
{
    const struct spec_cluster *cl = &m->spec->cluster;
    const struct spec_state_region **at = malloc((cl->state_len + 1) * sizeof *at);
    size_t n = 0;
    int rc = MODEL_NO_MEMORY;

    t->regions = malloc((cl->state_len + 1) * sizeof *t->regions);
    t->prefixes = malloc((cl->state_len + 1) * sizeof *t->prefixes);
    t->regions_cap = cl->state_len;
    if (at && t->regions && t->prefixes) {
        for (size_t i = 0; i < cl->state_len; i++)
            if (strcmp(cl->state[i].table, t->spec->name) == 0)
                at[n++] = &cl->state[i];
        qsort(at, n, sizeof *at, by_start);
        rc = add_regions(m, t, at, n);
    }
    free(at);
    return rc;
}
