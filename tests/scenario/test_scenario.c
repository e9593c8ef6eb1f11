/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/key.h"
#include "scenario/scenario.h"
#include "tests/scenario/print.h"

#define CLUSTER "[cluster]\nservers = 12\n"
#define TABLE "[table t]\nkey = ts:be64 device:fixed(16)\nsalt = phoenix\nbuckets = 16\n"
#define FAMILY "[family t/d]\ncolumn = v:100\n"
#define STREAM "[stream s]\ntables = t\nentities = 200k\narrival = every 5s\n"
#define GOOD CLUSTER TABLE FAMILY STREAM

static enum scenario_status parse(const char *text, const struct scenario_override *ovr, size_t len,
                                  struct scenario *sc, struct scenario_diags *dgs)
{
    struct scenario_text input = {"a.ini", text, strlen(text)};

    memset(dgs, 0, sizeof *dgs);
    return scenario_parse(&input, ovr, len, sc, dgs);
}

static void a_small_scenario_is_complete(void **state)
{
    struct scenario sc;
    struct scenario_diags dgs;
    const struct spec *sp = &sc.spec;

    (void)state;
    assert_int_equal(parse(GOOD "clients = 8 buffered\npopularity = hot 2 30%\n", NULL, 0, &sc, &dgs), SCENARIO_OK);
    assert_int_equal(dgs.len, 0);
    assert_string_equal(sp->base_name, "a");
    assert_int_equal(sp->cluster.servers, 12);
    assert_int_equal(sp->tables_len, 1);
    assert_int_equal(sp->tables[0].buckets, 16);
    assert_string_equal(sp->tables[0].key, "ts:be64 device:fixed(16)");
    assert_int_equal(sp->tables[0].splits, SPEC_SPLITS_BUCKETS);
    assert_string_equal(sp->tables[0].families[0].name, "d");
    assert_int_equal(sp->tables[0].families[0].blocksize_bytes, 65536);
    assert_true(sp->tables[0].families[0].bloom_row);
    assert_true(sp->streams[0].rate_per_s > 39999.9 && sp->streams[0].rate_per_s < 40000.1);
    assert_int_equal(sp->streams[0].clients, 8);
    assert_int_equal(sp->streams[0].buffer_bytes, 2097152);
    assert_int_equal(sp->streams[0].hot_entities, 2);
    assert_int_equal(sp->hbase.max_callqueue_length, 300);
    assert_false(sp->has_plan);
    scenario_free(&sc);
    diags_free(&dgs);
}

/* One mistake a row, one message, at its place. What the row says is added behind GOOD. */
static void mistakes_get_one_message_each(void **state)
{
    static const struct {
        const char *text;
        int line, column;
        const char *message;
    } rows[] = {
        {TABLE FAMILY STREAM, 0, 0, "section [cluster] needs the key 'servers'"},
        {CLUSTER TABLE FAMILY, 0, 0, "the scenario has no stream: nobody writes"},
        {CLUSTER TABLE STREAM, 3, 1, "the table 't' has no family"},
        {GOOD "[family x/d]\ncolumn = v:1\n", 13, 1, "unknown table 'x'; did you mean 't'?"},
        {GOOD "[query q]\ntable = tt\nkind = full\nrate = 1/s\n", 14, 9, "unknown table 'tt'; did you mean 't'?"},
        {GOOD "[query q]\ntable = t\nkind = history devise 1d\nrate = 1/s\n", 15, 16,
         "unknown field 'devise'; the key of 't' is ts:be64 device:fixed(16)"},
        {GOOD "[query q]\ntable = t\nkind = history ts 1d\nrate = 1/s\n", 15, 16, "the field 'ts' carries no entity"},
        {GOOD "[query q]\ntable = t\nkind = history 1d\nrate = 1/s\n", 15, 18,
         "kind: the length of time is missing"},
        {GOOD "[query q]\ntable = t\nkind = newest 0\nrate = 1/s\n", 15, 15, "kind: newest 0 asks for no row"},
        {GOOD "[query q]\ntable = t\nkind = range 0\nrate = 1/s\n", 15, 14, "kind: a length of 0 holds no row"},
        {GOOD "[query q]\ntable = t\nkind = full\nrate = 0/s\n", 16, 8,
         "rate: '0/s' is out of range: more than 0, at most 1G/s"},
        {GOOD "[query q]\ntable = t\nkind = pefix a\nrate = 1/s\n", 15, 8,
         "kind: unknown kind 'pefix'; did you mean 'prefix'?"},
        {GOOD "[query q]\ntable = t\nkind = prefix \\xzz\nrate = 1/s\n", 15, 15, NULL},
        {CLUSTER "[table t]\nkey = ts:be64 device:fixed(8)\n" FAMILY STREAM, 4, 15,
         "the entity dev-000000199999 of [stream s] (a.ini:7) does not fit: field 'device': value longer than its field"},
        {CLUSTER "[table t]\nkey = ts:be32 device:fixed(16)\n" FAMILY STREAM, 4, 7, NULL},
        {CLUSTER "[table t]\nkey = device:dec(5) ts:be64\n" FAMILY STREAM, 4, 7, NULL},
        {CLUSTER "[table t]\nkey = seq:dec(4)\n" FAMILY STREAM, 4, 7, NULL},
        {CLUSTER "[table t]\nkey = ts:be64 device:fixd(16)\n" FAMILY STREAM, 4, 22, "key: unknown kind 'fixd'"},
        {CLUSTER "[table t]\nkey = a:be64\nsalt = phoenix\n" FAMILY STREAM, 5, 8, "the salt 'phoenix' needs buckets"},
        {CLUSTER "[table t]\nkey = a:be64\nbuckets = 16\n" FAMILY STREAM, 5, 11,
         "16 buckets, but the table has no salt"},
        {CLUSTER "[table t]\nkey = a:be64\nsalt = none\nbuckets = 16\n" FAMILY STREAM, 6, 11,
         "16 buckets, but the salt 'none' at a.ini:5 has none"},
        {CLUSTER "[table t]\nkey = a:be64\nsalt = phoenix\nbuckets = 257\n" FAMILY STREAM, 6, 11,
         "buckets: 257 buckets exceed the 256 values of a one-byte salt"},
        {CLUSTER "[table t]\nkey = a:be64\nsalt = phoenix\nbuckets = 0\n" FAMILY STREAM, 6, 11,
         "buckets: 0 buckets hold no row"},
        {CLUSTER "[table t]\nkey = a:be64\nsalt = phoneix\nbuckets = 8\n" FAMILY STREAM, 5, 8, NULL},
        {GOOD "[table u]\nkey = a:be64\nsalt = phoenix\nbuckets = 8\nsalt_over = b\n[family u/d]\ncolumn = v:1\n", 17, 13,
         NULL},
        {GOOD "[table u]\nkey = a:be64\nsalt_over = a\n[family u/d]\ncolumn = v:1\n", 15, 13,
         "salt_over, but the table has no salt"},
        {GOOD "[table u]\nkey = a:be64\nsalt_over =\n[family u/d]\ncolumn = v:1\n", 15, 12, "salt_over: no value"},
        {GOOD "[table u]\nkey = a:be64\nsalt = md5hex 4\n[family u/d]\ncolumn = v:1\n", 15, 8,
         "a hashed prefix has no buckets to split at"},
        {GOOD "[table u]\nkey = ts:be64 b:dec(4)\nsalt = text02x\nbuckets = 8\n[family u/d]\ncolumn = v:1\n", 15, 8,
         "text02x hashes text, but the field 'ts' is bytes"},
        {GOOD "[table u]\nkey = a:be64 b:dec(4)\nsalt = text02x\nbuckets = 8\nsalt_over = a\n[family u/d]\ncolumn = v:1\n",
         15, 8, "text02x hashes text, but the field 'a' is bytes"},
        {GOOD "[table u]\nkey = a:be64\nsplits = file nowhere.txt\n[family u/d]\ncolumn = v:1\n", 15, 15,
         "splits: nowhere.txt: No such file or directory"},
        {GOOD "[table u]\nkey = a:be64\nsplits = keys a,b\nsplits = keys c,b\n[family u/d]\ncolumn = v:1\n", 15, 10, NULL},
        {GOOD "[table u]\nkey = a:be64\nsplits = keys a,,b\n[family u/d]\ncolumn = v:1\n", 15, 17,
         "splits: an empty split key"},
        {GOOD "[table u]\nkey = a:be64\nsplits = HexstringSplit 4\n[family u/d]\ncolumn = v:1\n", 15, 10,
         "splits: unknown word 'HexstringSplit'; did you mean 'HexStringSplit'?"},
        {GOOD "[table u]\nkey = a:be64\nsplits = buckets y 4\n[family u/d]\ncolumn = v:1\n", 15, 18,
         "splits: expected 'x R', as buckets x 4"},
        {GOOD "[table u]\nkey = a:be64\nmax_filesize = 1MiB\n[family u/d]\ncolumn = v:1\n", 15, 16,
         "HBase creates no table with a max_filesize of 1048576 bytes; at least 2097152"},
        {GOOD "[hbase]\nhbase.hregion.memstore.flush.size = 1000\n", 14, 37,
         "HBase creates no table with a hbase.hregion.memstore.flush.size of 1000 bytes; at least 1048576"},
        {GOOD "[hbase]\nhbase.hstore.compaction.max = 2\n", 14, 31,
         "hbase.hstore.compaction.max = 2 is less than hbase.hstore.compaction.min = 3"},
        {GOOD "[hbase]\nhbase.regionserver.handler.cout = 2\n", 14, 1,
         "unknown property 'hbase.regionserver.handler.cout'; did you mean 'hbase.regionserver.handler.count'?"},
        {GOOD "[hbase]\nhbase.rpc.timeout = 2\n", 14, 1,
         "hbase.rpc.timeout is a property of HBase that this version does not model"},
        {GOOD "[hbase]\nhbase.regionserver.region.split.policy = NoSuchSplitPolicy\n", 14, 42,
         "hbase.regionserver.region.split.policy: unknown split policy 'NoSuchSplitPolicy'"},
        {GOOD "[scenario]\nduration = 0\n", 14, 12, "duration: '0' is out of range: 1ms to 100y"},
        {GOOD "[scenario]\nwindow = 2h\nduration = 1h\n", 14, 10,
         "a window of 2h is longer than the duration of 1h at a.ini:15"},
        {GOOD "[scenario]\ndetail = fast\n", 14, 10, NULL},
        {GOOD "[scenario]\nseed = -1\n", 14, 8, "seed: a seed is a whole number without a sign"},
        {GOOD "[scenario]\ncompare = no twice\n", 14, 11, "compare: no stands alone"},
        {GOOD "[stream u]\ntables = t\narrival = every 5s\n", 13, 1, "section [stream u] needs the key 'entities'"},
        {GOOD "[stream u]\ntables = t\nentities = 0\narrival = every 5s\n", 15, 12,
         "entities: '0' is out of range: 1 to 4000000000"},
        {GOOD "[stream u]\ntables = t\nentities = 5\narrival = 0/s constant\n", 16, 11,
         "arrival: a rate of 0 is no arrival"},
        {GOOD "[stream u]\ntables = t\nentities = 5\narrival = day curve\n", 16, 11,
         "arrival: the day's curve has a key of its own"},
        {GOOD "[stream u]\ntables = t\nentities = 1G\narrival = every 1ms\n", 16, 11,
         "1e+12 rows per second; at most 1G/s"},
        {CLUSTER "[tabel t]\nkey = a:be64\n" FAMILY STREAM "[query q]\ntable = t\nkind = full\nrate = 1/s\n", 3, 1,
         "unknown section [tabel]; did you mean [table]?"},
        {"[clustr]\nservers = 12\n" TABLE FAMILY STREAM, 1, 1, "unknown section [clustr]; did you mean [cluster]?"},
        {CLUSTER "[table t\nkey = a:be64\n" FAMILY STREAM, 3, 1, "the section's ']' is missing"},
        {GOOD "[stream u]\ntables = t, tx\nentities = 5\narrival = every 1s\n", 14, 13,
         "unknown table 'tx'; did you mean 't'?"},
        {GOOD "[stream u]\ntables = t\nentities = 5\narrival = every 1s\npopularity = hot 5 10%\n", 17, 14,
         "5 hot entities of 5 in all (at a.ini:15) leave nobody for the rest"},
        {GOOD "[stream u]\ntables = t\nkeys = nowhere hex\narrival = 1/s\n", 15, 8,
         "keys: nowhere: No such file or directory"},
        {GOOD "[stream u]\ntables = t\nkeys = nowhere octal\narrival = 1/s\n", 15, 16,
         "keys: 'octal' is not expected here"},
        {GOOD "[plan]\ncandidates = 1,8,8\ntargets = hot_server_ratio <= 1.6\n", 14, 18,
         "candidates: 8 stands twice among the candidates"},
        {GOOD "[plan]\ncandidates = 8..1\ntargets = hot_server_ratio <= 1.6\n", 14, 17,
         "candidates: the range ends before it begins"},
        {GOOD "[plan]\ncandidates = 8\ntargets = hot_server_ratio < 1.6\n", 15, 28,
         "targets: expected <= or >= after hot_server_ratio"},
        {GOOD "[plan]\ncandidates = 8\ntargets = hot_ratio <= 1.6\n", 15, 11, "targets: unknown figure 'hot_ratio'"},
        {GOOD "[plan]\ncandidates = 8\ntargets = hot_server_ratio <= 1.6, window.p98 <= 30s\n", 15, 36,
         "targets: 'window.p98': of a query there are scans, rpcs, regions, rows_scanned, p50, p95, p99 and p999"},
        {GOOD "[plan]\ncandidates = 8\ntargets = splits <= 1, splits >= 2\n", 15, 24,
         "targets: the targets contradict each other: nothing is both <= 1 and >= 2"},
        {GOOD "[plan]\ncandidates = 8\ntargets = splits <= 1, splits <= 2\n", 15, 24,
         "targets: splits has two bounds of this kind"},
        {GOOD "[plan]\ncandidates = 8\ntargets = w.scans <= 1\n", 15, 11, "'w.scans': there is no [query w]"},
        {GOOD "[plan]\ncandidates = 8\ntargets = splits <= 1\ngrowth = 12 -> 0 servers in 2y\n", 16, 16,
         "growth: a cluster can't shrink below one server"},
        {GOOD "[plan]\ncandidates = 8\ntargets = splits <= 1\ngrowth = 7 -> 9 servers in 2y\n", 16, 10,
         "growth begins at 7 servers, but the cluster has 12"},
        {GOOD "[plan]\ncandidates = 8\ntargets = splits <= 1\ngrowth = rate 2x in 2y\n", 16, 15,
         "growth: growth is written A -> B servers in TIME, rate xFACTOR in TIME, or rate +SHARE every TIME"},
        {GOOD "[event x]\nat = 1h\n", 13, 1,
         "section [event x] needs the key 'do'"},
        {GOOD "[expect x]\nbound = <= 1\n", 13, 1,
         "section [expect x] needs the key 'metric'"},
        {GOOD "[expect x]\nmetric = splits\nbound = 1\n", 15, 9,
         "bound: a bound is written <= NUMBER or >= NUMBER"},
        {GOOD "[expect x]\nmetric = split\nbound = <= 1\n", 14, 10,
         "metric: unknown figure 'split'; did you mean 'splits'?"},
        {GOOD "[expect x]\nmetric = splits\nbound = <= 1\nwindow = last 2y\n", 16, 10,
         "a window of 2y is longer than the run of 1h"},
        {GOOD "[expect x]\nmetric = writes\nscope = table tt\nbound = <= 1\n", 15, 9,
         "unknown table 'tt'; did you mean 't'?"},
        {GOOD "[servr]\ndisk = 1MB/s\n", 13, 1, "unknown section [servr]; did you mean [server]?"},
        {GOOD "[server x]\ndisk = 1MB/s\n", 13, 1, "[server] takes no name"},
        {GOOD "[server]\ndisc = 1MB/s\n", 14, 1, "unknown key 'disc' in [server]; did you mean 'disk'?"},
        {GOOD "[server]\nheap = 1GiB\n", 14, 1, "unknown key 'heap' in [server]; it belongs to [cluster]"},
        {GOOD "[server]\ndisk = 1MB/s\ndisk = 2MB/s\n", 15, 1, "'disk' stands already at a.ini:14"},
        {GOOD "[server]\n; nothing\n", 13, 1, "section [server] holds no key"},
        {GOOD "[server]\ndisk = 100MB/s # fast\n", 14, 14, NULL},
        {GOOD "[server]\ndisk =\n", 14, 7, "disk: no value"},
        {GOOD "[server]\nchore_lateness = 101%\n", 14, 18, "chore_lateness: '101%' is out of range: 0 to 100%"},
        {GOOD "[query q]\ntable = t\n", 13, 1, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scenario sc;
        struct scenario_diags dgs;
        size_t at = 0;

        assert_true(parse(rows[i].text, NULL, 0, &sc, &dgs) < 0);
        if (dgs.errors != 1 && rows[i].message) {
            for (size_t k = 0; k < dgs.len; k++)
                print_message("row %zu: %d:%d %s\n", i, dgs.items[k].line, dgs.items[k].column, dgs.items[k].message);
            assert_int_equal(dgs.errors, 1);
        }
        while (dgs.items[at].severity != SCENARIO_ERROR)
            at++;
        if (rows[i].message)
            assert_string_equal(dgs.items[at].message, rows[i].message);
        if (dgs.items[at].line != rows[i].line || dgs.items[at].column != rows[i].column)
            print_message("row %zu: %s\n", i, dgs.items[at].message);
        assert_int_equal(dgs.items[at].line, rows[i].line);
        assert_int_equal(dgs.items[at].column, rows[i].column);
        assert_string_equal(dgs.items[at].file, "a.ini");
        scenario_free(&sc);
        diags_free(&dgs);
    }
}

static void warnings_do_not_stop(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {CLUSTER "[table t]\nkey = a:be64\nsalt = phoenix\nbuckets = 62\n" FAMILY STREAM,
         "62 is a multiple of 31: with a hash that multiplies by 31 the bucket depends on the key's last byte alone"},
        {CLUSTER "[table t]\nkey = a:be64\nsalt = phoenix\nbuckets = 16\nsplits = UniformSplit 32\n" FAMILY STREAM,
         "30 of 32 regions lie behind the last bucket's rows and never get one"},
        {GOOD "[table u]\nkey = a:be64\n[family u/d]\ncolumn = v:1\n", "no stream writes to the table 'u'"},
        /* Written as text, yet buckets, which a table can be split at; and only what is hashed has to be text. */
        {GOOD "[table u]\nkey = a:dec(4)\nsalt = text02x\nbuckets = 8\nsplits = buckets\n[family u/d]\ncolumn = v:1\n",
         "no stream writes to the table 'u'"},
        {GOOD "[table u]\nkey = b:dec(4) a:be64\nsalt = text02x\nbuckets = 8\nsalt_over = b\n[family u/d]\ncolumn = v:1\n",
         "no stream writes to the table 'u'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scenario sc;
        struct scenario_diags dgs;

        assert_int_equal(parse(rows[i].text, NULL, 0, &sc, &dgs), SCENARIO_OK);
        assert_int_equal(dgs.len, 1);
        assert_int_equal(dgs.items[0].severity, SCENARIO_WARNING);
        assert_string_equal(dgs.items[0].message, rows[i].message);
        scenario_free(&sc);
        diags_free(&dgs);
    }
}

static void overrides_win_and_are_named(void **state)
{
    static const struct scenario_override ovr[] = {
        {SCENARIO_SET, "[table t] buckets=20"},   {SCENARIO_BUCKETS, "24"},     {SCENARIO_SERVERS, "7"},
        {SCENARIO_RATE, "10k/s"},                 {SCENARIO_DURATION, "3h"},    {SCENARIO_SEED, "99"},
        {SCENARIO_PROPERTY, "hbase.client.pause=50"}, {SCENARIO_SET, "[plan] candidates=1,2"},
        {SCENARIO_SET, "[plan] candidates=3"},    {SCENARIO_SET, "[plan] targets = hot_server_ratio <= 1.6"},
        {SCENARIO_DETAIL, "write"},
    };
    struct scenario sc;
    struct scenario_diags dgs;

    (void)state;
    assert_int_equal(parse(GOOD, ovr, sizeof ovr / sizeof ovr[0], &sc, &dgs), SCENARIO_OK);
    assert_int_equal(sc.spec.tables[0].buckets, 24);
    assert_int_equal(sc.spec.cluster.servers, 7);
    assert_int_equal(sc.spec.streams[0].arrival, SPEC_ARRIVAL_CONSTANT);
    assert_true(sc.spec.streams[0].rate_per_s > 9999.9 && sc.spec.streams[0].rate_per_s < 10000.1);
    assert_int_equal(sc.spec.duration_ns, 3 * 3600 * SPEC_NS_PER_S);
    assert_int_equal(sc.spec.seed, 99);
    assert_int_equal(sc.spec.hbase.client_pause_ns, 50000000);
    assert_int_equal(sc.spec.plan.candidates_len, 3);
    assert_int_equal(sc.spec.plan.candidates[2], 3);
    assert_true(sc.spec.has_plan);
    assert_int_equal(sc.spec.detail, SPEC_DETAIL_WRITE);
    for (size_t i = 0; i < sc.values_len; i++) {
        if (strcmp(sc.values[i].key->name, "buckets") == 0)
            assert_string_equal(sc.values[i].place.file, "--buckets 24");
        if (strcmp(sc.values[i].key->name, "salt") == 0)
            assert_int_equal(sc.values[i].place.line, 5);
        if (strcmp(sc.values[i].key->name, "disk") == 0)
            assert_null(sc.values[i].place.file);
    }
    scenario_free(&sc);
    diags_free(&dgs);
}

static void bad_overrides_are_refused(void **state)
{
    static const struct {
        struct scenario_override ovr;
        const char *file, *message;
    } rows[] = {
        {{SCENARIO_SET, "[table t] buckets=24 ; x"}, "--set '[table t] buckets=24 ; x'",
         "a ';' begins a comment and can't be part of a value"},
        {{SCENARIO_SET, "table.buckets=24"}, "--set 'table.buckets=24'", "expected a section in brackets first"},
        {{SCENARIO_SET, "[table tt] buckets=24"}, "--set '[table tt] buckets=24'",
         "the scenario has no section [table tt]; did you mean [table t]?"},
        {{SCENARIO_SET, "[table t] bukets=24"}, "--set '[table t] bukets=24'",
         "unknown key 'bukets' in [table]; did you mean 'buckets'?"},
        {{SCENARIO_SET, "[table t] buckets"}, "--set '[table t] buckets'", "expected '=' after the key"},
        {{SCENARIO_SET, "[table t]"}, "--set '[table t]'", "expected one KEY=VALUE after the section"},
        {{SCENARIO_BUCKETS, "300"}, "--buckets 300", "buckets: 300 buckets exceed the 256 values of a one-byte salt"},
        {{SCENARIO_PROPERTY, "hbase.client.pause"}, "-D hbase.client.pause", "expected NAME=VALUE"},
        {{SCENARIO_PROPERTY, "hbase.client.puase=1"}, "-D hbase.client.puase=1",
         "unknown property 'hbase.client.puase'; did you mean 'hbase.client.pause'?"},
        {{SCENARIO_SERVERS, "many"}, "--servers many", "servers: not a number"},
        {{SCENARIO_RATE, "40k"}, "--rate 40k", "arrival: a rate needs a time, as /s"},
        {{SCENARIO_DETAIL, "fast"}, "--detail fast", "detail: unknown level 'fast'; write auto, write, tick or flow"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scenario sc;
        struct scenario_diags dgs;

        assert_int_equal(parse(GOOD, &rows[i].ovr, 1, &sc, &dgs), SCENARIO_INVALID);
        assert_int_equal(dgs.errors, 1);
        assert_string_equal(dgs.items[0].file, rows[i].file);
        assert_string_equal(dgs.items[0].message, rows[i].message);
        assert_int_equal(dgs.items[0].line, 0);
        scenario_free(&sc);
        diags_free(&dgs);
    }
}

static void buckets_none_unsalts_the_table(void **state)
{
    static const struct scenario_override ovr = {SCENARIO_BUCKETS, "none"};
    struct scenario sc;
    struct scenario_diags dgs;

    (void)state;
    assert_int_equal(parse(GOOD, &ovr, 1, &sc, &dgs), SCENARIO_OK);
    assert_int_equal(sc.spec.tables[0].buckets, 0);
    scenario_free(&sc);
    diags_free(&dgs);
}

/* What is printed reads back to a scenario that prints the same. */
static void check_round_trip(const char *text)
{
    struct scenario sc, again;
    struct scenario_diags dgs;
    struct text first = {0}, second = {0};

    assert_int_equal(parse(text, NULL, 0, &sc, &dgs), SCENARIO_OK);
    print_scenario(&sc, &first);
    diags_free(&dgs);
    assert_int_equal(parse(first.chars, NULL, 0, &again, &dgs), SCENARIO_OK);
    print_scenario(&again, &second);
    assert_string_equal(first.chars, second.chars);
    assert_int_equal(sc.spec.tables[0].split_keys_len, again.spec.tables[0].split_keys_len);
    for (size_t i = 0; i < sc.spec.tables[0].split_keys_len; i++) {
        assert_int_equal(sc.spec.tables[0].split_keys[i].len, again.spec.tables[0].split_keys[i].len);
        assert_memory_equal(sc.spec.tables[0].split_keys[i].bytes, again.spec.tables[0].split_keys[i].bytes,
                            sc.spec.tables[0].split_keys[i].len);
    }
    diags_free(&dgs);
    text_free(&first);
    text_free(&second);
    scenario_free(&sc);
    scenario_free(&again);
}

static void printed_scenarios_read_back(void **state)
{
    (void)state;
    check_round_trip(GOOD);
    check_round_trip(GOOD "[scenario]\ntitle = a title, with = and # signs\nwindow = 90s\ncompare = twice\nduration = 1h30m\n"
                     "[hbase]\nhbase.regionserver.region.split.policy = "
                     "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy\n"
                     "hbase.hstore.blockingWaitTime = 1234\nhbase.regions.slop = 0.333\n");
    check_round_trip(CLUSTER "[table t]\nkey = ts:rts device:text\nsplits = keys b\\x2Cc,\\x3B\\x20,a\nsplits = keys \\x00\n"
                     "max_filesize = 3GiB\nmemstore_flushsize = 64MiB\n[family t/d]\ncolumn = v:100\ncolumn = long:1KiB\n"
                     "blocksize = 16KiB\nbloom = none\n" STREAM "start = 1500000000000\nclients = 3 buffered 1MiB\n"
                     "popularity = zipf 0.99\n[query q]\ntable = t\nkind = prefix \\x00a\\x5C\\x3B\nrate = 7/m\n"
                     "[query r]\ntable = t\nkind = history device 36h\nrate = 200/s\n");
    check_round_trip(GOOD "[plan]\ncandidates = 8\ntargets = splits <= 1\nheadroom = 30%\n"
                          "growth = 12 -> 16 servers in 2y, rate x2 in 1y\ngrowth = rate +3% every 30d\n");
    check_round_trip(GOOD "[plan]\ncandidates = none,1..64\ncandidates = 128, 256\n"
                     "targets = hot_server_ratio <= 1.6, max_write_rate_per_s >= 100k/s\n"
                     "targets = write_p99_us <= 5ms, hot_region_share <= 12.5%\n");
}

static void many_split_keys_fill_several_lines(void **state)
{
    struct text text = {0};

    (void)state;
    text_add(&text, "%s", CLUSTER "[table t]\nkey = a:be64\n");
    for (int i = 0; i < 200; i += 10) {
        text_add(&text, "splits = keys ");
        for (int k = i; k < i + 10; k++)
            text_add(&text, "%s\\x%02X\\xFF", k > i ? "," : "", k);
        text_add(&text, "\n");
    }
    text_add(&text, "%s", FAMILY STREAM);
    assert_false(text.failed);
    check_round_trip(text.chars);
    text_free(&text);
}

/* The model keeps a region's families side by side in a few bits: one more is refused, not overrun. */
static void a_table_has_32_families_at_most(void **state)
{
    (void)state;
    for (int families = SPEC_FAMILIES_MAX; families <= SPEC_FAMILIES_MAX + 1; families++) {
        struct text text = {0};
        struct scenario sc;
        struct scenario_diags dgs;

        text_add(&text, "%s", CLUSTER TABLE STREAM);
        for (int f = 0; f < families; f++)
            text_add(&text, "[family t/f%d]\ncolumn = v:1\n", f);
        assert_int_equal(parse(text.chars, NULL, 0, &sc, &dgs) == SCENARIO_OK, families <= SPEC_FAMILIES_MAX);
        if (families <= SPEC_FAMILIES_MAX) {
            assert_int_equal(dgs.len, 0);
            scenario_free(&sc);
        } else {
            assert_int_equal(dgs.len, 1);
            assert_string_equal(dgs.items[0].message, "the table 't' has 33 families; at most 32 are modelled");
        }
        diags_free(&dgs);
        text_free(&text);
    }
}

static void candidates_are_lists_and_ranges(void **state)
{
    static const int wanted[] = {0, 1, 2, 4, 8, 16, 32, 64, 12, 100, 101, 102};
    struct scenario sc;
    struct scenario_diags dgs;

    (void)state;
    assert_int_equal(parse(GOOD "[plan]\ncandidates = none, 1..64 x2, 12\ncandidates = 100..102\n"
                           "targets = write_p99_us <= 5ms\n", NULL, 0, &sc, &dgs), SCENARIO_OK);
    assert_int_equal(sc.spec.plan.candidates_len, 12);
    assert_memory_equal(sc.spec.plan.candidates, wanted, sizeof wanted);
    assert_true(sc.spec.plan.targets[0].at_most);
    assert_true(sc.spec.plan.targets[0].bound > 4999.9 && sc.spec.plan.targets[0].bound < 5000.1);
    scenario_free(&sc);
    diags_free(&dgs);
}

static void settings_are_base_units_with_their_unit_in_the_name(void **state)
{
    static const struct {
        const char *section, *key, *text;
        double number;
    } rows[] = {
        {"cluster", "heap_bytes", NULL, 17179869184.0}, {"scenario", "duration_s", NULL, 3600},
        {"scenario", "window_s", NULL, 10},             {"server", "write_capacity_per_s", NULL, 20000},
        {"server", "disk_bytes_per_s", NULL, 1e8},      {"table t", "buckets", NULL, 16},
        {"table t", "salt", "phoenix", 0},              {"stream s", "entities", NULL, 200000},
        {"stream s", "arrival", "every 5s", 0},         {"hbase", "hbase.client.pause", NULL, 100},
        {"family t/d", "column", "v:100, w:5", 0},      {"table t", "max_filesize", "site", 0},
    };
    struct scenario sc;
    struct scenario_diags dgs;
    struct spec_settings set;

    (void)state;
    assert_int_equal(parse(CLUSTER TABLE FAMILY "column = w:5\n" STREAM, NULL, 0, &sc, &dgs), SCENARIO_OK);
    assert_int_equal(scenario_settings(&sc, &set), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t k = 0;

        while (k < set.len && (strcmp(set.items[k].section, rows[i].section) || strcmp(set.items[k].key, rows[i].key)))
            k++;
        assert_true(k < set.len);
        if (rows[i].text)
            assert_string_equal(set.items[k].text, rows[i].text);
        else
            assert_null(set.items[k].text);
        if (!rows[i].text)
            assert_memory_equal(&set.items[k].number, &rows[i].number, sizeof(double));
    }
    spec_settings_free(&set);
    scenario_free(&sc);
    diags_free(&dgs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_scenario_is_complete),
        cmocka_unit_test(mistakes_get_one_message_each),
        cmocka_unit_test(warnings_do_not_stop),
        cmocka_unit_test(overrides_win_and_are_named),
        cmocka_unit_test(bad_overrides_are_refused),
        cmocka_unit_test(buckets_none_unsalts_the_table),
        cmocka_unit_test(printed_scenarios_read_back),
        cmocka_unit_test(many_split_keys_fill_several_lines),
        cmocka_unit_test(candidates_are_lists_and_ranges),
        cmocka_unit_test(a_table_has_32_families_at_most),
        cmocka_unit_test(settings_are_base_units_with_their_unit_in_the_name),
    };

    return cmocka_run_group_tests_name("scenario", tests, NULL, NULL);
}
