/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des/histogram.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int des_histogram_init(struct des_histogram *h, unsigned precision, uint64_t most)
{
    struct des_histogram fresh = {.precision = precision, .most = most, .min = UINT64_MAX};

    if (precision < 1 || precision > 14)
        return DES_DOMAIN;
    fresh.buckets = (uint32_t)des_histogram_bucket(&fresh, most) + 1;
    fresh.counts = calloc(fresh.buckets, sizeof *fresh.counts);
    if (!fresh.counts)
        return DES_NO_MEMORY;
    *h = fresh;
    return DES_OK;
}

void des_histogram_free(struct des_histogram *h)
{
    free(h->counts);
    *h = (struct des_histogram){0};
}

void des_histogram_clear(struct des_histogram *h)
{
    memset(h->counts, 0, h->buckets * sizeof *h->counts);
    h->above = h->count = h->max = h->sum_lo = h->sum_hi = 0;
    h->min = UINT64_MAX;
}

static void add_sum(struct des_histogram *h, uint64_t hi, uint64_t lo)
{
    h->sum_lo += lo;
    h->sum_hi += hi + (h->sum_lo < lo);
}

/* Adds a x b to the sum, by halves of 32 bits. */
static void add_product(struct des_histogram *h, uint64_t a, uint64_t b)
{
    const uint64_t a0 = a & UINT32_MAX, a1 = a >> 32;
    const uint64_t b0 = b & UINT32_MAX, b1 = b >> 32;

    add_sum(h, 0, a0 * b0);
    add_sum(h, (a0 * b1) >> 32, (a0 * b1) << 32);
    add_sum(h, (a1 * b0) >> 32, (a1 * b0) << 32);
    add_sum(h, a1 * b1, 0);
}

void des_histogram_record_n(struct des_histogram *h, uint64_t value, uint64_t n)
{
    if (n <= 1) {
        if (n == 1)
            des_histogram_record(h, value);
        return;
    }
    h->min = value < h->min ? value : h->min;
    h->max = value > h->max ? value : h->max;
    h->count += n;
    add_product(h, value, n);
    if (value <= h->most)
        h->counts[des_histogram_bucket(h, value)] += n;
    else
        h->above += n;
}

int des_histogram_merge(struct des_histogram *h, const struct des_histogram *other)
{
    if (h->precision != other->precision || h->most != other->most)
        return DES_MISMATCH;
    h->min = other->min < h->min ? other->min : h->min;
    h->max = other->max > h->max ? other->max : h->max;
    h->count += other->count;
    h->above += other->above;
    add_sum(h, other->sum_hi, other->sum_lo);
    for (size_t i = 0; i < h->buckets; i++)
        h->counts[i] += other->counts[i];
    return DES_OK;
}

void des_histogram_bounds(const struct des_histogram *h, size_t i, uint64_t *least, uint64_t *most)
{
    const unsigned p = h->precision;
    const unsigned power = (unsigned)(i >> p);
    const unsigned shift = power > 1 ? power - 1 : 0;
    const uint64_t from = ((uint64_t)i - ((uint64_t)shift << p)) << shift;

    *least = from;
    *most = from + (((uint64_t)1 << shift) - 1);
}

/* Rank ceil(q x count), from 1 on. The product of an exact 7 % and 100 is a little above 7 in
   doubles: such a rounding must not cost a rank. */
static uint64_t rank_of(double q, uint64_t count)
{
    const double rank = ceil(q * (double)count * (1 - 4 * DBL_EPSILON));

    if (rank < 1)
        return 1;
    return rank >= (double)count ? count : (uint64_t)rank;
}

/* The middle of bucket |i|, within min ... max. */
static uint64_t middle(const struct des_histogram *h, size_t i)
{
    uint64_t least, most, value;

    des_histogram_bounds(h, i, &least, &most);
    value = least + (most - least) / 2;
    if (value < h->min)
        return h->min;
    return value > h->max ? h->max : value;
}

int des_histogram_quantile(const struct des_histogram *h, double q, uint64_t *value)
{
    uint64_t rank, seen = 0;

    if (!(q >= 0 && q <= 1))
        return DES_DOMAIN;
    if (h->count == 0)
        return DES_TOO_FEW;
    rank = rank_of(q, h->count);
    if (rank == 1 || rank == h->count || rank > h->count - h->above) {
        *value = rank == 1 ? h->min : h->max;
        return DES_OK;
    }
    for (size_t i = 0; i < h->buckets; i++) {
        seen += h->counts[i];
        if (seen >= rank) {
            *value = middle(h, i);
            break;
        }
    }
    return DES_OK;
}

double des_histogram_sum(const struct des_histogram *h)
{
    return (double)h->sum_hi * 0x1p64 + (double)h->sum_lo;
}

int des_histogram_mean(const struct des_histogram *h, double *mean)
{
    if (h->count == 0)
        return DES_TOO_FEW;
    *mean = des_histogram_sum(h) / (double)h->count;
    return DES_OK;
}

uint64_t des_histogram_count_up_to(const struct des_histogram *h, uint64_t value)
{
    uint64_t seen = 0;

    if (h->count == 0 || value >= h->max)
        return h->count;
    if (value > h->most)
        return h->count - h->above;
    for (size_t i = 0; i <= des_histogram_bucket(h, value); i++)
        seen += h->counts[i];
    return seen;
}
