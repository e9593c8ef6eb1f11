/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des/calendar.h"

#include <stdlib.h>

#include "des/heap.h"
#include "des/key.h"
#include "des/winner.h"

#define NO_SLOT UINT32_MAX
#define NO_NODE UINT32_MAX
#define MOST ((uint32_t)1 << 26) /* events that may wait at once, and slots */

/* An event's contents; its key is in the heap. A free node has order 0, which no event has, so an
   entry of the heap whose order differs from its node's was cancelled. */
struct node {
    uint64_t order;
    des_time at;
    des_handler *run;
    void *self;
    uint64_t arg;
    uint32_t next_free;
};

struct slot {
    des_handler *run;
    void *self;
    uint64_t arg;
    uint32_t next_free;
    uint8_t priority;
};

struct des_calendar {
    des_time now;
    uint64_t sequence; /* number of the last scheduling */
    uint64_t events_run;
    int failure; /* sticks */
    int stop;    /* what des_stop was given */

    struct des_heap heap;
    struct node *node;
    uint32_t nodes;
    uint32_t free_node;
    size_t cancelled; /* entries of the heap whose event is gone */

    struct des_winner winner;
    struct slot *slot;
    uint32_t slots; /* made so far, freed ones included */
    uint32_t slots_capacity;
    uint32_t free_slot;
    uint32_t running_slot; /* its handler runs and hasn't set it again; its old key still stands */
    size_t slots_set;
};

struct des_calendar *des_calendar_new(void)
{
    struct des_calendar *cal = calloc(1, sizeof *cal);

    if (!cal)
        return NULL;
    cal->free_node = NO_NODE;
    cal->free_slot = NO_SLOT;
    cal->running_slot = NO_SLOT;
    if (des_winner_reserve(&cal->winner, 2) != DES_OK) {
        free(cal);
        return NULL;
    }
    return cal;
}

void des_calendar_free(struct des_calendar *cal)
{
    if (!cal)
        return;
    des_heap_free(&cal->heap);
    des_winner_free(&cal->winner);
    free(cal->node);
    free(cal->slot);
    free(cal);
}

des_time des_now(const struct des_calendar *cal)
{
    return cal->now;
}

static void fail(struct des_calendar *cal, int error)
{
    if (!cal->failure)
        cal->failure = error;
}

/* Doubles the nodes and threads the new ones to the free list, smallest first. */
static int grow_nodes(struct des_calendar *cal)
{
    const uint32_t n = cal->nodes ? 2 * cal->nodes : 16;
    struct node *grown;

    if (cal->nodes >= MOST)
        return DES_NO_MEMORY;
    grown = realloc(cal->node, n * sizeof *grown);
    if (!grown)
        return DES_NO_MEMORY;
    for (uint32_t i = n; i-- > cal->nodes;) {
        grown[i] = (struct node){.next_free = cal->free_node};
        cal->free_node = i;
    }
    cal->node = grown;
    cal->nodes = n;
    return DES_OK;
}

static void release_node(struct des_calendar *cal, uint32_t i)
{
    cal->node[i].order = 0;
    cal->node[i].next_free = cal->free_node;
    cal->free_node = i;
}

struct des_event des_at(struct des_calendar *cal, des_time at, struct des_action action)
{
    struct des_event event = {0, 0};
    struct des_key key;
    struct node *node;

    if (at == DES_NEVER)
        return event;
    if (at < cal->now) {
        fail(cal, DES_PAST);
        return event;
    }
    if ((cal->free_node == NO_NODE && grow_nodes(cal) != DES_OK) ||
        (cal->heap.count == cal->heap.capacity &&
         des_heap_reserve(&cal->heap, cal->heap.count + 1) != DES_OK)) {
        fail(cal, DES_NO_MEMORY);
        return event;
    }
    key = des_key_make(at, action.priority, ++cal->sequence);
    event.node = cal->free_node;
    event.order = key.order;
    node = &cal->node[event.node];
    cal->free_node = node->next_free;
    node->order = key.order;
    node->at = at;
    node->run = action.run;
    node->self = action.self;
    node->arg = action.arg;
    des_heap_push(&cal->heap, (struct des_entry){key, event.node});
    return event;
}

struct des_event des_after(struct des_calendar *cal, des_time delay, struct des_action action)
{
    return des_at(cal, delay < 0 ? cal->now - 1 : des_time_add(cal->now, delay), action);
}

static int is_pending(const struct des_calendar *cal, struct des_event event)
{
    return event.order && event.node < cal->nodes && cal->node[event.node].order == event.order;
}

/* Throws the cancelled entries out once they are most of the heap, so that they cost a constant
   share of time and memory. */
static void sweep(struct des_calendar *cal)
{
    struct des_heap *heap = &cal->heap;
    size_t kept = 0;

    des_heap_close(heap);
    for (size_t i = 0; i < heap->count; i++)
        if (cal->node[heap->entry[i].who].order == heap->entry[i].key.order)
            heap->entry[kept++] = heap->entry[i];
    heap->count = kept;
    cal->cancelled = 0;
    des_heap_build(heap);
}

int des_cancel(struct des_calendar *cal, struct des_event event)
{
    if (!is_pending(cal, event))
        return DES_STALE;
    release_node(cal, event.node);
    cal->cancelled++;
    if (cal->cancelled > 64 + cal->heap.count / 2)
        sweep(cal);
    return DES_OK;
}

des_time des_event_time(const struct des_calendar *cal, struct des_event event)
{
    return is_pending(cal, event) ? cal->node[event.node].at : DES_NEVER;
}

static int grow_slots(struct des_calendar *cal)
{
    const uint32_t n = cal->slots_capacity ? 2 * cal->slots_capacity : 16;
    struct slot *grown;

    if (cal->slots_capacity >= MOST || des_winner_reserve(&cal->winner, n) != DES_OK)
        return DES_NO_MEMORY;
    grown = realloc(cal->slot, n * sizeof *grown);
    if (!grown)
        return DES_NO_MEMORY;
    cal->slot = grown;
    cal->slots_capacity = n;
    return DES_OK;
}

int des_slot_new(struct des_calendar *cal, struct des_action action, uint32_t *slot)
{
    uint32_t s = cal->free_slot;

    if (s != NO_SLOT) {
        cal->free_slot = cal->slot[s].next_free;
    } else {
        if (cal->slots == cal->slots_capacity && grow_slots(cal) != DES_OK) {
            fail(cal, DES_NO_MEMORY);
            return DES_NO_MEMORY;
        }
        s = cal->slots++;
    }
    cal->slot[s] = (struct slot){action.run, action.self, action.arg, NO_SLOT, action.priority};
    *slot = s;
    return DES_OK;
}

void des_slot_set(struct des_calendar *cal, uint32_t slot, des_time at)
{
    struct des_key key = des_key_never();
    size_t was_set;

    if (at < cal->now) {
        fail(cal, DES_PAST);
        return;
    }
    if (at != DES_NEVER)
        key = des_key_make(at, cal->slot[slot].priority, ++cal->sequence);
    was_set = slot != cal->running_slot && des_winner_key(&cal->winner, slot).at != DES_NEVER;
    cal->slots_set += (size_t)(at != DES_NEVER) - was_set;
    if (slot == cal->running_slot)
        cal->running_slot = NO_SLOT;
    des_winner_set(&cal->winner, slot, key);
}

void des_slot_free(struct des_calendar *cal, uint32_t slot)
{
    des_slot_set(cal, slot, DES_NEVER);
    cal->slot[slot].next_free = cal->free_slot;
    cal->free_slot = slot;
}

des_time des_slot_time(const struct des_calendar *cal, uint32_t slot)
{
    return slot == cal->running_slot ? DES_NEVER : des_winner_key(&cal->winner, slot).at;
}

/* Ends what a running event left open: its place in the heap, or its slot's old key. */
static void settle(struct des_calendar *cal)
{
    des_heap_close(&cal->heap);
    if (cal->running_slot != NO_SLOT) {
        des_winner_set(&cal->winner, cal->running_slot, des_key_never());
        cal->running_slot = NO_SLOT;
    }
}

/* The heap's first live entry, of a settled calendar; cancelled ones above it go. */
static struct des_key first_event(struct des_calendar *cal)
{
    struct des_heap *heap = &cal->heap;

    while (heap->count) {
        const struct des_entry *top = &heap->entry[0];

        if (cal->node[top->who].order == top->key.order)
            return top->key;
        cal->cancelled--;
        des_heap_open(heap);
        des_heap_close(heap);
    }
    return des_key_never();
}

static void run_event(struct des_calendar *cal)
{
    const struct des_entry top = cal->heap.entry[0];
    const struct node node = cal->node[top.who];

    release_node(cal, top.who);
    des_heap_open(&cal->heap);
    cal->now = top.key.at;
    node.run(cal, node.self, node.arg);
}

static void run_slot(struct des_calendar *cal)
{
    const struct des_entry top = cal->winner.node[1];
    const struct slot *slot = &cal->slot[top.who];

    cal->running_slot = top.who;
    cal->slots_set--;
    cal->now = top.key.at;
    slot->run(cal, slot->self, slot->arg);
}

int des_run(struct des_calendar *cal, des_time until)
{
    int status;

    while (!cal->failure && !cal->stop) {
        const struct des_key event = first_event(cal);
        const struct des_key slot = cal->winner.node[1].key;
        const int from_heap = des_key_before(event, slot);
        const des_time at = from_heap ? event.at : slot.at;

        if (at > until || at == DES_NEVER) {
            if (until != DES_NEVER && until > cal->now)
                cal->now = until;
            return DES_OK;
        }
        cal->events_run++;
        if (from_heap)
            run_event(cal);
        else
            run_slot(cal);
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
    struct des_key event;

    settle(cal);
    event = first_event(cal);
    return event.at < cal->winner.node[1].key.at ? event.at : cal->winner.node[1].key.at;
}

size_t des_pending(const struct des_calendar *cal)
{
    return cal->heap.count - (size_t)cal->heap.open - cal->cancelled + cal->slots_set;
}

uint64_t des_events_run(const struct des_calendar *cal)
{
    return cal->events_run;
}
