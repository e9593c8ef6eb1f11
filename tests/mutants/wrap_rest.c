/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutants of the client, the balancer, placement, reads, salts and the planner. */
#include <math.h>
#include <string.h>

#include "hbase/balance/assign.h"
#include "hbase/balance/balancer.h"
#include "hbase/balance/options.h"
#include "hbase/model/read.h"
#include "hbase/rules/merge.h"
#include "hbase/rules/mutator.h"
#include "hbase/rules/normalizer.h"
#include "hbase/rules/scan_region.h"
#include "mutant.h"
#include "plan/conclude.h"
#include "plan/trial.h"
#include "saltkey.h"
#include "spec/spec.h"

#define WRAP(type, name, params) \
    type __real_##name params; \
    type __wrap_##name params; \
    type __wrap_##name params

/* ---- defaults ---- */

WRAP(void, spec_init, (struct spec *sp))
{
    struct spec_hbase *h = &sp->hbase;

    __real_spec_init(sp);
#define WHOLE(member) h->member = (__typeof__(h->member))mutant_whole("default-" #member, (uint64_t)h->member, 5)
#define REAL(member) h->member = mutant_real("default-" #member, h->member, 5)
    WHOLE(memstore_flush_size_bytes);
    REAL(memstore_block_multiplier);
    REAL(global_memstore_size);
    REAL(global_memstore_lower);
    WHOLE(max_filesize_bytes);
    REAL(max_filesize_jitter);
    WHOLE(region_split_limit);
    WHOLE(handler_count);
    WHOLE(compaction_min);
    WHOLE(compaction_max);
    REAL(compaction_ratio);
    WHOLE(compaction_min_size_bytes);
    WHOLE(major_compaction_ns);
    REAL(major_compaction_jitter);
    WHOLE(compaction_throttle_bytes);
    WHOLE(blocking_store_files);
    WHOLE(blocking_wait_ns);
    WHOLE(flusher_count);
    WHOLE(flush_interval_ns);
    WHOLE(flush_per_changes);
    WHOLE(flush_check_ns);
    WHOLE(flush_delay_range_s);
    WHOLE(discharger_interval_ns);
    WHOLE(balancer_period_ns);
    REAL(regions_slop);
    WHOLE(client_write_buffer_bytes);
    WHOLE(client_pause_ns);
    WHOLE(client_retries);
    WHOLE(create_threads);
    REAL(block_cache_size);
    REAL(bloom_error_rate);
    WHOLE(scanner_max_result_bytes);
    REAL(balance.region_count_cost);
    REAL(balance.move_cost);
    REAL(balance.locality_cost);
    REAL(balance.table_skew_cost);
    REAL(balance.read_request_cost);
    REAL(balance.write_request_cost);
    REAL(balance.memstore_size_cost);
    REAL(balance.storefile_size_cost);
    REAL(balance.min_cost_need_balance);
    REAL(balance.max_move_percent);
    WHOLE(balance.max_steps);
    WHOLE(balance.steps_per_region);
    WHOLE(balance.status_period_ns);
    WHOLE(balance.msg_interval_ns);
    WHOLE(balance.dispatch_wait_ns);
    WHOLE(balance.session_timeout_ns);
#undef WHOLE
#undef REAL
}

/* ---- client ---- */

WRAP(uint64_t, put_heap_bytes, (uint64_t row, uint64_t family, uint64_t qualifier, uint64_t value))
{
    return __real_put_heap_bytes(row, family, qualifier, value) + (mutant("put-heap") ? 8 : 0);
}

WRAP(bool, mutator_must_submit, (const struct mutator_limits *l, uint64_t bytes))
{
    struct mutator_limits k = *l;

    k.write_buffer_bytes = mutant_whole("client-buffer", k.write_buffer_bytes, 5);
    return __real_mutator_must_submit(&k, bytes);
}

WRAP(enum mutator_check, mutator_check_row, (const struct mutator_limits *l, const struct mutator_pass *p,
                                             const struct mutator_target *t, uint64_t row_bytes))
{
    struct mutator_limits k = *l;

    k.max_perrequest_rows = (uint32_t)mutant_whole("client-request-rows", k.max_perrequest_rows, 5);
    k.max_perrequest_bytes = mutant_whole("client-request-bytes", k.max_perrequest_bytes, 5);
    k.max_submit_bytes = mutant_whole("client-submit-bytes", k.max_submit_bytes, 5);
    k.max_perserver_tasks += mutant("client-server-tasks");
    k.max_perregion_tasks += mutant("client-region-tasks");
    return __real_mutator_check_row(&k, p, t, row_bytes);
}

WRAP(bool, mutator_must_wait, (const struct mutator_limits *l, uint32_t tasks))
{
    return !mutant("client-total-tasks") && __real_mutator_must_wait(l, tasks);
}

WRAP(uint64_t, mutator_retry_pause_us, (uint32_t errors, uint64_t pause, double u))
{
    if (mutant("client-backoff-off"))
        errors = 1;
    return __real_mutator_retry_pause_us(errors, mutant_whole("client-pause", pause, 5), u);
}

WRAP(bool, mutator_gives_up, (uint32_t tries, uint32_t retries, uint64_t elapsed, uint64_t pause))
{
    return !mutant("client-never-gives-up") && __real_mutator_gives_up(tries, retries + mutant("client-retries"), elapsed, pause);
}

/* ---- balancer ---- */

WRAP(enum balancer_gate, balancer_may_run, (const struct balancer_master *m))
{
    struct balancer_master n = *m;

    if (mutant("balancer-switch"))
        n.switched_on = true;
    if (mutant("balancer-transition"))
        n.regions_in_transition = 0;
    if (mutant("balancer-dead-servers"))
        n.dead_servers_in_progress = 0;
    return __real_balancer_may_run(&n);
}

static void mutate_options(struct balancer_options *o)
{
    static const char *const weights[BALANCER_COSTS] = {
        [BALANCER_COST_REGION_COUNT] = "balancer-weight-count", [BALANCER_COST_MOVE] = "balancer-weight-move",
        [BALANCER_COST_SERVER_LOCALITY] = "balancer-weight-locality", [BALANCER_COST_TABLE_SKEW] = "balancer-weight-table",
        [BALANCER_COST_READ] = "balancer-weight-read", [BALANCER_COST_WRITE] = "balancer-weight-write",
        [BALANCER_COST_MEMSTORE] = "balancer-weight-memstore", [BALANCER_COST_STOREFILE] = "balancer-weight-storefile",
    };

    for (int k = 0; k < BALANCER_COSTS; k++) {
        if (weights[k])
            o->multiplier[k] = mutant_real(weights[k], o->multiplier[k], 5);
    }
    o->slop = mutant("balancer-slop-off") ? -1 : mutant_real("balancer-slop", o->slop, 5);
    o->min_cost_need_balance = mutant_real("balancer-min-cost", o->min_cost_need_balance, 5);
    if (mutant("balancer-cost-off"))
        o->min_cost_need_balance = 1e9;
    o->max_move_percent = mutant_real("balancer-max-moves", o->max_move_percent, 5);
}

WRAP(int, balancer_balance, (const struct balancer_cluster *cluster, const struct balancer_options *options,
                             const struct balance_draw *draw, struct balancer_outcome *out))
{
    struct balancer_options o = *options;
    int rc;

    mutate_options(&o);
    rc = __real_balancer_balance(cluster, &o, draw, out);
    if (rc == 0 && mutant("balancer-no-plans"))
        out->n_plans = 0;
    return rc;
}

WRAP(int, balancer_decide, (const struct balancer_cluster *cluster, const struct balancer_options *options,
                            struct balancer_outcome *out))
{
    struct balancer_options o = *options;

    mutate_options(&o);
    return __real_balancer_decide(cluster, &o, out);
}

WRAP(enum balancer_gate, balancer_gate_of, (const struct balancer_decision *d, bool *needed))
{
    struct balancer_decision e = *d;

    e.threshold = mutant_real("gate-cost", e.threshold, 5);
    if (mutant("gate-idle-server") && e.count_min == 0)
        e.count_min = 1;
    return __real_balancer_gate_of(&e, needed);
}

WRAP(void, balancer_options_init, (struct balancer_options *o))
{
    __real_balancer_options_init(o);
    o->slop = mutant_real("options-slop", o->slop, 5);
    o->min_cost_need_balance = mutant_real("options-min-cost", o->min_cost_need_balance, 5);
    o->multiplier[BALANCER_COST_WRITE] = mutant_real("options-write", o->multiplier[BALANCER_COST_WRITE], 5);
    o->multiplier[BALANCER_COST_REGION_COUNT] = mutant_real("options-count", o->multiplier[BALANCER_COST_REGION_COUNT], 5);
    o->steps_per_region = mutant_whole("options-steps-per-region", o->steps_per_region, 5);
    o->max_rit_percent = mutant_real("options-max-rit", o->max_rit_percent, -5);
}

WRAP(int64_t, balancer_plan_interval_us, (const struct balancer_options *o, size_t n))
{
    return mutant("balancer-pace") ? 0 : __real_balancer_plan_interval_us(o, n);
}

WRAP(uint32_t, balancer_max_in_transition, (const struct balancer_options *o, size_t n))
{
    return mutant("balancer-in-transition") ? UINT32_MAX : __real_balancer_max_in_transition(o, n);
}

/* ---- placement ---- */

WRAP(int, assign_create_table, (const struct assign_servers *servers, const struct balance_draw *draw, size_t n,
                                uint32_t pool, uint32_t *server))
{
    const int rc = __real_assign_create_table(servers, draw, n, mutant("placement-key-order") ? 1 : pool, server);

    if (rc == 0 && mutant("placement-off"))
        for (size_t i = 0; i < n; i++)
            server[i] = servers->id[0];
    return rc;
}

WRAP(int, assign_retain, (const struct assign_servers *servers, const struct balance_draw *draw, size_t n, uint32_t *server))
{
    const int rc = __real_assign_retain(servers, draw, n, server);

    if (rc == 0 && mutant("placement-retain"))
        for (size_t i = 0; i < n; i++)
            server[i] = servers->id[i % servers->count];
    return rc;
}

WRAP(int, assign_crash, (const struct assign_servers *servers, const struct balance_draw *draw,
                         const struct assign_queue *queue, const struct assign_crash_set *set, uint32_t *server))
{
    const int rc = __real_assign_crash(servers, draw, queue, set, server);

    if (rc == 0 && mutant("placement-crash"))
        for (size_t i = 0; i < set->n; i++)
            server[i] = servers->id[0];
    return rc;
}

WRAP(int, assign_split_daughters, (const struct assign_servers *servers, const struct balance_draw *draw,
                                   uint32_t parent, bool separate, uint32_t daughter[2]))
{
    return __real_assign_split_daughters(servers, draw, parent, separate != mutant("placement-daughters"), daughter);
}

WRAP(uint32_t, assign_merged, (const uint32_t *parents, size_t n))
{
    return mutant("placement-merged") ? parents[n - 1] : __real_assign_merged(parents, n);
}

/* ---- normalizer and merge ---- */

WRAP(size_t, normalizer_plans, (const struct normalizer_config *c, const struct normalizer_region *r, size_t n,
                                struct normalizer_plan *plans))
{
    struct normalizer_config d = *c;

    d.merge_min_region_count += mutant("normalizer-count");
    d.merge_min_region_age_days += mutant("normalizer-age");
    d.merge_min_region_size_mb = mutant("normalizer-size") ? 0 : d.merge_min_region_size_mb;
    return __real_normalizer_plans(&d, r, n, plans);
}

WRAP(enum merge_refusal, merge_check, (const struct merge_region *r, size_t n, bool forcible, size_t *first))
{
    return __real_merge_check(r, n, forcible || mutant("merge-adjacent"), first);
}

/* ---- reads ---- */

WRAP(void, scan_region_open, (struct scan_region *s, const struct scan_options *options, const struct scan_rows *rows,
                              const struct scan_part *part))
{
    struct scan_options *o = (struct scan_options *)(uintptr_t)options;

    /* Borrowed until the last RPC: changed in place, once. */
    if (mutant("scan-reply-size") && o->max_result_bytes == 2097152)
        o->max_result_bytes = 2202010;
    if (mutant("scan-pread-cut") && o->read_type == SCAN_READ_DEFAULT)
        o->read_type = SCAN_READ_PREAD;
    if (mutant("scan-caching"))
        o->caching = 0;
    __real_scan_region_open(s, o, rows, part);
}

WRAP(double, read_cpu_ns, (const struct spec_server *s, const struct read_rpc *rpc))
{
    return mutant_real("read-cpu", __real_read_cpu_ns(s, rpc), 5);
}

WRAP(double, read_blocks, (const struct read_rpc *rpc, double row_bytes, double block_bytes))
{
    return mutant_real("read-blocks", __real_read_blocks(rpc, row_bytes, block_bytes), 5);
}

WRAP(double, read_get_files, (uint32_t files, bool in_memstore, bool bloom, double error_rate))
{
    return __real_read_get_files(files, in_memstore, bloom && !mutant("read-bloom-off"),
                                 mutant_real("read-bloom-error", error_rate, 50));
}

WRAP(void, read_cache_hits, (double cache_bytes, struct cache_class *classes, size_t n))
{
    __real_read_cache_hits(mutant_real("read-cache-size", cache_bytes, 5), classes, n);
    for (size_t i = 0; i < n && mutant("read-cache-off"); i++)
        classes[i].hit = 0;
}

WRAP(double, read_backlog_ns, (const struct model *m, const struct server *s))
{
    return mutant("read-backlog-off") ? 0 : __real_read_backlog_ns(m, s);
}

WRAP(double, read_wait_ns, (const struct server *s, struct des_stream *draws))
{
    return mutant("read-wait-off") ? 0 * __real_read_wait_ns(s, draws) : __real_read_wait_ns(s, draws);
}

/* ---- salts and cuts ---- */

WRAP(int32_t, saltkey_hash31, (const void *bytes, size_t len))
{
    return (int32_t)((uint32_t)__real_saltkey_hash31(bytes, len) + mutant("salt-hash31"));
}

WRAP(int, saltkey_hash_of, (enum saltkey_hash hash, int64_t seed, struct saltkey_slice bytes, int64_t *value))
{
    const int rc = __real_saltkey_hash_of(hash, seed, bytes, value);

    if (rc >= 0)
        *value += mutant("salt-hash");
    return rc;
}

WRAP(int, saltkey_salt_parse, (const char *text, uint32_t buckets, struct saltkey_salt *salt, struct saltkey_error *err))
{
    const int rc = __real_saltkey_salt_parse(text, buckets, salt, err);

    if (rc >= 0 && mutant("salt-remainder"))
        salt->mod.remainder = salt->mod.remainder == SALTKEY_FLOOR ? SALTKEY_ABS : SALTKEY_FLOOR;
    return rc;
}

WRAP(int, saltkey_split_buckets, (const struct saltkey_salt *salt, uint32_t ranges, struct saltkey_keys *keys,
                                  struct saltkey_error *err))
{
    struct saltkey_salt s = *salt;

    if (mutant("salt-cuts") && s.buckets > 2)
        s.buckets--;
    return __real_saltkey_split_buckets(&s, ranges, keys, err);
}

/* ---- planner ---- */

WRAP(enum plan_stand, plan_stands, (const struct spec_target *target, const struct result_figure *fig))
{
    struct spec_target t = *target;

    t.bound = mutant_real("plan-target", t.bound, 5);
    return __real_plan_stands(&t, fig);
}

WRAP(double, plan_margin, (const struct spec_target *target, double value))
{
    return mutant("plan-margin") ? fabs(__real_plan_margin(target, value)) : __real_plan_margin(target, value);
}

WRAP(struct spec_target, plan_demand_target, (const struct plan_work *work, const struct plan_point *point))
{
    struct spec_target t = __real_plan_demand_target(work, point);

    if (mutant("plan-demand-off"))
        t.bound = 0;
    t.bound = mutant_real("plan-headroom", t.bound, 5);
    return t;
}

WRAP(bool, plan_target_waived, (const struct plan_work *work, const struct plan_trial *trial, const struct spec_target *target))
{
    return !mutant("plan-one-server-waives") && __real_plan_target_waived(work, trial, target);
}

WRAP(const struct result_candidate *, plan_smallest, (const struct result_candidate *cand, size_t len))
{
    const struct result_candidate *c = __real_plan_smallest(cand, len);

    if (c && mutant("plan-smallest") && c + 1 < cand + len && c[1].feasible)
        return c + 1;
    return c;
}
