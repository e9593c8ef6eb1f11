/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server that dies (ServerCrashProcedure, HBase 2.6). Its regions are away from that moment. The
   master notices when the ZooKeeper session is over, has the write-ahead log split by the others,
   then assigns: hbase:meta first, the rest in batches from the assign queue. A region that opens
   replays its edits on its new server's CPU and flushes them before it serves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/balance/assign.h"
#include "hbase/model/act.h"

/* hbase.regionserver.hlog.blocksize (2 x 128 MiB) x logroll.multiplier 0.5 */
#define WAL_FILE_BYTES (128.0 * 1048576)
/* hbase.regionserver.wal.max.splitters */
#define SPLITTERS 2

struct recovery {
    struct model *m;
    int server;
    des_time lost;
    double wal_bytes;
    int *regions;             /* ids; hbase:meta, then as the master queues them */
    size_t regions_len, opened;
    struct recovery *next;
};

static uint64_t draw(void *state)
{
    return des_u64(state);
}

static void open_on(struct model *m, struct region *r, int server);

/* The log from its oldest unflushed edit on: files before that are archived. */
static double wal_to_split(const struct model *m, const struct server *s)
{
    uint64_t from = UINT64_MAX;

    for (size_t i = 0; i < m->regions_len; i++) {
        const struct region *r = m->regions[i];

        if (r->server != s->index || r->state == REGION_DEAD)
            continue;
        from = r->wal_from < from ? r->wal_from : from;
        from = r->wal_snapshot_from < from ? r->wal_snapshot_from : from;
    }
    return from == UINT64_MAX ? 0 : (double)(s->wal_bytes - from);
}

static bool lose_region(struct model *m, struct region *r)
{
    if (r->state != REGION_OPEN && r->state != REGION_CLOSING)
        return false; /* closed already: its split or move goes on without the server */
    if (r->trip != TRIP_NONE)
        region_trip_ends(m, r);
    region_enter(m, r, REGION_AWAY);
    r->trip = TRIP_RECOVER;
    r->lost_at = des_now(m->cal);
    r->flush_requested = false;
    return true;
}

static void log_lost(struct model *m, const struct recovery *rec)
{
    struct result_event *e = model_log(m, "lose server", NULL, "ServerCrashProcedure");
    double memstores = 0;

    if (!e)
        return;
    for (size_t i = 0; i < rec->regions_len; i++) {
        const struct region *r = m->regions[rec->regions[i]];

        for (size_t f = 0; r->table >= 0 && f < m->tables[r->table].families_len; f++)
            memstores += (double)store_data_bytes(&r->stores[f]);
    }
    e->server = rec->server;
    model_log_input(e, "regions", (double)rec->regions_len);
    model_log_input(e, "memstore_bytes", memstores);
    model_log_input(e, "wal_bytes", rec->wal_bytes);
    model_log_text(e, "dies with %zu regions and %.1f MiB in their memstores; %.1f MiB of its log are to be split",
                   rec->regions_len, memstores / 1048576, rec->wal_bytes / 1048576);
}

static void log_back(struct model *m, const struct recovery *rec)
{
    struct result_event *e = model_log(m, "recovered", NULL, "ServerCrashProcedure");
    const double away_s = des_time_to_s(des_now(m->cal) - rec->lost);

    if (!e)
        return;
    e->server = rec->server;
    model_log_input(e, "regions", (double)rec->regions_len);
    model_log_input(e, "away_s", away_s);
    model_log_text(e, "all %zu regions serve again, %.1f s after the server died", rec->regions_len, away_s);
}

static void forget(struct model *m, struct recovery *rec)
{
    struct recovery **at = &m->recoveries;

    while (*at != rec)
        at = &(*at)->next;
    *at = rec->next;
    free(rec->regions);
    free(rec);
}

void recoveries_free(struct model *m)
{
    while (m->recoveries)
        forget(m, m->recoveries);
}

double recoveries_away_s(const struct model *m, des_time begin, des_time end)
{
    double sum = 0;

    for (size_t i = 0; m->recoveries && i < m->regions_len; i++) {
        const struct region *r = m->regions[i];

        if (r->lost_at != DES_NEVER && r->table >= 0)
            sum += des_time_to_s(end - (r->lost_at > begin ? r->lost_at : begin));
    }
    return sum;
}

static struct recovery *recovery_of(const struct model *m, const struct region *r)
{
    struct recovery *rec = m->recoveries;

    for (; rec; rec = rec->next)
        for (size_t i = 0; i < rec->regions_len; i++)
            if (rec->regions[i] == r->id)
                return rec;
    return NULL;
}

/* ---- opening ---- */

static void opened(struct model *m, struct region *r)
{
    const des_time now = des_now(m->cal);
    struct recovery *rec = recovery_of(m, r);
    struct server *to = &m->servers[r->trip_to];

    m->servers[r->server].regions--;
    to->regions++;
    r->server = to->index;
    if (r->table >= 0) {
        m->away_s += des_time_to_s(now - (r->lost_at > m->window_begin ? r->lost_at : m->window_begin));
        region_flush_recovered(m, r);
        for (size_t f = 0; f < m->tables[r->table].families_len; f++)
            store_discharge(&r->stores[f]);
    }
    if (region_stay(r, now, r->server) != 0)
        model_fail(m, MODEL_NO_MEMORY);
    r->next_seqid += 3;
    r->lost_at = DES_NEVER;
    r->trip = TRIP_NONE;
    m->trips--;
    region_opened(m, r);
    if (rec && ++rec->opened == rec->regions_len) {
        m->dead_in_progress--;
        log_back(m, rec);
        forget(m, rec);
    }
}

static void open_ends(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;
    struct region *r = m->regions[arg];

    (void)cal;
    if (m->servers[r->trip_to].live)
        opened(m, r);
    else
        open_on(m, r, server_pick(m, r->trip_to));
}

/* Replay on the new server's CPU, then the open itself. */
static void open_on(struct model *m, struct region *r, int server)
{
    const des_time now = des_now(m->cal);
    struct server *to;
    uint64_t rows = 0;
    des_time work;

    if (server < 0) {
        model_fail(m, MODEL_BROKEN); /* the scenario's check leaves one server at any time */
        return;
    }
    to = &m->servers[server];
    r->trip_to = server;
    for (size_t f = 0; r->table >= 0 && f < m->tables[r->table].families_len; f++)
        rows += r->stores[f].active.rows + r->stores[f].snapshot.rows;
    work = (des_time)((double)rows * m->row_ns);
    to->cpu_free = (to->cpu_free > now ? to->cpu_free : now) + work;
    to->cpu_busy_s += des_time_to_s(work);
    des_at(m->cal, to->cpu_free + region_outage(m, TRIP_RECOVER),
           (struct des_action){.run = open_ends, .self = m, .arg = (uint64_t)r->id});
}

static void open_dealt(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;
    struct region *r = m->regions[arg];

    (void)cal;
    if (m->servers[r->trip_to].live)
        open_on(m, r, r->trip_to);
    else
        open_on(m, r, server_pick(m, r->trip_to));
}

/* ---- assignment ---- */

/* Deals out regions [from, to) of the recovery at |at| and lets them open. */
static int deal(struct model *m, struct recovery *rec, size_t from, size_t to)
{
    const struct spec_balance *b = &m->spec->hbase.balance;
    const struct balance_draw draws = {draw, &m->streams.events};
    const struct assign_servers targets = {m->targets, (uint32_t)m->targets_len, NULL};
    const struct assign_queue queue = {b->dispatch_wait_ns / DES_US, (uint32_t)b->dispatch_queue_max};
    const int64_t now_us = des_now(m->cal) / DES_US;
    struct assign_request *requests = calloc(to - from + 1, sizeof *requests);
    uint32_t *server = malloc((to - from + 1) * sizeof *server);
    int rc = requests && server ? 0 : MODEL_NO_MEMORY;

    for (size_t i = from; rc == 0 && i < to; i++) {
        const struct region *r = m->regions[rec->regions[i]];

        requests[i - from] = (struct assign_request){(uint32_t)i, r->table < 0 && r->other < 2 ? BALANCER_REGION_SYSTEM : 0,
                                                     now_us};
        server[i - from] = (uint32_t)rec->server;
    }
    for (size_t i = 0; rc == 0 && i < to - from;) {
        int64_t at_us = now_us;
        const size_t n = assign_queue_batch(&queue, requests + i, to - from - i, &at_us);

        rc = b->scp_retain ? assign_retain(&targets, &draws, n, server + i)
                           : assign_batch(&targets, &draws, requests + i, n, server + i);
        for (size_t k = i; rc == 0 && k < i + n; k++) {
            struct region *r = m->regions[rec->regions[from + k]];

            r->trip_to = (int)server[k];
            des_at(m->cal, at_us * DES_US > des_now(m->cal) ? at_us * DES_US : des_now(m->cal),
                   (struct des_action){.run = open_dealt, .self = m, .arg = (uint64_t)r->id});
        }
        i += n;
    }
    free(requests);
    free(server);
    return rc == 0 ? 0 : rc == BALANCE_NO_MEMORY ? MODEL_NO_MEMORY : MODEL_BROKEN;
}

static bool holds_meta(const struct model *m, const struct recovery *rec)
{
    return rec->regions_len > 0 && rec->regions[0] == 0 && !m->regions[0]->hidden;
}

static void assign_rest(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct recovery *rec = self;
    struct model *m = rec->m;
    const size_t from = holds_meta(m, rec) ? 1 : 0;
    int rc = 0;

    (void)arg;
    /* The master writes assignments into hbase:meta: they wait for it. */
    if (from == 1 && rec->regions_len > 1 && m->regions[0]->trip == TRIP_RECOVER) {
        des_after(cal, 10 * DES_MS, (struct des_action){.run = assign_rest, .self = rec});
        return;
    }
    if (from < rec->regions_len)
        rc = deal(m, rec, from, rec->regions_len);
    if (rc != 0)
        model_fail(m, rc);
}

static void log_split(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct recovery *rec = self;
    const bool meta = holds_meta(rec->m, rec), alone = meta && rec->regions_len == 1;
    const int rc = meta ? deal(rec->m, rec, 0, 1) : 0;

    (void)arg;
    if (rc != 0)
        model_fail(rec->m, rc);
    else if (!alone)
        assign_rest(cal, rec, 0);
}

static void noticed(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct recovery *rec = self;
    struct model *m = rec->m;
    const double files = ceil(rec->wal_bytes / WAL_FILE_BYTES);
    double tasks, seconds = 0;

    (void)arg;
    m->servers[rec->server].known = false;
    servers_refresh(m);
    m->dead_in_progress++;
    m->trips += rec->regions_len;
    if (rec->regions_len == 0) {
        m->dead_in_progress--;
        log_back(m, rec);
        forget(m, rec);
        return;
    }
    tasks = SPLITTERS * (double)model_live_servers(m);
    if (files > 0)
        seconds = ceil(files / tasks) * (rec->wal_bytes / files) / m->spec->server.wal_split_bytes_per_s;
    des_after(cal, des_time_from_s(seconds), (struct des_action){.run = log_split, .self = rec});
}

void server_crash(struct model *m, struct server *s)
{
    struct recovery *rec = calloc(1, sizeof *rec);

    if (rec)
        rec->regions = malloc((m->regions_len + 1) * sizeof *rec->regions);
    if (!rec || !rec->regions) {
        free(rec);
        model_fail(m, MODEL_NO_MEMORY);
        return;
    }
    rec->m = m;
    rec->server = s->index;
    rec->lost = des_now(m->cal);
    rec->wal_bytes = wal_to_split(m, s);
    s->up_s = server_up_s(s, rec->lost);
    s->live = false;
    server_drop_compactions(m, s);
    server_drop_flushes(m, s);
    disk_drop(&s->disk);
    for (size_t i = 0; i < m->regions_len; i++)
        if (m->regions[i]->table < 0 && m->regions[i]->server == s->index && lose_region(m, m->regions[i]))
            rec->regions[rec->regions_len++] = m->regions[i]->id;
    for (size_t t = 0; t < m->tables_len; t++)
        for (size_t i = 0; i < m->tables[t].regions_len; i++) {
            struct region *r = m->regions[m->tables[t].regions[i]];

            if (r->server == s->index && lose_region(m, r))
                rec->regions[rec->regions_len++] = r->id;
        }
    rec->next = m->recoveries;
    m->recoveries = rec;
    log_lost(m, rec);
    server_drop_calls(m, s);
    des_after(m->cal, m->spec->hbase.balance.session_timeout_ns, (struct des_action){.run = noticed, .self = rec});
}
