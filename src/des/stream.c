/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des/stream.h"

#include <math.h>
#include <string.h>

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014): its finisher, and one step. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t splitmix(uint64_t *state)
{
    return mix(*state += 0x9e3779b97f4a7c15u);
}

void des_stream_init(struct des_stream *st, uint64_t seed, const char *name)
{
    uint64_t h = splitmix(&seed);

    /* FNV-1a over the name, with the mixed seed for its offset basis. */
    for (const char *p = name; *p; p++)
        h = (h ^ (unsigned char)*p) * 0x100000001b3u;
    for (int i = 0; i < 4; i++)
        st->s[i] = splitmix(&h);
}

uint64_t des_replication_seed(uint64_t seed, uint64_t i)
{
    return i == 0 ? seed : mix(seed ^ mix(i * 0x9e3779b97f4a7c15u));
}

uint64_t des_stream_peek(const struct des_stream *st)
{
    struct des_stream copy = *st;

    return des_u64(&copy);
}

uint64_t des_uniform_u64(struct des_stream *st, uint64_t n)
{
    uint64_t x, least;

    if (n <= UINT32_MAX)
        return des_uniform_u32(st, (uint32_t)n);
    /* The numbers from 2^64 mod n on are a multiple of n. */
    least = (0 - n) % n;
    do
        x = des_u64(st);
    while (x < least);
    return x % n;
}

/* Right end of a layer: 255's is where the tail begins, layer 1 begins at 0. */
static double layer_end(unsigned layer)
{
    return des_ziggurat[layer].scale * 0x1p53;
}

double des_exponential_edge(struct des_stream *st, unsigned layer, double x)
{
    double low, high;

    if (layer == 0)
        return layer_end(255) + des_exponential(st); /* the tail is an exponential again */
    low = exp(-layer_end(layer));
    high = layer == 1 ? 1.0 : exp(-layer_end(layer - 1));
    if (low + des_uniform(st) * (high - low) < exp(-x))
        return x;
    return des_exponential(st);
}

static void swap_bytes(unsigned char *a, unsigned char *b, size_t size)
{
    unsigned char tmp[64];

    while (size) {
        const size_t n = size < sizeof tmp ? size : sizeof tmp;

        memcpy(tmp, a, n);
        memcpy(a, b, n);
        memcpy(b, tmp, n);
        a += n;
        b += n;
        size -= n;
    }
}

void des_shuffle(struct des_stream *st, void *base, size_t n, size_t size)
{
    unsigned char *p = base;

    for (size_t i = n; i > 1; i--) {
        const size_t j = (size_t)des_uniform_u64(st, i);

        if (j != i - 1)
            swap_bytes(p + j * size, p + (i - 1) * size, size);
    }
}

void des_permutation(struct des_stream *st, uint32_t *perm, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = des_uniform_u32(st, i + 1);

        perm[i] = perm[j];
        perm[j] = i;
    }
}

static void rng_set(void *state, unsigned long seed)
{
    des_stream_init(state, seed, "gsl");
}

static unsigned long rng_get(void *state)
{
    return (unsigned long)(des_u64(state) >> (64 - 8 * sizeof(unsigned long)));
}

static double rng_get_double(void *state)
{
    return des_uniform(state);
}

static const gsl_rng_type rng_type = {
    "des-xoshiro256++", (unsigned long)-1, 0, sizeof(struct des_stream),
    rng_set, rng_get, rng_get_double,
};

const gsl_rng_type *const des_rng_type = &rng_type;
