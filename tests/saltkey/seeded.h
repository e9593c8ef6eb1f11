/* SPDX-License-Identifier: GPL-3.0-or-later */
/* splitmix64: seeded cases for property tests. */
#ifndef TESTS_SALTKEY_SEEDED_H
#define TESTS_SALTKEY_SEEDED_H

#include <stddef.h>
#include <stdint.h>

struct seeded {
    uint64_t state;
};

static inline uint64_t seeded_next(struct seeded *s)
{
    uint64_t z = (s->state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 0 .. n - 1 */
static inline uint64_t seeded_below(struct seeded *s, uint64_t n)
{
    return seeded_next(s) % n;
}

static inline void seeded_fill(struct seeded *s, uint8_t *bytes, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++)
        bytes[i] = (uint8_t)(seeded_next(s) >> 40);
}

#endif
