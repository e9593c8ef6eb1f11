/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Servers that come and go, and the balancer at work on a running cluster. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "hbase/model/model.h"
#include "sim/sim.h"
#include "tests/sim/iot.h"

enum { SERVERS = 12, BUCKETS = 16 };

static struct spec_event *add_event(struct spec *sp, double at_s, enum spec_event_kind kind, int server)
{
    struct spec_event *ev = iot_event(sp, at_s, kind);

    ev->count = 1;
    ev->server = server;
    return ev;
}

/* One region of the table, or of another one where |table| says so. */
static void place(struct spec *sp, int server, const char *table, const uint8_t *start, size_t len)
{
    struct spec_cluster *cl = &sp->cluster;
    struct spec_state_region *all = realloc(cl->state, (cl->state_len + 1) * sizeof *all);

    if (!all)
        abort();
    cl->state = all;
    all += cl->state_len++;
    memset(all, 0, sizeof *all);
    all->server = server;
    all->table = iot_copy(table);
    all->start.bytes = iot_zeroed(len + 1);
    memcpy(all->start.bytes, start, len);
    all->start.len = len;
}

/* 16 buckets of three regions each; the last one of a bucket takes its writes. All tails on the first
   |hot| servers, the others so that each of |servers| has as many regions as any other. */
static void stack(struct spec *sp, int hot, int servers)
{
    int others = hot, tail = 0;

    for (int b = 0; b < BUCKETS; b++) {
        for (int k = 0; k < 3; k++) {
            const uint8_t start[] = {(uint8_t)b, 0, 0, 1, (uint8_t)k};
            const int server = k == 2 ? tail++ % hot : others++;

            place(sp, server, "telemetry", start, b == 0 && k == 0 ? 0 : k == 0 ? 1 : sizeof start);
            others = others == servers ? hot : others;
        }
    }
}

static void run_spec(const struct spec *sp, const struct sim_control *control, struct result_run *run)
{
    struct sim_end end;

    result_run_init(run);
    assert_int_equal(sim_run(sp, control, run, &end), 0);
    assert_true(run->summary.writes_offered ==
                run->summary.writes_done + run->summary.writes_rejected + run->summary.writes_queued);
}

static const struct result_event *find(const struct result_run *run, const char *kind, const char *rule, size_t from)
{
    for (size_t i = from; i < run->events_len; i++)
        if (strcmp(run->events[i].kind, kind) == 0 && (!rule || strcmp(run->events[i].rule, rule) == 0))
            return &run->events[i];
    return NULL;
}

/* ---- the two answers ---- */

static void write_skew_alone_never_starts_a_run_and_the_report_says_so(void **state)
{
    struct spec sp;
    struct result res;
    struct sim_end end;
    bool stacked = false, cure = false;

    (void)state;
    iot_spec(&sp, BUCKETS, 1500, 100);
    stack(&sp, 4, SERVERS);
    result_init(&res);
    assert_int_equal(sim_all(&sp, 1, NULL, &res, &end), 0);
    assert_true(res.run.summary.tails_per_server_max == 4);
    assert_true(res.run.summary.hot_server_ratio > 2.9);
    assert_true(res.run.summary.stacked_s == 1500);
    assert_true(res.run.summary.balancer_looked == 5 && res.run.summary.balancer_ran == 0);
    assert_true(res.run.summary.moves == 0);
    for (size_t i = 0; i < res.diagnostics_len; i++) {
        stacked |= strcmp(res.diagnostics[i].id, "W-STACKED") == 0 &&
                   strstr(res.diagnostics[i].text, "writes alone never reach its threshold");
        cure |= strcmp(res.diagnostics[i].id, "N-CURE") == 0 && strstr(res.diagnostics[i].text, "writeRequestCost=");
    }
    assert_true(stacked && cure);
    result_free(&res);
    spec_free(&sp);
}

/* The weight that the report names starts a run, one below it doesn't. */
static void the_named_weight_cures(void **state)
{
    struct spec sp;
    struct result_run run;
    const struct result_event *cure;
    double weight;

    (void)state;
    iot_spec(&sp, BUCKETS, 910, 100);
    stack(&sp, 4, SERVERS);
    run_spec(&sp, NULL, &run);
    cure = find(&run, "cure", "hbase.master.balancer.stochastic.writeRequestCost", 0);
    assert_non_null(cure);
    assert_non_null(find(&run, "cure", "move", 0));
    weight = strtod(strstr(cure->text, "writeRequestCost=") + strlen("writeRequestCost="), NULL);
    assert_true(weight > 5);
    result_run_free(&run);
    sp.hbase.balance.write_request_cost = weight * 0.8;
    run_spec(&sp, NULL, &run);
    assert_true(run.summary.balancer_ran == 0);
    result_run_free(&run);
    sp.hbase.balance.write_request_cost = weight * 1.1;
    run_spec(&sp, NULL, &run);
    assert_true(run.summary.balancer_ran >= 1);
    assert_true(run.windows[run.windows_len - 1].hot_server_ratio < 2);
    result_run_free(&run);
    spec_free(&sp);
}

/* It gets floor(48 / 12) regions at the next period, and that run parts tails as far as it pays. */
static void an_added_server_is_filled_and_the_same_run_unstacks(void **state)
{
    struct spec sp;
    struct result_run run;
    const struct result_event *e;
    double to_new = 0;

    (void)state;
    iot_spec(&sp, BUCKETS, 700, 100);
    sp.cluster.servers = SERVERS - 1;
    stack(&sp, 4, SERVERS - 1);
    add_event(&sp, 400, SPEC_EVENT_ADD, -1);
    run_spec(&sp, NULL, &run);
    assert_int_equal(run.servers_len, SERVERS);
    e = find(&run, "balancer", "idle-server", 0);
    assert_non_null(e);
    assert_true(e->at_s == 600);
    assert_true(result_event_input(e, "count_min") == 0);
    assert_true(result_event_input(e, "hot_ratio") > 2.5 &&
                result_event_input(e, "hot_ratio_after") < 0.8 * result_event_input(e, "hot_ratio"));
    for (size_t i = 0; i < run.events_len; i++)
        to_new += strcmp(run.events[i].kind, "move") == 0 && run.events[i].to_server == SERVERS - 1;
    assert_true(to_new == 4);
    assert_true(run.servers[SERVERS - 1].regions_end == 4);
    assert_true(run.servers[SERVERS - 1].up_s == 300);
    result_run_free(&run);
    spec_free(&sp);
}

/* ---- a crash ---- */

/* Rows in memstores and files, for tables that don't split. */
struct stored {
    struct model *m;
    uint64_t rows, writes;
};

static void take_model(void *context, struct model *m)
{
    ((struct stored *)context)->m = m;
}

static void count_stored(void *context, double share)
{
    struct stored *st = context;

    (void)share;
    st->rows = st->writes = 0;
    for (size_t i = 0; i < st->m->regions_len; i++) {
        const struct region *r = st->m->regions[i];

        if (r->table < 0)
            continue;
        st->writes += r->writes;
        st->rows += r->stores[0].active.rows + r->stores[0].snapshot.rows;
        for (size_t f = 0; f < r->stores[0].files_len; f++)
            st->rows += r->stores[0].files[f]->rows;
    }
}

static void a_server_that_dies_at_peak_loses_nothing(void **state)
{
    struct stored st = {0};
    const struct sim_control control = {.progress = count_stored, .context = &st, .built = take_model};
    struct spec sp;
    struct result_run run;
    const struct result_event *lost, *back;
    double losses = 0, blocked = 0, most_queued = 0;

    (void)state;
    iot_spec(&sp, BUCKETS, 900, 100);
    sp.hbase.split_policy = SPEC_SPLIT_DISABLED;
    sp.window_ns = 10 * SPEC_NS_PER_S;
    add_event(&sp, 305, SPEC_EVENT_LOSE, 1);
    run_spec(&sp, &control, &run);
    lost = find(&run, "lose server", NULL, 0);
    back = find(&run, "recovered", NULL, 0);
    assert_true(lost && back);
    assert_true(result_event_input(lost, "memstore_bytes") > 1e6 &&
                result_event_input(lost, "wal_bytes") >= result_event_input(lost, "memstore_bytes"));
    assert_true(result_event_input(back, "regions") == result_event_input(lost, "regions"));
    /* The session timeout, the log's splitting, the batch, replay and open. */
    assert_true(back->at_s > 305 + 90 && back->at_s < 305 + 110);
    for (size_t i = 0; i < run.windows_len; i++) {
        losses += run.windows[i].connection_losses;
        blocked += run.windows[i].blocked_s;
        most_queued = fmax(most_queued, run.windows[i].queued);
        assert_true(run.windows[i].end_s <= 300 ? run.windows[i].servers == 12 : run.windows[i].servers < 12);
    }
    assert_true(losses > 0 && losses == run.summary.connection_losses);
    assert_true(most_queued > 1e6);           /* they wait in their clients ... */
    assert_true(run.summary.writes_rejected == 0);
    assert_true(run.summary.writes_queued < 60000); /* ... and are written in the end */
    assert_true(st.rows == st.writes);
    assert_true(run.servers[1].up_s == 305 && run.servers[1].regions_end == 0);
    assert_true(blocked >= 95 * (result_event_input(lost, "regions") - 2));
    for (size_t i = 0; i < run.regions_len; i++)
        assert_true(run.regions[i].server_end != 1);
    result_run_free(&run);
    spec_free(&sp);
}

/* No client waits so long: the rows that they give up are counted. */
static void clients_without_patience_reject(void **state)
{
    struct spec sp;
    struct result_run run;

    (void)state;
    iot_spec(&sp, BUCKETS, 450, 100);
    sp.hbase.client_retries = 3;
    add_event(&sp, 305, SPEC_EVENT_LOSE, 1);
    run_spec(&sp, NULL, &run);
    assert_true(run.summary.writes_rejected > 0);
    result_run_free(&run);
    spec_free(&sp);
}

/* With the last but one server, too, and the balancer between them. */
static void servers_may_die_one_after_the_other(void **state)
{
    struct stored st = {0};
    const struct sim_control control = {.progress = count_stored, .context = &st, .built = take_model};
    struct spec sp;
    struct result_run run;

    (void)state;
    iot_spec(&sp, BUCKETS, 700, 100);
    sp.hbase.split_policy = SPEC_SPLIT_DISABLED;
    sp.hbase.balance.session_timeout_ns = 2 * SPEC_NS_PER_S;
    sp.hbase.balancer_period_ns = 20 * SPEC_NS_PER_S;
    for (int s = 0; s < 10; s++)
        add_event(&sp, 30 + 3.5 * s, SPEC_EVENT_LOSE, s);
    run_spec(&sp, &control, &run);
    assert_true(st.rows == st.writes);
    assert_true(run.servers[10].regions_end + run.servers[11].regions_end == 18);
    for (int s = 0; s < 10; s++)
        assert_true(run.servers[s].regions_end == 0);
    result_run_free(&run);
    spec_free(&sp);
}

/* ---- what an operator does ---- */

static void a_drained_server_empties_and_stays_empty(void **state)
{
    struct spec sp;
    struct result_run run;

    (void)state;
    iot_spec(&sp, BUCKETS, 700, 100);
    add_event(&sp, 100, SPEC_EVENT_DRAIN, 3);
    run_spec(&sp, NULL, &run);
    assert_true(run.servers[3].regions_start > 0 && run.servers[3].regions_end == 0);
    assert_true(run.servers[3].up_s == 700);
    assert_true(run.windows[run.windows_len - 1].server_writes[3] == 0);
    result_run_free(&run);
    spec_free(&sp);
}

static void a_restart_gives_the_regions_back(void **state)
{
    struct spec sp;
    struct result_run run;
    const struct result_event *e;

    (void)state;
    iot_spec(&sp, BUCKETS, 280, 100);
    add_event(&sp, 100, SPEC_EVENT_RESTART, 3);
    run_spec(&sp, NULL, &run);
    e = find(&run, "restarted", NULL, 0);
    assert_non_null(e);
    assert_true(e->at_s > 130 && e->at_s < 140);
    assert_true(run.servers[3].up_s == 250);
    for (size_t i = 0; i < run.regions_len; i++)
        assert_int_equal(run.regions[i].server_start, run.regions[i].server_end);
    result_run_free(&run);
    spec_free(&sp);
}

static void a_rolling_restart_leaves_the_placement(void **state)
{
    struct spec sp;
    struct result_run run;
    size_t restarted = 0;

    (void)state;
    iot_spec(&sp, BUCKETS, 1000, 20);
    add_event(&sp, 10, SPEC_EVENT_ROLLING_RESTART, -1);
    run_spec(&sp, NULL, &run);
    for (size_t i = 0; i < run.events_len; i++)
        restarted += strcmp(run.events[i].kind, "restarted") == 0;
    assert_int_equal(restarted, SERVERS);
    assert_non_null(find(&run, "balancer", "switch", 0));
    result_run_free(&run);
    spec_free(&sp);
}

static void a_region_is_moved_by_its_row(void **state)
{
    struct spec sp;
    struct result_run run;
    struct spec_event *ev;
    const struct result_event *e;

    (void)state;
    iot_spec(&sp, BUCKETS, 60, 100);
    ev = add_event(&sp, 30, SPEC_EVENT_MOVE, 7);
    ev->table = iot_copy("telemetry");
    ev->key.bytes = iot_zeroed(3);
    memcpy(ev->key.bytes, "\x03z", 2);
    ev->key.len = 2;
    run_spec(&sp, NULL, &run);
    e = find(&run, "move", "scenario", 0);
    assert_non_null(e);
    assert_int_equal(run.regions[e->region].bucket, 3);
    assert_int_equal(run.regions[e->region].server_end, 7);
    result_run_free(&run);
    spec_free(&sp);
}

/* ---- the balancer's settings ---- */

static void pack(struct spec *sp)
{
    for (int b = 0; b < BUCKETS; b++) {
        const uint8_t start = (uint8_t)b;

        place(sp, b % 2, "telemetry", &start, b > 0);
    }
}

static void off_means_off(void **state)
{
    struct spec sp;
    struct result_run run;

    (void)state;
    iot_spec(&sp, BUCKETS, 700, 20);
    pack(&sp);
    sp.hbase.balance.balancer = SPEC_BALANCER_OFF;
    run_spec(&sp, NULL, &run);
    assert_true(run.summary.balancer_looked == 0 && run.summary.moves == 0);
    result_run_free(&run);
    sp.hbase.balance.balancer = SPEC_BALANCER_STOCHASTIC;
    add_event(&sp, 1, SPEC_EVENT_BALANCER_OFF, -1);
    add_event(&sp, 400, SPEC_EVENT_BALANCER_ON, -1);
    run_spec(&sp, NULL, &run);
    assert_true(find(&run, "balancer", "switch", 0)->at_s == 300);
    assert_true(find(&run, "move", NULL, 0)->at_s >= 600);
    result_run_free(&run);
    spec_free(&sp);
}

static void simple_balances_counts(void **state)
{
    struct spec sp;
    struct result_run run;

    (void)state;
    iot_spec(&sp, BUCKETS, 400, 20);
    pack(&sp);
    sp.hbase.balance.balancer = SPEC_BALANCER_SIMPLE;
    run_spec(&sp, NULL, &run);
    for (int s = 0; s < SERVERS; s++)
        assert_true(run.servers[s].regions_end == 1 || run.servers[s].regions_end == 2);
    result_run_free(&run);
    spec_free(&sp);
}

/* Moves of a minute, one at a time, 25 s for all: one begins, the rest waits for the next run. */
static void a_run_stops_when_its_time_is_over(void **state)
{
    struct spec sp;
    struct result_run run;
    const struct result_event *cut;

    (void)state;
    iot_spec(&sp, BUCKETS, 420, 20);
    pack(&sp);
    sp.server.move_outage_ns = 60 * SPEC_NS_PER_S;
    sp.hbase.balance.max_balancing_ns = 25 * SPEC_NS_PER_S;
    sp.hbase.balance.max_rit_percent = 0.01; /* one at a time */
    run_spec(&sp, NULL, &run);
    cut = find(&run, "balancer", "hbase.balancer.max.balancing", 0);
    assert_non_null(cut);
    assert_true(result_event_input(cut, "moves_started") == 1 && result_event_input(cut, "moves_planned") > 5);
    result_run_free(&run);
    spec_free(&sp);
}

static void daughters_part_when_told_to(void **state)
{
    struct spec sp;
    struct result_run run;
    size_t apart = 0;

    (void)state;
    iot_spec(&sp, BUCKETS, 900, 100);
    sp.hbase.balance.separate_daughters = true;
    sp.hbase.balance.balancer = SPEC_BALANCER_OFF;
    run_spec(&sp, NULL, &run);
    assert_true(run.summary.splits == 8);
    for (size_t i = 0; i < run.regions_len; i++)
        apart += run.regions[i].parent >= 0 &&
                 run.regions[i].server_start != run.regions[run.regions[i].parent].server_end;
    assert_int_equal(apart, 8);
    result_run_free(&run);
    spec_free(&sp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(write_skew_alone_never_starts_a_run_and_the_report_says_so),
        cmocka_unit_test(the_named_weight_cures),
        cmocka_unit_test(an_added_server_is_filled_and_the_same_run_unstacks),
        cmocka_unit_test(a_server_that_dies_at_peak_loses_nothing),
        cmocka_unit_test(clients_without_patience_reject),
        cmocka_unit_test(servers_may_die_one_after_the_other),
        cmocka_unit_test(a_drained_server_empties_and_stays_empty),
        cmocka_unit_test(a_restart_gives_the_regions_back),
        cmocka_unit_test(a_rolling_restart_leaves_the_placement),
        cmocka_unit_test(a_region_is_moved_by_its_row),
        cmocka_unit_test(off_means_off),
        cmocka_unit_test(simple_balances_counts),
        cmocka_unit_test(a_run_stops_when_its_time_is_over),
        cmocka_unit_test(daughters_part_when_told_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
