/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_CALENDAR_H
#define DES_CALENDAR_H

#include <stddef.h>
#include <stdint.h>

#include "des/error.h"
#include "des/time.h"

/* The clock and the list of what is to come.

   Order of events, always and for both kinds below: earlier time first; at one time the smaller
   priority; at one priority the one that was scheduled first (each scheduling, also of a slot,
   takes the next number of one sequence). No two events are ever equal, so a run doesn't depend
   on how the list is kept. An event scheduled for the present by a running one takes its place in
   this order among those still to run. To schedule, move or cancel costs log2(events that wait).

   Two kinds:
   - an event runs once (des_at); its handle is checked, so a stale one cancels nothing;
   - a slot belongs to an entity that has at most one next thing to do (a server's next completion,
     a stream's next arrival, a chore): set, moved and cleared as often as wanted, never out of
     memory, and cheaper than an event.

   Failures stick: when memory is out, or something is scheduled before the present, des_run ends
   with that error. Handlers therefore needn't look at each result.

       struct des_calendar *cal = des_calendar_new();
       des_at(cal, 5 * DES_MS, (struct des_action){.run = flush_done, .self = region});
       status = des_run(cal, 2 * DES_HOUR);

   Not for use by two threads at once; different calendars share nothing. */
struct des_calendar;

/* Called at the event's time, des_now(cal). May schedule, cancel, set slots and stop; may not run
   the calendar again or free it. */
typedef void des_handler(struct des_calendar *cal, void *self, uint64_t arg);

/* What happens at an event. |self| stays owned by the caller and must live until the event has run
   or was cancelled. */
struct des_action {
    des_handler *run;
    void *self;
    uint64_t arg;
    uint8_t priority; /* smaller first among events of one time */
};

/* Handle of a scheduled event. A zeroed one names no event. |order| is never given out twice, so a
   handle kept for too long can't meet another event. */
struct des_event {
    uint64_t order;
    uint32_t leaf;
};

/* An empty calendar at time 0. NULL when memory is out. des_calendar_free(NULL) does nothing. */
struct des_calendar *des_calendar_new(void);
void des_calendar_free(struct des_calendar *cal);

/* Present time: that of the running event, or where the last des_run ended. The clock is the
   calendar's first member, so that to read it costs no call. */
static inline des_time des_now(const struct des_calendar *cal)
{
    return *(const des_time *)cal;
}

/* Schedules |action| for |at|. A zeroed handle for DES_NEVER (nothing to do), and after a failure:
   at < now (DES_PAST), no memory. */
struct des_event des_at(struct des_calendar *cal, des_time at, struct des_action action);

/* The same, |delay| >= 0 after the present. */
struct des_event des_after(struct des_calendar *cal, des_time delay, struct des_action action);

/* Takes the event out: DES_OK, or DES_STALE where it has begun to run, was cancelled already or
   the handle is zeroed. */
int des_cancel(struct des_calendar *cal, struct des_event event);

/* Time of a pending event; DES_NEVER for a stale handle. */
des_time des_event_time(const struct des_calendar *cal, struct des_event event);

/* A new slot, unset. DES_NO_MEMORY (which sticks) otherwise. */
int des_slot_new(struct des_calendar *cal, struct des_action action, uint32_t *slot);

/* Frees the slot, set or not, once; its number may be given out again. */
void des_slot_free(struct des_calendar *cal, uint32_t slot);

/* The slot's next time, instead of the one it had; takes a new number of the sequence.
   DES_NEVER unsets it. Before its handler is called a slot is unset. */
void des_slot_set(struct des_calendar *cal, uint32_t slot, des_time at);

/* Takes a number of the sequence now, for a slot that is set to it later: the event then comes where it
   would have come had it been scheduled now. For those who keep a first-in-first-out list of events of
   their own and have only its head in the calendar. */
uint64_t des_ticket(struct des_calendar *cal);

/* des_slot_set with a number that des_ticket gave out; |at| isn't DES_NEVER. */
void des_slot_set_ticket(struct des_calendar *cal, uint32_t slot, des_time at, uint64_t ticket);

/* DES_NEVER where unset. */
des_time des_slot_time(const struct des_calendar *cal, uint32_t slot);

/* Runs all events up to and including those at |until|, then sets the clock to |until|.
   DES_OK, a failure that stuck, or what des_stop was given; in the last two cases the clock stays
   at the last event. |until| isn't negative. With until = DES_NEVER it runs until nothing is left and leaves the clock there. */
int des_run(struct des_calendar *cal, des_time until);

/* Ends des_run after the running handler; |status| (not 0) is what des_run returns. The calendar
   can be run on afterwards. */
void des_stop(struct des_calendar *cal, int status);

/* Time of the next event, DES_NEVER if there is none. */
des_time des_next_time(struct des_calendar *cal);

/* Events and set slots that wait; looks at each. */
size_t des_pending(const struct des_calendar *cal);

/* Events run so far: a measure of cost that doesn't depend on the machine. */
uint64_t des_events_run(const struct des_calendar *cal);

#endif
