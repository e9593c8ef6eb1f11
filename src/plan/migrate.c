/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/migrate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "des/stream.h"
#include "plan/placement.h"
#include "plan/shares.h"
#include "plan/text.h"
#include "plan/volume.h"
#include "sim/sim.h"
#include "workload/keystream.h"

#define SAMPLE_ROWS 200000
#define PLACEMENTS 50
#define SERVERS_LOOK 4                /* even clusters are sought up to a third above what there is */
#define SAME_RATIO 0.05

static int gcd(int a, int b)
{
    while (b) {
        const int r = a % b;

        a = b;
        b = r;
    }
    return a;
}

/* Compares the buckets of the same rows under both counts. */
static int compare_rows(const struct plan_pair *pair, const struct spec_table *table, const struct plan_migrate_ask *ask,
                        struct plan_migration *out)
{
    const uint64_t most = pair->total < SAMPLE_ROWS ? pair->total : SAMPLE_ROWS;
    struct spec_table old_table = *table, new_table = *table;
    struct keystream was, is;
    struct saltkey_error err = {0, 0, ""};
    uint64_t moved = 0, held = 0;

    old_table.buckets = ask->from;
    new_table.buckets = ask->to;
    if (keystream_init(&was, &old_table, &pair->arrivals, pair->has_file ? &pair->file : NULL, &err) != 0)
        return SIM_BAD_SPEC;
    if (keystream_init(&is, &new_table, &pair->arrivals, pair->has_file ? &pair->file : NULL, &err) != 0) {
        keystream_free(&was);
        return SIM_BAD_SPEC;
    }
    for (uint64_t k = 0; k < most; k++) {
        const uint64_t row = plan_sample_row(pair, most, k);
        struct key_route a, b;

        keystream_route(&was, &row, 1, &a);
        keystream_route(&is, &row, 1, &b);
        moved += a.bucket != b.bucket;
        held += ask->from > 0 && b.bucket % (uint32_t)ask->from == a.bucket;
    }
    out->moved = (double)moved / (double)most;
    out->sampled = most;
    out->splits_hold = out->splits_into > 0 && held == most;
    keystream_free(&was);
    keystream_free(&is);
    return 0;
}

/* Mean hot server ratio of |n| buckets on |servers| servers over placements; its regions. */
static int ratio_of(const struct plan_keys *keys, int n, int servers, double *ratio, double *regions)
{
    struct plan_load load;
    struct spec sp;
    double sum = 0;
    int rc;

    if (spec_copy(keys->spec, &sp) != 0)
        return SIM_NO_MEMORY;
    spec_set_buckets(&sp, n);
    sp.cluster.servers = servers;
    rc = plan_load_open(keys, &sp, &load);
    for (uint64_t i = 0; i < PLACEMENTS && rc == 0; i++) {
        struct result_summary s;

        rc = plan_place(&sp, &load, des_replication_seed(sp.seed, i), &s);
        sum += rc == 0 ? s.hot_server_ratio : 0;
    }
    if (rc == 0) {
        *ratio = sum / PLACEMENTS;
        *regions = (double)load.regions_all;
    }
    plan_load_free(&load);
    spec_free(&sp);
    return rc;
}

/* rows/s that the table is written with: in the mean, which fills it, and at the peak, which the servers must carry. */
struct rates {
    double mean, peak;
};

static void volume(const struct spec *sp, const struct plan_migrate_ask *ask, struct rates rate, struct plan_migration *out)
{
    const double kept_s = fmin(ask->age_s, out->retention_s);
    const double region = (double)(out->table->max_filesize_bytes ? out->table->max_filesize_bytes
                                                                  : sp->hbase.max_filesize_bytes);

    out->size_bytes = ask->size_bytes > 0 ? ask->size_bytes : rate.mean * kept_s * out->row_bytes;
    out->rows = out->size_bytes / out->row_bytes;
    out->hfiles = out->regions * (double)out->table->families_len * ceil(out->size_bytes / out->regions / region);
    out->rewrite_per_s = ask->rewrite_per_s > 0 ? ask->rewrite_per_s : sp->server.disk_bytes_per_s / 4;
    out->copy_s = out->size_bytes / (out->rewrite_per_s * out->servers);
    /* Each rewritten byte is read once and written once. */
    out->disk_share = 2 * out->rewrite_per_s / sp->server.disk_bytes_per_s;
    out->dual_rate_per_s = 2 * rate.peak;
    out->dual_load = rate.peak * (out->ratio_from + out->ratio_to) / out->servers / spec_write_capacity_per_s(sp);
}

/* Is there something cheaper? */
static void advise(const struct plan_migrate_ask *ask, struct plan_migration *out)
{
    struct plan_text t = {"", 0};
    const double kept_s = fmin(ask->age_s, out->retention_s);

    if (ask->from == ask->to) {
        out->dont = true;
        plan_say(&t, "don't: the table has that count already.");
    } else if (out->ratio_to > out->ratio_from - SAME_RATIO) {
        out->dont = true;
        plan_say(&t, "don't: ");
        plan_say_n(&t, ask->to);
        plan_say(&t, " gives a hot server ratio of %.2f on %d server%s, ", out->ratio_to, out->servers,
                 out->servers == 1 ? "" : "s");
        plan_say_n(&t, ask->from);
        plan_say(&t, " gives %.2f already.%s", out->ratio_from,
                 out->ratio_to > out->ratio_from + SAME_RATIO ? "" : " What remains is not the tail's.");
    } else if (out->even_servers > 0) {
        out->dont = true;
        plan_say(&t, "don't, add %d servers instead: %d buckets are even on %d servers, and no row is rewritten (spread the "
                 "table's regions over them: hbase.master.loadbalance.bytable, or move).",
                 out->even_servers - out->servers, ask->from, out->even_servers);
    } else if (isfinite(out->retention_s) && kept_s < 4 * out->copy_s) {
        out->dont = true;
        plan_say(&t, "don't copy, wait: write to the new table, read both, and drop the old one when its rows have expired "
                 "after %.3g days; copying takes %.3g days.", out->retention_s / 86400, out->copy_s / 86400);
    } else {
        plan_say(&t, "do it: the hot server ratio goes from %.2f to %.2f.", out->ratio_from, out->ratio_to);
    }
    if (!out->dont && out->dual_load > 1)
        plan_say(&t, " While both tables are written the hottest server would be asked for %.0f %% of what it carries: "
                 "add servers first, or copy from a snapshot and write the delta after.", 100 * out->dual_load);
    if (!out->dont && out->disk_share > 0.5)
        plan_say(&t, " Rewriting takes %.0f %% of each disk.", 100 * out->disk_share);
    snprintf(out->advice, sizeof out->advice, "%.1023s", t.bytes);
}

/* A few servers more that make the present N even. */
static int find_even(const struct plan_keys *keys, const struct plan_migrate_ask *ask, struct plan_migration *out)
{
    double ratio, regions;
    int rc = 0;

    out->even_servers = 0;
    for (int s = out->servers + 1; ask->from > 0 && s <= out->servers + out->servers / SERVERS_LOOK + 1 && rc == 0; s++) {
        if (ask->from % s != 0)
            continue;
        rc = ratio_of(keys, ask->from, s, &ratio, &regions);
        if (rc == 0 && ratio <= out->ratio_to + SAME_RATIO) {
            out->even_servers = s;
            break;
        }
    }
    return rc;
}

int plan_migrate(const struct spec *sp, const struct plan_migrate_ask *ask, struct plan_migration *out)
{
    struct plan_migration m = {.from = ask->from, .to = ask->to, .servers = sp->cluster.servers};
    struct plan_keys keys;
    struct plan_row row;
    size_t table = ask->table, pair = 0;
    struct rates rate = {0, 0};
    double unused;
    int rc;

    if (table >= sp->tables_len || !spec_salt_takes_buckets(sp->tables[table].salt))
        return SIM_BAD_SPEC;
    m.table = &sp->tables[table];
    m.splits_into = ask->from > 0 && ask->to > ask->from && ask->to % ask->from == 0 ? ask->to / ask->from : 0;
    m.moved_formula = ask->from > 0 && ask->to > 0
                          ? 1 - (double)gcd(ask->from, ask->to) / (ask->from > ask->to ? ask->from : ask->to) : ask->from != ask->to;
    rc = plan_keys_open(sp, SAMPLE_ROWS, 0, &keys);
    for (size_t i = 0; rc == 0 && i < keys.len; i++) {
        const struct spec_stream *st = &sp->streams[keys.pair[i].stream];

        if (keys.pair[i].table != table)
            continue;
        rate.mean += st->rate_per_s;
        rate.peak += st->rate_per_s * spec_stream_peak(st);
    }
    while (rc == 0 && pair < keys.len && keys.pair[pair].table != table)
        pair++;
    if (rc == 0 && pair < keys.len)
        rc = compare_rows(&keys.pair[pair], m.table, ask, &m);
    if (ask->from == 0 || ask->to == 0)
        m.moved = ask->from == ask->to ? 0 : 1; /* the salt's bytes themselves come or go */
    plan_row_of(m.table, &row);
    m.row_bytes = row.disk_bytes;
    m.retention_s = ask->retention_s > 0 ? ask->retention_s : row.kept_s;
    if (rc == 0)
        rc = ratio_of(&keys, ask->from, m.servers, &m.ratio_from, &unused);
    if (rc == 0)
        rc = ratio_of(&keys, ask->to, m.servers, &m.ratio_to, &m.regions);
    if (rc == 0)
        rc = find_even(&keys, ask, &m);
    plan_keys_close(&keys);
    if (rc != 0)
        return rc;
    volume(sp, ask, rate, &m);
    advise(ask, &m);
    *out = m;
    return 0;
}
