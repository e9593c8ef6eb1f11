/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold for every picture of every result, without a font: no text covers another or
   leaves the page, all numbers are finite. */
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
#include "chart/keymatrix.h"
#include "chart/theme.h"
#include "find_item.h"
#include "make_result.h"
#include "result/format.h"
#include "result/layouts.h"

static double wide_advance(void *context, const char *text, double size, bool bold)
{
    (void)context;
    return 1.25 * measurer_stub.advance(NULL, text, size, bold);
}

static const struct measurer measurer_wide = {wide_advance, NULL};

static void check_all(const struct result *res, const char *what)
{
    const struct measurer *const measurers[] = {&measurer_stub, &measurer_wide};
    for (const struct chart_picture *pic = chart_pictures; pic->name; pic++) {
        for (size_t m = 0; m < 2; m++) {
            struct layout lay;
            char message[400] = "";
            layout_init(&lay, measurers[m]);
            lay.font_family = "DejaVu Sans";
            pic->layout(res, &lay);
            int rc = layout_check(&lay, message, sizeof message);
            size_t titles = 0;
            for (size_t i = 0; i < lay.len; i++)
                titles += strcmp(lay.items[i].name, "title") == 0 || strcmp(lay.items[i].name, "footer") == 0;
            layout_free(&lay);
            if (rc != 0)
                fail_msg("%s, %s, measurer %zu: %s", what, pic->name, m, message);
            if (titles != 2)
                fail_msg("%s, %s: no title or no footer", what, pic->name);
        }
    }
}

static void test_sizes(void **state)
{
    (void)state;
    static const int servers[] = {1, 3, 12, 40, 100, 300}, buckets[] = {0, 1, 8, 16, 48, 256};
    static const double durations_s[] = {10, 7200, 63072000};
    for (size_t s = 0; s < 6; s++) {
        for (size_t b = 0; b < 6; b++) {
            for (size_t d = 0; d < 3; d++) {
                struct make_options opt = {servers[s], buckets[b], durations_s[d], d == 0 ? 10 : 40, 64, 40000, b % 2 == 0};
                struct result res;
                char what[80];
                snprintf(what, sizeof what, "%d servers, %d buckets, %g s", servers[s], buckets[b], durations_s[d]);
                make_result(&opt, &res);
                check_all(&res, what);
                result_free(&res);
            }
        }
    }
}

static void test_empty(void **state)
{
    (void)state;
    struct result res;
    result_init(&res);
    check_all(&res, "empty");
    struct make_options opt = {1, 1, 1, 1, 1, 1, false};
    make_result(&opt, &res);
    check_all(&res, "one point");
    res.run.duration_s = 0;
    check_all(&res, "no time");
    result_free(&res);
}

static void fill(struct result_run *run, double value)
{
    for (size_t i = 0; i < run->keyspace.rows * run->keyspace.columns; i++)
        run->keyspace.cells[i] = value;
    for (size_t i = 0; i < run->servers_len; i++) {
        run->servers[i].writes = value;
        run->servers[i].name[0] = '\0';
    }
    for (size_t w = 0; w < run->windows_len; w++) {
        struct result_window *win = &run->windows[w];
        for (size_t i = 0; i < run->servers_len; i++)
            win->server_writes[i] = win->server_tails[i] = value;
        win->p50_us = win->p99_us = win->p999_us = win->max_us = value;
        win->offered = win->done = win->queued = win->hot_server_ratio = win->write_tails = value;
    }
    run->summary.write_tails = run->summary.hot_server_ratio = run->summary.writes_done = value;
}

static void test_strange_values(void **state)
{
    (void)state;
    static const double values[] = {0, (double)NAN, (double)INFINITY, -(double)INFINITY, -5, 1e300, 1e-300, 20000};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        struct make_options opt = {12, 16, 7200, 60, 64, 40000, true};
        struct result res;
        char what[60];
        snprintf(what, sizeof what, "all values %g", values[v]);
        make_result(&opt, &res);
        for (size_t i = 0; i < res.measurements_len; i++)
            res.measurements[i].lo = res.measurements[i].hi = res.measurements[i].simulated = values[v];
        for (size_t i = 0; i < res.plan.query_costs_len; i += 3)
            res.plan.query_costs[i].p50_us = res.plan.query_costs[i].p99_us = res.plan.query_costs[i].rows_returned = values[v];
        for (size_t i = 0; i < res.layouts->len; i++) {
            struct result_query *q = &res.layouts->all[i].run.queries[i];
            q->scans = q->rpcs = q->rows_scanned = q->rows_returned = q->p99_us = q->server_share = values[v];
            res.layouts->all[i].run.summary.hot_server_ratio = res.layouts->all[i].run.summary.write_tails = values[v];
        }
        fill(&res.run, values[v]);
        check_all(&res, what);
        fill(&res.comparisons[0], values[v]);
        res.run.server_capacity_per_s = values[v];
        for (size_t i = 0; i < res.plan.candidates_len; i++)
            res.plan.candidates[i].hot_server_ratio.mean = res.plan.candidates[i].max_write_rate_per_s.hi = values[v];
        check_all(&res, what);
        result_free(&res);
    }
}

static void replace(char **text, const char *with)
{
    free(*text);
    *text = strdup(with);
    assert_non_null(*text);
}

static void test_strange_texts(void **state)
{
    (void)state;
    struct make_options opt = {40, 16, 7200, 60, 64, 40000, true};
    char long_text[3000];
    memset(long_text, 'W', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    const char *const texts[] = {long_text, "", "\xFF\xFE broken \xC3", "line\nfeed\ttab", "\xE6\x97\xA5\xE6\x9C\xAC"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct result res;
        make_result(&opt, &res);
        replace(&res.title, texts[t]);
        replace(&res.base_name, texts[t]);
        replace(&res.version, texts[t]);
        replace(&res.run.tables[0].name, texts[t]);
        replace(&res.plan.reason, texts[t]);
        replace(&res.plan.targets, texts[t]);
        replace(&res.layouts->table, texts[t]);
        replace(&res.layouts->all[1].key, texts[t]);
        replace(&res.layouts->all[0].run.queries[1].kind, texts[t]);
        replace(&res.layouts->all[0].run.queries[1].name, texts[t]);
        for (size_t i = 0; i < res.plan.query_costs_len; i += 2)
            replace(&res.plan.query_costs[i].query, texts[t]);
        for (size_t i = 0; i < res.run.servers_len; i++)
            replace(&res.run.servers[i].name, texts[t]);
        for (size_t i = 0; i < res.run.keyspace.rows; i += 3)
            replace(&res.run.keyspace.edges[i], texts[t]);
        check_all(&res, "strange texts");
        result_free(&res);
    }
}

static void test_many_regions(void **state)
{
    (void)state;
    struct make_options opt = {100, 16, 7200, 60, 64, 40000, false};
    struct result res;
    make_result(&opt, &res);
    for (int i = 0; i < 4000; i++) {
        struct result_region *reg = result_add_region(&res.run);
        char start[80];
        assert_non_null(reg);
        snprintf(start, sizeof start, "\\x%02X\\x00\\x00\\x01\\x8B\\xCF\\x%02X\\x%02X", (unsigned)i % 16,
                 (unsigned)(i / 16) % 256, (unsigned)i % 256);
        reg->start = strdup(start);
        reg->end = strdup("");
        reg->table = 0;
        reg->bucket = i % 16;
        reg->parent = i % 16;
        reg->birth_s = i * 1.8;
        reg->death_s = i % 3 ? (double)NAN : i * 1.8 + 500;
        reg->server_start = reg->server_end = i % 100;
        struct result_event *ev = result_add_event(&res.run);
        assert_non_null(ev);
        ev->kind = i % 2 ? "flush" : "move";
        ev->at_s = i * 1.8;
        ev->table = 0;
        ev->region = reg->id;
        ev->server = i % 100;
    }
    check_all(&res, "4,000 regions");
    result_free(&res);
}

static void lay_out(const struct result *res, const char *picture, struct layout *lay)
{
    layout_init(lay, &measurer_stub);
    chart_picture_by_name(picture)->layout(res, lay);
}

/* Titles say the finding with its numbers; both panels stand side by side at one height. */
static void test_keyspace_says(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    struct layout lay;
    make_result(&opt, &res);
    lay_out(&res, "keyspace", &lay);
    assert_non_null(strstr(find(&lay, "title")->text, "16 buckets: 16 moving edges, hottest "));
    assert_non_null(strstr(find(&lay, "title")->text, "1.50x"));
    assert_non_null(strstr(find(&lay, "title")->text, "unsalted: sequential, 12.0x"));
    assert_string_equal(find(&lay, "left.title.0")->text, "unsalted: 1 write tail, 20.0 k rows/s done, 4 splits");
    assert_string_equal(find(&lay, "right.bucket.0")->text, "\\x00");
    assert_string_equal(find(&lay, "right.bucket.15")->text, "\\x0F");
    struct box left = find(&lay, "left.cells.0")->box, right = find(&lay, "right.cells.0")->box;
    assert_true(left.y == right.y && left.w == right.w && left.h == right.h && left.x + left.w < right.x);
    assert_non_null(find(&lay, "right.server.11")->text);
    size_t labels = 0, marks = 0;
    for (size_t i = 0; i < lay.len; i++) {
        labels += strncmp(lay.items[i].name, "right.bucket.", 13) == 0;
        marks += strncmp(lay.items[i].name, "right.split.", 12) == 0;
    }
    assert_int_equal(labels, 16);
    assert_int_equal(marks, 8);
    layout_free(&lay);
    for (size_t i = 0; i < res.comparisons_len; i++)
        result_run_free(&res.comparisons[i]);
    res.comparisons_len = 0;
    lay_out(&res, "keyspace", &lay);
    for (size_t i = 0; i < lay.len; i++)
        assert_true(strncmp(lay.items[i].name, "left.", 5) != 0);
    assert_true(find(&lay, "right.cells.0")->box.w > 1.9 * left.w);
    layout_free(&lay);
    result_free(&res);
}

static void test_at_most_16_labels(void **state)
{
    (void)state;
    for (int buckets = 2; buckets <= 256; buckets += 7) {
        struct make_options opt = {12, buckets, 7200, 40, 512, 40000, false};
        struct result res;
        struct layout lay;
        size_t labels = 0;
        make_result(&opt, &res);
        lay_out(&res, "keyspace", &lay);
        for (size_t i = 0; i < lay.len; i++)
            labels += strncmp(lay.items[i].name, "right.bucket.", 13) == 0;
        assert_in_range(labels, buckets < 16 ? buckets : 8, 16);
        for (size_t i = 0; i < lay.len; i++) /* in the digits of all: HBase would write \x41 as A */
            if (strncmp(lay.items[i].name, "right.bucket.", 13) == 0)
                assert_int_equal(strncmp(lay.items[i].text, "\\x", 2), 0);
        layout_free(&lay);
        result_free(&res);
    }
}

/* A table that never flushed has its rows in memstores. */
static void test_sizes_count_memstores(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    struct layout lay;
    make_result(&opt, &res);
    for (size_t i = 0; i < res.run.regions_len; i++) {
        res.run.regions[i].store_bytes = 0;
        res.run.regions[i].memstore_bytes = 3 << 20;
    }
    lay_out(&res, "regions", &lay);
    assert_non_null(strstr(find(&lay, "title")->text, "ends at 3.00 MiB"));
    for (size_t i = 0; i < lay.len; i++)
        if (strncmp(lay.items[i].name, "right.size.", 11) == 0 && strcmp(lay.items[i].name, "right.size.title.0") != 0)
            assert_string_equal(lay.items[i].text, "3.00 MiB");
    layout_free(&lay);
    result_free(&res);
}

/* The title and the reports count the same idle servers. */
static void test_idle_as_in_the_reports(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    struct layout lay;
    make_result(&opt, &res);
    res.run.summary.servers_idle = 3;
    lay_out(&res, "tails", &lay);
    assert_non_null(strstr(find(&lay, "title")->text, "3 are idle"));
    layout_free(&lay);
    result_free(&res);
}

/* Bars are as long as their rates, the lines stand where their values are. */
static void test_servers_to_scale(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    struct layout lay;
    make_result(&opt, &res);
    lay_out(&res, "servers", &lay);
    double zero = find(&lay, "scenario.bar.0")->box.x;
    double per_pixel = 20000 / (find(&lay, "scenario.capacity.0")->box.x - zero);
    assert_true(fabs(find(&lay, "scenario.bar.0")->box.w * per_pixel - 5000) < 40);
    assert_true(fabs(find(&lay, "scenario.bar.11")->box.w * per_pixel - 2500) < 40);
    assert_true(fabs((find(&lay, "scenario.fair.0")->box.x - zero) * per_pixel - 40000.0 / 12) < 40);
    assert_string_equal(find(&lay, "scenario.figure.0")->text, "5.00 k rows/s  1.50x");
    assert_string_equal(find(&lay, "none.figure.11")->text, "no writes");
    assert_string_equal(find(&lay, "none.title.0")->text, "unsalted: hottest 12.0x, 11 get no writes");
    layout_free(&lay);
    result_free(&res);
}

/* Without latencies the title says when writes stood still; a run that never catches up has no such stretch. */
static void test_writes_stand_still(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    struct layout lay;
    make_result(&opt, &res);
    struct result_run *run = &res.run;
    res.run.summary.write_p99_us = (double)NAN;
    for (size_t i = 0; i < run->windows_len; i++)
        run->windows[i].p50_us = run->windows[i].p99_us = run->windows[i].p999_us = (double)NAN;
    lay_out(&res, "writes", &lay);
    assert_null(strstr(find(&lay, "title")->text, "fall"));
    layout_free(&lay);
    for (size_t i = 20; i < 24; i++)
        run->windows[i].done = run->windows[i].offered / (i == 22 ? 40 : 4);
    lay_out(&res, "writes", &lay);
    char from[FORMAT_CAP], to[FORMAT_CAP], at[FORMAT_CAP], want[200];
    snprintf(want, sizeof want, "at %s writes fall from %s to %s", format_time(run->windows[20].begin_s, at),
             format_rate(run->summary.writes_offered / run->duration_s, from), format_rate(1000, to));
    assert_non_null(strstr(find(&lay, "title")->text, want));
    assert_null(look_for(&lay, "rug.label.4"));
    layout_free(&lay);
    run->summary.writes_done = run->summary.writes_offered / 2;
    lay_out(&res, "writes", &lay);
    assert_null(strstr(find(&lay, "title")->text, "fall"));
    layout_free(&lay);
    run->events[0].kind = "lose server";
    lay_out(&res, "writes", &lay);
    assert_string_equal(find(&lay, "rug.label.4")->text, "server");
    assert_non_null(find(&lay, "rug.server.0"));
    layout_free(&lay);
    result_free(&res);
}

/* A key that fills several rows of the matrix can't be divided: its band shows all of its writes. */
static void test_one_key_is_one(void **state)
{
    (void)state;
    struct make_options opt = make_defaults();
    struct result res;
    make_result(&opt, &res);
    struct result_keyspace *ks = &res.run.keyspace;
    for (size_t i = 0; i < ks->rows * ks->columns; i++)
        ks->cells[i] = i < 10 * ks->columns ? 1000 : 10;
    const double before = keymatrix_most(&res.run);
    for (size_t r = 1; r < 10; r++) {
        assert_int_equal(ks->row_bucket[r], ks->row_bucket[0]);
        free(ks->edges[r]);
        ks->edges[r] = strdup(ks->edges[0]);
    }
    assert_true(fabs(before - 1000.0 / 20000) < 1e-12);
    assert_true(fabs(keymatrix_most(&res.run) - 10 * 1000.0 / 20000) < 1e-12);
    uint8_t *pixels = keymatrix_pixels(&res.run, (struct keymatrix_size){100, 640, 6});
    assert_non_null(pixels);
    assert_int_equal(pixels[5 * 100 + 50], COLOUR_CELLS + theme_cell_level(0.5, 6)); /* in its band */
    assert_int_equal(pixels[615 * 100 + 50], COLOUR_CELLS + theme_cell_level(10.0 / 20000, 6));
    free(pixels);
    result_free(&res);
}

static void test_dump(void **state)
{
    (void)state;
    static const char *const only[] = {"servers", NULL};
    struct make_options opt = {3, 4, 60, 6, 8, 1000, false};
    struct result res;
    char *text = NULL, *again = NULL;
    size_t len, len_again;
    make_result(&opt, &res);
    FILE *to = open_memstream(&text, &len);
    assert_int_equal(chart_dump(&res, only, to), 0);
    fclose(to);
    to = open_memstream(&again, &len_again);
    assert_int_equal(chart_dump(&res, only, to), 0);
    fclose(to);
    assert_string_equal(text, again);
    assert_int_equal(strncmp(text, "picture servers 1600 x 900\ntext title 40.0 43.2 ", 48), 0);
    assert_null(strstr(text, "picture keyspace"));
    free(text);
    free(again);
    result_free(&res);
}

/* layout_check itself must find what it is for. */
static void test_check_finds(void **state)
{
    (void)state;
    struct text_style style = {12, COLOUR_TEXT, ANCHOR_START, false, false};
    struct layout lay;
    char message[300];
    layout_init(&lay, &measurer_stub);
    layout_text(&lay, "a", (struct point){100, 100}, "first", style);
    layout_text(&lay, "b", (struct point){100, 120}, "second", style);
    assert_int_equal(layout_check(&lay, message, sizeof message), 0);
    assert_false(layout_text_if_free(&lay, "c", (struct point){110, 105}, "covers", style));
    assert_false(layout_text_if_free(&lay, "c", (struct point){1590, 300}, "cut off", style));
    layout_text(&lay, "c", (struct point){110, 105}, "covers", style);
    assert_int_equal(layout_check(&lay, message, sizeof message), -1);
    assert_string_equal(message, "c 'covers' touches a 'first'");
    layout_free(&lay);
    layout_init(&lay, &measurer_stub);
    layout_text(&lay, "a", (struct point){1590, 100}, "cut", style);
    assert_int_equal(layout_check(&lay, message, sizeof message), -1);
    assert_non_null(strstr(message, "leaves the page"));
    layout_free(&lay);
    layout_init(&lay, &measurer_stub);
    layout_text(&lay, "a", (struct point){100, 100}, "struck", style);
    layout_line(&lay, "grid", (struct point){90, 96}, (struct point){200, 96}, (struct line_style){1, COLOUR_GRID, DASH_NONE, 1});
    assert_int_equal(layout_check(&lay, message, sizeof message), -1); /* painted over it */
    assert_string_equal(message, "grid runs through a 'struck'");
    layout_free(&lay);
    layout_init(&lay, &measurer_stub);
    layout_line(&lay, "grid", (struct point){90, 96}, (struct point){200, 96}, (struct line_style){1, COLOUR_GRID, DASH_NONE, 1});
    const struct point slope[] = {{90, 60}, {110, 110}, {(double)NAN, 0}, {300, 300}};
    layout_path(&lay, "slope", slope, 4, (struct line_style){2, COLOUR_CHOSEN, DASH_NONE, 1});
    layout_line(&lay, "under", (struct point){100, 103}, (struct point){200, 103}, (struct line_style){2, COLOUR_LIMIT, DASH_LONG, 1});
    layout_text(&lay, "a", (struct point){120, 100}, "clear", style);
    assert_int_equal(layout_check(&lay, message, sizeof message), 0);
    layout_text(&lay, "b", (struct point){101, 75}, "x", style);
    assert_int_equal(layout_check(&lay, message, sizeof message), 0);
    layout_text(&lay, "c", (struct point){92, 74}, "o", style);
    assert_int_equal(layout_check(&lay, message, sizeof message), -1);
    assert_string_equal(message, "slope runs through c 'o'");
    lay.items[lay.len - 1].halo = true; /* its patch hides what lies under it */
    assert_int_equal(layout_check(&lay, message, sizeof message), 0);
    layout_free(&lay);
    layout_init(&lay, &measurer_stub);
    layout_rect(&lay, "r", (struct box){(double)NAN, 0, 1, 1}, COLOUR_TEXT);
    assert_int_equal(layout_check(&lay, message, sizeof message), -1);
    layout_free(&lay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_strange_values),
        cmocka_unit_test(test_strange_texts),
        cmocka_unit_test(test_many_regions),
        cmocka_unit_test(test_keyspace_says),
        cmocka_unit_test(test_at_most_16_labels),
        cmocka_unit_test(test_sizes_count_memstores),
        cmocka_unit_test(test_idle_as_in_the_reports),
        cmocka_unit_test(test_servers_to_scale),
        cmocka_unit_test(test_writes_stand_still),
        cmocka_unit_test(test_one_key_is_one),
        cmocka_unit_test(test_dump),
        cmocka_unit_test(test_check_finds),
    };
    return cmocka_run_group_tests_name("chart/layout", tests, NULL, NULL);
}
