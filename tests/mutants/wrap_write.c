/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutants of the write path: splits, flushes, limits, compactions, retention, files. */
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/compaction_policy.h"
#include "hbase/rules/flush_policy.h"
#include "hbase/rules/hfile.h"
#include "hbase/rules/memstore.h"
#include "hbase/rules/memstore_pressure.h"
#include "hbase/rules/retention.h"
#include "hbase/rules/split_policy.h"
#include "mutant.h"

#define WRAP(type, name, params) \
    type __real_##name params; \
    type __wrap_##name params; \
    type __wrap_##name params

WRAP(struct split_verdict, split_should_split, (const struct split_policy_config *c, const struct split_input *in))
{
    struct split_policy_config d = *c;
    struct split_input i = *in;
    struct split_verdict v;

    d.table_flush_bytes = d.table_flush_bytes ? mutant_whole("split-flush-size", d.table_flush_bytes, 5) : 0;
    d.site_flush_bytes = mutant_whole("split-flush-size", d.site_flush_bytes, 5);
    d.max_file_bytes = mutant_whole("split-max-file-size", d.max_file_bytes, -5);
    if (mutant("split-alone-on-server"))
        i.regions_on_server = i.regions_on_server == 1 ? 2 : i.regions_on_server;
    if (mutant("split-counts-one-more"))
        i.regions_on_server++;
    if (mutant("split-references-bar"))
        i.has_references = false;
    if (mutant("split-policy-constant"))
        d.policy = SPLIT_CONSTANT_SIZE;
    if (mutant("split-overall-files"))
        d.overall_files = !d.overall_files;
    d.busy_blocked_rate = mutant_real("split-busy-rate", d.busy_blocked_rate, 5);
    v = __real_split_should_split(&d, &i);
    if (mutant("split-never"))
        v.split = false;
    return v;
}

WRAP(uint64_t, split_max_file_bytes, (uint64_t max_file_bytes, double jitter, double u))
{
    if (mutant("split-jitter-off"))
        jitter = 0;
    return __real_split_max_file_bytes(max_file_bytes, mutant_real("split-jitter", jitter, 5), u);
}

WRAP(bool, split_request_passes, (uint32_t regions, uint32_t limit, uint32_t files, uint32_t blocking))
{
    if (mutant("split-region-limit"))
        limit = UINT32_MAX;
    if (mutant("split-blocking-files"))
        blocking = UINT32_MAX;
    return __real_split_request_passes(regions, limit, files, blocking);
}

WRAP(enum split_refusal, split_store_point, (const struct split_store *s, size_t *file))
{
    const enum split_refusal rc = __real_split_store_point(s, file);

    if (rc == SPLIT_POINT_FOUND && mutant("split-key-largest-file"))
        *file = 0;
    return rc;
}

WRAP(struct split_shares, split_store_file, (const struct split_file *f, const uint8_t *key, size_t key_bytes))
{
    struct split_shares s = __real_split_store_file(f, key, key_bytes);

    if (mutant("split-links") && s.bottom == SPLIT_SHARE_LINK)
        s.bottom = SPLIT_SHARE_REFERENCE;
    if (mutant("split-links") && s.top == SPLIT_SHARE_LINK)
        s.top = SPLIT_SHARE_REFERENCE;
    return s;
}

WRAP(uint64_t, split_reference_cells, (uint64_t cells))
{
    return mutant("split-reference-half") ? cells : __real_split_reference_cells(cells);
}

WRAP(bool, memstore_flush_due, (uint64_t heap, uint64_t flush_bytes))
{
    if (mutant("flush-off"))
        return false;
    return __real_memstore_flush_due(heap, mutant_whole("flush-size", flush_bytes, 5));
}

WRAP(bool, memstore_too_busy, (uint64_t heap, uint64_t flush_bytes, uint32_t multiplier))
{
    if (mutant("too-busy-off"))
        return false;
    if (mutant("too-busy-multiplier"))
        multiplier++;
    return __real_memstore_too_busy(heap, mutant_whole("too-busy-size", flush_bytes, 5), multiplier);
}

WRAP(struct memstore_batch_outcome, memstore_apply_batch, (const struct memstore_batch *b, uint64_t rows))
{
    struct memstore_batch c = *b;

    if (mutant("minibatch-rows"))
        c.minibatch_rows = c.minibatch_rows ? c.minibatch_rows : MEMSTORE_MINIBATCH_ROWS;
    c.minibatch_rows = c.minibatch_rows ? mutant_whole("minibatch-rows", c.minibatch_rows, 5) : 0;
    c.multiplier += mutant("batch-multiplier");
    c.flush_bytes = mutant_whole("batch-flush-size", c.flush_bytes, 5);
    return __real_memstore_apply_batch(&c, rows);
}

WRAP(uint64_t, memstore_cell_heap_bytes, (uint64_t kv))
{
    return __real_memstore_cell_heap_bytes(kv) + (mutant("memstore-cell-heap") ? 8 : 0);
}

WRAP(enum flush_gate, flush_gate, (const struct flush_gate_input *in))
{
    struct flush_gate_input i = *in;

    if (mutant("flush-gate-off"))
        return FLUSH_NOW;
    i.blocking_store_files += mutant("flush-blocking-files");
    i.blocking_wait_us = mutant_whole("flush-blocking-wait", i.blocking_wait_us, 5);
    return __real_flush_gate(&i);
}

WRAP(size_t, flush_policy_select, (const struct flush_policy_config *c, const struct flush_store *stores, size_t n, bool *take))
{
    struct flush_policy_config d = *c;

    if (mutant("flush-all-stores"))
        d.policy = FLUSH_ALL_STORES;
    d.lower_bound_min_bytes = mutant_whole("flush-lower-bound-min", d.lower_bound_min_bytes, 5);
    return __real_flush_policy_select(&d, stores, n, take);
}

WRAP(bool, flush_periodic_due, (const struct flush_periodic_input *in))
{
    struct flush_periodic_input i = *in;

    if (mutant("flush-periodic-off"))
        return false;
    i.interval_us = mutant_whole("flush-periodic-interval", i.interval_us, 5);
    i.per_changes = mutant_whole("flush-per-changes", i.per_changes, 5);
    return __real_flush_periodic_due(&i);
}

WRAP(uint64_t, flush_periodic_delay_us, (double u, uint64_t range))
{
    return __real_flush_periodic_delay_us(u, mutant_whole("flush-periodic-delay", range, 5));
}

WRAP(bool, flush_needs_compaction, (uint32_t files, uint32_t compacting, uint32_t min))
{
    return __real_flush_needs_compaction(files, compacting, min + mutant("flush-then-compaction"));
}

WRAP(struct memstore_pressure_limits, memstore_pressure_limits, (uint64_t heap, double global, double lower))
{
    return __real_memstore_pressure_limits(heap, mutant_real("global-memstore-size", global, -5),
                                           mutant_real("global-memstore-lower", lower, -3));
}

WRAP(enum memstore_pressure, memstore_pressure, (const struct memstore_pressure_limits *l, uint64_t total))
{
    const enum memstore_pressure p = __real_memstore_pressure(l, total);

    if (mutant("global-memstore-off"))
        return MEMSTORE_PRESSURE_NONE;
    return p == MEMSTORE_PRESSURE_LIMIT && mutant("global-memstore-never-blocks") ? MEMSTORE_PRESSURE_LOW_MARK : p;
}

WRAP(ptrdiff_t, memstore_pressure_choose, (const struct memstore_pressure_region *r, size_t n, uint32_t blocking))
{
    return __real_memstore_pressure_choose(r, n, mutant("pressure-looks-at-files") ? UINT32_MAX : blocking);
}

WRAP(struct wal_limits, wal_limits, (uint64_t block, double multiplier, uint64_t memstore, uint32_t max_logs))
{
    struct wal_limits l = __real_wal_limits(block, multiplier, memstore, max_logs);

    l.roll_bytes = mutant_whole("wal-roll-size", l.roll_bytes, 5);
    l.max_logs = (uint32_t)mutant_whole("wal-max-logs", l.max_logs, 5);
    return l;
}

WRAP(bool, wal_too_many_logs, (const struct wal_limits *l, uint32_t files))
{
    return !mutant("wal-too-many-off") && __real_wal_too_many_logs(l, files);
}

/* All files as if none were a reference; to be freed. */
static struct compaction_file *without_references(const struct compaction_input *in)
{
    struct compaction_file *plain = malloc((in->count + 1) * sizeof *plain);

    if (!plain)
        abort();
    for (size_t k = 0; k < in->count; k++) {
        plain[k] = in->files[k];
        plain[k].reference = false;
    }
    return plain;
}

WRAP(struct compaction_request, compaction_select, (const struct compaction_config *c, const struct compaction_input *in))
{
    struct compaction_config d = *c;

    d.min_files += mutant("compaction-min");
    d.max_files -= mutant("compaction-max");
    d.min_bytes = mutant_whole("compaction-min-size", d.min_bytes, -5);
    d.max_bytes = mutant("compaction-max-size-off") ? UINT64_MAX : d.max_bytes;
    d.ratio = mutant_real("compaction-ratio", d.ratio, 5);
    d.throttle_bytes = mutant_whole("compaction-throttle", d.throttle_bytes, 5);
    d.blocking_store_files += mutant("compaction-stuck");
    if (mutant("compaction-ratio-based"))
        d.policy = COMPACTION_RATIO_BASED;
    if (mutant("compaction-off") && in->count > 0)
        return __real_compaction_select(&d, &(struct compaction_input){.files = in->files, .count = 0});
    if (mutant("compaction-references-first")) {
        struct compaction_file *plain = without_references(in);
        struct compaction_input i = *in;
        struct compaction_request request;

        i.files = plain;
        request = __real_compaction_select(&d, &i);
        free(plain);
        return request;
    }
    return __real_compaction_select(&d, in);
}

WRAP(bool, compaction_needed, (const struct compaction_config *c, size_t files, size_t compacting))
{
    struct compaction_config d = *c;

    d.min_files += mutant("compaction-needed");
    return __real_compaction_needed(&d, files, compacting);
}

WRAP(size_t, compaction_drop_expired, (const struct compaction_input *in, bool *drop))
{
    size_t n = __real_compaction_drop_expired(in, drop);

    if (mutant("expired-files-stay")) {
        memset(drop, 0, in->count * sizeof *drop);
        n = 0;
    }
    return n;
}

WRAP(uint64_t, compaction_major_age_us, (const struct compaction_config *c, double u))
{
    struct compaction_config d = *c;

    d.major_period_us = mutant_whole("major-period", d.major_period_us, 5);
    d.major_jitter = mutant_real("major-jitter", d.major_jitter, 5);
    return __real_compaction_major_age_us(&d, u);
}

WRAP(bool, compaction_major_is_due, (const struct compaction_config *c, const struct compaction_input *in))
{
    return !mutant("major-off") && __real_compaction_major_is_due(c, in);
}

WRAP(double, compaction_throughput_bytes_per_s, (const struct compaction_throughput_config *c, double pressure, bool offpeak))
{
    struct compaction_throughput_config d = *c;

    d.lower_bytes_per_s = mutant_real("throughput-lower", d.lower_bytes_per_s, 5);
    d.higher_bytes_per_s = mutant_real("throughput-higher", d.higher_bytes_per_s, 5);
    return __real_compaction_throughput_bytes_per_s(&d, pressure, offpeak);
}

WRAP(enum compaction_next, compaction_follow_up, (int32_t region_priority, int32_t store_priority))
{
    return mutant("compaction-again") ? COMPACTION_NEXT_SPLIT_ELSE_NOTHING
                                      : __real_compaction_follow_up(region_priority, store_priority);
}

WRAP(size_t, retention_apply, (const struct retention_config *c, const struct retention_pass *p,
                               const struct retention_cell *cells, size_t n, bool *keep))
{
    struct retention_config d = *c;
    struct retention_pass q = *p;

    d.max_versions += mutant("versions");
    d.ttl_ms = mutant("ttl-off") ? UINT64_MAX : mutant_whole("ttl", d.ttl_ms, 5);
    if (mutant("markers-dropped"))
        q.drop_markers = true;
    return __real_retention_apply(&d, &q, cells, n, keep);
}

WRAP(bool, retention_expired, (const struct retention_config *c, uint64_t now_ms, uint64_t timestamp_ms))
{
    return !mutant("expiry-off") && __real_retention_expired(c, now_ms, timestamp_ms);
}

WRAP(int, hfile_layout_runs, (const struct hfile_options *o, const struct hfile_runs *in, struct hfile_layout *out))
{
    struct hfile_options p = *o;
    int rc;

    p.block_bytes = (uint32_t)mutant_whole("hfile-block-size", p.block_bytes, 5);
    p.index_block_bytes = (uint32_t)mutant_whole("hfile-index-block", p.index_block_bytes, 5);
    p.bloom_error_rate = mutant_real("hfile-bloom-error", p.bloom_error_rate, 50);
    rc = __real_hfile_layout_runs(&p, in, out);
    if (rc == 0 && mutant("hfile-middle-block") && out->mid_block + 1 < out->data_blocks)
        out->mid_block++;
    return rc;
}
