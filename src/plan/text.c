/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void plan_say(struct plan_text *t, const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(t->bytes + t->len, sizeof t->bytes - t->len, fmt, ap);
    va_end(ap);
    if (n > 0)
        t->len = t->len + (size_t)n < sizeof t->bytes ? t->len + (size_t)n : sizeof t->bytes - 1;
}

void plan_say_n(struct plan_text *t, int n)
{
    if (n == 0)
        plan_say(t, "no salt");
    else
        plan_say(t, "N = %d", n);
}

char *plan_copy_text(const char *s)
{
    char *p = malloc(strlen(s) + 1);

    return p ? strcpy(p, s) : NULL;
}
