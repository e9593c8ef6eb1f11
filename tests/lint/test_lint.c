/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each rule of the lint with a table that breaks it and one that just doesn't. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "../sim/iot.h"
#include "lint/lint.h"

/* What a table is like; an |expect| of "rule field, rule field". */
struct lint_case {
    const char *key, *salt_over;
    int buckets;
    int64_t entities;
    const char *expect;
};

static void say(const struct result_findings *all, char *text, size_t cap)
{
    size_t len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < all->len; i++) {
        len += (size_t)snprintf(text + len, cap - len, "%s%s %s", i ? ", " : "", all->all[i].rule, all->all[i].field);
        assert_true(strlen(all->all[i].why) > 20 && strlen(all->all[i].todo) > 10);
    }
}

static void expect(const struct spec *sp, const char *words)
{
    struct result_findings all = {0};
    char text[500];

    assert_int_equal(lint_table(sp, &sp->tables[0], &all), 0);
    say(&all, text, sizeof text);
    if (strcmp(text, words) != 0)
        print_error("%s, salt over %s:\n", sp->tables[0].key, sp->tables[0].salt_over);
    assert_string_equal(text, words);
    result_findings_free(&all);
}

static void lay_out(struct spec *sp, const struct lint_case *c)
{
    iot_spec(sp, c->buckets, 10, 100);
    free(sp->tables->key);
    sp->tables->key = iot_copy(c->key);
    if (c->salt_over) {
        free(sp->tables->salt_over);
        sp->tables->salt_over = iot_copy(c->salt_over);
    }
    if (c->entities > 0)
        sp->streams->entities = c->entities;
}

static void keys_by_rule(void **state)
{
    static const struct lint_case cases[] = {
        {"ts:be64 device:fixed(16)", "key", 16, 0, ""},
        {"device:be32 ts:rts", "device", 16, 0, ""},
        {"device:be32 ts:rts", NULL, 0, 0, ""},
        {"seq:revdec(12)", NULL, 0, 0, ""},
        /* numbers */
        {"ts:num+_ device:num", "key", 16, 0, "variable-width-number ts, variable-width-number device"},
        {"device:num(6)+_ ts:be64", "device", 16, 0, ""},
        {"device:num(5)+_ ts:be64", "device", 16, 0, "variable-width-number device"},
        {"device:fixed(16) ts:text", "device", 16, 0, "variable-width-number ts"},
        {"device:fixed(16) seq:fixed(12)", "key", 16, 0, "variable-width-number seq"},
        {"device:dec(6) seq:dec(12)", "key", 16, 0, ""},
        {"item_count:fixed(16) ts:be64", "key", 16, 0, "variable-width-number item_count"},
        {"count_of:fixed(16) ts:be64", "key", 16, 0, ""},
        /* the first field */
        {"ts:be64 device:fixed(16)", NULL, 0, 0, "leading-monotone ts"},
        {"ts:be64 device:fixed(16)", "key", 1, 0, "leading-monotone ts"},
        {"seq:be64", NULL, 0, 0, "leading-monotone seq"},
        {"ts:rts device:be32", NULL, 0, 0, "leading-monotone ts"},
        {"device:be32 ts:be64", NULL, 0, 11, "leading-few-values device"},
        {"device:be32 ts:be64", NULL, 0, 12, ""},
        {"device:be32 ts:be64", "device", 16, 15, "leading-few-values device"},
        {"device:be32 ts:be64", "device", 16, 16, ""},
        {"device:be32 ts:be64", "key", 16, 3, ""},
        {"device:be32", "key", 16, 3, "leading-few-values device"},
        {"region:be32 device:be32 ts:rts", NULL, 0, 0, "leading-few-values region"},
        {"regionCode:be32 device:be32 ts:rts", "regionCode", 16, 0, "leading-few-values regionCode"},
        {"region:be32 device:be32 ts:rts", "device", 16, 0, ""},
        {"device:be32 region:be32 ts:rts", NULL, 0, 0, ""},
        /* persons */
        {"email:text ts:rts", "key", 16, 0, "personal-data email"},
        {"userEmail:text ts:rts", "key", 16, 0, "personal-data userEmail"},
        {"customer_name:fixed(16) ts:rts", "key", 16, 0, "personal-data customer_name"},
        {"metric_name:fixed(16) ts:rts", "key", 16, 0, ""},
        {"phone:be64 ts:rts", "key", 16, 0, "personal-data phone"},
        {"email_sha256:hex(16) ts:rts", "key", 16, 0, ""},
        {"email:hex(16) ts:rts", "key", 16, 0, ""},
        {"user_id:be64 ts:rts", "key", 16, 0, ""},
        /* end marks */
        {"device:text ts:rts", "key", 16, 0, ""},
        {"device:text+_ ts:rts", "key", 16, 0, "delimiter device"},
        {"device:text:desc+_ ts:rts", "key", 16, 0, "delimiter device"},
        {"device:text+_~\\x5C ts:rts", "key", 16, 0, ""},
        {"device:rawtext ts:rts", "key", 16, 0, "delimiter device"},
        {"device:num(6)+_ ts:rts", "key", 16, 0, ""},
        {"device:num(6)+- ts:rts", "key", 16, 0, "delimiter device"},
        {"ts:rts device:text", "key", 16, 0, ""},
    };
    struct spec sp;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lay_out(&sp, &cases[i]);
        expect(&sp, cases[i].expect);
        spec_free(&sp);
    }
}

/* One device with 13 % of the rows is more than 1.5 of twelve shares; 12 % isn't. With the time in the salt it is spread. */
static void a_hot_value_counts_where_it_decides(void **state)
{
    const struct lint_case entity = {"device:be32 ts:be64", "device", 16, 0, NULL}, whole = {"device:be32 ts:be64", "key", 16, 0, NULL};
    struct spec sp;

    (void)state;
    lay_out(&sp, &entity);
    sp.streams->popularity = SPEC_POPULARITY_HOT;
    sp.streams->hot_entities = 1;
    sp.streams->hot_share = 0.13;
    expect(&sp, "leading-hot-value device");
    sp.streams->hot_share = 0.12;
    expect(&sp, "");
    sp.streams->popularity = SPEC_POPULARITY_ZIPF; /* 1 / (ln 200,000 + 0.577) = 7.8 % */
    sp.streams->zipf_exponent = 1;
    expect(&sp, "");
    sp.streams->zipf_exponent = 1.5; /* 1 / zeta(1.5) = 38 % */
    expect(&sp, "leading-hot-value device");
    spec_free(&sp);
    lay_out(&sp, &whole);
    sp.streams->popularity = SPEC_POPULARITY_ZIPF;
    sp.streams->zipf_exponent = 1.5;
    expect(&sp, "");
    spec_free(&sp);
}

static void add_families(struct spec *sp, size_t n)
{
    struct spec_table *t = sp->tables;
    char name[8];

    t->families = realloc(t->families, n * sizeof *t->families);
    for (size_t i = t->families_len; i < n; i++) {
        t->families[i] = (struct spec_family){.blocksize_bytes = 65536};
        snprintf(name, sizeof name, "f%zu", i);
        t->families[i].name = iot_copy(name);
        t->families[i].columns = iot_zeroed(sizeof *t->families[i].columns);
        t->families[i].columns_len = 1;
        t->families[i].columns->qualifier = iot_copy("v");
        t->families[i].columns->value_bytes = 10;
    }
    t->families_len = n;
}

static void more_than_three_families(void **state)
{
    struct result_findings all = {0};
    struct spec sp;

    (void)state;
    iot_spec(&sp, 16, 10, 100);
    add_families(&sp, 3);
    expect(&sp, "");
    add_families(&sp, 4);
    expect(&sp, "families d,f1,f2,f3");
    assert_int_equal(lint_table(&sp, sp.tables, &all), 0);
    assert_non_null(strstr(all.all[0].why, "32.0 MiB")); /* 128 MiB of four */
    result_findings_free(&all);
    spec_free(&sp);
}

/* A row of a flush's size; a row that a small region holds seven of; a row that is written for ever. */
static void rows_too_wide_to_split(void **state)
{
    struct spec sp;

    (void)state;
    iot_spec(&sp, 16, 10, 134217728 - 1000);
    expect(&sp, "");
    sp.tables->families->columns->value_bytes = 134217728;
    expect(&sp, "wide-row d:v");
    sp.tables->families->columns->value_bytes = 1048576;
    sp.tables->max_filesize_bytes = 7 * 1048576;
    expect(&sp, "wide-row d:v");
    sp.tables->max_filesize_bytes = 9 * 1048576;
    expect(&sp, "");
    spec_free(&sp);
    lay_out(&sp, &(struct lint_case){"device:be32", "key", 16, 0, NULL});
    expect(&sp, "");
    sp.tables->families->versions = 10000000; /* a cell of 127 bytes every 5 s for a year: 801 MB */
    expect(&sp, "wide-row d:v");
    sp.tables->families->ttl_ns = 30 * 86400 * SPEC_NS_PER_S; /* 66 MB */
    expect(&sp, "");
    spec_free(&sp);
    lay_out(&sp, &(struct lint_case){"device:be32 ts:be64", "key", 16, 0, NULL});
    sp.tables->families->versions = 10000000; /* the time makes each write a row of its own */
    expect(&sp, "");
    spec_free(&sp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_by_rule),
        cmocka_unit_test(a_hot_value_counts_where_it_decides),
        cmocka_unit_test(more_than_three_families),
        cmocka_unit_test(rows_too_wide_to_split),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
