/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_HISTOGRAM_H
#define DES_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "des/error.h"

/* How a non-negative integer quantity (latency in ns, bytes, rows) is spread: buckets of equal
   width within each power of two, so that a quantile is known within a fraction of itself. Count,
   sum, minimum and maximum are exact. Below 2^precision each value has a bucket of its own.

   Memory is fixed at init: 8 bytes x 2^precision x (log2(most) - precision + 2) at the most,
   36 KiB for precision 7 and latencies up to an hour in ns. */
struct des_histogram {
    uint64_t *counts; /* buckets */
    uint32_t buckets;
    uint32_t precision;
    uint64_t most;  /* largest value with a bucket */
    uint64_t above; /* records beyond it */
    uint64_t count;
    uint64_t min, max; /* UINT64_MAX and 0 while count is 0 */
    uint64_t sum_lo, sum_hi; /* exact sum, 128 bits */
};

/* |precision| 1 to 14: a quantile is off by at most 2^-(precision + 1) of itself (0.4 % for 7).
   Larger values than |most| are counted, summed and seen in max, but have no bucket: a quantile
   among them is given as max. DES_DOMAIN, DES_NO_MEMORY. */
int des_histogram_init(struct des_histogram *h, unsigned precision, uint64_t most);

/* A zeroed histogram may be freed too. */
void des_histogram_free(struct des_histogram *h);

/* Empties it, keeping its memory. */
void des_histogram_clear(struct des_histogram *h);

static inline unsigned des_log2_u64(uint64_t v)
{
#if defined(__GNUC__)
    return 63u - (unsigned)__builtin_clzll(v);
#else
    unsigned n = 0;

    while (v >>= 1)
        n++;
    return n;
#endif
}

/* Index of the bucket of |value|: value itself where it is small, else the power of two and the
   next |precision| bits. */
static inline size_t des_histogram_bucket(const struct des_histogram *h, uint64_t value)
{
    const unsigned p = h->precision;
    const unsigned shift = des_log2_u64(value | ((uint64_t)1 << p)) - p;

    return ((size_t)shift << p) + (size_t)(value >> shift);
}

static inline void des_histogram_record(struct des_histogram *h, uint64_t value)
{
    h->min = value < h->min ? value : h->min;
    h->max = value > h->max ? value : h->max;
    h->count++;
    h->sum_lo += value;
    h->sum_hi += h->sum_lo < value;
    if (value <= h->most)
        h->counts[des_histogram_bucket(h, value)]++;
    else
        h->above++;
}

/* |n| records of |value| at once; n = 0 records nothing. */
void des_histogram_record_n(struct des_histogram *h, uint64_t value, uint64_t n);

/* As if all records of |other| had been made in |h|. DES_MISMATCH unless precision and most are
   equal. */
int des_histogram_merge(struct des_histogram *h, const struct des_histogram *other);

/* A value that the record of rank ceil(q x count) (at least the first) is within the precision
   of, never outside min ... max. q = 0 is exactly min, q = 1 exactly max. DES_TOO_FEW while
   empty, DES_DOMAIN for q outside 0 ... 1 or NaN. */
int des_histogram_quantile(const struct des_histogram *h, double q, uint64_t *value);

/* Sum rounded once to a double; 0 while empty. */
double des_histogram_sum(const struct des_histogram *h);

/* From the exact sum; DES_TOO_FEW while empty. */
int des_histogram_mean(const struct des_histogram *h, double *mean);

/* Records of values up to |value|, its whole bucket counted in. */
uint64_t des_histogram_count_up_to(const struct des_histogram *h, uint64_t value);

/* Smallest and largest value of bucket |i| < buckets, for those who draw it. */
void des_histogram_bounds(const struct des_histogram *h, size_t i, uint64_t *least, uint64_t *most);

#endif
