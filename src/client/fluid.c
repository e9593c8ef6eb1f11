/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/fluid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/fluid_parts.h"
#include "client/writer.h"
#include "hbase/model/read.h"
#include "hbase/rules/memstore.h"
#include "hbase/rules/mutator.h"

/* A step of `tick`. */
#define TICK (100 * DES_MS)
/* A step of `flow` is at least this share of the time that a memstore takes to fill: a flush comes
   later by at most as much. */
#define FLOW_GRAIN 0.02
/* Rows that are looked at together when one of a region is sought. */
#define LOOK 16

static int key_of(const void *context, uint64_t row, struct saltkey_buf *out)
{
    return keystream_key(context, row, out);
}

int fluid_find_region(struct fluid *f, const struct fluid_source *s, uint64_t row, const struct key_route *r)
{
    struct table *t = &f->model->tables[s->in.table];

    return table_locate(f->model, t, r->prefix, r->bucket, &s->keys, row);
}

/* ---- waiting rows ---- */

struct fluid_region *fluid_region_of(struct fluid *f, int id)
{
    if ((size_t)id >= f->regions_cap) {
        size_t cap = f->regions_cap ? f->regions_cap : 64;
        struct fluid_region *more;

        while (cap <= (size_t)id)
            cap *= 2;
        more = realloc(f->regions, cap * sizeof *more);
        if (!more) {
            model_fail(f->model, MODEL_NO_MEMORY);
            return NULL;
        }
        memset(more + f->regions_cap, 0, (cap - f->regions_cap) * sizeof *more);
        f->regions = more;
        f->regions_cap = cap;
    }
    return &f->regions[id];
}

void fluid_note_bucket(struct fluid *f, int id, uint32_t source, uint32_t bucket)
{
    struct fluid_region *r = fluid_region_of(f, id);

    if (!r)
        return;
    if (r->bucket_as_of == f->bucket_round) {
        r->bucket_source = UINT32_MAX; /* a second one */
        return;
    }
    r->bucket = bucket;
    r->bucket_source = source;
    r->bucket_as_of = f->bucket_round;
}

static int list_region(struct fluid *f, int id)
{
    if (f->regions[id].listed)
        return 0;
    if (f->waiting_len == f->waiting_cap) {
        size_t cap = f->waiting_cap ? f->waiting_cap * 2 : 64;
        int *list = realloc(f->waiting, cap * sizeof *list);

        if (!list)
            return MODEL_NO_MEMORY;
        f->waiting = list;
        f->waiting_cap = cap;
    }
    f->waiting[f->waiting_len++] = id;
    f->regions[id].listed = true;
    return 0;
}

/* Many small chunks of a long backlog: two neighbours of one stream become one. */
static void thin_out(struct fluid_region *r)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->len; i++) {
        struct chunk *c = &r->chunks[(r->first + i) % r->cap];
        struct chunk *last = kept ? &r->chunks[(r->first + kept - 1) % r->cap] : NULL;

        if (last && i % 2 == 1 && last->source == c->source) {
            last->to = c->to;
            last->count += c->count;
        } else {
            r->chunks[(r->first + kept++) % r->cap] = *c;
        }
    }
    r->len = kept;
}

void fluid_push(struct fluid *f, int id, const struct chunk *c)
{
    struct fluid_region *r = fluid_region_of(f, id);

    if (!r || c->count == 0)
        return;
    if (r->len == r->cap && r->cap >= 8192)
        thin_out(r);
    if (r->len == r->cap) {
        const size_t cap = r->cap ? r->cap * 2 : 4;
        struct chunk *more = malloc(cap * sizeof *more);

        if (!more) {
            model_fail(f->model, MODEL_NO_MEMORY);
            return;
        }
        for (size_t i = 0; i < r->len; i++)
            more[i] = r->chunks[(r->first + i) % r->cap];
        free(r->chunks);
        r->chunks = more;
        r->first = 0;
        r->cap = cap;
    }
    r->chunks[(r->first + r->len++) % r->cap] = *c;
    r->rows += c->count;
    r->arrived += c->count;
    if (list_region(f, id) != 0)
        model_fail(f->model, MODEL_NO_MEMORY);
}

/* ---- service ---- */

/* What a sample or the key space picture asks for: the |k|-th row of those being written now. */
struct serving {
    struct fluid *fluid;
    struct fluid_region *r;
    int id;
};

/* Where the region has all rows of one bucket: its next row at or behind *row, or from the step's begin. */
static bool row_of_bucket(const struct serving *sv, const struct chunk *c, uint64_t *row)
{
    const struct region *g = sv->fluid->model->regions[sv->id];
    const struct keystream *ks = sv->fluid->sources[c->source].in.keys;
    uint64_t at = *row, prefix;

    if (sv->r->bucket_as_of != sv->fluid->bucket_round || sv->r->bucket_source != c->source)
        return false;
    if (!keystream_next_of(ks, sv->r->bucket, c->to, &at)) {
        at = c->from;
        if (!keystream_next_of(ks, sv->r->bucket, *row, &at))
            return false;
    }
    prefix = keystream_prefix_at(ks, at, sv->r->bucket);
    if (prefix <= g->start_prefix || prefix >= g->end_prefix)
        return false;
    *row = at;
    return true;
}

static int serving_key(const void *context, uint64_t nth, struct saltkey_buf *out)
{
    const struct serving *sv = context;
    const struct fluid_region *r = sv->r;
    size_t i = 0;
    const struct chunk *c = &r->chunks[r->first];
    struct fluid_source *s;
    uint64_t row, span;

    while (i + 1 < r->len && nth >= c->count) {
        nth -= c->count;
        c = &r->chunks[(r->first + ++i) % r->cap];
    }
    s = &sv->fluid->sources[c->source];
    span = c->to - c->from;
    row = c->from + (uint64_t)((double)(nth < c->count ? nth : c->count - 1) / (double)c->count * (double)span);
    if (row_of_bucket(sv, c, &row) || fluid_row_of_region(sv->fluid, c, sv->id, &row))
        return keystream_key(s->in.keys, row, out);
    /* The next row of the step that goes to this region: one of so many as it has share. */
    for (uint64_t tries = 0; tries < span && tries < 65536; tries += LOOK) {
        for (size_t k = 0; k < LOOK; k++)
            s->numbers[k] = c->from + (row - c->from + tries + k) % span;
        keystream_route(s->in.keys, s->numbers, LOOK, s->routes);
        for (size_t k = 0; k < LOOK; k++)
            if (fluid_find_region(sv->fluid, s, s->numbers[k], &s->routes[k]) == sv->id)
                return keystream_key(s->in.keys, s->numbers[k], out);
    }
    return keystream_key(s->in.keys, row, out);
}

static void pop(struct fluid_region *r, uint64_t n)
{
    r->rows -= n;
    while (n > 0) {
        struct chunk *c = &r->chunks[r->first];

        if (c->count > n) {
            const uint64_t span = c->to - c->from;

            c->from += (uint64_t)((double)n / (double)c->count * (double)span);
            c->count -= n;
            return;
        }
        n -= c->count;
        r->first = (r->first + 1) % r->cap;
        r->len--;
    }
}

/* |n| of the rows that wait for the region are written. */
static void serve(struct fluid *f, int id, uint64_t n, des_time step)
{
    struct model *m = f->model;
    struct region *g = m->regions[id];
    struct fluid_region *r = &f->regions[id];
    const struct serving sv = {f, r, id};
    struct fluid_source *s = &f->sources[r->chunks[r->first].source];
    struct region_action action = {id, 0, 0, ANSWER_NONE};
    struct call call;
    double per_batch;

    memset(&call, 0, sizeof call);
    call.server = g->server;
    call.table = g->table;
    call.actions = &action;
    call.actions_len = 1;
    call.source.key = serving_key;
    call.source.context = &sv;
    call.row_bytes = s->row_bytes;
    call.span = step;
    call.model = m;
    /* A client's submission brings each region its share of the rows, 2,048 at most, under one
       sequence id: ids cost bytes in each cell. */
    per_batch = s->rows_per_submission * (double)r->arrived / (double)(s->step_rows > 0 ? s->step_rows : 1);
    per_batch = per_batch < 1 ? 1 : per_batch > 2048 ? 2048 : per_batch;
    r->batches += (double)n / per_batch;
    if (r->batches >= 1) {
        const uint64_t whole = (uint64_t)r->batches;

        g->next_seqid += whole - 1;
        r->batches -= (double)whole;
    }
    while (n > 0) {
        action.rows = (uint32_t)(n < UINT32_MAX / 2 ? n : UINT32_MAX / 2);
        model_write(m, &call, &action);
        f->done += action.rows;
        n -= action.rows;
        pop(r, action.rows);
    }
}

bool fluid_can_write(const struct fluid *f, const struct region *g)
{
    const struct table *t = &f->model->tables[g->table];

    return g->state == REGION_OPEN && f->model->servers[g->server].live && !f->blocked[g->server] &&
           !memstore_too_busy(region_heap_bytes(g, t), t->flush_bytes,
                              (uint32_t)f->model->spec->hbase.memstore_block_multiplier);
}

/* Rows that waited for a region that has split go where its daughters are: counted anew. */
static void pass_on(struct fluid *f, int id)
{
    struct fluid_region old = f->regions[id];

    f->regions[id].chunks = NULL;
    f->regions[id].len = f->regions[id].cap = f->regions[id].first = 0;
    f->regions[id].rows = f->regions[id].arrived = 0;
    for (size_t i = 0; i < old.len; i++) {
        const struct chunk *c = &old.chunks[(old.first + i) % old.cap];
        struct fluid_source *s = &f->sources[c->source];
        const uint64_t span = c->to - c->from, looks = span < 64 ? span : 64;
        uint64_t hits[2] = {0, 0}, low;
        const struct region *g = f->model->regions[id];

        for (uint64_t k = 0; k < looks * 16 && hits[0] + hits[1] < looks; k++) {
            const uint64_t at = c->from + (k * (span / looks + 1) + k / looks) % span;
            struct key_route route;
            int to;

            keystream_route(s->in.keys, &at, 1, &route);
            to = fluid_find_region(f, s, at, &route);
            hits[0] += to == g->daughters[0];
            hits[1] += to == g->daughters[1];
        }
        low = hits[0] + hits[1] > 0 ? c->count * hits[0] / (hits[0] + hits[1]) : 0;
        fluid_push(f, g->daughters[0], &(struct chunk){c->from, c->to, low, c->source});
        fluid_push(f, g->daughters[1], &(struct chunk){c->from, c->to, c->count - low, c->source});
    }
    free(old.chunks);
}

static void pass_on_split(struct fluid *f)
{
    for (size_t i = 0; i < f->waiting_len; i++) {
        const int id = f->waiting[i];

        if (f->model->regions[id]->state == REGION_DEAD && f->model->regions[id]->daughters[0] >= 0 &&
            f->regions[id].rows > 0)
            pass_on(f, id);
    }
}

double fluid_room(const struct fluid *f, size_t server, des_time to, des_time step)
{
    const struct server *s = &f->model->servers[server];

    return fluid_capacity(f, step - server_paused(f->model, s, to - step, to)) * read_write_part(s);
}

static void serve_all(struct fluid *f, des_time step)
{
    struct model *m = f->model;
    const double all = fluid_capacity(f, step);
    size_t kept = 0;

    memset(f->demand, 0, m->servers_len * sizeof *f->demand);
    for (size_t s = 0; s < m->servers_len; s++) {
        m->servers[s].write_regions = 0;
        m->servers[s].write_left_ns = 0;
        f->blocked[s] = m->servers[s].live && model_blocks_updates(m, (int)s);
    }
    for (size_t i = 0; i < f->waiting_len; i++) {
        const struct region *g = m->regions[f->waiting[i]];

        if (fluid_can_write(f, g)) {
            f->demand[g->server] += (double)f->regions[g->id].rows;
            m->servers[g->server].write_regions++;
        }
    }
    for (size_t i = 0; i < m->servers_len; i++)
        m->servers[i].write_share = f->demand[i] / all;
    for (size_t i = 0; i < f->waiting_len; i++) {
        const int id = f->waiting[i];
        struct region *g = m->regions[id];
        struct fluid_region *r = &f->regions[id];

        if (r->rows > 0 && fluid_can_write(f, g)) {
            const double d = f->demand[g->server], most = fluid_room(f, (size_t)g->server, f->last, step);
            double n = (double)r->rows;

            if (d > most) {
                r->served += n * most / d;
                n = floor(r->served);
                r->served -= n;
            }
            m->servers[g->server].cpu_busy_s += n / m->spec->server.write_capacity_per_s;
            if (n > 0)
                serve(f, id, (uint64_t)n < r->rows ? (uint64_t)n : r->rows, step);
        } else if (r->rows > 0 && g->state == REGION_OPEN) {
            model_refuse(m, g);
        }
        r = &f->regions[id];
        r->arrived = 0;
        r->listed = r->rows > 0;
        if (!r->listed)
            continue;
        f->waiting[kept++] = id;
        m->servers[g->server].write_left_ns += fluid_can_write(f, g) ? (double)r->rows * m->row_ns : 0;
    }
    f->waiting_len = kept;
}

void fluid_settle(struct fluid *f, des_time now)
{
    const des_time step = now - f->last;

    if (step <= 0)
        return;
    pass_on_split(f);
    fluid_take_arrivals(f, now);
    fluid_note_demand(f, now);
    f->last = now;
    f->steps++;
    serve_all(f, step);
}

/* Memstore heap that a row adds, all families. */
static uint64_t row_heap_bytes(const struct table *t, uint64_t len)
{
    uint64_t heap = 0;

    for (size_t f = 0; f < t->families_len; f++)
        for (size_t c = 0; c < t->families[f].columns; c++)
            heap += memstore_cell_heap_bytes(memstore_cell_data_bytes(len, t->families[f].name_bytes,
                                                                      t->families[f].column[c].qualifier_bytes,
                                                                      t->families[f].column[c].value_bytes));
    return heap;
}

/* Heap of what the next flush will take: a snapshot that is being written now will be gone by then. */
static uint64_t filling_bytes(const struct region *g, const struct table *t)
{
    uint64_t sum = region_heap_bytes(g, t);

    for (size_t f = 0; f < t->families_len; f++)
        sum -= g->stores[f].has_snapshot ? g->stores[f].snapshot.heap_bytes : 0;
    return sum;
}

/* At most a sample window, and the age at which edits are flushed: what came in between two flushes for age
   comes in before the second. */
static des_time longest_step(const struct fluid *f)
{
    const struct spec_hbase *h = &f->model->spec->hbase;
    const des_time age = h->flush_interval_ns > h->flush_check_ns ? h->flush_interval_ns : h->flush_check_ns;

    return h->flush_interval_ns > 0 && age < f->longest ? age : f->longest;
}

/* Time until the first memstore that is being written is full, at the present rates. */
static des_time flow_step(const struct fluid *f)
{
    double first = des_time_to_s(longest_step(f)), whole = first;

    for (size_t i = 0; i < f->sources_len; i++) {
        const struct fluid_source *s = &f->sources[i];
        const double rate = arrivals_rate(s->in.arrivals, f->last);
        const struct table *t = &f->model->tables[s->in.table];

        for (size_t k = 0; k < s->shares_len; k++) {
            const struct region *g = f->model->regions[s->shares[k].region];
            const double heap_per_s = rate * s->shares[k].share * (double)row_heap_bytes(t, s->row_bytes);
            double left;

            if (heap_per_s <= 0 || g->state == REGION_DEAD)
                continue;
            left = (double)t->flush_bytes - (double)filling_bytes(g, t);
            whole = fmin(whole, (double)t->flush_bytes / heap_per_s);
            first = fmin(first, fmax(left, 0) / heap_per_s + 1e-6);
        }
    }
    first = fmax(first, fmax(FLOW_GRAIN * whole, 0.1));
    return des_time_from_s(first);
}

static void step_ended(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct fluid *f = self;
    const des_time now = des_now(cal);
    des_time step;

    (void)arg;
    fluid_settle(f, now);
    fluid_refresh_shares(f); /* a step is as long as the regions that are there now allow */
    step = f->flow ? flow_step(f) : TICK;
    if (now + step < f->end)
        des_slot_set(cal, f->slot, now + step);
}

/* ---- life ---- */

/* Length of the rows, the mean of some where they differ. */
static size_t mean_row_bytes(const struct keystream *ks, const struct arrivals *a)
{
    const uint64_t n = a->rows_max < 1000 ? a->rows_max : 1000;
    uint8_t bytes[1024];
    uint64_t sum = 0;

    if (ks->row_fixed || n == 0)
        return ks->row_max;
    for (uint64_t i = 0; i < n; i++) {
        struct saltkey_buf row = {bytes, sizeof bytes, 0};

        keystream_key(ks, i, &row);
        sum += row.len;
    }
    return (size_t)((sum + n / 2) / n);
}

static int init_source(struct fluid_source *s, const struct fluid_input *in, const struct spec_table *table)
{
    const uint64_t put_heap = writer_put_heap_bytes(table, in->keys->row_max);
    struct mutator_limits limits;

    s->in = *in;
    s->keys = (struct key_source){key_of, in->keys, NULL};
    s->row_bytes = mean_row_bytes(in->keys, in->arrivals);
    mutator_limits_default(&limits);
    if (in->stream->buffer_bytes > 0)
        limits.write_buffer_bytes = (uint64_t)in->stream->buffer_bytes;
    s->rows_per_submission = in->stream->buffer_bytes > 0
                                 ? (double)mutator_rows_to_submit(&limits, put_heap) : 1;
    s->routes = malloc(FLUID_BATCH * sizeof *s->routes);
    s->numbers = malloc(FLUID_BATCH * sizeof *s->numbers);
    s->bucket_rows = calloc(keystream_buckets(in->keys), sizeof *s->bucket_rows);
    return s->routes && s->numbers && s->bucket_rows ? 0 : MODEL_NO_MEMORY;
}

/* The clients of a stream fill their buffers at the same pace, one after the other (writer.c). */
static double submission_ns(const struct fluid_source *s)
{
    return s->rows_per_submission * (double)s->in.arrivals->num / (double)s->in.arrivals->den;
}

int fluid_init(struct fluid *f, struct model *m, const struct fluid_input *inputs, size_t n, des_time window)
{
    int rc = 0;

    memset(f, 0, sizeof *f);
    f->model = m;
    m->without_calls = true;
    f->longest = window;
    f->sources = calloc(n, sizeof *f->sources);
    f->demand = calloc(m->servers_len, sizeof *f->demand);
    f->part = calloc(m->servers_len, sizeof *f->part);
    f->held = calloc(m->servers_len, sizeof *f->held);
    f->blocked = calloc(m->servers_len, sizeof *f->blocked);
    if (!f->sources || !f->demand || !f->part || !f->held || !f->blocked)
        rc = MODEL_NO_MEMORY;
    for (size_t i = 0; i < n && rc == 0; i++) {
        f->sources_len++;
        rc = init_source(&f->sources[i], &inputs[i], m->tables[inputs[i].table].spec);
        if (inputs[i].stream->buffer_bytes > 0)
            m->submission_ns = fmax(m->submission_ns, submission_ns(&f->sources[i]));
    }
    if (rc == 0)
        rc = des_slot_new(m->cal, (struct des_action){.run = step_ended, .self = f, .priority = 1}, &f->slot) == 0
                 ? 0 : MODEL_NO_MEMORY;
    if (rc != 0)
        fluid_free(f);
    return rc;
}

void fluid_start(struct fluid *f, des_time end, bool flow)
{
    f->end = end;
    f->flow = flow;
    if (flow)
        for (size_t i = 0; i < f->sources_len; i++)
            fluid_count_buckets(&f->sources[i], f->few_counts);
    f->boundaries = UINT64_MAX;
    f->bucket_round = 1;
    des_slot_set(f->model->cal, f->slot, TICK < end ? TICK : end);
}

void fluid_free(struct fluid *f)
{
    for (size_t i = 0; i < f->sources_len; i++) {
        free(f->sources[i].routes);
        free(f->sources[i].numbers);
        free(f->sources[i].bucket_rows);
        free(f->sources[i].shares);
        free(f->sources[i].counts);
        fluid_entities_free(&f->sources[i]);
    }
    for (size_t i = 0; i < f->regions_cap; i++)
        free(f->regions[i].chunks);
    free(f->regions);
    free(f->sources);
    free(f->demand);
    free(f->part);
    free(f->held);
    free(f->blocked);
    free(f->waiting);
    memset(f, 0, sizeof *f);
}

uint64_t fluid_offered(const struct fluid *f, des_time now)
{
    uint64_t n = 0;

    for (size_t i = 0; i < f->sources_len; i++) {
        const uint64_t all = arrivals_before(f->sources[i].in.arrivals, f->end);
        const uint64_t here = arrivals_before(f->sources[i].in.arrivals, now);

        n += here < all ? here : all;
    }
    return n;
}
