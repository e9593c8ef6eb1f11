/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page: all of it in one file, nothing that a scenario says becomes markup, equal bytes twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "../chart/make_result.h"
#include "page/html.h"
#include "page/page.h"

static char *page_of(const struct result *res)
{
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);
    assert_non_null(to);
    assert_int_equal(page_write(res, to), 0);
    fclose(to);
    return text;
}

static size_t count(const char *text, const char *what)
{
    size_t times = 0;
    for (; (text = strstr(text, what)) != NULL; text += strlen(what))
        times++;
    return times;
}

static void test_all_in_one(void **state)
{
    struct make_options opt = make_defaults();
    struct result res;
    size_t pictures = 0;
    (void)state;
    opt.plan = true;
    make_result(&opt, &res);
    char *text = page_of(&res), *again = page_of(&res);
    assert_string_equal(text, again);
    for (const struct chart_picture *pic = chart_pictures; pic->name; pic++)
        pictures += pic->applies(&res) && strcmp(pic->name, "summary") != 0;
    assert_true(pictures >= 6);
    assert_int_equal(count(text, "<figure id="), pictures);
    assert_int_equal(count(text, "<svg"), pictures + 1);
    assert_int_equal(count(text, "</svg>"), pictures + 1);
    assert_int_equal(count(text, "<script"), 0);
    assert_int_equal(count(text, "src="), 0);
    assert_int_equal(count(text, "http"), 0);
    assert_int_equal(count(text, "href=\""), count(text, "href=\"data:image/png;base64,"));
    assert_int_equal(count(text, "nan"), 0);
    assert_int_equal(count(text, "#\">"), 0);
    assert_int_equal(count(text, "<tr class=\"chosen\">"), 1);
    assert_non_null(strstr(text, "16 moving edges"));
    assert_non_null(strstr(text, "prefers-color-scheme:dark"));
    assert_non_null(strstr(text, "size:A4"));
    free(text);
    free(again);
    result_free(&res);
}

static void replace(char **text, const char *with)
{
    free(*text);
    *text = strdup(with);
}

static void test_words_stay_words(void **state)
{
    struct make_options opt = {3, 4, 60, 6, 8, 1000, false};
    struct result res;
    (void)state;
    make_result(&opt, &res);
    replace(&res.title, "</title><script>alert(\"1\")</script> & \xFF\x01");
    replace(&res.run.tables[0].name, "<b>");
    replace(&res.run.servers[0].name, "\"><i>");
    char *text = page_of(&res);
    assert_int_equal(count(text, "<script"), 0);
    assert_int_equal(count(text, "<b>"), 0);
    assert_int_equal(count(text, "<i>"), 0);
    assert_non_null(strstr(text, "&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; ??"));
    free(text);
    result_free(&res);
}

/* A result without anything still makes a page that says so. */
static void test_empty(void **state)
{
    struct result res;
    (void)state;
    result_init(&res);
    char *text = page_of(&res);
    assert_non_null(strstr(text, "</html>"));
    assert_int_equal(count(text, "<figure"), 0);
    free(text);
    result_free(&res);
}

static void test_base64(void **state)
{
    static const struct { const char *plain, *coded; } cases[] = { /* RFC 4648, section 10 */
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL;
        size_t len = 0;
        FILE *to = open_memstream(&text, &len);
        html_base64(to, cases[i].plain, strlen(cases[i].plain));
        fclose(to);
        assert_string_equal(text, cases[i].coded);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_in_one), cmocka_unit_test(test_words_stay_words), cmocka_unit_test(test_empty),
        cmocka_unit_test(test_base64),
    };
    return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
