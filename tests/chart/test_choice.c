/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan's pictures: choosing N, and what would change the answer. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chart/chart.h"
#include "find_item.h"
#include "make_result.h"

static void made(struct result *res, const char *picture, struct layout *lay)
{
    struct make_options opt = make_defaults();

    opt.plan = true;
    make_result(&opt, res);
    layout_init(lay, &measurer_stub);
    if (picture)
        chart_picture_by_name(picture)->layout(res, lay);
}

/* What changes the answer stands on top, then the larger effects; a bar goes from the plan as it is. */
static void tornado_rows(void **state)
{
    struct result res;
    struct layout lay;

    (void)state;
    made(&res, "tornado", &lay);
    assert_string_equal(find(&lay, "title")->text, "What would change the answer: N = 8 stays right in 3 of 6 cases");
    assert_string_equal(find(&lay, "case.name.0")->text, "zipf");
    assert_string_equal(find(&lay, "answer.n.0")->text, "none will do");
    assert_string_equal(find(&lay, "case.name.1")->text, "rate x2");
    assert_string_equal(find(&lay, "answer.n.1")->text, "N = 24");
    assert_string_equal(find(&lay, "case.name.2")->text, "scan budget halved");
    assert_string_equal(find(&lay, "answer.n.2")->text, "no salt");
    assert_string_equal(find(&lay, "case.name.3")->text, "rate x0.5");
    assert_string_equal(find(&lay, "case.name.5")->text, "no figures");
    assert_null(look_for(&lay, "room.bar.5"));
    const struct item *twice = find(&lay, "room.bar.1"), *half = find(&lay, "room.bar.3"), *base = find(&lay, "room.base.0");
    assert_true(fabs(twice->box.x + twice->box.w - base->box.x) < 1 && fabs(half->box.x - base->box.x) < 1);
    assert_true(fabs(half->box.w / twice->box.w - 2) < 0.01); /* 4 -> 8 and 4 -> 2 */
    assert_string_equal(find(&lay, "room.value.1")->text, "2.00x");
    layout_free(&lay);
    result_free(&res);
}

static void tornado_csv_is_its_data(void **state)
{
    struct result res;
    struct layout lay;
    char *text = NULL;
    size_t len = 0;
    FILE *to;

    (void)state;
    made(&res, NULL, &lay);
    to = open_memstream(&text, &len);
    assert_non_null(to);
    chart_picture_by_name("tornado")->csv(&res, to);
    fclose(to);
    assert_non_null(strstr(text, "name,recommended_n,hot_server_ratio,margin,headroom,text\nrate x2,24,1.5,-0.2,1,a case\n"));
    assert_non_null(strstr(text, "\nzipf,-1,12,-6.5,-0.5,a case\n"));
    free(text);
    layout_free(&lay);
    result_free(&res);
}

/* Points by cost and rate, the chosen one ringed, the bounds as lines, what misses them hatched. */
static void choosing(void **state)
{
    struct result res;
    struct layout lay;

    (void)state;
    made(&res, NULL, &lay);
    free(res.plan.targets);
    res.plan.targets = malloc(60);
    assert_non_null(res.plan.targets);
    strcpy(res.plan.targets, "hot_server_ratio <= 1.6, window.scans <= 40");
    chart_picture_by_name("choice")->layout(&res, &lay);
    const struct item *chosen = find(&lay, "n.point.2"), *ring = find(&lay, "ring"), *twelve = find(&lay, "n.point.3");
    assert_true(fabs(ring->points[0].x - 13 - (chosen->box.x + chosen->box.w / 2)) < 1);
    assert_true(twelve->box.x > chosen->box.x && twelve->box.y < chosen->box.y); /* dearer, and more even */
    assert_string_equal(find(&lay, "n.name.2")->text, "8");
    assert_string_equal(find(&lay, "n.name.0")->text, "none");
    assert_non_null(strstr(find(&lay, "demand.label.0")->text, "needed 40.0 k rows/s"));
    assert_non_null(strstr(find(&lay, "ratio.label.0")->text, "hot server ratio 1.60x"));
    assert_non_null(strstr(find(&lay, "scans.label")->text, "at most 40 scans"));
    assert_non_null(strstr(find(&lay, "smaller.why")->text, "why not 1: hot_server_ratio is 12"));
    assert_non_null(strstr(find(&lay, "larger.why")->text, "12 will do too, with 12 scans a query instead of 8"));
    const struct item *level = find(&lay, "ratio.line.0"), *hatch = find(&lay, "rate.missed");
    assert_true(level->box.y > chosen->box.y && fabs(hatch->box.y - level->box.y) < 1);
    assert_true(find(&lay, "n.point.7")->box.x > find(&lay, "scans.line")->box.x); /* 48 */
    layout_free(&lay);
    /* Without a query the price is regions, on the axis and in the words. */
    for (size_t i = 0; i < res.plan.candidates_len; i++)
        res.plan.candidates[i].scans = (struct result_figure){NAN, NAN, NAN};
    layout_init(&lay, &measurer_stub);
    chart_picture_by_name("choice")->layout(&res, &lay);
    assert_non_null(strstr(find(&lay, "x.title")->text, "regions"));
    assert_non_null(strstr(find(&lay, "larger.why")->text, " regions instead of "));
    layout_free(&lay);
    result_free(&res);
}

/* What a candidate must carry is the peak with headroom, and one word and one number in all pictures. */
static void one_number_is_needed(void **state)
{
    struct result res;
    struct layout lay;

    (void)state;
    made(&res, NULL, &lay);
    res.plan.demand_per_s = 60000;
    res.plan.headroom = 0.3;
    chart_picture_by_name("choice")->layout(&res, &lay);
    assert_string_equal(find(&lay, "demand.label.0")->text, "needed 78.0 k rows/s");
    assert_non_null(strstr(find(&lay, "title")->text, "8 is the smallest that will do, full at 160 k rows/s, needed 78.0 k rows/s, for 8 scans"));
    layout_free(&lay);
    layout_init(&lay, &measurer_stub);
    chart_picture_by_name("plan")->layout(&res, &lay);
    assert_string_equal(find(&lay, "capacity.limit.label.0")->text, "needed 78.0 k");
    assert_string_equal(find(&lay, "capacity.limit.below.0")->text, "mean 40.0 k");
    const struct item *line = find(&lay, "capacity.limit.0"), *mark = find(&lay, "capacity.point.2"), *none = find(&lay, "capacity.point.0");
    assert_true(fabs((line->box.y - none->at.y) / (mark->at.y - none->at.y) - (78.0 - 20) / (160 - 20)) < 0.02); /* drawn there too */
    layout_free(&lay);
    layout_init(&lay, &measurer_stub);
    chart_picture_by_name("summary")->layout(&res, &lay);
    assert_string_equal(find(&lay, "choice.needed.label")->text, "needed 78.0 k rows/s");
    layout_free(&lay);
    result_free(&res);
}

/* A panel for each query; the chosen N ringed, targets as lines at their times, no line to where rows are missing. */
static void latency(void **state)
{
    struct result res;
    struct layout lay;
    char message[400] = "";

    (void)state;
    made(&res, NULL, &lay);
    free(res.plan.targets);
    res.plan.targets = malloc(90);
    assert_non_null(res.plan.targets);
    strcpy(res.plan.targets, "hot_server_ratio <= 1.6, window.p99 <= 30.0 s, latest.p50 <= 1.20 ms");
    chart_picture_by_name("latency")->layout(&res, &lay);
    assert_int_equal(layout_check(&lay, message, sizeof message), 0);
    assert_string_equal(find(&lay, "title")->text, "With N = 8 window takes 12.5 s at p99; with N = 48, the fastest, 2.08 s");
    assert_string_equal(find(&lay, "q0.title.0")->text, "latest: newest 100");
    assert_string_equal(find(&lay, "q1.title.0")->text, "window: range 5m");
    const struct item *slow = find(&lay, "q1.p99"), *ring = find(&lay, "ring_q1"), *target = find(&lay, "q1.target.1");
    assert_int_equal(slow->points_len, 8);
    assert_true(isnan(slow->points[0].y)); /* without a salt it gets a fortieth of the rows */
    assert_string_equal(find(&lay, "q1.p99.point.1")->name, "q1.p99.point.1");
    assert_int_equal(find(&lay, "q1.p99.point.1")->mark, MARK_CROSS);
    assert_int_equal(find(&lay, "q1.p99.point.3")->mark, MARK_CIRCLE);
    assert_true(fabs(ring->points[0].x - 13 - slow->points[2].x) < 1 && fabs(ring->points[0].y - slow->points[2].y) < 1);
    /* 100 s, 12.5 s and 30 s on a log axis; N = 1, 8 and 16 on a log2 one */
    assert_true(fabs((target->box.y - slow->points[1].y) / (slow->points[2].y - slow->points[1].y) -
                     log(100 / 30.0) / log(8)) < 0.02);
    assert_true(fabs((slow->points[4].x - slow->points[2].x) / (slow->points[2].x - slow->points[1].x) - 1.0 / 3) < 0.02);
    /* Above each other as the percentiles are: 15, 12.5, 11.875 and 11.25 s at N = 8; a draw of eight takes 11.25 s at
       p99, and one of one scan what that scan takes. */
    const struct item *p999 = find(&lay, "q1.p999"), *p95 = find(&lay, "q1.p95"), *p50 = find(&lay, "q1.p50");
    const struct item *free99 = find(&lay, "q1.free99"), *single = find(&lay, "q0.free99"), *real = find(&lay, "q0.p99");
    assert_true(p999->points[2].y < slow->points[2].y && slow->points[2].y < p95->points[2].y && p95->points[2].y < p50->points[2].y);
    assert_true(fabs(free99->points[2].y - p50->points[2].y) < 0.5);
    assert_true(fabs(single->points[0].y - real->points[0].y) < 0.5 && single->points[2].y < real->points[2].y);
    assert_int_equal(free99->line.colour, COLOUR_TEXT);
    assert_non_null(strstr(find(&lay, "subtitle")->text, "independent draws"));
    assert_string_equal(find(&lay, "q1.target.text.1")->text, "target: p99 at most 30.0 s");
    assert_string_equal(find(&lay, "q0.target.text.0")->text, "target: p50 at most 1.20 ms");
    assert_null(look_for(&lay, "q0.target.1"));
    layout_free(&lay);
    result_free(&res);
}

static void latency_csv_is_its_data(void **state)
{
    struct result res;
    struct layout lay;
    char *text = NULL;
    size_t len = 0;
    FILE *to;

    (void)state;
    made(&res, NULL, &lay);
    to = open_memstream(&text, &len);
    assert_non_null(to);
    chart_picture_by_name("latency")->csv(&res, to);
    fclose(to);
    assert_non_null(strstr(text, "n,query,kind,scans,rpcs,regions,rows_scanned,rows_returned,p50_us,p95_us,p99_us,p999_us,"
                                 "server_share,independent_p50_us,independent_p95_us,independent_p99_us,independent_p999_us\n"
                                 "0,latest,newest 100,1,1,1,100,100,1050,"));
    assert_non_null(strstr(text, "\n48,window,range 5m,48,1000,48,12000000,12000000,"));
    free(text);
    layout_free(&lay);
    for (size_t i = 0; i < res.plan.query_costs_len; i++) /* of an earlier version, which timed no scan alone */
        res.plan.query_costs[i].independent_p50_us = res.plan.query_costs[i].independent_p99_us = NAN;
    layout_init(&lay, &measurer_stub);
    chart_picture_by_name("latency")->layout(&res, &lay);
    assert_non_null(look_for(&lay, "q1.p999"));
    assert_null(look_for(&lay, "q1.free99"));
    layout_free(&lay);
    res.plan.query_costs_len = 0;
    assert_false(chart_picture_by_name("latency")->applies(&res));
    res.plan.query_costs_len = 16;
    result_free(&res);
}

/* The table's own row is framed; a range and a full scan differ in colour and word, with their figures. */
static void layouts(void **state)
{
    struct result res;
    struct layout lay;
    char message[400] = "";

    (void)state;
    made(&res, "layouts", &lay);
    assert_int_equal(layout_check(&lay, message, sizeof message), 0);
    assert_string_equal(find(&lay, "title")->text, "Key entity first: 2 of 2 queries are ranges; own key: 1, up to 16.7 k rows for one");
    const struct item *own = find(&lay, "own"), *range = find(&lay, "cell.box.0"), *filter = find(&lay, "cell.box.1");
    const struct item *other = find(&lay, "cell.box.6");
    assert_true(own->points[0].y < range->box.y && own->points[2].y > range->box.y + range->box.h);
    assert_true(own->points[2].y < other->box.y && own->points[2].x > filter->box.x + filter->box.w);
    assert_int_equal(range->colour, COLOUR_CHOSEN_LIGHT);
    assert_int_equal(filter->colour, COLOUR_BASELINE_LIGHT);
    assert_int_equal(find(&lay, "cell.box.7")->colour, COLOUR_CHOSEN_LIGHT);
    assert_string_equal(find(&lay, "layout.name.0")->text, "this table's own layout");
    assert_string_equal(find(&lay, "layout.name.1")->text, "entity first");
    assert_string_equal(find(&lay, "query.kind.1")->text, "history 1d");
    assert_string_equal(find(&lay, "cell.served.0")->text, "range of the key");
    assert_string_equal(find(&lay, "cell.served.1")->text, "full scan with filter");
    assert_string_equal(find(&lay, "cell.scans.1")->text, "16 scans, 90.0 k RPCs");
    assert_string_equal(find(&lay, "cell.rows.1")->text, "16.7 k rows read per row returned");
    assert_string_equal(find(&lay, "cell.rows.0")->text, "1 row read per row returned");
    assert_string_equal(find(&lay, "cell.p99.1")->text, "p99 210 s; asks for 1.30x a server");
    layout_free(&lay);
    result_free(&res);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tornado_rows),
        cmocka_unit_test(tornado_csv_is_its_data),
        cmocka_unit_test(choosing), cmocka_unit_test(one_number_is_needed),
        cmocka_unit_test(latency),
        cmocka_unit_test(latency_csv_is_its_data),
        cmocka_unit_test(layouts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
