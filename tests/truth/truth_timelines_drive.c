/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_timelines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *s)
{
    char *p = malloc(strlen(s) + 1);

    if (!p)
        abort();
    return strcpy(p, s);
}

static void *zeroed(size_t n, size_t size)
{
    void *p = calloc(n, size);

    if (!p)
        abort();
    return p;
}

static enum spec_split_policy policy(const char *name)
{
    switch (split_policy_from_name(name)) {
    case SPLIT_INCREASING_TO_UPPER_BOUND: return SPEC_SPLIT_INCREASING;
    case SPLIT_CONSTANT_SIZE: return SPEC_SPLIT_CONSTANT;
    case SPLIT_KEY_PREFIX: return SPEC_SPLIT_KEY_PREFIX;
    case SPLIT_DELIMITED_KEY_PREFIX: return SPEC_SPLIT_DELIMITED_KEY_PREFIX;
    case SPLIT_BUSY: return SPEC_SPLIT_BUSY;
    case SPLIT_DISABLED: return SPEC_SPLIT_DISABLED;
    default: return SPEC_SPLIT_STEPPING;
    }
}

static void split_at_buckets(struct spec_table *t, size_t buckets)
{
    t->splits = SPEC_SPLITS_KEYS;
    t->split_keys_len = buckets - 1;
    t->split_keys = zeroed(buckets - 1, sizeof *t->split_keys);
    for (size_t i = 0; i + 1 < buckets; i++) {
        t->split_keys[i].bytes = zeroed(1, 1);
        t->split_keys[i].bytes[0] = (uint8_t)(i + 1);
        t->split_keys[i].len = 1;
    }
}

static void fill_spec(struct spec *sp, const struct timeline_settings *s)
{
    struct spec_table *t = zeroed(1, sizeof *t);

    spec_init(sp);
    sp->cluster.servers = (int)s->servers;
    sp->server.write_capacity_per_s = 1e6;
    sp->server.disk_bytes_per_s = 2e9; /* the mini-cluster's files stay in the page cache */
    sp->sample_keys = s->sample_keys;
    sp->hbase.memstore_flush_size_bytes = (int64_t)s->site_flush_bytes;
    sp->hbase.max_filesize_jitter = 0;
    sp->hbase.split_policy = policy(s->policy);
    sp->hbase.discharger_interval_ns = 1000 * 24 * DES_HOUR; /* by hand only */
    sp->hbase.balancer_period_ns = 1000 * 24 * DES_HOUR;
    sp->tables = t;
    sp->tables_len = 1;
    t->name = copy(s->table);
    t->key = copy("row:text");
    t->salt = copy("none");
    t->salt_over = copy("key");
    t->splits = s->splits;
    t->splits_regions = (int)s->split_regions;
    if (s->split_buckets > 1)
        split_at_buckets(t, (size_t)s->split_buckets);
    t->max_filesize_bytes = (int64_t)s->max_file_bytes;
    t->memstore_flush_size_bytes = s->flush_bytes != s->site_flush_bytes ? (int64_t)s->flush_bytes : 0;
    t->families = zeroed(s->families, sizeof *t->families);
    t->families_len = s->families;
    for (size_t f = 0; f < s->families; f++) {
        struct spec_family *fam = &t->families[f];

        fam->name = copy(s->family[f].name);
        fam->blocksize_bytes = 65536;
        fam->bloom_row = true;
        fam->columns = zeroed(1, sizeof *fam->columns);
        fam->columns_len = 1;
        fam->columns->qualifier = copy(s->numbered ? "0000" : s->qualifier);
        fam->columns->value_bytes = s->family[f].value_bytes;
        timeline_set_family(s->header, fam);
    }
}

void timeline_key(const struct spec_bytes *b, char *out, size_t cap)
{
    if (b->len == 0)
        snprintf(out, cap, "-");
    else
        truth_hex(b->bytes, b->len, out, cap);
}

void timeline_region_key(const struct region *r, const char *family, char *out, size_t cap)
{
    char start[160], end[160];

    timeline_key(&r->start, start, sizeof start);
    timeline_key(&r->end, end, sizeof end);
    snprintf(out, cap, "%s %s %s", start, end, family);
}

void timeline_file_list(const struct store *st, const struct store_span *span, char *out, size_t cap)
{
    size_t k = 0;

    snprintf(out, cap, "%s", span->count == 0 ? "-" : "");
    for (size_t i = span->first; i < span->first + span->count && k < cap; i++) {
        const struct hfile *f = st->files[i];

        k += (size_t)snprintf(out + k, cap - k, "%s%s%llu:%llu", i > span->first ? "," : "",
                              f->reference ? "r" : f->link ? "l" : "", (unsigned long long)f->bytes,
                              (unsigned long long)f->reported_cells);
    }
}

static void describe(const struct timeline *tl, const struct model_observation *o, char *out, size_t cap)
{
    static const char *const truth[] = {"false", "true"};
    const struct store *st = &o->region->stores[o->family];
    const struct store_span all = {0, st->files_len};
    char files[TIMELINE_FILES], chosen[TIMELINE_FILES];
    const unsigned long long step = tl->step;

    timeline_file_list(st, &all, files, sizeof files);
    out[0] = '\0';
    switch (o->what) {
    case OBSERVED_SNAPSHOT:
        break;
    case OBSERVED_OPEN:
        snprintf(out, cap, "%llu OPEN files=%s", step, files);
        break;
    case OBSERVED_FLUSH:
        snprintf(out, cap, "%llu FLUSH out=%llu:%llu;maxseq=%llu", step, (unsigned long long)o->file->bytes,
                 (unsigned long long)o->file->cells, (unsigned long long)o->file->max_seqid);
        break;
    case OBSERVED_SELECT:
        timeline_file_list(st, &o->span, chosen, sizeof chosen);
        if (o->span.count == 0)
            chosen[0] = '\0';
        snprintf(out, cap, "%llu SELECT in=%s;store=%s", step, chosen, files);
        break;
    case OBSERVED_COMPACT:
        snprintf(out, cap, "%llu COMPACT n=%zu;out=%llu:%llu;all=%s;major=%s;aftersplit=%s;prio=%d", step,
                 o->span.count, (unsigned long long)o->file->bytes, (unsigned long long)o->file->cells,
                 truth[o->all_files], truth[o->major], truth[o->after_split], (int)o->priority);
        break;
    case OBSERVED_CLOSE:
        snprintf(chosen, sizeof chosen, ";storebytes=%llu", (unsigned long long)store_bytes(st));
        snprintf(out, cap, "%llu CLOSE files=%s%s;memdata=%llu;writes=%llu", step, files,
                 tl->s->close_bytes ? chosen : "", (unsigned long long)store_data_bytes(st), (unsigned long long)o->region->requests);
        break;
    }
}

static void observe(void *context, const struct model_observation *o)
{
    struct timeline *tl = context;
    char text[TIMELINE_TEXT], key[400];

    if (o->region->table != 0 || o->what == OBSERVED_SNAPSHOT)
        return;
    timeline_region_key(o->region, tl->s->family[o->family].name, key, sizeof key);
    describe(tl, o, text, sizeof text);
    timeline_events_add(&tl->events, key, text);
}

/* A fresh region that nobody saw open. */
static void note_opens(struct timeline *tl)
{
    const struct region *r = tl->model->regions[tl->model->tables[0].regions[0]];

    for (size_t f = 0; f < tl->s->families; f++)
        observe(tl, &(struct model_observation){.what = OBSERVED_OPEN, .region = r, .family = f});
}

static int try_open(struct timeline *tl, uint64_t seed)
{
    const size_t row_max = TRUTH_MAX_ROW;

    tl->spec.seed = seed;
    result_run_init(&tl->log);
    tl->cal = des_calendar_new();
    if (!tl->cal)
        return -1;
    return model_new(&tl->spec, &row_max, tl->cal, &tl->log, &tl->model);
}

static void drop(struct timeline *tl)
{
    model_free(tl->model);
    des_calendar_free(tl->cal);
    result_run_free(&tl->log);
    tl->model = NULL;
    tl->cal = NULL;
}

int timeline_open(struct timeline *tl, const struct timeline_settings *s, const struct key_source *source)
{
    int rc = -1;

    memset(tl, 0, sizeof *tl);
    tl->s = s;
    tl->source = *source;
    fill_spec(&tl->spec, s);
    /* Which server gets the only region is drawn: the seed that draws as the recording's cluster did. */
    for (uint64_t seed = 1; seed < 1000; seed++) {
        rc = try_open(tl, seed);
        if (rc != 0 || s->first_server < 0 ||
            tl->model->regions[tl->model->tables[0].regions[0]]->server == s->first_server)
            break;
        drop(tl);
        rc = -1;
    }
    if (rc != 0)
        return rc;
    timeline_set_table(s->header, tl);
    for (size_t f = 0; f < s->families; f++)
        tl->model->tables[0].families[f].numbered = s->numbered;
    tl->model->tables[0].split.overall_files |= s->overall_files;
    tl->model->tables[0].flush = s->flush;
    if (s->nothing_whole)
        tl->model->samples.keys_most = 0;
    tl->model->observer = (struct model_observer){observe, tl};
    note_opens(tl);
    return 0;
}

void timeline_close(struct timeline *tl)
{
    drop(tl);
    free(tl->place);
    tl->place = NULL;
    tl->places = 0;
    spec_free(&tl->spec);
    timeline_events_free(&tl->events);
}

static void replied(struct call *c)
{
    struct timeline *tl = c->client;

    for (size_t i = 0; i < c->actions_len; i++)
        tl->failed_actions += c->actions[i].answer != ANSWER_OK;
}

/* One call to one server. Rows that the client first sent to a region that is gone are answered there with
   NotServingRegion and come again, those of each server together (a call of their own): |lane| 0 are rows
   that found their region, 1 + s those that came back from server s. */
struct server_call {
    struct call call;
    uint64_t *rows;
    struct region_action *actions;
};

struct route {
    int region;
    int lane;
};

static void fill_call(struct timeline *tl, struct server_call *sc, const struct route *route, int lane,
                      const uint64_t span[2])
{
    const struct table *t = &tl->model->tables[0];
    uint64_t n = 0;

    sc->rows = zeroed(span[1], sizeof *sc->rows);
    sc->actions = zeroed(t->regions_len, sizeof *sc->actions);
    for (size_t k = 0; k < t->regions_len; k++) {
        struct region_action *a = &sc->actions[sc->call.actions_len];

        if (tl->model->regions[t->regions[k]]->server != sc->call.server)
            continue;
        *a = (struct region_action){.region = t->regions[k], .first = n};
        for (uint64_t i = 0; i < span[1]; i++)
            if (route[i].region == t->regions[k] && route[i].lane == lane)
                sc->rows[n++] = span[0] + i;
        a->rows = (uint32_t)(n - a->first);
        sc->call.actions_len += a->rows > 0;
    }
    sc->call.rows = sc->rows;
    sc->call.actions = sc->actions;
}

/* Below 0 where the row lies below the region, above 0 where it lies behind it. */
static int beside(const struct region *r, const uint8_t *row, size_t len)
{
    const size_t a = len < r->start.len ? len : r->start.len, b = len < r->end.len ? len : r->end.len;
    int d = memcmp(row, r->start.bytes, a);

    if (d < 0 || (d == 0 && len < r->start.len))
        return -1;
    d = memcmp(row, r->end.bytes, b);
    return r->end.len > 0 && (d > 0 || (d == 0 && len >= r->end.len));
}

static struct route route_row(const struct timeline *tl, uint64_t i)
{
    struct model *m = tl->model;
    uint8_t bytes[TRUTH_MAX_ROW];
    struct saltkey_buf row = {bytes, sizeof bytes, 0};
    struct route to = {0, 0};

    tl->source.key(tl->source.context, i, &row);
    to.region = table_region_of(m, &m->tables[0], row.bytes, row.len);
    for (size_t k = 0; k < tl->places; k++) {
        const struct region *r = m->regions[tl->place[k].region];

        if (beside(r, row.bytes, row.len) == 0 && (r->state != REGION_OPEN || r->server != tl->place[k].server))
            to.lane = 1 + tl->place[k].server;
    }
    return to;
}

void timeline_locate(struct timeline *tl)
{
    const struct table *t = &tl->model->tables[0];

    free(tl->place);
    tl->place = zeroed(t->regions_len, sizeof *tl->place);
    tl->places = t->regions_len;
    for (size_t k = 0; k < t->regions_len; k++)
        tl->place[k] = (struct timeline_place){t->regions[k], tl->model->regions[t->regions[k]]->server};
}

void timeline_put(struct timeline *tl, uint64_t first, uint64_t count)
{
    struct model *m = tl->model;
    const uint64_t span[2] = {first, count};
    const size_t n = m->servers_len * (m->servers_len + 1);
    struct server_call *calls = zeroed(n, sizeof *calls);
    struct route *route = zeroed(count, sizeof *route);

    for (uint64_t i = 0; i < count; i++)
        route[i] = route_row(tl, first + i);
    for (size_t k = 0; k < n; k++) {
        calls[k].call = (struct call){.source = tl->source, .replied = replied, .client = tl,
                                      .server = (int)(k % m->servers_len)};
        fill_call(tl, &calls[k], route, (int)(k / m->servers_len), span);
    }
    timeline_locate(tl);
    for (size_t k = 0; k < n; k++)
        if (calls[k].call.actions_len > 0)
            model_send(m, &calls[k].call);
    if (tl->s->patience > 0)
        des_run(tl->cal, des_now(tl->cal) + tl->s->patience);
    else
        timeline_settle(tl);
    for (size_t k = 0; k < n; k++) {
        free(calls[k].rows);
        free(calls[k].actions);
    }
    free(calls);
    free(route);
}

static void rest(struct timeline *tl)
{
    do
        des_run(tl->cal, des_now(tl->cal) + DES_S);
    while (!model_quiet(tl->model) && tl->model->error == 0);
}

void timeline_settle(struct timeline *tl)
{
    rest(tl);
    if (tl->s->archive)
        model_discharge(tl->model);
}

void timeline_move_all(struct timeline *tl)
{
    struct model *m = tl->model;
    const struct table *t = &m->tables[0];

    for (size_t j = 0; j < t->regions_len; j++) {
        struct region *r = m->regions[t->regions[j]];
        const int to = (int)(j % m->servers_len);
        const struct store_span all = {0, r->stores[0].files_len};
        char text[TIMELINE_TEXT], files[TIMELINE_FILES], key[400];

        if (r->server == to)
            continue;
        timeline_file_list(&r->stores[0], &all, files, sizeof files);
        snprintf(text, sizeof text, "%llu MOVE from=rs%02d;to=rs%02d;memdata=%llu;files=%s",
                 (unsigned long long)tl->step, r->server, to,
                 (unsigned long long)store_data_bytes(&r->stores[0]), files);
        timeline_region_key(r, tl->s->family[0].name, key, sizeof key);
        timeline_events_add(&tl->events, key, text);
        model_move(m, r, to);
        timeline_settle(tl);
    }
}

static int key_of(const void *context, uint64_t row, struct saltkey_buf *out)
{
    const struct timeline_settings *s = context;

    out->len = truth_row(&s->stream, row, out->bytes);
    return out->len > 0 ? 0 : -1;
}

static void cells_of(const void *context, uint64_t row, size_t family, struct put_cells *out)
{
    const struct timeline_settings *s = context;

    out->timestamp_ms = truth_timestamp(&s->stream, row);
    out->cells = row % s->family[family].every == 0;
}

struct key_source timeline_source(const struct timeline_settings *s)
{
    return (struct key_source){.key = key_of, .context = s, .cells = cells_of};
}

int timeline_first_server(const struct truth_table *events, const struct timeline_settings *s)
{
    if (!s->moved)
        return -1;
    for (size_t i = 0; i < events->rows && strcmp(events->row[i][0], "1000") <= 0; i++)
        if (strcmp(events->row[i][1], "MOVE") == 0)
            return atoi(strstr(events->row[i][4], "from=rs") + 7);
    return 0;
}
