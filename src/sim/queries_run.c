/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queries while a run goes: moments, pools, load. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/queries.h"

#define PRECISION 7
#define LATENCY_MOST ((uint64_t)24 * (uint64_t)DES_HOUR)
/* The load is found anew at every so many moments. */
#define LOAD_EVERY 16
/* Of so many moments one has a fresh walk, where walks have many calls. */
#define WALK_EVERY 4
#define WALK_CALLS 64
/* About as many rows as a reply holds. */
#define REPLY_ROWS 20000

/* Grows with each change of boundaries or servers. */
static uint64_t epoch_of(const struct model *m)
{
    return m->splits + m->merges + m->moves;
}

static des_time now_of(const struct queries *q)
{
    return q->settled ? *q->settled : des_now(q->model->cal);
}

/* Rows of the table when each scan of a newest finds more than it takes. */
static uint64_t enough(const struct query_run *r)
{
    const struct reader_rows *rr = r->reader.rows;
    const uint64_t k = (uint64_t)r->reader.query->newest, reply = r->reader.query->stop_merge ? REPLY_ROWS : 0;

    return r->reader.query->field ? 2 * k * rr->keys->arrivals->entities : 2 * rr->buckets * (k > reply ? k : reply);
}

/* What the query asks for has been written, or half of the run is over. */
static bool warm(const struct queries *q, const struct query_run *r)
{
    const struct spec_query *qry = r->reader.query;
    const des_time now = now_of(q);

    switch (qry->kind) {
    case SPEC_QUERY_RANGE:
    case SPEC_QUERY_HISTORY:
        return now >= qry->window_ns || now >= q->end / 2;
    case SPEC_QUERY_NEWEST:
        return r->reader.rows->written >= enough(r) || now >= q->end / 2;
    default:
        return r->reader.rows->written > 0;
    }
}

static void count(struct query_run *r, const struct reader_walk *w)
{
    r->walks++;
    r->scans += (double)w->scans;
    r->regions += (double)w->cost.regions;
    r->rpcs += (double)w->cost.rpcs;
    r->rows_scanned += (double)w->cost.rows_scanned;
    r->rows_returned += (double)w->cost.rows_returned;
    r->bytes += (double)w->cost.bytes;
    r->rows_right += w->rows_right;
    r->rows_got += w->rows_got;
    r->filtered |= w->filtered;
}

/* One more walk into the pool, in the place of the oldest. The moment has looked at the rows. */
static int walk(struct queries *q, struct query_run *r)
{
    struct reader_walk *w = &r->pool[r->next];
    int rc;

    r->reader.now = now_of(q);
    rc = reader_walk(&r->reader, w);
    if (rc != 0)
        return rc;
    r->next = (r->next + 1) % q->pool_most;
    r->pool_len = r->pool_len < q->pool_most ? r->pool_len + 1 : q->pool_most;
    r->sampled += r->warm;
    return 0;
}

static int fill_pool(struct queries *q, struct query_run *r)
{
    int rc = 0;

    r->pool_len = r->next = 0;
    for (size_t k = 0; rc == 0 && k < q->pool_most; k++)
        rc = walk(q, r);
    return rc;
}

/* ---- load ---- */

static double table_bytes(const struct model *m, const struct table *t)
{
    double bytes = 0;

    for (size_t i = 0; i < t->regions_len; i++)
        for (size_t f = 0; f < t->families_len; f++)
            bytes += (double)store_bytes(&m->regions[t->regions[i]]->stores[f]);
    return bytes;
}

static double block_bytes(const struct query_run *r)
{
    return (double)r->reader.rows->table->spec->families[0].blocksize_bytes;
}

/* So many of the pool's walks tell the load: all where their calls are few. */
#define LOAD_RPCS 20000
static size_t load_stride(const struct query_run *r)
{
    const size_t each = r->pool_len > 0 ? r->pool[0].rpcs_len : 0, all = each * r->pool_len;
    const size_t stride = all / LOAD_RPCS + 1, most = r->pool_len >= 16 ? r->pool_len / 8 : 1;

    return stride < most ? stride : most;
}

/* The query's blocks as the block caches of all servers see them. */
static struct cache_class class_of(const struct queries *q, const struct query_run *r)
{
    const struct spec_query *qry = r->reader.query;
    const struct reader_rows *rr = r->reader.rows;
    const double whole = table_bytes(q->model, rr->table), window_s = (double)qry->window_ns / 1e9;
    struct cache_class c = {0, qry->rate_per_s, 0, false, 0};
    const size_t stride = load_stride(r);
    double bytes = 0, walks = 0;

    for (size_t i = 0; i < r->pool_len; i += stride, walks++)
        for (size_t k = 0; k < r->pool[i].rpcs_len; k++)
            bytes += read_blocks(&r->pool[i].rpcs[k], rr->row_bytes, block_bytes(r)) * block_bytes(r);
    bytes /= fmax(1, walks);
    /* A row or an entity anywhere: any block of the table at random. */
    if (qry->kind == SPEC_QUERY_GET || qry->kind == SPEC_QUERY_MULTIGET || (qry->field && !r->filtered)) {
        c.bytes = whole;
        c.per_s = whole > 0 ? qry->rate_per_s * bytes / whole : 0;
        return c;
    }
    c.bytes = fmin(bytes, whole);
    c.once = qry->kind == SPEC_QUERY_FULL;
    if (qry->kind == SPEC_QUERY_RANGE && window_s > 0)
        c.fresh = fmin(1, 1 / (qry->rate_per_s * window_s));
    return c;
}

static int find_hits(struct queries *q)
{
    const struct spec *sp = q->model->spec;
    const double cache = sp->hbase.block_cache_size * (double)sp->cluster.heap_bytes *
                         (double)model_live_servers(q->model);
    struct cache_class *classes = calloc(q->runs_len + 1, sizeof *classes);

    if (!classes)
        return MODEL_NO_MEMORY;
    for (size_t i = 0; i < q->runs_len; i++)
        if (q->runs[i].has_reader)
            classes[i] = class_of(q, &q->runs[i]);
    read_cache_hits(cache, classes, q->runs_len);
    for (size_t i = 0; i < q->runs_len; i++)
        q->runs[i].reader.hit = classes[i].hit;
    free(classes);
    return 0;
}

/* Adds what one kind puts on each server, per second; returns the busiest server's share for it. */
static double add_load(struct queries *q, struct query_run *r)
{
    const size_t stride = load_stride(r), walks = (r->pool_len + stride - 1) / stride;
    const double each = r->reader.query->rate_per_s / (double)(walks ? walks : 1);
    const struct spec_server *sv = &q->model->spec->server;
    double *mine = calloc(q->model->servers_len + 1, sizeof *mine), most = 0;

    for (size_t i = 0; mine && i < r->pool_len; i += stride) {
        for (size_t k = 0; k < r->pool[i].rpcs_len; k++) {
            const struct read_rpc *rpc = &r->pool[i].rpcs[k];
            const double ns = read_cpu_ns(sv, rpc);

            mine[rpc->server] += each * ns / 1e9;
            q->cpu[rpc->server] += each * ns / 1e9;
            q->cpu2[rpc->server] += each * ns * ns / 1e9;
            q->disk[rpc->server] += each * (1 - r->reader.hit) * block_bytes(r) *
                                    read_blocks(rpc, r->reader.rows->row_bytes, block_bytes(r));
        }
    }
    for (size_t s = 0; mine && s < q->model->servers_len; s++) {
        most = fmax(most, mine[s]);
        r->on[s] = mine[s] > 0;
    }
    free(mine);
    return most;
}

/* Of what is asked of the busiest server that has a part of the query. */
static void note_asked(const struct queries *q, struct query_run *r)
{
    double most = 0;

    for (size_t s = 0; s < q->model->servers_len; s++)
        if (r->on[s])
            most = fmax(most, q->cpu[s] + q->model->servers[s].write_demand);
    r->asked += most;
    r->asked_n++;
}

static int set_load(struct queries *q)
{
    const struct spec *sp = q->model->spec;
    const size_t n = q->model->servers_len;
    /* Shares are of the time that pauses of the garbage collector leave, as those of writes are. */
    const double of_time = sp->server.write_capacity_per_s / spec_write_capacity_per_s(sp);
    double most = 0;

    if (find_hits(q) != 0 || queries_note_demand(q) != 0)
        return MODEL_NO_MEMORY;
    memset(q->cpu, 0, n * sizeof *q->cpu);
    memset(q->cpu2, 0, n * sizeof *q->cpu2);
    memset(q->disk, 0, n * sizeof *q->disk);
    for (size_t i = 0; i < q->runs_len; i++)
        if (q->runs[i].has_reader)
            q->runs[i].server_share = add_load(q, &q->runs[i]) * of_time;
    for (size_t s = 0; s < n; s++) {
        const double residual_ns = q->cpu[s] > 0 ? q->cpu2[s] / (2 * q->cpu[s]) : 0;
        struct read_load load;

        q->cpu[s] *= of_time;
        load = (struct read_load){q->cpu[s], residual_ns, q->disk[s]};
        read_set_load(q->model, (int)s, &load);
        most = fmax(most, q->cpu[s]);
    }
    q->busiest += most;
    q->looks++;
    for (size_t i = 0; i < q->runs_len; i++)
        if (q->runs[i].has_reader && q->runs[i].warm)
            note_asked(q, &q->runs[i]);
    return 0;
}

/* HBase's read counters: a row returned is one, a call that brings none too. */
static void count_requests(struct queries *q, struct query_run *r, const struct reader_walk *w)
{
    const double times = r->reader.query->rate_per_s * des_time_to_s(q->step);

    for (size_t k = 0; k < w->rpcs_len; k++) {
        const double n = times * (double)(w->rpcs[k].gets > 0 ? w->rpcs[k].gets : fmax(1, (double)w->rpcs[k].rows));

        q->model->regions[w->rpcs[k].region]->reads += (uint64_t)(n + des_uniform(&q->moments));
    }
}

/* ---- moments ---- */

static int ask(struct queries *q, struct query_run *r, bool anew)
{
    const bool was = r->warm;
    const struct reader_walk *w;
    struct reader_times times;
    int rc = 0;

    r->warm = r->warm || warm(q, r);
    if (anew || r->warm != was || r->pool_len == 0)
        rc = fill_pool(q, r);
    else if (q->moment % WALK_EVERY == 0 || r->pool[0].rpcs_len <= WALK_CALLS)
        rc = walk(q, r);
    if (rc != 0)
        return rc;
    w = &r->pool[des_uniform_u64(&q->moments, r->pool_len)];
    count_requests(q, r, w);
    if (q->load_only)
        return 0;
    rc = reader_time(&r->reader, w, &q->backlogs, &times);
    if (rc == 0 && r->warm) {
        count(r, w);
        r->retries += (double)times.retries;
        des_histogram_record(&r->latency, (uint64_t)fmin(times.us * 1000, (double)LATENCY_MOST));
        for (size_t i = 0; i < times.alone_len; i++)
            des_histogram_record(&r->alone, (uint64_t)fmin(times.alone_us[i] * 1000, (double)LATENCY_MOST));
    }
    return rc;
}

static void next_moment(struct queries *q)
{
    const double at = (double)q->step * ((double)q->moment + des_uniform(&q->moments));
    const des_time now = des_now(q->model->cal), then = des_time_from_ns(at);

    if (then < q->end)
        des_slot_set(q->model->cal, q->slot, then > now ? then : now);
}

static void moment(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct queries *q = self;
    const uint64_t epoch = epoch_of(q->model);
    const bool anew = epoch != q->epoch && des_now(cal) >= q->epoch_at + q->epoch_least;
    int rc = 0;

    (void)arg;
    for (size_t i = 0; i < q->rows_len && rc == 0; i++)
        rc = reader_rows_now(&q->rows[i]);
    reader_backlogs_take(&q->backlogs, q->model);
    for (size_t i = 0; i < q->runs_len && rc == 0; i++)
        if (q->runs[i].has_reader)
            rc = ask(q, &q->runs[i], anew);
    if (anew) {
        q->epoch = epoch;
        q->epoch_at = des_now(cal);
    }
    if (rc == 0 && (anew || q->moment % q->load_every == 0))
        rc = set_load(q);
    if (rc != 0)
        model_fail(q->model, rc);
    q->moment++;
    next_moment(q);
}

/* ---- life ---- */

static struct reader_rows *rows_of_table(struct queries *q, const struct queries_source *src, int *rc)
{
    struct reader_rows *rr;

    for (size_t i = 0; i < q->rows_len; i++)
        if (q->rows[i].table->index == src->table)
            return &q->rows[i];
    rr = &q->rows[q->rows_len];
    *rc = reader_rows_init(rr, q->model, &q->model->tables[src->table], src->keys, src->rows);
    q->rows_len += *rc == 0;
    return rr;
}

static int init_run(struct queries *q, size_t i, const struct queries_source *sources, size_t n)
{
    const struct spec_query *qry = &q->model->spec->queries[i];
    struct query_run *r = &q->runs[i];
    int rc = 0;

    for (size_t k = 0; k < n && !r->has_reader && rc == 0; k++) {
        if (strcmp(q->model->tables[sources[k].table].spec->name, qry->table) != 0 || sources[k].rows == 0)
            continue;
        r->pool = calloc(QUERIES_POOL, sizeof *r->pool);
        r->on = calloc(q->model->servers_len + 1, sizeof *r->on);
        if (!r->pool || !r->on || des_histogram_init(&r->latency, PRECISION, LATENCY_MOST) != 0 ||
            des_histogram_init(&r->alone, PRECISION, LATENCY_MOST) != 0)
            return MODEL_NO_MEMORY;
        {
            struct reader_rows *rr = rows_of_table(q, &sources[k], &rc);

            if (rc == 0)
                rc = reader_init(&r->reader, rr, qry, q->model->spec->seed);
        }
        r->has_reader = rc == 0;
    }
    return rc;
}

int queries_init(struct queries *q, struct model *m, const struct queries_setup *setup)
{
    const size_t servers = m->servers_len + 1;
    int rc = 0;

    memset(q, 0, sizeof *q);
    q->model = m;
    q->settled = setup->settled;
    q->load_only = setup->load_only;
    q->load_every = setup->load_only ? 1 : LOAD_EVERY;
    q->pool_most = setup->load_only ? QUERIES_LOAD_POOL : QUERIES_POOL;
    q->epoch_least = m->spec->duration_ns / (setup->coarse ? 16 : 100);
    q->epoch = epoch_of(m);
    if (m->spec->queries_len == 0)
        return 0;
    des_stream_init(&q->moments, m->spec->seed, "queries");
    q->rows = calloc(m->tables_len + 1, sizeof *q->rows);
    q->runs = calloc(m->spec->queries_len + 1, sizeof *q->runs);
    q->cpu = calloc(servers, sizeof *q->cpu);
    q->cpu2 = calloc(servers, sizeof *q->cpu2);
    q->disk = calloc(servers, sizeof *q->disk);
    q->sources = calloc(setup->sources_len + 1, sizeof *q->sources);
    if (q->sources)
        memcpy(q->sources, setup->sources, setup->sources_len * sizeof *q->sources);
    q->sources_len = setup->sources_len;
    if (!q->sources || !q->rows || !q->runs || !q->cpu || !q->cpu2 || !q->disk ||
        reader_backlogs_init(&q->backlogs, m->servers_len) != 0)
        return MODEL_NO_MEMORY;
    for (size_t i = 0; i < m->spec->queries_len && rc == 0; i++) {
        q->runs_len++;
        rc = init_run(q, i, setup->sources, setup->sources_len);
    }
    if (rc == 0 && des_slot_new(m->cal, (struct des_action){.run = moment, .self = q, .priority = 2}, &q->slot) != 0)
        rc = MODEL_NO_MEMORY;
    return rc;
}

void queries_start(struct queries *q, des_time end)
{
    if (q->runs_len == 0)
        return;
    q->end = end;
    q->step = end / (q->load_only ? QUERIES_LOAD_MOMENTS : QUERIES_MOMENTS);
    q->step = q->step > 0 ? q->step : 1;
    next_moment(q);
}

void queries_free(struct queries *q)
{
    for (size_t i = 0; i < q->runs_len; i++) {
        for (size_t k = 0; q->runs[i].pool && k < QUERIES_POOL; k++)
            reader_walk_free(&q->runs[i].pool[k]);
        free(q->runs[i].pool);
        free(q->runs[i].on);
        reader_free(&q->runs[i].reader);
        des_histogram_free(&q->runs[i].latency);
        des_histogram_free(&q->runs[i].alone);
    }
    for (size_t i = 0; i < q->rows_len; i++)
        reader_rows_free(&q->rows[i]);
    reader_backlogs_free(&q->backlogs);
    free(q->rows);
    free(q->runs);
    free(q->cpu);
    free(q->cpu2);
    free(q->disk);
    free(q->sources);
    free(q->writes);
    memset(q, 0, sizeof *q);
}
