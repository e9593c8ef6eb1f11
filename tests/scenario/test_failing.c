/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each allocation on the way from text to settings fails once; nothing leaks, nothing crashes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/scenario.h"
#include "tests/spec/failing.h"

static const char good[] =
    "[scenario]\ntitle = t\n[cluster]\nservers = 12\n"
    "[table t]\nkey = ts:be64 device:fixed(16)\nsalt = phoenix\nbuckets = 16\nsplits = keys a,b\n"
    "[family t/d]\ncolumn = v:100\ncolumn = w:1\n"
    "[stream s]\ntables = t\nentities = 200k\narrival = every 5s\n"
    "[query q]\ntable = t\nkind = history device 1d\nrate = 1/s\n"
    "[query p]\ntable = t\nkind = prefix abc\nrate = 1/s\n"
    "[plan]\ncandidates = none,1..4\ntargets = hot_server_ratio <= 1.6\n";

static const char bad[] =
    "[scenario]\ntitel = t\n[table t]\nkey = ts:be63\nsalt = phoenix\nbuckets = 300\n"
    "[stream s]\ntables = u\nentities = 200x\narrival = every\nheap = 3\n[servr]\n[event x]\ny <= 1\n";

static const struct scenario_override overrides[] = {
    {SCENARIO_SET, "[table t] buckets=24"}, {SCENARIO_PROPERTY, "hbase.client.pause=5"}, {SCENARIO_RATE, "10k/s"},
};

/* The settings are part of the way for a good text. */
static enum scenario_status walk(const char *text, struct scenario_diags *dgs)
{
    struct scenario_text input = {"dir/a.ini", text, strlen(text)};
    struct scenario sc;
    struct spec_settings set;
    enum scenario_status status = scenario_parse(&input, overrides, 3, &sc, dgs);

    if (status == SCENARIO_OK) {
        if (scenario_settings(&sc, &set) < 0)
            status = SCENARIO_NO_MEMORY;
        else
            spec_settings_free(&set);
    }
    scenario_free(&sc);
    return status;
}

static void fail_each(const char *text, enum scenario_status wanted)
{
    enum scenario_status status;
    long n = 0;

    do {
        struct scenario_diags dgs = {0};

        failing_at(++n);
        status = walk(text, &dgs);
        if (failing_done())
            assert_true(status == SCENARIO_NO_MEMORY);
        diags_free(&dgs);
    } while (failing_done());
    failing_at(0);
    assert_int_equal(status, wanted);
    assert_true(n > 50);
}

static void a_good_scenario(void **state)
{
    (void)state;
    fail_each(good, SCENARIO_OK);
}

static void a_bad_scenario(void **state)
{
    (void)state;
    fail_each(bad, SCENARIO_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_good_scenario), cmocka_unit_test(a_bad_scenario)};

    return cmocka_run_group_tests_name("failing", tests, NULL, NULL);
}
