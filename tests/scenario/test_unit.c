/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/text.h"
#include "scenario/unit.h"

#define ROUNDS 10000

/* A fixed sequence of bits: the test needs no other. */
static uint64_t next_bits(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 20;
}

/* Values of all magnitudes, many of them round: as people write them. */
static int64_t whole_value(uint64_t *state, int64_t unit)
{
    uint64_t bits = next_bits(state);
    int64_t value = (int64_t)(bits >> (next_bits(state) % 43));

    return next_bits(state) % 3 ? value : (value % 1000) * unit;
}

static void whole_round_trip(enum unit_family family, const int64_t *units, size_t units_len)
{
    uint64_t state = 17 + family;

    for (int i = 0; i < ROUNDS; i++) {
        int64_t value = whole_value(&state, units[next_bits(&state) % units_len]), back;
        char text[UNIT_TEXT_CAP];
        struct unit_problem why;

        unit_write_whole(family, value, text);
        assert_int_equal(unit_read_whole(family, text, strlen(text), &back, &why), 0);
        assert_int_equal(back, value);
    }
}

static void real_round_trip(enum unit_family family)
{
    uint64_t state = 99 + family;

    for (int i = 0; i < ROUNDS; i++) {
        double value = (double)next_bits(&state) / (double)(1 + next_bits(&state) % 1000003), back;
        char text[UNIT_TEXT_CAP];
        struct unit_problem why;

        if (i % 3 == 0)
            value = (double)(next_bits(&state) % 100000) / (i % 2 ? 1000 : 60);
        unit_write_real(family, value, text);
        assert_int_equal(unit_read_real(family, text, strlen(text), &back, &why), 0);
        assert_memory_equal(&back, &value, sizeof value);
    }
}

static void written_values_read_back(void **state)
{
    static const int64_t bytes[] = {1, 1000, 1000000, 1000000000, 1 << 10, 1 << 20, 1 << 30};
    static const int64_t times[] = {1, 1000, 1000000, 1000000000, 60000000000, 3600000000000, 86400000000000};
    static const int64_t counts[] = {1, 1000, 1000000};

    (void)state;
    whole_round_trip(UNIT_BYTES, bytes, 7);
    whole_round_trip(UNIT_DURATION, times, 7);
    whole_round_trip(UNIT_COUNT, counts, 3);
    real_round_trip(UNIT_RATE);
    real_round_trip(UNIT_BYTE_RATE);
    real_round_trip(UNIT_RATIO);
    real_round_trip(UNIT_NUMBER);
}

static void wholes(void **state)
{
    static const struct {
        enum unit_family family;
        const char *text;
        int64_t value;
        const char *written;
    } rows[] = {
        {UNIT_BYTES, "16GiB", INT64_C(17179869184), "16GiB"},
        {UNIT_BYTES, "10 GB", INT64_C(10000000000), "10GB"},
        {UNIT_BYTES, "1.5KiB", 1536, "1536B"},
        {UNIT_BYTES, "100", 100, "100B"},
        {UNIT_BYTES, "100B", 100, "100B"},
        {UNIT_BYTES, "0", 0, "0"},
        {UNIT_DURATION, "0", 0, "0"},
        {UNIT_DURATION, "1h30m", INT64_C(5400000000000), "90m"},
        {UNIT_DURATION, "1h 30m 5s", INT64_C(5405000000000), "5405s"},
        {UNIT_DURATION, "2y", INT64_C(63072000000000000), "2y"},
        {UNIT_DURATION, "0.5ms", 500000, "500us"},
        {UNIT_COUNT, "200k", 200000, "200k"},
        {UNIT_COUNT, "1e9", 1000000000, "1G"},
        {UNIT_COUNT, "1.5M", 1500000, "1500k"},
        {UNIT_COUNT, "9223372036854775807", INT64_MAX, "9223372036854775807"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t value = -1;
        char text[UNIT_TEXT_CAP];
        struct unit_problem why;

        assert_int_equal(unit_read_whole(rows[i].family, rows[i].text, strlen(rows[i].text), &value, &why), 0);
        assert_int_equal(value, rows[i].value);
        unit_write_whole(rows[i].family, value, text);
        assert_string_equal(text, rows[i].written);
    }
}

static void reals(void **state)
{
    static const struct {
        enum unit_family family;
        const char *text;
        double value;
        const char *written;
    } rows[] = {
        {UNIT_RATE, "40k/s", 40000, "40k/s"},
        {UNIT_RATE, "20k rows/s", 20000, "20k/s"},
        {UNIT_RATE, "7 rows / m", 7.0 / 60, "7/m"},
        {UNIT_RATE, "1/m", 1.0 / 60, "1/m"},
        {UNIT_BYTE_RATE, "100MB/s", 1e8, "100MB/s"},
        {UNIT_BYTE_RATE, "1 GiB/s", 1073741824, "1GiB/s"},
        {UNIT_RATIO, "30%", 0.3, "30%"},
        {UNIT_RATIO, "0.3", 0.3, "30%"},
        {UNIT_NUMBER, "0.99", 0.99, "0.99"},
        {UNIT_NUMBER, "1e3", 1000, "1000"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value = -1;
        char text[UNIT_TEXT_CAP];
        struct unit_problem why;

        assert_int_equal(unit_read_real(rows[i].family, rows[i].text, strlen(rows[i].text), &value, &why), 0);
        assert_memory_equal(&value, &rows[i].value, sizeof value);
        unit_write_real(rows[i].family, value, text);
        assert_string_equal(text, rows[i].written);
    }
}

static void refusals_point_at_the_place(void **state)
{
    static const struct {
        enum unit_family family;
        const char *text;
        size_t at;
        const char *message;
    } rows[] = {
        {UNIT_BYTES, "10G", 2, "unknown unit 'G'"},
        {UNIT_BYTES, "10 K", 3, "unknown unit 'K'"},
        {UNIT_BYTES, "1mB", 1, "unknown unit 'mB'"},
        {UNIT_BYTES, "1.5B", 0, "a fraction of a byte"},
        {UNIT_BYTES, "9999999TiB", 0, "the number is too large"},
        {UNIT_BYTES, "-1", 0, "a negative value makes no sense here"},
        {UNIT_BYTES, "", 0, "not a number"},
        {UNIT_BYTES, "GiB", 0, "not a number"},
        {UNIT_DURATION, "5", 1, "the unit is missing"},
        {UNIT_DURATION, "0.1ns", 0, "a fraction of a nanosecond"},
        {UNIT_DURATION, "30m1h", 3, "the parts of a duration go from the larger unit to the smaller"},
        {UNIT_DURATION, "1000y", 0, "the duration is too long"},
        {UNIT_DURATION, "5sec", 1, "unknown unit 'sec'"},
        {UNIT_COUNT, "1.5", 0, "a whole number is needed"},
        {UNIT_COUNT, "12x", 2, "unknown unit 'x'"},
        {UNIT_COUNT, "9223372036854775808", 0, "the number is too large"},
        {UNIT_COUNT, "99999999999999999999999", 0, "the number has too many digits"},
        {UNIT_RATE, "40k", 3, "a rate needs a time, as /s"},
        {UNIT_RATE, "40/y", 3, "unknown time 'y' in a rate"},
        {UNIT_RATE, "40 cats/s", 3, "unknown unit 'cats'"},
        {UNIT_BYTE_RATE, "100/s", 3, "the unit is missing"},
        {UNIT_RATIO, "30%%", 2, "unknown unit '%%'"},
        {UNIT_NUMBER, "nan", 0, "not a number"},
        {UNIT_NUMBER, "inf", 0, "not a number"},
        {UNIT_NUMBER, "1e999", 0, "the number is too large"},
        {UNIT_NUMBER, "0x10", 1, "unknown unit 'x10'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t whole = 42;
        double real = 42;
        struct unit_problem why;
        int status = rows[i].family <= UNIT_COUNT
                         ? unit_read_whole(rows[i].family, rows[i].text, strlen(rows[i].text), &whole, &why)
                         : unit_read_real(rows[i].family, rows[i].text, strlen(rows[i].text), &real, &why);

        assert_int_equal(status, -1);
        assert_string_equal(why.message, rows[i].message);
        assert_int_equal(why.at, rows[i].at);
        assert_int_equal(whole, 42);
        assert_true(real > 41 && real < 43);
    }
}

static void numbers_keep_below_a_small_limit(void **state)
{
    long long n = -1;

    (void)state;
    for (long long max = 0; max < 25; max++) {
        for (long long value = 0; value < 120; value++) {
            char text[8];

            snprintf(text, sizeof text, "%lld", value);
            assert_int_equal(word_number((struct word){text, strlen(text), 0}, max, &n), value <= max);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_keep_below_a_small_limit),
        cmocka_unit_test(written_values_read_back),
        cmocka_unit_test(wholes),
        cmocka_unit_test(reals),
        cmocka_unit_test(refusals_point_at_the_place),
    };

    return cmocka_run_group_tests_name("unit", tests, NULL, NULL);
}
