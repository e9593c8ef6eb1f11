/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_STREAM_H
#define DES_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include <gsl/gsl_rng.h>

#include "des/time.h"

/* Named streams of random numbers: one a cause ("arrivals", "placement"), seeded from the
   scenario's seed and the stream's name, so that a draw more in one leaves all others as they
   were. The generator is xoshiro256++ (Blackman and Vigna, ACM TOMS 47(4), 2021), its state filled
   by splitmix64 from a hash of seed and name.

   Hot loops call the inline draws; everything else that gsl can draw is had by

       gsl_rng rng = des_stream_gsl(&stream);
       n = gsl_ran_poisson(&rng, mu);

   which draws from the same state. A stream is a plain value: copying it copies its future. */
struct des_stream {
    uint64_t s[4];
};

void des_stream_init(struct des_stream *st, uint64_t seed, const char *name);

/* Seed of replication |i| of a scenario; i = 0 gives |seed| itself. */
uint64_t des_replication_seed(uint64_t seed, uint64_t i);

/* Ready to use with gsl_rng_alloc too; gsl_rng_set(r, seed) is des_stream_init(seed, "gsl"). */
extern const gsl_rng_type *const des_rng_type;

/* A gsl generator that draws from |st|; |st| stays the caller's and must outlive it. */
static inline gsl_rng des_stream_gsl(struct des_stream *st)
{
    gsl_rng rng = {des_rng_type, st};

    return rng;
}

static inline uint64_t des_rotl(uint64_t x, unsigned k)
{
    return (x << k) | (x >> (64 - k));
}

/* Uniform over all 64-bit numbers. */
static inline uint64_t des_u64(struct des_stream *st)
{
    uint64_t *s = st->s;
    const uint64_t result = des_rotl(s[0] + s[3], 23) + s[0];
    const uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = des_rotl(s[3], 45);
    return result;
}

/* What the next des_u64 will be, without drawing it: two runs that used a stream alike end alike. */
uint64_t des_stream_peek(const struct des_stream *st);

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline double des_uniform(struct des_stream *st)
{
    return (double)(des_u64(st) >> 11) * 0x1p-53;
}

/* Uniform in (0, 1): never 0, so that its logarithm exists. */
static inline double des_uniform_pos(struct des_stream *st)
{
    return ((double)(des_u64(st) >> 12) + 0.5) * 0x1p-52;
}

/* Uniform in 0 ... n - 1, exactly (no bias); 0 for n = 0. */
uint64_t des_uniform_u64(struct des_stream *st, uint64_t n);

/* The same for n below 2^32, inline (Lemire, ACM TOMACS 29(1), 2019). */
static inline uint32_t des_uniform_u32(struct des_stream *st, uint32_t n)
{
    uint64_t m = (des_u64(st) >> 32) * n;

    if ((uint32_t)m < n) {
        const uint32_t least = n ? (uint32_t)-n % n : 0;

        while ((uint32_t)m < least)
            m = (des_u64(st) >> 32) * n;
    }
    return (uint32_t)(m >> 32);
}

/* Layers of the exponential's ziggurat (Marsaglia and Tsang, J. Stat. Software 5(8), 2000). */
struct des_ziggurat_layer {
    uint64_t inside; /* draws of 53 bits below this lie inside the layer */
    double scale;    /* width of the layer / 2^53 */
};
extern const struct des_ziggurat_layer des_ziggurat[256];
double des_exponential_edge(struct des_stream *st, unsigned layer, double x);

/* Exponential with mean 1. */
static inline double des_exponential(struct des_stream *st)
{
    const uint64_t u = des_u64(st);
    const unsigned layer = (unsigned)(u & 255);
    const double x = (double)(int64_t)(u >> 11) * des_ziggurat[layer].scale;

    if ((u >> 11) < des_ziggurat[layer].inside)
        return x;
    return des_exponential_edge(st, layer, x);
}

/* Exponential span with the given mean in ns, to the nearest nanosecond. */
static inline des_time des_exponential_time(struct des_stream *st, double mean_ns)
{
    return des_time_from_ns(mean_ns * des_exponential(st));
}

/* true with probability p: never for p <= 0, always for p >= 1. */
static inline int des_bernoulli(struct des_stream *st, double p)
{
    return des_uniform(st) < p;
}

/* Puts |n| elements of |size| bytes into random order, each order equally likely. */
void des_shuffle(struct des_stream *st, void *base, size_t n, size_t size);

/* Fills |perm| with a random order of 0 ... n - 1. */
void des_permutation(struct des_stream *st, uint32_t *perm, uint32_t n);

#endif
