/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/flush_policy.h"

#include <string.h>

uint64_t flush_policy_lower_bound_bytes(const struct flush_policy_config *c, size_t families)
{
    uint64_t share;

    if (c->lower_bound_bytes > 0)
        return c->lower_bound_bytes;
    share = families > 0 ? c->flush_bytes / families : c->flush_bytes;
    return share > c->lower_bound_min_bytes ? share : c->lower_bound_min_bytes;
}

size_t flush_policy_select(const struct flush_policy_config *c, const struct flush_store *stores,
                           size_t n, bool *take)
{
    uint64_t bound = flush_policy_lower_bound_bytes(c, n);
    size_t taken = 0;

    for (size_t i = 0; i < n; i++) {
        bool large = stores[i].heap_bytes > bound || stores[i].has_old_edits;

        take[i] = stores[i].cells > 0 && (n == 1 || c->policy == FLUSH_ALL_STORES || large);
        taken += take[i];
    }
    if (taken > 0)
        return taken;
    /* None is large: all that hold something. */
    for (size_t i = 0; i < n; i++) {
        take[i] = stores[i].cells > 0;
        taken += take[i];
    }
    return taken;
}

bool flush_too_many_files(uint32_t store_files, uint32_t blocking_store_files)
{
    return store_files > blocking_store_files;
}

enum flush_gate flush_gate(const struct flush_gate_input *in)
{
    if (in->forced || !flush_too_many_files(in->store_files, in->blocking_store_files))
        return FLUSH_NOW;
    if (in->waited_us > in->blocking_wait_us)
        return FLUSH_NOW;
    return in->postponed_before ? FLUSH_POSTPONE : FLUSH_POSTPONE_FIRST;
}

uint64_t flush_recheck_us(uint64_t blocking_wait_us)
{
    return blocking_wait_us / 100;
}

bool flush_needs_compaction(uint32_t store_files, uint32_t files_compacting, uint32_t min_files)
{
    return store_files - files_compacting >= min_files;
}

bool flush_periodic_due(const struct flush_periodic_input *in)
{
    if (in->per_changes > 0 && in->edits_since_flush > in->per_changes)
        return true;
    if (in->interval_us == 0)
        return false;
    /* HRegion.shouldFlush: nothing was flushed for the interval, and an edit is that old. */
    return in->last_flush_age_us >= in->interval_us && in->oldest_edit_age_us > in->interval_us;
}

uint64_t flush_periodic_delay_us(double u, uint64_t range_us)
{
    return (uint64_t)(u * (double)range_us);
}
