/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/model/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/model/act.h"
#include "spec/scheme.h"

void model_fail(struct model *m, int error)
{
    if (m->error == 0)
        m->error = error;
    des_stop(m->cal, error);
}

struct region *model_add_region(struct model *m, int table, int server)
{
    struct region *r;
    const size_t families = table >= 0 ? m->tables[table].families_len : 0;

    if (m->regions_len == m->regions_cap) {
        size_t cap = m->regions_cap ? m->regions_cap * 2 : 64;
        struct region **regions = realloc(m->regions, cap * sizeof(*regions));

        if (!regions)
            return NULL;
        m->regions = regions;
        m->regions_cap = cap;
    }
    r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->id = (int)m->regions_len;
    r->table = table;
    r->server = server;
    r->bucket = r->parent = r->daughters[0] = r->daughters[1] = r->split_event = -1;
    r->counted_on = -1;
    r->resized = true;
    r->flushed_seqid = -1;
    r->lost_at = r->flush_delayed = DES_NEVER;
    r->wal_from = r->wal_snapshot_from = UINT64_MAX;
    r->wal_listed = -1;
    r->next_seqid = 4; /* a new region's first batch carries 4 (recorded) */
    r->born = des_now(m->cal);
    r->stores = calloc(families > 0 ? families : 1, sizeof *r->stores);
    m->regions[m->regions_len++] = r;
    m->other_regions += table < 0;
    if (!r->stores || region_stay(r, r->born, server) != 0)
        return NULL;
    for (size_t f = 0; f < families; f++)
        store_init(&r->stores[f], &m->tables[table].families[f], m->tables[table].key_max, &m->samples);
    for (size_t f = 0; f < families; f++)
        store_expect(&r->stores[f], m->tables[table].flush_bytes);
    return r;
}

int region_stay(struct region *r, des_time from, int server)
{
    if (r->stays_len == r->stays_cap) {
        size_t cap = r->stays_cap ? r->stays_cap * 2 : 2;
        struct region_stay *stays = realloc(r->stays, cap * sizeof *stays);

        if (!stays)
            return -1;
        r->stays = stays;
        r->stays_cap = cap;
    }
    r->stays[r->stays_len++] = (struct region_stay){from, server};
    return 0;
}

/* A region that serves nobody here but counts for the balancer. */
static int add_other_region(struct model *m, int server, int other)
{
    struct region *r = model_add_region(m, -1, server);

    if (!r)
        return MODEL_NO_MEMORY;
    r->other = other;
    r->opened = r->born;
    m->servers[server].regions++;
    return 0;
}

/* hbase:meta and hbase:namespace on two different servers, then the other tables' regions. */
static int add_other_regions(struct model *m)
{
    const uint32_t n = (uint32_t)m->spec->cluster.servers;
    const uint32_t meta = des_uniform_u32(&m->streams.placement, n);
    uint32_t other = n > 1 ? des_uniform_u32(&m->streams.placement, n - 1) : 0;
    int rc;

    if (n > 1 && other >= meta)
        other++;
    rc = add_other_region(m, (int)meta, 0);
    if (rc == 0)
        rc = add_other_region(m, (int)other, 1);
    for (uint32_t s = 0; s < n && rc == 0; s++)
        for (int k = 0; k < m->spec->cluster.background_regions_per_server && rc == 0; k++)
            rc = add_other_region(m, (int)s, 2);
    return rc == 0 ? state_add_others(m) : rc;
}

static int add_tables(struct model *m, const size_t *row_max)
{
    int rc = 0;

    m->tables = calloc(m->spec->tables_len, sizeof *m->tables);
    if (!m->tables)
        return MODEL_NO_MEMORY;
    for (size_t i = 0; i < m->spec->tables_len && rc == 0; i++) {
        struct table *t = &m->tables[i];

        m->tables_len++;
        t->index = (int)i;
        t->key_max = row_max[i];
        if (spec_table_scheme(&m->spec->tables[i], &t->scheme, NULL) != 0)
            return MODEL_BAD_SPLITS;
        t->buckets = t->scheme.salt.hash == SALTKEY_HASH_NONE ? 1 : (uint32_t)t->scheme.salt.buckets;
        rc = table_create(m, t, &m->spec->tables[i]);
    }
    return rc;
}

int model_new(const struct spec *sp, const size_t *row_max, struct des_calendar *cal,
              struct result_run *log, struct model **out)
{
    struct model *m = calloc(1, sizeof *m);
    int rc;

    if (!m)
        return MODEL_NO_MEMORY;
    m->spec = sp;
    m->cal = cal;
    m->log = log;
    sample_budget_init(&m->samples, sp->sample_keys > 0 ? (size_t)sp->sample_keys : 0);
    m->epoch_ms = UINT64_MAX;
    for (size_t i = 0; i < sp->streams_len; i++)
        if ((uint64_t)sp->streams[i].start_ms < m->epoch_ms)
            m->epoch_ms = (uint64_t)sp->streams[i].start_ms;
    if (sp->streams_len == 0)
        m->epoch_ms = UINT64_C(1700000000000);
    m->balancer_on = true;
    m->row_ns = 1e9 / sp->server.write_capacity_per_s;
    m->pressure = memstore_pressure_limits((uint64_t)sp->cluster.heap_bytes, sp->hbase.global_memstore_size,
                                           sp->hbase.global_memstore_lower);
    des_stream_init(&m->streams.placement, sp->seed, "placement");
    des_stream_init(&m->streams.jitter, sp->seed, "jitter");
    des_stream_init(&m->streams.balancer, sp->seed, "balancer");
    des_stream_init(&m->streams.chores, sp->seed, "chores");
    des_stream_init(&m->streams.events, sp->seed, "events");
    des_stream_init(&m->streams.checks, sp->seed, "compaction checker");
    des_stream_init(&m->streams.normalizer, sp->seed, "normalizer");
    des_stream_init(&m->streams.flusher, sp->seed, "periodic flusher");
    balance_options(&sp->hbase, &m->balancer);
    rc = servers_add(m);
    if (rc == 0)
        rc = add_other_regions(m);
    if (rc == 0)
        rc = add_tables(m, row_max);
    if (rc == 0)
        rc = model_log_start(m);
    if (rc == 0)
        rc = chores_start(m);
    if (rc == 0)
        rc = operations_start(m);
    if (rc == 0)
        normalizer_start(m);
    if (rc == 0)
        rc = m->error;
    if (rc != 0) {
        model_free(m);
        return rc;
    }
    *out = m;
    return 0;
}

void model_free(struct model *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->regions_len; i++) {
        struct region *r = m->regions[i];

        for (size_t f = 0; r->stores && r->table >= 0 && f < m->tables[r->table].families_len; f++)
            store_free(&r->stores[f]);
        free(r->stores);
        free(r->stays);
        free(r->load);
        free(r->start.bytes);
        free(r->end.bytes);
        free(r->split_key.bytes);
        free(r);
    }
    for (size_t i = 0; i < m->tables_len; i++)
        table_free(&m->tables[i]);
    for (size_t i = 0; m->servers && i < m->servers_len; i++) {
        disk_free(&m->servers[i].disk);
        free(m->servers[i].flush_queue);
        free(m->servers[i].compaction_queue);
        free(m->servers[i].wal_regions);
    }
    compactions_free(m);
    flushes_free(m);
    merges_free(m);
    free(m->periodic.edits);
    free(m->regions);
    free(m->tables);
    free(m->servers);
    free(m->to_discharge);
    free(m->server_list);
    free(m->targets);
    free(m->execution.plans);
    recoveries_free(m);
    operations_free(m);
    for (size_t i = 0; i < m->others_len; i++)
        free(m->others[i]);
    free(m->others);
    free(m);
}

struct result_event *model_log(struct model *m, const char *kind, const struct region *r, const char *rule)
{
    struct result_event *e;

    if (m->brief && (strcmp(kind, "flush") == 0 || strcmp(kind, "compaction") == 0))
        return NULL;
    e = result_add_event(m->log);
    if (!e) {
        model_fail(m, MODEL_NO_MEMORY);
        return NULL;
    }
    e->at_s = des_time_to_s(des_now(m->cal));
    e->kind = kind;
    e->rule = rule;
    e->threshold = NAN;
    if (r) {
        e->table = r->table;
        e->region = r->id;
        e->server = r->server;
    }
    return e;
}

void model_log_input(struct result_event *e, const char *name, double value)
{
    result_event_add_input(e, name, value);
}

void model_log_text(struct result_event *e, const char *fmt, ...)
{
    char text[512];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    free(e->text);
    e->text = malloc(strlen(text) + 1);
    if (e->text)
        memcpy(e->text, text, strlen(text) + 1);
}

int model_check(const struct model *m)
{
    uint64_t by_region = 0, by_server = 0;

    for (size_t i = 0; i < m->tables_len; i++) {
        const struct table *t = &m->tables[i];

        for (size_t k = 0; k < t->regions_len; k++) {
            const struct region *r = m->regions[t->regions[k]];
            const struct region *after = k + 1 < t->regions_len ? m->regions[t->regions[k + 1]] : NULL;

            if (r->state == REGION_DEAD || (k == 0 && r->start.len > 0))
                return MODEL_BROKEN;
            if (r->counted_on != (r->state == REGION_OPEN ? r->server : -1))
                return MODEL_BROKEN;
            if (!after) {
                if (r->end.len > 0)
                    return MODEL_BROKEN;
            } else if (r->end.len != after->start.len ||
                       memcmp(r->end.bytes, after->start.bytes, r->end.len) != 0) {
                return MODEL_BROKEN;
            }
        }
    }
    for (size_t i = 0; i < m->regions_len; i++)
        by_region += m->regions[i]->writes;
    for (size_t i = 0; i < m->servers_len; i++)
        by_server += m->servers[i].writes;
    return by_region == by_server ? 0 : MODEL_BROKEN;
}
