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
    };

    (void)state;
    check_told(rows, sizeof rows / sizeof rows[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_a_table_print_back),
        cmocka_unit_test(what_hbase_refuses_is_refused),
        cmocka_unit_test(what_hbase_runs_badly_is_warned_of_with_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
