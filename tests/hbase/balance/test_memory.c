/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every allocation fails once: the error comes back, nothing leaks (under a sanitizer), nothing is
   half done. Linked with --wrap for malloc, calloc and realloc. */
#include "balance_test.h"

#include "hbase/balance/assign.h"
#include "hbase/balance/moves.h"

static long until_failure = -1;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

static int fails(void)
{
    return until_failure >= 0 && until_failure-- == 0;
}

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
}

static void test_balancers(void **state)
{
    (void)state;
    struct balancer_block_share shares[40];
    struct balancer_options o;
    struct test_cluster t;
    struct test_draw d;

    test_cluster_init(&t, 5, 40, 1);
    t.cluster.n_tables = 2;
    for (uint32_t i = 0; i < 40; i++) {
        t.regions[i].table = i % 2;
        shares[i] = (struct balancer_block_share){i, i % 5, 1};
    }
    t.cluster.block_shares = shares;
    t.cluster.n_block_shares = 40;
    balancer_options_init(&o);
    o.max_steps = 5000;
    for (int kind = 0; kind < 4; kind++) {
        int error = BALANCE_NO_MEMORY;
        o.kind = kind & 1 ? BALANCER_SIMPLE : BALANCER_STOCHASTIC;
        o.by_table = kind >= 2;
        for (long n = 0; error; n++) {
            struct balancer_outcome out = {.n_plans = 42};
            until_failure = n;
            error = balancer_balance(&t.cluster, &o, test_draw_init(&d, 1), &out);
            long left = until_failure;
            until_failure = -1;
            if (error) {
                assert_int_equal(error, BALANCE_NO_MEMORY);
                assert_int_equal(out.n_plans, 42);
                continue;
            }
            assert_true(left >= 0 && n > 6); /* there were failures, and they are over */
            assert_true(out.n_plans > 0);
            balancer_outcome_free(&out);
        }
    }
    test_cluster_free(&t);
}

static void test_assignment_and_counting(void **state)
{
    (void)state;
    static const uint32_t id[3] = {0, 1, 2};
    static const struct assign_servers list = {id, 3, NULL};
    static const struct balancer_plan moves[] = {{0, 1, 2}, {1, 2, 1}, {2, 0, 1}};
    struct assign_request r[20] = {{0}};
    struct assign_queue queue;
    struct assign_crash_set set = {r, 20};
    struct test_draw d;
    uint32_t server[20];

    assign_queue_init(&queue);
    for (int what = 0; what < 3; what++) {
        int error = BALANCE_NO_MEMORY;
        long n;
        for (n = 0; error; n++) {
            struct move_counts c;
            until_failure = n;
            test_draw_init(&d, 1);
            error = what == 0   ? assign_create_table(&list, &d.draw, 20, 16, server)
                    : what == 1 ? assign_crash(&list, &d.draw, &queue, &set, server)
                                : moves_count(moves, 3, 3, &c);
            until_failure = -1;
            assert_true(error == 0 || error == BALANCE_NO_MEMORY);
        }
        assert_true(n > 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balancers),
        cmocka_unit_test(test_assignment_and_counting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
