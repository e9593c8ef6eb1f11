/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des_test.h"

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "des/stream.h"

/* The generator's published first numbers from the state 1, 2, 3, 4. */
static void generator_known_answers(void **state)
{
    static const uint64_t known[] = {
        41943041u, 58720359u, 3588806011781223u, 3591011842654386u, 9228616714210784205u,
        9973669472204895162u, 14011001112246962877u, 12406186145184390807u,
        15849039046786891736u, 10450023813501588000u,
    };
    struct des_stream st = {{1, 2, 3, 4}};

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(des_stream_peek(&st) == known[i]);
        assert_true(des_u64(&st) == known[i]);
    }
}

/* Seeding and the first 1,000 draws, from a second implementation in another language: a scenario's
   result may not change with the version. */
static void streams_are_pinned(void **state)
{
    static const struct {
        uint64_t seed;
        const char *name;
        uint64_t first, digest;
    } known[] = {
        {1, "arrivals", 0x636acb429f3eb0f4u, 0x41666906c31c7052u},
        {1, "service", 0x62c2696889b8ff69u, 0xff0c5b5492af55bau},
        {2, "arrivals", 0x90b90fbc8cd2782du, 0xa914ae9871082562u},
        {1, "", 0x704560ced7cc0501u, 0x501a6b827d9af9e3u},
    };

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        struct des_stream st;
        uint64_t digest = 0;

        des_stream_init(&st, known[k].seed, known[k].name);
        assert_true(des_stream_peek(&st) == known[k].first);
        for (int i = 0; i < 1000; i++)
            digest = digest * 31 + des_u64(&st);
        assert_true(digest == known[k].digest);
    }
}

/* No two of many names, seeds and replications begin alike, and neighbours aren't correlated. */
static int by_u64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void streams_are_independent(void **state)
{
    enum { SEEDS = 50, NAMES = 5, REPLICATIONS = 20, ALL = SEEDS * NAMES * REPLICATIONS };
    static const char *const names[NAMES] = {"a", "b", "ab", "ba", "arrivals"};
    static uint64_t first[ALL];
    struct des_stream one, two;
    double product = 0;
    size_t n = 0;

    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (int name = 0; name < NAMES; name++)
            for (uint64_t r = 0; r < REPLICATIONS; r++) {
                des_stream_init(&one, des_replication_seed(seed, r), names[name]);
                first[n++] = des_stream_peek(&one);
            }
    qsort(first, ALL, sizeof *first, by_u64);
    for (size_t i = 1; i < ALL; i++)
        assert_true(first[i - 1] != first[i]);
    assert_true(des_replication_seed(77, 0) == 77);

    des_stream_init(&one, 1, "arrivals");
    des_stream_init(&two, 1, "service");
    for (int i = 0; i < 100000; i++)
        product += (des_uniform(&one) - 0.5) * (des_uniform(&two) - 0.5);
    /* correlation: mean 0, deviation 1 / sqrt(n) */
    assert_near(product / 100000 * 12, 0, 2.6 / sqrt(100000));
}

/* A draw more in one stream changes nothing in another. */
static void draws_stay_in_their_stream(void **state)
{
    struct des_stream one, two, alone;

    (void)state;
    des_stream_init(&one, 9, "one");
    des_stream_init(&two, 9, "two");
    des_stream_init(&alone, 9, "two");
    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < i % 3; k++)
            des_u64(&one);
        assert_true(des_u64(&two) == des_u64(&alone));
    }
}

static void gsl_draws_from_the_stream(void **state)
{
    struct des_stream st, same;
    gsl_rng rng = des_stream_gsl(&st);
    gsl_rng *own = gsl_rng_alloc(des_rng_type);

    (void)state;
    assert_non_null(own);
    des_stream_init(&st, 5, "gsl");
    gsl_rng_set(own, 5);
    same = st;
    for (int i = 0; i < 100; i++) {
        const unsigned long x = gsl_rng_get(&rng);

        assert_true(x == gsl_rng_get(own));
        assert_true(x == (unsigned long)(des_u64(&same) >> (64 - 8 * sizeof x)));
        assert_true(gsl_rng_uniform(&rng) == des_uniform(&same));
        gsl_rng_uniform(own);
    }
    assert_true(des_stream_peek(&st) == des_stream_peek(&same));
    assert_true(gsl_rng_uniform_int(&rng, 10) < 10);
    assert_true(gsl_ran_poisson(&rng, 3.5) < 1000);
    gsl_rng_free(own);
}

/* The ends of the uniform draws: the generator's result is forced to its extremes through states
   whose output is rotl(s0 + s3, 23) + s0. */
static void uniform_at_its_ends(void **state)
{
    struct des_stream zero = {{0, 1, 1, 0}}, ones = {{0, 1, 1, UINT64_MAX}};
    struct des_stream st = zero;

    (void)state;
    assert_true(des_stream_peek(&zero) == 0 && des_stream_peek(&ones) == UINT64_MAX);
    assert_true(des_uniform(&st) == 0.0);
    st = zero;
    assert_true(des_uniform_pos(&st) > 0.0);
    st = zero;
    assert_true(des_exponential(&st) >= 0.0);
    st = zero;
    assert_int_equal(des_uniform_u32(&st, UINT32_MAX) < UINT32_MAX, 1);
    st = ones;
    assert_true(des_uniform(&st) < 1.0);
    st = ones;
    assert_true(des_uniform_pos(&st) < 1.0);
    st = ones;
    assert_int_equal(des_uniform_u32(&st, 7), 6);
    st = ones;
    assert_true(des_uniform_u64(&st, UINT64_MAX) < UINT64_MAX);
    st = ones;
    assert_true(isfinite(des_exponential(&st)));
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(des_uniform_u32(&st, 1), 0);
        assert_int_equal(des_uniform_u32(&st, 0), 0);
        assert_true(des_uniform_u64(&st, 0) == 0);
        assert_true(des_bernoulli(&st, 1.0));
        assert_false(des_bernoulli(&st, 0.0));
        assert_true(des_bernoulli(&st, 2.0));
        assert_false(des_bernoulli(&st, -1.0));
    }
    assert_int_equal(des_time_from_ns(0.4), 0);
    assert_int_equal(des_time_from_ns(0.5), 1);
    assert_int_equal(des_time_from_ns(-3), 0);
    assert_int_equal(des_time_from_ns((double)NAN), 0);
    assert_int_equal(des_time_from_ns((double)INFINITY), DES_NEVER);
    assert_int_equal(des_time_from_ns(1e19), DES_NEVER);
    assert_int_equal(des_time_from_s(1.5), 1500 * DES_MS);
}

static void assert_chi2(const uint64_t *seen, size_t cells, uint64_t n)
{
    const double expected = (double)n / (double)cells;
    double chi2 = 0;

    for (size_t i = 0; i < cells; i++)
        chi2 += ((double)seen[i] - expected) * ((double)seen[i] - expected) / expected;
    assert_within(chi2, gsl_cdf_chisq_Pinv(0.005, (double)cells - 1),
                  gsl_cdf_chisq_Pinv(0.995, (double)cells - 1));
}

static void integers_are_uniform(void **state)
{
    static const uint32_t ns[] = {2, 3, 10, 100, 1000};
    const uint32_t wide = (uint32_t)3 << 30; /* unrejected, one number in three comes twice */
    uint64_t thirds[3] = {0};
    struct des_stream st;

    (void)state;
    des_stream_init(&st, 1, "integers");
    for (size_t k = 0; k < sizeof ns / sizeof *ns; k++) {
        uint64_t small[1000] = {0}, large[1000] = {0};
        const uint64_t big = ((uint64_t)3 << 62) / ns[k] * ns[k]; /* a third is rejected */

        for (int i = 0; i < 200000; i++) {
            small[des_uniform_u32(&st, ns[k])]++;
            large[des_uniform_u64(&st, big) / (big / ns[k])]++;
        }
        assert_chi2(small, ns[k], 200000);
        assert_chi2(large, ns[k], 200000);
    }
    for (int i = 0; i < 200000; i++)
        thirds[des_uniform_u32(&st, wide) % 3]++;
    assert_chi2(thirds, 3, 200000);
}

/* All 24 orders of four, by both functions; elements larger than the swap's buffer. */
static void orders_are_uniform(void **state)
{
    struct wide {
        unsigned char pad[150];
        uint32_t id;
    } wide[4];
    uint64_t seen[2][256] = {{0}}, cells[2][24];
    struct des_stream st;

    (void)state;
    des_stream_init(&st, 1, "orders");
    for (int i = 0; i < 120000; i++) {
        uint32_t perm[4], code[2] = {0, 0};

        for (uint32_t k = 0; k < 4; k++)
            wide[k].id = k;
        des_shuffle(&st, wide, 4, sizeof *wide);
        des_permutation(&st, perm, 4);
        for (int k = 0; k < 4; k++) {
            code[0] = code[0] * 4 + wide[k].id;
            code[1] = code[1] * 4 + perm[k];
        }
        seen[0][code[0]]++;
        seen[1][code[1]]++;
    }
    for (int way = 0; way < 2; way++) {
        size_t n = 0;

        for (int code = 0; code < 256; code++)
            if (seen[way][code]) {
                assert_true(n < 24);
                cells[way][n++] = seen[way][code];
            }
        assert_int_equal(n, 24);
        assert_chi2(cells[way], 24, 120000);
    }
    des_shuffle(&st, wide, 0, sizeof *wide);
    des_shuffle(&st, wide, 1, sizeof *wide);
    des_permutation(&st, NULL, 0);
}

/* The ziggurat from its definition: 256 areas of one size, from the tail to 0. */
static void ziggurat_is_what_it_says(void **state)
{
    const double r = des_ziggurat[255].scale * 0x1p53;
    const double area = (r + 1) * exp(-r);
    double x = r;

    (void)state;
    assert_near(des_ziggurat[0].scale * 0x1p53, area / exp(-r), 1e-13);
    assert_near((double)des_ziggurat[0].inside * des_ziggurat[0].scale, r, 1e-13);
    for (int i = 255; i > 1; i--) {
        const double inner = -log(area / x + exp(-x));

        assert_near(des_ziggurat[i].scale * 0x1p53, x, 1e-11);
        assert_near((double)des_ziggurat[i].inside * des_ziggurat[i].scale, inner, 1e-11);
        x = inner;
    }
    assert_near(des_ziggurat[1].scale * 0x1p53, x, 1e-11);
    assert_int_equal(des_ziggurat[1].inside, 0);
    assert_near(x * (1 - exp(-x)), area, 1e-11);
}

/* Against the exponential's law: equal cells, the tail beyond the last layer among them, and the
   first three moments. */
static void exponential_has_its_law(void **state)
{
    enum { N = 2000000, CELLS = 100 };
    static uint64_t seen[CELLS];
    double sum = 0, sum2 = 0, sum3 = 0, beyond = 0;
    struct des_stream st;

    (void)state;
    des_stream_init(&st, 1, "exponential");
    for (int i = 0; i < N; i++) {
        const double x = des_exponential(&st);
        const int cell = (int)((1 - exp(-x)) * CELLS);

        assert_true(x >= 0);
        seen[cell < CELLS ? cell : CELLS - 1]++;
        sum += x;
        sum2 += x * x;
        sum3 += x * x * x;
        beyond += x > 8;
    }
    assert_chi2(seen, CELLS, N);
    assert_near(sum / N, 1, 2.6 * sqrt(1.0 / N));
    assert_near(sum2 / N, 2, 2.6 * sqrt(20.0 / N));   /* E x^4 - 4 */
    assert_near(sum3 / N, 6, 2.6 * sqrt(684.0 / N));  /* E x^6 - 36 */
    assert_near(beyond, N * exp(-8), 2.6 * sqrt(N * exp(-8)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generator_known_answers),
        cmocka_unit_test(streams_are_pinned),
        cmocka_unit_test(streams_are_independent),
        cmocka_unit_test(draws_stay_in_their_stream),
        cmocka_unit_test(gsl_draws_from_the_stream),
        cmocka_unit_test(uniform_at_its_ends),
        cmocka_unit_test(integers_are_uniform),
        cmocka_unit_test(orders_are_uniform),
        cmocka_unit_test(ziggurat_is_what_it_says),
        cmocka_unit_test(exponential_has_its_law),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
