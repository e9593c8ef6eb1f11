/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/writer.h"

#include <stdlib.h>
#include <string.h>

#include "client/pass.h"


/* Rows that a client without a buffer routes at once. */
enum { ROUTES_AHEAD = 64 };

static void fill(struct client *c);
static void await_row(struct client *c);
static void submit(struct client *c);

static int key_of(const void *context, uint64_t row, struct saltkey_buf *out)
{
    return keystream_key(context, row, out);
}

/* The client's own row number |k|, as a row of the stream. */
static uint64_t own_row(const struct client *c, uint64_t k)
{
    return (uint64_t)c->index + k * (uint64_t)c->w->clients_len;
}

uint64_t writer_offered(const struct writer *w, des_time now)
{
    const uint64_t n = arrivals_before(w->arrivals, now);

    return n < w->rows ? n : w->rows;
}

/* Heap of a put with all columns of all families. */
uint64_t writer_put_heap_bytes(const struct spec_table *t, size_t row_bytes)
{
    struct mutator_column cols[256];
    uint32_t names[32];
    size_t n = 0;

    for (size_t f = 0; f < t->families_len && f < 32; f++) {
        names[f] = (uint32_t)strlen(t->families[f].name);
        for (size_t c = 0; c < t->families[f].columns_len && n < 256; c++)
            cols[n++] = (struct mutator_column){(uint32_t)strlen(t->families[f].columns[c].qualifier),
                                                (uint32_t)t->families[f].columns[c].value_bytes, (uint32_t)f};
    }
    return put_heap_bytes_columns(row_bytes, names, cols, n);
}

uint64_t writer_buffered(const struct writer *w, des_time now)
{
    const uint64_t arrived = writer_offered(w, now);
    uint64_t n = 0;

    for (int i = 0; w->spec->buffer_bytes > 0 && i < w->clients_len; i++) {
        const struct client *c = &w->clients[i];
        const uint64_t step = (uint64_t)w->clients_len, index = (uint64_t)i;
        const uint64_t own = arrived > index ? (arrived - index + step - 1) / step : 0;

        if (c->waiting == 0)
            n += c->rows_len + (own > c->taken ? own - c->taken : 0);
    }
    return n;
}

static int init_client(struct client *c, struct writer *w, int index)
{
    const size_t servers = w->model->servers_len;
    const size_t most = (size_t)mutator_rows_to_submit(&w->limits, w->put_heap_bytes) + 1;

    c->w = w;
    c->index = index;
    c->rows_cap = w->spec->buffer_bytes > 0 ? most : 1;
    c->rows = malloc(c->rows_cap * sizeof *c->rows);
    c->sorted = malloc(c->rows_cap * sizeof *c->sorted);
    c->routes = malloc(c->rows_cap * sizeof *c->routes);
    c->region = malloc(c->rows_cap * sizeof *c->region);
    c->touched_cap = 64;
    c->touched = malloc(c->touched_cap * sizeof *c->touched);
    c->server_rows = calloc(servers, sizeof *c->server_rows);
    c->errors = calloc(servers, sizeof *c->errors);
    c->ahead = malloc(ROUTES_AHEAD * sizeof *c->ahead);
    if (!c->rows || !c->sorted || !c->routes || !c->ahead || !c->region || !c->touched || !c->server_rows || !c->errors)
        return MODEL_NO_MEMORY;
    return 0;
}

int writer_init(struct writer *w, const struct writer_setup *s)
{
    char name[96] = "pauses ";
    int rc = 0;

    memset(w, 0, sizeof *w);
    w->model = s->model;
    w->arrivals = s->arrivals;
    w->keys = s->keys;
    w->spec = s->stream;
    w->table = s->table;
    w->end = s->end;
    w->rows = arrivals_before(s->arrivals, s->end);
    w->source = (struct key_source){.key = key_of, .context = s->keys};
    strncat(name, s->stream->name, sizeof name - strlen(name) - 1);
    des_stream_init(&w->pauses, s->seed, name);
    mutator_limits_default(&w->limits);
    if (s->stream->buffer_bytes > 0)
        w->limits.write_buffer_bytes = (uint64_t)s->stream->buffer_bytes;
    w->put_heap_bytes = writer_put_heap_bytes(w->model->tables[s->table].spec, s->keys->row_max);
    if (des_histogram_init(&w->latency, WRITER_PRECISION, WRITER_LATENCY_MOST) != 0 ||
        des_histogram_init(&w->window, WRITER_PRECISION, WRITER_LATENCY_MOST) != 0)
        rc = MODEL_NO_MEMORY;
    w->clients = calloc((size_t)s->stream->clients, sizeof *w->clients);
    if (!w->clients)
        rc = MODEL_NO_MEMORY;
    for (int i = 0; rc == 0 && i < s->stream->clients; i++) {
        w->clients_len++;
        rc = init_client(&w->clients[i], w, i);
    }
    w->clients_len = s->stream->clients;
    if (rc != 0)
        writer_free(w);
    return rc;
}

void writer_free(struct writer *w)
{
    for (int i = 0; w->clients && i < w->clients_len; i++) {
        struct client *c = &w->clients[i];

        free(c->rows);
        free(c->sorted);
        free(c->routes);
        free(c->ahead);
        free(c->region);
        free(c->touched);
        free(c->server_rows);
        free(c->errors);
    }
    while (w->ones) {
        struct writer_call *older = w->ones->older;

        call_free(w->ones);
        w->ones = older;
    }
    while (w->under_way) {
        struct writer_call *next = w->under_way->next;

        call_free(w->under_way);
        w->under_way = next;
    }
    free(w->clients);
    w->clients = NULL;
    des_histogram_free(&w->latency);
    des_histogram_free(&w->window);
}

void writer_take_window(struct writer *w, struct des_histogram *window)
{
    if (window)
        des_histogram_merge(window, &w->window);
    des_histogram_merge(&w->latency, &w->window);
    des_histogram_clear(&w->window);
}

/* ---- sending ---- */

static void send(struct writer_call *wc)
{
    struct writer *w = wc->client->w;

    wc->tries++;
    wc->call.handed_over = des_now(w->model->cal);
    model_send(w->model, &wc->call);
}

static void send_all(struct client *c, struct writer_call *first)
{
    for (struct writer_call *wc = first; wc; wc = wc->grouped) {
        wc->submitted = c->submitted;
        c->waiting++;
    }
    for (struct writer_call *wc = first, *next; wc; wc = next) {
        next = wc->grouped;
        send(wc);
    }
}

static void submit(struct client *c)
{
    struct writer *w = c->w;
    const des_time now = des_now(w->model->cal);
    const des_time waited = now - arrivals_time(w->arrivals, c->rows[0]);
    struct writer_call *calls;

    w->oldest_wait = waited > w->oldest_wait ? waited : w->oldest_wait;
    c->submitted = now;
    memset(c->errors, 0, w->model->servers_len * sizeof *c->errors);
    pass_locate(c, c->rows, c->rows_len);
    pass_choose(c);
    calls = pass_group(c, c->rows, c->rows_len, c->sorted);
    pass_keep_rest(c);
    send_all(c, calls);
}

/* The submission is answered: on with a full buffer, else back to filling it. */
static void submission_done(struct client *c)
{
    const bool last = own_row(c, c->taken) >= c->w->rows && c->w->arrivals->rows_max != UINT64_MAX;

    if (c->rows_len > 0 && (last || mutator_must_submit(&c->w->limits, c->rows_len * c->w->put_heap_bytes)))
        submit(c);
    else
        fill(c);
}

/* ---- answers ---- */

static void answered(struct client *c)
{
    if (c->w->spec->buffer_bytes > 0 && --c->waiting == 0)
        submission_done(c);
}

/* Rows of a call that were refused are located and grouped anew after HBase's pause. */
static void resend(struct client *c, struct writer_call *failed)
{
    struct writer *w = c->w;
    const size_t n = failed->retry_rows;
    uint64_t *rows = failed->own_rows;
    uint64_t *sorted = malloc(n * sizeof *sorted);
    struct writer_call *first, *wc;
    struct region_action *a;
    unsigned calls = 0;

    if (!sorted) {
        model_fail(w->model, MODEL_NO_MEMORY);
        return;
    }
    pass_locate(c, rows, n);
    first = pass_group(c, rows, n, sorted);
    for (wc = first; wc; wc = wc->grouped)
        calls++;
    if (w->spec->buffer_bytes > 0)
        c->waiting += calls - 1;
    for (wc = first; wc; ) {
        struct writer_call *next = wc->grouped;
        size_t len = 0, from = wc->actions[0].first;

        for (size_t i = 0; i < wc->call.actions_len; i++)
            len += wc->actions[i].rows;
        wc->own_rows = len == 1 ? &wc->one_row : malloc(len * sizeof *wc->own_rows);
        if (!wc->own_rows) {
            model_fail(w->model, MODEL_NO_MEMORY);
            break;
        }
        memcpy(wc->own_rows, sorted + from, len * sizeof *wc->own_rows);
        for (a = wc->actions; a < wc->actions + wc->call.actions_len; a++)
            a->first -= from;
        wc->call.rows = wc->own_rows;
        wc->tries = failed->tries;
        wc->submitted = failed->submitted;
        send(wc);
        wc = next;
    }
    free(sorted);
}

static void retry_now(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct writer_call *failed = self;

    (void)cal;
    (void)arg;
    model_meta_read(failed->client->w->model, failed->lookups);
    resend(failed->client, failed);
    call_drop(failed);
}

/* Regions whose place the client forgets by such an answer, and will look up in hbase:meta. */
static size_t places_forgotten(const struct writer_call *wc)
{
    size_t n = 0;

    for (size_t i = 0; i < wc->call.actions_len; i++)
        n += wc->actions[i].answer == ANSWER_NOT_SERVING || wc->actions[i].answer == ANSWER_CONNECTION_LOST;
    return n;
}

static void count_answers(struct writer_call *wc, uint64_t *ok, uint64_t *failed)
{
    *ok = *failed = 0;
    for (size_t i = 0; i < wc->call.actions_len; i++) {
        if (wc->actions[i].answer == ANSWER_OK)
            *ok += wc->actions[i].rows;
        else
            *failed += wc->actions[i].rows;
    }
}

/* The rows of refused actions, kept by the call itself until the pause is over. */
static bool keep_failed_rows(struct writer_call *wc, uint64_t n)
{
    uint64_t *rows = malloc(n * sizeof *rows);
    size_t at = 0;

    if (!rows) {
        model_fail(wc->client->w->model, MODEL_NO_MEMORY);
        return false;
    }
    for (size_t i = 0; i < wc->call.actions_len; i++) {
        const struct region_action *a = &wc->actions[i];

        if (a->answer == ANSWER_OK)
            continue;
        memcpy(rows + at, wc->call.rows + a->first, a->rows * sizeof *rows);
        at += a->rows;
    }
    if (wc->own_rows != &wc->one_row)
        free(wc->own_rows);
    wc->own_rows = rows;
    wc->retry_rows = at;
    wc->lookups = places_forgotten(wc);
    return true;
}

void call_replied(struct call *call)
{
    struct writer_call *wc = call->client;
    struct client *c = wc->client;
    struct writer *w = c->w;
    const des_time now = des_now(w->model->cal);
    const des_time took = now - wc->submitted;
    uint64_t ok, failed, pause;

    count_answers(wc, &ok, &failed);
    w->done += ok;
    des_histogram_record_n(&w->window, (uint64_t)took, ok);
    if (failed == 0) {
        call_drop(wc);
        answered(c);
        return;
    }
    c->errors[call->server]++;
    if (mutator_gives_up(wc->tries, (uint32_t)w->model->spec->hbase.client_retries,
                         (uint64_t)(took / DES_US),
                         (uint64_t)(w->model->spec->hbase.client_pause_ns / DES_US))) {
        w->rejected += failed;
        call_drop(wc);
        answered(c);
        return;
    }
    pause = mutator_retry_pause_us(w->spec->buffer_bytes > 0 ? c->errors[call->server] : wc->tries,
                                   (uint64_t)(w->model->spec->hbase.client_pause_ns / DES_US),
                                   des_uniform(&w->pauses));
    if (keep_failed_rows(wc, failed))
        des_after(w->model->cal, (des_time)pause * DES_US, (struct des_action){.run = retry_now, .self = wc});
}

/* ---- arrivals ---- */

static void buffer_full(struct client *c, uint64_t rows)
{
    for (uint64_t k = 0; k < rows; k++)
        c->rows[c->rows_len++] = own_row(c, c->taken++);
    if (c->rows_len > 0)
        submit(c);
}

/* Route of the client's next row. */
static struct key_route next_route(struct client *c)
{
    if (c->ahead_at == c->ahead_len) {
        uint64_t rows[ROUTES_AHEAD];
        unsigned n = 0;

        for (uint64_t row; n < ROUTES_AHEAD && (row = own_row(c, c->taken + n)) < c->w->rows; n++)
            rows[n] = row;
        keystream_route_on(c->w->keys, &c->clock, rows, n, c->ahead);
        c->ahead_at = 0;
        c->ahead_len = n;
    }
    return c->ahead[c->ahead_at++];
}

/* A row of a client without a buffer: one call of its own. */
static void send_one(struct client *c)
{
    struct writer *w = c->w;
    struct model *m = w->model;
    const struct key_route route = next_route(c);
    const uint64_t row = own_row(c, c->taken++);
    const int region = table_locate(m, &m->tables[w->table], route.prefix, route.bucket, &w->source, row);
    struct writer_call *wc = call_new(c, m->regions[region]->server, 1);

    if (!wc)
        return;
    wc->one_row = row;
    wc->own_rows = &wc->one_row;
    wc->call.rows = wc->own_rows;
    wc->call.actions_len = 1;
    wc->actions[0] = (struct region_action){region, 1, 0, ANSWER_NONE};
    wc->submitted = des_now(m->cal);
    send(wc);
}

static void arrived(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct client *c = self;

    (void)cal;
    (void)arg;
    if (c->w->spec->buffer_bytes > 0) {
        buffer_full(c, c->wanted);
        return;
    }
    send_one(c);
    await_row(c);
}

/* A client without a buffer waits for its next row. */
static void await_row(struct client *c)
{
    const struct writer *w = c->w;
    const uint64_t row = own_row(c, c->taken);

    if (row < w->rows)
        des_slot_set(w->model->cal, c->slot, arrivals_time(w->arrivals, row));
}

/* Waits for the row that fills the buffer: it may have arrived long ago. */
static void fill(struct client *c)
{
    struct writer *w = c->w;
    const des_time now = des_now(w->model->cal);
    uint64_t want = mutator_rows_to_submit(&w->limits, w->put_heap_bytes) - c->rows_len, row;
    des_time at;

    /* Real clients started at different times: their buffers fill in turn, not all at once. */
    if (c->taken == 0 && want > 1)
        want = (want * (uint64_t)(c->index + 1) + (uint64_t)w->clients_len - 1) / (uint64_t)w->clients_len;
    row = own_row(c, c->taken + want - 1);
    if (row >= w->rows && w->arrivals->rows_max != UINT64_MAX) {
        /* The last rows of a key file: the application closes its mutator behind them. */
        while (want > 0 && own_row(c, c->taken + want - 1) >= w->rows)
            want--;
        if (want + c->rows_len == 0)
            return;
        row = own_row(c, want > 0 ? c->taken + want - 1 : c->taken - 1);
    } else if (row >= w->rows) {
        return; /* they arrive after the end: what is in the buffer stays there */
    }
    at = arrivals_time(w->arrivals, row);
    c->wanted = want;
    des_slot_set(w->model->cal, c->slot, at > now ? at : now);
}

void writer_start(struct writer *w)
{
    /* Each client finds its regions once. */
    model_meta_read(w->model, (uint64_t)w->clients_len * w->model->tables[w->table].regions_len);
    for (int i = 0; i < w->clients_len; i++) {
        struct client *c = &w->clients[i];

        if (des_slot_new(w->model->cal, (struct des_action){.run = arrived, .self = c}, &c->slot) != 0) {
            model_fail(w->model, MODEL_NO_MEMORY);
            return;
        }
        if (w->spec->buffer_bytes == 0)
            await_row(c);
        else if (own_row(c, 0) < w->rows)
            fill(c);
    }
}
