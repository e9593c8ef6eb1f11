/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a bench has used so far. */
#ifndef TESTS_BENCH_USAGE_H
#define TESTS_BENCH_USAGE_H

#include <sys/resource.h>

/* Seconds of user time of this process. */
static inline double user_s(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + (double)u.ru_utime.tv_usec / 1e6;
}

#endif
