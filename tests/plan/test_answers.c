/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The preset's answer and its variations, as doc/tutorial.md works them out by hand; and the answers that
   are no bucket count. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "iot_plan.h"
#include "result/json.h"

#define YEAR_S (365.0 * 86400)

static void expect_n(const struct spec *sp, int n, const char *answer, const char *words)
{
    struct result res;

    assert_int_equal(iot_plan(sp, 2, &res), 0);
    assert_int_equal(res.plan.recommended_n, n);
    assert_string_equal(res.plan.answer, answer);
    if (words && !strstr(res.plan.reason, words))
        fail_msg("'%s' is not in '%s'", words, res.plan.reason);
    result_free(&res);
}

/* ceil(8 / 12) x 12 / 8 = 1.5 is the smallest of the list below 1.6. */
static void preset(void **state)
{
    struct spec sp;

    (void)state;
    iot_preset(&sp, 30);
    expect_n(&sp, 8, "salt", "4 of 12 servers without a write tail");
    sp.plan.targets->bound = 1.4; /* 8 and 16 have 1.5, 12 has 1 */
    expect_n(&sp, 12, "salt", NULL);
    spec_free(&sp);
}

/* 9,000 rows/s are less than half of what one server carries. */
static void one_server_carries_it(void **state)
{
    struct spec sp;

    (void)state;
    iot_preset(&sp, 30);
    sp.streams->arrival = SPEC_ARRIVAL_CONSTANT;
    sp.streams->rate_per_s = 9000;
    expect_n(&sp, 0, "no-salt", "one server carries the 9.00 k rows/s");
    sp.streams->rate_per_s = 0.1;
    sp.duration_ns = 3600 * SPEC_NS_PER_S;
    expect_n(&sp, 0, "no-salt", "one server carries the 0.1");
    spec_free(&sp);
}

/* 1.3 x 40,000 = 52,000: 8 buckets carry 12 x 20,000 / 1.5 = 160,000, so the answer stays; without the
   target on evenness the demand alone needs 52,000 / 20,000 = 2.6 tails, so 3 would do and 2 would not. */
static void headroom(void **state)
{
    static const int small[] = {2, 3, 4};
    struct spec sp;

    (void)state;
    iot_preset(&sp, 30);
    sp.plan.headroom = 0.3;
    expect_n(&sp, 8, "salt", "30 % headroom");
    spec_free(&sp);
    iot_spec(&sp, 16, 30, 100);
    iot_candidates(&sp, small, 3);
    sp.plan.headroom = 0.3;
    expect_n(&sp, 3, "salt", "full at 60.0 k rows/s");
    spec_free(&sp);
}

/* 12 to 16 servers: 8 and 16 reach ceil(N / 13) x 13 / N = 1.625 at 13 servers, 12 ends at 16 / 12 = 1.33. */
static void growth(void **state)
{
    struct spec sp;
    struct result res;

    (void)state;
    iot_preset(&sp, 30);
    iot_grow(&sp, 16, 2);
    assert_int_equal(iot_plan(&sp, 2, &res), 0);
    assert_int_equal(res.plan.recommended_n, 12);
    assert_int_equal(res.plan.even_n, 48);
    assert_non_null(strstr(res.plan.even_text, "N = 48 is flat at 12 and 16 servers (hot server ratio 1.0"));
    assert_non_null(strstr(res.plan.even_text, "costs 48 scans a query; N = 12 meets the targets with 12"));
    assert_non_null(strstr(iot_candidate(&res, 8)->why_not, "is 1.62"));
    assert_true(fabs(iot_candidate(&res, 8)->breaks_at_s - 0.25 * 2 * YEAR_S) < 1);
    assert_true(iot_candidate(&res, 48)->feasible);
    assert_int_equal(res.plan.stages_len > 0, 1);
    assert_int_equal(res.plan.stages[0].n, 12);
    for (size_t i = 0; i < res.plan.stages_len && res.plan.stages[i].n == 12; i++)
        assert_true(fabs(res.plan.stages[i].hot_server_ratio - res.plan.stages[i].servers / 12) < 0.02);
    result_free(&res);
    spec_free(&sp);
}

/* 1.3 all the way: 12 and 24 end at 16 / 12 = 1.33, 32 has 3 x 14 / 32 = 1.31 on 14 servers, 48 stays below
   4 x 15 / 48 = 1.25. 32 scans exclude it. */
static void scan_target_excludes_the_even_one(void **state)
{
    struct spec sp;
    struct result res;

    (void)state;
    iot_preset(&sp, 30);
    iot_grow(&sp, 16, 2);
    sp.plan.targets->bound = 1.3;
    expect_n(&sp, 48, "salt", "to the end of the growth");
    iot_target(&sp, "window.scans", true, 32);
    expect_n(&sp, -1, "none-feasible", "the writes need N = 48 or more, the queries allow N = 32 at most");
    spec_free(&sp);
    iot_preset(&sp, 30);
    iot_grow(&sp, 16, 2);
    sp.plan.targets->bound = 1.4;
    iot_target(&sp, "window.scans", true, 32);
    assert_int_equal(iot_plan(&sp, 2, &res), 0);
    assert_int_equal(res.plan.recommended_n, 12);
    assert_non_null(strstr(iot_candidate(&res, 48)->why_not, "window.scans is 48, target <= 32"));
    result_free(&res);
    sp.plan.targets[1].bound = 8;
    expect_n(&sp, -1, "none-feasible", "the writes need N = 12 or more, the queries allow N = 8 at most");
    spec_free(&sp);
}

/* Times and calls of a query are judged from a run of each candidate: a minute is kept by all, a microsecond, less
   than a round trip, by none, and newest makes N calls. */
static void times_of_queries_are_targets(void **state)
{
    static const int n[] = {8, 48};
    static const double bounds_us[] = {60e6, 1};

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct spec sp;
        struct result res;

        iot_spec(&sp, 16, 60, 100);
        iot_query(&sp, "latest", SPEC_QUERY_NEWEST, 0);
        iot_candidates(&sp, n, 2);
        iot_target(&sp, "latest.p99", true, bounds_us[k]);
        iot_target(&sp, "latest.rpcs", true, 40);
        assert_int_equal(iot_plan(&sp, 2, &res), 0);
        assert_int_equal(iot_candidate(&res, 8)->feasible, k == 0);
        assert_false(iot_candidate(&res, 48)->feasible);
        assert_non_null(strstr(iot_candidate(&res, 48)->why_not, "latest.rpcs is 48, target <= 40"));
        assert_true(!strstr(iot_candidate(&res, 48)->why_not, "latest.p99 is ") == (k == 0));
        assert_int_equal(res.plan.query_costs_len, 2);
        assert_true(res.plan.query_costs[1].p99_us == iot_candidate(&res, 48)->scan_p99_us.mean);
        result_free(&res);
        spec_free(&sp);
    }
}

/* 16 on 12 is 1.5 exactly: no number of placements tells on which side of 1.5 it lies. */
static void on_the_target_is_undecided(void **state)
{
    static const int n[] = {16, 24};
    struct spec sp;
    struct result res;

    (void)state;
    iot_spec(&sp, 16, 30, 100);
    iot_candidates(&sp, n, 2);
    iot_target(&sp, "hot_server_ratio", true, 1.5);
    assert_int_equal(iot_plan(&sp, 1, &res), 0);
    assert_true(iot_candidate(&res, 16)->undecided);
    assert_false(iot_candidate(&res, 16)->feasible);
    assert_non_null(strstr(iot_candidate(&res, 16)->why_not, "undecided: hot_server_ratio is 1.5"));
    assert_true(iot_candidate(&res, 16)->replications == 20);
    assert_int_equal(res.plan.recommended_n, 24);
    result_free(&res);
    spec_free(&sp);
}

/* A key that begins with a hash-like entity is spread: cuts are enough. */
static void spread_keys_need_no_salt(void **state)
{
    struct spec sp, chosen;
    struct result res;

    (void)state;
    iot_preset(&sp, 30);
    free(sp.tables->key);
    sp.tables->key = iot_copy("device:revdec(12) ts:be64"); /* consecutive devices differ in the first digit */
    sp.queries_len = 0;
    assert_int_equal(iot_plan(&sp, 2, &res), 0);
    assert_int_equal(res.plan.recommended_n, 0);
    assert_non_null(strstr(res.plan.reason, "no salt needed: the key is spread over its table already"));
    assert_true(iot_candidate(&res, 0)->hot_server_ratio.mean < 1.2);
    assert_true(res.run.summary.hot_server_ratio < 1.3);
    assert_int_equal(plan_recommended_spec(&sp, &res.plan, &chosen), 0);
    assert_int_equal(chosen.tables->splits, SPEC_SPLITS_KEYS);
    assert_int_equal(chosen.tables->split_keys_len, 23);
    spec_free(&chosen);
    result_free(&res);
    sp.queries_len = 1;
    spec_free(&sp);
}

/* One counter: the same key again and again. No N and no other salt mends it. */
static void a_counter_row_is_not_helped(void **state)
{
    struct spec sp;

    (void)state;
    iot_preset(&sp, 30);
    free(sp.tables->key);
    sp.tables->key = iot_copy("device:fixed(16)");
    sp.queries_len = 0;
    sp.streams->popularity = SPEC_POPULARITY_HOT;
    sp.streams->hot_entities = 1;
    sp.streams->hot_share = 0.6;
    expect_n(&sp, -1, "salt-will-not-help", "The rows themselves are hot");
    sp.queries_len = 1;
    spec_free(&sp);
}

static void too_few_servers_are_not_helped(void **state)
{
    struct spec sp;

    (void)state;
    iot_preset(&sp, 30);
    sp.plan.growth.rate_factor = 8;
    sp.plan.growth.rate_in_ns = (int64_t)(YEAR_S * 1e9);
    expect_n(&sp, -1, "salt-will-not-help", "the bottleneck is not the tail");
    spec_free(&sp);
}

/* The last minute of all devices, but the key begins with the device. */
static void the_layout_must_change(void **state)
{
    struct spec sp;

    (void)state;
    iot_preset(&sp, 30);
    free(sp.tables->key);
    sp.tables->key = iot_copy("device:fixed(16) ts:be64");
    expect_n(&sp, -1, "layout", "N can't, the layout must: query window");
    spec_free(&sp);
}

static void gates_and_variations_are_told(void **state)
{
    const struct plan_options options = {.jobs = 2};
    struct sim_end end;
    struct spec sp;
    struct result res;
    bool phoenix = false, stepping = false, doubled = false;

    (void)state;
    iot_preset(&sp, 30);
    free(sp.tables->salt);
    sp.tables->salt = iot_copy("phoenix");
    result_init(&res);
    assert_int_equal(plan_run(&sp, &options, NULL, &res, &end), 0);
    for (size_t i = 0; i < res.plan.gates_len; i++) {
        const struct result_gate *g = &res.plan.gates[i];

        assert_true(!strcmp(g->level, "ok") || !strcmp(g->level, "warn") || !strcmp(g->level, "stop"));
        assert_true(strcmp(g->level, "stop") != 0 || g->hint);
        phoenix |= !strcmp(g->id, "phoenix-7580") && !strcmp(g->level, "stop") && strstr(g->text, "PHOENIX-7580");
        stepping |= !strcmp(g->id, "stepping-split") && !strcmp(g->level, "warn") && strstr(g->text, "256 MiB");
    }
    assert_true(phoenix && stepping);
    for (size_t i = 0; i < res.plan.variations_len; i++)
        doubled |= !strcmp(res.plan.variations[i].name, "rate x2") && res.plan.variations[i].recommended_n == 8;
    assert_true(doubled);
    result_free(&res);
    spec_free(&sp);
}

/* Three shards, joined in another order, write the same bytes as one run. */
static void join_shards(bool timed)
{
    char *text[2] = {NULL, NULL};
    size_t len[2] = {0, 0};
    struct result shard[3], res[2];
    struct sim_end end;
    struct spec sp;

    iot_preset(&sp, 10);
    for (unsigned i = 0; i < 3; i++) {
        const struct plan_options cut = {.jobs = 1, .shard = i + 1, .shards = 3, .query_times = timed,
                                         .no_variations = true};

        result_init(&shard[2 - i]);
        shard[2 - i].base_name = iot_copy("iot");
        assert_int_equal(plan_run(&sp, &cut, NULL, &shard[2 - i], &end), 0);
    }
    result_init(&res[0]);
    assert_int_equal(plan_run(&sp, &(struct plan_options){.jobs = 2, .query_times = timed, .no_variations = true}, NULL,
                              &res[0], &end), 0);
    assert_int_equal(res[0].plan.query_costs_len, timed ? 8 : 0);
    res[0].base_name = iot_copy("iot");
    result_init(&res[1]);
    res[1].base_name = iot_copy("iot");
    assert_int_equal(plan_merge(&sp, &(struct plan_options){.no_variations = true}, &(struct plan_shards){shard, 3}, &res[1],
                                &end), 0);
    for (size_t i = 0; i < 2; i++) {
        FILE *to = open_memstream(&text[i], &len[i]);

        assert_non_null(to);
        assert_int_equal(result_write_json(&res[i], to), 0);
        fclose(to);
    }
    assert_int_equal(len[0], len[1]);
    assert_memory_equal(text[0], text[1], len[0]);
    result_free(&res[1]);
    result_init(&res[1]);
    res[1].base_name = iot_copy("iot");
    assert_int_equal(plan_merge(&sp, &(struct plan_options){.jobs = 1}, &(struct plan_shards){shard, 2}, &res[1], &end),
                     SIM_BAD_SPEC);
    assert_non_null(strstr(end.message, "no shard has the candidate"));
    for (size_t i = 0; i < 3; i++)
        result_free(&shard[i]);
    for (size_t i = 0; i < 2; i++) {
        result_free(&res[i]);
        free(text[i]);
    }
    spec_free(&sp);
}

static void shards_join_to_the_same_bytes(void **state)
{
    (void)state;
    join_shards(false);
    join_shards(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preset),
        cmocka_unit_test(one_server_carries_it),
        cmocka_unit_test(headroom),
        cmocka_unit_test(growth),
        cmocka_unit_test(scan_target_excludes_the_even_one),
        cmocka_unit_test(times_of_queries_are_targets),
        cmocka_unit_test(on_the_target_is_undecided),
        cmocka_unit_test(spread_keys_need_no_salt),
        cmocka_unit_test(a_counter_row_is_not_helped),
        cmocka_unit_test(too_few_servers_are_not_helped),
        cmocka_unit_test(the_layout_must_change),
        cmocka_unit_test(gates_and_variations_are_told),
        cmocka_unit_test(shards_join_to_the_same_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
