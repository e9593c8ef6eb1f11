/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The n-th allocation fails, for every n: no crash, no leak, the error told. Linked with --wrap for
   malloc, calloc and realloc. */
#include "des_test.h"

#include <stdlib.h>

#include "des/calendar.h"
#include "des/histogram.h"
#include "des/pool.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);

static long left = -1; /* allocations before the one that fails; -1: none fails */

static int fails(void)
{
    return left >= 0 && left-- == 0;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return fails() ? NULL : __real_realloc(p, size);
}

struct spread {
    int runs;
    int slots_failed;
};

/* Each schedules two more until there are many; a slot now and then. */
static void spread(struct des_calendar *cal, void *self, uint64_t depth)
{
    struct spread *s = self;
    const struct des_action next = {.run = spread, .self = s, .arg = depth + 1};
    uint32_t slot;

    s->runs++;
    if (depth == 7)
        return;
    des_after(cal, 1, next);
    des_after(cal, 2, next);
    if (depth < 3) {
        if (des_slot_new(cal, next, &slot) == DES_OK)
            des_slot_set(cal, slot, des_now(cal) + 3);
        else
            s->slots_failed++;
    }
}

static int scenario(struct spread *s)
{
    struct des_calendar *cal = des_calendar_new();
    int status;

    *s = (struct spread){0, 0};
    if (!cal)
        return DES_NO_MEMORY;
    des_at(cal, 0, (struct des_action){.run = spread, .self = s});
    status = des_run(cal, DES_NEVER);
    if (status != DES_OK)
        assert_int_equal(des_run(cal, DES_NEVER), status);
    des_calendar_free(cal);
    return status;
}

static void calendar_without_memory(void **state)
{
    struct spread whole, part;
    long n = 0;

    (void)state;
    left = -1;
    assert_int_equal(scenario(&whole), DES_OK);
    for (;; n++) {
        int status;

        left = n;
        status = scenario(&part);
        if (left >= 0)
            break; /* it needs no more than n */
        assert_int_equal(status, DES_NO_MEMORY);
        assert_true(part.runs < whole.runs);
    }
    left = -1;
    assert_true(n > 10);
    assert_int_equal(part.runs, whole.runs);
}

static void histogram_without_memory(void **state)
{
    struct des_histogram h = {.count = 5};

    (void)state;
    left = 0;
    assert_int_equal(des_histogram_init(&h, 7, 1000), DES_NO_MEMORY);
    left = -1;
    assert_int_equal(h.count, 5);
}

static int count(void *context, size_t i)
{
    ((int *)context)[i]++;
    return 0;
}

/* Without memory for helpers the caller does the work alone. */
static void pool_without_memory(void **state)
{
    int runs[10] = {0};

    (void)state;
    left = 0;
    assert_int_equal(des_pool_run(4, 10, count, runs), 0);
    left = -1;
    for (int i = 0; i < 10; i++)
        assert_int_equal(runs[i], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calendar_without_memory),
        cmocka_unit_test(histogram_without_memory),
        cmocka_unit_test(pool_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
