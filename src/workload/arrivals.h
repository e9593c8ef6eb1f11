/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a stream before they have keys: row i = 0, 1, 2, ... of the stream arrives at a fixed
   time and reports of one entity. Both are functions of i alone (the draws are made from a counter),
   so two runs that treat rows in another order, or with another N, still see the same rows: common
   random numbers without any care taken. Read-only after arrivals_init; free with arrivals_free. */
#ifndef WORKLOAD_ARRIVALS_H
#define WORKLOAD_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "des/time.h"
#include "spec/spec.h"

struct arrivals {
    uint64_t num, den;          /* row i arrives at floor(i x num / den) ns */
    uint64_t entities;
    enum spec_popularity popularity;
    bool in_turn;               /* uniform with `every`: entity i mod entities, evenly phased */
    uint64_t key;               /* of the counter-based draws */
    uint64_t hot_entities;
    uint64_t hot_below;         /* a draw below this is a hot one */
    uint32_t *alias;            /* zipf: Walker's alias method, entities values each */
    uint32_t *alias_below;
    int64_t start_ms;
    uint64_t rows_max;          /* rows that there are at all: a key file's, or up to a stream's end; else UINT64_MAX */
    des_time begin;             /* of a stream that begins later than the run */
    struct arrivals_shape *shape; /* owned; NULL = rows at even distances from the run's begin on */
    uint64_t late_below;        /* a draw below this is late */
    uint64_t late_key;
    uint64_t late_ms;
};

enum { ARRIVALS_NO_MEMORY = -1, ARRIVALS_BAD_RATE = -2 };

/* |seed| is the scenario's; the stream's name makes the draws its own. Rows come at even distances until
   arrivals_shape_to lays Poisson gaps, the day's curve, bursts, growth, and the stream's own begin and
   end over them, up to |horizon|; beyond it they go on at the last rate. */
int arrivals_init(struct arrivals *a, const struct spec_stream *stream, uint64_t seed);
int arrivals_shape_to(struct arrivals *a, const struct spec_stream *stream, uint64_t seed, des_time horizon);
des_time arrivals_time_shaped(const struct arrivals *a, uint64_t i);

/* Where a caller is who asks row after row: the Poisson times of so many rows are found together, and the curve's piece
   is the last one or the next. The caller's own, for one struct arrivals; all zeros: nothing yet. */
#define ARRIVALS_TOGETHER 64
struct arrivals_cursor {
    bool known;
    uint64_t first;             /* row whose time is even[0] */
    size_t piece;
    double even[ARRIVALS_TOGETHER];
};

/* The same as arrivals_time. |a| has a shape. */
des_time arrivals_time_on(const struct arrivals *a, struct arrivals_cursor *at, uint64_t i);
/* Whether gaps are random, so that nothing but row after row tells how many come in a short time. */
bool arrivals_gaps_random(const struct arrivals *a);
/* Rows per second about |t|. */
double arrivals_rate(const struct arrivals *a, des_time t);
void arrivals_free(struct arrivals *a);

/* Arrival of row |i| after the run's begin. */
static inline des_time arrivals_time(const struct arrivals *a, uint64_t i)
{
    if (a->shape)
        return arrivals_time_shaped(a, i);
    if (a->den == 1)
        return (des_time)(i * a->num);
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    return (des_time)((wide)i * a->num / a->den);
#else
    return (des_time)(i / a->den * a->num + i % a->den * a->num / a->den);
#endif
}

/* Rows that arrive before |t|: the first row that doesn't has this index. */
uint64_t arrivals_before(const struct arrivals *a, des_time t);

/* Two well-mixed words of (key, i): splitmix64's finalizer over a Weyl sequence. */
static inline uint64_t arrivals_mix(uint64_t key, uint64_t i)
{
    uint64_t z = key + i * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* How much earlier than its arrival row |i| happened: 0, or up to late_ms for those that are late. */
static inline int64_t arrivals_late_ms(const struct arrivals *a, uint64_t i)
{
    const uint64_t word = arrivals_mix(a->late_key, i);

    return word < a->late_below ? (int64_t)(arrivals_mix(a->late_key, ~i) % (a->late_ms + 1)) : 0;
}

/* Event time of row |i|, which arrives at |at|, in Unix milliseconds. */
static inline int64_t arrivals_event_ms_of(const struct arrivals *a, uint64_t i, des_time at)
{
    const int64_t ms = a->start_ms + at / DES_MS;

    return a->late_below == 0 ? ms : ms - arrivals_late_ms(a, i);
}

static inline int64_t arrivals_event_ms(const struct arrivals *a, uint64_t i)
{
    return arrivals_event_ms_of(a, i, arrivals_time(a, i));
}

/* Entity of row |i| when it must be drawn (arrivals_entity's slow half). */
uint32_t arrivals_draw_entity(const struct arrivals *a, uint64_t i);

/* Entity of row |i|, below |entities|. */
static inline uint32_t arrivals_entity(const struct arrivals *a, uint64_t i)
{
    if (a->in_turn)
        return (uint32_t)(i % a->entities);
    return arrivals_draw_entity(a, i);
}

#endif
