/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des/calendar.h"

#include <stdlib.h>

#include "des/key.h"
#include "des/winner.h"

#define NONE UINT32_MAX
#define MOST ((uint32_t)1 << 26) /* leaves */

/* What belongs to a leaf of the tournament, of which each slot has one for good and each event
   while it waits. Its key is in the tournament. */
struct leaf {
    des_handler *run;
    void *self;
    uint64_t arg;
    uint32_t next_free;
    uint8_t priority;
    uint8_t is_slot;
};

struct des_calendar {
    des_time now;      /* first: des_now reads it */
    uint64_t sequence; /* number of the last scheduling */
    uint64_t events_run;
    int failure; /* sticks */
    int stop;    /* what des_stop was given */

    struct des_winner winner;
    struct leaf *leaf;
    uint32_t leaves;
    uint32_t free_leaf;
    /* Leaf of the running event, whose old key still stands in the tournament, or NONE: most
       events schedule their successor, which takes the same leaf and replays its path once. */
    uint32_t running;
};

/* Doubles the leaves and threads the new ones to the free list, smallest first. */
static int grow(struct des_calendar *cal)
{
    const uint32_t n = cal->leaves ? 2 * cal->leaves : 2;
    struct leaf *grown;

    if (cal->leaves >= MOST || des_winner_reserve(&cal->winner, n) != DES_OK)
        return DES_NO_MEMORY;
    grown = realloc(cal->leaf, n * sizeof *grown);
    if (!grown)
        return DES_NO_MEMORY;
    for (uint32_t i = n; i-- > cal->leaves;) {
        grown[i] = (struct leaf){.next_free = cal->free_leaf};
        cal->free_leaf = i;
    }
    cal->leaf = grown;
    cal->leaves = n;
    return DES_OK;
}

struct des_calendar *des_calendar_new(void)
{
    struct des_calendar *cal = calloc(1, sizeof *cal);

    if (!cal)
        return NULL;
    cal->free_leaf = NONE;
    cal->running = NONE;
    if (grow(cal) != DES_OK) {
        des_calendar_free(cal);
        return NULL;
    }
    return cal;
}

void des_calendar_free(struct des_calendar *cal)
{
    if (!cal)
        return;
    des_winner_free(&cal->winner);
    free(cal->leaf);
    free(cal);
}

static void fail(struct des_calendar *cal, int error)
{
    if (!cal->failure)
        cal->failure = error;
}

/* Takes a free leaf for |action|, NONE without memory. */
static uint32_t take_leaf(struct des_calendar *cal, struct des_action action, uint8_t is_slot)
{
    struct leaf *leaf;
    uint32_t i;

    if (cal->free_leaf == NONE && grow(cal) != DES_OK) {
        fail(cal, DES_NO_MEMORY);
        return NONE;
    }
    i = cal->free_leaf;
    leaf = &cal->leaf[i];
    cal->free_leaf = leaf->next_free;
    leaf->run = action.run;
    leaf->self = action.self;
    leaf->arg = action.arg;
    leaf->priority = action.priority;
    leaf->is_slot = is_slot;
    return i;
}

static void release_leaf(struct des_calendar *cal, uint32_t i)
{
    cal->leaf[i].next_free = cal->free_leaf;
    cal->free_leaf = i;
}

static void set_key(struct des_calendar *cal, uint32_t i, struct des_key key)
{
    if (i == cal->running)
        cal->running = NONE;
    des_winner_set(&cal->winner, i, key);
}

/* Key of a leaf as callers see it: never, while only the running event's old one is there. */
static struct des_key key_of(const struct des_calendar *cal, uint32_t i)
{
    return i == cal->running ? des_key_never() : des_winner_key(&cal->winner, i);
}

struct des_event des_at(struct des_calendar *cal, des_time at, struct des_action action)
{
    struct des_event event = {0, 0};
    struct des_key key;
    uint32_t i;

    if (at == DES_NEVER)
        return event;
    if (at < cal->now) {
        fail(cal, DES_PAST);
        return event;
    }
    i = take_leaf(cal, action, 0);
    if (i == NONE)
        return event;
    key = des_key_make(at, action.priority, ++cal->sequence);
    set_key(cal, i, key);
    event.order = key.order;
    event.leaf = i;
    return event;
}

struct des_event des_after(struct des_calendar *cal, des_time delay, struct des_action action)
{
    return des_at(cal, delay < 0 ? -1 : des_time_add(cal->now, delay), action);
}

static int is_pending(const struct des_calendar *cal, struct des_event event)
{
    return event.order && event.leaf < cal->leaves && key_of(cal, event.leaf).order == event.order;
}

int des_cancel(struct des_calendar *cal, struct des_event event)
{
    if (!is_pending(cal, event))
        return DES_STALE;
    set_key(cal, event.leaf, des_key_never());
    release_leaf(cal, event.leaf);
    return DES_OK;
}

des_time des_event_time(const struct des_calendar *cal, struct des_event event)
{
    return is_pending(cal, event) ? (des_time)key_of(cal, event.leaf).at : DES_NEVER;
}

int des_slot_new(struct des_calendar *cal, struct des_action action, uint32_t *slot)
{
    const uint32_t i = take_leaf(cal, action, 1);

    if (i == NONE)
        return DES_NO_MEMORY;
    *slot = i;
    return DES_OK;
}

void des_slot_set(struct des_calendar *cal, uint32_t slot, des_time at)
{
    struct des_key key = des_key_never();

    if (at < cal->now) {
        fail(cal, DES_PAST);
        return;
    }
    if (at != DES_NEVER)
        key = des_key_make(at, cal->leaf[slot].priority, ++cal->sequence);
    set_key(cal, slot, key);
}

uint64_t des_ticket(struct des_calendar *cal)
{
    return ++cal->sequence;
}

void des_slot_set_ticket(struct des_calendar *cal, uint32_t slot, des_time at, uint64_t ticket)
{
    if (at < cal->now) {
        fail(cal, DES_PAST);
        return;
    }
    set_key(cal, slot, des_key_make(at, cal->leaf[slot].priority, ticket));
}

void des_slot_free(struct des_calendar *cal, uint32_t slot)
{
    set_key(cal, slot, des_key_never());
    release_leaf(cal, slot);
}

des_time des_slot_time(const struct des_calendar *cal, uint32_t slot)
{
    return (des_time)key_of(cal, slot).at;
}

/* Takes the running event's old key away, unless its leaf has got a new one. */
static void settle(struct des_calendar *cal)
{
    if (cal->running != NONE)
        set_key(cal, cal->running, des_key_never());
}

int des_run(struct des_calendar *cal, des_time until)
{
    int status;

    while (!cal->failure && !cal->stop) {
        const struct des_entry first = cal->winner.node[1];
        const struct leaf *leaf = &cal->leaf[first.who];

        if (first.key.at > (uint64_t)until || first.key.at == (uint64_t)DES_NEVER) {
            if (until != DES_NEVER && until > cal->now)
                cal->now = until;
            return DES_OK;
        }
        cal->now = (des_time)first.key.at;
        cal->events_run++;
        cal->running = first.who;
        if (!leaf->is_slot)
            release_leaf(cal, first.who);
        leaf->run(cal, leaf->self, leaf->arg);
        settle(cal);
    }
    status = cal->failure ? cal->failure : cal->stop;
    cal->stop = 0;
    return status;
}

void des_stop(struct des_calendar *cal, int status)
{
    cal->stop = status;
}

des_time des_next_time(struct des_calendar *cal)
{
    settle(cal);
    return (des_time)cal->winner.node[1].key.at;
}

size_t des_pending(const struct des_calendar *cal)
{
    size_t n = 0;

    for (uint32_t i = 0; i < cal->leaves; i++)
        n += key_of(cal, i).at != (uint64_t)DES_NEVER;
    return n;
}

uint64_t des_events_run(const struct des_calendar *cal)
{
    return cal->events_run;
}
