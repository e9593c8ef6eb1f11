/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spec/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MIB (INT64_C(1) << 20)
#define GIB (INT64_C(1) << 30)
#define MS INT64_C(1000000)
#define MINUTE (60 * SPEC_NS_PER_S)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* The defaults of HBase 2.6 (HConstants, hbase-default.xml). */
static const struct spec_hbase hbase_2_6 = {
    .memstore_flush_size_bytes = 128 * MIB,
    .memstore_block_multiplier = 4,
    .global_memstore_size = 0.4,
    .global_memstore_lower = 0.95,
    .max_filesize_bytes = 10 * GIB,
    .max_filesize_jitter = 0.25,
    .split_policy = SPEC_SPLIT_STEPPING,
    .region_split_limit = 1000,
    .handler_count = 30,
    .max_callqueue_length = 0,
    .compaction_min = 3,
    .compaction_max = 10,
    .compaction_ratio = 1.2,
    .compaction_min_size_bytes = 128 * MIB,
    .compaction_max_size_bytes = INT64_MAX,
    .major_compaction_ns = 7 * DAY,
    .major_compaction_jitter = 0.5,
    .compaction_throttle_bytes = INT64_C(2684354560),
    .blocking_store_files = 16,
    .blocking_wait_ns = 90 * SPEC_NS_PER_S,
    .flusher_count = 2,
    .flush_interval_ns = 3600 * SPEC_NS_PER_S,
    .flush_per_changes = 30000000,
    .flush_check_ns = 10 * SPEC_NS_PER_S,
    .flush_delay_range_s = 300,
    .discharger_interval_ns = 120 * SPEC_NS_PER_S,
    .balancer_period_ns = 300 * SPEC_NS_PER_S,
    .regions_slop = 0.2,
    .client_write_buffer_bytes = 2 * MIB,
    .client_pause_ns = 100 * MS,
    .client_retries = 15,
    .create_threads = 16,
    .block_cache_size = 0.4,
    .bloom_error_rate = 0.01,
    .scanner_caching = INT64_C(2147483647),
    .scanner_max_result_bytes = 2 * MIB,
    .busy_blocked_share = 0.2,
    .busy_min_age_ns = 600 * SPEC_NS_PER_S,
    .busy_window_ns = 300 * SPEC_NS_PER_S,
    .normalizer = {
        .period_ns = 300 * SPEC_NS_PER_S,
        .split = true,
        .merge = true,
        .merge_min_regions = 3,
        .merge_min_age_days = 3,
        .merge_min_size_mb = 1,
    },
    .balance = {
        .balancer = SPEC_BALANCER_STOCHASTIC,
        .region_count_cost = 500,
        .move_cost = 7,
        .locality_cost = 25,
        .table_skew_cost = 35,
        .read_request_cost = 5,
        .write_request_cost = 5,
        .memstore_size_cost = 5,
        .storefile_size_cost = 5,
        .min_cost_need_balance = 0.025,
        .max_move_percent = 1,
        .max_steps = 1000000,
        .steps_per_region = 800,
        .max_running_ns = 30 * SPEC_NS_PER_S,
        .overall_slop = (double)NAN,
        .max_balancing_ns = -1,
        .max_rit_percent = 1,
        .status_period_ns = 60 * SPEC_NS_PER_S,
        .msg_interval_ns = 3 * SPEC_NS_PER_S,
        .dispatch_wait_ns = 150 * MS,
        .dispatch_queue_max = 100,
        .session_timeout_ns = 90 * SPEC_NS_PER_S,
    },
};

void spec_init(struct spec *sp)
{
    memset(sp, 0, sizeof *sp);
    sp->seed = 1;
    sp->duration_ns = HOUR;
    sp->detail = SPEC_DETAIL_AUTO;
    sp->compare = SPEC_COMPARE_NONE | SPEC_COMPARE_TWICE;
    sp->sample_keys = 1024;
    sp->cluster.servers = 1;
    sp->cluster.heap_bytes = 16 * GIB;
    sp->server.write_capacity_per_s = 20000;
    sp->server.wal_sync_ns = MS;
    sp->server.disk_bytes_per_s = 100e6;
    sp->server.split_prepare_ns = 100 * MS;
    sp->server.split_outage_ns = SPEC_NS_PER_S;
    sp->server.move_outage_ns = SPEC_NS_PER_S;
    sp->server.wal_split_bytes_per_s = 30e6;
    sp->server.restart_ns = 30 * SPEC_NS_PER_S;
    sp->server.read_capacity_per_s = 20000;
    sp->server.read_cores = 4;
    sp->server.seek_ns = 10000;
    sp->server.scan_cell_ns = 500;
    sp->server.return_row_ns = 500;
    sp->server.client_row_ns = 4000;
    sp->server.round_trip_ns = 300000;
    sp->server.network_bytes_per_s = 1.25e9;
    sp->server.disk_seek_ns = 8 * MS;
    sp->hbase = hbase_2_6;
}

static void family_free(struct spec_family *fam)
{
    free(fam->name);
    for (size_t i = 0; i < fam->columns_len; i++)
        free(fam->columns[i].qualifier);
    free(fam->columns);
}

static void table_free(struct spec_table *tab)
{
    free(tab->name);
    free(tab->key);
    free(tab->salt);
    free(tab->salt_over);
    free(tab->split_delimiter.bytes);
    for (size_t i = 0; i < tab->split_keys_len; i++)
        free(tab->split_keys[i].bytes);
    free(tab->split_keys);
    free(tab->splits_file);
    for (size_t i = 0; i < tab->families_len; i++)
        family_free(&tab->families[i]);
    free(tab->families);
}

void spec_stream_free(struct spec_stream *str)
{
    free(str->name);
    for (size_t i = 0; i < str->tables_len; i++)
        free(str->tables[i]);
    free(str->tables);
    free(str->keys_file);
    free(str->keys_name);
}

static void query_free(struct spec_query *qry)
{
    free(qry->name);
    free(qry->table);
    free(qry->field);
    free(qry->prefix.bytes);
}

static void expect_free(struct spec_expect *exp)
{
    free(exp->name);
    free(exp->scope_name);
    free(exp->metric);
    free(exp->issue);
}

static void event_free(struct spec_event *ev)
{
    free(ev->name);
    free(ev->table);
    free(ev->key.bytes);
    free(ev->other.bytes);
}

static void cluster_free(struct spec_cluster *cl)
{
    free(cl->state_name);
    for (size_t i = 0; i < cl->state_len; i++) {
        free(cl->state[i].table);
        free(cl->state[i].start.bytes);
        free(cl->state[i].local);
    }
    free(cl->state);
}

void spec_free(struct spec *sp)
{
    free(sp->title);
    free(sp->base_name);
    for (size_t i = 0; i < sp->tables_len; i++)
        table_free(&sp->tables[i]);
    free(sp->tables);
    for (size_t i = 0; i < sp->streams_len; i++)
        spec_stream_free(&sp->streams[i]);
    free(sp->streams);
    for (size_t i = 0; i < sp->queries_len; i++)
        query_free(&sp->queries[i]);
    free(sp->queries);
    for (size_t i = 0; i < sp->events_len; i++)
        event_free(&sp->events[i]);
    free(sp->events);
    for (size_t i = 0; i < sp->expects_len; i++)
        expect_free(&sp->expects[i]);
    free(sp->expects);
    cluster_free(&sp->cluster);
    free(sp->plan.candidates);
    for (size_t i = 0; i < sp->plan.targets_len; i++)
        free(sp->plan.targets[i].metric);
    free(sp->plan.targets);
    spec_init(sp);
}

/* The copying helpers leave what they made in |*to|, also when memory ends half way, so that
   spec_free releases it: a failure only sets |*failed|. */
static char *text_copy(const char *from, bool *failed)
{
    char *to;

    if (!from)
        return NULL;
    to = malloc(strlen(from) + 1);
    if (!to) {
        *failed = true;
        return NULL;
    }
    return strcpy(to, from);
}

/* A zeroed array of |*len| elements; |*len| becomes 0 without memory. */
static void *array_new(size_t *len, size_t size, bool *failed)
{
    void *to;

    if (*len == 0)
        return NULL;
    to = calloc(*len, size);
    if (!to) {
        *failed = true;
        *len = 0;
    }
    return to;
}

static void bytes_copy(const struct spec_bytes *from, struct spec_bytes *to, bool *failed)
{
    to->len = from->len;
    to->bytes = array_new(&to->len, 1, failed);
    if (to->bytes)
        memcpy(to->bytes, from->bytes, to->len);
}

static void family_copy(const struct spec_family *from, struct spec_family *to, bool *failed)
{
    *to = *from;
    to->name = text_copy(from->name, failed);
    to->columns = array_new(&to->columns_len, sizeof *to->columns, failed);
    for (size_t i = 0; i < to->columns_len; i++) {
        to->columns[i].qualifier = text_copy(from->columns[i].qualifier, failed);
        to->columns[i].value_bytes = from->columns[i].value_bytes;
    }
}

static void table_copy(const struct spec_table *from, struct spec_table *to, bool *failed)
{
    *to = *from;
    to->name = text_copy(from->name, failed);
    to->key = text_copy(from->key, failed);
    to->salt = text_copy(from->salt, failed);
    to->salt_over = text_copy(from->salt_over, failed);
    to->split_keys = array_new(&to->split_keys_len, sizeof *to->split_keys, failed);
    for (size_t i = 0; i < to->split_keys_len; i++)
        bytes_copy(&from->split_keys[i], &to->split_keys[i], failed);
    to->splits_file = text_copy(from->splits_file, failed);
    bytes_copy(&from->split_delimiter, &to->split_delimiter, failed);
    to->families = array_new(&to->families_len, sizeof *to->families, failed);
    for (size_t i = 0; i < to->families_len; i++)
        family_copy(&from->families[i], &to->families[i], failed);
}

static void stream_copy(const struct spec_stream *from, struct spec_stream *to, bool *failed)
{
    *to = *from;
    to->name = text_copy(from->name, failed);
    to->tables = array_new(&to->tables_len, sizeof *to->tables, failed);
    for (size_t i = 0; i < to->tables_len; i++)
        to->tables[i] = text_copy(from->tables[i], failed);
    to->keys_file = text_copy(from->keys_file, failed);
    to->keys_name = text_copy(from->keys_name, failed);
}

static void query_copy(const struct spec_query *from, struct spec_query *to, bool *failed)
{
    *to = *from;
    to->name = text_copy(from->name, failed);
    to->table = text_copy(from->table, failed);
    to->field = text_copy(from->field, failed);
    bytes_copy(&from->prefix, &to->prefix, failed);
}

static void event_copy(const struct spec_event *from, struct spec_event *to, bool *failed)
{
    *to = *from;
    to->name = text_copy(from->name, failed);
    to->table = text_copy(from->table, failed);
    bytes_copy(&from->key, &to->key, failed);
    bytes_copy(&from->other, &to->other, failed);
}

static void expect_copy(const struct spec_expect *from, struct spec_expect *to, bool *failed)
{
    *to = *from;
    to->name = text_copy(from->name, failed);
    to->scope_name = text_copy(from->scope_name, failed);
    to->metric = text_copy(from->metric, failed);
    to->issue = text_copy(from->issue, failed);
}

static void cluster_copy(const struct spec_cluster *from, struct spec_cluster *to, bool *failed)
{
    *to = *from;
    to->state_name = text_copy(from->state_name, failed);
    to->state = array_new(&to->state_len, sizeof *to->state, failed);
    for (size_t i = 0; i < to->state_len; i++) {
        struct spec_state_region *r = &to->state[i];

        *r = from->state[i];
        r->table = text_copy(from->state[i].table, failed);
        bytes_copy(&from->state[i].start, &r->start, failed);
        r->local = array_new(&r->local_len, sizeof *r->local, failed);
        if (r->local)
            memcpy(r->local, from->state[i].local, r->local_len * sizeof *r->local);
    }
}

static void plan_copy(const struct spec_plan *from, struct spec_plan *to, bool *failed)
{
    *to = *from;
    to->candidates = array_new(&to->candidates_len, sizeof *to->candidates, failed);
    for (size_t i = 0; i < to->candidates_len; i++)
        to->candidates[i] = from->candidates[i];
    to->targets = array_new(&to->targets_len, sizeof *to->targets, failed);
    for (size_t i = 0; i < to->targets_len; i++) {
        to->targets[i] = from->targets[i];
        to->targets[i].metric = text_copy(from->targets[i].metric, failed);
    }
}

int spec_table_copy(const struct spec_table *from, struct spec_table *to)
{
    bool failed = false;

    table_copy(from, to, &failed);
    if (failed)
        table_free(to);
    return failed ? -1 : 0;
}

int spec_stream_copy(const struct spec_stream *from, struct spec_stream *to)
{
    bool failed = false;

    stream_copy(from, to, &failed);
    if (failed)
        spec_stream_free(to);
    return failed ? -1 : 0;
}

int spec_copy(const struct spec *from, struct spec *to)
{
    bool failed = false;

    *to = *from;
    to->title = text_copy(from->title, &failed);
    to->base_name = text_copy(from->base_name, &failed);
    to->tables = array_new(&to->tables_len, sizeof *to->tables, &failed);
    for (size_t i = 0; i < to->tables_len; i++)
        table_copy(&from->tables[i], &to->tables[i], &failed);
    to->streams = array_new(&to->streams_len, sizeof *to->streams, &failed);
    for (size_t i = 0; i < to->streams_len; i++)
        stream_copy(&from->streams[i], &to->streams[i], &failed);
    to->queries = array_new(&to->queries_len, sizeof *to->queries, &failed);
    for (size_t i = 0; i < to->queries_len; i++)
        query_copy(&from->queries[i], &to->queries[i], &failed);
    to->events = array_new(&to->events_len, sizeof *to->events, &failed);
    for (size_t i = 0; i < to->events_len; i++)
        event_copy(&from->events[i], &to->events[i], &failed);
    to->expects = array_new(&to->expects_len, sizeof *to->expects, &failed);
    for (size_t i = 0; i < to->expects_len; i++)
        expect_copy(&from->expects[i], &to->expects[i], &failed);
    cluster_copy(&from->cluster, &to->cluster, &failed);
    plan_copy(&from->plan, &to->plan, &failed);
    if (failed) {
        spec_free(to);
        return -1;
    }
    return 0;
}

enum spec_detail spec_detail_for(double rows)
{
    return rows <= SPEC_AUTO_WRITE_ROWS ? SPEC_DETAIL_WRITE : rows <= SPEC_AUTO_TICK_ROWS ? SPEC_DETAIL_TICK
                                                                                          : SPEC_DETAIL_FLOW;
}

double spec_write_capacity_per_s(const struct spec *sp)
{
    const struct spec_server *sv = &sp->server;

    return sv->write_capacity_per_s * (sv->gc_every_ns > 0 ? 1 - (double)sv->gc_pause_ns / (double)sv->gc_every_ns : 1);
}

int64_t spec_window_ns(const struct spec *sp)
{
    static const int64_t steps[] = {
        1 * SPEC_NS_PER_S, 2 * SPEC_NS_PER_S, 5 * SPEC_NS_PER_S, 10 * SPEC_NS_PER_S,
        15 * SPEC_NS_PER_S, 30 * SPEC_NS_PER_S, 1 * MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE,
        15 * MINUTE, 30 * MINUTE, 1 * HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, 1 * DAY, 2 * DAY,
    };
    const size_t len = sizeof steps / sizeof steps[0];

    if (sp->window_ns > 0)
        return sp->window_ns;
    for (size_t i = 0; i < len; i++) {
        if (steps[i] >= (sp->duration_ns + 399) / 400)
            return sp->duration_ns > 0 && sp->duration_ns < steps[i] ? sp->duration_ns : steps[i];
    }
    return steps[len - 1];
}

double spec_stream_peak(const struct spec_stream *st)
{
    double peak = 1 + st->curve.day_swing;

    for (size_t i = 0; i < st->curve.bursts_len; i++)
        peak *= fmax(1, st->curve.bursts[i].factor);
    return peak;
}

bool spec_stream_is_uneven(const struct spec_stream *st)
{
    return st->curve.day_swing > 0 || st->curve.bursts_len > 0 || st->curve.growth_factor > 0 ||
           st->curve.growth_gain != 0;
}

const struct spec_table *spec_table_by_name(const struct spec *sp, const char *name)
{
    for (size_t i = 0; i < sp->tables_len; i++) {
        if (strcmp(sp->tables[i].name, name) == 0)
            return &sp->tables[i];
    }
    return NULL;
}

const char *spec_split_policy_name(enum spec_split_policy policy)
{
    static const char *const names[] = {
        [SPEC_SPLIT_STEPPING] = "SteppingSplitPolicy",
        [SPEC_SPLIT_INCREASING] = "IncreasingToUpperBoundRegionSplitPolicy",
        [SPEC_SPLIT_CONSTANT] = "ConstantSizeRegionSplitPolicy",
        [SPEC_SPLIT_KEY_PREFIX] = "KeyPrefixRegionSplitPolicy",
        [SPEC_SPLIT_DELIMITED_KEY_PREFIX] = "DelimitedKeyPrefixRegionSplitPolicy",
        [SPEC_SPLIT_BUSY] = "BusyRegionSplitPolicy",
        [SPEC_SPLIT_DISABLED] = "DisabledRegionSplitPolicy",
    };

    return names[policy];
}

enum spec_split_policy spec_table_split_policy(const struct spec *sp, const struct spec_table *table)
{
    return table->own_split_policy ? table->split_policy : sp->hbase.split_policy;
}

const char *spec_encoding_name(enum spec_encoding e)
{
    static const char *const names[] = {"NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"};

    return names[e];
}

const char *spec_compression_name(enum spec_compression c)
{
    static const char *const names[] = {"NONE", "GZ", "SNAPPY", "LZ4", "ZSTD"};

    return names[c];
}

const char *spec_bloom_name(const struct spec_family *f)
{
    return f->bloom_row ? "ROW" : f->bloom_rowcol ? "ROWCOL" : "NONE";
}

bool spec_salt_takes_buckets(const char *salt)
{
    return salt && strcmp(salt, "none") != 0 && strncmp(salt, "md5hex", strlen("md5hex")) != 0 &&
           strncmp(salt, "sha256hex", strlen("sha256hex")) != 0;
}

size_t spec_set_buckets(struct spec *sp, int n)
{
    size_t changed = 0;

    for (size_t i = 0; i < sp->tables_len; i++) {
        if (!spec_salt_takes_buckets(sp->tables[i].salt))
            continue;
        sp->tables[i].buckets = n;
        changed++;
    }
    return changed;
}

void spec_settings_free(struct spec_settings *set)
{
    for (size_t i = 0; i < set->len; i++) {
        free(set->items[i].section);
        free(set->items[i].key);
        free(set->items[i].text);
    }
    free(set->items);
    memset(set, 0, sizeof *set);
}
