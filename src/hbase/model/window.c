/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the model tells of itself: one sample window at a time, and the final state of its regions,
   servers and tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/model/act.h"

static char *copy_text(const char *s)
{
    char *p = malloc(strlen(s) + 1);

    return p ? strcpy(p, s) : NULL;
}

static char *key_text(const struct spec_bytes *b)
{
    const struct saltkey_slice s = {b->bytes, b->len};
    const size_t len = saltkey_to_string_binary(s, NULL, 0);
    char *text = malloc(len + 1);

    if (text)
        saltkey_to_string_binary(s, text, len + 1);
    return text;
}

static double grown(const struct region *r)
{
    return (double)(r->writes - r->writes_seen);
}

/* Regions with writes since the last window, by id. */
struct written {
    struct region **regions;
    size_t len;
};

static int find_written(const struct model *m, struct written *out)
{
    out->len = 0;
    out->regions = malloc((m->regions_len + 1) * sizeof *out->regions);
    if (!out->regions)
        return -1;
    for (size_t i = 0; i < m->regions_len; i++)
        if (m->regions[i]->writes != m->regions[i]->writes_seen)
            out->regions[out->len++] = m->regions[i];
    return 0;
}

/* Largest region of each table: the highest share is the one that counts. */
static void hottest_region(const struct model *m, const struct written *wr, struct result_window *w)
{
    for (size_t t = 0; t < m->tables_len; t++) {
        double sum = 0, most = 0;

        for (size_t i = 0; i < wr->len; i++) {
            if (wr->regions[i]->table != (int)t)
                continue;
            sum += grown(wr->regions[i]);
            most = fmax(most, grown(wr->regions[i]));
        }
        if (sum > 0 && !(most / sum <= w->hot_region_share)) {
            w->hot_region_share = most / sum;
            w->hot_region_ratio = most / sum * (double)m->tables[t].regions_len;
        }
    }
}

/* A write tail: a region with at least a tenth of the mean of those that were written. */
static void count_tails(const struct model *m, const struct written *wr, struct result_window *w)
{
    double sum = 0, squares = 0, most = 0;

    for (size_t i = 0; i < wr->len; i++) {
        const double n = grown(wr->regions[i]);

        sum += n;
        squares += n * n;
    }
    w->write_tails = 0;
    for (size_t i = 0; i < wr->len; i++) {
        if (grown(wr->regions[i]) < 0.1 * sum / (double)wr->len)
            continue;
        w->write_tails++;
        w->server_tails[wr->regions[i]->server]++;
    }
    for (size_t s = 0; s < m->servers_len; s++)
        most = fmax(most, w->server_tails[s]);
    w->tails_per_server_max = most;
    w->effective_tails = squares > 0 ? sum * sum / squares : (double)NAN;
}

static void server_load(struct model *m, struct result_window *w)
{
    const des_time now = des_now(m->cal);
    double sum = 0, most = 0, up_s = 0, live;

    for (size_t s = 0; s < m->servers_len; s++) {
        const double n = (double)(m->servers[s].writes - m->servers[s].writes_seen);

        w->server_writes[s] = n;
        sum += n;
        most = fmax(most, n);
        up_s += server_up_s(&m->servers[s], now) - m->servers[s].up_seen_s;
        m->servers[s].up_seen_s = server_up_s(&m->servers[s], now);
    }
    live = w->end_s > w->begin_s ? up_s / (w->end_s - w->begin_s) : (double)model_live_servers(m);
    w->servers = live;
    w->done = sum;
    w->hot_server_ratio = sum > 0 ? most * live / sum : (double)NAN;
}

struct result_window *model_window(struct model *m, des_time begin, des_time end)
{
    struct result_window *w = result_add_window(m->log);
    struct written wr;

    if (!w || find_written(m, &wr) != 0)
        return NULL;
    w->begin_s = des_time_to_s(begin);
    w->end_s = des_time_to_s(end);
    w->hot_region_share = w->hot_region_ratio = NAN;
    server_load(m, w);
    hottest_region(m, &wr, w);
    count_tails(m, &wr, w);
    w->regions = 0;
    for (size_t t = 0; t < m->tables_len; t++)
        w->regions += (double)m->tables[t].regions_len;
    w->flushes = (double)(m->flushes - m->seen.flushes);
    w->compactions = (double)(m->compactions - m->seen.compactions);
    w->splits = (double)(m->splits - m->seen.splits);
    w->moves = (double)(m->moves - m->seen.moves);
    w->refusals = (double)(m->refusals - m->seen.refusals);
    w->connection_losses = (double)(m->connection_losses - m->seen.connection_losses);
    w->blocked_s = m->away_s + recoveries_away_s(m, begin, end);
    m->window_begin = end;
    m->seen = (struct model_counts){m->flushes, m->compactions, m->splits, m->moves, m->refusals,
                                    m->connection_losses};
    m->away_s = 0;
    for (size_t i = 0; i < wr.len; i++)
        wr.regions[i]->writes_seen = wr.regions[i]->writes;
    free(wr.regions);
    for (size_t s = 0; s < m->servers_len; s++)
        m->servers[s].writes_seen = m->servers[s].writes;
    return w;
}

static int finish_region(struct model *m, const struct region *r)
{
    struct result_region *out = result_add_region(m->log);

    if (!out)
        return MODEL_NO_MEMORY;
    out->table = r->table;
    out->start = key_text(&r->start);
    out->end = key_text(&r->end);
    out->bucket = r->bucket;
    out->birth_s = des_time_to_s(r->born);
    out->death_s = r->state == REGION_DEAD ? des_time_to_s(r->died) : (double)NAN;
    out->parent = r->parent;
    out->server_start = r->stays[0].server;
    out->server_end = r->server;
    out->writes = (double)r->writes;
    out->requests = (double)r->requests;
    out->flushes = (double)r->flushes;
    out->compactions = (double)r->compactions;
    out->store_bytes = out->store_files = out->memstore_bytes = out->memstore_heap_bytes = 0;
    for (size_t f = 0; r->table >= 0 && r->state != REGION_DEAD && f < m->tables[r->table].families_len; f++) {
        const struct store *st = &r->stores[f];

        out->store_bytes += (double)store_bytes(st);
        out->store_files += (double)st->files_len;
        out->memstore_bytes += (double)store_data_bytes(st);
        out->memstore_heap_bytes += (double)store_heap_bytes(st);
    }
    return out->start && out->end ? 0 : MODEL_NO_MEMORY;
}

static int finish_servers(struct model *m, des_time end)
{
    double sum = 0;

    for (size_t s = 0; s < m->servers_len; s++)
        sum += (double)m->servers[s].writes;
    for (size_t s = 0; s < m->servers_len; s++) {
        const struct server *sv = &m->servers[s];
        struct result_server *out = &m->log->servers[s];

        out->writes = (double)sv->writes;
        out->up_s = server_up_s(sv, end);
        out->share = sum > 0 ? (double)sv->writes / sum : 0;
        /* Work that was accepted but lies beyond the end is not the run's. */
        out->utilisation = end > 0 ? (sv->cpu_busy_s - (sv->cpu_free > end ? des_time_to_s(sv->cpu_free - end) : 0)) /
                                         des_time_to_s(end) : 0;
        out->regions_end = sv->live ? sv->regions : 0;
        out->flushes = (double)sv->flushes;
        out->compactions = (double)sv->compactions;
        out->splits = (double)sv->splits;
        out->moves_in = (double)sv->moves_in;
        out->moves_out = (double)sv->moves_out;
        out->refusals = (double)sv->refusals;
        out->disk_bytes = sv->disk_bytes;
    }
    return 0;
}

static int finish_tables(struct model *m)
{
    for (size_t t = 0; t < m->tables_len; t++) {
        struct result_table *out = &m->log->tables[t];

        out->writes = out->flushes = out->compactions = out->splits = 0;
        out->store_bytes = out->memstore_bytes = 0;
        for (size_t i = 0; i < m->regions_len; i++) {
            const struct region *r = m->regions[i];
            const struct result_region *rr = &m->log->regions[i];

            if (r->table != (int)t)
                continue;
            out->writes += (double)r->writes;
            out->flushes += (double)r->flushes;
            out->compactions += (double)r->compactions;
            out->splits += r->state == REGION_DEAD;
            out->store_bytes += rr->store_bytes;
            out->memstore_bytes += rr->memstore_bytes;
        }
        out->regions_end = (double)m->tables[t].regions_len;
    }
    return 0;
}

int model_log_start(struct model *m)
{
    struct result_run *log = m->log;

    log->servers = calloc(m->servers_len, sizeof *log->servers);
    log->tables = calloc(m->tables_len, sizeof *log->tables);
    if (!log->servers || !log->tables)
        return MODEL_NO_MEMORY;
    log->servers_len = m->servers_len;
    log->tables_len = m->tables_len;
    for (size_t s = 0; s < m->servers_len; s++) {
        char name[24];

        snprintf(name, sizeof name, "rs%02zu", s);
        log->servers[s].name = copy_text(name);
        log->servers[s].regions_start = m->servers[s].regions;
        log->servers[s].tails = NAN;
        if (!log->servers[s].name)
            return MODEL_NO_MEMORY;
    }
    for (size_t t = 0; t < m->tables_len; t++) {
        const struct spec_table *sp = m->tables[t].spec;
        struct result_table *out = &log->tables[t];

        out->name = copy_text(sp->name);
        out->layout = copy_text(sp->key);
        out->salt = copy_text(sp->salt ? sp->salt : "none");
        out->buckets = sp->buckets;
        out->regions_start = (double)m->tables[t].regions_len;
        if (!out->name || !out->layout || !out->salt)
            return MODEL_NO_MEMORY;
    }
    return 0;
}

static void finish_expired(struct model *m)
{
    struct result_summary *sum = &m->log->summary;

    sum->files_expired = (double)m->files_expired;
    sum->regions_expired = 0;
    for (size_t t = 0; t < m->tables_len; t++)
        for (size_t i = 0; i < m->tables[t].regions_len; i++) {
            const struct region *r = m->regions[m->tables[t].regions[i]];

            sum->regions_expired += r->expired && region_is_empty(m, r);
        }
}

int model_finish(struct model *m, des_time end)
{
    int rc = 0;

    finish_expired(m);

    for (size_t i = 0; i < m->regions_len && rc == 0; i++)
        rc = finish_region(m, m->regions[i]);
    if (rc == 0)
        rc = finish_servers(m, end);
    return rc == 0 ? finish_tables(m) : rc;
}
