/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "balance_test.h"

#include "hbase/balance/assign.h"

static const uint32_t twelve[12] = {4, 7, 0, 2, 11, 9, 1, 3, 10, 5, 8, 6};
static const struct assign_servers servers12 = {twelve, 12, NULL};

static void test_round_robin_is_a_cycle(void **state)
{
    (void)state;
    struct test_draw d;
    uint32_t server[30], starts = 0;

    for (uint64_t seed = 0; seed < 300; seed++) {
        assert_int_equal(0, assign_round_robin(&servers12, test_draw_init(&d, seed), 30, server));
        uint32_t s0 = 0;
        while (twelve[s0] != server[0])
            s0++;
        for (uint32_t p = 0; p < 30; p++)
            assert_int_equal(server[p], twelve[(s0 + p) % 12]);
        starts |= 1u << s0;
    }
    assert_int_equal(starts, 0xfff);
    struct assign_servers none = {twelve, 0, NULL};
    assert_int_equal(BALANCE_BAD_SERVER, assign_round_robin(&none, &d.draw, 1, server));
    assert_int_equal(BALANCE_BAD_SERVER, assign_create_table(&none, &d.draw, 1, 16, server));
    assert_int_equal(BALANCE_BAD_SERVER, assign_retain(&none, &d.draw, 1, server));
    assert_int_equal(BALANCE_BAD_SERVER, assign_random(&none, &d.draw, server));
}

/* Every order is a permutation that a pool of that size can bring forth. */
static void test_creation_order_fits_the_pool(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 2, 3, 15, 16, 17, 48, 300, 5000};
    static const uint32_t pools[] = {1, 2, 5, 16, 64};
    uint32_t *order = malloc(5000 * sizeof(*order));
    uint8_t *seen = malloc(5000);
    struct test_draw d;

    assert_non_null(order);
    assert_non_null(seen);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        for (size_t j = 0; j < sizeof(pools) / sizeof(*pools); j++) {
            uint32_t n = sizes[i], pool = pools[j];
            memset(seen, 0, 5000);
            assert_int_equal(
                0, assign_creation_order(test_draw_init(&d, i * 10 + j), n, pool, order));
            for (uint32_t p = 0; p < n; p++) {
                assert_in_range(order[p], 0, p + pool - 1);
                assert_false(seen[order[p]]++);
                if (pool == 1)
                    assert_int_equal(order[p], p);
            }
        }
    free(order);
    free(seen);
}

/* Sixteen tails on twelve servers: four servers with two, always; and not always the same regions,
   nor those that key order would pair. */
static void test_create_table_counts(void **state)
{
    (void)state;
    struct test_draw d;
    uint32_t server[48], key_order = 0;

    for (uint64_t seed = 0; seed < 200; seed++)
        for (uint32_t n = 1; n <= 48; n += 5) {
            uint32_t count[12] = {0}, ceil_n = 0;
            assert_int_equal(
                0, assign_create_table(&servers12, test_draw_init(&d, seed), n, 16, server));
            for (uint32_t i = 0; i < n; i++)
                count[server[i]]++;
            for (uint32_t s = 0; s < 12; s++) {
                assert_in_range(count[s], n / 12, (n + 11) / 12);
                ceil_n += count[s] == n / 12 + 1;
            }
            assert_int_equal(ceil_n, n % 12);
            if (n == 16)
                key_order += server[0] == server[12];
        }
    assert_in_range(key_order, 1, 60);
}

static void test_random_prefers_idle_servers(void **state)
{
    (void)state;
    uint32_t reported[12], picked, seen = 0;
    struct assign_servers list = {twelve, 12, reported};
    struct test_draw d;

    for (uint32_t i = 0; i < 12; i++)
        reported[i] = 3;
    reported[5] = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        assert_int_equal(0, assign_random(&list, test_draw_init(&d, seed), &picked));
        assert_int_equal(picked, twelve[5]);
    }
    reported[9] = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        assign_random(&list, test_draw_init(&d, seed), &picked);
        seen |= 1u << picked;
    }
    assert_int_equal(seen, 1u << twelve[5] | 1u << twelve[9]);
    reported[5] = reported[9] = 1;
    seen = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        assign_random(&list, test_draw_init(&d, seed), &picked);
        seen |= 1u << picked;
    }
    assert_int_equal(seen, 0xfff);
}

static void test_retain(void **state)
{
    (void)state;
    static const uint32_t five[5] = {3, 1, 4, 0, 9};
    struct assign_servers list = {five, 5, NULL};
    uint32_t server[8] = {3, 3, 2, 2, 9, 2, 0, 7};
    struct test_draw d;

    assert_int_equal(0, assign_retain(&list, test_draw_init(&d, 5), 8, server));
    assert_int_equal(server[0], 3);
    assert_int_equal(server[1], 3);
    assert_int_equal(server[4], 9);
    assert_int_equal(server[6], 0);
    for (int i = 0; i < 8; i++)
        assert_true(server[i] == 3 || server[i] == 1 || server[i] == 4 || server[i] == 0 ||
                    server[i] == 9);
}

static void test_queue_batches(void **state)
{
    (void)state;
    struct assign_queue queue;
    struct assign_request r[300] = {{0}};
    int64_t dealt;

    assign_queue_init(&queue);
    for (uint32_t i = 0; i < 300; i++)
        r[i].queued_us = i < 15 ? 0 : 200000 + (int64_t)i;
    assert_int_equal(15, assign_queue_batch(&queue, r, 300, &dealt)); /* the wait is over */
    assert_int_equal(150000, dealt);
    assert_int_equal(100, assign_queue_batch(&queue, r + 15, 285, &dealt)); /* full */
    assert_int_equal(200114, dealt);
    r[20].flags = BALANCER_REGION_SYSTEM;
    assert_int_equal(6, assign_queue_batch(&queue, r + 15, 285, &dealt)); /* cut short */
    assert_int_equal(200020, dealt);
    for (uint32_t i = 0; i < 300; i++)
        r[i] = (struct assign_request){.queued_us = 7};
    assert_int_equal(300, assign_queue_batch(&queue, r, 300, &dealt)); /* all that is there */
    assert_int_equal(7, dealt);
}

/* Each batch of a lost server is sorted by key and striped from an offset of its own; whatever load
   the survivors have is not looked at. */
static void test_crash(void **state)
{
    (void)state;
    struct assign_queue queue = {150000, 10};
    struct assign_request r[23] = {{0}};
    struct assign_crash_set set = {r, 23};
    static const uint32_t survivors[4] = {6, 2, 5, 1};
    struct assign_servers list = {survivors, 4, NULL};
    struct test_draw d;
    uint32_t server[23], same_offset = 0;

    for (uint32_t i = 0; i < 23; i++)
        r[i] = (struct assign_request){.key_order = (i * 7) % 23, .queued_us = i};
    for (uint64_t seed = 0; seed < 100; seed++) {
        uint32_t offset[3];
        assert_int_equal(0, assign_crash(&list, test_draw_init(&d, seed), &queue, &set, server));
        for (uint32_t first = 0, b = 0; first < 23; first += 10, b++) {
            uint32_t n = first + 10 <= 23 ? 10 : 23 - first;
            for (uint32_t i = 0; i < n; i++) {
                uint32_t rank = 0, at = 0;
                for (uint32_t j = 0; j < n; j++)
                    rank += r[first + j].key_order < r[first + i].key_order;
                while (survivors[at] != server[first + i])
                    at++;
                if (i == 0)
                    offset[b] = (at + 4 * 23 - rank) % 4;
                assert_int_equal(at, (offset[b] + rank) % 4);
            }
        }
        same_offset += offset[0] == offset[1];
    }
    assert_in_range(same_offset, 5, 60);
}

static void test_split_merge_move(void **state)
{
    (void)state;
    static const uint32_t three[3] = {8, 2, 5}, one[1] = {8};
    struct assign_servers list = {three, 3, NULL}, alone = {one, 1, NULL};
    uint32_t daughter[2], to, seen = 0;
    struct test_draw d;

    assign_split_daughters(&list, test_draw_init(&d, 1), 2, false, daughter);
    assert_int_equal(daughter[0], 2);
    assert_int_equal(daughter[1], 2);
    for (uint64_t seed = 0; seed < 50; seed++) {
        assign_split_daughters(&list, test_draw_init(&d, seed), 2, true, daughter);
        assert_int_equal(daughter[0], 2);
        seen |= 1u << daughter[1];
        assert_int_equal(0, assign_move(&list, &d.draw, 5, &to));
        assert_int_not_equal(to, 5);
    }
    assert_int_equal(seen, 1u << 8 | 1u << 5);
    assign_split_daughters(&alone, &d.draw, 8, true, daughter);
    assert_int_equal(daughter[1], 8);
    assert_int_equal(BALANCE_BAD_SERVER, assign_move(&alone, &d.draw, 8, &to));
    assert_int_equal(5, assign_merged((const uint32_t[]){5, 8}, 2));
}

/* A server keeps its hash: the list of the survivors keeps its order. */
static void test_server_list(void **state)
{
    (void)state;
    uint64_t hash[40], seed = 3;
    uint32_t all[40], some[39];

    for (uint32_t i = 0; i < 40; i++) {
        hash[i] = test_splitmix(&seed);
        all[i] = i;
    }
    hash[7] = hash[9];
    assign_sort_servers(hash, all, 40);
    for (uint32_t i = 1; i < 40; i++)
        assert_true(hash[all[i - 1]] < hash[all[i]] ||
                    (hash[all[i - 1]] == hash[all[i]] && all[i - 1] < all[i]));
    for (uint32_t i = 0, n = 0; i < 40; i++)
        if (i != 12)
            some[n++] = i;
    assign_sort_servers(hash, some, 39);
    for (uint32_t i = 0, n = 0; i < 40; i++)
        if (all[i] != 12)
            assert_int_equal(all[i], some[n++]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_robin_is_a_cycle),
        cmocka_unit_test(test_creation_order_fits_the_pool),
        cmocka_unit_test(test_create_table_counts),
        cmocka_unit_test(test_random_prefers_idle_servers),
        cmocka_unit_test(test_retain),
        cmocka_unit_test(test_queue_batches),
        cmocka_unit_test(test_crash),
        cmocka_unit_test(test_split_merge_move),
        cmocka_unit_test(test_server_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
