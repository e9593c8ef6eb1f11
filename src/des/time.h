/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_TIME_H
#define DES_TIME_H

#include <stdint.h>

/* Simulated time: whole nanoseconds since the start of a run. Integers make ties exact and keep a
   nanosecond a nanosecond after years (a double of seconds has lost it after 104 days); the range
   is 292 years. Sums saturate at DES_NEVER, so "now + something huge" is never, not the past. */
typedef int64_t des_time;

#define DES_NEVER INT64_MAX

#define DES_NS ((des_time)1)
#define DES_US ((des_time)1000)
#define DES_MS ((des_time)1000000)
#define DES_S ((des_time)1000000000)
#define DES_MINUTE (60 * DES_S)
#define DES_HOUR (3600 * DES_S)
#define DES_DAY (86400 * DES_S)

/* |at| + |after| for after >= 0, at most DES_NEVER. */
static inline des_time des_time_add(des_time at, des_time after)
{
    return after > DES_NEVER - at ? DES_NEVER : at + after;
}

/* Nearest nanosecond of a non-negative span given in nanoseconds as a double; DES_NEVER from
   2^63 ns on; 0 for negative spans and NaN. */
static inline des_time des_time_from_ns(double ns)
{
    if (ns < 9.2e18)
        return ns > 0 ? (des_time)(ns + 0.5) : 0;
    return ns >= 9.2e18 ? DES_NEVER : 0;
}

/* The same for seconds. */
static inline des_time des_time_from_s(double s)
{
    return des_time_from_ns(s * 1e9);
}

static inline double des_time_to_s(des_time t)
{
    return (double)t / 1e9;
}

#endif
