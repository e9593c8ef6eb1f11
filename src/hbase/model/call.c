/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/model/call.h"

#include "hbase/model/act.h"
#include "hbase/model/read.h"
#include "hbase/rules/memstore.h"

/* A dead server's address refuses a connection at once. */
#define REFUSED_AFTER DES_MS

static void next_action(struct call *c);

void model_set_tap(struct model *m, struct model_tap tap)
{
    m->tap_written = tap.written;
    m->tap_context = tap.context;
}

static int handler_limit(const struct model *m)
{
    return m->spec->hbase.handler_count;
}

static void start_call(struct server *s, struct call *c)
{
    s->handlers_busy++;
    c->prev = NULL;
    c->next = s->running;
    if (s->running)
        s->running->prev = c;
    s->running = c;
    c->at = 0;
    c->held = false;
    next_action(c);
}

/* The handler is free again: the oldest waiting call gets it. */
static void end_call(struct call *c)
{
    struct server *s = &c->model->servers[c->server];
    struct call *waiting = s->queue_head;

    s->handlers_busy--;
    if (c->prev)
        c->prev->next = c->next;
    else
        s->running = c->next;
    if (c->next)
        c->next->prev = c->prev;
    if (waiting) {
        s->queue_head = waiting->next;
        if (!s->queue_head)
            s->queue_tail = NULL;
        s->queue_len--;
    }
    c->replied(c);
    if (waiting)
        start_call(s, waiting);
}

static void refuse(struct model *m, struct server *s)
{
    s->refusals++;
    m->refusals++;
}

static void lose(struct model *m, struct call *c)
{
    for (size_t i = c->at; i < c->actions_len; i++)
        c->actions[i].answer = ANSWER_CONNECTION_LOST;
    m->connection_losses++;
}

/* Regions of a call that were done before the death count as answered; a real client would send
   them once more, to the same effect. */
void server_drop_calls(struct model *m, struct server *s)
{
    struct call *running = s->running, *waiting = s->queue_head;

    if (s->syncing_head)
        des_slot_set(m->cal, s->sync_slot, DES_NEVER);
    s->running = s->queue_head = s->queue_tail = s->syncing_head = s->syncing_tail = NULL;
    s->handlers_busy = s->queue_len = 0;
    s->held_since = DES_NEVER;
    for (struct call *c = running; c; c = c->next) {
        if (c->held)
            continue;
        m->regions[c->actions[c->at].region]->calls_inside--;
    }
    for (int k = 0; k < 2; k++) {
        for (struct call *c = k == 0 ? running : waiting, *next; c; c = next) {
            next = c->next;
            lose(m, c);
            c->replied(c);
        }
    }
    if (s->cpu_free > des_now(m->cal))
        s->cpu_busy_s -= des_time_to_s(s->cpu_free - des_now(m->cal));
    s->cpu_free = 0;
}

static void no_connection(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct call *c = self;

    (void)cal;
    (void)arg;
    lose(c->model, c);
    c->replied(c);
}

void model_send(struct model *m, struct call *c)
{
    struct server *s = &m->servers[c->server];
    const int most = m->spec->hbase.max_callqueue_length ? m->spec->hbase.max_callqueue_length
                                                         : 10 * handler_limit(m);

    c->model = m;
    c->next = NULL;
    c->at = 0;
    if (!s->live) {
        des_after(m->cal, REFUSED_AFTER, (struct des_action){.run = no_connection, .self = c});
        return;
    }
    if (s->handlers_busy < handler_limit(m)) {
        start_call(s, c);
        return;
    }
    if (s->queue_len >= most) {
        for (size_t i = 0; i < c->actions_len; i++) {
            c->actions[i].answer = ANSWER_QUEUE_FULL;
            refuse(m, s);
        }
        c->replied(c);
        return;
    }
    if (s->queue_tail)
        s->queue_tail->next = c;
    else
        s->queue_head = c;
    s->queue_tail = c;
    s->queue_len++;
}

/* Gives the sampled ones among the action's rows to a store's sample. */
static int sample_rows(struct sample_builder *b, const struct call *c, const struct region_action *a,
                       const struct sample_note *note)
{
    uint8_t bytes[1024];
    uint64_t done = 0;

    while (done < a->rows) {
        struct saltkey_buf row = {bytes, sizeof bytes, 0};
        const uint64_t skip = sample_builder_skip(b);

        if (skip >= a->rows - done) {
            sample_builder_pass(b, a->rows - done);
            return 0;
        }
        sample_builder_pass(b, skip);
        done += skip;
        if (c->source.key(c->source.context, call_row(c, a->first + done), &row) != 0)
            return MODEL_BROKEN;
        if (sample_builder_add(b, row.bytes, row.len, note) != 0)
            return MODEL_NO_MEMORY;
        done++;
    }
    return 0;
}

/* Rows of differing length: each adds its own heap. */
static int add_uneven_rows(struct store *st, const struct call *c, const struct region_action *a,
                           uint64_t seqid)
{
    uint8_t bytes[1024];

    for (uint32_t k = 0; k < a->rows; k++) {
        struct saltkey_buf row = {bytes, sizeof bytes, 0};

        if (c->source.key(c->source.context, call_row(c, a->first + k), &row) != 0)
            return MODEL_BROKEN;
        store_add_rows(st, 1, row.len, seqid);
    }
    return 0;
}

/* Rows that bring what their source says to family |family|, some of them nothing. */
static int add_puts(struct region *r, size_t family, const struct call *c, const struct region_action *a,
                    uint64_t seqid)
{
    struct store *st = &r->stores[family];
    struct sample_builder *b = &st->active.sample;
    uint8_t bytes[1024];

    for (uint32_t k = 0; k < a->rows; k++) {
        const uint64_t number = call_row(c, a->first + k);
        struct saltkey_buf row = {bytes, sizeof bytes, 0};
        struct put_cells put = {0, 0, 0, 0};
        struct sample_note note;

        c->source.cells(c->source.context, number, family, &put);
        if (put.cells == 0)
            continue;
        if (put.type == 0)
            put.type = HFILE_TYPE_PUT;
        if (c->source.key(c->source.context, number, &row) != 0)
            return MODEL_BROKEN;
        store_add_put(st, row.len, &put, seqid);
        note = (struct sample_note){seqid, put.timestamp_ms, put.column, put.cells, put.type};
        if (sample_builder_skip(b) > 0)
            sample_builder_pass(b, 1);
        else if (sample_builder_add(b, row.bytes, row.len, &note) != 0)
            return MODEL_NO_MEMORY;
    }
    return 0;
}

static int add_rows(struct region *r, size_t family, const struct call *c, const struct region_action *a,
                    struct sample_note note)
{
    struct store *st = &r->stores[family];
    int rc = 0;

    if (c->source.cells)
        return add_puts(r, family, c, a, note.seqid);
    note.cells = (uint32_t)st->shape->columns;
    if (c->row_bytes)
        store_add_rows(st, a->rows, c->row_bytes, note.seqid);
    else
        rc = add_uneven_rows(st, c, a, note.seqid);
    store_add_times(st, note.timestamp_ms, note.timestamp_ms);
    return rc == 0 ? sample_rows(&st->active.sample, c, a, &note) : rc;
}

static void write_rows(struct model *m, struct region *r, struct call *c, struct region_action *a)
{
    struct table *t = &m->tables[r->table];
    struct server *s = &m->servers[r->server];
    const struct sample_note note = {r->next_seqid++, model_now_ms(m), 0, 0, HFILE_TYPE_PUT};
    int rc = 0;

    for (size_t f = 0; f < t->families_len && rc == 0; f++) {
        const uint64_t before = r->stores[f].active.heap_bytes;

        rc = add_rows(r, f, c, a, note);
        s->heap_bound_bytes += r->stores[f].active.heap_bytes - before;
    }
    if (rc != 0)
        model_fail(m, rc);
    periodic_note_edits(m, r, c->span == 0 ? 0 : c->span / ((des_time)a->rows + 1) * (des_time)a->rows);
    r->resized = true;
    r->writes += a->rows;
    s->writes += a->rows;
    wal_append(m, r, a->rows * t->wal_row_bytes);
    a->answer = ANSWER_OK;
    if (m->tap_written)
        m->tap_written(m->tap_context, c, a);
    if (memstore_flush_due(region_heap_bytes(r, t), t->flush_bytes))
        region_request_flush(m, r);
}

void model_write(struct model *m, struct call *call, struct region_action *action)
{
    struct region *r = m->regions[action->region];

    r->requests += action->rows;
    write_rows(m, r, call, action);
    pressure_wake(m, &m->servers[r->server]);
}

/* The first of a row of refusals: the next one is logged after a flush. */
static void log_refusal(struct model *m, const struct region *r)
{
    const struct table *t = &m->tables[r->table];
    struct result_event *e = model_log(m, "refusal", r, "hbase.hregion.memstore.block.multiplier");

    if (!e)
        return;
    e->threshold = (double)t->flush_bytes * m->spec->hbase.memstore_block_multiplier;
    model_log_input(e, "region_heap_bytes", (double)region_heap_bytes(r, t));
    model_log_input(e, "flush_bytes", (double)t->flush_bytes);
    model_log_input(e, "multiplier", m->spec->hbase.memstore_block_multiplier);
    model_log_text(e, "RegionTooBusyException: %.1f MiB of memstore exceed %.1f MiB; it refuses until a flush is through",
                   (double)region_heap_bytes(r, t) / 1048576.0, e->threshold / 1048576.0);
}

void model_refuse(struct model *m, struct region *r)
{
    if (r->refused_at_flush != r->flushes + 1 && !(m->brief && r->refused_at_flush > 0))
        log_refusal(m, r);
    r->refused_at_flush = r->flushes + 1;
    r->blocked_requests++;
    refuse(m, &m->servers[r->server]);
    region_request_flush(m, r);
}

/* A server's rows leave its CPU in the order in which they came, and each sync takes equally long: the
   first to come is the first to end. The calendar has the head alone. */
static void await_sync(struct model *m, struct server *s, struct call *c)
{
    c->synced_at = s->cpu_free + m->spec->server.wal_sync_ns;
    c->ticket = des_ticket(m->cal);
    c->syncing_next = NULL;
    if (s->syncing_head) {
        s->syncing_tail->syncing_next = c;
    } else {
        s->syncing_head = c;
        des_slot_set_ticket(m->cal, s->sync_slot, c->synced_at, c->ticket);
    }
    s->syncing_tail = c;
}

/* The WAL has the rows of the first call: they go into the memstore (HRegion.doMiniBatchMutate's order). */
static void synced(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;
    struct server *s = &m->servers[arg];
    struct call *c = s->syncing_head;
    struct region_action *a = &c->actions[c->at];
    struct region *r = m->regions[a->region];

    s->syncing_head = c->syncing_next;
    if (s->syncing_head)
        des_slot_set_ticket(cal, s->sync_slot, s->syncing_head->synced_at, s->syncing_head->ticket);
    r->calls_inside--;
    write_rows(m, r, c, a);
    if (r->state == REGION_CLOSING)
        region_let_go(m, r);
    c->at++;
    next_action(c);
}

int server_init_calls(struct model *m, struct server *s)
{
    return des_slot_new(m->cal, (struct des_action){.run = synced, .self = m, .arg = (uint64_t)s->index}, &s->sync_slot)
               == DES_OK ? 0 : MODEL_NO_MEMORY;
}

/* HRegion's gates for one region of the call; true when its rows go on to the CPU. */
static bool admitted(struct call *c, struct region *r, struct region_action *a)
{
    struct model *m = c->model;
    const struct table *t = &m->tables[r->table];

    if (r->state != REGION_OPEN || r->server != c->server) {
        a->answer = ANSWER_NOT_SERVING;
        return false;
    }
    if (memstore_too_busy(region_heap_bytes(r, t), t->flush_bytes,
                          (uint32_t)m->spec->hbase.memstore_block_multiplier)) {
        a->answer = ANSWER_TOO_BUSY;
        model_refuse(m, r);
        return false;
    }
    return true;
}

static void next_action(struct call *c)
{
    struct model *m = c->model;
    struct server *s = &m->servers[c->server];

    for (; c->at < c->actions_len; c->at++) {
        struct region_action *a = &c->actions[c->at];
        struct region *r = m->regions[a->region];
        const des_time now = des_now(m->cal);
        des_time work;

        if (r->state == REGION_OPEN && r->server == c->server && pressure_holds(m, s)) {
            c->held = true;
            return;
        }
        if (!admitted(c, r, a))
            continue;
        r->calls_inside++;
        r->requests += a->rows;
        work = (des_time)((double)a->rows * m->row_ns / read_write_part(s) + 0.5);
        s->cpu_free = (s->cpu_free > now ? s->cpu_free : now) + work;
        s->cpu_busy_s += des_time_to_s(work);
        await_sync(m, s, c);
        return;
    }
    end_call(c);
}

/* The one that waits longest: calls join the list at its head. */
static struct call *oldest_held(const struct server *s)
{
    struct call *oldest = NULL;

    for (struct call *c = s->running; c; c = c->next)
        if (c->held)
            oldest = c;
    return oldest;
}

void server_release_calls(struct model *m, struct server *s)
{
    struct call *c;

    while (s->held_since == DES_NEVER && m->error == 0 && (c = oldest_held(s)) != NULL) {
        c->held = false;
        next_action(c);
    }
}

void model_meta_read(struct model *m, uint64_t lookups)
{
    m->regions[0]->reads += lookups;
}
