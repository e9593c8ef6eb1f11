/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a picture's words and numbers say is what is drawn, over the same time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "find_item.h"
#include "make_result.h"
#include "result/format.h"

static void lay_out(const struct result *res, const char *picture, struct layout *lay)
{
    layout_init(lay, &measurer_stub);
    chart_picture_by_name(picture)->layout(res, lay);
}

/* Where the tail wanders from server to server, no bar of the whole run is as long as the titles' factor: the hottest of
   each moment has one of its own, with that number, as long as it says. */
static void test_titles_say_what_is_drawn(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    struct layout lay;
    char ratio[FORMAT_CAP];
    make_result(&opt, &res);
    struct result_run *none = &res.comparisons[0];
    assert_string_equal(none->role, "none");
    double all = 0;
    for (size_t i = 0; i < none->servers_len; i++)
        all += none->servers[i].writes;
    for (size_t i = 0; i < none->servers_len; i++)
        none->servers[i].writes = i < 2 ? all / 2 : 0;
    const char *const pictures[] = {"servers", "summary"};
    for (size_t p = 0; p < 2; p++) {
        lay_out(&res, pictures[p], &lay);
        static const char *const panels[] = {"none", "scenario", "twice"};
        for (size_t k = p ? 1 : 0; k < (p ? 2 : 3); k++) {
            char name[40];
            const struct result_run *run = k == 0 ? none : k == 1 ? &res.run : &res.comparisons[1];
            format_ratio(run->summary.hot_server_ratio, ratio);
            snprintf(name, sizeof name, "%s.title.0", panels[k]);
            assert_non_null(strstr(find(&lay, name)->text, ratio));
            snprintf(name, sizeof name, "%s.moment.figure.0", panels[k]);
            assert_non_null(strstr(find(&lay, name)->text, ratio));
            snprintf(name, sizeof name, "%s.fair.0", panels[k]);
            const struct item *fair = find(&lay, name);
            snprintf(name, sizeof name, "%s.moment.0", panels[k]);
            const struct item *bar = find(&lay, name);
            assert_true(fabs(bar->box.w / (fair->box.x - bar->box.x) / run->summary.hot_server_ratio - 1) < 0.01);
        }
        if (p == 0) {
            assert_non_null(strstr(find(&lay, "none.figure.0")->text, "6.00x"));
            assert_non_null(strstr(find(&lay, "none.title.0")->text, "10 get no writes"));
            size_t idle = 0;
            for (size_t i = 0; i < lay.len; i++)
                idle += strncmp(lay.items[i].name, "none.figure.", 12) == 0 && strcmp(lay.items[i].text, "no writes") == 0;
            assert_int_equal(idle, 10);
        }
        layout_free(&lay);
    }
    result_free(&res);
}

/* The count in a title is the one that most windows have, and the largest that is drawn is told beside it; the key
   has the colours that are drawn. */
static void test_tails_say_what_is_drawn(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    struct layout lay;
    make_result(&opt, &res);
    lay_out(&res, "tails", &lay);
    assert_string_equal(find(&lay, "right.title.0")->text, "16 buckets: 16 write tails, at most 2 on one server");
    assert_non_null(look_for(&lay, "key.label.2"));
    assert_null(look_for(&lay, "key.label.3"));
    layout_free(&lay);
    res.run.windows[7].server_tails[3] = 4;
    lay_out(&res, "tails", &lay);
    assert_string_equal(find(&lay, "right.title.0")->text,
                        "16 buckets: 16 write tails, on the fullest 2, at times 4");
    assert_string_equal(find(&lay, "key.label.4")->text, "4");
    layout_free(&lay);
    result_free(&res);
}

/* Flow counts flushes by window and lists none: they are drawn and counted all the same. */
static void test_events_that_are_only_counted(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    struct layout lay;
    make_result(&opt, &res);
    size_t drawn = 0;
    for (size_t i = 0; i < res.run.events_len; i++)
        res.run.events[i].kind = "balancer";
    res.run.summary.flushes = 600;
    for (size_t i = 0; i < res.run.windows_len; i++)
        res.run.windows[i].flushes = i >= 10 && i < 30 ? 30 : 0;
    lay_out(&res, "writes", &lay);
    for (size_t i = 0; i < lay.len; i++)
        drawn += strncmp(lay.items[i].name, "rug.flush.", 10) == 0;
    assert_int_equal(drawn, 20);
    assert_string_equal(find(&lay, "rug.count.0")->text, "600");
    layout_free(&lay);
    result_free(&res);
}

/* Servers that lived for a part of the run don't count for the rest: the fair share is that of the live ones, as the
   hot server ratio has it. */
static void test_fair_share_of_the_live(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    struct layout lay;
    make_result(&opt, &res);
    struct result_run *run = &res.run;
    double all = 0;
    for (size_t s = 0; s < run->servers_len; s++)
        run->servers[s].writes = 0;
    for (size_t w = 0; w < run->windows_len; w++) {
        const size_t live = w < run->windows_len / 2 ? 6 : 12;
        run->windows[w].servers = (double)live;
        run->windows[w].hot_server_ratio = 1;
        for (size_t s = 0; s < run->servers_len; s++) {
            run->windows[w].server_writes[s] = s < live ? 1.2e6 / (double)live : 0;
            run->servers[s].writes += run->windows[w].server_writes[s];
            all += run->windows[w].server_writes[s];
        }
    }
    run->summary.hot_server_ratio = 1;
    lay_out(&res, "servers", &lay);
    const struct item *bar = find(&lay, "scenario.bar.0"), *fair = find(&lay, "scenario.fair.0"), *moment = find(&lay, "scenario.moment.0");
    assert_true(all > 0 && fabs(fair->box.x - bar->box.x - bar->box.w) < 1.5 && fabs(moment->box.w - bar->box.w) < 1.5);
    assert_non_null(strstr(find(&lay, "scenario.figure.0")->text, "  1.00x"));
    layout_free(&lay);
    result_free(&res);
}

/* Without writes a title says so, and no dash stands for a number. */
static void test_nothing_was_written(void **state)
{
    static const char *const pictures[] = {"keyspace", "servers"};
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    struct layout lay;
    make_result(&opt, &res);
    for (size_t i = 0; i < res.run.keyspace.rows * res.run.keyspace.columns; i++)
        res.run.keyspace.cells[i] = 0;
    res.run.summary.hot_server_ratio = (double)NAN;
    for (size_t p = 0; p < 2; p++) {
        lay_out(&res, pictures[p], &lay);
        assert_string_equal(find(&lay, "title")->text, "16 buckets: no row was written");
        layout_free(&lay);
    }
    result_free(&res);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_titles_say_what_is_drawn),
        cmocka_unit_test(test_tails_say_what_is_drawn),
        cmocka_unit_test(test_events_that_are_only_counted),
        cmocka_unit_test(test_fair_share_of_the_live),
        cmocka_unit_test(test_nothing_was_written),
    };
    return cmocka_run_group_tests_name("chart/says", tests, NULL, NULL);
}
