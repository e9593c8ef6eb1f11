/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gates of the region servers: memory, regions, flushes, splits, the log. Each says its formula with
   this plan's numbers. The figures are those of the plan's N at the end of the growth, on the server
   that holds the most write tails. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/memstore.h"
#include "hbase/rules/memstore_pressure.h"
#include "hbase/rules/split_policy.h"
#include "plan/conclude.h"
#include "plan/volume.h"
#include "result/format.h"

#define MIB 1048576.0
#define REGIONS_WARN 200
#define WAL_BLOCK_BYTES (UINT64_C(256) << 20)

/* What the first salted (else the first) table of the plan is like. */
struct subject {
    const struct spec *sp;
    const struct spec_table *table;
    double n, servers, first_servers, tails, regions_per_server, rate_per_tail;
    double flush_bytes, data_bytes, heap_bytes; /* a row's cells: as written, and in the memstore */
    double rows_per_flush;
    double kept_s;                             /* INFINITY = for ever */
    bool salted;
};

int plan_add_gate(struct result_plan *plan, struct plan_gate_words words, const struct plan_text *text)
{
    struct result_gate *all = realloc(plan->gates, (plan->gates_len + 1) * sizeof *all), *g;

    if (!all)
        return SIM_NO_MEMORY;
    plan->gates = all;
    g = &all[plan->gates_len++];
    *g = (struct result_gate){plan_copy_text(words.id), plan_copy_text(words.level), plan_copy_text(text->bytes),
                              plan_copy_text(words.source), words.hint ? plan_copy_text(words.hint) : NULL};
    return g->id && g->level && g->text && g->source && (g->hint || !words.hint) ? 0 : SIM_NO_MEMORY;
}

static void subject_of(const struct plan_end *pe, struct subject *s)
{
    const struct spec *sp = &pe->shown->spec;
    const struct plan_growth *g = &pe->work->growth;
    const struct plan_point *last = &g->point[g->points - 1];
    struct result_figure fig;
    struct plan_row row;

    *s = (struct subject){.sp = sp, .table = &sp->tables[0], .n = fmax(1, pe->shown->n), .servers = last->servers,
                          .first_servers = g->point[0].servers};
    for (size_t t = sp->tables_len; t-- > 0;)
        if (sp->tables[t].buckets > 0)
            s->table = &sp->tables[t];
    s->salted = s->table->buckets > 0;
    s->tails = plan_figure(pe->shown, "tails_per_server_max", last->size, &fig) ? ceil(fig.mean - 1e-9) : s->n;
    s->regions_per_server = ceil((double)pe->shown->load.regions_all / s->first_servers) +
                            sp->cluster.background_regions_per_server;
    s->rate_per_tail = plan_figure(pe->shown, "write_tails", last->size, &fig) && fig.mean > 0
                           ? pe->work->demand_per_s * last->rate_factor / fig.mean : pe->work->demand_per_s;
    s->flush_bytes = (double)(s->table->memstore_flush_size_bytes ? s->table->memstore_flush_size_bytes
                                                                  : sp->hbase.memstore_flush_size_bytes);
    plan_row_of(s->table, &row);
    s->data_bytes = row.data_bytes;
    s->heap_bytes = row.heap_bytes;
    s->kept_s = row.kept_s;
    s->rows_per_flush = s->flush_bytes / fmax(s->heap_bytes, 1);
}

static int memstore_gate(struct plan_end *pe, const struct subject *s)
{
    const struct spec_hbase *h = &s->sp->hbase;
    const struct memstore_pressure_limits lim = memstore_pressure_limits(
        (uint64_t)s->sp->cluster.heap_bytes, h->global_memstore_size, h->global_memstore_lower);
    const double fits = floor((double)lim.low_mark_bytes / s->flush_bytes);
    const double real = fmin(s->flush_bytes, (double)lim.low_mark_bytes / s->tails);
    const char *level = s->tails <= fits ? "ok" : real < s->flush_bytes / 4 ? "stop" : "warn";
    struct plan_text t = {"", 0};

    plan_say(&t, "heap %.4g GiB x %.3g x %.3g = %.4g GiB holds %.0f full memstores of %.4g MiB; %.0f write tail%s on one "
             "server: flushes at %.4g MiB", (double)s->sp->cluster.heap_bytes / MIB / 1024, h->global_memstore_size,
             h->global_memstore_lower, (double)lim.low_mark_bytes / MIB / 1024, fits, s->flush_bytes / MIB, s->tails,
             s->tails == 1 ? "" : "s", real / MIB);
    if (s->table->families_len > 1)
        plan_say(&t, ", shared by %zu families (%.3g MiB a file each)", s->table->families_len,
                 real / MIB / (double)s->table->families_len);
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"memstore", level,
                         "HBase reference guide, memstores and regions; MemStoreFlusher 2.6",
                         strcmp(level, "ok") == 0 ? NULL : "fewer tails a server, more heap, or a smaller flush size"}, &t);
}

/* When the splits stop for the limit, if the load goes on as the plan says; INFINITY = never. */
static double full_at_s(const struct plan_end *pe, const struct subject *s, double limit)
{
    const struct plan_growth *g = &pe->work->growth;
    const double most = (limit - s->sp->cluster.background_regions_per_server) * s->servers;
    double low = 0, high = 100 * 365 * 86400.0;

    for (int i = 0; i < 60; i++) {
        const double mid = (low + high) / 2, rows = plan_rows_until(g, pe->work->demand_per_s, mid);

        *(plan_regions_after(s->sp, s->table, (double)pe->shown->load.regions_all, rows) > most ? &high : &low) = mid;
    }
    return high < 100 * 365 * 86400.0 ? high : (double)INFINITY;
}

static int regions_gate(struct plan_end *pe, const struct subject *s)
{
    const struct plan_growth *g = &pe->work->growth;
    const double limit = s->sp->hbase.region_split_limit, full_s = full_at_s(pe, s, limit);
    const bool outgrown = g->horizon_s > 0 && full_s < g->horizon_s;
    const char *level = s->regions_per_server > limit ? "stop"
                        : s->regions_per_server > REGIONS_WARN || outgrown ? "warn" : "ok";
    struct plan_text t = {"", 0};

    plan_say(&t, "%zu regions at creation on %.0f servers: %.0f a server with the background; splits stop at %.0f "
             "(regionSplitLimit), good practice ends near %d", pe->shown->load.regions_all, s->first_servers,
             s->regions_per_server, limit, REGIONS_WARN);
    if (full_s > 0 && isfinite(full_s))
        plan_say(&t, "; at this load the limit is reached after %.3g months%s", full_s / PLAN_MONTH_S,
                 isfinite(s->kept_s) ? ", expired regions stay and count" : "");
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"regions", level,
                         "CompactSplit 2.6 (hbase.regionserver.regionSplitLimit); HBase reference guide",
                         strcmp(level, "ok") == 0 ? NULL : outgrown ? "a larger hbase.hregion.max.filesize, merges of what has "
                         "expired, more servers" : "fewer buckets, larger regions"}, &t);
}

static int playbook_gate(struct plan_end *pe, const struct subject *s)
{
    const double low = 10 * s->servers, high = 30 * s->servers, r = ceil(low / s->n);
    const bool cut = s->table->splits == SPEC_SPLITS_BUCKETS && s->table->splits_regions > 1;
    struct plan_text t = {"", 0};
    struct result_figure tails;
    const bool wasted = cut && plan_figure(pe->shown, "write_tails", 0, &tails) &&
                        tails.mean < (double)pe->shown->load.regions_all * 0.9;

    plan_say(&t, "the playbook's %.0f servers x 10 to 30 regions are %.0f to %.0f", s->servers, low, high);
    if (s->salted)
        plan_say(&t, "; in multiples of N = %.0f: splits = buckets x %.0f gives %.0f", s->n, r, s->n * r);
    if (wasted)
        plan_say(&t, ". Of the %zu regions here %.0f take writes: cuts inside a bucket of a time-first key stay empty",
                 pe->shown->load.regions_all, tails.mean);
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"playbook", wasted ? "warn" : "ok",
                         "playbook: regions = servers x 10 to 30",
                         wasted ? "one region a bucket; growth adds the others" : NULL}, &t);
}

static int flush_storm_gate(struct plan_end *pe, const struct subject *s)
{
    const double every_s = s->rows_per_flush / s->rate_per_tail;
    const double burst = s->tails * s->rows_per_flush * s->data_bytes, writing_s = burst / s->sp->server.disk_bytes_per_s;
    const char *level = writing_s > every_s ? "stop" : writing_s > every_s / 4 ? "warn" : "ok";
    struct plan_text t = {"", 0};
    char rate[FORMAT_CAP];

    plan_say(&t, "evenly loaded tails flush together: every %.4g s (%.4g MiB / %.4g B a row / %s a tail) %.0f "
             "tail%s of one server write %.4g MiB, %.4g s of its disk", every_s, s->flush_bytes / MIB, s->heap_bytes,
             format_rate(s->rate_per_tail, rate), s->tails, s->tails == 1 ? "" : "s", burst / MIB, writing_s);
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"flush-storm", level,
                         "MemStoreFlusher 2.6: no jitter on flush sizes",
                         strcmp(level, "ok") == 0 ? NULL : "faster disks, fewer tails a server, smaller rows"}, &t);
}

static int split_storm_gate(struct plan_end *pe, const struct subject *s)
{
    const struct spec_hbase *h = &s->sp->hbase;
    const double file = (double)(s->table->max_filesize_bytes ? s->table->max_filesize_bytes : h->max_filesize_bytes);
    const double full_s = file / (s->data_bytes * s->rate_per_tail), spread_s = h->max_filesize_jitter * full_s;
    const double away = s->n * (double)s->sp->server.split_outage_ns / 1e9;
    const bool disabled = spec_table_split_policy(s->sp, s->table) == SPEC_SPLIT_DISABLED;
    const char *level = disabled || spread_s > 10 * away ? "ok" : "warn";
    struct plan_text t = {"", 0};
    char rate[FORMAT_CAP];

    if (disabled)
        plan_say(&t, "splits are off");
    else
        plan_say(&t, "a tail of %s reaches %.4g GiB after %.4g h; jitter %.3g spreads the %.0f splits over "
                 "%.4g h, each away for %.3g s", format_rate(s->rate_per_tail, rate), file / MIB / 1024, full_s / 3600,
                 h->max_filesize_jitter, s->n, spread_s / 3600, (double)s->sp->server.split_outage_ns / 1e9);
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"split-storm", level,
                         "ConstantSizeRegionSplitPolicy 2.6 (hbase.hregion.max.filesize.jitter)",
                         strcmp(level, "ok") == 0 ? NULL : "leave the jitter at 0.25 or above"}, &t);
}

/* With one region of the table on a server, its threshold is twice the flush size. */
static int stepping_gate(struct plan_end *pe, const struct subject *s)
{
    const bool stepping = spec_table_split_policy(s->sp, s->table) == SPEC_SPLIT_STEPPING;
    const double least = floor((double)pe->shown->load.regions_all / s->servers);
    const bool trap = stepping && least <= 1 && s->salted;
    struct split_policy_config c;
    struct plan_text t = {"", 0};
    double threshold;

    split_policy_config_default(&c);
    c.policy = SPLIT_STEPPING;
    c.table_flush_bytes = (uint64_t)s->table->memstore_flush_size_bytes;
    c.site_flush_bytes = (uint64_t)s->sp->hbase.memstore_flush_size_bytes;
    c.max_file_bytes = (uint64_t)s->sp->hbase.max_filesize_bytes;
    threshold = (double)split_threshold_bytes(&c, 1);
    if (!stepping)
        plan_say(&t, "the split policy is not SteppingSplitPolicy");
    else
        plan_say(&t, "%zu regions on %.0f servers: %s; a lone one splits above 2 x flush size = %.4g MiB, after %.3g min",
                 pe->shown->load.regions_all, s->servers,
                 trap ? "some servers hold a single one" : "every server holds two or more", threshold / MIB,
                 threshold / (s->data_bytes * s->rate_per_tail) / 60);
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"stepping-split", trap ? "warn" : "ok",
                         "SteppingSplitPolicy 2.6: counts the table's regions on that server",
                         trap ? "SPLIT_POLICY => ConstantSizeRegionSplitPolicy for the table, or two regions a server; "
                                "the early splits cost outages and regions, no evenness" : NULL}, &t);
}

static int wal_gate(struct plan_end *pe, const struct subject *s)
{
    const struct spec_hbase *h = &s->sp->hbase;
    const struct memstore_pressure_limits lim = memstore_pressure_limits(
        (uint64_t)s->sp->cluster.heap_bytes, h->global_memstore_size, h->global_memstore_lower);
    const struct wal_limits wal = wal_limits(WAL_BLOCK_BYTES, 0.5, lim.limit_bytes, 0);
    const double holds = (double)wal.max_logs * (double)wal.roll_bytes;
    const double written = s->tails * s->rows_per_flush * s->data_bytes;
    const char *level = written <= holds ? "ok" : "warn";
    struct plan_text t = {"", 0};

    plan_say(&t, "%u logs x %.4g MiB = %.4g GiB hold the %.4g GiB that %.0f tail%s write between two flushes",
             wal.max_logs, (double)wal.roll_bytes / MIB, holds / MIB / 1024, written / MIB / 1024, s->tails,
             s->tails == 1 ? "" : "s");
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"wal", level,
                         "AbstractFSWAL 2.6 (hbase.regionserver.maxlogs, logroll.multiplier)",
                         strcmp(level, "ok") == 0 ? NULL : "raise hbase.regionserver.maxlogs"}, &t);
}

int plan_gates(struct plan_end *pe)
{
    static int (*const gates[])(struct plan_end *, const struct subject *) = {
        memstore_gate, regions_gate, playbook_gate, flush_storm_gate, split_storm_gate, stepping_gate, wal_gate,
    };
    struct subject s;
    int rc = 0;

    subject_of(pe, &s);
    for (size_t i = 0; i < sizeof gates / sizeof gates[0] && rc == 0; i++)
        rc = gates[i](pe, &s);
    return rc == 0 ? plan_gates_keys(pe) : rc;
}
