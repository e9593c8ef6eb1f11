/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_DRAW_H
#define HBASE_BALANCE_DRAW_H

#include <stddef.h>
#include <stdint.h>

/* Where assignment and the balancers get their random numbers: any generator of uniform 64-bit
   words. The room holds no generator of its own, so that the caller's streams decide what is
   reproducible. HBase uses ThreadLocalRandom, which takes no seed. */
struct balance_draw {
    uint64_t (*next)(void *state); /* a uniform 64-bit word */
    void *state;                   /* handed to |next|, owned by the caller */
};

/* Uniform integer in [0, n), n >= 1. One word: the upper part of a 32 x 64 bit product,
   whose bias is below n / 2^64. */
static inline uint32_t balance_draw_below(const struct balance_draw *d, uint32_t n)
{
    uint64_t word = d->next(d->state);
    uint64_t low = (word & 0xffffffffu) * n;
    return (uint32_t)(((word >> 32) * n + (low >> 32)) >> 32);
}

/* Uniform double in [0, 1) with 53 random bits. */
static inline double balance_draw_unit(const struct balance_draw *d)
{
    return (double)(d->next(d->state) >> 11) * 0x1p-53;
}

/* Fisher-Yates shuffle of |n| values. */
void balance_draw_shuffle(const struct balance_draw *d, uint32_t *values, size_t n);

#endif
