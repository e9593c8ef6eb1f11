/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des_test.h"

#include "des/error.h"
#include "des/pool.h"
#include "des/stream.h"

enum { JOBS = 500 };

struct jobs {
    uint64_t result[JOBS];
    int runs[JOBS];
    size_t fail_from, fail_step; /* each fail_step-th from fail_from on fails */
};

static int draw(void *context, size_t i)
{
    struct jobs *jobs = context;
    struct des_stream st;

    des_stream_init(&st, des_replication_seed(7, i), "job");
    for (size_t n = 0; n < 100 + i % 7 * 1000; n++) /* of unequal length */
        jobs->result[i] = jobs->result[i] * 31 + des_u64(&st);
    jobs->runs[i]++;
    if (jobs->fail_step && i >= jobs->fail_from && (i - jobs->fail_from) % jobs->fail_step == 0)
        return -1000 - (int)i;
    return 0;
}

static void results_dont_depend_on_threads(void **state)
{
    static const unsigned threads[] = {1, 2, 3, 16, 0};
    static struct jobs one, other;

    (void)state;
    assert_int_equal(des_pool_run(1, JOBS, draw, &one), 0);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        other = (struct jobs){.fail_step = 0};
        assert_int_equal(des_pool_run(threads[t], JOBS, draw, &other), 0);
        for (int i = 0; i < JOBS; i++)
            assert_int_equal(other.runs[i], 1);
        assert_memory_equal(one.result, other.result, sizeof one.result);
    }
}

static void first_error_wins(void **state)
{
    static const unsigned threads[] = {1, 2, 16};

    (void)state;
    for (size_t t = 0; t < 3; t++)
        for (int n = 0; n < 20; n++) {
            static struct jobs jobs;

            jobs = (struct jobs){.fail_from = 30, .fail_step = 1};
            assert_int_equal(des_pool_run(threads[t], JOBS, draw, &jobs), -1030);
            for (int i = 0; i <= 30; i++)
                assert_int_equal(jobs.runs[i], 1);
            assert_int_equal(jobs.runs[JOBS - 1], 0);
        }
}

static void no_job_and_one(void **state)
{
    static struct jobs jobs;

    (void)state;
    assert_int_equal(des_pool_run(4, 0, draw, &jobs), 0);
    assert_int_equal(jobs.runs[0], 0);
    assert_int_equal(des_pool_run(4, 1, draw, &jobs), 0);
    assert_int_equal(jobs.runs[0], 1);
    assert_int_equal(jobs.runs[1], 0);
    assert_true(des_pool_processors() >= 1);
}

static void errors_have_names(void **state)
{
    (void)state;
    for (int e = DES_MISMATCH; e <= DES_OK; e++) {
        assert_string_not_equal(des_strerror(e), des_strerror(1));
        for (int f = DES_MISMATCH; f < e; f++)
            assert_string_not_equal(des_strerror(e), des_strerror(f));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_dont_depend_on_threads),
        cmocka_unit_test(first_error_wins),
        cmocka_unit_test(no_job_and_one),
        cmocka_unit_test(errors_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
