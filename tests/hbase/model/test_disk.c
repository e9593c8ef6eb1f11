/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "hbase/model/disk.h"

static des_time ended[8];

static void done(struct des_calendar *cal, void *self, uint64_t arg)
{
    (void)self;
    ended[arg] = des_now(cal);
}

struct start {
    struct disk *disk;
    double bytes, limit;
    uint64_t id;
};

static void begin(struct des_calendar *cal, void *self, uint64_t arg)
{
    const struct start *s = self;

    (void)cal;
    (void)arg;
    assert_int_equal(disk_start(s->disk, s->bytes, s->limit, (struct des_action){.run = done, .arg = s->id}), 0);
}

static void run(struct start *jobs, const des_time *at, size_t n)
{
    struct des_calendar *cal = des_calendar_new();
    struct disk d;

    assert_non_null(cal);
    disk_init(&d, cal, 100.0);
    for (size_t i = 0; i < n; i++) {
        jobs[i].disk = &d;
        jobs[i].id = i;
        ended[i] = -1;
        des_at(cal, at[i], (struct des_action){.run = begin, .self = &jobs[i]});
    }
    assert_int_equal(des_run(cal, 1000 * DES_S), 0);
    disk_free(&d);
    des_calendar_free(cal);
}

static void near_s(des_time t, double s)
{
    assert_true(fabs(des_time_to_s(t) - s) < 1e-6);
}

/* Bandwidth 100: alone, two at once, one that joins later, one held by its own limit. */
static void test_alone(void **state)
{
    struct start j[] = {{.bytes = 250, .limit = INFINITY}};
    const des_time at[] = {DES_S};

    (void)state;
    run(j, at, 1);
    near_s(ended[0], 3.5);
}

static void test_equal_shares(void **state)
{
    struct start j[] = {{.bytes = 100, .limit = INFINITY}, {.bytes = 300, .limit = INFINITY}};
    const des_time at[] = {0, 0};

    (void)state;
    run(j, at, 2);
    near_s(ended[0], 2); /* 50 each */
    near_s(ended[1], 4); /* then 200 left at 100 */
}

static void test_joining(void **state)
{
    struct start j[] = {{.bytes = 200, .limit = INFINITY}, {.bytes = 50, .limit = INFINITY}};
    const des_time at[] = {0, DES_S};

    (void)state;
    run(j, at, 2);
    near_s(ended[1], 2);
    near_s(ended[0], 2.5);
}

static void test_a_limit_leaves_the_rest(void **state)
{
    struct start j[] = {{.bytes = 100, .limit = 20}, {.bytes = 160, .limit = INFINITY}};
    const des_time at[] = {0, 0};

    (void)state;
    run(j, at, 2);
    near_s(ended[1], 2); /* 80 */
    near_s(ended[0], 5); /* 20 all the time */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_equal_shares),
        cmocka_unit_test(test_joining),
        cmocka_unit_test(test_a_limit_leaves_the_rest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
