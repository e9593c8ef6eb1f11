/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "balance_test.h"

#include <math.h>

#include "hbase/balance/walk.h"

static void test_skew(void **state)
{
    (void)state;
    struct skew s;

    skew_fill(&s, (const double[]){1, 1, 1, 1}, 4);
    assert_true(s.cost == 0);
    skew_fill(&s, (const double[]){0, 0, 0, 7}, 4);
    assert_true(s.cost == 1);
    skew_fill(&s, (const double[]){2, 1, 2, 1}, 4); /* as even as six can be on four */
    assert_true(s.cost == 0);
    skew_fill(&s, (const double[]){2, 2, 0, 0}, 4); /* four hot tails, stacked in pairs */
    assert_true(fabs(s.cost - 2 / sqrt(12)) < 1e-12);
    skew_fill(&s, (const double[]){1, 0, 0, 0}, 4); /* fewer units than servers */
    assert_true(s.cost == 0);
    skew_fill(&s, (const double[]){0, 0, 0, 0}, 4);
    assert_true(s.cost == 0);
    /* the walk's figure for a move */
    double x[4] = {9, 3, 4, 0}, y[4] = {6, 3, 7, 0};
    struct skew after;
    skew_fill(&s, x, 4);
    skew_fill(&after, y, 4);
    assert_true(fabs(skew_cost_of(&s, skew_squares_after(&s, 9, 6, 4, 7)) - after.cost) < 1e-12);
}

/* A total that rounding puts just below a whole multiple loses one unit: 0.2539 for 0.3615. */
static void test_rounding_trait(void **state)
{
    (void)state;
    double below = nextafter(8, 0);
    assert_true(skew_min(8, 4) == 0);
    assert_true(fabs(skew_min(below, 4) - 1) < 1e-6);
    double value = 0.3615 * skew_max(8, 4);
    assert_true(fabs(skew_scale(skew_min(8, 4), skew_max(8, 4), value) - 0.3615) < 1e-9);
    assert_true(fabs(skew_scale(skew_min(below, 4), skew_max(below, 4), value) - 0.2539) < 2e-4);
}

struct fixture {
    struct test_cluster t;
    struct balancer_block_share shares[240];
    struct balance_view view;
    struct balance_state st;
    struct balancer_options options;
    struct balance_costs costs;
};

/* |kind|: 0 whole loads, 1 fractional ones, 2 fractional ones whose sum is close to whole. */
static void setup(struct fixture *f, uint64_t seed, int kind)
{
    uint32_t n = 30;
    test_cluster_init(&f->t, 5, n, 4);
    f->t.cluster.n_tables = 3;
    for (uint32_t i = 0; i < n; i++) {
        struct balancer_region *r = &f->t.regions[i];
        r->table = i % 3;
        r->server = (uint32_t)(test_splitmix(&seed) % 5);
        r->write_rate = (double)(test_splitmix(&seed) % 900);
        r->read_rate = (double)(test_splitmix(&seed) % 50);
        r->memstore_rate = (double)(test_splitmix(&seed) % 14) / (kind ? 14 : 1);
        r->storefile_mb = (double)(test_splitmix(&seed) % 3000) / (kind ? 15 : 1);
        r->storefile_last_mb = (double)(test_splitmix(&seed) % 200);
        for (uint32_t k = 0; k < 3; k++)
            f->shares[3 * i + k] = (struct balancer_block_share){
                i, (uint32_t)(test_splitmix(&seed) % 5), (double)(1 + k) / 3};
    }
    if (kind == 2) {
        double sum = 0;
        for (uint32_t i = 0; i + 1 < n; i++)
            sum += f->t.regions[i].memstore_rate;
        f->t.regions[n - 1].memstore_rate = ceil(sum / 5) * 5 - sum;
    }
    f->t.cluster.block_shares = f->shares;
    f->t.cluster.n_block_shares = 3 * n;
    balancer_options_init(&f->options);
    assert_int_equal(0, balance_view_init(&f->view, &f->t.cluster, 0));
    assert_int_equal(0, balance_state_init(&f->st, &f->t.cluster, &f->view, 0));
    assert_int_equal(0, balance_costs_init(&f->costs, &f->st, &f->options));
}

static void teardown(struct fixture *f)
{
    balance_costs_free(&f->costs);
    balance_state_free(&f->st);
    balance_view_free(&f->view);
    test_cluster_free(&f->t);
}

/* What balance_costs_after says is what a state built from nothing costs after the action; and after
   many actions the kept figures still are. */
static void test_candidates_against_scratch(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct fixture f;
        struct test_draw d;
        struct balance_proposer p;
        double weight[GENERATORS];
        int kind = (int)(seed % 3);

        setup(&f, seed, kind);
        if (kind == 2)
            assert_true(f.costs.touchy[STATE_MEMSTORE]);
        assert_int_equal(0, balance_proposer_init(&p, &f.st, test_draw_init(&d, seed)));
        balance_costs_weights(&f.costs, weight);
        balance_proposer_weights(&p, weight);
        for (int step = 0; step < 200; step++) {
            struct balance_action a;
            struct balance_costs scratch;
            if (!balance_propose(&p, &a))
                continue;
            f.costs.total = (double)INFINITY; /* no early cut */
            double said = balance_costs_after(&f.costs, &f.st, &a);
            double locality = balance_costs_locality_after(&f.costs, &f.st, &a);
            assert_int_equal(0, state_apply(&f.st, &a));
            balance_costs_update(&f.costs, &f.st, &a, locality);
            assert_int_equal(0, balance_costs_init(&scratch, &f.st, &f.options));
            assert_true(fabs(scratch.total - said) < 1e-7);
            for (int k = 0; k < BALANCER_COSTS; k++)
                assert_true(fabs(scratch.cost[k] - f.costs.cost[k]) < 1e-9);
            balance_costs_free(&scratch);
            balance_costs_weights(&f.costs, weight);
            balance_proposer_weights(&p, weight);
        }
        balance_proposer_free(&p);
        teardown(&f);
    }
}

/* After a walk no single move or swap lowers the cost any more. */
static void test_walk_ends_in_an_optimum(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct fixture f;
        struct test_draw d;
        struct balance_walk_length length = {.steps = 30 * 800 * 5, .watch = 100};
        double before;

        setup(&f, seed, 0);
        before = f.costs.total;
        assert_int_equal(
            0, balance_walk(&f.st, &f.costs, test_draw_init(&d, seed), &length));
        assert_true(f.costs.total < before && length.accepted > 0);
        assert_true(length.accepted_by_watch <= length.accepted);
        for (uint32_t r = 0; r < f.st.n_regions; r++)
            for (uint32_t s = 0; s < 5; s++) {
                struct balance_action a = {f.st.regions[r].server, s, r, STATE_NONE};
                if (a.from == s)
                    continue;
                assert_true(balance_costs_after(&f.costs, &f.st, &a) >= f.costs.total - 1e-9);
                for (uint32_t i = 0; i < f.st.lists[s].count; i++) {
                    a.back = f.st.lists[s].region[i];
                    assert_true(balance_costs_after(&f.costs, &f.st, &a) >= f.costs.total - 1e-9);
                }
            }
        teardown(&f);
    }
}

/* The generators keep their shares: with the counts level and one cost left, everything is random;
   what the load generator proposes goes from a fullest to an emptiest server. */
static void test_generators(void **state)
{
    (void)state;
    struct fixture f;
    struct test_draw d;
    struct balance_proposer p;
    struct balance_action a;
    uint32_t swaps = 0, given = 0;

    setup(&f, 3, 0);
    assert_int_equal(0, balance_proposer_init(&p, &f.st, test_draw_init(&d, 9)));
    balance_proposer_weights(&p, (const double[GENERATORS]){0, 1, 0, 0});
    uint32_t most = 0, least = 30;
    for (uint32_t s = 0; s < 5; s++) {
        most = f.st.counts[s] > most ? f.st.counts[s] : most;
        least = f.st.counts[s] < least ? f.st.counts[s] : least;
    }
    for (int i = 0; i < 2000; i++) {
        assert_true(balance_propose(&p, &a));
        assert_int_equal(f.st.counts[a.from], most);
        assert_int_equal(f.st.counts[a.to], least);
        assert_int_equal(f.st.regions[a.region].server, a.from);
        swaps += a.back != STATE_NONE;
    }
    assert_in_range(swaps, 900, 1100);
    balance_proposer_weights(&p, (const double[GENERATORS]){1, 0, 0, 0});
    uint32_t pairs[5][5] = {{0}};
    for (int i = 0; i < 20000; i++) {
        assert_true(balance_propose(&p, &a));
        assert_true(f.st.counts[a.from] >= f.st.counts[a.to]);
        pairs[a.from < a.to ? a.from : a.to][a.from < a.to ? a.to : a.from]++;
        given += a.back == STATE_NONE;
    }
    assert_in_range(given, 9600, 10400);
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 5; j++)
            assert_in_range(pairs[i][j], 1800, 2200);
    balance_proposer_weights(&p, (const double[GENERATORS]){0, 0, 1, 0});
    for (int i = 0; i < 2000; i++) {
        assert_true(balance_propose(&p, &a));
        assert_int_equal(a.to, f.st.most_local[a.region]);
        if (a.back == STATE_NONE)
            assert_true(f.st.counts[a.to] < 6);
    }
    balance_proposer_free(&p);
    teardown(&f);
}

/* A null action leaves the cumulative shares behind as new weights (2.6.1); an action that is tried
   restores them. */
static void test_null_action_shifts_the_shares(void **state)
{
    (void)state;
    struct test_cluster t;
    struct balance_view view;
    struct balance_state st;
    struct balance_proposer p;
    struct balance_action a;
    struct test_draw d;

    test_cluster_init(&t, 5, 0, 1);
    t.cluster.n_tables = 1;
    assert_int_equal(0, balance_view_init(&view, &t.cluster, 0));
    assert_int_equal(0, balance_state_init(&st, &t.cluster, &view, 0));
    assert_int_equal(0, balance_proposer_init(&p, &st, test_draw_init(&d, 1)));
    balance_proposer_weights(&p, (const double[GENERATORS]){3, 0, 1, 0});
    assert_true(p.share[0] == 0.75 && p.share[1] == 0.75 && p.share[2] == 1 && p.share[3] == 1);
    assert_false(balance_propose(&p, &a)); /* no region anywhere */
    assert_true(fabs(p.share[0] - 0.75 / 3.5) < 1e-12 && fabs(p.share[2] - 2.5 / 3.5) < 1e-12);
    balance_proposer_free(&p);
    balance_state_free(&st);
    balance_view_free(&view);
    test_cluster_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skew),
        cmocka_unit_test(test_rounding_trait),
        cmocka_unit_test(test_candidates_against_scratch),
        cmocka_unit_test(test_walk_ends_in_an_optimum),
        cmocka_unit_test(test_generators),
        cmocka_unit_test(test_null_action_shifts_the_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
