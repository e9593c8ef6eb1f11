/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks the table of options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/key.h"
#include "scenario/suggest.h"
#include "spec/spec.h"

/* The struct that a section fills, inside |sp|. */
static void *target(struct spec *sp, const char *section)
{
    if (strcmp(section, "cluster") == 0)
        return &sp->cluster;
    if (strcmp(section, "server") == 0)
        return &sp->server;
    if (strcmp(section, "hbase") == 0)
        return &sp->hbase;
    return sp;
}

static void help_texts_are_sentences(void **state)
{
    (void)state;
    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        assert_non_null(scenario_section_kind(key->section));
        assert_non_null(key->help);
        assert_true(key->help[0] >= 'A' && key->help[0] <= 'Z');
        assert_int_equal(key->help[strlen(key->help) - 1], '.');
        if (key->more)
            assert_int_equal(key->more[strlen(key->more) - 1], '.');
        assert_non_null(key->since);
        assert_non_null(key_form(key));
        assert_true(key->type != KEY_SPECIAL || key->read);
        assert_ptr_equal(scenario_key_find(key->section, key->name), key); /* no second row of that name */
        assert_null(scenario_not_yet(key->section, key->name));
        assert_false(hbase_property_known(key->name));
    }
    for (const struct scenario_section_kind *kind = scenario_sections; kind->kind; kind++)
        assert_int_equal(kind->help[strlen(kind->help) - 1], '.');
}

/* Each default reads; those of the sections without a name give what spec_init sets. */
static void defaults_parse_and_agree_with_the_spec(void **state)
{
    struct spec read, plain;
    struct scenario_diags dgs = {0};

    (void)state;
    spec_init(&read);
    spec_init(&plain);
    memset(&read.server, 0x55, sizeof read.server);
    memset(&read.hbase, 0x55, sizeof read.hbase);
    read.compare = 0;
    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        struct spec_table table = {0};
        struct spec_stream stream = {0};
        struct spec_family family = {0};
        struct key_reader rd = {.key = key, .value = key->dflt, .folder = "", .dgs = &dgs};
        void *at = target(&read, key->section);

        if (!key->dflt || !key->dflt[0])
            continue;
        if (strcmp(key->section, "table") == 0)
            at = &table;
        if (strcmp(key->section, "stream") == 0)
            at = &stream;
        if (strcmp(key->section, "family") == 0)
            at = &family;
        assert_true(key_read(&rd, at));
        free(table.salt);
        free(table.salt_over);
    }
    assert_int_equal(dgs.len, 0);
    assert_int_equal(read.duration_ns, plain.duration_ns);
    assert_int_equal(read.compare, plain.compare);
    assert_int_equal(read.cluster.heap_bytes, plain.cluster.heap_bytes);
    assert_memory_equal(&read.server.write_capacity_per_s, &plain.server.write_capacity_per_s, sizeof(double));
    assert_int_equal(read.server.wal_sync_ns, plain.server.wal_sync_ns);
    assert_memory_equal(&read.server.disk_bytes_per_s, &plain.server.disk_bytes_per_s, sizeof(double));
    assert_int_equal(read.server.split_outage_ns, plain.server.split_outage_ns);
    assert_int_equal(read.server.move_outage_ns, plain.server.move_outage_ns);
    assert_memory_equal(&read.server.chore_lateness, &plain.server.chore_lateness, sizeof(double));
    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        struct text ours = {0}, theirs = {0};

        if (strcmp(key->section, "hbase") != 0)
            continue;
        assert_true(key_write(key, &read.hbase, 0, &ours));
        assert_true(key_write(key, &plain.hbase, 0, &theirs));
        assert_string_equal(ours.chars, theirs.chars);
        text_free(&ours);
        text_free(&theirs);
    }
    spec_free(&read);
}

/* Both bounds of each row with bounds are taken, what lies beyond is refused. */
static void bounds_hold(void **state)
{
    size_t rows = 0;

    (void)state;
    for (const struct scenario_key *key = scenario_keys; key->section; key++) {
        static const double factors[] = {1, 1, 1.01};
        struct scenario_diags dgs = {0};
        struct spec sp;

        if (key->type != KEY_HBASE_INT || key->max >= 9e18)
            continue;
        spec_init(&sp);
        for (int i = 0; i < 3; i++) {
            struct text value = {0};
            struct key_reader rd = {.key = key, .folder = "", .dgs = &dgs};

            text_add(&value, "%.0f", i == 0 ? key->min : key->max * factors[i] + (i == 2));
            rd.value = value.chars;
            assert_int_equal(key_read(&rd, target(&sp, key->section)), i < 2);
            text_free(&value);
        }
        assert_int_equal(dgs.errors, 1);
        diags_free(&dgs);
        spec_free(&sp);
        rows++;
    }
    assert_true(rows >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_texts_are_sentences),
        cmocka_unit_test(defaults_parse_and_agree_with_the_spec),
        cmocka_unit_test(bounds_hold),
    };

    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
