/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/suggest.h"

static void distances(void **state)
{
    (void)state;
    assert_int_equal(suggest_distance("buckets", "buckets"), 0);
    assert_int_equal(suggest_distance("bukets", "buckets"), 1);
    assert_int_equal(suggest_distance("buckest", "buckets"), 1); /* a transposition */
    assert_int_equal(suggest_distance("Write-Capacity", "write_capacity"), 0);
    assert_int_equal(suggest_distance("", "abc"), 3);
    assert_int_equal(suggest_distance("abc", ""), 3);
    assert_int_equal(suggest_distance("kitten", "sitting"), 3);
    assert_int_equal(suggest_distance("ca", "abc"), 3); /* the restricted distance */
}

/* The distance is symmetric, and 0 only for what reads the same. */
static void distance_is_symmetric(void **state)
{
    static const char *const words[] = {"a", "ab", "ba", "abc", "acb", "cab", "bucket", "bukcet", "seed", "sede"};
    const size_t len = sizeof words / sizeof words[0];

    (void)state;
    for (size_t i = 0; i < len; i++) {
        for (size_t k = 0; k < len; k++) {
            assert_int_equal(suggest_distance(words[i], words[k]), suggest_distance(words[k], words[i]));
            assert_int_equal(suggest_distance(words[i], words[k]) == 0, i == k);
        }
    }
}

static const char *nearest(const char *word)
{
    static const char *const names[] = {"servers", "heap", "background", "seed"};
    struct suggest sug;

    suggest_begin(&sug, word);
    for (size_t i = 0; i < 4; i++)
        suggest_offer(&sug, names[i]);
    return sug.name;
}

static void only_near_words_are_suggested(void **state)
{
    (void)state;
    assert_string_equal(nearest("server"), "servers");
    assert_string_equal(nearest("sevrers"), "servers");
    assert_string_equal(nearest("sed"), "seed");
    assert_string_equal(nearest("backgroud"), "background");
    assert_null(nearest("head_room"));
    assert_null(nearest("x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),
        cmocka_unit_test(distance_is_symmetric),
        cmocka_unit_test(only_near_words_are_suggested),
    };

    return cmocka_run_group_tests_name("suggest", tests, NULL, NULL);
}
