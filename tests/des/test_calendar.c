/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des_test.h"

#include <stdlib.h>
#include <string.h>

#include "des/calendar.h"
#include "des/key.h"
#include "des/stream.h"

/* A log of the args in the order of running. */
struct log {
    uint64_t arg[64];
    des_time at[64];
    size_t n;
};

static void note(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct log *log = self;

    assert_true(log->n < 64);
    log->arg[log->n] = arg;
    log->at[log->n++] = des_now(cal);
}

static struct des_action noting(struct log *log, uint64_t arg, uint8_t priority)
{
    return (struct des_action){.run = note, .self = log, .arg = arg, .priority = priority};
}

static void assert_log(const struct log *log, const uint64_t *arg, size_t n)
{
    assert_int_equal(log->n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(log->arg[i], arg[i]);
}

static void order_is_time_priority_sequence(void **state)
{
    struct des_calendar *cal = des_calendar_new();
    struct log log = {.n = 0};
    uint32_t slot;

    (void)state;
    assert_non_null(cal);
    des_at(cal, 20, noting(&log, 5, 0));
    des_at(cal, 10, noting(&log, 3, 7));
    assert_int_equal(des_slot_new(cal, noting(&log, 4, 7), &slot), DES_OK);
    des_slot_set(cal, slot, 10);
    des_at(cal, 10, noting(&log, 1, 6));
    des_at(cal, 10, noting(&log, 2, 6));
    des_at(cal, 20, noting(&log, 7, 255));
    des_at(cal, 20, noting(&log, 6, 0));
    assert_int_equal(des_pending(cal), 7);
    assert_int_equal(des_next_time(cal), 10);
    assert_int_equal(des_run(cal, DES_NEVER), DES_OK);
    assert_log(&log, (const uint64_t[]){1, 2, 3, 4, 5, 6, 7}, 7);
    assert_int_equal(des_now(cal), 20);
    assert_int_equal(des_pending(cal), 0);
    assert_int_equal(des_next_time(cal), DES_NEVER);
    assert_int_equal(des_events_run(cal), 7);
    des_calendar_free(cal);
}

/* A slot that is set anew goes behind the events that were scheduled for that time before. */
static void slot_set_anew_takes_a_new_number(void **state)
{
    struct des_calendar *cal = des_calendar_new();
    struct log log = {.n = 0};
    uint32_t slot;

    (void)state;
    assert_int_equal(des_slot_new(cal, noting(&log, 2, 0), &slot), DES_OK);
    des_slot_set(cal, slot, 10);
    des_at(cal, 10, noting(&log, 1, 0));
    des_slot_set(cal, slot, 10);
    assert_int_equal(des_run(cal, 10), DES_OK);
    assert_log(&log, (const uint64_t[]){1, 2}, 2);
    des_calendar_free(cal);
}

/* A list of one's own with only its head in the calendar runs among equal times as if each of its events
   had been scheduled where its ticket was taken. */
static void ticket_keeps_the_place(void **state)
{
    struct des_calendar *cal = des_calendar_new();
    struct log log = {.n = 0};
    uint64_t ticket;
    uint32_t slot;

    (void)state;
    assert_int_equal(des_slot_new(cal, noting(&log, 2, 0), &slot), DES_OK);
    des_at(cal, 10, noting(&log, 1, 0));
    ticket = des_ticket(cal);
    des_at(cal, 10, noting(&log, 3, 0));
    des_slot_set_ticket(cal, slot, 10, ticket);
    assert_int_equal(des_slot_time(cal, slot), 10);
    assert_int_equal(des_run(cal, 10), DES_OK);
    assert_log(&log, (const uint64_t[]){1, 2, 3}, 3);
    des_slot_set_ticket(cal, slot, 9, ticket);
    assert_int_equal(des_run(cal, 20), DES_PAST);
    des_calendar_free(cal);
}

struct waker {
    struct log *log;
    uint8_t priority;
};

static void wake(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct waker *waker = self;

    note(cal, waker->log, arg);
    des_after(cal, 0, noting(waker->log, 9, waker->priority));
}

/* One who comes at the present time doesn't overtake those who wait for it, unless its priority
   says so. */
static void newcomer_does_not_overtake(void **state)
{
    static const uint64_t behind[] = {1, 2, 3, 9}, before[] = {1, 9, 2, 3};
    uint8_t priority;

    (void)state;
    for (priority = 5; priority >= 4; priority--) {
        struct des_calendar *cal = des_calendar_new();
        struct log log = {.n = 0};
        struct waker waker = {&log, priority};

        des_at(cal, 10, (struct des_action){.run = wake, .self = &waker, .arg = 1, .priority = 5});
        des_at(cal, 10, noting(&log, 2, 5));
        des_at(cal, 10, noting(&log, 3, 5));
        assert_int_equal(des_run(cal, 10), DES_OK);
        assert_log(&log, priority == 5 ? behind : before, 4);
        des_calendar_free(cal);
    }
}

static void stale_handles_cancel_nothing(void **state)
{
    struct des_calendar *cal = des_calendar_new();
    struct log log = {.n = 0};
    struct des_event first, second, third;
    const struct des_event none = {0, 0}, beyond = {1, UINT32_MAX};

    (void)state;
    first = des_at(cal, 10, noting(&log, 1, 0));
    second = des_at(cal, 20, noting(&log, 2, 0));
    assert_int_equal(des_event_time(cal, first), 10);
    assert_int_equal(des_cancel(cal, first), DES_OK);
    assert_int_equal(des_cancel(cal, first), DES_STALE);
    assert_int_equal(des_event_time(cal, first), DES_NEVER);
    third = des_at(cal, 30, noting(&log, 3, 0));
    assert_int_equal(third.leaf, first.leaf); /* its place was given out again */
    assert_int_equal(des_cancel(cal, first), DES_STALE);
    assert_int_equal(des_run(cal, 25), DES_OK);
    assert_int_equal(des_cancel(cal, second), DES_STALE);
    assert_int_equal(des_cancel(cal, none), DES_STALE);
    assert_int_equal(des_cancel(cal, beyond), DES_STALE);
    assert_int_equal(des_run(cal, 30), DES_OK);
    assert_log(&log, (const uint64_t[]){2, 3}, 2);
    des_calendar_free(cal);
}

/* A waiter with a timeout: served in time, it cancels the timeout; the timeout must find nothing
   of it later, although others came to its place. */
struct waiter {
    struct des_event timeout;
    int served, timed_out, cancelled;
};

static void time_out(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct waiter *w = self;

    (void)arg;
    w->timed_out++;
    assert_int_equal(des_cancel(cal, w->timeout), DES_STALE); /* itself, running */
}

static void serve(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct waiter *w = self;

    (void)arg;
    w->served++;
    w->cancelled += des_cancel(cal, w->timeout) == DES_OK;
}

static void timeouts(void **state)
{
    enum { N = 100 };
    struct des_calendar *cal = des_calendar_new();
    struct waiter w[N] = {{.served = 0}};

    (void)state;
    for (int i = 0; i < N; i++) {
        w[i].timeout = des_at(cal, 50, (struct des_action){.run = time_out, .self = &w[i]});
        des_at(cal, i, (struct des_action){.run = serve, .self = &w[i]});
    }
    assert_int_equal(des_run(cal, 1000), DES_OK);
    for (int i = 0; i < N; i++) { /* at 50 the timeout was scheduled first, and wins */
        assert_int_equal(w[i].served, 1);
        assert_int_equal(w[i].timed_out, i >= 50);
        assert_int_equal(w[i].cancelled, i < 50);
    }
    des_calendar_free(cal);
}

static void past_sticks(void **state)
{
    struct des_calendar *cal = des_calendar_new();
    struct log log = {.n = 0};

    (void)state;
    assert_int_equal(des_run(cal, 100), DES_OK);
    assert_int_equal(des_now(cal), 100);
    assert_int_equal(des_at(cal, 99, noting(&log, 1, 0)).order, 0);
    des_at(cal, 100, noting(&log, 2, 0));
    assert_int_equal(des_run(cal, 200), DES_PAST);
    assert_int_equal(des_run(cal, 200), DES_PAST);
    assert_int_equal(log.n, 0);
    des_calendar_free(cal);

    cal = des_calendar_new();
    assert_int_equal(des_after(cal, -1, noting(&log, 1, 0)).order, 0);
    assert_int_equal(des_run(cal, 1), DES_PAST);
    des_calendar_free(cal);
}

static void never_is_nothing(void **state)
{
    struct des_calendar *cal = des_calendar_new();
    struct log log = {.n = 0};

    (void)state;
    assert_int_equal(des_run(cal, 10), DES_OK);
    assert_int_equal(des_at(cal, DES_NEVER, noting(&log, 1, 0)).order, 0);
    assert_int_equal(des_after(cal, DES_NEVER, noting(&log, 1, 0)).order, 0);
    assert_int_equal(des_pending(cal), 0);
    assert_int_equal(des_run(cal, DES_NEVER), DES_OK);
    assert_int_equal(des_now(cal), 10);
    assert_int_equal(des_time_add(DES_NEVER - 1, 2), DES_NEVER);
    assert_int_equal(des_time_add(5, 2), 7);
    des_calendar_free(cal);
}

static void halt(struct des_calendar *cal, void *self, uint64_t arg)
{
    note(cal, self, arg);
    des_stop(cal, 42);
}

static void stop_and_go_on(void **state)
{
    struct des_calendar *cal = des_calendar_new();
    struct log log = {.n = 0};

    (void)state;
    des_at(cal, 10, (struct des_action){.run = halt, .self = &log, .arg = 1});
    des_at(cal, 10, noting(&log, 2, 0));
    des_at(cal, 30, noting(&log, 3, 0));
    assert_int_equal(des_run(cal, 20), 42);
    assert_int_equal(des_now(cal), 10);
    assert_int_equal(log.n, 1);
    assert_int_equal(des_run(cal, 20), DES_OK);
    assert_int_equal(des_now(cal), 20);
    assert_int_equal(log.n, 2);
    assert_int_equal(des_run(cal, 30), DES_OK); /* |until| itself belongs to it */
    assert_int_equal(log.n, 3);
    des_calendar_free(cal);
}

struct chore {
    uint32_t slot;
    int left;
    struct log log;
};

static void work_off(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct chore *chore = self;

    note(cal, &chore->log, arg);
    assert_int_equal(des_slot_time(cal, chore->slot), DES_NEVER);
    if (--chore->left > 0)
        des_slot_set(cal, chore->slot, des_now(cal) + 5);
}

static void slots_repeat_move_and_clear(void **state)
{
    struct des_calendar *cal = des_calendar_new();
    struct chore chore = {.left = 3};
    uint32_t other;

    (void)state;
    des_slot_new(cal, (struct des_action){.run = work_off, .self = &chore}, &chore.slot);
    des_slot_set(cal, chore.slot, 90);
    assert_int_equal(des_slot_time(cal, chore.slot), 90);
    des_slot_set(cal, chore.slot, 10);
    assert_int_equal(des_run(cal, 100), DES_OK);
    assert_int_equal(chore.log.n, 3);
    assert_int_equal(chore.log.at[2], 20);
    assert_int_equal(des_slot_time(cal, chore.slot), DES_NEVER);
    des_slot_set(cal, chore.slot, 110);
    des_slot_set(cal, chore.slot, DES_NEVER);
    assert_int_equal(des_pending(cal), 0);
    des_slot_set(cal, chore.slot, 110);
    des_slot_free(cal, chore.slot);
    des_slot_new(cal, noting(&chore.log, 7, 0), &other);
    assert_int_equal(other, chore.slot);
    assert_int_equal(des_slot_time(cal, other), DES_NEVER);
    assert_int_equal(des_run(cal, 200), DES_OK);
    assert_int_equal(chore.log.n, 3);
    des_calendar_free(cal);
}

struct self_freeing {
    uint32_t slot;
    int runs;
};

static void free_own_slot(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct self_freeing *s = self;

    (void)arg;
    s->runs++;
    des_slot_free(cal, s->slot);
    assert_int_equal(des_next_time(cal), DES_NEVER);
    assert_int_equal(des_pending(cal), 0);
}

static void slot_frees_itself(void **state)
{
    struct des_calendar *cal = des_calendar_new();
    struct self_freeing s = {.runs = 0};

    (void)state;
    des_slot_new(cal, (struct des_action){.run = free_own_slot, .self = &s}, &s.slot);
    des_slot_set(cal, s.slot, 1);
    assert_int_equal(des_run(cal, 10), DES_OK);
    assert_int_equal(s.runs, 1);
    des_calendar_free(cal);
}

/* The comparator over random triples from few values, so that equal parts abound. */
static void keys_are_a_strict_weak_order(void **state)
{
    struct des_stream st;
    struct des_key k[3];

    (void)state;
    des_stream_init(&st, 1, "keys");
    for (int n = 0; n < 200000; n++) {
        for (int i = 0; i < 3; i++) {
            static const des_time at[] = {0, 1, 2, DES_NEVER - 1};
            static const uint64_t number[] = {1, 2, 3, ((uint64_t)1 << DES_SEQUENCE_BITS) - 1};

            k[i] = des_key_make(at[des_uniform_u32(&st, 4)],
                                (uint8_t)(des_uniform_u32(&st, 3) * 127),
                                number[des_uniform_u32(&st, 4)]);
        }
        assert_false(des_key_before(k[0], k[0]));
        assert_false(des_key_before(k[0], k[1]) && des_key_before(k[1], k[0]));
        if (des_key_before(k[0], k[1]) && des_key_before(k[1], k[2]))
            assert_true(des_key_before(k[0], k[2]));
        if (memcmp(&k[0], &k[1], sizeof k[0]) != 0)
            assert_true(des_key_before(k[0], k[1]) || des_key_before(k[1], k[0]));
        assert_true(des_key_before(k[0], des_key_never()));
        /* by the sentence in the header */
        if (k[0].at != k[1].at)
            assert_int_equal(des_key_before(k[0], k[1]), k[0].at < k[1].at);
        else
            assert_int_equal(des_key_before(k[0], k[1]), k[0].order < k[1].order);
    }
}

/* Random scheduling, cancelling and moving against a list that is searched. */
enum { ITEMS = 300 };
struct item {
    int waits;
    des_time at;
    uint8_t priority;
    uint64_t number;
    struct des_event event;
    uint32_t slot; /* items below 20 are slots */
};
struct world {
    struct item item[ITEMS];
    struct des_stream st;
    uint64_t number;
    size_t runs;
};

static struct item *earliest(struct world *w)
{
    struct item *best = NULL;

    for (int i = 0; i < ITEMS; i++) {
        struct item *it = &w->item[i];

        if (it->waits && (!best || it->at < best->at ||
                          (it->at == best->at && (it->priority < best->priority ||
                           (it->priority == best->priority && it->number < best->number)))))
            best = it;
    }
    return best;
}

static void live(struct des_calendar *cal, void *self, uint64_t arg);

static void schedule(struct des_calendar *cal, struct world *w, uint32_t i, des_time at)
{
    struct item *it = &w->item[i];

    it->at = at;
    it->number = ++w->number;
    it->waits = 1;
    if (i < 20) {
        des_slot_set(cal, it->slot, at);
    } else {
        it->priority = (uint8_t)des_uniform_u32(&w->st, 3);
        it->event = des_at(cal, at, (struct des_action){live, w, i, it->priority});
        assert_true(it->event.order != 0);
    }
}

static void live(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct world *w = self;
    struct item *due = earliest(w);

    assert_ptr_equal(due, &w->item[arg]);
    assert_int_equal(due->at, des_now(cal));
    due->waits = 0;
    if (++w->runs >= 20000)
        return;
    for (uint32_t k = des_uniform_u32(&w->st, 4); k > 0; k--) {
        const uint32_t i = des_uniform_u32(&w->st, ITEMS);
        struct item *it = &w->item[i];

        if (!it->waits) {
            schedule(cal, w, i, des_now(cal) + (des_time)des_uniform_u32(&w->st, 8));
        } else if (i >= 20) {
            assert_int_equal(des_event_time(cal, it->event), it->at);
            assert_int_equal(des_cancel(cal, it->event), DES_OK);
            it->waits = 0;
        } else if (des_bernoulli(&w->st, 0.5)) {
            schedule(cal, w, i, des_now(cal) + (des_time)des_uniform_u32(&w->st, 8));
        } else {
            des_slot_set(cal, it->slot, DES_NEVER);
            it->waits = 0;
        }
    }
    if (!earliest(w))
        schedule(cal, w, des_uniform_u32(&w->st, ITEMS), des_now(cal) + 1);
}

static void agrees_with_a_searched_list(void **state)
{
    struct des_calendar *cal = des_calendar_new();
    static struct world w;

    (void)state;
    des_stream_init(&w.st, 1, "world");
    for (uint32_t i = 0; i < ITEMS; i++) {
        if (i < 20) {
            w.item[i].priority = (uint8_t)(i % 3);
            des_slot_new(cal, (struct des_action){live, &w, i, w.item[i].priority},
                         &w.item[i].slot);
        }
        schedule(cal, &w, i, (des_time)des_uniform_u32(&w.st, 8));
    }
    assert_int_equal(des_run(cal, DES_NEVER), DES_OK);
    assert_null(earliest(&w));
    assert_true(w.runs >= 20000);
    des_calendar_free(cal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_time_priority_sequence),
        cmocka_unit_test(slot_set_anew_takes_a_new_number),
        cmocka_unit_test(ticket_keeps_the_place),
        cmocka_unit_test(newcomer_does_not_overtake),
        cmocka_unit_test(stale_handles_cancel_nothing),
        cmocka_unit_test(timeouts),
        cmocka_unit_test(past_sticks),
        cmocka_unit_test(never_is_nothing),
        cmocka_unit_test(stop_and_go_on),
        cmocka_unit_test(slots_repeat_move_and_clear),
        cmocka_unit_test(slot_frees_itself),
        cmocka_unit_test(keys_are_a_strict_weak_order),
        cmocka_unit_test(agrees_with_a_searched_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
