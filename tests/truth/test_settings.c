/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording's setting or value that isn't understood is named, and all others pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "truth_settings.h"

#define SITE "# settings that differ from hbase-default.xml: hbase.client.retries.number=45 (default 15); "
#define JITTER "hbase.hregion.max.filesize.jitter=0.0; "

static bool refused(const char *line, bool applies, char *word, size_t cap)
{
    char text[512];
    char *comment[1] = {text};
    const struct truth_table t = {.comment = comment, .comments = 1};

    snprintf(text, sizeof text, "%s", line);
    snprintf(word, cap, "nothing");
    return truth_setting_refused(&t, applies, word, cap);
}

static void strangers_and_their_values_are_named(void **state)
{
    static const struct {
        const char *line, *word;
    } rows[] = {
        {"# policy=SteppingSplitPolicy {hbase.hstore.compaction.mn=4}", "hbase.hstore.compaction.mn"},
        {"# {hbase.hstore.compaction.min=4, SPLIT=no}", "SPLIT"},
        {"# {hbase.hstore.compaction.min=4x}", "hbase.hstore.compaction.min=4x"},
        {"# {hbase.hstore.compaction.max.size=-1}", "hbase.hstore.compaction.max.size=-1"},
        {"# {hbase.hstore.compaction.min=}", "hbase.hstore.compaction.min="},
        {"# {hbase.hstore.compaction.ratio=1.2.3}", "hbase.hstore.compaction.ratio=1.2.3"},
        {"# {hbase.hstore.defaultengine.compactionpolicy.class=a.b.FIFOCompactionPolicy}",
         "hbase.hstore.defaultengine.compactionpolicy.class=a.b.FIFOCompactionPolicy"},
        {"# {hbase.regionserver.region.split_restriction.type=KeyPrefx}",
         "hbase.regionserver.region.split_restriction.type=KeyPrefx"},
        {"# {hbase.hregion.split.overallfiles=yes}", "hbase.hregion.split.overallfiles=yes"},
        {"# family values {DATA_BLOCK_ENCODING=FAST}", "DATA_BLOCK_ENCODING=FAST"},
        {"# family values {BLOOMFILTER=row}", "BLOOMFILTER=row"},
        {"# family values {BLOCKSIZE=0}", "BLOCKSIZE=0"},
        {SITE JITTER "hbase.hstore.compaction.kv.max=5; balancer off", "hbase.hstore.compaction.kv.max=5"},
        {SITE "hbase.hregion.max.filesize.jitter=0.25; balancer off", "hbase.hregion.max.filesize.jitter=0.25"},
        {SITE JITTER "hbase.hstore.blockingStoreFiles=many (default 16); ", "hbase.hstore.blockingStoreFiles=many"},
        {SITE JITTER "hbase.hregion.memstore.flush.size=1MB (default 134217728)", "hbase.hregion.memstore.flush.size=1MB"},
    };
    char word[128];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!refused(rows[i].line, true, word, sizeof word))
            fail_msg("%s: not refused", rows[i].line);
        assert_string_equal(word, rows[i].word);
    }
}

static void what_is_understood_passes(void **state)
{
    static const char *const rows[] = {
        "# policy=SteppingSplitPolicy table MAX_FILESIZE=4194304 flush size=1048576 {}",
        "# {hbase.hstore.compaction.min=4, hbase.hstore.compaction.max=5} family values {BLOOMFILTER=ROWCOL}",
        "# {hbase.hstore.defaultengine.compactionpolicy.class=a.b.RatioBasedCompactionPolicy}",
        "# {DelimitedKeyPrefixRegionSplitPolicy.delimiter=,}",
        "# {hbase.regionserver.region.split_restriction.type=KeyPrefix, "
        "hbase.regionserver.region.split_restriction.prefix_length=1}",
        SITE JITTER "hbase.hstore.blockingStoreFiles=3 (default 16); balancer off; read-only observer coprocessor on the table",
    };
    char word[128];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (refused(rows[i], true, word, sizeof word))
            fail_msg("%s: %s refused", rows[i], word);
}

/* A program that applies none of them must not run as if they weren't there. */
static void who_applies_none_refuses_all(void **state)
{
    char word[128];

    (void)state;
    assert_true(refused("# {hbase.hstore.compaction.min=4}", false, word, sizeof word));
    assert_string_equal(word, "hbase.hstore.compaction.min=4");
    assert_false(refused(SITE JITTER "balancer off", false, word, sizeof word));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strangers_and_their_values_are_named),
        cmocka_unit_test(what_is_understood_passes),
        cmocka_unit_test(who_applies_none_refuses_all),
    };

    return cmocka_run_group_tests_name("truth settings", tests, NULL, NULL);
}
