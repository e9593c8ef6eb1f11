/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model against measurement: what the file may say, and what the picture makes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chart/chart.h"
#include "chart/pictures.h"
#include "find_item.h"
#include "make_result.h"
#include "result/measured.h"

/* Reads |text| as a file of measurements. */
static int read_text(const char *text, struct result *res, char message[400])
{
    char path[] = "/tmp/test_calibration-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    const int rc = result_read_measured(path, res, message, 400);
    unlink(path);
    return rc;
}

static void test_reads(void **state)
{
    struct make_options opt = make_defaults();
    struct result res;
    char message[400] = "";
    (void)state;
    make_result(&opt, &res);
    res.run.summary.splits = 8;
    assert_int_equal(read_text("# a comment\ncase,figure,measured,simulated\r\n\nsalt8,first_split_s,31..33,30\n,splits,8,\n", &res,
                               message), 0);
    assert_int_equal(res.measurements_len, 2);
    assert_string_equal(res.measurements[0].name, "salt8 first_split_s");
    assert_true(res.measurements[0].lo == 31 && res.measurements[0].hi == 33 && res.measurements[0].simulated == 30);
    assert_true(result_measured_ratio(&res.measurements[0]) == 30.0 / 32);
    assert_false(result_measured_inside(&res.measurements[0]));
    assert_string_equal(res.measurements[1].name, "splits");
    assert_true(res.measurements[1].simulated == 8); /* the result's own */
    assert_true(result_measured_inside(&res.measurements[1]));
    result_free(&res);
}

static void test_refuses(void **state)
{
    static const struct { const char *text, *why; } cases[] = {
        {"figure,value\nsplits,8\n", ":1: the first line must name the columns figure and measured"},
        {"figure\tmeasured\nsplits\teight\n", ":2: measured is no number or range LO..HI: 'eight'"},
        {"figure,measured\nsplits,9..8\n", ":2: measured is no number or range LO..HI: '9..8'"},
        {"figure,measured\nsplits,8x\n", ":2: measured is no number or range LO..HI: '8x'"},
        {"figure,measured\nsplits,nan\n", ":2: measured is no number or range LO..HI: 'nan'"},
        {"figure,measured\nsplit,8\n", ":2: the result has no figure 'split'"},
        {"figure,measured\n,8\n", ":2: no figure is named"},
        {"figure,measured,simulated\nx,8,y\n", ":2: simulated is no number: 'y'"},
        {"figure,measured\n", ":1: nothing was measured"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct make_options opt = {3, 4, 60, 6, 8, 1000, false};
        struct result res;
        char message[400] = "";
        make_result(&opt, &res);
        assert_int_equal(read_text(cases[i].text, &res, message), -2);
        assert_non_null(strstr(message, cases[i].why));
        result_free(&res);
    }
    struct result res;
    char message[400];
    result_init(&res);
    assert_int_equal(result_read_measured("/nothing/at/all", &res, message, sizeof message), -1);
}

/* The furthest off stands first; marks stand at their factor; the title counts. */
static void test_picture(void **state)
{
    struct make_options opt = make_defaults();
    struct result res;
    struct layout lay;
    char message[400] = "";
    (void)state;
    make_result(&opt, &res);
    assert_int_equal(read_text("figure,measured,simulated\na,100,100\nb,90..110,120\nc,50,100\nd,0,3\ne,0,0\n", &res, message), 0);
    layout_init(&lay, &measurer_stub);
    calibration_layout(&res, &lay);
    assert_int_equal(layout_check(&lay, message, sizeof message), 0);
    assert_string_equal(find(&lay, "title")->text,
                        "2 of 5 figures inside what was measured; half within 0 %, furthest off 100 %");
    assert_string_equal(find(&lay, "ratio.name.0")->text, "c");
    assert_string_equal(find(&lay, "ratio.figure.0")->text, "2.00x");
    assert_string_equal(find(&lay, "ratio.name.1")->text, "b");
    assert_int_equal(find(&lay, "ratio.point.1")->colour, COLOUR_BASELINE);
    assert_int_equal(find(&lay, "ratio.point.2")->colour, COLOUR_CHOSEN);
    assert_true(find(&lay, "ratio.point.0")->box.x > find(&lay, "ratio.point.1")->box.x);
    assert_non_null(strstr(find(&lay, "subtitle")->text, "1 with a zero on one side alone is not drawn"));
    layout_free(&lay);
    result_free(&res);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads), cmocka_unit_test(test_refuses), cmocka_unit_test(test_picture),
    };
    return cmocka_run_group_tests_name("chart/calibration", tests, NULL, NULL);
}
