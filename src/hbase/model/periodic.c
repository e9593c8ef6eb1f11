/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HRegionServer.PeriodicMemStoreFlusher: a chore asks each region whether an edit has waited for too long, or
   too many came since its last flush (HRegion.shouldFlush), and has it flushed after a random delay.

   No run of the chore looks at all regions. A store's oldest edit joins a list as it comes in, and since each
   may wait equally long, the list is in the order in which they fall due: only the runs in which its first one
   is due take place. Edits are counted as they are written. One chore stands for those of all servers. */
#include <stdlib.h>
#include <string.h>

#include "hbase/model/act.h"

/* The first run of the chore after |at|. */
static des_time run_after(const struct model *m, des_time at)
{
    const des_time period = m->spec->hbase.flush_check_ns, phase = m->periodic.phase;

    return at < phase ? phase : phase + ((at - phase) / period + 1) * period;
}

static void set_next(struct model *m)
{
    const struct periodic_flusher *p = &m->periodic;
    const des_time now = des_now(m->cal);
    des_time due = DES_NEVER;

    if (p->first < p->end) {
        due = p->edits[p->first].at + m->spec->hbase.flush_interval_ns;
        due = run_after(m, due > now ? due : now);
    }
    des_slot_set(m->cal, p->slot, due);
}

/* ---- the list ---- */

static int make_room(struct periodic_flusher *p)
{
    struct old_edit *edits;
    size_t cap;

    if (p->end < p->cap)
        return 0;
    if (p->first > p->cap / 2) {
        memmove(p->edits, p->edits + p->first, (p->end - p->first) * sizeof *p->edits);
        p->end -= p->first;
        p->first = 0;
        return 0;
    }
    cap = p->cap ? p->cap * 2 : 64;
    edits = realloc(p->edits, cap * sizeof *edits);
    if (!edits)
        return MODEL_NO_MEMORY;
    p->edits = edits;
    p->cap = cap;
    return 0;
}

/* Edits come in about in the order of their time: the place is at the end, or near it. */
static void list_edit(struct model *m, const struct region *r, uint32_t family)
{
    struct periodic_flusher *p = &m->periodic;
    struct store *st = &r->stores[family];
    size_t at;

    if (m->spec->hbase.flush_interval_ns == 0)
        return;
    if (make_room(p) != 0) {
        model_fail(m, MODEL_NO_MEMORY);
        return;
    }
    for (at = p->end++; at > p->first && p->edits[at - 1].at > st->oldest_edit; at--)
        p->edits[at] = p->edits[at - 1];
    p->edits[at] = (struct old_edit){st->oldest_edit, r->id, family};
    st->edit_listed = true;
    if (at == p->first)
        set_next(m);
}

/* ---- the rule ---- */

static bool is_old(const struct model *m, des_time age)
{
    return age / DES_US > m->spec->hbase.flush_interval_ns / DES_US;
}

static uint64_t edits_since_flush(const struct region *r)
{
    return r->flushed_seqid > 0 && r->next_seqid > (uint64_t)r->flushed_seqid + 1
               ? r->next_seqid - 1 - (uint64_t)r->flushed_seqid : 0;
}

/* No store was flushed later than its oldest edit came in, so the flush that is longest ago is at least as old. */
static bool should_flush(const struct model *m, const struct region *r, des_time oldest_age)
{
    const struct flush_periodic_input in = {
        .oldest_edit_age_us = (uint64_t)(oldest_age / DES_US),
        .last_flush_age_us = (uint64_t)(oldest_age / DES_US),
        .edits_since_flush = edits_since_flush(r),
        .interval_us = (uint64_t)(m->spec->hbase.flush_interval_ns / DES_US),
        .per_changes = (uint64_t)m->spec->hbase.flush_per_changes,
    };

    return flush_periodic_due(&in);
}

bool periodic_store_is_old(const struct model *m, const struct store *st)
{
    return m->spec->hbase.flush_interval_ns > 0 && st->oldest_edit != DES_NEVER &&
           is_old(m, des_now(m->cal) - st->oldest_edit);
}

/* ---- the delayed flush ---- */

static void delay_over(struct des_calendar *cal, void *self, uint64_t region)
{
    struct model *m = self;
    struct region *r = m->regions[region];

    if (r->flush_delayed == des_now(cal) && r->state == REGION_OPEN)
        region_flush_delayed(m, r);
}

/* FlushRequester.requestDelayedFlush. The wait at the gate of too many files counts from here. */
static void delay_flush(struct model *m, struct region *r, des_time oldest_age)
{
    const uint64_t range_us = (uint64_t)m->spec->hbase.flush_delay_range_s * 1000000;
    const des_time now = des_now(m->cal);
    const des_time delay = (des_time)flush_periodic_delay_us(des_uniform(&m->streams.flusher), range_us) * DES_US;

    r->flush_asked = now;
    r->flush_delayed = now + delay;
    r->periodic = (struct periodic_call){des_time_to_s(oldest_age), (double)edits_since_flush(r), des_time_to_s(delay)};
    des_after(m->cal, delay, (struct des_action){.run = delay_over, .self = m, .arg = (uint64_t)r->id});
}

/* A region that isn't open, or whose flush is asked for, is looked at again. */
static bool may_ask(const struct region *r)
{
    return r->state == REGION_OPEN && !r->flush_requested && !r->flushing;
}

static void flusher_tick(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;
    struct periodic_flusher *p = &m->periodic;
    size_t kept = 0, i;

    (void)arg;
    for (i = p->first; i < p->end; i++) {
        const struct old_edit e = p->edits[i];
        struct region *r = m->regions[e.region];
        const des_time age = des_now(cal) - e.at;

        if (r->state == REGION_DEAD || r->stores[e.family].oldest_edit != e.at)
            continue;
        if (!is_old(m, age))
            break;
        if (r->flush_delayed == DES_NEVER && !may_ask(r)) {
            p->edits[p->first + kept++] = e;
            continue;
        }
        r->stores[e.family].edit_listed = false;
        if (r->flush_delayed == DES_NEVER && should_flush(m, r, age))
            delay_flush(m, r, age);
    }
    memmove(p->edits + i - kept, p->edits + p->first, kept * sizeof *p->edits);
    p->first = i - kept;
    set_next(m);
}

static void look_at_changes(struct des_calendar *cal, void *self, uint64_t region)
{
    struct model *m = self;
    struct region *r = m->regions[region];

    (void)cal;
    r->changes_listed = false;
    if (may_ask(r) && r->flush_delayed == DES_NEVER && should_flush(m, r, 0))
        delay_flush(m, r, 0);
}

/* ---- what comes in ---- */

void periodic_note_edits(struct model *m, struct region *r, des_time ago)
{
    const des_time now = des_now(m->cal);

    for (size_t f = 0; f < m->tables[r->table].families_len; f++) {
        struct store *st = &r->stores[f];
        des_time at = now - ago;

        if (st->oldest_edit != DES_NEVER || st->active.cells == 0)
            continue;
        at = at > r->opened ? at : r->opened;
        st->oldest_edit = at > r->snapshot_taken ? at : r->snapshot_taken;
        list_edit(m, r, (uint32_t)f);
    }
    if (edits_since_flush(r) <= (uint64_t)m->spec->hbase.flush_per_changes || r->changes_listed || !may_ask(r) ||
        r->flush_delayed != DES_NEVER)
        return;
    r->changes_listed = true;
    des_at(m->cal, run_after(m, now), (struct des_action){.run = look_at_changes, .self = m, .arg = (uint64_t)r->id});
}

void periodic_note_left(struct model *m, struct region *r)
{
    for (size_t f = 0; f < m->tables[r->table].families_len; f++)
        if (r->stores[f].oldest_edit != DES_NEVER && !r->stores[f].edit_listed)
            list_edit(m, r, (uint32_t)f);
}

int periodic_start(struct model *m)
{
    m->periodic.phase = (des_time)(des_uniform(&m->streams.flusher) * (double)m->spec->hbase.flush_check_ns);
    return des_slot_new(m->cal, (struct des_action){.run = flusher_tick, .self = m}, &m->periodic.slot);
}
