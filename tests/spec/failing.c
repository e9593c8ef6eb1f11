/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/spec/failing.h"

#include <stddef.h>

static long left;
static int done;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

void failing_at(long n)
{
    left = n;
    done = 0;
}

int failing_done(void)
{
    return done;
}

static int fails(void)
{
    if (left == 0 || --left > 0)
        return 0;
    done = 1;
    return 1;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}
