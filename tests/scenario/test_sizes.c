/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Split policies and the normalizer of a table, what HBase's TableDescriptorChecker refuses, and the
   warnings about sizes: each at its line, with the numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/scenario.h"
#include "tests/scenario/print.h"

/* Lines 1 to 12; |table| begins at line 10 and |more| at 11 where |table| is one line. */
#define SCENARIO(table, more)                                                                                \
    "[stream s]\ntables = t\nentities = 10\narrival = every 1s\n[family t/d]\ncolumn = v:100\n[table t]\n"  \
    "key = ts:be64 device:be32\n\n" table "\n" more

static enum scenario_status parse(const char *text, struct scenario *sc, struct scenario_diags *dgs)
{
    const struct scenario_text input = {"a.ini", text, strlen(text)};

    memset(dgs, 0, sizeof *dgs);
    return scenario_parse(&input, NULL, 0, sc, dgs);
}

static void words_of_a_table_print_back(void **state)
{
    static const char *const rows[] = {
        "split_policy = site",
        "split_policy = ConstantSizeRegionSplitPolicy",
        "split_policy = KeyPrefixRegionSplitPolicy 8",
        "split_policy = DelimitedKeyPrefixRegionSplitPolicy _",
        "split_policy = DelimitedKeyPrefixRegionSplitPolicy \\x00\\x2C",
        "normalizer = off",
        "partition = none",
        "partition = every 30d",
        "partition = every 30d keep 90d",
        "normalizer = on",
        "normalizer = split target 512MiB",
        "normalizer = merge target 24 regions",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scenario sc;
        struct scenario_diags dgs;
        struct text printed = {0};
        char text[500], line[100];

        snprintf(text, sizeof text, SCENARIO("%s", "[cluster]\nservers = 3\n"), rows[i]);
        assert_int_equal(parse(text, &sc, &dgs), SCENARIO_OK);
        print_scenario(&sc, &printed);
        snprintf(line, sizeof line, "\n%s\n", rows[i]);
        if (!strstr(printed.chars, line))
            fail_msg("%s in %s", line, printed.chars);
        text_free(&printed);
        diags_free(&dgs);
        scenario_free(&sc);
    }
}

static void words_of_a_stream_print_back(void **state)
{
    static const char *const rows[] = {
        "arrival    = 1k/s poisson", "curve      = day 50% peak 14h", "bursts     = x5 for 2m every 1h",
        "bursts     = x0.5 for 30s every 10m", "growth     = x2 in 1y", "growth     = +3% every 30d",
        "active     = from 30d", "active     = from 30d to 60d", "late       = 5% up to 10m", "active     = all",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scenario sc;
        struct scenario_diags dgs;
        struct text printed = {0};
        char text[600], line[100];

        snprintf(text, sizeof text, "[scenario]\nduration = 100d\nwindow = 1h\n[cluster]\nservers = 3\n[family t/d]\n"
                 "column = v:1\n[table t]\nkey = ts:be64 device:be32\n[stream s]\ntables = t\nentities = 10\n%s\n%s\n",
                 i == 0 ? "" : "arrival = 1k/s constant", rows[i]);
        assert_int_equal(parse(text, &sc, &dgs), SCENARIO_OK);
        print_scenario(&sc, &printed);
        snprintf(line, sizeof line, "\n%.*s = %s\n", (int)strcspn(rows[i], " "), rows[i], strchr(rows[i], '=') + 2);
        if (!strstr(printed.chars, line))
            fail_msg("%s in %s", line, printed.chars);
        text_free(&printed);
        diags_free(&dgs);
        scenario_free(&sc);
    }
}

struct told {
    const char *text, *message;
    int line, column;
    bool warning;
};

static void check_told(const struct told *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct scenario sc;
        struct scenario_diags dgs;
        const enum scenario_status status = parse(rows[i].text, &sc, &dgs);
        bool found = false;

        assert_int_equal(status, rows[i].warning ? SCENARIO_OK : SCENARIO_INVALID);
        for (size_t k = 0; k < dgs.len; k++)
            found |= strcmp(dgs.items[k].message, rows[i].message) == 0 && dgs.items[k].line == rows[i].line &&
                     dgs.items[k].column == rows[i].column;
        for (size_t k = 0; !found && k < dgs.len; k++)
            print_error("%d:%d: %s\n", dgs.items[k].line, dgs.items[k].column, dgs.items[k].message);
        if (!found)
            fail_msg("row %zu: %s", i, rows[i].message);
        diags_free(&dgs);
        if (status == SCENARIO_OK)
            scenario_free(&sc);
    }
}

#define THREE "[cluster]\nservers = 3\n"

static void what_hbase_refuses_is_refused(void **state)
{
    static const struct told rows[] = {
        {SCENARIO("max_filesize = 1MiB", THREE),
         "HBase creates no table with a max_filesize of 1048576 bytes; at least 2097152", 10, 16, false},
        {SCENARIO("memstore_flushsize = 1000kB", THREE),
         "HBase creates no table with a memstore_flushsize of 1000000 bytes; at least 1048576", 10, 22, false},
        {SCENARIO("", THREE "[hbase]\nhbase.hregion.max.filesize = 2097151\n"),
         "HBase creates no table with a hbase.hregion.max.filesize of 2097151 bytes; at least 2097152", 14, 30, false},
        {SCENARIO("", THREE "[hbase]\nhbase.hregion.max.filesise = 2097151\n"),
         "unknown property 'hbase.hregion.max.filesise'; did you mean 'hbase.hregion.max.filesize'?", 14, 1, false},
        {SCENARIO("split_policy = KeyPrefixRegionSplitPolicy 13", THREE),
         "a prefix of 13 bytes is longer than the key, 12 bytes", 10, 16, false},
        {SCENARIO("split_policy = KeyPrefixRegionSplitPolicy", THREE),
         "split_policy: the length of the prefix is missing: KeyPrefixRegionSplitPolicy 9", 10, 42, false},
        {SCENARIO("split_policy = KeyPrefixRegionSplitPolicy 0", THREE),
         "split_policy: '0' is not a length of 1 to 32767 bytes", 10, 43, false},
        {SCENARIO("split_policy = SteppingSplitPolcy", THREE),
         "split_policy: unknown split policy 'SteppingSplitPolcy'; did you mean 'SteppingSplitPolicy'?", 10, 16, false},
        {SCENARIO("split_policy = DelimitedKeyPrefixRegionSplitPolicy \\xFF", THREE),
         "split_policy: HBase takes the delimiter as text: a byte above \\x7F can't stand alone", 10, 52, false},
        {SCENARIO("partition = every 30d keep 0s", THREE), "partition: a partition is kept for a second at least after its span",
         10, 28, false},
        {SCENARIO("partition = every 1s", THREE), "3601 partitions of all streams and tables; at most 64", 10, 13, false},
        {SCENARIO("normalizer = on target 1500kB", THREE), "normalizer: HBase takes the target in whole MiB", 10, 24, false},
        {SCENARIO("split_policy = BusyRegionSplitPolicy", THREE "[scenario]\ndetail = tick\n"),
         "BusyRegionSplitPolicy counts refused calls, and that level of detail has no calls", 10, 16, false},
        {SCENARIO("", THREE "[hbase]\nhbase.regionserver.region.split.policy = KeyPrefixRegionSplitPolicy\n"),
         "hbase.regionserver.region.split.policy: KeyPrefixRegionSplitPolicy takes its prefix from the table", 14, 42, false},
        {SCENARIO("", THREE "[family t/e]\ncolumn = v:1\nblocksize = 512B\n"), "blocksize: '512B' is out of range: 1KiB to 16MiB",
         15, 13, false},
    };

    (void)state;
    check_told(rows, sizeof rows / sizeof rows[0]);
}

static void what_hbase_runs_badly_is_warned_of_with_numbers(void **state)
{
    static const struct told rows[] = {
        {SCENARIO("salt = arrays-hash floorMod\nbuckets = 60", THREE "heap = 4GiB\n"),
         "60 regions on 3 servers take writes: 20 x 128 MiB = 2.5 GiB of memstores on one don't fit heap 4 GiB x 0.4 x 0.95 = "
         "1.52 GiB; the global limit flushes them at about 77.82 MiB", 14, 8, true},
        {SCENARIO("", THREE "heap = 1GiB\n"),
         "one memstore may grow to 128 MiB x 4 = 0.5 GiB, but all of a server to heap 1 GiB x 0.4 = 0.4 GiB: one hot region "
         "then stops the writes of all others", 0, 0, true},
        {SCENARIO("splits = UniformSplit 700", THREE "heap = 64GiB\n"),
         "700 regions / 3 servers + 0 background regions = 234 on one: good practice ends near 200", 12, 11, true},
        {SCENARIO("", THREE "background = 1001 regions per server\n"),
         "1 regions / 3 servers + 1001 background regions = 1002 on one: none splits at or above "
         "hbase.regionserver.regionSplitLimit = 1000", 12, 11, true},
        {SCENARIO("salt = arrays-hash floorMod\nbuckets = 4\nnormalizer = on", THREE),
         "the normalizer knows no bucket: it merges neighbours across the border of two of the 4 buckets once they are 3 days "
         "old and small enough", 12, 14, true},
        {SCENARIO("salt = arrays-hash floorMod\nbuckets = 4\nsplit_policy = KeyPrefixRegionSplitPolicy 1", THREE),
         "a prefix of 1 bytes is the salt alone: a split key cut to it is its region's start, so a bucket never splits and "
         "its files pile up", 12, 16, true},
        {SCENARIO("", THREE "[hbase]\nhbase.client.retries.number = 3\n[scenario]\ndetail = tick\n"),
         "hbase.client.retries.number acts on single calls, and tick has none: there clients try on until a row is written",
         14, 31, true},
        {SCENARIO("", THREE "[server]\nwal_sync = 20ms\n[scenario]\ndetail = flow\n"),
         "wal_sync acts on single calls, and flow has none: there writes have no latency", 14, 12, true},
    };

    (void)state;
    check_told(rows, sizeof rows / sizeof rows[0]);
}

#define CURVE(detail, line)                                                                                  \
    "[scenario]\nduration = 100d\ndetail = " detail "\n[cluster]\nservers = 3\n[family t/d]\ncolumn = v:1\n"     \
    "[table t]\nkey = ts:be64 device:be32\n[stream s]\ntables = t\nentities = 10\n" line "\n"

static void a_level_that_would_not_see_a_curve_refuses_it(void **state)
{
    static const struct told rows[] = {
        {CURVE("flow", "arrival = 1k/s constant\nbursts = x2 for 1h every 1d"),
         "a burst of 3600 s is shorter than the 21600 s that flow looks at together", 14, 10, false},
        {CURVE("tick", "arrival = 1k/s constant\nbursts = x2 for 50ms every 1d"),
         "a burst of 0.05 s is shorter than the 0.1 s that the run looks at together", 14, 10, false},
        {CURVE("flow\nwindow = 12h", "arrival = 1k/s constant\ncurve = day 50% peak 0s"),
         "flow steps by sample windows of up to 12 h: a day's curve would not show", 15, 9, false},
        {CURVE("auto", "arrival = every 1s\ngrowth = x2 in 1y"), "growth moves a rate, but each entity reports at a fixed interval",
         14, 10, false},
        {CURVE("auto", "arrival = 1/s constant\nactive = from 3d to 2d"),
         "active: the end does not lie behind the beginning", 14, 18, false},
        {CURVE("auto", "arrival = 1/s constant\nactive = from 101d"), "the run ends after 8.64e+06 s", 14, 10, false},
        {CURVE("auto", "arrival = 1/s constant\nlate = 5% up to 0s"), "late: a span of time above 0 is needed here", 14, 17,
         false},
        {CURVE("auto", "arrival = 1/s constant\ncurve = day 50% peak 24h"), "curve: a time of day lies below 24h", 14, 22, false},
        {CURVE("auto", "arrival = 1/s constant\nbursts = x2 for 1h every 1h"), "bursts: a burst must be shorter than its period",
         14, 10, false},
    };

    (void)state;
    check_told(rows, sizeof rows / sizeof rows[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_a_table_print_back),
        cmocka_unit_test(words_of_a_stream_print_back),
        cmocka_unit_test(a_level_that_would_not_see_a_curve_refuses_it),
        cmocka_unit_test(what_hbase_refuses_is_refused),
        cmocka_unit_test(what_hbase_runs_badly_is_warned_of_with_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
