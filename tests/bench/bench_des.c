/* SPDX-License-Identifier: GPL-3.0-or-later */
/* M/M/1 (lambda 0.9, mu 1) through des, once with slots and once with events, beside the same
   model on a bare binary heap in C; and the hold model: take the first of P events, put it back an
   exponential later. All draw the same numbers and must end with the same sum of waits.
   Usage: bench_des [CUSTOMERS] */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "des/calendar.h"
#include "des/stream.h"

#define RUNS 5
#define RING 4096 /* customers in the system at most; at rho 0.9 more has probability 1e-187 */

static double seconds(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* What all three variants share: the queue, the draws and the measure. */
struct queue {
    struct des_stream arrivals, service;
    des_time arrived[RING];
    uint64_t head, tail; /* customers that left, that came */
    uint64_t customers;
    des_time waits; /* sum of times in the system; wraps after 29 G customers */
    uint32_t arrival_slot, service_slot;
};

static void queue_init(struct queue *q, uint64_t customers)
{
    des_stream_init(&q->arrivals, 1, "arrivals");
    des_stream_init(&q->service, 1, "service");
    q->head = q->tail = 0;
    q->customers = customers;
    q->waits = 0;
}

static inline des_time arrival_span(struct queue *q)
{
    return des_exponential_time(&q->arrivals, 1e9 / 0.9);
}

static inline des_time service_span(struct queue *q)
{
    return des_exponential_time(&q->service, 1e9);
}

/* 1 if the server was idle, so that a service begins. */
static inline int queue_enter(struct queue *q, des_time now)
{
    q->arrived[q->tail % RING] = now;
    return q->tail++ == q->head;
}

/* 1 if another customer waits. */
static inline int queue_leave(struct queue *q, des_time now)
{
    q->waits += now - q->arrived[q->head % RING];
    return ++q->head != q->tail;
}

static void slot_arrival(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct queue *q = self;
    const des_time now = des_now(cal);

    (void)arg;
    if (queue_enter(q, now))
        des_slot_set(cal, q->service_slot, now + service_span(q));
    if (q->tail < q->customers)
        des_slot_set(cal, q->arrival_slot, now + arrival_span(q));
}

static void slot_departure(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct queue *q = self;
    const des_time now = des_now(cal);

    (void)arg;
    if (queue_leave(q, now))
        des_slot_set(cal, q->service_slot, now + service_span(q));
}

static void mm1_slots(struct queue *q)
{
    struct des_calendar *cal = des_calendar_new();

    if (!cal || des_slot_new(cal, (struct des_action){.run = slot_arrival, .self = q},
                             &q->arrival_slot) ||
        des_slot_new(cal, (struct des_action){.run = slot_departure, .self = q},
                     &q->service_slot))
        abort();
    des_slot_set(cal, q->arrival_slot, arrival_span(q));
    if (des_run(cal, DES_NEVER))
        abort();
    des_calendar_free(cal);
}

static void event_departure(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct queue *q = self;

    (void)arg;
    if (queue_leave(q, des_now(cal)))
        des_after(cal, service_span(q), (struct des_action){.run = event_departure, .self = q});
}

static void event_arrival(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct queue *q = self;

    (void)arg;
    if (queue_enter(q, des_now(cal)))
        des_after(cal, service_span(q), (struct des_action){.run = event_departure, .self = q});
    if (q->tail < q->customers)
        des_after(cal, arrival_span(q), (struct des_action){.run = event_arrival, .self = q});
}

static void mm1_events(struct queue *q)
{
    struct des_calendar *cal = des_calendar_new();

    if (!cal)
        abort();
    des_after(cal, arrival_span(q), (struct des_action){.run = event_arrival, .self = q});
    if (des_run(cal, DES_NEVER))
        abort();
    des_calendar_free(cal);
}

/* The bare heap: a time and a kind, no ties, no handles, no priorities. */
struct bare {
    des_time at;
    int kind;
};

static struct bare bare_heap[1 << 17];
static size_t bare_count;

static void bare_push(des_time at, int kind)
{
    size_t i = bare_count++;

    while (i > 0 && at < bare_heap[(i - 1) / 2].at) {
        bare_heap[i] = bare_heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    bare_heap[i].at = at;
    bare_heap[i].kind = kind;
}

static struct bare bare_pop(void)
{
    const struct bare top = bare_heap[0];
    const struct bare last = bare_heap[--bare_count];
    size_t i = 0, child;

    while ((child = 2 * i + 1) < bare_count) {
        if (child + 1 < bare_count && bare_heap[child + 1].at < bare_heap[child].at)
            child++;
        if (last.at <= bare_heap[child].at)
            break;
        bare_heap[i] = bare_heap[child];
        i = child;
    }
    bare_heap[i] = last;
    return top;
}

static void mm1_bare(struct queue *q)
{
    bare_count = 0;
    bare_push(arrival_span(q), 0);
    while (bare_count) {
        const struct bare e = bare_pop();

        if (e.kind == 0) {
            if (queue_enter(q, e.at))
                bare_push(e.at + service_span(q), 1);
            if (q->tail < q->customers)
                bare_push(e.at + arrival_span(q), 0);
        } else if (queue_leave(q, e.at)) {
            bare_push(e.at + service_span(q), 1);
        }
    }
}

struct hold {
    struct des_stream stream;
    uint64_t left;
    des_time end;
};

static void hold_event(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct hold *h = self;

    if (--h->left == 0)
        des_stop(cal, 1);
    h->end = des_now(cal);
    des_after(cal, des_exponential_time(&h->stream, 1e9),
              (struct des_action){.run = hold_event, .self = h, .arg = arg});
}

static void hold_slot(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct hold *h = self;

    if (--h->left == 0)
        des_stop(cal, 1);
    h->end = des_now(cal);
    des_slot_set(cal, (uint32_t)arg, h->end + des_exponential_time(&h->stream, 1e9));
}

enum way { SLOTS, EVENTS, BARE };

static des_time hold_des(struct hold *h, enum way way, uint32_t pending)
{
    struct des_calendar *cal = des_calendar_new();
    des_handler *run = way == SLOTS ? hold_slot : hold_event;

    if (!cal)
        abort();
    for (uint32_t i = 0; i < pending; i++) {
        const des_time at = des_exponential_time(&h->stream, 1e9);
        const struct des_action action = {.run = run, .self = h, .arg = i};
        uint32_t slot;

        if (way == EVENTS)
            des_at(cal, at, action);
        else if (des_slot_new(cal, action, &slot))
            abort();
        else
            des_slot_set(cal, slot, at);
    }
    if (des_run(cal, DES_NEVER) != 1)
        abort();
    des_calendar_free(cal);
    return h->end;
}

static des_time hold_bare(struct hold *h, uint32_t pending)
{
    bare_count = 0;
    for (uint32_t i = 0; i < pending; i++)
        bare_push(des_exponential_time(&h->stream, 1e9), (int)i);
    while (h->left--) {
        const struct bare e = bare_pop();

        h->end = e.at;
        bare_push(e.at + des_exponential_time(&h->stream, 1e9), e.kind);
    }
    return h->end;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The ways take turns, so that a busy moment of the machine doesn't fall on one of them alone. */
static void run_mm1(uint64_t customers, double *rate, des_time *waits)
{
    static struct queue q;
    static void (*const ways[])(struct queue *) = {mm1_slots, mm1_events, mm1_bare};
    double took[3][RUNS];

    for (int i = -1; i < RUNS; i++) { /* run -1 warms up */
        for (int way = SLOTS; way <= BARE; way++) {
            const double start = seconds();

            queue_init(&q, customers);
            ways[way](&q);
            took[way][i < 0 ? 0 : i] = seconds() - start;
            waits[way] = q.waits;
        }
    }
    for (int way = SLOTS; way <= BARE; way++) {
        qsort(took[way], RUNS, sizeof took[way][0], by_value);
        rate[way] = (double)customers / took[way][RUNS / 2];
    }
}

static void run_hold(uint32_t pending, uint64_t holds, double *ns, des_time *end)
{
    double took[3][RUNS];

    for (int i = -1; i < RUNS; i++) {
        for (int way = SLOTS; way <= BARE; way++) {
            struct hold h = {.left = holds};
            const double start = seconds();

            des_stream_init(&h.stream, 1, "hold");
            end[way] = way == BARE ? hold_bare(&h, pending) : hold_des(&h, (enum way)way, pending);
            took[way][i < 0 ? 0 : i] = seconds() - start;
        }
    }
    for (int way = SLOTS; way <= BARE; way++) {
        qsort(took[way], RUNS, sizeof took[way][0], by_value);
        ns[way] = took[way][RUNS / 2] / (double)holds * 1e9;
    }
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"des, slots", "des, events", "bare C heap"};
    static const uint32_t pendings[] = {16, 64, 256, 1024, 4096, 65536};
    const uint64_t customers = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    double rate[3], ns[3];
    des_time check[3];

    run_mm1(customers, rate, check);
    printf("M/M/1, lambda 0.9, %" PRIu64 " customers, median of %d\n", customers, RUNS);
    for (int way = SLOTS; way <= BARE; way++)
        printf("  %-12s %6.1f M customers/s  %.2f of the bare heap  W %.3f s\n", names[way],
               rate[way] / 1e6, rate[way] / rate[BARE],
               (double)check[way] / 1e9 / (double)customers);
    if (check[SLOTS] != check[BARE] || check[EVENTS] != check[BARE])
        return 1;
    printf("hold, ns\n  %8s %12s %12s %12s\n", "pending", names[SLOTS], names[EVENTS], names[BARE]);
    for (size_t i = 0; i < sizeof pendings / sizeof *pendings; i++) {
        run_hold(pendings[i], customers / 4, ns, check);
        printf("  %8" PRIu32 " %12.1f %12.1f %12.1f\n", pendings[i], ns[SLOTS], ns[EVENTS], ns[BARE]);
        if (check[SLOTS] != check[BARE] || check[EVENTS] != check[BARE])
            return 1;
    }
    return 0;
}
