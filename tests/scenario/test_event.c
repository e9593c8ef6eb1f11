/* SPDX-License-Identifier: GPL-3.0-or-later */
/* [event], [cluster] state and the balancer's properties: what is read, what prints back, and that
   a server that can't be there is named where it stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "scenario/scenario.h"
#include "tests/scenario/print.h"

#define GOOD                                                                                                 \
    "[cluster]\nservers = 3\n[table t]\nkey = ts:be64 device:be32\n[family t/d]\ncolumn = v:100\n"           \
    "[stream s]\ntables = t\nentities = 10\narrival = every 1s\n[scenario]\nduration = 10m\n"

static enum scenario_status parse(const char *text, struct scenario *sc, struct scenario_diags *dgs)
{
    const struct scenario_text input = {"a.ini", text, strlen(text)};

    memset(dgs, 0, sizeof *dgs);
    return scenario_parse(&input, NULL, 0, sc, dgs);
}

static const struct spec_event *one_event(const char *what, struct scenario *sc)
{
    struct scenario_diags dgs;
    char text[1000];

    snprintf(text, sizeof text, GOOD "[event x]\nat = 1m\ndo = %s\n[table u]\nkey = a:be32\n[family u/d]\ncolumn = v:1\n",
             what);
    assert_int_equal(parse(text, sc, &dgs), SCENARIO_OK);
    diags_free(&dgs);
    assert_int_equal(sc->spec.events_len, 1);
    assert_int_equal(sc->spec.events[0].at_ns, 60 * SPEC_NS_PER_S);
    return &sc->spec.events[0];
}

static void each_happening_is_read_and_prints_back(void **state)
{
    static const struct {
        const char *text;
        enum spec_event_kind kind;
        int server, count;
    } rows[] = {
        {"add server", SPEC_EVENT_ADD, -1, 1},
        {"add 3 servers", SPEC_EVENT_ADD, -1, 3},
        {"lose server rs02", SPEC_EVENT_LOSE, 2, 0},
        {"drain rs00", SPEC_EVENT_DRAIN, 0, 0},
        {"restart rs01", SPEC_EVENT_RESTART, 1, 0},
        {"rolling restart", SPEC_EVENT_ROLLING_RESTART, -1, 0},
        {"move t,\\x03\\x3B rs01", SPEC_EVENT_MOVE, 1, 0},
        {"move t,", SPEC_EVENT_MOVE, -1, 0},
        {"balance", SPEC_EVENT_BALANCE, -1, 0},
        {"balancer on", SPEC_EVENT_BALANCER_ON, -1, 0},
        {"balancer off", SPEC_EVENT_BALANCER_OFF, -1, 0},
        {"split t,\\x03", SPEC_EVENT_SPLIT, -1, 0},
        {"split t, \\x03\\xFF", SPEC_EVENT_SPLIT, -1, 0},
        {"merge t, t,\\x04", SPEC_EVENT_MERGE, -1, 0},
        {"flush t", SPEC_EVENT_FLUSH, -1, 0},
        {"flush t,\\x01", SPEC_EVENT_FLUSH, -1, 0},
        {"compact t", SPEC_EVENT_COMPACT, -1, 0},
        {"major_compact t,", SPEC_EVENT_MAJOR_COMPACT, -1, 0},
        {"create u", SPEC_EVENT_CREATE_TABLE, -1, 0},
        {"drop u", SPEC_EVENT_DROP_TABLE, -1, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scenario sc;
        struct text printed = {0};
        char line[100];
        const struct spec_event *ev = one_event(rows[i].text, &sc);

        assert_int_equal(ev->kind, rows[i].kind);
        assert_int_equal(ev->server, rows[i].server);
        assert_int_equal(ev->count, rows[i].count);
        print_scenario(&sc, &printed);
        snprintf(line, sizeof line, "\ndo = %s\n", rows[i].text);
        assert_non_null(strstr(printed.chars, line));
        text_free(&printed);
        scenario_free(&sc);
    }
}

static void the_moved_region_is_named_by_a_row(void **state)
{
    struct scenario sc;
    const struct spec_event *ev = one_event("move t,\\x03a rs01", &sc);

    (void)state;
    assert_string_equal(ev->table, "t");
    assert_int_equal(ev->key.len, 2);
    assert_memory_equal(ev->key.bytes, "\x03" "a", 2);
    scenario_free(&sc);
}

#define EVENT(name, at, what) "[event " name "]\nat = " at "\ndo = " what "\n"

static void mistakes_are_located(void **state)
{
    static const struct {
        const char *text, *message;
        int line, column;
    } rows[] = {
        {EVENT("a", "1m", "lose server rs01") EVENT("b", "2m", "move t, rs01"),
         "do: can't move a region to rs01: it was lost at a.ini:15", 18, 6},
        {EVENT("b", "2m", "lose server rs01") EVENT("a", "1m", "lose server rs01"),
         "do: can't lose rs01: it was lost at a.ini:18", 15, 6},
        {EVENT("a", "1m", "drain rs01") EVENT("b", "2m", "move t, rs01"),
         "do: can't move a region to rs01: it was drained at a.ini:15", 18, 6},
        {EVENT("a", "1m", "lose server rs03"), "do: there is no rs03 at that time to lose", 15, 6},
        {EVENT("a", "1m", "lose server rs03") EVENT("b", "2m", "add server"),
         "do: there is no rs03 at that time to lose", 15, 6},
        {EVENT("a", "10m", "balance"), "at: 10m is not before the end of the run, 10m", 14, 6},
        {EVENT("a", "-1m", "balance"), "at: a negative value makes no sense here", 14, 6},
        {EVENT("a", "1m", "lose server rs00") EVENT("b", "2m", "lose server rs01") EVENT("c", "3m", "lose server rs02"),
         "do: rs02 is the last server; none would be left", 21, 6},
        {EVENT("a", "1m", "move u, rs01"), "do: unknown table 'u'", 15, 6},
        {EVENT("a", "1m", "move t rs01"), "do: 't' names no region; write TABLE,KEY (TABLE, is the first one)", 15, 11},
        {EVENT("a", "1m", "move t,\\x3 rs01"), NULL, 15, 0},
        {EVENT("a", "1m", "lose rs01"), "do: lose what? Write lose server rs00", 15, 11},
        {EVENT("a", "1m", "lose server 1"), "do: '1' is no server; they are rs00, rs01, ...", 15, 18},
        {EVENT("a", "1m", "add 0 servers"), "do: 1 to 10000 servers can be added at once", 15, 10},
        {EVENT("a", "1m", "split t"), "do: 't' names no region; write TABLE,KEY (TABLE, is the first one)", 15, 12},
        {EVENT("a", "1m", "merge t,"), "do: with which region? Write merge TABLE,KEY TABLE,KEY", 15, 14},
        {EVENT("a", "1m", "merge t, u,"), "do: regions of two tables can't be merged", 15, 15},
        {EVENT("a", "1m", "create t"), "it writes to 't' before the table is created (a.ini:13)", 7, 1},
        {EVENT("a", "1m", "drop t"), "it writes to 't' after the table is dropped (a.ini:13)", 7, 1},
        {EVENT("a", "1m", "drop u") EVENT("b", "2m", "flush u") "[table u]\nkey = a:be32\n[family u/d]\ncolumn = v:1\n",
         "do: the table 'u' isn't there at that time", 18, 6},
        {EVENT("a", "1m", "flush u"), "do: unknown table 'u'", 15, 6},
        {EVENT("a", "1m", "compact t rs00"), NULL, 15, 0},
        {EVENT("a", "1m", "flusch t"), NULL, 15, 0},
        {EVENT("a", "1m", "explode"), "do: unknown happening 'explode'", 15, 6},
        {EVENT("a", "1m", "balancer maybe"), "do: write balancer on, or balancer off", 15, 15},
        {"[table u]\nkey = a:be32\nregion_replication = 3\n[family u/d]\ncolumn = v:1\n",
         "'region_replication' in [table] is not yet supported by this version (replicas of regions are not modelled: each "
         "region has one copy)", 15, 1},
        {"[hbase]\nhbase.regions.slop = -2\n", "hbase.regions.slop: '-2' is out of range: -1 to 1000000", 14, 22},
        {"[hbase]\nhbase.master.loadbalance.bytable = yes\n",
         "hbase.master.loadbalance.bytable: 'yes' is neither true nor false", 14, 36},
        {"[hbase]\nhbase.master.loadbalancer.class = SimplLoadBalancer\n",
         "hbase.master.loadbalancer.class: unknown balancer 'SimplLoadBalancer'; did you mean 'SimpleLoadBalancer'?", 14,
         35},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scenario sc;
        struct scenario_diags dgs;
        char text[1500];

        snprintf(text, sizeof text, GOOD "%s", rows[i].text);
        assert_int_equal(parse(text, &sc, &dgs), SCENARIO_INVALID);
        if (rows[i].message) {
            assert_string_equal(dgs.items[0].message, rows[i].message);
            assert_int_equal(dgs.errors, 1);
        }
        assert_int_equal(dgs.items[0].line, rows[i].line);
        if (rows[i].column > 0)
            assert_int_equal(dgs.items[0].column, rows[i].column);
        scenario_free(&sc);
        diags_free(&dgs);
    }
}

static void no_server_at_all_is_refused(void **state)
{
    struct scenario sc;
    struct scenario_diags dgs;

    (void)state;
    assert_int_equal(parse("[cluster]\nservers = 0\n", &sc, &dgs), SCENARIO_INVALID);
    assert_string_equal(dgs.items[0].message, "servers: '0' is out of range: 1 to 10000");
    assert_int_equal(dgs.items[0].line, 2);
    scenario_free(&sc);
    diags_free(&dgs);
}

static enum scenario_status with_state(const char *content, struct scenario *sc, struct scenario_diags *dgs)
{
    char name[] = "state-XXXXXX", text[1500];
    const int fd = mkstemp(name);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    enum scenario_status status;

    assert_non_null(f);
    fputs(content, f);
    fclose(f);
    snprintf(text, sizeof text, "[cluster]\nservers = 3\nstate = %s\n%s", name, &GOOD[strlen("[cluster]\nservers = 3\n")]);
    status = parse(text, sc, dgs);
    unlink(name);
    return status;
}

static void a_state_file_is_read(void **state)
{
    struct scenario sc;
    struct scenario_diags dgs;
    const struct spec_state_region *r;

    (void)state;
    assert_int_equal(with_state("# a comment\nserver\ttable\tregion\tstart\tstore_mb\twrite_delta\tread_delta\tmem_mb_1\t"
                                "mem_mb_2\tlocal\n"
                                "rs00\tt\t0\t-\t200\t270000\t60\t1\t2\t-\n"
                                "rs02\tt\t1\t01fF\t0.5\t4285\t0\t0\t0\trs00,rs02\n"
                                "rs01\thbase:meta\t0\t-\t0\t0\t60\t0\t0\t-\n", &sc, &dgs), SCENARIO_OK);
    assert_int_equal(sc.spec.cluster.state_len, 3);
    r = &sc.spec.cluster.state[1];
    assert_int_equal(r->server, 2);
    assert_string_equal(r->table, "t");
    assert_int_equal(r->start.len, 2);
    assert_memory_equal(r->start.bytes, "\x01\xff", 2);
    assert_true(r->store_mb == 0.5 && r->write_delta == 4285);
    assert_int_equal(r->local_len, 2);
    assert_int_equal(r->local[1], 2);
    assert_true(sc.spec.cluster.state[0].memstore_mb[1] == 2);
    scenario_free(&sc);
    diags_free(&dgs);
}

static void a_bad_state_file_is_located(void **state)
{
    static const struct {
        const char *content, *message;
    } rows[] = {
        {"server\ttable\tstart\nrs00\tt\t-\nrs03\tt\t01\n", "has a server rs03, but the cluster has 3"},
        {"server\ttable\tstart\nrs00\tt\t01\n", "no region of 't' starts with the empty key (-)"},
        {"server\ttable\tstart\nrs00\tt\n", ":2: fewer values than columns"},
        {"server\ttable\tstart\nrs00\tt\t-\t5\n", ":2: more values than columns"},
        {"server\ttable\tstart\nrs00\tt\t0g\n", ":2: a start key is written in hexadecimal digits, or as -"},
        {"server\ttable\nrs00\tt\n", ":1: the first line must name the columns server, table and start"},
        {"server\ttable\tstart\tstore_mb\nrs00\tt\t-\tmuch\n", ":2: a number is expected"},
        {"# nothing\n", ":1: the file has no region"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scenario sc;
        struct scenario_diags dgs;

        assert_int_equal(with_state(rows[i].content, &sc, &dgs), SCENARIO_INVALID);
        assert_non_null(strstr(dgs.items[0].message, rows[i].message));
        assert_int_equal(dgs.items[0].line, 3);
        scenario_free(&sc);
        diags_free(&dgs);
    }
}

static void a_copy_has_its_own_events_and_state(void **state)
{
    struct scenario sc;
    struct scenario_diags dgs;
    struct spec copy;

    (void)state;
    assert_int_equal(with_state("server\ttable\tstart\tlocal\nrs00\tt\t-\trs00\n", &sc, &dgs), SCENARIO_OK);
    assert_int_equal(spec_copy(&sc.spec, &copy), 0);
    scenario_free(&sc);
    diags_free(&dgs);
    assert_string_equal(copy.cluster.state[0].table, "t");
    assert_int_equal(copy.cluster.state[0].local[0], 0);
    spec_free(&copy);
    one_event("move t,\\x03 rs01", &sc);
    assert_int_equal(spec_copy(&sc.spec, &copy), 0);
    scenario_free(&sc);
    assert_string_equal(copy.events[0].table, "t");
    assert_int_equal(copy.events[0].key.bytes[0], 3);
    spec_free(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_happening_is_read_and_prints_back),
        cmocka_unit_test(the_moved_region_is_named_by_a_row),
        cmocka_unit_test(mistakes_are_located),
        cmocka_unit_test(no_server_at_all_is_refused),
        cmocka_unit_test(a_state_file_is_read),
        cmocka_unit_test(a_bad_state_file_is_located),
        cmocka_unit_test(a_copy_has_its_own_events_and_state),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
