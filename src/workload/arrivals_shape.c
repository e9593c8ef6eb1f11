/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/arrivals_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "des/stream.h"

#define PIECES 65536
#define PIECE_LEAST DES_MS
#define BLOCKS_MOST (1u << 20)
#define BLOCK_BITS_LEAST 6
_Static_assert(1 << BLOCK_BITS_LEAST == ARRIVALS_TOGETHER, "rows whose times are found together are one block at least");
#define DAY (24 * DES_HOUR)

struct arrivals_shape {
    double gap_ns;              /* mean distance of two rows, at the given rate */
    /* even time <-> time: n pieces of even rate, each with its beginning in both; n + 1 of them */
    double *at, *even;
    size_t n;
    /* Poisson: even times at which blocks of 2^bits rows begin; NULL = at even distances */
    double *block;
    size_t blocks;
    unsigned bits;
    uint64_t key;
};

void arrivals_shape_free(struct arrivals_shape *sh)
{
    if (!sh)
        return;
    free(sh->at);
    free(sh->even);
    free(sh->block);
    free(sh);
}

/* ---- the rate over time ---- */

/* Integral of the day's factor 1 + swing x cos up to |t|; |phase| = time of day at 0. */
static double day_integral(const struct spec_curve *c, double phase, double t)
{
    const double w = 2 * acos(-1.0) / (double)DAY, p = (double)c->day_peak_ns;

    return t + c->day_swing / w * (sin(w * (t + phase - p)) - sin(w * (phase - p)));
}

static double growth_at(const struct spec_curve *c, double t)
{
    double g = 1;

    if (c->growth_factor > 0)
        g += (c->growth_factor - 1) * t / (double)c->growth_in_ns;
    if (c->growth_gain != 0)
        g *= pow(1 + c->growth_gain, t / (double)c->growth_every_ns);
    return fmax(g, 0);
}

/* Share of [lo, hi) that lies in bursts of |b|. */
static double in_bursts(const struct spec_burst *b, double lo, double hi)
{
    const double every = (double)b->every_ns, len = (double)b->for_ns;
    double at[2] = {lo, hi};

    for (int k = 0; k < 2; k++) {
        const double periods = floor(at[k] / every), inside = fmin(at[k] - periods * every, len);

        at[k] = periods < 1 ? 0 : (periods - 1) * len + inside;
    }
    return (at[1] - at[0]) / (hi - lo);
}

/* Mean factor of the rate over [lo, hi) of the stream, whose curve may have begun before. */
static double factor(const struct spec_curve *c, double phase, double lo, double hi)
{
    const double since = (double)c->since_ns;
    double f = (growth_at(c, lo + since) + growth_at(c, hi + since)) / 2;

    if (c->day_swing > 0)
        f *= (day_integral(c, phase, hi) - day_integral(c, phase, lo)) / (hi - lo);
    for (size_t i = 0; i < c->bursts_len; i++)
        f *= 1 + (c->bursts[i].factor - 1) * in_bursts(&c->bursts[i], lo + since, hi + since);
    return f;
}

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Beginnings of the pieces: a grid, and where bursts begin and end. */
static int find_pieces(struct arrivals_shape *sh, const struct spec_curve *c, des_time horizon)
{
    const des_time step = horizon / PIECES + 1 < PIECE_LEAST ? PIECE_LEAST : horizon / PIECES + 1;
    const size_t grid = (size_t)(horizon / step) + 2;
    size_t most = grid, n = 0, kept = 0;

    for (size_t i = 0; i < c->bursts_len; i++)
        most += 2 * (size_t)((horizon + c->since_ns) / c->bursts[i].every_ns + 1);
    sh->at = malloc(most * sizeof *sh->at);
    sh->even = malloc(most * sizeof *sh->even);
    if (!sh->at || !sh->even)
        return ARRIVALS_NO_MEMORY;
    for (size_t k = 0; k < grid; k++)
        sh->at[n++] = (double)k * (double)step;
    for (size_t i = 0; i < c->bursts_len; i++)
        for (des_time k = 1; k <= (horizon + c->since_ns) / c->bursts[i].every_ns; k++) {
            const des_time from = k * c->bursts[i].every_ns - c->since_ns, to = from + c->bursts[i].for_ns;

            if (from > 0)
                sh->at[n++] = (double)from;
            if (to > 0)
                sh->at[n++] = (double)to;
        }
    qsort(sh->at, n, sizeof *sh->at, by_time);
    for (size_t k = 1; k < n; k++)
        if (sh->at[k] > sh->at[kept])
            sh->at[++kept] = sh->at[k];
    sh->n = kept;
    return 0;
}

static int fill_pieces(struct arrivals_shape *sh, const struct spec_stream *st, des_time horizon)
{
    const double phase = fmod((double)st->start_ms * (double)DES_MS + (double)st->from_ns, (double)DAY);

    if (find_pieces(sh, &st->curve, horizon) != 0)
        return ARRIVALS_NO_MEMORY;
    sh->even[0] = 0;
    for (size_t k = 0; k < sh->n; k++)
        sh->even[k + 1] = sh->even[k] + factor(&st->curve, phase, sh->at[k], sh->at[k + 1]) * (sh->at[k + 1] - sh->at[k]);
    return 0;
}

static double piece_slope(const struct arrivals_shape *sh, size_t k)
{
    return (sh->even[k + 1] - sh->even[k]) / (sh->at[k + 1] - sh->at[k]);
}

/* Slope behind the last piece: its own, or the given rate where that is 0. */
static double end_slope(const struct arrivals_shape *sh)
{
    const double s = piece_slope(sh, sh->n - 1);

    return s > 0 ? s : 1;
}

/* The last of |n| beginnings that isn't above |x|. */
static size_t piece_of(const double *begin, size_t n, double x)
{
    size_t lo = 0, hi = n;

    while (hi - lo > 1) {
        const size_t mid = lo + (hi - lo) / 2;

        if (begin[mid] <= x)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static double to_time(const struct arrivals_shape *sh, double even)
{
    size_t k;

    if (!sh->even)
        return even;
    if (even >= sh->even[sh->n])
        return sh->at[sh->n] + (even - sh->even[sh->n]) / end_slope(sh);
    k = piece_of(sh->even, sh->n, even);
    return sh->at[k] + (even - sh->even[k]) / piece_slope(sh, k);
}

static double to_even(const struct arrivals_shape *sh, double t)
{
    size_t k;

    if (!sh->even)
        return t;
    if (t >= sh->at[sh->n])
        return sh->even[sh->n] + (t - sh->at[sh->n]) * end_slope(sh);
    k = piece_of(sh->at, sh->n, t);
    return sh->even[k] + (t - sh->at[k]) * piece_slope(sh, k);
}

/* ---- Poisson gaps ---- */

/* Sum of 2^bits gaps over the mean of one: Gamma(2^bits) by Wilson and Hilferty's cube, good to 1e-4 at 64. */
static double draw_gamma(struct des_stream *draws, double k)
{
    const double u = des_uniform_pos(draws), v = des_uniform(draws);
    const double z = sqrt(-2 * log(u)) * cos(2 * acos(-1.0) * v), c = 1 - 1 / (9 * k) + z / (3 * sqrt(k));

    return k * fmax(c * c * c, 0);
}

static int fill_blocks(struct arrivals_shape *sh, const struct spec_stream *st, uint64_t seed, double even_end)
{
    const double rows = even_end / sh->gap_ns;
    struct des_stream draws;
    char name[96] = "gaps ";

    strncat(name, st->name ? st->name : "", sizeof name - strlen(name) - 1);
    des_stream_init(&draws, seed, name);
    sh->key = des_u64(&draws);
    sh->bits = BLOCK_BITS_LEAST;
    while (sh->bits < 40 && ldexp(rows, -(int)sh->bits) * 1.01 + 16 > BLOCKS_MOST)
        sh->bits++;
    sh->blocks = (size_t)(ldexp(rows, -(int)sh->bits) * 1.01) + 16;
    sh->block = malloc((sh->blocks + 1) * sizeof *sh->block);
    if (!sh->block)
        return ARRIVALS_NO_MEMORY;
    sh->block[0] = des_exponential(&draws) * sh->gap_ns;
    for (size_t b = 0; b < sh->blocks; b++)
        sh->block[b + 1] = sh->block[b] + draw_gamma(&draws, ldexp(1, (int)sh->bits)) * sh->gap_ns;
    return 0;
}

static double quarter(uint64_t word, int k)
{
    return (double)(word >> (16 * k) & 0xffff) / 65536.0;
}

/* Where the middle one of 2 x |half| gaps' rows lies between the first and the last: Beta(half, half). */
static double middle(uint64_t word, uint64_t half)
{
    double a = quarter(word, 0), b = quarter(word, 1), c = quarter(word, 2), sum;

    if (half == 1)
        return (double)(word >> 11) * 0x1p-53;
    if (half == 2)
        return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
    /* By its mean and variance; the sum of four uniforms has its light tails. */
    sum = (a + b + c + quarter(word, 3) - 2) * sqrt(3.0);
    a = 0.5 + sum / (2 * sqrt(2 * (double)half + 1));
    return a < 0 ? 0 : a > 1 ? 1 : a;
}

/* A node of block |b|'s tree of halvings: the stretch of even time that its rows have, the wanted one's place among
   them, and half of their number. */
struct halving {
    uint64_t b, node, j, half;
    double lo, hi;
};

static struct halving whole_block(const struct arrivals_shape *sh, uint64_t i)
{
    const uint64_t b = i >> sh->bits, rows = UINT64_C(1) << sh->bits;

    return (struct halving){b, 1, i & (rows - 1), rows / 2, sh->block[b], sh->block[b + 1]};
}

static void descend(const struct arrivals_shape *sh, struct halving *at)
{
    const double mid = at->lo + middle(arrivals_mix(sh->key + at->b, at->node), at->half) * (at->hi - at->lo);

    at->node *= 2;
    if (at->j < at->half) {
        at->hi = mid;
    } else {
        at->lo = mid;
        at->j -= at->half;
        at->node++;
    }
    at->half /= 2;
}

/* Even time of row |i| of the Poisson process. */
static double poisson_time(const struct arrivals_shape *sh, uint64_t i)
{
    const uint64_t b = i >> sh->bits;
    struct halving at;

    if (b >= sh->blocks)
        return sh->block[sh->blocks] + (double)(i - ((uint64_t)sh->blocks << sh->bits)) * sh->gap_ns;
    at = whole_block(sh, i);
    while (at.j > 0)
        descend(sh, &at);
    return at.lo;
}

/* Even times of the ARRIVALS_TOGETHER rows that |i| is among: what poisson_time finds for each, node by node. */
static void poisson_times(const struct arrivals_shape *sh, uint64_t i, double *even)
{
    struct halving at = whole_block(sh, i);

    while (at.half >= ARRIVALS_TOGETHER)
        descend(sh, &at);
    even[0] = at.lo;
    for (uint64_t half = at.half, node = at.node; half > 0; half /= 2, node *= 2) {
        for (uint64_t k = 0; k < ARRIVALS_TOGETHER; k += 2 * half) {
            const double from = even[k], to = k + 2 * half < ARRIVALS_TOGETHER ? even[k + 2 * half] : at.hi;

            even[k + half] = from + middle(arrivals_mix(sh->key + at.b, node + k / (2 * half)), half) * (to - from);
        }
    }
}

/* Rows whose Poisson time lies before |even|, or nearly. */
static uint64_t poisson_before(const struct arrivals_shape *sh, double even)
{
    size_t lo = 0, hi = sh->blocks;
    uint64_t n, step;

    if (even <= sh->block[0])
        return 0;
    if (even > sh->block[sh->blocks])
        return ((uint64_t)sh->blocks << sh->bits) + (uint64_t)((even - sh->block[sh->blocks]) / sh->gap_ns);
    while (hi - lo > 1) {
        const size_t mid = lo + (hi - lo) / 2;

        if (sh->block[mid] < even)
            lo = mid;
        else
            hi = mid;
    }
    n = (uint64_t)lo << sh->bits;
    for (step = (UINT64_C(1) << sh->bits) / 2; step > 0; step /= 2)
        if (poisson_time(sh, n + step) < even)
            n += step;
    return n;
}

/* ---- both ---- */

int arrivals_shape_to(struct arrivals *a, const struct spec_stream *st, uint64_t seed, des_time horizon)
{
    const bool poisson = st->arrival == SPEC_ARRIVAL_POISSON, uneven = spec_stream_is_uneven(st);
    const des_time length = horizon > st->from_ns ? horizon - st->from_ns : DES_S;
    struct arrivals_shape *sh;
    int rc = 0;

    if (!poisson && !uneven && st->from_ns == 0 && st->until_ns == 0)
        return 0;
    sh = calloc(1, sizeof *sh);
    if (!sh)
        return ARRIVALS_NO_MEMORY;
    sh->gap_ns = (double)a->num / (double)a->den;
    if (uneven)
        rc = fill_pieces(sh, st, length);
    if (rc == 0 && poisson)
        rc = fill_blocks(sh, st, seed, to_even(sh, (double)length));
    if (rc != 0) {
        arrivals_shape_free(sh);
        return rc;
    }
    a->shape = sh;
    a->begin = st->from_ns;
    if (st->until_ns > 0) {
        const uint64_t rows = arrivals_before(a, st->until_ns);

        a->rows_max = rows < a->rows_max ? rows : a->rows_max;
    }
    return 0;
}

static double even_time(const struct arrivals *a, uint64_t i)
{
    return a->shape->block ? poisson_time(a->shape, i) : (double)i * a->shape->gap_ns;
}

des_time arrivals_time_shaped(const struct arrivals *a, uint64_t i)
{
    return a->begin + (des_time)to_time(a->shape, even_time(a, i));
}

bool arrivals_gaps_random(const struct arrivals *a)
{
    return a->shape && a->shape->block;
}

/* to_time from the piece that the cursor is in, or the next. */
static double to_time_on(const struct arrivals_shape *sh, struct arrivals_cursor *at, double even)
{
    size_t k = at->piece;

    if (!sh->even)
        return even;
    if (even >= sh->even[sh->n])
        return sh->at[sh->n] + (even - sh->even[sh->n]) / end_slope(sh);
    if (!(sh->even[k] <= even))
        k = piece_of(sh->even, sh->n, even);
    else if (even >= sh->even[k + 1])
        k = k + 2 <= sh->n && even < sh->even[k + 2] ? k + 1 : piece_of(sh->even, sh->n, even);
    at->piece = k;
    return sh->at[k] + (even - sh->even[k]) / piece_slope(sh, k);
}

des_time arrivals_time_on(const struct arrivals *a, struct arrivals_cursor *at, uint64_t i)
{
    const struct arrivals_shape *sh = a->shape;
    const uint64_t first = i / ARRIVALS_TOGETHER * ARRIVALS_TOGETHER;

    if (!sh->block || i >> sh->bits >= sh->blocks)
        return a->begin + (des_time)to_time_on(sh, at, even_time(a, i));
    if (!at->known || at->first != first) {
        poisson_times(sh, i, at->even);
        at->known = true;
        at->first = first;
    }
    return a->begin + (des_time)to_time_on(sh, at, at->even[i - first]);
}

uint64_t arrivals_before_shaped(const struct arrivals *a, des_time t)
{
    const struct arrivals_shape *sh = a->shape;
    double even;
    uint64_t n;

    if (t <= a->begin)
        return 0;
    even = to_even(sh, (double)(t - a->begin));
    n = sh->block ? poisson_before(sh, even) : (uint64_t)(even / sh->gap_ns);
    while (n > 0 && arrivals_time_shaped(a, n - 1) >= t)
        n--;
    while (arrivals_time_shaped(a, n) < t)
        n++;
    return n < a->rows_max ? n : a->rows_max;
}

double arrivals_rate(const struct arrivals *a, des_time t)
{
    const double given = (double)DES_S * (double)a->den / (double)a->num;

    if (!a->shape)
        return given;
    if (t < a->begin || (a->rows_max != UINT64_MAX && arrivals_before(a, t) >= a->rows_max))
        return 0;
    if (!a->shape->even)
        return given;
    if ((double)(t - a->begin) >= a->shape->at[a->shape->n])
        return given * end_slope(a->shape);
    return given * piece_slope(a->shape, piece_of(a->shape->at, a->shape->n, (double)(t - a->begin)));
}
