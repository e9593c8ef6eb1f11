/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes an allocation fail: link with FAILING_WRAP, which sends malloc, calloc and realloc of
   the program's own objects through here. */
#ifndef TESTS_SPEC_FAILING_H
#define TESTS_SPEC_FAILING_H

/* The |n|-th allocation from now on (from 1) returns NULL, and only that one; 0 = none does. */
void failing_at(long n);

/* Whether it has failed. */
int failing_done(void);

#endif
