/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/arrivals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "des/stream.h"
#include "workload/arrivals_shape.h"

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;

        a = b;
        b = r;
    }
    return a;
}

/* Walker's alias method for weights 1 / rank^s. Ranks are scattered over the entities by a
   multiplication, so that the popular ones aren't neighbours in an entity-first table. */
static int zipf_tables(struct arrivals *a, double exponent)
{
    const size_t n = a->entities;
    double *p = malloc(n * sizeof *p);
    uint32_t *stack = malloc(n * sizeof *stack);
    uint64_t step = 2654435761u % n;
    double sum = 0;
    size_t small = 0, large = n;
    int rc = ARRIVALS_NO_MEMORY;

    a->alias = malloc(n * sizeof *a->alias);
    a->alias_below = malloc(n * sizeof *a->alias_below);
    if (!p || !stack || !a->alias || !a->alias_below)
        goto out;
    if (step == 0)
        step = 1;
    while (gcd(step, n) != 1)
        step++;
    for (size_t rank = 0; rank < n; rank++) {
        double w = pow((double)rank + 1.0, -exponent);

        p[rank * step % n] = w;
        sum += w;
    }
    for (size_t i = 0; i < n; i++) {
        p[i] *= (double)n / sum;
        if (p[i] < 1)
            stack[small++] = (uint32_t)i;
        else
            stack[--large] = (uint32_t)i;
    }
    while (small > 0 && large < n) {
        uint32_t s = stack[--small], l = stack[large];

        a->alias[s] = l;
        a->alias_below[s] = (uint32_t)(p[s] * 0x1p32 > 4294967295.0 ? 4294967295.0 : p[s] * 0x1p32);
        p[l] -= 1 - p[s];
        if (p[l] < 1) {
            large++;
            stack[small++] = l;
        }
    }
    while (small > 0)
        stack[--large] = stack[--small];
    for (; large < n; large++) {
        a->alias[stack[large]] = stack[large];
        a->alias_below[stack[large]] = UINT32_MAX;
    }
    rc = 0;
out:
    free(p);
    free(stack);
    return rc;
}

int arrivals_init(struct arrivals *a, const struct spec_stream *stream, uint64_t seed)
{
    struct des_stream draws;
    char name[96] = "entities ";
    uint64_t g;

    memset(a, 0, sizeof *a);
    a->entities = stream->entities > 0 ? (uint64_t)stream->entities : 1;
    a->popularity = stream->popularity;
    a->start_ms = stream->start_ms;
    a->rows_max = UINT64_MAX;
    if (a->entities > UINT32_MAX)
        return ARRIVALS_BAD_RATE;
    if (stream->arrival == SPEC_ARRIVAL_EVERY) {
        a->num = (uint64_t)stream->every_ns;
        a->den = a->entities;
        a->in_turn = stream->popularity == SPEC_POPULARITY_UNIFORM;
    } else {
        if (!(stream->rate_per_s > 0) || stream->rate_per_s > 1e12)
            return ARRIVALS_BAD_RATE;
        /* A thousandth of a row a second is kept exactly; slower rates as whole nanoseconds. */
        if (stream->rate_per_s < 1000) {
            a->num = (uint64_t)llround(1e9 / stream->rate_per_s);
            a->den = 1;
        } else {
            a->num = UINT64_C(1000000000000);
            a->den = (uint64_t)llround(stream->rate_per_s * 1000);
        }
    }
    g = gcd(a->num, a->den);
    a->num /= g;
    a->den /= g;
    if (a->num == 0)
        return ARRIVALS_BAD_RATE;
    strncat(name, stream->name ? stream->name : "", sizeof name - strlen(name) - 1);
    des_stream_init(&draws, seed, name);
    a->key = des_u64(&draws);
    a->late_key = arrivals_mix(a->key, UINT64_MAX - 1);
    a->late_ms = (uint64_t)(stream->late_up_to_ns / DES_MS);
    a->late_below = stream->late_share >= 1 ? UINT64_MAX : (uint64_t)(stream->late_share * 0x1p64);
    if (a->popularity == SPEC_POPULARITY_HOT) {
        a->hot_entities = (uint64_t)stream->hot_entities;
        a->hot_below = stream->hot_share >= 1 ? UINT64_MAX : (uint64_t)(stream->hot_share * 0x1p64);
        if (a->hot_entities >= a->entities)
            a->popularity = SPEC_POPULARITY_UNIFORM;
    }
    if (a->popularity == SPEC_POPULARITY_ZIPF && zipf_tables(a, stream->zipf_exponent) != 0) {
        arrivals_free(a);
        return ARRIVALS_NO_MEMORY;
    }
    return 0;
}

void arrivals_free(struct arrivals *a)
{
    free(a->alias);
    free(a->alias_below);
    a->alias = NULL;
    a->alias_below = NULL;
    arrivals_shape_free(a->shape);
    a->shape = NULL;
}

uint64_t arrivals_before(const struct arrivals *a, des_time t)
{
    uint64_t n;

    if (t <= 0)
        return 0;
    if (a->shape)
        return arrivals_before_shaped(a, t);
    n = (uint64_t)((double)t / (double)a->num * (double)a->den);
    while (n > 0 && arrivals_time(a, n - 1) >= t)
        n--;
    while (arrivals_time(a, n) < t)
        n++;
    return n < a->rows_max ? n : a->rows_max;
}

static uint32_t below(uint64_t word, uint64_t n)
{
    return (uint32_t)(((word >> 32) * n) >> 32);
}

uint32_t arrivals_draw_entity(const struct arrivals *a, uint64_t i)
{
    const uint64_t word = arrivals_mix(a->key, 2 * i);
    const uint64_t more = arrivals_mix(a->key, 2 * i + 1);
    uint32_t column;

    switch (a->popularity) {
    case SPEC_POPULARITY_HOT:
        if (word < a->hot_below)
            return below(more, a->hot_entities);
        return (uint32_t)a->hot_entities + below(more, a->entities - a->hot_entities);
    case SPEC_POPULARITY_ZIPF:
        column = below(word, a->entities);
        return (uint32_t)(more >> 32) < a->alias_below[column] ? column : a->alias[column];
    default:
        return below(word, a->entities);
    }
}
