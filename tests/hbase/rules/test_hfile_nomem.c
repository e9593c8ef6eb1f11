/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "hbase/rules/hfile.h"

/* Every allocation fails once: the call says so, leaks nothing and leaves its result alone. The linker puts
   these wrappers before malloc, calloc and realloc. */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

static long until_failure = -1; /* -1: never */

static int fails(void)
{
    if (until_failure < 0)
        return 0;
    return until_failure-- == 0;
}

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
}

static void small_options(struct hfile_options *o)
{
    hfile_options_default(o);
    o->encoding = HFILE_ENCODING_FAST_DIFF;
    o->block_bytes = 300;
    o->index_block_bytes = 60; /* several levels of index, several bloom chunks */
    o->bloom_block_bytes = 128;
}

static int write_file(struct hfile_layout *out)
{
    struct hfile_options o;
    struct hfile_writer *w;
    int rc = 0;

    small_options(&o);
    w = hfile_writer_new(&o);
    if (!w)
        return HFILE_NOMEM;
    for (int i = 0; rc == 0 && i < 1000; i++) {
        uint8_t row[4] = {0, 0, (uint8_t)(i >> 8), (uint8_t)i}, value[100];
        struct hfile_cell c = {.row = row, .row_bytes = 4, .family_bytes = 1, .qualifier = row + 3,
                               .qualifier_bytes = 1, .value = value, .value_bytes = sizeof value, .seqid = 1};

        memset(value, i, sizeof value);
        rc = hfile_writer_append(w, &c);
    }
    if (rc == 0)
        rc = hfile_writer_finish(w, NULL, out);
    hfile_writer_del(w);
    return rc;
}

static int lay_out_runs(struct hfile_layout *out)
{
    struct hfile_column column = {1, 100, 0, 50};
    struct hfile_shape shape = {4, 1, &column, 1};
    struct hfile_run run = {&shape, 1000, 1};
    struct hfile_runs in = {.run = &run, .count = 1};
    struct hfile_options o;

    small_options(&o);
    return hfile_layout_runs(&o, &in, out);
}

static void fail_each(int (*make)(struct hfile_layout *))
{
    struct hfile_layout untouched, out;
    long n = 0;
    int rc;

    memset(&untouched, 0x5a, sizeof untouched);
    for (;; n++) {
        out = untouched;
        until_failure = n;
        rc = make(&out);
        if (until_failure >= 0)
            break; /* fewer than n allocations: none failed */
        assert_int_equal(rc, HFILE_NOMEM);
        assert_memory_equal(&out, &untouched, sizeof out);
    }
    until_failure = -1;
    assert_int_equal(rc, 0);
    assert_true(n > 10);
    assert_true(out.index_levels > 2);
    assert_true(out.bloom_chunks.count > 1);
    hfile_layout_free(&out);
}

static void test_writer(void **state)
{
    (void)state;
    fail_each(write_file);
}

static void test_runs(void **state)
{
    (void)state;
    fail_each(lay_out_runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writer),
        cmocka_unit_test(test_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
