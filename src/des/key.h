/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_KEY_H
#define DES_KEY_H

#include <stdint.h>

#include "des/time.h"

/* Place of an event in the order of events (des/calendar.h): time, then priority, then the number
   it was scheduled under. Two unsigned words (no time is negative), compared as one of 128 bits,
   so that a comparison needs no branch. For the calendar and its tests only. */
struct des_key {
    uint64_t at;
    uint64_t order; /* priority << 56 | number, numbers from 1 */
};

#define DES_SEQUENCE_BITS 56 /* 22 years at 1e8 schedulings a second */

static inline struct des_key des_key_make(des_time at, uint8_t priority, uint64_t sequence)
{
    struct des_key key = {(uint64_t)at, (uint64_t)priority << DES_SEQUENCE_BITS | sequence};

    return key;
}

/* After every event that can be: stands where there is none. */
static inline struct des_key des_key_never(void)
{
    struct des_key key = {(uint64_t)DES_NEVER, UINT64_MAX};

    return key;
}

/* 1 where |a| comes first, else 0: a strict weak order, total over distinct keys. At equal times
   the sum is one more than a.at exactly where the order decides for |a|; it can't overflow. */
static inline uint64_t des_key_before(struct des_key a, struct des_key b)
{
    return a.at < b.at + (a.order < b.order);
}

/* A key and the leaf it belongs to. */
struct des_entry {
    struct des_key key;
    uint32_t who;
};

/* The earlier of two, by conditional moves and not by a branch: which it is can't be predicted. */
static inline struct des_entry des_entry_first(struct des_entry a, struct des_entry b)
{
    const uint64_t second = des_key_before(b.key, a.key);

    a.key.at = second ? b.key.at : a.key.at;
    a.key.order = second ? b.key.order : a.key.order;
    a.who = second ? b.who : a.who;
    return a;
}

#endif
