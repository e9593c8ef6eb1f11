/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of the write path: [family], [table] and [scenario] sample. Each reads, prints back as it is written
   canonically, and where it is wrong the message stands at its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/scenario.h"
#include "tests/scenario/print.h"

#define HEAD "[cluster]\nservers = 3\n[table t]\nkey = ts:be64 device:be32\n"
#define TAIL "[stream s]\ntables = t\nentities = 10\narrival = every 1s\n"

static enum scenario_status parse(const char *text, struct scenario *sc, struct scenario_diags *dgs)
{
    const struct scenario_text input = {"a.ini", text, strlen(text)};

    memset(dgs, 0, sizeof *dgs);
    return scenario_parse(&input, NULL, 0, sc, dgs);
}

/* A line of one section in a scenario that is otherwise good; the line's number is 5 or as |line|. */
static void compose(const char *section, const char *line, char *text, size_t cap)
{
    const bool family = strcmp(section, "family t/d") == 0;

    if (strcmp(section, "table t") == 0)
        snprintf(text, cap, HEAD "%s\n[family t/d]\ncolumn = v:100\n" TAIL, line);
    else if (family)
        snprintf(text, cap, HEAD "[family t/d]\n%s\ncolumn = v:100\n" TAIL, line);
    else
        snprintf(text, cap, "[%s]\n%s\n" HEAD "[family t/d]\ncolumn = v:100\n" TAIL, section, line);
}

static void good_words_print_back(void **state)
{
    static const struct {
        const char *section, *line, *printed;
    } rows[] = {
        {"scenario", "sample = all", NULL},
        {"scenario", "sample = 2k", "sample = 2000"},
        {"family t/d", "ttl = 30d", NULL},
        {"family t/d", "ttl = 2592000s", "ttl = 30d"},
        {"family t/d", "ttl = FOREVER", "ttl = forever"},
        {"family t/d", "versions = 3", NULL},
        {"family t/d", "bloom = ROWCOL", "bloom = rowcol"},
        {"family t/d", "bloom = none", NULL},
        {"family t/d", "encoding = fast_diff", "encoding = FAST_DIFF"},
        {"family t/d", "encoding = PREFIX", NULL},
        {"family t/d", "compression = zstd", "compression = ZSTD"},
        {"family t/d", "compression = SNAPPY 35%", NULL},
        {"family t/d", "compression = GZ 0.25", "compression = GZ 25%"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scenario sc;
        struct scenario_diags dgs;
        struct text printed = {0};
        char text[1000], line[200];

        compose(rows[i].section, rows[i].line, text, sizeof text);
        assert_int_equal(parse(text, &sc, &dgs), SCENARIO_OK);
        assert_int_equal(dgs.errors, 0);
        print_scenario(&sc, &printed);
        snprintf(line, sizeof line, "\n%s\n", rows[i].printed ? rows[i].printed : rows[i].line);
        if (!strstr(printed.chars, line))
            fail_msg("'%s' isn't printed", line);
        text_free(&printed);
        scenario_free(&sc);
        diags_free(&dgs);
    }
}

static void bad_words_are_named_where_they_stand(void **state)
{
    static const struct {
        const char *section, *line;
        int line_number, column;
        const char *message;
    } rows[] = {
        {"scenario", "sample = 3", 2, 10, "sample: '3' is out of range: 16 to 1000000"},
        {"family t/d", "ttl = 1500ms", 6, 7, "ttl: HBase counts the time to live in whole seconds"},
        {"family t/d", "ttl = 0", 6, 7, "ttl: a time to live is 1 s to 2147483646 s, or forever"},
        {"family t/d", "versions = 0", 6, 12, "versions: '0' is out of range: 1 to 2147483647"},
        {"family t/d", "bloom = col", 6, 9, "bloom: unknown bloom filter 'col'; write row, rowcol or none"},
        {"family t/d", "encoding = FASTDIFF", 6, 12, "encoding: unknown data block encoding 'FASTDIFF'"},
        {"family t/d", "compression = LZO", 6, 15, "compression: LZO is not yet supported by this version"},
        {"family t/d", "compression = zip", 6, 15, "compression: unknown compression 'zip'"},
        {"family t/d", "compression = ZSTD 3", 6, 20,
         "compression: a ratio is compressed bytes / bytes before: above 0, at most 2"},
        {"family t/d", "compression = none 0.5", 6, 20, "compression: NONE has no ratio"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scenario sc;
        struct scenario_diags dgs;
        char text[1000];

        compose(rows[i].section, rows[i].line, text, sizeof text);
        assert_int_not_equal(parse(text, &sc, &dgs), SCENARIO_OK);
        assert_int_equal(dgs.errors, 1);
        assert_string_equal(dgs.items[0].message, rows[i].message);
        assert_int_equal(dgs.items[0].line, rows[i].line_number);
        assert_int_equal(dgs.items[0].column, rows[i].column);
        scenario_free(&sc);
        diags_free(&dgs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_words_print_back),
        cmocka_unit_test(bad_words_are_named_where_they_stand),
    };

    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
