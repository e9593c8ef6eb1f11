/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The IoT scenario as a spec, for tests that vary it: 200,000 devices every 5 s on 12 servers. */
#ifndef TESTS_SIM_IOT_H
#define TESTS_SIM_IOT_H

#include <stdlib.h>
#include <string.h>

#include "spec/spec.h"

static inline char *iot_copy(const char *s)
{
    char *p = malloc(strlen(s) + 1);

    if (!p)
        abort();
    return strcpy(p, s);
}

static inline void *iot_zeroed(size_t size)
{
    void *p = calloc(1, size);

    if (!p)
        abort();
    return p;
}

/* One more event, all else of it zero. */
static inline struct spec_event *iot_event(struct spec *sp, double at_s, enum spec_event_kind kind)
{
    struct spec_event *all = realloc(sp->events, (sp->events_len + 1) * sizeof *all);

    if (!all)
        abort();
    sp->events = all;
    all += sp->events_len++;
    *all = (struct spec_event){.at_ns = (int64_t)(at_s * 1e9), .kind = kind};
    return all;
}

/* |buckets| 0 = unsalted; one column v of |value_bytes|. Free with spec_free. */
static inline void iot_spec(struct spec *sp, int buckets, double seconds, int value_bytes)
{
    struct spec_table *t;
    struct spec_stream *s;

    spec_init(sp);
    sp->title = iot_copy("IoT telemetry");
    sp->base_name = iot_copy("iot-telemetry");
    sp->seed = 1;
    sp->duration_ns = (int64_t)(seconds * 1e9);
    sp->compare = SPEC_COMPARE_NO;
    sp->cluster.servers = 12;
    sp->server.write_capacity_per_s = 20000;
    sp->tables = t = iot_zeroed(sizeof *t);
    sp->tables_len = 1;
    t->name = iot_copy("telemetry");
    t->key = iot_copy("ts:be64 device:fixed(16)");
    t->salt = iot_copy("arrays-hash floorMod");
    t->salt_over = iot_copy("key");
    t->buckets = buckets;
    t->splits = SPEC_SPLITS_BUCKETS;
    t->splits_regions = 1;
    t->families = iot_zeroed(sizeof *t->families);
    t->families_len = 1;
    t->families->name = iot_copy("d");
    t->families->blocksize_bytes = 65536;
    t->families->bloom_row = true;
    t->families->columns = iot_zeroed(sizeof *t->families->columns);
    t->families->columns_len = 1;
    t->families->columns->qualifier = iot_copy("v");
    t->families->columns->value_bytes = value_bytes;
    sp->streams = s = iot_zeroed(sizeof *s);
    sp->streams_len = 1;
    s->name = iot_copy("sensors");
    s->tables = iot_zeroed(sizeof *s->tables);
    s->tables[0] = iot_copy("telemetry");
    s->tables_len = 1;
    s->entities = 200000;
    s->arrival = SPEC_ARRIVAL_EVERY;
    s->every_ns = 5 * SPEC_NS_PER_S;
    s->rate_per_s = 40000;
    s->clients = 8;
    s->buffer_bytes = 2097152;
    s->start_ms = INT64_C(1700000000000);
}

/* One table of one region on two servers, keys of 12 bytes that grow with time, cells of 100 bytes. */
static inline void iot_one_region(struct spec *sp, double seconds, double rate)
{
    iot_spec(sp, 0, seconds, 66);
    free(sp->tables->key);
    sp->tables->key = iot_copy("ts:be64 device:be32");
    sp->cluster.servers = 2;
    sp->detail = SPEC_DETAIL_TICK;
    sp->streams->arrival = SPEC_ARRIVAL_CONSTANT;
    sp->streams->rate_per_s = rate;
}

/* A query over the table; the spec owns it. */
static inline void iot_query(struct spec *sp, const char *name, enum spec_query_kind kind, int64_t window_ns)
{
    struct spec_query *q = realloc(sp->queries, (sp->queries_len + 1) * sizeof *q);

    if (!q)
        abort();
    sp->queries = q;
    q += sp->queries_len++;
    memset(q, 0, sizeof *q);
    q->name = iot_copy(name);
    q->table = iot_copy("telemetry");
    q->kind = kind;
    q->window_ns = window_ns;
    q->newest = 100;
    q->rate_per_s = 1e-4; /* seldom enough to load nothing */
}

#endif
