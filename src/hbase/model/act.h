/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this room call of each other: the handlers' entry points. */
#ifndef HBASE_MODEL_ACT_H
#define HBASE_MODEL_ACT_H

#include "hbase/balance/cluster.h"
#include "hbase/model/model.h"
#include "hbase/rules/memstore_pressure.h"

/* Unix time now. */
static inline uint64_t model_now_ms(const struct model *m)
{
    return m->epoch_ms + (uint64_t)(des_now(m->cal) / DES_MS);
}

/* Walks over all regions but the dead: those of no table by id, then each table's in key order. */
struct region_walk {
    size_t other, table, at;
};

static inline struct region *region_walk_next(const struct model *m, struct region_walk *w)
{
    if (w->other < m->other_regions)
        return m->regions[w->other++];
    while (w->table < m->tables_len && w->at == m->tables[w->table].regions_len) {
        w->table++;
        w->at = 0;
    }
    return w->table < m->tables_len ? m->regions[m->tables[w->table].regions[w->at++]] : NULL;
}

static inline void model_observe(const struct model *m, const struct model_observation *o)
{
    if (m->observer.observe)
        m->observer.observe(m->observer.context, o);
}

/* flush.c: MemStoreFlusher.requestFlush; nothing where one is asked for already. */
void region_request_flush(struct model *m, struct region *r);
/* The same, for too many files of the log. */
void region_request_log_flush(struct model *m, struct region *r, struct log_call call);
/* Admin.flush: all stores; an empty region only uses up a sequence id. With |split| a split by hand
   waits for it. */
void region_flush_by_hand(struct model *m, struct region *r, bool split);
/* Flushes all stores at once, as a close does; the time is part of the outage. */
void region_flush_closing(struct model *m, struct region *r);
/* Files have joined or left one of its stores. */
static inline void region_files_changed(struct region *r)
{
    r->resized = true;
    r->check_from = 0;
}

/* The most files that one of its stores has. */
uint32_t region_most_files(const struct region *r, const struct table *t);
/* Free flushers take what waits. */
void server_try_flush(struct model *m, struct server *s);
/* Frees what still runs at the end. */
void flushes_free(struct model *m);

/* A delayed flush, where nothing has flushed the region before. */
void region_flush_delayed(struct model *m, struct region *r);

/* periodic.c */
int periodic_start(struct model *m);
/* Rows have come into the region's memstores, the first of them |ago|. */
void periodic_note_edits(struct model *m, struct region *r, des_time ago);
/* Stores that a flush left out keep their old edits. */
void periodic_note_left(struct model *m, struct region *r);
/* HRegion.shouldFlushStore: its oldest edit is older than the interval. */
bool periodic_store_is_old(const struct model *m, const struct store *st);

/* compact.c: queues the stores that are asked for. */
enum compaction_ask {
    COMPACTION_ASK_ALL,
    COMPACTION_ASK_NEEDED,      /* HStore.needsCompaction */
    COMPACTION_ASK_USER,        /* by hand: at once, before all others */
    COMPACTION_ASK_MAJOR,       /* the same, of all files */
    COMPACTION_ASK_OPENING      /* the same, or with references (HRegionServer.postOpenDeployTasks) */
};
void region_request_compaction(struct model *m, struct region *r, enum compaction_ask ask);
/* CompactionChecker: asks for what a store needs, or is old enough for. */
void region_check_compaction(struct model *m, struct region *r);
/* No cell anywhere. */
bool region_is_empty(const struct model *m, const struct region *r);
/* HStore.needsCompaction */
bool store_needs_compaction(const struct table *t, const struct store *st);
/* Running compactions of a closing region come to nothing. */
void region_abort_compactions(struct model *m, struct region *r);
/* Frees what still runs at the end. */
void compactions_free(struct model *m);

/* split.c */
enum split_answer {
    SPLIT_NO,       /* it needn't, or it can't and compaction may go on */
    SPLIT_STUCK,    /* it should, but nothing follows: neither split nor compaction */
    SPLIT_BEGUN
};
enum split_answer region_request_split(struct model *m, struct region *r);
/* By hand: at |key|, or where the largest file says (len 0). */
enum split_refusal region_split_by_hand(struct model *m, struct region *r, struct saltkey_slice key);
/* The flush that a split without key waited for is done: splits, or says why not. */
void region_split_flushed(struct model *m, struct region *r);
bool region_has_references(const struct model *m, const struct region *r);
void region_split_done(struct model *m, struct region *r);

/* pressure.c */
/* Heap of all memstores on the server. */
uint64_t server_heap_bytes(const struct model *m, const struct server *s);
/* Wakes a flusher at the low mark. */
enum memstore_pressure pressure_wake(struct model *m, struct server *s);
/* Before each region batch: wakes a flusher at the low mark; true at the limit: the handler waits. */
bool pressure_holds(struct model *m, struct server *s);
/* A flush of |r| has freed so much heap. */
void pressure_lowered(struct server *s, const struct region *r, uint64_t heap_bytes);
/* After each flush: handlers that wait may go on. */
void pressure_flushed(struct model *m, struct server *s);
struct region *pressure_choose(struct model *m, struct server *s);

/* wal.c: so many bytes of |r|'s rows go into its server's log. A new log file may be due: then regions that hold
   back the oldest one are asked to flush. */
void wal_append(struct model *m, struct region *r, uint64_t bytes);

/* call.c: what a server needs to take calls, once. 0, or MODEL_NO_MEMORY. */
int server_init_calls(struct model *m, struct server *s);

/* call.c: handlers that waited at the global memstore limit go on. */
void server_release_calls(struct model *m, struct server *s);

/* merge.c */
void regions_merge(struct model *m, struct region *const *regions, size_t n, int server);
void merge_region_closed(struct model *m, struct region *r, des_time outage);
/* A region's server died before it was closed: nothing becomes of its merge. */
void merge_give_up(struct model *m, struct region *r);
void merges_free(struct model *m);

/* trip.c: the only way to a new state, so that what is counted over regions knows when to count anew. */
void region_enter(struct model *m, struct region *r, enum region_state state);
/* Dead from now on, without stores: a long run has as many dead regions as live ones. */
void region_bury(struct model *m, struct region *r);

/* trip.c: closing, being away, opening. */
void region_leave(struct model *m, struct region *r, enum region_trip trip);
/* The master prepares a split: the region serves on, then leaves. */
void region_prepare_split(struct model *m, struct region *r);
/* A call or flush inside a closing region has ended. */
void region_let_go(struct model *m, struct region *r);
/* Opens (again): jitter redrawn, HBase's counter at 0. */
void region_opened(struct model *m, struct region *r);

/* A closed region comes back where it was: its table is enabled, or its merge given up. */
void region_enable(struct model *m, struct region *r);

/* How long this trip takes. */
des_time region_outage(struct model *m, enum region_trip trip);
/* A split or move that its server's death ends before the region was closed. */
void region_trip_ends(struct model *m, struct region *r);

/* chores.c */
int chores_start(struct model *m);
/* The region has compacted files that wait for its server's discharger. */
void chores_to_discharge(struct model *m, struct region *r);
/* The chores of a server that comes up. */
void chores_start_server(struct model *m, struct server *s);
/* A merged region waits for the catalog janitor. */
void chores_janitor(struct model *m);
/* A chore's run may be late by up to a share of its period; its ticks stay on their base. */
des_time chore_late(struct model *m, des_time period);
/* The master knows nothing of the region's load any more. */
void region_forget_load(struct region *r);
/* One more sample of a region's load, as the master remembers it. */
void region_add_load(struct model *m, struct region *r, const struct load_sample *sample);
/* One more sample for the balancer of what the servers last reported. */
void chores_sample_loads(struct model *m);

/* balance.c */
void balance_options(const struct spec_hbase *h, struct balancer_options *out);
/* The chore's work, or an operator's `balance`. */
void balance_now(struct model *m);

/* view.c: the cluster as the master shows it to a balancer. |ids| are the regions' ids. */
struct model_view {
    struct balancer_cluster cluster;
    struct balancer_region *regions;
    struct balancer_block_share *shares;
    int *ids;
    uint8_t *server_state;
};
int model_view_new(const struct model *m, struct model_view *v);
void model_view_free(struct model_view *v);

/* server.c */
int servers_add(struct model *m);
void servers_refresh(struct model *m);
/* A server comes up, or goes down in good order. */
void server_up(struct model *m, struct server *s);
void server_down(struct model *m, struct server *s);
double server_up_s(const struct server *s, des_time now);
/* Another server for a region, as BaseLoadBalancer.randomAssignment draws it; -1 where there is none. */
int server_pick(struct model *m, int but);

/* call.c: what the server was doing is lost; the clients see it. */
void server_drop_calls(struct model *m, struct server *s);
/* flush.c, compact.c, disk.c: the same for its files under way. What a flush had taken out of the
   memstore stays with the region for its recovery. */
void server_drop_flushes(struct model *m, struct server *s);
void server_drop_compactions(struct model *m, struct server *s);
/* flush.c: a recovered region writes all that was replayed. */
void region_flush_recovered(struct model *m, struct region *r);

/* crash.c */
void server_crash(struct model *m, struct server *s);
/* Region-seconds that regions of lost servers were away since the last sample window. */
double recoveries_away_s(const struct model *m, des_time begin, des_time end);
void recoveries_free(struct model *m);

/* normalize.c: its chore, where a table asks for it. */
void normalizer_start(struct model *m);

/* operate.c: says that a merge from |low| to |high| crosses a bucket's border. */
void region_warn_buckets(struct model *m, const struct region *low, const struct region *high);

/* operate.c: says why no split by hand follows. */
void region_split_refused(struct model *m, const struct region *r, enum split_refusal rc);
/* operate.c: the scenario's events. */
int operations_start(struct model *m);
void operations_free(struct model *m);

/* state.c: the cluster as a state file has it. */
bool state_has_table(const struct model *m, const char *name);
int state_add_others(struct model *m);
int state_create_table(struct model *m, struct table *t);

/* table.c */
struct region *model_add_region(struct model *m, int table, int server);
int region_set_bounds(struct region *r, const struct table *t, struct saltkey_slice start,
                      struct saltkey_slice end);
/* Puts daughters in the place of |old| in its table's list. */
int table_replace(struct model *m, struct table *t, int old, const int daughters[2]);
/* Puts |merged| in the place of |old|; takes a region out of its table's list. */
void table_replace_merged(struct model *m, struct table *t, int old, int merged);
void table_remove(struct table *t, int id);
int table_create(struct model *m, struct table *t, const struct spec_table *spec);
/* Its regions, as its splits and the master's round robin say. */
int table_place(struct model *m, struct table *t);
void table_free(struct table *t);

/* lifetime.c: tables that are created or dropped during the run. */
bool table_comes_later(const struct model *m, const struct table *t);
void table_created(struct model *m, struct table *t);
void table_dropped(struct model *m, struct table *t);

/* family.c: the shape of the table's |family|-th family from its spec. 0 or MODEL_NO_MEMORY. */
int family_fill(const struct model *m, struct table *t, size_t family);
void family_free(struct family_shape *sh);

/* window.c: names of servers and tables, counts at the start. */
int model_log_start(struct model *m);

/* model.c */
int region_stay(struct region *r, des_time from, int server);
struct result_event *model_log(struct model *m, const char *kind, const struct region *r, const char *rule);
void model_log_input(struct result_event *e, const char *name, double value);
void model_log_text(struct result_event *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
