/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart/scale.h"

static uint64_t state64 = 12345;

static double unit(void)
{
    state64 = state64 * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state64 >> 11) / 9007199254740992.0;
}

static void describe(const struct scale *s, const struct ticks *t, int target, const char *what)
{
    char text[1000];
    size_t len = 0;
    text[0] = '\0';
    for (int i = 0; i < t->len && len < sizeof text - 60; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, " %g='%s'", t->at[i].value, t->at[i].label);
    fail_msg("%s: kind %d, %.17g to %.17g, target %d:%s", what, (int)s->kind, s->lo, s->hi, target, text);
}

/* Sorted, inside the domain, labels distinct; |count|: a sensible number of them. */
static void check_ticks(const struct scale *s, int target, bool count)
{
    struct ticks t;
    scale_ticks(s, target, &t);
    double slack = (s->hi / 2 - s->lo / 2) * 1e-8;
    if (t.len > TICKS_MAX || t.len < 0)
        describe(s, &t, target, "length");
    for (int i = 0; i < t.len; i++) {
        if (!(t.at[i].value >= s->lo - slack && t.at[i].value <= s->hi + slack))
            describe(s, &t, target, "outside");
        if (i > 0 && !(t.at[i].value > t.at[i - 1].value))
            describe(s, &t, target, "order");
        if (!t.at[i].label[0] || strstr(t.at[i].label, "nan") || strstr(t.at[i].label, "inf"))
            describe(s, &t, target, "label");
        for (int j = 0; j < i; j++)
            if (strcmp(t.at[i].label, t.at[j].label) == 0)
                describe(s, &t, target, "equal labels");
    }
    if (count && (2 * t.len < target - 2 || t.len > 2 * target))
        describe(s, &t, target, "count");
}

static void test_ticks_random(void **state)
{
    (void)state;
    static const enum scale_kind kinds[] = {SCALE_LINEAR, SCALE_BYTES, SCALE_TIME, SCALE_LOG10, SCALE_LOG2};
    for (int i = 0; i < 20000; i++) {
        enum scale_kind kind = kinds[i % 5];
        double size = pow(10, unit() * 14 - 2), lo, hi;
        if (kind == SCALE_LOG10 || kind == SCALE_LOG2) {
            lo = size;
            hi = size * pow(10, 0.7 + unit() * 6);
        } else {
            lo = unit() < 0.3 ? 0 : (unit() - 0.3) * size;
            hi = lo + size * (0.01 + unit());
        }
        if (kind == SCALE_TIME && lo < 0)
            lo = 0;
        if (kind != SCALE_LINEAR) /* a second, a byte are the smallest things shown there */
            hi = hi - lo < 10 && kind != SCALE_LOG10 && kind != SCALE_LOG2 ? lo + 10 : hi;
        struct scale s = scale_make(kind, lo, hi, 0, 100);
        int target = 3 + i % 8;
        check_ticks(&s, target, kind == SCALE_LINEAR || kind == SCALE_BYTES || kind == SCALE_TIME);
    }
}

static void test_degenerate(void **state)
{
    (void)state;
    static const double ends[] = {0, 1, -1, 5, 1e-300, 1e300, -1e300, (double)NAN, (double)INFINITY, -(double)INFINITY, 1e308, 4e-324,
                                  1e15, 1e15 + 1, 3.0000000000000004, 3};
    size_t len = sizeof ends / sizeof *ends;
    for (int kind = SCALE_LINEAR; kind <= SCALE_PERCENTILE; kind++) {
        for (size_t i = 0; i < len; i++) {
            for (size_t j = 0; j < len; j++) {
                struct scale s = scale_make((enum scale_kind)kind, ends[i], ends[j], 10, 90);
                assert_true(isfinite(s.lo) && isfinite(s.hi) && s.lo < s.hi);
                assert_true(fabs(scale_at(&s, s.lo) - 10) < 1e-6);
                assert_true(fabs(scale_at(&s, s.hi) - 90) < 1e-6);
                assert_true(isnan(scale_at(&s, (double)NAN)));
                for (int target = 0; target <= 20; target += 5)
                    check_ticks(&s, target, false);
                struct scale loose = scale_loose(&s, 6);
                assert_true(loose.lo <= s.lo && loose.hi >= s.hi);
            }
        }
    }
}

/* The published algorithm's known answers: data range and wanted number to labels. */
static void test_linear_known(void **state)
{
    (void)state;
    static const struct {
        double lo, hi;
        int target;
        const char *labels;
    } cases[] = {
        {0, 100, 5, "0 25 50 75 100"},
        {0, 1, 5, "0 0.25 0.50 0.75 1.00"},
        {0, 20000, 5, "0 5 k 10 k 15 k 20 k"},
        {0, 12, 4, "0 4 8 12"},
        {-1, 1, 5, "\xE2\x88\x92" "1.0 \xE2\x88\x92" "0.5 0 0.5 1.0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ticks t;
        char text[300] = "";
        struct scale s = scale_make(SCALE_LINEAR, cases[i].lo, cases[i].hi, 0, 1);
        scale_ticks(&s, cases[i].target, &t);
        for (int k = 0; k < t.len; k++) {
            strcat(text, k ? " " : "");
            strcat(text, t.at[k].label);
        }
        assert_string_equal(text, cases[i].labels);
    }
}

static void expect_labels(enum scale_kind kind, double hi, int target, const char *labels)
{
    struct ticks t;
    char text[400] = "";
    struct scale s = scale_make(kind, kind == SCALE_LOG2 ? 1.0 / 64 : kind == SCALE_LOG10 ? 1 : 0, hi, 0, 1);
    scale_ticks(&s, target, &t);
    for (int k = 0; k < t.len; k++) {
        strcat(text, k ? " " : "");
        strcat(text, t.at[k].label);
    }
    assert_string_equal(text, labels);
}

static void test_other_axes(void **state)
{
    (void)state;
    expect_labels(SCALE_TIME, 10, 6, "0 2s 4s 6s 8s 10s");
    expect_labels(SCALE_TIME, 7200, 8, "0 15m 30m 45m 1h 1h15m 1h30m 1h45m 2h");
    expect_labels(SCALE_TIME, 86400, 8, "0 3h 6h 9h 12h 15h 18h 21h 1d");
    expect_labels(SCALE_TIME, 63072000, 8, "0 90d 180d 270d 360d 450d 540d 630d 720d");
    expect_labels(SCALE_TIME, 315360000, 8, "0 1y 2y 3y 4y 5y 6y 7y 8y 9y 10y");
    expect_labels(SCALE_BYTES, 1073741824, 4, "0 0.25 GiB 0.50 GiB 0.75 GiB 1.00 GiB");
    expect_labels(SCALE_BYTES, 3000, 5, "0 0.5 KiB 1.0 KiB 1.5 KiB 2.0 KiB 2.5 KiB");
    expect_labels(SCALE_LOG2, 1, 7, "1/64 1/32 1/16 1/8 1/4 1/2 1");
    expect_labels(SCALE_LOG10, 100000, 6, "1 10 100 1 k 10 k 100 k");
    expect_labels(SCALE_LOG10, 30, 6, "1 2 5 10 20");
    expect_labels(SCALE_PERCENTILE, 0.9999, 6, "0 % 50 % 90 % 99 % 99.9 % 99.99 %");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks_random),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_linear_known),
        cmocka_unit_test(test_other_axes),
    };
    return cmocka_run_group_tests_name("chart/scale", tests, NULL, NULL);
}
