/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of the fullest bin against closed forms, against throws, and against 1,000 tables of random
   keys that the library salted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chance/chance.h"
#include "saltkey.h"

static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void test_closed_forms(void **state)
{
    struct chance_range r;

    (void)state;
    /* Two balls in two bins: together in half of the throws. */
    assert_int_equal(chance_fullest(2, 2, &r), 0);
    assert_true(fabs(r.mean - 1.5) < 1e-12 && r.lo == 1 && r.hi == 2);
    /* Three in three: all apart in 6 of 27 throws, all together in 3. */
    assert_int_equal(chance_fullest(3, 3, &r), 0);
    assert_true(fabs(r.mean - (6.0 * 1 + 18 * 2 + 3 * 3) / 27) < 1e-12);
    assert_int_equal(chance_fullest(5, 1, &r), 0);
    assert_true(r.mean == 5 && r.lo == 5 && r.hi == 5);
    assert_int_equal(chance_fullest(0, 3, &r), -1);
    assert_int_equal(chance_fullest(3, 0, &r), -1);
}

/* The mean of the fullest bin over many throws, each law in its range of counts. */
static void test_throws(void **state)
{
    static const struct {
        unsigned balls, bins;
    } cases[] = {{16, 12}, {500, 16}, {600, 16}, {40000, 16}, {100, 200}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t seed = 7;
        double sum = 0;
        struct chance_range r;
        size_t outside = 0;
        const int throws = cases[i].balls > 1000 ? 400 : 2000;

        assert_int_equal(chance_fullest(cases[i].balls, cases[i].bins, &r), 0);
        for (int t = 0; t < throws; t++) {
            unsigned bin[256] = {0}, most = 0;

            for (unsigned b = 0; b < cases[i].balls; b++) {
                const unsigned at = (unsigned)(next(&seed) % cases[i].bins);

                most = ++bin[at] > most ? bin[at] : most;
            }
            sum += most;
            outside += most < r.lo || most > r.hi;
        }
        if (fabs(sum / throws / r.mean - 1) > 0.01)
            fail_msg("%u balls in %u bins: %.3f thrown, %.3f expected", cases[i].balls, cases[i].bins, sum / throws,
                     r.mean);
        assert_true(outside <= 0.075 * throws); /* 5 %, within four standard deviations; whole numbers stay below */
    }
}

/* Measured over expected spread on 1,000 tables of uniform keys. */
static void test_salted_keys(void **state)
{
    const unsigned rows = 4096, n = 16;
    uint64_t seed = 1;
    double ratio = 0;
    struct chance_range r;

    (void)state;
    assert_int_equal(chance_fullest(rows, n, &r), 0);
    for (int table = 0; table < 1000; table++) {
        unsigned bucket[16] = {0}, most = 0;

        for (unsigned i = 0; i < rows; i++) {
            const uint64_t word = next(&seed);
            uint8_t key[8];
            int64_t b;

            for (int k = 0; k < 8; k++)
                key[k] = (uint8_t)(word >> (8 * k));
            b = saltkey_hash31(key, 8) % (int)n;
            b += b < 0 ? n : 0;
            most = ++bucket[b] > most ? bucket[b] : most;
        }
        ratio += most / r.mean;
    }
    ratio /= 1000;
    print_message("fidelity spread %.4f\n", ratio);
    if (ratio < 0.95 || ratio > 1.05)
        fail_msg("measured / expected is %.4f", ratio);
}

/* The server with nothing is shown, and is the least. |hot| rows go to one of four buckets, |cold| to each other. */
static void one_run(double hot, double cold, const char *verdict)
{
    struct result_run run;

    result_run_init(&run);
    run.duration_s = 10;
    run.servers = calloc(3, sizeof *run.servers);
    run.tables = calloc(1, sizeof *run.tables);
    assert_true(run.servers && run.tables);
    run.servers_len = 3;
    run.tables_len = 1;
    run.tables[0].buckets = 4;
    for (int s = 0; s < 3; s++) {
        run.servers[s].name = calloc(5, 1);
        assert_non_null(run.servers[s].name);
        run.servers[s].name[0] = (char)('a' + s);
        run.servers[s].up_s = 10;
        run.servers[s].tails = s == 1 ? 0 : 2;
        run.servers[s].regions_end = 2;
    }
    for (int b = 0; b < 4; b++) {
        struct result_region *reg = result_add_region(&run);

        assert_non_null(reg);
        reg->table = 0;
        reg->bucket = b;
        reg->writes = b == 2 ? hot : cold;
    }
    run.summary.hot_server_ratio = 1.5;
    assert_int_equal(chance_fill(&run), 0);
    assert_int_equal(run.spreads_len, 4);
    assert_string_equal(run.spreads[0].name, "bucket");
    assert_string_equal(run.spreads[0].verdict, verdict);
    assert_string_equal(run.spreads[0].most_at, "bucket 2");
    assert_true(fabs(run.spreads[0].most - 4 * hot / (hot + 3 * cold)) < 1e-12);
    assert_string_equal(run.spreads[1].name, "tails_per_server");
    assert_true(run.spreads[1].least == 0);
    assert_string_equal(run.spreads[1].least_at, "b");
    assert_string_equal(run.spreads[2].name, "hot_server_ratio");
    assert_string_equal(run.spreads[3].name, "regions_per_server");
    result_run_free(&run);
}

/* With many rows the range is narrow, and what lies beyond it may be nothing to an operator: both are said. */
static void test_beyond_chance_and_how_much(void **state)
{
    (void)state;
    one_run(4000, 1000, "skewed, 117 % beyond chance");
    one_run(1.0008e9, 1e9, "beyond chance, by 0.053 %: no matter");
    one_run(1.02e9, 1e9, "skewed, 1.49 % beyond chance");
    one_run(1010, 1000, "even");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_throws),
        cmocka_unit_test(test_salted_keys),
        cmocka_unit_test(test_beyond_chance_and_how_much),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
